"""Arrow streams that follow each other in a file or a pipe, as YTsaurus writes them, are all read; other bytes after the
end of a stream are an error with the byte."""

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
harness.needs("libxwalk_parquet.so")
FOLDER = harness.make_folder("streams")


def expect(name, condition, shown=""):
    harness.expect(condition, name, shown)


def stream(**named):
    """Returns a stream of one batch."""
    table = pa.table(named)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def run(*words, data=None):
    done = harness.try_run(*words, input=data, text=False)
    return done.returncode, done.stdout, done.stderr.decode()


def rows(data, *words):
    """Reads bytes as a file and as a pipe, and returns the rows, which are the same."""
    path = FOLDER / "in.arrows"
    path.write_bytes(data)
    found = []
    for source in ([path], ["-", "--from", "arrow-stream"]):
        code, out, error = run("convert", source[0], "-", "--to", "yson", "-q", *words, *source[1:],
                               data=data if source[0] == "-" else None)
        expect("exit", code == 0, error)
        found.append(out.decode())
    expect("file and pipe", found[0] == found[1], found)
    return found[0]


def refused(name, data, *words):
    path = FOLDER / "bad.arrows"
    path.write_bytes(data)
    for command in (["validate", path], ["convert", path, FOLDER / "none.yson", "-q"],
                    ["convert", "-", FOLDER / "none.yson", "-q", "--from", "arrow-stream"],
                    ["head", "-n", "1000", path]):
        code, out, error = run(*command, data=data)
        expect(name, code == 3 and all(word in error for word in words), (command[0], code, out[-100:], error))
    expect(name, not (FOLDER / "none.yson").exists(), "an output was left")


text = ["x", None, "y"]
plain = stream(k=pa.array([1, 2, 3]), v=pa.array(text))
encoded = stream(k=pa.array([4, 5, 6, 7, 8]), v=pa.array(["x", "z", "z", None, "x"]).dictionary_encode())
other_dictionary = stream(k=pa.array([9]), v=pa.array(["q"]).dictionary_encode())
empty = stream(k=pa.array([], pa.int64()), v=pa.array([], pa.string()))

EXPECTED = {1: "x", 2: None, 3: "y", 4: "x", 5: "z", 6: "z", 7: None, 8: "x", 9: "q"}


def line(k):
    value = "#" if EXPECTED[k] is None else f'"{EXPECTED[k]}"'
    return f'{{"k"={k};"v"={value};}};\n'


one_to_three, four_to_eight = "".join(map(line, (1, 2, 3))), "".join(map(line, (4, 5, 6, 7, 8)))


def test_streams_that_follow_each_other():
    expect("plain, then encoded", rows(plain + encoded) == one_to_three + four_to_eight, rows(plain + encoded))
    expect("encoded, then plain", rows(encoded + plain) == four_to_eight + one_to_three, rows(encoded + plain))
    expect("two dictionaries", rows(encoded + other_dictionary) == four_to_eight + line(9))
    expect("empty ones", rows(empty + plain + empty + empty + encoded + empty) == one_to_three + four_to_eight)
    expect("batches", rows(plain + encoded + other_dictionary, "--batch-rows", "2") == one_to_three + four_to_eight + line(9))
    expect("selected", rows(plain + encoded, "--select", "k") == "".join(f'{{"k"={k};}};\n' for k in range(1, 9)))
    expect("limited", rows(plain + encoded, "--limit", "4") == one_to_three + line(4))
    # A stream may end without its mark, where the input ends.
    expect("no mark at the end", rows(plain + encoded[:-8]) == one_to_three + four_to_eight)


def encoded_as(indices, values, index=pa.int64()):
    return pa.DictionaryArray.from_arrays(pa.array(indices, index), pa.array(values, pa.string()))


def in_a_file(name, *batches):
    """A file has one dictionary, into which the indices of all batches are rewritten."""
    source, target = FOLDER / "dictionaries.arrows", FOLDER / f"{name}.arrow"
    source.write_bytes(b"".join(stream(v=batch) for batch in batches))
    code, out, error = run("convert", source, target, "-q")
    if code != 0:
        return code, error
    return pa.ipc.open_file(target).read_all()["v"].to_pylist()


def test_dictionaries_in_a_file():
    """An index under a null may be anything."""
    wild = pa.DictionaryArray.from_buffers(
        pa.dictionary(pa.int64(), pa.string()), 2,
        [pa.py_buffer(b"\1"), pa.py_buffer((0).to_bytes(8, "little") + (2**40).to_bytes(8, "little"))], pa.array(["q"]))
    for name, batches in {
        "wild": [encoded_as([0, 1], ["x", "z"]), wild],
        "empty first": [encoded_as([None], []), encoded_as([0, 1], ["x", "z"])],
        "empty": [encoded_as([None], []), encoded_as([None, None], [])],
        "repeated": [encoded_as([0, 1], ["x", "x"]), encoded_as([1, 0], ["x", "y"]), encoded_as([0], ["z"])],
        "with nulls": [encoded_as([0, 1], [None, "x"]), encoded_as([0, 1], ["y", None])],
    }.items():
        found = in_a_file(name, *batches)
        expect(f"dictionaries: {name}", found == [value for batch in batches for value in batch.to_pylist()], found)
    narrow = [encoded_as([0], [f"{batch}:{i}" for i in range(100)], pa.int8()) for batch in range(2)]
    expect("dictionaries: too many values", "at most 128 values" in str(in_a_file("narrow", *narrow)), in_a_file("narrow", *narrow))


def test_verbs():
    path = FOLDER / "all.arrows"
    path.write_bytes(plain + encoded)
    code, out, error = run("validate", path)
    expect("validate", code == 0 and b"8 rows, valid" in out, (out, error))
    code, out, error = run("convert", path, FOLDER / "again.arrow", "-q")
    expect("to Arrow", code == 0, error)
    back = pa.ipc.open_file(FOLDER / "again.arrow").read_all()
    expect("to Arrow", back["v"].to_pylist() == list(EXPECTED.values())[:8], back)
    code, out, error = run("convert", path, path, FOLDER / "twice.yson", "-q")
    expect("several inputs", code == 0 and (FOLDER / "twice.yson").read_text().count("{") == 16, error)


def test_other_bytes_after_the_end():
    end = len(plain)
    refused("garbage after the end", plain + b"garbage", f"byte {end}", "another Arrow stream or the end")
    refused("zeros after the end", plain + bytes(8), f"byte {end}")
    refused("one byte after the end", plain + encoded + b"\n", f"byte {end + len(encoded)}")
    refused("bytes that are not a stream", plain + b"\xff\xff\xff\xff\x07\0\0\0garbage", f"byte {end}")
    refused("other columns", plain + stream(k=pa.array([1])), "v")
    refused("another type", plain + stream(k=pa.array(["a", "b", "c"]), v=pa.array(text)), "k")


def test_invalid_bytes_after_the_end_of_other_formats():
    """Invalid bytes after the end of other formats."""
    good = harness.write(FOLDER / "rows.yson", "{k=1};{k=2};", "[{name=k;type=int64}]")
    for suffix in (".gz", ".zst"):
        packed = FOLDER / f"rows.yson{suffix}"
        code, out, error = run("convert", good, packed, "-q")
        expect("packed", code == 0, error)
        whole = packed.read_bytes()
        packed.write_bytes(whole + whole)
        code, out, error = run("convert", packed, "-", "--to", "yson", "-q")
        expect(f"two members of {suffix}", code == 0 and out.count(b"{") == 4, (out, error))
        for junk in (b"garbage", bytes(16), b"\n"):
            packed.write_bytes(whole + junk)
            code, out, error = run("validate", packed)
            expect(f"{junk} behind {suffix}", code == 3 and "byte" in error, (code, out, error))
    for suffix in ("arrow", "parquet", "vortex"):
        path = FOLDER / f"rows.{suffix}"
        code, out, error = run("convert", good, path, "-q")
        if code != 0 and "not installed" in error:
            continue
        expect(suffix, code == 0, error)
        whole = path.read_bytes()
        for junk in (b"garbage", bytes(16), b"\n"):
            path.write_bytes(whole + junk)
            code, out, error = run("validate", path)
            expect(f"{junk} behind {suffix}", code == 3, (code, out, error))
    code, out, error = run("convert", good, FOLDER / "rows.skiff", "-q", "--end-of-stream")
    expect("skiff", code == 0, error)
    with open(FOLDER / "rows.skiff", "ab") as file:
        file.write(b"more")
    code, out, error = run("validate", FOLDER / "rows.skiff")
    expect("after the end of Skiff", code == 3 and "byte" in error, (code, out, error))
