#!/usr/bin/env bash
# Expected: a higher level of zstd takes more time and no more bytes.
# Seen: for consecutive numbers of 64 bits, which a column of Parquet without a dictionary stores as they are, it is the other way round: a page
#   of 3,000 takes 3.6 kB at level 1, 5.3 kB at level 3 and 7.9 kB at levels 19 and 22. Of numbers of 32 bits, level 12 is the smallest,
#   and levels 9 and 19 take 1.6 times as much. At 1,000,000 numbers of 32 bits, levels 1 to 12 are equal and level 19 takes a third.
# Versions: pyarrow 26.0.1 and the zstd in it.
# Why it matters: row numbers, offsets and sorted keys are such columns. An "archive" level of 19 doubles small files of them, and a level of
#   12 and one of 19 change places with the number of rows. Only the data itself can say which level is the best. DELTA_BINARY_PACKED takes
#   54 bytes at every level.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON' || exit 1
import os, sys
import pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__)


def sizes(rows, kind, **options):
    out = {}
    for level in (1, 3, 9, 12, 19, 22):
        pq.write_table(pa.table({"a": pa.array(range(rows), kind)}), "a.parquet", compression="zstd", compression_level=level,
                       use_dictionary=False, write_statistics=False, **options)
        column = pq.ParquetFile("a.parquet").metadata.row_group(0).column(0)
        out[level] = column.total_compressed_size
    return out


small, half, many = sizes(3000, pa.int64()), sizes(3000, pa.int32()), sizes(1_000_000, pa.int32())
delta = sizes(3000, pa.int64(), column_encoding={"a": "DELTA_BINARY_PACKED"})
for name, found in (("3,000 int64", small), ("3,000 int32", half), ("1,000,000 int32", many), ("3,000 int64, delta", delta)):
    print(f"{name}: " + ", ".join(f"level {level} {size:,}" for level, size in found.items()))
as_seen = (small[3] > 1.3 * small[1] and small[19] > 1.9 * small[1] and small[22] == small[19]
           and min(half, key=half.get) == 12 and half[19] > 1.5 * half[12] and half[9] > 1.5 * half[12]
           and many[12] > 2.5 * many[19] and max(delta.values()) < 400)
sys.exit(0 if as_seen else "changed")
PYTHON
