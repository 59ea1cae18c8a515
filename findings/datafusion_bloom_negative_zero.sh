#!/usr/bin/env bash
# Expected: a filter on a Parquet file returns the rows that the same filter returns on the same table in memory.
# Seen: DataFusion skips the row group, since the Bloom filter has the bytes of -0.0 and not those of 0.0. DuckDB finds the row.
#   Without any file, `x IN (list)` finds the row with two values in the list and loses it with ten.
# Versions: datafusion 55.0.0, pyarrow 26.0.1 (writes the filter), duckdb 2.0.1.
# Why it matters: whoever turns on Bloom filters for faster lookups loses rows that the old file returned. Nothing is reported.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check datafusion==55.0.0 pyarrow==26.0.1 duckdb==2.0.1
venv/bin/python - <<'PYTHON'
import sys
import datafusion, duckdb, pyarrow as pa, pyarrow.parquet as pq

print("datafusion", datafusion.__version__, "pyarrow", pa.__version__, "duckdb", duckdb.__version__)
table = pa.table({"x": pa.array([-0.0, 7.5], pa.float64())})
pq.write_table(table, "plain.parquet")
pq.write_table(table, "bloom.parquet", bloom_filter_options={"x": True})


def count(condition, file=None):
    context = datafusion.SessionContext()
    if file:
        context.register_parquet("t", file)
    else:
        context.from_arrow(table, name="t")
    return context.sql(f"SELECT count(*) FROM t WHERE {condition}").collect()[0][0][0].as_py()


ten = "x IN (0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9)"
seen = {
    "memory, x = 0.0": count("x = 0.0"),
    "file, x = 0.0": count("x = 0.0", "plain.parquet"),
    "file with Bloom filter, x = 0.0": count("x = 0.0", "bloom.parquet"),
    "duckdb, file with Bloom filter": duckdb.execute("SELECT count(*) FROM 'bloom.parquet' WHERE x = 0.0").fetchone()[0],
    "memory, x IN (two values)": count("x IN (0.0, 1.0)"),
    "memory, x IN (ten values)": count(ten),
}
for name, rows in seen.items():
    print(f"{name}: {rows} rows")
if list(seen.values()) != [1, 1, 0, 1, 1, 0]:
    sys.exit("changed: expected 1, 1, 0, 1, 1, 0 rows, found " + ", ".join(map(str, seen.values())))
PYTHON
