"""Reads docstrings as they are written here, for mkdocstrings."""

import pathlib
import re

import griffe

EXAMPLE = re.compile(r"(?:^>>> .*\n?(?:^(?!\s*$).*\n?)*)+", re.M)


class Docstrings(griffe.Extension):
    """Shows `>>>` examples as code, which Markdown takes for quotations; takes `#:` comments above an attribute for its
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

    def on_class_members(self, *, cls: griffe.Class, **_: object) -> None:
        """Makes one table of the options that a TypedDict names: they are no attributes of anything."""
        if not any(str(base).endswith(("TypedDict", "Options")) for base in cls.bases) or not cls.docstring:
            return
        rows = [f"    {name} ({member.annotation}): {member.docstring.value if member.docstring else ''}".rstrip()
                for name, member in cls.members.items()]
        if rows:
            cls.docstring.value += "\n\nAttributes:\n" + "\n".join(rows)
        cls.members.clear()
