#!/usr/bin/env bash
# Expected: values of YDB types that are converted to protobuf and back by the Python client are the same.
# Seen: a null in the values of a dictionary becomes 0, while nulls in lists, structs, tuples and keys are kept. A Decimal(35,10) comes
#   back with 28 digits, the default precision of Python's decimal module.
# Versions: ydb 3.33.2.
# Why it matters: rows that are read from YDB and written elsewhere have zeros for unknown values, and long amounts are rounded.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check ydb==3.33.2
venv/bin/python - <<'PYTHON'
import decimal, sys
from importlib.metadata import version
import ydb
from ydb import convert

print("ydb", version("ydb"))
int64, int8 = ydb.PrimitiveType.Int64, ydb.PrimitiveType.Int8
optional = ydb.OptionalType(int64)
amount = decimal.Decimal("1234567890123456789012345.0123456789")
cases = [
    (ydb.DictType(int8, optional), {1: None, 2: 0}, {1: 0, 2: 0}),
    (ydb.DictType(optional, int8), {None: 1}, {None: 1}),
    (ydb.ListType(optional), [None, 0], [None, 0]),
    (ydb.StructType().add_member("a", optional), {"a": None}, {"a": None}),
    (ydb.TupleType().add_element(optional), (None,), (None,)),
    (ydb.DecimalType(35, 10), amount, decimal.Decimal("1234567890123456789012345.012")),
]
changed = []
for type, value, expected in cases:
    back = convert.to_native_value(convert.to_typed_value_from_native(type.proto, value))
    print(f"{type}: {value} comes back as {back}")
    if back != expected:
        changed.append(f"{type} gives {back}")
if changed:
    sys.exit("changed: " + ", ".join(changed))
PYTHON
