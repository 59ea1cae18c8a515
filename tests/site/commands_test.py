"""Runs what the pages show: every command and every Python example, in the order of the page, in one folder.

    ```console      lines after `$ ` are commands (`> ` goes on with one), the others what they print
    ```sh           commands that print nothing worth showing; each must succeed
    ```python       a whole program, which must succeed and print the next block, if that is ```output
    <!-- not run: REASON -->    before a block: it is not run, though Python is still compiled
    <!-- page not run: REASON -->    on any line: the same for all blocks of the page

Times, rates and sizes may differ, and `…` at the end of a shown line stands for the rest of it. With --update the
pages get what is printed now; read the difference before you commit it. `-k rejects.md` chooses pages.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

from tests import harness
from tests.harness import BUILD, ROOT

harness.needs("python/xwalk", "libxwalk_parquet.so")
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
NOT_RUN = re.compile(r"<!-- not run: [^>]+ -->\n$")
PAGE_NOT_RUN = re.compile(r"^<!-- page not run: [^>]+ -->$", re.M)
MARK = "\x1e"
VOLATILE = re.compile(r"\d[\d.,]* (?:min \d+ )?(?:s|[kMGT]?B(?:/s)?)(?![\w])")


@dataclasses.dataclass
class Block:
    kind: str
    text: str
    #: The place of the text in the page, for --update, and its first line.
    start: int
    end: int
    line: int
    run: bool


@dataclasses.dataclass
class Step:
    """One command and its expected output, or None if the page does not show it."""

    block: Block
    command: str
    expected: str | None
    found: str = ""
    code: int | None = None


def blocks_of(page: str) -> list[Block]:
    whole = PAGE_NOT_RUN.search(page) is None
    return [Block(match[1], match[2], match.start(2), match.end(2), page.count("\n", 0, match.start()) + 1,
                  whole and not NOT_RUN.search(page[:match.start()]))
            for match in FENCE.finditer(page)]


def commands_of(block: Block) -> list[Step]:
    steps: list[Step] = []
    for line in block.text.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append(Step(block, line[2:], ""))
        elif not steps:
            raise ValueError(f"line {block.line}: a console block begins with `$ `")
        elif line.startswith("> ") and not steps[-1].expected:
            steps[-1].command += line[2:]
        else:
            steps[-1].expected += line
    return steps


def steps_of(blocks: list[Block]) -> list[Step]:
    steps = []
    for at, block in enumerate(blocks):
        if block.kind == "python":
            compile(block.text, f"line {block.line}", "exec")
        if not block.run:
            continue
        if block.kind == "console":
            steps += commands_of(block)
        elif block.kind == "sh":
            steps.append(Step(block, "set -e\n" + block.text + "set +e\n", None))
        elif block.kind == "python":
            shown = blocks[at + 1] if at + 1 < len(blocks) and blocks[at + 1].kind == "output" else None
            command = f"python3 - <<'PYTHON_ENDS'\n{block.text}PYTHON_ENDS\n"
            steps.append(Step(shown or block, command, shown.text if shown else ""))
    return steps


def run(steps: list[Step]) -> None:
    """Runs all steps in one shell, as a reader would; fills what each printed and its exit code."""
    script = "exec 2>&1\n" + "".join(
        f"{step.command}\n__code=$?; printf '{MARK}%s{MARK}' $__code; (exit $__code)\n" for step in steps)
    with tempfile.TemporaryDirectory(prefix="xwalk-page-") as folder:
        environment = {
            "PATH": f"{BUILD}:{pathlib.Path(sys.executable).parent}:/usr/bin:/bin", "HOME": folder,
            "XDG_STATE_HOME": os.environ["XDG_STATE_HOME"],
            "PYTHONPATH": str(harness.PACKAGES), "LC_ALL": "C.UTF-8", "TZ": "UTC",
            # Settings of a sanitizer's runtime, if the module is built with one.
            **{name: os.environ[name] for name in ("LD_PRELOAD", "ASAN_OPTIONS", "LSAN_OPTIONS") if name in os.environ},
        }
        done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=300)
    pieces = done.stdout.decode(errors="backslashreplace").split(MARK)
    for step, found, code in zip(steps, pieces[0::2], pieces[1::2]):
        step.found, step.code = found, int(code)
    if len(pieces) < 2 * len(steps) + 1:
        steps[len(pieces) // 2].found = pieces[-1]


def same(expected: str, found: str) -> bool:
    shown, printed = expected.rstrip("\n").split("\n"), found.rstrip("\n").split("\n")
    return len(shown) == len(printed) and all(
        VOLATILE.sub("0", a) == VOLATILE.sub("0", b) or (a.endswith("…") and b.startswith(a[:-1]))
        for a, b in zip(shown, printed))


def problems_of(name: str, steps: list[Step]) -> list[str]:
    problems = []
    for step in steps:
        where = f"{name}:{step.block.line}: {step.command.strip()}"
        if step.code is None:
            problems.append(f"{where}\nended the shell\n{step.found}")
            break
        must_succeed = step.block.kind != "console"
        if (must_succeed and step.code) or step.code == 70 or step.code > 125:
            problems.append(f"{where}\nexit code {step.code}\n{step.found}")
        elif not harness.UPDATE and step.expected is not None and not same(step.expected, step.found):
            problems.append(f"{where}\nexpected\n{step.expected}found\n{step.found}")
    return problems


def updated(page: str, steps: list[Step]) -> str:
    texts: dict[int, str] = {}
    blocks = {step.block.start: step.block for step in steps if step.expected is not None}
    for step in steps:
        if step.expected is None or step.block.kind == "python":
            continue
        found = step.expected if same(step.expected, step.found) else step.found
        found += "\n" if found and not found.endswith("\n") else ""
        shown = "".join("$ " + line if at == 0 else "> " + line
                        for at, line in enumerate(step.command.splitlines(keepends=True)))
        text = shown + found if step.block.kind == "console" else found
        texts[step.block.start] = texts.get(step.block.start, "") + text
    for start in sorted(texts, reverse=True):
        page = page[:start] + texts[start] + page[blocks[start].end:]
    return page


def check(page: str) -> list[str]:
    path = ROOT / page
    text = path.read_text()
    if steps := steps_of(blocks_of(text)):
        run(steps)
        if harness.UPDATE:
            path.write_text(updated(text, steps))
    return problems_of(page, steps)


@pytest.fixture(scope="module")
def results(request):
    """The problems of all chosen pages, which run side by side."""
    chosen = [item.callspec.params["page"] for item in request.session.items if item.path == request.path]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        yield {page: pool.submit(check, page) for page in chosen}


# cli.pages runs the examples of rules.md.
@pytest.mark.parametrize("page", sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md") if page.name != "rules.md"))
def test_page(page, results):
    problems = results[page].result()
    assert not problems, "\n\n".join(problems)
