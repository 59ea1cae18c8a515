"""`xwalk info` reports the same facts about files as pyarrow, pylance and vortex."""
import datetime as dt
import decimal
import json
import uuid

import interfaces_test  # skips if the interfaces are not built
import lance
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import vortex

import xwalk

import pytest

from tests import harness

ROWS = 1000


def table():
    count = range(ROWS)
    at = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc)
    return pa.table({
        "id": pa.array([i - 500 for i in count], pa.int64()),
        "u": pa.array([2**64 - 1 - i for i in count], pa.uint64()),
        "at": pa.array([at + dt.timedelta(hours=i) for i in count], pa.timestamp("us", "UTC")),
        "day": pa.array([at.date() - dt.timedelta(days=i % 30) for i in count]),
        "price": pa.array([decimal.Decimal(i - 500) / 100 for i in count], pa.decimal128(12, 2)),
        "name": pa.array([None if i % 10 == 0 else f"n{i % 7}" for i in count]),
        "ok": pa.array([i % 2 == 0 for i in count]),
        "x": pa.array([None if i % 3 else i * 0.1 - 5 for i in count], pa.float64()),
        "none": pa.array([None] * ROWS, pa.int32()),
        "at2": pa.array([{"a": i, "b": [i % 5]} for i in count],
                        pa.struct([("a", pa.int32()), ("b", pa.list_(pa.int16()))])),
    })


class TestInfo:
    @classmethod
    def setup_class(cls):
        cls.folder = harness.make_folder("info")
        cls.table = table()
        pq.write_table(cls.table, cls.folder / "t.parquet", row_group_size=300, compression="zstd")
        for name, begin in (("t.arrow", ipc.new_file), ("t.arrows", ipc.new_stream)):
            with begin(cls.folder / name, cls.table.schema) as writer:
                writer.write_table(cls.table, max_chunksize=300)
        with ipc.new_file(cls.folder / "z.arrow", cls.table.schema, options=ipc.IpcWriteOptions(compression="lz4")) as writer:
            writer.write_table(cls.table)
        lance.write_dataset(cls.table, cls.folder / "t.lance", max_rows_per_file=400)
        vortex.io.write(cls.table, str(cls.folder / "t.vortex"))

    def column(self, found, path):
        return next(column for column in found.columns if column["path"] == path)

    @pytest.mark.parametrize("name", ["t.parquet", "t.arrow", "t.arrows", "z.arrow", "t.lance", "t.vortex"])
    def test_rows_of_every_format(self, name):
        """With the rows read, every format tells what the rows are."""
        found = xwalk.info(self.folder / name, scan=True)
        assert found.rows == ROWS, name
        for field in self.table.schema:
            values = self.table[field.name]
            column = self.column(found, field.name)
            assert column["nulls"] == values.null_count, (name, field.name)
            if pa.types.is_struct(field.type):
                continue
            assert column["distinct"] == pc.count_distinct(values).as_py(), (name, field.name)
            ends = [one.as_py() for one in pc.min_max(values).values()]
            assert [column["min"], column["max"]] == [self.text(one) for one in ends], (name, field.name)
        assert self.column(found, "at2.a")["max"] == "999"
        assert self.column(found, "at2.b[]")["distinct"] == 5

    @staticmethod
    def text(value):
        if value is None:
            return None
        if isinstance(value, dt.datetime):
            return value.strftime("%Y-%m-%dT%H:%M:%SZ")
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float):
            return f"{value:g}" if value == int(value) else repr(value)
        return str(value)

    def test_what_files_record(self):
        facts = {"t.parquet": ("row groups", 4), "t.arrow": ("record batches", 4), "t.arrows": ("record batches", 4),
                 "z.arrow": ("record batches", 1), "t.lance": ("fragments", 3)}
        for name, (pieces_are, pieces) in facts.items():
            found = xwalk.info(self.folder / name).to_dict()
            assert (found["rows"], found["pieces_are"], found["pieces"]) == (ROWS, pieces_are, pieces), name
        assert xwalk.info(self.folder / "t.vortex").rows == len(vortex.open(str(self.folder / "t.vortex")))
        assert xwalk.info(self.folder / "z.arrow").to_dict()["compression"] == ["lz4"]
        found = xwalk.info(self.folder / "t.lance").to_dict()
        fragments = lance.dataset(self.folder / "t.lance").get_fragments()
        assert found["bytes"] == sum(file.file_size_bytes for one in fragments for file in one.metadata.files)
        assert "lance" in found["writers"][0]

    def test_parquet_statistics(self):
        """The footer alone tells what the rows do, where the writer recorded it, and pyarrow its sizes."""
        told, read = (xwalk.info(self.folder / "t.parquet", scan=scan) for scan in (False, True))
        footer = pq.read_metadata(self.folder / "t.parquet")
        groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
        for index, path in enumerate((*self.table.schema.names[:-1], "at2.a", "at2.b[]")):
            column, real = self.column(told, path), self.column(read, path)
            assert (column["min"], column["max"]) == (real["min"], real["max"]), path
            assert column["bytes"] == sum(group.column(index).total_compressed_size for group in groups), path
            if not path.startswith("at2"):
                assert column["nulls"] == real["nulls"], path
        assert told.to_dict()["compression"] == ["zstd"]
        assert told.to_dict()["writers"] == [footer.created_by]

    def test_vortex_statistics(self):
        told, read = (xwalk.info(self.folder / "t.vortex", scan=scan) for scan in (False, True))
        for path in self.table.schema.names:
            column, real = self.column(told, path), self.column(read, path)
            assert [column[word] for word in ("nulls", "min", "max")] == [real[word] for word in ("nulls", "min", "max")], path
            assert column["shortened"] == (path == "name"), path

    def test_statistics_that_are_not_there_are_not_told(self):
        pq.write_table(self.table, self.folder / "bare.parquet", write_statistics=["id"])
        found = xwalk.info(self.folder / "bare.parquet")
        assert self.column(found, "id")["min"] == "-500"
        assert [self.column(found, "name")[word] for word in ("nulls", "min", "max", "distinct")] == [None] * 4
        nan = pa.table({"x": pa.array([1.0, float("nan"), 3.0])})
        pq.write_table(nan, self.folder / "nan.parquet")
        column = self.column(xwalk.info(self.folder / "nan.parquet"), "x")
        assert (column["min"], column["max"]) == ("1", "3")

    def test_values_as_people_write_them(self):
        one = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
        values = pa.table({"id": pa.array([one.bytes], pa.uuid()), "b": pa.array([b"\xff\x00"]),
                           "t": pa.array([1], pa.time64("us")),
                           "l": pa.array([1500], pa.duration("ns")), "c": pa.array(["x"]).dictionary_encode(), "d": pa.array([decimal.Decimal("1.5")], pa.decimal256(50, 3))})
        pq.write_table(values, self.folder / "v.parquet")
        for scan in (False, True):
            found = xwalk.info(self.folder / "v.parquet", scan=scan)
            assert [self.column(found, name)["min"] for name in ("id", "t", "l", "c")] == [str(one), "00:00:00.000001", "1500ns", "x"], scan

    def test_several_files(self):
        folder = self.folder / "many"
        for day, low in (("2024-01-01", 0), ("2024-01-02", 100)):
            (folder / f"day={day}").mkdir(parents=True)
            pq.write_table(pa.table({"n": pa.array(range(low, low + 10)), "s": [f"s{low}"] * 10}),
                           folder / f"day={day}" / "a.parquet")
        found = xwalk.info(folder)
        assert (found.rows, found.to_dict()["files"], found.to_dict()["pieces"]) == (20, 2, 2)
        column = self.column(found, "n")
        assert (column["nulls"], column["min"], column["max"]) == (0, "0", "109")
        assert self.column(found, "day")["type"] == self.column(xwalk.info(folder, scan=True), "day")["type"]
        assert self.column(xwalk.info(folder, scan=True), "day")["distinct"] == 2

    def test_deleted_rows(self):
        dataset = lance.write_dataset(self.table, self.folder / "less.lance", max_rows_per_file=400)
        dataset.delete("id < -400")
        assert xwalk.info(self.folder / "less.lance").rows == dataset.count_rows()
        assert xwalk.info(self.folder / "less.lance", version=1).rows == ROWS

    @pytest.mark.parametrize("scan", [False, True])
    def test_the_program_says_the_same(self, scan):
        path = str(self.folder / "t.parquet")
        said = harness.run("info", path, "--json", *(["--scan"] if scan else []))
        assert json.loads(said.stdout) == xwalk.info(path, scan=scan).to_dict()

    def test_the_object(self):
        found = xwalk.info(self.folder / "t.parquet")
        assert repr(found) == f"<xwalk.Info {self.folder / 't.parquet'}: parquet, 1,000 rows, 10 columns>"
        assert "scan=True" in found._repr_html_()
        assert found.bytes == (self.folder / "t.parquet").stat().st_size
        with pytest.raises(xwalk.UsageError, match="expected the path of rows"):
            xwalk.info(self.table)
