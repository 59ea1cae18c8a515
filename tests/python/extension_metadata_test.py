"""Extension types with wrong metadata, and dictionaries of dictionaries: each command names the column and the rule."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa

harness.needs("libxwalk_parquet.so")
harness.use_module()
import xwalk  # noqa: E402

FOLDER = harness.make_folder("extension-metadata")
NAME, PARAMETERS = "ARROW:extension:name", "ARROW:extension:metadata"
FLOATS = pa.array([[1.0, 2.0, 3.0, 4.0]], pa.list_(pa.float32(), 4))
ANY_SHAPE = pa.array([{"data": [1.0, 2.0], "shape": [1, 2]}], pa.struct([("data", pa.list_(pa.float32())), ("shape", pa.list_(pa.int32(), 2))]))
NO_JSON = ["", "{", "EMPTY", "[]"]
NO_DIMENSIONS = [{"permutation": [0, 0]}, {"permutation": [0]}, {"permutation": [0, 2]}, {"permutation": "a"}, {"dim_names": ["a"]}, {"dim_names": [1, 2]}]
NO_SHAPE = [{"shape": "a"}, {"shape": [2, 3]}, {"shape": [-2, -2]}, {"shape": [2, 2.5]}, {"shape": [2, 2**40]}, {}]
WRONG = [
    *(("arrow.fixed_shape_tensor", FLOATS, text) for text in NO_JSON),
    *(("arrow.fixed_shape_tensor", FLOATS, json.dumps(shape)) for shape in NO_SHAPE),
    *(("arrow.fixed_shape_tensor", FLOATS, json.dumps({"shape": [2, 2], **more})) for more in NO_DIMENSIONS),
    *(("arrow.variable_shape_tensor", ANY_SHAPE, text) for text in NO_JSON),
    *(("arrow.variable_shape_tensor", ANY_SHAPE, json.dumps(more)) for more in [*NO_DIMENSIONS, {"uniform_shape": [2]}, {"uniform_shape": 2}]),
    *(("arrow.opaque", pa.array([1]), text) for text in [*NO_JSON, "{}", '{"type_name": 1, "vendor_name": "v"}']),
    *(("arrow.uuid", pa.array([b"0123456789abcdef"], pa.binary(16)), text) for text in ("x", "{}")),
    *(("arrow.bool8", pa.array([1], pa.int8()), text) for text in ("x", "{}")),
]
RIGHT = [
    ("arrow.fixed_shape_tensor", FLOATS, {"shape": [2, 2], "permutation": [1, 0], "dim_names": ["a", "b"]}),
    ("arrow.variable_shape_tensor", ANY_SHAPE, {"permutation": [1, 0], "uniform_shape": [None, 2]}),
    ("arrow.opaque", pa.array([1]), {"type_name": "t", "vendor_name": "v"}),
]


def write(name, array, metadata=None, stream=False, nested=False):
    """Writes a file or a stream of one row, with the column in a struct if so asked."""
    field = pa.field("x", array.type, metadata=metadata)
    if nested:
        array = pa.StructArray.from_arrays([array], fields=[field])
        field = pa.field("s", array.type)
    schema = pa.schema([field])
    with pa.OSFile(str(FOLDER / name), "wb") as file, (pa.ipc.new_stream if stream else pa.ipc.new_file)(file, schema) as writer:
        writer.write_table(pa.Table.from_arrays([array], schema=schema))
    return FOLDER / name


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("name", ["in.arrow", "in.arrows"])
def test_wrong_metadata(name, nested):
    for extension, array, metadata in WRONG:
        source = write(name, array, {NAME: extension, PARAMETERS: metadata}, name.endswith("s"), nested)
        for words in (["check", source, "--to", "parquet"], ["convert", source, FOLDER / "out.yson", "--mode", "overwrite"], ["head", source],
                      ["validate", source]):
            done = harness.run(*words, code=None)
            said = done.stdout + done.stderr
            assert done.returncode == 3, (extension, metadata, words, said)
            assert f"{'s.x' if nested else 'x'}: {extension} with the metadata " in said, (extension, metadata, words, said)


def test_right_metadata():
    for extension, array, metadata in RIGHT:
        source = write("in.arrow", array, {NAME: extension, PARAMETERS: json.dumps(metadata)})
        for words in (["check", source, "--to", "parquet"], ["convert", source, FOLDER / "out.arrow", "--mode", "overwrite"], ["validate", source]):
            harness.run(*words)


DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), pa.array(["a", "b"]))
OF_DICTIONARY = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 0], pa.int32()), DICTIONARY)
NESTED = {
    "column": OF_DICTIONARY,
    "three": pa.DictionaryArray.from_arrays(pa.array([3, 1], pa.int16()), OF_DICTIONARY),
    "items": pa.ListArray.from_arrays(pa.array([0, 2, 4]), OF_DICTIONARY),
    "member": pa.StructArray.from_arrays([OF_DICTIONARY], ["m"]),
    "items of values": pa.DictionaryArray.from_arrays(pa.array([1, 0]), pa.ListArray.from_arrays(pa.array([0, 2, 4]), OF_DICTIONARY)),
    "values of a map": pa.MapArray.from_arrays(pa.array([0, 2, 4]), pa.array([1, 2, 3, 4]), OF_DICTIONARY),
}


@pytest.mark.parametrize("name", NESTED)
def test_dictionary_of_dictionaries(name):
    """Arrow's files have no dictionary of dictionaries, which its streams in memory have."""
    table = pa.table({"x": NESTED[name]})
    assert "layout.flattened" in str(xwalk.check(table, "arrow")), name
    wanted = FOLDER / "wanted.yson"
    xwalk.convert(table, str(wanted), mode="overwrite")
    for target in ("arrow", "arrows"):
        out = FOLDER / f"out.{target}"
        xwalk.convert(table, str(out), mode="overwrite")
        with pa.OSFile(str(out)) as file:
            found = (pa.ipc.open_file if target == "arrow" else pa.ipc.open_stream)(file).read_all()
        xwalk.convert(found, str(FOLDER / "found.yson"), mode="overwrite")
        assert (FOLDER / "found.yson").read_bytes() == wanted.read_bytes(), (name, target)


def test_given_dictionary_of_dictionaries():
    """A given schema with one is refused before anything is written."""
    kind = "dictionary<values=dictionary<values=string, indices=int8, ordered=0>, indices=int32, ordered=0>"
    (FOLDER / "given.schema").write_text(f"x: {kind}\n")
    source = write("text.arrow", pa.array(["a"]))
    done = harness.run("convert", source, FOLDER / "given.arrow", "--to-schema", FOLDER / "given.schema", code=None)
    assert done.returncode == 4 and '"x"' in done.stderr and "dictionary" in done.stderr, done.stderr
    assert not (FOLDER / "given.arrow").exists()


def test_rows_of_another_schema():
    """Other writers make files whose rows do not fit their schema; the message explains that before it has the library's."""
    source = write("other.arrow", OF_DICTIONARY)
    for words in (["head", source], ["convert", source, FOLDER / "out.yson", "--mode", "overwrite"], ["validate", source]):
        done = harness.run(*words, code=3)
        assert "batch 0: expected rows of the schema, found bytes that Arrow refuses: " in done.stdout + done.stderr, done.stderr
