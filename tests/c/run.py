"""Tests of the C interface: run.py PART BUILD SOURCE, where PART is the name of a function below."""

from __future__ import annotations

import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(words: list[str], stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a program, and shows its output if it fails."""
    done = subprocess.run(words, input=stdin, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{words[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def interface(build: pathlib.Path, source: pathlib.Path, folder: str) -> None:
    print(run([str(build / "tests/xwalk_c_interface"), folder]).stdout)


def memory(build: pathlib.Path, source: pathlib.Path, folder: str) -> None:
    """Every byte is freed, and none is read or written that is not there."""
    program = build / "tests/xwalk_c_interface"
    if b"__asan_init" in program.read_bytes():
        print("skipped: the program looks after itself with the address sanitizer")
        sys.exit(SKIPPED)
    if shutil.which("valgrind") is None:
        print("skipped: no valgrind (tools/setup.sh test)")
        sys.exit(SKIPPED)
    done = run(["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite,indirect",
                "--errors-for-leak-kinds=definite,indirect", str(program), folder])
    print(done.stdout, done.stderr)


def examples(build: pathlib.Path, source: pathlib.Path, folder: str) -> None:
    """What the examples print is what their comments promise."""
    done = run([str(build / "tests/xwalk_c_example_schema"), "parquet"], "[{name=id;type=int64};{name=at;type=date}]")
    assert "optional int64 id" in done.stdout, done.stdout
    assert "yt to parquet: 2 columns" in done.stderr, done.stderr

    table = pathlib.Path(folder, "table.yson")
    table.write_text('{a=1;b="x"};{a=2;b="y"};')
    pathlib.Path(folder, "table.yson.schema").write_text("[{name=a;type=int64};{name=b;type=utf8}]")
    copy = pathlib.Path(folder, "copy.skiff")
    done = run([str(build / "tests/xwalk_c_example_rows"), str(table), str(copy)])
    assert done.stdout.startswith("column a: l\ncolumn b: u\n2 rows\n2 rows written: 2 columns"), done.stdout
    back = run([str(build / "tests/xwalk_c_example_rows"), str(copy), str(pathlib.Path(folder, "back.yson"))])
    assert "2 rows written" in back.stdout, back.stdout

    # The plugin and the engines are found from where the library lies.
    if (build / "libxwalk_parquet.so").exists():
        parquet = pathlib.Path(folder, "copy.parquet")
        for before, after in ((table, parquet), (parquet, pathlib.Path(folder, "again.yson"))):
            assert "2 rows written" in run([str(build / "tests/xwalk_c_example_rows"), str(before), str(after)]).stdout
        assert parquet.read_bytes()[:4] == b"PAR1"

    failed = subprocess.run([str(build / "tests/xwalk_c_example_rows"), f"{folder}/absent.yson", str(copy)],
                            capture_output=True, text=True)
    assert failed.returncode == 1 and "absent.yson" in failed.stderr, failed


def page(build: pathlib.Path, source: pathlib.Path, folder: str) -> None:
    """The page on the C interface names all functions, and its program does what it says."""
    text = (source / "docs/reference/c.md").read_text()
    header = (source / "src/xwalk/c/xwalk.h").read_text()
    declared = set(re.findall(r"XWALK_API\s[^(]*?(xwalk_\w+)\(", header))
    assert set(re.findall(r"`(xwalk_\w+)`", text)) - {"xwalk_error"} == declared, text
    if not (build / "libxwalk_parquet.so").exists() or b"__asan_init" in (build / "libxwalk_c.so").read_bytes():
        print("skipped: its program needs the plugin, and a library without the address sanitizer")
        sys.exit(SKIPPED)
    program = pathlib.Path(folder, "main.c")
    program.write_text(re.search(r"^```c\n(.*?)^```", text, re.M | re.S)[1])
    run(["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", str(program), "-o", f"{folder}/main",
         f"-I{build}/include", f"-L{build}", f"-Wl,-rpath,{build}", "-lxwalk_c"])
    pathlib.Path(folder, "events.yson").write_text("{a=1};{a=2};{a=x};")
    pathlib.Path(folder, "events.yson.schema").write_text("[{name=a;type=int64}]")
    done = subprocess.run([f"{folder}/main"], cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "1 column: 1 exact\n"), done
    assert pathlib.Path(folder, "events.parquet").read_bytes()[:4] == b"PAR1"


def symbols(build: pathlib.Path, source: pathlib.Path, folder: str) -> None:
    """The library shows the functions of its header and nothing else."""
    listed = run(["nm", "--dynamic", "--defined-only", "--format=posix", str(build / "libxwalk_c.so")]).stdout
    shown = {line.split()[0] for line in listed.splitlines()}
    header = (source / "src/xwalk/c/xwalk.h").read_text()
    declared = set(re.findall(r"XWALK_API\s[^(]*?(xwalk_\w+)\(", header))
    assert len(declared) >= 15, declared
    assert shown == declared, f"only shown: {shown - declared}; only declared: {declared - shown}"
    dynamic = run(["readelf", "--dynamic", "--wide", str(build / "libxwalk_c.so")]).stdout
    assert re.search(r"soname: \[libxwalk_c\.so\.\d+\.\d+\]", dynamic), dynamic


class SchemaError(ctypes.Structure):
    """The first members of xwalk_error."""

    _fields_ = [("code", ctypes.c_int), ("message", ctypes.c_char_p), ("hint", ctypes.c_char_p)]


def options(build: pathlib.Path, source: pathlib.Path, folder: str) -> None:
    """The header names all options, and no others; asked from another language."""
    library = ctypes.CDLL(str(build / "libxwalk_c.so"))
    schema, error = ctypes.c_void_p(), ctypes.POINTER(SchemaError)()
    text = b"[{name=id;type=int64}]"
    assert library.xwalk_schema_parse(text, ctypes.c_size_t(len(text)), None, ctypes.byref(schema), None) == 0
    usage = library.xwalk_schema_convert(schema, b"yt", b'{"drop_zon": 1}', None, None, ctypes.byref(error))
    assert usage == error.contents.code == 1, usage
    assert error.contents.hint.decode() == "Did you mean drop_zone?", error.contents.hint
    library.xwalk_error_free(error)
    library.xwalk_schema_free(schema)
    table = (source / "src/xwalk/hub/options.inc").read_text().split("\nXWALK_OPTION(")[1:]
    known = {row.split('"')[1] for row in table if ".is_keyword = false" not in row}
    header = (source / "src/xwalk/c/xwalk.h").read_text()
    listed = header[header.index(" *   reading "):header.index(" * storage_options say how")]
    listed = re.sub(r"(?s)\(.*?\)|\b(reading|converting|writing) |and on_error for .*", "", listed)
    named = set(re.findall(r"\w+", listed))
    assert known == named, f"only known: {known - named}; only named: {named - known}"


def main() -> None:
    part, build, source = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        parts = {"interface": interface, "memory": memory, "examples": examples, "symbols": symbols, "options": options,
                 "page": page}
        parts[part](pathlib.Path(build).resolve(), pathlib.Path(source).resolve(), folder)


if __name__ == "__main__":
    main()
