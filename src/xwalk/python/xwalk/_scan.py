"""Lazy frames of Polars, without importing Polars with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._objects import needed
from ._option_types import ConvertOptions, ScanOptions
from ._options import is_of, spelled, takes_options, usage_error
from ._progress import OnProgress
from ._rows import Converted, Source, Target, Variants, convert
from ._schema import SchemaSource

if TYPE_CHECKING:
    from typing import Unpack

    import polars


@takes_options
def scan(
    source: Source,
    *,
    variants: Variants = None,
    engine: Literal["auto", "process"] = "auto",
    **options: Unpack[ScanOptions],
) -> polars.LazyFrame:
    """Returns the rows of any system as a lazy frame of Polars. They are read each time it is collected.

    `source` is what `open` takes, except objects with `read`, which can be read once. Columns that a query does not use
    are not read, nor rows after the last one it needs. Filters are applied to each batch. `sink` writes a lazy frame.
    ``variants="struct"`` makes unions structs, as in `Rows.to_polars`. Raises as `open`. Options are those of `open`:
    """
    needed("polars", "xwalk.scan")
    from .polars import lazy

    return lazy(source, spelled({"engine": engine, **options}), variants)


@takes_options
def sink(
    frame: polars.LazyFrame,
    target: Target,
    *,
    target_schema: SchemaSource | None = None,
    progress: OnProgress = None,
    engine: Literal["auto", "process"] = "auto",
    **options: Unpack[ConvertOptions],
) -> Converted:
    """Runs the query of a lazy frame of Polars and writes its rows as they come, as `convert` does with other rows.

    Also available as ``frame.xwalk.sink(target)``. Raises as `convert`. Options are those of `convert`:
    """
    if not is_of(frame, "polars", "LazyFrame"):
        raise usage_error(f"expected a lazy frame of Polars, found {type(frame).__name__}", "xwalk.convert writes other rows.")
    return convert(frame, target, target_schema=target_schema, progress=progress, engine=engine, **options)
