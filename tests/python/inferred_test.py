"""Rows without a schema: every interface infers the same one from all files, says so, and refuses it where asked."""
import ctypes
import json
import pathlib
import warnings

import pytest

from tests import harness

BUILD = harness.BUILD
harness.use_module()

import pyarrow as pa  # noqa: E402
import xwalk  # noqa: E402

FILES = {"a.jsonl": b'{"n":1,"s":"x"}\n', "b.jsonl": b'{"n":2.5,"t":true}\n', "a.yson": b"{n=1;s=x};", "b.yson": b"{n=2.5;t=%true};"}
ARROW = pa.schema([("n", pa.float64()), ("s", pa.string()), ("t", pa.bool_())])


class TestInferred(harness.InFolder):
    def prepare(self):
        for name, rows in FILES.items():
            (self.folder / name).write_bytes(rows)

    @pytest.fixture(autouse=True)
    def there(self, monkeypatch, folder):
        monkeypatch.chdir(folder)

    def pairs(self):
        return [["a.jsonl", "b.jsonl"], ["b.jsonl", "a.jsonl"], ["a.yson", "b.yson"], ["b.yson", "a.yson"]]

    def warned(self, call):
        """Returns what a call returns, which must warn once of an inferred schema."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            out = call()
        told = [str(one.message) for one in caught if issubclass(one.category, xwalk.NoteWarning)]
        assert [text.endswith("(schema.inferred)") for text in told] == [True], told
        return out

    def test_all_files_are_looked_at_and_it_is_said(self):
        for paths in self.pairs():
            rows = self.warned(lambda: xwalk.open(paths))
            assert {field.name: field.type for field in pa.schema(rows)} == dict(zip(ARROW.names, ARROW.types)), paths
            assert all(field.nullable for field in pa.schema(rows))
            assert [note["rule"] for note in rows.notes] == ["schema.inferred"]
            table = pa.table(rows).to_pylist()
            assert sorted(row["n"] for row in table) == [1.0, 2.5]
            # As they are opened again, and by a conversion.
            assert pa.table(rows).num_rows == 2
            done = self.warned(lambda: xwalk.convert(paths, "out.arrow", mode="overwrite"))
            assert done.report.verdict == "inferred"
            assert "schema.inferred" in [note["rule"] for note in done.report.notes]
            assert self.warned(lambda: xwalk.check(paths, "parquet")).verdict == "inferred"
            assert self.warned(lambda: xwalk.check(paths, "parquet", rows=True)).verdict == "inferred"
            self.warned(lambda: xwalk.Schema.read(paths))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises((xwalk.Error, xwalk.NoteWarning), match="schema.inferred"):
                xwalk.open("a.jsonl")

    def test_parts_of_a_table_have_one_schema_also_in_outputs_of_their_own(self):
        parts = self.folder / "parts"
        parts.mkdir()
        for name, rows in {"part-1.yson": b"{n=1};", "part-02.yson": b"{n=2.5;s=x};", "other.yson": b"{n=x};", "part-3.yson": b"{n=7};"}.items():
            (parts / name).write_bytes(rows)
        (parts / "part-3.yson.schema").write_text("[{name=n;type_v3=int64}]")
        program = harness.try_run("convert", "parts/", "out/", "--to", "arrow", "-q")
        assert program.returncode == 0, program.stderr
        self.warned_all(lambda: xwalk.convert("parts/", "again/", to="arrow"))
        for folder in ("out", "again"):
            schemas = {}
            for file in sorted((self.folder / folder).iterdir()):
                schemas[file.stem] = [(field.name, str(field.type)) for field in pa.ipc.open_file(file).schema]
            joint = [("n", "double"), ("s", "string")]
            assert schemas == {"other": [("n", "string")], "part-02": joint, "part-1": joint, "part-3": [("n", "int64")]}

    def test_a_given_schema_is_saved_with_unify(self):
        schema = "<integers_in_doubles=%true>[" + "".join(
            f"{{name={name};type_v3={{type_name=optional;item={item}}}}};" for name, item in (("n", "double"), ("s", "utf8"), ("t", "bool"))) + "]"
        program = harness.try_run("convert", "a.yson", "b.yson", "out.arrow", "--unify", "--schema", schema, "--save-schema", "saved.schema", "-q")
        assert (program.returncode, program.stderr) == (0, "")
        assert "double" in pathlib.Path("saved.schema").read_text()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            xwalk.convert(["a.yson", "b.yson"], "again.arrow", unify=True, schema=schema, save_schema="again.schema")
        assert pathlib.Path("saved.schema").read_text() == pathlib.Path("again.schema").read_text()

    def warned_all(self, call):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call()

    def test_fewer_rows_have_the_schema_of_all(self):
        """A lazy frame of Polars had no columns, as its schema was inferred from none of the rows; `head` had that of the first rows."""
        rows = b'{"n":1}\n{"n":2.5,"s":"x"}\n'
        pathlib.Path("fewer.jsonl").write_bytes(rows)
        for source in ("fewer.jsonl", rows):
            frame = self.warned(lambda: xwalk.scan(source, format="json"))
            assert self.silent(frame.collect).to_dicts() == [{"n": 1.0, "s": None}, {"n": 2.5, "s": "x"}]
            assert self.silent(frame.head(1).collect).to_dicts() == [{"n": 1.0, "s": None}]
            assert self.silent(frame.select("s").tail(1).collect).to_dicts() == [{"s": "x"}]
            opened = self.warned(lambda: xwalk.open(source, format="json"))
            assert self.silent(lambda: pa.table(opened.head(1))).to_pylist() == [{"n": 1.0, "s": None}]

    def silent(self, call):
        """Returns what a call returns, which must not warn."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return call()

    def test_the_warning_is_at_the_line_that_calls(self):
        import polars

        for call in (lambda: xwalk.open("a.jsonl"), lambda: xwalk.scan("a.jsonl"), lambda: xwalk.check("a.jsonl", "yt"),
                     lambda: xwalk.convert("a.jsonl", "line.arrow", mode="overwrite"), lambda: xwalk.info("a.jsonl"),
                     lambda: xwalk.Schema.read("a.jsonl"),
                     lambda: xwalk.convert(polars.DataFrame({"d": [None]}, {"d": polars.Duration("us")}), "line.skiff", mode="overwrite",
                                           target_schema=pa.schema([("d", pa.month_day_nano_interval())]))):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                try:
                    call()
                except xwalk.Error:
                    pass
            assert {one.filename for one in caught} == {__file__}, [str(one) for one in caught]

    def test_it_is_refused_where_asked(self):
        for path in FILES:
            for call in (lambda: xwalk.open(path, require_schema=True), lambda: xwalk.check(path, "lance", require_schema=True),
                         lambda: xwalk.convert(path, "never.arrow", require_schema=True)):
                with pytest.raises(xwalk.InputError, match="require_schema=True refuses"):
                    call()
        assert not pathlib.Path("never.arrow").exists()
        pathlib.Path("b.yson.schema").write_text("[{name=n;type=double};{name=t;type=boolean}]")
        assert pa.table(xwalk.open("b.yson", require_schema=True)).num_rows == 1
        with pytest.raises(xwalk.InputError, match="a.yson"):
            xwalk.open(["b.yson", "a.yson"], require_schema=True)

    def test_it_is_saved_and_read_by(self):
        for paths in self.pairs():
            pathlib.Path("saved.schema").unlink(missing_ok=True)
            rows = self.warned(lambda: xwalk.open(paths, save_schema="saved.schema"))
            schema = pathlib.Path("saved.schema").read_text()
            self.warned(lambda: xwalk.convert(paths, "out.arrow", mode="overwrite", save_schema="saved.schema"))
            # By its text, and by its path, which the hint names.
            for given in (schema, "saved.schema", pathlib.Path("saved.schema")):
                again = xwalk.open(paths, schema=given, require_schema=True)
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    assert pa.table(again) == pa.table(rows)
                # Of integers in YSON, one per reading; JSON has one kind of numbers.
                told = {str(one.message).rsplit(" ", 1)[1] for one in caught}
                assert told == (set() if paths[0].endswith("jsonl") else {"(integers.as-doubles)"}), paths
        with pytest.raises(xwalk.IoError, match="no.schema"):
            xwalk.open("a.yson", schema="no.schema")
        with pytest.raises(pa.ArrowInvalid, match="expected double, found int64 1"):
            pa.table(xwalk.open("a.yson", schema="[{name=n;type=double};{name=s;type=utf8}]"))
        pathlib.Path("saved.schema").write_text("[{name=other;type=int64}]")
        with pytest.raises(xwalk.IoError, match="another schema"):
            xwalk.open("a.yson", save_schema="saved.schema")
        xwalk.convert(pa.table({"a": [1]}), "t.arrow")
        with pytest.raises(xwalk.UsageError, match="save_schema"):
            xwalk.open("t.arrow", save_schema="t.schema")

    def test_the_program_says_the_same(self):
        for paths in self.pairs():
            done = harness.try_run("check", *paths, "--to", "parquet", "--json")
            assert json.loads(done.stdout) == self.warned(lambda: xwalk.check(paths, "parquet")).to_dict() | {"input": json.loads(done.stdout)["input"], "paths": json.loads(done.stdout)["paths"]}
            for gate, code in (("annotated", 1), ("widened", 1), ("inferred", 1), ("checked", 0)):
                done = harness.try_run("check", *paths, "--to", "parquet", "--rows", "--fail-on", gate, "-q")
                assert done.returncode == code, (gate, done.stderr)
                assert "schema.inferred" in done.stderr + done.stdout

    def test_the_c_interface_says_the_same(self):
        found = sorted(BUILD.glob("libxwalk.so*"))
        if not found:
            pytest.skip("the C library is not built")
        library = ctypes.CDLL(str(found[0]))

        class CReport(ctypes.Structure):
            _fields_ = [("grade", ctypes.c_int32), ("verdict", ctypes.c_char_p), ("summary", ctypes.c_char_p),
                        ("json", ctypes.c_char_p)]

        report, error = ctypes.POINTER(CReport)(), ctypes.c_void_p()
        arguments = (b"a.jsonl", b"parquet")
        code = library.xwalk_rows_check(*arguments, None, b"{}", ctypes.c_uint(0), ctypes.byref(report), ctypes.byref(error))
        assert (code, report.contents.verdict) == (0, b"inferred")
        code = library.xwalk_rows_check(*arguments, None, b'{"require_schema":true}', ctypes.c_uint(0), ctypes.byref(report), ctypes.byref(error))
        assert code != 0
