"""Dictionaries of nested types, with nulls among the indices and among the values: every system gets a null if Arrow
has one, and what `check --rows` counts is what `convert` does.

usage: nested_dictionaries_test.py XWALK
"""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import lance  # noqa: F401
    import pyarrow as pa
    import pyarrow.ipc as ipc
    import vortex  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
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
failures = 0


def expect(what, condition, *shown):
    global failures
    if not condition:
        failures += 1
        print(f"FAILED: {what}:", *shown)


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


def run(*words):
    return subprocess.run([XWALK, *map(str, words)], capture_output=True, text=True, timeout=120)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for at, (kind, (values, shown)) in enumerate(VALUES.items()):
        for index in (pa.int8(), pa.int32(), pa.uint64()):
            column = pa.DictionaryArray.from_arrays(pa.array(INDICES, index), values)
            table = pa.table({"c": column, "in": pa.StructArray.from_arrays([column], ["c"])})
            source = folder / f"{at}.{index}.arrow"
            with ipc.new_file(str(source), table.schema) as writer:
                writer.write_table(table)
            wanted = [None if place is None else shown[place] for place in INDICES]
            for system in ("yson", "skiff", "parquet", "lance", "vortex", "jsonl"):
                if index != pa.int32() and system in ("lance", "vortex"):
                    continue  # the engines see what the others see
                what = f"{kind} by {index} to {system}"
                target = folder / f"{at}.{index}.{system}"
                check = run("check", source, "--to", "json" if system == "jsonl" else system, "--rows", "--json",
                            "--duplicate-keys", "keep", "--allow", "lossy")
                expect(what, check.stdout and json.loads(check.stdout)["rows"]["refused"] == 0, check.stdout[-2000:], check.stderr)
                done = run("convert", source, target, "-q", "--duplicate-keys", "keep", "--allow", "lossy")
                expect(what, done.returncode == 0, done.stderr)
                if done.returncode != 0:
                    continue
                rows = [json.loads(line) for line in run("head", target, "--as", "json").stdout.splitlines()]
                for place, row in enumerate(rows):
                    found = (plain(row["c"]), plain(row["in"]["c"]))
                    expect(f"{what}, row {place}", found == (wanted[place], wanted[place]), row, "expected", wanted[place])
                expect(what, len(rows) == len(INDICES), rows)
print(f"{failures} failed" if failures else "all as expected")
sys.exit(failures != 0)
