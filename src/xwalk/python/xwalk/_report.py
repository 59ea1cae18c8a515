"""Reports of conversions, differences and compatibility."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Sequence, overload

from . import _xwalk
from ._errors import VerdictError
from ._options import expect_word, takes_text

if TYPE_CHECKING:
    from typing_extensions import Self

#: Verdicts, best first.
VERDICTS = ("exact", "annotated", "widened", "inferred", "checked", "lossy", "unsupported")
_COLOURS = {**dict.fromkeys(("exact", "added", "compatible"), "#17703f"), "annotated": "#1a5fd0",
            **dict.fromkeys(("widened", "inferred"), "#6f44c6"),
            **dict.fromkeys(("checked", "changed", "needs validation"), "#8a5200"),
            **dict.fromkeys(("lossy", "removed", "incompatible"), "#b92522"), "unsupported": "#8f1046", "same": "#5f6875"}


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table for a notebook, under a title. Cells are HTML."""
    from html import escape

    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align:left'>{cell}</{tag}>" for cell in cells) + "</tr>"

    return (f"<p>{escape(title)}</p><table><thead>{line(head, 'th')}</thead>"
            f"<tbody>{''.join(line(cells, 'td') for cells in rows)}</tbody></table>")


class Report:
    """The report of a conversion from one schema to another system.

    >>> import xwalk
    >>> report = xwalk.Schema.parse("[{name=id;type=int64};{name=at;type=timestamp}]").to("parquet").report
    >>> report.verdict
    'annotated'
    >>> report.summary
    '2 columns: 1 exact, 1 annotated'
    >>> report.to_dict()["paths"][2]["path"]
    'at'
    """

    __slots__ = ("_report", "_dict")

    def __init__(self, report: _xwalk.Report) -> None:
        self._report = report
        self._dict: dict[str, Any] | None = None

    @property
    def verdict(self) -> str:
        """The worst verdict of all columns, one of `VERDICTS`."""
        return self._report.grade

    @property
    def summary(self) -> str:
        """One line: the number of columns per verdict, or of rows and tables."""
        return self._report.summary

    def _sum(self, name: str) -> int:
        return sum(int(table.get(name, 0)) for table in self.tables)

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The report on each table, as in `to_dict`: several if the source consists of several tables."""
        found = self.to_dict()
        tables: list[dict[str, Any]] = found["tables"] if found["report"] in ("tables", "proof") else [found]
        return tables

    @property
    def problems(self) -> list[dict[str, str]]:
        """The files that cannot be read, or do not have the schema of their table: `problem`, `subject`, `text`."""
        problems: list[dict[str, str]] = self.to_dict().get("problems", [])
        return problems

    @property
    def rows(self) -> dict[str, Any] | None:
        """The result of reading the rows, for `check` with `rows`: `read`, `rejected`, and `paths` with the reasons."""
        found: list[dict[str, Any]] = [table["rows"] for table in self.tables if "rows" in table]
        if len(found) < 2:
            return found[0] if found else None
        return {"read": sum(one["read"] for one in found), "refused": sum(one["refused"] for one in found),
                "paths": [path for one in found for path in one["paths"]]}

    @property
    def notes(self) -> list[dict[str, str]]:
        """Facts about the rows that no schema shows: `path`, `rule`, `found`."""
        notes: list[dict[str, str]] = self.to_dict().get("notes", [])
        return notes

    @property
    def readers(self) -> list[dict[str, Any]] | None:
        """Readers that misread a column, for `check` with `readers`: `reader`, `path`, `remark`.

        A remark on some values only has `about`. With `rows`, `affected` of the column's `values` are such.
        """
        return self.to_dict().get("readers")

    @property
    def fails(self) -> bool:
        """True if the conversion would be refused or stop: a verdict worse than ``checked``, or rejected rows. For others: if there
        is a difference, or old data cannot be read, or only after its values are checked."""
        return self._report.fails

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole report, like `xwalk check --output json` (docs/report.schema.json)."""
        if self._dict is None:
            import json

            self._dict = json.loads(self._report.json())
        return self._dict

    def to_json(self) -> str:
        """Returns the whole report as JSON."""
        return self._report.json()

    def to_text(self, width: int = 80, all: bool = False) -> str:
        """Returns aligned text of `width` columns. `all` also shows exact columns."""
        return self._report.text(width, all)

    def to_html(self) -> str:
        """Returns a self-contained HTML page with both schemas side by side."""
        return self._report.form("html")

    def to_markdown(self) -> str:
        """Returns a summary and a table in Markdown."""
        return self._report.form("markdown")

    def to_junit(self) -> str:
        """Returns JUnit XML, a test case for each path."""
        return self._report.form("junit")

    def to_github(self) -> str:
        """Returns workflow commands that GitHub shows as annotations."""
        return self._report.form("github")

    def raise_for(self, verdict: str = "lossy") -> Self:
        """Raises VerdictError if the worst verdict is `verdict` or worse, else returns itself."""
        grades = self._report.grades
        expect_word("verdict", verdict, grades)
        if grades.index(self._report.grade) >= grades.index(verdict):
            raise VerdictError(f"the verdict is {self._report.grade}\n{self.to_text()}")
        return self

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _restored, (type(self), self._report.state())

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<xwalk.{type(self).__name__}: {self.summary}>"

    def _repr_html_(self) -> str:
        from html import escape

        if self.to_dict()["report"] == "tables":
            keys = ("input", "rows", "rejected", "columns", "verdict", "decision")
            return html_table(self.summary, (*keys[:-1], "needs a decision"), [
                ["—" if table[key] is None else escape(str(table[key])) for key in keys] for table in self.to_dict()["summary"]])
        rows = []
        for (left, left_type), (right, right_type), grade, remarks in self._report.lines():
            why = "<br>".join(f"<code>{escape(rule)}</code> {escape(text)}" for rule, text in remarks)
            name = escape(left or right) if left in ("", right) or not right else f"{escape(left)} → {escape(right)}"
            rows.append([name, f"<code>{escape(left_type)}</code>", f"<code>{escape(right_type)}</code>",
                         f"<b style='color:{_COLOURS.get(grade, 'inherit')}'>{escape(grade)}</b>", why])
        return html_table(self.summary, ("path", *self._sides(), "", "why"), rows)

    def _sides(self) -> tuple[str, str]:
        found = self.to_dict()
        return found["source"], found["target"]


def _restored(kind: type[Report], state: bytes) -> Report:
    return kind(_xwalk.Report.restore(state))


class Diff(Report):
    """The differences of two schemas.

    >>> import xwalk
    >>> old, new = (xwalk.Schema.parse_type(text, "yt") for text in ("Int32", "Int64"))
    >>> [change["detail"] for change in xwalk.diff(old, new).differences[0]["changes"]]
    ['holds all values and more']
    """

    __slots__ = ()

    @property
    def same(self) -> bool:
        """True if the schemas are equal."""
        return not self.problems and all(table["same"] for table in self.tables)

    @property
    def differences(self) -> list[dict[str, Any]]:
        """Each path that differs: `left`, `right`, `paired_by` and `changes`."""
        return [difference for table in self.tables for difference in table["differences"]]

    def _sides(self) -> tuple[str, str]:
        found = self.to_dict()
        return found["left"]["system"], found["right"]["system"]


class RowDiff(Report):
    """The differences of the rows of two tables.

    >>> import xwalk
    >>> old, new = (b'{id=1;price=1.5};{id=2;price=2.5};', b'{id=2;price=3.5};{id=3;price=0.5};')
    >>> schema = "[{name=id;type=int64};{name=price;type=double}]"
    >>> found = xwalk.diff(*(xwalk.open(rows, schema=schema, format="yson") for rows in (old, new)), rows=True, key="id")
    >>> found.same, found.added, found.removed, found.changed
    (False, 1, 1, 1)
    >>> found.differences[1]["path"], found.differences[1]["left"]["value"], found.differences[1]["right"]["value"]
    ('price', '2.5', '3.5')
    """

    __slots__ = ()

    @property
    def same(self) -> bool:
        """True if all rows, columns and tables are equal."""
        return not self.problems and all(table["same"] for table in self.tables)

    @property
    def added(self) -> int:
        """How many rows only the second has."""
        return self._sum("added")

    @property
    def removed(self) -> int:
        """How many rows only the first has."""
        return self._sum("removed")

    @property
    def changed(self) -> int:
        """How many rows both have and are not the same."""
        return self._sum("changed")

    @property
    def columns(self) -> dict[str, int]:
        """The number of rows in which each column differs. Columns of one name in several tables are added up."""
        found: dict[str, int] = {}
        for table in self.tables:
            for column in table["columns"]:
                found[column["name"]] = found.get(column["name"], 0) + column["changed"]
        return found

    @property
    def differences(self) -> list[dict[str, Any]]:
        """The first differences: `change`, `key`, `path`, and the `row` and the `value`, as JSON, of `left` and `right`."""
        return [difference for table in self.tables for difference in table["differences"]]

    def _sides(self) -> tuple[str, str]:
        found = self.to_dict()
        return found["left"]["system"], found["right"]["system"]


class Proof(Report):
    """The result of comparing an output with its source. True if they are equal, in all tables.

    Each of `tables` has `inputs`, `output`, `verified`, `rows_read`, `rows_rejected`, `rows_written`, `columns` with the checksums of
    both sides, and `diff`.
    """

    __slots__ = ()

    @property
    def verified(self) -> bool:
        """True if each output has the rows of its source."""
        return bool(self.to_dict()["verified"])

    @property
    def fails(self) -> bool:
        """True if an output differs from its source."""
        return not self.verified

    @property
    def verdict(self) -> str:
        """``"verified"`` or ``"differs"``."""
        return "verified" if self.verified else "differs"

    @property
    def rows_read(self) -> int:
        """How many rows the source has."""
        return self._sum("rows_read")

    @property
    def rows_rejected(self) -> int:
        """How many rows of the source the conversion rejects."""
        return self._sum("rows_rejected")

    @property
    def rows_written(self) -> int:
        """How many rows the output has."""
        return self._sum("rows_written")

    def _diffs(self) -> list[dict[str, Any]]:
        """The differences of the tables that could be compared."""
        return [table["diff"] for table in self.tables if "diff" in table]

    @property
    def differing_rows(self) -> int:
        """How many rows differ, or exist on one side only."""
        return sum(diff[change] for diff in self._diffs() for change in ("added", "removed", "changed"))

    @property
    def columns(self) -> dict[str, int]:
        """The number of rows in which each column differs. Columns of one name in several tables are added up."""
        found: dict[str, int] = {}
        for table in self.tables:
            for column in table.get("columns", ()):
                found[column["name"]] = found.get(column["name"], 0) + column["differing_rows"]
        return found

    @property
    def differences(self) -> list[dict[str, Any]]:
        """The first differences of each table, as in `RowDiff.differences`: `left` is the source, `right` the output."""
        return [difference for diff in self._diffs() for difference in diff["differences"]]

    def raise_for(self, verdict: str = "differs") -> Self:
        """Raises VerdictError if an output differs, else returns itself."""
        expect_word("verdict", verdict, ("differs",))
        if not self.verified:
            raise VerdictError(f"the output differs from its source\n{self.to_text()}")
        return self

    def _repr_html_(self) -> str:
        from html import escape

        lines = [[escape(", ".join(file["name"] for file in table["inputs"])), escape(table["output"]["name"]),
                  *(f"{table[name]:,}" if name in table else "" for name in ("rows_read", "rows_rejected", "rows_written")),
                  f"<b style='color:{_COLOURS['same' if table['verified'] else 'removed']}'>"
                  f"{'verified' if table['verified'] else escape(table.get('failure', 'differs'))}</b>"] for table in self.tables]
        shown = html_table(self.summary, ("source", "output", "rows read", "rejected", "written", ""), lines)
        if self.verified:
            return shown
        sides = [(one, one.get("left", {}), one.get("right", {})) for one in self.differences]
        return shown + html_table("The first differences", ("change", "row", "column", "source", "output"), [
            [escape(str(cell)) for cell in (one["change"], {**right, **left}["row"], one.get("path", ""),
                                            left.get("value", ""), right.get("value", ""))]
            for one, left, right in sides])


class Compat(Report):
    """Whether data of one schema can be read as another. True if it can, in all tables.

    >>> import xwalk
    >>> old, new = (xwalk.Schema.parse_type(text, "yt") for text in ("Int64", "Int32"))
    >>> xwalk.compat(old, new).answer
    'needs validation'
    """

    __slots__ = ()

    @property
    def answer(self) -> str:
        """``"compatible"``, ``"needs validation"`` (values must be checked) or ``"incompatible"``."""
        return self._report.grade

    @property
    def reasons(self) -> list[dict[str, str]]:
        """Why not: `direction`, `answer`, `path` and `reason` of each."""
        return [reason for table in self.tables for reason in table["reasons"]]

    def __bool__(self) -> bool:
        return self.answer == "compatible" and not self.problems

    def _sides(self) -> tuple[str, str]:
        return "old", "new"


@overload
def explain(word: str) -> dict[str, Any]: ...
@overload
def explain(word: None = None) -> list[dict[str, Any]]: ...
@takes_text
def explain(word: str | None = None) -> dict[str, Any] | list[dict[str, Any]]:
    """Returns the documentation of a rule or a verdict of a report, or of an option: `rule` or `option`, `meaning`, `advice`, and
    for a rule an `example` with the `command` and its `output`. Without an argument, returns that of all rules.

    >>> import xwalk
    >>> xwalk.explain("range.narrowed")["meaning"]
    "The target's type holds a smaller range of values."
    """
    return [_xwalk.explain(name) for name in _xwalk.rule_names()] if word is None else _xwalk.explain(word)
