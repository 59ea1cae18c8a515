"""Random tables of YTsaurus as YSON rows, and the normal form of what such rows hold by their schema."""
import uuid
from fractions import Fraction

from normal import DAY, float_bits
from yt import yson

#: For each type: the smallest and largest value as YSON keeps it, and nanoseconds of one.
WHOLE = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, None) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1, None) for bits in (8, 16, 32, 64)},
    "date": (0, 49672, DAY), "datetime": (0, 49673 * 86400 - 1, 10**9),
    "timestamp": (0, 49673 * 86400 * 10**6 - 1, 10**3),
    "interval": (-49673 * 86400 * 10**6 + 1, 49673 * 86400 * 10**6 - 1, 10**3),
    "date32": (-53375809, 53375807, DAY), "datetime64": (-4611669897600, 4611669811199, 10**9),
    "timestamp64": (-4611669897600000000, 4611669811199999999, 10**3),
    "interval64": (-9223339708799999999, 9223339708799999999, 10**3),
}
UNSIGNED = {"uint8", "uint16", "uint32", "uint64", "date", "datetime", "timestamp"}
PLAIN = [*WHOLE, "bool", "float", "double", "string", "utf8", "json", "uuid", "null", "void"]
#: Times with a zone: the type whose range they have, and the bytes of its number, which sort as the number does.
ZONED = {"tz_date": ("date", 2), "tz_datetime": ("datetime", 4), "tz_timestamp": ("timestamp", 8),
         "tz_date32": ("date32", 4), "tz_datetime64": ("datetime64", 8), "tz_timestamp64": ("timestamp64", 8)}
ZONES = [b"UTC", b"GMT", b"Europe/Moscow", b"America/Argentina/Buenos_Aires"]
PLAIN += ZONED
JSON = [b"1", b"null", b'{"a":[1,2.5]}', b'"x"', b"-0.0", b"[]"]
NAMES = ["a", "b", "c", "d", "A", "long name", "ä", "value", "item", "key", "x.y", "x_y", "a-b", "0", 'q"', "[]", "{key}", "<a>",
         "\\", "a\n", "#", "%true", "x" * 200, "'"]
NODES = [1, yson.YsonUint64(2), b"a", [1, b"b"], {b"a": 1, b"b": [True]}, 1.5, False, b"\xff"]


def random_type(rng, depth=0):
    if depth >= 3 or rng.random() < 0.5:
        kind = rng.choice([*PLAIN, "decimal", "yson"])
        if kind == "decimal":
            precision = rng.choice([rng.randint(1, 9), rng.randint(10, 18), rng.randint(19, 35)])
            return {"type_name": "decimal", "precision": precision, "scale": rng.randint(0, precision)}
        return {"type_name": "optional", "item": "yson"} if kind == "yson" else kind

    def inner():
        return random_type(rng, depth + 1)

    def members():
        return [{"name": name, "type": inner()} for name in rng.sample(NAMES, rng.randint(1, 3))]

    def elements():
        return [{"type": inner()} for _ in range(rng.randint(1, 3))]

    return rng.choice([
        lambda: {"type_name": "optional", "item": inner()},
        lambda: {"type_name": "optional", "item": inner()},
        lambda: {"type_name": "list", "item": inner()},
        lambda: {"type_name": "struct", "members": members()},
        lambda: {"type_name": "tuple", "elements": elements()},
        lambda: {"type_name": "dict", "key": rng.choice(["string", "utf8", "int64", "uint8"]), "value": inner()},
        lambda: {"type_name": "variant", "members": members()},
        lambda: {"type_name": "variant", "elements": elements()},
        lambda: {"type_name": "tagged", "tag": "t", "item": inner()},
    ])()


def name_of(kind):
    return kind if isinstance(kind, str) else kind["type_name"]


def bare(kind):
    while name_of(kind) == "tagged":
        kind = kind["item"]
    return kind


def is_nullable(kind):
    return name_of(bare(kind)) in ("optional", "null", "void", "yson")


def decimal_width(precision):
    return 4 if precision <= 9 else 8 if precision <= 18 else 16 if precision <= 38 else 32


def random_value(rng, kind):
    """A value as YSON keeps it, composite types by name."""
    name = name_of(kind)
    if name in WHOLE:
        low, high, _ = WHOLE[name]
        value = rng.choice([low, high, 0, 1, high - 1]) if rng.random() < 0.5 else rng.randint(max(low, -9), min(high, 99))
        return yson.YsonUint64(value) if name in UNSIGNED else yson.YsonInt64(value)
    if name in ZONED:
        of, size = ZONED[name]
        low, high, _ = WHOLE[of]
        number = rng.choice([low, high, 0, 1, rng.randint(low, high)])
        flipped = number if of in UNSIGNED else number + (1 << (8 * size - 1))
        return flipped.to_bytes(size, "big") + rng.choice(ZONES)
    if name == "bool":
        return rng.random() < 0.5
    if name == "float":
        return rng.choice([0.0, -0.0, 1.5, float("inf"), float("nan"), -(2.0**127)])
    if name == "double":
        return rng.choice([0.0, -0.0, 0.1, 1e308, 5e-324, float("-inf"), float("nan")])
    if name == "string":
        return rng.choice([b"", b"a", b"\xff\xfe", b"\x00", b"ab" * 9])
    if name == "utf8":
        return rng.choice([b"", b"a", "ä𝄞".encode(), b"\x00", b"ab" * 9])
    if name == "json":
        return rng.choice(JSON)
    if name == "uuid":
        return rng.randbytes(16)
    if name in ("null", "void"):
        return None
    if name == "decimal":
        top = 10 ** kind["precision"] - 1
        value = rng.choice([0, 1, -1, top, -top, rng.randint(-top, top)])
        width = decimal_width(kind["precision"])
        return (value ^ (1 << (width * 8 - 1))).to_bytes(width, "big", signed=False) if value >= 0 else (
            (value + (1 << (width * 8))) ^ (1 << (width * 8 - 1))).to_bytes(width, "big")
    if name == "yson":
        return rng.choice(NODES)
    if name == "tagged":
        return random_value(rng, kind["item"])
    if name == "optional":
        if rng.random() < 0.3:
            return None
        value = random_value(rng, kind["item"])
        return [value] if is_nullable(kind["item"]) and name_of(bare(kind["item"])) != "yson" else value
    if name == "list":
        return [random_value(rng, kind["item"]) for _ in range(rng.randint(0, 3))]
    if name == "struct":
        return {member["name"].encode(): random_value(rng, member["type"]) for member in kind["members"]}
    if name == "tuple":
        return [random_value(rng, element["type"]) for element in kind["elements"]]
    if name == "dict":
        pairs = {}
        for _ in range(rng.randint(0, 3)):
            key = random_value(rng, kind["key"])
            pairs[key] = [key, random_value(rng, kind["value"])]
        return list(pairs.values())
    if "members" in kind:
        member = rng.choice(kind["members"])
        return [member["name"].encode(), random_value(rng, member["type"])]
    at = rng.randrange(len(kind["elements"]))
    return [yson.YsonInt64(at), random_value(rng, kind["elements"][at]["type"])]


def text_of(value):
    """Bytes of a string, which the package gives as text if it is UTF-8."""
    if isinstance(value, str):
        return value.encode()
    return yson.get_bytes(value) if isinstance(value, yson.YsonStringProxy) else bytes(value)


def by_name(mapping):
    return {text_of(key).decode(): value for key, value in mapping.items()}


def of_node(value):
    """Normal form of a value without a type."""
    if isinstance(value, (yson.YsonEntity, type(None))):
        return None
    if isinstance(value, (bool, yson.YsonBoolean)):
        return bool(value)
    if isinstance(value, yson.YsonUint64):
        return ("u", int(value))
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float_bits(value)
    if isinstance(value, list):
        return [of_node(item) for item in value]
    if isinstance(value, dict):
        return {text_of(key): of_node(item) for key, item in value.items()}
    return text_of(value)


def of_value(kind, value):
    """Normal form of a value as YSON keeps it."""
    name = name_of(kind)
    if name == "tagged":
        return of_value(kind["item"], value)
    if name == "yson":
        return of_node(value)
    if name == "optional":
        if value is None or isinstance(value, yson.YsonEntity):
            return None
        inner = bare(kind["item"])
        if name_of(inner) == "yson":
            return of_node(value)
        if is_nullable(inner):
            return {"value": of_value(inner, value[0])}
        found = of_value(inner, value)
        return {"value": found} if name_of(inner) == "variant" else found
    if value is None or isinstance(value, yson.YsonEntity):
        return None
    if name in WHOLE:
        scale = WHOLE[name][2]
        return int(value) * scale if scale else int(value)
    if name in ZONED:
        of, size = ZONED[name]
        data = text_of(value)
        number = int.from_bytes(data[:size], "big") - (0 if of in UNSIGNED else 1 << (8 * size - 1))
        return {"time": number * WHOLE[of][2], "zone": data[size:]}
    if name == "bool":
        return bool(value)
    if name in ("float", "double"):
        return float_bits(float(value))
    if name in ("string", "utf8", "json"):
        return text_of(value)
    if name == "uuid":
        return uuid.UUID(bytes_le=text_of(value)).bytes
    if name == "decimal":
        return decimal_of(text_of(value), kind["scale"])
    if name == "list":
        return [of_value(kind["item"], item) for item in value]
    if name == "struct":
        found = by_name(value) if isinstance(value, dict) else dict(
            zip([member["name"] for member in kind["members"]], value))
        return {member["name"]: of_value(member["type"], found.get(member["name"])) for member in kind["members"]}
    if name == "tuple":
        return {str(i): of_value(element["type"], item) for i, (element, item) in enumerate(zip(kind["elements"], value))}
    if name == "dict":
        return [(of_value(kind["key"], key), of_value(kind["value"], item)) for key, item in value]
    alternative = value[0]
    if "members" in kind:
        label = text_of(alternative).decode()
        own = next(member["type"] for member in kind["members"] if member["name"] == label)
        return ("v", label, of_value(own, value[1]))
    return ("v", str(int(alternative)), of_value(kind["elements"][int(alternative)]["type"], value[1]))


def decimal_of(data, scale):
    width = len(data)
    number = int.from_bytes(data, "big") ^ (1 << (width * 8 - 1))
    if number >= 1 << (width * 8 - 1):
        number -= 1 << (width * 8)
    special = {2 ** (width * 8 - 1) - 1: "nan", 2 ** (width * 8 - 1) - 2: "inf", -(2 ** (width * 8 - 1)) + 2: "-inf"}
    return special.get(number) or Fraction(number, 10**scale)


def schema_of(path):
    """The columns of a schema beside rows: pairs of a name and its type."""
    node = yson.loads(open(f"{path}.schema", "rb").read())
    return columns_of(node)


def columns_of(node):
    return [(str(column["name"]), plain(column["type_v3"]) if "type_v3" in column else old_type(column)) for column in node]


def old_type(column):
    kind = {"boolean": "bool", "any": "yson"}.get(str(column["type"]), str(column["type"]))
    return kind if column.get("required") else {"type_name": "optional", "item": kind}


def plain(node):
    if isinstance(node, dict):
        return {str(key): plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(item) for item in node]
    return int(node) if isinstance(node, int) else str(node)


def make(rng, path, columns, rows):
    types = [(name, random_type(rng)) for name in rng.sample(NAMES, columns)]
    labels = random_labels(rng, types) if rng.random() < 0.2 else {}
    make_of(rng, path, types, rows, labels)


def make_of(rng, path, types, rows, labels=None):
    made = [{name.encode(): random_value(rng, kind) for name, kind in types} for _ in range(rows)]
    write(path, types, in_order(made, types[0][0], labels or {}), labels)


def in_order(rows, key, labels):
    """Returns rows as the schema says that they are: sorted by the key column, each key once if it says so."""
    order = labels.get(key, {}).get("sort_order")
    if order is None:
        return rows

    def key_of(row):
        """NaN is one key, which is greater than all others. The zeros are one key."""
        value = row[key.encode()]
        return (1, 0) if value != value else (0, value)

    rows = sorted(rows, key=key_of, reverse=order == "descending")
    if labels[TABLE].get("unique_keys"):
        rows = [row for at, row in enumerate(rows) if at == 0 or key_of(row) != key_of(rows[at - 1])]
    return rows


#: What the name of a table stands for among those of columns.
TABLE = None


def random_labels(rng, types):
    """Attributes of columns, by name, and of the table: what changes no value. Key columns come first."""
    labels = {name: {} for name, _ in types}
    if rng.random() < 0.6 and types[0][1] in ("int64", "uint8", "string", "utf8", "bool", "double", "date"):
        labels[types[0][0]]["sort_order"] = rng.choice(["ascending", "descending"])
        labels[TABLE] = {"unique_keys": True} if rng.random() < 0.5 else {}
    keys = any("sort_order" in of for of in labels.values())
    for name, kind in types:
        if rng.random() < 0.5:
            labels[name]["group"] = rng.choice(["g", "h i"])
        if "sort_order" not in labels[name] and keys:
            if rng.random() < 0.3:
                labels[name]["lock"] = "l"
            if kind == {"type_name": "optional", "item": "int64"}:
                labels[name]["aggregate"] = "sum"
        if kind == "string" and "sort_order" not in labels[name]:
            labels[name]["max_inline_hunk_size"] = 100
    return labels


#: What holds all values of another type.
WIDER = {"int8": "int16", "int16": "int32", "int32": "int64", "uint8": "uint16", "uint16": "uint32", "uint32": "uint64",
         "utf8": "string", "float": "double"}


def changed(rng, kind):
    """A type that may be read in the place of another, or nearly."""
    name = name_of(kind)
    pick = rng.random()
    if pick < 0.2 and not is_nullable(kind):
        return {"type_name": "optional", "item": kind}
    if pick < 0.3:
        return random_type(rng, 2)
    if name in WIDER and pick < 0.7:
        return WIDER[name]
    if name in ("optional", "list", "tagged"):
        return {**kind, "item": changed(rng, kind["item"])}
    if name == "dict":
        return {**kind, "value": changed(rng, kind["value"])}
    if "members" in kind:
        members = [{**member, "type": changed(rng, member["type"])} for member in kind["members"]]
        more = rng.choice([each for each in NAMES if each not in {member["name"] for member in members}])
        if pick > 0.6:
            members.append({"name": more, "type": {"type_name": "optional", "item": "int64"} if pick > 0.7 else "int64"})
        if pick < 0.5 and len(members) > 1:
            members.pop()
        return {**kind, "members": members}
    return kind


def evolved(rng, types):
    """Columns of a later table: some changed, some gone, some new."""
    out = [(name, changed(rng, kind) if rng.random() < 0.7 else kind) for name, kind in types]
    if rng.random() < 0.2:
        out.pop(rng.randrange(len(out)))
    if rng.random() < 0.4 or not out:
        name = rng.choice([each for each in NAMES if each not in {name for name, _ in out}])
        out.append((name, random_type(rng, 2)))
    rng.shuffle(out)
    return out


def schema_text(types):
    return yson.dumps([{"name": name, "type_v3": kind} for name, kind in types], yson_format="text").decode()


def write(path, types, rows, labels=None):
    labels = labels or {}
    schema = [{"name": name, "type_v3": kind, **labels.get(name, {})} for name, kind in types]
    if labels.get(TABLE):
        schema = yson.to_yson_type(schema, attributes=labels[TABLE])
    with open(f"{path}.schema", "wb") as file:
        file.write(yson.dumps(schema, yson_format="text"))
    with open(path, "wb") as file:
        file.write(yson.dumps(rows, yson_type="list_fragment", yson_format="binary"))


def rows_of(path):
    return list(yson.loads(open(path, "rb").read(), yson_type="list_fragment", encoding=None))


def labels_of(path):
    """Attributes of the table, and of each column, that change no value."""
    node = yson.loads(open(f"{path}.schema", "rb").read())
    table = {key: bool(value) for key, value in node.attributes.items() if key == "unique_keys" and value}
    return table, [{str(key): value for key, value in column.items() if str(key) not in ("name", "type", "type_v3", "required")}
                   for column in node]


def read(path):
    """Names, for each column its values in normal form, types, and what changes no value."""
    types = schema_of(path)
    rows = [by_name(row) for row in rows_of(path)]
    columns = [[of_value(kind, row.get(name)) for row in rows] for name, kind in types]
    return [name for name, _ in types], columns, [kind for _, kind in types], *labels_of(path)


def without(source, target, columns=None, rows=None):
    types = schema_of(source)
    kept = [pair for pair in types if columns is None or pair[0] in columns]
    names = {name for name, _ in kept}
    data = rows_of(source)
    if rows is not None:
        data = data[rows[0]:rows[0] + rows[1]]
    table, columns = labels_of(source)
    labels = {name: of for (name, _), of in zip(types, columns)}
    # Without its keys a table has nothing that needs them.
    if len(kept) == len(types):
        labels[TABLE] = table
    else:
        labels = {name: {key: value for key, value in of.items() if key in ("group", "max_inline_hunk_size")}
                  for name, of in labels.items()}
    write(target, kept, [{key: value for key, value in row.items() if text_of(key).decode() in names} for row in data], labels)
