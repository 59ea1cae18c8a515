"""Errors: each is of xwalk's own classes and of Python's, whatever package reads the rows."""
import errno
import io
import os

import pytest

from tests import harness

harness.use_module()

import xwalk  # noqa: E402

with harness.skip_if_missing():
    import fsspec
    import pandas  # noqa: F401
    import polars
    import pyarrow as pa

SCHEMA = "[{name=id;type=int64}]"


class TestErrors(harness.InFolder):
    def prepare(self):
        self.bad = self.folder / "bad.yson"
        self.bad.write_text("{id=1};\n{id=x};\n")

    def test_a_missing_file(self):
        missing = self.folder / "none"
        there = self.folder / "t.yson"
        xwalk.convert(pa.table({"id": [1]}), there)
        for end in (".yson", ".skiff", ".parquet", ".arrow", ".json", ".lance", ".vortex", "/*.parquet", ".schema"):
            path = f"{missing}{end}"
            for call in (lambda: xwalk.open(path), lambda: xwalk.Schema.read(path), lambda: xwalk.info(path),
                         lambda: xwalk.convert(path, self.folder / "out.yson"), lambda: xwalk.open([there, path])):
                with pytest.raises(FileNotFoundError) as caught:
                    call()
                error = caught.value
                assert isinstance(error, xwalk.IoError)
                assert (error.errno, error.filename, error.strerror) == (errno.ENOENT, path, os.strerror(errno.ENOENT))
                assert error.file == error.filename
        with pytest.raises(FileNotFoundError) as caught:
            xwalk.open(there, schema=self.folder / "none.schema")
        assert caught.value.filename == str(self.folder / "none.schema")
        with pytest.raises(FileNotFoundError):
            xwalk.open(fsspec.open(f"file://{missing}.parquet"))
        with pytest.raises(FileNotFoundError):
            xwalk.convert(there, self.folder / "none" / "out.parquet")

    def test_wrong_arguments(self, monkeypatch):
        """Each message names the parameter or the value, what was expected, and no syntax of the command line."""
        monkeypatch.chdir(self.folder)
        good = self.folder / "t.yson"
        xwalk.convert(pa.table({"id": [1]}), good)
        once = xwalk.open(io.BytesIO(b"{id=1}"), format="yson", schema=SCHEMA)
        once.to_arrow()
        for call, parts in (
                (lambda: xwalk.open([]), ("at least one path", "an empty list")),
                (lambda: xwalk.open(5), ("Arrow data, found int",)),
                (lambda: xwalk.open(good, select=5), ("select: expected a text or a list of texts, found int",)),
                (lambda: xwalk.open(good, select=["nope"]).to_arrow(), ('no column "nope"', "The columns are: id")),
                (lambda: xwalk.open(good, schema="none.schema"), ('found "none.schema"',)),
                (lambda: xwalk.open(good, max_rejects=1), ('open has no option "max_rejects"',)),
                (lambda: xwalk.open(good, decimal_mode="txt"), ("decimal_mode: expected binary or text, found",)),
                (lambda: xwalk.open(good, table=3, version="x"), ("version needs rows of lance",)),
                (lambda: xwalk.open(good, storage_options={"endpoint": "x"}), ("storage_options: expected the URI",)),
                (lambda: xwalk.open(b"{id=1}", format="skiff"), ("Skiff rows need a schema", "schema")),
                (lambda: once.to_arrow(), ("read already", "Open them by a path")),
                (lambda: xwalk.convert(good, "x.yson", mode="replace"), ("mode: expected create, append, append-again, upsert or overwrite",)),
                (lambda: xwalk.convert(good, "x.yson", exclude=["id"]), ("exclude leaves no column",)),
                (lambda: xwalk.convert(good, "x.yson", cast={"nope": "int8"}), ('no column "nope" to cast', "The columns are: id")),
                (lambda: xwalk.convert(good, "none/x.yson"), ("cannot create", "Make its folder first.")),
                (lambda: xwalk.convert(good, "x.yson", target_schema="[{name=x;type_v3=int64}]"),
                 ("x: required in the target, and not in the source",)),
                (lambda: xwalk.check(good), ("to: expected a system, a format or a schema",)),
                (lambda: xwalk.check(good, "parqet"), ('unknown system "parqet"', "Did you mean parquet?")),
                (lambda: xwalk.check(good, "lance").raise_for("loss"), ('verdict: expected exact', 'found "loss"')),
                (lambda: xwalk.compat(good, good, mode="sideways"), ("mode: expected backward, forward or full",)),
                (lambda: xwalk.Schema.parse("[{name=id;type=int65}]"), ("Name its system with format",)),
                (lambda: xwalk.evolve(str(good), [("rename", "a=b")]), ("expected a schema of",))):
            with pytest.raises(xwalk.Error) as caught:
                call()
            for part in parts:
                assert part in str(caught.value)
            assert "--" not in str(caught.value)

    def test_an_output_that_exists(self):
        rows = pa.table({"id": [1], "day": [2]})
        for name in ("t.yson", "t.skiff", "t.parquet", "t.arrow", "t.csv", "t.json", "folder/"):
            path = f"{self.folder}/{name}"
            options = {"to": "parquet", "partition_by": "day"} if name == "folder/" else {}
            xwalk.convert(rows, path, **options)
            with pytest.raises(FileExistsError) as caught:
                xwalk.convert(rows, path, **options)
            error = caught.value
            assert isinstance(error, xwalk.IoError)
            assert (error.errno, error.filename.rstrip("/")) == (errno.EEXIST, path.rstrip("/"))
        with pytest.raises(FileExistsError) as caught:
            xwalk.convert(rows, fsspec.open(f"file://{self.folder}/t.yson", "wb"))
        assert isinstance(caught.value, xwalk.IoError)

    def test_a_file_that_may_not_be_read(self):
        if os.geteuid() == 0:
            pytest.skip("the superuser may read every file")
        self.bad.chmod(0)
        with pytest.raises(PermissionError) as caught:
            xwalk.open(self.bad)
        assert isinstance(caught.value, xwalk.IoError)

    def test_other_errors_are_none_of_these(self):
        for call in (lambda: xwalk.open(self.bad, schema=SCHEMA).to_arrow(),
                     lambda: xwalk.convert(self.bad, self.bad, schema=SCHEMA, mode="overwrite")):
            with pytest.raises(xwalk.Error) as caught:
                call()
            assert not isinstance(caught.value, (FileNotFoundError, FileExistsError, PermissionError))

    def test_texts_have_no_word_before_them(self):
        calls = (lambda: xwalk.open(self.folder / "none.yson"), lambda: xwalk.open(self.bad, schema=SCHEMA).to_arrow(),
                 lambda: xwalk.Schema.parse("[{name=id;\ntype=int65}]", "yt"), lambda: xwalk.open("x.yson", colour="red"),
                 lambda: xwalk.Schema.parse("[]").to("parquet").report.raise_for("worse"), lambda: xwalk.convert(7, "x.yson"),
                 lambda: xwalk.diff(SCHEMA, SCHEMA, key="id"))
        for call in calls:
            with pytest.raises(xwalk.Error) as caught:
                call()
            error = caught.value
            assert "error:" not in str(error)
            assert error.message in str(error)
            assert error.message
        # The word in the name of a file, or in a message, stays.
        path = self.folder / "error: a.yson"
        path.write_text("{id=x}")
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.open(path, schema=SCHEMA).to_arrow()
        assert str(caught.value).startswith(f"{path}:1:5: id: expected"), str(caught.value)

    def test_other_packages_read(self):
        def batches():
            return list(xwalk.open(self.bad, schema=SCHEMA, batch_rows=1))

        rows = xwalk.open(self.bad, schema=SCHEMA)
        for read in (rows.to_arrow, rows.to_polars, rows.to_pandas, batches, rows._repr_html_):
            with pytest.raises(xwalk.InputError) as caught:
                read()
            error = caught.value
            assert (error.line, error.column, error.row, error.path, error.file) == (2, 5, 1, "id", str(self.bad))
        once = xwalk.open(io.BytesIO(b"{id=1}"), format="yson", schema=SCHEMA)
        assert once.to_arrow().num_rows == 1
        with pytest.raises(xwalk.UsageError, match="read already"):
            once.to_arrow()
        # An error of an earlier reading is not that of a later one.
        self.bad.write_text("{id=1};{id=2};")
        assert rows.to_arrow().num_rows == 2
        rows._raise_own()

    def test_scans(self):
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.scan(self.bad, schema=SCHEMA).collect()
        assert (caught.value.line, caught.value.row) == (2, 1)
        with pytest.raises(FileNotFoundError):
            xwalk.scan(self.folder / "none.yson")
        with pytest.raises(polars.exceptions.ColumnNotFoundError):
            xwalk.scan(self.bad, schema=SCHEMA).select("none").collect()

    def test_closed_rows(self):
        self.bad.write_text("{id=1};{id=2};")
        with xwalk.open(self.bad, schema=SCHEMA) as rows:
            assert rows.to_arrow().num_rows == 2
        for use in (rows.to_arrow, rows.head, lambda: rows.schema):
            with pytest.raises(xwalk.UsageError, match="closed"):
                use()
        assert repr(rows) == "<xwalk.Rows: closed>"
        with pytest.raises(ZeroDivisionError), xwalk.open(self.bad, schema=SCHEMA) as rows:
            1 / 0
