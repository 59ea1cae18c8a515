#!/usr/bin/env bash
# Expected: fastavro stores an int of Python in the branch `long` of a union of double and long, since the value fits only there.
# Seen: the first branch that accepts the value wins, and `double` accepts any int: 2**53 + 1 is stored as 9007199254740992.0. With `long` before
#   `double` in the schema it is exact. The file is valid, so that no reader can see it.
# Versions: fastavro 1.13.1.
# Why it matters: unions of numbers come from inferred schemas. Ids of 64 bits change in their last digits while small test values stay.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check fastavro==1.13.1
venv/bin/python - <<'PYTHON'
import io, sys
import fastavro

print("fastavro", fastavro.__version__)
value = 2**53 + 1
seen = []
for union in (["double", "long"], ["null", "float", "long"], ["long", "double"]):
    schema = {"type": "record", "name": "row", "fields": [{"name": "x", "type": union}]}
    file = io.BytesIO()
    fastavro.writer(file, schema, [{"x": value}], validator=True)
    file.seek(0)
    stored = next(fastavro.reader(file))["x"]
    print(f"{value} in {union}: {stored!r}")
    seen.append(repr(stored))
if seen != ["9007199254740992.0", "9007199254740992.0", "9007199254740993"]:
    sys.exit(f"changed: found {seen}")
PYTHON
