"""Lance and Vortex in this interpreter and in a process of their own: the same rows, reports, errors and nothing left behind."""
import concurrent.futures
import gc
import os
import shutil
import signal
import subprocess
import threading
import time

import pytest

from tests import harness

harness.use_module()

import xwalk  # noqa: E402
from xwalk import _engines as engines  # noqa: E402
from xwalk._rows import cast  # noqa: E402

with harness.skip_if_missing():
    import lance
    import pyarrow as pa
    import vortex  # noqa: F401

ROWS = 50_000
TABLE = pa.table({
    "id": pa.array(range(ROWS), pa.int64()),
    "text": pa.array([None if i % 7 == 0 else f"row {i}" for i in range(ROWS)]),
    "price": pa.array([i for i in range(ROWS)], pa.decimal128(20, 2)),
    "tags": pa.array([None if i % 5 == 0 else [i, i + 1] for i in range(ROWS)]),
    "place": pa.array([{"x": i / 2, "y": None} for i in range(ROWS)], pa.struct([("x", pa.float64()), ("y", pa.string())])),
})
#: Types of which a package has failed at a slice, and their neighbours; with the value of a row.
NESTED = {
    pa.list_(pa.struct([("a", pa.bool_())])): lambda n: [{"a": True}, None, {"a": None}, {"a": False}][:n % 4],
    pa.struct([("s", pa.struct([("x", pa.list_(pa.string()))]))]): lambda n: {"s": {"x": [str(n)] * (n % 3)} if n % 4 else None},
    pa.map_(pa.string(), pa.bool_()): lambda n: [(f"k{n}", n % 2 == 0), ("l", None)][:n % 3],
    pa.list_(pa.bool_(), 2): lambda n: [n % 2 == 0, None],
    pa.struct([("m", pa.map_(pa.string(), pa.list_(pa.bool_())))]): lambda n: {"m": [(str(n), [n % 3 == 0] * n)]},
}
#: Lists of a fixed number of values that have no bytes, which the package of Lance writes in no version.
OF_NOTHING = {
    pa.list_(pa.binary(0), 2): [[b"", b""], None],
    pa.list_(pa.list_(pa.int32(), 0), 2): [[[], []], None],
    pa.struct([("f", pa.list_(pa.binary(0), 2))]): [{"f": [b"", b""]}, {"f": None}],
    pa.list_(pa.list_(pa.binary(0), 1)): [[[b""], None], []],
    pa.map_(pa.string(), pa.list_(pa.binary(0), 1)): [[("k", [b""])], None],
    pa.list_(pa.list_(pa.binary(0), 2), 2): [[[b"", b""], None], None],
    pa.list_(pa.int32(), 0): [[], None],
    pa.binary(0): [b"", None],
}
ENGINES, SYSTEMS = ("auto", "process"), ("lance", "vortex")


def children():
    # Without a sanitizer's runtime, under which ps does not end.
    alone = {**os.environ, "LD_PRELOAD": ""}
    found = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "args="], capture_output=True, text=True, env=alone).stdout
    return [line for line in found.splitlines() if "xwalk-engine" in line]


def take_one(name, **options):
    rows = xwalk.open(name, batch_rows=1000, **options)
    assert next(iter(rows)).num_rows == 1000
    return rows


def take_one_within(name):
    with xwalk.open(name, batch_rows=1000) as rows:
        batches = iter(rows)
        next(batches)


#: The ways to leave rows before their end.
LEFT = (
    lambda name: xwalk.open(name),
    lambda name: xwalk.open(name).schema,
    lambda name: xwalk.open(name).__arrow_c_stream__(),
    lambda name: pa.RecordBatchReader.from_stream(xwalk.open(name)).schema,
    lambda name: take_one(name),
    lambda name: take_one(name).close(),
    take_one_within,
    lambda name: xwalk.open(name, limit=1).to_arrow(),
    lambda name: xwalk.open(name).head(1).to_arrow(),
    lambda name: xwalk.open(name)._repr_html_(),
    lambda name: xwalk.open(name, select="id").to_arrow()[:1],
    lambda name: next(iter(cast(xwalk.open(name, batch_rows=1000, select="id"), xwalk.Schema.read({"id": pa.int64()})))),
    lambda name: xwalk.check(name, "yt"),
)


def leave(name, ways):
    for way in ways:
        way(name)
    gc.collect()


def kept():
    """Returns the threads, the descriptors and the MB of this process, when threads that end have ended."""
    def now():
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        return int(status["Threads"]), len(os.listdir("/proc/self/fd")), int(status["VmRSS"].split()[0]) // 1024

    last = now()
    for _ in range(20):
        time.sleep(0.05)
        last = min(last, now())
    return last


def outcome(call):
    try:
        return call()
    except xwalk.Error as error:
        return type(error).__name__, error.message, error.hint, error.path, error.row


class TestEngines(harness.InFolder):
    def both(self, call):
        """Returns the result of a call with each engine, which must be the same."""
        here, separate = (outcome(lambda engine=engine: call(engine)) for engine in ENGINES)
        assert here == separate
        return here

    def test_the_same_rows(self):
        for system in SYSTEMS:
            for engine in ENGINES:
                name = self.folder / f"{engine}.{system}"
                done = xwalk.convert(TABLE, name, engine=engine)
                assert done.rows == ROWS
                assert done.bytes_written > 0
                for reader in ENGINES:
                    rows = xwalk.open(name, engine=reader)
                    assert (rows.total_rows, rows.to_arrow().to_pydict()) == (ROWS, TABLE.to_pydict())
                self.both(lambda reader: xwalk.open(name, engine=reader, select=["text", "id"], limit=10).to_arrow().to_pylist())
                self.both(lambda reader: xwalk.open(name, engine=reader).schema.dump())
        assert all(engines._loaded.values())

    def test_no_process_is_started_here(self):
        seen = []
        stop = threading.Event()

        def look():
            while not stop.wait(0.01):
                seen.extend(children())

        watch = threading.Thread(target=look)
        watch.start()
        for system in SYSTEMS:
            xwalk.convert(TABLE, self.folder / f"a.{system}")
            xwalk.open(self.folder / f"a.{system}").to_arrow()
        stop.set()
        watch.join()
        assert seen == []

    def test_modes(self):
        def run(engine):
            name = self.folder / f"{engine}.lance"
            told = [outcome(lambda mode=mode: xwalk.convert(TABLE[:10], name, mode=mode, engine=engine).rows)
                    for mode in ("create", "append", "overwrite", "append", "create")]
            return told, [xwalk.open(name, engine=engine, version=i).total_rows for i in range(1, 5)]

        self.both(run)

    def test_a_failing_source_leaves_nothing(self):
        def batches():
            for _ in range(20):
                yield TABLE.to_batches()[0]
            raise RuntimeError("the source broke")

        for system in SYSTEMS:
            for engine in ENGINES:
                with pytest.raises(xwalk.Error, match="the source broke"):
                    xwalk.convert(pa.RecordBatchReader.from_batches(TABLE.schema, batches()), self.folder / f"a.{system}",
                                  engine=engine)
                assert list(self.folder.iterdir()) == [], (system, engine)

    def test_bad_rows(self):
        bad = self.folder / "bad.yson"
        bad.write_text('{id=1};{id=x};{id=3};')
        for system in SYSTEMS:
            def run(engine, **options):
                out = self.folder / f"{engine}.{system}"
                return xwalk.convert(bad, out, schema="[{name=id;type=int64}]", engine=engine, **options).rows

            assert self.both(run)[0] == "InputError"
            assert [path for path in self.folder.iterdir() if path != bad] == []
            assert self.both(lambda engine: run(engine, on_error="skip")) == 2
            for engine in ENGINES:
                path = self.folder / f"{engine}.{system}"
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def test_damaged_files(self):
        """Neither ends this process, regardless of how the package handles broken bytes."""
        vortexes, lances = self.folder / "a.vortex", self.folder / "a.lance"
        xwalk.convert(TABLE, vortexes)
        xwalk.convert(TABLE, lances)
        data = next((lances / "data").iterdir())
        for path, name in ((vortexes, vortexes), (data, lances)):
            whole = path.read_bytes()
            for start in range(1000, len(whole) - 1000, len(whole) // 12):
                path.write_bytes(whole[:start] + bytes(255 - byte for byte in whole[start:start + 700]) + whole[start + 700:])

                def read(engine):
                    out = self.folder / f"{engine}.skiff"
                    out.unlink(missing_ok=True)
                    return xwalk.convert(name, out, engine=engine).rows

                here = outcome(lambda: read("auto"))
                assert isinstance(here, int) or here[0] in ("InputError", "UnsupportedError", "IoError"), here

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_an_interrupt_leaves_nothing(self, system):
        began = threading.Event()

        def interrupt():
            began.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            xwalk.convert(pa.concat_tables([TABLE] * 2000), self.folder / f"a.{system}", progress=lambda _: began.set())
        thread.join()
        assert list(self.folder.iterdir()) == [], system

    def test_threads(self):
        def work(number):
            system = SYSTEMS[number % 2]
            out = self.folder / f"{number}.{system}"
            xwalk.convert(TABLE[:1000], out)
            return xwalk.open(out).to_arrow().num_rows

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            assert set(pool.map(work, range(12))) == {1000}

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_rows_that_nobody_ends(self, system):
        xwalk.convert(TABLE, self.folder / f"a.{system}")
        reader = iter(xwalk.open(self.folder / f"a.{system}", batch_rows=1000))
        assert next(reader).num_rows == 1000
        del reader

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_readers_that_are_not_read_to_their_end(self, system):
        """500 readers, left in every way, keep no thread, no descriptor and no memory."""
        name = self.folder / f"a.{system}"
        xwalk.convert(TABLE, name)
        leave(name, LEFT)
        before = kept()
        leave(name, [LEFT[i % len(LEFT)] for i in range(500)])
        more = [now - then for now, then in zip(kept(), before)]
        assert more[0] <= 8 and more[1] <= 8 and more[2] <= 100, f"{more[0]} threads, {more[1]} descriptors, {more[2]} MB"

    @pytest.mark.parametrize("engine", ENGINES)
    @pytest.mark.parametrize("system", SYSTEMS)
    @pytest.mark.parametrize("kind", NESTED, ids=str)
    def test_parts_of_nested_columns(self, kind, system, engine):
        """Packages fail at members of slices, of which the bits of nulls and booleans start within a byte."""
        whole = pa.array([NESTED[kind](n) if n % 5 else None for n in range(40)], kind)
        for begin, length in ((3, 30), (1, 1), (9, 31), (17, 8)):
            part = pa.table({"x": whole.slice(begin, length)})
            name = self.folder / f"part-{begin}.{system}"
            xwalk.convert(part, name, engine=engine, mode="overwrite")
            assert xwalk.open(name).to_arrow()["x"].to_pylist() == part["x"].to_pylist(), (begin, length)

    @pytest.mark.parametrize("kind", OF_NOTHING, ids=str)
    def test_lists_of_nothing(self, kind):
        """They become lists that Lance has, with a finding, and their values come back."""
        rows, name = pa.table({"x": pa.array(OF_NOTHING[kind], kind)}), self.folder / "nothing.lance"
        xwalk.convert(rows, name)
        stored = lance.dataset(str(name)).to_table()["x"]
        assert stored.to_pylist() == rows["x"].to_pylist()
        assert xwalk.open(name).to_arrow()["x"].to_pylist() == rows["x"].to_pylist()
        assert ("size.lost" in str(xwalk.check(rows, "lance"))) or kind == pa.binary(0)

    def test_after_a_fork(self):
        """Threads of the packages are missing in a child: it asks the program."""
        xwalk.convert(TABLE, self.folder / "a.vortex")
        child = os.fork()
        if child == 0:
            os._exit(0 if xwalk.open(self.folder / "a.vortex").to_arrow().num_rows == ROWS else 1)
        assert os.waitpid(child, 0)[1] == 0

    def test_a_wrong_word(self):
        with pytest.raises(xwalk.UsageError, match="engine: expected auto or process"):
            xwalk.open(self.folder / "a.lance", engine="proces")
