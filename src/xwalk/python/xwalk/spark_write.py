"""Writing on Spark: each task writes a file of its own aside, and the driver gives all of them their names or none.

Under the output, ``_xwalk-JOB`` is where tasks write. It begins with ``_``, so that no reader takes it for rows.
"""

from __future__ import annotations

import logging
import os
import pathlib
import shutil
import tempfile
import uuid
from dataclasses import dataclass
from itertools import chain
from typing import Any, Iterator

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ._xwalk import side_schema_path
from .errors import IoError, UsageError
from .rows import Converted, cast, convert
from .schema import Schema
from .spark_read import log_report
from .spark_types import as_read, to_arrow

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
_DONE = "_SUCCESS"


def _format_of(name: str) -> str | None:
    """Returns the format of a file of rows by its name; nothing for hidden files and others."""
    if name.startswith((".", "_")):
        return None
    bare = name.removesuffix(".gz").removesuffix(".zst")
    return next((word for word, ends in _EXTENSIONS.items() if bare.endswith(ends)), None)


@dataclass
class Written(WriterCommitMessage):
    """What a task has written: the name of its file, if it has one, and its rows."""

    name: str | None
    rows: int


class XwalkWriter(DataSourceArrowWriter):
    """Writes rows to a folder. Made on the driver, where it refuses what the format cannot hold."""

    def __init__(self, folder: str, schema: StructType, overwrite: bool, options: dict[str, Any]) -> None:
        options = dict(options)
        self._folder = folder
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
        self._target_schema = options.pop("schema", None)
        self._options = {"threads": 1, **options, "to": self._format}
        self._job = uuid.uuid4().hex[:12]
        self._plan()
        self._look_at_folder(existing)
        self._staging = os.path.join(folder, f"_xwalk-{self._job}")
        self._made_folder = not os.path.isdir(folder)
        os.makedirs(self._staging)

    def _plan(self) -> None:
        """Converts no rows, which raises what any task would raise for the schema or the options."""
        with tempfile.TemporaryDirectory(prefix="xwalk-") as folder:
            done = self._convert(iter(()), os.path.join(folder, "rows" + self._suffix))
        log_report(done.report)

    def _look_at_folder(self, existing: str) -> None:
        """Refuses an output that the rows would not be one table with."""
        if not os.path.exists(self._folder):
            return
        if not os.path.isdir(self._folder):
            raise IoError(f"{self._folder}: expected a folder or nothing, found a file")
        formats = {word for word in map(_format_of, os.listdir(self._folder)) if word}
        if formats and existing == "error" and not self._overwrite:
            raise IoError(f"{self._folder}: holds rows already; choose another folder, or mode(\"overwrite\")")
        if not self._overwrite and formats - {self._format}:
            raise UsageError(f"{self._folder}: holds {', '.join(sorted(formats))}, and {self._format} beside it would "
                             f"make one table of neither; mode(\"overwrite\") replaces it")

    def _convert(self, batches: Iterator[pa.RecordBatch], path: str) -> Converted:
        rows = cast(pa.RecordBatchReader.from_batches(self._spark, batches), Schema.from_arrow(self._source))
        target = None
        if self._target_schema is not None:
            target = Schema.parse(self._target_schema, "yt" if self._format == "yson" else self._format)
        return convert(rows, path, target_schema=target, **self._options)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Written:
        """Writes the rows of one task, under a name that no other attempt has."""
        context = TaskContext.get()
        number = 0 if context is None else context.partitionId()
        first = next(iterator, None)
        if first is None and number != 0:  # one file without rows keeps the schema of an empty table
            return Written(None, 0)
        name = f"part-{number:05d}-{self._job}-{uuid.uuid4().hex[:8]}{self._suffix}"
        batches = chain(() if first is None else (first,), iterator)
        done = self._convert((batch.cast(self._spark) for batch in batches), os.path.join(self._staging, name))
        return Written(name, done.rows)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Gives the files of the tasks that count their names; what other attempts have left goes."""
        written = [message for message in messages if isinstance(message, Written)]
        old = self._old_files() if self._overwrite else []
        self._remove(os.path.join(self._folder, _DONE))
        for name in (message.name for message in written):
            if name is not None:
                side = side_schema_path(name)
                if os.path.exists(os.path.join(self._staging, side)):
                    os.rename(os.path.join(self._staging, side), os.path.join(self._folder, side))
                os.rename(os.path.join(self._staging, name), os.path.join(self._folder, name))
        for name in old:
            self._remove(os.path.join(self._folder, name))
        pathlib.Path(self._folder, _DONE).touch()
        self._remove_staging()
        _LOG.info("%s: %d rows in %d files", self._folder, sum(message.rows for message in written),
                  sum(message.name is not None for message in written))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Removes all that the job has written."""
        for message in messages:
            if isinstance(message, Written) and message.name is not None:
                self._remove(os.path.join(self._folder, message.name))
                self._remove(os.path.join(self._folder, side_schema_path(message.name)))
        self._remove_staging()
        if self._made_folder:
            try:
                os.rmdir(self._folder)
            except OSError:
                pass  # somebody else has put something there

    def _old_files(self) -> list[str]:
        rows = [name for name in os.listdir(self._folder) if _format_of(name)]
        sides = {side_schema_path(name) for name in rows}
        return rows + [name for name in sorted(sides) if os.path.exists(os.path.join(self._folder, name))]

    def _remove_staging(self) -> None:
        # A task of a lost executor may still be at work there; without its folder it fails.
        for _ in range(10):
            shutil.rmtree(self._staging, ignore_errors=True)
            if not os.path.exists(self._staging):
                return
        _LOG.warning("%s: cannot be removed", self._staging)

    @staticmethod
    def _remove(path: str) -> None:
        try:
            os.unlink(path)
        except FileNotFoundError:
            pass
