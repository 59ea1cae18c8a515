#!/usr/bin/env bash
# Expected: a column of ORC's type smallint or int holds the numbers that fit it; others are refused, or cut when they are written.
# Seen: pyorc writes 70000 into smallint and 2**31 into int without an error and reads them back unchanged, so a test with pyorc passes.
#   pyarrow reads the same file as 4464 and -2147483648. As tinyint 300 becomes 44 at once.
# Versions: pyorc 0.12.0, pyarrow 26.0.1.
# Why it matters: the writer's own check finds nothing, and the reader at the other end has other numbers. Which one is used decides.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyorc==0.12.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import pyarrow as pa, pyarrow.orc, pyorc

print("pyorc", pyorc.__version__, "pyarrow", pa.__version__)
seen = []
for type, value in [("tinyint", 300), ("smallint", 70000), ("int", 2**31)]:
    with open(type + ".orc", "wb") as file, pyorc.Writer(file, f"struct<x:{type}>") as writer:
        writer.write((value,))
    with open(type + ".orc", "rb") as file:
        by_pyorc = next(iter(pyorc.Reader(file)))[0]
    by_pyarrow = pa.orc.read_table(type + ".orc")["x"]
    print(f"{value} in {type}: pyorc reads {by_pyorc}, pyarrow {by_pyarrow[0]} ({by_pyarrow.type})")
    seen.append((by_pyorc, by_pyarrow[0].as_py()))
expected = [(44, 44), (70000, 4464), (2**31, -(2**31))]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
