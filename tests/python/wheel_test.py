"""The wheels: the output of tools/wheel.py for this build, installed in separate environments, does what it should.
"""
import os
import pathlib
import re
import subprocess
import sys
import venv
import zipfile

import pytest

from tests import harness

XWALK, BUILD, ROOT = harness.PROGRAM, harness.BUILD, harness.ROOT
OTHER_PYARROW = harness.DEPS / "pyarrow-20.0.0"
with harness.skip_if_missing():
    import auditwheel  # noqa: F401
    import lance
    import pyarrow.parquet
    import scikit_build_core  # noqa: F401
if not (harness.PACKAGES / "xwalk").exists() or not OTHER_PYARROW.exists():
    harness.skip("the module is not built (XWALK_BUILD_PYTHON), or tools/setup.sh test was not run")


class Environment:
    """A virtual environment, which sees no packages but those it is given."""

    def __init__(self, folder: pathlib.Path, interpreter: str = "") -> None:
        self.folder = folder
        # By the pip of this environment: to install another one takes longer than the wheels. It may not run on a newer Python.
        self.pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python"]
        if interpreter:
            subprocess.run([interpreter, "-I", "-m", "venv", folder], check=True)
            self.pip = [folder / "bin" / "python", "-I", "-m", "pip"]
        else:
            venv.create(folder)
        self.python = folder / "bin" / "python"
        self.site = next(folder.glob("lib/python3.*/site-packages"))

    def install(self, *wheels: pathlib.Path) -> None:
        self.run(*self.pip, "--quiet", "--disable-pip-version-check", "install", "--no-index", "--no-deps", *wheels)

    def run(self, *words: object, cwd: pathlib.Path | None = None, code: int = 0, **variables: str) -> str:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, cwd=cwd,
                              env={"LC_ALL": "C.UTF-8", **variables})
        if done.returncode != code:
            raise AssertionError(f"ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr


class TestWheels:
    @classmethod
    def setup_class(cls):
        folder = harness.make_folder("wheel")
        subprocess.run([sys.executable, ROOT / "tools" / "wheel.py", BUILD, folder / "wheels"], check=True)
        # One for this interpreter; the other, if the build has it, for newer ones.
        cls.wheel, *cls.stable = sorted((folder / "wheels").glob("xwalk-*.whl"))
        (cls.plugin,) = (folder / "wheels").glob("xwalk_parquet-*.whl")
        cls.bare, cls.full = Environment(folder / "bare"), Environment(folder / "full")
        cls.bare.install(cls.wheel)
        cls.full.install(cls.wheel, cls.plugin)
        cls.work = folder / "work"
        cls.work.mkdir()
        harness.write(cls.work / "t.yson", "{a=1};{a=2};", "[{name=a;type=int64}]")

    def xwalk(self, environment, *words, **options):
        return environment.run(environment.folder / "bin" / "xwalk", *words, cwd=self.work, **options)

    def python(self, environment, code, ends=0, **options):
        return environment.run(environment.python, "-c", code, cwd=self.work, code=ends, **options)

    def test_the_libraries_are_inside(self):
        """No file of the wheels needs a library that a C library of the named age does not come with."""
        for wheel in (self.wheel, self.plugin):
            # glibc of Debian 12, Ubuntu 22.04 and RHEL 9, with their C++ libraries; built on a newer system, that of this one.
            oldest = 34 if os.confstr("CS_GNU_LIBC_VERSION") == "glibc 2.36" else int(os.confstr("CS_GNU_LIBC_VERSION").rpartition(".")[2])
            assert 34 <= int(re.search(r"-manylinux_2_(\d+)_x86_64", wheel.name)[1]) <= oldest
            shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True)
            assert f'"{wheel.stem.rsplit("-", 1)[1]}"' in shown.stdout
        names = zipfile.ZipFile(self.wheel).namelist()
        for name in ("xwalk/py.typed", "xwalk/_xwalk.pyi", "xwalk/xwalk", "xwalk/xwalk-engine-lance"):
            assert name in names
        assert not [name for name in names if "arrow" in name]

    def test_without_extras(self):
        assert self.xwalk(self.bare, "--version") == self.bare.run(XWALK, "--version")
        self.xwalk(self.bare, "convert", "t.yson", "t.skiff")
        assert self.xwalk(self.bare, "head", "t.skiff", "--json").count("\n") == 2
        for system in ("skiff", "parquet", "lance", "vortex", "arrow"):
            self.xwalk(self.bare, "schema", "t.yson", "--to", system)
        assert self.python(self.bare, "import xwalk; print(xwalk.convert('t.yson', 'u.skiff').rows)") == "2\n"

    def test_duckdb(self):
        """The extension in the wheel loads, and reads; what it does is asked by tests/duckdb."""
        if not (BUILD / "xwalk.duckdb_extension").exists():
            pytest.skip("the extension is not built (XWALK_BUILD_DUCKDB)")
        code = """
import duckdb, xwalk
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.load_extension(xwalk.duckdb_extension())
print(connection.sql("SELECT sum(a) FROM 't.yson'").fetchall()[0][0])
"""
        packages = harness.DEPS / "duckdb-python-1.5.6"
        assert self.python(self.bare, code, PYTHONPATH=str(packages)) == "3\n"

    def test_a_missing_extra_is_one_sentence(self):
        for name, words in (("t.parquet", "Install the wheel xwalk_parquet"), ("t.lance", "needs the Python package pylance"),
                            ("t.vortex", "needs the Python package vortex-data")):
            assert words in self.xwalk(self.bare, "convert", "t.yson", name, code=74)
            assert not (self.work / name).exists()
            assert words in self.python(self.bare, f"import xwalk; xwalk.convert('t.yson', '{name}')", ends=1)

    def test_the_stable_wheel(self, tmp_path):
        """One wheel for all newer interpreters, whose module names nothing that is not of the stable ABI."""
        interpreter = re.search(r"^XWALK_STABLE_PYTHON:\w+=(.+)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
        if not interpreter:
            pytest.skip("the build has no module with the stable ABI (XWALK_STABLE_PYTHON)")
        (wheel,) = self.stable
        assert "-cp312-abi3-manylinux_2_34_x86_64" in wheel.name
        names = zipfile.ZipFile(wheel).namelist()
        assert [name for name in names if name.startswith("xwalk/_xwalk.")] == ["xwalk/_xwalk.abi3.so", "xwalk/_xwalk.pyi"]
        assert "xwalk/_xwalk.abi3.so" not in zipfile.ZipFile(self.wheel).namelist()
        newer = Environment(tmp_path / "newer", interpreter[1])
        newer.install(wheel, self.plugin)
        assert self.python(newer, "import xwalk; print(xwalk.convert('t.yson', 'newer.parquet', mode='overwrite').rows)") == "2\n"
        assert self.xwalk(newer, "head", "newer.parquet", "--json").count("\n") == 2

    def test_free_threaded_interpreters_are_refused(self, tmp_path):
        """By the build, and by the package, since one would load the module and crash. This one only says that it is."""
        threaded = Environment(tmp_path / "threaded")
        threaded.install(self.wheel)
        (threaded.site / "says.pth").write_text("import sys; sys.abiflags = 't'\n")
        said = self.python(threaded, "import xwalk", ends=1)
        assert said.endswith("ImportError: xwalk does not support free-threaded builds of CPython: use one with the global "
                             "interpreter lock\n")
        said = threaded.run("cmake", "-S", ROOT, "-B", tmp_path / "build", f"-DPython_EXECUTABLE={threaded.python}",
                            f"-DXWALK_DEPS={harness.DEPS}", "-DXWALK_BUILD_PYTHON=ON", "-DXWALK_BUILD_TESTS=OFF", code=1,
                            PATH=os.environ["PATH"])
        assert "is a free-threaded build of CPython" in " ".join(said.split())

    def test_parquet_beside_another_pyarrow(self):
        self.xwalk(self.full, "convert", "t.yson", "t.parquet")
        assert pyarrow.parquet.read_table(self.work / "t.parquet").to_pydict() == {"a": [1, 2]}
        for first, second in (("xwalk", "pyarrow"), ("pyarrow", "xwalk")):
            assert self.python(self.full, f"""
import {first}, {second}
import pyarrow.parquet as pq
table = pyarrow.table(xwalk.open("t.parquet"))
xwalk.convert(table, "other.parquet", compression="zstd", mode="overwrite")
assert pq.read_table("other.parquet") == table == pq.read_table("t.parquet"), table
print(pyarrow.__version__)
""", PYTHONPATH=str(OTHER_PYARROW)) == OTHER_PYARROW.name.removeprefix("pyarrow-") + "\n"
        assert pyarrow.__version__ != OTHER_PYARROW.name.removeprefix("pyarrow-")

    def test_the_engines_see_the_packages_of_the_environment(self):
        """PATH names no Python at all here."""
        packages = str(pathlib.Path(lance.__file__).parents[1])
        (self.full.site / "packages_of_the_tests.pth").write_text(packages + "\n")
        for name in ("t.lance", "t.vortex"):
            self.xwalk(self.full, "convert", "t.yson", name, PATH="/nowhere")
            assert self.python(self.full, f"import xwalk; print(xwalk.convert('{name}', 'back.yson', mode='overwrite').rows)",
                               PATH="/nowhere") == "2\n"
            os.remove(self.work / "back.yson")
