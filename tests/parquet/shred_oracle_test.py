"""--shred: the columns that the specification asks for, values of every type, and what DuckDB and xwalk read from them.
Values are encoded and decoded without the code under test. ROUNDS is the number of random types (40)."""

import base64
import os
import random
import re
import struct
import sys
import uuid

import pytest

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tests" / "variant"))
with harness.skip_if_missing():
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq
from variant_bytes import read_dictionary, read_value  # noqa: E402

UUID = uuid.UUID("01234567-89ab-cdef-0123-456789abcdef")
# A type as Arrow writes it, its column in Parquet, and the bytes of values that the column has and has not.
EXACT = [
    ("bool", "boolean", [b"\x04", b"\x08"], [b"\x0c\x01"]),
    ("int8", "bitWidth=8", [b"\x0c\x85"], [b"\x10\x00\x01"]),
    ("int16", "bitWidth=16", [b"\x0c\x05", b"\x10\x00\x80"], [b"\x14\x00\x00\x01\x00"]),
    ("int32", "int32", [b"\x0c\x05", b"\x14\x00\x00\x00\x80"], [b"\x18" + b"\xff" * 7 + b"\x7f"]),
    ("int64", "int64", [b"\x0c\x05", b"\x18" + b"\0" * 7 + b"\x80"], [b"\x20\x00\x05\0\0\0", b"\x05\x35"]),
    ("float", "float", [b"\x38\0\0\x80\x7f"], [b"\x1c" + struct.pack("<d", 1.5)]),
    ("double", "double", [b"\x1c" + struct.pack("<d", -0.0)], [b"\x38\0\0\0\0", b"\x0c\x01"]),
    ("decimal128(9, 2)", "int32", [b"\x20\x02\x39\x30\0\0"], [b"\x20\x03\x39\x30\0\0", b"\x24\x02" + struct.pack("<q", 10**9)]),
    ("decimal128(18, 2)", "int64", [b"\x24\x02" + struct.pack("<q", 10**18 - 1)], [b"\x28\x02" + (10**18).to_bytes(16, "little")]),
    ("decimal128(38, 0)", "fixed", [b"\x28\x00" + (10**38 - 1).to_bytes(16, "little")], [b"\x0c\x01"]),
    ("date32", "date", [b"\x2c\xff\xff\xff\xff"], [b"\x0c\x01"]),
    ("time64[us]", "TIME", [b"\x44" + struct.pack("<q", 5)], [b"\x0c\x01"]),
    ("timestamp[us, tz=UTC]", "TIMESTAMP(isAdjustedToUTC=true, timeUnit=microseconds", [b"\x30" + struct.pack("<q", -5)], [b"\x34" + b"\0" * 8]),
    ("timestamp[us]", "TIMESTAMP(isAdjustedToUTC=false, timeUnit=microseconds", [b"\x34" + struct.pack("<q", 5)], [b"\x30" + b"\0" * 8]),
    ("timestamp[ns, tz=UTC]", "TIMESTAMP(isAdjustedToUTC=true, timeUnit=nanoseconds", [b"\x48" + struct.pack("<q", 5)], [b"\x30" + b"\0" * 8]),
    ("timestamp[ns]", "TIMESTAMP(isAdjustedToUTC=false, timeUnit=nanoseconds", [b"\x4c" + struct.pack("<q", 5)], [b"\x48" + b"\0" * 8]),
    ("binary", "none byte_array", [b"\x3c\x02\0\0\0\xff\0", b"\x3c\0\0\0\0"], [b"\x09ab"]),
    ("string", "STRING", [b"\x09ab", b"\x01", b"\x40\x02\0\0\0ab"], [b"\x3c\x02\0\0\0ab"]),
    ("fixed_size_binary[16] [arrow.uuid]", "UUID", [b"\x50" + UUID.bytes], [b"\x3c\x10\0\0\0" + UUID.bytes]),
]
NULL = b"\x00"
EMPTY = b"\x01\x00\x00"  # a dictionary without names
WHOLE = "struct<metadata: binary not null, value: binary not null> [arrow.parquet.variant]"


run = harness.run


def refused(*arguments):
    done = harness.try_run(*arguments)
    assert done.returncode != 0, (arguments, done.stdout)
    return done.stderr


def write_variants(path, values, name="v"):
    """Writes a column of pairs of dictionary and value, or None, as an Arrow file."""
    kind = pa.struct([pa.field("metadata", pa.binary(), False), pa.field("value", pa.binary(), False)])
    rows = pa.array([value and {"metadata": value[0], "value": value[1]} for value in values], kind)
    schema = pa.schema([pa.field(name, kind, metadata={"ARROW:extension:name": "arrow.parquet.variant"})])
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, schema) as writer:
        writer.write_batch(pa.record_batch([rows], schema=schema))


def storage(path):
    """The columns as they are stored, by their names, and the logical types."""
    file = pq.ParquetFile(path)
    names = [file.schema.column(i).path for i in range(len(file.schema))]
    return names, {name: str(file.schema.column(i).logical_type) + " " + file.schema.column(i).physical_type.lower()
                   for i, name in enumerate(names)}, file


def decoded(path, name="v"):
    column = pq.read_table(path).column(name).combine_chunks()
    column = getattr(column, "storage", column)
    return [row and read_value(read_dictionary(row["metadata"])[0], row["value"]) for row in column.to_pylist()]


def shred(folder, values, text, *options):
    source, target = os.path.join(folder, "in.arrow"), os.path.join(folder, "out.parquet")
    write_variants(source, values)
    run("convert", "--overwrite", source, target, "--shred", text, *options)
    return source, target


def check_read_back(folder, source, target, values):
    """xwalk reads the same values, and DuckDB reads those of the file that is not shredded."""
    run("diff", "--rows", source, target)
    whole, back = os.path.join(folder, "whole.parquet"), os.path.join(folder, "back.parquet")
    run("convert", "--overwrite", source, whole)
    run("convert", "--overwrite", target, back)
    expected = [value and read_value(read_dictionary(value[0])[0], value[1]) for value in values]
    assert decoded(whole) == expected and decoded(back) == expected, (decoded(back), expected)
    query = "select v::varchar, variant_typeof(v) from '{}'"
    theirs = duckdb.sql(query.format(whole)).fetchall()
    # DuckDB names integers and decimals by their width, which a wider column does not keep.
    ours = duckdb.sql(query.format(target)).fetchall()
    assert [row[0] for row in ours] == [row[0] for row in theirs], (ours, theirs)
    for (_, one), (_, other) in zip(ours, theirs):
        assert (one and re.match("[A-Z_]*", one)[0]) == (other and re.match("[A-Z_]*", other)[0]), (one, other)


@pytest.mark.parametrize(("text", "column", "fits", "others"), EXACT, ids=[text for text, *_ in EXACT])
def test_type(tmp_path, text, column, fits, others):
    folder = str(tmp_path)
    values = [(EMPTY, value) for value in [*fits, *others, NULL]] + [None]
    source, target = shred(folder, values, f"v={text}")
    names, logical, _ = storage(target)
    assert names == ["v.metadata", "v.value", "v.typed_value"], names
    found = logical["v.typed_value"].lower()
    assert column.lower() in found, (text, found)
    table = duckdb.sql(f"select * from parquet_metadata('{target}')").fetchall()
    assert table
    nulls = {row[0]: row[1] for row in duckdb.sql(
        f"select path_in_schema, stats_null_count from parquet_metadata('{target}')").fetchall()}
    counts = {name: nulls[name.replace(".", ", ")] for name in ("v.value", "v.typed_value")}
    assert counts["v.value"] == len(fits) + 1, (text, counts)
    if counts["v.typed_value"] is not None:
        assert counts["v.typed_value"] == len(others) + 2, (text, counts)
    check_read_back(folder, source, target, values)


# The table of the specification: an object, and where its parts are: value, event_type and event_ts, each with value and typed_value.
EVENTS = r"""
{v={event_type=noop; event_ts=1729794114937}};
{v={event_type=login; event_ts=1729794146402; email="user@example.com"}};
{v={error_msg="malformed: ..."}};
{v="malformed: not an object"};
{v={event_ts=1729794240241; click="_button"}};
{v={event_type=#; event_ts=1729794954163}};
{v={event_type=noop; event_ts="2024-10-24"}};
{v={}};
{v=[#]};
{v=#};
"""
EVENT_PARTS = [
    (None, "noop", None, 1729794114937, None),
    (("object", {"email": ("string", "user@example.com")}), "login", None, 1729794146402, None),
    (("object", {"error_msg": ("string", "malformed: ...")}), None, None, None, None),
    (("string", "malformed: not an object"), "no object"),
    (("object", {"click": ("string", "_button")}), None, None, 1729794240241, None),
    (None, None, ("null", None), 1729794954163, None),
    (None, "noop", None, None, ("string", "2024-10-24")),
    (None, None, None, None, None),
    (("array", [("null", None)]), "no object"),
    "null row",
]


def test_events(tmp_path):
    folder = str(tmp_path)
    source, target = os.path.join(folder, "events.yson"), os.path.join(folder, "events.parquet")
    with open(source, "w") as file:
        file.write(EVENTS)
    with open(source + ".schema", "w") as file:
        file.write("[{name=v;type_v3={type_name=optional;item=yson}}]")
    run("convert", source, target, "--shred", "v=STRUCT<event_type: string, event_ts: int64>")
    # pyarrow gets the columns as they are stored.
    duck = duckdb.sql(f"select count(*) from '{target}' where v.event_type::varchar = 'noop'").fetchall()
    assert duck == [(2,)], duck
    column = pq.ParquetFile(target).read().column("v").combine_chunks()
    rows = getattr(column, "storage", column).to_pylist()
    assert len(rows) == len(EVENT_PARTS)
    # arrow-rs refuses files whose Arrow schema has other columns.
    text = base64.b64decode(pq.read_metadata(target).metadata[b"ARROW:schema"])
    assert [field.name for field in pa.ipc.read_schema(pa.py_buffer(text)).field("v").type] == ["metadata", "value", "typed_value"]
    for row, expected in zip(rows, EVENT_PARTS):
        if expected == "null row":
            assert row is None, row
            continue
        names = read_dictionary(row["metadata"])[0]

        def value_of(part):
            return part["value"] and read_value(names, part["value"])

        assert value_of(row) == expected[0], (row, expected)
        if expected[1] == "no object":
            assert row["typed_value"] is None, row
            continue
        typed = row["typed_value"]
        found = (typed["event_type"]["typed_value"], value_of(typed["event_type"]), typed["event_ts"]["typed_value"], value_of(typed["event_ts"]))
        assert found == expected[1:], (found, expected)
    run("diff", "--rows", source, target)
    back = os.path.join(folder, "back.yson")
    run("convert", target, back)
    run("diff", "--rows", source, back)


NAMES = ["a", "b", "c", "name of a field", "д"]


def encode(value, names):
    """Encodes None, bool, int, float, str, bytes, dict, list, and pairs of a first byte and bytes."""
    if value is None or isinstance(value, bool):
        return NULL if value is None else b"\x04" if value else b"\x08"
    if isinstance(value, int):
        size = next(size for size in range(4) if -(1 << (8 << size) - 1) <= value < 1 << (8 << size) - 1)
        return bytes([(3 + size) << 2]) + value.to_bytes(1 << size, "little", signed=True)
    if isinstance(value, float):
        return b"\x1c" + struct.pack("<d", value)
    if isinstance(value, str):
        data = value.encode()
        return bytes([len(data) << 2 | 1]) + data if len(data) < 64 else b"\x40" + struct.pack("<I", len(data)) + data
    if isinstance(value, bytes):
        return value  # encoded
    parts = [encode(item, names) for item in (value if isinstance(value, list) else value.values())]
    offsets = [sum(map(len, parts[:i])) for i in range(len(parts) + 1)]
    wide = offsets[-1] > 255
    tables = b"".join(offset.to_bytes(4 if wide else 1, "little") for offset in offsets)
    if isinstance(value, list):
        return bytes([(3 if wide else 0) << 2 | 3, len(parts)]) + tables + b"".join(parts)
    order = sorted(range(len(parts)), key=lambda i: list(value)[i].encode())
    ids = bytes(names.index(list(value)[i]) for i in order)
    at = b"".join(offsets[i].to_bytes(4 if wide else 1, "little") for i in order) + tables[-4 if wide else -1:]
    return bytes([(3 if wide else 0) << 2 | 2, len(parts)]) + ids + at + b"".join(parts)


def random_value(rng, depth):
    kind = rng.randrange(12 if depth else 9)
    if kind == 8:
        return rng.choice([one for _, _, fits, others in EXACT for one in (*fits, *others)])
    if kind < 8:
        return rng.choice([None, True, rng.randrange(-200, 200), rng.randrange(-2**40, 2**40), rng.random(), "x" * rng.randrange(80), "s", 5])
    if kind == 9:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {name: random_value(rng, depth - 1) for name in rng.sample(NAMES, rng.randrange(len(NAMES)))}


def random_type(rng, depth):
    kind = rng.randrange(10)
    if depth and kind < 5:
        names = rng.sample(NAMES, rng.randrange(1, len(NAMES)))
        return "struct<" + ", ".join(f'"{name}": {random_type(rng, depth - 1)}' for name in names) + ">"
    if depth and kind < 7:
        return f"list<item: {random_type(rng, depth - 1)}>"
    return WHOLE if depth < 2 and kind == 7 else rng.choice([text for text, *_ in EXACT] + ["int64", "string"] * 4)


def random_values(rng, is_wanted=lambda value: True):
    """Returns 200 pairs of dictionary and value, some of them None."""
    values = []
    while len(values) < 200:
        names = rng.sample(NAMES, len(NAMES))
        value = random_value(rng, 3)
        if not is_wanted(value):
            continue
        lengths = [sum(len(name.encode()) for name in names[:i]) for i in range(len(names) + 1)]
        values.append(None if rng.random() < 0.05 else
                      (bytes([1, len(names), *lengths]) + "".join(names).encode(), encode(value, names)))
    return values


def check_random(folder, seed):
    rng = random.Random(seed)
    values = random_values(rng)
    text = "auto" if seed % 5 == 0 else "v=" + random_type(rng, 2)
    if seed % 7 == 0:
        # Objects alone, so that `auto` finds fields.
        values = [value for value in values if value is None or value[1][0] & 3 == 2]
    source, target = shred(folder, values, text, "--batch-rows", str(rng.choice([7, 65536])))
    check_read_back(folder, source, target, values)
    return "typed_value" in "".join(storage(target)[0])


def test_auto(tmp_path):
    folder = str(tmp_path)
    source, target = os.path.join(folder, "auto.yson"), os.path.join(folder, "auto.parquet")
    with open(source, "w") as file:
        for i in range(20000):
            rare = f";rare={i}" if i % 50 == 0 else ""
            file.write(f'{{a={{n={i};s="x{i}";tags=[t{i % 3}];deep={{d={i}.5}};mixed={i if i % 2 else "q"}{rare}}};b={i}}};\n')
    with open(source + ".schema", "w") as file:
        file.write("[{name=a;type_v3={type_name=optional;item=yson}};{name=b;type_v3={type_name=optional;item=yson}}]")
    run("convert", source, target, "--shred", "auto")
    names, logical, _ = storage(target)
    assert names == ["a.metadata", "a.value", "a.typed_value.deep.value", "a.typed_value.deep.typed_value.d.value",
                     "a.typed_value.deep.typed_value.d.typed_value", "a.typed_value.mixed.value", "a.typed_value.n.value",
                     "a.typed_value.n.typed_value", "a.typed_value.s.value", "a.typed_value.s.typed_value", "a.typed_value.tags.value",
                     "a.typed_value.tags.typed_value.list.element.value", "a.typed_value.tags.typed_value.list.element.typed_value",
                     "b.metadata", "b.value", "b.typed_value"], names
    assert "int64" in logical["b.typed_value"] and "int64" in logical["a.typed_value.n.typed_value"]
    run("diff", "--rows", source, target)
    assert duckdb.sql(f"select sum(a.n::bigint), sum(a.deep.d::double), count(a.rare) from '{target}'").fetchall() == [
        (199990000, 200000000.0, 400)]
    run("convert", "--overwrite", source, target, "--shred", "b=auto")
    assert storage(target)[0] == ["a.metadata", "a.value", "b.metadata", "b.value", "b.typed_value"]
    again = os.path.join(folder, "again.parquet")
    run("convert", target, again, "--shred", "a=struct<n: int32>")
    assert "b.typed_value" not in storage(again)[0]
    run("diff", "--rows", target, again)


def test_other_columns(tmp_path):
    """Objects of a column of VARIANT become the undescribed columns of a table, however they are stored."""
    folder = str(tmp_path)
    names = b"\x01\x02\x00\x01\x02ab"
    source, target = os.path.join(folder, "others.arrow"), os.path.join(folder, "others.parquet")
    write_variants(source, [(names, encode({"a": 5, "b": "x"}, ["a", "b"])), None], "$other_columns")
    run("convert", source, target, "--shred", "auto")
    assert any("typed_value.a" in name for name in storage(target)[0])
    for one in (source, target):
        back = os.path.join(folder, "others.yson")
        run("convert", "--overwrite", one, back)
        assert open(back).read() == '{"a"=5;"b"="x";};\n{};\n', open(back).read()


def test_refused(tmp_path):
    folder = str(tmp_path)
    source, target = os.path.join(folder, "in.yson"), os.path.join(folder, "none.parquet")
    with open(source, "w") as file:
        file.write("{a=1;v=[1]};")
    with open(source + ".schema", "w") as file:
        file.write("[{name=a;type=int64};{name=v;type_v3={type_name=optional;item=yson}}]")
    for text, words in (("w=int64", 'no column "w"'), ("a=int64", "expected a column of VARIANT"), ("v=uint64", "types of VARIANT are"),
                        ("v=map<string, int64>", "types of VARIANT are"), ("v=struct<b: time32[ms]>", "types of VARIANT are"),
                        ("v=nosuch", "no system has a type"), ("v", "PATH=TYPE")):
        said = refused("convert", source, target, "--shred", text)
        assert words in said and not os.path.exists(target), (text, said)
    said = refused("convert", source, os.path.join(folder, "none.lance"), "--shred", "auto")
    assert "parquet" in said, said
    message = os.path.join(folder, "message.txt")
    with open(message, "w") as file:
        file.write("message m { optional int64 a; optional group v (VARIANT(1)) { required binary metadata; optional int64 typed_value; } }")
    said = refused("convert", source, target, "--message", message)
    assert "found one of another type" in said, said


def test_random_types(tmp_path):
    rounds = int(os.environ.get("ROUNDS", "40"))
    shredded = sum(check_random(str(tmp_path), seed) for seed in range(rounds))
    assert shredded > rounds / 2
