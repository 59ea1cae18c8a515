#!/usr/bin/env bash
# Expected: create_table stores a list<double> of Arrow as it is, or raises an error, whatever the column is called.
# Seen: a list column whose name contains "vector" or "embedding", and whose lists are equally long, becomes a fixed-size list
#   of float: 16777217 is 16777216, 1e300 is infinite.
#   The same values under another name, or in a fixed-size list, keep their type.
# Versions: lancedb 0.40.0, pyarrow 26.0.1.
# Why it matters: tables with a column such as state_vector or feature_vector, of doubles, that are loaded into LanceDB.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check lancedb==0.40.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import lancedb, pyarrow as pa

print("lancedb", lancedb.__version__, "pyarrow", pa.__version__)
connection = lancedb.connect("data")
doubles = [[16777217.0, 1e300], [0.5, 2.0]]
columns = {
    "state_vector": pa.array(doubles, pa.list_(pa.float64())),
    "state": pa.array(doubles, pa.list_(pa.float64())),
    "fixed_vector": pa.array(doubles, pa.list_(pa.float64(), 2)),
    "embedding_of_x": pa.array(doubles, pa.large_list(pa.float64())),
}
found = {}
for name, column in columns.items():
    stored = connection.create_table(name, pa.table({name: column})).to_arrow()[name]
    found[name] = (str(stored.type.value_type), pa.types.is_fixed_size_list(stored.type), stored[0].as_py())
    print(f"{name}: {column.type} {column[0].as_py()} is stored as {stored.type} {stored[0].as_py()}")
expected = {
    "state_vector": ("float", True, [16777216.0, float("inf")]),
    "state": ("double", False, doubles[0]),
    "fixed_vector": ("double", True, doubles[0]),
    "embedding_of_x": ("float", True, [16777216.0, float("inf")]),
}
if found != expected:
    sys.exit(f"changed: found {found}")
PYTHON
