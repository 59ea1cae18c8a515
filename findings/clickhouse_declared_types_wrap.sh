#!/usr/bin/env bash
# Expected: a value beyond the declared type of a column is an error, as ClickHouse itself has it for decimals that are too large.
# Seen: integers wrap (300 as Int8 is 44, 2**40 as Int32 is 0, -1 as UInt64 is 2**64-1), doubles and decimals are cut, null becomes 0,
#   a struct member that is not in the file is 0, the text 2020-13-01 is the date 1900-01-01.
# Versions: chdb 4.4.0 (ClickHouse 26.9), pyarrow 26.0.1.
# Why it matters: INSERT ... SELECT FROM file() into an existing table declares these types. The rows arrive, with other values.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check chdb==4.4.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, sys
import chdb, pyarrow as pa, pyarrow.parquet as pq

print("chdb", chdb.__version__, "ClickHouse", chdb.query("SELECT version()", "TSVRaw").bytes().decode().strip(), "pyarrow", pa.__version__)
cases = [
    (pa.array([300], pa.int64()), "Int8", "44"),
    (pa.array([2**40], pa.int64()), "Int32", "0"),
    (pa.array([-1], pa.int64()), "UInt64", str(2**64 - 1)),
    (pa.array([2**63 + 5], pa.uint64()), "Int64", str(-(2**63) + 5)),
    (pa.array([2.5]), "Int64", "2"),
    (pa.array([decimal.Decimal("1.259")], pa.decimal128(10, 3)), "Decimal(10, 2)", "1.25"),
    (pa.array([None], pa.int64()), "Int64", "0"),
    (pa.array([{"a": 5}]), "Tuple(b Int64)", "(0)"),
    (pa.array([[300]], pa.list_(pa.int64())), "Array(Int8)", "[44]"),
    (pa.array(["2020-13-01"]), "Date32", "1900-01-01"),
    (pa.array([decimal.Decimal("1234567890123.25")], pa.decimal128(18, 2)), "Decimal(9, 2)", "error"),
]
changed = []
for number, (values, declared, expected) in enumerate(cases):
    pq.write_table(pa.table({"x": values}), f"{number}.parquet")
    try:
        value = chdb.query(f"SELECT x FROM file('{number}.parquet', Parquet, 'x {declared}')", "TSVRaw").bytes().decode().strip()
    except RuntimeError:
        value = "error"
    print(f"{values.type} {values[0]} declared as {declared}: {value}")
    if value != expected:
        changed.append(f"{values[0]} as {declared} is {value}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
