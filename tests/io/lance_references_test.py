"""A Lance dataset reads no data outside of its folder that the user has not named."""
import contextlib
import json
import os
import shutil

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


def spelled(folder, name):
    """Lists ways to write a path next to a folder that look like a path in it, or like no reference to a file."""
    there = folder.parent / name
    return [f"file://{folder}/../{name}", f"file://{folder}/%2e%2e/{name}", f"file://{folder}/%2E%2E/{name}", f"file://{folder}/..\\{name}",
            f"file://{folder}/.\t./{name}", f"file://{folder}/.\n./{name}", f"fi\tle://{there}", f" file://{there}", f"file:{there}",
            f"file:{folder}/../{name}", f"FILE://{there}", f"file://localhost{there}", f"file://{there}?x={folder}/x", f"file://{there}#{folder}/x",
            f"file:///{there}", f"file://{folder}//..//{name}", f"file-object-store://{folder}/%2e%2e/{name}", f"file+uring:{there}",
            f"file://{folder}/%252e%252e/{name}", f"file://{folder}/..%2F{name}", f"file://{folder}/..%5C{name}", f"file://{there}%00", str(there)]


def write_spelled(path, uris):
    """Writes blobs with references as they are. The package writes only canonical ones, so their bytes are replaced afterwards."""
    places = FOLDER / "places"
    places.mkdir(exist_ok=True)
    plain = [f"{places.as_uri()}/{number}".ljust(len(uri.encode()), "p") for number, uri in enumerate(uris)]
    for uri in plain:
        (places / uri.rpartition("/")[2]).write_text("a place")
    write(path, pa.Table.from_arrays([blob_array(plain)], schema=pa.schema([blob_field("b")])))
    file, = (path / "data").glob("*.lance")
    data = file.read_bytes()
    for old, new in zip(plain, uris):
        expect(len(old) == len(new.encode()) and data.count(old.encode()) == 1, old, new)
        data = data.replace(old.encode(), new.encode())
    file.write_bytes(data)


def test_spellings():
    """A reference is followed only if every library reads it alike. Others stay references, or are refused with their name."""
    inner = FOLDER / "inner.lance"
    uris = spelled(inner, f"{SECRET.parent.name}/{SECRET.name}")
    write_spelled(inner, uris)
    for place in (FOLDER, inner):
        with contextlib.chdir(place):
            path = os.path.relpath(inner)
            found = [whole(row) for row in head(path)]
            expect(found == [{"uri": uri} for uri in uris], found)
            expect("TOP SECRET" not in run("head", path).stdout, path)
    told = head(inner, "--follow", inner, code=4)
    expect(json.dumps(uris[0]) in told and "canonical" in told, told)


def test_which_references_are_followed(references):
    """No spelling of a path elsewhere is one in the folder. A canonical one is, and a link is where it leads."""
    inner = FOLDER / "in"
    for name in ("outside/secret.txt", "outside"):
        for uri in spelled(inner, name):
            expect(references.within(references.base_uri(uri), [str(inner), "s3://box/in"]) is None, uri)
    for uri in ("s3://box/in/../x", "s3://box/in/%2e%2e/x", "s3://box/in", "s3://box/in2/x", "S3://box/in/x", "s3://box//in/x", "s3://box/in/x?y",
                "s3:///in/x", "file://box/in/x", "", "in/x", "/", "file:///", f"file://{inner}"):
        expect(references.within(uri, [str(inner / "deeper"), "s3://box/in"]) is None, uri)
    expect(references.within("s3://box/in/x", [str(inner), "s3://box/in/"]) == "s3://box/in/", "in a store")
    with contextlib.chdir(FOLDER):
        for path in ("in/x", "./in/x/"):
            expect(references.within(references.base_uri(path), [str(inner)]) == os.path.realpath(inner), path)
        for path in ("in/../outside", "in/./x", "in//x", "~/in/x", " in/x", "in\\x", "in/x\n", "file:in/x", "s3:in/x"):
            expect(references.within(references.base_uri(path), [str(inner)]) is None, path)
    for path in ("x", "a b/ü?#'.txt", "day=1/(x),y;z@!$&*+~", "c:/x", "..x/x..", "file:/x"):
        for uri in ((inner / path).as_uri(), references.base_uri(str(inner / path))):
            expect(references.within(uri, ["s3://box/in", str(inner)]) == os.path.realpath(inner), uri)


@pytest.fixture
def references():
    """The code of the engine, in this process."""
    from importlib.machinery import SourceFileLoader
    from importlib.util import module_from_spec, spec_from_loader

    loader = SourceFileLoader("references_of_lance", str(harness.needs("xwalk-engine-lance")))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def test_links_and_escapes():
    (FOLDER / "in" / "a b=ü").mkdir(parents=True)
    (FOLDER / "in" / "a b=ü" / "it.txt").write_text("inside")
    os.symlink(SECRET.parent, FOLDER / "in" / "link")
    os.symlink("a b=ü", FOLDER / "in" / "near")
    for uri, wanted in ((f"file://{FOLDER}/in/link/secret.txt", "uri"), (f"file://{FOLDER}/in/near/it.txt", "data"),
                        ((FOLDER / "in" / "a b=ü" / "it.txt").as_uri(), "data"), (f"file://{FOLDER}/in/a%20b=ü/it.txt", "data")):
        write("way.lance", pa.Table.from_arrays([blob_array([uri])], schema=pa.schema([blob_field("b")])), mode="overwrite")
        found = [whole(row) for row in head("way.lance", "--follow", FOLDER / "in")]
        expect(found == [{"uri": uri} if wanted == "uri" else {"data": "inside"}], uri, found)


def test_spellings_of_base_paths():
    inner = FOLDER / "bases" / "inner.lance"
    (FOLDER / "based").mkdir()
    for base in (f"file://{inner}/..\\..\\based", f"file:{inner}/../../based", f"{inner}/../../based"):
        shutil.rmtree(inner, ignore_errors=True)
        lance.write_dataset(pa.table({"x": [41]}), str(inner), initial_bases=[lance.DatasetBasePath(base, name="b")], target_bases=["b"])
        told = head(inner, code=4)
        expect(json.dumps(base) in told, base, told)


def test_escapes_of_base_paths():
    """The package may read the escapes of a base path otherwise: a folder whose name has them is refused, also if the other is followed."""
    decoded, written = FOLDER / "two words", FOLDER / "two%20words"
    for folder in (decoded, written):
        folder.mkdir()
    inner = FOLDER / "escapes.lance"
    lance.write_dataset(pa.table({"x": [41]}), str(inner), target_bases=["b"],
                        initial_bases=[lance.DatasetBasePath(decoded.as_uri(), name="b")])
    told = head(inner, "--follow", decoded, code=4)
    expect("found two" in told, told)
    shutil.rmtree(written)
    if any(decoded.rglob("*.lance")):
        expect([row["x"] for row in head(inner, "--follow", decoded)] == [41], "one folder")


def test_names_that_look_like_uris():
    """The package is given the path that xwalk has read the schema of."""
    hidden, shown = FOLDER / "hidden.lance", FOLDER / f"file:{FOLDER}" / "hidden.lance"
    lance.write_dataset(pa.table({"x": [41]}), str(hidden))
    lance.write_dataset(pa.table({"x": [1]}), str(shown))
    found = [row["x"] for row in head(str(shown.relative_to(FOLDER)))]
    expect(found == [1], found)


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
