"""Writing on Spark: each task writes a file of its own, and the driver sees to it that those of the job are there or
none (`_spark_folder` says how)."""

from __future__ import annotations

import logging
import os
import tempfile
import uuid
from dataclasses import dataclass
from itertools import chain
from typing import Any, Iterator

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from . import _xwalk
from ._xwalk import side_schema_path
from ._errors import IoError, UsageError
from ._rows import Converted, cast, convert
from ._schema import Schema
from ._spark_folder import folder_of
from ._spark_read import log_report
from ._spark_types import as_read, to_arrow

_LOG = logging.getLogger("xwalk.spark")
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
class Written(WriterCommitMessage):
    """What a task has written: the names of its files, and its rows."""

    names: list[str]
    rows: int


class XwalkWriter(DataSourceArrowWriter):
    """Writes rows to a folder. Made on the driver, where it refuses what the format cannot hold."""

    def __init__(self, folder: str, schema: StructType, overwrite: bool, options: dict[str, Any]) -> None:
        options = dict(options)
        self._name = folder
        self._overwrite = overwrite
        self._spark = to_arrow(schema)
        self._source = as_read(schema)
        self._format = options.pop("format", None)
        if self._format not in _EXTENSIONS:
            raise UsageError(f'expected option("format", …) of {", ".join(_EXTENSIONS)}, found {self._format!r}' +
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
            raise UsageError('existing="error" and mode("overwrite") contradict each other; give one of the two')
        self._target_schema = options.pop("schema", None)
        self._partition_by = options.pop("partition_by", [])
        if self._partition_by and _xwalk.is_remote(folder):
            raise UsageError("partition_by needs a folder that every node has mounted: objects of a store are not renamed")
        self._options = {"threads": 1, **options, "to": self._format}
        self._job = uuid.uuid4().hex[:12]
        self._plan()
        self._folder = folder_of(folder, self._job, options.get("storage_options", {}), options.get("durable", False))
        self._look_at_folder(existing)
        self._folder.begin()

    def _plan(self) -> None:
        """Converts no rows, which raises what any task would raise for the schema or the options."""
        with tempfile.TemporaryDirectory(prefix="xwalk-") as folder:
            done = self._convert(iter(()), self._output(os.path.join(folder, "rows")))
        log_report(done.report)

    def _look_at_folder(self, existing: str) -> None:
        """Refuses an output that the rows would not be one table with."""
        kind = self._folder.kind()
        if kind == "nothing":
            return
        if kind != "folder":
            raise IoError(f"{self._name}: expected a folder or nothing, found a file")
        formats = {word for word in map(_format_of, self._folder.names()) if word}
        if formats and existing == "error":
            raise IoError(f"{self._name}: holds rows already; choose another folder, or mode(\"overwrite\")")
        if not self._overwrite and formats - {self._format}:
            raise UsageError(f"{self._name}: holds {', '.join(sorted(formats))}, and {self._format} beside it would "
                             f"make one table of neither; mode(\"overwrite\") replaces it")

    def _output(self, bare: str) -> str:
        """Returns where rows go under a name: to a file, or to a folder of folders."""
        return bare + ("/" if self._partition_by else self._suffix)

    def _convert(self, batches: Iterator[pa.RecordBatch], path: str) -> Converted:
        rows = cast(pa.RecordBatchReader.from_batches(self._spark, batches), Schema.from_arrow(self._source))
        target = None
        if self._target_schema is not None:
            target = Schema.parse(self._target_schema, "yt" if self._format == "yson" else self._format)
        return convert(rows, path, target_schema=target, partition_by=self._partition_by or None, **self._options)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Written:
        """Writes the rows of one task, under a name that no other attempt has."""
        context = TaskContext.get()
        number = 0 if context is None else context.partitionId()
        first = next(iterator, None)
        if first is None and number != 0:  # one file without rows keeps the schema of an empty table
            return Written([], 0)
        bare = f"part-{number:05d}-{self._job}-{uuid.uuid4().hex[:8]}"
        batches = chain(() if first is None else (first,), iterator)
        path = self._output(self._folder.path_of(bare))
        done = self._convert((batch.cast(self._spark) for batch in batches), path)
        names = self._folder.gather(path, bare, self._suffix) if self._partition_by else [bare + self._suffix]
        return Written(names, done.rows)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Has the files of the tasks that count there; what other attempts have left goes."""
        written = [message for message in messages if isinstance(message, Written)]
        self._folder.publish(self._files_of(messages), self._old_files() if self._overwrite else [])
        _LOG.info("%s: %d rows in %d files", self._name, sum(message.rows for message in written),
                  sum(len(message.names) for message in written))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Removes all that the job has written."""
        self._folder.abandon(self._files_of(messages))

    @staticmethod
    def _files_of(messages: list[WriterCommitMessage | None]) -> list[str]:
        """Returns the names that tasks have written, each after that of the schema next to it, if it has one."""
        names = [name for message in messages if isinstance(message, Written) for name in message.names]
        return [file for name in names for file in (side_schema_path(name), name)]

    def _old_files(self) -> list[str]:
        there = self._folder.names()
        rows = [name for name in there if _format_of(name) and self._job not in name]
        sides = {side_schema_path(name) for name in rows}
        return rows + [name for name in sorted(sides) if name in there]
