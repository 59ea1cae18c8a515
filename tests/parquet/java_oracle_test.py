"""Files of parquet-java (tests/samples/parquet-java, written by java/Samples.java): the program opens
each, and the rows are what the rules say. How other readers read them is in `check --readers`, and
python/reader_files_test.py compares it with what they do."""

import decimal
import pathlib
import re

import pytest
from shown import shown

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc

FOLDER = harness.make_folder("java")
D = decimal.Decimal
NANOS = {"s": 10 ** 9, "ms": 10 ** 6, "us": 10 ** 3, "ns": 1}
decimal.getcontext().prec = 100

XS = [[{"x": 1}, {"x": 2}], None]
PAIRS = [[("a", 1), ("b", None)], None, []]
X = "struct<x: int32 not null> not null"
AVRO = [[1, 2], [{"x": 7}], [["a", "b"], []], [("k", 1), ("n", None)], None, "BLUE", D("-1.23"), -1000, 19000]


def avro(element):
    return [f"list<{element}: int32 not null> not null", f"list<{element}: {X}> not null",
            f"list<{element}: list<{element}: string not null> not null> not null",
            "map<string, int64> not null", "string", "string not null", "decimal128(9, 2) not null",
            "timestamp[us, tz=UTC] not null", "date32[day] not null"]


# file: its columns' types, its rows; a row of one column has no brackets, timestamps and times in nanoseconds. pyarrow
# knows no extension type for VARIANT and shows its storage.
CASES = {
    "list_three_levels": ("list<element: string>", [["a", None], None, []]),
    "list_bag": ("list<array_element: int32>", [[1, None]]),
    "list_rule_1": ("list<element: int32 not null>", [[1, 2], None, []]),
    "list_rule_2": ("list<element: struct<str: string not null, num: int32> not null>",
                    [[{"str": "a", "num": 1}, {"str": "b", "num": None}], None]),
    "list_rule_3": ("list<list: struct<x: list<x: int32 not null> not null> not null>",
                    [[{"x": [1, 2]}, {"x": []}], None]),
    "list_rule_4_array": (f"list<array: {X}>", XS),
    "list_rule_4_tuple": (f"list<l_tuple: {X}>", XS),
    "list_another_tuple": ("list<x: int32 not null>", [[1, 2], None]),
    "list_two_in_two": ("list<array: list<array: int32 not null> not null>", [[[1, 2], []], [], None]),
    "list_two_three_deep": ("list<array: list<array: list<array: int32 not null> not null> not null>", [[[[1], []]]]),
    "list_two_of_map": ("list<array: map<string, int32> not null>", [[[("a", 1)], []]]),
    "list_of_lists": ("list<element: list<element: int32 not null> not null>", [[[1], []], None]),
    "map": ("map<string, int32>", PAIRS),
    "map_key_value_outside": ("map<string, int32>", PAIRS),
    "map_key_value_inside": ("map<string, int32>", PAIRS),
    "map_other_names": ("map<string, int32 not null>", [[("a", 1)], None]),
    "map_without_values": ("list<key: int32 not null>", [[1, 2], None]),
    "map_optional_key": ("map<int32, int32>", [[(1, 2)]]),
    "map_repeated_keys": ("map<string, int32>", [[("a", 1), ("b", 2), ("a", 3)]]),
    "map_of_lists": ("map<int32, list<element: int32>>", [[(1, [5, None]), (2, None)]]),
    "repeated_primitive": ("list<r: int32 not null> not null", [[1, 2], []]),
    "repeated_group": ("list<r: struct<x: int32 not null, y: int32> not null> not null",
                       [[{"x": 1, "y": 2}, {"x": 3, "y": None}], []]),
    "repeated_group_of_one": (f"list<r: {X}> not null", [[{"x": 1}], []]),
    "repeated_in_group": ("struct<x: list<x: string not null> not null>", [{"x": ["a"]}, {"x": []}, None]),
    "repeated_beside_list": (["list<r: int32 not null> not null", "list<element: int32>"], [[[1], [2]]]),
    "decimal_int32": ("decimal128(9, 2)", [D("-123.45"), None]),
    "decimal_int64": ("decimal128(18, 18) not null", [D("0.999999999999999999")]),
    "decimal_int64_few_digits": ("decimal128(9, 2) not null", [D("1.23")]),
    **{f"decimal_fixed_{size}": ("decimal128(9, 2) not null", [D("1.23"), D("-1.23"), D("-9999999.99")])
       for size in (4, 5, 8, 16, 20)},
    "decimal_binary": ("decimal128(9, 2) not null", [D("1.23"), D("-1.23"), D("9999999.99"), D("0.00")]),
    "decimal_binary_padded": ("decimal128(9, 2) not null", [D("1.23"), D("-1.23")]),
    "decimal_40_binary": ("decimal256(40, 1) not null", [D("-" + "9" * 39 + ".9"), D("0.1")]),
    "decimal_76_fixed": ("decimal256(76, 38) not null", [D("9" * 38 + "." + "9" * 38)]),
    "decimal_90_fixed": ("fixed_size_binary[38] not null", [int("9" * 90).to_bytes(38, "big")]),
    "decimal_scale_is_precision": ("decimal128(9, 9)", [D("0.000000001")]),
    "integers": ([f"{sign}int{bits} not null" for sign in ("", "u") for bits in (8, 16, 32, 64)],
                 [[-128, -2 ** 15, -2 ** 31, -2 ** 63, 255, 2 ** 16 - 1, 2 ** 32 - 1, 2 ** 64 - 1]]),
    "plain": ([f"{word} not null" for word in ("bool", "float", "double", "binary", "fixed_size_binary[3]")],
              [[True, 1.5, -2.5, b"\xff\0", b"\1\2\3"]]),
    "text": (["string not null", "string not null", "extension<arrow.json> not null"], [["тест", "RED", "[1]"]]),
    "bson": ("binary", [b"\5\0\0\0\0", None]),
    "uuid": ("extension<arrow.uuid> not null", [bytes(15) + b"\1"]),
    "float16": ("halffloat not null", [1.5]),
    "interval": ("month_day_nano_interval", [pa.MonthDayNano([1, 2, (2 ** 32 - 1) * 1_000_000]), None]),
    "int96": ("timestamp[ns]", [0, -1, None]),
    "date": ("date32[day] not null", [-1]),
    **{f"timestamp_{unit}_{zone}": (f"timestamp[{short}{tz}] not null", [-NANOS[short]])
       for unit, short in (("millis", "ms"), ("micros", "us"), ("nanos", "ns"))
       for zone, tz in (("utc", ", tz=UTC"), ("local", ""))},
    **{f"time_{unit}_{zone}": (f"{type} not null", [value])
       for unit, type, value in (("millis", "time32[ms]", 86_399_999_000_000), ("micros", "time64[us]", 1000), ("nanos", "time64[ns]", 1))
       for zone in ("utc", "local")},
    "unknown": ("null", [None]),
    "geometry": (["binary", "binary"], [[b"\1\1" + bytes(19), None], [None, None]]),
    "variant": ("struct<metadata: binary not null, value: binary not null>", [{"metadata": b"\1\0\0", "value": b"\0"}, None]),
    # Shredded values come whole: int8 7; {a: 1, b: true}; {a: 300, c: null}.
    "variant_shredded": ("struct<metadata: binary not null, value: binary not null>",
                         [{"metadata": b"\x11\0\0", "value": b"\x0c\7"}, {"metadata": b"\x11\0\0", "value": b"\0"}, None]),
    "variant_object": ("struct<metadata: binary not null, value: binary not null>",
                       [{"metadata": b"\x11\2\0\1\2ab", "value": b"\2\2\0\1\0\2\3\x0c\1\4"},
                        {"metadata": b"\x11\2\0\1\2ac", "value": b"\2\2\0\1\0\3\4\x10\x2c\1\0"}]),
    "field_ids": (["int32 not null", "list<element: int32>", "map<int32, int32>"], [[1, [2], [(3, 4)]]]),
    "avro_two_levels": (avro("array"), [AVRO]),
    "avro_three_levels": (avro("element"), [AVRO]),
}

PAGES = [[i, None if i % 3 == 0 else f"text {i % 7}",
          None if i % 5 == 0 else [None if k == 2 else i + k for k in range(i % 4)]] for i in range(300)]
for codec in ("uncompressed", "snappy", "gzip", "zstd"):
    for version in ("v1", "v2"):
        CASES[f"pages_{codec}_{version}"] = (["int64 not null", "string", "list<element: int32>"], PAGES)

#: Rows that break the rules of shredding, and a part of the message.
REFUSED = {
    "variant_refused_twice": "both value and typed_value",
    "variant_refused_field": "a shredded field in value",
    "variant_refused_bytes": "the end of the bytes inside a value at byte 0 in a",
}


def column_values(column):
    """The values, with timestamps and times in nanoseconds for every unit."""
    type = column.type
    if isinstance(type, pa.BaseExtensionType):
        column = column.cast(type.storage_type) if column.num_chunks == 0 else pa.chunked_array(
            [chunk.storage for chunk in column.chunks])
        type = column.type
    if pa.types.is_timestamp(type) or pa.types.is_time(type):
        ticks = column.cast(pa.int32() if pa.types.is_time32(type) else pa.int64()).to_pylist()
        return [None if tick is None else tick * NANOS[type.unit] for tick in ticks]
    if pa.types.is_date32(type):
        return column.cast(pa.int32()).to_pylist()
    if pa.types.is_float16(type):
        return [None if value is None else float(value) for value in column.to_pylist()]
    return column.to_pylist()


def table_rows(table):
    rows = [list(row) for row in zip(*(column_values(column) for column in table.columns))]
    return [row[0] for row in rows] if table.num_columns == 1 else rows


def check(name, condition, *detail):
    harness.expect(condition, name, *detail)


def run(*words):
    return harness.try_run(*words)


FILES = {path.stem: str(path) for path in sorted((harness.SAMPLES / "parquet-java").glob("*.parquet"))}


def test_the_files_are_of_the_release_that_is_named():
    pom = (harness.ROOT / "tests/parquet/java/pom.xml").read_text()
    release = re.search(r"parquet-hadoop</artifactId><version>([\d.]+)<", pom)[1]
    assert not [name for name, path in FILES.items() if f"parquet-mr version {release} ".encode() not in pathlib.Path(path).read_bytes()]


def test_every_file_has_a_case():
    assert set(FILES) == set(CASES) | set(REFUSED) | {"int96_far"}


@pytest.mark.parametrize("name", CASES)
def test_file(name):
    types, rows = CASES[name]
    file = FILES[name]
    target = f"{FOLDER}/{name}.arrow"
    shown_schema = run("schema", file)
    check(f"{name}: schema", shown_schema.returncode == 0 and shown_schema.stdout.startswith("message "), shown_schema.stderr)
    done = run("convert", file, target, "-q", "--duplicate-keys", "keep")
    check(f"{name}: read", done.returncode == 0, done.stderr)
    table = pa.ipc.open_file(target).read_all()
    found = [shown(field) for field in table.schema]
    check(f"{name}: types", found == (types if isinstance(types, list) else [types]), found)
    check(f"{name}: rows", table_rows(table) == rows, table_rows(table))
    again = f"{FOLDER}/{name}.parquet"
    done = run("convert", file, again, "-q", "--duplicate-keys", "keep")
    check(f"{name}: written", done.returncode == 0, done.stderr)
    run("convert", again, target, "-q", "--overwrite", "--duplicate-keys", "keep")
    check(f"{name}: written rows", table_rows(pa.ipc.open_file(target).read_all()) == rows)


@pytest.mark.parametrize("name, words", REFUSED.items())
def test_refused(name, words):
    for verb in (("convert", FILES[name], f"{FOLDER}/{name}.arrow"), ("validate", FILES[name]), ("head", FILES[name])):
        done = run(*verb)
        said = done.stdout + done.stderr
        check(f"{name}: {verb[0]} refuses the row", done.returncode != 0 and "expected a VARIANT" in said and words in said, done)


def test_far_int96():
    far = run("convert", FILES["int96_far"], f"{FOLDER}/far.arrow")
    check("an INT96 that nanoseconds cannot hold", far.returncode == 3 and "--int96-unit us" in far.stderr, far.stderr)
    far = run("convert", FILES["int96_far"], f"{FOLDER}/far.arrow", "--int96-unit", "us", "-q")
    check("the same in microseconds", far.returncode == 0 and
          table_rows(pa.ipc.open_file(f"{FOLDER}/far.arrow").read_all()) == [(-62135596800 * 10 ** 6 + 1) * 1000], far.stderr)


@pytest.mark.parametrize("word, name", [("decimal.more-bytes", "decimal_binary_padded"), ("keys.duplicates", "map_repeated_keys"),
                                        ("map.key-optional", "map_optional_key")])
def test_findings(word, name):
    done = run("convert", FILES[name], f"{FOLDER}/noted.arrow", "--overwrite", "--duplicate-keys", "keep")
    check(f"{name}: {word} is reported", word in done.stderr, done.stderr)
    done = run("validate", FILES[name], "--values")
    check(f"{name}: {word} is found by validate", word in done.stdout, done.stdout)
