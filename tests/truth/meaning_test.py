"""Meaning, not storage: for pairs of types, rows of one never become values of another meaning of the other.

Each type is put together with each other one in every way there is: as a second input with and without `--unify`, added to rows, by
`--to-schema`, by `--cast`, and compared by `compat`, `diff --rows` and `verify`. What values are is said here alone, from Arrow types and
extensions: numbers are fractions, instants nanoseconds since 1970, geometry has its CRS. A way may refuse two types; what it accepts must
mean there what it meant.

The test takes a sample of the pairs, the same in each run; `--all` takes all of them.
"""
import decimal
import fractions
import itertools
import json
import random

import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

harness.needs("libxwalk_parquet.so")
FOLDER = harness.make_folder("meaning")
NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DAY = 86400 * 10**9
POINT = bytes.fromhex("0101000000000000000000f03f000000000000f03f")
NAME, PARAMETERS = b"ARROW:extension:name", b"ARROW:extension:metadata"


def extension(name, parameters=""):
    return {NAME: name.encode(), PARAMETERS: parameters.encode()}


def crs(code, **more):
    return extension("geoarrow.wkb", json.dumps({"crs": code, "crs_type": "authority_code", **more}))


def tensor(*shape):
    return extension("arrow.fixed_shape_tensor", json.dumps({"shape": list(shape)}))


FLOATS = pa.list_(pa.field("item", pa.float32(), False), 4)
POINTS = pa.struct([pa.field("x", pa.int64()), pa.field("y", pa.timestamp("us"))])
#: The name of each type, its Arrow type, its extension, and how a value is stored that many types store alike.
TYPES = {
    "bool": (pa.bool_(), {}, True),
    "int8": (pa.int8(), {}, 1),
    "int32": (pa.int32(), {}, 1),
    "int64": (pa.int64(), {}, 1),
    "uint64": (pa.uint64(), {}, 1),
    "float": (pa.float32(), {}, 1.0),
    "double": (pa.float64(), {}, 1.0),
    "decimal": (pa.decimal128(10, 2), {}, decimal.Decimal("1.00")),
    "integer decimal": (pa.decimal128(38, 0), {}, decimal.Decimal(1)),
    "text": (pa.string(), {}, "1"),
    "bytes": (pa.binary(), {}, b"1"),
    "16 bytes": (pa.binary(16), {}, b"0123456789abcdef"),
    "uuid": (pa.binary(16), extension("arrow.uuid"), b"0123456789abcdef"),
    "json": (pa.string(), extension("arrow.json"), "1"),
    "date": (pa.date32(), {}, 1),
    "date64": (pa.date64(), {}, 86_400_000),
    "time": (pa.time64("us"), {}, 1),
    "local s": (pa.timestamp("s"), {}, 1),
    "local us": (pa.timestamp("us"), {}, 1),
    "instant ms": (pa.timestamp("ms", "UTC"), {}, 1),
    "instant us": (pa.timestamp("us", "UTC"), {}, 1),
    "duration s": (pa.duration("s"), {}, 1),
    "duration us": (pa.duration("us"), {}, 1),
    "geometry CRS84": (pa.binary(), crs("OGC:CRS84"), POINT),
    "geometry 3857": (pa.binary(), crs("EPSG:3857"), POINT),
    "geography": (pa.binary(), crs("OGC:CRS84", edges="spherical"), POINT),
    "tensor 2 2": (FLOATS, tensor(2, 2), [1.0, 2.0, 3.0, 4.0]),
    "tensor 4 1": (FLOATS, tensor(4, 1), [1.0, 2.0, 3.0, 4.0]),
    "list": (FLOATS, {}, [1.0, 2.0, 3.0, 4.0]),
    "extension a": (pa.int64(), extension("test.a"), 1),
    "extension b": (pa.int64(), extension("test.b"), 1),
    "list of int64": (pa.list_(pa.int64()), {}, [1]),
    "list of local us": (pa.list_(pa.timestamp("us")), {}, [1]),
    "list of text": (pa.list_(pa.string()), {}, ["1"]),
    "list of decimal": (pa.list_(pa.decimal128(10, 2)), {}, [decimal.Decimal("1.00")]),
    "struct": (POINTS, {}, {"x": 1, "y": 1}),
    "struct less": (pa.struct([pa.field("x", pa.int64())]), {}, {"x": 1}),
    "struct of date": (pa.struct([pa.field("x", pa.date32()), pa.field("y", pa.timestamp("us"))]), {}, {"x": 1, "y": 1}),
    "map": (pa.map_(pa.string(), pa.int64()), {}, [("a", 1)]),
    "map to duration": (pa.map_(pa.string(), pa.duration("us")), {}, [("a", 1)]),
}


def meaning(value, kind, metadata=None):
    """What a value is: a kind of meaning, and the value in it."""
    metadata = metadata or {}
    name, parameters = metadata.get(NAME, b"").decode(), metadata.get(PARAMETERS, b"").decode()
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if value is None:
        return None
    if name == "arrow.uuid":
        return "uuid", bytes(getattr(value, "bytes", value))
    if name == "arrow.json":
        return "json", value
    if name == "geoarrow.wkb":
        said = json.loads(parameters or "{}")
        code = said.get("crs")
        code = "{authority}:{code}".format(**code["id"]) if isinstance(code, dict) else code
        return "geometry", code, said.get("edges", "planar"), value
    if name.endswith("_shape_tensor"):
        return "tensor", tuple(json.loads(parameters)["shape"]), tuple(value)
    if name:
        return name, parameters, meaning(value, kind)
    return plain(value, kind)


def plain(value, kind):
    types = pa.types
    if types.is_boolean(kind):
        return "truth", value
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "number", fractions.Fraction(value)
    if types.is_date(kind):
        return "date", value // (1 if types.is_date32(kind) else 86_400_000)
    if types.is_temporal(kind):
        family = "duration" if types.is_duration(kind) else "time" if types.is_time(kind) else "instant" if kind.tz else "local"
        return family, value * NANOS[kind.unit]
    if types.is_map(kind):
        return "map", tuple((meaning(key, kind.key_type), meaning(item, kind.item_type)) for key, item in value)
    if types.is_list(kind) or types.is_fixed_size_list(kind) or types.is_large_list(kind):
        return "list", tuple(meaning(item, kind.value_type) for item in value)
    if types.is_struct(kind):
        return "struct", tuple(sorted((field.name, meaning(value.get(field.name), field.type, field.metadata)) for field in kind))
    return ("text" if types.is_string(kind) or types.is_large_string(kind) else "bytes"), value


def ticks_type(kind):
    """The integer that stores a time; other types with such integers below."""
    types = pa.types
    if types.is_temporal(kind):
        return pa.int32() if kind.bit_width == 32 else pa.int64()
    if types.is_map(kind):
        return pa.map_(ticks_type(kind.key_type), ticks_type(kind.item_type))
    if types.is_fixed_size_list(kind):
        return pa.list_(pa.field("item", ticks_type(kind.value_type), kind.value_field.nullable), kind.list_size)
    if types.is_list(kind):
        return pa.list_(ticks_type(kind.value_type))
    if types.is_struct(kind):
        return pa.struct([pa.field(field.name, ticks_type(field.type), field.nullable) for field in kind])
    return kind


def as_ticks(array):
    """The array with times as their integers, at every depth."""
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    return array.cast(ticks_type(array.type)) if not pa.types.is_temporal(array.type) else array.view(ticks_type(array.type))


def array(name):
    kind, _, value = TYPES[name]
    stored = ticks_type(kind)
    made = pa.array([value], stored)
    return made if stored == kind else made.view(kind) if pa.types.is_temporal(kind) else made.cast(kind)


def source(name, extension_of="arrow"):
    """A file of one row of a type."""
    path = FOLDER / f"{list(TYPES).index(name)}.{extension_of}"
    if path.exists():
        return path
    kind, metadata, _ = TYPES[name]
    arrow = FOLDER / f"{list(TYPES).index(name)}.arrow"
    if not arrow.exists():
        schema = pa.schema([pa.field("x", kind, metadata=metadata)])
        with pa.OSFile(str(arrow), "wb") as file, pa.ipc.new_file(file, schema) as writer:
            writer.write_table(pa.Table.from_arrays([array(name)], schema=schema))
    if extension_of != "arrow":
        harness.run("convert", arrow, path, "-q")
    return path


def own_meaning(name):
    kind, metadata, value = TYPES[name]
    return meaning(value, kind, metadata)


def read(path):
    """The meanings of the rows of an Arrow file."""
    table = pa.ipc.open_file(str(path)).read_all()
    kind = table.schema.field("x").type
    metadata = dict(table.schema.field("x").metadata or {})
    if isinstance(kind, pa.BaseExtensionType):
        parameters = {"shape": list(kind.shape)} if kind.extension_name == "arrow.fixed_shape_tensor" else None
        metadata = extension(kind.extension_name, json.dumps(parameters) if parameters else "")
        kind = kind.storage_type
    return [meaning(value, kind, metadata) for value in as_ticks(table["x"]).to_pylist()]


def run(*words):
    return harness.run(*words, code=None, timeout=300).returncode


def is_held(found, wanted):
    """Whether one value is the other, or holds it: bytes hold the WKB of geometry."""
    pair = found, wanted
    if any(each[0] == "geometry" for each in pair) and any(each[0] == "content" for each in pair):
        return found[-1] == wanted[-1]
    return without_missing(found) == without_missing(wanted)


def content(value):
    """Text, bytes and JSON by their bytes: one holds the other."""
    if isinstance(value, tuple) and value and value[0] in ("text", "bytes", "json"):
        return "content", value[1].encode() if isinstance(value[1], str) else value[1]
    return tuple(content(part) for part in value) if isinstance(value, tuple) else value


def without_missing(value):
    """Members of structs that are null, as those that a file lacks are."""
    if isinstance(value, tuple) and value and value[0] == "struct":
        return "struct", tuple((name, without_missing(part)) for name, part in value[1] if part is not None)
    return tuple(without_missing(part) for part in value) if isinstance(value, tuple) else value


def by_value(value, target):
    """The values that a cast may give besides the value itself."""
    kind = value[0]
    if kind in ("text", "bytes") and value[1] in ("1", b"1"):
        return {("number", fractions.Fraction(1)), ("json", "1"), ("text", "1"), ("bytes", b"1")}
    if kind == "truth":
        return {("number", fractions.Fraction(1)), ("text", "true"), ("bytes", b"true")}
    if kind == "number":
        written = {"1", "1.0", "1.00"}
        return {("truth", True)} | {("text", text) for text in written} | {("bytes", text.encode()) for text in written}
    if kind == "date":
        return {("local", value[1] * DAY), ("instant", value[1] * DAY), ("text", "1970-01-02"), ("bytes", b"1970-01-02")}
    if kind in ("local", "instant", "time"):
        return {("date", value[1] // DAY)} | ({target} if target[0] in ("text", "bytes") else set())
    if kind == "json":
        return {("text", value[1]), ("bytes", value[1].encode())}
    if kind == "list" and target[0] == "list":
        return {target} if all(one == other or other in by_value(one, other) for one, other in zip(value[1], target[1])) else set()
    return set()


PAIRS = list(itertools.product(TYPES, TYPES))
CHOICE = random.Random(1970)
FORMATS = ("parquet", "arrow")


def sample(count):
    """Each type with itself, and some of the other pairs."""
    if harness.ALL:
        return PAIRS
    same = CHOICE.sample([pair for pair in PAIRS if pair[0] == pair[1]], 4)
    return same + CHOICE.sample([pair for pair in PAIRS if pair[0] != pair[1]], count)


@pytest.mark.parametrize("extension_of", FORMATS)
@pytest.mark.parametrize("first, second", sample(24))
def test_second_input(first, second, extension_of):
    files = [source(first, extension_of), source(second, extension_of)]
    out = FOLDER / "out.arrow"
    unified = run("convert", *files, out, "--mode", "overwrite", "--unify", "-q")
    if unified == 0:
        found = read(out)
        check("unify, first", without_missing(found[0]), without_missing(own_meaning(first)))
        check("unify, second", without_missing(found[1]), without_missing(own_meaning(second)))
    code = run("convert", *files, out, "--mode", "overwrite", "-q")
    if code == 0:
        check("several inputs", read(out), [own_meaning(first), own_meaning(second)])
        check("what --unify refuses, several inputs refuse", unified, 0)
    if first == second:
        check("files of one type", (code, unified), (0, 0))


@pytest.mark.parametrize("output", ("parquet", "arrow", "yson"))
@pytest.mark.parametrize("there, added", sample(24))
def test_append(there, added, output):
    place = FOLDER / f"there.{output}" if output == "yson" else FOLDER / f"there-{output}"
    if output == "yson":
        for path in (place, FOLDER / "there.yson.schema"):
            path.unlink(missing_ok=True)
        first = place
    else:
        place.mkdir(exist_ok=True)
        for path in place.iterdir():
            path.unlink()
        first = place / f"part-0.{output}"
    if run("convert", source(there), first, "-q") != 0:
        pytest.skip("the format does not have the type")
    words = ["--mode", "append", "-q"]
    code = run("convert", source(added), place, *words)
    if there == added:
        check("rows of the same type", code, 0)
    if code != 0:
        return
    out = FOLDER / "out.arrow"
    harness.run("convert", place, out, "--mode", "overwrite", "-q")
    found = read(out)
    # A type that the format lacks is stored as the format stores it: what comes back is not the type of either.
    if output == "yson" and content(found[0]) != content(own_meaning(there)):
        harness.run("convert", source(added), FOLDER / "alone.yson", "--mode", "overwrite", "-q")
        harness.run("convert", FOLDER / "alone.yson", out, "--mode", "overwrite", "-q")
        check("as the format stores it", content(found[1]), content(read(out)[0]))
        return
    wanted = own_meaning(added)
    if output == "yson":
        harness.run("convert", source(added), FOLDER / "alone.yson", "--mode", "overwrite", "-q")
        harness.run("convert", FOLDER / "alone.yson", out, "--mode", "overwrite", "-q")
        check("what was added", content(found[1]) in (content(wanted), content(read(out)[0])), True)
        return
    check(f"{added} added: {found[1]}", is_held(content(found[1]), content(wanted)), True)


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("wanted, given", sample(16))
def test_to_schema(wanted, given, target):
    schema = FOLDER / "wanted.schema"
    schema.write_text(harness.run("schema", source(wanted, target)).stdout)
    out, back = FOLDER / f"out.{target}", FOLDER / "back.arrow"
    code = run("convert", source(given), out, "--to-schema", schema, "--mode", "overwrite", "-q")
    if wanted == given:
        check("its own schema", code, 0)
    if code != 0:
        return
    harness.run("convert", out, back, "--mode", "overwrite", "-q")
    found = read(back)[0]
    check(f"{given} as given: {found}", is_held(content(found), content(own_meaning(given))), True)


@pytest.mark.parametrize("source_of, target", sample(24))
def test_cast(source_of, target):
    kind, metadata, _ = TYPES[target]
    words = harness.run("schema", source(target), "--json").stdout
    text = type_text(target)
    out = FOLDER / "cast.arrow"
    code = run("convert", source(source_of), out, "--cast", f"x={text}", "--mode", "overwrite", "-q")
    if source_of == target:
        check("its own type", code, 0)
    if code == 0:
        found, was = without_missing(read(out)[0]), without_missing(own_meaning(source_of))
        check(f"{source_of} cast to {target} ({words.strip()[:80]})", found == was or found in by_value(was, found), True)


def type_text(name):
    """The type in Arrow's notation, as a schema shows it."""
    line = harness.run("schema", source(name)).stdout
    return line.strip().splitlines()[0].split(": ", 1)[1]


@pytest.mark.parametrize("extension_of", FORMATS)
@pytest.mark.parametrize("old, new", sample(24))
def test_compared(old, new, extension_of):
    """Compat, diff --rows and verify call two files alike only if each value in both is the same."""
    files = source(old, extension_of), source(new, extension_of)
    was, there = without_missing(content(own_meaning(old))), without_missing(content(own_meaning(new)))
    code = run("compat", *files)
    if code == 0:
        check("compatible", kinds(was) == kinds(there), True)
    for words in (["diff", *files, "--rows"], ["verify", *files]):
        code = run(*words)
        if old == new:
            check(f"{words[0]} of equal files", code, 0)
        elif code == 0:
            check(f"{words[0]} of {old} and {new}", was, there)


def kinds(value):
    """The meaning of a value without the value; geometry with its CRS."""
    if value[0] in ("list", "map", "struct"):
        return value[0], tuple((part[0], kinds(part[1])) if value[0] == "struct" else tuple(map(kinds, part)) if value[0] == "map" else
                               kinds(part) for part in value[1])
    return value[:-1]
