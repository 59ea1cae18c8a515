"""Rows of Iceberg tables in both directions. Iceberg's own library in Java reads what xwalk writes, with the counts and bounds of each
data file; pyiceberg writes what xwalk reads, with renamed and dropped columns, versions, and files without field ids."""
import datetime
import decimal
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import uuid

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq
    import sqlalchemy  # noqa: F401: pyiceberg keeps catalogs in SQLite with it
    from pyiceberg.catalog.sql import SqlCatalog
    from pyiceberg.schema import Schema
    from pyiceberg.types import LongType, NestedField, StringType

from tests.random_tables import random_table, repeated_keys, stored_as_others  # noqa: E402

harness.needs("xwalk-engine-iceberg", "libxwalk_parquet.so")

FOLDER = pathlib.Path(harness.make_folder("iceberg-rows"))
HOME = FOLDER / "home"
WAREHOUSE = FOLDER / "warehouse"
ENVIRONMENT = {**os.environ, "HOME": str(HOME), "PYICEBERG_CATALOG__C__URI": f"sqlite:///{FOLDER}/catalog.db",
               "PYICEBERG_CATALOG__C__WAREHOUSE": f"file://{WAREHOUSE}"}
JARS = harness.DEPS / "iceberg-java"
CLASSES = harness.BUILD / "tests" / "iceberg-java"
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)


def run(*words, **options):
    return harness.run(*words, env=options.pop("env", ENVIRONMENT), **options)


@pytest.fixture(scope="module")
def catalog():
    HOME.mkdir()
    WAREHOUSE.mkdir()
    made = SqlCatalog("c", uri=ENVIRONMENT["PYICEBERG_CATALOG__C__URI"], warehouse=ENVIRONMENT["PYICEBERG_CATALOG__C__WAREHOUSE"])
    made.create_namespace("n")
    return made


@pytest.fixture(scope="module")
def java():
    """Returns a function that reads a table in Java: its rows, and what the manifests say about its files."""
    if not JARS.exists() or shutil.which("javac") is None:
        pytest.skip("Iceberg's Java classes are not installed (tools/setup.sh test)")
    jars = ":".join(map(str, sorted(JARS.glob("*.jar"))))
    subprocess.run(["javac", "-d", CLASSES, "-cp", jars, pathlib.Path(__file__).parent / "java" / "IcebergRows.java"], check=True)

    def read(path):
        done = subprocess.run(["java", *harness.SHORT_JAVA, "-cp", f"{CLASSES}:{jars}", "IcebergRows", str(path)],
                              capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr[-2000:]
        lines = [line.partition(" ") for line in done.stdout.splitlines()]
        return [json.loads(text) for word, _, text in lines if word == "row"], [json.loads(text) for word, _, text in lines if word == "file"]

    return read


# --- values ---------------------------------------------------------------------------------------


def times(values, unit):
    return [None if value is None else value * unit for value in values]


#: By type: a random value as Arrow takes it.
TYPES = {
    "bool": (pa.bool_(), lambda r: r.random() < 0.5),
    "int": (pa.int32(), lambda r: r.choice([-2**31, 2**31 - 1, r.randrange(-9, 9)])),
    "long": (pa.int64(), lambda r: r.choice([-2**63, 2**63 - 1, r.randrange(-9, 9)])),
    "float": (pa.float32(), lambda r: r.choice([math.nan, math.inf, -math.inf, 0.0, r.randrange(-99, 99) / 4])),
    "double": (pa.float64(), lambda r: r.choice([math.nan, 1e300, -1e-300, 0.0, r.uniform(-1, 1)])),
    "small_decimal": (pa.decimal128(9, 2), lambda r: decimal.Decimal(r.randrange(-10**9 + 1, 10**9)).scaleb(-2)),
    "decimal": (pa.decimal128(18, 3), lambda r: decimal.Decimal(r.randrange(-10**18 + 1, 10**18)).scaleb(-3)),
    "large_decimal": (pa.decimal128(38, 10), lambda r: decimal.Decimal((r.randrange(2), tuple(r.randrange(10) for _ in range(38)), -10))),
    "date": (pa.date32(), lambda r: datetime.date(1970, 1, 1) + datetime.timedelta(days=r.randrange(-99999, 99999))),
    "time": (pa.time64("us"), lambda r: (EPOCH + datetime.timedelta(microseconds=r.randrange(86400 * 10**6))).time()),
    "timestamp": (pa.timestamp("us"), lambda r: EPOCH + datetime.timedelta(microseconds=r.randrange(-10**16, 10**16))),
    "timestamptz": (pa.timestamp("us", "UTC"), lambda r: EPOCH.replace(tzinfo=UTC) + datetime.timedelta(microseconds=r.randrange(-10**16, 10**16))),
    "string": (pa.string(), lambda r: r.choice(["", "žluťoučký kůň", "x" * 40, "\U0010ffff" * 20, str(r.random())])),
    "binary": (pa.binary(), lambda r: bytes(r.choices(range(256), k=r.choice([0, 3, 40])))),
    "fixed": (pa.binary(5), lambda r: bytes(r.choices(range(256), k=5))),
    "uuid": (pa.uuid(), lambda r: uuid.UUID(int=r.getrandbits(128)).bytes),
}


def shown(value, kind):
    """Returns a value of Arrow as the Java program shows it."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(str(value), value)
    if isinstance(value, datetime.datetime) and value.tzinfo:
        return value.astimezone(UTC)
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, bytes):
        return "x" + value.hex()
    if pa.types.is_list(kind):
        return [shown(one, kind.value_type) for one in value]
    if pa.types.is_struct(kind):
        return [shown(value[field.name], field.type) for field in kind]
    if pa.types.is_map(kind):
        return sorted(([key, shown(one, kind.item_type)] for key, one in value), key=str)
    return value


def java_value(text, kind):
    """Returns what the Java program shows, as the same kind of value."""
    if text is None:
        return None
    if pa.types.is_list(kind):
        return [java_value(one, kind.value_type) for one in text]
    if pa.types.is_struct(kind):
        return [java_value(one, field.type) for one, field in zip(text, kind)]
    if pa.types.is_map(kind):
        return sorted(([key, java_value(one, kind.item_type)] for key, one in text), key=str)
    if pa.types.is_floating(kind) and text not in ("NaN", "Infinity", "-Infinity"):
        return float(pa.scalar(float(text), kind).as_py())
    if pa.types.is_decimal(kind):
        return decimal.Decimal(text)
    if pa.types.is_date(kind):
        return datetime.date.fromisoformat(text)
    if pa.types.is_time(kind):
        return datetime.time.fromisoformat(text[:15])
    if pa.types.is_timestamp(kind):
        return datetime.datetime.fromisoformat(text[:26].rstrip("Z")).replace(tzinfo=UTC if kind.tz else None)
    return text


def as_java(table):
    def one(value, kind):
        out = shown(value, kind)
        return sorted(out, key=str) if pa.types.is_map(kind) and out is not None else out

    return [[one(value, field.type) for value, field in zip(row.values(), table.schema)] for row in table.to_pylist(maps_as_pydicts=None)]


@pytest.mark.parametrize("seed", harness.sample(range(30), 2))
def test_every_type_there_and_back(seed, java, catalog):
    rows = random_table(TYPES, seed, below={name: kind for name, kind in TYPES.items() if name != "uuid"})
    source, table = FOLDER / f"every{seed}.parquet", FOLDER / f"every{seed}.iceberg"
    pq.write_table(rows, source)
    run("convert", source, table, "--verify")
    found, files = java(table)
    expected = as_java(rows)
    for column, field in enumerate(rows.schema):
        got = [java_value(row[column], field.type) for row in found]
        assert str(got) == str([row[column] for row in expected]), field
    check_metrics(rows, files)
    back = FOLDER / f"every{seed}.back.parquet"
    run("convert", table, back)
    run("diff", "--rows", source, back)
    assert str(pq.read_table(back).to_pydict()) == str(rows.to_pydict())
    # The same by pyiceberg and its catalog.
    run("convert", source, f"iceberg://c/n.every{seed}")
    flat = [field.name for field in rows.schema if not pa.types.is_nested(field.type)]  # it makes null lists of structs empty
    assert str(catalog.load_table(f"n.every{seed}").scan().to_arrow().select(flat).to_pydict()) == str(rows.select(flat).to_pydict())


def check_metrics(rows, files):
    """Compares the counts and bounds of the only data file with the rows: bounds enclose the values, and are exact for all but long
    text and bytes."""
    assert len(files) == 1 and files[0]["rows"] == len(rows)
    nulls, nans, values, lower, upper = (dict(files[0][key] or []) for key in ("nulls", "nans", "values", "lower", "upper"))
    for number, field in enumerate(rows.schema, 1):
        if pa.types.is_nested(field.type):
            continue
        column = rows[field.name].to_pylist()
        kept = [value for value in column if value is not None and not (isinstance(value, float) and math.isnan(value))]
        assert nulls[number] == column.count(None) and values[number] == len(column), field
        if pa.types.is_floating(field.type):
            assert nans[number] == sum(isinstance(value, float) and math.isnan(value) for value in column), field
        if not kept or (number not in lower and pa.types.is_binary(field.type)):
            continue
        low, high = ((bound[number] if number in bound else None) for bound in (lower, upper))
        if pa.types.is_floating(field.type) and len(kept) + column.count(None) < len(column) and low is None:
            continue  # a file with NaN has no bounds, which readers take for unknown
        assert low is not None, field
        if pa.types.is_string(field.type):
            assert low <= min(kept) and min(kept).startswith(low) and (high is None or high >= max(kept)), field
        elif pa.types.is_binary(field.type):
            assert min(kept).hex().startswith(low[1:]) and (high is None or bytes.fromhex(high[1:]) >= max(kept)), field
        elif pa.types.is_decimal(field.type):
            assert (decimal.Decimal(low), decimal.Decimal(high)) == (min(kept), max(kept)), field
        elif pa.types.is_integer(field.type) or pa.types.is_boolean(field.type):
            assert (low, high) == (min(kept), max(kept)), field
        elif pa.types.is_floating(field.type):
            assert float(low) <= min(kept) and float(high) >= max(kept), field


# --- tables ---------------------------------------------------------------------------------------


def rows_of(*words, **options):
    return [json.loads(line) for line in run("head", *words, "-n", "1000", "--as", "json", **options).stdout.splitlines()]


def test_modes_and_versions(catalog):
    first, second = (harness.write(FOLDER / f"{name}.json", text) for name, text in
                     (("first", '{"id":1,"s":"a"}\n{"id":2,"s":"b"}\n'), ("second", '{"id":3,"s":"c"}\n')))
    for name in ("iceberg://c/n.modes", FOLDER / "modes.iceberg"):
        run("convert", first, name)
        assert "already exists" in run("convert", first, name, code=(2, 74)).stderr
        began = datetime.datetime.now(UTC)
        time.sleep(0.05)
        run("convert", second, name, "--mode", "append")
        assert sorted(row["id"] for row in rows_of(name)) == [1, 2, 3]
        assert sorted(row["id"] for row in rows_of(name, "--version", began.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))) == [1, 2]
        done = run("convert", first, name, "--mode", "overwrite", "--verify")
        assert "verified" in done.stderr + done.stdout
        assert sorted(row["id"] for row in rows_of(name)) == [1, 2]
        assert run("convert", harness.write(FOLDER / "wide.json", '{"id":1,"s":"a","more":2}\n'), name, "--mode", "append", code=4).stderr
        assert '"5"' in run("head", name, "--version", "5", code=2).stderr
    table = catalog.load_table("n.modes")
    snapshots = [one.snapshot_id for one in table.snapshots()]
    assert len(snapshots) == 3, "each conversion is one snapshot"
    table.manage_snapshots().create_tag(snapshots[1], "both").create_branch(snapshots[0], "early").commit()
    for version, ids in ((str(snapshots[1]), [1, 2, 3]), ("both", [1, 2, 3]), ("early", [1, 2]), ("main", [1, 2])):
        assert sorted(row["id"] for row in rows_of("iceberg://c/n.modes", "--version", version)) == ids, version
    known = run("head", "iceberg://c/n.modes", "--version", "none", code=2).stderr
    assert all(name in known for name in ("both", "early", "main", *map(str, snapshots))), known
    assert rows_of(table.metadata_location.removeprefix("file://")) == rows_of("iceberg://c/n.modes")
    assert "belongs to a catalog" in run("convert", first, WAREHOUSE / "n" / "modes", "--mode", "append", code=None).stderr


def test_no_rows(catalog):
    empty = FOLDER / "empty.parquet"
    pq.write_table(pa.table({"id": pa.array([], pa.int64())}), empty)
    for name in ("iceberg://c/n.empty", FOLDER / "empty.iceberg"):
        run("convert", empty, name)
        assert rows_of(name) == []
        run("verify", empty, name)
        assert "rows        0" in run("info", name).stdout


def test_changed_columns(catalog):
    """Files of several schemas: what was renamed keeps its values, what was dropped does not come back, what is new is null."""
    table = catalog.create_table("n.changed", Schema(NestedField(1, "a", StringType()), NestedField(2, "b", LongType())))
    table.append(pa.table({"a": ["x"], "b": pa.array([1], pa.int64())}))
    with table.update_schema() as update:
        update.rename_column("b", "c")
        update.delete_column("a")
    with table.update_schema() as update:
        update.add_column("b", LongType())
        update.add_column("a", StringType())
    assert rows_of("iceberg://c/n.changed") == [{"c": 1, "b": None, "a": None}]
    run("convert", harness.write(FOLDER / "later.json", '{"c":2,"b":3,"a":"y"}\n'), "iceberg://c/n.changed", "--mode", "append")
    assert sorted(map(str, rows_of("iceberg://c/n.changed", "--select", "b,a"))) == sorted(map(str, [{"b": None, "a": None}, {"b": 3, "a": "y"}]))
    first = str(table.snapshots()[0].snapshot_id)
    assert rows_of("iceberg://c/n.changed", "--version", first) == [{"a": "x", "b": 1}]


def test_new_columns(java, catalog):
    """Rows with columns that a table does not have: the table gets them in the same commit, with ids of its own."""
    first = harness.write(FOLDER / "before.json", '{"id":1,"s":{"a":1}}\n')
    more = FOLDER / "more.parquet"
    pq.write_table(pa.table({"id": pa.array([2.0]), "s": pa.array([{"a": 2}], pa.struct([("a", pa.int64())])),
                             "tags": pa.array([[{"k": "a", "v": 1}, None]], pa.list_(pa.struct([("k", pa.string()), ("v", pa.int32())]))),
                             "day.x": pa.array([datetime.date(2026, 3, 1)])}), more)
    for name in ("iceberg://c/n.evolved", FOLDER / "evolved.iceberg"):
        run("convert", first, name)
        assert "add it with --evolve" in run("convert", more, name, "--mode", "append", code=4).stderr
        done = run("convert", more, name, "--mode", "append", "--evolve")
        assert "tags: a new column: null in the rows of before" in done.stderr
        rows = sorted(rows_of(name), key=lambda row: row["id"])
        assert rows[0] == {"id": 1.0, "s": {"a": 1.0}, "tags": None, "day.x": None}
        assert (rows[1]["tags"], rows[1]["day.x"]) == ([{"k": "a", "v": 1}, None], "2026-03-01")
        run("verify", more, name, code=None)
    table = catalog.load_table("n.evolved")
    assert len(table.snapshots()) == 2 and [field.field_id for field in table.schema().fields] == [1, 2, 4, 8]
    assert not any(field.required for field in table.schema().fields)


def test_wider_columns(java, catalog):
    """Rows with wider types: the table gets those that Iceberg allows, and files of before are read as them. Others keep their type."""
    D = decimal.Decimal
    old = pa.table({"i": pa.array([1, None], pa.int32()), "f": pa.array([1.5, None], pa.float32()), "d": pa.array([D("1.25"), None], pa.decimal128(9, 2)),
                    "scale": pa.array([D("1.2"), None], pa.decimal128(9, 1)), "day": pa.array([datetime.date(2026, 3, 1), None]), "n": [7, 8]})
    new = pa.table({"i": pa.array([2**40], pa.int64()), "f": pa.array([1e300], pa.float64()), "d": pa.array([D("12345678901.25")], pa.decimal128(13, 2)),
                    "scale": pa.array([D("2.0")], pa.decimal128(10, 1)), "day": pa.array([datetime.date(2026, 3, 2)]), "n": pa.array([9], pa.int32()),
                    "more": ["x"]})
    first, second = FOLDER / "narrow.parquet", FOLDER / "wide.parquet"
    pq.write_table(old, first)
    pq.write_table(new.drop_columns(["more"]), second)
    wanted = [{"i": 1, "f": 1.5, "d": D("1.25"), "scale": D("1.2"), "day": datetime.date(2026, 3, 1), "n": 7},
              {"i": None, "f": None, "d": None, "scale": None, "day": None, "n": 8},
              {"i": 2**40, "f": 1e300, "d": D("12345678901.25"), "scale": D("2.0"), "day": datetime.date(2026, 3, 2), "n": 9}]
    for name in ("iceberg://c/n.wider", FOLDER / "wider.iceberg"):
        run("convert", first, name)
        # Without the option, values have to fit.
        assert run("convert", second, name, "--mode", "append", code=3)
        told = run("check", second, "--append", name, "--evolve").stdout
        for note in ("i: long instead of int", "f: double instead of float", "d: decimal(13, 2) instead of decimal(9, 2)",
                     "scale: decimal(10, 1) instead of decimal(9, 1)"):
            assert note in " ".join(told.split()), told
        done = run("convert", second, name, "--mode", "append", "--evolve")
        assert "i: long instead of int" in done.stderr and "readers with the old schema" in done.stderr and " n: " not in done.stderr
        assert "were added before" in run("convert", second, name, "--mode", "append", "--evolve", code=74).stderr
        # A wider type and a new column in one commit.
        pq.write_table(new.slice(0, 0), FOLDER / "more-columns.parquet")
        run("convert", FOLDER / "more-columns.parquet", name, "--mode", "append", "--evolve")
        read = pa.table(__import__("pyarrow").ipc.open_stream(run("convert", name, "-", "--to", "arrow-stream", text=False).stdout).read_all())
        assert sorted(read.drop_columns(["more"]).to_pylist(), key=lambda row: row["n"]) == wanted
    table = catalog.load_table("n.wider")
    assert [(field.field_id, str(field.field_type)) for field in table.schema().fields] == [
        (1, "long"), (2, "double"), (3, "decimal(13, 2)"), (4, "decimal(10, 1)"), (5, "date"), (6, "long"), (7, "string")]
    assert sorted(table.scan().to_arrow().drop_columns(["more"]).to_pylist(), key=lambda row: row["n"]) == wanted
    # Bounds of files of before are those of the narrower type.
    for which, expected in ("i = 1", [7]), ("i > 5", [9]), ("d < 2", [7]), ("f > 2", [9]):
        assert table.scan(which).to_arrow().column("n").to_pylist() == expected
    assert len(table.snapshots()) == 3
    assert len(java(FOLDER / "wider.iceberg")[0]) == 3


def test_data_files(catalog):
    """xwalk reads files with the columns of the table and names the one that is damaged; with deletes, by pyiceberg."""
    rows = pa.table({"id": list(range(2000)), "s": [None if i % 3 == 0 else str(i * 7919) for i in range(2000)]})
    table = catalog.create_table("n.several", Schema(NestedField(1, "id", LongType()), NestedField(2, "s", StringType())))
    for first in (0, 1000):
        table.append(rows.slice(first, 1000))
    out = FOLDER / "several.parquet"
    place = WAREHOUSE / "n" / "several"
    by_id = lambda found: found.sort_by("id").to_pydict()  # noqa: E731
    for name in ("iceberg://c/n.several", place):
        run("convert", name, out, "--mode", "overwrite", "--verify")
        assert by_id(pq.read_table(out)) == rows.to_pydict()
        run("convert", name, out, "--mode", "overwrite", "--limit", "1500", "--select", "id")
        assert pq.read_table(out).column_names == ["id"] and len(set(pq.read_table(out)["id"].to_pylist())) == 1500
    run("convert", place, out, "--mode", "overwrite", "--version", str(table.snapshots()[0].snapshot_id))
    assert by_id(pq.read_table(out)) == rows.slice(0, 1000).to_pydict()
    damaged = max(one.file.file_path for one in table.scan().plan_files()).removeprefix("file://")
    begin = pq.read_metadata(damaged).row_group(0).column(0).data_page_offset
    whole = pathlib.Path(damaged).read_bytes()
    pathlib.Path(damaged).write_bytes(whole[:begin] + b"\xff" * 100 + whole[begin + 100:])
    assert f"{damaged}: error: id: row group 0" in run("convert", place, out, "--mode", "overwrite", code=3).stderr
    pathlib.Path(damaged).write_bytes(whole)
    table.delete("id >= 10 and id < 1990")
    assert sorted(row["id"] for row in rows_of(place)) == [*range(10), *range(1990, 2000)]


def test_files_without_ids(catalog):
    """A file without ids is read by the name mapping. If one of its names was that of two columns, it is refused."""
    plain = FOLDER / "plain.parquet"
    pq.write_table(pa.table({"b": pa.array([1], pa.int64())}), plain)
    table = catalog.create_table("n.unnamed", Schema(NestedField(1, "b", LongType())))
    table.add_files([f"file://{plain}"])
    assert rows_of("iceberg://c/n.unnamed") == [{"b": 1}]
    with table.update_schema() as update:
        update.rename_column("b", "c")
    assert rows_of("iceberg://c/n.unnamed") == [{"c": 1}]
    with table.update_schema() as update:
        update.add_column("b", LongType())
    done = run("head", "iceberg://c/n.unnamed", code=4)
    assert "plain.parquet" in done.stderr and '"b" was the name of two columns' in done.stderr


def test_partitions(java, catalog):
    rows = [{"ts": datetime.datetime.fromisoformat(f"{day}T{hour:02}:00:00"), "city": city, "n": number} for number, (day, hour, city) in
            enumerate((day, hour, city) for day in ("1969-12-31", "1970-01-01", "2026-03-01") for hour in (0, 23) for city in ("a", "b", None))]
    source = FOLDER / "parts.parquet"
    pq.write_table(pa.Table.from_pylist(rows, pa.schema([("ts", pa.timestamp("us")), ("city", pa.string()), ("n", pa.int64())])), source)
    table = FOLDER / "parts.iceberg"
    run("convert", source, table, "--partition-by", "day(ts),city")
    found, files = java(table)
    assert sorted(row[2] for row in found) == list(range(len(rows)))
    assert sorted(map(str, (one["partition"] for one in files))) == sorted(str([day, city]) for day in (-1, 0, 20513) for city in ("a", "b", None))
    assert all(one["rows"] == 2 for one in files)
    run("convert", source, table, "--mode", "append-again")
    found, files = java(table)
    assert len(found) == 2 * len(rows) and len(files) == 18
    assert "partitioned by day(ts), city" in run("convert", source, table, "--mode", "append", "--partition-by", "city", code=4).stderr
    run("convert", source, "iceberg://c/n.parts", "--partition-by", "month(ts)")
    parts = catalog.load_table("n.parts").inspect.partitions().to_pylist()
    assert sorted(one["partition"]["ts_month"] for one in parts) == [-1, 0, 674]
    assert "no column" in run("convert", source, FOLDER / "never.iceberg", "--partition-by", "day(none)", code=2).stderr
    assert not (FOLDER / "never.iceberg").exists()


def test_check_is_as_convert(catalog):
    """Types that need a version of the table format that pyiceberg does not commit are in the report of the check."""
    cases = {"void": pa.nulls(1), "ns": pa.array([1], pa.timestamp("ns")), "inner": pa.array([{"t": 1}], pa.struct([("t", pa.timestamp("ns", "UTC"))]))}
    for name, column in cases.items():
        source = FOLDER / f"check-{name}.parquet"
        pq.write_table(pa.table({"id": [1], "c": column}), source)
        done = run("check", source, "--to", "iceberg", code=1)
        assert "unsupported" in done.stdout and "version 3" in " ".join(done.stdout.split()), done.stdout
        refused = run("convert", source, FOLDER / f"check-{name}.iceberg", code=4)
        assert "version 3" in refused.stderr and "c" in refused.stderr and not (FOLDER / f"check-{name}.iceberg").exists()
        run("schema", source, "--to", "iceberg")
    source = FOLDER / "check-ns.parquet"
    pq.write_table(pa.table({"c": pa.array([1000], pa.timestamp("ns"))}), source)
    run("convert", source, FOLDER / "check-cast.iceberg", "--cast", "c=timestamp", "--verify")
    harness.write(FOLDER / "any.yson.schema", "[{name=v;type=any}]")
    source = harness.write(FOLDER / "any.yson", "{v={a=1}};")
    done = run("check", source, "--to", "iceberg", code=1)
    assert "variant" in done.stdout and "--any json" in done.stdout, done.stdout
    assert "--any json" in run("convert", source, FOLDER / "check-any.iceberg", code=4).stderr
    run("convert", source, FOLDER / "check-any.iceberg", "--any", "json")


def test_far_years(java):
    """Years that Python has no dates for: the manifest has no bounds of the column."""
    days, times = [0, 3_000_000, -800_000, None], [0, 2**58, -2**58, None]
    source, table = FOLDER / "far.parquet", FOLDER / "far.iceberg"
    pq.write_table(pa.table({"id": range(4), "d": pa.array(days, pa.int32()).cast(pa.date32()), "t": pa.array(times, pa.int64()).cast(pa.timestamp("us"))}), source)
    run("convert", source, table, "--verify")
    run("verify", source, table)
    assert len(java(table)[0]) == 4


def test_repeated_append(catalog):
    """Rows of one input are added once, unless that is what the caller wants."""
    first, second = (harness.write(FOLDER / f"week{n}.json", f'{{"id":{n}}}\n') for n in (1, 2))
    names = "iceberg://c/n.weeks", FOLDER / "weeks.iceberg"
    whole = harness.sample(names, 1)
    for name in names:
        run("convert", first, name, "--mode", "append")
        run("convert", second, name, "--mode", "append")
        for source in (first, second):
            done = run("convert", source, name, "--mode", "append", code=74)
            assert "were added before, in snapshot" in done.stderr and "append-again" in done.stderr, done.stderr
        run("convert", first, name, "--mode", "append-again")
        assert sorted(row["id"] for row in rows_of(name)) == [1, 1, 2]
        if name not in whole:
            continue
        run("convert", second, name, "--mode", "overwrite")
        run("convert", first, name, "--mode", "append")
        # An input without rows is an input.
        nothing = FOLDER / "weeks-none.parquet"
        pq.write_table(pa.table({"id": pa.array([], pa.int64())}), nothing)
        run("convert", nothing, name, "--mode", "append")
        assert "were added before" in run("convert", nothing, name, "--mode", "append", code=74).stderr
        run("convert", nothing, name, "--mode", "append-again")
        assert sorted(row["id"] for row in rows_of(name)) == [1, 2]
        assert run("convert", second, name, "--mode", "append", code=74).stderr


def test_check_knows_what_append_does(catalog):
    """`check --append` gives the answer of the conversion, and changes nothing."""
    first, second = (harness.write(FOLDER / f"asked{n}.json", f'{{"id":{n},"p":"a"}}\n') for n in (1, 2))
    for name in ("iceberg://c/n.asked", FOLDER / "asked.iceberg"):
        asked = run("check", first, "--append", name)
        assert "is a new output" in asked.stdout and "output.new" in asked.stdout, asked.stdout
        run("convert", first, name, "--mode", "append")
        before = files_in(FOLDER / "asked.iceberg")
        for source, more in ((first, ()), (second, ("--partition-by", "p"))):
            checked = run("check", source, "--append", name, *more, code=None)
            converted = run("convert", source, name, "--mode", "append", *more, code=None)
            assert checked.returncode == converted.returncode != 0 and checked.stderr == converted.stderr, (checked.stderr, converted.stderr)
        run("check", second, "--append", name)
        assert files_in(FOLDER / "asked.iceberg") == before
    assert "no namespace" in run("check", first, "--append", "iceberg://c/q.asked", code=74).stderr
    # A copy, whose metadata names the folder of the other table.
    shutil.copytree(FOLDER / "asked.iceberg", FOLDER / "copied.iceberg")
    for done in (run("check", second, "--append", FOLDER / "copied.iceberg", code=4),
                 run("convert", second, FOLDER / "copied.iceberg", "--mode", "append", code=4)):
        assert "the table is a copy" in done.stderr, done.stderr
    assert files_in(FOLDER / "asked.iceberg") == before == files_in(FOLDER / "copied.iceberg")


def test_repeated_keys():
    """A key that a map has twice is a rejected row in the check and in the conversion."""
    repeated_keys(FOLDER, "iceberg")
    assert [row["id"] for row in rows_of(FOLDER / "keys.iceberg")] == [2]


def test_nanoseconds():
    """The refusal of times that need version 3 names a cast that works, and checks each time."""
    source, table = FOLDER / "nanos.parquet", FOLDER / "nanos.iceberg"
    columns = {"t": pa.array([1000, 2000], pa.timestamp("ns")), "z": pa.array([1000, 2001], pa.timestamp("ns", "UTC")),
               "l": pa.array([[1000], [3000]], pa.list_(pa.timestamp("ns")))}
    pq.write_table(pa.table(columns), source)
    casts = []
    for path, kind in (("t", "timestamp"), ("z", "timestamptz"), ("l[]", "timestamp")):
        refused = run("convert", source, table, *casts, code=4).stderr
        assert f"{path}: " in refused and f"{path}={kind}" in refused and "stores microseconds" in refused, refused
        casts += ["--cast", f"{path}={kind}"]
    assert "z: expected a whole number of us" in run("convert", source, table, *casts, code=3).stderr
    checked = run("check", source, "--to", "iceberg", *casts, "--rows", code=1)
    assert "1 would be rejected" in checked.stdout, checked.stdout
    run("convert", source, table, *casts, "--on-error", "skip", "--verify")
    assert len(rows_of(table)) == 1
    run("convert", source, table, "--mode", "overwrite", *casts, "--round", "--allow", "lossy")
    assert len(rows_of(table)) == 2


# --- what is not lost, and what is not followed ---------------------------------------------------


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) if folder.exists() else []


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed(how, exists, catalog):
    """A conversion that is killed after it has written data files leaves no snapshot and no file."""
    name = f"killed{how.value}{exists}"
    folder = WAREHOUSE / "n" / name
    schema = "[{name=k;type=int64}]"
    if exists:
        run("convert", "-", f"iceberg://c/n.{name}", "--from", "json", "--schema", schema, "--partition-by", "k", input='{"k":1}\n')
    before = files_in(folder)
    words = [harness.PROGRAM, "convert", "-", f"iceberg://c/n.{name}", "--from", "json", "--schema", schema, "--partition-by", "k",
             "--mode", "append", "--batch-rows", "64"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENVIRONMENT) as child:
        # More parts than files that are open at a time: the first ones are complete.
        line = 0
        deadline = time.monotonic() + 60
        os.set_blocking(child.stdin.fileno(), False)
        while sum(not pathlib.PurePath(name).name.startswith(".") for name in files_in(folder)) < len(before) + 3:
            assert time.monotonic() < deadline and child.poll() is None, child.stderr.read().decode()
            try:
                for _ in range(1000):
                    os.write(child.stdin.fileno(), b'{"k":%d}\n' % (line % 200))
                    line += 1
            except BlockingIOError:
                time.sleep(0.02)
        child.send_signal(how)
        child.wait(30)
    while files_in(folder) != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert files_in(folder) == before
    assert catalog.table_exists(f"n.{name}") == exists
    if exists:
        assert len(catalog.load_table(f"n.{name}").snapshots()) == 1
    run("convert", "-", f"iceberg://c/n.{name}", "--from", "json", "--schema", schema, "--mode", "append", input='{"k":7}\n')
    assert [row["k"] for row in rows_of(f"iceberg://c/n.{name}")][-1:] == [7] or exists


def test_two_writers():
    """Of two conversions that begin at one version of a folder, both add their rows, or one says that it was too slow."""
    source = harness.write(FOLDER / "race.json", '{"id":1}\n')
    table = FOLDER / "race.iceberg"
    run("convert", source, table)
    both = [subprocess.Popen([harness.PROGRAM, "convert", source, table, "--mode", "append-again"], env=ENVIRONMENT, stderr=subprocess.PIPE) for _ in range(3)]
    failed = [one for one in both if one.wait(60) != 0]
    for one in failed:
        assert b"another writer" in one.stderr.read()
    assert len(rows_of(table)) == 1 + len(both) - len(failed)
    for one in both:
        one.stderr.close()


def test_writers_of_one_input(catalog):
    """Of conversions that add one input at the same moment, one adds it: pyiceberg repeats a commit that came second."""
    first = harness.write(FOLDER / "alone.json", '{"id":1}\n')
    source = harness.write(FOLDER / "together.json", '{"id":2}\n' * 1000)
    for table in (FOLDER / "together.iceberg", "iceberg://c/n.together"):
        run("convert", first, table)
        words = [harness.PROGRAM, "convert", source, table, "--mode", "append"]
        writers = [subprocess.Popen(list(map(str, words)), env=ENVIRONMENT, stderr=subprocess.PIPE) for _ in range(3)]
        errors = [one.communicate(timeout=90)[1].decode() for one in writers]
        assert sorted(one.returncode for one in writers) == [0, 74, 74], errors
        assert all("were added before" in error for one, error in zip(writers, errors) if one.returncode), errors
        run("convert", source, table, "--mode", "append", code=74)
        assert json.loads(run("info", table, "--json").stdout)["rows"] == 1001


def test_messages(catalog):
    source = harness.write(FOLDER / "one.json", '{"id":1}\n')
    assert 'no such table' in run("head", "iceberg://c/n.nothing", code=74).stderr
    assert 'cannot open the catalog "other"' in run("head", "iceberg://other/n.t", code=None).stderr
    assert 'no namespace "q"' in run("convert", source, "iceberg://c/q.t", code=74).stderr
    assert "Iceberg" in run("head", "iceberg://c/n.modes", "--from", "parquet", code=2).stderr
    bare = FOLDER / "python"
    if not bare.exists():
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    done = run("head", "iceberg://c/n.modes", env={**ENVIRONMENT, "XWALK_PYTHON": str(bare / "bin" / "python")}, code=None)
    assert done.returncode and "pyiceberg is not installed" in done.stderr


def test_trust(catalog):
    """Neither a configuration nor a table of a stranger leads xwalk elsewhere."""
    here = FOLDER / "repository"
    here.mkdir()
    (here / ".pyiceberg.yaml").write_text(f"catalog:\n  theirs:\n    uri: sqlite:///{FOLDER}/catalog.db\n")
    for catalog_name in ("theirs", "c"):
        assert "is not read" in run("head", f"iceberg://{catalog_name}/n.modes", cwd=here, code=None).stderr
    (here / "xwalk.toml").write_text('[[convert.table]]\ninput = "iceberg://c/n.modes"\noutput = "out.parquet"\n')
    subprocess.run(["git", "init", "-q"], cwd=here, check=True)
    done = run("convert", cwd=here, code=None)
    assert done.returncode and not (here / "out.parquet").exists()
    # A table that names a file outside of its folder.
    secret = FOLDER / "secret.parquet"
    pq.write_table(pa.table({"b": pa.array([42], pa.int64())}), secret)
    table = catalog.create_table("n.far", Schema(NestedField(1, "b", LongType())))
    table.add_files([f"file://{secret}"])
    place = WAREHOUSE / "n" / "far"
    done = run("head", place, code=4)
    assert "secret.parquet" in done.stderr and "42" not in done.stdout
    assert rows_of(place, "--follow", FOLDER) == [{"b": 42}]


def test_types_that_are_stored_as_others_are_verified():
    """The proof compares what the table says: an interval is an integer there."""
    for source in stored_as_others(FOLDER):
        table = source.with_suffix(".iceberg")
        run("convert", source, table, "--verify")
        run("verify", source, table)


# --- other catalogs -------------------------------------------------------------------------------


def test_a_catalog_of_the_rest_protocol():
    """Tables of a REST catalog, whose host and token pyiceberg's own configuration has: made, added to, given a column and replaced."""
    from rest_catalog import serving

    place = FOLDER / "rest"
    place.mkdir()
    kept = SqlCatalog("kept", uri=f"sqlite:///{place}/catalog.db", warehouse=f"file://{place}/warehouse")
    kept.create_namespace("n")
    weeks = {}
    for name, rows in {"w1": {"id": [1, 2]}, "w2": {"id": [3]}, "w3": {"id": [4], "item": ["lamp"]}}.items():
        weeks[name] = place / f"{name}.parquet"
        pq.write_table(pa.table(rows), weeks[name])
    with serving(kept, "secret") as server:
        env = {**os.environ, "HOME": str(HOME), "PYICEBERG_CATALOG__R__TYPE": "rest", "PYICEBERG_CATALOG__R__URI": server.uri,
               "PYICEBERG_CATALOG__R__TOKEN": "secret", "NO_PROXY": "127.0.0.1"}
        table = "iceberg://r/n.orders"
        ask = lambda *words, **more: run(*words, env=env, **more)  # noqa: E731
        assert "no namespace" in ask("convert", weeks["w1"], "iceberg://r/other.orders", code=74).stderr
        ask("convert", weeks["w1"], table)
        assert "already exists" in ask("convert", weeks["w1"], table, code=74).stderr
        ask("convert", weeks["w2"], table, "--mode", "append")
        assert "were added before" in ask("convert", weeks["w2"], table, "--mode", "append", code=74).stderr
        assert "no such column" in ask("convert", weeks["w3"], table, "--mode", "append", code=4).stderr
        ask("convert", weeks["w3"], table, "--mode", "append", "--evolve")
        ask("convert", table, place / "back.parquet")
        wanted = [{"id": 1, "item": None}, {"id": 2, "item": None}, {"id": 3, "item": None}, {"id": 4, "item": "lamp"}]
        assert sorted(pq.read_table(place / "back.parquet").to_pylist(), key=lambda row: row["id"]) == wanted
        assert sorted(kept.load_table("n.orders").scan().to_arrow().to_pylist(), key=lambda row: row["id"]) == wanted
        ask("convert", weeks["w3"], table, "--mode", "overwrite", "--verify")
        assert kept.load_table("n.orders").scan().to_arrow().to_pylist() == wanted[3:]
        assert len(kept.load_table("n.orders").snapshots()) == 4
        assert ("POST", "/v1/namespaces/n/tables/orders") in server.asked
        wrong = {**env, "PYICEBERG_CATALOG__R__TOKEN": "other"}
        assert "no token" in run("convert", table, place / "none.parquet", env=wrong, code=74).stderr
        assert not (place / "none.parquet").exists()
