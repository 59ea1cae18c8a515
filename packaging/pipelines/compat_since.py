#!/usr/bin/env python3
"""Compares schema files with what they were, by `xwalk compat`; behind the pre-commit hook and the GitHub action.

usage: compat_since.py [--base REF] [--mode backward|forward|full] [--allow rename,removal] [--from SYSTEM]
                       [--config FILE] [--output text|github] [--summary FILE] FILE...

Each FILE of a git work tree is compared with the same file at REF (HEAD unless given). A file that REF does not have is
new, one that is gone is nobody's schema any more: both are passed over. What the nearest xwalk.toml, or that of
--config, says of a FILE in a [[compat]] without `old` holds where the options here say nothing: mode, allow, from, and
findings that are accepted. The program is `xwalk` in PATH, or what the environment's XWALK names.

Exits 0 when all are compatible, 1 when one is not, 2 when the question makes no sense, 3 when a schema cannot be read.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NOT_COMPATIBLE = 1
USAGE = 2


def git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], capture_output=True)


def content_at(ref: str, file: str) -> bytes | None:
    """Returns a file as it was at a commit, None where it was not."""
    # "./" has git look from the folder it runs in, which may be any of the work tree.
    name = f"{ref}:./{os.path.relpath(file)}"
    if git("cat-file", "-e", name).returncode != 0:
        return None
    return git("cat-file", "blob", name).stdout


def project_file() -> str | None:
    """Returns the nearest xwalk.toml, from the current folder upwards."""
    here = pathlib.Path.cwd()
    found = next((folder for folder in (here, *here.parents) if (folder / "xwalk.toml").is_file()), None)
    return os.path.relpath(found / "xwalk.toml") if found else None


def compare(program: str, older: bytes, file: str, options: list[str], form: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        # The name stays: its ending may tell the system.
        before = pathlib.Path(folder, pathlib.Path(file).name)
        before.write_bytes(older)
        return subprocess.run([program, "compat", str(before), file, *options, "--output", form], text=True,
                              capture_output=True)


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--base", default="HEAD")
    parser.add_argument("--mode", default="")
    parser.add_argument("--allow", default="")
    parser.add_argument("--from", dest="system", default="")
    parser.add_argument("--config", default="")
    parser.add_argument("--output", default="text", choices=["text", "github"])
    parser.add_argument("--summary", default="")
    parser.add_argument("files", nargs="*")
    given = parser.parse_args()

    program = shutil.which(os.environ.get("XWALK") or "xwalk")
    if program is None:
        print("xwalk is not in PATH: pip install the clone that has it", file=sys.stderr)
        return USAGE
    has_base = git("rev-parse", "--verify", "--quiet", f"{given.base}^{{commit}}").returncode == 0
    if not has_base and given.base != "HEAD":
        print(f"the commit {given.base} is not in this clone: fetch it", file=sys.stderr)
        return USAGE
    config = given.config or project_file()
    options = ["--config", config] if config else []
    options += ["--mode", given.mode] if given.mode else []
    options += ["--allow", given.allow] if given.allow else []
    options += ["--from", given.system] if given.system else []

    worst, summary = 0, []
    for file in given.files:
        if not os.path.isfile(file):
            summary.append((file, "removed"))
            continue
        # Before the first commit there is no HEAD, and everything is new.
        older = content_at(given.base, file) if has_base else None
        if older is None:
            summary.append((file, "new"))
            continue
        done = compare(program, older, file, options, given.output)
        worst = max(worst, done.returncode)
        answer = {0: "compatible", NOT_COMPATIBLE: "not compatible"}.get(done.returncode, "cannot be read")
        summary.append((file, answer))
        if done.returncode != 0:
            if given.output == "text":
                print(f"{file}:", flush=True)
            print(done.stdout, end="", flush=True)
            print(done.stderr, end="", file=sys.stderr)
            if given.output == "github" and done.returncode != NOT_COMPATIBLE:
                first = (done.stderr.strip().splitlines() or ["xwalk compat failed"])[0]
                print(f"::error file={file}::{first}")
    if given.summary:
        rows = "".join(f"| `{file}` | {answer} |\n" for file, answer in summary)
        table = f"| schema | data of the base |\n|---|---|\n{rows}" if summary else "No schema has changed.\n"
        with open(given.summary, "a", encoding="utf-8") as out:
            out.write(f"### Schema compatibility\n\n{table}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
