"""Schemas of all systems, and what one becomes in another."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Literal, Mapping, NamedTuple, Sequence, overload

from . import _xwalk
from .errors import NoteWarning, UsageError
from .objects import is_fsspec, paths_of, schema_of
from .options import Path, spelled, takes_options
from .report import Compat, Diff, Report, RowDiff

if TYPE_CHECKING:
    from .options import SchemaSource


class Conversion(NamedTuple):
    """A schema in another system, and the report on what that keeps."""

    schema: Schema
    report: Report


class Schema:
    """A table schema of one system: `yt`, `skiff`, `parquet`, `lance`, `vortex`, `arrow` or `iceberg`.

    It speaks the Arrow PyCapsule protocol: ``pyarrow.schema(schema)`` is its Arrow form. Schemas that are equal hash alike,
    and come back from a pickle equal.

    >>> schema = Schema.parse("[{name=id;type=int64;required=%true};{name=tags;type_v3={type_name=list;item=utf8}}]")
    >>> schema.system, schema.names
    ('yt', ['id', 'tags'])
    >>> print(schema.to("parquet").schema)
    message schema {
      required int64 id;
      required group tags (LIST) {
        repeated group list {
          required binary element (STRING);
        }
      }
    }
    <BLANKLINE>
    """

    __slots__ = ("_schema",)

    def __init__(self, schema: _xwalk.Schema) -> None:
        self._schema = schema

    @classmethod
    def parse(cls, text: str | bytes, format: str | None = None) -> Schema:
        """Parses a schema in any written form of a system.

        `format` names the system; without it the syntax tells. Raises InputError with line and column.
        """
        return cls(_xwalk.Schema.parse(text, format))

    @classmethod
    @takes_options
    def read(
        cls,
        source: SchemaSource,
        format: str | None = None,
        *,
        # <options: source rows work values; not format>
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
        on_error: Literal["fail", "skip"] | None = None,
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
    ) -> Schema:
        """Returns the schema of anything, as the program's verbs find it.

        `source` is the path of a data file, of a schema file in any form or of a Lance dataset; a folder, a pattern, or
        several paths; the text of a schema; a `Schema`, which is returned; what has an Arrow schema or rows with one: a schema,
        table, reader or dataset of pyarrow, a data frame of Polars, lazy or not, or of pandas; a file of fsspec, or
        an object with `read`, whose rows begin. A path
        may be a URI. `format` names the system of a schema file or
        a text; without it the syntax tells. Options are for rows without a schema of their own:
        """
        options = locals()
        del options["cls"]
        return cls._read(options.pop("source"), options.pop("format"), options, of_conversion=False)

    @classmethod
    def _read(cls, source: Any, format: str | None, options: dict[str, Any], of_conversion: bool) -> Schema:
        if isinstance(source, Schema):
            return source
        if isinstance(source, (bytes, bytearray, memoryview)):
            return cls.parse(bytes(source), format)
        paths = [source] if isinstance(source, str) else paths_of(source)
        if paths is not None:
            return cls(_xwalk.Schema.read(paths, format, spelled(options), of_conversion))
        if is_fsspec(source) or hasattr(source, "read"):
            from .rows import _open

            return _open(source, {**options, "format": format}).schema
        return cls.from_arrow(source)

    @classmethod
    def parse_type(cls, text: str, format: str) -> Schema:
        """Parses one type, which becomes the only column: ``Schema.parse_type("Optional<Int64>", "yt")``."""
        return cls(_xwalk.Schema.parse_type(text, format))

    @classmethod
    def from_arrow(cls, schema: Any) -> Schema:
        """Takes the schema of any object that has one of Arrow, or rows with one; see `read`."""
        return cls(_xwalk.Schema.from_arrow(schema_of(schema)))

    @property
    def system(self) -> str:
        """The system whose schema it is."""
        return self._schema.system

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self._schema.names

    @property
    def forms(self) -> list[str]:
        """The written forms that `dump` knows, the usual one first."""
        return self._schema.forms

    def dump(self, form: str = "") -> str | bytes:
        """Writes the schema in a form: text, or bytes for binary forms. Raises UsageError for an unknown one."""
        return self._schema.dump(form)

    def lost(self, form: str = "") -> list[str]:
        """Tells what of the schema `dump` leaves out, since the form has no place for it: a line for each."""
        return self._schema.lost(form)

    @takes_options
    def to(
        self,
        target: str | Schema,
        *,
        # <options: changes>
        # How values may change on their way.
        rename: Mapping[str, Any] | None = None,
        cast: Mapping[str, Any] | None = None,
        annotations: bool = True,
        round: bool = False,
        merge_nulls: bool = False,
        drop_zone: bool = False,
        duplicate_keys: Literal["error", "last", "keep"] = "error",
        any: Literal["yson", "json", "ytjson"] = "yson",
        cluster_version: str | None = None,
        lance_version: str | None = None,
        vortex_edition: str | None = None,
        csv_formulas: Literal["keep", "escape", "refuse"] = "keep",
        # </options>
    ) -> Conversion:
        """Converts to another system, or says what a given schema of one keeps.

        Raises UnsupportedError with the path of a column that has no mapping. Options:
        """
        options = locals()
        del options["self"]
        target = options.pop("target")
        wanted = target._schema if isinstance(target, Schema) else target
        schema, report = self._schema.plan(wanted, spelled(options))
        return Conversion(Schema(schema), Report(report))

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._schema.equals(other._schema)

    def __hash__(self) -> int:
        return hash((self.system, *self.names))

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Schema._restore, self._schema.state()

    @classmethod
    def _restore(cls, system: str, written: bytes, arrow: bytes) -> Schema:
        return cls(_xwalk.Schema.restore(system, written, arrow))

    def __str__(self) -> str:
        text = self.dump()
        return text if isinstance(text, str) else repr(text)

    def __repr__(self) -> str:
        return f"<xwalk.Schema {self.system}: {len(self.names)} columns>"


def _target_of(to: Any) -> Any:
    """Returns the system that a word names, or the schema that anything else is."""
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
    rows: bool = False,
    readers: bool = False,
    # <options: source rows changes consent work values; not format rejects>
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
    # How values may change on their way.
    rename: Mapping[str, Any] | None = None,
    cast: Mapping[str, Any] | None = None,
    annotations: bool = True,
    round: bool = False,
    merge_nulls: bool = False,
    drop_zone: bool = False,
    duplicate_keys: Literal["error", "last", "keep"] = "error",
    any: Literal["yson", "json", "ytjson"] = "yson",
    cluster_version: str | None = None,
    lance_version: str | None = None,
    vortex_edition: str | None = None,
    csv_formulas: Literal["keep", "escape", "refuse"] = "keep",
    # What may be lost.
    allow: Literal["lossy"] | None = None,
    max_rejects: str | None = None,
    # How it is done.
    threads: int | None = None,
    on_error: Literal["fail", "skip"] | None = None,
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
) -> Report:
    """Says what converting rows to a system, or to a schema of one, would keep, narrow or lose; moves nothing.

    `source` and `format` are those of `Schema.read`; `to` is the word of a system, or what `Schema.read` takes. With
    `rows`, which needs a path, a URI or several, all rows are read: `Report.rows` says how many would be refused, and why. With `readers`,
    `Report.readers` says who would misread which column: of a source that is a Parquet file, else of what would be written
    (Parquet, Lance, Vortex, a table of YTsaurus); `to` may then be left out, and the source is asked about as it is.

    With `append`, the path or URI of an output that is there, says whether ``convert(..., mode="append")`` could add the
    rows to it, and all that stands against it; `to` is then left out. Raises IoError where there are no rows to add to.
    Options are those of `convert` that bear on the outcome:
    """
    options = locals()
    source, to, format, append, rows, readers = map(options.pop, ("source", "to", "format", "append", "rows", "readers"))
    if to is not None and append is not None:
        raise UsageError("expected `to` or `append`, found both: rows that are added take the schema that is there")
    if to is None and append is None and not readers:
        raise UsageError("expected a system or a schema to convert to, found none")
    paths = paths_of(source)
    if rows and not paths:
        raise UsageError("rows=True needs the path of rows to read")
    words = spelled(options)
    wanted = _target_of(to)
    there = None if append is None else str(append)
    if paths:
        if rows and format is not None:
            words["format"] = format
        return Report(_xwalk.check_inputs(paths, format, wanted, words, rows, readers, there))
    read = Schema._read(source, format, words, of_conversion=True)
    return Report(_xwalk.check(read._schema, wanted, words, read.system, [], readers, there))


def _read_both(first: Any, second: Any, format: str | None,
               options: dict[str, Any]) -> tuple[_xwalk.Schema, _xwalk.Schema]:
    def read(one: Any, given: dict[str, Any]) -> _xwalk.Schema:
        return Schema._read(one, format, given, of_conversion=False)._schema

    return read(first, _options_of(first, second, options)), read(second, _options_of(second, first, options))


def _both_sides(first: Any, second: Any, options: dict[str, Any]) -> tuple[Any, Any] | None:
    """Returns the paths of both and their options; None unless both are paths."""
    left, right = paths_of(first), paths_of(second)
    if not left or not right:
        return None
    return ((left, spelled(_options_of(first, second, options))), (right, spelled(_options_of(second, first, options))))


def _options_of(one: Any, other: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of one of two sources: those of stores are the other's where it alone is in one."""
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
    # <options: source work; not format schema save_schema threads on_error>
    # What the input is.
    require_schema: bool = False,
    partitions: bool = True,
    unify: bool = False,
    # How it is done.
    storage_options: Mapping[str, Any] | None = None,
    # </options>
) -> Compat:
    """Asks whether data of one schema can be read as the other; each is what `Schema.read` takes, `format` the system of both.

    `mode`: ``backward`` (readers of `new`, data of `old`), ``forward``, or ``full``. Two schemas of YTsaurus are held to
    that system's own rules. Options:
    """
    options = locals()
    old, new, mode, format, allow_rename, allow_removal = map(
        options.pop, ("old", "new", "mode", "format", "allow_rename", "allow_removal"))
    if sides := _both_sides(old, new, options):
        return Compat(_xwalk.compat_inputs(*sides, format, mode, allow_rename, allow_removal))
    return Compat(_xwalk.compat(*_read_both(old, new, format, options), mode, allow_rename, allow_removal))


@overload
def diff(left: SchemaSource, right: SchemaSource, format: str | None = None, *, guess_renames: bool = True,
         rows: Literal[False] = False, require_schema: bool = False, partitions: bool = True, unify: bool = False,
         storage_options: Mapping[str, Any] | None = None) -> Diff: ...
@overload
def diff(left: Any, right: Any, format: str | None = None, *, rows: Literal[True], key: str | Sequence[str] = (),
         tolerance: float | None = None, limit: int = 10, require_schema: bool = False, partitions: bool = True,
         unify: bool = False,
         storage_options: Mapping[str, Any] | None = None) -> RowDiff: ...
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
    # <options: source work; not format schema save_schema threads on_error>
    # What the input is.
    require_schema: bool = False,
    partitions: bool = True,
    unify: bool = False,
    # How it is done.
    storage_options: Mapping[str, Any] | None = None,
    # </options>
) -> Diff | RowDiff:
    """Compares two schemas of any two systems; each is what `Schema.read` takes, `format` the system of both.

    Columns are paired by field id where both schemas have ids, then by name. `guess_renames` pairs a column that was
    removed with one that was added where both are the only ones of their type.

    With `rows`, compares the rows of two tables instead, and returns a `RowDiff` in place of a `Diff`, which is why two
    signatures are shown: each lists what its result depends on. Each table is what `convert` takes. Columns are paired by name and cast
    to a type that holds the values of both. Rows are paired by position, or by the columns of `key`, in any order; rows
    that share a key are paired in their order, and None is a key. Floats are the same if their bits are, where nan is nan;
    with a `tolerance` also if they are no further apart than that times the larger of 1 and their magnitudes. `limit` is how
    many differences are kept. Sources of several tables are compared table by table, and `tables` has the
    report on each.

    Raises UsageError for a `key` that is no column of both. Options:
    """
    options = locals()
    left, right, format, guess_renames, rows, key, tolerance, limit = map(
        options.pop, ("left", "right", "format", "guess_renames", "rows", "key", "tolerance", "limit"))
    if not rows:
        if key or tolerance is not None:
            raise UsageError("`key` and `tolerance` are for rows=True")
        if sides := _both_sides(left, right, options):
            return Diff(_xwalk.diff_inputs(*sides, format, guess_renames))
        return Diff(_xwalk.diff(*_read_both(left, right, format, options), guess_renames))
    from .rows import _readable  # which imports this module

    def name(source: Any, otherwise: str) -> str:
        return str(source) if isinstance(source, (str, os.PathLike)) else otherwise

    columns = [key] if isinstance(key, str) else list(key)
    names = (name(left, "left"), name(right, "right"))
    if format is not None:
        options["format"] = format
    sides = _both_sides(left, right, options)
    if sides and any(_xwalk.may_be_several(paths, storage_options or {}) for paths, _ in sides):
        return RowDiff(_xwalk.diff_row_inputs(*sides, format, columns, tolerance, limit))
    return RowDiff(_xwalk.diff_rows(_readable(left, _options_of(left, right, options)),
                                      _readable(right, _options_of(right, left, options)), names, columns, tolerance, limit))


@takes_options
def merge(
    first: SchemaSource,
    second: SchemaSource,
    format: str | None = None,
    *,
    # <options: source work; not format schema save_schema threads on_error>
    # What the input is.
    require_schema: bool = False,
    partitions: bool = True,
    unify: bool = False,
    # How it is done.
    storage_options: Mapping[str, Any] | None = None,
    # </options>
) -> Schema:
    """Returns the YTsaurus schema that holds the rows of both; each is what `Schema.read` takes, `format` the system of both, and
    one of another system is what it becomes in YTsaurus. Raises InputError where there is none.

    What either says that the result does not (locks, aggregates, other attributes) is a `NoteWarning` each. Options:
    """
    import json  # which takes its time to load

    options = locals()
    del options["json"]
    first, second, format = map(options.pop, ("first", "second", "format"))
    merged, lost = _xwalk.merge(*_read_both(first, second, format, options))
    for note in json.loads(lost):
        path = note["path"] + ": " if note["path"] else ""
        warnings.warn(f"{path}{note['found']} ({note['rule']})", NoteWarning, stacklevel=3)
    return Schema(merged)


class Evolution(NamedTuple):
    """A schema after changes, and for each change of a Lance schema what data must be written: Iceberg writes none."""

    schema: Schema
    work: list[dict[str, Any]]


def evolve(schema: Schema, operations: Sequence[tuple[str, str]]) -> Evolution:
    """Applies changes to a Lance or Iceberg schema with the field ids it gives.

    Each operation is a pair of a word of `xwalk evolve` and its argument: ``("rename", "ts=time")``.
    """
    evolved, work = _xwalk.evolve(schema._schema, list(operations))
    return Evolution(Schema(evolved), work)
