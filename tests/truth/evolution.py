"""Guarantees about two schemas: `compat` for old rows and a later schema, `merge` for rows of both."""
import trip
import yt_tables


def read_as(module, source, schema, out):
    """Reads rows by a schema that is not theirs. Returns values and type of each column by name, and what was said."""
    trip.remove(out)
    done = module.convert("yson", source, "yson", out, {"schema": schema, "threads": 1, "yson_format": "binary"})
    if done.code:
        return None, done
    names, columns, types, *_ = yt_tables.read(out)
    return dict(zip(names, zip(columns, types))), done


def hold(law, module, source, schema, folder, may_refuse):
    """All rows are read by a schema, and what both schemas have is what it was."""
    was_names, was, was_types, *_ = yt_tables.read(source)
    found, done = read_as(module, source, schema, folder / "read.yson")
    if found is None:
        raise trip.Broken(law, f"the rows are not read: {done.words[:600]}")
    if done.refused and not may_refuse:
        raise trip.Broken(law, f"rows {done.refused} are refused")
    for name, column, kind in zip(was_names, was, was_types):
        # What becomes `any` is shown as the node it is stored as.
        if name not in found or (found[name][1] != kind and "yson" in str(found[name][1])):
            continue
        left = [value for row, value in enumerate(column) if row not in done.refused]
        for before, after in zip(left, found[name][0]):
            if not same(before, after):
                raise trip.Broken(law, f"column {name}: {before!r} became {after!r}")


def same(before, after):
    """The same value. The later one may have members that the earlier one lacks, or lacks some, and a level more of
    absence."""
    if before == after:
        return True
    if isinstance(after, dict) and set(after) == {"value"} and same(before, after["value"]):
        return True
    if isinstance(before, dict) and isinstance(after, dict):
        return all(same(value, after[name]) for name, value in before.items() if name in after)
    if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)) and len(before) == len(after):
        return all(same(*pair) for pair in zip(before, after))
    return False


def compat(rng, module, folder):
    """Old rows are read by a schema that `compat` calls compatible, and none of them wrong by one that needs validation."""
    old, later = folder / "old.yson", folder / "later.yson"
    types = [(name, yt_tables.random_type(rng)) for name in rng.sample(yt_tables.NAMES, rng.randint(1, 3))]
    yt_tables.make_of(rng, old, types, 8)
    new = yt_tables.evolved(rng, types)
    yt_tables.make_of(rng, later, new, 0)
    answer = module.compat(old, later)
    verdict = answer.report and answer.report["answer"]
    if verdict not in ("compatible", "needs validation"):
        return f"compat: {verdict or 'refused'}"
    hold(f"compat says {verdict}", module, old, yt_tables.schema_text(new), folder, verdict != "compatible")
    return f"compat: {verdict}"


def merge(rng, module, folder):
    """Rows of both are read by the schema that `merge` makes of two."""
    first, second = folder / "first.yson", folder / "second.yson"
    types = [(name, yt_tables.random_type(rng)) for name in rng.sample(yt_tables.NAMES, rng.randint(1, 3))]
    yt_tables.make_of(rng, first, types, 8)
    yt_tables.make_of(rng, second, yt_tables.evolved(rng, types), 8)
    merged = module.merge(first, second)
    if merged is None:
        return "merge: refused"
    for source in (first, second):
        hold("merge holds the rows of both", module, source, merged, folder, False)
    return "merge: made"
