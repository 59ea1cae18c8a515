#!/usr/bin/env python3
"""Measures `xwalk job` beside Python jobs of ytsaurus-client on the same rows, and rows of the format `arrow` beside Skiff.

    bench/job_compare.py build/release/xwalk [--rows 1000000] [--runs 3]

The columns of bench/rows.h. A job reads all rows on its standard input and writes them to its output, one column left out. One
thread, processor time of the process and its start, the median of the runs. Python runs the loop that a mapper of the client runs:
rows as dicts (YsonFormat), and records of Skiff (the bindings that structured jobs use).
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

SCHEMA = ("[{name=id;type=int64;required=%true};{name=hash;type=uint64;required=%true};{name=score;type=double;required=%true};"
          "{name=flag;type=boolean;required=%true};{name=city;type=utf8;required=%true};{name=token;type=utf8;required=%true};"
          "{name=parent;type=int64};{name=time;type=uint64;required=%true}]")
CITIES = ["Amsterdam", "Berlin", "Moscow", "Paris", "Belgrade", "Yerevan", "Istanbul", "London", "Tbilisi", "Almaty"]
PYTHON_YSON = """
import sys, yt.wrapper as yt
form = yt.YsonFormat(lazy=False)
def rows():
    for row in form.load_rows(sys.stdin.buffer):
        del row["token"]
        yield row
form.dump_rows(rows(), sys.stdout.buffer)
"""
PYTHON_SKIFF = """
import sys, json, yt_yson_bindings as b
schemas = json.loads(sys.argv[1])
wire = [b.SkiffSchema(schemas[i], {}, "$range_index", "$row_index") for i in (0, 1)]
def rows():
    for row in b.load_skiff(sys.stdin.buffer, [wire[0]], "$range_index", "$row_index"):
        out = wire[1].create_record()
        for name, value in row.items():
            if name != "token":
                out[name] = value
        yield out
b.dump_skiff(rows(), [sys.stdout.buffer], [wire[1]])
"""
WIRES = {"id": "int64", "hash": "uint64", "score": "double", "flag": "boolean", "city": "string32", "token": "string32",
         "time": "uint64"}


def write_rows(path, count):
    rng = random.Random(1)
    with open(path, "w") as file:
        for i in range(count):
            file.write(json.dumps({
                "id": i, "hash": rng.getrandbits(64), "score": rng.random(), "flag": rng.random() < 0.5,
                "city": rng.choice(CITIES), "token": "%026x" % rng.getrandbits(104),
                "parent": None if rng.random() < 0.1 else rng.randrange(count), "time": 1_700_000_000_000_000 + i},
                separators=(",", ":")) + "\n")


def children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def median(runs, work, clock):
    times = []
    for _ in range(runs):
        begin = clock()
        work()
        times.append(clock() - begin)
    return statistics.median(times)


def wire(names):
    children = [{"wire_type": WIRES[name], "name": name} if name in WIRES else
                {"wire_type": "variant8", "name": name, "children": [{"wire_type": "nothing"}, {"wire_type": "int64"}]}
                for name in names]
    return [{"wire_type": "tuple", "children": children}]


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("xwalk")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    names = ["id", "hash", "score", "flag", "city", "token", "parent", "time"]
    less = [name for name in names if name != "token"]
    found = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        def path(name):
            return os.path.join(folder, name)

        def convert(source, target, *words):
            subprocess.run([options.xwalk, "convert", path(source), path(target), "-q", "--mode", "overwrite", *words], check=True)

        def piped(command, source):
            def work():
                with open(path(source), "rb") as data, open(path("out"), "wb") as out:
                    subprocess.run(command, stdin=data, stdout=out, stderr=subprocess.DEVNULL, check=True)
            return work

        write_rows(path("rows.jsonl"), options.rows)
        convert("rows.jsonl", "rows.skiff", "--schema", SCHEMA)
        convert("rows.jsonl", "rows.yson", "--schema", SCHEMA, "--yson-format", "binary")
        convert("rows.jsonl", "rows.arrows", "--schema", SCHEMA)
        columns = [c if c.startswith("{") else "{" + c for c in SCHEMA[1:-1].split(";{")]
        with open(path("less.schema"), "w") as file:
            file.write("[" + ";".join(c for c in columns if "token" not in c) + "]")
        job = [options.xwalk, "job", "--schema", path("rows.skiff.schema"), "--output-schema", path("less.schema"), "--allow",
               "lossy"]
        found.append(("xwalk job, Skiff", median(options.runs, piped(job, "rows.skiff"), children)))
        wires = json.dumps([wire(names), wire(less)])
        found.append(("Python, Skiff records",
                      median(options.runs, piped([sys.executable, "-c", PYTHON_SKIFF, wires], "rows.skiff"), children)))
        found.append(("Python, YSON dicts",
                      median(options.runs, piped([sys.executable, "-c", PYTHON_YSON], "rows.yson"), children)))
        for source in ("rows.skiff", "rows.arrows", "rows.yson", "rows.jsonl"):
            words = ["--schema", SCHEMA] if source == "rows.jsonl" else []
            command = [options.xwalk, "convert", path(source), path("out.parquet"), "-q", "--mode", "overwrite", "--threads",
                       "1", *words]
            seconds = median(options.runs, lambda command=command: subprocess.run(command, check=True), children)
            found.append((f"{source.removeprefix('rows.')} to Parquet", seconds))
    print(f"| {options.rows:,} rows | seconds | million rows/s a core |\n|---|---|---|")
    for name, seconds in found:
        print(f"| {name} | {seconds:.2f} | {options.rows / seconds / 1e6:.2f} |")


main()
