"""DuckDB's extension and Spark's data source against the program: the same options, the same file, the same rows.

Random rows of each format are read with random options. Where the program refuses, the host refuses. If a host cannot mean the
same, it refuses the option by name. Rows that a host writes are those that the program writes. Spark is asked where Java and pyspark
are there.
"""
import atexit
import contextlib
import io
import json
import os
import re
import shutil
import sys

import duckdb
import pyarrow as pa

import arrow_tables
import campaign
import columns
import foreign
import normal
from columns import EXTENSION

from tests import harness

ROWS = 8
TRIPS = 120
#: One trip of this many asks Spark.
TRIPS_OF_SPARK = 8
SOURCES = ["yson", "json", "skiff", "parquet", "arrow"]
#: What Spark refuses by name.
REFUSED_BY_SPARK = {"limit", "tail", "sample", "seed", "rename", "cast", "max_rejects"}
TEXT_MODES = {"decimal_mode": "decimal_text", "time_mode": "time_text"}


class Asked:
    """A file, and options of reading it."""

    def __init__(self, rng, folder, left=(), without=()):
        self.source = rng.choice(SOURCES)
        names = [name for name in columns.kinds_of(self.source) if name not in left]
        self.names = ["n", *rng.sample([name for name in names if name != "n"], rng.randint(1, 4))]
        self.rows = columns.draw(rng, self.names, ROWS)
        if self.source == "json":
            for row in self.rows:
                if row.get("num") == ("f", "nan"):
                    row["num"] = normal.float_bits(0.5)
        self.modes = columns.default_modes(self.source)
        self.path = folder / f"in.{EXTENSION[self.source]}"
        self.options = {}
        for _ in range(rng.randint(0, 3)):
            self.add(rng)
        self.options = {name: value for name, value in self.options.items() if name not in without}
        columns.write(self.source, self.path, self.names, self.rows, self.modes)

    def add(self, rng):
        what = rng.choice(["select", "exclude", "rename", "cast", "limit", "tail", "sample", "on_error", "decimal_special", "batch_rows",
                           "uuid_order", "decimal_mode", "time_mode", "round", "duplicate_keys", "any", "merge_nulls", "drop_zone"])
        values = {
            "select": lambda: [*rng.sample(self.names[1:], 1), "n"], "exclude": lambda: [self.names[-1]], "rename": lambda: {"n": "called"},
            "cast": lambda: {"n": rng.choice(["int8", "utf8", "double"])}, "limit": lambda: rng.randint(1, ROWS),
            "tail": lambda: rng.randint(1, ROWS), "sample": lambda: rng.choice(["3", "50%"]), "on_error": lambda: "skip",
            "decimal_special": lambda: "null", "batch_rows": lambda: rng.randint(1, 5), "uuid_order": lambda: "raw",
            "round": lambda: True, "duplicate_keys": lambda: "last", "any": lambda: rng.choice(["json", "ytjson"]),
            "merge_nulls": lambda: True, "drop_zone": lambda: True,
        }
        if what in TEXT_MODES:
            if self.source == "yson":
                setattr(self.modes, TEXT_MODES[what], True)
                self.options[what] = "text"
        elif not (what == "exclude" and "select" in self.options or what == "select" and "exclude" in self.options):
            self.options[what] = values[what]()
        # A zone is dropped with consent alone, also where rows are only read.
        if "drop_zone" in self.options or rng.random() < 0.5 and {"round", "decimal_special", "duplicate_keys", "merge_nulls", "drop_zone"} & self.options.keys():
            self.options["allow"] = "lossy"

    def words(self):
        """The options in the syntax of the command line."""
        out = []
        for name, value in self.options.items():
            option = "--" + name.replace("_", "-")
            if value is True:
                out.append(option)
            elif isinstance(value, dict):
                out += [word for key, item in value.items() for word in (option, f"{key}={item}")]
            else:
                out += [option, ",".join(value) if isinstance(value, list) else value]
        return out


def by_program(asked, xwalk, consent=()):
    """Converts the file to Arrow by the program: a table, exit code and message."""
    any_words = [] if "any" in asked.options else ["--any", "json"]
    code, _, err = xwalk.told("convert", asked.path.name, "ref.arrow", "--from", asked.source, *asked.words(), *any_words, *consent)
    if code:
        return None, code, err
    return arrow_tables.read("arrow", xwalk.folder / "ref.arrow"), 0, err


def literal(value):
    """A value as DuckDB's SQL writes it."""
    if value is True:
        return "true"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"'{key}': {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return "'" + value.replace("'", "''") + "'"


def call(asked, path):
    words = "".join(f', "{name}" => {literal(value)}' for name, value in asked.options.items())
    return f"FROM read_xwalk('{path}', format => '{asked.source}'{words})"


#: Columns that DuckDB and Spark hold otherwise than Arrow does, by what their pages say; those are asked in tests/duckdb, tests/python.
NOT_IN_DUCKDB = {"fine"}


def by_duckdb(rng, xwalk, folder):
    """Reads with options, and compares with the program's rows in Arrow as DuckDB shows them."""
    asked = Asked(rng, folder, NOT_IN_DUCKDB)
    # In DuckDB, an option that alters values is consent when reading, as its page says.
    table, code, err = by_program(asked, xwalk, [] if "allow" in asked.options else ["--allow", "lossy"])
    xwalk.asked.append([call(asked, asked.path)])
    try:
        found = by_duckdb.connection.execute(call(asked, asked.path)).to_arrow_table()
    except duckdb.Error as error:
        if code == 0 and not out_of_duckdb(table):
            campaign.broken("DuckDB reads what the program reads", f"{asked.source} {asked.options}: {error}")
        return f"refused by DuckDB and the program: exit code {code}"
    if code:
        if code == 3 and "no row was accepted" in err:
            return "no row accepted"
        campaign.broken("DuckDB refuses what the program refuses", f"{asked.source} {asked.options}: {err} {found.num_rows} rows")
    if out_of_duckdb(table):
        return "not asked: DuckDB's maps repeat no key"
    # DuckDB reads no dense unions from Arrow.
    has_union = any(pa.types.is_union(field.type) for field in table.schema)
    wanted = table if has_union else by_duckdb.connection.from_arrow(table).to_arrow_table()
    if found.column_names != wanted.column_names:
        campaign.broken("the same columns", found.column_names, wanted.column_names)
    hold(asked, rows_of(found), rows_of(wanted), "DuckDB")
    return f"read by DuckDB from {asked.source}"


def out_of_duckdb(table):
    """Whether a table has values that DuckDB refuses by its page: a map that repeats a key."""
    return any(pa.types.is_map(field.type) and any(value and len({key for key, _ in value}) < len(value) for value in table.column(field.name).to_pylist())
               for field in table.schema)


def rows_of(table):
    # DuckDB's own Booleans are numbers in Arrow.
    columns_of = [[int(value) if isinstance(value, bool) else value for value in normal.of_arrow(column)] for column in table.columns]
    return sorted(map(repr, zip(*columns_of)))


def hold(asked, found, wanted, host):
    if found != wanted:
        other = next(((left, right) for left, right in zip(found, wanted) if left != right), (len(found), len(wanted)))
        campaign.broken("the same rows", f"{host}, {asked.source} {asked.options}: {other[0]}, and the program: {other[1]}")


def copied(rng, xwalk, folder):
    """Writes by COPY, and compares with what the program writes of the same rows."""
    target = rng.choice(["yson", "skiff"])
    names = rng.sample([name for name in columns.kinds_of("arrow") if name not in ("fine", "m", columns.STRING_KEYED, "word", "uid")], 3)
    rows = columns.draw(rng, names, ROWS)
    columns.write("arrow", folder / "in.arrow", names, rows)
    options = rng.choice([{}, {"select": names[:2]}, {"exclude": names[:1]}, {"rename": {names[0]: "called"}}, {"threads": 1},
                          {"select": [names[1]], "rename": {names[1]: "called"}}, {"cast": {names[0]: "binary"}}])
    words = "".join(f", {name.upper()} {literal(value)}" for name, value in options.items())
    table = arrow_tables.read("arrow", folder / "in.arrow")
    by_duckdb.connection.register("rows", table)
    listed = ", ".join(f'"{name}"' for name in names)
    query = f"COPY (SELECT {listed} FROM rows) TO '{folder}/theirs.{target}' (FORMAT {target}, COLUMN_NAMES {literal(names)}{words})"
    xwalk.asked.append([query])
    asked = Asked.__new__(Asked)
    asked.source, asked.options = "arrow", options
    code, _, err = xwalk.told("convert", "in.arrow", f"ours.{target}", *asked.words())
    try:
        by_duckdb.connection.execute(query)
    except duckdb.Error as error:
        # A query selects itself: COPY has no way for these.
        if {"select", "exclude"} & options.keys() and re.search(r"(?i)(select|exclude)\W+applies when rows are opened", str(error)):
            return "refused by name"
        if code == 0:
            campaign.broken("DuckDB writes what the program writes", f"{options}: {error}")
        return f"not written by DuckDB and the program: exit code {code}"
    if code:
        campaign.broken("DuckDB refuses what the program refuses", f"{options}: {err}")
    theirs, ours = (columns.read(target, folder / f"{who}.{target}") for who in ("theirs", "ours"))
    if theirs != ours:
        campaign.broken("the same rows", f"COPY to {target} {options}: {theirs[0]} {theirs[1][:2]}, and the program: {ours[0]} {ours[1][:2]}")
    code, out, err = xwalk.run("validate", f"theirs.{target}")
    if code:
        campaign.broken("the output passes validate", out, err)
    return f"written by DuckDB to {target}"


# Spark.

#: Spark has no way for these: calendar intervals, and what goes by another type there, as its page says.
NOT_IN_SPARK = {"any", "way", "fine", "levels", "zoned", "word"}


def by_spark(rng, xwalk, folder):
    asked = Asked(rng, folder, NOT_IN_SPARK, REFUSED_BY_SPARK if rng.random() < 0.75 else ())
    given = {name: spark_text(value) for name, value in asked.options.items()}
    table, code, err = by_program(asked, xwalk)
    xwalk.asked.append(["spark.read", json.dumps(given), str(asked.path)])
    reader = by_spark.session.read.format("xwalk").option("format", asked.source).options(**given)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            found = reader.load(str(asked.path)).toArrow()
    except Exception as error:  # noqa: BLE001: whatever Spark wraps it in
        words = str(error)
        named = [name for name in REFUSED_BY_SPARK & given.keys() if name in words]
        if named:
            return "refused by name"
        if code == 0:
            campaign.broken("Spark reads what the program reads", f"{asked.source} {given}: {words[-700:]}")
        return f"refused by Spark and the program: exit code {code}"
    if refused := sorted(REFUSED_BY_SPARK & given.keys()):
        campaign.broken("what Spark cannot mean is refused by name", refused, found.num_rows)
    if code:
        if code == 3 and "no row was accepted" in err:
            return "no row accepted"
        campaign.broken("Spark refuses what the program refuses", f"{asked.source} {given}: {err}")
    if found.column_names != table.column_names:
        campaign.broken("the same columns", found.column_names, table.column_names)
    hold(asked, spark_rows(found), spark_rows(table), "Spark")
    return f"read by Spark from {asked.source}"


#: The type, and a value as Spark writes it.
OF_SPARK = {
    "INTERVAL MONTH": "INTERVAL '5' MONTH", "INTERVAL DAY TO SECOND": "INTERVAL '1 02:03:04.5' DAY TO SECOND", "BINARY": "X'FF00'",
    "TIMESTAMP_NTZ": "TIMESTAMP_NTZ'2024-02-29 12:00:00.000001'", "TIMESTAMP": "TIMESTAMP'2024-02-29 12:00:00Z'", "DATE": "DATE'1500-01-01'",
    "DECIMAL(38,18)": "1.5", "DECIMAL(5,2)": "-1.25", "MAP<STRING,INT>": "map('a', 1)", "ARRAY<STRUCT<a:TINYINT>>": "array(struct(1Y))",
    "CHAR(5)": "'ab'", "VARIANT": "parse_json('{\"a\": [1, null]}')", "FLOAT": "1.5F", "SMALLINT": "-3S", "BOOLEAN": "true",
    "STRUCT<x y:STRING>": "named_struct('x y', 'z')", "ARRAY<VARIANT>": "array(parse_json('1'))", "TIME(6)": "TIME'12:00:00.000001'",
}


def written_by_spark(rng, xwalk, folder):
    """Spark as a writer of files: as the other writers in `foreign.py`."""
    kinds = rng.sample(list(OF_SPARK), rng.randint(2, 5))
    alone = {}
    for name in list(kinds):
        table = spark_file([name], folder / "alone")
        if table is None:
            kinds.remove(name)
        else:
            alone[name] = foreign.by_pyarrow(table)
    if not kinds:
        return "Spark writes none of it"
    shutil.copy(spark_file(kinds, folder / "all"), folder / "in.parquet")
    code, report, err = xwalk.told("check", "in.parquet", "--to", "arrow", "--rows")
    if code not in (0, 1):
        return foreign.refused(xwalk, "Spark", "parquet", alone, code, err)
    code, _, err = xwalk.told("convert", "in.parquet", "out.arrow", "--allow", "lossy")
    if code:
        campaign.broken("convert does what check says", f"Spark: {report['verdict']}, exit code {code}", err)
    foreign.hold("Spark", kinds, alone, foreign.findings(report), report, foreign.by_pyarrow(folder / "out.arrow"))
    foreign.elsewhere(rng, xwalk, "parquet", alone)
    return "written by Spark"


def spark_file(kinds, place):
    """Writes a row of values and a row of nulls; None if Spark has no such type."""
    values = ", ".join(f"CAST({OF_SPARK[name]} AS {name}) AS `{name}`" for name in kinds)
    nulls = ", ".join(f"CAST(NULL AS {name}) AS `{name}`" for name in kinds)
    shutil.rmtree(place, ignore_errors=True)
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            by_spark.session.sql(f"SELECT {values} UNION ALL SELECT {nulls}").coalesce(1).write.parquet(str(place))
    except Exception:  # noqa: BLE001: a type that this Spark does not have
        return None
    return next(place.glob("*.parquet"))


def spark_rows(table):
    """Rows in normal form, numbers as Spark's decimals are."""
    return sorted(repr([plain(value) for value in row]) for row in zip(*[normal.of_arrow(column) for column in table.columns]))


def plain(value):
    if isinstance(value, normal.Fraction) and value.denominator == 1:
        return int(value)
    return value


def spark_text(value):
    if isinstance(value, dict):
        return ",".join(f"{key}={item}" for key, item in value.items())
    return ",".join(value) if isinstance(value, list) else str(value).lower() if value is True else str(value)


def session(build):
    """A Spark in this process; None and the reason if Spark is not installed."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        return None, "pyspark is not installed"
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return None, "there is no java"
    if not (build / "python" / "xwalk").exists():
        return None, "the module is not built"
    os.environ["PYTHONPATH"] = str(build / "python")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    sys.path.insert(0, str(build / "python"))
    place = str(harness.make_folder("truth-spark"))
    builder = SparkSession.builder.master("local[1]")
    for key, value in {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                       "spark.driver.memory": "512m", "spark.log.level": "OFF", "spark.local.dir": place,
                       "spark.sql.warehouse.dir": place, "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC",
                       "spark.driver.extraJavaOptions": " ".join(harness.SHORT_JAVA)}.items():
        builder = builder.config(key, value)
    made = builder.getOrCreate()
    from xwalk.spark import XwalkDataSource

    made.dataSource.register(XwalkDataSource)
    return made, ""


def go(rng, xwalk, folder):
    if go.number < go.spark_trips:
        go.number += 1
        return rng.choice([by_spark, by_spark, written_by_spark])(rng, xwalk, folder)
    return rng.choice([by_duckdb, by_duckdb, copied])(rng, xwalk, folder)


def prepare(trips):
    extension = harness.needs("xwalk.duckdb_extension")
    by_duckdb.connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": "1"})
    by_duckdb.connection.execute(f"LOAD '{extension}'")
    by_duckdb.connection.execute("SET arrow_lossless_conversion = true")
    go.number, go.spark_trips = 0, trips // TRIPS_OF_SPARK
    if go.spark_trips:
        by_spark.session, why = session(harness.BUILD)
        if by_spark.session is None:
            print(f"Spark is not asked: {why}")
            go.spark_trips = 0
        else:
            atexit.register(by_spark.session.stop)
