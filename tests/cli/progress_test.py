"""The line of progress on a terminal fits 60 columns, and narrower terminals."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import tempfile
import termios
import threading
import time

import pytest

from tests import harness


def lines_of(width, seconds=2.5):
    """Converts a slow stream on a terminal of a width, and returns the lines of progress that it printed."""
    terminal, program_side = pty.openpty()
    fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with tempfile.TemporaryDirectory() as folder:
        # readline, which pytest imports, sets COLUMNS. It is stronger than the width of the terminal.
        environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        program = subprocess.Popen([harness.PROGRAM, "convert", "-", f"{folder}/out.skiff", "--from", "yson", "--batch-rows", "1000",
                                    "--schema", "[{name=id;type_v3=int64}]"],
                                   stdin=subprocess.PIPE, stderr=program_side, stdout=subprocess.DEVNULL, env=environment)
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


@pytest.mark.parametrize("width, most", [(200, 60), (60, 59), (30, 29)])
def test_fits(width, most):
    lines = lines_of(width)
    assert lines
    for line in lines:
        assert len(line) <= most
        assert re.match(r"[\d,]+ rows", line)


def test_wide_terminals_show_rate_and_sizes():
    assert re.match(r"[\d,]+ rows  [\d.]+ [kMG]?B/s  [\d.]+ [kMG]?B → [\d.]+ [kMG]?B$", lines_of(200)[-1])
