"""Rows: opening, converting, and the shorthands for YSON and Skiff."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, Union

from . import _xwalk
from .report import Report
from .schema import Schema

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import ConvertOptions, FormatOptions, ReadOptions, WriteOptions

Path = Union[str, "os.PathLike[str]"]


def _paths(source: Path | Sequence[Path]) -> list[str]:
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    return [os.fspath(path) for path in source]


def _options(options: dict[str, Any]) -> dict[str, Any]:
    schema = options.get("schema")
    if isinstance(schema, Schema):
        text = schema.dump()
        options = {**options, "schema": text if isinstance(text, str) else text.decode()}
    return options


class Rows:
    """Rows of a file, open for reading once; a stream of Arrow batches.

    It speaks the Arrow PyCapsule protocol: ``pyarrow.table(rows)``, ``polars.DataFrame(rows)`` or DuckDB's
    ``FROM rows`` read it, batch by batch.
    """

    def __init__(self, rows: _xwalk.Rows) -> None:
        self._rows = rows

    @property
    def schema(self) -> Schema:
        """The schema of the rows, in their own system."""
        return Schema(self._rows.schema)

    @property
    def format(self) -> str:
        """The format of the input."""
        return self._rows.format

    @property
    def files(self) -> list[str]:
        """The files read, in order."""
        return self._rows.files

    @property
    def total_rows(self) -> int | None:
        """The number of rows, where the input tells it before it is read."""
        return self._rows.total_rows

    @property
    def rejected(self) -> int:
        """Rows left out so far, with ``on_error="skip"``."""
        return self._rows.rejected

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._rows.__arrow_c_schema__()

    def __repr__(self) -> str:
        return f"<xwalk.Rows {self.format}: {', '.join(self.files)}>"


def open(source: Path | Sequence[Path], **options: Unpack[ReadOptions]) -> Rows:  # noqa: A001 - the field's word
    """Opens rows of any system.

    `source` is a file, a folder of one format, a Lance dataset, or several files that follow each other. Options, all
    as in `xwalk convert`: `format`, `schema` (text, or a `Schema`), `select` (paths), `limit`, `batch_rows`,
    `on_error` (``"fail"`` or ``"skip"``), `table`, `version`, `complex_type_mode` and the other modes of YSON.
    Raises IoError, InputError, UsageError.
    """
    return _open(source, {**options})


class Converted(NamedTuple):
    """What a conversion did."""

    rows: int
    bytes_read: int
    bytes_written: int
    #: Rows left out: `row`, `path`, `reason`, and `source`, the row as it stood.
    rejected: list[dict[str, Any]]
    report: Report


def convert(source: Any, target: Path, *, target_schema: Schema | None = None,
            **options: Unpack[ConvertOptions]) -> Converted:
    """Moves rows to a file of another system; nothing is under its name before all are there.

    `source` is what `open` takes, what it returns, or any object with ``__arrow_c_stream__``. `target_schema` is the
    schema the output is to have. Options are those of `open` and: `to` (a format), `compression`, `row_group_rows`,
    `mode` (Lance: ``create``, ``append``, ``overwrite``), `threads`, `max_rejects`, `annotations`, `round`,
    `merge_nulls`, `drop_zone`, `duplicate_keys`, and `allow="lossy"`, which agrees to altered values.
    """
    return _convert(source, target, target_schema, {**options})


def read_yson(source: Path | Sequence[Path], schema: str | Schema | None = None,
              **options: Unpack[FormatOptions]) -> Rows:
    """Opens YSON rows; without a schema, the one beside the file is used, and else they are inferred by a first pass."""
    return _open(source, {**options, "format": "yson", "schema": schema})


def read_skiff(source: Path | Sequence[Path], schema: str | Schema | None = None,
               **options: Unpack[FormatOptions]) -> Rows:
    """Opens Skiff rows; the schema stands beside the file, or is given."""
    return _open(source, {**options, "format": "skiff", "schema": schema})


def write_yson(rows: Any, target: Path, schema: Schema | None = None, **options: Unpack[WriteOptions]) -> Converted:
    """Writes rows as YSON, with the table schema beside them."""
    return _convert(rows, target, schema, {**options, "to": "yson"})


def write_skiff(rows: Any, target: Path, schema: Schema | None = None, **options: Unpack[WriteOptions]) -> Converted:
    """Writes rows as Skiff, with the format beside them."""
    return _convert(rows, target, schema, {**options, "to": "skiff"})


def _open(source: Path | Sequence[Path], options: dict[str, Any]) -> Rows:
    return Rows(_xwalk.Rows(_paths(source), _options(options)))


def _convert(source: Any, target: Path, target_schema: Schema | None, options: dict[str, Any]) -> Converted:
    if isinstance(source, Rows):
        given: Any = source._rows
    elif hasattr(source, "__arrow_c_stream__"):
        given = source
    else:
        given = _paths(source)
    wanted = None if target_schema is None else target_schema._schema
    done = _xwalk.convert(given, os.fspath(target), _options(options), wanted)
    return Converted(**{**done, "report": Report(done["report"])})
