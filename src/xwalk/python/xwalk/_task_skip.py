"""Parts of files that no row of a query is in, by the values of folders and the statistics of Parquet's row groups."""

from __future__ import annotations

import datetime
import decimal
from dataclasses import replace
from typing import Any, Iterator, NamedTuple, Sequence

import pyarrow as pa  # type: ignore[import-untyped]

from . import _xwalk
from ._task_folder import FilePart


class Condition(NamedTuple):
    """A condition on a column that all rows of a query meet: ``=``, ``<=>``, ``>``, ``>=``, ``<``, ``<=``, ``in``, ``null``,
    ``not null``."""

    column: str
    operator: str
    value: Any = None


class Range(NamedTuple):
    """The values of a column in some rows: the least and the greatest, None if unknown."""

    least: Any = None
    greatest: Any = None
    may_be_null: bool = True
    all_null: bool = False


def _order(value: Any) -> Any:
    """Returns the kind of a value: only values of one kind are compared."""
    if isinstance(value, bool):
        return bool
    if isinstance(value, (int, decimal.Decimal)):
        return decimal.Decimal
    if isinstance(value, datetime.datetime):
        return datetime.datetime, value.tzinfo is None
    return type(value)


def _holds(operator: str, value: Any, found: Range) -> bool:
    """Returns false if no value of a range is in a relation to a value."""
    if value is None:
        return operator == "<=>" and found.may_be_null
    if found.all_null:
        return False
    if found.least is None or found.greatest is None or not _order(value) == _order(found.least) == _order(found.greatest):
        return True
    above, below = bool(found.greatest >= value), bool(found.least <= value)
    answers = {"=": above and below, "<=>": above and below, ">": bool(found.greatest > value), ">=": above,
               "<": bool(found.least < value), "<=": below}
    return answers.get(operator, True)


def may_hold(condition: Condition, found: Range) -> bool:
    """Returns false if no row of a range meets a condition."""
    if condition.operator == "null":
        return found.may_be_null
    if condition.operator == "not null":
        return not found.all_null
    if condition.operator == "in":
        return any(_holds("=", value, found) for value in condition.value)
    return _holds(condition.operator, condition.value, found)


def in_folders(conditions: Sequence[Condition], constants: dict[str, pa.Scalar]) -> bool:
    """Returns false if the columns of a file's folders meet no condition."""
    for condition in conditions:
        scalar = constants.get(condition.column)
        if scalar is not None:
            value = scalar.as_py()
            if not may_hold(condition, Range(value, value, value is None, value is None)):
                return False
    return True


def _is_ordered(kind: pa.DataType) -> bool:
    """Returns true for types whose statistics have the order of Python's values. NaN has no place in that of floats."""
    return bool(pa.types.is_signed_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind) or
                pa.types.is_date32(kind) or pa.types.is_decimal128(kind) or pa.types.is_boolean(kind) or
                (pa.types.is_timestamp(kind) and kind.unit in ("ms", "us") and kind.tz in (None, "UTC")))


def _range_of(column: Any, rows: int) -> Range:
    """Returns the values of a column chunk by its statistics."""
    statistics = column.statistics
    if statistics is None:
        return Range()
    nulls = statistics.null_count if statistics.has_null_count else None
    known = statistics.has_min_max
    return Range(statistics.min if known else None, statistics.max if known else None, nulls != 0, nulls == rows)


def _is_kept(kind: pa.DataType, target: pa.DataType) -> bool:
    """Returns true if the values of a column are compared as the file stores them: a cast may round them."""
    if pa.types.is_timestamp(kind) and pa.types.is_timestamp(target):
        return bool(kind.tz == target.tz)
    if pa.types.is_integer(kind):
        return bool(pa.types.is_integer(target) or pa.types.is_decimal(target))
    if pa.types.is_decimal(kind) and pa.types.is_decimal(target):
        return bool(target.scale >= kind.scale)
    return bool(kind == target)


def _groups(path: str, conditions: Sequence[Condition], target: pa.Schema) -> list[tuple[int, bool]]:
    """Returns for each row group the number of its rows, and false if none meets the conditions."""
    import pyarrow.parquet  # type: ignore[import-untyped]

    with pyarrow.parquet.ParquetFile(path) as file:
        metadata, schema = file.metadata, file.schema_arrow
    # A column of one leaf has the name of the field as its path.
    leaves = {metadata.schema.column(i).path: i for i in range(metadata.num_columns)}
    usable = []
    for condition in conditions:
        if "." in condition.column or condition.column not in leaves:
            continue
        kind = schema.field(condition.column).type
        if _is_ordered(kind) and _is_kept(kind, target.field(condition.column).type):
            usable.append(condition)
    found = []
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        found.append((group.num_rows, all(
            may_hold(condition, _range_of(group.column(leaves[condition.column]), group.num_rows)) for condition in usable)))
    return found


def _runs(groups: Sequence[tuple[int, bool]], first: int, count: int) -> Iterator[tuple[int, int]]:
    """Yields the first and the number of row groups in a row that may hold rows."""
    begin = None
    for number in range(first, first + count + 1):
        wanted = number < first + count and groups[number][1]
        if wanted and begin is None:
            begin = number
        if not wanted and begin is not None:
            yield begin, number - begin
            begin = None


def skip_groups(parts: list[FilePart], conditions: Sequence[Condition], target: pa.Schema) -> list[FilePart]:
    """Returns the parts of Parquet files without row groups in which no row meets the conditions, which are about columns of
    `target`. Files in a store are kept."""
    known: dict[str, list[tuple[int, bool]]] = {}
    found = []
    for part in parts:
        if _xwalk.is_remote(part.path):
            found.append(part)
            continue
        if part.path not in known:
            known[part.path] = _groups(part.path, conditions, target)
        groups = known[part.path]
        if part.part is None:
            found += [part] if not groups or any(wanted for _, wanted in groups) else []
            continue
        for first, count in _runs(groups, part.part["first"], part.part["count"]):
            rows = sum(rows for rows, _ in groups[first:first + count])
            before = sum(rows for rows, _ in groups[:first])
            found.append(replace(part, part={**part.part, "first": first, "count": count, "first_row": before, "rows": rows}))
    return found
