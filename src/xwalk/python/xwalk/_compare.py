"""Comparisons: the report of a conversion, two schemas, the rows of two tables."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Sequence, overload

from . import _xwalk
from ._errors import warn_note
from ._objects import own_errors, paths_of, source_of
from ._option_types import CheckOptions, ConvertOptions, FilesOptions
from ._options import Path, spelled, takes_options, usage_error
from ._progress import OnProgress, teller
from ._report import Compat, Diff, Proof, Report, RowDiff
from ._rows import Rows, format_of, readable, target_schema_of
from ._schema import Schema, SchemaSource

if TYPE_CHECKING:
    from typing import Unpack


def _target_of(to: Any) -> Any:
    """Returns the system for the name of a system or format, else the schema."""
    if isinstance(to, Schema):
        return to._schema
    if to is None or (isinstance(to, str) and not _xwalk.names_schema(to)):
        return to
    return Schema.read(to)._schema


@takes_options
def check(
    source: Any,
    to: SchemaSource | None = None,
    format: str | None = None,
    *,
    append: str | Path | None = None,
    target_schema: SchemaSource | None = None,
    rows: bool = False,
    readers: bool | str | Sequence[str] = False,
    **options: Unpack[CheckOptions],
) -> Report:
    """Reports what converting rows to a system, or to a schema of one, would keep, narrow or lose. Writes nothing.

    `source` and `format` are those of `Schema.read`. `to` is the name of a system or format, or a source for `Schema.read`. With
    `rows`, which needs a path, a URI or several, all rows are read: `Report.rows` has the number of rows that would be rejected, and
    the reasons. With `readers`, `Report.readers` lists the readers that would misread a column of a Parquet source,
    or of the output (Parquet, Lance, Vortex, a table of YTsaurus): all that were tried, or those that it names
    (``["duckdb", "spark"]``). Without `to`, the report is about the source.

    `target_schema` is that of `convert`: a schema for the format or system `to`, or types of pyarrow or Polars.

    With `append`, the path or URI of an existing output, the report lists all that prevents ``convert(..., mode="append")`` from
    adding the rows. Leave `to` out. An output that does not exist is checked as a new one, with a note.
    Options are those of `convert` that change the outcome:
    """
    if to is not None and append is not None:
        raise usage_error("expected `to` or `append`, found both: added rows take the existing schema")
    if target_schema is not None and (append is not None or not isinstance(to, (str, type(None))) or _xwalk.names_schema(to or "")):
        raise usage_error("target_schema: expected the name of a format or system in `to`, found another schema")
    if to is None and append is None and target_schema is None and readers is False:
        raise usage_error("to: expected a system, a format or a schema, found none")
    paths = paths_of(source)
    if rows and not paths:
        raise usage_error("rows=True needs the path of rows to read")
    settings = spelled(dict(options))
    wanted = _target_of(to)
    if target_schema is not None:
        wanted = target_schema_of(target_schema, to if isinstance(to, str) else None, settings)
        system = Schema(wanted).system
        if isinstance(to, str) and Schema.parse("[]", "yt").to(to).schema.system != system:
            raise usage_error(f"target_schema: expected a schema for {to}, found one of {system}")
    there = None if append is None else str(append)
    chosen = None if readers is False else [] if readers is True else [readers] if isinstance(readers, str) else list(readers)
    if paths:
        if rows and format is not None:
            settings["format"] = format
        return Report(_xwalk.check_inputs(paths, format, wanted, settings, rows, chosen, there))
    read = Schema._read(source, format, settings, of_conversion=True)
    return Report(_xwalk.check(read._schema, wanted, settings, read.system, chosen, there))


def _read_both(first: Any, second: Any, format: str | None,
               options: dict[str, Any]) -> tuple[_xwalk.Schema, _xwalk.Schema]:
    def read(one: Any, given: dict[str, Any]) -> _xwalk.Schema:
        return Schema._read(one, format, given, of_conversion=False)._schema

    return read(first, _options_of(first, second, options)), read(second, _options_of(second, first, options))


def _both_sides(first: Any, second: Any, options: dict[str, Any]) -> tuple[Any, Any] | None:
    """Returns the paths of both and their options, or None if one is not a path."""
    left, right = paths_of(first), paths_of(second)
    if not left or not right:
        return None
    return ((left, spelled(_options_of(first, second, options))), (right, spelled(_options_of(second, first, options))))


def _options_of(one: Any, other: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of one of two sources. Options of stores go to the other source if only that one is in a store."""
    def is_remote(source: Any) -> bool:
        return isinstance(source, (str, os.PathLike)) and "://" in os.fspath(source)

    return {**options, "storage_options": None} if is_remote(other) and not is_remote(one) else options


@takes_options
def compat(
    old: SchemaSource,
    new: SchemaSource,
    mode: str = "backward",
    format: str | None = None,
    *,
    allow_rename: bool = False,
    allow_removal: bool = False,
    **options: Unpack[FilesOptions],
) -> Compat:
    """Reports whether data of one schema can be read as the other.

    Both are sources for `Schema.read`, and `format` is the system of both. `mode`: ``backward`` (readers of `new`, data of
    `old`), ``forward``, or ``full``. Two schemas of YTsaurus are compared by the rules of YTsaurus. Options:
    """
    settings = dict(options)
    if sides := _both_sides(old, new, settings):
        return Compat(_xwalk.compat_inputs(*sides, format, mode, allow_rename, allow_removal))
    return Compat(_xwalk.compat(*_read_both(old, new, format, settings), mode, allow_rename, allow_removal))


@overload
def diff(left: SchemaSource, right: SchemaSource, format: str | None = None, *, guess_renames: bool = True,
         rows: Literal[False] = False, **options: Unpack[FilesOptions]) -> Diff: ...
@overload
def diff(left: Any, right: Any, format: str | None = None, *, rows: Literal[True], key: str | Sequence[str] = (),
         tolerance: float | None = None, limit: int = 10, **options: Unpack[FilesOptions]) -> RowDiff: ...
@takes_options
def diff(
    left: Any,
    right: Any,
    format: str | None = None,
    *,
    guess_renames: bool = True,
    rows: bool = False,
    key: str | Sequence[str] = (),
    tolerance: float | None = None,
    limit: int = 10,
    **options: Unpack[FilesOptions],
) -> Diff | RowDiff:
    """Compares two schemas of any two systems.

    Both are sources for `Schema.read`, and `format` is the system of both. Columns are matched by field id if both schemas
    have ids, then by name. `guess_renames` matches a removed column with an added one if both are the only ones of their type.

    With `rows`, compares the rows of two tables, and returns a `RowDiff` instead of a `Diff`. Each table is a source for `convert`.
    Columns are matched by name and cast to a type that holds the values of both. Rows are matched by position, or by the
    columns of `key`, in any order. Rows with the same key are matched in their order, and None is a valid key. Floats are
    equal if their bits are, and all NaNs are equal. With `tolerance`, they are also equal if they differ by at most that
    times the larger of 1 and their magnitudes. `limit` is the number of differences to keep. Sources of several tables are
    compared table by table, and `tables` has the report on each.

    Raises UsageError for a `key` that is not a column of both. Options:
    """
    settings = dict(options)
    if not rows:
        if key or tolerance is not None:
            raise usage_error("`key` and `tolerance` are for rows=True")
        if sides := _both_sides(left, right, settings):
            return Diff(_xwalk.diff_inputs(*sides, format, guess_renames))
        return Diff(_xwalk.diff(*_read_both(left, right, format, settings), guess_renames))

    def name(source: Any, otherwise: str) -> str:
        return str(source) if isinstance(source, (str, os.PathLike)) else otherwise

    columns = [key] if isinstance(key, str) else list(key)
    names = (name(left, "left"), name(right, "right"))
    if format is not None:
        settings["format"] = format
    sides = _both_sides(left, right, settings)
    if sides and any(_xwalk.may_be_several(paths, options.get("storage_options") or {}) for paths, _ in sides):
        return RowDiff(_xwalk.diff_row_inputs(*sides, format, columns, tolerance, limit))
    first, second = readable(left, _options_of(left, right, settings)), readable(right, _options_of(right, left, settings))
    with own_errors(first._given, second._given):
        return RowDiff(_xwalk.diff_rows(first._rows, second._rows, names, columns, tolerance, limit))


@takes_options
def merge(
    first: SchemaSource,
    second: SchemaSource,
    format: str | None = None,
    **options: Unpack[FilesOptions],
) -> Schema:
    """Returns a YTsaurus schema for the rows of both.

    Both are sources for `Schema.read`, and `format` is the system of both. Schemas of other systems are converted to YTsaurus.
    Raises InputError if no schema holds both.

    Warns with a `NoteWarning` for each property that the result lacks (locks, aggregates, other attributes). Options:
    """
    import json  # which takes its time to load

    merged, lost = _xwalk.merge(*_read_both(first, second, format, dict(options)))
    for note in json.loads(lost):
        path = note["path"] + ": " if note["path"] else ""
        warn_note(f"{path}{note['found']} ({note['rule']})")
    return Schema(merged)


@takes_options
def verify(
    source: Any,
    target: Path,
    *,
    target_schema: SchemaSource | None = None,
    progress: OnProgress = None,
    engine: Literal["auto", "process"] = "auto",
    **options: Unpack[ConvertOptions],
) -> Proof:
    """Reads an output again and compares it with its source: values, order and number of rows. Writes nothing.

    Give the arguments of `convert` that wrote `target`. `source` is a source of `convert`, also a table in memory. The rows of the
    source are cast as `convert` does, and `target` is read by a reader that knows only its files. Rows are matched by position, or by
    the columns of `key`. A `target` that ends with `/` is a folder with a file for each file of the source. A difference is not an
    error: `Proof.verified` is False, and `Proof.raise_for` raises. Raises what `convert` raises, and IoError if an output does not
    exist. Options are those of `convert`:
    """
    settings = spelled({"engine": engine, **options})
    if isinstance(source, Rows):
        source, settings = source._given, {**source._options, **settings}
    given = source_of(source, settings)
    wanted = None if target_schema is None else target_schema_of(target_schema, format_of(target, settings), settings)
    with own_errors(given), teller(progress) as tell:
        return Proof(_xwalk.verify(given, os.fspath(target), settings, wanted, tell))
