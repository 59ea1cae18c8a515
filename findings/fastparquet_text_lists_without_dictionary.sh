#!/usr/bin/env bash
# Expected: fastparquet reads a list of text whether or not its pages use a dictionary, or raises an error.
# Seen: without a dictionary, every list of text and every map of text is null. The same rows with a dictionary are right, and so are lists of
#   integers. A writer gives up its dictionary in the middle of a file, when the values take more than a megabyte.
# Versions: fastparquet 2026.9.0, pandas 3.1.1, pyarrow 26.0.1 as the writer.
# Why it matters: tags and properties of a small test are right, and those of the real table are null.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check fastparquet==2026.9.0 pandas==3.1.1 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import sys, warnings
import fastparquet, pandas, pyarrow as pa, pyarrow.parquet as pq

warnings.simplefilter("ignore")
print("fastparquet", fastparquet.__version__, "pandas", pandas.__version__, "pyarrow", pa.__version__)
rows = pa.table({
    "tags": pa.array([["a", "b"], ["c"]], pa.list_(pa.string())),
    "properties": pa.array([[("k", "v")], []], pa.map_(pa.string(), pa.string())),
    "numbers": pa.array([[1, 2], [3]], pa.list_(pa.int64())),
})
found = {}
for has_dictionary in (True, False):
    pq.write_table(rows, "f.parquet", use_dictionary=has_dictionary)
    read = fastparquet.ParquetFile("f.parquet").to_pandas()
    found[has_dictionary] = [str(read[name][0]) for name in rows.column_names]
    print("with a dictionary:" if has_dictionary else "without:", found[has_dictionary])
right = [str(["a", "b"]), str({"k": "v"})]
nulls = [one in ("None", "nan") for one in found[False]]
if found[True][:2] != right or nulls != [True, True, False]:
    sys.exit(f"changed: found {found}")
PYTHON
