"""The report: what a conversion keeps, narrows or loses, for every column path."""

from __future__ import annotations

import html
from typing import Any

from . import _xwalk
from .errors import UsageError, VerdictError

#: Verdicts, best first.
VERDICTS = ("exact", "annotated", "widened", "checked", "lossy", "unsupported")
_COLOURS = {"exact": "#1a7f37", "annotated": "#1a7f37", "widened": "#0969da", "checked": "#9a6700", "lossy": "#cf222e",
            "unsupported": "#cf222e"}


class Report:
    """What converting one schema to another system keeps.

    >>> import xwalk
    >>> report = xwalk.Schema.parse("[{name=id;type=int64};{name=at;type=timestamp}]").to("parquet").report
    >>> report.verdict
    'annotated'
    """

    def __init__(self, plan: _xwalk.Plan, name: str) -> None:
        self._plan = plan
        self._name = name
        self._dict: dict[str, Any] | None = None

    @property
    def verdict(self) -> str:
        """The worst verdict of all columns, one of `VERDICTS`."""
        return self._plan.verdict

    @property
    def summary(self) -> str:
        """One line: how many columns have which verdict."""
        return self._plan.summary

    def to_dict(self) -> dict[str, Any]:
        """Returns the whole report: systems, verdict, columns, and each path with its findings."""
        if self._dict is None:
            self._dict = self._plan.json(self._name)
        return self._dict

    def to_text(self, width: int = 80, all: bool = False) -> str:
        """Returns aligned text of `width` columns; `all` shows exact paths too."""
        return self._plan.text(self._name, width, all)

    def raise_for(self, verdict: str = "lossy") -> Report:
        """Raises VerdictError if any column is as bad as `verdict` or worse; returns itself otherwise."""
        if verdict not in VERDICTS:
            raise UsageError(f"expected one of {', '.join(VERDICTS)}, found {verdict!r}")
        if VERDICTS.index(self.verdict) >= VERDICTS.index(verdict):
            raise VerdictError(f"the verdict is {self.verdict}\n{self.to_text()}")
        return self

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<xwalk.Report {self._name}: {self.summary}>"

    def _repr_html_(self) -> str:
        rows = []
        for path in self.to_dict()["paths"]:
            if not path.get("path"):
                continue
            reasons = "<br>".join(html.escape(f"{reason['rule']}: {reason.get('lost', '')}".rstrip(": "))
                                  for reason in path.get("reasons", []))
            verdict = path["verdict"]
            rows.append(f"<tr><td>{html.escape(path['path'])}</td><td><code>{html.escape(path['source'])}</code></td>"
                        f"<td><code>{html.escape(path['target'])}</code></td>"
                        f"<td style='color:{_COLOURS[verdict]}'>{verdict}</td><td>{reasons}</td></tr>")
        return (f"<table><caption>{html.escape(self.summary)}</caption><thead><tr><th>column</th><th>source</th>"
                f"<th>target</th><th>verdict</th><th>why</th></tr></thead><tbody>{''.join(rows)}</tbody></table>")
