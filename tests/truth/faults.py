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


def skiff(folder, *rows):
    """Rows of two integers."""
    write(folder, "in.skiff", b"".join(b"\0\0" + struct.pack("<2q", *row) for row in rows), "[{name=a;type_v3=int64};{name=b;type_v3=int64}]")


def rejected_with_index(xwalk, folder):
    skiff(folder, (1, 2), (513, 2))
    return xwalk.run("convert", "in.skiff", "out.yson", "--table-index", "--cast", "a=int8", "--on-error", "skip")[0] != 0


def keys_without_name(xwalk, folder):
    write(folder, "in.yson", b"{id=1;k=__HIVE_DEFAULT_PARTITION__};{id=2;k=a}", "[{name=id;type_v3=int64};{name=k;type_v3=utf8}]")
    return xwalk.told("check", "in.yson", "--rows", "--to", "parquet", "--partition-by", "k")[1]["rows"]["refused"] == 0


def select_of_skiff(xwalk, folder):
    skiff(folder, (1, 2), (513, 2))
    xwalk.run("convert", "in.skiff", "out.yson", "--select", "a", "--cast", "a=int8", "--rejects", "bad.yson")
    return xwalk.run("convert", "bad.yson", "again.yson")[0] != 0


OF_OPTIONS = {
    "a rejected Skiff row has no index columns":
        Fault(r"an option that is taken is not refused: .*expected \d+ columns, found \d+", rejected_with_index),
}
OF_HIVE = {
    "check does not count the rows whose key no name of a folder holds":
        Fault("check counts the rows that a name does not hold", keys_without_name),
}
OF_APPENDS = {}
OF_FOREIGN = {}
OF_HOSTS = {}
OF_REJECTS = {
    "rejected rows of Skiff with --select are not fed back":
        Fault("rejected rows are rows: .*expected a tag of variant8", select_of_skiff),
}
