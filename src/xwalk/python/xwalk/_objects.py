"""Objects of other packages with rows or bytes: data frames, lazy frames, datasets, files of fsspec."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, Iterator, Mapping, Sequence

from . import _xwalk
from ._errors import Error, InputError, UnsupportedError, io_error
from ._options import is_of, schema_of_types, usage_error


def needed(package: str, what: str) -> Any:
    """Imports a required package. Raises ImportError with one sentence."""
    import importlib

    try:
        # guard(execute): a package of a fixed name, from where this interpreter finds packages.
        return importlib.import_module(package)
    except ImportError as missing:
        raise ImportError(f"{what} needs {package}: pip install {package}") from missing


# --- rows and schemas of Arrow ----------------------------------------------------------------------------------------


#: Types of Polars that have no type of Arrow, and what to do. Polars exports objects as their addresses in memory.
_NOT_IN_ARROW = {"Object": "Convert its values to a type that they share, or leave the column out.",
                 "Int128": "Cast it to Decimal(38, 0), which holds 38 digits.", "UInt128": "Cast it to Decimal(38, 0), which holds 38 digits."}


def _check_polars(kind: Any, path: str) -> None:
    """Raises UnsupportedError for a type of Polars, or a type in it, that Arrow does not have."""
    hint = _NOT_IN_ARROW.get(str(kind.base_type()))
    if hint is not None:
        error = UnsupportedError(f"{path}: Arrow has no type for {kind.base_type()} of Polars\n  {hint}")
        error.message, error.hint, error.path = f"Arrow has no type for {kind.base_type()} of Polars", hint, path
        raise error
    for field in getattr(kind, "fields", ()):
        _check_polars(field.dtype, f"{path}.{field.name}")
    if getattr(kind, "inner", None) is not None:
        _check_polars(kind.inner, f"{path}[]")


def _check_frame(source: Any) -> None:
    """Does so for the columns of a frame of Polars. Other objects are not examined."""
    if is_of(source, "polars", "DataFrame", "LazyFrame"):
        try:
            columns = source.collect_schema()
        except Exception:  # reading the rows reports why the query fails
            return
        for name, kind in columns.items():
            _check_polars(kind, name)
    elif is_of(source, "polars", "Series"):
        _check_polars(source.dtype, source.name)


def stream_of(source: Any) -> Any:
    """Returns an object with ``__arrow_c_stream__`` for the rows of another object, or None if that has no rows."""
    _check_frame(source)
    if hasattr(source, "__arrow_c_stream__"):
        return source
    if is_of(source, "polars", "LazyFrame"):
        return LazyRows(source)
    if is_of(source, "pandas", "DataFrame"):  # before 2.2, which supports the protocol
        return needed("pyarrow", "a data frame of this pandas").Table.from_pandas(source)
    if hasattr(source, "__arrow_c_array__") and not _is_path(source):
        arrow = needed("pyarrow", "a single batch")
        try:
            return arrow.record_batch(source)
        except arrow.ArrowInvalid as error:
            raise usage_error(f"expected rows, found {type(source).__name__}: {error}",
                              'Make a table with the array as its column: pyarrow.table({"name": array}).') from None
    if is_of(source, "datasets", "DatasetDict", "IterableDatasetDict"):
        names = ", ".join(map(str, source))
        raise usage_error(f"expected rows, found a dictionary of splits: {names}", 'Choose one: dataset["train"].')
    if is_of(source, "datasets", "Dataset", "IterableDataset"):
        return _reader_of_dataset(source)
    for name in _READERS:
        if callable(read := getattr(source, name, None)):
            return stream_of(read())
    return None


#: Methods by which packages give rows: batch by batch before all at once. PyIceberg (a scan, a table), Delta Lake, datasets and
#: scanners of pyarrow and Lance, and packages with `to_arrow`.
_READERS = ("to_arrow_batch_reader", "to_pyarrow_dataset", "scanner", "to_reader", "scan", "to_arrow")
_HUGGING_FACE_ROWS = 10_000


def _reader_of_dataset(source: Any) -> Any:
    """Returns the rows of a dataset of Hugging Face, in the order of its indices."""
    if source.features is None:
        raise usage_error("expected a dataset with features, found one whose columns are unknown",
                          "dataset.cast(features) gives it types.")
    schema = source.features.arrow_schema
    tables = source.with_format("arrow").iter(_HUGGING_FACE_ROWS)
    batches = (batch for table in tables for batch in table.cast(schema).to_batches())
    return needed("pyarrow", "a dataset of Hugging Face").RecordBatchReader.from_batches(schema, batches)


class LazyRows:
    """The rows of a lazy frame of Polars as a stream, batch by batch if pyarrow is installed.

    `failure` keeps the exception that ended the query: a stream of Arrow passes on a text only.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self.failure: Exception | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        try:
            return self._reader().__arrow_c_stream__(requested_schema)
        except Exception as raised:
            self.failure = raised
            raise

    def _reader(self) -> Any:
        if not hasattr(self._frame, "collect_batches"):
            return self._frame.collect()
        try:
            import pyarrow  # type: ignore[import-untyped]
        except ImportError:
            return self._frame.collect(engine="streaming")
        schema = self._frame.collect_schema().to_frame().to_arrow().schema
        return pyarrow.RecordBatchReader.from_batches(schema, self._batches(schema))

    def _batches(self, schema: Any) -> Iterator[Any]:
        try:
            for part in self._frame.collect_batches(maintain_order=True):
                yield from part.to_arrow().cast(schema).to_batches()
        except Exception as raised:
            self.failure = raised
            raise


@contextmanager
def own_errors(*sources: Any) -> Iterator[None]:
    """Raises the error that a lazy frame kept instead of the text that reached xwalk through Arrow."""
    try:
        yield
    except Error:
        for source in sources:
            failure = getattr(source, "failure", None) if isinstance(source, LazyRows) else None
            if isinstance(failure, Error):
                raise failure from None
            if failure is not None:
                error = InputError(f"the query of Polars failed: {type(failure).__name__}: {failure}")
                error.message = str(error)
                raise error from failure
        raise


def schema_of(source: Any) -> Any:
    """Returns an object with ``__arrow_c_schema__`` or ``__arrow_c_stream__`` for the schema of another object, without
    reading its rows."""
    _check_frame(source)
    if hasattr(source, "__arrow_c_schema__"):
        return source
    if is_of(source, "polars", "LazyFrame"):
        return source.collect_schema().to_frame()
    if isinstance(source, Mapping) and not is_of(source, "datasets", "DatasetDict", "IterableDatasetDict"):
        return schema_of_types(source)
    own = getattr(source, "schema", None)
    if hasattr(own, "__arrow_c_schema__"):
        return own
    stream = stream_of(source)
    if stream is None:
        raise usage_error("expected a path, a schema, the text of one or an object with a schema of Arrow, "
                          f"found {type(source).__name__}")
    return stream


# --- paths and files --------------------------------------------------------------------------------------------------


def _is_path(source: Any) -> bool:
    return isinstance(source, (str, os.PathLike)) and not is_fsspec(source)


def is_fsspec(source: Any) -> bool:
    """Returns whether an object names a file of a file system of fsspec: ``fsspec.open(…)``, or a path of universal_pathlib."""
    return (not isinstance(source, (str, PurePath)) and hasattr(source, "fs") and hasattr(source, "path") and
            hasattr(source.fs, "open"))


def paths_of(source: Any) -> list[str] | None:
    """Returns the paths, URIs and patterns of a source, or None for the text of a schema and for objects."""
    if isinstance(source, str):
        return None if _xwalk.is_schema_text(source) else [source]
    if _is_path(source):
        return [os.fspath(source)]
    if isinstance(source, Sequence) and not isinstance(source, (bytes, bytearray, memoryview)):
        for path in source:
            if not _is_path(path):
                raise usage_error(f"expected paths in a list, found {type(path).__name__}")
        if not source:
            raise usage_error("expected at least one path, found an empty list")
        return [os.fspath(path) for path in source]
    return None


def paths_of_rows(source: Any) -> list[str]:
    """Returns the paths of a source. Raises UsageError for a source that has no path."""
    paths = paths_of(source)
    if not paths:
        raise usage_error("expected the path of rows, or several, found something else")
    return paths


def source_of(source: Any, options: dict[str, Any]) -> Any:
    """Returns a source for the library: a list of paths, bytes, an object with `read`, or one with ``__arrow_c_stream__``. The
    name of a file of fsspec gives its format, like a path."""
    if isinstance(source, str):
        return [source]
    stream = stream_of(source)
    if stream is not None:
        return stream
    if is_of(source, "numpy", "ndarray") and source.dtype != "uint8":
        raise usage_error(f"expected rows, found an array of NumPy of {source.dtype}",
                          'Make a table with the array as its column: pyarrow.table({"name": array}).')
    if is_fsspec(source):
        options.setdefault("format", _xwalk.format_of_name(source.path) or None)
        try:
            return source.open() if getattr(source, "compression", None) else source.fs.open(source.path, "rb")
        except OSError as error:
            raise io_error(f"{source.path}: cannot open: {error}", error.errno or 0, source.path) from error
    paths = paths_of(source)
    return source if paths is None else paths


def check_again(source: Any) -> None:
    """Refuses rows that can be read only once, and so not be compared with the output."""
    is_once = hasattr(source, "read_next_batch") or hasattr(source, "read") or isinstance(source, Iterator)
    if is_once:
        raise usage_error(f"verify=True reads the input twice, found rows that can be read once: {type(source).__name__}",
                          "Give a table, or the name of a file.")


@contextmanager
def target_of(target: Any, options: dict[str, Any]) -> Iterator[Any]:
    """Yields a target for the library: a path, or an object with `write`. A file of fsspec appears when it is complete, if
    its file system supports that."""
    if not is_fsspec(target):
        yield os.fspath(target) if _is_path(target) else target
        return
    options.setdefault("to", _xwalk.format_of_name(target.path) or None)
    if getattr(target, "compression", None):
        with target as file:
            yield file
        return
    there = target.fs.exists(target.path)
    if there and options.get("mode", "create") == "create":
        raise io_error(f'{target.path}: the file already exists; replace it with mode="overwrite", or choose another name',
                       errno.EEXIST, target.path)
    # guard(write): the file that the caller names.
    file = target.fs.open(target.path, "wb", autocommit=False)
    try:
        yield file
        file.close()
    except BaseException:
        _discard(file, target, there)
        raise
    file.commit()


def _discard(file: Any, target: Any, there: bool) -> None:
    try:
        file.discard()
        if not there and target.fs.exists(target.path):  # a file system that creates the file on open
            target.fs.rm_file(target.path)
    except Exception:  # the error of closing a failed upload would hide the reason
        pass
