#!/usr/bin/env bash
# Expected: the Python client checks a value by the type of the column before it writes it as structured Skiff, as it does for Date.
# Seen: Int8 accepts 300 and Uint8 accepts 300. The microseconds of a datetime are cut for a column of type datetime. For a column of
#   optional<optional<int64>> the schema in the request has two optional levels, and the bytes of the row have one.
# Versions: ytsaurus-client 0.13.55, ytsaurus-yson 0.4.10.
# Why it matters: operations in Python are tested with the client's own reader, which returns 300. Values are refused or read otherwise later.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check ytsaurus-client==0.13.55 ytsaurus-yson==0.4.10
venv/bin/python - <<'PYTHON'
import datetime, io, sys, typing
from importlib.metadata import version
import yt.type_info as ti
from yt.wrapper import schema
from yt.wrapper.format import StructuredSkiffFormat

print("ytsaurus-client", version("ytsaurus-client"), "ytsaurus-yson", version("ytsaurus-yson"))


def written(python_type, value, table_type=None):
    row = schema.yt_dataclass(type("Row", (object,), {"__annotations__": {"x": python_type}}))
    table = schema.TableSchema(strict=True).add_column("x", table_type) if table_type else None
    py_schema = schema._create_row_py_schema(row, schema=table)
    stream = io.BytesIO()
    StructuredSkiffFormat([py_schema], for_reading=False).dump_rows([row(x=value)], stream)
    column = schema._row_py_schema_to_skiff_schema(py_schema)["children"][0]
    return stream.getvalue()[2:].hex(), column


def levels(column):
    return 1 + levels(column["children"][1]) if column["wire_type"] == "variant8" else 0


utc = datetime.timezone.utc
late = datetime.datetime(2026, 7, 1, 12, 0, 0, 999999, tzinfo=utc)
whole = datetime.datetime(2026, 7, 1, 12, tzinfo=utc)
int8 = written(schema.Int8, 300)[0]
uint8 = written(schema.Uint8, 300)[0]
cut = written(datetime.datetime, late, ti.Datetime)[0] == written(datetime.datetime, whole, ti.Datetime)[0]
twice, twice_schema = written(typing.Optional[int], 5, ti.Optional[ti.Optional[ti.Int64]])
print("300 as Int8 and as Uint8:", int8, uint8)
print("12:00:00.999999 into datetime has the bytes of 12:00:00:", cut)
print(f"5 into optional<optional<int64>>: {twice}, {len(twice) // 2 - 8} byte of tags; optional levels in the schema: {levels(twice_schema)}")
seen = (int8, uint8, cut, twice, levels(twice_schema))
expected = ("2c01000000000000", "2c01000000000000", True, "010500000000000000", 2)
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
