"""Keyword options of the package's functions, for type checkers; the words are those of the program's options."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, Protocol, Sequence, TypedDict, Union

from .schema import Schema

if TYPE_CHECKING:
    from typing_extensions import Buffer


class SupportsRead(Protocol):
    """What a stream of bytes to read must have."""

    def read(self, size: int, /) -> Buffer: ...


class SupportsArrowSchema(Protocol):
    """What an object that has an Arrow schema speaks: the Arrow PyCapsule protocol."""

    def __arrow_c_schema__(self) -> object: ...


#: What `Schema.read` takes.
SchemaSource = Union[Schema, str, bytes, "os.PathLike[str]", "Sequence[str | os.PathLike[str]]", SupportsArrowSchema]


class SupportsWrite(Protocol):
    """What a stream of bytes to write must have."""

    def write(self, data: bytes, /) -> object: ...


class PlanOptions(TypedDict, total=False):
    """How values may change on their way."""

    #: Writes xwalk's annotations where the target keeps field metadata; True unless given.
    annotations: bool
    #: New names, by path: `{"old": "new"}`.
    rename: dict[str, str]
    #: Rounds times and decimals that the target holds less finely.
    round: bool
    #: Makes null of every level of a nested optional.
    merge_nulls: bool
    #: Keeps the instant of a time with a zone, and not the zone.
    drop_zone: bool
    #: What happens to a key that stands twice in one map.
    duplicate_keys: Literal["error", "last", "keep"]
    #: What values of any type (YSON) become where the target has no type for them: bytes, or JSON text.
    any: Literal["yson", "json", "ytjson"]
    #: The release of YTsaurus that a table is for; what it lacks is unsupported. The newest unless given.
    cluster_version: Literal["23.2", "24.1", "24.2", "25.1", "25.2", "25.3", "25.4"]


class RowOptions(TypedDict, total=False):
    """What reading and writing share; how YSON rows write values."""

    #: `skip` leaves bad rows out and counts them.
    on_error: Literal["fail", "skip"]
    #: Threads to use; all cores unless given.
    threads: int
    yson_format: Literal["text", "pretty", "binary"]
    complex_type_mode: Literal["named", "positional"]
    string_keyed_dict_mode: Literal["positional", "named"]
    decimal_mode: Literal["text", "binary"]
    time_mode: Literal["text", "binary"]
    uuid_mode: Literal["text_yql", "text_yt", "binary"]
    uuid_order: Literal["rfc", "raw"]
    #: Zones of `tz_*` values that are written: names, or the numbers that newer clusters store.
    tz_form: Literal["name", "index"]
    decimal_special: Literal["error", "null"]
    skip_null_values: bool
    #: Skiff: the stream must end with its tag, or is to.
    end_of_stream: bool
    #: How the store of a URI is reached: `endpoint`, `region`, `anonymous`, `account`, `timeout`, `connect-timeout`,
    #: `retries`. Secrets come from the store's own variables and profiles.
    storage_options: dict[str, str | bool | float]


class FormatOptions(RowOptions, total=False):
    """How rows of a known format and schema are read."""

    #: Paths of the columns wanted, in the order they are to come.
    select: list[str]
    #: Rows to read.
    limit: int
    #: Rows of a batch, at most.
    batch_rows: int
    #: Bytes that the input may ask for, a number or "512MiB"; 8 GiB unless given. A row may have a 64th of them.
    max_memory: int | str
    #: YSON and Skiff: rows of this table only.
    table: int
    #: YSON and Parquet: one of the parts that `xwalk.rows.parts` has cut the file into.
    part: dict[str, Any]
    #: Lance: the version of the dataset.
    version: int
    #: Skiff: special columns that come behind the others.
    table_index: bool
    range_index: bool
    row_index: bool
    #: Parquet: what INT96 becomes.
    int96_unit: Literal["ns", "us"]


class SourceOptions(FormatOptions, total=False):
    """How rows of a known format are read."""

    #: The schema of rows without one of their own: its text, or a `Schema`.
    schema: str | Schema | None


class ReadOptions(SourceOptions, total=False):
    """How rows are read."""

    #: The format, where the name and the first bytes do not tell.
    format: str
    #: Whether folders named ``day=2024-01-01`` between a folder and its files are columns; they are unless given.
    partitions: bool
    #: Files of different schemas: columns by name, the wider type, nulls where a file has none.
    unify: bool


class WriteOptions(RowOptions, PlanOptions, total=False):
    """How rows are changed and written."""

    #: The format of the output, where its name does not tell.
    to: str
    #: Parquet: none, snappy, zstd, lz4, gzip, brotli; Arrow: none, zstd, lz4.
    compression: str
    #: Attributes of a table on a cluster, in YSON where they are text: `{"optimize_for": "scan"}`.
    yt_attributes: dict[str, str | bool | int | float]
    #: Parquet: rows of a row group.
    row_group_rows: int
    #: Parquet and Arrow: columns by whose values the target, a folder, is cut into folders of files.
    partition_by: list[str]
    #: Lance: what happens to a dataset that is there.
    mode: Literal["create", "append", "overwrite"]
    #: Has the output on the disk before the call returns.
    durable: bool
    #: Rows that may be left out before the conversion fails.
    max_rejects: int
    #: A file for the rows that are left out, with their reasons, as YSON rows.
    rejects: str
    #: Agrees to altered values.
    allow: Literal["lossy"]


class ConvertOptions(ReadOptions, WriteOptions, total=False):
    """How rows are read, changed and written."""


class CheckOptions(SourceOptions, PlanOptions, total=False):
    """How rows would be read and changed."""

    #: Rows that may be left out before the conversion would fail.
    max_rejects: int
    #: Agrees to altered values.
    allow: Literal["lossy"]
