#!/usr/bin/env bash
# Expected: a column of 64-bit integers with a null is given to numpy as doubles at worst, as pandas does, which are exact up to 2**53.
# Seen: `with_format("numpy")` gives such a column as float32, which is exact up to 2**24: the ids 16777217 and 16777216 are the same number.
#   Without a null it is int64. Doubles are float32 too, and unsigned integers with a null.
# Versions: datasets 5.2.0, pyarrow 26.0.1, numpy 2.4.6.
# Why it matters: one missing id in a batch rounds all others of the batch, and joins by them find rows of somebody else.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check datasets==5.2.0 pyarrow==26.0.1 numpy==2.4.6
HF_HUB_OFFLINE=1 HF_HOME="$folder/home" venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import datasets, numpy, pyarrow as pa

print("datasets", version("datasets"), "pyarrow", pa.__version__, "numpy", numpy.__version__)
seen = {}
for name, values in {"whole": pa.array([2**24 + 1, 2**24], pa.int64()), "with a null": pa.array([2**24 + 1, 2**24, None], pa.int64()),
                     "unsigned with a null": pa.array([2**24 + 1, None], pa.uint64()), "doubles": pa.array([16777217.0, 0.5])}.items():
    column = datasets.Dataset(pa.table({"id": values})).with_format("numpy")[:]["id"]
    seen[name] = (str(column.dtype), int(column[0]))
    print(f"{name}: {column.dtype}, the first value is {int(column[0])}")
expected = {"whole": ("int64", 16777217), "with a null": ("float32", 16777216), "unsigned with a null": ("float32", 16777216),
            "doubles": ("float32", 16777216)}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
