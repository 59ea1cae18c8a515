"""A column with NaN has no smallest and largest values: readers that order NaN after all numbers would skip its rows.

Footers and pages are read by `footer.py`, and the readers that trust statistics query the rows.
"""
import functools
import math
import struct

import pytest
from footer import Thrift, read_footer

from tests import harness
from tests.harness import run

with harness.skip_if_missing():
    import duckdb
    import polars as pl
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq
harness.use_module()
import xwalk  # noqa: E402

FOLDER = harness.make_folder("nan")
NAN, INF = math.nan, math.inf
ROWS = 300
#: Values of a column by name. Each is repeated, so that pages have a dictionary.
VALUES = {
    "none": [1.0, 2.0, -3.5], "one": [1.0, NAN, 2.0], "all": [NAN, NAN, NAN], "zero": [-0.0, NAN, 0.0],
    "zeros": [-0.0, 0.0, -0.0], "infinite": [-INF, NAN, INF], "nulls": [None, NAN, 2.0], "null": [None, None, None],
    "null and numbers": [None, 1.0, 2.0],
}
FORMATS = {pa.float64(): "<d", pa.float32(): "<f", pa.float16(): "<e"}
#: A value of a column around a number, by the shape of the column.
SHAPES = {
    "flat": (lambda t: t, lambda v: v),
    "list": (pa.list_, lambda v: [v, 1.0] if v is None or v != 1 else []),
    "struct": (lambda t: pa.struct([("i", pa.int32()), ("x", t)]), lambda v: None if v == 1 else {"i": 7, "x": v}),
    "map": (lambda t: pa.map_(pa.string(), t), lambda v: [("a", v), ("b", 3.0)]),
    "deep": (lambda t: pa.list_(pa.struct([("x", pa.list_(t))])), lambda v: [None, {"x": [v]}, {"x": None}]),
}


def leaves(value):
    """The numbers of a value, without nulls."""
    if isinstance(value, float):
        return [value]
    if isinstance(value, dict):
        return leaves(value["x"])
    if isinstance(value, tuple):
        return leaves(value[1])
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else []


def chunk_facts(path):
    """Facts of the chunks of floating-point leaves by row group: NaNs, bounds, whether there is a column index, and statistics in pages."""
    footer, data = read_footer(path), path.read_bytes()
    out = []
    for group in footer[4]:
        for chunk in group[1]:
            meta = chunk[3]
            statistics = meta.get(12, {})
            pages = False
            at = meta.get(11, meta[9])
            while at < meta.get(11, meta[9]) + meta[7]:
                page = Thrift(memoryview(data)[at:])
                header = page.struct()
                pages = pages or 5 in header.get(5, {}) or 8 in header.get(8, {})
                at += page.at + header[3]
            out.append({"path": b".".join(meta[3]).decode(), "type": meta[1], "nans": statistics.get(9), "pages": pages,
                        "bounds": [statistics[id] for id in (1, 2, 5, 6) if id in statistics], "index": 6 in chunk})
    return out


def is_float(chunk, names):
    return chunk["path"].split(".")[0] in names and not chunk["path"].endswith((".i", ".key"))


def table(type, shape="flat", only=None):
    """A table with a column for each of VALUES; the first hundred rows are numbers alone."""
    make_type, make = SHAPES[shape]
    columns = {}
    for name in only or VALUES:
        values = [1.5] * 100 + [VALUES[name][at % 3] for at in range(ROWS - 100)]
        columns[name] = pa.array([make(value) for value in values], make_type(type))
    return pa.table(columns)


def check_statistics(path, rows, format="<d"):
    """Compares each chunk with what its values say."""
    found = [chunk for chunk in chunk_facts(path) if is_float(chunk, rows.column_names)]
    lengths = [group[3] for group in read_footer(path)[4]]
    assert len(found) == len(lengths) * rows.num_columns
    bounded = {name: not any(map(math.isnan, leaves(rows.column(name).to_pylist()))) for name in rows.column_names}
    start = 0
    for number, length in enumerate(lengths):
        for at, name in enumerate(rows.column_names):
            values = leaves(rows.column(name)[start:start + length].to_pylist())
            chunk = found[number * rows.num_columns + at]
            numbers = [value for value in values if not math.isnan(value)]
            nans = len(values) - len(numbers)
            where = f"{path.name}: {chunk['path']} of row group {number}: {chunk}"
            assert chunk["nans"] == nans, where
            assert not chunk["pages"], where
            assert bool(chunk["bounds"]) == (bounded[name] and bool(numbers)), where
            assert not (nans and chunk["index"]), where
            if chunk["bounds"]:
                low, high = min(numbers), max(numbers)
                expected = {struct.pack(format, low or -0.0), struct.pack(format, high or 0.0)}
                assert set(chunk["bounds"]) == expected, where
        start += length


def write_arrow(path, rows):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, rows.schema) as writer:
        writer.write_table(rows)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("type", FORMATS, ids=str)
def test_chunks(type, shape):
    rows = table(type, shape)
    write_arrow(FOLDER / "in.arrow", rows)
    for words in ([], ["--row-group-rows", "100"]):
        out = FOLDER / "out.parquet"
        run("convert", FOLDER / "in.arrow", out, "--overwrite", *words)
        check_statistics(out, rows, FORMATS[type])
        found = pq.read_table(out)
        assert repr(found.to_pylist()) == repr(rows.to_pylist())
        assert pq.ParquetFile(out).metadata.metadata.keys() == {b"ARROW:schema"}


def test_bytes_of_nulls_are_no_numbers():
    """Other tools leave NaN in the place of a null."""
    nans = pa.py_buffer(struct.pack("<3d", NAN, 1, NAN))
    values = pa.Array.from_buffers(pa.float64(), 3, [pa.py_buffer(b"\x02"), nans])
    column = pa.StructArray.from_arrays([pa.array([NAN, 2.0, NAN])], ["x"], mask=pa.array([True, False, True]))
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), pa.array([NAN, 2.0, NAN]),
                                     mask=pa.array([True, False, True]))
    rows = pa.table({"flat": values, "struct": column, "list": lists})
    write_arrow(FOLDER / "nulls.arrow", rows)
    run("convert", FOLDER / "nulls.arrow", FOLDER / "nulls.parquet", "--overwrite")
    for chunk in chunk_facts(FOLDER / "nulls.parquet"):
        assert chunk["nans"] == 0 and chunk["bounds"], chunk


# ---- every way to write

FLAT = ["none", "one", "nulls", "all"]


def sources():
    rows = table(pa.float64(), only=FLAT)
    write_arrow(FOLDER / "source.arrow", rows)
    pq.write_table(rows, FOLDER / "source.parquet", row_group_size=70)
    yield from ("source.arrow", "source.parquet")
    for name in ("source.yson", "source.skiff", "source.lance", "source.vortex"):
        run("convert", FOLDER / "source.arrow", FOLDER / name, "--overwrite")
        yield name


def program(name):
    run("convert", FOLDER / name, FOLDER / "way.parquet", "--overwrite")
    return FOLDER / "way.parquet"


def test_formats():
    rows = table(pa.float64(), only=FLAT)
    for name in sources():
        check_statistics(program(name), rows)


def test_append_and_partitions():
    rows = table(pa.float64(), only=FLAT)
    write_arrow(FOLDER / "more.arrow", rows)
    out = FOLDER / "appended"
    for at in range(2):
        run("convert", FOLDER / "more.arrow", f"{out}/", "--to", "parquet", *(["--mode", "append"] if at else []))
    files = sorted(out.glob("**/*.parquet"))
    assert len(files) == 2
    for file in files:
        check_statistics(file, rows)
    days = rows.append_column("day", pa.array([at // 100 for at in range(ROWS)], pa.int32()))
    write_arrow(FOLDER / "days.arrow", days)
    run("convert", FOLDER / "days.arrow", f"{FOLDER}/days/", "--to", "parquet", "--partition-by", "day")
    for day in range(3):
        file, = (FOLDER / "days" / f"day={day}").glob("*.parquet")
        check_statistics(file, rows.slice(day * 100, 100))


def test_python():
    rows = table(pa.float64(), only=FLAT)
    out = FOLDER / "python.parquet"
    for given in (rows, pl.from_arrow(rows), rows.to_batches(50)):
        given = pa.Table.from_batches(given) if isinstance(given, list) else given
        xwalk.convert(given, out, mode="overwrite")
        check_statistics(out, rows)


@pytest.mark.parametrize("nan", [1.0, NAN], ids=str)
def test_all_chunks_have_an_index_or_none(nan):
    """Some readers take the indexes of all chunks as one piece."""
    rows = pa.table({"i": list(range(300)), "x": [1.0, 2.0, 3.0] * 100, "s": ["a", "b", "c"] * 100, "y": [1.0] * 150 + [nan] * 150,
                     "z": [2.0] * 300})
    pq.write_table(rows, FOLDER / "indexed.parquet", write_page_index=True)
    run("convert", FOLDER / "indexed.parquet", FOLDER / "index.parquet", "--overwrite", "--row-group-rows", "100")
    chunks = [chunk for group in read_footer(FOLDER / "index.parquet")[4] for chunk in group[1]]
    # Fields 4 and 5 are the places of pages, 6 and 7 what they hold.
    expected = {4, 5} if math.isnan(nan) else {4, 5, 6, 7}
    assert [{4, 5, 6, 7} & chunk.keys() for chunk in chunks] == [expected] * 15
    assert pq.read_table(FOLDER / "index.parquet")["y"].to_pylist()[:150] == [1.0] * 150


# ---- readers

CONDITIONS = ["x > 5", "x >= 2", "x < 0", "x = 0", "x <= 1", "isnan(x)"]


def by_duckdb(path):
    return lambda condition: duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE {condition}").fetchall()[0][0]


def by_polars(path):
    x = pl.col("x")
    asked = {"x > 5": x > 5, "x >= 2": x >= 2, "x < 0": x < 0, "x = 0": x == 0, "x <= 1": x <= 1, "isnan(x)": x.is_nan()}
    return lambda condition: pl.scan_parquet(path).filter(asked[condition]).collect().height


def by_polars_texts(path):
    return lambda _: pl.scan_parquet(path).filter(pl.col("x") > "y").collect().height


def by_datafusion(path):
    datafusion = pytest.importorskip("datafusion")
    context = datafusion.SessionContext()
    context.register_parquet("t", str(path))
    return lambda condition: context.sql(f"SELECT count(*) AS n FROM t WHERE {condition}").to_pydict()["n"][0]


def by_daft(path):
    daft = pytest.importorskip("daft")
    x = daft.col("x")
    asked = {"x > 5": x > 5, "x >= 2": x >= 2, "x < 0": x < 0, "x = 0": x == 0, "x <= 1": x <= 1, "isnan(x)": x.is_nan()}
    return lambda condition: len(daft.read_parquet(str(path)).where(asked[condition]).to_pydict()["x"])


@functools.cache
def spark():
    return harness.spark_builder().getOrCreate()


def by_spark(path):
    return lambda condition: spark().read.parquet(str(path)).where(condition).count()


@pytest.mark.parametrize("reader", [by_duckdb, by_polars, by_datafusion, by_daft, by_spark], ids=lambda reader: reader.__name__[3:])
def test_queries(reader):
    """Each query finds the rows that it finds in a file without statistics."""
    found = set()
    slow = reader is by_spark
    for type in (pa.float64(),) if slow else (pa.float64(), pa.float32()):
        for name, values in VALUES.items():
            if slow and name not in ("one", "zero"):
                continue
            rows = pa.table({"x": pa.array([1.5] * 100 + values * 30, type)})
            write_arrow(FOLDER / "query.arrow", rows)
            pq.write_table(rows, FOLDER / "plain.parquet", write_statistics=False)
            count = reader(FOLDER / "plain.parquet")
            expected = {condition: count(condition) for condition in CONDITIONS}
            found |= {condition for condition in CONDITIONS if expected[condition]}
            for size in ("100",) if slow else ("1000", "100"):
                out = FOLDER / f"{type}-{name.replace(' ', '-')}-{size}.parquet"
                run("convert", FOLDER / "query.arrow", out, "--overwrite", "--row-group-rows", size)
                count = reader(out)
                assert {condition: count(condition) for condition in CONDITIONS} == expected, f"{name}, {type}, {size} rows"
    # The two shapes that a slow reader queries have no negative numbers.
    assert found == set(CONDITIONS) - ({"x < 0"} if slow else set())


@pytest.mark.parametrize("reader", [by_duckdb, by_polars_texts, by_datafusion, by_spark], ids=lambda reader: reader.__name__[3:])
def test_values_too_long_for_statistics(reader):
    """The bounds of the other row groups are not those of the file."""
    write_arrow(FOLDER / "long.arrow", pa.table({"x": ["a"] * 100 + ["z" * 5000] * 2}))
    run("convert", FOLDER / "long.arrow", FOLDER / "long.parquet", "--overwrite", "--row-group-rows", "100")
    assert [chunk["bounds"] for chunk in chunk_facts(FOLDER / "long.parquet")] == [[], []]
    assert reader(FOLDER / "long.parquet")("x > 'y'") == 2


def test_ieee_order():
    """A column of that order keeps its bounds, because its readers consult the number of NaNs."""
    rows = pa.table({"x": pa.array([1.5] * 100 + [1.0, NAN, 2.0] * 30), "i": list(range(190))})
    write_arrow(FOLDER / "order.arrow", rows)
    (FOLDER / "order.schema").write_text("message m { optional double x columnorder(IEEE_754_TOTAL_ORDER); optional int64 i; }")
    out = FOLDER / "order.parquet"
    run("convert", FOLDER / "order.arrow", out, "--overwrite", "--row-group-rows", "100", "--to-schema", FOLDER / "order.schema")
    assert [list(order) for order in read_footer(out)[7]] == [[2], [1]]
    found = [chunk for chunk in chunk_facts(out) if chunk["path"] == "x"]
    assert [chunk["nans"] for chunk in found] == [0, 30]
    assert all(chunk["bounds"] and not chunk["index"] for chunk in found)
    for reader in (by_duckdb, by_polars):
        assert reader(out)("x > 5") == 30
