"""The data source `xwalk` of Spark 4: ``spark.read.format("xwalk")`` and ``.write.format("xwalk")``.

Spark finds it by itself where the package is installed; ``spark.dataSource.register(XwalkDataSource)`` does it by hand.
"""

from __future__ import annotations

import glob
import json
import os
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, Iterator, Mapping, Union

for _needed in ("pyarrow", "pyspark", "pyspark.sql.datasource"):
    if find_spec(_needed) is None:
        raise ImportError('xwalk.spark needs pyspark 4, whose data sources may be in Python, and pyarrow: '
                          'pip install "xwalk[spark]"')

from pyspark.sql.datasource import DataSource  # noqa: E402
from pyspark.sql.types import StructType  # noqa: E402

from . import _xwalk  # noqa: E402
from ._errors import Error, IoError, UsageError  # noqa: E402
from ._spark_folder import place  # noqa: E402
from ._spark_read import XwalkReader, log_report, plan, read_plan  # noqa: E402
from ._spark_write import XwalkWriter  # noqa: E402

__all__ = ["XwalkDataSource", "read_plan"]

#: Why an option cannot mean on Spark what it means elsewhere, and why it cannot when rows are read.
_REFUSED = {name: (always, reading) for name, always, reading in _xwalk.not_on_spark()}


def _refuse(name: str, writing: bool) -> None:
    """Raises UsageError for an option that cannot be given here."""
    always, reading = _REFUSED.get(name, ("", "it is for writing" if name == "existing" else ""))
    reason = always or ("" if writing else reading)
    if reason:
        raise UsageError(f"there is no option {name!r} for {'writing' if writing else 'reading'} on Spark: {reason}")


def _typed(given: Mapping[str, str], writing: bool = False) -> dict[str, Any]:
    """Returns Spark's options, which are all text, as xwalk takes them."""
    options: dict[str, Any] = {}
    for name, text in given.items():
        name = name.lower()
        if name in ("path", "paths"):
            continue
        _refuse(name, writing)
        value: Any = text
        if name in _REFUSED:
            value = json.loads(_xwalk.parse_option(name, text))
        elif name == "split_bytes":
            if not text.isdecimal():
                raise UsageError(f"expected a number for the option {name!r}, found {text!r}")
            value = int(text)
        if name == "storage_options":
            # Plans show options, so that secrets are refused here already.
            value = {key: str(one).lower() if isinstance(one, bool) else str(one) for key, one in value.items()}
            _xwalk.check_storage_options(value)
        options[name] = value
    return options


@contextmanager
def _in_a_sentence() -> Iterator[None]:
    """Has Spark show an error of ours as what it says. It shows what its planning workers raise, which end with it, and the
    way there unless this variable tells it not to."""
    try:
        yield
    except Error as error:
        os.environ["SPARK_HIDE_TRACEBACK"] = "1"
        if isinstance(error, UsageError):
            said = error.message or str(error)
            raise UsageError(f"{said}. {error.hint}" if error.hint else said) from None
        raise


def _paths(given: Mapping[str, str]) -> list[str]:
    if "paths" in given:
        return [place(path) for path in json.loads(given["paths"])]
    if "path" in given:
        return [place(given["path"])]
    raise UsageError("expected a path, found none: .load(path) or .save(path)")


def _found(paths: list[str]) -> list[str]:
    """Returns what paths and patterns stand for, each pattern's by name; URIs are looked up when they are opened."""
    found: list[str] = []
    for path in paths:
        if _xwalk.is_remote(path) or os.path.exists(path):
            found.append(path)
            continue
        matches = [name for name in sorted(glob.glob(path, recursive=True)) if not name.endswith(".schema")]
        if not matches:
            what = "matches nothing" if glob.has_magic(path) else "does not exist"
            raise IoError(f"{path}: {what} (on the driver; every node must have it mounted)")
        found += matches
    return found


class XwalkDataSource(DataSource):
    """Rows of YSON, Skiff, Parquet, Lance, Vortex and Arrow as Spark's.

    Options of reading are those of `xwalk.open`, and ``split_bytes``; of writing, ``format`` and those of
    `xwalk.convert`, and ``existing``. Paths are those that every node has mounted, or URIs of stores, which the
    executors reach by their own variables and roles, and ``storage_options``: no secret goes there. Columns that Spark cannot hold as they are come as the nearest type it has; the
    report on that is logged, and what goes beyond ``checked`` is refused without ``allow=lossy``, before a task starts.
    """

    @classmethod
    def name(cls) -> str:
        return "xwalk"

    def schema(self) -> Union[StructType, str]:
        with _in_a_sentence():
            found, self._planned = plan(_found(_paths(self.options)), _typed(self.options))
        log_report(found.report)
        return found.schema

    def reader(self, schema: StructType) -> XwalkReader:
        # Without a schema of the user's, schema() has looked at the files already.
        planned = getattr(self, "_planned", None)
        with _in_a_sentence():
            return XwalkReader(_found(_paths(self.options)), schema, _typed(self.options), planned)

    def writer(self, schema: StructType, overwrite: bool) -> XwalkWriter:
        with _in_a_sentence():
            return XwalkWriter(_paths(self.options)[0], schema, overwrite, _typed(self.options, writing=True))
