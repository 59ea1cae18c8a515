"""Rows of packages without the protocol of Arrow streams: Hugging Face, Delta Lake, PyIceberg, and any with `to_arrow`."""
import sys
import types

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq
harness.use_module()

import xwalk  # noqa: E402

TABLE = pa.table({"a": [1, 2, 3], "t": ["x", None, "z"]})


class Arrow:
    def to_arrow(self):
        return TABLE


class Reader:
    """As a scan of PyIceberg, which reads all rows in `to_arrow`."""

    def to_arrow_batch_reader(self):
        return TABLE.to_reader()

    def to_arrow(self):
        raise AssertionError("all rows at once")


class Scanned:
    """As a table of PyIceberg."""

    def scan(self):
        return Reader()


class Delta:
    def to_pyarrow_dataset(self):
        return ds.dataset(TABLE)

    def scan(self):
        raise AssertionError("not the dataset")


def hugging_face(name):
    """A class of the package `datasets`, by the methods that it has."""
    module = sys.modules.setdefault("datasets", types.ModuleType("datasets"))
    known = getattr(module, name, None)
    if known is None:
        known = type(name, (dict,) if name.endswith("Dict") else (), {})
        setattr(module, name, known)
    return known


def dataset(features=True):
    found = hugging_face("Dataset")()
    found.features = types.SimpleNamespace(arrow_schema=TABLE.schema) if features else None
    wide = TABLE.set_column(1, "t", TABLE["t"].cast(pa.large_string()))
    found.with_format = lambda name: types.SimpleNamespace(iter=lambda rows: iter([wide.slice(0, 2), wide.slice(2)]))
    return found


KINDS = {"to_arrow": Arrow, "reader": Reader, "table of Iceberg": Scanned, "Delta": Delta, "Hugging Face": dataset,
         "dataset": lambda: ds.dataset(TABLE), "scanner": lambda: ds.dataset(TABLE).scanner()}


@pytest.mark.parametrize("kind", KINDS)
def test_rows(kind, tmp_path):
    make = KINDS[kind]
    assert xwalk.open(make()).to_arrow() == TABLE
    assert xwalk.open(make(), select=["t"], limit=2).to_arrow() == TABLE.select(["t"]).slice(0, 2)
    assert xwalk.convert(make(), tmp_path / "out.parquet").rows == 3
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == TABLE.to_pydict()
    assert xwalk.check(make(), "yt").verdict == xwalk.check(TABLE, "yt").verdict
    assert xwalk.Schema.read(make()) == xwalk.Schema.read(TABLE)
    assert xwalk.diff(make(), TABLE, rows=True).same


def test_splits_are_refused():
    splits = hugging_face("DatasetDict")(train=dataset(), test=dataset())
    for call in (xwalk.open, lambda given: xwalk.convert(given, "x.yson"), lambda given: xwalk.check(given, "yt"), xwalk.Schema.read):
        with pytest.raises(xwalk.UsageError, match="found a dictionary of splits: train, test"):
            call(splits)


def test_unknown_columns_are_refused():
    with pytest.raises(xwalk.UsageError, match="whose columns are unknown"):
        xwalk.open(dataset(features=False))
