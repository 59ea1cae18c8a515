"""A file of Lance or Vortex that is exchanged for a link after it was checked, and before the package reads it, is not read."""
import glob
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

from tests import harness
from tests.harness import BUILD, PROGRAM, expect, try_run

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import vortex
    from lance.blob import blob_array, blob_field
    from lance.file import LanceFileWriter

FOLDER = harness.make_folder("swapped-files")
there = harness.work_in(FOLDER)
OTHER = FOLDER / "other"

# An engine that exchanges a file at some moment, and is the engine of the build besides.
ENGINE = """#!{python}
import os, runpy, sys
def swap():
    os.rename({victim!r}, {victim!r} + ".gone")
    os.symlink({other!r}, {victim!r})
def before(owner, name):
    call = getattr(owner, name)
    def changed(*words, **options):
        setattr(owner, name, call)
        swap()
        return call(*words, **options)
    setattr(owner, name, changed)
if {moment!r} == "at the start":
    swap()
elif {moment!r} == "opened":
    import lance
    before(lance.LanceDataset, "get_fragments")
elif {moment!r} == "scanned":
    from lance.dataset import LanceScanner
    before(LanceScanner, "to_reader")
elif {moment!r} == "file":
    import lance.file
    before(lance.file.LanceFileReader, "__init__")
elif {moment!r} == "vortex":
    import vortex
    before(vortex, "open")
sys.argv[0] = {engine!r}
runpy.run_path({engine!r}, run_name="__main__")
"""


def run_with_swap(name, victim, other, moment, *words):
    """Runs a conversion to JSON, and exchanges a file for a link to another one when the engine is at some moment."""
    place = FOLDER / "bin"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copy(PROGRAM, place / "xwalk")
    kind = "vortex" if name.endswith(".vortex") else "lance"
    script = place / f"xwalk-engine-{kind}"
    script.write_text(ENGINE.format(python=sys.executable, victim=str(victim), other=str(other), moment=moment,
                                    engine=str(BUILD / f"xwalk-engine-{kind}")))
    script.chmod(0o755)
    return try_run("convert", name, "-", "--to", "json", "-q", *words, program=place / "xwalk")


def make_dataset(path, first):
    """Writes a dataset with deleted rows and blobs, whose numbers begin at `first`."""
    shutil.rmtree(path, ignore_errors=True)
    blobs = [f"{first:04}".encode() * 30_000] * 2 + [b""] * 28
    table = pa.Table.from_arrays([pa.array(range(first, first + 30)), blob_array(blobs)],
                                 schema=pa.schema([pa.field("id", pa.int64()), blob_field("b")]))
    made = lance.write_dataset(table, path, data_storage_version="2.2")
    made.delete(f"id = {first + 7 + first % 13}")
    return path


def names(path):
    """Returns the newest file of each kind of a dataset, whose versions count down."""
    return {what: min(path.glob(what)) for what in ("data", "data/*.lance", "data/*/", "data/*/*.blob", "_deletions", "_deletions/*",
                                                           "_versions", "_versions/*.manifest")}


def twin(path, what):
    """Makes a copy of a file or a folder of a dataset that has the contents of those of another dataset."""
    shutil.rmtree(OTHER, ignore_errors=True)
    own, foreign = names(path), names(make_dataset(FOLDER / "foreign.lance", 1000))
    shutil.copytree(path, OTHER)
    for kind in ("data/*.lance", "data/*/*.blob", "_deletions/*"):
        shutil.copy(foreign[kind], OTHER / own[kind].relative_to(path))
    return OTHER / own[what].relative_to(path)


SWAPS = [*((what, moment) for what in ("data", "data/*.lance", "data/*/", "data/*/*.blob", "_deletions", "_deletions/*")
           for moment in ("at the start", "opened", "scanned")),
         ("_versions", "at the start"), ("_versions/*.manifest", "at the start")]
BASES = [(what, moment) for what in ("more", "more/inner", "more/inner/*.lance", "data", "data/*.lance", "tree", "tree/dev", "tree/dev/data")
         for moment in ("at the start", "opened", "scanned")]
if not harness.ALL:  # Each takes seconds: a file and a folder of each kind at each moment.
    SWAPS = [("data", "at the start"), ("data", "opened"), ("data/*.lance", "scanned"), ("data/*/", "opened"), ("data/*/*.blob", "scanned"),
             ("_deletions", "scanned"), ("_deletions/*", "opened"), ("_versions/*.manifest", "at the start")]
    BASES = [("more", "at the start"), ("more/inner", "scanned"), ("more/inner/*.lance", "opened"), ("tree/dev/data", "opened")]


@pytest.mark.parametrize(("what", "moment"), SWAPS, ids=lambda word: word.replace(" ", "-"))
def test_dataset(there, what, moment):
    make_dataset(FOLDER / "t.lance", 0)
    sound = try_run("convert", "t.lance", "-", "--to", "json", "-q")
    expect(sound.returncode == 0 and len(sound.stdout.splitlines()) == 29, sound)
    done = run_with_swap("t.lance", names(FOLDER / "t.lance")[what], twin(FOLDER / "t.lance", what), moment)
    if moment == "scanned":
        expect(done.returncode == 0 and done.stdout == sound.stdout, what, moment, done)
    else:
        expect(done.returncode == 4 and "found the link" in done.stderr and done.stdout == "", what, moment, done)


def make_based(path):
    """Writes a dataset whose rows are partly in a base path within it, and a branch of it."""
    shutil.rmtree(path, ignore_errors=True)
    (path / "more" / "inner").mkdir(parents=True)
    bases = [lance.DatasetBasePath(str(path / "more/inner"), name="b")]
    lance.write_dataset(pa.table({"id": [1]}), str(path), initial_bases=bases, target_bases=["b"])
    made = lance.write_dataset(pa.table({"id": [2]}), str(path), mode="append")
    lance.write_dataset(pa.table({"id": [3]}), made.create_branch("dev").uri, mode="append")
    return path


@pytest.mark.parametrize(("what", "moment"), BASES, ids=lambda word: word.replace(" ", "-"))
def test_bases(there, what, moment):
    """Base paths within the dataset, and its branches, are opened in the same way."""
    path = make_based(FOLDER / "based.lance")
    shutil.rmtree(OTHER, ignore_errors=True)
    shutil.copytree(path, OTHER)
    for file in OTHER.glob("**/*.lance"):
        with LanceFileWriter(str(file), pa.schema([("id", pa.int64())])) as writer:
            writer.write_batch(pa.record_batch({"id": [7]}))
    victim = next(path.glob(what))
    done = run_with_swap("based.lance", victim, OTHER / victim.relative_to(path), moment, "--version", "dev")
    if done.returncode == 0:
        expect(moment != "at the start" and done.stdout == '{"id":1}\n{"id":2}\n{"id":3}\n', what, moment, done)
    else:
        expect(done.returncode == 4 and "found the link" in done.stderr and done.stdout == "", what, moment, done)
        expect(moment != "scanned", done)


def test_many_files(there):
    """A dataset has more files than are open at a time, and than the process may open."""
    table = pa.Table.from_arrays([pa.array(range(600)), blob_array([b"%d" % n for n in range(600)])],
                                 schema=pa.schema([pa.field("id", pa.int64()), blob_field("b")]))
    lance.write_dataset(table, "many.lance", data_storage_version="2.2", max_rows_per_file=1).delete("id % 50 = 7")

    def limited():
        resource.setrlimit(resource.RLIMIT_NOFILE, (450, 450))

    kept = [n for n in range(600) if n % 50 != 7]
    for words, expected in ((("convert", "many.lance", "-", "--to", "json", "-q"), kept), (("head", "many.lance", "-n", "400", "--as", "jsonl"), kept[:400])):
        done = try_run(*words, preexec_fn=limited)
        expect(done.returncode == 0, words, done)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        expect([row["id"] for row in rows] == expected, words, len(rows))
        expect(all(row["b"]["data"] == str(row["id"]) for row in rows), words, rows[:3])


def write_file(name, numbers):
    if name.endswith(".vortex"):
        vortex.io.write(pa.table({"id": numbers}), name)
    else:
        with LanceFileWriter(name, pa.schema([("id", pa.int64())])) as writer:
            writer.write_batch(pa.record_batch({"id": numbers}))


@pytest.mark.parametrize(("name", "moment"), [("t1.lance", "file"), ("t.vortex", "vortex"), ("t1.lance", "at the start"),
                                              ("t.vortex", "at the start")])
@pytest.mark.parametrize("linked", [False, True], ids=["plain", "linked"])
def test_file(there, name, moment, linked):
    """A link that the user names is followed, to the file that was checked."""
    for path in FOLDER.glob(f"*{name}*"):
        path.unlink()
    write_file(name, [1, 2, 3])
    write_file("other-" + name, [7, 8, 9])
    if linked:
        os.rename(name, "real-" + name)
        os.symlink("real-" + name, name)
    sound = try_run("convert", name, "-", "--to", "json", "-q")
    done = run_with_swap(name, FOLDER / ("real-" + name if linked else name), FOLDER / ("other-" + name), moment)
    if moment == "at the start":
        expect(done.returncode == 74 and "replaced" in done.stderr and done.stdout == "", done)
    else:
        expect(sound.returncode == 0 and done.returncode == 0 and done.stdout == sound.stdout, done)


def links_left():
    return {path for folder in ("/dev/shm", tempfile.gettempdir()) for path in glob.glob(f"{folder}/xwalk-??????/_versions")}


@pytest.mark.parametrize("killed", ["nothing", "the engine", "the host"])
def test_nothing_is_left(there, killed):
    """The folder of links is removed, also if the rows end early, or the engine or its host is killed."""
    before = links_left()
    make_dataset(FOLDER / "t.lance", 0)
    if killed == "nothing":
        for words in (("convert", "t.lance", "-", "--to", "json", "-q"), ("head", "t.lance", "-n", "1"), ("info", "t.lance", "--scan")):
            expect(try_run(*words).returncode == 0 and links_left() == before, words, links_left())
        return
    table = pa.table({"id": range(3_000_000)})
    lance.write_dataset(table, "long.lance", mode="overwrite")
    with subprocess.Popen([PROGRAM, "convert", "long.lance", "-", "--to", "json", "-q"], stdout=subprocess.PIPE) as host:
        host.stdout.read(1)
        expect(len(links_left() - before) == 1, "expected a folder of links", links_left())
        children = pathlib.Path(f"/proc/{host.pid}/task/{host.pid}/children").read_text().split()
        os.kill(int(children[0]) if killed == "the engine" else host.pid, signal.SIGKILL)
        host.stdout.close()
    expect(harness.wait_for(lambda: links_left() == before), killed, links_left())
