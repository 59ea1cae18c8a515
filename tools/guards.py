"""Lists the places where xwalk acts on something that it read from outside, with the rule that guards each.

A place is marked by a comment `guard(KIND): RULE.` in the lines above the call, in C++, Python and shell alike. The rule is
one sentence and ends with a full stop. `--update` writes docs/internals/guards.md from the marks. `make lint` fails if
the page is old, or if a call of a kind has no mark of it.

Not seen are calls whose size or name a type gives (push_back, append, and containers of containers), sizes of rows and types in
memory, whose readers have limits, allocations of other libraries, and redirections of shells. A size over several lines is seen by its first line.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/internals/guards.md"
# The calls of each kind. `grows` adds arrays and containers that get a size.
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
    "write": ("Opens for writing", r"\bO_(?:WRONLY|RDWR|CREAT|TMPFILE)\b|\bofstream\b|\bf(?:re)?open\(|(?<!\w)::creat\("
                                   r"|\bopen\([^()]*, *\"[rbt]*[wxa+]|(?<!codec)\.write_(?:text|bytes)\("),
    "allocate": ("Allocates", r"(?<!\w)(?:std)?::(?:malloc|calloc|realloc|aligned_alloc|posix_memalign|mmap|mremap)\("
                              r"|\bstd::realloc\("),
}
# Folders of files, footers, messages and answers, whose sizes may come from outside. In other folders sizes are of rows and types in
# memory, whose readers have a limit (hub/batch.h, base/schema_memory.h).
SIZES_FROM_OUTSIDE = ("src/xwalk/arrow/", "src/xwalk/delta/", "src/xwalk/iceberg/", "src/xwalk/io/bytes/", "src/xwalk/io/engines/", "src/xwalk/lance/", "src/xwalk/parquet/",
                      "src/xwalk/plugin/", "src/xwalk/skiff/input", "src/xwalk/variant/", "src/xwalk/vortex/")
GROWTH = re.compile(r"(?:\.|->)(?:resize|reserve)\((.*)|\bstd::vector<[\w:<>, *]+> \w+\(((?![^;]*(?:const |begin\()).*)\);$"
                    r"|\bstd::string(?: \w+)?\(([^()\"]*(?:\([^()]*\)[^()\"]*)*, '.*)")
# Arrays of a size, in all folders.
ARRAYS = re.compile(r"\bnew [\w:]+\[(.*)|\bmake_(?:unique|shared)(?:_for_overwrite)?<[^<>]*\[\]>\((.*)|\bAllocate\w*Buffer\((.*)")
# Sizes that are not from outside: of values in memory, and constants.
KNOWN_SIZE = re.compile(r"std::min\b.*(?:size|length)\(\).*|(?:[\w.()\[\]>-]*(?:\.|->)(?:\w+_)?(?:size|length)\(\)|\bsizeof\b *(?:\w+|\([^)]*\))"
                        r"|\bk[A-Z]\w*|\bPATH_MAX\b|\b\d[\w']*|static_cast<\w+>|size_t\{\d+\}|std::(?:min|max)(?:<\w+>)?|[\s+*/(),<-])+")
MARK = re.compile(r"\s*(?://|#) guard\((\w+)\): (.*)")
# How many lines above a call its mark may be.
REACH = 12


def grows(name: str, code: str) -> bool:
    """Returns true if an array or a container gets a size that is neither a constant nor the size of something in memory."""
    calls = [*ARRAYS.finditer(code)]
    if name.startswith(SIZES_FROM_OUTSIDE) and name.endswith(".cc"):
        calls += GROWTH.finditer(code)
    for found in calls:
        words, depth = next(word for word in found.groups() if word is not None), 1
        for end, letter in enumerate(words):
            depth += (letter in "([{") - (letter in ")]}")
            if depth == 0 or (depth == 1 and letter == ","):
                words = words[:end]
                break
        if words and not KNOWN_SIZE.fullmatch(words):
            return True
    return False


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
            code = re.sub(r"^\s*(?://|#|/?\*|>>>).*", "", line)
            for kind, (_, calls) in KINDS.items():
                if not re.search(calls, code) and not (kind == "allocate" and grows(self.name, code)):
                    continue
                if not any(marked == kind and self.reaches(at, number) for marked, at, _ in self.found):
                    self.problems.append(f"{self.name}:{number + 1}: expected a comment guard({kind}): RULE. at most {REACH} lines above")


def page(files: list[Marks]) -> str:
    out = ["# Inside: what acts on something read from outside", "",
           "This page is for people who review xwalk's safety. It lists each place that deletes, renames, follows, connects, executes, opens",
           "for writing or allocates because of something that xwalk read from outside, with the rule that guards it. `tools/guards.py` makes the",
           "page from comments in the code. `make lint` fails if a call of these kinds has no comment. Containers count where they get a size that",
           "is neither a constant nor the size of something in memory, in the folders of files, footers, messages and answers. What grows item by item,",
           "sizes of rows in memory and allocations of other libraries are not seen: budgets and the fuzzers' counts of allocations bound them.", ""]
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
