#!/usr/bin/env bash
# Expected: the mean of nine times of 2026, as nanoseconds since 1970 in int64, is a time of 2026, as in pandas, Polars and Arrow.
# Seen: Dask's mean is negative, a time of 1961, also by group and in describe(). Its variance by group is a
#   thirteenth of the right one. It adds the integers first, and the sum of six such times is beyond int64.
# Versions: dask 2026.8.0, pandas 3.1.1, pyarrow 26.0.1, polars 2.1.0.
# Why it matters: times of YTsaurus and of logs are integers, and means of them (delays, centres of windows) come out without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check "dask[dataframe]==2026.8.0" pandas==3.1.1 pyarrow==26.0.1 polars==2.1.0
venv/bin/python - <<'PYTHON'
import sys
import dask, dask.dataframe, pandas as pd, polars as pl, pyarrow as pa, pyarrow.compute as pc

print("dask", dask.__version__, "pandas", pd.__version__, "pyarrow", pa.__version__, "polars", pl.__version__)
times = [1_790_000_000_000_000_000 + second * 1_000_000_000 for second in range(9)]
frame = pd.DataFrame({"host": ["a"] * 9, "at": times})
parts = dask.dataframe.from_pandas(frame, npartitions=2)
means = {
    "pandas": frame["at"].mean(),
    "pandas by group": frame.groupby("host")["at"].mean()["a"],
    "polars": pl.from_pandas(frame)["at"].mean(),
    "pyarrow": pc.mean(pa.array(times)).as_py(),
    "dask": parts["at"].mean().compute(),
    "dask by group": parts.groupby("host")["at"].mean().compute()["a"],
    "dask describe()": parts["at"].describe().compute()["mean"],
}
for name, mean in means.items():
    print(f"{name}: {mean:.6e}, {pd.Timestamp(int(mean), unit='ns').year}")
variance = parts.groupby("host")["at"].var().compute()["a"]
right = frame.groupby("host")["at"].var()["a"]
print(f"variance by group: pandas {right:.3e}, dask {variance:.3e}")
years = {name: pd.Timestamp(int(mean), unit="ns").year for name, mean in means.items()}
expected = {name: 1961 if name.startswith("dask") else 2026 for name in means}
if years != expected or abs(variance / right - 1) < 0.5:
    sys.exit(f"changed: found {years}, {variance}")
PYTHON
