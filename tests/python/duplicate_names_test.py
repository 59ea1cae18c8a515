"""Columns of one name: a selection and a cast by the name have all of them, a new name gets the first. And values of partitions that the existing ones cannot be read with."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("duplicate-names")
TABLE = pa.Table.from_arrays([pa.array([1]), pa.array(["x"]), pa.array([2.5])], names=["v", "w", "v"])


@pytest.mark.parametrize("end", ["parquet", "arrow"])
@pytest.mark.parametrize("options, values", [(["--select", "v"], [1, 2.5]), (["--select", "w,v"], ["x", 1, 2.5]), (["--select", "v*"], [1, 2.5]),
                                             (["--exclude", "v"], ["x"]), (["--cast", "v*=double"], [1.0, "x", 2.5]), (["--cast", "v=utf8"], ["1", "x", "2.5"]),
                                             (["--rename", "v=z"], [1, "x", 2.5])])
def test_select(end, options, values):
    source = FOLDER / f"t.{end}"
    if end == "parquet":
        pq.write_table(TABLE, source)
    else:
        with pa.ipc.new_file(source, TABLE.schema) as writer:
            writer.write_table(TABLE)
    output = FOLDER / f"o.{end}.arrow"
    harness.run("convert", source, output, *options, "--mode", "overwrite")
    table = pa.ipc.open_file(output).read_all()
    assert [column.to_pylist() for column in table.columns] == [[value] for value in values]
    if "--cast" in options:
        report = json.loads(harness.run("check", source, "--to", "parquet", *options, "--json", code=(0, 1)).stdout)
        casts = [column["path"] for column in report["paths"] if "type.cast" in str(column)]
        assert casts == ["v", "v"] if "v=utf8" in options else ["v"]


@pytest.mark.parametrize("kind, first, fits, differs", [
    ("int64", "5", "7", None), ("utf8", '"5"', '"7"', '"x"'), ("utf8", '"2024-01-01"', '"2024-02-29"', '"2024-1-1"'),
    ("utf8", '"a"', '"7"', None), ("utf8", '"5"', "#", '""'), ("bool", "%true", "%false", None)])
def test_partitions(kind, first, fits, differs):
    """One value of another form would make the whole column text."""
    folder = FOLDER / f"{kind}-{abs(hash((kind, first, fits)))}"
    schema = f"[{{name=id;type_v3=int64}};{{name=k;type_v3={{type_name=optional;item={kind}}}}}]"

    def add(value, **options):
        source = harness.write(FOLDER / "rows.yson", f"{{id=1;k={value}}};", schema)
        return harness.run("convert", source, folder, "--to", "parquet", "--partition-by", "k", "--mode", "append", **options)

    def keys():
        return json.loads(harness.run("schema", folder, "--to", "yt", "--form", "json").stdout)["$value"][-1]

    add(first)
    before = keys()
    add(fits)
    assert keys() == before
    if differs:
        assert "in the name of a folder" in add(differs, code=3).stderr
        check = harness.run("check", FOLDER / "rows.yson", "--append", folder, "--partition-by", "k", "--rows", code=1).stdout
        assert "1 would be rejected" in check
        assert keys() == before
