#!/usr/bin/env python3
"""Measures JSON rows through the program beside DuckDB's `read_json` and ClickHouse's JSONEachRow (chdb), and prints a table.

    bench/json_compare.py build/release/xwalk [--rows 1000000] [--runs 5]

The columns of bench/rows.h, with a schema given to all. One thread, processor time of the process (peers: of the query alone),
the median of the runs; files in memory where /dev/shm is there. A peer that is not installed is left out with a word.
"""

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import tempfile
import time

SCHEMA = ("[{name=id;type=int64;required=%true};{name=hash;type=uint64;required=%true};{name=score;type=double;required=%true};"
          "{name=flag;type=boolean;required=%true};{name=city;type=utf8;required=%true};{name=token;type=utf8;required=%true};"
          "{name=parent;type=int64};{name=time;type=uint64;required=%true}]")
DUCKDB = ("id: 'BIGINT', hash: 'UBIGINT', score: 'DOUBLE', flag: 'BOOLEAN', city: 'VARCHAR', token: 'VARCHAR', "
          "parent: 'BIGINT', time: 'UBIGINT'")
CHDB = "id Int64, hash UInt64, score Float64, flag Bool, city String, token String, parent Nullable(Int64), time UInt64"
CITIES = ["Amsterdam", "Berlin", "Moscow", "Paris", "Belgrade", "Yerevan", "Istanbul", "London", "Tbilisi", "Almaty"]


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


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("xwalk")
    arguments.add_argument("--rows", type=int, default=1_000_000)
    arguments.add_argument("--runs", type=int, default=5)
    options = arguments.parse_args()
    found = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        source = os.path.join(folder, "rows.jsonl")
        write_rows(source, options.rows)
        size = os.path.getsize(source)
        arrow = os.path.join(folder, "rows.arrows")

        def xwalk(*words):
            with open(os.devnull, "w") as nowhere:
                subprocess.run([options.xwalk, "convert", *words, "--threads", "1", "-q"], check=True, stdout=nowhere)

        def read():
            xwalk(source, "-", "--to", "arrow", "--schema", SCHEMA)

        def write():
            xwalk(arrow, "-", "--to", "json")

        xwalk(source, arrow, "--schema", SCHEMA, "--mode", "overwrite")
        found.append(("xwalk, JSON to Arrow", median(options.runs, read, children)))
        found.append(("xwalk, Arrow to JSON", median(options.runs, write, children)))
        try:
            import duckdb
            connection = duckdb.connect()
            connection.execute("SET threads = 1")
            query = f"SELECT * FROM read_json('{source}', format = 'newline_delimited', columns = {{{DUCKDB}}})"

            def read_duckdb():
                for _ in connection.execute(query).to_arrow_reader(65536):
                    pass
            found.append(("DuckDB read_json", median(options.runs, read_duckdb, time.process_time)))
        except ImportError as error:
            print(f"left out: {error}")
        try:
            import chdb
            query = (f"SELECT * FROM file('{source}', JSONEachRow, '{CHDB}') "
                     "SETTINGS max_threads = 1, input_format_parallel_parsing = 0 FORMAT Null")
            found.append(("ClickHouse JSONEachRow", median(options.runs, lambda: chdb.query(query), time.process_time)))
        except ImportError as error:
            print(f"left out: {error}")
        print(f"| {options.rows:,} rows, {size / 1e6:.0f} MB | seconds | million rows/s | MB/s |\n|---|---|---|---|")
        for name, seconds in found:
            print(f"| {name} | {seconds:.2f} | {options.rows / seconds / 1e6:.2f} | {size / seconds / 1e6:.0f} |")


if __name__ == "__main__":
    main()
