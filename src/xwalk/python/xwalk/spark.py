"""The data source `xwalk` of Spark 4: ``spark.read.format("xwalk")`` and ``.write.format("xwalk")``.

Spark finds it automatically if the package is installed; ``spark.dataSource.register(XwalkDataSource)`` registers it explicitly.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping, Sequence, Union

for _needed in ("pyarrow", "pyspark", "pyspark.sql.datasource"):
    if find_spec(_needed) is None:
        raise ImportError('xwalk.spark needs pyspark 4, whose data sources may be in Python, and pyarrow: '
                          'pip install "pyspark>=4" pyarrow')

import pyarrow as pa  # type: ignore[import-untyped]  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql.datasource import DataSource  # noqa: E402
from pyspark.sql.types import StructType  # noqa: E402

from . import _xwalk  # noqa: E402
from ._errors import Error, IoError, UsageError  # noqa: E402
from ._option_types import ConvertOptions  # noqa: E402
from ._options import Path, takes_options  # noqa: E402
from ._report import Proof  # noqa: E402
from ._schema import SchemaSource  # noqa: E402
from ._spark_read import LOG, FilteringReader, XwalkReader, errors_of_task, plan, read_plan, takes_filters  # noqa: E402
from ._spark_types import options_of, with_options  # noqa: E402
from ._spark_write import XwalkWriter  # noqa: E402
from ._task_folder import found_files, place  # noqa: E402
from ._task_read import SPLIT_BYTES, log_report  # noqa: E402
from ._task_verify import AddUp, TaskVerifier  # noqa: E402

if TYPE_CHECKING:
    from typing import Unpack

__all__ = ["XwalkDataSource", "read_plan", "verify"]

#: Options that are refused on Spark, and those that are refused for reading, with the reasons.
_REFUSED = {name: (always, reading) for name, always, reading in _xwalk.not_on_spark()}

#: What Spark adds to the options of a table of its catalog.
_OF_TABLES = {"location", "provider", "owner", "external", "is_managed_location", "comment", "collation",
              "table_type"}


def _is_of_table(name: str) -> bool:
    """Returns true for a name that is not an option of xwalk. Options of a table are given with a prefix and without it."""
    return name.lower() in _OF_TABLES or name.lower().startswith("option.")


def _refuse(name: str, writing: bool) -> None:
    """Raises UsageError for an option that is not allowed."""
    always, reading = _REFUSED.get(name, ("", "it is for writing" if name in ("existing", "target_schema") else ""))
    reason = always or ("" if writing else reading)
    if reason:
        raise UsageError(f"there is no option {name!r} for {'writing' if writing else 'reading'} on Spark: {reason}")


def _typed(given: Mapping[str, str], writing: bool = False) -> dict[str, Any]:
    """Returns Spark's options, which are all text, as options of xwalk."""
    options: dict[str, Any] = {}
    for name, text in given.items():
        name = name.lower()
        if name in ("path", "paths") or _is_of_table(name):
            continue
        _refuse(name, writing)
        if name == "target_schema":
            name = "schema"  # as everywhere else in Spark, rows have one schema
        if name in options:
            raise UsageError("expected one of the options 'schema' and 'target_schema', found both")
        value: Any = text
        if name in _REFUSED:
            value = json.loads(_xwalk.parse_option(name, text))
        elif name == "split_bytes":
            if not text.isdecimal():
                raise UsageError(f"expected a number for the option {name!r}, found {text!r}")
            value = int(text)
        if name == "storage_options":
            # Plans show options, so secrets are refused here.
            value = {key: str(one).lower() if isinstance(one, bool) else str(one) for key, one in value.items()}
            _xwalk.check_storage_options(value)
        options[name] = value
    return options


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Makes Spark show only the text of an xwalk error. By default, Spark adds the traceback of its planning workers, which
    end with the error."""
    try:
        yield
    except Error as error:
        os.environ["SPARK_HIDE_TRACEBACK"] = "1"
        if isinstance(error, UsageError):
            sentence = error.message or str(error)
            raise UsageError(f"{sentence}. {error.hint}" if error.hint else sentence) from None
        raise


def _paths(given: Mapping[str, str], writing: bool = False) -> list[str]:
    if "paths" in given:
        return [place(path) for path in json.loads(given["paths"])]
    if "path" in given:
        return [place(given["path"])]
    if writing:
        raise UsageError('expected a path, found none: DataFrame.write.format("xwalk").save(path). Spark does not give the path of a '
                         "table to INSERT")
    raise UsageError("expected a path, found none: .load(path), or CREATE TABLE … USING xwalk OPTIONS (path …) "
                     "without columns")


class XwalkDataSource(DataSource):
    """A data source for rows of YSON, Skiff, Parquet, Lance, Vortex and Arrow.

    Options for reading are those of `xwalk.open`, and ``split_bytes``; for writing, those of `xwalk.convert`, ``format`` and
    ``existing``. Paths are mounted on every node, or URIs of stores, for which executors use their own variables and roles, and
    ``storage_options`` without secrets. Columns become the nearest type that Spark has. The report is logged, and verdicts
    worse than ``checked`` are refused without ``allow=lossy``, before a task starts.
    """

    @classmethod
    def name(cls) -> str:
        return "xwalk"

    def schema(self) -> Union[StructType, str]:
        with _in_a_sentence():
            found, self._planned = plan(found_files(_paths(self.options)), _typed(self.options))
        log_report(found.report, LOG)
        if "provider" in self.options:  # CREATE TABLE
            return with_options(found.schema, {name: text for name, text in self.options.items() if not _is_of_table(name)})
        return found.schema

    def reader(self, schema: StructType) -> XwalkReader:
        # Without a schema of the user, schema() has already read the files.
        planned = getattr(self, "_planned", None)
        # Spark gives the options of a table of its catalog only to schema().
        given = self.options or options_of(schema)
        with _in_a_sentence():
            made = FilteringReader if takes_filters() else XwalkReader
            return made(found_files(_paths(given)), schema, _typed(given), planned)

    def writer(self, schema: StructType, overwrite: bool) -> XwalkWriter:
        with _in_a_sentence():
            return XwalkWriter(_paths(self.options, writing=True)[0], schema, overwrite, _typed(self.options, writing=True))


def _adding(add_up: AddUp) -> Any:
    """Returns the work of a task on rows with pickled parts: each becomes the sums of its parts."""
    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pickle

        for batch in batches:
            for number, parts in zip(batch.column("number").to_pylist(), batch.column("parts").to_pylist()):
                with errors_of_task():
                    # guard(execute): parts that the driver has pickled, sent to its own task by Spark.
                    sums = pickle.dumps(add_up(pickle.loads(parts)))
                yield pa.record_batch({"number": pa.array([number], pa.int64()), "sums": pa.array([sums], pa.binary())})

    return run


@takes_options
def verify(
    spark: SparkSession,
    source: Union[Path, Sequence[Path]],
    target: Path,
    *,
    split_bytes: int = SPLIT_BYTES,
    target_schema: SchemaSource | None = None,
    **options: Unpack[ConvertOptions],
) -> Proof:
    """Compares an output with its source by the checksums of all columns and of whole rows, which tasks of Spark add up.

    The proof is that of `xwalk.verify` without the order of rows, and says ``"compared": "checksums"``. If the checksums differ, it
    does not show the rows; `xwalk.verify` of single files does. Every node must reach the files under the same name. A task reads
    about `split_bytes`. Give the options of the conversion. Raises as `xwalk.verify`. Options are those of `convert`:
    """
    import pickle

    verifier = TaskVerifier(source, target, split_bytes, target_schema, dict(options), LOG, "Spark")
    tasks = [(number, pickle.dumps(parts)) for number, parts in enumerate(verifier.tasks())]
    frame = spark.createDataFrame(tasks, "number long, parts binary").repartitionByRange(len(tasks), "number")
    done = frame.mapInArrow(_adding(verifier.add_up), "number long, sums binary").collect()
    # guard(execute): what a task of this job has pickled.
    return verifier.proof(pickle.loads(row["sums"]) for row in sorted(done, key=lambda row: row["number"]))
