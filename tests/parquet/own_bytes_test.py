"""What Arrow cannot hold goes from Parquet to Parquet as the bytes it is, and a key that may be null becomes one that
may not."""

import datetime
import json
import struct

import pytest
from raw_file import Node, logical, write

from tests import harness

FOLDER = harness.make_folder("own-bytes")
there = harness.work_in(FOLDER)


def run(code, *words, says=""):
    done = harness.run(*words, code=code)
    assert says in done.stdout + done.stderr, words
    return done.stdout


def expect(what, condition):
    assert condition, what


def int96(nanos, day):
    return struct.pack("<qi", nanos, day)


BIG = [struct.pack("<III", 2**31 + 5, 2**32 - 1, 7), struct.pack("<III", 1, 2, 3)]
FAR = [int96(1, 1_721_426), int96(-5, 2_440_588), int96(2**62, 2**31 - 1), int96(7, -2**31)]
DIGITS = [(10**99).to_bytes(50, "big"), (-10**99).to_bytes(50, "big", signed=True)]


def interval(name):
    return Node("optional fixed", name, length=12, converted="INTERVAL")


def nested(name, leaf):
    return [Node("optional group", name, [Node("repeated group", "list", [leaf])], logical=logical("LIST"), converted="LIST"),
            Node("optional group", name + "s", [leaf.copy()])]


CASES = {
    "interval": ([interval("a")], [{"a": value} for value in BIG] + [{}], BIG),
    "int96": ([Node("optional int96", "a")], [{"a": value} for value in FAR] + [{}], FAR),
    "digits": ([Node("required fixed", "a", logical=logical("DECIMAL", 100, 2), converted="DECIMAL", precision=100, scale=2,
                     length=50)], [{"a": value} for value in DIGITS], DIGITS),
    "nested": (nested("l", Node("optional int96", "element")) + nested("m", interval("element")),
               [{"l": {"list": [{"element": FAR[0]}, {}]}, "ls": {"element": FAR[2]}, "m": {"list": [{"element": BIG[0]}]},
                 "ms": {"element": BIG[1]}}], [FAR[0], FAR[2], *BIG]),
}


@pytest.mark.parametrize("name", CASES)
def test_copies(name):
    columns, rows, values = CASES[name]
    write(f"{name}.parquet", columns, rows)
    run(0, "check", f"{name}.parquet", "--to", "parquet", "--rows", says=f"{len(columns)} exact")
    run(0, "convert", f"{name}.parquet", f"{name}.copy.parquet", "--compression", "none", "-q")
    run(0, "convert", f"{name}.copy.parquet", f"{name}.parquet", f"{name}.two.parquet", "--compression", "none", "-q")
    data = (FOLDER / f"{name}.copy.parquet").read_bytes()
    expect(f"{name}: bytes", all(value in data for value in values))
    run(0, "validate", f"{name}.copy.parquet", says=f"{len(rows)} row")
    run(0, "validate", f"{name}.two.parquet", says=f"{2 * len(rows)} row")
    run(0, "diff", f"{name}.parquet", f"{name}.copy.parquet")


def test_other_formats():
    """Output to another format is checked against the existing schema."""
    for name in ("int96", "interval"):
        write(f"{name}.parquet", *CASES[name][:2])
    run(3, "convert", "int96.parquet", "far.arrow", says="expected a value of int96 that Arrow can hold")
    run(3, "convert", "interval.parquet", "big.arrow", says="expected a value of INTERVAL that Arrow can hold")
    run(0, "convert", "int96.parquet", "some.yson", "--on-error", "skip", "--int96-unit", "us", "-q")


def test_timestamps():
    """Timestamps become INT96 if the file had INT96."""
    write("times.parquet", [Node("optional int96", "a")], [{"a": int96(5, 2_440_587)}, {}, {"a": int96(86_399_999_999_000, 2_440_600)}])
    run(0, "convert", "times.parquet", "times.arrow", "-q")
    run(0, "convert", "times.arrow", "times.copy.parquet", "-q")
    expect("times", run(0, "schema", "times.copy.parquet") == run(0, "schema", "times.parquet").replace("message m", "message schema"))
    expect("times", run(0, "head", "times.copy.parquet", "--as", "json") == run(0, "head", "times.parquet", "--as", "json"))


def test_keys():
    """Keys that may be null."""
    key = Node("optional binary", "key", logical=logical("STRING"), converted="UTF8")
    for name, value in (("map", [Node("optional int32", "value")]), ("keys", [])):
        column = Node("optional group", "m", [Node("repeated group", "key_value", [key, *value])], logical=logical("MAP"), converted="MAP")
        write(f"{name}.parquet", [column], [{"m": {"key_value": [{"key": "a", "value": 1}]}}])
        write(f"{name}.null.parquet", [column], [{"m": {"key_value": [{"key": "a"}]}}, {"m": {"key_value": [{"value": 1}]}}])
        for target in ("parquet", "yt", "arrow"):
            run(0, "check", f"{name}.parquet", "--to", target, says="map.key-optional")
        run(0, "convert", f"{name}.parquet", f"{name}.copy.parquet", "-q")
        run(0, "validate", f"{name}.copy.parquet", says="1 row, valid")
        run(3, "convert", f"{name}.null.parquet", "null.parquet", says="expected a key, found null")
        run(0, "convert", f"{name}.null.parquet", f"{name}.rest.parquet", "--on-error", "skip", "-q")
        run(0, "validate", f"{name}.rest.parquet", says="1 row, valid")


def day_of(text):
    return 2_440_588 + (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days


#: The columns, rows that Arrow holds, a row that it does not with the text of its value, and the range that `check` states.
RANGES = {
    "int96": ([Node("optional int96", "a")], [{"a": int96(0, day_of("1970-01-01"))}], {"a": int96(1, day_of("9999-12-31"))},
              "9999-12-31T00:00:00.000000001", "1677-09-21 to 2262-04-11", []),
    "an early year": ([Node("optional int96", "a")], [{"a": int96(0, day_of("2000-01-01"))}], {"a": int96(3_600_000_000_000, day_of("0001-01-01"))},
                      "0001-01-01T01:00:00", "1677-09-21 to 2262-04-11", []),
    "microseconds": ([Node("optional int96", "a")], [{"a": int96(1000, day_of("9999-12-31"))}], {"a": int96(1, day_of("2024-02-29"))},
                     "2024-02-29T00:00:00.000000001", "digits finer than a microsecond", ["--int96-unit", "us"]),
    "interval": ([interval("a")], [{"a": BIG[1]}], {"a": BIG[0]}, "2147483653 months, 4294967295 days, 7 ms", "2147483648", []),
    "nested": (nested("l", Node("optional int96", "element")), [{"ls": {"element": int96(0, day_of("1970-01-01"))}}],
               {"ls": {"element": int96(0, day_of("3000-01-01"))}}, "3000-01-01T00:00:00", "1677-09-21 to 2262-04-11", []),
}


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("to", ["arrow", "yt", "lance"])
def test_ranges(name, to):
    """What an Arrow type lacks of a Parquet type makes a column checked, and a rejected value is shown as what it is."""
    columns, fine, bad, text, words, options = RANGES[name]
    write("range.parquet", columns, fine + [bad])
    found = json.loads(run(0, "check", "range.parquet", "--to", to, "--json", *options))
    reasons = [reason for path in found["paths"] for reason in path["reasons"] if path["values"] == "checked" and reason["rule"] in ("range.narrowed", "unit.coarser")]
    expect((name, to, found["paths"]), any(words in reason["lost"] for reason in reasons))
    if to == "arrow":
        run(3, "convert", "range.parquet", "range.arrow", "--overwrite", *options, says=text)
        done = harness.run("convert", "range.parquet", "range.arrow", "--overwrite", "--on-error", "skip", *options, code=0)
        expect(done.stderr, "1 row rejected" in done.stderr)
