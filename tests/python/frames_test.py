"""xwalk with pyarrow, Polars and pandas: errors, types, unions, lazy frames, parts."""
import io
import os
import pickle
import tempfile

import pytest

from tests import harness

PACKAGES = harness.PACKAGES
with harness.skip_if_missing():
    import pandas
    import polars as pl
    import pyarrow as pa
harness.use_module()

import xwalk  # noqa: E402

BAD = b'{id=1};\n{id="two"};\n'
ID = "[{name=id;type_v3=int64}]"
VARIANT = ("[{name=id;type_v3=int64};{name=v;type_v3={type_name=variant;elements=[{type=int64};{type=utf8}]}};"
           "{name=w;type_v3={type_name=list;item={type_name=variant;members=[{name=a;type=int64};{name=b;type=utf8}]}}}]")
VARIANTS = b'{id=1;v=[0;5];w=[[a;7];[b;y]]};{id=2;v=[1;x];w=[]};'


class Folder(harness.InFolder):
    def write(self, name, data, schema=None):
        path = self.folder / name
        path.write_bytes(data)
        if schema:
            path.with_name(name + ".schema").write_text(schema)
        return path


class TestErrors(Folder):
    def test_every_way_to_read_raises_the_same_error(self):
        path = self.write("bad.yson", BAD, ID)

        def rows():
            return xwalk.open(path)

        ways = {
            "to_arrow": lambda: rows().to_arrow(), "to_polars": lambda: rows().to_polars(), "to_pandas": lambda: rows().to_pandas(),
            "loop": lambda: list(rows()), "head": lambda: rows().head().to_arrow(), "html": lambda: rows()._repr_html_(),
            "scan": lambda: xwalk.scan(path).collect(), "streaming": lambda: xwalk.scan(path).collect(engine="streaming"),
            "filter": lambda: xwalk.scan(path).filter(pl.col("id") > 0).collect(),
            "sink_parquet": lambda: xwalk.scan(path).sink_parquet(self.folder / "out.parquet"),
            "sink": lambda: xwalk.sink(xwalk.scan(path), io.BytesIO(), to="skiff"),
            "lazy frame": lambda: xwalk.scan(path).xwalk.sink(io.BytesIO(), to="skiff"),
            "convert": lambda: xwalk.convert(path, io.BytesIO(), to="skiff"),
            "diff": lambda: xwalk.diff(xwalk.scan(path), xwalk.scan(path), rows=True),
        }
        for name, read in ways.items():
            with pytest.raises(xwalk.InputError) as caught:
                read()
            error = caught.value
            assert (error.file, error.line, error.column, error.row, error.path) == (str(path), 2, 5, 1, "id"), name
            assert str(error).startswith(f"{path}:2:5: id: expected int64"), str(error)
            assert "error:" not in str(error)

    def test_packages_that_read_the_stream_get_its_text(self):
        path = self.write("bad.yson", BAD, ID)
        for read in (pa.table, pl.DataFrame):
            with pytest.raises(Exception) as caught:
                read(xwalk.open(path))
            assert f"{path}:2:5: id: expected int64" in str(caught.value)
            assert "2:5: error:" not in str(caught.value)

    def test_sources_that_fail(self):
        """Errors of other packages become those of xwalk, with their text."""
        sources = {
            "a column that is not in the frame": (pl.LazyFrame({"a": [1]}).select("b"), "the query of Polars failed: ColumnNotFoundError"),
            "a value": (pl.LazyFrame({"a": ["x"]}).select(pl.col("a").str.to_integer()), "the query of Polars failed: .*strict"),
            "mixed objects": (pandas.DataFrame({"a": [1, "x", object()]}), "__arrow_c_stream__ of .*DataFrame failed: .*ArrowInvalid"),
        }
        for name, (source, text) in sources.items():
            target = self.folder / "out.skiff"
            with pytest.raises(xwalk.InputError, match=text):
                xwalk.convert(source, target)
            assert not target.exists()

    def test_info_warns_of_rows_that_it_leaves_out(self):
        path = self.write("bad.yson", BAD, ID)
        with pytest.warns(xwalk.NoteWarning, match="bad.yson: .* leave out 1 of the rows"):
            assert xwalk.info(path, scan=True).rows == 2
        assert str(xwalk.info(path)) == f"{path}: yson, rows not recorded, 1 column"

    def test_names(self):
        assert f"{xwalk.InputError.__module__}.{xwalk.InputError.__qualname__}" == "xwalk.InputError"
        assert xwalk.Schema.__module__ == "xwalk"
        public = {name for name in dir(xwalk) if not name.startswith("_")}
        assert public - set(xwalk.__all__) - {"polars", "vortex", "spark"} == set()


class TestTypes(Folder):
    ROWS = b'{id=1;v=[1.0;2.0];n=a};{id=2;v=[3.0;4.0];n=b};'
    SCHEMA = "[{name=id;type_v3=int64};{name=v;type_v3={type_name=list;item=float}};{name=n;type_v3=utf8}]"
    FORMATS = ("parquet", "arrow", "lance", "vortex", "yson", "skiff")

    def convert(self, name, **options):
        path = self.write("rows.yson", self.ROWS, self.SCHEMA)
        target = self.folder / f"out.{name}"
        try:
            done = xwalk.convert(path, target, mode="overwrite", **options)
        except xwalk.IoError as error:  # an engine or a plugin that is not here
            if "need" not in str(error):
                raise
            return None
        schema = {} if name != "skiff" else {"schema": done.schema}
        return xwalk.open(target, **schema).to_arrow()

    def test_every_target_takes_types_of_packages(self):
        columns = {"id": pl.Int32, "v": pl.Array(pl.Float32, 2), "n": pl.String}
        arrow = pa.schema([("id", pa.int32()), ("v", pa.list_(pa.float32(), 2)), ("n", pa.string())])
        given = [{"cast": {"v": pa.list_(pa.float32(), 2), "id": pa.int32()}}, {"cast": {"v": pl.Array(pl.Float32, 2), "id": pl.Int32}},
                 {"cast": pa.schema([arrow.field("id"), arrow.field("v")])}, {"cast": pl.Schema({"id": pl.Int32, "v": columns["v"]})},
                 {"target_schema": arrow}, {"target_schema": pl.Schema(columns)}, {"target_schema": columns},
                 {"target_schema": dict(zip(arrow.names, arrow.types))}]
        for name in self.FORMATS:
            for options in given:
                table = self.convert(name, **options)
                if table is None:
                    continue
                assert table.schema.field("id").type == pa.int32()
                kind = table.schema.field("v").type
                assert kind.value_type == pa.float32()
                if name in ("lance", "vortex", "arrow"):
                    assert kind.list_size == 2
                assert table.column("v").to_pylist() == [[1.0, 2.0], [3.0, 4.0]]

    def test_schemas(self):
        arrow = pa.schema([("id", pa.int64()), ("v", pa.list_(pa.float32())), ("n", pa.string())])
        source = xwalk.Schema.parse(self.SCHEMA)
        for target in (arrow, pl.Schema({"id": pl.Int64, "v": pl.List(pl.Float32), "n": pl.String}), dict(zip(arrow.names, arrow.types))):
            assert source.to(target).schema.system == "arrow"
            assert xwalk.Schema.read(target).names == ["id", "v", "n"]
            assert not xwalk.check(source, target).fails
            rows = self.write("plain.yson", self.ROWS)
            assert xwalk.open(rows, schema=target).to_arrow().column("id").to_pylist() == [1, 2]
        with pytest.raises(xwalk.UsageError, match="expected types of pyarrow or Polars"):
            source.to({"id": "int64"})

    def test_samples(self):
        rows = b"".join(b"{id=%d};" % i for i in range(1000))

        def count(sample):
            return xwalk.open(rows, format="yson", schema=ID, sample=sample).to_arrow().num_rows

        assert [count(10), count("10"), count(1), count(1.0), count(0.0), count(5000)] == [10, 10, 1, 1000, 0, 1000]
        assert count(0.25) == count("25%")
        assert 150 < count(0.25) < 350
        for wrong in (1.5, -0.5, "x", True):
            with pytest.raises(xwalk.UsageError, match="sample: expected"):
                count(wrong)

    def test_rejected_is_a_number(self):
        path = self.write("bad.yson", BAD, ID)
        told = []
        done = xwalk.convert(path, io.BytesIO(), to="skiff", on_error="skip", progress=told.append)
        rows = xwalk.open(path, on_error="skip")
        rows.to_arrow()
        assert (done.rejected, rows.rejected, told[-1].rejected, len(done.rejects)) == (1, 1, 1, 1)
        assert done.rejects[0]["source"] == b'{id="two"}'
        assert xwalk.convert(path, io.BytesIO(), to="skiff", max_rejects=0.5).rejected == 1
        with pytest.raises(xwalk.InputError):
            xwalk.convert(path, io.BytesIO(), to="skiff", max_rejects=0.25)

    def test_schemas_in_short_words(self):
        assert str(xwalk.Schema.parse(self.SCHEMA)).splitlines() == ["yt: 3 columns", "  id   Int64", "  v    List<Float>", "  v[]  Float",
                                                                     "  n    Utf8"]


class TestUnions(Folder):
    EXPECTED = [{"id": 1, "v": {"0": 5, "1": None}, "w": [{"a": 7, "b": None}, {"a": None, "b": "y"}]},
                {"id": 2, "v": {"0": None, "1": "x"}, "w": []}]

    def test_a_sentence(self):
        path = self.write("v.yson", VARIANTS, VARIANT)
        descriptor, there = os.dup(2), tempfile.TemporaryFile()
        os.dup2(there.fileno(), 2)
        try:
            for read in (lambda: xwalk.open(path).to_polars(), lambda: xwalk.scan(path), lambda: xwalk.scan(path).collect()):
                with pytest.raises(xwalk.UnsupportedError, match=r'^v: Polars has no unions\n  Use to_polars\(variants="struct"\)') as caught:
                    read()
                assert caught.value.path == "v"
        finally:
            os.dup2(descriptor, 2)
            os.close(descriptor)
        there.seek(0)
        with there:
            assert there.read() == b""  # no text of a panic
        assert xwalk.open(path, select="id").to_polars().rows() == [(1,), (2,)]

    def test_structs_on_request(self):
        path = self.write("v.yson", VARIANTS, VARIANT)
        rows = xwalk.open(path)
        for _ in range(2):
            assert rows.to_polars(variants="struct").to_dicts() == self.EXPECTED
        frame = xwalk.scan(path, variants="struct")
        assert frame.collect().to_dicts() == self.EXPECTED
        assert frame.select("v").collect().to_dicts() == [{"v": row["v"]} for row in self.EXPECTED]
        assert frame.filter(pl.col("id") == 2).collect().to_dicts() == self.EXPECTED[1:]
        with pytest.raises(xwalk.UsageError, match="variants: expected"):
            xwalk.open(path).to_polars(variants="list")

    @pytest.mark.parametrize("column", [pa.RunEndEncodedArray.from_arrays([2], [1]), pa.array([(1, 2, 3)], pa.month_day_nano_interval())])
    def test_other_types_that_polars_lacks(self, column):
        path = self.folder / "rows.arrow"
        with pa.ipc.new_file(str(path), pa.schema([("c", column.type)])) as file:
            file.write(pa.record_batch([column], names=["c"]))
        try:
            rows = xwalk.open(path)
        except xwalk.IoError:  # the plugin is not here
            return
        with pytest.raises(xwalk.UnsupportedError, match="the package cannot hold these rows: "):
            rows.to_polars()

    def test_errors_of_rows(self):
        path = self.write("v.yson", VARIANTS + b"{id=3;v=[2;x];w=[]}", VARIANT)
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.open(path).to_polars(variants="struct")
        assert (caught.value.row, caught.value.file) == (2, str(path))


class TestLazy(Folder):
    def test_sink(self):
        target = self.folder / "out.skiff"
        done = xwalk.sink(pl.LazyFrame({"a": [1, 2, 3]}).filter(pl.col("a") > 1), target, rename={"a": "b"})
        assert (done.rows, done.schema.names) == (2, ["b"])
        with pytest.raises(xwalk.UsageError, match="expected a lazy frame of Polars, found DataFrame"):
            xwalk.sink(pl.DataFrame({"a": [1]}), target)
        with pytest.raises(xwalk.UsageError, match="Did you mean"):
            xwalk.sink(pl.LazyFrame({"a": [1]}), target, moed="overwrite")


class TestParts(Folder):
    def test_parts_are_the_whole(self):
        rows = b"".join(b"{id=%d};\n" % i for i in range(5000))
        path = self.write("rows.yson", rows, ID)
        cut = xwalk.parts(path, split_bytes=10_000)
        assert len(cut) > 3
        read = [xwalk.open(path, part=pickle.loads(pickle.dumps(part))).to_arrow() for part in cut]
        assert pa.concat_tables(read).column("id").to_pylist() == list(range(5000))
        assert sum(part["rows"] for part in cut) == 5000

    def test_a_file_that_cannot_be_cut_is_one_part(self):
        import gzip

        small = self.write("rows.yson", b"{id=1}", ID)
        packed = self.write("rows.yson.gz", gzip.compress(b"{id=1};{id=2}"))
        for path, rows in ((small, 1), (packed, 2)):
            assert xwalk.parts(path, split_bytes=1) == [None]
            assert sum(xwalk.open(path, part=part, schema=ID).to_arrow().num_rows for part in [None]) == rows
        with pytest.raises(FileNotFoundError):
            xwalk.parts(self.folder / "missing.yson")
        with pytest.raises(xwalk.UsageError, match="split_bytes"):
            xwalk.parts(small, split_bytes=0)
