"""The format's rules on files that no other writer makes, each a named case: what the schema means
and which rows there are; what breaks a rule is refused; bad values are rejected with row and path."""

import decimal
import sys

import pytest

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tests" / "io"))
from oracle import *  # noqa: E402
from raw_file import Node, logical, write
from shown import shown

D = decimal.Decimal


def both(converted, *union):
    return {"logical": logical(*union), "converted": converted}


LIST = both("LIST", "LIST")
MAP = both("MAP", "MAP")
STRING = both("UTF8", "STRING")
LEAF = Node("required int32", "x")


def in_list(repeated, repetition="optional", **annotation):
    return Node(f"{repetition} group", "l", [repeated], **(annotation or LIST))


def listed(name, *children, **annotation):
    return Node("repeated group", name, list(children), **annotation)


def in_map(repeated, **annotation):
    return Node("optional group", "m", [repeated], **(annotation or MAP))


KEY = Node("required binary", "key", **STRING)
VALUE = Node("optional int32", "value")
PAIRS = [{"m": {"key_value": [{"key": "a", "value": 1}, {"key": "b"}]}}, {"m": None}, {"m": {"key_value": []}}]
MAP_ROWS = [[("a", 1), ("b", None)], None, []]
XS = [{"l": {"list": [{"x": 1}, {"x": 2}]}}, {"l": None}, {"l": {"list": []}}]


def xs(name):
    return [{"l": {name: [{"x": 1}, {"x": 2}]}}, {"l": None}, {"l": {name: []}}]


# (name, column, raw rows, type, rows)
CASES = [
    # ---- lists
    ("list of three levels", in_list(listed("list", Node("optional binary", "element", **STRING))),
     [{"l": {"list": [{"element": "a"}, {}]}}, {"l": None}, {"l": {"list": []}}],
     "list<element: string>", [["a", None], None, []]),
    ("list by ConvertedType only",
     in_list(listed("list", Node("optional int32", "element")), converted="LIST"),
     [{"l": {"list": [{"element": 1}, {}]}}], "list<element: int32>", [[1, None]]),
    ("list by LogicalType only",
     in_list(listed("list", Node("optional int32", "element")), logical=logical("LIST")),
     [{"l": {"list": [{"element": 1}, {}]}}], "list<element: int32>", [[1, None]]),
    ("required list", in_list(listed("list", Node("required int32", "element")), "required"),
     [{"l": {"list": [{"element": 1}]}}, {"l": {"list": []}}],
     "list<element: int32 not null> not null", [[1], []]),
    ("list of other names", in_list(listed("element", LEAF)), xs("element"),
     "list<x: int32 not null>", [[1, 2], None, []]),
    ("list named bag and array_element",
     in_list(listed("bag", Node("optional int32", "array_element"))),
     [{"l": {"bag": [{"array_element": 1}, {}]}}], "list<array_element: int32>", [[1, None]]),
    ("list rule 1", in_list(Node("repeated int32", "element")),
     [{"l": {"element": [1, 2]}}, {"l": None}, {"l": {"element": []}}],
     "list<element: int32 not null>", [[1, 2], None, []]),
    ("list rule 1 of text", in_list(Node("repeated binary", "array", **STRING), "required"),
     [{"l": {"array": ["a"]}}, {"l": {"array": []}}], "list<array: string not null> not null", [["a"], []]),
    ("list rule 2", in_list(listed("element", Node("required binary", "str", **STRING), Node("optional int32", "num"))),
     [{"l": {"element": [{"str": "a", "num": 1}, {"str": "b"}]}}, {"l": None}],
     "list<element: struct<str: string not null, num: int32> not null>",
     [[{"str": "a", "num": 1}, {"str": "b", "num": None}], None]),
    ("list rule 2 named list", in_list(listed("list", Node("optional int32", "a"), Node("optional int32", "b"))),
     [{"l": {"list": [{"a": 1}]}}], "list<list: struct<a: int32, b: int32> not null>",
     [[{"a": 1, "b": None}]]),
    ("list rule 3", in_list(listed("list", Node("repeated int32", "x"))),
     [{"l": {"list": [{"x": [1, 2]}, {"x": []}]}}, {"l": None}],
     "list<list: struct<x: list<x: int32 not null> not null> not null>",
     [[{"x": [1, 2]}, {"x": []}], None]),
    ("list rule 3 of a group", in_list(listed("bag", listed("y", LEAF))),
     [{"l": {"bag": [{"y": [{"x": 1}]}]}}],
     "list<bag: struct<y: list<y: struct<x: int32 not null> not null> not null> not null>",
     [[{"y": [{"x": 1}]}]]),
    ("list rule 4 array", in_list(listed("array", LEAF)), xs("array"),
     "list<array: struct<x: int32 not null> not null>", [[{"x": 1}, {"x": 2}], None, []]),
    ("list rule 4 tuple", in_list(listed("l_tuple", LEAF)), xs("l_tuple"),
     "list<l_tuple: struct<x: int32 not null> not null>", [[{"x": 1}, {"x": 2}], None, []]),
    ("list rule 4 optional field", in_list(listed("array", Node("optional int32", "x"))),
     [{"l": {"array": [{"x": 1}, {}]}}], "list<array: struct<x: int32> not null>", [[{"x": 1}, {"x": None}]]),
    ("another list's tuple", in_list(listed("k_tuple", LEAF)), xs("k_tuple"),
     "list<x: int32 not null>", [[1, 2], None, []]),
    ("capital ARRAY", in_list(listed("ARRAY", LEAF)), xs("ARRAY"), "list<x: int32 not null>", [[1, 2], None, []]),
    ("_tuple alone", in_list(listed("_tuple", LEAF)), xs("_tuple"), "list<x: int32 not null>", [[1, 2], None, []]),
    ("list of a struct of one field in three levels",
     in_list(listed("list", Node("required group", "element", [LEAF]))),
     [{"l": {"list": [{"element": {"x": 1}}]}}], "list<element: struct<x: int32 not null> not null>",
     [[{"x": 1}]]),
    ("list of lists", in_list(listed("list", Node("required group", "element", [listed("list", Node("required int32", "element"))], **LIST))),
     [{"l": {"list": [{"element": {"list": [{"element": 1}]}}, {"element": {"list": []}}]}}, {"l": None}],
     "list<element: list<element: int32 not null> not null>", [[[1], []], None]),
    ("two levels in two levels", in_list(Node("repeated group", "array", [Node("repeated int32", "array")], **LIST)),
     [{"l": {"array": [{"array": [1, 2]}, {"array": []}]}}, {"l": {"array": []}}, {"l": None}],
     "list<array: list<array: int32 not null> not null>", [[[1, 2], []], [], None]),
    ("two levels three deep",
     in_list(Node("repeated group", "array", [Node("repeated group", "array", [Node("repeated int32", "array")], **LIST)], **LIST)),
     [{"l": {"array": [{"array": [{"array": [1]}, {"array": []}]}]}}],
     "list<array: list<array: list<array: int32 not null> not null> not null>", [[[[1], []]]]),
    ("three levels in two levels",
     in_list(Node("repeated group", "array", [listed("list", Node("optional int32", "element"))], **LIST)),
     [{"l": {"array": [{"list": [{"element": 1}, {}]}]}}],
     "list<array: list<element: int32> not null>", [[[1, None]]]),
    ("two levels of a map",
     in_list(Node("repeated group", "array", [listed("key_value", KEY, VALUE)], **MAP)),
     [{"l": {"array": [{"key_value": [{"key": "a", "value": 1}]}, {"key_value": []}]}}],
     "list<array: map<string, int32> not null>", [[[("a", 1)], []]]),
    ("list of maps", in_list(listed("list", Node("optional group", "element", [listed("key_value", KEY, VALUE)], **MAP))),
     [{"l": {"list": [{"element": {"key_value": [{"key": "a"}]}}, {}]}}],
     "list<element: map<string, int32>>", [[[("a", None)], None]]),
    # ---- repeated without LIST or MAP
    ("repeated primitive", Node("repeated int32", "r"), [{"r": [1, 2]}, {"r": []}],
     "list<r: int32 not null> not null", [[1, 2], []]),
    ("repeated text", Node("repeated binary", "r", **STRING), [{"r": ["a"]}, {}],
     "list<r: string not null> not null", [["a"], []]),
    ("repeated group of one field", listed("r", LEAF), [{"r": [{"x": 1}]}, {"r": []}],
     "list<r: struct<x: int32 not null> not null> not null", [[{"x": 1}], []]),
    ("repeated group named array", listed("array", LEAF), [{"array": [{"x": 1}]}],
     "list<array: struct<x: int32 not null> not null> not null", [[{"x": 1}]]),
    ("repeated group of several fields", listed("r", LEAF, Node("optional int32", "y")),
     [{"r": [{"x": 1, "y": 2}, {"x": 3}]}], "list<r: struct<x: int32 not null, y: int32> not null> not null",
     [[{"x": 1, "y": 2}, {"x": 3, "y": None}]]),
    ("repeated in repeated", listed("r", Node("repeated int32", "x")), [{"r": [{"x": [1]}, {"x": []}]}],
     "list<r: struct<x: list<x: int32 not null> not null> not null> not null", [[{"x": [1]}, {"x": []}]]),
    ("repeated in an optional group", Node("optional group", "g", [Node("repeated int32", "x")]),
     [{"g": {"x": [1]}}, {"g": {"x": []}}, {"g": None}], "struct<x: list<x: int32 not null> not null>",
     [{"x": [1]}, {"x": []}, None]),
    # ---- maps
    ("map", in_map(listed("key_value", KEY, VALUE)), PAIRS, "map<string, int32>", MAP_ROWS),
    ("map by LogicalType only", in_map(listed("key_value", KEY, VALUE), logical=logical("MAP")), PAIRS,
     "map<string, int32>", MAP_ROWS),
    ("map by ConvertedType only", in_map(listed("key_value", KEY, VALUE), converted="MAP"), PAIRS,
     "map<string, int32>", MAP_ROWS),
    ("MAP_KEY_VALUE outside", in_map(listed("key_value", KEY, VALUE), converted="MAP_KEY_VALUE"), PAIRS,
     "map<string, int32>", MAP_ROWS),
    ("MAP_KEY_VALUE inside", in_map(listed("key_value", KEY, VALUE, converted="MAP_KEY_VALUE")), PAIRS,
     "map<string, int32>", MAP_ROWS),
    ("map of other names", in_map(listed("map", Node("required int32", "k"), Node("optional binary", "v", **STRING))),
     [{"m": {"map": [{"k": 1, "v": "a"}]}}], "map<int32, string>", [[(1, "a")]]),
    ("map by position", in_map(listed("key_value", Node("required int32", "value"), Node("required int32", "key"))),
     [{"m": {"key_value": [{"value": 1, "key": 2}]}}], "map<int32, int32 not null>", [[(1, 2)]]),
    ("map without values", in_map(listed("key_value", Node("required int32", "key"))),
     [{"m": {"key_value": [{"key": 1}, {"key": 2}]}}, {"m": None}, {"m": {"key_value": []}}],
     "list<key: int32 not null>", [[1, 2], None, []]),
    ("repeated keys", in_map(listed("key_value", KEY, VALUE)),
     [{"m": {"key_value": [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "a", "value": 3}]}}],
     "map<string, int32>", [[("a", 1), ("b", 2), ("a", 3)]]),
    ("map of structs", in_map(listed("key_value", Node("required group", "key", [LEAF]), Node("optional group", "value", [LEAF]))),
     [{"m": {"key_value": [{"key": {"x": 1}, "value": {"x": 2}}, {"key": {"x": 2}}]}}],
     "map<struct<x: int32 not null>, struct<x: int32 not null>>", [[({"x": 1}, {"x": 2}), ({"x": 2}, None)]]),
    ("map of lists", in_map(listed("key_value", KEY, Node("optional group", "value", [listed("list", Node("optional int32", "element"))], **LIST))),
     [{"m": {"key_value": [{"key": "a", "value": {"list": [{"element": 1}]}}, {"key": "b"}]}}],
     "map<string, list<element: int32>>", [[("a", [1]), ("b", None)]]),
    # ---- integers
    ("unsigned 64", Node("required int64", "a", **both("UINT_64", "INTEGER", 64, False)), [{"a": -1}], "uint64 not null",
     [2 ** 64 - 1]),
    ("unsigned 32 by LogicalType only", Node("required int32", "a", logical=logical("INTEGER", 32, False)),
     [{"a": -1}], "uint32 not null", [2 ** 32 - 1]),
    ("INT_16 by ConvertedType only", Node("optional int32", "a", converted="INT_16"), [{"a": -32768}, {}],
     "int16", [-32768, None]),
    ("INT_32 is nothing", Node("optional int32", "a", converted="INT_32"), [{"a": 7}], "int32", [7]),
    # ---- decimals
    ("decimal in int32", Node("optional int32", "d", precision=9, scale=2, **both("DECIMAL", "DECIMAL", 9, 2)),
     [{"d": -12345}, {}], "decimal128(9, 2)", [D("-123.45"), None]),
    ("decimal in int64", Node("required int64", "d", precision=18, scale=18, **both("DECIMAL", "DECIMAL", 18, 18)),
     [{"d": 10 ** 18 - 1}], "decimal128(18, 18) not null", [D("0.999999999999999999")]),
    ("decimal in 5 bytes", Node("required fixed", "d", length=5, precision=9, scale=2, **both("DECIMAL", "DECIMAL", 9, 2)),
     [{"d": b"\0\0\0\0\x7b"}, {"d": b"\xff\xff\xff\xff\x85"}], "decimal128(9, 2) not null", [D("1.23"), D("-1.23")]),
    ("decimal in 20 bytes", Node("required fixed", "d", length=20, precision=38, scale=0, **both("DECIMAL", "DECIMAL", 38, 0)),
     [{"d": (10 ** 38 - 1).to_bytes(20, "big")}, {"d": (-1).to_bytes(20, "big", signed=True)}],
     "decimal128(38, 0) not null", [D(10 ** 38 - 1), D(-1)]),
    ("decimal in binary", Node("required binary", "d", precision=9, scale=2, **both("DECIMAL", "DECIMAL", 9, 2)),
     [{"d": b"\x7b"}, {"d": b"\xff\xff\x85"}, {"d": b"\0"}], "decimal128(9, 2) not null",
     [D("1.23"), D("-1.23"), D("0.00")]),
    ("decimal of 40 digits in binary", Node("required binary", "d", precision=40, scale=1, **both("DECIMAL", "DECIMAL", 40, 1)),
     [{"d": (-10 ** 40 + 1).to_bytes(17, "big", signed=True)}], "decimal256(40, 1) not null",
     [D(-10 ** 40 + 1).scaleb(-1, decimal.Context(prec=80))]),
    ("decimal of 76 digits", Node("required fixed", "d", length=32, precision=76, scale=38, logical=logical("DECIMAL", 76, 38)),
     [{"d": (10 ** 76 - 1).to_bytes(32, "big")}], "decimal256(76, 38) not null",
     [D(10 ** 76 - 1).scaleb(-38, decimal.Context(prec=80))]),
    ("decimal of 90 digits", Node("required fixed", "d", length=38, precision=90, scale=3, logical=logical("DECIMAL", 90, 3)),
     [{"d": (10 ** 90 - 1).to_bytes(38, "big")}], "fixed_size_binary[38] not null", [(10 ** 90 - 1).to_bytes(38, "big")]),
    ("decimal by ConvertedType without scale", Node("optional int32", "d", converted="DECIMAL", precision=5),
     [{"d": 7}], "decimal128(5, 0)", [D(7)]),
    # ---- times
    ("TIMESTAMP_MILLIS means UTC", Node("optional int64", "t", converted="TIMESTAMP_MILLIS"), [{"t": 1}],
     "timestamp[ms, tz=UTC]", None),
    ("TIMESTAMP_MICROS means UTC", Node("optional int64", "t", converted="TIMESTAMP_MICROS"), [{"t": 1}],
     "timestamp[us, tz=UTC]", None),
    ("local timestamp", Node("optional int64", "t", **both("TIMESTAMP_MICROS", "TIMESTAMP", "MICROS", False)), [{"t": 1}],
     "timestamp[us]", None),
    ("nanoseconds", Node("optional int64", "t", logical=logical("TIMESTAMP", "NANOS", True)), [{"t": 1}],
     "timestamp[ns, tz=UTC]", None),
    ("LogicalType wins", Node("optional int64", "t", **both("TIMESTAMP_MILLIS", "TIMESTAMP", "MICROS", False)), [{"t": 1}],
     "timestamp[us]", None),
    ("time of day", Node("optional int32", "t", **both("TIME_MILLIS", "TIME", "MILLIS", True)), [{"t": 86399999}],
     "time32[ms]", None),
    ("time of day in nanoseconds", Node("optional int64", "t", logical=logical("TIME", "NANOS", False)), [{"t": 1}],
     "time64[ns]", None),
    ("date", Node("optional int32", "t", **both("DATE", "DATE")), [{"t": -1}], "date32[day]", None),
    ("interval", Node("optional fixed", "t", length=12, converted="INTERVAL"),
     [{"t": bytes([1, 0, 0, 0, 2, 0, 0, 0]) + b"\xff" * 4}, {}], "month_day_nano_interval",
     [pa.MonthDayNano([1, 2, (2 ** 32 - 1) * 1_000_000]), None]),
    ("int96", Node("optional int96", "t"), [{"t": bytes(8) + (2_440_588).to_bytes(4, "little")}], "timestamp[ns]", None),
    ("unknown unit", Node("optional int64", "t", logical=logical("TIMESTAMP", "PICOS", True)), [{"t": 5}], "int64", [5]),
    # ---- bytes
    ("enum", Node("optional binary", "a", **both("ENUM", "ENUM")), [{"a": "RED"}], "string", ["RED"]),
    ("enum by ConvertedType only", Node("optional binary", "a", converted="ENUM"), [{"a": "RED"}], "string", ["RED"]),
    ("json", Node("optional binary", "a", **both("JSON", "JSON")), [{"a": "[1]"}], "extension<arrow.json>", ["[1]"]),
    ("bson", Node("optional binary", "a", **both("BSON", "BSON")), [{"a": b"\x05\0\0\0\0"}], "binary", [b"\x05\0\0\0\0"]),
    ("float16", Node("optional fixed", "a", length=2, logical=logical("FLOAT16")), [{"a": b"\0\x3e"}], "halffloat", [1.5]),
    ("unknown", Node("optional binary", "a", logical=logical("UNKNOWN")), [{}], "null", [None]),
    ("a future annotation", Node("optional binary", "a", logical=logical("FUTURE")), [{"a": b"x"}], "binary", [b"x"]),
    ("a FILE group", Node("optional group", "f", [Node("optional binary", "uri", **STRING)], logical=logical("FILE")),
     [{"f": {"uri": "a"}}, {"f": None}], "struct<uri: string>", [{"uri": "a"}, None]),
    ("a future group", Node("optional group", "f", [LEAF], logical=logical("FUTURE")), [{"f": {"x": 1}}],
     "struct<x: int32 not null>", [{"x": 1}]),
    ("an unknown ConvertedType", Node("optional int32", "a", converted=40), [{"a": 1}], "int32", [1]),
]

REFUSED = [
    ("DECIMAL(10,2) on int32", Node("optional int32", "a", precision=10, scale=2, **both("DECIMAL", "DECIMAL", 10, 2)), [{"a": 1}]),
    ("DECIMAL(10,0) in 4 bytes", Node("optional fixed", "a", length=4, precision=10, scale=0, **both("DECIMAL", "DECIMAL", 10, 0)), [{"a": bytes(4)}]),
    ("DECIMAL(0,0)", Node("optional int32", "a", precision=0, scale=0, **both("DECIMAL", "DECIMAL", 0, 0)), [{"a": 1}]),
    ("a negative scale", Node("optional int32", "a", precision=4, scale=-1, converted="DECIMAL"), [{"a": 1}]),
    ("LIST of two fields", Node("optional group", "a", [listed("list", LEAF), Node("optional int32", "y")], **LIST),
     [{"a": {"list": [], "y": 1}}]),
    ("LIST without a repeated field", Node("optional group", "a", [Node("optional int32", "element")], **LIST), [{"a": {"element": 1}}]),
    ("repeated LIST", Node("repeated group", "a", [listed("list", Node("optional int32", "element"))], **LIST), [{"a": []}]),
    ("MAP of three fields", in_map(listed("key_value", KEY, VALUE, LEAF)), [{"m": None}]),
    ("MAP of a repeated value", in_map(listed("key_value", KEY, Node("repeated int32", "value"))), [{"m": None}]),
    ("MAP of a primitive", in_map(Node("repeated int32", "key_value")), [{"m": None}]),
]

# Values outside their annotation: the row is rejected, with its number and path.
BAD_VALUES = [
    ("INT_8", Node("optional int32", "a", converted="INT_8"), [{"a": 127}, {"a": 128}], "INT"),
    ("UINT_8", Node("optional int32", "a", converted="UINT_8"), [{}, {"a": -1}], "INT"),
    ("UTF-8", Node("optional binary", "a", **STRING), [{"a": "é"}, {"a": b"\xc3"}], "UTF-8"),
    ("characters cut in two", Node("optional binary", "a", **STRING), [{"a": "x"}, {"a": b"\xc3"}, {"a": b"\xa9"}], "UTF-8"),
    ("JSON", Node("optional binary", "a", **both("JSON", "JSON")), [{"a": "{}"}, {"a": "{]"}], "JSON"),
    ("BSON", Node("optional binary", "a", **both("BSON", "BSON")), [{}, {"a": b"\x06\0\0\0\0"}], "BSON"),
    ("decimal", Node("optional int32", "a", precision=3, scale=0, **both("DECIMAL", "DECIMAL", 3, 0)), [{"a": -999}, {"a": 1000}], "DECIMAL"),
    ("empty decimal", Node("optional binary", "a", precision=3, scale=0, **both("DECIMAL", "DECIMAL", 3, 0)), [{"a": b"\0"}, {"a": b""}], "DECIMAL"),
    ("decimal of 90 digits", Node("optional binary", "a", precision=90, scale=0, **both("DECIMAL", "DECIMAL", 90, 0)),
     [{"a": (10 ** 90 - 1).to_bytes(38, "big")}, {"a": (10 ** 90).to_bytes(38, "big")}], "DECIMAL"),
    ("a day's end", Node("optional int32", "a", **both("TIME_MILLIS", "TIME", "MILLIS", True)), [{"a": 0}, {"a": 86400000}], "day"),
    ("null key", in_map(listed("key_value", Node("optional int32", "key"), VALUE)),
     [{"m": {"key_value": [{"key": 1}]}}, {"m": {"key_value": [{"value": 1}]}}], "null"),
    ("not null", Node("optional int32", "a", logical=logical("UNKNOWN")), [{}, {"a": 1}], "null"),
    ("in a list", in_list(listed("list", Node("optional int32", "element", converted="INT_8"))),
     [{"l": {"list": [{"element": 1}, {}]}}, {"l": {"list": [{}, {"element": 300}]}}], "300"),
]


@pytest.mark.parametrize("name, column, raw, type, rows", CASES, ids=[case[0] for case in CASES])
def test_valid(name, column, raw, type, rows):
    write(path("raw.parquet"), [column], raw)
    done = try_copy(path("raw.parquet"), path("out.arrow"))
    check(f"{name}: read", done.returncode == 0, done.stderr)
    table = read_ipc(path("out.arrow"))
    found = shown(table.schema.field(0))
    check(f"{name}: type", found == type, f"\nexpected {type}\nfound    {found}")
    values = table.column(0)
    if rows is None:
        key = next(iter(raw[0]))
        wide = values.cast(pa.int32() if pa.types.is_time32(values.type) or pa.types.is_date32(values.type) else pa.int64())
        expected = [0] if name == "int96" else [row[key] for row in raw]
        check(f"{name}: values", wide.to_pylist() == expected, wide)
    else:
        check(f"{name}: rows", same_value(values.to_pylist(), rows), f"\nexpected {rows}\nfound    {values.to_pylist()}")
    # What was read is written in the same nesting, and read the same again.
    done = try_copy(path("raw.parquet"), path("again.parquet"))
    if name == "repeated keys":  # Parquet's readers disagree about them
        check(f"{name}: not written unless an option says how", "expected each key once" in done.stderr, done.stderr)
        return
    check(f"{name}: written", done.returncode == 0, done.stderr)
    copy(path("again.parquet"), path("again.arrow"))
    again = read_ipc(path("again.arrow"))
    check(f"{name}: written type", again.schema.equals(table.schema), again.schema, table.schema)
    check(f"{name}: written rows", same_value(again.column(0).to_pylist(), values.to_pylist())
          if rows is not None else again.column(0).equals(values))


@pytest.mark.parametrize("name, column, raw", REFUSED, ids=[case[0] for case in REFUSED])
def test_refused(name, column, raw):
    write(path("raw.parquet"), [column], raw)
    done = try_copy(path("raw.parquet"), path("never.arrow"))
    check(f"{name}: refused", done.returncode == 1 and "error: " in done.stderr, done.stderr)


@pytest.mark.parametrize("name, column, raw, words", BAD_VALUES, ids=[case[0] for case in BAD_VALUES])
def test_bad_values(name, column, raw, words):
    write(path("raw.parquet"), [column], raw)
    done = try_copy(path("raw.parquet"), path("never.arrow"))
    check(f"{name}: refused", done.returncode == 1 and "row 1" in done.stderr and words in done.stderr,
          done.stderr)
