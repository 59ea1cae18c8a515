#!/usr/bin/env bash
# Expected: a value that does not fit the column of a Delta table is refused, whatever kind of number or text it is.
# Seen: an append of 1.5 to an integer column stores 1, and the text 7 stores 7. Only values beyond the range are refused, and
#   a decimal with more digits than the column.
# Versions: deltalake 1.6.6, pyarrow 26.0.1.
# Why it matters: a source column that turned from integer to double is cut for months before anyone adds up the table again.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check deltalake==1.6.6 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, sys
import deltalake, pyarrow as pa
from deltalake import DeltaTable, write_deltalake

print("deltalake", deltalake.__version__, "pyarrow", pa.__version__)
seen = []
for number, (type, values) in enumerate([
    (pa.int32(), pa.array([1.5])),
    (pa.int32(), pa.array(["7"])),
    (pa.int32(), pa.array([2**40])),
    (pa.float32(), pa.array([1e300])),
    (pa.decimal128(10, 2), pa.array([decimal.Decimal("1.259")])),
]):
    name = f"t{number}"
    write_deltalake(name, pa.table({"x": pa.nulls(1, type)}))
    try:
        write_deltalake(name, pa.table({"x": values}), mode="append")
        stored = str(DeltaTable(name).to_pyarrow_table()["x"].drop_null()[0])
    except Exception as error:
        stored = "refused"
    print(f"{values.type} {values[0]} appended to {type}: {stored}")
    seen.append(stored)
if seen != ["1", "7", "refused", "inf", "refused"]:
    sys.exit(f"changed: found {seen}")
PYTHON
