"""How far a conversion is: told to a function, or shown as a bar."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator, NamedTuple, Union

from ._objects import needed
from ._options import usage_error


class Progress(NamedTuple):
    """How far a conversion is."""

    #: Rows written.
    rows: int
    #: How many rows were left out.
    rejected: int
    bytes_read: int
    bytes_written: int
    #: None if unknown
    total_rows: int | None
    total_bytes: int | None


#: A function, called at most about ten times a second, or True for a tqdm bar.
OnProgress = Union[bool, Callable[[Progress], object], None]


@contextmanager
def teller(progress: OnProgress) -> Iterator[Callable[[dict[str, Any]], object] | None]:
    """Gives what the library calls. What a function raises ends the conversion, with nothing written."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        with _bar() as tell:
            yield tell
    elif callable(progress):
        report = progress  # for type checkers, which forget it within a lambda
        yield lambda now: report(Progress(**now))
    else:
        raise usage_error(f"expected progress as True or a function, found {type(progress).__name__}")


@contextmanager
def _bar() -> Iterator[Callable[[dict[str, Any]], None]]:
    # In a notebook this is a notebook bar, elsewhere a line on standard error.
    with needed("tqdm.auto", "progress=True").tqdm(unit=" rows", unit_scale=True) as bar:
        def tell(now: dict[str, Any]) -> None:
            bar.total = now["total_rows"]
            bar.update(now["rows"] - bar.n)

        yield tell
