"""The errors of xwalk. Each says what was expected and what was found, and has its place."""

from __future__ import annotations

import errno as _errno
import os as _os
import sys as _sys
import warnings as _warnings


class Error(Exception):
    """Base of all errors of xwalk.

    ``str()`` has the whole text: place, message, the line with a caret, hint. The parts are attributes. Unknown
    parts are empty or None. Errors can be pickled. Rows, bytes and tables count from 0, lines and columns from 1.
    """

    message: str = ""
    hint: str = ""
    file: str = ""
    path: str = ""
    line: int | None = None
    column: int | None = None
    byte: int | None = None
    row: int | None = None
    table: int | None = None


class NoteWarning(UserWarning):
    """A fact about rows that no schema shows: replaced duplicate keys, row indices and other control attributes of streams."""


def warn_note(text: str) -> None:
    """Warns with a `NoteWarning` at the line of the user's code that called xwalk."""
    package, level, frame = _os.path.dirname(__file__) + _os.sep, 1, _sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back  # type: ignore[assignment]
    _warnings.warn(text, NoteWarning, stacklevel=level)


class UsageError(Error, ValueError):
    """The call is invalid: an unknown option or value, options that contradict each other."""


class InputError(Error, ValueError):
    """The input is invalid: bytes, text or a value."""


class UnsupportedError(Error, TypeError):
    """A column cannot be converted, or the conversion would change values without consent."""


class IoError(Error, OSError):
    """The operating system, an object store or an engine refused to read or write.

    It is also a FileNotFoundError, FileExistsError or PermissionError, depending on `errno`.
    """

    errno: int | None = None
    strerror: str | None = None
    filename: str | None = None


class MissingFileError(IoError, FileNotFoundError):
    """A file, a folder or an object does not exist."""


class ExistingFileError(IoError, FileExistsError):
    """An output already exists."""


class AccessError(IoError, PermissionError):
    """The operating system does not allow the access."""


_IO_ERRORS: dict[int, type[IoError]] = {_errno.ENOENT: MissingFileError, _errno.EEXIST: ExistingFileError,
                                        _errno.EACCES: AccessError, _errno.EPERM: AccessError}


def io_error(text: str, number: int = 0, filename: str = "") -> IoError:
    """Makes the error of a failed call of the operating system. `number` is its errno, 0 if it is not known."""
    error = _IO_ERRORS.get(number, IoError)(text)
    error.message = text
    if number:
        error.errno, error.strerror = number, _os.strerror(number)
    if filename:
        error.file = error.filename = filename
    return error


class Interrupted(Error):
    """The conversion was interrupted, and its output does not exist. Python's main thread gets KeyboardInterrupt instead."""


class InternalError(Error, RuntimeError):
    """A bug in xwalk."""


class VerdictError(Error):
    """A report is worse than allowed; see `Report.raise_for`."""
