"""Reading and writing on Ray: `read` makes a dataset of Ray, `write` writes one."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Literal, Mapping, Sequence, Union

for _needed in ("pyarrow", "ray", "ray.data"):
    if find_spec(_needed) is None:
        raise ImportError('xwalk.ray needs Ray with its part for data, and pyarrow: pip install "ray[data]" pyarrow')

import pyarrow as pa  # type: ignore[import-untyped]  # noqa: E402
import ray.data  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
from ray.data.block import BlockAccessor, BlockMetadata  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
from ray.data.datasource import Datasink, Datasource, ReadTask  # type: ignore[import-not-found,unused-ignore]  # noqa: E402
from ray.exceptions import RayTaskError  # type: ignore[import-not-found,unused-ignore]  # noqa: E402

from . import _xwalk  # noqa: E402
from ._errors import Error, InputError, UnsupportedError  # noqa: E402
from ._option_types import ConvertOptions, OpenOptions, PlanOptions  # noqa: E402
from ._options import Path, expect_word, spelled, takes_options, usage_error  # noqa: E402
from ._report import Proof, Report  # noqa: E402
from ._rows import target_schema_of  # noqa: E402
from ._schema import Schema, SchemaSource  # noqa: E402
from ._task_folder import FilePart, found_files, place  # noqa: E402
from ._task_read import SPLIT_BYTES, TASK_DEFAULTS, PlannedRead, TaskReader, arrow_of, cast_to, changes_of_reading, fitted, log_report, open_rows  # noqa: E402
from ._task_verify import AddUp, SidePart, SideSums, TaskVerifier  # noqa: E402
from ._task_write import TaskWriter, Written  # noqa: E402

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["XwalkDatasink", "XwalkDatasource", "read", "verify", "write"]


class RayReadOptions(OpenOptions, PlanOptions, total=False):
    """Options of `read`."""

    allow: Literal["lossy"] | None
    rejects: Path | None


_LOG = logging.getLogger("xwalk.ray")
#: Metadata key of a column in Ray: what reading changed in it.
_READ = b"xwalk.read"
#: What Ray has instead of options that would apply to the rows of each task.
_INSTEAD = {"limit": "Dataset.limit", "sample": "Dataset.random_sample", "seed": "Dataset.random_sample",
            "rename": "Dataset.rename_columns", "cast": "Dataset.map_batches",
            "part": "split_bytes"}


def _refuse(options: Mapping[str, Any], writing: bool) -> None:
    """Raises UsageError for options that tasks cannot obey. They are the same as on Spark."""
    for name, always, reading in _xwalk.not_on_spark():
        if options.get(name) is not None and name not in ("to", "mode") and (always or (reading and not writing)):
            raise usage_error(f"there is no option {name!r} for {'writing' if writing else 'reading'} on Ray",
                              f"Use {_INSTEAD.get(name, 'xwalk.convert')}.")
    for name, instead in (("format", "to"), ("schema", "target_schema")) if writing else ():
        if options.get(name) is not None:
            raise usage_error(f"the option {name!r} is that of an input", f"Use {instead}.")


def _with_changes(field: pa.Field, changes: str | None) -> pa.Field:
    """Returns a column that stores what reading changed in it, or one that does not."""
    metadata = {key: value for key, value in (field.metadata or {}).items() if key != _READ}
    return field.with_metadata({**metadata, **({} if changes is None else {_READ: changes.encode()})} or None)


#: Kinds of types of which one holds the values of another.
_KINDS = ((pa.types.is_integer,), (pa.types.is_floating,), (pa.types.is_decimal,), (pa.types.is_date,),
          (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
          (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary),
          (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list))


def _holds(own: pa.DataType, wanted: pa.DataType) -> bool:
    """Returns true if values of a type mean the same as another one: a time without a zone is no instant, and a text no number."""
    if pa.types.is_dictionary(own):
        own = own.value_type
    if pa.types.is_dictionary(wanted):
        wanted = wanted.value_type
    if own.equals(wanted) or pa.types.is_null(own):
        return True
    if pa.types.is_timestamp(own) and pa.types.is_timestamp(wanted):
        return (own.tz is None) == (wanted.tz is None)
    if pa.types.is_struct(own) and pa.types.is_struct(wanted):
        fields = [(own.field(name), wanted.field(name)) for name in own.names if wanted.get_field_index(name) >= 0]
        return len(fields) == own.num_fields and all(_holds(one.type, other.type) for one, other in fields)
    if pa.types.is_map(own) and pa.types.is_map(wanted):
        return _holds(own.key_type, wanted.key_type) and _holds(own.item_type, wanted.item_type)
    if any(any(one(own) for one in kind) and any(one(wanted) for one in kind) for kind in _KINDS):
        return not hasattr(own, "value_type") or _holds(own.value_type, wanted.value_type)
    return bool(own.id == wanted.id)


class XwalkDatasource(Datasource):  # type: ignore[misc,unused-ignore]
    """The source of `read`, for ``ray.data.read_datasource``. `report` has the verdicts of all columns.

    Raises UnsupportedError for a column that changes values, unless ``allow="lossy"``.
    """

    def __init__(self, paths: Sequence[str], options: dict[str, Any]) -> None:
        super().__init__()
        found = found_files([place(path) for path in paths])
        rows = open_rows(found, options)
        schema = arrow_of(rows, options)
        self.report: Report = cast_to(rows, schema).report
        log_report(self.report, _LOG)
        self._reader = TaskReader(found, schema, options, _LOG, PlannedRead.of(rows))
        changes = changes_of_reading(rows, schema, self.report)
        self._schema = pa.schema([_with_changes(field, changes.get(field.name)) for field in schema], schema.metadata)
        self._parts: list[FilePart] = []

    def get_name(self) -> str:
        return "Xwalk"

    def estimate_inmemory_data_size(self) -> int | None:
        return self._reader.total_bytes()

    def get_read_tasks(self, parallelism: int, per_task_row_limit: int | None = None,
                       data_context: Any = None) -> list[ReadTask]:
        # Ray asks more than once.
        parts = self._parts = self._parts or self._reader.parts()
        tasks = max(1, min(parallelism, len(parts)))
        bounds = [number * len(parts) // tasks for number in range(tasks + 1)]
        return [self._task(parts[first:last], per_task_row_limit) for first, last in zip(bounds, bounds[1:])]

    def _task(self, parts: list[FilePart], row_limit: int | None) -> ReadTask:
        reader, schema = self._reader, self._schema

        def batches() -> Iterator[pa.Table]:
            for part in parts:
                for batch in reader.read(part):
                    yield pa.Table.from_arrays(batch.columns, schema=schema)

        metadata = BlockMetadata(num_rows=None, size_bytes=None, input_files=[part.path for part in parts], exec_stats=None)
        return ReadTask(batches, metadata, schema=self._schema, per_task_row_limit=row_limit)


class XwalkDatasink(Datasink):  # type: ignore[misc,type-arg,unused-ignore]
    """The target of `write`, for ``Dataset.write_datasink``. Files appear when all tasks are complete."""

    def __init__(self, folder: str, schema: pa.Schema, overwrite: bool, options: dict[str, Any],
                 min_rows_per_file: int | None = None) -> None:
        readings = {field.name: field.metadata[_READ].decode() for field in schema if _READ in (field.metadata or {})}
        self._schema = pa.schema([_with_changes(field, None) for field in schema], schema.metadata)
        self._writer = TaskWriter(folder, self._schema, overwrite, options, _LOG, readings=readings)
        self._min_rows = min_rows_per_file
        self._written: list[Written] = []
        self.report: Report = self._writer.report

    def get_name(self) -> str:
        return "Xwalk"

    @property
    def min_rows_per_write(self) -> int | None:
        return self._min_rows

    def write(self, blocks: Iterable[Any], ctx: Any) -> Written:
        return self._writer.write(self._batches(blocks), ctx.task_idx)

    def _batches(self, blocks: Iterable[Any]) -> Iterator[pa.RecordBatch]:
        for block in blocks:
            table = BlockAccessor.for_block(block).to_arrow()
            if table.num_rows == 0:
                continue
            try:
                table = table.select(self._schema.names)
                for own, wanted in zip(table.schema, self._schema):
                    if not _holds(own.type, wanted.type):
                        raise InputError(f"{own.name}: expected blocks of {wanted.type}, found {own.type}: Ray makes other values of rows that "
                                         'pass through Python; use map_batches(…, batch_format="pyarrow")')
                for batch in table.to_batches():
                    yield fitted(batch, self._schema)
            except (KeyError, ValueError, pa.ArrowException) as error:
                raise InputError(f"expected blocks with the schema of the dataset, {', '.join(map(str, self._schema))}; found "
                                 f"{', '.join(map(str, table.schema))}: {error}") from None

    def on_write_complete(self, write_result: Any) -> None:
        self._written = [written for written in write_result.write_returns if written is not None]
        self._writer.commit(self._written)

    def on_write_failed(self, error: BaseException) -> None:
        self._writer.abort(self._written)


@takes_options
def read(
    paths: Union[Path, Sequence[Path]],
    *,
    split_bytes: int = SPLIT_BYTES,
    ray_options: Mapping[str, Any] | None = None,
    **options: Unpack[RayReadOptions],
) -> ray.data.Dataset:
    """Returns the rows of files as a dataset of Ray, read by its tasks.

    `paths` are files, folders, patterns, Lance datasets or URIs that every node reaches under the same name. Large files are
    cut into parts of about `split_bytes`. The report is logged before a task starts, as a warning if a column is worse than
    *annotated*; a column that changes values raises UnsupportedError without ``allow="lossy"``. `ray_options` are those of
    ``ray.data.read_datasource``. Options are those of `open` and
    `cast`:
    """
    _refuse(options, writing=False)
    names = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    given = {name: options[name] for name in TASK_DEFAULTS if options.get(name) is not None}  # type: ignore[literal-required]
    source = XwalkDatasource([os.fspath(name) for name in names], {**spelled(options), **given, "split_bytes": split_bytes})
    return ray.data.read_datasource(source, **(ray_options or {}))


def _arrow_of(dataset: ray.data.Dataset) -> pa.Schema:
    """Returns the Arrow schema of a dataset. Ray runs the first task if it does not know the columns."""
    schema = dataset.schema()
    if schema is None:
        raise UnsupportedError("expected a dataset with columns, found one without rows and columns")
    if isinstance(schema.base_schema, pa.Schema):
        return schema.base_schema
    for name, kind in zip(schema.names, schema.types):
        if not isinstance(kind, pa.DataType):
            raise UnsupportedError(f"{name}: expected a column of an Arrow type, found {kind}; "
                                   'return pyarrow.Table from map_batches(…, batch_format="pyarrow")')
    return pa.schema(list(zip(schema.names, schema.types)))


def _raise_own(raised: BaseException) -> None:
    """Raises the error of xwalk that ended a task, if one did."""
    cause = raised.cause if isinstance(raised, RayTaskError) else raised.__cause__
    if isinstance(cause, Error):
        cause.__dict__.pop("__notes__", None)  # Ray's advice to try again
        raise cause from None


@takes_options
def write(
    dataset: ray.data.Dataset,
    folder: Path,
    *,
    min_rows_per_file: int | None = None,
    target_schema: SchemaSource | None = None,
    ray_options: Mapping[str, Any] | None = None,
    **options: Unpack[ConvertOptions],
) -> Report:
    """Writes a dataset of Ray to a folder, one file per task, and returns the report.

    `to` names the format: yson, skiff, parquet, vortex, arrow, lance, delta or iceberg. Files appear when all tasks are complete; if a task fails,
    the folder is unchanged. A folder with rows is refused, unless `mode` is ``append`` or ``overwrite``. A file has
    `min_rows_per_file` rows or more, except the last. The report is logged before a task writes, and a column that changes
    values raises UnsupportedError without ``allow="lossy"``. `ray_options` are those of ``Dataset.write_datasink``. Options
    are those of `convert`:
    """
    _refuse(options, writing=True)
    if min_rows_per_file is not None and min_rows_per_file < 1:
        raise usage_error(f"min_rows_per_file: expected an integer from 1, found {min_rows_per_file}")
    settings = spelled(options)
    mode = settings.pop("mode", "create")
    expect_word("mode", mode, ["create", "append", "overwrite"])
    settings["format"] = settings.pop("to", None)
    if mode == "create":
        settings["existing"] = "error"
    if target_schema is not None:
        settings["schema"] = Schema(target_schema_of(target_schema, settings["format"], settings))
    sink = XwalkDatasink(place(os.fspath(folder)), _arrow_of(dataset), mode == "overwrite", settings, min_rows_per_file)
    try:
        dataset.write_datasink(sink, **(ray_options or {}))
    except BaseException as raised:
        # Ray does not tell the sink that the user has stopped the job.
        with suppress(OSError):
            sink.on_write_failed(raised)
        _raise_own(raised)
        raise
    return sink.report


@takes_options
def verify(
    source: Union[Path, Sequence[Path]],
    target: Path,
    *,
    split_bytes: int = SPLIT_BYTES,
    target_schema: SchemaSource | None = None,
    ray_options: Mapping[str, Any] | None = None,
    **options: Unpack[ConvertOptions],
) -> Proof:
    """Compares an output with its source by the checksums of all columns and of whole rows, which tasks of Ray add up.

    The proof is that of `xwalk.verify` without the order of rows, and says ``"compared": "checksums"``. If the checksums differ, it
    does not show the rows; `xwalk.verify` of single files does. Every node must reach the files under the same name. A task reads
    about `split_bytes`. Give the options of the conversion. `ray_options` are those of ``ray.remote``. Raises as `xwalk.verify`.
    Options are those of `convert`:
    """
    verifier = TaskVerifier(source, target, split_bytes, target_schema, dict(options), _LOG, "Ray")
    add_up = ray.put(verifier.add_up)
    task = ray.remote(_add_up)
    if ray_options:
        task = task.options(**ray_options)
    running = [task.remote(add_up, parts) for parts in verifier.tasks()]
    try:
        return verifier.proof(ray.get(running))
    except BaseException as raised:
        for one in running:
            ray.cancel(one)
        _raise_own(raised)
        raise


def _add_up(add_up: AddUp, parts: Sequence[SidePart]) -> SideSums:
    return add_up(parts)
