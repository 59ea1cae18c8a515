"""xwalk on Ray: reading in parts, writing, refusals, and a worker that is killed.
"""
import importlib.util
import logging
import os
import pathlib
import re
import signal
import tempfile

import pytest

from tests import harness

if os.environ.get("LD_PRELOAD"):
    harness.skip("Ray's own programs do not start with a sanitizer")
harness.use_module(processes=True)
with harness.skip_if_missing(" (pip install 'ray[data]')"):
    import pyarrow as pa
    import ray.data

import xwalk  # noqa: E402
import xwalk.ray  # noqa: E402

TABLE = ('[{name=id;type=int64;required=%true};{name=u;type=uint64};{name=s;type=string};{name=day;type=date};'
         '{name=price;type_v3={type_name=decimal;precision=20;scale=4}};{name=tags;type_v3={type_name=list;item=utf8}};'
         '{name=a;type=any}]')


def yson_rows(numbers):
    return "".join('{id=%d;u=%du;s="a;\n};{id=%d;";day=%du;price="\\x80%s";tags=["x;y";"\\"\n"];a={b=%d}};\n'
                   % (i, 2**63 + i, i, i % 20000, "\\x00" * 14 + "\\x01", i) for i in numbers)


def files(folder):
    return sorted(path.name for path in folder.rglob("*")) if folder.exists() else []


def foreign_rows(folder, kind):
    """Returns the rows of a table by its own package."""
    if kind == "delta":
        from deltalake import DeltaTable

        return pa.table(DeltaTable(folder).to_pyarrow_table())
    from pyiceberg.table import StaticTable

    newest = max((folder / "metadata").glob("v*.metadata.json"), key=lambda path: int(path.name[1:].partition(".")[0]))
    return StaticTable.from_metadata(str(newest)).scan().to_arrow()


def versions_of(folder, kind):
    """Returns how often rows were committed to a table."""
    return len(list(folder.glob("_delta_log/*.json" if kind == "delta" else "metadata/v*.metadata.json")))


class TestOnRay:
    @classmethod
    def setup_class(cls):
        cls.folder = harness.make_folder("ray")
        ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=128 << 20, log_to_driver=False,
                 logging_level=logging.ERROR, configure_logging=True, _node_ip_address="127.0.0.1")
        ray.data.DataContext.get_current().enable_progress_bars = False
        ray.data.DataContext.get_current().execution_options.preserve_order = True
        cls.rows = cls.folder / "rows.yson"
        cls.rows.write_text(yson_rows(range(2000)))
        (cls.folder / "rows.yson.schema").write_text(TABLE)

    @classmethod
    def teardown_class(cls):
        ray.shutdown()

    def out(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "out"

    def test_parts_are_read_in_order_and_written_with_their_types(self):
        out = self.out()
        dataset = xwalk.ray.read(self.rows, split_bytes=20_000, any="yson", ray_options={"override_num_blocks": 4})
        report = xwalk.ray.write(dataset, out, to="skiff")
        assert report.verdict in xwalk.VERDICTS[:xwalk.VERDICTS.index("lossy")]
        assert "_SUCCESS" in files(out)
        assert len([name for name in files(out) if name.endswith(".skiff")]) > 1
        assert not [name for name in files(out) if name.startswith("_xwalk")]
        table, expected = xwalk.open(out), xwalk.open(self.rows)
        assert table.to_arrow().sort_by("id").to_pylist() == expected.to_arrow().to_pylist()
        kinds = {field.name: field.type for field in pa.schema(table)}
        assert kinds == {field.name: field.type for field in pa.schema(expected)}

    def test_values_are_those_of_one_process(self):
        found = xwalk.ray.read([self.rows], split_bytes=20_000, select=["id", "u", "price"], ray_options={"override_num_blocks": 3})
        assert found.schema().names == ["id", "u", "price"]
        assert found.take_all() == xwalk.open(self.rows, select=["id", "u", "price"]).to_arrow().to_pylist()

    def test_a_proof_by_tasks(self):
        """Values of any type are JSON text in the output, and the proof needs no option for it."""
        out = self.out()
        xwalk.ray.write(xwalk.ray.read(self.rows, split_bytes=20_000), out, to="parquet")
        proof = xwalk.ray.verify(self.rows, out, split_bytes=20_000, to="parquet")
        expected = xwalk.verify(self.rows, out, to="parquet", key="id")
        assert proof.verified and expected.verified and proof.rows_written == 2000, (str(proof), str(expected))
        found, table = proof.tables[0], expected.tables[0]
        assert all(found[name] == table[name] for name in ("columns", "row_checksum", "inputs", "output", "verdict"))
        next(out.glob("*.parquet")).unlink()
        proof = xwalk.ray.verify(self.rows, out, to="parquet")
        assert not proof.verified and "2,000 rows in the source" in str(proof)
        bad = harness.write(self.folder / "unproven.yson", yson_rows(range(10)) + "{id=oops};\n", TABLE)
        with pytest.raises(xwalk.InputError, match="unproven.yson"):
            xwalk.ray.verify(bad, out, to="parquet")

    def test_the_report_of_writing_has_what_reading_changed(self):
        """Values of any type are JSON text in Ray, and the report on each output says so."""
        dataset = xwalk.ray.read(self.rows)
        for system in ("parquet", "yson"):
            out = self.out()
            report = xwalk.ray.write(dataset.rename_columns({"s": "t"}), out, to=system)
            assert [path["path"] for path in report.to_dict()["paths"] if "any.as-json" in str(path["reasons"])] == ["a"], report.to_text()
            assert "xwalk.read" not in str(pa.schema(xwalk.open(out)).metadata) + str([field.metadata for field in pa.schema(xwalk.open(out))])
        # With the bytes of YSON, nothing is changed.
        report = xwalk.ray.write(xwalk.ray.read(self.rows, any="yson"), self.out(), to="yson")
        assert {path["path"]: path["verdict"] for path in report.to_dict()["paths"]}["a"] == "exact", report.to_text()

    def test_report_and_refusals_come_before_a_task(self):
        out = self.out()
        table = pa.table({"u": pa.array([2**63], pa.uint64()), "d": pa.array([1], pa.int64())})
        narrow = "message schema { optional int32 d; }"
        dataset = ray.data.from_arrow(table)
        cases = [
            (xwalk.UsageError, lambda: xwalk.ray.read(self.rows, limit=1), "Dataset.limit"),
            (xwalk.UsageError, lambda: xwalk.ray.read(self.rows, rename={"id": "i"}), "Dataset.rename_columns"),
            (xwalk.UsageError, lambda: xwalk.ray.read(self.rows, split_bytes=0), "split_bytes"),
            (xwalk.UsageError, lambda: xwalk.ray.read(self.rows, selekt="id"), "select"),
            (xwalk.IoError, lambda: xwalk.ray.read(self.folder / "none.yson"), "none.yson"),
            (xwalk.UsageError, lambda: xwalk.ray.write(dataset, out), "yson, skiff, parquet"),
            (xwalk.UsageError, lambda: xwalk.ray.write(dataset, out, to="parquet", schema="x"), "target_schema"),
            (xwalk.UsageError, lambda: xwalk.ray.write(dataset, out, to="parquet", mode="appendd"), "append"),
            (xwalk.UnsupportedError, lambda: xwalk.ray.write(dataset, out, to="parquet", target_schema=narrow), "u"),
        ]
        for kind, call, word in cases:
            with pytest.raises(kind) as caught:
                call()
            assert word in str(caught.value)
        assert files(out) == []

    def test_lossy_needs_consent(self):
        stamps = pa.table({"t": pa.array([1_000_000_001], pa.timestamp("ns"))})
        dataset, out = ray.data.from_arrow(stamps), self.out()
        options = {"to": "yson", "round": True, "target_schema": "[{name=t;type=timestamp}]"}
        with pytest.raises((xwalk.UsageError, xwalk.UnsupportedError)):
            xwalk.ray.write(dataset, out, **options)
        assert files(out) == []
        assert xwalk.ray.write(dataset, out, allow="lossy", **options).verdict == "lossy"
        assert xwalk.open(out).to_arrow()["t"].cast(pa.int64()).to_pylist() == [1_000_000]

    def test_a_bad_row_ends_the_job_with_an_error_of_xwalk_and_no_output(self):
        bad = harness.write(self.folder / "bad.yson", yson_rows(range(600)) + "{id=oops};\n", TABLE)
        out = self.out()
        dataset = xwalk.ray.read(bad, split_bytes=10_000)
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.ray.write(dataset, out, to="parquet")
        assert "bad.yson" in str(caught.value)
        assert files(out) == []
        with pytest.raises(xwalk.InputError):
            dataset.take_all()

    def test_rejected_rows_are_in_a_folder(self):
        out, read, written = self.out(), self.folder / "rejects-read", self.folder / "rejects-written"
        bad = harness.write(self.folder / "rejected.yson", yson_rows(range(600)).replace("{id=77;u", '{id="77";u', 1), TABLE)
        dataset = xwalk.ray.read(bad, split_bytes=10_000, select="id", rejects=read)
        schema = "[{name=id;type=int8}]"
        with pytest.raises(xwalk.InputError):
            xwalk.ray.write(dataset, out, to="yson", target_schema=schema)
        assert files(out) == []
        xwalk.ray.write(dataset, out, to="yson", target_schema=schema, rejects=written)
        assert sorted(xwalk.open(out).to_arrow()["id"].to_pylist()) == sorted(set(range(128)) - {77})
        assert [re.findall(r'"row"=(\d+);', path.read_text()) for path in read.glob("*.yson")] == [["77"]]
        lines = [line for path in written.glob("*.yson") for line in path.read_text().splitlines()]
        assert len(lines) == 600 - 128

    def test_lance_needs_its_package(self):
        out, dataset = self.out(), xwalk.ray.read(self.rows, select="id")
        if importlib.util.find_spec("lance") is None:
            with pytest.raises(xwalk.UnsupportedError) as caught:
                xwalk.ray.write(dataset, out, to="lance")
            assert "pip install pylance" in str(caught.value)
            assert files(out) == []
            return
        xwalk.ray.write(dataset, out, to="lance")
        assert sorted(xwalk.open(out).to_arrow()["id"].to_pylist()) == list(range(2000))

    @pytest.mark.parametrize("kind, package", [("delta", "deltalake"), ("iceberg", "pyiceberg")])
    def test_tables_get_one_version_with_the_files_of_all_tasks(self, kind, package):
        pytest.importorskip(package)
        out = self.out()
        dataset = xwalk.ray.read(self.rows, split_bytes=20_000, select=["id", "s", "price", "day"], ray_options={"override_num_blocks": 4})
        rows = xwalk.open(self.rows, select=["id", "s", "price", "day"]).to_arrow()
        for mode, count in ("create", 1), ("append", 2), ("overwrite", 1):
            xwalk.ray.write(dataset, out, to=kind, mode=mode, min_rows_per_file=300)
            assert versions_of(out, kind) == {"create": 1, "append": 2, "overwrite": 3}[mode]
            found = foreign_rows(out, kind)
            assert found.num_rows == count * 2000
            assert sorted(found["id"].to_pylist()) == sorted(rows["id"].to_pylist() * count)
            assert set(map(tuple, map(dict.values, found.select(rows.column_names).to_pylist()))) == \
                set(map(tuple, map(dict.values, rows.to_pylist())))
        assert not [name for name in files(out) if name.startswith("_xwalk")]
        with pytest.raises(xwalk.IoError):
            xwalk.ray.write(dataset, out, to=kind)
        with pytest.raises(xwalk.UsageError) as caught:
            xwalk.ray.write(dataset, out, to="parquet", mode="append")
        assert "a table has a folder of its own" in str(caught.value)

    @pytest.mark.parametrize("kind, package", [("delta", "deltalake"), ("iceberg", "pyiceberg")])
    def test_a_table_keeps_its_partitions_and_a_failed_job_adds_nothing(self, kind, package):
        pytest.importorskip(package)
        out = self.out()
        dataset = ray.data.from_arrow([pa.table({"k": [f"p{i % 3}" for i in range(50)], "v": list(range(n, n + 50))}) for n in (0, 50)])
        xwalk.ray.write(dataset, out, to=kind, partition_by=["k"])
        xwalk.ray.write(dataset, out, to=kind, mode="append")
        before = files(out)
        assert foreign_rows(out, kind).group_by("k").aggregate([("v", "count")]).sort_by("k")["v_count"].to_pylist() == [68, 68, 64]
        with pytest.raises(xwalk.UsageError):
            xwalk.ray.write(dataset, out, to=kind, mode="append", partition_by=["v"])

        def fail(batch):
            if batch["v"][0].as_py() == 50:
                raise RuntimeError("on purpose")
            return batch

        with pytest.raises(Exception, match="on purpose"):
            xwalk.ray.write(dataset.map_batches(fail, batch_format="pyarrow", batch_size=50), out, to=kind, mode="append")
        assert files(out) == before

    def test_a_block_that_lost_its_zone_is_refused(self):
        out = self.out()
        zoned = pa.array([0], pa.timestamp("us", "UTC"))
        sink = xwalk.ray.XwalkDatasink(str(out), pa.schema([("t", zoned.type), ("n", pa.list_(pa.int64()))]), False, {"format": "parquet"})
        numbers = pa.array([[1]])
        assert sum(batch.num_rows for batch in sink._batches([pa.table({"t": zoned, "n": numbers.cast(pa.list_(pa.int32()))})])) == 1
        for others in {"t": zoned.cast(pa.timestamp("us")), "n": numbers}, {"t": zoned, "n": pa.array([["1"]])}:
            with pytest.raises(xwalk.InputError) as caught:
                list(sink._batches([pa.table(others)]))
            assert 'batch_format="pyarrow"' in str(caught.value)
        sink.on_write_failed(RuntimeError())
        assert files(out) == []

    def test_modes(self):
        out, dataset = self.out(), xwalk.ray.read(self.rows, select="id")
        xwalk.ray.write(dataset, out, to="parquet")
        with pytest.raises(xwalk.IoError):
            xwalk.ray.write(dataset, out, to="parquet")
        with pytest.raises(xwalk.UsageError):
            xwalk.ray.write(dataset, out, to="skiff", mode="append")
        xwalk.ray.write(dataset, out, to="parquet", mode="append")
        assert xwalk.open(out).to_arrow().num_rows == 4000
        xwalk.ray.write(dataset, out, to="skiff", mode="overwrite")
        assert (xwalk.open(out).format, xwalk.open(out).to_arrow().num_rows) == ("skiff", 2000)

    def test_a_file_has_a_minimum_of_rows(self):
        out = self.out()
        dataset = xwalk.ray.read(self.rows, split_bytes=10_000, select="id", ray_options={"override_num_blocks": 16})
        xwalk.ray.write(dataset, out, to="parquet", min_rows_per_file=700)
        counts = sorted(xwalk.open(path).total_rows for path in out.glob("*.parquet"))
        assert sum(counts) == 2000
        assert counts[1] >= 700
        assert len(counts) <= 3

    def test_an_empty_dataset_keeps_its_schema(self):
        out = self.out()
        empty = ray.data.from_arrow(pa.table({"id": pa.array([], pa.int64())}))
        xwalk.ray.write(empty, out, to="parquet")
        assert pa.schema(xwalk.open(out)).names == ["id"]

    def test_other_columns_in_a_block_are_an_error(self):
        out = self.out()
        dataset = ray.data.from_arrow([pa.table({"a": [1]}), pa.table({"b": [1]})])
        with pytest.raises(xwalk.InputError):
            xwalk.ray.write(dataset, out, to="parquet")
        assert files(out) == []

    def test_a_killed_worker_leaves_no_row_twice(self):
        out, mark = self.out(), str(self.folder / "killed")

        def die_once(batch):
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return batch
            os.kill(os.getpid(), signal.SIGKILL)

        dataset = xwalk.ray.read(self.rows, split_bytes=20_000, select="id", ray_options={"override_num_blocks": 4})
        xwalk.ray.write(dataset.map_batches(die_once, batch_format="pyarrow"), out, to="parquet")
        assert os.path.exists(mark)
        assert sorted(xwalk.open(out).to_arrow()["id"].to_pylist()) == list(range(2000))
