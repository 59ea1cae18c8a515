"""Values of large pages are those that pyarrow reads, whatever holds them, however they are stored, and in how few bytes of
memory."""

import itertools
import os
import subprocess
import sys

import pytest

from tests import harness
from tests.harness import PROGRAM, expect

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("large-pages")
there = harness.work_in(FOLDER)
MB = 1 << 20
# Memory peaks are meaningless if a sanitizer uses memory of its own.
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ


def run(*words):
    done = harness.try_run(*words)
    return done.returncode, done.stderr


def text(number, size):
    return (f"<{number}>" + "text, " * (size // 6 + 1))[:size]


#: A small process: the programs that a process starts count its own peak as theirs.
MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


def peak(*words):
    """Returns the code and the peak of a run, in megabytes."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, PROGRAM, *words], check=True, capture_output=True, text=True)
    return tuple(map(int, done.stdout.split()))


def test_peak():
    # One value of 300 MB in a dictionary, in two rows, the second as it is: one of them is in memory at a time.
    maps = pa.array([[("a" * (300 << 20), 1)]], pa.map_(pa.string(), pa.int32()))
    pq.write_table(pa.table({"arr": pa.chunked_array([maps, maps])}), "map.parquet", compression="zstd")
    del maps
    for words in (("validate",), ("validate", "--threads", "8"), ("head", "-n", "2"), ("head", "--as", "json"), ("info", "--scan")):
        code, megabytes = peak(words[0], "map.parquet", *words[1:])
        expect(code == 0 and (not PEAKS or megabytes < 450), words, "took", megabytes, "MB, code", code)
    code, megabytes = peak("validate", "map.parquet", "--max-memory", str(200 * MB))
    expect(code == 3 and (not PEAKS or megabytes < 250), "--max-memory:", megabytes, "MB, code", code)


# Sizes of values: those of one page, of pages that end within a row, small ones among large ones, none, and nulls.
SIZES = [9 * MB, 0, None, 30 * MB, 5, 17 * MB, 17 * MB, None, 12 * MB, 1, 40 * MB, 3]
VALUES = [None if size is None else text(number % 7, size) for number, size in enumerate(SIZES)]
STRUCT = pa.struct([("n", pa.int32()), ("s", pa.string()), ("l", pa.list_(pa.struct([("b", pa.binary())])))])
COLUMNS = {
    "flat": pa.array(VALUES, pa.string()),
    "required": pa.array([value or "" for value in VALUES], pa.binary()),
    "list": pa.array([VALUES[:3], [], None, VALUES[3:4], VALUES[4:9], [None], VALUES[9:]], pa.list_(pa.string())),
    "map": pa.array([[(value or "k", number)] for number, value in enumerate(VALUES)], pa.map_(pa.string(), pa.int32())),
    "struct": pa.array([{"n": 1, "s": VALUES[0], "l": [{"b": b"x"}, {"b": VALUES[3].encode()}, None]}, None,
                        {"n": None, "s": None, "l": None}, {"n": 4, "s": VALUES[5], "l": [{"b": VALUES[6].encode()}, {"b": None}]},
                        {"n": 5, "s": VALUES[3], "l": []}], STRUCT),
}


def table_of(name):
    values = COLUMNS[name]
    ordinary = pa.array([f"row {row}" for row in range(len(values))])
    field = pa.field("v", values.type, nullable=name != "required")
    return pa.Table.from_arrays([pa.array(range(len(values))), values, ordinary],
                                schema=pa.schema([("id", pa.int64()), field, ("o", pa.string())]))


def compare(table, path, *words):
    code, said = run("convert", path, "out.arrow", "--to", "arrow", "--mode", "overwrite", *words)
    expect(code == 0, path, words, said)
    if code == 0:
        found = pa.ipc.open_file("out.arrow").read_all().cast(table.schema)
        expect(found.equals(table), path, words, "differs from pyarrow's")


CODECS = itertools.cycle(["zstd", "snappy", "none", "brotli", "gzip", "lz4"])
CASES = [(*case, next(CODECS)) for case in itertools.product(COLUMNS, (True, False), ("1.0", "2.0"))]


@pytest.mark.parametrize("name, dictionary, version, codec", CASES)
def test_values(name, dictionary, version, codec):
    table = table_of(name)
    # What these two write is the test's longest work, and as large at any level.
    level = 1 if codec in ("brotli", "gzip") else None
    pq.write_table(table, "in.parquet", compression=codec, compression_level=level, use_dictionary=dictionary, data_page_version=version,
                   data_page_size=200 * MB, dictionary_pagesize_limit=(400 if version == "1.0" else 40) * MB,
                   write_batch_size=1024)
    compare(pq.read_table("in.parquet"), "in.parquet", "--threads", "1" if dictionary else "4")


def test_groups():
    """Groups with and without large pages, and two columns with them."""
    large, small = table_of("list"), table_of("list").slice(1, 2)
    with pq.ParquetWriter("groups.parquet", large.schema, compression="zstd", use_dictionary=False, data_page_size=200 * MB) as writer:
        for part in (small, large, small, small, large.slice(3)):
            writer.write_table(part)
    compare(pq.read_table("groups.parquet"), "groups.parquet")

    # A damaged chunk is refused with its column and row group.
    data = bytearray(open("groups.parquet", "rb").read())
    chunk = pq.ParquetFile("groups.parquet").metadata.row_group(1).column(1)
    data[chunk.data_page_offset + chunk.total_compressed_size // 2] ^= 0x55
    open("damaged.parquet", "wb").write(data)
    code, said = run("validate", "damaged.parquet")
    expect(code == 3 and "row group 1" in said and "v.list.element" in said, "damaged:", code, said)
