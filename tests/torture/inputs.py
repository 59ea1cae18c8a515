"""Inputs that become shorter, disappear, are replaced or rewritten in place while they are read.

A trial: inputs SOURCE TARGET shrink|vanish|replace|rewrite PART. PART is the moment, as a part of the time a run takes.
"""
import os
import random
import shutil
import time

import bench
import cases

ROWS = 60_000
WAYS = ("shrink", "vanish", "replace", "rewrite")


class Campaign:
    name = "inputs"

    def __init__(self, bench_, short):
        self.bench, self.short, self.cases = bench_, short, cases.Cases(bench_)

    def case(self, source, target):
        case = self.cases.get(source, target, "fresh", ROWS)
        with self.cases.lock:
            if not hasattr(case, "other"):
                # What replaces the input, and what comes of that.
                case.other = self.bench.new_folder("other")
                cases.put(self.bench, case.other, "old.yson", cases.OLD_SCHEMA,
                          "".join(f'{{a={n}.5;s="old"}};\n' for n in range(ROWS)), case.words[1])
                copy = self.bench.new_folder()
                shutil.copytree(case.other, copy, dirs_exist_ok=True)
                self.bench.run(case.words, copy)
                case.wanted_of_other = case.state(copy)
                bench.remove(copy)
        return case

    def trials(self, rng):
        while True:
            source, target = rng.choice(cases.pairs(not self.short and self.bench.engine_interpreter is not None and rng.random() < 0.1))
            if source != "lance":  # a dataset has versions of its own
                yield [source, target, rng.choice(WAYS), f"{rng.random() * 1.1:.4f}"]

    def run(self, words):
        source, target, way, part = words
        case = self.case(source, target)
        folder = case.folder()
        path = folder / case.words[1]
        size = path.stat().st_size
        # Inside a row: a file that ends between two is a whole one.
        cut = random.Random(part).choice([1, size - 3])
        with self.bench.started(case.words, folder) as process:
            time.sleep(case.seconds * float(part))
            if way == "shrink":
                os.truncate(path, cut)
            elif way == "vanish":
                path.unlink()
            elif way == "rewrite":
                with open(path, "r+b") as file:
                    file.write(b"\xff" * size)
            elif source in cases.SIDES:
                self.bench.run(["convert", case.other / path.name, path.name, "--mode", "overwrite"], folder)
            else:
                shutil.copy(case.other / path.name, folder / "next")
                os.replace(folder / "next", path)
            said = process.communicate(timeout=bench.PATIENCE)[1].decode(errors="replace")
            run = bench.Run(process.returncode, b"", said)
        after = {name: what for name, what in case.state(folder).items() if not name.startswith("in.")}
        wanted, other = ({name: what for name, what in state.items() if not name.startswith("in.")}
                         for state in (case.wanted, case.wanted_of_other))
        broken = []
        if run.code == 0:
            outcome = "whole" if after == wanted else "whole, of the other"
            if after != wanted and not (way == "replace" and after == other):
                broken.append(f"exit 0, and the output is another: {cases.differences(after, wanted)}")
        else:
            outcome = f"refused with {run.code}"
            # 3: the old bytes are not in the format; 2: the schema is gone.
            if run.code not in (74, 3):
                broken.append(f"code {run.code}: {said[:300]}")
            if after:
                broken.append(f"there is an output: {sorted(after)}")
        broken += case.leftovers(folder, killed=False)
        bench.remove(folder)
        return way, outcome, broken
