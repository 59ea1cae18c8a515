"""Runs numbered trips of a random test, and knows the faults that are known."""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import traceback

import trip
from dice import Dice


class Xwalk:
    """The program, asked in a folder; it remembers what it was asked, to be shown."""

    def __init__(self, program, folder=None):
        self.program, self.folder, self.asked = str(pathlib.Path(program).resolve()), folder, []

    def run(self, *words, **more):
        """Exit code, standard output and standard error of a command."""
        words = [str(word) for word in words]
        self.asked.append(words)
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=1000,
                              **more)
        if done.returncode not in range(0, 5) and done.returncode not in (74, 77):
            raise trip.Broken("a program ends by itself", f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[:600]}")
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def told(self, *words):
        """The same, with the JSON that is printed in the place of the output; None if it is not JSON."""
        code, out, err = self.run(*words, "--json")
        return code, json_in(out) if out.strip() else json_in(err), err

    def commands(self):
        return "\n".join("  xwalk " + " ".join(map(quoted, words)) for words in self.asked)


def json_in(text):
    """A text that is JSON, or whose last line is."""
    for each in (text, text.strip().split("\n")[-1]):
        try:
            return json.loads(each)
        except ValueError:
            pass
    return None


def quoted(word):
    return word if re.fullmatch(r"[\w./=:,+-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def broken(law, *words):
    raise trip.Broken(law, " ".join(map(str, words))[:1500])


def known(words, faults):
    """The name of the known fault that explains the words; nothing for a new one."""
    return next((name for name, fault in faults.items() if fault.pattern.search(words)), None)


class Campaign:
    """Trips of one test: `go(rng, xwalk, folder)` returns what came of one, or raises trip.Broken."""

    def __init__(self, chosen, go, faults):
        self.chosen, self.go, self.faults, self.failed = chosen, go, faults, 0
        self.scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

    def trip(self, seed, number):
        """Makes one trip. Returns what came of it; reports a broken promise that no known fault explains."""
        with tempfile.TemporaryDirectory(prefix="xwalk-truth-", dir=self.scratch) as name:
            folder = pathlib.Path(name)
            xwalk = Xwalk(self.chosen.program, folder)
            try:
                return self.go(Dice(f"{seed}:{number}"), xwalk, folder)
            except trip.Broken as found:
                words = f"{found.law}: {found.words}"
                if (fault := known(words, self.faults)) is not None:
                    return f"known: {fault}"
                came = "broken"
            except Exception:  # noqa: BLE001: the trip is reported, and the next one made
                words, came = traceback.format_exc(), "an error of the test"
            self.failed += 1
            print(f"\ntrip {number} of seed {seed}: {words}\n{xwalk.commands()}", flush=True)
            if self.chosen.keep:
                shutil.copytree(folder, self.chosen.keep / f"trip-{seed}-{number}", dirs_exist_ok=True)
            return came


def main(doc, trips, go, faults, prepare=None):
    """Makes trips. The test fails if a known fault (`faults.py`) is repaired and still listed."""
    options = argparse.ArgumentParser(description=doc.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--trips", type=int, default=trips)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="number of the first trip")
    options.add_argument("--keep", type=pathlib.Path, help="where the files of broken trips are kept")
    options.add_argument("--most", type=int, default=10, help="ends after N broken promises")
    chosen, more = options.parse_known_args()
    if prepare:
        prepare(chosen, more)
    campaign, outcomes = Campaign(chosen, go, faults), collections.Counter()
    for number in range(chosen.first, chosen.first + chosen.trips):
        outcomes[campaign.trip(chosen.seed, number)] += 1
        if campaign.failed >= chosen.most:
            break
    print(", ".join(f"{count} {came}" for came, count in sorted(outcomes.items())))
    repaired = [name for name, fault in faults.items() if not is_still_there(chosen, fault)]
    for name in repaired:
        print(f"FAILED: the known fault {name!r} is repaired: remove it from faults.py")
    return 1 if campaign.failed or repaired else 0


def is_still_there(chosen, fault):
    with tempfile.TemporaryDirectory(prefix="xwalk-truth-") as name:
        return fault.case(Xwalk(chosen.program, pathlib.Path(name)), pathlib.Path(name))


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(77)
