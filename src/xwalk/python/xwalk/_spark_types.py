"""Spark types for Arrow types, and restoring the original types of columns."""

from __future__ import annotations

import base64
import json
from typing import Any, Mapping

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.errors import PySparkException
from pyspark.sql.pandas.types import from_arrow_type, to_arrow_schema, to_arrow_type
from pyspark.sql.types import StructField, StructType, VariantType

from ._errors import UnsupportedError

#: Metadata key of a column in Spark: the Arrow field that was read. Spark keeps it while the column is unchanged, and drops
#: it from computed columns.
_KEPT = "xwalk.field"
#: Metadata key of a column in Spark: what reading changed in it.
_READ = "xwalk.read"
#: Metadata key of the first column of a table in Spark's catalog: the options of the table, as JSON.
_OPTIONS = "xwalk.options"

_PLAIN = (
    pa.types.is_boolean, pa.types.is_int8, pa.types.is_int16, pa.types.is_int32, pa.types.is_int64,
    pa.types.is_float32, pa.types.is_float64, pa.types.is_string, pa.types.is_binary, pa.types.is_date32,
    pa.types.is_null,
)

#: VARIANT as Spark gives it to Python and takes it from there.
_VARIANT = to_arrow_type(VariantType())


def _nearest_plain(kind: pa.DataType) -> pa.DataType | None:
    if any(is_plain(kind) for is_plain in _PLAIN):
        return kind
    if pa.types.is_uint8(kind):
        return pa.int16()
    if pa.types.is_uint16(kind):
        return pa.int32()
    if pa.types.is_uint32(kind):
        return pa.int64()
    if pa.types.is_uint64(kind):
        return pa.decimal128(20, 0)
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_decimal(kind):
        # Spark's scale is from 0 to the precision.
        scale = min(max(kind.scale, 0), 38)
        return pa.decimal128(min(max(kind.precision - min(kind.scale, 0), scale, 1), 38), scale)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_large_binary(kind) or pa.types.is_binary_view(kind) or pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_date64(kind):
        return pa.date32()
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", tz="UTC" if kind.tz else None)
    if pa.types.is_time(kind):
        return pa.time64("ns")
    if pa.types.is_duration(kind):
        return pa.duration("us")
    return None


def _nearest(kind: pa.DataType, path: str) -> pa.DataType:
    if isinstance(kind, pa.BaseExtensionType):
        return _nearest(kind.storage_type, path)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return _nearest(kind.value_type, path)
    plain = _nearest_plain(kind)
    if plain is not None:
        return plain
    if pa.types.is_map(kind):
        return pa.map_(_nearest(kind.key_type, path + "{key}"), _nearest_field(kind.item_field, path + "{value}").with_name("value"))
    if isinstance(kind, (pa.ListType, pa.LargeListType, pa.FixedSizeListType, pa.ListViewType, pa.LargeListViewType)):
        return pa.list_(_nearest_field(kind.value_field, path + "[]").with_name("element"))
    if pa.types.is_struct(kind):
        return pa.struct([_nearest_field(kind.field(i), f"{path}.{kind.field(i).name}") for i in range(kind.num_fields)])
    if pa.types.is_union(kind):
        # One member per alternative, of which one is set. A nullable alternative is wrapped.
        members = []
        for i in range(kind.num_fields):
            member = _nearest_field(kind.field(i), f"{path}.{kind.field(i).name}")
            inner = pa.struct([member.with_name("value")]) if member.nullable else member.type
            members.append(pa.field(member.name, inner))
        return pa.struct(members)
    raise UnsupportedError(f"{path}: Spark has no type that holds {kind}; leave the column out with option(\"select\", …)")


def _nearest_field(field: pa.Field, path: str) -> pa.Field:
    if (field.metadata or {}).get(b"ARROW:extension:name") == b"arrow.parquet.variant":
        return pa.field(field.name, _VARIANT, field.nullable)
    return pa.field(field.name, _nearest(field.type, path), field.nullable)


def to_spark(source: pa.Schema) -> StructType:
    """Returns the nearest schema that Spark can hold. Raises UnsupportedError with the path of a column without one."""
    columns = []
    for field in source:
        nearest = _nearest_field(field, field.name)
        # The metadata of a column stores its original type.
        kept = {}
        if field.metadata or not nearest.type.equals(field.type):
            kept[_KEPT] = base64.b64encode(pa.schema([field]).serialize().to_pybytes()).decode()
        columns.append(StructField(field.name, from_arrow_type(nearest.type), field.nullable, kept))
    return StructType(columns)


def with_changes(schema: StructType, changes: Mapping[str, str]) -> StructType:
    """Returns a schema whose columns store what reading changed in them."""
    return StructType([StructField(column.name, column.dataType, column.nullable, {**column.metadata, _READ: changes[column.name]})
                       if column.name in changes else column for column in schema])


def changes_of(schema: StructType) -> dict[str, str]:
    """Returns what `with_changes` has stored, of columns that are unchanged since."""
    return {column.name: column.metadata[_READ] for column in schema if _READ in (column.metadata or {})}


def with_options(schema: StructType, options: dict[str, str]) -> StructType:
    """Returns a schema that stores the options of a table."""
    columns = list(schema)
    if columns:
        first = columns[0]
        columns[0] = StructField(first.name, first.dataType, first.nullable, {**first.metadata, _OPTIONS: json.dumps(options)})
    return StructType(columns)


def options_of(schema: StructType) -> dict[str, str]:
    """Returns the options that `with_options` has stored, or an empty mapping."""
    stored: dict[str, str] = json.loads((schema[0].metadata or {}).get(_OPTIONS, "{}")) if len(schema) else {}
    return stored


def to_arrow(schema: StructType) -> pa.Schema:
    """Returns the Arrow schema of Spark's batches, with the user's metadata of columns."""
    fields = []
    for column in schema:
        metadata = {key: value for key, value in (column.metadata or {}).items() if key not in (_KEPT, _READ, _OPTIONS)}
        own = StructType([StructField(column.name, column.dataType, column.nullable, metadata)])
        try:
            fields += to_arrow_schema(own, timezone="UTC")
        except PySparkException as error:
            # Among them are intervals of years and months.
            raise UnsupportedError(f"{column.name}: Spark gives no values of {column.dataType.simpleString()} to Python; "
                                   "convert the column with DataFrame.withColumn") from error
    return pa.schema(fields)


def _kept_field(column: StructField) -> pa.Field | None:
    text: Any = (column.metadata or {}).get(_KEPT)
    if text is None:
        return None
    field = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(text))).field(0)
    # The column has been changed to another type.
    same = _nearest_field(field, field.name).type.equals(to_arrow_type(column.dataType, timezone="UTC"))
    return field.with_name(column.name).with_nullable(column.nullable) if same else None


def _with_variants(field: pa.Field) -> pa.Field:
    """Returns a field in which Spark's VARIANT, two members with bytes of which one is marked, is the extension type of Arrow."""
    kind = field.type
    if pa.types.is_struct(kind):
        members = [kind.field(i) for i in range(kind.num_fields)]
        if any((member.metadata or {}).get(b"variant") == b"true" for member in members):
            bare = pa.struct([member.remove_metadata() for member in sorted(members, key=lambda member: str(member.name))])
            return pa.field(field.name, bare, field.nullable, {**(field.metadata or {}), "ARROW:extension:name": "arrow.parquet.variant",
                                                               "ARROW:extension:metadata": ""})
        return field.with_type(pa.struct([_with_variants(member) for member in members]))
    if pa.types.is_map(kind):
        return field.with_type(pa.map_(kind.key_field, _with_variants(kind.item_field), kind.keys_sorted))
    if pa.types.is_list(kind):
        return field.with_type(pa.list_(_with_variants(kind.value_field)))
    return field


def as_read(schema: StructType) -> pa.Schema:
    """Returns the Arrow schema with the original types of columns that are unchanged since xwalk read them, and with VARIANT."""
    return pa.schema([_kept_field(column) or _with_variants(plain) for column, plain in zip(schema, to_arrow(schema))])
