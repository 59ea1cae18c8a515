"""Files that other writers make and that are easily read wrong, through the program."""
import base64
import pathlib
import struct

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq
harness.needs("libxwalk_parquet.so")
there = harness.work_in(harness.make_folder("odd-files"))


def run(code, *words, says=""):
    done = harness.run(*words, codes=(code,))
    assert says in done.stdout + done.stderr, words
    return done.stdout


def test_files_of_other_writers():
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
    run(4, "convert", "none.arrow", "none.parquet", says="rows without columns")
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

    old_twice = pathlib.Path("old.stream").read_bytes() * 2
    pathlib.Path("old_twice.stream").write_bytes(old_twice)
    run(0, "validate", "old_twice.stream", says="4 rows, valid")
    pathlib.Path("old_more.stream").write_bytes(old_twice + b"more")
    run(3, "validate", "old_more.stream", says="expected another Arrow stream or the end")

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
        run(2, "head", name, "--select", "nope", says='no column "nope"')
        run(2, "head", name, "--select", "", says="expected a column name")
    run(2, "convert", "plain.arrow", "t-{table}.yson", says="expected a Skiff stream of several tables, found arrow")
    run(2, "head", "plain.arrow", "--row-index", says="--row-index needs rows of yson, json, skiff or yt, found arrow")


# Values that are invalid for their type are reported with row and column. The rows around them are read.
def bare(kind, *buffers):
    return pa.Array.from_buffers(kind, 3, [None, *map(pa.py_buffer, buffers)])


def packed(shape, *numbers):
    return struct.pack(f"<{len(numbers)}{shape}", *numbers)


text = bare(pa.utf8(), packed("i", 0, 1, 3, 4), b"a\xff\xfeb")
BAD = {
    "text": (text, "v: expected UTF-8, found"),
    "large": (bare(pa.large_utf8(), packed("q", 0, 1, 3, 4), b"a\xff\xfeb"), "v: expected UTF-8, found"),
    "view": (bare(pa.string_view(), b"\1\0\0\0a" + bytes(11) + b"\2\0\0\0\xff\xfe" + bytes(10) + bytes(16)), "v: expected UTF-8, found"),
    "time": (bare(pa.time32("s"), packed("i", 5, 86400, 7)), "v: expected a time within a day, found 86400"),
    "early": (bare(pa.time64("ns"), packed("q", 5, -1, 7)), "v: expected a time within a day, found -1"),
    "date": (bare(pa.date64(), packed("q", 0, 1, 86400000)), "v: expected milliseconds of whole days, found 1"),
    "digits": (bare(pa.decimal128(3, 0), b"".join(n.to_bytes(16, "little") for n in (5, 1000, 7))), "v: expected a number of 3 digits"),
    "wide": (bare(pa.decimal256(40, 2), b"".join(n.to_bytes(32, "little") for n in (5, 10**40, 7))), "v: expected a number of 40 digits"),
    "list": (pa.ListArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), text), "v[]: expected UTF-8, found"),
    "fixed": (pa.FixedSizeListArray.from_arrays(text, 1), "v[]: expected UTF-8, found"),
    "map": (pa.MapArray.from_arrays(pa.array([0, 1, 2, 3], pa.int32()), text, pa.array([1, 2, 3])), "v{key}: expected UTF-8, found"),
    "struct": (pa.StructArray.from_arrays([text], ["a"]), "v.a: expected UTF-8, found"),
    "dictionary": (pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int8()), text), "v: expected UTF-8, found"),
}


@pytest.mark.parametrize("name", BAD)
def test_invalid_values(name):
    column, says = BAD[name]
    rows = pa.table({"k": [1, 2, 3], "v": column})
    for end, create in ((".arrow", pa.ipc.new_file), (".arrows", pa.ipc.new_stream)):
        with pa.OSFile(name + end, "wb") as file, create(file, rows.schema) as writer:
            writer.write_table(rows)
        run(1, "validate", name + end, says=says)
        run(3, "convert", name + end, "bad.parquet", says=says)
        run(3, "convert", name + end, "bad.parquet", says="at row 1")
        run(0, "convert", name + end, "rest.yson", "--on-error", "skip", "--overwrite", says="1 row rejected")
        run(0, "validate", "rest.yson", says="2 rows, valid")
        run(0, "head", name + end, "--select", "k")


def test_values_and_pages():
    # A null hides what it is of.
    hidden = pa.Array.from_buffers(pa.utf8(), 3, [pa.py_buffer(b"\5"), pa.py_buffer(packed("i", 0, 1, 3, 4)), pa.py_buffer(b"a\xff\xfeb")])
    with pa.OSFile("hidden.arrow", "wb") as file, pa.ipc.new_file(file, pa.schema([("v", pa.utf8())])) as writer:
        writer.write_table(pa.table({"v": hidden}))
    run(0, "validate", "hidden.arrow", says="3 rows, valid")
    # Offsets that point nowhere end it, with the column.
    with pa.OSFile("offsets.arrow", "wb") as file, pa.ipc.new_file(file, pa.schema([("k", pa.int64()), ("v", pa.utf8())])) as writer:
        writer.write_table(pa.table({"k": [1, 2, 3], "v": bare(pa.utf8(), packed("i", 0, 3, 2, 4), b"abcd")}))
    run(3, "validate", "offsets.arrow", says="v: batch 0:")

    # A page that cannot be read is one of a column and a row group.
    pq.write_table(pa.table({"a": range(600), "t": [f"text {n}" for n in range(600)]}), "pages.parquet", row_group_size=300,
                   compression="zstd", use_dictionary=False, write_statistics=False)
    chunk = pq.ParquetFile("pages.parquet").metadata.row_group(1).column(1)
    damaged = bytearray(pathlib.Path("pages.parquet").read_bytes())
    for at in range(1, 60):
        damaged[chunk.data_page_offset + chunk.total_compressed_size - at] ^= 0x5A
    pathlib.Path("pages.parquet").write_bytes(damaged)
    for verb in (["validate", "pages.parquet"], ["convert", "pages.parquet", "pages.yson"]):
        run(3, *verb, says="t: row group 1:")
    run(0, "convert", "pages.parquet", "pages.yson", "--select", "a")

    # A file may say by its own name that values are in it.
    collected = []
    pq.write_to_dataset(pa.table({"a": [1, 2]}), "own", metadata_collector=collected, basename_template="{i}")
    collected[0].set_file_path("own.parquet")
    collected[0].write_metadata_file("footer")
    footer = pathlib.Path("footer").read_bytes()[4:]
    pathlib.Path("own.parquet").write_bytes((pathlib.Path("own") / "0").read_bytes() + footer)
    run(0, "validate", "own.parquet", says="2 rows, valid")
    pathlib.Path("own.parquet").rename("other.parquet")
    run(4, "validate", "other.parquet", says="the values are in another file")


def test_encrypted_files():
    """Encrypted files are refused with the same message by every command."""
    encryption = pytest.importorskip("pyarrow.parquet.encryption")
    class Keys(encryption.KmsClient):
        def __init__(self, _):
            super().__init__()

        def wrap_key(self, key, _):
            return base64.b64encode(key)

        def unwrap_key(self, wrapped, _):
            return base64.b64decode(wrapped)

    for name, plain_footer in (("footer.parquet", False), ("column.parquet", True)):
        properties = encryption.CryptoFactory(Keys).file_encryption_properties(
            encryption.KmsConnectionConfig(),
            encryption.EncryptionConfiguration(footer_key="f", column_keys={"k": ["a"]}, plaintext_footer=plain_footer))
        with pq.ParquetWriter(name, pa.schema([("a", pa.int64()), ("b", pa.int64())]), encryption_properties=properties) as writer:
            writer.write_table(pa.table({"a": [1, 2], "b": [3, 4]}))
    for verb in (["schema"], ["check", "--to", "yt"], ["head"], ["validate"], ["validate", "--rules"], ["convert", "--to", "yson"]):
        more = ["-"] if verb[0] == "convert" else []
        run(4, verb[0], "footer.parquet", *more, *verb[1:], says="the footer is encrypted, which xwalk cannot read")
    run(0, "schema", "column.parquet", says="optional int64 b;")
    for words in (["head"], ["validate"], ["head", "--select", "b"]):
        run(4, words[0], "column.parquet", *words[1:], says="a: row group 0: the values are encrypted, which xwalk cannot read")


def big_endian(stream, values):
    """Returns a stream of int32 as a machine of the other order writes it: the schema says so, the values differ."""
    out = bytearray(stream)

    def u16(at):
        return struct.unpack_from("<H", out, at)[0]

    def i32(at):
        return struct.unpack_from("<i", out, at)[0]

    message = 8 + i32(8)
    header = message + u16(message - i32(message) + 4 + 2 * 2)
    schema = header + i32(header)
    # The default, little, is left out: any number 1 nearby stands for big.
    one = next(at for at in range(schema + 4, schema + 400, 2) if u16(at) == 1)
    struct.pack_into("<H", out, schema - i32(schema) + 4, one - schema)
    at = bytes(out).index(packed("i", *values))
    struct.pack_into(f">{len(values)}i", out, at, *values)
    return bytes(out)


def test_big_endian():
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("a", pa.int32())])) as writer:
        writer.write_table(pa.table({"a": pa.array([1000, 70000, 3], pa.int32())}))
    pathlib.Path("big.arrows").write_bytes(big_endian(sink.getvalue().to_pybytes(), [1000, 70000, 3]))
    assert pa.ipc.open_stream("big.arrows").read_all()["a"].to_pylist() == [1000, 70000, 3]
    run(0, "schema", "big.arrows", says="a: int32")
    run(0, "head", "big.arrows", says="70000")
    run(0, "check", "big.arrows", "--to", "yt", says="1 exact")


def test_large_lengths():
    """Impossibly large lengths are reported as an input error, regardless of the text before them in the message."""
    zeros = pa.table({"t": ["x" * 100] * 1000})
    with pa.OSFile("long.arrow", "wb") as file, pa.ipc.new_file(file, zeros.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(zeros)
    bytes_said = packed("q", 100000)
    pathlib.Path("long.arrow").write_bytes(pathlib.Path("long.arrow").read_bytes().replace(bytes_said, packed("q", 1 << 60)))
    run(3, "validate", "long.arrow", says="expected a length that the data has, found 1152921504606846976 bytes")


def test_lengths_of_lists():
    """The length of lists that a file's Arrow schema fixes is part of what readers get."""
    for size in (3, 4, -1):
        pq.write_table(pa.table({"v": pa.array([[0.0] * max(size, 1)], pa.list_(pa.float32(), size))}), f"list{size}.parquet")
    run(1, "compat", "list3.parquet", "list4.parquet", says="incompatible")
    run(1, "compat", "list-1.parquet", "list3.parquet", says="v: every list must have 3 items")
    run(1, "compat", "list3.parquet", "list-1.parquet", "--mode", "full", says="forward: v: every list must have 3 items")
    run(0, "compat", "list3.parquet", "list-1.parquet")


def test_names_that_are_not_utf8():
    """Names that are not UTF-8 are said to be renamed, and keys of JSON are text."""
    with pa.OSFile("name.arrow", "wb") as file, pa.ipc.new_file(file, pa.schema([("xx", pa.int64())])) as writer:
        writer.write_table(pa.table({"xx": [1, 2]}))
    named = pathlib.Path("name.arrow").read_bytes().replace(b"xx\0", b"\xff\xfe\0")
    pathlib.Path("name.arrow").write_bytes(named)
    for target in ("parquet", "lance", "vortex"):
        run(0, "check", "name.arrow", "--to", target, says="name.changed")
    run(1, "validate", "name.arrow", says="a name that is not UTF-8 (name.invalid)")
    run(1, "validate", "name.arrow", "--rules", says="a name that is not UTF-8 (name.invalid)")
    run(0, "head", "name.arrow", "--as", "json", says='{"\\\\xFF\\\\xFE":1}')
    run(0, "head", "name.arrow", says="\\xFF\\xFE")


def test_empty_files():
    """Nothing is no schema."""
    pathlib.Path("nothing").touch()
    for more in ([], ["--from", "lance"], ["--from", "arrow"]):
        run(3, "schema", "nothing", *more, says="found nothing")
    run(3, "check", "nothing", "--to", "yt", says="found nothing")
