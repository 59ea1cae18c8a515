"""Real files, Parquet to YSON and back, equal value by value under pyarrow."""

import itertools
import sys

import pytest

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tools"))
with harness.skip_if_missing():
    import pyarrow.parquet as pq
harness.needs("libxwalk_parquet.so")

from same_values import difference  # noqa: E402

FILES = ["flights-3m.parquet", "nycflights13.parquet", "nyc-planes.parquet", "nyc-weather.parquet"]
# Binary and positional together, and text and named, would hide a fault of one in the other.
FORMS = list(itertools.product(["text", "binary"], ["named", "positional"]))


@pytest.mark.parametrize("name, form", itertools.product(FILES, FORMS))
def test_round_trip(name, form, tmp_path):
    original = harness.DATA / name
    if not original.exists():
        pytest.skip(f"{original} does not exist (tools/setup.sh demo)")
    rows, again, mode = tmp_path / "rows.yson", tmp_path / "again.parquet", ("--complex-type-mode", form[1])
    harness.run("convert", original, rows, "--yson-format", form[0], *mode)
    harness.run("convert", rows, again, *mode)
    assert difference(pq.read_table(original), pq.read_table(again)) is None
