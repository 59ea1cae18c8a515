#!/usr/bin/env python3
"""Rehearses a large migration on clusters of this machine: workers are killed, disks become full, jobs are restarted to their end, and
`xwalk verify` proves the result.

usage: bench/rehearsal.py XWALK [--rows N] [--files N] [--folder DIR] [--only spark,ray] [--update]

Spark runs as a cluster of three worker processes, Ray as one of two nodes. Rows of YSON are converted to Skiff. The disk that becomes full
is a tmpfs, which needs root. `--update` writes the table to docs/how-to/ten-terabytes.md.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from typing import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEPS = pathlib.Path(os.environ.get("XWALK_DEPS", ROOT / ".deps"))
PAGE = ROOT / "docs" / "how-to" / "ten-terabytes.md"
#: The variable that marks the processes of a job, which may be killed.
MARK = "XWALK_REHEARSAL"
#: Words in the command lines of the processes that run tasks.
WORKERS = {"spark": "CoarseGrainedExecutorBackend", "ray": "ray::"}

SPARK_JOB = """
import os, sys
from pyspark.sql import SparkSession
source, out, local, parts = sys.argv[1:]
builder = SparkSession.builder.master("local-cluster[3,1,1024]")
for key, value in {
    "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.memory": "768m", "spark.local.dir": local, "spark.log.level": "ERROR", "spark.ui.showConsoleProgress": "false",
    "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"], "spark.sql.warehouse.dir": local,
}.items():
    builder = builder.config(key, value)
os.chdir(local)
spark = builder.getOrCreate()
frame = spark.read.format("xwalk").option("split_bytes", 16 << 20).load(source)
frame.write.format("xwalk").option("format", "skiff").mode("append").save(out)
"""

RAY_JOB = """
import os, sys
import ray
from ray.cluster_utils import Cluster
source, out, local, parts = sys.argv[1:]
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 1 << 30, "include_dashboard": False})
cluster.add_node(num_cpus=1, object_store_memory=1 << 30)
ray.init(address=cluster.address, log_to_driver=False)
ray.data.DataContext.get_current().enable_progress_bars = False
import xwalk.ray
rows = xwalk.ray.read(source, split_bytes=16 << 20, ray_options={"override_num_blocks": int(parts)})
xwalk.ray.write(rows, out, to="skiff")
ray.shutdown()
cluster.shutdown()
"""

GENERATE = """
import sys
import numpy, pyarrow as pa, xwalk
rows, files, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
for number in range(files):
    ids = numpy.arange(number * rows // files, (number + 1) * rows // files)
    words = pa.array([f"word {n};" for n in range(1000)])
    tags = pa.DictionaryArray.from_arrays(pa.array((ids * 7919) % 1000, pa.int32()), words).cast(pa.string())
    table = pa.table({
        "id": pa.array(ids, pa.int64()), "u": pa.array(ids.astype("uint64") * numpy.uint64(0x9E3779B97F4A7C15)),
        "name": pa.array(numpy.char.add("name\\n{", ids.astype("U"))), "day": pa.array(ids % 20000, pa.int32()).cast(pa.date32()),
        "tags": pa.ListArray.from_arrays(pa.array(numpy.arange(len(ids) + 1) * 1, pa.int32()), tags),
        "rate": pa.array(ids / 7.0),
    })
    xwalk.convert(table, f"{folder}/part-{number:05d}.yson", threads=1)
"""


def marked(mark: str, word: str) -> list[int]:
    """Returns the processes of a job that have a word in their command line."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes() and word.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def size_of(folder: pathlib.Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class Job:
    """A job on a cluster, in processes of its own."""

    def __init__(self, engine: str, xwalk: pathlib.Path, source: pathlib.Path, out: pathlib.Path, local: pathlib.Path,
                 parts: int) -> None:
        self.engine, self.out = engine, out
        self.mark = uuid.uuid4().hex
        local.mkdir(parents=True, exist_ok=True)
        python = DEPS / ("venv" if engine == "spark" else "clusters-venv") / "bin" / "python"
        environment = {**os.environ, MARK: self.mark, "PYTHONPATH": str(xwalk.parent / "python"), "SPARK_LOCAL_IP": "127.0.0.1",
                       "PYSPARK_PYTHON": str(python), "PYSPARK_DRIVER_PYTHON": str(python), "SPARK_WORKER_DIR": str(local / "work")}
        if engine == "spark":
            where = subprocess.run([python, "-c", "import pyspark; print(pyspark.__path__[0])"], check=True, capture_output=True, text=True)
            environment["SPARK_HOME"] = where.stdout.strip()
        self.log = local / "job.log"
        self.begin = time.monotonic()
        with open(self.log, "wb") as log:
            words = [python, "-c", SPARK_JOB if engine == "spark" else RAY_JOB, *map(str, (source, out, local, parts))]
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=environment, start_new_session=True)

    def wait_for_files(self, count: int) -> None:
        """Waits until tasks have begun to write files that are not visible yet."""
        while self.process.poll() is None and len(list(self.out.glob("_xwalk-*/*.skiff"))) < count:
            time.sleep(0.2)
        if self.process.poll() is not None:
            raise SystemExit(f"the job ended too early: give more rows. Its log:\n{self.log.read_text()[-3000:]}")

    def kill_worker(self) -> None:
        """Kills a process that runs tasks."""
        workers = marked(self.mark, WORKERS[self.engine])
        busy = [pid for pid in workers if self.engine == "spark" or b"Xwalk" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()]
        os.kill((busy or workers)[0], signal.SIGKILL)

    def kill_driver(self) -> None:
        """Kills the driver, and then what is left of its processes."""
        self.process.kill()
        self.process.wait()
        for pid in marked(self.mark, ""):
            os.kill(pid, signal.SIGKILL)

    def wait(self) -> tuple[bool, float]:
        """Returns whether the job succeeded, and the seconds since its begin."""
        done = self.process.wait() == 0
        seconds = time.monotonic() - self.begin
        for pid in marked(self.mark, ""):
            os.kill(pid, signal.SIGKILL)
        return done, seconds


class Rehearsal:
    def __init__(self, xwalk: pathlib.Path, folder: pathlib.Path, rows: int, files: int) -> None:
        self.xwalk, self.folder, self.rows, self.files = xwalk, folder, rows, files
        self.source = folder / "in"
        self.table: list[tuple[str, str, str, str]] = []

    def generate(self) -> None:
        self.source.mkdir()
        environment = {**os.environ, "PYTHONPATH": str(self.xwalk.parent / "python")}
        subprocess.run([DEPS / "venv" / "bin" / "python", "-c", GENERATE, str(self.rows), str(self.files), str(self.source)], check=True,
                       env=environment)
        self.bytes = size_of(self.source)
        print(f"{self.rows:,} rows, {self.bytes / 1e9:.2f} GB of YSON in {self.files} files")

    def add(self, engine: str, what: str, seconds: float, result: str) -> None:
        self.table.append((engine, what, f"{seconds:.0f}", result))
        print(*self.table[-1], sep=" | ", flush=True)

    def job(self, engine: str, out: pathlib.Path) -> Job:
        return Job(engine, self.xwalk, self.source, out, self.folder / f"{engine}-{uuid.uuid4().hex[:6]}", max(1, self.bytes >> 24))

    def prove(self, engine: str, out: pathlib.Path) -> None:
        """Compares the output with the input, row by row."""
        begin = time.monotonic()
        words = [self.xwalk, "verify", *sorted(self.source.glob("*.yson")), out, "--key", "id", "--to", "skiff", "--proof",
                 self.folder / "proof.json"]
        done = subprocess.run(words, capture_output=True, text=True)
        last = (done.stdout.strip() or done.stderr.strip()).splitlines()[0]
        if done.returncode != 0 or f"{self.rows}" not in last.replace(" ", "").replace(",", ""):
            raise SystemExit(f"expected {self.rows} verified rows, found:\n{done.stdout}{done.stderr}")
        self.add(engine, "`xwalk verify`", time.monotonic() - begin, f"{self.rows:,} rows verified")

    def run(self, engine: str) -> None:
        self.worker_killed(engine)
        self.driver_killed(engine)
        self.disk_full(engine)

    def worker_killed(self, engine: str) -> None:
        out = self.folder / f"{engine}-out"
        job = self.job(engine, out)
        job.wait_for_files(3)
        job.kill_worker()
        done, seconds = job.wait()
        if not done or len(list(out.glob("_xwalk-*"))) or not (out / "_SUCCESS").exists():
            raise SystemExit(f"expected a complete output, found:\n{job.log.read_text()[-3000:]}")
        self.add(engine, "a worker killed", seconds, f"complete, {size_of(out) / 1e9:.2f} GB written")
        self.prove(engine, out)
        shutil.rmtree(out)

    def driver_killed(self, engine: str) -> None:
        """A killed driver leaves no file that a reader sees. The job runs again on the same folder."""
        out = self.folder / f"{engine}-driver"
        job = self.job(engine, out)
        job.wait_for_files(3)
        job.kill_driver()
        seconds = time.monotonic() - job.begin
        visible = list(out.glob("*.skiff"))
        if visible or not list(out.glob("_xwalk-*")):
            raise SystemExit(f"expected only the folder of the job, found {visible}")
        self.add(engine, "the driver killed", seconds, "no file visible")
        self.again(engine, out)

    def again(self, engine: str, out: pathlib.Path) -> None:
        done, seconds = (job := self.job(engine, out)).wait()
        if not done:
            raise SystemExit(f"expected a complete output, found:\n{job.log.read_text()[-3000:]}")
        self.add(engine, "run again", seconds, "complete")
        self.prove(engine, out)
        shutil.rmtree(out, ignore_errors=True)  # a mounted folder is emptied

    def disk_full(self, engine: str) -> None:
        """A full disk ends the job without a file. With more room, it runs again."""
        if os.geteuid() != 0:
            print(f"{engine}: not root, so that no small disk can be mounted")
            return
        out = self.folder / f"{engine}-small"
        out.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.bytes // 8}", "tmpfs", out]).returncode != 0:
            print(f"{engine}: tmpfs cannot be mounted")
            return
        try:
            done, seconds = (job := self.job(engine, out)).wait()
            if done or any(out.iterdir()) or "No space left" not in job.log.read_text():
                raise SystemExit(f"expected an error and nothing in the folder, found:\n{job.log.read_text()[-3000:]}")
            self.add(engine, "the disk full", seconds, "the job failed, nothing left")
            subprocess.run(["mount", "-o", f"remount,size={self.bytes * 2}", out], check=True)
            self.again(engine, out)
        finally:
            subprocess.run(["umount", out])

    def lines(self) -> Iterator[str]:
        yield f"{self.rows:,} rows, {self.bytes / 1e9:.1f} GB of YSON to Skiff:"
        yield ""
        yield "| cluster | step | seconds | result |"
        yield "|---|---|---|---|"
        for row in self.table:
            yield f"| {' | '.join((row[0].capitalize(), *row[1:]))} |"
        yield ""
        yield f"{platform.machine()}, {os.cpu_count()} cores, load average {os.getloadavg()[2]:.0f} (15 minutes)."


def update(lines: list[str]) -> None:
    begin, end = "<!-- made by bench/rehearsal.py -->\n", "<!-- end of the table by bench/rehearsal.py -->"
    text = PAGE.read_text()
    before, rest = text.split(begin)
    PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + rest.split(end)[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("xwalk", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--folder", type=pathlib.Path, help="where files are written (default: the temporary folder)")
    parser.add_argument("--only", default="spark,ray")
    parser.add_argument("--update", action="store_true")
    given = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-rehearsal-", dir=given.folder))
    try:
        rehearsal = Rehearsal(given.xwalk.resolve(), folder, given.rows, given.files)
        rehearsal.generate()
        for engine in given.only.split(","):
            rehearsal.run(engine)
        lines = list(rehearsal.lines())
        print("\n".join(lines))
        if given.update:
            update(lines)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
