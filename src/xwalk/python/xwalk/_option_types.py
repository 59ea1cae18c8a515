"""The options of each function, for type checkers and editors. Generated: run tests/python/options_test.py --update."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict

from ._options import Path, SupportsArrowSchema, SupportsDump


class FilesOptions(TypedDict, total=False):
    """Options of how files are found and reached, for `compat`, `diff` and `merge`."""

    require_schema: bool
    partitions: bool
    unify: bool
    storage_options: Mapping[str, Any] | None


class ReadOptions(FilesOptions, total=False):
    """Options of rows that are read."""

    schema: str | Path | SupportsDump | SupportsArrowSchema | Mapping[str, Any] | None
    save_schema: Path | None
    select: str | Sequence[str] | None
    exclude: str | Sequence[str] | None
    limit: int | None
    sample: int | float | str | None
    seed: int | None
    tail: int | None
    batch_rows: int | None
    max_memory: int | str
    table: int | None
    version: int | str | None
    follow: str | Sequence[str] | None
    table_index: bool
    range_index: bool
    row_index: bool
    int96_unit: Literal["ns", "us"]
    threads: int | None
    yson_format: Literal["text", "pretty", "binary"]
    complex_type_mode: Literal["named", "positional"]
    string_keyed_dict_mode: Literal["positional", "named"]
    decimal_mode: Literal["binary", "text"] | None
    time_mode: Literal["binary", "text"] | None
    uuid_mode: Literal["binary", "text_yql", "text_yt"] | None
    uuid_order: Literal["rfc", "raw"]
    tz_form: Literal["name", "index"]
    decimal_special: Literal["error", "null"]
    skip_null_values: bool
    end_of_stream: bool


class ScanOptions(ReadOptions, total=False):
    """Options of `scan`."""

    format: str | None
    on_error: Literal["fail", "skip"] | None


class OpenOptions(ScanOptions, total=False):
    """Options of `open`."""

    part: Mapping[str, Any] | None


class InfoOptions(ReadOptions, total=False):
    """Options of `info`."""

    part: Mapping[str, Any] | None


class ValidateOptions(ReadOptions, total=False):
    """Options of `validate`."""

    rename: Mapping[str, Any] | None
    cast: Mapping[str, Any] | None


class SchemaOptions(InfoOptions, total=False):
    """Options of `Schema.read`."""

    on_error: Literal["fail", "skip"] | None


class PlanOptions(TypedDict, total=False):
    """Options of `Schema.to`."""

    rename: Mapping[str, Any] | None
    cast: Mapping[str, Any] | None
    annotations: bool
    round: bool
    merge_nulls: bool
    drop_zone: bool
    variant_values: Literal["error", "text", "number"]
    duplicate_keys: Literal["error", "last", "keep"]
    any: Literal["yson", "json", "ytjson", "variant"] | None
    cluster_version: str | None
    lance_version: str | None
    vortex_edition: str | None
    for_reader: str | Sequence[str] | None
    csv_formulas: Literal["keep", "escape", "refuse"]


class CheckOptions(SchemaOptions, PlanOptions, total=False):
    """Options of `check`."""

    allow: Literal["lossy"] | None
    max_rejects: int | float | str | None


class ConvertOptions(OpenOptions, PlanOptions, total=False):
    """Options of `convert` and `verify`."""

    to: str | None
    compression: str | None
    row_group_rows: int | None
    geoparquet: bool
    shred: Mapping[str, Any] | Literal["auto"] | None
    partition_by: str | Sequence[str] | None
    mode: Literal["create", "append", "append-again", "upsert", "overwrite"] | None
    key: str | Sequence[str] | None
    evolve: bool
    durable: bool
    yt_attributes: Mapping[str, Any] | None
    yt_writers: int | None
    verify: bool
    resume: bool
    jobs: int | None
    allow: Literal["lossy"] | None
    max_rejects: int | float | str | None
    rejects: Path | None
