"""What a release is protected by, and where an installed one looks for libraries."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import pytest

from tests import harness

if shutil.which("readelf") is None:
    harness.skip("no readelf (apt: binutils)")
BUILD = harness.BUILD
FILES = [path for pattern in ("xwalk", "libxwalk_*.so", "xwalk.duckdb_extension", "python/xwalk/_xwalk*.so") for path in BUILD.glob(pattern)]


def said(*words: object) -> str:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


def is_elf(path: pathlib.Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


class TestHardening:
    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
    def test_of_a_file(self, path) -> None:
        facts = said("readelf", "-W", "--segments", "--dynamic", path)
        assert "GNU_RELRO" in facts
        assert re.search(r"BIND_NOW|\(FLAGS_1\).*NOW", facts), "functions are resolved late"
        assert not re.search(r"GNU_STACK.* RWE", facts), "the stack is executable"
        assert "__stack_chk_fail" in said("readelf", "-W", "--dyn-syms", path)

    def test_calls_of_the_c_library_are_checked(self) -> None:
        assert re.search(r"__(?:\w+)_chk@", said("readelf", "-W", "--dyn-syms", BUILD / "xwalk").replace("__stack_chk_fail", ""))


class TestInstalled:
    @classmethod
    def setup_class(cls) -> None:
        cls.root = harness.make_folder("installed")
        said("cmake", "--install", BUILD, "--prefix", cls.root)

    def test_no_library_is_looked_for_in_a_folder_of_the_build(self) -> None:
        files = [path for path in self.root.rglob("*") if is_elf(path)]
        assert any(path.name == "libxwalk_parquet.so" for path in files)
        for path in files:
            for found in re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", said("readelf", "-W", "--dynamic", path)):
                assert all(one.startswith("$ORIGIN") for one in found.split(":")), f"{path.name}: {found}"

    def test_it_converts(self) -> None:
        rows = self.root / "rows.jsonl"
        rows.write_text('{"id":1}\n')
        xwalk = self.root / "bin/xwalk"
        said(xwalk, "convert", "-q", rows, self.root / "rows.parquet")
        assert said(xwalk, "head", "--as", "json", self.root / "rows.parquet") == '{"id":1}\n'
