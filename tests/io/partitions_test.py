"""Folders of files: partitions by the names of folders, patterns, files of different schemas, and
folders that are written; beside pyarrow, DuckDB and Polars."""

import datetime
import os
import tempfile

import pytest

from tests import harness

with harness.skip_if_missing():
    import duckdb
    import polars
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

DAY = datetime.date(2026, 3, 1)
there = harness.work_in(harness.make_folder("partitions"))


@pytest.fixture(scope="module", autouse=True)
def whole(there):
    pq.write_table(table(), "whole.parquet")
    schema = pa.schema([table().schema.field(name) for name in ("day", "country", "year")])
    ds.write_dataset(table(), "pyarrow", format="parquet", partitioning=ds.partitioning(schema, flavor="hive"))


def xwalk(*arguments, code=0):
    done = harness.run(*arguments, code=code)
    return done.stdout + done.stderr


def rows(path, *options):
    out = os.path.join(tempfile.mkdtemp(dir="."), "rows.arrow")
    xwalk("convert", path, out, *options)
    return pa.ipc.open_file(out).read_all().to_pylist()


def by(*names):
    return lambda row: tuple((row[name] is not None, row[name]) for name in names)


def table():
    count = 600
    return pa.table({
        "id": pa.array(range(count), pa.int64()),
        "day": pa.array([DAY + datetime.timedelta(days=i % 3) for i in range(count)]),
        "country": pa.array([[None, "DE", "a/b=c %", "naïve"][i % 4] for i in range(count)]),
        "year": pa.array([2020 + i % 2 for i in range(count)], pa.int64()),
        "price": pa.array([i / 8 for i in range(count)]),
    })


def test_reads_what_others_write():
    whole = table()
    expected = sorted(whole.to_pylist(), key=by("id"))
    assert sorted(rows("pyarrow"), key=by("id")) == expected
    duckdb.from_arrow(whole).to_parquet("duck", partition_by=["year", "day"])
    assert sorted(rows("duck"), key=by("id")) == expected
    polars.from_arrow(whole).write_parquet("polars", partition_by=["country", "year"])
    assert sorted(rows("polars"), key=by("id")) == expected


def test_others_read_what_we_write():
    whole = table()
    expected = sorted(whole.to_pylist(), key=by("id"))
    for format in "parquet", "arrow":
        out = f"cut.{format}"
        told = xwalk("convert", "whole.parquet", out, "--to", format, "--partition-by", "day,country")
        assert "country" in told and "widened" in told, told
        names = ds.dataset(out, format="ipc" if format == "arrow" else format, partitioning="hive")
        seen = sorted(names.to_table().to_pylist(), key=by("id"))
        assert [row["id"] for row in seen] == [row["id"] for row in expected]
        assert [row["country"] for row in seen] == [row["country"] for row in expected]
        assert sorted(rows(out), key=by("id")) == expected
    query = "select * from read_parquet('cut.parquet/**/*.parquet', hive_partitioning = true)"
    seen = duckdb.sql(query + " order by id").to_arrow_table().to_pylist()
    assert seen == expected, (seen[:4], expected[:4])
    seen = polars.read_parquet("cut.parquet", hive_partitioning=True).sort("id").to_dicts()
    assert [row["country"] for row in seen] == [row["country"] for row in expected]


def test_many_partitions_close_files():
    count = 1000
    pq.write_table(pa.table({"k": pa.array([i * 7 % 500 for i in range(count)], pa.int64()),
                             "v": pa.array(range(count), pa.int64())}), "many.parquet")
    xwalk("convert", "many.parquet", "many", "--to", "parquet", "--partition-by", "k",
          "--batch-rows", "100")
    assert sorted(row["v"] for row in rows("many")) == list(range(count))


def test_adds_and_replaces():
    xwalk("convert", "whole.parquet", "grown", "--to", "parquet", "--partition-by", "year")
    told = xwalk("convert", "whole.parquet", "grown", "--to", "parquet", "--partition-by", "year",
                 code=74)
    assert "exists" in told, told
    xwalk("convert", "whole.parquet", "grown", "--to", "parquet", "--partition-by", "year",
          "--mode", "append")
    assert len(rows("grown")) == 2 * table().num_rows
    told = xwalk("convert", "whole.parquet", "grown", "--mode", "append", code=74)
    assert "year" in told, told
    told = xwalk("convert", "whole.parquet", "grown", "--to", "parquet", "--partition-by", "day",
                 "--mode", "append-again", code=2)
    assert "year" in told, told
    xwalk("convert", "whole.parquet", "grown", "--to", "parquet", "--partition-by", "day",
          "--overwrite")
    assert len(rows("grown")) == table().num_rows
    assert sorted(os.listdir("grown"))[0] == "day=2026-03-01"
    open("grown/notes.txt", "w").close()
    told = xwalk("convert", "whole.parquet", "grown", "--to", "parquet", "--partition-by", "day",
                 "--overwrite", code=74)
    assert "notes.txt" in told and len(os.listdir("grown")) == 4, told
    told = xwalk("validate", "grown")
    assert "notes.txt is not read" in told, told
    leftovers = [name for name in os.listdir(".") if name.startswith(".")]
    assert leftovers == [], leftovers


def test_keys_have_one_type():
    for key in "1", "02", "x":
        os.makedirs(f"zip/code={key}")
        pq.write_table(pa.table({"a": [1]}), f"zip/code={key}/f.parquet")
    assert [row["code"] for row in rows("zip")] == ["02", "1", "x"]
    assert [row["code"] for row in rows("zip", "--select", "code")] == ["02", "1", "x"]
    assert rows("zip", "--no-partitions") == [{"a": 1}] * 3
    told = xwalk("check", "zip", "--to", "yt", "--all")
    assert "code" in told, told
    os.makedirs("zip/code=3/more=1")
    pq.write_table(pa.table({"a": [1]}), "zip/code=3/more=1/f.parquet")
    told = xwalk("head", "zip", code=3)
    assert "zip/code=3/more=1/f.parquet" in told and "--no-partitions" in told, told


def test_patterns():
    assert len(rows("pyarrow/day=2026-03-0[12]/**/*.parquet")) == 400
    assert {row["year"] for row in rows("pyarrow/*/*/year=2020")} == {2020}
    assert "country" in rows("pyarrow/**")[0]
    xwalk("head", "pyarrow/*/nothing-*", code=74)
    pq.write_table(pa.table({"a": [1]}), "odd[1]*.parquet")
    assert rows("odd[1]*.parquet") == [{"a": 1}]


def test_different_schemas():
    os.makedirs("drift")
    pq.write_table(pa.table({"a": pa.array([1, 2], pa.int32()),
                             "s": pa.array([{"x": 1}, None], pa.struct([("x", pa.int8())]))}),
                   "drift/1.parquet")
    pq.write_table(pa.table({"b": ["x"], "a": pa.array([2**40], pa.int64()),
                             "s": [{"y": "new", "x": 7}]}), "drift/2.parquet")
    # For people, each table apart; as rows of one table, refused.
    told = xwalk("head", "drift")
    assert "1.parquet" in told and "2.parquet" in told, told
    told = xwalk("head", "drift", "--as", "json", code=3)
    assert "2.parquet" in told, told
    told = xwalk("check", "drift", "--unify", "--to", "yt")
    assert "1.parquet: b" in told and "2.parquet" in told, told
    expected = [{"a": 1, "s": {"x": 1, "y": None}, "b": None},
                {"a": 2, "s": None, "b": None},
                {"a": 2**40, "s": {"x": 7, "y": "new"}, "b": "x"}]
    assert rows("drift", "--unify") == expected, rows("drift", "--unify")
    assert rows("drift", "--unify", "--select", "b,s.x")[2] == {"b": "x", "s": {"x": 7}}
    pq.write_table(pa.table({"a": ["text"]}), "drift/3.parquet")
    told = xwalk("head", "drift", "--unify", code=3)
    assert "3.parquet" in told and "string" in told and "a" in told, told
