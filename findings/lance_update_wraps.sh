#!/usr/bin/env bash
# Expected: an update whose result the column does not hold ends with an error.
# Seen: Lance computes in the type of the column: 3 * 100 in int8 is 44, 1 - 2 in uint64 is 18446744073709551615. A literal of 1.7 is stored
#   as 1, 1e300 as inf, a text of 1.50 without quotes as 1.5, and a time is cut to the unit of the column. Only a literal that is too large
#   by itself is refused.
# Versions: pylance 14.0.2, pyarrow 26.0.1.
# Why it matters: counters and amounts are corrected in place by `update`. The rows say nothing, and a filter finds them as other numbers.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pylance==14.0.2 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datetime, sys
from importlib.metadata import version
import lance, pyarrow as pa

print("pylance", version("pylance"), "pyarrow", pa.__version__)
cases = [
    ("x * 100", pa.array([1, 2, 3], pa.int8())), ("x - 2", pa.array([1], pa.uint64())), ("1.7", pa.array([0], pa.int32())),
    ("1e300", pa.array([0.5], pa.float32())), ("1.50", pa.array(["a"])),
    ("timestamp '2026-01-01 00:00:00.0015'", pa.array([0], pa.timestamp("ms"))),
]
seen = []
for number, (expression, values) in enumerate(cases):
    dataset = lance.write_dataset(pa.table({"x": values}), f"{number}.lance")
    dataset.update({"x": expression})
    found = lance.dataset(f"{number}.lance").to_table()["x"].to_pylist()
    print(f"{values.to_pylist()} of {values.type}, x = {expression}: {found}")
    seen.append(found)
expected = [[100, -56, 44], [2**64 - 1], [1], [float("inf")], ["1.5"], [datetime.datetime(2026, 1, 1, 0, 0, 0, 1000)]]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
