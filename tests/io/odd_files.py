"""Files that other writers make and that are easily read wrong, through the program."""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    print("SKIPPED: pyarrow is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
folder = tempfile.TemporaryDirectory(prefix="xwalk-odd-files-")
os.chdir(folder.name)
failures = 0


def run(code, *words, says=""):
    global failures
    result = subprocess.run([XWALK, *words], capture_output=True, text=True, timeout=120)
    if result.returncode != code or says not in result.stdout + result.stderr:
        failures += 1
        print("FAILED:", words, "expected", code, repr(says), "found", result)
    return result.stdout


# A file that lists the columns of others.
collected = []
pq.write_to_dataset(pa.table({"a": [1, 2]}), "folder", metadata_collector=collected)
collected[0].set_file_path("other.parquet")
collected[0].write_metadata_file("list.parquet")
run(0, "schema", "list.parquet", says="optional int64 a;")
for verb in ("head", "validate"):
    run(4, verb, "list.parquet", says="a: row group 0: the values are in another file")

# A root that has a type, as some writers give it.
pq.write_table(pa.table({"a": [1, 2]}), "plain.parquet")
whole = pathlib.Path("plain.parquet").read_bytes()
length = int.from_bytes(whole[-8:-4], "little")
footer = whole[-8 - length:-8].replace(b"\x35\x00\x18\x06schema", b"\x15\x0c\x25\x00\x18\x06schema", 1)
assert len(footer) == length + 2
pathlib.Path("root.parquet").write_bytes(whole[:-8 - length] + footer + len(footer).to_bytes(4, "little") + b"PAR1")
assert pq.read_table("root.parquet").num_rows == 2
run(0, "validate", "root.parquet", says="2 rows, valid")
run(0, "convert", "root.parquet", "copy.parquet")

# Rows without columns: who cannot keep them says so.
none = pa.table({"a": [1, 2]}).select([])
with pa.OSFile("none.arrow", "wb") as file, pa.ipc.new_file(file, none.schema) as writer:
    writer.write_table(none)
run(4, "convert", "none.arrow", "none.parquet", says="holds no rows")
for name in ("none.yson", "none.skiff", "copy.arrow"):
    run(0, "convert", "none.arrow", name)
    run(0, "validate", name, says="2 rows, valid")

# A stream from before the marker.
old = pa.ipc.IpcWriteOptions(use_legacy_format=True, metadata_version=pa.ipc.MetadataVersion.V4)
with pa.OSFile("old.stream", "wb") as file, pa.ipc.new_stream(file, pa.schema([("a", pa.int64())]), options=old) as writer:
    writer.write_table(pa.table({"a": [1, 2]}))
run(0, "schema", "old.stream", says="a: int64")
run(0, "validate", "old.stream", says="2 rows, valid")
run(0, "validate", "old.stream", "--from", "arrow", says="2 rows, valid")

# A value that does not fit is one of a file.
pq.write_table(pa.table({"a": [3, 70000]}), "second.parquet")
for limit in ([], ["--limit", "4"]):
    run(3, "convert", "plain.parquet", "second.parquet", "out.yson", "--to-schema", "[{name=a;type_v3=int8}]", *limit,
        says="second.parquet: error: a: expected a value from -128 to 127, found 70000")

# A column that is not there.
run(0, "convert", "plain.parquet", "plain.yson")
run(0, "convert", "plain.parquet", "plain.arrow")
run(0, "convert", "plain.parquet", "plain.skiff")
for name in ("plain.parquet", "plain.yson", "plain.arrow", "plain.skiff"):
    run(2, "head", name, "--select", "nope", says="there is no column nope")
    run(2, "head", name, "--select", "", says="expected a column name")
run(2, "convert", "plain.yson", "t-{table}.yson", says="expected a Skiff stream")
run(2, "head", "plain.yson", "--row-index", says="expected Skiff rows for --row-index, found yson")

# Nothing is no schema.
pathlib.Path("nothing").touch()
for more in ([], ["--from", "lance"], ["--from", "arrow"]):
    run(3, "schema", "nothing", *more, says="found nothing")
run(3, "check", "nothing", "--to", "yt", says="found nothing")

sys.exit(1 if failures else 0)
