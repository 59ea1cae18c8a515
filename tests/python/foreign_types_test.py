"""Types of frames that Arrow does not have, and sources that are not paths: refused by name, or taken as `open` takes them."""
import io

import pytest

from tests import harness

with harness.skip_if_missing():
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq
harness.use_module()
import xwalk  # noqa: E402

FOLDER = harness.make_folder("foreign")

FRAMES = {
    "o": pl.DataFrame({"n": [1, 2], "o": pl.Series([{"a": 1}, {"b": 2}], dtype=pl.Object)}),
    "i": pl.DataFrame({"i": pl.Series([1], dtype=pl.Int128)}),
    "l[]": pl.DataFrame({"l": pl.Series([[1]], dtype=pl.List(pl.Int128))}),
    "s.u": pl.DataFrame({"s": pl.Series([{"u": 1}], dtype=pl.Struct({"u": pl.UInt128}))}),
}
CALLS = {
    "convert": lambda frame: xwalk.convert(frame, FOLDER / "never.yson"), "open": xwalk.open,
    "check": lambda frame: xwalk.check(frame, "yson"), "schema": xwalk.Schema.read, "target": lambda frame: xwalk.check("[]", frame),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("lazy", (False, True))
@pytest.mark.parametrize("path", FRAMES)
def test_types_of_polars_without_one_of_arrow(path, lazy, call):
    """Polars exports its objects as addresses in memory, which were written as eight bytes."""
    frame = FRAMES[path].lazy() if lazy else FRAMES[path]
    with pytest.raises(xwalk.UnsupportedError, match="Arrow has no type for .* of Polars") as raised:
        CALLS[call](frame)
    assert raised.value.path == path and raised.value.hint
    assert not (FOLDER / "never.yson").exists()


def test_bytes_of_rows_are_checked_like_the_file():
    table = pa.table({"a": [1, 2], "t": pa.array([1, 2], pa.uint64())})
    path = FOLDER / "rows.parquet"
    pq.write_table(table, path)
    for system in ("yson", "lance", "iceberg"):
        of_path = xwalk.check(path, system)
        for given in (path.read_bytes(), memoryview(path.read_bytes()), io.BytesIO(path.read_bytes())):
            assert xwalk.check(given, system).summary == of_path.summary
    assert xwalk.diff(path.read_bytes(), path).same
    with pytest.raises(xwalk.InputError, match="expected a schema of any system"):
        xwalk.check(b"{a=", "yson")


@pytest.mark.parametrize("call", (xwalk.open, lambda *rows, **options: xwalk.convert(*rows, FOLDER / "never.yson", **options)))
def test_an_empty_selection_is_not_all_columns(call):
    path = harness.write(FOLDER / "two.yson", "{a=1;b=2};", "[{name=a;type=int64};{name=b;type=int64}]")
    with pytest.raises(xwalk.UsageError, match="select: expected at least one column"):
        call(path, select=[])
    with pytest.raises(xwalk.UsageError, match="select: expected at least one column"):
        call(pa.table({"a": [1]}), select=[])


def test_values_of_a_dictionary_that_no_row_has():
    """Lance makes its own dictionaries of the rows, Arrow keeps those that it gets."""
    table = pa.table({"c": pa.DictionaryArray.from_arrays(pa.array([0, 0, None], pa.int8()), ["a", "b"])})
    for out, kept in (("c.lance", False), ("c.arrow", True)):
        report = xwalk.convert(table, FOLDER / out, mode="overwrite").report
        found = pa.table(xwalk.open(FOLDER / out))["c"].chunk(0).dictionary.to_pylist()
        assert found == (["a", "b"] if kept else ["a"])
        assert ("values of the dictionary that no row has" in report.to_json()) == (not kept)
