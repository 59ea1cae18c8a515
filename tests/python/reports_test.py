"""Every report in every form: valid by its schema, its parser and its escapes.
"""

import html.parser
import json
import re
import shutil
import xml.etree.ElementTree

import pytest

from tests import harness

with harness.skip_if_missing():
    import jsonschema

import report_cases  # noqa: E402

SYSTEMS = ["yt", "skiff", "parquet", "lance", "vortex", "arrow"]
VOID = {"meta", "input", "br"}


class Page(html.parser.HTMLParser):
    """Counts elements and checks that each is closed where it should be."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], {}, set(), ""
        self.ends = 0

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data


SCHEMA = json.loads((harness.ROOT / "docs" / "report.schema.json").read_text())


def check_json(text: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    problems = sorted(validator.iter_errors(json.loads(text)), key=str)
    assert not problems, problems[0]


def check_junit(text: str) -> None:
    root = xml.etree.ElementTree.fromstring(text)
    for element in (root, *root):
        cases, failures = element.findall(".//testcase"), element.findall(".//failure")
        assert element.get("tests") == str(len(cases)), element.attrib
        assert element.get("failures") == str(len(failures)), element.attrib
    assert all(case.get("name") for case in root.findall(".//testcase"))


def check_github(text: str) -> None:
    for line in text.splitlines():
        assert re.fullmatch(r"::(notice|warning|error) file=[^,:]*(,line=[1-9]\d*)?,title=[^,:\r]*::[^\r]*", line), line
        # Findings about a project file have a line in it.
        assert (",line=" in line) == ("file=xwalk.toml" in line), line


def check_markdown(text: str) -> None:
    assert text.startswith("### ")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for row in rows:
        cells = re.sub(r"\\.", "", row).count("|")
        assert cells == 6, row
        prose = re.sub(r"(`+) ?.*? ?\1", "", row)
        assert not re.search(r"(?<!\\)<(?!br>)", prose), row


def check_html(text: str) -> None:
    page = Page()
    page.feed(text)
    page.close()
    assert not page.open, page.open
    assert page.tags["script"] == 1 and page.tags["html"] == 1
    assert all(target.startswith("#") for target in re.findall(r'<a [^>]*href="([^"]*)"', text)), "a link out of the page"
    assert not page.tags.keys() & {"img", "iframe", "link", "object", "form"}, page.tags
    assert not [name for name in page.attributes if name.startswith("on")], page.attributes
    assert "http" not in re.sub(r'http-equiv', "", text), "a page that needs nothing else"


# Pairs of both kinds, findings that are accepted, one that has expired and one that is not there.
PROJECT = """
[[check]]
input = "nested.schema"
from = "yt"
to = ["lance", "vortex"]
fail-on = "annotated"
accept = [{path = "(table)", rule = "key.lost", reason = "<b>known</b>", expires = 2999-12-31},
          {path = "nowhere", rule = "id.lost", reason = "a|b", expires = 2999-12-31}]

[[compat]]
old = "nested.schema"
new = "later.schema"
from = "yt"
accept = [{path = "id", rule = "backward", reason = "@known", expires = 2020-01-31}]
"""


CHECKS = {"json": check_json, "junit": check_junit, "github": check_github, "markdown": check_markdown, "html": check_html,
          "text": lambda text: None}


def commands():
    yield from ("check rows.yson --to parquet --rows --decimal-mode text", "check rows.yson --to yt --fail-on annotated",
                "check rows.yson --to csv", "check rows.yson --to json", "diff ids1.txt ids2.txt", "diff ids1.txt ids1.txt",
                "check ids1.txt --to lance --readers")
    for target in ("", " --to lance", " --to vortex"):
        yield f"check nested.schema --from yt{target} --readers"
    for name in ("nested", "names", "later"):
        for system in SYSTEMS:
            yield f"check {name}.schema --from yt --to {system}"
    for a, b in (("nested", "later"), ("later", "nested"), ("names", "nested"), ("nested", "nested")):
        yield f"diff {a}.schema {b}.schema --from yt"
        yield f"compat {a}.schema {b}.schema --from yt --mode full"
    yield from ("diff nested.schema ids1.txt --from-a yt", "compat ids1.txt ids2.txt --mode full", "check", "compat")
    # Several tables: each with a report, some only on one side.
    yield from ("check nested.schema names.schema --from yt --to parquet", "check *.schema --from yt --to lance --readers")
    for verb in ("diff", "compat"):
        yield f"{verb} one/*.schema two/*.schema --from yt"


@pytest.fixture(scope="module")
def inputs():
    folder = harness.make_folder("reports")
    report_cases.write_all(folder)
    (folder / "xwalk.toml").write_text(PROJECT)
    for side, names in (("one", {"nested": "nested", "names": "names"}), ("two", {"nested": "later", "more": "names"})):
        (folder / side).mkdir()
        for name, source in names.items():
            shutil.copy(folder / f"{source}.schema", folder / side / f"{name}.schema")
    return folder


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("command", commands())
def test_report(inputs, command):
    codes = set()
    for form, check in CHECKS.items():
        done = harness.run(*command.split(), "--output", form, code=(0, 1), cwd=inputs, text=False)
        codes.add(done.returncode)
        text = done.stdout.decode()
        controls = re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e\u2028]", text)
        assert form == "json" or not controls, f"{form}: {controls} in the output"
        check(text)
    assert len(codes) == 1, "exit codes differ by form"


def test_a_report_names_the_paths_that_it_compares(tmp_path):
    harness.use_module()
    import xwalk

    for name in ("one", "two"):
        (tmp_path / f"{name}.schema").write_text("[{name=a;type=int64}]")
    one, two = (str(tmp_path / f"{name}.schema") for name in ("one", "two"))
    for verb, call in (("diff", xwalk.diff), ("compat", xwalk.compat)):
        found = json.loads(harness.run(verb, one, two, "--output", "json").stdout)
        assert call(one, two).to_dict() == found
    assert xwalk.check(one, "lance").to_dict() == json.loads(harness.run("check", one, "--to", "lance", "--output", "json").stdout)
    assert str(xwalk.diff(xwalk.Schema.read(one), two)).startswith("left (yt) and right (yt)")


def test_every_report_says_whether_it_fails(tmp_path):
    import xwalk

    one, two = (xwalk.Schema.parse(f"[{{name=id;type={kind}}}]", "yt") for kind in ("int64", "int32"))
    assert xwalk.compat(one, two).fails and not xwalk.compat(two, one).fails and not xwalk.compat(one, one).fails
    assert xwalk.diff(one, two).fails and not xwalk.diff(one, one).fails
    rows = []
    for name, value in (("a", 1), ("b", 2)):
        rows.append(tmp_path / f"{name}.yson")
        rows[-1].write_text(f"{{id={value}}};")
        (tmp_path / f"{name}.yson.schema").write_text("[{name=id;type=int64}]")
    assert xwalk.diff(*rows, rows=True).fails and not xwalk.diff(rows[0], rows[0], rows=True).fails
