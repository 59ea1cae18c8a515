"""Dates and times that Spark wrote in the Julian calendar are the same dates in the Gregorian one, as Spark reads them."""
import datetime
import itertools
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("julian")
DATES, INT96, VERSION, ZONE = (f"org.apache.spark.{name}" for name in ("legacyDateTime", "legacyINT96", "version", "timeZone"))
#: Days as in a file, by the date that they are in the Gregorian calendar, and the date that Spark means.
DAYS = [("1500-01-10", "1500-01-01"), ("1582-10-14", "1582-10-04"), ("1582-10-15", "1582-10-15"), ("1500-03-10", "1500-03-01"),
        ("0005-01-01", "0005-01-03"), ("2020-02-29", "2020-02-29"), (None, None)]


def day(text):
    return text and datetime.date.fromisoformat(text)


def files(name, table, metadata, **options):
    path = FOLDER / f"{name}.parquet"
    pq.write_table(table.replace_schema_metadata(metadata), path, **options)
    return path


def test_dates():
    days = pa.array([day(was) for was, _ in DAYS], pa.date32())
    times = days.cast(pa.timestamp("us", "UTC"))
    table = pa.table({"d": days, "l": pa.array([[value] for value in days.to_pylist()], pa.list_(pa.date32())), "t": times})
    expected = [day(means) for _, means in DAYS]
    for name, metadata, rebased in [("legacy", {DATES: "", ZONE: "UTC"}, True), ("two", {VERSION: "2.4.8", ZONE: "UTC"}, True),
                                    ("new", {VERSION: "3.5.0", ZONE: "UTC"}, False), ("plain", {}, False),
                                    ("other", {INT96: "", ZONE: "UTC"}, False)]:
        for end in ("parquet", "arrow"):
            source, target = files(name, table, metadata), FOLDER / f"{name}.out.{end}"
            harness.run("convert", source, target, "--mode", "overwrite")
            found = pq.read_table(target) if end == "parquet" else pa.ipc.open_file(target).read_all()
            wanted = expected if rebased else days.to_pylist()
            assert found["d"].to_pylist() == wanted, name
            assert found["l"].to_pylist() == [[value] for value in wanted], name
            assert found["t"].cast(pa.date32()).to_pylist() == wanted, name
            assert not {DATES.encode(), INT96.encode()} & set(found.schema.metadata or {}), "the key is not true of the output"
            harness.run("verify", source, target)


def test_int96():
    times = pa.array([datetime.datetime(1700, 1, 1), datetime.datetime(1901, 1, 1)], pa.timestamp("ns"))
    for metadata, passes in [({INT96: "", ZONE: "UTC"}, True), ({INT96: "", ZONE: "America/Los_Angeles"}, False), ({INT96: ""}, False),
                             ({DATES: "", VERSION: "3.5.0"}, True), ({VERSION: "3.0.1"}, False)]:
        source = files("int96", pa.table({"t": times}), metadata, use_deprecated_int96_timestamps=True)
        done = harness.run("convert", source, FOLDER / "int96.arrow", "--mode", "overwrite", code=(0, 1, 3, 4))
        assert (done.returncode == 0) == passes, (metadata, done.stderr)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("zone, year, wanted", [("UTC", 1500, datetime.datetime(1500, 1, 1, 23)), ("UTC", 1850, datetime.datetime(1850, 1, 10, 23)),
                                                ("America/Los_Angeles", 1850, None), (None, 1899, None), (None, 1900, datetime.datetime(1900, 1, 10, 23))])
def test_stored_int96(zone, year, wanted, nested):
    """Between files of Parquet times stay INT96, and change the calendar too."""
    times = pa.array([datetime.datetime(year, 1, 10, 23), None], pa.timestamp("us"))
    table = pa.table({"t": pa.array([times.to_pylist()], pa.list_(times.type)) if nested else times})
    keys = {INT96: "", VERSION: "3.5.0"} | ({ZONE: zone} if zone else {})
    source, target = files("stored", table, keys, use_deprecated_int96_timestamps=True), FOLDER / "stored.out.parquet"
    report = json.loads(harness.run("check", source, "--to", "parquet", "--json", code=(0, 1)).stdout)
    assert ("Julian calendar" in json.dumps(report)) == (zone != "UTC")
    done = harness.run("convert", source, target, "--mode", "overwrite", code=(0, 3))
    assert (done.returncode == 0) == (wanted is not None), done.stderr
    if wanted is None:
        assert f"{year}-01-10T23:00:00" in done.stderr, done.stderr
        return
    metadata = pq.read_metadata(target)
    assert metadata.schema.column(0).physical_type == "INT96"
    assert INT96.encode() not in (metadata.metadata or {})
    found = pq.read_table(target, coerce_int96_timestamp_unit="us")["t"].to_pylist()
    assert (found[0] if nested else found) == [wanted, None]


@pytest.mark.parametrize("end", ["parquet", "arrow"])
def test_check_of_several(end):
    """check reports about a second file what convert reports."""
    old, plain = (files(f"several-{name}", pa.table({"t": pa.array([datetime.datetime(1950, 1, 1)], pa.timestamp("us", "UTC"))}), keys)
                  for name, keys in [("old", {DATES: "", ZONE: "Europe/Moscow"}), ("plain", {})])
    for names in ([old, plain], [plain, old], [plain, plain]):
        report = harness.run("check", *names, "--to", end, "--json", code=(0, 1)).stdout
        done = harness.run("convert", *names, FOLDER / f"several.{end}", "--mode", "overwrite")
        assert ("Julian calendar" in report) == ("Julian calendar" in done.stderr or "checked" in done.stderr) == (old in names)


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "+03:00", None, "UTC"])
@pytest.mark.parametrize("end", ["parquet", "arrow", "yson"])
def test_times_of_other_zones(zone, end):
    """Spark moves instants, at any depth, by the history of the file's zone: check says what convert rejects. It moves no local time."""
    def moment(year):
        return datetime.datetime(year, 1, 10, tzinfo=datetime.timezone.utc)

    def table(year):
        instants = pa.array([moment(year)], pa.timestamp("us", "UTC"))
        return pa.table({"t": instants, "l": pa.array([[moment(year)]], pa.list_(instants.type)),
                         "n": pa.array([moment(year).replace(tzinfo=None)], pa.timestamp("us")), "i": [1]})

    metadata = {DATES: "", VERSION: "3.5.0"} | ({ZONE: zone} if zone else {})
    old, new, plain = (files(f"zone-{name}-{zone}-{end}".replace("/", "-"), table(year), keys)
                       for name, year, keys in [("old", 1850, metadata), ("new", 1950, metadata), ("plain", 1850, {})])
    expected = {"t", "l[]"} if zone != "UTC" else set()
    output = FOLDER / f"zones.out.{end}"

    def narrowed(*words):
        report = json.loads(harness.run(*words, "--json", code=(0, 1)).stdout)
        return {column["path"] for column in report["paths"]
                if any(reason["rule"] == "range.narrowed" and f"in the zone {zone or 'of its session'}" in reason["lost"] for reason in column.get("reasons", []))}

    for names in ([old], [new], [old, plain], [new, plain]):
        assert narrowed("check", *names, "--to", end) == expected
        assert narrowed("check", *names, "--to", end, "--rows") == expected
    assert narrowed("check", plain, "--to", end) == set()
    for name in (old, new):
        done = harness.run("convert", name, output, "--mode", "overwrite", code=None)
        assert (done.returncode == 0) == (name is new or not expected), done.stderr
        if done.returncode == 0:
            assert ("checked" in done.stderr) == bool(expected) or end == "yson", done.stderr
            harness.run("verify", name, output)
    # What Spark keeps as it is, and what it moves.
    local = files("zone-local", pa.table({"n": pa.array([datetime.datetime(1500, 1, 10)], pa.timestamp("us"))}), metadata)
    harness.run("convert", local, FOLDER / "zone-local.arrow", "--mode", "overwrite")
    assert pa.ipc.open_file(FOLDER / "zone-local.arrow").read_all()["n"].to_pylist() == [datetime.datetime(1500, 1, 10)]


def test_mixed():
    """Rows of a file in the Julian calendar next to rows of another: the key of one is not put over both."""
    days = pa.table({"d": pa.array([day("1500-01-10")], pa.date32())})
    legacy, plain = files("mixed-1", days, {DATES: "", ZONE: "UTC"}), files("mixed-2", days, {})
    for names in ([legacy, plain], [plain, legacy]):
        output = FOLDER / "mixed.parquet"
        harness.run("convert", *names, output, "--mode", "overwrite")
        found = pq.read_table(output)
        assert sorted(found["d"].to_pylist()) == [day("1500-01-01"), day("1500-01-10")]
        assert DATES.encode() not in (pq.read_metadata(output).metadata or {})


def test_keys_of_each_file():
    """Dates go by one key and INT96 by another: files with both, with one and with none, in each order, each by its own."""
    days = pa.table({"d": pa.array([day("1500-01-10")], pa.date32())})
    given = [files(f"each-{i}", days, metadata) for i, metadata in enumerate([{DATES: "", INT96: "", ZONE: "UTC"}, {INT96: "", ZONE: "UTC"},
                                                                              {VERSION: "3.5.0"}])]
    meant = dict(zip(given, ["1500-01-01", "1500-01-10", "1500-01-10"]))
    output = FOLDER / "each.parquet"
    for names in itertools.permutations(given):
        for options in ([], ["--unify"]):
            harness.run("convert", *names, output, "--mode", "overwrite", *options)
            assert pq.read_table(output)["d"].to_pylist() == [day(meant[name]) for name in names]
            assert not {DATES.encode(), INT96.encode()} & set(pq.read_metadata(output).metadata or {})


def test_spark():
    """As Spark writes and reads them."""
    session = harness.spark_builder().config(
        "spark.sql.session.timeZone", "UTC").config("spark.sql.parquet.datetimeRebaseModeInWrite", "LEGACY").config(
        "spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS").getOrCreate()
    try:
        source, target = FOLDER / "spark", FOLDER / "spark.out.parquet"
        rows = session.sql("select date '1500-01-01' as d, timestamp '1500-01-01 12:00:00' as t union all select date '2020-01-01', timestamp '2020-01-01 00:00:00'")
        rows.coalesce(1).write.parquet(str(source))
        harness.run("convert", source, target)
        wanted = rows.selectExpr("cast(d as string)", "cast(t as string)").collect()
        found = session.read.parquet(str(target)).selectExpr("cast(d as string)", "cast(t as string)").collect()
        assert sorted(found) == sorted(wanted)
    finally:
        session.stop()
