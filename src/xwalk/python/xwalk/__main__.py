"""The program `xwalk`, as the command that a wheel installs and as ``python -m xwalk``."""

from __future__ import annotations

import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program, which lies beside this file. Does not return."""
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xwalk")
    # The engines of Lance and Vortex are to see the packages of this interpreter.
    os.environ.setdefault("XWALK_PYTHON", sys.executable)
    os.execv(program, ["xwalk", *sys.argv[1:]])


if __name__ == "__main__":
    main()
