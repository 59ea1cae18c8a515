"""Compares the pages that the program makes with its output, and runs the rules' examples.

tests/cli/types.md is `xwalk types --output markdown`, docs/rules.md `xwalk explain --output markdown`,
docs/readers.md `xwalk types --readers --output markdown`.
Every rule of the catalogue has an example in src/xwalk/report/rule_pages.cc: its command is run, must
print what the page says, and must name the rule. With --update the pages are written again. The outputs
in rule_pages.cc are written too, and need a build before the pages change.
"""
import json
import os
import re

import pytest

from tests import harness
from tests.harness import BUILD, ROOT

EXAMPLES = ROOT / "src/xwalk/report/rule_pages.cc"
PAGES = {
    "tests/cli/types.md": ["types", "--output", "markdown"],
    "docs/rules.md": ["explain", "--output", "markdown"],
    "docs/readers.md": ["types", "--readers", "--output", "markdown"],
}
RULES = json.loads(harness.run("explain", "--json").stdout)


@pytest.mark.parametrize("rule", RULES, ids=[rule["rule"] for rule in RULES])
def test_example(rule, folder):
    assert "example" in rule, f"no example in {EXAMPLES.name}"
    command, output = rule["example"]["command"], rule["example"]["output"]
    if ".parquet" in command and not harness.WITH_PLUGIN:
        pytest.skip("the plugin is not built")
    found = harness.run("-c", f"exec 2>&1\n{command}", program="bash", code=None, cwd=folder, timeout=60, env={
        "PATH": f"{BUILD}:/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": "80",
        "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}).stdout
    assert rule["rule"] in found, "the example's output does not name the rule"
    if harness.UPDATE and found != output:
        where = re.compile(re.escape(f'R"({command})"') + r',\s*R"\(.*?\)"', re.S)
        source, count = where.subn(lambda _: f'R"({command})",\n       R"({found})"', EXAMPLES.read_text())
        assert count == 1, f"{count} places with the command in {EXAMPLES.name}"
        EXAMPLES.write_text(source)
    else:
        assert found == output, command


@pytest.mark.parametrize("name", PAGES)
def test_page(name):
    path = ROOT / name
    rules = os.path.relpath(ROOT / "docs/rules.md", path.parent)
    text = harness.run(*PAGES[name]).stdout.replace("](rules.md#", f"]({rules}#")
    if harness.UPDATE:
        path.write_text(text)
    assert path.read_text() == text, "stale: run pytest tests/cli/pages_test.py --update"
