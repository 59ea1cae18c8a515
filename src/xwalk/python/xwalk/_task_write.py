"""Writing by the tasks of a cluster: each task writes a file, and all files of the job appear at its end or none
(`_task_folder` has the details)."""

from __future__ import annotations

import logging
import os
import tempfile
import uuid
from dataclasses import dataclass
from itertools import chain
from typing import Any, Iterator

import pyarrow as pa  # type: ignore[import-untyped]

from . import _xwalk
from ._xwalk import side_schema_path
from ._errors import IoError, UsageError
from ._report import Report
from ._rows import Converted, cast, convert
from ._schema import Schema
from ._task_folder import folder_of
from ._task_read import log_report

#: Extensions of the formats, the usual one first.
_EXTENSIONS = {
    "yson": (".yson",),
    "skiff": (".skiff",),
    "parquet": (".parquet", ".parq", ".pq"),
    "vortex": (".vortex", ".vtx"),
    "arrow": (".arrow", ".feather", ".ipc", ".arrows"),
}
_COMPRESSED = {"gzip": ".gz", "zstd": ".zst", "none": ""}


def _format_of(name: str) -> str | None:
    """Returns the format of a file of rows by its name; nothing for hidden files and others."""
    name = name.rpartition("/")[2]
    if name.startswith((".", "_")):
        return None
    bare = name.removesuffix(".gz").removesuffix(".zst")
    return next((word for word, ends in _EXTENSIONS.items() if bare.endswith(ends)), None)


@dataclass
class Written:
    """The names of the files that a task has written, and the number of their rows."""

    names: list[str]
    rows: int


class TaskWriter:
    """Writes rows to a folder. Made before the tasks, where it refuses what the format cannot hold.

    `schema` is that of the batches, and `source` the one that says what their columns mean, if it is another.
    """

    def __init__(self, folder: str, schema: pa.Schema, overwrite: bool, options: dict[str, Any], log: logging.Logger,
                 source: pa.Schema | None = None) -> None:
        options = dict(options)
        self._name = folder
        self._overwrite = overwrite
        self._schema = schema
        self._source = schema if source is None else source
        self._log = log
        self._format = options.pop("format", None)
        if self._format not in _EXTENSIONS:
            raise UsageError(f"expected the option format as one of {', '.join(_EXTENSIONS)}, found {self._format!r}" +
                             ("; a Lance dataset is written by one process: xwalk convert FOLDER OUT.lance"
                              if self._format == "lance" else ""))
        self._suffix = _EXTENSIONS[self._format][0]
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
        self._options = {"threads": 1, **options, "to": self._format}
        self._job = uuid.uuid4().hex[:12]
        self._plan()
        self._folder = folder_of(folder, self._job, options.get("storage_options", {}), options.get("durable", False),
                                 log)
        self._look_at_folder(existing)
        self._folder.begin()

    def _plan(self) -> None:
        """Converts no rows, which raises what any task would raise for the schema or the options."""
        with tempfile.TemporaryDirectory(prefix="xwalk-") as folder:
            done = self._convert(iter(()), self._output(os.path.join(folder, "rows")))
        self.report: Report = done.report
        log_report(self.report, self._log)

    def _look_at_folder(self, existing: str) -> None:
        """Refuses an output that the rows would not be one table with."""
        kind = self._folder.kind()
        if kind == "nothing":
            return
        if kind != "folder":
            raise IoError(f"{self._name}: expected a folder or nothing, found a file")
        formats = {word for word in map(_format_of, self._folder.names()) if word}
        if formats and existing == "error":
            raise IoError(f"{self._name}: already has rows; choose another folder, or the mode overwrite")
        if not self._overwrite and formats - {self._format}:
            raise UsageError(f"{self._name}: the folder has {', '.join(sorted(formats))} files, and one table needs one "
                             f"format; the mode overwrite replaces them")

    def _output(self, bare: str) -> str:
        """Returns where rows go under a name: to a file, or to a folder of folders."""
        return bare + ("/" if self._partition_by else self._suffix)

    def _convert(self, batches: Iterator[pa.RecordBatch], path: str) -> Converted:
        rows = cast(pa.RecordBatchReader.from_batches(self._schema, batches), Schema.from_arrow(self._source))
        target = self._target_schema
        if isinstance(target, str):
            target = Schema.parse(target, "yt" if self._format == "yson" else self._format)
        return convert(rows, path, target_schema=target, partition_by=self._partition_by or None, **self._options)

    def write(self, batches: Iterator[pa.RecordBatch], number: int) -> Written:
        """Writes the rows of a task, under a name that no other attempt has. A task without rows writes nothing."""
        first = next(batches, None)
        return Written([], 0) if first is None else self._write(chain((first,), batches), number)

    def _write(self, batches: Iterator[pa.RecordBatch], number: int) -> Written:
        bare = f"part-{number:05d}-{self._job}-{uuid.uuid4().hex[:8]}"
        path = self._output(self._folder.path_of(bare))
        done = self._convert((batch.cast(self._schema) for batch in batches), path)
        names = self._folder.gather(path, bare, self._suffix) if self._partition_by else [bare + self._suffix]
        return Written(names, done.rows)

    def commit(self, written: list[Written]) -> None:
        """Makes the files of the tasks visible. Files of other attempts are removed."""
        if not any(task.names for task in written):
            written = [self._write(iter(()), 0)]  # one file without rows keeps the schema of an empty table
        self._folder.publish(self._files_of(written), self._old_files() if self._overwrite else [])
        self._log.info("%s: %d rows in %d files", self._name, sum(task.rows for task in written),
                       sum(len(task.names) for task in written))

    def abort(self, written: list[Written]) -> None:
        """Removes all that the job has written."""
        self._folder.abandon(self._files_of(written))

    @staticmethod
    def _files_of(written: list[Written]) -> list[str]:
        """Returns the names that tasks have written, each after its schema file."""
        return [file for task in written for name in task.names for file in (side_schema_path(name), name)]

    def _old_files(self) -> list[str]:
        there = self._folder.names()
        rows = [name for name in there if _format_of(name) and self._job not in name]
        sides = {side_schema_path(name) for name in rows}
        return rows + [name for name in sorted(sides) if name in there]
