"""YTsaurus's own Java classes as a second reader and writer: YSON, types of `type_v3`, and rows of Skiff, with random values and types.

The Java program of the folder `java` makes files, and shows what it reads as text. xwalk converts its files, and the text must
stay the same. The test is skipped if there is no Java compiler, or if tools/setup.sh has not fetched the classes.
"""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess

import pytest

from tests import harness

SOURCE = pathlib.Path(__file__).resolve().parent / "java"
CLASSES = harness.BUILD / "tests" / "interop-java"
JARS = harness.DEPS / "ytsaurus-java"
FORMS = ("text", "pretty", "binary")
SEEDS = range(1, 1001 if harness.ALL else 81)
#: What the Java classes of version 1.2.17 refuse: types that YTsaurus has since, and decimals that only YTsaurus's tables have.
#: xwalk refuses types that no table can have, which Types.java does not make: yson that is not optional, keys of yson and json.
LACKING = {"tz_date32": r'"tz_date32"', "tz_datetime64": r'"tz_datetime64"', "tz_timestamp64": r'"tz_timestamp64"',
           "more than 35 digits": r'"precision"=(3[6-9]|[4-7]\d);'}

if not JARS.exists():
    harness.skip("YTsaurus's Java classes are not installed (tools/setup.sh test)")
if shutil.which("javac") is None:
    harness.skip("there is no Java compiler (apt: default-jdk-headless)")


def java(*words: object) -> None:
    path = ":".join(map(str, (CLASSES, *sorted(JARS.glob("*.jar")))))
    done = subprocess.run(["java", *harness.SHORT_JAVA, "-cp", path, "Interop", *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{words[0]}: {done.stderr[-2000:]}"


def shown(path: pathlib.Path) -> str:
    return path.with_name(path.name + ".txt").read_text()


@pytest.fixture(scope="module")
def folder():
    sources = sorted(SOURCE.glob("*.java"))
    shutil.rmtree(CLASSES, ignore_errors=True)
    subprocess.run(["javac", "-d", CLASSES, "-cp", ":".join(map(str, JARS.glob("*.jar"))), *sources], check=True)
    return harness.make_folder("java")


def test_yson(folder):
    java("make-yson", folder, 1, 400)
    written = []
    for source in FORMS:
        for target in FORMS:
            written.append(folder / f"{source}-as-{target}.yson")
            harness.run("convert", folder / f"rows.{source}.yson", written[-1], "--schema", "[{name=v;type=any}]",
                        "--yson-format", target, "-q")
    java("read-yson", *written)
    expected = (folder / "rows.txt").read_text()
    assert expected.count("\n") == 400
    for path in written:
        assert shown(path) == expected, path.name


def test_types_of_java(folder):
    java("make-types", folder, 1, 400)
    written = []
    for source in FORMS:
        for form in ("yson", "yson-binary"):
            written.append(folder / f"{source}-as-{form}.schema")
            harness.run("schema", folder / f"types.{source}.schema", "--from", "yt", "--form", form, "-o", written[-1])
    java("read-types", *written)
    expected = (folder / "types.txt").read_text()
    assert expected.count("\n") > 400
    for path in written:
        assert shown(path) == expected, path.name


def test_types_of_xwalk(folder):
    tool = harness.needs("tests/xwalk_yt_oracle_tool")

    def read(types):
        return harness.run("read", program=tool, input="\n".join(types) + "\n").stdout.splitlines()

    made = [line.split("\t") for line in harness.run("make", 300, 7, program=tool).stdout.splitlines()]
    schemas = folder / "made.schema"
    schemas.write_text("".join(f"{schema};\n" for schema, *_ in made))
    java("read-types", schemas)
    expected = read([short for _, *types in made for short in types])
    found = [line.split(": ", 1)[1] for line in shown(schemas).splitlines()]
    lacking = [{name for name, pattern in LACKING.items() if re.search(pattern, one)} for one in expected]
    assert set().union(*lacking) == set(LACKING)
    kept = []
    for one, other, names in zip(expected, found, lacking, strict=True):
        assert other.startswith("refused: ") == bool(names), (one, other)
        if not names:
            kept.append((one, other))
    assert len(kept) > 300
    for (one, other), again in zip(kept, read([other for _, other in kept]), strict=True):
        assert again == one, other


def test_rows(folder):
    java("make-rows", folder, *SEEDS)
    skiff = [folder / f"{seed}-from-yson.skiff" for seed in SEEDS]
    yson = [folder / f"{seed}-from-skiff.yson" for seed in SEEDS]
    for seed, to_skiff, to_yson in zip(SEEDS, skiff, yson):
        schema = folder / f"{seed}.schema"
        harness.run("convert", folder / f"{seed}.skiff", to_yson, "--schema", schema, "--yson-format", FORMS[seed % 3], "-q")
        harness.run("convert", folder / f"{seed}.yson", to_skiff, "--schema", schema, "-q")
    java("read-yson", *yson)
    java("read-rows", *(word for pair in zip(SEEDS, skiff) for word in pair))
    for seed, *paths in zip(SEEDS, skiff, yson):
        expected = (folder / f"{seed}.txt").read_text()
        for path in paths:
            assert shown(path) == expected, path.name
