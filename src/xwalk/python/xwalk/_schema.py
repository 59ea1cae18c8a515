"""Schemas of all systems, and their conversion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Sequence, Union

from . import _xwalk
from ._errors import Error
from ._objects import is_fsspec, paths_of, schema_of, source_of
from ._option_types import PlanOptions, SchemaOptions
from ._options import SupportsArrowSchema, SupportsArrowStream, counted, spelled, takes_options, takes_text, usage_error
from ._report import Report, html_table

if TYPE_CHECKING:
    from typing import Unpack

#: A source for `Schema.read`, also a data frame, a lazy frame or a dataset of pyarrow.
SchemaSource = Union["Schema", str, bytes, "os.PathLike[str]", "Sequence[str | os.PathLike[str]]", SupportsArrowSchema,
                     SupportsArrowStream, "Mapping[str, Any]"]


class Conversion(NamedTuple):
    """A schema in another system, and the report of the conversion."""

    schema: Schema
    report: Report


class Schema:
    """A table schema of one system: `yt`, `skiff`, `parquet`, `lance`, `vortex`, `arrow`, `iceberg` or `delta`.

    It supports the Arrow PyCapsule protocol: ``pyarrow.schema(schema)`` is its Arrow form. Equal schemas have equal hashes.
    Schemas can be pickled.

    >>> schema = Schema.parse("[{name=id;type=int64;required=%true};{name=tags;type_v3={type_name=list;item=utf8}}]")
    >>> schema.system, schema.names
    ('yt', ['id', 'tags'])
    >>> print(schema)
    yt: 2 columns
      id      Int64
      tags    List<Utf8>
      tags[]  Utf8
    >>> print(schema.to("parquet").schema.dump())
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
    @takes_text
    def parse(cls, text: str | bytes, format: str | None = None) -> Schema:
        """Parses a schema in any form of a system.

        `format` names the system; by default it is detected from the syntax. Raises InputError with line and column.
        """
        return cls(_xwalk.Schema.parse(text, format))

    @classmethod
    @takes_options
    def read(
        cls,
        source: SchemaSource,
        format: str | None = None,
        **options: Unpack[SchemaOptions],
    ) -> Schema:
        """Returns the schema of a source, like the commands of the program.

        `source` is the path of a data file, a schema file in any form or a Lance dataset; a folder, a pattern or several
        paths; the text of a schema; a `Schema`, which is returned; an object with an Arrow schema or rows: a schema, table,
        reader or dataset of pyarrow, a data frame of Polars (also lazy) or pandas; a file of fsspec, or an object with `read`
        at the start of its rows. A path may be a URI. `format` names the system of a schema file or text; by default it is
        detected. Options are for rows without a schema:
        """
        return cls._read(source, format, dict(options), of_conversion=False)

    @classmethod
    def _read(cls, source: Any, format: str | None, options: dict[str, Any], of_conversion: bool) -> Schema:
        if isinstance(source, Schema):
            return source
        if isinstance(source, (bytes, bytearray, memoryview)):
            try:
                return cls.parse(bytes(source), format)
            except Error:
                try:  # bytes of rows, as `open` takes them
                    settings = spelled({**options, "format": format})
                    return cls(_xwalk.Rows(bytes(source), settings).schema)
                except Error:
                    pass
                raise
        paths = [source] if isinstance(source, str) else paths_of(source)
        if paths is not None:
            return cls(_xwalk.Schema.read(paths, format, spelled(options), of_conversion))
        if is_fsspec(source) or hasattr(source, "read"):
            settings = spelled({**options, "format": format})
            return cls(_xwalk.Rows(source_of(source, settings), settings).schema)
        if format not in (None, "arrow"):
            raise usage_error(f'format: expected "arrow" for rows and schemas of Arrow, found "{format}"')
        return cls(_xwalk.Schema.from_arrow(schema_of(source), spelled(options), of_conversion))

    @classmethod
    @takes_text
    def parse_type(cls, text: str, format: str) -> Schema:
        """Parses one type, as the only column: ``Schema.parse_type("Optional<Int64>", "yt")``."""
        return cls(_xwalk.Schema.parse_type(text, format))

    @classmethod
    @takes_text
    def from_arrow(cls, schema: Any) -> Schema:
        """Returns the schema of an object with an Arrow schema or Arrow rows; see `read`."""
        return cls(_xwalk.Schema.from_arrow(schema_of(schema)))

    @property
    def system(self) -> str:
        """The system of the schema."""
        return self._schema.system

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return self._schema.names

    @property
    def forms(self) -> list[str]:
        """The forms for `dump`, the default first."""
        return self._schema.forms

    @takes_text
    def dump(self, form: str = "") -> str | bytes:
        """Returns the schema in a form, as text, or as bytes for binary forms. Raises UsageError for an unknown form."""
        return self._schema.dump(form)

    @takes_text
    def lost(self, form: str = "") -> list[str]:
        """Returns the parts of the schema that a form cannot express, one line each."""
        return self._schema.lost(form)

    @takes_options
    def to(
        self,
        target: str | Schema | SupportsArrowSchema | Mapping[str, Any],
        **options: Unpack[PlanOptions],
    ) -> Conversion:
        """Converts to another system, or reports what a given schema of one keeps: a `Schema`, or one of pyarrow or Polars.

        Raises UnsupportedError with the path of a column that cannot be converted. Options:
        """
        wanted = target if isinstance(target, str) else Schema.read(target)._schema
        schema, report = self._schema.plan(wanted, spelled(dict(options)))
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

    def _lines(self) -> list[tuple[str, str]]:
        """Returns each column and path below one, with its type in the syntax of the system."""
        return [line for line, _, _, _ in _xwalk.diff(self._schema, self._schema, False).lines() if line[0]]

    def _title(self) -> str:
        return f"{self.system}: {len(self.names):,} column{'' if len(self.names) == 1 else 's'}"

    def __str__(self) -> str:
        lines = self._lines()
        width = max((len(path) for path, _ in lines), default=0)
        return "\n".join([self._title(), *(f"  {path:{width}}  {kind}" for path, kind in lines)])

    def _repr_html_(self) -> str:
        from html import escape

        return html_table(self._title(), ("column", "type"),
                          [[escape(path), f"<code>{escape(kind)}</code>"] for path, kind in self._lines()])

    def __repr__(self) -> str:
        return f"<xwalk.Schema {self.system}: {counted(len(self.names), 'column')}>"


class Evolution(NamedTuple):
    """A schema after changes, and the work for each change of a Lance schema. Iceberg has none.

    An entry of `work` has `written_ids` (field ids of columns to rewrite), `checked_id` (of a column that must hold no null, or None)
    and `findings`: what Lance does to values, each with `rule`, `path`, `values` (``"checked"``, ``"altered"`` or ``"kept"``),
    `lost` and `example`.
    """

    schema: Schema
    work: list[dict[str, Any]]


@takes_text
def evolve(schema: SchemaSource, operations: Sequence[tuple[str, str]]) -> Evolution:
    """Applies changes to a Lance or Iceberg schema, with new field ids.

    `schema` is a source for `Schema.read`. Each operation is a pair of an option of `xwalk evolve` and its value: ``("rename", "ts=time")``.
    """
    evolved, work = _xwalk.evolve(Schema.read(schema)._schema, list(operations))
    return Evolution(Schema(evolved), work)
