"""The example notebooks run, and print the text that is in them. `--update` writes the current output into them."""
import copy
import pathlib
import re

import pytest

from tests import harness

with harness.skip_if_missing():
    import duckdb  # noqa: F401
    import nbclient
    import nbformat
    import pandas  # noqa: F401
    import polars  # noqa: F401
harness.use_module(processes=True)

FOLDER = re.compile(r"/tmp/\w+/")


def shown(cell) -> list[str]:
    """Returns what a cell shows as text: what it prints and what its last line is."""
    return [output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
            for output in cell.get("outputs", ()) if output["output_type"] != "error"]


@pytest.mark.parametrize("path", sorted((harness.ROOT / "examples" / "notebook").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path: pathlib.Path) -> None:
    if not (harness.BUILD / "xwalk.duckdb_extension").exists() and "duckdb_extension" in path.read_text():
        pytest.skip("the DuckDB extension is not built (XWALK_BUILD_DUCKDB)")
    before = nbformat.read(path, as_version=4)
    after = nbformat.from_dict(copy.deepcopy(before))
    nbclient.NotebookClient(after, timeout=120, kernel_name="python3", record_timing=False).execute()
    if harness.UPDATE:
        nbformat.write(after, path)
        return
    assert sum(cell.cell_type == "code" for cell in after.cells) > 5, "the notebook is empty"
    for was, now in zip(before.cells, after.cells, strict=True):
        # Temporary folders have other names each time.
        assert [FOLDER.sub("", text) for text in shown(now)] == [FOLDER.sub("", text) for text in shown(was)], now.source
