"""Measures Skiff rows to Arrow and back beside memcpy and peers, on the same rows in one run.

  python bench/skiff_compare.py build/bench/bench/skiff_bench

1,000,000 rows of 8 columns (bench/rows.h). One thread on one core, the median of 9 after 2 warm-ups,
processor time. ClickHouse (chdb) reads RowBinary of the same rows, the ytsaurus-yson bindings split
Skiff into raw rows without Python values. A peer that is not installed is left out with a word.
"""

import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROWS = 1_000_000
WARM_UPS, RUNS = 2, 9
COLUMNS = ("id Int64, hash UInt64, score Float64, flag Bool, city String, token String, "
           "parent Nullable(Int64), time UInt64")
TABLE = [("id", "int64"), ("hash", "uint64"), ("score", "double"), ("flag", "boolean"),
         ("city", "string32"), ("token", "string32"), ("parent", None), ("time", "uint64")]


def clickhouse_reads(folder):
    import chdb
    query = (f"SELECT * FROM file('{folder}/rows.bin', RowBinary, '{COLUMNS}') SETTINGS max_threads = 1, "
             "input_format_parallel_parsing = 0 FORMAT Null")
    return lambda: chdb.query(query)


def clickhouse_writes(folder):
    from chdb import session
    held = session.Session()
    held.query("CREATE DATABASE b ENGINE = Memory")
    held.query(f"CREATE TABLE b.t ({COLUMNS}) ENGINE = Memory")
    held.query(f"INSERT INTO b.t SELECT * FROM file('{folder}/rows.bin', RowBinary, '{COLUMNS}')")
    query = ("SELECT * FROM b.t INTO OUTFILE '/dev/null' TRUNCATE FORMAT RowBinary "
             "SETTINGS max_threads = 1, output_format_parallel_formatting = 0")
    return lambda: held.query(query)


def bindings_split(folder):
    import yt_yson_bindings
    absent = {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, {"wire_type": "int64"}]}
    children = [{"name": name, **({"wire_type": wire} if wire else absent)} for name, wire in TABLE]
    schema = yt_yson_bindings.SkiffSchema([{"wire_type": "tuple", "children": children}], {},
                                          "$range_index", "$row_index")
    with open(f"{folder}/rows.skiff", "rb") as file:
        data = file.read()

    def run():
        count = 0
        for _ in yt_yson_bindings.load_skiff(io.BytesIO(data), [schema], "$range_index", "$row_index", raw=True):
            count += 1
        assert count > 0
    return run


def run_peer(function, folder):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    work = globals()[function](folder)
    times = []
    for _ in range(WARM_UPS + RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    print(json.dumps(statistics.median(times[WARM_UPS:])))


def measure_peer(function, folder):
    done = subprocess.run([sys.executable, __file__, "--peer", function, folder], capture_output=True, text=True)
    if done.returncode != 0:
        words = (done.stderr.strip().splitlines() or ["failed"])[-1]
        print(f"{function}: left out: {words}", file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])


def measure_ours(program, folder):
    core = max(os.sched_getaffinity(0))
    done = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.000001",
         f"--benchmark_repetitions={WARM_UPS + RUNS}"], capture_output=True, text=True, check=True,
        env=dict(os.environ, XWALK_BENCH_WRITE=folder), preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    runs = {}
    for entry in json.loads(done.stdout)["benchmarks"]:
        if entry["run_type"] == "iteration":
            seconds = entry["cpu_time"] / 1e3
            runs.setdefault(entry["run_name"], []).append((seconds, entry["bytes_per_second"] * seconds))
    return {name: (statistics.median(s for s, _ in values[WARM_UPS:]), values[-1][1])
            for name, values in runs.items()}


def main():
    if sys.argv[1] == "--peer":
        run_peer(*sys.argv[2:])
        return
    with tempfile.TemporaryDirectory(prefix="xwalk-skiff-bench-") as folder:
        ours = measure_ours(sys.argv[1], folder)
        copy = ours["copy_bench"][1] / ours["copy_bench"][0]
        rows = list(ours.items())
        for label, function, file in [("ClickHouse RowBinary → columns", "clickhouse_reads", "rows.bin"),
                                      ("ClickHouse columns → RowBinary", "clickhouse_writes", "rows.bin"),
                                      ("ytsaurus-yson raw Skiff rows", "bindings_split", "rows.skiff")]:
            seconds = measure_peer(function, folder)
            if seconds is not None:
                rows.append((label, (seconds, float(os.path.getsize(f"{folder}/{file}")))))
    print(f"memcpy: {copy / 1e9:.2f} GB/s\n\n| | million rows/s | GB/s | of memcpy |\n|---|---|---|---|")
    for name, (seconds, size) in rows:
        print(f"| {name} | {ROWS / seconds / 1e6:.2f} | {size / seconds / 1e9:.2f} | {size / seconds / copy:.3f} |")


if __name__ == "__main__":
    main()
