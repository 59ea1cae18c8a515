"""Reads the docstrings of this project, for mkdocstrings."""

import pathlib
import re

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+", re.M)


class Docstrings(griffe.Extension):
    """Shows `>>>` examples as code, which Markdown would read as quotations, and uses `#:` comments above an attribute as its
    docstring."""

    def on_instance(self, *, obj: griffe.Object, **_: object) -> None:
        if obj.docstring:
            obj.docstring.value = EXAMPLE.sub(
                lambda match: f"```pycon\n{match[0].rstrip().replace('<BLANKLINE>', '')}\n```\n", obj.docstring.value)

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: object) -> None:
        if attr.docstring or not attr.lineno or not isinstance(attr.filepath, pathlib.Path):
            return
        comment = []
        for line in reversed(attr.filepath.read_text().splitlines()[:attr.lineno - 1]):
            if not line.lstrip().startswith("#:"):
                break
            comment.insert(0, line.lstrip()[2:].strip())
        if comment:
            attr.docstring = griffe.Docstring(" ".join(comment), parent=attr)
