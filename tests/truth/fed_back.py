"""Rejected rows are fed back, in random combination with options, several inputs and folders of outputs.

Rows are rejected by a cast. What was left out is read again as the rows that were given: their values, in their order, from their
files. Converted as before they are refused again; without the cast they arrive, and mean what they meant.
"""
import collections
import json

import campaign
import columns
import every_option
import yt_tables
from columns import EXTENSION

ROWS = 8
TRIPS = 150
SOURCES = ["yson", "json", "skiff", "parquet", "arrow"]
TARGETS = ["yson", "json", "skiff", "parquet", "arrow"]


def draw(rng, source, names, base):
    rows = columns.draw(rng, names, ROWS)
    for at, row in enumerate(rows):
        row["id"] = base + at
        row["n"] = rng.choice([1, 5, -3, None]) if rng.random() < 0.5 else rng.choice([500, -129, 2**40])
        for name in names:
            while not arrives(name, row[name]):
                row[name] = columns.KINDS[name][1](rng)
            # JSON has no such number: the output refuses it, after the cast.
            if name == "num" and source != "json" and rng.random() < 0.3:
                row[name] = ("f", "nan")
    return rows


def arrives(name, value):
    """Whether every target holds a value without the cast."""
    return value != ("f", "nan") and not (isinstance(value, tuple) and value[0] == "u") and (name != "m" or len(dict(value)) == len(value))


def go(rng, xwalk, folder):
    source, target = rng.choice(SOURCES), rng.choice(TARGETS)
    left = {"n", "id", "exact", "levels", "fine", "zoned", "blob", "any"} if target != "yson" else {"n", "id", "fine"}
    names = rng.sample([name for name in columns.kinds_of(source) if name not in left], rng.randint(1, 3))
    files = rng.choice([1, 1, 2, 3])
    given = {}
    (folder / "in").mkdir()
    for at in range(files):
        name = f"in/{'abc'[at]}.{EXTENSION[source]}"
        given[name] = draw(rng, source, names, 100 * at)
        write(folder / name, source, ["id", "n", *names], given[name])
    into_folder = rng.random() < 0.4
    inputs = ["in/"] if into_folder or rng.random() < 0.3 else list(given)
    out = "out/" if into_folder else f"out.{EXTENSION[target]}"
    cast = ["--cast", "n=int8"]
    words, chosen = options(rng, names)
    ends = ["--from", source, "--to", target]
    code, done, err = xwalk.told("convert", *inputs, out, *ends, *cast, *words, "--rejects", "bad.yson")
    refused = [(file, at) for file, rows in given.items() for at, row in enumerate(rows) if is_refused(row, chosen, target)]
    count = files * ROWS
    if len(refused) == count:
        if code != 3:
            campaign.broken("no row is accepted", code, err)
        return "no row accepted"
    if into_folder and code == 3 and any(all((file, at) in refused for at in range(ROWS)) for file in given):
        return "no row of a file accepted"
    if code:
        campaign.broken("rows are left out", code, err)
    # A folder has a line for each output.
    rejected = sum(json.loads(line).get("rejected", 0) for line in err.splitlines() if '"output"' in line)
    if rejected != len(refused):
        campaign.broken("as many rows are left out as do not fit", rejected, len(refused))
    if not refused:
        return "no row rejected"
    held = [given[file][at] for file, at in refused]
    said = list(yt_tables.yson.loads((folder / "bad.yson").read_bytes(), yson_type="list_fragment", encoding=None))
    places = [(yt_tables.text_of(row[b"file"]).decode(), int(row[b"row"])) for row in said if b"file" in row]
    # Rows of several inputs come in the order of the inputs, or as threads write them; each names its file.
    if collections.Counter(place for place, _ in places) != collections.Counter(file for file, _ in refused):
        campaign.broken("each rejected row names its file", places, refused)
    feed_back(xwalk, folder, held, chosen, ends, [*cast, *words])
    return f"fed back, {'a folder' if into_folder else 'one output'} of {'one input' if files == 1 else 'several'}"


def is_refused(row, chosen, target):
    if row["n"] is not None and not -128 <= row["n"] < 128:
        return True
    return target == "json" and "num" in chosen and row["num"] == ("f", "nan")


def options(rng, names):
    """Random options, and the columns that come."""
    words, chosen = [], ["id", "n", *names]
    if rng.random() < 0.3:
        chosen = ["id", "n", *rng.sample(names, rng.randint(0, len(names)))]
        words += ["--select", ",".join(chosen)]
    if rng.random() < 0.3:
        renamed = {"n": "narrow"} if rng.random() < 0.5 else {"id": "number"}
        words += ["--rename", *(f"{old}={new}" for old, new in renamed.items())]
    if rng.random() < 0.5:
        words += ["--threads", rng.randint(1, 3), "--batch-rows", rng.randint(1, 5)]
    if rng.random() < 0.2:
        words += ["--no-annotations"]
    return words, chosen


def write(path, form, names, rows):
    kept = dict(columns.KINDS)
    columns.KINDS["id"] = ("int64", None)
    try:
        columns.write(form, path, names, rows)
    finally:
        columns.KINDS.clear()
        columns.KINDS.update(kept)


def feed_back(xwalk, folder, held, chosen, ends, words):
    code, _, err = xwalk.told("convert", "bad.yson", "again.yson")
    if code:
        campaign.broken("rejected rows are rows", err)
    names, found = columns.read("yson", folder / "again.yson")
    if not set(chosen) <= set(names):
        campaign.broken("rejected rows have their columns", chosen, names)
    found = {row["id"]: row for row in found}
    if set(found) != {row["id"] for row in held}:
        campaign.broken("rejected rows are the rows", sorted(found), [row["id"] for row in held])
    for row in held:
        for name in chosen:
            if not every_option_alike(name, row[name], found[row["id"]][name]):
                campaign.broken("rejected rows are the rows", f"{name}: {row[name]!r} became {found[row['id']][name]!r}")
    # As before they are refused, all of them.
    code, done, err = xwalk.told("convert", "bad.yson", f"refused.{EXTENSION[ends[3]]}", *ends[2:], *words, "--on-error", "skip")
    if code != 3 or "no row was accepted" not in err:
        campaign.broken("rejected rows are rejected again", code, err)
    # Without the cast they arrive, those that JSON does not hold in another format.
    if any(row.get("num") == ("f", "nan") for row in held):
        ends = [*ends[:3], "yson"]
    code, done, err = xwalk.told("convert", "bad.yson", f"repaired.{EXTENSION[ends[3]]}", *ends[2:])
    if code:
        campaign.broken("repaired rows arrive", code, err)
    code, out, err = xwalk.run("validate", f"repaired.{EXTENSION[ends[3]]}")
    if code:
        campaign.broken("the output passes validate", out[:600], err)
    _, found = columns.read(ends[3], folder / f"repaired.{EXTENSION[ends[3]]}")
    found = {row["id"]: row for row in found}
    for row in held:
        for name in chosen:
            if not every_option_alike(name, row[name], found[row["id"]][name]):
                campaign.broken("repaired rows mean what they meant", f"{name}: {row[name]!r} became {found[row['id']][name]!r}")


class Plain:
    """A trip without options, for the comparison of values."""

    options, cast, source, target = {}, {}, "yson", "parquet"


def every_option_alike(name, wanted, found):
    return every_option.alike(Plain, name, wanted, found)
