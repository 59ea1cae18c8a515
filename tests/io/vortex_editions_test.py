"""Asks vortex-data what files of each edition hold, and the program whether it says the same."""
import decimal
import json

import pytest

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import pyarrow as pa
    import vortex

FOLDER = harness.make_folder("vortex-editions")
there = harness.work_in(FOLDER)
EDITIONS = ["core2025.05.0", "core2025.06.0", "core2025.10.0", "core2026.08.0", "core2026.08.1", "core2026.08.2", "core2026.08.3"]

STRUCT = pa.struct([pa.field("a", pa.int64(), False)])
KINDS = {
    "bool": (pa.bool_(), True), "int64": (pa.int64(), 1), "double": (pa.float64(), 1.5), "string": (pa.string(), "x"),
    "binary": (pa.binary(), b"x"), "date32": (pa.date32(), 1), "time64": (pa.time64("us"), 1),
    "timestamp": (pa.timestamp("us", "UTC"), 1), "decimal": (pa.decimal128(20, 4), decimal.Decimal("1.0000")),
    "fixed_size_list": (pa.list_(pa.float32(), 2), [1, 2]), "struct": (STRUCT, {"a": 1}),
    "list": (pa.list_(pa.field("item", pa.int64(), False)), [1]),
    "map": (pa.map_(pa.string(), pa.field("value", pa.int64(), False)), [("k", 1)]), "uuid": (pa.uuid(), b"0" * 16),
    "json": (pa.json_(), '{"a":1}'),
}

#: Those that the program writes as well.
WRITTEN = ("int64", "fixed_size_list", "map", "uuid")


def array(kind, values):
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, pa.array(values, kind.storage_type))
    return pa.array(values, kind)


def vortex_holds(table, edition):
    try:
        vortex.io.write(table, "ask.vortex", edition=edition)
        return vortex.open("ask.vortex").to_arrow().read_all().to_pylist() == table.to_pylist()
    except BaseException:
        return False


def check(edition):
    done = run("check", "in.arrow", "--to", "vortex", "--vortex-edition", edition, "--output", "json")
    if done.returncode not in (0, 1):
        return "unsupported", done.stderr
    told = json.loads(done.stdout)
    return told["verdict"], [reason for line in told["paths"] for reason in line["reasons"] if reason["rule"] == "spec.version"]


@pytest.mark.parametrize("null", [False, True], ids=["values", "nulls"])
@pytest.mark.parametrize("name", KINDS)
def test_kind(name, null):
    kind, value = KINDS[name]
    table = pa.Table.from_arrays([array(kind, [value] * 50 + ([None] * 50 if null else []))],
                                 schema=pa.schema([pa.field("c", kind, null)]))
    with pa.OSFile("in.arrow", "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    for edition in EDITIONS:
        holds, (verdict, reasons) = vortex_holds(table, edition), check(edition)
        expect(holds or (verdict in ("unsupported", "checked") and reasons), name, null, edition, "vortex-data:", holds, verdict)
        # Readers of the edition do not know the extension, even where today's writer takes it.
        expect(name != "json" or (verdict != "exact" and reasons), name, null, edition, verdict, reasons)
        # Nulls of a column of one value are refused by files that may hold others.
        expect(not holds or verdict != "unsupported", name, null, edition, "vortex-data:", holds, verdict, reasons)
        if name in WRITTEN and (holds or verdict == "unsupported"):
            done = run("convert", "in.arrow", "out.vortex", "--overwrite", "--vortex-edition", edition, "-q")
            expect((done.returncode == 0) == holds, name, null, edition, holds, done.stderr)


def test_names_of_editions():
    options = vortex.io.VortexWriteOptions.default()
    for edition in EDITIONS:
        options.with_edition(edition)
    pa.ipc.new_file("named.arrow", pa.schema([("a", pa.int64())])).close()
    done = run("convert", "named.arrow", "out.vortex", "--vortex-edition", "core2020.01.0")
    expect(done.returncode == 2 and "core2025.10.0" in done.stderr, done)
