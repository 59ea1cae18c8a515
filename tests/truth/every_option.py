"""Every option with every pair of formats, in random combination: what is said beforehand happens, and values keep their meaning.

The options are those that the program itself lists. One that is new there fails here until `OPTIONS` has it with its
meaning, or `ELSEWHERE` with the test that covers it. Choices of an option (`none|snappy|zstd`) are drawn from the program's own
list, too.
"""
import json
import pathlib
import re
from fractions import Fraction

import pyarrow.parquet as pq

import campaign
import columns
import normal
import trip
import yt_tables
from columns import EXTENSION, KINDS, YT_LIKE

#: Options that other tests cover: each needs more than a file.
ELSEWHERE = {
    "--help": "tests/cli/pages_test.py", "--partition-by": "tests/truth/hive.py", "--mode": "tests/truth/appends.py", "--evolve": "tests/io/append_test.py", "--key": "tests/io/upsert_test.py",
    "--follow": "tests/io/lance_references_test.py", "--yt-attribute": "tests/io/cluster_test.py", "--yt-writers": "tests/io/cluster_test.py",
    "--storage": "tests/python/taken_options_test.py", "--verify": "tests/io/verify_test.py", "--resume": "tests/io/resume_test.py",
    "--jobs": "tests/io/resume_test.py", "--proof": "tests/io/verify_test.py", "--title": "tests/cli/verify.clitest", "--owner": "tests/cli/verify.clitest",
    "--for-reader": "tests/python/for_reader_test.py",
    "--config": "tests/io/resume_test.py", "--allow-host": "tests/io/resume_test.py",
}
ROWS = 10
TRIPS = 600
#: One trip in this many has an engine at one of its ends.
WITH_ENGINES = 12


class Trip:
    """One conversion: its ends, its rows, the words that are asked, and what they mean."""

    def __init__(self, rng, folder, choices, taken):
        self.rng, self.folder, self.choices, self.taken = rng, folder, choices, taken
        self.source, self.target = draw_pair(rng)
        self.names = rng.sample(columns.kinds_of(self.source), rng.randint(1, 5))
        self.rows = columns.draw(rng, self.names, ROWS)
        if self.source == "json":
            self.without_nan()
        #: Options in the syntax of the command line, and their values by name.
        self.words, self.options = [], {}
        self.reading, self.writing = columns.default_modes(self.source), columns.default_modes(self.target)
        #: Columns that come, their new names, casts, and numbers of rows.
        self.chosen, self.renamed, self.cast, self.number = list(self.names), {}, {}, list(range(ROWS))
        self.end_of_stream = self.unsafe = False
        #: What the output promises of its first column.
        self.order, self.unique = None, False
        self.output = folder / f"out.{EXTENSION.get(self.target, self.target)}"
        self.input = folder / f"in.{EXTENSION.get(self.source, self.source)}"
        #: Where rows of a second file begin, if there are two.
        self.cut = rng.randint(1, ROWS - 1) if rng.random() < 0.25 and self.source not in ("lance", "vortex") else ROWS
        #: What must hold of the files beside the values.
        self.also = []

    def without_nan(self):
        for row in self.rows:
            if row.get("num") == ("f", "nan"):
                row["num"] = normal.float_bits(0.5)

    def choice(self, option):
        return self.rng.choice(self.choices[option])

    def says(self, option, *values):
        self.options[option] = values
        self.words += [option, *map(str, values)]


def draw_pair(rng):
    if rng.random() * WITH_ENGINES < 1:
        engine, other = rng.choice(["lance", "vortex"]), rng.choice(["yson", "json", "skiff", "parquet", "arrow"])
        return rng.choice([(engine, other), (other, engine)])
    return rng.choice(["yson", "json", "skiff", "parquet", "arrow"]), rng.choice(["yson", "json", "skiff", "parquet", "arrow", "csv"])


# What each option is given, and what it means. A function returns False if the option does not suit a trip.

def select(asked):
    chosen = asked.rng.sample(asked.chosen, asked.rng.randint(1, len(asked.chosen)))
    asked.chosen = chosen
    asked.says("--select", ",".join(chosen))


def exclude(asked):
    if "--select" in asked.options or len(asked.chosen) < 2:
        return False
    gone = asked.rng.choice(asked.chosen)
    asked.chosen = [name for name in asked.chosen if name != gone]
    asked.says("--exclude", gone)
    return True


def rename(asked):
    asked.renamed[asked.chosen[0]] = "called"
    asked.says("--rename", f"{asked.chosen[0]}=called")


#: The casts that are asked: the type, and the value in it; nothing for one that it does not hold.
def as_text(kind):
    def text(value):
        return csv_text(kind, value).encode()
    return text


def within(low, high):
    return lambda value: value if low <= value <= high else None


CASTS = {
    "n": [("int8", within(-128, 127)), ("utf8", as_text("int64")), ("int64", lambda value: value)],
    "u": [("int64", within(0, 2**63 - 1)), ("utf8", as_text("uint64"))],
    "text": [("string", lambda value: value), ("binary", lambda value: value)],
    "day": [("date32[day]", lambda value: value)],
    "at": [("timestamp[s, tz=UTC]", lambda value: value if value % 10**9 == 0 else None)],
    "price": [("decimal(12,4)", lambda value: value), ("decimal(4,2)", lambda value: value if abs(value) < 100 else None)],
}


def cast(asked):
    names = [name for name in asked.chosen if name in CASTS]
    if not names:
        return False
    name = asked.rng.choice(names)
    kind, asked.cast[name] = asked.rng.choice(CASTS[name])
    asked.says("--cast", f"{name}={kind}")
    return True


def limit(asked):
    count = asked.rng.randint(1, ROWS + 2)
    asked.says("--limit", count)


def tail(asked):
    asked.says("--tail", asked.rng.randint(1, ROWS + 2))


def sample(asked):
    asked.says("--sample", asked.rng.choice([3, 7, ROWS + 5, "40%", "100%"]))


def seed(asked):
    if "--sample" not in asked.options:
        return False
    asked.says("--seed", asked.rng.randint(0, 9))
    return True


def schema(asked):
    if asked.source not in YT_LIKE:
        return False
    text = columns.schema_text(asked.names)
    if asked.rng.random() < 0.5:
        (asked.folder / "given.schema").write_text(text)
        text = "given.schema"
    asked.says("--schema", text)
    asked.also.append(lambda: None)
    return True


def save_schema(asked):
    asked.says("--save-schema", "saved.schema")

    def names_are_saved():
        node = yt_tables.yson.loads((asked.folder / "saved.schema").read_bytes())
        found = [name for name, _ in yt_tables.columns_of(node)]
        if sorted(found) != sorted(asked.names):
            campaign.broken("the saved schema is that of the rows", found, asked.names)
    asked.also.append(names_are_saved)


def to_schema(asked):
    if asked.source not in YT_LIKE or asked.target not in YT_LIKE or asked.renamed or asked.cast:
        return False
    text = columns.schema_text(asked.chosen)
    if "u" in asked.chosen and asked.rng.random() < 0.7:
        # The output promises an order of its first column, the rows have none.
        asked.chosen = ["u", *(name for name in asked.chosen if name != "u")]
        asked.order, asked.unique = asked.rng.choice(["ascending", "descending"]), asked.rng.random() < 0.5
        if asked.rng.random() < 0.5:
            asked.rows.sort(key=lambda row: row["u"], reverse=asked.order == "descending")
        node = yt_tables.yson.loads(columns.schema_text(asked.chosen).encode())
        node[0]["sort_order"] = asked.order
        if asked.unique:
            node.attributes["unique_keys"] = True
        text = yt_tables.yson.dumps(node, yson_format="text").decode()
    asked.says("--to-schema", text)
    return True


def modes(option, apply):
    """An option of how YSON and JSON hold values, which both ends obey."""
    def ask(asked):
        word = asked.choice(option)
        if asked.source == "json" and word == "binary" and {"price", "exact", "uid"} & set(asked.names):
            return False  # JSON holds no bytes that are not UTF-8.
        asked.says(option, word)
        for form, each in ((asked.source, asked.reading), (asked.target, asked.writing)):
            if form in ("yson", "json"):
                apply(each, word)
        return True
    return ask


def tz_form(asked):
    word = asked.choice("--tz-form")
    asked.says("--tz-form", word)
    asked.writing.tz_index = word == "index"


def flag(option):
    return lambda asked: asked.says(option)


def of_list(option):
    return lambda asked: asked.says(option, asked.choice(option))


def altering(option):
    """An option that alters values, which wants consent."""
    def ask(asked):
        asked.says(option, *([asked.choice(option)] if asked.choices[option] else []))
    return ask


def allow(asked):
    asked.says("--allow", "lossy")
    asked.unsafe = True


def compression(asked):
    word = asked.choice("--compression")
    fits = {"parquet": {"none", "snappy", "zstd", "lz4", "gzip", "brotli"}, "arrow": {"none", "zstd", "lz4"}}
    if asked.target in fits and word not in fits[asked.target]:
        return False
    if asked.target in (*YT_LIKE, "csv"):
        ending = {"gzip": ".gz", "zstd": ".zst"}.get(word)
        if ending is None:
            return False
        asked.output = asked.output.with_name(asked.output.name + ending)
    asked.says("--compression", f"{word}:3" if word in ("zstd", "gzip") and asked.rng.random() < 0.3 else word)

    def is_compressed():
        if asked.target == "parquet":
            found = pq.read_metadata(asked.output).row_group(0).column(0).compression
            if {"none": "UNCOMPRESSED"}.get(word, word.upper()) != found:
                campaign.broken("a file has the compression of the option", word, found)
    asked.also.append(is_compressed)
    return True


def row_group_rows(asked):
    count = asked.rng.randint(1, ROWS)
    asked.says("--row-group-rows", count)

    def groups_are_small():
        if asked.target == "parquet":
            data = pq.read_metadata(asked.output)
            sizes = [data.row_group(at).num_rows for at in range(data.num_row_groups)]
            if any(size != count for size in sizes[:-1]) or sizes[-1] > count:
                campaign.broken("row groups have the size of the option", count, sizes)
    asked.also.append(groups_are_small)


def message(asked):
    if asked.target != "parquet" or asked.renamed or asked.cast or set(asked.chosen) != set(asked.names):
        return False
    asked.says("--message", None)
    return True


def table(asked):
    asked.says("--table", 0)


def end_of_stream(asked):
    asked.says("--end-of-stream")
    asked.end_of_stream = True
    asked.writing.end_of_stream = True


def overwrite(asked):
    if asked.output.suffix != ".lance":
        asked.output.write_text("an older file")
    asked.says("--overwrite")


def to(asked):
    asked.options["--to"] = ()


def rejects(asked):
    asked.options["--rejects"] = ()


def no_annotations(asked):
    asked.says("--no-annotations")

    def nothing_is_noted():
        if asked.target in trip.ARROW_LIKE:
            table = trip.read(asked.target, asked.output)
            own = b"xwalk:" + asked.target.encode()
            noted = [key for each in (table.metadata, *table.of_columns) for key in each if key.startswith(b"xwalk:") and key != own]
            if noted:
                campaign.broken("nothing is noted without annotations", noted)
    asked.also.append(nothing_is_noted)


def version(asked):
    if asked.source != "lance":
        return False
    asked.says("--version", 1)
    return True


def source_format(asked):
    asked.options["--from"] = ()


def vortex_edition(asked):
    asked.says("--vortex-edition", asked.rng.choice(["core2025.05.0", "core2025.10.0"]))


OPTIONS = {
    "--from": source_format, "--to": to, "--rejects": rejects, "--schema": schema, "--save-schema": save_schema,
    "--require-schema": flag("--require-schema"),
    "--select": select, "--exclude": exclude, "--rename": rename, "--cast": cast, "--to-schema": to_schema, "--message": message,
    "--limit": limit, "--sample": sample, "--seed": seed, "--tail": tail, "--table": table,
    "--no-partitions": flag("--no-partitions"), "--unify": flag("--unify"), "--durable": flag("--durable"),
    "--batch-rows": lambda asked: asked.says("--batch-rows", asked.rng.randint(1, 7)),
    "--threads": lambda asked: asked.says("--threads", asked.rng.randint(1, 3)),
    "--max-memory": lambda asked: asked.says("--max-memory", "64MiB"),
    "--version": version, "--end-of-stream": end_of_stream,
    "--table-index": flag("--table-index"), "--range-index": flag("--range-index"), "--row-index": flag("--row-index"),
    "--int96-unit": of_list("--int96-unit"), "--cluster-version": of_list("--cluster-version"),
    "--lance-version": of_list("--lance-version"), "--vortex-edition": vortex_edition,
    "--complex-type-mode": modes("--complex-type-mode", lambda each, word: setattr(each, "named", word == "named")),
    "--string-keyed-dict-mode": modes("--string-keyed-dict-mode", lambda each, word: setattr(each, "dict_named", word == "named")),
    "--decimal-mode": modes("--decimal-mode", lambda each, word: setattr(each, "decimal_text", word == "text")),
    "--time-mode": modes("--time-mode", lambda each, word: setattr(each, "time_text", word == "text")),
    "--uuid-mode": modes("--uuid-mode", lambda each, word: setattr(each, "uuid_mode", word)),
    "--uuid-order": of_list("--uuid-order"), "--tz-form": tz_form,
    "--yson-format": of_list("--yson-format"), "--skip-null-values": flag("--skip-null-values"),
    "--compression": compression, "--row-group-rows": row_group_rows, "--geoparquet": flag("--geoparquet"), "--shred": lambda asked: asked.says("--shred", "auto"), "--overwrite": overwrite,
    "--no-annotations": no_annotations,
    "--round": altering("--round"), "--merge-nulls": altering("--merge-nulls"), "--drop-zone": altering("--drop-zone"),
    "--variant-values": altering("--variant-values"),
    "--duplicate-keys": altering("--duplicate-keys"), "--decimal-special": altering("--decimal-special"), "--any": of_list("--any"),
    "--csv-formulas": of_list("--csv-formulas"),
    "--allow": allow, "--on-error": lambda asked: asked.says("--on-error", asked.choice("--on-error")),
    "--max-rejects": lambda asked: asked.says("--max-rejects", asked.rng.choice([0, 1, ROWS, "5%", "100%"])),
    "--json": lambda asked: asked.options.update({"--json": ()}), "--no-color": flag("--no-color"), "--quiet": flag("--quiet"),
    "--verbose": flag("--verbose"),
}
#: Messages of a refusal before anything is read (exit code 2), by the options of a trip.
REFUSED = [
    (lambda asked: "fail" in asked.options.get("--on-error", ()) and "--max-rejects" in asked.options, "contradict"),
    (lambda asked: asked.cut < ROWS and {"--save-schema", "--unify"} <= asked.options.keys(), "the files have schemas of their own"),
    (lambda asked: "--cast" in asked.options and {"--to-schema", "--message"} & asked.options.keys(), "says the types"),
    (lambda asked: asked.source == "skiff" and {"--table-index", "--row-index", "--range-index"} & asked.options.keys(),
     "expected a skiff schema with \\$"),
]


def csv_text(kind, value):
    """The text of a value in CSV, as people write it."""
    name = yt_tables.name_of(kind)
    if name == "optional":
        return csv_text(kind["item"], value)
    if name == "bool":
        return "true" if value else "false"
    if name in ("utf8", "string"):
        return value.decode()
    if name == "decimal":
        return columns.decimal_text(value, kind["scale"])
    if name == "uuid":
        return columns.uuid_text(value, "text_yql")
    return str(value)


#: Text that a spreadsheet runs, after any apostrophes.
FORMULA = re.compile(rb"('*)[=+\-@\t\r]")


def escaped(asked, text):
    """The text of a cell, after an apostrophe if the option asks for one."""
    escapes = "escape" in asked.options.get("--csv-formulas", ()) and FORMULA.match(text)
    return b"'" + text if escapes else text


def is_refused_formula(asked, name, value):
    """Whether the text that a value becomes is refused in CSV."""
    if asked.target != "csv" or "refuse" not in asked.options.get("--csv-formulas", ()):
        return False
    text = asked.cast[name](value) if name in asked.cast else value if name == "text" else None
    found = FORMULA.match(text) if isinstance(text, bytes) else None
    return found is not None and not found[1]


#: Columns whose text in CSV is compared.
IN_CSV = {"n", "u", "flag", "text", "price", "uid", "day", "at", "exact"}


def csv_value(name, text):
    """The normal form of a text in CSV."""
    if text is None:
        return None
    if name in ("n", "u"):
        return int(text)
    if name == "flag":
        return {"true": True, "false": False}[text]
    if name in ("day", "at"):
        return columns.of_iso(text)
    if name in ("price", "exact"):
        return text.lower() if text.lower() in ("nan", "inf", "-inf") else Fraction(text)
    return columns.uuid.UUID(text).bytes if name == "uid" else text.encode()


# The oracle.

def swapped(data):
    return columns.uuid.UUID(bytes=data).bytes_le


def altered(asked, name, value):
    """What an option that alters values makes of one; the value itself where it alters nothing."""
    options = asked.options
    if name == "exact" and isinstance(value, str) and "null" in options.get("--decimal-special", ()):
        return None
    if name == "levels" and "--merge-nulls" in options and isinstance(value, dict):
        return value["value"]
    if name == "fine" and "--round" in options:
        return round(Fraction(value, 1000)) * 1000
    if name == "at" and "--round" in options:
        return round(Fraction(value, 10**9)) * 10**9
    if name == "zoned" and "--drop-zone" in options:
        return value["time"]
    if name == "m" and "last" in options.get("--duplicate-keys", ()):
        return list(dict(value).items())
    if name == "price" and "--round" in options and value is not None:
        return value
    return value


def fits(asked, name, value):
    """Whether a value fits, as far as this test knows: a row of such values alone must arrive."""
    if value is None:
        return True
    if name in asked.cast and asked.cast[name](value) is None:
        return False
    if is_refused_formula(asked, name, value):
        return False
    if name == "m":
        return len(dict(value)) == len(value)
    if name == "levels":
        return value != {"value": None}
    if name == "exact":
        return not isinstance(value, str)
    if name == "fine":
        return value % 1000 == 0
    return asked.target != "json" or fits_in_json(asked, name, value)


def fits_in_json(asked, name, value):
    """JSON holds no NaN, and text alone."""
    if value == ("f", "nan") or holds_bytes(value):
        return False
    try:
        columns.encode(KINDS[name][0], value, asked.writing)
    except UnicodeDecodeError:
        return False
    return True


def holds_bytes(value):
    """Whether a value has bytes that are not UTF-8."""
    if isinstance(value, bytes) and len(value) != 16:
        try:
            value.decode()
        except UnicodeDecodeError:
            return True
    return isinstance(value, (list, tuple)) and any(map(holds_bytes, value)) or isinstance(value, dict) and any(map(holds_bytes, value.values()))


def alike(asked, name, wanted, found):
    """Whether a value that arrived means what was sent. Systems without a type hold what they have in its place."""
    if wanted == found:
        return True
    if asked.target == "csv":
        if name in asked.cast and isinstance(wanted, bytes):
            return found is not None and found.encode() == escaped(asked, wanted)
        if name == "text" and wanted is not None:
            return csv_value(name, found) == escaped(asked, wanted)
        return name not in IN_CSV or csv_value(name, found) == wanted
    if name == "any" and asked.target == "json" and isinstance(wanted, tuple) and wanted[0] == "u":
        return found == wanted[1]  # JSON does not distinguish unsigned numbers.
    if name == "any" and isinstance(found, bytes):
        found = any_of(asked, found)
        return wanted == found or isinstance(wanted, tuple) and wanted[0] == "u" and wanted[1] == found
    if name == "any" and found is None:
        return wanted is None
    if name == "way" and isinstance(found, dict):
        return {key: value for key, value in found.items() if value is not None} == {wanted[1]: wanted[2]}
    if name == "exact" and isinstance(found, bytes):
        return wanted == (found.decode() if found.decode() in ("nan", "inf", "-inf") else Fraction(found.decode()))
    if name in ("m", columns.STRING_KEYED) and found and isinstance(found[0], dict):
        return [tuple(item.values()) for item in found] == wanted
    if name == "uid" and isinstance(found, bytes) and "raw" in asked.options.get("--uuid-order", ()):
        return (asked.source in YT_LIKE) != (asked.target in YT_LIKE) and swapped(found) == wanted
    return False


def any_of(asked, data):
    """A value of any type that was stored as VARIANT, text or binary YSON."""
    words = asked.options.get("--any", ())
    if isinstance(data, dict) and set(data) == {"metadata", "value"}:
        return normal.of_variant(data)
    if {"json", "ytjson"} & set(words):
        try:
            return columns.node(json.loads(data), True)
        except ValueError:
            return data, "is not JSON"
    return yt_tables.of_node(yt_tables.yson.loads(data, encoding=None))


def expected_rows(asked, xwalk):
    """The numbers of the rows that are read, by the options that choose rows."""
    number = list(range(ROWS))
    if "--sample" in asked.options:
        # Which rows are drawn is asked apart: the same with any other option.
        words = ["--sample", *map(str, asked.options["--sample"]), "--seed", *(asked.options.get("--seed") or [0])]
        (asked.folder / "numbers.jsonl").write_text("".join(f'{{"r":{at}}}\n' for at in range(ROWS)))
        (asked.folder / "numbers.jsonl.schema").write_text("[{name=r;type_v3=int64}]")
        xwalk.run("convert", "numbers.jsonl", "drawn.jsonl", "--overwrite", *words)
        drawn = asked.folder / "drawn.jsonl"
        number = [json.loads(line)["r"] for line in drawn.read_text().splitlines()] if drawn.exists() else []
        if (count := asked.options["--sample"][0]) in (3, 7, ROWS + 5, "100%"):
            if len(number) != (ROWS if count == "100%" else min(ROWS, count)):
                campaign.broken("a sample has N rows", count, number)
    if "--tail" in asked.options:
        number = number[-asked.options["--tail"][0]:]
    if "--limit" in asked.options:
        number = number[:asked.options["--limit"][0]]
    return number


#: Options of `convert` that other verbs have no word for are left out there.
def words_for(asked, verb_options):
    out, words = [], list(asked.words)
    while words:
        word = words.pop(0)
        values = []
        while words and not (isinstance(words[0], str) and words[0].startswith("--")):
            values.append(words.pop(0))
        if word in verb_options:
            out += [word, *values]
    return out


def is_taken(asked, option):
    """Whether one of the two formats takes an option, or every format does."""
    row = asked.taken.get(option)
    return row is None or asked.source in row["read"] or asked.target in row["written"]


#: With a table schema only.
BY_TABLE = {"--uuid-order", "--decimal-special"}


def go(rng, xwalk, folder):
    asked = Trip(rng, folder, go.choices, go.taken)
    names = [name for name in OPTIONS if name not in ("--from", "--to", "--rejects", "--json")]
    usable = [name for name in names if is_taken(asked, name) and not (asked.source == "arrow" and name in BY_TABLE)]
    few = rng.sample(usable, rng.randint(0, 8))
    if rng.random() < 0.1:
        few.append(rng.choice(names))
    if rng.random() < 0.5 and not set(few) & {"--on-error", "--max-rejects"}:
        asked.says("--on-error", "skip")
    asked.drawn = []
    for name in sorted(few, key=list(OPTIONS).index):
        if name not in asked.options and OPTIONS[name](asked) is not False:
            asked.drawn.append(name)
    write_input(asked)
    return hold(asked, xwalk)


def second(asked):
    return asked.input.with_name(f"second{asked.input.suffix}")


def write_input(asked):
    for path, rows in (asked.input, asked.rows[:asked.cut]), (second(asked), asked.rows[asked.cut:]):
        if rows:
            columns.write(asked.source, path, asked.names, rows, asked.reading, asked.end_of_stream and asked.source == "skiff",
                          asked.rng.random() < 0.5)
            if "--schema" in asked.options:
                pathlib.Path(f"{path}.schema").unlink()


def inputs(asked):
    return [asked.input.name, *([second(asked).name] if asked.cut < ROWS else [])]


def hold(asked, xwalk):
    """Runs check and convert, and compares their answers."""
    ends = ["--from", asked.source, "--to", asked.target]
    if "--message" in asked.options:
        code, text, err = xwalk.run("schema", asked.input.name, "--from", asked.source, "--to", "parquet")
        if code:
            return "no message"
        asked.words[asked.words.index("--message") + 1] = text
    before, report, said = xwalk.told("check", *inputs(asked), "--rows", *ends, *words_for(asked, go.of_check))
    code, done, err = xwalk.told("convert", *inputs(asked), asked.output.name, *ends, *asked.words,
                                 *(["--rejects", "bad.yson"] if skips(asked) else []))
    untaken = [name for name in asked.drawn if not is_taken(asked, name) or (asked.source == "arrow" and name in BY_TABLE
               and asked.target not in YT_LIKE)]
    if code == 2:
        if not untaken and not any(when(asked) and re.search(words, err) for when, words in REFUSED):
            campaign.broken("an option that is taken is not refused", err)
        return "refused by name"
    if untaken:
        campaign.broken("an option that neither format takes is refused", untaken, err)
    if before not in (0, 1):
        if code != before:
            campaign.broken("check and convert end alike", f"check {before} {said}", f"convert {code} {err}")
        return f"exit code {code}"
    return judge(asked, xwalk, report, code, done, err)


def skips(asked):
    return "skip" in asked.options.get("--on-error", ()) or "--max-rejects" in asked.options and "--on-error" not in asked.options


def most_rejects(asked, read):
    if "--max-rejects" not in asked.options:
        return read
    most = asked.options["--max-rejects"][0]
    return int(read * Fraction(most[:-1]) / 100) if isinstance(most, str) else most


def judge(asked, xwalk, report, code, done, err):
    verdict, rows = report["verdict"], report["rows"] if "rows" in report else None
    if verdict == "unsupported":
        if code != 4:
            campaign.broken("what is unsupported is not converted", code, err)
        return "unsupported"
    if verdict == "lossy" and not asked.unsafe:
        if code != 1:
            campaign.broken("values are altered with consent alone", code, err)
        return "not without consent"
    number = expected_rows(asked, xwalk)
    refused = rows["refused"] if rows else 0
    if rows and rows["read"] != len(number):
        campaign.broken("check reads the rows that are chosen", rows["read"], number)
    wanted = 0 if refused == 0 or (skips(asked) and refused < len(number) and refused <= most_rejects(asked, len(number))) else 3
    if code == 3 and wanted == 0 and (told := campaign.json_in(err)) and told["error"].get("row") not in number:
        campaign.broken("a row that is not chosen is not refused", number, err)
    if code != wanted:
        campaign.broken("convert does what check says", f"{refused} of {len(number)} refused, exit code {code}, not {wanted}:", err)
    if code:
        return "rows are rejected"
    if "--quiet" in asked.options:
        done = {"verdict": verdict, "rows": len(number) - refused, "rejected": refused}
    if done is None or done["verdict"] != verdict:
        campaign.broken("convert says what check says", verdict, done)
    if done["rows"] != len(number) - refused or done["rejected"] != refused:
        campaign.broken("convert refuses the rows that check counts", refused, done)
    bad = rejected(asked)
    if len(bad) != refused:
        campaign.broken("each rejected row is there", bad, refused)
    for at in misplaced(asked, number, bad):
        campaign.broken("rows come in the order that the output promises", asked.order, asked.unique, [asked.rows[at]["u"] for at in number], bad)
    for at, path in bad.items():
        name = source_name(asked, path) if path else None
        if name and fits(asked, name, asked.rows[at][name]):
            campaign.broken("rows are rejected for a reason", f"row {at}, {path}: {asked.rows[at][name]}")
    check_output(asked, xwalk)
    compare(asked, report, [at for at in number if at not in bad])
    for also in asked.also:
        also()
    return "there"


def source_name(asked, path):
    """The column of a path, by the name that it has in the source."""
    name = trip.first_step(path)
    return next((old for old, new in asked.renamed.items() if new == name), name)


def misplaced(asked, number, bad):
    """Rows that were accepted against the promised order, or refused though they are in order."""
    if asked.order is None:
        return []
    wrong, last = [], None
    for at in number:
        key = asked.rows[at]["u"] * (1 if asked.order == "ascending" else -1)
        fine = last is None or key > last or key == last and not asked.unique
        if at in bad:
            wrong += [at] if bad[at] == "" and fine else []
            continue
        wrong += [] if fine else [at]
        last = key
    return wrong


def rejected(asked):
    path = asked.folder / "bad.yson"
    if not path.exists():
        return {}
    rows = yt_tables.yson.loads(path.read_bytes(), yson_type="list_fragment", encoding=None)
    # Rows of each file are counted by themselves.
    first = {second(asked).name.encode(): asked.cut}
    return {int(row[b"row"]) + first.get(yt_tables.text_of(row.get(b"file", b"")), 0): yt_tables.text_of(row.get(b"path", b"")).decode()
            for row in rows}


#: What rows hold is read again by these.
READING = {"--complex-type-mode", "--string-keyed-dict-mode", "--decimal-mode", "--time-mode", "--uuid-mode", "--end-of-stream"}


def check_output(asked, xwalk):
    if asked.target == "csv":
        return
    words = words_for(asked, READING & {name for name in OPTIONS if asked.target in asked.taken.get(name, {"read": ()})["read"]})
    code, out, err = xwalk.run("validate", asked.output.name, "--from", asked.target, *words)
    if code:
        campaign.broken("the output passes validate", out[:800], err)


def compare(asked, report, number):
    names, rows = columns.read(asked.target, asked.output, asked.writing)
    wanted = [asked.renamed.get(name, name) for name in asked.chosen]
    indices = [name for name in names if re.search("table_index|row_index|range_index", name)]
    # A message has an order of its own.
    in_order = sorted if "--message" in asked.options else list
    if in_order(name for name in names if name not in indices) != in_order(wanted):
        campaign.broken("columns are those that are chosen", names, wanted)
    if len(rows) != len(number):
        campaign.broken("every row arrives", len(rows), number)
    lossy = {trip.first_step(path["path"]) for path in report["paths"] if path["values"] == "altered" and path["path"]}
    for place, at in enumerate(number):
        for name in asked.chosen:
            value, found = asked.rows[at][name], rows[place][asked.renamed.get(name, name)]
            sent = asked.cast[name](value) if name in asked.cast and value is not None else value
            if sent is None and value is not None and name not in lossy:
                campaign.broken("a value that a type does not hold is refused", name, value, found)
            if not alike(asked, name, sent, found) and not (name in lossy and alike(asked, name, altered(asked, name, value), found)):
                campaign.broken("values keep their meaning", f"row {at}, column {name}: {value!r} (cast {sent!r}) became {found!r}")


# The program's own tables.

HELP = re.compile(r"^ {2,6}(?:-\w[,/] ?)?(--[a-z0-9-]+)(?:/\S+)?(?: (\S+))?", re.M)


def listed(xwalk, verb):
    """The options of a verb, each with its choices."""
    _, text, _ = xwalk.run(verb, "--help", "all")
    found = {}
    for option, value in HELP.findall(text):
        found[option] = value.split("|") if re.fullmatch(r"[a-z0-9._]+(\|[a-z0-9._]+)+", value) else []
    return found


def prepare(_):
    import os

    import engine_host

    os.environ["XWALK_PYTHON"] = engine_host.started()
    xwalk = campaign.Xwalk()
    go.choices = listed(xwalk, "convert")
    go.of_check = set(listed(xwalk, "check"))
    go.taken = {row["name"]: row for row in xwalk.told("formats")[1]["options"]}
    known = set(OPTIONS) | set(ELSEWHERE)
    new, gone = set(go.choices) - known, known - set(go.choices)
    assert not new and not gone, f"options without a meaning here: {sorted(new)}; options that are gone: {sorted(gone)}"
