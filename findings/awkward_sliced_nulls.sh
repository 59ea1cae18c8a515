#!/usr/bin/env bash
# Expected: a slice of an Arrow array, or a batch of a table, is converted with the nulls of its own rows.
# Seen: awkward takes the bits of nulls from the start of the whole array: rows of a slice become null, and nulls become values, here 0. It is so
#   for every type, and in members of structs.
# Versions: awkward 2.14.0, pyarrow 26.0.1.
# Why it matters: batches of a table that is read or written in parts are slices. Analyses in physics read Parquet this way, batch by batch.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check awkward==2.14.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import awkward, pyarrow as pa

print("awkward", awkward.__version__, "pyarrow", pa.__version__)
text = pa.array([None, "a", "b", "c"]).slice(1)
member = pa.array([{"a": None}, {"a": 1}, {"a": 2}]).slice(1)
batch = pa.table({"x": [*range(16), None, None, None, None]}).to_batches(max_chunksize=10)[1].column("x")
seen = []
for array in (text, member, batch):
    found = awkward.from_arrow(array).to_list()
    print(array.to_pylist(), "becomes", found)
    seen.append(found)
expected = [[None, "b", "c"], [{"a": None}, {"a": 2}], [10, 11, 12, 13, 14, 15, 0, 0, 0, 0]]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
