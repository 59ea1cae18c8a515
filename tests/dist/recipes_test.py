"""The recipes of the packages that are made of wheels."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from tests import harness

SOURCE = harness.ROOT
CONTAINER = SOURCE / "packaging/container/Containerfile"


class TestRecipes(harness.InFolder):
    def wheel(self, python: str = "cp311-cp311") -> None:
        """Makes a wheel with what the recipe looks for."""
        with zipfile.ZipFile(self.folder / f"xwalk-1.2.3-{python}-manylinux_2_35_x86_64.whl", "w") as wheel:
            wheel.writestr("xwalk/__init__.py", "")
            wheel.writestr(f"xwalk/{python}", "")
            wheel.writestr("xwalk/xwalk", "#!/bin/sh\necho xwalk 1.2.3\n")
            wheel.writestr("xwalk/xwalk-engine-lance", "#!/bin/sh\n")
            wheel.writestr("xwalk-1.2.3.dist-info/METADATA", "Name: xwalk\nVersion: 1.2.3\n")

    def test_conda(self) -> None:
        try:
            import rattler_build  # noqa: F401 - checks that it is installed
            import zstandard
        except ImportError as missing:
            pytest.skip(f"{missing.name} is not installed")
        self.wheel()
        self.wheel("cp312-abi3")
        done = subprocess.run([sys.executable, SOURCE / "tools/conda.py", self.folder, self.folder, "1.2.3"], text=True,
                              capture_output=True)
        assert done.returncode == 0, done.stdout + done.stderr
        (package,) = self.folder.glob("*.conda")
        assert package.name.startswith("xwalk-1.2.3-"), package.name
        opened = self.folder / "opened"
        with zipfile.ZipFile(package) as archive:
            for name in archive.namelist():
                if name.endswith(".tar.zst"):
                    data = zstandard.ZstdDecompressor().stream_reader(archive.open(name)).read()
                    opened.mkdir(exist_ok=True)
                    subprocess.run(["tar", "-x", "-C", opened], input=data, check=True)
        said = subprocess.run([opened / "bin/xwalk"], text=True, capture_output=True, check=True).stdout
        assert said == "xwalk 1.2.3\n"
        package = opened / "lib/python3.11/site-packages/xwalk"
        assert os.access(package / "xwalk-engine-lance", os.X_OK)
        assert ((package / "cp311-cp311").exists(), (package / "cp312-abi3").exists()) == (True, False)
        assert json.loads((opened / "info/index.json").read_text())["depends"] == ["python 3.11.*"]

    def test_container(self) -> None:
        hadolint = shutil.which("hadolint", path=os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]))
        if hadolint is None:
            pytest.skip("hadolint is not installed")
        done = subprocess.run([hadolint, CONTAINER], text=True, capture_output=True)
        assert (done.returncode, done.stdout) == (0, "")

    def test_base_images_have_digests(self) -> None:
        """A tag alone may be another image at each build."""
        for recipe in SOURCE.glob("packaging/**/*[Cc]ontainerfile*"):
            text = recipe.read_text()
            defaults = dict(re.findall(r"^ARG (\w+)=(\S+)$", text, re.M))
            images = re.findall(r"^FROM (\S+)", text, re.M)
            assert images, recipe
            for image in images:
                named = re.sub(r"\$\{(\w+)\}", lambda name: defaults[name[1]], image)
                assert re.fullmatch(r"\S+@sha256:[0-9a-f]{64}", named), f"{recipe}: no digest of {named}"

    def test_container_without_a_builder(self) -> None:
        """Missing tools are reported, and the release goes on."""
        self.wheel()
        tools = self.folder / "bin"
        tools.mkdir()
        for name in ("bash", "sed", "dirname", "basename", "mkdir", "mktemp", "tail", "rm"):
            (tools / name).symlink_to(str(shutil.which(name)))
        command = [SOURCE / "tools/dist.sh", "container", self.folder]
        environment = {"PATH": str(tools), "XWALK_DEPS": str(self.folder)}
        done = subprocess.run(command, text=True, capture_output=True, env=environment)
        assert (done.returncode, done.stderr) == (0, "dist: no podman, buildah or docker: the container is not built\n")
        # Reports how it was called, and ends as configured.
        (tools / "podman").write_text('#!/bin/bash\necho "$1 $2 $3"; [ "$1" != save ] || echo x >"$3"; exit $FAILS\n')
        (tools / "podman").chmod(0o755)
        done = subprocess.run(command, text=True, capture_output=True, env={**environment, "FAILS": "1"})
        assert (done.returncode, done.stderr) == (0, f"dist: podman cannot build the container: build --file {CONTAINER}\n")
        done = subprocess.run(command, text=True, capture_output=True, env={**environment, "FAILS": "0"})
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("-container.tar\n"), done.stdout
        # The base image is for one Python.
        (wheel,) = self.folder.glob("*.whl")
        wheel.rename(wheel.with_name(wheel.name.replace("cp311", "cp313")))
        done = subprocess.run(command, text=True, capture_output=True, env={**environment, "FAILS": "0"})
        assert (done.returncode, done.stdout) == (0, "")
        assert done.stderr.startswith("dist: the base image is for Python 3.11, no wheel is: "), done.stderr
