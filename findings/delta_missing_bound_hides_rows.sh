#!/usr/bin/env bash
# Expected: a filter finds its rows whatever statistics a file of a Delta table has: bounds are optional, for each column.
# Seen: if the statistics of a file have bounds for some columns and not for another, a filter on that other column finds no row. `to_pyarrow_dataset`
#   compares the value with a null in place of the bound, which is never true, and leaves the file out. Without any statistics, or with all bounds,
#   the row is found. The same package's `write_deltalake` gives no bounds to a column of infinite numbers, so its own tables have it, too.
# Versions: deltalake 1.6.6, pyarrow 26.0.1.
# Why it matters: queries return fewer rows without an error. Writers leave out bounds of long texts, of NaN and of infinity.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check deltalake==1.6.6 pyarrow==26.0.1
venv/bin/python - <<'PYTHON' || exit 1
import json, os, sys
import deltalake, pyarrow as pa, pyarrow.parquet as pq
from deltalake import DeltaTable, write_deltalake

print("deltalake", deltalake.__version__, "pyarrow", pa.__version__)
rows = pa.table({"id": pa.array([1, 2], pa.int64()), "name": ["cup", "lamp"]})
fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in (("id", "long"), ("name", "string"))]


def found(name, statistics):
    """Makes a table of one file with these statistics, and returns how many rows a filter on `name` finds."""
    os.makedirs(f"{name}/_delta_log")
    pq.write_table(rows, f"{name}/part.parquet")
    add = {"path": "part.parquet", "partitionValues": {}, "size": os.stat(f"{name}/part.parquet").st_size, "modificationTime": 0, "dataChange": True}
    if statistics:
        add["stats"] = json.dumps({"numRecords": 2, **statistics})
    metadata = {"id": "0d4c2d64-41ab-4f0f-9c2b-6c0d9a1b77f1", "format": {"provider": "parquet", "options": {}}, "partitionColumns": [],
                "schemaString": json.dumps({"type": "struct", "fields": fields}), "configuration": {}, "createdTime": 0}
    with open(f"{name}/_delta_log/00000000000000000000.json", "w") as log:
        for action in ({"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}, {"metaData": metadata}, {"add": add}):
            print(json.dumps(action), file=log)
    return DeltaTable(name).to_pyarrow_table(filters=[("name", "=", "cup")]).num_rows


seen = {
    "no statistics": found("none", {}),
    "bounds of both": found("both", {"minValues": {"id": 1, "name": "cup"}, "maxValues": {"id": 2, "name": "lamp"}, "nullCount": {"id": 0, "name": 0}}),
    "bounds of the other": found("other", {"minValues": {"id": 1}, "maxValues": {"id": 2}, "nullCount": {"id": 0, "name": 0}}),
    "the lower bound": found("lower", {"minValues": {"id": 1, "name": "cup"}, "maxValues": {"id": 2}, "nullCount": {"id": 0, "name": 0}}),
}
write_deltalake("own", pa.table({"id": [1, 2], "x": [1.5, float("inf")]}))
seen["its own table, with infinity"] = DeltaTable("own").to_pyarrow_table(filters=[("x", "=", 1.5)]).num_rows
for name, count in seen.items():
    print(f"{name}: {count} of 1 row found")
expected = {"no statistics": 1, "bounds of both": 1, "bounds of the other": 0, "the lower bound": 0, "its own table, with infinity": 0}
if seen != expected:
    print(f"changed: expected {expected}, found {seen}")
sys.stdout.flush()
os._exit(seen != expected)  # without the ends of threads, which pyarrow and deltalake sometimes get in the wrong order
PYTHON
