#!/usr/bin/env bash
# Expected: `nanoarrow.Array(part).to_pylist()` of a slice has its rows.
# Seen: decimals, binary of a fixed size, half floats and intervals come from the start of the whole array, and all of its rows do: a slice of
#   three rows gives five. Integers, booleans, text and lists are right.
# Versions: nanoarrow 0.9.0, pyarrow 26.0.1.
# Why it matters: a batch of a larger table is a slice. Rows put together column by column, as with zip, get the amounts of others.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check nanoarrow==0.9.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, sys
import nanoarrow, pyarrow as pa

print("nanoarrow", nanoarrow.__version__, "pyarrow", pa.__version__)
whole = {
    "decimal": pa.array([decimal.Decimal(n) for n in range(5)], pa.decimal128(9, 2)),
    "fixed size": pa.array([bytes([n]) * 2 for n in range(5)], pa.binary(2)),
    "half": pa.array([float(n) for n in range(5)], pa.float16()),
    "interval": pa.array([(n, 0, 0) for n in range(5)], pa.month_day_nano_interval()),
    "int64": pa.array(range(5)),
    "text": pa.array([str(n) for n in range(5)]),
}
seen = {}
for name, array in whole.items():
    part, all_rows = (nanoarrow.Array(given).to_pylist() for given in (array.slice(2), array))
    seen[name] = "all rows" if part == all_rows else "the slice" if part == all_rows[2:] else "others"
    print(f"{name}: {len(part)} rows of a slice of 3, {seen[name]}")
expected = dict.fromkeys(["decimal", "fixed size", "half", "interval"], "all rows") | dict.fromkeys(["int64", "text"], "the slice")
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
