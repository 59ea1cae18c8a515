"""The Debian packages of a build, unpacked and tried.

They are unpacked into a folder, not installed: that would need root, and a machine to spare.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from tests import harness

BUILD, SOURCE = harness.BUILD, harness.ROOT
for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
    if shutil.which(tool) is None:
        harness.skip(f"no {tool} (tools/setup.sh test)")
WITH_PLUGIN = (BUILD / "libxwalk_parquet.so").exists()


def run(*words: object, folder: pathlib.Path | None = None, **environment: str) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=folder, timeout=300,
                          env={"PATH": os.environ["PATH"], **environment})
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class TestDebian:
    @classmethod
    def setup_class(cls) -> None:
        cls.folder = harness.make_folder("debian")
        run(SOURCE / "tools/dist.sh", "deb", BUILD, cls.folder / "out")
        cls.packages = {path.name.partition("_")[0]: path for path in (cls.folder / "out").glob("*.deb")}
        cls.root = cls.folder / "root"
        for package in cls.packages.values():
            run("dpkg-deb", "--extract", package, cls.root)
        cls.program = cls.root / "usr/bin/xwalk"

    def field(self, package: str, name: str) -> str:
        return run("dpkg-deb", "--field", self.packages[package], name).strip()

    def test_packages(self) -> None:
        assert os.listdir(self.root) == ["usr"]
        assert set(self.packages) == ({"xwalk", "xwalk-parquet"} if WITH_PLUGIN else {"xwalk"})
        version = run(self.program, "--version").split()[1]
        for package in self.packages:
            assert self.field(package, "Version") == f"{version}-1"
            assert re.search(r"libc6 \(>= 2\.\d+\)", self.field(package, "Depends"))
        depends = self.field("xwalk", "Depends")
        # The numbers are those of the Debian that the test runs on.
        for library in (r"libfmt\d+", r"libprotobuf-lite\d+\w*", r"libsimdjson\d+", r"libutf8proc\d+", "libzstd1", r"libstdc\+\+6"):
            assert re.search(rf"\b{library} \(>= ", depends), library
        if WITH_PLUGIN:
            assert f"xwalk (= {version}-1)" in self.field("xwalk-parquet", "Depends")

    def test_papers(self) -> None:
        for package in self.packages:
            docs = self.root / "usr/share/doc" / package
            assert "Apache-2.0" in (docs / "copyright").read_text()
            assert package in run("gzip", "-dc", docs / "changelog.Debian.gz")
            assert "Changelog" in run("gzip", "-dc", docs / "changelog.gz")
        assert '.TH' in run("gzip", "-dc", self.root / "usr/share/man/man1/xwalk.1.gz")
        for page in ("bash-completion/completions/xwalk", "zsh/site-functions/_xwalk",
                     "fish/vendor_completions.d/xwalk.fish"):
            assert (self.root / "usr/share" / page).stat().st_size > 1000, page

    def test_the_program_by_itself(self) -> None:
        assert "required int64 id" in run(self.program, "type", "Int64", "--from", "yt", "--to", "parquet") .replace("value", "id")
        work = self.folder / "work"
        work.mkdir()
        (work / "rows.yson").write_text('{a=1;t="x"};{a=2;t="y"};')
        run(self.program, "convert", "rows.yson", "rows.skiff", folder=work)
        if WITH_PLUGIN:
            run(self.program, "convert", "rows.skiff", "rows.parquet", folder=work)
            rows = run(self.program, "head", "rows.parquet", "--as", "json", folder=work)
            assert len(rows.splitlines()) == 2, rows
        told = subprocess.run([str(self.program), "convert", "rows.yson", "rows.lance"], cwd=work, text=True,
                              capture_output=True, env={"PATH": "/usr/bin:/bin"})
        if told.returncode != 0:  # pylance may be there
            assert "pip install" in told.stdout + told.stderr

    @pytest.mark.skipif(not WITH_PLUGIN, reason="the plugin is not built")
    @pytest.mark.parametrize("plugin, needed", [("parquet", ("arrow", "parquet")), ("stores", ("arrow", "arrow_s3"))])
    def test_the_plugin_brings_its_libraries(self, plugin, needed) -> None:
        libraries = run("ldd", next(self.root.glob(f"usr/lib/**/libxwalk_{plugin}.so")))
        for library in needed:
            (place,) = re.findall(rf"lib{library}\.so\S* => (\S+)", libraries)
            assert pathlib.Path(place).is_relative_to(self.root), libraries

    def test_no_foreign_path(self) -> None:
        for path in sorted(self.root.rglob("*")):
            if path.is_symlink() or not path.is_file() or path.read_bytes()[:4] != b"\x7fELF":
                continue
            dynamic = run("readelf", "--dynamic", "--wide", path)
            for paths in re.findall(r"\(RU?N?PATH\).*\[(.*)\]", dynamic):
                assert paths == "$ORIGIN", path
            assert ".symtab" not in run("readelf", "--sections", "--wide", path), path

    def test_the_libraries(self) -> None:
        """A program in C is made with what the package holds, and runs."""
        pkg_config = next(self.root.glob("usr/lib/**/pkgconfig"))
        flags = run("pkg-config", "--cflags", "--libs", "xwalk", PKG_CONFIG_PATH=str(pkg_config)).split()
        example = self.folder / "schema"
        run("cc", "-std=c11", SOURCE / "examples/c/schema.c", "-o", example, *flags)
        done = subprocess.run([str(example), "lance"], input="[{name=id;type=int64}]", text=True, capture_output=True,
                              env={"LD_LIBRARY_PATH": str(pkg_config.parent)})
        assert done.returncode == 0, done.stderr
        assert "int64" in done.stdout
        assert (self.root / "usr/include/xwalk/xwalk.hpp").exists()
        assert not (self.root / "usr/include/xwalk/skiff/table_decoder.h").exists()
        assert list(self.root.glob("usr/lib/**/libxwalk-static.a"))
