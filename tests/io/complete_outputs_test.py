"""A file under its final name is complete, regardless of failures."""
import fcntl
import gzip
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import time

import pytest
from terminal import on_terminal

from tests import harness
from tests.harness import PROGRAM, expect, wait_for
from tests.measure import measure

# Memory peaks are meaningless if a sanitizer uses memory of its own.
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ
FOLDER = harness.make_folder("complete")
INT = "[{name=a;type_v3=int64}]"
DOUBLE = "[{name=a;type_v3=double}]"


def run(*words, **options):
    return harness.run(*words, code=None, cwd=FOLDER, text=False, timeout=60, **options)


def start(*words, **options):
    return subprocess.Popen([PROGRAM, *words], cwd=FOLDER, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def blocked(name, *words):
    """Returns a conversion that has begun its output and waits for more rows."""
    before = set(staged())
    process = start("convert", "-", name, "--from", "yt", "--schema", INT, *words)
    process.stdin.write(b"{a=1};" * 20_000)
    process.stdin.flush()
    expect(wait_for(lambda: set(staged()) - before), "expected a temporary name")
    return process


@pytest.fixture(autouse=True)
def empty_folder():
    for path in FOLDER.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.fixture
def tables():
    """Writes a table of integers and one of doubles."""
    rows("ints.yson", INT, "".join(f"{{a={n}}};" for n in range(2000)))
    rows("doubles.yson", DOUBLE, "".join(f"{{a={n}.5}};" for n in range(40000)))


def names():
    return sorted(path.name for path in FOLDER.iterdir())


def rows(name, schema, text):
    harness.write(FOLDER / name, text, schema)


def staged():
    return [name for name in names() if ".xwalk-" in name]


@pytest.mark.parametrize("ending", ["skiff", "yson", "yson.gz", "skiff.zst"])
def test_rows_and_their_schema_are_one_set(tables, ending):
    name = "t" + ending.replace(".", "")
    out, side = FOLDER / f"{name}.{ending}", FOLDER / f"{name}.{ending.split('.')[0]}.schema"
    run("convert", "ints.yson", out.name)
    before = out.read_bytes(), side.read_bytes()
    # A disk that is full after the schema, and rejects that cannot be kept.
    full = run("convert", "doubles.yson", out.name, "--mode", "overwrite",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
    expect(full.returncode == 74 and b"error" in full.stderr, ending, full)
    lost = run("convert", "doubles.yson", out.name, "--mode", "overwrite", "--on-error", "skip", "--rejects", "/dev/full")
    expect((out.read_bytes(), side.read_bytes()) == before or lost.returncode == 0, ending, "rejects", lost)
    expect((out.read_bytes(), side.read_bytes()) == before or lost.returncode == 0, ending, "was changed")
    # The schema alone, as a kill between two renames leaves it.
    run("convert", "doubles.yson", out.name, "--mode", "overwrite")
    after = out.read_bytes(), side.read_bytes()
    out.write_bytes(before[0])
    for verb in ("head", "validate", "schema"):
        result = run(verb, out.name)
        expect(result.returncode == 3 and b"the schema of other rows" in result.stderr, ending, verb, result)
    expect(run("head", out.name, "--schema", side.name).returncode in (0, 3), ending, "a given schema")
    # Copies, and rows that are added, are read; a schema by hand has no mark.
    out.write_bytes(after[0])
    os.utime(out, (1, 1))
    expect(run("validate", out.name).returncode == 0, ending, "as written", run("validate", out.name))
    added = run("convert", "doubles.yson", out.name, "--mode", "append")
    expect(added.returncode == 0 and run("validate", out.name).returncode == 0, ending, added, run("validate", out.name))
    side.write_text(DOUBLE)
    expect(run("validate", out.name).returncode == 0, ending, "by hand")


def test_rows_and_the_same_rows_compressed_share_a_schema(tables):
    run("convert", "doubles.yson", "u.yson")
    expect(run("convert", "u.yson", "u.yson.gz", "--yson-format", "binary").returncode == 0, "beside its own")
    for name in ("u.yson", "u.yson.gz"):
        expect(run("validate", name).returncode == 0, name, run("validate", name))
    # If it is replaced by one of the two, the other is not read with it.
    run("convert", "ints.yson", "u.yson.gz", "--mode", "overwrite")
    result = run("validate", "u.yson")
    expect(result.returncode == 3 and b"the schema of other rows" in result.stderr, "the schema of both", result)
    expect(run("validate", "u.yson.gz").returncode == 0, "the schema of both", run("validate", "u.yson.gz"))


@pytest.mark.parametrize("ending, mode, had_schema", [("skiff", "overwrite", False), ("yson", "overwrite", True), ("skiff", "create", False)])
def test_another_run_replaces_the_output(tables, ending, mode, had_schema):
    """The last run wins with rows and schema. A run that may not replace anything fails."""
    out, side = FOLDER / f"v.{ending}", FOLDER / f"v.{ending}.schema"
    if had_schema:
        side.write_text(INT)
    late = blocked(out.name, "--mode", mode)
    other = run("convert", "doubles.yson", out.name, "--mode", "overwrite")
    after = out.read_bytes(), side.read_bytes()
    words = late.communicate()[1]
    expect(other.returncode == 0 and run("validate", out.name).returncode == 0, ending, mode, "overtaken", other, run("validate", out.name))
    expect(late.returncode == (74 if mode == "create" else 0), ending, mode, "overtaken", late.returncode, words)
    expect(((out.read_bytes(), side.read_bytes()) == after) == (mode == "create"), ending, mode, "overtaken: of which run", words)
    expect((b"int64" in side.read_bytes()) == (mode == "overwrite"), ending, mode, side.read_bytes())


# An engine that moves data into a dataset as Lance's does, and makes no version of it.
MOVING = """#!/usr/bin/python3
import json, os, sys, time
options = json.loads(sys.argv[2])
os.write(3, b'{"hello":{"contract":1}}\\n')
os.makedirs(options["staging"])
with open(os.path.join(options["staging"], "moved"), "w") as moved:
    moved.write("\\n".join([options["mark"], *LINES]))
os.makedirs(os.path.join(options["path"], "data", "y101"))
for name in MADE:
    with open(os.path.join(options["path"], name), "w") as file:
        file.write("moved.lance")
open("ready", "w").close()
time.sleep(60)
"""
BEFORE = ("data/before.lance", "data/sub/before.blob", "_transactions/1-others.txn")
MADE = ("data/moved.lance", "data/y101/1.blob", "data/others.lance", "data/cut.lance", "_transactions/1-abcdef.txn",
        "_versions/18446744073709551613.manifest#1")


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.fixture
def killed(tables, engine):
    """A dataset, and what is left in it and next to it after a run and its engine were killed between the move of data and the version."""
    lance, pyarrow = pytest.importorskip("lance"), pytest.importorskip("pyarrow")
    dataset = FOLDER / "l.lance"
    lance.write_dataset(pyarrow.table({"a": pyarrow.array([1], pyarrow.int64())}), str(dataset))
    named, = os.listdir(dataset / "data")
    for name in BEFORE:
        harness.write(dataset / name, "moved.lance")
    lines = ("moved.lance", "y101", named, "before.lance", "sub", "abcdef", ".", "..", "../../ints.yson", "cut.lance")
    words = engine(MOVING.replace("LINES", repr(lines)).replace("MADE", repr(MADE)), "lance", "ints.yson", "l.lance", "--mode", "append")
    process = subprocess.Popen(words, cwd=FOLDER, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    expect(wait_for((FOLDER / "ready").exists), "the engine did not begin")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    (FOLDER / "ready").unlink()
    expect(len(staged()) == 1, names())
    return dataset


def clear():
    expect(run("convert", "ints.yson", "probe.skiff", "--mode", "overwrite").returncode == 0, "beside leftovers")


def test_leftovers_of_a_killed_engine(killed):
    """The files that it moved into a Lance dataset are removed with the folder that they came from, unless a version names them, they
    were there before, or the engine still runs."""
    before = files_of(killed)
    with open(FOLDER / staged()[0] / "l.lance" / "moved") as moved:
        fcntl.flock(moved, fcntl.LOCK_EX)
        clear()
        expect(files_of(killed) == before and staged(), "an engine is at work", names())
    clear()
    expect(before - files_of(killed) == {"data/moved.lance", "data/y101/1.blob", "_transactions/1-abcdef.txn",
                                         "_versions/18446744073709551613.manifest#1"}, before - files_of(killed))
    expect(not staged() and not (killed / "data" / "y101").exists(), names())


def moved_elsewhere(dataset):
    (FOLDER / "clone").mkdir()
    for name in (dataset.name, *staged()):
        os.rename(FOLDER / name, FOLDER / "clone" / name)
    return FOLDER / "clone" / dataset.name


def copied(dataset):
    left, = staged()
    os.rename(FOLDER / left, FOLDER / "aside")
    shutil.copytree(FOLDER / "aside", FOLDER / left)
    return dataset


def linked(dataset):
    os.rename(dataset, FOLDER / "other.lance")
    os.symlink("other.lance", dataset)
    return FOLDER / "other.lance"


def linked_data(dataset):
    os.rename(dataset / "data", FOLDER / "other")
    os.symlink("../other", dataset / "data")
    return FOLDER / "other"


def listed_by_others(dataset):
    (FOLDER / staged()[0] / "l.lance" / "moved").write_text("0123456789abcdef\nmoved.lance\ny101\n")
    return dataset


def without_versions(dataset):
    for path in (dataset / "_versions").glob("*.manifest"):
        path.unlink()
    return dataset


@pytest.mark.parametrize("change", [moved_elsewhere, copied, linked, linked_data, listed_by_others, without_versions])
def test_leftovers_that_came_from_elsewhere(killed, change):
    """Only a list in the folder of its run is believed, and only for a dataset without links."""
    kept = change(killed)
    before = files_of(kept)
    place = kept.parent / "probe.skiff" if change is moved_elsewhere else "probe.skiff"
    expect(run("convert", "ints.yson", place).returncode == 0, "beside leftovers")
    expect(before <= files_of(kept), change.__name__, before - files_of(kept))


@pytest.mark.parametrize("output", ["x.skiff", "x.vortex"])
def test_a_folder_gets_the_name_of_a_run(output):
    """Another user may write to the folder, sees the temporary name of a run, and later renames a folder of this user to it."""
    if output == "x.vortex":
        pytest.importorskip("vortex")
    run("convert", "-", "own.skiff", "--from", "yt", "--schema", INT, input=b"")
    process = blocked(output)
    seen = staged()
    said = process.communicate()[1]
    expect(process.returncode == 0 and seen and not staged(), said, names())
    for name in seen:
        harness.write(FOLDER / "results/deep/keep.txt", "mine")
        os.rename(FOLDER / "results", FOLDER / name)
        result = run("convert", "-", "probe.skiff", "--from", "yt", "--schema", INT, "--mode", "overwrite", input=b"")
        expect(result.returncode == 0 and (FOLDER / name / "deep/keep.txt").exists(), name, result, names())


def test_several_writers_of_one_name(tables):
    run("convert", "ints.yson", "w.skiff")
    for _ in range(3):
        writers = [start("convert", f"{kind}.yson", "w.skiff", "--mode", "overwrite", "-q") for kind in ("ints", "doubles") * 4]
        words = [writer.communicate()[1] for writer in writers]
        expect([writer.returncode for writer in writers] == [0] * 8, "writers of one name", words)
        expect(run("validate", "w.skiff").returncode == 0, run("validate", "w.skiff"))


def test_tables_and_rejected_rows_are_one_set(tables):
    rows("tables.yson", INT, "<table_index=0>#;{a=1};<table_index=1>#;{a=2};{a=x};")
    result = run("convert", "tables.yson", "one-{table}.skiff")
    expect(result.returncode == 3 and not [name for name in names() if name.startswith("one-")], "tables", result, names())
    result = run("convert", "tables.yson", "one-{table}.skiff", "--on-error", "skip", "--rejects", "bad.yson")
    expect(result.returncode == 0 and (FOLDER / "one-1.skiff").exists() and b"row" in (FOLDER / "bad.yson").read_bytes(), "tables", result)
    rows("bad-doubles.yson", DOUBLE, "{a=x};" + (FOLDER / "doubles.yson").read_text())
    result = run("convert", "bad-doubles.yson", "full.skiff", "--on-error", "skip", "--rejects", "full-bad.yson",
                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
    expect(result.returncode == 74 and not [name for name in names() if name.startswith("full")], "rejects of a full disk", result, names())


@pytest.mark.parametrize("target", ["m.yson", "m.parquet", "m.vortex"])
def test_the_permissions_of_a_file_are_kept(tables, target):
    (FOLDER / target).touch(0o600)
    (FOLDER / target).chmod(0o600)
    result = run("convert", "ints.yson", target, "--mode", "overwrite", "-q", "--durable")
    if result.returncode == 0:
        expect(stat.S_IMODE((FOLDER / target).stat().st_mode) == 0o600, target, "is open to others")
    else:
        expect(b"needs the Python package" in result.stderr or b"rows need the program" in result.stderr or
               b"need the plugin" in result.stderr, target, result)


def test_long_names(tables):
    long = "n" * 243 + ".yson"
    expect(run("convert", "ints.yson", long, "--no-side-schema").returncode in (0, 2), "a long name")
    expect(run("convert", "ints.yson", "n" * 238 + ".skiff").returncode == 0, "a long name with a schema")


def test_a_pipe_for_a_schema(tables):
    os.mkfifo(FOLDER / "t.skiff.schema")
    expect(run("convert", "ints.yson", "t.skiff").returncode == 74, "written")
    (FOLDER / "t.skiff").write_bytes(b"")
    expect(run("head", "t.skiff").returncode == 74, "read")


def test_leftovers():
    for _ in range(2):
        process = blocked("t.yson")
        wait_for(lambda: len(staged()) == 1)
        process.kill()
        process.communicate()
    expect(len(staged()) == 1, "more than the last leftover", names())
    leftover = staged()
    process = start("convert", "-", "other.yson", "--from", "yt", "--schema", INT)
    process.stdin.write(b"{a=1};" * 20_000)
    process.stdin.flush()
    expect(wait_for(lambda: staged() and staged() != leftover), "the leftover is not cleared", names())
    expect(run("convert", "-", "t.yson", "--from", "yt", "--schema", INT, input=b"{a=1};").returncode == 0, "beside a live one")
    process.communicate(b"{a=1};")
    expect(process.returncode == 0 and not staged(), "a live one was cleared away", names())


def end(process):
    """Waits until a process ends. Its input stays open."""
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signal(number, code, times):
    process = blocked("t.yson")
    for _ in range(times):
        process.send_signal(number)
    end(process)
    expect(process.returncode == code and not names(), process.returncode, names())
    process.communicate()


@pytest.fixture
def engine():
    """Returns a function that returns a conversion to Vortex with a script as its engine."""
    folder = harness.make_folder("alone")
    shutil.copy(PROGRAM, folder / "xwalk")

    def conversion(script, name="vortex", *words):
        place = folder / f"xwalk-engine-{name}"
        place.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)
        rows("t.yson", INT, "{a=1};")
        return [folder / "xwalk", "convert", *(words or ("t.yson", "t.vortex"))]

    return conversion


def orphans():
    return subprocess.run(["pgrep", "-f", "^sleep 611$"], capture_output=True).stdout


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_engine_that_ignores_signals(engine, number, code):
    """It is ended, with the processes that it started."""
    process = subprocess.Popen(engine("trap '' TERM INT\nsleep 611 &\nsleep 611"), cwd=FOLDER, stderr=subprocess.PIPE, start_new_session=True)
    wait_for(staged)
    os.killpg(process.pid, number)
    end(process)
    expect(process.returncode == code and not staged(), process.returncode, names())
    expect(not orphans(), "orphans", orphans())
    process.communicate()


# An engine that ends and leaves a process with all descriptors, and one that writes more than a pipe can buffer.
@pytest.mark.parametrize("script", ["trap '' TERM; sleep 611 & exit 1", "sleep 611 & exit 0", "head -c 9000000 /dev/zero >&3",
                                    "head -c 9000000 /dev/zero", "cat > /dev/null; echo '{\"done\":{\"rows\":1}}' >&3"])
def test_an_engine_that_fails(engine, script):
    process = subprocess.Popen(engine(script), cwd=FOLDER, stderr=subprocess.PIPE)
    try:
        errors = process.communicate(timeout=20)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        errors = "did not end"
    expect(process.returncode == 74 and names() == ["t.yson", "t.yson.schema"], process.returncode, errors, names())
    expect(not orphans(), "orphans", orphans())


def test_a_line_of_status_that_never_ends(engine):
    code, peak, _ = measure(engine("head -c 400000000 /dev/zero >&3"), cwd=FOLDER)
    expect(code == 74 and (not PEAKS or peak < 195), code, peak)


def change_while_read(name, change):
    """Changes a file while it is read, which the conversion reports."""
    os.mkfifo(FOLDER / "reader")
    process = start("convert", name, "reader", "--to", "yt", "--mode", "overwrite")
    with open(FOLDER / "reader", "rb", buffering=0) as pipe:
        pipe.read(1)
        change(FOLDER / name)
        while pipe.read(1 << 20):
            pass
    _, errors = process.communicate(timeout=60)
    expect(process.returncode == 74 and b"changed while it was read" in errors and name.encode() in errors, process.returncode, errors)


@pytest.fixture
def big():
    rows("big.yson", INT, "{a=1234567};\n" * 3_000_000)
    (FOLDER / "big.skiff.schema").write_text(INT)
    (FOLDER / "big.skiff").write_bytes((b"\0\0" + struct.pack("<q", 7)) * 3_000_000)


@pytest.mark.parametrize("left", [0, 100_001, -20])
@pytest.mark.parametrize("name", ["big.yson", "big.skiff"])
def test_an_input_that_shrinks(big, name, left):
    change_while_read(name, lambda path: os.truncate(path, left if left >= 0 else path.stat().st_size + left))


@pytest.mark.parametrize("name", ["big.yson", "big.skiff"])
def test_an_input_with_other_bytes(big, name):
    """It keeps its size."""
    def rewrite(path):
        with open(path, "r+b") as file:
            file.seek(-13, os.SEEK_END)
            last = file.read()
            file.seek(-13, os.SEEK_END)
            file.write(last)

    change_while_read(name, rewrite)


def test_rows_that_become_zeros():
    """They end no process."""
    (FOLDER / "lists.yson").write_text("".join(f"{{a=[{n};2]}};" for n in range(60_000)))
    run("convert", "lists.yson", "lists.skiff", "--schema", "[{name=a;type_v3={type_name=list;item=int64}}]")
    whole = (FOLDER / "lists.skiff").read_bytes()
    for turn in range(40):
        (FOLDER / "lists.skiff").write_bytes(whole)
        process = start("convert", "lists.skiff", "of-lists.yson", "--mode", "overwrite")
        time.sleep(turn * 0.002)
        os.truncate(FOLDER / "lists.skiff", 1)
        _, words = process.communicate(timeout=60)
        expect(process.returncode in (0, 3, 74), process.returncode, words)


@pytest.mark.skipif(not harness.WITH_PLUGIN, reason="the plugin is not built")
@pytest.mark.parametrize("words", [("schema", "-"), ("head", "-"), ("validate", "-", "--from", "parquet")], ids=" ".join)
def test_no_folder_for_temporary_files(words):
    rows("t.yson", INT, "{a=1};")
    run("convert", "t.yson", "t.parquet")
    result = run(*words, input=(FOLDER / "t.parquet").read_bytes(), env={**os.environ, "TMPDIR": "/nowhere"})
    expect(result.returncode == 74 and b"TMPDIR" in result.stderr, result)


@pytest.fixture(scope="module")
def program_for_all():
    """Returns a program that every user may run, in any folder."""
    folder = harness.make_folder("nobody")
    folder.chmod(0o755)
    shutil.copy(PROGRAM, folder / "xwalk")
    return folder / "xwalk"


def as_nobody():
    os.setgid(65534)
    os.setuid(65534)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
@pytest.mark.parametrize("words", [
    ("head", "closed"), ("schema", "closed"), ("head", "closed/t.yson"), ("schema", "closed/t.parquet"), ("validate", "closed"),
    ("convert", "t.yson", "closed/out.yson"), ("convert", "t.yson", "out.yson"),
    ("convert", "t.yson", "closed", "--to", "parquet", "--mode", "append"), ("head", "shut.yson"),
    ("check", "closed/t.yson", "--to", "lance"), ("diff", "closed/a.schema", "t.yson")], ids=" ".join)
def test_permissions_that_are_missing(program_for_all, words):
    rows("t.yson", INT, "{a=1};")
    (FOLDER / "closed").mkdir(0)
    (FOLDER / "shut.yson").touch(0)
    FOLDER.chmod(0o755)
    result = run(*words, program=program_for_all, preexec_fn=as_nobody)
    assert result.returncode == 74, result


@pytest.mark.parametrize("engine", ["vortex", "lance"])
def test_an_engine_on_a_full_disk(engine):
    rows("big.yson", INT, "".join(f"{{a={n * n}}};" for n in range(50_000)))
    result = run("convert", "big.yson", f"full.{engine}", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    expect(result.returncode == 74 and not [name for name in names() if "full" in name], result, names())


HOSTILE = "\x1b]0;x\x07\x1b[31m\u202e\u009b31m"
NAME = f"n{HOSTILE}.yson"


def forbidden(text):
    text = text.decode(errors="surrogateescape")
    return [char for char in text if (ord(char) < 32 and char not in "\r\n\t") or 0x7f <= ord(char) < 0xa0
            or 0x202a <= ord(char) <= 0x202e]


@pytest.mark.parametrize("words", [
    ("head", NAME), ("head", NAME, "--as", "json"), ("head", NAME, "--json"), ("head", NAME, "--as", "yson"),
    ("schema", NAME), ("schema", NAME, "--to", "parquet"), ("schema", NAME, "--to", "lance"),
    ("schema", NAME, "--to", "vortex"), ("schema", NAME, "--to", "arrow", "--form", "text"),
    ("schema", NAME, "--json"), ("validate", NAME), ("validate", NAME, "--json"), ("check", NAME, "--to", "parquet"),
    ("check", NAME, "--to", "parquet", "--json"), ("head", "absent" + NAME), ("head", "absent" + NAME, "--json"),
    ("convert", NAME, f"o{HOSTILE}.skiff"),
    ("convert", NAME, f"p{HOSTILE}.yson", "--json"), ("diff", NAME, "t.yson"), (f"verb{HOSTILE}",),
    ("head", f"--{HOSTILE}"), ("head", NAME, "--select", f"d{HOSTILE}"), ("type", f"List<{HOSTILE}>")], ids=repr)
def test_names_are_shown_and_not_obeyed(words):
    rows(NAME, '[{name="c%s";type_v3=string}]' % HOSTILE, '{"c%s"="v%s"};' % (HOSTILE, HOSTILE))
    rows("t.yson", INT, "{a=1};")
    # The second time, the output exists.
    for _ in range(2):
        shown = on_terminal([PROGRAM, *words], FOLDER)
        expect(shown and not forbidden(shown), shown)


def test_many_columns():
    """They need no more memory than their bytes."""
    columns = 3000
    rows("wide.yson", "[" + "".join(f"{{name=c{n};type=int64}};" for n in range(columns)) + "]",
         ("{" + "".join(f"c{n}={n};" for n in range(columns)) + "};\n") * 100)
    code, peak, _ = measure([PROGRAM, "convert", "wide.yson", "wide.skiff", "-q"], cwd=FOLDER)
    expect(code == 0 and (not PEAKS or peak < 293), code, peak)


def test_a_bomb():
    (FOLDER / "bomb.gz").write_bytes(gzip.compress(b"\0" * (300 << 20), 1))
    assert run("schema", "bomb.gz").returncode == 3
