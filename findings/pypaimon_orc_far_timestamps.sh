#!/usr/bin/env bash
# Expected: a Paimon table gives back the timestamps that were written, whatever the format of its data files.
# Seen: with file.format=orc years outside 1677 to 2262 wrap, 9999-12-31 is read as 1816-03-29. With parquet and avro they are right. pypaimon
#   needs pyarrow 19, whose ORC reader counts nanoseconds in 64 bits without a check. pyarrow 26 raises an error.
# Versions: pypaimon 2.1.0, pyarrow 19.0.1.
# Why it matters: the file format is an option of the table. The same insert and the same scan give other values after it is changed.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pypaimon==2.1.0 pyarrow==19.0.1
venv/bin/python - <<'PYTHON'
import datetime, os, sys
from importlib.metadata import version
import pyarrow as pa
from pypaimon import CatalogFactory, Schema

print("pypaimon", version("pypaimon"), "pyarrow", pa.__version__)
catalog = CatalogFactory.create({"warehouse": os.path.abspath("warehouse")})
catalog.create_database("d", True)
rows = pa.table({"x": pa.array([datetime.datetime(2026, 1, 1), datetime.datetime(9999, 12, 31)], pa.timestamp("us"))})
seen = []
for file_format in ("parquet", "avro", "orc"):
    name = "d." + file_format
    catalog.create_table(name, Schema.from_pyarrow_schema(rows.schema, options={"file.format": file_format}), False)
    table = catalog.get_table(name)
    builder = table.new_batch_write_builder()
    write, commit = builder.new_write(), builder.new_commit()
    write.write_arrow(rows)
    commit.commit(write.prepare_commit())
    write.close()
    commit.close()
    read = table.new_read_builder()
    dates = [str(value.date()) for value in read.new_read().to_arrow(read.new_scan().plan().splits())["x"].to_pylist()]
    print(f"{file_format}: 2026-01-01 and 9999-12-31 are read as {' and '.join(dates)}")
    seen.append(dates[1])
if seen != ["9999-12-31", "9999-12-31", "1816-03-29"]:
    sys.exit(f"changed: expected 9999-12-31, 9999-12-31, 1816-03-29, found {', '.join(seen)}")
PYTHON
