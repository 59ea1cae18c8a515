"""Rows: opening, converting, and the shorthands for YSON and Skiff."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple, Sequence, Union

from . import _xwalk
from .report import Report
from .schema import Schema, _paths

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

    from .options import ConvertOptions, FormatOptions, ReadOptions, SupportsRead, SupportsWrite, WriteOptions

Path = Union[str, "os.PathLike[str]"]
#: Where rows come from: a path, several of one schema, bytes, or an object with `read`.
Source = Union[Path, Sequence[Path], "Buffer", "SupportsRead"]
#: Where rows go: a path, or an object with `write`.
Target = Union[Path, "SupportsWrite"]


def _source(source: Any) -> Any:
    paths = [source] if isinstance(source, str) else _paths(source)
    return source if paths is None else paths


def _options(options: dict[str, Any]) -> dict[str, Any]:
    schema = options.get("schema")
    if isinstance(schema, Schema):
        text = schema.dump()
        options = {**options, "schema": text if isinstance(text, str) else text.decode()}
    return options


class Rows:
    """Rows of an input; a stream of Arrow batches. Files and bytes are opened afresh each time they are read.

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
    def partitions(self) -> list[str]:
        """The columns that stand in the names of folders, ``day=2026-03-01``."""
        return self._rows.partitions

    @property
    def total_rows(self) -> int | None:
        """The number of rows, where the input tells it before it is read."""
        return self._rows.total_rows

    @property
    def rejected(self) -> int:
        """Rows left out by the last reading so far, with ``on_error="skip"``."""
        return self._rows.rejected

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._rows.__arrow_c_schema__()

    def __repr__(self) -> str:
        return f"<xwalk.Rows {self.format}: {', '.join(self.files)}>"


def open(source: Source, **options: Unpack[ReadOptions]) -> Rows:  # noqa: A001 - the field's word
    """Opens rows of any system.

    `source` is a file, a folder of one format, a pattern (``"events/**/*.parquet"``), a Lance dataset, several files that
    follow each other, bytes, or an object with `read`, which is read in order, once (a response of YTsaurus's client, a
    file of fsspec). A path may be a URI. Options, all as in `xwalk convert`: `format`, `schema` (text, or a `Schema`),
    `select` (paths), `limit`, `batch_rows`, `on_error` (``"fail"`` or ``"skip"``), `unify`, `partitions`, `table`,
    `version`, `storage_options`, `complex_type_mode` and the other modes of YSON.
    Raises IoError, InputError, UsageError.
    """
    return _open(source, {**options})


class Cast:
    """Rows on their way to another schema of Arrow; a stream of batches, once."""

    def __init__(self, rows: _xwalk.CastRows) -> None:
        self._rows = rows

    @property
    def report(self) -> Report:
        """What the cast keeps."""
        return Report(self._rows.report)

    @property
    def rejected(self) -> int:
        """Rows left out so far, with ``on_error="skip"``."""
        return self._rows.rejected

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)


def cast(source: Any, schema: Schema, **options: Any) -> Cast:
    """Casts rows to a schema of Arrow; columns go by name, and a value that does not fit is an error.

    `source` is what `open` returns, whose options hold, or any object with ``__arrow_c_stream__``. Options are those
    that change values, as of `convert`, and `allow`. Raises
    UnsupportedError with the path of a column for which there is no way, or none that keeps its values.
    """
    return Cast(_xwalk.cast(source._rows if isinstance(source, Rows) else source, schema._schema, {**options}))


def parts(source: Path, format: str, bytes: int,
          storage_options: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """Cuts a file of YSON or Parquet into parts of about so many bytes, each to be read by itself.

    Rows that are opened with ``part=`` one of them have the numbers and places that they have in the whole. YSON is
    passed over once. Empty where the file can only be read whole: other formats, compressed files, YSON in a store, YSON
    with control records. Each part says its `first` byte or row group and the `count` of them, its `first_row`, its `rows`, and the
    `line` and `column` where it begins, unless `binary` tokens stand before.
    """
    return _xwalk.parts(os.fspath(source), format, bytes, storage_options or {})


class Converted(NamedTuple):
    """What a conversion did."""

    rows: int
    bytes_read: int
    bytes_written: int
    #: Rows left out: `row`, `path`, `reason`, and `source`, the row as it stood.
    rejected: list[dict[str, Any]]
    #: The schema of the output: what rows without one of their own are read with.
    schema: Schema
    #: Of several outputs, the one that keeps least.
    report: Report
    #: The reports by the names of what was written, where `target` is a folder of files or has `{table}` in it.
    outputs: dict[str, Report] = {}


def convert(source: Any, target: Target, *, target_schema: Schema | None = None,
            **options: Unpack[ConvertOptions]) -> Converted:
    """Moves rows to another system; nothing is under a file's name before all are there.

    `source` is what `open` takes, what it returns, or any object with ``__arrow_c_stream__``. `target` is a path, or an
    object with `write`, which gets the bytes in order; name its format with `to`. Where it ends with `/`, it is a folder in
    which each file of the source becomes one of its name. `target_schema` is the
    schema the output is to have. Options are those of `open` and: `to` (a format), `compression`, `row_group_rows`,
    `partition_by` (columns by whose values the target, a folder, is cut into folders of Parquet or Arrow files),
    `mode` (what becomes of a target that is there: ``create`` refuses it, ``overwrite`` replaces it, ``append`` adds
    rows to Lance, YSON and Skiff, and a file to a folder of Parquet or Arrow), `threads`, `max_rejects`,
    `rejects` (a file), `annotations`, `round`,
    `rename`, `merge_nulls`, `drop_zone`, `duplicate_keys`, `any`, and `allow="lossy"`, which agrees to altered values.
    """
    return _convert(source, target, target_schema, {**options})


def read_yson(source: Source, schema: str | Schema | None = None,
              **options: Unpack[FormatOptions]) -> Rows:
    """Opens YSON rows; without a schema, the one beside the file is used, and else they are inferred by a first pass."""
    return _open(source, {**options, "format": "yson", "schema": schema})


def read_skiff(source: Source, schema: str | Schema | None = None,
               **options: Unpack[FormatOptions]) -> Rows:
    """Opens Skiff rows; the schema stands beside the file, or is given."""
    return _open(source, {**options, "format": "skiff", "schema": schema})


def write_yson(rows: Any, target: Target, schema: Schema | None = None, **options: Unpack[WriteOptions]) -> Converted:
    """Writes rows as YSON, with the table schema beside them."""
    return _convert(rows, target, schema, {**options, "to": "yson"})


def write_skiff(rows: Any, target: Target, schema: Schema | None = None, **options: Unpack[WriteOptions]) -> Converted:
    """Writes rows as Skiff, with the format beside them."""
    return _convert(rows, target, schema, {**options, "to": "skiff"})


def _open(source: Source, options: dict[str, Any]) -> Rows:
    return Rows(_xwalk.Rows(_source(source), _options(options)))


def _convert(source: Any, target: Target, target_schema: Schema | None, options: dict[str, Any]) -> Converted:
    given = source
    if isinstance(source, Rows):
        given = source._rows
    elif not hasattr(source, "__arrow_c_stream__"):
        given = _source(source)
    wanted = None if target_schema is None else target_schema._schema
    out = os.fspath(target) if isinstance(target, (str, os.PathLike)) else target
    done = _xwalk.convert(given, out, _options(options), wanted)
    outputs = {name: Report(report) for name, report in done["outputs"].items()}
    return Converted(**{**done, "schema": Schema(done["schema"]), "report": Report(done["report"]), "outputs": outputs})
