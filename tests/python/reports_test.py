"""Every report in every form: valid by its schema, its parser and its escapes.

usage: reports_test.py XWALK DATA
"""

import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

try:
    import jsonschema
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

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


def check_json(text: str, validator) -> None:
    report = json.loads(text)
    problems = sorted(validator.iter_errors(report), key=str)
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
    assert not page.tags.keys() & {"img", "iframe", "link", "object", "form", "svg"}, page.tags
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


def main() -> int:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    checks = {"json": lambda text: check_json(text, validator), "junit": check_junit,
              "github": check_github, "markdown": check_markdown, "html": check_html,
              "text": lambda text: None}
    commands = [["check", "rows.yson", "--to", "parquet", "--rows", "--decimal-mode", "text"],
                ["check", "rows.yson", "--to", "yt", "--fail-on", "annotated"],
                ["check", "rows.yson", "--to", "csv"], ["check", "rows.yson", "--to", "json"],
                ["diff", "ids1.txt", "ids2.txt"], ["diff", "ids1.txt", "ids1.txt"],
                ["check", "ids1.txt", "--to", "lance", "--readers"],
                ["check", "nested.schema", "--from", "yt", "--readers"],
                ["check", "nested.schema", "--from", "yt", "--to", "lance", "--readers"],
                ["check", "nested.schema", "--from", "yt", "--to", "vortex", "--readers"]]
    for name in ("nested", "names", "later"):
        for system in SYSTEMS:
            commands.append(["check", f"{name}.schema", "--from", "yt", "--to", system])
    for a, b in (("nested", "later"), ("later", "nested"), ("names", "nested"), ("nested", "nested")):
        commands.append(["diff", f"{a}.schema", f"{b}.schema", "--from", "yt"])
        commands.append(["compat", f"{a}.schema", f"{b}.schema", "--from", "yt", "--mode", "full"])
    commands.append(["diff", "nested.schema", "ids1.txt", "--from-a", "yt"])
    commands.append(["compat", "ids1.txt", "ids2.txt", "--mode", "full"])
    commands += [["check"], ["compat"]]
    # Several tables: each with a report, some only on one side.
    commands += [["check", "nested.schema", "names.schema", "--from", "yt", "--to", "parquet"],
                 ["check", "*.schema", "--from", "yt", "--to", "lance", "--readers"]]
    commands += [[verb, "one/*.schema", "two/*.schema", "--from", "yt"] for verb in ("diff", "compat")]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        report_cases.write_all(pathlib.Path(folder))
        pathlib.Path(folder, "xwalk.toml").write_text(PROJECT)
        for side, names in (("one", {"nested": "nested", "names": "names"}), ("two", {"nested": "later", "more": "names"})):
            pathlib.Path(folder, side).mkdir()
            for name, source in names.items():
                shutil.copy(pathlib.Path(folder, f"{source}.schema"), pathlib.Path(folder, side, f"{name}.schema"))
        for command in commands:
            codes = set()
            for form, check in checks.items():
                done = subprocess.run([program, *command, "--output", form], cwd=folder,
                                      capture_output=True, stdin=subprocess.DEVNULL)
                codes.add(done.returncode)
                try:
                    assert done.returncode in (0, 1), done.stderr.decode()
                    text = done.stdout.decode()
                    controls = re.search(r"[\x00-\x09\x0b-\x1f\x7f\u202e\u2028]", text)
                    assert form == "json" or not controls, f"{controls} in the output"
                    check(text)
                    passed += 1
                except Exception as problem:  # every failure is printed, then the next case
                    print(f"{' '.join(command)} --output {form}: {problem}")
                    failed += 1
            if len(codes) != 1:
                print(f"{' '.join(command)}: exit codes differ by form: {codes}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
