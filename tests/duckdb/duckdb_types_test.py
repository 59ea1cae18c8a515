"""Every type of every system in DuckDB: the extension returns what DuckDB returns for the same rows in Arrow."""

import datetime
import decimal
import uuid

import pyarrow as pa
import pyarrow.ipc

import pytest

from connection import FOLDER, connect, write

D = decimal.Decimal


def sparse():
    members = [pa.array([1, 2, 3]), pa.array(["x", "y", "z"])]
    return pa.UnionArray.from_sparse(pa.array([0, 1, 1], pa.int8()), members, ["a", "b"])


def dense():
    members = [pa.array([1]), pa.array(["y", "z"])]
    return pa.UnionArray.from_dense(pa.array([0, 1, 1], pa.int8()), pa.array([0, 0, 1], pa.int32()), members, ["a", "b"])


def filled(type_, *values):
    return pa.array([*values, None], type_)


#: What DuckDB takes from Arrow as it is.
AS_ARROW = {
    **{str(kind): filled(kind, 0, 1) for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(),
                                                  pa.uint32(), pa.uint64(), pa.float32(), pa.float64())},
    "ends": filled(pa.int64(), -2**63, 2**63 - 1),
    "uends": filled(pa.uint64(), 0, 2**64 - 1),
    "bool": filled(pa.bool_(), True, False),
    **{str(kind): filled(kind, "", "short", "longer than twelve bytes, ünd mehr") for kind in
       (pa.string(), pa.large_string(), pa.string_view())},
    **{str(kind): filled(kind, b"", b"\0\xff", b"longer than twelve bytes") for kind in
       (pa.binary(), pa.large_binary(), pa.binary_view())},
    "fixed": filled(pa.binary(3), b"abc"),
    "uuid": filled(pa.uuid(), uuid.UUID(int=1).bytes, uuid.UUID(int=2**128 - 1).bytes),
    "json": filled(pa.json_(), '{"a": [1, null]}'),
    "date32": filled(pa.date32(), datetime.date(1, 1, 1), datetime.date(9999, 12, 31)),
    "date64": filled(pa.date64(), datetime.date(2024, 2, 29)),
    **{str(kind): filled(kind, 0, 86_399) for kind in (pa.time32("s"), pa.time32("ms"), pa.time64("us"))},
    "time_ns": filled(pa.time64("ns"), 0, 86_399_999_999_999),
    **{f"timestamp_{unit}": filled(pa.timestamp(unit), -1, 1_700_000_000) for unit in ("s", "ms", "us", "ns")},
    **{f"timestamptz_{unit}": filled(pa.timestamp(unit, "UTC"), -1, 1_700_000_000) for unit in ("s", "ms", "us")},
    "zone": filled(pa.timestamp("us", "Europe/Paris"), 1_700_000_000),
    **{f"duration_{unit}": filled(pa.duration(unit), -1, 86_400) for unit in ("s", "ms", "us")},
    "interval": filled(pa.month_day_nano_interval(), (14, -3, 5_000)),
    "decimal32": filled(pa.decimal32(9, 2), D("-1234567.89")),
    "decimal64": filled(pa.decimal64(18, 3), D("123456789012345.678")),
    "decimal38": filled(pa.decimal128(38, 10), D("-" + "9" * 28 + "." + "9" * 10)),
    "decimal4": filled(pa.decimal128(4, 1), D("999.9")),
    "list": filled(pa.list_(pa.string()), [], ["a", None]),
    "large_list": filled(pa.large_list(pa.int8()), [1], [None, 2]),
    "list_view": filled(pa.list_view(pa.int8()), [1], [None, 2]),
    "array": filled(pa.list_(pa.int16(), 2), [1, 2], [None, 3]),
    "struct": filled(pa.struct([("a", pa.int8()), ("b", pa.list_(pa.binary()))]), {"a": 1, "b": [b"x"]}, {"a": None, "b": None}),
    "map": filled(pa.map_(pa.string(), pa.int32()), [("a", 1), ("b", None)], []),
    "maps": filled(pa.list_(pa.map_(pa.string(), pa.list_(pa.int32()))), [[("a", [1, 2])], None]),
    "dictionary": filled(pa.string(), "a", "b", "a").dictionary_encode(),
    "runs": pa.RunEndEncodedArray.from_arrays([2, 3], ["a", "b"]),
    "union": sparse(),
    "nothing": pa.nulls(3),
}

#: What DuckDB has no way for, with the column that stands for it.
OTHERWISE = {
    "half": (pa.array([1.5, None, -2], pa.float16()), filled(pa.float32(), 1.5, None, -2)[:3]),
    "decimal256": (filled(pa.decimal256(38, 2), D("1.25")), filled(pa.decimal128(38, 2), D("1.25"))),
    "wide": (filled(pa.decimal256(50, 2), D("-1.25"), D("9" * 48)), filled(pa.string(), "-1.25", "9" * 48 + ".00")),
    "dense": (dense(), sparse()),
    "bool8": (pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None], pa.int8())), pa.array([True, False, None])),
    "instant": (filled(pa.timestamp("ns", "UTC"), 1_000, -1_000), filled(pa.timestamp("us", "UTC"), 1, -1)),
    "elapsed": (filled(pa.duration("ns"), 1_000), filled(pa.duration("us"), 1)),
    "none": (pa.array([{}, None], pa.struct([])), pa.array([{"$empty": None}, None], pa.struct([("$empty", pa.bool_())]))),
}


def arrow_file(name: str, column: pa.Array) -> str:
    path = str(FOLDER / f"{name}.arrow")
    table = pa.table({"x": column, "again": column})
    with pa.ipc.new_file(path, table.schema) as out:
        out.write_table(table)
    return path


class TestTypes:
    def setup_method(self):
        self.db = connect()

    def rows(self, query: str) -> list:
        return self.db.execute(query).fetchall()

    def shown(self, source: str) -> tuple:
        """The types, and the values as DuckDB prints them."""
        names = ", ".join(f"{name}::VARCHAR" for name in ("x", "again"))
        tags = ", union_tag(x)" if self.rows(f"DESCRIBE FROM {source}")[0][1].startswith("UNION") else ""
        return [line[1] for line in self.rows(f"DESCRIBE FROM {source}")], self.rows(f"SELECT {names}{tags} FROM {source}")

    def same(self, path: str, column: pa.Array) -> None:
        in_arrow = pa.table({"x": column, "again": column})  # noqa: F841: DuckDB finds it by its name
        self.db.register("in_arrow", in_arrow)
        types, values = self.shown("in_arrow")
        found_types, found = self.shown(f"read_xwalk('{path}')")
        assert found == values
        assert found_types == ([kind.replace("NULL", "INTEGER") for kind in types] if types[0] == "NULL" else types)

    @pytest.mark.parametrize("name, column", AS_ARROW.items())
    def test_what_duckdb_takes_of_arrow(self, name, column):
        self.same(arrow_file(name, column), column)

    @pytest.mark.parametrize("name", OTHERWISE)
    def test_what_stands_for_the_rest(self, name):
        column, seen = OTHERWISE[name]
        self.same(arrow_file(name, column), seen)

    def test_all_of_it_nested_and_in_many_vectors(self):
        for name, column in AS_ARROW.items():
            if name in ("union", "runs", "string_view", "binary_view"):
                continue  # pyarrow takes none of these by index
            many = column.take(pa.array([i * i % len(column) for i in range(5_000)]))
            inner = pa.StructArray.from_arrays([many], ["m"])
            outer = pa.StructArray.from_arrays([inner, inner], ["a", "b"])
            items = pa.ListArray.from_arrays(pa.array(range(5_001), pa.int32()), outer)
            for at, nested in enumerate((many, inner, outer, items)):
                self.same(arrow_file(f"{name}_{at}", nested), nested)

    def test_finer_units_are_refused_and_may_be_rounded(self):
        path = arrow_file("fine", filled(pa.timestamp("ns", "UTC"), 1_001))
        with pytest.raises(Exception, match="round => true"):
            self.rows(f"FROM '{path}'")
        assert len(self.rows(f"SELECT x::VARCHAR FROM read_xwalk('{path}', round => true)")) == 2

    def test_repeated_keys_are_refused_and_may_give_way(self):
        path = arrow_file("twice", filled(pa.map_(pa.string(), pa.int32()), [("a", 1), ("a", 2)]))
        with pytest.raises(Exception, match="duplicate_keys => 'last'"):
            self.rows(f"FROM '{path}'")
        query = f"SELECT x FROM read_xwalk('{path}', duplicate_keys => 'last'{{}})"
        with pytest.raises(Exception, match="(?s)values would be changed.*allow => 'lossy'"):
            self.rows(query.format(""))
        assert self.rows(query.format(", allow => 'lossy'"))[0][0] == {"a": 2}


class TestOfYTsaurus:
    def setup_method(self):
        self.db = connect()
        self.path = write("kinds.yson", '{v=[text;ab];o=[[1]];a={x=1};t="1700000000,Europe/Moscow"};{v=[number;7];o=#;a=[1;#];t=#};')
        write("kinds.yson.schema",
              "[{name=v;type_v3={type_name=variant;members=[{name=text;type=utf8};{name=number;type=int64}]}};"
              "{name=o;type_v3={type_name=optional;item={type_name=optional;item={type_name=list;item=int8}}}};"
              "{name=a;type=any};{name=t;type=utf8}]")

    def rows(self, query: str) -> list:
        return self.db.execute(query).fetchall()

    def test_kinds_that_others_have_not(self):
        kinds = dict(line[:2] for line in self.rows(f"DESCRIBE SELECT v, o, a FROM '{self.path}'"))
        assert kinds == {"v": 'UNION("text" VARCHAR, number BIGINT)', "o": 'STRUCT("value" TINYINT[])', "a": "JSON"}
        assert self.rows(f"SELECT v, union_tag(v), o FROM '{self.path}'") == [("ab", "text", {"value": [1]}), (7, "number", None)]

    def test_values_of_any_type_as_bytes(self):
        source = f"read_yson('{self.path}', \"any\" => 'yson')"
        assert dict(line[:2] for line in self.rows(f"DESCRIBE SELECT a FROM {source}")) == {"a": "BLOB"}
        assert self.rows(f"SELECT a FROM '{self.path}'") == [('{"x":1}',), ("[1,null]",)]

    def test_values_of_any_type_as_json(self):
        source = f"read_yson('{self.path}', \"any\" => 'json', rename => {{'v': 'w'}})"
        assert self.rows(f"SELECT a FROM {source}") == [('{"x":1}',), ("[1,null]",)]
        assert self.rows(f"SELECT a->>'x', union_tag(w) FROM {source}") == [("1", "text"), (None, "number")]
