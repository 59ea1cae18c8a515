"""The types of the package: mypy finds nothing, and the stub says what the compiled part has."""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

from tests import harness

PACKAGES = harness.PACKAGES
with harness.skip_if_missing():
    import mypy  # noqa: F401
harness.use_module()

#: What mypy's stubtest reports for every function and class of nanobind, which have their own types.
NANOBIND = ("is not a function", "stub is a staticmethod but runtime is not", "metaclass differs",
            "is a disjoint base at runtime", 'stub does not have *args parameter "args"')
#: stubtest does not expand the typed dictionary of overloads; options_test.py asks what the signature shows.
OVERLOADS = ("xwalk._compare.diff is inconsistent",)
#: Packages without types, imported for annotations only.
UNTYPED = ("xwalk._rows.pandas is not present at runtime", "xwalk._rows.pyarrow is not present at runtime",
           "xwalk._pandas.pyarrow is not present at runtime")
if importlib.util.find_spec("ray") is None:
    UNTYPED += ("xwalk.ray failed to import. ImportError: xwalk.ray needs Ray",)
USER = '''
import xwalk
schema, report = xwalk.Schema.parse("[{name=a;type=int64}]").to("lance", round=True)
reveal_type(schema)
reveal_type(report.raise_for("lossy"))
reveal_type(xwalk.open("t.yson", on_error="skip").total_rows)
xwalk.open("t.yson", on_error="perhaps")
xwalk.convert("a", "b", colour="red")
xwalk.diff(schema, 7)
reveal_type(xwalk.diff(schema, schema, rows=True, unify=True))
with xwalk.open("t.yson", select="a", schema=schema, storage_options={"region": "x"}) as rows:
    reveal_type(rows)
xwalk.open("t.yson", part=3)
xwalk.scan("t.yson", part={})
'''


#: What mypy has found out about other packages, for all tests.
CACHE = harness.make_folder("mypy")


class TestTypes:
    def run_module(self, *words, folder=PACKAGES):
        return subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder,
                              env={**os.environ, "PYTHONPATH": str(PACKAGES), "MYPYPATH": str(PACKAGES),
                                   "MYPY_CACHE_DIR": str(CACHE)}).stdout

    def test_the_package(self):
        assert "Success: no issues found" in self.run_module("mypy", "--strict", "-p", "xwalk")

    def test_the_stub(self):
        said = self.run_module("mypy.stubtest", "--concise", "xwalk")
        assert "xwalk._xwalk.convert is not a function" in said
        assert [line for line in said.splitlines() if not any(words in line for words in NANOBIND + OVERLOADS + UNTYPED)] == []

    def test_a_user(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "user.py").write_text(USER)
            said = self.run_module("mypy", "--strict", "user.py", folder=folder)
        for words in ('"xwalk._schema.Schema"', '"xwalk._report.Report"', "int | None", 'user.py:7: error: Argument "on_error"',
                      'user.py:8: error: Unexpected keyword argument "colour"', 'user.py:9: error: No overload variant of "diff"',
                      '"xwalk._report.RowDiff"', '"xwalk._rows.Rows"', 'user.py:13: error: Argument "part"',
                      'user.py:14: error: Unexpected keyword argument "part"'):
            assert words in said
        assert "Found 5 errors" in said
