"""The modules of the package import each other in one direction."""
import ast
import graphlib

import pytest

from tests import harness

PACKAGE = harness.ROOT / "src" / "xwalk" / "python" / "xwalk"
#: From the bottom up. A module imports those of lower lines, and others of its own line if these do not import it.
LAYERS = ["_errors", "_options _option_types", "_objects _pandas _progress _report", "_schema", "_rows",
          "_compare _duckdb _engines _fork _info polars _scan ray spark _spark_read _spark_types _spark_write _task_folder"
          " _task_read _task_rejects _task_skip _task_tables _task_verify _task_write _validate vortex",
          "__init__", "__main__"]
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names.split()}


def imported(path):
    """Returns the modules of the package that a module imports anywhere: also for type checkers, and within functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            yield from [node.module] if node.module else [alias.name for alias in node.names]
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert not any(name.split(".")[0] == "xwalk" for name in names), f"{path.name}: imports xwalk by its absolute name"


GRAPH = {path.stem: {name for name in imported(path) if name.split(".")[0] != "_xwalk"} for path in PACKAGE.glob("*.py")}


class TestImports:
    def test_every_module_has_a_layer(self):
        assert set(GRAPH) == set(LAYER)

    def test_modules_are_private(self):
        """Except those that other packages name: `import xwalk.polars`, `xwalk.ray`, Spark's data source, messages of Vortex."""
        assert {name for name in GRAPH if not name.startswith("_")} == {"polars", "ray", "spark", "vortex"}

    def test_no_cycle(self):
        try:
            order = list(graphlib.TopologicalSorter(GRAPH).static_order())
        except graphlib.CycleError as error:
            pytest.fail(f"modules import each other: {' → '.join(error.args[1])}")
        assert order.index("_rows") > order.index("_schema")

    def test_lower_layers_only(self):
        assert [(name, other) for name, others in GRAPH.items() for other in others if LAYER[other] > LAYER[name]] == []
