#!/usr/bin/env bash
# Expected: a Dask data frame made from pandas frames has their values: bytes stay bytes.
# Seen: bytes that are valid UTF-8 become text without a word, and a column whose bytes are not raises UnicodeDecodeError. A table whose
#   bytes happen to be ASCII works for years as text, until the first other byte. The option dataframe.convert-string is on by default.
# Versions: dask 2026.8.0, pandas 3.1.1, pyarrow 26.0.1.
# Why it matters: keys, hashes and serialized messages are binary columns in Parquet and YTsaurus. A join with the bytes of another table
#   finds nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check "dask[dataframe]==2026.8.0" pandas==3.1.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys
import dask, dask.dataframe, pandas as pd, pyarrow as pa

print("dask", dask.__version__, "pandas", pd.__version__, "pyarrow", pa.__version__)


def computed(values, dtype=object):
    meta = pd.DataFrame({"key": pd.Series([], dtype=dtype)})
    frame = dask.dataframe.from_map(lambda _: pd.DataFrame({"key": pd.Series(values, dtype=dtype)}), [0], meta=meta)
    try:
        return [type(value).__name__ for value in frame.compute()["key"]]
    except UnicodeDecodeError as error:
        return type(error).__name__


seen = {}
for name, values in {"ASCII": [b"ab", b"cd"], "other bytes": [b"ab", b"\xff"]}.items():
    seen[name] = computed(values)
    seen[f"{name}, binary of Arrow"] = computed(values, pd.ArrowDtype(pa.binary()))
    with dask.config.set({"dataframe.convert-string": False}):
        seen[f"{name}, convert-string off"] = computed(values)
for name, found in seen.items():
    print(f"{name}: {found}")
expected = {"ASCII": ["str", "str"], "other bytes": "UnicodeDecodeError"}
for name in list(seen):
    if name not in expected:
        expected[name] = ["bytes", "bytes"]
if seen != expected:
    sys.exit(f"changed: found {seen}")
PYTHON
