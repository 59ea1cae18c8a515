"""Turns a Jupyter notebook into a page: its texts, its code, and the outputs that it was saved with."""

import json
import pathlib


def joined(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def output_of(output: dict) -> str:
    data = output.get("data", {})
    if "text/html" in data:
        # No empty line may end the block before its end tag.
        lines = [line for line in joined(data["text/html"]).splitlines() if line.strip()]
        return '<div class="notebook-output">\n' + "\n".join(lines) + "\n</div>\n\n"
    text = joined(output.get("text", data.get("text/plain", ""))).rstrip("\n")
    return f"```output\n{text}\n```\n\n" if text else ""


def page_of(notebook: pathlib.Path) -> str:
    """Returns the Markdown of a notebook of version 4; pictures and widgets are not shown."""
    page = ""
    for cell in json.loads(notebook.read_text())["cells"]:
        source = joined(cell["source"]).rstrip("\n")
        if cell["cell_type"] == "markdown":
            page += source + "\n\n"
        elif cell["cell_type"] == "code" and source:
            page += f"```python\n{source}\n```\n\n" + "".join(map(output_of, cell["outputs"]))
    return page
