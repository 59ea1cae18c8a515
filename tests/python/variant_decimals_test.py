"""Values of VARIANT in YSON: a decimal that a double has all digits of becomes that double; others, dates and the like are rejected by name."""
from decimal import Decimal

import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import duckdb
    import pyarrow.parquet as pq

import xwalk  # noqa: E402

#: Decimals of SQL and what YSON has for them; None if the row is rejected.
DECIMALS = {
    "1.5": "1.5", "-0.1": "-0.1", "2.50": "2.5", "0.00": "0.", "10.0": "10.", "1234567890.12345": "1234567890.12345",
    "9007199254740993": "9007199254740993", "0.000000000000000000000000001::DECIMAL(38, 27)": "1e-27",
    "123456789012345678.9::DECIMAL(38, 1)": None, "0.1234567890123456789::DECIMAL(38, 19)": None,
    "100000000000000000000::DECIMAL(38, 0)": "1e+20", "100000000000000000001::DECIMAL(38, 0)": None,
}


def written(tmp_path, value):
    path = tmp_path / "v.parquet"
    duckdb.sql(f"COPY (SELECT ({value})::VARIANT AS v) TO '{path}' (FORMAT parquet)")
    return path


@pytest.mark.parametrize("text, expected", DECIMALS.items())
@pytest.mark.parametrize("around", ["{}", "{{'b': {}}}", "[{}, 7]", "{{'l': [{{'x': {}}}]}}"])
def test_decimals(tmp_path, text, expected, around):
    path, out = written(tmp_path, around.format(text)), tmp_path / "out.yson"
    if expected is None:
        with pytest.raises(xwalk.InputError, match="decimal"):
            xwalk.convert(path, out)
        return
    xwalk.convert(path, out, yson_format="text")
    found = out.read_text()
    number = next(part for part in found.replace("{", " ").replace("[", " ").replace("=", " ").replace(";", " ").replace("}", " ")
                  .replace("]", " ").split() if part[0].isdigit() or part[0] == "-")
    assert Decimal(number.rstrip("u")) == Decimal(text.partition("::")[0]) and ("." in number or "e" in number) == (
        "." in expected or "e" in expected), found


def test_the_first_table_of_duckdb(tmp_path):
    path = written(tmp_path, "{'b': 1.5, 'n': 12, 's': 'x', 'l': [0.25, NULL], 'f': true}")
    report = xwalk.check(path, "yt", rows=True).to_dict()
    assert "variant.decimals-as-doubles" in str(report)
    xwalk.convert(path, tmp_path / "out.yson", yson_format="text")
    text = (tmp_path / "out.yson").read_text().replace(";}", "}").replace(";]", "]")
    assert all(part in text for part in ('"b"=1.5', '"f"=%true', '"l"=[0.25;#]', '"n"=12', '"s"="x"'))
    xwalk.convert(tmp_path / "out.yson", tmp_path / "back.parquet")
    assert pq.read_table(tmp_path / "back.parquet").num_rows == 1
    assert xwalk.verify(path, tmp_path / "out.yson").verified


#: Values that YSON lacks, and what the message calls them.
REFUSED = {
    "DATE '2024-01-02'": "a date", "TIME '10:00:00'": "a time", "TIMESTAMP '2024-01-02 03:04:05'": "a timestamp",
    "TIMESTAMPTZ '2024-01-02 03:04:05+00'": "a timestamp", "uuid()": "a UUID",
    "123456789012345678.9::DECIMAL(38, 1)": "a decimal that is not the shortest text of a double",
}


@pytest.mark.parametrize("value, kind", REFUSED.items())
@pytest.mark.parametrize("around", ["{}", "{{'b': {}}}", "[{}]"])
def test_a_message_names_the_value(tmp_path, value, kind, around):
    path = written(tmp_path, around.format(value))
    with pytest.raises(xwalk.InputError) as raised:
        xwalk.convert(path, tmp_path / "out.yson")
    text = str(raised.value)
    assert f"found {kind}" in text and "variant_values=" in text and "a check of the rows counts them" in text, text
    assert raised.value.row == 0 and raised.value.path == "v" and not (tmp_path / "out.yson").exists()
    counted = str(xwalk.check(path, "yt", rows=True))
    assert "1 of 1" in counted or "1 row" in counted, counted
