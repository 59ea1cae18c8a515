#!/usr/bin/env bash
# Expected: timestamps that pyorc writes come back as written, as those of pyarrow do.
# Seen: times in the last second before 1970-01-01 move by one second: 23:59:59.5 becomes 00:00:00.5 of the next day, for every reader.
#   Whole seconds, and fractions in any other second before 1970, are right. Files of pyarrow are right, and pyorc reads those right.
# Versions: pyorc 0.12.0, pyarrow 26.0.1.
# Why it matters: "end of the day before the epoch" is a usual default for an unknown date, with .999999 as its fraction.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyorc==0.12.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datetime, sys
import pyarrow as pa, pyarrow.orc, pyorc

print("pyorc", pyorc.__version__, "pyarrow", pa.__version__)
utc = datetime.timezone.utc
written = [
    datetime.datetime(1969, 12, 31, 23, 59, 58, 500000, utc),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 0, utc),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 500000, utc),
    datetime.datetime(1970, 1, 1, 0, 0, 0, 500000, utc),
]
with open("pyorc.orc", "wb") as file, pyorc.Writer(file, "struct<x:timestamp>") as writer:
    writer.writerows([(value,) for value in written])
pa.orc.write_table(pa.table({"x": pa.array([value.replace(tzinfo=None) for value in written], pa.timestamp("us"))}), "pyarrow.orc")


def read(name):
    with open(name, "rb") as file:
        by_pyorc = [str(row[0].astimezone(utc).replace(tzinfo=None)) for row in pyorc.Reader(file)]
    return by_pyorc, [str(value) for value in pa.orc.read_table(name)["x"].cast(pa.timestamp("us")).to_pylist()]


seen = {name: read(name) for name in ("pyorc.orc", "pyarrow.orc")}
right = [str(value.replace(tzinfo=None)) for value in written]
for row, text in enumerate(right):
    print(f"{text}: written by pyorc {seen['pyorc.orc'][0][row]} (pyorc), {seen['pyorc.orc'][1][row]} (pyarrow); "
          f"written by pyarrow {seen['pyarrow.orc'][0][row]} (pyorc)")
moved = right[:2] + ["1970-01-01 00:00:00.500000"] + right[3:]
if seen != {"pyorc.orc": (moved, moved), "pyarrow.orc": (right, right)}:
    sys.exit(f"changed: found {seen}")
PYTHON
