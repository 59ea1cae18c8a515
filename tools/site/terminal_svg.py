"""Runs commands in a terminal and draws what they print as one SVG.

The commands are run in a pseudo-terminal, so the program colours its words as it does for a person. The picture brings
its own dark background and is readable on light and dark pages.
"""

import fcntl
import html
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios

COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
           "2": "#8b949e", "90": "#8b949e"}
INK, SOFT, PAPER, BAR = "#e6edf3", "#8b949e", "#0d1522", "#1a2536"
FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
SIZE, LINE, MARGIN, TOP = 13, 19, 16, 34
ADVANCE = 7.83  # of one character of the usual monospaced fonts at SIZE; text is fitted to it
SGR = re.compile(r"\x1b\[([\d;]*)m")


def printed(command: str, folder: pathlib.Path, path: str, columns: int) -> str:
    """Returns what a command prints to a terminal of so many columns. Raises RuntimeError if it fails."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    environment = {"PATH": path, "HOME": str(folder), "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
    process = subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdin=theirs, stdout=theirs,
                               stderr=theirs, close_fds=True)
    os.close(theirs)
    out = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the terminal's way to say the end
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    if process.wait() > 1:
        raise RuntimeError(f"{command} ended with {process.returncode}:\n{out.decode()}")
    return out.decode().replace("\r\n", "\n")


def spans(line: str) -> str:
    """Returns a line with its colours as tspans."""
    style, out = "", ""
    for at, part in enumerate(SGR.split(line)):
        if at % 2:
            codes = part.split(";")
            fill = next((COLOURS[code] for code in codes if code in COLOURS), "")
            style = (f' fill="{fill}"' if fill else "") + (' font-weight="700"' if "1" in codes else "")
        elif part:
            text = html.escape(part)
            out += f"<tspan{style}>{text}</tspan>" if style else text
    return out


def wrapped(output: str, columns: int) -> list[str]:
    """Returns lines as a terminal folds them; only lines without colours may be longer than it."""
    lines = []
    for line in output.split("\n"):
        if len(SGR.sub("", line)) > columns and SGR.search(line):
            raise RuntimeError(f"a coloured line is longer than {columns} columns: {line!r}")
        lines += [line] if SGR.search(line) else [line[at:at + columns] for at in range(0, len(line) or 1, columns)]
    return lines


def draw(steps: list[tuple[str, str]], columns: int, title: str) -> str:
    """Returns the SVG of commands and what each printed."""
    lines = []
    for command, output in steps:
        lines.append(f'<tspan fill="{SOFT}">$ </tspan>{html.escape(command)}')
        lines += [spans(line) for line in wrapped(output.rstrip("\n"), columns)]
    width = round(columns * ADVANCE + 2 * MARGIN)
    height = TOP + MARGIN + LINE * len(lines)
    body = []
    for at, markup in enumerate(lines):
        length = round(len(html.unescape(re.sub(r"<[^>]*>", "", markup))) * ADVANCE, 1)
        body.append(f'<text x="{MARGIN}" y="{TOP + LINE * (at + 1)}" xml:space="preserve" textLength="{length}" '
                    f'lengthAdjust="spacingAndGlyphs">{markup}</text>' if length else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{html.escape(title)}"><style>text{{font:{SIZE}px {FONT};fill:{INK};white-space:pre}}'
        f'</style><rect width="{width}" height="{height}" rx="9" fill="{PAPER}"/>'
        f'<path d="M0 9a9 9 0 0 1 9-9h{width - 18}a9 9 0 0 1 9 9v17H0z" fill="{BAR}"/>'
        + "".join(f'<circle cx="{18 + 18 * i}" cy="13" r="5" fill="{fill}"/>'
                  for i, fill in enumerate(("#ff5f57", "#febc2e", "#28c840")))
        + "".join(body) + "</svg>\n")


def record(commands: list[str], folder: pathlib.Path, path: str, columns: int, title: str) -> str:
    """Runs commands one after the other in a folder; returns the picture."""
    return draw([(command, printed(command, folder, path, columns)) for command in commands], columns, title)
