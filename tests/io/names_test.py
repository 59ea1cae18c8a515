"""Names from files are shown, never obeyed.

Every verb in every form that it prints, with names that a terminal, a browser, JUnit, GitHub's annotations, Markdown and
JSON would obey: of columns and members, in metadata, of files and in messages. Each command runs with such names and with
plain ones, and what it prints must have the same structure.
"""
import html.parser
import json
import os
import re
import subprocess
import xml.etree.ElementTree

import pytest
from terminal import on_terminal

from tests import harness
from tests.harness import PROGRAM

ESCAPES = "\x1b]0;x\x07\x1b[31m\x7f\u202e\u2066\u009b31m\u2028\u2029\u061c"
MARKUP = "<script>alert(1)</script><b a='\"&amp;]]>`|*_[x](javascript:x) \\"
LINES = "\n::error file=x::y\n| a | b |\n# h\r\n%0A::warning::z"
# A name of a file has no slash and not much room.
HOSTILE = {"column": ESCAPES + MARKUP + LINES, "file": ESCAPES + MARKUP.replace("/", "") + LINES}
PLAIN = {"column": "cccccccccc", "file": "ffffffffff"}


def problem(*words):
    pytest.fail(" ".join(str(word) for word in words)[:700])


def yson(text):
    """Returns a string of YSON, with escapes for all that need them."""
    return '"' + "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in text.encode()) + '"'


def files(folder, names):
    """Makes the inputs of one set of names."""
    folder.mkdir()
    column, file = names["column"], names["file"]
    short = yson(column)
    inner = f"{{type_name=struct;members=[{{name={short};type=int64}};{{name=b;type={{type_name=tagged;tag={short};item=string}}}}]}}"
    schema = f"[{{name={short};type_v3=int64;sort_order=ascending}};{{name=s;type_v3={inner}}};{{name=u;type_v3=uint8}};{{name=d;type_v3={{type_name=dict;key=int64;value={inner}}}}}]"
    other = f"[{{name={short};type_v3=string}};{{name=t{short[1:-1]};type_v3=int64}}]".replace(f"t{short[1:-1]}", '"t' + short[1:])
    row = f"{{{short}=1;s={{{short}=2;b=x}};u=1u;d=[]}};"
    bad = f"{{{short}={short};s=1}};"
    harness.write(folder / f"{file}.yson", row * 3, schema)
    harness.write(folder / f"bad{file}.yson", row + bad, schema)
    (folder / f"{file}.schema").write_text(schema)
    (folder / f"twice{file}.schema").write_text(f"[{{name={short};type=int64}};{{name={short};type=int64}}]")
    (folder / f"other{file}.schema").write_text(other)
    lance = subprocess.run([PROGRAM, "schema", f"{file}.schema", "--to", "lance", "--form", "json"], cwd=folder, capture_output=True)
    (folder / f"{file}.json").write_bytes(lance.stdout)
    return f"{file}.yson", f"bad{file}.yson", f"{file}.schema", f"other{file}.schema", f"{file}.json"


def commands(names, folder):
    rows, bad, schema, other, lance = files(folder, names)
    column = names["column"]
    yield from (("validate", "twice" + schema, "--rules"), ("validate", "twice" + schema, "--rules", "--json"),
                ("check", "twice" + schema, "--to", "lance"))
    yield from (("head", rows), ("head", rows, "--as", "json"), ("head", rows, "--as", "yson"), ("head", rows, "--json"),
                ("head", rows, "--as", "csv"), ("tail", rows, "--as", "csv"), ("convert", rows, "/dev/stdout", "--to", "csv"))
    yield from (("convert", rows, "-", "--to", form) for form in ("csv", "json", "yson", "skiff"))
    yield from (("head", bad), ("head", bad, "--json"), ("validate", rows), ("validate", bad), ("validate", bad, "--json"),
                ("validate", schema, "--rules"), ("validate", schema, "--rules", "--json"))
    for form in ("text", "json", "html", "junit", "github", "markdown"):
        yield "check", rows, "--to", "parquet", "--output", form, "--all", "--rows"
        yield "check", bad, "--to", "lance", "--output", form, "--all", "--rows", "--on-error", "skip"
        yield "check", schema, "--to", "skiff", "--output", form, "--all"
        yield "diff", schema, other, "--output", form, "--all"
        yield "compat", schema, other, "--output", form
        yield "compat", other, schema, "--output", form, "--mode", "full"
    yield "check", rows, "--to", "parquet", "--readers"
    for system in ("yt", "skiff", "parquet", "lance", "vortex", "arrow"):
        yield "schema", rows, "--to", system
        yield "schema", rows, "--to", system, "--json"
        yield "schema", rows, "--from", system, "--json"
    yield from (("schema", rows, "--to", "yt", "--form", form) for form in ("json", "short", "commands"))
    yield from (("merge", schema, schema), ("merge", schema, other), ("merge", schema, other, "--json"))
    yield from (("evolve", lance, "--drop", "s"), ("evolve", lance, "--drop", "s", "--json"),
                ("evolve", lance, "--add", f"{column}=nothing"))
    yield from (("convert", bad, "out.yson"), ("convert", bad, "out0.yson", "--json"), ("convert", rows, "out" + names["file"] + ".yson"),
                ("convert", rows, "out1" + names["file"] + ".yson", "--json"), ("convert", rows, "absent" + names["file"] + "/out.yson"),
                ("convert", rows, "out2.yson", "--select", column + "?"), ("convert", rows, "out3.yson", "--rename", column + "?=a"),
                ("convert", rows, "out4.yson", "--to-schema", other), ("convert", bad, "out5.skiff", "--on-error", "skip", "-v"),
                ("convert", rows, "out6.yson", "--to", column), ("convert", rows, rows + "/x.yson"))
    yield from (("head", "absent" + names["file"]), ("head", "absent" + names["file"], "--json"), ("schema", "absent" + names["file"]),
                ("head", "absent" + names["file"] + ".yson"))
    yield from (("type", f"List<{column}>"), ("type", f"List<{column}>", "--json"), ("type", f"{{type_name=tagged;tag={yson(column)};item=int64}}", "--from", "yt"),
                ("type", f"{{type_name=tagged;tag={yson(column)};item=int64}}", "--from", "yt", "--json"))
    yield from (("explain", column), ("explain", column, "--json"), ("types", "--from", column), ("vortex", names["file"]), ("formats", column),
                (f"verb{column}",), ("head", f"--{column}"), ("completion", column), ("job", "--schema", schema))


def forbidden(text):
    """Returns what a terminal or an editor would obey."""
    return sorted({f"U+{ord(char):04X}" for char in text if (ord(char) < 32 and char not in "\r\n\t") or 0x7f <= ord(char) < 0xa0
                   or char in "\u061c\u200e\u200f\u2028\u2029" or 0x202a <= ord(char) <= 0x202e or 0x2066 <= ord(char) <= 0x2069})


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, tuple(name for name, _ in attributes)))

    def handle_comment(self, data):
        self.seen.append(("comment", ()))


def structure(words, out):
    """Returns what the names in it must not add to."""
    form = words[words.index("--output") + 1] if "--output" in words else None
    if form == "json" or "--json" in words or words[-1] == "json" and "--as" in words:
        # Rows and errors are one line each. Everything else is one value.
        lines = words[0] == "head" or not out.startswith(("{\n", "[\n"))
        return {type(json.loads(line)).__name__ for line in (out.splitlines() if lines else [out]) if line}
    if form == "html":
        tags = Tags()
        tags.feed(out)
        return set(tags.seen)
    if form == "junit":
        return {element.tag for element in xml.etree.ElementTree.fromstring(out).iter()} - {"failure", "system-out"}
    if form == "github":
        return {re.match(r"::(?=notice |warning |error )|", line)[0] for line in out.splitlines() if line}
    if form == "markdown":
        # As GitHub reads it: pipes of tables first, then spans of code, then escapes.
        plain = re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", out.replace("\\|", "").replace("<br>", ""))
        plain = re.sub(r"\\.", "", plain)
        return {line.count("|") for line in plain.split("\n")}, "<" in plain, "](" in plain
    return None


def piped(words, folder):
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    return done.returncode, done.stdout.decode(errors="surrogateescape"), done.stderr.decode(errors="surrogateescape")


FOLDER = harness.make_folder("names")
HERE, THERE = FOLDER / "hostile", FOLDER / "plain"
PAIRS = list(zip(commands(HOSTILE, HERE), commands(PLAIN, THERE), strict=True))


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=lambda number: f"{number}-{PAIRS[number][1][0]}")
def test_command(number):
    hostile, plain = PAIRS[number]
    code, out, errors = piped(hostile, HERE)
    plain_code, plain_out, plain_errors = piped(plain, THERE)
    shown = " ".join(word if word.isprintable() else "…" for word in hostile)
    if code != plain_code or code == 70:
        problem(shown, "ends with", code, "and plainly with", plain_code, errors, plain_errors)
    # Data for programs holds names as they are, the rest is for people.
    data = hostile[0] in ("schema", "merge", "evolve", "vortex") or not {"yson", "csv", "-"}.isdisjoint(hostile)
    # A name must not add lines to a log that is read line by line.
    for text in (errors, "" if data or "html" in hostile else out):
        if made := re.search(r"^(::error file=x|\| a \||# h).*", text, re.MULTILINE):
            problem(shown, "has a line of a name:", made[0], text[:300])
    if errors and forbidden(errors):
        problem(shown, "errors:", forbidden(errors), errors)
    if out and not data and forbidden(out):
        problem(shown, "prints", forbidden(out), out[:300])
    if "--json" in hostile and forbidden(out):
        problem(shown, "prints", forbidden(out), out[:300])
    for ours, theirs, which in ((out, plain_out, "out"), (errors, plain_errors, "errors")):
        if which == "errors" and "--json" not in hostile:
            continue
        try:
            if structure(hostile, ours) != structure(plain, theirs):
                problem(shown, which, "has another structure:", ours[:300], "and plainly", theirs[:300])
        except Exception as error:
            problem(shown, which, "does not parse:", type(error).__name__, error, ours[:300])
    terminal = on_terminal([PROGRAM, *hostile], HERE).decode(errors="surrogateescape")
    if forbidden(terminal):
        problem(shown, "on a terminal:", forbidden(terminal), terminal[:300])


@pytest.mark.parametrize("kind", ["lance", "vortex"])
def test_an_engine_and_names_that_are_not_utf_8(tmp_path, kind):
    """An engine is given names as JSON, which has none that are not UTF-8: no file of another name is read or written."""
    harness.needs(f"xwalk-engine-{kind}")
    pytest.importorskip({"lance": "lance", "vortex": "vortex"}[kind])
    harness.write(tmp_path / "rows.yson", "{a=1};", "[{name=a;type=int64}]")
    twin, odd = tmp_path / f"t\ufffd.{kind}", os.fsencode(tmp_path) + b"/t\xff." + kind.encode()
    made = harness.try_run("convert", "rows.yson", twin.name, cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    name = os.fsdecode(b"t\xff." + kind.encode())
    for there in (False, True):
        if there:
            twin.rename(os.fsdecode(odd))
            made = harness.try_run("convert", "rows.yson", twin.name, cwd=tmp_path)
            assert made.returncode == 0, made.stderr
        before = sorted(os.fsencode(path) for path in tmp_path.rglob("*"))
        for words in (("convert", "rows.yson", name), ("convert", "rows.yson", name, "--mode", "overwrite"),
                      *((("convert", "rows.yson", name, "--mode", "append"),) if kind == "lance" else ()),
                      *((("convert", name, "-", "--to", "json"),) if there else ())):
            done = harness.try_run(*words, cwd=tmp_path)
            assert done.returncode in (4, 74) and done.stdout == "" and ("in UTF-8" in done.stderr or "exists" in done.stderr), (words, done)
            assert sorted(os.fsencode(path) for path in tmp_path.rglob("*")) == before, words
