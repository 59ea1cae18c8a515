#!/usr/bin/env python3
"""Writes the SHA-256 of every file that PyPI has of a pinned version into the lists of packages, and pins what they need.

usage: tools/lock.py LIST...

A list is a requirements file in which each package has one version, as in tools/requirements-test.txt. Comments are kept. To
update a package, change its version there, run `make lock`, and read the difference. pip-compile finds the hashes. A list with the
comment `# Versions as in LIST.` takes the versions of the packages that both lists have from that one.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PINNED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s\\;]+)")


def key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(text: str) -> dict[str, tuple[str, str, list[str]]]:
    """Returns name, version and hashes of the packages of a list, by their normal names."""
    found: dict[str, tuple[str, str, list[str]]] = {}
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("#") or not (pin := PINNED.match(line)):
            continue
        found[key(pin[1])] = pin[1], pin[2], re.findall(r"--hash=(sha256:[0-9a-f]{64})", line)
    return found


def merged(text: str, compiled: str) -> str:
    """Returns a list with the hashes that pip-compile has found; further dependencies are at the end."""
    locked, given, out = pins(compiled), pins(text), []
    for name, version, hashes in locked.values():
        if key(name) in given and given[key(name)][1] != version:
            raise SystemExit(f"expected {name} {given[key(name)][1]}, found {version}")
        if not hashes:
            raise SystemExit(f"expected hashes of {name} {version}, found none")

    def entry(name: str, version: str) -> str:
        return f"{name}=={version}" + "".join(f" \\\n    --hash={one}" for one in sorted(locked[key(name)][2]))

    for line in re.sub(r"\\\n *--hash=\S+ *", "", text).splitlines():
        pin = PINNED.match(line)
        out.append(line.rstrip() if pin is None else entry(pin[1], pin[2]))
    missing = [pin for name, pin in locked.items() if name not in given]
    if missing:
        out += ["# What those need.", *(entry(name, version) for name, version, _ in missing)]
    return "\n".join(out) + "\n"


def followed(text: str, versions: dict[str, tuple[str, str, list[str]]]) -> str:
    """Returns a list with the versions that another list has."""
    return PINNED.sub(lambda pin: f"{pin[1]}=={versions[key(pin[1])][1]}" if key(pin[1]) in versions else pin[0], text)


def main(lists: list[str]) -> int:
    if not lists:
        print(__doc__, file=sys.stderr)
        return 2
    for name in lists:
        path = pathlib.Path(name)
        if other := re.search(r"^# Versions as in (\S+)\.$", path.read_text(), re.M):
            path.write_text(followed(path.read_text(), pins((ROOT / other[1]).read_text())))
        compiled = subprocess.run(
            [sys.executable, "-I", "-m", "piptools", "compile", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--quiet",
             "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "--output-file", "-", name],
            check=True, stdout=subprocess.PIPE, text=True).stdout
        path.write_text(merged(path.read_text(), compiled))
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
