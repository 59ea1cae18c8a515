#!/usr/bin/env bash
# Expected: text that comes from Arrow as string views or as a dictionary is text in a frame, as in pyarrow, Polars and DuckDB.
# Seen: Daft makes Python objects of it. `to_arrow` gives binary with pickled objects, and `write_parquet` stores the same bytes. So it does with
#   times of a second or a millisecond. Fixed types such as int64 and strings with offsets are kept.
# Versions: daft 0.7.26, pyarrow of its choice.
# Why it matters: Polars and DuckDB give string views, and categories are dictionaries. The file looks right until somebody reads the text.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check daft==0.7.26
venv/bin/python - <<'PYTHON'
import datetime, pickle, sys
from importlib.metadata import version
import daft, pyarrow as pa
import pyarrow.parquet as pq

print("daft", version("daft"), "pyarrow", pa.__version__)
columns = {
    "string": pa.array(["a", "b"]), "string view": pa.array(["a", "b"], pa.string_view()),
    "dictionary": pa.array(["a", "b"]).dictionary_encode(), "time in ms": pa.array([datetime.time(1), datetime.time(2)], pa.time32("ms")),
}
seen = {}
for name, values in columns.items():
    frame = daft.from_arrow(pa.table({"x": values}))
    found = frame.to_arrow().column("x").to_pylist()
    stored = pq.read_table(frame.write_parquet(name.replace(" ", "-")).to_pydict()["path"][0]).column("x").to_pylist()
    pickled = [isinstance(value, bytes) and pickle.loads(value) for value in found] == values.to_pylist()
    seen[name] = ("pickled" if pickled else "kept" if found == values.to_pylist() else "changed", stored == found)
    print(f"{name}: {seen[name][0]}, the Parquet file has {stored}")
expected = {"string": ("kept", True), "string view": ("pickled", True), "dictionary": ("pickled", True), "time in ms": ("pickled", True)}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
