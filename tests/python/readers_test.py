"""`check --readers` against what the readers did: tests/vectors holds, for hand-built Parquet files,
the rows that pyarrow, DuckDB, Polars and DataFusion (arrow-rs) gave. Who gave other rows than the
format's rules must be named, and no others.
"""
import json
import re

import pytest

from tests import harness

VECTORS = harness.ROOT / "tests" / "vectors" / "parquet"
NAMES = {"pyarrow-26.0.1(default)": "pyarrow", "duckdb-2.0.0": "DuckDB", "polars-2.1.0": "Polars",
         "datafusion-55.0.0(arrow-rs)": "DataFusion"}
# What depends on the values in the file, not on its schema, and a Python dict's own refusal.
BY_VALUE = {("dec04_binary_noncanonical", "pyarrow"), ("map12_complex_key", "Polars")}
# No rows are expected where Arrow has no value for them; then these gave wrong ones.
WRONG_ROWS = {("dec03_edges", "DuckDB"), ("dec06_binary_p100", "DuckDB"),
              ("time07_flba12_timestamp", "DuckDB"), ("time08_flba12_out_of_range", "DuckDB")}
# These say only that a value is out of range for 64 bits.
OUT_OF_RANGE = {("time08_flba12_out_of_range", "pyarrow")}
#: A remark on the type: its name, and how the values change.
TYPE = re.compile(r"(?!refuses)[\w\[\] ]+: ")


def plain(value):
    """Maps as pairs; keys as text, since JSON made them so."""
    if isinstance(value, dict):
        if value.keys() == {"key", "value"} and isinstance(value["key"], list):
            return plain([list(pair) for pair in zip(value["key"], value["value"])])
        return plain([list(pair) for pair in value.items()])
    if isinstance(value, list):
        return [plain(item) for item in value]
    return str(value)


def misread(case: dict, reader: str, given: dict) -> bool:
    rows = given.get("rows")
    key = (case["name"], reader)
    if key in BY_VALUE or key in OUT_OF_RANGE:
        return False
    if key in WRONG_ROWS or isinstance(rows, str) or rows is None:
        return True
    return case["expected_rows"] is not None and plain(rows) != plain(case["expected_rows"])


CASES = [case for case in json.loads((VECTORS / "parquet_file.json").read_text())
         if not case["out_of_spec"] and (VECTORS / "files" / case["file"]).exists()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_readers(case):
    done = harness.run("check", VECTORS / "files" / case["file"], "--readers", "--json", code=None)
    if done.returncode not in (0, 1):
        pytest.skip(f"xwalk rejects the file: {done.stderr.strip()}")
    # The others are checked with files of their own, and so are remarks on a type whose values look the same: reader_table_test.py.
    remarks = [remark for remark in json.loads(done.stdout)["readers"] if remark["reader"] in NAMES.values()]
    said = {remark["reader"] for remark in remarks if "about" not in remark and not TYPE.match(remark["remark"])}
    typed = {remark["reader"] for remark in remarks} - said
    seen = {NAMES[name] for name, given in case["readers"].items() if name in NAMES and misread(case, NAMES[name], given)}
    assert said <= seen <= said | typed


def test_the_files_exist():
    assert len(CASES) > 30
