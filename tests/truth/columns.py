"""Columns of known meaning: each is written for every system and read from every system here, without xwalk.

A value is in normal form (see `normal.py`); `write` and `read` go by the form of a system and by the modes that options choose.
"""
import csv
import datetime
import gzip
import io
import json
import struct
import uuid
from fractions import Fraction

import arrow_tables
import normal
import pyarrow as pa
import skiff_tables
import yt_tables
from normal import float_bits
from yt import yson

YT_LIKE = ("yson", "json", "skiff")
FORMATS = ["yson", "json", "skiff", "parquet", "arrow", "lance", "vortex", "csv"]
EXTENSION = {name: name for name in FORMATS} | {"json": "jsonl"}
#: Zones by the number that a cluster gives to them.
ZONES = {b"GMT": 0, b"Europe/Moscow": 1}
US = 1000
DAY = normal.DAY


def optional(kind):
    return {"type_name": "optional", "item": kind}


def members(*pairs):
    return [{"name": name, "type": kind} for name, kind in pairs]


DICT = {"type_name": "dict", "key": "utf8", "value": "int64"}
DICT_OF_STRINGS = {**DICT, "key": "string"}
STRUCT = {"type_name": "struct", "members": members(("a", "int64"), ("b", optional("utf8")))}
VARIANT = {"type_name": "variant", "members": members(("a", "int64"), ("b", "utf8"))}
DECIMAL = {"type_name": "decimal", "precision": 9, "scale": 2}
TEXTS = [b"", b"a", "ä€𝄞".encode(), b" x ", b"null", b'"q"', b"1,2\n", b"12", b"-7", b"=1+1", b"'@x"]
STRING_KEYED = "m_string"


def pairs(rng, twice=0.0):
    keys = rng.sample([b"k", b"l", b"m n"], rng.randint(0, 3))
    if keys and rng.random() < twice:
        keys.append(keys[0])
    return [(key, rng.randint(-9, 9)) for key in keys]


def number(rng, low, high):
    return rng.choice([low, high, 0, 1]) if rng.random() < 0.3 else rng.randint(max(low, -300), min(high, 300))


#: The columns: the type in YTsaurus's notation, and a random value in normal form.
KINDS = {
    "n": (optional("int64"), lambda rng: None if rng.random() < 0.2 else number(rng, -2**63, 2**63 - 1)),
    "u": ("uint64", lambda rng: number(rng, 0, 2**64 - 1)),
    "flag": ("bool", lambda rng: rng.random() < 0.5),
    "text": (optional("utf8"), lambda rng: None if rng.random() < 0.2 else rng.choice(TEXTS)),
    "blob": ("string", lambda rng: rng.choice([*TEXTS, b"\xff\x00"])),
    "num": ("double", lambda rng: float_bits(rng.choice([0.0, -0.0, 1.5, -2.25, 0.1, 1e300, 2.0**53, float("nan"), 7.0]))),
    "day": (optional("date"), lambda rng: None if rng.random() < 0.2 else rng.randint(0, 49672) * DAY),
    "at": ("timestamp", lambda rng: rng.randint(0, 4 * 10**15) * US if rng.random() < 0.7 else rng.randint(0, 10**9) * 10**9),
    "price": (optional(DECIMAL), lambda rng: None if rng.random() < 0.1 else Fraction(number(rng, -10**9 + 1, 10**9 - 1), 100)),
    "uid": ("uuid", lambda rng: rng.randbytes(16)),
    "tags": ({"type_name": "list", "item": optional("utf8")},
             lambda rng: [None if rng.random() < 0.3 else rng.choice(TEXTS) for _ in range(rng.randint(0, 3))]),
    "st": (STRUCT, lambda rng: {"a": number(rng, -2**63, 2**63 - 1), "b": rng.choice([None, *TEXTS])}),
    "m": (DICT, lambda rng: pairs(rng, 0.1)),
    STRING_KEYED: (DICT_OF_STRINGS, lambda rng: pairs(rng)),
    "way": (VARIANT, lambda rng: ("v", "a", rng.randint(-9, 9)) if rng.random() < 0.5 else ("v", "b", rng.choice(TEXTS))),
    "zoned": ("tz_datetime", lambda rng: {"time": rng.randint(0, 4 * 10**9) * 10**9, "zone": rng.choice(list(ZONES))}),
    "any": (optional("yson"), lambda rng: rng.choice([None, 1, -5, b"a", [1, b"b"], {b"a": float_bits(1.5), b"b": [True]}, ("u", 2**63), ("u", 5)])),
    "levels": (optional(optional("int64")), lambda rng: rng.choice([None, {"value": None}, {"value": 5}])),
    "exact": (DECIMAL, lambda rng: rng.choice(["nan", "inf", Fraction(rng.randint(-999, 999), 100)])),
    # YTsaurus has no nanoseconds: Arrow has them.
    "fine": ("timestamp_ns", lambda rng: rng.randint(0, 10**18) if rng.random() < 0.3 else rng.randint(0, 10**15) * US),
    "word": ("dictionary", lambda rng: rng.choice([None, b"red", b"green"])),
}
#: What only YTsaurus has, what only Arrow has, and what the packages of engines do not write as such.
ONLY_YT = {"way", "zoned", "any", "levels", "exact"}
ONLY_ARROW = {"fine", "word"}
NOT_IN = {"lance": {"uid", "m", STRING_KEYED, "word"}, "vortex": {"uid", "m", STRING_KEYED, "word"}, "parquet": set(), "arrow": set()}


def kinds_of(form):
    """The names of the columns that a form has."""
    if form in YT_LIKE:
        left = set(KINDS) - ONLY_ARROW
        return sorted(left - {"blob", "zoned"} if form == "json" else left)
    return sorted(set(KINDS) - ONLY_YT - NOT_IN[form])


def draw(rng, names, rows):
    """Random rows: dicts by name."""
    return [{name: KINDS[name][1](rng) for name in names} for _ in range(rows)]


def schema_text(names):
    return yt_tables.schema_text([(name, KINDS[name][0]) for name in names])


# YSON and JSON.

class Modes:
    """How rows of YTsaurus hold what they may hold in several ways."""

    def __init__(self, is_json=False, named=True, dict_named=False, decimal_text=False, time_text=False, uuid_mode="binary",
                 tz_index=False):
        self.is_json, self.named, self.dict_named = is_json, named, dict_named
        self.decimal_text, self.time_text, self.uuid_mode, self.tz_index = decimal_text, time_text, uuid_mode, tz_index

    def text(self, data):
        return data.decode() if self.is_json else data


def iso(nanoseconds, kind):
    at = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=nanoseconds // 1000)
    return at.strftime({"date": "%Y-%m-%d", "datetime": "%Y-%m-%dT%H:%M:%SZ", "timestamp": "%Y-%m-%dT%H:%M:%S.%fZ"}[kind])


def of_iso(text):
    """Nanoseconds of a text: a date, or an instant in UTC."""
    text = text.rstrip("Z")
    date, _, time = text.partition("T") if "T" in text else text.partition(" ")
    days = (datetime.date.fromisoformat(date) - datetime.date(1970, 1, 1)).days
    hours, minutes, seconds = time.split(":") if time else (0, 0, 0)
    return days * DAY + (int(hours) * 3600 + int(minutes) * 60) * 10**9 + int(Fraction(seconds) * 10**9)


def decimal_text(value, scale):
    if isinstance(value, str):
        return value
    scaled = int(value * 10**scale)
    digits = str(abs(scaled)).rjust(scale + 1, "0")
    return ("-" if scaled < 0 else "") + digits[:len(digits) - scale] + "." + digits[len(digits) - scale:]


def decimal_bytes(value, width, scale):
    top = 1 << (8 * width - 1)
    special = {"nan": top - 1, "inf": top - 2, "-inf": -top + 2}
    number = special[value] if isinstance(value, str) else int(value * 10**scale)
    return (number + top).to_bytes(width, "big")


def uuid_text(data, mode):
    """The text of a uuid from its RFC bytes; YTsaurus's own form is the stored bytes as four numbers without leading zeros."""
    if mode == "text_yql":
        return str(uuid.UUID(bytes=data))
    return "-".join(f"{word:x}" for word in struct.unpack(">4I", uuid.UUID(bytes=data).bytes_le))


def encode(kind, value, modes):
    """A value in normal form as YSON or JSON keeps it."""
    name = yt_tables.name_of(kind)
    if name == "yson":
        return encode_node(value, modes)
    if value is None:
        return None
    if name == "optional":
        inner = yt_tables.name_of(kind["item"])
        return [encode(kind["item"], value["value"], modes)] if inner == "optional" else encode(kind["item"], value, modes)
    if name in ("utf8", "string"):
        return modes.text(value)
    if name in ("uint32", "uint64"):
        return value if modes.is_json else yson.YsonUint64(value)
    if name == "double":
        return struct.unpack(">d", bytes.fromhex(value[1]))[0] if value[1] != "nan" else float("nan")
    if name in ("date", "timestamp"):
        if modes.time_text:
            return modes.text(iso(value, name).encode())
        count = value // yt_tables.WHOLE[name][2]
        return count if modes.is_json else yson.YsonUint64(count)
    if name == "decimal":
        if modes.decimal_text:
            return modes.text(decimal_text(value, kind["scale"]).encode())
        data = decimal_bytes(value, yt_tables.decimal_width(kind["precision"]), kind["scale"])
        return modes.text(data)
    if name == "uuid":
        if modes.uuid_mode != "binary":
            return modes.text(uuid_text(value, modes.uuid_mode).encode())
        return modes.text(uuid.UUID(bytes=value).bytes_le)
    if name == "tz_datetime":
        return modes.text((value["time"] // 10**9).to_bytes(4, "big") + value["zone"])
    return encode_nested(name, kind, value, modes)


def encode_nested(name, kind, value, modes):
    if name == "list":
        return [encode(kind["item"], item, modes) for item in value]
    if name == "dict":
        made = [[encode(kind["key"], key, modes), encode(kind["value"], item, modes)] for key, item in value]
        return dict(made) if modes.dict_named and kind["key"] == "string" else made
    if name == "struct":
        made = [(modes.text(member["name"].encode()), encode(member["type"], value[member["name"]], modes)) for member in kind["members"]]
        return dict(made) if modes.named else [item for _, item in made]
    if name == "variant":
        at = [member["name"] for member in kind["members"]].index(value[1])
        label = modes.text(value[1].encode()) if modes.named else at
        return [label, encode(kind["members"][at]["type"], value[2], modes)]
    return value


def encode_node(value, modes):
    """A value of any type."""
    if isinstance(value, tuple):
        if value[0] == "u":
            return {"$type": "uint64", "$value": value[1]} if modes.is_json else yson.YsonUint64(value[1])
        return struct.unpack(">d", bytes.fromhex(value[1]))[0]
    if isinstance(value, bytes):
        return modes.text(value)
    if isinstance(value, list):
        return [encode_node(item, modes) for item in value]
    if isinstance(value, dict):
        return {modes.text(key): encode_node(item, modes) for key, item in value.items()}
    return value


def node(value, is_json):
    """A value of any type in normal form."""
    if is_json and isinstance(value, dict):
        if "$value" in value:
            return ("u", value["$value"]) if value.get("$type") == "uint64" else node(value["$value"], True)
        return {key.encode(): node(item, True) for key, item in value.items()}
    if is_json and isinstance(value, list):
        return [node(item, True) for item in value]
    return value.encode() if is_json and isinstance(value, str) else yt_tables.of_node(value)


def data_of(value, is_json):
    """Bytes of a string; JSON has characters in their place."""
    return value.encode() if is_json else yt_tables.text_of(value)


def decode(kind, value, modes):
    """The normal form of a value that YSON or JSON keeps, by its type in YTsaurus's notation."""
    name = yt_tables.name_of(kind)
    if name == "tagged":
        return decode(kind["item"], value, modes)
    if name == "yson":
        return node(value, modes.is_json)
    if value is None or isinstance(value, yson.YsonEntity):
        return None
    if name == "optional":
        if yt_tables.name_of(yt_tables.bare(kind["item"])) in ("optional", "null", "void"):
            return {"value": decode(kind["item"], value[0], modes)}
        return decode(kind["item"], value, modes)
    if name in ("list", "tuple", "dict", "struct", "variant"):
        return decode_nested(name, kind, value, modes)
    if modes.decimal_text and name == "decimal":
        text = data_of(value, modes.is_json).decode()
        return text.lower() if text.lower().lstrip("-") in ("nan", "inf") else Fraction(text)
    if modes.time_text and name in ("date", "datetime", "timestamp"):
        return of_iso(data_of(value, modes.is_json).decode())
    if modes.uuid_mode != "binary" and name == "uuid":
        text = data_of(value, modes.is_json).decode()
        if modes.uuid_mode == "text_yql":
            return uuid.UUID(text).bytes
        return uuid.UUID(bytes_le=struct.pack(">4I", *(int(part, 16) for part in text.split("-")))).bytes
    if name.startswith("tz_") and modes.tz_index:
        data = value.encode() if modes.is_json else yt_tables.text_of(value)
        zone = next(zone for zone, at in ZONES.items() if at == int.from_bytes(data[-2:], "big"))
        return yt_tables.of_value(kind, data[:-2] + zone)
    if modes.is_json and isinstance(value, str):
        return value.encode() if name in ("utf8", "string", "json") else yt_tables.of_value(kind, value.encode())
    return yt_tables.of_value(kind, value)


def decode_nested(name, kind, value, modes):
    if name == "list":
        return [decode(kind["item"], item, modes) for item in value]
    if name == "tuple":
        return {str(at): decode(element["type"], item, modes) for at, (element, item) in enumerate(zip(kind["elements"], value))}
    if name == "dict":
        if isinstance(value, dict):
            value = list(value.items())
        return [(decode(kind["key"], key, modes), decode(kind["value"], item, modes)) for key, item in value]
    if name == "struct":
        if isinstance(value, dict):
            found = {data_of(key, modes.is_json).decode(): item for key, item in value.items()}
        else:
            found = dict(zip([member["name"] for member in kind["members"]], value))
        return {member["name"]: decode(member["type"], found.get(member["name"]), modes) for member in kind["members"]}
    label, inner = value
    if "elements" in kind:
        return ("v", str(int(label)), decode(kind["elements"][int(label)]["type"], inner, modes))
    at = int(label) if isinstance(label, int) else [member["name"] for member in kind["members"]].index(data_of(label, modes.is_json).decode())
    return ("v", kind["members"][at]["name"], decode(kind["members"][at]["type"], inner, modes))


# Skiff.

def wire(kind):
    name = yt_tables.name_of(kind)
    plain = {"int64": "int64", "uint64": "uint64", "bool": "boolean", "utf8": "string32", "string": "string32", "double": "double",
             "date": "uint64", "timestamp": "uint64", "uuid": "string32", "tz_datetime": "string32", "yson": "yson32", "decimal": "int32",
             "int32": "int64", "uint32": "uint64"}
    if name in plain:
        return {"wire_type": plain[name]}
    if name == "optional":
        return {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, wire(kind["item"])]}
    if name == "list":
        return {"wire_type": "repeated_variant8", "children": [wire(kind["item"])]}
    if name == "dict":
        return {"wire_type": "repeated_variant8",
                "children": [{"wire_type": "tuple", "children": [wire(kind["key"]), wire(kind["value"])]}]}
    children = [{**wire(member["type"]), "name": member["name"]} for member in kind["members"]]
    return {"wire_type": "tuple" if name == "struct" else "variant8", "children": children}


def skiff_bytes(kind, value):
    name = yt_tables.name_of(kind)
    if name == "optional":
        if value is None:
            return b"\0"
        inner = value["value"] if yt_tables.name_of(kind["item"]) == "optional" else value
        return b"\1" + skiff_bytes(kind["item"], inner)
    if name == "list":
        return b"".join(b"\0" + skiff_bytes(kind["item"], item) for item in value) + b"\xff"
    if name in ("int32", "uint32"):
        return struct.pack({"int32": "<q", "uint32": "<Q"}[name], value)
    if name == "dict":
        return b"".join(b"\0" + skiff_bytes(kind["key"], key) + skiff_bytes(kind["value"], item) for key, item in value) + b"\xff"
    if name == "struct":
        return b"".join(skiff_bytes(member["type"], value[member["name"]]) for member in kind["members"])
    if name == "variant":
        at = [member["name"] for member in kind["members"]].index(value[1])
        return bytes([at]) + skiff_bytes(kind["members"][at]["type"], value[2])
    if name == "yson":
        data = yson.dumps(encode_node(value, Modes()), yson_format="binary")
        return struct.pack("<I", len(data)) + data
    if name == "decimal":
        return (int.from_bytes(decimal_bytes(value, 4, kind["scale"]), "big") - 2**31).to_bytes(4, "little", signed=True)
    raw = encode(kind, value, Modes())
    if isinstance(raw, bytes):
        return struct.pack("<I", len(raw)) + raw
    return struct.pack({"int64": "<q", "bool": "<?", "double": "<d"}.get(name, "<Q"), raw)


def of_wire(kind, value, modes):
    """The normal form of a value of wire types, by its type in YTsaurus's notation."""
    name = yt_tables.name_of(kind)
    if name == "tagged":
        return of_wire(kind["item"], value, modes)
    if value is None:
        return None
    if name == "optional":
        nested = yt_tables.name_of(yt_tables.bare(kind["item"])) in ("optional", "null", "void")
        return {"value": of_wire(kind["item"], value["value"], modes)} if nested else of_wire(kind["item"], value, modes)
    if name == "list":
        return [of_wire(kind["item"], item, modes) for item in value]
    if name == "dict":
        return [(of_wire(kind["key"], item["0"], modes), of_wire(kind["value"], item["1"], modes)) for item in value]
    if name == "struct":
        return {member["name"]: of_wire(member["type"], value[member["name"]], modes) for member in kind["members"]}
    if name == "tuple":
        return {str(at): of_wire(element["type"], value[str(at)], modes) for at, element in enumerate(kind["elements"])}
    if name == "variant":
        own = (kind.get("members") or kind["elements"])[int(value[1])]
        return ("v", own.get("name", value[1]), of_wire(own["type"], value[2], modes))
    if name == "yson":
        return yt_tables.of_node(yson.loads(value, encoding=None))
    if name == "decimal":
        width = yt_tables.decimal_width(kind["precision"])
        return yt_tables.decimal_of((value + (1 << (8 * width - 1))).to_bytes(width, "big"), kind["scale"])
    if name in ("float", "double"):
        return value
    return decode(kind, value, modes)


# Arrow.

ARROW = {"int64": pa.int64(), "uint64": pa.uint64(), "bool": pa.bool_(), "utf8": pa.string(), "string": pa.binary(), "double": pa.float64(),
         "date": pa.date32(), "timestamp": pa.timestamp("us", "UTC"), "decimal": pa.decimal128(9, 2), "uuid": pa.uuid(),
         "timestamp_ns": pa.timestamp("ns", "UTC"), "dictionary": pa.dictionary(pa.int32(), pa.string())}


def arrow_field(name, kind):
    """A field of Arrow for a type in YTsaurus's notation."""
    label = yt_tables.name_of(kind)
    if label == "optional":
        return arrow_field(name, kind["item"]).with_nullable(True)
    if label == "list":
        made = pa.list_(arrow_field("item", kind["item"]))
    elif label == "dict":
        made = pa.map_(ARROW[kind["key"]], arrow_field("value", kind["value"]))
    elif label == "struct":
        made = pa.struct([arrow_field(member["name"], member["type"]) for member in kind["members"]])
    else:
        made = ARROW[label]
    return pa.field(name, made, nullable=label == "dictionary")


def arrow_array(field, values):
    kind = field.type
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))
    if pa.types.is_dictionary(kind):
        return pa.array([None if value is None else value.decode() for value in values], pa.string()).dictionary_encode()
    if pa.types.is_date32(kind):
        return pa.array([None if value is None else value // DAY for value in values], pa.int32()).view(kind)
    if pa.types.is_timestamp(kind):
        return pa.array([None if value is None else value // normal.NANOSECONDS[kind.unit] for value in values], pa.int64()).view(kind)
    return pa.array([python_value(kind, value) for value in values], kind)


def python_value(kind, value):
    """What pyarrow makes arrays of."""
    if value is None:
        return None
    if pa.types.is_string(kind):
        return value.decode()
    if pa.types.is_float64(kind):
        return float("nan") if value[1] == "nan" else struct.unpack(">d", bytes.fromhex(value[1]))[0]
    if pa.types.is_decimal(kind):
        import decimal

        return decimal.Decimal(value.numerator) / decimal.Decimal(value.denominator)
    if pa.types.is_list(kind):
        return [python_value(kind.value_type, item) for item in value]
    if pa.types.is_map(kind):
        return [(python_value(kind.key_type, key), python_value(kind.item_type, item)) for key, item in value]
    if pa.types.is_struct(kind):
        return {kind.field(at).name: python_value(kind.field(at).type, value[kind.field(at).name]) for at in range(kind.num_fields)}
    return value


def arrow_table(names, rows):
    fields = [arrow_field(name, KINDS[name][0]) for name in names]
    arrays = [arrow_array(field, [row[field.name] for row in rows]) for field in fields]
    return pa.table(arrays, schema=pa.schema(fields))


# Files.

def write(form, path, names, rows, modes=None, end_of_stream=False, binary=True):
    """Writes rows by the form's own package, and a schema beside those of YTsaurus."""
    if form not in YT_LIKE:
        arrow_tables.remove(path)
        arrow_tables.write(form, arrow_table(names, rows), path)
        return
    modes = modes or default_modes(form)
    with open(f"{path}.schema", "w") as file:
        file.write(schema_text(names))
    if form == "skiff":
        tail = b"\xff\xff" if end_of_stream else b""
        path.write_bytes(b"".join(b"\0\0" + b"".join(skiff_bytes(KINDS[name][0], row[name]) for name in names) for row in rows) + tail)
        return
    made = [{(name if modes.is_json else name.encode()): encode(KINDS[name][0], row[name], modes) for name in names} for row in rows]
    if form == "json":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made))
    else:
        path.write_bytes(yson.dumps(made, yson_type="list_fragment", yson_format="binary" if binary else "text"))


def default_modes(form):
    return Modes(is_json=True, decimal_text=True, time_text=True, uuid_mode="text_yql") if form == "json" else Modes()


def described_by(path):
    """The name that the schema of rows is made of: without an ending of compression."""
    return f"{str(path).removesuffix('.gz').removesuffix('.zst')}"


def content(path):
    data = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(data)
    if path.suffix == ".zst":
        # One file may be several frames.
        return pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()
    return data


def read(form, path, modes=None):
    """Names and rows as the form's own package reads them: dicts by name, in normal form."""
    modes = modes or default_modes(form)
    if form == "csv":
        return read_csv(path)
    if form not in YT_LIKE:
        table = arrow_tables.read(form, path)
        columns = [normal.of_arrow(column) for column in table.columns]
        return table.column_names, [dict(zip(table.column_names, row)) for row in zip(*columns)] if columns else []
    if form == "skiff":
        return read_skiff(path, modes)
    types = yt_tables.schema_of(described_by(path))
    data = content(path)
    if form == "json":
        rows = [json.loads(line) for line in data.decode().split("\n") if line]
    else:
        rows = [yt_tables.by_name(row) for row in yson.loads(data, yson_type="list_fragment", encoding=None)]
    return [name for name, _ in types], [{name: decode(kind, row.get(name), modes) for name, kind in types} for row in rows]


def read_skiff(path, modes):
    described = yson.loads(open(f"{described_by(path)}.schema", "rb").read())
    types = yt_tables.columns_of(described["table_schemas"][0] if isinstance(described, dict) else described)
    data = content(path)
    if data.endswith(b"\xff\xff") and modes.end_of_stream:
        data = data[:-2]
    wires, rows, at = skiff_tables.wire_of(described_by(path)), [], 0
    by_name = dict(types)
    while at < len(data):
        at += 2
        row = {}
        for child in wires["children"]:
            value, at = skiff_tables.decode(child, data, at)
            if child["name"] in by_name:
                row[child["name"]] = of_wire(by_name[child["name"]], value, modes)
        rows.append(row)
    return [name for name, _ in types], rows


def read_csv(path):
    """Rows of texts; an empty field without quotes is null, which Python's own reader does not tell."""
    text = content(path).decode()
    rows, row, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            end = at + 1
            while text[end] != '"' or text[end + 1:end + 2] == '"':
                end += 2 if text[end] == '"' else 1
            row.append(text[at + 1:end].replace('""', '"'))
            at = end + 1
        else:
            end = at
            while end < len(text) and text[end] not in ",\n":
                end += 1
            row.append(text[at:end] or None)
            at = end
        if text[at:at + 1] != ",":
            rows.append(row)
            row = []
        at += 1
    names = list(rows[0]) if rows else []
    # Python's own reader finds the same fields.
    theirs = [[field or None for field in line] for line in csv.reader(io.StringIO(text, newline="")) if line or len(names) == 1]
    assert theirs == [[field or None for field in line] for line in rows] or len(names) == 1, "not the CSV of RFC 4180"
    return names, [dict(zip(names, row)) for row in rows[1:]]


Modes.end_of_stream = False
