"""GeoParquet next to geopandas: it reads what xwalk writes, and xwalk reads what it writes, with the same geometries and CRS."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import geopandas
    import numpy
    import pyarrow as pa
    import pyarrow.parquet as pq
    import shapely

FOLDER = harness.make_folder("geoparquet")
SHAPES = shapely.from_wkt(["POINT (0 1)", None, "LINESTRING Z (0 1 2, 3 4 5)", "POINT EMPTY", "POLYGON ((0 0, 0 1, 1 1, 0 0))",
                           "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT (3 4, 5 6))"])
#: The least and the greatest coordinates.
ALL = shapely.get_coordinates([shape for shape in SHAPES if shape is not None], include_z=True)
LEAST, GREATEST = numpy.nanmin(ALL, axis=0).tolist(), numpy.nanmax(ALL, axis=0).tolist()
TYPES = ["GeometryCollection", "LineString Z", "Point", "Polygon"]


def box(path):
    """Returns the bounding box that `info` shows: the least and the greatest coordinate of each axis."""
    column = next(column for column in json.loads(harness.run("info", path, "--json").stdout)["columns"] if column["path"] == "geometry")
    return column["box"], sorted(column["geometry_types"] or [])


def same(a, b):
    """The same geometries, in the same CRS."""
    return a.crs == b.crs and shapely.to_wkb(a.geometry).tolist() == shapely.to_wkb(b.geometry).tolist()


@pytest.mark.parametrize("name, crs", [("default", "OGC:CRS84"), ("geographic", "EPSG:4326"), ("projected", "EPSG:3857"),
                                       ("unknown", None)])
def test_both_ways(name, crs):
    theirs, arrow, ours, again = (FOLDER / f"{name}.{end}" for end in ("parquet", "arrow", "ours.parquet", "again.parquet"))
    frame = geopandas.GeoDataFrame({"id": range(len(SHAPES))}, geometry=list(SHAPES), crs=crs)
    frame.to_parquet(theirs)
    harness.run("validate", theirs)
    # From GeoParquet, through Arrow, to GeoParquet.
    harness.run("convert", theirs, arrow)
    column = pa.ipc.open_file(arrow).schema.field("geometry")
    # The extension type is known if other tests of this process have imported geoarrow-pyarrow.
    name = getattr(column.type, "extension_name", None) or column.metadata[b"ARROW:extension:name"].decode()
    assert name == "geoarrow.wkb"
    harness.run("convert", arrow, ours, "--geoparquet")
    harness.run("convert", theirs, again, "--geoparquet")
    for path in (ours, again):
        assert "optional binary geometry;" in harness.run("schema", path).stdout
        assert same(geopandas.read_parquet(path), frame), path
        geo = json.loads(pq.read_metadata(path).metadata[b"geo"])
        column = geo["columns"]["geometry"]
        assert (geo["version"], geo["primary_column"]) == ("1.1.0", "geometry"), geo
        assert (column["encoding"], sorted(column["geometry_types"])) == ("WKB", TYPES), column
        assert column["bbox"] == LEAST + GREATEST, column
        assert box(path) == ({axis: list(range) for axis, *range in zip("xyz", LEAST, GREATEST)}, TYPES)
        assert list(pq.read_metadata(path).metadata).count(b"geo") == 1
    # geopandas writes x and y.
    assert box(theirs) == ({"x": [LEAST[0], GREATEST[0]], "y": [LEAST[1], GREATEST[1]]}, TYPES)


def test_logical():
    """GEOMETRY of Parquet becomes GeoParquet, which geopandas reads."""
    frame = geopandas.GeoDataFrame(geometry=list(SHAPES), crs="OGC:CRS84")
    source, logical, ours = FOLDER / "source.parquet", FOLDER / "logical.parquet", FOLDER / "of-logical.parquet"
    frame.to_parquet(source)
    message = "message m { optional binary geometry (GEOMETRY); }"
    harness.run("convert", source, logical, "--message", message)
    harness.run("convert", logical, ours, "--geoparquet")
    assert same(geopandas.read_parquet(ours), frame)


@pytest.mark.parametrize("shapes, expected", [(["POINT EMPTY", None], None), (["POINT M (1 2 3)", "POINT ZM (0 5 6 7)"], [0, 2, 6, 1, 5, 6]),
                                              (["POINT (-1e300 0.1)", "POINT (2 3)"], [-1e300, 0.1, 2, 3])])
@pytest.mark.parametrize("edges", ["", ', "edges": "spherical"'])
def test_boxes(shapes, expected, edges):
    """Coordinates that are NaN are left out, and so is m. Spherical edges have no box."""
    field = pa.field("geometry", pa.binary(), metadata={"ARROW:extension:name": "geoarrow.wkb",
                                                        "ARROW:extension:metadata": '{"crs": "OGC:CRS84"' + edges + "}"})
    values = [shape and shapely.to_wkb(shapely.from_wkt(shape), flavor="iso") for shape in shapes]
    source, target = FOLDER / "boxes.arrow", FOLDER / "boxes.parquet"
    table = pa.Table.from_arrays([pa.array(values, pa.binary())], schema=pa.schema([field]))
    with pa.ipc.new_file(source, table.schema) as writer:
        writer.write_table(table)
    harness.run("convert", source, target, "--geoparquet", "-q", "--mode", "overwrite")
    column = json.loads(pq.read_metadata(target).metadata[b"geo"])["columns"]["geometry"]
    assert column.get("bbox") == (None if edges else expected), column


@pytest.mark.parametrize("crs, known", [("EPSG:4326", "EPSG:4326"), ("srid:3857", "EPSG:3857"), ("EPSG:3857", "EPSG:3857"),
                                        ("OGC:CRS84", "OGC:CRS84"), ("EPSG:5070", None)])
def test_codes(crs, known):
    """A CRS by its code is the PROJJSON of PROJ, or unknown: the key says so."""
    source, target = FOLDER / "code.yson", FOLDER / "code.parquet"
    source.write_text("{geometry=\"" + "".join(f"\\x{byte:02x}" for byte in shapely.to_wkb(SHAPES[0])) + "\"};\n")
    logical = FOLDER / "code.logical.parquet"
    harness.run("convert", source, logical, "--schema", "[{name=geometry;type=string}]", "--message",
                f"message m {{ optional binary geometry (GEOMETRY({crs})); }}", "-q", "--mode", "overwrite")
    report = harness.run("convert", logical, target, "--geoparquet", "--mode", "overwrite").stderr
    found = geopandas.read_parquet(target)
    assert found.crs == (known and geopandas.GeoSeries(crs=known).crs)
    column = json.loads(pq.read_metadata(target).metadata[b"geo"])["columns"]["geometry"]
    assert ("crs" in column) == (known != "OGC:CRS84")
    if column.get("crs"):
        expected = geopandas.GeoSeries(crs=known).crs.to_json_dict()
        assert column["crs"] == {key: value for key, value in expected.items() if key not in ("scope", "area", "bbox")}
    assert shapely.to_wkb(found.geometry).tolist() == [shapely.to_wkb(SHAPES[0])], report
