"""Schemas in FlatBuffers whose offsets lead to one place: few bytes that would become gigabytes.

A buffer is built front to back here, with all offsets filled in at the end. tests/base/shared_offsets.h does the same for C++.
"""
import struct


class Buffer:
    def __init__(self):
        self.data = bytearray(4)  # the offset of the root
        self.marks = []

    def align(self, size):
        self.data += bytes(-len(self.data) % size)

    def offset_to(self, target):
        """Appends an offset to a place that is known when the buffer is whole: targets are given as callables or places."""
        self.marks.append((len(self.data), target))
        self.data += bytes(4)

    def string(self, text):
        self.align(4)
        place = len(self.data)
        self.data += struct.pack("<I", len(text)) + text + b"\0"
        return place

    def reserve(self):
        """Returns the name of a place that `place` fills later; offsets only lead forwards."""
        return [None]

    def table(self, fields, at=None):
        """Appends a table of fields (slot, format, value). The format "offset" is for an offset."""
        slots = 1 + max((slot for slot, _, _ in fields), default=-1)
        width = 4 + 4 * len(fields)
        vtable = [0] * slots
        for number, (slot, _, _) in enumerate(fields):
            vtable[slot] = 4 + 4 * number
        self.align(4)
        start = len(self.data)
        self.data += struct.pack(f"<HH{slots}H", 4 + 2 * slots, width, *vtable)
        self.align(4)
        place = len(self.data)
        self.data += struct.pack("<i", place - start)
        for _, form, value in fields:
            if form == "offset":
                self.offset_to(value)
            else:
                self.data += struct.pack(form, value).ljust(4, b"\0")
        if at is not None:
            at[0] = place
        return place

    def vector(self, targets, at):
        self.align(4)
        at[0] = len(self.data)
        self.data += struct.pack("<I", len(targets))
        for target in targets:
            self.offset_to(target)

    def finish(self, root):
        self.marks.append((0, root))
        for where, target in self.marks:
            place = target[0] if isinstance(target, list) else target
            struct.pack_into("<I", self.data, where, place - where)
        return bytes(self.data)


def placed(buffer, text):
    place = buffer.reserve()
    return place, lambda: place.__setitem__(0, buffer.string(text))


def arrow_stream(fields, name, entries=0, entry=b"v"):
    """Returns a stream of Arrow without rows, with columns of type null that share a name and metadata entries."""
    b = Buffer()
    places = {key: b.reserve() for key in ("schema", "fields", "field", "null", "entries", "pair")}
    name_place, put_name = placed(b, name)
    entry_place, put_entry = placed(b, entry)
    root = b.table([(0, "<h", 4), (1, "<B", 1), (2, "offset", places["schema"])])
    b.table([(1, "offset", places["fields"])], places["schema"])
    tables = [b.reserve() for _ in range(fields)]
    b.vector(tables, places["fields"])
    for table in tables:
        b.table([(0, "offset", name_place), (2, "<B", 1), (3, "offset", places["null"])] +
                ([(6, "offset", places["entries"])] if entries else []), table)
    if entries:
        b.vector([places["pair"]] * entries, places["entries"])
        b.table([(0, "offset", name_place), (1, "offset", entry_place)], places["pair"])
    b.table([], places["null"])
    put_name()
    put_entry()
    message = b.finish(root)
    size = -(-len(message) // 8) * 8
    return struct.pack("<iI", -1, size) + message.ljust(size, b"\0") + struct.pack("<iI", -1, 0)


def vortex_dtype(fields, name):
    """Returns a DType of Vortex: a struct of nulls that share a name and a type."""
    b = Buffer()
    members, names, types, one, null = (b.reserve() for _ in range(5))
    name_place, put_name = placed(b, name)
    root = b.table([(0, "<B", 7), (1, "offset", members)])
    b.table([(0, "offset", names), (1, "offset", types)], members)
    b.vector([name_place] * fields, names)
    b.vector([one] * fields, types)
    b.table([(0, "<B", 1), (1, "offset", null)], one)
    b.table([], null)
    put_name()
    return b.finish(root)
