"""Rows that other programs get begin at the first element of every array: many readers take others, or fail, if an array is a
part of a longer one."""
import datetime
import decimal

import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import nanoarrow
    import pyarrow as pa

import xwalk  # noqa: E402

ROWS = 61


def of(kind, n):
    """The value of row `n`, null in some rows at each level."""
    types = pa.types
    if n % 5 == 3 or types.is_null(kind):
        return None
    if types.is_boolean(kind):
        return n % 2 == 0
    if types.is_integer(kind):
        return n
    if types.is_floating(kind):
        return n / 2
    if types.is_decimal(kind):
        return decimal.Decimal(n) / 4
    if types.is_interval(kind):
        return pa.MonthDayNano([n, 1, 2])
    if types.is_date(kind):
        return datetime.date(2026, 1, 1) + datetime.timedelta(n)
    if types.is_timestamp(kind):
        return datetime.datetime(2026, 1, 1) + datetime.timedelta(seconds=n)
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return f"text of row {n}"
    if types.is_fixed_size_binary(kind):
        return bytes([n] * kind.byte_width)
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind):
        return bytes([n, 255])
    if types.is_struct(kind):
        return {field.name: of(field.type, n + place + 1) for place, field in enumerate(kind)}
    if types.is_map(kind):
        return [(f"k{place}", of(kind.item_type, n + place)) for place in range(n % 3)]
    if types.is_fixed_size_list(kind):
        return [of(kind.value_type, n + place) for place in range(kind.list_size)]
    return [of(kind.value_type, n + place) for place in range(n % 4)]


FLAT = [
    pa.null(), pa.bool_(), pa.int8(), pa.int64(), pa.uint16(), pa.float16(), pa.float64(), pa.decimal128(9, 2), pa.decimal256(50, 2),
    pa.date32(), pa.timestamp("us"), pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(),
    pa.binary(3), pa.month_day_nano_interval(),
]
NESTED = [kind for item in (pa.bool_(), pa.string(), pa.struct([("a", pa.bool_())]), pa.decimal128(9, 2)) for kind in (
    pa.list_(item), pa.large_list(item), pa.list_(item, 2), pa.list_view(item), pa.map_(pa.string(), item),
    pa.struct([("m", item), ("l", pa.list_(item))]), pa.list_(pa.list_(item)), pa.struct([("s", pa.struct([("l", pa.list_(item))]))]),
)]


def columns():
    for kind in FLAT + NESTED:
        yield str(kind), pa.array([of(kind, n) for n in range(ROWS)], kind)
    text = pa.array([of(pa.string(), n // 9) for n in range(ROWS)])
    yield "dictionary", text.dictionary_encode()
    yield "dictionary in a list", pa.ListArray.from_arrays(pa.array(range(0, ROWS + 1), pa.int32()), text.dictionary_encode())
    codes = pa.array([n % 2 for n in range(ROWS)], pa.int8())
    numbers, bits = pa.array(range(ROWS)), pa.array([of(pa.bool_(), n) for n in range(ROWS)])
    yield "sparse union", pa.UnionArray.from_sparse(codes, [numbers, bits])
    yield "dense union", pa.UnionArray.from_dense(codes, pa.array([n // 2 for n in range(ROWS)], pa.int32()), [numbers, bits])


def offsets(array):
    """The offsets of an array and of all that it holds; the first item of its lists is one."""
    kind, found = array.type, [array.offset]
    if pa.types.is_struct(kind) or pa.types.is_union(kind):
        return found + [one for place in range(kind.num_fields) for one in offsets(array.field(place))]
    if pa.types.is_dictionary(kind):
        return found + offsets(array.dictionary)
    if not pa.types.is_nested(kind):
        return found
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        found.append(array.offsets[0].as_py())
    return found + offsets(array.values)


def batches(rows):
    return list(pa.RecordBatchReader.from_stream(rows))


COLUMNS = dict(columns())


@pytest.mark.parametrize("name", COLUMNS)
def test_a_part_of_a_frame(name):
    for begin, length in ((0, 9), (1, 1), (3, 40), (8, 16), (ROWS - 1, 1), (5, 0)):
        part = pa.table({"x": COLUMNS[name]}).slice(begin, length)
        found = batches(xwalk.open(part))
        for batch in found:
            batch.validate(full=True)
            assert set(offsets(batch.column(0))) == {0}, (begin, length)
        assert pa.Table.from_batches(found, part.schema)["x"].to_pylist() == part["x"].to_pylist(), (begin, length)


@pytest.mark.parametrize("options", [{"tail": 13}, {"batch_rows": 7}], ids=str)
@pytest.mark.parametrize("system", ["arrow", "parquet", "vortex"])
def test_rows_of_files(system, options, tmp_path):
    names = [name for name in COLUMNS if "view" not in name and "union" not in name and (system == "arrow" or "interval" not in name)
             and (system != "vortex" or "fixed_size_binary" not in name)]
    table = pa.table({name: COLUMNS[name] for name in names})
    xwalk.convert(table, tmp_path / f"rows.{system}")
    expected = table.slice(ROWS - options.get("tail", ROWS))
    found = batches(xwalk.open(tmp_path / f"rows.{system}", **options))
    for batch in found:
        for column in batch.columns:
            assert set(offsets(column)) == {0}
    for name in names:
        assert [value for batch in found for value in batch.column(name).to_pylist()] == expected[name].to_pylist(), name


def test_nanoarrow_has_the_same_rows():
    names = ["decimal128(9, 2)", "fixed_size_binary[3]", "halffloat", "bool"]
    part = pa.table({name: COLUMNS[name] for name in names}).slice(5, 20)
    for batch in batches(xwalk.open(part)):
        for name in names:
            assert list(nanoarrow.Array(batch.column(name)).to_pylist()) == part[name].to_pylist(), name
