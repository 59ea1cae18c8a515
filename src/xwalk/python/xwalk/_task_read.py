"""Reading by the tasks of a cluster: the plan and the parts in one process, batches in the tasks."""

from __future__ import annotations

import base64
import json
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Sequence

import pyarrow as pa  # type: ignore[import-untyped]

from . import _xwalk
from ._xwalk import side_schema_path
from ._errors import Error, InputError, UsageError
from ._report import VERDICTS, Report
from ._rows import Cast, Rows, host_types, opened
from ._schema import Schema
from ._task_folder import FilePart, exists, partition_values, stamp
from ._task_rejects import read_name, rejects_folder, rows_and_rejects
from ._task_skip import Condition, in_folders, skip_groups

#: The usual bytes of a part.
SPLIT_BYTES = 64 << 20
#: What options are in tasks if they are not given. Elsewhere they are others.
TASK_DEFAULTS = {"threads": 1, "duplicate_keys": "error", "any": "json"}


@dataclass(frozen=True)
class PlannedRead:
    """Facts about an input, collected by the driver."""

    files: list[str]
    format: str
    #: The table schema of rows without a schema, inferred from all files.
    inferred: str | None
    #: The columns from names of folders, with their types, and the columns of the files.
    partitions: dict[str, pa.DataType]
    own: pa.Schema

    @classmethod
    def of(cls, rows: Rows) -> PlannedRead:
        arrow = pa.schema(rows)
        partitions = {name: arrow.field(name).type for name in rows.partitions if name in arrow.names}
        return cls(rows.files, rows.format, rows._rows.inferred, partitions,
                   pa.schema([field for field in arrow if field.name not in partitions]))


def log_report(report: Report, log: logging.Logger) -> None:
    """Logs the summary of the report, or the whole report as a warning if it is worse than ``annotated``."""
    worse = VERDICTS.index(report.verdict) > VERDICTS.index("annotated")
    log.log(logging.WARNING if worse else logging.INFO, "%s", report.to_text(width=120) if worse else report.summary)


def open_rows(source: Any, options: dict[str, Any]) -> Rows:
    """Opens rows like a task: one thread, values of any type as JSON text, and no duplicate map keys, because functions of Spark
    and Ray would see only one of them."""
    known = {**TASK_DEFAULTS, **options}
    known.pop("split_bytes", None)
    if rejects_folder(known) is not None:
        del known["rejects"]
        if known.setdefault("on_error", "skip") == "fail":
            raise UsageError("on_error=fail and rejects contradict each other; give one of the two")
    return opened(source, known)


def in_a_line(error: Error, file: str = "") -> Error:
    """Returns the error with its place, message and hint in the first line of its text. The line with the caret follows."""
    first, *rest = str(error).split("\n")
    if isinstance(error, InputError) and not error.hint and error.row is not None:
        error.hint = "The option on_error=skip leaves such rows out, and rejects keeps them."
    if file and file not in first:
        first = f"{file}: {first}"
    if error.hint and error.hint not in first:
        first = f"{first}. {error.hint}"
        rest = [line for line in rest if line.strip() != error.hint]
    error.args = ("\n".join([first, *rest]),)
    return error


def cast_to(rows: Rows, target: pa.Schema) -> Cast:
    return host_types(rows, Schema.from_arrow(target)._schema)


def fitted(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """Returns a batch with the types of a schema. Nulls in required fields stay: the members of a null struct are null as
    well, which a cast of pyarrow refuses. xwalk refuses nulls of structs that are not null, with their path."""
    if batch.schema.equals(schema, check_metadata=True):
        return batch
    loose = batch.cast(pa.schema([pa.field(field.name, _loose(field.type)) for field in schema]))
    return pa.RecordBatch._import_from_c_capsule(schema.__arrow_c_schema__(), loose.__arrow_c_array__()[1])


def _loose(kind: pa.DataType) -> pa.DataType:
    """Returns a type whose fields may all be null."""
    def field(own: pa.Field) -> pa.Field:
        return own.with_type(_loose(own.type)).with_nullable(True)

    if pa.types.is_struct(kind):
        return pa.struct([field(kind.field(i)) for i in range(kind.num_fields)])
    if pa.types.is_map(kind):
        return pa.map_(field(kind.key_field).with_nullable(False), field(kind.item_field), kind.keys_sorted)
    if pa.types.is_list(kind):
        return pa.list_(field(kind.value_field))
    if pa.types.is_large_list(kind):
        return pa.large_list(field(kind.value_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(field(kind.value_field), kind.list_size)
    return kind


def arrow_of(rows: Rows, options: dict[str, Any]) -> pa.Schema:
    """Returns the Arrow schema of rows, with values of any type as the options say."""
    arrow = pa.schema(rows)
    form = options.get("any", TASK_DEFAULTS["any"])
    return arrow if form == "yson" else pa.schema(Schema.from_arrow(arrow).to("arrow", any=form).schema)


def changes_of_reading(rows: Rows, host: pa.Schema, report: Report) -> dict[str, str]:
    """Returns what reading changes in columns whose type in the host's schema was chosen by `arrow_of`, as text for their metadata.
    `report` is that of `cast_to` the host's types. Other types come back when the column is written."""
    own, found = pa.schema(rows), {}
    for field in host:
        changes = report._report.changes_of_reading(field.name, own.field(field.name).type.equals(field.type))
        if changes is not None:
            found[field.name] = base64.b64encode(changes.state()).decode()
    return found


def after_reading(writing: Report, readings: Mapping[str, str]) -> Report:
    """Returns the report of writing with what `changes_of_reading` has found of columns."""
    known = []
    for name, text in readings.items():
        with suppress(ValueError, Error):  # of another version of xwalk
            known.append((name, _xwalk.Report.restore(base64.b64decode(text))))
    return Report(writing._report.after_reading(known)) if known else writing


def _why_whole(path: str, format: str) -> str:
    """Returns why one task reads a whole file."""
    if path.endswith((".gz", ".zst")):
        return "compressed"
    if format in ("yson", "json") and _xwalk.is_remote(path):
        return f"{format.upper()} in a store, which is not cut"
    return "of one row group" if format == "parquet" else f"{format} that is not cut"


def _constants(values: dict[str, str | None], kinds: dict[str, pa.DataType], target: pa.Schema) -> dict[str, pa.Scalar]:
    """Returns the values of columns from the names of a file's folders."""
    found = {}
    for name, kind in kinds.items():
        if name in target.names:
            found[name] = pa.scalar(values.get(name), pa.string()).cast(kind).cast(target.field(name).type)
    return found


def _with_constants(batch: pa.RecordBatch, constants: dict[str, pa.Scalar], target: pa.Schema) -> pa.RecordBatch:
    if not constants:
        return batch
    columns = [pa.repeat(constants[field.name], batch.num_rows) if field.name in constants else batch.column(field.name)
               for field in target]
    return pa.RecordBatch.from_arrays(columns, schema=target)


class TaskReader:
    """Reads files in parts. Made before the tasks, where it refuses files that cannot be read as `target`.

    `planned` is known if the same files have been opened with the same options.
    """

    def __init__(self, paths: Sequence[str], target: pa.Schema, options: dict[str, Any], log: logging.Logger,
                 planned: PlannedRead | None = None) -> None:
        self._options = options
        self._log = log
        self._split_bytes = options.get("split_bytes", SPLIT_BYTES)
        if self._split_bytes < 1:
            raise UsageError(f"expected split_bytes from 1, found {self._split_bytes}")
        self._target = target
        self._rejects = rejects_folder(options)
        self._conditions: list[Condition] = []
        if planned is None:
            rows = open_rows(paths, options)
            if "select" not in options:
                # A schema of fewer columns selects columns.
                there = set(pa.schema(rows).names)
                chosen = [name if name.isidentifier() else json.dumps(name) for name in target.names if name in there]
                if chosen:  # else the rows are only counted
                    self._options = options = {**options, "select": chosen}
                    rows = open_rows(paths, options)
            planned = PlannedRead.of(rows)
            log_report(cast_to(rows, target).report, log)
        self._planned = planned

    def total_bytes(self) -> int | None:
        """Returns the size of all files; None for folders, which Lance datasets are."""
        if self._planned.format == "lance":
            return None
        return sum(stamp(path, self._options.get("storage_options", {}))[0] for path in self._planned.files)

    def skip(self, conditions: Sequence[Condition]) -> None:
        """Leaves out parts without a row that meets the conditions, by folders and statistics. Other rows may not meet them."""
        self._conditions = list(conditions)

    def _without_skipped(self, parts: list[FilePart]) -> list[FilePart]:
        known = self._planned.partitions
        kept = [part for part in parts
                if in_folders(self._conditions, _constants(partition_values(part.path, list(known)), known, self._target))]
        if self._planned.format == "parquet":
            kept = skip_groups(kept, self._conditions, self._target)
        self._log.info("conditions leave %d of %d parts", len(kept), len(parts))
        return kept

    def parts(self) -> list[FilePart]:
        """Cuts the files into parts."""
        found: list[FilePart] = []
        form, storage = self._planned.format, self._options.get("storage_options", {})
        for path in self._planned.files:
            inferred = self._planned.inferred
            if inferred is not None and exists(side_schema_path(path), storage):
                inferred = None
            if form == "lance":  # a folder, which pylance reads
                found.append(FilePart(path))
                continue
            seen = stamp(path, storage)
            cut = _xwalk.parts(path, form, self._split_bytes, storage)
            found += [FilePart(path, part, seen, inferred) for part in cut] or [FilePart(path, None, None, inferred)]
            why = "" if cut else _why_whole(path, form)
            if why and (why == "compressed" or seen[0] > self._split_bytes):
                self._log.log(logging.WARNING if seen[0] > self._split_bytes else logging.INFO,
                              "%s: one task reads all of it: %s", path, why)
        self._log.info("%d files of %s in %d partitions", len(self._planned.files), self._planned.format, len(found))
        if self._rejects is not None:
            name = read_name([(part.path, part.stamp) for part in found], self._options, self._target)
            for number, part in enumerate(found):
                part.rejects = f"{self._rejects.rstrip('/')}/part-{number:05d}-{name}.yson"
        return self._without_skipped(found) if self._conditions else found

    def _check_first_schema(self, opened: Rows, there: list[str], path: str) -> None:
        """Refuses a file that does not have the schema of the first, like reading in one process."""
        first = self._planned.own
        hint = "the option unify reads files of different schemas"
        if sorted(there) != sorted(first.names):
            differ = sorted(set(there) ^ set(first.names))
            raise InputError(f"{path}: expected the columns of the first file, found others: {', '.join(differ)}; {hint}")
        if path == self._planned.files[0] or pa.schema(opened).equals(first):
            return
        report = cast_to(opened, first).report
        if VERDICTS.index(report.verdict) >= VERDICTS.index("checked"):
            raise InputError(f"{path}: expected the schema of the first file, found other types: {report.summary}; {hint}")

    def read(self, part: FilePart) -> Iterator[pa.RecordBatch]:
        """Reads a part, in a task."""
        options = {**self._options, "format": self._planned.format}
        options.pop("save_schema", None)  # the driver has saved it
        if part.schema is not None:
            options["schema"] = part.schema
        if part.part is not None:
            part.check_unchanged(options.get("storage_options", {}), "read")
            options["part"] = part.part
        known = self._planned.partitions
        if known and "select" in options:
            # Folder columns are not in the files.
            spelled = {*known, *map(json.dumps, known)}
            own_paths = [path for path in options.pop("select") if path not in spelled]
            if own_paths:
                options["select"] = own_paths
        opened = open_rows(part.path, options)
        there = pa.schema(opened).names
        # If only folder columns are read, the files are read only to count rows.
        own = bool(self._planned.own.names) or not known
        if own and not options.get("unify"):
            self._check_first_schema(opened, there, part.path)
        target = pa.schema([field for field in self._target if field.name not in known])
        constants = _constants(partition_values(part.path, list(known)), known, self._target)
        if own and part.rejects is not None:
            options = {**TASK_DEFAULTS, **options}
            options.pop("split_bytes", None)
            for batch in rows_and_rejects(part.path, target, options, part.rejects, self._log):
                yield _with_constants(fitted(batch, target), constants, self._target)
            return
        rows = cast_to(opened, target) if own else opened
        try:
            for batch in pa.RecordBatchReader.from_stream(rows):
                yield _with_constants(batch, constants, self._target)
        except pa.ArrowException as error:
            try:
                rows._raise_own()
            except Error as own:  # errors about a single value do not have the file
                raise in_a_line(own, part.path) from None
            raise InputError(f"{part.path}: {error}") from None
        if rows.rejected:
            self._log.warning("%s: %d rows left out", part.path, rows.rejected)
