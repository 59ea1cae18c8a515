#!/usr/bin/env bash
# Expected: the same Polars expression keeps the same rows, whether the frame is in memory or a lazy frame of a Vortex file.
# Seen: Vortex orders doubles by their bits. `x >= 0` and `x == 0` lose the row with -0.0, `x < 0` finds it; with pyarrow's dataset interface
#   `x >= 0` returns NaN as well.
# Versions: vortex-data 0.93.0, polars 2.1.0, pyarrow 26.0.1.
# Why it matters: -0.0 is what a negative number rounds to. Rows are lost by a filter alone, without an error, after the move to Vortex.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check vortex-data==0.93.0 polars==2.1.0 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import polars as pl, pyarrow as pa, pyarrow.compute as pc, pyarrow.dataset as ds, vortex as vx

print("vortex-data", version("vortex-data"), "polars", pl.__version__, "pyarrow", pa.__version__)
table = pa.table({"i": [0, 1, 2, 3], "x": [-0.0, 0.0, float("nan"), 1.0]})
vx.io.write(table, "x.vortex")
x, field = pl.col("x"), pc.field("x")
seen = []
for text, for_polars, for_pyarrow in [("x >= 0", x >= 0, field >= 0), ("x == 0", x == 0, field == 0), ("x < 0", x < 0, field < 0)]:
    file = vx.open("x.vortex")
    rows = [
        pl.from_arrow(table).filter(for_polars)["i"].to_list(),
        file.to_polars().filter(for_polars).collect()["i"].to_list(),
        ds.dataset(table).to_table(filter=for_pyarrow)["i"].to_pylist(),
        file.to_dataset().to_table(filter=for_pyarrow)["i"].to_pylist(),
    ]
    print(f"{text}: rows of Polars {rows[0]}, with Vortex {rows[1]}; of pyarrow {rows[2]}, with Vortex {rows[3]}")
    seen.append(rows)
expected = [[[0, 1, 2, 3], [1, 2, 3], [0, 1, 3], [1, 2, 3]], [[0, 1], [1], [0, 1], [1]], [[], [0], [], [0]]]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
