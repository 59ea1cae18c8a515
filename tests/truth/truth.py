"""Asks the program, from outside, whether what it says of a conversion is what happens.

usage: truth.py XWALK [--trips N] [--seed S] [--pair FROM:TO] [--keep FOLDER]

Random tables of all six systems are written by the systems' own packages (YTsaurus's YSON, pyarrow, pylance,
vortex-data; Skiff by an encoder of this folder), go to another system and back, and are read there and after by those
packages. Nothing here is shared with the library. A broken promise is shrunk to few columns and rows, kept in FOLDER,
and printed as the commands that show it.
"""
import argparse
import collections
import pathlib
import random
import sys
import tempfile

try:
    import pyarrow  # noqa: F401
    import yt.yson  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

import arrow_tables
import skiff_tables
import trip
import yt_tables

SYSTEMS = ["yt", "skiff", "parquet", "arrow", "lance", "vortex"]
#: Engines start a program for each file, which takes a second: they come rarely, with many columns.
ENGINES = {"lance", "vortex"}
ROWS = 12


#: Options of the way there that must change nothing of what is promised.
OPTIONS = [(), (), (), ("--batch-rows", "1"), ("--batch-rows", "5"), ("--threads", "1")]


def pair_of(rng, wanted):
    if wanted:
        return rng.choice(wanted)
    while True:
        pair = rng.choice(SYSTEMS), rng.choice(SYSTEMS)
        if not ENGINES & set(pair) or rng.random() < 0.02:
            return pair


def make(rng, system, path, columns):
    if system == "yt":
        yt_tables.make(rng, path, columns, ROWS)
    elif system == "skiff":
        skiff_tables.make(rng, path, min(columns, 6), ROWS)
    else:
        arrow_tables.make(rng, system, path, columns, ROWS)


def part(system, source, target, columns=None, rows=None):
    trip.remove(target)
    if system == "yt":
        yt_tables.without(source, target, columns, rows)
    elif system == "skiff":
        skiff_tables.without(source, target, columns, rows)
    else:
        arrow_tables.without(system, source, target, columns, rows)


def broken_in(program, source_system, source, target_system, folder, options):
    try:
        trip.there_and_back(program, source_system, source, target_system, folder, options)
    except trip.Broken as broken:
        return broken
    return None


def shrink(program, source_system, source, target_system, folder, options, broken):
    """Leaves out columns and rows while the same law is broken; returns the smallest file and what it shows."""
    number = 0

    def still(columns=None, rows=None):
        nonlocal number
        number += 1
        smaller = folder / f"smaller-{number}{source.suffix}"
        try:
            part(source_system, source, smaller, columns, rows)
            found = broken_in(program, source_system, smaller, target_system, folder, options)
        except Exception:  # noqa: BLE001: a package that cannot write the part
            found = None
        if found is None or found.law != broken.law:
            trip.remove(smaller)
            return None
        return smaller, found

    names, columns = trip.read(source_system, source)
    for name in names:
        if found := still(columns=[name]):
            source, broken = found
            break
    count = len(columns[0])
    for size in (1, 2, 4):
        for start in range(0, count, size):
            if found := still(rows=(start, size)):
                return found
    return source, broken


def show(program, source_system, source, target_system, options, broken, keep, number):
    kept = keep / f"broken-{number}.{trip.EXTENSION[source_system]}"
    trip.remove(kept)
    source.rename(kept)
    side = source.with_name(source.name + ".schema")
    if side.exists():
        side.rename(kept.with_name(kept.name + ".schema"))
    there = kept.with_name(f"there-{number}.{trip.EXTENSION[target_system]}")
    print(f"\n{source_system} → {target_system}: {broken.law}: {broken.words}")
    print(f"  {program} check {kept} --to {target_system}")
    print(f"  {program} convert {kept} {there} --on-error skip {' '.join(options)}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--trips", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="number of the first trip")
    options.add_argument("--pair", action="append", help="FROM:TO; all pairs else")
    options.add_argument("--keep", type=pathlib.Path, help="where broken files are kept")
    options.add_argument("--most", type=int, default=10, help="ends after so many broken promises")
    chosen = options.parse_args()
    wanted = [tuple(pair.split(":")) for pair in chosen.pair or []]
    keep = chosen.keep or pathlib.Path(tempfile.mkdtemp(prefix="xwalk-truth-"))
    keep.mkdir(parents=True, exist_ok=True)
    outcomes, broken_trips = collections.Counter(), 0
    pairs = collections.Counter()
    for number in range(chosen.first, chosen.first + chosen.trips):
        rng = random.Random(f"{chosen.seed}:{number}")
        source_system, target_system = pair_of(rng, wanted)
        pairs[source_system, target_system] += 1
        way = rng.choice(OPTIONS)
        columns = 10 if ENGINES & {source_system, target_system} else rng.randint(1, 3)
        with tempfile.TemporaryDirectory(prefix="xwalk-truth-") as name:
            folder = pathlib.Path(name)
            source = folder / f"source.{trip.EXTENSION[source_system]}"
            try:
                make(rng, source_system, source, columns)
                trip.read(source_system, source)
            except Exception:  # noqa: BLE001: the package does not read what it wrote
                outcomes["not readable by its own package"] += 1
                continue
            try:
                outcomes[trip.there_and_back(chosen.program, source_system, source, target_system, folder, way)] += 1
            except trip.Broken as broken:
                outcomes["broken"] += 1
                broken_trips += 1
                smallest, found = shrink(chosen.program, source_system, source, target_system, folder, way, broken)
                print(f"trip {number} of seed {chosen.seed}", end="")
                show(chosen.program, source_system, smallest, target_system, way, found, keep, number)
        if broken_trips >= chosen.most:
            break
    print("\ntrips from, to:")
    for source in SYSTEMS:
        print(f"  {source:8}", *(f"{target} {pairs[source, target]:>6}" for target in SYSTEMS))
    print(", ".join(f"{count} {what}" for what, count in sorted(outcomes.items())))
    return 1 if broken_trips else 0


if __name__ == "__main__":
    sys.exit(main())
