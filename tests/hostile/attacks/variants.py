"""VARIANT columns whose bytes are malformed, or whose schema is wide (points 11 and 14)."""
import struct
import sys

from case import TESTS, Command, case

sys.path.insert(0, str(TESTS / "parquet"))
from raw_file import Node, logical, write  # noqa: E402

NO_NAMES = b"\1\0\0"
NULL = b"\0"
SEVEN = b"\x0c\7"


def nested(levels):
    """Returns a VARIANT null in that many lists of one item."""
    value = NULL
    for _ in range(levels):
        value = b"\x07\1" + struct.pack("<HH", 0, len(value)) + value
    return value


#: Metadata and value of what is not a VARIANT, by what is wrong.
MALFORMED = {
    "empty": (NO_NAMES, b""), "truncated": (NO_NAMES, b"\x14\1"), "unknown type": (NO_NAMES, b"\xfc"), "version": (b"\2\0\0", NULL),
    "no metadata": (b"", NULL), "field id": (NO_NAMES, b"\2\1\5\0\1\0"), "trailing bytes": (NO_NAMES, b"\0\0"),
    "overlap": (NO_NAMES, b"\3\2\0\0\1\0"), "levels": (NO_NAMES, nested(300)), "not text": (NO_NAMES, b"\5\xff"),
    "order of names": (b"\1\2\0\1\2ba", b"\2\2\0\1\0\1\2\0\0"),
}


def variant(what, name):
    return Node(what, name, [Node("required binary", "metadata"), Node("required binary", "value")], logical=logical("VARIANT"))


def malformed_file(path, metadata, value):
    """Writes rows 0 and 4, which are sound, and three that hold a malformed value: as a column, in a struct and in a list."""
    sound, bad = {"metadata": NO_NAMES, "value": SEVEN}, {"metadata": metadata, "value": value}
    columns = [Node("required int32", "id"), variant("optional group", "v"), Node("optional group", "s", [variant("required group", "v")]),
               Node("optional group", "l", [Node("repeated group", "list", [variant("required group", "element")])], logical=logical("LIST"))]
    every = {"v": sound, "s": {"v": sound}, "l": {"list": [{"element": sound}]}}
    write(path, columns, [{"id": 0, **every}, {"id": 1, **every, "v": bad}, {"id": 2, **every, "s": {"v": bad}},
                          {"id": 3, **every, "l": {"list": [{"element": sound}, {"element": bad}]}}, {"id": 4, **every}])


@case("14.variant-bytes")
def variant_bytes(here):
    """A VARIANT of Parquet that is not shredded has malformed bytes: Parquet gets none of them, rows that hold them are rejected."""
    for metadata, value in MALFORMED.values():
        malformed_file(here.folder / "in.parquet", metadata, value)
        yield here.xwalk("convert", "in.parquet", "out.parquet", exits=3, said="expected a VARIANT", memory=100, seconds=5)
        yield here.xwalk("validate", "in.parquet", exits=1, said=("3 invalid", "l[]"), memory=100, seconds=5)
    for target in ("parquet", "arrow", "yson"):
        names = [f"out.{target}", "bad.yson", "bad.yson.schema"] + ["out.yson.schema"] * (target == "yson")
        yield here.xwalk("convert", "in.parquet", f"out.{target}", "--rejects", "bad.yson", leaves=names, memory=100, seconds=5,
                         said="2 rows", unsaid="1 row ")
        found = yield here.xwalk("head", f"out.{target}", "--as", "jsonl")
        here.expect([line.split(",")[0] for line in found.stdout.splitlines()] == ['{"id":0', '{"id":4'], target, found.stdout)
        for name in names:
            (here.folder / name).unlink()
    yield here.xwalk("check", "in.parquet", "--to", "parquet", "--rows", exits=1, said="expected a VARIANT")


ARROW = """
import pyarrow as pa
kind = pa.struct([pa.field("metadata", pa.{0}(), False), pa.field("value", pa.{0}(), False)])
fields = [pa.field("v", kind, metadata={{"ARROW:extension:name": "arrow.parquet.variant"}})]
rows = [{{"metadata": b"\\1\\0\\0", "value": value}} for value in (b"\\x0c\\7", b"\\x14\\1")]
table = pa.Table.from_arrays([pa.array(rows, kind)], schema=pa.schema(fields))
with pa.ipc.new_file("in.arrow", table.schema) as out:
    out.write_table(table)
"""


@case("14.variant-bytes-arrow")
def variant_bytes_arrow(here):
    """An Arrow file has a VARIANT with malformed bytes, in each layout of bytes."""
    for layout in ("binary", "large_binary", "binary_view"):
        here.make(ARROW.format(layout), "pyarrow")
        for target in ("parquet", "arrow"):
            yield here.xwalk("convert", "in.arrow", f"out.{target}", exits=3, said=("expected a VARIANT", "row 1"), memory=200, seconds=5)
        yield here.xwalk("convert", "in.arrow", "out.parquet", "--shred", "v=auto", exits=3, said="expected a VARIANT", memory=200, seconds=5)
        yield here.xwalk("validate", "in.arrow", exits=1, said="expected a VARIANT", memory=200, seconds=5)


@case("14.variant-bytes-python")
def variant_bytes_python(here):
    """The Python module reads the same file: an error, or the sound rows."""
    here.needs("python/xwalk")
    malformed_file(here.folder / "in.parquet", *MALFORMED["truncated"])
    code = f"""
import sys
sys.path.insert(0, {str(here.program.parent / "python")!r})
import xwalk
try:
    xwalk.convert("in.parquet", "out.parquet")
except xwalk.Error as error:
    print(error)
print(xwalk.convert("in.parquet", "out.parquet", on_error="skip").rows)
"""
    yield Command([here.python, "-c", code], memory=300, seconds=20, said=("expected a VARIANT", "2\n"), leaves=("out.parquet",))


def shredded_file(path, fields, others, rows):
    """Writes a shredded VARIANT with that many columns, none with a value, and objects that have many other fields."""
    names = [b"k%06d" % number for number in range(others)]
    offsets = b"".join(struct.pack("<I", 7 * number) for number in range(others + 1))
    metadata = b"\xd1" + struct.pack("<I", others) + offsets + b"".join(names)
    ids = b"".join(struct.pack("<I", number) for number in range(others))
    value = b"\x7e" + struct.pack("<I", others) + ids + b"".join(struct.pack("<I", number) for number in range(others + 1)) + NULL * others
    parts = [Node("required group", f"f{number:06}", [Node("optional int32", "typed_value")]) for number in range(fields)]
    column = Node("required group", "v", [Node("required binary", "metadata"), Node("optional binary", "value"),
                                          Node("optional group", "typed_value", parts)], logical=logical("VARIANT"))
    typed = {f"f{number:06}": {} for number in range(fields)}
    write(path, [column], [{"v": {"metadata": metadata, "value": value, "typed_value": typed}}] * rows)


@case("11.shredded-fields")
def shredded_fields(here):
    """A shredded VARIANT has 2,000 columns without values, and objects of 50,000 other fields: work follows their sum, not their product."""
    shredded_file(here.folder / "wide.parquet", 2000, 50_000, 20)
    yield here.xwalk("convert", "wide.parquet", "out.arrow", memory=500, seconds=3, leaves="out.arrow")


@case("14.shredded-twice")
def shredded_twice(here):
    """A field of an object is in its column and in `value`, or only in `value` although it has a column."""
    metadata, value = b"\1\1\0\1a", b"\2\1\0\0\2" + SEVEN
    column = Node("required group", "v", [Node("required binary", "metadata"), Node("optional binary", "value"), Node("optional group", "typed_value", [
        Node("required group", "a", [Node("optional int32", "typed_value")])])], logical=logical("VARIANT"))
    for given in (1, None):
        write(here.folder / "in.parquet", [column], [{"v": {"metadata": metadata, "value": value, "typed_value": {"a": {"typed_value": given}}}}])
        yield here.xwalk("convert", "in.parquet", "out.parquet", exits=3, said="a shredded field in value", memory=100, seconds=5)
