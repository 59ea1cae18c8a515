"""Builds the bindings, and runs their tests and examples: skipped without Rust or Go, or if their packages cannot be fetched."""
import hashlib
import os
import shutil
import subprocess

import pytest

from tests import harness
from tests.harness import BUILD, ROOT

LIBRARY = harness.needs("libxwalk.so")
if b"__asan_init" in LIBRARY.read_bytes():
    harness.skip("other languages do not load a library with the address sanitizer")


def tool(word, folder, fetch, **variables):
    """Returns a function that runs a tool in the folder of a binding and returns its output, after its packages were fetched."""
    if shutil.which(word) is None:
        pytest.skip(f"there is no {word} on the PATH")
    environment = {name: value for name, value in os.environ.items() if name != "XWALK_LIB_DIR"}
    environment.update(variables, LD_LIBRARY_PATH=str(BUILD))

    def run(*words):
        return subprocess.run([word, *words], cwd=ROOT / "bindings" / folder, env=environment, capture_output=True, text=True, timeout=900)

    fetched = run(*fetch)
    if fetched.returncode != 0:
        pytest.skip(f"the packages of {word} cannot be fetched: {fetched.stderr.strip()[-300:]}")

    def checked(*words):
        done = run(*words)
        assert done.returncode == 0, f"{word} {' '.join(words)}:\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}"
        return done.stdout + done.stderr
    return checked


@pytest.fixture(scope="module")
def prefix():
    """The library as it is installed, for pkg-config."""
    folder = BUILD / "tests" / "bindings-prefix"
    shutil.rmtree(folder, ignore_errors=True)
    for name, source in {"lib/libxwalk.so": LIBRARY, "lib/pkgconfig/xwalk.pc": BUILD / "xwalk.pc",
                         "include/xwalk.h": BUILD / "include" / "xwalk.h"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(source)
    return folder


def cargo(**variables):
    return tool("cargo", "rust", ["fetch", "--locked"], CARGO_TARGET_DIR=str(BUILD / "tests" / "bindings-rust"), CARGO_NET_OFFLINE="false",
                RUSTFLAGS="-D warnings", RUSTDOCFLAGS="-D warnings", **variables)


def test_rust():
    """The tests, the examples of the documentation, and the documentation itself."""
    run = cargo(XWALK_LIB_DIR=str(BUILD))
    said = run("test", "--locked", "--offline")
    assert "Running tests/interface.rs" in said and "Doc-tests xwalk" in said and " 0 passed" not in said.split("Running tests/interface.rs")[1]
    run("doc", "--locked", "--offline", "--no-deps")


def test_rust_with_pkg_config(prefix):
    """The library is found where it is installed; a missing one is one sentence."""
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config (tools/setup.sh test)")
    cargo(PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig"))("check", "--locked", "--offline")
    with pytest.raises(AssertionError, match=r"(?m)^\s*pkg-config finds no xwalk: install its C library, or set XWALK_LIB_DIR"):
        cargo(PKG_CONFIG_PATH="", PKG_CONFIG_LIBDIR=str(prefix))("check", "--locked", "--offline")


def test_rust_is_formatted():
    if shutil.which("rustfmt") is None:
        pytest.skip("there is no rustfmt on the PATH")
    cargo()("fmt", "--check")


@pytest.fixture(scope="module")
def go(prefix):
    if shutil.which("pkg-config") is None:
        pytest.skip("no pkg-config (tools/setup.sh test)")
    # Go compiles a package again if its flags have changed, but not if the header or the answer of pkg-config has.
    seen = hashlib.sha256((BUILD / "include/xwalk.h").read_bytes() + (BUILD / "xwalk.pc").read_bytes() + str(prefix).encode()).hexdigest()
    return tool("go", "go", ["mod", "download"], GOTOOLCHAIN="local", GOFLAGS="-mod=readonly -buildvcs=false",
                PKG_CONFIG_PATH=str(prefix / "lib/pkgconfig"), CGO_CFLAGS=f"-O2 -g -DXWALK_SEEN_{seen[:16]}")


def test_go(go):
    """The tests, and the examples with their output; calls of C are checked for Go's pointers."""
    said = go("test", "-count=1", "-v", "./...")
    assert "--- PASS: ExampleOpen" in said and "--- PASS: TestAnErrorHasItsPlaceAndTheRowsEnd" in said
    go("vet", "./...")


def test_go_is_formatted(go):
    if shutil.which("gofmt") is None:
        pytest.skip("there is no gofmt on the PATH")
    done = subprocess.run(["gofmt", "-l", ROOT / "bindings" / "go"], capture_output=True, text=True, check=True)
    assert done.stdout == ""
