"""`xwalk.validate` finds what `xwalk validate --json` finds."""
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import harness

harness.use_module()

import xwalk  # noqa: E402

SCHEMA = "[{name=id;type=int64}]"
CASES = {
    "valid": (["good.yson"], {"schema": SCHEMA}),
    "bad rows": (["bad.yson"], {"schema": SCHEMA}),
    "more bad rows than are described": (["many.yson"], {"schema": SCHEMA}),
    "two files": (["good.yson", "bad.yson"], {"schema": SCHEMA}),
    "a folder": (["in"], {"schema": SCHEMA}),
    "different schemas": (["other.parquet", "rows.parquet"], {}),
    "a file that cannot be read": (["cut.parquet", "rows.parquet"], {}),
    "every value": (["rows.parquet"], {"values": True}),
    "other names and types": (["rows.parquet"], {"rename": {"a": "b"}, "cast": {"a": "int8"}}),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("validate")
    (folder / "good.yson").write_text("{id=1};{id=#};")
    (folder / "bad.yson").write_text('{id=1};{id="x"};{id=2.5};')
    (folder / "many.yson").write_text('{id="x"};' * 50)
    (folder / "in").mkdir()
    for name in ("good.yson", "bad.yson"):
        (folder / "in" / name).write_bytes((folder / name).read_bytes())
    pq.write_table(pa.table({"a": [1, 1000]}), folder / "rows.parquet")
    pq.write_table(pa.table({"b": ["x"]}), folder / "other.parquet")
    whole = (folder / "rows.parquet").read_bytes()
    (folder / "cut.parquet").write_bytes(whole[:-1])
    return folder


def words_of(options):
    for name, value in options.items():
        if isinstance(value, dict):
            for key, one in value.items():
                yield from (f"--{name}", f"{key}={one}")
        else:
            yield f"--{name}"
            yield from () if value is True else (value,)


@pytest.mark.parametrize("case", CASES)
def test_python_and_the_program_agree(folder, case):
    names, options = CASES[case]
    paths = [str(folder / name) for name in names]
    done = harness.run("validate", *paths, *words_of(options), "--json", codes=(0, 1, 3))
    told = json.loads(done.stdout)
    found = xwalk.validate(paths, **options)
    assert (found.rows, found.bad_rows, found.valid) == (told["rows"], told["bad_rows"], done.returncode == 0)
    assert found.files == told["files"]
    errors = [error for error in told["errors"] if "message" in error]
    assert [(e.message, e.file, e.row) for e in found.errors] == [(e["message"], e.get("file", ""), e.get("row")) for e in errors]
    rules = [(one["path"], one["rule"], one["found"], one["violation"]) for one in told["errors"] if "rule" in one]
    assert [(one["path"], one["rule"], one["found"], one["violation"]) for one in found.findings] == rules
    assert bool(found) is found.valid


def test_the_error_of_an_only_file_is_raised(folder):
    with pytest.raises(FileNotFoundError):
        xwalk.validate(folder / "missing.yson")
    with pytest.raises(xwalk.InputError):
        xwalk.validate(folder / "cut.parquet")
    with pytest.raises(xwalk.UsageError, match="validate has no option"):
        xwalk.validate(folder / "good.yson", mode="append")
    with pytest.raises(xwalk.UsageError, match="expected the path of rows"):
        xwalk.validate(pa.table({"a": [1]}))
