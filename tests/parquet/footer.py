"""An independent reader of a Parquet footer's schema: compact Thrift, as in the format's IDL."""

import struct

PHYSICAL = ["boolean", "int32", "int64", "int96", "float", "double", "binary", "fixed"]
REPETITION = ["required", "optional", "repeated"]
CONVERTED = ["UTF8", "MAP", "MAP_KEY_VALUE", "LIST", "ENUM", "DECIMAL", "DATE", "TIME_MILLIS",
             "TIME_MICROS", "TIMESTAMP_MILLIS", "TIMESTAMP_MICROS", "UINT_8", "UINT_16", "UINT_32",
             "UINT_64", "INT_8", "INT_16", "INT_32", "INT_64", "JSON", "BSON", "INTERVAL"]
LOGICAL = {1: "STRING", 2: "MAP", 3: "LIST", 4: "ENUM", 5: "DECIMAL", 6: "DATE", 7: "TIME",
           8: "TIMESTAMP", 10: "INTEGER", 11: "UNKNOWN", 12: "JSON", 13: "BSON", 14: "UUID",
           15: "FLOAT16", 16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY", 19: "FILE"}


class Thrift:
    def __init__(self, data):
        self.data = data
        self.at = 0

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def integer(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def value(self, wire):
        if wire in (1, 2):
            return wire == 1
        if wire == 3:
            self.at += 1
            return struct.unpack("b", self.data[self.at - 1:self.at])[0]
        if wire in (4, 5, 6):
            return self.integer()
        if wire == 7:
            self.at += 8
            return struct.unpack("<d", self.data[self.at - 8:self.at])[0]
        if wire == 8:
            size = self.varint()
            self.at += size
            return bytes(self.data[self.at - size:self.at])
        if wire in (9, 10):
            head = self.data[self.at]
            self.at += 1
            size = head >> 4
            if size == 15:
                size = self.varint()
            return [self.element(head & 15) for _ in range(size)]
        if wire == 12:
            return self.struct()
        raise ValueError(f"wire type {wire}")

    def element(self, wire):
        if wire in (1, 2):
            self.at += 1
            return self.data[self.at - 1] == 1
        return self.value(wire)

    def struct(self):
        fields, last = {}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                return fields
            last = last + (head >> 4) if head >> 4 else self.integer()
            fields[last] = self.value(head & 15)


def read_footer(name):
    with open(name, "rb") as file:
        data = file.read()
    assert data[:4] == b"PAR1" and data[-4:] == b"PAR1", data[-8:]
    size = struct.unpack("<I", data[-8:-4])[0]
    return Thrift(memoryview(data)[-8 - size:-8]).struct()


def show_logical(union):
    (number, fields), = union.items()
    name = LOGICAL.get(number, f"future {number}")
    if name == "DECIMAL":
        return f"DECIMAL({fields[2]},{fields[1]})"
    if name in ("TIME", "TIMESTAMP"):
        unit = {1: "MILLIS", 2: "MICROS", 3: "NANOS"}[next(iter(fields[2]))]
        return f"{name}({unit},{str(fields[1]).lower()})"
    if name == "INTEGER":
        return f"INTEGER({fields[1]},{str(fields[2]).lower()})"
    return name


def read_schema(name):
    """Returns one line an element, depth first, without the root, two blanks a level:
    `optional group a LogicalType/ConvertedType = 7`. A DECIMAL is followed by precision and scale."""
    elements = read_footer(name)[2]
    lines, position = [], 1

    def walk(depth):
        nonlocal position
        element = elements[position]
        position += 1
        kind = "group"
        if 1 in element:
            kind = PHYSICAL[element[1]]
            if kind == "fixed":
                kind += f"({element[2]})"
        line = f"{'  ' * depth}{REPETITION[element[3]]} {kind} {element[4].decode()}"
        if 10 in element or 6 in element:
            line += f" {show_logical(element[10]) if 10 in element else '-'}"
            line += f"/{CONVERTED[element[6]] if 6 in element else '-'}"
        if 8 in element or 7 in element:
            line += f" p={element.get(8)} s={element.get(7)}"
        if 9 in element:
            line += f" = {element[9]}"
        lines.append(line)
        for _ in range(element.get(5, 0)):
            walk(depth + 1)

    for _ in range(elements[0].get(5, 0)):
        walk(0)
    assert position == len(elements)
    return lines
