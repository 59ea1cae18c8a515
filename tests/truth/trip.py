"""One trip: a file goes to another system and comes back, and what happens is held against what `check` said.

What is observed may be less than what is claimed, never more: `kept` means equal on every row, refused rows must be
named by a `checked` path, and a type that is `self` or `noted` is the same type again.
"""
import dataclasses
import json
import re
import shutil
import subprocess

import arrow_tables
import normal
import skiff_tables
import yt_tables

EXTENSION = {"yt": "yson", "skiff": "skiff", "parquet": "parquet", "lance": "lance", "vortex": "vortex", "arrow": "arrow"}
ARROW_LIKE = ("parquet", "lance", "vortex", "arrow")
#: Rules after which another system's reader sees other values than the source's, by what they say.
SHOWN_OTHERWISE = {"name.changed", "type.as-storage", "union.lowered", "extension.unknown", "null.levels-merged"}


@dataclasses.dataclass
class Broken(Exception):
    """A promise that was broken: which law, and what was seen."""

    law: str
    words: str


@dataclasses.dataclass
class Column:
    """What the report claims of a column, all its paths together."""

    values: str = "kept"
    type: str = "self"
    rules: set = dataclasses.field(default_factory=set)


WORSE = {"values": ["kept", "checked", "altered", "none"], "type": ["self", "noted", "changed"]}


def remove(path):
    for each in (path, path.with_name(path.name + ".schema")):
        shutil.rmtree(each) if each.is_dir() else each.unlink(missing_ok=True)


def run(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def first_step(path):
    """The column that a path of a report begins with."""
    if not path.startswith('"'):
        return re.split(r"[.\[{<]", path, maxsplit=1)[0]
    end = re.match(r'"(?:[^"\\]|\\.)*"', path).end()
    return json.loads(path[:end])


def claims(report, names):
    """What a report says of each column, in their order."""
    columns = {name: Column() for name in names}
    for path in report["paths"]:
        of = [columns[first_step(path["path"])]] if path["path"] else columns.values()
        for column in of:
            for axis, order in WORSE.items():
                worst = max(getattr(column, axis), path[axis], key=order.index)
                setattr(column, axis, worst)
            column.rules |= {reason["rule"] for reason in path["reasons"]}
    return [columns[name] for name in names]


def read(system, path):
    """Names and columns in normal form, by the system's own package."""
    if system == "yt":
        return yt_tables.read(path)
    if system == "skiff":
        return skiff_tables.read(path)
    table = arrow_tables.read(system, path)
    return table.column_names, normal.of_table(table)


def types(system, path):
    """The types of the columns in the system's own words."""
    if system == "yt":
        return [kind for _, kind in yt_tables.schema_of(path)]
    if system == "skiff":
        return [without_name(child) for child in skiff_tables.wire_of(path)["children"]]
    schema = arrow_tables.read(system, path).schema
    return [str(field.type) + ("" if field.nullable else " not null") for field in schema]


def without_name(wire):
    return {key: value for key, value in wire.items() if key != "name"}


def refused(path):
    """The rows that were refused, with their columns."""
    return {int(row["row"]): first_step(str(row["path"])) for row in yt_tables.yson.loads(
        path.read_bytes(), yson_type="list_fragment", encoding="utf-8")} if path.exists() else {}


def same_as_itself(program, system, source):
    """A schema does not differ from itself, and reads what it wrote."""
    for verb in ("diff", "compat"):
        code, out, err = run(program, verb, source, source, "--json")
        if code != 0:
            raise Broken(f"{verb} of a schema and itself", f"exit code {code}: {(out + err)[:400]}")


def walk(program, system, source, target_system, target, names, options=()):
    """Checks and converts; returns the claims and the rows that were refused."""
    code, out, err = run(program, "check", source, "--from", system, "--to", target_system, "--json")
    if code not in (0, 1):
        raise Broken("check answers", f"exit code {code}: {err.strip()}")
    report = json.loads(out)
    rejects = target.with_name("rejects.yson")
    for path in (target, rejects):
        remove(path)
    code, _, err = run(program, "convert", source, target, "--from", system, "--to", target_system, "--on-error", "skip",
                       "--rejects", rejects, "--json", *options)
    told = json.loads(err.rstrip("\n").split("\n")[-1]) if err.strip().startswith("{") or "\n{" in err else {}
    wanted = {"unsupported": 4, "lossy": 1}.get(report["verdict"], 0)
    if code != wanted:
        raise Broken("convert does what check says", f"{report['verdict']}, and convert exits with {code}: {err.strip()[:600]}")
    if code == 0 and told.get("verdict") != report["verdict"]:
        raise Broken("convert does what check says", f"check says {report['verdict']}, convert {told.get('verdict')}")
    return claims(report, names), code, refused(rejects)


def compare(law, names, wanted, found, claimed, only, shown=False):
    for name, before, after, column in zip(names, wanted, found, claimed):
        if column.values not in ("kept", "checked") or not only(column):
            continue
        for row, (left, right) in enumerate(zip(before, after)):
            if left != right and not (shown and is_interval(left)):
                raise Broken(law, f"column {name}, {column.values}, row {row}: {left!r} became {right!r}")


def is_interval(value):
    """Whether it is months, days and nanoseconds: pyarrow shows the bytes of Parquet's INTERVAL."""
    return isinstance(value, tuple) and len(value) == 3 and value[0] != "v"


def comparable(source, target):
    """Whether the readers of both show values in the same way. Skiff's knows bytes, not types."""
    return source != "skiff" and target != "skiff"


def there_and_back(program, source_system, source, target_system, folder, options=()):
    """Takes one file there and back, with options for the way there. Raises Broken; returns how far it came."""
    same_as_itself(program, source_system, source)
    names, before = read(source_system, source)
    target = folder / f"there.{EXTENSION[target_system]}"
    claimed, code, bad = walk(program, source_system, source, target_system, target, names, options)
    if code != 0:
        return "unsupported"
    for row, column in bad.items():
        own = claimed[names.index(column)] if column in names else None
        if own is None or own.values == "kept":
            raise Broken("refused rows are named", f"row {row} is refused in column {column}, which is kept")
    left = [[value for row, value in enumerate(column) if row not in bad] for column in before]
    rows = len(left[0])
    try:
        there_names, there = read(target_system, target)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001: errors and panics of any package
        raise Broken("the target's own reader reads it", f"{type(error).__name__}: {str(error)[:300]}") from None
    if len(there_names) != len(names) or any(len(column) != rows for column in there):
        raise Broken("every row arrives", f"{rows} rows of {names} became {[len(column) for column in there]} of {there_names}")
    for name, new, column in zip(names, there_names, claimed):
        if name != new and "name.changed" not in column.rules:
            raise Broken("names are told", f"{name!r} became {new!r}")
    if comparable(source_system, target_system):
        compare("the target's own reader sees the values", names, left, there, claimed,
                lambda column: not column.rules & SHOWN_OTHERWISE, shown=True)
    back = folder / f"back.{EXTENSION[source_system]}"
    _, code, bad = walk(program, target_system, target, source_system, back, there_names)
    if code != 0:
        if all(column.type != "changed" for column in claimed):
            raise Broken("the way back is open", "the way back is unsupported")
        return "one way"
    back_names, after = read(source_system, back)
    if bad and all(column.type != "changed" for column in claimed):
        raise Broken("the way back refuses nothing", f"rows {sorted(bad)} are refused on the way back, {bad}")
    left = [[value for row, value in enumerate(column) if row not in bad] for column in left]
    same_type = lambda column: column.type != "changed"  # noqa: E731
    compare("values come back", names, left, after, claimed, same_type)
    for name, was, is_now, column in zip(names, types(source_system, source), types(source_system, back), claimed):
        if same_type(column) and not alike(source_system, was, is_now):
            raise Broken("types come back", f"column {name}, {column.type}: {was} became {is_now}")
    return "there and back"


def alike(system, was, is_now):
    if system in ("parquet", "vortex"):
        # Their packages show a type in a layout of their own choice.
        return True
    # The name of a list's item is no part of its type.
    return was == is_now if system in ("yt", "skiff") else was.replace("<element: ", "<item: ") == is_now.replace("<element: ", "<item: ")
