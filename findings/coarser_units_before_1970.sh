#!/usr/bin/env bash
# Expected: a cast of a time to seconds drops the part of the second, as it does today: 23:59:59.999999 becomes 23:59:59.
# Seen: before 1970 it depends on the library. polars, pandas and numpy give 1969-12-31 23:59:59. pyarrow, DataFusion, Daft and
#   Lance's `alter_columns` cut towards 1970 and give 1970-01-01 00:00:00, another day. Their functions that round down
#   (`floor_temporal`, `date_trunc`) give 23:59:59, and casts to a date 1969-12-31.
# Versions: pyarrow 26.0.1, datafusion 55.0.0, pylance 14.0.2, polars 2.1.0, pandas 3.1.1, numpy 2.4.6, daft 0.7.26.
# Why it matters: dates of birth and old measurements. A day computed before the cast differs from the day of the cast value.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m venv --without-pip of-daft
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1 datafusion==55.0.0 pylance==14.0.2 polars==2.1.0 pandas==3.1.1 numpy==2.4.6
python3 -m pip --python of-daft/bin/python install --quiet --no-compile --disable-pip-version-check daft==0.7.26
cat > cast.py <<'PYTHON'
import sys
from importlib.metadata import version
import pyarrow as pa

# 1969-12-31 23:59:59.999999 and 23:59:58.499999, and as far after 1970.
times = pa.array([-1, -1_500_001, 1_500_001], pa.timestamp("us"))


def numbers(column):
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column.cast(pa.int64()).to_pylist()


def by_pyarrow():
    return numbers(times.cast(pa.timestamp("s"), safe=False))


def by_datafusion():
    import datafusion

    context = datafusion.SessionContext()
    context.register_record_batches("t", [pa.table({"x": times}).to_batches()])
    return [row["s"] for row in context.sql("SELECT CAST(arrow_cast(x, 'Timestamp(Second, None)') AS bigint) AS s FROM t").to_pylist()]


def by_pylance():
    import lance

    dataset = lance.write_dataset(pa.table({"x": times}), "times.lance")
    dataset.alter_columns({"path": "x", "data_type": pa.timestamp("s")})
    return numbers(lance.dataset("times.lance").to_table()["x"])


def by_polars():
    import polars

    return [number // 1000 for number in polars.Series(times).dt.cast_time_unit("ms").cast(polars.Int64).to_list()]


def by_pandas():
    return pa.table({"x": times}).to_pandas()["x"].astype("datetime64[s]").astype("int64").tolist()


def by_numpy():
    return times.to_numpy(zero_copy_only=False).astype("datetime64[s]").astype("int64").tolist()


def by_daft():
    import daft

    seconds = daft.col("x").cast(daft.DataType.timestamp("s")).cast(daft.DataType.int64())
    return daft.from_arrow(pa.table({"x": times})).select(seconds).to_pydict()["x"]


down = ("polars", "pandas", "numpy")
for name in sys.argv[1:]:
    found = globals()[f"by_{name}"]()
    print(name, version(name), "seconds since 1970:", found)
    if found != ([-1, -2, 1] if name in down else [0, -1, 1]):
        sys.exit(f"changed: {name} gives {found}")
PYTHON
LANCE_LOG=error venv/bin/python cast.py pyarrow datafusion pylance polars pandas numpy
of-daft/bin/python cast.py daft
