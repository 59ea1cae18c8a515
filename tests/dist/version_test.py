"""One version, that of project() in CMakeLists.txt, wherever a version is shown."""

from __future__ import annotations

import re
import subprocess

import pytest

from tests import harness

BUILD, SOURCE = harness.BUILD, harness.ROOT
VERSION = re.search(r"^project\(xwalk VERSION (\d+\.\d+\.\d+)", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]
MINOR = VERSION.rpartition(".")[0]


def said(*words: object) -> str:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout


class TestVersion:
    def test_programs(self) -> None:
        assert said(BUILD / "xwalk", "--version").split()[1] == VERSION
        for engine in ("lance", "vortex"):
            assert f" {VERSION} (" in said(BUILD / f"xwalk-engine-{engine}", "--version")

    def test_packages(self) -> None:
        assert f"Version: {VERSION}\n" in (BUILD / "xwalk.pc").read_text()
        assert f'set(PACKAGE_VERSION "{VERSION}")' in (BUILD / "xwalk-config-version.cmake").read_text()
        assert f'set(CPACK_PACKAGE_VERSION "{VERSION}")' in (BUILD / "CPackConfig.cmake").read_text()

    @pytest.mark.parametrize("page", ["docs/how-to/install.md", "docs/reference/c.md", "docs/reference/cpp.md",
                                      "src/xwalk/c/README.md", "tests/consumer/CMakeLists.txt", "examples/cpp/CMakeLists.txt"])
    def test_pages_ask_for_it(self, page) -> None:
        asked = re.findall(r"find_package\(xwalk (\d[\d.]*)", (SOURCE / page).read_text())
        assert set(asked) == {MINOR}, page

    def test_changelog(self) -> None:
        """It begins with this version, or with what comes after all that were released."""
        headings = re.findall(r"^## \[([^]]+)\]", (SOURCE / "CHANGELOG.md").read_text(), re.M)
        released = [tuple(map(int, heading.split("."))) for heading in headings if heading != "Unreleased"]
        assert released == sorted(released, reverse=True)
        current = tuple(map(int, VERSION.split(".")))
        if headings[0] == "Unreleased":
            assert not released or released[0] <= current
        else:
            assert released[0] == current

    def test_nowhere_else(self) -> None:
        """No other file of the program says it by itself."""
        for path in sorted((SOURCE / "src").rglob("*")):
            if path.is_file() and path.suffix in (".cc", ".py", ".in", ".txt", ".cmake"):
                assert f'"{VERSION}"' not in path.read_text(), path
