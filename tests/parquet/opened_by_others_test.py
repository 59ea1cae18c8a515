"""Columns of nulls and calendar intervals are written so that other readers open the file."""
import base64
import functools

import pytest
from raw_file import Node, logical, write

from tests import harness
from tests.harness import run

with harness.skip_if_missing():
    import duckdb
    import polars as pl
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("opened")


@functools.cache
def spark():
    return harness.spark_builder().getOrCreate()


def by_datafusion(path):
    datafusion = pytest.importorskip("datafusion")
    return sum(batch.num_rows for batch in datafusion.SessionContext().read_parquet(path).collect())


#: Each returns the number of rows, after it has read all columns.
READERS = {
    "pyarrow": lambda path: pq.read_table(path).num_rows,
    "duckdb": lambda path: len(duckdb.sql(f"FROM '{path}'").fetchall()),
    "polars": lambda path: pl.read_parquet(path).height,
    "spark": lambda path: len(spark().read.parquet(path).collect()),
    "datafusion": by_datafusion,
    "daft": lambda path: len(pytest.importorskip("daft").read_parquet(path).to_pylist()),
}


def write_arrow(path, rows):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, rows.schema) as writer:
        writer.write_table(rows)


def arrow_schema(path):
    text = base64.b64decode(pq.read_metadata(path).metadata[b"ARROW:schema"])
    return pa.ipc.read_schema(pa.py_buffer(text))


def read_arrow(path):
    return pa.ipc.open_file(str(path)).read_all()


def in_shapes(make):
    """A column, and the same leaf in a list and a struct."""
    return [make("flat"),
            Node("optional group", "list", [Node("repeated group", "list", [make("element")])], logical=logical("LIST"), converted="LIST"),
            Node("optional group", "struct", [make("n"), Node("required int32", "i")])]


PHYSICAL = ["boolean", "int32", "int64", "int96", "float", "double", "binary", "fixed"]


@pytest.mark.parametrize("reader", READERS)
def test_nulls(reader):
    """The physical type of nulls in the input does not matter."""
    for physical in PHYSICAL:
        def leaf(name, physical=physical):
            return Node("optional " + physical, name, logical=logical("UNKNOWN"), length=5 if physical == "fixed" else None)

        rows = [{"flat": None, "list": {"list": [{"element": None}]}, "struct": {"n": None, "i": 1}},
                {"flat": None, "list": None, "struct": None}]
        source, out = FOLDER / f"{physical}.parquet", FOLDER / f"{physical}-out.parquet"
        write(str(source), in_shapes(leaf), rows)
        run("convert", source, out, "--overwrite")
        assert READERS[reader](str(out)) == 2, physical
        expected = [{"flat": None, "list": [None], "struct": {"n": None, "i": 1}}, {"flat": None, "list": None, "struct": None}]
        run("convert", out, FOLDER / "back.arrow", "--overwrite")
        assert read_arrow(FOLDER / "back.arrow").to_pylist() == expected


INTERVAL = pa.month_day_nano_interval()
SHAPES = {
    "flat": (INTERVAL, lambda v: v), "list": (pa.list_(INTERVAL), lambda v: [v, None]),
    "struct": (pa.struct([("i", INTERVAL)]), lambda v: {"i": v}), "map": (pa.map_(pa.string(), INTERVAL), lambda v: [("k", v)]),
    "fixed list": (pa.list_(INTERVAL, 2), lambda v: [v, v]),
}


def intervals(shape):
    kind, make = SHAPES[shape]
    values = [pa.MonthDayNano([14, 3, 5_000_000]), None, pa.MonthDayNano([0, 40, 0])]
    return pa.table({"i": pa.array([make(value) for value in values], kind)})


@pytest.mark.parametrize("words", [[], ["--no-annotations"]], ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_intervals(shape, words):
    """arrow-rs opens no file in which ARROW:schema has Arrow's type. pyarrow and DuckDB open either."""
    rows = intervals(shape)
    out = FOLDER / "interval.parquet"
    write_arrow(FOLDER / "interval.arrow", rows)
    run("convert", FOLDER / "interval.arrow", out, "--overwrite", *words)
    if b"ARROW:schema" in (pq.read_metadata(out).metadata or {}):
        assert "month_day_nano" not in str(arrow_schema(out).field("i").type)
    run("convert", out, FOLDER / "back.arrow", "--overwrite")
    back = read_arrow(FOLDER / "back.arrow").column("i")
    assert back.to_pylist() == rows.column("i").to_pylist()
    if not words and shape != "fixed list":
        assert back.type == rows.column("i").type


def test_intervals_are_opened_by_arrow_rs():
    """As days and milliseconds: without the months."""
    datafusion = pytest.importorskip("datafusion")
    write_arrow(FOLDER / "interval.arrow", intervals("flat"))
    run("convert", FOLDER / "interval.arrow", FOLDER / "rs.parquet", "--overwrite")
    context = datafusion.SessionContext()
    context.register_parquet("t", str(FOLDER / "rs.parquet"))
    found = context.sql("SELECT CAST(i AS VARCHAR) AS text FROM t").to_pydict()["text"]
    assert found[0].startswith("3 days") and found[1:] == [None, "40 days"], found


@pytest.mark.parametrize("reader", ["pyarrow", "duckdb"])
def test_intervals_are_opened(reader):
    for shape in SHAPES:
        write_arrow(FOLDER / "interval.arrow", intervals(shape))
        run("convert", FOLDER / "interval.arrow", FOLDER / "opened.parquet", "--overwrite")
        assert READERS[reader](str(FOLDER / "opened.parquet")) == 3, shape
