#!/usr/bin/env bash
# Expected: the sum of a column of integers that DuckDB copies to Parquet is the number that it shows.
# Seen: it is a double. The sum of an integer column is a HUGEINT, and COPY stores that type as a double, so 9007199254740995 becomes
#   9007199254740996. Through Arrow the sum is exact, but a UHUGEINT of 2**128 - 1 is -1 there.
# Versions: duckdb 2.0.1, pyarrow 26.0.1.
# Why it matters: totals in cents, counts of bytes and checksums made of ids are stored as other numbers, and differ from what the query shows.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check duckdb==2.0.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import duckdb, pyarrow as pa, pyarrow.parquet as pq

print("duckdb", duckdb.__version__, "pyarrow", pa.__version__)
total = "select sum(bytes) as total, sum(bytes)::bigint as cast_total from (values (9007199254740993), (2)) v(bytes)"
duckdb.sql(f"copy ({total}) to 'total.parquet'")
shown = duckdb.sql(total).fetchall()[0]
stored = pq.read_table("total.parquet")
through_arrow = duckdb.sql(total).to_arrow_table()
greatest = duckdb.sql(f"select {2**128 - 1}::uhugeint as x").to_arrow_table()
seen = {
    "shown": shown,
    "in Parquet": tuple(int(column[0].as_py()) for column in stored.columns),
    "types": [str(kind) for kind in stored.schema.types],
    "through Arrow": tuple(int(column[0].as_py()) for column in through_arrow.columns),
    "greatest": int(greatest["x"][0].as_py()),
}
for name, values in seen.items():
    print(f"{name}: {values}")
exact = (9007199254740995, 9007199254740995)
expected = {"shown": exact, "in Parquet": (9007199254740996, exact[1]), "types": ["double", "int64"], "through Arrow": exact, "greatest": -1}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
