"""Facts about files: rows, sizes, column statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from . import _xwalk
from ._errors import warn_note
from ._objects import paths_of_rows
from ._option_types import InfoOptions
from ._options import Path, counted, spelled, takes_options

if TYPE_CHECKING:
    from typing import Unpack


def _line_of(table: dict[str, Any]) -> str:
    """Returns what a table is, in one line."""
    rows = "rows not recorded" if table["rows"] is None else counted(table["rows"], "row")
    columns = sum("." not in column["path"] and "[" not in column["path"] for column in table["columns"])
    return f"{table['name']}: {table['format']}, {rows}, {counted(columns, 'column')}"


class Info:
    """Facts about an input, from its files or its rows. Unknown facts are None.

    An input of several tables has the facts of each in `tables`. Notebooks show it as a table.
    """

    __slots__ = ("_found", "_html")

    def __init__(self, found: dict[str, Any], html: str) -> None:
        self._found = found
        self._html = html

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The facts of each table, as in `to_dict`: several if the source consists of several tables."""
        tables: list[dict[str, Any]] = self._found.get("tables", [self._found])
        return tables

    @property
    def problems(self) -> list[dict[str, str]]:
        """The files that cannot be read, or do not have the schema of their table: `problem`, `subject`, `text`."""
        problems: list[dict[str, str]] = self._found.get("problems", [])
        return problems

    def _sum(self, name: str) -> int | None:
        counts: list[int | None] = [table[name] for table in self.tables]
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def rows(self) -> int | None:
        """The number of rows in all tables."""
        return self._sum("rows")

    @property
    def bytes(self) -> int | None:
        """The size of all files."""
        return self._sum("bytes")

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Each column and nested field, in the order of the schema: `path`, `type`, `nullable`, `nulls`, `min` and `max`
        (as text, only bounds if `shortened`), `distinct` (an estimate if `estimated`), `bytes` as stored, `nans` (floats that
        are NaN), and what Parquet files record of the `box` and `geometry_types` of geometries.
        With `scan`, numbers and the lengths of text and bytes have a histogram (`histogram`: `least`, `width`, `counts`),
        and values of any type are counted by kind (`kinds`, a dictionary), with their bytes (`value_bytes`).
        Those of several tables follow each other; `tables` has them separately."""
        return [column for table in self.tables for column in table["columns"]]

    def to_dict(self) -> dict[str, Any]:
        """All facts, like `xwalk info --json`."""
        return self._found

    def __repr__(self) -> str:
        if "tables" not in self._found:
            return f"<xwalk.Info {_line_of(self._found)}>"
        rows = "rows not recorded" if self.rows is None else counted(self.rows, "row")
        problems = f", {counted(len(self.problems), 'problem')}" if self.problems else ""
        return f"<xwalk.Info of {counted(len(self.tables), 'table')}: {rows}{problems}>"

    def __str__(self) -> str:
        """A line for each table, and for each file that cannot be read."""
        return "\n".join([*map(_line_of, self.tables), *(f"{one['subject']}: {one['text']}" for one in self.problems)])

    def _repr_html_(self) -> str:
        return self._html


@takes_options
def info(
    source: Path | Sequence[Path],
    format: str | None = None,
    *,
    scan: bool = False,
    **options: Unpack[InfoOptions],
) -> Info:
    """Returns facts about a file, a folder, several files or a URI: rows, sizes, compression, writer, and for every column
    nulls, minimum, maximum, distinct values and size.

    Without `scan`, only footers and manifests are read, and the statistics are those of the writer. With it, all rows are
    read in bounded memory. Files of different schemas are separate tables. Options are those of `open`:
    """
    paths = paths_of_rows(source)
    settings = spelled({**options, "format": format})
    import json  # which takes its time to load

    found, html = _xwalk.info(paths, settings, scan)
    facts = Info(json.loads(found), html)
    for table in facts.tables:
        if table.get("bad_rows"):
            warn_note(f"{table['name']}: nulls, min, max and distinct leave out {table['bad_rows']:,} of the rows: a value is not of "
                      "its type")
    return facts
