#!/usr/bin/env bash
# Expected: a merge whose source has other types than the table refuses values that do not fit, or compares and stores them alike.
# Seen: keys are compared as they come and stored as the type of the table. The key 1.5 matches no row, and is inserted as a second row with the key 1.
#   Other columns are cut too: 2.7 updates an integer column to 2. With `streamed_exec=False`, a merge of the same decimals inserts each row once more,
#   because the bounds of decimals in the log are doubles.
# Versions: deltalake 1.6.6, pyarrow 26.0.1.
# Why it matters: the key of a dimension is in two rows from then on, and each join with it doubles the rows of the fact table.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check deltalake==1.6.6 pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal, sys
import deltalake, pyarrow as pa
from deltalake import DeltaTable, write_deltalake

print("deltalake", deltalake.__version__, "pyarrow", pa.__version__)


def merged(name, there, given, **options):
    write_deltalake(name, there)
    merge = DeltaTable(name).merge(given, "t.id = s.id", source_alias="s", target_alias="t", **options)
    merge.when_matched_update_all().when_not_matched_insert_all().execute()
    return sorted((str(row["id"]), str(row["v"])) for row in DeltaTable(name).to_pyarrow_table().to_pylist())


seen = []
seen.append(merged("integers", pa.table({"id": pa.array([1], pa.int32()), "v": pa.array([1], pa.int32())}), pa.table({"id": [1.5, 1.0], "v": [3.9, 2.7]})))
print("the keys 1.5 and 1.0 merged into 1:", seen[-1])
decimals = pa.array([decimal.Decimal("12345678901234567891")], pa.decimal128(20, 0))
for streamed in (True, False):
    seen.append(merged(f"decimals{streamed}", pa.table({"id": decimals, "v": ["old"]}), pa.table({"id": decimals, "v": ["new"]}), streamed_exec=streamed))
    print(f"the same decimal key merged with streamed_exec={streamed}:", seen[-1])
key = "12345678901234567891"
if seen != [[("1", "2"), ("1", "3")], [(key, "new")], [(key, "new"), (key, "old")]]:
    sys.exit(f"changed: found {seen}")
PYTHON
