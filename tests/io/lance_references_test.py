"""A Lance dataset reads no data outside of its folder that the user has not named; versions are found by tag and branch.

usage: lance_references_test.py XWALK
"""
import json
import os
import pathlib
import shutil

from asking import end, expect, folder, packages, run

lance, pa = packages("lance", "pyarrow")
from lance.blob import Blob, blob_array, blob_field  # noqa: E402

HERE = folder("lance-references")
SECRET = HERE / "outside" / "secret.txt"
SECRET.parent.mkdir()
SECRET.write_text("TOP SECRET 0123456789")
URI = SECRET.as_uri()


def write(path, table, **options):
    return lance.write_dataset(table, str(path), data_storage_version="2.2", allow_external_blob_outside_bases=True, **options)


def rows(*words, code=0):
    done = run(*words)
    expect(done.returncode == code, words, done.returncode, done.stderr)
    expect(code == 0 or "TOP SECRET" not in done.stdout + done.stderr, words, "the data is in the output")
    return [json.loads(line) for line in done.stdout.splitlines()] if code == 0 else done.stderr


def head(path, *words, **options):
    return rows("convert", path, "-", "--to", "json", "-q", *words, **options)


# --- external blobs -------------------------------------------------------------------------------
BLOBS = [b"inline", URI, Blob.from_uri(URI, 4, 6), None, b"", b"x" * 100_000]
write("blobs.lance", pa.Table.from_arrays([pa.array(range(6)), blob_array(BLOBS)],
                                          schema=pa.schema([pa.field("id", pa.int64()), blob_field("b")])))


def whole(row):
    return row["b"] and {key: value for key, value in row["b"].items() if value is not None}


WANTED = [{"data": "inline"}, {"uri": URI}, {"uri": URI, "position": 4, "size": 6}, None, {"data": ""}, {"data": "x" * 100_000}]
FOLLOWED = [*WANTED[:1], {"data": SECRET.read_text()}, {"data": "SECRET"}, *WANTED[3:]]
for words, wanted in (((), WANTED), (("--follow", SECRET.parent), FOLLOWED), (("--follow", "outside"), FOLLOWED),
                      (("--follow", SECRET.parent.as_uri()), FOLLOWED), (("--follow", f"{SECRET.parent}/"), FOLLOWED),
                      (("--follow", HERE / "out"), WANTED), (("--follow", HERE / "elsewhere", "--follow", HERE), FOLLOWED),
                      (("--follow", "s3://bucket/outside"), WANTED)):
    found = [whole(row) for row in head("blobs.lance", *words)]
    expect(found == wanted, words, found)
for verb in (("convert", "blobs.lance", "a.parquet"), ("convert", "blobs.lance", "a.vortex"), ("convert", "blobs.lance", "b.lance"),
             ("head", "blobs.lance"), ("info", "blobs.lance", "--scan"), ("validate", "blobs.lance"),
             ("diff", "blobs.lance", "blobs.lance", "--rows")):
    done = run(*verb)
    expect("TOP SECRET" not in done.stdout + done.stderr, verb, done.stdout)
for name in ("a.parquet", "a.vortex", "b.lance"):
    found = [whole(row) for row in head(name)]
    expect(found == WANTED, name, found)
    files = [HERE / name] if (HERE / name).is_file() else (HERE / name).rglob("*")
    expect(not any(b"TOP SECRET" in file.read_bytes() for file in files if file.is_file()), name, "has the data")
# By every spelling of a path.
(HERE / "in").mkdir()
os.symlink(SECRET.parent, HERE / "in" / "link")
for number, uri in enumerate((f"file://{HERE}/in/../outside/secret.txt", f"file://{HERE}/in/%2e%2e/outside/secret.txt",
                              f"file://{HERE}/in/link/secret.txt")):
    write(f"way{number}.lance", pa.Table.from_arrays([blob_array([uri])], schema=pa.schema([blob_field("b")])))
    found = [whole(row) for row in head(f"way{number}.lance", "--follow", HERE / "in")]
    expect(len(found) == 1 and list(found[0]) == ["uri"], uri, found)
# Within another type they look like bytes.
inner = blob_array([b"in", URI])
nested = pa.StructArray.from_arrays([inner], fields=[blob_field("b")])
write("nested.lance", pa.table({"s": nested}))
told = head("nested.lance", code=4)
expect(URI in told and '"s"' in told and "--follow" in told, told)
expect(len(head("nested.lance", "--follow", SECRET.parent)) == 2, "nested, followed")

# --- base paths -----------------------------------------------------------------------------------
base = HERE / "base"
base.mkdir()
lance.write_dataset(pa.table({"x": [1, 2]}), "based.lance", initial_bases=[lance.DatasetBasePath(str(base), name="b")],
                    target_bases=["b"])
told = head("based.lance", code=4)
expect(str(base) in told and "--follow" in told, told)
expect([row["x"] for row in head("based.lance", "--follow", base)] == [1, 2], "a base path that is followed")
expect(run("schema", "based.lance").returncode == 0, "a schema follows nothing")

# --- versions -------------------------------------------------------------------------------------
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

# --- indices --------------------------------------------------------------------------------------
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

end()
