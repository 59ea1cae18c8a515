"""What xwalk raises. Each error says what was expected and what was found, and carries its place."""

from __future__ import annotations

import errno as _errno
import os as _os


class Error(Exception):
    """Base of all errors of xwalk.

    ``str()`` of one is the whole text: place, message, the line with a caret, hint. The parts are attributes; those
    that are not known are empty or None. Errors can be pickled. Rows, bytes and tables count from 0, lines and columns from 1.
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
    """What reading rows met that no schema tells: keys that gave way to later ones, what streams tell beside columns."""


class UsageError(Error, ValueError):
    """The call makes no sense: an unknown word, options that contradict each other."""


class InputError(Error, ValueError):
    """Bytes, text or a value are not what they should be."""


class UnsupportedError(Error, TypeError):
    """There is no mapping for a column, or it would alter values without consent."""


class IoError(Error, OSError):
    """The operating system, an object store or an engine refused to read or write.

    It is a FileNotFoundError, FileExistsError or PermissionError as well if `errno` says so.
    """

    errno: int | None = None
    strerror: str | None = None
    filename: str | None = None


class MissingFileError(IoError, FileNotFoundError):
    """A file, a folder or an object does not exist."""


class ExistingFileError(IoError, FileExistsError):
    """An output exists already."""


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
    """The work was stopped; nothing is under the output's name."""


class InternalError(Error, RuntimeError):
    """A bug in xwalk."""


class VerdictError(Error):
    """A report is worse than was asked for; see `Report.raise_for`."""
