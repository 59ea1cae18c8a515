"""What the programs share that ask the systems' own packages: they are skipped if a package is not installed, work in a folder
of their own, and count what is not as expected."""
import atexit
import importlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

XWALK = sys.argv[1]
failures = 0


def packages(*names):
    """Returns the modules. Skips the test if one is not installed."""
    warnings.filterwarnings("ignore")
    os.environ.setdefault("LANCE_LOG", "error")
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as missing:
        print(f"SKIPPED: {missing.name} is not installed")
        sys.exit(77)


def folder(name):
    """Makes a folder that is gone at the end, and goes there."""
    made = pathlib.Path(tempfile.mkdtemp(prefix=f"xwalk-{name}-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    os.chdir(made)
    return made


def expect(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what)


def run(*words):
    """Runs the program."""
    return subprocess.run([XWALK, *map(str, words)], capture_output=True, text=True, timeout=120)


def end(*said):
    """Says how it went, and ends."""
    print(*said, f"{failures} failures")
    sys.exit(1 if failures else 0)
