"""The N-th call of a kind fails, once or from then on, or the process is ended there; N goes through all of them.

A trial: calls SOURCE TARGET MODE KIND N once|on|kill|killed. `kill` ends the process before the call, `killed` after it.
"""
import collections
import errno
import re
import signal

import bench
import cases

ERRORS = {"open": errno.EMFILE, "write": errno.ENOSPC, "pwrite": errno.ENOSPC, "mmap": errno.ENOMEM, "spawn": errno.EAGAIN,
          "pipe": errno.EMFILE, "link": errno.EPERM, "stat": errno.EACCES, "folder": errno.EACCES, "allocate": errno.ENOMEM}
#: A conversion is small: it is made once for every call it makes.
ROWS = 20
#: Functions to skip in a stack: calls are made through these.
BETWEEN = re.compile(r"^(static|libxwalk_torture|shim|libc\.|libstdc\+\+|libgcc|ld-linux|libm\.|libpthread|[\w.]+:std::)")
#: A library whose code is compiled into xwalk. Its destructors allocate.
WITHIN = re.compile(r"^[\w.]+:(nlohmann)::")
OURS = re.compile(r"^(xwalk|libxwalk_parquet\.so)")
#: What is named where a call fails: a file, a program, a resource that has no name.
NAMED = re.compile(r"^/\S*: error|in\.\w+|out[-.\w]*|rejects\.yson|xwalk-engine-\w+|libxwalk_parquet|/tmp|TMPDIR|memory|thread|<std\w+>|pipe")
#: How the C library ends a process that has no memory for a thread's own variables or for a library, with code 127.
LIBC_ENDS = re.compile(r"cannot allocate memory for thread-local data|Fatal glibc error|^out of memory$", re.MULTILINE)


def owner(trace):
    """Returns the library or program that made the call of a stack."""
    word = next((word for word in trace.split() if not BETWEEN.match(word)), "libc")
    within = WITHIN.match(word)
    return within[1] if within else word.partition(":")[0]


class Campaign:
    name = "calls"

    def __init__(self, bench_, short):
        self.bench, self.short, self.cases = bench_, short, cases.Cases(bench_)

    def case(self, source, target, mode):
        return self.cases.get(source, target, mode, ROWS)

    def trials(self, rng):
        """Goes through all calls of all cases, some of each case at a time."""
        chosen = [(source, target, mode) for source, target in cases.pairs(not self.short and self.bench.engine_interpreter is not None)
                  for mode in (["overwrite"] if self.short else cases.MODES) if cases.can(source, target, mode)]
        rng.shuffle(chosen)
        return cases.in_turns([self.trials_of(*case, rng) for case in chosen], 3 if self.short else 100)

    def trials_of(self, source, target, mode, rng):
        todo = []
        for kind, count in self.case(source, target, mode).first.calls.items():
            ways = ["kill", "killed"] if kind == "step" else ["once", "on"]
            todo += [[source, target, mode, kind, str(number + 1), way] for number in range(count) for way in ways]
        # Kinds take turns, as allocations are many and renamings few.
        rng.shuffle(todo)
        seen = collections.Counter()
        turns = []
        for words in todo:
            seen[words[3]] += 1
            turns.append(seen[words[3]])
        yield from (words for _, words in sorted(zip(turns, todo), key=lambda pair: pair[0]))

    def run(self, words):
        source, target, mode, kind, number, way = words
        case = self.case(source, target, mode)
        folder = case.folder()
        kill = way.startswith("kill")
        shim = {"kind": kind, "at": number, "on": int(way == "on"), "error": ERRORS.get(kind, errno.EIO)}
        if kill:
            shim |= {"signal": int(signal.SIGKILL), "after": int(way == "killed")}
        run = self.bench.run([*case.words, "--durable"] if kind == "fsync" else case.words, folder, shim=shim)
        libc_ends = run.code == 127 and LIBC_ENDS.search(run.words)
        ended = run.code < 0 or libc_ends
        # What cannot be renamed cannot be taken back either: the pair is refused then.
        outcome, broken = case.judge(folder, run, killed=ended or (kind, way) == ("rename", "on"))
        # If no file can be opened, no folder can be emptied.
        broken += case.leftovers(folder, killed=ended or (kind, way) == ("open", "on"))
        if run.hung:
            broken.append("hangs")
        elif libc_ends:
            outcome = "ended by libc"
        elif run.code < 0 and not kill:
            # Where all calls fail from then on, who made the first of them need not be who could not go on.
            last = run.ended_in if way == "on" and run.ended_in else run.failed_in
            where = "static initialisation" if run.failed_in.startswith("static") else owner(last)
            if OURS.match(where):
                broken.append(f"signal {-run.code}: {run.words[-300:]} at {run.failed_in[:600]} ENDED IN {run.ended_in[:600]}")
            else:
                outcome = f"ended by {where}"
        elif run.code > 0 and run.code != 74:
            broken.append(f"code {run.code}: {run.words[:300]}")
        elif run.code == 74 and not NAMED.search(run.words):
            broken.append(f"nothing is named: {run.words[:300]}")
        bench.remove(folder)
        return f"{kind} {'killed' if kill else 'fails'}", outcome, broken
