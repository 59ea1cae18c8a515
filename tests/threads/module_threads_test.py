"""The Python module from eight threads at once gives what one gives. Under the thread sanitizer (`make tsan`) also without races."""
import threading

import pytest

from tests import harness

harness.use_module()
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


@pytest.mark.parametrize("turn", range(ROUNDS))
def test_one_iterator(turn, tmp_path):
    """Several threads that read one iterator of rows share the rows among them: each comes once."""
    pa, scratch = pytest.importorskip("pyarrow"), tmp_path
    rows = harness.write(scratch / "shared.yson", "".join(f'{{id={i};text="{i}"}};\n' for i in range(20_000)), SCHEMA)
    paths = [rows]
    for extension in ["json", "skiff"] + ["parquet", "arrow"] * harness.WITH_PLUGIN:
        xwalk.convert(str(rows), str(scratch / f"shared.{extension}"))
        paths.append(scratch / f"shared.{extension}")
    bad = harness.write(scratch / "bad.yson", rows.read_text().replace("{id=15000;", "{id=x;"), SCHEMA)
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
            assert len(errors) == THREADS and len(set(errors)) == 1 and "15000" in errors[0]
            assert len(found) == len(set(found)), "rows that came twice"
        else:
            assert not errors and sorted(found) == list(range(20_000)), path.name


def test_conversions(tmp_path):
    threads = [threading.Thread(target=work, args=(number, tmp_path)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # An error in a thread ends no test.
    assert not problems
    assert len(list(tmp_path.glob("*.skiff"))) == THREADS * ROUNDS
