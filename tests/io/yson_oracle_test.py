"""Parquet to YSON rows, text, pretty and binary, compressed or not, and back: every value the same
under pyarrow. Rows without a schema are inferred."""

import datetime
import decimal
import os

import pytest
from oracle import *

ROWS = 20000


def nulls(values):
    return [None if i % 7 == 3 else value for i, value in enumerate(values)]


N = range(ROWS)
table = pa.table({
    "id": pa.array(N, pa.int64()),
    "small": pa.array(nulls([i % 200 - 100 for i in N]), pa.int8()),
    "hash": pa.array(nulls([(i * 0x9E3779B97F4A7C15) % 2**64 for i in N]), pa.uint64()),
    "real": pa.array([float("inf"), -0.0] + [i / 7 for i in N[2:]]),
    "flag": pa.array(nulls([i % 2 == 0 for i in N])),
    "text": pa.array(nulls([f'naïve "{i}"\n\t\\' for i in N])),
    "bytes": pa.array(nulls([bytes([i % 256, 0, 255]) for i in N]), pa.binary()),
    "day": pa.array(nulls([datetime.date(1969, 1, 1) + datetime.timedelta(i) for i in N])),
    "instant": pa.array(nulls([i * 1000001 - 5 for i in N]), pa.timestamp("us", "UTC")),
    "price": pa.array(nulls([decimal.Decimal(i - 500) / 100 for i in N]), pa.decimal128(20, 2)),
    "list": pa.array(nulls([[j or None for j in range(i % 4)] for i in N]), pa.list_(pa.int64())),
    "struct": pa.array(nulls([{"a": i, "b": None if i % 2 else str(i)} for i in N])),
    "map": pa.array(nulls([[(str(j), j) for j in range(i % 3)] for i in N]), pa.map_(pa.string(), pa.int64())),
})


@pytest.mark.parametrize("extension", ["", ".gz", ".zst"])
@pytest.mark.parametrize("layout", ["text", "pretty", "binary"])
def test_layouts(layout, extension):
    pq.write_table(table, path("in.parquet"), row_group_size=7000)
    for threads in (1, 3):
        name = f"rows.yson{extension}"
        copy(path("in.parquet"), path(name), format=layout, threads=threads)
        copy(path(name), path("back.parquet"), threads=threads)
        check_tables(f"{threads} threads", pq.read_table(path("in.parquet")), pq.read_table(path("back.parquet")), metadata=False)


def test_selection():
    """Selection and limit of rows that have no footer to ask."""
    pq.write_table(table, path("in.parquet"))
    copy(path("in.parquet"), path("rows.yson"))
    copy(path("rows.yson"), path("out.arrow"), select="struct.b,id", limit=9000)
    expected = [{"struct": None if row["struct"] is None else {"b": row["struct"]["b"]}, "id": row["id"]}
                for row in table.slice(0, 9000).to_pylist()]
    check("selection", read_ipc(path("out.arrow")).to_pylist() == expected)


def test_inference():
    """Inference: a type for each column that holds later rows, too."""
    with open(path("free.yson"), "w") as file:
        for i in range(5000):
            file.write(f'{{id={i};big={i * 10**9};u={i}u;x={i}.5;s="{i}";b="\\xff{i}";l=[{i};#];'
                       f'm={{a={i};b=t}};mixed={i if i % 2 else f"{i}."};f=%true;n=#;'
                       + (f'rare={i};' if i % 5 else '') + '};\n')
    copy(path("free.yson"), path("out.arrow"))
    found = read_ipc(path("out.arrow"))
    types = {field.name: (str(field.type), field.nullable) for field in found.schema}
    check("inferred", types == {
        "id": ("int64", True), "big": ("int64", True), "u": ("uint64", True), "x": ("double", True),
        "s": ("string", True), "b": ("binary", True), "l": ("list<item: int64>", True),
        "m": ("struct<a: int64, b: string>", True), "mixed": ("double", True),
        "f": ("bool", True), "n": ("null", True), "rare": ("int64", True)}, types)
    row = found.slice(4999, 1).to_pylist()[0]
    check("inferred values", row["id"] == 4999 and row["l"] == [4999, None] and row["m"]["b"] == "t"
          and row["b"] == b"\xff4999" and row["rare"] == 4999, row)


def test_errors():
    """Errors say where, and leave nothing behind."""
    with open(path("bad.yson"), "w") as file:
        file.writelines(f"{{id={i}}};\n" for i in range(300000))
        file.write("{id=x};\n{id=y};\n")
    with open(path("bad.yson.schema"), "w") as file:
        file.write("[{name=id;type=int64;required=%true}]")
    for threads in (1, 4):
        failed = try_copy(path("bad.yson"), path("never.parquet"), threads=threads)
        check("bad row", failed.returncode == 1 and "bad.yson:300001:" in failed.stderr
              and "row 300000" in failed.stderr, failed.stderr)
    check("nothing half-written", not [name for name in os.listdir(FOLDER) if "never" in name],
          os.listdir(FOLDER))
    failed = subprocess.run([COPY, "from=yson", "-", path("never.parquet")], input="{a=1}", text=True,
                            capture_output=True)
    check("standard input needs a schema", failed.returncode == 1 and "`schema=FILE`" in failed.stderr, failed.stderr)
