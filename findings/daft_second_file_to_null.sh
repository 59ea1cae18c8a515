#!/usr/bin/env bash
# Expected: a value of a second file that does not fit the type of the first is an error, or the column gets a wider type.
# Seen: Daft takes the types of the first file. An int64 beyond int32, a text that is not a number and a decimal that is too large become null;
#   2.5 becomes 2; the year 3000 becomes 1830; a first file with an untyped null column turns all later values to null.
# Versions: daft 0.7.26.
# Why it matters: a table whose writer widened a column reads without an error, with nulls where values are. The order of files decides.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check daft==0.7.26 pyarrow==25.0.1
venv/bin/python - <<'PYTHON'
import datetime, decimal, sys
import daft, pyarrow as pa, pyarrow.parquet as pq

print("daft", daft.__version__, "pyarrow", pa.__version__)
cases = {
    "int32, then int64 2**40": (pa.array([1], pa.int32()), pa.array([2**40], pa.int64()), None),
    "int64, then double 2.5": (pa.array([1], pa.int64()), pa.array([2.5]), 2),
    "int64, then string x7": (pa.array([1], pa.int64()), pa.array(["x7"]), None),
    "decimal(9,2), then decimal(18,2)": (pa.array([decimal.Decimal("1.25")], pa.decimal128(9, 2)),
                                         pa.array([decimal.Decimal("12345678901.25")], pa.decimal128(18, 2)), None),
    "ns, then us of the year 3000": (pa.array([1000], pa.timestamp("ns")),
                                     pa.array([datetime.datetime(3000, 1, 1)], pa.timestamp("us")), 1830),
    "null, then int64 5": (pa.nulls(1), pa.array([5], pa.int64()), None),
    "struct<a: int32>, then int64 2**40": (pa.array([{"a": 1}], pa.struct([("a", pa.int32())])),
                                           pa.array([{"a": 2**40}], pa.struct([("a", pa.int64())])), {"a": None}),
}
changed = []
for number, (name, (first, second, expected)) in enumerate(cases.items()):
    files = [f"{number}-{part}.parquet" for part in (1, 2)]
    for file, values in zip(files, (first, second)):
        pq.write_table(pa.table({"file": [file], "x": values}), file)
    value = daft.read_parquet(files).sort("file").to_pydict()["x"][1]
    print(f"{name}: {second[0]} is read as {value}")
    if (value.year if isinstance(value, datetime.datetime) else value) != expected:
        changed.append(f"{name} gives {value}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
