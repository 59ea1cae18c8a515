"""Lazy frames of Polars, without importing Polars with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .objects import needed
from .option_types import ScanOptions
from .options import spelled, takes_options
from .rows import Source

if TYPE_CHECKING:
    from typing import Unpack

    import polars


@takes_options
def scan(
    source: Source,
    *,
    engine: Literal["auto", "process"] = "auto",
    **options: Unpack[ScanOptions],
) -> polars.LazyFrame:
    """Returns the rows of any system as a lazy frame of Polars; they are read each time it is collected.

    `source` is what `open` takes, except objects with `read`, which can be read once. Columns that a query does not use
    are not read, nor rows after the last one it needs. Filters are applied to each batch. ``frame.xwalk.sink(target)``
    writes a lazy frame as `convert` does. Raises as `open`. Options are those of `open`:
    """
    needed("polars", "xwalk.scan")
    from .polars import lazy

    return lazy(source, spelled({"engine": engine, **options}))
