#!/usr/bin/env python3
"""Runs the fuzzers of a build, keeps their findings, and prints their coverage. `make fuzz` calls it.

usage: fuzz.py run BUILD [--seconds N] [--jobs N] [--seed N] [--table FILE] [--sweep] [NAME…]
       fuzz.py merge BUILD [NAME…]
       fuzz.py coverage BUILD [NAME…]
       fuzz.py replay PROGRAM [NAME…]

`run` starts each fuzzer from its corpus (fuzz/corpus/NAME and inputs that earlier runs of this build found), again after each
finding, until its seconds are over, and prints a table. `--table` appends the rows to a file. Inputs that break a fuzzer are
kept in BUILD/findings, its output in BUILD/logs. A row names its build: `fuzz` has the sanitizers, `fuzz-fast` only traps for
undefined behaviour. `--sweep` changes the inputs of the corpus without measuring coverage, for several times as many
executions. Its rows have no features. `merge` adds new inputs that reach something new to fuzz/corpus/NAME.zip. `coverage`, for
a build with the preset `fuzz-coverage`, replays the corpora and prints the covered lines of parsers and codecs, by module, and
with `--files` by file. `replay` checks the corpora with the program of all fuzzers, xwalk_fuzz_replay, as a test does.

Exits 1 if a fuzzer found something.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "fuzz" / "corpus"
# `coverage` counts lines.
UNCOUNTED = {**os.environ, "LLVM_PROFILE_FILE": "/dev/null"}
# Maximum size of one packed corpus in bytes. All together stay under three megabytes.
MOST_PACKED = 220_000
HEADER = ("| fuzzer | executions | seconds | features | findings | seed | commit | compiler | build |\n"
          "|---|---:|---:|---:|---:|---:|---|---|---|")
# Maximum size of an input in bytes, for parsers whose behaviour short inputs cover: they cost less.
MOST_BYTES = 4096
LENGTHS = {
    "arrow_values": 512,
    "crosswalk_order": 256,
    "hub_rows": 256,
    "iceberg_schema": 1024,
    "io_engine_status": 512,
    "io_files": 512,
    "io_names": 512,
    "io_options": 256,
    "io_rows": 512,
    "io_selection": 256,
    "lance_evolution": 512,
    "lance_file": 1024,
    "parquet_facts": 2048,
    "parquet_message": 512,
    "parquet_values": 1024,
    "skiff_reader": 128,
    "skiff_schema": 1024,
    "skiff_tables": 1024,
    "vortex_scalar": 512,
    "vortex_values": 512,
    "yson_forms": 256,
    "yson_parse": 128,
    "yt_keys": 64,
    "yt_paths": 256,
    "yt_rows": 512,
    "yt_scalars": 128,
    "yt_schema": 1024,
}


# Files that `coverage` counts: those that convert between values and bytes or text. In modules of formats all files except
# these, in other modules only those. Other files print help and reports, compare schemas or convert types: the tests of rules
# and the vectors cover them.
FORMATS = {"arrow", "base", "iceberg", "lance", "parquet", "skiff", "vortex", "yson", "yt"}
NEITHER = {
    "all": ["hub", "layer", "module", "validate"],
    "base": ["display", "error", "fork", "path", "reordered", "time_zone", "visible", "zone_names"],
    "iceberg": ["compatibility"],
    "lance": ["data_version", "evolution_diff", "words"],
    "parquet": ["arrow_schema", "explain", "rules"],
    "skiff": ["append"],
    "vortex": ["edition"],
    "yt": ["cluster_version", "compatibility", "merge", "shape", "value_options"],
}
PARSERS = {
    "crosswalk": ["labels", "schema", "sort_order"],
    "hub": ["annotation", "builder", "c_schema", "key_bytes", "path_pattern", "row_csv", "row_text", "row_yson", "time_text"],
    "io": ["decompress", "detect", "engine", "format_word", "ipc_stream", "listing", "location", "mapping",
           "named_options", "part", "partitions", "rejects", "row_choice", "selection", "side_schema", "skiff_rows",
           "yson_rows"],
}


def is_counted(path: pathlib.PurePath) -> bool:
    """Returns true for a parser or a codec: a source or header of one, by its module and its name."""
    module, name = path.parts[0], path.stem.removesuffix("_internal")
    if module in FORMATS:
        return name not in NEITHER["all"] + NEITHER.get(module, [])
    return name in PARSERS.get(module, [])


def programs(build: pathlib.Path, names: list[str]) -> list[pathlib.Path]:
    found = sorted((build / "fuzz").glob("*_fuzz"))
    chosen = [p for p in found if not names or name_of(p) in names]
    if not chosen:
        sys.exit(f"no fuzzer in {build}/fuzz")
    return chosen


def name_of(program: pathlib.Path) -> str:
    return program.name.removesuffix("_fuzz")


def corpora(build: pathlib.Path, name: str) -> list[str]:
    """Returns the corpus folders. New inputs are written to the first."""
    found = build / "corpus" / name
    found.mkdir(parents=True, exist_ok=True)
    packed = CORPUS / f"{name}.zip"
    if packed.exists():
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(found)
    seeds = CORPUS / name
    return [str(found)] + ([str(seeds)] if seeds.is_dir() else [])


def dictionary(name: str) -> list[str]:
    words = ROOT / "fuzz" / "words" / f"{name}.dict"
    return [f"-dict={words}"] if words.exists() else []


def arguments(name: str, seconds: int, seed: int, prefix: str, sweep: bool) -> list[str]:
    length = LENGTHS.get(name, MOST_BYTES)
    if sweep:
        words = [f"-{word}" for word in dictionary(name)]
        return [f"--sweep={seconds}", f"--seed={seed}", f"--max_len={length}", f"--artifact_prefix={prefix}", *words]
    # The entropic schedule counts features for longer than a small input runs.
    return [f"-max_total_time={seconds}", f"-seed={seed}", "-print_final_stats=1", "-timeout=25", "-rss_limit_mb=2500",
            f"-max_len={length}", "-entropic=0", f"-artifact_prefix={prefix}", *dictionary(name)]


def last(pattern: str, text: str) -> int:
    numbers = re.findall(pattern, text)
    return int(numbers[-1]) if numbers else 0


def run_one(build: pathlib.Path, program: pathlib.Path, seconds: int, seed: int, sweep: bool) -> dict[str, object]:
    name = name_of(program)
    folders = corpora(build, name)
    for folder in ("findings", "logs"):
        (build / folder).mkdir(exist_ok=True)
    row = {"fuzzer": name, "executions": 0, "seconds": 0, "features": "-" if sweep else 0, "findings": 0, "seed": seed}
    found: set[str] = set()
    begun = time.monotonic()
    with open(build / "logs" / f"{name}.log", "a") as log:
        while (left := seconds - int(time.monotonic() - begun)) > 0:
            words = [program, *arguments(name, left, seed + row["findings"], f"{build}/findings/{name}-", sweep), *folders]
            done = subprocess.run(words, cwd=build, env=UNCOUNTED, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            said = done.stderr.decode(errors="replace")
            log.write(said)
            row["executions"] += last(r"stat::number_of_executed_units: (\d+)", said) or last(r"\n#(\d+)", said)
            if not sweep:
                row["features"] = max(row["features"], last(r" ft: (\d+)", said))
            if done.returncode == 0:
                break
            what = first_words(said)
            print(f"{name}: {what}", flush=True)
            if what in found:
                break  # an input of the corpus
            found.add(what)
            row["findings"] = len(found)
    row["seconds"] = round(time.monotonic() - begun)
    return row


def first_words(said: str) -> str:
    """Returns one line about a finding, with its place."""
    what = re.search(r"law broken:.*|SUMMARY:.*|runtime error:.*", said)
    artifact = re.search(r"Test unit written to (\S+)", said)
    return (what.group(0) if what else "ended badly") + " " + (artifact.group(1) if artifact else "")


def run(build: pathlib.Path, options: argparse.Namespace) -> int:
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    cache = (build / "CMakeCache.txt").read_text()
    compiler = re.search(r"CMAKE_CXX_COMPILER:[A-Z]+=(.*)", cache).group(1)
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    tables = [sys.stdout]
    if options.table:
        is_new = not pathlib.Path(options.table).exists()
        tables.append(open(options.table, "a"))
        if is_new:
            print(HEADER, file=tables[1], flush=True)

    def work(program: pathlib.Path) -> dict[str, object]:
        row = run_one(build, program, options.seconds, options.seed, options.sweep)
        words = [*row.values(), commit.stdout.strip() or "-", version, build.name + (", sweep" if options.sweep else "")]
        for table in tables:
            print("| " + " | ".join(map(str, words)) + " |", file=table, flush=True)
        return row

    print(HEADER)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(work, programs(build, options.names)))
    print(sum(row["executions"] for row in rows), "executions")
    return 1 if any(row["findings"] for row in rows) else 0


def merge(build: pathlib.Path, options: argparse.Namespace) -> int:
    for program in programs(build, options.names):
        name = name_of(program)
        folders = corpora(build, name)
        with tempfile.TemporaryDirectory() as kept:
            # The named inputs come first, so that only inputs that reach more are added and packed.
            for seeds in folders[1:]:
                shutil.copytree(seeds, kept, dirs_exist_ok=True)
            named = set(pathlib.Path(kept).iterdir())
            words = [program, "-set_cover_merge=1", f"-max_len={MOST_BYTES}", "-timeout=25", "-rss_limit_mb=2500", kept, folders[0]]
            subprocess.run(words, cwd=build, env=UNCOUNTED, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            files = sorted(set(pathlib.Path(kept).iterdir()) - named, key=lambda file: (file.stat().st_size, file.name))
            packed = CORPUS / f"{name}.zip"
            packed.unlink(missing_ok=True)
            count = 0
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                size = 0
                for file in files:
                    # An entry stores its name twice, in addition to its bytes.
                    size += file.stat().st_size + 160
                    if size > MOST_PACKED:
                        break
                    archive.writestr(zipfile.ZipInfo(file.name[:12], (1980, 1, 1, 0, 0, 0)), file.read_bytes(),
                                     zipfile.ZIP_DEFLATED)
                    count += 1
            print(f"{name}: {count} of {len(files)} inputs, {packed.stat().st_size} bytes")
    return 0


def coverage(build: pathlib.Path, options: argparse.Namespace) -> int:
    chosen = programs(build, options.names)
    profiles = build / "profiles"
    profiles.mkdir(exist_ok=True)
    for program in chosen:
        name = name_of(program)
        profile = profiles / f"{name}.profraw"
        done = subprocess.run([program, "-runs=0", "-timeout=25", f"-max_len={MOST_BYTES}", *corpora(build, name)], cwd=build,
                              env={**os.environ, "LLVM_PROFILE_FILE": str(profile)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            # It has written no profile, so its lines would count as not covered.
            sys.exit(f"{name} ends badly on its corpus")
    data = profiles / "all.profdata"
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", data, *profiles.glob("*.profraw")], check=True)
    objects = [word for program in chosen[1:] for word in ("-object", str(program))]
    told = subprocess.run(["llvm-cov", "export", "-summary-only", f"-instr-profile={data}", chosen[0], *objects,
                           str(ROOT / "src")], check=True, capture_output=True)
    modules = collections.Counter(), collections.Counter()
    files = []
    for file in json.loads(told.stdout)["data"][0]["files"]:
        # llvm-cov 14 also reports files outside of the given folder.
        whole = pathlib.Path(os.path.normpath(file["filename"]))
        if not whole.is_relative_to(ROOT / "src" / "xwalk"):
            continue
        path = whole.relative_to(ROOT / "src" / "xwalk")
        if not is_counted(path):
            continue
        lines = file["summary"]["lines"]
        modules[0][path.parts[0]] += lines["covered"]
        modules[1][path.parts[0]] += lines["count"]
        files.append((lines["percent"], lines["count"], str(path)))
    print("| module | lines of parsers and codecs | reached |\n|---|---:|---:|")
    for module in sorted(modules[1]):
        print(f"| {module} | {modules[1][module]} | {100 * modules[0][module] / max(1, modules[1][module]):.1f} % |")
    if options.files:
        for percent, count, path in sorted(files):
            print(f"{percent:5.1f} % of {count:5} {path}")
    return 0


def replay(program: pathlib.Path, options: argparse.Namespace) -> int:
    names = {path.name.removesuffix(".zip") for path in CORPUS.iterdir()}
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(names & set(options.names) if options.names else names):
            begun = time.monotonic()
            done = subprocess.run([program, name, *corpora(pathlib.Path(folder), name)], stderr=subprocess.PIPE,
                                  stdout=subprocess.PIPE, encoding="utf-8", errors="replace")
            print(f"{name}: {done.stdout.strip()}, {time.monotonic() - begun:.1f} s", flush=True)
            if done.returncode != 0:
                failed.append(name)
                print(f"exit {done.returncode}\n" + "\n".join(done.stderr.splitlines()[-20:]))
    print(f"{len(names)} corpora, failed: {', '.join(failed) or 'none'}")
    return 1 if failed or not names else 0


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("verb", choices=["run", "merge", "coverage", "replay"])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--table")
    parser.add_argument("--sweep", action="store_true", help="run: change inputs without looking at what they reach")
    parser.add_argument("--files", action="store_true", help="coverage: file by file, too")
    options = parser.parse_intermixed_args()
    verbs = {"run": run, "merge": merge, "coverage": coverage, "replay": replay}
    return verbs[options.verb](options.build.resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
