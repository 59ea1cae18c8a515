"""COPY … TO files of ours and FROM them: whole or not at all, with consent where values are altered."""

import os
import pathlib

import pytest

import duckdb
from connection import connect

from tests import harness

ROWS = """SELECT i::INTEGER AS id, 'name ' || i AS "name", uuid() AS u, [i, NULL] AS l, {'a': i, 'b': 'x'} AS s,
  TIMESTAMP '2024-01-01' + to_seconds(i) AS ts, i::DECIMAL(30, 2) AS d, MAP {'k': i} AS m, DATE '2024-01-01' AS day,
  CASE WHEN i % 2 = 0 THEN NULL ELSE (i % 200)::UTINYINT END AS n, i / 3 AS f, 'x'::BLOB AS b, i % 2 = 0 AS flag
  FROM range(5000) r(i)"""


class TestCopying(harness.InFolder):
    def prepare(self):
        self.db = connect()
        self.db.execute(f"CREATE TABLE t AS {ROWS}")

    def rows(self, query: str) -> list:
        return self.db.execute(query).fetchall()

    def refused(self, query: str) -> str:
        with pytest.raises(duckdb.Error) as caught:
            self.rows(query)
        return str(caught.value)

    def there(self) -> list[str]:
        return sorted(os.listdir(self.folder))

    @pytest.mark.parametrize("format, columns", [("yson", "*"), ("skiff", "*"), ("vortex", "id, name, l, s, ts, n, f, flag"),
                                                 ("lance", "*  EXCLUDE m")])
    def test_rows_come_back(self, format, columns):
        if format in ("vortex", "lance") and not (pathlib.Path(os.environ["XWALK_PYTHON"]).parents[1] / "lib").exists():
            pytest.skip("the packages of engines are not installed")
        path = self.folder / f"rows.{format}"
        assert self.rows(f"COPY (SELECT r FROM (SELECT {columns} FROM t) r) TO '{path}' (FORMAT {format})") == [(5000,)]
        for one, other in ((f"'{path}'", "t"), ("t", f"'{path}'")):
            assert self.rows(f"SELECT count(*) FROM (SELECT id, name, l, s, n, f, flag FROM {one} EXCEPT "
                             f"SELECT id, name, l, s, n, f, flag FROM {other})") == [(0,)]

    def test_types_come_back(self):
        path = self.folder / "rows.yson"
        self.rows(f"COPY (SELECT t FROM t) TO '{path}' (FORMAT yson)")
        kinds = dict(line[:2] for line in self.rows(f"DESCRIBE FROM '{path}'"))
        expected = dict(line[:2] for line in self.rows("DESCRIBE t"))
        expected["ts"] = "TIMESTAMP WITH TIME ZONE"  # a timestamp of YTsaurus's is an instant
        assert kinds == expected

    def test_names(self):
        path = self.folder / "a.yson"
        assert "COPY (SELECT t FROM" in self.refused(f"COPY t TO '{path}' (FORMAT yson)")
        for names, said in (("COLUMN_NAMES ['id']", "expected 2 names, found 1"), ("COLUMNS ['id', 'name']", "COLUMN_NAMES"),
                            ("COLUMN_NAMES 3", "expected the names")):
            assert said in self.refused(f"COPY (SELECT id, name FROM t) TO '{path}' (FORMAT yson, {names})")
        assert self.there() == []
        self.rows(f"COPY (SELECT id, name FROM t) TO '{path}' (FORMAT yson, COLUMN_NAMES ['key', 'value'])")
        assert self.rows(f"SELECT key, value FROM '{path}' LIMIT 1") == [(0, "name 0")]
        other = self.folder / "b.yson"
        self.rows(f"COPY t(name, id) TO '{other}' (FORMAT yson, COLUMN_NAMES ['name', 'id'])")
        assert self.rows(f"SELECT id, name FROM '{other}' LIMIT 1") == [(0, "name 0")]

    def test_options_that_contradict_each_other(self):
        path = self.folder / "a.yson"
        for options, said in (("FORMAT yson, \"to\" 'parquet'", "contradict"), ("FORMAT yson, \"limit\" 3", "LIMIT"),
                              ("FORMAT yson, \"to\" '<format=binary>yson', YSON_FORMAT 'text'", "contradict")):
            assert said in self.refused(f"COPY (SELECT t FROM t) TO '{path}' ({options})")
        assert self.there() == []
        self.rows(f"COPY (SELECT t FROM t) TO '{path}' (FORMAT yson, \"to\" '<format=binary>yson')")

    def test_errors_have_the_syntax_of_copy(self):
        path = self.folder / "a.yson"
        for options, parts in (("FORMAT yson, CAST {'id': 'int8'}", ("Skip such rows with ON_ERROR 'skip', REJECTS FILE.",)),
                               ("FORMAT yson, MODE replace", ("mode: expected create, append, append-again, upsert or overwrite",))):
            said = self.refused(f"COPY (SELECT t FROM t) TO '{path}' ({options})")
            for part in parts:
                assert part in said
            assert "=>" not in said

    def test_sums_are_numbers(self):
        path = self.folder / "sum.yson"
        self.rows(f"COPY (SELECT r FROM (SELECT sum(id) AS total FROM t) r) TO '{path}' (FORMAT yson)")
        assert self.rows(f"SELECT total::BIGINT FROM '{path}'") == [(12_497_500,)]

    def test_nothing_is_replaced_unasked(self):
        path = self.folder / "rows.yson"
        query = f"COPY (SELECT {{'id': id}} FROM t LIMIT 3) TO '{path}'"
        self.rows(f"{query} (FORMAT yson)")
        before = path.read_bytes()
        assert "exists" in self.refused(f"{query} (FORMAT yson, YSON_FORMAT 'binary')")
        assert (path.read_bytes(), self.there()) == (before, ["rows.yson", "rows.yson.schema"])
        self.rows(f"{query} (FORMAT yson, YSON_FORMAT 'binary', MODE overwrite, USE_TMP_FILE false)")
        assert path.read_bytes() != before
        assert self.there() == ["rows.yson", "rows.yson.schema"]

    def test_values_are_altered_with_consent(self):
        path = self.folder / "fine.yson"
        query = f"COPY (SELECT {{'moment': '2024-01-01 00:00:00.123456789'::TIMESTAMP_NS}}) TO '{path}'"
        assert "ROUND true" in self.refused(f"{query} (FORMAT yson)")
        assert "ALLOW 'lossy'" in self.refused(f"{query} (FORMAT yson, ROUND true)")
        assert self.there() == []
        self.rows(f"{query} (FORMAT yson, ROUND true, ALLOW lossy)")
        assert self.rows(f"SELECT epoch_us(moment) FROM '{path}'") == [(1_704_067_200_123_457,)]

    def test_files_fill_a_table(self):
        """COPY FROM gives the rows that COPY TO has written, for columns in any order and with any case of names."""
        columns = "id, name, l, s, ts::TIMESTAMPTZ AS ts, n, f, b, flag, day"
        for format in ("yson", "skiff"):
            path = self.folder / f"rows.{format}"
            self.rows(f"COPY (SELECT r FROM (SELECT {columns} FROM t) r) TO '{path}' (FORMAT {format})")
            self.rows(f"CREATE OR REPLACE TABLE back AS SELECT {columns} FROM t LIMIT 0")
            assert self.rows(f"COPY back FROM '{path}' (FORMAT {format})") == [(5000,)]
            for one, other in (("back", "t"), ("t", "back")):
                assert self.rows(f"SELECT count(*) FROM (SELECT {columns} FROM {one} EXCEPT SELECT {columns} FROM {other})") == [(0,)], format
            self.rows("CREATE OR REPLACE TABLE turned(FLAG BOOLEAN, \"NAME\" VARCHAR, id BIGINT, unknown INTEGER)")
            self.rows(f"COPY turned FROM '{path}' (FORMAT {format}, SELECT ['id', 'name', 'flag'])")
            assert self.rows("FROM turned WHERE id = 7") == [(False, "name 7", 7, None)]
            self.rows("CREATE OR REPLACE TABLE part(id INTEGER, who VARCHAR)")
            self.rows(f"COPY part(who) FROM '{path}' (FORMAT {format}, SELECT 'name', RENAME {{'name': 'who'}}, \"limit\" 2)")
            assert self.rows("FROM part") == [(None, "name 0"), (None, "name 1")]

    def test_a_table_is_filled_whole_or_not_at_all(self):
        path = harness.write(self.folder / "rows.yson", '{id=1;name=x};{id=2;name=#};{id=300;name=z}',
                             "[{name=id;type_v3=int64};{name=name;type_v3={type_name=optional;item=utf8}}]")
        self.rows("CREATE TABLE small(id UTINYINT, name VARCHAR)")
        copy = f"COPY small FROM '{path}' (FORMAT yson"
        for query, said in ((f"{copy})", "from 0 to 255, found 300"), (f"{copy}, SELCT 'id')", "selct"), (f"{copy}, \"format\" skiff)", ""),
                            (f"COPY small(id) FROM '{path}' (FORMAT yson)", "would be dropped"),
                            (f"COPY small FROM '{path}.no' (FORMAT yson)", "cannot open"),
                            (f"{copy}, REJECTS 'r.yson')", "xwalk_rejects()")):
            assert said in self.refused(query).replace("SELCT", "selct"), query
        assert self.rows("FROM small") == []
        assert self.rows(f"{copy}, ON_ERROR skip)") == [(2,)]
        assert self.rows("FROM small") == [(1, "x"), (2, None)]
        assert self.rows("SELECT row, path FROM xwalk_rejects()") == [(2, "id")]

    def test_rows_that_copy_leaves_out_are_listed(self):
        for format in ("yson", "skiff"):
            path = self.folder / f"left.{format}"
            self.rows(f"COPY (SELECT unnest([300, 5, -129]) AS v) TO '{path}' (FORMAT {format}, COLUMN_NAMES ['v'], CAST {{'v': 'int8'}}, ON_ERROR skip)")
            assert self.rows(f"FROM '{path}'") == [(5,)]
            found = self.rows(f"SELECT row, path, reason FROM xwalk_rejects() WHERE file = '{path}'")
            assert [(row, path) for row, path, _ in found] == [(0, "v"), (2, "v")] and "found 300" in found[0][2], found

    def test_intervals_of_nanoseconds_are_refused(self):
        import pyarrow as pa

        kind = pa.month_day_nano_interval()
        path = self.folder / "fine.arrow"
        for values, well in (([pa.scalar((1, 2, 3000), kind), None], True), ([pa.scalar((0, 0, 1500), kind)], False)):
            table = pa.table({"i": pa.array(values, kind), "l": pa.array([values], pa.list_(kind)).take([0] * len(values))})
            with pa.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
            if well:
                assert self.rows(f"SELECT i::VARCHAR, l[1]::VARCHAR FROM '{path}'")[0] == ("1 month 2 days 00:00:00.000003",) * 2
            else:
                for column in ("i", "l"):
                    assert "whole microseconds" in self.refused(f"SELECT {column} FROM '{path}'")

    def test_types_that_a_file_cannot_fill(self):
        path = self.folder / "rows.yson"
        path.write_text("{id=1}")
        self.rows("CREATE TYPE mood AS ENUM ('good', 'bad')")
        for kind in ("HUGEINT", "mood", "mood[]", "STRUCT(a mood)", "TIMETZ"):
            self.rows(f"CREATE OR REPLACE TABLE odd(id {kind})")
            assert "INSERT INTO t" in self.refused(f"COPY odd FROM '{path}' (FORMAT yson)"), kind

    def test_a_query_that_fails_leaves_nothing(self):
        path = self.folder / "part.yson"
        query = "SELECT {'a': CASE WHEN i = 400000 THEN error('no more') ELSE 'x' END} FROM range(500000) r(i)"
        assert "no more" in self.refused(f"COPY ({query}) TO '{path}' (FORMAT yson)")
        assert self.there() == []
        assert "cannot create" in self.refused("COPY (SELECT {'a': 1}) TO '/not/there/x.yson' (FORMAT yson)")
        assert "compresion" in self.refused(f"COPY (SELECT {{'a': 1}}) TO '{path}' (FORMAT yson, COMPRESION gzip)")
