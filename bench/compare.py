"""Compares xwalk with other tools in turns, so that noise is not mistaken for a difference: one command, one table, ten minutes.

    make bench-compare                                            # builds what it needs and runs this
    bench/compare.py XWALK [--build build/bench] [--only TEXT] [--rows N] [--minutes M] [--update]
    bench/compare.py XWALK --shape wide,texts|all [--share 0.3] [--only TEXT] [--rounds 5] [--update]

After a warm-up, each round runs xwalk, the other tool as a process, the other tool warm, and xwalk again, on the same cores and files, in
/dev/shm if it exists. The table has medians of processor time (all processes and threads) and the ratio of the other tool's time to
xwalk's, with quartiles, for processor time and for the clock. If the quartiles are further apart than the difference, it says *no
difference*. Other work on the machine affects the clock, and processor time far less.

*Process*: both from start to end, as a user runs them. *Warm*: only the work, each in a Python process that has done it before; xwalk is the
module next to the program. *Memory*: both without start, xwalk as a benchmark program of --build. `--rows` repeats or cuts the input. When
the time is over, the rest is skipped with a message. `--update` writes bench/results.md and the summary in bench/README.md.

`--shape` measures other tables than flights (bench/shapes.py) in the same way, whole processes only, and compares with the best of all
tools per conversion. The peak memory of a process is its own: this program is small, and a process starts with the peak of its parent.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- made by bench/compare.py -->", "<!-- end of the table by bench/compare.py -->"
LEAST, MOST = 3, 15  # turns
SHAPES = ("orders", "events", "wide", "texts", "sparse", "embeddings", "doubles")


@dataclasses.dataclass
class Cost:
    processor: float
    clock: float
    megabytes: float = 0


@dataclasses.dataclass
class Case:
    what: str
    ours: object  # a function that does it once and returns its Cost
    peer: str  # its name
    ways: tuple[str, ...]  # process, warm, memory
    script: str | None  # Python: what is imported, and `work`, the function that does it once
    threads: int = 0
    module: str = ""  # Python: `work` does it once by the module, for the way warm


# --- peers ----------------------------------------------------------------------------------------

COLUMNS = "date TIMESTAMP, delay BIGINT, distance BIGINT, origin VARCHAR, destination VARCHAR"
JSON_COLUMNS = "{" + ", ".join(f"{c.split()[0]}: '{c.split()[1]}'" for c in COLUMNS.split(", ")) + "}"
CLICKHOUSE = ("date Nullable(DateTime64(6)), delay Nullable(Int64), distance Nullable(Int64), origin Nullable(String), "
              "destination Nullable(String)")
ROWS_OF_BENCH = ("id Int64, hash UInt64, score Float64, flag Bool, city String, token String, parent Nullable(Int64), time UInt64")

DUCKDB = "import duckdb\nsql = duckdb.connect().execute\nsql('SET threads = {threads}')\nsql('SET enable_progress_bar = false')\n"
CHDB = "import chdb\n"
HELD = ("from chdb import session\nheld = session.Session()\nheld.query('CREATE DATABASE b ENGINE = Memory')\n"
        f"held.query('CREATE TABLE b.t ({ROWS_OF_BENCH}) ENGINE = Memory')\n"
        f"held.query(\"INSERT INTO b.t SELECT * FROM file('{{data}}/rows.json', JSONEachRow, '{ROWS_OF_BENCH}')\")\n")
ONE = "max_threads = 1, input_format_parallel_parsing = 0, output_format_parallel_formatting = 0"
PARQUET, LANCE, VORTEX = "import pyarrow.parquet as pq\n", "import lance\n", "import vortex\n"

JSON_BY_DUCKDB = (DUCKDB +
    "work = lambda: sql(\"COPY (FROM '{data}/in.parquet') TO '{data}/peer.json' (FORMAT json)\")")
PARQUET_BY_DUCKDB = (DUCKDB +
    f"work = lambda: sql(\"COPY (FROM read_json('{{data}}/lines.json', format = 'newline_delimited', columns = {JSON_COLUMNS}))"
    " TO '{data}/peer.parquet' (FORMAT parquet)\")")

POLARS = "import polars as pl\n"
JSON_BY_POLARS = POLARS + "work = lambda: pl.read_parquet('{data}/in.parquet').write_ndjson('{data}/peer.json')"
PARQUET_BY_POLARS = POLARS + "work = lambda: pl.read_ndjson('{data}/lines.json').write_parquet('{data}/peer.parquet', compression='snappy')"

#: From, to, the other tool and its script, as the documentation of each package suggests.
FILES = [
    ("parquet", "yson", "DuckDB, newline JSON", JSON_BY_DUCKDB),
    ("parquet", "yson", "Polars, newline JSON", JSON_BY_POLARS),
    ("parquet", "bin.yson", "DuckDB, newline JSON", JSON_BY_DUCKDB),
    ("yson", "parquet", "DuckDB, newline JSON", PARQUET_BY_DUCKDB),
    ("yson", "parquet", "Polars, newline JSON", PARQUET_BY_POLARS),
    ("bin.yson", "parquet", "DuckDB, newline JSON", PARQUET_BY_DUCKDB),
    ("json", "parquet", "DuckDB", PARQUET_BY_DUCKDB),
    ("json", "parquet", "Polars", PARQUET_BY_POLARS),
    ("parquet", "skiff", "ClickHouse, RowBinary", CHDB +
     f"work = lambda: chdb.query(\"SELECT * FROM file('{{data}}/in.parquet', Parquet, '{CLICKHOUSE}') INTO OUTFILE '{{data}}/peer.bin' TRUNCATE"
     " FORMAT RowBinary SETTINGS max_threads = {threads}\")"),
    ("skiff", "parquet", "ClickHouse, RowBinary", CHDB +
     f"work = lambda: chdb.query(\"SELECT * FROM file('{{data}}/in.bin', RowBinary, '{CLICKHOUSE}') INTO OUTFILE"
     " '{data}/peer.parquet' TRUNCATE FORMAT Parquet SETTINGS max_threads = {threads}\")"),
    ("skiff", "parquet", "pyarrow, Arrow file", PARQUET + "import pyarrow as pa\n"
     "work = lambda: pq.write_table(pa.ipc.open_file(pa.memory_map('{data}/in.arrow')).read_all(), '{data}/peer.parquet')"),
    ("parquet", "parquet", "pyarrow",
     PARQUET + "work = lambda: pq.write_table(pq.read_table('{data}/in.parquet'), '{data}/peer.parquet')"),
    ("parquet", "parquet", "Polars", POLARS +
     "work = lambda: pl.read_parquet('{data}/in.parquet').write_parquet('{data}/peer.parquet', compression='snappy')"),
    ("parquet", "parquet", "DuckDB", DUCKDB +
     "work = lambda: sql(\"COPY (FROM '{data}/in.parquet') TO '{data}/peer.parquet' (FORMAT parquet)\")"),
    ("parquet", "arrow", "pyarrow", PARQUET + "import pyarrow as pa\ndef work():\n"
     "  table = pq.read_table('{data}/in.parquet')\n"
     "  with pa.ipc.new_file('{data}/peer.arrow', table.schema) as out: out.write_table(table)"),
    ("parquet", "arrow", "Polars", POLARS + "work = lambda: pl.read_parquet('{data}/in.parquet').write_ipc('{data}/peer.arrow')"),
    ("parquet", "lance", "pyarrow + pylance", PARQUET + LANCE + "def work():\n"
     "  file = pq.ParquetFile('{data}/in.parquet')\n"
     "  lance.write_dataset(file.iter_batches(65536), '{data}/peer.lance', schema=file.schema_arrow, mode='overwrite')"),
    ("lance", "parquet", "pylance + pyarrow", PARQUET + LANCE + "def work():\n"
     "  rows = lance.dataset('{data}/in.lance').scanner(batch_size=65536).to_reader()\n"
     "  with pq.ParquetWriter('{data}/peer.parquet', rows.schema) as out:\n"
     "    for batch in rows: out.write_batch(batch)"),
    ("lance", "parquet", "pylance + pyarrow, a whole table", PARQUET + LANCE +
     "work = lambda: pq.write_table(lance.dataset('{data}/in.lance').to_table(), '{data}/peer.parquet')"),
    ("lance", "lance", "pylance", LANCE + "work = lambda: lance.write_dataset("
     "lance.dataset('{data}/in.lance').scanner(batch_size=65536).to_reader(), '{data}/peer.lance', mode='overwrite')"),
    ("parquet", "vortex", "pyarrow + vortex-data", PARQUET + VORTEX + "import pyarrow as pa\ndef work():\n"
     "  file = pq.ParquetFile('{data}/in.parquet')\n"
     "  rows = pa.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(65536))\n"
     "  vortex.io.write(rows, '{data}/peer.vortex')"),
    ("vortex", "parquet", "vortex-data + pyarrow", PARQUET + VORTEX + "def work():\n"
     "  rows = vortex.open('{data}/in.vortex').to_arrow(batch_size=65536)\n"
     "  with pq.ParquetWriter('{data}/peer.parquet', rows.schema) as out:\n"
     "    for batch in rows: out.write_batch(batch)"),
    ("vortex", "parquet", "vortex-data + pyarrow, a whole table", PARQUET + VORTEX +
     "work = lambda: pq.write_table(vortex.open('{data}/in.vortex').to_arrow().read_all(), '{data}/peer.parquet')"),
    ("vortex", "vortex", "vortex-data", VORTEX +
     "work = lambda: vortex.io.write(vortex.open('{data}/in.vortex').to_arrow(batch_size=65536), '{data}/peer.vortex')"),
    ("lance", "vortex", "pylance + vortex-data", LANCE + VORTEX + "work = lambda: vortex.io.write("
     "lance.dataset('{data}/in.lance').scanner(batch_size=65536).to_reader(), '{data}/peer.vortex')"),
    ("vortex", "lance", "vortex-data + pylance", LANCE + VORTEX + "work = lambda: lance.write_dataset("
     "vortex.open('{data}/in.vortex').to_arrow(batch_size=65536), '{data}/peer.lance', mode='overwrite')"),
]

#: Conversions of --shape: from, to, and each tool with its script. A script of FILES is found by its tool.
SHAPE_FILES = [
    ("parquet", "yson", {"DuckDB": JSON_BY_DUCKDB, "Polars": JSON_BY_POLARS}),
    ("yson", "parquet", {"DuckDB": PARQUET_BY_DUCKDB.replace(f", columns = {JSON_COLUMNS}", ""), "Polars": PARQUET_BY_POLARS}),
    ("json", "parquet", {"DuckDB": PARQUET_BY_DUCKDB.replace(f", columns = {JSON_COLUMNS}", ""), "Polars": PARQUET_BY_POLARS}),
    ("parquet", "skiff", {"ClickHouse": CHDB + "work = lambda: chdb.query(\"SELECT * FROM file('{data}/in.parquet', Parquet) INTO OUTFILE"
                          " '{data}/peer.bin' TRUNCATE FORMAT RowBinary SETTINGS max_threads = {threads}\")"}),
    ("skiff", "parquet", {"pyarrow, Arrow file": None}),
    ("parquet", "parquet", {"pyarrow": None, "Polars": None, "DuckDB": None}),
    ("parquet", "arrow", {"pyarrow": None, "Polars": None}),
    ("parquet", "lance", {"pyarrow + pylance": None}),
    ("parquet", "vortex", {"pyarrow + vortex-data": None}),
]

#: VARIANT: what is measured, what xwalk converts to what, with which options, the peer and its script. A tenth of the rows: objects of
#: five fields.
VARIANTS = [
    ("any in YSON → VARIANT in Parquet", "any.yson", "out.parquet", [], "DuckDB, JSON", DUCKDB +
     "work = lambda: sql(\"COPY (SELECT v::JSON::VARIANT AS v FROM read_json('{data}/any.json', format = 'newline_delimited', "
     "columns = {v: 'JSON'})) TO '{data}/peer.parquet' (FORMAT parquet)\")"),
    ("any in YSON → shredded VARIANT in Parquet", "any.yson", "out.parquet", ["--shred", "auto"], "DuckDB, JSON", DUCKDB +
     "work = lambda: sql(\"COPY (SELECT v::JSON::VARIANT AS v FROM read_json('{data}/any.json', format = 'newline_delimited', "
     "columns = {v: 'JSON'})) TO '{data}/peer.parquet' (FORMAT parquet)\")"),
    ("shredded VARIANT in Parquet → whole VARIANT", "shredded.parquet", "out.arrow", [], "DuckDB, its own table", DUCKDB +
     "work = lambda: sql(\"CREATE OR REPLACE TABLE t AS SELECT v FROM '{data}/shredded.parquet'\")"),
]

#: What is measured, the benchmark program, its benchmark, the peer and its script: 1,000,000 rows of bench/rows.h, one thread.
MEMORY = [
    *((f"{what} → Arrow", "yson_rows_bench", name, "ClickHouse JSONEachRow", CHDB +
       f"work = lambda: chdb.query(\"SELECT * FROM file('{{data}}/{file}', JSONEachRow, '{ROWS_OF_BENCH}') SETTINGS {ONE} FORMAT Null\")")
      for what, name, file in (("YSON binary", "read/binary", "rows.json"), ("YSON text", "read/text", "rows.json"),
                               ("hard rows, YSON binary", "read/binary_hard", "hard.json"),
                               ("hard rows, YSON text", "read/text_hard", "hard.json"))),
    *((f"Arrow → YSON {what}", "yson_rows_bench", f"write/{what}", "ClickHouse JSONEachRow", HELD +
       f"work = lambda: held.query(\"SELECT * FROM b.t INTO OUTFILE '/dev/null' TRUNCATE FORMAT JSONEachRow SETTINGS {ONE}, "
       "output_format_json_quote_64bit_integers = 0\")") for what in ("binary", "text")),
    ("Skiff → Arrow", "skiff_bench", "read_bench/mixed", "ClickHouse RowBinary", CHDB +
     f"work = lambda: chdb.query(\"SELECT * FROM file('{{data}}/rows.bin', RowBinary, '{ROWS_OF_BENCH}') SETTINGS {ONE} FORMAT Null\")"),
    ("Parquet → Arrow, flights", "parquet_read_bench", "read .*/1/process_time/real_time", "pyarrow", PARQUET +
     "work = lambda: pq.ParquetFile('{data}/in.parquet').read(use_threads=False)"),
    ("Arrow → Skiff", "skiff_bench", "write_bench/mixed", "ClickHouse RowBinary", HELD +
     f"work = lambda: held.query(\"SELECT * FROM b.t INTO OUTFILE '/dev/null' TRUNCATE FORMAT RowBinary SETTINGS {ONE}\")"),
]

#: What xwalk is asked, and what a peer does in its place.
SCHEMAS = [
    ("xwalk type", ["type", "Optional<Int64>", "--from", "yt"], None, None),
    ("xwalk schema, 5 columns", ["schema", "in.parquet"], "pyarrow",
     PARQUET + "work = lambda: print(pq.read_schema('{data}/in.parquet'))"),
    ("xwalk check, 5 columns", ["check", "in.parquet", "--to", "yt"], None, None),
    ("xwalk schema, 10,000 columns", ["schema", "wide.parquet"], "pyarrow",
     PARQUET + "work = lambda: print(pq.read_schema('{data}/wide.parquet'))"),
]


# --- measuring ------------------------------------------------------------------------------------

def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def run(command, environment=None) -> Cost:
    """Runs a process to its end. What it has waited for counts with it, as engines do."""
    files = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], [str(word) for word in command], environment or os.environ, file_actions=files)
    _, status, usage = os.wait4(child, 0)
    clock = time.perf_counter() - start
    if status != 0:
        raise OSError(f"{command}: {pathlib.Path('stderr').read_text()[-500:]}")
    return Cost(usage.ru_utime + usage.ru_stime, clock, usage.ru_maxrss / 1024)


class Warm:
    """A process that has begun, and does its work once whenever it is asked."""
    LOOP = ("import os, sys, time\nout = os.fdopen(os.dup(1), 'w')\nos.dup2(2, 1)\nfor _ in sys.stdin:\n"
            "  a, b = time.process_time(), time.perf_counter()\n  work()\n"
            "  print(time.process_time() - a, time.perf_counter() - b, file=out, flush=True)\n")

    def __init__(self, script, threads):
        self._process = subprocess.Popen([sys.executable, "-W", "ignore", "-c", script + "\n" + self.LOOP], text=True, stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=pinned(threads))

    def __call__(self) -> Cost:
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise OSError("the peer has ended")
        return Cost(*map(float, line.split()))

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def pinned(threads):
    """Returns what gives a process one core, if it should run on one."""
    return (lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})) if threads == 1 else None


def in_memory(program, name, data):
    """Returns what runs one benchmark of a program: the second of two repetitions counts."""
    command = [program, f"--benchmark_filter=^{name}$", "--benchmark_format=json", "--benchmark_min_time=0.000001",
               "--benchmark_repetitions=2"]

    def once() -> Cost:
        done = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=pinned(1),
                              env={**os.environ, "XWALK_BENCH_PARQUET": str(data / "in.parquet")})
        runs = [entry for entry in json.loads(done.stdout)["benchmarks"] if entry["run_type"] == "iteration"]
        scale = {"ms": 1e3, "us": 1e6, "ns": 1e9}[runs[-1]["time_unit"]]
        return Cost(runs[-1]["cpu_time"] / scale, runs[-1]["real_time"] / scale)
    return once


def quarters(values):
    """Returns the middle of values and the quarters around it."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return middle, low, high


def difference(ratios) -> str:
    middle, low, high = quarters(ratios)
    if high - low >= abs(middle - 1):
        return f"no difference ({low:.2f} to {high:.2f})"
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def seconds(value) -> str:
    return f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def sides_of(case, way):
    """Returns what does the work of xwalk once, and what does that of the peer if there is one."""
    if way == "process":
        command = [sys.executable, "-W", "ignore", "-c", f"{case.script}\nwork()"]
        return [case.ours, *([lambda: run(command)] if case.script else [])]
    return [Warm(case.module, case.threads) if way == "warm" else case.ours, Warm(case.script, case.threads)]


def measured(case, share):
    """Yields the rows of one case, one for each way. It takes this many seconds, or the minimum number of rounds."""
    begin = time.monotonic()
    sides = [sides_of(case, way) for way in case.ways]
    costs = []
    try:
        for turn in range(MOST + 1):
            costs.append([[side() for side in its] for its in sides])
            if turn >= LEAST and time.monotonic() - begin > share:
                break
    finally:
        for side in sum(sides, []):
            if isinstance(side, Warm):
                side.close()

    def middle(costs, what):
        return statistics.median(getattr(cost, what) for cost in costs)

    # The first turn warms up.
    for way, turns in zip(case.ways, zip(*costs[1:])):
        ours, *theirs = zip(*turns)
        megabytes = f"{middle(ours, 'megabytes'):.0f}" if ours[0].megabytes else ""
        row = [case.what, way, seconds(middle(ours, "processor")), seconds(middle(ours, "clock")), megabytes]
        for its in theirs:
            ratios = [difference([getattr(b, what) / getattr(a, what) for a, b in zip(ours, its)]) for what in ("processor", "clock")]
            row += [case.peer, seconds(middle(its, "processor")), seconds(middle(its, "clock")), *ratios]
        yield cells(*row, *([] if theirs else ["none", "", "", "", ""]), str(len(ours)))


def cells(*words):
    return "| " + " | ".join(words) + " |"


#: Conversions of the summary, each with the fastest tool of FILES.
SUMMARY = ("parquet → yson", "yson → parquet", "json → parquet", "parquet → skiff", "skiff → parquet", "parquet → parquet", "parquet → arrow",
           "parquet → lance", "lance → parquet", "parquet → vortex", "vortex → parquet", "lance → vortex")


def summary(lines):
    """Returns the table of README.md: a row per conversion of SUMMARY in `lines`, the whole table."""
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines if line.startswith("|")][2:]
    table = [cells(rows_of(lines), "xwalk", "fastest peer", "process", "ratio", "xwalk, warm", "fastest peer", "warm", "ratio"), "|" + "---|" * 9]
    for what in SUMMARY:
        row = [what]
        for way in ("process", "warm"):
            same = [cells for cells in rows if cells[:2] == [what, way]]
            best = min(same, key=lambda cells: float(cells[6]), default=None)
            row += [best[2], best[5], best[6], f"{float(best[6]) / float(best[2]):.2f}"] if best else [""] * 4
        if any(row[1:]):
            table.append(cells(*row))
    return table


def rows_of(lines):
    """Returns the first header cell, which has the number of rows."""
    return next(line for line in lines if line.startswith("|")).strip("| ").split("|")[0].strip()


def write_table(name, table, marks=(BEGIN, END)):
    """Replaces the table between the marks of a page."""
    begin, end = marks
    page = ROOT / "bench" / name
    before, rest = page.read_text().split(begin)
    page.write_text("\n".join([before + begin, *table, end]) + rest.split(end)[1])


# --- shapes ---------------------------------------------------------------------------------------

SHAPE_MARKS = BEGIN.replace("py", "py --shape"), END.replace("py", "py --shape")


def shape_peers(source, target, tools):
    """Returns pairs of a tool and the command that does its work once, as a process."""
    scripts = {peer: script for a, b, peer, script in FILES if (a, b) == (source, target)}
    data, threads = os.getcwd(), str(len(os.sched_getaffinity(0)))
    for tool, script in tools.items():
        ready = (script or scripts[tool]).replace("{data}", data).replace("{threads}", threads)
        yield tool, [sys.executable, "-W", "ignore", "-c", ready + "\nwork()"]


def measure_shape(xwalk, shape, arguments):
    """Yields a row for each conversion of a shape, in the current folder."""
    script = ROOT / "bench" / "shapes.py"
    subprocess.run([sys.executable, script, shape, "in.parquet", str(arguments.share)], check=True)
    for system in ("yson", "skiff", "arrow"):
        run([xwalk, *words_of("in.parquet", f"in.{system}")])
    python("import duckdb\nduckdb.sql(\"COPY (FROM 'in.parquet') TO 'lines.json' (FORMAT json)\")", ".")
    for source, target, tools in SHAPE_FILES:
        if arguments.only not in f"{source} → {target}":
            continue
        its = "lines.json" if source == "json" else f"in.{source}"
        commands = {"xwalk": [xwalk, *words_of(its, f"out.{target}")], **dict(shape_peers(source, target, tools))}
        costs = {name: [] for name in commands}
        for turn in range(arguments.rounds + 1):
            for name, command in [*commands.items()]:
                remove(pathlib.Path(f"out.{target}" if name == "xwalk" else f"peer.{target}"))
                try:
                    costs[name].append(run(command))
                except OSError as error:
                    print(f"{shape}, {source} → {target}: {name}: {str(error).splitlines()[-1]}", file=sys.stderr)
                    del commands[name], costs[name]
        middle = {name: [statistics.median(getattr(cost, what) for cost in its[1:]) for what in ("processor", "megabytes")]
                  for name, its in costs.items()}
        ours = middle.pop("xwalk", None)
        if ours is None or not middle:
            continue
        best, least = (min(middle.items(), key=lambda each: each[1][what]) for what in (0, 1))
        yield cells(shape, f"{source} → {target}", seconds(ours[0]), best[0], seconds(best[1][0]), f"{best[1][0] / ours[0]:.2f}",
                    f"{ours[1]:.0f}", least[0], f"{least[1][1]:.0f}", f"{least[1][1] / ours[1]:.2f}")


def compare_shapes(xwalk, arguments):
    names = SHAPES if arguments.shape == "all" else arguments.shape.split(",")
    lines = [cells("shape", "conversion", "xwalk, s", "fastest peer", "s", "ratio", "xwalk, MB", "smallest peer", "MB", "ratio"), "|" + "---|" * 10]
    print(*lines, sep="\n", flush=True)
    for shape in names:
        with tempfile.TemporaryDirectory(prefix="xwalk-bench-", dir=arguments.folder) as name:
            os.chdir(name)
            for line in measure_shape(xwalk, shape, arguments):
                lines.append(line)
                print(line, flush=True)
            os.chdir(ROOT)
    lines += ["", f"{arguments.share:g} of the rows of bench/shapes.py, medians of {arguments.rounds} rounds, {platform.machine()}, "
              f"{len(os.sched_getaffinity(0))} cores, load average {os.getloadavg()[2]:.0f} (15 minutes)."]
    print(*lines[-2:], sep="\n")
    if arguments.update:
        write_table("README.md", lines, SHAPE_MARKS)


# --- what is measured -----------------------------------------------------------------------------

def python(script, data):
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, cwd=data, stdout=subprocess.DEVNULL)


def make_inputs(xwalk, flights, rows, data, systems):
    python(f"""
import pyarrow as pa, pyarrow.parquet as pq
table = pq.read_table({str(flights)!r})
while table.num_rows < {rows}: table = pa.concat_tables([table, table])
pq.write_table(table.slice(0, {rows}), "in.parquet")
types = [pa.int64(), pa.string(), pa.float64(), pa.timestamp("us", "UTC"), pa.list_(pa.int32()), pa.decimal128(18, 4)]
pq.write_table(pa.table({{f"column_{{i}}": pa.array([None], types[i % 6]) for i in range(10_000)}}), "wide.parquet")
""", data)
    if "variant" in systems:
        make_variants(xwalk, rows // 10)
    for system in systems - {"parquet", "variant"}:
        run([xwalk, *words_of("in.parquet", f"in.{system}")])
    if systems & {"yson", "bin.yson", "json"}:
        python("import duckdb\nduckdb.sql(\"COPY (FROM 'in.parquet') TO 'lines.json' (FORMAT json)\")", data)
    if "skiff" in systems:
        python(f"""import chdb
chdb.query("SELECT * FROM file('in.parquet', Parquet, '{CLICKHOUSE}') INTO OUTFILE 'in.bin' TRUNCATE FORMAT RowBinary")""", data)


def make_variants(xwalk, rows):
    """Writes objects as YSON, as JSON and as a shredded VARIANT."""
    score = [i * 0.37 % 1 for i in range(1000)]
    with open("any.yson", "w") as yson, open("any.json", "w") as lines:
        for i in range(rows):
            number = score[i % 1000]
            yson.write(f'{{v={{id={i};user="user{i % 1000}";score={number!r};tags=[a;b;"t{i % 7}"];deep={{x={i * 3};ok=%true}}}}}};\n')
            lines.write(f'{{"v":{{"id":{i},"user":"user{i % 1000}","score":{number!r},"tags":["a","b","t{i % 7}"],"deep":'
                        f'{{"x":{i * 3},"ok":true}}}}}}\n')
    pathlib.Path("any.yson.schema").write_text("[{name=v;type_v3={type_name=optional;item=yson}}]")
    run([xwalk, *words_of("any.yson", "shredded.parquet"), "--shred", "auto"])


def words_of(source, target):
    return ["convert", source, target, "-q", "--mode", "overwrite", *(["--yson-format", "binary"] if target.endswith("bin.yson") else [])]


def cases(xwalk, build, data, only):
    """Returns the cases to measure, and the systems whose files they need."""
    threads = len(os.sched_getaffinity(0))
    found, systems = [], {"arrow"}
    module = xwalk.parent / "python"
    ways = ("process", "warm") if module.is_dir() else ("process",)

    def module_script(source, target, **options):
        """Returns Python that converts once by the module, as `words_of` says it to the program."""
        if target.endswith("bin.yson"):
            options["yson_format"] = "binary"
        return (f"import sys; sys.path.insert(0, {str(module)!r})\nimport xwalk\n"
                f"work = lambda: xwalk.convert({str(data / source)!r}, {str(data / target)!r}, mode='overwrite', **{options!r})")

    for source, target, peer, script in FILES:
        what = f"{source} → {target}"
        if only and only not in f"{what}, {peer}":
            continue
        systems.add(source)

        def convert(source=source, target=target):
            remove(data / f"out.{target}")
            return run([xwalk, *words_of(f"in.{source}", f"out.{target}")])
        ready = script.replace("{data}", str(data)).replace("{threads}", str(threads))
        found.append(Case(what, convert, peer, ways, ready, module=module_script(f"in.{source}", f"out.{target}")))
    for what, source, target, words, peer, script in VARIANTS:
        if only and only not in what:
            continue
        systems.add("variant")

        def convert_variants(source=source, target=target, words=words):
            return run([xwalk, *words_of(source, target), *words])
        ready = script.replace("{data}", str(data)).replace("{threads}", str(threads))
        found.append(Case(what, convert_variants, peer, ways, ready,
                          module=module_script(source, target, **({"shred": "auto"} if words else {}))))
    for what, words, peer, script in SCHEMAS:
        if not only or only in what:
            found.append(Case(what, lambda words=words: run([xwalk, *words]), peer or "", ("process",),
                              script and script.replace("{data}", str(data))))
    for what, program, name, peer, script in MEMORY:
        if (only and only not in f"{what}, {peer}") or not (build / program).exists():
            continue
        ready = script.replace("{data}", str(data)).replace("{threads}", "1")
        found.append(Case(what, in_memory(build / program, name, data), peer, ("memory",), ready,
                          threads=1))
    return found, systems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("xwalk", type=pathlib.Path)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "bench", help="folder of the benchmark programs")
    parser.add_argument("--only", default="", help="only conversions with this text in their name")
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--minutes", type=float, default=9, help="duration, unless the minimum number of rounds takes longer")
    parser.add_argument("--flights", type=pathlib.Path, default=ROOT / ".deps" / "data" / "flights-3m.parquet")
    parser.add_argument("--shape", help="instead of flights: names of bench/shapes.py, or all")
    parser.add_argument("--share", type=float, default=1.0, help="share of the rows of a shape")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of --shape, after one that warms up")
    parser.add_argument("--update", action="store_true", help="write bench/results.md and the summary in bench/README.md")
    arguments = parser.parse_args()
    begin = time.monotonic()
    xwalk, flights, programs = arguments.xwalk.absolute(), arguments.flights.absolute(), arguments.build.absolute() / "bench"
    os.environ.setdefault("XWALK_PYTHON", sys.executable)
    shared = pathlib.Path("/dev/shm")
    arguments.folder = shared if shared.is_dir() else None
    if arguments.shape:
        compare_shapes(xwalk, arguments)
        return
    with tempfile.TemporaryDirectory(prefix="xwalk-bench-", dir=arguments.folder) as name:
        data = pathlib.Path(name)
        os.chdir(data)
        chosen, systems = cases(xwalk, programs, data, arguments.only)
        make_inputs(xwalk, flights, arguments.rows, data, systems)
        for program in ("yson_rows_bench", "skiff_bench"):
            if any(case.ways == ("memory",) for case in chosen):
                subprocess.run([programs / program, "--benchmark_filter=^copy"], check=False, capture_output=True,
                               env={**os.environ, "XWALK_BENCH_WRITE": str(data)})
        lines = [cells(f"{arguments.rows:,} rows, seconds", "how", "xwalk, processor", "xwalk, clock", "MB", "compared with", "processor",
                       "clock", "ratio, processor", "ratio, clock", "rounds"), "|" + "---|" * 11]
        print(*lines, sep="\n", flush=True)
        for done, case in enumerate(chosen):
            left = 60 * arguments.minutes - (time.monotonic() - begin)
            if left < 0:
                print(f"skipped: {case.what}, {case.peer}: the time is over", file=sys.stderr)
                continue
            try:
                for line in measured(case, left / (len(chosen) - done)):
                    lines.append(line)
                    print(line, flush=True)
            except (OSError, subprocess.SubprocessError) as error:
                print(f"skipped: {case.what}, {case.peer}: {error}", file=sys.stderr)
        os.chdir(ROOT)
    cores, load = len(os.sched_getaffinity(0)), os.getloadavg()[2]
    lines += ["", f"{platform.machine()}, {cores} cores, load average {load:.0f} (15 minutes)."]
    print(*lines[-2:], sep="\n")
    if arguments.update:
        write_table("results.md", lines)
        write_table("README.md", [*summary(lines), *lines[-2:]])


main()
