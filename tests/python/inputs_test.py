"""Every command and interface with several inputs: of one schema, of different schemas, and with one that cannot be read."""
import ctypes
import json
import pathlib
import shutil

import pytest

from tests import harness
from tests.harness import run

C_INTERFACE = harness.needs("libxwalk.so")
harness.use_module()

import jsonschema  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import xwalk  # noqa: E402

DECIMAL = "[{name=d;type_v3={type_name=decimal;precision=9;scale=%d}}]"
#: Two schemas of one column each, a row of the second, and what the second becomes with --unify.
DIFFERENT = {
    "decimal": (DECIMAL % 2, DECIMAL % 4, '{d="\\x80\\x00\\x00\\x96"}', "0.0150"),
    "integer": ("[{name=d;type_v3=int32}]", "[{name=d;type_v3=int64}]", "{d=3000000000}", 3000000000),
    "date": ("[{name=d;type_v3=interval}]", "[{name=d;type_v3=interval64}]", "{d=4611669897600000001}", None),
    "any": ("[{name=d;type_v3=string}]", "[{name=d;type_v3={type_name=optional;item=yson}}]", "{d=[1;2]}", None),
    "name": ("[{name=d;type_v3=int64}]", "[{name=e;type_v3=int64}]", "{e=1}", None),
}
FIRST_ROW = {"decimal": '{d="\\x80\\x00\\x00\\x01"}', "integer": "{d=1}", "date": "{d=1}", "any": "{d=a}", "name": "{d=1}"}


SHAPE = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())


def report_of(*words, code=0):
    """Returns a report as JSON, of the shape that is documented."""
    found = json.loads(run(*words, "--json", code=code).stdout)
    jsonschema.validate(found, SHAPE)
    return found


class CReport(ctypes.Structure):
    _fields_ = [("grade", ctypes.c_int32), *((name, ctypes.c_char_p) for name in ("verdict", "summary", "json")),
                ("rows", ctypes.c_int64), ("rejected", ctypes.c_int64)]


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private")]


def check_by_c(path, system, options=None, rows=True):
    library = ctypes.CDLL(str(C_INTERFACE))
    report, error = ctypes.POINTER(CReport)(), ctypes.c_void_p()
    code = library.xwalk_rows_check(str(path).encode(), system.encode(), None, json.dumps(options or {}).encode(), int(rows),
                                    ctypes.byref(report), ctypes.byref(error))
    if code != 0:
        return code, {}
    found = json.loads(report.contents.json)
    found["grade"] = report.contents.grade
    library.xwalk_report_free(report)
    return 0, found


def convert_by_c(path, out, options=None, writing=None):
    library = ctypes.CDLL(str(C_INTERFACE))
    stream, error, report = Stream(), ctypes.c_void_p(), ctypes.c_void_p()
    words = json.dumps(options or {}).encode()
    writing = words if writing is None else json.dumps(writing).encode()
    code = library.xwalk_rows_open(str(path).encode(), words, ctypes.byref(stream), ctypes.byref(error))
    if code == 0:
        code = library.xwalk_rows_write(ctypes.byref(stream), str(out).encode(), None, writing, ctypes.byref(report),
                                        ctypes.byref(error))
    return code


class Scratch(harness.InFolder):
    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def rows_of(self, name, schema, row, form):
        """Writes one row in a format, with its schema where the format keeps it."""
        source = self.put(f"source/{name}.yson", row + ";")
        self.put(f"source/{name}.yson.schema", schema)
        out = self.folder / form / f"{name}.{form}"
        out.parent.mkdir(exist_ok=True)
        if form == "yson":
            shutil.copy(source, out)
            shutil.copy(f"{source}.schema", f"{out}.schema")
        else:
            run("convert", source, out, "-q")
        return out


class TestContradictions(Scratch):
    """Options that contradict each other are refused, and nothing is written."""

    def test_c_and_project_files(self):
        source, out = self.put("a.yson", "{x=1};"), self.folder / "out.yson"
        for options in ({"on_error": "fail", "max_rejects": "5"}, {"on_error": "fail", "rejects": str(self.folder / "bad.yson")},
                        {"to": "<decimal_mode=text>yson", "decimal_mode": "binary"}):
            assert convert_by_c(source, out, {}, options) == 1
            assert not out.exists()
            with pytest.raises(xwalk.UsageError, match="contradict each other"):
                xwalk.convert(str(source), str(out), **options)
        assert convert_by_c(source, out, {}, {"decimal_mode": "binary"}) == 0
        for lines in ('to = "<decimal_mode=text>yson"\ndecimal-mode = "binary"', 'to = "parquet"\nappend = "out.yson"',
                      'to = "parquet"\nrows = true\nmax-rejects = "1"\non-error = "fail"'):
            toml = self.put("xwalk.toml", f"[[check]]\ninput = {json.dumps(str(source))}\n{lines}\n")
            done = run("check", "--config", toml, code=2)
            assert ("contradict each other" if "append" not in lines else "Give --append alone") in done.stdout


FORMATS = ("yson", "json", "skiff", "arrow", "parquet")


class TestValues(Scratch):
    """A file is read by its own schema, not by the first one's."""

    def ask_all(self, first, second, message, related=True):
        """Everything that reads rows of two files must refuse the second, also in a folder and by a pattern. `check` has an
        answer for each table of a folder that are not `related`."""
        folder = first.parent
        for inputs in ([first, second], [folder], [folder / f"*{first.suffix}"]):
            for words in (["convert", *inputs, self.folder / "out.arrow"], ["head", *inputs, "--as", "json"], ["validate", *inputs],
                          ["info", "--scan", "-v", *inputs], ["tail", *inputs], ["head", "-n", "1", *inputs], ["tail", *inputs, "--as", "csv"]):
                done = run(*words, code=None)
                if words[0] == "info":
                    assert done.stdout.count("All rows were read") == 2, (words, done)
                    continue
                if words[0] in ("head", "tail") and "--as" not in words:  # as a table for people
                    names = [line for line in done.stdout.splitlines() if line in (str(first), str(second))]
                    # One row of a folder is in its first file, and no other is opened.
                    tables = 0 if words[:2] == ["head", "-n"] and len(inputs) == 1 else 2
                    assert (done.returncode, len(names)) == (0, tables), (words, done)
                    continue
                if words[0] == "validate":
                    assert (done.returncode, done.stdout.count(": 1 row, valid")) == (0, 2), (words, done)
                    continue
                assert done.returncode == 3, (words, done)
                assert message in done.stderr, words
            done = run("check", *inputs, "--to", "arrow", "--rows", code=None)
            fails = related or len(inputs) > 1
            assert done.returncode == (1 if fails else 0), (inputs, done)
            assert "2 tables" in done.stdout
            names = [str(path) for path in inputs]
            with pytest.raises(pa.ArrowInvalid, match=message):
                pa.table(xwalk.open(names))
            with pytest.raises(xwalk.InputError):
                xwalk.convert(names, str(self.folder / "out.arrow"))
            report = xwalk.check(names, "arrow", rows=True)
            assert (report.fails, len(report.tables), report.rows["read"]) == (fails, 2, 2), names
        assert convert_by_c(folder, self.folder / "out.arrow") != 0
        code, report = check_by_c(folder, "arrow")
        assert (code, report["fails"], len(report["tables"])) == (0, related, 2)
        assert not (self.folder / "out.arrow").exists()

    @pytest.mark.parametrize("form", FORMATS)
    @pytest.mark.parametrize("name", DIFFERENT)
    def test_refuses_another_schema(self, form, name):
        one, two, row, _ = DIFFERENT[name]
        shutil.rmtree(self.folder / form, ignore_errors=True)
        first = self.rows_of("f", one, FIRST_ROW[name], form)
        second = self.rows_of("g", two, row, form)
        self.ask_all(first, second, "expected the schema of the first input", related=name != "name")

    def test_unifies(self):
        for form in FORMATS:
            for name, (one, two, row, becomes) in DIFFERENT.items():
                if becomes is None:
                    continue
                shutil.rmtree(self.folder / form, ignore_errors=True)
                first = self.rows_of("f", one, FIRST_ROW[name], form)
                second = self.rows_of("g", two, row, form)
                names = [str(first), str(second)]
                read = [json.loads(line)["d"] for line in run("head", *names, "--unify", "--as", "json").stdout.splitlines()]
                assert read[1] == becomes
                found = pa.table(xwalk.open(names, unify=True)).column("d").to_pylist()
                assert str(found[1]) == str(becomes)

    def test_schema_that_is_given_is_that_of_all(self):
        first = self.rows_of("f", DECIMAL % 2, FIRST_ROW["decimal"], "yson")
        second = self.rows_of("g", DECIMAL % 4, DIFFERENT["decimal"][2], "yson")
        done = run("head", first, second, "--schema", DECIMAL % 3, "--as", "json")
        assert [json.loads(line)["d"] for line in done.stdout.splitlines()] == ["0.001", "0.150"]

    @pytest.mark.parametrize("given, found", [
        ("[{name=id;type=utf8}]", "id: expected rows of Optional<Utf8> (string), found int64"),
        ("[{name=id;type=int64};{name=none;type=int64}]", "none: expected this column of the schema, found none in the rows"),
        ("[{name=l;type_v3={type_name=list;item=int32}}]", "l: expected rows of List<Int32>"),
    ])
    def test_a_schema_that_does_not_describe_arrow_rows(self, given, found):
        """Rows of Arrow have types: a schema that says otherwise was ignored for every output but those of YTsaurus."""
        table = pa.table({"id": pa.array([1, 2]), "l": pa.array([[1], None], pa.list_(pa.int64())), "s": ["a", "b"]})
        path = self.folder / "described.arrow"
        if not path.exists():
            xwalk.convert(table, path)
        fits = "[{name=l;type_v3={type_name=optional;item={type_name=list;item={type_name=optional;item=int64}}}};{name=s;type=string}]"
        for rows in (table, path):
            assert pa.table(xwalk.open(rows, schema=fits)).num_rows == 2
            for reads in (lambda: xwalk.open(rows, schema=given), lambda: xwalk.check(rows, "vortex", schema=given),
                          lambda: xwalk.convert(rows, self.folder / "described.parquet", schema=given)):
                with pytest.raises(xwalk.UsageError) as caught:
                    reads()
                assert found in str(caught.value), str(caught.value)

    def test_columns_in_another_order(self):
        one, two = "[{name=a;type_v3=int64};{name=b;type_v3=utf8}]", "[{name=b;type_v3=utf8};{name=a;type_v3=int64}]"
        for form in FORMATS:
            first = self.rows_of("f", one, "{a=1;b=x}", form)
            second = self.rows_of("g", two, "{a=2;b=y}", form)
            done = run("head", first, second, "--as", "json")
            assert [json.loads(line) for line in done.stdout.splitlines()] == [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
            assert run("check", first, second, "--to", "lance").stdout.count("2 exact") == 1

    def test_selection(self):
        first = self.rows_of("f", "[{name=a;type_v3=int64};{name=b;type_v3=utf8}]", "{a=1;b=x}", "yson")
        second = self.rows_of("g", "[{name=c;type_v3=int64};{name=a;type_v3=int64}]", "{c=5;a=2}", "yson")
        done = run("head", first, second, "--select", "a", "--as", "json")
        assert done.stdout.split() == ['{"a":1}', '{"a":2}']
        done = run("head", first, second, "--select", "a")
        assert done.stdout.split() == ["a", "1", "2"]
        run("head", first, second, "--as", "json", code=3)

    def test_skiff_wire_types(self):
        first = self.rows_of("f", "[{name=d;type_v3=double}]", "{d=1.5}", "skiff")
        second = self.rows_of("g", "[{name=d;type_v3=int64}]", "{d=10}", "skiff")
        self.ask_all(first, second, "expected the schema of the first input")

    def test_output_never_replaces_a_schema_that_is_read(self):
        first = self.rows_of("f", "[{name=a;type_v3=int64}]", "{a=1}", "yson")
        second = self.rows_of("g", "[{name=a;type_v3=int64}]", "{a=2}", "yson")
        done = run("convert", first, second, f"{second}.schema", "--to", "yson", "--overwrite", code=None)
        assert done.returncode != 0
        assert "int64" in pathlib.Path(f"{second}.schema").read_text()


class TestAnswers(Scratch):
    """No answer is about the first file only."""

    def prepare(self):
        self.dump = self.folder / "dump"
        self.dump.mkdir()
        pq.write_table(pa.table({"id": pa.array([1, 2], pa.int64())}), self.dump / "a.parquet")
        pq.write_table(pa.table({"name": ["x"], "at": pa.array([1], pa.timestamp("ns"))}), self.dump / "b.parquet")
        pq.write_table(pa.table({"flag": [True]}), self.dump / "c.parquet")

    def paths(self, *names):
        return [str(self.dump / f"{name}.parquet") for name in names]

    def test_every_table_has_a_report(self):
        found = report_of("check", self.dump, "--to", "yt")
        assert found["report"] == "tables"
        assert [line["input"] for line in found["summary"]] == self.paths("a", "b", "c")
        assert [line["rows"] for line in found["summary"]] == [2, 1, 1]
        assert [line["columns"] for line in found["summary"]] == [1, 2, 1]
        assert found["verdict"] == "checked"
        assert [table["input"] for table in found["tables"]] == self.paths("a", "b", "c")
        assert run("check", self.dump, "--to", "yt", "--fail-on", "checked", code=1).stderr == ""
        for form in ("text", "html", "junit", "markdown", "github"):
            text = run("check", self.dump, "--to", "yt", "--output", form).stdout
            for path in self.paths("a", "b", "c"):
                assert path in text.replace("%2F", "/"), form
            if form == "text":
                assert 0 < text.find("1 with a decision to make") < text.find("at (checked)") < text.find("2 tables are ready"), text
        report = xwalk.check(str(self.dump), "yt")
        assert (report.verdict, report.fails, len(report.tables)) == ("checked", False, 3)
        assert "b.parquet" in report.to_html() + report._repr_html_()
        # A cell below each head.
        assert report._repr_html_().count("<td ") == 3 * report._repr_html_().count("<th ")
        code, found = check_by_c(self.dump, "yt")
        assert (code, found["verdict"], len(found["tables"])) == (0, "checked", 3)

    def test_a_file_that_cannot_be_read(self):
        for name, code in (("nosuch", 74), ("broken", 3)):
            (self.dump / "broken.parquet").write_text("no Parquet")
            for words in (["check", "--to", "lance"], ["info"], ["schema"]):
                done = run(words[0], *self.paths("a", name), *words[1:], code=code)
                assert ("1 table is ready" if words[0] == "check" else "id") in done.stdout, words
                assert f"{name}.parquet" in done.stdout + done.stderr, words
            found = report_of("check", *self.paths("a", name), "--to", "lance", code=code)
            assert [problem["problem"] for problem in found["problems"]] == ["error"]
            assert len(found["tables"]) == 1
            report = xwalk.check(self.paths("a", name), "lance")
            assert report.fails and report.verdict == "unsupported" and len(report.problems) == 1
            for form in ("html", "junit", "markdown", "github"):
                text = run("check", *self.paths("a", name), "--to", "lance", "--output", form, code=code).stdout
                assert f"{name}.parquet" in text
        with pytest.raises(xwalk.IoError):
            xwalk.check(self.paths("nosuch"), "lance")
        run("check", *self.paths("nosuch"), "--to", "lance", code=74)

    def test_files_of_one_schema_are_one_table(self):
        for number in range(3):
            pq.write_table(pa.table({"id": [number]}), self.folder / f"part-{number}.parquet")
        names = sorted(str(path) for path in self.folder.glob("*.parquet"))
        found = report_of("check", *names, "--to", "lance", "--rows")
        assert (found["report"], found["rows"]["read"]) == ("check", 3)
        pq.write_table(pa.table({"id": ["x"]}), self.folder / "part-1.parquet")
        # What convert refuses is not exact.
        run("convert", *names, self.folder / "out.lance", code=3)
        for inputs in (names, [self.folder / "*.parquet"]):
            done = run("check", *inputs, "--to", "lance", code=1)
            assert "part-1.parquet" in done.stdout
            assert "expected the schema" in " ".join(done.stdout.split())

    def test_partitions_stay_one_table(self):
        for day, table in ((1, {"id": [1]}), (2, {"id": [2]}), (3, {"id": ["x"]})):
            path = self.folder / "hive" / f"day={day}" / "part.parquet"
            path.parent.mkdir(parents=True)
            pq.write_table(pa.table(table), path)
        found = report_of("check", self.folder / "hive", "--to", "lance", "--rows", code=1)
        assert len(found["tables"]) == 1
        assert [path["path"] for path in found["tables"][0]["paths"]] == ["", "id", "day"]
        assert ([(problem["problem"], pathlib.Path(problem["subject"]).parent.name) for problem in found["problems"]]
                == [("differs", "day=3")])
        assert xwalk.check(str(self.folder / "hive"), "lance").fails
        (self.folder / "hive" / "day=3" / "part.parquet").unlink()
        found = report_of("check", self.folder / "hive", "--to", "lance")
        assert (found["report"], found["columns"]) == ("check", 2)

    def test_two_folders(self):
        other = self.folder / "other"
        shutil.copytree(self.dump, other)
        for verb in ("diff", "compat"):
            found = report_of(verb, self.dump, other)
            assert (found["report"], found["fails"], len(found["tables"])) == ("tables", False, 3)
        report_of("diff", self.dump, other, "--rows")
        assert xwalk.diff(str(self.dump), str(other)).same
        assert xwalk.compat(str(self.dump), str(other)).answer == "compatible"
        pq.write_table(pa.table({"name": [1], "at": pa.array([1], pa.timestamp("ns"))}), other / "b.parquet")
        for verb in ("diff", "compat"):
            done = run(verb, self.dump, other, code=1)
            assert "name" in done.stdout
        found = xwalk.diff(str(self.dump), str(other))
        assert not found.same
        assert found.differences[0]["left"]["path"] == "name"
        assert not xwalk.compat(str(self.dump), str(other))
        run("diff", self.dump, other, "--rows", code=1)
        (other / "b.parquet").unlink()
        for words in (["diff"], ["compat"], ["diff", "--rows"]):
            done = run(words[0], self.dump, other, *words[1:], code=1)
            assert "unpaired" in done.stdout, words
        (other / "b.parquet").write_text("no Parquet")
        for words in (["diff"], ["compat"], ["diff", "--rows"]):
            run(words[0], self.dump, other, *words[1:], code=3)

    def test_rows_of_the_second_table(self):
        pq.write_table(pa.table({"flag": [False]}), self.folder / "x.parquet")
        other = self.folder / "other"
        shutil.copytree(self.dump, other)
        pq.write_table(pa.table({"flag": [False]}), other / "c.parquet")
        run("diff", self.dump, other)
        done = run("diff", self.dump, other, "--rows", code=1)
        assert "1 changed" in done.stdout

    def test_project(self):
        lossy = self.dump / "b.parquet"
        for inputs in (json.dumps(self.paths("a", "b")), json.dumps(str(self.dump / "*.parquet")), json.dumps(str(self.dump))):
            toml = self.put("xwalk.toml", f'[[check]]\ninput = {inputs}\nto = "yt"\nfail-on = "checked"\n')
            done = run("check", "--config", toml, code=1)
            assert str(lossy) in done.stdout, inputs
        toml = self.put("xwalk.toml", f'[[check]]\ninput = {json.dumps(self.paths("a", "nosuch"))}\nto = "yt"\n')
        assert "nosuch" in run("check", "--config", toml, code=74).stdout
        other = self.folder / "other"
        shutil.copytree(self.dump, other)
        pq.write_table(pa.table({"flag": ["x"]}), other / "c.parquet")
        toml = self.put("xwalk.toml", f'[[compat]]\nold = "{self.dump}"\nnew = "{other}"\n')
        run("check", "--config", toml, code=1)

    def test_tables_of_a_folder_that_belong_together(self):
        pq.write_table(pa.table({"id": [1], "price": [1.5], "at": ["x"]}), self.folder / "v1.parquet")
        pq.write_table(pa.table({"id": [1], "price": ["x"], "at": ["x"]}), self.folder / "v2.parquet")
        found = report_of("check", self.folder / "v*.parquet", "--to", "lance", code=1)
        assert [problem["problem"] for problem in found["problems"]] == ["differs"]
        assert [line["decision"].startswith("expected") for line in found["summary"]] == [False, True]
        # One column in common does not make them one table.
        pq.write_table(pa.table({"id": [1], "name": ["x"]}), self.folder / "v2.parquet")
        found = report_of("check", self.folder / "v*.parquet", "--to", "lance")
        assert (len(found["tables"]), found["problems"]) == (2, [])

    def test_a_pair_one_of_which_cannot_be_read(self):
        one, two = self.folder / "one", self.folder / "two"
        for folder in (one, two):
            folder.mkdir()
            pq.write_table(pa.table({"id": [1]}), folder / "a.parquet")
            pq.write_table(pa.table({"id": [1]}), folder / "b.parquet")
        (two / "b.parquet").write_text("no Parquet")
        found = report_of("diff", one, two, code=3)
        assert [line["verdict"] for line in found["summary"]] == ["same", "error"]
        assert len(found["problems"]) == 1

    def test_schema_files(self):
        one = self.put("t/one.schema", "[{name=a;type_v3=int64}]")
        two = self.put("t/two.schema", "[{name=b;type_v3=timestamp}]")
        for inputs in ([one, two], [self.folder / "t" / "*.schema"]):
            found = report_of("check", *inputs, "--from", "yt", "--to", "lance")
            assert [table["verdict"] for table in found["tables"]] == ["exact", "annotated"]
            run("check", *inputs, "--from", "yt", "--to", "lance", "--fail-on", "annotated", code=1)

    def test_schema_and_info(self):
        done = run("schema", self.dump)
        assert all(word in done.stdout for word in ("id", "name", "flag")), done.stdout
        assert len(json.loads(run("schema", self.dump, "--json").stdout)["tables"]) == 3
        run("schema", self.dump, "-o", self.folder / "out.schema", code=2)
        assert [table["rows"] for table in json.loads(run("info", self.dump, "--json").stdout)["tables"]] == [2, 1, 1]
        for words in (["schema"], ["info"]):
            assert len(json.loads(run(*words, *self.paths("a", "b"), "--json").stdout)["tables"]) == 2
        done = run("info", "--scan", self.dump)
        assert all(path in done.stdout for path in self.paths("a", "b", "c")), done.stdout
        assert done.stdout.splitlines()[0].split() == ["input", "format", "rows", "columns", "files", "size"]
        page = run("info", self.dump, "--output", "html").stdout
        assert "<title>3 tables</title>" in page
        first = page.find(f"<h2>{self.paths('a')[0]}</h2>")
        for path in self.paths("a", "b", "c"):
            assert 0 < page.find(f">{path}</th>") < first <= page.find(f"<h2>{path}</h2>"), path
        page = run("info", *self.paths("a", "nosuch"), "--output", "html", code=74).stdout
        assert "cannot open" in page

    def test_info_in_python(self):
        for source in (str(self.dump), self.paths("a", "b", "c")):
            found = xwalk.info(source, scan=True)
            assert [table["rows"] for table in found.tables] == [2, 1, 1]
            assert (found.rows, found.problems) == (4, [])
            assert found.bytes == sum(pathlib.Path(path).stat().st_size for path in self.paths("a", "b", "c"))
            assert [column["path"] for column in found.columns] == ["id", "name", "at", "flag"]
            program = json.loads(run("info", "--scan", *([source] if isinstance(source, str) else source), "--json").stdout)
            assert found.to_dict() == program
            assert [line["columns"] for line in program["summary"]] == [1, 2, 1]
            page = found._repr_html_()
            assert all(f"<h2>{path}</h2>" in page for path in self.paths("a", "b", "c")), page
            assert repr(found) == "<xwalk.Info of 3 tables: 4 rows>"
        found = xwalk.info(self.paths("a", "nosuch"))
        assert ([table["rows"] for table in found.tables], [line["problem"] for line in found.problems]) == ([2], ["error"])
        with pytest.raises(xwalk.IoError):
            xwalk.info(self.paths("nosuch"))

    def test_rows_of_several_tables_in_python(self):
        other = self.folder / "other"
        shutil.copytree(self.dump, other)
        others = [str(other / f"{name}.parquet") for name in "abc"]
        for left, right in ((str(self.dump), str(other)), (self.paths("a", "b", "c"), others)):
            found = xwalk.diff(left, right, rows=True)
            assert found.same, found
            assert [table["same"] for table in found.tables] == [True] * 3
        pq.write_table(pa.table({"flag": [False, True]}), other / "c.parquet")
        pq.write_table(pa.table({"name": ["y"], "at": pa.array([1], pa.timestamp("ns"))}), other / "b.parquet")
        for left, right in ((str(self.dump), str(other)), (self.paths("a", "b", "c"), others)):
            found = xwalk.diff(left, right, rows=True)
            assert (found.same, found.added, found.removed, found.changed) == (False, 1, 0, 2), found
            assert found.columns["flag"] == 1
            assert len(found.to_dict()["summary"]) == 3
            assert "b.parquet" in found.to_html() + found._repr_html_() + found.to_text()
        # One table of several files is one report.
        pq.write_table(pa.table({"id": pa.array([3], pa.int64())}), self.folder / "more.parquet")
        both = [*self.paths("a"), str(self.folder / "more.parquet")]
        found = xwalk.diff(both, both, rows=True)
        assert (found.same, found.to_dict()["report"], len(found.tables)) == (True, "row-diff", 1)
        (other / "b.parquet").unlink()
        found = xwalk.diff(str(self.dump), str(other), rows=True)
        assert [problem["problem"] for problem in found.problems] == ["unpaired"]

    def test_validate_has_a_result_for_each_file(self):
        good = self.put("v/good.yson", "{a=1};")
        self.put("v/good.yson.schema", "[{name=a;type_v3=int64}]")
        bad = self.put("v/bad.yson", "{b=x};{b=1};")
        self.put("v/bad.yson.schema", "[{name=b;type_v3=string}]")
        missing = self.folder / "v" / "missing.yson"
        found = json.loads(run("validate", good, bad, "--json", code=1).stdout)
        assert [(line["file"], line["rows"], line["bad_rows"]) for line in found["files"]] == [(str(good), 1, 0), (str(bad), 2, 1)]
        assert [error["file"] for error in found["errors"]] == [str(bad)]
        done = run("validate", good, missing, bad, code=74)
        assert f"{missing}: cannot be read" in done.stdout
        assert f"{bad}: 2 rows, 1 invalid" in done.stdout
        # The order of a file is a promise of its own schema.
        self.put("v/good.yson", "{a=2};{a=1};")
        self.put("v/good.yson.schema", "[{name=a;type_v3=int64;sort_order=ascending}]")
        assert f"{good}: 2 rows, 1 invalid" in run("validate", good, bad, code=1).stdout
        assert "3 rows" in run("validate", good, bad, "--limit", "3", code=1).stdout
        with pytest.raises(xwalk.InputError):
            xwalk.Schema.read(str(self.dump))
