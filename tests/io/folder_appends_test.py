"""Files that are added to folders of Parquet and Arrow files: inputs that come twice are refused, by the names of the files there, and a new
column is read as null in earlier files."""
import os
import subprocess

import pytest

from tests import harness

with harness.skip_if_missing():
    import duckdb
    import pyarrow as pa
    import pyarrow.dataset
    import pyarrow.parquet as pq

harness.needs("libxwalk_parquet.so")

FOLDER = harness.make_folder("folder-appends")
there = harness.work_in(FOLDER)
run = harness.run
FORMS = ("parquet", "arrow")


@pytest.fixture(autouse=True)
def in_folder(there):
    pass


def week(name, *rows):
    return harness.write(FOLDER / f"{name}.json", "".join(f'{{"id":{row},"day":"d{row % 2}"}}\n' for row in rows))


def ids(folder, form):
    table = pyarrow.dataset.dataset(folder, format=form if form == "parquet" else "ipc", partitioning="hive").to_table()
    return sorted(table.column("id").to_pylist())


def files_in(folder):
    return sorted(name for _, _, names in os.walk(folder) for name in names)


def test_many_at_a_time():
    """A name has no place for the keys of many inputs, of which one would then be added twice."""
    folder = FOLDER / "many"
    folder.mkdir()
    inputs = [week(f"many{number}", number) for number in range(9)]
    for verb in (["convert", *inputs, folder, "--to", "parquet", "--mode", "append"], ["check", *inputs, "--append", f"{folder}/", "--to", "parquet"]):
        assert "at most 8 inputs" in run(*verb, code=2).stderr
    assert files_in(folder) == []
    run("convert", *inputs[:8], folder, "--to", "parquet", "--mode", "append")
    assert "were added before" in run("convert", inputs[8], inputs[3], folder, "--mode", "append", code=74).stderr
    run("convert", inputs[8], folder, "--mode", "append")
    run("convert", *inputs, folder, "--mode", "append-again")
    assert ids(folder, "parquet") == sorted([*range(9)] * 2)


@pytest.mark.parametrize("words", [[], ["--partition-by", "day"]])
def test_at_once(words):
    """Of several that add one input at the same time, one adds it: each looks again when no other gives names."""
    folder = FOLDER / f"at-once{len(words)}"
    folder.mkdir()
    first, rows = week("before", 0), week(f"at-once{len(words)}-rows", *range(1, 100_000))
    run("convert", first, folder, "--to", "parquet", "--mode", "append", *words)
    command = [harness.PROGRAM, "convert", rows, f"{folder}/", "--to", "parquet", "--mode", "append", *words]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(5)]
    said = [process.communicate()[1] for process in started]
    assert sorted(process.returncode for process in started) == [0, 74, 74, 74, 74], said
    assert sum("were added before" in text for text in said) == 4, said
    assert ids(folder, "parquet") == list(range(100_000))
    assert not [name for name in files_in(folder) if name.startswith(".")]


@pytest.mark.parametrize("words", [[], ["--partition-by", "day"]])
@pytest.mark.parametrize("form", FORMS)
def test_once(form, words):
    folder = FOLDER / f"{form}{len(words)}"
    if not words:
        folder.mkdir()
    first, second, third = week("w1", 1, 2), week("w2", 3), week("w3", 4)
    add = [f"{folder}/", "--to", form, *words, "--mode"]
    run("convert", first, *add, "append")
    # Each of several inputs is known.
    run("convert", second, third, *add, "append")
    before = files_in(folder)
    for sources in ([first], [third], [second, first], [os.path.relpath(first)]):
        done = run("convert", *sources, *add, "append", code=74)
        assert "were added before, in" in done.stderr and "append-again" in done.stderr, done.stderr
        asked = run("check", *sources, "--append", f"{folder}/", "--to", form, *words, code=74)
        assert "were added before, in" in asked.stderr and "append-again" in asked.stderr, asked.stderr
    assert "given twice" in run("convert", *[week("w4", 9)] * 2, *add, "append", code=74).stderr
    assert files_in(folder) == before and ids(folder, form) == [1, 2, 3, 4]
    for _ in range(2):
        run("convert", first, *add, "append-again")
    assert ids(folder, form) == [1, 1, 1, 2, 2, 2, 3, 4]
    # Other rows of the file, and rows that are not there any more.
    run("convert", first, *add, "append", "--limit", "1")
    week("w3", 5, 6)
    run("convert", third, *add, "append")
    assert ids(folder, form) == [1, 1, 1, 1, 2, 2, 2, 3, 4, 5, 6]
    for where, _, names in os.walk(folder):
        for name in names:
            os.remove(os.path.join(where, name))
    run("convert", first, *add, "append")
    assert ids(folder, form) == [1, 2]


def test_without_rows():
    pq.write_table(pa.table({"id": pa.array([], pa.int64())}), "none.parquet")
    os.mkdir("none")
    run("convert", "none.parquet", "none/", "--to", "parquet", "--mode", "append")
    assert "were added before" in run("convert", "none.parquet", "none/", "--mode", "append", code=74).stderr
    run("convert", "none.parquet", "none/", "--mode", "append-again")


def test_unknown_inputs():
    """Rows of standard input are never known, and names of other writers are no keys."""
    os.mkdir("unknown")
    for _ in range(2):
        run("convert", "-", "unknown/", "--from", "json", "--schema", "[{name=id;type=int64}]", "--to", "parquet", "--mode", "append",
            input='{"id":1}\n')
    os.rename(f"unknown/{os.listdir('unknown')[0]}", "unknown/part-00007-0123456789abcdef-c000.snappy.parquet")
    source = week("u1", 1)
    run("convert", source, "unknown/", "--mode", "append", "--exclude", "day")
    assert run("convert", source, "unknown/", "--mode", "append", "--exclude", "day", code=74)


def test_two_writers():
    """Of conversions that add one input at the same time, one does."""
    os.mkdir("race")
    source = week("race", *range(1000))
    all_ = [subprocess.Popen([harness.PROGRAM, "convert", source, "race/", "--to", "parquet", "--mode", "append"], stderr=subprocess.PIPE)
            for _ in range(4)]
    told = [one.communicate(timeout=60)[1] for one in all_]
    assert [one.returncode for one in all_].count(0) == 1, told
    assert len(ids(FOLDER / "race", "parquet")) == 1000


def test_new_column():
    """Readers that join schemas see nulls in earlier files; those of the first file's schema do not see the column."""
    os.mkdir("evolved")
    run("convert", week("e1", 1), "evolved/", "--to", "parquet", "--mode", "append", "--exclude", "day")
    more = harness.write(FOLDER / "e2.json", '{"price":2.5,"id":2}\n')
    for _ in range(2):
        assert "add it with --evolve" in run("convert", more, "evolved/", "--mode", "append", code=4).stderr
    assert "price: a new column" in run("check", more, "--append", "evolved/", "--evolve").stdout
    run("convert", more, "evolved/", "--mode", "append", "--evolve")
    assert "were added before" in run("convert", more, "evolved/", "--mode", "append", "--evolve", code=74).stderr
    # Rows of before go into files with the column.
    run("convert", week("e3", 3), "evolved/", "--mode", "append", "--exclude", "day")
    wanted = {"id": [1, 2, 3], "price": [None, 2.5, None]}
    files = sorted(os.path.join("evolved", name) for name in os.listdir("evolved"))
    joined = pa.unify_schemas([pq.read_schema(file) for file in files])
    assert pyarrow.dataset.dataset("evolved", schema=joined).to_table().to_pydict() == wanted
    found = duckdb.sql("SELECT id, price FROM read_parquet('evolved/*.parquet', union_by_name = true) ORDER BY id")
    assert found.fetchall() == list(zip(wanted["id"], wanted["price"]))
    assert pq.read_table("evolved").to_pydict() == {"id": wanted["id"]}
    assert duckdb.sql("FROM read_parquet('evolved/*.parquet') ORDER BY id").fetchall() == [(1,), (2,), (3,)]
    assert run("convert", "evolved/", "-", "--unify", "--to", "json").stdout.splitlines() == [
        '{"id":1,"price":null}', '{"id":2,"price":2.5}', '{"id":3,"price":null}']
