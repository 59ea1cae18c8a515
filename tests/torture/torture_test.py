"""A short run of each campaign. A long one: `make torture`."""
import pytest

import torture
from tests import harness

SHIM = harness.needs("tests/libxwalk_torture.so")


@pytest.mark.parametrize("name", [campaign.name for campaign in torture.CAMPAIGNS])
def test_campaign(name):
    assert torture.main([str(harness.PROGRAM), str(SHIM), "--short", "--rounds", "30", "--jobs", "2", "--only", name]) == 0
