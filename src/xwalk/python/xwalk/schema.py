"""Schemas of all systems, and what one becomes in another."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, cast

from . import _xwalk
from .errors import UsageError
from .report import Compat, Diff, Report

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import CheckOptions, PlanOptions, SchemaSource, SourceOptions, SupportsArrowSchema


class Conversion(NamedTuple):
    """A schema in another system, and the report on what that keeps."""

    schema: Schema
    report: Report


def _paths(source: Any) -> list[str] | None:
    """Returns the paths, URIs and patterns that a source names; None for the text of a schema and for objects."""
    if isinstance(source, str):
        return None if _xwalk.is_schema_text(source) else [source]
    if isinstance(source, os.PathLike):
        return [os.fspath(source)]
    if isinstance(source, Sequence) and not isinstance(source, (bytes, bytearray, memoryview)):
        return [os.fspath(path) for path in source]
    return None


class Schema:
    """A table schema of one system: `yt`, `skiff`, `parquet`, `lance`, `vortex` or `arrow`.

    It speaks the Arrow PyCapsule protocol: ``pyarrow.schema(schema)`` is its Arrow form.

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
    def read(cls, source: SchemaSource, format: str | None = None, **options: Unpack[SourceOptions]) -> Schema:
        """Returns the schema of anything, as the program's verbs find it.

        `source` is the path of a data file, of a schema file in any form or of a Lance dataset; a folder, a pattern, or
        several paths; the text of a schema; an object with ``__arrow_c_schema__``; a `Schema`, which is returned. A path
        may be a URI. `format` names the system of a schema file or
        a text; without it the syntax tells. Options are those of `xwalk.open`, for rows without a schema of their own.
        """
        if isinstance(source, Schema):
            return source
        if isinstance(source, bytes):
            return cls.parse(source, format)
        paths = [source] if isinstance(source, str) else _paths(source)
        if paths is not None:
            words: dict[str, Any] = dict(options)
            if isinstance(words.get("schema"), Schema):
                words["schema"] = words["schema"].dump()
            return cls(_xwalk.Schema.read(paths, format, words))
        return cls.from_arrow(cast("SupportsArrowSchema", source))

    @classmethod
    def parse_type(cls, text: str, format: str) -> Schema:
        """Parses one type, which becomes the only column: ``Schema.parse_type("Optional<Int64>", "yt")``."""
        return cls(_xwalk.Schema.parse_type(text, format))

    @classmethod
    def from_arrow(cls, schema: SupportsArrowSchema) -> Schema:
        """Takes the schema of any object with ``__arrow_c_schema__``."""
        return cls(_xwalk.Schema.from_arrow(schema))

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

    def to(self, target: str | Schema, **options: Unpack[PlanOptions]) -> Conversion:
        """Converts to another system, or says what a given schema of one keeps.

        Options: `rename`, `annotations` (True), `round`, `merge_nulls`, `drop_zone` (False), `duplicate_keys`,
        `any`.
        Raises UnsupportedError with the path of a column that has no mapping.
        """
        wanted = target._schema if isinstance(target, Schema) else target
        schema, report = self._schema.plan(wanted, dict(options))
        return Conversion(Schema(schema), Report(report))

    def __arrow_c_schema__(self) -> object:
        return self._schema.__arrow_c_schema__()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._schema.equals(other._schema)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        text = self.dump()
        return text if isinstance(text, str) else repr(text)

    def __repr__(self) -> str:
        return f"<xwalk.Schema {self.system}: {len(self.names)} columns>"


def check(source: Any, to: str | Schema | None = None, format: str | None = None, *, rows: bool = False,
          readers: bool = False, **options: Unpack[CheckOptions]) -> Report:
    """Says what converting rows to a system, or to a schema of one, would keep, narrow or lose; moves nothing.

    `source` and `format` are those of `Schema.read`. Options are those of `convert` that bear on the outcome: `select`,
    `limit`, `rename`, `any`, `round`, `on_error`, `max_rejects` and the others that change values or read rows. With
    `rows`, which needs a path, a URI or several, all rows are read: `Report.rows` says how many would be refused, and why. With `readers`,
    `Report.readers` says who would misread which column of a Parquet file: of the source, if it is one, else of the
    target; `to` may then be left out.
    """
    if to is None and not readers:
        raise UsageError("expected a system or a schema to convert to, found none")
    paths = _paths(source)
    if rows and not paths:
        raise UsageError("rows=True needs the path of rows to read")
    words: dict[str, Any] = dict(options)
    if isinstance(words.get("schema"), Schema):
        words["schema"] = words["schema"].dump()
    read = Schema.read(source, format, **words)
    if rows and format is not None:
        words["format"] = format
    wanted = to._schema if isinstance(to, Schema) else to
    name = paths[0] if rows and paths else read.system
    return Report(_xwalk.check(read._schema, wanted, words, name, paths if rows and paths else [], readers))


def compat(old: SchemaSource, new: SchemaSource, mode: str = "backward", *, allow_rename: bool = False,
           allow_removal: bool = False) -> Compat:
    """Asks whether data of one schema can be read as the other; each is what `Schema.read` takes.

    `mode`: ``backward`` (readers of `new`, data of `old`), ``forward``, or ``full``. Two schemas of YTsaurus are held to
    that system's own rules.
    """
    return Compat(_xwalk.compat(Schema.read(old)._schema, Schema.read(new)._schema, mode, allow_rename, allow_removal))


def diff(left: SchemaSource, right: SchemaSource, *, guess_renames: bool = True) -> Diff:
    """Compares two schemas of any two systems; each is what `Schema.read` takes.

    Columns are paired by field id where both schemas have ids, then by name. `guess_renames` pairs a column that was
    removed with one that was added where both are the only ones of their type.
    """
    return Diff(_xwalk.diff(Schema.read(left)._schema, Schema.read(right)._schema, guess_renames))


def merge(first: Schema, second: Schema) -> Schema:
    """Returns the YTsaurus schema that holds the rows of both. Raises InputError where there is none."""
    return Schema(_xwalk.merge(first._schema, second._schema))


class Evolution(NamedTuple):
    """A Lance schema after changes, and for each change what data must be written."""

    schema: Schema
    work: list[dict[str, Any]]


def evolve(schema: Schema, operations: Sequence[tuple[str, str]]) -> Evolution:
    """Applies changes to a Lance schema with the field ids Lance gives.

    Each operation is a pair of a word of `xwalk evolve` and its argument: ``("rename", "ts=time")``.
    """
    evolved, work = _xwalk.evolve(schema._schema, list(operations))
    return Evolution(Schema(evolved), work)
