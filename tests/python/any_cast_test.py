"""`--cast v=json` and `--cast v=variant` convert the values of schemaless columns, as `--any` does, with the verdict of the table."""
import json

import pytest

from tests import harness

harness.needs("libxwalk_parquet.so")
FOLDER = harness.make_folder("any-cast")
ROWS = '{v={a=[1;2.5;"x"];b=#}};\n{v="t"};\n{v=#};\n{v=18446744073709551615u};\n'
VALUES = [{"a": [1, 2.5, "x"], "b": None}, "t", None, 2**64 - 1]
TEXTS = '{v="{\\"a\\":[1,2.5,\\"x\\"],\\"b\\":null}"};\n{v="\\"t\\""};\n{v=#};\n{v="18446744073709551615"};\n'


def source_of(name):
    """Returns a file with the same values in a column of this kind."""
    if name in ("utf8", "json"):
        return harness.write(FOLDER / f"{name}.yson", TEXTS, f"[{{name=v;type={name}}}]")
    rows = harness.write(FOLDER / "any.yson", ROWS, "[{name=v;type=any}]")
    if name == "any":
        return rows
    target = FOLDER / "variant.parquet"
    harness.run("convert", rows, target, "--mode", "overwrite")
    return target


@pytest.mark.parametrize("source", ["any", "variant", "json", "utf8"])
@pytest.mark.parametrize("to", ["json", "variant"])
def test_cast(source, to):
    path, target = source_of(source), FOLDER / f"{source}.{to}.parquet"
    if (source, to) == ("utf8", "variant"):
        # A string is a value of VARIANT, and may be JSON: the request does not say which.
        assert "a type that can become" in harness.run("convert", path, target, "--cast", f"v={to}", code=4).stderr
        return
    harness.run("convert", path, target, "--cast", f"v={to}", "--mode", "overwrite")
    assert ("(JSON)" if to == "json" else "(VARIANT(1))") in harness.run("schema", target).stdout
    # Fractions of JSON are decimals in VARIANT.
    lossy = ["--variant-values", "number", "--allow", "lossy"] if to == "variant" else []
    read = [json.loads(line)["v"] for line in harness.run("convert", target, "-", "--to", "json", "-q", *lossy).stdout.splitlines()]
    assert [json.loads(value) if to == "json" and isinstance(value, str) else value for value in read] == VALUES


def test_verdict():
    """The verdict and the rejected values are those of `--any json`."""
    path = harness.write(FOLDER / "bad.yson", '{v=[1]};\n{v=[<a=1>2]};\n{v=%nan};\n{v="\\xff"};\n', "[{name=v;type=any}]")
    found = []
    for option in (["--cast", "v=json"], ["--any", "json"]):
        report = json.loads(harness.run("check", path, "--to", "parquet", *option, "--json", code=None).stdout)
        column = report["paths"][-1]
        rejected = FOLDER / "rejected.yson"
        harness.run("convert", path, FOLDER / "bad.parquet", *option, "--rejects", rejected, "--mode", "overwrite", code=None)
        found.append((column["verdict"], [one["rule"] for one in column["reasons"] if one["rule"] != "type.cast"],
                      rejected.read_text().count("JSON")))
    assert found[0] == found[1], found
    assert found[0][0] == "checked" and found[0][1] == ["any.as-json"] and found[0][2] >= 3, found
