"""Annotations through copies by other tools: what pyarrow, pylance and DuckDB keep of them gives the types back, and a
note on a column that other software changed is not trusted.

usage: annotations_test.py XWALK
"""
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
try:
    import duckdb
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
SCHEMA = """<strict=%true;unique_keys=%true>[
  {name=id;type=uint32;required=%true;sort_order=ascending};
  {name=at;type=timestamp};
  {name=day;type=date};
  {name=span;type=interval};
  {name=note;type_v3={type_name=optional;item={type_name=tagged;tag="text/plain";item=utf8}}};
  {name=pair;type_v3={type_name=tuple;elements=[{type=int8};{type=string}]}};
  {name=any;type_v3={type_name=optional;item=yson}}]"""
ROW = '{id=7u;at=1u;day=2u;span=-3;note="n";pair=[4;"\\x00"];any={a=[#]}};'
failures = 0


def xwalk(*words):
    done = subprocess.run([XWALK, *map(str, words)], capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def expect(condition, *what):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", *what)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "rows.yson").write_text(ROW)
    (folder / "rows.yson.schema").write_text(SCHEMA)
    first = folder / "first.parquet"
    xwalk("convert", folder / "rows.yson", first)
    wanted = xwalk("schema", first, "--to", "yt")
    rows = xwalk("convert", folder / "rows.yson", "-", "--to", "yson")

    # Options that convert types by meaning do so without annotations too.
    for target in ("arrow", "parquet"):
        done = xwalk("check", folder / "rows.yson", "--to", target, "--no-annotations", "--any", "json")
        expect("JSON text" in done and "binary YSON" not in done, target, "--any json without annotations", done)
    (folder / "zoned.yson").write_text('{z="\\0\\0\\0\\5GMT"}')
    (folder / "zoned.yson.schema").write_text("[{name=z;type_v3=tz_datetime}]")
    xwalk("convert", folder / "zoned.yson", folder / "zoned.parquet", "--no-annotations", "--drop-zone", "--allow", "lossy")
    expect(pq.read_schema(folder / "zoned.parquet").field("z").type == pa.timestamp("ms", "UTC"), "--drop-zone without annotations")

    # What keeps the metadata of fields gives every type back, and every value.
    table = pq.read_table(first)
    pq.write_table(table, folder / "pyarrow.parquet")
    lance.write_dataset(table, str(folder / "pylance.lance"))
    with pa.OSFile(str(folder / "copy.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    for copy in ("pyarrow.parquet", "pylance.lance", "copy.arrow"):
        found = xwalk("schema", folder / copy, "--to", "yt")
        expect(found == wanted, copy, "schema", found, "expected", wanted)
        found = xwalk("convert", folder / copy, "-", "--to", "yson")
        expect(found == rows, copy, "rows", found, "expected", rows)

    # DuckDB keeps none: plain types, the same values, and no word of what is not there.
    duckdb.sql(f"COPY (FROM '{first}') TO '{folder / 'duckdb.parquet'}' (FORMAT parquet)")
    report = xwalk("check", folder / "duckdb.parquet", "--to", "yt", "--json")
    expect("annotation.stale" not in report, "a copy without annotations has a stale one", report)
    expect('"id"' in xwalk("convert", folder / "duckdb.parquet", "-", "--to", "yson"), "rows of DuckDB's copy")

    # A changed column keeps its annotation, which is ignored, with a message.
    at = table.schema.get_field_index("at")
    changed = table.set_column(at, table.schema.field(at).with_type(pa.string()), table["at"].cast(pa.string()))
    pq.write_table(changed, folder / "changed.parquet")
    expect("annotation.stale" in xwalk("check", folder / "changed.parquet", "--to", "yt"), "a changed column is not reported")
    expect("'at': Optional<Utf8>" in xwalk("schema", folder / "changed.parquet", "--to", "yt", "--form", "short"),
           "the type of a changed column", xwalk("schema", folder / "changed.parquet", "--to", "yt", "--form", "short"))
sys.exit(1 if failures else 0)
