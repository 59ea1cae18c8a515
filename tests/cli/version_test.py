"""`xwalk --version -v` lists what the program was built with."""
import re

import pytest

from tests import harness


@pytest.mark.parametrize("words", [("--version", "-v"), ("version", "--verbose")])
def test_version(words):
    lines = harness.run(*words).stdout.splitlines()
    assert lines[0] == harness.run("--version").stdout.strip()
    found = dict(re.split(r": +", line, maxsplit=1) for line in lines[1:])
    assert list(found) == ["compiler", "libraries", "rows", "plugin"]
    assert re.fullmatch(r"(GCC|Clang) \d+\.\d+.*, Linux on \w+", found["compiler"])
    libraries = dict(library.split(" ") for library in found["libraries"].split(", "))
    assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in libraries.values()), libraries
    build = (harness.ROOT / "cmake/XwalkDependencies.cmake").read_text()
    linked = set(re.findall(r"^ *xwalk_find\((\w+)", build, re.M)) - {"CURL", "GTest"} | {"utf8proc", "nanoarrow"}
    assert set(libraries) == linked
    assert {"yson", "skiff", "parquet", "lance", "vortex", "arrow", "iceberg"} <= set(found["rows"].split(", "))
    assert not harness.WITH_PLUGIN or re.fullmatch(r"xwalk-parquet \S+ \(Arrow .*\)", found["plugin"])
