"""Names of items, entries, keys and values have no meaning: rows with any of them are written, read, added and compared alike."""
import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq

import xwalk  # noqa: E402


def map_of(key, value):
    return pa.map_(pa.field(key, pa.string(), nullable=False), pa.field(value, pa.float64()))


#: A type by the names in it, and values.
SHAPES = {
    "map": (lambda a, b: map_of(a, b), [[("k", 1.5), ("l", None)], [], None]),
    "list": (lambda a, b: pa.list_(pa.field(a, pa.int64())), [[1, None], [], None]),
    "large list": (lambda a, b: pa.large_list(pa.field(a, pa.int64())), [[1, None], [], None]),
    "fixed list": (lambda a, b: pa.list_(pa.field(a, pa.float32()), 2), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    "list of lists": (lambda a, b: pa.list_(pa.field(a, pa.list_(pa.field(b, pa.string())))), [[["x"], None], [], None]),
    "list of maps": (lambda a, b: pa.list_(pa.field(a, map_of(a, b))), [[[("k", 1.5)], []], [], None]),
    "struct of a list": (lambda a, b: pa.struct([("s", pa.list_(pa.field(b, pa.int64())))]), [{"s": [1]}, {"s": None}, {"s": []}]),
    "map of lists": (lambda a, b: pa.map_(pa.field(a, pa.string(), nullable=False), pa.field(b, pa.list_(pa.field(a, pa.int64())))),
                     [[("k", [1])], [], None]),
}
NAMES = {"usual": ("item", "value"), "parquet": ("element", "value"), "own": ("x", "the y")}


def table(shape, names):
    kind, values = SHAPES[shape]
    return pa.table({"c": pa.array(values, kind(*NAMES[names]))})


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
class TestNames(harness.InFolder):
    @pytest.mark.parametrize("engine", ("auto", "process"))
    def test_lance(self, shape, names, engine):
        if engine == "process" and (shape, names) != ("map of lists", "own"):
            pytest.skip("each process takes its time to start")
        rows = table(shape, names)
        out = self.folder / "out.lance"
        xwalk.convert(rows, out, engine=engine, lance_version="2.2")
        assert xwalk.open(out, engine=engine).to_arrow().to_pylist() == rows.to_pylist()
        xwalk.convert(table(shape, "usual"), out, mode="append", engine=engine)
        xwalk.convert(out, self.folder / "again.yson", engine=engine)
        assert xwalk.open(out, engine=engine).to_arrow().num_rows == 6
        lance.write_dataset(rows, self.folder / "own.lance", data_storage_version="2.2")
        assert xwalk.open(self.folder / "own.lance", engine=engine).to_arrow().to_pylist() == rows.to_pylist()

    @pytest.mark.parametrize("format", ("yson", "skiff", "parquet", "arrow"))
    def test_files(self, shape, names, format):
        rows = table(shape, names)
        first, second = self.folder / f"a/1.{format}", self.folder / f"a/2.{format}"
        first.parent.mkdir()
        xwalk.convert(rows, first)
        xwalk.convert(table(shape, "usual"), second)
        assert not xwalk.diff(first, second).problems
        assert not xwalk.diff(first, second, rows=True).problems
        assert not xwalk.diff(rows, second, rows=True).problems
        assert xwalk.open([first, second]).to_arrow().num_rows == 6
        assert xwalk.verify(first, second, to=format).verified
        assert str(xwalk.compat(first, second, "full")).startswith("compatible")

    def test_tables_of_pyarrow(self, shape, names):
        pq.write_table(table(shape, names), self.folder / "t.parquet")
        rows = pq.read_table(self.folder / "t.parquet")
        xwalk.convert(rows, self.folder / "out.lance", lance_version="2.2")
        assert xwalk.open(self.folder / "out.lance").to_arrow().to_pylist() == rows.to_pylist()


