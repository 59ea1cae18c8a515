"""Versions of a Lance dataset are found by number, tag and branch, and no tag leads outside of the dataset."""
import json
import pathlib
import shutil

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import lance
    import pyarrow as pa

FOLDER = harness.make_folder("lance-tags")
there = harness.work_in(FOLDER)


def head(path, *words, code=0):
    done = run("convert", path, "-", "--to", "json", "-q", *words)
    expect(done.returncode == code, words, done.returncode, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()] if code == 0 else done.stderr


def test_versions():
    dataset = lance.write_dataset(pa.table({"x": [1]}), "t.lance")
    dataset = lance.write_dataset(pa.table({"x": [2]}), "t.lance", mode="append")
    dataset.tags.create("v1.0", 1)
    branch = dataset.create_branch("dev/new", 1)
    branch = lance.write_dataset(pa.table({"x": [77]}), branch, mode="append")
    dataset.tags.create("on-top", ("dev/new", 2))
    dataset.tags.create("both", 1)
    dataset.create_branch("both")
    for version, wanted in ((None, [1, 2]), ("1", [1]), ("v1.0", [1]), ("dev/new", [1, 77]), ("dev/new:1", [1]), ("dev/new:2", [1, 77]),
                            ("on-top", [1, 77]), ("main", [1, 2]), ("main:1", [1]), ("both:2", [1, 2])):
        words = () if version is None else ("--version", version)
        found = [row["x"] for row in head("t.lance", *words)]
        expect(found == wanted, version, found)
        expect(run("schema", "t.lance", *words).returncode == 0, "schema", version)
    for version in ("v2", "dev", "dev/new:9", "both", "../t", "dev/../../t.lance", "9", "0", "", "dev/new:", ":1", "v1.0:1", "\n"):
        told = head("t.lance", "--version", version, code=2)
        expect("Traceback" not in told, version, told)
    expect("dev/new" in head("t.lance", "--version", "nope", code=2), "an unknown version names those that exist")
    # A tag leads to no folder outside.
    shutil.copytree("t.lance", "other.lance")
    tag = pathlib.Path("t.lance/_refs/tags/v1.0.json")
    tag.write_text(tag.read_text().replace('"branch": null', '"branch": "../../other.lance"'))
    expect("branch" in head("t.lance", "--version", "v1.0", code=3), "a tag of a branch outside")
    # A branch that is copied elsewhere still names the folder that it was made in.
    told = head("other.lance", "--version", "dev/new", code=4)
    expect("t.lance" in told, told)


def test_indices():
    indexed = lance.write_dataset(pa.table({"a": list(range(100)), "b": ["x"] * 100}), "indexed.lance")
    indexed.create_scalar_index("a", "BTREE", name="a_idx")
    indexed.create_scalar_index("b", "BITMAP")
    for target in ("parquet", "lance", "yt"):
        told = json.loads(run("check", "indexed.lance", "--to", target, "--output", "json").stdout)
        table = next(path for path in told["paths"] if path["path"] == "")
        said = [label for reason in table["reasons"] if reason["rule"] == "metadata.lost" for label in reason["labels"]]
        expect(said == ["index=a_idx(a)", "index=b_idx(b)"], target, table)
        expect(told["verdict"] == "widened", target, told["verdict"])
    expect(run("convert", "indexed.lance", "plain.parquet").returncode == 0, "rows of a dataset with indices")
    expect(b"a_idx" not in pathlib.Path("plain.parquet").read_bytes(), "an index is named in a file that has none")
