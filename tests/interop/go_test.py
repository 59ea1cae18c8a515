"""Files that arrow-go and parquet-go write are read by xwalk, and those of xwalk by them: random types of depth 3, random values.

The Go program of the folder `go` makes tables, and shows what it reads as text. xwalk converts its files, to other formats and
back, and the text must stay the same. The test is skipped if there is no Go, or if its modules cannot be
fetched.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

import pytest

from tests import harness

XWALK = harness.PROGRAM
PROGRAM = harness.BUILD / "tests" / "interop-go"
SOURCE = pathlib.Path(__file__).resolve().parent / "go"
SEEDS = range(24)
#: How each format is written from the others: page versions, codecs and dictionaries differ by seed.
STEPS = (("parquet", "arrow"), ("arrow", "parquet"), ("arrows", "parquet"), ("parquet", "parquet"), ("parquet", "arrows"),
         ("arrow", "arrows"))
#: Formats between two files that Go reads. Their types are fewer, so the columns whose type is the same are compared.
BETWEEN = ("yson", "bin.yson", "skiff")


def build() -> None:
    """Builds the program, which Go does again only if a source has changed."""
    go = shutil.which("go")
    if go is None:
        harness.skip("there is no Go on the PATH")
    # Another toolchain than the installed one is not fetched.
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly -buildvcs=false"}
    fetched = subprocess.run([go, "mod", "download"], cwd=SOURCE, env=environment, capture_output=True, text=True, timeout=300)
    if fetched.returncode != 0:
        harness.skip(f"the Go modules cannot be fetched: {fetched.stderr.strip()[-300:]}")
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([go, "build", "-o", PROGRAM, "."], cwd=SOURCE, env=environment, check=True)


def run(*words: object) -> None:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: exit {done.returncode}: {done.stderr}")


def columns(path: pathlib.Path) -> dict[str, list[str]]:
    """Returns the values of each column by its name and type."""
    found: dict[str, list[str]] = {}
    for line in path.read_text().splitlines():
        # A value never begins with the name of a column: text is quoted, and hexadecimal digits end with a dot.
        if line.startswith("c") and ": " in line:
            values = found.setdefault(line, [])
        else:
            values.append(line)
    return found


class TestGo:
    @classmethod
    def setup_class(cls) -> None:
        build()
        cls.here = harness.make_folder("go")
        for seed in SEEDS:
            run(PROGRAM, "make", seed, cls.here / str(seed))

    def text_of(self, path: pathlib.Path) -> pathlib.Path:
        return path.with_name(path.name + ".txt")

    def test_go_reads_its_own_files(self) -> None:
        made = [self.here / f"{seed}.{form}" for seed in SEEDS for form in ("parquet", "arrow", "arrows")]
        run(PROGRAM, "read", *made)
        for path in made:
            assert self.text_of(path).read_text() == path.with_suffix(".txt").read_text(), path.name

    @pytest.mark.parametrize("seed", SEEDS)
    def test_every_value_arrives(self, seed) -> None:
        written = []
        for source, target in STEPS:
            written.append(self.here / f"{seed}-from-{source}.{target}")
            run(XWALK, "convert", self.here / f"{seed}.{source}", written[-1], "-q", "--overwrite")
        run(PROGRAM, "read", *written)
        expected = (self.here / f"{seed}.txt").read_text()
        for path in written:
            assert self.text_of(path).read_text() == expected, path.name

    def test_rows_between(self) -> None:
        compared = dict.fromkeys(BETWEEN, 0)
        for seed in SEEDS[::4]:
            expected = columns(self.here / f"{seed}.txt")
            for form in BETWEEN:
                between, back = self.here / f"{seed}.{form}", self.here / f"{seed}-{form}.parquet"
                run(XWALK, "convert", self.here / f"{seed}.arrow", between, "-q")
                run(XWALK, "convert", between, back, "-q")
                run(PROGRAM, "read", back)
                found = columns(self.text_of(back))
                assert len(found) == len(expected), back.name
                for column in found.keys() & expected.keys():
                    compared[form] += 1
                    assert found[column] == expected[column], f"{back.name}: {column}"
        for form, count in compared.items():
            assert count > 20, form


    @pytest.mark.parametrize("seed", SEEDS)
    def test_another_writer(self, seed) -> None:
        """parquet-go has repeated fields without a LIST, delta encodings and split floats."""
        stem = self.here / f"segment{seed}"
        run(PROGRAM, "make-segment", seed, stem)
        source, arrow, back = (stem.with_suffix(suffix) for suffix in (".parquet", ".arrow", ".back.parquet"))
        run(XWALK, "convert", source, arrow, "-q")
        # Its own pages in LZ4_RAW are among those that parquet-go 0.32 does not read.
        run(XWALK, "convert", source, back, "-q", "--compression", "zstd")
        run(PROGRAM, "read", arrow)
        run(PROGRAM, "read-segment", seed, back)
        expected = stem.with_suffix(".txt").read_text()
        assert self.text_of(arrow).read_text() == expected, source.name
        assert back.with_name(back.name + ".segment.txt").read_text() == expected, back.name
