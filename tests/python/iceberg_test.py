"""Random Iceberg schemas beside pyiceberg: the same JSON, the same Arrow schema, the same promotions, ids and changes."""
import json
import random
import re
import sys
import warnings

import pytest

from tests import harness
from tests.harness import run

# pyiceberg imports it if it is installed. Version 0.3.0 refuses the metadata of a CRS of the kind srid.
sys.modules["geoarrow.pyarrow"] = None

warnings.filterwarnings("ignore")
with harness.skip_if_missing():
    import pyarrow as pa
    from pyiceberg import types as it
    from pyiceberg.io.pyarrow import schema_to_pyarrow
    from pyiceberg.schema import Schema, assign_fresh_schema_ids, promote
    from pyiceberg.types import NestedField

FOLDER = harness.make_folder("iceberg")
SEED = 20
ROUNDS = 60

PRIMITIVES = [
    it.BooleanType(), it.IntegerType(), it.LongType(), it.FloatType(), it.DoubleType(), it.DateType(), it.TimeType(),
    it.TimestampType(), it.TimestamptzType(), it.TimestampNanoType(), it.TimestamptzNanoType(), it.StringType(),
    it.UUIDType(), it.BinaryType(), it.DecimalType(9, 2), it.DecimalType(38, 38), it.DecimalType(12, 2),
    it.FixedType(3), it.FixedType(16), it.UnknownType(), it.GeometryType("srid:3857"), it.GeographyType(),
    it.GeographyType("srid:4269", "vincenty")]
NAMES = ["a", "b c", "ключ", "x.y", "\"quoted\"", "A", "element", "7"]


def parsed(text):
    """The schema as pyiceberg reads it, which wants reference systems between quotes: the specification has none."""
    def quoted(match):
        return f'"{match[1]}({", ".join(repr(word.strip()) for word in match[2].split(","))})"'

    return Schema.model_validate_json(re.sub(r'"(geometry|geography)\(([^)]*)\)"', quoted, text))


def may_be_required(rng, of):
    """Values that are all null are never required, which pyiceberg does not ask."""
    return rng.random() < 0.5 and not isinstance(of, it.UnknownType)


def random_type(rng, ids, depth=0):
    kind = rng.random()
    if depth > 2 or kind < 0.6:
        return rng.choice(PRIMITIVES)
    if kind < 0.75:
        element = random_type(rng, ids, depth + 1)
        return it.ListType(element_id=next(ids), element_type=element, element_required=may_be_required(rng, element))
    if kind < 0.85:
        value = random_type(rng, ids, depth + 1)
        return it.MapType(key_id=next(ids), key_type=rng.choice([it.StringType(), it.LongType()]), value_id=next(ids),
                          value_type=value, value_required=may_be_required(rng, value))
    return it.StructType(*fields(rng, ids, depth + 1))


def fields(rng, ids, depth=0):
    out = []
    for name in rng.sample(NAMES, rng.randint(1, 4)):
        of = random_type(rng, ids, depth)
        out.append(NestedField(field_id=next(ids), name=name, field_type=of, required=may_be_required(rng, of),
                               doc=rng.choice([None, "what it is", "with \"quotes\" and\nlines"])))
    return out


def numbers(rng):
    for number in rng.sample(range(1, 5000), 4000):
        yield number


def random_schema(rng):
    ids = numbers(rng)
    columns = fields(rng, ids)
    plain = (it.BooleanType, it.IntegerType, it.LongType, it.StringType, it.UUIDType, it.DateType)
    identifiers = [f.field_id for f in columns if f.required and isinstance(f.field_type, plain)][:1]
    return Schema(*columns, schema_id=rng.randint(0, 9), identifier_field_ids=identifiers)


def written(schema):
    path = FOLDER / "schema.json"
    path.write_text(schema if isinstance(schema, str) else schema.model_dump_json())
    return path


def without_layouts(of):
    """The type in plain layouts: pyiceberg asks for large ones."""
    if pa.types.is_large_string(of):
        return pa.string()
    if pa.types.is_large_binary(of):
        return pa.binary()
    if pa.types.is_list(of) or pa.types.is_large_list(of):
        return pa.list_(plain_field(of.value_field))
    if pa.types.is_struct(of):
        return pa.struct([plain_field(field) for field in of])
    if pa.types.is_map(of):
        return pa.map_(plain_field(of.key_field), plain_field(of.item_field))
    return of


def plain_field(field):
    kept = {key: value for key, value in (field.metadata or {}).items() if not key.startswith(b"xwalk:")}
    # Geometry is bytes to pyiceberg here; python.geometry compares the types of geoarrow-pyarrow.
    if kept.get(b"ARROW:extension:name") == b"geoarrow.wkb":
        kept = {key: value for key, value in kept.items() if not key.startswith(b"ARROW:extension:")}
    return pa.field(field.name, without_layouts(field.type), field.nullable, metadata=kept)


def test_forms():
    """What pyiceberg writes is read and written again, and is the same to pyiceberg."""
    rng = random.Random(SEED)
    for _ in range(ROUNDS):
        schema = random_schema(rng)
        again = parsed(run("schema", written(schema)).stdout)
        assert again == schema and again.schema_id == schema.schema_id, (schema, again)
        assert sorted(again.identifier_field_ids) == sorted(schema.identifier_field_ids)
        for field in schema.fields:
            assert again.find_field(field.field_id).doc == field.doc


def test_arrow():
    """The Arrow schema, ids and docs included, is pyiceberg's in plain layouts."""
    rng = random.Random(SEED + 1)
    for _ in range(ROUNDS):
        schema = random_schema(rng)
        ipc = harness.run("schema", written(schema), "--to", "arrow", "--form", "ipc", text=False).stdout
        (FOLDER / "schema.ipc").write_bytes(ipc)
        ours = pa.ipc.read_schema(pa.py_buffer(ipc))
        theirs = schema_to_pyarrow(schema)
        for mine, other in zip(ours, theirs, strict=True):
            assert plain_field(mine).equals(plain_field(other), check_metadata=True), (mine, other)
        back = parsed(run("schema", FOLDER / "schema.ipc", "--from", "arrow", "--to", "iceberg").stdout)
        assert back == schema, (schema, back)


def test_ids():
    """A schema without ids gets those of a new table."""
    rng = random.Random(SEED + 2)
    for _ in range(ROUNDS):
        arrow = pa.schema([plain_field(field) for field in schema_to_pyarrow(random_schema(rng), include_field_ids=False)])
        (FOLDER / "bare.ipc").write_bytes(arrow.serialize().to_pybytes())
        ours = parsed(run("schema", FOLDER / "bare.ipc", "--from", "arrow", "--to", "iceberg").stdout)
        counter = iter(range(1, 10_000))
        assert assign_fresh_schema_ids(ours, lambda: next(counter)) == ours, ours


# What pyiceberg allows beside the specification: between text and bytes, a uuid of 16 bytes, and a decimal of another
# scale.
BEYOND = {("string", "binary"), ("binary", "string"), ("fixed[16]", "uuid")}


# Pyiceberg does not have all promotions of version 3.
@pytest.mark.parametrize("old", [of for of in PRIMITIVES if not isinstance(of, (it.DateType, it.UnknownType))], ids=str)
def test_promotions(old):
    def write(name, of):
        schema = Schema(NestedField(field_id=1, name="a", field_type=of, required=False))
        (FOLDER / name).write_text(schema.model_dump_json())
        return FOLDER / name

    for new in PRIMITIVES:
        try:
            theirs = old == new or promote(old, new) == new
        except Exception:
            theirs = False
        decimals = isinstance(old, it.DecimalType) and isinstance(new, it.DecimalType)
        if (str(old), str(new)) in BEYOND or (decimals and old.scale != new.scale):
            theirs = False
        done = harness.run("compat", write("old.json", old), write("new.json", new), code=None)
        assert (done.returncode == 0) == theirs, (old, new, done.stdout)


def test_evolution():
    """Changes give what pyiceberg gives: here the ids of nested columns that are added."""
    schema = Schema(NestedField(field_id=1, name="id", field_type=it.LongType(), required=True))
    path = written(json.dumps({"format-version": 2, "last-column-id": 7, "current-schema-id": 0,
                               "schemas": [json.loads(schema.model_dump_json())]}))
    out = parsed(run("evolve", path, "--add", "s=struct<x: int, y: list<string>>",
                                         "--rename", "id=key").stdout)
    assert [field.name for field in out.fields] == ["key", "s"], out
    assert [out.find_field(name).field_id for name in ("key", "s", "s.x", "s.y", "s.y.element")] == [1, 8, 9, 10, 11], out


def test_variant():
    """pyiceberg 0.12 has no variant, and refuses a schema with one. The type's name is that of the specification."""
    text = harness.run("schema", "-", "--from", "yt", "--to", "iceberg", input="[{name=v;type_v3={type_name=optional;item=yson}}]").stdout
    assert [field["type"] for field in json.loads(text)["fields"]] == ["variant"], text
    with pytest.raises(ValueError, match="Unsupported field type: 'variant'"):
        Schema.model_validate_json(text)
