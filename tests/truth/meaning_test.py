"""Meaning, not storage: for pairs of types, rows of one never become values of another meaning of the other.

Each type is put together with each other one in every way there is, in each format: as a second input with and without `unify`, added to
rows, by a given schema, by a cast, and compared by `compat`, `diff` of rows and `verify`. What values are is said here alone, from Arrow
types and extensions: numbers are fractions, instants nanoseconds since 1970, geometry has its CRS. A way may refuse two types. What it
accepts must mean there what it meant, and what xwalk itself has made of a type is accepted again.

The test takes a sample of the pairs, the same in each run; `--all` takes all of them.
"""
import decimal
import fractions
import functools
import itertools
import json
import random
import re
import shutil
import warnings

import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import pyarrow as pa

harness.needs("libxwalk_parquet.so")
harness.use_module()
import xwalk  # noqa: E402

FOLDER = harness.make_folder("meaning")
NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DAY = 86400 * 10**9
POINT = bytes.fromhex("0101000000000000000000f03f000000000000f03f")
NAME, PARAMETERS = b"ARROW:extension:name", b"ARROW:extension:metadata"
#: Those of engines take longer: fewer pairs.
FORMATS = {"parquet": 150, "arrow": 150, "yson": 150, "skiff": 150, "lance": 30, "vortex": 30}


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
    "struct in another order": (pa.struct([POINTS.field(1), POINTS.field(0)]), {}, {"x": 1, "y": 1}),
    "struct in struct": (pa.struct([pa.field("x", pa.struct([pa.field("z", pa.int64())]))]), {}, {"x": {"z": 1}}),
    "list of uuid": (pa.list_(pa.field("item", pa.binary(16), metadata=extension("arrow.uuid"))), {}, [b"0123456789abcdef"]),
    "list of 16 bytes": (pa.list_(pa.binary(16)), {}, [b"0123456789abcdef"]),
    "list of json": (pa.list_(pa.field("item", pa.string(), metadata=extension("arrow.json"))), {}, ["1"]),
    "list of structs": (pa.list_(POINTS), {}, [{"x": 1, "y": 1}]),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), {}, "1"),
    "dictionary of numbers": (pa.dictionary(pa.int32(), pa.int64()), {}, 1),
    "large text": (pa.large_string(), {}, "1"),
    "int16": (pa.int16(), {}, 1),
    "half": (pa.float16(), {}, 1.0),
    "time s": (pa.time32("s"), {}, 1),
    "interval": (pa.month_day_nano_interval(), {}, pa.MonthDayNano([1, 1, 1000])),
    "bool8": (pa.int8(), extension("arrow.bool8"), 1),
    "map of numbers": (pa.map_(pa.int64(), pa.int64()), {}, [(1, 1)]),
    "map of dates": (pa.map_(pa.date32(), pa.int64()), {}, [(1, 1)]),
    "map to duration": (pa.map_(pa.string(), pa.duration("us")), {}, [("a", 1)]),
}


def parts_of(kind, metadata):
    """A type without extension and dictionary, and the name and parameters of its extension."""
    if isinstance(kind, pa.BaseExtensionType):
        parameters = json.dumps({"shape": list(kind.shape)}) if kind.extension_name == "arrow.fixed_shape_tensor" else ""
        return parts_of(kind.storage_type, extension(kind.extension_name, parameters))
    metadata = metadata or {}
    name, parameters = metadata.get(NAME, b"").decode(), metadata.get(PARAMETERS, b"").decode()
    return kind.value_type if pa.types.is_dictionary(kind) else kind, name, parameters


def meaning(value, kind, metadata=None):
    """What a value is: a kind of meaning, and the value in it."""
    kind, name, parameters = parts_of(kind, metadata)
    if value is None:
        return None
    if name == "arrow.uuid":
        return "uuid", bytes(getattr(value, "bytes", value))
    if name == "arrow.json":
        return "json", value
    if name == "arrow.bool8":
        return "truth", bool(value)
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
    if types.is_interval(kind):
        return "interval", tuple(value)
    if types.is_temporal(kind):
        family = "duration" if types.is_duration(kind) else "time" if types.is_time(kind) else "instant" if kind.tz else "local"
        return family, value * NANOS[kind.unit]
    if types.is_map(kind):
        return "map", tuple((meaning(key, kind.key_type), meaning(item, kind.item_type)) for key, item in value)
    if types.is_list(kind) or types.is_fixed_size_list(kind) or types.is_large_list(kind):
        return "list", tuple(meaning(item, kind.value_type, kind.value_field.metadata) for item in value)
    if types.is_struct(kind):
        return "struct", tuple(sorted((field.name, meaning(value.get(field.name), field.type, field.metadata)) for field in kind))
    return ("text" if types.is_string(kind) or types.is_large_string(kind) else "bytes"), value


def is_ticks(kind):
    return pa.types.is_temporal(kind) and not pa.types.is_interval(kind)


def ticks_type(kind):
    """The integer that stores a time; other types with such integers below."""
    types = pa.types
    if is_ticks(kind):
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
    return array.cast(ticks_type(array.type)) if not is_ticks(array.type) else array.view(ticks_type(array.type))


def array(name):
    kind, _, value = TYPES[name]
    stored = ticks_type(kind)
    made = pa.array([value], stored)
    return made if stored == kind else made.view(kind) if is_ticks(kind) else made.cast(kind)


def attempt(call, *words, **options):
    """Returns what a call returns; None if xwalk refuses."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*words, **options)
    except (xwalk.InputError, xwalk.UnsupportedError, xwalk.UsageError, xwalk.VerdictError):
        return None


def converts(sources, target, **options):
    """Whether xwalk converts; an output that exists is replaced."""
    many = isinstance(sources, (list, tuple))
    sources = [str(each) for each in sources] if many else str(sources)
    return attempt(xwalk.convert, sources, str(target), mode=options.pop("mode", "overwrite"), **options) is not None


def remove(path):
    """Removes a file with its schema, or a folder."""
    shutil.rmtree(path, ignore_errors=True)
    for each in (path, path.with_name(path.name + ".schema")):
        if each.is_file():
            each.unlink()


def place(name, extension_of):
    return FOLDER / f"{list(TYPES).index(name)}.{extension_of}"


@functools.cache
def source(name, extension_of="arrow"):
    """A file of one row of a type; None if the format does not have it."""
    path = place(name, extension_of)
    if extension_of == "arrow":
        kind, metadata, _ = TYPES[name]
        schema = pa.schema([pa.field("x", kind, metadata=metadata)])
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as writer:
            writer.write_table(pa.Table.from_arrays([array(name)], schema=schema))
        return path
    return path if converts(source(name), path) else None


def own_meaning(name):
    kind, metadata, value = TYPES[name]
    return meaning(value, kind, metadata)


def read(path):
    """The meanings of the rows of a file, an Arrow file or made one."""
    if path.suffix != ".arrow" or path.is_dir():
        check(f"{path} is read", converts(path, FOLDER / "read.arrow"), True)
        path = FOLDER / "read.arrow"
    table = pa.ipc.open_file(str(path)).read_all()
    field = table.schema.field("x")
    return [without_missing(meaning(value, field.type, field.metadata)) for value in as_ticks(table["x"]).to_pylist()]


@functools.cache
def alone(name, extension_of):
    """What the row of a type is in a format, by itself."""
    return read(source(name, extension_of))[0]


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
        written = {f"{value[1]}{digits}" for digits in ("", ".0", ".00")}
        return {("truth", True)} | {("text", text) for text in written} | {("bytes", text.encode()) for text in written}
    if kind == "date":
        return {("local", value[1] * DAY), ("instant", value[1] * DAY), ("text", "1970-01-02"), ("bytes", b"1970-01-02")}
    if kind in ("local", "instant", "time"):
        return {("date", value[1] // DAY)} | ({target} if target[0] in ("text", "bytes") else set())
    if kind == "json":
        return {("text", value[1]), ("bytes", value[1].encode())}
    if kind == target[0] and kind in ("list", "struct"):
        return {target} if all(map(becomes, value[1], target[1])) else set()
    if kind == target[0] == "map":
        return {target} if all(becomes(*parts) for pair in zip(value[1], target[1]) for parts in zip(*pair)) else set()
    return set()


def becomes(value, other):
    """Whether a cast may make one value the other; members of structs have the same names."""
    if isinstance(value[0], str) and isinstance(value[1], tuple) and value[0] == other[0] and value[0] not in ("list", "map", "struct"):
        return becomes(value[1], other[1])
    return value == other or other in by_value(value, other)


PAIRS = list(itertools.product(TYPES, TYPES))


def sample(extension_of):
    """The pairs of types that a format has: all, or each type with itself and some of the others."""
    count = FORMATS[extension_of]
    pairs = PAIRS
    if not harness.ALL:
        choice = random.Random(f"1970 {extension_of}")
        same = [pair for pair in PAIRS if pair[0] == pair[1]]
        others = [pair for pair in PAIRS if pair[0] != pair[1]]
        pairs = choice.sample(same, min(count // 2, len(same))) + choice.sample(others, count)
    return [pair for pair in pairs if source(pair[0], extension_of) and source(pair[1], extension_of)]


def none_differ(extension_of, differs):
    """Asks a function about each pair; it returns what is wrong, or "" if nothing is."""
    pairs = sample(extension_of)
    found = [f"{first} and {second}: {wrong}" for first, second in pairs if (wrong := differs(first, second))]
    check(f"{len(found)} of {len(pairs)} pairs differ", found[:20], [])


def wrong_rows(found, wanted):
    return "" if all(map(is_held, map(content, found), map(content, wanted))) else f"found {found}, wanted {wanted}"


@pytest.mark.parametrize("extension_of", FORMATS)
def test_alone(extension_of):
    """A type that a format has, or restores by an annotation, means there what it means."""
    found = []
    for name in filter(lambda name: source(name, extension_of), TYPES):
        verdict = xwalk.check(str(source(name)), extension_of).verdict
        if verdict in ("exact", "annotated") and alone(name, extension_of) != without_missing(own_meaning(name)):
            found.append(f"{name}, {verdict}: {alone(name, extension_of)}")
    check("another meaning", found, [])


@pytest.mark.parametrize("extension_of", FORMATS)
def test_second_input(extension_of):
    def differs(first, second):
        files = [source(first, extension_of), source(second, extension_of)]
        out = FOLDER / "out.arrow"
        wanted = [alone(first, extension_of), alone(second, extension_of)]
        unified = converts(files, out, unify=True)
        if unified and (wrong := wrong_rows(read(out), wanted)):
            return f"with unify: {wrong}"
        several = converts(files, out)
        if several and read(out) != wanted:
            return f"found {read(out)}, wanted {wanted}"
        if several and not unified:
            return "unify refuses them"
        return "" if first != second or several else "files of one type are refused"
    none_differ(extension_of, differs)


@pytest.mark.parametrize("extension_of", FORMATS)
def test_a_trip(extension_of):
    """A type that went through any format and came back is taken next to, and added to, what it was."""
    found = []
    names = list(TYPES) if harness.ALL or FORMATS[extension_of] > 9 else random.Random(7).sample(list(TYPES), 8)
    for name in filter(lambda name: source(name, extension_of), names):
        back, again = FOLDER / "back.arrow", FOLDER / f"again.{extension_of}"
        converts(source(name, extension_of), back)
        converts(back, again)
        for first, second in itertools.permutations([source(name, extension_of), again]):
            if not converts([first, second], FOLDER / "out.arrow"):
                found.append(f"{name}: {second.name} after {first.name}")
        remove(again)
    check("not taken again", found, [])


def there_to_add_to(name, extension_of):
    """An output with rows of a type, to which rows are added."""
    folder = extension_of in ("parquet", "arrow")
    path = FOLDER / (f"there-{extension_of}" if folder else f"there.{extension_of}")
    remove(path)
    if folder:
        path.mkdir()
    first = path / f"part-0.{extension_of}" if folder else path
    check(f"{name} in {extension_of}", converts(source(name), first), True)
    return path


@pytest.mark.parametrize("extension_of", [each for each in FORMATS if each != "vortex"])
def test_append(extension_of):
    def differs(there, added):
        path = there_to_add_to(there, extension_of)
        if not converts(source(added), path, mode="append-again"):
            return "" if there != added else "rows of the same type are refused"
        return wrong_rows(read(path), [alone(there, extension_of), alone(added, extension_of)])
    none_differ(extension_of, differs)


@pytest.mark.parametrize("extension_of", FORMATS)
def test_to_schema(extension_of):
    """A given schema: the one that xwalk prints for the rows that it has made of a type."""
    def differs(wanted, given):
        schema = xwalk.Schema.read(str(source(wanted, extension_of)))
        out = FOLDER / f"given.{extension_of}"
        remove(out)
        if not converts(source(given), out, target_schema=schema, to=extension_of):
            return "" if wanted != given else "its own schema is refused"
        return wrong_rows(read(out), [alone(given, extension_of)])
    none_differ(extension_of, differs)


@functools.cache
def type_text(name):
    """The type in Arrow's notation, as a schema shows it."""
    return xwalk.Schema.read(str(source(name))).dump().splitlines()[0].split(": ", 1)[1]


@pytest.mark.parametrize("extension_of", FORMATS)
def test_cast(extension_of):
    def differs(given, target):
        out = FOLDER / "cast.arrow"
        if not converts(source(given, extension_of), out, cast={"x": type_text(target)}):
            own = given == target and alone(given, extension_of) == without_missing(own_meaning(given))
            return "a cast to its own type is refused" if own else ""
        found, was = read(out)[0], alone(given, extension_of)
        return "" if is_held(content(found), content(was)) or found in by_value(was, found) else f"found {found}, was {was}"
    none_differ(extension_of, differs)


@pytest.mark.parametrize("extension_of", FORMATS)
def test_compared(extension_of):
    """Compat, merge, diff of rows and verify call two files alike only if values of both mean the same."""
    def differs(old, new):
        files = str(source(old, extension_of)), str(source(new, extension_of))
        was, there = content(alone(old, extension_of)), content(alone(new, extension_of))
        compatible = xwalk.compat(*files).answer == "compatible"
        rows = xwalk.diff(*files, rows=True).same
        proof = attempt(xwalk.verify, *files)
        verified = proof is not None and proof.verified
        merged = attempt(xwalk.merge, *files)
        if merged is not None and (wrong := [name for name in (old, new) if not is_in_merged(name, extension_of, merged)]):
            return f"merged, without {wrong}"
        if old == new:
            return "" if compatible and rows and verified else f"of one type: {compatible}, {rows}, {verified}"
        if compatible and not holds(there, was):
            return "compatible"
        return "" if was == there or not (rows or verified) else f"alike: diff {rows}, verify {verified}"
    none_differ(extension_of, differs)


def is_in_merged(name, extension_of, merged):
    """Whether the row of a type, in a schema that holds it and another one, is what it is in a table of YTsaurus by itself."""
    out = FOLDER / "merged.yson"
    remove(out)
    if not source(name, "yson") or not converts(source(name, extension_of), out, target_schema=merged, to="yson"):
        return False
    return is_held(content(read(out)[0]), content(alone(name, "yson")))


def holds(there, value):
    """Whether a type whose value is `there` holds another value, at every depth; geometry with its CRS. A struct may lack members.

    Bytes hold the WKB of geometry; geometry does not hold all bytes.
    """
    if value[0] == "geometry" and there[0] == "content":
        return True
    if there[0] != value[0] or there[0] not in ("list", "map", "struct"):
        return there[:-1] == value[:-1]
    if there[0] == "struct":
        members = dict(there[1])
        return all(holds(members[name], part) for name, part in value[1] if name in members)
    if there[0] == "map":
        return all(holds(*parts) for pair in zip(there[1], value[1]) for parts in zip(*pair))
    return all(map(holds, there[1], value[1]))


def kind_of(field, system=""):
    """What values of a field of a system are, by its Arrow type, its extension and the note on a type that Arrow lacks.

    Every time of day of Parquet has a flag: a type without a note has the one that Arrow's types imply, a local clock.
    """
    kind, name, parameters = parts_of(field.type, field.metadata)
    kind = kind.value_type if pa.types.is_run_end_encoded(kind) else kind
    note = b" ".join(text for key, text in (field.metadata or {}).items() if key.startswith(b"xwalk:")).decode()
    types = pa.types
    known = {"arrow.uuid": "uuid", "arrow.json": "json", "arrow.bool8": "truth", "arrow.parquet.variant": "any"}
    if name in known:
        return known[name]
    if name == "geoarrow.wkb":
        return meaning(b"", kind, field.metadata)[:-1]
    if name:
        return "extension", name, parameters
    if types.is_struct(kind) and note.startswith('"tz_'):
        return "zoned", kind_of(kind.field("time"), system)
    if types.is_map(kind):
        return "map", kind_of(kind.key_field, system), kind_of(kind.item_field, system)
    if types.is_struct(kind) or types.is_union(kind):
        return "struct" if types.is_struct(kind) else "union", tuple((part.name, kind_of(part, system)) for part in kind)
    if types.is_nested(kind):
        return "list", kind_of(kind.value_field, system)
    if types.is_timestamp(kind) and "int96" in note:
        return "either"  # a local time or an instant, as its writer and readers agree
    if types.is_time(kind):
        return "time", next((flag for flag in ("true", "false") if f",{flag})" in note), "false" if system == "parquet" else "")
    if types.is_binary(kind) or types.is_large_binary(kind):
        return "any" if '"yson"' in note else "document" if "(BSON)" in note else "bytes"
    return next(word for word, test in SIMPLE.items() if test(kind))


SIMPLE = {
    "null": pa.types.is_null, "truth": pa.types.is_boolean, "date": pa.types.is_date, "duration": pa.types.is_duration,
    "instant": lambda kind: pa.types.is_timestamp(kind) and kind.tz, "local": pa.types.is_timestamp,
    "number": lambda kind: pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind),
    "interval": lambda kind: "interval" in str(kind), "fixed": pa.types.is_fixed_size_binary,
    "bytes": pa.types.is_binary_view, "text": lambda kind: "string" in str(kind),
}
CONTENT = {"text", "bytes", "fixed", "json"}


def is_same(one, other, variant):
    """Whether values of one kind may become those of another without `storage:`. `variant`: whether the other is VARIANT."""
    if "null" in (one, other) or one == other:
        return True
    if "either" in (one, other):
        return one in ("local", "instant") if other == "either" else other == "local"
    if one[0] == other[0] == "zoned":
        return is_same(one[1], other[1], variant)  # a date in a zone is no instant
    if "zoned" in (one[0], other[0]):
        zoned, struct = (one, other) if one[0] == "zoned" else (other, one)
        return struct[0] == "struct" and struct[1] == (("time", zoned[1]), ("zone", "text"))
    if isinstance(one, str) and isinstance(other, str):
        return {one, other} <= CONTENT or (one, other) == ("any", "json") or (variant and (one, other) == ("json", "any"))
    # A struct of one member `value` is a second level of null around it, except next to a struct that has this member too.
    boxed = [len(kind) == 2 and kind[0] == "struct" and [name for name, _ in kind[1]] == ["value"] for kind in (one, other)]
    if boxed[0] != boxed[1] and not all(kind[0] == "struct" and "value" in dict(kind[1]) for kind in (one, other)):
        return is_same(one[1][0][1] if boxed[0] else one, other[1][0][1] if boxed[1] else other, variant)
    if "bytes" in (one, other):
        return "geometry" in (one[0], other[0])
    if isinstance(one, str) or isinstance(other, str):
        return False
    if one[0] == other[0] == "time":
        return "" in (one[1], other[1])
    if {one[0], other[0]} == {"map", "list"}:
        pair = (one if one[0] == "list" else other)[1]
        entries = dict(pair[1]) if pair[0] == "struct" else {}
        mapped = (one if one[0] == "map" else other)[1:]
        return list(entries) == ["key", "value"] and all(map(is_same, mapped, entries.values(), [variant] * 2))
    if one[0] == other[0] and one[0] in ("list", "map"):
        return all(is_same(a, b, variant) for a, b in zip(one[1:], other[1:]))
    if {one[0], other[0]} <= {"struct", "union"}:
        members = dict(other[1])
        return all(is_same(part, members[name], variant) for name, part in one[1] if name in members)
    return False


@functools.cache
def types_of_systems():
    """A schema of one column of each type of each system, by system and text."""
    lines = json.loads(harness.run("types", "--json").stdout)
    names = dict.fromkeys((line["from"], line["source"]) for line in lines)
    return {(system, text): xwalk.Schema.parse_type(re.sub(r" v\b", " value", text, count=1), system) for system, text in names}


@functools.cache
def column_of(schema):
    return pa.schema(schema).field(0)


@functools.cache
def stored_as(schema, system):
    """The type that a system uses for one of another, without nullability; None if it has none, or no column for it."""
    made = attempt(schema.to, system)
    return made and made.schema.names and storage_of(made.schema)


@functools.cache
def storage_of(schema):
    """The type of a schema's column. Offsets of 64 bits and views are layouts: the values are the same."""
    return re.sub(r"\blarge_|_view\b", "", str(column_of(schema).type))


def test_types_of_all_systems():
    """Each type of each system given for each other one: what is converted means the same, or is how the target stores it."""
    schemas = types_of_systems()
    pairs = list(itertools.product(schemas, schemas))
    if not harness.ALL:
        pairs = random.Random(1970).sample(pairs, 1500)
    wrong = []
    for first, second in pairs:
        source_of, target = schemas[first], schemas[second]
        one, other = kind_of(column_of(source_of), first[0]), kind_of(column_of(target), second[0])
        variant = b"variant" in (column_of(target).metadata or {}).get(NAME, b"")
        same = is_same(one, other, variant)
        is_stored = stored_as(source_of, second[0]) == storage_of(target)
        # Skiff's wire types stand for many types of YTsaurus, which decide.
        try:
            source_of.to(target)
            if not same and not is_stored and second[0] != "skiff":
                wrong.append(f"{first} to {second}: {one} becomes {other}")
        except xwalk.Error as error:
            if same and re.search(r" is not (a|an|any|text|bytes|JSON|geo)", str(error).splitlines()[0]):
                wrong.append(f"{first} to {second}: {error}")
        if first[0] == second[0] and first[0] in ("yt", "iceberg", "skiff"):
            continue  # these have rules of their own
        compat = xwalk.compat(source_of, target)
        differs = compat.answer == "incompatible" and any("meaning.differs" in reason["reason"] for reason in compat.reasons)
        if differs if same else compat.answer != "incompatible":
            wrong.append(f"compat of {first} and {second}: {compat.answer}, {one} and {other}")
    check(f"{len(wrong)} of {len(pairs)} pairs differ", wrong[:20], [])
