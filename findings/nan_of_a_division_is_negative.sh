#!/usr/bin/env bash
# Expected: a NaN is greater than every number or not comparable, whichever operation made it: `x < 0` does not find it.
# Seen: on x86 the processor makes NaN of 0.0/0.0 and inf-inf with the sign bit set, and NumPy stores it so. Lance, Vortex and DataFusion take
#   it as less than every number: `x < 0` finds the row, `x > 0` and `x = NaN` do not, DataFusion counts two distinct NaN. DuckDB and Polars
#   find it by `x > 0`, pyarrow by neither. `nan` as Python and text parsers make it has no sign, and Lance finds that by `x > 0`.
# Versions: pylance 14.0.2, vortex-data 0.93.0, datafusion 55.0.0, duckdb 2.0.1, polars 2.1.0, pyarrow 26.0.1.
# Why it matters: a rule such as `loss < 0` deletes or moves rows by how their NaN was made, and each program takes others.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pylance==14.0.2 vortex-data==0.93.0 datafusion==55.0.0 duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1 numpy
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import datafusion, duckdb, lance, numpy as np, polars as pl, pyarrow as pa, pyarrow.compute as pc, vortex, vortex.expr as ve

print(*(f"{name} {version(name)}" for name in ("pylance", "vortex-data", "datafusion", "duckdb", "polars", "pyarrow")))
with np.errstate(invalid="ignore"):
    print("0.0/0.0 has its sign bit set on this processor:", bool(np.signbit(np.zeros(1) / np.zeros(1))[0]))
# The same bits on every processor.
division = np.array([0xFFF8000000000000], np.uint64).view(np.float64)
table = pa.table({"row": ["0/0", "nan", "1", "-1"], "x": pa.array(np.concatenate([division, [np.nan, 1.0, -1.0]]))})
dataset = lance.write_dataset(table, "x.lance")
vortex.io.write(table, "x.vortex")
file = vortex.open("x.vortex")
context = datafusion.SessionContext()
context.register_record_batches("x", [table.to_batches()])
frame = pl.from_arrow(table)


def rows(condition):
    above = condition == "x > 0"
    return {
        "Lance": dataset.to_table(filter=condition)["row"].to_pylist(),
        "Vortex": file.to_arrow(expr=ve.column("x") > 0.0 if above else ve.column("x") < 0.0).read_all()["row"].to_pylist(),
        "DataFusion": [row for batch in context.sql(f'SELECT "row" FROM x WHERE {condition}').collect() for row in batch[0].to_pylist()],
        "DuckDB": [row for row, in duckdb.sql(f'SELECT "row" FROM frame WHERE {condition}').fetchall()],
        "Polars": frame.filter(pl.col("x") > 0 if above else pl.col("x") < 0)["row"].to_list(),
        "pyarrow": table.filter(pc.field("x") > 0 if above else pc.field("x") < 0)["row"].to_pylist(),
    }


less, greater = rows("x < 0"), rows("x > 0")
for name in less:
    print(f"{name}: x < 0 finds {less[name]}, x > 0 finds {greater[name]}")
distinct = context.sql("SELECT count(DISTINCT x) FROM x").collect()[0][0][0].as_py()
print("DataFusion: distinct values", distinct)
signed, whole, none = (["0/0", "-1"], ["nan", "1"]), (["-1"], ["0/0", "nan", "1"]), (["-1"], ["1"])
expected = {"Lance": signed, "Vortex": signed, "DataFusion": signed, "DuckDB": whole, "Polars": whole, "pyarrow": none}
found = {name: (less[name], greater[name]) for name in less}
if found != expected or distinct != 4:
    sys.exit(f"changed: expected {expected} and 4 distinct values, found {found} and {distinct}")
PYTHON
