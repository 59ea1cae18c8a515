"""Checks the table of types: for each line of `xwalk types`, the round trip of a file with a column of that type.

usage: kinds.py XWALK [--engines] [--rows N] [--seed S]

The table, `check` of the file and `convert` must agree. Lance and Vortex need a program
for each file and are asked with --engines only.
"""
import argparse
import json
import os
import pathlib
import sys
import tempfile

try:
    import pyarrow as pa
    from yt import yson
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

import arrow_tables
import interfaces
import engine_host
import skiff_tables
import trip
import yt_tables
from dice import Dice


def make(rng, interface, program, system, text, path, rows):
    """Writes rows of a column of a type, named in the syntax of a system. Returns false if its package does not have the type."""
    schema = interface.xwalk.Schema.parse_type(text, system)
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
            code, _, said = interfaces.Program(program).run("convert", arrow, path, "--message", message, "--on-error", "skip")
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


def alike(interface, system, found, wanted):
    """Whether two texts name one type. Reports shorten what no schema needs in full."""
    parse = interface.xwalk.Schema.parse_type
    try:
        return found == wanted or parse(found, system) == parse(wanted, system)
    except interface.xwalk.InputError:
        return found.split("<")[0] == wanted.split("<")[0]


def hold(line, interface, path, folder):
    """A line of the table against a file of its type."""
    source, target = line["from"], line["to"]
    found = interface.check(source, path, target, {})
    verdict = found.report["verdict"] if found.report else "unsupported"
    if found.report:
        of_file = next(each["source"] for each in found.report["paths"] if each["path"])
        if not alike(interface, source, of_file, line["source"]):
            return f"a file of {of_file}"
    if verdict != line["verdict"]:
        raise trip.Broken("the table says what check says", f"{line['verdict']}, and check says {verdict} of {path.name}")
    if found.report:
        rules = {reason["rule"] for each in found.report["paths"] for reason in each["reasons"]}
        if rules != set(line["rules"]):
            raise trip.Broken("the table says what check says", f"rules {line['rules']}, and check says {sorted(rules)}")
    return trip.there_and_back(interface, source, path, target, folder)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--engines", action="store_true", help="Lance and Vortex too")
    options.add_argument("--rows", type=int, default=12)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    try:
        interface = interfaces.Module(chosen.program)
    except ImportError as missing:
        print(f"SKIPPED: {missing}")
        return 77
    if chosen.engines:
        os.environ["XWALK_PYTHON"] = engine_host.started()
    code, table, words = interfaces.Program(chosen.program).run("types", "--json")
    assert code == 0, words
    came, failed, made = {}, 0, {}
    with tempfile.TemporaryDirectory(prefix="xwalk-kinds-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as name:
        folder = pathlib.Path(name)
        for line in json.loads(table):
            if not chosen.engines and {"lance", "vortex"} & {line["from"], line["to"]}:
                continue
            # Iceberg has schemas and no rows.
            if not {line["from"], line["to"]} <= trip.EXTENSION.keys():
                continue
            system, text = line["from"], line["source"]
            if (system, text) not in made:
                path = folder / f"source-{len(made)}.{trip.EXTENSION[system]}"
                rng = Dice(f"{chosen.seed}:{system}:{text}")
                made[system, text] = path if make(rng, interface, chosen.program, system, text, path, chosen.rows) else None
            path = made[system, text]
            try:
                what = hold(line, interface, path, folder) if path else "not written by its own package"
            except trip.Broken as broken:
                failed += 1
                what = "broken"
                print(f"FAILED: {system} {text} to {line['to']}: {broken.law}: {broken.words}")
            came[what] = came.get(what, 0) + 1
            if what not in ("round trip", "broken"):
                print(f"  {system} {text} to {line['to']}: {what}")
    print(", ".join(f"{count} {what}" for what, count in sorted(came.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
