"""Golden tests of the program: each case of a .clitest file pins stdout, stderr and exit code together.

    pytest tests/cli/convert.clitest -k NAME        --update writes the current output

A .clitest file is a list of cases:

    === name of the case
    --- file events.yson            files the case begins with; `file64` holds base64
    {a=1;};
    --- run                         shell command lines; `xwalk` is the program
    xwalk head events.yson
    --- stdout
    --- stderr
    --- exit 0

Sections `stdout` and `stderr` that are absent mean empty. `needs NAME` skips the case with a
printed reason when NAME (plugin) is absent. In expectations, {seconds}, {rate} and {bytes}
stand for numbers that differ from run to run, {version} for the version of a reader, which follows the lists of tools/; use them
only where they must.
"""
import base64
import concurrent.futures
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import tempfile

import pytest

from tests import harness
from tests.harness import BUILD

KINDS = ("file", "file64", "run", "stdout", "stderr", "exit", "needs")
PLACEHOLDERS = {
    "{seconds}": r"(?:\d+(?:\.\d+)? s|\d+ min \d\d s)",
    "{rate}": r"\d+(?:\.\d+)? [kMGT]?B/s",
    "{version}": r"\d+(?:\.\d+)*",
    "{bytes}": r"\d+(?:\.\d+)? [kMGT]?B",
    "{date}": r"\d{4}-\d\d-\d\d",
}


@dataclasses.dataclass
class Case:
    name: str
    #: The words after `---`, and the text below them.
    sections: list[list[str]] = dataclasses.field(default_factory=list)

    def all(self, kind: str) -> dict[str, str]:
        """Returns the texts of the sections of a kind, by the rest of their words."""
        split = [(*section.partition(" "), text) for section, text in self.sections]
        return {argument: text for word, _, argument, text in split if word == kind}

    def text(self, kind: str) -> str:
        return self.all(kind).get("", "")

    def exit(self) -> int:
        return int(next(iter(self.all("exit")), 0))


def parse(path: pathlib.Path) -> list[Case]:
    cases: list[Case] = []
    for number, line in enumerate(path.read_text().splitlines(keepends=True), 1):
        if line.startswith("=== "):
            cases.append(Case(line[4:].strip()))
        elif line.startswith("--- "):
            cases[-1].sections.append([line[4:].strip(), ""])
            assert line.split()[1] in KINDS, f"{path}:{number}: case {cases[-1].name}: unknown section {line[4:]}"
        elif cases and cases[-1].sections:
            cases[-1].sections[-1][1] += line
        else:
            assert not line.strip() or line.startswith("#"), f"{path}:{number}: text outside a section"
    return cases


def matches(expected: str, found: str) -> bool:
    if expected == found:
        return True
    pattern = re.escape(expected)
    for name, form in PLACEHOLDERS.items():
        pattern = pattern.replace(re.escape(name), form)
    return re.fullmatch(pattern, found, re.S) is not None


def patience(case: Case) -> int:
    """Returns the seconds that a case may take: for each call of the program, as sanitizers make each start slow."""
    return 120 * max(1, case.text("run").count("xwalk "))


def run(case: Case) -> tuple[str, str, int]:
    with tempfile.TemporaryDirectory(prefix="xwalk-cli-") as folder:
        encoded = {name: base64.b64decode(text) for name, text in case.all("file64").items()}
        for name, data in ({name: text.encode() for name, text in case.all("file").items()} | encoded).items():
            target = pathlib.Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        environment = {"PATH": f"{BUILD}:/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
                       "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"]}
        done = subprocess.run(["bash", "-c", case.text("run")], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=patience(case))
        return (done.stdout.decode(errors="backslashreplace"),
                done.stderr.decode(errors="backslashreplace"), done.returncode)


def is_skipped(case: Case) -> bool:
    return "plugin" in case.all("needs") and not harness.WITH_PLUGIN


def check(case: Case) -> None:
    stdout, stderr, code = run(case)
    problems = [f"exit: expected {case.exit()}, found {code}"] if code != case.exit() else []
    for name, found in (("stdout", stdout), ("stderr", stderr)):
        if not matches(case.text(name), found):
            problems.append(f"{name}: expected\n{case.text(name)}found\n{found}")
    assert not problems, "\n".join(problems)


def render(case: Case, stdout: str, stderr: str, code: int) -> str:
    """Returns the case with what the program says now; an expectation that still matches stays."""
    out = f"=== {case.name}\n"
    for section, text in case.sections:
        if section.split(" ")[0] in ("file", "file64", "run", "needs"):
            out += f"--- {section}\n{text}"
    for name, found in (("stdout", stdout), ("stderr", stderr)):
        text = case.text(name) if matches(case.text(name), found) else found
        if text:
            out += f"--- {name}\n{text}" + ("" if text.endswith("\n") else "\n")
    return out + f"--- exit {code}\n"


class Golden(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, **more):
        super().__init__(case.name, **more)
        self.case = case

    def runtest(self):
        if is_skipped(self.case):
            pytest.skip("the plugin is not built")
        self.parent.running[self].result()

    def repr_failure(self, excinfo):
        return str(excinfo.value)

    def reportinfo(self):
        return self.path, None, self.case.name


class Update(pytest.Item):
    """Writes the current output into a file."""

    def runtest(self):
        header = self.path.read_text().partition("=== ")[0]
        self.path.write_text(header + "\n".join(render(case, *run(case)) for case in parse(self.path)))


class File(pytest.File):
    """A file of cases, which run side by side."""

    def collect(self):
        if harness.UPDATE:
            return [Update.from_parent(self, name="update")]
        return [Golden.from_parent(self, case=case) for case in parse(self.path)]

    @functools.cached_property
    def running(self):
        pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        return {item: pool.submit(check, item.case) for item in self.session.items if item.parent is self and not is_skipped(item.case)}
