"""Builds the documentation site: stages the pages, makes those that are generated, and runs mkdocs, strictly.

usage: build.py XWALK OUT        (OUT is the site's folder; the staged pages are beside it, in OUT-pages)

What people write lies in docs/ and reads well where the repository is shown too; docs/README.md is its table of
contents. Added here: what `<!-- include FILE -->` names, the rooms' READMEs among them; bench/README.md with charts;
the notebook; the type table cut into one page a system; the help of every verb; the reference of the C++ headers.
Needs what `tools/setup.sh docs` installs, and no network.
"""

import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import charts
import cpp_reference
import notebook

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCS = ROOT / "docs"
DEPS = pathlib.Path(os.environ.get("XWALK_DEPS", ROOT / ".deps"))
INCLUDE = re.compile(r"^<!-- include (\S+) -->\n(?:.*\n)*?<!-- end of include -->$", re.M)
VERDICT = re.compile(r"\| (exact|annotated|widened|checked|lossy|unsupported) (?=\|)")
LINK = re.compile(r"\]\(([^)#\s]+)")
#: What stands elsewhere in the repository and is a page of the site.
MADE = {"bench/README.md": "benchmarks.md", "examples/notebook/tables.ipynb": "how-to/notebook.md",
        "examples/notebook/dump.ipynb": "how-to/dump.md",
        "src/xwalk/cli": "reference/program.md", "SECURITY.md": "security.md"}
CODE = re.compile(r"`([^`\n]+)`")
ENTRY = re.compile(r"^- \[([^\]]+)\]\(([^)#]+\.md)\)")


def title_of(page: pathlib.Path) -> str:
    return re.search(r"^# (.+)$", page.read_text(), re.M)[1]


def included(match: re.Match[str]) -> str:
    """Returns a page without its title, its headings one level lower; a source in C++ as code."""
    text = (ROOT / match[1]).read_text()
    if not match[1].endswith(".md"):
        return f"```cpp\n{text}```"
    fenced, out = False, []
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("# ") and not fenced:
            continue
        out.append("#" + line if line.startswith("#") and not fenced else line)
    return "\n".join(out)


def foldable(match: re.Match[str]) -> str:
    """Returns a type as code that a narrow table may fold where a person would."""
    text = html.escape(match[1], quote=False)
    # `[us](i64)` is no link.
    return "<code>" + re.sub(r"(&lt;|&gt;|[;,({])", r"\1<wbr>", text).replace("[", "&#91;") + "</code>"


def linked(page: pathlib.Path, pages: pathlib.Path) -> str:
    """Returns the page's text, its links to what `MADE` names turned to the pages made of them."""
    def target(match: re.Match[str]) -> str:
        there = (DOCS / page.relative_to(pages).parent / match[1]).resolve()
        made = MADE.get(str(there.relative_to(ROOT))) if there.is_relative_to(ROOT) else None
        return f"]({os.path.relpath(pages / made, page.parent)}" if made else match[0]

    return LINK.sub(target, page.read_text())


def type_pages(pages: pathlib.Path) -> list[str]:
    """Cuts types.md into a page for each system that types come from, and leaves a list of them."""
    text = (pages / "types.md").read_text()
    intro, *tables = re.split(r"^(?=## )", text, flags=re.M)
    systems: dict[str, str] = {}
    for table in tables:
        system = table[3:].split(" → ")[0]
        systems[system] = systems.get(system, "") + table
    (pages / "types").mkdir()
    for system, tables_text in systems.items():
        page = f"# Types of {system}\n\n" + tables_text.replace("](rules.md", "](../rules.md")
        page = VERDICT.sub(r'| <span class="verdict \1">\1</span> ', CODE.sub(foldable, page))
        (pages / "types" / f"{system}.md").write_text(page)
    links = "".join(f"- [Types of {system}](types/{system}.md)\n" for system in systems)
    (pages / "types.md").write_text(intro + links)
    return [f"types/{system}.md" for system in systems]


def program_page(program: pathlib.Path, target: pathlib.Path) -> None:
    """Writes the help of every verb."""
    def help_of(*words: str) -> str:
        return subprocess.run([program, *words, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout

    top = help_of()
    verbs = re.findall(r"^  (\w+)  +\w", top.partition("Verbs:\n")[2].partition("\n\n")[0], re.M)
    page = f"# The program\n\nWhat `xwalk --help` and `xwalk VERB --help` print.\n\n```text\n{top}```\n\n"
    for verb in verbs:
        page += f"## {verb}\n\n```text\n{help_of(verb)}```\n\n"
    target.write_text(page)


def navigation(pages: pathlib.Path, more: dict[str, list[str]]) -> list:
    """Reads the sections of the home page. `more` holds pages that are added behind an entry, by its page.

    A page in how-to/ that is not named comes last there; any other fails the build.
    """
    nav: list = [{"Home": "README.md"}]
    listed = set()
    for line in (pages / "README.md").read_text().splitlines():
        entry = ENTRY.match(line)
        if line.startswith("## "):
            nav.append({line[3:]: []})
        elif entry:
            section = next(iter(nav[-1].values()))
            children = more.get(entry[2], [])
            listed |= {entry[2], *children}
            section.append({entry[1]: [entry[2], *children] if children else entry[2]})
    rest = sorted(str(path.relative_to(pages)) for path in pages.rglob("*.md")
                  if str(path.relative_to(pages)) not in {*listed, "README.md"})
    how_to = next(item["How to"] for item in nav if "How to" in item)
    how_to += [{title_of(pages / page): page} for page in rest if page.startswith("how-to/")]
    lost = [page for page in rest if not page.startswith("how-to/")]
    if lost:
        raise SystemExit(f"docs/README.md does not name {', '.join(lost)}")
    return [item for item in nav if next(iter(item.values()))]


def stage(program: pathlib.Path, pages: pathlib.Path) -> list:
    """Fills the folder of pages; returns the navigation."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    for page in pages.rglob("*.md"):
        page.write_text(INCLUDE.sub(included, linked(page, pages)))
    (pages / MADE["bench/README.md"]).write_text(charts.with_charts((ROOT / "bench" / "README.md").read_text()))
    for source in (name for name in MADE if name.endswith(".ipynb")):
        (pages / MADE[source]).write_text(notebook.page_of(ROOT / source))
    (pages / MADE["SECURITY.md"]).write_text((ROOT / "SECURITY.md").read_text().replace("](docs/", "]("))
    rules = pages / "rules.md"
    rules.write_text(rules.read_text().replace("```\n$ ", "```console\n$ "))
    types = type_pages(pages)
    program_page(program, pages / MADE["src/xwalk/cli"])
    rooms = cpp_reference.make(ROOT / "src", HERE / "Doxyfile", pages.parent / f"{pages.name}-xml",
                               pages / "reference" / "cpp")
    for name in ("site.css", "copy.js"):
        shutil.copy(HERE / name, pages)
    shutil.copy(DEPS / "docs" / "iframe-worker.js", pages)
    return navigation(pages, {"types.md": types, "reference/cpp.md": [f"reference/cpp/{room}.md" for room in rooms]})


def main() -> int:
    program, out = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    pages = out.parent / f"{out.name}-pages"
    config = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": str(pages), "site_dir": str(out),
              "nav": stage(program, pages)}
    file = out.parent / f"{out.name}.yml"
    file.write_text(json.dumps(config))  # JSON is YAML
    environment = {**os.environ, "XWALK_SITE_PYTHON": str(ROOT / "src/xwalk/python"),
                   "XWALK_SITE_DOCSTRINGS": str(HERE / "docstrings.py"), "NO_MKDOCS_2_WARNING": "1"}
    # Not --quiet: what is not said is not counted by --strict either.
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", file],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sys.stdout.writelines(line for line in done.stdout.splitlines(keepends=True) if not line.startswith("INFO"))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
