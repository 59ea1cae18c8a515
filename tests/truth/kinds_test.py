"""Checks the table of types: for each line of `xwalk types`, the round trip of a file with a column of that type.

The table, `check` of the file and `convert` must agree. Lance and Vortex need a program for each file and are asked with --all only.
"""
import functools
import itertools
import json
import os

import pytest

from tests import harness
from tests.harness import PROGRAM

with harness.skip_if_missing():
    import pyarrow as pa
    from yt import yson

import arrow_tables
import interfaces
import engine_host
import skiff_tables
import trip
import yt_tables
from dice import Dice

harness.use_module()
INTERFACE = interfaces.Module(PROGRAM)
ROWS, SEED = 12, 1
FOLDER = harness.make_folder("kinds")
NUMBERS = itertools.count()


#: Iceberg has schemas and no rows.
SYSTEMS = trip.EXTENSION.keys() - (set() if harness.ALL else {"lance", "vortex"})
LINES = [line for line in json.loads(harness.run("types", "--json").stdout) if {line["from"], line["to"]} <= SYSTEMS]


@pytest.fixture(scope="module", autouse=True)
def engines():
    if harness.ALL:
        os.environ["XWALK_PYTHON"] = engine_host.started()


@functools.cache
def made(system, text):
    """Writes rows of a column of a type, named in the syntax of a system. Returns the file, or None if its package does not have the type."""
    path = FOLDER / f"source-{next(NUMBERS)}.{trip.EXTENSION[system]}"
    return path if make(Dice(f"{SEED}:{system}:{text}"), system, text, path, ROWS) else None


def make(rng, system, text, path, rows):
    schema = INTERFACE.xwalk.Schema.parse_type(text, system)
    if system == "yt":
        node = yson.loads(schema.dump().encode())
        yt_tables.make_of(rng, path, yt_tables.columns_of(node), rows)
        return True
    if system == "skiff":
        path.with_name(path.name + ".schema").write_text(schema.dump())
        wire = skiff_tables.wire_of(path)
        skiff_tables.write(path, wire, None, rows, rng)
        return True
    try:
        field = pa.schema(schema).field(0)
        column = arrow_tables.array_of(rng, field.type, rows, field.nullable)
        table = pa.table([column], schema=pa.schema([field.with_type(column.type)]))
        if system == "parquet":
            # Written to the letter of the type, which pyarrow alone cannot.
            arrow = path.with_suffix(".arrow")
            arrow_tables.write("arrow", table, arrow)
            message = text if text.startswith("message") else f"message schema {{ {text} }}"
            code, _, said = interfaces.Program(PROGRAM).run("convert", arrow, path, "--message", message, "--on-error", "skip")
            if code:
                print(f"  {said}")
                return False
        else:
            arrow_tables.write(system, table, path)
        trip.read(system, path)
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001: errors and panics: the package has no such type
        return False
    return True


def alike(system, found, wanted):
    """Whether two texts name one type. Reports shorten what no schema needs in full."""
    parse = INTERFACE.xwalk.Schema.parse_type
    try:
        return found == wanted or parse(found, system) == parse(wanted, system)
    except INTERFACE.xwalk.InputError:
        return found.split("<")[0] == wanted.split("<")[0]


@pytest.mark.parametrize("line", LINES, ids=[f"{line['from']} {line['source']} to {line['to']}" for line in LINES])
def test_line(line):
    """A line of the table against a file of its type."""
    source, target = line["from"], line["to"]
    if (path := made(source, line["source"])) is None:
        return  # not written by its own package
    found = INTERFACE.check(source, path, target, {})
    verdict = found.report["verdict"] if found.report else "unsupported"
    if found.report:
        of_file = next(each["source"] for each in found.report["paths"] if each["path"])
        if not alike(source, of_file, line["source"]):
            return  # the file has another type
    if verdict != line["verdict"]:
        raise trip.Broken("the table says what check says", f"{line['verdict']}, and check says {verdict} of {path.name}")
    if found.report:
        rules = {reason["rule"] for each in found.report["paths"] for reason in each["reasons"]}
        if rules != set(line["rules"]):
            raise trip.Broken("the table says what check says", f"rules {line['rules']}, and check says {sorted(rules)}")
    trip.there_and_back(INTERFACE, source, path, target, FOLDER)
