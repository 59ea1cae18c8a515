"""The types of pandas that hold the values of columns of Arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-untyped,unused-ignore]

#: NumPy has no null for these types: pandas would make floats and objects of columns with nulls.
_NULLABLE = {"bool": "boolean", "int8": "Int8", "int16": "Int16", "int32": "Int32", "int64": "Int64", "uint8": "UInt8",
             "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64"}


def frame_of(table: pyarrow.Table) -> Any:
    """Returns a data frame with all values of a table."""
    import pyarrow
    from pyarrow import compute

    for i, field in enumerate(table.schema):
        if pyarrow.types.is_run_end_encoded(field.type):
            table = table.set_column(i, field.with_type(field.type.value_type), compute.run_end_decode(table[i]))
        elif pyarrow.types.is_list_view(field.type) or pyarrow.types.is_large_list_view(field.type):
            lists = pyarrow.chunked_array(map(_lists_of, table[i].chunks), _list_type(field.type))
            table = table.set_column(i, field.with_type(lists.type), lists)
    return table.to_pandas(types_mapper=dtype_of)


def _list_type(view: pyarrow.DataType) -> pyarrow.DataType:
    import pyarrow

    return (pyarrow.list_ if pyarrow.types.is_list_view(view) else pyarrow.large_list)(view.value_field)


def _lists_of(views: pyarrow.Array) -> pyarrow.Array:
    """Returns list views, which pandas has no type for, as lists. pyarrow's own cast fails for null lists."""
    import pyarrow
    from pyarrow import compute

    lengths = compute.fill_null(compute.list_value_length(views), 0)
    offsets = pyarrow.concat_arrays([pyarrow.array([0], lengths.type), compute.cumulative_sum(lengths)])
    kind = pyarrow.ListArray if pyarrow.types.is_list_view(views.type) else pyarrow.LargeListArray
    return kind.from_arrays(offsets, views.flatten(), type=_list_type(views.type), mask=views.is_null())


def dtype_of(kind: pyarrow.DataType) -> Any:
    """Returns the type of pandas for a column, or None for the one that pyarrow chooses. It depends on the type alone, so
    parts of a table get equal types. Types of Arrow are for values that pyarrow would change or refuse."""
    import pandas  # type: ignore[import-untyped,unused-ignore]
    import pyarrow

    plain = _NULLABLE.get(str(kind))
    if plain is not None:
        return pandas.array([], plain).dtype
    kept = pandas.ArrowDtype(kind)
    if isinstance(kind, pyarrow.BaseExtensionType):
        return kept if str(kind.storage_type) in _NULLABLE or _has_changed_items(kind.storage_type) else None
    # pandas cannot print these. pyarrow refuses them.
    if _has(kind, lambda inner: pyarrow.types.is_union(inner) or isinstance(inner, pyarrow.BaseExtensionType)):
        return None
    return kept if _has_changed_items(kind) else None


def _has_changed_items(kind: pyarrow.DataType) -> bool:
    """Returns true for a type whose inner values pyarrow changes on their way to NumPy: integers to floats where some are null,
    instants and durations to integers."""
    import pyarrow

    def is_changed(inner: pyarrow.DataType) -> bool:
        types = pyarrow.types
        return bool(types.is_integer(inner) or types.is_timestamp(inner) or types.is_duration(inner) or types.is_dictionary(inner))

    return any(_has(child, is_changed) for child in _children(kind))


def _has(kind: pyarrow.DataType, wanted: Callable[[pyarrow.DataType], bool]) -> bool:
    return wanted(kind) or any(_has(child, wanted) for child in _children(kind))


def _children(kind: pyarrow.DataType) -> list[pyarrow.DataType]:
    return [kind.field(i).type for i in range(kind.num_fields)]
