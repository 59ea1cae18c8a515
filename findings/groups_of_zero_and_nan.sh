#!/usr/bin/env bash
# Expected: rows with the keys 0.0 and -0.0 are one group, since they are equal, and all NaN are one group.
# Seen: the sums of the same five rows are 3, 12, 16 in DuckDB and Polars. DataFusion makes two groups of NaN by their sign. pyarrow and Daft
#   make two of NaN, and two of the zeros. In Daft -0.0 is also less than 0.0: `k = 0.0` does not find it, and `k < 0.0` does.
# Versions: pyarrow 26.0.1, daft 0.7.26, datafusion 55.0.0, duckdb 2.0.1, polars 2.1.0.
# Why it matters: -0.0 comes from rounding, and a NaN with a sign from 0.0/0.0. Totals by a computed key depend on the program.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m venv --without-pip of-daft
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1 duckdb==2.0.1 datafusion==55.0.0 polars==2.1.0
python3 -m pip --python of-daft/bin/python install --quiet --no-compile --disable-pip-version-check daft==0.7.26
cat > groups.py <<'PYTHON'
import math, sys
from importlib.metadata import version
import pyarrow as pa

rows = pa.table({"k": pa.array([0.0, -0.0, math.nan, math.copysign(math.nan, -1), None]), "v": [1, 2, 4, 8, 16]})


def by_pyarrow():
    return rows.group_by("k").aggregate([("v", "sum")])["v_sum"].to_pylist()


def by_daft():
    import daft

    frame = daft.from_arrow(rows)
    equal, less = (frame.where(test).to_pydict()["v"] for test in (daft.col("k") == 0.0, daft.col("k") < 0.0))
    print("daft: k = 0.0 finds", equal, "and k < 0.0 finds", less)
    if (equal, less) != ([1], [2, 8]):
        sys.exit("changed: filters of -0.0 in Daft")
    return frame.groupby("k").sum("v").to_pydict()["v"]


def by_datafusion():
    import datafusion

    context = datafusion.SessionContext()
    context.register_record_batches("rows", [rows.to_batches()])
    return [row["s"] for row in context.sql("SELECT sum(v) AS s FROM rows GROUP BY k").to_pylist()]


def by_duckdb():
    import duckdb

    return [int(row[0]) for row in duckdb.sql("SELECT sum(v) FROM \"rows\" GROUP BY k").fetchall()]


def by_polars():
    import polars

    return polars.from_arrow(rows).group_by("k").agg(polars.col("v").sum())["v"].to_list()


expected = {"pyarrow": [1, 2, 4, 8, 16], "daft": [1, 2, 4, 8, 16], "datafusion": [3, 4, 8, 16], "duckdb": [3, 12, 16], "polars": [3, 12, 16]}
for name in sys.argv[1:]:
    found = sorted(globals()[f"by_{name}"]())
    print(name, version(name), "sums by key:", found)
    if found != expected[name]:
        sys.exit(f"changed: expected {expected[name]}, found {found}")
PYTHON
venv/bin/python groups.py pyarrow datafusion duckdb polars
of-daft/bin/python groups.py daft
