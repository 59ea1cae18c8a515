"""Validation: every row of a file against its schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

from . import _xwalk
from ._errors import Error
from ._objects import paths_of_rows
from ._option_types import ValidateOptions
from ._options import Path, counted, spelled, takes_options

if TYPE_CHECKING:
    from typing import Unpack


class Validation:
    """The result of `validate`. It is true if the input is valid.

    >>> import pathlib, tempfile, xwalk
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.yson"
    >>> _ = path.write_text('{id=1};{id="x"};')
    >>> found = xwalk.validate(path, schema="[{name=id;type=int64}]")
    >>> bool(found), found.rows, found.bad_rows, found.errors[0].row, found.errors[0].message
    (False, 2, 1, 1, 'expected int64, found string "x"')
    """

    __slots__ = ("_found",)

    def __init__(self, found: dict[str, Any]) -> None:
        self._found = found

    @property
    def valid(self) -> bool:
        """True if all files can be read, all rows fit their schema, and no rule of the format is broken."""
        return bool(self._found["valid"])

    @property
    def rows(self) -> int:
        """The number of rows in all files."""
        return int(self._found["rows"])

    @property
    def bad_rows(self) -> int:
        """The number of rows that do not fit the schema."""
        return int(self._found["bad_rows"])

    @property
    def errors(self) -> list[Error]:
        """The first 20 bad rows of each file, and the files that cannot be read, as exceptions with their place."""
        errors: list[Error] = self._found["errors"]
        return errors

    @property
    def findings(self) -> list[dict[str, Any]]:
        """What the files say about their format: `file`, `path`, `rule`, `found`, and `violation` if it breaks a rule."""
        findings: list[dict[str, Any]] = self._found["findings"]
        return findings

    @property
    def files(self) -> list[dict[str, Any]]:
        """The `file`, `rows` and `bad_rows` of each file that was read."""
        files: list[dict[str, Any]] = self._found["files"]
        return files

    def __bool__(self) -> bool:
        return self.valid

    def __repr__(self) -> str:
        bad = f", {self.bad_rows:,} bad" if self.bad_rows else ""
        return f"<xwalk.Validation: {counted(self.rows, 'row')}{bad}, {'valid' if self.valid else 'invalid'}>"


@takes_options
def validate(
    source: Path | Sequence[Path],
    format: str | None = None,
    *,
    values: bool = False,
    **options: Unpack[ValidateOptions],
) -> Validation:
    """Reads all rows of a file, a folder, several files or a URI, and checks them against their schema. Writes nothing.

    Parquet and Arrow files are also checked against the rules of their format, and with `values` every value of a Parquet
    file against its annotation. Files of different schemas are checked one by one. Options are those of `open`, and
    `rename` and `cast`, which the rows must fit.

    Raises the error of a file that cannot be read if it is the only one. The errors of several files are in `errors`. Options:
    """
    paths = paths_of_rows(source)
    return Validation(_xwalk.validate(paths, spelled({**options, "format": format}), values))
