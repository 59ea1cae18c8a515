#!/usr/bin/env bash
# Expected: carquet, a reader of Parquet in C, gives decimals as decimals of Arrow, and INT96 as a timestamp, or raises an error.
# Seen: 1.50 is the integer 150 of the type int64, a decimal in bytes is its bytes, INT96 is 12 bytes. The name and the scale of the type are not kept elsewhere.
# Versions: carquet 0.7.2, pyarrow 26.0.1 as the writer.
# Why it matters: amounts are a hundred times larger for whoever sums the column, and no type says so.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check carquet==0.7.2 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, sys
from importlib.metadata import version
import carquet, pyarrow as pa, pyarrow.parquet as pq

print("carquet", version("carquet"), "pyarrow", pa.__version__)
amounts = [decimal.Decimal("1.50"), decimal.Decimal("-2.25")]
rows = pa.table({
    "price": pa.array(amounts, pa.decimal128(9, 2)),
    "total": pa.array(amounts, pa.decimal128(18, 2)),
    "large": pa.array(amounts, pa.decimal128(30, 2)),
    "at": pa.array([0, 1], pa.timestamp("us")),
})
pq.write_table(rows, "f.parquet", store_decimal_as_integer=True, use_deprecated_int96_timestamps=True)
read = carquet.read_table("f.parquet")
found = {name: (str(read[name].type), read[name].to_pylist()[0]) for name in rows.column_names}
for name, (kind, value) in found.items():
    print(f"{name}: {rows[name].type} {rows[name][0]} is read as {kind} {value}")
expected = {"price": ("int32", 150), "total": ("int64", 150)}
if {name: found[name] for name in expected} != expected or not all(
        found[name][0].startswith("fixed_size_binary") for name in ("large", "at")):
    sys.exit(f"changed: found {found}")
PYTHON
