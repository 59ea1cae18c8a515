"""Rows that tasks of a cluster write and read: nulls at every level, as Spark and Ray lay them out."""
import logging
import shutil
import signal
import subprocess
import sys

import pytest

from tests import harness

harness.use_module(processes=True)

with harness.skip_if_missing():
    import pyarrow as pa

import xwalk  # noqa: E402
from xwalk._errors import InputError  # noqa: E402
from xwalk._task_read import TaskReader, arrow_of, cast_to, changes_of_reading, fitted, open_rows  # noqa: E402
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


def test_rejected_rows_are_summed_up_by_reason(tmp_path, caplog):
    schema = pa.schema([("id", pa.int64()), ("s", pa.string())])
    target = "[{name=id;type=int8};{name=s;type_v3=utf8}]"
    writer = TaskWriter(str(tmp_path / "out"), schema, False, {"format": "yson", "schema": target, "on_error": "skip"}, LOG)
    with caplog.at_level(logging.WARNING):
        done = [writer.write(iter([pa.record_batch([pa.array([1, 900 + task, 901]), pa.array(["a", "b", None if task else "c"])], schema=schema)]),
                             task) for task in range(2)]
        writer.commit(done)
    said = [record.getMessage() for record in caplog.records if record.getMessage().startswith(str(tmp_path / "out"))]
    assert len(said) == 1 and "4 rows left out: " in said[0] and said[0].endswith("id: expected a value from -128 to 127"), said
    assert "4 × " in said[0]


def test_errors_of_tasks_begin_with_a_line_that_has_all(tmp_path):
    path = harness.write(tmp_path / "bad.yson", "{id=1};\n{id=x};\n", "[{name=id;type=int64}]")
    reader = TaskReader([str(path)], pa.schema([("id", pa.int64())]), {}, LOG)
    with pytest.raises(InputError) as raised:
        [list(reader.read(part)) for part in reader.parts()]
    first = str(raised.value).split("\n")[0]
    assert first.startswith(f"{path}:2:5: ") and "id: expected int64, found string" in first, first
    assert raised.value.hint and first.endswith(raised.value.hint), first
    assert (raised.value.line, raised.value.column, raised.value.row) == (2, 5, 1)


#: Columns of YTsaurus, and the rule that the report of writing has of what reading changed.
CHANGED_BY_READING = {
    "any": ("{name=x;type=any}", "any.as-json"), "any in a list": ("{name=x;type_v3={type_name=list;item={type_name=optional;item=yson}}}", "any.as-json"),
    "number": ("{name=x;type=int64}", None), "text": ("{name=x;type_v3=utf8}", None),
}


@pytest.mark.parametrize("column", CHANGED_BY_READING)
@pytest.mark.parametrize("format", ("yson", "parquet"))
def test_the_report_of_writing_has_what_reading_changed(tmp_path, column, format):
    kind, rule = CHANGED_BY_READING[column]
    source = harness.write(tmp_path / "in.yson", "{};\n", f"[{{name=id;type=int64}};{kind}]")
    rows = open_rows([str(source)], {})
    schema = arrow_of(rows, {})
    reading = cast_to(rows, schema).report
    changes = changes_of_reading(rows, schema, reading)
    assert list(changes) == ([] if rule is None else ["x"])
    writer = TaskWriter(str(tmp_path / "out"), schema, False, {"format": format}, LOG, readings=changes)
    found = {path["path"]: path for path in writer.report.to_dict()["paths"]}
    rules = {reason["rule"] for path in found.values() for reason in path["reasons"]}
    assert rule is None or (rule in rules and writer.report.verdict == reading.verdict), writer.report.to_text()
    # Renamed since, and what another version has stored.
    renamed = pa.schema([field.with_name("y") if field.name == "x" else field for field in schema])
    writer = TaskWriter(str(tmp_path / "other"), renamed, False, {"format": format}, LOG, readings={"y": changes["x"]} if rule else {"y": "AAAA"})
    paths = [path["path"] for path in writer.report.to_dict()["paths"] if rule in {reason["rule"] for reason in path["reasons"]}]
    assert all(path.startswith("y") for path in paths) and bool(paths) == bool(rule)


#: A driver that is killed after some renames of files of its tasks.
KILLED_DRIVER = """
import logging, os, signal, sys
import pyarrow as pa
from xwalk._task_write import TaskWriter
out, overwrite, renames = sys.argv[1], sys.argv[2] == "overwrite", int(sys.argv[3])
rows = pa.record_batch([pa.array(range(4)), pa.array([[1], None, [], [2, None]])], ["id", "c"])
writer = TaskWriter(out, rows.schema, overwrite, {"format": "yson"}, logging.getLogger("driver"))
written = [writer.write(iter([rows.slice(task, 1)]), task) for task in range(4)]
rename = os.rename
def counted(*names):
    global renames
    if renames == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    renames -= 1
    rename(*names)
os.rename = counted
writer.commit(written)
"""


@pytest.mark.parametrize("mode", ("append", "overwrite"))
def test_a_driver_killed_while_it_renames_and_the_job_again(tmp_path, mode):
    def job(*words):
        return subprocess.run([sys.executable, "-c", KILLED_DRIVER, out, *words], capture_output=True, text=True)

    out = tmp_path / "out"
    if mode == "overwrite":  # rows of a job of yesterday
        assert job("append", "-1").returncode == 0
    old = {path.name for path in out.glob("*.yson")}
    for renames in (0, 1, 4, 7):
        killed = job(mode, str(renames))
        assert killed.returncode == -signal.SIGKILL, killed.stderr
        assert not (out / "_SUCCESS").exists()
        files = {path.name for path in out.glob("*.yson")}
        assert old <= files and len(files) < len(old) + 4, "an old file is removed after the new ones have their names"
        again = job("overwrite", "-1")
        assert again.returncode == 0, again.stderr
        some = len(files) - len(old)
        assert ("was killed and has left this" in again.stderr) and (f"and {some} of its files" in again.stderr) == (some > 0), again.stderr
        assert (out / "_SUCCESS").exists()
        assert sorted(xwalk.open(out).to_arrow()["id"].to_pylist()) == [0, 1, 2, 3]
        old = {path.name for path in out.glob("*.yson")}
        for left in out.glob("_xwalk-*"):
            shutil.rmtree(left)
        if mode == "append":
            shutil.rmtree(out)
            old = set()
