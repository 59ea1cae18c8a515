"""`to_pandas` keeps every value of every type of Arrow, and its types depend on the schema alone."""
import datetime
import decimal
import re
import uuid

import pytest

from tests import harness

with harness.skip_if_missing():
    import pandas
    import pyarrow as pa
harness.use_module()

import xwalk  # noqa: E402

#: A number that no double equals.
FAR = 2**53 + 1
MOMENT = 1_700_000_000_123_456


def items(values: pa.Array) -> pa.Array:
    return pa.ListArray.from_arrays([0, len(values), len(values)], values)


def extension(kind: pa.DataType, *values) -> pa.Array:
    return pa.ExtensionArray.from_storage(kind, pa.array([*values, None], kind.storage_type))


#: Columns with their types in pandas.
COLUMNS = {
    **{str(kind): (pa.array([0, 1, None], kind), str(kind).capitalize().replace("Ui", "UI"))
       for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())},
    "far": (pa.array([FAR, None]), "Int64"),
    "farther": (pa.array([2**64 - 1, None], pa.uint64()), "UInt64"),
    "without nulls": (pa.array([FAR, 1]), "Int64"),
    "flag": (pa.array([True, None]), "boolean"),
    "number": (pa.array([1.5, None]), "float64"),
    "text": (pa.array(["a", None]), "str"),
    "bytes": (pa.array([b"a", None]), "object"),
    "day": (pa.array([datetime.date(9999, 1, 1), None]), "object"),
    "instant": (pa.array([MOMENT, None], pa.timestamp("us", "UTC")), "datetime64[us, UTC]"),
    "nanoseconds": (pa.array([MOMENT * 1000 + 1, None], pa.timestamp("ns")), "datetime64[ns]"),
    "elapsed": (pa.array([MOMENT, None], pa.duration("us")), "timedelta64[us]"),
    "time": (pa.array([1, None], pa.time64("us")), "object"),
    "decimal": (pa.array([decimal.Decimal("1.25"), None]), "object"),
    "label": (pa.array([FAR, None]).dictionary_encode(), "category"),
    "runs": (pa.RunEndEncodedArray.from_arrays([1, 2], [FAR, None]), "Int64"),
    "uuid": (extension(pa.uuid(), uuid.UUID(int=1).bytes), "object"),
    "opaque": (extension(pa.opaque(pa.int64(), "a", "b"), FAR), "extension<arrow.opaque[storage_type=int64, type_name=a, vendor_name=b]>[pyarrow]"),
    "tensor": (extension(pa.fixed_shape_tensor(pa.int64(), [2]), [FAR, 1]),
               "extension<arrow.fixed_shape_tensor[value_type=int64, shape=[2]]>[pyarrow]"),
    "embedding": (pa.array([[1.5, 2.5], None], pa.list_(pa.float32(), 2)), "object"),
    "texts": (pa.array([["a", None], None]), "object"),
    "list": (items(pa.array([FAR, None])), "list<item: int64>[pyarrow]"),
    "large": (pa.array([[FAR, None], None], pa.large_list(pa.int64())), "large_list<item: int64>[pyarrow]"),
    "view": (pa.array([[FAR, None], None], pa.list_view(pa.int64())), "list<item: int64>[pyarrow]"),
    "views": (pa.array([{"a": [FAR, None]}, None], pa.struct([("a", pa.large_list_view(pa.int64()))])),
              "struct<a: large_list_view<item: int64>>[pyarrow]"),
    "fixed": (pa.array([[FAR, None], None], pa.list_(pa.int64(), 2)), "fixed_size_list<item: int64>[2][pyarrow]"),
    "struct": (pa.array([{"a": FAR}, {"a": None}, None]), "struct<a: int64>[pyarrow]"),
    "map": (pa.array([[("k", FAR), ("n", None)], None], pa.map_(pa.string(), pa.int64())), "map<string, int64>[pyarrow]"),
    "deep": (pa.array([{"a": [{"b": FAR}, {"b": None}]}, None]), "struct<a: list<item: struct<b: int64>>>[pyarrow]"),
    "times": (pa.array([[1, None], None], pa.list_(pa.time64("us"))), "object"),
    "instants": (pa.array([{"a": 1}, None], pa.struct([("a", pa.timestamp("ns"))])), "struct<a: timestamp[ns]>[pyarrow]"),
    "labels": (items(pa.array([FAR, None]).dictionary_encode()), "list<item: dictionary<values=int64, indices=int32, ordered=0>>[pyarrow]"),
}

#: Types of Arrow that pandas has not.
OTHER = re.compile("view|run_end")


@pytest.mark.parametrize("name", COLUMNS)
def test_values_come_back(name):
    column, dtype = COLUMNS[name]
    frame = xwalk.open(pa.table({"x": column})).to_pandas()
    assert str(frame["x"].dtype) == dtype
    assert repr(frame)
    found = pa.Table.from_pandas(frame, preserve_index=False)["x"] if OTHER.search(str(column.type)) else \
        pa.Table.from_pandas(frame, pa.schema([("x", column.type)]))["x"]
    assert found.to_pylist() == column.to_pylist() and (found.type == column.type or OTHER.search(str(column.type)))


@pytest.mark.parametrize("name", COLUMNS)
def test_types_of_no_rows_are_the_same(name):
    column, dtype = COLUMNS[name]
    assert str(xwalk.open(pa.table({"x": column}), limit=0).to_pandas()["x"].dtype) == dtype


@pytest.mark.parametrize("column", [pa.array([1], pa.time64("ns")), pa.array([[1]], pa.list_(pa.time64("ns")))])
def test_times_in_nanoseconds_are_refused(column):
    """Nothing that pandas can print has them."""
    with pytest.raises(xwalk.UnsupportedError, match="non-zero nanoseconds"):
        xwalk.open(pa.table({"x": column})).to_pandas()


def test_values_of_a_cast_come_back():
    rows = xwalk._rows.cast(pa.table({"x": pa.array([FAR, None])}), xwalk.Schema.from_arrow(pa.schema([("x", pa.uint64())])))
    assert rows.to_pandas()["x"].tolist() == [FAR, pandas.NA]


def test_the_index_of_pandas_is_kept(tmp_path):
    frame = pandas.DataFrame({"x": [FAR, 2]}, index=pandas.Index([7, 8], name="key"))
    frame.to_parquet(tmp_path / "in.parquet")
    assert xwalk.open(tmp_path / "in.parquet").to_pandas().index.tolist() == [7, 8]
