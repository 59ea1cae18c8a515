"""Arrow objects of this process, in slices and chunks, given to the module: their rows arrive as those of a file do."""
import arrow_tables
import normal
import pyarrow as pa
import trip

LAW = "rows of an object arrive"


def go(rng, interface, folder):
    """Converts slices of a random table, and back where the target's reader is not Arrow's. Returns the pair and what came."""
    columns = [arrow_tables.column_of(rng, "arrow", name, 30) for name in ("a", "b")]
    table = pa.table([column for _, column in columns], schema=pa.schema([field for field, _ in columns]))
    # pyarrow takes the codes of a union's slice for those of the whole.
    whole = [normal.of_arrow(column) for column in table.columns]
    cuts = [(rng.randrange(30), rng.choice([0, 1, 2, 9])) for _ in range(rng.randint(1, 3))]
    given = pa.concat_tables([table.slice(*cut) for cut in cuts])
    wanted = [[value for start, count in cuts for value in values[start:start + count]] for values in whole]
    system = rng.choice(["yt", "skiff", "parquet", "arrow"])
    target = folder / f"there.{trip.EXTENSION[system]}"
    xwalk = interface.xwalk
    try:
        options = {"on_error": "skip", "threads": 1, **rng.choice([{}, {"annotations": False}])}
        done = xwalk.convert(given, target, **options)
        read = target
        if system in ("yt", "skiff"):
            read = folder / "back.arrow"
            xwalk.convert(target, read, threads=1)
    except xwalk.UnsupportedError:
        return f"arrow:{system}", "unsupported"
    except xwalk.Error as error:
        raise trip.Broken(LAW, f"{given.schema.types} in {cuts}: {error}") from None
    claimed = trip.claims(done.report.to_dict(), given.column_names)
    refused = {row["row"] for row in done.rejects}
    left = [[value for row, value in enumerate(values) if row not in refused] for values in wanted]
    found = trip.read("parquet" if system == "parquet" else "arrow", read).columns
    if [len(values) for values in left] != [len(values) for values in found]:
        raise trip.Broken(LAW, f"{given.schema.types} in {cuts}: {[len(values) for values in found]} rows")
    on_the_way = system in ("yt", "skiff")
    trip.compare(LAW, given.column_names, left, found, claimed,
                 lambda column: not column.rules & trip.SHOWN_OTHERWISE and not (on_the_way and column.type == "changed"),
                 trip.with_intervals_as_bytes if system == "parquet" else None)
    return f"arrow:{system}", "an object"
