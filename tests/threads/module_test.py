"""The Python module from eight threads at once gives what one gives: python module_test.py XWALK

(XWALK is in a build tree, the package in its python/.) Under the thread sanitizer (`make tsan`) also without races.
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
            problems.append("integers were read as text")
        except xwalk.Error:
            pass


def share(scratch):
    """Several threads that read one iterator of rows share the rows among them: each comes once."""
    try:
        import pyarrow as pa
    except ImportError:
        print("not tried without pyarrow: one iterator in several threads")
        return
    rows = scratch / "shared.yson"
    rows.write_text("".join(f'{{id={i};text="{i}"}};\n' for i in range(20_000)))
    (scratch / "shared.yson.schema").write_text(SCHEMA)
    paths = [rows]
    for extension in ("json", "skiff", "parquet", "arrow"):
        try:
            xwalk.convert(str(rows), str(scratch / f"shared.{extension}"))
            paths.append(scratch / f"shared.{extension}")
        except xwalk.Error as error:  # a plugin that is not built
            print(f"not tried: {error}")
    bad = scratch / "bad.yson"
    bad.write_text(rows.read_text().replace("{id=15000;", "{id=x;"))
    (scratch / "bad.yson.schema").write_text(SCHEMA)
    for path in [*paths, bad]:
        found, errors = [], []
        # Slow: a Python object that has bytes needs the interpreter's lock to give them.
        source = open(path, "rb") if path == paths[0] else str(path)
        reader = pa.RecordBatchReader.from_stream(xwalk.open(source, schema=SCHEMA, batch_rows=50) if path in (rows, bad) else
                                                  xwalk.open(source, batch_rows=50))

        def read():
            while True:
                try:
                    found.extend(reader.read_next_batch().column("id").to_pylist())
                except StopIteration:
                    return
                except pa.ArrowException as error:
                    return errors.append(str(error))

        threads = [threading.Thread(target=read) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if path == bad:
            if len(errors) != THREADS or len(set(errors)) != 1 or "15000" not in errors[0]:
                problems.append(f"{path.name}: {set(errors)}")
            if len(found) != len(set(found)):
                problems.append(f"{path.name}: rows that came twice")
        elif errors or sorted(found) != list(range(20_000)):
            problems.append(f"{path.name}: {len(found)} rows of 20000, {set(errors)}")


with tempfile.TemporaryDirectory(prefix="xwalk-threads-") as folder:
    for turn in range(ROUNDS):
        scratch = pathlib.Path(folder) / f"shared-{turn}"
        scratch.mkdir()
        share(scratch)
    threads = [threading.Thread(target=work, args=(number, pathlib.Path(folder))) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

print("\n".join(problems) or f"{THREADS * ROUNDS} conversions")
sys.exit(1 if problems else 0)
