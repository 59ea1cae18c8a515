"""Lists the places where xwalk acts on something that it read from outside, with the rule that guards each.

A place is marked by a comment `guard(KIND): RULE.` in the lines above the call, in C++, Python and shell alike. The rule is
one sentence and ends with a full stop. `--update` writes docs/internals/guards.md from the marks. `make lint` fails if
the page is old, or if a call that deletes, renames, follows, connects or executes has no mark of its kind.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/internals/guards.md"
# The calls of each kind. Containers and buffers that grow have none: their marks are at the charge of a budget.
KINDS = {
    "delete": ("Deletes", r"::unlink\(|\bunlinkat\(|\b(?:fs|filesystem)::remove\(|\bremove_all\(|\brmdir\(|\brmtree\(|\.unlink\("
                          r"|\bos\.(?:remove|removedirs|truncate)\(|\bstd::remove\([^,()]*(?:\(\))?\)|(?<!\w)::truncate\("),
    "rename": ("Renames", r"\b(?:std|fs|filesystem)::rename\(|(?<![\w:])::rename\(|\brenameat2?\(|::link(?:at)?\(|\bos\.(?:renames?|replace|link)\("
                          r"|\bshutil\.move\(|\.rename\("),
    "follow": ("Follows a link or a reference", r"\bread_symlink\(|\breadlink(?:at)?\("),
    "connect": ("Connects", r"\b(?:curl_)?easy_perform\(|\burlopen\(|(?<!\w)::connect\(|\bcreate_connection\(|\bHTTPS?Connection\("
                            r"|\brequests\.(?:get|post|put|request)\("),
    "execute": ("Executes or loads code", r"\bposix_spawnp?\(|(?<!\w)::(?:execv?[lpe]*|popen|fexecve)\(|(?<!\w)(?:std)?::system\(|\bdlopen\("
                                          r"|\bos\.(?:exec\w+|spawn\w+|system|popen|posix_spawnp?)\(|\bsubprocess\.\w+\("
                                          r"|\bexec_module\(|\bimport_module\(|\bpickle\.loads?\("),
    "allocate": ("Allocates", r"(?<!\w)(?:std)?::(?:malloc|calloc|aligned_alloc|mmap)\("),
}
MARK = re.compile(r"\s*(?://|#) guard\((\w+)\): (.*)")
# How many lines above a call its mark may be.
REACH = 12


def sources() -> list[pathlib.Path]:
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "src", "tools/setup.sh", "packaging"],
                            capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in listed if name.endswith((".cc", ".h", ".in", ".py", ".sh")) and (ROOT / name).is_file()]


def function_at(lines: list[str], number: int) -> str:
    """Returns the name of the function around a line, or of the one that begins below it; empty outside functions."""
    name = re.compile(r"^ *(?:async )?def (\w+)|^(?!namespace|#|//|using|struct|class|enum)(?: {2})?(?:[\w:<>,*&\[\]]+ )+\*?&?([\w:~]+)\(|^(\w+)\(\) \{")
    around = [*range(number, -1, -1), *range(number + 1, min(number + 6, len(lines)))]
    for at in around:
        if (found := name.match(lines[at])) and not lines[at].rstrip().endswith(";"):
            return found[1] or found[2] or found[3]
    return ""


class Marks:
    """The marks of one file: (kind, line, rule), and what is wrong with them."""

    def __init__(self, path: pathlib.Path):
        self.name = os.path.relpath(path, ROOT)
        self.lines = path.read_text().split("\n")
        self.found: list[tuple[str, int, str]] = []
        self.problems: list[str] = []
        for number, line in enumerate(self.lines):
            if match := MARK.match(line):
                self.add(number, match[1], match[2])
        self.check_calls()

    def add(self, number: int, kind: str, rule: str) -> None:
        at = number
        while not rule.endswith(".") and at + 1 < len(self.lines) and re.match(r"\s*(?://|#) ", self.lines[at + 1]):
            at += 1
            rule += " " + re.sub(r"^\s*(?://|#) ", "", self.lines[at])
        if kind not in KINDS:
            self.problems.append(f"{self.name}:{number + 1}: expected guard({'|'.join(KINDS)}), found guard({kind})")
        elif not rule.endswith("."):
            self.problems.append(f"{self.name}:{number + 1}: the rule of a guard is one sentence with a full stop")
        else:
            self.found.append((kind, number, rule))

    def reaches(self, mark: int, call: int) -> bool:
        """Returns true if a mark is not far above a call, and no function ends between them."""
        between = self.lines[mark + 1:call]
        return 0 <= call - mark <= REACH and not any(re.match(r"}|(?: {4})?def ", line) for line in between)

    def check_calls(self) -> None:
        for number, line in enumerate(self.lines):
            code = re.sub(r"^\s*(?://|#|/?\*).*", "", line)
            for kind, (_, calls) in KINDS.items():
                if calls is None or not re.search(calls, code):
                    continue
                if not any(marked == kind and self.reaches(at, number) for marked, at, _ in self.found):
                    self.problems.append(f"{self.name}:{number + 1}: expected a comment guard({kind}): RULE. at most {REACH} lines above")


def page(files: list[Marks]) -> str:
    out = ["# Inside: what acts on something read from outside", "",
           "This page is for people who review xwalk's safety. It lists each place that deletes, renames, follows, connects, executes or",
           "allocates because of something that xwalk read from outside, with the rule that guards it. `tools/guards.py` makes the page",
           "from comments in the code. `make lint` fails if a call of these kinds has no comment.", ""]
    for kind, (title, _) in KINDS.items():
        rows: dict[tuple[str, str, str], None] = {}
        for file in files:
            for marked, number, rule in file.found:
                if marked == kind:
                    rows[(file.name, function_at(file.lines, number), rule.replace("|", "\\|"))] = None
        if rows:
            out += [f"## {title}", "", "| place | rule |", "|---|---|"]
            out += [f"| `{name.removeprefix('src/xwalk/')}`{f' `{function}`' if function else ''} | {rule} |" for name, function, rule in rows]
            out.append("")
    return "\n".join(out)


def check() -> list[str]:
    """Returns the calls without a mark, marks of a wrong form, and a line if the page is old."""
    files = [Marks(path) for path in sources()]
    problems = [problem for file in files for problem in file.problems]
    if not PAGE.is_file() or PAGE.read_text() != page(files):
        problems.append(f"{PAGE.relative_to(ROOT)}: is older than the comments guard(…): run python3 tools/guards.py --update")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the page")
    if parser.parse_args().update:
        PAGE.write_text(page([Marks(path) for path in sources()]))
    problems = check()
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
