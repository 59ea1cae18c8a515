"""Reading and writing of YSON compared with YTsaurus's own code, the ytsaurus-yson bindings.

Random values and random damaged texts: the tool accepts what the bindings accept and prints it byte for byte as they do, in
text, pretty and binary. It refuses what they refuse.
"""
import random
import struct
import subprocess

import pytest

from tests import harness

with harness.skip_if_missing():
    import yt_yson_bindings as bindings
    from yt import yson

TOOL = harness.needs("tests/xwalk_yson_oracle_tool")
FRAGMENTS = {"n": "node", "l": "list_fragment", "m": "map_fragment"}
FORMATS = ("text", "pretty", "binary")
HARD = b"\"\\\n\r\t\0\1\7\x08\x1f\x7f\x80\xff0789afgAFG;[]{}<>#=%?"


def random_bytes(rng):
    size = rng.choice([0, 1, 2, 5, 11, 16, 17, 40])
    kind = rng.randrange(3)
    if kind == 0:
        return bytes(rng.randrange(97, 123) for _ in range(size))
    if kind == 1:
        return bytes(rng.choice(HARD) for _ in range(size))
    return bytes(rng.randrange(256) for _ in range(size))


def random_double(rng):
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice([0.0, -0.0, float("inf"), float("-inf"), float("nan"), 5e-324, 1e21, 1e-10,
                           9.999999999999999e-11, 999999999999999900000.0, 1.7976931348623157e308])
    if kind == 1:
        return rng.randrange(-10**6, 10**6) / 1000
    if kind == 2:
        return float(rng.randrange(-2**63, 2**63))
    if kind == 3:
        return rng.randrange(10**6) * 10.0 ** rng.randrange(-30, 30)
    return struct.unpack("<d", rng.randbytes(8))[0]


def random_value(rng, depth=4):
    kind = rng.randrange(10 if depth else 6)
    if kind == 0:
        value = None
    elif kind == 1:
        value = rng.random() < 0.5
    elif kind == 2:
        value = rng.randrange(-2**63, 2**63) >> rng.randrange(64)
    elif kind == 3:
        value = yson.YsonUint64(rng.randrange(2**64) >> rng.randrange(64))
    elif kind == 4:
        value = random_double(rng)
    elif kind == 5:
        value = random_bytes(rng)
    elif kind < 8:
        value = [random_value(rng, depth - 1) for _ in range(rng.randrange(5))]
    else:
        value = {random_bytes(rng): random_value(rng, depth - 1) for _ in range(rng.randrange(5))}
    if depth and rng.randrange(6) == 0:
        attributes = {random_bytes(rng): random_value(rng, depth - 1)
                      for _ in range(rng.randrange(1, 3))}
        value = yson.to_yson_type(value, attributes=attributes)
    return value


TOKENS = [b"[", b"]", b"{", b"}", b"<", b">", b";", b"=", b"#", b" ", b"\n", b"a", b"1", b"-2", b"3u",
          b"1.5", b"1e5", b".", b"+", b"-", b"e", b"u", b"%true", b"%nan", b"%-inf", b"%", b'"x"',
          b'"', b"\\", b'"\\x4"', b'"\\uD83D\\uDE00"', b"\x01\x02a", b"\x02\x54", b"\x06\x80\x01",
          b"\x03" + struct.pack("<d", 0.1), b"\x04", b"\x05", b"\x00", b"a=1;", b"a=[1;];", b"<a=1>"]


def random_text(rng):
    return b"".join(rng.choice(TOKENS) for _ in range(rng.randrange(1, 7)))


def random_number(rng):
    return "".join(rng.choice("0123456789012345678900000.eE+-u") for _ in range(rng.randrange(1, 30))).encode()


def random_escapes(rng):
    alphabet = ["\\", "u", "U", "x", "0", "1", "7", "8", "d", "D", "8", "3", "c", "f", "e", "n", "\\\"",
                "\\uD83D", "\\uDE00", "\\x"]
    return b'"' + "".join(rng.choice(alphabet) for _ in range(rng.randrange(16))).encode() + b'"'


def damaged(rng, text):
    text = bytearray(text)
    for _ in range(rng.randrange(1, 4)):
        if not text:
            break
        position = rng.randrange(len(text))
        action = rng.randrange(3)
        if action == 0:
            del text[position]
        elif action == 1:
            text[position] = rng.choice(HARD)
        else:
            text[position:position] = rng.choice(TOKENS)
    return bytes(text)


def read(text, fragment):
    """Returns the value, or None for what the bindings refuse."""
    try:
        value = bindings.loads(text, encoding=None, yson_type=FRAGMENTS[fragment], always_create_attributes=False)
        return [list(value) if fragment == "l" else value]
    except (yson.YsonError, RuntimeError):
        return None


def write(value, fragment, yson_format):
    return bindings.dumps(value, yson_format=yson_format, yson_type=FRAGMENTS[fragment], encoding=None)


def written_cases(rng):
    """Returns texts that the bindings wrote."""
    cases = []
    for _ in range(4000):
        cases.append(("n", write(random_value(rng), "n", rng.choice(FORMATS))))
    for _ in range(500):
        cases.append(("l", write([random_value(rng, 2) for _ in range(rng.randrange(4))], "l", rng.choice(FORMATS))))
        entries = {random_bytes(rng): random_value(rng, 2) for _ in range(rng.randrange(4))}
        cases.append(("m", write(entries, "m", rng.choice(FORMATS))))
    return cases


def damaged_cases(rng):
    good = written_cases(rng)
    return [(fragment, damaged(rng, text[:200])) for fragment, text in rng.choices(good, k=4000)]


def two_byte_strings(rng):
    return [("n", write(bytes([first, second]), "n", "text")) for first in range(256) for second in b"07a8gF\"\\\n\x00\xff?"]


CASES = {
    "written": written_cases,
    "damaged": damaged_cases,
    "tokens": lambda rng: [(rng.choice("nlm"), random_text(rng)) for _ in range(6000)],
    "numbers": lambda rng: [("n", random_number(rng)) for _ in range(6000)],
    "escapes": lambda rng: [("n", random_escapes(rng)) for _ in range(6000)],
    "two bytes": two_byte_strings,
}


def problems_of(fragment, text, answer):
    """Yields the differences between the tool's answer and the bindings."""
    value = read(text, fragment)
    if (value is None) != (answer == "error"):
        # A zero byte between tokens ends a text for the bindings.
        if answer != "error" or b"\0" not in text:
            yield f"the bindings {'refuse' if value is None else 'accept'} {text!r} ({FRAGMENTS[fragment]}), xwalk does not"
        return
    if value is None:
        return
    _, keys, *words = answer.split(" ")
    for name, word in zip(FORMATS, words, strict=True):
        printed = bytes.fromhex(word)
        if read(printed, fragment) is None:
            yield f"{text!r} as {name}: the bindings refuse {printed!r}"
        # A map of Python keeps one of several equal keys.
        elif keys != "repeated" and (expected := write(value[0], fragment, name)) != printed:
            yield f"{text!r} as {name}: expected {expected!r}, found {printed!r}"


@pytest.mark.parametrize("seed", range(20 if harness.ALL else 1))
@pytest.mark.parametrize("group", CASES)
def test_the_same_as_the_bindings(group, seed):
    cases = CASES[group](random.Random(20261121 + seed))
    lines = "".join(f"{fragment} {text.hex()}\n" for fragment, text in cases)
    answers = subprocess.run([TOOL], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    problems = [problem for (fragment, text), answer in zip(cases, answers, strict=True) for problem in problems_of(fragment, text, answer)]
    assert not problems, "\n".join(problems[:20])
    if group == "written":
        assert "error" not in answers
