"""Outputs keep how the input stores its rows: files of other writers go through the program and the module, and pyarrow
reads the results.
"""
import json

import pytest

from tests import harness
from tests.harness import check, run

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq
harness.use_module()
import xwalk  # noqa: E402

FOLDER = harness.make_folder("alike")


def foreseen(what, source, expected, **options):
    """What `check` reports in advance about the order of rows and Bloom filters, by the program and the module."""
    words = [word for name, values in options.items() for word in ("--" + name, ",".join(values))]
    done = harness.run("check", source, "--to", "parquet", "--json", *words, code=None)
    rules = {"program": [note["rule"] for note in json.loads(done.stdout).get("notes", [])],
             "module": [note["rule"] for note in xwalk.check(source, "parquet", **options).to_dict().get("notes", [])]}
    for interface, found in rules.items():
        check(f"{what}, foreseen by the {interface}", found, expected)


def facts(path):
    """What pyarrow reports for a Parquet file: codecs by column, rows by group, order, ids, metadata, page index."""
    file = pq.ParquetFile(path)
    data = file.metadata
    groups = [data.row_group(at) for at in range(data.num_row_groups)]
    own = {key: value for key, value in (data.metadata or {}).items() if key != b"ARROW:schema"}
    return {
        "codecs": {groups[0].column(at).path_in_schema: groups[0].column(at).compression for at in range(data.num_columns)},
        "rows": [group.num_rows for group in groups],
        "sorted": [(key.column_index, key.descending, key.nulls_first) for key in groups[0].sorting_columns],
        "ids": [field.metadata.get(b"PARQUET:field_id") if field.metadata else None for field in file.schema_arrow],
        "metadata": own,
        "index": groups[0].column(0).has_column_index,
    }


def table(rows=30_000):
    schema = pa.schema([pa.field("a", pa.int64(), metadata={"PARQUET:field_id": "7", "unit": "kg"}),
                        pa.field("b", pa.string(), metadata={"PARQUET:field_id": "9"}),
                        pa.field("s", pa.struct([pa.field("x", pa.int32()), pa.field("y", pa.string())]))],
                       metadata={"owner": "me", "note": "ключ"})
    return pa.table({"a": range(rows), "b": [f"row {at % 100}" for at in range(rows)],
                     "s": [{"x": at, "y": str(at % 7)} for at in range(rows)]}, schema=schema)


def ways(source, target, **options):
    """Converts by the program and by the module; returns the paths."""
    out = FOLDER / f"program_{target}"
    words = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    run("convert", source, out, "--overwrite", *words)
    yield out
    out = FOLDER / f"module_{target}"
    xwalk.convert(source, out, mode="overwrite", **options)
    yield out
    if source.suffix == ".parquet":
        out = FOLDER / f"bytes_{target}"
        xwalk.convert(source.read_bytes(), out, mode="overwrite", **options)
        yield out


def test_parquet():
    rows = table()
    source = FOLDER / "in.parquet"
    for codec in ("zstd", "gzip", "snappy", "brotli", "lz4", "none"):
        pq.write_table(rows, source, compression=codec)
        for out in ways(source, "out.parquet"):
            check(f"{codec}: {out.name}", facts(out)["codecs"], facts(source)["codecs"])
            check(f"{codec}: values of {out.name}", pq.read_table(out).equals(pq.read_table(source)), True)
    each = {"a": "zstd", "b": "gzip", "s.x": "snappy", "s.y": "snappy"}
    pq.write_table(rows, source, compression=each, row_group_size=7000, write_page_index=True)
    for out in ways(source, "out.parquet"):
        check(f"all of {out.name}", facts(out), facts(source))
    for out in ways(source, "out.parquet", compression="zstd:9", row_group_rows=10_000):
        check(f"asked for: {out.name}", (set(facts(out)["codecs"].values()), facts(out)["rows"]), ({"ZSTD"}, [10_000] * 3))
    run("convert", source, FOLDER / "names.parquet", "--overwrite", "--rename", "a=key", "--exclude", "s", "--cast", "b=binary")
    check("renamed", facts(FOLDER / "names.parquet")["codecs"], {"key": "ZSTD", "b": "GZIP"})
    # A single group does not determine a size.
    pq.write_table(rows, source, compression="zstd")
    pq.write_table(rows, FOLDER / "more.parquet", compression="zstd")
    run("convert", source, FOLDER / "more.parquet", FOLDER / "both.parquet", "--overwrite")
    check("two files", (facts(FOLDER / "both.parquet")["rows"], set(facts(FOLDER / "both.parquet")["codecs"].values())),
          ([60_000], {"ZSTD"}))
    # Several outputs: each as its own input.
    pq.write_table(rows, FOLDER / "more.parquet", compression="gzip")
    run("convert", source, FOLDER / "more.parquet", f"{FOLDER}/folder/", "--to", "parquet")
    check("a folder", [set(facts(FOLDER / "folder" / name)["codecs"].values()) for name in ("in.parquet", "more.parquet")],
          [{"ZSTD"}, {"GZIP"}])


def test_order():
    rows = table(1000)
    source, out = FOLDER / "sorted.parquet", FOLDER / "sorted_out.parquet"
    keys = [pq.SortingColumn(0, descending=False, nulls_first=True), pq.SortingColumn(1)]
    pq.write_table(rows, source, sorting_columns=keys)
    note = run("convert", source, out, "--overwrite").stderr
    check("order is kept", facts(out)["sorted"], facts(source)["sorted"])
    check(f"nothing to tell: {note}", "sorted by" in note, False)
    foreseen("nothing", source, [])
    foreseen("without its first key", source, ["key.lost"], exclude=["a"])
    run("convert", source, out, "--overwrite", "--rename", "a=z", "--select", "s,a")
    check("order by the new place", facts(out)["sorted"], [(2, False, True)])
    note = run("convert", source, out, "--overwrite", "--exclude", "a").stderr
    check(f"without its first key: {note}", (facts(out)["sorted"], "sorted by a, b (key.lost)" in note), ([], True))
    note = run("convert", source, out, "--overwrite", "--cast", "b=binary").stderr
    check("cast of the second key", facts(out)["sorted"], [(0, False, True)])
    pq.write_table(rows, source, sorting_columns=keys, row_group_size=300)
    note = run("convert", source, out, "--overwrite").stderr
    check(f"groups that are sorted by themselves: {note}", (facts(out)["sorted"], "key.lost" in note), ([], True))
    foreseen("groups that are sorted by themselves", source, ["key.lost"])


def test_bloom_filters():
    duckdb = pytest.importorskip("duckdb")
    pq.write_table(table(1000), FOLDER / "plain.parquet")
    # DuckDB writes Bloom filters for columns of few values.
    duckdb.sql(f"COPY (SELECT a, b FROM '{FOLDER}/plain.parquet') TO '{FOLDER}/filters.parquet' (FORMAT parquet)")
    note = run("convert", FOLDER / "filters.parquet", FOLDER / "filters_out.parquet", "--overwrite").stderr
    check(f"Bloom filters: {note}", "Bloom filters are not written" in note, True)
    foreseen("Bloom filters", FOLDER / "filters.parquet", ["metadata.lost"])


def test_arrow():
    rows = table(3000)
    source = FOLDER / "in.arrow"
    for codec, name in (("zstd", "ZSTD"), ("lz4", "LZ4"), (None, "SNAPPY")):
        with pa.OSFile(str(source), "wb") as file:
            with pa.ipc.new_file(file, rows.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
                writer.write_table(rows)
        for out in ways(source, "out.parquet"):
            check(f"arrow {codec}: {out.name}", set(facts(out)["codecs"].values()), {name})
            check(f"arrow {codec}: metadata of {out.name}", facts(out)["metadata"], {b"owner": b"me", b"note": "ключ".encode()})
            check(f"arrow {codec}: ids of {out.name}", facts(out)["ids"], [b"7", b"9", facts(out)["ids"][2]])
        for target in ("out.arrow", "out.arrows"):
            for out in ways(source, target):
                check(f"{codec} to {out.name}", compression(out), codec or "none")
    pq.write_table(rows, FOLDER / "in.parquet", compression="zstd")
    for out in ways(FOLDER / "in.parquet", "back.arrow"):
        check(f"parquet to {out.name}", compression(out), "zstd")
        schema = pa.ipc.open_file(str(out)).schema
        check(f"metadata of {out.name}", (schema.metadata[b"owner"], schema.field("a").metadata[b"unit"]), (b"me", b"kg"))
    pq.write_table(rows, FOLDER / "in.parquet", compression="gzip")
    for out in ways(FOLDER / "in.parquet", "back.arrow"):
        check(f"gzip, which Arrow has not: {out.name}", compression(out), "none")


def compression(path):
    return harness.run("info", path, "--json").stdout.split('"compression"')[1].split('"')[1]


def test_levels():
    rows = table(3000)
    source = FOLDER / "in.parquet"
    pq.write_table(rows, source, compression="snappy")
    sizes = []
    for level in (1, 19):
        run("convert", source, FOLDER / "out.parquet", "--overwrite", "--compression", f"zstd:{level}")
        sizes.append((FOLDER / "out.parquet").stat().st_size)
    # A higher level may well take more bytes for consecutive numbers.
    check(f"levels: {sizes}", sizes[0] != sizes[1], True)
    sizes = []
    for codec, level, name in (("zstd", 1, "zst"), ("zstd", 19, "zst"), ("gzip", 1, "gz"), ("gzip", 9, "gz")):
        run("convert", source, FOLDER / f"out.yson.{name}", "--overwrite", "--compression", f"{codec}:{level}")
        sizes.append((FOLDER / f"out.yson.{name}").stat().st_size)
    check(f"levels of rows: {sizes}", sizes[0] != sizes[1] and sizes[2] > sizes[3], True)
    run("convert", source, FOLDER / "out.arrow", "--overwrite", "--compression", "zstd:5")
    check("arrow", compression(FOLDER / "out.arrow"), "zstd")
    for word, message in (("zstd:99", "from 1 to 22"), ("zstd:x", "from 1 to 22"), ("snappy:1", "no levels"), ("zsdt", "Did you mean zstd"),
                          ("gzip:10", "from 1 to 9"), ("brotli:12", "from 0 to 11"), ("zstd:", "from 1 to 22")):
        error = run("convert", source, FOLDER / "out2.parquet", "--compression", word, code=2).stderr
        check(f"{word}: {error}", message in error, True)
    error = run("convert", source, FOLDER / "out.yson.gz", "--overwrite", "--compression", "zstd", code=2).stderr
    check(f"another name: {error}", ".zst" in error, True)
