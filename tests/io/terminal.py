"""What a program shows on a terminal."""

import os
import pty
import subprocess


def on_terminal(words, folder):
    """Runs a command with a terminal for its output and returns all that it wrote there, as bytes."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
                               env={**os.environ, "NO_COLOR": "1"})
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:
        pass
    os.close(ours)
    process.wait()
    return shown
