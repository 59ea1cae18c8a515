"""Rows: opening, casting and converting them."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Iterator, Literal, Mapping, NamedTuple, Sequence, Union

from . import _xwalk
from ._errors import Error, UnsupportedError, warn_note
from ._objects import check_again, needed, own_errors, paths_of, source_of, target_of
from ._option_types import ConvertOptions, OpenOptions
from ._options import Path, counted, spelled, takes_options, takes_text, usage_error, visible
from ._pandas import frame_of
from ._progress import Progress, OnProgress, teller
from ._report import Report, html_table
from ._schema import Schema, SchemaSource

if TYPE_CHECKING:
    from typing import Unpack

    import pandas  # type: ignore[import-untyped,unused-ignore]
    import polars
    import pyarrow  # type: ignore[import-untyped,unused-ignore]
    from typing_extensions import Buffer, Self

    from ._options import SupportsArrowStream, SupportsRead, SupportsWrite

__all__ = ["Cast", "Converted", "Path", "Progress", "Rows", "Source", "Target", "Variants", "cast",
           "convert", "for_polars", "format_of", "open", "opened", "parts", "readable", "target_schema_of"]

#: A source of rows: a path, several paths of one schema, bytes, an object with `read`, or Arrow rows.
Source = Union[Path, Sequence[Path], "Buffer", "SupportsRead", "SupportsArrowStream"]
#: A target for rows: a path, or an object with `write`.
Target = Union[Path, "SupportsWrite"]

#: The number of rows, and of letters of a value, that a notebook shows.
_SHOWN_ROWS = 10
_SHOWN_LETTERS = 80

#: How a union or variant is converted for a package without one.
Variants = Union[Literal["struct"], None]


class _Stream:
    """A stream of Arrow batches that pyarrow, Polars and pandas read."""

    _rows: Any  # a property of subclasses: _xwalk.Rows or _xwalk.CastRows

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """Reads all rows into a table of pyarrow."""
        return self._read_by(needed("pyarrow", "to_arrow").table)

    def to_pandas(self) -> pandas.DataFrame:
        """Reads all rows into a data frame of pandas. It uses pyarrow.

        Every value is kept. Integers and booleans have the types of pandas that hold nulls, ``Int64``. Lists, structs and maps of
        integers, instants or durations have types of Arrow. A null among floats is NaN. Without these types:
        ``rows.to_arrow().to_pandas()``.
        """
        needed("pandas", "to_pandas")
        table = needed("pyarrow", "to_pandas").table
        return self._read_by(lambda rows: frame_of(table(rows)))

    def __iter__(self) -> Iterator[pyarrow.RecordBatch]:
        return _Batches(self)

    def _read_by(self, read: Callable[[Self], Any]) -> Any:
        """Has another package read the rows, and raises xwalk's error if they cannot be read."""
        try:
            return read(self)
        except (Error, ImportError, MemoryError):
            raise
        except BaseException as raised:
            # A panic of Rust code is not an Exception.
            if not isinstance(raised, Exception) and type(raised).__name__ != "PanicException":
                raise
            self._raise_own()
            error = UnsupportedError(f"the package cannot hold these rows: {type(raised).__name__}: {raised}")
            error.message = str(error)
            raise error from raised

    def _raise_own(self) -> None:
        """Raises the error that ended the last reading, if one did: other packages make errors of their own of it."""
        try:
            with own_errors(getattr(self, "_given", None)):
                self._rows.raise_failure()
        except Error as own:
            raise own from None


class Rows(_Stream):
    """Rows of an input; a stream of Arrow batches. Files and bytes are opened afresh each time they are read.

    It supports the Arrow PyCapsule protocol: ``pyarrow.table(rows)``, ``polars.DataFrame(rows)`` or DuckDB's
    ``FROM rows`` read it, batch by batch. ``for batch in rows`` gives batches of pyarrow. Threads can share the
    iterator, and each batch goes to one of them. Notebooks show its first rows. ``with`` closes the files.

    Rows of files and bytes can be pickled: they are opened again with the same options.
    """

    def __init__(self, rows: _xwalk.Rows, source: Any = None, options: dict[str, Any] | None = None, given: Any = None) -> None:
        self._open_rows: _xwalk.Rows | None = rows
        self._source = source
        #: What the compiled part reads: paths, bytes, an object with `read`, or Arrow rows.
        self._given = given
        self._options = options or {}

    @property
    def _rows(self) -> _xwalk.Rows:
        if self._open_rows is None:
            raise usage_error("expected open rows, found closed ones: use them within the with block")
        return self._open_rows

    def close(self) -> None:
        """Closes the input. Streams that were made from the rows can still be read."""
        self._open_rows = self._source = self._given = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        if not self._rows.can_read_again:
            raise usage_error("expected rows that can be opened again, found a stream that can be read once",
                              "Open them by a path or from bytes to pickle them.")
        has_paths = isinstance(self._source, (str, os.PathLike, list, tuple))
        return opened, (self._source if has_paths else bytes(self._source), self._options)

    @property
    def schema(self) -> Schema:
        """The schema of the rows, in the system of the input."""
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
        """The columns from names of folders, ``day=2026-03-01``."""
        return self._rows.partitions

    @property
    def total_rows(self) -> int | None:
        """The number of rows if the input records it, else None."""
        return self._rows.total_rows

    @property
    def rejected(self) -> int:
        """How many rows the last reading left out so far, with ``on_error="skip"``."""
        return self._rows.rejected

    def head(self, rows: int = 5) -> Rows:
        """Returns the first rows. Raises UsageError for a stream, which can be read once."""
        return self._again(limit=rows if self._options.get("limit") is None else min(rows, self._options["limit"]))

    def to_polars(self, *, variants: Variants = None) -> polars.DataFrame:
        """Reads all rows into a data frame of Polars. `xwalk.scan` returns a lazy one.

        Polars has no unions. ``variants="struct"`` makes each union or variant a struct with one field per alternative, of which
        exactly one is not null. Without it, a column with a union is an UnsupportedError.
        """
        read = needed("polars", "Rows.to_polars").DataFrame
        frame: polars.DataFrame = for_polars(self, variants)._read_by(read)
        return frame

    def _again(self, **options: Any) -> Rows:
        """Returns the same rows with other options."""
        if not self._rows.can_read_again:
            raise usage_error("these rows can be read once: open them with limit= or select= in the first place")
        return opened(self._source, {**self._as_opened(), **options})

    def _as_opened(self) -> dict[str, Any]:
        """Returns the options with the schema that opening inferred, so that fewer rows do not get another one."""
        inferred = self._rows.inferred
        return self._options if inferred is None else {**self._options, "schema": inferred}

    @property
    def notes(self) -> list[dict[str, str]]:
        """Facts about the rows that no schema shows, from opening and from the last reading so far: `path`, `rule`, `found`.

        Those of the rows are also a `NoteWarning` each, after the last row of a stream.
        """
        import json  # which takes its time to load

        notes: list[dict[str, str]] = json.loads(self._rows.notes)
        return notes

    def __arrow_c_schema__(self) -> object:
        return self._rows.__arrow_c_schema__()

    def __repr__(self) -> str:
        if self._open_rows is None:
            return "<xwalk.Rows: closed>"
        return f"<xwalk.Rows {self.format}: {', '.join(self.files)}>"

    def _repr_html_(self) -> str:
        from html import escape

        def clipped(value: object) -> str:
            text = "null" if value is None else str(value)
            return escape(text if len(text) <= _SHOWN_LETTERS else text[:_SHOWN_LETTERS] + "…")

        try:
            import pyarrow
        except ImportError:
            return f"<p>{escape(repr(self))}: {escape(', '.join(self.schema.names))}</p>"
        # pyarrow has no names that are not UTF-8.
        names = map(visible, self._rows.schema.names)
        head = [f"{escape(name)}<br><small>{escape(str(kind))}</small>" for name, kind in zip(names, pyarrow.schema(self).types)]
        rows, more = [], "a stream, which can be read once"
        if self._rows.can_read_again:
            table = self.head(_SHOWN_ROWS + 1).to_arrow()
            for batch in table[:_SHOWN_ROWS].to_batches():
                structs = batch.to_struct_array()
                columns = [structs.field(i).to_pylist() for i in range(batch.num_columns)]
                rows += [[clipped(value) for value in row] for row in zip(*columns)]
            count = "more rows" if self.total_rows is None else counted(self.total_rows, "row")
            more = count if table.num_rows > _SHOWN_ROWS else counted(table.num_rows, "row")
        return html_table(f"{self.format}: {', '.join(self.files)}, {more}", head, rows)


class _Batches:
    """The batches of a stream, as those of pyarrow."""

    def __init__(self, rows: _Stream) -> None:
        self._rows = rows
        self._batches = rows._read_by(needed("pyarrow", "a loop over rows").RecordBatchReader.from_stream)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> pyarrow.RecordBatch:
        try:
            return self._batches.read_next_batch()
        except StopIteration:
            raise
        except Exception:
            self._rows._raise_own()
            raise


@takes_options
def open(  # noqa: A001 - the usual name
    source: Source,
    *,
    engine: Literal["auto", "process"] = "auto",
    **options: Unpack[OpenOptions],
) -> Rows:
    """Opens rows of any system.

    `source` is a file, a folder of one format, a pattern (``"events/**/*.parquet"``), a Lance dataset, several files,
    bytes, an object with `read`, which is read once (a response of YTsaurus's client, a file of fsspec), or Arrow rows as for
    `convert`. A path may be a URI. Rows of Lance and Vortex are read in this interpreter if it has their packages; ``engine="process"`` uses a separate
    process. Raises IoError, InputError, UsageError. Options are those of `xwalk convert`:
    """
    return opened(source, {"engine": engine, **options})


def opened(source: Any, options: dict[str, Any]) -> Rows:
    """Opens rows with the options of another call."""
    settings = spelled(options)
    given = source_of(source, settings)
    with own_errors(given):
        return Rows(_xwalk.Rows(given, settings), source, settings, given)


def readable(source: Any, options: dict[str, Any]) -> Rows:
    """Returns the rows of a source, which may be open."""
    return source if isinstance(source, Rows) else opened(source, options)


class Cast(_Stream):
    """Rows on their way to another schema of Arrow; a stream of batches, once."""

    _rows: _xwalk.CastRows

    def __init__(self, rows: _xwalk.CastRows) -> None:
        self._rows = rows

    @property
    def report(self) -> Report:
        """The report of the cast."""
        return Report(self._rows.report)

    @property
    def rejected(self) -> int:
        """How many rows were left out so far, with ``on_error="skip"``."""
        return self._rows.rejected


def for_polars(rows: Rows, variants: Variants) -> _Stream:
    """Returns rows that Polars can hold. Raises UnsupportedError for unions that may not become structs."""
    if variants not in (None, "struct"):
        raise usage_error(f"variants: expected \"struct\" or None, found {variants!r}")
    plain, unions = rows._rows.schema.without_unions()
    if not unions:
        return rows
    if variants is None:
        error = UnsupportedError(f"{unions[0]}: Polars has no unions\n  Use to_polars(variants=\"struct\") or scan(…, "
                                 "variants=\"struct\") for structs with one field per alternative, or exclude= to leave the "
                                 "column out.")
        error.message, error.path = "Polars has no unions", unions[0]
        raise error
    return host_types(rows, plain)


def host_types(source: Any, schema: Any) -> Cast:
    """Casts rows to the types that a host has for theirs, or back: a UUID is bytes there, a union is a struct."""
    return Cast(_xwalk.cast(source._rows if isinstance(source, Rows) else source, schema, {}, True))


def cast(source: Any, schema: Schema, **options: Any) -> Cast:
    """Casts rows to an Arrow schema. Columns are matched by name, and a value that does not fit is an error.

    `source` is a result of `open`, whose options apply, or any object with ``__arrow_c_stream__``. Options are `allow` and
    those of `convert` that change values. Raises UnsupportedError with the path of a column that cannot be cast, or only
    with changed values.
    """
    return Cast(_xwalk.cast(source._rows if isinstance(source, Rows) else source, schema._schema, spelled(options)))


@takes_text
def parts(
    path: Path,
    *,
    split_bytes: int = 64 << 20,
    format: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> list[dict[str, Any] | None]:
    """Cuts a file of YSON, JSON lines or Parquet into parts of about `split_bytes`. ``xwalk.open(path, part=part)`` reads one.

    Rows of a part have the row numbers and places that they have in the whole file. YSON and JSON are scanned once. A file that
    can only be read whole is one part, None: other formats, compressed files, YSON or JSON in a store or with control records,
    and files that are not larger than one part. Other parts are mappings of plain values, which can be sent to other processes:
    the `first` byte or row group and the `count` of them, the `first_row`, the `rows`, and the `line` and `column` of the begin.
    """
    if split_bytes < 1:
        raise usage_error(f"split_bytes: expected an integer from 1, found {split_bytes}")
    name, storage = os.fspath(path), dict(storage_options or {})
    word = format or _xwalk.format_of_name(name) or opened(path, {"storage_options": storage}).format
    cut: list[dict[str, Any] | None] = [*_xwalk.parts(name, word, split_bytes, storage)]
    return cut or [None]


class Converted(NamedTuple):
    """The result of a conversion."""

    rows: int
    bytes_read: int
    bytes_written: int
    #: How many rows were left out.
    rejected: int
    #: The rows that were left out: `row`, `path`, `reason`, and `source`, the bytes of the row.
    rejects: list[dict[str, Any]]
    #: The schema of the output, for reading rows that do not contain one.
    schema: Schema
    #: The report; for several outputs, the worst one.
    report: Report
    #: The reports by output name, if `target` is a folder of files or contains `{table}`.
    outputs: dict[str, Report] = {}

    def _repr_html_(self) -> str:
        rejected = f", {self.rejected:,} rejected" if self.rejected else ""
        return f"<p>{counted(self.rows, 'row')}{rejected}, {self.bytes_written:,} bytes written</p>{self.report._repr_html_()}"


def _without_layout(kind: str) -> str:
    """Returns the type with the same values and the usual layout."""
    return kind.replace("large_", "").replace("_view", "")


def format_of(target: Any, options: dict[str, Any]) -> str | None:
    """Returns the word for the format of an output, or None if nothing names it."""
    return options.get("to") or _xwalk.format_of_name(str(getattr(target, "path", target))) or None


def target_schema_of(given: Any, to: str | None, options: dict[str, Any]) -> _xwalk.Schema:
    """Returns the schema of an output. An Arrow schema of another package is converted to the output's system. Types that this
    system has not become casts, so that values are those of the types, and a `NoteWarning` if the output does not give them back."""
    schema = Schema.read(given)
    if isinstance(given, Schema) or schema.system != "arrow":
        return schema._schema
    requested, (schema, report) = schema, schema.to(to or "arrow")
    stored = {(path, _without_layout(kind)) for path, kind in _xwalk.Schema.from_arrow(schema).columns()}
    casts = {path: kind for path, kind in requested._schema.columns() if (path, _without_layout(kind)) not in stored}
    if casts:
        options["cast"] = {**casts, **(options.get("cast") or {})}
    kept = {path for path, _ in requested._schema.columns()} - casts.keys()
    for path in report.to_dict()["paths"]:
        kind = path.get("source", "")
        outer = kind.partition("<")[0]
        if path["type"] == "changed" and path["path"] not in kept and outer == _without_layout(outer):
            warn_note(f"{path['path']}: {schema.system} has no {kind}, and stores {path['target']}. Values are checked as {kind}")
    return schema._schema


@takes_options
def convert(
    source: Any,
    target: Target,
    *,
    target_schema: SchemaSource | None = None,
    progress: OnProgress = None,
    engine: Literal["auto", "process"] = "auto",
    **options: Unpack[ConvertOptions],
) -> Converted:
    """Converts rows to another format. A file appears only when it is complete.

    `source` is a source or a result of `open`, or Arrow rows: any object with ``__arrow_c_stream__``, a data frame of Polars
    (also lazy) or pandas, a table, reader or dataset of pyarrow, a dataset of Hugging Face, a table or scan of Delta Lake or
    PyIceberg, and other objects with `to_arrow`. `target` is a path, or an object with `write`, which gets
    the bytes in order; name its format with `to`. A path that ends with `/` is a folder in which each file of the source
    keeps its name; with `partition_by`, a folder of folders. `target_schema` is the schema of the output, or a source for
    `Schema.read`. `progress` is called with a `Progress` several times per second; True shows a bar of tqdm. An existing
    output is refused. ``mode="overwrite"`` replaces it; ``mode="append"`` adds rows to Lance, YSON and Skiff, and a file to a
    folder of Parquet or Arrow. ``allow="lossy"`` accepts changed values.
    """
    settings = spelled({"engine": engine, **options})
    if isinstance(source, Rows):
        given = source._rows
    else:
        given = source_of(source, settings)
    again = None
    if settings.get("verify") and not isinstance(source, Rows) and paths_of(source) is None:
        check_again(source)
        again = partial(source_of, source, settings)
    wanted = None if target_schema is None else target_schema_of(target_schema, format_of(target, settings), settings)
    with own_errors(given), target_of(target, settings) as out, teller(progress) as tell:
        done = _xwalk.convert(given, out, settings, wanted, tell, again)
        if tell is not None:
            tell({"rows": done["rows"], "rejected": len(done["rejects"]), "bytes_read": done["bytes_read"],
                  "bytes_written": done["bytes_written"], "total_rows": done["rows"], "total_bytes": done["bytes_read"]})
    outputs = {name: Report(report) for name, report in done["outputs"].items()}
    return Converted(**{**done, "rejected": len(done["rejects"]), "schema": Schema(done["schema"]), "report": Report(done["report"]), "outputs": outputs})
