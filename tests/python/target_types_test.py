"""`target_schema` with types of pyarrow or Polars: every format writes only values of these types, and a type that the output
does not give back is named."""
import datetime
import decimal
import re
import warnings

import pytest

from tests import harness

with harness.skip_if_missing():
    import polars as pl
    import pyarrow as pa
harness.use_module()

import xwalk  # noqa: E402

FORMATS = ["parquet", "yson", "skiff", "arrow", "vortex", "lance"]
HALVES = pa.list_(pa.float16(), 2)
SECONDS = pa.duration("s")
WORDS = pa.dictionary(pa.int8(), pa.string())
PART = datetime.timedelta(milliseconds=1)
#: A type, values that it holds, values that it does not hold with the message, and the formats that do not give it back.
TYPES = {
    "lists of two": (HALVES, [[1.0, 2.5], None], [[1.0, 2.0, 3.0]], "expected a list of 2 items, found 3", {"yson", "skiff"}),
    "halves": (HALVES, [[1.0, None]], [[1.0, 1 / 3]], "fits 16 bits", {"yson", "skiff"}),
    "half": (pa.float16(), [1.5, None], [1 / 3], "fits 16 bits", {"yson", "skiff"}),
    "seconds": (SECONDS, [1000 * PART, None], [PART], "whole number of s", {"yson", "skiff"}),
    "nested": (pa.struct([("a", pa.list_(SECONDS))]), [{"a": [1000 * PART]}, None], [{"a": [PART]}], "whole number of s", {"yson", "skiff"}),
    "bytes": (pa.binary(3), [b"abc", None], [b"ab"], "expected 3 bytes", {"yson", "skiff"}),
    "words": (WORDS, ["a", "b", None], None, "", {"yson", "skiff"}),
    "times": (pa.time32("s"), [datetime.time(1), None], [datetime.time(1, 0, 0, 1)], "whole number of s", {"yson", "skiff"}),
}


def plain(kind: pa.DataType) -> pa.DataType:
    """A wider type, of the source."""
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, plain(field.type)) for field in kind])
    if pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind):
        return pa.list_(plain(kind.value_type))
    return {pa.float16(): pa.float64(), SECONDS: pa.duration("us"), pa.binary(3): pa.binary(), WORDS: pa.string(),
            pa.time32("s"): pa.time64("us")}[kind]


def write(folder, name, values, kind):
    """Writes values and returns the rows that the output has."""
    table, target = pa.table({"x": pa.array(values, plain(kind))}), folder / f"out.{name}"
    try:
        done = xwalk.convert(table, target, target_schema=pa.schema([("x", kind)]))
    except xwalk.IoError as error:
        if "need" in str(error):
            pytest.skip(str(error))
        raise
    return xwalk.open(target, **({"schema": done.schema} if name == "skiff" else {})).to_arrow()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("case", TYPES)
@pytest.mark.filterwarnings("ignore::xwalk.NoteWarning")
def test_values_are_those_of_the_type(case, name, tmp_path):
    kind, values, others, message, _ = TYPES[case]
    assert write(tmp_path, name, values, kind).num_rows == len(values)
    if others is not None:
        with pytest.raises(xwalk.InputError, match=message):
            write(tmp_path, f"other.{name}", others, kind)
        assert not (tmp_path / f"out.other.{name}").exists()


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("case", TYPES)
def test_a_type_comes_back_or_is_named(case, name, tmp_path):
    kind, values, _, _, lacking = TYPES[case]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", xwalk.NoteWarning)
        table = write(tmp_path, name, values, kind)
    named = any("x" in str(note.message) and "has no" in str(note.message) for note in caught)
    assert named == (name in lacking)
    if not named:
        assert table.schema.field("x").type == kind
        assert table["x"].to_pylist() == values


def test_types_of_polars(tmp_path):
    table = pa.table({"x": [[1.0, 2.0, 3.0]], "t": ["a"]})
    with warnings.catch_warnings(), pytest.raises(xwalk.InputError, match="expected a list of 2 items, found 3"):
        warnings.simplefilter("ignore", xwalk.NoteWarning)
        xwalk.convert(table, tmp_path / "out.yson", target_schema={"x": pl.Array(pl.Float32, 2), "t": pl.String})


def test_layouts_are_not_named(tmp_path):
    """A wide or viewed text holds the same values."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        xwalk.convert(pa.table({"t": ["a"]}), tmp_path / "out.yson", target_schema={"t": pl.String})
        assert xwalk.open(tmp_path / "out.yson").to_arrow()["t"].to_pylist() == ["a"]


def test_a_cast_of_the_user_wins(tmp_path):
    done = xwalk.convert(pa.table({"x": [1, 2]}), tmp_path / "out.parquet", target_schema=pa.schema([("x", SECONDS)]),
                         cast={"x": "storage:duration[s]"})
    assert done.rows == 2 and xwalk.open(tmp_path / "out.parquet").to_arrow()["x"].to_pylist() == [1000 * PART, 2000 * PART]


@pytest.mark.parametrize("case", TYPES)
@pytest.mark.filterwarnings("ignore::xwalk.NoteWarning")
def test_a_check_reports_what_a_conversion_does(case, tmp_path):
    kind, values, *_ = TYPES[case]
    table, schema = pa.table({"x": pa.array(values, plain(kind))}), pa.schema([("x", kind)])
    for name in ("parquet", "yson"):
        done = xwalk.convert(table, tmp_path / f"out.{name}", target_schema=schema)
        assert xwalk.check(table, name, target_schema=schema).to_dict()["paths"] == done.report.to_dict()["paths"]


def test_a_check_of_two_targets_is_refused():
    table, schema = pa.table({"x": [1]}), xwalk.Schema.parse("[{name=x;type=int64}]")
    for options in ({"to": schema}, {"to": "[{name=x;type=int64}]"}, {"append": "there.parquet"}):
        with pytest.raises(xwalk.UsageError, match="target_schema: expected the name"):
            xwalk.check(table, target_schema=schema, **options)
    with pytest.raises(xwalk.UsageError, match="expected a schema for parquet, found one of yt"):
        xwalk.check(table, "parquet", target_schema=schema)
    assert xwalk.check(table, "yson", target_schema=schema).verdict == xwalk.check(table, target_schema=schema).verdict == "exact"


DAY = datetime.datetime(2024, 1, 1)
TENSOR = pa.fixed_shape_tensor(pa.float32(), (2,))
#: Types of pyarrow by a value that they and a wider type of the source hold.
EVERY = [
    *((kind, 1, pa.int64()) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())),
    *((kind, 1.5, pa.float64()) for kind in (pa.float16(), pa.float32(), pa.float64())), (pa.bool_(), True, pa.bool_()), (pa.null(), None, pa.null()),
    *((kind, "a", pa.string()) for kind in (pa.string(), pa.large_string(), pa.string_view())),
    *((kind, b"ab", pa.binary()) for kind in (pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(2))),
    *((kind, DAY.date(), pa.date32()) for kind in (pa.date32(), pa.date64())),
    *((kind, datetime.time(1), pa.time64("us")) for kind in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))),
    *((pa.timestamp(unit), DAY, pa.timestamp("us")) for unit in ("s", "ms", "us", "ns")),
    *((pa.timestamp(unit, zone), DAY.replace(tzinfo=datetime.timezone.utc), pa.timestamp("us", "UTC"))
      for unit in ("s", "us", "ns") for zone in ("UTC", "Europe/Paris")),
    *((pa.duration(unit), datetime.timedelta(seconds=5), pa.duration("us")) for unit in ("s", "ms", "us", "ns")),
    (pa.month_day_nano_interval(), pa.MonthDayNano([1, 2, 3_000_000]), pa.month_day_nano_interval()),
    *((kind, decimal.Decimal("1.25"), pa.decimal128(5, 2)) for kind in (pa.decimal32(5, 2), pa.decimal64(12, 2), pa.decimal128(20, 2), pa.decimal256(50, 2))),
    *((pa.dictionary(index, kind, ordered), value, kind) for index in (pa.int8(), pa.uint16()) for ordered in (False, True) for kind, value in
      ((pa.string(), "a"), (pa.large_string(), "a"), (pa.binary(), b"a"), (pa.int64(), 1), (pa.float64(), 1.5), (pa.bool_(), True), (pa.date32(), DAY.date()),
       (pa.timestamp("us"), DAY), (pa.decimal128(5, 2), decimal.Decimal("1.25")))),
    *((kind, [1], pa.list_(pa.int64())) for kind in (pa.large_list(pa.int64()), pa.list_view(pa.int64()), pa.large_list_view(pa.int64()),
                                                     pa.list_(pa.int64(), 1))),
    *((kind, value, kind) for kind, value in ((pa.uuid(), bytes(16)), (pa.json_(), '{"a":1}'), (pa.bool8(), 1), (TENSOR, [1.0, 2.0]))),
]
#: Types around a type, and a value around a value.
AROUND = {
    "column": (lambda kind: kind, lambda value: value), "list": (pa.list_, lambda value: [value, None]),
    "struct": (lambda kind: pa.struct([("m", kind)]), lambda value: {"m": value}),
    "map": (lambda kind: pa.map_(pa.string(), kind), lambda value: [("a", value), ("b", None)]),
}


def column(kind, values):
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))
    return pa.array(values, kind)


def values_alone(kind):
    """Returns the text of a type without the layout of its values, names of items, and what may be null."""
    return re.sub(r"large_|_view| not null", "", str(kind)).replace("element:", "item:")


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", FORMATS)
def test_every_type_comes_back_or_is_named(name, around, tmp_path):
    outer, of = AROUND[around]
    silent = []
    for number, (kind, value, source) in enumerate(EVERY):
        if around != "column" and isinstance(kind, pa.BaseExtensionType):
            continue  # pyarrow makes no array of these from values
        table, wanted = pa.table({"x": column(outer(source), [of(value), None])}), outer(kind)
        target = tmp_path / f"{number}.{name}"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", xwalk.NoteWarning)
            try:
                done = xwalk.convert(table, target, target_schema=pa.schema([("x", wanted)]))
            except xwalk.IoError as error:
                if "need" in str(error):
                    pytest.skip(str(error))
                raise
        found = xwalk.open(target, **({"schema": done.schema} if name == "skiff" else {})).to_arrow()
        named = any("x" in str(note.message) and "has no" in str(note.message) for note in caught)
        same = values_alone(found.schema.field("x").type) == values_alone(wanted)
        if named == same:
            silent.append(f"{wanted}: {found.schema.field('x').type}, {'named' if named else 'not named'}")
        elif same and not isinstance(kind, pa.BaseExtensionType):
            assert found["x"].to_pylist() == table["x"].to_pylist(), wanted
    assert silent == []


@pytest.mark.parametrize("name", ["parquet", "yson", "arrow", "vortex"])
def test_a_cast_to_a_type_of_pyarrow_has_its_parameters(name, tmp_path):
    """A tensor is cast to a tensor of the same shape, and of no other."""
    table = pa.table({"x": column(TENSOR, [[1.0, 2.0], None])})
    xwalk.convert(table, tmp_path / f"out.{name}", cast={"x": TENSOR})
    with pytest.raises(xwalk.UnsupportedError, match="shape"):
        xwalk.convert(table, tmp_path / f"other.{name}", cast={"x": pa.fixed_shape_tensor(pa.float32(), (1, 2))})
