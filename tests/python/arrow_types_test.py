"""Arrow types through other systems and back: an Arrow file, to each system that keeps field metadata, and to Arrow."""
import pytest

from tests import harness

with harness.skip_if_missing():
    import lance  # noqa: F401
    import pyarrow as pa
    import vortex  # noqa: F401

ROWS = 1000
COLUMNS = {
    "fixed": pa.array([None if n % 7 == 0 else n.to_bytes(5, "big") for n in range(ROWS)], pa.binary(5)),
    "duration": pa.array([None if n % 5 == 0 else n for n in range(ROWS)], pa.duration("ms")),
    "interval": pa.array([(n, 2 * n, n * 1_000_000) for n in range(ROWS)], pa.month_day_nano_interval()),
    "large": pa.array([None if n % 3 == 0 else f"text {n}" for n in range(ROWS)], pa.large_string()),
    "words": pa.array([None if n % 9 == 0 else f"word {n % 10}" for n in range(ROWS)]).dictionary_encode(),
    "lists": pa.array([None if n % 4 == 0 else [n] * (n % 3) for n in range(ROWS)], pa.large_list(pa.duration("us"))),
    "pairs": pa.array([None if n % 6 == 0 else [n, n + 1] for n in range(ROWS)], pa.list_(pa.int16(), 2)),
    "zone": pa.array(range(ROWS), pa.timestamp("us", "Europe/Berlin")),
    "deep": pa.array([None if n % 8 == 0 else {"f": b"abc", "d": n} for n in range(ROWS)],
                     pa.struct([("f", pa.binary(3)), ("d", pa.duration("s"))])),
}
# What a system stores for good as something else.
CHANGED = {"lance": {"words"}, "vortex": set(), "parquet": {"interval"}}


@pytest.fixture(scope="module", params=CHANGED)
def returned(request, tmp_path_factory):
    """Returns a system, and the table after a conversion to the system and back."""
    folder, table = tmp_path_factory.mktemp("types"), pa.table(COLUMNS)
    with pa.OSFile(str(folder / "in.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    harness.run("convert", folder / "in.arrow", folder / f"rows.{request.param}")
    harness.run("convert", folder / f"rows.{request.param}", folder / "back.arrow")
    with pa.memory_map(str(folder / "back.arrow")) as file:
        return request.param, pa.ipc.open_file(file).read_all()


@pytest.mark.parametrize("column", COLUMNS)
def test_column(returned, column):
    system, table = returned
    wanted, found = pa.table(COLUMNS)[column], table[column]
    if column not in CHANGED[system]:
        assert found.type == wanted.type
    if column != "interval" or found.type == wanted.type:
        assert found.to_pylist() == wanted.to_pylist()
