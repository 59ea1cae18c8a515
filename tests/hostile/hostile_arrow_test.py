"""Arrays of the Arrow C interface that are damaged end no process: each is an error with the path of its column."""
import ctypes

import pytest

from tests import harness

harness.use_module()
import pyarrow as pa  # noqa: E402

import xwalk  # noqa: E402


class CArray(ctypes.Structure):
    pass


CArray._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                   ("children", ctypes.POINTER(ctypes.POINTER(CArray))), ("dictionary", ctypes.POINTER(CArray)),
                   ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class CStream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", GetNext), ("get_last_error", ctypes.c_void_p),
                ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Damaged:
    """Rows of a column that a function damages on their way."""

    def __init__(self, column, damage):
        self.table, self.damage, self.kept = pa.table({"c": column}), damage, []

    def __arrow_c_stream__(self, requested_schema=None):
        capsule = self.table.__arrow_c_stream__()
        stream = CStream.from_address(pointer_of(capsule, b"arrow_array_stream"))
        sound = GetNext(ctypes.cast(stream.get_next, ctypes.c_void_p).value)

        def get_next(its, out):
            code, rows = sound(its, out), CArray.from_address(out)
            if code == 0 and rows.release:
                self.damage(rows.children[0].contents)
            return code

        self.kept = [get_next := GetNext(get_next), sound]
        stream.get_next = get_next
        return capsule


COLUMNS = {
    "int64": pa.array([1, 2]), "bool": pa.array([True, False]), "string": pa.array(["a", "b"]), "fixed": pa.array([b"ab", b"cd"], pa.binary(2)),
    "decimal": pa.array([1, 2], pa.decimal128(9, 2)), "view": pa.array(["a" * 20, "b"], pa.string_view()), "list": pa.array([[1], [2]]),
    "dictionary": pa.array(["a", "b"]).dictionary_encode(),
    "union": pa.UnionArray.from_dense(pa.array([0, 0], pa.int8()), pa.array([0, 1], pa.int32()), [pa.array([1, 2])]),
    "map": pa.array([[(1, 1), (2, 2)], [(3, 3)]], pa.map_(pa.int8(), pa.int8())),
}


class TestHostile(harness.InFolder):
    def refused(self, column, damage):
        for extension in ("yson", "skiff", "arrow"):
            out = self.folder / f"out.{extension}"
            with pytest.raises(xwalk.InputError, match="^(error: )?c"):
                xwalk.convert(Damaged(column, damage), out, mode="overwrite")
            assert not out.exists()

    @pytest.mark.parametrize("name, column", COLUMNS.items())
    def test_buffers_that_are_missing(self, name, column):
        first = 0 if name == "union" else 1
        for index in range(first, 3 if name == "string" else 2):
            def damage(array, index=index):
                array.buffers[index] = None

            self.refused(column, damage)

    def test_lists_of_buffers_and_dictionaries_that_are_missing(self):
        def no_buffers(array):
            array.buffers = ctypes.POINTER(ctypes.c_void_p)()

        def no_dictionary(array):
            array.dictionary = ctypes.POINTER(CArray)()

        for name, column in COLUMNS.items():
            self.refused(column, no_buffers)
        self.refused(COLUMNS["dictionary"], no_dictionary)

    def test_nulls_without_bits(self):
        def damage(array):
            array.null_count = 1

        self.refused(COLUMNS["int64"], damage)

    def test_keys_that_are_null(self):
        bits = ctypes.create_string_buffer(b"\x01")

        def damage(array):
            key = array.children[0].contents.children[0].contents
            key.buffers[0], key.null_count = ctypes.addressof(bits), 1

        self.refused(COLUMNS["map"], damage)
