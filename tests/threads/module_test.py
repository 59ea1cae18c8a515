"""The Python module from eight threads at once gives what one gives: python module_test.py XWALK

(XWALK lies in a build tree, the package in its python/.) Under the thread sanitizer (`make tsan`) also without races.
"""
import pathlib
import sys
import tempfile
import threading

BUILD = pathlib.Path(sys.argv[1]).resolve().parent
if not (BUILD / "python" / "xwalk").exists():
    print("SKIPPED: the module is not built (XWALK_BUILD_PYTHON)")
    sys.exit(77)
sys.path.insert(0, str(BUILD / "python"))

import xwalk  # noqa: E402

THREADS = 8
ROUNDS = 5
SCHEMA = "[{name=id;type_v3=int64};{name=text;type_v3={type_name=optional;item=utf8}}]"
problems = []


def work(number, scratch):
    """Plans, converts, is refused, and reads what it wrote."""
    for turn in range(ROUNDS):
        schema = xwalk.Schema.parse(SCHEMA)
        report = xwalk.check(schema, "parquet")
        if report.verdict != "exact":
            problems.append(f"verdict {report.verdict}")
        rows = scratch / f"{number}-{turn}.yson"
        rows.write_text("".join(f'{{id={i};text="{number}"}};\n' for i in range(500)))
        out = scratch / f"{number}-{turn}.skiff"
        done = xwalk.convert(str(rows), str(out), schema=SCHEMA, threads=2)
        if done.rows != 500:
            problems.append(f"{done.rows} rows")
        try:
            xwalk.convert(str(rows), str(out), schema="[{name=id;type_v3=utf8}]", mode="overwrite")
            problems.append("integers were taken for text")
        except xwalk.Error:
            pass


with tempfile.TemporaryDirectory(prefix="xwalk-threads-") as folder:
    threads = [threading.Thread(target=work, args=(number, pathlib.Path(folder))) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

print("\n".join(problems) or f"{THREADS * ROUNDS} conversions")
sys.exit(1 if problems else 0)
