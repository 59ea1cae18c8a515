"""Random Skiff streams, and a decoder of Skiff that knows wire types only."""
import struct

from normal import float_bits
from yt import yson
from yt_tables import NAMES, NODES

SIMPLE = {"int8": "<b", "int16": "<h", "int32": "<i", "int64": "<q", "uint8": "<B", "uint16": "<H", "uint32": "<I",
          "uint64": "<Q", "double": "<d"}
WIDE = {"int128": (16, True), "int256": (32, True), "uint128": (16, False), "uint256": (32, False)}


def random_wire(rng, depth=0):
    if depth >= 3 or rng.random() < 0.5:
        return {"wire_type": rng.choice([*SIMPLE, "boolean", "string32", "int128", "int256"])}

    def child(name=None):
        made = random_wire(rng, depth + 1)
        return {**made, "name": name} if name else made

    return rng.choice([
        lambda: {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, child()]},
        lambda: {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, child()]},
        lambda: {"wire_type": rng.choice(["variant8", "variant16"]), "children": [child(), child()]},
        lambda: {"wire_type": "repeated_variant8", "children": [child()]},
        lambda: {"wire_type": "repeated_variant16", "children": [child()]},
        lambda: {"wire_type": "tuple", "children": [child(name) for name in rng.sample(["a", "b", "c"], 2)]},
    ])()


def random_bytes(rng, wire):
    """Wire bytes of a random value."""
    kind = wire["wire_type"]
    if kind in SIMPLE:
        if kind == "double":
            return struct.pack("<d", rng.choice([0.0, -0.0, 0.1, float("nan"), float("inf"), 1e308]))
        size = struct.calcsize(SIMPLE[kind])
        return rng.choice([bytes(size), b"\xff" * size, b"\xff" * (size - 1) + b"\x7f", bytes(size - 1) + b"\x80",
                           rng.randbytes(size)])
    if kind in WIDE:
        return rng.randint(-1000, 1000).to_bytes(WIDE[kind][0], "little", signed=True)
    if kind == "boolean":
        return bytes([rng.randint(0, 1)])
    if kind == "string32":
        text = rng.choice([b"", b"a", b"\xff\x00", b"ab" * 9])
        return struct.pack("<I", len(text)) + text
    if kind == "yson32":
        data = yson.dumps(rng.choice(NODES), yson_format="binary")
        return struct.pack("<I", len(data)) + data
    if kind == "nothing":
        return b""
    children = wire["children"]
    if kind == "tuple":
        return b"".join(random_bytes(rng, child) for child in children)
    tag = "<B" if kind.endswith("8") else "<H"
    if kind.startswith("variant"):
        at = rng.randrange(len(children))
        return struct.pack(tag, at) + random_bytes(rng, children[at])
    out = b""
    for _ in range(rng.randint(0, 3)):
        at = rng.randrange(len(children))
        out += struct.pack(tag, at) + random_bytes(rng, children[at])
    return out + (b"\xff" if tag == "<B" else b"\xff\xff")


def decode(wire, data, at):
    """A value in normal form, and where the next one begins."""
    kind = wire["wire_type"]
    if kind in SIMPLE:
        value, = struct.unpack_from(SIMPLE[kind], data, at)
        return (float_bits(value) if kind == "double" else value), at + struct.calcsize(SIMPLE[kind])
    if kind in WIDE:
        size, signed = WIDE[kind]
        return int.from_bytes(data[at:at + size], "little", signed=signed), at + size
    if kind == "boolean":
        return data[at] == 1, at + 1
    if kind in ("string32", "yson32"):
        size, = struct.unpack_from("<I", data, at)
        return data[at + 4:at + 4 + size], at + 4 + size
    if kind == "nothing":
        return None, at
    children = wire["children"]
    if kind == "tuple":
        out = {}
        for i, child in enumerate(children):
            out[child.get("name", str(i))], at = decode(child, data, at)
        return out, at
    size = 1 if kind.endswith("8") else 2
    end = 256**size - 1

    def one(at):
        tag = int.from_bytes(data[at:at + size], "little")
        if tag == end and kind.startswith("repeated"):
            return None, at + size, True
        value, at = decode(children[tag], data, at + size)
        return (tag, value), at, False

    if kind.startswith("variant"):
        (tag, value), at, _ = one(at)
        if len(children) == 2 and children[0]["wire_type"] == "nothing":
            if tag == 0:
                return None, at
            return ({"value": value} if is_optional(children[1]) else value), at
        return ("v", str(tag), value), at
    items = []
    while True:
        item, at, done = one(at)
        if done:
            return items, at
        items.append(item[1] if len(children) == 1 else ("v", str(item[0]), item[1]))


def is_optional(wire):
    return wire["wire_type"].startswith("variant") and wire["children"][0]["wire_type"] == "nothing"


def wire_of(path):
    """The wire types of the only table, out of the schema beside the rows."""
    from yt_tables import plain

    node = yson.loads(open(f"{path}.schema", "rb").read())
    form = node.get("format", node) if isinstance(node, dict) else node
    table = form.attributes["table_skiff_schemas"][0]
    table = plain(table)
    if isinstance(table, str):
        table = plain(form.attributes["skiff_schema_registry"][table[1:]])
    return table


def make(rng, path, columns, rows):
    names = rng.sample(NAMES, columns)
    write(path, {"wire_type": "tuple", "children": [{**random_wire(rng), "name": name} for name in names]},
          None, rows, rng)


def write(path, wire, chunks, rows=0, rng=None):
    form = yson.to_yson_type("skiff", attributes={"table_skiff_schemas": [wire]})
    with open(f"{path}.schema", "wb") as file:
        file.write(yson.dumps(form, yson_format="text"))
    if chunks is None:
        chunks = [random_bytes(rng, wire) for _ in range(rows)]
    with open(path, "wb") as file:
        for chunk in chunks:
            file.write(b"\0\0" + chunk)


def cut(path):
    """The wire types, and each row's values as pairs of normal form and bytes."""
    wire, data, at, rows = wire_of(path), open(path, "rb").read(), 0, []
    while at < len(data):
        if data[at:at + 2] != b"\0\0":
            raise ValueError(f"{path}: expected table 0 at byte {at}, found {data[at:at + 2]!r}")
        at += 2
        row = []
        for child in wire["children"]:
            value, end = decode(child, data, at)
            row.append((value, data[at:end]))
            at = end
        rows.append(row)
    return wire, rows


def read(path):
    wire, rows = cut(path)
    names = [child["name"] for child in wire["children"]]
    types = [{key: value for key, value in child.items() if key != "name"} for child in wire["children"]]
    return names, [[row[i][0] for row in rows] for i in range(len(names))], types


def without(source, target, columns=None, rows=None):
    wire, data = cut(source)
    kept = [i for i, child in enumerate(wire["children"]) if columns is None or child["name"] in columns]
    if rows is not None:
        data = data[rows[0]:rows[0] + rows[1]]
    write(target, {"wire_type": "tuple", "children": [wire["children"][i] for i in kept]},
          [b"".join(row[i][1] for i in kept) for row in data])
