"""The same questions for every interface: the program, the Python module, the C interface (through ctypes).

Each conversion gives the same bytes, counts and words in all of them; only options are spelled differently.
"""
import ctypes
import io
import json
import pathlib
import pickle
import re
import subprocess

import pytest

from tests import harness

XWALK = harness.PROGRAM
BUILD = harness.BUILD
C_INTERFACE = harness.needs("libxwalk.so")
harness.use_module()

import xwalk  # noqa: E402

SCHEMA = "[{name=id;type=int64;required=%true};{name=at;type=timestamp}]"
ROWS = '{id=1;at=1000u};{id=2;at=#};{id=3;at=1001u};'
#: What each interface says for an option with a value.
SPELLED = {
    "program": lambda name, value: {"format": "--from", "target_schema": "--to-schema"}.get(
        name, "--" + name.replace("_", "-")) + ("" if value is True else f" {value}"),
    "python": lambda name, value: f"{name}={value!r}".replace("'", '"') if not str(value).isupper() else f"{name}={value}",
    "c": lambda name, value: f'"{name}": ' + (json.dumps(value) if not str(value).isupper() else value),
}


class CError(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), *((name, ctypes.c_char_p) for name in ("message", "hint", "text", "file", "path")),
                *((name, ctypes.c_int64) for name in ("line", "column", "byte", "row", "table"))]


class CReport(ctypes.Structure):
    _fields_ = [("grade", ctypes.c_int32), *((name, ctypes.c_char_p) for name in ("verdict", "summary", "json")),
                ("rows", ctypes.c_int64), ("rejected", ctypes.c_int64)]


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private")]


def by_program(source, out, options):
    words = [str(XWALK), "convert", str(source), str(out), "--json"]
    for name, value in options.items():
        if isinstance(value, dict):
            option = "--yt-attribute" if name == "yt_attributes" else "--" + name
            words += [word for key, one in value.items() for word in (option, f"{key}={one}")]
            continue
        words += SPELLED["program"](name, value).split(" ", 1)
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    told = json.loads(done.stderr.splitlines()[-1])
    if "error" in told:
        error = told["error"]
        return {"code": error["code"], **{name: error.get(name, "") for name in ("message", "hint", "path")},
                "line": error.get("line"), "row": error.get("row")}
    return {"rows": told["rows"], "rejected": told["rejected"], "verdict": told["verdict"]}


def by_python(source, out, options):
    try:
        done = xwalk.convert(source, out, **options)
    except xwalk.Error as error:
        return {"code": type(error).__name__.removesuffix("Error").lower(), "message": error.message, "hint": error.hint,
                "path": error.path, "line": error.line, "row": error.row}
    return {"rows": done.rows, "rejected": done.rejected, "verdict": done.report.verdict}


def by_c(source, out, options):
    library = ctypes.CDLL(str(C_INTERFACE))
    library.xwalk_schema_system.restype = ctypes.c_char_p
    text = json.dumps(options).encode()
    rows, error, report = Stream(), ctypes.POINTER(CError)(), ctypes.POINTER(CReport)()
    code = library.xwalk_rows_open(str(source).encode(), text, ctypes.byref(rows), ctypes.byref(error))
    if code == 0:
        code = library.xwalk_rows_write(ctypes.byref(rows), str(out).encode(), None, text, ctypes.byref(report),
                                        ctypes.byref(error))
    if code != 0:
        told = error.contents
        known = {"code": {1: "usage", 2: "input", 3: "unsupported", 4: "io"}.get(told.code, told.code),
                 **{name: getattr(told, name).decode() for name in ("message", "hint", "path")},
                 **{name: None if getattr(told, name) < 0 else getattr(told, name) for name in ("line", "row")}}
        library.xwalk_error_free(error)
        return known
    told = report.contents
    found = {"rows": told.rows, "rejected": told.rejected, "verdict": told.verdict.decode()}
    library.xwalk_report_free(report)
    return found


def checked(report):
    """A report's JSON, except the spelling of options and the name of the input."""
    return {name: report[name] for name in ("verdict", "fails", "columns", "summary")} | {
        "paths": [path["path"] for path in report["paths"]],
        "readers": report.get("readers"),
        "notes": [note["path"] for note in report.get("notes", [])],
        "rows": {name: report["rows"][name] for name in ("read", "refused")} if "rows" in report else None}


def check_by_program(source, to, options, rows, readers=False, append=None):
    words = [str(XWALK), "check", str(source), "--json", *(["--to", to] if to else []), *(["--rows"] if rows else []),
             *(["--readers"] if readers else []), *(["--append", str(append)] if append else [])]
    for name, value in options.items():
        if isinstance(value, dict):
            words += [word for old, new in value.items() for word in ("--rename", f"{old}={new}")]
        elif isinstance(value, list):
            words += [word for path in value for word in ("--" + name, path)]
        else:
            words += SPELLED["program"](name, value).split(" ", 1)
    return checked(json.loads(subprocess.run(words, capture_output=True, text=True, timeout=100).stdout))


def check_by_python(source, to, options, rows, readers=False, append=None):
    report = xwalk.check(source, to, append=append, rows=rows, readers=readers, **options)
    assert report.fails == report.to_dict()["fails"] and report.rows == report.to_dict().get("rows")
    assert report.readers == report.to_dict().get("readers")
    return checked(report.to_dict())


def check_by_c(source, to, options, rows, readers=False, append=None):
    library = ctypes.CDLL(str(C_INTERFACE))
    error, report = ctypes.POINTER(CError)(), ctypes.POINTER(CReport)()
    given = json.dumps(options).encode(), int(rows) + 2 * int(readers), ctypes.byref(report), ctypes.byref(error)
    if append:
        code = library.xwalk_rows_check_append(str(source).encode(), str(append).encode(), *given)
    else:
        code = library.xwalk_rows_check(str(source).encode(), to and to.encode(), None, *given)
    assert code == 0, error.contents.text
    found = json.loads(report.contents.json)
    assert (report.contents.rows, report.contents.rejected) == (
        (found["rows"]["read"], found["rows"]["refused"]) if "rows" in found else (-1, -1))
    library.xwalk_report_free(report)
    return checked(found)


def verify_by_program(source, out, options, key):
    words = [str(XWALK), "verify", str(source), str(out), "--json", *(["--key", ",".join(key)] if key else [])]
    for name, value in options.items():
        if isinstance(value, dict):
            words += [word for old, new in value.items() for word in ("--" + name, f"{old}={new}")]
        else:
            words += SPELLED["program"](name, value).split(" ", 1)
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    if done.returncode > 1:
        return json.loads(done.stderr.splitlines()[-1])["error"]["code"]
    found = json.loads(done.stdout)
    assert done.returncode == (0 if found["verified"] else 1)
    return found


def verify_by_python(source, out, options, key):
    try:
        proof = xwalk.verify(source, out, key=key, **options)
    except xwalk.IoError:
        return "io"
    except xwalk.Error as error:
        return type(error).__name__.removesuffix("Error").lower()
    found = json.loads(proof.to_json())
    tables = found["tables"]
    for name in ("rows_read", "rows_rejected", "rows_written"):
        assert getattr(proof, name) == sum(table.get(name, 0) for table in tables)
    assert proof.verified == found["verified"] == (not proof.fails)
    assert not proof.verified or proof.differing_rows == 0
    assert proof.differences == [one for table in tables if "diff" in table for one in table["diff"]["differences"]]
    assert proof.verdict in proof.summary or len(tables) > 1
    return found


def verify_by_c(source, out, options, key):
    library = ctypes.CDLL(str(C_INTERFACE))
    error, report = ctypes.POINTER(CError)(), ctypes.POINTER(CReport)()
    code = library.xwalk_rows_verify(str(source).encode(), str(out).encode(), None, ",".join(key).encode() if key else None,
                                     json.dumps(options).encode(), ctypes.byref(report), ctypes.byref(error))
    if code:
        library.xwalk_error_free(error)
        return {1: "usage", 2: "input", 3: "unsupported", 4: "io"}[code]
    found, told = json.loads(report.contents.json), report.contents
    assert (told.grade, told.verdict) == ((0, b"verified") if found["verified"] else (1, b"differs"))
    assert told.rows == sum(table.get("rows_written", 0) for table in found["tables"])
    assert told.rejected == sum(table.get("rows_rejected", 0) for table in found["tables"])
    library.xwalk_report_free(report)
    return found


VERIFIERS = {"program": verify_by_program, "python": verify_by_python, "c": verify_by_c}

CHECKS = {"program": check_by_program, "python": check_by_python, "c": check_by_c}

INTERFACES = {"program": by_program, "python": by_python, "c": by_c}


class TestInterfaces(harness.InFolder):
    def prepare(self):
        self.source = self.folder / "rows.yson"
        self.source.write_text(ROWS)
        (self.folder / "rows.yson.schema").write_text(SCHEMA)

    def ask(self, suffix, source=None, **options):
        """Returns what each interface says and the bytes each has written, after they were found to be equal."""
        answers, written = {}, {}
        for interface, convert in INTERFACES.items():
            out = self.folder / f"{interface}{suffix}"
            answers[interface] = convert(source or self.source, out, options)
            written[interface] = out.read_bytes() if out.exists() else None
        assert len(set(written.values())) == 1, {interface: data and len(data) for interface, data in written.items()}
        return answers, written["program"]

    def same(self, suffix, source=None, **options):
        answers, written = self.ask(suffix, source, **options)
        assert answers["python"] == answers["program"]
        assert answers["c"] == answers["program"]
        return answers["program"], written

    def refused(self, suffix, hint, source=None, **options):
        """Asks for what is refused; `hint` is a pattern in which {name=value} is spelled by each interface."""
        answers, written = self.ask(suffix, source, **options)
        assert written is None
        for interface, answer in answers.items():
            def spell(match, interface=interface):
                name, _, value = match.group(1).partition("=")
                return SPELLED[interface](name, value or True)
            # Two options are two arguments of a call.
            words = hint if interface == "program" else hint.replace("} {", "}, {")
            assert answer.pop("hint") == re.sub(r"\{(.*?)\}", spell, words), interface
        assert answers["python"] == answers["program"]
        assert answers["c"] == answers["program"]
        return answers["program"]

    def test_new_names(self):
        told, written = self.same(".yson", rename={"id": "key"})
        assert b'"key"=1' in written
        assert told["verdict"] == "widened"
        self.refused(".taken.yson", "", rename={"id": "at"})
        self.refused(".none.yson", "Did you mean id\\?".replace("\\", ""), rename={"idx": "key"})

    def test_clusters(self):
        zones = harness.write(self.folder / "zones.yson", '{z="\\0\\x2aUTC"};{z="\\0\\x2aGB"};', "[{name=z;type_v3=tz_date}]")
        told, written = self.same(".numbers.yson", zones, tz_form="index")
        assert written == b'{"z"="\\0*\\2L";};\n{"z"="\\0*\\1\\xE8";};\n'
        assert told["verdict"] == "checked"
        self.same(".numbers.skiff", zones, tz_form="index")
        told, written = self.same(".names.yson", zones, tz_form="name", cluster_version="25.3")
        assert (told["verdict"], written[:12]) == ("exact", b'{"z"="\\0*UTC')
        told = self.refused(".old.yson", "", zones, cluster_version="24.2")
        assert (told["code"], told["path"]) == ("unsupported", "z")
        told = {interface: check(zones, "yt", {"cluster_version": "24.2"}, False) for interface, check in CHECKS.items()}
        assert told["python"] == told["program"]
        assert told["c"] == told["program"]
        assert told["c"]["verdict"] == "unsupported"
        attributes = self.folder / "attributes.schema"
        attributes.write_text("{schema=[{name=a;type=int64}];_yql_row_spec={Type=[StructType;[[a;[DataType;Utf8]]]]}}")
        told = {interface: check(attributes, "parquet", {}, False) for interface, check in CHECKS.items()}
        assert told["python"] == told["program"]
        assert told["c"] == told["program"]
        assert told["c"]["notes"] == ["a"]

    def test_unsupported(self):
        """Every column that cannot be converted is reported, and no row is moved."""
        nothing = "{type_name=struct;members=[]}"
        schema = ("[{name=a;type_v3={type_name=optional;item=%s}};{name=b;type_v3=int64};"
                  "{name=c;type_v3={type_name=list;item=%s}}]" % (nothing, nothing))
        source = harness.write(self.folder / "empty.yson", "{a=#;b=1;c=[]};", schema)
        told = {interface: check(source, "parquet", {}, True) for interface, check in CHECKS.items()}
        assert told["python"] == told["program"]
        assert told["c"] == told["program"]
        assert (told["c"]["verdict"], told["c"]["rows"]) == ("unsupported", None)
        assert (told["c"]["summary"]["exact"], told["c"]["summary"]["unsupported"]) == (1, 2)
        told = self.refused(".parquet", "a group without fields has no column to store its values in", source)
        assert (told["code"], told["path"]) == ("unsupported", "a")
        assert "; 1 more column cannot be converted" in told["message"]
        with pytest.raises(xwalk.UnsupportedError, match="1 more column cannot be converted"):
            xwalk.Schema.parse(schema, "yt").to("parquet")

    def test_addition(self):
        """The reasons that prevent an append, without writing a row."""
        there = self.folder / "there.yson"
        xwalk.convert(self.source, there)
        before = there.read_bytes()
        wider = harness.write(self.folder / "wider.yson", '{id="x"};{id=3}',
                              "[{name=id;type_v3=utf8};{name=new;type_v3={type_name=optional;item=utf8}}]")
        for source, options, verdict, refused in ((self.source, {}, "exact", 0), (wider, {}, "unsupported", None),
                                                  (self.source, {"select": ["id"]}, None, None)):
            told = {interface: check(source, None, options, True, append=there) for interface, check in CHECKS.items()}
            assert told["python"] == told["program"], source
            assert told["c"] == told["program"], source
            if verdict:
                assert told["c"]["verdict"] == verdict
            if refused is not None:
                assert told["c"]["rows"]["refused"] == refused
        assert there.read_bytes() == before
        assert "output.new" in xwalk.check(self.source, append=self.folder / "nothing.yson").to_json()
        with pytest.raises(xwalk.UsageError):
            xwalk.check(self.source, "yt", append=there)

    def verified(self, source, out, key=(), **options):
        """Returns the proof of each interface, after they were found to be equal."""
        proofs = {interface: verify(source, out, options, key) for interface, verify in VERIFIERS.items()}
        for proof in proofs.values():
            for name in ("time", "seconds", "command") if isinstance(proof, dict) else ():
                proof.pop(name, None)
        assert proofs["python"] == proofs["program"]
        assert proofs["c"] == proofs["program"]
        return proofs["c"]

    def test_verify(self):
        """An output is verified after its conversion, and what another program changes in it is found."""
        for suffix, options in ((".skiff", {}), (".yson", {"rename": {"id": "key"}}), (".rest.yson", {"cast": {"id": "int8"}})):
            out = self.folder / f"verified{suffix}"
            xwalk.convert(self.source, out, **options)
            proof = self.verified(self.source, out, **options)
            assert proof["verified"], (suffix, proof)
            assert proof["tables"][0]["rows_written"] == 3
        changed = self.folder / "verified.yson"
        changed.write_text(changed.read_text().replace("=2;", "=7;"))
        proof = self.verified(self.source, changed, rename={"id": "key"})
        first = proof["tables"][0]["diff"]["differences"]
        assert [(one["path"], one["left"]["value"], one["right"]["value"]) for one in first] == [("key", "2", "7")]
        assert self.verified(self.source, changed, ["key"], rename={"id": "key"})["tables"][0]["diff"]["added"] == 1

        # Without the options of the conversion, the output is another one.
        assert not self.verified(self.source, changed)["verified"]
        assert self.verified(self.source, self.folder / "absent.yson") == "io"
        assert self.verified(self.source, changed, ["none"]) == "usage"
        assert self.verified(self.source, changed, mode="append") == "usage"

        # Rows that the conversion rejects are counted.
        bad = self.folder / "some.yson"
        bad.write_text('{id=1};{id="x"};{id=3}')
        options = {"schema": SCHEMA, "on_error": "skip"}
        xwalk.convert(bad, self.folder / "some.skiff", **options)
        proof = self.verified(bad, self.folder / "some.skiff", **options)
        assert (proof["verified"], proof["tables"][0]["rows_rejected"]) == (True, 1)

    def test_verify_a_folder(self):
        for name in ("a", "b"):
            (self.folder / "many").mkdir(exist_ok=True)
            harness.write(self.folder / "many" / f"{name}.yson", ROWS, SCHEMA)
        out = f"{self.folder}/many-out/"
        xwalk.convert(self.folder / "many", out, to="skiff")
        proof = self.verified(self.folder / "many", out, to="skiff")
        assert (proof["verified"], len(proof["tables"])) == (True, 2)
        xwalk.convert(self.folder / "many" / "a.yson", f"{out}b.skiff", limit=2, mode="overwrite")
        proof = self.verified(self.folder / "many", out, to="skiff")
        assert [table["verified"] for table in proof["tables"]] == [True, False]
        # A table that cannot be read is a line of its own.
        (self.folder / "many-out" / "a.skiff").unlink()
        proof = self.verified(self.folder / "many", out, to="skiff")
        assert [("failure" in table, table["verified"]) for table in proof["tables"]] == [(True, False), (False, False)]
        assert pickle.loads(pickle.dumps(xwalk.verify(self.folder / "many", out, to="skiff"))).to_dict()["tables"] == proof["tables"]

    def test_what_python_shows_of_a_proof(self):
        out = self.folder / "shown.yson"
        xwalk.convert(self.source, out)
        assert xwalk.verify(str(self.source), out).raise_for().summary == "3 rows, 2 columns: verified"
        out.write_text(out.read_text().replace("1001u", "7u"))
        proof = xwalk.verify(self.source, out, progress=lambda now: None)
        again = pickle.loads(pickle.dumps(proof))
        for one in (proof, again):
            assert (one.verified, one.verdict, one.summary) == (False, "differs", "3 rows, 2 columns: differs")
            assert (one.differing_rows, one.columns, one.problems) == (1, {"id": 0, "at": 1}, [])
            with pytest.raises(xwalk.VerdictError, match="differs: at in 1 row"):
                one.raise_for()
            html = one._repr_html_()
            for part in ("shown.yson", "differs", "changed", "at"):
                assert f"{part}<" in html
            assert "differs: at in 1 row" in str(one)
            assert "<html" in one.to_html()
            assert "<testsuite" in one.to_junit()
            assert "3 rows, 2 columns: differs" in one.to_markdown()
        assert again.to_json() == proof.to_json()
        # Bytes are rows, as in `convert`.
        assert xwalk.verify(out.read_bytes(), out, schema=f"{out}.schema").verified
        assert not xwalk.verify(b"{id=1;at=1u}", out, schema=f"{out}.schema").verified

    def test_explain(self):
        """Python explains the rules and verdicts that the program explains, with the same text and its own options."""
        def by_program(*words):
            done = harness.try_run("explain", *words, "--json")
            return json.loads(done.stdout) if done.returncode == 0 else done.returncode

        rules = by_program()
        assert len(rules) > 50
        found = xwalk.explain()
        assert [told["rule"] for told in found] == [told["rule"] for told in rules]
        for one in ("range.narrowed", *xwalk.VERDICTS):
            found.append(xwalk.explain(one))
            rules.append(by_program(one))
        same = 0
        for told, other in zip(found, rules):
            assert told.get("example") == other.get("example")
            if "--" in other["meaning"] + other["advice"]:
                assert not re.search("--(?!rows)", told["meaning"] + told["advice"])
            else:
                assert told == other
                same += 1
        assert same > 40
        told = xwalk.explain("decimal_mode")
        assert (told["option"], "--decimal-mode" in told["advice"]) == ("decimal_mode", True)
        assert told["meaning"] == by_program("decimal_mode")["meaning"]
        assert xwalk.explain("--decimal-mode") == told
        assert by_program("range.narowed") == 2
        for word, hint in (("range.narowed", "range.narrowed"), ("range", "range.narrowed"), ("decimal_moed", "decimal_mode"),
                           ("qqqqqqqq", "xwalk.explain()")):
            with pytest.raises(xwalk.UsageError) as caught:
                xwalk.explain(word)
            assert hint in caught.value.hint

    def test_verify_within_a_conversion(self):
        """Every interface reads back what it wrote."""
        told, written = self.same(".twice.yson", verify=True)
        assert (told["rows"], written.count(b"{")) == (3, 3)

    def test_every_format(self):
        for suffix in (".skiff", ".yson", ".yson.gz"):
            told, written = self.same(suffix)
            assert (told["rows"], told["rejected"]) == (3, 0), suffix
            assert written, suffix

    def test_words_of_a_format(self):
        _, written = self.same(".x", to="<format=binary>yson")
        assert written[:1] == b"{"
        assert b"\x01\x04id=\x02\x02" in written

    def test_select_and_limit(self):
        told, written = self.same(".yson", limit=1, skip_null_values=True)
        assert (told["rows"], written.count(b"{")) == (1, 1)

    def test_formulas_in_csv(self):
        cells = self.folder / "cells.yson"
        cells.write_text('{t="=1+1";n=-5};{t="plain";n=7}')
        schema = "[{name=t;type=utf8;required=%true};{name=n;type=int64;required=%true}]"
        for number, (value, wanted) in enumerate((("keep", b"=1+1,-5"), ("escape", b"'=1+1,-5"))):
            _, written = self.same(f".{number}.csv", cells, schema=schema, csv_formulas=value)
            assert written == b"t,n\n" + wanted + b"\nplain,7\n"
        told, written = self.same(".2.csv", cells, schema=schema, csv_formulas="refuse", on_error="skip")
        assert (told["rejected"], written) == (1, b"t,n\nplain,7\n")

    def test_geometry(self):
        """Values are checked as WKB, and GeoParquet is written, on every interface."""
        try:
            import pyarrow as pa
        except ImportError:
            pytest.skip("no pyarrow")
        point = b"\x01\x01\x00\x00\x00" + bytes(16)
        ewkb = b"\x01\x01\x00\x00\x20\xe6\x10\x00\x00" + bytes(16)
        crs = {b"ARROW:extension:name": b"geoarrow.wkb", b"ARROW:extension:metadata": b'{"crs":"OGC:CRS84"}'}
        schema = pa.schema([pa.field("g", pa.binary(), metadata=crs)])
        for name, values in (("good", [point, None]), ("bad", [point, ewkb])):
            with pa.ipc.new_file(self.folder / f"{name}.arrow", schema) as writer:
                writer.write_table(pa.table([pa.array(values, pa.binary())], schema=schema))
        told, written = self.same(".parquet", self.folder / "good.arrow", geoparquet=True)
        assert (told["rows"], told["rejected"]) == (2, 0)
        assert b'"columns":{"g":{"encoding":"WKB","geometry_types":["Point"],"bbox":[0.0,0.0,0.0,0.0]}}' in written
        told, _ = self.same(".yson", self.folder / "bad.arrow", on_error="skip")
        assert (told["rows"], told["rejected"]) == (1, 1)
        told = self.refused(".bad.yson", "Skip such rows with {on_error=skip} {rejects=FILE}.", self.folder / "bad.arrow")
        assert "wrong at byte 1: the type 0x20000001 has flags of EWKB" in told["message"]

    def test_bad_rows(self):
        bad = self.folder / "bad.yson"
        bad.write_text('{id=1};{id="x"};{id=3}')
        error = self.refused(".skiff", "Skip such rows with {on_error=skip} {rejects=FILE}.", bad, schema=SCHEMA)
        assert (error["code"], error["row"], error["path"]) == ("input", 1, "id")
        told, _ = self.same(".skiff", bad, schema=SCHEMA, on_error="skip")
        assert (told["rows"], told["rejected"]) == (2, 1)

    def test_a_wrong_schema_names_the_option(self):
        error = self.refused(".skiff", "", schema="[{name=id;type=int65}]")
        assert (error["code"], error["line"]) == ("input", 1)
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.convert(self.source, self.folder / "out.skiff", schema="[{name=id;type=int65}]")
        assert caught.value.file == "schema"
        assert str(caught.value).startswith("schema:1:"), caught.value

    def test_special_decimals(self):
        """nan and the infinities of decimals are kept wherever YTsaurus's types are, in any digits."""
        rows, schema = self.folder / "d.yson", '[{{name=d;type_v3={{type_name=decimal;precision={};scale=1}}}}]'
        harness.write(rows, '{d="nan"};{d="-inf"};{d="1.5"};{d="inf"}', schema.format(3))
        asked = {"format": "<decimal_mode=text>yson", "to": "<decimal_mode=text>yson"}
        told, text = self.same(".text", rows, **asked)
        assert (told["rows"], told["verdict"]) == (4, "exact")
        assert text == b'{"d"="nan";};\n{"d"="-inf";};\n{"d"="1.5";};\n{"d"="inf";};\n'
        told, _ = self.same(".skiff", rows, format=asked["format"])
        assert (told["rows"], told["verdict"]) == (4, "exact")
        told, back = self.same(".back", self.folder / "program.skiff", to=asked["to"])
        assert (told["rows"], back) == (4, text)
        for mode in ("append", "overwrite"):
            told, _ = self.same(".skiff", rows, format=asked["format"], mode=mode)
            assert told["rows"] == 4, mode
        # A requested schema keeps them, with the same digits or others.
        out = self.folder / "asked"
        wanted = {digits: schema.format(digits) for digits in (3, 12)}
        for convert, make in ((by_program, str), (by_python, lambda text: xwalk.Schema.parse(text, "yt"))):
            for digits, verdict in ((3, "exact"), (12, "widened")):
                told = convert(rows, out, {**asked, "target_schema": make(wanted[digits]), "mode": "overwrite"})
                assert (told.get("rows"), told.get("verdict"), out.read_bytes()) == (4, verdict, text), digits

    def test_special_decimals_in_a_cast(self):
        """A column that becomes another type refuses nan. The other columns keep it."""
        rows = self.folder / "two.yson"
        rows.write_text('{d="1.5";e="nan"};{d="nan";e="1.0"}')
        column = "{{name={};type_v3={{type_name=decimal;precision=3;scale=1}}}}"
        pathlib.Path(f"{rows}.schema").write_text(f"[{column.format('d')};{column.format('e')}]")
        asked = {"format": "<decimal_mode=text>yson", "to": "<decimal_mode=text>yson", "on_error": "skip"}
        told, text = self.same(".cast", rows, cast={"d": "string"}, **asked)
        assert (told["rows"], told["rejected"], text) == (1, 1, b'{"d"="1.5";"e"="nan";};\n')

    def test_special_decimals_of_a_stream(self):
        """Rows that are read once are opened before their use is known."""
        schema = "[{name=d;type_v3={type_name=decimal;precision=3;scale=1}}]"
        given = {"format": "<decimal_mode=text>yson", "schema": schema}
        text = b'{"d"="nan";};\n{"d"="1.5";};\n'
        out = self.folder / "stream"
        for to, rows in (("<decimal_mode=text>yson", 2), ("json", 2), ("arrow", 1)):
            opened = xwalk.open(io.BytesIO(text), on_error="skip", **given)
            told = xwalk.convert(opened, out, to=to, mode="overwrite")
            assert (told.rows, told.rejected) == (rows, 2 - rows), to
        with pytest.raises(xwalk.InputError):
            list(xwalk.open(io.BytesIO(text), **given))
        files = [self.folder / name for name in ("left.yson", "right.yson")]
        for file in files:
            file.write_bytes(text)
        assert xwalk.diff(*(xwalk.open(file, **given) for file in files), rows=True).same

    def test_what_streams_tell_of_rows(self):
        rows = self.folder / "told.yson"
        rows.write_text("<range_index=1;row_index=5>#;{id=1};<key_switch=%true>#;{id=2};")
        schema = "[{name=id;type_v3=int64}]"
        _, written = self.same(".yson", rows, schema=schema)
        assert written == b'<"range_index"=1;>#;\n<"row_index"=5;>#;\n{"id"=1;};\n<"key_switch"=%true;>#;\n{"id"=2;};\n'
        _, written = self.same(".skiff", rows, schema=schema, row_index=True)
        assert (5).to_bytes(8, "little") in written
        told = xwalk.convert(xwalk.open(rows, schema=schema), self.folder / "again.yson")
        assert (told.rows, told.report.notes) == (2, [])
        told = xwalk.convert(rows, self.folder / "lost.arrow", schema=schema)
        assert [note["path"] for note in told.report.notes] == ["$range_index", "$row_index", "$key_switch"]
        assert "row_index=True keeps them as a column" in told.report.notes[1]["found"]
        (self.folder / "told.yson.schema").write_text(schema)
        for check in CHECKS.values():
            assert check(rows, "arrow", {}, True)["notes"] == ["$range_index", "$row_index", "$key_switch"]
            assert check(rows, "yt", {}, True)["notes"] == []

    def test_check(self):
        source = harness.write(self.folder / "any.yson", "{id=1;a={x=1}};{id=2;a=[%nan]};{id=3;a=#};",
                               "[{name=id;type_v3=int64};{name=a;type_v3={type_name=optional;item=yson}}]")
        for options, rows in (({}, False), ({}, True), ({"select": ["id"]}, True), ({"any": "json"}, True),
                              ({"any": "json", "on_error": "skip"}, True), ({"any": "ytjson"}, True),
                              ({"any": "json", "on_error": "skip", "max_rejects": 0}, True),
                              ({"rename": {"a": "b"}, "select": ["a"]}, False)):
            for to in ("parquet", "arrow", "yt"):
                told = {interface: check(source, to, options, rows) for interface, check in CHECKS.items()}
                assert told["python"] == told["program"], (options, to)
                assert told["c"] == told["program"], (options, to)
                json_refuses = options.get("any") == "json" and to != "yt"
                assert told["c"]["rows"] == ({"read": 3, "refused": int(json_refuses)} if rows else None)
                borne = "on_error" in options and "max_rejects" not in options
                assert told["c"]["fails"] == (json_refuses and not borne)
        with pytest.raises(xwalk.UsageError):
            xwalk.check(xwalk.Schema.parse(SCHEMA), "arrow", rows=True)

    def test_readers(self):
        source = self.folder / "any.schema"
        source.write_text("[{name=a;type_v3={type_name=optional;item=yson}}]")
        message = self.folder / "message.schema"
        message.write_text("message m { required int32 a (INTEGER(8,true)); optional group g { optional int96 t; } }")
        for asked, to, options in ((source, "parquet", {}), (message, "yt", {}), (message, None, {}), (source, None, {}),
                                   (source, "lance", {}), (source, "vortex", {}), (source, "yt", {})):
            told = {interface: check(asked, to, options, False, readers=True) for interface, check in CHECKS.items()}
            assert told["python"] == told["program"], to
            assert told["c"] == told["program"], to
            assert told["c"]["readers"] is not None
        assert "Polars" in {remark["reader"] for remark in check_by_c(source, "parquet", {}, False, True)["readers"]}
        for to, reader in (("lance", "pylance"), ("vortex", "vortex-data"), ("yt", "CHYT"), (None, "CHYT")):
            assert reader in {remark["reader"] for remark in check_by_c(source, to, {}, False, True)["readers"]}
        with pytest.raises(xwalk.UsageError):
            xwalk.check(source, "arrow", readers=True)
        with pytest.raises(xwalk.UsageError):
            xwalk.check(source)

    def test_any_as_json(self):
        source = self.folder / "any.yson"
        source.write_text('{id=1;a={x=[1;2u;"\xd0\x96"]}};{id=2;a=[%nan]};')
        schema = "[{name=id;type_v3=int64};{name=a;type_v3={type_name=optional;item=yson}}]"
        hint = "{any=ytjson} keeps it, as JSON with $attributes, $value and $type"
        error = self.refused(".arrow", hint, source, schema=schema, any="json")
        assert (error["code"], error["row"], error["path"]) == ("input", 1, "a")

    def test_json_rows(self):
        source = harness.write(self.folder / "rows.jsonl",
                               '{"id":9007199254740993,"d":1e300,"s":"\u00e9","l":[1,null]}\n\n{"id":"x"}\n{"id":-1,"d":0.5,"s":null}\n',
                               "[{name=id;type_v3=int64};{name=d;type_v3={type_name=optional;item=double}};{name=s;type=utf8};{name=l;type=any}]")
        told, written = self.same(".yson", source, on_error="skip", yson_format="binary")
        assert (told["rows"], told["rejected"]) == (2, 1)
        for suffix, to in ((".json", "json"), (".jsonl.gz", "<encode_utf8=%true;annotate_with_types=%true>json")):
            self.same(suffix, source, on_error="skip", to=to)
        error = self.refused(".bad.yson", "Skip such rows with {on_error=skip} {rejects=FILE}.", source)
        assert (error["code"], error["line"], error["row"], error["path"]) == ("input", 3, 1, "id")
        specials = self.folder / "specials.yson"
        specials.write_text("{d=1.5};{d=%nan};")
        schema = "[{name=d;type=double;required=%true}]"
        told = {interface: check(specials, "json", {"schema": schema, "on_error": "skip"}, True)
                for interface, check in CHECKS.items()}
        assert told["python"] == told["program"]
        assert told["c"] == told["program"]
        assert told["c"]["rows"] == {"read": 2, "refused": 1}
        told, written = self.same(".specials.json", specials, schema=schema, on_error="skip")
        assert (told["rejected"], written) == (1, b'{"d":1.5}\n')

    @pytest.mark.skipif(not (BUILD / "libxwalk_parquet.so").exists(), reason="no Parquet plugin")
    def test_arrow_of_a_table(self):
        try:
            import pyarrow
        except ImportError:
            pytest.skip("no pyarrow")
        yson = pyarrow.field("l", pyarrow.binary(), metadata={"YtType": "yson"})
        batch = pyarrow.record_batch([pyarrow.array([0, 5], pyarrow.uint16()), pyarrow.array([b"[1;2]", None], pyarrow.binary())],
                                     schema=pyarrow.schema([pyarrow.field("d", pyarrow.uint16()), yson]))
        source = self.folder / "table.arrow"
        with pyarrow.ipc.new_stream(source, batch.schema) as stream:
            stream.write_batch(batch)
        schema = "[{name=d;type_v3=uint64};{name=l;type_v3={type_name=optional;item={type_name=list;item=int64}}}]"
        told, written = self.same(".yson", source, schema=schema)
        assert (told["rows"], written) == (2, b'{"d"=0u;"l"=[1;2;];};\n{"d"=5u;"l"=#;};\n')
        self.same(".json", source, schema=schema)

    def test_no_format(self):
        for interface, convert in INTERFACES.items():
            told = convert(self.source, self.folder / "out.what", {})
            assert told["code"] == "usage"
            assert SPELLED[interface]("to", "FORMAT") in told["hint"], interface

    @pytest.mark.skipif(not (BUILD / "libxwalk_parquet.so").exists(), reason="no Parquet plugin")
    def test_consent(self):
        pairs = self.folder / "pairs.yson"
        pairs.write_text("{d=[[1;2];[1;3]]}")
        options = {"schema": "[{name=d;type_v3={type_name=dict;key=int64;value=int64}}]", "duplicate_keys": "last"}
        error = self.refused(".parquet", "To accept this, add {allow=lossy}.", pairs, **options)
        assert (error["code"], error["path"]) == ("unsupported", "d")
        told = {interface: convert(pairs, self.folder / f"{interface}.parquet", {**options, "allow": "lossy"})
                for interface, convert in INTERFACES.items()}
        assert set(map(str, told.values())) == {"{'rows': 1, 'rejected': 0, 'verdict': 'lossy'}"}
