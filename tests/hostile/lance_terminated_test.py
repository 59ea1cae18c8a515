"""Conversions to Lance that are terminated around their commit.

Afterwards there is no dataset and the exit code is 143, or the dataset has all rows and the exit code is 0 or the message says that
the dataset is complete. Half of the signals come when the first manifest appears, the others at a random time (seeded).
"""
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from tests import harness
from tests.harness import PROGRAM

with harness.skip_if_missing():
    import lance

ROWS = 20_000
FOLDER = harness.make_folder("terminated")
OUT = FOLDER / "out.lance"
RANDOM = random.Random(13)
harness.write(FOLDER / "in.yson", "".join(f"{{a={n};b=text{n}}};\n" for n in range(ROWS)), "[{name=a;type=int64};{name=b;type=utf8}]")


def start():
    return subprocess.Popen([PROGRAM, "convert", "in.yson", OUT.name, "-q"], cwd=FOLDER, stderr=subprocess.PIPE, text=True)


def manifests():
    """Returns whether any dataset of the folder, under a temporary name too, has a manifest."""
    return any("_versions" in folder and files for folder, _, files in os.walk(FOLDER))


@pytest.fixture(scope="module")
def whole():
    """Seconds that a conversion takes that is not terminated."""
    began = time.monotonic()
    process = start()
    process.communicate(timeout=300)
    assert process.returncode == 0
    return time.monotonic() - began


@pytest.mark.parametrize("number", range(8))
def test_terminated(whole, number):
    shutil.rmtree(OUT, ignore_errors=True)
    process = start()
    until = time.monotonic() + (300 if number % 2 else RANDOM.uniform(0.3, 1.1) * whole)
    while time.monotonic() < until and process.poll() is None and not (number % 2 and manifests()):
        time.sleep(0.0005)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=300)
    rows = lance.dataset(str(OUT)).count_rows() if OUT.exists() else None
    left = [path for path in FOLDER.iterdir() if path.name not in ("in.yson", "in.yson.schema", OUT.name)]
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    assert (process.returncode, rows, "complete" in said) in ((143, None, False), (0, ROWS, False), (143, ROWS, True)), said
    assert not left
