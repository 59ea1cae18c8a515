"""Tables on a cluster through the real ytsaurus-client, against a double of the HTTP API: cluster_double.py."""

import contextlib
import http.server
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import zlib

import pytest

from tests import harness
from tests.measure import measure

with harness.skip_if_missing():
    import yt.wrapper  # noqa: F401
    from yt import yson

from cluster_double import CONFLICT, DENIED, NO_TRANSACTION, TOKEN, Double, Refused

PROGRAM = str(harness.PROGRAM)
YT = str(pathlib.Path(sys.executable).parent / "yt")
SCHEMA = "<strict=%true;unique_keys=%false>[{name=a;type=int64;required=%true};{name=b;type=utf8}]"
ROWS = [{"a": n, "b": f"row {n}".encode() if n % 7 else None} for n in range(1000)]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def run(double, *words, code=0, stdin=None, **environment):
    done = subprocess.run([PROGRAM, *words], input=stdin, capture_output=True, timeout=120,
                          env={**double.environment, **environment}, check=False)
    said = done.stdout.decode(errors="replace") + done.stderr.decode()
    assert done.returncode == code, (words, done.returncode, said)
    assert TOKEN not in said, (words, said)
    return done.stdout.decode(errors="replace") if code == 0 else done.stderr.decode()


def holds(text, *parts):
    for part in parts:
        assert part in text, (part, text)


def rows_of(text):
    return list(yson.loads(text.encode(), yson_type="list_fragment"))


def settled(double):
    """Waits until all requests are answered, also those of processes that have ended."""
    until = time.monotonic() + 10
    while (double.transactions or double.locks) and time.monotonic() < until:
        time.sleep(0.05)
    assert not double.transactions and not double.locks, (
        {key: one.parent for key, one in double.transactions.items()},
        [(name, str(asked.get("transaction_id"))) for name, asked, _ in double.requests])


def with_table(**attributes):
    double = Double()
    double.table("//home/t", SCHEMA, ROWS, **attributes)
    return double


def test_schema_in_one_request():
    with with_table() as double:
        holds(run(double, "schema", "//home/t"), '"name" = "a"', '"required" = %true')
        assert [name for name, _, _ in double.requests] == ["get"], double.requests
        holds(run(double, "schema", "//home/t{b}", "--form", "short"), "b")
        assert "int64" not in run(double, "schema", "//home/t{b}").lower()
        holds(run(double, "check", "//home/t", "--to", "parquet"), "2 exact")
        holds(run(double, "compat", "//home/t", f"yt://{double.address}//home/t"), "compatible")
    with with_table() as double:
        holds(run(double, "info", "//home/t"), "rows    1,000", "Int64")
        assert not double.asked("read_table"), "no row is read for what the table says"
        holds(run(double, "info", "//home/t", "--scan", "--select", "?"), "1,000", "999")


def test_head_reads_little():
    with with_table() as double:
        assert run(double, "head", "//home/t", "-n", "3").splitlines()[-1].split() == ["2", "row", "2"]
        ranges = [read["path"].attributes["ranges"] for read in double.asked("read_table")]
        assert ranges == [[{"lower_limit": {"row_index": 0}, "upper_limit": {"row_index": 3}}]], ranges
        assert str(double.asked("read_table")[0]["output_format"]) == "skiff"


def test_parts_keep_their_order():
    with with_table(uncompressed_data_size=1 << 28) as double:
        delays = iter([0.4, 0.2, 0.0] * 20)
        double.fault = lambda command, parameters, count: time.sleep(next(delays)) if command == "read_table" else None
        run(double, "convert", "//home/t", "all.yson")
        assert len(double.asked("read_table")) > 8
        found = rows_of(pathlib.Path("all.yson").read_text())
        assert [row["a"] for row in found] == list(range(1000))
        assert found[7]["b"] == None and found[8]["b"] == "row 8"
        assert double.ended["committed"] == 0 or not double.transactions, "what was read for is ended"


def test_columns_and_ranges():
    with with_table() as double:
        out = run(double, "convert", "//home/t{a}[#10:#12,#990:#2000,#5]", "-", "--to", "yson")
        assert [row["a"] for row in rows_of(out)] == [10, 11, *range(990, 1000), 5]
        out = run(double, "convert", "//home/t[#10:#12]{b}", "-", "--to", "yson")
        assert rows_of(out) == [{"b": "row 10"}, {"b": "row 11"}], out
        run(double, "convert", "//home/t", "-", "--to", "yson", "--select", "b", "--limit", "4")
        assert list(double.asked("read_table")[-1]["path"].attributes["columns"]) == ["b"]
        holds(run(double, "head", "//home/t{x}", code=2), "no column")
        holds(run(double, "head", "//home/t{a", code=2), "expected")


def test_names_that_are_none():
    """Paths without a name after a slash are refused before any request, as an input and as an output."""
    with with_table() as double:
        for path in ("//", "//home/t/", "///home/t", "//home//t", "yt://cluster//", "yt://"):
            for words in (["head", path], ["schema", path], ["validate", path], ["diff", path, "//home/t"]):
                holds(run(double, *words, code=2), f"{path}: error: expected ")
            pathlib.Path("one.yson").write_text("{a=1;b=x}")
            holds(run(double, "convert", "one.yson", path, "--schema", SCHEMA, code=2), "expected ")
        assert not double.requests


def test_tables_and_files():
    """Inputs are tables or files. A mixture is an error in any order."""
    with with_table() as double:
        pathlib.Path("one.yson").write_text("{a=1;b=x}")
        pathlib.Path("one.yson.schema").write_text(SCHEMA)
        for names in (["//home/t", "one.yson"], ["one.yson", "//home/t"]):
            holds(run(double, "convert", *names, "all.yson", code=2), f"found {names[1]} beside", "first")
            assert not os.path.exists("all.yson")
        settled(double)
        run(double, "convert", "//home/t", "//home/t[#1:#3]", "twice.yson")
        assert [row["a"] for row in rows_of(pathlib.Path("twice.yson").read_text())] == [*range(1000), 1, 2]


def test_every_type():
    """Values of all YTsaurus types survive a round trip with their bytes and their schema."""
    def optional(item):
        return "{type_name=optional;item=" + item + "}"

    values = {"int8": "-128", "int16": "-32768", "int32": "-7", "int64": "-9223372036854775808", "uint8": "255u",
              "uint16": "65535u", "uint32": "7u", "uint64": "18446744073709551615u", "float": "1.5", "double": "%nan",
              "bool": "%true", "string": '"\\xff\\x00a"', "utf8": '"é"', "date": "0u", "datetime": "5u", "timestamp": "6u",
              "interval": "-6", "date32": "-7", "datetime64": "-8", "timestamp64": "-9", "interval64": "-10",
              "json": '"[1]"', "uuid": '"0123456789abcdef"', "tz_date": '"\\0\\7Europe/Moscow"',
              "tz_datetime": '"\\0\\0\\0\\7Europe/Moscow"'}
    columns = [pair for name, value in values.items() for pair in ((name, value), (optional(name), "#"))]
    for digits, size in ((9, 4), (18, 8), (35, 16), (76, 32)):
        columns.append((f"{{type_name=decimal;precision={digits};scale=2}}",
                        '"' + r"\x80" + r"\x00" * (size - 2) + r"\x05" + '"'))
    columns += [
        (optional("yson"), '{a=[1;<x=1>2u;#];b=%true}'), (optional(optional("int64")), "[#]"),
        (optional(optional(optional("string"))), "[[x]]"), ("null", "#"), ("void", "#"),
        ("{type_name=list;item=" + optional("utf8") + "}", "[a;#;b]"),
        ("{type_name=dict;key=string;value=" + optional("int64") + "}", "[[a;1];[b;#]]"),
        ("{type_name=struct;members=[{name=x;type=int8};{name=y;type=" + optional("yson") + "}]}", "{x=1;y=[1;2]}"),
        ("{type_name=tuple;elements=[{type=int8};{type=date}]}", "[1;2u]"),
        ("{type_name=variant;members=[{name=x;type=int8};{name=y;type=string}]}", "[y;q]"),
        ("{type_name=variant;elements=[{type=int8};{type=string}]}", "[0;4]"),
        ("{type_name=tagged;tag=money;item=int64}", "4"),
        (optional("{type_name=dict;key=int64;value=" + optional(optional("int8")) + "}"), "[[1;[#]]]")]
    pathlib.Path("rich.yson").write_text("{" + ";".join(f"c{n}={value}" for n, (_, value) in enumerate(columns)) + "}")
    pathlib.Path("rich.yson.schema").write_text(
        "[" + ";".join(f"{{name=c{n};type_v3={type_}}}" for n, (type_, _) in enumerate(columns)) + "]")
    with Double() as double:
        run(double, "convert", "rich.yson", "same.yson")
        run(double, "convert", "rich.yson", "//home/skiff")
        run(double, "convert", "//home/skiff", "back.yson")
        for end in ("yson", "yson.schema"):
            assert pathlib.Path("back." + end).read_text() == pathlib.Path("same." + end).read_text(), end
        run(double, "convert", "rich.yson", "//home/yson", "--to", "yson")
        run(double, "convert", "//home/yson", "yson.yson", "--from", "yson")
        assert pathlib.Path("yson.yson").read_text() == pathlib.Path("same.yson").read_text()


def test_other_ways():
    """YSON on request, dynamic tables and ranges of keys in one request, columns that no schema names."""
    with Double() as double:
        double.table("//home/t", SCHEMA.replace("type=int64", "type=int64;sort_order=ascending"), ROWS)
        double.table("//home/dynamic", SCHEMA, ROWS[:5], dynamic=True, row_count=99)
        double.table("//home/weak", "<strict=%false>[{name=a;type=int64}]", [{"a": 1, "x": b"other"}, {"a": 2}])
        for name in ("//home/t", "//home/dynamic"):
            assert len(rows_of(run(double, "convert", name, "-", "--to", "yson"))) in (1000, 5)
        out = run(double, "convert", "//home/t[10:12]", "-", "--to", "yson", "--from", "yson")
        assert [row["a"] for row in rows_of(out)] == [10, 11], out
        assert str(double.asked("read_table")[-1]["output_format"]) == "yson"
        assert rows_of(run(double, "convert", "//home/weak", "-", "--to", "yson")) == [{"a": 1, "x": "other"}, {"a": 2}]
        assert rows_of(run(double, "convert", "//home/weak{x}", "-", "--to", "yson")) == [{"x": "other"}, {"x": None}]
        holds(run(double, "head", "//home/t", "--from", "parquet", code=2), "skiff or yson")


def test_written_whole():
    with with_table() as double:
        run(double, "convert", "//home/t", "t.parquet")
        out = run(double, "convert", "t.parquet", "//home/new", "--yt-attribute", "optimize_for=scan",
                  "--yt-attribute", "compression_codec=zstd_5")
        assert out == ""
        made = double.asked("create")[-1]
        assert made["attributes"]["optimize_for"] == "scan" and made["attributes"]["compression_codec"] == "zstd_5"
        assert made["transaction_id"] != "0-0-0-0" and not double.transactions and not double.locks
        assert double.rows("//home/new") == double.rows("//home/t")
        holds(run(double, "diff", "//home/new", "//home/t"), "no difference")
        holds(run(double, "convert", "t.parquet", "//home/new", code=74), "already exists", "--mode append")
        run(double, "convert", "t.parquet", "//home/new", "--mode", "append", "--limit", "3")
        assert len(double.rows("//home/new")) == 1003
        run(double, "convert", "t.parquet", "//home/new", "--mode", "append", "--limit", "1", "--to", "yson")
        run(double, "convert", "t.parquet", "//home/begun", "--mode", "append", "--limit", "1")
        assert len(double.rows("//home/new")) == 1004 and len(double.rows("//home/begun")) == 1
        identity = double.nodes["//home/new"].id
        run(double, "convert", "//home/t{b}", "//home/new", "--mode", "overwrite", "--yt-attribute", "optimize_for=lookup")
        assert [list(row) for row in double.rows("//home/new")] == [["b"]] * 1000
        assert double.nodes["//home/new"].id == identity, "it stays the same node, with its owner and its rights"
        holds(run(double, "schema", "//home/new"), '"b"')
        assert double.nodes["//home/new"].attributes["optimize_for"] in ("lookup", b"lookup")
        holds(run(double, "convert", "t.parquet", "//home/new", "--mode", "append", code=4), "a")
        run(double, "convert", "t.parquet", "//home/empty", "--limit", "0")
        assert double.rows("//home/empty") == []
        holds(run(double, "convert", "//home/t", "//home/t", code=2), "one of the inputs")
        holds(run(double, "convert", "t.parquet", "//home/x[#1:#2]", code=2), "part of one")
        holds(run(double, "convert", "t.parquet", "//home/x", "--yt-attribute", "schema=[]", code=2), "schema")
        holds(run(double, "convert", "t.parquet", "//home/x", "--yt-attribute", "ttl=2026-01-01", code=2), "YSON")
        holds(run(double, "convert", "t.parquet", "//home/x", "--to", "parquet", code=2), "skiff or yson")
        assert "//home/x" not in double.nodes


def test_keeps_types():
    """Properties of a table come back: order, keys, names, types that others lack."""
    columns = ("{name=k;type=int64;required=%true;sort_order=ascending};{name=d;type_v3={type_name=optional;item={type_name="
               "decimal;precision=20;scale=3}}};{name=u;type_v3={type_name=optional;item=uuid}};{name=l;type_v3={type_name="
               "list;item={type_name=optional;item=double}}};{name=s;type_v3={type_name=struct;members=[{name=x;type=int32};"
               "{name=y;type={type_name=optional;item=bool}}]}};{name=v;type=any}")
    rows = ('{k=1;d="12.500";u="00112233-4455-6677-8899-aabbccddeeff";l=[1.5;#];s={x=7;y=%true};v={a=[1;"b"]}};\n'
            '{k=2;d=#;u=#;l=[];s={x=-1;y=#};v=#};\n')
    pathlib.Path("rich.yson").write_text(rows)
    pathlib.Path("rich.yson.schema").write_text(f"<strict=%true;unique_keys=%true>[{columns}]")
    words = ["--decimal-mode", "text", "--uuid-mode", "text_yql"]
    with Double() as double:
        run(double, "convert", "rich.yson", "//home/rich", *words)
        holds(run(double, "diff", "rich.yson", "//home/rich"), "no difference")
        run(double, "convert", "//home/rich", "back.yson", *words)
        run(double, "convert", "rich.yson", "same.yson", *words)
        assert pathlib.Path("back.yson").read_text() == pathlib.Path("same.yson").read_text()
        assert pathlib.Path("back.yson.schema").read_text() == pathlib.Path("same.yson.schema").read_text()
        run(double, "convert", "//home/rich", "rich.parquet")
        run(double, "convert", "rich.parquet", "//home/again")
        holds(run(double, "diff", "//home/rich", "//home/again"), "no difference")
        first, second = (double.nodes[name].rows for name in ("//home/rich", "//home/again"))
        assert [[cell.data for cell in row.values()] for row in first] == [[cell.data for cell in row.values()] for row in
                                                                         second]
        pathlib.Path("wrong.yson").write_text("{k=5};{k=3}")
        pathlib.Path("wrong.yson.schema").write_text("[{name=k;type=int64;required=%true;sort_order=ascending}]")
        holds(run(double, "convert", "wrong.yson", "//home/wrong", code=3), "expected rows sorted by", "sort them")
        settled(double)
        assert "//home/wrong" not in double.nodes


def test_failures_leave_nothing():
    with with_table() as double:
        run(double, "convert", "//home/t", "t.parquet")
        before = double.rows("//home/t")

        def refused_with(code, *parts, on="write_table", mode="overwrite"):
            double.fault = lambda command, parameters, count: Refused(code, "said the double") if command == on else None
            holds(run(double, "convert", "t.parquet", "//home/t", "--mode", mode, code=74), *parts)
            double.fault = lambda command, parameters, count: None
            settled(double)
            assert double.rows("//home/t") == before, parts

        refused_with(DENIED, "denied", "permission")
        refused_with(CONFLICT, "locked", "wait", on="lock")
        refused_with(NO_TRANSACTION, "transaction was lost", "run it again")
        refused_with(902, "no space")
        refused_with(316, "another schema", mode="append")
        # Rows that cannot be read end what is written.
        pathlib.Path("bad.yson").write_text("{a=1;b=x};{a=two}")
        pathlib.Path("bad.yson.schema").write_text(SCHEMA)
        holds(run(double, "convert", "bad.yson", "//home/t", "--mode", "overwrite", code=3), "expected int64")
        settled(double)
        assert double.rows("//home/t") == before
        # A refusal after the first bytes.
        double.fault = lambda command, parameters, count: "trailer" if command == "read_table" else None
        holds(run(double, "convert", "//home/t", "cut.skiff", code=74), "a node of the cluster is gone")
        assert not os.path.exists("cut.skiff")
        double.fault = lambda command, parameters, count: None
        holds(run(double, "head", "//home/none", code=74), "//home/none does not exist", "yt list")
        holds(run(double, "convert", "t.parquet", "//none/deep", code=74), "yt create map_node")
        holds(run(double, "head", "//home", code=74), "a folder")
        holds(run(double, "head", "//home/t", code=74, YT_TOKEN="another-token"), "token is not accepted", "YT_TOKEN")
        bare = {name: value for name, value in double.environment.items() if name != "YT_PROXY"}
        done = subprocess.run([PROGRAM, "head", "//home/t"], capture_output=True, env=bare, text=True, check=False)
        holds(done.stderr, "no cluster given", "YT_PROXY")
        assert run(double, "head", f"yt://{double.address}//home/t", "-n", "1", YT_PROXY="nowhere.invalid")


def test_several_writers():
    """If the client does not keep the order: all rows, in any order, in one transaction."""
    patch = "{write_parallel={enable=%true;unordered=%true;max_thread_count=3}}"
    with with_table() as double:
        words = dict(YT_CONFIG_PATCHES=double.environment["YT_CONFIG_PATCHES"] + ";" + patch)
        run(double, "convert", "//home/t", "//home/many", **words)
        assert double.asked("concatenate"), "the writers' tables became one"
        assert sorted(row["a"] for row in double.rows("//home/many")) == list(range(1000))
        left = [name for name, node in double.nodes.items() if node.kind == "table"]
        assert sorted(left) == ["//home/many", "//home/t"] and not double.transactions, left
        run(double, "convert", "//home/t", "//home/many", "--mode", "overwrite", **words)
        assert double.rows("//home/many") == double.rows("//home/t") and len(double.asked("concatenate")) == 1


def test_writers_by_option():
    """Several writers for rows without an order, and a reason for rows with one."""
    with with_table() as double:
        run(double, "convert", "//home/t", "//home/many", "--yt-writers", "3")
        assert double.asked("concatenate") and sorted(row["a"] for row in double.rows("//home/many")) == list(range(1000))
        run(double, "convert", "//home/t", "<append=%true>//home/many", "--yt-writers", "3", "--limit", "5")
        assert len(double.rows("//home/many")) == 1005
        holds(run(double, "convert", "//home/t", "//home/many", "--mode", "overwrite", "--yt-writers", "2", code=4),
              "one writer", "--yt-writers")
        sorted_ = SCHEMA.replace("type=int64", "type=int64;sort_order=ascending")
        holds(run(double, "convert", "//home/t", "//home/sorted", "--to-schema", sorted_, "--yt-writers", "2", code=2),
              'sorted by "a"', "--yt-writers")
        run(double, "convert", "//home/t", "//home/sorted", "--to-schema", sorted_, "--yt-writers", "1")
        holds(run(double, "convert", "//home/t", "//home/x", "--yt-writers", "0", code=2), "--yt-writers")
        settled(double)
        assert "//home/x" not in double.nodes and len(double.rows("//home/many")) == 1005


def test_attributes_in_front():
    """Attributes of YPath before a path mean what they mean to the client, or are refused in words."""
    with with_table() as double:
        def rows(path, *words):
            return [row.get("a") for row in rows_of(run(double, "convert", path, "-", "--to", "yson", *words))]

        for path in ("<columns=[a];ranges=[{lower_limit={row_index=3};upper_limit={row_index=5}}]>//home/t",
                     "<lower_limit={row_index=3};upper_limit={row_index=5}>//home/t{a}",
                     f"<ranges=[{{exact={{row_index=3}}}};{{exact={{row_index=4}}}}]>yt://{double.address}//home/t",
                     f"yt://{double.address}<columns=[a]>//home/t[#3:#5]",
                     f'<cluster="{double.address}">//home/t[#3,#4]'):
            assert rows(path) == [3, 4], path
        assert rows("<columns=[b]>//home/t", "--limit", "1") == [None]
        holds(run(double, "schema", "<columns=[b]>//home/t", "--form", "short"), "b")
        holds(run(double, "head", "<columns=[a]>//home/t", "-n", "1"), "a")
        holds(run(double, "validate", "<columns=[a]>//home/t"), "1,000 rows")
        holds(run(double, "diff", "<columns=[a]>//home/t", "//home/t{a}"), "no difference")
        before = len(double.requests)
        for path in ("<rename_columns={a=x}>//home/t", "<append=%true>//home/t", "<optimize_for=scan>//home/t", "<x=1>//home/t"):
            for verb in ("head", "schema", "validate"):
                run(double, verb, path, code=2)
        holds(run(double, "head", "<rename_columns={a=x}>//home/t", code=2), "--rename")
        holds(run(double, "head", "<x=1>//home/t", code=2), "There are columns, ranges,")
        assert len(double.requests) == before, "all is refused before anything is asked"

        run(double, "convert", "//home/t", "t.parquet")
        run(double, "convert", "t.parquet", "<optimize_for=scan;compression_codec=zstd_5>//home/new",
            "--yt-attribute", "optimize_for=scan", "--limit", "2")
        made = double.asked("create")[-1]["attributes"]
        assert made["optimize_for"] == "scan" and made["compression_codec"] == "zstd_5", made
        run(double, "convert", "t.parquet", "<append=%true>//home/new", "--limit", "3")
        run(double, "convert", "t.parquet", "<append=%true>//home/new", "--limit", "3", "--mode", "append")
        assert [row["a"] for row in double.rows("//home/new")] == [0, 1, 0, 1, 2, 0, 1, 2]
        run(double, "convert", "t.parquet", "<append=%true>//home/begun", "--limit", "1")
        assert len(double.rows("//home/begun")) == 1
        holds(run(double, "convert", "t.parquet", "<append=%false>//home/new", code=74), "already exists")
        for path, words in (("<append=%true>//home/new", ("--mode", "overwrite")),
                            ("<append=%true>//home/new", ("--mode", "create")),
                            ("<append=%false>//home/new", ("--mode", "append")),
                            ("<optimize_for=scan>//home/x", ("--yt-attribute", "optimize_for=lookup")),
                            ("<columns=[a]>//home/x", ()), ("<ranges=[]>//home/x", ()), ("<schema=[]>//home/x", ()),
                            ("<sorted_by=[a]>//home/x", ())):
            run(double, "convert", "t.parquet", path, *words, code=2)
        holds(run(double, "convert", "//home/t", "<append=%true>//home/t", code=2), "one of the inputs")
        settled(double)
        assert len(double.rows("//home/new")) == 8 and "//home/x" not in double.nodes


def test_ranges_of_keys():
    """Ranges of keys of a static table are its row numbers, read in parts and again; the rows of one request are requested
    again until some of it was handed on."""
    with Double(part=1000) as double:
        keyed = SCHEMA.replace("type=int64", "type=int64;sort_order=ascending")
        double.table("//home/t", keyed, ROWS, uncompressed_data_size=1 << 28)
        double.table("//home/down", keyed.replace("ascending", "descending"), ROWS[::-1])
        double.table("//home/dynamic", SCHEMA, ROWS, dynamic=True)

        def rows(path, **words):
            return [row["a"] for row in rows_of(run(double, "convert", path, "-", "--to", "yson", **words))]

        def close_first(command, parameters, count):
            return "close" if command == "read_table" and count in (1, 4) else None

        double.fault = close_first
        assert rows("//home/t[(10):(900)]") == list(range(10, 900))
        asked = [read["path"].attributes["ranges"] for read in double.asked("read_table")]
        assert [list(one["lower_limit"]) for one in map(list, asked) for one in one][-1] == ["row_index"], asked
        assert len(asked) > 8, "in parts, with one that failed"
        assert rows("//home/t[10:12,(990):,7,(2000)]") == [10, 11, *range(990, 1000), 7]
        assert rows("<ranges=[{exact={key=[5]}};{lower_limit={row_index=3};upper_limit={key=[5]}}]>//home/t") == [5, 3, 4]
        assert rows("//home/t[20:10]") == []

        double.fault, double._counts = close_first, {}
        assert rows("//home/dynamic") == list(range(1000)), "the first request came to nothing"
        double.fault = lambda command, parameters, count: "cut" if command == "read_table" else None
        holds(run(double, "convert", "//home/dynamic", "cut.skiff", code=74), "one request", "run it again")
        assert not os.path.exists("cut.skiff")
        settled(double)


def test_tries_again():
    with with_table() as double:
        double.fault = lambda command, parameters, count: (
            "close" if command in ("read_table", "write_table") and count == 1 else None)
        run(double, "convert", "//home/t", "t.skiff")
        run(double, "convert", "t.skiff", "//home/second")
        assert double.rows("//home/second") == double.rows("//home/t")
        assert len(double.asked("read_table")) == 2 and len(double.asked("write_table")) == 2


@contextlib.contextmanager
def other_server(*answers):
    """A web server that gives these answers (status, body), the last one always. It is not a proxy."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = answers[min(len(asked), len(answers) - 1)]
            asked.append(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    asked = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


@pytest.mark.parametrize("words", [("schema", "//home/t"), ("convert", "rows.yson", "//home/t")])
def test_a_server_that_is_no_proxy(words):
    """A wrong name is an error within seconds, with the client's own settings of two minutes."""
    pathlib.Path("rows.yson").write_text("{a=1};")
    with with_table() as double, other_server((404, b"<html>not found</html>")) as (address, asked):
        began = time.monotonic()
        said = run(double, *words, code=74, YT_PROXY=address, YT_CONFIG_PATCHES="{}")
        assert time.monotonic() - began < 20, said
        holds(said, "expected an answer of a YTsaurus proxy, found status 404", "YT_PROXY")
        assert 1 < len(asked) < 6, asked


def test_a_proxy_that_is_overloaded_is_waited_for():
    busy = (503, b'{"code":1,"message":"overloaded"}')
    with with_table() as double, other_server(busy, busy, (404, b"no")) as (address, asked):
        holds(run(double, "schema", "//home/t", code=74, YT_PROXY=address), "status 404")
        assert len(asked) > 2, asked


@pytest.mark.parametrize("sign, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_ended_from_outside(sign, code):
    """Interrupted or killed, nothing stays; a killed host is noticed by its engine."""
    with with_table() as double:
        before = double.rows("//home/t")
        process = subprocess.Popen([PROGRAM, "convert", "-", "//home/t", "--from", "yson", "--schema", SCHEMA, "--mode",
                                    "overwrite"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=double.environment)
        process.stdin.write(b"{a=1;b=x};")
        process.stdin.flush()
        until = time.monotonic() + 30
        while not double.locks and time.monotonic() < until:
            time.sleep(0.05)
        assert double.locks, "the table is being written"
        process.send_signal(sign)
        assert process.wait(30) in (code, -sign), (sign, process.returncode)
        settled(double)
        assert double.ended["aborted"] >= 1, (sign, double.ended)
        assert double.rows("//home/t") == before


@pytest.mark.parametrize("words", [["head", "//home/t"], ["convert", "-", "//home/new", "--from", "yson", "--schema", SCHEMA]])
def test_ended_while_it_begins(words):
    """Stopped before the cluster has returned the id of a transaction: it is aborted anyway."""
    with with_table() as double:
        double.fault = lambda command, parameters, count: time.sleep(0.5 if command == "start_transaction" else 0)
        process = subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, env=double.environment)
        process.stdin.write(b"{a=1;b=x};")
        process.stdin.flush()
        until = time.monotonic() + 30
        while not double.asked("start_transaction") and time.monotonic() < until:
            time.sleep(0.01)
        process.terminate()
        assert process.wait(30) in (143, -signal.SIGTERM), process.returncode
        until = time.monotonic() + 10
        while double.ended["aborted"] == 0 and time.monotonic() < until:
            time.sleep(0.05)
        assert double.ended["aborted"] == 1 and not double.transactions, double.ended


def test_secrets_stay_secret():
    with with_table() as double:
        seen = []

        def look(command, parameters, count):
            for folder in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    words = (folder / "cmdline").read_bytes()
                except OSError:
                    continue
                if b"xwalk" in words:
                    seen.append(words)
            return Refused(1, f"the double repeats: {TOKEN}") if command == "read_table" else None

        double.fault = look
        said = run(double, "head", "//home/t", "-v", code=74)
        holds(said, "…")
        assert seen and not any(TOKEN.encode() in words for words in seen)


def test_official_client_agrees():
    """What the official program shows of a table that was written here, and the other way."""
    with with_table() as double:
        run(double, "convert", "//home/t", "//home/copy")

        def yt_(*words, stdin=None):
            done = subprocess.run([YT, *words], input=stdin, capture_output=True, env=double.environment, timeout=60,
                                  check=True)
            return done.stdout

        said = yson.loads(yt_("get", "//home/copy/@schema"))
        assert [(column["name"], column["type"], column["required"]) for column in said] == [
            ("a", "int64", True), ("b", "utf8", False)]
        rows = list(yson.loads(yt_("read-table", "--format", "yson", "//home/copy"), yson_type="list_fragment"))
        assert rows == [{"a": row["a"], "b": row["b"] and row["b"].decode()} for row in ROWS]
        yt_("write-table", "--format", "yson", "<append=%true>//home/copy", stdin=b"{a=-5;b=theirs}")
        assert run(double, "head", "//home/copy[#1000]").split() == ["a", "b", "-5", "theirs"]


def test_by_python():
    harness.use_module()
    import xwalk
    with with_table() as double:
        kept = dict(os.environ)
        os.environ.update({name: double.environment[name] for name in ("YT_PROXY", "YT_TOKEN", "HOME")})
        try:
            xwalk.convert("//home/t{a}[#3:#5]", "//home/python", yt_attributes={"optimize_for": "scan", "in_memory": False})
            assert double.rows("//home/python") == [{"a": 3}, {"a": 4}]
            assert double.asked("create")[-1]["attributes"]["optimize_for"] == "scan"
            assert xwalk.Schema.read("//home/python").names == ["a"]
            assert xwalk.check("//home/python", to="parquet", rows=True).rows is not None
        finally:
            os.environ.clear()
            os.environ.update(kept)


def test_every_interface():
    """The program, the module and the C interface read, write, check and refuse tables alike."""
    sys.path.insert(0, str(harness.ROOT / "tests" / "python"))
    import interfaces_test
    interfaces = {"program": interfaces_test.by_program, "python": interfaces_test.by_python, "c": interfaces_test.by_c}
    with with_table() as double:
        double.table("//home/other", SCHEMA.replace("type=utf8", "type=int64"), [{"a": 1, "b": 2}])

        def same(source, out, **options):
            told = {interface: convert(source, out.replace("INTERFACE", interface), options) for interface, convert in interfaces.items()}
            for interface, one in told.items():  # each interface spells options differently
                one.pop("hint", None)
                if "message" in one:
                    one["message"] = one["message"].replace("//home/" + interface, "//home/INTERFACE")
            assert told["program"] == told["python"] == told["c"], told
            return told["c"]

        kept = dict(os.environ)
        os.environ.update(double.environment)
        try:
            assert same("//home/t{b}", "//home/INTERFACE", limit=7) == {"rows": 7, "rejected": 0, "verdict": "exact"}
            assert same("//home/t{b}[#7:#9]", "//home/INTERFACE", mode="append")["rows"] == 2
            for interface in interfaces:
                assert double.rows("//home/" + interface) == [{"b": row["b"]} for row in ROWS[:9]], interface
            assert same("<columns=[b];lower_limit={row_index=9};upper_limit={row_index=11}>//home/t", "<append=%true>//home/INTERFACE",
                        yt_writers=2)["rows"] == 2
            for interface in interfaces:
                assert sorted(map(str, double.rows("//home/" + interface))) == sorted(str({"b": row["b"]}) for row in ROWS[:11]), interface
            for source, out, options in (
                    ("<x=1>//home/t", "//home/x", {}), ("<append=%true>//home/t", "//home/x", {}),
                    ("//home/t", "<columns=[a]>//home/x", {}), ("//home/t", "<append=%true>//home/x", {"mode": "overwrite"}),
                    ("//home/t", "<append=%true>//home/x", {"mode": "create"}),
                    ("//home/t", "<optimize_for=scan>//home/x", {"yt_attributes": {"optimize_for": "lookup"}})):
                told = {interface: convert(source, out, options)["code"] for interface, convert in interfaces.items()}
                assert set(told.values()) == {"usage"}, (source, out, told)
            assert same("//home/t", "//home/INTERFACE")["code"] == "io", "it exists"
            assert same("//home/other", "//home/t", mode="append")["path"] == "b"
            assert same("//home/none", "//home/x")["code"] == "io"
            for path in ("//", "//home/t/", "//home/t{x}", "//home/t{a"):
                assert same(path, "//home/x")["code"] == "usage", path
            assert same("//home/t", "//home/x[#1]")["code"] == "usage"
            told = [check("//home/t", "parquet", {}, True) for check in interfaces_test.CHECKS.values()]
            assert told[0] == told[1] == told[2] and told[0]["rows"]["read"] == 1000, told
        finally:
            os.environ.clear()
            os.environ.update(kept)
        settled(double)
        assert double.rows("//home/t") == ROWS and "//home/x" not in double.nodes


@pytest.mark.parametrize("kind", ["rows", "a packed part", "a line"])
def test_rows_without_an_end(kind):
    """The rows of a proxy never end, so that the client would keep them all: a part of them has its share of --max-memory."""
    def send(handler):
        handler.close_connection = True
        handler.send_response(200)
        if kind == "a packed part":
            handler.send_header("Content-Encoding", "gzip")
        if kind == "a line":
            handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        if kind == "a line":
            handler.wfile.write(b"1;")
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        until = time.monotonic() + 100
        while time.monotonic() < until:
            block = b"\0" * (1 << 20)
            handler.wfile.write(packer.compress(block) if kind == "a packed part" else block)

    with with_table() as double:
        double._send_rows = lambda handler, *_: send(handler)
        # A program without the limit would take all memory of the machine.
        words = ["bash", "-c", 'ulimit -v 4000000; exec "$@"', "bash", PROGRAM, "convert", "//home/t", "out.parquet", "--max-memory", "64M"]
        with open("errors", "wb") as errors:
            code, memory, _ = measure(words, 100, env=double.environment, stderr=errors)
        said = pathlib.Path("errors").read_text()
        assert code == 74 and "of at most" in said and "found a longer one" in said, (code, said)
        assert memory < 200 and not pathlib.Path("out.parquet").exists(), (memory, os.listdir())


def test_names_that_are_not_utf_8():
    """JSON has no such names: a table is not read or written under another, and all columns are fetched for one of them."""
    schema = r'[{name="\xff";type_v3={type_name=optional;item=int64}};{name=a;type=int64}]'
    with Double() as double:
        double.table("//home/t", schema, [{"\udcff": 1, "a": 2}])
        double.nodes["//home/t"].rows[0][b"\xff"] = double.nodes["//home/t"].rows[0].pop("\udcff")
        for words in (("schema", b"//home/\xff"), ("convert", "t.yson", b"//home/\xff"), ("convert", b'//home/t{"\xff"}', "out.yson")):
            pathlib.Path("t.yson").write_text("{a=1};")
            pathlib.Path("t.yson.schema").write_text("[{name=a;type=int64}]")
            holds(run(double, *words, code=4), "in UTF-8")
        assert {str(asked["path"]) for _, asked, _ in double.requests} <= {"//home/t/@"}, double.requests
