"""Findings of reading rows that are not in the schema are shown by every interface as in the program's messages."""
import ctypes
import json
import warnings

import interfaces_test  # skips if the interfaces are not built
import pyarrow as pa
import pyarrow.parquet as pq

import xwalk

import pytest

from tests import harness


class TestNotes(harness.InFolder):
    def prepare(self):
        self.file = self.folder / "twice.parquet"
        pq.write_table(pa.table({"m": pa.array([[("k", 1), ("k", 2)]], pa.map_(pa.string(), pa.int64()))}), self.file)

    def test_python(self):
        rows = xwalk.open(self.file)
        assert rows.notes == []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert pa.table(rows).num_rows == 1
        assert [(warning.category, "keys.duplicates" in str(warning.message)) for warning in caught] == [(xwalk.NoteWarning, True)]
        assert [(note["path"], note["rule"]) for note in rows.notes] == [("m", "keys.duplicates")]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(pa.ArrowInvalid):
                pa.table(rows)

    def test_options_on_repeated_keys(self):
        """Pairs of a map that a Parquet file repeats are neither dropped nor kept silently."""
        def verdict(**options):
            return xwalk.check(self.file, "arrow", **options).verdict
        assert [verdict(), verdict(duplicate_keys="last"), verdict(duplicate_keys="keep")] == ["checked", "lossy", "exact"]
        target = self.file.with_suffix(".arrow")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(xwalk.InputError, match="each key once"):
                xwalk.convert(self.file, target)
            with pytest.raises(xwalk.UnsupportedError):
                xwalk.convert(self.file, target, duplicate_keys="last")
            for kept, options in (([("k", 2)], {"duplicate_keys": "last", "allow": "lossy"}),
                                  ([("k", 1), ("k", 2)], {"duplicate_keys": "keep"})):
                for name in (target, self.file.with_suffix(".yson"), self.file.with_name("copy.parquet")):
                    xwalk.convert(self.file, name, mode="overwrite", **options)
                    assert pa.table(xwalk.open(name))["m"].to_pylist() == [kept]
            assert pa.table(xwalk.open(self.file))["m"].to_pylist() == [[("k", 1), ("k", 2)]]

    def test_c(self):
        library = ctypes.CDLL(str(interfaces_test.C_INTERFACE))
        library.xwalk_rows_notes.restype = ctypes.c_void_p
        library.xwalk_rows_notes.argtypes = [ctypes.c_void_p]
        library.xwalk_bytes_free.argtypes = [ctypes.c_void_p]
        rows = interfaces_test.Stream()
        assert library.xwalk_rows_open(str(self.file).encode(), None, ctypes.byref(rows), None) == 0

        def notes():
            text = library.xwalk_rows_notes(ctypes.addressof(rows))
            found = json.loads(ctypes.string_at(text))
            library.xwalk_bytes_free(text)
            return found
        assert notes() == []
        batch = (ctypes.c_void_p * 16)()
        get_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(rows.get_next)
        assert get_next(ctypes.addressof(rows), ctypes.addressof(batch)) == 0
        assert [note["rule"] for note in notes()] == ["keys.duplicates"]

    def test_merge(self):
        locked = xwalk.Schema.parse("[{name=a;type=int64;lock=l}]")
        with pytest.warns(xwalk.NoteWarning, match='a: lock="l"'):
            xwalk.merge(locked, xwalk.Schema.parse("[{name=a;type=int64}]"))
