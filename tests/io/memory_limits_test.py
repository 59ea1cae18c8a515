"""Limits of what an input may ask for, and the option that raises them.

A bomb (a few bytes that become many) is refused with exit code 3 and the name of the option, within little memory. Large data
that is not a bomb is read within the memory of docs/reliability.md. --all adds inputs of gigabytes.
"""
import gzip
import importlib.util
import os
import struct
import subprocess
import tempfile

import pytest

from tests import harness
from tests.harness import PROGRAM, WITH_PLUGIN, expect
from tests.measure import measure

# Not loaded here: harness.run_in_child makes inputs with it.
if importlib.util.find_spec("pyarrow") is None:
    harness.skip("pyarrow is not installed")
# Memory peaks are meaningless if a sanitizer uses memory of its own.
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ
FOLDER = harness.make_folder("memory")
MB = 1 << 20
TEXT = "[{name=a;type_v3=string}]"
LITTLE = ("--max-memory", "33554432")
needs_plugin = pytest.mark.skipif(not WITH_PLUGIN, reason="the plugin is not built")
needs_vortex = pytest.mark.skipif(importlib.util.find_spec("vortex") is None or not (harness.BUILD / "xwalk-engine-vortex").exists(),
                                  reason="vortex-data or its engine is missing")
needs_lance = pytest.mark.skipif(importlib.util.find_spec("lance") is None or not (harness.BUILD / "xwalk-engine-lance").exists(),
                                 reason="pylance or its engine is missing")
only_all = pytest.mark.skipif(not harness.ALL, reason="only with --all")


def run(*words):
    """Returns the exit code, the errors, and the peak of memory in MB."""
    with tempfile.TemporaryFile() as errors:
        code, peak, _ = measure([PROGRAM, *words], 600, cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        errors.seek(0)
        return code, errors.read().decode(), peak


def check_refused(most, *words, message="--max-memory"):
    """A bomb is refused by a limit, within `most` MB."""
    code, errors, peak = run(*words)
    expect(code == 3 and message in errors and (not PEAKS or peak <= most), f"{words}: {code}, {peak} MB of {most}: {errors[:300]}")


def check_accepted(most, *words):
    code, errors, peak = run(*words)
    expect(code == 0 and (not PEAKS or peak <= most), f"{words}: {code}, {peak} MB of {most}: {errors[:300]}")


def write(name, data, schema=None):
    (FOLDER / name).write_bytes(data)
    if schema:
        (FOLDER / f"{name.removesuffix('.gz')}.schema").write_text(schema)


def write_rows():
    write("row.yson", b'{a="' + b"x" * (16 * MB) + b'"};', TEXT)
    write("row.skiff", struct.pack("<HI", 0, 16 * MB) + b"x" * (16 * MB), TEXT)
    write("row.yson.gz", gzip.compress(b'{a="' + b"x" * (200 * MB), 1), TEXT)
    write("most.yson", b'{a="' + b"x" * (127 * MB) + b'"};', TEXT)


@pytest.fixture(scope="module")
def long_rows():
    harness.run_in_child(write_rows)


@pytest.mark.parametrize("name", ["row.yson", "row.skiff"])
def test_a_row_of_16_mib(long_rows, name):
    check_accepted(150, "validate", name)
    check_refused(100, "validate", name, *LITTLE)


def test_a_row_that_never_ends(long_rows):
    check_refused(500, "validate", "row.yson.gz")


def test_a_row_of_127_mib(long_rows):
    check_accepted(900, "convert", "most.yson", "most.skiff")
    check_accepted(900, "convert", "most.skiff", "most2.yson")


def write_compressed():
    import pyarrow as pa
    import pyarrow.parquet as pq

    zeros = pa.table({"a": pa.array([b"\0" * (64 * MB)] * 4, pa.binary())})
    pq.write_table(zeros, FOLDER / "page.parquet", compression="zstd", use_dictionary=False)
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), pa.array([b"y" * MB]))
    pq.write_table(pa.table({"a": repeated}), FOLDER / "dictionary.parquet", compression="zstd", store_schema=False)
    items = pa.array([[0] * 30_000_000] * 2, pa.list_(pa.int64()))
    pq.write_table(pa.table({"a": items}), FOLDER / "list.parquet", compression="zstd")
    for name, codec in (("buffer.arrow", "zstd"), ("buffer.arrows", "lz4")):
        make = pa.ipc.new_file if name.endswith("w") else pa.ipc.new_stream
        with make(FOLDER / name, zeros.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as file:
            file.write_table(zeros)
    write("whole.parquet.gz", gzip.compress(b"PAR1" + b"\0" * (300 * MB), 1))


@pytest.fixture(scope="module")
def compressed():
    harness.run_in_child(write_compressed)


@needs_plugin
@pytest.mark.parametrize("name, most", [("page.parquet", 900), ("dictionary.parquet", 900), ("list.parquet", 1500),
                                        ("buffer.arrow", 900), ("buffer.arrows", 900)])
def test_a_bomb_in_a_page_or_a_buffer(compressed, name, most):
    check_refused(250, "validate", name, *LITTLE)
    check_refused(250, "convert", name, "out.yson", *LITTLE)
    check_accepted(most, "validate", name)


@needs_plugin
def test_a_compressed_file_that_is_read_from_its_end(compressed):
    check_refused(250, "validate", "whole.parquet.gz", "--from", "parquet")


def write_repeated():
    import pyarrow as pa
    import vortex

    text = pa.DictionaryArray.from_arrays(pa.array([0] * 2200, pa.int32()), pa.array(["x" * MB]))
    vortex.io.write(vortex.array(pa.table({"a": text})), str(FOLDER / "repeated.vortex"))


@needs_vortex
def test_more_than_2_gib_of_text_in_a_small_file():
    harness.run_in_child(write_repeated)
    check_accepted(2500, "validate", "repeated.vortex")


@pytest.mark.parametrize("name, text, words", [
    ("deep.yson", b"[" * 100_000 + b"]" * 100_000, ("validate", "--schema", "[{name=a;type=any}]")),
    ("deepmap.yson", b"{a=" * 100_000, ("validate", "--schema", "[{name=a;type=any}]")),
    ("deep.schema", b"{type_name=optional;item=" * 100_000, ("schema",)),
    ("deepjson.schema", b'{"type":' * 100_000, ("schema",)),
    ("message.schema", b"message m { " + b"required group a { " * 100_000, ("schema", "--from", "parquet")),
    ("dtype.schema", b"list(" * 100_000, ("schema", "--from", "vortex")),
    ("arrow.schema", b"a: " + b"list<item: " * 100_000, ("schema", "--from", "arrow")),
    ("short.schema", b"Optional<" * 100_000, ("schema", "--from", "yt")),
], ids=lambda value: value if isinstance(value, str) else "")
def test_nesting(name, text, words):
    write(name, text)
    code, errors, peak = run(words[0], name, *words[1:])
    expect(code in (1, 3) and (not PEAKS or peak <= 200), code, peak, errors[:200])


@pytest.mark.parametrize("most, words", [
    (600, ("convert", "wide.yson", "wide.skiff")),
    (400, ("head", "wide.yson", "-n", "1")),
    pytest.param(1500, ("convert", "wide.yson", "wide.parquet"), marks=needs_plugin),
], ids=["to Skiff", "head", "to Parquet"])
def test_10_000_columns(most, words):
    columns = range(10_000)
    write("wide.yson", (b"{" + b"".join(b"c%d=%d;" % (n, n) for n in columns) + b"};\n") * 100,
          "[" + "".join(f"{{name=c{n};type=int64}};" for n in columns) + "]")
    check_accepted(most, *words)


def write_one_parquet():
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"id": [1], "name": ["a"]}), FOLDER / "one.parquet")


@pytest.mark.parametrize("words", [("info",), ("convert", "files.skiff", "--overwrite", "-q")], ids=["info", "convert"])
@pytest.mark.parametrize("ending", ["yson", "jsonl", pytest.param("parquet", marks=needs_plugin)])
def test_10_000_files(ending, words):
    """They need the memory of their names, and little more than 100 files."""
    if ending == "parquet":
        harness.run_in_child(write_one_parquet)
    else:
        write(f"one.{ending}", b"{id=1;name=a};" if ending == "yson" else b'{"id":1,"name":"a"}\n')
    for folder, count in ((f"few-{ending}", 100), (f"many-{ending}", 10_000)):
        (FOLDER / folder).mkdir(exist_ok=True)
        for n in range(count):
            if not (path := FOLDER / folder / f"{n:05}.{ending}").exists():
                os.link(FOLDER / f"one.{ending}", path)
    code, errors, few = run(words[0], f"few-{ending}", *words[1:])
    expect(code == 0, errors)
    check_accepted(few + 12, words[0], f"many-{ending}", *words[1:])


@pytest.fixture(scope="module")
def text_of_gigabytes():
    with open(FOLDER / "text.yson", "wb") as file:
        for _ in range(2200):
            file.write(b'{a="' + b"text " * (MB // 5) + b'"};\n')
    (FOLDER / "text.yson.schema").write_text(TEXT)


@only_all
def test_2_gb_of_text(text_of_gigabytes):
    check_accepted(1700, "validate", "text.yson")


@only_all
@pytest.mark.parametrize("target", ["skiff", *(pytest.param(name, marks=needs_plugin) for name in ("parquet", "arrow"))])
def test_2_gb_of_text_converted(text_of_gigabytes, target):
    check_accepted(1700, "convert", "text.yson", f"text.{target}")
    check_accepted(1700, "validate", f"text.{target}")


@only_all
@pytest.mark.parametrize("engine", ["vortex", "lance"])
def test_2_gb_of_text_through_an_engine(text_of_gigabytes, engine):
    code, _, peak = run("convert", "text.yson", f"text.{engine}")
    print(f"{engine}: exit code {code}, {peak} MB in xwalk and its largest child")


def write_array_of_text():
    import pyarrow as pa
    import vortex

    text = "text " * (MB // 5)
    parts = [pa.array([f"{text}{part}{n}" for n in range(100)], pa.string()) for part in range(22)]
    vortex.io.write(vortex.array(pa.chunked_array(parts)), str(FOLDER / "top.vortex"))


@only_all
@needs_vortex
def test_2_gb_of_text_without_a_struct():
    harness.run_in_child(write_array_of_text)
    code, errors, _ = run("validate", "top.vortex")
    expect(code == 0, errors[:200])


def write_map_of_long_strings():
    import pyarrow as pa
    import pyarrow.parquet as pq

    maps = pa.array([[("a" * 2**30, 1)]], pa.map_(pa.string(), pa.int32()))
    pq.write_table(pa.table({"arr": pa.chunked_array([maps, maps])}), FOLDER / "large_string_map.parquet", compression="BROTLI")


@only_all
@needs_plugin
def test_a_map_of_long_strings():
    harness.run_in_child(write_map_of_long_strings)
    for verb in (("validate",), ("head",), ("head", "-n", "1", "--as", "json"), ("info", "--scan")):
        check_accepted(1200, verb[0], "large_string_map.parquet", *verb[1:])
    check_accepted(1200, "convert", "large_string_map.parquet", "large.arrows")
    check_accepted(1300, "convert", "large_string_map.parquet", "large.yson")
    check_refused(1200, "convert", "large_string_map.parquet", "large.skiff", message="expected a row of at most")


ROWS = 300_000


def write_rows_of(name, count):
    import pyarrow as pa

    table = pa.table({"id": pa.array(range(count), pa.int64()), "x": pa.array([n * 0.37 for n in range(count)]),
                      "t": pa.array([f"text number {n * 7919 % count}" for n in range(count)])})
    path = str(FOLDER / f"{count}.{name}")
    if name == "lance":
        import lance
        lance.write_dataset(table, path, mode="overwrite")
    elif name == "vortex":
        import vortex
        vortex.io.write(vortex.array(table), path)
    else:
        import pyarrow.parquet as pq
        pq.write_table(table, path, row_group_size=1 << 17)


@needs_plugin
@pytest.mark.parametrize("name", ["parquet", pytest.param("vortex", marks=needs_vortex), pytest.param("lance", marks=needs_lance)])
def test_ten_times_the_rows(name):
    """The output keeps one open row group, and the packages read some way ahead: no more (docs/reliability.md)."""
    peaks = []
    for count in (ROWS, 10 * ROWS):
        harness.run_in_child(write_rows_of, name, count)
        code, errors, peak = run("convert", f"{count}.{name}", "out.parquet", "-q", "--overwrite")
        expect(code == 0, errors)
        peaks.append(peak)
    expect(not PEAKS or peaks[1] <= peaks[0] + 200, peaks)


def write_many_numbers():
    import lance
    import numpy as np
    import pyarrow as pa

    random = np.random.default_rng(1)
    batches = (pa.record_batch({"id": random.integers(0, 1 << 62, 1_000_000), "x": random.random(1_000_000)}) for _ in range(60))
    lance.write_dataset(batches, str(FOLDER / "numbers.lance"), schema=pa.schema([("id", pa.int64()), ("x", pa.float64())]), mode="overwrite")


@only_all
@needs_plugin
@needs_lance
def test_a_gigabyte_of_lance():
    """The package would read 2 GiB ahead of the rows."""
    harness.run_in_child(write_many_numbers)
    check_accepted(480, "convert", "numbers.lance", "numbers.parquet", "-q")
