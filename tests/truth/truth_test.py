"""Random trips through conversions, by the campaigns of this folder.

`--trips N`, `--seed S` and `--first N` choose the trips of a campaign, and `--keep FOLDER` keeps the files of failures.
"""
import importlib

import pytest

from tests import harness
from tests.harness import PROGRAM

with harness.skip_if_missing():
    import campaign
    import truth


def test_trips(request, tmp_path):
    chosen = request.config.option
    words = ["--trips", chosen.trips or 1000, "--seed", chosen.seed, "--first", chosen.first, "--keep", chosen.keep or tmp_path]
    assert truth.main([str(PROGRAM), *map(str, words)]) == 0


@pytest.mark.parametrize("name", ["several", "every_option", "hive", "appends", "foreign", "fed_back", "hosts", "unequal", "lakes"])
def test_campaign(name, request):
    with harness.skip_if_missing():
        tested = importlib.import_module(name)
    campaign.run(tested, request.config.option)
