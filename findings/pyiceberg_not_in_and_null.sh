#!/usr/bin/env bash
# Expected: a delete by a condition removes the rows that a scan with this condition returns, for lists of any length.
# Seen: with two values in `x not in (...)` a scan returns the rows whose x is null, with one value it does not. A delete keeps these rows
#   in both cases.
# Versions: pyiceberg 0.12.0, pyarrow 26.0.1.
# Why it matters: rows that are moved by scan, append and delete with the same condition are in both tables afterwards, if the list has
#   two values or more.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check 'pyiceberg[sql-sqlite]==0.12.0' pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import logging, sys
import pyarrow as pa, pyiceberg
from pyiceberg.catalog.sql import SqlCatalog

logging.disable(logging.CRITICAL)
print("pyiceberg", pyiceberg.__version__, "pyarrow", pa.__version__)
catalog = SqlCatalog("c", uri="sqlite:///catalog.db", warehouse="file://" + __import__("os").getcwd())
catalog.create_namespace("n")
rows = pa.table({"x": pa.array(["a", None, "c"])})


def table(name):
    created = catalog.create_table("n." + name, schema=rows.schema)
    created.append(rows)
    return created


def kept_after_delete(name, condition):
    changed = table(name)
    changed.delete(condition)
    return changed.scan().to_arrow()["x"].to_pylist()


scanned = table("scanned")
seen = [
    scanned.scan(row_filter="x not in ('a')").to_arrow()["x"].to_pylist(),
    scanned.scan(row_filter="x not in ('a', 'b')").to_arrow()["x"].to_pylist(),
    kept_after_delete("one", "x not in ('a')"),
    kept_after_delete("two", "x not in ('a', 'b')"),
]
for name, values in zip(["scan, one value", "scan, two values", "left after delete, one value", "left after delete, two values"], seen):
    print(f"{name}: {values}")
if seen != [["c"], [None, "c"], ["a", None], ["a", None]]:
    sys.exit(f"changed: expected ['c'], [None, 'c'], ['a', None], ['a', None], found {seen}")
PYTHON
