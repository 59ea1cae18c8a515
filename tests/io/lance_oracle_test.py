"""What the program writes to Lance datasets, read by pylance: nothing is lost that the report does not tell."""
import json
import shutil
import subprocess

import pytest

from tests import harness
from tests.harness import PROGRAM, expect, try_run as run

with harness.skip_if_missing():
    import lance
    import pyarrow as pa

FOLDER = harness.make_folder("lance-test")
there = harness.work_in(FOLDER)


def done(*words):
    harness.run(*words)


def refused(code, *words, because=""):
    result = run(*words)
    expect(result.returncode == code and because in result.stderr + result.stdout, words, result)


def fresh(name):
    shutil.rmtree(name, ignore_errors=True)
    return name


def arrow(name, **columns):
    table = pa.table(columns)
    with pa.OSFile(name, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return name


def dataset(name, table, **options):
    return lance.write_dataset(table, fresh(name), **options)


def table_of(name):
    return lance.dataset(name).scanner(blob_handling="all_binary").to_table()


def rows_of(name):
    return table_of(name).to_pylist()


def rows_of_arrow(name):
    return pa.ipc.open_file(name).read_all().to_pylist()


def ids(name):
    def walk(field):
        return [field.id(), *[number for child in field.children() for number in walk(child)]]

    return [number for field in lance.dataset(name).lance_schema.fields() for number in walk(field)]


def test_dictionaries():
    """Dictionaries of any values."""
    arrow("dictionaries.arrow", i=pa.array([1, 2, None]).dictionary_encode(), f=pa.array([1.5, 2, 1.5]).dictionary_encode(),
          s=pa.array(["x", "y", "x"]).dictionary_encode(),
          n=pa.StructArray.from_arrays([pa.array([b"x", b"y", b"x"]).dictionary_encode()], ["d"]))
    done("convert", "dictionaries.arrow", fresh("dictionaries.lance"), "-q")
    with pa.ipc.open_file("dictionaries.arrow") as file:
        expect(table_of("dictionaries.lance").to_pylist() == file.read_all().to_pylist(), "dictionaries")
        expect(lance.dataset("dictionaries.lance").schema.equals(file.schema), "types of dictionaries")
    done("convert", "dictionaries.lance", "back.arrow", "-q")
    with pa.ipc.open_file("back.arrow") as file:
        expect(file.schema.equals(lance.dataset("dictionaries.lance").schema), "dictionaries back", file.schema)


def test_json():
    """JSON: as text where check says text, in Lance's own form in a column of it."""
    arrow("json.arrow", j=pa.array(['{"a":1}', "[1,2]", None], pa.json_()))
    done("convert", "json.arrow", fresh("json.lance"), "-q")
    field = lance.dataset("json.lance").lance_schema.fields()[0]
    expect('LogicalType("string")' in str(field), field)
    told = run("schema", "json.arrow", "--to", "lance").stdout
    expect(told == run("schema", "json.lance").stdout, "the schema told is the one written", told)
    dataset("own.lance", pa.table({"j": pa.array(['{"a":1}'], pa.json_())}))
    A_IS_1 = "json_get_int(j, 'a') = 1"
    done("convert", "json.arrow", "own.lance", "--mode", "append", "-q")
    expect(lance.dataset("own.lance").to_table(filter=A_IS_1).num_rows == 2, "appended JSON")
    done("convert", "own.lance", fresh("copy.lance"), "-q")
    expect(lance.dataset("copy.lance").to_table(filter=A_IS_1).num_rows == 2, "copied JSON")
    expect(lance.dataset("copy.lance").schema.equals(lance.dataset("own.lance").schema), "JSON stays Lance's own")
    for to in ("parquet", "yt", "arrow"):
        told = run("schema", "own.lance", "--to", to).stdout
        expect("json" in told.lower(), "JSON is JSON", to, told)
    arrow("odd.arrow", j=pa.array(['{"a":1,"a":2}', "1e400", "12345678901234567890123", "1.50", '{"z":[-0.1,1E5]}'], pa.json_()))
    refused(3, "convert", "odd.arrow", "own.lance", "--mode", "append", because="distinct keys")
    done("convert", "odd.arrow", "own.lance", "--mode", "append", "--on-error", "skip", "--rejects", "r.yson", "-q")
    expect([row["j"] for row in rows_of("own.lance")][4:] == ["1.5", '{"z":[-0.1,100000.0]}'], rows_of("own.lance"))


@pytest.mark.parametrize("version", ["2.0", "2.1", "2.2"])
def test_blobs(version):
    OLD = [pa.field("a", pa.int64()), pa.field("b", pa.large_binary(), metadata={"lance-encoding:blob": "true", "k": "v"}),
           pa.field("z", pa.int64())]
    blobs = pa.table([[1, 2, 3], pa.array([b"x" * 10, None, b""], pa.large_binary()), [4, 5, 6]], schema=pa.schema(OLD))
    dataset("blob.lance", blobs, data_storage_version=version)
    expect("exact" in run("check", "blob.lance", "--to", "lance").stdout, version, "check of blobs")
    for mode, times in (("create", 1), ("append-again", 2), ("overwrite", 1)):
        if mode == "create":
            fresh("copy.lance")
        done("convert", "blob.lance", "copy.lance", "--mode", mode, "-q")
        expect(rows_of("copy.lance") == rows_of("blob.lance") * times, version, mode, rows_of("copy.lance"))
        expect(lance.dataset("copy.lance").schema.equals(lance.dataset("blob.lance").schema, True), version, mode,
               lance.dataset("copy.lance").schema)
    done("convert", "blob.lance", "blob.parquet", "--overwrite", "-q")
    told = run("schema", "blob.lance", "--to", "parquet").stdout
    expect(told == run("schema", "blob.parquet").stdout, version, "one answer", told)


def test_old_versions():
    """What files of old versions do not keep."""
    nulls = {"i": pa.array([None, 2], pa.int64()), "l": pa.array([[1], None], pa.list_(pa.int64())), "s": ["x", None],
             "t": pa.array([{"x": "q"}, None])}
    good = {"i": pa.array([1]), "l": pa.array([[1]]), "s": ["x"], "t": pa.array([{"x": "q"}])}
    arrow("nulls.arrow", **nulls)
    for version, kept in (("legacy", ["s"]), ("2.0", ["i", "l", "s"]), ("2.2", list(nulls))):
        for name in nulls:
            dataset("old.lance", pa.table({name: good[name]}), data_storage_version=version)
            if name in kept:
                done("convert", "nulls.arrow", "old.lance", "--select", name, "--mode", "append", "-q")
                expect([row[name] for row in rows_of("old.lance")][1:] == pa.array(nulls[name]).to_pylist(), version, name)
            else:
                refused(3, "convert", "nulls.arrow", "old.lance", "--select", name, "--mode", "append", because="found null")
                done("convert", "nulls.arrow", "old.lance", "--select", name, "--mode", "append", "--on-error", "skip", "-q")
                expect(len(rows_of("old.lance")) == 2, version, name, "the row without a null is there")
    dataset("old.lance", pa.table({"i": [1]}), data_storage_version="legacy")
    refused(4, "convert", "nulls.arrow", "old.lance", "--select", "i", "--overwrite", because="keep nulls of text")


def test_structs_without_fields():
    """Structs without fields."""
    arrow("empty.arrow", i=pa.array([1, 2]), e=pa.array([{}, None], pa.struct([])))
    refused(4, "convert", "empty.arrow", fresh("empty.lance"), because="a struct without fields")
    refused(1, "check", "empty.arrow", "--to", "lance", because="a struct without fields")
    arrow("text.arrow", f=pa.array([["a", "b"], None], pa.list_(pa.string(), 2)))
    done("convert", "text.arrow", fresh("text.lance"), "-q")
    expect(rows_of("text.lance") == [{"f": ["a", "b"]}, {"f": None}], "lists of two texts")


def test_appending_is_planned_for_the_dataset():
    """Appending is planned for the existing dataset."""
    dataset("there.lance", pa.table({"i": pa.array([1], pa.int8()), "d": pa.array([1.5], pa.float32())}))
    arrow("more.arrow", i=pa.array([2, 300]), d=pa.array([0.1, 0.5]))
    refused(3, "convert", "more.arrow", "there.lance", "--mode", "append")
    done("convert", "more.arrow", "there.lance", "--mode", "append", "--on-error", "skip", "--round", "--allow", "lossy", "-q")
    expect([row["i"] for row in rows_of("there.lance")] == [1, 2], rows_of("there.lance"))
    dataset("there.lance", pa.table({"s": pa.array([{"a": 1}])}))
    arrow("more.arrow", s=pa.array([{"a": 1, "b": 2}]))
    refused(1, "convert", "more.arrow", "there.lance", "--mode", "append")
    expect(rows_of("there.lance") == [{"s": {"a": 1}}], "nothing appended")


@pytest.mark.parametrize("version", ["2.0", "2.1", "2.2"])
def test_datasets_that_evolved(version):
    evolved = dataset("evolved.lance", pa.table({
        "a": [1, 2], "s": pa.array([{"x": 1, "y": {"z": "q"}}, {"x": 2, "y": {"z": None}}]),
        "l": pa.array([[{"p": 1, "q": "a"}], []]), "b": ["x", "y"]}), data_storage_version=version)
    evolved.add_columns(pa.field("n", pa.struct([("u", pa.int32())])))
    evolved.drop_columns(["s.x"])
    evolved.drop_columns(["a"])
    evolved.alter_columns({"path": "b", "name": "c"})
    want = rows_of("evolved.lance")
    for mode, times in (("create", 1), ("append-again", 2), ("overwrite", 1)):
        if mode == "create":
            fresh("copy.lance")
        done("convert", "evolved.lance", "copy.lance", "--mode", mode, "-q")
        expect(rows_of("copy.lance") == want * times, version, mode, rows_of("copy.lance"))
        expect(ids("copy.lance") == ids("evolved.lance"), version, mode, ids("copy.lance"), ids("evolved.lance"))


@pytest.mark.parametrize("name", ["new.lance", "old.lance"])
def test_several_at_once(name):
    arrow("part.arrow", i=pa.array(range(1000)))
    fresh(name)
    rows = 0
    if name == "old.lance":
        dataset(name, pa.table({"i": [1]}))
        rows = 1
    running = [subprocess.Popen([PROGRAM, "convert", "part.arrow", name, "--mode", "append-again", "-q"],
                                stderr=subprocess.PIPE, text=True) for _ in range(3)]
    for process in running:
        words = process.communicate()[1]
        rows += 1000 if process.returncode == 0 else 0
        expect(process.returncode in (0, 74), "several at once", words)
    expect(lance.dataset(name).count_rows() == rows, name, "rows told are there", rows)


def test_an_engine_that_ends_without_a_message():
    """An engine that ends without an error message."""
    # Engines next to the program are found first.
    arrow("part.arrow", i=pa.array(range(1000)))
    build = harness.BUILD
    beside = FOLDER / "beside"
    beside.mkdir()
    for name in ("xwalk", "xwalk-engine-lance", "xwalk_engine.py"):
        shutil.copy(build / name, beside / name)
    for library in build.glob("libxwalk_*.so"):
        (beside / library.name).symlink_to(library)
    DONE = '        status.say("done", **done)\n'
    COMMIT = "        dataset = lance.LanceDataset.commit(path, transaction(lance, operation, options, existing))\n"
    KILLED, STOPPED = "        os.kill(os.getpid(), 9)\n", "        raise engine.Stopped()\n"
    for name, line, planted, is_there in (("xwalk_engine.py", DONE, KILLED, True), ("xwalk_engine.py", DONE, DONE + KILLED, True),
                                          ("xwalk-engine-lance", COMMIT, COMMIT + STOPPED, True),
                                          ("xwalk-engine-lance", COMMIT, COMMIT + KILLED, True),
                                          ("xwalk-engine-lance", COMMIT, KILLED, False),
                                          ("xwalk-engine-lance", COMMIT, STOPPED, False)):
        whole = (build / name).read_text()
        expect(whole.count(line) == 1, name, line)
        (beside / name).write_text(whole.replace(line, planted))
        for mode in ("append", "overwrite"):
            dataset("told.lance", pa.table({"i": [1]}))
            result = subprocess.run([beside / "xwalk", "convert", "part.arrow", "told.lance", "--mode", mode, "-q"],
                                    capture_output=True, text=True)
            rows = (1 + 1000 if mode == "append" else 1000) if is_there else 1
            expect(result.returncode == (0 if is_there else 74), name, planted, mode, result.returncode, result.stderr)
            expect(lance.dataset("told.lance").to_table().num_rows == rows, name, planted, mode)
        shutil.copy(build / name, beside / name)


OWN_NAMES = ("_rowid", "_rowaddr", "_rowoffset", "_row_created_at_version", "_row_last_updated_at_version")


@pytest.mark.parametrize("name", [*OWN_NAMES, "_rowversion"])
def test_names_of_lance(name):
    """Names that pylance refuses get another one, which is reported."""
    table = pa.table({name: [7, 8], "x": [1, 2]})
    try:
        dataset("name.lance", table)
        reserved = False
    except OSError as error:
        assert "reserved" in str(error)
        reserved = True
    assert reserved == (name in OWN_NAMES)
    arrow("name.arrow", **{name: [7, 8], "x": [1, 2]})
    report = json.loads(run("check", "name.arrow", "--to", "lance", "--output", "json").stdout)
    reasons = {reason["rule"] for path in report["paths"] for reason in path["reasons"]}
    expect(("name.changed" in reasons) == reserved, name, report)
    done("convert", "name.arrow", fresh("name.lance"), "-q")
    expect(table_of("name.lance").column_names == [name + "_" if reserved else name, "x"], name)
    done("convert", "name.lance", "back.arrow", "--overwrite", "-q")
    expect(pa.ipc.open_file("back.arrow").read_all().columns == table.columns, name)


def test_data_files_of_two_versions():
    table = pa.table({"x": [1, 2], "s": ["a", None]})
    dataset("two.lance", table, data_storage_version="2.0")
    lance.write_dataset(table, "two.lance", data_storage_version="2.1", mode="append")
    versions = {(file.file_major_version, file.file_minor_version)
                for fragment in lance.dataset("two.lance").get_fragments() for file in fragment.data_files()}
    assert versions == {(2, 0), (2, 1)}
    done("convert", "two.lance", "two.arrow", "--overwrite", "-q")
    expect(rows_of_arrow("two.arrow") == 2 * table.to_pylist(), "rows of both")
    done("validate", "two.lance")


#: Numbers of more digits than the precision. YTsaurus stores nan and inf as three of them.
BEYOND = [10**38, 2**127 - 1, 2**127 - 2, 2 - 2**127]


@pytest.mark.parametrize("nested", [False, True], ids=["column", "item"])
@pytest.mark.parametrize("number", BEYOND)
def test_decimals_beyond_their_precision(number, nested):
    """The error is that of the same rows in Arrow."""
    values = pa.Array.from_buffers(pa.decimal128(38, 0), 2, [None, pa.py_buffer(
        (5).to_bytes(16, "little") + number.to_bytes(16, "little", signed=True))])
    column = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), values) if nested else values
    table = pa.table({"d": column, "i": [1, 2]})
    arrow("beyond.arrow", **dict(zip(table.column_names, table.columns)))
    dataset("beyond.lance", table)
    for words in (["head"], ["validate"], *(["convert", f"out.{end}", "--overwrite"] for end in ("csv", "arrow", "json", "parquet", "lance"))):
        found = {}
        for source in ("beyond.arrow", "beyond.lance"):
            result = run(words[0], source, *words[1:])
            expect(result.returncode != 0, words, source, result.stdout)
            found[source] = (result.returncode, result.stdout.replace(source, ""), result.stderr.replace(source, ""))
        assert "a number of 38 digits" in "".join(found["beyond.lance"][1:])
        assert found["beyond.arrow"] == found["beyond.lance"], words
