#!/usr/bin/env bash
# Expected: a vector [0.5, -0.25, 1.0] added to a LanceDB table comes back as it is, or the add fails.
# Seen: it comes back as [0, 0, 1] if the vectors of the first rows were whole numbers from 0 to 255, such as a row of zeros. The column
#   is then uint8, chosen by the values. Numbers beyond 255 raise an error, fractions and -0.25 do not. A column that is not named vector or
#   embedding has doubles.
# Versions: lancedb 0.40.0, pyarrow 26.0.1.
# Why it matters: embeddings of length 1 become zeros and ones, and a search gives other neighbors.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check lancedb==0.40.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import lancedb

print("lancedb", version("lancedb"), "pyarrow", version("pyarrow"))
database = lancedb.connect("db")
seen = {}
for name, first in {"zeros": [0, 0, 0], "zeros as floats": [0.0, 0.0, 0.0], "a negative": [0, 0, -1], "a large": [0, 0, 256]}.items():
    table = database.create_table(name.replace(" ", "_"), [{"id": 1, "vector": first}])
    table.add([{"id": 2, "vector": [0.5, -0.25, 1.0]}])
    seen[name] = (str(table.schema.field("vector").type.value_type), table.to_arrow()["vector"].to_pylist()[1])
    print(f"first row {first}: the column is {seen[name][0]}, the second vector {seen[name][1]}")
floats = ("float", [0.5, -0.25, 1.0])
expected = {"zeros": ("uint8", [0, 0, 1]), "zeros as floats": floats, "a negative": floats, "a large": floats}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
