#!/usr/bin/env bash
# Expected: a join of ids finds equal ids, whatever the integer types of the two columns; or types that differ are refused.
# Seen: Daft and pandas compare uint64 with int64 as doubles: 9007199254740993 is joined with 9007199254740992 too, and the key of the result
#   is the rounded number. DuckDB, DataFusion and Polars give one row, the right one. pyarrow refuses, and pandas with types of Arrow.
# Versions: daft 0.7.26, pandas 3.1.1, duckdb 2.0.1, datafusion 55.0.0, polars 2.1.0.
# Why it matters: YTsaurus and hashes have uint64, most other systems int64. A join of the two adds rows of another id.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m venv --without-pip of-daft
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pandas==3.1.1 duckdb==2.0.1 datafusion==55.0.0 polars==2.1.0 pyarrow==26.0.1
python3 -m pip --python of-daft/bin/python install --quiet --no-compile --disable-pip-version-check daft==0.7.26
cat > join.py <<'PYTHON'
import sys
import pyarrow as pa

left = pa.table({"id": pa.array([2**53 + 1, 7], pa.uint64()), "a": [1, 2]})
right = pa.table({"id": pa.array([2**53, 7, 2**53 + 1], pa.int64()), "b": [10, 20, 30]})


def pairs(rows):
    return sorted([int(row["a"]), int(row["b"])] for row in rows)


def by_daft():
    import daft

    joined = daft.from_arrow(left).join(daft.from_arrow(right), on="id")
    return pairs(joined.to_arrow().to_pylist())


def by_pandas():
    return pairs(left.to_pandas().merge(right.to_pandas(), on="id").to_dict("records"))


def by_duckdb():
    import duckdb

    return pairs({"a": a, "b": b} for a, b in duckdb.sql("SELECT a, b FROM \"left\" JOIN \"right\" USING (id)").fetchall())


def by_datafusion():
    import datafusion

    context = datafusion.SessionContext()
    context.register_record_batches("l", [left.to_batches()])
    context.register_record_batches("r", [right.to_batches()])
    return pairs(context.sql("SELECT a, b FROM l JOIN r ON l.id = r.id").to_pylist())


def by_polars():
    import polars

    return pairs(polars.from_arrow(left).join(polars.from_arrow(right), on="id").to_dicts())


from importlib.metadata import version

expected = {"daft": [[1, 10], [1, 30], [2, 20]], "pandas": [[1, 10], [1, 30], [2, 20]]}
for name in sys.argv[1:]:
    found = globals()[f"by_{name}"]()
    print(name, version(name), "joins", found)
    if found != expected.get(name, [[1, 30], [2, 20]]):
        sys.exit(f"changed: {name} joins {found}")
PYTHON
venv/bin/python join.py pandas duckdb datafusion polars
of-daft/bin/python join.py daft
