#!/usr/bin/env bash
# Expected: a null list of structs is appended to an Iceberg table as null, and read as null.
# Seen: pyiceberg appends an empty list, and an empty map for a null map whose values are structs. It reads them from a file that pyarrow
#   wrote with nulls, too. Lists of numbers keep their nulls.
# Versions: pyiceberg 0.12.0, pyarrow 26.0.1.
# Why it matters: "unknown" becomes "none": counts of rows without a list are 0, and a copy of the table stores the empty lists.
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

logging.disable(logging.CRITICAL)
print("pyiceberg", pyiceberg.__version__, "pyarrow", pa.__version__)
catalog = SqlCatalog("c", uri="sqlite:///catalog.db", warehouse="file://" + os.getcwd())
catalog.create_namespace("n")
item = pa.struct([("x", pa.int64())])
rows = pa.table({"numbers": pa.array([None, [], [1]], pa.list_(pa.int64())),
                 "items": pa.array([None, [], [{"x": 1}]], pa.list_(item)),
                 "named": pa.array([None, [], [("k", {"x": 1})]], pa.map_(pa.string(), item))})
table = catalog.create_table("n.t", schema=rows.schema)
table.append(rows)
stored = pq.read_table(next(iter(table.scan().plan_files())).file.file_path.removeprefix("file://"))
pq.write_table(rows, "whole.parquet")
added = catalog.create_table("n.added", schema=rows.schema)
added.add_files(["file://" + os.getcwd() + "/whole.parquet"])
scanned = added.scan().to_arrow()
for what, found in (("appended", stored), ("in a file with nulls, read", scanned)):
    nulls = [found[name].null_count for name in rows.column_names]
    print(f"nulls of {rows.column_names} {what}: {nulls}, expected [1, 1, 1]")
    if nulls != [1, 0, 0]:
        sys.exit(f"changed: expected [1, 0, 0], found {nulls}")
PYTHON
