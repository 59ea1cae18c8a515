#!/usr/bin/env bash
# Expected: a Parquet library of Node reads a column as its numbers, or refuses the type. What it writes is what it was given.
# Seen: unsigned integers of 32 and 64 bits are read as negative. INT96 is read as nanoseconds of the day, without the day. Decimals are bytes,
#   whose scale is lost. Written, 23:00 of 1969-12-31 becomes the day 1970-01-01, 1.7 becomes the integer 1, 1e300 becomes inf, and the text
#   "false" becomes true.
# Versions: @dsnp/parquetjs 1.8.8 (npm), pyarrow 26.0.1.
# Why it matters: it is the maintained one of the libraries named parquetjs. Services that pass tables on in JavaScript use it in both directions.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
npm install --silent --no-audit --no-fund @dsnp/parquetjs@1.8.8 >/dev/null
venv/bin/python - <<'PYTHON'
import datetime, decimal
import pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__)
columns = {"u32": pa.array([2**32 - 1], pa.uint32()), "u64": pa.array([2**64 - 1], pa.uint64()),
           "decimal": pa.array([decimal.Decimal("12.50")], pa.decimal128(20, 2))}
for name, column in columns.items():
    pq.write_table(pa.table({"x": column}), f"{name}.parquet", compression="none")
noon = pa.table({"x": pa.array([datetime.datetime(2026, 7, 1, 12)], pa.timestamp("ns"))})
pq.write_table(noon, "int96.parquet", compression="none", use_deprecated_int96_timestamps=True)
PYTHON
cat >run.mjs <<'JAVASCRIPT'
import { readFileSync } from "node:fs";
import parquet from "@dsnp/parquetjs";

console.log("@dsnp/parquetjs", JSON.parse(readFileSync("node_modules/@dsnp/parquetjs/package.json")).version, "node", process.version);
const seen = [];
for (const name of ["u32", "u64", "int96", "decimal"]) {
  const reader = await parquet.ParquetReader.openFile(`${name}.parquet`);
  const { x } = await reader.getCursor().next();
  await reader.close();
  seen.push(x instanceof Uint8Array ? Buffer.from(x).toString("hex") : String(x));
  console.log(`read ${name}: ${seen.at(-1)}`);
}
const expected = ["-1", "-1", "43200000000000", "0000000000000004e2"];
if (seen.join() !== expected.join()) {
  console.error(`changed: expected ${expected}, found ${seen}`);
  process.exit(1);
}
const columns = { day: "DATE", whole: "INT32", real: "FLOAT", flag: "BOOLEAN" };
const schema = new parquet.ParquetSchema(Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, { type }])));
const writer = await parquet.ParquetWriter.openFile(schema, "written.parquet");
await writer.appendRow({ day: new Date("1969-12-31T23:00:00Z"), whole: 1.7, real: 1e300, flag: "false" });
await writer.close();
JAVASCRIPT
node run.mjs
venv/bin/python - <<'PYTHON'
import datetime, sys
import pyarrow.parquet as pq

row = pq.read_table("written.parquet").to_pylist()[0]
print("written: 1969-12-31T23:00Z, 1.7, 1e300, 'false'; read by pyarrow:", row)
expected = {"day": datetime.date(1970, 1, 1), "whole": 1, "real": float("inf"), "flag": True}
if row != expected:
    sys.exit(f"changed: expected {expected}, found {row}")
PYTHON
