"""Protobuf messages of Vortex expressions: scalars and field paths. `Schema` has dtypes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, Sequence

from . import _xwalk
from ._options import takes_text


class Scalar(NamedTuple):
    """A value with its dtype in Vortex syntax.

    Structs, lists and the pairs of maps are lists; bytes, and decimals as unscaled little-endian integers, are
    ``{"hex": "05"}``; nan and infinities are text; a union's value is ``{"type_id": 1, "value": ...}``, a variant's
    ``{"dtype": ..., "value": ...}``.
    """

    dtype: str
    value: Any


def read_scalar(data: bytes) -> Scalar:
    """Reads a Scalar.

    >>> from xwalk import vortex
    >>> vortex.read_scalar(vortex.write_scalar("{a=i64, b=utf8?}", [5, None]))
    Scalar(dtype='{a=i64, b=utf8?}', value=[5, None])
    """
    return Scalar(**json.loads(_xwalk.read_vortex_scalar(data)))


@takes_text
def write_scalar(dtype: str, value: Any) -> bytes:
    """Writes a Scalar. Raises InputError for a value that is not one of the dtype."""
    return _xwalk.write_vortex_scalar(json.dumps({"dtype": dtype, "value": value}))


def read_path(data: bytes) -> list[str]:
    """Reads a FieldPath and returns the names of its steps.

    >>> from xwalk import vortex
    >>> vortex.read_path(vortex.write_path(["address", "zip"]))
    ['address', 'zip']
    """
    return _xwalk.read_vortex_path(data)


@takes_text
def write_path(path: Sequence[str]) -> bytes:
    """Writes a FieldPath."""
    return _xwalk.write_vortex_path(list(path))
