"""`check --readers` against what the readers did: tests/vectors holds, for hand-built Parquet files,
the rows that pyarrow, DuckDB, Polars and arrow-rs (DataFusion) gave. Who gave other rows than the
format's rules must be named, and no others.

usage: readers_test.py XWALK DATA
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VECTORS = ROOT / "tests" / "vectors" / "parquet"
NAMES = {"pyarrow-26.0.1(default)": "pyarrow", "duckdb-2.0.0": "DuckDB", "polars-2.1.0": "Polars",
         "datafusion-55.0.0(arrow-rs)": "arrow-rs"}
# What depends on the values in the file, not on its schema, and a Python dict's own refusal.
BY_VALUE = {("dec04_binary_noncanonical", "pyarrow"), ("map12_complex_key", "Polars")}
# No rows are expected where Arrow has no value for them; then these gave wrong ones.
WRONG_ROWS = {("dec03_edges", "DuckDB"), ("dec06_binary_p100", "DuckDB"),
              ("time07_flba12_timestamp", "DuckDB"), ("time08_flba12_out_of_range", "DuckDB")}
# These say only that a value is out of range for 64 bits.
OUT_OF_RANGE = {("time08_flba12_out_of_range", "pyarrow")}


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


def main() -> int:
    program = sys.argv[1]
    passed = failed = 0
    for case in json.loads((VECTORS / "parquet_file.json").read_text()):
        file = VECTORS / "files" / case["file"]
        if case["out_of_spec"] or not file.exists():
            continue
        done = subprocess.run([program, "check", file, "--readers", "--json"], capture_output=True,
                              text=True, stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 1):
            # A file that xwalk itself refuses, so that its readers cannot be checked.
            print(f"{case['name']}: refused: {done.stderr.strip()}")
            continue
        # The others are checked by type alone: reader_table_test.py.
        said = {remark["reader"] for remark in json.loads(done.stdout)["readers"]} & set(NAMES.values())
        seen = {NAMES[name] for name, given in case["readers"].items()
                if name in NAMES and misread(case, NAMES[name], given)}
        if said == seen:
            passed += 1
        else:
            print(f"{case['name']}: said {sorted(said)}, seen {sorted(seen)}")
            failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
