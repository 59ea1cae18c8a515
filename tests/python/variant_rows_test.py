"""Random VARIANTs through Vortex's type variant and Lance's struct of the extension arrow.parquet.variant, and back; pylance and
vortex-data read the files. Values are decoded without the code under test.
"""
import random
import sys

import pytest

from tests import harness

for folder in ("variant", "parquet"):
    sys.path.insert(0, str(harness.ROOT / "tests" / folder))
with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import pyarrow.ipc
    import vortex
from shred_oracle_test import random_values, write_variants  # noqa: E402
from variant_bytes import read_dictionary, read_value  # noqa: E402


def decoded(rows):
    return [row and read_value(read_dictionary(row["metadata"])[0], row["value"]) for row in rows]


def stored(column):
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return decoded(getattr(column, "storage", column).to_pylist())


def read(path):
    """Returns the values that the system's own package reads."""
    if path.suffix == ".lance":
        return stored(lance.dataset(str(path)).to_table()["v"])
    return stored(vortex.open(str(path)).to_arrow().read_all()["v"])


@pytest.mark.parametrize("system", ["vortex", "lance"])
@pytest.mark.parametrize("seed", range(3))
def test_rows(tmp_path, system, seed):
    values = random_values(random.Random(seed))
    expected = [value and read_value(read_dictionary(value[0])[0], value[1]) for value in values]
    source, target = tmp_path / "in.arrow", tmp_path / f"out.{system}"
    write_variants(str(source), values)
    checked = harness.run("check", source, "--to", system, "--rows").stdout
    assert "200 rows read, none would be rejected" in checked, checked
    harness.run("convert", source, target, "-q")
    harness.run("verify", source, target)
    assert read(target) == expected
    for name in ("back.arrow", "back.parquet"):
        harness.run("convert", target, tmp_path / name, "-q")
        harness.run("diff", "--rows", source, tmp_path / name)
    with pa.ipc.open_file(tmp_path / "back.arrow") as file:
        assert stored(file.read_all()["v"]) == expected
        assert file.schema.field("v").metadata[b"ARROW:extension:name"] == b"arrow.parquet.variant"
