"""Values that rows share: a few hundred bytes of input that become hundreds of megabytes of rows.

Each shape goes to each target within --max-memory: its rows are divided into parts, or refused with the name of the option.
"""
import importlib.util
import itertools
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import pytest

from tests import harness
from tests.harness import PROGRAM, ROOT, WITH_PLUGIN, expect
from tests.measure import measure

for package in ("pyarrow", "numpy"):
    if importlib.util.find_spec(package) is None:
        harness.skip(f"{package} is not installed")
if not WITH_PLUGIN:
    harness.skip("the plugin is not built")

MB = 1 << 20
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ
FOLDER = harness.make_folder("shared-values")
LIMIT = 64 * MB
#: MB of the largest process, which also holds code and buffers. The rows of each shape take at least four times as much.
MOST = 420
ROWS = 10_000
TEXT = "x" * 100_000
#: The package of each engine.
ENGINES = {"lance": "lance", "vortex": "vortex"}
TARGETS = ["yson", "json", "skiff", "csv", "parquet", "arrow", "arrow-stream", *ENGINES]


def dictionary():
    import pyarrow as pa
    return pa.DictionaryArray.from_arrays(pa.array([0] * ROWS, pa.int32()), pa.array([TEXT]))


def runs():
    import pyarrow as pa
    return pa.RunEndEncodedArray.from_arrays(pa.array([ROWS], pa.int32()), pa.array([TEXT]))


def fixed_lists_of_nulls():
    import pyarrow as pa
    return pa.FixedSizeListArray.from_arrays(pa.nulls(ROWS * 10_000), 10_000)


def nested_fixed_lists():
    import pyarrow as pa
    return pa.FixedSizeListArray.from_arrays(pa.FixedSizeListArray.from_arrays(pa.nulls(ROWS * 10_000), 100), 100)


def one_long_row():
    import pyarrow as pa
    return pa.FixedSizeListArray.from_arrays(pa.nulls(400 * MB), 400 * MB)


def views():
    import numpy
    import pyarrow as pa
    parts = numpy.zeros((ROWS, 4), dtype=numpy.int32)
    parts[:, 0], parts[:, 1] = len(TEXT), numpy.frombuffer(TEXT[:4].encode(), numpy.int32)[0]
    return pa.Array.from_buffers(pa.string_view(), ROWS, [None, pa.py_buffer(parts.tobytes()), pa.py_buffer(TEXT.encode())])


def list_views():
    import pyarrow as pa
    return pa.ListViewArray.from_arrays(pa.array([0] * ROWS, pa.int32()), pa.array([12_000] * ROWS, pa.int32()), pa.array(range(12_000)))


def dictionary_of_lists():
    import pyarrow as pa
    return pa.DictionaryArray.from_arrays(pa.array([0] * ROWS, pa.int32()), pa.array([[TEXT[:1000]] * 100]))


def lists_of_dictionaries():
    import pyarrow as pa
    return pa.ListArray.from_arrays(pa.array(range(0, ROWS + 1, 100), pa.int32()), dictionary())


def long_column_name():
    import pyarrow as pa
    return pa.table({"n" * 100_000: pa.array([1] * ROWS, pa.int8())})


def dictionary_page():
    import pyarrow as pa
    return pa.table({"a": dictionary()})


def compressed_pages():
    import pyarrow as pa
    return pa.table({"a": pa.array([b"\0" * (16 * MB)] * 64)})


def variant_names():
    """Returns the metadata and the value of a VARIANT: a list of objects whose one field has a long name."""
    name, item = b"n" * 100_000, bytes([2, 1, 0, 0, 1, 0])
    metadata = bytes([1 | 3 << 6]) + struct.pack("<III", 1, 0, len(name)) + name
    header = bytes([3 | (3 | 4) << 2]) + struct.pack("<I", ROWS)
    return metadata, header + b"".join(struct.pack("<I", n * len(item)) for n in range(ROWS + 1)) + item * ROWS


ARROW = [dictionary, runs, fixed_lists_of_nulls, nested_fixed_lists, one_long_row, views, list_views, dictionary_of_lists,
         lists_of_dictionaries, long_column_name]
PARQUET = [dictionary_page, compressed_pages]
SHAPES = [*(f"{make.__name__}.arrow" for make in ARROW), *(f"{make.__name__}.parquet" for make in PARQUET), "variant_names.parquet"]
#: As many as two targets of each shape.
CASES = harness.sample(itertools.product(SHAPES, TARGETS), 2 * len(SHAPES))


def write_shapes():
    import pyarrow as pa
    import pyarrow.parquet as pq

    sys.path.insert(0, str(ROOT / "tests" / "parquet"))
    from raw_file import Node, logical, write

    for make in ARROW:
        made = make()
        table = made if isinstance(made, pa.Table) else pa.table({"a": made})
        with pa.ipc.new_file(FOLDER / f"{make.__name__}.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
            file.write_table(table)
    for make in PARQUET:
        pq.write_table(make(), FOLDER / f"{make.__name__}.parquet", compression="zstd", store_schema=False, use_dictionary=make is dictionary_page)
    parts = [Node("required binary", "metadata"), Node("required binary", "value")]
    metadata, value = variant_names()
    write(FOLDER / "variant_names.parquet", [Node("optional group", "v", parts, logical=logical("VARIANT"))],
          [{"v": {"metadata": metadata, "value": value}}])


def has_engine(name):
    return importlib.util.find_spec(ENGINES[name]) is not None and (harness.BUILD / f"xwalk-engine-{name}").exists()


@pytest.fixture(scope="module", autouse=True)
def shapes():
    harness.run_in_child(write_shapes)


def convert(name, target, *options):
    """Returns the exit code, the errors and the peak in MB of a conversion."""
    into = FOLDER / f"out.{target}"
    words = [name, into] if target in ENGINES else [name, "-", "--to", target]
    # A fault must not take the memory of other programs.
    bounded = ["bash", "-c", 'ulimit -v 8000000; exec "$@"', "bash"] if PEAKS and target not in ENGINES else []
    with tempfile.TemporaryFile() as errors, open(os.devnull, "wb") as nowhere:
        code, peak, _ = measure([*bounded, PROGRAM, "convert", *words, *options, "--max-memory", LIMIT], 300, cwd=FOLDER, stdin=subprocess.DEVNULL,
                                stdout=nowhere, stderr=errors)
        errors.seek(0)
        said = errors.read().decode()
    if into.is_dir():
        shutil.rmtree(into)
    into.unlink(missing_ok=True)
    return code, said, peak


@pytest.mark.parametrize("name, target", CASES)
def test_rows_that_share_values(name, target):
    if target in ENGINES and not has_engine(target):
        pytest.skip(f"the engine of {target} is missing")
    code, said, peak = convert(name, target)
    print(f"exit code {code}, {peak:.0f} MB")
    expect(code in (0, 3, 4), code, said)
    expect(code != 3 or "--max-memory" in said, said)
    # The packages of engines hold rows in processes of their own, without a limit (SECURITY.md).
    expect(not PEAKS or target in ENGINES or peak <= MOST, f"{peak:.0f} MB, at most {MOST} expected; exit code {code}: {said[:300]}")


#: Text that grows: each shape with the bytes of one item of a row, and a format that has escapes or quotes for it. A control character is
#: six bytes of JSON, a byte four of YSON, a quote two of CSV, and a small number five of a list.
GROWING = {"control": ("\x01", ("json", "yson", "csv")), "bytes": (b"\xff", ("<encode_utf8=%true>json", "yson", "csv")),
           "quotes": ('"', ("json", "yson", "csv")), "numbers": ([-1], ("json", "yson", "csv")), "flags": ([False], ("json", "yson", "csv"))}
LETTERS = 40 * MB
#: MB of the largest process: the row as it is read and its text, within --max-memory each. Without a limit of the text it took up to 780.
MOST_GROWN = 190


def write_growing():
    import numpy
    import pyarrow as pa

    for name, (item, _) in GROWING.items():
        if isinstance(item, list):
            column = pa.ListArray.from_arrays(pa.array([0, LETTERS], pa.int32()), pa.array(numpy.full(LETTERS, item[0], "bool" if item == [False] else "int8")))
        else:
            column = pa.array([item * LETTERS])
        table = pa.table({"a": column})
        with pa.ipc.new_file(FOLDER / f"growing-{name}.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as file:
            file.write_table(table)


@pytest.fixture(scope="module")
def growing():
    harness.run_in_child(write_growing)


@pytest.mark.parametrize(("name", "target", "words"), [
    (name, target, words) for name, (_, targets) in GROWING.items() for target in targets
    for words in ([("--yson-format", "text"), ("--yson-format", "pretty")] if target == "yson" else [()])])
def test_text_that_grows(growing, name, target, words):
    """One row that is much longer as text."""
    code, said, peak = convert(f"growing-{name}.arrow", target, *words)
    print(f"exit code {code}, {peak:.0f} MB")
    expect(code in (0, 3) and (code == 0 or "--max-memory" in said), code, said)
    expect(not PEAKS or peak <= MOST_GROWN, f"{peak:.0f} MB, at most {MOST_GROWN} expected; exit code {code}: {said[:300]}")
