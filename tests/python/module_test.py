"""The Python module: schemas, reports, rows as Arrow streams, errors with their place."""
import doctest
import gzip
import io
import itertools
import pathlib
import struct
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

import pytest

from tests import harness

BUILD = harness.BUILD
harness.use_module()

import xwalk  # noqa: E402
import xwalk._report  # noqa: E402
import xwalk._rows  # noqa: E402
import xwalk._schema  # noqa: E402

with harness.skip_if_missing():
    import duckdb
    import nanoarrow
    import polars
    import pyarrow as pa
    import pyarrow.parquet as pq

TABLE = "<strict=%true>[{name=id;type=int64;required=%true};{name=at;type=timestamp};{name=tags;type_v3={type_name=list;item=utf8}}]"


class Trickle:
    """A stream that gives few bytes at a time."""

    def __init__(self, data):
        self._file = io.BytesIO(data)

    def read(self, size):
        return self._file.read(min(size, 7))


class TestSchemas:
    def test_parse_and_print(self):
        schema = xwalk.Schema.parse(TABLE)
        assert (schema.system, schema.names) == ("yt", ["id", "at", "tags"])
        for form in ("yson", "json", "yson-binary"):
            assert xwalk.Schema.parse(schema.dump(form), "yt") == schema
        assert isinstance(schema.dump("yson-binary"), bytes)
        assert schema.lost() == []
        summed = xwalk.Schema.parse("[{name=s;type=int64;aggregate=sum}]", "yt")
        assert summed.lost("row-spec") == ["s: a row spec cannot store aggregate (metadata.lost)"]
        with pytest.raises(xwalk.UsageError):
            summed.lost("yaml")
        with pytest.raises(xwalk.UsageError):
            schema.dump("yaml")

    def test_every_system_and_back_to_arrow(self):
        source = xwalk.Schema.from_arrow(pa.schema([("a", pa.int32()), ("b", pa.list_(pa.string()))]))
        for system in ("yt", "skiff", "parquet", "lance", "vortex", "arrow"):
            schema, report = source.to(system)
            assert schema.system == system
            assert pa.schema(schema).names == ["a", "b"]
            assert report.verdict in xwalk.VERDICTS
            assert report.summary in repr(report)
            assert "<table" in report._repr_html_()

    def test_report(self):
        report = xwalk.Schema.parse_type("List<Decimal(20,4)>", "yt").to("lance").report
        assert report.verdict == "checked"
        assert report.raise_for("lossy") is report
        with pytest.raises(xwalk.VerdictError, match="decimal.special-values"):
            report.raise_for("checked")
        rules = {reason["rule"] for path in report.to_dict()["paths"] for reason in path["reasons"]}
        assert "decimal.special-values" in rules

    def test_to_a_given_schema(self):
        source, wanted = xwalk.Schema.parse_type("Int64", "yt"), xwalk.Schema.parse_type("Int32", "yt")
        schema, report = source.to(wanted)
        assert (schema, report.verdict) == (wanted, "checked")

    def test_schema_of_anything(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows.parquet")
            pq.write_table(pa.table({"id": pa.array([1], pa.int64())}), rows)
            text = pathlib.Path(folder, "table.schema")
            text.write_text(TABLE)
            assert xwalk.Schema.read(rows).system == "parquet"
            assert xwalk.Schema.read(str(text)) == xwalk.Schema.parse(TABLE)
            assert xwalk.Schema.read(text, "yt") == xwalk.Schema.read(TABLE)
            assert xwalk.Schema.read(pa.schema([("id", pa.int64())])).system == "arrow"
            assert xwalk.diff(rows, pa.schema([("id", pa.int64())])).same
            assert not xwalk.diff(rows, text).same
            assert xwalk.compat(TABLE, text)
            assert xwalk.check(text, "parquet").verdict == xwalk.Schema.parse(TABLE).to("parquet").report.verdict
            with pytest.raises(xwalk.IoError):
                xwalk.Schema.read(pathlib.Path(folder, "none.schema"))

    def test_diff(self):
        old, new = xwalk.Schema.parse("[{name=a;type=int32};{name=b;type=utf8}]"), xwalk.Schema.parse("[{name=a;type=int64}]")
        found = xwalk.diff(old, new)
        assert not found.same
        assert [entry["changes"][0]["change"] for entry in found.differences] == ["retyped", "removed"]
        assert xwalk.diff(old, xwalk.Schema.parse(old.dump())).same
        assert "removed" in repr(found)

    def test_every_form_of_every_report(self):
        old, new = xwalk.Schema.parse("[{name=\"<a>\";type=int64}]"), xwalk.Schema.parse("[{name=\"<a>\";type=int32}]")
        for report in (old.to("lance").report, xwalk.diff(old, new), xwalk.compat(old, new)):
            page = report.to_html()
            assert page.startswith("<!doctype html>")
            ElementTree.fromstring(report.to_junit())
            for html in (page, report._repr_html_()):
                assert "&lt;a&gt;" in html
                assert "<a>" not in html
            assert report.summary.split(":")[0] in report.to_markdown()
            assert isinstance(report.to_github(), str)
            assert report.to_dict()["report"] == type(report).__name__.lower().replace("report", "check")

    def test_compat_merge_evolve(self):
        old, new = xwalk.Schema.parse("[{name=a;type=int32}]"), xwalk.Schema.parse("[{name=a;type=int64}]")
        assert xwalk.compat(old, new)
        both = xwalk.compat(old, new, "full")
        assert (both.answer, bool(both)) == ("needs validation", False)
        assert [(reason["direction"], reason["path"]) for reason in both.reasons] == [("forward", "a")]
        with pytest.raises(xwalk.VerdictError):
            both.raise_for("needs validation")
        with pytest.raises(xwalk.UsageError):
            xwalk.compat(old, new, "sideways")
        assert pa.schema(xwalk.merge(old, new)).field("a").type == pa.int64()
        evolved, work = xwalk.evolve(new.to("lance").schema, [("rename", "a=b"), ("add", "c=int32")])
        assert evolved.names == ["b", "c"]
        assert len(work) == 2

    def test_errors_carry_their_place(self):
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.Schema.parse("[{name=id;\ntype=int65}]", "yt")
        assert (caught.value.line, caught.value.column) == (2, 6)
        assert isinstance(caught.value, ValueError)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bad.yson"
            path.write_text("{id=1};\n{id=x};\n")
            # Others read the stream, and pass on its text alone.
            with pytest.raises(pa.ArrowInvalid, match=r"bad.yson:2:5: id: expected .*\n(.*\n)*  at row 1"):
                pa.table(xwalk.open(path, schema="[{name=id;type=int64}]"))
        with pytest.raises(OSError):
            xwalk.open("no such file.parquet")
        with pytest.raises(xwalk.UsageError, match="unknown option"):
            xwalk.open("x.yson", colour="red")
        with pytest.raises(xwalk.UsageError):
            xwalk.Schema.from_arrow(7)


class TestRows(harness.InFolder):
    def prepare(self):
        self.table = pa.table({"a": [1, 2, None], "b": [["x"], [], None]})

    def test_there_and_back(self):
        for name in ("t.yson", "t.yson.gz", "t.skiff", "t.parquet", "t.arrow"):
            done = xwalk.convert(self.table, self.folder / name)
            assert (done.rows, done.report.verdict in xwalk.VERDICTS) == (3, True)
            rows = xwalk.open(self.folder / name)
            assert rows.schema.names == ["a", "b"]
            for _ in range(2):  # each reading opens the file afresh
                assert pa.table(rows).to_pydict() == self.table.to_pydict(), name

    def test_arrays_that_are_not_what_they_say(self):
        def column(kind, *buffers):
            return pa.table({"v": pa.Array.from_buffers(kind, 3, [None, *map(pa.py_buffer, buffers)])})

        def packed(shape, *numbers):
            return struct.pack(f"<{len(numbers)}{shape}", *numbers)

        coded = pa.DictionaryArray.from_arrays(pa.array([0, 5, 1], pa.int8()), pa.array(["a", "b"]), safe=False)
        text = column(pa.utf8(), packed("i", 0, 1, 3, 4), b"a\xff\xfeb")
        for table, said in (
                (column(pa.utf8(), packed("i", 0, 3, 2, 4), b"abcd"), "v: expected an offset from 3, found 2"),
                (pa.table({"v": coded}), "v: expected a dictionary index below 2, found 5"),
                (text, "v: expected UTF-8, found"),
                (column(pa.time32("s"), packed("i", 5, 90000, 7)), "v: expected a time within a day, found 90000")):
            for name in ("t.yson", "t.skiff", "t.parquet", "t.arrow"):
                with pytest.raises(xwalk.InputError, match=said):
                    xwalk.convert(table, self.folder / name)
        done = xwalk.convert(text, self.folder / "t.parquet", on_error="skip")
        assert (done.rows, [bad["row"] for bad in done.rejects]) == (2, [1])

    def test_values_within_layouts_and_alternatives_that_are_none_of_their_type(self):
        text = pa.Array.from_buffers(pa.utf8(), 3, [None, pa.py_buffer(struct.pack("<4i", 0, 1, 2, 3)), pa.py_buffer(b"a\xffc")])
        numbers, codes = pa.array([1, 2, 3]), pa.array([0, 1, 1, 1], pa.int8())
        runs = pa.Array.from_buffers(pa.run_end_encoded(pa.int32(), pa.utf8()), 4, [None], children=[pa.array([2, 3, 4], pa.int32()), text])
        for column, path, kept in (
                (pa.UnionArray.from_dense(codes, pa.array([0, 0, 1, 2], pa.int32()), [numbers, text]), "v<1>", [1, "a", "c"]),
                (pa.UnionArray.from_sparse(pa.array([1, 1, 0], pa.int8()), [numbers, text]), "v<1>", ["a", 3]),
                (runs, "v", ["a", "a", "c"]),
                (pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int8()), text, safe=False), "v", ["a", "c"])):
            table, name = pa.table({"v": column}), self.folder / "t.arrow"
            with pa.OSFile(str(self.folder / "in.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as out:
                out.write_table(table)
            for source in (table, self.folder / "in.arrow"):
                with pytest.raises(xwalk.InputError) as caught:
                    xwalk.convert(source, name, mode="overwrite")
                assert caught.value.path == path
                done = xwalk.convert(source, name, mode="overwrite", on_error="skip")
                assert [bad["path"] for bad in done.rejects] == [path]
                found = pa.ipc.open_file(name).read_all()
                found.validate(full=True)
                assert found["v"].to_pylist() == kept

    def test_bytes_and_streams(self):
        for format, compress in itertools.product(("yson", "skiff", "parquet", "arrow-stream"), (bytes, gzip.compress)):
            written = io.BytesIO()
            done = xwalk.convert(self.table, written, to=format)
            data = compress(written.getvalue())
            assert (done.rows, done.bytes_written) == (3, len(written.getvalue()))
            schema = done.schema if format in ("yson", "skiff") else None
            for source in (data, bytearray(data), io.BytesIO(data), Trickle(data)):
                rows = xwalk.open(source, format=format, schema=schema)
                assert pa.table(rows).to_pydict() == self.table.to_pydict(), (format, source)
                if hasattr(source, "read"):
                    with pytest.raises(xwalk.UsageError, match="read already"):
                        pa.table(rows)
                else:
                    assert pa.table(rows).num_rows == 3

    def test_yson_bytes_are_inferred_and_streams_need_a_schema(self):
        assert pa.table(xwalk.open(b"{a=1};{a=2}", format="yson")).to_pydict() == {"a": [1, 2]}
        with pytest.raises(xwalk.UsageError, match="need a schema"):
            xwalk.open(io.BytesIO(b"{a=1};{a=2}"), format="yson")

    def test_batches_are_as_small_as_asked_for(self):
        for name in ("t.yson", "t.skiff", "t.parquet"):
            xwalk.convert(self.table, self.folder / name)
            reader = pa.RecordBatchReader.from_stream(xwalk.open(self.folder / name, batch_rows=2))
            assert [batch.to_pydict()["a"] for batch in reader] == [[1, 2], [None]], name

    def test_failing_streams(self):
        class Broken(io.RawIOBase):
            def readable(self):
                return True

            def read(self, size=-1):
                raise ConnectionError("the peer went away")

            def write(self, data):
                raise ConnectionError("the peer went away")

        with pytest.raises(xwalk.IoError, match="the peer went away"):
            pa.table(xwalk.open(Broken(), format="yson", schema="[{name=a;type=int64}]"))
        with pytest.raises(xwalk.IoError, match="the peer went away"):
            xwalk.convert(self.table, Broken(), to="yson")
        for target, message in ((io.BytesIO(), "Name it with to="), (7, "expected a path or an object with write")):
            with pytest.raises(xwalk.UsageError, match=message):
                xwalk.convert(self.table, target)
        with pytest.raises(xwalk.UsageError, match="expected paths, bytes, an object with read or Arrow data, found int"):
            xwalk.open(7)

    def test_files_to_files(self):
        xwalk.convert(self.table, self.folder / "a.yson")
        xwalk.convert(xwalk.open(self.folder / "a.yson", select=["a"]), self.folder / "a.parquet")
        xwalk.convert([self.folder / "a.parquet", self.folder / "a.parquet"], self.folder / "b.skiff")
        assert pa.table(xwalk.open(self.folder / "b.skiff")).to_pydict() == {"a": [1, 2, None] * 2}
        assert pq.read_table(self.folder / "a.parquet").column_names == ["a"]

    def test_layout_is_kept(self):
        """Row groups and compression of Parquet, also of rows that were opened before the output was known."""
        path, out = self.folder / "in.parquet", self.folder / "out.parquet"
        pq.write_table(self.table, path, compression="gzip", row_group_size=1)
        data = path.read_bytes()
        for source in (path, data, io.BytesIO(data)):
            xwalk.convert(xwalk.open(source, format="parquet"), out, mode="overwrite")
            found = pq.ParquetFile(out).metadata
            assert (found.num_row_groups, found.row_group(0).column(0).compression) == (3, "GZIP"), source

    def test_what_is_there(self):
        path = self.folder / "a.yson"
        one, wide = pa.table({"a": [1]}), pa.table({"a": [1], "b": [2]})
        xwalk.convert(one, path)
        with pytest.raises(xwalk.IoError, match="the file already exists"):
            xwalk.convert(one, path)
        assert xwalk.convert(one, path, mode="append").rows == 1
        assert pa.table(xwalk.open(path)).to_pydict() == {"a": [1, 1]}
        with pytest.raises(xwalk.UnsupportedError, match="no such column"):
            xwalk.convert(wide, path, mode="append")
        with pytest.raises(xwalk.InputError, match="found 300"):
            xwalk.convert(pa.table({"a": [300]}), self.small(path), mode="append")
        xwalk.convert(wide, path, mode="overwrite")
        assert pa.table(xwalk.open(path)).to_pydict() == {"a": [1], "b": [2]}
        for rows in (path, xwalk.open(path), xwalk.open([path])):
            with pytest.raises(xwalk.UsageError, match="one of the inputs"):
                xwalk.convert(rows, path, mode="overwrite")
        for end in (".parquet", ".arrow", ".vortex"):
            file = self.folder / f"a{end}"
            xwalk.convert(one, file)
            for mode in ("create", "append"):
                with pytest.raises(xwalk.IoError):
                    xwalk.convert(one, file, mode=mode)
            xwalk.convert(wide, file, mode="overwrite")
            assert pa.table(xwalk.open(file)).num_columns == 2
        folder = self.folder / "set"
        folder.mkdir()
        for _ in range(2):
            xwalk.convert(one, folder, to="parquet", mode="append")
        assert pq.read_table(folder).to_pydict() == {"a": [1, 1]}

    def small(self, path):
        """Writes a row of int8."""
        out = path.with_name("small.yson")
        xwalk.convert(pa.table({"a": pa.array([1], pa.int8())}), out)
        return out

    def test_target_schema(self):
        wanted = xwalk.Schema.parse("[{name=a;type=double};{name=b;type=any}]")
        xwalk.convert(pa.table({"a": [1, 2]}), self.folder / "a.yson", target_schema=wanted)
        assert xwalk.open(self.folder / "a.yson").schema == wanted
        with pytest.raises(xwalk.UsageError):
            xwalk.convert(self.table, self.folder / "a.parquet", target_schema=wanted)

    def test_bad_rows(self):
        (self.folder / "bad.yson").write_text('{a=1};{a="x"};{a=3};')
        schema = "[{name=a;type=int64}]"
        rows = xwalk.open(self.folder / "bad.yson", schema=schema, on_error="skip")
        assert pa.table(rows).to_pydict() == {"a": [1, 3]}
        assert rows.rejected == 1
        done = xwalk.convert(self.folder / "bad.yson", self.folder / "good.parquet", schema=schema, on_error="skip")
        assert [(bad["row"], bad["path"], bad["source"]) for bad in done.rejects] == [(1, "a", b'{a="x"}')]
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.convert(self.folder / "bad.yson", self.folder / "none.parquet", schema=schema)
        assert (caught.value.row, caught.value.path) == (1, "a")
        assert not (self.folder / "none.parquet").exists()

    def test_a_failing_source_leaves_nothing(self):
        def batches():
            yield self.table.to_batches()[0]
            raise RuntimeError("the source broke")

        reader = pa.RecordBatchReader.from_batches(self.table.schema, batches())
        with pytest.raises(xwalk.Error, match="the source broke"):
            xwalk.convert(reader, self.folder / "none.yson")
        assert list(self.folder.iterdir()) == []

    def test_consent(self):
        times = pa.table({"t": pa.array([1], pa.timestamp("ns"))})
        with pytest.raises(xwalk.InputError):
            xwalk.convert(times, self.folder / "t.yson")
        with pytest.raises(xwalk.UnsupportedError, match="allow"):
            xwalk.convert(times, self.folder / "t.yson", round=True)
        assert xwalk.convert(times, self.folder / "t.yson", round=True, allow="lossy").rows == 1

    def test_other_consumers(self):
        path = self.folder / "t.yson"
        xwalk.convert(self.table, path)
        assert polars.DataFrame(xwalk.open(path)).shape == (3, 2)
        assert polars.from_arrow(xwalk.open(path)).struct.unnest().rows() == polars.DataFrame(self.table).rows()
        assert polars.scan_arrow_c_stream(xwalk.open(path)).select("a").collect()["a"].to_list() == [1, 2, None]
        rows = xwalk.open(path)  # noqa: F841 - DuckDB finds it by its name
        relation = duckdb.sql("FROM rows")
        assert relation.fetchall() == relation.fetchall()
        assert duckdb.sql("SELECT sum(a) FROM rows").fetchall() == [(3,)]
        xwalk.convert(duckdb.sql("SELECT a + 1 AS a FROM rows"), self.folder / "u.skiff")
        assert duckdb.from_arrow(xwalk.open(self.folder / "u.skiff")).fetchall() == [(2,), (3,), (None,)]
        assert nanoarrow.ArrayStream(xwalk.open(path)).read_all().to_pylist() == self.table.to_pylist()

    def test_consumers_take_batch_by_batch(self):
        """Reading few rows reads few bytes."""
        class Counted(io.BytesIO):
            def read(self, size):
                self.taken = self.tell() + size
                return super().read(size)

        data = b"".join(b"{a=%d};" % i for i in range(2_000_000))
        for first_rows in (lambda rows: duckdb.sql("FROM rows LIMIT 3").fetchall(),
                           lambda rows: polars.scan_arrow_c_stream(rows).head(3).collect().rows()):
            source = Counted(data)
            rows = xwalk.open(source, format="yson", schema="[{name=a;type=int64}]", batch_rows=1000)
            assert [row[0] for row in first_rows(rows)] == [0, 1, 2]
            assert source.taken < len(data) / 2


class TestModule:
    @pytest.mark.parametrize("module", [xwalk, xwalk._report, xwalk._rows, xwalk._schema])
    def test_docs(self, module):
        assert doctest.testmod(module).failed == 0, module.__name__

    def test_needs_no_pyarrow_and_starts_fast(self):
        code = ("import sys; sys.modules['pyarrow'] = None; import xwalk; "
                "slow = {'dataclasses', 'inspect', 'json', 'html', 'numpy'} & set(sys.modules); assert not slow, slow; "
                "xwalk.Schema.parse_type('Optional<Int64>', 'yt').to('vortex')")
        done = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(BUILD / 'python')!r}); {code}"],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
