"""The hostile-input suite: each attack on xwalk that is known is a named case.

A case is an input that code makes, the commands that meet it, the exit codes that are right, a bound of memory and of processor time,
and what may be in the output and in the folder afterwards. README.md describes how to add one. `-k 5.endless` chooses cases,
`-m group_8a` those of one point of the list of attacks, and `-rP` shows what was measured.
"""
import pathlib
import re
import sys

import pytest

from tests.harness import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import guards

import attacks  # noqa: F401  registers the cases
from case import CASES, TESTS, Here, run_case

#: Cases that fail, and why. A case that passes must leave this list.
KNOWN = {
}


def marked(name):
    marks = [getattr(pytest.mark, f"group_{name.partition('.')[0]}")]
    if name in KNOWN:
        marks.append(pytest.mark.xfail(reason=KNOWN[name], strict=True))
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", map(marked, CASES))
def test_case(name, folder):
    here = Here(folder.resolve())
    runs = run_case(CASES[name], here)
    codes = ", ".join(str(code) for code in dict.fromkeys(done.code for _, done in runs))
    print(f"{len(runs)} commands, {max(done.memory for _, done in runs):.0f} MB, {sum(done.seconds for _, done in runs):.2f} s, exit codes {codes}")
    assert not here.problems, "\n".join(here.problems)


@pytest.mark.group_2
def test_tests_of_the_second_review():
    """Every test that the page names exists."""
    table = (pathlib.Path(__file__).parent / "README.md").read_text().partition("## Tests of the second review")[2]
    rows = re.findall(r"^\| (?!attack |---).* \| (.+) \|$", table, re.MULTILINE)
    assert len(rows) == 25
    for row in rows:
        tests = re.findall(r"`([^`]+)`", row)
        assert tests or "cannot be tested" in row, row
        for test in tests:
            path, _, name = test.partition("::")
            if path.startswith("tests/"):
                assert f"def {name}" in (TESTS.parent / path).read_text(), test
            else:
                assert test in CASES, test


@pytest.mark.group_2
def test_promises_of_the_security_page():
    """Every group of cases that SECURITY.md names has cases."""
    named = set(re.findall(r"`hostile\.(\d+[a-d]?)`", (TESTS.parent / "SECURITY.md").read_text()))
    assert len(named) > 10 and named <= {name.partition(".")[0] for name in CASES}


#: Calls that act on something, by the kind of mark that each needs.
CALLS = {
    "delete": ("  ::unlink(name);", "  fs::remove_all(path);", "  std::filesystem::remove(path);", "    path.unlink()", "    shutil.rmtree(path)"),
    "rename": ("  ::rename(from, to);", "  std::rename(from, to);", "  ::linkat(a, from, b, to, 0);", "    os.replace(a, b)", "    path.rename(b)"),
    "follow": ("  ::readlinkat(folder, name, out, size);", "    os.readlink(path)"),
    "connect": ("  ::connect(socket, address, size);", "  curl.easy_perform(handle);", "    requests.get(url)", "    socket.create_connection(place)"),
    "execute": ("  ::execve(path, words, values);", "  std::system(line);", "  ::dlopen(path, 0);", "    os.system(line)", "    subprocess.call(words)"),
    "write": ("  ::open(name, O_WRONLY | O_TRUNC);", "  ::openat(folder, name, flags | O_CREAT, 0600);", "  std::ofstream file(name);",
              '    open(path, "wb")', "    path.write_text(text)"),
    "allocate": ("  std::malloc(size);", "  ::mmap(nullptr, size, a, b, c, 0);", "  std::realloc(memory, size);", "  data = new char[size];",
                 "  std::make_unique<uint8_t[]>(size);", "  arrow::AllocateBuffer(size, pool);"),
}
#: Sizes of containers in folders of footers and messages, and whether a mark is needed.
SIZES = {"  out.resize(count);": True, "  out->reserve(claimed);": True, "  std::vector<int64_t> out(count, -1);": True, "  std::string out(size, '\\0');": True,
         "  out.resize(items.size() + 1);": False, "  out.reserve(kBlock);": False, "  out.resize(std::min(size, items.size()));": False,
         "  std::vector<int> out(items.begin(), items.end());": False, "  std::string out(text);": False}


@pytest.mark.group_2
@pytest.mark.parametrize(("kind", "call"), [(kind, call) for kind, calls in CALLS.items() for call in calls], ids=lambda word: word.strip())
def test_calls_without_a_guard(kind, call, folder):
    """`make lint` fails for a call without a mark of its kind in its own function."""
    is_python = not call.endswith(";")
    begin, end, comment = ("def f():\n", "", "    #") if is_python else ("void f() {\n", "}\n", "  //")
    mark = f"{comment} guard({kind}): a rule.\n"
    other = f"{comment} guard({'rename' if kind == 'delete' else 'delete'}): a rule.\n"
    place = folder / ("a.py" if is_python else "a.cc")
    for text, is_sound in ((begin + mark + call + "\n" + end, True), (begin + call + "\n" + end, False), (begin + other + call + "\n" + end, False),
                           (begin + mark + end + begin + call + "\n" + end, False)):
        place.write_text(text)
        assert bool(guards.Marks(place).problems) != is_sound, text


@pytest.mark.group_2
@pytest.mark.parametrize("call", SIZES, ids=str.strip)
def test_sizes_without_a_guard(call):
    """A container gets a size that may come from outside: only in folders that read bytes, and not the size of something in memory."""
    assert guards.grows("src/xwalk/parquet/a.cc", call) == SIZES[call], call
    assert not guards.grows("src/xwalk/cli/a.cc", call), call
