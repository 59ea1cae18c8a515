#!/usr/bin/env python3
"""Counts how often a conversion opens its input and starts an engine: once each. Files of Lance and Vortex are opened by
their engine, too, so only the starts of the engine are counted.

Usage: opens.py XWALK. Needs strace; without it, or without the packages of the engines, nothing is counted (77).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FORMATS = ("yson", "json", "skiff", "parquet", "arrow", "lance", "vortex")
WAYS = {
    "plain": [],
    "select": ["--select", "id,price"],
    "pattern": ["--select", "p*"],
    "exclude": ["--exclude", "price"],
    "schema": ["--to-schema", "[{name=id;type=int64};{name=name;type=utf8};{name=price;type=double}]"],
}
SCHEMA = "[{name=id;type=int64;required=%true};{name=name;type=utf8};{name=price;type=double}]"
OPENED = re.compile(r'^(\d+)\s+open(?:at)?\((?:[^",]+, )?"([^"]*)"')


def trace(program: str, folder: pathlib.Path, *words: str) -> tuple[dict[str, int], int]:
    """Runs the program and returns how often each file of the folder was opened, and how many engines were started."""
    log = folder / "trace"
    done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat,open,execve", "-o", log, program, *words, "-q"],
                          cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (words, done.stderr)
    opened: dict[str, int] = {}
    engines = 0
    for line in log.read_text().splitlines():
        if "= -1" in line:
            continue
        engines += "execve(" in line and "xwalk-engine-" in line
        found = OPENED.match(line)
        if found is None or "O_DIRECTORY" in line:
            continue
        name = found[2].removeprefix(f"{folder}/")
        # A program in a folder of packages may have any name; those of ours are relative or below the folder.
        if not name.startswith("/"):
            opened[name] = opened.get(name, 0) + 1
    return opened, engines


def main() -> int:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if shutil.which("strace") is None:
        print("no strace")
        return 77
    problems: list[str] = []
    cases = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "in.yson").write_text("".join('{id=%d;name="n%d";price=%d.5};\n' % (i, i, i) for i in range(1000)))
        (folder / "in.yson.schema").write_text(SCHEMA)
        for form in FORMATS[1:]:
            subprocess.run([program, "convert", "in.yson", f"in.{form}", "-q"], cwd=folder, check=True)
        for form in FORMATS:
            for target in ("parquet", "yson"):
                for way, words in WAYS.items():
                    if way == "schema" and target != "yson":
                        continue
                    opened, engines = trace(program, folder, "convert", f"in.{form}", f"out.{target}", "--overwrite", *words)
                    cases += 1
                    times = opened.get(f"in.{form}", 0)
                    expected = 1 if form in ("lance", "vortex") else 0
                    if not expected and times != 1:
                        problems.append(f"{form} to {target}, {way}: opened {times} times")
                    if engines != expected:
                        problems.append(f"{form} to {target}, {way}: {engines} engines, expected {expected}")
        # Rows that are added: the output is looked at once, and its engine is started once.
        for form, engine in (("yson", 0), ("skiff", 0), ("lance", 1)):
            subprocess.run([program, "convert", "in.parquet", f"more.{form}", "-q"], cwd=folder, check=True)
            opened, engines = trace(program, folder, "convert", "in.yson", f"more.{form}", "--mode", "append")
            cases += 1
            if opened.get("in.yson") != 1:
                problems.append(f"append to {form}: input opened {opened.get('in.yson')} times")
            if engines != engine:
                problems.append(f"append to {form}: {engines} engines, expected {engine}")
    print("\n".join(problems))
    print(f"{cases} conversions, {len(problems)} problems")
    return 1 if problems or cases < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
