"""Annotations through copies by other tools: what pyarrow, pylance and DuckDB keep of them gives the types back, and an
annotation of a column that other software changed is ignored.
"""
import pytest

from tests import harness

with harness.skip_if_missing():
    import duckdb
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq

SCHEMA = """<strict=%true;unique_keys=%true>[
  {name=id;type=uint32;required=%true;sort_order=ascending};
  {name=at;type=timestamp};
  {name=day;type=date};
  {name=span;type=interval};
  {name=note;type_v3={type_name=optional;item={type_name=tagged;tag="text/plain";item=utf8}}};
  {name=pair;type_v3={type_name=tuple;elements=[{type=int8};{type=string}]}};
  {name=any;type_v3={type_name=optional;item=yson}}]"""
ROW = '{id=7u;at=1u;day=2u;span=-3;note="n";pair=[4;"\\x00"];any={a=[#]}};'


def xwalk(*words):
    return harness.run(*words, code=(0, 1)).stdout


@pytest.fixture
def first(tmp_path):
    """Returns a Parquet file with annotations."""
    harness.write(tmp_path / "rows.yson", ROW, SCHEMA)
    xwalk("convert", tmp_path / "rows.yson", tmp_path / "first.parquet")
    return tmp_path / "first.parquet"


@pytest.mark.parametrize("target", ["arrow", "parquet"])
def test_any_as_json_without_annotations(first, target):
    done = xwalk("check", first.with_name("rows.yson"), "--to", target, "--no-annotations", "--any", "json")
    assert "JSON text" in done and "binary YSON" not in done


def test_drop_zone_without_annotations(tmp_path):
    harness.write(tmp_path / "zoned.yson", '{z="\\0\\0\\0\\5GMT"}', "[{name=z;type_v3=tz_datetime}]")
    xwalk("convert", tmp_path / "zoned.yson", tmp_path / "zoned.parquet", "--no-annotations", "--drop-zone", "--allow", "lossy")
    assert pq.read_schema(tmp_path / "zoned.parquet").field("z").type == pa.timestamp("ms", "UTC")


def write_arrow(table, path):
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


#: Software that keeps the metadata of fields.
COPIES = {"pyarrow.parquet": pq.write_table, "pylance.lance": lambda table, path: lance.write_dataset(table, str(path)),
          "copy.arrow": write_arrow}


@pytest.mark.parametrize("name", COPIES)
def test_a_copy_with_metadata_has_the_types_and_values(first, name):
    copy = first.with_name(name)
    COPIES[name](pq.read_table(first), copy)
    assert xwalk("schema", copy, "--to", "yt") == xwalk("schema", first, "--to", "yt")
    assert xwalk("convert", copy, "-", "--to", "yson") == xwalk("convert", first.with_name("rows.yson"), "-", "--to", "yson")


def test_a_copy_without_metadata_has_plain_types(first):
    copy = first.with_name("duckdb.parquet")
    duckdb.sql(f"COPY (FROM '{first}') TO '{copy}' (FORMAT parquet)")
    assert "annotation.stale" not in xwalk("check", copy, "--to", "yt", "--json")
    assert '"id"' in xwalk("convert", copy, "-", "--to", "yson")


def test_the_annotation_of_a_changed_column_is_ignored_with_a_message(first):
    table, changed = pq.read_table(first), first.with_name("changed.parquet")
    at = table.schema.get_field_index("at")
    text = table.schema.field(at).with_type(pa.string())
    pq.write_table(table.set_column(at, text, table["at"].cast(pa.string())), changed)
    assert "annotation.stale" in xwalk("check", changed, "--to", "yt")
    assert "'at': Optional<Utf8>" in xwalk("schema", changed, "--to", "yt", "--form", "short")
