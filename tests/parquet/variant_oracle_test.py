"""VARIANT columns of Parquet files: values of any type come back, DuckDB reads them, and xwalk reads DuckDB's files. If
XWALK_SHREDDED_VARIANT names the folder shredded_variant of a clone of apache/parquet-testing, its files have the values of its list
of cases, and the invalid ones are refused."""

import json
import os
import sys

import pytest

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tests" / "variant"))
with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq
from variant_bytes import read_dictionary, read_value  # noqa: E402

SHREDDED = os.environ.get("XWALK_SHREDDED_VARIANT")
# Files that the specification calls invalid and lets readers read. The program refuses a shredded field in `value`.
STORED_TWICE = {"case-043-INVALID.parquet", "case-125-INVALID.parquet"}
# Groups that are not a shredded VARIANT by the specification: they stay structs, with a finding.
OTHER_SHAPE = {"case-084-INVALID.parquet": "required group", "case-127.parquet": "INTEGER(32", "case-137.parquet": "fixed_len_byte_array"}


def run(*arguments):
    return harness.try_run(*arguments)


def convert(source, target):
    done = run("convert", "--overwrite", source, target)
    assert done.returncode == 0, done.stderr
    return pq.read_table(target)


def whole_values(table, name="var"):
    rows = []
    for value in table.column(name).combine_chunks().to_pylist():
        if value is not None:
            assert set(value) == {"metadata", "value"}, value
            value = read_value(read_dictionary(value["metadata"])[0], value["value"])
        rows.append(value)
    return rows


def expected_value(path):
    data = open(path, "rb").read()
    names, size = read_dictionary(data)
    return read_value(names, data[size:])


@pytest.mark.skipif(not SHREDDED, reason="XWALK_SHREDDED_VARIANT names no folder")
def test_shredded(tmp_path):
    folder, scratch = SHREDDED, str(tmp_path)
    cases = json.load(open(os.path.join(folder, "cases.json")))
    read = refused = 0
    for case in cases:
        if "parquet_file" not in case:
            continue
        name = case["parquet_file"]
        path = os.path.join(folder, name)
        target = os.path.join(scratch, "out.parquet")
        if name in OTHER_SHAPE:
            checked = run("validate", path)
            assert OTHER_SHAPE[name] in checked.stdout + checked.stderr, (name, checked)
            refused += 1
            continue
        if "error_message" in case or name in STORED_TWICE:
            done = run("convert", "--overwrite", path, target)
            assert done.returncode != 0 and "expected a VARIANT, found" in done.stderr, (name, done)
            assert run("check", "--rows", path, "--to", "arrow").returncode != 0, name
            refused += 1
            continue
        files = case["variant_files"] if "variant_files" in case else [case["variant_file"]]
        expected = [file and expected_value(os.path.join(folder, file)) for file in files]
        found = whole_values(convert(path, target))
        # A null row and a row of a VARIANT null have the same file in the list of cases.
        assert found == expected, (name, case["test"], found, expected)
        shown = run("head", path)
        assert shown.returncode == 0 and "typed_value" not in shown.stdout, (name, shown)
        read += 1
    assert read > 120 and refused >= 9


YSON_ROWS = r"""
{id=0; payload={user="Ada"; tags=[new; paid]; score=0.5; b={a=#; "\xd0\xbf"=%true}}};
{id=1; payload=#};
{id=2; payload=[5u; 18446744073709551615u; -7; 300; 70000; 5000000000; -9223372036854775808]};
{id=3; payload="\xff\x00"};
{id=4; payload=%nan};
{id=5; payload={}};
{id=6; payload=[]};
{id=7; payload=-0.0};
"""
YSON_SCHEMA = "[{name=id;type_v3=int64};{name=payload;type_v3={type_name=optional;item=yson}}]"


def test_any(tmp_path):
    """Values of any type become VARIANT and come back as the same bytes; DuckDB reads them."""
    folder = str(tmp_path)
    source = os.path.join(folder, "rows.yson")
    for name, text in ((source, YSON_ROWS), (source + ".schema", YSON_SCHEMA)):
        with open(name, "w") as file:
            file.write(text)
    target = os.path.join(folder, "any.parquet")
    done = run("convert", "--overwrite", source, target)
    assert done.returncode == 0, done.stderr
    values = whole_values(pq.read_table(target), "payload")
    assert values[0][1]["tags"] == ("array", [("string", "new"), ("string", "paid")])
    assert values[1] is None
    assert values[2][1][:2] == [("decimal", 0, 5), ("decimal", 0, 2**64 - 1)], values[2]
    assert values[3] == ("binary", b"\xff\0") and values[5] == ("object", {}) and values[6] == ("array", [])
    assert values[4] == ("double", "nan") and values[7] == ("double", "-0.0")
    back = os.path.join(folder, "back.yson")
    plain = os.path.join(folder, "plain.yson")
    for one, other in ((target, back), (source, plain)):
        done = run("convert", "--overwrite", one, other)
        assert done.returncode == 0, done.stderr
    assert open(back, "rb").read() == open(plain, "rb").read()
    shown = run("head", target).stdout
    assert '{"user":"Ada","tags":["new","paid"],"score":0.5' in shown, shown
    bad = os.path.join(folder, "bad.yson")
    for text, words in (("[<a=1>2]", "a value with attributes"), ("{a=1;a=2}", "an object that repeats a key"),
                        ('{"\\xff"=1}', "a string that is not UTF-8")):
        with open(bad, "w") as file:
            file.write("{id=0;payload=" + text + "};")
        done = run("convert", "--overwrite", "--schema", source + ".schema", bad, target)
        assert done.returncode != 0 and words in done.stderr and "payload" in done.stderr, (text, done)


def test_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    folder = str(tmp_path)
    source, target, back = (os.path.join(folder, name) for name in ("rows.yson", "any.parquet", "back.yson"))
    for name, text in ((source, YSON_ROWS), (source + ".schema", YSON_SCHEMA)):
        with open(name, "w") as file:
            file.write(text)
    harness.run("convert", "--overwrite", source, target)
    rows = duckdb.sql(f"select payload from '{target}' order by id").fetchall()
    assert rows[0][0] == {"user": "Ada", "tags": ["new", "paid"], "score": 0.5, "b": {"a": None, "п": True}}, rows[0]
    assert rows[2][0] == [5, 2**64 - 1, -7, 300, 70000, 5000000000, -2**63] and rows[3][0] == b"\xff\0"
    # What DuckDB writes, shredded or not, comes to YTsaurus as the same values.
    written = os.path.join(folder, "duckdb.parquet")
    for query in ("select i as id, {'a': i, 'b': ['x', NULL], 'c': i / 2}::VARIANT as payload from range(40000) t(i)",
                  "select i as id, (case i % 3 when 0 then i::VARIANT when 1 then ('s' || i)::VARIANT else {'k': i}::VARIANT end) "
                  "as payload from range(40000) t(i)"):
        duckdb.sql(f"copy ({query}) to '{written}' (format parquet)")
        whole = convert(written, target)
        expected = duckdb.sql(f"select id, payload::json::varchar from '{written}' order by id").fetchall()
        found = duckdb.sql(f"select id, payload::json::varchar from '{target}' order by id").fetchall()
        assert expected == found and whole.num_rows == 40000
        done = run("convert", "--overwrite", written, back)
        assert done.returncode == 0, done.stderr


#: The bytes of values that any and JSON lack, and what they become as text and as numbers.
FOREIGN = [("2ce24e0000", "2025-04-16", 20194), ("440500000000000000", "00:00:00.000005", 5),
           ("30e05297dde7320600", "2025-04-16T16:34:56.78Z", 1744821296780000),
           ("48ffffffffffffffff", "1969-12-31T23:59:59.999999999Z", -1)]


@pytest.mark.parametrize(("form", "column"), [("text", 1), ("number", 2)])
@pytest.mark.parametrize("interface", ["program", "python"])
def test_foreign_values(tmp_path, form, column, interface):
    values = [{"metadata": b"\1\0\0", "value": bytes.fromhex(one[0])} for one in FOREIGN]
    kind = pa.struct([pa.field("metadata", pa.binary(), False), pa.field("value", pa.binary(), False)])
    schema = pa.schema([pa.field("v", kind, metadata={"ARROW:extension:name": "arrow.parquet.variant"})])
    source = tmp_path / "in.arrow"
    with pa.OSFile(str(source), "wb") as file, pa.ipc.new_file(file, schema) as writer:
        writer.write_batch(pa.record_batch([pa.array(values, kind)], schema=schema))
    yson, text = tmp_path / "out.yson", tmp_path / "json.parquet"
    if interface == "program":
        for target, cast in ((yson, []), (text, ["--cast", "v=json"])):
            refused = run("convert", source, target, *cast)
            assert refused.returncode != 0 and "--variant-values number" in refused.stderr, refused.stderr
            harness.run("convert", source, target, *cast, "--variant-values", form, "--allow", "lossy")
    else:
        harness.use_module()
        import xwalk
        for target, cast in ((yson, {}), (text, {"cast": {"v": "json"}})):
            with pytest.raises(xwalk.Error, match="variant_values=\"number\""):
                xwalk.convert(source, target, **cast)
            xwalk.convert(source, target, variant_values=form, allow="lossy", **cast)
    expected = [json.dumps(one[column]) for one in FOREIGN]
    assert yson.read_text() == "".join('{"v"=%s;};\n' % one for one in expected)
    assert pq.read_table(text)["v"].to_pylist() == expected
