"""Conversions whose source and target are engines: one process if no value changes, the same rows as with two."""
import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest

from tests import harness
from tests.harness import PROGRAM, SAMPLES, expect, wait_for

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.feather
    import vortex

FOLDER = harness.make_folder("engine-copy")
# The program with separate engines, which log their calls, and support only the first contract on request.
BIN, LOG = FOLDER / "bin", FOLDER / "log"
WRAPPER = """#!{python}
import json, os, sys
with open({log!r}, "a") as log:
    log.write(sys.argv[1] + "\\n")
words = sys.argv[1:]
if os.environ.get("FIRST_CONTRACT"):
    options = json.loads(words[1])
    options.pop("contract", None)
    words[1] = json.dumps(options)
if os.environ.get("BY_PIPE"):
    options = json.loads(words[1])
    options.pop("segments", None)
    words[1] = json.dumps(options)
def note(word):
    with open({log!r}, "a") as log:
        log.write(word + "\\n")
if os.environ.get("COUNT") or os.environ.get("REPLACED"):
    import runpy
    sys.path.insert(0, os.path.dirname({engine!r}))
    import xwalk_engine
    messages, promised = xwalk_engine.SegmentsIn._messages, xwalk_engine.Copied.promised
    def counted(self):
        for message in messages(self):
            note("segment")
            yield message
    def replaced(self):
        with open(os.environ["REPLACED"], "ab") as file:
            file.write(b"more")
        note("replaced")
        return promised(self)
    xwalk_engine.SegmentsIn._messages = counted
    if os.environ.get("REPLACED"):
        xwalk_engine.Copied.promised = replaced
    sys.argv = [{engine!r}, *words]
    runpy.run_path({engine!r}, run_name="__main__")
os.execv(sys.executable, [sys.executable, {engine!r}, *words])
"""
BIN.mkdir()
shutil.copy(PROGRAM, BIN / "xwalk")
for library in harness.BUILD.glob("libxwalk_*.so"):
    (BIN / library.name).symlink_to(library)
for name in ("lance", "vortex"):
    engine = BIN / f"xwalk-engine-{name}"
    engine.write_text(WRAPPER.format(python=sys.executable, log=str(LOG), engine=str(harness.BUILD / engine.name)))
    engine.chmod(0o755)

each_format = pytest.mark.parametrize("suffix", ["lance", "vortex"])
TABLE = pa.table({"i": pa.array(range(100_000)), "s": [f"text {n}" if n % 7 else None for n in range(100_000)]})
TABLE_ROWS = TABLE.to_pylist()


def convert(source, target, *words, **environment):
    """Converts, and returns the commands of the engines that ran, or the error if it failed."""
    LOG.write_text("")
    done = harness.run("convert", source, target, "-q", *words, program=BIN / "xwalk", code=None, timeout=300,
                       env={**os.environ, "XWALK_PYTHON": sys.executable, **environment})
    # Two engines start at the same time.
    return sorted(LOG.read_text().split()) if done.returncode == 0 else done.stderr


def rows(path):
    if path.suffix == ".vortex":
        return vortex.open(str(path)).to_arrow().read_all()
    return lance.dataset(str(path)).scanner(blob_handling="all_binary").to_table()


def same_kind(one, other):
    if one.suffix == ".vortex":
        return vortex.open(str(one)).dtype == vortex.open(str(other)).dtype
    return lance.dataset(str(one)).schema.equals(lance.dataset(str(other)).schema, check_metadata=True)


def left():
    return sorted(entry.name for entry in FOLDER.iterdir() if entry.name.startswith("."))


def store(name, table, **options):
    """Writes an Arrow file, uncompressed."""
    pa.feather.write_feather(table, str(FOLDER / name), compression="uncompressed", **options)
    return FOLDER / name


@pytest.fixture(autouse=True)
def nothing_is_left():
    yield
    assert left() == []


@pytest.fixture(scope="module", autouse=True)
def inputs():
    lance.write_dataset(TABLE, str(FOLDER / "in.lance"))
    vortex.io.write(TABLE, str(FOLDER / "in.vortex"))


@functools.cache
def commands_for(sample, suffix):
    """Returns how a sample was converted, and the output."""
    one = FOLDER / f"{sample.name}-one{suffix}"
    return convert(sample, one), one


ALL_PAIRS = [(sample, suffix) for suffix in (".lance", ".vortex")
             for sample in sorted([*SAMPLES.glob("*.lance"), *SAMPLES.glob("*.vortex")])]
#: As a rule, each sample at least once.
SAMPLE_PAIRS = harness.sample(ALL_PAIRS, len(ALL_PAIRS) // 2)


@pytest.mark.parametrize("sample, suffix", SAMPLE_PAIRS, ids=[f"{sample.name}-to{suffix}" for sample, suffix in SAMPLE_PAIRS])
def test_sample(sample, suffix):
    """The rows of one process are those of two with the first contract."""
    commands, one = commands_for(sample, suffix)
    first = FOLDER / f"{sample.name}-first{suffix}"
    older = convert(sample, first, FIRST_CONTRACT="1")
    if isinstance(commands, str):  # The package does not read the sample, or a rule refuses it.
        expect(isinstance(older, str), "only fails by one process", commands)
        return
    assert older == ["read", "write"]
    assert rows(one).to_pylist() == rows(first).to_pylist()
    expect(same_kind(one, first), "another schema")


@pytest.mark.skipif(not harness.ALL, reason="only with --all: counts all samples")
@pytest.mark.parametrize("pairs, least", [([(".lance", ".lance"), (".vortex", ".vortex")], 21), ([(".lance", ".vortex")], 5),
                                          ([(".vortex", ".lance")], 5)])
def test_most_samples_by_one_process(pairs, least):
    alone = [sample.name for sample, suffix in SAMPLE_PAIRS
             if (sample.suffix, suffix) in pairs and commands_for(sample, suffix)[0] == ["read"]]
    assert len(alone) >= least, alone


@each_format
def test_modes_and_options(suffix):
    source, target = FOLDER / f"in.{suffix}", FOLDER / f"out.{suffix}"
    assert convert(source, target) == ["read"]
    assert "exists" in convert(source, target)
    assert convert(source, target, "--mode", "overwrite") == ["read"]
    assert rows(target).to_pylist() == TABLE_ROWS
    assert convert(source, FOLDER / f"ten.{suffix}", "--limit", "10") == ["read", "write"]
    assert rows(FOLDER / f"ten.{suffix}").to_pylist() == TABLE_ROWS[:10]
    assert convert(source, FOLDER / f"few.{suffix}", "--select", "s") == ["read"]
    assert rows(FOLDER / f"few.{suffix}").to_pylist() == TABLE.select(["s"]).to_pylist()
    done = harness.run("convert", source, target, "--mode", "overwrite", program=BIN / "xwalk",
                       env={**os.environ, "XWALK_PYTHON": sys.executable})
    assert done.stderr.startswith("100,000 rows")


def test_append():
    source, target = FOLDER / "in.lance", FOLDER / "appended.lance"
    convert(source, target)
    versions = len(lance.dataset(str(target)).versions())
    assert convert(source, target, "--mode", "append-again") == ["read"]
    assert lance.dataset(str(target)).count_rows() == 200_000
    assert len(lance.dataset(str(target)).versions()) == versions + 1


@pytest.mark.parametrize("source, target", [("lance", "vortex"), ("vortex", "lance")])
def test_two_engines_of_one_folder(source, target):
    made = FOLDER / f"other.{target}"
    assert convert(FOLDER / f"in.{source}", made) == ["read"]
    assert rows(made).to_pylist() == TABLE_ROWS
    assert "exists" in convert(FOLDER / f"in.{source}", made)
    elsewhere = FOLDER / "elsewhere"
    elsewhere.mkdir()
    name = f"xwalk-engine-{target}"
    (BIN / name).rename(elsewhere / name)
    try:
        apart = convert(FOLDER / f"in.{source}", made, "--mode", "overwrite", PATH=f"{elsewhere}:{os.environ['PATH']}")
    finally:
        (elsewhere / name).rename(BIN / name)
        elsewhere.rmdir()
    assert apart == ["read", "write"]
    assert rows(made).to_pylist() == TABLE_ROWS


def test_modes_of_the_other_engine():
    source, target = FOLDER / "in.vortex", FOLDER / "modes.lance"
    convert(source, target)
    assert convert(source, target, "--mode", "append-again") == ["read"]
    assert rows(target).to_pylist() == 2 * TABLE_ROWS
    assert convert(source, target, "--mode", "overwrite") == ["read"]
    assert rows(target).to_pylist() == TABLE_ROWS


@pytest.mark.parametrize("mode", ["append", "overwrite"])
def test_a_file_that_changes(mode):
    """A file is checked again after its rows were read, before they are committed to the dataset."""
    target, moving = FOLDER / f"checked-{mode}.lance", FOLDER / "moving.vortex"
    convert(FOLDER / "in.vortex", target)
    moving.write_bytes((FOLDER / "in.vortex").read_bytes())
    versions = lance.dataset(str(target)).versions()
    error = convert(moving, target, "--mode", mode, REPLACED=str(moving))
    expect("changed" in error and LOG.read_text().split() == ["read", "replaced"], error)
    assert lance.dataset(str(target)).versions() == versions


def test_an_output_in_a_missing_folder():
    assert "missing" in convert(FOLDER / "in.lance", FOLDER / "missing" / "never.vortex")


@each_format
def test_layouts_that_only_a_note_has(suffix):
    """The output has the same values and the same note."""
    large = TABLE.cast(pa.schema([("i", pa.int64()), ("s", pa.large_string())]))
    source, target, back = FOLDER / f"large.{suffix}", FOLDER / f"large2.{suffix}", FOLDER / "back.arrow"
    assert convert(store("large.arrow", large), source) == ["write"]
    other = "vortex" if suffix == "lance" else "lance"
    for made in (target, FOLDER / f"large3.{other}"):
        assert convert(source, made) == ["read"]
        assert rows(made).to_pylist() == TABLE_ROWS
        assert convert(made, back, "--mode", "overwrite") == ["read"]
        expect(pa.feather.read_table(str(back)).equals(large), made.name)


def test_the_range_of_a_duration_is_checked():
    """It is annotated on a column of numbers."""
    source = store("duration.arrow", pa.table({"d": pa.array([1, None], pa.duration("ms"))}))
    assert convert(source, FOLDER / "duration.vortex") == ["write"]
    assert convert(FOLDER / "duration.vortex", FOLDER / "duration2.vortex") == ["read", "write"]


# More of the last rows are kept than the shared memory lends.
@pytest.mark.parametrize("words", [(), ("--tail", "90000"), ("--limit", "70001"), ("--select", "s")])
@each_format
def test_reading_in_shared_memory_and_by_a_pipe(suffix, words):
    shared, piped = FOLDER / "shared.arrow", FOLDER / "piped.arrow"
    for path, environment in ((shared, {}), (piped, {"BY_PIPE": "1"})):
        assert convert(FOLDER / f"in.{suffix}", path, "--mode", "overwrite", *words, **environment) == ["read"]
    expect(shared.read_bytes() == piped.read_bytes(), "other rows by a pipe")


# More bytes than a pipe can buffer are sent before the engine has reported its features. A batch has few long rows.
@pytest.mark.parametrize("name, given", [
    ("many", pa.concat_tables([TABLE] * 5)),
    ("long", pa.table({"i": pa.array(range(9_000)), "s": [f"{n:05}" * 1000 if n % 7 else None for n in range(9_000)]})),
], ids=["many", "long"])
@each_format
def test_writing_in_shared_memory_and_by_a_pipe(suffix, name, given):
    source = store(f"{name}.arrow", given, chunksize=given.num_rows // 6)
    shared, piped, older = (FOLDER / f"{name}-{way}.{suffix}" for way in ("shared", "piped", "older"))
    commands = convert(source, shared, COUNT="1")
    expect(commands[-1] == "write" and len(commands) > 3 and set(commands[:-1]) == {"segment"}, commands)
    assert convert(source, piped, COUNT="1", BY_PIPE="1") == ["write"]
    assert convert(source, older, COUNT="1", FIRST_CONTRACT="1") == ["write"]
    for path in (shared, piped, older):
        expect(rows(path).equals(given.cast(rows(path).schema)), path.name, "has other rows")


@pytest.mark.parametrize("given", [TABLE.slice(0, 0), pa.table({"i": pa.nulls(3)})], ids=["no rows", "only nulls"])
@each_format
def test_writing_few(suffix, given):
    target = FOLDER / f"few-rows-{given.num_columns}.{suffix}"
    assert convert(store("few-rows.arrow", given), target) == ["write"]
    assert rows(target).num_rows == given.num_rows


@pytest.mark.parametrize("victim, number", [("xwalk", signal.SIGKILL), ("xwalk", signal.SIGTERM), ("engine", signal.SIGKILL)])
@pytest.mark.parametrize("source, target", [("lance", "lance"), ("vortex", "vortex"), ("lance", "vortex"), ("vortex", "lance")])
def test_a_process_ends(source, target, victim, number):
    big, never = FOLDER / f"big.{source}", FOLDER / f"never.{target}"
    if not big.exists():
        part = pa.record_batch({"a": pa.array(range(100_000)), "s": pa.array([f"text {n}" for n in range(100_000)])})
        batches = pa.RecordBatchReader.from_batches(part.schema, (part for _ in range(120)))
        lance.write_dataset(batches, str(big)) if source == "lance" else vortex.io.write(batches, str(big))
    process = subprocess.Popen([BIN / "xwalk", "convert", big, never, "-q"], stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "XWALK_PYTHON": sys.executable})
    wait_for(lambda: left() or process.poll() is not None, 60)
    engines = [int(entry.name) for entry in pathlib.Path("/proc").glob("[0-9]*")
               if (entry / "stat").exists() and (entry / "stat").read_text().rsplit(")", 1)[1].split()[1] == str(process.pid)]
    for pid in engines if victim == "engine" else [process.pid]:
        os.kill(pid, number)
    process.communicate(timeout=60)
    assert process.returncode != 0
    wait_for(lambda: not left(), 30)
    assert left() == [] and not never.exists()
