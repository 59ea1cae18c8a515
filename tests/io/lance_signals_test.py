"""A signal that ends a conversion to an existing Lance dataset: the exit code and the message agree with what the dataset has.

The engine itself sends the signal, just before or after its commit, and then waits or answers: no time matters.
"""
import os
import shutil
import subprocess
import sys

import pytest

from tests import harness
from tests.harness import expect

with harness.skip_if_missing():
    import lance
    import pyarrow as pa

FOLDER = harness.make_folder("lance-signals")
there = harness.work_in(FOLDER)
BIN = FOLDER / "bin"
BIN.mkdir()
PROGRAM = BIN / "xwalk"
shutil.copy2(harness.PROGRAM, PROGRAM)
ENGINE = """#!{python}
import os, runpy, signal, sys, time
import lance

WHEN, THEN = os.environ["SIGNAL_WHEN"], os.environ["SIGNAL_THEN"]
whole = lance.LanceDataset.commit


def send():
    pid = os.getppid()
    while os.path.basename(os.readlink(f"/proc/{{pid}}/exe")) != "xwalk":
        pid = int(open(f"/proc/{{pid}}/stat").read().rsplit(")", 1)[1].split()[1])
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(pid, signal.SIGTERM)
    while THEN == "waits":
        time.sleep(1)


def commit(*given, **options):
    if WHEN == "before":
        send()
    made = whole(*given, **options)
    if WHEN == "after":
        send()
    return made


lance.LanceDataset.commit = staticmethod(commit)
sys.argv[0] = {real!r}
runpy.run_path({real!r}, run_name="__main__")
"""
REAL = harness.BUILD / "xwalk-engine-lance"
(BIN / "xwalk-engine-lance").write_text(ENGINE.format(python=sys.executable, real=str(REAL)))
(BIN / "xwalk-engine-lance").chmod(0o755)
(FOLDER / "in.yson.schema").write_text("[{name=a;type_v3=int64}]")
(FOLDER / "in.yson").write_text("{a=1};{a=2};")
lance.write_dataset(pa.table({"a": [0]}), str(FOLDER / "d.lance"))


def write(mode, when, then):
    environment = {name: value for name, value in os.environ.items() if name != "XWALK_PYTHON"}
    done = subprocess.run([PROGRAM, "convert", "in.yson", "d.lance", "--mode", mode, "-q"], capture_output=True, text=True, timeout=120,
                          env={**environment, "SIGNAL_WHEN": when, "SIGNAL_THEN": then})
    return done.returncode, done.stderr


@pytest.mark.parametrize("when, then", [("never", "answers"), ("after", "answers"), ("after", "waits"), ("before", "waits")])
@pytest.mark.parametrize("mode", ["append-again", "overwrite"])
def test_signal(mode, when, then):
    before = lance.dataset("d.lance").version
    code, said = write(mode, when, then)
    landed = lance.dataset("d.lance").version > before
    what = (mode, when, then, code, said, "landed" if landed else "not landed")
    expect(landed == (when != "before"), *what)
    expect("it is not known" not in said, *what)
    # A version that was made before the program had to end is a success, wherever the engine is by then.
    expect(code in ((0,) if when == "never" else (0, 143) if landed else (143,)), *what)
    if code == 143:
        # No message is needed for a dataset that is unchanged.
        sentences = ("d.lance has the new rows", "d.lance was complete before that") if landed else ("d.lance is unchanged", "")
        expect(any(sentence in said if sentence else not said for sentence in sentences), *what)
    rows = lance.dataset("d.lance").count_rows()
    expect(rows > 0, *what, rows)
