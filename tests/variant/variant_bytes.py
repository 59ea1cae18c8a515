"""Decodes VARIANT without the code under test, for the tests that compare with it."""

import struct
import uuid


def number(data, at, size):
    return int.from_bytes(data[at:at + size], "little")


def read_dictionary(data):
    """Returns the names, and how many bytes they take."""
    size = (data[0] >> 6) + 1
    assert data[0] & 15 == 1
    count = number(data, 1, size)
    offsets = [number(data, 1 + size * (1 + i), size) for i in range(count + 1)]
    start = 1 + size * (count + 2)
    return [data[start + a:start + b].decode() for a, b in zip(offsets, offsets[1:])], start + offsets[-1]


# Type: struct format and a name; int8 to int64 are one class of the specification.
FIXED = {3: ("<b", "int"), 4: ("<h", "int"), 5: ("<i", "int"), 6: ("<q", "int"), 7: ("<d", "double"), 11: ("<i", "date"),
         12: ("<q", "timestamp"), 13: ("<q", "timestamp_ntz"), 14: ("<f", "float"), 17: ("<q", "time"),
         18: ("<q", "timestamp_ns"), 19: ("<q", "timestamp_ntz_ns")}


def read_value(names, data):
    """Decodes a VARIANT into pairs of type and value, without the code under test."""
    basic, header, rest = data[0] & 3, data[0] >> 2, data[1:]
    if basic == 1:
        return ("string", rest[:header].decode())
    if basic == 0:
        if header < 3:
            return [("null", None), ("bool", True), ("bool", False)][header]
        if header in FIXED:
            form, name = FIXED[header]
            return (name, repr(struct.unpack_from(form, rest)[0]))
        if header in (8, 9, 10):
            width = 4 << (header - 8)
            return ("decimal", rest[0], int.from_bytes(rest[1:1 + width], "little", signed=True))
        if header in (15, 16):
            payload = rest[4:4 + number(rest, 0, 4)]
            return ("binary", payload) if header == 15 else ("string", payload.decode())
        assert header == 20
        return ("uuid", str(uuid.UUID(bytes=bytes(rest[:16]))))
    wide = 4 if header >> (4 if basic == 2 else 2) & 1 else 1
    count = number(rest, 0, wide)
    offset_size, id_size = (header & 3) + 1, (header >> 2 & 3) + 1
    at = wide
    ids = []
    if basic == 2:
        ids = [number(rest, at + id_size * i, id_size) for i in range(count)]
        at += id_size * count
    offsets = [number(rest, at + offset_size * i, offset_size) for i in range(count)]
    at += offset_size * (count + 1)
    values = [read_value(names, rest[at + offset:]) for offset in offsets]
    if basic == 3:
        return ("array", values)
    # In the order of the values: that of the ids is the order of the names.
    return ("object", {names[i]: value for _, i, value in sorted(zip(offsets, ids, values), key=lambda field: field[0])})
