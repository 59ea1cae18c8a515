#!/usr/bin/env bash
# Expected: an append to a Delta table that is partitioned by a decimal either succeeds, or raises an error and leaves the table as it was.
# Seen: an append of -1.25 writes the partition value -1.-25 into the log and only then raises an error. From then on no read of the table
#   works, also of the rows that were in it. Negative whole numbers (-1.00) and positive values are right.
# Versions: deltalake 1.6.6, polars 2.1.0, pyarrow 26.0.1.
# Why it matters: one negative amount among the keys makes the whole table unreadable. A retry of the append cannot repair it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check deltalake==1.6.6 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, json, pathlib, sys
import deltalake, polars as pl, pyarrow as pa
from deltalake import DeltaTable, write_deltalake

print("deltalake", deltalake.__version__, "polars", pl.__version__, "pyarrow", pa.__version__)


def append(text):
    keys = pa.array([decimal.Decimal(text)], pa.decimal128(20, 2))
    try:
        write_deltalake("t", pa.table({"k": keys, "v": [1]}), partition_by=["k"], mode="append")
        wrote = "succeeds"
    except Exception as error:
        wrote = type(error).__name__
    entries = [json.loads(line) for line in sorted(pathlib.Path("t/_delta_log").glob("*.json"))[-1].read_text().splitlines()]
    stored = next(entry["add"]["partitionValues"]["k"] for entry in entries if "add" in entry)
    read = []
    for rows in (lambda: DeltaTable("t").to_pyarrow_table().num_rows, lambda: pl.read_delta("t").height):
        try:
            read.append(rows())
        except Exception:
            read.append("error")
    print(f"append of {text} {wrote}, the log has {stored}, deltalake and Polars then read {read[0]} and {read[1]} rows")
    return stored, wrote != "succeeds", read


seen = [append("1.25"), append("-1.00"), append("-1.25")]
expected = [("1.25", False, [1, 1]), ("-1.00", False, [2, 2]), ("-1.-25", True, ["error", "error"])]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
