"""Asks pylance what data files of each version hold, and the program whether it says the same.

usage: lance_versions_test.py XWALK

Every kind of column, with and without nulls, by itself and within others, is written by pylance in every version: what comes
back is what `xwalk check --lance-version` must report for it. Then the program writes the same rows itself.
"""
import decimal
import json
import shutil

import pytest

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import lance
    import pyarrow as pa

FOLDER = harness.make_folder("lance-versions")
there = harness.work_in(FOLDER)
VERSIONS = ["2.0", "2.1", "2.2"]

D = decimal.Decimal
STRUCT = pa.struct([("a", pa.int64())])
BLOB = {"lance-encoding:blob": "true"}
#: A type, and a value of it.
KINDS = {
    "null": (pa.null(), None), "bool": (pa.bool_(), True), "int8": (pa.int8(), -1), "uint64": (pa.uint64(), 2**64 - 1),
    "halffloat": (pa.float16(), 1.5), "float": (pa.float32(), 1.5), "double": (pa.float64(), 1.5), "string": (pa.string(), "x"),
    "large_string": (pa.large_string(), ""), "binary": (pa.binary(), b"x"), "large_binary": (pa.large_binary(), b""),
    "fixed_size_binary": (pa.binary(2), b"ab"), "date32": (pa.date32(), 1), "date64": (pa.date64(), 86400000),
    "time32": (pa.time32("s"), 1), "time64": (pa.time64("us"), 1), "timestamp": (pa.timestamp("us", "UTC"), 1),
    "duration": (pa.duration("us"), 1), "decimal128": (pa.decimal128(20, 4), D("1.0000")),
    "decimal256": (pa.decimal256(60, 4), D("1.0000")), "fixed_size_list": (pa.list_(pa.float32(), 2), [1, 2]),
    "fixed_size_list.struct": (pa.list_(STRUCT, 2), [{"a": 1}, {"a": 2}]), "dict": (pa.dictionary(pa.int32(), pa.string()), "x"),
    "struct": (STRUCT, {"a": 1}), "list": (pa.list_(pa.int64()), [1, None]), "list.struct": (pa.list_(STRUCT), [{"a": 1}]),
    "large_list": (pa.large_list(pa.int64()), []), "map": (pa.map_(pa.string(), pa.int64()), [("k", None)]),
    "blob": (pa.large_binary(), b"x"),
}
SHAPES = {
    "itself": lambda kind, value, null: (kind, [value, None if null else value]),
    "item": lambda kind, value, null: (pa.list_(kind), [[value, None if null else value], []]),
    "member": lambda kind, value, null: (pa.struct([pa.field("p", kind), pa.field("q", pa.int64())]),
                                         [{"p": value, "q": 1}, {"p": None if null else value, "q": 2}]),
    "value": lambda kind, value, null: (pa.map_(pa.string(), kind), [[("k", value)], [("k", None if null else value)]]),
}


def pylance_holds(table, version):
    shutil.rmtree("ask.lance", ignore_errors=True)
    try:
        dataset = lance.write_dataset(table, "ask.lance", data_storage_version=version)
        back = dataset.scanner(blob_handling="all_binary").to_table()
    except BaseException:  # some kinds stop pylance in the middle
        return False
    if back.to_pylist() != table.to_pylist():
        return False
    # A type that is read back as another is not supported, for any values.
    return lance.dataset("ask.lance").schema.field(0).type == table.schema.field(0).type


def check(path, version, *more):
    done = run("check", path, "--to", "lance", "--lance-version", version, "--output", "json", *more)
    if done.returncode not in (0, 1):
        return "unsupported", done.stderr
    told = json.loads(done.stdout)
    reasons = [reason for line in told["paths"] for reason in line["reasons"] if reason["rule"] == "spec.version"]
    return told["verdict"], reasons


def written(name, table):
    with pa.OSFile(name, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


CASES = [(shape, name, null) for shape in SHAPES for name in KINDS for null in (False, True) if name != "blob" or shape == "itself"]


@pytest.mark.parametrize("shape, name, null", CASES)
def test_kind(shape, name, null):
    kind, value = KINDS[name]
    column, values = SHAPES[shape](kind, value, null)
    metadata = BLOB if name == "blob" else None
    schema = pa.schema([pa.field("c", column, metadata=metadata)])
    table = pa.Table.from_arrays([pa.array(values, column)], schema=schema)
    written("in.arrow", table)
    for version in VERSIONS:
        # Lists of structs of one length become lists of any.
        holds = name == "fixed_size_list.struct" or pylance_holds(table, version)
        verdict, reasons = check("in.arrow", version, "--rows")
        # Rows without a null may go where nulls may not.
        refused = verdict == "unsupported"
        if not null or refused:
            expect(name == "fixed_size_list.struct" or holds != refused, shape, name, "with a null" if null else "", version, "pylance:", holds, verdict, reasons)
        elif not holds:
            expect(verdict == "checked" and reasons, shape, name, "with a null", version, verdict, reasons)
        if refused and holds is False:
            expect(reasons, shape, name, version, "refused without naming the version")
            hints = " ".join(reason.get("hint", "") for reason in reasons) if isinstance(reasons, list) else ""
            expect("--lance-version" in hints, shape, name, version, reasons)


def test_a_struct_without_fields():
    """The column after a struct without fields is lost from 2.1 on."""
    EMPTY = pa.field("e", pa.struct([]), False)
    for fields in ([EMPTY, pa.field("a", pa.int64())], [pa.field("a", pa.int64()), EMPTY],
                   [pa.field("s", pa.struct([EMPTY, pa.field("q", pa.int64())]), False)],
                   [pa.field("s", pa.struct([pa.field("q", pa.int64()), EMPTY]), False)]):
        row = {field.name: {} if field == EMPTY else 1 if field.type == pa.int64() else {"e": {}, "q": 1} for field in fields}
        table = pa.Table.from_pylist([row, row], schema=pa.schema(fields))
        written("in.arrow", table)
        for version in VERSIONS:
            holds, (verdict, reasons) = pylance_holds(table, version), check("in.arrow", version)
            expect(holds == (verdict != "unsupported"), fields, version, holds, verdict, reasons)


def files(name):
    return {f"{file.file_major_version}.{file.file_minor_version}" for part in lance.dataset(name).get_fragments()
            for file in part.metadata.files}


def test_the_program_writes_what_it_says():
    rows = pa.table({"i": [1, 2, None], "t": pa.array([{"a": 1}, None, {"a": 3}], STRUCT)})
    written("rows.arrow", rows)
    for version in (*VERSIONS, "2.3", "stable"):
        shutil.rmtree("out.lance", ignore_errors=True)
        done = run("convert", "rows.arrow", "out.lance", "--lance-version", version, "--on-error", "skip", "-q")
        expect(done.returncode == 0, version, done.stderr)
        expect(files("out.lance") == {"2.2" if version == "stable" else version}, version, files("out.lance"))
        kept = [row for row in rows.to_pylist() if version != "2.0" or row["t"]]
        expect(lance.dataset("out.lance").to_table().to_pylist() == kept, version)
    # A dataset has files of one version.
    for mode in ("append-again", "overwrite"):
        done = run("convert", "rows.arrow", "out.lance", "--mode", mode, "--lance-version", "2.0")
        expect(done.returncode == 2 and "data files of 2.2" in done.stderr, done)
        done = run("convert", "rows.arrow", "out.lance", "--mode", mode, "--lance-version", "2.2", "-q")
        expect(done.returncode == 0 and files("out.lance") == {"2.2"}, done.stderr)
    # Rows that replace others are planned for the files of the dataset.
    shutil.rmtree("out.lance", ignore_errors=True)
    lance.write_dataset(pa.table({"x": [1]}), "out.lance", data_storage_version="2.0")
    done = run("convert", "rows.arrow", "out.lance", "--mode", "overwrite")
    expect(done.returncode == 3 and "found null" in done.stderr, done)
    blobs = pa.table([pa.array([b"x"], pa.large_binary())], schema=pa.schema([pa.field("b", pa.large_binary(), metadata=BLOB)]))
    written("blobs.arrow", blobs)
    lance.write_dataset(pa.table({"x": [1]}), "new.lance", data_storage_version="2.2")
    done = run("convert", "blobs.arrow", "new.lance", "--mode", "overwrite")
    expect(done.returncode == 4 and "ended with Lance 2.1" in done.stderr, done)
    known = [word for word in ("2.0", "2.1", "2.2", "2.3") if not shutil.rmtree("v.lance", ignore_errors=True)
             and lance.write_dataset(rows.select(["i"]), "v.lance", data_storage_version=word).data_storage_version == word]
    expect(known == ["2.0", "2.1", "2.2", "2.3"], "versions that pylance knows", known)
    shutil.rmtree("v.lance", ignore_errors=True)
    stable = lance.write_dataset(rows.select(["i"]), "v.lance", data_storage_version="stable").data_storage_version
    expect(stable == "2.2", "the stable version of pylance is another now:", stable)
