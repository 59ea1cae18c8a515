#!/usr/bin/env bash
# Expected: instants of the unit seconds are stored in Parquet as instants of milliseconds, which is its coarsest unit, as pyarrow does.
# Seen: DataFusion and arro3 store them as integers without an annotation, and Date64 and times in seconds likewise. DuckDB and pyarrow read numbers,
#   Polars and DataFusion read instants, from the Arrow schema in the footer.
# Versions: datafusion 55.0.0, arro3-io 0.9.1, duckdb 2.0.1, polars 2.1.0, pyarrow 26.0.1.
# Why it matters: one file has dates for one half of its readers and numbers for the other. Cast to an instant of microseconds, such a
#   number of 2026 becomes a time in January 1970.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  datafusion==55.0.0 arro3-io==0.9.1 arro3-core==0.9.1 duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import arro3.io, datafusion, duckdb, polars as pl, pyarrow as pa, pyarrow.parquet as pq

print(*(f"{name} {version(name)}" for name in ("datafusion", "arro3-io", "duckdb", "polars", "pyarrow")))
table = pa.table({
    "at": pa.array([1_790_000_000], pa.timestamp("s")), "day": pa.array([86_400_000], pa.date64()), "time": pa.array([3600], pa.time32("s"))})
context = datafusion.SessionContext()
context.register_record_batches("t", [table.to_batches()])
context.sql("copy (select * from t) to 'datafusion.parquet' stored as parquet").collect()
arro3.io.write_parquet(table, "arro3.parquet")
pq.write_table(table, "pyarrow.parquet")
seen = {}
for writer in ("datafusion", "arro3", "pyarrow"):
    file = f"{writer}.parquet"
    context.register_parquet(writer, file)
    types = {
        "duckdb": [str(kind) for kind in duckdb.read_parquet(file).types],
        "pyarrow": [str(kind) for kind in pq.read_table(file).schema.types],
        "polars": [str(kind) for kind in pl.read_parquet(file).dtypes],
        "datafusion": [str(kind) for kind in context.table(writer).schema().types],
    }
    values = duckdb.read_parquet(file).fetchall()[0]
    print(f"written by {writer}: {types}, in DuckDB {values}")
    seen[writer] = [reader for reader, found in types.items() if "int64" in found or "BIGINT" in found]
expected = {"datafusion": ["duckdb", "pyarrow"], "arro3": ["duckdb", "pyarrow"], "pyarrow": []}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
