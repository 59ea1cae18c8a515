"""Pickles: schemas, rows, reports and results come back in this process and in others."""
import io
import multiprocessing
import os
import pathlib
import pickle
import re
import sys

import pytest

from tests import harness

harness.use_module()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import xwalk  # noqa: E402

import report_cases  # noqa: E402

with harness.skip_if_missing():
    import pyarrow as pa

PROTOCOLS = range(2, 6)
TABLE = pa.table({"id": [1, 2, 3], "city": ["Riga", None, "Tartu"], "far": [0.5, 1.5, 2.5]})
FORMS = ("to_html", "to_markdown", "to_junit", "to_github", "_repr_html_")


def shown(report):
    """Returns all that a report shows."""
    texts = [report.to_text(width, all) for width in (60, 80, 200) for all in (False, True)]
    return type(report), report.to_dict(), str(report), repr(report), report.problems, texts, [getattr(report, form)() for form in FORMS]


def sealed(state):
    """Returns the bytes of a report with their digest (FNV-1a)."""
    digest = 0xCBF29CE484222325
    for byte in state:
        digest = (digest ^ byte) * 0x100000001B3 & 0xFFFF_FFFF_FFFF_FFFF
    return state + digest.to_bytes(8, "little")


def read_in_a_process(rows):
    return rows.to_arrow().to_pydict(), rows.schema, rows.files


def show_in_a_process(report):
    return shown(report)


class TestPickles(harness.InFolder):
    def files(self):
        """Yields a file of each format that needs no other package."""
        for name in ("t.yson", "t.json.gz", "t.skiff", "t.parquet", "t.arrow"):
            path = self.folder / name
            if not path.exists():
                xwalk.convert(TABLE, path)
            yield path

    def check_shown_alike(self, report):
        for protocol in PROTOCOLS:
            assert shown(pickle.loads(pickle.dumps(report, protocol))) == shown(report)

    def test_rows(self):
        for path in self.files():
            for options in ({}, {"select": "id", "limit": 2}, {"batch_rows": 1, "tail": 1}):
                rows = xwalk.open(path, **options)
                for protocol in PROTOCOLS:
                    again = pickle.loads(pickle.dumps(rows, protocol))
                    assert pa.table(again) == pa.table(rows), path
                    assert (again.schema, again.files, repr(again)) == (rows.schema, rows.files, repr(rows))

    def test_rows_of_bytes_and_several_files(self):
        data = io.BytesIO()
        schema = xwalk.convert(TABLE, data, to="yson").schema
        files = [str(path) for path in self.files()][:1] * 2
        for source, options in ((data.getvalue(), {}), (bytearray(data.getvalue()), {}), (memoryview(data.getvalue()), {}),
                                (pa.py_buffer(data.getvalue()), {}), (files, {}), (str(self.folder / "t.ys*n"), {})):
            if not isinstance(source, (list, str)):
                options = {"format": "yson", "schema": schema}
            rows = xwalk.open(source, **options)
            for protocol in PROTOCOLS:
                assert pa.table(pickle.loads(pickle.dumps(rows, protocol))) == pa.table(rows)

    def test_streams_cannot_be_opened_again(self):
        path = next(self.files())
        read, write = os.pipe()
        os.write(write, path.read_bytes())
        os.close(write)
        with open(path, "rb") as file, os.fdopen(read, "rb") as pipe:
            for source in (file, pipe, io.BytesIO(path.read_bytes())):
                rows = xwalk.open(source, format="yson", schema=path.with_name("t.yson.schema"))
                for protocol in PROTOCOLS:
                    with pytest.raises(xwalk.UsageError, match="a stream that can be read once\n  Open them by a path"):
                        pickle.dumps(rows, protocol)
                assert rows.to_arrow().num_rows == 3  # nothing of it was read

    def test_a_file_that_was_removed(self):
        path = next(self.files())
        pickled = pickle.dumps(xwalk.open(path))
        path.unlink()
        with pytest.raises(FileNotFoundError):
            pickle.loads(pickled)

    def test_reports_on_schemas(self):
        nested, later = xwalk.Schema.parse(report_cases.NESTED), xwalk.Schema.parse(report_cases.NESTED_LATER)
        names = xwalk.Schema.parse(report_cases.NAMES)
        for source in (nested, names):
            for system in ("yt", "skiff", "parquet", "lance", "vortex", "arrow"):
                self.check_shown_alike(source.to(system, **({} if source is names else {"rename": {"id": "number"}})).report)
            self.check_shown_alike(xwalk.check(source, "lance", readers=True))
            self.check_shown_alike(xwalk.diff(source, later))
            for mode in ("backward", "forward", "full"):
                self.check_shown_alike(xwalk.compat(source, later, mode))

    def test_reports_on_files(self):
        files = list(self.files())
        bad = self.folder / "bad.yson"
        bad.write_text('{id=1;far="x"};{id=2;far=1.5};')
        schema = "[{name=id;type=int64};{name=far;type=double}]"
        several = [files[0], bad]
        small = self.folder / "small.yson"
        xwalk.convert(TABLE, small, cast={"id": "int8"})
        for report in (xwalk.check(files[0], "parquet", rows=True), xwalk.check(bad, "parquet", rows=True, schema=schema),
                       xwalk.check(several, "lance", rows=True), xwalk.diff(several, several), xwalk.compat(several, several),
                       xwalk.diff(several, several, rows=True), xwalk.check([*files, self.folder / "none.yson"], "arrow"),
                       xwalk.check([files[0], small], "lance", unify=True),
                       xwalk.diff(files[0], files[3], rows=True, key="id")):
            self.check_shown_alike(report)

    def test_results(self):
        bad = self.folder / "bad.yson"
        bad.write_text('{id=1};{id="x"};')
        xwalk.convert(TABLE, self.folder / "u.yson")
        done = xwalk.convert(bad, self.folder / "out.parquet", schema="[{name=id;type=int64}]", on_error="skip")
        several = xwalk.convert([*self.files()][:1] + [self.folder / "u.yson"], f"{self.folder}/out/", to="arrow")
        facts = xwalk.info(self.folder / "out.parquet")
        for protocol in PROTOCOLS:
            again = pickle.loads(pickle.dumps(facts, protocol))
            assert (again.to_dict(), again._repr_html_()) == (facts.to_dict(), facts._repr_html_())
        evolved = xwalk.evolve(done.schema.to("lance").schema, [("add", "c=int32")])
        for result in (done, several, done.schema.to("lance"), evolved):
            for protocol in PROTOCOLS:
                again = pickle.loads(pickle.dumps(result, protocol))
                assert type(again) is type(result)
                for one, other in zip(again, result):
                    if isinstance(other, xwalk.Report):
                        one, other = shown(one), shown(other)
                    elif other and isinstance(other, dict):
                        one, other = [{name: shown(report) for name, report in each.items()} for each in (one, other)]
                    assert one == other

    def test_errors(self):
        with pytest.raises(xwalk.IoError) as caught:
            xwalk.open(self.folder / "none.parquet")
        for protocol in PROTOCOLS:
            again = pickle.loads(pickle.dumps(caught.value, protocol))
            assert (type(again), str(again), vars(again)) == (type(caught.value), str(caught.value), vars(caught.value))

    def test_what_was_not_pickled_by_xwalk(self):
        report = xwalk.Schema.parse(report_cases.NESTED).to("lance").report
        state = report._report.state()
        for wrong in (b"", state[:-1], state + b"x", b"\xff" * 64, b"\0" * 64):
            with pytest.raises(xwalk.InputError):
                type(report._report).restore(wrong)

    def test_damaged_reports(self):
        """Every byte of a pickled report that is another one is an error of xwalk, and the process goes on."""
        for report in (xwalk.check(report_cases.NESTED, "lance", readers=True),
                       xwalk.diff(report_cases.NESTED, report_cases.NESTED_LATER),
                       xwalk.compat(report_cases.NESTED, report_cases.NESTED_LATER)):
            state = report._report.state()
            for place in range(0, len(state), max(1, len(state) // 2000)):
                for other in (state[place] ^ 0xFF, state[place] ^ 1, 0x7F):
                    if other != state[place]:
                        damaged = state[:place] + bytes([other]) + state[place + 1:]
                        with pytest.raises(xwalk.InputError, match="found damaged bytes"):
                            type(report._report).restore(damaged)
            for size in range(0, len(state), 97):
                with pytest.raises(xwalk.InputError):
                    type(report._report).restore(state[:size])

    def test_numbers_that_are_not_enumerators(self):
        """Reports whose digest is right have a wrong number as an enumerator. The error names the enumeration."""
        for number in (1, 2):
            xwalk.convert(pa.table({"id": [number]}), self.folder / f"{number}.yson")
        old, new = "[{name=id;type=int64}]", "[{name=id;type=int32};{name=b;type=string}]"
        rows = xwalk.diff(self.folder / "1.yson", self.folder / "2.yson", rows=True)
        found = set()
        for report in (xwalk.check(old, "lance"), xwalk.check(self.folder / "1.yson", "parquet", rows=True), rows,
                       xwalk.check("[{name=id;type_v3={type_name=tagged;tag=x;item=int64}}]", "lance"),
                       xwalk.diff(old, new), xwalk.compat(old, new)):
            state = report._report.state()[:-8]
            for place in range(len(state)):
                for other in (200, 255):
                    try:
                        type(report._report).restore(sealed(state[:place] + bytes([other]) + state[place + 1:]))
                    except xwalk.Error as error:
                        named = re.search(f"found {other} as ([a-z:]+::)([A-Za-z:]+)$", str(error))
                        found |= {named[2]} if named else set()
        assert found == {"Change", "CompatMode", "Compatibility", "Interface", "PairedBy",
                         "Path::Step::Kind", "RowChange", "TypeKept", "Values", "Verdict"}

    def test_other_processes(self):
        rows = [xwalk.open(path) for path in self.files()]
        report = xwalk.check(report_cases.NESTED, "lance")
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            assert pool.map(read_in_a_process, rows) == [read_in_a_process(one) for one in rows]
            assert pool.apply(show_in_a_process, (report,)) == shown(report)
