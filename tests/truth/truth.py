"""Tests from outside whether reports of xwalk are true.

usage: truth.py XWALK [--trips N] [--minutes M] [--seed S] [--pair FROM:TO] [--keep FOLDER] [--jobs N] [--json FILE]
       truth.py --sum FILE...

Random tables of all six systems are written by the systems' own packages (YTsaurus's YSON, pyarrow, pylance,
vortex-data; Skiff by an encoder of this folder), go to another system and back, and are read there and after by those
packages. Nothing here is shared with the library. The Python module beside XWALK answers, and for a sample of the trips
the program and the C interface, which have to say the same. A broken promise is shrunk to few columns and rows by the
program, kept in FOLDER, and printed as the commands that show it.
"""
import argparse
import collections
import gc
import json
import os
import pathlib
import selectors
import shutil
import signal
import sys
import tempfile
import time

import arrow_tables
import controls
import interfaces
import engine_host
import evolution
import skiff_tables
import streams
import trip
import yt_tables
from dice import Dice

SYSTEMS = ["yt", "skiff", "parquet", "arrow", "lance", "vortex"]
#: Engines start a program for each file: they come rarely, with many columns.
ENGINES = ["lance", "vortex"]
CHEAP = ["yt", "skiff", "parquet", "arrow"]
#: One table of this many is read or written by an engine.
WITH_ENGINES = 300
ROWS = 12
#: A table goes to so many systems before the next one is made.
TRIPS_OF_TABLE = 4
#: One trip of this many uses every interface.
SAMPLE = 80
#: One trip of this many is about two schemas; about control attributes of streams, or about objects of this process.
EVOLUTIONS = 10
STREAMS = 15
#: Seconds after which a trip hangs.
PATIENCE = 300

#: Options of the way there that must change nothing of what is promised. Threads are slow to start for so few rows.
OPTIONS = [{}, *({"threads": 1, **more} for more in ({}, {}, {"batch_rows": 1}, {"batch_rows": 5}, {"annotations": False}))]


#: One trip of this many casts a column in the first conversion, to one of these types.
CASTS = 6
CAST_TYPES = ["utf8", "utf8", "binary", "bool", "int8", "int64", "uint64", "float", "double", "decimal(18,2)", "date32",
              "timestamp[us, tz=UTC]"]


def cast_of(rng, names):
    """A cast of one of the columns whose name is a path, if there is one."""
    names = [name for name in names if isinstance(name, str) and name and name.isprintable() and names.count(name) == 1]
    return {"cast": {json.dumps(rng.choice(names), ensure_ascii=False): rng.choice(CAST_TYPES)}} if names else {}


class Source:
    """A random table that TRIPS_OF_TABLE trips begin with, one after the other."""

    def __init__(self, chosen, number):
        self.group = number // TRIPS_OF_TABLE
        rng = Dice(f"{chosen.seed}:table {self.group}")
        if chosen.pairs:
            self.system = rng.choice(chosen.pairs)[0]
            targets = [target for source, target in chosen.pairs if source == self.system]
        else:
            with_engines = rng.random() * WITH_ENGINES < 1
            self.system = rng.choice(SYSTEMS if with_engines else CHEAP)
            targets = ENGINES if with_engines and self.system not in ENGINES else SYSTEMS if with_engines else CHEAP
        # Each target comes once before one comes twice.
        self.targets = [target for _ in range(TRIPS_OF_TABLE) for target in rng.sample(targets, len(targets))]
        columns = 10 if {self.system, *targets} & set(ENGINES) else rng.randint(1, 3)
        self.path = chosen.folder / f"source.{trip.EXTENSION[self.system]}"
        trip.remove(self.path)
        #: The result of the system's own package, and the schema in the first interface.
        self.table = self.schema = None
        try:
            make(rng, self.system, self.path, columns)
            self.table = trip.read(self.system, self.path)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001: errors and panics: the package does not read what it wrote
            pass

    def prepared(self, interface):
        if self.schema is None:
            schema = interface.schema(self.path)
            trip.same_as_itself(interface, schema)
            self.schema = schema
        return self.schema, self.table


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


def ask(law, asked, source_system, source, target_system, folder, options, prepared=None):
    """One trip by one interface, or the same by all of them."""
    if law == "interfaces agree":
        with tempfile.TemporaryDirectory(dir=folder) as own:
            trip.interfaces_agree(asked, source_system, source, target_system, pathlib.Path(own), options)
        return "run through all interfaces"
    return trip.there_and_back(asked[0], source_system, source, target_system, folder, options, prepared)


def shrink(asked, source_system, source, target_system, folder, options, broken):
    """Leaves out columns and rows while the same law is broken; returns the smallest file and what it shows."""
    number = 0

    def still(columns=None, rows=None):
        nonlocal number
        number += 1
        smaller = folder / f"smaller-{number}{source.suffix}"
        try:
            part(source_system, source, smaller, columns, rows)
            ask(broken.law, asked, source_system, smaller, target_system, folder, options)
        except trip.Broken as found:
            if found.law == broken.law:
                return smaller, found
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001: errors and panics: a package that cannot write the part
            pass
        trip.remove(smaller)
        return None

    table = trip.read(source_system, source)
    for name in table.names:
        if found := still(columns=[name]):
            source, broken = found
            break
    count = len(table.columns[0])
    for size in (1, 2, 4):
        for start in range(0, count, size):
            if found := still(rows=(start, size)):
                return found
    return source, broken


def show(program, source_system, source, target_system, options, broken, keep, number):
    kept = keep / f"broken-{number}.{trip.EXTENSION[source_system]}"
    trip.remove(kept)
    for beside in ("", ".schema"):
        file = source.with_name(source.name + beside)
        if file.exists():
            # Further trips begin with the same source, which is here if it cannot be made smaller.
            (shutil.copytree if file.is_dir() else shutil.copy)(file, kept.with_name(kept.name + beside))
    there = kept.with_name(f"there-{number}.{trip.EXTENSION[target_system]}")
    words = " ".join(interfaces.words_of(options))
    told = f"{source_system} → {target_system}: {broken.law}: {broken.words}"
    convert = f"  {program} convert {kept} {there} --on-error skip {words}"
    if broken.law.endswith(trip.WAY_BACK):
        back = kept.with_name(f"back-{number}{kept.suffix}")
        return f"{told}\n{convert}\n  {program} check {there} --to {source_system}; {program} convert {there} {back}"
    return f"{told}\n  {program} check {kept} --to {target_system} {words}\n{convert}"


def compare_schemas(rng, number, chosen, module):
    """Results of `compat` or `merge` for two schemas, compared with rows."""
    ask_of = rng.choice([evolution.compat, evolution.merge])
    try:
        return "", ask_of(rng, module, chosen.folder), ""
    except trip.Broken as broken:
        kept = keep(number, chosen)
        one, other = ("old", "later") if ask_of is evolution.compat else ("first", "second")
        by = kept / ("later.yson.schema" if one == "old" else "read.yson.schema")
        return "", "broken", (f"trip {number} of seed {chosen.seed}: {broken.law}: {broken.words}\n"
                              f"  {chosen.program} {ask_of.__name__} {kept / one}.yson {kept / other}.yson\n"
                              f"  {chosen.program} validate {kept / one}.yson --schema {by}")


def stream(rng, number, chosen, module):
    """Control attributes of rows in streams of YTsaurus, or rows of Arrow objects."""
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
        folder = pathlib.Path(name)
        try:
            if rng.random() < 0.5:
                return *streams.go(rng, module, folder), ""
            return *controls.go(rng, module, chosen.program, folder), ""
        except trip.Broken as broken:
            return "", "broken", (f"trip {number} of seed {chosen.seed}: {broken.law}: {broken.words}\n"
                                  f"  {keep(number, chosen, folder)}")


def keep(number, chosen, folder=None):
    kept = chosen.keep / f"broken-{number}"
    shutil.copytree(folder or chosen.folder, kept, dirs_exist_ok=True)
    return kept


def travel(number, chosen, all_interfaces):
    """One trip. Returns the pair, what came of it, and words on a broken promise."""
    rng = Dice(f"{chosen.seed}:{number}")
    if rng.random() * EVOLUTIONS < 1 and not chosen.pairs and not chosen.by_program:
        return compare_schemas(rng, number, chosen, all_interfaces[0])
    if rng.random() * STREAMS < 1 and not chosen.pairs and not chosen.by_program:
        return stream(rng, number, chosen, all_interfaces[0])
    if chosen.source is None or chosen.source.group != number // TRIPS_OF_TABLE:
        chosen.source = Source(chosen, number)
    begun = chosen.source
    source_system, source, target_system = begun.system, begun.path, begun.targets[number % TRIPS_OF_TABLE]
    way = rng.choice(OPTIONS)
    by_all = rng.random() * SAMPLE < 1
    pair = f"{source_system}:{target_system}"
    if begun.table is None:
        return pair, "not readable by its own package", ""
    if rng.random() * CASTS < 1:
        way = {**way, **cast_of(rng, begun.table.names)}
    try:
        came = ask("", all_interfaces[:1], source_system, source, target_system, chosen.folder, way, begun.prepared(all_interfaces[0]))
        if by_all:
            ask("interfaces agree", all_interfaces, source_system, source, target_system, chosen.folder, way)
        return pair, came, ""
    except trip.Broken as broken:
        # The program shows it with commands; what it does not show is a difference of the interfaces.
        by_program = [interface for interface in all_interfaces if isinstance(interface, interfaces.Program)]
        asked = all_interfaces if broken.law == "interfaces agree" else by_program
        with tempfile.TemporaryDirectory(dir=chosen.folder) as name:
            smallest, found = shrink(asked, source_system, source, target_system, pathlib.Path(name), way, broken)
            words = show(chosen.program, source_system, smallest, target_system, way, found, chosen.keep, number)
        return pair, "broken", f"trip {number} of seed {chosen.seed}: {words}"


def after(number, jobs):
    """The trip that a worker makes after one: the next of the same table, or the first of a table of its own."""
    number += 1
    return number if number % TRIPS_OF_TABLE else number + TRIPS_OF_TABLE * (jobs - 1)


def work(worker, chosen, answers, first):
    """Makes every so many-th trip, from `first` on; says before each which it is, and after it what came of it."""
    def say(*words):
        os.write(answers, (json.dumps(words) + "\n").encode())

    # Loaded modules stay: only objects of a trip need collection.
    gc.freeze()
    gc.set_threshold(50_000)
    program = interfaces.Program(chosen.program)
    # After a crash the program alone goes on with the trip, and shows it with its commands.
    all_interfaces = [program] if chosen.by_program else [chosen.module, program, *chosen.c]
    number = first
    with tempfile.TemporaryDirectory(prefix="xwalk-truth-", dir=chosen.scratch) as name:
        chosen.folder, chosen.source = pathlib.Path(name), None
        while number < chosen.first + chosen.trips and time.monotonic() < chosen.end:
            signal.alarm(PATIENCE)
            say(worker, number)
            say(worker, number, *travel(number, chosen, all_interfaces))
            number = after(number, chosen.jobs)


class Worker:
    """A child that makes trips."""

    def __init__(self, number, chosen, first):
        mine, its = os.pipe()
        self.number, self.answers, self.at = number, mine, first
        self.rest = b""
        sys.stdout.flush()
        self.child = os.fork()
        if self.child == 0:
            os.close(mine)
            code = 1
            try:
                work(number, chosen, its, first)
                code = 0
            except BaseException:  # noqa: BLE001: any end of a child
                import traceback

                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(its)

    def lines(self):
        """What the child has said; nothing at its end."""
        data = os.read(self.answers, 1 << 16)
        *whole, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in whole] if data else None


def interfaces_of(chosen):
    """The interfaces there are beside the program: the module, which is left out where it is not built, and C."""
    try:
        chosen.module = interfaces.Module(chosen.program)
    except ImportError as missing:
        print(f"the program answers alone: {missing}")
        chosen.by_program = True
    try:
        chosen.c = [interfaces.C(chosen.program)]
    except OSError as missing:
        print(f"C is not asked: {missing}")
        chosen.c = []


def show_counts(pairs, outcomes):
    print("\ntrips from, to:")
    print(f"  {'':8}", *(f"{target:>8}" for target in SYSTEMS))
    for source in SYSTEMS:
        print(f"  {source:8}", *(f"{pairs[f'{source}:{target}']:>8}" for target in SYSTEMS))
    print(f"{sum(outcomes.values())} in all:", ", ".join(f"{count} {what}" for what, count in sorted(outcomes.items())))


def sum_up(files):
    """Shows what came of several runs together."""
    pairs, outcomes = collections.Counter(), collections.Counter()
    for file in files:
        run = json.loads(pathlib.Path(file).read_text())
        pairs.update(run["pairs"])
        outcomes.update(run["outcomes"])
    show_counts(pairs, outcomes)
    return 1 if outcomes["broken"] else 0


def main(given):
    if given[:1] == ["--sum"]:
        return sum_up(given[1:])
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("program")
    options.add_argument("--trips", type=int, default=1000)
    options.add_argument("--minutes", type=float, default=1e9, help="ends after so long")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="number of the first trip")
    options.add_argument("--pair", action="append", help="FROM:TO; all pairs else")
    options.add_argument("--keep", type=pathlib.Path, help="where broken files are kept")
    options.add_argument("--most", type=int, default=10, help="ends after this many failures")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--by-program", action="store_true", help="asks the program, not the module: ten times as slow")
    options.add_argument("--json", type=pathlib.Path, help="where counts go, for --sum")
    chosen = options.parse_args(given)
    chosen.pairs = [tuple(pair.split(":")) for pair in chosen.pair or []]
    chosen.keep = chosen.keep or pathlib.Path(tempfile.mkdtemp(prefix="xwalk-truth-"))
    chosen.keep.mkdir(parents=True, exist_ok=True)
    chosen.scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    chosen.end = time.monotonic() + chosen.minutes * 60
    os.environ["XWALK_PYTHON"] = engine_host.started()
    interfaces_of(chosen)
    outcomes, pairs, broken_trips = collections.Counter(), collections.Counter(), 0

    def broken(words):
        nonlocal broken_trips
        broken_trips += 1
        print(f"\n{words}", flush=True)

    waiting = selectors.DefaultSelector()

    def start(number, first):
        worker = Worker(number, chosen, first)
        waiting.register(worker.answers, selectors.EVENT_READ, worker)

    table = chosen.first // TRIPS_OF_TABLE
    for number in range(chosen.jobs):
        start(number, max(chosen.first, (table + number) * TRIPS_OF_TABLE))
    # An interrupted run prints its results so far.
    signal.signal(signal.SIGTERM, lambda *_: setattr(chosen, "most", 0))
    while waiting.get_map():
        for key, _ in waiting.select(timeout=1):
            worker = key.data
            lines = worker.lines()
            for line in lines or []:
                worker.at = line[1]
                if len(line) > 2:
                    _, number, pair, came, words = line
                    worker.at = after(number, chosen.jobs)
                    outcomes[came] += 1
                    pairs[pair] += 1
                    if words:
                        broken(words)
            if lines is None:
                waiting.unregister(worker.answers)
                os.close(worker.answers)
                _, status = os.waitpid(worker.child, 0)
                if status != 0:
                    broken(f"trip {worker.at} of seed {chosen.seed}: ended with {os.waitstatus_to_exitcode(status)}; again by the "
                           f"program: truth.py {chosen.program} --seed {chosen.seed} --first {worker.at} --trips 1 --by-program")
                    start(worker.number, after(worker.at, chosen.jobs))
        if broken_trips >= chosen.most:
            for key in list(waiting.get_map().values()):
                os.kill(key.data.child, signal.SIGKILL)
                os.waitpid(key.data.child, 0)
            break
    show_counts(pairs, outcomes)
    if chosen.json:
        counts = {"seed": chosen.seed, "first": chosen.first, "pairs": {pair: count for pair, count in pairs.items() if pair},
                  "outcomes": outcomes}
        chosen.json.write_text(json.dumps(counts, indent=1) + "\n")
    return 1 if broken_trips else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
