"""`--for-reader` writes files that the reader opens, and says which columns it cannot or would show as others."""
import datetime
import decimal
import json

import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import duckdb
    import lance
    import polars
    import pyarrow as pa
    import pyarrow.parquet as pq
    import xwalk

FOLDER = harness.make_folder("for-reader")
DAY, TIME = datetime.date(2024, 1, 2), datetime.time(1, 2, 3)
#: A value of each type. Each is written with a null next to it, and in a list and a struct.
VALUES = {
    pa.bool_(): True, pa.int8(): 1, pa.uint8(): 200, pa.uint32(): 3_000_000_000, pa.uint64(): 2**63 + 1, pa.int64(): 5, pa.float16(): 1.5,
    pa.float32(): 1.5, pa.float64(): 2.5, pa.string(): "a", pa.binary(): b"\xff", pa.date32(): DAY, pa.time32("ms"): TIME,
    pa.time64("us"): TIME, pa.time64("ns"): TIME, pa.timestamp("ms"): datetime.datetime(2024, 1, 2), pa.timestamp("us", "UTC"): 1,
    pa.timestamp("ns"): 1000, pa.timestamp("ns", "UTC"): 1000, pa.decimal128(38, 5): decimal.Decimal("1.5"),
    pa.decimal256(60, 5): decimal.Decimal("1.5"), pa.uuid(): bytes(16), pa.json_(): "{}",
}


def column(kind, value):
    storage = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
    cells = pa.array([value, None], storage)
    return pa.ExtensionArray.from_storage(kind, cells) if storage != kind else cells


def table():
    columns = {f"c{place}": column(*one) for place, one in enumerate(VALUES.items())}
    for name, cells in list(columns.items()):
        columns["l" + name] = pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), cells)
        columns["s" + name] = pa.StructArray.from_arrays([cells], ["m"])
    return pa.table(columns)


def run(*words):
    return harness.run(*words, code=None)


READ = {
    "pyarrow": lambda path: pq.read_table(path),
    "duckdb": lambda path: duckdb.connect().execute("set timezone='UTC'; from '%s'" % path).to_arrow_table(),
    "polars": lambda path: polars.read_parquet(path),
}


@pytest.mark.parametrize("reader", READ)
def test_the_reader_opens_what_is_written_for_it(reader):
    source, output = FOLDER / f"{reader}.in.parquet", FOLDER / f"{reader}.parquet"
    pq.write_table(table(), source)
    report = json.loads(run("check", source, "--to", "parquet", "--for-reader", reader, "--json").stdout)
    refused = {path["path"].split(".")[0].rstrip("[]") for path in report["paths"] if path["verdict"] == "unsupported"}
    options = ["--exclude", ",".join(sorted(refused))] if refused else []
    done = run("convert", source, output, "--for-reader", reader, "--allow", "lossy", *options)
    assert done.returncode == 0, done.stderr
    found = READ[reader](str(output))
    assert len(found) == 2
    assert len(found.columns if reader == "polars" else found.column_names) == 3 * len(VALUES) - len(refused)


def test_types_are_chosen_for_spark():
    source, output = FOLDER / "spark.in.parquet", FOLDER / "spark.parquet"
    pq.write_table(pa.table({"h": column(pa.float16(), 1.5), "t": column(pa.timestamp("ns", "UTC"), 1000), "l": pa.array([[1.5], None], pa.list_(pa.float16()))}), source)
    done = run("convert", source, output, "--for-reader", "spark")
    assert done.returncode == 0, done.stderr
    written = pq.read_schema(output)
    assert [str(kind) for kind in written.types] == ["float", "timestamp[us, tz=UTC]", "list<element: float>"]
    assert pq.read_table(output).to_pydict()["h"] == [1.5, None]


def test_finer_values_are_rejected_for_spark():
    source, output = FOLDER / "fine.in.parquet", FOLDER / "fine.parquet"
    pq.write_table(pa.table({"t": column(pa.timestamp("ns"), 1001)}), source)
    done = run("convert", source, output, "--for-reader", "spark")
    assert done.returncode != 0 and "1001" not in done.stdout and not output.exists()


def test_a_type_that_the_reader_refuses_is_unsupported():
    source, output = FOLDER / "time.in.parquet", FOLDER / "time.parquet"
    pq.write_table(pa.table({"t": column(pa.time64("us"), TIME)}), source)
    done = run("convert", source, output, "--for-reader", "spark")
    assert done.returncode == 4 and "Spark: refuses the file: TIME" in done.stderr and not output.exists()


def test_values_that_the_reader_alters_need_the_users_word():
    source, output = FOLDER / "local.in.parquet", FOLDER / "local.parquet"
    pq.write_table(pa.table({"t": column(pa.timestamp("us"), 1)}), source)
    assert "--allow lossy" in run("convert", source, output, "--for-reader", "clickhouse").stderr and not output.exists()
    assert run("convert", source, output, "--for-reader", "clickhouse", "--allow", "lossy").returncode == 0


@pytest.mark.parametrize("release, version", [("0.20", "2.0"), ("0.36.0", "2.0"), ("0.38.3", "2.1"), ("2.0.1", "2.1"), ("3.0", "2.2"), ("14.0.0", "2.2")])
def test_lance_has_the_version_that_a_release_reads(release, version):
    source, output = FOLDER / "lance.in.parquet", FOLDER / f"{release}.lance"
    pq.write_table(pa.table({"a": [1, 2]}), source)
    done = run("convert", source, output, "--for-reader", f"pylance={release}")
    assert done.returncode == 0, done.stderr
    assert lance.dataset(str(output)).data_storage_version == version


@pytest.mark.parametrize("words, found", [
    (("parquet", "sparc"), "Did you mean spark?"), (("parquet", "spark=3.5"), 'was tried, "3.5" was not'), (("lance", "pylance=0.19"), "from 0.20 on"),
    (("lance", "spark"), "was not tried with lance"), (("yson", "duckdb"), "was not tried with yt"), (("lance", "pylance="), "from 0.20 on"),
    (("vortex", "vortex=x"), "from 0.60 on")])
def test_a_reader_that_is_not_known_is_named(words, found):
    source = FOLDER / "named.parquet"
    pq.write_table(pa.table({"a": [1, 2]}), source)
    done = run("check", source, "--to", words[0], "--for-reader", words[1])
    assert done.returncode == 2 and found in done.stderr, done.stderr


def test_an_older_release_and_a_newer_version_are_refused():
    source = FOLDER / "older.parquet"
    pq.write_table(pa.table({"a": [1, 2]}), source)
    given = ["--lance-version", "2.2"], ["--for-reader", "pylance=2.0"]
    for words in given[0] + given[1], given[1] + given[0]:
        done = run("check", source, "--to", "lance", *words)
        assert done.returncode == 2 and "2.1 and older" in done.stderr, done.stderr
    done = run("check", source, "--to", "vortex", "--vortex-edition", "core2026.08.3", "--for-reader", "vortex=0.70")
    assert done.returncode == 2 and "core2025.10.0 and older" in done.stderr, done.stderr
    done = run("check", source, "--to", "vortex", "--for-reader", "vortex=0.70")
    assert done.returncode == 0, done.stderr


def test_chosen_readers_are_compared():
    source = FOLDER / "compared.parquet"
    pq.write_table(pa.table({"u": column(pa.uuid(), bytes(16))}), source)
    for words in (["--readers", "duckdb,spark", source], [source, "--readers", "duckdb,spark"]):
        out = run("check", *words).stdout
        assert "readers compared: DuckDB" in out and "Spark" in out and "Polars" not in out, out
    report = xwalk.check(source, readers=["duckdb", "spark"])
    assert str(report).splitlines()[1:] == out.splitlines()[1:]
    assert str(xwalk.check(source, readers="duckdb,spark")) == str(report)
    with pytest.raises(xwalk.UsageError, match='expected a reader, found "ducdb"'):
        xwalk.check(source, readers="ducdb")


def test_each_reader_with_remarks_has_one_line():
    source = FOLDER / "many.parquet"
    nullable = [pa.field(name, pa.uuid()) for name in "abc"] + [pa.field("f", pa.float16())]
    pq.write_table(pa.schema(nullable).empty_table(), source)
    out = run("check", source, "--readers").stdout.splitlines()
    report = json.loads(run("check", source, "--readers", "--json").stdout)
    for reader in {remark["reader"] for remark in report["readers"]}:
        own = [remark for remark in report["readers"] if remark["reader"] == reader]
        lines = [line for line in out if line.startswith(f"{reader}: ")]
        assert len(lines) == 1, (reader, out)
        assert lines[0].startswith(f"{reader}: {own[0]['path']}: {own[0]['remark']}"), lines
        more = f"; {len(own) - 1} more (--readers {reader.lower()} lists them)" if len(own) > 1 else ""
        assert lines[0].endswith(own[0]["remark"] + more), lines
    # Chosen ones are shown at each column.
    chosen = run("check", source, "--readers", "spark").stdout
    assert chosen.count("Spark: ") == sum(remark["reader"] == "Spark" for remark in report["readers"]) == 4, chosen
    assert "readers=\"spark\" lists them" in str(xwalk.check(source, readers=True))
