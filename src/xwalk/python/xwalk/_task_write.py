"""Writing by the tasks of a cluster: each task writes a file, and all files of the job appear at its end or none
(`_task_folder` has the details)."""

from __future__ import annotations

import logging
import os
import tempfile
import uuid
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Iterator, Mapping

import pyarrow as pa  # type: ignore[import-untyped]

from . import _xwalk
from ._xwalk import side_schema_path
from ._errors import InputError, IoError, UsageError
from ._report import Report
from ._rows import Converted, convert, host_types
from ._schema import Schema
from ._task_folder import EXTENSIONS, Folder, folder_of, format_of, table_format_of
from ._task_tables import TABLES, TableFolder
from ._task_read import after_reading, fitted, log_report
from ._task_rejects import TOLERANT, check_apart, reasons_of, reasons_text, rejects_folder

_COMPRESSED = {"gzip": ".gz", "zstd": ".zst", "none": ""}


@dataclass
class Written:
    """The names of the files that a task has written, the number of their rows and of rejected ones, the names of the files of
    those, and the reasons."""

    names: list[str]
    rows: int
    rejected: int = 0
    rejects: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


class TaskWriter:
    """Writes rows to a folder. Made before the tasks, where it refuses what the format cannot hold.

    `schema` is that of the batches, and `source` the one that says what their columns mean, if it is another. `readings` has what
    reading changed in columns.
    """

    def __init__(self, folder: str, schema: pa.Schema, overwrite: bool, options: dict[str, Any], log: logging.Logger,
                 source: pa.Schema | None = None, readings: Mapping[str, str] | None = None) -> None:
        options = dict(options)
        self._name = folder
        self._overwrite = overwrite
        self._schema = schema
        self._source = schema if source is None else source
        self._log = log
        self._format = options.pop("format", None)
        if self._format not in EXTENSIONS:
            raise UsageError(f"expected the option format as one of {', '.join(EXTENSIONS)}, found {self._format or 'none'}")
        self._suffix = EXTENSIONS[self._format][0]
        if self._format in ("yson", "skiff") and "compression" in options:
            compression = options.pop("compression")
            if compression not in _COMPRESSED:
                raise UsageError(f"expected compression of {', '.join(_COMPRESSED)}, found {compression!r}")
            self._suffix += _COMPRESSED[compression]
        existing = options.pop("existing", "keep")
        if existing not in ("keep", "error"):
            raise UsageError(f"expected existing as keep or error, found {existing!r}")
        if existing == "error" and overwrite:
            raise UsageError("existing=error and the mode overwrite contradict each other; give one of the two")
        self._target_schema = options.pop("schema", None)
        self._partition_by = options.pop("partition_by", [])
        if self._partition_by and _xwalk.is_remote(folder):
            raise UsageError("partition_by needs a folder that every node has mounted: objects of a store are not renamed")
        rejects = rejects_folder(options)
        check_apart(rejects, folder)
        options.pop("rejects", None)
        self._options = {"threads": 1, **options, "to": self._format}
        self._job = uuid.uuid4().hex[:12]
        storage, durable = options.get("storage_options", {}), options.get("durable", False)
        if self._format in TABLES:
            self._folder: Folder = self._table_folder(TABLES[self._format], durable)
        else:
            self._folder = folder_of(folder, self._job, storage, durable, log)
        self._rejects = None if rejects is None else folder_of(rejects, self._job, storage, durable, log)
        self._plan(readings or {})
        self._look_at_folder(existing)
        self._folder.begin()
        if self._rejects is not None:
            self._rejects.begin()

    def _table_folder(self, kind: type[TableFolder], durable: bool) -> TableFolder:
        """Returns the folder of a table. Added rows take the schema, the parts and the version of the data of the existing ones."""
        if _xwalk.is_remote(self._name):
            raise UsageError(f"format={self._format} needs a folder that every node has mounted: objects of a store are not renamed")
        folder = kind(self._name, self._job, self._overwrite, durable, self._log)
        existing = folder.existing()
        if existing is None:
            return folder
        settings = folder.settings(existing)
        if "partition_by" in settings:
            own = settings.pop("partition_by")
            if self._partition_by not in ([], own):
                raise UsageError(f"partition_by: the table is partitioned by {', '.join(own) or 'nothing'}, not by "
                                 f"{', '.join(self._partition_by)}; leave it out")
            self._partition_by = own
        self._options = {**settings, **self._options}
        if folder.keeps_schema():
            if self._target_schema is not None:
                raise UsageError("schema: added rows have the schema of the existing ones; leave it out")
            self._target_schema = Schema.read(self._name)
        return folder

    def _plan(self, readings: Mapping[str, str]) -> None:
        """Converts no rows, which raises what any task would raise for the schema or the options."""
        with tempfile.TemporaryDirectory(prefix="xwalk-") as folder:
            done = self._convert(iter(()), self._output(os.path.join(folder, "rows")))
        self.report: Report = after_reading(done.report, readings)
        log_report(self.report, self._log)

    def _look_at_folder(self, existing: str) -> None:
        """Refuses an output that the rows would not be one table with."""
        kind = self._folder.kind()
        if kind == "nothing":
            return
        if kind != "folder":
            raise IoError(f"{self._name}: expected a folder or nothing, found a file")
        names = self._folder.names()
        table = table_format_of(names)
        formats = {table} if table else {word for word in map(format_of, names) if word}
        if formats and existing == "error":
            raise IoError(f"{self._name}: already has rows; choose another folder, or the mode overwrite")
        if formats - {self._format} and (table or self._format in TABLES):
            raise UsageError(f"{self._name}: holds {', '.join(sorted(formats))}, and a table has a folder of its own; choose another folder")
        if not self._overwrite and formats - {self._format}:
            raise UsageError(f"{self._name}: the folder has {', '.join(sorted(formats))} files, and one table needs one "
                             f"format; the mode overwrite replaces them")

    def _output(self, bare: str) -> str:
        """Returns where rows go under a name: to a file or table, or to a folder of folders."""
        return bare + ("/" if self._in_folders() else self._suffix)

    def _in_folders(self) -> bool:
        """Returns true if the rows of a task are in a folder per part, and not in a table that knows its parts."""
        return bool(self._partition_by) and self._format not in TABLES

    def _convert(self, batches: Iterator[pa.RecordBatch], path: str, **rejects: Any) -> Converted:
        rows = host_types(pa.RecordBatchReader.from_batches(self._schema, batches), Schema.from_arrow(self._source)._schema)
        target = self._target_schema
        if isinstance(target, str):
            target = Schema.parse(target, "yt" if self._format == "yson" else self._format)
        return convert(rows, path, target_schema=target, partition_by=self._partition_by or None,
                       **{**self._options, **rejects})

    def write(self, batches: Iterator[pa.RecordBatch], number: int) -> Written:
        """Writes the rows of a task, under a name that no other attempt has. A task without rows writes nothing."""
        first = next(batches, None)
        return Written([], 0) if first is None else self._write(chain((first,), batches), number)

    def _write(self, batches: Iterator[pa.RecordBatch], number: int) -> Written:
        bare = f"part-{number:05d}-{self._job}-{uuid.uuid4().hex[:8]}"
        path = self._output(self._folder.path_of(bare))
        tolerant: dict[str, Any] = {}
        if self._rejects is not None or self._options.get("on_error") == "skip":
            tolerant.update(TOLERANT)
        rejects: list[str] = []
        if self._rejects is not None:
            rejects = [bare + ".yson"]
            tolerant["rejects"] = self._rejects.path_of(rejects[0])
        done = self._convert((fitted(batch, self._schema) for batch in batches), path, **tolerant)
        if isinstance(self._folder, TableFolder):
            self._folder.leave_if_abandoned(path)
        names = self._folder.gather(path, bare, self._suffix) if self._in_folders() else [bare + self._suffix]
        if done.rejected:
            self._log.warning("%s: %d rows left out%s", bare, done.rejected,
                              "" if self._rejects is None else f", which are in {self._rejects.folder}")
        return Written(names, done.rows, done.rejected, rejects if done.rejected else [], reasons_of(done.rejects))

    def commit(self, written: list[Written]) -> None:
        """Makes the files of the tasks visible. Files of other attempts are removed."""
        rejected = sum(task.rejected for task in written)
        if rejected:
            reasons = sum((task.reasons for task in written), Counter[str]())
            self._log.warning("%s: %d rows left out: %s", self._name, rejected, reasons_text(reasons))
        if rejected and not any(task.rows for task in written):
            raise InputError(f"{self._name}: no row was accepted, {rejected} rejected")
        if not any(task.names for task in written):
            written = [self._write(iter(()), 0)]  # one file without rows keeps the schema of an empty table
        if self._rejects is not None:
            names = [name for task in written for name in task.rejects]
            self._rejects.publish([file for name in names for file in (side_schema_path(name), name)], [])
        self._folder.publish(self._files_of(written), self._old_files() if self._overwrite else [])
        self._log.info("%s: %d rows in %d files", self._name, sum(task.rows for task in written),
                       sum(len(task.names) for task in written))

    def abort(self, written: list[Written]) -> None:
        """Removes all that the job has written."""
        if self._rejects is not None:
            self._rejects.abandon([file for task in written for name in task.rejects for file in (side_schema_path(name), name)])
        self._folder.abandon(self._files_of(written))

    @staticmethod
    def _files_of(written: list[Written]) -> list[str]:
        """Returns the names that tasks have written, each after its schema file."""
        return [file for task in written for name in task.names for file in (side_schema_path(name), name)]

    def _old_files(self) -> list[str]:
        there = self._folder.names()
        rows = [name for name in there if format_of(name) and self._job not in name]
        sides = {side_schema_path(name) for name in rows}
        return rows + [name for name in sorted(sides) if name in there]
