#!/usr/bin/env bash
# Expected: a date that ClickHouse writes to ORC is read by others as the same date, or the query fails.
# Seen: the type Date counts days in 16 bits without a sign; the ORC file has them with a sign. From 2059-09-19 on dates move by 179 years.
#   UInt8, UInt16, UInt32 and UInt64 lose their upper half in the same way, Decimal256 becomes bytes. In Parquet all of these are right.
# Versions: chdb 4.4.0 (ClickHouse 26.9), pyarrow 26.0.1 and pyorc 0.12.0 read.
# Why it matters: end dates such as 2099-12-31 are common in real tables. Exports to ORC for Hive or Spark have 1920 instead.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check chdb==4.4.0 pyarrow==26.0.1 pyorc==0.12.0
venv/bin/python - <<'PYTHON'
import io, sys
import chdb, pyarrow as pa, pyarrow.orc, pyarrow.parquet, pyorc

print("chdb", chdb.__version__, "ClickHouse", chdb.query("SELECT version()", "TSVRaw").bytes().decode().strip(),
      "pyarrow", pa.__version__, "pyorc", pyorc.__version__)
cases = [
    ("toDate('2059-09-18')", "2059-09-18", "2059-09-18"),
    ("toDate('2099-12-31')", "2099-12-31", "1920-07-27"),
    ("toDate32('2099-12-31')", "2099-12-31", "2099-12-31"),
    ("toUInt8(200)", "200", "-56"),
    ("toUInt32(4294967295)", "4294967295", "-1"),
    ("CAST('b', 'Enum8(\\'a\\' = 1, \\'b\\' = 5)')", "b'b'", "5"),
]
changed = []
for expression, in_parquet, in_orc in cases:
    orc = chdb.query(f"SELECT {expression} AS x", "ORC").bytes()
    parquet = chdb.query(f"SELECT {expression} AS x", "Parquet").bytes()
    read = (str(pa.parquet.read_table(io.BytesIO(parquet))["x"][0]), str(pa.orc.read_table(io.BytesIO(orc))["x"][0]),
            str(next(iter(pyorc.Reader(io.BytesIO(orc))))[0]))
    print(f"{expression}: Parquet {read[0]}, ORC {read[1]} (pyarrow), {read[2]} (pyorc)")
    if read != (in_parquet, in_orc, in_orc):
        changed.append(f"{expression} is {read}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
