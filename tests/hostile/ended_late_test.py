"""What fails after an output has its name is reported as that. strace makes fsync fail and delays the end of the rename."""
import os
import shutil
import signal
import subprocess
import time

import pytest

from tests import harness
from tests.harness import PROGRAM

STRACE = [shutil.which("strace") or "strace", "-f", "-o", os.devnull, "-e"]
FOLDER = harness.make_folder("ended-late")
OUT = FOLDER / "last.parquet"
if not shutil.which("strace") or subprocess.run([*STRACE, "trace=none", "true"], capture_output=True).returncode != 0:
    harness.skip("no strace, or it may not trace")
harness.write(FOLDER / "last.yson", "{a=1};", "[{name=a;type_v3=int64}]")


def traced(rule, *words):
    # The sanitizer of leaks traces too, which two cannot.
    return subprocess.Popen([*STRACE, f"inject={rule}", PROGRAM, "convert", "last.yson", OUT.name, "-q", *words], cwd=FOLDER,
                            stderr=subprocess.PIPE, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})


@pytest.mark.parametrize("number, named", [(1, False), (2, True)], ids=["of the file", "of its folder"])
def test_fsync(number, named):
    OUT.unlink(missing_ok=True)
    process = traced(f"fsync:error=EIO:when={number}", "--durable")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 74 and OUT.exists() == named, said
    assert (b"complete and has its name" in said) == named


def test_a_signal_at_the_end():
    OUT.unlink(missing_ok=True)
    process = traced("renameat2:delay_exit=2500000")
    until = time.monotonic() + 60
    while not OUT.exists() and time.monotonic() < until:
        time.sleep(0.01)
    child = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    if child:
        os.kill(int(child[0]), signal.SIGTERM)
    _, said = process.communicate(timeout=120)
    assert child, "the program has ended before"
    assert OUT.exists() and process.returncode in (0, 143), said
    assert process.returncode == 0 or b"last.parquet was complete before that" in said
