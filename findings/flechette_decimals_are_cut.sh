#!/usr/bin/env bash
# Expected: 0.29 in a column of decimal(18, 2) is 0.29, and 100000, which half floats do not hold, is infinite.
# Seen: Flechette writes 0.28, since it cuts 28.999999999999996 instead of rounding it. Of the 10001 amounts from 0.00 to 100.00, 573 are one
#   cent too low. 100000 becomes the half float 3.05, and 300 in int8 becomes 44.
# Versions: @uwdata/flechette 2.6.0 (npm), pyarrow 26.0.1 as the reader.
# Why it matters: pages that send amounts back as Arrow lose cents, always in one direction.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @uwdata/flechette@2.6.0
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
cat >write.mjs <<'JAVASCRIPT'
import {writeFileSync} from 'node:fs'
import {columnFromArray, decimal, float16, int8, tableFromColumns, tableToIPC} from '@uwdata/flechette'

const columns = {
  amounts: [Array.from({length: 10001}, (_, cents) => cents / 100), decimal(18, 2, 128)],
  halves: [[100000, 65504, 0.5], float16()],
  bytes: [[300, -1], int8()],
}
for (const [name, [values, type]] of Object.entries(columns)) {
  writeFileSync(name, tableToIPC(tableFromColumns({x: columnFromArray(values, type)}), {format: 'stream'}))
}
JAVASCRIPT
node write.mjs
venv/bin/python - <<'PYTHON'
import decimal, json, pathlib, sys
import pyarrow as pa, pyarrow.ipc as ipc

print("flechette", json.loads(pathlib.Path("node_modules/@uwdata/flechette/package.json").read_text())["version"], "pyarrow", pa.__version__)
found = {name: ipc.open_stream(name).read_all()["x"].to_pylist() for name in ("amounts", "halves", "bytes")}
lower = [decimal.Decimal(cents).scaleb(-2) for cents, amount in enumerate(found["amounts"]) if amount.scaleb(2) == cents - 1]
others = sum(amount.scaleb(2) not in (cents, cents - 1) for cents, amount in enumerate(found["amounts"]))
print(f"{len(lower)} amounts are a cent lower, such as {[str(amount) for amount in lower[:3]]}, {others} are others")
print(f"half floats {found['halves']}, int8 {found['bytes']}")
seen = (len(lower), others, found["halves"], found["bytes"])
if seen != (573, 0, [3.05078125, 65504.0, 0.5], [44, -1]):
    sys.exit(f"changed: found {seen}")
PYTHON
