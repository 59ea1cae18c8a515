"""Signals at random moments.

A trial: kills SOURCE TARGET MODE SIGNAL PART alone|group. PART is the moment, as a part of the time a run takes.
"""
import os
import signal
import subprocess
import time

import bench
import cases

SIGNALS = {"KILL": -9, "TERM": 143, "INT": 130, "HUP": 129, "XFSZ": None}
#: Enough that most of the time is spent on rows.
ROWS = 20_000
ENGINE_ROWS = 200


class Campaign:
    name = "kills"

    def __init__(self, bench_, short):
        self.bench, self.cases = bench_, cases.Cases(bench_)
        self.engines = not short and bench_.engine_interpreter is not None

    def case(self, source, target, mode):
        # With separate engines, so that a remaining one is found.
        rows = ENGINE_ROWS if cases.ENGINES & {source, target} else ROWS
        return self.cases.get(source, target, mode, rows, host=False)

    def trials(self, rng):
        while True:
            # Engines start a program of seconds: they come rarely.
            source, target = rng.choice(cases.pairs(self.engines and rng.random() < 0.1))
            mode = rng.choice(cases.MODES)
            if cases.can(source, target, mode):
                yield [source, target, mode, rng.choice(["KILL", "KILL", *SIGNALS]), f"{rng.random() * 1.1:.4f}",
                       rng.choice(["alone", "group"])]

    def run(self, words):
        source, target, mode, name, part, whom = words
        case = self.case(source, target, mode)
        folder = case.folder()
        broken = []
        with self.bench.started(case.words, folder, host=False) as process:
            time.sleep(case.seconds * float(part))
            number = getattr(signal, f"SIG{name}")
            try:
                os.killpg(process.pid, number) if whom == "group" else process.send_signal(number)
            except ProcessLookupError:
                pass  # it was quick
            try:
                said = process.communicate(timeout=bench.PATIENCE)[1].decode(errors="replace")
            except subprocess.TimeoutExpired:
                broken.append(f"{name} does not end it")
                process.kill()
                said = process.communicate()[1].decode(errors="replace")
            if left := bench.orphans(process.pid):
                broken.append(f"orphans: {left}")
            run = bench.Run(process.returncode, b"", said)
        # Before it handles signals, the program ends by them.
        if run.code not in (0, SIGNALS[name], -number):
            broken.append(f"code {run.code}: {said[:300]}")
        outcome, more = case.judge(folder, run, killed=run.code != 0)
        if outcome == "between" and run.code >= 0:
            more.append("a handled signal ended it between two renames")
        broken += more + case.leftovers(folder, killed=run.code < 0)
        bench.remove(folder)
        return f"{name} {'with' if cases.ENGINES & {source, target} else 'without'} engines", outcome, broken
