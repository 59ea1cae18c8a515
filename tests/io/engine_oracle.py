"""Rows through the engine programs, compared with pylance and vortex-data themselves."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings

warnings.filterwarnings("ignore")
try:
    import lance
    import pyarrow as pa
    import vortex
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

COPY, SAMPLES = sys.argv[1], pathlib.Path(sys.argv[2])
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-engine-test-"))
failures = 0


def expect(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what)


def copy(*words, **environment):
    return subprocess.run([COPY, *map(str, words)], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


def copied(*words):
    result = copy(*words)
    expect(result.returncode == 0, words, result.stderr)
    return result.returncode == 0


def lance_table(path, **options):
    return lance.dataset(str(path), **options).scanner(blob_handling="all_binary").to_table()


def same(left, right):
    """Compares values: layouts may differ."""
    return left.equals(right) or left.to_pylist() == right.to_pylist()


def vortex_table(path):
    return vortex.open(str(path)).to_arrow().read_all()


def nothing_left(*names):
    found = sorted(entry.name for entry in FOLDER.iterdir())
    expect(found == sorted(names), "expected", sorted(names), "in the folder, found", found)


def ids(path):
    def walk(field):
        return [field.id(), *[number for child in field.children() for number in walk(child)]]

    return [number for field in lance.dataset(str(path)).lance_schema.fields() for number in walk(field)]


def clear():
    for entry in FOLDER.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


# --- every sample, to both systems and back ---------------------------------------------------
for sample in sorted(SAMPLES.glob("*.lance")):
    clear()
    try:
        living = lance_table(sample)
    except Exception as error:  # pylance writes what it does not read
        result = copy(sample, FOLDER / "a.lance")
        expect(result.returncode == 1 and "error" in result.stderr, sample.name, "cannot be read", result.stderr)
        nothing_left()
        continue
    if copied(sample, FOLDER / "a.lance"):
        expect(same(lance_table(FOLDER / "a.lance"), living), sample.name, "to lance")
        if "blob" not in sample.name and "json" not in sample.name:
            expect(ids(FOLDER / "a.lance") == ids(sample), sample.name, "ids", ids(FOLDER / "a.lance"), ids(sample))
            expect(lance.dataset(str(FOLDER / "a.lance")).schema.equals(lance.dataset(str(sample)).schema, True),
                   sample.name, "schema", lance.dataset(str(FOLDER / "a.lance")).schema)
    if copied(sample, FOLDER / "b.vortex") and copied(FOLDER / "b.vortex", FOLDER / "c.lance"):
        there = lance_table(FOLDER / "c.lance")
        if "blob" in sample.name:  # A struct in Vortex, which annotations make a blob again.
            expect(lance.dataset(str(FOLDER / "c.lance")).schema.equals(lance.dataset(str(sample)).schema),
                   sample.name, "schema over vortex", lance.dataset(str(FOLDER / "c.lance")).schema)
        expect(same(there, living), sample.name, "over vortex")
    nothing_left("a.lance", "b.vortex", "c.lance")
for sample in sorted(SAMPLES.glob("*.vortex")):
    clear()
    file = vortex.open(str(sample))
    if not str(file.dtype).startswith("{"):
        continue
    if copied(sample, FOLDER / "a.vortex"):
        expect(vortex_table(FOLDER / "a.vortex") == vortex_table(sample), sample.name, "to vortex")
        expect(str(vortex.open(str(FOLDER / "a.vortex")).dtype) == str(file.dtype), sample.name, "dtype")

# --- many rows of many types -------------------------------------------------------------------
clear()
ROWS = 150_001
FIELDS = {
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
}
TABLE = pa.table(FIELDS).replace_schema_metadata({"made": "by hand"})
lance.write_dataset(TABLE, str(FOLDER / "in.lance"), max_rows_per_file=40_000)
rows = TABLE.to_pylist()
if copied(FOLDER / "in.lance", FOLDER / "out.lance"):
    expect(same(lance_table(FOLDER / "out.lance"), TABLE), "many rows, lance to lance")
    expect(lance.dataset(str(FOLDER / "out.lance")).schema.equals(TABLE.schema, True), "many rows, schema",
           lance.dataset(str(FOLDER / "out.lance")).schema)
if copied(FOLDER / "in.lance", FOLDER / "out.vortex"):
    expect(vortex_table(FOLDER / "out.vortex").to_pylist() == rows, "many rows, lance to vortex")
if copied("batch_rows=1000", FOLDER / "out.vortex", FOLDER / "back.lance"):
    expect(same(lance_table(FOLDER / "back.lance"), TABLE), "many rows, vortex to lance")
    expect(lance.dataset(str(FOLDER / "back.lance")).schema.equals(TABLE.schema, True),
           "the slot brings the schema back", lance.dataset(str(FOLDER / "back.lance")).schema)

# --- a dictionary beside a map whose values may be null, and their members not -------------------
PAIRS = pa.map_(pa.int64(), pa.struct([pa.field("x", pa.int64(), nullable=False)]))
BESIDE = pa.struct([pa.field("d", pa.dictionary(pa.int32(), pa.string())), pa.field("m", PAIRS)])
beside = pa.table({"s": pa.array([{"d": "a", "m": [(1, None), (2, {"x": 5})]}, None, {"d": None, "m": None}], BESIDE)})
lance.write_dataset(beside, str(FOLDER / "beside.lance"), data_storage_version="2.2")
if copied(FOLDER / "beside.lance", FOLDER / "beside-out.lance"):
    expect(lance_table(FOLDER / "beside-out.lance").to_pylist() == beside.to_pylist(), "a dictionary beside a map")

# --- rows that are not plain structs, or may be null ---------------------------------------------
for name, values in (("numbers", pa.array([1, 2, 3])), ("texts", pa.array(["a", None])), ("nulls", pa.nulls(4)),
                     ("lists", pa.array([[1], [2, None], []], pa.list_(pa.int32())))):
    vortex.io.write(vortex.array(values), str(FOLDER / "root.vortex"))
    if copied(FOLDER / "root.vortex", FOLDER / "root.lance"):
        expect(lance_table(FOLDER / "root.lance").to_pylist() == [{"value": value} for value in values.to_pylist()],
               "rows that are", name)
    shutil.rmtree(FOLDER / "root.lance", ignore_errors=True)
some = pa.StructArray.from_arrays([pa.array([1, 2, 3])], names=["a"], mask=pa.array([False, True, False]))
vortex.io.write(vortex.array(some), str(FOLDER / "some.vortex"))
result = copy(FOLDER / "some.vortex", FOLDER / "some.lance")
expect(result.returncode == 1 and "found null" in result.stderr, "a row that is null", result.stderr)
if copied("limit=1", FOLDER / "some.vortex", FOLDER / "some.lance"):
    expect(lance_table(FOLDER / "some.lance").to_pylist() == [{"a": 1}], "rows that may be null, and are not")

# --- keys that are sorted say so ------------------------------------------------------------------
lance_map = pa.table({"m": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int64(), keys_sorted=True))})
vortex.io.write(vortex.array(lance_map.to_struct_array().combine_chunks()), str(FOLDER / "sorted.vortex"))
if copied(FOLDER / "sorted.vortex", FOLDER / "sorted2.vortex"):
    expect(str(vortex.open(str(FOLDER / "sorted2.vortex")).dtype) == str(vortex.open(str(FOLDER / "sorted.vortex")).dtype),
           "sorted keys", vortex.open(str(FOLDER / "sorted2.vortex")).dtype)

# --- selection, limits, versions, modes --------------------------------------------------------
if copied("select=st.y,i", "limit=70000", FOLDER / "in.lance", FOLDER / "few.lance"):
    expect(lance_table(FOLDER / "few.lance").to_pylist() ==
           [{"st": row["st"] and {"y": row["st"]["y"]}, "i": row["i"]} for row in rows[:70000]], "selection")
if copied("select=s", "limit=5", FOLDER / "out.vortex", FOLDER / "few.vortex"):
    expect(vortex_table(FOLDER / "few.vortex").to_pylist() == [{"s": row["s"]} for row in rows[:5]], "vortex selection")
if copied("limit=0", FOLDER / "in.lance", FOLDER / "none.lance"):
    expect(lance.dataset(str(FOLDER / "none.lance")).count_rows() == 0, "no rows")
if copied("limit=0", FOLDER / "out.vortex", FOLDER / "none.vortex"):
    expect(len(vortex.open(str(FOLDER / "none.vortex"))) == 0, "no rows in vortex")
result = copy(FOLDER / "in.lance", FOLDER / "few.lance")
expect(result.returncode == 1 and "already exists" in result.stderr, "create over a dataset", result.stderr)
few = lance_table(FOLDER / "few.lance")
copied("mode=append", "select=i,st.y", "limit=3", FOLDER / "in.lance", FOLDER / "few.lance")
now = lance_table(FOLDER / "few.lance")
expect(now.num_rows == 70003 and now.slice(70000).to_pylist() ==
       [{"st": row["st"] and {"y": row["st"]["y"]}, "i": row["i"]} for row in rows[:3]], "append")
result = copy("mode=append", FOLDER / "in.lance", FOLDER / "few.lance")
expect(result.returncode == 1 and "no such column" in result.stderr, "append of other columns", result.stderr)
copied("mode=overwrite", "select=s", "limit=4", FOLDER / "in.lance", FOLDER / "few.lance")
expect(lance_table(FOLDER / "few.lance").to_pylist() == [{"s": row["s"]} for row in rows[:4]], "overwrite")
versions = [version["version"] for version in lance.dataset(str(FOLDER / "few.lance")).versions()]
expect(versions == [1, 2, 3], "versions", versions)
expect(lance_table(FOLDER / "few.lance", version=1) == few, "the first version stays")
if copied("version=1", "limit=2", FOLDER / "few.lance", FOLDER / "old.lance"):
    expect(lance_table(FOLDER / "old.lance").num_columns == 2, "reading a version")
result = copy("version=9", FOLDER / "few.lance", FOLDER / "no.lance")
expect(result.returncode == 1 and "expected a version from 1 to 3, found 9" in result.stderr, result.stderr)
data_file = next((FOLDER / "in.lance" / "data").glob("*.lance"))
if copied(data_file, FOLDER / "one.lance"):
    expect(lance.dataset(str(FOLDER / "one.lance")).count_rows() > 0, "one data file")

# --- ids that are not depth-first, into a dataset that evolved ----------------------------------
evolved = lance.write_dataset(pa.table({"a": [1, 2], "b": ["x", "y"]}), str(FOLDER / "evolved.lance"))
evolved.add_columns({"c": "a + 1"})
evolved.drop_columns(["a"])
evolved.alter_columns({"path": "c", "data_type": pa.int32()})
expect(ids(FOLDER / "evolved.lance") == [1, 3], ids(FOLDER / "evolved.lance"))
if copied(FOLDER / "evolved.lance", FOLDER / "kept.lance"):
    expect(ids(FOLDER / "kept.lance") == [1, 3], "ids kept", ids(FOLDER / "kept.lance"))
    expect(lance_table(FOLDER / "kept.lance") == lance_table(FOLDER / "evolved.lance"), "values with ids kept")
    expect(len(lance.dataset(str(FOLDER / "kept.lance")).versions()) == 1, "one version")
    copied("mode=append", FOLDER / "evolved.lance", FOLDER / "kept.lance")
    expect(lance_table(FOLDER / "kept.lance").to_pylist() ==
           2 * lance_table(FOLDER / "evolved.lance").to_pylist(), "append by ids")
    copied("mode=overwrite", FOLDER / "evolved.lance", FOLDER / "kept.lance")
    expect(ids(FOLDER / "kept.lance") == [1, 3] and lance_table(FOLDER / "kept.lance") ==
           lance_table(FOLDER / "evolved.lance"), "overwrite by ids")

# --- bad input, missing things ------------------------------------------------------------------
clear()
good = (SAMPLES / "struct_nested.vortex").read_bytes()
(FOLDER / "cut.vortex").write_bytes(good[:-3])
(FOLDER / "broken.vortex").write_bytes(b"VTXF" + b"\xff" * (len(good) - 300) + good[-296:])
shutil.copytree(SAMPLES / "list_struct.lance", FOLDER / "broken.lance")
for part in (FOLDER / "broken.lance" / "data").glob("*.lance"):
    part.write_bytes(part.read_bytes()[:-50])
before = sorted(entry.name for entry in FOLDER.iterdir())
for name in before:
    for to in ("out.lance", "out.vortex"):
        result = copy(FOLDER / name, FOLDER / to)
        expect(result.returncode == 1 and name in result.stderr and "error" in result.stderr, name, result.stderr)
nothing_left(*before)
sample = SAMPLES / "list_struct.lance"
bare = next((path for path in ("/usr/bin/python3", "/usr/local/bin/python3") if os.path.exists(path) and
             subprocess.run([path, "-c", "import lance"], capture_output=True).returncode != 0), None)
if bare:
    result = copy(sample, FOLDER / "no.lance", XWALK_PYTHON=bare)
    expect(result.returncode == 1 and "xwalk-engine-lance needs the Python package pylance" in result.stderr and
           "pip install pylance" in result.stderr, result.stderr)
clear()
alone = FOLDER / "copy_rows"
shutil.copy(COPY, alone)
result = subprocess.run([alone, sample, FOLDER / "no.vortex"], capture_output=True, text=True,
                        env={**os.environ, "PATH": "/nonexistent"})
expect(result.returncode == 1 and "lance rows need the program xwalk-engine-lance" in result.stderr, result.stderr)
nothing_left("copy_rows")

# --- ended in the middle ------------------------------------------------------------------------
clear()
# Large enough that the reader is still at it when the writer has begun.
part = pa.record_batch({"a": pa.array(range(100_000)), "s": pa.array([f"text {n}" for n in range(100_000)])})
lance.write_dataset(pa.RecordBatchReader.from_batches(part.schema, (part for _ in range(120))),
                    str(FOLDER / "big.lance"))


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


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if (value := condition()):
            return value
        time.sleep(0.02)
    return None


for target in ("out.lance", "out.vortex"):
    for victim in ("xwalk", "xwalk gently", "writer", "reader"):
        process = subprocess.Popen([COPY, FOLDER / "big.lance", FOLDER / target], stderr=subprocess.PIPE, text=True)
        staged = wait_for(lambda: any(e.name.startswith(f".{target}") for e in FOLDER.iterdir()))
        expect(staged, target, victim, "expected a temporary name")
        # The writer starts when its output has a temporary name.
        engines = wait_for(lambda: both if len(both := engines_of(process)) == 2 else None) or {}
        expect(engines, target, victim, "expected two engines")
        if victim == "xwalk":
            process.kill()
        elif victim == "xwalk gently":
            process.send_signal(signal.SIGTERM)
        elif victim in engines:
            os.kill(engines[victim], signal.SIGKILL)
        _, words = process.communicate(timeout=60)
        expect(process.returncode != 0, target, victim, "expected failure")
        if victim in ("writer", "reader"):
            expect("error" in words and "signal 9" in words, target, victim, words)
        wait_for(lambda: len(list(FOLDER.iterdir())) == 1)
        nothing_left("big.lance")
        for pid in engines.values():
            wait_for(lambda: not os.path.exists(f"/proc/{pid}"))
before = lance.dataset(str(FOLDER / "big.lance"))
files = sorted(path.name for path in (FOLDER / "big.lance").rglob("*"))
process = subprocess.Popen([COPY, "mode=append", FOLDER / "big.lance", FOLDER / "big.lance"], stderr=subprocess.PIPE)
# Killed before there is a writer, it leaves the temporary name to the next run.
expect(wait_for(lambda: "writer" in engines_of(process)), "append was ended: expected a writer")
process.kill()
process.communicate()
wait_for(lambda: len(list(FOLDER.iterdir())) == 1)
nothing_left("big.lance")
expect(sorted(path.name for path in (FOLDER / "big.lance").rglob("*")) == files, "append was ended: files changed")
expect(lance.dataset(str(FOLDER / "big.lance")).version == before.version, "append was ended: version changed")

shutil.rmtree(FOLDER)
sys.exit(1 if failures else 0)
