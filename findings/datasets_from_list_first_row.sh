#!/usr/bin/env bash
# Expected: a dataset made of a list of rows has a column for each key of the rows, as pyarrow, Polars and DuckDB make it, or is refused.
# Seen: `Dataset.from_list` takes the keys of the first row. A value under a key that only later rows have is left out without a word, and
#   a later row without a key has null. A generator of the same rows fails.
# Versions: datasets 5.2.0, pyarrow 26.0.1.
# Why it matters: rows of JSON lines or of a table with weak schema often leave out what is null. If the first one does, the column is gone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check datasets==5.2.0 pyarrow==26.0.1
HF_HUB_OFFLINE=1 HF_HOME="$folder/home" venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import datasets, pyarrow as pa

print("datasets", version("datasets"), "pyarrow", pa.__version__)
datasets.disable_progress_bars()
rows = [{"id": 1}, {"id": 2, "price": 12.5}, {"price": 7.0}]
found = datasets.Dataset.from_list(rows).to_list()
print("from_list:", found)


def generate():
    yield from rows


try:
    by_generator = datasets.Dataset.from_generator(generate, cache_dir="cache").to_list()
except Exception as error:
    by_generator = type(error).__name__
print("from_generator:", by_generator)
expected = [{"id": 1}, {"id": 2}, {"id": None}]
if found != expected:
    sys.exit(f"changed: expected {expected}, found {found}")
PYTHON
