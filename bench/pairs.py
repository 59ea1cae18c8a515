"""All 36 pairs of systems on the 1,000,000-row set: whole conversions of files, beside the quickest peer.

    .deps/venv/bin/python bench/pairs.py build/release/xwalk rows.bin.yson [REPEATS]

rows.bin.yson is what `build/bench/bench/yson_rows_bench` leaves in its folder (bench/compare.py runs it). Times are the
best of REPEATS (3) in wall time on all cores; ours are whole processes, those of peers leave their start and imports
out. An *end* is a conversion from or to Arrow alone: to /dev/null, or from a mapped Arrow file. The bound of a pair is
1.15 × the larger of its slower end and half the processor time of both. `over` is the pair's time over that bound:
1 or less is within.
"""
import itertools
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SYSTEMS = ["yson", "skiff", "parquet", "lance", "vortex", "arrow"]
SCHEMA = ("[{name=id;type=int64;required=%true};{name=hash;type=uint64;required=%true};"
          "{name=score;type=double;required=%true};{name=flag;type=boolean;required=%true};"
          "{name=city;type=utf8;required=%true};{name=token;type=utf8;required=%true};"
          "{name=parent;type=int64};{name=time;type=timestamp;required=%true}]")
LANCE_OUT = "lance.write_dataset(table, OUT)"
READ = {
    "parquet": [("pyarrow", "table = pq.read_table(IN)")],
    "arrow": [("pyarrow", "table = pa.ipc.open_file(pa.memory_map(IN)).read_all()")],
    "lance": [("pylance", "table = lance.dataset(IN).to_table()")],
    "vortex": [("vortex-data", "table = vortex.open(IN).to_arrow().read_all()")],
}
WRITE = {
    "parquet": [("pyarrow", "pq.write_table(table, OUT)")],
    "arrow": [("pyarrow", "w = pa.ipc.new_file(OUT, table.schema); w.write_table(table); w.close()")],
    "lance": [("pylance", LANCE_OUT)],
    "vortex": [("vortex-data", "vortex.io.write(table, OUT)")],
}
WHOLE = {
    ("parquet", "parquet"): [
        ("DuckDB", "duckdb.sql(f\"COPY (FROM '{IN}') TO '{OUT}' (FORMAT parquet)\")"),
        ("Polars", "pl.scan_parquet(IN).sink_parquet(OUT)")],
    ("parquet", "arrow"): [("Polars", "pl.scan_parquet(IN).sink_ipc(OUT)")],
    ("arrow", "parquet"): [("Polars", "pl.scan_ipc(IN).sink_parquet(OUT)")],
    ("arrow", "arrow"): [("Polars", "pl.scan_ipc(IN).sink_ipc(OUT)")],
}
PEER = """
import shutil, sys, time, os, warnings
warnings.filterwarnings("ignore")
import duckdb, lance, polars as pl, pyarrow as pa, pyarrow.parquet as pq, vortex
IN, OUT, best = sys.argv[1], sys.argv[2], 1e9
for _ in range(int(sys.argv[3]) + 1):
    shutil.rmtree(OUT) if os.path.isdir(OUT) else os.path.exists(OUT) and os.remove(OUT)
    start = time.perf_counter()
    WORK
    best = min(best, time.perf_counter() - start)
print(best)
"""


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def ours(program, source, target, repeats, *options):
    """The best wall time of a conversion, and the processor time of that run, engines included."""
    best = (1e9, 0.0)
    for _ in range(repeats):
        if target != "-":
            remove(target)
        before, start = cpu(), time.perf_counter()
        subprocess.run([program, "convert", source, target, "-q", "--overwrite", *options], check=True, stdout=subprocess.DEVNULL)
        best = min(best, (time.perf_counter() - start, cpu() - before))
    return best


def quickest_peer(source, target, work_folder, repeats):
    found = []
    ways = [(a + " + " + b if a != b else a, f"{read}; {write}")
            for (a, read), (b, write) in itertools.product(READ.get(source, []), WRITE.get(target, []))]
    for name, work in ways + WHOLE.get((source, target), []):
        done = subprocess.run([sys.executable, "-c", PEER.replace("WORK", work), work_folder / f"in.{source}",
                               work_folder / f"peer.{target}", str(repeats)], capture_output=True, text=True)
        if done.returncode == 0:
            found.append((float(done.stdout.split()[-1]), name))
    return min(found, default=None)


def main():
    program, rows = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for system in SYSTEMS:
            ours(program, rows, folder / f"in.{system}", 1, "--schema", SCHEMA)
        reading, writing = {}, {}
        for system in SYSTEMS:
            reading[system] = ours(program, folder / f"in.{system}", "-", repeats, "--to", "arrow")
            writing[system] = ours(program, folder / "in.arrow", folder / f"end.{system}", repeats)
        print("| from | to | ms | slower end | half the CPU of both | over | quickest peer | its ms | ours / its |")
        print("|---|---|---|---|---|---|---|---|---|")
        for source, target in itertools.product(SYSTEMS, SYSTEMS):
            wall, _ = ours(program, folder / f"in.{source}", folder / f"out.{target}", repeats)
            slower = max(reading[source][0], writing[target][0])
            half = (reading[source][1] + writing[target][1]) / 2
            peer = quickest_peer(source, target, folder, repeats)
            beside = (f"{peer[1]} | {peer[0] * 1e3:.0f} | {wall / peer[0]:.2f}" if peer else "none | | ")
            print(f"| {source} | {target} | {wall * 1e3:.0f} | {slower * 1e3:.0f} | {half * 1e3:.0f} | "
                  f"{wall / (1.15 * max(slower, half)):.2f} | {beside} |", flush=True)


main()
