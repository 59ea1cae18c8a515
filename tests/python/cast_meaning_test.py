"""Casts by meaning: an instant stays an instant in every target.

Each type is cast to each other on the way to each target. What arrives is computed here from the meaning of the value alone (a
number of nanoseconds, a day, a decimal number), not from stored integers. A value that the type has no place for is refused, by
`check --rows` as by `convert`; the output passes `validate`. Numbers become times and times numbers only as `storage:`.

The test takes a sample of all combinations, the same in each run. Each type is cast in it. `--all` takes all combinations, in about
three minutes.
"""
import decimal
import fractions
import itertools
import json
import random
import shlex
import struct

import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

CHOICE = random.Random(1970)
FOLDER = harness.make_folder("cast-meaning")
NANOS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
DAY = 86400 * 10**9


def sample(combinations, count):
    """Returns that many of the combinations, in their order, or all of them with --all."""
    combinations = list(combinations)
    if harness.ALL or count >= len(combinations):
        return combinations
    return [combinations[at] for at in sorted(CHOICE.sample(range(len(combinations)), count))]


class Kind:
    """A type: its family, its name, how large a step is, and which meanings it has a place for."""

    def __init__(self, words, family, arrow, step=1, low=-2**63, high=2**63 - 1, whole=1, values=()):
        self.words, self.family, self.arrow, self.step = words, family, arrow, step
        self.low, self.high, self.whole, self.values = low, high, whole, values

    def holds(self, ticks):
        return self.low <= ticks <= self.high and ticks % self.whole == 0


def ticks_kind(words, family, unit, arrow, **more):
    return Kind(words, family, arrow, step=NANOS[unit], **more)


S = 1_767_225_600
KINDS = [
    Kind("int64", "integer", pa.int64(), values=(0, 3, S, S - 600, 86_400_000, 1500, -1, 2**40, 49_673)),
    Kind("int32", "integer", pa.int32(), low=-2**31, high=2**31 - 1, values=(0, 19723, -5)),
    Kind("uint64", "integer", pa.uint64(), low=0, high=2**64 - 1, values=(7, 2**63)),
    Kind("Date", "date", pa.date32(), step=DAY, low=0, high=49_672, values=(0, 19723)),
    Kind("date32[day]", "date", pa.date32(), step=DAY, low=-2**31, high=2**31 - 1, values=(-1, 19723)),
    Kind("date64[ms]", "date", pa.date64(), step=10**6, whole=86_400_000, values=(0, 86_400_000 * 19723)),
    Kind("Datetime", "instant", pa.timestamp("s", "UTC"), step=10**9, low=0, high=49_673 * 86400 - 1, values=(S, S - 600)),
    Kind("Timestamp", "instant", pa.timestamp("us", "UTC"), step=10**3, low=0, high=49_673 * 86400 * 10**6 - 1,
         values=(S * 10**6, S * 10**6 + 1, 1500)),
    *[ticks_kind(f"timestamp[{unit}, tz=UTC]", "instant", unit, pa.timestamp(unit, "UTC"),
                 values=(S * 10**9 // NANOS[unit], 86_400 * 10**9 // NANOS[unit], 1500, -1)) for unit in NANOS],
    Kind("Interval64", "duration", pa.duration("us"), step=10**3, low=-9_223_339_708_800_000_000,
         high=9_223_339_708_800_000_000, values=(1_500_000, 2_000_000)),
    *[ticks_kind(f"duration[{unit}]", "duration", unit, pa.duration(unit), values=(0, 2, 1500, 3_000_000)) for unit in NANOS],
    ticks_kind("time32[s]", "time", "s", pa.time32("s"), low=0, high=86_399, values=(0, 45_000)),
    ticks_kind("time32[ms]", "time", "ms", pa.time32("ms"), low=0, high=86_399_999, values=(1500, 2000)),
    ticks_kind("time64[us]", "time", "us", pa.time64("us"), low=0, high=86_399_999_999, values=(1_500_000, 7)),
    ticks_kind("time64[ns]", "time", "ns", pa.time64("ns"), low=0, high=86_399_999_999_999, values=(1_500_000_000, 7)),
]
NO_WAY = "no way"


def meaning(kind, ticks):
    """A value without its unit: an integer, or nanoseconds of its family; days and instants are both nanoseconds since 1970."""
    if kind.family == "integer":
        return ("integer", ticks)
    return ("instant" if kind.family == "date" else kind.family, ticks * kind.step)


def cast(source, ticks, target):
    """The ticks of a value in another type; None if the type does not hold it, NO_WAY if the two types have no meaning in common."""
    if source.family == "integer" or target.family == "integer":
        became = ticks
    elif meaning(source, 0)[0] != meaning(target, 0)[0]:
        return NO_WAY
    else:
        became, rest = divmod(ticks * source.step, target.step)
        if rest:
            return None
    return became if target.holds(became) else None


def added(source, ticks, existing, output):
    """The ticks of a value in an existing column: of the same meaning, or of the number that the format has for a type that it lacks."""
    is_number_there = output == "rows.yson" and source.family == "time" and existing.family == "integer"
    return cast(source, ticks, existing) if source.family == existing.family or is_number_there else NO_WAY


def request(source, target):
    """The type of a cast: a number and a time have only their storage in common."""
    stored = (source.family == "integer") != (target.family == "integer")
    return f"storage:{target.words}" if stored else target.words


def raw(values):
    """The integers of an array of times."""
    values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    kind = values.type
    if pa.types.is_integer(kind):
        return values.to_pylist()
    return values.view(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()


FAMILIES = {"date": pa.types.is_date, "instant": pa.types.is_timestamp, "duration": pa.types.is_duration, "time": pa.types.is_time}


def meanings(column):
    """The meanings of an array of Arrow, by its type."""
    kind = column.type
    family = next((name for name, is_one in FAMILIES.items() if is_one(kind)), "integer")
    if family == "integer":
        return [("integer", value) for value in raw(column)]
    step = DAY if kind == pa.date32() else 10**6 if kind == pa.date64() else NANOS[kind.unit]
    return [("instant" if family == "date" else family, value and value * step) for value in raw(column)]


def run(*words):
    done = harness.run(*words, code=None, timeout=300)
    return done.returncode, done.stdout, done.stderr


def write(path, table):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def array(kind, ticks):
    width = pa.uint64() if kind.words == "uint64" else pa.int32() if kind.arrow.bit_width == 32 else pa.int64()
    return pa.array(ticks, width).view(kind.arrow)


def engine(package):
    try:
        __import__(package)
        return True
    except ImportError:
        return False


TARGETS = ["parquet", "arrow", "yson", "skiff", "jsonl"]
#: Their programs are slow to start.
ENGINES = ["lance"] * engine("lance") + ["vortex"] * engine("vortex")
#: The finest unit of a target and the values that its types have; what is not here holds everything that Arrow does.
YT = ("yson", "skiff", "jsonl")
LIMITS = {"date": (-53_375_809 * DAY, 53_375_807 * DAY), "instant": (-53_375_809 * DAY, 53_375_807 * DAY + DAY - 1),
          "duration": (-9_223_339_708_800_000_000 * 10**3, 9_223_339_708_800_000_000 * 10**3)}


def stored(extension, kind, ticks):
    """Whether a target has a place for a value of a type, as it would have for a column of that type."""
    if extension == "parquet" and kind.family == "instant" and kind.step == 10**9:
        return -2**63 <= ticks * 1000 < 2**63
    if extension in YT and kind.family in LIMITS:
        low, high = LIMITS[kind.family]
        return low <= ticks * kind.step <= high and (kind.family == "date" or ticks * kind.step % 1000 == 0)
    if kind.words == "date64[ms]" and extension != "arrow":
        return -2**31 <= ticks // 86_400_000 < 2**31
    return True


def is_float_of(bits):
    def fits(value):
        kind = {24: "f", 53: "d"}[bits]
        try:
            return fractions.Fraction(struct.unpack(kind, struct.pack(kind, float(value)))[0]) == value
        except OverflowError:
            return False
    return fits


def is_decimal_of(precision, scale):
    return lambda value: (value * 10**scale).denominator == 1 and abs(value * 10**scale) < 10**precision


def is_between(low, high):
    return lambda value: value.denominator == 1 and low <= value <= high


#: Numbers: the name of a type, its Arrow type, which numbers it holds, and values of it.
NUMBERS = {
    "Int8": (pa.int8(), is_between(-128, 127), (0, 1, -128, 127)),
    "Int64": (pa.int64(), is_between(-2**63, 2**63 - 1), (0, 1, 300, -7, 2**53 + 1, 2**63 - 1)),
    "Uint16": (pa.uint16(), is_between(0, 2**16 - 1), (0, 1, 2**16 - 1)),
    "Uint64": (pa.uint64(), is_between(0, 2**64 - 1), (0, 2**64 - 1)),
    "Float": (pa.float32(), is_float_of(24), (0.0, 1.0, 1.5, -2.0, 2.0**40)),
    "Double": (pa.float64(), is_float_of(53), (0.0, 1.0, 0.25, 2.0**53, 2.0**70)),
    "Decimal(5,2)": (pa.decimal128(5, 2), is_decimal_of(5, 2), ("0.00", "1.00", "-999.99", "0.25")),
    "Decimal(38,10)": (pa.decimal128(38, 10), is_decimal_of(38, 10), ("1.0000000000", "0.0000000001", "300.0000000000")),
    "Bool": (pa.bool_(), is_between(0, 1), (False, True)),
}

#: Types of rows that exist, to which those of every other type are added.
EXISTING = ("Interval64", "Datetime", "Date", "duration[ms]", "timestamp[s, tz=UTC]", "time32[s]", "date64[ms]", "int64")
OF_YT = ("Interval64", "Datetime", "Date")

#: In one order, so that the sample is the same in each run.
PAIRS = [(source, extension) for source in KINDS for extension in sample(TARGETS, 2)]
PAIRS += [(source, extension) for extension in ENGINES for source in sample(KINDS, 2)]
NUMBER_PAIRS = [(source, target, extension) for source in NUMBERS for extension in sample(("parquet", "arrow", "yson", "skiff"), 1)
                for target in sample((*NUMBERS, "Utf8"), 6)]


def additions():
    added = []
    for output in ("parquet parquet", "arrow arrow", "rows.yson", "hive parquet --partition-by n"):
        # A table of YSON has the types of YTsaurus alone.
        names = EXISTING if output != "rows.yson" else (*OF_YT, "int64")
        added += [(kind, output, 5) for kind in sample([kind for kind in KINDS if kind.words in names], 4)]
    if engine("lance"):
        added += [(kind, "rows.lance", 3) for kind in sample([kind for kind in KINDS if kind.words in EXISTING], 2)]
    return [(existing, output, sample(KINDS, count)) for existing, output, count in added]


ADDITIONS = additions()
APART = sample([(source, target) for source, target in itertools.product(KINDS, KINDS)
                if NO_WAY in [cast(source, value, target) for value in source.values]], 30)


def words_of(value):
    return value.words if isinstance(value, Kind) else None if isinstance(value, list) else str(value)


@pytest.mark.parametrize("source, extension", PAIRS, ids=words_of)
def test_types(source, extension):
    """Casts a type to all others that it can be cast to, one column each. Each row has one value in one of them."""
    ways = [kind for kind in KINDS if NO_WAY not in [cast(source, value, kind) for value in source.values]]
    rows = list(itertools.product(range(len(ways)), source.values))
    nothing = pa.nulls(len(rows), array(source, []).type)
    columns = {}
    for at in range(len(ways)):
        there = pa.array([n if way == at else None for n, (way, _) in enumerate(rows)], pa.int64())
        columns[f"c{at}"] = array(source, [ticks for _, ticks in rows]).take(there) if rows else nothing
    origin, out, back = FOLDER / "source.arrow", FOLDER / f"out.{extension}", FOLDER / "back.arrow"
    write(origin, pa.table({"n": pa.array(range(len(rows)), pa.int64()), **columns}))
    words = list(itertools.chain(*(("--cast", f"c{at}={request(source, kind)}") for at, kind in enumerate(ways))))
    kept = {}
    for n, (at, ticks) in enumerate(rows):
        became = cast(source, ticks, ways[at])
        if became is not None and stored(extension, ways[at], became):
            kept[n] = (ways[at], became)
    what = f"{source.words} in {extension}"
    code, text, error = run("check", origin, "--to", "json" if extension == "jsonl" else extension, "--rows", "--json", *words)
    check(f"{what}: check {error}", json.loads(text)["rows"]["refused"] if text else code, len(rows) - len(kept))
    code, _, error = run("convert", origin, out, "--mode", "overwrite", "--on-error", "skip", *words)
    check(f"{what}: convert {error}", code, 0)
    if code != 0:
        return
    code, text, error = run("validate", out)
    check(f"{what}: validate {text} {error}", code, 0)
    code, _, error = run("convert", out, back, "--mode", "overwrite")
    check(f"{what}: back {error}", code, 0)
    compare(what, pa.ipc.open_file(str(back)).read_all(), ways, rows, kept)
    if extension in ("parquet", "arrow"):
        theirs = pq.read_table(out) if extension == "parquet" else pa.ipc.open_file(str(out)).read_all()
        theirs.validate(full=True)
        compare(f"{what}, by pyarrow", theirs, ways, rows, kept)


def compare(what, table, ways, rows, kept):
    check(f"{what}: rows", sorted(table["n"].to_pylist()), sorted(kept))
    places = {n: place for place, n in enumerate(table["n"].to_pylist())}
    for at, kind in enumerate(ways):
        column = table[f"c{at}"].combine_chunks()
        numbers = pa.types.is_integer(column.type) and kind.family != "integer"
        found = meanings(column)
        for n, (way, ticks) in enumerate(rows):
            if way != at or n not in kept or n not in places:
                continue
            # A type that the target does not have is a number of the units asked for.
            wanted = ("integer", kept[n][1]) if numbers else meaning(*kept[n])
            check(f"{what}, {ticks} to {kind.words} ({column.type})", found[places[n]], wanted)


def single(value):
    """The nearest number of 32 bits."""
    return struct.unpack("f", struct.pack("f", float(value)))[0]


@pytest.mark.parametrize("source, target, extension", NUMBER_PAIRS)
def test_numbers(source, target, extension):
    """Each number is the same number in another type, or refused; as text it is the text of that number."""
    kind, _, values = NUMBERS[source]
    values = [decimal.Decimal(value) if isinstance(value, str) else value for value in values]
    origin, out, back = FOLDER / "numbers.arrow", FOLDER / f"out.{extension}", FOLDER / "back.arrow"
    write(origin, pa.table({"n": pa.array(range(len(values)), pa.int64()), "c": pa.array(values, kind)}))
    what = f"{source} to {target} in {extension}"
    words = ["--cast", f"c={target}"]
    system = "json" if extension == "jsonl" else extension
    if run("check", origin, "--to", "arrow", *words)[0] != 0:
        check(f"{what}: no way", run("check", origin, "--to", system, *words)[0] != 0, True)
        return
    holds = (lambda value: True) if target == "Utf8" else NUMBERS[target][1]
    kept = {n: fractions.Fraction(value) for n, value in enumerate(values) if holds(fractions.Fraction(value))}
    code, text, error = run("check", origin, "--to", system, "--rows", "--json", *words)
    check(f"{what}: check {error}", json.loads(text)["rows"]["refused"] if text else code, len(values) - len(kept))
    code, _, error = run("convert", origin, out, "--mode", "overwrite", "--on-error", "skip", *words)
    check(f"{what}: convert {error}", code, 0)
    check(f"{what}: validate", run("validate", out)[0], 0)
    check(f"{what}: back", run("convert", out, back, "--mode", "overwrite")[0], 0)
    table = pa.ipc.open_file(str(back)).read_all()
    found = dict(zip(table["n"].to_pylist(), table["c"].to_pylist()))
    if target != "Utf8":
        check(what, {n: fractions.Fraction(value) for n, value in found.items()}, kept)
    elif source == "Bool":
        check(what, found, {0: "false", 1: "true"})
    else:
        # Floats are written with the fewest digits that give them back in their own width.
        number = {"Float": single, "Double": float}.get(source, fractions.Fraction)
        check(what, {n: number(value) for n, value in found.items()}, {n: number(value) for n, value in kept.items()})


@pytest.mark.parametrize("source, target", APART, ids=words_of)
def test_no_way(source, target):
    """A cast between types without a common meaning is refused, not stored as a number."""
    origin, what = FOLDER / "none.arrow", f"{source.words} to {target.words}"
    write(origin, pa.table({"c": array(source, list(source.values))}))
    for extension in ("parquet", "yson"):
        code, _, _ = run("convert", origin, FOLDER / f"none.{extension}", "--cast", f"c={target.words}")
        check(f"{what} in {extension} has no way", (code, (FOLDER / f"none.{extension}").exists()), (4, False))


@pytest.mark.parametrize("existing, output, sources", ADDITIONS, ids=words_of)
def test_append(existing, output, sources):
    """Adds rows of other types to rows of one: what is added means there what it meant, or is refused beforehand."""
    words = output.split(" ")
    place = FOLDER / f"there-{KINDS.index(existing)}-{words[0]}"
    options = ["--to", words[1], *words[2:]] if len(words) > 1 else []
    if len(words) == 2:
        place.mkdir()
    origin = FOLDER / "added.arrow"
    write(origin, pa.table({"n": pa.array([0], pa.int64()), "c": array(existing, [existing.values[-1]])}))
    first = place / f"part-0.{words[1]}" if len(words) == 2 else place
    code, _, error = run("convert", origin, first, *(options[2:] if len(words) == 2 else options), "--cast", f"c={existing.words}")
    check(f"{existing.words} in {output}: {error}", code, 0)
    kept = {0: (existing, existing.values[-1])}
    for source in sources:
        at = KINDS.index(source)
        ticks = [value for value in source.values if value >= 0] or [0]
        numbers = [100 * (at + 1) + i for i in range(len(ticks))]
        write(origin, pa.table({"n": pa.array(numbers, pa.int64()), "c": array(source, ticks)}))
        became = [added(source, value, existing, output) for value in ticks]
        what = f"{source.words} added to {existing.words} in {output}"
        if len(words) <= 2:
            told, text, error = run("check", origin, "--append", place, "--rows", "--json")
        code, _, error = run("convert", origin, place, "--mode", "append", "--on-error", "skip", *options)
        if NO_WAY in became:
            check(f"{what}: is refused", code in (2, 4), True)
            if len(words) <= 2:
                check(f"{what}: check says so", told, 1)
            continue
        if len(words) > 2 and (source.arrow != existing.arrow or existing.words in ("Datetime", "Date")):
            # Folders by the values of columns take rows of their own types and annotations only.
            check(f"{what}: is refused", code, 4)
            continue
        # A conversion that accepts no row exits 3.
        check(f"{what}: {error}", code, 0 if any(value is not None for value in became) else 3)
        if len(words) <= 2:
            check(f"{what}: check --rows", json.loads(text)["rows"]["refused"], became.count(None))
        if code == 0:
            kept.update({n: (existing, value) for n, value in zip(numbers, became) if value is not None})
    back = FOLDER / "back.arrow"
    code, _, error = run("convert", place, back, "--mode", "overwrite")
    check(f"{existing.words} in {output}: is read {error}", code, 0)
    if code == 0:
        table = pa.ipc.open_file(str(back)).read_all()
        places = {n: row for row, n in enumerate(table["n"].to_pylist())}
        check(f"{existing.words} in {output}: rows", sorted(places), sorted(kept))
        column = table["c"].combine_chunks()
        found = meanings(column)
        numbers = pa.types.is_integer(column.type) and existing.family != "integer"
        for n, (kind, ticks) in kept.items():
            if n in places:
                check(f"{existing.words} in {output}: row {n}", found[places[n]], ("integer", ticks) if numbers else meaning(kind, ticks))


#: Texts, and the types of YTsaurus whose values they say.
SAID = {"decimal": ("1.50", "{type_name=decimal;precision=10;scale=2}"), "date": ("2024-01-01", "date"), "date32": ("2024-01-01", "date32"),
        "datetime": ("2024-01-01T00:00:00Z", "datetime"), "timestamp64": ("2024-01-01T00:00:00.5Z", "timestamp64"),
        "uuid": ("0123456789abcdef", "uuid"), "float": ("1.5", "float"), "double": ("1.5", "double"), "bool": ("true", "bool"),
        "int8": ("5", "int8"), "uint64": ("5", "uint64")}
SHAPES = {"top": ('"{}"', "{}"), "list": ('["{}"]', "{{type_name=list;item={}}}"),
          "struct": ('{{"p q"="{}"}}', '{{type_name=struct;members=[{{name="p q";type={}}}]}}')}


@pytest.mark.parametrize("end", ["yson", "skiff"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SAID)
def test_hint_works(name, shape, end):
    """The option that an error of `--to-schema` names converts the rows, pasted as it is."""
    text, wanted = SAID[name]
    value, kind = SHAPES[shape]
    rows, output = FOLDER / f"said-{name}-{shape}.yson", FOLDER / f"said-{name}-{shape}.out.{end}"
    rows.write_text(f"{{a={value.format(text)}}};\n")
    wanted_schema = FOLDER / f"said-{name}-{shape}.wanted"
    for path, its in ((FOLDER / f"{rows.name}.schema", "string"), (wanted_schema, wanted)):
        path.write_text(f"[{{name=a;type_v3={kind.format(its)}}}]")
    words = ["convert", rows, output, "--to-schema", wanted_schema, "--mode", "overwrite"]
    refused = harness.run(*words, code=(2, 4)).stderr
    hint = [line.strip() for line in refused.splitlines() if line.strip().startswith("--cast")]
    assert len(hint) == 1, refused
    harness.run(*words, *shlex.split(hint[0])[:2])
