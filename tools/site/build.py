"""Builds the documentation site: collects the pages, generates others, and runs mkdocs in strict mode.

usage: build.py XWALK OUT        (OUT: the folder of the site; the collected pages are next to it, in OUT-pages)

The pages in docs/ are readable in the repository too; docs/README.md is the table of contents. This program adds the files that
`<!-- include FILE -->` names, the benchmark pages with charts, the notebooks, the type table with filters, a page per command with a heading
per option (so that search finds it), and the reference of the C++ headers.
It needs the packages of `tools/setup.sh docs`, and no network.
"""

import base64
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
LINK = re.compile(r"\]\(([^)#\s]+)")
#: Pages of the site that are elsewhere in the repository.
MADE = {"bench/README.md": "benchmarks.md", "bench/results.md": "benchmark-results.md",
        "examples/notebook/tables.ipynb": "how-to/notebook.md",
        "examples/notebook/dump.ipynb": "how-to/dump.md",
        "src/xwalk/cli": "reference/program.md", "tests/cli/types.md": "types.md", "SECURITY.md": "security.md",
        "tests/hostile/README.md": "hostile-inputs.md", "findings/README.md": "findings.md"}
#: An example of a rule whose input is bytes, not text.
BYTES = re.compile(r"^```\n\$ echo (\S+) \| base64 -d (?:\| ([^\n]+ -)|> (\S+); ([^\n]+))\n(.*?)^```$", re.M | re.S)
OPTION = re.compile(r"^ {2,6}(-\S.*?)(?: {2,}(\S.*))?$")
ENTRY = re.compile(r"^- \[([^\]]+)\]\(([^)#]+\.md)\)")


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


def foldable(text: str) -> str:
    """Returns a type as code, with line breaks allowed after brackets and commas."""
    return "<code>" + re.sub(r"(&lt;|&gt;|[;,({])", r"\1<wbr>", html.escape(text, quote=False)) + "</code>"


def linked(page: pathlib.Path, pages: pathlib.Path) -> str:
    """Returns the page's text, with links to files in `MADE` replaced by links to their pages."""
    def target(match: re.Match[str]) -> str:
        there = (DOCS / page.relative_to(pages).parent / match[1]).resolve()
        made = MADE.get(str(there.relative_to(ROOT))) if there.is_relative_to(ROOT) else None
        return f"]({os.path.relpath(pages / made, page.parent)}" if made else match[0]

    return LINK.sub(target, page.read_text())


def printed(program: pathlib.Path, *words: str) -> str:
    return subprocess.run([program, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def type_page(program: pathlib.Path, target: pathlib.Path) -> None:
    """Makes the page of all types one table. types.js adds the filters above it."""
    rows = []
    for cell in json.loads(printed(program, "types", "--json")):
        verdict = cell["verdict"]
        becomes = html.escape(cell["target"], quote=False) if verdict == "unsupported" else foldable(cell["target"])
        rules = ", ".join(f'<a href="rules.html#{rule.replace(".", "")}">{rule}</a>' for rule in cell["rules"])
        rows.append(f'<tr><td>{cell["from"]}</td><th scope="row">{foldable(cell["source"])}</th><td>{cell["to"]}</td>'
                    f'<td>{becomes}</td><td class="verdict {verdict}">{verdict}</td><td>{rules}</td></tr>')
    intro = printed(program, "types", "--output", "markdown").partition("\n## ")[0]
    target.write_text(
        # Otherwise a search would find hundreds of rows for every word.
        "---\nhide: [toc]\nsearch:\n  exclude: true\n---\n\n" + intro +
        '\n\n<div class="types-scroll" tabindex="0" role="region" aria-label="Types">\n<table class="types">\n'
        '<thead><tr><th scope="col">From</th><th scope="col">Type</th><th scope="col">To</th>'
        '<th scope="col">becomes</th><th scope="col">Verdict</th><th scope="col">Rules</th></tr></thead>\n<tbody>\n'
        + "\n".join(rows) + "\n</tbody>\n</table>\n</div>\n")


def plain(text: str) -> str:
    """Returns plain text of the program as Markdown."""
    return html.escape(re.sub(r"([\\`*_{}\[\]|#])", r"\\\1", text), quote=False)


def options_of(group: str) -> str:
    """Returns a group of options from the help, with a heading for each option."""
    title, *lines = group.splitlines()
    page = f"### {title[:-1]}\n"
    for line in lines:
        option = OPTION.match(line)
        if option:
            name = re.search(r"--([\w-]+)", option[1])[1]
            page += f"\n#### `{option[1]}` {{#{name}}}\n\n"
        said = option[2] or "" if option else line.strip()
        page += plain(said) + "\n"
    return page + "\n"


def verb_pages(program: pathlib.Path, target: pathlib.Path) -> list[str]:
    """Writes a page for every command, and a list of them."""
    top = printed(program, "--help")
    verbs = re.findall(r"^  (\w+)  +(\w.*(?:\n {14}.*)*)", top.partition("Commands:\n")[2].partition("\n\n")[0], re.M)
    target.with_suffix("").mkdir()
    page = f"# The program\n\nWhat `xwalk --help` prints. Each command has a page.\n\n```text\n{top}```\n\n"
    for verb, summary in verbs:
        blocks = printed(program, verb, "--help", "all").rstrip("\n").split("\n\n")
        groups = [block for block in blocks if OPTION.match(block.partition(":\n")[2].partition("\n")[0])]
        examples, usage, *notes = (block for block in blocks if block not in groups)
        examples = re.sub(r"\n {6}(.*)", r"\n# \1", "\n" + examples).replace("\n  ", "\n")
        usage, _, said = usage.partition("\n")
        words = "\n\n".join(map(plain, [said, *notes]))
        (target.with_suffix("") / f"{verb}.md").write_text(
            f"# xwalk {verb}\n\n`{usage.removeprefix('usage: ')}`\n\n{words}\n\n```sh{examples}\n```\n\n"
            "## Options\n\n" + "".join(map(options_of, groups)))
        page += f"- [{verb}](program/{verb}.md): {' '.join(summary.split())}\n"
    target.write_text(page)
    return [f"reference/program/{verb}.md" for verb, _ in verbs]


def with_files(page: pathlib.Path) -> None:
    """Replaces bytes in the commands of examples by files to download."""
    text = page.read_text()
    files = page.parent / "rules"
    files.mkdir()

    def example(match: re.Match[str]) -> str:
        rule = re.findall(r"^## (\S+)$", text[:match.start()], re.M)[-1]
        name = match[3] or f"{rule.replace('.', '-')}.bin"
        (files / name).write_bytes(base64.b64decode(match[1]))
        command = match[4] or f"{match[2]} < {name}"
        return f"```\n$ {command}\n{match[5]}```\n\nThe file: [{name}](rules/{name})"

    page.write_text(BYTES.sub(example, text))


def navigation(pages: pathlib.Path, more: dict[str, list[str]]) -> list:
    """Reads the sections of the home page. `more` holds pages that follow an entry, by its page.

    A page that no section names fails the build.
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
    lost = sorted(str(path.relative_to(pages)) for path in pages.rglob("*.md")
                  if str(path.relative_to(pages)) not in {*listed, "README.md"})
    if lost:
        raise SystemExit(f"docs/README.md does not name {', '.join(lost)}")
    return [item for item in nav if next(iter(item.values()))]


def stage(program: pathlib.Path, pages: pathlib.Path) -> list:
    """Fills the folder of pages and returns the navigation."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    for page in pages.rglob("*.md"):
        page.write_text(INCLUDE.sub(included, linked(page, pages)))
    for name in ("README.md", "results.md"):
        page = charts.with_charts(name, (ROOT / "bench" / name).read_text())
        for linked_name in ("README.md", "results.md"):
            page = page.replace(f"]({linked_name})", f"]({MADE['bench/' + linked_name]})")
        (pages / MADE[f"bench/{name}"]).write_text(page)
    for source in (name for name in MADE if name.endswith(".ipynb")):
        (pages / MADE[source]).write_text(notebook.page_of(ROOT / source))
    for name in ("SECURITY.md", "tests/hostile/README.md", "findings/README.md"):
        (pages / MADE[name]).write_text((ROOT / name).read_text().replace("](docs/", "](")
                                        .replace("](tests/hostile/README.md", "](hostile-inputs.md")
                                        .replace("](../../SECURITY.md", "](security.md").replace("](../../docs/", "]("))
    rules = pages / "rules.md"
    with_files(rules)
    rules.write_text(rules.read_text().replace("```\n$ ", "```console\n$ "))
    type_page(program, pages / "types.md")
    verbs = verb_pages(program, pages / MADE["src/xwalk/cli"])
    headers = cpp_reference.make(ROOT / "src", HERE / "Doxyfile", pages.parent / f"{pages.name}-xml",
                                 pages / "reference" / "cpp")
    for name in ("site.css", "copy.js", "types.js", "search.js"):
        shutil.copy(HERE / name, pages)
    shutil.copy(DEPS / "docs" / "iframe-worker.js", pages)
    return navigation(pages, {MADE["src/xwalk/cli"]: verbs, MADE["bench/README.md"]: [MADE["bench/results.md"]],
                              "reference/cpp.md": [f"reference/cpp/{page}.md" for page in headers]})


def main() -> int:
    program, out = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    pages = out.parent / f"{out.name}-pages"
    config = {"INHERIT": str(HERE / "mkdocs.yml"), "docs_dir": str(pages), "site_dir": str(out),
              "nav": stage(program, pages)}
    file = out.parent / f"{out.name}.yml"
    file.write_text(json.dumps(config))  # JSON is YAML
    environment = {**os.environ, "XWALK_SITE_PYTHON": str(ROOT / "src/xwalk/python"),
                   "XWALK_SITE_DOCSTRINGS": str(HERE / "docstrings.py"), "NO_MKDOCS_2_WARNING": "1"}
    # Not --quiet: --strict counts only printed warnings.
    done = subprocess.run([sys.executable, "-I", "-m", "mkdocs", "build", "--strict", "--config-file", file],
                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sys.stdout.writelines(line for line in done.stdout.splitlines(keepends=True) if not line.startswith("INFO"))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
