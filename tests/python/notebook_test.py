"""The example notebook runs, and gives the text that stands in it.

usage: notebook_test.py XWALK [DATA]      NOTEBOOK_UPDATE=1 writes what it gives now into the notebook
"""
import copy
import os
import pathlib
import sys

PACKAGES = pathlib.Path(sys.argv[1]).resolve().parent / "python"
NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebook" / "tables.ipynb"
try:
    import duckdb  # noqa: F401
    import nbclient
    import nbformat
    import polars  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)
if not (PACKAGES / "xwalk").exists():
    print("SKIPPED: the module is not built (XWALK_BUILD_PYTHON)")
    sys.exit(77)


def shown(cell) -> list[str]:
    """Returns what a cell shows as text: what it prints and what its last line is."""
    return [output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
            for output in cell.get("outputs", ()) if output["output_type"] != "error"]


def main() -> None:
    os.environ["PYTHONPATH"] = str(PACKAGES)
    before = nbformat.read(NOTEBOOK, as_version=4)
    after = nbformat.from_dict(copy.deepcopy(before))
    nbclient.NotebookClient(after, timeout=120, kernel_name="python3", record_timing=False).execute()
    if os.environ.get("NOTEBOOK_UPDATE"):
        nbformat.write(after, NOTEBOOK)
        return
    cells = [cell for cell in after.cells if cell.cell_type == "code"]
    assert len(cells) > 5, "the notebook is empty"
    for was, now in zip(before.cells, after.cells, strict=True):
        if shown(was) != shown(now):
            sys.exit(f"{now.source}\n--- gives\n{shown(now)}\n--- and not\n{shown(was)}")
    print(f"{len(cells)} cells as they stand")


if __name__ == "__main__":
    main()
