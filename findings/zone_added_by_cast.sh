#!/usr/bin/env bash
# Expected: a cast of a timestamp without a zone to one with the zone Europe/Berlin gives one instant, in every implementation of Arrow.
# Seen: pyarrow and Polars take the stored time as UTC, arro3 and DataFusion's SQL take it as the time in Berlin. DataFusion takes it as
#   UTC if the zone comes from the schema that the file was registered with. The instants differ by one or two hours.
# Versions: pyarrow 26.0.1, polars 2.1.0, arro3-core 0.9.1, datafusion 55.0.0.
# Why it matters: the zone is added in many pipelines when a table gets a stricter schema. The tool that adds it decides about the instant.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1 polars==2.1.0 arro3-core==0.9.1 datafusion==55.0.0
venv/bin/python - <<'PYTHON'
import datetime, sys
from importlib.metadata import version
import datafusion, polars as pl, pyarrow as pa, pyarrow.parquet as pq
from arro3.core import Array

print("pyarrow", pa.__version__, "polars", pl.__version__, "arro3-core", version("arro3-core"), "datafusion", datafusion.__version__)
table = pa.table({"x": pa.array([datetime.datetime(2026, 7, 1, 12)], pa.timestamp("us"))})
berlin = pa.timestamp("us", tz="Europe/Berlin")
pq.write_table(table, "local.parquet")
context = datafusion.SessionContext()
context.register_parquet("local", "local.parquet")
context.register_parquet("zoned", "local.parquet", schema=pa.schema([("x", berlin)]))
sql = """SELECT arrow_cast(x, 'Timestamp(us, "Europe/Berlin")') AS x FROM local"""
found = {
    "pyarrow cast": table["x"].cast(berlin)[0],
    "polars cast": pl.from_arrow(table).select(pl.col("x").cast(pl.Datetime("us", "Europe/Berlin"))).to_arrow()["x"][0],
    "arro3 cast": pa.array(Array.from_arrow(table["x"].chunk(0)).cast(berlin))[0],
    "DataFusion, SQL": context.sql(sql).collect()[0][0][0],
    "DataFusion, declared schema": context.sql("SELECT x FROM zoned").collect()[0][0][0],
}
hours = []
for name, scalar in found.items():
    instant = datetime.datetime.fromtimestamp(scalar.value / 1e6, datetime.timezone.utc)
    hours.append(instant.hour)
    print(f"12:00 of 2026-07-01, {name}: {scalar.type}, {instant:%H:%M} UTC")
if hours != [12, 12, 10, 10, 12]:
    sys.exit(f"changed: expected 12, 12, 10, 10, 12 o'clock UTC, found {hours}")
PYTHON
