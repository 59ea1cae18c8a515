#!/usr/bin/env bash
# Expected: `x = timestamp '...'` finds the row whose value is written there, or refuses a literal that the column cannot hold.
# Seen: Lance cuts the literal to microseconds, and then to the unit of the column: it finds the row with 1000 ns for a literal of 1500 ns, and
#   1 ms for 1.5 ms. In a column with a zone the Z or the offset of the literal is ignored, so that noon in UTC finds noon in Berlin.
#   A delete removes these other rows.
# Versions: pylance 14.0.2, pyarrow 26.0.1.
# Why it matters: rows are moved or deleted by their time, for example in portions. Others than the named ones are taken, without an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pylance==14.0.2 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import datetime, sys
from importlib.metadata import version
import lance, pyarrow as pa

print("pylance", version("pylance"), "pyarrow", pa.__version__)
july = [datetime.datetime(2026, 7, 1, hour) for hour in (10, 12)]
columns = {
    "nanoseconds": (["1000 ns", "1500 ns"], pa.array([1000, 1500], pa.timestamp("ns")), "1970-01-01 00:00:00.000001500"),
    "milliseconds": (["1 ms", "2 ms"], pa.array([1, 2], pa.timestamp("ms")), "1970-01-01 00:00:00.001500"),
    "Z in Berlin": (["10:00 UTC", "12:00 UTC"], pa.array(july, pa.timestamp("us", tz="Europe/Berlin")), "2026-07-01T12:00:00Z"),
    "+00:00 in Berlin": (["10:00 UTC", "12:00 UTC"], pa.array(july, pa.timestamp("us", tz="Europe/Berlin")), "2026-07-01 12:00:00+00:00"),
}
seen = []
for name, (labels, values, literal) in columns.items():
    dataset = lance.write_dataset(pa.table({"row": labels, "x": values}), name + ".lance")
    condition = f"x = timestamp '{literal}'"
    found = dataset.to_table(filter=condition)["row"].to_pylist()
    dataset.delete(condition)
    left = lance.dataset(name + ".lance").to_table()["row"].to_pylist()
    print(f"{name}: rows {labels}, {condition} finds {found}; after a delete {left} are left")
    seen.append((found, left))
expected = [(["1000 ns"], ["1500 ns"]), (["1 ms"], ["2 ms"]), (["10:00 UTC"], ["12:00 UTC"]), (["10:00 UTC"], ["12:00 UTC"])]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
