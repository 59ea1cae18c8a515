#!/usr/bin/env bash
# Expected: after a Vortex file has been replaced, a query of the same connection gives the rows of the new file, with a filter or without.
# Seen: without a filter it does. With one, DuckDB's extension compares with the smallest and largest values of the old file, and finds no rows. A new
#   connection of the same process does the same. A new process finds them. Parquet files do not have this.
# Versions: duckdb 1.5.5, duckdb-extension-vortex 1.5.5.
# Why it matters: a service that reads a file which is replaced each day answers with no rows for the new day.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  duckdb==1.5.5 duckdb-extensions==1.5.5 duckdb-extension-vortex==1.5.5
cat >ask.py <<'PYTHON'
import duckdb
from duckdb_extensions import import_extension


def connect():
    connection = duckdb.connect()
    import_extension("vortex", con=connection)
    connection.execute("load vortex")
    return connection


def ask(connection, form):
    return [connection.sql(f"select day from 'days.{form}' {where}").fetchall() for where in ("", "where day >= 20")]
PYTHON
venv/bin/python - <<'PYTHON'
import subprocess, sys
from importlib.metadata import version
import duckdb
from ask import ask, connect

print("duckdb", duckdb.__version__, "duckdb-extension-vortex", version("duckdb-extension-vortex"))
connection = connect()
seen = {}
for form in ("vortex", "parquet"):
    for day in (1, 20):
        connection.execute(f"copy (select {day} as day) to 'days.{form}' (format {form})")
        answers = ask(connection, form)
        print(f"{form} with day {day}: all rows {answers[0]}, day >= 20: {answers[1]}")
    seen[form] = answers
seen["new connection"] = ask(connect(), "vortex")
seen["new process"] = eval(subprocess.run(
    [sys.executable, "-c", "from ask import *; print(ask(connect(), 'vortex'))"], capture_output=True, text=True, check=True).stdout)
print(f"a new connection: {seen['new connection']}, a new process: {seen['new process']}")
right, wrong = [[(20,)], [(20,)]], [[(20,)], []]
expected = {"vortex": wrong, "parquet": right, "new connection": wrong, "new process": right}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
