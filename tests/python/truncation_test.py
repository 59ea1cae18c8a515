"""What is cut short is refused with a place, unless the format's own rule allows it to end there.

Every prefix of small inputs of every format is read, and so many random prefixes of large ones. RULES says for each format
which prefixes are legal, as docs/reliability.md does, and the boundaries are found without xwalk: by the bytes this test
wrote itself, or by the lengths that the format's messages say.
"""

import gzip
import json
import os
import pathlib
import random
import struct
import tempfile

import pytest

from tests import harness

harness.use_module()
import pyarrow as pa  # noqa: E402
import xwalk  # noqa: E402

# The rule by which a prefix of a format is legal; docs/reliability.md has the same rules.
RULES = {
    "yson": "a list fragment may end after any row, with or without its `;`",
    "skiff": "a stream may end after any row, unless `end_of_stream` asks for the tag 0xFFFF",
    "parquet": "none: the footer is last",
    "arrow": "none: the footer is last",
    "arrow-stream": "a stream may end after any message from the schema on; the mark of the end may be left out",
    "vortex": "none: the postscript is last",
    "lance": "none: the footer is last, in data files and in manifests",
    "gzip": "none within a member; after one, as the rows allow",
    "zstd": "none within a frame; after one, as the rows allow",
    "text": "none but white space at the end",
    "lines": "after any line, and within a line if the part is a line",
    "protobuf": "after any field of the outermost message",
    "flatbuffers": "padding at the end",
}

EITHER = object()  # the format allows it, what it says need not make sense
#: Random prefixes of each large input.
CUTS = int(os.environ.get("XWALK_CUTS", "60"))
scratch = tempfile.TemporaryDirectory(prefix="xwalk-truncation-", dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None)
FOLDER = pathlib.Path(scratch.name)


def problem(name, *words):
    pytest.fail(f"{name} {' '.join(str(word) for word in words)[:400]}")


def read_rows(data, **options):
    return xwalk.convert(data, Sink(), to="skiff", **options).rows


def ask(name, size, legal, read):
    """Reads a prefix: its rows if it is legal (True: any), else an error with a place."""
    try:
        found = read()
    except xwalk.Error as error:
        if legal is not None and legal is not EITHER:
            problem(name, size, "is legal and was refused:", error)
        if not isinstance(error, (xwalk.InputError, xwalk.UnsupportedError)):
            problem(name, size, "is an error of another kind:", type(error).__name__, error)
        if error.byte is None and error.line is None and error.row is None and not error.path:
            problem(name, size, "was refused without a place:", error)
        if not error.message or error.message.isspace():
            problem(name, size, "was refused without a message")
        return
    if legal is None:
        problem(name, size, "was read:", found)
    if legal is not True and legal is not EITHER and found != legal:
        problem(name, size, "expected", legal, "rows, found", found)


def sizes_of(data, large, known=()):
    """Every size of a small input; random ones of a large one, and those beside the boundaries."""
    if not large:
        return range(len(data))
    chosen = {source.randrange(len(data)) for _ in range(CUTS)}
    for at in source.sample(sorted(known), min(len(known), CUTS // 4 + 1)):
        chosen.update(size for size in (at - 1, at, at + 1) if 0 <= size < len(data))
    return sorted(chosen)


def rows_of(name, data, legal, large=False, **options):
    """Cuts rows. `legal` maps the size of each legal prefix to its rows."""
    for size in sizes_of(data, large, legal.keys()):
        ask(name, size, legal.get(size), lambda: read_rows(data[:size], **options))
    ask(name, len(data), legal.get(len(data), True), lambda: read_rows(data, **options))


# --- rows -----------------------------------------------------------------------------------------------
SCHEMA = ("[{name=id;type_v3=int64};{name=text;type_v3={type_name=optional;item=utf8}};"
          "{name=items;type_v3={type_name=list;item={type_name=struct;members=[{name=a;type=double};{name=b;type=bool}]}}};"
          "{name=any;type_v3={type_name=optional;item=yson}}]")
source = random.Random(int(os.environ.get("XWALK_SEED", "1")))


def table(rows):
    return [(n, None if n % 5 == 3 else "text;}]\"\\ " * (n % 4),
             [(n / 7, n % 2 == 0)] * (n % 3), None if n % 3 == 0 else n) for n in range(rows)]


class Sink:
    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data += bytes(data)


def written(rows, to, **options):
    sink = Sink()
    xwalk.convert(rows, sink, to=to, **options)
    return sink.data


def yson_rows(rows):
    """Returns rows as YSON text and the rows that every legal prefix holds."""
    data, legal = b"", {0: 0}
    for n, (number, text, items, other) in enumerate(rows):
        words = [f"id={number}"]
        if text is not None:
            words.append("text=" + json.dumps(text))
        words.append("items=[" + "".join(f"{{a={a!r};b=%{str(b).lower()}}};" for a, b in items) + "]")
        words.append("any=#" if other is None else f"any={{k={other}}}")
        data += ("{" + ";".join(words) + "}").encode()
        for end in ("", ";", ";\n"):
            legal[len(data) + len(end)] = n + 1
        data += b";\n"
    return data, legal


def ends_one_by_one(rows, to, **options):
    """Returns rows as written, and where each ends: what one row alone takes, since no row knows of others."""
    data, legal = b"", {0: 0}
    for n, row in enumerate(rows):
        one = written(yson_rows([row])[0], to, format="yson", schema=SCHEMA, **options)
        separator = 1 if to == "yson" and one.endswith(b";") else 0
        data += one
        legal[len(data)] = legal[len(data) - separator] = n + 1
    return data, legal


def stream_boundaries(data):
    """Returns the rows after each message of an Arrow stream, by the lengths in the messages."""
    legal, at, rows = {}, 0, 0
    while at < len(data):
        size = struct.unpack_from("<i", data, at + 4)[0]
        if size == 0:
            legal[at + 8] = rows
            break
        message = pa.ipc.read_message(pa.py_buffer(data[at:]))
        at += 8 + size + (len(message.body) if message.body else 0)
        if message.type == "record batch":
            metadata = message.metadata.to_pybytes()
            table = struct.unpack_from("<I", metadata, 0)[0]
            vtable = table - struct.unpack_from("<i", metadata, table)[0]
            header = table + struct.unpack_from("<H", metadata, vtable + 8)[0]
            header += struct.unpack_from("<I", metadata, header)[0]
            vtable = header - struct.unpack_from("<i", metadata, header)[0]
            length = struct.unpack_from("<H", metadata, vtable + 4)[0]
            rows += struct.unpack_from("<q", metadata, header + length)[0] if length else 0
        legal[at] = rows
    return legal


LARGE = pytest.mark.parametrize("large", [False, True], ids=["small", "large"])


@LARGE
def test_rows(large):
    size = "large" if large else "small"
    rows = table(4000 if large else 4)
    text, legal = yson_rows(rows)
    options = {"format": "yson", "schema": SCHEMA}
    rows_of(f"{size} yson", text, legal, large, **options)
    few = rows[:400]
    rows_of(f"{size} binary yson", *ends_one_by_one(few, "yson", yson_format="binary"), large, **options)
    skiff_options = {"format": "skiff", "schema": SCHEMA}
    skiff, skiff_legal = ends_one_by_one(few, "skiff")
    rows_of(f"{size} skiff", skiff, skiff_legal, large, **skiff_options)
    marked = skiff + b"\xff\xff"
    rows_of(f"{size} skiff with its end", marked, {len(marked): len(few)}, large, end_of_stream=True, **skiff_options)
    packed = gzip.compress(text[:len(text) // 2 + 1]) + gzip.compress(text[len(text) // 2 + 1:])
    first = len(gzip.compress(text[:len(text) // 2 + 1]))
    at = {0: 0, first: legal[len(text) // 2 + 1]} if len(text) // 2 + 1 in legal else {0: 0}
    rows_of(f"{size} gzip", packed, at, large, **options)
    # A frame can end after a row. Then the bytes after it may be missing.
    whole = max(end for end in legal if end <= len(text) // 2)
    frames = [bytes(pa.compress(part, codec="zstd", asbytes=True)) for part in (text[:whole], text[whole:])]
    rows_of(f"{size} zstd", b"".join(frames), {0: 0, len(frames[0]): legal[whole]}, large, **options)
    members = [gzip.compress(part) for part in (text[:whole], text[whole:])]
    rows_of(f"{size} gzip of rows", b"".join(members), {0: 0, len(members[0]): legal[whole]}, large, **options)



@pytest.mark.skipif(not harness.WITH_PLUGIN, reason="the plugin is not built")
@pytest.mark.parametrize("codec", ["none", "zstd"])
@LARGE
def test_arrow_and_parquet(large, codec):
    size = "large" if large else "small"
    text, options = yson_rows(table(4000 if large else 4))[0], {"format": "yson", "schema": SCHEMA}
    data = written(text, "parquet", compression=codec, **options)
    rows_of(f"{size} parquet, {codec}", data, {}, large, format="parquet")
    data = written(text, "arrow", compression=codec, **options)
    rows_of(f"{size} arrow, {codec}", data, {}, large, format="arrow")
    data = written(text, "arrow-stream", compression=codec, batch_rows=2 if not large else 500, **options)
    rows_of(f"{size} arrow-stream, {codec}", data, stream_boundaries(data), large, format="arrow-stream")


def test_rejects():
    """Rejected rows are rows."""
    rejects = FOLDER / "rejects.yson"
    xwalk.convert(b"{id=1;items=[]};{id=x;items=[]};{id=2;items=[{a=z;b=1}]};{id=3;items=[]};", Sink(), format="yson", schema=SCHEMA,
                  to="skiff", on_error="skip", rejects=str(rejects))
    data = rejects.read_bytes()
    legal, at = {0: 0}, 0
    for n, line in enumerate(data.splitlines(keepends=True)):
        at += len(line)
        legal.update({at: n + 1, at - 1: n + 1, at - 2: n + 1})
    rows_of("rejects", data, legal, format="yson",
            schema="<strict=%false>[{name=row;type=int64};{name=reason;type=utf8};{name=value;type=any};{name=source;type=string}]")


# --- schemas, in every form -------------------------------------------------------------------------------
def of_text(text):
    """Only white space at the end may be missing."""
    return set(range(len(text.rstrip()), len(text)))


def of_lines(text):
    """A list of columns, one per line, can end after any line. A column without its `not null` is nullable."""
    legal, at = set(of_text(text)) | {0}, 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip()
        legal.update((at + len(bare), at + len(line)))
        for mark in (" {", " ["):  # the annotation and the extension type of the column
            if mark in bare:
                legal.update((at + bare.index(mark), at + bare.index(mark) + 1))
        if bare.endswith(" not null"):
            legal.update((at + len(bare) - 9, at + len(bare) - 8))
        at += len(line)
    return legal


def of_blocks(text):
    """A list of blocks can end after any block."""
    return set(of_text(text)) | {0} | {end + step for end in range(1, len(text)) for step in (0, 1)
                                       if text[end - 2:end] in ("\n}", " }") and text[end:end + 1] == "\n"
                                       and text[:end].count("{") == text[:end].count("}")}


def of_fields(data):
    """A protobuf message can end after any field. A first byte may be text: a line without a column."""
    legal, at = {0, 1} if data[:1] == b"\n" else {0}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        wire = number() & 7
        if wire == 0:
            number()
        elif wire == 2:
            size = number()
            at += size
        else:
            at += 8 if wire == 1 else 4
        legal.add(at)
    return legal


def of_padding(data):
    return set(range(len(data.rstrip(b"\0")) + 1, len(data)))


def none(_):
    return set()


def of_flat_message(data):
    return {0}


FORMS = {
    "yt": {"yson": of_text, "yson-binary": of_text, "json": of_text, "short": lambda text: of_lines(text) - {0},
           "row-spec": of_text},
    "skiff": {"yson": of_text, "format": of_text, "short": of_text},
    "parquet": {"message": of_text, "thrift": none},
    "lance": {"text": of_blocks, "json": lambda text: of_text(text) | {0}, "protobuf": of_fields},
    "vortex": {"text": of_text, "json": of_text, "protobuf": none, "flatbuffers": of_padding, "ipc": none},
    "arrow": {"text": of_lines, "ipc": of_flat_message},
}


@pytest.mark.parametrize("system", FORMS)
def test_schemas(system):
    schema = xwalk.Schema.parse(SCHEMA, "yt")
    there = schema if system == "yt" else schema.to(system).schema
    assert not set(there.forms) - FORMS[system].keys() - {"commands"}, "forms that no test truncates"
    for form, rule in FORMS[system].items():
        whole = there.dump(form)
        allowed = rule(whole)
        for size in range(len(whole)):
            ask(f"{system} {form}", size, (EITHER if system == "lance" else True) if size in allowed else None,
                lambda: xwalk.Schema.parse(whole[:size], system))
        xwalk.Schema.parse(whole, system)


# --- files whose schema is read natively, and the schema beside rows ---------------------------------------------
def files_of(name, path, folder, beside=None, rule=none, large=False):
    """Truncates a file in a folder and requests its schema, or that of the file next to it."""
    data = path.read_bytes()
    target = folder / path.name
    allowed = rule(data)
    for size in sizes_of(data, large or len(data) > 3000):
        target.write_bytes(data[:size])
        ask(name, size, True if size in allowed else None, lambda: xwalk.Schema.read(str(beside or target)))


def samples(pattern):
    return pytest.mark.parametrize("path", sorted(harness.SAMPLES.glob(pattern)), ids=lambda path: path.name)


@samples("*.vortex")
def test_vortex_files(path, tmp_path):
    files_of("vortex files", path, tmp_path, large=path.name != "null.vortex")


@samples("list_struct.lance/data/*.lance")
def test_lance_data_files(path, tmp_path):
    files_of("lance data files", path, tmp_path)


@samples("list_struct.lance/_versions/*.manifest")
def test_lance_manifests(path, tmp_path):
    files_of("lance manifests", path, tmp_path)
    dataset = tmp_path / "dataset.lance"
    (dataset / "_versions").mkdir(parents=True)
    (dataset / "data").mkdir()
    files_of("lance datasets", path, dataset / "_versions", dataset)


@pytest.mark.parametrize("name", ["t.skiff", "t.yson"])
def test_the_schema_beside_rows(name, tmp_path):
    xwalk.convert(yson_rows(table(4))[0], str(FOLDER / name), format="yson", schema=SCHEMA)
    (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    files_of(f"the schema beside {name}", FOLDER / (name + ".schema"), tmp_path, tmp_path / name, of_text)
