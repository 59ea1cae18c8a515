"""Rows compared: differences that were planted in random tables, found by program and module in every pair of systems.

A table of random values of many types is written to all six systems; then rows of it are changed, removed, added and put
in another order. What differs is counted here from Python's own values, by place and by key, and compared with what
`diff --rows` says: the counts, the counts by column, the rows and the paths. `--max-memory 1MiB` sorts in temporary
files. What the systems do not hold alike is not planted: each has the table as xwalk writes it there.
"""
import collections
import dataclasses
import datetime
import decimal
import itertools
import json
import math
import os
import pathlib
import random

import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import jsonschema
    import pyarrow as pa
    import pyarrow.parquet as pq
harness.use_module()
import xwalk  # noqa: E402

SYSTEMS = ["parquet", "yson", "skiff", "lance", "vortex", "arrow"]
ROWS = 3000
SCHEMA = pa.schema([
    pa.field("id", pa.int64()), pa.field("day", pa.date32()), pa.field("small", pa.int8()), pa.field("flag", pa.bool_()),
    pa.field("f", pa.float64()), pa.field("g", pa.float32()), pa.field("text", pa.string()), pa.field("bytes", pa.binary()),
    pa.field("at", pa.timestamp("us", tz="UTC")), pa.field("price", pa.decimal128(12, 3)),
    pa.field("items", pa.list_(pa.int32())), pa.field("who", pa.struct([("name", pa.string()), ("age", pa.int16())])),
    pa.field("deep", pa.list_(pa.struct([("k", pa.string()), ("v", pa.list_(pa.float64()))]))),
])
SHAPE = json.loads((harness.ROOT / "docs" / "report.schema.json").read_text())


def value(rng, name):
    if rng.random() < 0.1:
        return None
    word = lambda: "".join(rng.choice("ab\u00e9\u4e2d\"\\ ") for _ in range(rng.randrange(6)))  # noqa: E731
    number = lambda: rng.choice([0.0, -0.0, 1.5, math.nan, math.inf, -1e300, rng.random()])  # noqa: E731
    return {
        "day": lambda: datetime.date(2024, 1, 1) + datetime.timedelta(rng.randrange(3)),
        "small": lambda: rng.randrange(-128, 128), "flag": lambda: rng.random() < 0.5, "f": number,
        "g": lambda: rng.choice([0.5, -2.25, math.inf, float(rng.randrange(1000))]), "text": word,
        "bytes": lambda: rng.randbytes(rng.randrange(5)),
        "at": lambda: datetime.datetime(2024, 5, 5, tzinfo=datetime.timezone.utc)
        + datetime.timedelta(microseconds=rng.randrange(10**12)),
        "price": lambda: decimal.Decimal(rng.randrange(-10**9, 10**9)).scaleb(-3),
        "items": lambda: [rng.choice([None, 1, 2, 3]) for _ in range(rng.randrange(4))],
        "who": lambda: {"name": word(), "age": rng.choice([None, 7, 8])},
        "deep": lambda: [{"k": word(), "v": [number() for _ in range(rng.randrange(3))]} for _ in range(rng.randrange(3))],
    }[name]()


def same(a, b):
    """The semantics of the documentation, on Python's values."""
    if isinstance(a, float) and isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def expected(old, new, key):
    """Counts by Python: rows of one key are paired in their order."""
    if not key:
        pairs = list(itertools.zip_longest(old, new))
    else:
        of = lambda rows: rows_by_key(rows, key)  # noqa: E731
        left, right = of(old), of(new)
        pairs = [pair for k in left.keys() | right.keys() for pair in itertools.zip_longest(left[k], right[k])]
    out = {"added": 0, "removed": 0, "changed": 0, "columns": collections.Counter()}
    for a, b in pairs:
        if a is None or b is None:
            out["added" if a is None else "removed"] += 1
            continue
        columns = [name for name in a if not same(a[name], b[name])]
        out["changed"] += bool(columns)
        out["columns"].update(columns)
    return out


def rows_by_key(rows, key):
    found = collections.defaultdict(list)
    for row in rows:
        found[tuple(repr(row[name]) for name in key)].append(row)
    return found


def plant(rng, rows):
    """Changes cells, removes, repeats and adds rows, and mixes the order."""
    new = [dict(row) for row in rows]
    for _ in range(20):
        row, name = rng.randrange(len(new)), rng.choice(SCHEMA.names[2:])
        new[row][name] = value(rng, name)
    for _ in range(5):
        del new[rng.randrange(len(new))]
        new.insert(rng.randrange(len(new)), dict(rng.choice(new)))
    for number in range(3):
        new.append({name: value(rng, name) for name in SCHEMA.names if name != "id"} | {"id": 10**6 + number})
    return [{name: row[name] for name in SCHEMA.names} for row in new]


def write(folder, name, rows):
    path = folder / f"{name}.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path, row_group_size=700)
    paths = {"parquet": path}
    for system in SYSTEMS[1:]:
        paths[system] = folder / f"{name}.{system}"
        harness.run("convert", path, paths[system])
    return paths


@dataclasses.dataclass
class Table:
    rows: list
    paths: dict


RNG = random.Random(int(os.environ.get("XWALK_SEED", "20")))


@pytest.fixture(scope="module")
def tables():
    """A table, one with planted differences, and the same in another order, as files of each system."""
    folder = harness.make_folder("row-diff")
    rows = [{"id": number, **{name: value(RNG, name) for name in SCHEMA.names[1:]}} for number in range(ROWS)]
    for row in RNG.sample(rows, 5):
        row["id"] = None
    new = plant(RNG, rows)
    return {name: Table(of, write(folder, name, of)) for name, of in (("old", rows), ("new", new), ("mixed", RNG.sample(new, len(new))))}


def by_program(left, right, *options):
    done = harness.run("diff", left, right, "--rows", "--json", *options, code=(0, 1))
    found = json.loads(done.stdout)
    jsonschema.validate(found, SHAPE)
    return found, done.returncode


def compare(what, left, right, wanted, *options):
    found, code = by_program(left, right, *options)
    check(what, {word: found[word] for word in ("added", "removed", "changed")},
          {word: wanted[word] for word in ("added", "removed", "changed")})
    check(f"{what}: columns", {entry["name"]: entry["changed"] for entry in found["columns"]}, dict(wanted["columns"]))
    check(f"{what}: not compared", found["not_compared"], [])
    check(f"{what}: exit code", code, 0 if found["same"] else 1)
    check(f"{what}: same", found["same"], not any(wanted[word] for word in ("added", "removed", "changed")))


@pytest.mark.parametrize("left, right", itertools.product(SYSTEMS, SYSTEMS))
def test_systems(tables, left, right):
    number = SYSTEMS.index(left) * len(SYSTEMS) + SYSTEMS.index(right)
    old, new, mixed = tables["old"], tables["new"], tables["mixed"]
    if number % 7 == 1:
        compare("the same", old.paths[left], old.paths[right], expected(old.rows, old.rows, []))
    # By place and by key in turn, each system on both sides.
    if (number + number // len(SYSTEMS)) % 2 == 0:
        compare("by place", old.paths[left], new.paths[right], expected(old.rows, new.rows, []))
        return
    key = RNG.choice([["id"], ["id", "day"], ["day", "small"], ["text", "id"], ["who"]])
    memory = RNG.choice([[], ["--max-memory", "1MiB"]])
    compare(f"by {key} {memory}", old.paths[left], mixed.paths[right], expected(old.rows, mixed.rows, key), "--key", ",".join(key),
            *memory)


def test_places(tables):
    """Every difference that is listed names rows and a column that differ, and the values there."""
    old, new, what = tables["old"].rows, tables["new"].rows, "places"
    left, right = tables["old"].paths["yson"], tables["new"].paths["lance"]
    found, _ = by_program(left, right, "--limit", "100000")
    listed = collections.defaultdict(set)
    for entry in found["differences"]:
        if entry["change"] == "changed":
            check(f"{what}: rows", entry["left"]["row"], entry["right"]["row"])
            listed[entry["left"]["row"]].add(entry["path"].split(".")[0].split("[")[0])
    wanted = {row: {name for name in a if not same(a[name], b[name])} for row, (a, b) in enumerate(zip(old, new))}
    check(f"{what}: places", dict(listed), {row: names for row, names in wanted.items() if names})


def test_module(tables):
    left, right = tables["old"].paths["skiff"], tables["new"].paths["vortex"]
    old, new = tables["old"].rows, tables["new"].rows
    wanted = expected(old, new, ["id"])
    for first, second in ((str(left), str(right)), (xwalk.open(left), pq.read_table(tables["new"].paths["parquet"])),
                          (left, pathlib.Path(right))):
        found = xwalk.diff(first, second, rows=True, key="id", limit=3)
        check("module", (found.added, found.removed, found.changed, found.columns, found.same, len(found.differences)),
              (wanted["added"], wanted["removed"], wanted["changed"], dict(wanted["columns"]), False, 3))
        for text in (found.to_text(), found.to_html(), found.to_markdown(), found.to_junit(), found.to_github(), repr(found)):
            check("module: form", bool(text), True)
    check("module: alike", xwalk.diff(left, left, rows=True).same, True)
    for options in ({"rows": True, "key": ["nothing"]}, {"key": "id"}):
        with pytest.raises(xwalk.UsageError):
            xwalk.diff(left, right, **options)


def test_tolerance(tmp_path):
    folder = tmp_path
    values = [(1.0, 1.0 + 1e-12), (1e12, 1e12 + 1), (0.0, -0.0), (math.inf, -math.inf), (math.nan, 1.0), (0.0, 1e-10),
              (math.nan, -math.nan), (1.0, 1.1)]
    for side, name in enumerate(("l", "r")):
        pq.write_table(pa.table({"f": [pair[side] for pair in values], "x": [[pair[side]] for pair in values]}),
                       folder / f"{name}.parquet")
    for given, wanted in ((None, 7), ("0", 6), ("1e-9", 3)):
        options = [] if given is None else ["--tolerance", given]
        found, _ = by_program(folder / "l.parquet", folder / "r.parquet", *options)
        check(f"tolerance {given}", [found["changed"], *(entry["changed"] for entry in found["columns"])], [wanted] * 3)


def test_types(tmp_path):
    """Columns of other types, and those of one side."""
    folder = tmp_path
    left = pa.table({"id": [1, 2, 3], "n": pa.array([1, 2, 300], pa.int64()), "gone": [1, 2, 3], "b": ["x", "y", "z"],
                     "s": [{"a": 1, "b": 2}] * 3, "odd": [1, 2, 3],
                     "at": pa.array([1, 2, 3], pa.timestamp("s", "UTC"))})
    right = pa.table({"id": pa.array([1, 2, 3], pa.int16()), "n": pa.array([1, 2, 44], pa.int8()),
                      "b": pa.array([b"x", b"y", b"\xff"]), "s": [{"a": 1, "c": 2}] * 3, "odd": [[1], [2], [3]],
                      "at": pa.array([10**9, 2 * 10**9, 3 * 10**9 + 1], pa.timestamp("ns", "UTC")), "come": [1, 2, 3]})
    pq.write_table(left, folder / "t1.parquet")
    pq.write_table(right, folder / "t2.parquet")
    for options in ([], ["--key", "id"], ["--key", "b"]):
        found, code = by_program(folder / "t1.parquet", folder / "t2.parquet", *options)
        check("types: code", code, 1)
        check("types: not compared", sorted((entry["path"], "left" in entry, "right" in entry)
                                            for entry in found["not_compared"]),
              [("come", False, True), ("gone", True, False), ("odd", True, True), ("s.b", True, False),
               ("s.c", False, True)])
        if options != ["--key", "b"]:
            check("types: columns", {entry["name"]: entry["changed"] for entry in found["columns"]},
                  {"n": 1, "b": 1, "at": 1})
