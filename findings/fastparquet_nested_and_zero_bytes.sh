#!/usr/bin/env bash
# Expected: a reader of Parquet that opens a column gives its values, or refuses a type that it does not know.
# Seen: bytes of a fixed length lose the zeros at their end, so a uuid that ends in 00 has 15 bytes. A map of lists gives its keys in the place
#   of its values. Lists of lists and lists of structs are None in every row, and a struct that is null is a struct of nulls.
# Versions: fastparquet 2026.9.0 with pandas 3.1.1, pyarrow 26.0.1 as the writer.
# Why it matters: `pandas.read_parquet` takes this engine where pyarrow is not installed. One uuid in 256 is another id, and a join by it finds
#   nothing. A table with nested columns looks empty there.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys, uuid, warnings
import fastparquet, pandas
import pyarrow as pa, pyarrow.parquet as pq

print("fastparquet", fastparquet.__version__, "pandas", pandas.__version__, "pyarrow", pa.__version__)
warnings.simplefilter("ignore")
numbers = pa.list_(pa.int64())
pq.write_table(pa.table({
    "id": pa.array([uuid.UUID(int=0x1100).bytes, uuid.UUID(int=0x11).bytes], pa.uuid()),
    "sizes": pa.array([[("small", [1, 2])], [("large", [])]], pa.map_(pa.string(), numbers)),
    "lists": pa.array([[[1, 2], [3]], []], pa.list_(numbers)),
    "structs": pa.array([[{"x": 1}], []], pa.list_(pa.struct([("x", pa.int64())]))),
    "point": pa.array([None, {"x": None}], pa.struct([("x", pa.float64())])),
}), "f.parquet")
read = pandas.read_parquet("f.parquet", engine="fastparquet")
seen = {
    "bytes of id": [len(value) for value in read["id"]],
    "sizes": [list(value) for value in read["sizes"]],
    "lists": list(read["lists"]),
    "structs": list(read["structs"]),
    "null points": read["point.x"].isna().tolist(),
}
for name, values in seen.items():
    print(f"{name}: {values}")
expected = {"bytes of id": [15, 16], "sizes": [["small"], ["large"]], "lists": [None, None], "structs": [None, None],
            "null points": [True, True]}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
