"""GeoParquet next to geopandas: it reads what xwalk writes, and xwalk reads what it writes, with the same geometries and CRS."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import geopandas
    import pyarrow as pa
    import pyarrow.parquet as pq
    import shapely

FOLDER = harness.make_folder("geoparquet")
SHAPES = shapely.from_wkt(["POINT (0 1)", None, "LINESTRING Z (0 1 2, 3 4 5)", "POINT EMPTY", "POLYGON ((0 0, 0 1, 1 1, 0 0))",
                           "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT (3 4, 5 6))"])
TYPES = ["GeometryCollection", "LineString Z", "Point", "Polygon"]


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
        assert list(pq.read_metadata(path).metadata).count(b"geo") == 1


def test_logical():
    """GEOMETRY of Parquet becomes GeoParquet, which geopandas reads."""
    frame = geopandas.GeoDataFrame(geometry=list(SHAPES), crs="OGC:CRS84")
    source, logical, ours = FOLDER / "source.parquet", FOLDER / "logical.parquet", FOLDER / "of-logical.parquet"
    frame.to_parquet(source)
    message = "message m { optional binary geometry (GEOMETRY); }"
    harness.run("convert", source, logical, "--message", message)
    harness.run("convert", logical, ours, "--geoparquet")
    assert same(geopandas.read_parquet(ours), frame)
