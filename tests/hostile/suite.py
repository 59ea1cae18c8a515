"""The hostile-input suite: python suite.py XWALK [--extension FILE] [--group N] [--only NAME] [--list] [--table]

Each attack on xwalk that is known is a named case: an input that code makes, the commands that meet it, the exit codes that are
right, a bound of memory and of processor time, and what may be in the output and in the folder afterwards.
README.md describes how to add a case.
"""
import argparse
import pathlib
import sys
import tempfile

import attacks  # noqa: F401  registers the cases
from case import CASES, Here, Skip, run_case

#: Cases that fail, and why. A case that passes must leave this list.
KNOWN = {
}


def arguments():
    parser = argparse.ArgumentParser(description="Runs the named cases of hostile input.")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--extension", type=pathlib.Path, help="the DuckDB extension, for the cases of group 8")
    parser.add_argument("--group", help="the cases of one point, such as 8a")
    parser.add_argument("--only", action="append", metavar="NAME", help="a case, or the beginning of its name; repeatable")
    parser.add_argument("--list", action="store_true", help="print the cases and do not run them")
    parser.add_argument("--table", action="store_true", help="print a Markdown table of what was measured")
    return parser.parse_args()


def chosen(given):
    found = [one for one in sorted(CASES.values(), key=lambda one: one.order) if given.group in (None, one.group)
             and (not given.only or any(one.name.startswith(name) for name in given.only))]
    if not found:
        sys.exit("no case has that name; --list prints all")
    return found


def ran(one, given):
    """Returns the commands of a case with their figures, its problems, and why it was skipped."""
    with tempfile.TemporaryDirectory(prefix="xwalk-hostile-") as scratch:
        here = Here(pathlib.Path(scratch).resolve(), given.program.resolve(), given.extension and given.extension.resolve(), sys.executable)
        try:
            return run_case(one, here), here.problems, None
        except Skip as skip:
            return [], [], str(skip)


def row(name, runs, state):
    codes = ", ".join(str(code) for code in dict.fromkeys(done.code for _, done in runs))
    return (f"| `{name}` | {len(runs)} | {max(done.memory for _, done in runs):.0f} MB | "
            f"{sum(done.seconds for _, done in runs):.2f} s | {codes} | {state} |")


def main():
    given = arguments()
    cases = chosen(given)
    if given.list:
        width = max(len(one.name) for one in cases)
        print("\n".join(f"{one.name:{width}}  {one.about}" for one in cases))
        return 0
    if given.table:
        print("| case | commands | peak memory | processor time | exit codes | |\n|---|---:|---:|---:|---|---|")
    failed = skipped = 0
    total = 0.0
    for one in cases:
        runs, problems, reason = ran(one, given)
        total += sum(done.seconds for _, done in runs)
        if reason is not None:
            skipped += 1
            print(f"SKIPPED {one.name}: {reason}" if not given.table else f"| `{one.name}` | | | | | skipped: {reason} |", flush=True)
            continue
        if one.name in KNOWN:
            state = "known" if problems else "passes, but is listed as known"
            problems = [] if problems else [f"{one.name} passes: remove it from KNOWN"]
        else:
            state = "failed" if problems else "passed"
        failed += bool(problems)
        print(row(one.name, runs, state) if given.table else f"{state:8} {one.name}", flush=True)
        for problem in problems:
            print(f"  {problem}", file=sys.stderr, flush=True)
    print(f"\n{len(cases)} cases, {failed} failed, {skipped} skipped, {total:.0f} s of processor time")
    return 1 if failed else 77 if skipped == len(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
