"""An annotation on a physical type that cannot have it is ignored with a finding, as the format says, and so is a list of column
orders that is too short or too long: pyarrow reads the same values."""

import pytest
from raw_file import Node, logical, write

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as parquet

FOLDER = harness.make_folder("misplaced")
there = harness.work_in(FOLDER)

NUMBER = Node("optional int64", "n")

#: The column, a raw value, and what is read.
CASES = {
    "UUID on int32": (Node("optional int32", "a", logical=logical("UUID")), 7, 7),
    "FLOAT16 on 3 bytes": (Node("optional fixed", "a", length=3, logical=logical("FLOAT16")), b"abc", b"abc"),
    "UUID of 15 bytes": (Node("required fixed", "a", length=15, logical=logical("UUID")), b"x" * 15, b"x" * 15),
    "INT_8 on int64": (Node("optional int64", "a", converted="INT_8"), 1000, 1000),
    "UTF8 on fixed": (Node("optional fixed", "a", length=2, converted="UTF8"), b"\xff\xfe", b"\xff\xfe"),
    "DECIMAL on double": (Node("optional double", "a", precision=5, scale=0, logical=logical("DECIMAL", 5, 0), converted="DECIMAL"), 1.5, 1.5),
    "TIME(MILLIS) on int64": (Node("optional int64", "a", logical=logical("TIME", "MILLIS", True)), 2**40, 2**40),
    "INTERVAL of 11 bytes": (Node("optional fixed", "a", length=11, converted="INTERVAL"), b"y" * 11, b"y" * 11),
    "DATE on binary": (Node("optional binary", "a", converted="DATE"), b"\x00\xff", b"\x00\xff"),
    "STRING on a group": (Node("optional group", "a", [Node("optional int32", "x")], logical=logical("STRING")), {"x": 1}, {"x": 1}),
    "LIST on a primitive": (Node("optional int32", "a", logical=logical("LIST"), converted="LIST"), 5, 5),
    "in a struct": (Node("optional group", "a", [Node("optional int32", "x", logical=logical("UUID"))]), {"x": 1}, {"x": 1}),
    "in a list": (Node("optional group", "a", [Node("repeated group", "list", [Node("optional int32", "element", converted="INT_64")])],
                       logical=logical("LIST"), converted="LIST"), {"list": [{"element": 3}]}, [3]),
}


def read(name):
    with pa.ipc.open_file(FOLDER / name) as reader:
        return reader.read_all()


@pytest.mark.parametrize("case", CASES)
def test_ignored(case):
    column, raw, value = CASES[case]
    write(FOLDER / "in.parquet", [column, NUMBER], [{"a": raw, "n": 1}, {"a": raw, "n": 2}])
    done = harness.run("convert", "in.parquet", "out.arrow", "--overwrite", code=0)
    assert "annotation.misplaced" in done.stderr and "is ignored" in done.stderr, done.stderr
    assert read("out.arrow").to_pydict() == {"a": [value] * 2, "n": [1, 2]}
    # Other columns have no finding, and the file as a whole is not valid.
    done = harness.run("convert", "in.parquet", "out.arrow", "--overwrite", "--exclude", "a", code=0)
    assert read("out.arrow").to_pydict() == {"n": [1, 2]}
    done = harness.run("validate", "in.parquet", "--rules", code=1)
    assert "annotation.misplaced" in done.stdout + done.stderr
    # A copy has the plain type, which every reader takes.
    harness.run("convert", "in.parquet", "copy.parquet", "--overwrite", code=0)
    assert parquet.read_table(FOLDER / "copy.parquet").to_pydict() == {"a": [value] * 2, "n": [1, 2]}
    harness.run("validate", "copy.parquet", code=0)


@pytest.mark.parametrize("orders", [0, 1, 2, 3])
def test_column_orders(orders):
    columns = [Node("required int32", "a"), NUMBER]
    write(FOLDER / "orders.parquet", columns, [{"a": 5, "n": 1}, {"a": 6}], orders=orders)
    harness.run("convert", "orders.parquet", "orders.arrow", "--overwrite", code=0)
    assert read("orders.arrow").to_pydict() == {"a": [5, 6], "n": [1, None]}
    done = harness.run("validate", "orders.parquet", code=0 if orders == 2 else 1)
    assert ("orders.miscounted" in done.stdout + done.stderr) == (orders != 2), done.stdout
    harness.run("convert", "orders.parquet", "ordered.parquet", "--overwrite", code=0)
    harness.run("validate", "ordered.parquet", code=0)
    assert parquet.read_table(FOLDER / "ordered.parquet").to_pydict() == {"a": [5, 6], "n": [1, None]}
