"""`check --readers --rows`: the count of values that a remark is about, compared with the values that the reader gives.

A case is a file of values of which some are affected. The reader gives all others as they were written, and these as others, or it
refuses the file, but not one without them."""
import decimal
import json

import pytest
import reader_table_test as table

from tests import harness

with harness.skip_if_missing():
    import numpy
    import pyarrow as pa
    import pyarrow.parquet as pq

DAY = 86_400 * 10**9
#: Nanoseconds that 64 bits hold.
LEAST, MOST = -2**63, 2**63 - 1
FAR = "times outside the years 1677 to 2262"
TEN_THOUSAND = 2_932_897  # days from 1970 to the year 10000


def micros(*nanos):
    return pa.array([None if one is None else one // 1000 for one in nanos], pa.timestamp("us"))


#: What is written, with or without INT96, what remarks on it are about, which values these are, and whose remarks they are.
CASES = {
    "far INT96": (micros(0, MOST // 1000 * 1000, MOST + DAY, LEAST + DAY, LEAST - DAY, None), True, FAR, {2, 4},
                  ["pyarrow", "DataFusion", "Polars", "Daft", "fastparquet", "arrow-go"]),
    "fine INT96": (pa.array([1000, 1, None, 10**6, 1001], pa.timestamp("ns")), True, "parts finer than microseconds", {1, 4}, ["DuckDB"]),
    "far days": (pa.array([0, TEN_THOUSAND - 1, TEN_THOUSAND, None, -719_529, -719_528], pa.int32()).cast(pa.date32()), False,
                 "days outside the years 0 to 9999", {2, 4}, ["ClickHouse"]),
    "days beyond nanoseconds": (pa.array([0, MOST // DAY, MOST // DAY + 1, None], pa.int32()).cast(pa.date32()), False,
                                "days outside the years 1677 to 2262", {2}, ["fastparquet"]),
    "far instants": (pa.array([0, TEN_THOUSAND * DAY // 1000 - 1, TEN_THOUSAND * DAY // 1000, -719_528 * DAY // 1000 - 1],
                              pa.timestamp("us", tz="UTC")), False, "times outside the years 0 to 9999", {2, 3}, ["ClickHouse"]),
    "JSON": (pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a":1}', "[1]", '{"b":[2]}', "7"])), False,
             "values other than objects", {1, 3}, ["ClickHouse"]),
    "null lists": (pa.array([[1], None, [], [None]], pa.list_(pa.int64())), False, "nulls", {1}, ["ClickHouse"]),
    "digits": (pa.array([decimal.Decimal(one) for one in (0, 10**35, 123456789012345, 12345678901234567)] + [None],
                        pa.decimal256(40, 0)), False, "digits after the first 15", {3}, ["DuckDB"]),
    "zero bytes": (pa.array([b"ab", b"a\0", b"\0b", b"\0\0", None], pa.binary(2)), False, "zero bytes at the end", {1, 3}, ["fastparquet"]),
    "not UTF-8": (pa.array([b"a", b"\xff", "тест".encode(), None], pa.binary()), False, "bytes that are not UTF-8", {1}, ["hyparquet"]),
    "fine instants": (pa.array([1_000_000, 1_000_001, None, 999], pa.timestamp("us", tz="UTC")), False, "parts finer than milliseconds",
                      {1, 3}, ["hyparquet"]),
}


def by_clickhouse():
    import chdb
    session = chdb.connect(":memory:")

    def read(path: str):
        try:
            rows = session.query(f"SELECT v FROM file('{path}', Parquet)", "ArrowStream").bytes()
        except Exception:
            # The next query gives what the failed one wrote (findings/chdb_rows_of_a_failed_query.sh).
            session.query("SELECT 1", "Null")
            raise
        column = pa.ipc.open_stream(rows).read_all()["v"]
        if not pa.types.is_timestamp(column.type):
            return "", written(column)
        # The stored numbers stay as they are, and what is shown does not.
        shown = session.query(f"SELECT toString(v) FROM file('{path}', Parquet)", "TSV").bytes().decode().split("\n")
        return "", [int(numpy.datetime64(text, "us").astype(int)) * 1000 for text in shown if text]
    return read


READERS = {**table.VALUE_READERS, "ClickHouse": (table.READERS["ClickHouse"][0], by_clickhouse)}
#: The readers that were started.
OPEN = {}


def number(value):
    """Days and times as nanoseconds, without their zone; a double by its shortest text; text as bytes."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, float):
        return decimal.Decimal(repr(value))
    return value[1] if isinstance(value, tuple) else value


def written(column) -> list:
    """The values of a column as `number` gives what was read."""
    if pa.types.is_date(column.type):
        return [day and day * DAY if day else day for day in column.cast(pa.int32()).to_pylist()]
    return [number(value) for value in table.plain_values(column)]


def write(column, is_int96: bool, name: str) -> str:
    path = str(harness.make_folder("reader_values") / f"{name}.parquet".replace(" ", "_"))
    pq.write_table(pa.table({"v": column}), path, store_schema=False, use_deprecated_int96_timestamps=is_int96)
    return path


def remark_on(path: str, reader: str, about: str) -> dict:
    done = harness.run("check", path, "--readers", reader.lower(), "--rows", "--json", code=None)
    assert done.returncode in (0, 1), done.stderr
    return next(one for one in json.loads(done.stdout)["readers"] if one.get("about") == about)


@pytest.mark.parametrize("name, reader", [(name, reader) for name, case in CASES.items() for reader in case[4]])
def test_values(name, reader):
    column, is_int96, about, affected, _ = CASES[name]
    places = [place for place in range(len(column)) if place not in affected]
    path, rest = write(column, is_int96, name), write(column.take(pa.array(places)), is_int96, name + " rest")
    counts_nulls = about == "nulls"
    for file, count, of in ((path, len(affected), column), (rest, 0, column.take(pa.array(places)))):
        found = remark_on(file, reader, about)
        assert (found["affected"], found["values"]) == (count, len(of) if counts_nulls else len(of) - of.null_count), found
    text = harness.run("check", path, "--readers", reader.lower(), "--rows", code=None).stdout
    values = len(column) if counts_nulls else len(column) - column.null_count
    assert f"({len(affected)} of {values} values)" in " ".join(text.split()), text
    assert "(no such value)" in " ".join(harness.run("check", rest, "--readers", reader.lower(), "--rows", code=None).stdout.split())
    installed, make = READERS[reader]
    if not installed:
        pytest.skip(f"{reader} is not installed (make readers): only counts were compared")
    if reader not in OPEN:
        OPEN[reader] = make()
    read = OPEN[reader]
    wanted = written(column)
    assert [number(value) for value in read(rest)[1]] == [wanted[place] for place in places]
    try:
        values = [number(value) for value in read(path)[1]]
    except Exception:  # noqa: BLE001 (packages refuse with their own exceptions)
        return
    assert {place for place, value in enumerate(values) if value != wanted[place]} == affected, values
