"""Casts in conversions: the report is true for each value, with pyarrow's safe casts as the oracle.

Every pair of types is asked: a value arrives as pyarrow casts it, or its row is rejected and the path was said to be `checked`;
what is said to be `kept` refuses nothing. All interfaces accept casts, and refuse invalid ones.
"""
import decimal
import json
import pathlib
import random

import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
harness.use_module()
import xwalk  # noqa: E402

FOLDER = harness.make_folder("cast")
D = decimal.Decimal

#: Types in Arrow syntax, and values of each, including the limits of other types.
VALUES = {
    "int8": (pa.int8(), [0, 1, -1, 127, -128, None]),
    "uint8": (pa.uint8(), [0, 1, 127, 128, 255, None]),
    "int32": (pa.int32(), [0, 255, 256, 19000, 2**31 - 1, -2**31, None]),
    "int64": (pa.int64(), [0, 5, 2**24 + 1, 2**53, 2**53 + 1, 2**63 - 1, -2**63, None]),
    "uint64": (pa.uint64(), [0, 5, 2**63, 2**64 - 1, None]),
    "float": (pa.float32(), [0.0, 1.5, -2.25, 3e38, float("inf"), None]),
    "double": (pa.float64(), [0.0, 1.5, 0.1, 127.0, 1e300, float("nan"), None]),
    "decimal128(5, 2)": (pa.decimal128(5, 2), [D("0.00"), D("1.50"), D("-999.99"), None]),
    "decimal128(18, 4)": (pa.decimal128(18, 4), [D("0.0000"), D("1.2500"), D("1.2345"), D("99999999999999.9999"), None]),
    "string": (pa.string(), ["", "a", "ключ", "12", None]),
    "binary": (pa.binary(), [b"", b"a", b"\xff", None]),
    "bool": (pa.bool_(), [True, False, None]),
    "date32": (pa.date32(), [0, 19000, -1, None]),
    "timestamp[s, tz=UTC]": (pa.timestamp("s", "UTC"), [0, 1_700_000_000, -1, None]),
    "timestamp[us, tz=UTC]": (pa.timestamp("us", "UTC"), [0, 1_000_000, 1_700_000_000_000_001, None]),
    "timestamp[ns, tz=UTC]": (pa.timestamp("ns", "UTC"), [0, 1_000, 1_700_000_000_000_000_001, None]),
}


def same(a, b):
    return a == b or (a != a and b != b)


def as_text(text, kind):
    """Text of a value as pyarrow or xwalk writes it, in one form: floats by value, one sign between date and time, no zeros at the
    end of a fraction."""
    if text is None or isinstance(text, bytes):
        return text
    if pa.types.is_floating(kind):
        return repr(float(text))
    if pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        body = text.replace(" ", "T").removesuffix("Z")
        return (body.rstrip("0").rstrip(".") if "." in body else body) + "Z" * text.endswith("Z")
    return text


def run(*words):
    done = harness.run(*words, code=None)
    return done.returncode, done.stdout, done.stderr


def plain(values):
    """Values that compare; days and ticks as numbers, which Python's own types cannot all hold."""
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_date32(values.type) or pa.types.is_timestamp(values.type):
        values = values.view(pa.int32() if pa.types.is_date32(values.type) else pa.int64())
    return values.to_pylist()


def oracle(value, source, target):
    """The value that pyarrow casts to; nothing (an empty list) where it refuses."""
    try:
        return [plain(pc.cast(pa.array([value], source), target))[0]]
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return []


@pytest.mark.parametrize("target", VALUES)
@pytest.mark.parametrize("source", VALUES)
def test_pair(source, target):
    kind, values = VALUES[source]
    to = VALUES[target][0]
    table = pa.table({"n": pa.array(range(len(values)), pa.int64()), "v": pa.array(values, kind)})
    table = str(written(table, "pair.arrow"))
    what = f"{source} to {target}"
    words = {"v": target}
    try:
        report = xwalk.check(table, "arrow", cast=words, rows=True)
    except xwalk.UnsupportedError:
        # Impossible casts are refused by all interfaces, before anything is written.
        with_refusal(table, words)
        return
    paths = {path["path"]: path for path in report.to_dict()["paths"]}
    path = paths["v"]
    out = FOLDER / "out.arrow"
    if path["values"] == "none":
        with_refusal(table, words)
        return
    done = xwalk.convert(table, out, cast=words, on_error="skip", mode="overwrite")
    told = report.to_dict()["rows"]
    came = pa.ipc.open_file(str(out)).read_all()
    check(f"{what}: type", came.schema.field("v").type, to)
    arrived = dict(zip(came["n"].to_pylist(), plain(came["v"])))
    check(f"{what}: rows refused", len(values) - len(arrived), told["refused"])
    check(f"{what}: rows rejected", done.rejected, told["refused"])
    if path["values"] == "kept":
        check(f"{what}: nothing is refused", told["refused"], 0)
    expected_rule = ["type.cast"] if source != target else []
    check(f"{what}: told", [r["rule"] for r in path["reasons"] if r["rule"] == "type.cast"], expected_rule)
    for at, value in enumerate(values):
        known = oracle(value, kind, to)
        if at in arrived and known and target == "string" and source not in ("string", "binary"):
            check(f"{what}: {value!r}", as_text(arrived[at], kind), as_text(known[0], kind))
        elif at in arrived and known and not same(arrived[at], known[0]):
            check(f"{what}: {value!r}", arrived[at], known[0])
        if at not in arrived:
            check(f"{what}: {value!r} was foreseen", path["values"] in ("checked", "altered"), True)
            # Floats that a half float cannot hold are refused here, and rounded by pyarrow.
            exact = known and same(plain(pc.cast(pa.array(known, to), kind, safe=False))[0], plain(pa.array([value], kind))[0])
            if exact and source not in ("double", "float") and target not in ("double", "float", "bool"):
                check(f"{what}: {value!r} is refused", "refused", known[0])


def draw(rng, kind):
    """A value of a type: its bits are random, or few of them are set."""
    if pa.types.is_boolean(kind):
        return rng.random() < 0.5
    if pa.types.is_decimal(kind):
        return D(rng.randint(1 - 10**kind.precision, 10**kind.precision - 1) // 10**rng.randrange(kind.precision)).scaleb(-kind.scale)
    bits = rng.getrandbits(kind.bit_width) >> rng.choice((0, 0, rng.randrange(kind.bit_width)))
    if pa.types.is_time(kind):
        return bits % (86400 * 10**{"s": 0, "ms": 3, "us": 6, "ns": 9}[kind.unit])
    if pa.types.is_floating(kind):
        whole = {32: pa.uint32(), 64: pa.uint64()}[kind.bit_width]
        return pa.array([bits], whole).view(kind)[0].as_py()
    signed = pa.types.is_signed_integer(kind) or not pa.types.is_integer(kind)
    value = bits - (1 << kind.bit_width) if signed and bits >> (kind.bit_width - 1) else bits
    # Python's dates, through which pyarrow makes some of its texts, end with the year 9999.
    if pa.types.is_date32(kind):
        return value % 2_900_000
    if pa.types.is_timestamp(kind):
        return value % (250_000_000_000 * 10**{"s": 0, "ms": 3, "us": 6, "ns": 9}[kind.unit]) if kind.unit != "ns" else value
    return value


def bent(rng, text):
    """Text with a character more, less or another."""
    at, sign = rng.randrange(len(text) + 1), rng.choice(" +-.0159eEZT:x\u00b2_,")
    return rng.choice((text[:at] + sign + text[at:], text[:at] + text[at + 1:], text[:at] + sign + text[at + 1:]))


def written(table, name):
    path = FOLDER / name
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return path


def read(path):
    return pa.ipc.open_file(str(path)).read_all()


KINDS = {"int8": pa.int8(), "int16": pa.int16(), "int32": pa.int32(), "int64": pa.int64(), "uint8": pa.uint8(),
         "uint16": pa.uint16(), "uint32": pa.uint32(), "uint64": pa.uint64(), "float": pa.float32(), "double": pa.float64(),
         "bool": pa.bool_(), "date32": pa.date32(), "time32[ms]": pa.time32("ms"), "time64[ns]": pa.time64("ns"),
         "decimal128(18, 4)": pa.decimal128(18, 4), "decimal128(38, 0)": pa.decimal128(38, 0),
         "decimal256(70, 30)": pa.decimal256(70, 30),
         **{f"timestamp[{unit}{zone}]": pa.timestamp(unit, "UTC" if zone else None)
            for unit in ("s", "ms", "us", "ns") for zone in ("", ", tz=UTC")}}


@pytest.mark.parametrize("name", KINDS)
def test_texts(name):
    """Random values become text and come back by the cast back; random text is read as pyarrow reads it, or refused with its row."""
    kind, rng, rows = KINDS[name], random.Random(name), 300
    values = pa.array([None if rng.random() < 0.05 else draw(rng, kind) for _ in range(rows)], kind)
    source = written(pa.table({"v": values}), "values.arrow")
    for text in ("string", "large_string", "string_view", "binary"):
        report = xwalk.check(source, "arrow", cast={"v": text}).to_dict()["paths"]
        told = next(path for path in report if path["path"] == "v")
        check(f"{name} to {text}: values", told["values"], "kept")
        there, back = FOLDER / "texts.arrow", FOLDER / "back.arrow"
        xwalk.convert(source, there, cast={"v": text}, mode="overwrite")
        xwalk.convert(there, back, cast={"v": name}, mode="overwrite")
        came = read(back)["v"]
        check(f"{name} to {text}: type", came.type, kind)
        for before, after in zip(plain(values), plain(came)):
            if not same(before, after) or (before == 0 and pa.types.is_floating(kind) and str(before) != str(after)):
                check(f"{name} to {text}: round trip", after, before)
                break
    said = read(FOLDER / "texts.arrow")["v"].cast(pa.string()).to_pylist()
    known = pc.cast(values, pa.string()).to_pylist()
    wrong = [(ours, theirs) for ours, theirs in zip(said, known)
             if as_text(ours, kind) != as_text(theirs, kind) and not (pa.types.is_decimal(kind) and D(ours) == D(theirs))]
    check(f"{name}: text as pyarrow's", wrong[:3], [])
    # Text that may be anything.
    drawn = [bent(rng, text) if rng.random() < 0.7 else text for text in said if text is not None]
    source = written(pa.table({"n": pa.array(range(len(drawn)), pa.int64()), "v": drawn}), "drawn.arrow")
    done = xwalk.convert(source, FOLDER / "read.arrow", cast={"v": name}, on_error="skip", mode="overwrite")
    came = read(FOLDER / "read.arrow")
    arrived = dict(zip(came["n"].to_pylist(), plain(came["v"])))
    refused = {row["row"]: row for row in done.rejects}
    check(f"{name}: each text is read or refused", sorted([*arrived, *refused]), list(range(len(drawn))))
    for at, text in enumerate(drawn):
        theirs = oracle(text, pa.string(), kind)
        if at in arrived and theirs and not same(arrived[at], theirs[0]):
            check(f"{name}: {text!r} is read", arrived[at], theirs[0])
        if at in arrived and text != text.strip():
            check(f"{name}: {text!r} is refused", "read", "refused")
        if at in refused and (refused[at]["path"] != "v" or text[:20] not in refused[at]["reason"]):
            check(f"{name}: {text!r} is reported", refused[at], text)
    with pytest.raises(xwalk.InputError) as raised:
        xwalk.convert(written(pa.table({"v": ["x"]}), "bad.arrow"), FOLDER / "bad_out.arrow", cast={"v": name})
    error = raised.value
    told = (error.row, error.path, "expected" in error.message, '"x"' in error.message)
    check(f"{name}: the error is reported", told, (0, "v", True, True))


def with_refusal(table, words):
    with pytest.raises(xwalk.Error):
        xwalk.convert(table, FOLDER / "refused.arrow", cast=words)


def test_interfaces():
    source = FOLDER / "rows.parquet"
    nested = pa.struct([pa.field("a", pa.int64()), pa.field("b", pa.string())])
    table = pa.table({"id": pa.array([1, 2, 300], pa.int64()), "price_in": [1.5, 19.99, None], "price_out": [0.5, 1.0, 2.0],
                      "s": pa.array([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}, None], nested),
                      "tags": pa.array([[1, 2], [], [3]], pa.list_(pa.int64())),
                      "odd name": [1, 2, 3]})
    pq.write_table(table, source)
    words = ["--cast", "price_*=decimal(18,2)", "--cast", "s.a=int8", "--cast", "tags[]=uint16", "--cast", '"odd name"=Int16']
    options = {"price_*": "decimal(18,2)", "s.a": "int8", "tags[]": "uint16", '"odd name"': "Int16"}
    for extension in ("parquet", "arrow"):
        out = FOLDER / f"program.{extension}"
        check(f"{extension}: program", run("convert", source, out, "--overwrite", *words)[0], 0)
        by_python = FOLDER / f"python.{extension}"
        xwalk.convert(source, by_python, cast=options, mode="overwrite")
        check(f"{extension}: bytes", by_python.read_bytes(), out.read_bytes())
        read = pq.read_table(out) if extension == "parquet" else pa.ipc.open_file(out).read_all()
        check(f"{extension}: types", [str(field.type) for field in read.schema],
              ["int64", "decimal128(18, 2)", "decimal128(18, 2)", "struct<a: int8, b: string>",
               str(read.schema.field("tags").type), "int16"])
        check(f"{extension}: items", read.schema.field("tags").type.value_type, pa.uint16())
        check(f"{extension}: values", read["price_in"].to_pylist(), [D("1.50"), D("19.99"), None])
    # Rows of YTsaurus, and nullability of types.
    out = FOLDER / "out.yson"
    check("yson: program", run("convert", source, out, "--overwrite", "--select", "id,price_out", "--cast",
                               "id=optional int32 id", "--cast", "price_out=float not null")[0], 0)
    schema = xwalk.Schema.read(str(out) + ".schema")
    check("yson: types", all(kind in schema.dump() for kind in ("int32", "float")), True)
    # Rows that do not fit are counted by all who look at rows.
    code, text, _ = run("check", source, "--to", "yt", "--cast", "id=uint8", "--rows", "--json")
    check("check counts", (code, json.loads(text)["rows"]["refused"]), (1, 1))
    code, text, _ = run("validate", source, "--cast", "id=uint8", "--json")
    check("validate counts", (code, json.loads(text)["bad_rows"]), (1, 1))
    code, text, _ = run("head", source, "--select", "id,odd name", "--cast", "id=float", "--rename", "id=key", "--as", "json")
    check("head", [json.loads(line) for line in text.splitlines()][:1], [{"key": 1.0, "odd name": 1}])
    code, text, _ = run("validate", source, "--cast", "s.b=int64", "--json")
    check("validate reads text", (code, json.loads(text)["bad_rows"]), (1, 2))
    code, text, _ = run("check", source, "--to", "yt", "--cast", "s.b=int64", "--rows", "--json")
    check("check reads text", (code, json.loads(text)["rows"]["refused"]), (1, 2))
    code, text, _ = run("head", source, "--select", "id,price_in", "--cast", "id=utf8", "--cast", "price_in=string", "--as", "json")
    check("head writes text", json.loads(text.splitlines()[1]), {"id": "2", "price_in": "19.99"})
    code, text, _ = run("schema", source, "--cast", "id=utf8", "--to", "yt")
    check("schema of text", (code, "utf8" in text.lower()), (0, True))
    code, _, error = run("convert", source, FOLDER / "bad.parquet", "--cast", "s.b=int64")
    check(f"a word is reported: {error}", (code, all(word in error for word in ("s.b", "a whole number", '"x"', "row 0"))), (3, True))
    rejects = FOLDER / "rejects.yson"
    code, _, _ = run("convert", source, FOLDER / "r.parquet", "--overwrite", "--cast", "id=uint8", "--on-error", "skip", "--rejects",
                     rejects)
    check("rejects", (code, rejects.read_text().count("uint8") + rejects.read_text().count("255") > 0), (0, True))
    code, text, _ = run("schema", source, "--cast", "id=int8", "--to", "arrow", "--form", "text")
    check("schema", "id: int8" in text, True)
    # What cannot be done is refused before anything is written.
    for bad, hint in (("nope=int8", 'no column "nope"'), ("id=decimaal(18,2)", "decimal"), ("id=int8=int16", "--cast:1:5"),
                      ("x*=int8", "no column matches"), ("id", "PATH=TYPE"), ("s.nope=int8", "no column")):
        code, _, error = run("convert", source, FOLDER / "bad.parquet", "--cast", bad)
        check(f"{bad} is refused: {error}", (code, hint in error), (2, True))
    check("nothing was written", (FOLDER / "bad.parquet").exists(), False)
    code, _, error = run("convert", source, FOLDER / "bad.yson", "--cast", "id=int8", "--to-schema", "[{name=id;type=int64}]",
                         "--select", "id")
    check(f"a given schema: {error}", (code, "expected a value from -128 to 127" in error), (3, True))
    code, _, error = run("convert", source, FOLDER / "bad.parquet", "--cast", "id=int8", "--cast", "id=int16")
    check(f"twice: {error}", code, 2)


def test_order():
    """Rows sorted by a column are sorted no more where its cast changes their order."""
    source = harness.write(FOLDER / "sorted.yson", "{a=1;b=1;v=x};{a=10;b=2;v=y};{a=9;b=3;v=z};".replace("a=9", "a=11"),
                           "[{name=a;type_v3=int64;sort_order=ascending};{name=b;type_v3=int64;sort_order=ascending};{name=v;type_v3=string}]")
    for cast, sorted_by in (("a=int32", 2), ("b=double", 2), ("v=utf8", 2), ("a=utf8", 0), ("b=utf8", 1), ("a=bool", None)):
        out = FOLDER / "sorted_out.yson"
        code, _, error = run("convert", source, out, "--overwrite", "--cast", cast)
        if sorted_by is not None:
            check(f"sorted, {cast}: {error}", pathlib.Path(str(out) + ".schema").read_text().count("sort_order"), sorted_by)
