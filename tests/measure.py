"""The memory and the processor time of a command."""
import json
import subprocess
import sys
import tempfile

# A process starts with the peak of the process that forked it. This small process measures its one child exactly.
MEASURE = """
import json, os, signal, subprocess, sys
out, patience, words = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
child = subprocess.Popen(words, start_new_session=True)
ended = []
def end(*_):
    ended.append(True)
    os.killpg(child.pid, signal.SIGKILL)
signal.signal(signal.SIGALRM, end)
signal.alarm(patience)
_, status, usage = os.wait4(child.pid, 0)
signal.alarm(0)
with open(out, "w") as file:
    json.dump([None if ended else os.waitstatus_to_exitcode(status), usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime], file)
"""


def measure(words, patience=180, **options):
    """Runs a command; `options` are those of subprocess.run.

    Returns the exit code, the largest memory of a process in MB, and the processor time in seconds. The exit code is None if the
    command was ended after `patience` seconds.
    """
    with tempfile.NamedTemporaryFile(prefix="xwalk-measured-") as figures:
        subprocess.run([sys.executable, "-I", "-S", "-c", MEASURE, figures.name, str(patience), *map(str, words)], check=True, **options)
        return json.load(figures)
