#!/usr/bin/env bash
# Expected: a Polars expression keeps the same rows in a lazy frame of a pyarrow dataset as in a frame in memory.
# Seen: Polars passes the filter to pyarrow, which has other rules: `~x.is_in(["a", "b"])` also returns the row with null, `x > 4` loses NaN,
#   and `x.is_in([0.0, 1.0])` loses -0.0. `x == 0.0` finds -0.0 in both.
# Versions: polars 2.1.0, pyarrow 26.0.1.
# Why it matters: scan_pyarrow_dataset is the way to partitioned folders and object stores. The rows depend on where a frame came from.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import polars as pl, pyarrow as pa, pyarrow.dataset as ds

print("polars", pl.__version__, "pyarrow", pa.__version__)
x = pl.col("x")
texts, numbers = ["a", "b", None, "c"], [-0.0, 1.0, float("nan"), 5.0, None]
cases = [
    (texts, "~x.is_in(['a', 'b'])", ~x.is_in(["a", "b"]), [3], [2, 3]),
    (numbers, "x > 4", x > 4, [2, 3], [3]),
    (numbers, "x.is_in([0.0, 1.0])", x.is_in([0.0, 1.0]), [0, 1], [1]),
    (numbers, "x == 0.0", x == 0.0, [0], [0]),
]
changed = []
for values, text, condition, in_memory, in_dataset in cases:
    table = pa.table({"i": range(len(values)), "x": values})
    found = (pl.from_arrow(table).filter(condition)["i"].to_list(),
             pl.scan_pyarrow_dataset(ds.dataset(table)).filter(condition).collect()["i"].to_list())
    print(f"{values}, {text}: rows {found[0]} in memory, {found[1]} by scan_pyarrow_dataset")
    if found != (in_memory, in_dataset):
        changed.append(f"{text} finds {found}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
