"""--resume with --mode append and upsert: each input is added by a commit of its own, unless the output says that it was added before."""
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa

harness.needs("libxwalk_parquet.so")

FOLDER = harness.make_folder("resumed-appends")
OUTPUTS = ["t.lance", "t.delta", "t.iceberg", "t_parquet/", "t_arrow/"]
ENVIRONMENT = {**os.environ, "HOME": str(FOLDER)}


def run(*words, **options):
    return harness.run(*words, env=ENVIRONMENT, **options)


@pytest.fixture(params=OUTPUTS)
def output(request, tmp_path, monkeypatch):
    """Returns the words that name an output in a folder of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    kind = request.param.rstrip("/")[2:]
    if kind in ("parquet", "arrow"):
        os.mkdir(request.param)
        return [request.param, "--to", kind]
    pytest.importorskip({"lance": "lance", "delta": "deltalake", "iceberg": "pyiceberg"}[kind])
    return [request.param, "--to", kind]


def week(name, *rows):
    """Writes rows (id, item)."""
    schema = "[{name=id;type=int64;required=%true};{name=item;type=utf8}]"
    return harness.write(pathlib.Path.cwd() / f"{name}.yson", "".join(f'{{id={key};item="{item}"}};' for key, item in rows), schema)


def rows_of(output):
    run("convert", output[0], "rows.arrow", "--from", output[2], "--mode", "overwrite", "-q")
    with pa.ipc.open_file("rows.arrow") as reader:
        return sorted((row["id"], row["item"]) for row in reader.read_all().to_pylist())


def test_what_is_new(output):
    first = week("w1", (1, "a"), (2, "b"))
    add = [*output, "--mode", "append", "--resume"]
    run("convert", first, *add)
    week("w2", (3, "c"))
    week("w3", (3, "c"))
    done = run("convert", "w*.yson", *add)
    assert "3 files, 1 complete before  2 rows" in done.stderr, done.stderr
    expected = [(1, "a"), (2, "b"), (3, "c"), (3, "c")]
    assert rows_of(output) == expected
    done = run("convert", "w1.yson", "w2.yson", "w3.yson", *add, "--jobs", "2")
    assert "3 files, 3 complete before  0 rows" in done.stderr, done.stderr
    assert rows_of(output) == expected
    # A file with other rows is another one, and what was added otherwise counts.
    week("w3", (4, "d"))
    run("convert", "w3.yson", *output, "--mode", "append")
    assert "were added before" in run("convert", "w3.yson", *output, "--mode", "append", code=74).stderr
    assert "1 complete before  0 rows" in run("convert", "w3.yson", *add).stderr
    assert rows_of(output) == [*expected, (4, "d")]


def test_one_that_fails(output):
    """The others are added, and the next run adds it."""
    week("w1", (1, "a"))
    week("w3", (3, "c"))
    harness.write(pathlib.Path.cwd() / "w2.yson", '{id=2;item="b"};{id="x"};', "[{name=id;type=int64;required=%true};{name=item;type=utf8}]")
    add = [*output, "--mode", "append", "--resume"]
    done = run("convert", "w*.yson", *add, code=3)
    assert "w2.yson" in done.stderr and "3 files, 1 failed  2 rows" in done.stderr, done.stderr
    assert rows_of(output) == [(1, "a"), (3, "c")]
    week("w2", (2, "b"))
    assert "3 files, 2 complete before  1 row " in run("convert", "w*.yson", *add).stderr
    assert rows_of(output) == [(1, "a"), (2, "b"), (3, "c")]


def test_a_project(output):
    week("w1", (1, "a"))
    with open("xwalk.toml", "w") as file:
        file.write(f'[[convert]]\ninput = "w*.yson"\noutput = "{output[0]}"\nto = "{output[2]}"\nmode = "append"\n')
    run("check")
    run("convert")
    week("w2", (2, "b"))
    assert "1 pair is ready" in run("check").stdout
    done = run("convert")
    assert "2 files, 1 complete before  1 row " in done.stderr, done.stderr
    run("convert", "--jobs", "2")
    assert rows_of(output) == [(1, "a"), (2, "b")]
    # `check` asks for the columns of the output.
    harness.write(pathlib.Path("w3.yson"), "{id=3;other=1};", "[{name=id;type=int64};{name=other;type=int64}]")
    os.remove("w1.yson")
    os.remove("w2.yson")
    assert "the existing rows have no such column" in run("check", code=None).stdout
    assert "the existing rows have no such column" in run("convert", code=4).stderr


def test_killed(output):
    """A run that was killed is given again until it ends: each row is there once."""
    expected = []
    for number in range(6):
        rows = [(number * 1000 + row, f"item{row}") for row in range(1000)]
        week(f"w{number}", *rows)
        expected += rows
    command = [harness.PROGRAM, "convert", "w*.yson", *output, "--mode", "append", "--resume", "-q"]
    for wait in (0.02, 0.1, 0.4, 0.9):
        process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    # An engine may outlive its host for a moment, and begin the table that the next run begins, too.
    for _ in range(5):
        if run(*command[1:], code=(0, 74)).returncode == 0:
            break
    assert rows_of(output) == expected


@pytest.mark.parametrize("mode", ["create", "append", "overwrite"])
@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_left_by_a_killed_writer(kind, mode, tmp_path, monkeypatch):
    """A folder with data files of xwalk and no version is free; one with anything else is not."""
    pytest.importorskip({"delta": "deltalake", "iceberg": "pyiceberg"}[kind])
    monkeypatch.chdir(tmp_path)
    output = [f"t.{kind}", "--to", kind]
    week("w1", (1, "a"))
    left = pathlib.Path(f"t.{kind}", "data")
    left.mkdir(parents=True)
    other = harness.write(left / "notes.txt", "x")
    run("convert", "w1.yson", *output, "--mode", mode, code=74)
    other.unlink()
    harness.write(left / "xwalk-0123456789abcdef-00000.parquet", "PAR1")
    run("convert", "w1.yson", *output, "--mode", mode)
    assert rows_of(output) == [(1, "a")]


@pytest.mark.parametrize("kind", ["lance", "delta", "iceberg"])
def test_upserts(kind, tmp_path, monkeypatch):
    """Rows that later ones have replaced do not come back."""
    pytest.importorskip({"lance": "lance", "delta": "deltalake", "iceberg": "pyiceberg"}[kind])
    monkeypatch.chdir(tmp_path)
    output = [f"t.{kind}", "--to", kind]
    replace = [*output, "--mode", "upsert", "--key", "id", "--resume", "--verify"]
    week("w1", (1, "a"), (2, "b"))
    run("convert", "w*.yson", *replace)
    week("w2", (2, "B"), (3, "c"))
    for rows in (2, 0):
        done = run("convert", "w*.yson", *replace)
        assert f"complete before  {rows} rows" in done.stderr, done.stderr
        assert rows_of(output) == [(1, "a"), (2, "B"), (3, "c")]
    # What comes after a failed one has to wait for it.
    schema = "[{name=id;type=int64;required=%true};{name=item;type=utf8}]"
    harness.write(pathlib.Path("w3.yson"), '{id=1;item="A"};{id="x"};', schema)
    week("w4", (1, "last"))
    done = run("convert", "w*.yson", *replace, code=74)
    assert "w4.yson: error: its rows come after those of" in done.stderr, done.stderr
    week("w3", (1, "A"))
    run("convert", "w*.yson", *replace)
    assert rows_of(output) == [(1, "last"), (2, "B"), (3, "c")]
    with open("xwalk.toml", "w") as file:
        file.write(f'[[convert]]\ninput = "w*.yson"\noutput = "t.{kind}"\nto = "{kind}"\nmode = "upsert"\nkey = "id"\n')
    week("w5", (3, "C"), (5, "e"))
    done = json.loads(run("convert", "--json").stderr.splitlines()[-1])
    assert (done["rows"], done["inserted"], done["updated"]) == (2, 1, 1), done
    assert rows_of(output) == [(1, "last"), (2, "B"), (3, "C"), (5, "e")]


def test_what_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    week("w1", (1, "a"))
    os.mkdir("out")
    add = ["--mode", "append", "--resume"]
    for words, message in (
        (["w1.yson", "out/", "--to", "parquet", "--mode", "append-again", "--resume"], "--resume and --mode append-again contradict each other"),
        (["w1.yson", "out.yson", *add], "expected an output that keeps which inputs were added"),
        (["w1.yson", "out/", "--to", "parquet", *add, "--limit", "1"], "--limit"),
        (["w1.yson", "out/", "--to", "parquet", *add, "--verify"], "holds only the rows of its inputs"),
        (["-", "out/", "--from", "yson", "--to", "parquet", *add], "standard input"),
    ):
        done = run("convert", *words, code=2, input="")
        assert message in done.stderr, (words, done.stderr)
    for number in range(1001):
        pathlib.Path(f"many{number}.json").write_text('{"a":1}\n')
    assert "at most 1000 inputs" in run("convert", "many*.json", "many.lance", "--schema", "[{name=a;type=int64}]", *add, code=2).stderr
    assert not os.path.exists("many.lance")
    run("convert", "w1.yson", "days/", "--to", "parquet", "--partition-by", "id", "-q")
    done = run("convert", "days/", "out/", "--to", "parquet", *add, code=2)
    assert "columns in the names of its folders" in done.stderr, done.stderr
    assert os.listdir("out") == []
