"""Kills, full disks, failing calls, faulty engines and load: checks the guarantees about outputs against all of them.

usage: torture.py XWALK SHIM [--seed S] [--minutes M | --rounds N] [--only CAMPAIGN] [--like REGEX] [--short] [--trial 'WORDS'] [--jobs N]

A trial is a line of words; `--trial` repeats one. The end is a table of what was done and what came of it, and each broken
promise with the command that repeats it; then the exit code is 1.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import sys
import time

import bench
import calls
import disks
import inputs
import engines
import kills
import load
import spark

CAMPAIGNS = [kills.Campaign, disks.Campaign, inputs.Campaign, engines.Campaign, load.Campaign, spark.Campaign, calls.Campaign]


def interpreter_of_engines():
    """Starts the host of engines of tests/truth if their packages are installed."""
    sys.path.append(str(pathlib.Path(__file__).parent.parent / "truth"))
    try:
        import lance  # noqa: F401
        import vortex  # noqa: F401
    except ImportError:
        return None
    import engine_host

    return engine_host.started()


class Report:
    def __init__(self, arguments):
        self.arguments, self.counts, self.broken = arguments, collections.defaultdict(collections.Counter), []

    def add(self, words, what, outcome, broken):
        self.counts[f"{words[0]}: {what}"]["broken" if broken else outcome] += 1
        if broken:
            self.broken.append((" ".join(words), broken))
            print(f"BROKEN {' '.join(words)}: {'; '.join(broken)[:2000]}", flush=True)

    def show(self, seconds):
        print("\n| what | trials | what came of it |\n|---|---|---|")
        for what, outcomes in sorted(self.counts.items()):
            print(f"| {what} | {sum(outcomes.values())} | {', '.join(f'{count} {word}' for word, count in outcomes.most_common())} |")
        total = sum(sum(outcomes.values()) for outcomes in self.counts.values())
        print(f"\n{total} trials in {seconds:.0f} s, seed {self.arguments.seed}, {len(self.broken)} broken promises")
        for words, broken in self.broken[:50]:
            print(f"  tests/torture/torture.py {self.arguments.program} {self.arguments.shim} --trial '{words}'\n    {'; '.join(broken)[:600]}")


def run_campaign(campaign, trials, report, jobs, rounds, end):
    """Runs trials until there are no more, or time or rounds are over."""
    running = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        started = 0
        while True:
            while len(running) < jobs and started < rounds and time.monotonic() < end:
                words = next(trials, None)
                if words is None:
                    break
                running[pool.submit(campaign.run, words)] = [campaign.name, *words]
                started += 1
            if not running:
                return
            for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                report.add(running.pop(future), *future.result())


def main(given):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("shim", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--only", action="append")
    parser.add_argument("--like", type=re.compile, default=re.compile(""))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--trial")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args(given)
    began = time.monotonic()
    report = Report(arguments)
    place = bench.Bench(arguments.program, arguments.shim, None if arguments.short else interpreter_of_engines())
    try:
        chosen = [kind for kind in CAMPAIGNS if not arguments.only or kind.name in arguments.only]
        if arguments.trial:
            name, *words = arguments.trial.split()
            campaign = next(kind for kind in CAMPAIGNS if kind.name == name)(place, arguments.short)
            report.add([name, *words], *campaign.run(words))
        else:
            for number, kind in enumerate(chosen):
                left = (arguments.minutes or 1e9) * 60 - (time.monotonic() - began)
                end = time.monotonic() + left / (len(chosen) - number)
                rng = random.Random(f"{arguments.seed} {kind.name}")
                campaign = kind(place, arguments.short)
                trials = (words for words in campaign.trials(rng) if arguments.like.search(" ".join(words)))
                run_campaign(campaign, trials, report, arguments.jobs, arguments.rounds or 10**9, end)
    finally:
        place.close()
    report.show(time.monotonic() - began)
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
