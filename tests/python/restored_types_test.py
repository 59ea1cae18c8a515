"""Types that notes restore count as the types of their columns: an Arrow file through Parquet, Lance or Vortex, then to
YTsaurus or Skiff, gets the verdict of the direct way, and Parquet to Parquet keeps what the file said. Notes of which
one field is unknown restore all the others.
"""
import base64
import datetime
import json
import sys

import pytest

from tests import harness
from tests.harness import run

sys.path.insert(0, str(harness.ROOT / "tests" / "parquet"))
with harness.skip_if_missing():
    import lance  # noqa: F401
    import polars as pl
    import pyarrow as pa
    import pyarrow.ipc as ipc
    import pyarrow.parquet as pq
    import vortex  # noqa: F401
    import footer

VERDICTS = ["exact", "annotated", "widened", "checked", "lossy", "unsupported"]


def extended(name, storage, metadata=b""):
    return storage, {b"ARROW:extension:name": name, b"ARROW:extension:metadata": metadata}


def of_canon(kind, storage):
    return pa.ExtensionArray.from_storage(kind, storage), None


POINT = pa.struct([("x", pa.float64()), ("y", pa.float64())])
OFFSET = pa.struct([pa.field("timestamp", pa.timestamp("us", "UTC"), False), pa.field("offset_minutes", pa.int16(), False)])
COLUMNS = {
    "dictionary": pa.array(["a", "b", None]).dictionary_encode(),
    "dictionary of numbers": pa.array([1, 2, None], pa.int64()).dictionary_encode(),
    "large_string": pa.array(["a", None], pa.large_string()),
    "large_binary": pa.array([b"a", None], pa.large_binary()),
    "string_view": pa.array(["a", None], pa.string_view()),
    "binary_view": pa.array([b"a", None], pa.binary_view()),
    "large_list": pa.array([[1], None], pa.large_list(pa.int32())),
    "list_view": pa.array([[1], None], pa.list_view(pa.int32())),
    "decimal32": pa.array([1, None], pa.decimal32(5, 2)),
    "decimal64": pa.array([1, None], pa.decimal64(15, 2)),
    "duration": pa.array([1, None], pa.duration("s")),
    "interval": pa.array([(1, 2, 3_000_000), None], pa.month_day_nano_interval()),
    "fixed list": pa.array([[1, 2], None], pa.list_(pa.int32(), 2)),
    "fixed bytes": pa.array([b"ab", None], pa.binary(2)),
    "time32[s]": pa.array([1, None], pa.time32("s")),
    "timestamp[s]": pa.array([1, None], pa.timestamp("s")),
    "zone": pa.array([1, None], pa.timestamp("us", "Europe/Berlin")),
    "date64": pa.array([86_400_000, None], pa.date64()),
    "sorted keys": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int32(), keys_sorted=True)),
    "uuid": of_canon(pa.uuid(), pa.array([b"0123456789abcdef", None], pa.binary(16))),
    "json": of_canon(pa.json_(), pa.array(["{}", None])),
    "large json": of_canon(pa.json_(pa.large_string()), pa.array(["{}", None], pa.large_string())),
    "json view": of_canon(pa.json_(pa.string_view()), pa.array(["{}", None], pa.string_view())),
    "bool8": of_canon(pa.bool8(), pa.array([1, None], pa.int8())),
    "opaque": of_canon(pa.opaque(pa.binary(), "money", "vendor"), pa.array([b"x", None])),
    "tensor": of_canon(pa.fixed_shape_tensor(pa.int32(), (2,)), pa.array([[1, 2], None], pa.list_(pa.int32(), 2))),
    "unknown extension": extended(b"my.thing", pa.array([1, None], pa.int32()), b"x"),
    "geoarrow.point": extended(b"geoarrow.point", pa.array([{"x": 1.0, "y": 2.0}], POINT), b"{}"),
    "geoarrow.wkb": extended(b"geoarrow.wkb", pa.array([b"\1\1\0\0\0" + bytes(16)]), b"{}"),
    "with offset": extended(b"arrow.timestamp_with_offset", pa.array([{"timestamp": 1, "offset_minutes": 60}], OFFSET)),
}


def expect(what, condition, *shown):
    harness.expect(condition, what, *shown)


def report(source, target):
    """The verdict, type and rules of every path."""
    paths = json.loads(run("check", source, "--to", target, "--json", "--fail-on", "unsupported", "--duplicate-keys",
                           "keep").stdout)["paths"]
    return {path["path"]: (path["verdict"], path["type"], sorted(reason["rule"] for reason in path["reasons"])) for path in paths}


def worst(paths):
    return max((verdict for verdict, *_ in paths.values()), key=VERDICTS.index)


def table_of(column):
    array, metadata = column if isinstance(column, tuple) else (column, None)
    return pa.Table.from_arrays([array], schema=pa.schema([pa.field("v", array.type, metadata=metadata)]))


@pytest.fixture
def folder():
    return harness.make_folder("restored")


@pytest.fixture(params=COLUMNS)
def name(request):
    return request.param


def written(folder, columns):
    """An Arrow file with columns by their names, and its table."""
    tables = {name: table_of(column) for name, column in columns.items()}
    most = max(map(len, tables.values()))
    arrays = [pa.concat_arrays([column := table.column(0).combine_chunks(), pa.nulls(most - len(column), column.type)])
              for table in tables.values()]
    table = pa.Table.from_arrays(arrays, schema=pa.schema([table.schema.field(0).with_name(name) for name, table in tables.items()]))
    source = folder / "source.arrow"
    with ipc.new_file(str(source), table.schema) as writer:
        writer.write_table(table)
    return source, table


def of_column(paths, number):
    """The lines of a report about a column and about the whole table."""
    own = f"c{number}"
    return {path: said for path, said in paths.items() if not path or path == own or path.startswith((f"{own}.", f"{own}["))}


def through_systems(names):
    """Fails for each column, of a file that has those of some names, of which a report changes by the way through a system."""
    folder = harness.make_folder("restored-through")
    source, table = written(folder, {f"c{number}": COLUMNS[name] for number, name in enumerate(names)})
    direct = {target: report(source, target) for target in ("yson", "skiff")}
    wrong, compared = [], 0
    for system in ("parquet", "lance", "vortex"):
        between, back = folder / f"between.{system}", folder / f"{system}.arrow"
        run("convert", source, between, "-q")
        # What the system itself changed for good is no type of its column any more.
        run("convert", between, back, "-q")
        with ipc.open_file(str(back)) as file:
            same = [one.type == other.type for one, other in zip(file.schema, table.schema, strict=True)]
        for target, wanted in direct.items():
            found = report(between, target)
            for number, name in enumerate(names):
                own, meant = (of_column(paths, number) for paths in (found, wanted))
                assert f"c{number}" in own.keys() & meant.keys()
                # INTERVAL of Parquet holds more months and days than the Arrow type.
                expected = "checked" if (system, name) == ("parquet", "interval") else worst(meant)
                compared += same[number]
                if same[number] and worst(own) != expected:
                    wrong.append((system, target, name, own, meant))
    assert not wrong and compared >= 3 * len(names)


def test_columns_through_other_systems():
    through_systems(list(COLUMNS))


@pytest.mark.parametrize("name", harness.sample(COLUMNS, 2))
def test_a_column_alone_through_other_systems(name):
    """No other column has a note."""
    through_systems([name])


def test_the_copy_of_a_parquet_file_has_its_types(folder, name):
    source, _ = written(folder, {"v": COLUMNS[name]})
    first, second = folder / "first.parquet", folder / "copy.parquet"
    run("convert", source, first, "-q")
    run("convert", first, second, "-q")
    assert footer.read_schema(second) == footer.read_schema(first)
    wanted, found = pq.read_schema(first).field(0), pq.read_schema(second).field(0)
    assert found.type == wanted.type
    names = [(field.metadata or {}).get(b"ARROW:extension:name") for field in (wanted, found)]
    assert names[0] == names[1]
    column = COLUMNS[name]
    if isinstance(column, tuple) and column[1]:
        assert names[0] == column[1][b"ARROW:extension:name"]


def test_parquet_files_of_other_writers(folder):
    table = pa.table({"t": pa.array([1, None], pa.time32("s")), "m": COLUMNS["sorted keys"][:2]})
    theirs, ours = folder / "theirs.parquet", folder / "ours.parquet"
    pq.write_table(table, theirs)
    run("convert", theirs, ours, "-q")
    expect("pyarrow's own types", pq.read_schema(ours).types == pq.read_schema(theirs).types, pq.read_schema(ours))
    expect("sorted keys", report(theirs, "parquet")["m"][1] != "changed", report(theirs, "parquet"))
    # Times of UTC, as pyarrow wrote all of them, and integers of the width of their physical type.
    message = """message m { optional int32 t (TIME(MILLIS,true)); optional int32 i (INTEGER(32,true));
                 optional group l (LIST) { repeated group list { optional int64 element (INTEGER(64,true)); } } }"""
    table = pa.table({"t": pa.array([1, None], pa.time32("s")), "i": pa.array([1, None], pa.int32()),
                      "l": pa.array([[1], None], pa.list_(pa.int64()))})
    with ipc.new_file(str(folder / "utc.arrow"), table.schema) as writer:
        writer.write_table(table)
    theirs, ours = folder / "utc.parquet", folder / "utc.copy.parquet"
    run("convert", folder / "utc.arrow", theirs, "--message", message, "-q")
    run("convert", theirs, ours, "-q")
    expect("annotations", footer.read_schema(ours) == footer.read_schema(theirs) and "true" in footer.read_schema(ours)[0]
           and "INTEGER(32,true)" in footer.read_schema(ours)[1] and "INTEGER(64,true)" in footer.read_schema(ours)[4],
           footer.read_schema(ours))
    expect("types", pq.read_schema(ours).types == pq.read_schema(theirs).types, pq.read_schema(ours))
    expect("seconds", "t: time32[s]" in run("schema", ours, "--to", "arrow").stdout)
    kinds = {path: found[1] for path, found in report(theirs, "parquet").items()}
    expect("annotations that are kept", kinds["i"] == kinds["l"] == kinds["l[]"] == "self" and kinds["t"] != "changed", kinds)
    # Elsewhere they mean what the physical type does.
    expect("annotations elsewhere", report(theirs, "yson")["i"][0] == "exact", report(theirs, "yson"))


def test_unknown_types(folder):
    """Polars writes 128-bit integers, which Arrow does not have, into the Arrow schema of a Parquet file."""
    second = datetime.timedelta(seconds=1)
    frame = pl.DataFrame({
        "wide": pl.Series([1, 2], dtype=pl.Int128),
        "span": pl.Series([second, None], dtype=pl.Duration("ms")),
        "word": pl.Series(["a", "b"], dtype=pl.Categorical),
        "pair": pl.Series([[1, 2], [3, 4]], dtype=pl.Array(pl.Int32, 2)),
    }).with_columns(pl.struct("wide", "span").alias("both"), pl.concat_list("wide").alias("wides"))
    path = folder / "polars.parquet"
    frame.write_parquet(path)
    paths = report(path, "yson")
    expect("understood", paths["span"][1] == paths["both.span"][1] == "changed" and "layout.flattened" in paths["word"][2]
           and "size.lost" in paths["pair"][2], paths)
    for unknown in ("wide", "both.wide", "wides[]"):
        expect("not understood", VERDICTS.index(paths[unknown][0]) >= 2 and "annotation.unknown" in paths[unknown][2], paths[unknown])
    expect("not a word of others", sum("annotation.unknown" in rules for *_, rules in paths.values()) == 3, paths)
    run("check", path, "--to", "yson", "--fail-on", "annotated", code=1)
    run("convert", path, folder / "polars.arrow", "-q")
    with ipc.open_file(str(folder / "polars.arrow")) as file:
        rows = file.read_all()
    expect("types", str(rows.schema.field("span").type) == "duration[ms]" and pa.types.is_dictionary(rows.schema.field("word").type)
           and pa.types.is_fixed_size_list(rows.schema.field("pair").type), rows.schema)
    expect("no note is left", not any(b"xwalk:arrow" in (field.metadata or {}) for field in rows.schema), rows.schema)
    # A schema that cannot be read at all, and one of other columns.
    for name, note, rules, kind in (
            ("torn", base64.b64encode(b"\xff\xff\xff\xff\x10\0\0\0torn").decode(), ["annotation.unknown"], "int64"),
            ("of others", base64.b64encode(pa.schema([("b", pa.int64()), ("z", pa.int8()), ("a", pa.duration("s"))])
                                           .serialize().to_pybytes()).decode(), [], "duration[s]")):
        bare = pa.table({"a": pa.array([1]), "b": [2]})
        with pq.ParquetWriter(folder / "note.parquet", bare.schema, store_schema=False) as writer:
            writer.write_table(bare)
            writer.add_key_value_metadata({"ARROW:schema": note})
        expect(f"a schema {name}", report(folder / "note.parquet", "yson")[""][2] == rules, report(folder / "note.parquet", "yson"))
        expect(f"types by a schema {name}", f"a: {kind}" in run("schema", folder / "note.parquet", "--to", "arrow").stdout)


def test_integers_without_annotations(folder):
    """arrow-rs (DataFusion, arro3, parquet-wasm) stores seconds and Date64 as bare integers, whose types only ARROW:schema has."""
    day, second = 86_400_000, pa.timestamp("s")
    meant = pa.schema([
        ("at", second), ("zoned", pa.timestamp("s", "UTC")), ("day", pa.date64()), ("time", pa.time32("s")), ("span", pa.duration("us")),
        ("list", pa.list_(second)), ("both", pa.struct([("at", second), ("n", pa.int64())])), ("other", pa.timestamp("ms"))])
    stored = pa.table({
        "at": [-1, None], "zoned": [-1, 2**37], "day": [-day, None], "time": pa.array([1, 86_399], pa.int32()), "span": [-1, None],
        "list": [[-1, None], None], "both": [{"at": -1, "n": 1}, None], "other": [1, 2]})
    path = folder / "integers.parquet"
    with pq.ParquetWriter(path, stored.schema, store_schema=False) as writer:
        writer.write_table(stored)
        writer.add_key_value_metadata({"ARROW:schema": base64.b64encode(meant.serialize().to_pybytes()).decode()})
    run("convert", path, folder / "out.arrow", "-q")
    with ipc.open_file(str(folder / "out.arrow")) as file:
        found = file.read_all()
    # No known writer stores milliseconds so.
    expected = stored.cast(meant.set(7, pa.field("other", pa.int64())))
    expect("types", [str(kind).replace("element:", "item:") for kind in found.schema.types] == [str(kind) for kind in expected.schema.types],
           found.schema)
    expect("values", found.to_pylist() == expected.to_pylist(), found.to_pylist())
    run("convert", path, folder / "copy.parquet", "-q")
    expect("annotations in the copy", footer.read_schema(folder / "copy.parquet")[0].count("TIMESTAMP(MILLIS,false)") == 1,
           footer.read_schema(folder / "copy.parquet"))
    run("verify", path, folder / "copy.parquet")
