"""Converts schemas and rows between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow, and reports what is kept.

>>> import xwalk
>>> schema, report = xwalk.Schema.parse_type("List<Decimal(20,4)>", "yt").to("lance")
>>> report.verdict
'checked'
"""

import os as _os
import sys as _sys

# An interpreter of this kind may load the compiled part, and would then crash.
if "t" in _sys.abiflags:
    raise ImportError("xwalk does not support free-threaded builds of CPython: use one with the global interpreter lock")

from . import _xwalk
from . import _fork
from ._xwalk import version as __version__
from ._compare import check, compat, diff, merge, verify
from ._duckdb import duckdb_extension
from ._errors import (Error, InputError, InternalError, Interrupted, IoError, NoteWarning, UnsupportedError, UsageError,
                     VerdictError)
from ._info import Info, info
from ._report import VERDICTS, Compat, Diff, Proof, Report, RowDiff, explain
from ._progress import Progress
from ._rows import Converted, Rows, convert, open, parts
from ._scan import scan, sink
from ._schema import Conversion, Evolution, Schema, evolve
from ._validate import Validation, validate

__all__ = [
    "VERDICTS", "Compat", "Conversion", "Converted", "Diff", "Error", "Evolution", "Info", "InputError", "InternalError",
    "Interrupted", "IoError", "NoteWarning", "Progress", "Proof", "Report", "RowDiff", "Rows", "Schema", "UnsupportedError",
    "UsageError", "Validation", "VerdictError",
    "__version__", "check", "compat", "convert", "diff", "duckdb_extension", "evolve", "explain", "info", "merge", "open",
    "parts", "scan", "sink", "validate", "verify",
]

# The modules are private: classes and functions are named by the package, also in tracebacks and pickles.
for _name in __all__:
    if getattr(globals()[_name], "__module__", "").startswith("xwalk."):
        globals()[_name].__module__ = "xwalk"

# Lance and Vortex rows go through programs in Python, which are to see the packages that this interpreter sees.
_xwalk.set_engine_interpreter(_os.environ.get("XWALK_PYTHON") or _sys.executable or "")
