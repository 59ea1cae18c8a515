"""What Python has besides files: data frames, datasets, files of fsspec, notebooks, threads, pickles."""
import asyncio
import concurrent.futures
import copy
import io
import os
import pickle

import pytest

from tests import harness

harness.use_module()

import xwalk  # noqa: E402

with harness.skip_if_missing():
    import pandas
    import polars
    import polars.testing
    import pyarrow as pa
    import pyarrow.dataset
    import pyarrow.parquet as pq
    import tqdm.auto
try:
    import fsspec
except ImportError:
    fsspec = None

SCHEMA = "[{name=id;type=int64};{name=city;type=utf8};{name=far;type=double}]"
TABLE = pa.table({"id": pa.array(range(1000), pa.int64()), "city": ["Riga", None] * 500, "far": [i / 8 for i in range(1000)]})


class Lowered:
    """An object that speaks the protocol of streams and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class InFolder(harness.InFolder):
    def prepare(self):
        self.yson = self.folder / "rows.yson"
        self.parquet = self.folder / "rows.parquet"
        xwalk.convert(TABLE, self.yson)
        pq.write_table(TABLE, self.parquet)


def sources(folder):
    """Yields objects with the rows of TABLE, made again each time."""
    path = str(folder / "rows.parquet")
    yield from ((name, make) for name, make in {
        "table": lambda: TABLE,
        "reader": lambda: TABLE.to_reader(100),
        "batch": lambda: TABLE.combine_chunks().to_batches()[0],
        "dataset": lambda: pyarrow.dataset.dataset(path),
        "scanner": lambda: pyarrow.dataset.dataset(path).scanner(),
        "polars": lambda: polars.DataFrame(TABLE),
        "lazy": lambda: polars.DataFrame(TABLE).lazy(),
        "scanned": lambda: polars.scan_parquet(path).filter(polars.col("id") >= 0),
        "pandas": lambda: pandas.read_parquet(path, dtype_backend="pyarrow"),
        "stream": lambda: Lowered(TABLE),
        "rows": lambda: xwalk.open(path),
    }.items())


class TestSources(InFolder):
    def test_rows_of_anything_are_written(self):
        for name, make in sources(self.folder):
            done = xwalk.convert(make(), self.folder / "out.skiff", mode="overwrite")
            assert done.rows == 1000
            assert pa.table(xwalk.open(self.folder / "out.skiff")).to_pydict() == TABLE.to_pydict()

    def test_schemas_of_anything_are_compared(self):
        for name, make in sources(self.folder):
            for other in (TABLE.schema, self.yson, str(self.parquet), SCHEMA, xwalk.Schema.parse(SCHEMA)):
                source = make()
                assert not [entry for entry in xwalk.diff(source, other).differences if any(change.get("detail") != "holds the same values" and change["change"] not in ("metadata", "nullability") for change in entry["changes"])]
                assert xwalk.compat(source, other)
                assert xwalk.check(source, "parquet").fails == False
                assert xwalk.check(source, other).fails == False
                assert xwalk.merge(source, other).names == ["id", "city", "far"]
                if name == "reader":  # nothing of it was read
                    assert source.read_all().num_rows == 1000

    def test_what_is_none_of_them(self):
        for call in (lambda: xwalk.diff(7, SCHEMA), lambda: xwalk.merge(None, SCHEMA), lambda: xwalk.convert(7, "x.yson"),
                     lambda: xwalk.compat([7], SCHEMA)):
            with pytest.raises(xwalk.UsageError):
                call()
        for call in (xwalk.diff, xwalk.compat, xwalk.merge):
            with pytest.raises(xwalk.IoError, match="cannot open"):
                call("a", "b")

    def test_a_lazy_frame_that_fails_leaves_nothing(self):
        frame = polars.LazyFrame({"a": [1, 2]}).map_batches(lambda _: 1 / 0, schema={"a": polars.Int64})
        with pytest.raises(Exception):
            xwalk.convert(frame, self.folder / "out.yson")
        assert not (self.folder / "out.yson").exists()

    def test_words_stand_for_lists(self):
        assert xwalk.open(self.yson, select="city").schema.names == ["city"]
        assert xwalk.open(self.yson, select=("city", "id")).schema.names == ["city", "id"]
        for exclude in ("city", ["city"], ("city",)):
            assert xwalk.open(self.yson, exclude=exclude).schema.names == ["id", "far"]
        xwalk.convert(self.yson, f"{self.folder}/by/", to="parquet", partition_by="city")
        assert sorted(os.listdir(self.folder / "by")) == ["city=Riga", "city=__HIVE_DEFAULT_PARTITION__"]
        back = xwalk.open(self.folder / "by")
        assert (back.partitions, back.to_arrow().num_rows) == (["city"], 1000)

    def test_types_of_other_packages(self):
        rows = pa.table({"id": [1, 2], "a b": [[0.5, 1.5], [2.5, 3.5]], "at": ["2026-01-02", None]})
        wanted = {"id": pa.int8(), '"a b"': pa.list_(pa.float32(), 2), "at": pa.date32()}
        for cast in (wanted, pa.schema([("id", pa.int8()), ("a b", pa.list_(pa.float32(), 2)), ("at", pa.date32())]),
                     {"id": polars.Int8, '"a b"': polars.Array(polars.Float32, 2), "at": polars.Date()},
                     {"id": "int8", '"a b"': pa.list_(pa.float32(), 2), "at": pa.date32()}):
            xwalk.convert(rows, self.folder / "cast.arrow", cast=cast, mode="overwrite")
            assert [xwalk.open(self.folder / "cast.arrow").to_arrow().schema.field(i).type for i in range(3)] == list(wanted.values())
            assert pa.schema(xwalk.Schema.from_arrow(rows.schema).to("arrow", cast=cast).schema).types == list(wanted.values())
            assert not xwalk.check(rows, "arrow", cast=cast).fails
        schema = pa.schema([("id", pa.int32()), ("city", pa.string()), ("far", pa.float32())])
        for name, system in (("t.yson", "yt"), ("t.skiff", "skiff"), ("t.parquet", "parquet"), ("t.arrow", "arrow"), ("t.csv", "arrow")):
            done = xwalk.convert(TABLE, self.folder / name, target_schema=schema)
            assert (done.schema.system, pa.schema(done.schema).types) == (system, schema.types)
            if name != "t.csv":  # which has no types
                assert xwalk.open(self.folder / name).to_arrow().schema.types == schema.types
        done = xwalk.convert(TABLE, io.BytesIO(), to="yson", target_schema=schema)
        assert pa.schema(done.schema).types == schema.types

    def test_paths_are_paths_everywhere(self):
        schema = self.folder / "table.schema"
        schema.write_text(SCHEMA)
        bare = self.folder / "bare.yson"
        bare.write_text('{id=1;city="x";far=1.};{id=a};')
        rejects = self.folder / "rejects.yson"
        done = xwalk.convert(bare, self.folder / "good.parquet", schema=schema, on_error="skip", rejects=rejects,
                             target_schema=None)
        assert (done.rows, done.rejected, rejects.exists()) == (1, 1, True)
        assert (xwalk.convert(bare, io.BytesIO(), schema=schema, to="yson", on_error="skip", target_schema=schema).schema
                == xwalk.Schema.read(schema))


class TestReading(InFolder):
    def test_rows_are_batches(self):
        rows = xwalk.open(self.yson, batch_rows=300)
        for _ in range(2):
            assert [batch.num_rows for batch in rows] == [300, 300, 300, 100]

    def test_frames(self):
        rows = xwalk.open(self.yson)
        assert rows.to_arrow().to_pydict() == TABLE.to_pydict()
        polars.testing.assert_frame_equal(rows.to_polars(), polars.DataFrame(TABLE))
        assert rows.to_pandas()["far"].sum() == sum(TABLE["far"].to_pylist())
        assert rows.schema.names == TABLE.column_names

    def test_head(self):
        assert xwalk.open(self.yson).head().to_arrow()["id"].to_pylist() == [0, 1, 2, 3, 4]
        assert xwalk.open(self.yson, limit=2).head().to_arrow().num_rows == 2
        assert xwalk.open(self.yson.read_bytes(), format="yson", schema=SCHEMA).head(3).to_arrow().num_rows == 3
        once = xwalk.open(io.BytesIO(self.yson.read_bytes()), format="yson", schema=SCHEMA)
        with pytest.raises(xwalk.UsageError, match="read once"):
            once.head()
        assert once.to_arrow().num_rows == 1000

    def test_a_notebook_shows_them(self):
        assert "<td" in xwalk.open(self.yson)._repr_html_()
        xwalk.convert(pa.table({"a": ["<b>", "x" * 500]}), self.folder / "odd.yson")
        shown = xwalk.open(self.folder / "odd.yson")._repr_html_()
        assert "&lt;b&gt;" in shown
        assert "<b>" not in shown
        assert "x" * 100 not in shown
        schema = xwalk.Schema.parse("[{name=\"<b>\";type_v3={type_name=list;item=utf8}}]")._repr_html_()
        assert "&quot;&lt;b&gt;&quot;</td>" in schema
        assert "List&lt;Utf8&gt;" in schema
        done = xwalk.convert(self.folder / "odd.yson", self.folder / "odd.parquet")._repr_html_()
        assert "<p>2 rows, " in done
        assert "<td style='text-align:left'>a</td>" in done
        once = xwalk.open(io.BytesIO(b"{id=1};"), format="yson", schema=SCHEMA)
        assert "read once" in once._repr_html_()
        assert once.to_arrow().num_rows == 1


class TestScans(InFolder):
    def test_all_of_it(self):
        for path in (self.yson, self.parquet):
            frame = xwalk.scan(path)
            assert isinstance(frame, polars.LazyFrame)
            for _ in range(2):
                polars.testing.assert_frame_equal(frame.collect(), polars.DataFrame(TABLE))

    def test_queries_are_those_of_polars(self):
        whole = polars.DataFrame(TABLE).lazy()
        for path, batch_rows in ((self.yson, 70), (self.parquet, 65536)):
            frame = xwalk.scan(path, batch_rows=batch_rows)
            for name, query in {
                "columns": lambda lf: lf.select("far", "id"),
                "filter": lambda lf: lf.filter(polars.col("id") > 990),
                "filter by another": lambda lf: lf.filter(polars.col("far") > 100).select("id"),
                "head": lambda lf: lf.head(7),
                "head and filter": lambda lf: lf.head(7).filter(polars.col("id") > 3),
                "filter and head": lambda lf: lf.filter(polars.col("id") > 3).head(7),
                "tail": lambda lf: lf.tail(3),
                "slice": lambda lf: lf.slice(100, 5).select("city"),
                "count": lambda lf: lf.select(polars.len()),
                "group": lambda lf: lf.group_by("city").agg(polars.col("far").sum()).sort("city"),
                "join": lambda lf: lf.join(lf.select("id"), on="id", how="semi"),
                "computed": lambda lf: lf.with_columns(twice=polars.col("id") * 2).filter(polars.col("twice") == 6),
            }.items():
                for engine in ("in-memory", "streaming"):
                    polars.testing.assert_frame_equal(query(frame).collect(engine=engine), query(whole).collect(),
                                                      check_row_order=name != "join")

    def test_only_what_is_asked_for_is_read(self):
        bad = self.folder / "bad.yson"
        bad.write_text('{id=1;city="a";far=1.};' * 300_000 + '{id=2;city="b";far=oops};')
        frame = xwalk.scan(bad, schema=SCHEMA)
        assert frame.head(1).collect().rows() == [(1, "a", 1.0)]
        assert frame.select("id").tail(2).collect()["id"].to_list() == [1, 2]
        assert frame.filter(polars.col("id") == 2).select("city").collect().rows() == [("b",)]
        with pytest.raises(Exception):
            frame.collect()

    def test_folders_and_their_columns(self):
        xwalk.convert(self.yson, f"{self.folder}/by/", to="parquet", partition_by="city")
        frame = xwalk.scan(self.folder / "by").filter(polars.col("city") == "Riga").select(polars.col("id").sum())
        assert frame.collect().item() == sum(range(0, 1000, 2))

    def test_sinks(self):
        done = xwalk.scan(self.yson).filter(polars.col("id") < 10).xwalk.sink(self.folder / "few.parquet")
        assert (done.rows, pq.read_table(self.folder / "few.parquet").num_rows) == (10, 10)
        with pytest.raises(xwalk.IoError):
            xwalk.scan(self.yson).xwalk.sink(self.folder / "few.parquet")


class TestSchemas(InFolder):
    def test_they_are_values(self):
        seen = {}
        arrow = xwalk.Schema.from_arrow(pa.schema([pa.field("a", pa.int32(), False, {"k": "v"}), ("b", pa.list_(pa.string()))]))
        for schema in (xwalk.Schema.parse(SCHEMA), *(arrow.to(system).schema for system in
                                                     ("yt", "skiff", "parquet", "lance", "vortex", "arrow")),
                       xwalk.open(self.yson).schema, xwalk.open(self.parquet).schema, xwalk.Schema.read(self.parquet)):
            for again in (pickle.loads(pickle.dumps(schema)), copy.copy(schema), copy.deepcopy(schema)):
                assert again == schema
                assert hash(again) == hash(schema)
                assert again.dump() == schema.dump()
                assert pa.schema(again).equals(pa.schema(schema), check_metadata=True), schema.system
            seen[schema] = schema.system
        assert xwalk.Schema.parse(SCHEMA) == xwalk.Schema.parse(SCHEMA.replace(";type", "; type"))
        assert xwalk.Schema.parse(SCHEMA) in seen
        assert xwalk.Schema.parse(SCHEMA) != SCHEMA


class TestWorking(InFolder):
    def test_progress_is_told(self):
        told = []
        done = xwalk.convert(self.yson, self.folder / "out.parquet", progress=told.append)
        assert (told[-1].rows, told[-1].bytes_written) == (done.rows, done.bytes_written)
        assert all(isinstance(now, xwalk.Progress) for now in told)
        with pytest.raises(xwalk.UsageError, match="expected progress as True or a function, found int"):
            xwalk.convert(self.yson, self.folder / "none.parquet", progress=3)

    def test_what_the_callback_raises_ends_the_conversion(self):
        class Enough(Exception):
            pass

        def enough(now):
            raise Enough("enough")

        def batches():
            for _ in range(500):
                yield TABLE.to_batches()[0]

        with pytest.raises(Enough):
            xwalk.convert(pa.RecordBatchReader.from_batches(TABLE.schema, batches()), self.folder / "out.yson", progress=enough)
        assert not (self.folder / "out.yson").exists()

    def test_a_bar_by_itself(self):
        shown, bar = io.StringIO(), tqdm.auto.tqdm
        try:
            tqdm.auto.tqdm = lambda **given: bar(file=shown, **given)
            xwalk.convert(self.yson, self.folder / "out.parquet", progress=True)
        finally:
            tqdm.auto.tqdm = bar
        assert "1.00k" in shown.getvalue()

    def test_threads(self):
        rows = xwalk.open(self.parquet)

        def work(number):
            out = self.folder / f"{number}.yson"
            xwalk.convert(self.yson, out, threads=2)
            assert rows.to_arrow().num_rows == 1000
            return xwalk.open(out).to_arrow().equals(TABLE) and xwalk.check(out, "lance").verdict

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            assert set(pool.map(work, range(24))) == {"exact"}

    def test_asyncio(self):
        async def main():
            beats = 0

            async def beat():
                nonlocal beats
                while True:
                    await asyncio.sleep(0.001)
                    beats += 1

            heart = asyncio.create_task(beat())
            done = await asyncio.gather(*(asyncio.to_thread(xwalk.convert, self.yson, self.folder / f"{i}.skiff")
                                          for i in range(6)))
            heart.cancel()
            with pytest.raises(xwalk.IoError):
                await asyncio.to_thread(xwalk.convert, self.yson, self.folder / "0.skiff")
            return [one.rows for one in done], beats

        rows, beats = asyncio.run(main())
        assert rows == [1000] * 6
        assert beats > 0


@pytest.mark.skipif(fsspec is None, reason="fsspec is not installed")
class TestFsspec(InFolder):
    def test_files(self):
        system = fsspec.filesystem("memory")
        for name in ("rows.parquet", "rows.arrow"):
            place = f"memory://folder/{name}"
            done = xwalk.convert(self.yson, fsspec.open(place, "wb"), mode="overwrite")
            assert (done.rows, system.exists(place)) == (1000, True)
            assert xwalk.open(fsspec.open(place, "rb")).to_arrow().num_rows == 1000
            with fsspec.open(place, "rb") as file:
                assert xwalk.open(file).to_arrow()["id"].to_pylist()[-1] == 999
            assert xwalk.Schema.read(fsspec.open(place, "rb")).names == ["id", "city", "far"]
            with pytest.raises(xwalk.IoError, match="already exists"):
                xwalk.convert(self.yson, fsspec.open(place, "wb"))
        done = xwalk.convert(fsspec.open("memory://folder/rows.parquet", "rb"), self.folder / "back.parquet")
        assert done.rows == 1000

    def test_a_failure_leaves_no_file(self):
        for place in ("memory://folder/none.yson", f"file://{self.folder}/none.yson"):
            bad = self.folder / "bad.yson"
            bad.write_text("{id=1};{id=x};")
            with pytest.raises(xwalk.InputError):
                xwalk.convert(bad, fsspec.open(place, "wb"), schema="[{name=id;type=int64}]")
            assert not fsspec.open(place).fs.exists(place), place
