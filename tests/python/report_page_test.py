"""The HTML reports in a real headless Chromium: side by side on a desk, stacked on a phone, filtered
without scripts, searched with them, and never running code in a name.

Screenshots go to XWALK_SCREENSHOTS, if that names a folder.
"""

import os
import pathlib

import browser
import pytest
import report_cases

from tests import harness
from tests.harness import expect

SYSTEMS = ["yt", "skiff", "lance", "vortex", "arrow"]
SHOTS = os.environ.get("XWALK_SCREENSHOTS") and pathlib.Path(os.environ["XWALK_SCREENSHOTS"])
if SHOTS:
    SHOTS.mkdir(parents=True, exist_ok=True)
LINES = """[...document.querySelectorAll('.n>.line')].map(line => {
  const box = selector => line.querySelector(selector).getBoundingClientRect();
  const left = box('.left'), right = box('.right'), pill = box('.pill'), all = line.getBoundingClientRect();
  return {shown: all.height > 0, words: line.querySelector('.pill').textContent,
          left: [left.left, left.right, left.top], right: [right.left, right.right, right.top],
          pill: [pill.left, pill.right, pill.top, pill.bottom], top: all.top, bottom: all.bottom,
          colour: getComputedStyle(line.querySelector('.pill')).borderTopColor + getComputedStyle(line.querySelector('.join')).color}})"""


# Columns that are alike share a line, which opens to show each.
UNFOLD = "document.querySelectorAll('.fold').forEach(fold => { fold.checked = true; })"


def look(window: browser.Browser, page: pathlib.Path) -> None:
    name = page.stem
    colours: dict[str, set[str]] = {}
    for width, dark in ((1280, False), (390, False), (1280, True), (390, True)):
        where = f"{name} at {width} px{', dark' if dark else ''}"
        window.open(page, width, scripts=False, dark=dark)
        if SHOTS:
            window.screenshot(SHOTS / f"{name}-{width}{'-dark' if dark else ''}.png")
        expect(window.value("document.documentElement.scrollWidth") <= width,
                      f"{where}: scrolls sideways")
        window.value(UNFOLD)
        lines = window.value(LINES)
        expect(lines and all(line["shown"] for line in lines), f"{where}: lines are hidden")
        for line in lines:
            # Partners are on one line, with the verdict between them; on a phone below each other.
            if width > 800:
                ok = (abs(line["left"][2] - line["right"][2]) < 1
                      and line["left"][1] <= line["pill"][0] and line["pill"][1] <= line["right"][0])
            else:
                ok = line["pill"][1] <= width and line["pill"][0] >= line["left"][0]
            ok = ok and line["top"] <= line["pill"][2] and line["pill"][3] <= line["bottom"]
            expect(ok, f"{where}: a line is not laid out: {line}")
            if width > 800 and not dark:
                colours.setdefault(line["words"], set()).add(line["colour"].split("rgb")[-1])
        background = window.value("getComputedStyle(document.body).backgroundColor")
        expect((background == "rgb(246, 247, 249)") != dark, f"{where}: {background}")
    stored = colours.pop("stored as", set())
    expect(all(len(used) == 1 for used in colours.values()), f"{name}: colours {colours}")
    expect(len(set.union(set(), *colours.values())) == len(colours),
                  f"{name}: two verdicts share a colour: {colours} {stored}")

    filters(window, page)
    reading(window, page)
    window.open(page, 1280, scripts=True)
    expect(not window.complaints(), f"{name}: {window.complaints()}")
    expect(window.value("window.hacked") is None, f"{name}: a name was run as a script")
    search(window, page)


def shown(window: browser.Browser) -> int:
    return window.value("[...document.querySelectorAll('.n>.line')].filter(line => "
                        "line.checkVisibility()).length")


def filters(window: browser.Browser, page: pathlib.Path) -> None:
    """Without scripts: each chip hides its lines, but those that hold others which stay."""
    window.open(page, 1280, scripts=False)
    expect(window.value("document.querySelector('.find').getBoundingClientRect().height") == 0,
                  f"{page.stem}: a search box that cannot search")
    window.value(UNFOLD)
    everything = shown(window)
    grades = window.value("[...document.querySelectorAll('.pick[type=checkbox]')].map(pick => pick.id.slice(1))")
    for grade in grades:
        own = window.value(f"document.querySelectorAll('.h{grade}').length")
        alone = window.value(
            f"[...document.querySelectorAll('.n>.line')].filter(n => n.classList.contains('h{grade}') && "
            "![...n.classList].some(c => /^h\\d$/.test(c) && c !== 'h" + grade + "')).length")
        window.click(f".f{grade}")
        expect(own >= alone >= 0 and shown(window) == everything - alone,
                      f"{page.stem}: filter {grade} leaves {shown(window)} of {everything}, not "
                      f"{everything - alone}")
        window.click(f".f{grade}")
    expect(shown(window) == everything, f"{page.stem}: filters do not come back")
    window.value("1")
    # A column folds what it holds.
    if window.value("document.querySelectorAll('.fold').length"):
        inside = window.value("document.querySelector('.fold').closest('.n').querySelectorAll('.deep').length")
        window.click(".fold")
        expect(inside > 0 and shown(window) == everything - inside, f"{page.stem}: a column does not fold")


RATIO = """(() => {
  const part = c => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const paint = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgb = (colour, below) => {
    paint.fillStyle = `rgb(${below})`; paint.fillRect(0, 0, 1, 1);
    paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
  const ground = node => node ? rgb(getComputedStyle(node).backgroundColor, ground(node.parentElement)) : [255, 255, 255];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  for (let text; text = walk.nextNode();) {
    const node = text.parentElement;
    if (!text.data.trim() || !node.checkVisibility() || node.closest('script,style,.unseen')) continue;
    const below = ground(node), [a, b] = [light(rgb(getComputedStyle(node).color, below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push(`${text.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(faint)];
})()"""


def reading(window: browser.Browser, page: pathlib.Path) -> None:
    """What people read, see and reach by keys: a sentence first, the worst on top, links to rules, contrast, roles."""
    name = page.stem
    for dark in (False, True):
        window.open(page, 1280, scripts=False, dark=dark)
        faint = window.value(RATIO)
        expect(not faint, f"{name}{', dark' if dark else ''}: faint words: {faint}")
    expect(window.value("document.querySelector('.lead').textContent.trim().endsWith('.')"), f"{name}: no sentence")
    ranks = window.value("[...document.querySelectorAll('.sheet')].map(sheet => [...sheet.querySelectorAll('.n')]"
                         ".filter(n => n.querySelector('.name').textContent !== '(table)')"
                         ".map(n => Math.max(...[...n.querySelectorAll('.line')].filter(l => !l.classList.contains('stored'))"
                         ".map(l => +/\\bc(\\d)/.exec(l.className)[1]))))")
    expect(all(sheet == sorted(sheet, reverse=True) for sheet in ranks), f"{name}: the worst is not first: {ranks}")
    tops = "[...document.querySelector('.sheet').querySelectorAll('.n')].map(n => [+n.style.getPropertyValue('--o'), " \
           "n.getBoundingClientRect().top]).sort((a, b) => a[0] - b[0]).map(pair => pair[1])"
    window.click("label[for=schema]")
    places = window.value(tops)
    expect(places == sorted(places), f"{name}: not in the order of the schema: {places}")
    expect(window.value("[...document.querySelectorAll('a.rule')].every(a => "
                               "document.getElementById(a.getAttribute('href').slice(1)))"), f"{name}: a rule leads nowhere")
    expect(window.value("[...document.querySelectorAll('.sheet *')].every(node => !/^(TR|TD|TH|TBODY|THEAD)$/.test("
                               "node.tagName) || node.getAttribute('role'))"), f"{name}: a part of the table has no role")


def search(window: browser.Browser, page: pathlib.Path) -> None:
    window.value(UNFOLD)
    everything = shown(window)
    word = window.value("[...document.querySelectorAll('.n>.line .name')].pop().textContent")
    window.type(".find input", word.upper())
    expect(0 < shown(window) <= everything, f"{page.stem}: search finds nothing of {word}")
    window.type(".find input", "no such words anywhere")
    expect(shown(window) == 0, f"{page.stem}: search finds what is not there")


COMMANDS = {
    **{f"nested-{system}": f"check nested.schema --from yt --to {system}" for system in ("parquet", "vortex")},
    "names": "check names.schema --from yt --to parquet",
    "diff": "diff nested.schema later.schema --from yt",
    "compat": "compat nested.schema later.schema --from yt --mode full",
    **{f"flights-{system}": f"check {harness.DATA / 'flights-3m.parquet'} --to {system}" for system in SYSTEMS},
}


def page_of(folder: pathlib.Path, name: str, command: str) -> pathlib.Path:
    page = folder / f"{name}.html"
    page.write_bytes(harness.run(*command.split(), "--output", "html", code=(0, 1), cwd=folder, text=False).stdout)
    return page


@pytest.fixture(scope="module")
def window():
    chromium = browser.find()
    if chromium is None:
        pytest.skip(f"no Chromium ({', '.join(browser.NAMES)}) on the path")
    with browser.Browser(chromium, 300) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder():
    made = harness.make_folder("page")
    report_cases.write_all(made)
    return made


@pytest.mark.parametrize("name", COMMANDS)
def test_page(window, folder, name):
    if name.startswith("flights") and not (harness.DATA / "flights-3m.parquet").exists():
        pytest.skip(f"no real files in {harness.DATA} (tools/setup.sh demo)")
    look(window, page_of(folder, name, COMMANDS[name]))


def test_wide(window: browser.Browser, folder: pathlib.Path) -> None:
    """Of 300 columns of three types, each type that is not exact takes one line, and the exact ones take one."""
    kinds = ["int64", "timestamp", "interval"]
    (folder / "wide.schema").write_text("[" + "".join(
        f"{{name=c{i};type_v3={kinds[i % 3]}}};" for i in range(300)) + "]")
    page = page_of(folder, "wide", "check wide.schema --from yt --to parquet")
    for width in (1280, 390):
        window.open(page, width, scripts=True)
        expect(0 < shown(window) <= 3, f"wide at {width} px: {shown(window)} lines for three types")
        expect(window.value("document.documentElement.scrollHeight") < 3000, f"wide at {width} px: too long")
        expect(window.value("document.querySelector('main').getBoundingClientRect().width") <= 960,
                      f"wide at {width} px: wider than 960 px")
    # On a phone, a line without a second type has no arrow to it.
    expect(window.value("[...document.querySelectorAll('.right.same.untyped')].every(cell => !cell.checkVisibility())"),
           "wide: an arrow to nothing")
    window.type(".find input", "c299")
    expect(window.value("[...document.querySelectorAll('.line .name')].some(name => name.checkVisibility() && "
                               "name.textContent === 'c299')"), "wide: search does not find a column of a folded line")
    text = window.value("document.querySelector('footer').textContent")
    expect("xwalk check wide.schema" in text and "byte" in text, f"wide: the footer does not state the origin: {text}")


def test_paper(window: browser.Browser, folder: pathlib.Path) -> None:
    """Paper shows the reasons of columns that share a line, and has no scroll bars."""
    (folder / "paper.schema").write_text("".join(f"column_{i:04}: list<item: timestamp[ns]>\n" for i in range(12)))
    window.open(page_of(folder, "paper", "check paper.schema --from arrow --to yt"), 700, scripts=False)
    reasons = "[...document.querySelectorAll('.bundle .why li')].filter(reason => reason.checkVisibility()).length"
    expect(window.value(reasons) == 0, "paper: the screen shows the reasons of a folded line")
    window.call("Emulation.setEmulatedMedia", media="print")
    expect(0 < window.value(reasons) < 12, f"paper: {window.value(reasons)} reasons of columns that are alike")
    (folder / "x.yson").write_text("{a=1;b=2};")
    (folder / "y.yson").write_text("{a=2;b=3};")
    window.open(page_of(folder, "paper-rows", "diff x.yson y.yson --rows"), 700, scripts=False)
    window.call("Emulation.setEmulatedMedia", media="print")
    expect(window.value("getComputedStyle(document.querySelector('.wide')).overflowX") == "visible", "paper: a scroll bar")
    window.call("Emulation.setEmulatedMedia", media="")


def test_rows(window: browser.Browser, folder: pathlib.Path) -> None:
    """A page on rows counts columns and rows once each, without a verdict per column."""
    for name, text in (("a", "{id=1;x=1};{id=2;x=2};{id=3;x=3};"), ("b", "{id=1;x=9};{id=2;x=8};{id=4;x=3};")):
        harness.write(folder / f"{name}.yson", text, "[{name=id;type_v3=int64};{name=x;type_v3=int64}]")
    page = page_of(folder, "rows", "diff a.yson b.yson --rows --key id")
    for width in (1280, 390):
        window.open(page, width, scripts=True)
        expect(window.value("document.querySelector('.lead').textContent") ==
                      "2 rows differ, 1 row removed, 1 row added; 1 of 2 columns differs.", "rows: the headline is false")
        bars = window.value("[...document.querySelectorAll('.bars tbody tr')].map(row => row.textContent)")
        expect(len(bars) == 1 and bars[0].startswith("x2"), f"rows: columns that differ: {bars}")
        expect(window.value("document.querySelectorAll('tr.removed,tr.added').length") == 2, "rows: added or removed")
        expect(window.value("document.documentElement.scrollWidth") <= width, f"rows at {width} px: scrolls sideways")
        expect(not window.complaints(), f"rows: {window.complaints()}")


def test_rows_of_wide_tables(window: browser.Browser, folder: pathlib.Path) -> None:
    """The columns that differ most come first, and those after the 50th are folded."""
    names = [f"c{i}" for i in range(60)]
    for name, last in (("wide-a", 1), ("wide-b", 2)):
        rows = [";".join(f"{column}={last if row == 0 or i == 59 else 0}" for i, column in enumerate(names)) for row in range(3)]
        harness.write(folder / f"{name}.yson", "".join(f"{{{row}}};" for row in rows),
                      "[" + "".join(f"{{name={column};type_v3=int64}};" for column in names) + "]")
    window.open(page_of(folder, "wide-rows", "diff wide-a.yson wide-b.yson --rows"), 390)
    visible = window.value("[...document.querySelectorAll('.bars tbody tr')].filter(row => row.checkVisibility())"
                           ".map(row => row.cells[0].textContent + ' ' + row.cells[1].textContent)")
    expect(len(visible) == 50 and visible[:2] == ["c59 3", "c0 1"], f"wide rows: {visible}")
    expect(window.value("document.querySelector('details summary').textContent") == "10 more columns", "wide rows: no fold")


def test_info(window: browser.Browser, folder: pathlib.Path) -> None:
    """On a phone, the facts of a file are inside the page; facts that no column has and problems that no file has take no column."""
    harness.write(folder / "facts.yson", "{id=1};", "[{name=id;type_v3=int64}]")
    harness.run("convert", "facts.yson", "facts.parquet", cwd=folder)
    window.open(page_of(folder, "facts", "info facts.parquet"), 390)
    expect(window.value("document.documentElement.scrollWidth") <= 390, "info: scrolls sideways")
    heads = window.value("[...document.querySelectorAll('.info th[scope=col]')].map(head => head.textContent)")
    expect(heads == ["column", "type", "nulls", "min", "max", "bytes"], f"info: {heads}")
    expect(window.value("document.querySelector('.info code').textContent") == "required int64", "info: a type with a name")
    expect(window.value("document.querySelector('.sum').getBoundingClientRect().right") <= 390, "info: facts are cut off")
