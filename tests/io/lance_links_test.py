"""Links inside a Lance dataset are refused, unless the user follows where they lead."""
import json
import os
import shutil

import pytest

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    from lance.blob import blob_array, blob_field

FOLDER = harness.make_folder("lance-links")
there = harness.work_in(FOLDER)
ELSEWHERE = FOLDER / "elsewhere"
READING = [("convert", "t.lance", "-", "--to", "json", "-q"), ("head", "t.lance"), ("validate", "t.lance"), ("info", "t.lance", "--scan")]


@pytest.fixture
def dataset(there):
    """A dataset with all kinds of folders, next to rows that can be added to it."""
    for path in (FOLDER / "t.lance", ELSEWHERE):
        path.unlink() if path.is_symlink() else shutil.rmtree(path, ignore_errors=True)
    ELSEWHERE.mkdir()
    table = pa.Table.from_arrays([pa.array(range(300)), blob_array([b"x" * 100_000] * 2 + [b""] * 298)],
                                 schema=pa.schema([pa.field("id", pa.int64()), blob_field("b")]))
    made = lance.write_dataset(table, "t.lance", data_storage_version="2.2")
    made.delete("id = 7")
    made.create_scalar_index("id", "BTREE")
    harness.write(FOLDER / "more.yson", "{id=1};", "[{name=id;type_v3={type_name=optional;item=int64}}]")
    return FOLDER / "t.lance"


def files():
    return {str(path): path.stat().st_size for path in ELSEWHERE.rglob("*")}


def linked(dataset, what):
    """Moves a file or folder of the dataset elsewhere, and leaves a link to it."""
    path = sorted(dataset.glob(what))[-1]
    os.rename(path, ELSEWHERE / path.name)
    os.symlink(ELSEWHERE / path.name, path)
    return str(path.relative_to(dataset))


@pytest.mark.parametrize("what", ["data", "data/*.lance", "data/*/", "data/*/*.blob", "_versions", "_versions/*.manifest",
                                  "_deletions", "_deletions/*", "_transactions", "_indices", "_indices/*"])
def test_links(dataset, what):
    before = [json.loads(line) for line in run(*READING[0]).stdout.splitlines()]
    link = linked(dataset, what)
    for words in READING if what == "data" else READING[:1]:
        done = run(*words)
        expect(done.returncode == 4 and json.dumps(link) in done.stderr and "follow" in done.stderr, words, link, done)
        expect("id" not in done.stdout, words, done.stdout)
    if link.startswith("_versions"):
        expect(run("schema", "t.lance").returncode == 4, link, "schema")
    kept = files()
    for mode in ("append", "overwrite"):
        done = run("convert", "more.yson", "t.lance", "--mode", mode)
        expect(done.returncode == 4 and json.dumps(link) in done.stderr, mode, link, done)
    expect(files() == kept, link, "was written through")
    expect(run(*READING[0], "--follow", "other").returncode == 4, link)
    followed = [json.loads(line) for line in run(*READING[0], "--follow", "elsewhere").stdout.splitlines()]
    expect(followed == before, link)


def test_a_link_to_a_link(dataset):
    """A link that is followed may lead to another link."""
    os.rename(dataset / "data", ELSEWHERE / "data")
    os.symlink(ELSEWHERE / "data", dataset / "data")
    name = next((ELSEWHERE / "data").glob("*.lance"))
    os.rename(name, FOLDER / name.name)
    os.symlink(FOLDER / name.name, name)
    expect(run(*READING[0], "--follow", "elsewhere").returncode == 4, "a second link")
    expect(run(*READING[0], "--follow", ".").returncode == 0, run(*READING[0], "--follow", "."))


def test_the_dataset_itself(dataset):
    """The user names the dataset, so it may be a link."""
    os.rename(dataset, ELSEWHERE / "t.lance")
    os.symlink(ELSEWHERE / "t.lance", dataset)
    expect(run(*READING[0]).returncode == 0, run(*READING[0]))
    expect(run("convert", "t.lance", "u.lance", "-q").returncode == 0, "copied")
    expect(run("convert", "u.lance", "t.lance", "--mode", "append", "-q").returncode == 0, run("convert", "u.lance", "t.lance", "--mode", "append"))


def test_links_of_base_paths(dataset):
    base = FOLDER / "base"
    base.mkdir()
    lance.write_dataset(pa.table({"x": [1, 2]}), "based.lance", initial_bases=[lance.DatasetBasePath(str(base), name="b")],
                        target_bases=["b"])
    path = next(base.glob("*.lance"))
    os.rename(path, ELSEWHERE / path.name)
    os.symlink(ELSEWHERE / path.name, path)
    words = ("convert", "based.lance", "-", "--to", "json", "-q", "--follow", "base")
    done = run(*words)
    expect(done.returncode == 4 and path.name in done.stderr, done)
    expect(run(*words, "--follow", "elsewhere").returncode == 0, run(*words, "--follow", "elsewhere"))


@pytest.mark.parametrize("words", [*READING, ("schema", "t.lance"), ("check", "t.lance", "--to", "yt"), ("convert", "more.yson", "t.lance", "--mode", "append", "-q")])
def test_a_pipe_as_a_manifest(dataset, words):
    """It would be waited for without an end."""
    path = sorted(dataset.glob("_versions/*.manifest"))[0]  # the newest: names count down
    path.unlink()
    os.mkfifo(path)
    done = run(*words, timeout=60)
    expect(done.returncode != 0 and "expected a file, found a pipe" in done.stderr, words, done.stderr)


@pytest.mark.parametrize("name", ["_versions/latest_version_hint.json", "data/pipe.lance", "_transactions/pipe.txn", "_deletions/pipe.arrow",
                                  "_indices/pipe", "data", "_transactions"])
def test_a_pipe_in_a_dataset(dataset, name):
    """The package opens files of a dataset by their names, and would wait for a pipe without an end."""
    if (dataset / name).exists():
        os.rename(dataset / name, ELSEWHERE / "old")
    os.mkfifo(dataset / name)
    for words in [("convert", "more.yson", "t.lance", "--mode", mode, "-q") for mode in ("append", "overwrite")] + [(*READING[0], "--follow", "elsewhere")]:
        done = run(*words, timeout=60)
        expect(done.returncode == 74 and "expected a file, found a pipe" in done.stderr and name in done.stderr, words, done)
    for words in (*READING, ("schema", "t.lance")):
        done = run(*words, timeout=60)
        expect(done.returncode in (0, 74), words, done)


def test_a_pipe_in_a_base_path(dataset):
    base = FOLDER / "base-with-pipe"
    base.mkdir()
    lance.write_dataset(pa.table({"x": [1, 2]}), "pipe.lance", initial_bases=[lance.DatasetBasePath(str(base), name="b")],
                        target_bases=["b"])
    path = next(base.glob("*.lance"))
    path.unlink()
    os.mkfifo(path)
    done = run("convert", "pipe.lance", "-", "--to", "json", "-q", "--follow", "base-with-pipe", timeout=60)
    expect(done.returncode == 74 and "expected a file, found a pipe" in done.stderr, done)
