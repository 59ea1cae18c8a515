#!/usr/bin/env bash
# Expected: an interval of 14 months in a Parquet file is read as 14 months, or refused.
# Seen: DataFusion and arro3 read it as nothing, because they take Parquet's months, days and milliseconds for days and milliseconds. A
#   date plus that interval is the same date. Of 1 month and 2 days the 2 days are left.
# Versions: duckdb 2.0.1 as the writer, datafusion 55.0.0, arro3-io 0.9.1, pyarrow 26.0.1.
# Why it matters: terms of contracts and subscriptions are months. DuckDB and Spark's files have them, and due dates computed elsewhere are
#   too early without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  datafusion==55.0.0 arro3-io==0.9.1 arro3-core==0.9.1 duckdb==2.0.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import arro3.io, datafusion, duckdb, pyarrow as pa

print(*(f"{name} {version(name)}" for name in ("datafusion", "arro3-io", "duckdb", "pyarrow")))
duckdb.sql("copy (from (values (1, interval '14 months'), (2, interval '1 month 2 days')) v(id, term)) to 'terms.parquet'")
context = datafusion.SessionContext()
context.register_parquet("terms", "terms.parquet")
due = "select cast(timestamp '2026-01-01' + term as date) as due from {} order by id"
days = {
    "duckdb": [str(day) for day, in duckdb.sql(due.format("'terms.parquet'")).fetchall()],
    "datafusion": [str(day) for day in context.sql(due.format("terms")).to_pydict()["due"]],
}
kind = pa.schema(arro3.io.read_parquet("terms.parquet").schema).field("term").type
print(f"due dates: {days}, the type for arro3: {kind}")
expected = {"duckdb": ["2027-03-01", "2026-02-03"], "datafusion": ["2026-01-01", "2026-01-03"]}
if days != expected or str(kind) != "day_time_interval":
    sys.exit(f"changed: expected {expected}, found {days}, {kind}")
PYTHON
