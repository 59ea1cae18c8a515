"""Writes Parquet files with only the standard library: any schema element as it is given
for, values in raw nesting (a group is a dict, a repeated field a list, a missing one None). One row
group, one plain page a column, no compression."""

import struct

PHYSICAL = {"boolean": 0, "int32": 1, "int64": 2, "int96": 3, "float": 4, "double": 5, "binary": 6,
            "fixed": 7}
REPETITION = {"required": 0, "optional": 1, "repeated": 2}
CONVERTED = {name: number for number, name in enumerate(
    ["UTF8", "MAP", "MAP_KEY_VALUE", "LIST", "ENUM", "DECIMAL", "DATE", "TIME_MILLIS", "TIME_MICROS",
     "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", "UINT_8", "UINT_16", "UINT_32", "UINT_64", "INT_8",
     "INT_16", "INT_32", "INT_64", "JSON", "BSON", "INTERVAL"])}
UNITS = {"MILLIS": 1, "MICROS": 2, "NANOS": 3, "PICOS": 4}

# ---- compact Thrift: a struct is a dict of field id to (wire type, value)

BOOL, I8, I32, I64, BINARY, LIST, STRUCT = 1, 3, 5, 6, 8, 9, 12


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def encode(wire, value):
    if wire == I8:
        return struct.pack("b", value)
    if wire in (I32, I64):
        return varint(value * 2 if value >= 0 else -value * 2 - 1)
    if wire == BINARY:
        value = value.encode() if isinstance(value, str) else value
        return varint(len(value)) + value
    if wire == LIST:
        item, values = value
        size = bytes([len(values) << 4 | item]) if len(values) < 15 else bytes([0xF0 | item]) + varint(len(values))
        return size + b"".join(encode(item, v) for v in values)
    out, last = b"", 0
    for field, (kind, item) in sorted(value.items()):
        if kind == BOOL:
            kind, body = (1 if item else 2), b""
        else:
            body = encode(kind, item)
        step = field - last
        out += bytes([step << 4 | kind]) if step <= 15 else bytes([kind]) + encode(I32, field)
        out += body
        last = field
    return out + b"\0"


EMPTY = (STRUCT, {})


def logical(name, *words):
    """Returns the union LogicalType of an annotation."""
    simple = {"STRING": 1, "MAP": 2, "LIST": 3, "ENUM": 4, "DATE": 6, "UNKNOWN": 11, "JSON": 12,
              "BSON": 13, "UUID": 14, "FLOAT16": 15, "VARIANT": 16, "GEOMETRY": 17, "GEOGRAPHY": 18,
              "FILE": 19, "FUTURE": 77}
    if name in simple:
        return {simple[name]: EMPTY}
    if name == "DECIMAL":
        return {5: (STRUCT, {1: (I32, words[1]), 2: (I32, words[0])})}
    if name == "INTEGER":
        return {10: (STRUCT, {1: (I8, words[0]), 2: (BOOL, words[1])})}
    return {{"TIME": 7, "TIMESTAMP": 8}[name]: (STRUCT, {
        1: (BOOL, words[1]), 2: (STRUCT, {UNITS[words[0]]: EMPTY})})}


class Node:
    """One element: `Node("optional int32", "a", ...)`, `Node("repeated group", "g", [children])`."""

    def __init__(self, what, name, children=None, *, logical=None, converted=None, length=None,
                 precision=None, scale=None, id=None):
        self.repetition, self.type = what.split()
        self.name, self.children = name, children
        self.length, self.element = length, {4: (BINARY, name), 3: (I32, REPETITION[self.repetition])}
        if children is None:
            self.element[1] = (I32, PHYSICAL[self.type])
        else:
            self.element[5] = (I32, len(children))
        for field, value in ((2, length), (6, CONVERTED.get(converted, converted)), (7, scale),
                             (8, precision), (9, id)):
            if value is not None:
                self.element[field] = (I32, value)
        if logical is not None:
            self.element[10] = (STRUCT, logical)

    def copy(self):
        """Returns a separate node for each occurrence."""
        out = object.__new__(Node)
        out.__dict__.update(self.__dict__)
        out.children = self.children and [child.copy() for child in self.children]
        return out

    def elements(self):
        yield self.element
        for child in self.children or []:
            yield from child.elements()


def plain(node, values):
    if node.type == "boolean":
        bits = sum(1 << i for i, value in enumerate(values) if value)
        return bits.to_bytes((len(values) + 7) // 8, "little")
    if node.type == "binary":
        values = [v.encode() if isinstance(v, str) else v for v in values]
        return b"".join(struct.pack("<I", len(v)) + v for v in values)
    if node.type in ("fixed", "int96"):
        return b"".join(values)
    shape = {"int32": "<i", "int64": "<q", "float": "<f", "double": "<d"}[node.type]
    return b"".join(struct.pack(shape, v) for v in values)


def levels(numbers, most):
    """The hybrid encoding, one run a level."""
    if most == 0:
        return b""
    width = (most.bit_length() + 7) // 8
    runs = b"".join(b"\x02" + number.to_bytes(width, "little") for number in numbers)
    return struct.pack("<I", len(runs)) + runs


class Column:
    def __init__(self, node, path, definition, repetition):
        self.node, self.path = node, path
        self.most = (repetition, definition)
        self.repetitions, self.definitions, self.values = [], [], []

    def add(self, repetition, definition, value=None):
        self.repetitions.append(repetition)
        self.definitions.append(definition)
        if definition == self.most[1]:
            self.values.append(value)


def write(name, columns, rows, metadata=None, orders=None):
    """Writes rows, each a dict of the columns' raw values, and that many orders of values."""
    leaves = []
    columns = [column.copy() for column in columns]

    def collect(node, path, definition, repetition):
        definition += node.repetition != "required"
        repetition += node.repetition == "repeated"
        path = path + [node.name]
        if node.children is None:
            node.leaf = Column(node, path, definition, repetition)
            leaves.append(node.leaf)
        for child in node.children or []:
            collect(child, path, definition, repetition)

    def absent(node, repetition, definition):
        if node.children is None:
            node.leaf.add(repetition, definition)
        for child in node.children or []:
            absent(child, repetition, definition)

    def present(node, value, repetition, definition, depth):
        if node.children is None:
            node.leaf.add(repetition, definition, value)
        for child in node.children or []:
            store(child, value.get(child.name), repetition, definition, depth)

    def store(node, value, repetition, definition, depth):
        if node.repetition == "required":
            present(node, value, repetition, definition, depth)
        elif value is None or value == []:
            absent(node, repetition, definition)
        elif node.repetition == "optional":
            present(node, value, repetition, definition + 1, depth)
        else:
            for i, item in enumerate(value):
                present(node, item, depth + 1 if i else repetition, definition + 1, depth + 1)

    for column in columns:
        collect(column, [], 0, 0)
    for row in rows:
        for column in columns:
            store(column, row.get(column.name), 0, 0, 0)

    out, chunks = b"PAR1", []
    for leaf in leaves:
        body = (levels(leaf.repetitions, leaf.most[0]) + levels(leaf.definitions, leaf.most[1])
                + plain(leaf.node, leaf.values))
        count = len(leaf.definitions)
        header = encode(STRUCT, {1: (I32, 0), 2: (I32, len(body)), 3: (I32, len(body)), 5: (STRUCT, {
            1: (I32, count), 2: (I32, 0), 3: (I32, 3), 4: (I32, 3)})})
        chunks.append({2: (I64, len(out)), 3: (STRUCT, {
            1: (I32, PHYSICAL[leaf.node.type]), 2: (LIST, (I32, [0, 3])), 3: (LIST, (BINARY, leaf.path)),
            4: (I32, 0), 5: (I64, count), 6: (I64, len(header + body)), 7: (I64, len(header + body)),
            9: (I64, len(out))})})
        out += header + body
    root = {4: (BINARY, "m"), 5: (I32, len(columns))}
    schema = [root] + [element for column in columns for element in column.elements()]
    footer = {1: (I32, 1), 2: (LIST, (STRUCT, schema)), 3: (I64, len(rows)),
              4: (LIST, (STRUCT, [{1: (LIST, (STRUCT, chunks)), 2: (I64, len(out)), 3: (I64, len(rows))}])),
              6: (BINARY, "raw")}
    if metadata:
        footer[5] = (LIST, (STRUCT, [{1: (BINARY, k), 2: (BINARY, v)} for k, v in metadata.items()]))
    if orders is not None:
        footer[7] = (LIST, (STRUCT, [{1: EMPTY}] * orders))
    footer = encode(STRUCT, footer)
    with open(name, "wb") as file:
        file.write(out + footer + struct.pack("<I", len(footer)) + b"PAR1")
