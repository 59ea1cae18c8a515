#!/usr/bin/env bash
# Expected: an ORC file written from a slice of a table holds the rows of the slice.
# Seen: structs have the members and nulls of other rows, those from the start of the whole column, once a struct of it is null. Columns
#   beside it are right. A table written in several batches is wrong from the second one on. Without a null struct all is right.
# Versions: pyarrow 26.0.1.
# Why it matters: whoever writes a large table in batches writes slices. Hive and Spark read ids beside the members of other rows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import pyarrow as pa
from pyarrow import orc

print("pyarrow", pa.__version__)
whole = pa.table({"id": range(5), "s": pa.array([None, {"a": 1}, None, {"a": 3}, {"a": 4}])})
orc.write_table(whole.slice(2), "slice.orc")
found = orc.read_table("slice.orc").to_pylist()
print("slice:", whole.slice(2).to_pylist(), "is stored as", found)

many = pa.table({"id": range(3000), "s": [{"a": n} if n % 3 else None for n in range(3000)]})
with orc.ORCWriter("batches.orc") as writer:
    for batch in many.to_batches(max_chunksize=1000):
        writer.write(pa.Table.from_batches([batch]))
wrong = sum(row["s"] != ({"a": row["id"]} if row["id"] % 3 else None) for row in orc.read_table("batches.orc").to_pylist())
print(f"three batches of 1000 rows: {wrong} structs are not those of their row")
if (found, wrong) != ([{"id": 2, "s": None}, {"id": 3, "s": {"a": 1}}, {"id": 4, "s": None}], 2000):
    sys.exit(f"changed: found {found}, {wrong} wrong")
PYTHON
