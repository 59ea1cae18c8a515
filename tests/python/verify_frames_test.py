"""`convert(…, verify=True)` of rows without a file: tables and frames are read again, and what can be read once is refused."""
import io
import pathlib

import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.dataset

import xwalk  # noqa: E402

TABLE = pa.table({"id": pa.array([3, None, 1], pa.int64()), "s": ["a", "b", None], "day": ["x", "y", "x"],
                  "l": pa.array([[1.5, None], None, []], pa.list_(pa.float64()))})
FRAMES = {
    "pyarrow": lambda: TABLE, "batch": lambda: TABLE.to_batches()[0], "dataset": lambda: pa.dataset.dataset(TABLE),
    "pandas": lambda: TABLE.to_pandas(types_mapper=pd.ArrowDtype), "polars": lambda: pl.DataFrame(TABLE),
    "lazy": lambda: pl.DataFrame(TABLE).lazy(), "duckdb": lambda: duckdb.from_arrow(TABLE),
    "bytes": lambda: b'{id=1;s="a"};', "rows": lambda: xwalk.open(TABLE),
}
FORMATS = ("yson", "skiff", "parquet", "arrow", "vortex", "lance")


def options_of(name):
    return {"format": "yson"} if name == "bytes" else {}


@pytest.mark.parametrize("frame", [name for name in FRAMES if name != "rows"])
@pytest.mark.parametrize("system", FORMATS)
def test_equal_rows(tmp_path, system, frame):
    out = tmp_path / f"out.{system}"
    done = xwalk.convert(FRAMES[frame](), out, verify=True, **options_of(frame))
    assert done.rows == (1 if frame == "bytes" else 3) and out.exists()


@pytest.mark.parametrize("system", ["parquet", "yson"])
def test_options_hold_for_both_readings(tmp_path, system):
    for number, options in enumerate([{"select": ["s", "id"]}, {"exclude": ["l"]}, {"rename": {"s": "t"}}, {"cast": {"id": "string"}},
                                      {"limit": 2}, {"tail": 1}]):
        xwalk.convert(TABLE, tmp_path / f"{number}.{system}", verify=True, **options)
    if system == "parquet":
        xwalk.convert(TABLE, f"{tmp_path}/parts/", to=system, partition_by=["day"], verify=True)
    table = pa.table({"s": ["1", "x", "3"]})
    done = xwalk.convert(table, tmp_path / f"skip.{system}", cast={"s": "int64"}, on_error="skip", verify=True)
    assert (done.rows, done.rejected) == (2, 1)


class Changing:
    """A table whose second reading differs from the first."""

    def __init__(self, *tables):
        self.tables = list(tables)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.tables.pop(0).__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("second, word", [
    (pa.table({"id": [1, 2, 4]}), "differs"), (pa.table({"id": [1, 2]}), "differs"), (pa.table({"id": [1, 2, None]}), "differs"),
])
def test_a_difference_is_an_error(tmp_path, second, word):
    """The output is what the first reading gave."""
    with pytest.raises(xwalk.InputError, match="the output differs from its input: rows → ") as raised:
        xwalk.convert(Changing(pa.table({"id": [1, 2, 3]}), second), tmp_path / "out.parquet", verify=True)
    assert word in str(raised.value) and str(tmp_path / "out.parquet") in str(raised.value)


@pytest.mark.parametrize("once", [
    lambda: TABLE.to_reader(), lambda: io.BytesIO(b"{id=1};"), lambda: pa.dataset.dataset(TABLE).scanner().to_reader(),
], ids=["reader", "file", "scanner"])
def test_rows_that_can_be_read_once_are_refused(tmp_path, once):
    with pytest.raises(xwalk.UsageError, match="reads the input twice, found rows that can be read once") as raised:
        xwalk.convert(once(), tmp_path / "out.yson", verify=True, **({"format": "yson"} if isinstance(once(), io.BytesIO) else {}))
    assert "Give a table, or the name of a file." in str(raised.value)
    assert not list(pathlib.Path(tmp_path).iterdir())


def test_outputs_that_cannot_be_read_again(tmp_path):
    with pytest.raises(xwalk.UsageError, match="found an output without a name"):
        xwalk.convert(TABLE, io.BytesIO(), to="yson", verify=True)
    with pytest.raises(xwalk.UsageError, match="xwalk only writes this format|expected an output that can be read"):
        xwalk.convert(TABLE.select(["id"]), tmp_path / "out.csv", verify=True)
    xwalk.convert(TABLE, tmp_path / "a.yson")
    with pytest.raises(xwalk.UsageError, match="Rows that are added to others cannot be verified"):
        xwalk.convert(TABLE, tmp_path / "a.yson", mode="append", verify=True)


@pytest.mark.parametrize("system, kept", [("parquet", False), ("arrow", True), ("vortex", False), ("lance", False), ("yson", False),
                                          ("skiff", False)])
@pytest.mark.parametrize("nested", [False, True])
def test_the_order_of_a_dictionary_is_a_label(tmp_path, system, kept, nested):
    def table(ordered):
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), pa.array(["low", "high"]), ordered=ordered)
        return pa.table({"c": pa.StructArray.from_arrays([column], ["d"]) if nested else column})

    for ordered in (True, False):
        report = xwalk.convert(table(ordered), tmp_path / f"{ordered}.{system}").report
        assert ("order of the dictionary" in str(report)) == (ordered and not kept), report
        if ordered and not kept:
            assert report.verdict == "widened"


@pytest.mark.parametrize("make", [lambda: TABLE, lambda: TABLE.to_reader(), lambda: xwalk.open(TABLE), lambda: pa.dataset.dataset(TABLE)],
                         ids=["table", "reader", "rows", "dataset"])
@pytest.mark.parametrize("name", ["out.yson", "out.parquet"])
def test_verify_takes_rows_in_memory(tmp_path, make, name):
    """They are read once, so that a reader will do."""
    out = tmp_path / name
    xwalk.convert(TABLE, out)
    proof = xwalk.verify(make(), out)
    assert proof.verified and proof.rows_read == TABLE.num_rows, str(proof)
    assert not xwalk.verify(TABLE.slice(1), out).verified
    with pytest.raises(xwalk.IoError):
        xwalk.verify(make(), tmp_path / "absent.parquet")
    with pytest.raises(xwalk.UsageError, match="Rows that are added to others cannot be verified"):
        xwalk.verify(make(), out, mode="append")
