"""Draws the tables of the benchmark pages as bars, in SVG with the colours of the page.

A chart is above its table and shows one or two of its columns. `CHARTS` names the table by the heading and its first header cell. Numbers are read
from the cells.
"""

import dataclasses
import html
import re


@dataclasses.dataclass(frozen=True)
class Chart:
    heading: str  # of the section with the table
    first_cell: str  # of the table's header
    columns: tuple[str, ...]  # header cells whose numbers are drawn, in series
    title: str
    unit: str


CHARTS = {
    "README.md": [
        Chart("Compared with other tools", "3,000,000 rows, seconds", ("xwalk", "process"), "xwalk and other tools", "s of processor time")],
    "results.md": [
        Chart("Skiff by shape", "1,000,000 rows", ("million rows/s",), "Skiff rows per second, one core", "million rows/s"),
        Chart("Parquet", "read", ("xwalk / pyarrow, ms of processor time",), "Reading Parquet: xwalk and pyarrow", "ms of processor time")],
}
SERIES = {("xwalk", "process"): ("xwalk", "other tool"),
          ("xwalk / pyarrow, ms of processor time",): ("xwalk", "pyarrow")}
NUMBER = re.compile(r"\d+(?:\.\d+)?")
BAR, GAP, LABEL, WIDTH = 15, 8, 186, 480


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(chart: Chart, table: list[str]) -> list[tuple[str, list[float]]]:
    """Returns a label and one number per series for each row, without rows that have no numbers or too many."""
    header = cells(table[0])
    rows = []
    for line in table[2:]:
        row = cells(line)
        if len(chart.columns) == 1 and chart.columns not in SERIES and " / " in row[header.index(chart.columns[0])]:
            continue  # two numbers of different kinds
        numbers = [NUMBER.findall(row[header.index(column)]) for column in chart.columns]
        if len(chart.columns) == 1:
            values = numbers[0][:len(SERIES.get(chart.columns, (0,)))]
        else:
            values = [found[0] for found in numbers if found]
        if values:
            rows.append((re.sub(r"[`*]", "", row[0]), [float(value) for value in values]))
    return rows


def draw(chart: Chart, rows: list[tuple[str, list[float]]]) -> str:
    """Returns the SVG, `WIDTH` units wide. Its colours are classes of site.css."""
    names = SERIES.get(chart.columns, ())
    largest = max(value for _, values in rows for value in values)
    scale = (WIDTH - LABEL - 46) / largest
    parts, y = [], 8
    if names:
        for at, name in enumerate(names):
            parts.append(f'<rect class="series{at}" x="{LABEL + 110 * at}" y="{y}" width="12" height="12" rx="2"/>'
                         f'<text x="{LABEL + 110 * at + 18}" y="{y + 11}">{html.escape(name)}</text>')
        y += 26
    for label, values in rows:
        middle = y + len(values) * BAR / 2 + 4
        parts.append(f'<text class="label" x="{LABEL - 10}" y="{middle:g}">{html.escape(label)}</text>')
        for at, value in enumerate(values):
            width = max(value * scale, 1)
            parts.append(f'<rect class="series{at}" x="{LABEL}" y="{y}" width="{width:.1f}" height="{BAR - 2}" rx="2"/>'
                         f'<text x="{LABEL + width + 6:.1f}" y="{y + 11}">{value:g}</text>')
            y += BAR
        y += GAP
    title = html.escape(f"{chart.title} ({chart.unit})")
    return (f'<figure class="chart"><figcaption>{title}</figcaption><svg viewBox="0 0 {WIDTH} {y}" role="img" '
            f'aria-label="{title}">{"".join(parts)}</svg></figure>')


def with_charts(name: str, page: str) -> str:
    """Returns the page with a chart above each of its tables in `CHARTS`. Fails if a table or a column is missing."""
    todo, out, heading = list(CHARTS[name]), [], ""
    lines = page.splitlines()
    for at, line in enumerate(lines):
        if line.startswith("#"):
            heading = line.strip("# ")
        is_header = line.startswith("|") and at + 1 < len(lines) and set(lines[at + 1]) <= set("|-: ")
        chart = next((chart for chart in todo if is_header and chart.heading == heading
                      and cells(line)[0] == chart.first_cell and set(chart.columns) <= set(cells(line))), None)
        if chart:
            end = next((i for i in range(at, len(lines)) if not lines[i].startswith("|")), len(lines))
            out += [draw(chart, rows_of(chart, lines[at:end])), ""]
            todo.remove(chart)
        out.append(line)
    if todo:
        raise SystemExit(f"bench/{name} has no table for the chart {todo[0].title!r}")
    return "\n".join(out) + "\n"
