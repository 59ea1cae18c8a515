"""Reads the same Parquet files by our own rules and with pyarrow, in turns, with the same threads:
medians of many runs, each in a process pinned to as many cores.

  python bench/parquet_compare.py build/bench/bench/parquet_read_bench [FILE…]

Without files it makes the ten-column table: integers, doubles, text, booleans, decimals, instants,
lists and structs, 1,000,000 rows, by pyarrow with each codec."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

PEER = """
import sys, time, pyarrow as pa, pyarrow.parquet as pq
pa.set_cpu_count(int(sys.argv[2]))
times = []
for _ in range(int(sys.argv[3]) + 1):
    start = time.perf_counter()
    table = pq.ParquetFile(sys.argv[1]).read(use_threads=int(sys.argv[2]) > 1)
    times.append((time.perf_counter() - start) * 1000)
    del table
print(sorted(times[1:])[len(times) // 2 - 1])
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
         f"--benchmark_filter=^read .*/{threads}/real_time$", f"--benchmark_repetitions={REPEATS}",
         "--benchmark_format=json"],
        env={**os.environ, "XWALK_BENCH_PARQUET": file}, capture_output=True, text=True, check=True)
    return next(run["real_time"] for run in json.loads(done.stdout)["benchmarks"]
                if run.get("aggregate_name") == "median")


def peer(file, threads):
    done = subprocess.run(
        ["taskset", "-c", "0" if threads == 1 else "0,1", sys.executable, "-c", PEER, file,
         str(threads), str(REPEATS)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main():
    program, files = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for file in files or make(folder):
            for threads in (1, 2):
                pairs = [(ours(program, file, threads), peer(file, threads)) for _ in range(TURNS)]
                mine = statistics.median(a for a, _ in pairs)
                theirs = statistics.median(b for _, b in pairs)
                ratio = statistics.median(a / b for a, b in pairs)
                print(f"{os.path.basename(file)}, {threads} threads: xwalk {mine:.0f} ms, "
                      f"pyarrow {theirs:.0f} ms, ratio {ratio:.2f}", flush=True)


main()
