"""Shredded VARIANTs that xwalk writes are read by arrow-go, type by type and with random values and types. Values are decoded without
the code under test. ROUNDS is the number of random types (24)."""

import os
import random
import subprocess
import sys

import pytest

from tests import harness
from tests.interop import go_test

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    from shred_oracle_test import EMPTY, EXACT, NULL, WHOLE, random_type, random_values, shred, storage
from variant_bytes import read_dictionary, read_value  # noqa: E402

# arrow-go 18.8 ends with a nil pointer for a list whose items are stored whole: their group has no typed_value.
WHOLE_ITEMS = f"list<item: {WHOLE}>"


@pytest.fixture(scope="module", autouse=True)
def built():
    go_test.build()


def go_values(path):
    """Returns the values that arrow-go reads, or its error."""
    done = subprocess.run([go_test.PROGRAM, "read-variant", path], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return done.stderr
    rows = []
    for line in open(path + ".variants.txt"):
        parts = [bytes.fromhex(part) for part in line.split()] if line != "null\n" else None
        rows.append(parts and decoded(*parts))
    return rows


def decoded(metadata, value):
    return read_value(read_dictionary(metadata)[0], value)


@pytest.mark.parametrize(("text", "fits", "others"), [(text, fits, others) for text, _, fits, others in EXACT],
                         ids=[text for text, *_ in EXACT])
def test_types(tmp_path, text, fits, others):
    values = [(EMPTY, value) for value in [*fits, *others, NULL]] + [None]
    _, target = shred(str(tmp_path), values, f"v={text}")
    assert go_values(target) == [value and decoded(*value) for value in values]


def test_random_types(tmp_path):
    rounds = int(os.environ.get("ROUNDS", "24"))
    shredded = 0
    for seed in range(rounds):
        rng = random.Random(seed)
        values = random_values(rng)
        text = "auto"
        while seed % 4 and (text == "auto" or WHOLE_ITEMS in text):
            text = "v=" + random_type(rng, 2)
        _, target = shred(str(tmp_path), values, text)
        shredded += "typed_value" in "".join(storage(target)[0])
        assert go_values(target) == [value and decoded(*value) for value in values], (seed, text)
    assert shredded > rounds / 2
