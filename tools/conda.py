#!/usr/bin/env python3
"""Makes the conda package from the wheels of a release, with packaging/conda/recipe.yaml.

usage: conda.py WHEELS OUT VERSION

WHEELS is a folder with the wheels of tools/wheel.py. Uses no channel. Needs py-rattler-build.
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def main() -> int:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    wheels, out, version = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    try:
        from rattler_build import Stage0Recipe, ToolConfiguration
    except ImportError:
        print("conda: py-rattler-build is not installed, no package made (tools/setup.sh test)", file=sys.stderr)
        return 0
    # A conda package is for one Python, so the wheel for several is the second choice.
    own = min(wheels.glob("xwalk-*.whl"), key=lambda wheel: "-abi3-" in wheel.name)
    python = re.search(r"-cp3(\d+)-", own.name)
    assert python, own.name
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as chosen:
        for wheel in (own, *wheels.glob("xwalk_parquet-*.whl")):
            shutil.copy(wheel, chosen)
        os.environ.update(XWALK_WHEELS=chosen, XWALK_VERSION=version, XWALK_PYTHON_VERSION=f"3.{python[1]}")
        (variant,) = Stage0Recipe.from_file(str(ROOT / "packaging/conda/recipe.yaml")).render()
        tools = ToolConfiguration(test_strategy="skip")
        done = variant.run_build(tool_config=tools, output_dir=scratch, channels=[])
        for package in done.packages:
            shutil.move(package, out / pathlib.Path(package).name)
            print(out / pathlib.Path(package).name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
