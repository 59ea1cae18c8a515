"""Runs golden tests of the program: each case pins stdout, stderr and exit code together.

usage: run.py [--update] [--filter TEXT] XWALK [FILE...]

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
printed reason when NAME (plugin, venv) is absent. In expectations, {seconds}, {rate} and {bytes}
stand for numbers that differ from run to run, {version} for the version of a reader, which follows the lists of tools/; use them
only where they must.
"""

import argparse
import base64
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLACEHOLDERS = {
    "{seconds}": r"(?:\d+(?:\.\d+)? s|\d+ min \d\d s)",
    "{rate}": r"\d+(?:\.\d+)? [kMGT]?B/s",
    "{version}": r"\d+(?:\.\d+)*",
    "{bytes}": r"\d+(?:\.\d+)? [kMGT]?B",
}


class Case:
    def __init__(self, name: str, origin: pathlib.Path):
        self.name = name
        self.origin = origin
        self.files: list[tuple[str, bytes]] = []
        self.command = ""
        self.stdout = ""
        self.stderr = ""
        self.exit = 0
        self.needs: list[str] = []
        self.sections: list[tuple[str, str]] = []


def parse(path: pathlib.Path) -> list[Case]:
    cases: list[Case] = []
    section = None
    for number, line in enumerate(path.read_text().splitlines(keepends=True), 1):
        if line.startswith("=== "):
            cases.append(Case(line[4:].strip(), path))
            section = None
        elif line.startswith("--- "):
            section = line[4:].strip()
            cases[-1].sections.append([section, ""])
        elif cases and section is not None:
            cases[-1].sections[-1][1] += line
        elif line.strip() and not line.startswith("#"):
            raise SystemExit(f"{path}:{number}: text outside a section")
    for case in cases:
        for section, text in case.sections:
            kind, _, argument = section.partition(" ")
            if kind == "file":
                case.files.append((argument, text.encode()))
            elif kind == "file64":
                case.files.append((argument, base64.b64decode(text)))
            elif kind == "run":
                case.command = text
            elif kind == "stdout":
                case.stdout = text
            elif kind == "stderr":
                case.stderr = text
            elif kind == "exit":
                case.exit = int(argument)
            elif kind == "needs":
                case.needs.append(argument)
            else:
                raise SystemExit(f"{path}: case {case.name}: unknown section {section}")
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
    return 120 * max(1, case.command.count("xwalk "))


def run(case: Case, program: pathlib.Path) -> tuple[str, str, int]:
    with tempfile.TemporaryDirectory(prefix="xwalk-cli-") as folder:
        for name, data in case.files:
            target = pathlib.Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        environment = {
            "PATH": f"{program.parent}:/usr/bin:/bin",
            "HOME": folder,
            "LC_ALL": "C.UTF-8",
            "XWALK_DATA": os.environ.get("XWALK_DATA", ""),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
        }
        done = subprocess.run(["bash", "-c", case.command], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=patience(case))
        return (done.stdout.decode(errors="backslashreplace"),
                done.stderr.decode(errors="backslashreplace"), done.returncode)


def missing(case: Case, program: pathlib.Path) -> str:
    for need in case.needs:
        if need == "plugin" and not list(program.parent.glob("libxwalk_parquet.so")):
            return "the plugin is not built"
        if need == "data" and not os.environ.get("XWALK_DATA"):
            return "no real data (tools/setup.sh demo)"
    return ""


def check(case: Case, program: pathlib.Path) -> list[str]:
    try:
        stdout, stderr, code = run(case, program)
    except subprocess.TimeoutExpired:
        return [f"no end after {patience(case)} s"]
    problems = []
    if code != case.exit:
        problems.append(f"exit: expected {case.exit}, found {code}")
    for name, expected, found in (("stdout", case.stdout, stdout), ("stderr", case.stderr, stderr)):
        if not matches(expected, found):
            problems.append(f"{name}: expected\n{expected}found\n{found}")
    return problems


def render(case: Case, stdout: str, stderr: str, code: int) -> str:
    """Returns the case with what the program says now; an expectation that still matches stays."""
    out = f"=== {case.name}\n"
    for section, text in case.sections:
        if section.split(" ")[0] in ("file", "file64", "run", "needs"):
            out += f"--- {section}\n{text}"
    for name, expected, found in (("stdout", case.stdout, stdout), ("stderr", case.stderr, stderr)):
        text = expected if matches(expected, found) else found
        if text:
            out += f"--- {name}\n{text}" + ("" if text.endswith("\n") else "\n")
    return out + f"--- exit {code}\n"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    files = arguments.files or sorted(HERE.glob("*.clitest"))
    failed = passed = skipped = 0
    for path in files:
        cases = parse(path)
        if arguments.update:
            header = path.read_text().partition("=== ")[0]
            path.write_text(header + "\n".join(render(case, *run(case, program)) for case in cases))
            continue
        chosen = [case for case in cases if arguments.filter in case.name]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            reasons = {id(case): missing(case, program) for case in chosen}
            todo = [case for case in chosen if not reasons[id(case)]]
            results = dict(zip(map(id, todo), pool.map(lambda case: check(case, program), todo)))
        for case in chosen:
            if reasons[id(case)]:
                print(f"{path.name}: {case.name}: skipped: {reasons[id(case)]}")
                skipped += 1
            elif results[id(case)]:
                print(f"{path.name}: {case.name}: FAILED")
                print("\n".join(results[id(case)]))
                failed += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not (passed or arguments.update) else 0


if __name__ == "__main__":
    sys.exit(main())
