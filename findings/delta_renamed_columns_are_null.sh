#!/usr/bin/env bash
# Expected: a Delta table in which a column was renamed has its values, whichever method reads it, or the method refuses it.
# Seen: `to_pyarrow_table`, `to_pyarrow_dataset` and `to_pandas` return a null for every value, of every column. Columns are renamed only
#   with column mapping, by which files have other names. `scan` and SQL of the same package read the values. Tables of reader version 3 are
#   refused, those of version 2, which the software before table features made, are not.
# Versions: deltalake 1.6.6, pyarrow 26.0.1.
# Why it matters: sums are 0 and joins are empty without an error. A table that is copied by it replaces the values by nulls.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check deltalake==1.6.6 pyarrow==26.0.1
venv/bin/python - <<'PYTHON' || exit 1
import json, os, sys
import deltalake, pyarrow as pa, pyarrow.parquet as pq
from deltalake import DeltaTable

print("deltalake", deltalake.__version__, "pyarrow", pa.__version__)
mapping = {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": "1"}
column = {"name": "amount", "type": "long", "nullable": True,
          "metadata": {"delta.columnMapping.id": 1, "delta.columnMapping.physicalName": "price"}}


def table(name, protocol):
    """Makes a table as Spark does: `price` was renamed to `amount` in the log, and its file was left alone."""
    os.makedirs(f"{name}/_delta_log")
    pq.write_table(pa.table({"price": pa.array([7, 8], pa.int64())}), f"{name}/part.parquet")
    add = {"path": "part.parquet", "partitionValues": {}, "size": os.stat(f"{name}/part.parquet").st_size, "modificationTime": 0, "dataChange": True}
    metadata = {"id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9", "format": {"provider": "parquet", "options": {}}, "partitionColumns": [],
                "schemaString": json.dumps({"type": "struct", "fields": [column]}), "configuration": mapping, "createdTime": 0}
    with open(f"{name}/_delta_log/00000000000000000000.json", "w") as log:
        for action in ({"protocol": protocol}, {"metaData": metadata}, {"add": add}):
            print(json.dumps(action), file=log)
    return DeltaTable(name)


def read(what):
    try:
        return pa.table(what())["amount"].to_pylist()
    except Exception as error:
        return type(error).__name__


seen = []
for name, protocol in {
    "version 2": {"minReaderVersion": 2, "minWriterVersion": 5},
    "version 3": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["columnMapping"], "writerFeatures": ["columnMapping"]},
}.items():
    made = table(name, protocol)
    found = read(made.scan), read(made.to_pyarrow_table), read(lambda: made.to_pyarrow_dataset().to_table())
    print(f"{name}: scan {found[0]}, to_pyarrow_table {found[1]}, to_pyarrow_dataset {found[2]}")
    seen.append(found)
expected = [([7, 8], [None, None], [None, None]), ([7, 8], "DeltaProtocolError", "DeltaProtocolError")]
if seen != expected:
    print(f"changed: expected {expected}, found {seen}")
sys.stdout.flush()
os._exit(seen != expected)  # without the ends of threads, which pyarrow and deltalake sometimes get in the wrong order
PYTHON
