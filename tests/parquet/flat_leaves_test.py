"""Random tables without lists, whose columns are encoded by `plugin/flat_leaf.h`: pyarrow, DuckDB and Polars read the same rows, and statistics,
sizes and the page index are those of pyarrow's own file."""
import decimal
import os

import pytest
from footer import Thrift, read_footer

from tests import harness
from tests.harness import run

with harness.skip_if_missing():
    import duckdb
    import numpy as np
    import polars as pl
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("flat")
SEEDS = range(12)


def numbers(random, rows):
    """Integers below 2**63: runs, few, many, growing, periodic, or many and then few."""
    kind = random.integers(0, 7)
    few = random.integers(-9, 9, rows)
    wide = random.integers(-2**62, 2**62, rows)
    return [
        lambda: few,
        lambda: wide,
        lambda: np.repeat(wide, random.integers(1, 300))[:rows],
        lambda: np.cumsum(random.integers(0, 3, rows)),
        lambda: np.arange(rows) % int(random.integers(1, 40000)),
        lambda: np.where(np.arange(rows) < rows // 3, wide, few),
        lambda: np.where(random.random(rows) < 0.9, 7, wide),
    ][kind]()


#: How a column is made of integers.
TYPES = {
    "bool": lambda n: pa.array(n % 3 == 0),
    "int8": lambda n: pa.array(n.astype(np.int8)),
    "uint8": lambda n: pa.array(n.astype(np.uint8)),
    "int16": lambda n: pa.array(n.astype(np.int16)),
    "int32": lambda n: pa.array(n.astype(np.int32)),
    "uint32": lambda n: pa.array(n.astype(np.uint32)),
    "int64": pa.array,
    "uint64": lambda n: pa.array(n.astype(np.uint64)),
    "float": lambda n: pa.array((n / 7).astype(np.float32)),
    "double": lambda n: pa.array(np.where(n % 50 == 0, -0.0, n / 7)),
    "half": lambda n: pa.array((n % 1000 / 8).astype(np.float16)),
    "date": lambda n: pa.array((n % 20000).astype(np.int32), pa.date32()),
    "time": lambda n: pa.array(n % (86400 * 10**6), pa.time64("us")),
    "timestamp": lambda n: pa.array(n % 2**50, pa.timestamp("us", "UTC")),
    "decimal": lambda n: pa.array(n % 10**9 - 5 * 10**8, pa.int64()).cast(pa.decimal128(30, 2)),
    "small decimal": lambda n: pa.array([decimal.Decimal(int(i % 10000)) / 10 for i in n], pa.decimal128(7, 1)),
    "bytes": lambda n: pa.array([b"\xff\x00" * (i % 5) + bytes([i % 256]) for i in n.tolist()], pa.binary()),
    "short": lambda n: pa.array([f"{i % 1000:x}"[:i % 4] for i in n.tolist()], pa.string()),
    "text": lambda n: pa.array([f"{i:x}" * 3 for i in n.tolist()], pa.string()),
    "long": lambda n: pa.array([f"{i:020}" * (i % 9) for i in n.tolist()], pa.large_string()),
    "view": lambda n: pa.array([f"{i:x}" for i in n.tolist()], pa.string_view()),
    "fixed": lambda n: pa.array([i.to_bytes(13, "big", signed=True) for i in n.tolist()], pa.binary(13)),
    "uuid": lambda n: pa.array([i.to_bytes(16, "big", signed=True) for i in n.tolist()], pa.uuid()),
    "dictionary": lambda n: pa.array([f"d{i % 2000}" for i in n.tolist()], pa.string()).dictionary_encode(),
    "fixed dictionary": lambda n: pa.array([(i % 300).to_bytes(5, "big") for i in n.tolist()], pa.binary(5)).dictionary_encode(),
    "nulls": lambda n: pa.nulls(len(n), pa.string()),
}


def without(array, gone):
    """The array with nulls, under which its values stay."""
    if pa.types.is_dictionary(array.type):
        return pa.DictionaryArray.from_arrays(without(array.indices, gone), array.dictionary)
    if isinstance(array, pa.ExtensionArray):
        return pa.ExtensionArray.from_storage(array.type, without(array.storage, gone))
    valid = pa.py_buffer(np.packbits(~gone, bitorder="little").tobytes())
    return pa.Array.from_buffers(array.type, len(array), [valid, *array.buffers()[1:]])


def column(name, random, rows):
    values = TYPES[name](numbers(random, rows))
    if random.random() < 0.5 or name == "nulls":
        return values
    share = random.choice([0.001, 0.3, 0.95, 1])
    return without(values, random.random(rows) < share if random.random() < 0.5 else np.arange(rows) % 5000 < 5000 * share)


def table(seed):
    random = np.random.default_rng(seed)
    rows = int(random.choice([0, 1, 7, 999, 20_000, 20_001, 70_000]))
    columns = {name: column(name, random, rows) for name in TYPES}
    gone = pa.array(random.random(rows) < 0.2)
    inner = pa.StructArray.from_arrays([columns["int64"], columns["short"]], ["a", "b"], mask=gone)
    columns["struct"] = pa.StructArray.from_arrays([inner, columns["double"]], ["in", "x"], mask=pa.array(random.random(rows) < 0.1))
    fields = [pa.field(name, array.type, nullable=bool(array.null_count) or name == "nulls" or random.random() < 0.5) for name, array in columns.items()]
    return pa.table(list(columns.values()), schema=pa.schema(fields))


def same(one, other):
    """Bit for bit, in any encoding."""
    def plain(values):
        type = values.type
        if pa.types.is_dictionary(type):
            return plain(values.cast(type.value_type))
        return values.cast(pa.large_string()) if pa.types.is_string(type) or pa.types.is_string_view(type) else values
    return plain(one).equals(plain(other))


def chunk_facts(chunk):
    statistics = chunk.statistics
    return (chunk.num_values, statistics and (statistics.null_count, statistics.has_min_max, statistics.min_raw, statistics.max_raw))


def page_indexes(path):
    """The column index and the offset index of each chunk by its row group and path; rows of pages without their places in the file."""
    data = memoryview(path.read_bytes())
    out = {}
    for number, group in enumerate(read_footer(path).get(4, [])):
        for chunk in group[1]:
            if 4 not in chunk:
                continue  # no rows
            columns = Thrift(data[chunk[6]:]).struct() if 6 in chunk else None
            offsets = Thrift(data[chunk[4]:]).struct()
            out[number, b".".join(chunk[3][3])] = columns, [page[3] for page in offsets[1]], offsets.get(2)
    return out


def check_page_indexes(mine, theirs):
    """Those of pyarrow say the same if its pages have the same rows; it ends pages of long values elsewhere."""
    compared = 0
    for key, (columns, rows, sizes) in mine.items():
        other_columns, other_rows, other_sizes = theirs[key]
        if rows == other_rows:
            assert (columns, sizes) == (other_columns, other_sizes), key
            compared += 1
    assert compared >= 0.8 * len(mine)


@pytest.mark.parametrize("seed", SEEDS)
def test_others_read_the_same(seed):
    random = np.random.default_rng(1000 + seed)
    rows = table(seed)
    source, out, peer = FOLDER / "in.arrow", FOLDER / "out.parquet", FOLDER / "peer.parquet"
    # Batches begin anywhere in their arrays.
    cuts = sorted({0, len(rows), *random.integers(0, len(rows) + 1, 3).tolist()})
    with pa.ipc.new_file(source, rows.schema) as writer:
        for begin, end in zip(cuts, cuts[1:]):
            writer.write_table(rows.slice(begin, end - begin))
    group = int(random.choice([10**6, 30_000, 4_321]))
    codec = str(random.choice(["snappy", "zstd", "none", "lz4", "gzip"]))
    run("convert", source, out, "-q", "--overwrite", "--row-group-rows", group, "--compression", codec,
        *(["--threads", 1] if seed % 2 else []))
    pq.write_table(rows, peer, row_group_size=group, compression=codec, write_page_index=True)
    file, theirs = pq.ParquetFile(out), pq.ParquetFile(peer)
    found = file.read()
    assert [name for name in rows.column_names if not same(rows[name], found[name])] == []
    metadata, expected = file.metadata, theirs.metadata
    assert metadata.num_rows == len(rows)
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [
        min(group, len(rows) - at) for at in range(0, len(rows), group)]
    for i in range(metadata.num_row_groups):
        for j in range(metadata.num_columns):
            mine, other = metadata.row_group(i).column(j), expected.row_group(i).column(j)
            assert mine.path_in_schema == other.path_in_schema
            assert chunk_facts(mine) == chunk_facts(other), (i, mine.path_in_schema)
    check_page_indexes(page_indexes(out), page_indexes(peer))
    with pa.ipc.open_file(source) as reader:
        whole = reader.read_all()
    names = [name for name in rows.column_names if name not in ("half", "uuid")]
    relation = duckdb.sql(f"SELECT * FROM '{out}'").arrow()
    relation = relation.read_all() if hasattr(relation, "read_all") else relation
    assert [name for name in names if not pc.all(pc.equal(pc.fill_null(relation[name].is_null(), True), whole[name].is_null())).as_py() and len(rows)] == []
    assert relation.select(["int64", "text", "double"]).cast(pa.schema([("int64", pa.int64()), ("text", pa.string()), ("double", pa.float64())])).equals(
        pa.table({name: whole[name] for name in ("int64", "text", "double")}))
    assert pl.read_parquet(out, columns=names[:-1]).equals(pl.read_parquet(peer, columns=names[:-1]))


@pytest.mark.parametrize("distinct, size, rows", [(3, 500, 20_000), (5, 30_000, 2_000), (5, 300_000, 300), (300, 5_000, 3_000), (20_000, 20, 20_000)])
def test_repeated_values_are_kept_once(distinct, size, rows):
    """However long they are, and however few rows a batch has: the file is not larger than pyarrow's."""
    random = np.random.default_rng(size)
    values = [random.bytes(size) for _ in range(distinct)]
    its = pa.table({"b": [values[i % distinct] for i in range(rows)]})
    source, out, peer = FOLDER / "long.arrow", FOLDER / "long.parquet", FOLDER / "long_peer.parquet"
    with pa.ipc.new_file(source, its.schema) as writer:
        writer.write_table(its, 1000)
    pq.write_table(its, peer)
    run("convert", source, out, "--mode", "overwrite")
    assert pq.read_table(out).equals(its)
    assert os.path.getsize(out) < 1.05 * os.path.getsize(peer) + 1000
