"""Dask and Daft read parts of a file in tasks, as docs/how-to/dask-and-daft.md shows: `xwalk.parts`, and rows that are pickled.

usage: dask_daft_test.py XWALK DATA      (the package is in python/ next to XWALK)
"""
import functools
import os
import pathlib
import pickle
import sys
import tempfile
import unittest

PACKAGES = pathlib.Path(sys.argv[1]).resolve().parent / "python" if len(sys.argv) > 1 else None
if PACKAGES is None or not (PACKAGES / "xwalk").exists():
    print("SKIPPED: the module is not built (XWALK_BUILD_PYTHON)")
    sys.exit(77)
os.environ["PYTHONPATH"] = str(PACKAGES)  # of the processes of Dask
sys.path.insert(0, str(PACKAGES))

try:
    import pyarrow as pa

    import xwalk
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)
try:
    import dask.dataframe
except ImportError:
    dask = None
try:
    import daft
    import daft.io
    import daft.recordbatch
except ImportError:
    daft = None
if dask is None and daft is None:
    print("SKIPPED: neither Dask nor Daft is installed (pip install 'dask[dataframe]' daft)")
    sys.exit(77)

ROWS = 1000


def frame_of(rows):
    return rows.to_pandas()


class OfParts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="xwalk-parts-")
        cls.path = f"{cls.folder.name}/rows.yson"
        pathlib.Path(cls.path).write_text("".join(f'{{id={i};name="a;\n}};{{{i}"}};\n' for i in range(ROWS)))
        pathlib.Path(cls.path + ".schema").write_text("[{name=id;type=int64;required=%true};{name=name;type=utf8}]")
        cls.parts = xwalk.parts(cls.path, split_bytes=4000)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def rows(self):
        return [xwalk.open(self.path, part=part) for part in self.parts]

    def test_rows_of_parts_can_be_sent_to_other_processes(self):
        self.assertGreater(len(self.parts), 3)
        sent = [pickle.loads(pickle.dumps(rows)) for rows in self.rows()]
        self.assertEqual(pa.concat_tables(pa.table(rows) for rows in sent), xwalk.open(self.path).to_arrow())

    @unittest.skipIf(dask is None, "Dask is not installed")
    def test_dask(self):
        meta = xwalk.open(self.path, limit=0).to_pandas()
        frame = dask.dataframe.from_map(frame_of, self.rows(), meta=meta)
        self.assertEqual(frame.npartitions, len(self.parts))
        for scheduler in ("threads", "processes"):
            with self.subTest(scheduler):
                found = frame.compute(scheduler=scheduler, num_workers=2)
                self.assertEqual(found["id"].tolist(), list(range(ROWS)))
                self.assertEqual(found["name"].iloc[7], "a;\n};{7")

    @unittest.skipIf(daft is None, "Daft is not installed")
    def test_daft(self):
        found = source_of_daft(self.path, self.parts).read().sort("id").to_arrow()
        self.assertEqual(found["id"].to_pylist(), list(range(ROWS)))
        self.assertEqual(found["name"][7].as_py(), "a;\n};{7")

    @unittest.skipIf(daft is None, "Daft is not installed")
    def test_daft_selects_columns_and_counts(self):
        frame = source_of_daft(self.path, self.parts).read()
        self.assertEqual(frame.select("name").limit(2).count_rows(), 2)
        self.assertEqual(frame.sum("id").to_pydict(), {"id": [ROWS * (ROWS - 1) // 2]})


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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
