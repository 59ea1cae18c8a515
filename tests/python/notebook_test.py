"""The example notebooks run, and print the text that is in them.

usage: notebook_test.py XWALK [DATA]      NOTEBOOK_UPDATE=1 writes what they give now into them
"""
import copy
import os
import pathlib
import re
import sys

PACKAGES = pathlib.Path(sys.argv[1]).resolve().parent / "python"
NOTEBOOKS = pathlib.Path(__file__).resolve().parents[2] / "examples" / "notebook"
try:
    import duckdb  # noqa: F401
    import nbclient
    import nbformat
    import pandas  # noqa: F401
    import polars  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)
if not (PACKAGES / "xwalk").exists():
    print("SKIPPED: the module is not built (XWALK_BUILD_PYTHON)")
    sys.exit(77)


FOLDER = re.compile(r"/tmp/\w+/")


def shown(cell) -> list[str]:
    """Returns what a cell shows as text: what it prints and what its last line is."""
    return [output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"]
            for output in cell.get("outputs", ()) if output["output_type"] != "error"]


def check(path: pathlib.Path) -> None:
    before = nbformat.read(path, as_version=4)
    after = nbformat.from_dict(copy.deepcopy(before))
    nbclient.NotebookClient(after, timeout=120, kernel_name="python3", record_timing=False).execute()
    if os.environ.get("NOTEBOOK_UPDATE"):
        nbformat.write(after, path)
        return
    cells = [cell for cell in after.cells if cell.cell_type == "code"]
    assert len(cells) > 5, f"{path.name} is empty"
    for was, now in zip(before.cells, after.cells, strict=True):
        # Temporary folders have other names each time.
        if [FOLDER.sub("", text) for text in shown(was)] != [FOLDER.sub("", text) for text in shown(now)]:
            sys.exit(f"{path.name}: {now.source}\n--- gives\n{shown(now)}\n--- and not\n{shown(was)}")
    print(f"{path.name}: {len(cells)} cells unchanged")


def main() -> int:
    os.environ["PYTHONPATH"] = str(PACKAGES)
    has_extension = (PACKAGES.parent / "xwalk.duckdb_extension").exists()
    skipped = 0
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        if not has_extension and "duckdb_extension" in path.read_text():
            print(f"SKIPPED: {path.name}: the DuckDB extension is not built (XWALK_BUILD_DUCKDB)")
            skipped = 77
        else:
            check(path)
    return skipped


if __name__ == "__main__":
    sys.exit(main())
