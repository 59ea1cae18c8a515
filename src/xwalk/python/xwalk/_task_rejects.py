"""Rejected rows of the tasks of a cluster: each task writes one file to a folder."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
import uuid
from collections import Counter
from typing import Any, Iterator, Sequence

import pyarrow as pa  # type: ignore[import-untyped]

from . import _xwalk
from ._xwalk import side_schema_path
from ._errors import UsageError
from ._rows import Converted, convert
from ._schema import Schema
from ._task_folder import exists, place

#: Lets a task reject all of its rows: the rule that some must be accepted is for whole inputs.
TOLERANT = {"max_rejects": "100%"}


def rejects_folder(options: dict[str, Any]) -> str | None:
    """Returns the folder for rejected rows, if the options have one."""
    given = options.get("rejects")
    if given is None:
        return None
    folder = place(os.fspath(given))
    if not _xwalk.is_remote(folder) and os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(f"rejects: expected a folder, in which each task writes one file, found the file {folder}")
    return folder


#: How many reasons for rejected rows a summary has.
_REASONS = 5


def reasons_of(rejects: Sequence[dict[str, Any]]) -> Counter[str]:
    """Counts rejected rows by column and reason, without the values that were found."""
    return Counter(f"{row['path'] or 'row'}: {row['reason'].partition(', found ')[0]}" for row in rejects)


def reasons_text(reasons: Counter[str]) -> str:
    """Returns the most frequent reasons in a line."""
    shown = [f"{count:,} × {reason}" for reason, count in reasons.most_common(_REASONS)]
    return "; ".join(shown + ([f"{len(reasons) - _REASONS} more reasons"] if len(reasons) > _REASONS else []))


def check_apart(rejects: str | None, output: str) -> None:
    """Refuses rejected rows in the folder of the output: they would be read as its rows."""
    if rejects is None:
        return
    inner, outer = (path.rstrip("/") if _xwalk.is_remote(path) else os.path.realpath(path) for path in (rejects, output))
    if inner == outer or inner.startswith(outer + "/"):
        raise UsageError(f"rejects: expected a folder outside of the output {output}, found {rejects}")


def read_name(files: Sequence[Any], options: dict[str, Any], target: pa.Schema) -> str:
    """Returns a name for reading the same files with the same options: an attempt that is repeated replaces its file."""
    about = json.dumps([files, {key: options[key] for key in sorted(options)}, str(target)], default=str)
    return hashlib.sha256(about.encode()).hexdigest()[:12]


class _Pipe:
    """A conversion in a thread, whose rows are read as they come."""

    def __init__(self, source: Any, target: pa.Schema, options: dict[str, Any], rejects: str) -> None:
        self.done: Converted | None = None
        self._failure: BaseException | None = None
        self._read, write = os.pipe()
        self._thread = threading.Thread(target=self._run, args=(source, target, options, rejects, write), daemon=True)
        self._thread.start()

    def _run(self, source: Any, target: pa.Schema, options: dict[str, Any], rejects: str, write: int) -> None:
        try:
            with os.fdopen(write, "wb") as out:
                given = {**options, **TOLERANT, "rejects": rejects}
                self.done = convert(source, out, target_schema=Schema.from_arrow(target), to="arrow-stream", **given)
        except BaseException as error:  # for the task's own thread
            self._failure = error

    def batches(self) -> Iterator[pa.RecordBatch]:
        try:
            with os.fdopen(self._read, "rb") as pipe:
                yield from pa.ipc.open_stream(pipe)
        except pa.ArrowException:
            self._thread.join()
            if self._failure is None:
                raise
        finally:
            self._thread.join()  # without a reader, it ends
        if self._failure is not None:
            raise self._failure


def _publish(scratch: str, path: str, rejected: int) -> None:
    """Gives a file and its schema their names; removes them if there are no rejected rows."""
    for name, final in ((side_schema_path(scratch), side_schema_path(path)), (scratch, path)):
        # guard(rename): a file that this task made under a random name; a link at the final name is replaced.
        if rejected:
            os.replace(name, final)
        elif os.path.exists(name):
            # guard(delete): a file that this task made under a random name, without rejected rows.
            os.unlink(name)


def rows_and_rejects(source: str, target: pa.Schema, options: dict[str, Any], path: str,
                     log: logging.Logger) -> Iterator[pa.RecordBatch]:
    """Reads rows as `target`. When all are read, the rejected ones are in the file `path`, if there are any."""
    storage = options.get("storage_options", {})
    remote = _xwalk.is_remote(path)
    scratch = path
    if remote:
        remove_rejects(path, storage)
    else:
        folder, name = os.path.split(path)
        os.makedirs(folder, exist_ok=True)
        scratch = os.path.join(folder, f".{uuid.uuid4().hex[:8]}-{name}")
    pipe = _Pipe(source, target, options, scratch)
    yield from pipe.batches()
    rejected = 0 if pipe.done is None else pipe.done.rejected
    if pipe.done is not None and rejected:
        log.warning("%s: %d rows left out, which are in %s: %s", source, rejected, path, reasons_text(reasons_of(pipe.done.rejects)))
    if not remote:
        _publish(scratch, path, rejected)
    elif not rejected:
        remove_rejects(path, storage)


def remove_rejects(path: str, storage: dict[str, str]) -> None:
    """Removes an object of rejected rows and its schema."""
    for name in (path, side_schema_path(path)):
        if exists(name, storage):
            _xwalk.remove_object(name, storage)
