"""Runs the program for one trial, with the shim if requested, and leaves no process."""
import bisect
import contextlib
import functools
import itertools
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).parent
#: The kinds of calls, as the shim counts them.
KINDS = re.findall(r'"(\w+)"', re.search(r"kNames\[KINDS\] = \{(.*?)\};", (HERE / "failing_calls.c").read_text(), re.S)[1])
TRACE = 2048
#: Seconds after which a run hangs.
PATIENCE = 60
#: What a name has while its content is being written.
STAGED = ".xwalk-"


@functools.lru_cache
def symbols(file):
    """Returns the addresses and names of a file's functions, also local ones, or none if no tool can list them."""
    with contextlib.suppress(OSError):
        lines = subprocess.run(["nm", "-n", "-C", "--defined-only", file], capture_output=True, text=True).stdout.splitlines()
        found = [line.split(" ", 2) for line in lines if line[17:18] in "tTwW"]
        return [int(address, 16) for address, _, _ in found], [name for _, _, name in found]
    return [], []


def named(trace, folder):
    """Returns a stack with names for the addresses in our own files, `xwalk+1a2b3c`."""

    def name(word):
        file, plus, offset = word.partition("+")
        path = pathlib.Path(folder, file)
        if not plus or not path.is_file():
            return word
        addresses, names = symbols(str(path))
        at = bisect.bisect_right(addresses, int(offset, 16)) - 1
        if at < 0:
            return word
        # Without arguments, and without spaces.
        plain = names[at].replace("(anonymous namespace)", "_")
        return f"{file}:{re.split('[(<]', plain)[0].split(' ')[-1]}"

    return " ".join(name(word) for word in trace.split())


class Run:
    """The result of a run: `code` (negative: a signal), `words` of standard error, what the shim saw."""

    def __init__(self, code, out, words, tally=b""):
        self.code, self.out, self.words, self.hung = code, out, words, False
        self.calls, self.failed, self.bytes, self.failed_in, self.ended_in = {}, 0, 0, "", ""
        if tally:
            numbers = struct.unpack_from(f"{len(KINDS) + 2}Q", tally)
            self.calls = dict(zip(KINDS, numbers))
            self.failed, self.bytes = numbers[-2:]
            traces = tally[8 * len(numbers):]
            self.failed_in, self.ended_in = (part.rstrip(b"\0").decode(errors="replace") for part in (traces[:TRACE], traces[TRACE:]))


class Bench:
    """A folder of one's own, the program, and how it is started."""

    def __init__(self, program, shim, engine_interpreter=None):
        self.program, self.shim, self.engine_interpreter = str(program), str(shim), engine_interpreter
        self._scratch = tempfile.TemporaryDirectory(prefix="xwalk-torture-")
        self.folder = pathlib.Path(self._scratch.name)
        self._numbers = itertools.count()

    def close(self):
        self._scratch.cleanup()

    def new_folder(self, kind="work"):
        folder = self.folder / f"{kind}-{next(self._numbers)}"
        folder.mkdir()
        return folder

    def new_tally(self, folder):
        """Makes the file in which the shim counts what happens in a folder."""
        tally = folder.parent / f"{folder.name}.tally"
        tally.write_bytes(bytes(8 * (len(KINDS) + 2) + 2 * TRACE))
        return tally

    def environment(self, shim=None, host=True):
        """`shim`: variables of the shim; `host`: engines start as forks of one process that has their packages."""
        variables = {**os.environ, "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
        if host and self.engine_interpreter:
            variables["XWALK_PYTHON"] = self.engine_interpreter
        if shim is not None:
            variables["LD_PRELOAD"] = self.shim
            variables.update({f"TORTURE_{name.upper()}": str(value) for name, value in shim.items()})
        return variables

    @contextlib.contextmanager
    def started(self, words, folder, shim=None, host=True, program=None, more={}, **options):
        """Starts the program in a session of its own; at the end nothing of that session is left."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen([program or self.program, *words], cwd=folder, env={**self.environment(shim, host), **more},
                                   start_new_session=True, **options)
        try:
            yield process
        finally:
            for pid in session_of(process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                if stream:
                    stream.close()

    def run(self, words, folder, shim=None, host=True, patience=PATIENCE, **options):
        tally = None
        if shim is not None:
            tally = self.new_tally(folder)
            shim = {"program": self.program, "tally": tally, **shim}
            if shim["program"] is None:
                del shim["program"]
        with self.started(words, folder, shim, host, **options) as process:
            try:
                out, said = process.communicate(timeout=patience)
                hung = False
            except subprocess.TimeoutExpired:
                process.kill()
                out, said = process.communicate()
                hung = True
            run = Run(process.returncode, out, (said or b"").decode(errors="replace"), tally.read_bytes() if tally else b"")
            run.hung = hung
            run.failed_in, run.ended_in = (named(part, pathlib.Path(self.program).parent) if run.code < 0 else part
                                           for part in (run.failed_in, run.ended_in))
        if tally:
            tally.unlink()
        return run


def session_of(session):
    """Lists the processes of a session that still run."""
    out = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            words = pathlib.Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            if int(words[3]) == session and words[0] not in "ZX":
                out.append(int(entry.name))
    return out


def orphans(session, patience=20):
    """Returns what still runs of a session whose leader has ended, after a time to end by itself."""
    end = time.monotonic() + patience
    while (left := session_of(session)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


def staged(folder):
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if STAGED in path.name]


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
