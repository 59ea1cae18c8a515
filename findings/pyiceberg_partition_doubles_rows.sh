#!/usr/bin/env bash
# Expected: an append of two rows to an Iceberg table adds two rows.
# Seen: it adds four. The table is partitioned by a double with the values -0.0 and 0.0: pyiceberg finds two partitions, and the
#   filter of each returns both rows. With a NaN the append raises ZeroDivisionError.
# Versions: pyiceberg 0.12.0 (pyiceberg-core 0.11.0), pyarrow 26.0.1.
# Why it matters: rows are doubled without an error when a table with a float key is moved to Iceberg. The counts of the append look right.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check 'pyiceberg[sql-sqlite]==0.12.0' pyiceberg-core==0.11.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import logging, sys
import pyarrow as pa, pyiceberg
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.transforms import IdentityTransform

logging.disable(logging.CRITICAL)
print("pyiceberg", pyiceberg.__version__, "pyarrow", pa.__version__)
catalog = SqlCatalog("c", uri="sqlite:///catalog.db", warehouse="file://" + __import__("os").getcwd())
catalog.create_namespace("n")


def appended(name, values):
    rows = pa.table({"i": pa.array(range(len(values)), pa.int64()), "x": pa.array(values, pa.float64())})
    table = catalog.create_table("n." + name, schema=rows.schema)
    with table.update_spec() as update:
        update.add_field("x", IdentityTransform(), "x_part")
    table.append(rows)
    return sorted(table.scan().to_arrow()["i"].to_pylist())


zeros = appended("zeros", [-0.0, 0.0])
others = appended("others", [-0.0, 1.0])
print("rows appended [0, 1] with x -0.0 and 0.0, rows read", zeros)
print("rows appended [0, 1] with x -0.0 and 1.0, rows read", others)
if zeros != [0, 0, 1, 1] or others != [0, 1]:
    sys.exit(f"changed: expected [0, 0, 1, 1] and [0, 1], found {zeros} and {others}")
PYTHON
