"""Streams of Arrow that fail: their text names file, row and column, each reader sees the error, and one that goes on comes to an end."""
import pytest

from tests import harness

with harness.skip_if_missing():
    import nanoarrow
    import pyarrow as pa
harness.use_module()

import xwalk  # noqa: E402

SCHEMA = "[{name=a;type_v3=int64}]"
#: More than any stream fails.
MANY = 1000


def rows(folder):
    path = folder / "bad.yson"
    path.write_text("{a=1};\n{a=x};\n")
    return xwalk.open(path, schema=SCHEMA)


def read_by_pyarrow(opened):
    return pa.RecordBatchReader.from_stream(opened).read_next_batch


def read_by_nanoarrow(opened):
    return nanoarrow.c_array_stream(opened).get_next


@pytest.mark.parametrize("reader", [read_by_pyarrow, read_by_nanoarrow])
def test_errors_that_are_collected_come_to_an_end(reader, tmp_path):
    opened = rows(tmp_path)
    read, errors = reader(opened), []
    for _ in range(MANY):
        try:
            read()
        except StopIteration:
            break
        except Exception as error:
            errors.append(str(error))
    assert 1 < len(errors) < MANY
    assert all("bad.yson:2:4: a: expected int64" in error for error in errors)
    with pytest.raises(xwalk.InputError, match="bad.yson:2:4: a: expected int64"):
        opened.to_arrow()
