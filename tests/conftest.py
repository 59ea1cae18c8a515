"""Options of pytest, temporary folders, and the exit code that ctest reports as skipped."""
import atexit
import os
import pathlib
import shutil
import tempfile

import pytest

#: The exit code if every test of a run was skipped.
SKIPPED = 77


def pytest_addoption(parser):
    group = parser.getgroup("xwalk")
    group.addoption("--program", help="the program that is tested, instead of XWALK_PROGRAM or build/release/xwalk")
    group.addoption("--deps", help="the folder that tools/setup.sh fills, instead of XWALK_DEPS or .deps")
    group.addoption("--all", action="store_true", help="test all combinations where a test takes a sample of them")
    group.addoption("--trips", type=int, help="the number of trips of a campaign of tests/truth")
    group.addoption("--seed", type=int, default=int(os.environ.get("XWALK_TEST_SEED", "1")), help="the seed of random trips")
    group.addoption("--first", type=int, default=0, help="the number of the first trip")
    group.addoption("--keep", help="the folder where files of broken trips are kept")
    group.addoption("--update", action="store_true", help="write the current output into the files that a test compares with")


def pytest_configure(config):
    # tests/harness.py reads them when the first file of tests is imported.
    for option, variable in (("program", "XWALK_PROGRAM"), ("deps", "XWALK_DEPS")):
        if config.getoption(option):
            os.environ[variable] = config.getoption(option)
    # The program keeps a secret there. Tests that run tests share it.
    if "XDG_STATE_HOME" not in os.environ:
        os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="xwalk-state-")
        atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)


@pytest.fixture
def folder():
    """A temporary folder. Not tmp_path: its long names do not fit into the columns of tables."""
    with tempfile.TemporaryDirectory(prefix="xwalk-") as made:
        yield pathlib.Path(made)


def pytest_sessionfinish(session):
    stats = session.config.pluginmanager.get_plugin("terminalreporter").stats
    others = ("passed", "failed", "error", "xfailed", "xpassed")
    if stats.get("skipped") and not any(stats.get(outcome) for outcome in others):
        session.exitstatus = SKIPPED
