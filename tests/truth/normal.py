"""Values of every system in one normal form, so that any two readers can be compared.

| values | normal form |
|---|---|
| integers, Booleans | Python's own |
| floats | ("f", the bits as a double); all NaNs are one |
| decimals | a Fraction, or "nan", "inf", "-inf" |
| text and bytes | bytes |
| dates, times, instants, durations | nanoseconds, an int |
| lists, maps | a list of values, a list of pairs |
| structs, tuples | a dict by name |
| alternatives | ("v", name, value) |
| absent | None; a level of absence above another is a dict with "value" |
"""
import pathlib
import struct
import sys
from fractions import Fraction

import pyarrow as pa

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "variant"))
from variant_bytes import read_dictionary, read_value

NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DAY = 86_400 * 10**9


def float_bits(value):
    if value is None:
        return None
    return ("f", "nan") if value != value else ("f", struct.pack(">d", value).hex())


def _scaled(array, width, factor):
    raw = array.view(pa.int64() if width == 64 else pa.int32()).to_pylist()
    return [None if value is None else value * factor for value in raw]


def _nested(array, lists):
    return [item if valid else None for item, valid in zip(lists, array.is_valid().to_pylist())]


def _slices(array, values, bounds):
    return _nested(array, [values[start:end] for start, end in bounds])


def _alternatives(array):
    kind = array.type
    children = [of_arrow(array.field(i)) for i in range(kind.num_fields)]
    position = {code: i for i, code in enumerate(kind.type_codes)}
    codes = array.type_codes.to_pylist()
    at = array.offsets.to_pylist() if kind.mode == "dense" else range(len(array))
    return [("v", kind.field(position[code]).name, children[position[code]][index])
            for code, index in zip(codes, at)]


def of_variant(value):
    """The normal form of a VARIANT of YSON, whose unsigned integers are decimals; `value` has the bytes of its two members."""
    def of_pair(pair):
        name, content = pair[0], pair[-1]
        if name == "object":
            return {key.encode(): of_pair(item) for key, item in content.items()}
        if name == "array":
            return [of_pair(item) for item in content]
        if name == "double":
            return float_bits(float(content))
        if name == "string":
            return content.encode()
        return ("u", content) if name == "decimal" else int(content) if name == "int" else content
    try:
        return of_pair(read_value(read_dictionary(value["metadata"])[0], value["value"]))
    except (AssertionError, IndexError, KeyError, UnicodeDecodeError, struct.error):
        return value  # bytes that are not a VARIANT


def of_arrow(array):
    """The values of a pyarrow array, or of a chunked one."""
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in of_arrow(chunk)]
    if len(array) == 0:  # pyarrow fails on buffers that need not be there.
        return []
    kind = array.type
    if isinstance(kind, pa.BaseExtensionType):
        return of_arrow(array.storage)
    if pa.types.is_dictionary(kind):
        # As pyarrow reads required members of structs that are all null: indices of no value.
        if len(array.dictionary) == 0:
            return [None] * len(array)
        if kind.value_type in (pa.string_view(), pa.binary_view()):  # pyarrow does not decode these.
            values = of_arrow(array.dictionary)
            return [None if at is None else values[at] for at in array.indices.to_pylist()]
        return of_arrow(array.dictionary_decode())
    if pa.types.is_run_end_encoded(kind):
        values, out, start = of_arrow(array.values), [], array.offset
        for value, end in zip(values, array.run_ends.to_pylist()):
            count = min(end, array.offset + len(array)) - start
            if count > 0:
                out += [value] * count
                start += count
        return out
    if pa.types.is_null(kind):
        return [None] * len(array)
    if pa.types.is_floating(kind):
        if kind == pa.float16():
            return [None if value is None else float_bits(float(value)) for value in array.to_pylist()]
        return [float_bits(value) for value in array.to_pylist()]
    if pa.types.is_decimal(kind):
        return [None if value is None else Fraction(value) for value in array.to_pylist()]
    if kind == pa.date32():
        return _scaled(array, 32, DAY)
    if kind == pa.date64():
        return _scaled(array, 64, NANOSECONDS["ms"])
    if pa.types.is_time32(kind):
        return _scaled(array, 32, NANOSECONDS[kind.unit])
    if pa.types.is_time64(kind) or pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return _scaled(array, 64, NANOSECONDS[kind.unit])
    if pa.types.is_interval(kind):
        return [None if value is None else tuple(value) for value in array.to_pylist()]
    if pa.types.is_struct(kind):
        names = [kind.field(i).name for i in range(kind.num_fields)]
        columns = [of_arrow(array.field(i)) for i in range(kind.num_fields)]
        rows = [dict(zip(names, row)) for row in zip(*columns)] if columns else [{} for _ in range(len(array))]
        rows = _nested(array, rows)
        return [row and of_variant(row) for row in rows] if names == ["metadata", "value"] else rows
    if pa.types.is_map(kind):
        pairs = list(zip(of_arrow(array.keys), of_arrow(array.items)))
        offsets = array.offsets.to_pylist()
        return _slices(array, pairs, zip(offsets, offsets[1:]))
    if pa.types.is_fixed_size_list(kind):
        values, size = of_arrow(array.values), kind.list_size
        starts = [(array.offset + i) * size for i in range(len(array))]
        return _slices(array, values, [(start, start + size) for start in starts])
    if isinstance(kind, (pa.ListViewType, pa.LargeListViewType)):
        starts, sizes = array.offsets.to_pylist(), array.sizes.to_pylist()
        return _slices(array, of_arrow(array.values), [(a, a + size) for a, size in zip(starts, sizes)])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        offsets = array.offsets.to_pylist()
        return _slices(array, of_arrow(array.values), zip(offsets, offsets[1:]))
    if pa.types.is_union(kind):
        return _alternatives(array)
    return [value.encode() if isinstance(value, str) else value for value in array.to_pylist()]


def of_table(table):
    """Rows of a pyarrow table: a list of values for each column, in order."""
    return [of_arrow(column) for column in table.columns]
