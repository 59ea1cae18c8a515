"""`xwalk check --append` says beforehand what `xwalk convert --mode append` does, for every output that rows can be added to."""
import json
import os
import shutil

import pytest

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import lance  # noqa: F401
    import pyarrow as pa

FOLDER = harness.make_folder("append")
there = harness.work_in(FOLDER)


def arrow(name, schema, row):
    table = pa.Table.from_pylist([row], schema=schema)
    with pa.OSFile(str(FOLDER / name), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return name


THERE = pa.schema([pa.field("id", pa.int64(), False), ("name", pa.string()), ("price", pa.float32()),
                   ("s", pa.struct([("a", pa.int64())]))])
ROW = {"id": 1, "name": "a", "price": 1.5, "s": {"a": 1}}
#: Rows to append: their columns, the existing ones, the options, and the rules that prevent it.
CASES = {
    "the same": (THERE, [], set()),
    "another order": (pa.schema(list(THERE)[::-1]), [], set()),
    "one that may be null is missing": (THERE.remove(1), [], set()),
    "a required one is missing": (THERE.remove(0), [], {"member.added"}),
    "one more": (THERE.append(pa.field("x", pa.int64())), [], {"member.left-out"}),
    "one more, left out": (THERE.append(pa.field("x", pa.int64())), ["--exclude", "x"], set()),
    "another name": (THERE.set(1, pa.field("n", pa.string())), ["--rename", "n=name"], set()),
    "a name that does not exist": (THERE.set(1, pa.field("n", pa.string())), ["--rename", "n=m"], {"member.left-out"}),
    "another type": (THERE.set(1, pa.field("name", pa.int64())), [], {"meaning.differs"}),
    "a wider type": (THERE.set(2, pa.field("price", pa.float64())), [], set()),
    "a member more": (THERE.set(3, pa.field("s", pa.struct([("a", pa.int64()), ("b", pa.int64())]))), [], {"member.left-out"}),
    "all at once": (THERE.remove(0).append(pa.field("x", pa.int64())).set(0, pa.field("name", pa.int64())), [],
                    {"member.added", "member.left-out", "meaning.differs"}),
}
VALUES = {pa.int64(): 1, pa.string(): "a", pa.float32(): 1.5, pa.float64(): 1.5}


@pytest.fixture(scope="module", params=["there.lance", "parquet/", "arrow/", "there.yson"])
def output(request, there):
    """A file or a folder with one row."""
    arrow("there.arrow", THERE, ROW)
    form = request.param[:-1]
    if request.param.endswith("/"):
        (FOLDER / form).mkdir()
    harness.run("convert", "there.arrow", f"{form}/part-0.{form}" if request.param.endswith("/") else request.param)
    return request.param


@pytest.mark.parametrize("name", CASES)
def test_check_says_what_convert_does(output, name):
    schema, words, against = CASES[name]
    row = {field.name: VALUES.get(field.type) or {member.name: 1 for member in field.type} for field in schema}
    arrow("rows.arrow", schema, row)
    before = run("check", "rows.arrow", "--append", output, "--json", *words)
    told = json.loads(before.stdout) if before.returncode in (0, 1) else {}
    expect(told, output, name, before.stderr)
    found = {reason["rule"] for path in told.get("paths", ()) for reason in path["reasons"]
             if path["verdict"] in ("unsupported", "lossy") and reason["values"] in ("none", "altered")}
    expect(found == against and (before.returncode == 1) == bool(against), output, name, found, before.returncode)
    pair = run("check", "rows.arrow", output, "--json", *words)
    expect(pair.stdout == before.stdout or output.endswith("/"), output, name, "check IN OUT says something else")
    copy = FOLDER / ("copy/" if output.endswith("/") else f"copy.{output.rsplit('.', 1)[1]}")
    shutil.rmtree(copy, ignore_errors=True)
    copy.unlink(missing_ok=True) if copy.is_file() else None
    if (FOLDER / output).is_dir():
        shutil.copytree(FOLDER / output, copy)
    else:
        shutil.copy(FOLDER / output, copy)
        shutil.copy(FOLDER / f"{output}.schema", f"{copy}.schema")
    place = f"{copy}/" if output.endswith("/") else copy
    to = ["--to", output[:-1]] if output.endswith("/") else []
    done = run("convert", "rows.arrow", place, "--mode", "append", "-q", *to, *words)
    expect((done.returncode == 0) == (not against), output, name, "convert:", done.returncode, done.stderr)


def test_outputs_that_cannot_be_appended_to():
    arrow("rows.arrow", THERE, ROW)
    harness.run("convert", "rows.arrow", "part-0.parquet")
    done = run("check", "rows.arrow", "--append", "part-0.parquet")
    assert done.returncode == 74 and "files cannot be appended to" in done.stderr


def test_outputs_that_are_made():
    """What does not exist is judged as a new output, which the conversion makes."""
    arrow("rows.arrow", THERE, ROW)
    done = run("check", "rows.arrow", "--append", "nothing.lance")
    assert done.returncode == 0 and "nothing.lance is a new output" in done.stdout and not os.path.exists("nothing.lance"), done.stdout
    harness.run("convert", "rows.arrow", "nothing.lance", "--mode", "append")
    assert "new output" not in run("check", "rows.arrow", "--append", "nothing.lance").stdout


def test_new_columns(output):
    """A conversion adds columns to a folder of files and to a dataset; for one file it says so, and nothing is written."""
    more = THERE.append(pa.field("x", pa.decimal128(9, 2), False)).append(pa.field("tags", pa.list_(pa.string())))
    arrow("more.arrow", more, {**ROW, "id": 2, "x": 1, "tags": ["a", None]})
    form = output[:-1]
    refused = run("convert", "more.arrow", "new.yson", "--evolve")
    assert refused.returncode == 2 and "--mode append" in refused.stderr, refused.stderr
    if output.endswith(".yson"):
        before = harness.run("head", output).stdout
        done = run("convert", "more.arrow", output, "--mode", "append", "--evolve")
        assert done.returncode == 4 and "x: rows of" in done.stderr, done.stderr
        assert "xwalk evolve" not in done.stderr
        assert harness.run("head", output).stdout == before
        return
    is_folder = output.endswith("/")
    lake = FOLDER / f"evolved-{output.rstrip('/')}"
    shutil.copytree(FOLDER / output, lake)
    lake = f"{lake}/" if is_folder else lake
    words = ["--mode", "append", "--evolve", *(["--to", form] if is_folder else [])]
    told = json.loads(run("check", "more.arrow", "--append", lake, "--evolve", "--json").stdout)
    assert told["verdict"] != "unsupported" and [note["path"] for note in told["notes"]] == ["x", "tags"], told
    done = harness.run("convert", "more.arrow", lake, *words)
    assert "x: a new column: null in the rows of before" in done.stderr
    # Rows without the new column, and with one more: nothing is added twice.
    arrow("less.arrow", THERE, {**ROW, "id": 3})
    assert "new column" not in harness.run("convert", "less.arrow", lake, *words).stderr
    arrow("most.arrow", more.append(pa.field("y", pa.int8())), {**ROW, "id": 4, "x": 2, "tags": None, "y": 5})
    assert "y: a new column" in harness.run("convert", "most.arrow", lake, *words).stderr
    rows = [json.loads(line) for line in harness.run("convert", lake, "-", *(["--unify"] if is_folder else []), "--to", "json").stdout.splitlines()]
    assert [(row["id"], row["x"], row["tags"], row["y"]) for row in rows] == [
        (1, None, None, None), (2, "1.00", ["a", None], None), (3, None, None, None), (4, "2.00", None, 5)]
    # Another type is never a new column.
    arrow("other.arrow", more.set(4, pa.field("x", pa.string())), {**ROW, "id": 5, "x": "a", "tags": None})
    assert run("convert", "other.arrow", f"{lake}/", *words).returncode == 4


def test_new_columns_of_partitions(there):
    arrow("part-1.arrow", pa.schema([("day", pa.date32()), ("id", pa.int64())]), {"day": 20000, "id": 1})
    arrow("part-2.arrow", pa.schema([("day", pa.date32()), ("id", pa.int64()), ("x", pa.int8())]), {"day": 20001, "id": 2, "x": 3})
    words = ["days/", "--to", "parquet", "--partition-by", "day"]
    harness.run("convert", "part-1.arrow", *words)
    assert "add it with --evolve" in run("convert", "part-2.arrow", *words, "--mode", "append").stderr
    harness.run("convert", "part-2.arrow", *words, "--mode", "append", "--evolve")
    rows = [json.loads(line) for line in harness.run("convert", "days/", "-", "--unify", "--to", "json").stdout.splitlines()]
    assert [(row["id"], row["x"]) for row in rows] == [(1, None), (2, 3)]
