"""Rows that replace those with the same key, in tables of Delta and Iceberg and datasets of Lance. deltalake, pyiceberg and pylance read the result;
what it must be is computed here, row by row."""
import datetime
import decimal
import itertools
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

harness.needs("libxwalk_parquet.so")

FOLDER = pathlib.Path(harness.make_folder("upserts"))
ENVIRONMENT = {**os.environ, "HOME": str(FOLDER)}
FORMATS = ["lance", "delta", "iceberg"]
UTC = datetime.timezone.utc


def run(*words, **options):
    return harness.run(*words, env=ENVIRONMENT, **options)


def table_of(path):
    """Returns the rows as the package of the format reads them."""
    kind = path.suffix[1:]
    if kind == "lance":
        return pytest.importorskip("lance").dataset(str(path)).to_table()
    if kind == "delta":
        return pytest.importorskip("deltalake").DeltaTable(path).to_pyarrow_table()
    from pyiceberg.table import StaticTable

    newest = max((path / "metadata").glob("v*.metadata.json"), key=lambda name: int(name.name[1:].split(".")[0]))
    return StaticTable.from_metadata(str(newest)).scan().to_arrow()


def rows_of(path):
    return table_of(path).to_pylist()


def versions_of(path):
    """Returns how often rows were committed."""
    kind = path.suffix[1:]
    if kind == "lance":
        return len(pytest.importorskip("lance").dataset(str(path)).versions())
    return len(list((path / "_delta_log").glob("*.json")) if kind == "delta" else list((path / "metadata").glob("v*.metadata.json")))


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture(params=FORMATS)
def kind(request):
    harness.needs(f"xwalk-engine-{request.param}")
    return request.param


def rows(name, *lines):
    return harness.write(FOLDER / name, "".join(json.dumps(line) + "\n" for line in lines))


def put(source, table, *words, key="id", **options):
    return run("convert", source, table, "--mode", "upsert", "--key", key, *words, **options)


def by_id(path):
    return sorted(((row["id"], row["v"]) for row in rows_of(path)), key=str)


def test_inserted_and_updated(kind):
    """The first upsert makes the table; others replace and add rows in one version each, are counted, and change nothing when repeated."""
    table = FOLDER / f"weeks.{kind}"
    first = rows("first.json", {"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 3, "v": "c"})
    second = rows("second.json", {"id": 3, "v": "C"}, {"id": 9, "v": "n"}, {"id": 1, "v": "A"})
    assert "3 rows (inserted 3, updated 0)" in put(first, table).stderr
    versions = versions_of(table)
    asked = run("check", second, "--append", table, "--mode", "upsert", "--key", "id", "--rows")
    assert "3 rows read, none would be rejected" in asked.stdout and versions_of(table) == versions, asked.stdout
    done = put(second, table, "--verify")
    assert "3 rows (inserted 1, updated 2)" in done.stderr and "verified" in done.stderr, done.stderr
    assert versions_of(table) == versions + 1
    expected = [(1, "A"), (2, "b"), (3, "C"), (9, "n")]
    assert by_id(table) == expected
    told = json.loads(put(second, table, "--json").stderr.splitlines()[-1])
    assert (told["inserted"], told["updated"], told["rows"]) == (0, 3, 3) and by_id(table) == expected
    run("verify", second, table, "--mode", "upsert", "--key", "id")
    wrong = run("verify", first, table, "--mode", "upsert", "--key", "id", code=1)
    assert "differs" in wrong.stdout + wrong.stderr
    # The identity of an input is kept as by an append.
    assert "were added before" in run("convert", second, table, "--mode", "append", code=74).stderr
    assert by_id(table) == expected


def test_no_rows(kind):
    table = FOLDER / f"none.{kind}"
    nothing = FOLDER / "none.parquet"
    pq.write_table(pa.table({"id": pa.array([], pa.int64()), "v": pa.array([], pa.string())}), nothing)
    put(nothing, table)
    assert "(inserted 1, updated 0)" in put(rows("one.json", {"id": 1, "v": "a"}), table).stderr
    before, files = versions_of(table), files_in(table)
    assert "(inserted 0, updated 0)" in put(nothing, table).stderr
    assert by_id(table) == [(1, "a")] and versions_of(table) == before and files_in(table) == files


#: Rows that are rejected: the key, the rows, and the message.
REFUSED = {
    "null": ("id", [{"id": 1, "v": "x"}, {"id": None, "v": "y"}], ["expected a key, found null"]),
    "repeated": ("id", [{"id": 7, "v": "x"}, {"id": 5, "v": "y"}, {"id": 7, "v": "z"}],
                 ["expected each key id once, found id=7 again, as in row 0", "row 2"]),
    "several": ("id,v", [{"id": 7, "v": "x"}, {"id": 7, "v": "y"}, {"id": 7, "v": "x"}],
                ["expected each key id, v once, found id=7, v=x again, as in row 0"]),
}


@pytest.mark.parametrize("kind, name", harness.sample(itertools.product(FORMATS, REFUSED), 5), indirect=["kind"])
def test_rows_without_a_key(kind, name):
    """Rows without a key, or with that of another row, are rejected before anything is written, as `check` says."""
    key, lines, words = REFUSED[name]
    table = FOLDER / f"keys-{name}.{kind}"
    put(rows("there.json", {"id": 1, "v": "a"}), table, key=key)
    before = files_in(table)
    source = rows(f"{name}.json", *lines)
    refused = put(source, table, key=key, code=3)
    for word in words:
        assert word in " ".join(refused.stderr.split()), refused.stderr
    assert files_in(table) == before
    asked = run("check", source, "--append", table, "--mode", "upsert", "--key", key, "--rows", code=1)
    assert "1 would be rejected" in asked.stdout, asked.stdout
    done = put(source, table, "--on-error", "skip", "--rejects", FOLDER / f"{name}-{kind}.rejects", "--verify", key=key)
    assert "1 row rejected" in done.stderr, done.stderr
    kept = lines[:1] if name == "null" else lines[:2]
    expected = {tuple(row[column] for column in key.split(",")): row for row in [{"id": 1, "v": "a"}, *kept]}
    assert sorted(rows_of(table), key=str) == sorted(expected.values(), key=str)


def test_a_key_in_several_inputs(kind):
    table = FOLDER / f"inputs.{kind}"
    first, second = rows("in1.json", {"id": 1, "v": "a"}, {"id": 2, "v": "b"}), rows("in2.json", {"id": 3, "v": "a"}, {"id": 2, "v": "c"})
    refused = run("convert", first, second, table, "--mode", "upsert", "--key", "id", code=3)
    text = " ".join(refused.stderr.split())
    assert "found id=2 again, as in row 1 of" in text and "in1.json" in text and "in2.json" in text, refused.stderr
    assert not table.exists()


def test_keys_that_are_refused(kind):
    """Columns that do not exist, and those whose values are not compared exactly."""
    table = FOLDER / f"columns.{kind}"
    source = FOLDER / "columns.parquet"
    pq.write_table(pa.table({"id": [1], "f": [1.5], "l": [[1]], "v": ["a"]}), source)
    for column, code, words in (("f", 4, "found double"), ("l", 4, "found list"), ("g", 2, "no column \"g\"")):
        assert words in put(source, table, key=column, code=code).stderr, column
    put(source, table)
    for column, code, words in (("f", 4, "found double"), ("l", 4, "found list"), ("g", 2, "no column \"g\"")):
        refused = put(source, table, key=column, code=code).stderr
        asked = run("check", source, "--append", table, "--mode", "upsert", "--key", column, code=code).stderr
        assert words in refused and refused == asked, (refused, asked)
    part = rows("part.json", {"id": 1, "v": "b"})
    for words in (["convert", part, table], ["check", part, "--append", table]):
        refused = run(*words, "--mode", "upsert", "--key", "id", code=4).stderr
        assert "would lose its values" in refused, refused
    assert "Give --mode upsert as well" in run("convert", source, table, "--mode", "append", "--key", "id", code=2).stderr
    assert "needs the columns of a key" in run("convert", source, table, "--mode", "upsert", code=2).stderr
    assert [row["v"] for row in rows_of(table)] == ["a"]


def test_values_are_checked(kind):
    """Values go through the plan of an append: what does not fit is rejected."""
    table = FOLDER / f"types.{kind}"
    source = FOLDER / "types.parquet"
    pq.write_table(pa.table({"id": pa.array([1, 2], pa.int32()), "v": pa.array([1, 2], pa.int32())}), source)
    put(source, table)
    pq.write_table(pa.table({"id": pa.array([2, 3], pa.int64()), "v": pa.array([2**40, 5], pa.int64())}), source)
    refused = put(source, table, code=3).stderr
    assert "1099511627776" in refused and by_id(table) == [(1, 1), (2, 2)], refused
    put(source, table, "--on-error", "skip", "--verify")
    assert by_id(table) == [(1, 1), (2, 2), (3, 5)]
    pq.write_table(pa.table({"id": [2], "v": [1.5]}), source)
    assert put(source, table, code=3).returncode == 3 and by_id(table) == [(1, 1), (2, 2), (3, 5)]


def test_a_key_that_the_table_repeats(kind):
    table = FOLDER / f"twice.{kind}"
    run("convert", rows("twice.json", {"id": 1, "v": "a"}, {"id": 2, "v": "b"}), table)
    run("convert", rows("twice2.json", {"id": 1, "v": "c"}), table, "--mode", "append")
    before, versions = by_id(table), versions_of(table)
    refused = put(rows("once.json", {"id": 1, "v": "X"}), table, code=3)
    assert "Remove all but one of them" in refused.stderr, refused.stderr
    assert by_id(table) == before and versions_of(table) == versions
    # Others are not looked at.
    put(rows("other.json", {"id": 2, "v": "X"}), table)
    assert by_id(table) == [(1, "a"), (1, "c"), (2, "X")]


#: Types of keys and a value by a number.
KEYS = {
    "int": (pa.int32(), lambda n: n - 3), "long": (pa.int64(), lambda n: 2**62 + n), "text": (pa.string(), lambda n: f"ž'\"{n}"),
    "bytes": (pa.binary(), lambda n: bytes([n, 0, 255])), "decimal": (pa.decimal128(20, 2), lambda n: decimal.Decimal(10**17 + n).scaleb(-2)),
    "date": (pa.date32(), lambda n: datetime.date(1969, 12, 28) + datetime.timedelta(n)),
    "time": (pa.timestamp("us", "UTC"), lambda n: datetime.datetime(1969, 12, 31, 23, 59, 59, 999997 - n, UTC)),
}


@pytest.mark.parametrize("kind, of", harness.sample(itertools.product(FORMATS, KEYS), 9), indirect=["kind"])
def test_types_of_keys(kind, of):
    """Every type of key with random rows of two columns, in a table of several files; nested values and nulls go with their rows."""
    random.seed(of)
    type, value = KEYS[of]
    table, source = FOLDER / f"key-{of}.{kind}", FOLDER / "keyed.parquet"
    schema = pa.schema([("k", type), ("part", pa.string()), ("v", pa.float64()), ("l", pa.list_(pa.string()))])
    expected = {}
    for turn in range(4):
        chosen = random.sample(range(12), 6)
        given = [{"k": value(n), "part": random.choice("ab"), "v": random.choice([None, turn + 0.5]), "l": random.choice([None, [], ["x", None]])}
                 for n in chosen]
        updated = sum((row["k"], row["part"]) in expected for row in given)
        expected |= {(row["k"], row["part"]): row for row in given}
        pq.write_table(pa.Table.from_pylist(given, schema), source)
        done = put(source, table, "--verify", key="k,part")
        assert f"(inserted {6 - updated}, updated {updated})" in done.stderr, done.stderr
        assert sorted(rows_of(table), key=str) == sorted(expected.values(), key=str)
    assert len(expected) > 6


@pytest.mark.parametrize("kind", ["lance", "iceberg"])
def test_times_of_day_are_keys(kind):
    table, source = FOLDER / f"day.{kind}", FOLDER / "day.parquet"
    for value, times in (("a", [1, 2]), ("b", [2, 3])):
        pq.write_table(pa.table({"id": pa.array(times, pa.time64("us")), "v": [value] * 2}), source)
        put(source, table, "--verify")
    assert [value for _, value in by_id(table)] == ["a", "b", "b"]


def test_a_uuid_of_yson(kind):
    """The dataset has the type that the packages expect in rows of a later upsert."""
    table = FOLDER / f"uuid.{kind}"
    for name, lines in (("u1", b'{id=1;u="0123456789abcdef";l=["0123456789abcdef"]};{id=2;u=#;l=[]};'),
                        ("u2", b'{id=2;u="0123456789abcdeg";l=[]};{id=3;u="0123456789abcdeh";l=["0123456789abcdeh"]};')):
        source = FOLDER / f"{name}.yson"
        harness.write(FOLDER / f"{name}.yson.schema", "[{name=id;type=int64};{name=u;type=uuid};{name=l;type_v3={type_name=list;item=uuid}}]")
        source.write_bytes(lines)
        put(source, table, "--verify")
    assert sorted(row["id"] for row in rows_of(table)) == [1, 2, 3]


def test_names_that_a_merge_does_not_read():
    harness.needs("xwalk-engine-delta")
    source, table = rows("tick.json", {"id": 1, "a`b": "x"}), FOLDER / "tick.delta"
    put(source, table)
    assert "found \"a`b\"" in put(source, table, code=4).stderr


@pytest.mark.parametrize("kind", ["delta", "iceberg"])
def test_partitions(kind):
    """Rows move between parts, and a part may lose all its rows."""
    harness.needs(f"xwalk-engine-{kind}")
    table = FOLDER / f"parts.{kind}"
    put(rows("p1.json", {"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 3, "v": "a"}), table, "--partition-by", "v")
    done = put(rows("p2.json", {"id": 2, "v": "a"}, {"id": 4, "v": "c"}, {"id": 3, "v": "b"}), table, "--verify")
    assert "(inserted 1, updated 2)" in done.stderr, done.stderr
    assert by_id(table) == [(1, "a"), (2, "a"), (3, "b"), (4, "c")]
    assert not [name for name in files_in(table) if "/." in name or name.startswith(".")]


def test_new_columns(kind):
    table = FOLDER / f"wider.{kind}"
    put(rows("w1.json", {"id": 1, "v": "a"}, {"id": 2, "v": "b"}), table)
    more = rows("w2.json", {"id": 2, "v": "B", "n": 5})
    assert "no such column" in put(more, table, code=4).stderr
    if kind == "iceberg":
        put(more, table, "--evolve")
        assert sorted(rows_of(table), key=str) == [{"id": 1, "v": "a", "n": None}, {"id": 2, "v": "B", "n": 5}]
    else:
        assert "--evolve" in put(more, table, "--evolve", code=4).stderr and by_id(table) == [(1, "a"), (2, "b")]


def test_formats_without_it():
    source = rows("no.json", {"id": 1, "v": "a"})
    (FOLDER / "files").mkdir()
    for name in ("o.parquet", "files/", "o.arrow", "o.vortex", "o.yson", "o.json", "o.csv"):
        words = ["--to", "parquet"] if name.endswith("/") else []
        refused = put(source, FOLDER / name if not name.endswith("/") else f"{FOLDER}/{name}", *words, code=2).stderr
        assert "--mode upsert needs an output of" in refused and "--mode overwrite" in refused and "lance" in refused, refused


def test_memory_of_keys(kind):
    table = FOLDER / f"memory.{kind}"
    source = FOLDER / "many.parquet"
    pq.write_table(pa.table({"id": range(200_000), "v": ["x"] * 200_000}), source)
    refused = put(source, table, "--max-memory", "8MiB", code=4).stderr
    assert "expected keys of at most 2,097,152 bytes in memory" in refused and not table.exists(), refused


def test_two_writers(kind):
    """Of upserts that begin at one version, one key is inserted once."""
    table = FOLDER / f"race.{kind}"
    put(rows("race.json", {"id": 1, "v": "a"}), table)
    source = rows("racing.json", {"id": 1, "v": "b"}, {"id": 2, "v": "n"})
    words = list(map(str, [harness.PROGRAM, "convert", source, table, "--mode", "upsert", "--key", "id"]))
    writers = [subprocess.Popen(words, env=ENVIRONMENT, stderr=subprocess.PIPE) for _ in range(3)]
    errors = [one.communicate(timeout=90)[1].decode() for one in writers]
    assert any(one.returncode == 0 for one in writers), errors
    assert all("another writer was faster" in error for one, error in zip(writers, errors) if one.returncode), errors
    assert by_id(table) == [(1, "b"), (2, "n")]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed(kind, how):
    """An upsert that is killed has replaced all rows or none, and repeating it is harmless."""
    table = FOLDER / f"killed{how.value}.{kind}"
    source = FOLDER / f"killed-{kind}.parquet"
    pq.write_table(pa.table({"id": range(1000), "v": ["old"] * 1000}), source)
    put(source, table)
    for at in harness.sample(range(8), 4):
        pq.write_table(pa.table({"id": range(500, 1500), "v": [f"new{at}"] * 1000}), source)
        before = by_id(table)
        child = subprocess.Popen(list(map(str, [harness.PROGRAM, "convert", source, table, "--mode", "upsert", "--key", "id"])), env=ENVIRONMENT,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.15 * at)
        child.send_signal(how)
        child.wait(60)
        after = sorted([(n, "old") for n in range(500)] + [(n, f"new{at}") for n in range(500, 1500)], key=str)
        assert by_id(table) in (before, after)
        # The engine is a process of its own, which may commit a little later.
        while put(source, table, code=(0, 74)).returncode:
            time.sleep(0.1)
        assert by_id(table) == after
