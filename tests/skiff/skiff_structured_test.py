"""Skiff rows of nested types compared with YTsaurus's own structured rows.

Random row classes of every shape that the ytsaurus wrapper has (lists, tuples, dicts, structs, optionals of them, every
primitive, other columns), with the Skiff format that it derives. `xwalk convert` reads what its bindings dump into YSON rows of
the same values. The bindings load the Skiff that `xwalk convert` writes of those rows as the same objects.
"""
import dataclasses
import io
import math
import pathlib
import random
import tempfile
import typing

import pytest

from tests import harness

with harness.skip_if_missing():
    import yt.yson as yson
    from yt.wrapper import schema
    from yt.wrapper.format import StructuredSkiffFormat

BITS = {"Int8": 7, "Int16": 15, "Int32": 31, "Int64": 63, "Uint8": 8, "Uint16": 16, "Uint32": 32, "Uint64": 64}
PRIMITIVES = [*BITS, "Float", "Double", "Bool", "String", "Utf8", "Yson"]


def python_type(name):
    plain = {"Double": float, "Bool": bool, "String": bytes, "Utf8": str, "Yson": typing.Optional[schema.YsonBytes]}
    return plain.get(name) or getattr(schema, name)


def random_type(rng, depth):
    """Returns a pair: the type of a field, and a function that makes a value of it."""
    kind = rng.choice(["primitive"] * (1 if depth else 4) + ["list", "tuple", "dict", "struct"] * (depth > 0))
    if kind == "primitive":
        name = rng.choice(PRIMITIVES)
        made = python_type(name), lambda: random_primitive(rng, name)
    elif kind == "list":
        item, value = random_type(rng, depth - 1)
        made = typing.List[item], lambda: [value() for _ in range(rng.randrange(4))]
    elif kind == "tuple":
        parts = [random_type(rng, depth - 1) for _ in range(rng.randrange(1, 4))]
        made = typing.Tuple[tuple(item for item, _ in parts)], lambda: tuple(value() for _, value in parts)
    elif kind == "dict":
        name = rng.choice(["Int64", "Utf8", "String"])
        item, value = random_type(rng, depth - 1)
        made = (typing.Dict[python_type(name), item],
                lambda: {random_primitive(rng, name): value() for _ in range(rng.randrange(4))})
    else:
        row, value = random_class(rng, depth - 1)
        made = row, value
    if rng.random() < 0.4:
        inner, present = made
        return typing.Optional[inner], lambda: None if rng.random() < 0.3 else present()
    return made


def random_primitive(rng, name):
    if name in BITS:
        number = rng.randrange(2 ** BITS[name]) >> rng.randrange(BITS[name])
        # The bindings crash on 2^64 - 1.
        return min(number, 2 ** 64 - 2) if name[0] == "U" else rng.choice([number, -number - 1])
    if name in ("Float", "Double"):
        return rng.choice([0.0, -2.5, 2.0 ** 100, math.inf, rng.randrange(-10 ** 6, 10 ** 6) / 8])
    if name == "Bool":
        return rng.random() < 0.5
    if name == "Utf8":
        return rng.choice(["", "a", "жук", "x" * rng.randrange(70)])
    if name == "String":
        return rng.randbytes(rng.randrange(20))
    return yson.dumps(rng.choice([5, {"a": [1, "b"]}, "text", [True, 2.5], []]), yson_format="binary")


def random_class(rng, depth, top=False):
    parts = [(f"f{index}", *random_type(rng, depth)) for index in range(rng.randrange(1, 5))]
    row = type("Row", (), {"__annotations__": {name: kind for name, kind, _ in parts}})
    row = schema.yt_dataclass(row)
    return row, lambda: row(**{name: value() for name, _, value in parts})


def plain(value):
    """A value as YSON rows hold it, in named mode."""
    if dataclasses.is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.encode() if isinstance(value, str) else value


def matches(kind, wanted, found):
    """Compares an object's value with a parsed YSON value."""
    if typing.get_origin(kind) is typing.Union:
        if wanted is None or found is None or isinstance(found, yson.YsonEntity):
            return wanted is None and (found is None or isinstance(found, yson.YsonEntity))
        return matches(typing.get_args(kind)[0], wanted, found)
    if dataclasses.is_dataclass(kind):
        return all(matches(field.type, getattr(wanted, field.name), found.get(field.name.encode()))
                   for field in dataclasses.fields(kind))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return len(wanted) == len(found) and all(matches(parts[0], a, b) for a, b in zip(wanted, found))
    if origin is tuple:
        return len(wanted) == len(found) and all(matches(k, a, b) for k, a, b in zip(parts, wanted, found))
    if origin is dict:
        return len(wanted) == len(found) and all(
            matches(parts[0], key, pair[0]) and matches(parts[1], item, pair[1])
            for (key, item), pair in zip(wanted.items(), found))
    if kind is schema.YsonBytes:
        return (yson.dumps(yson.loads(wanted, encoding=None), yson_format="binary", sort_keys=True) ==
                yson.dumps(found, yson_format="binary", sort_keys=True))
    return plain(wanted) == found and isinstance(found, (bool, yson.YsonBoolean)) == isinstance(wanted, bool)


def load(format, data):
    # The context knows the place in a table; a plain stream has none.
    return list(format.load_rows(io.BytesIO(data)))


def convert(*words):
    harness.run("convert", *words, "--allow", "lossy")


def check_class(seed):
    rng = random.Random(seed)
    row, value = random_class(rng, 3)
    rows = [value() for _ in range(rng.randrange(1, 20))]

    def structured(for_reading):
        context = schema._SchemaRuntimeCtx().set_for_reading_only(for_reading)
        return StructuredSkiffFormat([context.create_row_py_schema(row)], for_reading=for_reading)

    dumper = structured(False)
    stream = io.BytesIO()
    dumper.dump_rows(iter(rows), stream)
    table = schema.TableSchema.from_row_type(row).to_yson_type()
    both = yson.dumps({"table_schemas": [table], "format": yson.to_yson_type(
        "skiff", attributes={"table_skiff_schemas": dumper._skiff_schemas})}, yson_format="text")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.skiff").write_bytes(stream.getvalue())
        (folder / "a.schema").write_bytes(both)
        convert(folder / "a.skiff", folder / "a.yson", "--schema", folder / "a.schema", "--yson-format", "binary")
        found = list(yson.loads((folder / "a.yson").read_bytes(), yson_type="list_fragment", encoding=None))
        assert len(found) == len(rows), f"expected {len(rows)} rows, found {len(found)}"
        for wanted, got in zip(rows, found):
            assert matches(row, wanted, got), f"expected {wanted}, found {got}"
        # Back, in the wire types that the wrapper reads.
        convert(folder / "a.yson", folder / "b.skiff", "--schema", folder / "a.schema")
        again = load(structured(True), (folder / "b.skiff").read_bytes())
        assert again == rows or [plain(r) for r in again] == [plain(r) for r in rows], f"expected {rows}, found {again}"


@pytest.mark.parametrize("seed", range(1000 if harness.ALL else 40))
def test_class(seed):
    # The bindings end the process on some inputs.
    harness.run_in_child(check_class, seed)
