"""GeoParquet next to geopandas: it reads what xwalk writes, and xwalk reads what it writes, with the same geometries and CRS."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import geopandas
    import pyarrow as pa
    import pyarrow.parquet as pq
    import shapely
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-geoparquet-"))
SHAPES = shapely.from_wkt(["POINT (0 1)", None, "LINESTRING Z (0 1 2, 3 4 5)", "POINT EMPTY", "POLYGON ((0 0, 0 1, 1 1, 0 0))",
                           "GEOMETRYCOLLECTION (POINT (1 2), MULTIPOINT (3 4, 5 6))"])
TYPES = ["GeometryCollection", "LineString Z", "Point", "Polygon"]


def run(*arguments):
    done = subprocess.run([XWALK, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def same(a, b):
    """The same geometries, in the same CRS."""
    return a.crs == b.crs and shapely.to_wkb(a.geometry).tolist() == shapely.to_wkb(b.geometry).tolist()


def check(name, crs):
    theirs, arrow, ours, again = (FOLDER / f"{name}.{end}" for end in ("parquet", "arrow", "ours.parquet", "again.parquet"))
    frame = geopandas.GeoDataFrame({"id": range(len(SHAPES))}, geometry=list(SHAPES), crs=crs)
    frame.to_parquet(theirs)
    run("validate", theirs)
    # From GeoParquet, through Arrow, to GeoParquet.
    run("convert", theirs, arrow)
    kind = pa.ipc.open_file(arrow).schema.field("geometry").metadata
    assert kind[b"ARROW:extension:name"] == b"geoarrow.wkb", kind
    run("convert", arrow, ours, "--geoparquet")
    run("convert", theirs, again, "--geoparquet")
    for path in (ours, again):
        assert "optional binary geometry;" in run("schema", path), run("schema", path)
        assert same(geopandas.read_parquet(path), frame), path
        geo = json.loads(pq.read_metadata(path).metadata[b"geo"])
        column = geo["columns"]["geometry"]
        assert (geo["version"], geo["primary_column"]) == ("1.1.0", "geometry"), geo
        assert (column["encoding"], sorted(column["geometry_types"])) == ("WKB", TYPES), column
        assert list(pq.read_metadata(path).metadata).count(b"geo") == 1


def check_logical():
    """GEOMETRY of Parquet becomes GeoParquet, which geopandas reads."""
    frame = geopandas.GeoDataFrame(geometry=list(SHAPES), crs="OGC:CRS84")
    source, logical, ours = FOLDER / "source.parquet", FOLDER / "logical.parquet", FOLDER / "of-logical.parquet"
    frame.to_parquet(source)
    message = "message m { optional binary geometry (GEOMETRY); }"
    run("convert", source, logical, "--message", message)
    run("convert", logical, ours, "--geoparquet")
    assert same(geopandas.read_parquet(ours), frame)


for name, crs in (("default", "OGC:CRS84"), ("geographic", "EPSG:4326"), ("projected", "EPSG:3857"), ("unknown", None)):
    check(name, crs)
check_logical()
print("GeoParquet is geopandas's")
