"""Tables of the types that a format has: random ones, and what tables of a lake store as other types."""
import random

import pyarrow as pa
import pyarrow.parquet as pq

from tests import harness


def nested(rng, types, depth):
    """Returns a random type and what makes its values."""
    kind = rng.choice(["list", "struct", "map"]) if depth else "leaf"
    if kind == "leaf":
        return types[rng.choice(sorted(types))]
    inner, make = nested(rng, types, depth - 1)
    if kind == "list":
        return pa.list_(inner), lambda r: [None if r.random() < 0.2 else make(r) for _ in range(r.randrange(4))]
    if kind == "struct":
        return pa.struct([("a", inner), ("b", pa.int64())]), lambda r: {"a": make(r), "b": None if r.random() < 0.3 else r.randrange(9)}
    return pa.map_(pa.string(), inner), lambda r: [(f"k{i}", make(r)) for i in range(r.randrange(3))]


def random_table(types, seed, rows=200, below=None):
    """Returns rows with a column of each type, and of lists, structs and maps of `below`, by default of all. `types` are, by name, the Arrow
    type and what makes its values. Nulls are at every level."""
    rng = random.Random(seed)
    columns, fields = [], []
    for name, (kind, make) in [*types.items(), *((f"nested{i}", nested(rng, below or types, 1 + i % 2)) for i in range(6))]:
        nullable = rng.random() < 0.7
        columns.append(pa.array([None if nullable and rng.random() < 0.3 else make(rng) for _ in range(rows)], kind))
        fields.append(pa.field(name, kind, nullable=nullable))
    return pa.table(columns, schema=pa.schema(fields))


def stored_as_others(folder):
    """Returns files with intervals, durations and times, which Delta and Iceberg store as integers."""
    rows = harness.write(folder / "intervals.yson", "{i=-5;u=7u};\n")
    harness.write(folder / "intervals.yson.schema", "[{name=i;type=interval};{name=u;type=uint64}]")
    times = folder / "durations.parquet"
    pq.write_table(pa.table({"d": pa.array([1, None], pa.duration("us")), "t": pa.array([2, 3], pa.time64("us"))}), times)
    return rows, times


def repeated_keys(folder, system):
    """Checks and converts rows to `keys.SYSTEM`, of which one has a key of a map twice and is left out; returns the file with them."""
    harness.write(folder / "keys.yson.schema", "[{name=id;type_v3=int64};{name=m;type_v3={type_name=dict;key=utf8;value=int64}}]")
    source = harness.write(folder / "keys.yson", "{id=1;m=[[a;1];[a;2]]};{id=2;m=[[a;1]]};")
    checked = harness.run("check", source, "--to", system, "--rows", code=1)
    assert "keys.duplicates" in checked.stdout and "1 would be rejected" in checked.stdout, checked.stdout
    harness.run("convert", source, folder / f"keys.{system}", "--on-error", "skip", "--verify")
    return source
