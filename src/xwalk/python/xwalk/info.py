"""What files say of themselves: rows, sizes, and what stands in the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence

from . import _xwalk
from .errors import UsageError
from .objects import paths_of
from .options import Path, spelled, takes_options

if TYPE_CHECKING:
    from .schema import Schema


class Info:
    """What is known of an input: what its files recorded, or what its rows say. What is not known is None.

    An input of several tables has the facts of each in `tables`. In a notebook it shows itself as a table.
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
        """The files of the source that cannot be read, or are not of their table's schema: `problem`, `subject`, `text`."""
        problems: list[dict[str, str]] = self._found.get("problems", [])
        return problems

    def _sum(self, name: str) -> int | None:
        counts: list[int | None] = [table[name] for table in self.tables]
        return None if None in counts else sum(count or 0 for count in counts)

    @property
    def rows(self) -> int | None:
        """How many rows there are, in all tables."""
        return self._sum("rows")

    @property
    def bytes(self) -> int | None:
        """The size of all files."""
        return self._sum("bytes")

    @property
    def columns(self) -> list[dict[str, Any]]:
        """Each column and path below one, in the order of the schema: `path`, `type`, `nullable`, `nulls`, `min` and `max`
        (as text; only bounds where `shortened`), `distinct` (an estimate where `estimated`) and `bytes` as stored.
        Those of several tables follow each other; `tables` has them apart."""
        return [column for table in self.tables for column in table["columns"]]

    def to_dict(self) -> dict[str, Any]:
        """All that is known: what `xwalk info --json` prints."""
        return self._found

    def __repr__(self) -> str:
        rows = "rows not recorded" if self.rows is None else f"{self.rows:,} rows"
        if "tables" in self._found:
            problems = f", {len(self.problems):,} problems" if self.problems else ""
            return f"<xwalk.Info of {len(self.tables):,} tables: {rows}{problems}>"
        columns = sum("." not in column["path"] and "[" not in column["path"] for column in self.columns)
        return f"<xwalk.Info {self._found['name']}: {self._found['format']}, {rows}, {columns:,} columns>"

    def _repr_html_(self) -> str:
        return self._html


@takes_options
def info(
    source: Path | Sequence[Path],
    format: str | None = None,
    *,
    scan: bool = False,
    # <options: source rows work values; not format on_error max_rejects rejects durable>
    # What the input is.
    schema: str | Path | Schema | None = None,
    require_schema: bool = False,
    save_schema: Path | None = None,
    partitions: bool = True,
    unify: bool = False,
    # Which rows come, and how.
    select: str | Sequence[str] | None = None,
    exclude: str | Sequence[str] | None = None,
    limit: int | None = None,
    sample: str | None = None,
    seed: int | None = 0,
    tail: int | None = None,
    batch_rows: int | None = 65536,
    max_memory: int | str = "8GiB",
    table: int | None = None,
    part: Mapping[str, Any] | None = None,
    version: int | str | None = None,
    follow: str | Sequence[str] | None = None,
    table_index: bool = False,
    range_index: bool = False,
    row_index: bool = False,
    int96_unit: Literal["ns", "us"] = "ns",
    # How it is done.
    threads: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    # How rows of YSON and Skiff write values.
    yson_format: Literal["text", "pretty", "binary"] = "text",
    complex_type_mode: Literal["named", "positional"] = "named",
    string_keyed_dict_mode: Literal["positional", "named"] = "positional",
    decimal_mode: Literal["binary", "text"] | None = None,
    time_mode: Literal["binary", "text"] | None = None,
    uuid_mode: Literal["binary", "text_yql", "text_yt"] | None = None,
    uuid_order: Literal["rfc", "raw"] = "rfc",
    tz_form: Literal["name", "index"] = "name",
    decimal_special: Literal["error", "null"] = "error",
    skip_null_values: bool = False,
    end_of_stream: bool = False,
    # </options>
) -> Info:
    """Tells what a file, a folder, several files or a URI hold: rows, sizes, compression, writer, and of every column
    nulls, smallest and largest value, different values and size.

    Without `scan` only footers, manifests and the like are read, and the numbers are what the writer recorded. With it
    all rows are read, in little memory. Files of different schemas are a table each. Options are those of `open`:
    """
    options = locals()
    source, format, scan = map(options.pop, ("source", "format", "scan"))
    paths = paths_of(source)
    if not paths:
        raise UsageError("expected the path of rows, or several, found something else")
    words = spelled(options)
    if format is not None:
        words["format"] = format
    import json  # which takes its time to load

    found, html = _xwalk.info(paths, words, scan)
    return Info(json.loads(found), html)
