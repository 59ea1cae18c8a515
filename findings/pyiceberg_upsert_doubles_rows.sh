#!/usr/bin/env bash
# Expected: `upsert` refuses a table in which a key is in several rows ("Target table has duplicate rows"), or updates each of them once.
# Seen: it looks for such a key in each batch of rows only. If the rows are in two files, as after a week that was appended twice, both are deleted
#   and the new row is added twice. It reports two updated rows for one row of input.
# Versions: pyiceberg 0.12.0, pyarrow 26.0.1.
# Why it matters: the table keeps its repeated keys after each correction, and every sum over it counts them again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check "pyiceberg[sql-sqlite]==0.12.0" pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import os, sys
from importlib.metadata import version
import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog

print("pyiceberg", version("pyiceberg"), "pyarrow", pa.__version__)
catalog = SqlCatalog("c", uri=f"sqlite:///{os.getcwd()}/c.db", warehouse=f"file://{os.getcwd()}")
catalog.create_namespace("n")


def rows(*pairs):
    return pa.table({"id": pa.array([id for id, _ in pairs], pa.int64()), "v": pa.array([v for _, v in pairs], pa.string())})


seen = []
for name, files in (("one", [rows((1, "a"), (2, "b"), (2, "c"))]), ("two", [rows((1, "a"), (2, "b")), rows((2, "c"))])):
    table = catalog.create_table(f"n.{name}", rows().schema)
    for file in files:
        table.append(file)
    try:
        done = table.upsert(rows((2, "new")), ["id"])
        seen.append((done.rows_updated, sorted(table.scan().to_arrow()["v"].to_pylist())))
    except ValueError as error:
        seen.append(str(error))
    print(f"a key that is in two rows, in {name} file(s): {seen[-1]}")
if seen != ["Target table has duplicate rows, aborting upsert", (2, ["a", "new", "new"])]:
    sys.exit(f"changed: found {seen}")
PYTHON
