"""Tables of many columns: row groups are decoded and written column by column. pyarrow reads the same rows."""
import os

import pytest

from tests import harness
from tests.harness import run
from tests.measure import measure

with harness.skip_if_missing():
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("wide")
#: More than those from which on columns are treated so.
COLUMNS = 90


def column(kind, rows, random):
    """Returns one of nine kinds of columns, some with nulls."""
    mask = random.random(rows) < 0.3 * (kind % 2)
    whole = random.integers(-10**6, 10**6, rows)
    return [
        lambda: pa.array(random.random(rows)),
        lambda: pa.array(whole % 5, pa.int64(), mask=mask),
        lambda: pa.array([f"s{n % 50}" for n in whole]),
        lambda: pa.array([None if gone else {"a": int(n % 9), "b": None if n % 2 else float(n)} for n, gone in zip(whole, mask)],
                         pa.struct([("a", pa.int32()), ("b", pa.float64())])),
        lambda: pa.array(np.where(whole % 10 == 0, np.nan, whole), pa.float32()),
        lambda: pa.array(whole % 2 == 0, mask=mask),
        lambda: pa.array([f"{n:x}" * 3 for n in whole]),
        lambda: pa.array(whole, pa.timestamp("us", "UTC"), mask=mask),
        lambda: pa.array(whole, pa.int32()).cast(pa.decimal128(20, 2)),
    ][kind]()


def table_of(rows):
    random = np.random.default_rng(rows)
    return pa.table({f"c{i}": column(i % 9, rows, random) for i in range(COLUMNS)})


def same(one, other):
    """NaN equals itself."""
    bare = [pa.chunked_array([chunk.view(pa.int32()) for chunk in side.chunks], pa.int32()) if pa.types.is_float32(side.type) else side
            for side in (one, other)]
    return bare[0].equals(bare[1])


@pytest.mark.parametrize("dictionary", (True, False))
@pytest.mark.parametrize("group", (10**6, 700))
@pytest.mark.parametrize("rows", (0, 1, 1000, 5000))
def test_the_same_rows(rows, group, dictionary):
    table = table_of(rows)
    source, out = FOLDER / f"{rows}-{group}-{dictionary}.parquet", FOLDER / "out.parquet"
    pq.write_table(table, source, row_group_size=group, use_dictionary=dictionary)
    for options in ([], ["--row-group-rows", 333], ["--threads", 1], ["--select", ",".join(table.column_names[:70])]):
        run("convert", source, out, "-q", "--overwrite", *options)
        file = pq.ParquetFile(out)
        found = file.read()
        expected = table.select(found.column_names)
        assert found.num_rows == rows and len(found.column_names) == (70 if "--select" in options else COLUMNS)
        assert [name for name in found.column_names if not same(expected[name], found[name])] == []
        sizes = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
        if "--row-group-rows" in options:
            assert sizes == [333] * (rows // 333) + [rows % 333] * (rows % 333 > 0)


def test_small_batches_are_one_row_group():
    rows = [pa.record_batch([pa.array([i * 1000 + n]) for n in range(COLUMNS)], [f"c{n}" for n in range(COLUMNS)]) for i in range(300)]
    source, out = FOLDER / "small.arrow", FOLDER / "small.parquet"
    with pa.ipc.new_file(source, rows[0].schema) as writer:
        for batch in rows:
            writer.write(batch)
    run("convert", source, out, "-q")
    assert pq.ParquetFile(out).num_row_groups == 1
    assert pq.read_table(out).equals(pa.Table.from_batches(rows))


def test_a_damaged_page_is_named_by_its_column():
    source = FOLDER / "damaged.parquet"
    pq.write_table(table_of(1000), source, compression="none", write_page_checksum=True)
    place = pq.ParquetFile(source).metadata.row_group(0).column(40)
    with open(source, "r+b") as file:
        begin = place.dictionary_page_offset or place.data_page_offset
        file.seek((place.data_page_offset + begin + place.total_compressed_size) // 2)
        file.write(b"\xff\x00\xff")
    failed = run("convert", source, FOLDER / "never.parquet", code=3)
    assert f"{place.path_in_schema}: row group 0: " in failed.stderr and not os.path.exists(FOLDER / "never.parquet"), failed.stderr


def test_memory_follows_the_values():
    """300 columns of 50,000 random numbers are 120 MB. Dictionaries and open pages of all columns took 900 MB."""
    random = np.random.default_rng(1)
    source, out = FOLDER / "memory.parquet", FOLDER / "memory-out.parquet"
    pq.write_table(pa.table({f"c{i}": random.random(50000) for i in range(300)}), source)
    code, taken, _ = measure([harness.PROGRAM, "convert", source, out, "-q"])
    assert code == 0 and taken < 400, taken
    file = pq.ParquetFile(out)
    assert file.metadata.num_row_groups == 1 and os.path.getsize(out) < os.path.getsize(source)
