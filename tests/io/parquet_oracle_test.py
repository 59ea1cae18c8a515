"""Parquet files of pyarrow, Polars and DuckDB are read through the plugin and compared with what
pyarrow reads; files that the plugin writes are read by all three."""

import datetime
import decimal
import os

import pytest
from oracle import *

ROWS = 5000
N = range(ROWS)


def nulls(values, every=7):
    return [None if i % every == 3 else value for i, value in enumerate(values)]


def flat_table():
    day = datetime.date(2026, 1, 1)
    columns = {
        "bool": pa.array(nulls([i % 3 == 0 for i in N])),
        "float16": pa.array(nulls([float(i % 2048) for i in N]), pa.float16()),
        "float32": pa.array(nulls([i / 4 for i in N]), pa.float32()),
        "float64": pa.array([float("nan"), -0.0, float("inf")] + [i / 3 for i in N[3:]]),
        "utf8_low": pa.array(nulls([f"kind {i % 5}" for i in N])),
        "utf8_unique": pa.array(nulls([f"naïve-{i}" * (i % 4) for i in N])),
        "large_utf8": pa.array(nulls([str(i) for i in N]), pa.large_string()),
        "view": pa.array(nulls([str(i) * 5 for i in N]), pa.string_view()),
        "binary": pa.array(nulls([bytes([i % 256]) * (i % 9) for i in N]), pa.binary()),
        "fixed": pa.array(nulls([i.to_bytes(5, "big") for i in N]), pa.binary(5)),
        "date32": pa.array(nulls([day + datetime.timedelta(days=i) for i in N]), pa.date32()),
        "time32": pa.array(nulls(list(N)), pa.time32("ms")),
        "time64": pa.array(nulls(list(N)), pa.time64("ns")),
        "local": pa.array(nulls(list(N)), pa.timestamp("us")),
        "zone": pa.array(nulls(list(N)), pa.timestamp("ns", "Europe/Berlin")),
        "duration": pa.array(nulls(list(N)), pa.duration("us")),
        "decimal9": pa.array(nulls([decimal.Decimal(i) / 100 for i in N]), pa.decimal128(9, 2)),
        "decimal38": pa.array(nulls([decimal.Decimal(10) ** 30 + i for i in N]), pa.decimal128(38, 0)),
        "decimal76": pa.array(nulls([-decimal.Decimal(i) for i in N]), pa.decimal256(76, 5)),
        "null": pa.nulls(ROWS),
        "uuid": pa.ExtensionArray.from_storage(
            pa.uuid(), pa.array(nulls([i.to_bytes(16, "big") for i in N]), pa.binary(16))),
        "json": pa.ExtensionArray.from_storage(
            pa.json_(), pa.array(nulls([f'{{"i":{i}}}' for i in N]), pa.string())),
    }
    for bits in (8, 16, 32, 64):
        columns[f"int{bits}"] = pa.array(nulls([i % 128 - 64 for i in N]), getattr(pa, f"int{bits}")())
        columns[f"uint{bits}"] = pa.array(nulls([i % 256 for i in N]), getattr(pa, f"uint{bits}")())
    return pa.table(columns)


def nested_table():
    point = pa.struct([pa.field("x", pa.int32(), nullable=False), ("y", pa.string())])
    lists = nulls([[j if j % 3 else None for j in range(i % 5)] for i in N])
    points = nulls([{"x": i, "y": None if i % 2 else str(i)} for i in N])
    columns = {
        "list": pa.array(lists, pa.list_(pa.int64())),
        "large_list": pa.array(lists, pa.large_list(pa.int64())),
        "fixed_list": pa.array([[i, None, 3] for i in N], pa.list_(pa.int16(), 3)),
        "struct": pa.array(points, point),
        "list_struct": pa.array(nulls([[{"x": j, "y": "s"} for j in range(i % 4)] for i in N]),
                                pa.list_(point)),
        "list_list": pa.array(nulls([[[j] * j for j in range(i % 4)] for i in N]),
                              pa.list_(pa.list_(pa.int8()))),
        "map": pa.array(nulls([[(f"k{j}", j if j % 2 else None) for j in range(i % 4)] for i in N]),
                        pa.map_(pa.string(), pa.int64())),
        "map_struct": pa.array(nulls([[(j, {"x": j, "y": None}) for j in range(i % 3)] for i in N]),
                               pa.map_(pa.int32(), point)),
        "deep": pa.array(nulls([{"a": [{"b": [{"c": i}]}]} for i in N])),
    }
    schema = pa.schema([pa.field(name, array.type, metadata={"doc": f"about {name}"})
                        for name, array in columns.items()], metadata={"origin": "test"})
    return pa.table(list(columns.values()), schema=schema)


def expected_of(name):
    """What pyarrow reads, without what only pyarrow keeps."""
    return pq.ParquetFile(name).read()


def check_file(name, file, **options):
    copy(file, path("out.arrow"), **options)
    check_tables(name, expected_of(file), read_ipc(path("out.arrow")))


TABLES = {"flat": flat_table(), "nested": nested_table(),
          "empty": flat_table().slice(0, 0), "one row": nested_table().slice(1, 1)}


@pytest.mark.parametrize("table_name", TABLES)
def test_reading(table_name):
    table = TABLES[table_name]
    for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        pq.write_table(table, path("in.parquet"), compression=codec, row_group_size=1700)
        check_file(f"{table_name} {codec}", path("in.parquet"), threads=2, engine_threads=2)
    for options in ({"use_dictionary": False}, {"data_page_version": "2.0"}, {"store_schema": False},
                    {"data_page_size": 200, "write_batch_size": 10}, {"row_group_size": 13},
                    {"use_dictionary": False, "column_encoding": "PLAIN"},
                    {"write_page_checksum": True}, {"use_byte_stream_split": ["float32", "float64"],
                                                    "use_dictionary": False}):
        if "use_byte_stream_split" in options and table_name == "nested":
            continue
        if table_name == "one row" and "use_byte_stream_split" in options:
            continue
        pq.write_table(table, path("in.parquet"), **options)
        check_file(f"{table_name} {options}", path("in.parquet"), batch_rows=999)


def test_no_columns():
    # No columns: rows are still counted.
    pq.write_table(pa.table({"a": [1, 2, 3]}).select([]), path("in.parquet"))
    check_file("no columns", path("in.parquet"))


def test_large_pieces():
    """A footer and columns that are larger than what is kept back while a file is written."""
    tables = {"footer": pa.table({f"column_{i:05}": pa.array([i, None, 2]) for i in range(1500)}),
              "columns": pa.table({"a": pa.array([bytes([i % 256]) * 200_000 for i in range(3)]), "b": pa.array(range(3))})}
    for name, table in tables.items():
        pq.write_table(table, path("in.parquet"))
        copy(path("in.parquet"), path("out.parquet"), compression="none")
        check_tables(f"large {name}", table, expected_of(path("out.parquet")))
    pq.write_table(tables["footer"], path("in.parquet"))
    copy(path("in.parquet"), path("out.parquet"))
    check("a large footer", pq.read_metadata(path("out.parquet")).serialized_size > 1 << 16)


def test_field_ids():
    # Field ids stay field metadata.
    schema = pa.schema([pa.field("a", pa.int32(), metadata={"PARQUET:field_id": "17"})])
    pq.write_table(pa.table([[1]], schema=schema), path("in.parquet"))
    check_file("field ids", path("in.parquet"))
    check("field id", read_ipc(path("out.arrow")).schema.field(0).metadata[b"PARQUET:field_id"] == b"17")


def test_polars():
    polars = pytest.importorskip("polars")
    plain = flat_table().select(["bool", "int8", "uint64", "float64", "utf8_low", "binary", "date32",
                                 "local", "duration"])
    for codec in ("uncompressed", "snappy", "zstd", "lz4"):
        polars.from_arrow(plain).write_parquet(path("in.parquet"), compression=codec, row_group_size=999)
        check_file(f"polars {codec}", path("in.parquet"))


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    for codec in ("uncompressed", "snappy", "gzip", "zstd"):
        duckdb.sql(f"""COPY (SELECT i, i % 3 = 0 AS b, 'x' || (i % 7) AS s, [i, NULL] AS l,
               {{'a': i, 'b': i::VARCHAR}} AS st, MAP {{i: 's'}} AS m, i::DECIMAL(18, 3) AS d,
               TIMESTAMP '2026-01-01' + INTERVAL (i) SECOND AS t, uuid() AS u
               FROM range(5000) t(i)) TO '{path("in.parquet")}'
               (FORMAT parquet, COMPRESSION {codec}, ROW_GROUP_SIZE 2048)""")
        check_file(f"duckdb {codec}", path("in.parquet"))


@pytest.mark.parametrize("table_name", TABLES)
def test_writing(table_name):
    table = TABLES[table_name]
    pq.write_table(table, path("in.parquet"))
    whole = expected_of(path("in.parquet"))
    for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
        copy(path("in.parquet"), path("out.parquet"), compression=codec, row_group_rows=1234, threads=2)
        check_tables(f"written {table_name} {codec}", whole, expected_of(path("out.parquet")))
        meta = pq.ParquetFile(path("out.parquet")).metadata
        expected_codec = {"none": "UNCOMPRESSED"}.get(codec, codec.upper())
        for group in range(meta.num_row_groups):
            check("row group size", meta.row_group(group).num_rows <= 1234)
            column = meta.row_group(group).column(0)
            check("codec", column.compression == expected_codec, column.compression)
            check("statistics", column.is_stats_set)
        check("rows of groups", sum(meta.row_group(g).num_rows for g in range(meta.num_row_groups))
              == table.num_rows)
        check("created by", meta.created_by.startswith("xwalk"), meta.created_by)
        check("ARROW:schema", b"ARROW:schema" in (meta.metadata or {}))


def test_selection():
    """Selection, in the order asked for, into members; limits; several inputs; a folder."""
    pq.write_table(TABLES["nested"], path("in.parquet"))
    copy(path("in.parquet"), path("out.arrow"), select="struct.y,list_struct[].x,map", limit=100)
    found = read_ipc(path("out.arrow"))
    check("selected names", found.schema.names == ["struct", "list_struct", "map"], found.schema)
    whole = TABLES["nested"].slice(0, 100).to_pylist()
    expected = [{"struct": None if r["struct"] is None else {"y": r["struct"]["y"]},
                 "list_struct": None if r["list_struct"] is None else [{"x": v["x"]} for v in r["list_struct"]],
                 "map": r["map"]} for r in whole]
    check("selected values", found.to_pylist() == expected, found.to_pylist()[:3], expected[:3])
    failed = try_copy(path("in.parquet"), path("never.arrow"), select="nothing")
    check("unknown column", failed.returncode == 1 and "no column" in failed.stderr, failed.stderr)
    os.mkdir(path("folder"))
    for i in range(3):
        pq.write_table(TABLES["flat"].slice(i * 1000, 1000), path(f"folder/part-{i}.parquet"))
    copy(path("folder"), path("out.arrow"), threads=2)
    check_tables("folder", TABLES["flat"].slice(0, 3000), read_ipc(path("out.arrow")), metadata=False)
    copy([path("folder/part-1.parquet"), path("folder/part-0.parquet")], path("out.arrow"), limit=1500)
    both = pa.concat_tables([TABLES["flat"].slice(1000, 1000), TABLES["flat"].slice(0, 500)])
    check_tables("two files", both, read_ipc(path("out.arrow")), metadata=False)
    pq.write_table(TABLES["nested"], path("folder/part-9.parquet"))
    failed = try_copy(path("folder"), path("never.arrow"))
    check("another schema", failed.returncode == 1 and "part-9.parquet" in failed.stderr, failed.stderr)
    check("nothing half-written", not [name for name in os.listdir(FOLDER) if "never" in name])
