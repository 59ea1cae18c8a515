#!/usr/bin/env bash
# Expected: a pandas column of dates in seconds (datetime64[s]) is stored as the same dates by fastparquet, like one in milliseconds.
# Seen: others read 2026-01-01 as 1970-01-01 00:29, and fastparquet's own reader raises an error. The column is declared in milliseconds, and the
#   stored number is a thousandth of the seconds instead of a thousand times the seconds.
# Versions: fastparquet 2026.9.0, pandas 3.1.1, pyarrow 26.0.1 and duckdb 2.0.1 read.
# Why it matters: pandas has had this unit since version 2, and numpy's dates convert to it. All dates are wrong, and none is null.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1 duckdb==2.0.1
venv/bin/python - <<'PYTHON'
import sys
import duckdb, fastparquet, numpy as np, pandas as pd, pyarrow.parquet as pq, pyarrow as pa

print("fastparquet", fastparquet.__version__, "pandas", pd.__version__, "pyarrow", pa.__version__, "duckdb", duckdb.__version__)
seen = []
for unit in ("s", "ms", "us", "ns"):
    frame = pd.DataFrame({"x": np.array(["2026-01-01"], dtype=f"datetime64[{unit}]")})
    fastparquet.write("x.parquet", frame)
    dates = {
        "pyarrow": str(pq.read_table("x.parquet")["x"].cast(pa.date32())[0]),
        "duckdb": str(duckdb.execute("SELECT x::DATE FROM 'x.parquet'").fetchone()[0]),
    }
    try:
        dates["fastparquet"] = str(fastparquet.ParquetFile("x.parquet").to_pandas()["x"][0])[:10]
    except ValueError:
        dates["fastparquet"] = "error"
    print(f"{frame['x'].dtype} 2026-01-01:", ", ".join(f"{reader} {date}" for reader, date in dates.items()))
    seen.append(set(dates.values()))
if seen != [{"1970-01-01", "error"}, {"2026-01-01"}, {"2026-01-01"}, {"2026-01-01"}]:
    sys.exit(f"changed: found {seen}")
PYTHON
