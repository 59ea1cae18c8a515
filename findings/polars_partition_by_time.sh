#!/usr/bin/env bash
# Expected: a table written with `partition_by` has all of its rows, or the write fails.
# Seen: rows whose times differ by less than a second are lost. Polars names the folder of a time by its whole second, so two keys get one file,
#   and one overwrites the other. Sometimes the file is a mixture that cannot be read. Null and the text `__HIVE_DEFAULT_PARTITION__` collide in
#   the same way. Timestamps keep their fractions.
# Versions: polars 2.1.0.
# Why it matters: the write ends without an error. Only a count of the rows shows the loss.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check polars==2.1.0
venv/bin/python - <<'PYTHON'
import datetime, pathlib, sys
import polars as pl

print("polars", pl.__version__)
noon = datetime.time(12)
keys = {
    "time": [noon, noon.replace(microsecond=100_000), noon.replace(microsecond=200_000), noon.replace(second=1)],
    "timestamp": [datetime.datetime.combine(datetime.date(2026, 1, 1), time) for time in (noon, noon.replace(microsecond=1))],
    "text": [None, "__HIVE_DEFAULT_PARTITION__", ""],
}


def rows_of(file):
    try:
        return pl.read_parquet(file, hive_partitioning=False)["row"].to_list()
    except pl.exceptions.PolarsError:
        return []


seen = {}
for name, values in keys.items():
    pl.DataFrame({"key": values, "row": range(len(values))}).write_parquet(name, partition_by="key")
    files = sorted(pathlib.Path(name).rglob("*.parquet"))
    rows = sorted(row for file in files for row in rows_of(file))
    seen[name] = (len(files), len(rows) < len(values))
    print(f"{name}: {len(values)} rows and keys, {len(files)} files with rows {rows}: {[file.parent.name for file in files]}")
expected = {"time": (2, True), "timestamp": (2, False), "text": (2, True)}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
