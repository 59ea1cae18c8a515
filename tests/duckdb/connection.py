"""What the tests of the DuckDB extension share."""

import os

from tests import harness

with harness.skip_if_missing():
    import duckdb

EXTENSION = harness.needs("xwalk.duckdb_extension")
DEPS, BUILD = harness.DEPS, harness.BUILD
FOLDER = harness.make_folder("duckdb")
os.environ.setdefault("XWALK_PYTHON", str(DEPS / "venv" / "bin" / "python"))


def connect(path: str = ":memory:", **config: str) -> duckdb.DuckDBPyConnection:
    """Opens a database with the extension in it."""
    connection = duckdb.connect(path, config={"allow_unsigned_extensions": "true", **config})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


def write(name: str, text: str | bytes) -> str:
    """Writes a file of the test and returns its path."""
    return str(harness.write(FOLDER / name, text))
