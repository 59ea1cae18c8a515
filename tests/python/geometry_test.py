"""Columns of GeoArrow beside pyarrow and geoarrow-pyarrow: the same Parquet types, the same extension, the same values."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import geoarrow.pyarrow as ga
    import pyarrow as pa
    import pyarrow.parquet as pq

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
