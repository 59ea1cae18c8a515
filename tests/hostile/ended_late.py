"""What fails after an output has its name is reported as that: python ended_late.py XWALK

strace makes fsync fail and delays the end of the rename.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
STRACE = [shutil.which("strace") or "strace", "-f", "-o", os.devnull, "-e"]
scratch = tempfile.TemporaryDirectory(prefix="xwalk-ended-late-")
FOLDER = pathlib.Path(scratch.name)
OUT = FOLDER / "last.parquet"
problems = []


def expect(condition, *words):
    if not condition:
        problems.append(" ".join(str(word) for word in words))


def traced(rule, *words):
    return subprocess.Popen([*STRACE, f"inject={rule}", PROGRAM, "convert", "last.yson", OUT.name, "-q", *words], cwd=FOLDER,
                            stderr=subprocess.PIPE)


try:
    can_trace = subprocess.run([*STRACE, "trace=none", "true"], capture_output=True).returncode == 0
except OSError:
    can_trace = False
if not can_trace:
    print("SKIPPED: no strace, or it may not trace")
    sys.exit(77)
(FOLDER / "last.yson").write_text("{a=1};")
(FOLDER / "last.yson.schema").write_text("[{name=a;type_v3=int64}]")
# The first fsync is of the file, the second of its folder.
for number, named in ((1, False), (2, True)):
    process = traced(f"fsync:error=EIO:when={number}", "--durable")
    _, said = process.communicate(timeout=120)
    expect(process.returncode == 74 and OUT.exists() == named, "fsync", number, process.returncode, said)
    expect((b"complete and has its name" in said) == named, "fsync", number, said)
    OUT.unlink(missing_ok=True)
process = traced("renameat2:delay_exit=2500000")
until = time.monotonic() + 60
while not OUT.exists() and time.monotonic() < until:
    time.sleep(0.01)
child = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
if child:
    os.kill(int(child[0]), signal.SIGTERM)
expect(child, "a signal at the end: the program has ended before")
_, said = process.communicate(timeout=120)
expect(OUT.exists() and process.returncode in (0, 143), "a signal at the end", process.returncode, said)
expect(process.returncode == 0 or b"last.parquet was complete before that" in said, "a signal at the end", said)

print("\n".join(problems))
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
