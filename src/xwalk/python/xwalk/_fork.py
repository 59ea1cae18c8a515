"""Preparation for `os.fork`, so that a child can convert too."""

from __future__ import annotations

import io
import os

from ._rows import convert

_settled = False


def _settle() -> None:
    """Makes the tables and imports the modules of the first conversion. Otherwise a child that is forked while another thread
    makes them would wait for a thread that it does not have."""
    global _settled
    if not _settled:
        _settled = True
        convert(b"{a=1}", io.BytesIO(), format="yson", schema="[{name=a;type=int64}]", to="skiff")


os.register_at_fork(before=_settle)
