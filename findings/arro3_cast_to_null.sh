#!/usr/bin/env bash
# Expected: a cast that cannot keep a value raises an error, as pyarrow's does. Struct members are matched in one way.
# Seen: arro3's cast turns every such value into null: 300 as int8, x7 as int64, a decimal that is too large, the year 3000 in nanoseconds,
#   a list of three as a list of two. There is no option against it. Members of a struct are matched by name, but if no name fits, by position.
# Versions: arro3-core 0.9.1, pyarrow 26.0.1.
# Why it matters: arro3 is used where pyarrow is too large. A pipeline that changes to it keeps its results except for these nulls.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check arro3-core==0.9.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datetime, decimal, sys
from importlib.metadata import version
import pyarrow as pa
from arro3.core import Array

print("arro3-core", version("arro3-core"), "pyarrow", pa.__version__)


def cast(values, type):
    try:
        by_pyarrow = str(values.cast(type)[0])
    except pa.ArrowInvalid:
        by_pyarrow = "error"
    return by_pyarrow, pa.array(Array.from_arrow(values).cast(type)).to_pylist()[0]


struct = pa.array([{"a": 1, "b": 2}], pa.struct([("a", pa.int64()), ("b", pa.int64())]))
cases = [
    (pa.array([300]), pa.int8(), "error", None),
    (pa.array(["x7"]), pa.int64(), "error", None),
    (pa.array([decimal.Decimal("1234567890123.25")]), pa.decimal128(9, 2), "error", None),
    (pa.array([datetime.datetime(3000, 1, 1)], pa.timestamp("us")), pa.timestamp("ns"), "error", None),
    (pa.array([[1, 2, 3]]), pa.list_(pa.int64(), 2), "error", None),
    (struct, pa.struct([("b", pa.int64()), ("a", pa.int64())]), "[('b', 2), ('a', 1)]", {"b": 2, "a": 1}),
    (struct, pa.struct([("y", pa.int64()), ("z", pa.int64())]), "[('y', None), ('z', None)]", {"y": 1, "z": 2}),
]
changed = []
for values, type, in_pyarrow, in_arro3 in cases:
    found = cast(values, type)
    print(f"{values[0]} as {type}: pyarrow {found[0]}, arro3 {found[1]}")
    if found != (in_pyarrow, in_arro3):
        changed.append(f"{values[0]} as {type} is {found}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
