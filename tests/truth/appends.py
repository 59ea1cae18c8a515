"""Rows added at random to rows of each format, and to folders: added rows keep their meaning, and so do existing ones.

The existing rows were written from one system, the added ones come from another; with and without annotations. What
`check --append` says is what `convert --mode append` does.
"""
import os

import campaign
import columns
import yt_tables
from columns import EXTENSION, KINDS, YT_LIKE

ROWS = 5
TRIPS = 200
#: One trip in this many adds to a Lance dataset.
WITH_ENGINES = 25
#: Narrower types of a column: rows of them are added to rows of the usual type.
WIDER = {"n": columns.optional("int32"), "u": "uint32",
         "price": columns.optional({"type_name": "decimal", "precision": 6, "scale": 2})}
PLACES = ["parquet folder", "arrow folder", "hive", "yson", "json", "skiff"]


def small(name, value):
    """A value that the narrower type holds."""
    if value is None:
        return None
    return value % 1000 if name in ("n", "u") else columns.Fraction(int(value * 100) % 10**5, 100)


def draw(rng, form, names, first):
    """Rows that every system holds, with a number each."""
    rows = columns.draw(rng, names, ROWS)
    for at, row in enumerate(rows):
        row["id"] = first + at
        for name in names:
            while not holds(form, name, row[name]):
                row[name] = KINDS[name][1](rng)
    return rows


def holds(form, name, value):
    if name == "m":
        return len(dict(value)) == len(value)
    if name == "exact":
        return not isinstance(value, str)
    if name == "levels":
        return value != {"value": None}
    if name == "num":
        return value != ("f", "nan")
    if name == "fine":
        return value % 1000 == 0
    # JSON does not tell that a number is unsigned.
    return not (name == "any" and isinstance(value, tuple)) and value != b"\xff\x00"


def go(rng, xwalk, folder):
    place = "lance" if rng.random() * WITH_ENGINES < 1 else rng.choice(PLACES)
    sources = ["yson", "skiff", "arrow", "parquet"] + (["json"] if rng.random() < 0.3 else [])
    first, second = rng.choice(sources), rng.choice(sources)
    both = sorted(set(columns.kinds_of(first)) & set(columns.kinds_of(second)))
    both = [name for name in both if place != "lance" or name not in columns.NOT_IN["lance"]]
    names = rng.sample(both, rng.randint(1, 4))
    existing, added = draw(rng, first, names, 0), draw(rng, second, names, ROWS)
    change = rng.choice(["", "", "", "order", "fewer", "more", "narrower"])
    write(folder / f"first.{EXTENSION[first]}", first, ["id", *names], existing)
    notes = [["--no-annotations"] if rng.random() < 0.3 else [] for _ in range(2)]
    out, form, words = target_of(place)
    create = [*words, *notes[0]]
    code, _, err = xwalk.run("convert", f"first.{EXTENSION[first]}", out, "--from", first, *create, "--allow", "lossy", "--on-error",
                             "skip", "--rejects", "none.yson")
    if code:
        return f"not written: exit code {code}"
    if rejects_in(folder / "none.yson"):
        return "rows are not accepted"
    order = [name for name in names]
    if change == "order":
        order = rng.sample(order, len(order))
    elif change == "fewer" and len(order) > 1:
        order.pop()
    later = [*order, "extra"] if change == "more" else order
    for row in added:
        row["extra"] = 1
    narrow = {name: WIDER[name] for name in order if name in WIDER} if change == "narrower" and second in YT_LIKE else {}
    for row in added:
        row.update({name: small(name, row[name]) for name in narrow})
    write(folder / f"second.{EXTENSION[second]}", second, ["id", *later], added, narrow)
    return add(xwalk, folder, place, out, form, (first, second, names, order), existing, added, [*words, *notes[1]])


def target_of(place):
    """Name, format, and options of a place that rows are added to."""
    if place == "hive":
        return "out/", "parquet", ["--to", "parquet", "--partition-by", "id"]
    if place.endswith("folder"):
        form = place.split(" ")[0]
        return "out/", form, ["--to", form]
    return f"out.{EXTENSION[place]}", place, []


def write(path, form, names, rows, narrow=None):
    """Writes rows, some of them with a narrower type."""
    kinds = {"id": ("int64", None), "extra": ("int64", None), **{name: (kind, None) for name, kind in (narrow or {}).items()}}
    kept = dict(KINDS)
    KINDS.update(kinds)
    try:
        columns.write(form, path, names, rows)
    finally:
        KINDS.clear()
        KINDS.update(kept)


def rejects_in(path):
    if not path.exists():
        return []
    return list(yt_tables.yson.loads(path.read_bytes(), yson_type="list_fragment", encoding=None))


def add(xwalk, folder, place, out, form, sent, existing, added, words):
    first, second, names, order = sent
    source = f"second.{EXTENSION[second]}"
    before = contents(folder / out)
    beforehand = [word for word in words if word != "--to" and word != form]
    code, report, said = xwalk.told("check", source, "--append", out, "--rows", "--from", second, *beforehand)
    done_code, done, err = xwalk.told("convert", source, out, "--from", second, "--mode", "append", "--on-error", "skip",
                                      "--rejects", "bad.yson", *words)
    if code not in (0, 1):
        if done_code != code:
            campaign.broken("check --append and convert end alike", f"{place}: check {code} {said}, convert {done_code} {err}")
        return f"refused: exit code {code}"
    verdict = report["verdict"]
    if verdict in ("unsupported", "lossy"):
        if done_code not in (1, 4):
            campaign.broken("convert does what check --append says", f"{place}: {verdict}, exit code {done_code} {err}")
        if contents(folder / out) != before:
            campaign.broken("existing rows stay", place, err)
        return f"added: {verdict}"
    refused = report["rows"]["refused"]
    if done_code != (3 if refused == len(added) else 0):
        campaign.broken("convert does what check --append says", f"{place}: {verdict}, {refused} refused, exit code {done_code} {err}")
    if done_code == 3:
        return "no row is added"
    bad = rejects_in(folder / "bad.yson")
    if done["rejected"] != refused or len(bad) != refused:
        campaign.broken("convert refuses the rows that check counts", refused, done)
    gone = {int(row[b"row"]) for row in bad}
    if refused:
        campaign.broken("no row is rejected that fits", bad)
    rows = existing + [row for at, row in enumerate(added) if at not in gone]
    hold(xwalk, folder, place, out, form, names, order, rows)
    return f"added to {place}"


def contents(path):
    if path.is_dir():
        return {str(each): each.read_bytes() for each in sorted(path.rglob("*")) if each.is_file()}
    return path.read_bytes()


def hold(xwalk, folder, place, out, form, names, order, rows):
    """Checks the contents of the output, by the format's own package and as xwalk reads it into YSON and Arrow."""
    code, text, err = xwalk.run("validate", out)
    if code:
        campaign.broken("the output passes validate", place, text[:600], err)
    for back in ("back.yson", "back.arrow"):
        code, _, err = xwalk.run("convert", out, back, "--allow", "lossy")
        if code:
            campaign.broken("what rows were added to is read", place, err)
        _, found = columns.read(EXTENSION[back.split(".")[1]], folder / back)
        compare(f"{place}, in {back}", names, order, rows, found)
    path = folder / out
    files = sorted(path.rglob(f"*.{form}")) if out.endswith("/") else [path]
    if place != "hive":
        found = [row for file in files for row in columns.read(form, file)[1]]
        compare(f"{place}, by its own package", names, order, rows, found)


def compare(what, names, order, rows, found):
    by_number = {row["id"]: row for row in found}
    if len(found) != len(rows) or set(by_number) != {row["id"] for row in rows}:
        campaign.broken("every row is there once", what, [row["id"] for row in found])
    for row in rows:
        for name in names:
            wanted = row[name] if name in order or row["id"] < ROWS else None
            value = by_number[row["id"]].get(name)
            if not alike(name, wanted, value):
                campaign.broken("values keep their meaning", f"{what}: row {row['id']}, {name}: {wanted!r} became {value!r}")


def alike(name, wanted, found):
    """Whether a value means what was sent; systems without a type hold what they have in its place."""
    if wanted == found:
        return True
    if found is None or wanted is None:
        return False
    if name == "any" and isinstance(found, bytes):
        return wanted == yt_tables.of_node(yt_tables.yson.loads(found, encoding=None))
    if name == "way" and isinstance(found, dict):
        return {key: value for key, value in found.items() if value is not None} == {wanted[1]: wanted[2]}
    if name == "levels" and isinstance(wanted, dict):
        return found == wanted["value"]
    if name in ("m", columns.STRING_KEYED) and found and isinstance(found[0], dict):
        return [tuple(item.values()) for item in found] == wanted
    return False


def prepare(_):
    import engine_host

    os.environ["XWALK_PYTHON"] = engine_host.started()
