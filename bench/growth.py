"""How time and peak memory of conversions grow with the number of rows, on streams that are made as they are read.

    python3 bench/growth.py build/release/xwalk rows.parquet [MILLIONS …] [FROM:TO …]

The rows of the file are turned into one block of a million rows of each format, which is fed to the program by a pipe
as often as it takes: 1, 10, 100 and 1,000 million rows, four pairs, by default. Outputs go to /dev/null, so that
no disk is in the way. `linear` is the processor time a row takes against the first line of the pair, start included;
`million rows/s` is by the clock, and says something on an idle machine only.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

PAIRS = [("yson", "skiff"), ("skiff", "yson"), ("yson", "parquet"), ("skiff", "parquet")]
BLOCK_ROWS = 1_000_000


def feed(block: bytes, times: int, end: int) -> None:
    with os.fdopen(end, "wb", buffering=0) as pipe:
        try:
            for _ in range(times):
                view = memoryview(block)
                while view:
                    view = view[pipe.write(view):]
        except BrokenPipeError:
            pass


def measure(words: list[str], block: bytes, times: int) -> tuple[float, float, int]:
    """Returns seconds by the clock, seconds of processor time, and the peak of resident memory in bytes."""
    out, end = os.pipe()
    feeder = threading.Thread(target=feed, args=(block, times, end))
    begin = time.perf_counter()
    process = subprocess.Popen(words, stdin=out, stdout=subprocess.DEVNULL)
    os.close(out)
    feeder.start()
    # What the system tells when it has ended begins with the memory of this process, that it was forked from.
    peak = 0
    while True:
        found = re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path(f"/proc/{process.pid}/status").read_text())
        peak = max(peak, int(found[1]) * 1024 if found else 0)
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        time.sleep(0.01)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    feeder.join()
    if process.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime, peak


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    program, rows = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    millions = [int(word) for word in sys.argv[3:] if word.isdigit()] or [1, 10, 100, 1000]
    pairs = [tuple(word.split(":")) for word in sys.argv[3:] if ":" in word] or PAIRS
    print("| from | to | million rows | seconds | processor | million rows/s | linear | peak memory, MB |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        blocks = {}
        for system in ["yson", "skiff"]:
            path = f"{folder}/block.{system}"
            subprocess.run([program, "convert", rows, path, "--limit", str(BLOCK_ROWS), "--quiet"], check=True)
            blocks[system] = pathlib.Path(path).read_bytes()
        for source, target in pairs:
            first = None
            words = [program, "convert", "-", "/dev/null", "--from", source, "--to", target, "--quiet",
                     "--schema", f"{folder}/block.{source}.schema"]
            for count in millions:
                seconds, processor, memory = measure(words, blocks[source], count)
                first = first or processor / count
                print(f"| {source} | {target} | {count:,} | {seconds:.1f} | {processor:.1f} | {count / seconds:.1f} | "
                      f"{processor / count / first:.2f} | {memory / 1e6:.0f} |", flush=True)


if __name__ == "__main__":
    main()
