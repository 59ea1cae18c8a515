"""`any` of YSON rows to VARIANT. The reader decodes it as VARIANT unless rejected rows are kept: then the cast does. Both store the same
bytes, and reject the same rows with the same message. Values are decoded without the code under test."""
import random
import sys

import pytest

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tests" / "variant"))
with harness.skip_if_missing():
    import pyarrow.parquet as pq
from variant_bytes import read_dictionary, read_value  # noqa: E402

harness.needs("libxwalk_parquet.so")
FOLDER = harness.make_folder("any-variant")
SCHEMA = "[{name=id;type=int64};{name=v;type_v3={type_name=optional;item=yson}};{name=l;type_v3={type_name=list;item={type_name=optional;item=yson}}}]"
KEYS = ["a", "b", "name", "a-longer-name", "ключ", "x.y", "abcdefgh", "abcdefghi"]
#: Scalars in YSON and as the decoder returns them.
SCALARS = [*((text, ("int", text)) for text in ("1", "-129", "70000", "9223372036854775807")),
           *((text, ("double", text)) for text in ("0.5", "0.11000000000000001", "-0.0", "1e+300")),
           ("18446744073709551615u", ("decimal", 0, 2**64 - 1)), ("%nan", ("double", "nan")), ("%true", ("bool", True)),
           ("%false", ("bool", False)), ('"text"', ("string", "text")), ("word", ("string", "word")), ('""', ("string", "")),
           ('"' + "z" * 70 + '"', ("string", "z" * 70)), ('"\\xff\\x00"', ("binary", b"\xff\x00"))]


def random_value(dice, depth=0):
    """Returns a value in YSON, and as it is expected."""
    kind = dice.random()
    if depth == 3 or kind < 0.5:
        return dice.choice(SCALARS)
    if kind < 0.55 and depth:
        return "#", ("null", None)
    if kind < 0.75:
        items = [random_value(dice, depth + 1) for _ in range(dice.randrange(5))]
        return "[" + ";".join(text for text, _ in items) + "]", ("array", [value for _, value in items])
    fields = [(key, random_value(dice, depth + 1)) for key in dice.sample(KEYS, dice.randrange(len(KEYS)))]
    return "{" + "; ".join(f'"{key}"={text}' for key, (text, _) in fields) + "}", ("object", {key: value for key, (_, value) in fields})


def write(name, values):
    """Writes rows of these texts, some of them without a value, and returns the path."""
    rows = "".join(f"{{id={i};{f'v={text};' if text else ''}l=[{text or '#'};1]}};\n" for i, text in enumerate(values))
    return harness.write(FOLDER / name, rows, SCHEMA)


def stored(path, column="v"):
    """Returns the metadata and the bytes of each value."""
    return [value and (value["metadata"], value["value"]) for value in pq.read_table(path)[column].to_pylist()]


@pytest.mark.parametrize("seed", range(3))
def test_values(seed):
    dice = random.Random(seed)
    values = [(None, None) if dice.random() < 0.1 else random_value(dice) for _ in range(300)]
    source = write(f"{seed}.yson", [text for text, _ in values])
    binary, direct, cast = (FOLDER / f"{seed}.{end}" for end in ("binary.yson", "direct.parquet", "cast.parquet"))
    harness.run("convert", source, binary, "--yson-format", "binary", "-q")
    for rows in (source, binary):
        harness.run("convert", rows, direct, "-q", "--mode", "overwrite", "--schema", f"{source}.schema")
        harness.run("convert", rows, cast, "-q", "--mode", "overwrite", "--schema", f"{source}.schema", "--rejects", FOLDER / "none.yson")
        assert stored(direct) == stored(cast)
        assert pq.read_table(direct)["l"].to_pylist() == pq.read_table(cast)["l"].to_pylist()
        found = [value and read_value(read_dictionary(value[0])[0], value[1]) for value in stored(direct)]
        assert found == [value for _, value in values]


@pytest.mark.parametrize("value, fault", [("<a=1>2", "without attributes"), ("[<a=1>2]", "attributes"), ("{a=1;a=2}", "key"),
                                          ('{"\\xff"=1}', "UTF-8"), ("{a=1", "")])
def test_rejects(value, fault):
    """A row that VARIANT lacks ends the conversion, or is skipped, as it is in the cast."""
    source = write("bad.yson", ["{x=1}", value, "[2;3]"] if fault else ["{x=1}", value])
    target, rejects = FOLDER / "bad.parquet", FOLDER / "rejects.yson"
    failed = harness.run("convert", source, target, "-q", "--mode", "overwrite", code=3)
    assert fault in failed.stderr and (not fault or "row 1" in failed.stderr), failed.stderr
    if not fault:
        return
    harness.run("convert", source, target, "-q", "--mode", "overwrite", "--on-error", "skip", code=(0, 1, 2, 3))
    skipped = pq.read_table(target)["id"].to_pylist()
    rejects.unlink(missing_ok=True)
    harness.run("convert", source, target, "-q", "--mode", "overwrite", "--rejects", rejects, code=(0, 1, 2, 3))
    assert skipped == pq.read_table(target)["id"].to_pylist() == [0, 2]
    assert fault in rejects.read_text()
