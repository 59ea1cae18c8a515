"""The interpreter outlives what happens to files and what its user does meanwhile.

usage: survive_test.py XWALK DATA
"""

import os
import pathlib
import signal
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve().parent
sys.argv[1:] = []
if not (BUILD / "python" / "xwalk").exists() or not list((BUILD / "python" / "xwalk").glob("_xwalk*.so")):
    print("SKIPPED: the Python module is not built")
    sys.exit(77)
sys.path.insert(0, str(BUILD / "python"))
import xwalk  # noqa: E402

SCHEMA = "[{name=a;type_v3=int64}]"
ROW = b"{a=1234567};\n"
ROWS = 400_000
WITH_PLUGIN = (BUILD / "libxwalk_parquet.so").exists()


class Survive(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
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
                with self.subTest(name=name, left=left):
                    whole = pathlib.Path(self.path(name)).read_bytes()
                    reader = pyarrow.RecordBatchReader.from_stream(xwalk.open(self.path(name), batch_rows=1000))
                    os.truncate(self.path(name), left)
                    with self.assertRaisesRegex(Exception, "changed while it was read"):
                        for _ in reader:
                            pass
                    pathlib.Path(self.path(name)).write_bytes(whole)

    def test_an_interrupt_at_any_time_is_one(self):
        """Ends with KeyboardInterrupt and nothing written, or with all of it written."""
        for delay in [0.0005 * 1.6**n for n in range(18)]:
            out = self.path(f"out{delay}.skiff")
            signal.setitimer(signal.ITIMER_REAL, delay)
            signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                xwalk.convert(self.path("t.yson"), out)
                signal.setitimer(signal.ITIMER_REAL, 0)
                self.assertTrue(os.path.exists(out))
            except KeyboardInterrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
            self.assertFalse([name for name in os.listdir(self.folder) if ".xwalk-" in name])


if __name__ == "__main__":
    unittest.main()
