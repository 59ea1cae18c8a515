"""Checks the sources: format, layering of the folders, header habits, the folders' READMEs, wording, clang-tidy.

clang-tidy runs on the sources of src/ in parallel, in batches: the headers are parsed once for many sources, a fifth
of the time. With --deep it runs on each source alone and without precompiled headers, so that a missing include
shows. What passed is not checked again while its text, the
project headers it reaches, its command and the checks are the same (~/.cache/xwalk-lint).
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

import guards

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "tests", "bench", "fuzz", "examples")
# A folder includes only itself and the folders above it in this list. A subfolder may have its own place.
LAYERS = [
    ["base"],
    ["yson"],
    ["variant"],
    ["hub"],
    ["yt"],
    ["skiff", "parquet", "lance", "vortex", "arrow"],
    ["iceberg", "delta"],
    ["crosswalk"],
    ["io/plugins"],
    ["io/bytes"],
    ["io/rows"],
    ["io/engines"],
    ["io/formats"],
    ["io/places"],
    ["report"],
    ["convert"],
    ["cli", "python", "c", "api", "duckdb", "static"],
]
LEVEL = {folder: level for level, folders in enumerate(LAYERS) for folder in folders}
# Header/source pairs that may include each other. The folder's README has the reason.
MOST_IN_A_CYCLE = 5
# Lines of a file and of a function with its signature. Tables of data at namespace scope are not functions.
MOST_FILE_LINES = 700
MOST_FUNCTION_LINES = 80
# The C headers that the plugin shares with the library, and the version.
PLUGIN_MAY_INCLUDE = {"xwalk/io/plugins/engine_abi.h", "xwalk/io/plugins/store_abi.h", "xwalk/hub/arrow_abi.h", "xwalk/version.h"}
# Folders in which each source has its own header: the modules and the folders below them. Interfaces (cli, c, python) are
# called by others, and another header declares their functions.
PAIRED = {"base", "yson", "variant", "yt", "skiff", "parquet", "lance", "vortex", "arrow", "iceberg", "delta", "hub", "crosswalk", "io", "report", "convert", "plugin", "static"}
DECLARED_BY = {
    "src/xwalk/hub/cast/": "src/xwalk/hub/cast/kernel.h",
    "src/xwalk/io/formats/arrow_rows.cc": "src/xwalk/io/formats/format.h",
    "src/xwalk/io/formats/csv_rows.cc": "src/xwalk/io/formats/format.h",
    "src/xwalk/io/formats/delta_rows.cc": "src/xwalk/io/formats/format.h",
    "src/xwalk/io/formats/iceberg_rows.cc": "src/xwalk/io/formats/format.h",
    "src/xwalk/io/formats/json_rows.cc": "src/xwalk/io/formats/format.h",
    "src/xwalk/io/formats/parquet_rows.cc": "src/xwalk/io/formats/format.h",
    "src/xwalk/plugin/engine.cc": "src/xwalk/io/plugins/engine_abi.h",
    "src/xwalk/static/engine_load.cc": "src/xwalk/io/plugins/engine_load.h",
    "src/xwalk/static/fmt.cc": None,
}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.M)


def sources() -> list[pathlib.Path]:
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", *FOLDERS],
        capture_output=True, text=True, check=True).stdout.split("\n")
    return [ROOT / name for name in listed
            if name.endswith((".cc", ".h", ".hpp")) and (ROOT / name).is_file()]


def check_format(files: list[pathlib.Path], fix: bool) -> list[str]:
    mode = ["-i"] if fix else ["--dry-run", "-Werror"]
    result = subprocess.run(["clang-format", *mode, *map(str, files)],
                            capture_output=True, text=True)
    wrong = sorted({found[1] for line in result.stderr.splitlines()
                    if (found := re.match(r"(/[^:]*):\d+:\d+: error:", line))})
    problems = [f"{pathlib.Path(name).relative_to(ROOT)}: not formatted (make format)"
                for name in wrong]
    if result.returncode != 0 and not problems:
        problems.append(result.stderr.strip())
    return problems


def folder_of(name: str) -> str:
    """Returns the folder of LAYERS that a file `xwalk/io/bytes/sink.h` belongs to; its first folder otherwise."""
    parts = name.split("/")
    inner = "/".join(parts[1:3])
    return inner if inner in LEVEL else parts[1]


def check_cycles(files: list[pathlib.Path]) -> list[str]:
    """Refuses include cycles of header/source pairs across folders, and those of many pairs."""
    names = [str(path.relative_to(ROOT / "src")) for path in files if path.is_relative_to(ROOT / "src/xwalk")]
    pair = lambda name: name.rsplit(".", 1)[0]
    includes: dict[str, set[str]] = {pair(name): set() for name in names}
    for name in names:
        found = {pair(include) for include in INCLUDE.findall((ROOT / "src" / name).read_text())}
        includes[pair(name)] |= (found & includes.keys()) - {pair(name)}
    problems = []
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for to in includes[node]:
            if to not in index:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in stack:
                low[node] = min(low[node], index[to])
        if low[node] != index[node]:
            return
        cycle = stack[stack.index(node):]
        del stack[stack.index(node):]
        if len(cycle) > MOST_IN_A_CYCLE or len({folder_of(name) for name in cycle}) > 1:
            problems.append(f"src: these files include each other: {', '.join(sorted(cycle))}")

    sys.setrecursionlimit(10 * len(includes))
    for node in sorted(includes):
        if node not in index:
            visit(node)
    return problems


def check_habits(files: list[pathlib.Path]) -> list[str]:
    problems = []
    for path in files:
        name = path.relative_to(ROOT)
        text = path.read_text()
        if path.suffix in (".h", ".hpp") and "#pragma once" not in text:
            problems.append(f"{name}: expected #pragma once")
        parts = name.parts
        if parts[:2] != ("src", "xwalk") or len(parts) < 4:
            continue
        module = parts[2]
        for include in INCLUDE.findall(text):
            if include in ("iostream", "regex"):
                problems.append(f"{name}: <{include}> is not for the library")
            target = include.split("/")
            if target[0] != "xwalk" or len(target) < 3:
                continue
            if module == "plugin":
                allowed = include in PLUGIN_MAY_INCLUDE or target[1] == "plugin"
            else:
                folder, other = folder_of("/".join(parts[1:])), folder_of(include)
                allowed = folder == other or (folder in LEVEL and other in LEVEL and LEVEL[other] < LEVEL[folder])
            if not allowed:
                problems.append(f"{name}: may not include {include}, which is in a higher folder")
        if path.stem in ("utils", "util", "helpers", "common"):
            problems.append(f"{name}: a file's name says what it does")
    return problems


def check_switches(files: list[pathlib.Path]) -> list[str]:
    """Refuses a `default:` in a switch whose cases name enumerators (A::B): without it, the compiler shows where a new
    enumerator is missing. Switches over characters and numbers have no enumerators. For an enum of another library, write
    `foreign enum` on the line of its default."""
    problems = []
    for path in files:
        name = path.relative_to(ROOT)
        if name.parts[:2] != ("src", "xwalk"):
            continue
        lines = path.read_text().split("\n")
        for number, line in enumerate(lines):
            match = re.match(r"( *)default:", line)
            if not match or "foreign enum" in line:
                continue
            for above in reversed(lines[:number]):
                if above.startswith(match[1] + "case ") and re.match(r" *case [\w:]+::[A-Z]\w*[a-z]\w*:", above):
                    problems.append(f"{name}:{number + 1}: default: in a switch over an enum; list what is left")
                    break
                if above.strip() and len(above) - len(above.lstrip()) < len(match[1]):
                    break
    return problems


# What may contain a brace that is not code: comments, literals, preprocessor lines.
NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
                      r"|^[ \t]*#(?:\\\n|[^\n])*", re.M | re.S)
SCOPE = re.compile(r"(?:inline )?(?:namespace|class|struct|union|enum|extern)\b")


def functions(text: str) -> list[tuple[str, int, int]]:
    """Returns name, first line and number of lines of each function outside other functions. Lambdas in a function count
    with it."""
    code = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    found = []
    open_braces: list[tuple[str, int, str]] = []  # scope, function or other; where its declaration begins; its text
    start = 0
    for match in re.finditer(r"[{};]", code):
        outside = all(kind == "scope" for kind, _, _ in open_braces)
        if match[0] == "{":
            declaration = re.sub(r"^(?:\s|public:|private:|protected:|template <[^{}]*?>\n)*", "", code[start:match.start()])
            kind = "other"
            if SCOPE.match(declaration):
                kind = "scope"
            elif "(" in declaration and not re.search(r"[^\s]$|= $|^[^(]*[^=!<>]= ", declaration):  # not a list of values
                kind = "function"
            open_braces.append((kind if outside else "other", match.start() - len(declaration), declaration))
            if outside and kind == "scope":
                start = match.end()
        elif match[0] == "}" and open_braces:
            kind, begin, declaration = open_braces.pop()
            if kind == "function":
                name = re.search(r"[\w:~]+(?=\()", declaration)
                lines = code.count("\n", begin, match.start()) + 1
                found.append((name[0] if name else "?", code.count("\n", 0, begin) + 1, lines))
            if kind != "other":
                start = match.end()
        elif outside:
            start = match.end()
    return found


def check_lengths(files: list[pathlib.Path]) -> list[str]:
    """A long file or function has two jobs."""
    problems = []
    for path in files:
        name = path.relative_to(ROOT)
        if name.parts[0] != "src":
            continue
        text = path.read_text()
        lines = text.count("\n")
        if lines > MOST_FILE_LINES:
            problems.append(f"{name}: expected at most {MOST_FILE_LINES} lines, found {lines}; split it by job")
        problems += [f"{name}:{first}: expected at most {MOST_FUNCTION_LINES} lines in {function}, found {count}; split it by job"
                     for function, first, count in functions(text) if count > MOST_FUNCTION_LINES]
    return problems


def check_pairs(files: list[pathlib.Path]) -> list[str]:
    """A header has its source of the same name, or none: so each source has a header, X.h or X_internal.h, and what
    a header without a source declares is defined in it. A source includes its own header first, so that clang-tidy sees
    what the header itself does not include."""
    problems = []
    for path in files:
        name = path.relative_to(ROOT)
        if name.parts[:2] != ("src", "xwalk") or path.suffix != ".cc":
            continue
        header = name.with_suffix(".h").relative_to("src")
        if (ROOT / "src" / header).is_file() and INCLUDE.search(path.read_text())[1] != str(header):
            problems.append(f"{name}: expected {header} as the first include")
        if name.parts[2] not in PAIRED:
            continue
        elsewhere = [named for named in DECLARED_BY if str(name).startswith(named)]
        if elsewhere and all(DECLARED_BY[named] is None or (ROOT / DECLARED_BY[named]).is_file() for named in elsewhere):
            continue
        if not any(path.with_name(path.stem + ending).is_file() for ending in (".h", "_internal.h")):
            problems.append(f"{name}: expected {path.stem}.h beside it")
    return problems


def check_installed() -> list[str]:
    """The two headers of the C++ interface and the headers that they include are installed, and no other. None of them
    includes a header of a dependency."""
    named = set(re.findall(r"^  (xwalk/[\w/.]+)", (ROOT / "cmake/XwalkHeaders.cmake").read_text(), re.M))
    reached: set[str] = set()
    waiting = {"xwalk/xwalk.hpp", "xwalk/skiff_job.hpp"}
    problems = []
    while waiting:
        header = waiting.pop()
        reached.add(header)
        for include in INCLUDE.findall((ROOT / "src" / header).read_text()):
            if include.startswith("xwalk/"):
                waiting |= {include} - reached - {"xwalk/version.h"}
            elif not re.fullmatch(r"[a-z_]+", include):
                problems.append(f"src/{header}: is installed, and includes <{include}>")
    problems += [f"cmake/XwalkHeaders.cmake: {header} is included by what is installed" for header in reached - named]
    problems += [f"cmake/XwalkHeaders.cmake: {header} is included by no header of the C++ interface" for header in named - reached]
    return sorted(problems)


# Names of systems. hub/ has none outside comments, except options, which all modules name, and names in metadata of Arrow.
SYSTEM = re.compile(r"(?<![A-Za-z])(?:YTsaurus|YT|YQL|Skiff|Parquet|Lance|Vortex|Iceberg)(?![a-z])|"
                    r"(?<![a-z])(?:yt|yql|ytsaurus|skiff|parquet|lance|vortex|iceberg)(?![a-z])")
MAY_NAME_SYSTEMS = {"src/xwalk/hub/option.h", "src/xwalk/hub/options.inc"}
COMMENT_OR_LITERAL = re.compile(r"""//[^\n]*|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""")
NAME_OF_EXTENSION = "arrow.parquet.variant"


def check_systems(files: list[pathlib.Path]) -> list[str]:
    """Refuses names of systems in hub/: rules and texts about a system are in its module. Options are mentioned by id there,
    because each interface writes them differently."""
    problems = []
    for path in files:
        name = str(path.relative_to(ROOT))
        if not name.startswith("src/xwalk/hub/") or name in MAY_NAME_SYSTEMS:
            continue
        code = COMMENT_OR_LITERAL.sub(lambda match: "" if match[0].startswith("//") else match[0], path.read_text())
        for number, line in enumerate(code.split("\n"), 1):
            if found := SYSTEM.search(line.replace(NAME_OF_EXTENSION, "")):
                problems.append(f"{name}:{number}: names {found[0]}; the rules of a system are in its module")
        texts = re.sub(r'"\s*\n\s*"', "", code)
        problems += [f"{name}: names {flag}; mention an option by its id, as `duplicate_keys`"
                     for text in re.findall(r'"(?:\\.|[^"\\\n])*"', texts) for flag in re.findall(r"(?<!check )--[a-z][a-z-]+", text)]
    return problems


# File names in a page: `yt/hub.cc`, `type.{h,cc}`, `tests/yt/schema_test.cc`.
NAMED_FILE = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:cc|h|py|sh|cmake|proto|fbs|clitest|\{h,cc\}))`")


def check_pages(files: list[pathlib.Path]) -> list[str]:
    """Every folder of src/xwalk has a README, and pages for contributors name only existing files."""
    folders = {path.parent for path in files if path.is_relative_to(ROOT / "src/xwalk")} - {ROOT / "src/xwalk"}
    problems = [f"{folder.relative_to(ROOT)}: expected a README.md" for folder in sorted(folders)
                if not (folder / "README.md").is_file()]
    every = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
                           capture_output=True, text=True, check=True).stdout.split("\n")
    for page in [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "src").rglob("README.md"))]:
        for named in NAMED_FILE.findall(page.read_text()):
            for one in {named.replace("{h,cc}", ending) for ending in ("h", "cc")}:
                places = [page.parent / one, ROOT / one, ROOT / "src/xwalk" / one]
                if not (any(place.is_file() for place in places)
                        or any(name.endswith("/" + one) for name in every)):
                    problems.append(f"{page.relative_to(ROOT)}: names {one}, which does not exist")
    return problems


def check_words() -> list[str]:
    """Returns idioms that trip up readers."""
    found = subprocess.run([sys.executable, ROOT / "tools/idiolect.py", "--root", ROOT], capture_output=True, text=True)
    return found.stdout.splitlines() + (found.stderr.splitlines() if found.returncode not in (0, 1) else [])


def project_includes(path: pathlib.Path, seen: set[pathlib.Path]) -> None:
    """Collects the project headers that a source reaches."""
    for include in INCLUDE.findall(path.read_text()):
        for header in (ROOT / "src" / include, path.parent / include, ROOT / include):
            if header.is_file():
                if header not in seen:
                    seen.add(header)
                    project_includes(header, seen)
                break


def cache_folder(build: pathlib.Path) -> pathlib.Path:
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for folder in (pathlib.Path(home) / "xwalk-lint", build.parent / "lint-cache"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return folder
        except OSError:
            continue
    raise SystemExit("lint: no folder to keep its cache in")


def tidy_key(source: pathlib.Path, options: list[str], checks: str) -> str:
    reached: set[pathlib.Path] = {source}
    project_includes(source, reached)
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + checks.encode())
    digest.update(" ".join(word for word in options if word.startswith(("-D", "-I", "-std"))).replace(str(ROOT), "").encode())
    for header in sorted(reached):
        digest.update(header.read_bytes())
    return digest.hexdigest()


# Sources that clang-tidy checks together.
MOST_TOGETHER = 24
GCC_ONLY = {"-Winvalid-pch", "-Wno-restrict", "-Wno-stringop-overflow", "-Wno-subobject-linkage"}


def plain_command(command: str) -> str:
    """Returns a compile command for clang-tidy, without the precompiled header and options of GCC."""
    words = shlex.split(command)
    while "-include" in words:
        at = words.index("-include")
        del words[at:at + 2]
    # The sort functions of the standard library use deprecated functions. Names of sources that are compiled together
    # may hide each other.
    return shlex.join([*(word for word in words if word not in GCC_ONLY), "-Wno-deprecated-declarations", "-Wno-shadow"])


def together(entry: dict) -> list[str]:
    """Returns the sources that an entry of a compilation database compiles together."""
    file = pathlib.Path(entry["file"])
    return re.findall(r'^#include "(.*)"$', file.read_text(), re.M) if file.parent.name == "Unity" else [entry["file"]]


def single_sources(build: pathlib.Path) -> tuple[list[dict], set[str]]:
    """Returns an entry of a compilation database for each source of src/, and the sources that are compiled alone. Of a source that
    several targets compile, the first entry is enough: they differ in where a dependency is, not in what is ours."""
    found: dict[str, dict] = {}
    apart: set[str] = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        command = plain_command(entry["command"])
        sources = together(entry)
        for source in sources if sources[0].startswith(str(ROOT / "src")) else []:
            if source not in found and sources == [entry["file"]]:
                apart.add(source)
            found.setdefault(source, {**entry, "file": source, "command": command.replace(entry["file"], source)})
    return list(found.values()), apart


def batches(entries: list[dict], apart: set[str]) -> list[list[dict]]:
    """Returns sources that are checked together: those of a folder with the same options, and those that are compiled alone (`apart`)
    with some of other modules, whose names are in other namespaces. Headers are then read once for all of them."""
    made: dict[tuple, list[list[dict]]] = {}
    for entry in sorted(entries, key=lambda entry: entry["file"]):
        source = pathlib.Path(entry["file"]).relative_to(ROOT / "src/xwalk")
        alone = entry["file"] in apart
        reached: set[pathlib.Path] = set()
        project_includes(pathlib.Path(entry["file"]), reached)
        # It brings std::quoted, which a call of ours in another source would find.
        filesystem = any("#include <filesystem>" in path.read_text() for path in (pathlib.Path(entry["file"]), *reached))
        begun = made.setdefault((*options_of(entry), filesystem, "" if alone else str(source.parent)), [])
        for batch in begun:
            if len(batch) < MOST_TOGETHER and not (alone and source.parts[0] in {module_of(other) for other in batch}):
                batch.append(entry)
                break
        else:
            begun.append([entry])
    return [batch for begun in made.values() for batch in begun]


def module_of(entry: dict) -> str:
    return pathlib.Path(entry["file"]).relative_to(ROOT / "src/xwalk").parts[0]


def options_of(entry: dict) -> list[str]:
    """Returns the options of a compile command, without the compiler, the source and the output."""
    words = shlex.split(entry["command"])[1:]
    at = words.index("-o")
    return [word for word in words[:at] + words[at + 2:] if word not in ("-c", entry["file"])]


def source_of(batch: list[dict], folder: pathlib.Path) -> pathlib.Path:
    """Returns the source of a batch, or a new one that includes those of it. Its name follows its text."""
    if len(batch) == 1:
        return pathlib.Path(batch[0]["file"])
    text = "".join(f'#include "{entry["file"]}"\n' for entry in batch)
    source = folder / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.cc"
    source.write_text(text)
    return source


def check_tidy(build: pathlib.Path, jobs: int, tidy: str, deep: bool) -> list[str]:
    checks = "clang-analyzer-*,-clang-analyzer-optin.performance.Padding" if deep else "-bugprone-suspicious-include"
    folder = build / "lint"
    folder.mkdir(exist_ok=True)
    single, apart = single_sources(build)
    cache = cache_folder(build)
    version = subprocess.run([tidy, "--version"], capture_output=True, text=True, check=True).stdout

    def run(batch: list[dict]) -> list[str]:
        source, options = source_of(batch, folder), options_of(batch[0])
        stamp = cache / tidy_key(source, options, version + checks)
        if stamp.exists():
            return []
        result = subprocess.run([tidy, "--quiet", f"--checks={checks}", source, "--", *options], capture_output=True,
                                text=True)
        if result.returncode == 0:
            stamp.touch()
            return []
        # Names of sources clash: those of its halves, perhaps not.
        if len(batch) > 1 and "[clang-diagnostic-error" in result.stdout:
            half = len(batch) // 2
            return run(batch[:half]) + run(batch[half:])
        return [result.stdout.replace(f"{ROOT}/", "").strip() or result.stderr.strip()]

    taken = [[entry] for entry in single] if deep else batches(single, apart)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [problem for found in pool.map(run, taken) for problem in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, help="folder with compile_commands.json")
    parser.add_argument("--clang-tidy", default="clang-tidy", help="the program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--deep", action="store_true", help="each source alone, and with the static analyzer")
    parser.add_argument("--fix", action="store_true", help="rewrite the format and stop")
    arguments = parser.parse_args()
    files = sources()
    problems = check_format(files, arguments.fix)
    if not arguments.fix:
        problems += check_habits(files)
        problems += check_switches(files)
        problems += check_lengths(files)
        problems += check_pairs(files)
        problems += check_cycles(files)
        problems += check_pages(files)
        problems += check_installed()
        problems += check_systems(files)
        problems += check_words()
        problems += guards.check()
        if arguments.build:
            problems += check_tidy(arguments.build.resolve(), arguments.jobs, arguments.clang_tidy, arguments.deep)
    for problem in problems:
        print(problem)
    print(f"lint: {len(files)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
