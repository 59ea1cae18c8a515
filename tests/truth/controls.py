"""Control attributes of rows in streams of YTsaurus: indices, key switches, columns that no schema describes.

One table of random rows is in YSON and in Skiff, and goes to YSON, to Skiff, and through `xwalk job`. The attributes of
each row arrive, or the conversion reports that they do not; what only some rows have is never made up for the others.
"""
import dataclasses
import struct
import subprocess

import trip
from yt import yson

SCHEMA = [{"name": "a", "type_v3": "int64"}, {"name": "b", "type_v3": {"type_name": "optional", "item": "string"}}]
NOTHING, INT64 = {"wire_type": "nothing"}, {"wire_type": "int64"}
INDICES = {"$row_index": "row", "$range_index": "range"}


@dataclasses.dataclass
class Row:
    values: dict
    #: Columns that the schema does not describe.
    others: dict
    range: int = None
    row: int = None
    switch: bool = False


def random_rows(rng):
    """Rows that all have an index after the first one that has, as in streams of YTsaurus."""
    rows, at_range, at_row = [], None, None
    from_begin, ranges, indices = rng.random() < 0.6, rng.random() < 0.5, rng.random() < 0.7
    for number in range(rng.randint(1, 8)):
        begins = from_begin if number == 0 else rng.random() < 0.25
        if at_row is not None:
            at_row += 1
        if begins and ranges:
            at_range, at_row = rng.choice([0, 1, 7, 2**40]), None if rng.random() < 0.1 else at_row
        if begins and indices:
            at_row = rng.choice([0, 5, 2**40, at_row])
        if rows and at_range != rows[-1].range and not (begins and indices):
            at_row = None
        values = {"a": rng.choice([0, -1, number, 2**63 - 1]), "b": rng.choice([None, b"", b"x", b"\xff"])}
        others = {key: rng.choice([1, b"y", [1, 2], {b"k": 1.5}]) for key in rng.sample([b"z", b"c d", b"$y"], rng.randint(0, 2))}
        rows.append(Row(values, others if rng.random() < 0.5 else {}, at_range, at_row, rng.random() < 0.2))
    return rows


def as_yson(rows):
    """Rows after their control entities."""
    out, before = [], None
    for row in rows:
        told = {}
        if row.switch:
            told["key_switch"] = True
        changed = before is not None and before.range != row.range
        if row.range is not None and (before is None or changed):
            told["range_index"] = yson.YsonInt64(row.range)
        follows = before is not None and not changed and (
            row.row is None or (before.row is not None and row.row == before.row + 1))
        if row.row is not None and not follows:
            told["row_index"] = yson.YsonInt64(row.row)
        if told:
            out.append(yson.to_yson_type(None, attributes=told))
        values = {key.encode(): value for key, value in row.values.items() if value is not None}
        out.append({**values, **row.others})
        before = row
    return out


def of_yson(path):
    """Rows as described by control entities."""
    rows, now = [], Row({}, {})
    for item in yson.loads(open(path, "rb").read(), yson_type="list_fragment", encoding=None):
        if isinstance(item, yson.YsonEntity):
            told = {plain(key).decode(): value for key, value in item.attributes.items()}
            if "range_index" in told and int(told["range_index"]) != now.range:
                now = dataclasses.replace(now, range=int(told["range_index"]), row=None)
            if "row_index" in told:
                now = dataclasses.replace(now, row=int(told["row_index"]))
            if "key_switch" in told:
                now = dataclasses.replace(now, switch=bool(told["key_switch"]))
            continue
        found = {plain(key): plain(value) for key, value in item.items()}
        values = {"a": found.pop(b"a"), "b": found.pop(b"b", None)}
        rows.append(dataclasses.replace(now, values=values, others=found))
        now = Row({}, {}, now.range, None if now.row is None else now.row + 1)
    return rows


def plain(value):
    if isinstance(value, (yson.YsonEntity, type(None))):
        return None
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, yson.YsonStringProxy):
        return yson.get_bytes(value)
    if isinstance(value, bytes):
        return bytes(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {plain(key): plain(item) for key, item in value.items()}
    return float(value) if isinstance(value, float) else int(value)


def random_wire(rng, rows):
    """A skiff schema that can describe these rows, or a part of their attributes."""
    slots = [{"wire_type": "int64", "name": "a"},
             {"wire_type": "variant8", "children": [NOTHING, {"wire_type": "string32"}], "name": "b"}]
    for name, of in INDICES.items():
        known = all(getattr(row, of) is not None for row in rows)
        shapes = [[NOTHING, INT64, NOTHING], *([[NOTHING, INT64]] if known else [])]
        if rng.random() < 0.6:
            slots.append({"wire_type": "variant8", "children": rng.choice(shapes), "name": name})
    if rng.random() < 0.5:
        slots.append({"wire_type": "boolean", "name": "$key_switch"})
    rng.shuffle(slots)
    if any(row.others for row in rows) or rng.random() < 0.3:
        slots.append({"wire_type": "yson32", "name": "$other_columns"})
    return {"wire_type": "tuple", "children": slots}


def string(data):
    return struct.pack("<I", len(data)) + data


def as_skiff(rows, wire, rng):
    out, before = [], None
    for row in rows:
        data = b"\0\0"
        for slot in wire["children"]:
            name = slot["name"]
            if name == "a":
                data += struct.pack("<q", row.values["a"])
            elif name == "b":
                data += b"\0" if row.values["b"] is None else b"\1" + string(row.values["b"])
            elif name == "$key_switch":
                data += bytes([row.switch])
            elif name == "$other_columns":
                data += string(yson.dumps(row.others, yson_format="binary"))
            else:
                index = getattr(row, INDICES[name])
                has_range = any(each["name"] == "$range_index" for each in wire["children"])
                same = before is not None and (not has_range or before.range == row.range)
                last = before and getattr(before, INDICES[name])
                follows = index is not None and same and last is not None and index == last + (name == "$row_index")
                if index is None:
                    data += b"\2"
                elif follows and rng.random() < 0.8:
                    data += b"\0"
                else:
                    data += b"\1" + struct.pack("<q", index)
        out.append(data)
        before = row
    return b"".join(out)


def of_skiff(data, wire):
    rows, at = [], 0
    while at < len(data):
        row, at, before = Row({}, {}), at + 2, rows[-1] if rows else Row({}, {})
        tags = {}
        for slot in wire["children"]:
            name = slot["name"]
            if name == "a":
                row.values["a"], = struct.unpack_from("<q", data, at)
                at += 8
            elif name == "$key_switch":
                row.switch, at = data[at] == 1, at + 1
            elif name == "$other_columns" or (name == "b" and data[at] == 1):
                at += name == "b"
                size, = struct.unpack_from("<I", data, at)
                found, at = data[at + 4:at + 4 + size], at + 4 + size
                if name == "b":
                    row.values["b"] = found
                else:
                    row.others = plain(yson.loads(found, encoding=None))
            elif name == "b":
                row.values["b"], at = None, at + 1
            else:
                tags[name], at = data[at], at + 1
                if tags[name] == 1:
                    setattr(row, INDICES[name], struct.unpack_from("<q", data, at)[0])
                    at += 8
        if tags.get("$range_index") == 0:
            row.range = before.range
        if tags.get("$row_index") == 0:
            row.row = before.row + 1
        rows.append(row)
    return rows


def write(path, schema, data):
    path.with_name(path.name + ".schema").write_bytes(yson.dumps(schema, yson_format="text"))
    path.write_bytes(data)


def wire_beside(path):
    node = yson.loads(open(f"{path}.schema", "rb").read())
    return trip.yt_tables.plain(node["format"].attributes["table_skiff_schemas"][0])


def told_by(rows, wire):
    """What of the rows a skiff schema tells."""
    names = {slot["name"] for slot in wire["children"]}
    return [Row(row.values, row.others, row.range if "$range_index" in names else None,
                row.row if "$row_index" in names else None, row.switch and "$key_switch" in names) for row in rows]


def hold(law, wanted, found):
    for number, (was, is_now) in enumerate(zip(wanted, found)):
        if was != is_now:
            raise trip.Broken(law, f"row {number}: {was} became {is_now}")
    if len(wanted) != len(found):
        raise trip.Broken(law, f"{len(wanted)} rows became {len(found)}")


def takes_back(before, after):
    """Whether a row has no index where that of the row before goes on, which no control entity says."""
    if before.range is not None and after.range is None:
        return True
    return before.row is not None and after.row is None and before.range == after.range


def go(rng, interface, program, folder):
    """Takes random rows one way. Returns the pair and what came of it; raises Broken."""
    rows = random_rows(rng)
    strict = not any(row.others for row in rows)
    table = yson.to_yson_type(SCHEMA, attributes={"strict": strict})
    wire = random_wire(rng, rows)
    beside = {"table_schemas": [table],
              "format": yson.to_yson_type("skiff", attributes={"table_skiff_schemas": [wire]})}
    source_system, target_system = rng.choice(["yt", "skiff"]), rng.choice(["yt", "skiff", "job"])
    source, target = folder / f"rows.{source_system}.x", folder / f"there.{target_system}.x"
    if target_system == "job":
        source_system = "skiff"
    if source_system == "yt":
        for before, after in zip(rows, rows[1:]):
            if takes_back(before, after):
                after.row = before.row + 1
        fragment = yson.dumps(as_yson(rows), yson_type="list_fragment", yson_format=rng.choice(["text", "binary"]))
        write(source, table, fragment)
    else:
        write(source, beside, as_skiff(rows, wire, rng))
        rows = told_by(rows, wire)
    pair = f"{source_system}:{target_system.replace('job', 'skiff')}"
    law = f"control attributes of rows arrive, {source_system} to {target_system}"
    if target_system == "job":
        beside = source.with_name(source.name + ".schema")
        done = subprocess.run([program, "job", "-q", "--schema", beside, "--output-schema", beside], stdin=source.open("rb"),
                              capture_output=True, timeout=60)
        if done.returncode:
            raise trip.Broken(law, f"exit code {done.returncode}: {done.stderr.decode()}")
        hold(law, rows, of_skiff(done.stdout, wire))
        return pair, "through a job"
    options = {"threads": 1, **rng.choice([{}, {"batch_rows": 1}, {"batch_rows": 3}])}
    wanted = set()
    if (source_system, target_system) == ("yt", "skiff"):
        wanted = {name for name in INDICES if rng.random() < 0.6}
        options.update({name.strip("$"): True for name in wanted})
    done = interface.convert(source_system, source, target_system, target, options)
    if (source_system, target_system) == ("yt", "skiff"):
        for name in wanted:
            of = INDICES[name]
            told = {getattr(row, of) is not None for row in rows}
            if told == {True, False}:
                if done.code != 3:
                    raise trip.Broken(law, f"{name} of some rows only: exit code {done.code}")
                return pair, "refused"
            if told == {False}:
                for number, row in enumerate(rows):
                    setattr(row, of, number if of == "row" else 0)
        lost = {name for name, of in INDICES.items() if name not in wanted and any(getattr(row, of) is not None for row in rows)}
        lost |= {"$key_switch"} if any(row.switch for row in rows) else set()
        said = {note["path"] for note in (done.report or {}).get("notes", [])}
        if not done.code and said != lost:
            raise trip.Broken(law, f"{lost} is lost, and {said} is said to be")
        rows = [Row(row.values, row.others, row.range if "$range_index" in wanted else None,
                    row.row if "$row_index" in wanted else None) for row in rows]
    # Rows that a conversion rejects are rejected by readers of the rows, with the same message.
    if (source_system, target_system) == ("skiff", "yt"):
        foreseen = interface.check(source_system, source, target_system, {"rows": True})
        code = 3 if any(map(takes_back, rows, rows[1:])) else 0
        if (done.code, foreseen.code) != (code, code) or done.words != foreseen.words:
            raise trip.Broken(law, f"{code} is due: convert {done.code} {done.words}, check {foreseen.code} {foreseen.words}")
        if code:
            return pair, "refused"
    if done.code:
        raise trip.Broken(law, f"exit code {done.code}: {done.words}")
    found = of_yson(target) if target_system == "yt" else of_skiff(target.read_bytes(), wire_beside(target))
    hold(law, rows, found)
    return pair, "reported for rows"
