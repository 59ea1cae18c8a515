#!/usr/bin/env bash
# Expected: a decimal that JavaScript reads from an Arrow stream prints as its number, at least for the types that are read without an error.
# Seen: no type prints its decimal point. A negative decimal64 is read without its sign (-1.25 prints 18446744073709551491), and
#   decimal256 1.25 prints 5 instead of 125.
# Versions: apache-arrow 21.2.0 (npm), pyarrow 26.0.1 writes.
# Why it matters: decimal64 is what newer writers choose for amounts. A page in a browser shows other sums than the table has.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
npm install --silent --no-audit --no-fund apache-arrow@21.2.0 >/dev/null
venv/bin/python - <<'PYTHON'
import decimal
import pyarrow as pa

print("pyarrow", pa.__version__)
for bits, type in [(32, pa.decimal32(5, 2)), (64, pa.decimal64(15, 2)), (128, pa.decimal128(20, 2)), (256, pa.decimal256(50, 2))]:
    table = pa.table({"x": pa.array([decimal.Decimal("1.25"), decimal.Decimal("-1.25")], type)})
    with pa.ipc.new_stream(f"decimal{bits}.arrows", table.schema) as stream:
        stream.write_table(table)
PYTHON
cat >read.mjs <<'JAVASCRIPT'
import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";

console.log("apache-arrow", JSON.parse(readFileSync("node_modules/apache-arrow/package.json")).version, "node", process.version);
const seen = [];
for (const bits of [32, 64, 128, 256]) {
  const column = tableFromIPC(readFileSync(`decimal${bits}.arrows`)).getChild("x");
  const texts = [...column].map((value) => String(value));
  console.log(`decimal${bits} 1.25 and -1.25 print ${texts.join(" and ")}`);
  seen.push(...texts);
}
const expected = ["125", "-125", "125", "18446744073709551491", "125", "-125", "5", "-5"];
if (seen.join() !== expected.join()) {
  console.error(`changed: expected ${expected.join(", ")}, found ${seen.join(", ")}`);
  process.exit(1);
}
JAVASCRIPT
node read.mjs
