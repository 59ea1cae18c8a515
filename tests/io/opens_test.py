"""Counts how often a conversion opens its input and starts an engine: once each. Files of Lance and Vortex are opened by
their engine, too, so only the starts of the engine are counted."""

import pathlib
import re
import shutil
import subprocess

import pytest

from tests import harness

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


def trace(folder: pathlib.Path, *words: str) -> tuple[dict[str, int], int]:
    """Runs the program and returns how often each file of the folder was opened, and how many engines were started."""
    log = folder / "trace"
    done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat,open,execve", "-o", log, harness.PROGRAM, *words, "-q"],
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


@pytest.fixture(scope="module")
def folder():
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    made = harness.make_folder("opens")
    (made / "in.yson").write_text("".join('{id=%d;name="n%d";price=%d.5};\n' % (i, i, i) for i in range(1000)))
    (made / "in.yson.schema").write_text(SCHEMA)
    for form in FORMATS[1:]:
        harness.run("convert", "in.yson", f"in.{form}", "-q", cwd=made)
    return made


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", ["parquet", "yson"])
@pytest.mark.parametrize("form", FORMATS)
def test_conversion(folder, form, target, way):
    if way == "schema" and target != "yson":
        pytest.skip("--to-schema is for tables of YTsaurus")
    opened, engines = trace(folder, "convert", f"in.{form}", f"out.{target}", "--overwrite", *WAYS[way])
    expected = 1 if form in ("lance", "vortex") else 0
    assert expected or opened.get(f"in.{form}", 0) == 1
    assert engines == expected


@pytest.mark.parametrize("form, engine", [("yson", 0), ("skiff", 0), ("lance", 1)])
def test_append(folder, form, engine):
    """The output is looked at once, and its engine is started once."""
    harness.run("convert", "in.parquet", f"more.{form}", "-q", cwd=folder)
    opened, engines = trace(folder, "convert", "in.yson", f"more.{form}", "--mode", "append")
    assert opened.get("in.yson") == 1
    assert engines == engine
