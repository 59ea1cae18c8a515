"""Skiff compared with YTsaurus's own code, the ytsaurus-yson bindings.

Random tables of every shape that the bindings support: required and optional simple types, sparse and other columns, several
tables, row index, range index, key switch. The tool reads the rows that the bindings wrote, and the bindings read the rows that
the tool writes after a conversion to Arrow.
"""
import io
import random
import subprocess

import pytest

from tests import harness

with harness.skip_if_missing():
    import yt_yson_bindings as bindings
    from yt import yson

    from tests.skiff.peer_rows import RANGE, ROW, dump, make

TOOL = harness.needs("tests/xwalk_skiff_oracle_tool")
SIMPLE = ["int64", "uint64", "double", "boolean", "string32", "yson32"]


def optional(node):
    name = node.pop("name")
    return {"name": name, "wire_type": "variant8", "children": [{"wire_type": "nothing"}, node]}


def random_schema(rng):
    children = []
    for index in range(rng.randrange(1, 6)):
        node = {"name": f"c{index}", "wire_type": rng.choice(SIMPLE)}
        children.append(optional(node) if rng.random() < 0.5 else node)
    if rng.random() < 0.4:
        sparse = [{"name": f"s{i}", "wire_type": rng.choice(SIMPLE[:5])} for i in range(rng.randrange(1, 4))]
        children.append({"name": "$sparse_columns", "wire_type": "repeated_variant16", "children": sparse})
    if rng.random() < 0.4:
        children.append({"name": "$other_columns", "wire_type": "yson32"})
    return {"wire_type": "tuple", "children": children}


def random_value(rng, wire):
    if wire == "int64":
        return rng.randrange(-2**63, 2**63) >> rng.randrange(64)
    if wire == "uint64":
        # The bindings crash on 2^64 - 1.
        return yson.YsonUint64((rng.randrange(2**64) >> rng.randrange(64)) & (2**64 - 2))
    if wire == "double":
        return rng.randrange(-10**6, 10**6) / 8
    if wire == "boolean":
        return rng.random() < 0.5
    if wire == "string32":
        return rng.choice(["", "a", "жук", "x" * rng.randrange(70)])
    return rng.choice([5, {"a": [1, "b"]}, "text", [True, 2.5], []])


def random_row(rng, schema):
    row = {}
    for node in schema["children"]:
        name, wire = node["name"], node["wire_type"]
        if wire == "variant8":
            if rng.random() < 0.6:
                row[name] = random_value(rng, node["children"][1]["wire_type"])
        elif name == "$sparse_columns":
            for child in node["children"]:
                if rng.random() < 0.5:
                    row[child["name"]] = random_value(rng, child["wire_type"])
        elif name == "$other_columns":
            if rng.random() < 0.5:
                row["extra"] = random_value(rng, "yson32")
        else:
            row[name] = random_value(rng, wire)
    return row


def configuration(schemas):
    node = yson.to_yson_type("skiff", attributes={"table_skiff_schemas": schemas})
    return yson.dumps(node, yson_format="text").decode()


def run(mode, schemas, data):
    done = subprocess.run([TOOL, mode, configuration(schemas)], input=data, capture_output=True)
    assert done.returncode == 0, done.stderr.decode() + data.hex()
    return done.stdout


def plain(value):
    """Rows without the bindings' own string and number types."""
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bytes, yson.YsonStringProxy)):
        return yson.get_bytes(value) if not isinstance(value, bytes) else value
    if isinstance(value, str):
        return str(value).encode()
    if isinstance(value, bool) or type(value).__name__ == "YsonBoolean":
        return bool(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return value


def tool_rows(schemas, data):
    text = run("rows", schemas, data)
    return [plain(row) for row in yson.loads(text, yson_type="list_fragment", encoding=None)]


def check_table(seed):
    rng = random.Random(seed)
    schema = random_schema(rng)
    rows = [random_row(rng, schema) for _ in range(rng.randrange(0, 9))]
    made = make(schema)
    data = dump(schema, rows)
    expected = [plain(row) for row in rows]
    found = tool_rows([schema], data)
    for row in found:
        assert row.pop(b"$table") == 0
    assert found == expected, (schema, expected, found)
    copied = run("copy", [schema], data)
    loaded = bindings.load_skiff(io.BytesIO(copied), [made], RANGE, ROW)
    names = {name for row in rows for name in row}
    back = [{name: record[name] for name in names if name in dict(record.items()) or name in row}
            for record, row in zip(loaded, rows)]
    back = [plain({k: v for k, v in row.items() if v is not None}) for row in back]
    assert back == expected, (schema, expected, back)


def check_special_columns():
    """Several tables with indices and key switches, written by the tool's rules and read by the bindings."""
    index = {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, {"wire_type": "int64"}]}
    schema = {"wire_type": "tuple", "children": [
        {"name": "a", "wire_type": "int64"}, {"name": "$key_switch", "wire_type": "boolean"},
        {"name": ROW, **index}, {"name": RANGE, **index}]}
    data = bytes.fromhex("0000" "0100000000000000" "00" "010a00000000000000" "010000000000000000"
                         "0000" "0200000000000000" "01" "00" "00"
                         "0100" "0300000000000000" "00" "010500000000000000" "010100000000000000"
                         "0100" "0400000000000000" "01" "00" "00")
    made = make(schema)
    found = tool_rows([schema, schema], data)
    assert [row[b"$row_index"] for row in found] == [10, 11, 5, 6], found
    assert [row[b"$range_index"] for row in found] == [0, 0, 1, 1], found
    assert [row[b"$table"] for row in found] == [0, 0, 1, 1], found
    loaded = bindings.load_skiff(io.BytesIO(data), [made, made], RANGE, ROW)
    values = [plain(record["a"]) for record in loaded if not isinstance(record, bindings.SkiffTableSwitch)]
    assert values == [1, 2, 3, 4], values


@pytest.mark.parametrize("seed", range(1000 if harness.ALL else 60))
def test_table(seed):
    # The bindings end the process on some inputs.
    harness.run_in_child(check_table, seed)


def test_special_columns():
    harness.run_in_child(check_special_columns)
