#!/usr/bin/env bash
# Expected: `alter_columns` to another type keeps each value, or ends with an error for the first one that the new type does not hold, as it
#   does for integers.
# Seen: only integers and decimals are checked. Days from 2262-04-12 on become days centuries earlier as nanoseconds, a double of 1e300 becomes
#   inf as a float, -1 ns becomes 0 as microseconds. A zone that is removed leaves the clock of UTC, while a cast of the same column to days
#   or times of day takes the clock of the zone, and a zone that is added takes the stored time as a time there: there and back moves the
#   instant. Dropping the one member of the structs in a list drops the list.
# Versions: pylance 14.0.2, pyarrow 26.0.1.
# Why it matters: the change of a column's type is committed for all rows, and the older version of the dataset is removed by the next cleanup.
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
berlin, local = pa.timestamp("us", tz="Europe/Berlin"), pa.timestamp("us")
noon = pa.array([datetime.datetime(2026, 7, 1, 12)], berlin)
cases = {
    "2517-08-01 to nanoseconds": (pa.array([datetime.date(2517, 8, 1)]), [pa.timestamp("ns")]),
    "1e300 to float": (pa.array([1e300]), [pa.float32()]),
    "-1 ns to microseconds": (pa.array([-1], pa.timestamp("ns")), [local]),
    "12:00 UTC in Berlin to local": (noon, [local]),
    "12:00 UTC in Berlin to time of day": (noon, [pa.time64("us")]),
    "12:00 UTC in Berlin to local and back": (noon, [local, berlin]),
}
seen = []
for number, (name, (values, kinds)) in enumerate(cases.items()):
    dataset = lance.write_dataset(pa.table({"x": values}), f"{number}.lance")
    for kind in kinds:
        dataset.alter_columns({"path": "x", "data_type": kind})
    scalar = lance.dataset(f"{number}.lance").to_table()["x"][0]
    if pa.types.is_timestamp(scalar.type):
        seconds = scalar.value // {"us": 10**6, "ns": 10**9}[scalar.type.unit]
        text = str(datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds))
    else:
        text = str(scalar)
    print(f"{name}: {scalar.type} {text}")
    seen.append(text)
lists = pa.array([[{"m": 1}]], pa.list_(pa.struct([("m", pa.int64())])))
dataset = lance.write_dataset(pa.table({"id": [1], "l": lists}), "lists.lance")
dataset.drop_columns(["l.item.m"])
print("columns after l.item.m was dropped:", dataset.schema.names)
expected = ["1933-01-11 00:25:26", "inf", "1970-01-01 00:00:00", "2026-07-01 12:00:00", "14:00:00", "2026-07-01 10:00:00"]
if seen != expected or dataset.schema.names != ["id"]:
    sys.exit(f"changed: expected {expected} and ['id'], found {seen} and {dataset.schema.names}")
PYTHON
