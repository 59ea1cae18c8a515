"""Parquet files that pyarrow of other years writes, read by xwalk: the values are those that their writer reads.

tools/setup.sh installs the versions that have a wheel for this Python. The test is skipped if no version is installed.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pyarrow as pa

from tests import harness

ROOT = harness.ROOT
#: The versions that tools/setup.sh names.
VERSIONS = re.search(r'^readonly OLD_PYARROWS="(.+)"$', (ROOT / "tools/setup.sh").read_text(), re.M)[1].split()
FOLDERS = {version: harness.DEPS / f"pyarrow-{version}" for version in VERSIONS}
if not any(folder.exists() for folder in FOLDERS.values()):
    harness.skip("no older pyarrow is installed (tools/setup.sh test)")


class TestOldPages:
    def read(self, source: pathlib.Path, target: pathlib.Path) -> pa.Table:
        done = harness.try_run("convert", source, target, "-q")
        assert (done.returncode, done.stderr) == (0, ""), source.name
        with pa.OSFile(str(target)) as file:
            return pa.ipc.open_stream(file).read_all()

    def check(self, folder: pathlib.Path, version: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(FOLDERS[version])}
        subprocess.run([sys.executable, pathlib.Path(__file__).with_name("old_pages.py"), folder], env=environment, check=True)
        files = sorted(folder.glob("*.parquet"))
        assert len(files) == 24
        for path in files:
            found = self.read(path, folder / "found.arrows")
            (folder / "found.arrows").unlink()
            with pa.OSFile(str(path.with_suffix(".arrows"))) as file:
                expected = pa.ipc.open_stream(file).read_all()
            assert found.column_names == expected.column_names
            for name in expected.column_names:
                assert found[name].to_pylist() == expected[name].to_pylist(), name

    def test_values(self) -> None:
        present = [version for version in VERSIONS if FOLDERS[version].exists()]
        if len(present) < len(VERSIONS):
            print(f"not installed: {sorted(set(VERSIONS) - set(present))}")
        for version in present:
            with tempfile.TemporaryDirectory(prefix="xwalk-old-pages-") as folder:
                self.check(pathlib.Path(folder), version)
