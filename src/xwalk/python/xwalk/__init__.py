"""Converts schemas and rows between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow, and reports what is kept.

>>> import xwalk
>>> schema, report = xwalk.Schema.parse_type("List<Decimal(20,4)>", "yt").to("lance")
>>> report.verdict
'checked'
"""

import os as _os
import sys as _sys

from . import _xwalk
from . import fork as _fork
from ._xwalk import version as __version__
from .compare import check, compat, diff, merge
from .duckdb import duckdb_extension
from .errors import (Error, InputError, InternalError, Interrupted, IoError, NoteWarning, UnsupportedError, UsageError,
                     VerdictError)
from .info import Info, info
from .report import VERDICTS, Compat, Diff, Report, RowDiff
from .progress import Progress
from .rows import Converted, Rows, convert, open
from .scan import scan
from .schema import Conversion, Evolution, Schema, evolve

__all__ = [
    "VERDICTS", "Compat", "Conversion", "Converted", "Diff", "Error", "Evolution", "Info", "InputError", "InternalError",
    "Interrupted", "IoError", "NoteWarning", "Progress", "Report", "RowDiff", "Rows", "Schema", "UnsupportedError",
    "UsageError", "VerdictError",
    "__version__", "check", "compat", "convert", "diff", "duckdb_extension", "evolve", "info", "merge", "open",
    "scan",
]

# Lance and Vortex rows go through programs in Python, which are to see the packages that this interpreter sees.
_xwalk.set_engine_interpreter(_os.environ.get("XWALK_PYTHON") or _sys.executable or "")
