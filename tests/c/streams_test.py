"""Streams of the C interface in arrow-rs and arrow-go: both move a stream when they import it. A watch counts rejected rows, errors have
their place, and code that collects errors ends. The programs of the folder `streams` are skipped without Rust or Go, or if their
packages cannot be fetched.
"""
import os
import pathlib
import shutil
import subprocess

import pytest

from tests import harness
from tests.harness import BUILD, ROOT

LIBRARY = harness.needs("libxwalk.so")
SOURCES = pathlib.Path(__file__).resolve().parent / "streams"
if b"__asan_init" in LIBRARY.read_bytes():
    harness.skip("other languages do not load a library with the address sanitizer")
#: How often a stream repeats its error, and the first time.
MOST_ERRORS = 101


def built(word, fetch, build, program, **variables):
    """Builds a program, which its tool does again only if a source has changed."""
    if shutil.which(word) is None:
        pytest.skip(f"there is no {word} on the PATH")
    environment = {**os.environ, **variables}
    fetched = subprocess.run([word, *fetch], cwd=SOURCES / program, env=environment, capture_output=True, text=True, timeout=300)
    if fetched.returncode != 0:
        pytest.skip(f"the packages of {word} cannot be fetched: {fetched.stderr.strip()[-300:]}")
    subprocess.run([word, *build], cwd=SOURCES / program, env=environment, check=True)


@pytest.fixture(scope="module", params=["rust", "go"])
def program(request):
    if request.param == "rust":
        target = BUILD / "tests" / "streams-rust"
        linking = ["-L", f"native={BUILD}", "-l", "dylib=xwalk", "-C", f"link-arg=-Wl,-rpath,{BUILD}"]
        built("cargo", ["fetch", "--locked"], ["rustc", "--release", "--locked", "--quiet", "--", *linking], "rust", CARGO_TARGET_DIR=str(target))
        return target / "release" / "xwalk-streams"
    target = BUILD / "tests" / "streams-go"
    built("go", ["mod", "download"], ["build", "-o", str(target), "."], "go", GOTOOLCHAIN="local", GOFLAGS="-mod=readonly -buildvcs=false",
          CGO_CFLAGS=f"-I{ROOT / 'src/xwalk/c'}", CGO_LDFLAGS=f"-L{BUILD} -lxwalk -Wl,-rpath,{BUILD}")
    return target


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """A file of 1,000 rows, of which 10 are bad."""
    text = "".join(f"{{a={'x' if i % 100 == 50 else i}}};\n" for i in range(1000))
    return harness.write(tmp_path_factory.mktemp("streams") / "rows.yson", text, "[{name=a;type=int64}]")


def met(program, way, rows, options):
    said = harness.run(way, rows, options, program=program, timeout=120).stdout
    return dict(line.split(": ", 1) for line in said.splitlines() if ": " in line)


@pytest.mark.parametrize("way", ["all", "moved", "threads"])
def test_rejected_rows_are_counted(program, rows, way):
    found = met(program, way, rows, '{"on_error": "skip", "batch_rows": 64}')
    assert (found["rows"], found["errors"], found["rejected"], found["watched"]) == ("990", "0", "10", "")


@pytest.mark.parametrize("way", ["all", "moved", "threads"])
def test_an_error_has_its_place_and_ends(program, rows, way):
    found = met(program, way, rows, '{"batch_rows": 16}')
    assert 1 <= int(found["errors"]) <= MOST_ERRORS and int(found["rows"]) < 1000
    for text in (found["error"], found["watched"]):
        assert f"{rows}:51:4" in text and "row 50" in text and "expected int64, found string" in text, text
    assert found["watched"].split("|")[1:] == found["error"].split("|")[1:]  # the line with its caret, and the row


@pytest.mark.parametrize("way", ["early", "twice"])
def test_a_stream_that_is_released_early(program, rows, way):
    found = met(program, way, rows, '{"on_error": "skip", "batch_rows": 64}')
    assert found["errors"] == "0" and 0 <= int(found["rejected"]) <= 10
    assert 0 < int(found["rows"]) < 990 if way == "early" else found["rows"] == "0"


def test_options_that_are_no_json(program, rows):
    said = met(program, "all", rows, "{on_error: skip}")["refused"]
    assert "expected" in said and "json.exception" not in said, said
