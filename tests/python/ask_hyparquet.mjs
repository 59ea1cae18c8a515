// Asks hyparquet as ask_reader.py asks the readers of Python. Run with `node --input-type=module -e` in the folder of its package.
import { createInterface } from "node:readline";
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

function kindOf(value) {
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? value.constructor.name.replace("Object", "object") : typeof value;
}

function plain(value) {
  if (value === null || value === undefined) return null;
  if (typeof value === "bigint") return { integer: value.toString() };
  if (typeof value === "string") return { text: value };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (value instanceof Date) return ["instant", { integer: (BigInt(value.getTime()) * 1000000n).toString() }];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object") return Object.values(value).map(plain);
  return value;
}

for await (const line of createInterface({ input: process.stdin })) {
  let found;
  try {
    const asked = JSON.parse(line);
    const file = await asyncBufferFromFile(asked.path);
    const column = (await parquetMetadataAsync(file)).schema.find((part) => part.name === asked.column);
    const values = (await parquetReadObjects({ file, compressors })).map((row) => row[asked.column]);
    const first = values.find((value) => value !== null && value !== undefined);
    const isVariant = column.logical_type?.type === "VARIANT";
    const isUuid = column.logical_type?.type === "UUID";
    const shown = isUuid ? values.map((value) => value && Buffer.from(value.replaceAll("-", ""), "hex")) : values;
    found = { type: isVariant ? "decoded values" : String(kindOf(first)), plain: shown.map(plain) };
  } catch (error) {
    found = { refused: String(error).slice(0, 300) };
  }
  console.log(JSON.stringify(found));
}
