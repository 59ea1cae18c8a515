"""A Lance dataset reads no data outside of its folder that the user has not named."""
import json
import os

import pytest

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    from lance.blob import Blob, blob_array, blob_field

FOLDER = harness.make_folder("lance-references")
there = harness.work_in(FOLDER)
SECRET = FOLDER / "outside" / "secret.txt"
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


BLOBS = [b"inline", URI, Blob.from_uri(URI, 4, 6), None, b"", b"x" * 100_000]


def whole(row):
    return row["b"] and {key: value for key, value in row["b"].items() if value is not None}


WANTED = [{"data": "inline"}, {"uri": URI}, {"uri": URI, "position": 4, "size": 6}, None, {"data": ""}, {"data": "x" * 100_000}]
FOLLOWED = [*WANTED[:1], {"data": SECRET.read_text()}, {"data": "SECRET"}, *WANTED[3:]]


@pytest.fixture(scope="module", autouse=True)
def blobs(there):
    write("blobs.lance", pa.Table.from_arrays([pa.array(range(6)), blob_array(BLOBS)],
                                              schema=pa.schema([pa.field("id", pa.int64()), blob_field("b")])))


@pytest.mark.parametrize("words, wanted", [((), WANTED), (("--follow", SECRET.parent), FOLLOWED), (("--follow", "outside"), FOLLOWED),
                                       (("--follow", SECRET.parent.as_uri()), FOLLOWED), (("--follow", f"{SECRET.parent}/"), FOLLOWED),
                                       (("--follow", FOLDER / "out"), WANTED), (("--follow", FOLDER / "elsewhere", "--follow", FOLDER), FOLLOWED),
                                       (("--follow", "s3://bucket/outside"), WANTED)])
def test_blobs(words, wanted):
    found = [whole(row) for row in head("blobs.lance", *words)]
    expect(found == wanted, words, found)


def test_no_command_shows_the_data():
    for verb in (("convert", "blobs.lance", "a.parquet"), ("convert", "blobs.lance", "a.vortex"), ("convert", "blobs.lance", "b.lance"),
                 ("head", "blobs.lance"), ("info", "blobs.lance", "--scan"), ("validate", "blobs.lance"),
                 ("diff", "blobs.lance", "blobs.lance", "--rows")):
        done = run(*verb)
        expect("TOP SECRET" not in done.stdout + done.stderr, verb, done.stdout)
    for name in ("a.parquet", "a.vortex", "b.lance"):
        found = [whole(row) for row in head(name)]
        expect(found == WANTED, name, found)
        files = [FOLDER / name] if (FOLDER / name).is_file() else (FOLDER / name).rglob("*")
        expect(not any(b"TOP SECRET" in file.read_bytes() for file in files if file.is_file()), name, "has the data")


def test_spellings():
    """By every spelling of a path."""
    (FOLDER / "in").mkdir()
    os.symlink(SECRET.parent, FOLDER / "in" / "link")
    for number, uri in enumerate((f"file://{FOLDER}/in/../outside/secret.txt", f"file://{FOLDER}/in/%2e%2e/outside/secret.txt",
                                  f"file://{FOLDER}/in/link/secret.txt")):
        write(f"way{number}.lance", pa.Table.from_arrays([blob_array([uri])], schema=pa.schema([blob_field("b")])))
        found = [whole(row) for row in head(f"way{number}.lance", "--follow", FOLDER / "in")]
        expect(len(found) == 1 and list(found[0]) == ["uri"], uri, found)


def test_nested():
    """Within another type they look like bytes."""
    inner = blob_array([b"in", URI])
    nested = pa.StructArray.from_arrays([inner], fields=[blob_field("b")])
    write("nested.lance", pa.table({"s": nested}))
    told = head("nested.lance", code=4)
    expect(URI in told and '"s"' in told and "--follow" in told, told)
    expect(len(head("nested.lance", "--follow", SECRET.parent)) == 2, "nested, followed")


def test_base_paths():
    base = FOLDER / "base"
    base.mkdir()
    lance.write_dataset(pa.table({"x": [1, 2]}), "based.lance", initial_bases=[lance.DatasetBasePath(str(base), name="b")],
                        target_bases=["b"])
    told = head("based.lance", code=4)
    expect(str(base) in told and "--follow" in told, told)
    expect([row["x"] for row in head("based.lance", "--follow", base)] == [1, 2], "a base path that is followed")
    expect(run("schema", "based.lance").returncode == 0, "a schema follows nothing")
