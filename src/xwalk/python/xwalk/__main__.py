"""The program `xwalk`: the command of a wheel, and ``python -m xwalk``."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Replaces this process with the program next to this file. Does not return."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xwalk")
    # Engine programs should see the packages of this interpreter.
    os.environ.setdefault("XWALK_PYTHON", sys.executable)
    # guard(execute): the program of the same wheel, next to this file.
    os.execv(program, ["xwalk", *sys.argv[1:]])


if __name__ == "__main__":
    main()
