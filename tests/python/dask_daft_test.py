"""Dask and Daft read parts of a file in tasks, as docs/how-to/dask-and-daft.md shows: `xwalk.parts`, and rows that are pickled.
"""
import decimal
import functools
import pickle

import pytest

from tests import harness

harness.use_module(processes=True)
with harness.skip_if_missing():
    import pandas as pd
    import pyarrow as pa
    import pyarrow.ipc

    import xwalk
try:
    import dask
    import dask.dataframe

    dask.config.set({"dataframe.convert-string": False})
except ImportError:
    dask = None
try:
    import daft
    import daft.io
    import daft.recordbatch
except ImportError:
    daft = None
if dask is None and daft is None:
    harness.skip("neither Dask nor Daft is installed (pip install 'dask[dataframe]' daft)")

ROWS = 1000


class TestOfParts:
    @classmethod
    def setup_class(cls):
        cls.path = harness.make_folder("parts") / "rows.yson"
        cls.path.write_text("".join(f'{{id={i};name="a;\n}};{{{i}"}};\n' for i in range(ROWS)))
        cls.path.with_name("rows.yson.schema").write_text("[{name=id;type=int64;required=%true};{name=name;type=utf8}]")
        cls.parts = xwalk.parts(cls.path, split_bytes=4000)

    def rows(self):
        return [xwalk.open(self.path, part=part) for part in self.parts]

    def test_rows_of_parts_can_be_sent_to_other_processes(self):
        assert len(self.parts) > 3
        sent = [pickle.loads(pickle.dumps(rows)) for rows in self.rows()]
        assert pa.concat_tables(pa.table(rows) for rows in sent) == xwalk.open(self.path).to_arrow()

    @pytest.mark.skipif(dask is None, reason="Dask is not installed")
    @pytest.mark.parametrize("scheduler", ["threads", "processes"])
    def test_dask(self, scheduler):
        def frame_of(rows):  # the processes cannot import this file
            return rows.to_pandas()

        meta = xwalk.open(self.path, limit=0).to_pandas()
        frame = dask.dataframe.from_map(frame_of, self.rows(), meta=meta)
        assert frame.npartitions == len(self.parts)
        found = frame.compute(scheduler=scheduler, num_workers=2)
        assert found["id"].tolist() == list(range(ROWS))
        assert found["name"].iloc[7] == "a;\n};{7"

    @pytest.mark.skipif(dask is None, reason="Dask is not installed")
    def test_dask_keeps_types(self, tmp_path):
        """What the table of the page says: integers with nulls, bytes, decimals, categories with their order."""
        table = pa.table({"u": pa.array([2**63, None, 7], pa.uint64()), "b": pa.array([b"\xff", None, b"ab"]),
                          "d": pa.array([None, decimal.Decimal("1.50"), None], pa.decimal128(20, 2)),
                          "c": pa.array(["high", None, "low"]).cast(pa.dictionary(pa.int8(), pa.utf8(), ordered=True)),
                          "l": pa.array([[2**53 + 1, None], None, []], pa.list_(pa.int64()))})
        paths = [tmp_path / f"{number}.arrow" for number in range(2)]
        for path in paths:
            with pa.ipc.new_file(path, table.schema) as out:
                out.write_table(table)
        meta = xwalk.open(paths[0], limit=0).to_pandas()
        frame = dask.dataframe.from_map(lambda rows: rows.to_pandas(), [xwalk.open(path) for path in paths], meta=meta)
        found = frame.compute(scheduler="threads")
        assert [str(kind) for kind in found.dtypes] == ["UInt64", "object", "object", "category", "list<item: int64>[pyarrow]"]
        assert found["u"].tolist() == [2**63, pd.NA, 7] * 2 and found["b"].tolist() == [b"\xff", None, b"ab"] * 2
        assert found["d"].tolist() == [None, decimal.Decimal("1.50"), None] * 2
        assert found["c"].cat.ordered and frame["c"].cat.as_known().compute().cat.categories.tolist() == ["high", "low"]
        assert found["l"].iloc[0] == [2**53 + 1, None]
        assert frame.groupby("b")["u"].max().compute().to_dict() == {b"\xff": 2**63, b"ab": 7}

    @pytest.mark.skipif(daft is None, reason="Daft is not installed")
    def test_daft(self):
        found = source_of_daft(self.path, self.parts).read().sort("id").to_arrow()
        assert found["id"].to_pylist() == list(range(ROWS))
        assert found["name"][7].as_py() == "a;\n};{7"

    @pytest.mark.skipif(daft is None, reason="Daft is not installed")
    def test_daft_selects_columns_and_counts(self):
        frame = source_of_daft(self.path, self.parts).read()
        assert frame.select("name").limit(2).count_rows() == 2
        assert frame.sum("id").to_pydict() == {"id": [ROWS * (ROWS - 1) // 2]}


@functools.cache
def daft_classes():
    class Task(daft.io.DataSourceTask):
        def __init__(self, rows):
            self._rows = rows

        @property
        def schema(self):
            return daft.Schema.from_pyarrow_schema(pa.schema(self._rows))

        async def read(self):
            for batch in self._rows:
                yield daft.recordbatch.RecordBatch.from_arrow_record_batches([batch], batch.schema)

    class Source(daft.io.DataSource):
        def __init__(self, rows):
            self._rows = rows

        @property
        def name(self):
            return "xwalk"

        @property
        def schema(self):
            return daft.Schema.from_pyarrow_schema(pa.schema(self._rows[0]))

        async def get_tasks(self, pushdowns):
            for rows in self._rows:
                yield Task(rows)

    return Source


def source_of_daft(path, parts):
    return daft_classes()([xwalk.open(path, part=part) for part in parts])
