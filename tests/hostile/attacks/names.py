"""Names and texts that a terminal, a browser or a spreadsheet would obey (point 6)."""
from case import case


@case("6.terminal-names")
def names(here):
    """Every verb in every form of output shows names of files and columns with escapes."""
    yield here.tests("io/names_test.py")


@case("6.csv-formulas")
def formulas(here):
    """Cells that a spreadsheet would run begin with an apostrophe if the user asks for it."""
    cells = ["=1+1", "+1", "-1", "@SUM(A1)", "plain", "'=1"]
    here.write("cells.jsonl", "".join(f'{{"cell":"{cell}","number":-5}}\n' for cell in cells))
    done = yield here.xwalk("convert", "cells.jsonl", "-", "--to", "csv", "--csv-formulas", "escape", "-q")
    found = [line.rsplit(",", 1) for line in done.stdout.splitlines()[1:]]
    here.expect(all(number == "-5" for *_, number in found), "numbers", done.stdout)
    here.expect(len(found) == len(cells) and not any(cell[0].strip('"')[:1] in ("=", "+", "-", "@") for cell in found), done.stdout)
    done = yield here.xwalk("convert", "cells.jsonl", "-", "--to", "csv", "-q")
    here.expect("=1+1" in done.stdout, "without the option text stays as it is", done.stdout)
