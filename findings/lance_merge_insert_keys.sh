#!/usr/bin/env bash
# Expected: `merge_insert` of the rows that a dataset has already updates each of them and inserts none, so that a load can be repeated.
# Seen: rows are inserted a second time if their key is null, -0.0 where 0.0 is stored, or the NaN of 0.0/0.0 where another NaN is stored. A
#   struct whose only member is null is matched, though a null is not. Rows that are new and have one key among themselves are all inserted.
# Versions: pylance 14.0.2, pyarrow 26.0.1.
# Why it matters: the same week loaded twice doubles such rows, and reports no error. The counts of updated rows say it, if somebody reads them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pylance==14.0.2 pyarrow==26.0.1 numpy
venv/bin/python - <<'PYTHON'
import sys
from importlib.metadata import version
import lance, numpy as np, pyarrow as pa

print("pylance", version("pylance"), "pyarrow", pa.__version__)
division = np.array([0xFFF8000000000000], np.uint64).view(np.float64)  # the NaN that x86 makes of 0.0/0.0
member = pa.struct([("m", pa.int64())])
cases = {
    "null": (pa.array([None], pa.string()), pa.array([None], pa.string())),
    "a struct of null": (pa.array([{"m": None}], member), pa.array([{"m": None}], member)),
    "0.0, then -0.0": (pa.array([0.0]), pa.array([-0.0])),
    "NaN": (pa.array([float("nan")]), pa.array([float("nan")])),
    "NaN, then that of 0.0/0.0": (pa.array([float("nan")]), pa.array(division)),
    "two new rows of one key": (pa.array(["a"]), pa.array(["b", "b"])),
}
seen = {}
for number, (name, (stored, added)) in enumerate(cases.items()):
    dataset = lance.write_dataset(pa.table({"key": stored}), f"{number}.lance")
    merge = dataset.merge_insert("key").when_matched_update_all().when_not_matched_insert_all()
    counts = merge.execute(pa.table({"key": added}))
    seen[name] = (counts["num_updated_rows"], counts["num_inserted_rows"])
    print(f"{name}: {seen[name][0]} updated, {seen[name][1]} inserted")
expected = {"null": (0, 1), "a struct of null": (1, 0), "0.0, then -0.0": (0, 1), "NaN": (1, 0), "NaN, then that of 0.0/0.0": (0, 1),
            "two new rows of one key": (0, 2)}
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
