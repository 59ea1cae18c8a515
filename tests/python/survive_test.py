"""The interpreter outlives what happens to files and what its user does meanwhile."""

import os
import pathlib
import signal
import time

import pytest

from tests import harness

BUILD = harness.BUILD
harness.use_module()
import xwalk  # noqa: E402

SCHEMA = "[{name=a;type_v3=int64}]"
ROW = b"{a=1234567};\n"
ROWS = 400_000
WITH_PLUGIN = (BUILD / "libxwalk_parquet.so").exists()


class TestSurvive(harness.InFolder):
    def prepare(self):
        (self.folder / "t.yson.schema").write_text(SCHEMA)
        (self.folder / "t.yson").write_bytes(ROW * ROWS)

    def path(self, name):
        return str(self.folder / name)

    def test_an_input_that_shrinks_is_an_error(self):
        import pyarrow

        names = ["t.yson"]
        xwalk.convert(self.path("t.yson"), self.path("t.skiff"))
        names.append("t.skiff")
        if WITH_PLUGIN:
            for name in ("t.parquet", "t.arrow"):
                xwalk.convert(self.path("t.yson"), self.path(name))
                names.append(name)
        for name in names:
            size = os.path.getsize(self.path(name))
            for left in (0, size // 2 + 7):
                whole = pathlib.Path(self.path(name)).read_bytes()
                reader = pyarrow.RecordBatchReader.from_stream(xwalk.open(self.path(name), batch_rows=1000))
                os.truncate(self.path(name), left)
                with pytest.raises(Exception, match="changed while it was read"):
                    for _ in reader:
                        pass
                pathlib.Path(self.path(name)).write_bytes(whole)

    def test_an_interrupt_at_any_time_is_one(self):
        """Ends with KeyboardInterrupt and nothing written, or with all of it written."""
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        for delay in [0.0005 * 1.6**n for n in range(18)]:
            out = self.path(f"out{delay}.skiff")
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                xwalk.convert(self.path("t.yson"), out)
                signal.setitimer(signal.ITIMER_REAL, 0)
                assert os.path.exists(out)
            except KeyboardInterrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
            assert not [name for name in os.listdir(self.folder) if ".xwalk-" in name]


class TestInterrupt(harness.InFolder):
    """An interrupt ends what waits for the other end of a pipe."""

    def prepare(self):
        self.pipe = str(self.folder / "pipe")
        os.mkfifo(self.pipe)

    def interrupted(self, work, other_end=None):
        """Runs work in a process of its own, interrupts it and returns the result."""
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            code = 1
            try:
                try:
                    work()
                except Exception:
                    # If Arrow's own error came first, the signal follows at once.
                    code = 2
                    time.sleep(5)
            except KeyboardInterrupt:
                code = 0
            finally:
                os._exit(code)
        held = other_end() if other_end else None
        time.sleep(0.7)
        os.kill(child, signal.SIGINT)
        for _ in range(100):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            time.sleep(0.1)
        else:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            status = 9
        if held is not None:
            os.close(held)
        assert not [name for name in os.listdir(self.folder) if name != "pipe"]
        return os.waitstatus_to_exitcode(status)

    def feed(self):
        end = os.open(self.pipe, os.O_RDWR)
        os.write(end, ROW * 1000)
        return end

    def test_while_reading(self):
        import pyarrow

        out = str(self.folder / "out.skiff")
        rows = {"format": "yson", "schema": SCHEMA}
        for threads in (1, 2, 8):
            assert self.interrupted(lambda: xwalk.convert(self.pipe, out, threads=threads, **rows), self.feed) == 0
        for name, work in (("open", lambda: xwalk.convert(self.pipe, out, **rows)),
                           ("infer", lambda: xwalk.open(self.pipe, format="arrow-stream")),
                           ("batches", lambda: list(pyarrow.RecordBatchReader.from_stream(xwalk.open(self.pipe, **rows)))),
                           ("schema", lambda: xwalk.Schema.read(self.pipe))):
            assert self.interrupted(work, None if name == "open" else self.feed) == 0

    def test_while_writing(self):
        def reader():
            return os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)

        for threads in (1, 8):
            assert self.interrupted(lambda: xwalk.convert(ROW * 100_000, self.pipe, to="yson", format="yson", schema=SCHEMA,
                                                          threads=threads), reader) == 0

    def test_while_an_object_reads(self):
        ours, theirs = os.pipe()
        with os.fdopen(ours, "rb") as stream, os.fdopen(theirs, "wb"):
            assert self.interrupted(lambda: xwalk.convert(stream, str(self.folder / "out.skiff"), format="yson", schema=SCHEMA)) == 0
