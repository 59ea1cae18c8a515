"""What `xwalk head` and `xwalk tail` cut: values on a terminal, which they say, and in a pipe or a file only what is longer than any table."""
import json

import pytest
from terminal import on_terminal

from tests import harness

LONG = "9223372036854775807-" * 12 + "end"


@pytest.fixture
def rows(tmp_path):
    harness.write(tmp_path / "in.jsonl", f'{{"id":"{LONG}","n":1}}\n{{"id":"short","n":2}}\n')
    return tmp_path


@pytest.mark.parametrize("words", [["head"], ["tail", "-n", "2"], ["head", "--vertical"]], ids=" ".join)
def test_values_are_cut_on_a_terminal_only(rows, words):
    words = [*words, "in.jsonl"]
    shown = on_terminal([harness.PROGRAM, *words], rows).decode()
    assert "…" in shown and LONG not in shown
    assert "--as json shows them whole" in shown
    piped = harness.run(*words, cwd=rows)
    assert LONG in piped.stdout and "…" not in piped.stdout and "--as json" not in piped.stderr
    with open(rows / "out.txt", "w", encoding="utf-8") as out:
        harness.run(*words, cwd=rows, capture_output=False, stdout=out)
    assert (rows / "out.txt").read_text(encoding="utf-8") == piped.stdout


def test_a_terminal_says_nothing_of_values_that_fit(rows):
    harness.write(rows / "short.jsonl", '{"id":"a","n":1}\n')
    assert "--as json" not in on_terminal([harness.PROGRAM, "head", "short.jsonl"], rows).decode()
    assert LONG in on_terminal([harness.PROGRAM, "head", "in.jsonl", "--as", "json"], rows).decode()


@pytest.mark.parametrize("value", ["x", '"', "\u20ac"], ids=["letters", "quotes", "three bytes"])
def test_a_table_holds_no_value_of_over_a_mebibyte(tmp_path, value):
    """All rows of a table are in memory. What it cuts it says; other forms write the value as it comes."""
    size = len(value.encode())
    fits, long = value * ((1 << 20) // size), value * ((1 << 20) // size + 1)
    for name, text in (("fits", fits), ("long", long)):
        harness.write(tmp_path / f"{name}.jsonl", json.dumps({"s": text}, ensure_ascii=False) + "\n")
    shown = harness.run("head", "fits.jsonl", cwd=tmp_path)
    assert fits in shown.stdout and "…" not in shown.stdout and "--as json" not in shown.stderr
    shown = harness.run("head", "long.jsonl", cwd=tmp_path)
    assert f"{fits}…" in shown.stdout and "--as json shows them whole" in shown.stderr
    shown = harness.run("head", "long.jsonl", "--as", "json", cwd=tmp_path)
    assert json.loads(shown.stdout) == {"s": long}
