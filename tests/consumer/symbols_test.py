"""The static library defines names of its own only, so that a program can have other copies of what it contains."""
import re

from tests import harness

LIBRARY = harness.needs("libxwalk-static.a")


def test_static_library():
    listed = harness.run("--extern-only", "--defined-only", "--format=posix", LIBRARY, program="nm").stdout
    # W, V and u are functions of headers, which are the same in every copy.
    names = [fields[0] for line in listed.splitlines() if len(fields := line.split()) > 2 and fields[1] in "TDBR"]
    assert len(names) > 1000
    others = [name for name in names if "5xwalk" not in name and not name.startswith(("XwalkPrivate", "xwalk_"))]
    shown = harness.run("--no-params", *others[:20], program="c++filt").stdout if others else ""
    assert not others, f"{len(others)} names, such as {shown}"


def test_module():
    """The Python module shows none of the library's names, so that another libxwalk can be in the process."""
    modules = sorted((harness.PACKAGES / "xwalk").glob("_xwalk*.so"))
    if not modules:
        harness.skip("the module is not built (XWALK_BUILD_PYTHON)")
    for module in modules:
        listed = harness.run("--dynamic", "--defined-only", "--format=posix", module, program="nm").stdout.splitlines()
        assert any(line.startswith("PyInit__xwalk") for line in listed)
        assert not [line for line in listed if "5xwalk" in line], module


def test_page_lists_the_libraries():
    """The page on C++ has the libraries and packages that the build looks for."""
    text = (harness.ROOT / "cmake/XwalkDependencies.cmake").read_text()
    every_build = text[:text.index("if(XWALK_BUILD_CLI)")]
    found = {name: (debian.strip('"').split(";"), fedora.strip('"').split(";"))
             for name, debian, fedora in re.findall(r'^xwalk_find\((\w+) ("[^"]+"|\S+) ("[^"]+"|[^\s)]+)', every_build, re.M)}
    found["utf8proc"] = (["libutf8proc-dev"], ["utf8proc-devel"])
    found["FlatBuffers"] = tuple([*packages, "flatbuffers-compiler"] for packages in found["FlatBuffers"])
    page = (harness.ROOT / "docs/reference/cpp.md").read_text()
    listed = {name.split()[0]: (re.findall(r"`(.*?)`", debian), re.findall(r"`(.*?)`", fedora))
              for name, debian, fedora in re.findall(r"^\| (\w.*?) \| (`lib.*?|`nlo.*?|`zlib.*?) \| (.*?) \|$", page, re.M)}
    assert len(found) >= 9 and listed == found
