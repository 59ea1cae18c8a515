"""Faults of the product that are known. Each has a pattern of the messages by which random trips meet it, and a small case that says
whether it is still there: once it is repaired the test fails until its entry is removed here.
"""
import re
import struct


class Fault:
    """A pattern of the messages of broken promises, and a case: a function of the program and a folder, true while the fault is there."""

    def __init__(self, pattern, case):
        self.pattern, self.case = re.compile(pattern, re.S), case


def write(folder, name, rows, schema):
    (folder / name).write_bytes(rows)
    (folder / f"{name}.schema").write_text(schema)


def nan_of_skiff(xwalk, folder):
    """Rows of an integer and a decimal, of which the last is nan."""
    rows = b"".join(b"\0\0" + struct.pack("<qi", *row) for row in ((1, 2), (513, 2**31 - 1)))
    write(folder, "in.skiff", rows, "[{name=a;type_v3=int64};{name=d;type_v3={type_name=decimal;precision=9;scale=2}}]")
    xwalk.run("convert", "in.skiff", "out.yson", "--select", "d,a", "--cast", "a=int8", "--rejects", "bad.yson")
    return xwalk.run("convert", "bad.yson", "again.yson")[0] != 0


OF_OPTIONS = {}
OF_HIVE = {}
OF_APPENDS = {}
OF_FOREIGN = {}
OF_HOSTS = {}
OF_REJECTS = {
    "nan of a decimal in a rejected row of some columns of Skiff is not fed back":
        Fault("rejected rows are rows: .*expected a decimal of at most", nan_of_skiff),
}
