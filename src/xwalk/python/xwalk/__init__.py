"""xwalk walks table schemas and rows between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow.

>>> import xwalk
>>> schema, report = xwalk.Schema.parse_type("List<Decimal(20,4)>", "yt").to("lance")
>>> report.verdict
'checked'
"""

from ._xwalk import __version__
from .errors import (Error, InputError, InternalError, Interrupted, IoError, UnsupportedError, UsageError,
                     VerdictError)
from .report import VERDICTS, Report
from .rows import Converted, Rows, convert, open, read_skiff, read_yson, write_skiff, write_yson
from .schema import Compat, Conversion, Evolution, Schema, compat, evolve, merge

__all__ = [
    "VERDICTS", "Compat", "Conversion", "Converted", "Error", "Evolution", "InputError", "InternalError",
    "Interrupted", "IoError", "Report", "Rows", "Schema", "UnsupportedError", "UsageError", "VerdictError",
    "__version__", "compat", "convert", "evolve", "merge", "open", "read_skiff", "read_yson", "write_skiff",
    "write_yson",
]
