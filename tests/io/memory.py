"""What an input may ask for has a limit that an option raises: python memory.py XWALK [--all]

Bombs (a few bytes that become many) end with exit code 3 and the option's name, and within the limit; large data that is not
bomb is read within what docs/reliability.md says. --all adds inputs of gigabytes.
"""
import gzip
import importlib.util
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

if importlib.util.find_spec("pyarrow") is None:
    print("SKIPPED: pyarrow is not installed")
    sys.exit(77)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ALL = "--all" in sys.argv[2:]
# Memory peaks are meaningless if a sanitizer uses memory of its own.
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ
problems = []
scratch = tempfile.TemporaryDirectory(prefix="xwalk-memory-")
FOLDER = pathlib.Path(scratch.name)
MB = 1 << 20


def tell(words):
    print(words, flush=True)


def aside(make):
    """Makes inputs in a process of its own: what this one takes counts as the peak of those it starts."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            make()
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(child, 0)[1] != 0:
        problems.append(f"{make.__name__} failed")


def run(*words):
    """Returns the code, what was said, and the peak of memory in MB."""
    process = subprocess.Popen([PROGRAM, *words], cwd=FOLDER, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, said, usage.ru_maxrss // 1024


def ends(name, most, *words, option="--max-memory"):
    """A bomb: refused by a limit, within so many MB."""
    code, said, peak = run(*words)
    tell(f"{name}: {peak} MB, refused")
    if code != 3 or option not in said or (PEAKS and peak > most):
        problems.append(f"{name}: {code}, {peak} MB of {most}: {said[:300]}")


def goes(name, most, *words):
    code, said, peak = run(*words)
    tell(f"{name}: {peak} MB")
    if code != 0 or (PEAKS and peak > most):
        problems.append(f"{name}: {code}, {peak} MB of {most}: {said[:300]}")


def write(name, data, schema=None):
    (FOLDER / name).write_bytes(data)
    if schema:
        (FOLDER / f"{name.removesuffix('.gz').removesuffix('.zst')}.schema").write_text(schema)


# --- one row that is long ----------------------------------------------------------------------------------
TEXT = "[{name=a;type_v3=string}]"


def rows():
    write("row.yson", b'{a="' + b"x" * (16 * MB) + b'"};', TEXT)
    write("row.skiff", struct.pack("<HI", 0, 16 * MB) + b"x" * (16 * MB), TEXT)
    write("row.yson.gz", gzip.compress(b'{a="' + b"x" * (200 * MB), 1), TEXT)
    write("most.yson", b'{a="' + b"x" * (127 * MB) + b'"};', TEXT)


aside(rows)
(FOLDER / "row.yson.schema").write_text(TEXT)
for name in ("row.yson", "row.skiff"):
    goes(f"{name} of 16 MiB", 150, "validate", name)
    ends(f"{name} of 16 MiB, 1 MiB allowed", 100, "validate", name, "--max-memory", "33554432")
ends("a row that never ends, in .gz", 500, "validate", "row.yson.gz")
goes("a row of 127 MiB", 900, "convert", "most.yson", "most.skiff")
goes("that row back", 900, "convert", "most.skiff", "most2.yson")

# --- pages, buffers, dictionaries and lists ------------------------------------------------------------------
try:
    (PROGRAM.parent / "libxwalk_parquet.so").stat()
    plugin = True
except OSError:
    plugin = False
if plugin:
    def packed():
        import pyarrow as pa
        import pyarrow.parquet as pq

        zeros = pa.table({"a": pa.array([b"\0" * (64 * MB)] * 4, pa.binary())})
        pq.write_table(zeros, FOLDER / "page.parquet", compression="zstd", use_dictionary=False)
        often = pa.DictionaryArray.from_arrays(pa.array([0] * 300, pa.int32()), pa.array([b"y" * MB]))
        pq.write_table(pa.table({"a": often}), FOLDER / "dictionary.parquet", compression="zstd", store_schema=False)
        items = pa.array([[0] * 30_000_000] * 2, pa.list_(pa.int64()))
        pq.write_table(pa.table({"a": items}), FOLDER / "list.parquet", compression="zstd")
        for name, codec in (("buffer.arrow", "zstd"), ("buffer.arrows", "lz4")):
            make = pa.ipc.new_file if name.endswith("w") else pa.ipc.new_stream
            with make(FOLDER / name, zeros.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as file:
                file.write_table(zeros)
        write("whole.parquet.gz", gzip.compress(b"PAR1" + b"\0" * (300 * MB), 1))

    aside(packed)
    for name, large in (("page.parquet", 900), ("dictionary.parquet", 900), ("list.parquet", 1500), ("buffer.arrow", 900),
                        ("buffer.arrows", 900)):
        size = (FOLDER / name).stat().st_size
        ends(f"{name} of {size // 1024} KiB, 32 MiB allowed", 250, "validate", name, "--max-memory", "33554432")
        ends(f"{name}, written on", 250, "convert", name, "out.yson", "--max-memory", "33554432")
        goes(f"{name}, as it is", large, "validate", name)
    # What is compressed as a whole and read from its end.
    ends("whole.parquet.gz", 250, "validate", "whole.parquet.gz", "--from", "parquet")

# --- a file of Vortex that is small, and more than 2 GiB of text in one column -----------------------------------
if importlib.util.find_spec("vortex") is not None and (PROGRAM.parent / "xwalk-engine-vortex").exists():
    def repeated():
        import pyarrow as pa
        import vortex

        text = pa.DictionaryArray.from_arrays(pa.array([0] * 2200, pa.int32()), pa.array(["x" * MB]))
        vortex.io.write(vortex.array(pa.table({"a": text})), str(FOLDER / "repeated.vortex"))

    aside(repeated)
    goes("2,200 strings of 1 MiB in 1 MiB of Vortex", 2500, "validate", "repeated.vortex")

# --- nesting ---------------------------------------------------------------------------------------------------
for name, text, *words in (("deep.yson", b"[" * 100_000 + b"]" * 100_000, "validate", "--schema", "[{name=a;type=any}]"),
                           ("deepmap.yson", b"{a=" * 100_000, "validate", "--schema", "[{name=a;type=any}]"),
                           ("deep.schema", b"{type_name=optional;item=" * 100_000, "schema"),
                           ("deepjson.schema", b'{"type":' * 100_000, "schema"),
                           ("message.schema", b"message m { " + b"required group a { " * 100_000, "schema", "--from", "parquet"),
                           ("dtype.schema", b"list(" * 100_000, "schema", "--from", "vortex"),
                           ("arrow.schema", b"a: " + b"list<item: " * 100_000, "schema", "--from", "arrow"),
                           ("short.schema", b"Optional<" * 100_000, "schema", "--from", "yt")):
    write(name, text)
    code, said, peak = run(words[0], name, *words[1:])
    if code not in (1, 3) or (PEAKS and peak > 200):
        problems.append(f"{name}: {code}, {peak} MB: {said[:200]}")

# --- many columns --------------------------------------------------------------------------------------------------
COLUMNS = 10_000
write("wide.yson", (b"{" + b"".join(b"c%d=%d;" % (n, n) for n in range(COLUMNS)) + b"};\n") * 100,
      "[" + "".join(f"{{name=c{n};type=int64}};" for n in range(COLUMNS)) + "]")
goes("10,000 columns of 100 rows to Skiff", 600, "convert", "wide.yson", "wide.skiff")
goes("10,000 columns, their head", 400, "head", "wide.yson", "-n", "1")
if plugin:
    goes("10,000 columns of 100 rows to Parquet", 1500, "convert", "wide.yson", "wide.parquet")

# --- many files ------------------------------------------------------------------------------------------------------
FILES = 10_000


def many():
    write("one.yson", b"{id=1;name=a};")
    write("one.jsonl", b'{"id":1,"name":"a"}\n')
    if plugin:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"id": [1], "name": ["a"]}), FOLDER / "one.parquet")
    for ending in ("yson", "jsonl", *(["parquet"] if plugin else [])):
        for folder, count in ((f"few-{ending}", FILES // 100), (f"many-{ending}", FILES)):
            (FOLDER / folder).mkdir()
            for n in range(count):
                os.link(FOLDER / f"one.{ending}", FOLDER / folder / f"{n:05}.{ending}")


aside(many)
for ending in ("yson", "jsonl", *(["parquet"] if plugin else [])):
    for verb in (("info",), ("convert", "files.skiff", "--overwrite", "-q")):
        code, said, few = run(verb[0], f"few-{ending}", *verb[1:])
        if code != 0:
            problems.append(f"{FILES // 100} files: {code}: {said[:300]}")
        # The names of the files, and little else.
        goes(f"{verb[0]} of {FILES:,} files of {ending}", few + 12, verb[0], f"many-{ending}", *verb[1:])

# --- gigabytes -------------------------------------------------------------------------------------------------------
if ALL:
    with open(FOLDER / "text.yson", "wb") as file:
        for _ in range(2200):
            file.write(b'{a="' + b"text " * (MB // 5) + b'"};\n')
    (FOLDER / "text.yson.schema").write_text(TEXT)
    goes("2.2 GB of text in rows of 1 MiB, validated", 1700, "validate", "text.yson")
    for target in ("skiff", "parquet", "arrow") if plugin else ("skiff",):
        goes(f"2.2 GB of text to {target}", 1700, "convert", "text.yson", f"text.{target}")
        goes(f"2.2 GB of text from {target}", 1700, "validate", f"text.{target}")
    for engine in ("vortex", "lance"):
        code, said, peak = run("convert", "text.yson", f"text.{engine}")
        tell(f"2.2 GB of text to {engine}: {peak} MB in xwalk and its largest child, {code}")
    def top_level():
        import pyarrow as pa
        import vortex

        text = "text " * (MB // 5)
        parts = [pa.array([f"{text}{part}{n}" for n in range(100)], pa.string()) for part in range(22)]
        vortex.io.write(vortex.array(pa.chunked_array(parts)), str(FOLDER / "top.vortex"))

    aside(top_level)
    code, said, peak = run("validate", "top.vortex")
    tell(f"2.2 GB of text in a Vortex file without a struct: {peak} MB in xwalk and its largest child, {code}")
    if code != 0:
        problems.append(f"top.vortex: {said[:200]}")
    if plugin:
        def strings():
            import pyarrow as pa
            import pyarrow.parquet as pq

            maps = pa.array([[("a" * 2**30, 1)]], pa.map_(pa.string(), pa.int32()))
            pq.write_table(pa.table({"arr": pa.chunked_array([maps, maps])}), FOLDER / "large_string_map.parquet", compression="BROTLI")

        aside(strings)
        for verb in (("validate",), ("head",), ("head", "-n", "1", "--as", "json"), ("info", "--scan")):
            goes(f"large_string_map.brotli.parquet, {' '.join(verb)}", 1200, verb[0], "large_string_map.parquet", *verb[1:])
        goes("large_string_map.brotli.parquet to an Arrow stream", 1200, "convert", "large_string_map.parquet", "large.arrows")
        goes("large_string_map.brotli.parquet to YSON", 1300, "convert", "large_string_map.parquet", "large.yson")
        ends("large_string_map.brotli.parquet to Skiff", 1200, "convert", "large_string_map.parquet", "large.skiff",
             option="expected a row of at most")

print("\n".join(problems))
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
