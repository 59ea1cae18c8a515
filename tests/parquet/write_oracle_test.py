"""Parquet files written with a given message: the footer's schema is read by a Thrift reader of its
own, the values by pyarrow, DuckDB and Polars."""

import contextlib
import decimal
import math
import os
import sys

import pytest

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tests" / "io"))
from oracle import *  # noqa: E402
from footer import read_footer, read_schema

D = decimal.Decimal
decimal.getcontext().prec = 100


def write(message, table, **options):
    """Writes a table with a message; returns the finished process."""
    with open(path("message"), "w") as file:
        file.write(message)
    pq.write_table(table, path("in.parquet"))
    return try_copy(path("in.parquet"), path("out.parquet"), message=path("message"), **options)


def written(name, message, table, schema=None, reader=None, **options):
    """Writes; compares the footer's schema with the lines given; returns what pyarrow, or another
    reader, reads."""
    done = write(message, table, **options)
    check(f"{name}: written", done.returncode == 0, done.stderr)
    if schema is not None:
        found = read_schema(path("out.parquet"))
        check(f"{name}: schema", found == schema, f"\nexpected {schema}\nfound    {found}")
    return (reader or pq.read_table)(path("out.parquet"))


def read_ourselves(name):
    copy(name, path("ours.arrow"))
    return read_ipc(path("ours.arrow"))


def check_values(name, table, column, expected):
    found = table.column(column).to_pylist()
    check(f"{name}: values", same_value(found, expected), f"\nexpected {expected}\nfound    {found}")


# ---- lists, in every form that the format knows

LISTS = [[1, 2], [], None, [3]]
LIST_FORMS = {
    "three levels": ("optional group l (LIST) { repeated group list { required int32 element; } }",
                     ["optional group l LIST/LIST", "  repeated group list",
                      "    required int32 element"]),
    "other names": ("optional group l (LIST) { repeated group bag { optional int32 item; } }",
                    ["optional group l LIST/LIST", "  repeated group bag", "    optional int32 item"]),
    "two levels": ("optional group l (LIST) { repeated int32 element; }",
                   ["optional group l LIST/LIST", "  repeated int32 element"]),
}


@pytest.mark.parametrize("name", LIST_FORMS)
def test_list_forms(name):
    message, schema = LIST_FORMS[name]
    table = pa.table({"l": pa.array(LISTS, pa.list_(pa.int32()))})
    found = written(name, f"message m {{ {message} }}", table, schema)
    check_values(name, found, "l", LISTS)


def test_lists():
    full = [[1, 2], [], [3]]
    found = written("repeated", "message m { repeated int32 l; }",
                    pa.table({"l": pa.array(full, pa.list_(pa.int32()))}), ["repeated int32 l"])
    check_values("repeated", found, "l", full)

    pairs = [[{"s": "x", "n": 1}, {"s": "y", "n": 2}], None, []]
    pair = pa.list_(pa.struct([pa.field("s", pa.string(), False), pa.field("n", pa.int32(), False)]))
    found = written("two levels of several fields", "message m { optional group l (LIST) { repeated "
                    "group element { required binary s (STRING); required int32 n; } } }",
                    pa.table({"l": pa.array(pairs, pair)}),
                    ["optional group l LIST/LIST", "  repeated group element",
                     "    required binary s STRING/UTF8", "    required int32 n"])
    check_values("two levels of several fields", found, "l", pairs)

    ones = [[{"s": "x"}], [], None]
    one = pa.list_(pa.struct([pa.field("s", pa.string(), False)]))
    for repeated in ("array", "l_tuple"):
        found = written(repeated, f"message m {{ optional group l (LIST) {{ repeated group {repeated} "
                        "{ required binary s (STRING); } } }", pa.table({"l": pa.array(ones, one)}))
        check_values(repeated, found, "l", ones)

    nested = [[[1], [], [2, 3]], [], None]
    found = written("two levels in two levels", "message m { optional group l (LIST) { repeated group "
                    "array (LIST) { repeated int32 array; } } }",
                    pa.table({"l": pa.array(nested, pa.list_(pa.list_(pa.int32())))}),
                    ["optional group l LIST/LIST", "  repeated group array LIST/LIST",
                     "    repeated int32 array"])
    check_values("two levels in two levels", found, "l", nested)


# ---- maps

MAPS = [[("a", 1), ("b", None)], [], None]
MAP = pa.map_(pa.string(), pa.int32())
MAP_TEXT = ("message m { optional group m (MAP) { repeated group key_value { required binary key "
            "(STRING); optional int32 value; } } }")


@pytest.mark.parametrize("name, message", {
    "map": MAP_TEXT,
    "map of other names": MAP_TEXT.replace("key_value {", "map {").replace("binary key", "binary k"),
    "MAP_KEY_VALUE": MAP_TEXT.replace("(MAP)", "(MAP_KEY_VALUE)")}.items())
def test_maps(name, message):
    found = written(name, message, pa.table({"m": pa.array(MAPS, MAP)}))
    check_values(name, found, "m", MAPS)


def test_repeated_keys():
    twice = pa.table({"m": pa.array([[("z", 0)], [("a", 1), ("b", 2), ("a", 3)]], MAP)})
    pq.write_table(twice, path("twice.parquet"))
    done = try_copy(path("twice.parquet"), path("out.arrow"))
    check("repeated keys are reported",
          done.stdout == "m keys.duplicates: 1 pair has a key of the same map again, first in row 1\n",
          done.stdout, done.stderr)
    check("every pair is read", read_ipc(path("out.arrow")).column("m").to_pylist() == twice.column("m").to_pylist(),
          read_ipc(path("out.arrow")).column("m").to_pylist())
    with pa.OSFile(path("twice.arrow"), "wb") as file, pa.ipc.new_file(file, twice.schema) as writer:
        writer.write_table(twice)
    done = try_copy(path("twice.arrow"), path("never.parquet"))
    check("repeated keys are not written", done.returncode == 1 and "each key once" in done.stderr
          and "row 1" in done.stderr, done.stderr)
    copy(path("twice.arrow"), path("out.parquet"), keep_repeated_keys=1)
    check("repeated keys are written where asked", pq.read_table(path("out.parquet")).column("m")
          .to_pylist() == twice.column("m").to_pylist())
    # Each kind of key, beyond the number that is compared pair by pair.
    for type, make in ((pa.int8(), int), (pa.int64(), int), (pa.string(), str), (pa.float64(), float),
                       (pa.bool_(), lambda i: i % 2 == 0), (pa.binary(3), lambda i: b"%03d" % i),
                       (pa.decimal128(20, 2), D),
                       (pa.struct([("a", pa.int32()), ("b", pa.list_(pa.string()))]),
                        lambda i: {"a": i, "b": [str(i)]})):
        for count in (3, 40):
            keys = [make(i % (count - 1)) for i in range(count)]
            rows = [[], [(key, i) for i, key in enumerate(keys)], None]
            last = []
            for key, i in rows[1]:
                place = next((at for at, (other, _) in enumerate(last) if other == key), None)
                if place is None:
                    last.append((key, i))
                else:
                    last[place] = (key, i)
            pq.write_table(pa.table({"m": pa.array(rows, pa.map_(type, pa.int32()))}), path("in.parquet"))
            done = try_copy(path("in.parquet"), path("out.arrow"))
            check(f"keys of {type}: counted", f"m keys.duplicates: {count - len(last)} pair" in done.stdout,
                  done.stdout, done.stderr)
            found = read_ipc(path("out.arrow")).column("m").to_pylist()
            check(f"keys of {type}", found == rows, found)


# ---- decimals: every physical type, every length

WIDE = [{f"fixed_len_byte_array({n})" for n in range(least, 40)} for least in (17, 33)]
FORMS = []
for precision in (1, 2, 4, 5, 9, 10, 18, 19, 28, 38, 39, 57, 76):
    fewest = next(n for n in range(1, 40) if 10 ** precision <= 2 ** (8 * n - 1))
    FORMS += [(f"fixed_len_byte_array({n})", precision)
              for n in sorted({fewest, fewest + 1, fewest + 3, 16, 17, 32, 33}) if n >= fewest]
    FORMS.append(("binary", precision))
    if precision <= 9:
        FORMS.append(("int32", precision))
    if precision <= 18:
        FORMS.append(("int64", precision))


@pytest.mark.parametrize("physical, precision", FORMS)
def test_decimals(physical, precision):
    for scale in sorted({0, precision // 2, precision}):
        name = f"DECIMAL({precision},{scale}) on {physical}"
        top = 10 ** precision - 1
        numbers = [top, -top, 0, 1, -1, 7, None, -top // 3, 128 % (top + 1), -(129 % (top + 1)), 255 % (top + 1)]
        values = [None if n is None else D(n).scaleb(-scale) for n in numbers]
        type = pa.decimal128(precision, scale) if precision <= 38 else pa.decimal256(precision, scale)
        logical = f"DECIMAL({precision},{scale})"
        found = written(name, f"message m {{ optional {physical} d ({logical}); }}",
                        pa.table({"d": pa.array(values, type)}),
                        [f"optional {physical.replace('fixed_len_byte_array', 'fixed')} d "
                         f"{logical}/DECIMAL p={precision} s={scale}"],
                        # pyarrow refuses up to 38 digits in more than 16 bytes, others in more than 32.
                        reader=read_ourselves if physical in WIDE[precision > 38] else None)
        check_values(name, found, "d", values)
        if physical == "binary" and scale == 0:
            # The fewest bytes: what is stored, read as bytes through a footer without annotation.
            statistics = pq.ParquetFile(path("out.parquet")).metadata.row_group(0).column(0)
            fewest = [max(1, (n.bit_length() if n >= 0 else (n + 1).bit_length()) // 8 + 1)
                      for n in numbers if n is not None]
            plain = sum(fewest) + 4 * len(fewest)
            check(f"{name}: fewest bytes", statistics.total_uncompressed_size < plain + 400)

# ---- annotations in the forms asked for

day = 86_400_000
CASES = [
    # field, Arrow type and values that are given, schema line, values that come back
    ("int32 a (INT_8)", pa.int64(), [127, -128, None], "int32 a -/INT_8", None),
    ("int32 a (INTEGER(8,true))", pa.int64(), [127, -128], "int32 a INTEGER(8,true)/INT_8", None),
    ("int32 a (UINT_16)", pa.int64(), [0, 65535, None], "int32 a -/UINT_16", None),
    ("int32 a (INTEGER(32,false))", pa.uint32(), [0, 2 ** 32 - 1], "int32 a INTEGER(32,false)/UINT_32", None),
    ("int64 a (UINT_64)", pa.uint64(), [0, 2 ** 64 - 1], "int64 a -/UINT_64", None),
    ("int32 a (INT_32)", pa.int32(), [1, -1], "int32 a -/INT_32", None),
    ("binary a (UTF8)", pa.string(), ["é", "", None], "binary a -/UTF8", None),
    ("binary a (ENUM)", pa.string(), ["RED", None], "binary a ENUM/ENUM", [b"RED", None]),
    ("binary a (BSON)", pa.binary(), [b"\x05\0\0\0\0"], "binary a BSON/BSON", None),
    ("int32 a (DATE)", pa.date32(), [0, -1, None], "int32 a DATE/DATE", "days"),
    ("int64 a (TIMESTAMP_MICROS)", pa.timestamp("us", "UTC"), [1, -1], "int64 a -/TIMESTAMP_MICROS", "ticks"),
    ("int64 a (TIMESTAMP(MILLIS,false))", pa.timestamp("ms"), [1, -1],
     "int64 a TIMESTAMP(MILLIS,false)/TIMESTAMP_MILLIS", "ticks"),
    ("int64 a (TIMESTAMP(NANOS,true))", pa.timestamp("ns", "UTC"), [1, -1],
     "int64 a TIMESTAMP(NANOS,true)/-", "ticks"),
    ("int32 a (TIME_MILLIS)", pa.time32("ms"), [0, day - 1], "int32 a -/TIME_MILLIS", "ticks32"),
    ("int64 a (TIME(MICROS,false))", pa.time64("us"), [0, day * 1000 - 1],
     "int64 a TIME(MICROS,false)/TIME_MICROS", "ticks"),
    ("fixed_len_byte_array(2) a (FLOAT16)", pa.float16(), [1.5, -0.0, math.inf],
     "fixed(2) a FLOAT16/-", None),
    ("fixed_len_byte_array(12) a (INTERVAL)", pa.month_day_nano_interval(),
     [pa.MonthDayNano([1, 2, 3_000_000]), pa.MonthDayNano([2 ** 31 - 1, 0, (2 ** 32 - 1) * 1_000_000]), None],
     "fixed(12) a -/INTERVAL",
     [bytes([1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]), b"\xff\xff\xff\x7f" + bytes(4) + b"\xff" * 4, None]),
    ("int96 a", pa.timestamp("ns"), [0, -1, 10 ** 18], "int96 a", "ticks"),
    ("fixed_len_byte_array(12) a (TIMESTAMP(MICROS,true))", pa.timestamp("us", "UTC"),
     [0, -1, 2 ** 62], "fixed(12) a TIMESTAMP(MICROS,true)/-", "ticks"),
    ("int32 a (UNKNOWN)", pa.null(), [None, None], "int32 a UNKNOWN/-", None),
    ("binary a (GEOMETRY(OGC:CRS84))", pa.binary(), [b"\1\1\0\0\0" + bytes(16)], "binary a GEOMETRY/-", None),
    ("boolean a", pa.bool_(), [True, None], "boolean a", None),
]


@pytest.mark.parametrize("field, type, values, line, back", CASES, ids=[case[0] for case in CASES])
def test_annotations(field, type, values, line, back):
    with pa.OSFile(path("in.arrow"), "wb") as file:
        table = pa.table({"a": pa.array(values, type)})
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    with open(path("message"), "w") as file:
        file.write(f"message m {{ optional {field} = 7; }}")
    done = try_copy(path("in.arrow"), path("out.parquet"), message=path("message"))
    check(f"{field}: written", done.returncode == 0, done.stderr)
    found = read_schema(path("out.parquet"))
    check(f"{field}: schema", found == [f"optional {line} = 7"], found)
    column = pq.read_table(path("out.parquet")).column("a")
    if back in ("ticks", "ticks32", "days"):
        column = column.cast(pa.int64() if back == "ticks" else pa.int32())
        back = None
    check(f"{field}: values", same_value(column.to_pylist(), values if back is None else back),
          column.to_pylist())
    copy(path("out.parquet"), path("again.arrow"))
    again = read_ipc(path("again.arrow")).column("a")
    check(f"{field}: read again", again.cast(type).equals(pa.chunked_array([pa.array(values, type)]))
          or same_value(again.to_pylist(), values), again)

# ---- what is never written

REFUSED = [
    ("int32 a (INT_8)", pa.int64(), [0, 128], "row 1"),
    ("int32 a (UINT_16)", pa.int64(), [-1], "row 0"),
    ("int32 a (DECIMAL(3,1))", pa.decimal128(9, 1), [D("99.9"), D("100.0")], "row 1"),
    ("int32 a (TIME_MILLIS)", pa.time32("ms"), [day], ""),
    ("int64 a (TIME(NANOS,true))", pa.time64("ns"), [-1], ""),
    ("fixed_len_byte_array(12) a (INTERVAL)", pa.month_day_nano_interval(),
     [pa.MonthDayNano([-1, 0, 0])], "row 0"),
    ("fixed_len_byte_array(12) a (INTERVAL)", pa.month_day_nano_interval(),
     [pa.MonthDayNano([0, 0, 1])], "row 0"),
    ("binary a (BSON)", pa.binary(), [b"not"], "row 0"),
    ("binary a (JSON)", pa.string(), ["{}", "{"], "row 1"),
    ("binary a (STRING)", pa.binary(), [b"\xff"], "row 0"),
]


@pytest.mark.parametrize("field, type, values, where", REFUSED)
def test_what_is_never_written(field, type, values, where):
    with pa.OSFile(path("in.arrow"), "wb") as file:
        table = pa.table({"a": pa.array(values, type)})
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    with open(path("message"), "w") as file:
        file.write(f"message m {{ optional {field}; }}")
    done = try_copy(path("in.arrow"), path("never.parquet"), message=path("message"))
    check(f"{field} of {values}: refused", done.returncode == 1 and where in done.stderr, done.stderr)
    check("nothing half-written", not [name for name in os.listdir(FOLDER) if "never" in name])


def test_required_below_optional():
    """Values of a required field below a null are ignored."""
    found = written("required below optional", "message m { optional group g { required int32 x; required group h "
                    "{ required binary y (STRING); } } }",
                    pa.table({"g": pa.array([{"x": 1, "h": {"y": "a"}}, None, {"x": 2, "h": {"y": ""}}],
                                            pa.struct([("x", pa.int32()), ("h", pa.struct([("y", pa.string())]))]))}),
                    ["optional group g", "  required int32 x", "  required group h",
                     "    required binary y STRING/UTF8"])
    check_values("required below optional", found, "g",
                 [{"x": 1, "h": {"y": "a"}}, None, {"x": 2, "h": {"y": ""}}])
    done = write("message m { optional group g { required int32 x; } }",
                 pa.table({"g": pa.array([{"x": 1}, {"x": None}], pa.struct([("x", pa.int32())]))}))
    check("null in required: refused", done.returncode == 1 and "g.x" in done.stderr and "row 1" in done.stderr,
          done.stderr)


# ---- ids of groups, metadata, statistics; nested, through every reader

MESSAGE = """message m {
  required int64 id (INTEGER(64,true)) = 1;
  optional group tags (LIST) = 2 { repeated group list = 3 { optional binary element (STRING) = 4; } }
  optional group attributes (MAP) = 5 {
    repeated group key_value = 6 { required binary key (STRING) = 7; optional double value = 8; }
  }
  optional group place = 9 { required double x = 10; optional fixed_len_byte_array(6) d (DECIMAL(12,3)) = 0; }
}"""


def test_nested():
    rows = [{"id": i, "tags": None if i % 5 == 0 else ["x", None, str(i)][:i % 4],
             "attributes": None if i % 7 == 0 else [(f"k{j}", j / 2) for j in range(i % 3)],
             "place": None if i % 3 == 0 else {"x": i / 4, "d": D(i).scaleb(-3)}} for i in range(1000)]
    source = pa.table({
        "id": pa.array([r["id"] for r in rows], pa.int64()),
        "tags": pa.array([r["tags"] for r in rows], pa.list_(pa.string())),
        "attributes": pa.array([r["attributes"] for r in rows], pa.map_(pa.string(), pa.float64())),
        "place": pa.array([r["place"] for r in rows],
                          pa.struct([("x", pa.float64()), ("d", pa.decimal128(12, 3))]))})
    source = source.replace_schema_metadata({"maker": "test", "empty": ""})
    found = written("nested", MESSAGE, source, [
        "required int64 id INTEGER(64,true)/INT_64 = 1",
        "optional group tags LIST/LIST = 2", "  repeated group list = 3",
        "    optional binary element STRING/UTF8 = 4",
        "optional group attributes MAP/MAP = 5", "  repeated group key_value = 6",
        "    required binary key STRING/UTF8 = 7", "    optional double value = 8",
        "optional group place = 9", "  required double x = 10",
        "  optional fixed(6) d DECIMAL(12,3)/DECIMAL p=12 s=3 = 0"], row_group_rows=300)
    for column in source.column_names:
        check_values(f"nested {column}", found, column, [r[column] for r in rows])
    metadata = pq.ParquetFile(path("out.parquet")).metadata
    check("row groups", metadata.num_row_groups == 4, metadata.num_row_groups)
    first = metadata.row_group(0).column(0).statistics
    check("statistics", first.min == 0 and first.max == 299 and first.null_count == 0, first)
    amount = metadata.row_group(0).column(5).statistics
    check("statistics of decimals", amount.max == D("0.299") and amount.min == D("0.001"), amount)
    with contextlib.suppress(ImportError):
        import duckdb
        found = duckdb.sql(f"FROM '{path('out.parquet')}'").to_arrow_table()
        for column in ("id", "tags", "place"):
            check(f"duckdb {column}", same_value(found.column(column).to_pylist(), [r[column] for r in rows]))
        check("duckdb attributes", found.column("attributes").to_pylist() == [r["attributes"] for r in rows])
    with contextlib.suppress(ImportError):
        import polars
        found = polars.read_parquet(path("out.parquet"))
        for column in ("id", "tags", "place"):
            check(f"polars {column}", same_value(found[column].to_list(), [r[column] for r in rows]),
                  found[column].to_list()[:4])

    # Without a message, what was read is written; INTEGER(64,true) is what an int64 is anyway.
    before = ["required int64 id = 1", *read_schema(path("out.parquet"))[1:]]
    copy(path("out.parquet"), path("again.parquet"))
    check("written as it was read", read_schema(path("again.parquet")) == before, read_schema(path("again.parquet")))
    check("metadata", pq.ParquetFile(path("again.parquet")).metadata.metadata[b"maker"] == b"test")
    check("version and maker", read_footer(path("again.parquet"))[6].startswith(b"xwalk"))


# ---- dictionaries

def test_dictionaries_of_many_columns():
    """Many columns of values that all differ get no dictionary, which would take more memory and time than they. Others keep
    theirs, and the file is no larger than one of pyarrow."""
    import random

    random.seed(5)
    rows = 20_000
    columns = {f"r{i}": pa.array([random.random() for _ in range(rows)]) for i in range(30)}
    columns |= {f"t{i}": pa.array([f"{random.getrandbits(80):020x}" if row % 3 else None for row in range(rows)]) for i in range(5)}
    columns["n"] = pa.array([[{"x": random.random(), "f": random.randrange(9)} for _ in range(row % 3)] for row in range(rows)])
    few = {f"f{i}": pa.array([random.randrange(300) * 7**15 for _ in range(rows)]) for i in range(5)}
    # Values that come again only after thousands of rows.
    few["cycle"] = pa.array([row % 3000 for row in range(rows)], pa.int64())
    table = pa.table({**columns, **few})
    pq.write_table(table, path("many.parquet"), row_group_size=rows)
    copy(path("many.parquet"), path("many-out.parquet"))
    check("many: values", pq.read_table(path("many-out.parquet")).equals(table))
    group = pq.ParquetFile(path("many-out.parquet")).metadata.row_group(0)
    chunks = [group.column(i) for i in range(group.num_columns)]
    kept = {chunk.path_in_schema for chunk in chunks if chunk.has_dictionary_page}
    check("many: dictionaries", kept == {*few, "n.list.element.f"}, kept)
    check("many: size", os.path.getsize(path("many-out.parquet")) <= os.path.getsize(path("many.parquet")))
    narrow = table.select(["r0", "cycle"])
    pq.write_table(narrow, path("narrow.parquet"))
    copy(path("narrow.parquet"), path("narrow-out.parquet"))
    group = pq.ParquetFile(path("narrow-out.parquet")).metadata.row_group(0)
    check("narrow: dictionaries", [group.column(i).has_dictionary_page for i in range(2)] == [False, True])
