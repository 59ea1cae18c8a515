#!/usr/bin/env bash
# Expected: `x not in (1, 5)` gives the same rows of a Vortex file as of the table that was written to it. Null is in neither.
# Seen: DuckDB's extension also gives the rows whose x is null, and `x not in (1, null)`, which is never true, gives all but 1. `x <> 1 and x <> 5`
#   is right. So are the other conditions with null. Without `not`, `in` is right.
# Versions: duckdb 1.5.5, duckdb-extension-vortex 1.5.5.
# Why it matters: a condition that excludes rows brings in others as soon as the data is in Vortex instead of Parquet.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  duckdb==1.5.5 duckdb-extensions==1.5.5 duckdb-extension-vortex==1.5.5
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import duckdb
from duckdb_extensions import import_extension

print("duckdb", duckdb.__version__, "duckdb-extension-vortex", version("duckdb-extension-vortex"))
connection = duckdb.connect()
import_extension("vortex", con=connection)
connection.execute("load vortex")
connection.execute("create table t as from (values (1, 'a'), (2, null), (null, 'b'), (3, 'c')) v(x, s)")
connection.execute("copy t to 't.vortex' (format vortex)")
connection.execute("copy t to 't.parquet'")
seen = {}
for condition in ("x not in (1, 5)", "not (x in (1, 5))", "x not in (1, null)", "s not in ('a')", "x <> 1 and x <> 5", "not (x > 1)", "x in (1, 2)"):
    rows = [connection.sql(f"select x from {source} where {condition}").fetchall() for source in ("t", "'t.parquet'", "'t.vortex'")]
    values = [[x for x, in found] for found in rows]
    print(f"{condition}: table {values[0]}, Parquet {values[1]}, Vortex {values[2]}")
    seen[condition] = (values[0] == values[1], len(values[2]) - len(values[0]))
expected = dict.fromkeys(seen, (True, 0)) | {
    "x not in (1, 5)": (True, 1), "not (x in (1, 5))": (True, 1), "x not in (1, null)": (True, 3), "s not in ('a')": (True, 1)}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
