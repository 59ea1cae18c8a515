#!/usr/bin/env -S python3 -I
"""Compares schema files with an earlier commit, with `xwalk compat`. The pre-commit hook and the GitHub action use it.

usage: compat_since.py [--base REF] [--mode backward|forward|full] [--allow rename,removal] [--from SYSTEM]
                       [--config FILE] [--untrusted] [--output text|github] [--summary FILE]
                       [--write-accept] [--reason TEXT] [--expires DATE] [--] FILE...

Each FILE of a git work tree is compared with the same file at REF (default: HEAD). New files and removed files are skipped. A
[[compat]] without `old` in the nearest xwalk.toml, or in that of --config, gives defaults for a FILE: mode, allow, from, and
accepted findings. With --write-accept, entries for what is not compatible are added there. The program is `xwalk` in PATH, or that of the environment variable XWALK.

Files of the repository are not trusted: their names are escaped in every output, a FILE named like an option ends the run, and
symbolic links are not followed. With --untrusted, the project file is not trusted either.

Exits 0 if all are compatible, 1 if one is not, 2 for wrong usage, 3 if a schema cannot be read.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

NOT_COMPATIBLE = 1
USAGE = 2
UNREADABLE = 3


def git(*words: str) -> subprocess.CompletedProcess[bytes]:
    # guard(execute): git, with names of files after `--` or after a commit and a colon.
    return subprocess.run(["git", *words], capture_output=True)


def content_at(ref: str, file: str) -> bytes | None:
    """Returns the contents of a file at a commit, or None if it did not exist."""
    # "./" makes the path relative to the current folder, which can be any folder of the work tree.
    name = f"{ref}:./{os.path.relpath(file)}"
    if git("cat-file", "-e", name).returncode != 0:
        return None
    return git("cat-file", "blob", name).stdout


def project_file() -> str | None:
    """Returns the nearest xwalk.toml of the work tree, from the current folder upwards."""
    here = pathlib.Path.cwd()
    top = pathlib.Path(os.fsdecode(git("rev-parse", "--show-toplevel").stdout.rstrip(b"\n")) or here)
    inside = [folder for folder in (here, *here.parents) if folder == top or top in folder.parents]
    found = next((folder for folder in inside if (folder / "xwalk.toml").is_file()), None)
    return os.path.relpath(found / "xwalk.toml") if found else None


def is_link(file: str) -> bool:
    """Returns whether a file of the work tree, or a folder on the way to it, is a symbolic link."""
    path = pathlib.PurePath(os.path.relpath(file))
    return any(os.path.islink(part) for part in (path, *path.parents))


def shown(name: str) -> str:
    """Returns a name on one line, without control characters and commands to a CI service."""
    def escaped(c: str) -> str:
        # A byte that is not UTF-8 is a lone surrogate in a name.
        return f"\\x{ord(c) & 0xFF:02x}" if "\udc80" <= c <= "\udcff" else c.encode("unicode_escape").decode()

    text = "".join(c if c.isprintable() else escaped(c) for c in name)
    # A CI service may obey these, at the start of a line or anywhere in it.
    text = re.sub(r"(##[A-Za-z]*)\[", r"\1\\x5b", text)
    return f"./{text}" if text.lstrip().startswith("::") else text


def command(kind: str, file: str, text: str) -> str:
    """Returns a command to GitHub's workflow about a file."""
    def escaped(value: str, more: dict[str, str]) -> str:
        return "".join(more.get(c, c) for c in shown(value))

    in_text = {"%": "%25", "\r": "%0D", "\n": "%0A"}
    return f"::{kind} file={escaped(file, {**in_text, ':': '%3A', ',': '%2C'})}::{escaped(text, in_text)}"


def cell(name: str) -> str:
    """Returns a name as code in a cell of a Markdown table."""
    if re.fullmatch(r"[\w./ -]+", name, re.ASCII):
        return f"`{name}`"
    marked = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;", "`": "&#96;"}
    return "<code>" + "".join(marked.get(c, c) for c in shown(name)) + "</code>"


def named_like_options(words: list[str]) -> list[str]:
    """Returns the arguments as files, also those that argparse would read as options: pre-commit appends names unchanged."""
    before = words[:words.index("--")] if "--" in words else words
    return [word for word in before if word.startswith("-") and os.path.lexists(word)]


def compare(program: str, older: bytes, file: str, options: list[str], form: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        # The name stays, because its extension may give the system.
        before = pathlib.Path(folder, pathlib.Path(file).name)
        # guard(write): a new file in a folder that only this user may write to.
        before.write_bytes(older)
        # guard(execute): xwalk, with the names of files after `--`; the older file is a copy in a new folder.
        return subprocess.run([program, "compat", *options, "--output", form, "--", str(before), file], text=True,
                              capture_output=True, errors="surrogateescape")


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--base", default="HEAD")
    parser.add_argument("--mode", default="")
    parser.add_argument("--allow", default="")
    parser.add_argument("--from", dest="system", default="")
    parser.add_argument("--config", default="")
    parser.add_argument("--untrusted", action="store_true")
    parser.add_argument("--output", default="text", choices=["text", "github"])
    parser.add_argument("--summary", default="")
    parser.add_argument("--write-accept", action="store_true")
    parser.add_argument("--reason", default="")
    parser.add_argument("--expires", default="")
    parser.add_argument("files", nargs="*")
    if like_options := named_like_options(sys.argv[1:]):
        print(f"{shown(like_options[0])}: a file named like an option: rename it", file=sys.stderr)
        return USAGE
    given = parser.parse_args()

    # A relative or empty entry is a folder of the work tree, which adds no programs.
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", os.defpath).split(os.pathsep)))
    program = shutil.which(os.environ.get("XWALK") or "xwalk")
    if program is None:
        print("xwalk is not in PATH: pip install the clone that has it", file=sys.stderr)
        return USAGE
    has_base = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{given.base}^{{commit}}").returncode == 0
    if not has_base and given.base != "HEAD":
        print(f"the commit {shown(given.base)} is not in this clone: fetch it", file=sys.stderr)
        return USAGE
    config = given.config or project_file()
    if config and is_link(config):
        print(f"{shown(config)}: a symbolic link, which is not followed", file=sys.stderr)
        return USAGE
    options = [f"--config={config}"] if config else []
    options += ["--untrusted"] if config and given.untrusted else []
    options += [f"--mode={given.mode}"] if given.mode else []
    options += [f"--allow={given.allow}"] if given.allow else []
    options += [f"--from={given.system}"] if given.system else []
    if given.write_accept and (given.untrusted or not config):
        print("--write-accept needs a project file that is not a stranger's", file=sys.stderr)
        return USAGE
    options += ["--write-accept"] if given.write_accept else []
    options += [f"--reason={given.reason}"] if given.reason else []
    options += [f"--expires={given.expires}"] if given.expires else []

    worst, summary = 0, []
    for file in given.files:
        if is_link(file):
            worst = max(worst, UNREADABLE)
            summary.append((file, "a symbolic link, which is not followed"))
            text = "a symbolic link, which is not followed"
            print(command("error", file, text) if given.output == "github" else f"{shown(file)}: {text}", flush=True)
            continue
        if not os.path.isfile(file):
            summary.append((file, "removed"))
            continue
        # Before the first commit there is no HEAD, and all files are new.
        older = content_at(given.base, file) if has_base else None
        if older is None:
            summary.append((file, "new"))
            continue
        done = compare(program, older, file, options, given.output)
        worst = max(worst, done.returncode)
        answer = {0: "compatible", NOT_COMPATIBLE: "not compatible"}.get(done.returncode, "cannot be read")
        # What is accepted does not fail, and is a notice.
        accepted = sum(line.startswith("::notice ") for line in done.stdout.splitlines()) if given.output == "github" else 0
        summary.append((file, f"{answer}, {accepted} accepted" if accepted else answer))
        if done.returncode != 0 or given.output == "github":
            if given.output == "text":
                print(f"{shown(file)}:", flush=True)
            sys.stdout.buffer.write(done.stdout.encode("utf-8", "surrogateescape"))
            sys.stdout.flush()
            sys.stderr.buffer.write(done.stderr.encode("utf-8", "surrogateescape"))
            sys.stderr.flush()
            if given.output == "github" and done.returncode not in (0, NOT_COMPATIBLE):
                first = (done.stderr.strip().splitlines() or ["xwalk compat failed"])[0]
                print(command("error", file, first), flush=True)
    if given.summary:
        rows = "".join(f"| {cell(file)} | {answer} |\n" for file, answer in summary)
        table = f"| schema | data of the base |\n|---|---|\n{rows}" if summary else "No schema has changed.\n"
        # guard(write): the file of the summary, which GitHub or the user names.
        with open(given.summary, "a", encoding="utf-8") as out:
            out.write(f"### Schema compatibility\n\n{table}")
    return worst


if __name__ == "__main__":
    sys.exit(main())
