"""Types that a target claims to hold (points 14 and 14b)."""
from case import case

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
