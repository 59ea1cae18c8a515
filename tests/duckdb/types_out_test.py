"""Every type of DuckDB through COPY … TO and back: the value comes back, as a type that the page names, or COPY refuses it by name."""

import duckdb
import pytest

from connection import connect

from tests import harness

OWN = "expected a type that other software knows, found "
DIGITS = "expected a number of 38 digits, found one of more"
INFINITE = "expected a date or a time that others have, found infinity"
LONG = "expected an interval with at most 9223372036854775 microseconds of time"
NO_ARROW = "Unsupported Arrow type "
NULL = '"NULL"' if duckdb.__version__ >= "2" else "INTEGER"
#: Of a type: a value, and the type that YSON gives back with the text of the value if that is another one. Or what COPY says.
TYPES = [
    ("BOOLEAN", "true", "BOOLEAN", None), ("TINYINT", "(-128)", "TINYINT", None), ("SMALLINT", "(-32768)", "SMALLINT", None),
    ("INTEGER", "1", "INTEGER", None), ("BIGINT", "9223372036854775807", "BIGINT", None), ("UTINYINT", "255", "UTINYINT", None),
    ("USMALLINT", "65535", "USMALLINT", None), ("UINTEGER", "1", "UINTEGER", None), ("UBIGINT", "18446744073709551615", "UBIGINT", None),
    ("HUGEINT", "(-99999999999999999999999999999999999999)", "DECIMAL(38,0)", None),
    ("HUGEINT", "170141183460469231731687303715884105727", DIGITS, None),
    ("UHUGEINT", "99999999999999999999999999999999999999", "DECIMAL(38,0)", None),
    ("UHUGEINT", "170141183460469231731687303715884105728", DIGITS, None),
    ("UHUGEINT", "340282366920938463463374607431768211455", DIGITS, None),
    ("FLOAT", "1.5", "FLOAT", None), ("DOUBLE", "1.5", "DOUBLE", None), ("DECIMAL(4,1)", "9.5", "DECIMAL(4,1)", None),
    ("DECIMAL(9,1)", "9.5", "DECIMAL(9,1)", None), ("DECIMAL(18,1)", "9.5", "DECIMAL(18,1)", None),
    ("DECIMAL(38,10)", "(-1.25)", "DECIMAL(38,10)", None), ("VARCHAR", "'ab'", "VARCHAR", None), ("BLOB", r"'\xFF'", "BLOB", None),
    ("DATE", "'2024-01-01'", "DATE", None), ("TIME", "'12:00:00.000001'", "BIGINT", "43200000001"),
    ("TIME_NS", "'12:00:00.000000001'", "BIGINT", "43200000000001"), ("TIMETZ", "'12:00:00+02'", OWN + "TIMETZ", None),
    *((kind, "'2024-01-01'", "TIMESTAMP WITH TIME ZONE", "2024-01-01 00:00:00+00") for kind in
      ("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS")),
    ("TIMESTAMPTZ", "'2024-01-01 00:00:00.000001+02'", "TIMESTAMP WITH TIME ZONE", None),
    ("TIMESTAMPTZ_NS", "'2024-01-01 00:00:00.000001+02'", "TIMESTAMP WITH TIME ZONE", None),
    ("TIMESTAMPTZ_NS", "'2024-01-01 00:00:00.000000001'", "x: expected a whole number of us", None),
    ('"NULL"', "NULL", NULL, None), ('"NULL"[]', "[NULL]", f"{NULL}[]", None), ("TYPE", "get_type(1)", NO_ARROW + "TYPE", None),
    ("TUPLE(INTEGER, VARCHAR)", "row(1, 'a')", "STRUCT(element1 INTEGER, element2 VARCHAR)", "{'element1': 1, 'element2': a}"),
    ("INTERVAL", "'1 month 2 days 3 seconds'", 'STRUCT("months" INTEGER, "days" INTEGER, nanoseconds BIGINT)',
     "{'months': 1, 'days': 2, 'nanoseconds': 3000000000}"),
    ("UUID", "'00000000-0000-0000-0000-000000000001'", "UUID", None), ("BIT", "'10101'", OWN + "BIT", None),
    ("BIGNUM", "'123456789012345678901234567890123456789012345'", OWN + "BIGNUM", None), ("JSON", "'{\"a\":1}'", "JSON", None),
    ("ENUM('a', 'b')", "'a'", "VARCHAR", None), ("INTEGER[]", "[1, NULL]", "INTEGER[]", None), ("INTEGER[2]", "[1, NULL]", "INTEGER[]", None),
    ("STRUCT(a BOOLEAN, b JSON, c UUID, d HUGEINT)",
     "{'a': true, 'b': '[1]', 'c': '00000000-0000-0000-0000-000000000001', 'd': 7}", "STRUCT(a BOOLEAN, b JSON, c UUID, d DECIMAL(38,0))", None),
    ("MAP(UUID, BOOLEAN[])", "MAP {'00000000-0000-0000-0000-000000000001'::UUID: [true, NULL, false]}", "MAP(UUID, BOOLEAN[])", None),
    ("UNION(a BOOLEAN, b UHUGEINT)", "union_value(a := true)", "UNION(a BOOLEAN, b DECIMAL(38,0))", None),
    ("GEOMETRY", "'POINT(1 2)'", "BLOB", r"\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\xF0?\x00\x00\x00\x00\x00\x00\x00@"),
    ("VARIANT", "{'b': 1.5}", *(("JSON", '{"b":1.5}') if duckdb.__version__ >= "2" else (NO_ARROW + "VARIANT", None))),
    ("BIT[]", "['10101']", "x[]: " + OWN + "BIT", None), ("MAP(TIMETZ, INTEGER)", "MAP {'12:00:00+02'::TIMETZ: 1}", "x{key}: " + OWN + "TIMETZ", None),
    ("STRUCT(a BIGNUM[2])", "{'a': ['1', '2']}", "x.a[]: " + OWN + "BIGNUM", None),
    ("UNION(a BIT, b INTEGER)", "union_value(b := 1)", "x<a>: " + OWN + "BIT", None),
    *((kind, value, INFINITE, None) for kind in ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMPTZ", "TIMESTAMPTZ_NS")
      for value in ("'infinity'", "'-infinity'")),
    ("DATE[]", "[NULL, 'infinity']", "x[]: " + INFINITE, None), ("MAP(INTEGER, DATE)", "MAP {1: 'infinity'::DATE}", "x{value}: " + INFINITE, None),
    ("STRUCT(a TIMESTAMP[2])[]", "[{'a': ['2024-01-01', '-infinity']}]", "x[].a[]: " + INFINITE, None),
    ("UNION(a DATE, b INTEGER)", "union_value(a := 'infinity'::DATE)", "x<a>: " + INFINITE, None),
    ("INTERVAL", "INTERVAL '-2562047 hours'", "STRUCT(months INTEGER, days INTEGER, nanoseconds BIGINT)", "{'months': 0, 'days': 0, 'nanoseconds': -9223369200000000000}"),
    ("INTERVAL", "INTERVAL '3000000 hours'", LONG, None), ("INTERVAL[]", "[NULL, to_microseconds(-9223372036854775807)]", "x[]: " + LONG, None),
    ("STRUCT(a MAP(INTEGER, INTERVAL[2]))", "{'a': MAP {1: ['1 day'::INTERVAL, INTERVAL '3000000 hours']}}", "x.a{value}[]: " + LONG, None),
    ("UNION(a INTERVAL, b INTEGER)", "union_value(a := INTERVAL '3000000 hours')", "x<a>: " + LONG, None),
    ("STRUCT(h UHUGEINT)[]", "[{'h': 1::UHUGEINT}, {'h': 340282366920938463463374607431768211455}]", DIGITS, None),
]


def is_written(found: str) -> bool:
    """Returns true if COPY writes a value: what it gives back is a type, not a message."""
    return not (OWN in found or INFINITE in found or NO_ARROW in found or found == DIGITS or "expected" in found)


class TestTypes(harness.InFolder):
    def prepare(self):
        self.db = connect()
        self.db.execute("SET TimeZone = 'UTC'")

    def rows(self, query: str) -> list:
        return self.db.execute(query).fetchall()

    @pytest.mark.parametrize("kind, value, found, text", TYPES, ids=[f"{row[0]} {number}" for number, row in enumerate(TYPES)])
    def test_a_value_comes_back_or_is_refused(self, kind, value, found, text):
        try:
            source = self.rows(f"SELECT ({value}::{kind})::VARCHAR")
        except duckdb.Error:
            pytest.skip(f"this DuckDB has no {kind}")
        path = self.folder / "x.yson"
        copy = f"COPY (SELECT {value}::{kind} AS x) TO '{path}' (FORMAT yson, COLUMN_NAMES ['x'])"
        if not is_written(found):
            with pytest.raises(duckdb.Error) as caught:
                self.rows(copy)
            assert found in str(caught.value)
            assert list(self.folder.iterdir()) == []
            return
        self.rows(copy)
        # Names that are keywords are quoted by some versions.
        assert self.rows(f"DESCRIBE FROM '{path}'")[0][1].replace('"', "") == found.replace('"', "")
        assert self.rows(f"SELECT x::VARCHAR FROM '{path}'") == ([(text,)] if text else source)

    @pytest.mark.parametrize("format", ["yson", "skiff"])
    @pytest.mark.parametrize("kind, value, found", [row[:3] for row in TYPES if is_written(row[2]) and not row[0].startswith("UNION")],
                             ids=[f"{row[0]} {number}" for number, row in enumerate(TYPES)
                                  if is_written(row[2]) and not row[0].startswith("UNION")])
    def test_nulls_at_each_level(self, kind, value, found, format):
        """A column, an item, a member, a value of a map, and a list in a list. A UNION has no null."""
        try:
            self.rows(f"SELECT {value}::{kind}")
        except duckdb.Error:
            pytest.skip(f"this DuckDB has no {kind}")
        path = self.folder / f"x.{format}"
        null = f"NULL::{kind}"
        row = (f"{{'x': {null}, 'l': [{value}::{kind}, NULL], 's': {{'m': {null}, 'v': {value}::{kind}}}, 'm': MAP {{'k': {null}}}, "
               f"'ll': [NULL::{kind}[], [], [{null}]]}}")
        self.rows(f"COPY (SELECT unnest([{row}, {{'x': NULL, 'l': NULL, 's': NULL, 'm': NULL, 'll': NULL}}]) AS r) TO '{path}' (FORMAT {format})")
        seen = ("x IS NULL, l IS NULL, l[1] IS NULL, l[2] IS NULL, len(l), s IS NULL, s.m IS NULL, s.v IS NULL, m IS NULL, m['k'] IS NULL, "
                "cardinality(m), ll IS NULL, ll[1] IS NULL, len(ll[2]), ll[3][1] IS NULL, len(ll)")
        expected = [(True, False, kind == '"NULL"', True, 2, False, True, kind == '"NULL"', False, True, 1, False, True, 0, True, 3),
                    (True, True, True, True, None, True, True, True, True, True, None, True, True, None, True, None)]
        assert self.rows(f"SELECT {seen} FROM '{path}'") == expected

    def test_no_type_is_left_out(self):
        """Each type of DuckDB has a row in the table."""
        names = {row[0].partition("(")[0].partition("[")[0] for row in TYPES}
        names |= {"LIST" for row in TYPES if row[0].endswith("[]")} | {"ARRAY" for row in TYPES if row[0].endswith("[2]")}
        other = {"TIME WITH TIME ZONE": "TIMETZ", "TIMESTAMP WITH TIME ZONE": "TIMESTAMPTZ", "NULL": '"NULL"'}
        known = {other.get(kind, kind) for (kind,) in self.rows("SELECT DISTINCT logical_type FROM duckdb_types()")}
        assert known - names == set()

    def test_large_integers_among_others_are_rejected(self):
        path = self.folder / "x.yson"
        query = "SELECT CASE WHEN i = 2 THEN 340282366920938463463374607431768211455 WHEN i = 3 THEN NULL ELSE i::UHUGEINT END FROM range(5) r(i)"
        self.rows(f"COPY ({query}) TO '{path}' (FORMAT yson, COLUMN_NAMES ['x'], ON_ERROR skip)")
        assert self.rows(f"FROM '{path}'") == [(0,), (1,), (None,), (4,)]

    def test_flags_in_many_vectors(self):
        path = self.folder / "x.yson"
        self.rows("CREATE TABLE t AS SELECT {'a': CASE WHEN i % 3 = 0 THEN NULL ELSE i % 5 = 0 END, 'b': [i % 2 = 0, NULL]} AS s FROM range(9999) r(i)")
        self.rows(f"COPY (SELECT s FROM t) TO '{path}' (FORMAT yson)")
        assert self.rows(f"SELECT count(*) FROM (SELECT s.a, s.b FROM t EXCEPT ALL SELECT a, b FROM '{path}')") == [(0,)]

    def test_notes_say_what_copy_has_changed(self):
        path = self.folder / "x.yson"
        self.rows(f"COPY (SELECT {{'at': TIMESTAMP '2024-01-01', 'id': 1::BIGINT, 'mood': 'a'::ENUM('a')}}) TO '{path}' (FORMAT yson)")
        notes = {(at, rule): (where, verdict) for where, at, rule, verdict in self.rows("SELECT input, path, rule, verdict FROM xwalk_notes()")}
        assert {at for at, _ in notes} == {"at", "mood"}
        assert {where for where, _ in notes.values()} == {str(path)}
        assert {at: verdict for (at, _), (_, verdict) in notes.items()} == {"at": "checked", "mood": "widened"}

    def test_json_of_values_of_any_type_comes_back_as_json(self):
        path, copy = self.folder / "x.yson", self.folder / "y.yson"
        path.write_text("{a={x=1}}")
        path.with_name("x.yson.schema").write_text("[{name=a;type=any}]")
        self.rows(f"COPY (SELECT r FROM (SELECT a FROM '{path}') r) TO '{copy}' (FORMAT yson)")
        assert self.rows(f"DESCRIBE FROM '{copy}'")[0][1] == "JSON"
        assert self.rows(f"FROM '{copy}'") == self.rows(f"FROM '{path}'") == [('{"x":1}',)]
        assert self.rows("SELECT path, verdict FROM xwalk_notes()") == []
