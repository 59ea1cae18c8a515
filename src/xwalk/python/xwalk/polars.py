"""Polars: files as a `LazyFrame`, and lazy frames written to files.

``lf.xwalk.sink("rows.yson")`` exists after this module was imported, or `xwalk.scan` was called.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Iterator

import polars
from polars.io.plugins import register_io_source

from ._options import USUAL, quoted
from ._rows import Converted, Rows, Target, Variants, convert, for_polars, opened


def _frames(rows: Rows, variants: Variants) -> Iterator[polars.DataFrame]:
    """Yields the rows of a stream, batch by batch if pyarrow is installed."""
    if find_spec("pyarrow") is None:
        yield rows.to_polars(variants=variants)
    else:
        yield from map(polars.DataFrame, for_polars(rows, variants))


def lazy(source: Any, options: dict[str, Any], variants: Variants) -> polars.LazyFrame:
    """Returns the rows of a source as a lazy frame; see `xwalk.scan`."""
    whole = opened(source, options)
    options = whole._as_opened()
    schema = whole._again(limit=0).to_polars(variants=variants).schema

    def read(columns: list[str] | None, predicate: polars.Expr | None, rows: int | None,
             batch_rows: int | None) -> Iterator[polars.DataFrame]:
        request = dict(options)
        if columns is not None:
            wanted = list(columns)
            if predicate is not None:
                wanted += [name for name in predicate.meta.root_names() if name not in wanted]
            if wanted:  # else the rows are only counted
                request["select"] = [quoted(name) for name in wanted]
        if rows is not None:
            request["limit"] = min(rows, options.get("limit", rows))
        if batch_rows:
            request["batch_rows"] = min(batch_rows, options.get("batch_rows", USUAL["batch_rows"]))
        for frame in _frames(opened(source, request), variants):
            if predicate is not None:
                frame = frame.filter(predicate)
            yield frame if columns is None else frame.select(columns)

    return register_io_source(read, schema=schema, is_pure=True)


@polars.api.register_lazyframe_namespace("xwalk")
class Sink:
    """The methods of `LazyFrame.xwalk`."""

    def __init__(self, frame: polars.LazyFrame) -> None:
        self._frame = frame

    def sink(self, target: Target, **options: Any) -> Converted:
        """Runs the query and writes its rows while it runs, like ``xwalk.convert(frame, target, …)``."""
        return convert(self._frame, target, **options)
