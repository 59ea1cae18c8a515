"""Random VARIANTs through Vortex's type variant and Lance's struct of the extension arrow.parquet.variant, and back; pylance and
vortex-data read the files. Values are decoded without the code under test.
"""
import random
import sys

import pytest

from tests import harness

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq
    import vortex
from shred_oracle_test import EMPTY, EXACT, NULL, random_values, write_variants  # noqa: E402
from variant_bytes import read_dictionary, read_value  # noqa: E402

harness.use_module()
import xwalk  # noqa: E402


def decoded(rows):
    return [row and read_value(read_dictionary(row["metadata"])[0], row["value"]) for row in rows]


def stored(column):
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return decoded(getattr(column, "storage", column).to_pylist())


def read(path):
    """Returns the values that the system's own package reads."""
    if path.suffix == ".lance":
        return stored(lance.dataset(str(path)).to_table()["v"])
    return stored(vortex.open(str(path)).to_arrow().read_all()["v"])


@pytest.mark.parametrize("system", ["vortex", "lance"])
@pytest.mark.parametrize("seed", range(3))
def test_rows(tmp_path, system, seed):
    values = random_values(random.Random(seed))
    expected = [value and read_value(read_dictionary(value[0])[0], value[1]) for value in values]
    source, target = tmp_path / "in.arrow", tmp_path / f"out.{system}"
    write_variants(str(source), values)
    checked = harness.run("check", source, "--to", system, "--rows").stdout
    assert "200 rows read, none would be rejected" in checked, checked
    harness.run("convert", source, target, "-q")
    harness.run("verify", source, target)
    assert read(target) == expected
    for name in ("back.arrow", "back.parquet"):
        harness.run("convert", target, tmp_path / name, "-q")
        harness.run("diff", "--rows", source, tmp_path / name)
    with pa.ipc.open_file(tmp_path / "back.arrow") as file:
        assert stored(file.read_all()["v"]) == expected
        assert file.schema.field("v").metadata[b"ARROW:extension:name"] == b"arrow.parquet.variant"


def variant(name, nullable=True):
    kind = pa.struct([pa.field("metadata", pa.binary(), False), pa.field("value", pa.binary(), False)])
    return pa.field(name, kind, nullable, metadata={"ARROW:extension:name": "arrow.parquet.variant"})


ITEMS = pa.list_(variant("item"))
MEMBERS = pa.struct([variant("m"), pa.field("n", pa.int64())])
ENTRIES = pa.map_(pa.string(), variant("value"))
PAIRS = pa.list_(variant("item"), 2)
#: Types that contain VARIANT, and their values of three: with nulls at each level.
PLACES = {
    "column": (variant("v").type, lambda a, b, c: [a, None, b, c, a]),
    "list": (ITEMS, lambda a, b, c: [[a, None], None, [], [b, c]]),
    "struct": (MEMBERS, lambda a, b, c: [{"m": a, "n": 1}, None, {"m": None, "n": None}, {"m": b, "n": 2}]),
    "map": (ENTRIES, lambda a, b, c: [[("x", a), ("y", None)], None, [], [("x", b), ("z", c)]]),
    "list of lists": (pa.list_(ITEMS), lambda a, b, c: [[[a, None], None, []], None, [], [[b], [c]]]),
    "list of structs": (pa.list_(MEMBERS), lambda a, b, c: [[{"m": a, "n": 1}, None], None, [], [{"m": None, "n": 1}]]),
    "struct of a map": (pa.struct([pa.field("e", ENTRIES)]), lambda a, b, c: [{"e": [("x", a)]}, {"e": None}, None, {"e": [("y", b)]}]),
    "pair": (PAIRS, lambda a, b, c: [[a, b], None, [None, c], [a, a]]),
    "pair of lists": (pa.list_(ITEMS, 2), lambda a, b, c: [[[a], None], None, [[], [b, None]], [[c], [a]]]),
    "pair of structs": (pa.list_(MEMBERS, 2), lambda a, b, c: [[{"m": a, "n": 1}, None], None, [{"m": b, "n": 2}, {"m": None, "n": 3}]]),
    "pair of pairs": (pa.list_(PAIRS, 2), lambda a, b, c: [[[a, b], None], None, [[c, None], [a, a]]]),
    "struct of a pair": (pa.struct([pa.field("p", PAIRS)]), lambda a, b, c: [{"p": [a, b]}, {"p": None}, None, {"p": [c, c]}]),
    "list of pairs": (pa.list_(PAIRS), lambda a, b, c: [[[a, b], None], None, [], [[c, None]]]),
}


#: Three values for each type of VARIANT: one of it, one of another, and VARIANT's own null.
TRIPLES = [(fits[0], others[0], NULL) for _, _, fits, others in EXACT] + [(b"\x0c\x05",) * 3, (NULL,) * 3]


def table_of(place):
    kind, rows_of = PLACES[place]
    values = [[{"metadata": EMPTY, "value": value} for value in triple] for triple in TRIPLES]
    rows = [row for triple in values for row in rows_of(*triple)]
    field = variant("v") if place == "column" else pa.field("v", kind)
    return pa.Table.from_arrays([pa.array(rows, kind)], schema=pa.schema([field]))


def write(path, table):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return str(path)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("system", ["vortex", "lance"])
def test_places(tmp_path, system, place):
    """VARIANT in other types, with nulls at each level, is converted and read back."""
    table = table_of(place)
    source, target = write(tmp_path / "in.arrow", table), str(tmp_path / f"out.{system}")
    assert xwalk.check(source, system).verdict in ("exact", "annotated", "widened")
    xwalk.convert(source, target)
    assert xwalk.verify(source, target).verified
    assert pa.table(xwalk.open(target))["v"].to_pylist() == table["v"].to_pylist()


#: The byte strings of VARIANT as other libraries store them.
LAYOUTS = {"large": pa.large_binary(), "view": pa.binary_view(), "binary": pa.binary()}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("nullable", [False, True])
@pytest.mark.parametrize("names", [("metadata", "value"), ("value", "metadata")])
@pytest.mark.parametrize("system", ["vortex", "lance", "parquet"])
def test_layouts(tmp_path, system, names, nullable, layout):
    """Nulls of a VARIANT are not nulls of its parts, in any layout."""
    kind = pa.struct([pa.field(name, LAYOUTS[layout], nullable and name == "value") for name in names])
    rows = [{"metadata": EMPTY, "value": b"\x0c\x05"}, None, {"metadata": EMPTY, "value": NULL}]
    field = pa.field("v", kind, metadata={"ARROW:extension:name": "arrow.parquet.variant"})
    table = pa.Table.from_arrays([pa.array(rows, kind)], schema=pa.schema([field]))
    target = str(tmp_path / f"out.{system}")
    xwalk.convert(table, target)
    assert [row and dict(row) for row in pa.table(xwalk.open(target))["v"].to_pylist()] == rows


#: Extension types whose storage is another type, which libraries refuse.
MISPLACED = ["arrow.parquet.variant", "arrow.timestamp_with_offset", "geoarrow.wkb", "arrow.uuid", "arrow.json", "arrow.bool8"]


@pytest.mark.parametrize("extension", MISPLACED)
def test_misplaced_extensions(tmp_path, extension):
    """Rows of Arrow are refused by each command alike. Metadata of another file does not describe its columns, and is not believed."""
    schema = pa.schema([pa.field("v", pa.int64(), metadata={"ARROW:extension:name": extension})])
    table = pa.Table.from_arrays([pa.array([1, None])], schema=schema)
    source = write(tmp_path / "in.arrow", table)
    reason = f"v: {extension} stored as int64, where it takes "
    for words in (["check", source, "--to", "yt"], ["convert", source, tmp_path / "out.parquet"], ["head", source], ["schema", source]):
        assert reason in harness.run(*words, code=3).stderr, words
    for call in (lambda: xwalk.check(table, "parquet"), lambda: xwalk.convert(table, str(tmp_path / "out.parquet"))):
        with pytest.raises(xwalk.InputError, match=reason):
            call()
    pq.write_table(table, tmp_path / "in.parquet")
    for system in ("vortex", "lance", "parquet", "arrow", "yson"):
        target = str(tmp_path / f"out.{system}")
        assert xwalk.check(str(tmp_path / "in.parquet"), system).verdict in ("exact", "widened"), system
        xwalk.convert(str(tmp_path / "in.parquet"), target)
        assert pa.table(xwalk.open(target))["v"].to_pylist() == [1, None], system
