#!/usr/bin/env bash
# Expected: a binary or text column by which a Delta table is partitioned has the values that were written, whatever reads it.
# Seen: b"a" comes back as the six bytes \u0061, because the log's escaped form is not read back. Empty text is null in `to_pyarrow_table`, and
#   empty in SQL of the same package and in Polars: `delete("key is null")` leaves a row whose key is shown as null. Other columns are right.
# Versions: deltalake 1.6.6, polars 2.1.0, pyarrow 26.0.1.
# Why it matters: a hash or a short code as the partition key matches nothing in a join. "No region" and "region unknown" become one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check \
  deltalake==1.6.6 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import os, sys
import deltalake, polars as pl, pyarrow as pa

print("deltalake", deltalake.__version__, "polars", pl.__version__, "pyarrow", pa.__version__)
keys = {"bytes": pa.array([b"a", b"\xff", b"", None]), "text": pa.array(["a", "x=1/2", "", None])}
seen = {}
for name, values in keys.items():
    deltalake.write_deltalake(name, pa.table({"key": values, "kept": values, "row": range(4)}), partition_by=["key"])
    table = deltalake.DeltaTable(name)
    found = table.to_pyarrow_table().sort_by("row")
    by_sql = pa.table(deltalake.QueryBuilder().register("t", table).execute("select key from t order by row").read_all())
    seen[name] = found["key"].to_pylist(), by_sql["key"].to_pylist()
    print(f"{name}: written {values.to_pylist()}, read {seen[name][0]}, by SQL {seen[name][1]}")
    if found["kept"].to_pylist() != values.to_pylist():
        sys.exit(f"changed: the other column gives {found['kept'].to_pylist()}")
seen["polars"] = pl.read_delta("text").sort("row")["key"].to_list()
table.delete("key is null")
seen["left"] = table.to_pyarrow_table().sort_by("row")["key"].to_pylist()
print(f"text by Polars: {seen['polars']}. After the rows with null are deleted: {seen['left']}")
escaped = [rb"\u0061", rb"\u00FF"]
expected = {
    "bytes": ([*escaped, None, None], [*escaped, b"", None]), "text": (["a", "x=1/2", None, None], ["a", "x=1/2", "", None]),
    "polars": ["a", "x=1/2", "", None], "left": ["a", "x=1/2", None]}
if seen != expected:
    print(f"changed: expected {expected}, found {seen}")
sys.stdout.flush()
os._exit(seen != expected)  # without the ends of threads, which pyarrow and deltalake sometimes get in the wrong order
PYTHON
