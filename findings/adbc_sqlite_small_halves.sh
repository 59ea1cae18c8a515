#!/usr/bin/env bash
# Expected: half floats that ADBC loads into SQLite have their values, and instants of a zone can be told from local times.
# Seen: 0.00005 is stored as 9.6e-39. All 2046 half floats below 0.000061 lose 33 powers of ten. 2026-09-21 16:13 in Berlin is
#   the text 2026-09-21T14:13 without a zone, the same as the local time 14:13.
# Versions: adbc-driver-sqlite 1.13.0, pyarrow 26.0.1.
# Why it matters: weights and probabilities in float16 are often this small. A ratio or a logarithm of them is far off.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  adbc-driver-sqlite==1.13.0 adbc-driver-manager==1.13.0 pyarrow==26.0.1 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import adbc_driver_sqlite.dbapi
import numpy as np, pyarrow as pa

print("adbc-driver-sqlite", version("adbc-driver-sqlite"), "pyarrow", pa.__version__)
every = np.arange(65536, dtype=np.uint16).view(np.float16)
every = every[np.isfinite(every)]
instant = 1_790_000_000_000_000
with adbc_driver_sqlite.dbapi.connect() as connection, connection.cursor() as cursor:
    cursor.adbc_ingest("halves", pa.table({"row": range(len(every)), "x": every}))
    cursor.execute("select x from halves order by row")
    stored = np.array([x for x, in cursor.fetchall()])
    cursor.adbc_ingest("times", pa.table({
        "zoned": pa.array([instant], pa.timestamp("us", "Europe/Berlin")), "local": pa.array([instant], pa.timestamp("us"))}))
    cursor.execute("select zoned, local from times")
    times = cursor.fetchone()
other = np.flatnonzero(stored != every.astype(float))
smallest, largest = every[other][every[other] > 0].min(), every[other].max()
print(f"{len(other)} of {len(every)} half floats are stored as other numbers, from {smallest:.2g} to {largest:.2g}")
example = np.flatnonzero(every == np.float16(0.00005))[0]
print(f"{float(every[example])!r} is {float(stored[example])!r}")
print(f"an instant in Berlin is {times[0]}, the local time is {times[1]}")
seen = (len(other), abs(stored[other] / every[other].astype(float)).max() < 1e-32, times[0] == times[1])
if seen != (2046, True, True):
    sys.exit(f"changed: found {seen}")
PYTHON
