"""Schemas and footers that are small and ask for much memory, or have names twice (point 2)."""
import gzip
import os
import random
import struct
import sys

from case import TESTS, case
from shared_offsets import arrow_stream, vortex_dtype

sys.path.insert(0, str(TESTS / "parquet"))
from raw_file import BINARY, I32, I64, LIST, STRUCT, Node, encode, logical, varint, write  # noqa: E402

MANY = 10_000
LONG = b"n" * 300_000
SHARED = "Many columns share one long name or metadata"


def every_verb(here, name, *words, **expected):
    for verb in (("schema", name), ("validate", name), ("info", name), ("head", name), ("check", name, "--to", "parquet"),
                 ("convert", name, "out.yson")):
        yield here.xwalk(*verb, *words, **expected)


@case("2.shared-names-arrow")
def shared_names(here):
    """10,000 columns of an Arrow stream share one name of 300 kB."""
    here.write("names.arrows", arrow_stream(MANY, LONG))
    yield from every_verb(here, "names.arrows", exits=3, memory=120, seconds=5, said=SHARED, unsaid="n" * 1100)


@case("2.tensor-dimensions")
def tensor_dimensions(here):
    """A tensor claims two billion dimensions, by the size of a list, in each of 50 columns."""
    here.make("""
import pyarrow as pa
shape = pa.struct([("data", pa.list_(pa.float32())), ("shape", pa.list_(pa.int32(), 2**31 - 1))])
tensor = {"ARROW:extension:name": "arrow.variable_shape_tensor"}
for name, text in {"none": "{}", "few": '{"permutation":[0]}', "number": '{"permutation":2147483647}'}.items():
    fields = [pa.field(f"c{i}", shape, metadata=tensor | {"ARROW:extension:metadata": text}) for i in range(50)]
    open(f"{name}.arrow", "wb").write(pa.schema(fields).serialize())
""", "pyarrow")
    for name in ("none", "few", "number"):
        for verb in (("validate", f"{name}.arrow"), ("schema", f"{name}.arrow"), ("check", f"{name}.arrow", "--to", "lance")):
            yield here.xwalk(*verb, "--from", "arrow", exits=(0, 1, 3), memory=60, seconds=5)


@case("2.long-name")
def long_name(here):
    """One column has a name of 300 kB: text for people shortens it."""
    here.write("name.arrows", arrow_stream(1, LONG))
    for verb in (("validate", "name.arrows"), ("check", "name.arrows", "--to", "parquet"), ("check", "name.arrows", "--to", "yt")):
        yield here.xwalk(*verb, exits=(0, 1, 2, 3, 4), memory=120, seconds=5, unsaid="n" * 1100)


@case("2.long-name-forms")
def long_name_forms(here):
    """Text, HTML, Markdown and annotations of GitHub shorten a name of 300 kB; JSON and JUnit have it whole."""
    here.write("name.arrows", arrow_stream(1, LONG))
    here.write("other.arrows", arrow_stream(1, LONG[1:] + b"m"))
    for verb, forms in ((("info", "name.arrows"), ("text", "html")),
                        (("diff", "name.arrows", "other.arrows"), ("text", "html", "markdown")),
                        (("diff", "name.arrows", "other.arrows", "--rows"), ("text", "html")),
                        (("compat", "name.arrows", "other.arrows"), ("text", "html", "markdown")),
                        (("check", "name.arrows", "--to", "yt"), ("html", "markdown"))):
        for form in forms:
            yield here.xwalk(*verb, "--output", form, exits=(0, 1), memory=120, seconds=5, said="n" * 100 + "…", unsaid="n" * 1100)
        yield here.xwalk(*verb, "--output", "json", exits=(0, 1), memory=120, seconds=5, said="n" * 299_999)
    for verb in (("check", "name.arrows", "--to", "yt"), ("diff", "name.arrows", "other.arrows"), ("compat", "name.arrows", "other.arrows")):
        yield here.xwalk(*verb, "--output", "github", exits=(0, 1), memory=120, seconds=5, unsaid="n" * 1100)
        yield here.xwalk(*verb, "--output", "junit", exits=(0, 1), memory=120, seconds=5, said="n" * 299_999)
    for verb in (("head", "name.arrows"), ("check", "name.arrows", "--to", "yt", "--output", "management")):
        yield here.xwalk(*verb, memory=120, seconds=5, unsaid="n" * 1100)


@case("2.shared-names-reports")
def shared_names_reports(here):
    """60 columns share a name of 300 kB, just within 64 times the file: a report for programs has each name whole, and not often."""
    here.write("names.arrows", arrow_stream(60, LONG))
    for form in ("json", "junit", "github", "markdown", "html", "text"):
        done = yield here.xwalk("check", "names.arrows", "--to", "yt", "--output", form, memory=400, seconds=10)
        whole = form in ("json", "junit")
        here.expect(len(done.stdout) < (40_000_000 if whole else 200_000), form, len(done.stdout))
    yield here.xwalk("check", "names.arrows", "--to", "yt", "--output", "json", "--max-memory", "64M", exits=3, said="--max-memory",
                     memory=120, seconds=5)


@case("2.shared-names-max-memory")
def shared_names_within(here):
    """1,000 columns share a name of 30 kB: 30 MB, within 64 times the file and over a quarter of --max-memory."""
    here.write("names.arrows", arrow_stream(1000, LONG[:30_000]))
    yield here.xwalk("schema", "names.arrows", "--max-memory", "32M", exits=3, memory=60, seconds=5)


@case("2.shared-metadata-arrow")
def shared_metadata(here):
    """10,000 columns of an Arrow stream share one metadata value of 300 kB."""
    here.write("metadata.arrows", arrow_stream(MANY, b"n", 1, LONG))
    yield from every_verb(here, "metadata.arrows", exits=3, memory=120, seconds=5, said=SHARED)


@case("2.shared-entry-arrow")
def shared_entry(here):
    """One column has 10,000 metadata entries that are one entry of 300 kB."""
    here.write("entry.arrows", arrow_stream(1, b"n", MANY, LONG))
    yield from every_verb(here, "entry.arrows", exits=3, memory=120, seconds=5)


@case("2.shared-small")
def shared_small(here):
    """Shared offsets alone are no fault: 100 columns with one name and one entry are read."""
    here.write("small.arrows", arrow_stream(100, b"name", 3, b"value"))
    yield here.xwalk("schema", "small.arrows", memory=60, seconds=5, said="name: null")


@case("2.vortex-shared")
def shared_vortex(here):
    """10,000 members of a DType of Vortex share one name of 300 kB."""
    here.write("dtype.fb", vortex_dtype(MANY, LONG))
    yield here.xwalk("schema", "dtype.fb", "--from", "vortex", exits=3, memory=120, seconds=5, said=SHARED)
    yield here.xwalk("check", "dtype.fb", "--from", "vortex", "--to", "parquet", exits=3, memory=120, seconds=5)


@case("2.many-columns")
def many_columns(here):
    """300,000 columns share one name and one type: 2.4 MB, of which a report with all columns takes 1.1 GB."""
    here.write("dtype.fb", vortex_dtype(300_000, b"n"))
    for words in (("check", "--to", "parquet"), ("check", "--to", "lance", "--output", "json"), ("check", "--to", "arrow", "--output", "html"),
                  ("schema", "--to", "arrow")):
        yield here.xwalk(words[0], "dtype.fb", "--from", "vortex", *words[1:], "--max-memory", "400M", exits=3, memory=250, seconds=10,
                         said="--max-memory raises the limit")
    yield here.xwalk("schema", "dtype.fb", "--from", "vortex", memory=150, seconds=10)


@case("2.long-name-above")
def long_name_above(here):
    """30,000 fields are in a struct with a name of 30 kB, which is a part of the path of each of them."""
    here.write("wide.schema", '{"%s"={%s}}' % ("n" * 30_000, ", ".join(f"m{number}=i64" for number in range(30_000))))
    here.write("deep.schema", '{"%s"=' % ("n" * 30_000) * 240 + "i64" + "}" * 240)
    for name in ("wide", "deep"):
        for words in (("check", f"{name}.schema", "--to", "parquet"), ("check", f"{name}.schema", "--to", "lance", "--output", "html"),
                      ("schema", f"{name}.schema", "--to", "yt"), ("diff", f"{name}.schema", f"{name}.schema"),
                      ("compat", f"{name}.schema", f"{name}.schema")):
            yield here.xwalk(*words, exits=3, memory=300, seconds=10, said="expected a schema that takes at most", unsaid="n" * 1100)


def footer_of_empty_entries(count):
    """Returns a Parquet file without rows whose footer has that many key-values without bytes."""
    footer = encode(STRUCT, {1: (I32, 1), 2: (LIST, (STRUCT, [{4: (BINARY, "m"), 5: (I32, 1)}, {1: (I32, 1), 3: (I32, 0), 4: (BINARY, "a")}])),
                             3: (I64, 0), 4: (LIST, (STRUCT, []))})[:-1]
    footer += b"\x19" + bytes([0xF0 | STRUCT]) + varint(count) + b"\0" * count + b"\0"
    return b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"


@case("2.parquet-footer-key-values")
def key_values(here):
    """A Parquet footer has 30 million key-values of one byte each, 29 kB in gzip."""
    here.write("footer.parquet.gz", gzip.compress(footer_of_empty_entries(30_000_000), 9))
    for verb in ("schema", "validate", "info"):
        yield here.xwalk(verb, "footer.parquet.gz", "--from", "parquet", exits=3, memory=250, seconds=10)
    yield here.xwalk("schema", "footer.parquet.gz", "--from", "parquet", "--max-memory", "64M", exits=3, memory=120, seconds=10)


def footer_of_empty_chunks(groups, chunks):
    """Returns a Parquet file whose footer has row groups with column chunks of one byte each."""
    footer = encode(STRUCT, {1: (I32, 1), 2: (LIST, (STRUCT, [{4: (BINARY, "m"), 5: (I32, 1)}, {1: (I32, 1), 3: (I32, 0), 4: (BINARY, "a")}])),
                             3: (I64, 0)})[:-1]
    group = b"\x19" + bytes([0xF0 | STRUCT]) + varint(chunks) + b"\0" * chunks + b"\x16\0\x16\0\0"
    footer += b"\x19" + bytes([0xF0 | STRUCT]) + varint(groups) + group * groups + b"\0"
    return b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"


@case("2.parquet-footer-chunks")
def footer_chunks(here):
    """A Parquet footer has 30 million column chunks of one byte each, 29 kB in gzip, in one row group or in many."""
    for groups, chunks in ((1, 30_000_000), (30_000, 1000), (6_000_000, 0)):
        here.write("chunks.parquet.gz", gzip.compress(footer_of_empty_chunks(groups, chunks), 9))
        for verb in (("validate",), ("info",), ("schema",), ("head",), ("check", "--to", "arrow", "--rows")):
            yield here.xwalk(verb[0], "chunks.parquet.gz", *verb[1:], "--from", "parquet", exits=3, memory=250, seconds=10)
            yield here.xwalk(verb[0], "chunks.parquet.gz", *verb[1:], "--from", "parquet", "--max-memory", "64M", exits=3, memory=120, seconds=10)


@case("2.parquet-footer-sizes")
def footer_sizes(here):
    """A Parquet footer claims lists and strings that are longer than the file."""
    body = b"\x15\x02" + b"\x19" + bytes([0xF0 | STRUCT]) + varint((1 << 31) - 1)
    for number, footer in enumerate((body, b"\x15\x02\x19\x1c\x48" + varint((1 << 31) - 1) + b"a")):
        here.write(f"{number}.parquet", b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1")
        yield here.xwalk("schema", f"{number}.parquet", exits=3, memory=60, seconds=5)
        yield here.xwalk("validate", f"{number}.parquet", exits=3, memory=60, seconds=5)


class Either(bytes):
    """A value for two columns of one name: text, a number, or a group."""

    def __index__(self):
        return 1 << 30

    def get(self, name):
        return {} if name == "a" else None


@case("2.parquet-variant-parts")
def variant_parts(here):
    """A shredded VARIANT has two columns of one name: one is as it must be, the other has another type."""
    text, number = Node("required binary", "metadata"), Node("optional int32", "typed_value")
    group = Node("optional group", "typed_value", [Node("required group", "a", [Node("optional binary", "value")])])
    row = {"metadata": Either(b"\1\0\0"), "typed_value": Either()}
    for name, parts in (("metadata", [Node("required int32", "metadata"), text, number]), ("typed_value", [text, group, number])):
        write(here.folder / f"{name}.parquet", [Node("optional group", "v", parts, logical=logical("VARIANT"))], [{"v": row}])
        problem = f"expected one {name}, found two"
        yield here.xwalk("validate", f"{name}.parquet", exits=1, said=problem)
        yield here.xwalk("head", f"{name}.parquet", said=problem)
        yield here.xwalk("convert", f"{name}.parquet", "-", "--to", "yson", said=problem)
        yield here.xwalk("check", f"{name}.parquet", "--to", "yt")


@case("2.schema-texts")
def texts(here):
    """Schema texts of 2 MB in every syntax take at most 64 times their size."""
    count = 50_000
    columns = [f"c{number}" for number in range(count)]
    yt = "[" + ";".join(f"{{name={name};type_v3={{type_name=optional;item=int64}}}}" for name in columns) + "]"
    forms = {"yt": yt, "arrow": ", ".join(f"{name}: int64" for name in columns),
             "parquet": "message m {" + "".join(f"optional int64 {name};" for name in columns) + "}",
             "vortex": "{" + ", ".join(f"{name}=i64?" for name in columns) + "}"}
    for system, text in forms.items():
        here.write(f"{system}.schema", text)
        yield here.xwalk("schema", f"{system}.schema", "--from", system, exits=(0, 3), memory=40 + 64 * len(text) // (1 << 20),
                         seconds=20)


@case("2.schema-depth")
def depth(here):
    """Schemas that are 100,000 levels deep are refused in every syntax."""
    for number, (text, *words) in enumerate((
            ("{type_name=list;item=" * 100_000,), ('{"type":' * 100_000,), ("message m { " + "required group a { " * 100_000, "--from", "parquet"),
            ("list(" * 100_000, "--from", "vortex"), ("a: " + "list<item: " * 100_000, "--from", "arrow"))):
        here.write(f"{number}.schema", text)
        yield here.xwalk("schema", f"{number}.schema", *words, exits=3, memory=100, seconds=5)


@case("2.protobuf-lance")
def protobuf(here):
    """A manifest of Lance with a million fields without names."""
    field = b"\x0a\x00"  # field 1, a message without bytes
    random.seed(2)
    for name, data in (("fields.manifest", field * 1_000_000), ("noise.manifest", random.randbytes(300_000)),
                       ("long.manifest", b"\x0a" + varint((1 << 31) - 1) + os.urandom(8))):
        here.write(name, data)
        yield here.xwalk("schema", name, "--from", "lance", exits=3, memory=200, seconds=10)
