"""One trip: a file goes to another system and comes back, and the result is compared with the report of `check`.

What is observed may be less than what is claimed, never more: `kept` means equal on every row, rejected rows must be
named by a `checked` path, and a type that is `self` or `noted` is the same type again.
"""
import dataclasses
import json
import os
import re
import shutil

import arrow_tables
import normal
import skiff_tables
import yt_tables

EXTENSION = {"yt": "yson", "skiff": "skiff", "parquet": "parquet", "lance": "lance", "vortex": "vortex", "arrow": "arrow"}
#: By system: a reader of tables that no package of the system reads here.
READERS = {}
ARROW_LIKE = ("parquet", "lance", "vortex", "arrow")
#: Rules after which another system's reader sees other values than the source's, by what they say.
SHOWN_OTHERWISE = {"any.as-bytes", "name.changed", "type.as-storage", "union.lowered", "crs.lost", "extension.unknown", "null.levels-merged",
                   "type.cast"}


#: What the name of a law ends with that is broken on the way back.
WAY_BACK = ", on the way back"


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
    labels: list = dataclasses.field(default_factory=list)
    #: Whether the way back casts it to the type that it had.
    cast_back: bool = False


WORSE = {"values": ["kept", "checked", "altered", "none"], "type": ["self", "noted", "changed"]}


def remove(path):
    for each in (str(path), f"{path}.schema"):
        if os.path.isdir(each):
            shutil.rmtree(each)
        elif os.path.exists(each):
            os.unlink(each)


def first_step(path):
    """The column that a path of a report begins with."""
    if not path.startswith('"'):
        return re.split(r"[.\[{<]", path, maxsplit=1)[0]
    end = re.match(r'"(?:[^"\\]|\\.)*"', path).end()
    return json.loads(path[:end])


def in_schema(path):
    """The place in the schema that the path of a value belongs to: `[]` for `[3]`."""
    quoted = re.split(r'("(?:[^"\\]|\\.)*")', path)
    return "".join(part if part.startswith('"') else re.sub(r"\[\d+\]", "[]", part) for part in quoted)


def claims(report, names):
    """The report of each column, in order."""
    columns = {name: Column() for name in names}
    for path in report["paths"]:
        of = [columns[first_step(path["path"])]] if path["path"] else columns.values()
        for column in of:
            for axis, order in WORSE.items():
                worst = max(getattr(column, axis), path[axis], key=order.index)
                setattr(column, axis, worst)
            column.rules |= {reason["rule"] for reason in path["reasons"]}
            column.labels += path["labels"]
    return [columns[name] for name in names]


class ArrowColumns:
    """The columns of a pyarrow table, in normal form, on demand."""

    def __init__(self, table):
        self.table, self._made = table, [None] * table.num_columns

    def __len__(self):
        return len(self._made)

    def __getitem__(self, at):
        if self._made[at] is None:
            self._made[at] = normal.of_arrow(self.table.column(at))
        return self._made[at]

    def __eq__(self, other):
        return list(self) == list(other)

    __hash__ = None

    def holds(self, other, at):
        """Whether Arrow itself calls both columns equal. It does not tell the zeros apart, nor calls a NaN like a NaN."""
        if not isinstance(other, ArrowColumns):
            return False
        left, right = self.table.column(at), other.table.column(at)
        return left.type == right.type and not re.search("float|double", str(left.type)) and left.equals(right)


@dataclasses.dataclass
class Table:
    """A file as its system's own package reads it."""

    names: list
    #: Values in normal form, column by column: a list, or a function that makes it.
    columns: list
    #: The types of the columns in the syntax of the system.
    types: list
    #: Metadata of the table, and of each column.
    metadata: dict = dataclasses.field(default_factory=dict)
    of_columns: list = dataclasses.field(default_factory=list)

    def rows(self):
        columns = self.columns
        return columns.table.num_rows if isinstance(columns, ArrowColumns) else len(columns[0])


def read(system, path):
    """Reads a file by the system's own package."""
    if system == "yt":
        return Table(*yt_tables.read(path))
    if system == "skiff":
        return Table(*skiff_tables.read(path))
    table = READERS[system](path) if system in READERS else arrow_tables.read(system, path)
    schema = table.schema
    return Table(table.column_names, ArrowColumns(table),
                 [str(field.type) + ("" if field.nullable else " not null") for field in schema],
                 schema.metadata or {}, [all_metadata(field) for field in schema])


def all_metadata(field):
    """Metadata of a field, and of those below it by their keys."""
    found, kind = dict(field.metadata or {}), field.type
    for i in range(getattr(kind, "num_fields", 0) if hasattr(kind, "field") else 0):
        found = {**all_metadata(kind.field(i)), **found}
    return found


def same_as_itself(interface, schema):
    """A schema does not differ from itself, and reads what it wrote."""
    for verb in ("diff", "compat"):
        answer = getattr(interface, verb)(schema, schema)
        if answer.code != 0:
            raise Broken(f"{verb} of a schema and itself", f"exit code {answer.code}: {answer.words} {answer.report}"[:400])


@dataclasses.dataclass
class NoRow:
    """The result of a conversion that accepts no row: the paths at which the rows are rejected."""

    paths: list


def no_row(interface, system, source, target_system, target, options, checked, done):
    """Returns a NoRow if a conversion failed because each row is rejected at a path that `check` names; None otherwise."""
    said = re.search(r"no row was accepted, (\d+) rejected", done.words)
    if done.code != 3 or not said or checked.verdict != "checked":
        return None
    rows = interface.check_rows(system, source, target_system, options).report["rows"]
    if not rows["read"] == rows["refused"] == int(said.group(1)):
        raise Broken("convert does what check says", f"{said.group()}, and check --rows says {rows['refused']} of {rows['read']}")
    named = {path["path"] for path in checked.report["paths"] if path["values"] != "kept"}
    paths = [path["path"] for path in rows["paths"] if path["refused"]]
    if not paths or not named.issuperset(map(in_schema, paths)):
        raise Broken("rejected rows are named", f"rows are rejected at {paths}, and check names {sorted(named)}")
    if target.exists():
        raise Broken("no file without a row", f"{said.group()}, and {target.name} exists")
    return NoRow(paths)


def walk(interface, system, source, target_system, target, options=None, schema=None):
    """Checks and converts. Returns the report and the rows that were rejected, a NoRow if no row was accepted, and None if
    there is no way."""
    options = options or {}
    checked = interface.check(system, schema or source, target_system, options)
    remove(target)
    done = interface.convert(system, source, target_system, target, options)
    if checked.verdict is None:
        if checked.code != 4 or done.code != 4:
            raise Broken("check answers", f"exit code {checked.code}: {checked.words}; convert: {done.code} {done.words}")
        return None
    verdict = checked.verdict
    wanted = {"unsupported": 4, "lossy": 1}.get(verdict, 0)
    if done.code != wanted:
        if none := no_row(interface, system, source, target_system, target, options, checked, done):
            return none
        raise Broken("convert does what check says", f"{verdict}, and convert exits with {done.code}: {done.words[:600]}")
    if wanted:
        return None
    if done.verdict != verdict:
        raise Broken("convert does what check says", f"check says {verdict}, convert {done.verdict}")
    if options.get("annotations") is False and any(path["type"] == "noted" for path in checked.report["paths"]) \
            and target_system != "skiff":
        raise Broken("nothing is noted without annotations", verdict)
    named = {path["path"] for path in checked.report["paths"] if path["values"] != "kept"} if done.refused else ()
    for row, path in done.refused.items():
        if in_schema(path) not in named:
            raise Broken("rejected rows are named", f"row {row} is rejected at {path}, of which nothing is said")
    return checked.report, done.refused


def compare(law, names, wanted, found, claimed, only, shown=None):
    """Compares columns row by row; `shown` says what the first reader's values are for the second one's."""
    for at, (name, column) in enumerate(zip(names, claimed)):
        if column.values not in ("kept", "checked") or not only(column):
            continue
        if isinstance(wanted, ArrowColumns) and wanted.holds(found, at):
            continue
        before, after = wanted[at], found[at]
        if len(before) != len(after):
            raise Broken("every row arrives", f"column {name}: {len(before)} rows became {len(after)}")
        for row, (left, right) in enumerate(zip(before, after)):
            if left != right and (shown is None or shown(left) != shown(right)):
                raise Broken(law, f"column {name}, {column.values}, row {row}: {left!r} became {right!r}")


def with_intervals_as_bytes(value):
    """Months, days and nanoseconds as the twelve bytes of Parquet's INTERVAL, which is how pyarrow shows them."""
    if isinstance(value, tuple) and len(value) == 3 and value[0] != "v":
        months, days, nanoseconds = value
        parts = (months, days, nanoseconds // 10**6)
        return b"".join(part.to_bytes(4, "little") for part in parts) if min(parts) >= 0 else value
    if isinstance(value, dict):
        return {name: with_intervals_as_bytes(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(with_intervals_as_bytes(item) for item in value)
    return value


def comparable(source, target):
    """Whether the readers of both show values in the same way. Skiff's knows bytes, not types."""
    return source != "skiff" and target != "skiff"


def without_rows(columns, bad):
    return [[value for row, value in enumerate(column) if row not in bad] for column in columns] if bad else columns


def casts_back(report, names, there_names, claimed, system):
    """The casts that bring columns back whose text is said to give every value, by their names there."""
    casts = {}
    for name, new, column in zip(names, there_names, claimed):
        # Other systems have whole declarations.
        if "text.from-value" not in column.rules or column.values != "kept" or system not in ("yt", "arrow"):
            continue
        of = [path for path in report["paths"] if path["path"] and first_step(path["path"]) == name]
        if len(of) == 1 and there_names.count(new) == 1 and new.isprintable():
            casts[json.dumps(new, ensure_ascii=False)] = of[0]["source"]
            column.cast_back = True
    return {"cast": casts} if casts else {}


def there_and_back(interface, source_system, source, target_system, folder, options=None, prepared=None):
    """Converts one file and back, with options for the first conversion. Raises Broken; returns how far it came. `prepared` is
    what a caller knows of the file already, which holds for several trips: its schema in the interface, and its table."""
    schema, source_table = prepared or (interface.schema(source), read(source_system, source))
    if not prepared:
        same_as_itself(interface, schema)
    names, before = source_table.names, source_table.columns
    target = folder / f"there.{EXTENSION[target_system]}"
    went = walk(interface, source_system, source, target_system, target, options, schema)
    if went is None:
        return "unsupported"
    if isinstance(went, NoRow):
        return "no row accepted"
    report, bad = went
    claimed = claims(report, names)
    left = without_rows(before, bad)
    rows = source_table.rows() - len(bad)
    try:
        table = read(target_system, target)
        there_names, there = table.names, table.columns
        there_rows = table.rows()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001: errors and panics of any package
        raise Broken("the target's own reader reads it", f"{type(error).__name__}: {str(error)[:300]}") from None
    if len(there_names) != len(names) or there_rows != rows:
        raise Broken("every row arrives", f"{rows} rows of {names} became {there_rows} of {there_names}")
    for name, new, column in zip(names, there_names, claimed):
        if name != new and "name.changed" not in column.rules:
            raise Broken("names are reported", f"{name!r} became {new!r}")
    if comparable(source_system, target_system):
        compare("the target's own reader sees the values", names, left, there, claimed,
                lambda column: not column.rules & SHOWN_OTHERWISE,
                with_intervals_as_bytes if target_system == "parquet" else None)
    if options and options.get("annotations") is False and target_system in ARROW_LIKE:
        # Metadata about storage is not an annotation of the source of a column.
        noted = [key for each in (table.metadata, *table.of_columns) for key in each
                 if key.startswith(b"xwalk:") and key != b"xwalk:" + target_system.encode()]
        if noted:
            raise Broken("nothing is noted without annotations", f"{noted}")
    back = folder / f"back.{EXTENSION[source_system]}"
    try:
        # Threads start slowly for few rows: both directions use them, or neither.
        came = walk(interface, target_system, target, source_system, back,
                    ({"threads": 1} if options else {}) | casts_back(report, names, there_names, claimed, source_system))
    except Broken as broken:
        raise Broken(f"{broken.law}{WAY_BACK}", broken.words) from None
    if came is None:
        if all(column.type != "changed" for column in claimed):
            raise Broken("the way back is open", "the way back is unsupported")
        return "one way"
    bad = dict(enumerate(came.paths)) if isinstance(came, NoRow) else came[1]
    for row, path in bad.items():
        if any(column.cast_back and first_step(path) == new for new, column in zip(there_names, claimed)):
            raise Broken("text that was written is read", f"row {row} is refused at {path} on the way back")
    if bad and all(column.type != "changed" for column in claimed):
        raise Broken("the way back refuses nothing", f"rows {sorted(bad)} are refused on the way back, {bad}")
    if isinstance(came, NoRow):
        return "one way"
    after = read(source_system, back)
    left = without_rows(left, bad)
    if after.rows() != rows - len(bad):
        raise Broken("every row comes back", f"{rows - len(bad)} rows became {after.rows()}")
    same_type = lambda column: column.type != "changed" or column.cast_back  # noqa: E731
    compare("values come back", names, left, after.columns, claimed, same_type)
    for name, was, is_now, column in zip(names, source_table.types, after.types, claimed):
        if same_type(column) and not alike(source_system, was, is_now):
            raise Broken("types come back", f"column {name}, {column.type}: {was} became {is_now}")
    labels_come_back(source_system, source_table, after, claimed, report)
    return "round trip"


def labels_come_back(system, was, is_now, claimed, report):
    """Metadata and attributes, of the table and of columns, that are not reported as lost."""
    table = next((path["labels"] for path in report["paths"] if path["path"] == ""), [])
    hold_labels(system, "the table", was.metadata, is_now.metadata, table)
    for name, before, after, column in zip(was.names, was.of_columns, is_now.of_columns, claimed):
        hold_labels(system, f"column {name}", before, after, column.labels)


def hold_labels(system, what, before, after, lost):
    for key, value in before.items():
        if system == "yt":
            told = any(label.startswith(f"{key}=") for label in lost)
        elif key == b"PARQUET:field_id":
            told = f"id {value.decode()}" in lost
        else:
            # What a system's own package keeps there is not the user's.
            told = key.startswith((b"ARROW:", b"PARQUET:", b"xwalk:", b"lance")) or f'metadata "{key.decode()}"' in lost
        if not told and after.get(key) != value:
            raise Broken("labels come back", f"{what}: {key} = {value} became {after}")


def told(answer):
    """Results that must be equal in every interface."""
    return {"exit code": answer.code, "verdict": answer.verdict, "refused": answer.refused}


def files_of(path):
    """The bytes under a name and beside it."""
    return {each.name.replace(path.name, ""): each.read_bytes()
            for each in (path, path.with_name(path.name + ".schema")) if each.is_file()}


def without_hints(path):
    """The report of a path without hints, because each interface spells options differently."""
    return {**path, "reasons": [{key: value for key, value in reason.items() if key != "hint"} for reason in path["reasons"]]}


def differing(left, right):
    """The first parts of two lists that differ; the whole of anything else."""
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        return next((pair for pair in zip(left, right) if pair[0] != pair[1]), (left, right))
    return left, right


def interfaces_agree(interfaces, source_system, source, target_system, folder, options=None):
    """Sends each interface the same request, and compares text, codes and bytes with the first."""
    options = options or {}
    first = None
    for interface in interfaces:
        name = type(interface).__name__
        target = folder / name / f"there.{EXTENSION[target_system]}"
        target.parent.mkdir()
        done = interface.convert(source_system, source, target_system, target, options)
        said = told(done)
        # An exception of Python is one without saying so.
        words = re.sub(r"\s+", " ", done.words.replace(str(target.parent), "")).replace("error: ", "") if done.code else ""
        checked = None
        if hasattr(interface, "check"):
            checked = interface.check(source_system, source, target_system, options)
            said["check"] = told(checked)
            said["paths of check"] = checked.report and [without_hints(path) for path in checked.report["paths"]]
        if first is None:
            alike = target_system in ("yt", "skiff", "parquet")
            first = name, said, words, files_of(target) if alike or done.code else read(target_system, target)
            continue
        for what, value in said.items():
            if value != first[1][what]:
                here, there = differing(first[1][what], value)
                raise Broken("interfaces agree", f"{what}: {first[0]} {here}, {name} {there}"[:1500])
        if words not in first[2]:
            raise Broken("interfaces agree", f"text of a failure: {first[0]} {first[2]!r}, {name} {words!r}")
        # Lance and Vortex put random words into their files; libarrow leaves bits behind the end of Booleans as they are.
        if target_system in ("yt", "skiff", "parquet"):
            same = files_of(target) == first[3]
        else:
            same = done.code or read(target_system, target) == first[3]
        if not same:
            raise Broken("interfaces agree", f"{first[0]} and {name} write other files")


def alike(system, was, is_now):
    if system in ("parquet", "vortex"):
        # Their packages show a type in a layout of their own choice.
        return True
    # The name of a list's item is no part of its type.
    return was == is_now if system in ("yt", "skiff") else was.replace("<element: ", "<item: ") == is_now.replace("<element: ", "<item: ")
