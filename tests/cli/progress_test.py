"""The line of progress on a terminal fits 60 columns, and narrower terminals.

usage: progress_test.py XWALK
"""
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

XWALK = pathlib.Path(sys.argv[1]).resolve()


def lines_of(width, seconds=2.5):
    """Converts a slow stream on a terminal of a width, and returns the lines of progress that it printed."""
    terminal, program_side = pty.openpty()
    fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with tempfile.TemporaryDirectory() as folder:
        program = subprocess.Popen([XWALK, "convert", "-", f"{folder}/out.skiff", "--from", "yson", "--batch-rows", "1000",
                                    "--schema", "[{name=id;type_v3=int64}]"],
                                   stdin=subprocess.PIPE, stderr=program_side, stdout=subprocess.DEVNULL)
        os.close(program_side)
        taken = []

        def take():
            try:
                while chunk := os.read(terminal, 65536):
                    taken.append(chunk)
            except OSError:  # the program has closed its side
                pass

        reader = threading.Thread(target=take)
        reader.start()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            program.stdin.write(b"{id=1234567};" * 100_000)
            time.sleep(0.05)
        program.stdin.close()
        assert program.wait() == 0
        reader.join()
    os.close(terminal)
    text = b"".join(taken).decode()
    return [line for line in re.findall(r"\r\x1b\[K([^\r\n]*)", text) if " rows" in line and "→" not in line.split("rows")[0]
            and "exact" not in line]


class Progress(unittest.TestCase):
    def test_fits(self):
        for width, most in ((200, 60), (60, 59), (30, 29)):
            lines = lines_of(width)
            self.assertTrue(lines, width)
            for line in lines:
                self.assertLessEqual(len(line), most, line)
                self.assertRegex(line, r"^[\d,]+ rows")

    def test_wide_terminals_show_rate_and_sizes(self):
        self.assertRegex(lines_of(200)[-1], r"^[\d,]+ rows  [\d.]+ [kMG]?B/s  [\d.]+ [kMG]?B → [\d.]+ [kMG]?B$")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
