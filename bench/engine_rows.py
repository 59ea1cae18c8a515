"""Rows through the engine programs beside the packages alone, process against process.

    python bench/engine_rows.py build/release/tests/xwalk_copy_rows [ROWS [REPEATS]]

Each line: seconds of the package alone, seconds of xwalk (which reads and writes through two programs and their
pipes), the ratio of the best runs, and the peak memory of xwalk's own process and of the largest engine.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ALONE = {
    ("lance", "lance"): "import lance; lance.write_dataset(lance.dataset(IN).scanner(batch_size=65536).to_reader(), OUT)",
    ("lance", "vortex"): "import lance, vortex; vortex.io.write(lance.dataset(IN).scanner(batch_size=65536).to_reader(), OUT)",
    ("vortex", "lance"): "import lance, vortex; lance.write_dataset(vortex.open(IN).to_arrow(batch_size=65536), OUT)",
    ("vortex", "vortex"): "import vortex; vortex.io.write(vortex.open(IN).to_arrow(batch_size=65536), OUT)",
}


def make(folder, rows):
    import lance
    import numpy
    import pyarrow as pa
    import vortex

    numbers = numpy.random.default_rng(7)
    words = pa.array([f"station {n:05d}" for n in range(5000)])

    def batches():
        for start in range(0, rows, 100_000):
            count = min(100_000, rows - start)
            yield pa.record_batch({
                "id": pa.array(numpy.arange(start, start + count)),
                "price": pa.array(numbers.random(count)),
                "count": pa.array(numbers.integers(0, 1000, count), pa.int32()),
                "name": words.take(pa.array(numbers.integers(0, 5000, count))),
                "at": pa.array(numbers.integers(0, 2**50, count), pa.timestamp("us", "UTC")),
                "flag": pa.array(numbers.random(count) > 0.5),
            })

    schema = next(batches()).schema
    lance.write_dataset(pa.RecordBatchReader.from_batches(schema, batches()), str(folder / "in.lance"))
    vortex.io.write(lance.dataset(str(folder / "in.lance")).scanner().to_reader(), str(folder / "in.vortex"))


def peaks_of(process):
    """Follows a process and its children until it ends; returns their peaks in MB."""
    own, engine = 0, 0
    while process.poll() is None:
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
                pid, parent = int(lines["Pid"]), int(lines["PPid"])
                peak = int(lines["VmHWM"].split()[0]) // 1024
            except (OSError, KeyError, ValueError):
                continue
            if pid == process.pid:
                own = max(own, peak)
            elif parent == process.pid:
                engine = max(engine, peak)
        time.sleep(0.2)
    return own, engine


def timed(command, out):
    shutil.rmtree(out, ignore_errors=True)
    if os.path.isfile(out):
        os.remove(out)
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peaks = peaks_of(process)
    seconds = time.monotonic() - start
    if process.returncode != 0:
        sys.exit(process.stderr.read().decode())
    return seconds, peaks


def main():
    if sys.argv[1] == "--make":
        make(pathlib.Path(sys.argv[2]), int(sys.argv[3]))
        return
    copy, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    folder = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-bench-"))
    try:
        # In a process of its own, so that its memory is not counted for those that are measured.
        subprocess.run([sys.executable, __file__, "--make", folder, str(rows)], check=True, stderr=subprocess.DEVNULL)
        print(f"{rows:,} rows, best of {repeats}")
        print(f"{'from → to':18}{'alone':>9}{'xwalk':>9}{'ratio':>8}{'xwalk MB':>10}{'engine MB':>11}")
        for (source, target), script in ALONE.items():
            path, out = str(folder / f"in.{source}"), str(folder / f"out.{target}")
            alone, ours, own, engine = [], [], 0, 0
            for _ in range(repeats):
                text = f"IN, OUT = {path!r}, {out!r}\n{script}"
                alone.append(timed([sys.executable, "-W", "ignore", "-c", text], out)[0])
                seconds, peaks = timed([copy, path, out], out)
                ours.append(seconds)
                own, engine = max(own, peaks[0]), max(engine, peaks[1])
            print(f"{source + ' → ' + target:18}{min(alone):8.2f}s{min(ours):8.2f}s{min(ours) / min(alone):8.2f}"
                  f"{own:10}{engine:11}", flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
