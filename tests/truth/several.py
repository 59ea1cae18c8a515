"""Several inputs: their rows arrive as the rows of one file do, and a file of another schema is refused or means the same.

A random table is cut into two files. Both together must give the rows that the whole file gives, in every format that is read
and written here, with the same rows refused. Then the second file gets other types under the same names: either both are
refused together, or its rows have the values that the file has alone.
"""
import pyarrow

import arrow_tables
import interfaces
import skiff_tables
import trip
import yt_tables

from tests import harness

SYSTEMS = ["yt", "skiff", "parquet", "arrow"]
ROWS = 12
TRIPS = 400


def make(rng, system, path):
    columns = rng.randint(1, 3)
    if system == "yt":
        yt_tables.make(rng, path, columns, ROWS)
    elif system == "skiff":
        skiff_tables.make(rng, path, columns, ROWS)
    else:
        arrow_tables.make(rng, system, path, columns, ROWS)


def rows_of(system, source, target, rows):
    if system == "yt":
        yt_tables.without(source, target, rows=rows)
    elif system == "skiff":
        skiff_tables.without(source, target, rows=rows)
    else:
        arrow_tables.without(system, source, target, rows=rows)


def convert(interface, inputs, target, options):
    """Returns the table that arrives and how many rows were rejected; nothing if there is no way."""
    trip.remove(target)
    try:
        done = interface.xwalk.convert([str(each) for each in inputs], target, on_error="skip", threads=1, **options)
    except (interface.xwalk.UnsupportedError, interface.xwalk.InputError) as error:
        return None, str(error)
    return done, ""


def columns_of(system, target):
    return [list(column) for column in trip.read(system, target).columns]


def halves(rng, interface, folder):
    """One table in two files."""
    system, to = rng.choice(SYSTEMS), rng.choice(SYSTEMS)
    ending = trip.EXTENSION[system]
    whole, first, second = (folder / f"{name}.{ending}" for name in ("whole", "first", "second"))
    cut = rng.randint(1, ROWS - 1)
    try:
        make(rng, system, whole)
        rows_of(system, whole, first, (0, cut))
        rows_of(system, whole, second, (cut, ROWS - cut))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001: errors and panics: a package that does not read what it wrote
        return "not readable by its own package"
    # pyarrow keeps times in seconds as milliseconds, and forgets it when it writes them again.
    if len({str(pyarrow.schema(interface.xwalk.open(each, format=system))) for each in (whole, first, second)}) > 1:
        return "changed by its own package"
    options = {"format": system, "to": to, **rng.choice([{}, {}, {"unify": True}, {"annotations": False}])}
    one, together = folder / f"one.{trip.EXTENSION[to]}", folder / f"together.{trip.EXTENSION[to]}"
    done, why = convert(interface, [whole], one, {key: value for key, value in options.items() if key != "unify"})
    both, why_not = convert(interface, [first, second], together, options)
    what = f"{system} → {to} {options}"
    if done is None or both is None:
        if (done is None) != (both is None):
            raise trip.Broken("several are read as one", f"{what}: one: {why or 'read'}; both: {why_not or 'read'}")
        return "unsupported"
    # Several files are not sorted as a whole: the promise is dropped, with a note.
    is_sorted = system == "yt" and "sort_order" in whole.with_name(f"{whole.name}.schema").read_text()
    if is_sorted and both.rejected < done.rejected:
        return "no order as a whole"
    if done.rejected != both.rejected:
        raise trip.Broken("the same rows are rejected", f"{what}: {done.rejected} and {both.rejected}")
    if columns_of(to, one) != columns_of(to, together):
        raise trip.Broken("several arrive as one", f"{what}: {trip.read(to, one).types}")
    return "two halves"


def other_types(rng, interface, folder):
    """A second file with other types for the same columns."""
    to = rng.choice(SYSTEMS)
    first, second = folder / "first.yson", folder / "second.yson"
    types = [(name, yt_tables.random_type(rng, 1)) for name in ("a", "b")]
    later = [(name, yt_tables.changed(rng, kind)) for name, kind in types]
    yt_tables.make_of(rng, first, types, ROWS)
    yt_tables.make_of(rng, second, later, ROWS)
    options = {"format": "yt", "to": to}
    one, together = folder / f"one.{trip.EXTENSION[to]}", folder / f"together.{trip.EXTENSION[to]}"
    both, _ = convert(interface, [first, second], together, options)
    alone, _ = convert(interface, [second], one, options)
    before, _ = convert(interface, [first], folder / f"before.{trip.EXTENSION[to]}", options)
    if both is None or alone is None or before is None:
        return "refused together"
    # What the first schema does not hold is refused as well, such as a null.
    if alone.rejected + before.rejected < both.rejected:
        return "rows refused together"
    if alone.rejected + before.rejected > both.rejected:
        raise trip.Broken("the same rows are rejected", f"{types} and {later} → {to}")
    count = ROWS - alone.rejected
    left, right = trip.read(to, one), trip.read(to, together)
    # Columns of Skiff are the integers that they are stored as; what the integers mean is in the schema.
    kinds, others = (pyarrow.schema(interface.xwalk.open(each, format=to)).types for each in (one, together))
    for name, kind, alike, wanted, found in zip(left.names, kinds, others, columns_of(to, one), columns_of(to, together)):
        # Types of other levels or layouts show the same values differently.
        if str(kind) == str(alike) and found[len(found) - count:] != wanted:
            raise trip.Broken("values of a second file", f"{types} and {later} → {to}: {name}")
    return "read together"


def prepare(_):
    harness.use_module()
    go.interface = interfaces.Module(harness.PROGRAM)


def go(rng, _, folder):
    return rng.choice([halves, halves, other_types])(rng, go.interface, folder)
