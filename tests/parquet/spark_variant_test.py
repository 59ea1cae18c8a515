"""VARIANT between xwalk and Spark 4: Spark reads the files that --shred writes, and xwalk those that Spark writes, shredded or not.
Values are decoded without the code under test. ROUNDS is the number of random types (12)."""

import os
import random
import sys

import pytest

from tests import harness

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    import pyarrow as pa
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
from shred_oracle_test import EMPTY, EXACT, NULL, WHOLE, random_type, random_values, run, shred, storage  # noqa: E402
from variant_bytes import read_dictionary, read_value  # noqa: E402

# Types that Spark 4.3 does not read as a column of Parquet, and what its message contains.
UNKNOWN_COLUMNS = {"time64[us]": "FAILED_READ_FILE", "timestamp[ns, tz=UTC]": "PARQUET_TYPE_ILLEGAL",
                   "timestamp[ns]": "PARQUET_TYPE_ILLEGAL", "fixed_size_binary[16] [arrow.uuid]": "PARQUET_TYPE_ILLEGAL"}


@pytest.fixture(scope="module")
def spark():
    # A sanitizer's runtime is not for Java.
    os.environ.pop("LD_PRELOAD", None)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = harness.spark_builder().config("spark.sql.session.timeZone", "UTC").config("spark.driver.memory", "1g").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def decoded(metadata, value):
    return read_value(read_dictionary(bytes(metadata))[0], bytes(value))


def spark_values(spark, path, column="v"):
    return [row[0] and decoded(row[0].metadata, row[0].value) for row in spark.read.parquet(str(path)).select(column).collect()]


def xwalk_values(path, folder, column="v"):
    """Returns the values that xwalk reads from a file."""
    target = os.path.join(folder, "read.arrow")
    run("convert", "--overwrite", path, target)
    with pa.ipc.open_file(target) as file:
        rows = file.read_all()[column].combine_chunks()
    return [row and decoded(row["metadata"], row["value"]) for row in getattr(rows, "storage", rows).to_pylist()]


@pytest.mark.parametrize(("text", "fits", "others"), [(text, fits, others) for text, _, fits, others in EXACT],
                         ids=[text for text, *_ in EXACT])
def test_spark_reads_shredded_types(tmp_path, spark, text, fits, others):
    values = [(EMPTY, value) for value in [*fits, *others, NULL]] + [None]
    _, target = shred(str(tmp_path), values, f"v={text}")
    if text in UNKNOWN_COLUMNS:
        with pytest.raises((PySparkException, Py4JJavaError), match=UNKNOWN_COLUMNS[text]):
            spark_values(spark, target)
    else:
        assert spark_values(spark, target) == [value and decoded(*value) for value in values]



def has_only_known(value):
    """Returns true for a value without times and nanoseconds, the types that Spark's VARIANT lacks."""
    if isinstance(value, (list, dict)):
        return all(map(has_only_known, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, bytes) or value[0] >> 2 not in (17, 18, 19) or value[0] & 3 != 0


def test_spark_reads_random_types(tmp_path, spark):
    shredded = 0
    rounds = int(os.environ.get("ROUNDS", "12"))
    for seed in range(rounds):
        rng = random.Random(seed)
        values = random_values(rng, has_only_known)
        text = f"v=list<item: {WHOLE}>" if seed == 1 else "auto"
        while seed > 1 and seed % 4 and (text == "auto" or any(unknown in text for unknown in UNKNOWN_COLUMNS)):
            text = "v=" + random_type(rng, 2)
        _, target = shred(str(tmp_path), values, text)
        shredded += "typed_value" in "".join(storage(target)[0])
        assert spark_values(spark, target) == [value and decoded(*value) for value in values], (seed, text)
    assert shredded > rounds / 2


#: What Spark makes of VARIANTs: parsed JSON, and values of its own types.
QUERIES = {
    "objects": """parse_json('{"id":' || id || ',"name":"n' || id || '","score":' || id || '.25,"tags":["a",' || id || '],"deep":{"x":' ||
               (case id % 3 when 0 then 'null' when 1 then '1.5e300' else '"text"' end) || '}}')""",
    "mixed": """case id % 5 when 0 then parse_json('{"k":' || id || '}') when 1 then cast(id as variant) when 2 then null
             when 3 then parse_json('null') else cast('s' || id as variant) end""",
    "types": """case id % 10 when 0 then cast(date'1969-12-31' as variant) when 1 then cast(timestamp'2026-02-28 23:59:58.25' as variant)
             when 2 then cast(timestamp_ntz'1969-12-31 00:00:01.000001' as variant) when 3 then cast(x'00ff10' as variant)
             when 4 then cast(cast('-98765432.5' as decimal(18,1)) as variant) when 5 then cast(cast(1.5 as float) as variant)
             when 6 then cast(cast('nan' as double) as variant) when 7 then cast(true as variant)
             when 8 then cast(cast('12345678901234567890.5' as decimal(38,1)) as variant) else cast(cast(-300 as smallint) as variant) end""",
    "timestamps": "to_variant_object(named_struct('at', timestamp_micros(id * 1000001), 'day', date_from_unix_date(cast(id as int)), "
                  "'price', cast(id / 4 as decimal(9,2)), 'list', array(id, null)))",
}


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.parametrize("shredding", ["true", "false"])
def test_xwalk_reads_what_spark_writes(tmp_path, spark, name, shredding):
    spark.conf.set("spark.sql.variant.writeShredding.enabled", shredding)
    spark.conf.set("spark.sql.variant.inferShreddingSchema", shredding)
    folder = tmp_path / "spark"
    rows = spark.range(0, 3000, 1, 1).selectExpr("id", f"{QUERIES[name]} as v")
    rows.write.parquet(str(folder))
    [path] = folder.glob("*.parquet")
    is_shredded = any("typed_value" in column for column in storage(path)[0])
    assert is_shredded == (shredding == "true" and name in ("objects", "timestamps")), storage(path)[0]
    expected = spark_values(spark, path)
    assert len(expected) == 3000 and xwalk_values(path, str(tmp_path)) == expected
    # Spark reads them again after xwalk has stored them whole, and shredded by xwalk.
    for option in ([], ["--shred", "auto"]):
        target = tmp_path / "out.parquet"
        run("convert", "--overwrite", path, target, *option)
        assert spark_values(spark, target) == expected
        run("diff", "--rows", path, target)
