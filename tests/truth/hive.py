"""Folders named by the values of columns: written by xwalk and by others, read by xwalk, pyarrow and DuckDB.

Keys are random: nulls, columns of nulls alone, texts that look like numbers, dates or the name for null, `%`, slashes, marks and
other alphabets. A value that a name cannot hold is refused beforehand as on the way. Others read the values that were written.
"""
import datetime
import re
import urllib.parse

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import arrow_tables
import campaign

NULL = "__HIVE_DEFAULT_PARTITION__"
ROWS = 10
TRIPS = 200
NUMBERS = ["12", "-5", "0", "9223372036854775807", "7"]
DATES = ["2026-03-01", "1970-01-01", "0001-01-01", "9999-12-31"]
TEXTS = [*NUMBERS, *DATES, "007", "+5", "-0", "1.0", "1e3", "9223372036854775808", "2026-3-1", "2026-02-30", "10000-01-01", "a", "A", "%",
         "%2F", "%zz", "a/b", "/", "ä€𝄞", "e\u0301", "\u00e9", " a ", " ", "=", "k=v", ".", "..", "null", "NULL", "true", "\\", "?", "*", "[x]",
         "{a,b}", "a\nb", "\t", "'", '"', "x" * 200, "_hidden", ".hidden", ":", "#", "&", "+", "~", "\u200b", "\x7f", "$x", "CON", "nan"]
ODD = [NULL, ""]
#: The longest name that a folder may have.
LONGEST = 255
NAMES = ["k", "day", "two words", "ä", "K2", "x.y", "a=b", "c/d", "%k"]


def draw_key(rng):
    """A column: its type, and its values."""
    what = rng.choice(["text", "text", "numbers", "dates", "int", "date", "bool", "nulls"])
    if what == "nulls":
        kind, pool = rng.choice([pa.string(), pa.int64(), pa.date32(), pa.bool_()]), [None]
    elif what == "int":
        kind = rng.choice([pa.int64(), pa.int8(), pa.uint64()])
        pool = [0, 5, 127, *([-128] if kind != pa.uint64() else [2**64 - 1])]
    elif what == "date":
        kind, pool = pa.date32(), [datetime.date.fromisoformat(text) for text in DATES]
    elif what == "bool":
        kind, pool = pa.bool_(), [True, False]
    else:
        kind = rng.choice([pa.string(), pa.string(), pa.large_string()])
        pool = rng.sample({"text": TEXTS, "numbers": NUMBERS, "dates": DATES}[what], 4) + (rng.sample(ODD, 1) if rng.random() < 0.15 else [])
    if rng.random() < 0.3:
        pool = [*pool, None]
    few = rng.sample(pool, min(3, len(pool)))
    return kind, [rng.choice(few) for _ in range(ROWS)]


def draw(rng, names):
    """A table of numbers and keys."""
    keys = {name: draw_key(rng) for name in names}
    columns = [pa.array(range(ROWS), pa.int64()), *(pa.array(values, kind) for kind, values in keys.values())]
    return pa.table(columns, names=["id", *names])


def text_of(value):
    if value is None or isinstance(value, str):
        return value
    return str(value).lower() if isinstance(value, bool) else str(value)


def looks_like_date(text):
    try:
        return re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) is not None and datetime.date.fromisoformat(text) is not None
    except ValueError:
        return False


def looks_like_integer(text):
    return re.fullmatch(r"0|-?[1-9]\d*", text) is not None and -2**63 <= int(text) < 2**63


def as_read(texts):
    """What a column of keys is, by the names alone: all values written as integers are, all dates, or text."""
    there = [text for text in texts if text is not None]
    if there and all(map(looks_like_integer, there)):
        return [None if text is None else int(text) for text in texts]
    if there and all(map(looks_like_date, there)):
        return [None if text is None else datetime.date.fromisoformat(text) for text in texts]
    return texts


def fits(text):
    """Whether a folder's name holds a text. Some bytes of a name are three there."""
    return text is None or (text != NULL and len(urllib.parse.quote(text, safe="")) < LONGEST - 20)


def rows_of(table, names):
    """Rows by their numbers, with keys as they are."""
    columns = [table.column(name).to_pylist() for name in ("id", *names)]
    return sorted(zip(*columns), key=lambda row: row[0])


def wanted_rows(table, names, number):
    """The rows that must be read, with the keys that their names say."""
    texts = [[text_of(table.column(name)[at].as_py()) for at in number] for name in names]
    return sorted(zip(number, *(as_read(each) for each in texts)), key=lambda row: row[0])


def hold(who, found, wanted):
    if found != wanted:
        other = next(((left, right) for left, right in zip(found, wanted) if left != right), (len(found), len(wanted)))
        campaign.broken("keys are read as they were", f"{who}: found {other[0]}, expected {other[1]}")


def by_xwalk(xwalk, place, table, names, number, *words):
    code, _, err = xwalk.run("convert", place, "back.arrow", "--overwrite", "-q", *words)
    if code:
        campaign.broken("a folder is read", err)
    back = arrow_tables.read("arrow", xwalk.folder / "back.arrow")
    hold("xwalk", rows_of(back, names), wanted_rows(table, names, number))
    code, out, err = xwalk.run("validate", place, *words)
    if code:
        campaign.broken("the output passes validate", out, err)


def by_others(xwalk, place, form, table, names, number):
    """What pyarrow and DuckDB read, with keys as text."""
    wanted = sorted(zip(number, *([text_of(table.column(name)[at].as_py()) for at in number] for name in names)), key=lambda row: row[0])
    schema = pa.schema([(name, pa.string()) for name in names])
    # Files have no key columns: the names of folders have them.
    found = ds.dataset(str(xwalk.folder / place), format=form, partitioning=ds.partitioning(schema, flavor="hive"), ignore_prefixes=[])
    hold("pyarrow", rows_of(found.to_table(), names), wanted)
    # DuckDB does not unescape the names of columns.
    if form == "parquet" and all(re.fullmatch(r"[\w. ]+", name) for name in names):
        words = "hive_partitioning = true, hive_types_autocast = false"
        columns = ", ".join('"' + name.replace('"', '""') + '"' for name in ("id", *names))
        # DuckDB takes characters of patterns in a folder for a pattern.
        files = [str(path) for path in (xwalk.folder / place).rglob("*.parquet") if not re.search(r"[*?\[\]{}]", str(path.parent))]
        if files and len(files) == len(list((xwalk.folder / place).rglob("*.parquet"))):
            rows = duckdb.execute(f"SELECT {columns} FROM read_parquet(?, {words})", [files]).fetchall()
            hold("DuckDB", sorted(rows, key=lambda row: row[0]), wanted)


def written_by_xwalk(rng, xwalk, folder):
    names = rng.sample(NAMES, rng.randint(1, 2))
    table = draw(rng, names)
    form, source = rng.choice(["parquet", "arrow"]), rng.choice(["arrow", "parquet"])
    arrow_tables.write(source, table, folder / f"in.{source}")
    # Folders have the names of the output.
    called = dict(zip(names, names))
    shaped = []
    if rng.random() < 0.3:
        called[names[0]] = "renamed"
        old = names[0] if names[0].isidentifier() else f'"{names[0]}"'
        shaped += ["--rename", f"{old}=renamed"]
    if rng.random() < 0.3:
        shaped += ["--select", ",".join(f'"{name}"' for name in rng.sample([*names, "id"], len(names) + 1))]
    by = ",".join(called[name] for name in names)
    words = ["--partition-by", by, *rng.choice([[], ["--threads", 3, "--batch-rows", 2], ["--threads", 1], ["--no-annotations"]]), *shaped]
    texts = [[text_of(value) for value in table.column(name).to_pylist()] for name in names]
    refused = [at for at in range(ROWS) if not all(fits(each[at]) for each in texts)]
    code, report, err = xwalk.told("check", f"in.{source}", "--rows", "--to", form, *words)
    if code not in (0, 1) or report["verdict"] not in ("exact", "annotated", "widened", "checked"):
        campaign.broken("check answers", code, err)
    if report["rows"]["refused"] != len(refused):
        campaign.broken("check counts the rows that a name does not hold", report["rows"], [texts[0][at] for at in refused])
    code, done, err = xwalk.told("convert", f"in.{source}", "out/", "--to", form, "--rejects", "bad.yson", *words)
    if len(refused) == ROWS:
        if code != 3 or (folder / "out").exists():
            campaign.broken("no folder without a row", code, err)
        return "no row accepted"
    if code or done["rejected"] != len(refused):
        campaign.broken("convert refuses the rows that check counts", code, refused, err)
    number = [at for at in range(ROWS) if at not in refused]
    if rng.random() < 0.4:
        code, _, err = xwalk.run("convert", f"in.{source}", "out/", "--to", form, "--rejects", "again.yson", "--mode", "append", *words)
        if code:
            campaign.broken("rows are added to a folder", err)
        number = number * 2
    names = [called[name] for name in names]
    table = table.rename_columns(["id", *names])
    by_xwalk(xwalk, "out/", table, names, number)
    by_others(xwalk, "out", form, table, names, number)
    return f"written by xwalk as {form}"


def escaped_as_spark(text):
    """As Hive and Spark name folders."""
    return "".join(f"%{ord(c):02X}" if ord(c) < 32 or c in "\x7f\"#%'*/:=?\\{[]^" else c for c in text)


def by_hand(table, names, folder):
    """Writes as Spark does: nulls and empty texts have one name."""
    for at in range(ROWS):
        values = [text_of(table.column(name)[at].as_py()) for name in names]
        place = folder
        for name, text in zip(names, values):
            place /= f"{escaped_as_spark(name)}={escaped_as_spark(text) if text else NULL}"
        place.mkdir(parents=True, exist_ok=True)
        pq.write_table(table.slice(at, 1).select(["id"]), place / f"part-{at}.snappy.parquet")
    (folder / "_SUCCESS").touch()


def written_by_others(rng, xwalk, folder):
    names = rng.sample([name for name in NAMES if name.isidentifier()], rng.randint(1, 2))
    table, who = draw(rng, names), rng.choice(["Spark", "pyarrow", "DuckDB"])
    place = folder / "theirs"
    texts = [[text_of(value) for value in table.column(name).to_pylist()] for name in names]
    # Empty texts and the name for null become null there: that is theirs. Names that a disk does not take are not asked.
    if any(text in ODD or text and len(urllib.parse.quote(text, safe="")) > LONGEST - 20 for each in texts for text in each):
        return "not written by others"
    if any(text in (".", "..") for each in texts for text in each):
        return "not written by others"
    if who == "Spark":
        by_hand(table, names, place)
    elif who == "pyarrow":
        schema = pa.schema([table.schema.field(name) for name in names])
        ds.write_dataset(table, place, format="parquet", partitioning=ds.partitioning(schema, flavor="hive"))
    else:
        by = ", ".join(f'"{name}"' for name in names)
        connection = duckdb.connect()
        connection.register("rows", table)
        connection.execute(f"COPY rows TO '{place}' (FORMAT parquet, PARTITION_BY ({by}))")
    by_xwalk(xwalk, "theirs", table, names, list(range(ROWS)))
    code, told, err = xwalk.told("check", "theirs", "--rows", "--to", "yt")
    if code != 0 or told["rows"]["read"] != ROWS or told["rows"]["refused"]:
        campaign.broken("check reads a folder", code, told and told["rows"], err)
    return f"written by {who}"


def go(rng, xwalk, folder):
    return rng.choice([written_by_xwalk, written_by_xwalk, written_by_others])(rng, xwalk, folder)
