"""Rows: opening, converting, and the shorthands for YSON and Skiff."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Literal, Mapping, NamedTuple, Sequence, Union

from . import _xwalk
from .objects import needed, source_of, stream_of, target_of
from .options import Path, spelled, takes_options, usage_error
from .progress import Progress, Told, teller
from .report import Report
from .schema import Schema

if TYPE_CHECKING:
    import polars
    from typing_extensions import Buffer

    from .options import SupportsRead, SupportsWrite

__all__ = ["Cast", "Converted", "Path", "Progress", "Rows", "Source", "Target", "cast", "convert", "open", "parts",
           "read_skiff", "read_yson", "scan", "write_skiff", "write_yson"]

#: Where rows come from: a path, several of one schema, bytes, or an object with `read`.
Source = Union[Path, Sequence[Path], "Buffer", "SupportsRead"]
#: Where rows go: a path, or an object with `write`.
Target = Union[Path, "SupportsWrite"]

#: Rows and letters of a value that a notebook shows.
_SHOWN_ROWS = 10
_SHOWN_LETTERS = 80


class Rows:
    """Rows of an input; a stream of Arrow batches. Files and bytes are opened afresh each time they are read.

    It speaks the Arrow PyCapsule protocol: ``pyarrow.table(rows)``, ``polars.DataFrame(rows)`` or DuckDB's
    ``FROM rows`` read it, batch by batch. ``for batch in rows`` gives batches of pyarrow; threads that share the iterator
    take turns, and each batch goes to one of them. In a notebook its first rows are shown.
    """

    def __init__(self, rows: _xwalk.Rows, source: Any = None, options: dict[str, Any] | None = None) -> None:
        self._rows = rows
        self._source = source
        self._options = options or {}

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

    def head(self, rows: int = 5) -> Rows:
        """Returns the first rows. Raises UsageError for a stream, which can be read once."""
        return self._again(limit=rows if self._options.get("limit") is None else min(rows, self._options["limit"]))

    def to_arrow(self) -> Any:
        """Reads all rows into a table of pyarrow."""
        return needed("pyarrow", "Rows.to_arrow").table(self)

    def to_polars(self) -> polars.DataFrame:
        """Reads all rows into a data frame of Polars; `xwalk.scan` gives a lazy one."""
        frame: polars.DataFrame = needed("polars", "Rows.to_polars").DataFrame(self)
        return frame

    def to_pandas(self) -> Any:
        """Reads all rows into a data frame of pandas, by way of pyarrow."""
        needed("pandas", "Rows.to_pandas")
        return needed("pyarrow", "Rows.to_pandas").table(self).to_pandas()

    def _again(self, **options: Any) -> Rows:
        """Returns the same rows with other options."""
        if not self._rows.can_read_again:
            raise usage_error("these rows can be read once: open them with limit= or select= in the first place")
        return _open(self._source, {**self._options, **options})

    def __iter__(self) -> Iterator[Any]:
        return iter(needed("pyarrow", "a loop over rows").RecordBatchReader.from_stream(self))

    @property
    def notes(self) -> list[dict[str, str]]:
        """What opening the rows, and the last reading of them so far, met that no schema tells: `path`, `rule`, `found`.

        Those of the rows are a `NoteWarning` each, too, behind the last row of a stream.
        """
        import json  # which takes its time to load

        notes: list[dict[str, str]] = json.loads(self._rows.notes)
        return notes

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._rows.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._rows.__arrow_c_schema__()

    def __repr__(self) -> str:
        return f"<xwalk.Rows {self.format}: {', '.join(self.files)}>"

    def _repr_html_(self) -> str:
        from html import escape

        def clipped(value: object) -> str:
            text = "null" if value is None else str(value)
            return escape(text if len(text) <= _SHOWN_LETTERS else text[:_SHOWN_LETTERS] + "…")

        def line(cells: list[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag} style='text-align:left'>{cell}</{tag}>" for cell in cells) + "</tr>"

        try:
            import pyarrow  # type: ignore[import-untyped]
        except ImportError:
            return f"<p>{escape(repr(self))}: {escape(', '.join(self.schema.names))}</p>"
        head = [f"{escape(field.name)}<br><small>{escape(str(field.type))}</small>" for field in pyarrow.schema(self)]
        rows, more = [], "a stream, which can be read once"
        if self._rows.can_read_again:
            table = self.head(_SHOWN_ROWS + 1).to_arrow()
            rows = [line([clipped(value) for value in row.values()], "td") for row in table[:_SHOWN_ROWS].to_pylist()]
            count = "more rows" if self.total_rows is None else f"{self.total_rows:,} rows".replace(",", " ")
            more = count if table.num_rows > _SHOWN_ROWS else f"{table.num_rows} rows"
        return (f"<p>{escape(self.format)}: {escape(', '.join(self.files))}, {more}</p>"
                f"<table><thead>{line(head, 'th')}</thead><tbody>{''.join(rows)}</tbody></table>")


@takes_options
def open(  # noqa: A001 - the field's word
    source: Source,
    *,
    engine: Literal["auto", "process"] = "auto",
    # <options: source rows work values>
    # What the input is.
    format: str | None = None,
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
) -> Rows:
    """Opens rows of any system.

    `source` is a file, a folder of one format, a pattern (``"events/**/*.parquet"``), a Lance dataset, several files that
    follow each other, bytes, or an object with `read`, which is read in order, once (a response of YTsaurus's client, a
    file of fsspec). A path may be a URI. Rows of Lance and Vortex come from their packages in this interpreter, where it has
    them; ``engine="process"`` has them read by a process of their own. Raises IoError, InputError, UsageError. Options are those of `xwalk convert`:
    """
    options = locals()
    return _open(options.pop("source"), options)


@takes_options
def scan(
    source: Source,
    *,
    engine: Literal["auto", "process"] = "auto",
    # <options: source rows work values; not part>
    # What the input is.
    format: str | None = None,
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
) -> polars.LazyFrame:
    """Returns the rows of any system as a lazy frame of Polars; they are read when it is collected, each time anew.

    `source` is what `open` takes, but for objects with `read`, which can be read once. Columns that a query does not use
    are not read, nor rows behind those it asks for; filters are applied to each batch as it comes. ``frame.xwalk.sink(target)``
    writes a lazy frame as `convert` does. Raises as `open`. Options are those of `open`:
    """
    options = locals()
    needed("polars", "xwalk.scan")
    from .polars import lazy

    return lazy(options.pop("source"), spelled(options))


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
    return Cast(_xwalk.cast(source._rows if isinstance(source, Rows) else source, schema._schema, spelled(options)))


def parts(source: Path, format: str, bytes: int,
          storage_options: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """Cuts a file of YSON, JSON lines or Parquet into parts of about so many bytes, each to be read by itself.

    Rows that are opened with ``part=`` one of them have the numbers and places that they have in the whole. YSON and
    JSON are passed over once. Empty where the file can only be read whole: other formats, compressed files, YSON or JSON
    in a store or with control records. Each part says its `first` byte or row group and the `count` of them, its `first_row`, its `rows`, and the
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


@takes_options
def convert(
    source: Any,
    target: Target,
    *,
    target_schema: Schema | str | None = None,
    progress: Told = None,
    engine: Literal["auto", "process"] = "auto",
    # <options: source rows output changes consent work values>
    # What the input is.
    format: str | None = None,
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
    # What the output is.
    to: str | None = None,
    compression: str | None = None,
    row_group_rows: int | None = None,
    partition_by: str | Sequence[str] | None = None,
    mode: Literal["create", "append", "overwrite"] | None = None,
    durable: bool = False,
    yt_attributes: Mapping[str, Any] | None = None,
    yt_writers: int | None = 1,
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
    rejects: Path | None = None,
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
) -> Converted:
    """Moves rows to another system; nothing is under a file's name before all are there.

    `source` is what `open` takes, what it returns, or rows of Arrow: any object with ``__arrow_c_stream__``, a data frame of
    Polars, lazy or not, or of pandas, a table, reader or dataset of pyarrow. `target` is a path, or an
    object with `write`, which gets the bytes in order; name its format with `to`. Where it ends with `/`, it is a folder in
    which each file of the source becomes one of its name; with `partition_by`, a folder of folders. `target_schema` is the
    schema the output is to have, or what `Schema.read` takes. `progress` is called with a `Progress` some times a second;
    True shows a bar of tqdm. What is there is refused; ``mode="overwrite"`` replaces it, ``mode="append"`` adds
    rows to Lance, YSON and Skiff, and a file to a folder of Parquet or Arrow. ``allow="lossy"`` agrees to altered values.
    """
    options = locals()
    source, target, target_schema, progress = map(options.pop, ("source", "target", "target_schema", "progress"))
    return _convert(source, target, target_schema, progress, options)


@takes_options
def read_yson(
    source: Source,
    schema: str | Schema | None = None,
    *,
    # <options: rows work values>
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
) -> Rows:
    """Opens YSON rows; without a schema, the one beside the file is used, and else they are inferred by a first pass."""
    options = locals()
    return _open(options.pop("source"), {**options, "format": "yson"})


@takes_options
def read_skiff(
    source: Source,
    schema: str | Schema | None = None,
    *,
    # <options: rows work values>
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
) -> Rows:
    """Opens Skiff rows; the schema stands beside the file, or is given."""
    options = locals()
    return _open(options.pop("source"), {**options, "format": "skiff"})


@takes_options
def write_yson(
    rows: Any,
    target: Target,
    schema: Schema | None = None,
    *,
    progress: Told = None,
    engine: Literal["auto", "process"] = "auto",
    # <options: output changes consent work values; not to>
    # What the output is.
    compression: str | None = None,
    row_group_rows: int | None = None,
    partition_by: str | Sequence[str] | None = None,
    mode: Literal["create", "append", "overwrite"] | None = None,
    durable: bool = False,
    yt_attributes: Mapping[str, Any] | None = None,
    yt_writers: int | None = 1,
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
    rejects: Path | None = None,
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
) -> Converted:
    """Writes rows as YSON, with the table schema beside them."""
    options = locals()
    rows, target, schema, progress = map(options.pop, ("rows", "target", "schema", "progress"))
    return _convert(rows, target, schema, progress, {**options, "to": "yson"})


@takes_options
def write_skiff(
    rows: Any,
    target: Target,
    schema: Schema | None = None,
    *,
    progress: Told = None,
    engine: Literal["auto", "process"] = "auto",
    # <options: output changes consent work values; not to>
    # What the output is.
    compression: str | None = None,
    row_group_rows: int | None = None,
    partition_by: str | Sequence[str] | None = None,
    mode: Literal["create", "append", "overwrite"] | None = None,
    durable: bool = False,
    yt_attributes: Mapping[str, Any] | None = None,
    yt_writers: int | None = 1,
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
    rejects: Path | None = None,
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
) -> Converted:
    """Writes rows as Skiff, with the format beside them."""
    options = locals()
    rows, target, schema, progress = map(options.pop, ("rows", "target", "schema", "progress"))
    return _convert(rows, target, schema, progress, {**options, "to": "skiff"})


def _open(source: Any, options: dict[str, Any]) -> Rows:
    words = spelled(options)
    return Rows(_xwalk.Rows(source_of(source, words), words), source, words)


def _readable(source: Any, options: dict[str, Any]) -> Any:
    """Returns what the compiled part reads rows from; options are those of files."""
    if isinstance(source, Rows):
        return source._rows
    stream = stream_of(source)
    return _open(source, options)._rows if stream is None else stream


def _convert(source: Any, target: Any, target_schema: Any, progress: Told, options: dict[str, Any]) -> Converted:
    words = spelled(options)
    if isinstance(source, Rows):
        given = source._rows
    else:
        stream = stream_of(source)
        given = source_of(source, words) if stream is None else stream
    wanted = None if target_schema is None else Schema.read(target_schema)._schema
    with target_of(target, words) as out, teller(progress) as tell:
        done = _xwalk.convert(given, out, words, wanted, tell)
        if tell is not None:
            tell({"rows": done["rows"], "bad_rows": len(done["rejected"]), "bytes_read": done["bytes_read"],
                  "bytes_written": done["bytes_written"], "total_rows": done["rows"], "total_bytes": done["bytes_read"]})
    outputs = {name: Report(report) for name, report in done["outputs"].items()}
    return Converted(**{**done, "schema": Schema(done["schema"]), "report": Report(done["report"]), "outputs": outputs})
