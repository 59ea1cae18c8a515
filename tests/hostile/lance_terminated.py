"""Conversions to Lance that are terminated around their commit: python lance_terminated.py XWALK [COUNT]

Afterwards there is no dataset and the exit code is 143, or the dataset has all rows and the exit code is 0 or the message says that
the dataset is complete. Half of the signals come when the first manifest appears, the others at a random time (seeded).
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import lance
except ImportError:
    print("SKIPPED: lance is not installed")
    sys.exit(77)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 8
ROWS = 20_000
scratch = tempfile.TemporaryDirectory(prefix="xwalk-terminated-")
FOLDER = pathlib.Path(scratch.name)
OUT = FOLDER / "out.lance"
problems = []
random.seed(13)
(FOLDER / "in.yson").write_text("".join(f"{{a={n};b=text{n}}};\n" for n in range(ROWS)))
(FOLDER / "in.yson.schema").write_text("[{name=a;type=int64};{name=b;type=utf8}]")


def start():
    return subprocess.Popen([PROGRAM, "convert", "in.yson", OUT.name, "-q"], cwd=FOLDER, stderr=subprocess.PIPE, text=True)


def manifests():
    """Returns whether any dataset of the folder, under a temporary name too, has a manifest."""
    return any("_versions" in folder and files for folder, _, files in os.walk(FOLDER))


began = time.monotonic()
process = start()
process.communicate(timeout=300)
whole = time.monotonic() - began
if process.returncode != 0:
    print(f"a conversion that is not terminated: exit code {process.returncode}")
    sys.exit(1)
ends = {}
for number in range(COUNT):
    shutil.rmtree(OUT, ignore_errors=True)
    process = start()
    until = time.monotonic() + (300 if number % 2 else random.uniform(0.3, 1.1) * whole)
    while time.monotonic() < until and process.poll() is None and not (number % 2 and manifests()):
        time.sleep(0.0005)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=300)
    rows = lance.dataset(str(OUT)).count_rows() if OUT.exists() else None
    end = (process.returncode, rows, "complete" in said)
    ends[end] = ends.get(end, 0) + 1
    if end not in ((143, None, False), (0, ROWS, False), (143, ROWS, True)):
        problems.append(f"exit code {process.returncode}, {rows} rows: {said}")
    left = [path.name for path in FOLDER.iterdir() if path.name not in ("in.yson", "in.yson.schema", OUT.name)]
    if left:
        problems.append(f"left in the folder: {left}")
        for name in left:
            shutil.rmtree(FOLDER / name, ignore_errors=True)

print("\n".join(problems))
print(ends)
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
