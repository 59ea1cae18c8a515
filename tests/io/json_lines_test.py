"""Rows of JSON through the program and the module: forms, refusals, places, inference, and how other software reads them."""

import decimal
import gzip
import io
import json
import math
import os
import random

import pytest

from tests import harness
from tests.harness import check

harness.needs("libxwalk_parquet.so")


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path)


def run(*arguments, stdin=None, code=0):
    return harness.run(*arguments, input=stdin, code=code, text=False)


def convert(rows, schema, to="<format=text>yson", source="json", **more):
    """Converts bytes of one format to another by a schema; returns the output."""
    return run("convert", "-", "-", "--from", source, "--schema", schema, "--to", to, "-q", stdin=rows, **more)


def column(type_v3, name="a"):
    return "[{name=%s;type_v3=%s}]" % (name, type_v3)


def optional(item):
    return "{type_name=optional;item=%s}" % item


# The JSON form of values of each type: type, JSON, YSON.
VALUES = [
    ("int64", "-9223372036854775808", "-9223372036854775808"),
    ("int64", "9007199254740993", "9007199254740993"),
    ("uint64", "18446744073709551615", "18446744073709551615u"),
    ("uint64", "5", "5u"),
    ("uint8", "255", "255u"),
    ("double", "5", "5."),
    ("double", "0.1", "0.1"),
    ("double", "-0.0", "-0."),
    ("double", "1e300", "1e+300"),
    ("double", "5e-324", "5e-324"),
    ("float", "1.5", "1.5"),
    ("bool", "true", "%true"),
    ("utf8", '"caf\\u00e9 \\ud83d\\ude00"', '"caf\\xC3\\xA9 \\xF0\\x9F\\x98\\x80"'),
    ("string", '"tab\\tquote\\"slash\\/"', '"tab\\tquote\\"slash/"'),
    (optional("int8"), "null", "#"),
    ("null", "null", "#"),
    ("{type_name=list;item=uint16}", "[1,2]", "[1u;2u;]"),
    ("{type_name=struct;members=[{name=x;type=int8};{name=y;type={type_name=optional;item=double}}]}",
     '{"y":2,"x":1}', '{"x"=1;"y"=2.;}'),
    ("{type_name=tuple;elements=[{type=uint8};{type=utf8}]}", '[1,"q"]', '[1u;"q";]'),
    ("{type_name=variant;elements=[{type=uint8};{type=utf8}]}", "[0,7]", "[0;7u;]"),
    ("{type_name=variant;members=[{name=p;type=uint8};{name=q;type=double}]}", '["q",7]', '["q";7.;]'),
    ("{type_name=dict;key=uint8;value=double}", "[[1,2]]", "[[1u;2.;];]"),
    (optional(optional("uint8")), "[3]", "[3u;]"),
    (optional(optional("uint8")), "[null]", "[#;]"),
    (optional("yson"), '{"b":[1,1.5,"x",null,true,18446744073709551615]}',
     '{"b"=[1;1.5;"x";#;%true;18446744073709551615u;];}'),
    (optional("yson"), '{"$type":"uint64","$value":5}', "5u"),
    (optional("yson"), '[{"$attributes":{"m":1},"$value":"v"}]', '[<"m"=1;>"v";]'),
    (optional("yson"), '{"$$k":1}', '{"$k"=1;}'),
    ("uint64", '{"$type":"uint64","$value":5}', "5u"),
    ("date", '"2024-02-29"', "19782u"),
    ("timestamp", '"2024-02-29T01:02:03.000004Z"', "1709168523000004u"),
    ("date32", "-1", "-1"),
    ("uuid", '"00112233-4455-6677-8899-aabbccddeeff"', None),
    ("{type_name=decimal;precision=9;scale=2}", '"-12.34"', None),
    ("json", '"{\\"a\\": 1}"', '"{\\"a\\": 1}"'),
]


@pytest.mark.parametrize("type_v3, in_json, in_yson", VALUES)
def test_forms(type_v3, in_json, in_yson):
    schema = column(type_v3)
    line = b'{"a":' + in_json.encode() + b"}\n"
    if in_yson is not None:
        found = convert(line, schema).stdout.decode()
        check((type_v3, in_json), found, '{"a"=%s;};\n' % in_yson)
    # What is read and written is read again as the same.
    stored = convert(line, schema, to="<format=binary>yson").stdout
    written = convert(stored, schema, to="json", source="yson").stdout
    again = convert(written, schema, to="<format=binary>yson").stdout
    check((type_v3, in_json, "round trip"), again, stored)
    json.loads(written)
    for form in ("<encode_utf8=%true>json", "<stringify=%true;encode_utf8=%false;decimal_mode=text;uuid_mode=text_yql>json",
                 "<annotate_with_types=%true>json", "<skip_null_values=%true>json",
                 "<complex_type_mode=positional>json", "<string_keyed_dict_mode=named>json"):
        text = convert(stored, schema, to=form, source="yson").stdout
        check((type_v3, in_json, form), convert(text, schema, to="<format=binary>yson", source=form).stdout, stored)


def test_options():
    row = b"{a=5u;b=1.5;c=%true;d=\"\\xff\";e=#};"
    schema = ("[{name=a;type_v3=uint64};{name=b;type_v3=double};{name=c;type_v3=bool};"
              "{name=d;type_v3=string};{name=e;type_v3={type_name=optional;item=int8}}]")
    for form, text in [
        ("<encode_utf8=%true>json", '{"a":5,"b":1.5,"c":true,"d":"\u00ff","e":null}'),
        ("<>json", '{"a":5,"b":1.5,"c":true,"d":"\u00ff","e":null}'),
        ("<stringify=%true>json", '{"a":"5","b":"1.5","c":"true","d":"\u00ff","e":null}'),
        ("<skip_null_values=%true>json", '{"a":5,"b":1.5,"c":true,"d":"\u00ff"}'),
        ("<annotate_with_types=%true>json",
         '{"a":{"$type":"uint64","$value":5},"b":{"$type":"double","$value":1.5},'
         '"c":{"$type":"boolean","$value":true},"d":{"$type":"string","$value":"\u00ff"},"e":null}'),
    ]:
        check(form, convert(row, schema, to=form, source="yson").stdout.decode(), text + "\n")
    nan = b"{a=%nan};{a=%inf};{a=%-inf};"
    schema = column("double")
    quoted = convert(nan, schema, to="<stringify_nan_and_infinity=%true>json", source="yson").stdout
    check("quoted", quoted, b'{"a":"nan"}\n{"a":"inf"}\n{"a":"-inf"}\n')
    words = "<stringify_nan_and_infinity=%true;encode_utf8=%false>json"
    check("read", convert(quoted, schema, source=words).stdout, b'{"a"=%nan;};\n{"a"=%inf;};\n{"a"=%-inf;};\n')
    for word in (b"nan", b"inf", b"-inf"):
        run("convert", "-", "-", "--from", "json", "--to", "yson", "--schema", schema, stdin=b'{"a":"%s"}\n' % word, code=3)
    bare = convert(b"{a=%inf};{a=%-inf};", schema, to="<support_infinity=%true>json", source="yson").stdout
    check("bare", bare, b'{"a":inf}\n{"a":-inf}\n')
    check("read bare", convert(bare, schema, source="<support_infinity=%true>json").stdout,
          b'{"a"=%inf;};\n{"a"=%-inf;};\n')
    for word in ("<format=pretty>json", "<encode_utf=%true>json", "<encode_utf8=1>json",
                 "<support_infinity=%true;stringify_nan_and_infinity=%true>json", "<attributes_mode=always>json"):
        run("convert", "-", "-", "--from", word, "--to", "yson", "--schema", schema, stdin=b"", code=2)
    plain = convert(b'{"a":{"$oid":"x","$$y":1}}\n', column(optional("yson")), source="<plain=%true>json").stdout
    check("plain", plain, b'{"a"={"$oid"="x";"$$y"=1;};};\n')
    control = b'{"$value":null,"$attributes":{"table_index":1}}\n{"a":1}\n'
    check("control entity", run("convert", "-", "-", "--from", "json", "--schema", column("int64"), "--to", "yson",
                                "--table", "1", "-q", stdin=b'{"a":7}\n' + control).stdout, b'{"a"=1;};\n')
    quoted = b'{"$value":null,"$attributes":{"table_index":"1","key_switch":"true"}}\n{"a":"1"}\n'
    check("control entity of strings",
          run("convert", "-", "-", "--from", "<stringify=%true>json", "--schema", column("int64"), "--to", "yson", "--table", "1",
              "-q", stdin=b'{"a":"7"}\n' + quoted).stdout, b'<"key_switch"=%true;>#;\n{"a"=1;};\n')


REFUSED = [
    # line, schema, message, line, column, path
    (b'{"a":1}\n\n{"a":}\n', "int64", "JSON", 3, 6, None),
    (b'{"a":1}\n{"a":1\n', "int64", "JSON", 2, None, None),
    (b'{"a":1}\n{"a":1} x\n', "int64", "JSON", 2, 9, None),
    (b'{"a":1}\n{"a":1}\0\n', "int64", "zero byte", 2, 8, None),
    (b'{"a":1}\n{"a":1} \0 {"a":2}\n', "int64", "zero byte", 2, 9, None),
    (b'{"a":1}\n{"a":1\0}\n', "int64", "JSON", 2, 7, None),
    (b'{"a":1}\n[1]\n', "int64", "expected a row as an object", 2, 1, None),
    (b'{"a":1}\n{"a":"x"}\n', "int64", "int64", 2, 6, "a"),
    (b'{"a":1}\n{"a":1.5}\n', "int64", "int64", 2, 6, "a"),
    (b'{"a":1}\n{"a":-1}\n', "uint64", "uint64", 2, 6, "a"),
    (b'{"a":1}\n{"a":18446744073709551616}\n', "uint64", "an integer of 64 bits", 2, 6, "a"),
    (b'{"a":1}\n{"a":300}\n', "uint8", "300", 2, 6, "a"),
    (b'{"a":1}\n{"a":1e400}\n', "double", "double", 2, 6, "a"),
    (b'{"a":1}\n{"a":NaN}\n', "double", "JSON", 2, None, None),
    (b'{"a":[1]}\n{"a":[1,2,"x"]}\n', "{type_name=list;item=int8}", "found", 2, 11, "a[2]"),
    (b'{"a":{}}\n{"a":{"x":"\xff"}}\n', optional("yson"), "UTF-8", 2, None, None),
    (b'{"a":{}}\n{"a":{"$x":1}}\n', optional("yson"), "$x", 2, None, None),
    (b'{"a":"x"}\n{"a":"\\ud800"}\n', "utf8", "half of a surrogate pair", 2, 7, "a"),
    (b'{"a":1}\n{"b":1}\n', "int64", "b", 2, None, None),
    (b'{"a":1}\n{"a":1,"a":2}\n', "int64", "a", 2, None, None),
    (b'{"a":1}\n' + b'{"a":' + b"[" * 3000 + b"]" * 3000 + b"}\n", optional("yson"), "", 2, None, None),
]


@pytest.mark.parametrize("rows, type_v3, message, line, at, path", REFUSED)
def test_refusals(folder, rows, type_v3, message, line, at, path):
    source = os.path.join(folder, "in.jsonl")
    with open(source, "wb") as file:
        file.write(rows)
    out = os.path.join(folder, "out.yson")
    done = run("convert", source, out, "--schema", column(type_v3), code=3)
    text = done.stderr.decode(errors="replace")
    check((rows[:60], "message"), message in text, True)
    place = f"in.jsonl:{line}:" + (f"{at}:" if at else "")
    check((rows[:60], "place", text), place in text, True)
    if path:
        check((rows[:60], "path", text), path in text, True)
    check((rows[:60], "absent"), os.path.exists(out), False)
    # The same row is rejected, with its line unchanged, and the others are read.
    rejects = os.path.join(folder, "rejects.yson")
    done = run("convert", source, "-", "--to", "json", "--schema", column(type_v3), "--on-error", "skip",
               "--rejects", rejects, "-q", "--mode", "overwrite")
    check((rows[:60], "kept"), done.stdout.count(b"\n"), 1)
    with open(rejects, "rb") as file:
        refused = file.read()
    check((rows[:60], "rejected"), refused.count(b"reason"), 1)


def test_unwritable(folder):
    """What JSON has no form for is found before, counted, and rejected row by row."""
    source = os.path.join(folder, "odd.yson")
    with open(source, "wb") as file:
        file.write(b"{a=1.;b=x};{a=%nan;b=y};{a=2.;b=\"\\xff\"};{a=3.;b=z};")
    schema = "[{name=a;type_v3=double};{name=b;type_v3=string}]"
    done = run("check", source, "--schema", schema, "--to", "json", "--rows", "--json", code=1)
    report = json.loads(done.stdout)
    check("verdict", report["verdict"], "checked")
    check("counted", report["rows"]["refused"], 2)
    run("convert", source, "-", "--schema", schema, "--to", "json", code=3)
    rejects = os.path.join(folder, "odd.rejects")
    for threads in ("1", "3"):
        done = run("convert", source, "-", "--schema", schema, "--to", "json", "--on-error", "skip", "--rejects", rejects,
                   "--mode", "overwrite", "-q", "--threads", threads)
        check("kept", done.stdout, b'{"a":1.0,"b":"x"}\n{"a":3.0,"b":"z"}\n')
        with open(rejects, "rb") as file:
            text = file.read()
        check("rows", (b'"row"=1;' in text, b'"row"=2;' in text), (True, True))


INFERRED = [
    (b'{"a":1}\n{"a":300}\n', optional("int64")),
    (b'{"a":1}\n{"a":18446744073709551615}\n', optional("uint64")),
    (b'{"a":-1}\n{"a":18446744073709551615}\n', optional("yson")),
    (b'{"a":1}\n{"a":2.5}\n', optional("double")),
    (b'{"a":9007199254740993}\n{"a":2.5}\n', optional("yson")),
    (b'{"a":1152921504606846976}\n{"a":2.5}\n', optional("double")),
    (b'{"a":36893488147419103233}\n{"a":1.5}\n', optional("yson")),
    (b'{"a":36893488147419103232}\n{"a":1.5}\n', optional("double")),
    (b'{"a":1}\n{}\n', optional("int64")),
    (b'{"a":null}\n', "null"),
    (b'{"a":"x"}\n{"a":1}\n', optional("yson")),
    (b'{"a":"2024-01-01"}\n', optional("utf8")),
    (b'{"a":"inf"}\n{"a":1.5}\n', optional("yson")),
    (b'{"a":[1,2.5,null]}\n', optional("{type_name=list;item={type_name=optional;item=double}}")),
    (b'{"a":{"x":1}}\n{"a":{"y":true}}\n',
     optional("{type_name=struct;members=[{name=x;type={type_name=optional;item=int64}};"
              "{name=y;type={type_name=optional;item=bool}}]}")),
    (b'{"a":[]}\n', optional("{type_name=list;item=null}")),
    (b'{"a":{"$type":"uint64","$value":1}}\n', optional("uint64")),
]


def test_inexact():
    """A number is rejected if the type would hold another one, however it is written."""
    plain = [b'{"a":%s}\n', b'{"\\u0061" : %s }\n']
    typed = [b'{"a":{"$type":"double","$value":%s}}\n']
    items = "{type_name=list;item=float}"
    for type_name, refused, taken, lines in [
        ("double", [b"9007199254740993", b"-9007199254740993", b"36893488147419103233", b"1e-400", b"-0.1e-500", b"1e400",
                    b"9007199254740993.0", b"-9007199254740993.00", b"9007199254740993e0", b"9007199254740993E+1",
                    b"90071992547409930e-1", b"0.9007199254740993e16"],
         [b"9007199254740992", b"1152921504606846976", b"36893488147419103232", b"0e-400", b"5e-324", b"0.1", b"-0",
          b"9007199254740993.5", b"1152921504606847000.0", b"1e23", b"1.7976931348623157e308"], plain),
        ("double", [b"9007199254740993", b"9007199254740993.0", b"9007199254740993e0", b"1e-400", b"1e400"],
         [b"9007199254740992", b"0.1", b"1e23"], typed),
        ("float", [b"16777217", b"36893488147419103233", b"16777217.0", b"-16777217e0", b"1.6777217e7", b"1e-46", b"1e-400",
                   b"1e39", b"9007199254740993.0"],
         [b"16777216", b"33554436", b"0.1", b"16777217.5", b"1e22", b"1e-45", b"3.4028235e38", b"0.0", b"9007199254740992.0"],
         plain + typed),
        (items, [b"[0.5,16777217.0]", b"[1e-46]", b"[1e39]"], [b"[0.1,1e22]"], plain),
        (optional("yson"), [b"36893488147419103233", b"1e-400", b"9007199254740993.0", b"[9007199254740993e0]"],
         [b"9007199254740993", b"1e-300", b"1e23"], plain),
        (optional("yson"), [b"9007199254740993.0", b"9007199254740993", b"1e400"], [b"0.1", b"1e23"], typed),
    ]:
        for number in refused + taken:
            for line in lines:
                run("convert", "-", "-", "--from", "json", "--to", "yson", "--schema", column(type_name),
                    stdin=line % number, code=3 if number in refused else 0)
    for number, code in [(b"9007199254740993", 3), (b"1e-400", 3), (b"9007199254740992", 0)]:
        run("convert", "-", "-", "--from", "<stringify=%true>json", "--to", "yson", "--schema", column("double"),
            stdin=b'{"a":"%s"}\n' % number, code=code)


def test_zero_with_a_sign():
    """-0 next to `$type` double is -0, and an integer has no sign of zero."""
    for type_name, line, zero in [
        ("double", b'{"a":{"$type":"double","$value":-0}}', b"-0."),
        ("double", b'{"a":{"$value":-0,"$type":"double"}}', b"-0."),
        ("double", b'{"a":{"$value":-0}}', b"-0."),
        ("double", b'{"a":{"$type":"double","$value":"-0"}}', b"-0."),
        ("double", b'{"a":{"$type":"double","$value":0}}', b"0."),
        ("float", b'{"a":{"$type":"double","$value":-0}}', b"-0."),
        (optional("yson"), b'{"a":{"$type":"double","$value":-0}}', b"-0."),
        (optional("yson"), b'{"a":[{"$type":"double","$value":-0}]}', b"[-0.;]"),
        (optional("yson"), b'{"a":{"$type":"int64","$value":-0}}', b"0"),
        ("uint64", b'{"a":{"$type":"uint64","$value":-0}}', b"0u"),
    ]:
        out = convert(line + b"\n", column(type_name)).stdout
        assert b"=" + zero in out, (type_name, line, out)


@pytest.mark.parametrize("rows, type_v3", INFERRED)
def test_inference(folder, rows, type_v3):
    source = os.path.join(folder, "infer.ndjson")
    with open(source, "wb") as file:
        file.write(rows)
    given = os.path.join(folder, "given.schema")
    with open(given, "w") as file:
        file.write(column(type_v3))
    wanted = run("schema", given, "--from", "yt", "--form", "yson").stdout
    if b'"double"' in wanted:
        # Columns of doubles have integers in some rows.
        wanted = wanted.replace(b"%false;\n>", b'%false;\n    "integers_in_doubles" = %true;\n>', 1)
    done = run("schema", source, "--form", "yson")
    check(rows, done.stdout, wanted)
    check("told", b"no schema given, inferred" in done.stderr, True)


def test_names(folder):
    rows = b'{"a":1}\n{"a":2}\n'
    for name, data in [("x.jsonl", rows), ("x.ndjson", rows), ("x.json", rows), ("y.json", b'{"a":1}'),
                       ("x.jsonl.gz", gzip.compress(rows)), ("bom.jsonl", b"\xef\xbb\xbf" + rows),
                       ("crlf.jsonl", rows.replace(b"\n", b"\r\n"))]:
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        out = run("convert", path, "-", "--to", "yson", "-q").stdout
        check(name, out.startswith(b'{"a"=1;};\n'), True)
        check(name, run("schema", path, "-q", "--form", "short").stdout.strip() != b"", True)
    # A schema in JSON stays one.
    for form in ("json",):
        given = os.path.join(folder, "t.schema")
        with open(given, "w") as file:
            file.write(column("int64"))
        text = run("schema", given, "--from", "yt", "--form", form).stdout
        path = os.path.join(folder, "schema.json")
        with open(path, "wb") as file:
            file.write(text)
        check("schema.json", run("schema", path, "--form", "yson").stdout,
              run("schema", given, "--from", "yt", "--form", "yson").stdout)
    # Appended to existing rows, with the schema next to them.
    grown = os.path.join(folder, "grown.jsonl")
    run("convert", os.path.join(folder, "x.jsonl"), grown, "-q")
    run("convert", os.path.join(folder, "x.jsonl"), grown, "--mode", "append", "-q")
    with open(grown, "rb") as file:
        check("appended", file.read(), rows + rows)
    # Text in two encodings is reported.
    twice = os.path.join(folder, "twice.jsonl")
    with open(twice, "w", encoding="utf-8") as file:
        file.write(json.dumps({"a": "привет".encode().decode("latin-1")}, ensure_ascii=False) + "\n")
    done = run("convert", twice, "-", "--to", "yson")
    check("encoded twice", b"encode_utf8" in done.stderr, True)
    check("decoded", run("convert", twice, "-", "--to", "json", "--from", "<encode_utf8=%true>json", "-q").stdout.decode(),
          '{"a":"привет"}\n')


def random_value(rng, depth=0):
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind == 0:
        return None
    if kind == 1:
        return rng.random() < 0.5
    if kind == 2:
        return rng.choice([0, 1, -1, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 - 1, rng.randrange(-10**9, 10**9)])
    if kind == 3:
        return rng.choice([0.0, -0.0, 1e-300, 1.7976931348623157e308, rng.random(), rng.uniform(-1e20, 1e20)])
    if kind in (4, 5):
        return "".join(rng.choice("ab\"\\/\n\t\x00\x1f é€😀$") for _ in range(rng.randrange(20)))
    if kind == 6:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {"k%d" % i: random_value(rng, depth + 1) for i in range(rng.randrange(4))}


def equal(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(equal, a, b))
    return a == b


def test_anything(folder):
    """Any values come back as they were, at any number of threads and however they are cut."""
    rng = random.Random(7)
    rows = [{"a": random_value(rng), "b": i} for i in range(3000)]
    rows += [{"a": "x" * rng.randrange(1, 400000), "b": i} for i in range(12)]
    text = "".join(json.dumps(r, ensure_ascii=rng.random() < 0.5) + rng.choice(["\n", "\n\n", " \n", "\r\n"]) for r in rows)
    schema = "[{name=a;type_v3={type_name=optional;item=yson}};{name=b;type_v3=int64}]"
    source = os.path.join(folder, "any.jsonl")
    with open(source, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    for form in ("json", "<encode_utf8=%true>json"):
        for threads in ("1", "4"):
            out = convert_file(source, schema, form, threads)
            stored = run("convert", "-", "-", "--from", form, "--schema", schema, "--to", "json", "-q", stdin=out).stdout
            back = [json.loads(line) for line in stored.decode().split("\n") if line]
            check((form, threads, "rows"), len(back), len(rows))
            bad = [i for i, (a, b) in enumerate(zip(rows, back)) if not equal(a, b)]
            check((form, threads, "values"), bad[:3], [])


def convert_file(source, schema, form, threads):
    return run("convert", source, "-", "--to", form, "--schema", schema, "-q", "--threads", threads).stdout


def test_reals():
    """Doubles of any number of digits are those that Python reads."""
    rng = random.Random(11)
    texts = ["0.0759838675650889957903289218", "-0.1234567890123456789012345678901234567890",
             "0." + "0" * 30 + "12345678901234567890123456789e+30", "0." + "9" * 40 + "e308", "0." + "9" * 40 + "e30",
             "0." + "0" * 400 + "123456789012345678901", "1." + "0" * 40 + "1", "1" * 60]
    for _ in range(5000):
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randrange(1, 45)))
        exponent = rng.choice(["", f"e{rng.randrange(-330, 300)}"])
        texts.append(rng.choice(["", "-"]) + rng.choice(["0.", "0.000000000000", "1.", "90.0"]) + digits + exponent)

    def is_held(text):
        """A number that becomes zero is rejected, and so is an integer of which the double lacks a digit."""
        value = float(text)
        number = decimal.Decimal(text)
        if not math.isfinite(value) or (value == 0) != (number == 0):
            return False
        digits = "".join(map(str, number.as_tuple().digits)).strip("0")
        last = number.adjusted() - len(digits) + 1
        if value == 0 or last < 0:
            return True
        if "." not in text and "e" not in text:
            return int(value) == int(text)
        return decimal.Decimal(f"{value:.{len(digits) - 1}e}") == number or decimal.Decimal(repr(value)) == number

    others = [text for text in texts if not is_held(text) and math.isfinite(float(text))]
    for text in others[:40]:
        convert(b'{"a":%s}' % text.encode(), "[{name=a;type=double}]", code=3)
    texts = [text for text in texts if is_held(text)]
    rows = "".join('{"a":%s,"b":[%s]}\n' % (text, text if "." in text else "0.0") for text in texts).encode()
    schema = "[{name=a;type=double};{name=b;type=any}]"
    back = [json.loads(line) for line in convert(rows, schema, to="json").stdout.splitlines()]
    check("doubles", [(repr(row["a"]), repr(row["b"][0])) for row in back],
          [(repr(float(text)), repr(float(text) if "." in text else 0.0)) for text in texts])
    for text in ("00.12345678901234567890", "-.12345678901234567890", "12345678901234567890.", "1.e00000000000000000001",
                 "0.12345678901234567890e", "0.12345678901234567890u", "+0.12345678901234567890", "0.1234567890123456789 1"):
        convert(b'{"a":%s}' % text.encode(), "[{name=a;type=double}]", code=3)
        convert(b'{"a":%s}' % text.encode(), "[{name=a;type=any}]", code=3)
    refused = convert(b'{"a":0.%se310}' % (b"9" * 40), "[{name=a;type=double}]", code=3).stderr.decode()
    check("too large a double", "expected a number that a double holds" in refused, True)


def test_chosen_modes():
    """Modes that are given hold for plain lines, too, whose own are text."""
    schema = ("[{name=d;type_v3={type_name=decimal;precision=5;scale=1}};{name=t;type=date};"
              "{name=u;type_v3={type_name=optional;item=uuid}}]")
    rows = b'{"d":"1.5","t":"2024-02-29","u":"00112233-4455-6677-8899-aabbccddeeff"}\n'
    check("text", convert(rows, schema, to="json").stdout, rows)

    def given(*options, source=rows, code=0):
        return run("convert", "-", "-", "--from", "json", "--to", "json", "--schema", schema, "-q", *options, stdin=source,
                   code=code)

    numbers = rows.replace(b'"2024-02-29"', b"19782")
    check("times", given("--time-mode", "binary", source=numbers).stdout, numbers)
    given("--time-mode", "binary", code=3)
    given("--decimal-mode", "binary", code=3)
    given("--uuid-mode", "binary", code=3)
    short = rows.replace(b"00112233-4455-6677-8899-aabbccddeeff", b"33221100-77665544-bbaa9988-ffeeddcc")
    check("uuids", b"-" in given("--uuid-mode", "text_yt", source=short).stdout, True)
    # Unsigned numbers of type any are restored as signed, and this is reported.
    told = run("check", "-", "--from", "yt", "--to", "<plain=%true>json", stdin=b"[{name=a;type=any}]").stdout.decode()
    for text in ("plain JSON cannot store attributes", "in plain JSON, unsigned numbers come back as signed"):
        check(text, text in " ".join(told.split()), True)
    told = run("check", "-", "--from", "yt", "--to", "<>json", stdin=b"[{name=a;type=any}]").stdout.decode()
    check("not plain", "unsigned" in told, False)


@pytest.mark.parametrize("twice", ['"$value":1,"$value":2', '"$value":1,"$type":"int64","$type":"int64"',
                                   '"$value":1,"$attributes":{"x":1},"$attributes":{}'])
def test_repeated(twice):
    """A value that states its type twice is refused."""
    told = convert(b'{"a":[{%s}]}' % twice.encode(), "[{name=a;type=any}]", code=3).stderr.decode()
    check(twice, "once, found it twice" in told, True)


def test_long_line(folder):
    """The time for a line grows with its length."""
    path = os.path.join(folder, "long.jsonl")
    with open(path, "wb") as file:
        file.write(b'{"a":"' + b"x" * (100 << 20) + b'"}\n')
    before = os.times()
    run("schema", path, "-q")
    after = os.times()
    took = after.children_user - before.children_user
    check("seconds of a processor for a line of 100 MiB", took < 5 or took, True)


def test_cut(folder):
    """Wherever rows are cut, they are refused, or end with a whole row."""
    rows = b'{"a":"x\\u00e9","b":[1,-2.5e3,null,{"c":true}]}\n{"a":"","b":[]}\n'
    schema = "[{name=a;type_v3=utf8};{name=b;type_v3={type_name=optional;item=yson}}]"
    whole = [rows.index(b"\n"), rows.index(b"\n") + 1, len(rows) - 1, len(rows), 0]
    for size in range(0, len(rows) + 1, 3):
        run("convert", "-", "-", "--from", "json", "--to", "yson", "--schema", schema, "-q", stdin=rows[:size],
            code=0 if size in whole else 3)


def test_others(folder):
    """DuckDB, and the client of YTsaurus."""
    try:
        import duckdb
        from yt.wrapper.format import JsonFormat
    except ImportError as error:
        print(f"skipped: {error}")
        return
    rows = [{"i": i, "d": i / 7, "s": "текст %d" % i, "n": None if i % 3 else i, "l": [i, i + 1]} for i in range(1000)]
    source = os.path.join(folder, "rows.jsonl")
    with open(source, "w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    written = os.path.join(folder, "written.jsonl")
    run("convert", source, written, "-q")
    found = duckdb.sql(f"select * from read_json('{written}') order by i").fetchall()
    check("duckdb", [list(row) for row in found], [list(row.values()) for row in rows])
    # As the client writes rows for the cluster, and reads what the cluster writes.
    client = io.BytesIO()
    JsonFormat(encode_utf8=True).dump_rows([dict(row) for row in rows], client)
    schema = run("schema", source, "--form", "yson", "-q").stdout.decode()
    stored = convert(client.getvalue(), schema, source="<encode_utf8=%true>json", to="<encode_utf8=%true>json").stdout
    read = list(JsonFormat(encode_utf8=True, encoding="utf-8").load_rows(io.BytesIO(stored)))
    check("ytsaurus-client", [dict(row) for row in read], rows)
