"""Tests of the C interface: programs that use it, with and without valgrind, and what its library, header and page name."""
import ctypes
import re
import shutil

import pytest

from tests import harness
from tests.harness import BUILD, ROOT

LIBRARY, INTERFACE, SCHEMA, ROWS = harness.needs("libxwalk.so", *(f"tests/xwalk_c_{name}" for name in ("interface", "example_schema", "example_rows")))
HEADER = (ROOT / "src/xwalk/c/xwalk.h").read_text()
#: The functions that the header declares.
DECLARED = set(re.findall(r"XWALK_API\s[^(]*?(xwalk_\w+)\(", HEADER))


def run(program, *words, **options):
    return harness.run(*words, program=program, timeout=300, **options).stdout


def test_interface(tmp_path):
    run(INTERFACE, tmp_path)


def test_memory(tmp_path):
    """Every byte is freed, and none is read or written that is not there."""
    if b"__asan_init" in INTERFACE.read_bytes():
        pytest.skip("the program looks after itself with the address sanitizer")
    if shutil.which("valgrind") is None:
        pytest.skip("no valgrind (tools/setup.sh test)")
    run("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite,indirect",
        "--errors-for-leak-kinds=definite,indirect", INTERFACE, tmp_path)


def test_examples(tmp_path):
    """What the examples print is what their comments promise."""
    done = harness.run("parquet", program=SCHEMA, input="[{name=id;type=int64};{name=at;type=date}]")
    assert "optional int64 id" in done.stdout
    assert "yt to parquet: 2 columns" in done.stderr

    table = harness.write(tmp_path / "table.yson", '{a=1;b="x"};{a=2;b="y"};', "[{name=a;type=int64};{name=b;type=utf8}]")
    copy = tmp_path / "copy.skiff"
    said = run(ROWS, table, copy)
    assert said.startswith("column a: l\ncolumn b: u\n2 rows\n2 rows written: 2 columns")
    assert "2 rows written" in run(ROWS, copy, tmp_path / "back.yson")

    # The plugin and the engines are found from where the library lies.
    if harness.WITH_PLUGIN:
        parquet = tmp_path / "copy.parquet"
        for before, after in ((table, parquet), (parquet, tmp_path / "again.yson")):
            assert "2 rows written" in run(ROWS, before, after)
        assert parquet.read_bytes()[:4] == b"PAR1"
    failed = harness.run(tmp_path / "absent.yson", copy, program=ROWS, code=1)
    assert "absent.yson" in failed.stderr


def test_page(tmp_path):
    """The page on the C interface names all functions, and its program does what it says."""
    text = (ROOT / "docs/reference/c.md").read_text()
    assert set(re.findall(r"`(xwalk_\w+)`", text)) - {"xwalk_error"} == DECLARED
    if not harness.WITH_PLUGIN or b"__asan_init" in LIBRARY.read_bytes():
        pytest.skip("its program needs the plugin, and a library without the address sanitizer")
    program = tmp_path / "main.c"
    program.write_text(re.search(r"^```c\n(.*?)^```", text, re.M | re.S)[1])
    run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", program, "-o", tmp_path / "main", f"-I{BUILD}/include", f"-L{BUILD}",
        f"-Wl,-rpath,{BUILD}", "-lxwalk")
    harness.write(tmp_path / "events.yson", "{a=1};{a=2};{a=x};", "[{name=a;type=int64}]")
    assert run(tmp_path / "main", cwd=tmp_path) == "1 column: 1 exact; 2 rows, 1 rejected\n"
    assert (tmp_path / "events.parquet").read_bytes()[:4] == b"PAR1"


def test_symbols():
    """The library shows the functions of the header and those in C++ that exports.txt lists, of this version, and nothing else."""
    listed = [line.split() for line in run("nm", "--dynamic", "--defined-only", "--format=posix", LIBRARY).splitlines()]
    version, = (name for name, kind, *_ in listed if kind == "A")
    assert re.fullmatch(r"XWALK_\d+\.\d+", version.split("@")[0])
    names = {name.partition("@@") for name, kind, *_ in listed if kind != "A"}
    assert {after for _, _, after in names} == {version.split("@")[0]}
    plain = {name for name, _, _ in names}
    assert len(DECLARED) >= 15 and {name for name in plain if not name.startswith("_Z")} == DECLARED
    cxx = sorted(set(run("c++filt", *sorted(plain - DECLARED)).splitlines()))
    pages = ROOT / "tests/c/exports.txt"
    if harness.UPDATE:
        pages.write_text("".join(f"{name}\n" for name in cxx))
    assert cxx == pages.read_text().splitlines()
    soname = re.search(r"soname: \[libxwalk\.so\.(\d+\.\d+)\]", run("readelf", "--dynamic", "--wide", LIBRARY))[1]
    assert version.startswith(f"XWALK_{soname}")


class SchemaError(ctypes.Structure):
    """The first members of xwalk_error."""

    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char_p), ("hint", ctypes.c_char_p)]


def test_options():
    """The header names all options, and no others; asked from another language."""
    library = ctypes.CDLL(str(LIBRARY))
    schema, error = ctypes.c_void_p(), ctypes.POINTER(SchemaError)()
    text = b"[{name=id;type=int64}]"
    assert library.xwalk_schema_parse(text, ctypes.c_size_t(len(text)), None, ctypes.byref(schema), None) == 0
    usage = library.xwalk_schema_convert(schema, b"yt", b'{"drop_zon": 1}', None, None, ctypes.byref(error))
    assert usage == error.contents.code == 1, usage
    assert error.contents.hint.decode() == "Did you mean drop_zone?", error.contents.hint
    library.xwalk_error_free(error)
    for broken in (b'{"round": tru}', b'{"round"', b"[]", b"nonsense", b'{"round": true} x', b"\xff"):
        usage = library.xwalk_schema_convert(schema, b"yt", broken, None, None, ctypes.byref(error))
        assert usage == error.contents.code == 1
        assert error.contents.message.startswith(b"expected options as "), error.contents.message
        assert b"json.exception" not in error.contents.message + error.contents.hint
        library.xwalk_error_free(error)
    for repeated, message in ((b'{"round": true, "round": false}', b'"round" is given twice'),
                              (b'{"rename": {"id": "a", "id": "b"}}', b'rename: "id" is given twice')):
        usage = library.xwalk_schema_convert(schema, b"yt", repeated, None, None, ctypes.byref(error))
        assert usage == error.contents.code == 1 and error.contents.message == message, error.contents.message
        library.xwalk_error_free(error)
    library.xwalk_schema_free(schema)
    table = (ROOT / "src/xwalk/hub/options.inc").read_text().split("\nXWALK_OPTION(")[1:]
    known = {row.split('"')[1] for row in table if ".is_keyword = false" not in row}
    listed = HEADER[HEADER.index(" *   reading "):HEADER.index(" * storage_options say how")]
    listed = re.sub(r"(?s)\(.*?\)|\b(reading|converting|writing) |and on_error for .*", "", listed)
    named = set(re.findall(r"\w+", listed))
    assert known == named
