"""Variants beside structs and beside other variants: a member that must have a value has none for another alternative, and alternatives
are those of one name, in any order. And columns that Parquet files keep as they are stored, which mean something.
"""
import pytest

from tests import harness

harness.use_module()
with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

import xwalk  # noqa: E402

INT = pa.int64()
VARIANT = "{type_name=variant;members=[{name=p;type=int64};{name=q;type=int64}]}"
#: A type around the variant, rows that have each alternative, and the path of the variant.
PLACES = {
    "column": (VARIANT, "{x=[p;1]};{x=[q;2]};", "x"),
    "list": (f"{{type_name=list;item={VARIANT}}}", "{x=[[p;1];[q;2]]};{x=[]};", "x[]"),
    "struct": (f"{{type_name=struct;members=[{{name=s;type={VARIANT}}}]}}", "{x={s=[p;1]}};{x={s=[q;2]}};", "x.s"),
    "map": (f"{{type_name=dict;key=string;value={VARIANT}}}", '{x=[["k";[p;1]]]};{x=[["k";[q;2]]]};', "x{value}"),
}
REQUIRED = "struct<p: int64 not null, q: int64 not null>"


@pytest.mark.parametrize("start", ["yson", "arrow"])
@pytest.mark.parametrize("end", ["arrow", "parquet", "vortex", "lance", "yson", "skiff"])
@pytest.mark.parametrize("place", PLACES)
def test_members_that_are_required_have_no_other_alternative(tmp_path, place, end, start):
    kind, text, path = PLACES[place]
    source = harness.write(tmp_path / "x.yson", text, f"[{{name=x;type_v3={kind}}}]")
    if start == "arrow":
        harness.run("convert", source, tmp_path / "x.arrow", "-q")
        source = tmp_path / "x.arrow"
    cast = ("--cast", f"{path}={REQUIRED}")
    out = tmp_path / f"o.{end}"
    done = harness.try_run("convert", source, out, *cast)
    assert done.returncode == 3 and "expected a value, found null" in done.stderr, done.stderr
    assert not out.exists()
    bad = 1 if place == "list" else 2
    assert f"{bad} would be rejected" in harness.try_run("check", source, "--to", end, *cast, "--rows").stdout
    if bad == 1:
        harness.run("convert", source, out, *cast, "--on-error", "skip", "-q")
        assert "1 row, valid" in harness.run("validate", out).stdout


def test_nulls_in_required_fields_of_arrow_are_found(tmp_path):
    """pyarrow writes them silently."""
    inner = pa.StructArray.from_arrays([pa.array([1, None, 3])], fields=[pa.field("a", INT, False)])
    schema = pa.schema([pa.field("s", inner.type, False), pa.field("n", INT, False)])
    with pa.ipc.new_file(tmp_path / "n.arrow", schema) as out:
        out.write_batch(pa.record_batch([inner, pa.array([1, 2, None])], schema=schema))
    done = harness.try_run("validate", tmp_path / "n.arrow")
    assert done.returncode != 0 and "3 rows, 2 invalid" in done.stdout, (done.stdout, done.stderr)
    assert "s.a: expected a value, found null" in done.stdout


ONE = "{type_name=variant;members=[{name=a;type=int64};{name=b;type=string}]}"
OTHER = "{type_name=variant;members=[{name=b;type=string};{name=a;type=int64}]}"
MORE = "{type_name=variant;members=[{name=b;type=string};{name=c;type=double}]}"


@pytest.mark.parametrize("unify", [(), ("--unify",)], ids=["", "unify"])
@pytest.mark.parametrize("nest", ["{}", "{{type_name=list;item={}}}"])
@pytest.mark.parametrize("end", ["yson", "arrow", "parquet", "skiff"])
def test_alternatives_are_those_of_a_name(tmp_path, end, nest, unify):
    item = "[{}]" if "list" in nest else "{}"
    paths = []
    for name, kind, row in ("one", ONE, "[a;1]"), ("other", OTHER, '[b;"x"]'):
        source = harness.write(tmp_path / f"{name}.yson", f"{{x={item.format(row)}}};", f"[{{name=x;type_v3={nest.format(kind)}}}]")
        paths.append(tmp_path / f"{name}.{end}")
        if end != "yson":
            harness.run("convert", source, paths[-1], "-q")
    harness.run("convert", *paths, tmp_path / "both.yson", *unify, "-q")
    text = harness.run("head", tmp_path / "both.yson", "--as", "yson").stdout
    assert '"a"' in text and '"b"' in text and "1" in text and '"x"' in text, text
    harness.run("verify", *paths, tmp_path / "both.yson", *unify)


def test_alternatives_of_both(tmp_path):
    first = harness.write(tmp_path / "first.yson", "{x=[a;1]};", f"[{{name=x;type_v3={ONE}}}]")
    second = harness.write(tmp_path / "second.yson", "{x=[c;1.5]};", f"[{{name=x;type_v3={MORE}}}]")
    harness.run("convert", first, second, tmp_path / "both.yson", "--unify", "-q")
    assert harness.run("head", tmp_path / "both.yson", "--as", "yson").stdout.count('"c"') == 1
    done = harness.try_run("convert", first, second, tmp_path / "none.yson")
    assert done.returncode != 0 and 'expected an alternative of the target, found "c"' in done.stderr, done.stderr
    assert not (tmp_path / "none.yson").exists()


def stored(path, kind):
    """A Parquet file with one column `t` of twelve bytes, which are an INT96 time, an INTERVAL or only bytes."""
    if kind == "int96":
        pq.write_table(pa.table({"t": pa.array([0], pa.timestamp("us"))}), path, use_deprecated_int96_timestamps=True)
    elif kind == "bytes":
        pq.write_table(pa.table({"t": pa.array([bytes(12)], pa.binary(12))}), path)
    else:
        source = path.with_suffix(".arrow")
        with pa.ipc.new_file(source, pa.schema([("t", pa.month_day_nano_interval())])) as out:
            out.write_table(pa.table({"t": pa.array([pa.MonthDayNano([1, 2, 3_000_000])])}))
        harness.run("convert", source, path, "-q")
    return path


@pytest.mark.parametrize("unify", [(), ("--unify",)], ids=["", "unify"])
@pytest.mark.parametrize("second", ["int96", "bytes", "interval"])
@pytest.mark.parametrize("first", ["int96", "bytes", "interval"])
def test_stored_bytes_keep_their_meaning(tmp_path, first, second, unify):
    paths = [stored(tmp_path / "1.parquet", first), stored(tmp_path / "2.parquet", second)]
    words = ("convert", *paths, tmp_path / "o.parquet", *unify)
    if first == second:
        harness.run(*words)
        harness.run("verify", *paths, tmp_path / "o.parquet", *unify)
        return
    done = harness.try_run(*words)
    assert done.returncode != 0 and not (tmp_path / "o.parquet").exists(), done.stderr
    assert harness.try_run("check", *paths, "--to", "parquet", *unify).returncode != 0
