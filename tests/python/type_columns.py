"""A column for each type of Lance and Vortex that `xwalk types` lists: what reader_systems_test.py and every_type_test.py write."""
import datetime
import decimal
import json
import subprocess

import pyarrow as pa


def arrow_schema(program, system: str, words: str) -> pa.Schema:
    """Returns the Arrow schema that xwalk maps a type to."""
    text = "{v=%s}" % words
    if system == "lance":
        text = "v: " + json.loads(subprocess.run([program, "type", words, "--from", system, "--to", "arrow", "--json"],
                                                 capture_output=True, text=True, check=True).stdout)[0]["type"]
        system = "arrow"
    return pa.ipc.read_schema(pa.BufferReader(subprocess.run(
        [program, "schema", "-", "--from", system, "--to", "arrow", "--form", "ipc"], input=text.encode(), capture_output=True,
        check=True).stdout))


def value(kind: pa.DataType):
    if isinstance(kind, pa.BaseExtensionType):
        return '{"a":1}' if kind.extension_name == "arrow.json" else value(kind.storage_type)
    types = pa.types
    if types.is_null(kind):
        return None
    if types.is_boolean(kind):
        return True
    if types.is_integer(kind):
        return 7
    if types.is_floating(kind):
        return 1.5
    if types.is_decimal(kind):
        return decimal.Decimal("1.25")
    if types.is_string(kind) or types.is_large_string(kind):
        return "x"
    if types.is_fixed_size_binary(kind):
        return bytes(range(kind.byte_width))
    if types.is_binary(kind) or types.is_large_binary(kind):
        return b"\xff\x00"
    if types.is_date(kind):
        return datetime.date(2024, 1, 2)
    if types.is_map(kind):
        return [(value(kind.key_type), value(kind.item_type))]
    if types.is_fixed_size_list(kind):
        return [value(kind.value_type)] * kind.list_size
    if types.is_list(kind) or types.is_large_list(kind):
        return [value(kind.value_type)]
    if types.is_struct(kind):
        return {field.name: value(field.type) for field in kind}
    if types.is_dictionary(kind):
        return value(kind.value_type)
    raise TypeError(str(kind))


def column(field: pa.Field) -> pa.Array:
    """Two values, which use the unit of a time to its last digit."""
    kind = field.type
    if field.metadata and field.metadata.get(b"ARROW:extension:name") == b"arrow.parquet.variant":
        # The number 7, in the encoding of variants.
        return pa.array([{"metadata": b"\x01\x00\x00", "value": b"\x0c\x07"}] * 2, kind)
    if pa.types.is_fixed_size_list(kind) and str(kind.value_type) == "fixed_size_binary[2]":
        from lance.arrow import bfloat16_array
        return pa.FixedSizeListArray.from_arrays(bfloat16_array([1.0] * (2 * kind.list_size)), kind.list_size)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array([value(kind)] * 2, kind.storage_type))
    if pa.types.is_time32(kind) or pa.types.is_time64(kind) or pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        width = pa.int32() if pa.types.is_time32(kind) else pa.int64()
        return pa.array([3_601] * 2, width).cast(kind) if pa.types.is_time32(kind) else pa.array([3_600_000_001] * 2, width).cast(kind)
    return pa.array([value(kind)] * 2, kind)


def storage(array):
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    return array.storage if isinstance(array.type, pa.BaseExtensionType) else array


def same(got, written: pa.Array) -> bool:
    """Returns true if a column that was read holds the values of one that was written. The types may differ."""
    got = storage(got)
    expected = storage(written)
    if pa.types.is_duration(expected.type) and pa.types.is_interval(got.type):
        nanos = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}[expected.type.unit]
        return [one.nanoseconds for one in got.to_pylist()] == [one * nanos for one in expected.cast(pa.int64()).to_pylist()]
    try:
        return got.cast(expected.type).equals(expected)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, NotImplementedError):
        plain = lambda values: [dict(one) if isinstance(one, list) and one and isinstance(one[0], tuple) else one for one in values]  # noqa: E731
        return plain(got.to_pylist()) == plain(expected.to_pylist()) or str(got.to_pylist()) == str(expected.to_pylist())
