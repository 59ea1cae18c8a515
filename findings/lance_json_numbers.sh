#!/usr/bin/env bash
# Expected: JSON text in a column of the type arrow.json comes back with its numbers, as from Parquet and Vortex.
# Seen: Lance parses it. 1e400 becomes null. Integers beyond 64 bits and numbers of more than 17 digits are rounded to doubles, 1.50 is 1.5, -0 is 0,
#   and keys are sorted. A repeated key raises an error.
# Versions: pylance 14.0.2, pyarrow 26.0.1.
# Why it matters: amounts and ids of 20 or more digits are another number, and a check of signatures or hashes of the text fails.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pylance==14.0.2 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import lance, pyarrow as pa, pyarrow.parquet as pq

print("pylance", lance.__version__, "pyarrow", pa.__version__)
expected = {
    '{"value":1e400}': '{"value":null}',
    '{"id":12345678901234567890123}': '{"id":1.2345678901234568e+22}',
    '{"amount":1234567890123456.789}': '{"amount":1234567890123456.8}',
    '{"b":1.50,"a":-0}': '{"a":0,"b":1.5}',
    '[18446744073709551615]': '[18446744073709551615]',
}
table = pa.table({"json": pa.array(list(expected), pa.json_())})
lance.write_dataset(table, "table.lance")
pq.write_table(table, "table.parquet")
seen = dict(zip(expected, lance.dataset("table.lance").to_table()["json"].to_pylist()))
for text, found in seen.items():
    print(f"{text}: {found}")
if pq.read_table("table.parquet") != table:
    sys.exit("changed: Parquet has other texts")
if seen != expected:
    sys.exit(f"changed: found {seen}")
PYTHON
