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


def reading(terminal):
    """Begins to read what a program prints on a terminal. Returns the thread, which ends with the program, and the list of what it has read."""
    taken = []

    def take():
        try:
            while chunk := os.read(terminal, 65536):
                taken.append(chunk)
        except OSError:  # the program has closed its side
            pass

    reader = threading.Thread(target=take)
    reader.start()
    return reader, taken


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
        reader, taken = reading(terminal)
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


def convert_slow_tables(folder, seconds=2.5, **variables):
    """Converts a table from a slow pipe and two that are complete at once, two at a time, on a terminal. Returns what it prints."""
    terminal, program_side = pty.openpty()
    fcntl.ioctl(program_side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    for name in "ab":
        (folder / f"{name}.yson").write_text("{id=1};" * 1000)
    os.mkfifo(folder / "slow.yson")
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "CI", "NO_COLOR")}
    inputs = [str(folder / f"{name}.yson") for name in ("a", "b", "slow")]
    program = subprocess.Popen([harness.PROGRAM, "convert", *inputs, f"{folder}/out/", "--from", "yson", "--to", "skiff", "-j", "2",
                                "--resume", "--schema", "[{name=id;type_v3=int64}]", "--batch-rows", "1000"],
                               stdin=subprocess.DEVNULL, stderr=program_side, stdout=subprocess.DEVNULL,
                               env={**environment, "TERM": "xterm", **variables})
    os.close(program_side)
    reader, taken = reading(terminal)
    with open(folder / "slow.yson", "wb") as pipe:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pipe.write(b"{id=1234567};" * 100_000)
            time.sleep(0.05)
    program.wait()
    reader.join()
    os.close(terminal)
    return b"".join(taken).decode()


def test_tables_have_lines_that_are_replaced(tmp_path):
    text = convert_slow_tables(tmp_path)
    # Two lines, then the cursor goes to the first of them.
    shown = re.findall(r"\x1b\[K  slow\.skiff  ([\d,]+) rows\r?\n\r\x1b\[K2 of 3 tables  ([\d,]+) rows  [^\x1b]*\r\x1b\[1A", text)
    assert len(shown) > 3, text
    rows = [int(slow.replace(",", "")) for slow, _ in shown]
    assert rows == sorted(rows)
    assert rows[0] < rows[-1]
    # All counts the two that have ended, too.
    assert all(int(sum_.replace(",", "")) == int(slow.replace(",", "")) + 2000 for slow, sum_ in shown)


@pytest.mark.parametrize("variable", ["NO_COLOR", "CI"])
def test_tables_have_a_line_when_they_have_ended(tmp_path, variable):
    text = convert_slow_tables(tmp_path, **{variable: "1"})
    lines = re.sub(r"\x1b\[[\d;]*m", "", text).splitlines()
    assert sorted(lines[:2]) == ["a.skiff: 1,000 rows", "b.skiff: 1,000 rows"]
    assert [line for line in lines if line.startswith("slow.skiff: ")] == ["slow.skiff: failed"]
    assert "\x1b[1A" not in text
