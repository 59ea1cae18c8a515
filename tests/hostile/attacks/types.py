"""Types that a target claims to hold (points 14 and 14b)."""
import json
import sys

from case import TESTS, case

sys.path.insert(0, str(TESTS / "parquet"))
from raw_file import Node, logical, write  # noqa: E402

NESTED = """
import pyarrow as pa
def nested(levels, one):
    array = pa.array([1, 2])
    for _ in range(levels):
        array = one(array)
    with pa.ipc.new_file(f"{levels}.arrow", pa.schema([("a", array.type)])) as out:
        out.write_table(pa.table({"a": array}))
"""


@case("14b.lance-fixed-lists")
def fixed_lists(here):
    """49 nested fixed-size lists cannot be read back from Lance; 49 are refused before anything is written."""
    here.make(NESTED + "nested(49, lambda array: pa.FixedSizeListArray.from_arrays(array, 1))", "pyarrow")
    yield here.xwalk("check", "49.arrow", "--to", "lance", exits=1, said="49", memory=100, seconds=5)
    yield here.xwalk("convert", "49.arrow", "out.lance", exits=4, said="49", memory=100, seconds=5)


@case("14b.sixty-levels")
def sixty_levels(here):
    """60 levels of lists: an output that cannot be read back is refused, by `check` too."""
    here.make(NESTED + "nested(60, lambda array: pa.ListArray.from_arrays([0, 1, 2], array))", "pyarrow")
    for target in ("parquet", "arrow", "lance", "vortex", "yson"):
        check = yield here.xwalk("check", "60.arrow", "--to", target.replace("yson", "yt"), exits=(0, 1, 3, 4), memory=150)
        holds = check.code == 0
        names = (f"out.{target}", "out.yson.schema") if target == "yson" else f"out.{target}"
        done = yield here.xwalk("convert", "60.arrow", f"out.{target}", exits=0 if holds else (3, 4), leaves=names if holds else (),
                                memory=600)
        if done.code == 0:
            yield here.xwalk("validate", f"out.{target}", memory=600)


@case("14b.empty-structs")
def empty_structs(here):
    """Structs without members: written and read back, or refused before writing."""
    here.write("empty.yson", "{a={};b=#};{a={};b={}};", "[{name=a;type_v3={type_name=struct;members=[]}};"
               "{name=b;type_v3={type_name=optional;item={type_name=struct;members=[]}}}]")
    for target in ("parquet", "arrow", "lance", "vortex"):
        check = yield here.xwalk("check", "empty.yson", "--to", target, exits=(0, 1, 4), memory=150)
        done = yield here.xwalk("convert", "empty.yson", f"out.{target}", exits=0 if check.code == 0 else 4,
                                leaves=f"out.{target}" if check.code == 0 else (), memory=600)
        if done.code == 0:
            yield here.xwalk("diff", "empty.yson", f"out.{target}", "--rows", memory=600)


CLAIMS = """
import pyarrow as pa, pyarrow.parquet as pq
columns = {"m": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64(), keys_sorted=True)), "t": pa.array([1], pa.time32("s")),
           "o": pa.ExtensionArray.from_storage(pa.opaque(pa.int64(), "kind", "vendor"), pa.array([7])),
           "b": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1], pa.int8()))}
pq.write_table(pa.table(columns), "in.parquet")
"""


@case("14.parquet-keeps")
def parquet_keeps(here):
    """Parquet to Parquet keeps sorted keys of maps, the annotation of times and the names of extension types."""
    here.make(CLAIMS, "pyarrow")
    yield here.xwalk("convert", "in.parquet", "out.parquet", memory=200, leaves="out.parquet")
    shown = here.make("""
import pyarrow.parquet as pq
for name in ("in", "out"):
    print(repr((str(pq.read_schema(name + ".parquet")), str(pq.ParquetFile(name + ".parquet").schema).split("\\n", 1)[1])))
""")
    before, after = shown.splitlines()
    here.expect(before == after, before, after)
    here.expect(all(word in after for word in ("keys_sorted", "arrow.opaque", "arrow.bool8", "isAdjustedToUTC")), after)


SHAPES = """
import json, pyarrow.parquet as pq
shapes = []
for name in ("in", "out"):
    schema = pq.ParquetFile(name + ".parquet").schema
    leaves = [schema.column(i) for i in range(len(schema))]
    shapes.append([[leaf.path, leaf.physical_type, str(leaf.logical_type)] for leaf in leaves])
print(json.dumps(shapes))
"""


def kept_shapes(here, name):
    """Yields a conversion of a Parquet file to another, and compares path, physical and logical type of each leaf."""
    (here.folder / name).rename(here.folder / "in.parquet")
    yield here.xwalk("convert", "in.parquet", "out.parquet", memory=200, leaves="out.parquet")
    before, after = json.loads(here.make(SHAPES, "pyarrow"))
    here.expect(before == after, name, "before:", before, "after:", after)
    yield here.xwalk("diff", "in.parquet", "out.parquet", "--rows")
    (here.folder / "out.parquet").unlink()
    return after


@case("14.parquet-integers")
def parquet_integers(here):
    """INTEGER(32,true) and INTEGER(64,true) are kept from Parquet to Parquet, and are not added to other columns."""
    signed = {bits: logical("INTEGER", bits, True) for bits in (32, 64)}
    item = Node("optional int32", "element", logical=signed[32])
    columns = [Node("required int32", "a", logical=signed[32]), Node("optional int64", "b", logical=signed[64]),
               Node("optional int32", "c", logical=signed[32], converted="INT_32"), Node("optional int64", "d", converted="INT_64"),
               Node("optional int32", "plain32"), Node("optional int64", "plain64"), Node("optional int32", "unsigned", converted="UINT_32"),
               Node("optional group", "l", [Node("repeated group", "list", [item])], logical=logical("LIST"))]
    row = {"a": -1, "b": 2, "c": 3, "d": 4, "plain32": 5, "plain64": 6, "unsigned": 7, "l": {"list": [{"element": 8}]}}
    write(here.folder / "integers.parquet", columns, [row, {"a": 1}])
    leaves = yield from kept_shapes(here, "integers.parquet")
    annotated = [path for path, _, name in leaves if "isSigned=true" in name]
    here.expect(annotated == ["a", "b", "c", "d", "l.list.element"], leaves)


@case("14.parquet-unknown")
def parquet_unknown(here):
    """Columns of nulls are UNKNOWN, also those of parquet-cpp 1.5.1 with the ConvertedType 24 or 25, which no specification has."""
    nulls = logical("UNKNOWN")
    for number in (24, 25):
        columns = [Node("required int32", "id"), Node("optional int32", "old", converted=number),
                   Node("optional int32", "both", logical=nulls, converted=number), Node("optional int32", "new", logical=nulls)]
        write(here.folder / "old.parquet", columns, [{"id": 1}, {"id": 2}])
        shown = yield here.xwalk("schema", "old.parquet", "--to", "arrow")
        here.expect(shown.stdout.count("null") >= 3, number, shown.stdout)
        yield here.xwalk("convert", "old.parquet", "out.parquet", "--mode", "overwrite", memory=200, leaves="out.parquet")
        shown = yield here.xwalk("schema", "out.parquet")
        here.expect(shown.stdout.count("(UNKNOWN)") == 3, number, shown.stdout)
        (here.folder / "out.parquet").unlink()
        write(here.folder / "values.parquet", columns[:2], [{"id": 1}, {"id": 2, "old": 7}])
        yield here.xwalk("convert", "values.parquet", "out.parquet", exits=3, said="row 1")


EXTENSIONS = """
import pyarrow as pa, pyarrow.parquet as pq
point = pa.struct([("x", pa.float64()), ("y", pa.float64())])
moment = pa.struct([pa.field("timestamp", pa.timestamp("us", "UTC"), False), pa.field("offset_minutes", pa.int16(), False)])
ragged = pa.struct([("data", pa.list_(pa.float32())), ("shape", pa.list_(pa.int32(), 2))])
columns = {
    "geoarrow.wkt": (pa.array(["POINT(1 2)", None]), b'{"crs":"OGC:CRS84"}'),
    "geoarrow.point": (pa.array([{"x": 1.0, "y": 2.0}, None], point), b'{"crs":"EPSG:4326"}'),
    "geoarrow.linestring": (pa.array([[{"x": 1.0, "y": 2.0}], None], pa.list_(point)), b"{}"),
    "geoarrow.wkb": (pa.array([bytes([1, 1]) + bytes(19), None]), b'{"crs":"OGC:CRS84"}'),
    "arrow.fixed_shape_tensor": (pa.array([[1.0] * 4, None], pa.list_(pa.float32(), 4)), b'{"shape":[2,2]}'),
    "arrow.variable_shape_tensor": (pa.array([{"data": [1.0], "shape": [1, 1]}, None], ragged), b'{"dim_names":["a","b"]}'),
    "arrow.timestamp_with_offset": (pa.array([{"timestamp": 1, "offset_minutes": 60}, None], moment), None),
    "arrow.opaque": (pa.array([b"a", None]), b'{"type_name":"t","vendor_name":"v"}'),
    "arrow.bool8": (pa.array([1, None], pa.int8()), None),
    "arrow.uuid": (pa.array([b"a" * 16, None], pa.binary(16)), None),
    "acme.thing": (pa.array([1, None], pa.int64()), bytes([255, 0, 120])),
    "acme.nulls": (pa.nulls(2), b"x"),
}
fields, arrays = [], []
for name, (array, about) in columns.items():
    metadata = {b"ARROW:extension:name": name.encode()} | ({b"ARROW:extension:metadata": about} if about else {})
    fields += [pa.field(name, array.type, metadata=metadata), pa.field("list " + name, pa.list_(pa.field("item", array.type, metadata=metadata)))]
    arrays += [array, pa.ListArray.from_arrays([0, 2, 2], array, type=fields[-1].type)]
table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
pq.write_table(table, "in.parquet")
with pa.ipc.new_file("in.arrow", table.schema) as out:
    out.write_table(table)
"""
# pyarrow knows some of these types; of the others it shows the metadata.
NAMES = """
import base64, json, pyarrow as pa, pyarrow.parquet as pq
def names(schema):
    out = {}
    def add(path, field):
        metadata = field.metadata or {}
        kind = field.type
        if isinstance(kind, pa.BaseExtensionType):
            out[path] = [kind.extension_name, str(kind)]
            kind = kind.storage_type
        elif b"ARROW:extension:name" in metadata:
            out[path] = [metadata[b"ARROW:extension:name"].decode(), metadata.get(b"ARROW:extension:metadata", b"").hex()]
        if pa.types.is_list(kind):
            add(path + ".item", kind.value_field)
    for field in schema:
        add(field.name, field)
    return out
print(json.dumps([names(pq.read_schema(name)) for name in ("in.parquet", "out.parquet", "from_arrow.parquet")]
                 + [names(pa.ipc.open_file("back.arrow").schema)]))
"""


@case("14.extension-types")
def extension_types(here):
    """Extension types keep their names and metadata from Parquet to Parquet and back to Arrow, as columns and as items of lists."""
    here.make(EXTENSIONS, "pyarrow")
    for source, target in (("in.parquet", "out.parquet"), ("in.arrow", "from_arrow.parquet"), ("out.parquet", "back.arrow")):
        yield here.xwalk("convert", source, target, memory=200, leaves=target, unsaid="lost")
        yield here.xwalk("diff", "in.arrow", target, "--rows", exits=(0, 1), unsaid=("rows differ", "row differs"))
    before, *others = json.loads(here.make(NAMES, "pyarrow"))
    here.expect(len(before) == 24, before)
    for after in others:
        here.expect(before == after, [(path, before.get(path), after.get(path)) for path in {*before, *after}
                                      if before.get(path) != after.get(path)])


COLUMN = '{"id":1,"name":"a","required":true,"type":"long"%s}'
STRUCT = '{"type":"struct","schema-id":0,"fields":[' + COLUMN + "]}"


@case("14.iceberg-versions")
def iceberg_versions(here):
    """Metadata of an unknown format version, or of version 2 without its schemas, is refused."""
    one = STRUCT % ""
    here.write("v42.json", f'{{"format-version":42,"schemas":[{one}],"current-schema-id":0}}')
    here.write("v2.json", f'{{"format-version":2,"last-column-id":1,"schema":{one}}}')
    here.write("sound.json", f'{{"format-version":2,"last-column-id":1,"schemas":[{one}],"current-schema-id":0}}')
    for name, code in (("v42.json", 4), ("v2.json", 3)):
        yield here.xwalk("schema", name, "--from", "iceberg", exits=code, memory=60, seconds=5)
        yield here.xwalk("validate", "--rules", name, "--from", "iceberg", exits=code, memory=60, seconds=5)
    yield here.xwalk("schema", "sound.json", "--from", "iceberg", memory=60, seconds=5, said="long")


@case("14.iceberg-defaults")
def iceberg_defaults(here):
    """Defaults of Iceberg are named where a target drops them."""
    here.write("v3.json", STRUCT % ',"initial-default":3,"write-default":3')
    yield here.xwalk("check", "v3.json", "--from", "iceberg", "--to", "parquet", memory=60, seconds=5,
                     said=("initial-default", "write-default"), unsaid="1 exact")
