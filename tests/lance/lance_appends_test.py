"""Rows that are added to datasets of Lance: inputs that come twice, new columns, and conversions that are killed. pylance reads the result."""
import datetime
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest

from tests import harness

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq

harness.needs("xwalk-engine-lance", "libxwalk_parquet.so")

FOLDER = pathlib.Path(harness.make_folder("lance-appends"))
run = harness.run


def rows_of(path):
    return lance.dataset(str(path)).to_table().to_pylist()


def week(number, rows=None):
    return harness.write(FOLDER / f"week{number}.json", rows or f'{{"id":{number}}}\n')


def refuse(*words):
    done = run("convert", *words, code=74)
    assert "append-again" in done.stderr, done.stderr
    return done.stderr


def files_in(folder):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)


def ids_of(dataset):
    return {field.name(): field.id() for field in dataset.lance_schema.fields()}


def test_repeated_append():
    """Rows of one input are added once, unless that is what the caller wants."""
    first, second, third = (week(n) for n in (1, 2, 3))
    table = FOLDER / "weeks.lance"
    run("convert", first, table)
    run("convert", second, table, "--mode", "append")
    before = files_in(table)
    (FOLDER / "link").symlink_to(FOLDER)
    for source in (first, second, os.path.relpath(first), FOLDER / "link" / first.name):
        assert "were added before, in version" in refuse(source, table, "--mode", "append")
        asked = run("check", source, "--append", table, code=74).stderr
        assert "were added before, in version" in asked and "append-again" in asked
    run("check", third, "--append", table)
    assert "given twice" in refuse(third, third, table, "--mode", "append")
    assert files_in(table) == before
    run("convert", first, table, "--mode", "append-again")
    assert sorted(row["id"] for row in rows_of(table)) == [1, 1, 2]
    # Other rows of the same name, and other rows of the same file.
    week(1, '{"id":11}\n{"id":12}\n')
    run("convert", first, table, "--mode", "append", "--limit", "1")
    run("convert", first, table, "--mode", "append")
    # Rows that were replaced are not in the dataset.
    run("convert", second, table, "--mode", "overwrite")
    run("convert", first, table, "--mode", "append")
    assert sorted(row["id"] for row in rows_of(table)) == [2, 11, 12]
    assert "in version" in refuse(second, table, "--mode", "append")


def test_versions_of_others():
    """Versions of other writers, that were removed, or that bring back the rows of an earlier one."""
    table = FOLDER / "others.lance"
    inputs = [week(n) for n in (21, 22, 23)]
    for source in inputs[:2]:
        run("convert", source, table, "--mode", "append")
    lance.write_dataset(pa.table({"id": [0]}), str(table), mode="append")
    dataset = lance.dataset(str(table))
    dataset.optimize.compact_files()
    run("convert", inputs[2], table, "--mode", "append")
    dataset = lance.dataset(str(table))
    dataset.cleanup_old_versions(older_than=datetime.timedelta(0))
    assert len(dataset.versions()) == 1
    # The version that is left knows those of before.
    for source in inputs:
        refuse(source, table, "--mode", "append")
    more = week(24)
    kept = lance.dataset(str(table)).version
    run("convert", more, table, "--mode", "append")
    refuse(more, table, "--mode", "append")
    lance.dataset(str(table), version=kept).restore()
    run("convert", more, table, "--mode", "append")
    assert sorted(row["id"] for row in rows_of(table)) == [0, 21, 22, 23, 24]


def test_repeated_append_without_rows():
    """An input without rows is an input."""
    schema = harness.write(FOLDER / "none.schema", "[{name=id;type=int64}]")
    first, nothing = FOLDER / "one.parquet", FOLDER / "none.parquet"
    pq.write_table(pa.table({"id": [1]}), first)
    pq.write_table(pa.table({"id": pa.array([], pa.int64())}), nothing)
    table = FOLDER / "none.lance"
    run("convert", first, table)
    run("convert", nothing, table, "--mode", "append")
    refuse(nothing, table, "--mode", "append")
    run("convert", nothing, table, "--mode", "append-again")
    assert rows_of(table) == [{"id": 1}]
    # Standard input is never known.
    for _ in range(2):
        run("convert", "-", table, "--from", "json", "--schema", schema, "--mode", "append", input='{"id":2}\n')
    assert len(rows_of(table)) == 3


def test_two_writers():
    """Of conversions that add one input at the same time, one does."""
    table, source = FOLDER / "race.lance", week(31)
    run("convert", week(30), table)
    all_ = [subprocess.Popen([harness.PROGRAM, "convert", source, table, "--mode", "append"], stderr=subprocess.PIPE) for _ in range(3)]
    told = [one.communicate(timeout=120)[1] for one in all_]
    assert sorted(one.returncode for one in all_) == [0, 74, 74], told
    assert sorted(row["id"] for row in rows_of(table)) == [30, 31]


def test_new_columns():
    """Rows with columns that a dataset does not have: it gets them in the version of the rows, and keeps its ids."""
    table = FOLDER / "evolved.lance"
    run("convert", week(41, '{"id":1,"s":{"a":1}}\n'), table)
    dataset = lance.dataset(str(table))
    dataset.add_columns({"gone": "id * 2"})
    dataset.drop_columns(["gone"])
    dataset.create_scalar_index("id", "BTREE")
    run("convert", week(42, '{"id":2,"s":{"a":2}}\n'), table, "--mode", "append")
    # A fragment of which no row is left: its number is never given again, since an index may have it.
    lance.dataset(str(table)).delete("id = 2")
    before = lance.dataset(str(table))
    more = FOLDER / "evolve-more.parquet"
    pq.write_table(pa.table({"id": pa.array([3], pa.int64()), "s": pa.array([{"a": 2}], pa.struct([("a", pa.int64())])),
                             "tags": pa.array([[{"k": "a", "v": 1}, None]], pa.list_(pa.struct([("k", pa.string()), ("v", pa.int32())]))),
                             "day": pa.array([datetime.date(2026, 3, 1)])}), more)
    assert "add it with --evolve" in run("convert", more, table, "--mode", "append", code=4).stderr
    told = json.loads(run("check", more, "--append", table, "--evolve", "--output", "json").stdout)
    assert told["verdict"] in ("exact", "widened"), told
    assert lance.dataset(str(table)).version == before.version
    done = run("convert", more, table, "--mode", "append", "--evolve")
    assert "tags: a new column: null in the rows of before" in done.stderr
    after = lance.dataset(str(table))
    after.validate()
    assert after.version == before.version + 1
    assert {name: ids_of(after)[name] for name in ids_of(before)} == ids_of(before)
    assert min(ids_of(after)[name] for name in ("tags", "day")) > before.max_field_id
    assert max(part.fragment_id for part in after.get_fragments()) == 2
    new = {"id": 3, "s": {"a": 2}, "tags": [{"k": "a", "v": 1}, None], "day": datetime.date(2026, 3, 1)}
    assert rows_of(table) == [{"id": 1, "s": {"a": 1}, "tags": None, "day": None}, new]
    # A query by the index also finds rows of the new fragment.
    assert after.to_table(filter="id = 3").to_pylist() == [new] and after.to_table(filter="id = 2").num_rows == 0
    assert json.loads(run("convert", table, "-", "--to", "json").stdout.splitlines()[1])["tags"] == new["tags"]
    refuse(more, table, "--mode", "append", "--evolve")
    # Rows of before can still be added, and again with nothing new.
    run("convert", week(43, '{"id":4,"s":null}\n'), table, "--mode", "append", "--evolve")
    assert rows_of(table)[2] == {"id": 4, "s": None, "tags": None, "day": None}
    assert ids_of(lance.dataset(str(table))) == ids_of(after)


def test_new_columns_and_stable_row_ids():
    table = FOLDER / "stable.lance"
    lance.write_dataset(pa.table({"id": [1, 2]}), str(table), enable_stable_row_ids=True)
    run("convert", week(51, '{"id":3,"v":1.5}\n'), table, "--mode", "append", "--evolve")
    found = lance.dataset(str(table)).to_table(with_row_id=True).to_pydict()
    assert found == {"id": [1, 2, 3], "v": [None, None, 1.5], "_rowid": [0, 1, 2]}


def test_columns_that_are_not_added():
    table = FOLDER / "renamed.lance"
    run("convert", week(61, '{"id":1,"name":"a"}\n'), table)
    # A name that is almost another is a new column, never a renamed one.
    run("convert", week(62, '{"id":2,"Name":"b"}\n'), table, "--mode", "append", "--evolve")
    assert rows_of(table) == [{"id": 1, "name": "a", "Name": None}, {"id": 2, "name": None, "Name": "b"}]
    done = run("convert", week(63, '{"id":2,"s":{"b":1}}\n'), table, "--mode", "overwrite", "--evolve", code=2)
    assert "--mode append" in done.stderr
    run("convert", FOLDER / "week63.json", FOLDER / "members.lance")
    done = run("convert", week(64, '{"id":2,"s":{"b":1,"c":2}}\n'), FOLDER / "members.lance", "--mode", "append", "--evolve", code=1)
    assert "s.c" in done.stderr


@pytest.mark.parametrize("version, kind, words", [("legacy", pa.int64(), "the version 0.1"), ("2.1", pa.map_(pa.string(), pa.int64()), "Lance 2.2")])
def test_versions_of_data_files(version, kind, words):
    """What data files of a version cannot have is refused by `check` and by `convert`."""
    table, source = FOLDER / f"files-{version}.lance", FOLDER / "files.parquet"
    lance.write_dataset(pa.table({"id": [1]}), str(table), data_storage_version=version)
    pq.write_table(pa.table({"id": [2], "n": pa.nulls(1, kind)}), source)
    before = files_in(table)
    told = run("check", source, "--append", table, "--evolve", code=(1, 4))
    assert words in " ".join((told.stdout + told.stderr).split()), told
    assert words in run("convert", source, table, "--mode", "append", "--evolve", code=4).stderr
    assert files_in(table) == before


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed(how):
    """A conversion that is killed while it adds a column has added all or nothing, and another one adds it once."""
    table = FOLDER / f"killed{how.value}.lance"
    run("convert", week(71), table)
    source = FOLDER / "killed.parquet"
    landed = 0
    for at in range(12):
        name = f"c{at}"
        pq.write_table(pa.table({"id": pa.array(range(1000 * at, 1000 * at + 1000)), name: pa.array(range(1000))}), source)
        before = rows_of(table)
        child = subprocess.Popen([harness.PROGRAM, "convert", source, table, "--mode", "append", "--evolve"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.1 * at)
        child.send_signal(how)
        child.wait(60)
        # The dataset has the column if and only if it has the rows. The engine is a process of its own, which may end a little later.
        dataset = lance.dataset(str(table))
        assert dataset.count_rows() == len(before) + 1000 * (name in dataset.schema.names)
        again = run("convert", source, table, "--mode", "append", "--evolve", code=(0, 74))
        assert again.returncode == 0 or "were added before" in again.stderr
        landed += again.returncode != 0
        dataset = lance.dataset(str(table))
        dataset.validate()
        assert len(rows_of(table)) == len(before) + 1000 and name in dataset.schema.names
    assert landed < 12
    # The next conversion removes what a killed one left.
    time.sleep(1)
    run("convert", week(72), table, "--mode", "append")
    dataset = lance.dataset(str(table))
    named = {file.path for version in dataset.versions() for part in lance.dataset(str(table), version=version["version"]).get_fragments()
             for file in part.metadata.files}
    assert set(os.listdir(table / "data")) == named
    # An engine whose program was killed may make its folder again after the next one has removed it.
    if how == signal.SIGTERM:
        assert not [name for name in os.listdir(FOLDER) if name.startswith(f".{table.name}.xwalk-")]
