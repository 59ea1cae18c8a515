"""Compares the pages that the program makes with its output, and runs the rules' examples.

usage: pages.py [--update] XWALK

tests/cli/types.md is `xwalk types --output markdown`, docs/rules.md `xwalk explain --output markdown`,
docs/readers.md `xwalk types --readers --output markdown`.
Every rule of the catalogue has an example in src/xwalk/crosswalk/rule_pages.cc: its command is run, must
print what the page says, and must name the rule. With --update the pages are written again. The outputs
in rule_pages.cc are written too, and need a build before the pages change.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "src/xwalk/crosswalk/rule_pages.cc"
PAGES = {
    "tests/cli/types.md": ["types", "--output", "markdown"],
    "docs/rules.md": ["explain", "--output", "markdown"],
    "docs/readers.md": ["types", "--readers", "--output", "markdown"],
}


def shell(program: pathlib.Path, command: str) -> str:
    with tempfile.TemporaryDirectory(prefix="xwalk-pages-") as folder:
        environment = {"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": folder,
                       "LC_ALL": "C.UTF-8", "COLUMNS": "80", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60)
        return done.stdout.decode()


def printed(program: pathlib.Path, *words: str) -> str:
    return subprocess.run([program, *words], check=True, stdout=subprocess.PIPE).stdout.decode()


def examples(program: pathlib.Path, update: bool) -> list[str]:
    problems = []
    source = EXAMPLES.read_text()
    for rule in json.loads(printed(program, "explain", "--json")):
        slug = rule["rule"]
        if "example" not in rule:
            problems.append(f"{slug}: no example in {EXAMPLES.name}")
            continue
        command, output = rule["example"]["command"], rule["example"]["output"]
        if ".parquet" in command and not (program.parent / "libxwalk_parquet.so").exists():
            print(f"{slug}: not run, the plugin is not built")
            continue
        found = shell(program, command)
        if slug not in found:
            problems.append(f"{slug}: the example's output does not name the rule\n"
                            f"$ {command}\n{found}")
        if found == output:
            continue
        if update:
            where = re.compile(re.escape(f'R"({command})"') + r',\s*R"\(.*?\)"', re.S)
            source, count = where.subn(
                lambda _, c=command, f=found: f'R"({c})",\n       R"({f})"', source)
            if count != 1:
                problems.append(f"{slug}: {count} places with its command in {EXAMPLES.name}")
        else:
            problems.append(f"{slug}: the example prints something else\n$ {command}\n"
                            f"expected\n{output}found\n{found}")
    if update:
        EXAMPLES.write_text(source)
    return problems


def pages(program: pathlib.Path, update: bool) -> list[str]:
    problems = []
    for name, words in PAGES.items():
        path = ROOT / name
        rules = os.path.relpath(ROOT / "docs/rules.md", path.parent)
        text = printed(program, *words).replace("](rules.md#", f"]({rules}#")
        if update:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            problems.append(f"{name} is stale: run tests/cli/pages.py --update XWALK")
    return problems


def main() -> int:
    update = "--update" in sys.argv
    program = pathlib.Path(sys.argv[-1]).resolve()
    problems = examples(program, update) + pages(program, update)
    print("\n".join(problems) or "all pages are as the program is")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
