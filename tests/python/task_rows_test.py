"""Rows that tasks of a cluster write and read: nulls at every level, as Spark and Ray lay them out."""
import logging

import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import pyarrow as pa

import xwalk  # noqa: E402
from xwalk._errors import InputError  # noqa: E402
from xwalk._task_read import fitted  # noqa: E402
from xwalk._task_write import TaskWriter  # noqa: E402

LOG = logging.getLogger("xwalk.tests")


def structs(child, mask, name="a"):
    """Returns structs some of which are null, and then their child is null as well."""
    return pa.StructArray.from_arrays([child], [name], mask=pa.array(mask))


def required(kind, name="a"):
    return pa.struct([pa.field(name, kind, nullable=False)])


NUMBERS = structs(pa.array([1, None, 3, None]), [False, True, False, True])
NUMBER = required(pa.int64())
TEXTS = structs(pa.array(["x", None, "z", None]), [False, True, False, True])
LISTS = structs(pa.array([[1], None, [], None], pa.list_(pa.int64())), [False, True, False, True])
#: A column as a cluster gives it, whose fields may all be null, and its type.
SHAPES = {
    "struct": (NUMBERS, NUMBER),
    "struct of text": (TEXTS, required(pa.string())),
    "struct of a list": (LISTS, required(pa.list_(pa.field("item", pa.int64())))),
    "list": (pa.ListArray.from_arrays(pa.array([0, 2, None, 3, 4], pa.int32()), NUMBERS), pa.list_(NUMBER)),
    "map": (pa.MapArray.from_arrays(pa.array([0, 1, 3, 3, 4], pa.int32()), pa.array(["a", "b", "c", "d"]), NUMBERS),
            pa.map_(pa.string(), NUMBER)),
    "struct in a struct": (structs(NUMBERS, [False, True, False, True], "s"), required(NUMBER, "s")),
    "struct in an optional struct": (structs(NUMBERS, [False, False, False, True], "s"), pa.struct([("s", NUMBER)])),
    "alternatives": (pa.StructArray.from_arrays([NUMBERS, pa.array([None, "b", None, None])], ["card", "cash"]),
                     pa.struct([("card", NUMBER), ("cash", pa.string())])),
}
FORMATS = ("yson", "skiff", "parquet")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("shape", SHAPES)
class TestNulls(harness.InFolder):
    def test_written(self, shape, format):
        column, kind = SHAPES[shape]
        rows = pa.record_batch([pa.array(range(len(column))), column], ["id", "c"])
        schema = pa.schema([pa.field("id", pa.int64(), nullable=False), pa.field("c", kind)])
        writer = TaskWriter(str(self.folder / "out"), schema, False, {"format": format}, LOG)
        writer.commit([writer.write(iter([rows, rows.slice(1, 2)]), 0)])
        found = xwalk.open(self.folder / "out").to_arrow().to_pylist()
        assert found == rows.to_pylist() + rows.slice(1, 2).to_pylist()


@pytest.mark.parametrize("column, path", [(pa.array([1, None]), "c"), (structs(pa.array([1, None]), [False, False]), "c.a")])
def test_nulls_of_required_fields_are_refused(tmp_path, column, path):
    kind = NUMBER if pa.types.is_struct(column.type) else pa.int64()
    schema = pa.schema([pa.field("c", kind, nullable=path == "c.a")])
    writer = TaskWriter(str(tmp_path / "out"), schema, False, {"format": "yson"}, LOG)
    with pytest.raises(InputError, match="expected a value, found null") as caught:
        writer.write(iter([pa.record_batch([column], ["c"])]), 0)
    assert caught.value.path == path


def test_other_layouts_are_cast():
    given = pa.record_batch([pa.array(["x", None], pa.large_string()), pa.array([[1], None], pa.large_list(pa.int32()))], ["t", "l"])
    wanted = pa.schema([("t", pa.string()), ("l", pa.list_(pa.field("element", pa.int64(), nullable=False)))])
    found = fitted(given, wanted)
    found.validate(full=True)
    assert found.schema == wanted and found.to_pylist() == given.to_pylist()
