#!/usr/bin/env bash
# Expected: a map with a key twice is read with both pairs, as it is stored, or is an error.
# Seen: Polars and fastparquet keep the last value. Polars puts it in the place of the first pair. pyarrow gives all pairs. DuckDB gives all
#   pairs to Arrow, and to Python raises an error.
# Versions: polars 2.1.0, fastparquet 2026.9.0, pandas 3.1.1, duckdb 2.0.1, pyarrow 26.0.1 as the writer.
# Why it matters: headers, tags and attributes repeat keys. Counts of pairs differ between two readers of one file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check polars==2.1.0 fastparquet==2026.9.0 pandas==3.1.1 duckdb==2.0.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys, warnings
import duckdb, fastparquet, polars as pl, pyarrow as pa, pyarrow.parquet as pq

warnings.simplefilter("ignore")
print("polars", pl.__version__, "fastparquet", fastparquet.__version__, "duckdb", duckdb.__version__, "pyarrow", pa.__version__)
pairs = [("a", 1), ("b", 2), ("a", 3)]
pq.write_table(pa.table({"m": pa.array([pairs], pa.map_(pa.string(), pa.int64()))}), "f.parquet")
by_fastparquet = fastparquet.ParquetFile("f.parquet").to_pandas()["m"][0]
found = {
    "pyarrow": pq.read_table("f.parquet")["m"].to_pylist()[0],
    "duckdb": duckdb.sql("FROM 'f.parquet'").to_arrow_table()["m"].to_pylist()[0],
    "polars": [tuple(pair.values()) if isinstance(pair, dict) else tuple(pair)
               for pair in pl.read_parquet("f.parquet").to_arrow()["m"].to_pylist()[0]],
    "fastparquet": [(key, int(value)) for key, value in by_fastparquet.items()],
}
try:
    found["duckdb in Python"] = duckdb.sql("FROM 'f.parquet'").fetchall()[0][0]
except duckdb.InvalidInputException:
    found["duckdb in Python"] = "error"
for name, rows in found.items():
    print(f"{name}: {rows}")
last = [("a", 3), ("b", 2)]
if found != {"pyarrow": pairs, "duckdb": pairs, "polars": last, "fastparquet": last, "duckdb in Python": "error"}:
    sys.exit(f"changed: found {found}")
PYTHON
