"""Builds the documentation site and looks at what came out.

The build prints no warning. Every link, anchor and image exists, in the pages of the repository too. Pages use no network.
Search finds every option of every command. In a browser, from disk, pages fit a phone and a desktop, nothing is clipped, the
table of types can be filtered, and there are no console errors.
"""

import html
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse

import pytest

from tests import harness
from tests.harness import PROGRAM, ROOT

with harness.skip_if_missing(" (tools/setup.sh docs)"):
    import mkdocs  # noqa: F401
sys.path.insert(0, str(ROOT / "tests" / "python"))

from browser import Browser, find  # noqa: E402

SITE = harness.BUILD / "site"

#: Attributes by which a page fetches something, and those by which it leads somewhere.
FETCHED = {("img", "src"), ("script", "src"), ("link", "href"), ("source", "src"), ("iframe", "src")}
LINKS = {("a", "href")}
PHONE, DESK = 390, 1280
#: An option in the help of a verb: its name and the first line of what it does.
OPTION = re.compile(r"^ {2,6}(?:-\w, )?--([\w-]+)[^\n]*?(?:\n {20,}| {2,})(\S[^\n]*)", re.M)
#: Elements beyond the edges of a page, or clipped, that scrolling cannot reach.
CLIPPED = """(() => {
  const found = [];
  for (const element of document.querySelectorAll(".md-content *")) {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    if (!box.width || !box.height || style.visibility === "hidden" || style.clipPath !== "none") continue;
    if (element.ownerSVGElement) continue;
    let over = box.right > innerWidth + 1 || box.left < -1;
    for (let above = element.parentElement; over && above; above = above.parentElement)
      over = !["auto", "scroll"].includes(getComputedStyle(above).overflowX);
    const cut = ["hidden", "clip"].includes(style.overflowX) && element.scrollWidth > element.clientWidth + 1;
    const lost = element.tagName === "IMG" && !element.naturalWidth;
    // A picture scrolls nowhere: it fits.
    const wide = element.tagName === "IMG" && box.right > innerWidth;
    if (over || cut || lost || wide)
      found.push(`${element.tagName} ${element.className} to ${box.right}: ${element.textContent.slice(0, 40)}`);
  }
  return found;
})()"""


def printed(*words: str) -> str:
    return subprocess.run([PROGRAM, *words], check=True, stdout=subprocess.PIPE, text=True).stdout


class Page(html.parser.HTMLParser):
    """The anchors, links and resources of a page."""

    def __init__(self, path: pathlib.Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.ids.add(value)
            # A canonical address and the like are names, not something to fetch.
            named = tag == "link" and dict(attributes).get("rel") in ("canonical", "next", "prev", "edit")
            if (tag, name) in FETCHED and value and not named:
                self.fetched.append(value)
            elif (tag, name) in LINKS and value:
                self.links.append(value)

    handle_startendtag = handle_starttag


class TestSite:
    pages: dict[pathlib.Path, Page] = {}

    @classmethod
    def setup_class(cls) -> None:
        done = subprocess.run([sys.executable, ROOT / "tools" / "site" / "build.py", PROGRAM, SITE],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        cls.said, cls.code = done.stdout, done.returncode
        cls.pages = {path: Page(path) for path in SITE.rglob("*.html")}

    def test_builds_without_a_warning(self):
        assert (self.code, self.said) == (0, "")
        assert len(self.pages) > 30

    def test_every_link_leads_somewhere(self):
        lost = []
        for path, page in self.pages.items():
            for link in page.links + page.fetched:
                parts = urllib.parse.urlsplit(link)
                if parts.scheme or parts.netloc or path.name == "404.html":
                    continue
                target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
                if not target.is_file() or not target.is_relative_to(SITE):
                    lost.append(f"{path.relative_to(SITE)}: {link}")
                elif parts.fragment and target.suffix == ".html" and \
                        urllib.parse.unquote(parts.fragment) not in self.pages[target].ids | {"__search"}:
                    lost.append(f"{path.relative_to(SITE)}: {link}: no such anchor")
        assert lost == []

    def test_nothing_comes_from_the_network(self):
        asked = [f"{path.relative_to(SITE)}: {address}" for path, page in self.pages.items()
                 for address in page.fetched if urllib.parse.urlsplit(address).netloc]
        asked += [f"{style.relative_to(SITE)}: {word}" for style in SITE.rglob("*.css")
                  for word in style.read_text().split("url(")[1:] if word.lstrip("'\"").startswith(("http", "//"))]
        assert asked == []

    def test_no_links_to_the_repository_are_left(self):
        left = [f"{path.relative_to(SITE)}: {link}" for path, page in self.pages.items()
                for link in page.links if urllib.parse.urlsplit(link).path.endswith(".md")]
        assert left == []

    def test_links_in_the_repository(self):
        lost, pages = [], [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench" / "README.md",
                           *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")]
        for page in pages:
            text = re.sub(r"^```.*?^```|`[^`\n]*`", "", page.read_text(), flags=re.M | re.S)
            for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
                if not (urllib.parse.urlsplit(link).scheme or (page.parent / link).exists()):
                    lost.append(f"{page.relative_to(ROOT)}: {link}")
        assert lost == []

    def test_every_option_is_found(self):
        documents = {document["location"]: document for document in
                     json.loads((SITE / "search" / "search_index.json").read_text())["docs"]}
        verbs = re.findall(r"^  (\w+)  +\w", printed("--help").partition("Commands:\n")[2].partition("\n\n")[0], re.M)
        lost, options = [], 0
        for verb in verbs:
            said = printed(verb, "--help", "all")
            # A name, what it takes, and in the same line or below it what it does.
            for name, words in OPTION.findall(said):
                options += 1
                found = documents.get(f"reference/program/{verb}.html#{name}", {"title": "", "text": ""})
                text = html.unescape(re.sub(r"<[^>]+>", "", found["text"]))
                if f"--{name}" not in found["title"] or words not in text:
                    lost.append(f"{verb} --{name}: {words}: {text}")
        assert lost == []
        assert options > 200

    def test_no_bytes_stand_in_commands(self):
        assert "base64" not in (SITE / "rules.html").read_text()

    @pytest.mark.skipif(not find(), reason="no browser (tools/setup.sh test)")
    def test_in_a_browser(self):
        shots = os.environ.get("XWALK_SCREENSHOTS")
        with Browser(find(), seconds=1500) as browser:
            for number, path in enumerate(sorted(self.pages)):
                if path.name == "404.html":
                    continue
                # Every other page is loaded on a phone; loading takes most of the time.
                first, other = (PHONE, DESK) if number % 2 else (DESK, PHONE)
                browser.open(path, first)
                for width in (first, other):
                    if width == other:
                        browser.resize(width)
                        # Parts of the page move to their new places.
                        harness.wait_for(lambda: browser.value("document.getAnimations().length === 0"), 10)
                    assert browser.value("document.documentElement.scrollWidth") <= width
                    assert browser.value(CLIPPED) == []
                    assert browser.complaints() == []
            for name in ("index", "tutorial", "report", "benchmarks") if shots else ():
                pathlib.Path(shots).mkdir(parents=True, exist_ok=True)
                for width, dark in ((PHONE, False), (PHONE, True), (DESK, False), (DESK, True)):
                    browser.open(SITE / f"{name}.html", width, dark=dark)
                    browser.screenshot(pathlib.Path(shots) / f"site-{name}-{width}-{'dark' if dark else 'light'}.png",
                                       whole=False)
            for words, found in (("duplicate keys", "rules.html"), ("--decimal-mode", "program/check.html"),
                                 ("-row-group-rows", "program/convert.html")):
                browser.open(SITE / "index.html", DESK)
                browser.type(".md-search__input", words)
                until = time.monotonic() + 60
                link = f".md-search-result__link[href*='{found}']"
                while not browser.value(f'document.querySelectorAll("{link}").length'):
                    assert time.monotonic() < until, "searching does not find it"
                    time.sleep(0.1)
            browser.open(SITE / "types.html", PHONE)
            browser.value("document.querySelector('.types-tools select').focus()")
            browser.type(".types-tools [name=find]", "tzdate parquet")
            shown = browser.value("[...document.querySelectorAll('.types tbody tr')].filter((row) => !row.hidden)"
                                  ".map((row) => row.textContent.toLowerCase())")
            assert shown
            assert [row for row in shown if "tzdate" not in row or "parquet" not in row] == []
            assert f"{len(shown)} of" in browser.value("document.querySelector('.types-tools output').value")
            # The address that a choice leaves makes the same choice.
            browser.reload()
            until = time.monotonic() + 60
            while browser.value("document.querySelector('.types-tools output')?.value.startsWith('"
                                f"{len(shown)} of')") is not True:
                assert time.monotonic() < until, "a choice is forgotten"
                time.sleep(0.1)
            browser.open(SITE / "tutorial.html", DESK)
            copied = browser.value("document.querySelector('.language-console').dataset.copy")
            block = (harness.ROOT / "docs" / "tutorial.md").read_text().partition("```console\n")[2].partition("```")[0]
            commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
            assert copied.splitlines() == commands
