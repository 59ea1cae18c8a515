"""Reads the same Parquet files by our own rules and with pyarrow, in turns, with the same threads:
medians of many runs, each in a process pinned to as many cores, by the clock and by processor time
of all threads, which other work on the machine disturbs less. Then `xwalk schema` of 10,000 columns.

  python bench/parquet_compare.py build/bench/bench/parquet_read_bench build/release/xwalk [FILE…]

Without files it makes the ten-column table: integers, doubles, text, booleans, decimals, instants,
lists and structs, 1,000,000 rows, by pyarrow with each codec."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

PEER = """
import sys, time, pyarrow as pa, pyarrow.parquet as pq
pa.set_cpu_count(int(sys.argv[2]))
times, work = [], []
for _ in range(int(sys.argv[3]) + 1):
    start, begin = time.perf_counter(), time.process_time()
    table = pq.ParquetFile(sys.argv[1]).read(use_threads=int(sys.argv[2]) > 1)
    times.append((time.perf_counter() - start) * 1000)
    work.append((time.process_time() - begin) * 1000)
    del table
print(*(sorted(all[1:])[len(all) // 2 - 1] for all in (times, work)))
"""
REPEATS = 5
TURNS = 7


def make(folder):
    import random
    from decimal import Decimal

    import pyarrow as pa
    import pyarrow.parquet as pq
    rows = 1_000_000
    random.seed(1)
    table = pa.table({
        "id": pa.array(range(rows), pa.int64()),
        "some": pa.array([None if i % 20 == 0 else random.randrange(1 << 40) for i in range(rows)], pa.int64()),
        "x": pa.array([random.random() for _ in range(rows)]),
        "low": pa.array([f"kind {i % 50}" for i in range(rows)]),
        "unique": pa.array([f"token-{random.randrange(1 << 60):x}" for _ in range(rows)]),
        "flag": pa.array([i % 3 == 0 for i in range(rows)]),
        "price": pa.array([Decimal(random.randrange(1 << 50)).scaleb(-4) for _ in range(rows)], pa.decimal128(18, 4)),
        "time": pa.array([1_600_000_000_000_000 + i * 997 for i in range(rows)], pa.timestamp("us", "UTC")),
        "items": pa.array([list(range(i % 5)) for i in range(rows)], pa.list_(pa.int64())),
        "place": pa.array([{"x": i / 7, "y": i % 100} for i in range(rows)]),
    })
    files = []
    for codec in ("none", "snappy", "zstd"):
        files.append(os.path.join(folder, f"ten-{codec}.parquet"))
        pq.write_table(table, files[-1], compression=codec)
    return files


def ours(program, file, threads):
    done = subprocess.run(
        ["taskset", "-c", "0" if threads == 1 else "0,1", program,
         f"--benchmark_filter=^read .*/{threads}/process_time/real_time$", f"--benchmark_repetitions={REPEATS}",
         "--benchmark_format=json"],
        env={**os.environ, "XWALK_BENCH_PARQUET": file}, capture_output=True, text=True, check=True)
    return next((run["real_time"], run["cpu_time"]) for run in json.loads(done.stdout)["benchmarks"]
                if run.get("aggregate_name") == "median")


def peer(file, threads):
    done = subprocess.run(
        ["taskset", "-c", "0" if threads == 1 else "0,1", sys.executable, "-c", PEER, file,
         str(threads), str(REPEATS)], capture_output=True, text=True, check=True)
    return tuple(map(float, done.stdout.split()))


def wide_schema(xwalk, folder):
    """The whole program, from start to end, on a file of 10,000 columns of six types."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    types = [pa.int64(), pa.string(), pa.float64(), pa.timestamp("us", "UTC"), pa.list_(pa.int32()),
             pa.decimal128(18, 4)]
    file = os.path.join(folder, "wide.parquet")
    pq.write_table(pa.table({f"column_{i}": pa.array([None], types[i % 6]) for i in range(10_000)}), file)
    walls, work = [], []
    for _ in range(4 * TURNS):
        before, start = os.times(), time.perf_counter()
        subprocess.run(["taskset", "-c", "0", xwalk, "schema", file], stdout=subprocess.DEVNULL, check=True)
        walls.append((time.perf_counter() - start) * 1000)
        after = os.times()
        work.append((after.children_user + after.children_system - before.children_user
                     - before.children_system) * 1000)
    print(f"xwalk schema, 10,000 columns: {min(walls):.0f} ms at best, {statistics.median(walls):.0f} ms in "
          f"the middle, {statistics.median(work):.0f} ms of processor time", flush=True)


def main():
    program, xwalk, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        wide_schema(xwalk, folder)
        for file in files or make(folder):
            for threads in (1, 2):
                pairs = [(ours(program, file, threads), peer(file, threads)) for _ in range(TURNS)]
                for which, name in enumerate(("clock", "processor")):
                    mine = statistics.median(a[which] for a, _ in pairs)
                    theirs = statistics.median(b[which] for _, b in pairs)
                    ratio = statistics.median(a[which] / b[which] for a, b in pairs)
                    print(f"{os.path.basename(file)}, {threads} threads, {name}: xwalk {mine:.0f} ms, "
                          f"pyarrow {theirs:.0f} ms, ratio {ratio:.2f}", flush=True)


main()
