"""Rows through the engine programs, compared with pylance and vortex-data themselves."""
import os
import pathlib
import shutil
import signal
import subprocess

import pytest

from tests import harness
from tests.harness import SAMPLES, expect, wait_for

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import vortex

COPY = harness.needs("tests/xwalk_copy_rows")
FOLDER = harness.make_folder("engine")
ROWS = 150_001


@pytest.fixture(autouse=True)
def empty_folder():
    for entry in FOLDER.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def copy(*words, **environment):
    return harness.run(*words, program=COPY, code=None, env={**os.environ, **environment})


def copied(*words):
    result = copy(*words)
    expect(result.returncode == 0, words, result.stderr)


def refused(*words, message):
    result = copy(*words)
    expect(result.returncode == 1 and message in result.stderr, words, result.stderr)


def lance_table(path, **options):
    return lance.dataset(str(path), **options).scanner(blob_handling="all_binary").to_table()


def same(left, right):
    """Compares values: layouts may differ."""
    return left.equals(right) or left.to_pylist() == right.to_pylist()


def vortex_table(path):
    return vortex.open(str(path)).to_arrow().read_all()


def left():
    return sorted(entry.name for entry in FOLDER.iterdir())


def ids(path):
    def walk(field):
        return [field.id(), *[number for child in field.children() for number in walk(child)]]

    return [number for field in lance.dataset(str(path)).lance_schema.fields() for number in walk(field)]


def schema(path):
    return lance.dataset(str(path)).schema


def write(name, values):
    vortex.io.write(vortex.array(values), str(FOLDER / name))


@pytest.mark.parametrize("sample", harness.sample(sorted(SAMPLES.glob("*.lance")), 9), ids=lambda sample: sample.name)
def test_sample_of_lance(sample):
    """Goes to both systems and back."""
    try:
        expected = lance_table(sample)
    except Exception:  # noqa: BLE001: pylance writes datasets that it does not read
        refused(sample, FOLDER / "a.lance", message="error")
        assert left() == []
        return
    copied(sample, FOLDER / "a.lance")
    expect(same(lance_table(FOLDER / "a.lance"), expected), "to lance")
    if "blob" not in sample.name and "json" not in sample.name:
        assert ids(FOLDER / "a.lance") == ids(sample)
        expect(schema(FOLDER / "a.lance").equals(schema(sample), True), schema(FOLDER / "a.lance"))
    copied(sample, FOLDER / "b.vortex")
    copied(FOLDER / "b.vortex", FOLDER / "c.lance")
    if "blob" in sample.name:  # A struct in Vortex, which annotations make a blob again.
        expect(schema(FOLDER / "c.lance").equals(schema(sample)), schema(FOLDER / "c.lance"))
    expect(same(lance_table(FOLDER / "c.lance"), expected), "over vortex")
    assert left() == ["a.lance", "b.vortex", "c.lance"]


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.vortex")), ids=lambda sample: sample.name)
def test_sample_of_vortex(sample):
    file = vortex.open(str(sample))
    if not str(file.dtype).startswith("{"):
        pytest.skip("its rows are not structs")
    copied(sample, FOLDER / "a.vortex")
    expect(vortex_table(FOLDER / "a.vortex") == vortex_table(sample), "rows")
    assert str(vortex.open(str(FOLDER / "a.vortex")).dtype) == str(file.dtype)


@pytest.fixture(scope="module")
def table():
    """Returns many rows of many types."""
    return pa.table({
        "i": pa.array([None if n % 7 == 0 else n for n in range(ROWS)], pa.int64()),
        "b": pa.array([n % 3 == 0 for n in range(ROWS)]),
        "f": pa.array([n / 3 for n in range(ROWS)], pa.float32()),
        "s": pa.array([None if n % 5 == 0 else f"text {n}" for n in range(ROWS)]),
        "y": pa.array([bytes([n % 256]) * (n % 9) for n in range(ROWS)]),
        "d": pa.array([None if n % 11 == 0 else n for n in range(ROWS)], pa.int64()).cast(pa.decimal128(20, 0)),
        "t": pa.array(range(ROWS), pa.timestamp("us", "UTC")),
        "day": pa.array(range(ROWS), pa.date32()),
        "l": pa.array([None if n % 13 == 0 else list(range(n % 4)) for n in range(ROWS)], pa.list_(pa.int32())),
        "st": pa.array([None if n % 17 == 0 else {"x": n, "y": str(n)} for n in range(ROWS)],
                       pa.struct([("x", pa.int32()), ("y", pa.string())])),
        "v": pa.array([[n, n + 1.0] for n in range(ROWS)], pa.list_(pa.float32(), 2)),
        "m": pa.array([None if n % 19 == 0 else [(str(n), n)] for n in range(ROWS)], pa.map_(pa.string(), pa.int64())),
        "dict": pa.array([f"word {n % 50}" for n in range(ROWS)]).dictionary_encode(),
        "n": pa.nulls(ROWS),
    }).replace_schema_metadata({"made": "by hand"})


@pytest.fixture(scope="module")
def rows(table):
    return table.to_pylist()


@pytest.fixture(scope="module")
def many(table):
    """Returns a folder with these rows as in.lance, which was converted to out.vortex."""
    folder = harness.make_folder("engine-many")
    lance.write_dataset(table, str(folder / "in.lance"), max_rows_per_file=40_000)
    copied(folder / "in.lance", folder / "out.vortex")
    return folder


def test_many_rows(many, table, rows):
    copied(many / "in.lance", FOLDER / "out.lance")
    expect(same(lance_table(FOLDER / "out.lance"), table), "lance to lance")
    expect(schema(FOLDER / "out.lance").equals(table.schema, True), schema(FOLDER / "out.lance"))
    expect(vortex_table(many / "out.vortex").to_pylist() == rows, "lance to vortex")
    copied("batch_rows=1000", many / "out.vortex", FOLDER / "back.lance")
    expect(same(lance_table(FOLDER / "back.lance"), table), "vortex to lance")
    # The file of Vortex has the schema in a slot of its postscript.
    expect(schema(FOLDER / "back.lance").equals(table.schema, True), schema(FOLDER / "back.lance"))


def test_a_dictionary_next_to_a_map_whose_values_may_be_null():
    pairs = pa.map_(pa.int64(), pa.struct([pa.field("x", pa.int64(), nullable=False)]))
    kind = pa.struct([pa.field("d", pa.dictionary(pa.int32(), pa.string())), pa.field("m", pairs)])
    values = pa.table({"s": pa.array([{"d": "a", "m": [(1, None), (2, {"x": 5})]}, None, {"d": None, "m": None}], kind)})
    lance.write_dataset(values, str(FOLDER / "in.lance"), data_storage_version="2.2")
    copied(FOLDER / "in.lance", FOLDER / "out.lance")
    assert lance_table(FOLDER / "out.lance").to_pylist() == values.to_pylist()


@pytest.mark.parametrize("values", [pa.array([1, 2, 3]), pa.array(["a", None]), pa.nulls(4),
                                    pa.array([[1], [2, None], []], pa.list_(pa.int32()))], ids=lambda values: str(values.type))
def test_rows_that_are_not_structs(values):
    write("root.vortex", values)
    copied(FOLDER / "root.vortex", FOLDER / "root.lance")
    assert lance_table(FOLDER / "root.lance").to_pylist() == [{"value": value} for value in values.to_pylist()]


def test_rows_that_may_be_null():
    write("some.vortex", pa.StructArray.from_arrays([pa.array([1, 2, 3])], names=["a"], mask=pa.array([False, True, False])))
    refused(FOLDER / "some.vortex", FOLDER / "some.lance", message="found null")
    copied("limit=1", FOLDER / "some.vortex", FOLDER / "some.lance")
    assert lance_table(FOLDER / "some.lance").to_pylist() == [{"a": 1}]


def test_sorted_keys_of_a_map():
    values = pa.table({"m": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64(), keys_sorted=True))})
    write("sorted.vortex", values.to_struct_array().combine_chunks())
    copied(FOLDER / "sorted.vortex", FOLDER / "sorted2.vortex")
    assert str(vortex.open(str(FOLDER / "sorted2.vortex")).dtype) == str(vortex.open(str(FOLDER / "sorted.vortex")).dtype)


def test_selection_and_limit(many, rows):
    copied("select=st.y,i", "limit=70000", many / "in.lance", FOLDER / "few.lance")
    expected = [{"st": row["st"] and {"y": row["st"]["y"]}, "i": row["i"]} for row in rows[:70000]]
    expect(lance_table(FOLDER / "few.lance").to_pylist() == expected, "lance")
    copied("select=s", "limit=5", many / "out.vortex", FOLDER / "few.vortex")
    assert vortex_table(FOLDER / "few.vortex").to_pylist() == [{"s": row["s"]} for row in rows[:5]]
    copied("limit=0", many / "in.lance", FOLDER / "none.lance")
    assert lance.dataset(str(FOLDER / "none.lance")).count_rows() == 0
    copied("limit=0", many / "out.vortex", FOLDER / "none.vortex")
    assert len(vortex.open(str(FOLDER / "none.vortex"))) == 0


def test_modes_and_versions(many, rows):
    few = FOLDER / "few.lance"
    copied("select=st.y,i", "limit=70000", many / "in.lance", few)
    first = lance_table(few)
    refused(many / "in.lance", few, message="already exists")
    copied("mode=append", "select=i,st.y", "limit=3", many / "in.lance", few)
    appended = lance_table(few)
    assert appended.num_rows == 70003
    assert appended.slice(70000).to_pylist() == [{"st": row["st"] and {"y": row["st"]["y"]}, "i": row["i"]} for row in rows[:3]]
    refused("mode=append", many / "in.lance", few, message="no such column")
    copied("mode=overwrite", "select=s", "limit=4", many / "in.lance", few)
    assert lance_table(few).to_pylist() == [{"s": row["s"]} for row in rows[:4]]
    assert [version["version"] for version in lance.dataset(str(few)).versions()] == [1, 2, 3]
    expect(lance_table(few, version=1) == first, "the first version has its rows")
    copied("version=1", "limit=2", few, FOLDER / "old.lance")
    assert lance_table(FOLDER / "old.lance").num_columns == 2
    refused("version=9", few, FOLDER / "no.lance", message="expected a version from 1 to 3, found 9")


def test_one_data_file(many):
    copied(next((many / "in.lance" / "data").glob("*.lance")), FOLDER / "one.lance")
    assert lance.dataset(str(FOLDER / "one.lance")).count_rows() > 0


def test_ids_of_an_evolved_dataset():
    """They are not depth-first."""
    source, target = FOLDER / "evolved.lance", FOLDER / "kept.lance"
    evolved = lance.write_dataset(pa.table({"a": [1, 2], "b": ["x", "y"]}), str(source))
    evolved.add_columns({"c": "a + 1"})
    evolved.drop_columns(["a"])
    evolved.alter_columns({"path": "c", "data_type": pa.int32()})
    assert ids(source) == [1, 3]
    copied(source, target)
    assert ids(target) == [1, 3]
    assert lance_table(target) == lance_table(source)
    assert len(lance.dataset(str(target)).versions()) == 1
    copied("mode=append", source, target)
    assert lance_table(target).to_pylist() == 2 * lance_table(source).to_pylist()
    copied("mode=overwrite", source, target)
    assert ids(target) == [1, 3] and lance_table(target) == lance_table(source)


@pytest.mark.parametrize("target", ["out.lance", "out.vortex"])
@pytest.mark.parametrize("name", ["cut.vortex", "broken.vortex", "broken.lance"])
def test_bad_input(name, target):
    good = (SAMPLES / "struct_nested.vortex").read_bytes()
    if name == "cut.vortex":
        (FOLDER / name).write_bytes(good[:-3])
    elif name == "broken.vortex":
        (FOLDER / name).write_bytes(b"VTXF" + b"\xff" * (len(good) - 300) + good[-296:])
    else:
        shutil.copytree(SAMPLES / "list_struct.lance", FOLDER / name)
        for part in (FOLDER / name / "data").glob("*.lance"):
            part.write_bytes(part.read_bytes()[:-50])
    result = copy(FOLDER / name, FOLDER / target)
    expect(result.returncode == 1 and name in result.stderr and "error" in result.stderr, result.stderr)
    assert left() == [name]


def test_a_python_without_the_package():
    bare = next((path for path in ("/usr/bin/python3", "/usr/local/bin/python3") if os.path.exists(path) and
                 subprocess.run([path, "-c", "import lance"], capture_output=True).returncode != 0), None)
    if bare is None:
        pytest.skip("no Python without pylance")
    result = copy(SAMPLES / "list_struct.lance", FOLDER / "no.lance", XWALK_PYTHON=bare)
    expect(result.returncode == 1 and "xwalk-engine-lance needs the Python package pylance" in result.stderr and
           "pip install pylance" in result.stderr, result.stderr)


def test_no_engine():
    alone = FOLDER / "copy_rows"
    shutil.copy(COPY, alone)
    result = subprocess.run([alone, SAMPLES / "list_struct.lance", FOLDER / "no.yson"], capture_output=True, text=True,
                            env={**os.environ, "PATH": "/nonexistent"})
    expect(result.returncode == 1 and "lance rows need the program xwalk-engine-lance" in result.stderr, result.stderr)
    assert left() == ["copy_rows"]


@pytest.fixture(scope="module")
def big():
    """Returns a dataset that the reader is still reading when the writer has begun."""
    path = harness.make_folder("engine-big") / "big.lance"
    part = pa.record_batch({"a": pa.array(range(100_000)), "s": pa.array([f"text {n}" for n in range(100_000)])})
    lance.write_dataset(pa.RecordBatchReader.from_batches(part.schema, (part for _ in range(120))), str(path))
    return path


def children_of(process):
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            words = entry.read_text().rsplit(")", 1)[1].split()
            command = (entry.parent / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if int(words[1]) == process.pid:
            found.append((int(entry.parent.name), command))
    return found


def engines_of(process):
    return {("writer" if b"write" in command else "reader"): pid for pid, command in children_of(process)}


@pytest.mark.parametrize("victim", ["xwalk", "xwalk gently", "writer", "reader"])
@pytest.mark.parametrize("target", ["out.lance", "out.vortex"])
def test_a_process_ends(big, target, victim):
    process = subprocess.Popen([COPY, big, FOLDER / target], stderr=subprocess.PIPE, text=True)
    expect(wait_for(lambda: any(name.startswith(f".{target}") for name in left())), "expected a temporary name")
    # The writer starts when its output has a temporary name.
    engines = wait_for(lambda: both if len(both := engines_of(process)) == 2 else None)
    expect(engines, "expected two engines")
    if victim == "xwalk":
        process.kill()
    elif victim == "xwalk gently":
        process.send_signal(signal.SIGTERM)
    else:
        os.kill(engines[victim], signal.SIGKILL)
    _, words = process.communicate(timeout=60)
    assert process.returncode != 0
    if victim in ("writer", "reader"):
        assert "error" in words and "signal 9" in words
    wait_for(lambda: not left())
    assert left() == []
    for pid in engines.values():
        wait_for(lambda pid=pid: not os.path.exists(f"/proc/{pid}"))


def test_an_append_ends(big):
    def files():
        # Folders may be gone before they are listed.
        return sorted(name for _, folders, names in os.walk(big.parent) for name in [*folders, *names])

    version, before = lance.dataset(str(big)).version, files()
    process = subprocess.Popen([COPY, "mode=append", big, big], stderr=subprocess.PIPE)
    # If it is killed before there is a writer, the next run removes the temporary name.
    expect(wait_for(lambda: "writer" in engines_of(process)), "expected a writer")
    process.kill()
    process.communicate()
    wait_for(lambda: files() == before)
    assert files() == before
    assert lance.dataset(str(big)).version == version
