#!/usr/bin/env bash
# Expected: after a column is dropped from an Iceberg table, a new column of the same name has nulls in the old rows.
# Seen: files that came in by add_files have no field ids. They are read by name, and the name belongs to the new column now: the dropped values
#   are back under it. After a rename of b to c and a new b, the old values are in b, and c is null.
# Versions: pyiceberg 0.12.0, pyarrow 26.0.1.
# Why it matters: add_files is how existing Parquet moves to Iceberg without a copy. Personal data that was dropped comes back.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check 'pyiceberg[sql-sqlite]==0.12.0' pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import logging, os, sys
import pyarrow as pa, pyarrow.parquet as pq, pyiceberg
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.types import LongType

logging.disable(logging.CRITICAL)
print("pyiceberg", pyiceberg.__version__, "pyarrow", pa.__version__)
catalog = SqlCatalog("c", uri="sqlite:///catalog.db", warehouse="file://" + os.getcwd())
catalog.create_namespace("n")
rows = pa.table({"a": pa.array([1], pa.int64()), "b": pa.array([42], pa.int64())})


def table(name, appended):
    created = catalog.create_table("n." + name, schema=rows.schema)
    if appended:
        created.append(rows)
    else:
        pq.write_table(rows, name + ".parquet")
        created.add_files(["file://" + os.path.abspath(name + ".parquet")])
    return created


seen = []
for appended in (True, False):
    way = "append" if appended else "add_files"
    dropped = table("dropped_" + way, appended)
    with dropped.update_schema(allow_incompatible_changes=True) as update:
        update.delete_column("b")
    with dropped.update_schema() as update:
        update.add_column("b", LongType())
    renamed = table("renamed_" + way, appended)
    with renamed.update_schema() as update:
        update.rename_column("b", "c")
    with renamed.update_schema() as update:
        update.add_column("b", LongType())
    read = [changed.scan().to_arrow().to_pylist()[0] for changed in (dropped, renamed)]
    print(f"{way}: b dropped and added again {read[0]}; b renamed to c, b added {read[1]}")
    seen.append(read)
expected = [[{"a": 1, "b": None}, {"a": 1, "c": 42, "b": None}], [{"a": 1, "b": 42}, {"a": 1, "c": None, "b": 42}]]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
