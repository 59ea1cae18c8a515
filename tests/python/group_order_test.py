"""The order that row groups of other writers promise (`sorting_columns`) is checked by `validate`, row by row."""
import decimal

import pyarrow as pa
import pyarrow.parquet as pq

from tests import harness

harness.needs("libxwalk_parquet.so")

#: Types, and values of each in their order.
VALUES = {
    pa.int32(): [-5, 0, 7],
    pa.uint64(): [1, 2**63, 2**64 - 1],
    pa.float64(): [-1.5, -0.0, 2.5],
    pa.string(): ["", "a", "é"],
    pa.binary(): [b"\x01", b"\x7f", b"\x80"],
    pa.binary(2): [b"\x00\xff", b"\x7f\x00", b"\xff\x00"],
    pa.bool_(): [False, False, True],
    pa.date32(): [-1, 0, 20000],
    pa.timestamp("ms", "UTC"): [-1, 0, 1],
    pa.decimal128(9, 2): [decimal.Decimal("-1.00"), decimal.Decimal("0.50"), decimal.Decimal("100.00")],
    pa.decimal128(38, 2): [decimal.Decimal("-1.00"), decimal.Decimal("0.50"), decimal.Decimal("1e30")],
}


class TestGroupOrder(harness.InFolder):
    def prepare(self):
        self.path = self.folder / "rows.parquet"

    def write(self, table, *columns, rows=None):
        keys = [pq.SortingColumn(index, descending=descending, nulls_first=first) for index, descending, first in columns]
        pq.write_table(table, self.path, sorting_columns=keys, row_group_size=rows or len(table))

    def errors(self, *words):
        """Returns the lines of errors of `validate`, with and without --values."""
        found = []
        for more in ((), ("--values",)):
            done = harness.try_run("validate", self.path, *more, *words)
            lines = [line for line in done.stdout.splitlines() if "sorting_columns" in line]
            assert done.returncode == (1 if lines else 0), done
            found.append(lines)
        assert found[0] == found[1]
        return found[0]

    def test_every_type_in_both_directions(self):
        for kind, values in VALUES.items():
            for descending in (False, True):
                ordered = values[::-1] if descending else values
                self.write(pa.table({"x": pa.array(ordered, kind)}), (0, descending, False))
                assert self.errors() == [], kind
                mixed = [ordered[2], ordered[0], ordered[1]]
                self.write(pa.table({"x": pa.array(mixed, kind)}), (0, descending, False))
                said = self.errors()
                assert len(said) == 1, (kind, descending, said)
                assert "row group 0" in said[0]
                assert "in " + ("descending" if descending else "ascending") + " order" in said[0]

    def test_nulls(self):
        for first, good, bad in ((True, [None, None, 1], [1, None, 2]), (False, [1, 2, None], [None, 1, 2])):
            for descending in (False, True):
                good_rows, bad_rows = ([row for row in (rows if not descending else [None if row is None else -row for row in rows])]
                                       for rows in (good, bad))
                self.write(pa.table({"x": pa.array(good_rows, pa.int64())}), (0, descending, first))
                assert self.errors() == []
                self.write(pa.table({"x": pa.array(bad_rows, pa.int64())}), (0, descending, first))
                said = self.errors()
                assert len(said) == 1
                assert "nulls " + ("first" if first else "last") in said[0]

    def test_row_groups_and_several_keys(self):
        table = pa.table({"other": [0] * 6, "a": [1, 1, 2, 1, 1, 1], "b": ["y", "x", "z", "c", "b", "a"]})
        # Each row group has an order of its own.
        self.write(table, (1, False, False), (2, True, False), rows=3)
        assert self.errors() == []
        self.write(table, (1, False, False), (2, False, False), rows=3)
        said = self.errors()
        assert len(said) == 3
        assert [line.split("row group ")[1][0] for line in said] == ["0", "1", "1"]
        assert 'found "x" after "y"' in said[0]
        done = harness.try_run("validate", self.path, "--json")
        for part in ('"row":1', '"row":4', '"path":"b"', '"bad_rows":3'):
            assert part in done.stdout.replace(": ", ":")
        # Of equal values of a key, nan says nothing about the next one.
        self.write(pa.table({"x": [1.0, float("nan"), 0.5, 0.25]}), (0, False, False))
        assert len(self.errors()) == 1

    def test_members_of_structs_and_what_has_no_order(self):
        point = pa.StructArray.from_arrays([pa.array([1, 2, 1]), pa.array([3, 2, 1])], ["x", "y"])
        table = pa.table({"point": point, "items": pa.array([[1], [0], [2]])})
        for leaf, count in ((0, 1), (1, 2), (2, 0)):
            self.write(table, (leaf, False, False))
            assert len(self.errors()) == count, leaf

    def test_large_files_in_threads(self):
        numbers = list(range(300_000))
        numbers[200_001] = 5
        self.write(pa.table({"x": numbers}), (0, False, False), rows=100_000)
        said = self.errors("--threads", "3")
        assert len(said) == 1
        assert "row group 2" in said[0]
        assert "found 5 after 200000" in said[0]
