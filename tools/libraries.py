#!/usr/bin/env python3
"""The libraries of xwalk: the table of docs/libraries.md, newer versions, and the bill of materials of a release.

usage: tools/libraries.py page              the table, in Markdown
       tools/libraries.py outdated          each library with its version here and the newest that apt or PyPI has
       tools/libraries.py sbom VERSION OUT  writes OUT, a CycloneDX document with versions and hashes

The libraries are those of tools/libraries.toml; versions and hashes come from the lists that tools/setup.sh installs, and for
Debian's packages from this machine.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
import tomllib

TOOLS = pathlib.Path(__file__).resolve().parent


def pinned() -> dict[str, tuple[str, list[str]]]:
    """Returns the version and the hashes of each package of the lists."""
    found: dict[str, tuple[str, list[str]]] = {}
    for path in sorted(TOOLS.glob("requirements-*.txt"), key=lambda path: path.name not in ("requirements-build.txt",
                                                                                          "requirements-test.txt")):
        for line in path.read_text().replace("\\\n", " ").splitlines():
            if pin := re.match(r"([A-Za-z0-9._-]+)==(\S+)", line):
                found.setdefault(pin[1], (pin[2], re.findall(r"--hash=sha256:([0-9a-f]{64})", line)))
    return found


def sources() -> dict[str, tuple[str, list[str]]]:
    """Returns the same of source distributions and files of npm."""
    found = {}
    for line in (TOOLS / "sources.sha256").read_text().splitlines():
        digest, file = line.split()
        name, version = re.fullmatch(r"(.+)-([0-9][0-9.]*)\.(?:tar\.gz|tgz)", file).groups()
        found[name] = version, [digest]
    return found


def libraries() -> list[dict]:
    lists, archives = pinned(), sources()
    out = tomllib.loads((TOOLS / "libraries.toml").read_text())["library"]
    for one in out:
        if one["kind"] != "debian":
            one["version"], one["hashes"] = (lists if one["kind"] == "pypi" else archives)[one["package"]]
    return out


def page() -> str:
    lines = ["| library | version | from | part of | what matters |", "|---|---|---|---|---|"]
    words = {"debian": "Debian's `{}`", "pypi": "PyPI's `{}`", "source": "the sources of PyPI's `{}`"}
    lines += [f"| {one['name']} | {one['version']} | {words[one['kind']].format(one['package'])} | {one['in']} | {one['known']} |"
              for one in libraries()]
    return "\n".join(lines) + "\n"


def said(*words: str) -> str:
    try:
        return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def on_machine(package: str) -> str:
    """Returns the version of a Debian package that is installed, "" if it is not."""
    return said("dpkg-query", "-W", "-f", "${Version}", package)


def newest(one: dict) -> str:
    if one["kind"] == "debian":
        found = re.search(r"Candidate: (\S+)", said("apt-cache", "policy", one["package"]))
        return found[1] if found and found[1] != "(none)" else "?"
    answer = said(sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "index", "versions", one["package"])
    found = re.search(r"\(([^)]+)\)", answer)
    return found[1] if found else "?"


def outdated() -> int:
    rows = [("library", "here", "newest", "")]
    for one in libraries():
        here = on_machine(one["package"]) or one["version"] if one["kind"] == "debian" else one["version"]
        there = newest(one)
        rows.append((one["name"], here, there, "" if there in ("?", here) else "newer"))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for row in rows:
        print("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[3]]).rstrip())
    return 0


def sbom(version: str) -> dict:
    components = []
    for one in libraries():
        there = on_machine(one["package"]) if one["kind"] == "debian" else one["version"]
        there = there or one["version"]
        maker = {"debian": f"pkg:deb/debian/{one['package']}@{there}"}.get(one["kind"], f"pkg:pypi/{one['package']}@{there}")
        entry = {"type": "library", "bom-ref": maker, "name": one["name"], "version": there, "purl": maker,
                 "licenses": [{"license": {"id": one["license"]}}],
                 "scope": "optional" if one["in"].startswith("nothing") else "required",
                 "properties": [{"name": "xwalk:part-of", "value": one["in"]}]}
        # PyPI has a file per platform. The machine determines which one was used.
        if one["kind"] == "source":
            entry["hashes"] = [{"alg": "SHA-256", "content": digest} for digest in one["hashes"]]
        elif one["kind"] == "pypi":
            entry["properties"] += [{"name": "xwalk:accepted-sha256", "value": digest} for digest in one["hashes"]]
        components.append(entry)
    own = f"pkg:generic/xwalk@{version}"
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": {"type": "application", "bom-ref": own, "name": "xwalk", "version": version, "purl": own,
                                       "licenses": [{"license": {"id": "Apache-2.0"}}]}},
            "components": components,
            "dependencies": [{"ref": own, "dependsOn": [one["bom-ref"] for one in components]}]}


def main(words: list[str]) -> int:
    if words == ["page"]:
        print(page(), end="")
        return 0
    if words == ["outdated"]:
        return outdated()
    if len(words) == 3 and words[0] == "sbom":
        pathlib.Path(words[2]).write_text(json.dumps(sbom(words[1]), indent=1, ensure_ascii=False) + "\n")
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
