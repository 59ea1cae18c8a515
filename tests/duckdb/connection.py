"""What the tests of the DuckDB extension share."""

import pathlib
import sys
import tempfile

import duckdb

EXTENSION = pathlib.Path(sys.argv[1]).resolve()
DEPS = pathlib.Path(sys.argv[2]).resolve()
BUILD = EXTENSION.parent
_scratch = tempfile.TemporaryDirectory(prefix="xwalk-duckdb-")
FOLDER = pathlib.Path(_scratch.name)


def connect(path: str = ":memory:", **config: str) -> duckdb.DuckDBPyConnection:
    """Opens a database with the extension in it."""
    connection = duckdb.connect(path, config={"allow_unsigned_extensions": "true", **config})
    connection.execute(f"LOAD '{EXTENSION}'")
    return connection


def write(name: str, text: str | bytes) -> str:
    """Writes a file of the test and returns its path."""
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(path)
