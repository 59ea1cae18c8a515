"""What tests in Python share: the build that is tested, skips of missing packages, and temporary folders.

`XWALK_PROGRAM` or `--program` is the program, by default build/release/xwalk. `XWALK_DEPS` or `--deps` is the folder that
tools/setup.sh fills, by default .deps.
"""
import atexit
import contextlib
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import pytest

os.environ.setdefault("LANCE_LOG", "error")
ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ.get("XWALK_PROGRAM", ROOT / "build" / "release" / "xwalk")).resolve()
BUILD = PROGRAM.parent
PACKAGES = BUILD / "python"
DEPS = pathlib.Path(os.environ.get("XWALK_DEPS", ROOT / ".deps")).resolve()
DATA = DEPS / "data"
SAMPLES = ROOT / "tests" / "samples"
#: Whether the plugin for Parquet and Arrow files is built.
WITH_PLUGIN = (BUILD / "libxwalk_parquet.so").exists()
#: Whether tests write the current output into the files that they compare with.
UPDATE = "--update" in sys.argv

#: Whether tests that take a sample of all combinations test all of them.
ALL = "--all" in sys.argv or "XWALK_TEST_ALL" in os.environ
#: What chooses the combinations of a sample.
SEED = os.environ.get("XWALK_TEST_SEED", "1")


def sample(cases, most):
    """Returns `most` of all cases, in their order, or all of them with --all.

    SEED chooses them. A case may be a tuple: if the sample has room, it has each value of each position.
    """
    cases = list(cases)
    if ALL or most >= len(cases):
        return cases
    order = random.Random(f"{SEED} {len(cases)}").sample(range(len(cases)), len(cases))
    seen, chosen = set(), []
    for number in order:
        values = {(place, str(value)) for place, value in enumerate(cases[number])} if isinstance(cases[number], tuple) else set()
        if values - seen:
            chosen.append(number)
            seen |= values
    rest = [number for number in order if number not in chosen]
    return [cases[number] for number in sorted((chosen + rest)[:most])]


def skip(reason):
    """Skips a file of tests, or the test that calls it."""
    pytest.skip(reason, allow_module_level=True)


def needs(*files):
    """Returns files of the build by their paths in it; skips the file of tests if one is not built."""
    paths = [BUILD / file for file in files]
    for path in paths:
        if not path.exists():
            skip(f"{path} is not built")
    return paths[0] if len(paths) == 1 else paths


@contextlib.contextmanager
def skip_if_missing(hint=""):
    """Skips the file of tests if a package that is imported in the block is not installed."""
    try:
        yield
    except ImportError as missing:
        skip(f"{missing.name} is not installed{hint}")


def use_module(processes=False):
    """Makes the Python module of the build importable here, and in processes that the tests start if so asked."""
    if not list((PACKAGES / "xwalk").glob("_xwalk*.so")):
        skip("the module is not built (XWALK_BUILD_PYTHON)")
    sys.path.insert(0, str(PACKAGES))
    if processes:
        os.environ["PYTHONPATH"] = str(PACKAGES)


def run(*words, code=0, program=PROGRAM, **options):
    """Runs the program and returns the process; `options` are those of subprocess.run.

    The test fails if the exit code is not `code`, or not one of several; None allows every code.
    """
    text = not isinstance(options.get("input"), bytes)
    done = subprocess.run([program, *map(str, words)], **{"capture_output": True, "text": text, "timeout": 120, **options})
    codes = (code,) if isinstance(code, int) else code
    assert codes is None or done.returncode in codes, f"{' '.join(map(str, words))}: exit code {done.returncode}: {done.stderr}"
    return done


def try_run(*words, **options):
    """Runs the program and returns the process, for any exit code."""
    return run(*words, code=None, **options)


def write(path, data, schema=None):
    """Writes a file and, if it has one, the schema next to it; returns the path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    if schema:
        path.with_name(path.name + ".schema").write_text(schema)
    return path


def check(what, found, expected):
    """Fails the test if a value is not the expected one."""
    assert found == expected, f"{what}: expected {str(expected)[:600]}, found {str(found)[:600]}"


#: For programs of Java that run for seconds: making faster code of what runs once takes most of their processor time.
SHORT_JAVA = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


def spark_builder():
    """Returns the builder of a Spark of one thread for short work in this process; skips the test without pyspark or Java."""
    sql = pytest.importorskip("pyspark.sql")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("there is no java (apt: default-jre-headless)")
    return (sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
            .config("spark.driver.extraJavaOptions", " ".join(SHORT_JAVA)))


def expect(condition, *what):
    """Fails the test if a condition is false."""
    assert condition, " ".join(map(str, what))


def run_in_child(check, *given):
    """Runs a check in a process of its own: for packages that end the process on some inputs, and for checks that use much memory."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            check(*given)
            code = 0
        except BaseException:  # noqa: BLE001: the parent gets only the exit code
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code == 0, f"{check.__name__}{given}: the process ended with {code}"


def wait_for(condition, seconds=20):
    """Waits until a condition is true and returns its value; returns None if the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.02)
    return None


def make_folder(name):
    """Makes a temporary folder for a file of tests. It is removed when the process ends."""
    made = pathlib.Path(tempfile.mkdtemp(prefix=f"xwalk-{name}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made


def work_in(folder):
    """Returns a fixture by which the tests of a file run in a folder."""
    @pytest.fixture(scope="module", autouse=True)
    def there():
        with contextlib.chdir(folder):
            yield
    return there


class InFolder:
    """Tests with a temporary folder each, which `prepare` fills."""

    @pytest.fixture(autouse=True)
    def _prepare(self, folder):
        self.folder = folder
        self.prepare()

    def prepare(self):
        pass
