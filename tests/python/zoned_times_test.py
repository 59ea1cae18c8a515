"""Times with the name of a zone (`tz_*` of YTsaurus) to and from `arrow.timestamp_with_offset`: random instants in every zone are
compared with Python's zoneinfo, which reads the same database, and the files are read by pyarrow and pylance.
"""
import datetime
import json
import random
import re
import zoneinfo

import pytest

from tests import harness

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

OFFSET = "struct<timestamp: timestamp[{}, tz=UTC] not null, offset_minutes: int16 not null> [arrow.timestamp_with_offset]"
#: Type of YTsaurus, bytes of the number, whether it has a sign, unit, and microseconds per tick.
TYPES = [("tz_datetime", 4, False, "s", 10**6), ("tz_timestamp", 8, False, "us", 1), ("tz_datetime64", 8, True, "s", 10**6),
         ("tz_timestamp64", 8, True, "us", 1)]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
ZONES = sorted(name for name in zoneinfo.available_timezones() if name not in ("Factory", "localtime"))


def write(path, kind, size, signed, values):
    """Writes a table of YSON rows with the column z."""
    with open(path, "wb") as file:
        for ticks, zone in values:
            number = (ticks + (1 << (8 * size - 1)) if signed else ticks).to_bytes(size, "big")
            file.write(b'{z="' + b"".join(b"\\x%02x" % byte for byte in number + zone.encode()) + b'"};\n')
    path.with_name(path.name + ".schema").write_text(f"[{{name=z;type_v3={kind}}}]")


def rejected(path):
    """Returns the numbers of the rows in a file of rejected rows."""
    return [int(row) for row in re.findall(r'^\{"row"=(\d+);', path.read_text(), re.MULTILINE)] if path.exists() else []


def seconds_at(micros, zone):
    return round((EPOCH + datetime.timedelta(microseconds=micros)).astimezone(zoneinfo.ZoneInfo(zone)).utcoffset().total_seconds())


def random_values(rng, signed, scale, count):
    """Returns random ticks with random zones, many of them next to a change of the clock."""
    out = []
    for _ in range(count):
        zone = rng.choice(ZONES)
        year = rng.randint(1850 if signed else 1970, 2600 if signed else 2100)
        day = datetime.datetime(year, rng.randint(1, 12), rng.randint(1, 28), tzinfo=datetime.UTC)
        micros = (day - EPOCH) // datetime.timedelta(microseconds=1) + rng.randrange(86400 * 10**6)
        out.append((micros // scale, zone))
    return out


@pytest.mark.parametrize(("kind", "size", "signed", "unit", "scale"), TYPES)
def test_offsets_are_those_of_the_database(tmp_path, kind, size, signed, unit, scale):
    rng = random.Random(kind)
    values = random_values(rng, signed, scale, 4000)
    write(tmp_path / "in.yson", kind, size, signed, values)
    words = ["--cast", f"z={OFFSET.format(unit)}", "--allow", "lossy", "--on-error", "skip", "-q", "--rejects"]
    expected = []
    refused = []
    for row, (ticks, zone) in enumerate(values):
        seconds = seconds_at(ticks * scale, zone)
        if seconds % 60:
            refused.append(row)
        else:
            expected.append((ticks, seconds // 60))
    assert bool(refused) == signed, "times before 1970 have offsets with seconds"
    for name in ["out.parquet", "out.arrow", "out.lance"]:
        rejects = tmp_path / f"{name}.rejects"
        harness.run("convert", tmp_path / "in.yson", tmp_path / name, *words, rejects)
        table = {"out.parquet": pq.read_table, "out.lance": lambda path: lance.dataset(str(path)).to_table(),
                 "out.arrow": lambda path: pa.ipc.open_file(path).read_all()}[name](tmp_path / name)
        field = table.schema.field("z")
        assert field.metadata[b"ARROW:extension:name"] == b"arrow.timestamp_with_offset"
        assert field.type == pa.struct([pa.field("timestamp", pa.timestamp(unit if unit == "us" or "parquet" not in name else "ms", "UTC"), False),
                                        pa.field("offset_minutes", pa.int16(), False)])
        column = table["z"].combine_chunks()
        instants = column.field("timestamp").cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_pylist()
        found = list(zip(instants, column.field("offset_minutes").to_pylist(), strict=True))
        assert found == [(ticks * scale, minutes) for ticks, minutes in expected]
        assert rejected(rejects) == refused


@pytest.mark.parametrize(("kind", "size", "signed", "unit", "scale"), TYPES)
def test_offsets_become_zones_that_give_them_back(tmp_path, kind, size, signed, unit, scale):
    rng = random.Random(kind)
    hours = range(-12, 15)
    offsets = [60 * hour for hour in hours] + [rng.randint(-32768, 32767) for _ in range(200)] + [330, -210, 900, -780, 1]
    ticks = [rng.randrange(0, 4 * 10**9 * 10**6 // scale) for _ in offsets]
    rows = pa.StructArray.from_arrays([pa.array(ticks, pa.timestamp(unit, "UTC")), pa.array(offsets, pa.int16())],
                                      fields=[pa.field("timestamp", pa.timestamp(unit, "UTC"), False),
                                              pa.field("offset_minutes", pa.int16(), False)])
    field = pa.field("z", rows.type, False, {"ARROW:extension:name": "arrow.timestamp_with_offset", "ARROW:extension:metadata": ""})
    table = pa.table([rows], pa.schema([field]))
    with pa.OSFile(str(tmp_path / "in.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    harness.run("convert", tmp_path / "in.arrow", tmp_path / "out.yson", "--cast", f"z={kind}", "--on-error", "skip", "--rejects",
                tmp_path / "rejects", "-q")
    kept = [at for at, minutes in enumerate(offsets) if minutes % 60 == 0 and -12 <= minutes // 60 <= 14]
    assert len(kept) >= len(hours)
    assert rejected(tmp_path / "rejects") == [at for at in range(len(offsets)) if at not in kept]
    rows = [json.loads(line)["z"] for line in harness.run("head", tmp_path / "out.yson", "-n", 1000, "--as", "json").stdout.splitlines()]
    for row, at in zip(rows, kept, strict=True):
        assert seconds_at(ticks[at] * scale, row["zone"]) == 60 * offsets[at]
    # The way back gives every value.
    harness.run("convert", tmp_path / "out.yson", tmp_path / "back.arrow", "--cast", f"z={OFFSET.format(unit)}", "--allow", "lossy", "-q")
    assert pa.ipc.open_file(tmp_path / "back.arrow").read_all()["z"].to_pylist() == table.take(kept)["z"].to_pylist()


def test_a_machine_without_the_database_refuses_rows(tmp_path, monkeypatch):
    monkeypatch.setenv("TZDIR", str(tmp_path))
    write(tmp_path / "in.yson", "tz_datetime", 4, False, [(0, "Europe/Moscow")])
    done = harness.try_run("convert", tmp_path / "in.yson", tmp_path / "out.arrow", "--cast", f"z={OFFSET.format('s')}", "--allow", "lossy")
    assert done.returncode != 0
    assert f"expected the time zone \"Europe/Moscow\" in {tmp_path}, found no such file" in done.stderr and "tzdata" in done.stderr
