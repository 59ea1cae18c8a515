"""Spark's writer, killed at random moments with all that it has started.

A trial: spark FORMAT overwrite|append PART. PART is the moment, as a part of the time that the same write took before. A session
takes long to start, so there are few.
"""
import contextlib
import importlib.util
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import bench
import cases

TASKS, ROWS = 4, 2_000
#: Writes the old rows, says how long that took, and writes the new ones when it is told to.
WRITER = f"""
import os, sys, time
packages, folder, format, mode = sys.argv[1:]
sys.path.insert(0, packages)
os.environ["PYTHONPATH"], os.environ["PYSPARK_PYTHON"], os.environ["SPARK_LOCAL_IP"] = packages, sys.executable, "127.0.0.1"
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate()

def write(word, folder, mode):
    rows = spark.range(0, {TASKS * ROWS}, 1, {TASKS}).selectExpr("id", f"'{{word}}' as s")
    rows.write.format("xwalk").option("format", format).mode(mode).save(folder)

write("old", folder + "-first", "append")
began = time.monotonic()
write("old", folder, "append")
print(time.monotonic() - began, flush=True)
sys.stdin.readline()
write("new", folder, mode)
"""


class Campaign:
    name = "spark"

    def __init__(self, bench_, short):
        self.bench, self.short = bench_, short
        self.packages = pathlib.Path(bench_.program).parent / "python"
        missing = [words for words, there in (("the module is not built", list(self.packages.glob("xwalk/_xwalk*.so"))),
                                              ("pyspark is not installed", importlib.util.find_spec("pyspark")),
                                              ("there is no java", shutil.which("java") or "JAVA_HOME" in os.environ)) if not there]
        self.skipped = ", ".join(missing)
        if self.skipped:
            print(f"spark: skipped: {self.skipped}")

    def trials(self, rng):
        while not self.skipped:
            yield [rng.choice(["skiff", "yson", "parquet"]), rng.choice(["overwrite", "append"]), f"{rng.random():.4f}"]
            if self.short:
                return

    def run(self, words):
        format, mode, part = words
        place = self.bench.new_folder()
        folder = place / "out"
        with self.bench.started(["-c", WRITER, str(self.packages), str(folder), format, mode], place, program=sys.executable,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            seconds = process.stdout.readline()
            if not seconds.strip():
                return "writes killed", "", [f"it does not begin: {process.stderr.read().decode(errors='replace')[-500:]}"]
            old = {path.name: cases.digest(path) for path in folder.iterdir()}
            process.stdin.write(b"\n")
            process.stdin.flush()
            time.sleep(float(seconds) * float(part))
            for pid in bench.session_of(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
        there = {path.name: path for path in folder.iterdir()}
        rows = [name for name in there if name.endswith(f".{format}") and not name.startswith((".", "_"))]
        new = [name for name in rows if name not in old]
        broken = [f"{name} was changed" for name in set(there) & set(old) if cases.digest(there[name]) != old[name]]
        for name in new:
            shown = self.bench.run(["convert", name, "-", "--to", "yt"], folder, stdout=subprocess.PIPE)
            if shown.code != 0 or shown.out.count(b'"new"') != ROWS:
                broken.append(f"{name} is not whole: {shown.code} {shown.words} {len(shown.out)} bytes")
        kept = len(rows) - len(new)
        outcome = "before" if not new and kept == TASKS else "between"
        if len(new) == TASKS and kept == (TASKS if mode == "append" else 0):
            outcome = "whole"
        if outcome == "between" and "_SUCCESS" in there:
            broken.append(f"it says that all is there: {len(new)} new files, {kept} old ones")
        bench.remove(place)
        return "writes killed", outcome, broken
