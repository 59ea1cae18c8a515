"""Keys by which other tools describe columns: after every change of columns each tool reads the result as its table.

Each case is a file with a key, a change and a way through other formats. The tool that wrote the key reads the output.
"""
import json
import shutil

import pytest

from tests import harness

with harness.skip_if_missing():
    import geopandas
    import pandas
    import pyarrow as pa
    import pyarrow.parquet as pq
    import shapely

FOLDER = harness.make_folder("column-keys")
SPARK = "org.apache.spark.sql.parquet.row.metadata"
#: How a file gets to Parquet again; the engines of the others are tested with one change.
WAYS = [["parquet"], ["arrow", "parquet"]]


def convert(source, *options, way=("parquet",), at=0):
    """Converts a file along a way, with the options at one of its steps; returns the file and the reports."""
    reports = []
    for i, end in enumerate(way):
        target = FOLDER / f"step-{len(list(FOLDER.iterdir()))}.{end}"
        reports.append(harness.run("convert", source, target, *(options if i == at else ())).stderr)
        source = target
    return source, "\n".join(reports)


def steps():
    """Each way, with the change at its first and at its last step."""
    return [pytest.param(way, at, id=f"{'-'.join(way)}-{at}") for way in WAYS for at in sorted({0, len(way) - 1})]


def keys(path):
    return {key.decode(): value.decode() for key, value in (pq.read_metadata(path).metadata or {}).items()}


def written(name, columns, **metadata):
    """Writes a file of columns with keys, as text or as JSON."""
    table = pa.table(columns)
    texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in metadata.items()}
    path = FOLDER / f"{name}.parquet"
    pq.write_table(table.replace_schema_metadata(texts), path)
    return path


def spark_key(*fields):
    return {"type": "struct", "fields": [{"name": name, "type": kind, "nullable": True, "metadata": metadata}
                                         for name, kind, metadata in fields]}


ABC = {"a": pa.array([1, 2], pa.int64()), "b": ["x", "y"],
       "s": pa.array([{"p": 1, "q": "u"}, {"p": 2, "q": "v"}], pa.struct([("p", pa.int32()), ("q", pa.string())]))}
STRUCT = spark_key(("p", "integer", {"comment": "of p"}), ("q", "string", {}))
ABC_KEY = spark_key(("a", "long", {"comment": "of a"}), ("b", "string", {"__CHAR_VARCHAR_TYPE_STRING": "varchar(5)"}),
                    ("s", STRUCT, {}))

#: The names and types in the key of Spark after each change.
SPARK_CASES = [
    ([], [("a", "long"), ("b", "string"), ("s", {"p": "integer", "q": "string"})]),
    (["--rename", "a=z"], [("z", "long"), ("b", "string"), ("s", {"p": "integer", "q": "string"})]),
    (["--rename", "a=b", "--rename", "b=a"], [("b", "long"), ("a", "string"), ("s", {"p": "integer", "q": "string"})]),
    (["--rename", "s.p=r"], [("a", "long"), ("b", "string"), ("s", {"r": "integer", "q": "string"})]),
    (["--select", "s.q,a"], [("s", {"q": "string"}), ("a", "long")]),
    (["--exclude", "a"], [("b", "string"), ("s", {"p": "integer", "q": "string"})]),
    (["--cast", "a=float64"], [("a", "double"), ("b", "string"), ("s", {"p": "integer", "q": "string"})]),
    (["--cast", "a=decimal(20,0)"], [("a", "decimal(20,0)"), ("b", "string"), ("s", {"p": "integer", "q": "string"})]),
]


def shape(type_or_field):
    return ([(field["name"], shape(field["type"])) for field in type_or_field["fields"]]
            if isinstance(type_or_field, dict) else type_or_field)


def expected_shape(columns):
    return [(name, [*kind.items()] if isinstance(kind, dict) else kind) for name, kind in columns]


@pytest.mark.parametrize("way, at", steps())
@pytest.mark.parametrize("options, columns", SPARK_CASES, ids=lambda value: " ".join(value) if value and isinstance(value[0], str) else "")
def test_spark_key(options, columns, way, at):
    source = written("spark", ABC, **{SPARK: ABC_KEY})
    output, report = convert(source, *options, way=way, at=at)
    found = json.loads(keys(output)[SPARK])
    assert shape(found) == expected_shape(columns), report
    assert "metadata.stale" not in report
    for field in found["fields"]:
        if field["type"] == "long":
            assert field["metadata"] == {"comment": "of a"}
    if not options:
        assert found == ABC_KEY


def test_spark_reads():
    """Spark itself reads the columns by their new names and types."""
    session = harness.spark_builder().getOrCreate()
    try:
        source = FOLDER / "of-spark"
        session.createDataFrame([(1, "x", 2.5), (2, "y", None)], "a long, b string, c double").coalesce(1).write.parquet(str(source))
        for options, names, types in [
            (["--rename", "a=z"], ["z", "b", "c"], ["bigint", "string", "double"]),
            (["--select", "c,a"], ["c", "a"], ["double", "bigint"]),
            (["--exclude", "b"], ["a", "c"], ["bigint", "double"]),
            (["--cast", "a=int32"], ["a", "b", "c"], ["int", "string", "double"]),
            (["--rename", "a=b", "--rename", "b=a"], ["b", "a", "c"], ["bigint", "string", "double"]),
        ]:
            output, report = convert(source, *options)
            frame = session.read.parquet(str(output))
            assert (frame.columns, [kind for _, kind in frame.dtypes]) == (names, types), report
            assert sorted(frame.collect()[0].asDict()) == sorted(names) and None not in frame.collect()[0], options
            assert SPARK in keys(output)
    finally:
        session.stop()


@pytest.mark.parametrize("end", ["lance", "vortex"])
@pytest.mark.parametrize("at", [0, 1])
def test_engines(end, at):
    """Formats that keep metadata keep the keys of other tools, and change them, too."""
    source = written("engines", ABC, **{SPARK: ABC_KEY, "r": "A\n3\n"})
    output, report = convert(source, "--rename", "a=z", way=[end, "parquet"], at=at)
    assert json.loads(keys(output)[SPARK])["fields"][0] == ABC_KEY["fields"][0] | {"name": "z"}
    assert "r" not in keys(output) and "metadata.stale" in report, report


@pytest.mark.parametrize("way, at", steps())
@pytest.mark.parametrize("options, names, index", [
    ([], ["i", "t"], "k"), (["--rename", "i=n"], ["n", "t"], "k"), (["--rename", "k=key"], ["i", "t"], "key"),
    (["--select", "k,t"], ["t"], "k"), (["--exclude", "k"], ["i", "t"], None), (["--cast", "i=float64"], ["i", "t"], "k"),
    (["--cast", "k=int32"], ["i", "t"], "k")])
def test_pandas(options, names, index, way, at):
    frame = pandas.DataFrame({"i": pandas.array([1, None], "Int64"), "t": ["x", "y"]}, index=pandas.Index([7, 8], name="k"))
    source = FOLDER / "pandas.parquet"
    frame.to_parquet(source)
    output, report = convert(source, *options, way=way, at=at)
    found = pandas.read_parquet(output)
    assert (list(found.columns), found.index.name) == (names, index), report
    assert "metadata.stale" not in report
    if index:
        assert list(found.index) == [7, 8]


def test_pandas_numbers_as_names():
    """A name of text does not fit columns that are named by numbers: pandas would fail."""
    source = FOLDER / "numbers.parquet"
    table = pa.Table.from_pandas(pandas.DataFrame({0: [1], 1: [2]}))
    pq.write_table(table, source)
    output, report = convert(source, "--rename", "0=first")
    assert list(pandas.read_parquet(output).columns) == ["first", "1"]
    assert "metadata.stale" in report
    assert "pandas" not in keys(output)


FEATURES = {"info": {"features": {"a": {"dtype": "int64", "_type": "Value"}, "b": {"dtype": "string", "_type": "Value"},
                                  "label": {"names": ["neg", "pos"], "_type": "ClassLabel"}}}}
LABELS = {"a": [1, 2], "b": ["x", "y"], "label": [0, 1]}


@pytest.mark.parametrize("way, at", steps())
@pytest.mark.parametrize("options, names, stale", [
    ([], ["a", "b", "label"], False), (["--rename", "label=y"], ["a", "b", "y"], False), (["--select", "label"], ["label"], False),
    (["--exclude", "label"], ["a", "b"], False), (["--cast", "a=int32"], ["b", "label"], False),
    (["--cast", "label=utf8"], ["a", "b"], True)])
def test_huggingface(options, names, stale, way, at):
    output, report = convert(written("huggingface", LABELS, huggingface=FEATURES), *options, way=way, at=at)
    features = json.loads(keys(output)["huggingface"])["info"]["features"]
    assert list(features) == names
    assert ("metadata.stale" in report) == stale, report
    for name in ("label", "y"):
        if name in features:
            assert features[name]["names"] == ["neg", "pos"]


@pytest.mark.parametrize("there, added, is_kept", [
    (["neg", "pos"], ["neg", "pos"], True), (["neg", "pos"], ["pos", "neg"], False), (["neg", "pos"], None, False),
    (None, ["neg", "pos"], True), (None, None, True)])
@pytest.mark.parametrize("end", ["parquet", "arrow", "lance"])
def test_added_labels(end, there, added, is_kept):
    """The names of labels in a folder are not put over numbers that stand for others."""
    def file(name, names):
        features = json.loads(json.dumps(FEATURES))
        features["info"]["features"]["label"]["names"] = names
        return written(name, LABELS, **({"huggingface": features} if names else {}))

    folder = FOLDER / f"labels-{len(list(FOLDER.iterdir()))}"
    output = folder.with_suffix(".lance") if end == "lance" else f"{folder}/"
    harness.run("convert", file("there", there), output, "--to", end)
    if there and added and there != added:
        done = harness.run("convert", file("added", added), output, "--mode", "append", "--to", end, code=4)
        assert 'the number 0 is the label "pos", not "neg"' in done.stderr
        assert "meaning.differs" in harness.run("check", file("added", added), "--append", output, code=1).stdout
        return
    for words in (["check", file("added", added), "--append", output], ["convert", file("added", added), output, "--mode", "append"]):
        done = harness.run(*words, "--to", end) if words[0] == "convert" else harness.run(*words)
        said = " ".join((done.stdout + done.stderr).split())
        assert ("metadata.stale" in said) != is_kept, said
        assert is_kept or '"huggingface" describes other values than those that are added' in said, said
    if end == "lance":
        return  # A dataset keeps the metadata that it has.
    second, first = sorted(folder.iterdir(), key=lambda path: not path.name.startswith("part-"))
    for path, names in ((first, there), (second, added if is_kept else None)):
        metadata = pq.read_metadata(path).metadata if end == "parquet" else pa.ipc.open_file(path).schema.metadata
        key = (metadata or {}).get(b"huggingface")
        assert (json.loads(key)["info"]["features"]["label"]["names"] if key else None) == names, path


AVRO = {"type": "record", "name": "r", "fields": [
    {"name": "a", "type": ["null", "long"], "default": None}, {"name": "b", "type": {"type": "enum", "name": "e", "symbols": ["x", "y"]}},
    {"name": "c", "type": ["null", "e"]}]}
ICEBERG = {"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": "a", "required": False, "type": "long"},
                                                        {"id": 2, "name": "b", "required": False, "type": "string"},
                                                        {"id": 3, "name": "c", "required": False, "type": "string"}]}


@pytest.mark.parametrize("options, names", [
    ([], ["a", "b", "c"]), (["--rename", "a=z"], ["z", "b", "c"]), (["--select", "b,a"], ["b", "a"]), (["--exclude", "c"], ["a", "b"]),
    (["--exclude", "b"], None), (["--rename", "a=1 z"], None), (["--cast", "a=int32"], None)])
def test_avro(options, names):
    """A field that is gone may have defined a type that another one names. Names of Avro are words."""
    source = written("avro", {"a": [1], "b": ["x"], "c": ["y"]}, **{"parquet.avro.schema": AVRO, "iceberg.schema": ICEBERG})
    output, report = convert(source, *options)
    found = keys(output)
    assert [field["name"] for field in json.loads(found["parquet.avro.schema"])["fields"]] == names if names else \
        "parquet.avro.schema" not in found
    assert (names is None) == ("metadata.stale" in report), report
    # A table of Iceberg has columns of any name.
    assert ("iceberg.schema" in found) == ("--cast" not in options)


@pytest.mark.parametrize("options, kept", [([], True), (["--rename", "a=z"], False), (["--select", "a"], False), (["--exclude", "a"], False),
                                           (["--cast", "a=int32"], False), (["--select", "b,a"], False)])
@pytest.mark.parametrize("key, value", [("gdal:schema", "{}"), ("r", "A\n3\n"), ("parquet.proto.descriptor", "name: 'x'"), (SPARK, "[]")])
def test_unknown_form(options, kept, key, value):
    source = written("unknown", {"a": [1], "b": ["x"]}, **{key: value, "author": "me"})
    output, report = convert(source, *options)
    assert (key in keys(output)) == kept
    assert ("metadata.stale" in report) == (not kept), report
    assert keys(output)["author"] == "me"


def test_other_metadata_of_that_name():
    """A key r is R's only if R wrote it."""
    output, _ = convert(written("own", {"a": [1]}, r="mine"), "--rename", "a=z")
    assert keys(output)["r"] == "mine"


@pytest.mark.parametrize("options", [[], ["--unify"]])
def test_several_inputs(options):
    """A key is kept if it describes all files: other labels, or columns, of one file would be put over the rows of another."""
    same = [written(f"same-{i}", LABELS, huggingface=FEATURES | {"fingerprint": str(i)}) for i in range(2)]
    output = FOLDER / f"same{len(options)}.parquet"
    harness.run("convert", *same, output, *options)
    assert "fingerprint" not in json.loads(keys(output)["huggingface"])
    swapped = json.loads(json.dumps(FEATURES))
    swapped["info"]["features"]["label"]["names"].reverse()
    swapped = written("swapped", LABELS, huggingface=swapped)
    done = harness.run("convert", same[0], swapped, FOLDER / f"swapped{len(options)}.parquet", *options, code=3)
    said = ("neg", "pos") if options else ("pos", "neg")
    assert 'the number 0 is the label "{}", not "{}"'.format(*said) in done.stderr
    output = FOLDER / f"none{len(options)}.parquet"
    report = harness.run("convert", same[0], written("none", LABELS), output, *options).stderr
    assert "huggingface" not in keys(output) and "metadata.stale" in report
    frame = pandas.DataFrame({"i": [1, 2]})
    for i in range(2):
        frame.to_parquet(FOLDER / f"range-{i}.parquet")
        frame = pandas.DataFrame({"i": [3, 4, 5]})
    output = FOLDER / f"ranges{len(options)}.parquet"
    harness.run("convert", FOLDER / "range-0.parquet", FOLDER / "range-1.parquet", output, *options)
    assert list(pandas.read_parquet(output).index) == [0, 1, 2, 3, 4]


def changed(source, name, key, change):
    """Writes the file with another key: that of another release, or of other rows."""
    table = pq.read_table(source)
    value = json.loads(table.schema.metadata[key.encode()])
    change(value)
    path = FOLDER / f"{name}.parquet"
    pq.write_table(table.replace_schema_metadata(table.schema.metadata | {key.encode(): json.dumps(value)}), path)
    return path


def here(**members):
    return lambda geo: geo["columns"]["here"].update(members)


#: How the key of a second file differs, what of the key is left out then, and what is left.
BOTH = {
    "creator": ("geo", lambda geo: geo.update(creator={"library": "x", "version": "2"}), None, lambda geo: "creator" in geo),
    "planar": ("geo", here(edges="planar"), None, lambda geo: "here" in geo["columns"]),
    "order": ("geo", lambda geo: geo["columns"].update(here=dict(reversed(geo["columns"]["here"].items()))), None, lambda geo: "here" in geo["columns"]),
    "primary": ("geo", lambda geo: geo.update(primary_column="there"), None, lambda geo: geo["primary_column"] == "here"),
    "epoch": ("geo", here(epoch=2020.5), "epoch", lambda geo: "epoch" not in geo["columns"]["here"] and "crs" in geo["columns"]["here"]),
    "orientation": ("geo", here(orientation="counterclockwise"), "orientation", lambda geo: "orientation" not in geo["columns"]["here"]),
    "types": ("geo", here(geometry_types=["Point Z"]), None, lambda geo: geo["columns"]["here"]["geometry_types"] == ["Point"]),
    "undescribed": ("geo", lambda geo: geo["columns"].pop("there"), "there", lambda geo: list(geo["columns"]) == ["here"]),
    "release": ("pandas", lambda key: key.update(pandas_version="1.0.0", creator={"library": "pyarrow", "version": "1"}), None,
                lambda key: len(key["columns"]) == 2),
    "dtype": ("pandas", lambda key: key["columns"][0].update(numpy_type="Int64"), '"i"', lambda key: [one["name"] for one in key["columns"]] == ["t"]),
    "comment": (SPARK, lambda key: key["fields"][0].update(metadata={"comment": "another"}), "comment",
                lambda key: key["fields"][0]["metadata"] == {} and len(key["fields"]) == 3),
    "nullable": (SPARK, lambda key: key["fields"][0].update(nullable=False), None, lambda key: key["fields"][0]["nullable"]),
    "splits": ("huggingface", lambda key: key["info"].update(description="x"), "description", lambda key: len(key["info"]["features"]) == 3),
    "schema id": ("iceberg.schema", lambda key: key.update({"schema-id": 7}), None, lambda key: len(key["fields"]) == 3),
    "member order": ("parquet.avro.schema", lambda key: key.update(fields=[dict(reversed(one.items())) for one in key["fields"]]), None,
                     lambda key: len(key["fields"]) == 3),
}


@pytest.mark.parametrize("options", [[], ["--unify"]])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", BOTH)
def test_what_both_files_say(name, swapped, options):
    """A key keeps the parts that are true of both files, and the others are reported."""
    key, change, lost, is_left = BOTH[name]
    if key == "geo":
        first = geo_file("both")
    elif key == "pandas":
        first = FOLDER / "both-pandas.parquet"
        pandas.DataFrame({"i": [1], "t": ["x"]}).to_parquet(first)
    else:
        first = written(f"both-{key}", LABELS if key == "huggingface" else ABC if key == SPARK else {"a": [1], "b": ["x"], "c": ["x"]}, **{
            key: {SPARK: ABC_KEY, "huggingface": FEATURES, "iceberg.schema": ICEBERG, "parquet.avro.schema": AVRO}[key]})
    second = changed(first, f"second-{name}", key, change)
    output = FOLDER / f"both-{name}{swapped}{len(options)}.parquet"
    names = [second, first] if swapped and name != "primary" else [first, second]
    report = harness.run("convert", *names, output, *options).stderr
    assert is_left(json.loads(keys(output)[key])), (report, keys(output))
    assert ("metadata.stale" in report) == bool(lost) and (lost or "") in report, report
    if key == "geo":
        assert geopandas.read_parquet(output).active_geometry_name == "here"
    if key == "pandas":
        assert list(pandas.read_parquet(output).columns) == ["i", "t"]


def test_partitions():
    """Columns that folders stand for are in no file."""
    source = written("parted", ABC, **{SPARK: ABC_KEY})
    harness.run("convert", source, FOLDER / "parts/", "--to", "parquet", "--partition-by", "b")
    for file in (FOLDER / "parts").rglob("*.parquet"):
        assert [field["name"] for field in json.loads(keys(file)[SPARK])["fields"]] == ["a", "s"]
    output, _ = convert(FOLDER / "parts")
    assert [field["name"] for field in json.loads(keys(output)[SPARK])["fields"]] == ["a", "s", "b"]


# GeoParquet

POINTS = {"here": "EPSG:3857", "there": "EPSG:4326"}


def geo_file(name, **more):
    frame = geopandas.GeoDataFrame({"n": [1]} | {column: geopandas.GeoSeries(shapely.from_wkt(["POINT (1 2)"]), crs=crs)
                                                 for column, crs in POINTS.items()}, geometry="here")
    path = FOLDER / f"{name}.parquet"
    frame.to_parquet(path)
    if more:
        table = pq.read_table(path)
        geo = json.loads(table.schema.metadata[b"geo"])
        geo["columns"]["here"] |= more
        box = pa.array([{"xmin": 1.0, "ymin": 2.0, "xmax": 1.0, "ymax": 2.0}])
        pq.write_table(table.append_column("box", box).replace_schema_metadata(table.schema.metadata | {b"geo": json.dumps(geo)}), path)
    return path


@pytest.mark.parametrize("way, at", steps())
@pytest.mark.parametrize("options, active, columns", [
    ([], "here", POINTS), (["--rename", "here=geom"], "geom", {"geom": "EPSG:3857", "there": "EPSG:4326"}),
    (["--rename", "here=there", "--rename", "there=here"], "there", {"there": "EPSG:3857", "here": "EPSG:4326"}),
    (["--exclude", "here"], "there", {"there": "EPSG:4326"}), (["--select", "there,n"], "there", {"there": "EPSG:4326"})])
def test_geo(options, active, columns, way, at):
    output, report = convert(geo_file("geo"), *options, way=way, at=at)
    found = geopandas.read_parquet(output)
    assert found.active_geometry_name == active, report
    assert {name: found[name].crs.to_string() for name in columns} == columns
    assert set(json.loads(keys(output)["geo"])["columns"]) == set(columns)
    assert "metadata.stale" not in report


COVERING = {"bbox": {corner: ["box", corner] for corner in ("xmin", "ymin", "xmax", "ymax")}}


@pytest.mark.parametrize("flags", [[], ["--geoparquet"]])
@pytest.mark.parametrize("options, column, path, stale", [
    ([], "here", ["box", "xmin"], False), (["--rename", "box=b"], "here", ["b", "xmin"], False),
    # By the JSON schema of GeoParquet 1.1 a corner is a member of its own name, a float or a double, and all are of one type.
    (["--rename", "box.xmin=x0"], "here", None, True), (["--cast", "box.xmin=utf8"], "here", None, True),
    (["--cast", "box.xmin=int32"], "here", None, True), (["--rename", "here=g"], "g", ["box", "xmin"], False),
    (["--exclude", "box"], "here", None, True), (["--exclude", "box.xmin"], "here", None, True)])
def test_covering(options, column, path, stale, flags):
    source = geo_file("covered", epoch=2020.5, orientation="counterclockwise", covering=COVERING)
    output, report = convert(source, *options, *flags)
    entry = json.loads(keys(output)["geo"])["columns"][column]
    assert (entry["epoch"], entry["orientation"]) == (2020.5, "counterclockwise")
    assert (entry["covering"]["bbox"]["xmin"] if path else entry.get("covering")) == path
    assert ("metadata.stale" in report) == stale, report
    assert geopandas.read_parquet(output).active_geometry_name == column


def test_unknown_crs():
    """GEOMETRY in a file whose key says that the CRS is unknown: a target with a default assumes one."""
    plain = geo_file("plain")
    logical, source = FOLDER / "logical.parquet", FOLDER / "unknown-crs.parquet"
    harness.run("convert", plain, logical, "--select", "there", "--cast", "there=storage:binary [geoarrow.wkb]", "--message",
                "message m { optional binary there (GEOMETRY); }", "--allow", "lossy")
    table = pq.read_table(logical)
    geo = {"version": "2.0.0", "primary_column": "there", "columns": {"there": {"encoding": "WKB", "crs": None, "geometry_types": []}}}
    harness.run("convert", logical, FOLDER / "unknown-crs.arrow")
    # The footer of pyarrow keeps GEOMETRY if it knows the extension. The sample has it otherwise.
    with pa.ipc.open_file(FOLDER / "unknown-crs.arrow") as file:
        batches = file.read_all()
    with pa.ipc.new_file(FOLDER / "with-key.arrow", batches.schema.with_metadata({"geo": json.dumps(geo)})) as writer:
        writer.write_table(batches)
    harness.run("convert", FOLDER / "with-key.arrow", source, "--message", "message m { optional binary there (GEOMETRY); }")
    assert json.loads(keys(source)["geo"])["columns"]["there"]["crs"] is None
    assert table.num_rows == 1
    report = harness.run("check", source, "--to", "parquet").stdout
    assert "crs.assumed" in report


# Polars and DuckDB

FIRST, SECOND = ["a", "b", "c"], ["z", "b"]


def of_polars(name, names, way="parquet"):
    """Writes a file of Polars with enums of these names at several depths, and a categorical column."""
    polars = pytest.importorskip("polars")
    enum = polars.Enum(names)
    frame = polars.DataFrame({"e": polars.Series(names[:2], dtype=enum), "c": polars.Series(names[:2], dtype=polars.Categorical),
                              "s": polars.Series([{"e": name} for name in names[:2]], dtype=polars.Struct({"e": enum})),
                              "l": polars.Series([[name] for name in names[:2]], dtype=polars.List(enum))})
    path = FOLDER / f"{name}.{way}"
    (frame.write_parquet if way == "parquet" else frame.write_ipc)(path)
    return path


def seen_by_polars(path):
    import polars
    frame = polars.read_parquet(path)
    return {name: str(kind) for name, kind in frame.schema.items()}, frame.rows()


@pytest.mark.parametrize("way, at", steps())
@pytest.mark.parametrize("options, names, changed", [
    ([], "ecsl", {}), (["--rename", "e=f", "--rename", "s.e=q"], "fcsl", {}), (["--select", "l,s,e"], "lse", {}),
    (["--exclude", "e"], "csl", {}), (["--cast", "e=utf8", "--cast", "c=binary"], "ecsl", {"e": "String", "c": "Binary"})])
def test_polars(options, names, changed, way, at):
    source = of_polars("polars", FIRST)
    output, report = convert(source, *options, way=way, at=at)
    kinds, rows = seen_by_polars(output)
    enum = seen_by_polars(source)[0]["e"]
    assert "".join(kinds) == names and len(rows) == 2, report
    assert "None" not in str(rows)
    for name, kind in kinds.items():
        expected = changed.get(name, {"c": "Categorical", "s": f"Struct({{'{'q' if 'f' in kinds else 'e'}': {enum}}})", "l": f"List({enum})"}.get(name, enum))
        assert kind == expected, report


@pytest.mark.parametrize("piped", [False, True])
@pytest.mark.parametrize("options", [[], ["--unify"]])
@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_polars_several_inputs(form, options, piped):
    """The names of the first file's enum would turn other names of the second into nulls."""
    if piped and (form != "arrow" or options):
        pytest.skip("a pipe is read once, in order")
    first, same, second = (of_polars(name, names, form) for name, names in [("one", FIRST), ("same", FIRST), ("two", SECOND)])
    output = FOLDER / f"enums-{form}{len(options)}{piped}.parquet"
    if piped:
        with second.open("rb") as rows:
            report = harness.run("convert", first, "-", output, "--from", form, stdin=rows).stderr
    else:
        report = harness.run("convert", first, second, output, *options).stderr
    kinds, rows = seen_by_polars(output)
    assert [row[0] for row in rows] == ["a", "b", "z", "b"]
    assert [row[2]["e"] for row in rows] == [row[3][0] for row in rows] == ["a", "b", "z", "b"]
    for column in ("e", "s.e", "l[]"):
        assert f'"_PL_ENUM_VALUES2" of {column} ' in report, report
    if not piped:
        output = output.with_suffix(".same.parquet")
        report = harness.run("convert", first, same, output, *options).stderr
        assert seen_by_polars(output)[0] == seen_by_polars(of_polars("three", FIRST))[0]
        assert "metadata.stale" not in report


@pytest.mark.parametrize("added", ["other names", "text", "the same names"])
@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_polars_added_rows(form, added):
    """The names of the existing enum would turn other names of added rows into nulls."""
    polars = pytest.importorskip("polars")
    folder = FOLDER / f"added-{form}-{added.replace(' ', '-')}"
    shutil.rmtree(folder, ignore_errors=True)
    harness.run("convert", of_polars("one", FIRST, form), f"{folder}/", "--to", form)
    if added == "text":
        rows = polars.DataFrame({"e": ["z", "b"], "c": ["z", "b"], "s": [{"e": "z"}, {"e": "b"}], "l": [["z"], ["b"]]})
        source = FOLDER / f"text.{form}"
        (rows.write_parquet if form == "parquet" else rows.write_ipc)(source)
    else:
        source = of_polars("two", SECOND if added == "other names" else FIRST, form)
    is_ordered = form == "arrow" and added != "the same names"
    report = harness.run("convert", source, f"{folder}/", "--mode", "append", "--to", form, code=3 if is_ordered else 0).stderr
    if is_ordered:
        assert 'expected the ordered dictionary of the rows before, "b" < "z"' in report
        return
    read = polars.read_parquet if form == "parquet" else polars.read_ipc
    frames = [read(path) for path in folder.iterdir()]
    assert len(frames) == 2
    found = sorted(row for frame in frames for row in frame.rows())
    names = ["a", "b"] if added == "the same names" else ["b", "z"]
    assert found == sorted((name, name, {"e": name}, [name]) for name in ["a", "b", *names]), report
    assert ("metadata.stale" in report) == (added != "the same names"), report


def test_duckdb():
    """DuckDB's key is about the Bloom filters of its own file; a new file has none."""
    duckdb = pytest.importorskip("duckdb")
    source = FOLDER / "duckdb.parquet"
    sql = "select interval (i) day as d, i from range(3) t(i)"
    duckdb.sql(f"copy ({sql}) to '{source}'")
    for options in ([], ["--rename", "d=e"], ["--select", "d"]):
        output, _ = convert(source, *options)
        assert not [key for key in keys(output) if key.startswith("duckdb.")]
        column = "e" if "--rename" in options else "d"
        assert duckdb.sql(f"select count(*) from '{output}' where {column} = interval 2 day").fetchall() == [(1,)]
