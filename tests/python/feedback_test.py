"""Rejected rows are read again as the rows they were, in every format, and give what they would have given.

Rows are rejected by the reader, by the cast to the target and by the order that the target promises. What was left out is
converted back to the format of the source and compared with the rows of the source that are not among the accepted ones.
"""

import struct as binary

import pytest

from tests import harness

FOLDER = harness.make_folder("feedback")


def run(*words, code=0):
    return harness.run(*words, code=code, cwd=FOLDER, text=False).stdout


def problem(name, what):
    pytest.fail(f"{name}: {what}")


def struct(name, *members):
    return f"{{name={name};type_v3={{type_name=struct;members=[" + "".join(f"{{name={n};type={t}}};" for n, t in members) + "]}};"


SCHEMA = ("[{name=id;type_v3=int64};{name=n;type_v3=int64};{name=u;type_v3=uuid};{name=s;type_v3=string};"
          "{name=at;type_v3=timestamp};{name=zoned;type_v3=tz_datetime};"
          "{name=price;type_v3={type_name=decimal;precision=9;scale=2}};"
          "{name=wide;type_v3={type_name=decimal;precision=40;scale=3}};"
          "{name=pair;type_v3={type_name=tuple;elements=[{type=int64};{type={type_name=optional;item=utf8}}]}};"
          "{name=map;type_v3={type_name=dict;key=utf8;value=int64}};"
          "{name=items;type_v3={type_name=list;item={type_name=optional;item=double}}};"
          "{name=way;type_v3={type_name=variant;members=[{name=a;type=int64};{name=\"b \\\"c\";type=utf8}]}};"
          "{name=any;type_v3={type_name=optional;item=yson}}]")
NARROW = SCHEMA.replace("{name=n;type_v3=int64}", "{name=n;type_v3=int8}")
SORTED = SCHEMA.replace("{name=id;type_v3=int64}", "{name=id;type_v3=int64;sort_order=ascending}").replace("[", "<unique_keys=%true>[", 1)


def row(number, n):
    price = (0x80000000 + number * 7).to_bytes(4, "big")
    return (f'{{id={number};n={n};u="0123456789abcde{number % 10}";s="a{number}";at={1767225600000000 + number}u;'
            f'zoned="{ZONED}";price="{"".join(f"{chr(92)}x{byte:02x}" for byte in price)}";wide="{WIDE}";'
            f"pair=[{number};{'#' if number % 2 else 'x'}];map=[[k;{number}];[l;2]];items=[1.5;#;{number}.25];"
            f"way=[{'a' if number % 2 else B};{number if number % 2 else 'y'}];any={{a=[1u;2.5]}}}};")


ZONED = "\\x00\\x00\\x00\\x00Europe/Berlin"
WIDE = "\\x80" + "\\x00" * 30 + "\\x96"
B = '"b \\"c"'


def make(source):
    """Writes rows of which some do not fit, in the format of the source; returns its path and what is given to read it."""
    harness.write(FOLDER / "rows.yson", "\n".join(row(number, 500 if number % 3 == 0 else number) for number in range(12)) + "\n", SCHEMA)
    if source == "yson":
        return "rows.yson"
    name = f"rows.{source}"
    run("convert", "rows.yson", name, "--overwrite", "-q")
    return name


def rows_of(path):
    return sorted(run("convert", path, "-", "--to", "yson", "-q").splitlines())


SOURCES = ["yson", "skiff", "json"] + (["parquet", "arrow"] if harness.WITH_PLUGIN else [])


@pytest.mark.parametrize("target", ["yson", "skiff", "json"])
@pytest.mark.parametrize("source", SOURCES)
def test_trip(source, target):
    words, refused, name = ["--to-schema", NARROW], {0, 3, 6, 9}, f"{source} to {target}"
    path = make(source)
    for threads in (1, 3):
        run("convert", path, f"out.{target}", "--overwrite", "-q", "--rejects", "bad.yson", "--threads", threads, "--batch-rows", 4, *words)
        before = rows_of(path)
        left = [line for line in before if int(line.split(b";")[0].split(b"=")[1]) in refused]
        found = rows_of("bad.yson")
        if found != left:
            problem(name, f"expected {left[:1]}, found {found[:1]}, {len(left)} and {len(found)} rows")
        for line in (FOLDER / "bad.yson").read_bytes().splitlines():
            for key in (b'"row"=', b'"reason"=', b'"file"='):
                if key not in line:
                    problem(name, f"no {key} in {line[:200]}")
        # What fits elsewhere is what the rows themselves would have given.
        run("convert", "bad.yson", "again.yson", "--overwrite", "-q")
        if rows_of("again.yson") != left:
            problem(name, "converted again, rows differ")
        run("convert", "bad.yson", f"again.{target}", "--overwrite", "-q", *words, "--on-error", "skip", code=3)


def put(name, rows, schema):
    harness.write(FOLDER / name, rows, schema)


def rejected(name, *words):
    """Converts with rejected rows; returns the text of these and the rows that they are read as."""
    run("convert", *words, "--overwrite", "-q", "--rejects", "bad.yson")
    return (FOLDER / "bad.yson").read_bytes(), [line.decode("latin-1") for line in rows_of("bad.yson")]


def expect(name, found, expected):
    if found != expected:
        problem(name, f"expected {expected}, found {found}")


def test_own_bytes():
    """Rows that the target refuses are kept in their own bytes, also if only some columns are read."""
    narrow = ("--cast", "n=int8")
    schema = "[{name=id;type_v3=int64};{name=n;type_v3=int64};{name=any;type_v3={type_name=optional;item=yson}}]"
    own = b'"value"={"any"={"b"=1;"a"=[2;];};"n"=500;"id"=3;};'
    kept = ['{"id"=3;"n"=500;"any"={"b"=1;"a"=[2;];};};']
    rows = "<table_index=1>#;{id=1;n=900;any=#};<table_index=0>#;{id=2;n=1};{any={b=1;a=[2]};n=500;id=3};<table_index=1>#;{id=4;n=901};"
    put("tables.yson", rows, schema)
    put("sampled.yson", "{id=1;n=1};{any={b=1;a=[2]};n=500;id=3};", schema)
    line = '{"any":{"b":1,"a":[2]},"n":500,"id":3}'
    controls = ['{"$value":null,"$attributes":{"table_index":%d}}' % table for table in (0, 1)]
    put("tables.json", "\n".join([controls[1], '{"id":1,"n":900}', controls[0], '{"id":2,"n":1}', line, controls[1], '{"id":4,"n":901}']), schema)
    for words in (["tables.yson", "--table", "0"], ["sampled.yson", "--sample", "2"], ["sampled.yson", "--sample", "100%", "--tail", "2"],
                  ["sampled.yson", "--limit", "2", "--select", "n"]):
        for threads in (1, 3):
            text, found = rejected(words, words[0], "out.parquet", *words[1:], *narrow, "--threads", threads)
            expect(words, found, kept)
            if own not in text:
                problem(words, f"the row is not in its own bytes: {text}")
    text, found = rejected("json", "tables.json", "out.parquet", "--table", "0", *narrow)
    expect("json", found, kept)
    if line.encode().replace(b'"', b'\\"') not in text:
        problem("json", f"the row is not in its own bytes: {text}")


def skiff_row(id_, n, any_=b""):
    return b"\0\0" + binary.pack("<qq", id_, n) + (b"\1" + binary.pack("<I", len(any_)) + any_ if any_ else b"\0")


def test_own_bytes_of_skiff():
    narrow = ("--cast", "n=int8")
    schema = "[{name=id;type_v3=int64};{name=n;type_v3=int64};{name=any;type_v3={type_name=optional;item=yson}}]"
    text = b"{b  = 1 ;a=[ 2 ]}"
    bad = skiff_row(3, 500, text)
    put("rows.skiff", skiff_row(1, 1) + bad + skiff_row(5, -7), schema)
    kept = ['{"id"=3;"n"=500;"any"={"b"=1;"a"=[2;];};};']
    for words in ([], ["--select", "n,id"], ["--sample", "3"], ["--exclude", "any"], ["--tail", "2"]):
        said, found = rejected(words, "rows.skiff", "out.parquet", *words, *narrow)
        expect(f"skiff {words}", found, kept)
        if b"b  = 1 ;a=[ 2 ]" not in said or b'"source"=' not in said:
            problem(f"skiff {words}", f"the row is not in its own bytes: {said}")
    # Rows that look like YSON are still written as bytes.
    put("braces.skiff", b"\0\0~~\0\0{}", "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{wire_type=int8;name=x};{wire_type=int8;name=y}]}]>skiff}")
    _, found = rejected("braces", "braces.skiff", "out.yson", "--to-schema", "[{name=x;type_v3=int8;sort_order=ascending};{name=y;type_v3=int8}]")
    expect("braces", found, ['{"x"=123;"y"=125;};'])
    # nan of a decimal is kept.
    put("nan.skiff", b"".join(b"\0\0" + binary.pack("<qi", *row) for row in ((1, 2), (513, 2**31 - 1))),
        "[{name=a;type_v3=int64};{name=d;type_v3={type_name=decimal;precision=9;scale=2}}]")
    for words in ([], ["--select", "d,a"]):
        _, found = rejected("nan", "nan.skiff", "out.yson", "--cast", "a=int8", *words)
        expect("nan", found, ['{"a"=513;"d"="\\xFF\\xFF\\xFF\\xFF";};'])
    # The columns of folders come back: of rows that the target refuses, and of rows that the reader refuses.
    for day, text in (("1", b""), ("2", b"\xff")):
        put(f"hive/day={day}/a.skiff", skiff_row(int(day), 1) + skiff_row(10 * int(day), 500, text), schema)
    for words in ([], ["--select", "id,n,day,any"], ["--select", "day,n"]):
        run("convert", "hive/", "out.parquet", "--overwrite", "-q", "--rejects", "bad.yson", *narrow, *words)
        repaired = (FOLDER / "bad.yson").read_bytes().replace(b"\\xFF", b"\\x31")
        (FOLDER / "bad.yson").write_bytes(repaired)
        expect(f"hive {words}", rows_of("bad.yson"), [b'{"id"=10;"n"=500;"any"=#;"day"=1;};', b'{"id"=20;"n"=500;"any"=1;"day"=2;};'])
    # An index that follows from the row before is in full.
    index = b"\0\0"
    put("index.skiff", index + b"\1" + binary.pack("<q", 7) + binary.pack("<q", 1) + index + b"\0" + binary.pack("<q", 500) + index + b"\0" + binary.pack("<q", 501),
        "{format=<table_skiff_schemas=[{wire_type=tuple;children=[{wire_type=variant8;name=\"$row_index\";children=[{wire_type=nothing};{wire_type=int64}]};"
        "{wire_type=int64;name=n}]}]>skiff}")
    run("convert", "index.skiff", "out.parquet", "--overwrite", "-q", "--rejects", "bad.yson", "--row-index", *narrow)
    expect("index", run("convert", "bad.yson", "-", "--to", "yson", "-q", "--row-index").decode().splitlines(),
           ['<"row_index"=8;>#;', '{"n"=500;"$row_index"=8;};', '{"n"=501;"$row_index"=9;};'])
    # Each row of a stream of tables is in its own bytes.
    tables = "{wire_type=tuple;children=[{wire_type=int64;name=n}]};" * 2
    put("tables.skiff", b"".join(binary.pack("<Hq", table, n) for table, n in ((0, 1), (1, 500), (0, 501), (1, 2))),
        f"{{format=<table_skiff_schemas=[{tables}]>skiff}}")
    run("convert", "tables.skiff", "out-{table}.json", "--overwrite", "-q", "--rejects", "bad.yson", *narrow)
    expect("tables", rows_of("bad.yson"), [b'{"n"=500;};', b'{"n"=501;};'])


@pytest.mark.parametrize("source", SOURCES)
def test_rows_that_are_not_sorted(source):
    """Those are left out that come before the last accepted one."""
    make("yson")
    order = (FOLDER / "rows.yson").read_text().splitlines(keepends=True)
    put("mixed.yson", "".join(order[at] for at in (2, 1, 5, 5, 4, 7, 3, 8)), SCHEMA)
    path = f"mixed.{source}"
    if source != "yson":
        run("convert", "mixed.yson", path, "--overwrite", "-q")
    for threads, batch in ((1, 65536), (3, 1), (3, 3)):
        for target in ("yson", "skiff", "json"):
            run("convert", path, f"sorted.{target}", "--overwrite", "-q", "--rejects", "bad.yson", "--threads", threads,
                "--batch-rows", batch, "--to-schema", SORTED)
            numbers = [int(line.split(b";")[0].split(b"=")[1]) for line in (FOLDER / "bad.yson").read_bytes().splitlines()]
            assert numbers == [1, 3, 4, 6], target
            run("validate", f"sorted.{target}")
