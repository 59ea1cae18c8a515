#!/usr/bin/env bash
# Expected: nanoarrow's Python objects of a decimal column have the column's values.
# Seen: negative values come out positive: -1.25 is 3.4e36 as decimal128 and 1.2e75 as decimal256. The bytes are read without a sign.
#   The Arrow array that nanoarrow holds is right: pyarrow reads the same one back as -1.25.
# Versions: nanoarrow 0.9.0, pyarrow 26.0.1.
# Why it matters: nanoarrow is the small way to look at Arrow data in Python. Refunds and losses become enormous sums.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check nanoarrow==0.9.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, sys
import nanoarrow as na, pyarrow as pa

print("nanoarrow", na.__version__, "pyarrow", pa.__version__)
changed = []
for type, modulus in [(pa.decimal128(9, 2), 2**128), (pa.decimal256(50, 2), 2**256)]:
    array = na.Array(pa.array([decimal.Decimal("1.25"), decimal.Decimal("-1.25")], type))
    values, back = array.to_pylist(), pa.array(array).to_pylist()
    print(f"{type} 1.25 and -1.25: nanoarrow {values}, pyarrow of the same array {back}")
    wrong = decimal.Decimal(modulus - 125).scaleb(-2)
    if values[0] != decimal.Decimal("1.25") or values[1] < 0 or abs(values[1] / wrong - 1) > decimal.Decimal("1e-9"):
        changed.append(f"{type} -1.25 is {values[1]}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
