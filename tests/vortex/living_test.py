"""Compares the Vortex module with the vortex-data package: samples print alike, files with our metadata open."""
import pytest

from tests import harness

with harness.skip_if_missing():
    import vortex

PROBE = harness.needs("tests/xwalk_vortex_probe")


@pytest.mark.parametrize("sample", sorted(harness.SAMPLES.glob("*.vortex")), ids=lambda sample: sample.stem)
def test_sample(sample, tmp_path):
    living = vortex.open(str(sample))
    assert harness.run("dtype", sample, program=PROBE).stdout.strip() == str(living.dtype)
    # A copy with a slot of metadata.
    copy = tmp_path / "copy.vortex"
    harness.run("annotate", sample, copy, program=PROBE)
    reopened = vortex.open(str(copy))
    assert str(reopened.dtype) == str(living.dtype) and len(reopened) == len(living)
    assert reopened.scan().read_all().to_arrow_array() == living.scan().read_all().to_arrow_array()
