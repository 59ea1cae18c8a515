#!/usr/bin/env bash
# Expected: `x > 5` and max(x) see a NaN in a Parquet file as the same engine sees it in a table: NaN is the largest number.
# Seen: the writer leaves NaN out of the statistics of [1, NaN, 2]. DuckDB and DataFusion skip the row group by its max of 2 and return
#   no row, and they answer max(x) from the footer with 2. Polars returns the row.
# Versions: pyarrow 26.0.1 writes; duckdb 2.0.1, datafusion 55.0.0, polars 2.1.0 read.
# Why it matters: a table with NaN has fewer rows behind the same filter after it was exported to Parquet. The format allows these statistics.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1 duckdb==2.0.1 datafusion==55.0.0 polars==2.1.0
venv/bin/python - <<'PYTHON'
import sys
import datafusion, duckdb, polars as pl, pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__, "duckdb", duckdb.__version__, "datafusion", datafusion.__version__, "polars", pl.__version__)
table = pa.table({"x": [1.0, float("nan"), 2.0]})
pq.write_table(table, "x.parquet")
duckdb.execute("CREATE TABLE memory_table AS FROM 'x.parquet'")
context = datafusion.SessionContext()
context.from_arrow(table, name="memory_table")
context.register_parquet("file_table", "x.parquet")


def in_datafusion(query):
    return [str(value) for value in context.sql(query).collect()[0].to_pylist()[0].values()]


def in_duckdb(query):
    return [str(value) for value in duckdb.execute(query).fetchone()]


count, largest = "SELECT count(*) FROM {} WHERE x > 5", "SELECT max(x) FROM {}"
seen = {}
for name, run, file in [("duckdb", in_duckdb, "'x.parquet'"), ("datafusion", in_datafusion, "file_table")]:
    seen[name] = [run(query.format(source))[0] for query in (count, largest) for source in ("memory_table", file)]
    print(f"{name}: x > 5 finds {seen[name][0]} row in a table, {seen[name][1]} in the file; max(x) {seen[name][2]} and {seen[name][3]}")
polars = [pl.from_arrow(table).lazy(), pl.scan_parquet("x.parquet")]
seen["polars"] = [frame.filter(pl.col("x") > 5).collect().height for frame in polars]
print(f"polars: x > 5 finds {seen['polars'][0]} row in a frame, {seen['polars'][1]} in the file")
if seen != {"duckdb": ["1", "0", "nan", "2.0"], "datafusion": ["1", "0", "nan", "2.0"], "polars": [1, 1]}:
    sys.exit(f"changed: found {seen}")
PYTHON
