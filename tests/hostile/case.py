"""Named cases of hostile input: how a case is written, and how its commands are run and measured."""
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

from tests import harness
from tests.harness import PROGRAM, ROOT
from tests.measure import measure

TESTS = ROOT / "tests"
# A sanitizer takes memory and time of its own, so both bounds say nothing about xwalk then.
IS_BOUNDED = "XWALK_TEST_SANITIZED" not in os.environ
SLOWER = 1 if IS_BOUNDED else 4
# No command ends like this for any input.
NEVER = ("terminate called", "Sanitizer", "Traceback (most recent call last)", "INTERNAL Error", "stoi")


@dataclasses.dataclass
class Command:
    """One command of a case, and all that is expected of it."""

    words: list
    exits: tuple = (0,)
    memory: int = 200  # MB of the largest process
    seconds: float = 20  # of processor time, with all its processes
    said: tuple = ()  # texts in stdout or stderr
    unsaid: tuple = ()
    leaves: tuple | None = ()  # new names in the folder, no others; None: the case looks itself
    variables: dict = dataclasses.field(default_factory=dict)
    stdin: bytes = b""
    patience: int = 180  # seconds until a command counts as hanging, on a loaded machine too


@dataclasses.dataclass
class Done:
    """What a command did."""

    code: int | None
    stdout: str
    stderr: str
    memory: float
    seconds: float


#: The functions that make cases, by name.
CASES = {}


def case(name):
    """Registers a function as the case of a name.

    The function makes the input in a folder of its own (`here`) and yields commands. Each `yield` returns what the command did.
    """
    def register(make):
        if name in CASES:
            raise ValueError(f"two cases are called {name}")
        CASES[name] = make
        return make
    return register


@dataclasses.dataclass
class Here:
    """The folder of one case, and the programs that are tested."""

    folder: pathlib.Path
    program = PROGRAM
    python = sys.executable
    problems: list = dataclasses.field(default_factory=list)

    def xwalk(self, *words, **expected):
        return Command([str(self.program), *map(str, words)], **tupled(expected))

    def tests(self, path, *names, **expected):
        """Returns a command that runs a file of tests, or those of some names, with pytest."""
        chosen = [f"{TESTS / path}{'::' * bool(name)}{name}" for name in names or ("",)]
        return Command([self.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--program={self.program}", *chosen],
                       **tupled({"seconds": 60, "memory": 1000, "exits": (0, 77), "patience": 500, **expected}))

    def write(self, name, data, schema=None):
        """Writes a file and, if it has one, the schema next to it."""
        return harness.write(self.folder / name, data, schema)

    def make(self, code, *needs):
        """Makes an input with packages that this process does not load: `code` is a Python program."""
        done = subprocess.run([self.python, "-W", "ignore", "-c", code], cwd=self.folder, capture_output=True, text=True)
        missing = re.search(r"No module named '(\w+)", done.stderr)
        if missing and missing[1] in needs:
            pytest.skip(f"{missing[1]} is not installed")
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return done.stdout

    def needs(self, name):
        """Returns a file next to the program; skips the case if the build has none of this name."""
        return harness.needs(name)

    def expect(self, condition, *words):
        if not condition:
            self.problems.append(" ".join(str(word) for word in words)[:1500])


def tupled(expected):
    """Lets a single text, number or name stand for a tuple of one."""
    return {key: (value,) if key in ("exits", "said", "unsaid", "leaves") and isinstance(value, (str, int)) else value
            for key, value in expected.items()}


def names(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def measured(command, folder):
    """Runs a command and returns what it did."""
    with tempfile.TemporaryDirectory(prefix="xwalk-measured-") as aside:
        out, err = (pathlib.Path(aside) / name for name in ("out", "err"))
        with open(out, "wb") as stdout, open(err, "wb") as stderr:
            code, memory, seconds = measure(
                command.words, command.patience * SLOWER, cwd=folder, stdout=stdout, stderr=stderr, input=command.stdin,
                env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8", "AWS_EC2_METADATA_DISABLED": "true", **command.variables})
        return Done(code, out.read_text(errors="replace"), err.read_text(errors="replace"), memory, seconds)


def problems_of(command, done, new):
    """Yields what is not as the command expects it."""
    text = done.stdout + done.stderr
    if done.code is None:
        yield f"still running after {command.patience * SLOWER} s"
    elif done.code not in command.exits:
        yield f"exit code {done.code}, expected {' or '.join(map(str, command.exits))}"
    if IS_BOUNDED and done.memory > command.memory:
        yield f"{done.memory:.0f} MB, at most {command.memory} expected"
    if IS_BOUNDED and done.seconds > command.seconds:
        yield f"{done.seconds:.1f} s of processor time, at most {command.seconds} expected"
    yield from (f"expected {word!r} in the output" for word in command.said if word not in text)
    yield from (f"unexpected {word!r} in the output" for word in (*command.unsaid, *NEVER) if word in text)
    if command.leaves is not None and new != set(command.leaves):
        yield f"new files: {sorted(new)}, expected {sorted(command.leaves)}"


def run_case(make, here):
    """Runs all commands of a case and returns them with what they did."""
    made = make(here)
    runs = []
    answer = None
    while True:
        try:
            command = made.send(answer)
        except StopIteration:
            return runs
        before = names(here.folder)
        answer = measured(command, here.folder)
        if answer.code == 77 and 77 in command.exits:
            pytest.skip(str(answer.stdout.strip().splitlines()[-2:-1]))
        new = {name for name in names(here.folder) - before if not any(name.startswith(f"{left}/") for left in command.leaves or ())}
        shown = " ".join(pathlib.Path(word).name if "/" in word else word for word in command.words)[:200]
        here.problems += [f"{shown}: {problem}\n{(answer.stdout[-500:] + answer.stderr[-1500:]).strip()}"
                          for problem in problems_of(command, answer, new)]
        runs.append((command, answer))
