"""Rows of Delta tables in both directions. deltalake, and DuckDB if its extension is installed, read what xwalk writes, with the
statistics of each data file; deltalake and logs made by hand give what xwalk reads: versions, partitions, deletion vectors, column
mapping."""
import base64
import contextlib
import datetime
import decimal
import json
import math
import os
import pathlib
import signal
import struct
import subprocess
import time

import pytest

from tests import harness

with harness.skip_if_missing():
    import deltalake
    import pyarrow as pa
    import pyarrow.parquet as pq
    from deltalake import DeltaTable, write_deltalake

from tests.random_tables import random_table, repeated_keys, stored_as_others  # noqa: E402

harness.needs("xwalk-engine-delta", "libxwalk_parquet.so")

FOLDER = pathlib.Path(harness.make_folder("delta-rows"))
OWN = harness.DEPS / "readers-venv" / "bin" / "python"
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1)
run = harness.run

#: Prints the rows of a table as DuckDB reads them, as an Arrow stream.
DUCKDB = """
import glob, importlib.util, os, sys
import duckdb, pyarrow
found = importlib.util.find_spec("duckdb_extension_delta")
[extension] = glob.glob(os.path.join(os.path.dirname(found.origin), "extensions", "*", "delta.duckdb_extension"))
connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
connection.execute(f"LOAD '{extension}'")
connection.execute("SET TimeZone = 'UTC'")
table = connection.sql(sys.argv[1]).to_arrow_table()
with pyarrow.ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
    stream.write_table(table)
"""


def has_duckdb():
    test = "import importlib.util as i; assert i.find_spec('duckdb_extension_delta') and i.find_spec('pyarrow')"
    return OWN.exists() and subprocess.run([OWN, "-c", test], capture_output=True).returncode == 0


HAS_DUCKDB = has_duckdb()


def duckdb_rows(path, columns="*"):
    """Returns the rows of a table as DuckDB reads them."""
    done = subprocess.run([OWN, "-c", DUCKDB, f"select {columns} from delta_scan('{path}')"], capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return pa.ipc.open_stream(done.stdout).read_all()


# --- values ---------------------------------------------------------------------------------------

#: By type: a random value as Arrow takes it.
TYPES = {
    "boolean": (pa.bool_(), lambda r: r.random() < 0.5),
    "byte": (pa.int8(), lambda r: r.choice([-2**7, 2**7 - 1, r.randrange(-9, 9)])),
    "short": (pa.int16(), lambda r: r.choice([-2**15, 2**15 - 1, r.randrange(-9, 9)])),
    "integer": (pa.int32(), lambda r: r.choice([-2**31, 2**31 - 1, r.randrange(-9, 9)])),
    "long": (pa.int64(), lambda r: r.choice([-2**63, 2**63 - 1, r.randrange(-9, 9)])),
    "float": (pa.float32(), lambda r: r.choice([math.nan, math.inf, -math.inf, 0.0, r.randrange(-99, 99) / 4])),
    "double": (pa.float64(), lambda r: r.choice([math.nan, 1e300, -1e-300, 0.0, r.uniform(-1, 1)])),
    "small_decimal": (pa.decimal128(9, 2), lambda r: decimal.Decimal(r.randrange(-10**9 + 1, 10**9)).scaleb(-2)),
    "decimal": (pa.decimal128(18, 3), lambda r: decimal.Decimal(r.randrange(-10**18 + 1, 10**18)).scaleb(-3)),
    "large_decimal": (pa.decimal128(38, 10), lambda r: decimal.Decimal((r.randrange(2), tuple(r.randrange(10) for _ in range(38)), -10))),
    "date": (pa.date32(), lambda r: datetime.date(1970, 1, 1) + datetime.timedelta(days=r.randrange(-99999, 99999))),
    "timestamp": (pa.timestamp("us", "UTC"), lambda r: EPOCH.replace(tzinfo=UTC) + datetime.timedelta(microseconds=r.randrange(-10**16, 10**16))),
    "timestamp_ntz": (pa.timestamp("us"), lambda r: EPOCH + datetime.timedelta(microseconds=r.randrange(-10**16, 10**16))),
    "string": (pa.string(), lambda r: r.choice(["", "žluťoučký kůň", "x" * 40, "\U0010ffff" * 20, str(r.random())])),
    "binary": (pa.binary(), lambda r: bytes(r.choices(range(256), k=r.choice([0, 3, 40])))),
}


@pytest.mark.parametrize("seed", harness.sample(range(30), 2))
def test_every_type_there_and_back(seed):
    rows = random_table(TYPES, seed)
    source, table = FOLDER / f"every{seed}.parquet", FOLDER / f"every{seed}.delta"
    pq.write_table(rows, source)
    run("convert", source, table, "--verify")
    there = DeltaTable(table)
    found = pa.table(there.scan())
    assert found.column_names == rows.column_names and there.version() == 0
    assert str(found.to_pydict()) == str(rows.to_pydict())
    for given, written in zip(rows.schema, json.loads(there.schema().to_json())["fields"]):
        assert written["nullable"] == given.nullable, given
        assert pa.types.is_nested(given.type) or written["type"].split("(")[0] in (given.name, given.name.rpartition("_")[2]), written
    if HAS_DUCKDB:
        read = duckdb_rows(table)
        for field in rows.schema:
            assert str(read[field.name].to_pylist()) == str(rows[field.name].to_pylist()), field
    check_statistics(rows, there)
    back = FOLDER / f"every{seed}.back.parquet"
    run("convert", table, back)
    run("diff", "--rows", source, back)
    assert str(pq.read_table(back).to_pydict()) == str(rows.to_pydict())
    # The same from a table that deltalake wrote.
    theirs = FOLDER / f"theirs{seed}"
    write_deltalake(theirs, rows)
    run("convert", theirs, FOLDER / f"theirs{seed}.parquet")
    assert str(pq.read_table(FOLDER / f"theirs{seed}.parquet").to_pydict()) == str(rows.to_pydict())


def check_statistics(rows, table):
    """Compares the counts and bounds of the only data file with the rows: bounds enclose the values."""
    [action] = [json.loads(line)["add"] for line in (pathlib.Path(FOLDER / table_name(table)) / "_delta_log/00000000000000000000.json").read_text().splitlines()
                if '"add"' in line]
    found = json.loads(action["stats"])
    assert found["numRecords"] == len(rows)
    flat = [field for field in rows.schema if not pa.types.is_nested(field.type) and not pa.types.is_binary(field.type)]
    if any(has_no_bound([value for value in rows[field.name].to_pylist() if value is not None]) for field in flat):
        assert set(found) == {"numRecords"}
        return
    assert set(found["minValues"]) == set(found["maxValues"]) == set(found["nullCount"]) == {field.name for field in flat}
    for field in flat:
        column = rows[field.name].to_pylist()
        kept = [value for value in column if value is not None]
        assert found["nullCount"][field.name] == len(column) - len(kept), field
        low, high = found["minValues"].get(field.name), found["maxValues"].get(field.name)
        if pa.types.is_integer(field.type):
            assert (low, high) == (min(kept), max(kept)), field
        elif pa.types.is_floating(field.type):
            assert (low is None or low <= min(kept)) and (high is None or high >= max(kept)), field
        elif pa.types.is_string(field.type):
            assert low is not None and min(kept).startswith(low) and (high is None or high >= max(kept)), field
        elif pa.types.is_date(field.type):
            assert (low, high) == (min(kept).isoformat(), max(kept).isoformat()), field
        elif pa.types.is_timestamp(field.type):
            parse = lambda text: datetime.datetime.fromisoformat(text.rstrip("Z"))  # noqa: E731
            least, most = (value.replace(tzinfo=None) for value in (min(kept), max(kept)))
            assert parse(low) <= least < parse(low) + datetime.timedelta(milliseconds=1), field
            assert parse(high) - datetime.timedelta(milliseconds=1) < most <= parse(high), field
        elif low is not None:
            assert decimal.Decimal(str(low)) == min(kept), field


def has_no_bound(kept):
    """Returns true for values of which JSON has no bound: none, infinite numbers, NaN, decimals of many digits, the last moment."""
    def odd(value):
        return (isinstance(value, float) and not math.isfinite(value)) or (isinstance(value, decimal.Decimal) and len(value.as_tuple().digits) > 15) or \
            (isinstance(value, datetime.datetime) and value.replace(tzinfo=None) > datetime.datetime(9999, 12, 31, 23, 59, 59, 999000))
    return not kept or any(map(odd, kept if any(isinstance(value, float) for value in kept) else (min(kept), max(kept))))


def table_name(table):
    return pathlib.Path(table.table_uri.removeprefix("file://")).name


# --- what a table cannot hold ---------------------------------------------------------------------

#: By type of Arrow: the verdict, and the type that it becomes.
VERDICTS = {
    "uint8": (pa.uint8(), "widened", "short"), "uint32": (pa.uint32(), "widened", "long"), "uint64": (pa.uint64(), "widened", "decimal(20,0)"),
    "float16": (pa.float16(), "widened", "float"), "time": (pa.time64("us"), "widened", "long"), "duration": (pa.duration("us"), "widened", "long"),
    "nanoseconds": (pa.timestamp("ns"), "checked", "timestamp_ntz"), "zone": (pa.timestamp("us", "Europe/Prague"), "widened", "timestamp"),
    "uuid": (pa.uuid(), "widened", "binary"), "fixed": (pa.binary(4), "widened", "binary"),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), "widened", "string"), "fixed list": (pa.list_(pa.int32(), 2), "widened", "array<integer>"),
    "wide decimal": (pa.decimal256(40, 2), "checked", "decimal(38,2)"), "long": (pa.int64(), "exact", "long"),
}


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name):
    kind, verdict, written = VERDICTS[name]
    path = FOLDER / f"verdict-{name.replace(' ', '-')}.arrow"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, pa.schema([("c", kind)])) as writer:
        writer.write_table(pa.table({"c": pa.array([], kind)}))
    report = json.loads(run("check", path, "--to", "delta", "--json").stdout)
    column = next(one for one in report["paths"] if one["path"] == "c")
    assert column["verdict"] == verdict, column
    schema = json.loads(run("schema", path, "--to", "delta").stdout)
    found = schema["fields"][0]["type"]
    assert (found if isinstance(found, str) else f"array<{found['elementType']}>") == written


def test_values_are_checked():
    """deltalake's own append stores 1.5 as 1 and the text 7 as 7 in a column of integers."""
    table = FOLDER / "checked.delta"
    run("convert", harness.write(FOLDER / "whole.json", '{"id":1}\n'), table)
    before = files_in(table)
    for name, row in (("fraction", '{"id":1.5}\n'), ("text", '{"id":"7"}\n')):
        done = run("convert", harness.write(FOLDER / f"{name}.json", row), table, "--mode", "append", code=None)
        assert done.returncode and "id" in done.stderr, done.stderr
    assert files_in(table) == before and rows_of(table) == [{"id": 1}]


# --- tables ---------------------------------------------------------------------------------------


def rows_of(*words, **options):
    return [json.loads(line) for line in run("head", *words, "-n", "1000", "--as", "json", **options).stdout.splitlines()]


def files_in(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) if folder.exists() else []


def entries_in(folder):
    """Lists files and folders, some of which may be removed meanwhile."""
    return sorted(os.path.join(place, name) for place, folders, files in os.walk(folder) for name in (*folders, *files))


def is_hidden(name):
    return pathlib.PurePath(name).name.startswith(".")


def test_modes_and_versions():
    first, second = (harness.write(FOLDER / f"{name}.json", text) for name, text in
                     (("first", '{"id":1,"s":"a"}\n{"id":2,"s":"b"}\n'), ("second", '{"id":3,"s":"c"}\n')))
    table = FOLDER / "modes.delta"
    run("convert", first, table)
    assert "already exists" in run("convert", first, table, code=(2, 74)).stderr
    time.sleep(0.05)
    between = datetime.datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    time.sleep(0.05)
    run("convert", second, f"delta://{table}", "--mode", "append")
    assert sorted(row["id"] for row in rows_of(table)) == [1, 2, 3]
    run("convert", first, table, "--mode", "overwrite", "--verify")
    assert sorted(row["id"] for row in rows_of(f"delta://{table}")) == [1, 2]
    assert DeltaTable(table).version() == 2, "each conversion is one version"
    for version, ids in (("0", [1, 2]), ("1", [1, 2, 3]), ("2", [1, 2]), (between, [1, 2])):
        assert sorted(row["id"] for row in rows_of(table, "--version", version)) == ids, version
    for version in ("7", "none", "1999-01-01"):
        done = run("head", table, "--version", version, code=None)
        assert done.returncode and version in done.stderr, done.stderr
    assert run("convert", harness.write(FOLDER / "wide.json", '{"id":1,"s":"a","more":2}\n'), table, "--mode", "append", code=4).stderr
    assert rows_of(table, "--select", "s") == [{"s": "a"}, {"s": "b"}]
    run("verify", first, table)
    assert "2" in run("info", table).stdout


def test_filters_of_deltalake_find_rows():
    """Its filters leave out a file that has bounds for some columns and not for theirs: a file has them for all, or has no bound."""
    long = "Zzz Street 221B, Marylebone, London NW1"
    whole = pa.table({"id": [1, 2], "t": ["Short", long], "b": [True, None], "d": [datetime.date(1969, 12, 31), None], "f": [1.5, None],
                      "m": pa.array([decimal.Decimal("-1.50"), None], pa.decimal128(9, 2)), "x": [b"x", None],
                      "ts": pa.array([datetime.datetime(1960, 1, 1), None], pa.timestamp("us")), "s": [{"a": 1}, None], "l": [[1], None]})
    odd = {"nan": pa.array([1.5, math.nan]), "infinity": pa.array([1.5, math.inf]), "null": pa.array([None, None], pa.float64()),
           "long": pa.array([decimal.Decimal("1.5"), decimal.Decimal(10**30)], pa.decimal128(38, 1)),
           "last": pa.array([datetime.datetime(2020, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999)], pa.timestamp("us"))}
    for name, table in {"whole": whole, **{name: whole.append_column("odd", column) for name, column in odd.items()}}.items():
        path = FOLDER / f"filters-{name}.delta"
        pq.write_table(table, FOLDER / f"filters-{name}.parquet")
        run("convert", FOLDER / f"filters-{name}.parquet", path)
        read = DeltaTable(path)
        for column in table.column_names:
            value = table.column(column)[0]
            if value.is_valid and not pa.types.is_nested(value.type):
                assert read.to_pyarrow_table(filters=[(column, "=", value.as_py())]).num_rows == 1, (name, column)
        assert read.to_pyarrow_table(filters=[("t", "=", long)]).num_rows == 1, name


def test_no_rows():
    empty, table = FOLDER / "empty.parquet", FOLDER / "empty.delta"
    pq.write_table(pa.table({"id": pa.array([], pa.int64())}), empty)
    run("convert", empty, table)
    assert rows_of(table) == [] and DeltaTable(table).to_pyarrow_table().num_rows == 0
    run("verify", empty, table)


def test_partitions():
    kinds = {"day": (pa.date32(), [datetime.date(1, 1, 1), datetime.date(2026, 3, 1), None]), "flag": (pa.bool_(), [True, False, None]),
             "at": (pa.timestamp("us", "UTC"), [datetime.datetime(2026, 1, 1, 0, 0, 0, 5, UTC), datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC), None]),
             "local": (pa.timestamp("us"), [datetime.datetime(2026, 1, 1, 0, 0, 0, 5), EPOCH, None]), "n": (pa.int16(), [-5, 2**15 - 1, None]),
             "city": (pa.string(), ["a b/=%é", "\u00fc", None])}
    rows = pa.table({"id": pa.array(range(3)), **{name: pa.array(values, kind) for name, (kind, values) in kinds.items()}})
    source, table = FOLDER / "parts.parquet", FOLDER / "parts.delta"
    pq.write_table(rows, source)
    run("convert", source, table, "--partition-by", ",".join(kinds))
    assert DeltaTable(table).metadata().partition_columns == list(kinds)
    data = sorted(table.rglob("*.parquet"))
    assert len(data) == 3 and all(pq.ParquetFile(path).schema_arrow.names == ["id"] for path in data), "files do not have the columns of partitions"
    assert [path.relative_to(table).parts[0] for path in data] == ["day=0001-01-01", "day=2026-03-01", "day=__HIVE_DEFAULT_PARTITION__"]
    check_readers(table, rows)
    run("verify", source, table)
    run("convert", table, FOLDER / "parts.back.parquet")
    assert pq.read_table(FOLDER / "parts.back.parquet").sort_by("id").to_pydict() == rows.to_pydict()
    run("convert", source, table, "--mode", "append-again")
    assert len(rows_of(table)) == 6 and len(DeltaTable(table).file_uris()) == 6
    assert "partitioned by day" in run("convert", source, table, "--mode", "append", "--partition-by", "city", code=4).stderr
    assert rows_of(table, "--select", "city") == [{"city": one} for one in [*kinds["city"][1], *kinds["city"][1]]]
    for words, code in ((["day(day)"], 4), (["none"], 2)):
        run("convert", source, FOLDER / "never.delta", "--partition-by", *words, code=code)
    assert not (FOLDER / "never.delta").exists()


def check_readers(table, rows, has_plain_names=True):
    """Compares what other readers read with the rows: from the log, and from the names of folders. polars refuses names of columns with
    escaped characters."""
    theirs = {"scan": pa.table(DeltaTable(table).scan()), "dataset": DeltaTable(table).to_pyarrow_table()}
    if HAS_DUCKDB:
        theirs["duckdb"] = duckdb_rows(table)
    with contextlib.suppress(ImportError if has_plain_names else Exception):
        import polars
        theirs["polars"] = polars.read_delta(str(table)).to_arrow()
    for name, read in theirs.items():
        assert sorted(read.select(rows.column_names).to_pylist(), key=lambda row: row["id"]) == rows.to_pylist(), name


#: Texts that folders have under other names, or that look like other things.
ODD_TEXTS = ["x y", None, "a=b/c%", "\u00e9\u0001", "q'\"{}[]^~#?:*\\|<>`&;$!@+,", "..", ".", "%41", "UPPER \u017d", "end.", " both ", "null", "1", "\U0001f600" * 20]


@pytest.mark.parametrize("number, column", enumerate(["a b", "a b=c/%"]))
def test_odd_partitions(number, column):
    rows = pa.table({"id": range(len(ODD_TEXTS)), column: ODD_TEXTS})
    pq.write_table(rows, FOLDER / f"odd{number}.parquet")
    table = FOLDER / f"odd{number}.delta"
    run("convert", FOLDER / f"odd{number}.parquet", table, "--partition-by", column, "--verify")
    check_readers(table, rows, has_plain_names=number == 0)
    run("verify", FOLDER / f"odd{number}.parquet", table)


@pytest.mark.parametrize("name, kind, values, message", [
    ("empty", pa.string(), ["x", "", None, ""], "not empty"), ("hive", pa.string(), ["x", "__HIVE_DEFAULT_PARTITION__", None, "__HIVE_DEFAULT_PARTITION__"], "another text"),
    ("long", pa.string(), ["x", "y" * 300, None, "y" * 300], "name of a folder"), ("late", pa.date32(), [0, 3_000_000, None, 2_932_897], "years 1 to 9999"),
    ("early", pa.timestamp("us"), [0, -62_135_596_800_000_001, None, -2**62], "years 1 to 9999")])
def test_values_without_a_part(name, kind, values, message):
    """Rows whose values readers would take for other ones are rejected, and the check says so."""
    source, table = FOLDER / f"part-{name}.parquet", FOLDER / f"part-{name}.delta"
    storage = {pa.date32(): pa.int32(), pa.timestamp("us"): pa.int64()}.get(kind, kind)
    pq.write_table(pa.table({"id": range(4), "p": pa.array(values, storage).cast(kind)}), source)
    done = run("convert", source, table, "--partition-by", "p", code=3)
    assert message in done.stderr and "p: " in done.stderr and "row 1" in done.stderr and not table.exists(), done.stderr
    checked = run("check", source, "--to", "delta", "--partition-by", "p", "--rows", code=1)
    assert "2 would be rejected" in checked.stdout and message in " ".join(checked.stdout.split()), checked.stdout
    run("convert", source, table, "--partition-by", "p", "--on-error", "skip")
    assert sorted(row["id"] for row in rows_of(table)) == [0, 2]
    assert len(list(table.iterdir())) == 3, "no folder is left of rejected rows"
    other = FOLDER / f"part-{name}-again.parquet"
    other.write_bytes(source.read_bytes())
    again = run("check", other, "--append", table, "--rows", code=1)
    assert "2 would be rejected" in again.stdout, again.stdout


def test_far_years():
    """Years that Python has no dates for: a file has no bounds, and every reader of Arrow reads them."""
    days, times = [0, 3_000_000, -800_000, None], [0, 2**58, -2**58, None]
    rows = pa.table({"id": range(4), "d": pa.array(days, pa.int32()).cast(pa.date32()), "t": pa.array(times, pa.int64()).cast(pa.timestamp("us"))})
    source, table = FOLDER / "far.parquet", FOLDER / "far.delta"
    pq.write_table(rows, source)
    assert "none would be rejected" in run("check", source, "--to", "delta", "--rows").stdout
    run("convert", source, table, "--verify")
    read = DeltaTable(table).to_pyarrow_table().sort_by("id")
    assert read["d"].cast(pa.int32()).to_pylist() == days and read["t"].cast(pa.int64()).to_pylist() == times
    run("verify", source, table)


def test_check_is_as_convert():
    """What a table cannot have is in the report of the check."""
    cases = {"void": pa.table({"id": [1], "n": pa.nulls(1)}),
             "inner": pa.table({"id": [1], "s": pa.array([{"n": None}], pa.struct([("n", pa.null())]))})}
    for name, rows in cases.items():
        source = FOLDER / f"check-{name}.parquet"
        pq.write_table(rows, source)
        done = run("check", source, "--to", "delta", code=1)
        assert "unsupported" in done.stdout and "void" in done.stdout, done.stdout
        assert "void" in run("convert", source, FOLDER / f"check-{name}.delta", code=4).stderr
        # A schema may have it.
        run("schema", source, "--to", "delta")
    source, table = FOLDER / "case.parquet", FOLDER / "case.delta"
    pq.write_table(pa.table({"a": [1], "A": [2], "s": [{"x": 1, "X": 2}]}), source)
    checked = run("check", source, "--to", "delta", code=None)
    assert "A_2" in checked.stdout and "X_2" in checked.stdout and "in case" in " ".join(checked.stdout.split()), checked.stdout
    run("convert", source, table)
    assert DeltaTable(table).to_pyarrow_table().to_pylist() == [{"a": 1, "A_2": 2, "s": {"x": 1, "X_2": 2}}]


def test_repeated_append():
    """Rows of one input are added once, unless that is what the caller wants."""
    first, second = (harness.write(FOLDER / f"week{n}.json", f'{{"id":{n}}}\n') for n in (1, 2))
    table = FOLDER / "weeks.delta"
    run("convert", first, table, "--mode", "append")
    run("convert", second, table, "--mode", "append")
    before = files_in(table)
    (FOLDER / "weeks-link").symlink_to(FOLDER)
    for source in (first, second, os.path.relpath(first), FOLDER / "weeks-link" / first.name):
        done = run("convert", source, table, "--mode", "append", code=74)
        assert "were added before, in version" in done.stderr and "append-again" in done.stderr, done.stderr
    third = harness.write(FOLDER / "week3.json", '{"id":3}\n')
    assert "given twice" in run("convert", third, third, table, "--mode", "append", code=74).stderr
    assert files_in(table) == before
    deltalake.DeltaTable(table).create_checkpoint()
    assert run("convert", first, table, "--mode", "append", code=74).stderr
    run("convert", first, table, "--mode", "append-again")
    assert sorted(row["id"] for row in rows_of(table)) == [1, 1, 2]
    # Other rows of the same name, and other rows of the same file.
    harness.write(first, '{"id":11}\n{"id":12}\n')
    run("convert", first, table, "--mode", "append", "--limit", "1")
    run("convert", first, table, "--mode", "append")
    # Rows that were replaced are not in the table.
    run("convert", second, table, "--mode", "overwrite")
    run("convert", first, table, "--mode", "append")
    assert sorted(row["id"] for row in rows_of(table)) == [2, 11, 12]
    assert run("convert", second, table, "--mode", "append", code=74).stderr
    # An input without rows is an input.
    nothing = FOLDER / "weeks-none.parquet"
    pq.write_table(pa.table({"id": pa.array([], pa.int64())}), nothing)
    run("convert", nothing, table, "--mode", "append")
    assert "were added before" in run("convert", nothing, table, "--mode", "append", code=74).stderr
    run("convert", nothing, table, "--mode", "append-again")
    assert sorted(row["id"] for row in rows_of(table)) == [2, 11, 12]


def test_check_knows_what_append_does():
    """`check --append` gives the answer of the conversion, and changes nothing."""
    first, second = (harness.write(FOLDER / f"asked{n}.json", f'{{"id":{n},"p":"a"}}\n') for n in (1, 2))
    table = FOLDER / "asked.delta"
    asked = run("check", first, "--append", table)
    assert "asked.delta is a new output" in asked.stdout and "output.new" in asked.stdout and not table.exists(), asked.stdout
    run("convert", first, table, "--mode", "append")
    before = files_in(table)
    for source, more in ((first, ()), (second, ("--partition-by", "p"))):
        checked = run("check", source, "--append", table, *more, code=None)
        converted = run("convert", source, table, "--mode", "append", *more, code=None)
        assert checked.returncode == converted.returncode != 0 and checked.stderr == converted.stderr, (checked.stderr, converted.stderr)
    run("check", second, "--append", table)
    # With the files of a pattern, and what another conversion chose of the same file.
    assert "were added before" in run("check", FOLDER / "asked?.json", "--append", table, code=74).stderr
    run("check", first, "--append", table, "--limit", "1")
    assert files_in(table) == before
    deltalake.DeltaTable(table).alter.add_constraint({"small": "id < 100"})
    assert "constraint small" in run("check", second, "--append", table, code=4).stderr


def test_repeated_keys():
    """A key that a map has twice is a rejected row in the check and in the conversion."""
    source = repeated_keys(FOLDER, "delta")
    assert [row["id"] for row in rows_of(FOLDER / "keys.delta")] == [2]
    run("convert", source, FOLDER / "last.delta", "--duplicate-keys", "last", "--allow", "lossy")
    assert rows_of(FOLDER / "last.delta")[0]["m"] == [["a", 2]]


def test_versions_that_are_not_there():
    table = FOLDER / "few.delta"
    run("convert", harness.write(FOLDER / "few.json", '{"id":1}\n'), table)
    assert run("head", table, "--version", "9", code=3).stderr.splitlines()[-2:] == [f"{table}: error: the table has no version 9", "  It has version 0 only."]
    run("convert", FOLDER / "few.json", table, "--mode", "append-again")
    assert "It has the versions 0 to 1." in run("head", table, "--version", "9", code=3).stderr
    assert "such as 2026-11-30T12:00:00Z" in run("head", table, "--version", "soon", code=3).stderr
    assert len(rows_of(table, "--version", "2999-01-01T00:00:00")) == 2


def test_new_columns():
    """Rows with columns that a table does not have: the table gets them, null in rows of before."""
    table = FOLDER / "evolved.delta"
    run("convert", harness.write(FOLDER / "before.json", '{"id":1,"s":{"a":1}}\n'), table)
    more = FOLDER / "evolve-more.parquet"
    pq.write_table(pa.table({"id": pa.array([2], pa.int64()), "s": pa.array([{"a": 2}], pa.struct([("a", pa.int64())])),
                             "tags": pa.array([[{"k": "a", "v": 1}, None]], pa.list_(pa.struct([("k", pa.string()), ("v", pa.int32())]))),
                             "day.x": pa.array([datetime.date(2026, 3, 1)])}), more)
    assert "add it with --evolve" in run("convert", more, table, "--mode", "append", code=4).stderr
    done = run("convert", more, table, "--mode", "append", "--evolve")
    assert "tags: a new column: null in the rows of before" in done.stderr
    wanted = [{"id": 1, "s": {"a": 1}, "tags": None, "day.x": None},
              {"id": 2, "s": {"a": 2}, "tags": [{"k": "a", "v": 1}, None], "day.x": datetime.date(2026, 3, 1)}]
    assert sorted(DeltaTable(table).to_pyarrow_table().to_pylist(), key=lambda row: row["id"]) == wanted
    assert all(field["nullable"] for field in json.loads(DeltaTable(table).schema().to_json())["fields"])
    for name, column in (("case", "ID"), ("void", "nothing")):
        source = FOLDER / f"evolve-{name}.parquet"
        pq.write_table(pa.table({column: pa.array([3])} if name == "case" else {"id": pa.array([3]), column: pa.nulls(1)}), source)
        done = run("convert", source, table, "--mode", "append", "--evolve", code=4)
        assert column in done.stderr and DeltaTable(table).version() == 2, done.stderr
    member = harness.write(FOLDER / "evolve-member.json", '{"id":4,"s":{"a":1,"b":2}}\n')
    done = run("convert", member, table, "--mode", "append", "--evolve", code=1)
    assert "s.b: " in done.stderr and "adds only columns" in done.stderr, done.stderr


def test_partitions_of_deltalake():
    rows = pa.table({"id": [1, 2, 3], "p": ["x y", None, "a=b/c%"], "d": pa.array([decimal.Decimal("1.50")] * 3, pa.decimal128(9, 2))})
    table = FOLDER / "theirs-parts"
    write_deltalake(table, rows, partition_by=["p", "d"])
    run("convert", table, FOLDER / "theirs-parts.parquet")
    assert pq.read_table(FOLDER / "theirs-parts.parquet").sort_by("id").to_pydict() == rows.to_pydict()


def make_log(name, actions, rows):
    """Makes a table of one data file, with a log of one version."""
    folder = FOLDER / name
    (folder / "_delta_log").mkdir(parents=True)
    pq.write_table(rows, folder / "part.parquet")
    actions[-1]["add"] = {"path": "part.parquet", "partitionValues": {}, "size": (folder / "part.parquet").stat().st_size, "modificationTime": 0,
                          "dataChange": True, "stats": json.dumps({"numRecords": len(rows)}), **actions[-1]["add"]}
    (folder / "_delta_log" / "00000000000000000000.json").write_text("".join(json.dumps(one) + "\n" for one in actions))
    return folder


def metadata(fields, **configuration):
    return {"metaData": {"id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9", "format": {"provider": "parquet", "options": {}}, "partitionColumns": [],
                         "schemaString": json.dumps({"type": "struct", "fields": fields}), "configuration": configuration, "createdTime": 0}}


def field(name, kind, **more):
    return {"name": name, "type": kind, "nullable": True, "metadata": more}


def inline_vector(rows):
    """Returns a deletion vector of rows below 65536, stored in the log: a 64-bit bitmap of one array container, in Z85."""
    bitmap = struct.pack("<IQIIIHHI", 1681511377, 1, 0, 12346, 1, 0, len(rows) - 1, 16) + b"".join(struct.pack("<H", row) for row in rows)
    padded = bitmap + bytes(-len(bitmap) % 4)
    z85 = bytes.maketrans(base64._b85alphabet, b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#")
    return {"storageType": "i", "pathOrInlineDv": base64.b85encode(padded).translate(z85).decode(), "sizeInBytes": len(bitmap), "cardinality": len(rows)}


def test_deletion_vectors():
    rows = pa.table({"id": list(range(10)), "s": [str(i) for i in range(10)]})
    protocol = {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}}
    table = make_log("vectors", [protocol, metadata([field("id", "long"), field("s", "string")], **{"delta.enableDeletionVectors": "true"}),
                                 {"add": {"deletionVector": inline_vector([0, 3, 6])}}], rows)
    left = [1, 2, 4, 5, 7, 8, 9]
    assert pa.table(DeltaTable(table).scan())["id"].to_pylist() == left, "the vector is valid"
    assert [row["id"] for row in rows_of(table)] == left
    assert [row["id"] for row in rows_of(table, "--batch-rows", "4")] == left
    run("convert", table, FOLDER / "vectors.parquet")
    assert pq.read_table(FOLDER / "vectors.parquet").to_pydict() == rows.take(left).to_pydict()
    run("convert", FOLDER / "vectors.parquet", table, "--mode", "append")
    assert len(rows_of(table)) == 14 and DeltaTable(table).count() in (14, 17)


@pytest.mark.parametrize("mode", ["name", "id"])
@pytest.mark.parametrize("version", [2, 3])
def test_column_mapping(mode, version):
    """Columns of files have other names. deltalake's own to_pyarrow_table gives nulls."""
    mapped = lambda number, name: {"delta.columnMapping.id": number, "delta.columnMapping.physicalName": name}  # noqa: E731
    inner = {"type": "struct", "fields": [field("x", "long", **mapped(3, "col-3"))]}
    numbered = lambda name, kind, number: pa.field(name, kind, metadata={"PARQUET:field_id": str(number)})  # noqa: E731
    schema = pa.schema([numbered("col-1", pa.int64(), 1), numbered("col-2", pa.struct([numbered("col-3", pa.int64(), 3)]), 2)])
    features = {"readerFeatures": ["columnMapping"], "writerFeatures": ["columnMapping"]} if version == 3 else {}
    protocol = {"protocol": {"minReaderVersion": version, "minWriterVersion": 7 if version == 3 else 5, **features}}
    properties = {"delta.columnMapping.mode": mode, "delta.columnMapping.maxColumnId": "3"}
    table = make_log(f"mapping-{mode}{version}", [protocol, metadata([field("a", "long", **mapped(1, "col-1")), field("b", inner, **mapped(2, "col-2"))], **properties),
                                        {"add": {}}], pa.table({"col-1": [1, None], "col-2": [{"col-3": 5}, None]}, schema=schema))
    assert rows_of(table) == [{"a": 1, "b": {"x": 5}}, {"a": None, "b": None}]
    assert rows_of(table, "--select", "b") == [{"b": {"x": 5}}, {"b": None}]
    fields = json.loads(run("schema", table, "--to", "delta").stdout)["fields"]
    assert fields[0]["metadata"] == mapped(1, "col-1")
    source = harness.write(FOLDER / "mapped.json", '{"a":1}\n')
    assert "columnMapping" in run("convert", source, table, "--mode", "append", code=4).stderr


@pytest.mark.parametrize("feature", ["rowTracking", "someday"])
def test_features_that_are_not_known(feature):
    """A feature that could change what rows are is refused by name. deltalake may refuse it before."""
    protocol = {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": [feature], "writerFeatures": [feature]}}
    table = make_log(f"feature-{feature}", [protocol, metadata([field("id", "long")]), {"add": {}}], pa.table({"id": [1]}))
    done = run("head", table, code=None)
    assert done.returncode and feature.lower() in done.stderr.lower(), done.stderr


@pytest.mark.parametrize("name, fields, configuration, mode", [
    ("constraint", [field("id", "long")], {"delta.constraints.positive": "id > 0"}, "append"),
    ("generated", [field("id", "long", **{"delta.generationExpression": "1"})], {}, "append"),
    ("only", [field("id", "long")], {"delta.appendOnly": "true"}, "overwrite")])
def test_tables_that_ask_more(name, fields, configuration, mode):
    table = make_log(f"asks-{name}", [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 4}}, metadata(fields, **configuration), {"add": {}}], pa.table({"id": [1]}))
    before = files_in(table)
    done = run("convert", harness.write(FOLDER / "asks.json", '{"id":-1}\n'), table, "--mode", mode, code=4)
    assert "must do more than add files" in done.stderr, done.stderr
    assert files_in(table) == before and rows_of(table) == [{"id": 1}]


def test_widened_type():
    table = make_log("widened", [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}, metadata([field("id", "long"), field("new", "string")]), {"add": {}}],
                     pa.table({"id": pa.array([1], pa.int32())}))
    assert rows_of(table) == [{"id": 1, "new": None}]


def test_data_files():
    """xwalk reads files with the columns of the table and names the one that is damaged. With a missing column
    deltalake's engine reads them, and the rows are the same."""
    rows = pa.table({"id": list(range(4000)), "s": [None if i % 3 == 0 else str(i * 7919) for i in range(4000)]})
    table = FOLDER / "several"
    for first in range(0, 4000, 1000):
        write_deltalake(table, rows.slice(first, 1000), mode="append")
    out = FOLDER / "several.parquet"
    for words, wanted in (((), rows), (("--version", "1"), rows.slice(0, 2000)), (("--select", "s"), rows.select(["s"])), (("--limit", "1500"), rows.slice(0, 1500)),
                          (("--batch-rows", "300"), rows)):
        run("convert", table, out, "--mode", "overwrite", *words)
        assert pq.read_table(out).to_pydict() == wanted.to_pydict(), words
    run("convert", table, out, "--mode", "overwrite", "--verify")
    last = table / json.loads((table / "_delta_log" / f"{3:020}.json").read_text().splitlines()[-1])["add"]["path"]
    begin = pq.read_metadata(last).row_group(0).column(0).data_page_offset
    whole = last.read_bytes()
    last.write_bytes(whole[:begin] + b"\xff" * 100 + whole[begin + 100:])
    done = run("convert", table, out, "--mode", "overwrite", code=3)
    assert f"{last}: error: id: row group 0" in done.stderr, done.stderr
    run("convert", table, out, "--mode", "overwrite", "--limit", "2500")
    assert pq.read_table(out).to_pydict() == rows.slice(0, 2500).to_pydict()
    last.unlink()
    assert last.name in run("convert", table, out, "--mode", "overwrite", code=None).stderr
    last.write_bytes(whole)
    write_deltalake(table, pa.table({"id": [4000], "s": ["x"], "new": [1.5]}), mode="append", schema_mode="merge")
    run("convert", table, out, "--mode", "overwrite")
    assert pq.read_table(out).to_pylist() == [{**row, "new": None} for row in rows.to_pylist()] + [{"id": 4000, "s": "x", "new": 1.5}]


def test_trust():
    """A log that names a file outside of the table's folder."""
    secret = FOLDER / "secret.parquet"
    pq.write_table(pa.table({"id": [42]}), secret)
    table = make_log("linked", [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}, metadata([field("id", "long")]), {"add": {}}], pa.table({"id": [1]}))
    assert rows_of(table) == [{"id": 1}]
    (table / "part.parquet").unlink()
    (table / "part.parquet").symlink_to(secret)
    assert "42" not in run("head", table, code=4).stdout
    for number, path in enumerate(("../secret.parquet", f"file://{secret}", "..%2Fsecret.parquet")):
        table = make_log(f"far{number}", [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}, metadata([field("id", "long")]),
                                          {"add": {"path": path}}], pa.table({"id": [1]}))
        done = run("head", table, code=None)
        assert done.returncode and "42" not in done.stdout and "secret.parquet" in done.stderr, done.stderr


# --- what is not lost -----------------------------------------------------------------------------


@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_killed(how, exists):
    """A conversion that is killed after it has written data files leaves no version, no file and no folder of a part."""
    folder = FOLDER / f"killed{how.value}{exists}.delta"
    schema = "[{name=k;type=int64};{name=v;type=int64}]"
    if exists:
        run("convert", "-", folder, "--from", "json", "--schema", schema, "--partition-by", "k", input='{"k":1,"v":1}\n')
    before, all_before = files_in(folder), entries_in(folder)
    words = [harness.PROGRAM, "convert", "-", folder, "--from", "json", "--schema", schema, "--partition-by", "k", "--mode", "append", "--batch-rows", "64"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as child:
        # More parts than files that are open at a time: the first ones are complete.
        line = 0
        deadline = time.monotonic() + 60
        os.set_blocking(child.stdin.fileno(), False)
        while sum(not is_hidden(name) and not os.path.isdir(name) for name in entries_in(folder)) < len(before) + 3:
            assert time.monotonic() < deadline and child.poll() is None, child.stderr.read().decode()
            try:
                for _ in range(1000):
                    os.write(child.stdin.fileno(), b'{"k":%d,"v":1}\n' % (line % 200))
                    line += 1
            except BlockingIOError:
                time.sleep(0.02)
        child.send_signal(how)
        child.wait(30)
    # The folder of a new table goes last.
    while (entries_in(folder) != all_before or folder.exists() != exists) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert entries_in(folder) == all_before and folder.exists() == exists, entries_in(folder)
    if exists:
        assert DeltaTable(folder).version() == 0
    run("convert", "-", folder, "--from", "json", "--schema", schema, "--mode", "append", input='{"k":7,"v":1}\n')
    assert sorted(row["k"] for row in rows_of(folder)) == ([1, 7] if exists else [7])


def test_two_writers():
    """Conversions that begin at one version both add their rows, or one says that it was too slow."""
    source = harness.write(FOLDER / "race.json", '{"id":1}\n')
    table = FOLDER / "race.delta"
    run("convert", source, table)
    both = [subprocess.Popen([harness.PROGRAM, "convert", source, table, "--mode", "append-again"], stderr=subprocess.PIPE) for _ in range(3)]
    failed = [one for one in both if one.wait(60) != 0]
    for one in failed:
        assert b"another writer" in one.stderr.read()
    assert len(rows_of(table)) == 1 + len(both) - len(failed)
    for one in both:
        one.stderr.close()


def test_messages():
    plain = FOLDER / "plain"
    plain.mkdir()
    pq.write_table(pa.table({"id": [1]}), plain / "a.parquet")
    assert "no _delta_log" in run("head", f"delta://{plain}", code=3).stderr
    assert run("head", f"delta://{FOLDER}/missing", code=None).returncode
    assert "a local folder" in run("head", "delta://s3://bucket/table", code=2).stderr
    nothing = FOLDER / "nothing.parquet"
    pq.write_table(pa.table({"id": [1], "nothing": pa.nulls(1)}), nothing)
    assert "nothing" in run("convert", nothing, FOLDER / "nothing.delta", code=4).stderr and not (FOLDER / "nothing.delta").exists()


def test_module():
    harness.use_module()
    import xwalk
    table = FOLDER / "module.delta"
    xwalk.convert(pa.table({"id": [1, 2], "s": ["a", None]}), str(table))
    assert pa.table(xwalk.open(str(table))).to_pydict() == {"id": [1, 2], "s": ["a", None]}
    assert pa.table(xwalk.open(f"delta://{table}", select=["s"])).to_pydict() == {"s": ["a", None]}
    assert deltalake.DeltaTable(table).count() == 2
    nothing = FOLDER / "module-void.parquet"
    pq.write_table(pa.table({"n": pa.nulls(1)}), nothing)
    for source in (str(nothing), pa.table({"n": pa.nulls(1)})):
        assert "void" in str(xwalk.check(source, "delta")) and "unsupported" in str(xwalk.check(source, "delta"))


def test_types_that_are_stored_as_others_are_verified():
    """The proof compares what the table says: an interval is an integer there."""
    for source in stored_as_others(FOLDER):
        table = source.with_suffix(".delta")
        run("convert", source, table, "--verify")
        run("verify", source, table)
