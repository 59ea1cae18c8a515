"""The HTML reports in a real headless Chromium: side by side on a desk, stacked on a phone, filtered
without scripts, searched with them, and never running what stands in a name.

usage: report_page_test.py XWALK DATA

Screenshots go to XWALK_SCREENSHOTS, if that names a folder.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import browser  # noqa: E402
import report_cases  # noqa: E402

SYSTEMS = ["yt", "skiff", "lance", "vortex", "arrow"]
LINES = """[...document.querySelectorAll('.n>.line')].map(line => {
  const box = selector => line.querySelector(selector).getBoundingClientRect();
  const left = box('.left'), right = box('.right'), pill = box('.pill'), all = line.getBoundingClientRect();
  return {shown: all.height > 0, words: line.querySelector('.pill').textContent,
          left: [left.left, left.right, left.top], right: [right.left, right.right, right.top],
          pill: [pill.left, pill.right, pill.top, pill.bottom], top: all.top, bottom: all.bottom,
          colour: getComputedStyle(line.querySelector('.pill')).borderTopColor + getComputedStyle(line.querySelector('.join')).color}})"""


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, condition, what: str) -> None:
        self.passed += bool(condition)
        if not condition:
            print(f"FAILED: {what}")
            self.failed += 1


def look(window: browser.Browser, page: pathlib.Path, checks: Checks, shots) -> None:
    name = page.stem
    colours: dict[str, set[str]] = {}
    for width, dark in ((1280, False), (390, False), (1280, True), (390, True)):
        where = f"{name} at {width} px{', dark' if dark else ''}"
        window.open(page, width, scripts=False, dark=dark)
        if shots:
            window.screenshot(shots / f"{name}-{width}{'-dark' if dark else ''}.png")
        checks.expect(window.value("document.documentElement.scrollWidth") <= width,
                      f"{where}: scrolls sideways")
        lines = window.value(LINES)
        checks.expect(lines and all(line["shown"] for line in lines), f"{where}: lines are hidden")
        for line in lines:
            # Partners stand on one line, the verdict between them; on a phone below each other.
            if width > 800:
                ok = (abs(line["left"][2] - line["right"][2]) < 1
                      and line["left"][1] <= line["pill"][0] and line["pill"][1] <= line["right"][0])
            else:
                ok = line["pill"][1] <= width and line["pill"][0] >= line["left"][0]
            ok = ok and line["top"] <= line["pill"][2] and line["pill"][3] <= line["bottom"]
            if not ok:
                checks.expect(False, f"{where}: a line is not laid out: {line}")
                break
            if width > 800 and not dark:
                colours.setdefault(line["words"], set()).add(line["colour"].split("rgb")[-1])
        else:
            checks.passed += 1
        background = window.value("getComputedStyle(document.body).backgroundColor")
        checks.expect((background == "rgb(246, 247, 249)") != dark, f"{where}: {background}")
    stored = colours.pop("stored as", set())
    checks.expect(all(len(used) == 1 for used in colours.values()), f"{name}: colours {colours}")
    checks.expect(len(set.union(set(), *colours.values())) == len(colours),
                  f"{name}: two verdicts share a colour: {colours} {stored}")

    filters(window, page, checks)
    window.open(page, 1280, scripts=True)
    checks.expect(not window.complaints(), f"{name}: {window.complaints()}")
    checks.expect(window.value("window.hacked") is None, f"{name}: a name was run as a script")
    search(window, page, checks)


def shown(window: browser.Browser) -> int:
    return window.value("[...document.querySelectorAll('.n>.line')].filter(line => "
                        "line.checkVisibility()).length")


def filters(window: browser.Browser, page: pathlib.Path, checks: Checks) -> None:
    """Without scripts: each chip hides its lines, but those that hold others which stay."""
    window.open(page, 1280, scripts=False)
    checks.expect(window.value("document.querySelector('.find').getBoundingClientRect().height") == 0,
                  f"{page.stem}: a search box that cannot search")
    everything = shown(window)
    grades = window.value("[...document.querySelectorAll('.pick')].map(pick => pick.id.slice(1))")
    for grade in grades:
        own = window.value(f"document.querySelectorAll('.h{grade}').length")
        alone = window.value(
            f"[...document.querySelectorAll('.n')].filter(n => n.classList.contains('h{grade}') && "
            "![...n.classList].some(c => /^h\\d$/.test(c) && c !== 'h" + grade + "')).length")
        window.click(f".f{grade}")
        checks.expect(own >= alone >= 0 and shown(window) == everything - alone,
                      f"{page.stem}: filter {grade} leaves {shown(window)} of {everything}, not "
                      f"{everything - alone}")
        window.click(f".f{grade}")
    checks.expect(shown(window) == everything, f"{page.stem}: filters do not come back")
    window.value("1")
    # A parent folds what it holds.
    if window.value("document.querySelectorAll('details.n').length"):
        inside = window.value("document.querySelector('details.n').querySelectorAll('.n').length")
        window.click("details.n>summary .fold")
        checks.expect(shown(window) == everything - inside, f"{page.stem}: a tree does not fold")


def search(window: browser.Browser, page: pathlib.Path, checks: Checks) -> None:
    everything = shown(window)
    word = window.value("[...document.querySelectorAll('.n>.line .name')].pop().textContent")
    window.type(".find input", word.upper())
    checks.expect(0 < shown(window) <= everything, f"{page.stem}: search finds nothing of {word}")
    window.type(".find input", "no such words anywhere")
    checks.expect(shown(window) == 0, f"{page.stem}: search finds what is not there")


def pages(program: str, data: pathlib.Path, folder: pathlib.Path):
    report_cases.write_all(folder)
    commands = {f"nested-{system}": ["check", "nested.schema", "--from", "yt", "--to", system]
                for system in ("parquet", "vortex")}
    commands["names"] = ["check", "names.schema", "--from", "yt", "--to", "parquet"]
    commands["diff"] = ["diff", "nested.schema", "later.schema", "--from", "yt"]
    commands["compat"] = ["compat", "nested.schema", "later.schema", "--from", "yt", "--mode", "full"]
    flights = data / "flights-3m.parquet"
    if flights.exists():
        for system in SYSTEMS:
            commands[f"flights-{system}"] = ["check", str(flights.resolve()), "--to", system]
    else:
        print(f"skipped: flights-3m.parquet, no real files in {data} (tools/setup.sh demo)")
    for name, command in commands.items():
        done = subprocess.run([program, *command, "--output", "html"], cwd=folder,
                              capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")
        page = folder / f"{name}.html"
        page.write_bytes(done.stdout)
        yield page


def main() -> int:
    chromium = browser.find()
    if chromium is None:
        print(f"skipped: no Chromium ({', '.join(browser.NAMES)}) on the path")
        return 77
    shots = os.environ.get("XWALK_SCREENSHOTS")
    shots = pathlib.Path(shots) if shots else None
    if shots:
        shots.mkdir(parents=True, exist_ok=True)
    checks = Checks()
    program = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder, browser.Browser(chromium, 300) as window:
        for page in pages(program, pathlib.Path(sys.argv[2]), pathlib.Path(folder)):
            look(window, page, checks, shots)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
