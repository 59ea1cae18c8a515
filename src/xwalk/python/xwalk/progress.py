"""Progress of a conversion, for a function or a progress bar."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, NamedTuple, Union

from .objects import needed
from .options import usage_error


class Progress(NamedTuple):
    """Progress of a conversion."""

    #: Rows written.
    rows: int
    #: Rows rejected.
    bad_rows: int
    bytes_read: int
    bytes_written: int
    #: None if the input does not record it.
    total_rows: int | None
    total_bytes: int | None


#: A function, called at most about ten times per second, or True for a bar of tqdm.
Told = Union[bool, Callable[[Progress], object], None]


@contextmanager
def teller(progress: Told) -> Iterator[Callable[[dict[str, Any]], object] | None]:
    """Returns the callback for the library. An exception of the function ends the conversion, without an output."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with _bar() as tell:
            yield tell
    elif callable(progress):
        told = progress  # for type checkers, which do not narrow it in a lambda
        yield lambda now: told(Progress(**now))
    else:
        raise usage_error(f"expected progress as True or a function, found {type(progress).__name__}")


@contextmanager
def _bar() -> Iterator[Callable[[dict[str, Any]], None]]:
    # A widget in a notebook, elsewhere a line on standard error.
    with needed("tqdm.auto", "progress=True").tqdm(unit=" rows", unit_scale=True) as bar:
        def tell(now: dict[str, Any]) -> None:
            bar.total = now["total_rows"]
            bar.update(now["rows"] - bar.n)

        yield tell
