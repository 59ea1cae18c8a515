"""Every name that a query gives obeys the configuration of its database, as DuckDB's own readers and writers do."""

import functools
import http.server
import itertools
import os
import subprocess
import sys
import threading

import pytest

import duckdb
from connection import FOLDER, connect

from tests import harness

SCHEMA = "[{name=id;type=int64}]"
DENIED = "does not allow access"


#: Datasets of the first folder with rows in the second, and with a reference to a file of it.
LANCE = """
import pathlib, sys
import lance, pyarrow as pa
from lance.blob import blob_array, blob_field
inside, outside = map(pathlib.Path, sys.argv[1:])
(outside / "base").mkdir()
lance.write_dataset(pa.table({"x": [41]}), str(inside / "based.lance"), target_bases=["b"],
                    initial_bases=[lance.DatasetBasePath(str(outside / "base"), name="b")])
rows = pa.Table.from_arrays([blob_array([(outside / "a.csv").as_uri()])], schema=pa.schema([blob_field("b")]))
lance.write_dataset(rows, str(inside / "blobs.lance"), data_storage_version="2.2", allow_external_blob_outside_bases=True)
"""


class Asked(http.server.SimpleHTTPRequestHandler):
    paths: list[str] = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.paths.append(self.path)
        super().do_GET()

    do_HEAD = do_GET


class TestAccess(harness.InFolder):
    def prepare(self):
        self.inside, self.outside = self.folder / "in", self.folder / "out"
        for folder in (self.inside, self.outside):
            folder.mkdir(parents=True)
            harness.write(folder / "a.yson", "{id=1};", SCHEMA)
            (folder / "a.csv").write_text("id\n1\n")
        (self.outside / "rows").mkdir()
        (self.outside / "rows" / "a.yson").write_text("{id=1};")
        self.db = connect()

    def limited(self, **settings: str) -> None:
        for name, value in settings.items():
            self.db.execute(f"SET {name} = {value}")

    def only_inside(self) -> None:
        self.limited(allowed_directories=f"['{self.inside}/']", enable_external_access="false")

    def rows(self, query: str) -> list:
        return self.db.execute(query).fetchall()

    def refused(self, query: str, *said: str) -> None:
        with pytest.raises(duckdb.Error) as caught:
            self.rows(query)
        for words in said or (DENIED,):
            assert words in str(caught.value)

    def test_nothing_is_refused_unless_it_is_configured(self):
        assert self.rows(f"FROM '{self.outside}/a.yson'") == [(1,)]

    def test_inputs(self):
        os.symlink("../out/a.yson", self.inside / "link.yson")
        os.symlink("../out/a.yson.schema", self.inside / "b.yson.schema")
        (self.inside / "b.yson").write_text("{id=1};")
        (self.inside / "linked").mkdir()
        os.symlink("../../out/a.yson", self.inside / "linked" / "a.yson")
        os.symlink("../out/rows", self.inside / "rows")
        os.mkfifo(self.inside / "pipe.yson")
        self.rows("CREATE TABLE t(id BIGINT)")
        self.only_inside()
        for name in (f"{self.inside}/a.yson", f"file://{self.inside}/a.yson", f"{self.outside}/../in/a.yson"):
            assert self.rows(f"FROM '{name}'") == [(1,)], name
            assert self.rows(f"COPY t FROM '{name}' (FORMAT yson)") == [(1,)], name
        outside = [f"{self.outside}/a.yson", f"file://{self.outside}/a.yson", f"{self.inside}/../out/a.yson",
                   f"{self.inside}/link.yson", f"{self.inside}/b.yson", f"{self.inside}/linked/", f"{self.inside}/rows/",
                   f"{self.inside}/*.yson", f"{self.outside}/*.yson", f"{self.outside}/", f"{self.outside}/none.yson",
                   f"{self.inside}/pipe.yson", "//home/t", "yt://cluster//home/t", "s3://bucket/a.yson"]
        for name in outside:
            self.refused(f"FROM '{name}'")
            self.refused(f"FROM read_yson('{name}')")
            self.refused(f"COPY t FROM '{name}' (FORMAT yson)")
            self.refused(f"FROM read_xwalk(['{self.inside}/a.yson', '{name}'])")
            self.refused(f"FROM xwalk_schema('{name}')")
            self.refused(f"FROM xwalk_check('{name}', 'parquet')")
            self.refused(f"FROM xwalk_verify('{name}', '{self.inside}/a.yson')")
            self.refused(f"FROM xwalk_verify('{self.inside}/a.yson', '{name}')")
        self.refused("FROM read_yson('-')")
        self.refused("FROM read_xwalk('/dev/stdin', format => 'yson')")
        self.refused(f"FROM read_yson('{self.inside}/a.yson', storage_options => {{'endpoint': 'http://localhost:1'}})",
                     "storage_options is refused")

    def test_outputs(self):
        self.only_inside()
        rows = "COPY (SELECT {'id': 1}) TO"
        self.rows(f"{rows} '{self.inside}/new.yson' (FORMAT yson)")
        assert self.rows(f"FROM '{self.inside}/new.yson'") == [(1,)]
        for path in (f"{self.outside}/new.yson", f"{self.inside}/../out/new.yson"):
            self.refused(f"{rows} '{path}' (FORMAT yson)", "ermission" if "ermission" in self.said(f"{rows} '{path}'") else DENIED)
        bad = f"COPY (SELECT {{'id': i}} FROM range(3) r(i)) TO '{self.inside}/r.yson'"
        self.refused(f"{bad} (FORMAT yson, ON_ERROR 'skip', REJECTS '{self.outside}/r.jsonl')")
        self.rows(f"{bad} (FORMAT yson, ON_ERROR 'skip', REJECTS '{self.inside}/r.bad')")
        (self.inside / "a.jsonl").write_text('{"id":1}')
        for function in ("read_xwalk", "xwalk_schema"):
            for path in (f"{self.outside}/saved.schema", f"{self.outside}/a.csv", f"{self.inside}/../out/saved.schema"):
                self.refused(f"FROM {function}('{self.inside}/a.jsonl', save_schema := '{path}')")
        self.rows(f"FROM read_xwalk('{self.inside}/a.jsonl', save_schema := '{self.inside}/saved.schema')")
        assert (self.inside / "saved.schema").exists()
        os.symlink("../out/a.yson.schema", self.inside / "s.yson.schema")
        self.refused(f"{rows} '{self.inside}/s.yson' (FORMAT yson, MODE overwrite, USE_TMP_FILE false)")
        assert (self.outside / "a.yson.schema").read_text() == SCHEMA
        assert sorted(os.listdir(self.outside)) == ["a.csv", "a.yson", "a.yson.schema", "rows"]

    def said(self, query: str) -> str:
        """Returns what DuckDB answers for a CSV file in the same place."""
        try:
            self.rows(query + " (FORMAT csv)")
        except duckdb.Error as error:
            return str(error)
        return ""

    def test_places_that_a_lance_dataset_names(self):
        follow = f"FROM read_xwalk('{self.inside}/a.yson', follow := 'file:///')"
        self.only_inside()
        self.refused(follow, "follow is refused")
        # Rows in a base path outside are refused, and a blob outside stays a reference.
        made = subprocess.run([sys.executable, "-W", "ignore", "-c", LANCE, str(self.inside), str(self.outside)], capture_output=True, text=True)
        if "No module named" in made.stderr:
            pytest.skip("pylance is not installed")
        assert made.returncode == 0, made.stderr
        for settings in ({}, {"allowed_directories": f"['{self.inside}/']"}):
            self.db = connect()
            self.limited(**settings, enable_external_access="false")
            said = () if settings else (DENIED,)
            self.refused(f"FROM read_xwalk('{self.inside}/based.lance')", *said or ("outside of its folder",))
            if settings:
                (blob,), = self.rows(f"SELECT b FROM read_xwalk('{self.inside}/blobs.lance')")
                assert blob["uri"] == (self.outside / "a.csv").as_uri() and blob["data"] is None
            else:
                self.refused(f"FROM read_xwalk('{self.inside}/blobs.lance')")
        self.refused(f"FROM read_xwalk('{self.inside}/based.lance', follow := '{self.outside}')", "follow is refused")

    def test_allowed_paths(self):
        self.limited(allowed_paths=f"['{self.outside}/a.yson', '{self.outside}/a.yson.schema']", enable_external_access="false")
        assert self.rows(f"FROM '{self.outside}/a.yson'") == [(1,)]
        self.refused(f"FROM '{self.inside}/a.yson'")
        self.refused(f"FROM '{self.outside}/'")

    def test_file_systems_that_are_disabled(self):
        self.limited(disabled_filesystems="'LocalFileSystem'")
        self.refused(f"FROM '{self.inside}/a.yson'")
        self.refused(f"COPY (SELECT {{'id': 1}}) TO '{self.inside}/new.yson' (FORMAT yson)", "isable")

    def test_a_locked_configuration(self):
        self.rows("CREATE TABLE t(id BIGINT)")
        self.limited(lock_configuration="true")
        assert self.rows(f"FROM '{self.inside}/a.yson'") == [(1,)]
        for option in ("threads => 3", "max_memory => '64GiB'", "storage_options => {'endpoint': 'http://localhost:1'}"):
            self.refused(f"FROM read_yson('{self.inside}/a.yson', {option})", "locked")
            self.refused(f"COPY t FROM '{self.inside}/a.yson' (FORMAT yson, {option.replace(' =>', '')})", "locked")

    def test_a_prepared_statement_obeys_later_settings(self):
        self.rows(f"PREPARE q AS SELECT id FROM '{self.outside}/a.yson'")
        self.only_inside()
        self.refused("EXECUTE q")

    def test_no_request_is_sent(self):
        serve = functools.partial(Asked, directory=str(self.folder))
        Asked.paths.clear()
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            root = f"http://127.0.0.1:{server.server_port}"
            self.limited(allowed_directories=f"['{root}/in/']", enable_external_access="false")
            for name in (f"{root}/out/a.yson", f"{root}/in/../out/a.yson", f"{root}/in/%2e%2e/out/a.yson"):
                self.refused(f"FROM '{name}'")
                self.refused(f"FROM xwalk_schema('{name}')")
            assert Asked.paths == []
            server.shutdown()

    def test_as_duckdb_does(self, monkeypatch):
        """What DuckDB's own reader may read, this one may, and nothing else."""
        os.symlink("../out/a.csv", self.inside / "l.csv")
        os.symlink("../out/a.yson", self.inside / "l.yson")
        os.symlink("../in", self.outside / "back")
        self.only_inside()
        monkeypatch.chdir(self.folder)
        for name in itertools.chain(*((f"{place}/a", f"{self.folder}/{place}/a", f"./{place}/a") for place in
                                      ("in", "out", "in/../out", "out/../in", "out/back", "in/.")), ("in/l",)):
            own = bool(self.said_of(f"FROM '{name}.csv'"))
            assert bool(self.said_of(f"FROM '{name}.yson'")) == own

    def said_of(self, query: str) -> str:
        try:
            self.rows(query)
        except duckdb.Error as error:
            return str(error)
        return ""


class TestRejects:
    def test_memory_of_rejected_rows_is_bounded(self):
        bad = FOLDER / "big.yson"
        with open(bad, "w") as out:
            for i in range(6000):
                out.write(f'{{id=x{"y" * 30_000}}};\n')
        (FOLDER / "big.yson.schema").write_text(SCHEMA)
        db = connect()
        assert db.execute(f"SELECT count(*) FROM read_yson('{bad}', on_error => 'skip')").fetchall() == [(0,)]
        kept, last, size = db.execute("SELECT count(*), max(row), sum(octet_length(source)) FROM xwalk_rejects()").fetchall()[0]
        assert last == 5999
        assert size < 64 << 20
        assert kept > 1000
