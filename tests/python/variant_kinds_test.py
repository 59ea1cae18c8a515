"""Every kind of value of VARIANT, whole and nested, to YSON, Skiff and JSON: as it is, or refused by name with the number of rows."""
import json
import struct
import sys

import pytest

from tests import harness

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq
harness.needs("libxwalk_parquet.so")
harness.use_module()

import xwalk  # noqa: E402

DIGITS = "a decimal that is not the shortest text of a double"
#: Bytes of a value by the specification, its text in YSON and in JSON, or what the message says that was found.
KINDS = {
    "null": (b"\x00", "#", "null"), "true": (b"\x04", "%true", "true"), "false": (b"\x08", "%false", "false"),
    "int8": (b"\x0c\x85", "-123", "-123"), "int16": (b"\x10\x00\x80", "-32768", "-32768"),
    "int32": (b"\x14\xff\xff\xff\x7f", "2147483647", "2147483647"),
    "int64": (b"\x18" + b"\0" * 7 + b"\x80", "-9223372036854775808", "-9223372036854775808"),
    "double": (b"\x1c" + struct.pack("<d", 0.1), "0.1", "0.1"), "infinity": (b"\x1c" + struct.pack("<d", float("inf")), "%inf", "found nan or an infinity"),
    "float": (b"\x38" + struct.pack("<f", 1.5), "1.5", "1.5"),
    "float of many digits": (b"\x38" + struct.pack("<f", 0.1), "0.10000000149011612", "0.10000000149011612"),
    "float nan": (b"\x38\0\0\xc0\x7f", "%nan", "found nan or an infinity"),
    "decimal4": (b"\x20\x01\x0f\0\0\0", "1.5", "1.5"), "decimal8": (b"\x24\x03" + struct.pack("<q", -1_500), "-1.5", "-1.500"),
    "decimal16": (b"\x28\x02" + (150).to_bytes(16, "little"), "1.5", "1.50"), "decimal of scale 0": (b"\x20\x00\x07\0\0\0", "7u", "7"),
    "decimal of many digits": (b"\x28\x01" + (10**37 + 1).to_bytes(16, "little"), f"found {DIGITS}", "1000000000000000000000000000000000000.1"),
    "date": (b"\x2c\xe2\x4e\0\0", "found a date", "found a date"), "time": (b"\x44" + b"\x05" + b"\0" * 7, "found a time", "found a time"),
    **{name: (bytes([head]) + b"\x05" + b"\0" * 7, "found a timestamp", "found a timestamp") for name, head in
       (("timestamp", 0x30), ("local timestamp", 0x34), ("timestamp in nanoseconds", 0x48), ("local timestamp in nanoseconds", 0x4c))},
    "uuid": (b"\x50" + bytes(range(16)), "found a UUID", "found a UUID"),
    "binary": (b"\x3c\x01\0\0\0\xff", r'"\xFF"', "found a string that is not UTF-8"),
    "binary in UTF-8": (b"\x3c\x01\0\0\0a", "found binary that is UTF-8", "found a string that is not UTF-8"),
    "string": (b"\x40\x01\0\0\0a", '"a"', '"a"'), "short string": (b"\x05a", '"a"', '"a"'),
}


def in_list(value):
    return b"\x01\0\0", b"\x03\x01\x00" + bytes([len(value)]) + value


def in_object(value):
    return b"\x01\x01\x00\x01b", b"\x02\x01\x00\x00" + bytes([len(value)]) + value


#: Bytes of a value as a whole row and in others, and the texts around it.
PLACES = {
    "whole": (lambda value: (b"\x01\0\0", value), "{}", "{}"), "list": (in_list, "[{};]", "[{}]"),
    "object": (in_object, '{{"b"={};}}', '{{"b":{}}}'),
    "list in an object": (lambda value: in_object(in_list(value)[1]), '{{"b"=[{};];}}', '{{"b":[{}]}}'),
}
VARIANT = pa.struct([pa.field("metadata", pa.binary(), False), pa.field("value", pa.binary(), False)])


def source_of(path, values):
    rows = pa.array([value and dict(zip(("metadata", "value"), value)) for value in values], VARIANT)
    field = pa.field("v", VARIANT, metadata={"ARROW:extension:name": "arrow.parquet.variant"})
    xwalk.convert(pa.table([rows], schema=pa.schema([field])), path)
    return path


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(tmp_path, kind, place):
    (around, in_yson, in_json), (value, text, of_json) = PLACES[place], KINDS[kind]
    if kind == "null" and place == "whole":
        text = "found VARIANT null"
    source = source_of(tmp_path / "v.parquet", [around(value), None, around(value), around(b"\x04")])
    for name, spelled, outside, options in (("out.yson", text, in_yson, ("--yson-format", "text")), ("out.skiff", text, None, ()),
                                            ("out.json.yson", of_json, None, ("--cast", "v=json"))):
        out = tmp_path / name
        done = harness.try_run("convert", source, out, *options)
        if spelled.startswith("found "):
            first = done.stderr.splitlines()[0]
            assert done.returncode == 3 and spelled in first and "v: " in first and "(2 of 4 rows read together)" in first, first
            assert not out.exists()
            continue
        assert done.returncode == 0, done.stderr
        if outside is not None:
            line = outside.format(spelled)
            other = outside.format("%true")
            assert out.read_text() == f'{{"v"={line};}};\n{{"v"=#;}};\n{{"v"={line};}};\n{{"v"={other};}};\n'
        harness.run("verify", source, out, *options)
        if name == "out.json.yson":
            rows = [row["v"] for row in xwalk.open(out).to_arrow().to_pylist()]
            assert rows[0] == in_json.format(spelled) and json.loads(rows[0]) == json.loads(rows[2]) and rows[1] is None


def test_the_first_rows_of_others(tmp_path):
    """Rows of DuckDB, and a float, need no option."""
    duckdb = pytest.importorskip("duckdb")
    source = tmp_path / "v.parquet"
    duckdb.sql(f"COPY (SELECT ({{'b': 1.5, 'f': 1.5::FLOAT, 'i': 7::TINYINT, 'u': 8::UBIGINT, 's': 'x', 'l': [0.25, NULL], "
               f"'t': true}})::VARIANT AS v) TO '{source}' (FORMAT parquet)")
    harness.run("convert", source, tmp_path / "out.yson", "--yson-format", "text", "-q")
    xwalk.convert(tmp_path / "out.yson", tmp_path / "out.arrow", cast={"v": "json"})
    row = xwalk.open(tmp_path / "out.arrow").to_arrow()["v"].to_pylist()[0]
    assert json.loads(row) == {"b": 1.5, "f": 1.5, "i": 7, "u": 8, "s": "x", "l": [0.25, None], "t": True}
    assert pq.read_schema(source).names == ["v"]
    assert xwalk.verify(source, tmp_path / "out.yson").verified
