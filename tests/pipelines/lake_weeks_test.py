"""Weeks of tables of YTsaurus in tables of Iceberg and Delta: a new column, a week that comes again, and one that was killed. pyiceberg and
deltalake read every row."""
import json
import os
import random
import signal
import subprocess

import pytest

from tests import harness

with harness.skip_if_missing():
    import deltalake
    import pyarrow as pa
    import sqlalchemy  # noqa: F401: pyiceberg keeps catalogs in SQLite with it
    from pyiceberg.catalog.sql import SqlCatalog

harness.needs("xwalk-engine-iceberg", "xwalk-engine-delta", "libxwalk_parquet.so")

FOLDER = harness.make_folder("lake-weeks")
PROPERTIES = {"uri": f"sqlite:///{FOLDER}/catalog.db", "warehouse": f"file://{FOLDER}/warehouse"}
ENVIRONMENT = {**os.environ, "HOME": str(FOLDER), **{f"PYICEBERG_CATALOG__LAKE__{name.upper()}": value for name, value in PROPERTIES.items()}}

#: Columns of the tables: type_v3, and values as YSON and as readers of tables give them.
TABLES = {
    "orders": [("item", "utf8", lambda r: r.choice(["", "lamp", "žluť", 'a"b'])), ("count", "uint32", lambda r: r.choice([0, 2**32 - 1])),
               ("tags", "{type_name=list;item={type_name=optional;item=int16}}", lambda r: [r.choice([None, -2**15, 7]) for _ in range(r.randrange(3))])],
    "events": [("kind", "{type_name=optional;item=int8}", lambda r: r.choice([None, -128, 127])), ("ok", "bool", lambda r: r.random() < 0.5),
               ("place", "{type_name=struct;members=[{name=x;type=double};{name=y;type={type_name=optional;item=utf8}}]}",
                lambda r: {"x": r.choice([0.5, -1e300]), "y": r.choice([None, "z"])})],
}
NEW = ("note", "{type_name=optional;item=utf8}", lambda r: r.choice([None, "new"]))


def yson(value, kind):
    """A value as text."""
    if isinstance(value, bool):
        return "%true" if value else "%false"
    if value is None:
        return "#"
    if isinstance(value, dict):
        return "{" + ";".join(f"{name}={yson(item, '')}" for name, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ";".join(yson(item, "") for item in value) + "]"
    return json.dumps(value, ensure_ascii=False) + ("u" if kind.startswith("uint") else "")


def week(rng, name, number, columns, size):
    """Writes the rows of a week; returns its file and the rows."""
    rows = [{"id": 1000 * number + at, **{column: draw(rng) for column, _, draw in columns}} for at in range(size)]
    source = harness.write(FOLDER / f"{name}-w{number}.yson", "\n".join(
        "{" + ";".join([f"id={row['id']}", *(f"{column}={yson(row[column], kind)}" for column, kind, _ in columns)]) + "};" for row in rows))
    kinds = [("id", "int64"), *((column, kind) for column, kind, _ in columns)]
    harness.write(FOLDER / f"{source.name}.schema", "[" + ";".join(f"{{name={column};type_v3={kind}}}" for column, kind in kinds) + "]")
    return source, rows


def rows_in(catalog, table):
    found = catalog.load_table(table.partition("://lake/")[2]).scan().to_arrow() if "://" in table else pa.table(deltalake.DeltaTable(table).scan())
    return sorted(found.to_pylist(), key=lambda row: row["id"])


def run(*words, code=0):
    return harness.run(*words, env=ENVIRONMENT, code=code)


@pytest.fixture(scope="module")
def catalog():
    made = SqlCatalog("lake", **PROPERTIES)
    made.create_namespace("shop")
    return made


@pytest.mark.parametrize("system", ["iceberg", "delta"])
def test_weeks(catalog, system):
    rng, wanted = random.Random(system), {}
    for name, columns in TABLES.items():
        table = f"iceberg://lake/shop.{name}" if system == "iceberg" else str(FOLDER / f"{name}.delta")
        first, rows = week(rng, name, 1, columns, 20)
        run("convert", first, table, "--mode", "append")
        wanted[table] = [{**row, NEW[0]: None} for row in rows]
        second, rows = week(rng, name, 2, [*columns, NEW], 10)
        assert "no such column" in run("convert", second, table, "--mode", "append", code=4).stderr
        assert "member.added" in run("check", second, "--append", table, "--evolve").stdout
        # Killed at some time: the week is there or not.
        command = [harness.PROGRAM, "convert", second, table, "--mode", "append", "--evolve"]
        process = subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        try:
            process.wait(rng.uniform(0.2, 2))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
        process.wait()
        assert len(rows_in(catalog, table)) in (20, 30)
        again = run(*command[1:], code=(0, 74)).stderr
        assert "were added before" in again or len(rows_in(catalog, table)) == 30, again
        wanted[table] += rows
        for repeated in (first, second):
            assert "were added before" in run("convert", repeated, table, "--mode", "append", code=74).stderr
            assert "were added before" in run("check", repeated, "--append", table, code=74).stderr
    for table, rows in wanted.items():
        assert rows_in(catalog, table) == rows
