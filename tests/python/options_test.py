"""The options that the module's functions take, and the table of its reference, are those of the library's own list."""
import inspect
import io
import pathlib
import pydoc
import re
import sys
import tempfile
import types

import pytest

from tests import harness

BUILD = harness.BUILD
SOURCES = harness.ROOT
PACKAGE = SOURCES / "src" / "xwalk" / "python" / "xwalk"
TYPED = PACKAGE / "_option_types.py"
PAGE = SOURCES / "docs" / "reference" / "python.md"
harness.use_module()

if harness.UPDATE:  # the package is not imported: what is written may be missing in it
    sys.modules["xwalk"] = types.ModuleType("xwalk")
    sys.modules["xwalk"].__path__ = [str(BUILD / "python" / "xwalk")]

from xwalk import _xwalk  # noqa: E402
from xwalk._options import COMMON, GROUPS, usual  # noqa: E402

LISTED = {name: (group, value, words, about) for name, group, value, words, about in _xwalk.named_options()}
TYPES = {"flag": "bool", "number": "int | None", "bytes": "int | str", "number or word": "int | str | None",
         "number or share": "int | float | str | None",
         "word": "str | None",
         "words": "str | Sequence[str] | None", "path": "Path | None", "schema": "str | Path | SupportsDump | SupportsArrowSchema | Mapping[str, Any] | None",
         "object": "Mapping[str, Any] | None"}
#: Options that take more than the type of their values says.
TYPES_BY_NAME = {"shred": 'Mapping[str, Any] | Literal["auto"] | None'}
#: The typed dictionaries: what each is for, those it extends, and the options that it adds, by groups or names.
DICTIONARIES = {
    "FilesOptions": ("how files are found and reached, for `compat`, `diff` and `merge`", (),
                     "require_schema partitions unify storage_options"),
    "ReadOptions": ("rows that are read", ("FilesOptions",), "source rows work values; not format part on_error"),
    "ScanOptions": ("`scan`", ("ReadOptions",), "format on_error"),
    "OpenOptions": ("`open`", ("ScanOptions",), "part"),
    "InfoOptions": ("`info`", ("ReadOptions",), "part"),
    "ValidateOptions": ("`validate`", ("ReadOptions",), "rename cast"),
    "SchemaOptions": ("`Schema.read`", ("InfoOptions",), "on_error"),
    "PlanOptions": ("`Schema.to`", (), "changes"),
    "CheckOptions": ("`check`", ("SchemaOptions", "PlanOptions"), "consent; not rejects"),
    "ConvertOptions": ("`convert` and `verify`", ("OpenOptions", "PlanOptions"), "output consent"),
}
HEAD = '''"""The options of each function, for type checkers and editors. Generated: run tests/python/options_test.py --update."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence, TypedDict

from ._options import Path, SupportsArrowSchema, SupportsDump
'''

def type_of(name, value, words):
    if name in TYPES_BY_NAME:
        return TYPES_BY_NAME[name]
    if value != "choice":
        return TYPES[value]
    known = ", ".join(f'"{word}"' for word in words.split())
    return f"Literal[{known}]" + (" | None" if words.startswith(" ") else "")


def default_of(value, words):
    return repr(usual(value, words)).replace("'", '"')


def typed():
    """Returns the source of the typed dictionaries."""
    lines, known = [HEAD], {}
    for dictionary, (purpose, bases, added) in DICTIONARIES.items():
        words, _, left_out = added.partition("; not ")
        inherited = {name for base in bases for name in known[base]}
        own = [name for group in GROUPS for name, (its, *_) in LISTED.items()
               if its == group and (its in words.split() or name in words.split())
               and name not in left_out.split() and name not in inherited]
        known[dictionary] = inherited | set(own)
        lines += ["", f"class {dictionary}({', '.join(bases) or 'TypedDict'}, total=False):", f'    """Options of {purpose}."""', ""]
        lines += [f"    {name}: {type_of(name, *LISTED[name][1:3])}" for name in own] + [""]
    return "\n".join(lines)


def page(text):
    """Returns the reference with its table of options."""
    table = ["| option | unless given | |", "|---|---|---|"]
    for group, title in GROUPS.items():
        table.append(f"| **{title}** | | |")
        for name, (its, value, words, about) in LISTED.items():
            if its == group:
                choices = f" One of {', '.join(f'`{word}`' for word in words.split())}." if value == "choice" else ""
                table.append(f"| `{name}` | `{default_of(value, words)}` | {about}{choices} |")
    return re.sub(r"(<!-- options -->\n).*?(<!-- end of options -->)", lambda match: match[1] + "\n".join(table) + "\n" + match[2],
                  text, flags=re.S)


def generated():
    """Yields each file that is generated from the list, as it is and as it should be."""
    yield TYPED, TYPED.read_text() if TYPED.exists() else "", typed()
    yield PAGE, PAGE.read_text(), page(PAGE.read_text())


def functions():
    import xwalk

    yield from (xwalk.open, xwalk.convert, xwalk.scan, xwalk.sink, xwalk.check, xwalk.info, xwalk.Schema.read, xwalk.Schema.to,
                xwalk.compat, xwalk.diff, xwalk.merge, xwalk.verify)


class TestOptions:
    def setup_method(self, method):
        if harness.UPDATE and method.__name__ != "test_sources_say_what_the_list_says":
            pytest.skip("--update writes files and tests nothing")

    def test_sources_say_what_the_list_says(self):
        for path, text, wanted in generated():
            if harness.UPDATE:
                path.write_text(wanted)
                continue
            assert text == wanted, f"{path}: run tests/python/options_test.py --update"

    def test_every_option_is_one_of_some_function(self):
        taken = {name for function in functions() for name in inspect.signature(function).parameters}
        assert set(LISTED) - taken == set()

    def test_signatures_are_those_of_the_functions(self):
        """What a signature binds, the function takes, and help shows each option in it."""
        import xwalk

        shown = str(inspect.signature(xwalk.open))
        assert shown.startswith("(source: 'Source', *, engine: \"Literal['auto', 'process']\" = 'auto', format: 'str | None' = None,"), shown
        assert shown.endswith("-> 'Rows'"), shown
        assert "end_of_stream: 'bool' = False" in pydoc.plain(pydoc.render_doc(xwalk.open))
        assert list(inspect.signature(xwalk.Schema.read).parameters)[:3] == ["source", "format", "schema"]
        assert "def open(" in inspect.getsource(xwalk.open)

    def test_common_options_come_first(self):
        import xwalk

        for function in (xwalk.convert, xwalk.open, xwalk.check, xwalk.compat):
            own = [name for name, parameter in inspect.signature(function).parameters.items()
                   if name in LISTED and parameter.kind == inspect.Parameter.KEYWORD_ONLY]
            common = [name for name in COMMON if name in own]
            assert own[:len(common)] == common
            rest = [list(GROUPS).index(LISTED[name][0]) for name in own[len(common):]]
            assert rest == sorted(rest)
            assert ("    Common:\n" in function.__doc__) == bool(common)
        assert [name for name in inspect.signature(xwalk.convert).parameters if name in COMMON] == list(COMMON)
        assert "    Common:\n        format=None: " in xwalk.convert.__doc__

    def test_every_function_shows_its_options(self):
        import xwalk

        for function in functions():
            parameters = inspect.signature(function).parameters
            kinds = {parameter.kind for parameter in parameters.values()}
            assert inspect.Parameter.VAR_KEYWORD not in kinds, function
            # How many differences diff keeps, and what pairs its rows, are no options of rows.
            for name in set(parameters) & set(LISTED) - ({"limit", "key"} if function is xwalk.diff else set()):
                group, value, words, about = LISTED[name]
                if parameters[name].kind == inspect.Parameter.KEYWORD_ONLY:
                    assert parameters[name].default == usual(value, words), (function, name)
                    assert about in pydoc.plain(pydoc.render_doc(function))

    def test_the_usual_values_are_what_they_say(self):
        """Giving them is as giving nothing, and each word of a choice is taken."""
        import xwalk

        rows, schema = b"{a=1};", "[{name=a;type=int64}]"
        for name, (_, value, words, _) in LISTED.items():
            given = [usual(value, words), *(words.split() if value == "choice" else ())]
            for one in given:
                words = {"format": "yson", "schema": schema, "to": "skiff"}
                try:
                    xwalk.convert(rows, io.BytesIO(), **(words if one is None else {**words, name: one}))
                except xwalk.UsageError as error:  # the word is known, and another format's
                    assert re.search(f"^{name}(=.*)? needs (rows|an output) of .*, found ", error.message)
            if value == "choice":
                with pytest.raises(xwalk.UsageError, match="expected"):
                    xwalk.convert(rows, io.BytesIO(), format="yson", schema=schema, to="skiff", **{name: "xyz"})

    def test_a_wrong_word_gets_the_nearest(self):
        import xwalk

        for call, hint in (
                (lambda: xwalk.open("x.yson", selct="a"), "Did you mean select?"),
                (lambda: xwalk.open("x.yson", batch_size=1), "batch_rows"),
                (lambda: xwalk.convert(b"", "x", on_eror="skip"), "on_error"),
                (lambda: xwalk.open("x.yson", mode="append"), ""),
                (lambda: xwalk.open(b"", format="ysn"), "yson"),
                (lambda: xwalk.open(b"", format="yson", on_error="skp"), "Did you mean skip?"),
                (lambda: xwalk.convert(b"", "x", mode="apend"), "append"),
                (lambda: xwalk.open(b"", format="yson", time_mode="txt"), "Did you mean text?"),
                (lambda: xwalk.open(b"{a=1};", format="yson", select="b"), ""),
                (lambda: xwalk.check("[{name=a;type=int64}]", "lanec"), "Did you mean lance?"),
                (lambda: xwalk.compat("[]", "[]", "backwards"), "Did you mean backward?"),
                (lambda: xwalk.Schema.parse("[]").dump("ysn"), "yson"),
                (lambda: xwalk.Schema.parse("[]").to("lance").report.raise_for("lossi"), "Did you mean lossy?")):
            with pytest.raises(xwalk.UsageError) as caught:
                call()
            said = caught.value.hint
            assert hint in said
            assert len(re.findall(r", | or ", said)) < 3, said
        with pytest.raises(xwalk.UsageError, match='open has no option "mode"'):
            xwalk.open("x.yson", mode="append")

    def test_errors_speak_python(self):
        import xwalk

        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / "a.parquet"
            for _ in range(2):
                try:
                    xwalk.convert(b"{a=1};", target, format="yson")
                except xwalk.IoError as error:
                    assert 'mode="overwrite"' in str(error)
                    assert "--" not in str(error)
                else:
                    assert not _
