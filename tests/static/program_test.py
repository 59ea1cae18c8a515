"""The statically linked program."""

from __future__ import annotations

import pathlib
import shutil
import subprocess
import tempfile

import pytest

from tests import harness

STATIC, DYNAMIC, TESTS = harness.needs("static/xwalk"), harness.PROGRAM, harness.ROOT / "tests"


def run(program: pathlib.Path | str, *words: str, folder: str | None = None) -> subprocess.CompletedProcess[str]:
    # No environment: it needs no PATH, no library path and no locale.
    return subprocess.run([str(program), *words], capture_output=True, text=True, cwd=folder, env={}, timeout=60)


class TestStatic:
    def test_no_shared_library(self) -> None:
        headers = subprocess.run(["readelf", "--program-headers", "--dynamic", "--wide", str(STATIC)],
                                 capture_output=True, text=True, check=True).stdout
        assert "INTERP" not in headers
        assert "NEEDED" not in headers
        told = subprocess.run(["ldd", str(STATIC)], capture_output=True, text=True)
        assert "not a dynamic executable" in told.stdout + told.stderr

    @pytest.mark.parametrize("words", [["types", "--output", "json"], ["--version"]])
    def test_every_type_is_the_same(self, words) -> None:
        assert run(STATIC, *words).stdout == run(DYNAMIC, *words).stdout

    def test_schemas_of_real_files(self) -> None:
        samples = [path for path in sorted((TESTS / "samples").rglob("*"))
                   if path.suffix in (".parquet", ".vortex", ".arrow", ".lance") and path.is_file()]
        assert len(samples) > 3
        for sample in samples:
            mine, other = (run(program, "schema", str(sample), "--to", "yt") for program in (STATIC, DYNAMIC))
            assert (mine.stdout, mine.returncode) == (other.stdout, other.returncode), sample

    def test_rows(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "rows.yson")
            rows.write_text('{a=1;t="x"};{a=2;t="\\u0416"};' * 1000)
            names = ["rows.yson", "rows.skiff", "back.yson.zst", "again.yson.gz", "end.yson"]
            for before, after in zip(names, names[1:]):
                done = run(STATIC, "convert", before, after, folder=folder)
                assert done.returncode == 0, done.stderr
            assert (run(STATIC, "head", "end.yson", "-n", "2", "--as", "json", folder=folder).stdout
                    == run(DYNAMIC, "head", "rows.yson", "-n", "2", "--as", "json", folder=folder).stdout)

    def test_in_a_root_without_any_library(self) -> None:
        """As on a system with another C library, or none: the root has the program and its input alone."""
        with tempfile.TemporaryDirectory() as root:
            shutil.copy(STATIC, pathlib.Path(root, "xwalk"))
            pathlib.Path(root, "rows.yson").write_text("{a=1};{a=2};")
            inside = ["/usr/bin/unshare", "--map-root-user", "/usr/sbin/chroot", root, "/xwalk"]
            if run(*inside, "--version").returncode != 0:
                pytest.skip("this user may not change the root")
            assert run(*inside, "convert", "rows.yson", "rows.skiff").returncode == 0
            assert run(*inside, "head", "rows.skiff", "--as", "json").stdout == '{"a":1}\n{"a":2}\n'
            shown = run(*inside, "schema", "rows.skiff", "--to", "lance").stdout
            assert shown == run(STATIC, "schema", f"{root}/rows.skiff", "--to", "lance").stdout != ""

    def test_what_it_cannot_do_is_one_sentence(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "rows.yson").write_text("{a=1};")
            for name in ("rows.parquet", "rows.arrow"):
                done = run(STATIC, "convert", "rows.yson", name, folder=folder)
                assert done.returncode == 4, done
                assert "this statically linked xwalk cannot load" in done.stderr
                assert not pathlib.Path(folder, name).exists()
