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
