"""Columns of GeoArrow next to pyarrow and geoarrow-pyarrow: the same Parquet types, the same extension, CRS and values."""
import json
import os

import pytest

from tests import harness

with harness.skip_if_missing():
    import geoarrow.pyarrow as ga
    import pyarrow as pa
    import pyarrow.parquet as pq
    import pyproj
    from pyiceberg import types as iceberg
    from pyiceberg.io.pyarrow import schema_to_pyarrow
    from pyiceberg.schema import Schema

FOLDER = harness.make_folder("geometry")
PLANAR = ga.wkb()
SPHERICAL = ga.wkb().with_edge_type(ga.EdgeType.SPHERICAL)
#: Each type, and the Parquet type.
TYPES = [
    (PLANAR, "GEOMETRY"),
    (PLANAR.with_crs("EPSG:3857"), "GEOMETRY(EPSG:3857)"),
    (PLANAR.with_crs(ga.OGC_CRS84), "GEOMETRY"),
    (SPHERICAL.with_crs(ga.OGC_CRS84), "GEOGRAPHY"),
    (SPHERICAL.with_crs("EPSG:4269"), "GEOGRAPHY(EPSG:4269)"),
    (ga.large_wkb().with_crs("EPSG:3857"), "GEOMETRY(EPSG:3857)"),
]
SHAPES = ["POINT (0 1)", None, "LINESTRING Z (0 1 2, 3 4 5)", "GEOMETRYCOLLECTION (POINT (1 2), POLYGON ((0 0, 0 1, 1 1, 0 0)))"]


def values(table):
    return table.column("g").combine_chunks().storage.cast(pa.binary()).to_pylist()


def check_parquet(table, words):
    """xwalk writes the Parquet type that pyarrow writes, and pyarrow reads the column that went in."""
    theirs, ours, source = FOLDER / "theirs.parquet", FOLDER / "ours.parquet", FOLDER / "source.arrow"
    pq.write_table(table, theirs)
    with pa.ipc.new_file(source, table.schema) as writer:
        writer.write_table(table)
    harness.run("convert", source, ours, "--mode", "overwrite")
    for path in (theirs, ours):
        assert f"optional binary g ({words});" in harness.run("schema", path).stdout
    kinds = [pq.ParquetFile(path).schema.column(0).logical_type.to_json() for path in (theirs, ours)]
    assert kinds[0].lower() == kinds[1].lower(), kinds
    again = pq.read_table(ours)
    assert again.column("g").type == pq.read_table(theirs).column("g").type, again.schema
    assert values(again) == values(table)


def reference_system(of):
    """The `crs` of a type; Parquet has the default for a column without one."""
    return json.loads(of.__arrow_ext_serialize__()).get("crs", "OGC:CRS84")


def check_arrow(table):
    """A column of Parquet is the same extension in Arrow, with the same values."""
    back = FOLDER / "back.arrow"
    harness.run("convert", FOLDER / "theirs.parquet", back, "--mode", "overwrite")
    read = pa.ipc.open_file(back).read_all()
    found, of = read.column("g").type, table.column("g").type
    assert found.extension_name == "geoarrow.wkb" and found.edge_type == of.edge_type
    assert reference_system(found) == reference_system(of), found
    assert values(read) == values(table)


@pytest.mark.parametrize("of, words", TYPES)
def test_geometry(of, words):
    storage = ga.as_wkb(pa.array(SHAPES)).storage.cast(of.storage_type)
    table = pa.table({"g": pa.ExtensionArray.from_storage(of, storage)})
    check_parquet(table, words)
    check_arrow(table)


UTM = pyproj.CRS("EPSG:32633")
LOCAL = pyproj.CRS("+proj=tmerc +lat_0=1 +lon_0=2 +ellps=GRS80 +type=crs")
#: Authority and code, PROJJSON with a code and without one, WKT, nothing.
SYSTEMS = {"code": "EPSG:3857", "projjson": UTM, "local": LOCAL, "wkt": LOCAL.to_wkt(), "none": None}
FORMS = {"wkb": ga.wkb(), "wkt": ga.wkt(), "large_wkt": ga.large_wkt(), "point": ga.point(),
         "interleaved": ga.point().with_coord_type(ga.CoordType.INTERLEAVED), "linestring": ga.linestring()}
EDGES = {"planar": ga.EdgeType.PLANAR, "spherical": ga.EdgeType.SPHERICAL}


def column_of(form, crs, edges):
    """Returns a table whose column geoarrow-pyarrow has made."""
    of, shapes = FORMS[form].with_edge_type(edges), ["POINT (0 1)", None, "POINT (2 3)"]
    if form == "linestring":
        shapes = ["LINESTRING (0 1, 2 3)", None]
    of = of if crs is None else of.with_crs(crs)
    storage = pa.array(shapes).cast(of.storage_type) if "wkt" in form else ga.as_geoarrow(pa.array(shapes), type=FORMS[form]).storage
    return pa.table({"g": pa.ExtensionArray.from_storage(of, storage)})


def crs_of(of):
    """Returns the CRS of a type as pyproj reads it."""
    return None if of.crs is None else pyproj.CRS(json.loads(of.__arrow_ext_serialize__())["crs"])


def check_same(path, table, assumed):
    """geoarrow-pyarrow reads the same column from an Arrow file."""
    found, before = pa.ipc.open_file(path).read_all().column("g"), table.column("g")
    assert found.type.extension_name == before.type.extension_name and found.type.edge_type == before.type.edge_type
    assert crs_of(found.type) == (crs_of(before.type) or assumed), found.type
    assert ga.as_wkt(found).to_pylist() == ga.as_wkt(before).to_pylist()


@pytest.mark.parametrize("edges", EDGES)
@pytest.mark.parametrize("crs", SYSTEMS)
@pytest.mark.parametrize("form", FORMS)
def test_both_ways(form, crs, edges):
    """What geoarrow-pyarrow has made comes back from Parquet and GeoParquet, which have a default for a column of WKB without a CRS."""
    table = column_of(form, SYSTEMS[crs], EDGES[edges])
    source, parquet, back = (FOLDER / f"both.{end}" for end in ("arrow", "parquet", "back.arrow"))
    with pa.ipc.new_file(source, table.schema) as writer:
        writer.write_table(table)
    harness.run("convert", source, parquet, "--mode", "overwrite")
    harness.run("convert", parquet, back, "--mode", "overwrite")
    check_same(back, table, pyproj.CRS("OGC:CRS84") if form == "wkb" else None)
    if form != "wkb" or crs == "wkt":
        return
    harness.run("convert", source, parquet, "--geoparquet", "--mode", "overwrite")
    harness.run("convert", parquet, back, "--mode", "overwrite")
    check_same(back, table, None)


@pytest.mark.parametrize("crs, words", [("EPSG:3857", "EPSG:3857"), (UTM, "EPSG:32633")])
def test_iceberg(crs, words):
    for edges, of in (("planar", "geometry"), ("spherical", "geography")):
        table = column_of("wkb", crs, EDGES[edges])
        with pa.ipc.new_file(FOLDER / "iceberg.arrow", table.schema) as writer:
            writer.write_table(table)
        assert f'"{of}({words}' in harness.run("schema", FOLDER / "iceberg.arrow", "--to", "iceberg").stdout


@pytest.mark.parametrize("of", [iceberg.GeometryType(), iceberg.GeometryType("EPSG:32633"), iceberg.GeographyType(), iceberg.GeographyType("EPSG:4269")])
def test_pyiceberg(of):
    """xwalk and pyiceberg make the same GeoArrow type of a type of Iceberg."""
    schema = Schema(iceberg.NestedField(1, "g", of, required=True))
    path = FOLDER / "iceberg.json"
    path.write_text(schema.model_dump_json())
    ours = harness.run("schema", path, "--from", "iceberg", "--to", "arrow", "--form", "ipc", text=False).stdout
    assert pa.ipc.read_schema(pa.py_buffer(ours)).field("g").type == schema_to_pyarrow(schema).field("g").type


def test_shown_crs():
    """A CRS in PROJJSON is its code or name for people, and whole in JSON."""
    for name, crs, words in (("code", UTM, "GEOMETRY(EPSG:32633…)"), ("name", LOCAL, 'GEOMETRY("unknown"…)')):
        table, path = column_of("wkb", crs, EDGES["planar"]), FOLDER / f"{name}.shown.parquet"
        with pa.ipc.new_file(FOLDER / "shown.arrow", table.schema) as writer:
            writer.write_table(table)
        harness.run("convert", FOLDER / "shown.arrow", path)
        for command in (["info", path], ["check", path, "--to", "yt"]):
            text, whole = (harness.run(*command, *form, env={**os.environ, "COLUMNS": "160"}).stdout for form in ([], ["--json"]))
            assert words in text and "ellipsoid" not in text, text
            assert "semi_major_axis" in whole
