"""JSON of Lance: random values go to a column of the type json and come back as the values that they were, or are rejected; what pylance
writes is read as pylance reads it.
"""
import decimal
import json
import random
import re

from tests import harness

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.ipc

NUMBERS = ["0", "-0", "-0.0", "1", "-1", "1.50", "1e2", "1e400", "1E-400", "9007199254740993", "18446744073709551615", "18446744073709551616",
           "-9223372036854775808", "-9223372036854775809", "0.1", "0.10000000000000000001", "12345678901234567890123", "5e-324"]
TEXTS = ['""', '"a"', '"\\u0041"', '"\\u0000"', '"zażółć"', '"\\ud83d\\ude00"']
#: Rejected if they occur anywhere.
LOST = {"-0", "1e400", "1E-400", "18446744073709551616", "-9223372036854775809", "0.10000000000000000001", "12345678901234567890123"}


def random_json(rng, depth=3):
    """Returns a JSON text, and whether it has a value that Lance does not store."""
    kind = rng.randrange(6 if depth else 4)
    if kind < 2:
        text = rng.choice(NUMBERS)
        return text, text in LOST
    if kind < 4:
        return rng.choice([*TEXTS, "null", "true", "false"]), False
    parts = [random_json(rng, depth - 1) for _ in range(rng.randrange(4))]
    lost = any(part[1] for part in parts)
    space = rng.choice(["", " "])
    if kind == 4:
        return "[" + f",{space}".join(text for text, _ in parts) + "]", lost
    keys = [rng.choice(["b", "a", "c", "a b"]) for _ in parts]
    text = "{" + f",{space}".join(f'"{key}":{space}{text}' for key, (text, _) in zip(keys, parts)) + "}"
    return text, lost or len(set(keys)) < len(keys)


def exact(text):
    """Returns the value with every digit of its numbers and the sign of zero."""
    def number(digits):
        value = decimal.Decimal(digits)
        return (value.is_signed(), value) if value == 0 else value
    return json.loads(text, parse_float=number, parse_int=number)


def write(path, texts):
    table = pa.table({"j": pa.array(texts, pa.json_())})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def test_values_come_back_or_are_rejected(tmp_path):
    rng = random.Random(7)
    made = [random_json(rng) for _ in range(3000)]
    write(tmp_path / "in.arrow", [text for text, _ in made])
    harness.run("convert", tmp_path / "in.arrow", tmp_path / "out.lance", "--cast", "j=json", "--on-error", "skip", "--rejects",
                tmp_path / "rejects", "-q")
    rejected = [int(row) for row in re.findall(r'^\{"row"=(\d+);', (tmp_path / "rejects").read_text(), re.MULTILINE)]
    assert rejected == [row for row, (_, lost) in enumerate(made) if lost] and len(rejected) > 100
    dataset = lance.dataset(str(tmp_path / "out.lance"))
    assert dataset.schema.field("j").type == pa.json_()
    expected = [exact(text) for text, lost in made if not lost]
    assert [exact(text) for text in dataset.to_table()["j"].to_pylist()] == expected
    # The rows of the dataset are JSON text everywhere else, and VARIANT on request of a cast.
    harness.run("convert", tmp_path / "out.lance", tmp_path / "back.arrow", "-q")
    back = pa.ipc.open_file(tmp_path / "back.arrow").read_all()["j"].to_pylist()
    assert back == dataset.to_table()["j"].to_pylist()
    checked = harness.run("check", tmp_path / "in.arrow", "--to", "lance", "--cast", "j=json", "--rows", code=(0, 1)).stdout
    assert f"{len(rejected):,} would be rejected" in checked, checked


def test_what_pylance_writes(tmp_path):
    rng = random.Random(8)
    texts = [text for text, lost in (random_json(rng) for _ in range(500)) if not lost] + [None]
    lance.write_dataset(pa.table({"j": pa.array(texts, pa.json_())}), str(tmp_path / "theirs.lance"))
    expected = lance.dataset(str(tmp_path / "theirs.lance")).to_table()["j"].to_pylist()
    for name in ("out.arrow", "again.lance"):
        harness.run("convert", tmp_path / "theirs.lance", tmp_path / name, "-q")
    assert pa.ipc.open_file(tmp_path / "out.arrow").read_all()["j"].to_pylist() == expected
    again = lance.dataset(str(tmp_path / "again.lance"))
    assert again.schema.field("j").type == pa.json_() and again.to_table()["j"].to_pylist() == expected
    harness.run("verify", tmp_path / "theirs.lance", tmp_path / "again.lance")


def test_rows_are_compared_by_value(tmp_path):
    """`verify` and `diff` compare what JSON texts mean, also below a list and as a key."""
    rng = random.Random(9)
    kept = [text for text, lost in (random_json(rng) for _ in range(500)) if not lost]
    write(tmp_path / "in.arrow", kept)
    harness.run("convert", tmp_path / "in.arrow", tmp_path / "out.lance", "--cast", "j=json", "-q")
    stored = lance.dataset(str(tmp_path / "out.lance")).to_table()["j"].to_pylist()
    assert sum(a != b for a, b in zip(kept, stored)) > 50
    harness.run("verify", tmp_path / "in.arrow", tmp_path / "out.lance")
    harness.run("diff", "--rows", "--key", "j", tmp_path / "in.arrow", tmp_path / "out.lance")
    write(tmp_path / "one.arrow", ['{"b":1.50,"a":[1e2]}', "1", "-0", '{"a":1,"a":2}', '"a"'])
    write(tmp_path / "other.arrow", ['{"a":[100],"b":1.5}', "1.0", "0", '{"a":2,"a":1}', '"\\u0041"'])
    found = json.loads(harness.run("diff", "--rows", "--json", tmp_path / "one.arrow", tmp_path / "other.arrow", code=1).stdout)
    assert [one["left"]["row"] for one in found["differences"]] == [2, 3, 4] and found["changed"] == 3, found
    for name, texts in (("one", ['{"a":1.0,"b":2}', None]), ("other", ['{"b":2,"a":1}', None])):
        table = pa.table({"l": pa.ListArray.from_arrays(list(range(len(texts) + 1)), pa.array(texts, pa.json_()))})
        with pa.OSFile(str(tmp_path / f"{name}.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
    harness.run("diff", "--rows", tmp_path / "one.arrow", tmp_path / "other.arrow")
