"""Reading on Spark: `TaskReader` with the types of Spark."""

from __future__ import annotations

import logging
import os
import sys
from contextlib import contextmanager
from typing import Any, Iterable, Iterator, NamedTuple, Sequence

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from ._errors import Error
from ._report import Report
from ._spark_types import to_arrow, to_spark, with_changes
from ._task_read import PlannedRead, TaskReader, arrow_of, cast_to, changes_of_reading, in_a_line, open_rows
from ._task_skip import Condition

LOG = logging.getLogger("xwalk.spark")


#: Conditions that Spark 4.1 passes, by the name of their class.
_OPERATORS = {"EqualTo": "=", "EqualNullSafe": "<=>", "GreaterThan": ">", "GreaterThanOrEqual": ">=", "LessThan": "<",
              "LessThanOrEqual": "<=", "In": "in", "IsNull": "null", "IsNotNull": "not null"}


@contextmanager
def errors_of_task() -> Iterator[None]:
    """Has Spark show an error of xwalk in a task as one line with file, line, column and hint, without the traceback of its worker. The
    worker ends with the error, so no other task gets the variable."""
    try:
        yield
    except Error as error:
        os.environ["SPARK_HIDE_TRACEBACK"] = "1"
        raise in_a_line(error) from None


class ReadPlan(NamedTuple):
    """The schema of rows on Spark, and the report of the conversion."""

    schema: StructType
    report: Report


def plan(paths: Sequence[str], options: dict[str, Any]) -> tuple[ReadPlan, PlannedRead]:
    """Plans reading files on Spark. Raises UnsupportedError like `read_plan`."""
    rows = open_rows(paths, options)
    arrow = arrow_of(rows, options)
    schema = to_spark(arrow)
    report = cast_to(rows, to_arrow(schema)).report
    return ReadPlan(with_changes(schema, changes_of_reading(rows, arrow, report)), report), PlannedRead.of(rows)


def read_plan(paths: Sequence[str], **options: Any) -> ReadPlan:
    """Returns the plan of ``spark.read.format("xwalk")`` before a task starts.

    Raises UnsupportedError for a column that Spark cannot hold without changing values, unless ``allow="lossy"``.
    """
    return plan(paths, options)[0]


class XwalkReader(DataSourceReader):
    """Reads files in partitions. Made on the driver, which refuses files that cannot be read as `schema`.

    `planned` is the result of `read_plan` for the same files, if there is one.
    """

    def __init__(self, paths: Sequence[str], schema: StructType, options: dict[str, Any],
                 planned: PlannedRead | None = None) -> None:
        self._reader = TaskReader(paths, to_arrow(schema), options, LOG, planned)

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(part) for part in self._reader.parts()]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        # Without a part, Spark runs one task for nothing.
        if partition.value is not None:
            with errors_of_task():
                yield from self._reader.read(partition.value)


def takes_filters() -> bool:
    """Returns true in the worker in which Spark pushes filters."""
    return "pyspark.sql.worker.data_source_pushdown_filters" in sys.modules


class FilteringReader(XwalkReader):
    """The same with filters. Spark refuses a reader that takes filters unless
    ``spark.sql.python.filterPushdown.enabled`` is set, and then makes it in a worker of its own (`takes_filters`)."""

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:  # Spark's name
        """Uses filters to leave out parts of files. Spark tests the rows of the others."""
        self._reader.skip([Condition(found.attribute[0], _OPERATORS[type(found).__name__], getattr(found, "value", None))
                           for found in filters if type(found).__name__ in _OPERATORS and len(found.attribute) == 1])
        return filters
