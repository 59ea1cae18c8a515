#!/usr/bin/env bash
# Expected: upload_parquet of YTsaurus's bindings makes columns of the types timestamp, date and utf8 of Parquet's, or raises an error.
# Seen: the table has int64 for instants, in whatever unit the file had, so one moment is a thousand times larger from a file in microseconds. Dates
#   are int32, and text is bytes (string, not utf8).
# Versions: ytsaurus-yson 0.4.10, pyarrow 26.0.1 as the writer.
# Why it matters: two files of one table are uploaded, one by pandas and one by Spark, and their times cannot be told apart.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check ytsaurus-yson==0.4.10 ytsaurus-client==0.13.55 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import pyarrow as pa, pyarrow.parquet as pq
import yt.yson as yson
import yt_yson_bindings as bindings

print("ytsaurus-yson", version("ytsaurus-yson"), "pyarrow", pa.__version__)
rows = pa.table({
    "milliseconds": pa.array([1_700_000_000_000], pa.timestamp("ms", "UTC")),
    "microseconds": pa.array([1_700_000_000_000_000], pa.timestamp("us", "UTC")),
    "day": pa.array([19_000], pa.date32()),
    "clock": pa.array([1000], pa.time32("ms")),
    "text": ["x"],
})
pq.write_table(rows, "f.parquet")
uploaded = bindings.upload_parquet("f.parquet", 65536)
found = {str(column["name"]): str(column["type"]) for column in yson.loads(uploaded.get_schema())}
for name, kind in found.items():
    print(f"{name}: {rows[name].type} {rows[name][0]} is uploaded as {kind}")
if found != {"milliseconds": "int64", "microseconds": "int64", "day": "int32", "clock": "int32", "text": "string"}:
    sys.exit(f"changed: found {found}")
PYTHON
