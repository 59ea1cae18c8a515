"""Tables of Delta and Iceberg: random schemas and rows of every type, in both directions, with the guarantees of `trip.py`.

DuckDB's extensions read what xwalk writes. They share no code with the packages that xwalk asks to write, deltalake and pyiceberg.
"""
import atexit
import functools
import os
import pathlib
import subprocess

import pyarrow as pa
import pytest

import arrow_tables
import engine_host
import interfaces
import trip
import yt_tables
from tests import harness

TRIPS = 24
ROWS, COLUMNS = 8, 8
SYSTEMS = ("delta", "iceberg")
READERS = harness.DEPS / "readers-venv" / "bin" / "python"

#: Prints the rows of each table that a line names, as Arrow streams with their sizes before them.
DUCKDB = """
import glob, importlib.util, os, sys
import duckdb, pyarrow
connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 1})
for name in ("delta", "avro", "iceberg"):
    found = importlib.util.find_spec(f"duckdb_extension_{name}")
    [extension] = glob.glob(os.path.join(os.path.dirname(found.origin), "extensions", "*", f"{name}.duckdb_extension"))
    connection.execute(f"LOAD '{extension}'")
connection.execute("SET TimeZone = 'UTC'")
# Views of a type that tables of Arrow know.
connection.execute("SET arrow_lossless_conversion = true")
for line in sys.stdin:
    function, path = line.rstrip("\\n").split(" ", 1)
    try:
        table = connection.sql(f"select * from {function}('{path}')").to_arrow_table()
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        data = sink.getvalue().to_pybytes()
        sys.stdout.buffer.write(b"%d\\n" % len(data) + data)
    except Exception as error:
        text = f"{type(error).__name__}: {error}".encode()
        sys.stdout.buffer.write(b"-%d\\n" % len(text) + text)
    sys.stdout.buffer.flush()
"""


class Refused(Exception):
    """What DuckDB says about a table that it does not read."""


@functools.cache
def reader():
    """A process that reads tables, or None if DuckDB's extensions are not installed."""
    names = [f"duckdb_extension_{name}" for name in SYSTEMS] + ["duckdb_extension_avro"]
    test = f"import importlib.util as i; assert all(map(i.find_spec, {names}))"
    if not READERS.exists() or subprocess.run([READERS, "-c", test], capture_output=True).returncode:
        return None
    process = subprocess.Popen([READERS, "-c", DUCKDB], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(process.kill)
    return process


def read(system, path):
    """The rows of a table as DuckDB reads them."""
    place = current_metadata(path) if system == "iceberg" else path
    process = reader()
    process.stdin.write(f"{system}_scan {place}\n".encode())
    process.stdin.flush()
    size = int(process.stdout.readline())
    data = process.stdout.read(abs(size))
    if size < 0:
        raise Refused(data.decode(errors="replace"))
    return pa.ipc.open_stream(data).read_all()


def name_of(path):
    """The table of Iceberg that a path stands for: all are in one catalog, whose place pyiceberg reads once."""
    return f"n.{path.parent.name.replace('-', '_')}_{path.stem}"


def current_metadata(path):
    """The newest metadata of a table: their names begin with a number."""
    return max(CATALOG.joinpath("warehouse", *name_of(path).split("."), "metadata").glob("*.metadata.json"))


class Program(interfaces.Program):
    """`xwalk`, with the table of a catalog for the path of one of Iceberg."""

    def __init__(self, xwalk):
        super().__init__(harness.PROGRAM)
        self.asked = xwalk.asked

    def run(self, *words):
        words = [f"iceberg://lake/{name_of(word)}" if isinstance(word, pathlib.Path) and word.suffix == ".iceberg" else str(word)
                 for word in words]
        self.asked.append(words)
        return super().run(*words)


CATALOG = pathlib.Path(harness.make_folder("truth-lakes"))


def prepare(_trips):
    """Makes a catalog in SQLite, with one namespace, and starts the host of the engines."""
    if reader() is None:
        pytest.skip("DuckDB's extensions for tables are not installed (tools/setup.sh readers)")
    properties = {"uri": f"sqlite:///{CATALOG}/catalog.db", "warehouse": f"file://{CATALOG}/warehouse"}
    for name, value in properties.items():
        os.environ[f"PYICEBERG_CATALOG__LAKE__{name.upper()}"] = value
    os.environ["PYICEBERG_HOME"] = str(CATALOG)
    # It reads the environment when it is imported.
    from pyiceberg.catalog.sql import SqlCatalog

    SqlCatalog("lake", **properties).create_namespace("n")
    os.environ["XWALK_PYTHON"] = engine_host.started(
        ("pyarrow", "pyarrow.compute", "deltalake", "sqlalchemy", "pyiceberg.catalog.sql", "pyiceberg.io.pyarrow"))


def with_columns_that_go(program, system, source, target):
    """Leaves out the columns that a system of tables does not have, and of names that differ only in case all but one, which DuckDB gives
    other names. Returns None without a column."""
    report = program.check(system, source, target, {}).report
    lost = {trip.first_step(path["path"]) for path in report["paths"] if path["values"] == "none" and path["path"]}
    names = trip.read(system, source).names
    kept = list({name.casefold(): name for name in names if name not in lost}.values())
    if not kept:
        return None
    if kept == names:
        return source
    smaller = source.with_name(f"smaller{source.suffix}")
    if system == "yt":
        yt_tables.without(source, smaller, kept)
    else:
        arrow_tables.without(system, source, smaller, kept)
    return smaller


def go(rng, xwalk, folder):
    target = rng.choice(SYSTEMS)
    system = rng.choice(["arrow", "parquet", "yt"])
    source, program = folder / f"source.{trip.EXTENSION[system]}", Program(xwalk)
    if system == "yt":
        yt_tables.make(rng, source, COLUMNS, ROWS)
    else:
        arrow_tables.make(rng, system, source, COLUMNS, ROWS)
    try:
        trip.read(system, source)
    except Exception:  # noqa: BLE001: the package does not read what it wrote
        return "not readable by its own package"
    source = with_columns_that_go(program, system, source, target)
    if source is None:
        return f"{target}: no column goes there"
    return f"{target}: {trip.there_and_back(program, system, source, target, folder, {}, (source, trip.read(system, source)))}"


trip.EXTENSION.update({system: system for system in SYSTEMS})
trip.READERS.update({system: functools.partial(read, system) for system in SYSTEMS})
