"""Writes spark.json next to this file: values of VARIANT with the bytes that Spark 4 gives them. Needs pyspark."""

import json
import pathlib
import struct
import uuid

from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.sql.session.timeZone", "UTC").getOrCreate()
ORDER = {"order": 7, "lines": [{"sku": "lamp", "count": 2}, {"sku": "cup", "count": 1, "gift": True}, None], "note": None}
WIDE = {f"k{i:03}": i for i in range(300)}
NUMBERS = [1, -1, 127, 128, -32768, 40000, 2147483648, -9223372036854775808]


def parsed(value):
    return f"parse_json('{json.dumps(value)}')", value


#: The SQL of each value, and its JSON.
CASES = {
    "list_of_nothing": parsed([]),
    "object_of_nothing": parsed({}),
    "numbers": parsed(NUMBERS),
    "orders": parsed(ORDER),
    "wide_object": parsed(WIDE),
    "long_list": parsed(list(range(400))),
    "null": ("parse_json('null')", None),
    "true": ("parse_json('true')", True),
    "false": ("parse_json('false')", False),
    "int8": ("cast(cast(5 as tinyint) as variant)", 5),
    "int16": ("cast(cast(-300 as smallint) as variant)", -300),
    "int32": ("cast(cast(70000 as int) as variant)", 70000),
    "int64": ("cast(cast(123456789012345678 as bigint) as variant)", 123456789012345678),
    "decimal4": ("cast(cast('3.14' as decimal(9,2)) as variant)", 3.14),
    "decimal8": ("cast(cast('-98765432.5' as decimal(18,1)) as variant)", -98765432.5),
    "decimal16": ("cast(cast('12345678901234567890.5' as decimal(38,1)) as variant)", 12345678901234567890.5),
    "double": ("cast(cast(0.1 as double) as variant)", 0.1),
    "float": ("cast(cast(1.5 as float) as variant)", 1.5),
    "date": ("cast(date'2026-02-28' as variant)", "2026-02-28"),
    "timestamp": ("cast(timestamp'2026-02-28 23:59:58.25' as variant)", "2026-02-28T23:59:58.25Z"),
    "local_timestamp": ("cast(timestamp_ntz'1969-12-31 00:00:01.000001' as variant)", "1969-12-31T00:00:01.000001"),
    "binary": ("cast(x'00ff10' as variant)", "AP8Q"),
    "short_text": ("cast('zażółć' as variant)", "zażółć"),
    "long_text": ("cast(repeat('ab', 50) as variant)", "ab" * 50),
}
out = []
for name, (sql, value) in CASES.items():
    v = spark.sql(f"select {sql} as v").collect()[0].v
    out.append({"name": name, "metadata": bytes(v.metadata).hex(), "value": bytes(v.value).hex(), "json": value})
# Types that Spark lacks, by the numbers of the specification.
DAY = 86400 * 10 ** 9
for name, header, data, value in (
        ("time", 17, struct.pack("<q", (3 * 3600 + 4 * 60 + 5) * 10 ** 6 + 600000), "03:04:05.6"),
        ("timestamp_ns", 18, struct.pack("<q", DAY + 1), "1970-01-02T00:00:00.000000001Z"),
        ("local_timestamp_ns", 19, struct.pack("<q", DAY + 20), "1970-01-02T00:00:00.00000002"),
        ("uuid", 20, uuid.UUID("00112233-4455-6677-8899-aabbccddeeff").bytes, "00112233-4455-6677-8899-aabbccddeeff")):
    out.append({"name": name, "metadata": "010000", "value": bytes([header << 2]).hex() + data.hex(), "json": value})
lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in out)
pathlib.Path(__file__).with_name("spark.json").write_text(f"[\n{lines}\n]\n")
