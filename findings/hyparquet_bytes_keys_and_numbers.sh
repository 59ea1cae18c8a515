#!/usr/bin/env bash
# Expected: hyparquet, a reader of Parquet in JavaScript, gives bytes as bytes, keys as they are, and numbers that are exact, or an error.
# Seen: bytes that are not UTF-8 become U+FFFD in a string. Map keys become text, and the last of equal keys remains. A decimal is a double, and so
#   is an integer within JSON: 9007199254740993 becomes 9007199254740992. The same integer in an int64 column is exact.
# Versions: hyparquet 1.33.0 (npm), pyarrow 26.0.1 as the writer.
# Why it matters: hashes, ids and amounts on web pages that read Parquet directly.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund hyparquet@1.33.0 >/dev/null
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check pyarrow==26.0.1
venv/bin/python - <<'PYTHON'
import decimal
import pyarrow as pa, pyarrow.parquet as pq

print("pyarrow", pa.__version__)
pq.write_table(pa.table({
    "bytes": pa.array([b"a\xff"], pa.binary()),
    "map": pa.array([[(1, "x"), (2, "y"), (1, "z")]], pa.map_(pa.int64(), pa.string())),
    "decimal": pa.array([decimal.Decimal("90071992547409.93")], pa.decimal128(18, 2)),
    "json": pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"id": 9007199254740993}'])),
    "number": pa.array([9007199254740993], pa.int64()),
}), "f.parquet", compression="none")
PYTHON
cat >ask.mjs <<'JS'
import { readFileSync } from "node:fs";
import { parquetReadObjects } from "hyparquet";

console.log("hyparquet", JSON.parse(readFileSync("node_modules/hyparquet/package.json")).version);
const bytes = readFileSync("f.parquet");
const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const [row] = await parquetReadObjects({ file });
const shown = JSON.stringify(row, (_, value) => typeof value === "bigint" ? `${value}n` : value);
console.log(shown);
const expected = '{"bytes":"a\ufffd","map":{"1":"z","2":"y"},"decimal":90071992547409.92,"json":{"id":9007199254740992},"number":"9007199254740993n"}';
if (shown !== expected) {
  console.log(`changed: found ${shown}`);
  process.exit(1);
}
JS
node ask.mjs
