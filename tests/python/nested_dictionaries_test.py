"""Dictionaries of nested types, with nulls among the indices and among the values: every system gets a null if Arrow
has one, and what `check --rows` counts is what `convert` does.
"""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import lance  # noqa: F401
    import pyarrow as pa
    import pyarrow.ipc as ipc
    import vortex  # noqa: F401

INDICES = [0, 1, None, 2, None, 0]
PAIR = pa.struct([pa.field("x", pa.int64()), pa.field("y", pa.string())])


def union(mode):
    codes, numbers, texts = pa.array([0, 1, 0], pa.int8()), pa.array([7, 8, None], pa.int64()), pa.array(["p", "s", "q"])
    if mode == "sparse":
        return pa.UnionArray.from_sparse(codes, [numbers, texts], ["a", "b"])
    return pa.UnionArray.from_dense(codes, pa.array([0, 0, 1], pa.int32()), [numbers.take(pa.array([0, 2])), texts.slice(1, 1)],
                                    ["a", "b"])


#: The values, and what rows that show them look like; None is a null.
VALUES = {
    "struct": (pa.array([{"x": 1}, None, {"y": "t"}], PAIR), [{"x": 1}, None, {"y": "t"}]),
    "struct of required": (pa.array([{"x": 1}, {"x": 2}, {"x": 3}], pa.struct([pa.field("x", pa.int64(), False)])),
                           [{"x": 1}, {"x": 2}, {"x": 3}]),
    "list": (pa.array([[1, None], None, []], pa.list_(pa.int32())), [[1, None], None, []]),
    "large_list": (pa.array([[1, 2], None, []], pa.large_list(pa.int32())), [[1, 2], None, []]),
    "list_view": (pa.array([[1, 2], None, []], pa.list_view(pa.int32())), [[1, 2], None, []]),
    "fixed_size_list": (pa.array([[1, 2], None, [3, None]], pa.list_(pa.int32(), 2)), [[1, 2], None, [3, None]]),
    "map": (pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int32())), [[["k", 1]], None, []]),
    "dense_union": (union("dense"), [{"a": 7}, {"b": "s"}, {"a": None}]),
    "sparse_union": (union("sparse"), [{"a": 7}, {"b": "s"}, {"a": None}]),
    "list of unions": (pa.ListArray.from_arrays(pa.array([0, 2, None, 3], pa.int32()), union("dense")),
                       [[{"a": 7}, {"b": "s"}], [{"a": None}], None]),
}


def plain(value):
    """A value as VALUES shows it: structs without their nulls, alternatives without the others, boxes as their contents."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"key", "value"}:
        return [value["key"], plain(value["value"])]
    if set(value) == {"value"}:
        return plain(value["value"])
    kept = {name: item for name, item in value.items() if item is not None} or value
    return {name: plain(item) for name, item in kept.items()}


#: Engines get the same columns as the other systems, so one type of indices is enough for them.
TARGETS = [(index, system) for index in (pa.int8(), pa.int32(), pa.uint64())
           for system in ("yson", "skiff", "parquet", "lance", "vortex", "jsonl")
           if index == pa.int32() or system not in ("lance", "vortex")]


@pytest.mark.parametrize("index, system", TARGETS, ids=str)
@pytest.mark.parametrize("kind", VALUES)
def test_rows(kind, index, system, tmp_path):
    values, shown = VALUES[kind]
    column = pa.DictionaryArray.from_arrays(pa.array(INDICES, index), values)
    table = pa.table({"c": column, "in": pa.StructArray.from_arrays([column], ["c"])})
    source, target = tmp_path / "in.arrow", tmp_path / f"out.{system}"
    with ipc.new_file(str(source), table.schema) as writer:
        writer.write_table(table)
    keys = ("--duplicate-keys", "keep", "--allow", "lossy")
    check = harness.run("check", source, "--to", "json" if system == "jsonl" else system, "--rows", "--json", *keys, code=range(256))
    assert json.loads(check.stdout)["rows"]["refused"] == 0
    harness.run("convert", source, target, "-q", *keys)
    rows = [json.loads(line) for line in harness.run("head", target, "--as", "json").stdout.splitlines()]
    wanted = [None if place is None else shown[place] for place in INDICES]
    assert [plain(row["c"]) for row in rows] == wanted
    assert [plain(row["in"]["c"]) for row in rows] == wanted
