"""Conversions whose two ends are engines: one process where nothing changes, the same rows as by two."""
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
    import pyarrow.feather
    import vortex
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK, SAMPLES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-engine-copy-"))
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
failures = 0


def expect(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what)


def convert(source, target, *words, **environment):
    """Converts, and returns the verbs of the engines that ran; the error where it failed."""
    LOG.write_text("")
    done = subprocess.run([BIN / "xwalk", "convert", source, target, "-q", *words], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "XWALK_PYTHON": sys.executable, **environment})
    return LOG.read_text().split() if done.returncode == 0 else done.stderr


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


BIN.mkdir()
shutil.copy(XWALK, BIN / "xwalk")
for library in XWALK.parent.glob("libxwalk_*.so"):
    (BIN / library.name).symlink_to(library)
for name in ("lance", "vortex"):
    wrapper = BIN / f"xwalk-engine-{name}"
    wrapper.write_text(WRAPPER.format(python=sys.executable, log=str(LOG), engine=str(XWALK.parent / wrapper.name)))
    wrapper.chmod(0o755)

# --- every sample by one process, and by two of the first contract ----------------------------------------------------
alone = {}
for sample, suffix in ((sample, suffix) for suffix in (".lance", ".vortex")
                       for sample in sorted([*SAMPLES.glob("*.lance"), *SAMPLES.glob("*.vortex")])):
    one, first = (FOLDER / f"{name}{suffix}" for name in ("one", "first"))
    verbs = convert(sample, one)
    if isinstance(verbs, str):  # what the package itself does not read, or our rules refuse
        expect(isinstance(convert(sample, first, FIRST_CONTRACT="1"), str), sample.name, suffix, "only fails by one process", verbs)
    else:
        pair = sample.suffix, suffix
        alone[pair] = alone.get(pair, 0) + (verbs == ["read"])
        older = convert(sample, first, FIRST_CONTRACT="1")
        expect(older == ["read", "write"], sample.name, suffix, "first contract", older)
        expect(rows(one).to_pylist() == rows(first).to_pylist(), sample.name, suffix, "rows")
        expect(same_kind(one, first), sample.name, suffix, "has another schema")
    for path in (one, first):
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
print("by one process:", alone)
expect(sum(alone[suffix, suffix] for suffix in (".lance", ".vortex")) > 20, "expected most samples by one process")
expect(alone[".lance", ".vortex"] > 4 and alone[".vortex", ".lance"] > 4, "expected samples from engine to engine by one process")
expect(not left(), left())

# --- modes, and what asks for rows to be looked at --------------------------------------------------------------------
table = pa.table({"i": pa.array(range(100_000)), "s": [f"text {n}" if n % 7 else None for n in range(100_000)]})
lance.write_dataset(table, str(FOLDER / "in.lance"))
vortex.io.write(table, str(FOLDER / "in.vortex"))
for suffix in ("lance", "vortex"):
    source, target = FOLDER / f"in.{suffix}", FOLDER / f"out.{suffix}"
    expect(convert(source, target) == ["read"], suffix, "create")
    expect("exists" in convert(source, target), suffix, "exists")
    expect(convert(source, target, "--mode", "overwrite") == ["read"], suffix, "overwrite")
    expect(rows(target).to_pylist() == table.to_pylist(), suffix, "rows")
    limited = convert(source, FOLDER / f"ten.{suffix}", "--limit", "10")
    expect(limited == ["read", "write"], suffix, "limited", limited)
    expect(rows(FOLDER / f"ten.{suffix}").to_pylist() == table.slice(0, 10).to_pylist(), suffix, "limited rows")
    selected = convert(source, FOLDER / f"few.{suffix}", "--select", "s")
    expect(selected == ["read"], suffix, "selected", selected)
    expect(rows(FOLDER / f"few.{suffix}").to_pylist() == table.select(["s"]).to_pylist(), suffix, "selected rows")
    said = subprocess.run([BIN / "xwalk", "convert", source, target, "--mode", "overwrite"], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "XWALK_PYTHON": sys.executable}).stderr
    expect(said.startswith("100,000 rows"), suffix, said)
expect(convert(FOLDER / "in.lance", FOLDER / "out.lance", "--mode", "append") == ["read"], "append")
expect(lance.dataset(str(FOLDER / "out.lance")).count_rows() == 200_000, "appended rows")
expect(len(lance.dataset(str(FOLDER / "out.lance")).versions()) == 4, "versions", lance.dataset(str(FOLDER / "out.lance")).versions())
expect(not left(), left())

# --- two engines in one process, if both are in one folder ---------------------------------------------------------
for source, target in (("lance", "vortex"), ("vortex", "lance")):
    made = FOLDER / f"other.{target}"
    expect(convert(FOLDER / f"in.{source}", made) == ["read"], source, target, "by one process")
    expect(rows(made).to_pylist() == table.to_pylist(), source, target, "rows")
    expect("exists" in convert(FOLDER / f"in.{source}", made), source, target, "exists")
    elsewhere = FOLDER / "elsewhere"
    elsewhere.mkdir()
    (BIN / f"xwalk-engine-{target}").rename(elsewhere / f"xwalk-engine-{target}")
    apart = convert(FOLDER / f"in.{source}", made, "--mode", "overwrite", PATH=f"{elsewhere}:{os.environ['PATH']}")
    expect(apart == ["read", "write"], source, target, "an engine of another folder", apart)
    expect(rows(made).to_pylist() == table.to_pylist(), source, target, "rows of two processes")
    (elsewhere / f"xwalk-engine-{target}").rename(BIN / f"xwalk-engine-{target}")
    elsewhere.rmdir()
expect(convert(FOLDER / "in.vortex", FOLDER / "other.lance", "--mode", "append") == ["read"], "append to the other")
expect(rows(FOLDER / "other.lance").to_pylist() == 2 * table.to_pylist(), "rows appended to the other")
expect(convert(FOLDER / "in.vortex", FOLDER / "other.lance", "--mode", "overwrite") == ["read"], "overwrite the other")
expect(rows(FOLDER / "other.lance").to_pylist() == table.to_pylist(), "rows over the other")
# A file is checked again after its rows were read, before they are committed to the dataset.
there = FOLDER / "other.lance"
for mode in ("append", "overwrite"):
    (FOLDER / "moving.vortex").write_bytes((FOLDER / "in.vortex").read_bytes())
    versions = lance.dataset(str(there)).versions()
    said = convert(FOLDER / "moving.vortex", there, "--mode", mode, REPLACED=str(FOLDER / "moving.vortex"))
    expect("changed" in said and LOG.read_text().split() == ["read", "replaced"], mode, said)
    expect(lance.dataset(str(there)).versions() == versions, mode, "there is a new version")
never = FOLDER / "missing" / "never.vortex"
expect("missing" in convert(FOLDER / "in.lance", never), "an output that cannot be")
expect(not left(), left())

# --- layouts that a file only has a note of: what is written holds the same values, and the same note --------------------
large = table.cast(pa.schema([("i", pa.int64()), ("s", pa.large_string())]))
pa.feather.write_feather(large, str(FOLDER / "large.arrow"), compression="uncompressed")
for suffix in ("lance", "vortex"):
    source, target = FOLDER / f"large.{suffix}", FOLDER / f"large2.{suffix}"
    verbs = convert(FOLDER / "large.arrow", source)
    expect(verbs == ["write"], suffix, "large", verbs)
    verbs = convert(source, target)
    expect(verbs == ["read"], suffix, "large by one process", verbs)
    expect(rows(target).to_pylist() == table.to_pylist(), suffix, "large rows")
    expect(convert(target, FOLDER / "back.arrow", "--mode", "overwrite") == ["read"], suffix, "large back")
    expect(pa.feather.read_table(str(FOLDER / "back.arrow")).equals(large), suffix, "large layouts")
for source, target in (("lance", "vortex"), ("vortex", "lance")):
    made = FOLDER / f"large3.{target}"
    verbs = convert(FOLDER / f"large.{source}", made)
    expect(verbs == ["read"], source, target, "large by one process", verbs)
    expect(convert(made, FOLDER / "back.arrow", "--mode", "overwrite") == ["read"], target, "large back")
    expect(pa.feather.read_table(str(FOLDER / "back.arrow")).equals(large), source, target, "large layouts")
# The range of a duration that is annotated on a column of numbers is checked.
pa.feather.write_feather(pa.table({"d": pa.array([1, None], pa.duration("ms"))}), str(FOLDER / "duration.arrow"), compression="uncompressed")
expect(convert(FOLDER / "duration.arrow", FOLDER / "duration.vortex") == ["write"], "duration")
verbs = convert(FOLDER / "duration.vortex", FOLDER / "duration2.vortex")
expect(verbs == ["read", "write"], "duration by two", verbs)

# --- rows that are read, in shared memory and by a pipe ---------------------------------------------------------------
for suffix in ("lance", "vortex"):
    shared, piped = FOLDER / "shared.arrow", FOLDER / "piped.arrow"
    # More of the last rows are kept than is lent.
    for words in ((), ("--tail", "90000"), ("--limit", "70001"), ("--select", "s")):
        for path, environment in ((shared, {}), (piped, {"BY_PIPE": "1"})):
            expect(convert(FOLDER / f"in.{suffix}", path, "--mode", "overwrite", *words, **environment) == ["read"], suffix, words)
        expect(shared.read_bytes() == piped.read_bytes(), suffix, words, "by a pipe other rows")

# --- rows that are written, in shared memory and by a pipe ------------------------------------------------------------
# More bytes than a pipe can buffer are sent before the engine has reported its features. A batch has few long rows.
long_rows = pa.table({"i": pa.array(range(30_000)), "s": [f"{n:05}" * 1000 if n % 7 else None for n in range(30_000)]})
for name, rows_given in (("many", pa.concat_tables([table] * 5)), ("long", long_rows)):
    pa.feather.write_feather(rows_given, str(FOLDER / f"{name}.arrow"), compression="uncompressed", chunksize=rows_given.num_rows // 6)
    for suffix in ("lance", "vortex"):
        shared, piped, older = (FOLDER / f"{name}-{way}.{suffix}" for way in ("shared", "piped", "older"))
        verbs = convert(FOLDER / f"{name}.arrow", shared, COUNT="1")
        expect(verbs[0] == "write" and len(verbs) > 3 and set(verbs[1:]) == {"segment"}, suffix, name, "in shared memory", verbs)
        expect(convert(FOLDER / f"{name}.arrow", piped, COUNT="1", BY_PIPE="1") == ["write"], suffix, name, "by a pipe")
        expect(convert(FOLDER / f"{name}.arrow", older, COUNT="1", FIRST_CONTRACT="1") == ["write"], suffix, name, "first contract")
        for path in (shared, piped, older):
            expect(rows(path).equals(rows_given.cast(rows(path).schema)), path.name, "other rows")
# No rows, and no columns.
for name, rows_given in (("none", table.slice(0, 0)), ("bare", pa.table({"i": pa.nulls(3)}))):
    pa.feather.write_feather(rows_given, str(FOLDER / f"{name}.arrow"), compression="uncompressed")
    for suffix in ("lance", "vortex"):
        expect(convert(FOLDER / f"{name}.arrow", FOLDER / f"{name}.{suffix}") == ["write"], suffix, name)
        expect(rows(FOLDER / f"{name}.{suffix}").num_rows == rows_given.num_rows, suffix, name)

# --- ended in the middle ----------------------------------------------------------------------------------------------
part = pa.record_batch({"a": pa.array(range(100_000)), "s": pa.array([f"text {n}" for n in range(100_000)])})
for source, suffix in (("lance", "lance"), ("vortex", "vortex"), ("lance", "vortex"), ("vortex", "lance")):
    big = FOLDER / f"big.{source}"
    many = pa.RecordBatchReader.from_batches(part.schema, (part for _ in range(120)))
    if not big.exists():
        lance.write_dataset(many, str(big)) if source == "lance" else vortex.io.write(many, str(big))
    for victim, number in (("xwalk", signal.SIGKILL), ("xwalk", signal.SIGTERM), ("engine", signal.SIGKILL)):
        LOG.write_text("")
        process = subprocess.Popen([BIN / "xwalk", "convert", big, FOLDER / f"never.{suffix}", "-q"], stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "XWALK_PYTHON": sys.executable})
        end = time.monotonic() + 60
        while not left() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        engines = [int(entry.name) for entry in pathlib.Path("/proc").glob("[0-9]*")
                   if (entry / "stat").exists() and (entry / "stat").read_text().rsplit(")", 1)[1].split()[1] == str(process.pid)]
        for pid in engines if victim == "engine" else [process.pid]:
            os.kill(pid, number)
        process.communicate(timeout=60)
        expect(process.returncode != 0, source, suffix, victim, number, "expected failure")
        end = time.monotonic() + 30
        while left() and time.monotonic() < end:
            time.sleep(0.05)
        expect(not left() and not (FOLDER / f"never.{suffix}").exists(), source, suffix, victim, number, left())

shutil.rmtree(FOLDER)
sys.exit(1 if failures else 0)
