#!/usr/bin/env bash
# Expected: dates of Parquet that do not fit fastparquet's nanoseconds are read in a coarser unit, or raise an error.
# Seen: they wrap. 0001-01-01 is read as 1754-08-30, 9999-12-31 as 1816-03-29, 2500-01-01 as 1915. There is no warning.
# Versions: fastparquet 2026.9.0, pandas 3.1.1, pyarrow 26.0.1 writes.
# Why it matters: 9999-12-31 is the usual mark for "still valid". Comparisons with today then say that the row ended 200 years ago.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datetime, sys
import fastparquet, pandas as pd, pyarrow as pa, pyarrow.parquet as pq

print("fastparquet", fastparquet.__version__, "pandas", pd.__version__, "pyarrow", pa.__version__)
written = [datetime.date(1, 1, 1), datetime.date(2026, 1, 1), datetime.date(2500, 1, 1), datetime.date(9999, 12, 31)]
pq.write_table(pa.table({"x": pa.array(written, pa.date32())}), "x.parquet")
read = [str(value)[:10] for value in fastparquet.ParquetFile("x.parquet").to_pandas()["x"]]
by_pandas = [str(value)[:10] for value in pd.read_parquet("x.parquet", engine="pyarrow")["x"]]
for before, after, other in zip(written, read, by_pandas):
    print(f"{before}: fastparquet {after}, pandas with pyarrow {other}")
expected = ["1754-08-30", "2026-01-01", "1915-06-14", "1816-03-29"]
if read != expected:
    sys.exit(f"changed: expected {expected}, found {read}")
PYTHON
