"""Comparing an output with its source by tasks of a cluster: each adds up the checksums of columns of some files, and the process
that started them adds up their sums and makes the proof."""

from __future__ import annotations

import logging
import os
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, Iterable, Sequence, Union

from . import _xwalk
from ._options import spelled, usage_error
from ._report import Proof
from ._rows import format_of, target_schema_of
from ._schema import Schema, SchemaSource
from ._task_folder import FilePart, found_files, place, stamp

#: Options of a conversion that a proof by tasks has in spite of the reasons not to have them in tasks: it has one plan.
_TAKEN = ("to", "cast", "rename")
_MODULO = 2**64


@dataclass(frozen=True)
class Checksums:
    """Counts and checksums of rows of one side. `a + b` is that of the rows of both."""

    rows: int = 0
    row_checksum: int = 0
    #: Of each column the number of values, of nulls, and the checksum. Nothing if there was no file.
    columns: tuple[tuple[int, int, int], ...] = ()
    rejected: int = 0
    first_rejected: str = ""
    #: The same for each path.
    rejected_at: dict[str, tuple[int, str]] = field(default_factory=dict)
    #: Rows with a value that has no place in the type in which both sides are compared.
    unfit: int = 0
    first_unfit: str = ""

    def __add__(self, other: Checksums) -> Checksums:
        if not self.columns or not other.columns:
            columns = self.columns or other.columns
        else:
            columns = tuple((one[0] + two[0], one[1] + two[1], (one[2] + two[2]) % _MODULO)
                            for one, two in zip(self.columns, other.columns))
        rejected_at = dict(self.rejected_at)
        for path, (count, first) in other.rejected_at.items():
            known = rejected_at.get(path, (0, first))
            rejected_at[path] = (known[0] + count, known[1])
        return Checksums(self.rows + other.rows, (self.row_checksum + other.row_checksum) % _MODULO, columns,
                         self.rejected + other.rejected, self.first_rejected or other.first_rejected, rejected_at,
                         self.unfit + other.unfit, self.first_unfit or other.first_unfit)

    def _given(self) -> tuple[Any, ...]:
        """Returns what the compiled part takes."""
        return (self.rows, self.row_checksum, list(self.columns), self.rejected, self.first_rejected, self.rejected_at,
                self.unfit, self.first_unfit)


@dataclass(frozen=True)
class SideSums:
    """The checksums of both sides, as far as they were added up."""

    source: Checksums = field(default_factory=Checksums)
    output: Checksums = field(default_factory=Checksums)

    def __add__(self, other: SideSums) -> SideSums:
        return SideSums(self.source + other.source, self.output + other.output)


@dataclass(frozen=True)
class SidePart:
    """A file of one side, or a part of one."""

    of_output: bool
    file: FilePart


@dataclass(frozen=True)
class AddUp:
    """The work of a task. It is sent to tasks."""

    parts: _xwalk.ComparedParts
    options: dict[str, Any]
    target_schema: Schema | None

    def __call__(self, parts: Sequence[SidePart]) -> SideSums:
        """Adds up the rows of parts."""
        return reduce(SideSums.__add__, map(self._one, parts), SideSums())

    def _one(self, part: SidePart) -> SideSums:
        file = part.file
        file.check_unchanged(self.options.get("storage_options", {}), "verify")
        add_up = self.parts.sums_of_output if part.of_output else self.parts.sums_of_source
        options = self.options if file.part is None else {**self.options, "part": file.part}
        schema = None if self.target_schema is None else self.target_schema._schema
        rows, checksum, columns, rejected, first_rejected, rejected_at, unfit, first_unfit = add_up(file.path, options, schema)
        sums = Checksums(rows, checksum, tuple(columns), rejected, first_rejected, rejected_at, unfit, first_unfit)
        return SideSums(output=sums) if part.of_output else SideSums(source=sums)


class TaskVerifier:
    """Compares an output with its source. Made before the tasks, where it refuses what cannot be compared."""

    def __init__(self, source: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]]], target: Union[str, os.PathLike[str]],
                 split_bytes: int, target_schema: SchemaSource | None, options: dict[str, Any], log: logging.Logger, host: str) -> None:
        for name, always, reading in _xwalk.not_on_spark():
            if options.get(name) is not None and name not in _TAKEN and (always or reading not in ("", "it is for writing")):
                raise usage_error(f"there is no option {name!r} for verifying on {host}: {always or reading}")
        if split_bytes < 1:
            raise usage_error(f"split_bytes: expected an integer from 1, found {split_bytes}")
        names = [source] if isinstance(source, (str, os.PathLike)) else source
        output = place(os.fspath(target))
        settings = {"threads": 1, **spelled(options)}
        schema = None if target_schema is None else Schema(target_schema_of(target_schema, format_of(output, settings), settings))
        self._open = _xwalk.OpenParts(found_files([place(os.fspath(name)) for name in names]), output, settings,
                                      None if schema is None else schema._schema)
        self._split_bytes = split_bytes
        self._storage = settings.get("storage_options", {})
        self._log = log
        #: What tasks call with their parts.
        self.add_up = AddUp(self._open.parts, settings, schema)

    def tasks(self) -> list[list[SidePart]]:
        """Returns the parts of both sides, of about `split_bytes` per task."""
        tasks: list[list[SidePart]] = []
        for of_output in (False, True):
            free_bytes = 0
            for file, size in self._files(of_output):
                if size > free_bytes or not tasks:
                    tasks.append([])
                    free_bytes = self._split_bytes
                tasks[-1].append(SidePart(of_output, file))
                free_bytes -= size
        self._log.info("%d tasks add up the checksums of %d and %d files", len(tasks), len(self._open.source_files),
                       len(self._open.output_files))
        return tasks

    def _files(self, of_output: bool) -> Iterable[tuple[FilePart, int]]:
        """Yields the files of a side, in parts, with the sizes of these."""
        form = self._open.output_format if of_output else self._open.source_format
        for path in self._open.output_files if of_output else self._open.source_files:
            if form == "lance":  # a folder
                yield FilePart(path), self._split_bytes
                continue
            seen = stamp(path, self._storage)
            cut = _xwalk.parts(path, form, self._split_bytes, self._storage)
            for part in cut:
                yield FilePart(path, part, seen), seen[0] // len(cut)
            if not cut:
                yield FilePart(path, None, seen), seen[0]

    def proof(self, sums: Iterable[SideSums]) -> Proof:
        """Returns the proof by the sums of all tasks, in their order."""
        done = reduce(SideSums.__add__, sums, SideSums())
        return Proof(self._open.proof(done.source._given(), done.output._given()))
