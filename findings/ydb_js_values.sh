#!/usr/bin/env bash
# Expected: a time with 5 milliseconds has 5 milliseconds in YDB, and the list [1, null] has 1 and null.
# Seen: TzTimestamp writes 05.5000, which is 500 ms, because the microseconds are not padded. `fromJs` makes a Datetime without milliseconds of a
#   Date, and of a TZDate, whose zone is lost. The type of a list or a Map is that of its last value: [1, null] is read back as [null, null],
#   and [null, 1] as [0, 1].
# Versions: @ydbjs/value 6.0.4 (npm).
# Why it matters: parameters of queries are made by `fromJs`. Events are stored at other times, in another order.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund @ydbjs/value@6.0.4 2>/dev/null
cat >ask.mjs <<'JAVASCRIPT'
import {readFileSync} from 'node:fs'
import {fromBinary, toBinary} from '@bufbuild/protobuf'
import {TZDate} from '@date-fns/tz'
import {TypeSchema, ValueSchema} from '@ydbjs/api/value'
import {fromJs, fromYdb, toJs} from '@ydbjs/value'
import {TzTimestamp} from '@ydbjs/value/primitive'

console.log('@ydbjs/value', JSON.parse(readFileSync('node_modules/@ydbjs/value/package.json')).version)
const sent = (schema, part) => fromBinary(schema, toBinary(schema, part))
const read = value => toJs(fromYdb(sent(ValueSchema, value.encode()), sent(TypeSchema, value.type.encode())))
const text = value => value instanceof Map ? JSON.stringify([...value]) : JSON.stringify(value)
const instant = '2026-01-02T03:04:05.005Z', berlin = new TZDate(instant, 'Europe/Berlin')
const seen = {
  'TzTimestamp, UTC': new TzTimestamp(new TZDate(instant, 'UTC')).value,
  'Date': text(read(fromJs(new Date(instant)))),
  'TZDate in Berlin': text(read(fromJs(berlin))),
  '[1, null]': text(read(fromJs([1, null]))),
  '[null, 1]': text(read(fromJs([null, 1]))),
  '{1: 2, 2: null}': text(read(fromJs(new Map([[1, 2], [2, null]])))),
}
const expected = {
  'TzTimestamp, UTC': '2026-01-02T03:04:05.5000,UTC',
  'Date': '"2026-01-02T03:04:05.000Z"',
  'TZDate in Berlin': '"2026-01-02T03:04:05.000Z"',
  '[1, null]': '[null,null]',
  '[null, 1]': '[0,1]',
  '{1: 2, 2: null}': '[[1,null],[2,null]]',
}
for (const [name, value] of Object.entries(seen)) console.log(`${name}: ${value}`)
if (text(seen) !== text(expected)) {
  console.log(`changed: expected ${text(expected)}, found ${text(seen)}`)
  process.exit(1)
}
JAVASCRIPT
node ask.mjs
