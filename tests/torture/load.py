"""Many at once, pauses, and clocks that jump.

A trial: load writers TARGET N (writers of one name), load appends N (of one Lance dataset), load beside N (conversions side by
side), load overtaken TARGET nothing|schema|pair N (another run replaces what one is about to replace, which ends before its N-th
renaming, or never for 0), load threads N (of one Python program), load fork 0, load pause SOURCE TARGET SECONDS, load clock SOURCE TARGET,
load reader SOURCE (output through a pipe that is read slowly).
"""
import contextlib
import hashlib
import importlib.machinery
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

import bench
import cases

ROWS = 2_000
#: Converts in threads, or in children of a process that has threads; says how many went wrong.
PYTHON = """
import os, sys, threading
sys.path.insert(0, sys.argv[1])
import xwalk
kind, count, folder, source = sys.argv[2], int(sys.argv[3]), *sys.argv[4:]
problems = []

def work(name):
    try:
        for turn in range(4):
            xwalk.convert(source, f"{folder}/{name}.skiff", mode="overwrite")
    except BaseException as error:
        problems.append(f"{name}: {error!r}")

# What the first conversion of a process makes once may be half made in a child that is forked meanwhile.
xwalk.convert(source, f"{folder}/first.skiff")
threads = [threading.Thread(target=work, args=(n,)) for n in range(count)]
for thread in threads:
    thread.start()
if kind == "fork":
    children = []
    for n in range(4):
        child = os.fork()
        if child == 0:
            work(f"child{n}")
            os._exit(1 if problems else 0)
        children.append(child)
    problems += [f"child {child}" for child in children if os.waitpid(child, 0)[1] != 0]
for thread in threads:
    thread.join()
print(*problems, sep="\\n")
sys.exit(1 if problems else 0)
"""


class Campaign:
    name = "load"

    def __init__(self, bench_, short):
        self.bench, self.short, self.cases = bench_, short, cases.Cases(bench_)
        self.engines = not short and bench_.engine_interpreter is not None
        self.module = pathlib.Path(bench_.program).parent / "python"

    def case(self, source, target, mode="fresh"):
        return self.cases.get(source, target, mode, ROWS)

    def trials(self, rng):
        files = [pair for pair in cases.pairs(False)]
        while True:
            for target in ("skiff", "yt", "parquet"):
                yield ["writers", target, "8" if self.short else "20"]
            if self.engines:
                yield ["appends", "6"]
            for target in ("skiff",) if self.short else ("skiff", "yt"):
                yield from (["overtaken", target, before, number] for before in ("nothing", "schema", "pair") for number in "0123")
            yield ["beside", "8" if self.short else "100"]
            if any((self.module / f"xwalk/_xwalk{suffix}").exists() for suffix in importlib.machinery.EXTENSION_SUFFIXES):
                yield ["threads", "8"]
                yield ["fork", "2"]
            for _ in range(6):
                yield ["pause", *rng.choice(files), "0.5" if self.short or rng.random() < 0.95 else "60"]
                yield ["clock", *rng.choice(cases.pairs(self.engines))]
                yield ["reader", rng.choice([source for source, _ in cases.pairs(self.engines)])]

    def run(self, words):
        return getattr(self, f"run_{words[0]}")(*words[1:])

    def started_all(self, commands, folder):
        """Runs commands at once; returns their codes and words."""
        with contextlib.ExitStack() as stack:
            processes = [stack.enter_context(self.bench.started(words, folder)) for words in commands]
            said = [process.communicate(timeout=600)[1].decode(errors="replace") for process in processes]
            return [(process.returncode, text) for process, text in zip(processes, said)]

    def run_writers(self, target, count):
        """All say that it went well, and the name holds what one of them wrote."""
        case = self.case("yt", target, "overwrite")
        folder = case.folder()
        (folder / "other.yson").write_text('{a=1.5;s="other"};' * 500)
        (folder / "other.yson.schema").write_text(cases.OLD_SCHEMA)
        out = case.words[2]
        other = ["convert", "other.yson", *case.words[2:]]
        ended = self.started_all([case.words, other] * (int(count) // 2), folder)
        broken = [f"{code}: {words[:200]}" for code, words in ended if code != 0]
        state = case.state(folder)
        self.bench.run(other, folder)
        alternatives = [case.wanted, {name: what for name, what in case.state(folder).items() if not name.startswith("other")}]
        if {name: what for name, what in state.items() if not name.startswith("other")} not in alternatives:
            broken.append(f"{out} holds unknown content")
        broken += case.leftovers(folder, killed=False)
        bench.remove(folder)
        return f"writers of {target}", "whole", broken

    def run_overtaken(self, target, before, number):
        """Rows and schema are of the same run, or refused."""
        folder, name = self.bench.new_folder(), f"out.{cases.EXTENSIONS[target]}"
        words = ["convert", "-", name, "--from", "yt", "--mode", "overwrite", "--schema"]
        schemas, rows = (cases.OLD_SCHEMA, cases.NEW_SCHEMA), (b'{a=1.5;s="other"};', b'{a=1;s="own";l=[]};')
        whole = []
        for turn in range(2):
            with self.bench.started([*words, schemas[turn]], folder, stdin=subprocess.PIPE) as process:
                process.communicate(rows[turn], timeout=bench.PATIENCE)
            whole.append(self.shown(folder, name))
        side = folder / f"{name}.schema"
        side.write_text(re.sub(r'"xwalk_rows" = "[^"]*";', "", side.read_text()))
        for path in [folder / name] * (before != "pair") + [side] * (before == "nothing"):
            path.unlink()
        tally = self.bench.new_tally(folder)
        shim = {"program": self.bench.program, "tally": tally, "kind": "rename", "at": number, "signal": int(signal.SIGKILL)}
        with self.bench.started([*words, schemas[1]], folder, shim, stdin=subprocess.PIPE) as process:
            process.stdin.write(rows[1])
            process.stdin.flush()
            end = time.monotonic() + bench.PATIENCE
            while not bench.staged(folder) and time.monotonic() < end:
                time.sleep(0.01)
            with self.bench.started([*words, schemas[0]], folder, stdin=subprocess.PIPE) as other:
                said = other.communicate(rows[0], timeout=bench.PATIENCE)[1]
            process.communicate(timeout=bench.PATIENCE)
        state = self.shown(folder, name)
        broken = [f"the other: {other.returncode} {said}"] if other.returncode != 0 else []
        if state not in ([whole[1]] if process.returncode == 0 else [*whole, "refused"]):
            broken.append(f"{process.returncode}: {state}")
        bench.remove(folder)
        return "one overtakes another", "killed" if process.returncode else "whole", broken

    def shown(self, folder, name):
        """Returns the rows, or "refused" if their schema belongs to other rows."""
        run = self.bench.run(["convert", name, "-", "--to", "yt"], folder, stdout=subprocess.PIPE)
        if run.code == 0:
            return run.out
        return "refused" if run.code == 3 and "the schema of other rows" in run.words else run.words

    def run_appends(self, count):
        """Each writer that reported success has its rows once."""
        case = self.case("yt", "lance", "append")
        folder = case.folder()
        ended = self.started_all([[*case.words[:-1], "append-again"]] * int(count), folder)
        shown = self.bench.run(["convert", "out.lance", "-", "--to", "yt"], folder, stdout=subprocess.PIPE)
        rows = shown.out.count(b"\n")
        well = sum(code == 0 for code, _ in ended)
        broken = [f"{code}: {words[:200]}" for code, words in ended if code not in (0, 74)]
        if rows != 50 + ROWS * well:
            broken.append(f"{well} said that all went well, and there are {rows} rows")
        broken += case.leftovers(folder, killed=False)
        bench.remove(folder)
        return "appends to lance", f"{well} of {count}", broken

    def run_beside(self, count):
        pairs = cases.pairs(False)
        chosen = [self.case(*pairs[number % len(pairs)]) for number in range(int(count))]
        folders = [case.folder() for case in chosen]
        broken = []
        with contextlib.ExitStack() as stack:
            processes = [stack.enter_context(self.bench.started(case.words, folder)) for case, folder in zip(chosen, folders)]
            for case, folder, process in zip(chosen, folders, processes):
                said = process.communicate(timeout=600)[1].decode(errors="replace")
                if process.returncode != 0 or case.state(folder) != case.wanted:
                    broken.append(f"{case.name}: {process.returncode} {said[:200]}")
        for folder in folders:
            bench.remove(folder)
        return "side by side", "whole", broken

    def python(self, kind, count):
        case = self.case("yt", "skiff")
        folder = case.folder()
        process = subprocess.run([sys.executable, "-c", PYTHON, str(self.module), kind, count, str(folder), str(folder / "in.yson")],
                                 capture_output=True, timeout=300, start_new_session=True)
        broken = [] if process.returncode == 0 else [f"{process.returncode}: {(process.stdout + process.stderr).decode()[-500:]}"]
        wanted = case.wanted["out.skiff"]
        broken += [f"{path.name} is another" for path in folder.glob("*.skiff") if cases.digest(path) != wanted]
        broken += [f"left behind: {name}" for name in bench.staged(folder)]
        bench.remove(folder)
        return broken

    def run_threads(self, count):
        return f"{count} threads of Python", "whole", self.python("threads", count)

    def run_fork(self, count):
        return "fork in Python", "whole", self.python("fork", count)

    def run_pause(self, source, target, seconds):
        case = self.case(source, target, "overwrite")
        folder = case.folder()
        with self.bench.started(case.words, folder) as process:
            for _ in range(4):
                time.sleep(random.random() * 0.02)
                with contextlib.suppress(ProcessLookupError):
                    process.send_signal(signal.SIGSTOP)
                    time.sleep(float(seconds) / 4)
                    process.send_signal(signal.SIGCONT)
            said = process.communicate(timeout=bench.PATIENCE)[1].decode(errors="replace")
        outcome, broken = case.judge(folder, bench.Run(process.returncode, b"", said))
        if process.returncode != 0:
            broken.append(f"{process.returncode}: {said[:300]}")
        bench.remove(folder)
        return "pauses", outcome, broken

    def run_clock(self, source, target):
        case = self.case(source, target)
        folder = case.folder()
        run = self.bench.run(case.words, folder, shim={"clock": 1, "program": None}, host=False)
        outcome, broken = case.judge(folder, run)
        if run.code != 0:
            broken.append(f"{run.code}: {run.words[:300]}")
        bench.remove(folder)
        return "a clock that jumps", outcome, broken

    def run_reader(self, source):
        case = self.case(source, "yt")
        folder = case.folder()
        digest = hashlib.md5()
        with self.bench.started(["convert", case.words[1], "-", "--to", "yt"], folder, stdout=subprocess.PIPE) as process:
            time.sleep(0.3)
            while part := os.read(process.stdout.fileno(), 4096):
                digest.update(part)
                time.sleep(0.002)
            process.wait(bench.PATIENCE)
        broken = [] if process.returncode == 0 and digest.hexdigest() == case.wanted["out.yson"] else [f"{process.returncode}"]
        bench.remove(folder)
        return "a slow reader", "whole", broken
