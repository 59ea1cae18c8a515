"""Ctrl-C in a notebook: every call ends with KeyboardInterrupt, with its engine and without a file, and the kernel goes on."""
import importlib
import os
import pathlib
import shutil
import sys
import time

import pytest

from tests import harness

harness.use_module(processes=True)

with harness.skip_if_missing():
    import ipykernel  # noqa: F401
    import pandas  # noqa: F401
    import polars  # noqa: F401
    import pyarrow as pa
    from jupyter_client.manager import KernelManager

import xwalk  # noqa: E402

#: Rows without an end, of Python's own code and of Polars; and calls that are made again and again.
BEFORE = """
import os, threading
import pyarrow as pa, polars as pl, xwalk
F = {folder!r}
SCHEMA = pa.schema([("id", pa.int64()), ("s", pa.string())])

def endless():
    rows = pa.table({{"id": range(20_000), "s": [str(i) for i in range(20_000)]}}, schema=SCHEMA).to_batches()
    def batches():
        while True:
            yield from rows
    return pa.RecordBatchReader.from_batches(SCHEMA, batches())

def lazy():
    return pl.concat([pl.DataFrame({{"id": range(50_000), "s": ["x"] * 50_000}}).lazy()] * 5000)

# An import that is interrupted may leave Python's lock of imports held.
endless(), lazy(), pa.table({{"a": [1]}}).to_pandas(), pl.DataFrame({{"a": [1]}}).to_arrow()
import lance, vortex

def begun():
    print("begun", flush=True)

def again(call):
    while True:
        call()
"""
FORMATS = ("yson", "skiff", "parquet", "arrow", "vortex", "lance")
CALLS = {
    "to_arrow": "xwalk.open(IN, engine=E).to_arrow()",
    "to_pandas": "xwalk.open(IN, engine=E).to_pandas()",
    "to_polars": "xwalk.open(IN, engine=E).to_polars()",
    "batches": "[len(batch) for batch in xwalk.open(IN, engine=E)]",
    "convert": "xwalk.convert(IN, F + '/out.yson', engine=E, mode='overwrite')",
    "scan": "xwalk.scan(IN, engine=E).select(pl.col('id').sum()).collect()",
    "scan streaming": "xwalk.scan(IN, engine=E).filter(pl.col('id') > 5).collect(engine='streaming')",
    "sink": "xwalk.scan(IN, engine=E).xwalk.sink(F + '/out.skiff', mode='overwrite')",
}
CHECKS = {
    "check": "xwalk.check(IN, 'skiff', rows=True)", "validate": "xwalk.validate(IN)", "info": "xwalk.info(IN, scan=True)",
    "diff": "xwalk.diff(IN, IN, rows=True)", "diff by key": "xwalk.diff(IN, IN, rows=True, key='id')",
    "verify": "xwalk.verify(IN, IN)",
}


#: Each takes seconds: all of them run with --all.
WRITTEN = FORMATS if harness.ALL else ("yson", "vortex")
READ = ("yson", "parquet", "vortex", "lance") if harness.ALL else ("parquet", "vortex")
CALLED = CALLS if harness.ALL else ("to_arrow", "convert")
CHECKED = CHECKS if harness.ALL else ("verify",)


def engines_of(system):
    return ("auto", "process") if system in ("vortex", "lance") else ("auto",)


def descendants(pid):
    """Returns the programs that a process has started and that run, also through others."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == pid and fields[0] not in "ZX":
                child = int(status.parent.name)
                found += [(child, (status.parent / "cmdline").read_text().replace("\0", " ")), *descendants(child)]
        except (FileNotFoundError, ProcessLookupError):
            pass
    return found


class Kernel:
    def __init__(self, folder):
        self.folder = folder
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(env={**os.environ, "XWALK_PYTHON": sys.executable})
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)
        self.pid = self.manager.provisioner.pid
        assert self.run(BEFORE.format(folder=str(folder))) == ([], None)

    def run(self, code, interrupts=False):
        """Runs a cell, and interrupts it soon after it has said that it began. Returns what it printed, and the name of the error."""
        cell, printed, error = self.client.execute(code), [], None
        while True:
            message = self.client.get_iopub_msg(timeout=60)
            if message["parent_header"].get("msg_id") != cell:
                continue
            content = message["content"]
            if message["msg_type"] == "stream":
                printed.append(content["text"])
                if interrupts and "begun" in content["text"]:
                    time.sleep(0.4)
                    self.manager.interrupt_kernel()
            elif message["msg_type"] == "error":
                error = (content["ename"], content["evalue"])
            elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                return printed, error

    def engines(self):
        return [command for _, command in descendants(self.pid) if "xwalk" in command]

    def end(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    table = pa.table({"id": range(300_000), "s": [str(i) for i in range(300_000)]})
    for system in FORMATS:
        xwalk.convert(table, folder / f"in.{system}")
    return folder


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    kernel = Kernel(tmp_path_factory.mktemp("outputs"))
    yield kernel
    kernel.end()


def check_interrupted(kernel, code):
    began = time.monotonic()
    printed, error = kernel.run(f"begun()\n{code}", interrupts=True)
    # Polars may raise it again while IPython shows the first, which prints the second.
    assert (error and error[0] == "KeyboardInterrupt") or "KeyboardInterrupt" in "".join(printed), (error, printed)
    assert time.monotonic() - began < 20
    assert harness.wait_for(lambda: not kernel.engines()), kernel.engines()
    left = sorted(path.name for path in kernel.folder.iterdir())
    # Calls that are made again have written before: a whole file.
    whole = [name for name in left if not name.startswith(("out.", "whole."))]
    assert not whole and not [name for name in left if ".xwalk-" in name or "tmp" in name], left
    for path in kernel.folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for system in ("vortex", "yson"):
        printed, error = kernel.run(f"print(xwalk.convert(pa.table({{'a': [1, 2]}}), F + '/whole.{system}', mode='overwrite').rows)")
        assert ("".join(printed), error) == ("2\n", None)
    for path in kernel.folder.iterdir():
        path.unlink()
    return left


@pytest.mark.parametrize("system, engine", [(system, engine) for system in WRITTEN for engine in engines_of(system)])
def test_writing_rows_of_python(kernel, system, engine):
    assert check_interrupted(kernel, f"xwalk.convert(endless(), F + '/out.{system}', engine={engine!r})") == []


@pytest.mark.parametrize("system", FORMATS if harness.ALL else ())
def test_writing_a_lazy_frame(kernel, system):
    assert check_interrupted(kernel, f"lazy().xwalk.sink(F + '/out.{system}')") == []


@pytest.mark.parametrize("call", CALLED)
@pytest.mark.parametrize("system, engine", [(system, engine) for system in READ for engine in engines_of(system)])
def test_reading(kernel, inputs, system, engine, call):
    check_interrupted(kernel, f"IN, E = {str(inputs / f'in.{system}')!r}, {engine!r}\nagain(lambda: {CALLS[call]})")


@pytest.mark.parametrize("call", CHECKED)
@pytest.mark.parametrize("system", ["yson", "parquet", "vortex"] if harness.ALL else ["parquet"])
def test_checking(kernel, inputs, system, call):
    check_interrupted(kernel, f"IN = {str(inputs / f'in.{system}')!r}\nagain(lambda: {CHECKS[call]})")


def test_an_error_of_the_rows_is_an_error(kernel):
    """An error whose text names an interrupt is not one."""
    printed, error = kernel.run("def rows():\n    raise ValueError('KeyboardInterrupt')\n    yield\n"
                                "xwalk.convert(pa.RecordBatchReader.from_batches(SCHEMA, rows()), F + '/out.yson')")
    assert error and error[0] == "InputError" and not list(kernel.folder.iterdir())


@pytest.mark.parametrize("system, module, name", [("vortex", "vortex", "open"), ("vortex", "vortex.io", "write"),
                                                  ("lance", "lance", "dataset"), ("lance", "lance.fragment", "write_fragments")])
def test_an_interrupt_within_a_package(inputs, tmp_path, monkeypatch, system, module, name):
    """The signal may be handled in any call of an engine to its package."""
    met = []

    def interrupted(*_args, **_options):
        met.append(name)
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.import_module(module), name, interrupted)
    with pytest.raises(KeyboardInterrupt):
        if name.startswith("write"):
            xwalk.convert(pa.table({"a": [1]}), tmp_path / f"out.{system}")
        else:
            xwalk.open(inputs / f"in.{system}").to_arrow()
    assert met and not list(tmp_path.iterdir())
