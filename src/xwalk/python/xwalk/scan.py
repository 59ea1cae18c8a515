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
    """Returns the rows of any format as a lazy frame of Polars, which reads them each time it is collected.

    `source` is a source for `open`, except objects with `read`, which can be read once. A query reads only the columns and
    rows that it needs. Filters are applied to each batch. ``frame.xwalk.sink(target)`` writes a lazy frame like `convert`.
    Raises the errors of `open`. Options are those of `open`:
    """
    needed("polars", "xwalk.scan")
    from .polars import lazy

    return lazy(source, spelled({"engine": engine, **options}))
