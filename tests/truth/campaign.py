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
        done = subprocess.run([self.program, *words], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
                              **more)
        if done.returncode not in range(0, 5) and done.returncode not in (74, 77):
            raise trip.Broken("a program ends by itself", f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[:600]}")
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def told(self, *words):
        """The same, with what is printed as JSON in the place of the output; nothing where it is none."""
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
    """The name of the fault in a table of patterns that explains the words; nothing for a new one."""
    return next((name for name, pattern in faults.items() if re.search(pattern, words, re.S)), None)


def main(doc, trips, go, faults, prepare=None):
    """Makes trips: `go(rng, xwalk, folder)` returns what came of one, or raises trip.Broken. `faults` are those that are known:
    a name, and a pattern that its words match. One that no trip of a whole run met is told, for it may be repaired."""
    options = argparse.ArgumentParser(description=doc.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--trips", type=int, default=trips)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="number of the first trip")
    options.add_argument("--keep", type=pathlib.Path, help="where the files of broken trips are kept")
    options.add_argument("--most", type=int, default=10, help="ends after so many broken promises")
    chosen, more = options.parse_known_args()
    if prepare:
        prepare(chosen, more)
    outcomes, failed, met = collections.Counter(), 0, set()
    scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    for number in range(chosen.first, chosen.first + chosen.trips):
        with tempfile.TemporaryDirectory(prefix="xwalk-truth-", dir=scratch) as name:
            folder = pathlib.Path(name)
            xwalk = Xwalk(chosen.program, folder)
            try:
                came = go(Dice(f"{chosen.seed}:{number}"), xwalk, folder)
            except trip.Broken as found:
                words = f"{found.law}: {found.words}"
                came = known(words, faults)
                met.add(came)
                if came is None:
                    came, failed = "broken", failed + 1
                    print(f"\ntrip {number} of seed {chosen.seed}: {words}\n{xwalk.commands()}", flush=True)
                    keep(chosen, number, folder)
                else:
                    came = f"known: {came}"
            except Exception:  # noqa: BLE001: the trip is told, and the next one made
                failed += 1
                came = "an error of the test"
                print(f"\ntrip {number} of seed {chosen.seed}: {traceback.format_exc()}\n{xwalk.commands()}", flush=True)
                keep(chosen, number, folder)
        outcomes[came] += 1
        if failed >= chosen.most:
            break
    print(", ".join(f"{count} {came}" for came, count in sorted(outcomes.items())))
    # The trips of `make test` are always the same: a fault that they no longer meet is to be taken out of the table.
    repaired = set(faults) - met if (chosen.seed, chosen.first, chosen.trips) == (1, 0, trips) and not failed else set()
    for fault in sorted(repaired):
        print(f"FAILED: no trip meets the known fault {fault!r} any more: take it out of the table of faults")
    return 1 if failed or repaired else 0


def keep(chosen, number, folder):
    if chosen.keep:
        shutil.copytree(folder, chosen.keep / f"trip-{number}", dirs_exist_ok=True)


def skip(why):
    print(f"SKIPPED: {why}")
    sys.exit(77)
