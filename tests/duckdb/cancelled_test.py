"""A statement that DuckDB cancels: it ends soon, with its engine and without a file, and the connection goes on."""
import subprocess
import sys
import threading
import time

import pytest
from connection import connect

from tests import harness

sys.path.insert(0, str(harness.ROOT / "tests/python"))
harness.use_module(processes=True)

with harness.skip_if_missing():
    import duckdb

from interrupt_test import descendants  # noqa: E402

FORMATS = ("yson", "skiff", "vortex", "lance")
#: Rows that come fast, and none at all.
ENDLESS = {"rows": "SELECT {id: i, s: 'x' || i} FROM range(100000000000) r(i)",
           "no rows": "SELECT {id: i} FROM range(100000000000) r(i) WHERE sqrt(i) < -1"}
SCRIPT = """
import os, sys
sys.path[:0] = [{tests!r}, {duckdb!r}]
from connection import connect
import threading, time
db = connect()
db.execute("SET threads = {threads}")
timer = threading.Timer(1.0, db.interrupt)
timer.start()
began = time.monotonic()
try:
    db.execute({statement!r}).fetchall()
    print("ended")
except Exception as error:
    print(type(error).__name__, time.monotonic() - began < 15)
print(db.execute("SELECT 42").fetchall())
sys.stdout.flush()
sys.stdin.read()
"""


def run(statement, threads):
    """Runs a statement in a program of its own, which has not imported xwalk: engines are programs. Returns what it says, and
    which programs it has started that still run."""
    script = SCRIPT.format(tests=str(harness.ROOT), duckdb=str(harness.ROOT / "tests/duckdb"), statement=statement, threads=threads)
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        said = [program.stdout.readline().strip() for _ in range(2)]
        end = time.monotonic() + 20
        while (running := descendants(program.pid)) and time.monotonic() < end:
            time.sleep(0.1)
        program.stdin.close()
    return said, running


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("inputs")
    db = connect()
    for system in FORMATS:
        db.execute(f"COPY (SELECT {{id: i, s: 'x' || i}} FROM range(300000) r(i)) TO '{folder}/in.{system}' (FORMAT {system})")
    return folder


@pytest.mark.parametrize("threads", [2])
@pytest.mark.parametrize("rows", ENDLESS)
@pytest.mark.parametrize("system", FORMATS)
def test_copy_to(tmp_path, system, rows, threads):
    said, running = run(f"COPY ({ENDLESS[rows]}) TO '{tmp_path}/out.{system}' (FORMAT {system})", threads)
    assert said == ["InterruptException True", "[(42,)]"] and running == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("threads", [2])
@pytest.mark.parametrize("system", FORMATS)
def test_reading(inputs, system, threads):
    path = inputs / f"in.{system}"
    said, running = run(f"SELECT count(*) FROM read_xwalk('{path}') a, range(1000) b, range(1000) c WHERE a.id + b.range < c.range - 9999",
                        threads)
    assert said == ["InterruptException True", "[(42,)]"] and running == []


def test_reading_from_one_file_into_another(inputs, tmp_path):
    said, running = run(f"COPY (SELECT {{id: a.id}} FROM read_xwalk('{inputs}/in.vortex') a, range(1000000)) TO '{tmp_path}/out.lance' (FORMAT lance)", 2)
    assert said == ["InterruptException True", "[(42,)]"] and running == []
    assert list(tmp_path.iterdir()) == []


def test_copy_from(tmp_path, inputs):
    db = connect()
    db.execute("CREATE TABLE t(id BIGINT, s VARCHAR)")
    timer = threading.Timer(0.02, db.interrupt)
    timer.start()
    try:
        db.execute(f"COPY t FROM '{inputs}/in.yson' (FORMAT yson)")
    except duckdb.Error as error:
        assert isinstance(error, duckdb.InterruptException)
        assert db.execute("SELECT count(*) FROM t").fetchall() == [(0,)]
    timer.join()
    db.execute(f"COPY t FROM '{inputs}/in.yson' (FORMAT yson)")
    assert db.execute("SELECT count(*) >= 300000 FROM t").fetchall() == [(True,)]


def test_an_existing_output_stays(tmp_path):
    path = harness.write(tmp_path / "out.yson", "{id=1};\n", "[{name=id;type=int64}]")
    said, _ = run(f"COPY ({ENDLESS['rows']}) TO '{path}' (FORMAT yson, MODE 'overwrite', USE_TMP_FILE false)", 2)
    assert said[0] == "InterruptException True"
    assert path.read_text() == "{id=1};\n" and sorted(file.name for file in tmp_path.iterdir()) == ["out.yson", "out.yson.schema"]
