"""Runs numbered trips of a random test, and knows the faults that are known."""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import traceback

import faults
import trip
from dice import Dice

from tests import harness
from tests.harness import PROGRAM

#: A campaign ends after this many broken promises.
MOST = 10
SCRATCH = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class Xwalk:
    """The program, asked in a folder; it remembers what it was asked, to be shown."""

    def __init__(self, folder=None):
        self.folder, self.asked = folder, []

    def run(self, *words, **more):
        """Exit code, standard output and standard error of a command."""
        words = [str(word) for word in words]
        self.asked.append(words)
        done = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=1000,
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


def make_trip(name, go, seed, number, kept):
    """Makes one trip of a campaign. Returns what came of it and whether it broke a promise that no known fault explains."""
    with tempfile.TemporaryDirectory(prefix="xwalk-truth-", dir=SCRATCH) as place:
        folder = pathlib.Path(place)
        xwalk = Xwalk(folder)
        try:
            return go(Dice(f"{seed}:{number}"), xwalk, folder), False
        except trip.Broken as found:
            words = f"{found.law}: {found.words}"
            if (fault := known(words, faults.OF.get(name, {}))) is not None:
                return f"known: {fault}", False
            came = "broken"
        except Exception:  # noqa: BLE001: the trip is reported, and the next one made
            words, came = traceback.format_exc(), "an error of the test"
        print(f"\ntrip {number} of seed {seed}: {words}\n{xwalk.commands()}")
        if kept:
            shutil.copytree(folder, pathlib.Path(kept) / f"trip-{seed}-{number}", dirs_exist_ok=True)
        return came, True


def run(tested, options):
    """Makes the trips of a module: `go(rng, xwalk, folder)` returns what came of one, or raises trip.Broken; `prepare` comes first.

    The test fails if a promise is broken, or if a known fault (`faults.py`) is repaired and still listed.
    """
    trips = options.trips or (tested.TRIPS if harness.ALL else tested.TRIPS // 2)
    if hasattr(tested, "prepare"):
        tested.prepare(trips)
    outcomes, failed = collections.Counter(), 0
    for number in range(options.first, options.first + trips):
        came, is_broken = make_trip(tested.__name__, tested.go, options.seed, number, options.keep)
        outcomes[came] += 1
        failed += is_broken
        if failed >= MOST:
            break
    print(", ".join(f"{count} {came}" for came, count in sorted(outcomes.items())))
    assert not failed, f"{failed} trips broke a promise"
    for name, fault in faults.OF.get(tested.__name__, {}).items():
        with tempfile.TemporaryDirectory(prefix="xwalk-truth-") as place:
            assert fault.case(Xwalk(pathlib.Path(place)), pathlib.Path(place)), f"the known fault {name!r} is repaired: remove it"
