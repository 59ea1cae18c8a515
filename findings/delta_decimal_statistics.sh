#!/usr/bin/env bash
# Expected: a decimal that a Delta table holds is found by its value, and deleted by it.
# Seen: the statistics in the log have decimals as JSON numbers, rounded to a double, and from 2**63 on as 9223372036854775807. Files
#   are skipped by these: delete removes nothing, SQL and Polars find nothing, a read without a filter shows the value.
# Versions: deltalake 1.6.6, polars 2.1.0, pyarrow 26.0.1.
# Why it matters: amounts and 64-bit keys that came in as decimal(20,0) vanish behind filters, and a delete for privacy deletes nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check deltalake==1.6.6 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, json, pathlib, sys
import deltalake, polars as pl, pyarrow as pa
from deltalake import DeltaTable, QueryBuilder, write_deltalake

print("deltalake", deltalake.__version__, "polars", pl.__version__, "pyarrow", pa.__version__)
seen = []
for type, text in [(pa.decimal128(20, 0), "9223372036854775811"), (pa.decimal128(18, 2), "1234567890123456.78")]:
    value = decimal.Decimal(text)
    name = "t" + str(type.scale)
    write_deltalake(name, pa.table({"x": pa.array([value], type)}))
    table = DeltaTable(name)
    log = [json.loads(line) for line in next(pathlib.Path(name, "_delta_log").glob("*.json")).read_text().splitlines()]
    statistics = json.loads(next(entry["add"]["stats"] for entry in log if "add" in entry))
    condition = f"x = CAST('{text}' AS {'DECIMAL'}({type.precision}, {type.scale}))"
    query = QueryBuilder().register("t", table).execute(f"SELECT count(*) AS n FROM t WHERE {condition}")
    found = [
        len(table.to_pyarrow_table()),
        pa.table(query)["n"][0].as_py(),
        pl.scan_delta(name).filter(pl.col("x") == value).collect().height,
    ]
    deleted = table.delete(f"x = {text}")["num_deleted_rows"]
    print(f"{type} {text}: max in the log {statistics['maxValues']['x']}; "
          f"rows in all {found[0]}, SQL {found[1]}, Polars {found[2]}; deleted {deleted}")
    seen.append((*found, deleted))
if seen != [(1, 0, 0, 0), (1, 0, 0, 1)]:
    sys.exit(f"changed: found {seen}")
PYTHON
