"""The DuckDB extension of the package."""

from __future__ import annotations

import os

from ._errors import UnsupportedError


def duckdb_extension() -> str:
    """Returns the path of the DuckDB extension, one file for DuckDB 1.5.6 and later.

    DuckDB has not signed it, so the connection must allow unsigned extensions:

        connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        connection.load_extension(xwalk.duckdb_extension())
        connection.sql("FROM 'rows.yson'")

    Raises UnsupportedError if the package was built without it.
    """
    package = os.path.dirname(os.path.abspath(__file__))
    # In a build tree it is next to the program.
    for folder in (package, os.path.dirname(os.path.dirname(package))):
        path = os.path.join(folder, "xwalk.duckdb_extension")
        if os.path.exists(path):
            return path
    raise UnsupportedError("the DuckDB extension is not in this package\n"
                           "  The wheels of make dist have it; in a clone, make duckdb builds it.")
