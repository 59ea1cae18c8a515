#!/usr/bin/env bash
# Expected: the values of a column by which a Delta table is partitioned are those of its log, wherever its files are.
# Seen: Polars takes them from the names of folders (`day=1/`). For files in other folders, each value is null, and a filter by the column
#   finds no row; no error. If the folder has another value than the log, that value is shown. deltalake reads the values of the log.
# Versions: polars 2.1.0, deltalake 1.6.6, pyarrow 26.0.1.
# Why it matters: Delta's protocol gives folders no meaning. Tables with random prefixes, shallow clones and tables whose files were
#   added by a commit of their own have such files: a filter by day is empty, and a group by day has one group.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check polars==2.1.0 deltalake==1.6.6 pyarrow==26.0.1
venv/bin/python - <<'PYTHON' || exit 1
import json, os, sys
import deltalake, polars as pl, pyarrow as pa, pyarrow.parquet as pq
from deltalake import DeltaTable

print("polars", pl.__version__, "deltalake", deltalake.__version__)
fields = [{"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in (("day", "integer"), ("price", "long"))]
metadata = {"id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9", "format": {"provider": "parquet", "options": {}}, "partitionColumns": ["day"],
            "schemaString": json.dumps({"type": "struct", "fields": fields}), "configuration": {}, "createdTime": 0}


def table(name, folders):
    """Makes a table of two days, 1 and 2, each with a file in a folder of its own."""
    os.makedirs(f"{name}/_delta_log")
    actions = [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}, {"metaData": metadata}]
    for day, place in enumerate(folders, 1):
        os.makedirs(f"{name}/{place}", exist_ok=True)
        path = f"{place}/part.parquet"
        pq.write_table(pa.table({"price": pa.array([day * 10], pa.int64())}), f"{name}/{path}")
        actions.append({"add": {"path": path, "partitionValues": {"day": str(day)}, "size": os.stat(f"{name}/{path}").st_size,
                                "modificationTime": 0, "dataChange": True}})
    with open(f"{name}/_delta_log/00000000000000000000.json", "w") as log:
        for action in actions:
            print(json.dumps(action), file=log)


seen = []
for name, folders in {"named": ("day=1", "day=2"), "random": ("aX", "qT"), "other": ("day=7", "day=8")}.items():
    table(name, folders)
    by_log = sorted(DeltaTable(name).to_pyarrow_table()["day"].to_pylist())
    by_polars = sorted(pl.read_delta(name)["day"].to_list(), key=str)
    found = pl.scan_delta(name).filter(pl.col("day") == 1).collect().height
    print(f"{name}: deltalake {by_log}, polars {by_polars}, rows of day 1: {found}")
    seen.append((by_log, by_polars, found))
expected = [([1, 2], [1, 2], 1), ([1, 2], [None, None], 0), ([1, 2], [7, 8], 0)]
if seen != expected:
    print(f"changed: expected {expected}, found {seen}")
sys.stdout.flush()
os._exit(seen != expected)  # without the ends of threads, which pyarrow and deltalake sometimes get in the wrong order
PYTHON
