"""The order of a dictionary's values is their meaning: it is kept, or its loss is reported, and one column has one order."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("ordered")
LEVELS = ["lo", "mid", "hi"]


def column(values, levels, ordered=True):
    indices = pa.array([None if value is None else levels.index(value) for value in values], pa.int8())
    return pa.DictionaryArray.from_arrays(indices, pa.array(levels), ordered=ordered)


def save(name, table):
    path = FOLDER / name
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    return path


def load(path):
    return pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()


@pytest.fixture(params=["arrow", "parquet"])
def end(request):
    return request.param


def lost_orders(*words):
    report = json.loads(harness.run("check", *words, "--json", code=(0, 1)).stdout)
    return {column["path"] for column in report["paths"] if "order of the dictionary" in str(column)}


def test_one_file(end):
    """Values come back in their order, or without one and with a finding: never in another."""
    table = pa.table({"c": column(["hi", None, "lo"], LEVELS), "s": pa.array([{"c": 1}, None, {"c": 2}])})
    source = save(f"one.{end}", table)
    back = FOLDER / f"one-{end}.out.arrow"
    harness.run("convert", source, back, "--mode", "overwrite")
    assert load(back)["c"].type.ordered
    assert load(back).to_pandas()["c"].max() == "hi"
    for other in ["parquet", "vortex", "lance", "yson"]:
        output = FOLDER / f"one-{end}.out.{other}"
        assert lost_orders(source, "--to", other) == {"c"}, other
        if other in ("vortex", "lance"):
            continue
        harness.run("convert", source, output, "--mode", "overwrite")
        harness.run("verify", source, output)
        harness.run("convert", output, back, "--mode", "overwrite")
        found = load(back)["c"]
        assert not (pa.types.is_dictionary(found.type) and found.type.ordered), other
        assert found.to_pylist() == ["hi", None, "lo"] or other == "yson"
        if other == "parquet":
            assert not pq.read_table(output).to_pandas()["c"].dtype.ordered


def test_unknown_order():
    """A file whose pages do not have the order: numbers, nested columns, files of other writers."""
    nested = pa.table({"s": pa.StructArray.from_arrays([column(["hi", "lo"], LEVELS)], ["c"])})
    numbers = pa.table({"c": pa.DictionaryArray.from_arrays(pa.array([1, 0], pa.int8()), pa.array([7, 3]), ordered=True)})
    for name, one, path in [("nested", nested, "s.c"), ("numbers", numbers, "c")]:
        source = save(f"{name}.parquet", one)
        output = FOLDER / f"{name}.out.arrow"
        done = harness.run("convert", source, output, "--mode", "overwrite")
        assert "order of the dictionary" in done.stderr, done.stderr
        found = load(output)
        kind = found.schema.field("s").type.field(0).type if name == "nested" else found.schema.field("c").type
        assert not (pa.types.is_dictionary(kind) and kind.ordered)


OTHERS = [(["lo", "hi"], ["hi", "mid", "lo"], False), (["mid", "lo"], LEVELS, True), (["top", "lo"], [*LEVELS, "top"], True),
          (["hi", "lo"], ["lo", "hi"], True), (["low", "lo"], ["low", *LEVELS], True), (["in", "lo"], ["lo", "in", "hi"], False)]


@pytest.mark.parametrize("values, levels, passes", OTHERS)
def test_second_file(end, values, levels, passes):
    first = save(f"first.{end}", pa.table({"c": column(["hi", "lo"], LEVELS)}))
    second = save(f"second.{end}", pa.table({"c": column(values, levels)}))
    output = FOLDER / f"both-{end}.arrow"
    for options in ([], ["--unify"]):
        done = harness.run("convert", first, second, output, "--mode", "overwrite", *options, code=(0, 3))
        is_kept = levels[0] in LEVELS
        assert (done.returncode == 0) == (passes and is_kept), (values, levels, done.stderr)
        if done.returncode != 0:
            assert f"second.{end}" in done.stderr and "ordered dictionary" in done.stderr
            continue
        found = load(output)
        order = LEVELS + [level for level in levels if level not in LEVELS]
        assert found["c"].combine_chunks().dictionary.to_pylist() == order
        assert found["c"].to_pylist() == ["hi", "lo", *values]
        assert found.to_pandas()["c"].max() == max(["hi", "lo", *values], key=order.index)


def test_some_in_order(end):
    """The order of one file is not put over the values of another that has none."""
    first = save(f"some.{end}", pa.table({"c": column(["hi", "lo"], LEVELS)}))
    second = save(f"none.{end}", pa.table({"c": column(["lo", "hi"], ["lo", "hi"], ordered=False)}))
    texts = save(f"texts.{end}", pa.table({"c": pa.array(["lo", "new"])}))
    output = FOLDER / f"some-{end}.arrow"
    for names in ([first, second], [second, first], [first, texts]):
        done = harness.run("convert", *names, output, "--mode", "overwrite")
        assert ("the order of c" in done.stderr) == (names[0] == first), done.stderr
        assert not load(output)["c"].type.ordered


def test_added():
    folder = FOLDER / "added"
    for i, (levels, code) in enumerate([(LEVELS, 0), ([*LEVELS, "top"], 0), (LEVELS[::-1], 3)]):
        source = save(f"added-{i}.arrow", pa.table({"c": column(["hi", "lo"], levels)}))
        words = ["--mode", "append"] if i else ["--to", "arrow"]
        done = harness.run("convert", source, f"{folder}/", *words, code=code)
        assert code == 0 or 'c: expected the ordered dictionary of the rows before, "mid" < "hi"' in done.stderr, done.stderr
    assert len(list(folder.iterdir())) == 2
    assert harness.run("head", folder, "--as", "json").stdout.count("hi") == 2


def test_rows():
    """Python's rows, differences and proofs."""
    first = save("rows-1.arrow", pa.table({"c": column(["hi", "lo"], LEVELS)}))
    second = save("rows-2.arrow", pa.table({"c": column(["hi", "lo"], LEVELS[::-1])}))
    done = harness.run("diff", "--rows", first, second, code=(0, 1))
    assert done.returncode == 1 and "order" in done.stdout, done.stdout
    done = harness.run("verify", first, second, code=(0, 1))
    assert done.returncode == 1, done.stdout
    harness.run("verify", first, first)
    harness.use_module()
    import xwalk
    with pytest.raises(xwalk.Error, match="ordered dictionary"):
        xwalk.open([str(first), str(second)]).to_arrow()


def test_pandas():
    frame = pd.DataFrame({"c": pd.Categorical(["hi", "lo"], categories=LEVELS, ordered=True)})
    path = FOLDER / "frame.parquet"
    frame.to_parquet(path)
    output = FOLDER / "frame.out.arrow"
    harness.run("convert", path, output, "--mode", "overwrite")
    assert load(output).to_pandas()["c"].max() == "hi"
