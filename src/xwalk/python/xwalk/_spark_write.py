"""Writing on Spark: `TaskWriter` with the types of Spark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark import TaskContext
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from ._spark_read import LOG, errors_of_task
from ._spark_types import as_read, changes_of, to_arrow
from ._task_write import TaskWriter, Written


@dataclass
class Message(WriterCommitMessage):
    """The result of a task, which Spark sends to the driver."""

    written: Written


def _written(messages: list[WriterCommitMessage | None]) -> list[Written]:
    return [message.written for message in messages if isinstance(message, Message)]


class XwalkWriter(DataSourceArrowWriter):
    """Writes rows to a folder. Made on the driver, where it refuses what the format cannot hold."""

    def __init__(self, folder: str, schema: StructType, overwrite: bool, options: dict[str, Any]) -> None:
        self._writer = TaskWriter(folder, to_arrow(schema), overwrite, options, LOG, as_read(schema), changes_of(schema))

    def write(self, iterator: Iterator[pa.RecordBatch]) -> Message:
        context = TaskContext.get()
        with errors_of_task():
            return Message(self._writer.write(iterator, 0 if context is None else context.partitionId()))

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self._writer.commit(_written(messages))

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        self._writer.abort(_written(messages))
