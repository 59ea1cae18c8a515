"""The DuckDB extension: files are tables."""

import functools
import http.server
import os
import pathlib
import subprocess
import threading

import pytest

import duckdb
from connection import BUILD, DEPS, EXTENSION, FOLDER, connect, write

ENGINES = os.environ["XWALK_PYTHON"]
PEOPLE = "{id=1;name=anna;tags=[a;b]};\n{id=2;name=#;tags=[]};\n"
SCHEMA = "[{name=id;type=int64;required=%true};{name=name;type=utf8}]"


def error_of(call, *arguments) -> str:
    try:
        call(*arguments)
    except duckdb.Error as error:
        return str(error)
    raise AssertionError("expected an error")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class TestReading:
    def setup_method(self):
        self.db = connect()
        self.people = write("people.yson", PEOPLE)

    def rows(self, query: str) -> list:
        return self.db.execute(query).fetchall()

    def test_the_program_loads_the_same_file(self):
        program = DEPS / "duckdb-python-1.5.6" / "bin" / "duckdb"
        done = subprocess.run([program, "-unsigned", "-csv", "-c", f"LOAD '{EXTENSION}'; SELECT id FROM '{self.people}'"],
                              capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(DEPS / "duckdb-python-1.5.6")})
        assert (done.stdout.split(), done.stderr) == (["id", "1", "2"], "")

    def test_a_function_for_each_format(self):
        expected = [(1, "anna", ["a", "b"]), (2, None, [])]
        assert self.rows(f"FROM read_yson('{self.people}')") == expected
        assert self.rows(f"FROM read_xwalk('{self.people}')") == expected
        assert self.rows(f"FROM '{self.people}'") == expected
        assert self.rows(f"FROM read_yson(['{self.people}', '{self.people}'])") == 2 * expected
        other = write("people.txt", PEOPLE)
        assert self.rows(f"FROM read_xwalk('{other}', format => 'yson')") == expected

    def test_patterns_and_folders(self):
        write("days/day=1/a.yson", "{id=1};")
        write("days/day=2/a.yson", "{id=2};")
        expected = [(1, 1), (2, 2)]
        assert self.rows(f"SELECT id FROM '{FOLDER}/days/*/*.yson' ORDER BY id") == [(1,), (2,)]
        assert self.rows(f"SELECT id, day::INT FROM '{FOLDER}/days/' ORDER BY id") == expected
        assert self.rows(f"SELECT day::INT FROM '{FOLDER}/days/' WHERE id = 2") == [(2,)]

    def test_only_the_columns_that_are_asked_for_are_read(self):
        # The other column is invalid UTF-8, so reading it fails.
        bad = write("bad.yson", b"{id=1;name=\"\\xff\"};")
        write("bad.yson.schema", SCHEMA)
        assert self.rows(f"SELECT id FROM '{bad}'") == [(1,)]
        assert "name" in error_of(self.rows, f"SELECT name FROM '{bad}'")
        assert self.rows(f"SELECT count(*) FROM '{self.people}'") == [(2,)]
        assert self.rows(f"SELECT name, id FROM '{self.people}'") == [("anna", 1), (None, 2)]

    def engines_started(self, query: str, before: str = "") -> int:
        """Runs a query in another process, after some lines of Python, and returns how many engine programs it has started."""
        log, python = FOLDER / "starts.txt", FOLDER / "python-that-counts"
        log.write_text("")
        python.write_text(f'#!/bin/sh\necho $$ >>{log}\nexec {ENGINES} "$@"\n')
        python.chmod(0o755)
        script = f"""
import resource, sys
{before}
import duckdb
db = duckdb.connect(config={{"allow_unsigned_extensions": "true"}})
db.load_extension("{EXTENSION}")
assert db.execute("{query}").fetchall()
sys.exit(2 if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss else 0)
"""
        # The module runs engines itself only if the variable names no other interpreter.
        chosen = {"XWALK_PYTHON": ENGINES if before else str(python)}
        done = subprocess.run([ENGINES, "-c", script], capture_output=True, text=True,
                              env={**os.environ, **chosen})
        assert done.returncode in (0, 2), done.stderr
        # An engine runs the named interpreter once more in the same process.
        started = len(set(log.read_text().split()))
        assert (done.returncode == 0) == (started == 0), "a process was started past the log"
        return started

    def test_a_query_starts_one_engine_and_a_description_none(self):
        package = f"sys.path.insert(0, '{BUILD / 'python'}'); import xwalk"
        for format in ("lance", "vortex"):
            path = FOLDER / f"once.{format}"
            self.db.execute(f"COPY (SELECT {{'id': id, 'name': name}} AS r FROM '{self.people}') TO '{path}' (FORMAT {format}, "
                            "MODE 'overwrite', USE_TMP_FILE false)")
            assert self.engines_started(f"DESCRIBE FROM '{path}'") == 0, format
            assert self.engines_started(f"SELECT name FROM '{path}' WHERE id > 1") == 1, format
            # The module xwalk has them in the process.
            assert self.engines_started(f"SELECT name FROM '{path}' WHERE id > 0", package) == 0, format

    def test_a_copy_starts_one_engine_and_none_with_the_module(self):
        package = f"sys.path.insert(0, '{BUILD / 'python'}'); import xwalk"
        for format in ("lance", "vortex"):
            for before, count in (("", 1), (package, 0)):
                path = FOLDER / f"copied-{count}.{format}"
                copy = (f"COPY (SELECT {{'id': i, 'name': repeat('x', i % 9)}} AS r FROM range(20000) t(i)) TO '{path}' "
                        f"(FORMAT {format}, USE_TMP_FILE false)")
                assert self.engines_started(copy, before) == count, format
                assert self.rows(f"SELECT count(*), sum(id), sum(length(name)) FROM '{path}'") == [
                    (20000, 199990000, sum(i % 9 for i in range(20000)))], format

    def test_a_copy_that_fails_in_the_process_leaves_nothing(self):
        package = f"sys.path.insert(0, '{BUILD / 'python'}'); import xwalk"
        for format in ("lance", "vortex"):
            path = FOLDER / f"failed.{format}"
            copy = (f"COPY (SELECT {{'id': if(i = 15000, error('no such row'), i)}} AS r FROM range(20000) t(i)) TO '{path}' "
                    f"(FORMAT {format}, USE_TMP_FILE false)")
            with pytest.raises(AssertionError, match="no such row"):
                self.engines_started(copy, package)
            assert not list(FOLDER.glob(f"failed.{format}*")), format

    def test_options(self):
        narrow = self.rows(f"FROM read_yson('{self.people}', \"select\" => ['name'], \"limit\" => 1)")
        assert narrow == [("anna",)]
        schema = self.rows(f"DESCRIBE FROM read_yson('{self.people}', schema => '[{{name=id;type=uint8}};{{name=name;type=utf8}};"
                           "{name=tags;type_v3={type_name=list;item=utf8}}]')")
        assert [line[:2] for line in schema] == [("id", "UTINYINT"), ("name", "VARCHAR"), ("tags", "VARCHAR[]")]
        assert self.rows(f"SELECT nick FROM read_yson('{self.people}', rename => {{'name': 'nick'}}) WHERE id = 1") == [("anna",)]
        assert "batch_rows: expected a whole number" in error_of(self.rows, f"FROM read_yson('{self.people}', batch_rows => 'x')")
        assert "rejects: a query writes no file" in error_of(self.rows, f"FROM read_yson('{self.people}', rejects => 'x')")

    def test_zones_are_dropped_with_consent(self):
        zoned = write("zoned.yson", '{z="\\x00\\x00\\x00\\x05GMT"}')
        write("zoned.yson.schema", "[{name=z;type_v3=tz_datetime}]")
        query = f"SELECT z::VARCHAR FROM read_yson('{zoned}', drop_zone => true{{}})"
        assert "values would be changed" in error_of(self.rows, query.format(""))
        assert self.rows(query.format(", allow => 'lossy'")) == [("1970-01-01 00:00:05+00",)]

    def test_options_that_contradict_each_other(self):
        for call in ("read_skiff('{}', format => 'yson')", "read_yson('{}', format => '<complex_type_mode=named>yson', "
                     "complex_type_mode => 'positional')"):
            assert "contradict each other" in error_of(self.rows, "FROM " + call.format(self.people))
        assert len(self.rows(f"FROM read_yson('{self.people}', format => '<complex_type_mode=named>yson')")) == 2

    def test_rows_without_columns(self):
        none = write("none.yson", "{};{};")
        write("none.yson.schema", "[]")
        assert "at least one column" in error_of(self.rows, f"FROM '{none}'")

    def test_errors_have_their_place(self):
        assert "no.yson: error: cannot open" in error_of(self.rows, "FROM 'no.yson'")
        bad = write("wrong.yson", "{id=1;name=a};\n{id=x;name=b};\n")
        write("wrong.yson.schema", SCHEMA)
        text = error_of(self.rows, f"SELECT sum(id) FROM '{bad}'")
        assert "wrong.yson:2" in text
        assert "id" in text

    def test_bad_rows_are_left_out_and_told(self):
        bad = write("skip.yson", "{id=1;name=a};\n{id=x;name=b};\n{id=3;name=c};\n")
        write("skip.yson.schema", SCHEMA)
        assert self.rows(f"SELECT id FROM read_yson('{bad}', on_error => 'skip') ORDER BY id") == [(1,), (3,)]
        left_out = self.rows("SELECT scan, row, line, path, reason, source, file FROM xwalk_rejects()")
        assert [(scan, row, line, path) for scan, row, line, path, *_ in left_out] == [(1, 1, 2, "id")]
        assert (left_out[0][5], left_out[0][6]) == (b"{id=x;name=b}", bad)
        assert "expected" in left_out[0][4]
        assert connect().execute("FROM xwalk_rejects()").fetchall() == []
        assert "more than 0 bad rows" in error_of(self.rows, f"FROM read_yson('{bad}', on_error => 'skip', max_rejects => 0)")

    def test_an_inferred_schema_is_a_note(self):
        bare = write("bare.yson", "{id=1};{id=2};")
        assert self.rows("FROM xwalk_notes()") == []
        for _ in range(2):
            assert self.rows(f"SELECT sum(id) FROM '{bare}'") == [(3,)]
        notes = self.rows("SELECT input, path, rule, lost, hint FROM xwalk_notes()")
        assert notes == [(bare, "", "schema.inferred", "no schema: types inferred from all rows", "give a schema with schema => TEXT")]
        assert connect().execute("FROM xwalk_notes()").fetchall() == []
        given = write("given.yson", "{id=1};")
        write("given.yson.schema", "[{name=id;type=int64}]")
        assert self.rows(f"SELECT sum(id) FROM '{given}'") == [(1,)]
        assert [note[0] for note in self.rows("FROM xwalk_notes()")] == [bare]
        mixed = write("mixed.yson", "{x=1};{x=2.5};")
        assert self.rows(f"SELECT x FROM '{mixed}'") == [(1.0,), (2.5,)]
        assert [note[0] for note in self.rows("SELECT rule FROM xwalk_notes()")] == ["schema.inferred", "schema.inferred",
                                                                                     "integers.as-doubles"]

    def test_a_setting_refuses_to_infer(self):
        bare = write("bare.yson", "{id=1};")
        self.db.execute("SET xwalk_require_schema = true")
        for query in (f"FROM '{bare}'", f"FROM read_yson('{bare}')", f"FROM xwalk_check('{bare}', 'parquet')", f"FROM xwalk_schema('{bare}')"):
            assert "the rows have no schema" in error_of(self.rows, query)
        assert self.rows(f"FROM read_yson('{bare}', require_schema => false)") == [(1,)]
        self.db.execute("RESET xwalk_require_schema")
        assert self.rows(f"FROM '{bare}'") == [(1,)]
        assert "the rows have no schema" in error_of(self.rows, f"FROM read_yson('{bare}', require_schema => true)")

    def test_what_a_conversion_keeps_is_a_table(self):
        write("wide.yson", "{id=1;name=a};\n")
        wide = write("wide.yson.schema", "[{name=id;type=int64};{name=d;type_v3={type_name=decimal;precision=20;scale=2}}]")
        path = wide.removesuffix(".schema")
        verdicts = dict(self.rows(f"SELECT path, verdict FROM xwalk_check('{path}', 'parquet')"))
        assert set(verdicts) == {"", "id", "d"}
        assert verdicts["id"] == "exact"
        hints = self.rows(f"SELECT rule, hint FROM xwalk_check('{path}', 'vortex') WHERE rule IS NOT NULL")
        assert "--" not in str(hints)
        write("empty.yson", "")
        empty = write("empty.yson.schema", "[{name=a;type_v3={type_name=list;item={type_name=struct;members=[]}}};"
                      "{name=b;type_v3=int64};{name=c;type_v3={type_name=optional;item={type_name=struct;members=[]}}}]")
        verdicts = self.rows(f"SELECT path, verdict FROM xwalk_check('{empty.removesuffix('.schema')}', 'parquet') WHERE path <> ''")
        assert verdicts == [("a", "unsupported"), ("b", "exact"), ("c", "unsupported")]
        dump = write("dump/a.yson", "{a=1};").rsplit("/", 1)[0]
        write("dump/a.yson.schema", "[{name=a;type_v3=int64}]")
        write("dump/b.yson", "{t=1u};")
        write("dump/b.yson.schema", "[{name=t;type_v3=timestamp}]")
        write("dump/c.yson", "{t=1u};")
        write("dump/c.yson.schema", "[{name=t;type_v3=nothing}]")
        found = self.rows(f"SELECT input, path, verdict FROM xwalk_check('{dump}', 'parquet') WHERE path <> '' OR verdict = 'error'")
        assert ([(pathlib.Path(file).stem, path, verdict) for file, path, verdict in found]
                == [("a", "a", "exact"), ("b", "t", "annotated"), ("c", "", "error")])
        assert "c.yson.schema" in error_of(self.rows, f"FROM xwalk_schema('{dump}/c.yson')")
        assert "expected the schema of the first input" in error_of(self.rows, f"FROM read_yson('{dump}/[ab].yson')")
        assert "expected yt" in error_of(self.rows, f"FROM xwalk_check('{path}', 'nope')")

    def test_schemas_are_told_in_every_form(self):
        schema = write("told.yson.schema", SCHEMA)
        assert self.rows(f"SELECT system FROM xwalk_schema('{schema}')") == [("yt",)]
        assert "type_v3" in self.rows(f"SELECT schema FROM xwalk_schema('{schema}', form => 'json')")[0][0]
        assert 'unknown form "nope"' in error_of(self.rows, f"FROM xwalk_schema('{schema}', form => 'nope')")

    def test_an_output_is_verified(self):
        path = write("proved.yson", "{id=1;n=a};{id=2;n=b};{id=x;n=c};\n")
        write("proved.yson.schema", "[{name=id;type=int64};{name=n;type=utf8}]")
        out = write("proved.skiff", "")
        self.rows(f"COPY (SELECT t FROM (FROM read_yson('{path}', on_error => 'skip')) AS t) TO '{out}' (FORMAT skiff, MODE overwrite, USE_TMP_FILE false)")
        query = f"FROM xwalk_verify('{path}', '{out}', on_error => 'skip', key => 'id')"
        assert (self.rows(f"SELECT verified, rows_read, rows_rejected, rows_written, differing_rows, first_difference {query}")
                == [(True, 3, 1, 2, 0, None)])
        assert self.rows(f"SELECT input_checksum = output_checksum, input, output {query}") == [(True, path, out)]
        write("proved.yson", "{id=1;n=a};{id=2;n=changed};\n")
        found = self.rows(f"SELECT verified, differing_rows, differing_columns, first_difference, input_checksum = output_checksum {query}")
        assert [row[:3] + row[4:] for row in found] == [(False, 1, "n", False)]
        assert "changed" in found[0][3]
        assert "nowhere" in error_of(self.rows, f"FROM xwalk_verify('{path}', '{out}.nowhere')")

    def test_check_reads_a_list(self):
        paths = [write(f"checked-{name}.yson", "{a=1};") for name in ("first", "second")]
        one = self.rows(f"SELECT path, verdict FROM xwalk_check('{paths[0]}', 'parquet')")
        assert self.rows(f"SELECT path, verdict FROM xwalk_check({paths}, 'parquet')") == one
        missing = paths[0].replace("first", "missing")
        assert self.rows(f"SELECT DISTINCT input FROM xwalk_check({[*paths, missing]}, 'parquet') WHERE verdict = 'error'") == [(missing,)]

    def test_names_of_other_programs_suggest_an_option(self):
        path = write("names.yson", "{a=1};")
        for name, meant in (("columns", '"select"'), ("overwrite", "mode => 'overwrite'"), ("ignore_errors", "on_error => 'skip'")):
            for call in (f"read_xwalk('{path}', {name} => 'a')", f"xwalk_check('{path}', 'parquet', {name} => 'a')"):
                assert f"unknown option {name}\n  Did you mean {meant}?" in error_of(self.rows, f"FROM {call}")

    def test_every_type_in_every_other_system(self):
        pairs = self.rows("SELECT count(DISTINCT (from_system, to_system)), count(*) FROM xwalk_types()")[0]
        assert pairs[0] == 56
        assert pairs[1] > 1000

    def test_threads_see_every_row_once(self):
        many = write("many.yson", "".join(f"{{id={i};name=\"row {i}\"}};\n" for i in range(200_000)))
        write("many.yson.schema", SCHEMA)
        self.db.execute("SET threads = 4")
        query = f"SELECT count(*), sum(id), count(DISTINCT name) FROM read_yson('{many}', batch_rows => 1000)"
        assert self.rows(query) == [(200_000, 199_999 * 100_000, 200_000)]
        # The order of the file is kept where nothing else orders the rows.
        ids = [row[0] for row in self.rows(f"SELECT id FROM read_yson('{many}', batch_rows => 1000)")]
        assert ids == list(range(200_000))
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(self.db.cursor().execute(query).fetchall())) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({str(answer) for answer in answers}) == 1

    def test_threads_show_the_first_error_of_the_file(self):
        self.db.execute("SET threads = 4")
        for first in range(2000, 40000, 6000):
            rows = ((f'"x{i}"' if i >= first and (i - first) % 40 == 0 else i, i) for i in range(80_000))
            bad = write("bad.yson", "".join(f"{{id={value};name=\"a name of some length {i}\"}};\n" for value, i in rows))
            write("bad.yson.schema", SCHEMA)
            for _ in range(4):
                said = error_of(self.rows, f"SELECT sum(id), max(name) FROM read_yson('{bad}', threads => 4)")
                assert f'found string "x{first}"' in said

    @pytest.mark.skipif(not (pathlib.Path(EXTENSION).parent / "libxwalk_stores.so").exists(), reason="the plugin for stores is not built")
    def test_files_of_a_server(self):
        write("there.yson", PEOPLE)
        write("there.yson.schema", "[{name=id;type=int64};{name=name;type=utf8};{name=tags;type=any}]")
        serve = functools.partial(Quiet, directory=str(FOLDER))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            root = f"http://127.0.0.1:{server.server_port}"
            assert self.rows(f"SELECT sum(id) FROM '{root}/there.yson'") == [(3,)]
            assert self.rows(f"SELECT name FROM read_yson('{root}/there.yson') ORDER BY id") == [("anna",), (None,)]
            assert "there is no such file" in error_of(self.rows, f"FROM '{root}/not.yson'")
            server.shutdown()

    def test_a_statement_runs_twice(self):
        self.db.execute(f"PREPARE twice AS SELECT sum(id) FROM '{self.people}'")
        assert [self.rows("EXECUTE twice") for _ in range(3)] == 3 * [[(3,)]]

    def test_a_query_is_interrupted(self):
        many = write("long.yson", "".join(f"{{id={i};name=a}};\n" for i in range(300_000)))
        timer = threading.Timer(0.2, self.db.interrupt)
        timer.start()
        query = f"SELECT count(*) FROM read_yson('{many}', threads => 1) a, range(1000) b, range(1000) c"
        assert "INTERRUPT" in error_of(self.rows, query)
        timer.join()

    def test_tables_come_before_files(self):
        self.db.execute("CREATE TABLE \"t.yson\" AS SELECT 42 AS x")
        assert self.rows("FROM \"t.yson\"") == [(42,)]
        assert "does not exist" in error_of(self.rows, "FROM not_there")

    def test_a_database_in_a_file_closes(self):
        path = str(FOLDER / "base.duckdb")
        db = connect(path)
        db.execute(f"CREATE TABLE t AS FROM '{self.people}'")
        db.close()
        with duckdb.connect(path, read_only=True) as again:
            assert again.execute("SELECT count(*) FROM t").fetchall() == [(2,)]
