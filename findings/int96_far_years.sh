#!/usr/bin/env bash
# Expected: the year 3000 in a Parquet file of Spark or Impala (INT96) is the year 3000, or an error, in each reader.
# Seen: pyarrow gives 1830, Polars gives 2262-04-11, DuckDB is right, and ClickHouse raises an error. With the key ARROW:schema, which those
#   writers do not have, Polars is right.
# Versions: pyarrow 26.0.1, polars 2.1.0, duckdb 2.0.1, chdb 4.4.0 (ClickHouse 26.9).
# Why it matters: 9999-12-31 stands for "no end". Filters on it find nothing, or rows of the nineteenth century.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1 polars==2.1.0 duckdb==2.0.1 chdb==4.4.0
venv/bin/python - <<'PYTHON'
import sys
import chdb, duckdb, polars as pl, pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__, "polars", pl.__version__, "duckdb", duckdb.__version__, "chdb", chdb.__version__)
year_3000 = 32_503_680_000
pq.write_table(pa.table({"t": pa.array([year_3000], pa.timestamp("s")).cast(pa.timestamp("us"))}), "f.parquet",
               use_deprecated_int96_timestamps=True, store_schema=False)
found = {
    "pyarrow": str(pq.read_table("f.parquet")["t"].cast(pa.timestamp("s"), safe=False)[0])[:4],
    "polars": pl.read_parquet("f.parquet")["t"].dt.to_string("%Y-%m-%d")[0],
    "duckdb": duckdb.sql("SELECT t::VARCHAR FROM 'f.parquet'").fetchall()[0][0][:4],
}
try:
    found["clickhouse"] = str(chdb.query("SELECT toString(t) FROM file('f.parquet', Parquet)", "TSV"))[:4]
except RuntimeError:
    found["clickhouse"] = "error"
for name, date in found.items():
    print(f"{name}: {date}")
if found != {"pyarrow": "1830", "polars": "2262-04-11", "duckdb": "3000", "clickhouse": "error"}:
    sys.exit(f"changed: found {found}")
PYTHON
