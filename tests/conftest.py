"""Options of pytest, and the exit code that ctest reports as skipped."""
import os

#: The exit code if every test of a run was skipped.
SKIPPED = 77
#: Programs of their own: the workers that they start cannot import a file that pytest has imported.
collect_ignore = ["python/dask_daft_test.py", "python/ray_test.py", "python/spark_test.py"]


def pytest_addoption(parser):
    group = parser.getgroup("xwalk")
    group.addoption("--program", help="the program that is tested, instead of XWALK_PROGRAM or build/release/xwalk")
    group.addoption("--deps", help="the folder that tools/setup.sh fills, instead of XWALK_DEPS or .deps")
    group.addoption("--all", action="store_true", help="test all combinations where a test takes a sample of them")
    group.addoption("--update", action="store_true", help="write the current output into the files that a test compares with")


def pytest_configure(config):
    # tests/harness.py reads them when the first file of tests is imported.
    for option, variable in (("program", "XWALK_PROGRAM"), ("deps", "XWALK_DEPS")):
        if config.getoption(option):
            os.environ[variable] = config.getoption(option)


def pytest_sessionfinish(session):
    stats = session.config.pluginmanager.get_plugin("terminalreporter").stats
    others = ("passed", "failed", "error", "xfailed", "xpassed")
    if stats.get("skipped") and not any(stats.get(outcome) for outcome in others):
        session.exitstatus = SKIPPED
