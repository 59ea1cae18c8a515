#!/usr/bin/env python3
"""Measures what tasks of a cluster and its driver need: a proof by tasks compared with reading both sides once by the same tasks, the
driver of a job with many files, and the memory of a task.

usage: bench/tasks.py XWALK [--rows N] [--files N] [--rounds N] [--many N] [--folder DIR] [--only proof,driver,memory] [--on spark,ray] [--update]

Spark runs as a cluster of two worker processes, Ray with two processors. `--update` writes the tables to docs/how-to/ten-terabytes.md.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from typing import Any, Iterator

from rehearsal import DEPS, GENERATE, PAGE

#: What jobs share. A task reads its parts or adds up their checksums.
COMMON = """
import json, os, pickle, sys, time
import pyarrow as pa
import xwalk
from xwalk._task_verify import TaskVerifier

def read(parts):
    rows = 0
    for part in parts:
        file = part.file
        given = {} if file.part is None else {"part": file.part}
        for batch in pa.RecordBatchReader.from_stream(xwalk.open(file.path, threads=1, **given)):
            rows += batch.num_rows
    return rows

def measure(source, out, rounds, read_all, prove):
    found = {"read": [], "prove": []}
    for number in range(int(rounds) + 1):
        for name, call in (("read", read_all), ("prove", prove)):
            begin = time.monotonic()
            call()
            if number:  # the first round starts the workers
                found[name].append(time.monotonic() - begin)
    print("FOUND", json.dumps(found), flush=True)
"""

SPARK_JOB = COMMON + """
import logging
from pyspark import cloudpickle
from pyspark.sql import SparkSession
import xwalk.spark
cloudpickle.register_pickle_by_value(sys.modules[__name__])
source, out, local, rounds = sys.argv[1:]
builder = SparkSession.builder.master("local-cluster[2,1,1024]")
for key, value in {
    "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "768m", "spark.local.dir": local, "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false",
    "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"], "spark.sql.warehouse.dir": local,
}.items():
    builder = builder.config(key, value)
os.chdir(local)
spark = builder.getOrCreate()

def reading(batches):
    for batch in batches:
        for parts in batch.column("parts").to_pylist():
            yield pa.record_batch({"rows": pa.array([read(pickle.loads(parts))], pa.int64())})

def read_all():
    verifier = TaskVerifier(source, out, 64 << 20, None, {"to": "skiff"}, logging.getLogger("bench"), "Spark")
    tasks = [(number, pickle.dumps(parts)) for number, parts in enumerate(verifier.tasks())]
    frame = spark.createDataFrame(tasks, "number long, parts binary").repartitionByRange(len(tasks), "number")
    return sum(row["rows"] for row in frame.mapInArrow(reading, "rows long").collect())

measure(source, out, rounds, read_all, lambda: xwalk.spark.verify(spark, source, out, to="skiff").raise_for())
"""

RAY_JOB = COMMON + """
import logging
import ray
import xwalk.ray
source, out, local, rounds = sys.argv[1:]
ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=1 << 30, log_to_driver=False, _node_ip_address="127.0.0.1")

def read_all():
    verifier = TaskVerifier(source, out, 64 << 20, None, {"to": "skiff"}, logging.getLogger("bench"), "Ray")
    task = ray.remote(read)
    return sum(ray.get([task.remote(parts) for parts in verifier.tasks()]))

measure(source, out, rounds, read_all, lambda: xwalk.ray.verify(source, out, to="skiff").raise_for())
ray.shutdown()
"""

#: The driver of a job without its cluster: plans, cuts, and makes the files of tasks visible.
DRIVER_JOB = """
import json, logging, os, resource, sys, time
import pyarrow as pa
import xwalk
from xwalk._task_folder import found_files
from xwalk._task_read import PlannedRead, TaskReader, arrow_of, open_rows
from xwalk._task_write import TaskWriter, Written
source, out, _, _ = sys.argv[1:]
log = logging.getLogger("bench")
steps = []

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

def step(name, call):
    before, wall = time.process_time(), time.monotonic()
    done = call()
    steps.append((name, time.process_time() - before, time.monotonic() - wall, peak()))
    return done

base = peak()
def plan():
    found = found_files([source])
    rows = open_rows(found, {})
    return TaskReader(found, arrow_of(rows, {}), {}, log, PlannedRead.of(rows))
reader = step("find the files, plan, log the report", plan)
parts = step("cut them into parts, by their footers", reader.parts)
schema = pa.schema(xwalk.open(parts[0].path))
writer = TaskWriter(out, schema, False, {"format": "parquet"}, log)
written = []
for number, part in enumerate(parts):
    name = f"part-{number:06d}-{writer._job}-x.parquet"
    os.link(part.path, writer._folder.path_of(name))
    written.append(Written([name], 1))
step("make as many files of tasks visible", lambda: writer.commit(written))
print("FOUND", json.dumps({"base": base, "steps": steps, "files": len(parts)}), flush=True)
"""

#: A task that reads a part, and one that writes a file of it.
MEMORY_JOB = """
import json, resource, subprocess, sys
import pyarrow as pa
import xwalk
source, out, form, _ = sys.argv[1:]
cut = "import json, sys, xwalk; print(json.dumps(xwalk.parts(sys.argv[1])[0]))"
part = json.loads(subprocess.check_output([sys.executable, "-c", cut, source]))
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
rows = xwalk.open(source, threads=1, part=part)
if form == "read":
    count = sum(batch.num_rows for batch in pa.RecordBatchReader.from_stream(rows))
else:
    count = xwalk.convert(rows, out, threads=1).rows
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
print("FOUND", json.dumps({"base": base, "peak": peak, "rows": count}), flush=True)
"""


class Bench:
    def __init__(self, xwalk: pathlib.Path, folder: pathlib.Path, given: argparse.Namespace) -> None:
        self.xwalk, self.folder, self.given = xwalk, folder, given
        self.source, self.out = folder / "in", folder / "out"
        self.lines: list[str] = []

    def run(self, code: str, source: pathlib.Path, out: pathlib.Path, word: str, rounds: int = 0, venv: str = "venv") -> dict[str, Any]:
        """Runs a script in a process of its own, and returns what it has found."""
        python = DEPS / venv / "bin" / "python"
        environment = {**os.environ, "PYTHONPATH": str(self.xwalk.parent / "python"), "SPARK_LOCAL_IP": "127.0.0.1",
                       "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python), "SPARK_WORKER_DIR": str(self.folder / "work")}
        if code is SPARK_JOB:
            where = subprocess.run([python, "-c", "import pyspark; print(pyspark.__path__[0])"], check=True, capture_output=True, text=True)
            environment["SPARK_HOME"] = where.stdout.strip()
        script = self.folder / "job.py"
        script.write_text(code)
        done = subprocess.run([python, script, source, out, word, str(rounds)], capture_output=True, text=True, env=environment)
        found = [line for line in done.stdout.splitlines() if line.startswith("FOUND ")]
        if done.returncode != 0 or not found:
            raise SystemExit(f"the job failed:\n{done.stdout[-2000:]}{done.stderr[:3000]}\n…\n{done.stderr[-2000:]}")
        answer: dict[str, Any] = json.loads(found[0].removeprefix("FOUND "))
        return answer

    def generate(self) -> None:
        self.source.mkdir()
        environment = {**os.environ, "PYTHONPATH": str(self.xwalk.parent / "python")}
        subprocess.run([DEPS / "venv" / "bin" / "python", "-c", GENERATE, str(self.given.rows), str(self.given.files), str(self.source)],
                       check=True, env=environment)

    def proof(self) -> None:
        self.out.mkdir()
        for file in sorted(self.source.glob("*.yson")):
            subprocess.run([self.xwalk, "convert", file, self.out / f"{file.stem}.skiff", "-q"], check=True)
        self.lines += [f"{self.given.rows:,} rows of YSON and Skiff, seconds (median of {self.given.rounds}):", "",
                       "| cluster | both sides read once by the tasks | proof by the same tasks | ratio |", "|---|---|---|---|"]
        for engine in self.given.on.split(","):
            local = self.folder / f"local-{engine}"
            local.mkdir()
            venv, code = ("venv", SPARK_JOB) if engine == "spark" else ("clusters-venv", RAY_JOB)
            found = self.run(code, self.source, self.out, str(local), self.given.rounds, venv)
            read, prove = (statistics.median(found[name]) for name in ("read", "prove"))
            self.lines.append(f"| {engine.capitalize()} | {read:.1f} | {prove:.1f} | {prove / read:.2f} |")
        self.lines.append("")

    def driver(self) -> None:
        many = self.folder / "many"
        many.mkdir()
        one = self.folder / "one.parquet"
        (self.folder / "one.yson").write_text("{a=1;b=x};" * 10)
        (self.folder / "one.yson.schema").write_text("[{name=a;type=int64};{name=b;type_v3=utf8}]")
        subprocess.run([self.xwalk, "convert", self.folder / "one.yson", one, "-q"], check=True)
        for number in range(self.given.many):
            shutil.copyfile(one, many / f"part-{number:06d}.parquet")
        found = self.run(DRIVER_JOB, many, self.folder / "many-out", "-")
        self.lines += [f"The driver of a job with {found['files']:,} files of Parquet on a local disk:", "",
                       "| step | processor seconds | seconds | most memory, MB |", "|---|---|---|---|",
                       f"| start with xwalk and pyarrow | | | {found['base']} |",
                       *(f"| {name} | {busy:.1f} | {wall:.1f} | {peak} |" for name, busy, wall, peak in found["steps"]), ""]

    def memory(self) -> None:
        file = sorted(self.source.glob("*.yson"))[0]
        self.lines += ["A task with a part of 64 MB of text YSON, one thread:", "", "| task | rows | most memory above the start, MB |", "|---|---|---|"]
        for form in ("read", "yson", "skiff", "parquet", "arrow", "vortex", "lance"):
            found = self.run(MEMORY_JOB, file, self.folder / f"task.{form}", form)
            what = "read" if form == "read" else f"read and write {form.upper() if form == 'yson' else form.capitalize()}"
            self.lines.append(f"| {what} | {found['rows']:,} | {found['peak'] - found['base']} |")
        self.lines.append("")

    def all(self) -> Iterator[str]:
        only = self.given.only.split(",")
        if {"proof", "memory"} & set(only):
            self.generate()
        for name in only:
            getattr(self, name)()
        yield from self.lines
        yield f"{platform.machine()}, {os.cpu_count()} cores, load average {os.getloadavg()[2]:.0f} (15 minutes)."


def update(lines: list[str]) -> None:
    begin, end = "<!-- made by bench/tasks.py -->\n", "<!-- end of the tables by bench/tasks.py -->"
    text = PAGE.read_text()
    before, rest = text.split(begin)
    PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("xwalk", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=30_000_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--folder", type=pathlib.Path, help="where files are written (default: the temporary folder)")
    parser.add_argument("--only", default="proof,driver,memory")
    parser.add_argument("--on", default="spark,ray")
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-tasks-", dir=given.folder))
    try:
        lines = list(Bench(given.xwalk.resolve(), folder, given).all())
        print("\n".join(lines))
        if given.update:
            update(lines)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
