"""Types by which a VARIANT is shredded come back from JSON text and YSON: the column has their note. Values are encoded and decoded without
the code under test, and files are shredded by xwalk and by DuckDB."""
import json
import random
import re
import struct
import sys

import pytest

from tests import harness

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq
from shred_oracle_test import EMPTY, EXACT, NULL, encode, write_variants  # noqa: E402
from variant_bytes import read_dictionary, read_value  # noqa: E402

harness.needs("libxwalk_parquet.so")
NOTE = "xwalk:variant.types"
TYPES = {text: fits for text, _, fits, _ in EXACT}
#: The note of each type, and the JSON of values that are read as if they were of it.
NOTED = {"date32": ("date", "2026-01-02"), "time64[us]": ("time", "12:30:00.5"), "timestamp[us, tz=UTC]": ("timestamp", "2026-01-02T12:30:00Z"),
         "timestamp[us]": ("timestamp_ntz", "2026-01-02T12:30:00"), "timestamp[ns, tz=UTC]": ("timestamp_nanos", "2026-01-02T12:30:00.000000001Z"),
         "timestamp[ns]": ("timestamp_nanos_ntz", "1999-12-31T23:59:59"), "binary": ("binary", "AAE="),
         "fixed_size_binary[16] [arrow.uuid]": ("uuid", "01234567-89ab-cdef-0123-456789abcdef")}


def decoded(path):
    column = pq.read_table(path).column("v").combine_chunks()
    column = getattr(column, "storage", column)
    return [row and read_value(read_dictionary(row["metadata"])[0], row["value"]) for row in column.to_pylist()]


def shred(folder, values, text):
    write_variants(str(folder / "in.arrow"), values)
    harness.run("convert", folder / "in.arrow", folder / "shredded.parquet", "--shred", f"v={text}", "-q", "--mode", "overwrite")
    return folder / "shredded.parquet"


def there_and_back(folder, source, type_, end):
    """Returns the values that come back from a file in which the column has another type, and the report on the way there."""
    target, back = folder / f"text.{end}", folder / "back.parquet"
    report = harness.run("convert", source, target, "--cast", f"v={type_}", "--mode", "overwrite").stderr
    harness.run("convert", target, back, "--cast", VARIANT, "-q", "--mode", "overwrite")
    return decoded(back), report


VARIANT = "v=struct<metadata: binary not null, value: binary not null> [arrow.parquet.variant]"


@pytest.mark.parametrize("end", ["parquet", "arrow", "lance", "vortex"])
@pytest.mark.parametrize("text", list(NOTED))
def test_type(tmp_path, text, end):
    """Values of the type come back from JSON, and values that would come back as one are rejected."""
    name, taken = NOTED[text]
    values = [(EMPTY, value) for value in [*TYPES[text], b"\x0c\x05", NULL, encode("no such text", [])]] + [None]
    source = shred(tmp_path, values, text)
    harness.run("convert", source, tmp_path / "noted.arrow", "-q")
    with pa.ipc.open_file(tmp_path / "noted.arrow") as file:
        assert json.loads(file.schema.field("v").metadata[NOTE.encode()]) == name
    expected = [value and read_value([], value[1]) for value in values]
    found, report = there_and_back(tmp_path, source, "json", end)
    assert found == expected, report
    source = shred(tmp_path, [*values, (EMPTY, encode(taken, []))], text)
    failed = harness.run("convert", source, tmp_path / "bad.parquet", "--cast", "v=json", code=3).stderr
    assert "come back as another type" in failed and f"row {len(values)}" in failed, failed


EVENT = {"at": TYPES["timestamp[us, tz=UTC]"][0], "day": [TYPES["date32"][0], TYPES["date32"][0]], "user": "Ada", "n": 5,
         "deep": {"id": TYPES["fixed_size_binary[16] [arrow.uuid]"][0], "ratio": b"\x38" + struct.pack("<f", 0.1)}}
EVENT_TYPE = ("struct<at: timestamp[us, tz=UTC], day: list<item: date32>, user: string, "
              "deep: struct<id: fixed_size_binary[16] [arrow.uuid], ratio: float>>")
NAMES = ["at", "day", "user", "n", "deep", "id", "ratio"]


def event(changes):
    lengths = [sum(map(len, NAMES[:i])) for i in range(len(NAMES) + 1)]
    return bytes([1, len(NAMES), *lengths]) + "".join(NAMES).encode(), encode({**EVENT, **changes}, NAMES)


@pytest.mark.parametrize("type_", ["json", "yson"])
def test_objects(tmp_path, type_):
    """Notes have places: the same text elsewhere stays text."""
    values = [event({}), event({"user": "2026-01-02", "n": "2026-01-02T00:00:00Z"}), event({"at": 7, "day": "x", "deep": []}), None]
    source = shred(tmp_path, values, EVENT_TYPE)
    found, report = there_and_back(tmp_path, source, type_, "parquet")
    assert found == [value and read_value(read_dictionary(value[0])[0], value[1]) for value in values]
    assert "checked" in report, report
    for changes in ({"at": "2026-01-02T00:00:00Z"}, {"day": ["2026-01-02"]}, {"deep": {"ratio": 0.5}}, {"user": TYPES["date32"][0]}):
        source = shred(tmp_path, [*values, event(changes)], EVENT_TYPE)
        failed = harness.run("convert", source, tmp_path / "bad.parquet", "--cast", f"v={type_}", code=3).stderr
        assert "row 4" in failed, (changes, failed)


def test_targets_without_notes(tmp_path):
    """YTsaurus keeps no metadata of columns: dates are rejected there, and nothing comes back that was never noted."""
    values = [(EMPTY, TYPES["date32"][0])]
    source = shred(tmp_path, values, "date32")
    for type_ in ("json", "yson"):
        failed = harness.run("convert", source, tmp_path / "out.yson", "--cast", f"v={type_}", code=3).stderr
        assert "found a date" in failed, failed
    harness.run("convert", source, tmp_path / "bare.parquet", "--cast", "v=json", "--no-annotations", code=3)
    pq.write_table(pa.table({"v": pa.array(['"2026-01-02"'], pa.json_())}), tmp_path / "plain.parquet")
    harness.run("convert", tmp_path / "plain.parquet", tmp_path / "plain-back.parquet", "--cast", VARIANT, "-q")
    assert decoded(tmp_path / "plain-back.parquet") == [("string", "2026-01-02")]


def test_duckdb(tmp_path):
    """A file that DuckDB shreds by itself."""
    source = tmp_path / "duck.parquet"
    duckdb.sql("copy (select {'d': date '2026-01-01' + i::int, 't': timestamptz '2026-01-01 00:00:00+00' + interval (i) second, 's': 's' || i}"
               f"::variant v from range(40000) r(i)) to '{source}'")
    assert "typed_value" in str(pq.ParquetFile(source).schema)
    harness.run("convert", source, tmp_path / "whole.parquet", "-q")
    found, _ = there_and_back(tmp_path, source, "json", "parquet")
    assert found == decoded(tmp_path / "whole.parquet")
    assert {kind for kind, _ in found[7][1].values()} == {"date", "timestamp", "string"}


@pytest.mark.parametrize("seed", range(4))
def test_random_text(tmp_path, seed):
    """Text that looks like a noted type comes back as text or is rejected."""
    rng = random.Random(seed)
    text = rng.choice(list(NOTED))
    letters = [re.sub(r"[0-9]", lambda _: str(rng.randrange(10)), NOTED[text][1]) for _ in range(100)]
    letters += ["".join(rng.sample(NOTED[text][1], len(NOTED[text][1]))) for _ in range(100)]
    letters += [" " + NOTED[text][1], NOTED[text][1] + "0", NOTED[text][1].lower(), NOTED[text][1].upper(), ""]
    values = [(EMPTY, encode(one, [])) for one in letters]
    source = shred(tmp_path, values, text)
    target, back = tmp_path / "text.parquet", tmp_path / "back.parquet"
    harness.run("convert", source, target, "--cast", "v=json", "--on-error", "skip", "-q", code=None)
    harness.run("convert", target, back, "--cast", VARIANT, "-q")
    found = decoded(back)
    assert 0 < len(found) < len(letters)
    assert {kind for kind, _ in found} == {"string"}
    assert {value for _, value in found} <= set(letters)
