"""Writes files with the pyarrow that is found, for old_pages_test.py, and what it reads in them itself.

usage: old_pages.py FOLDER

Each file NAME.parquet has NAME.arrows next to it. The files differ in page version, codec, dictionaries, format version and nesting.
"""

import datetime
import decimal
import itertools
import pathlib
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 300
LEAVES = [pa.bool_(), pa.int8(), pa.int32(), pa.int64(), pa.uint16(), pa.uint32(), pa.float32(), pa.float64(), pa.string(),
          pa.binary(), pa.binary(4), pa.date32(), pa.time32("ms"), pa.time64("us"), pa.timestamp("ms"), pa.timestamp("us", "UTC"),
          pa.decimal128(9, 2), pa.decimal128(38, 6)]


def random_type(choose: random.Random, deep: int) -> pa.DataType:
    if deep == 0 or choose.random() < 0.3:
        return choose.choice(LEAVES)
    item = pa.field("item", random_type(choose, deep - 1), choose.random() < 0.7)
    form = choose.randrange(3)
    if form == 0:
        return pa.list_(item)
    if form == 1:
        return pa.map_(pa.string(), item.with_name("value"))
    return pa.struct([item.with_name("a"), pa.field("b", choose.choice(LEAVES))])


def leaf(choose: random.Random, kind: pa.DataType):
    types = pa.types
    if types.is_boolean(kind):
        return choose.random() < 0.5
    if types.is_unsigned_integer(kind):
        return choose.choice([0, 1, 2**kind.bit_width - 1])
    if types.is_integer(kind):
        return choose.choice([0, -2**(kind.bit_width - 1), 2**(kind.bit_width - 1) - 1, choose.randrange(100)])
    if types.is_floating(kind):
        return choose.choice([0.0, -0.0, 1.5, float("inf"), 3.25])
    if types.is_string(kind):
        return "".join(choose.choice("ab\u00e9\u6f22 ") for _ in range(choose.randrange(9)))
    if types.is_fixed_size_binary(kind):
        return bytes(choose.randrange(256) for _ in range(kind.byte_width))
    if types.is_binary(kind):
        return bytes(choose.randrange(256) for _ in range(choose.randrange(6)))
    if types.is_date(kind):
        return datetime.date(1900 + choose.randrange(200), 1 + choose.randrange(12), 1)
    if types.is_time(kind):
        return datetime.time(choose.randrange(24), choose.randrange(60), choose.randrange(60), 1000 * choose.randrange(1000))
    if types.is_timestamp(kind):
        return datetime.datetime(1900 + choose.randrange(200), 1, 2, 3, 4, 5, 1000 * choose.randrange(1000))
    return decimal.Decimal(choose.randrange(-10**kind.precision + 1, 10**kind.precision)).scaleb(
        -kind.scale, decimal.Context(prec=kind.precision))


def value(choose: random.Random, kind: pa.DataType, null: bool):
    if null and choose.random() < 0.25:
        return None
    if pa.types.is_map(kind):
        return [(f"k{index}", value(choose, kind.item_type, kind.item_field.nullable)) for index in range(choose.randrange(4))]
    if pa.types.is_list(kind):
        return [value(choose, kind.value_type, kind.value_field.nullable) for _ in range(choose.randrange(5))]
    if pa.types.is_struct(kind):
        return {field.name: value(choose, field.type, field.nullable) for field in kind}
    return leaf(choose, kind)


def table(seed: int) -> pa.Table:
    choose = random.Random(seed)
    words = pa.array([choose.choice(["red", "green", None, "blue" * 9]) for _ in range(ROWS)]).dictionary_encode()
    lists = pa.array([[1, 2, 3], [], None, [4, None]] * (ROWS // 4), pa.list_(pa.int64()))
    fields, arrays = [pa.field("words", words.type), pa.field("lists", lists.type)], [words, lists]
    for index in range(6):
        field = pa.field(f"c{index}", random_type(choose, 3) if index else LEAVES[seed % len(LEAVES)], choose.random() < 0.8)
        fields.append(field)
        arrays.append(pa.array([value(choose, field.type, field.nullable) for _ in range(ROWS)], field.type))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def main(folder: pathlib.Path) -> None:
    codecs = ["NONE", "SNAPPY", "GZIP", "BROTLI", "LZ4", "ZSTD"]
    for seed, (codec, pages, dictionary) in enumerate(itertools.product(codecs, ("1.0", "2.0"), (True, False))):
        stem = folder / f"{codec}-{pages}-{'dictionary' if dictionary else 'plain'}"
        pq.write_table(table(seed), f"{stem}.parquet", compression=codec, data_page_version=pages, use_dictionary=dictionary,
                       version="1.0" if seed % 3 == 0 else "2.6", data_page_size=256, write_batch_size=32, row_group_size=200,
                       use_compliant_nested_type=seed % 2 == 1, use_deprecated_int96_timestamps=seed % 5 == 4)
        read = pq.read_table(f"{stem}.parquet")
        with pa.OSFile(f"{stem}.arrows", "wb") as file, pa.ipc.new_stream(file, read.schema) as writer:
            writer.write_table(read)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
