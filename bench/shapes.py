"""Makes the tables that compare.py measures by name, as Parquet files: the same rows each time, from a fixed seed."""
import datetime
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

WORDS = ("alder birch cedar elm fir hazel juniper larch maple oak pine poplar rowan spruce willow yew amber basalt chalk flint "
         "granite marble onyx quartz slate").split()


def texts_of(random, rows, least, most):
    """Returns texts of `least` to `most` words."""
    words = np.array(WORDS)
    counts = random.integers(least, most + 1, rows)
    chosen = words[random.integers(0, len(words), counts.sum())]
    ends = np.cumsum(counts)
    return pa.array([" ".join(chosen[end - count:end]) for count, end in zip(counts, ends)], pa.string())


def with_nulls(random, values, share):
    """Returns an array in which this share of values is null."""
    return pa.array(values, mask=random.random(len(values)) < share)


def decimals(cents, precision):
    """Returns integers as decimals of scale 2."""
    words = np.empty((len(cents), 2), np.int64)
    words[:, 0], words[:, 1] = cents, cents >> 63
    return pa.Array.from_buffers(pa.decimal128(precision, 2), len(cents), [None, pa.py_buffer(words.tobytes())])


def lists(values, count):
    """Returns rows of `count` values each."""
    return pa.ListArray.from_arrays(pa.array(np.arange(0, len(values) + 1, count), pa.int32()), values)


def orders(random, rows):
    """16 columns: numbers, decimals, dates, instants, few and many distinct texts."""
    places = pa.array(["BERLIN", "LIMA", "OSLO", "PERTH", "QUITO", "RIGA", "SEOUL", "TUNIS"])
    states = pa.array(["open", "paid", "sent", "done"])
    day = random.integers(17_000, 20_000, rows)
    return {
        "order_id": np.arange(rows, dtype=np.int64),
        "customer": random.integers(0, rows // 7 + 1, rows),
        "line": random.integers(1, 8, rows).astype(np.int32),
        "quantity": random.integers(1, 51, rows).astype(np.int32),
        "price": decimals(random.integers(100, 10_000_000, rows), 12),
        "discount": decimals(random.integers(0, 11, rows), 4),
        "tax": with_nulls(random, random.random(rows).round(3), 0.1),
        "paid": random.random(rows) < 0.8,
        "ordered": pa.array(day.astype(np.int32), pa.date32()),
        "shipped": with_nulls(random, (day + random.integers(0, 30, rows)).astype("datetime64[D]"), 0.2),
        "created": pa.array(day * 86_400_000_000 + random.integers(0, 86_400_000_000, rows), pa.timestamp("us", "UTC")),
        "state": states.take(pa.array(random.integers(0, 4, rows))),
        "place": places.take(pa.array(random.integers(0, 8, rows))),
        "code": pa.array([f"{i:012x}" for i in random.integers(0, 1 << 48, rows)]),
        "comment": texts_of(random, rows, 2, 9),
        "weight": random.random(rows).astype(np.float32),
    }


def events(random, rows):
    """Nested rows: a struct, a list of numbers, a list of structs, a map."""
    counts = random.integers(0, 6, rows)
    ends = pa.array(np.concatenate([[0], np.cumsum(counts)]), pa.int32())
    total = int(counts.sum())
    names = pa.array([f"user{i}" for i in range(5000)])
    pages = pa.array([f"/page/{i}" for i in range(300)])
    keys = pa.array(["source", "medium", "campaign", "device"])
    pairs = pa.array(np.arange(0, 2 * rows + 1, 2), pa.int32())
    tags = np.stack([random.integers(0, 2, rows), random.integers(2, 4, rows)], axis=1).reshape(-1)
    return {
        "time": pa.array(1_700_000_000_000_000 + np.cumsum(random.integers(0, 1_000_000, rows)), pa.timestamp("us", "UTC")),
        "user": pa.StructArray.from_arrays([names.take(pa.array(random.integers(0, 5000, rows))), pa.array(random.integers(0, 100, rows))],
                                           ["name", "level"]),
        "scores": pa.ListArray.from_arrays(ends, pa.array(random.integers(0, 1000, total))),
        "views": pa.ListArray.from_arrays(ends, pa.StructArray.from_arrays(
            [pages.take(pa.array(random.integers(0, 300, total))), pa.array(random.random(total).round(4))], ["page", "seconds"])),
        "tags": pa.MapArray.from_arrays(pairs, keys.take(pa.array(tags)), names.take(pa.array(random.integers(0, 5000, 2 * rows)))),
    }


def wide(random, rows):
    """300 columns of random numbers, doubles and integers."""
    return {f"column_{i}": random.random(rows) if i % 2 else random.integers(0, 1 << 40, rows) for i in range(300)}


def texts(random, rows):
    """Long texts."""
    return {"id": np.arange(rows, dtype=np.int64), "title": texts_of(random, rows, 4, 12), "body": texts_of(random, rows, 60, 240)}


def sparse(random, rows):
    """20 columns with a value in one row of ten."""
    return {f"column_{i}": with_nulls(random, random.integers(0, 100_000, rows) if i % 2 else random.random(rows).round(3), 0.9)
            for i in range(20)}


def embeddings(random, rows):
    """Lists of 384 floats."""
    return {"id": np.arange(rows, dtype=np.int64), "vector": lists(pa.array(random.standard_normal(384 * rows).astype(np.float32)), 384)}


def doubles(random, rows):
    """Five columns of random doubles."""
    return {f"column_{i}": random.random(rows) * 10.0 ** i for i in range(5)}


#: The tables of compare.py --shape, and their rows: about 100 to 300 MB of JSON each.
SHAPES = {orders: 500_000, events: 500_000, wide: 50_000, texts: 200_000, sparse: 2_000_000, embeddings: 50_000, doubles: 2_000_000}


def table_of(name, share=1.0):
    """Returns a shape by name, with a share of its rows."""
    shape, rows = next((shape, rows) for shape, rows in SHAPES.items() if shape.__name__ == name)
    return pa.table(shape(np.random.default_rng(60), max(1, int(rows * share))))


if __name__ == "__main__":
    pq.write_table(table_of(sys.argv[1], float(sys.argv[3]) if len(sys.argv) > 3 else 1.0), pathlib.Path(sys.argv[2]))
