"""Random values of any type through every pair of encodings: YSON, VARIANT of Parquet, Variant of Vortex, JSON text, JSON of Lance.

What is exact is stated here once more, after docs/how-to/json-and-any.md: each row comes back as the value that it was, or is among the
rejected rows. Values are written and read by YTsaurus's package, pyarrow, pylance, vortex-data and the decoder of tests/variant, not by
xwalk. ROUNDS is the number of random tables of each pair (2).
"""
import decimal
import json
import math
import os
import random
import re
import sys

import pytest

from tests import harness

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq
    import vortex
    from yt import yson
from shred_oracle_test import random_values, write_variants  # noqa: E402
from variant_bytes import read_dictionary, read_value  # noqa: E402

harness.needs("libxwalk_parquet.so")
ROUNDS = int(os.environ.get("ROUNDS", "2"))
ROWS = 200
VARIANT = "v=struct<metadata: binary not null, value: binary not null> [arrow.parquet.variant]"


class Lost(Exception):
    """The target does not have the value: its row is rejected."""


# Values are pairs of a kind and a payload, as the decoder of VARIANT returns them. YSON adds ("uint", text) and ("attributes", None), JSON
# text adds ("number", text). Keys of objects are in a dict; ("pairs", …) has those of YSON and JSON, which may be repeated or not text.

def variant_of_yson(value):
    kind, payload = value
    if kind == "attributes":
        raise Lost
    if kind == "uint":
        return "decimal", 0, int(payload)
    if kind == "bytes":
        try:
            return "string", payload.decode()
        except UnicodeDecodeError:
            return "binary", payload
    if kind == "array":
        return "array", [variant_of_yson(item) for item in payload]
    if kind == "pairs":
        return "object", fields_of([(key, variant_of_yson(item)) for key, item in payload])
    return value


def fields_of(pairs):
    try:
        names = [key.decode() if isinstance(key, bytes) else key for key, _ in pairs]
    except UnicodeDecodeError:
        raise Lost from None
    if len(set(names)) < len(names):
        raise Lost
    return dict(zip(names, (item for _, item in pairs)))


def yson_of_variant(value, top=True):
    kind = value[0]
    if kind == "null" and top:
        raise Lost
    if kind == "decimal":
        scale, unscaled = value[1:]
        if not scale and -2**63 <= unscaled < 2**64:
            return ("int" if unscaled < 0 else "uint"), str(unscaled)
        exact = decimal.Decimal(unscaled).scaleb(-scale, decimal.Context(prec=80))
        if not math.isfinite(float(exact)) or decimal.Decimal(repr(float(exact))) != exact:
            raise Lost
        return "double", repr(float(exact))
    if kind == "string":
        return "bytes", value[1].encode()
    if kind == "binary":
        try:
            value[1].decode()
        except UnicodeDecodeError:
            return "bytes", value[1]
        raise Lost
    if kind == "array":
        return "array", [yson_of_variant(item, False) for item in value[1]]
    if kind == "object":
        return "pairs", [(key.encode(), yson_of_variant(item, False)) for key, item in value[1].items()]
    if kind == "float":
        return "double", repr(float(value[1]))
    if kind in ("null", "bool", "int", "double"):
        return value
    raise Lost


def number_text(value):
    if not math.isfinite(value):
        raise Lost
    return "number", repr(value)


def json_of_variant(value):
    kind = value[0]
    if kind == "decimal":
        return "number", format(decimal.Decimal(value[2]).scaleb(-value[1], decimal.Context(prec=80)), "f")
    if kind == "int":
        return "number", value[1]
    if kind in ("double", "float"):
        return number_text(float(value[1]))
    if kind == "array":
        return "array", [json_of_variant(item) for item in value[1]]
    if kind == "object":
        return "pairs", [(key, json_of_variant(item)) for key, item in value[1].items()]
    if kind in ("null", "bool", "string"):
        return value
    raise Lost


def json_of_yson(value):
    kind, payload = value
    if kind == "attributes":
        raise Lost
    if kind in ("int", "uint"):
        return "number", payload
    if kind == "double":
        return number_text(float(payload))
    try:
        if kind == "bytes":
            return "string", payload.decode()
        if kind == "pairs":
            return "pairs", [(key.decode(), json_of_yson(item)) for key, item in payload]
    except UnicodeDecodeError:
        raise Lost from None
    return ("array", [json_of_yson(item) for item in payload]) if kind == "array" else value


def variant_of_json(value):
    kind, payload = value
    if kind == "array":
        return "array", [variant_of_json(item) for item in payload]
    if kind == "pairs":
        return "object", fields_of([(key, variant_of_json(item)) for key, item in payload])
    if kind != "number":
        return value
    digits = payload.lstrip("-").replace(".", "").lstrip("0")
    scale = len(payload.split(".")[1]) if "." in payload and "e" not in payload else 0
    if "e" in payload or (payload.startswith("-") and not digits):
        value = float(payload)
        if not math.isfinite(value) or value == 0 and decimal.Decimal(payload) != 0:
            raise Lost
        return "double", repr(value)
    if len(digits) > 38 or scale > 38:
        raise Lost
    unscaled = int(payload.replace(".", ""))
    return ("int", payload) if not scale and -2**63 <= unscaled < 2**63 else ("decimal", scale, unscaled)


def lance_of_json(value):
    kind, payload = value
    if kind == "array":
        return "array", [lance_of_json(item) for item in payload]
    if kind == "pairs":
        return "pairs", sorted((key, lance_of_json(item)) for key, item in fields_of(payload).items())
    if kind == "number":
        exact = decimal.Decimal(payload)
        integer = re.fullmatch("-?[0-9]+", payload)
        if integer and not -2**63 <= exact < 2**64 or payload == "-0":
            raise Lost
        if not integer and (not math.isfinite(float(payload)) or decimal.Decimal(repr(float(payload))) != exact):
            raise Lost
    return value


def same(one, other):
    """Numbers of JSON are compared by value; -0 is not 0."""
    if one is None or other is None:
        return one is other
    if one[0] == other[0] == "number":
        a, b = (decimal.Decimal(text[1]) for text in (one, other))
        return a == b and (a != 0 or a.is_signed() == b.is_signed())
    if one[0] != other[0]:
        return False
    if one[0] == "array":
        return len(one[1]) == len(other[1]) and all(map(same, one[1], other[1]))
    if one[0] == "pairs":
        return [key for key, _ in one[1]] == [key for key, _ in other[1]] and all(
            same(a, b) for (_, a), (_, b) in zip(one[1], other[1]))
    return one == other


# ---- random values

TEXTS = ["", "a", "zażółć", "2026-01-02", "x" * 70, "\"\\\n\0", "😀"]
DOUBLES = [0.5, -0.0, 1e300, 5e-324, 0.1, 1e22, 123456789.0, math.nan, math.inf, -math.inf]
INTEGERS = [0, 1, -1, 127, 128, -129, 2**31, -2**31 - 1, 2**53 + 1, 2**63 - 1, -2**63]
NUMBERS = ["0", "-0", "-0.0", "1", "1.50", "1e2", "1e+400", "1e-400", "9007199254740993", "18446744073709551615", "18446744073709551616", "0.1",
           "-9223372036854775809", "0.10000000000000000001", "1" * 38, "1" * 39, "0." + "0" * 37 + "1", "0." + "0" * 38 + "1", "5e-324"]


def random_yson(rng, depth=3):
    kind = rng.randrange(12 if depth else 9)
    if kind < 2:
        return "int", str(rng.choice(INTEGERS))
    if kind == 2:
        return "uint", str(rng.choice([0, 5, 2**63, 2**64 - 1]))
    if kind < 5:
        return "double", repr(rng.choice(DOUBLES))
    if kind < 8:
        return "bytes", rng.choice([*(text.encode() for text in TEXTS), b"\xff", b"a\x80"])
    if kind == 8:
        return rng.choice([("bool", True), ("bool", False), ("null", None)]) if depth < 3 else ("bool", True)
    if kind == 9 and rng.random() < 0.1:
        return "attributes", None
    if kind < 11:
        return "array", [random_yson(rng, depth - 1) for _ in range(rng.randrange(4))]
    keys = rng.sample([b"a", b"b c", "ключ".encode(), b"$x", b"\xff" if rng.random() < 0.1 else b"f"], rng.randrange(5))
    return "pairs", [(key, random_yson(rng, depth - 1)) for key in (keys + keys[:1] if rng.random() < 0.1 else keys)]


def random_json(rng, depth=3):
    kind = rng.randrange(8 if depth else 6)
    if kind < 3:
        return "number", rng.choice(NUMBERS)
    if kind < 6:
        return rng.choice([("string", rng.choice(TEXTS)), ("bool", True), ("null", None)])
    if kind == 6:
        return "array", [random_json(rng, depth - 1) for _ in range(rng.randrange(4))]
    return "pairs", [(rng.choice(["a", "b", "c", "ключ"]), random_json(rng, depth - 1)) for _ in range(rng.randrange(4))]


# ---- files, written and read without xwalk

def yson_bytes(value):
    kind, payload = value
    if kind == "attributes":
        return b"<a=1>2"
    if kind == "array":
        return b"[" + b";".join(map(yson_bytes, payload)) + b"]"
    if kind == "pairs":
        return b"{" + b";".join(yson.dumps(key) + b"=" + yson_bytes(item) for key, item in payload) + b"}"
    made = {"int": lambda: yson.YsonInt64(int(payload)), "uint": lambda: yson.YsonUint64(int(payload)), "double": lambda: float(payload),
            "bool": lambda: payload, "null": lambda: None, "bytes": lambda: payload}[kind]()
    return yson.dumps(made)


def write_yson(path, values):
    path.write_bytes(b"".join(b"{v=" + (b"#" if value is None else yson_bytes(value)) + b"};\n" for value in values))
    path.with_name(path.name + ".schema").write_text("[{name=v;type_v3={type_name=optional;item=yson}}]")


def of_yson(value):
    if value is None or isinstance(value, yson.YsonEntity):
        return "null", None
    if isinstance(value, (bool, yson.YsonBoolean)):
        return "bool", bool(value)
    if isinstance(value, yson.YsonUint64):
        return "uint", str(int(value))
    if isinstance(value, int):
        return "int", str(int(value))
    if isinstance(value, float):
        return "double", repr(float(value))
    if isinstance(value, dict):
        return "pairs", [(bytes(key), of_yson(item)) for key, item in value.items()]
    return ("array", [of_yson(item) for item in value]) if isinstance(value, list) else ("bytes", bytes(value))


def read_yson(path):
    rows = list(yson.loads(path.read_bytes(), yson_type="list_fragment", encoding=None, always_create_attributes=True))
    return [None if row[b"v"] is None or isinstance(row[b"v"], yson.YsonEntity) else of_yson(row[b"v"]) for row in rows]


def json_text(value):
    kind, payload = value
    if kind == "number":
        return payload
    if kind == "array":
        return "[" + ",".join(map(json_text, payload)) + "]"
    if kind == "pairs":
        return "{" + ", ".join(f"{json.dumps(key)}: {json_text(item)}" for key, item in payload) + "}"
    return json.dumps(payload)


class Number(str):
    """A number of a JSON text, as it is written."""


def of_json(value):
    if isinstance(value, tuple):
        return "pairs", [(key, of_json(item)) for key, item in value]
    if isinstance(value, list):
        return "array", list(map(of_json, value))
    if isinstance(value, Number):
        return "number", str(value)
    return {type(None): "null", bool: "bool", str: "string"}[type(value)], value


def texts_of(values):
    return pa.table({"v": pa.array([value and json_text(value) for value in values], pa.json_())})


def read_texts(column):
    return [text if text is None else of_json(json.loads(text, parse_float=Number, parse_int=Number, object_pairs_hook=tuple))
            for text in column.to_pylist()]


def read_variants(column):
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    rows = getattr(column, "storage", column).to_pylist()
    return [row and read_value(read_dictionary(row["metadata"])[0], row["value"]) for row in rows]


READ = {
    "yson": read_yson,
    "parquet": lambda path: read_variants(pq.read_table(path)["v"]),
    "vortex": lambda path: read_variants(vortex.open(str(path)).to_arrow().read_all()["v"]),
    "json": lambda path: read_texts(pq.read_table(path)["v"]),
    "lance": lambda path: read_texts(lance.dataset(str(path)).to_table()["v"]),
}
#: The file of each encoding.
FILES = {"yson": "out.yson", "parquet": "out.parquet", "vortex": "out.vortex", "json": "out.json.parquet", "lance": "out.lance"}


def identity(value):
    return value


#: Each step: what a value becomes, and the options.
STEPS = {
    ("yson", "parquet"): (variant_of_yson, []),
    ("yson", "vortex"): (variant_of_yson, ["--any", "variant"]),
    ("yson", "json"): (json_of_yson, ["--any", "json"]),
    ("yson", "lance"): (lambda value: lance_of_json(json_of_yson(value)), ["--any", "json", "--cast", "v=json"]),
    ("parquet", "yson"): (yson_of_variant, []),
    ("parquet", "vortex"): (identity, []),
    ("parquet", "json"): (json_of_variant, ["--cast", "v=json"]),
    ("parquet", "lance"): (lambda value: lance_of_json(json_of_variant(value)), ["--cast", "v=json"]),
    ("vortex", "yson"): (yson_of_variant, []),
    ("vortex", "parquet"): (identity, []),
    ("vortex", "json"): (json_of_variant, ["--cast", "v=json"]),
    ("vortex", "lance"): (lambda value: lance_of_json(json_of_variant(value)), ["--cast", "v=json"]),
    ("json", "parquet"): (variant_of_json, ["--cast", VARIANT]),
    ("json", "vortex"): (variant_of_json, ["--cast", VARIANT]),
    ("json", "lance"): (lance_of_json, ["--cast", "v=json"]),
    ("lance", "json"): (identity, []),
    ("lance", "parquet"): (variant_of_json, ["--cast", VARIANT]),
    ("lance", "vortex"): (variant_of_json, ["--cast", VARIANT]),
}
#: Pairs without a step of their own go through VARIANT or JSON text.
BETWEEN = {("json", "yson"): "parquet", ("lance", "yson"): "parquet"}


def step(folder, rng, source, here, there, values):
    """Converts one file to another encoding; returns it and the values that it must have."""
    change, words = STEPS[here, there]
    target, rejects = folder / FILES[there], folder / f"{here}-{there}.rejects"
    expected, lost = [], []
    for row, value in enumerate(values):
        try:
            expected.append(value if value is None else change(value))
        except Lost:
            lost.append(row)
    harness.run("convert", source, target, *words, "--rejects", rejects, "--on-error", "skip", "-q", "--mode", "overwrite",
                "--batch-rows", rng.choice([7, 65536]), code=(0, 3))
    found = [int(row) for row in re.findall(r'"row"=(\d+)', rejects.read_text(errors="replace"))] if rejects.exists() else []
    assert found == lost, [values[row] for row in set(found) ^ set(lost)][:3]
    stored = READ[there](target)
    assert len(stored) == len(expected)
    wrong = [(a, b) for a, b in zip(expected, stored) if not same(a, b)]
    assert not wrong, wrong[:3]
    return target, stored


def make(folder, rng, encoding):
    """Writes random values; returns the file and what it has."""
    path = folder / f"in.{FILES[encoding]}"
    if encoding == "yson":
        values = [None if rng.random() < 0.05 else random_yson(rng) for _ in range(ROWS)]
        write_yson(path, values)
    elif encoding in ("json", "lance"):
        values = [None if rng.random() < 0.05 else random_json(rng) for _ in range(ROWS)]
        if encoding == "lance":
            values = [value for value in values if value is None or kept(lance_of_json, value)]
            lance.write_dataset(texts_of(values), str(path))
            return path, READ["lance"](path)
        pq.write_table(texts_of(values), path)
    else:
        path = folder / "in.arrow"
        encoded = random_values(rng)
        write_variants(str(path), encoded)
        values = [value and read_value(read_dictionary(value[0])[0], value[1]) for value in encoded]
        if encoding == "vortex":
            harness.run("convert", path, folder / "in.vortex", "-q")
            path = folder / "in.vortex"
    return path, values


def kept(change, value):
    try:
        change(value)
    except Lost:
        return False
    return True


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize(("here", "there"), [(a, b) for a in FILES for b in FILES if a != b])
def test_pair(tmp_path, here, there, seed):
    rng = random.Random(f"{here} {there} {seed}")
    source, values = make(tmp_path, rng, here)
    between = BETWEEN.get((here, there))
    if between:
        source, values = step(tmp_path, rng, source, here, between, values)
        here = between
    target, stored = step(tmp_path, rng, source, here, there, values)
    # And on to VARIANT, from which nothing more is lost than the table says.
    if there != "parquet" and (there, "parquet") in STEPS:
        step(tmp_path, rng, target, there, "parquet", stored)


def test_tables_have_every_type():
    """The random VARIANTs have all types of the specification, and nested ones."""
    rng = random.Random(1)
    kinds = set()

    def add(value):
        kinds.add(value[0])
        for item in value[1] if value[0] == "array" else value[1].values() if value[0] == "object" else ():
            add(item)

    for value in (value for _ in range(5) for value in random_values(rng) if value):
        add(read_value(read_dictionary(value[0])[0], value[1]))
    assert kinds >= {"null", "bool", "int", "float", "double", "decimal", "date", "time", "timestamp", "timestamp_ntz", "timestamp_ns",
                     "timestamp_ntz_ns", "binary", "string", "uuid", "array", "object"}
