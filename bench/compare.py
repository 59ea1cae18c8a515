"""Measures xwalk, memcpy and peers on the same rows in one run, and prints a table of ratios.

    make bench-compare                                    # builds what it needs and runs this
    bench/compare.py --build build/bench [--only TEXT] [--convert build/release/xwalk]

1,000,000 rows of 8 columns (bench/rows.h). One thread on one core, 2 warm-ups, the median of 9;
time is the processor time of the process, so that other work on the machine disturbs little. A peer
that is not installed is left out with a word. `--convert` adds whole conversions of files on all
cores, in wall time, beside DuckDB and pyarrow.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WARM_UPS = 2
RUNS = 9
ROWS = 1_000_000
COLUMNS = {"id": "int64", "hash": "uint64", "score": "double", "flag": "bool", "city": "utf8",
           "token": "utf8", "parent": "int64", "time": "uint64"}


# --- peers: each yields a function that does the work once ---------------------------------------

def chdb_columns() -> str:
    words = {"int64": "Int64", "uint64": "UInt64", "double": "Float64", "bool": "Bool", "utf8": "String"}
    return ", ".join(f"{column} " + ("Nullable(Int64)" if column == "parent" else words[kind])
                     for column, kind in COLUMNS.items())


def chdb_read(data: pathlib.Path, name: str):
    import chdb
    query = (f"SELECT * FROM file('{data / name}', JSONEachRow, '{chdb_columns()}') "
             "SETTINGS max_threads = 1, input_format_parallel_parsing = 0 FORMAT Null")
    return lambda: chdb.query(query)


def chdb_write(data: pathlib.Path, name: str):
    from chdb import session
    held = session.Session()
    held.query("CREATE DATABASE b ENGINE = Memory")
    held.query(f"CREATE TABLE b.t ({chdb_columns()}) ENGINE = Memory")
    held.query(f"INSERT INTO b.t SELECT * FROM file('{data / name}', JSONEachRow, '{chdb_columns()}')")
    query = ("SELECT * FROM b.t INTO OUTFILE '/dev/null' TRUNCATE FORMAT JSONEachRow SETTINGS "
             "max_threads = 1, output_format_parallel_formatting = 0, output_format_json_quote_64bit_integers = 0")
    return lambda: held.query(query)


def duckdb_connection():
    import duckdb
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    return connection


DUCKDB_WORDS = {"int64": "BIGINT", "uint64": "UBIGINT", "double": "DOUBLE", "bool": "BOOLEAN", "utf8": "VARCHAR"}


def duckdb_source(data: pathlib.Path, name: str) -> str:
    columns = ", ".join(f"{column}: '{DUCKDB_WORDS[kind]}'" for column, kind in COLUMNS.items())
    return f"read_json('{data / name}', format = 'newline_delimited', columns = {{{columns}}})"


def duckdb_read(data: pathlib.Path, name: str):
    connection = duckdb_connection()
    source = duckdb_source(data, name)

    def run():
        for _ in connection.execute(f"SELECT * FROM {source}").to_arrow_reader(65536):
            pass
    return run


def duckdb_write(data: pathlib.Path, name: str):
    connection = duckdb_connection()
    connection.execute(f"CREATE TABLE t AS SELECT * FROM {duckdb_source(data, name)}")
    out = data / "duckdb.out.json"
    return lambda: connection.execute(f"COPY t TO '{out}' (FORMAT json)")


def polars_schema():
    import polars
    words = {"int64": polars.Int64, "uint64": polars.UInt64, "double": polars.Float64,
             "bool": polars.Boolean, "utf8": polars.String}
    return {column: words[kind] for column, kind in COLUMNS.items()}


def polars_read(data: pathlib.Path, name: str):
    import polars
    schema = polars_schema()
    return lambda: polars.read_ndjson(data / name, schema=schema)


def polars_write(data: pathlib.Path, name: str):
    import io
    import polars
    frame = polars.read_ndjson(data / name, schema=polars_schema())
    return lambda: frame.write_ndjson(io.BytesIO())


def pyarrow_read(data: pathlib.Path, name: str):
    import pyarrow
    import pyarrow.json
    words = {"double": "float64", "bool": "bool_"}
    schema = pyarrow.schema([(column, getattr(pyarrow, words.get(kind, kind))())
                             for column, kind in COLUMNS.items()])
    parse = pyarrow.json.ParseOptions(explicit_schema=schema)
    read = pyarrow.json.ReadOptions(use_threads=False)
    return lambda: pyarrow.json.read_json(data / name, read_options=read, parse_options=parse)


def ytsaurus_split(data: pathlib.Path, name: str):
    import yt_yson_bindings

    def run():
        with open(data / name, "rb") as rows:
            for _ in yt_yson_bindings.load(rows, yson_type="list_fragment", raw=True):
                pass
    return run


def ytsaurus_load(data: pathlib.Path, name: str):
    import yt_yson_bindings

    def run():
        with open(data / name, "rb") as rows:
            for _ in yt_yson_bindings.load(rows, yson_type="list_fragment"):
                pass
    return run


def ytsaurus_dump(data: pathlib.Path, name: str):
    import itertools
    import yt_yson_bindings
    yson_format = "binary" if ".bin." in name else "text"
    with open(data / name, "rb") as source:
        # A tenth of the rows: as Python objects all of them take gigabytes.
        rows = list(itertools.islice(yt_yson_bindings.load(source, yson_type="list_fragment"), ROWS // 10))
    return lambda: yt_yson_bindings.dumps(rows, yson_type="list_fragment", yson_format=yson_format)


def run_peer(function: str, data: pathlib.Path, name: str, pin: bool) -> None:
    if pin:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    work = globals()[function](data, name)
    times = []
    for _ in range(WARM_UPS + RUNS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    scale = 10 if function == "ytsaurus_dump" else 1
    print(json.dumps(scale * statistics.median(times[WARM_UPS:])))


# --- measuring ----------------------------------------------------------------------------------

def measure_ours(program: pathlib.Path) -> dict[str, tuple[float, float]]:
    """Returns seconds and bytes of each benchmark of a program."""
    core = max(os.sched_getaffinity(0))
    result = subprocess.run(
        [program, "--benchmark_format=json", "--benchmark_min_time=0.000001",
         f"--benchmark_repetitions={WARM_UPS + RUNS}"],
        capture_output=True, text=True, check=True, preexec_fn=lambda: os.sched_setaffinity(0, {core}))
    runs: dict[str, list[tuple[float, float]]] = {}
    for entry in json.loads(result.stdout)["benchmarks"]:
        if entry["run_type"] != "iteration":
            continue
        seconds = entry["cpu_time"] / {"ms": 1e3, "us": 1e6, "ns": 1e9}[entry["time_unit"]]
        runs.setdefault(entry["run_name"], []).append((seconds, entry["bytes_per_second"] * seconds))
    return {name: (statistics.median(s for s, _ in values[WARM_UPS:]), values[-1][1])
            for name, values in runs.items()}


def measure_peer(function: str, data: pathlib.Path, name: str) -> float | None:
    environment = dict(os.environ, POLARS_MAX_THREADS="1", OMP_NUM_THREADS="1")
    result = subprocess.run([sys.executable, __file__, "--peer", function, str(data), name],
                            capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        words = (result.stderr.strip().splitlines() or ["failed"])[-1]
        print(f"{function} {name}: left out: {words}", file=sys.stderr)
        return None
    return json.loads(result.stdout.strip().splitlines()[-1])


def print_table(title: str, rows: list[tuple[str, float, float]], base: str, copy: float) -> None:
    """Rows are name, seconds, bytes; ratios are to the row named `base` and to memcpy's bytes/s."""
    seconds = {name: value for name, value, _ in rows}
    print(f"\n### {title}\n")
    print(f"| | million rows/s | GB/s | of memcpy | rows/s against {base} |\n|---|---|---|---|---|")
    for name, value, size in rows:
        ratio = f"{seconds[base] / value:.2f} ×" if base in seconds else ""
        print(f"| {name} | {ROWS / value / 1e6:.2f} | {size / value / 1e9:.2f} "
              f"| {size / value / copy:.3f} | {ratio} |")


def compare_rows(build: pathlib.Path, data: pathlib.Path, only: str) -> None:
    ours = measure_ours(build / "bench" / "yson_rows_bench")
    scan = measure_ours(build / "bench" / "yson_scan_bench")
    subprocess.run([build / "bench" / "yson_rows_bench", "--benchmark_filter=^$"], check=False,
                   capture_output=True, env=dict(os.environ, XWALK_BENCH_WRITE=str(data)))
    copy = ours["copy/binary"][1] / ours["copy/binary"][0]
    print(f"memcpy: {copy / 1e9:.2f} GB/s")

    def peers(pairs):
        for label, function, name in pairs:
            if only and only not in label:
                continue
            seconds = measure_peer(function, data, name)
            if seconds is not None:
                yield label, seconds, float((data / name).stat().st_size)

    def own(pairs, measured):
        return [(label, *measured[name]) for label, name in pairs]

    print_table("YSON rows to Arrow: keys in order, ASCII", own([
        ("xwalk, YSON binary", "read/binary"), ("xwalk, YSON text", "read/text")], ours) + list(peers([
            ("ClickHouse JSONEachRow", "chdb_read", "rows.json"),
            ("DuckDB read_json", "duckdb_read", "rows.json"),
            ("Polars read_ndjson", "polars_read", "rows.json"),
            ("pyarrow.json", "pyarrow_read", "rows.json"),
            ("ytsaurus-yson binary to Python", "ytsaurus_load", "rows.bin.yson"),
            ("ytsaurus-yson text to Python", "ytsaurus_load", "rows.yson")])),
        "ClickHouse JSONEachRow", copy)
    print_table("YSON rows to Arrow: keys shuffled in each row, escapes, text beyond ASCII", own([
        ("xwalk, YSON binary", "read/binary_hard"), ("xwalk, YSON text", "read/text_hard")], ours)
        + list(peers([
            ("ClickHouse JSONEachRow", "chdb_read", "hard.json"),
            ("DuckDB read_json", "duckdb_read", "hard.json"),
            ("Polars read_ndjson", "polars_read", "hard.json"),
            ("pyarrow.json", "pyarrow_read", "hard.json")])),
        "ClickHouse JSONEachRow", copy)
    print_table("Rows told apart, not decoded", own([
        ("xwalk, splitting binary", "split/binary"), ("xwalk, splitting text", "split/text"),
        ("xwalk, checking binary", "skip/binary"), ("xwalk, checking text", "skip/text"),
        ("xwalk, tokens of binary", "tokens/binary"), ("xwalk, tokens of text", "tokens/text")], scan)
        + list(peers([
            ("ytsaurus-yson raw binary", "ytsaurus_split", "rows.bin.yson"),
            ("ytsaurus-yson raw text", "ytsaurus_split", "rows.yson")])),
        "ytsaurus-yson raw binary", copy)
    print_table("Arrow to rows", own([
        ("xwalk, YSON binary", "write/binary"), ("xwalk, YSON text", "write/text"),
        ("xwalk, YSON text with escapes", "write/text_hard")], ours) + list(peers([
            ("ClickHouse JSONEachRow", "chdb_write", "rows.json"),
            ("DuckDB COPY TO json", "duckdb_write", "rows.json"),
            ("Polars write_ndjson", "polars_write", "rows.json"),
            ("ytsaurus-yson binary from Python", "ytsaurus_dump", "rows.bin.yson"),
            ("ytsaurus-yson text from Python", "ytsaurus_dump", "rows.yson")])),
        "ClickHouse JSONEachRow", copy)


def wall(work) -> float:
    times = []
    for _ in range(WARM_UPS + RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times[WARM_UPS:])


def peak_memory(command: list) -> float:
    """The largest resident size of a program, in MB, looked at while it runs: what the system counts for a child begins
    with the size of the parent that it is forked from."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            if pathlib.Path(f"/proc/{process.pid}/comm").read_text().strip() == pathlib.Path(command[0]).name:
                peak = max(peak, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")))
        except (OSError, TypeError):
            pass
        time.sleep(0.002)
    return peak / 1024


def compare_files(program: pathlib.Path, flights: pathlib.Path, data: pathlib.Path) -> None:
    import duckdb
    import pyarrow.parquet
    threads = len(os.sched_getaffinity(0))
    connection = duckdb.connect()
    connection.execute(f"SET threads = {threads}")
    yson, back = data / "flights.yson", data / "flights.back.parquet"
    lines, from_lines, from_memory = (data / name for name in ("flights.json", "lines.parquet", "memory.parquet"))
    columns = ", ".join(f"{row[0]}: '{row[1]}'" for row in connection.execute(
        f"DESCRIBE SELECT * FROM '{flights}'").fetchall())

    def ours(*words):
        subprocess.run([program, "convert", *map(str, words), "--overwrite"], check=True, stderr=subprocess.DEVNULL)

    write = wall(lambda: ours(flights, yson))
    write_peer = wall(lambda: connection.execute(f"COPY (FROM '{flights}') TO '{lines}' (FORMAT json)"))
    read = wall(lambda: ours(yson, back))
    read_peer = wall(lambda: connection.execute(
        f"COPY (FROM read_json('{lines}', format = 'newline_delimited', columns = {{{columns}}})) "
        f"TO '{from_lines}' (FORMAT parquet)"))
    table = pyarrow.parquet.read_table(flights)
    memory = wall(lambda: pyarrow.parquet.write_table(table, from_memory))
    print(f"\n### Whole files: {flights.name}, {table.num_rows:,} rows, {threads} cores, wall time\n")
    print("| | seconds | against |\n|---|---|---|")
    print(f"| xwalk convert {flights.name} out.yson | {write:.3f} | {write_peer / write:.2f} × DuckDB |")
    print(f"| DuckDB COPY … TO newline JSON | {write_peer:.3f} | |")
    print(f"| xwalk convert out.yson out.parquet | {read:.3f} | {read_peer / read:.2f} × DuckDB, "
          f"{read / memory:.2f} of pyarrow's time |")
    print(f"| DuckDB newline JSON to Parquet | {read_peer:.3f} | |")
    print(f"| pyarrow table in memory to Parquet | {memory:.3f} | |")
    print(f"\nPeak memory: {peak_memory([program, 'convert', flights, yson, '--overwrite']):.0f} MB writing YSON, "
          f"{peak_memory([program, 'convert', yson, back, '--overwrite']):.0f} MB reading it.")
    ten = data / "ten.yson"
    with open(ten, "wb") as out:
        for _ in range(10):
            with open(yson, "rb") as part:
                shutil.copyfileobj(part, out, 1 << 24)
    shutil.copy(f"{yson}.schema", f"{ten}.schema")
    print(f"Ten times the rows: {peak_memory([program, 'convert', ten, back]):.0f} MB reading.")
    start = wall(lambda: subprocess.run([program, "type", "Optional<Int64>", "--from", "yt"], check=True,
                                        stdout=subprocess.DEVNULL))
    print(f"`xwalk type`: {start * 1e3:.1f} ms.")


def main() -> None:
    if sys.argv[1:2] == ["--peer"]:
        run_peer(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4], pin=True)
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench")
    parser.add_argument("--only", default="", help="peers whose name holds this")
    parser.add_argument("--convert", type=pathlib.Path, help="the program, for whole files")
    parser.add_argument("--flights", type=pathlib.Path, default=ROOT / ".deps" / "data" / "flights-3m.parquet")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="xwalk-bench-") as folder:
        compare_rows(arguments.build, pathlib.Path(folder), arguments.only)
        if arguments.convert:
            compare_files(arguments.convert, arguments.flights, pathlib.Path(folder))


if __name__ == "__main__":
    main()
