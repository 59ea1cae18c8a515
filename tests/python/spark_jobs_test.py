"""More of the data source of Spark: folders without schema files, tables of SQL, rejected rows, filters and Lance.
"""
import datetime
import re

from spark_test import F, OnSpark, files, pa, pq, xwalk

from tests import harness

with harness.skip_if_missing():
    import lance

from xwalk.spark import verify  # noqa: E402


class TestJobs(OnSpark):
    def test_a_folder_of_rows_without_schema_files(self):
        """Folders that are columns, of files without a schema: the schema of the program, and the rows of all files."""
        folder = self.folder / "bare-hive"
        for day in (1, 2, 3):
            (folder / f"day=2026-01-0{day}").mkdir(parents=True)
            (folder / f"day=2026-01-0{day}" / "rows.yson").write_text(
                "".join('{id=%d;%s};\n' % (day * 100 + n, 's="a;\n}"' if day > 1 else "f=0.5") for n in range(40)))
        frame = self.read(folder, split_bytes=200)
        assert frame.rdd.getNumPartitions() > 6
        elsewhere = xwalk.open(folder).to_arrow()
        assert frame.columns == elsewhere.column_names
        found = sorted((row.asDict() for row in frame.collect()), key=lambda row: row["id"])
        assert found == elsewhere.sort_by("id").to_pylist()
        self.refused(lambda: self.read(folder, require_schema="true").schema, "refuses")

    def test_tables_of_sql(self):
        path = self.table("sql.yson", range(50))
        self.spark.sql("DROP TABLE IF EXISTS of_xwalk")
        self.spark.sql(f"CREATE TABLE of_xwalk USING xwalk OPTIONS (path '{path}', select 'id,s')")
        assert self.spark.table("of_xwalk").columns == ["id", "s"]
        assert self.spark.sql("SELECT count(*), max(id) FROM of_xwalk WHERE id < 10").first() == (10, 9)
        self.write(self.spark.table("of_xwalk"), self.folder / "of-table", format="yson")
        assert "options" not in str(xwalk.open(self.folder / "of-table").schema)
        self.refused(lambda: self.spark.sql(f"CREATE TABLE t USING xwalk OPTIONS (path '{path}', limit '3')"), "DataFrame.limit")
        self.spark.sql(f"CREATE TABLE columns_of_mine (id BIGINT) USING xwalk OPTIONS (path '{path}')")
        self.refused(lambda: self.spark.table("columns_of_mine").collect(), "without columns")
        self.refused(lambda: self.spark.sql("INSERT INTO columns_of_mine SELECT 1L"), "path of a table to INSERT")
        self.spark.sql("DROP TABLE columns_of_mine")
        self.spark.sql("DROP TABLE of_xwalk")
        self.spark.sql(f"CREATE TEMPORARY VIEW of_xwalk USING xwalk OPTIONS (path '{path}')")
        assert self.spark.sql("SELECT sum(id) FROM of_xwalk").first()[0] == sum(range(50))
        self.spark.catalog.dropTempView("of_xwalk")

    def test_a_proof_by_tasks(self):
        """The driver adds up what tasks have counted: the facts are those of the proof by rows."""
        source = self.table("proven.yson", range(400))
        source.write_text(source.read_text().replace("{id=77;u", '{id="77";u', 1))
        out = self.folder / "proven"
        self.write(self.read(source, split_bytes=4000, on_error="skip"), out, format="parquet")
        proof = verify(self.spark, source, out, split_bytes=4000, on_error="skip", to="parquet")
        expected = xwalk.verify(source, out, on_error="skip", to="parquet", key="id")
        assert proof.verified and (proof.rows_read, proof.rows_rejected, proof.rows_written) == (400, 1, 399), str(proof)
        found, table = proof.tables[0], expected.tables[0]
        assert all(found[name] == table[name] for name in ("columns", "row_checksum", "inputs", "output", "first_rejected", "verdict"))
        self.write(self.read(source, on_error="skip").limit(3), out, format="parquet")
        assert "rows in the output" in str(verify(self.spark, source, out, on_error="skip", to="parquet"))
        seen = self.refused(lambda: verify(self.spark, source, out, to="parquet"), "proven.yson:", "expected int64, found string")
        assert "Traceback" not in seen.split("proven.yson:")[0]

    def test_nulls_at_every_level(self):
        """A variant with a struct, and structs with required members, of which some are null."""
        rows = self.folder / "nulls.yson"
        rows.write_text('{id=1;v=[card;{no=5}];s={a=1};l=[{a=1};#]};{id=2;v=[cash;"x"];s=#;l=#};{id=3;v=[none;#];s={a=2};l=[#]};')
        struct = "{type_name=struct;members=[{name=a;type=int64}]}"
        (self.folder / "nulls.yson.schema").write_text(
            "[{name=id;type=int64;required=%true};{name=v;type_v3={type_name=variant;members=[{name=card;type={type_name=struct;"
            "members=[{name=no;type=int64}]}};{name=cash;type=utf8};{name=none;type=null}]}};"
            f"{{name=s;type_v3={{type_name=optional;item={struct}}}}};"
            f"{{name=l;type_v3={{type_name=optional;item={{type_name=list;item={{type_name=optional;item={struct}}}}}}}}}]")
        frame = self.read(rows)
        assert [row.id for row in frame.where("s is null").collect()] == [2]
        for form in ("yson", "skiff", "parquet", "vortex"):
            out = self.folder / f"nulls-{form}"
            self.write(frame, out, format=form)
            assert sorted(self.read(out).collect()) == sorted(frame.collect()), form
            if form in ("yson", "skiff"):
                assert not xwalk.diff(rows, out, rows=True, key="id").problems, form

    def test_variants(self):
        """VARIANT of Spark is VARIANT, or a value of any type, at every level."""
        frame = self.spark.sql("""select 1 id, parse_json('{"a":1.5,"b":[1,null]}') v, array(parse_json('1'), parse_json('"x"'), null) l,
            named_struct('p', parse_json('[true]')) s, map('k', parse_json('{"z":7}')) m""")
        nulls = self.spark.sql("select 1 id, parse_json('2') v, array(parse_json('1'), null) l union all select 2, null, null")
        for form in ("yson", "skiff", "parquet", "arrow", "lance", "vortex"):
            out = self.folder / f"null-variants-{form}"
            self.write(nulls, out, format=form)
            assert pa.table(xwalk.open(out)).sort_by("id").column("v").is_null().to_pylist() == [False, True], form
            out, text = self.folder / f"variants-{form}", self.folder / f"variants-{form}.yson"
            self.write(frame, out, format=form)
            xwalk.convert(out, text)
            assert text.read_text().split() == ['{"id"=1;"v"={"a"=1.5;"b"=[1;#;];};"l"=[1;"x";#;];"s"={"p"=[%true;];};"m"=[["k";{"z"=7;};];];};'], form
            if form in ("parquet", "arrow", "lance", "vortex"):
                read = self.read(out)
                assert read.schema.simpleString() == "struct<id:int,v:variant,l:array<variant>,s:struct<p:variant>,m:map<string,variant>>", form
                shown = read.selectExpr("to_json(v)", "to_json(l)", "to_json(s)", "to_json(m)").collect()
                assert [*shown[0]] == ['{"a":1.5,"b":[1,null]}', '[1,"x",null]', '{"p":[true]}', '{"k":{"z":7}}'], form

    def test_options_and_types_that_are_refused(self):
        frame = self.spark.sql("select make_ym_interval(1, 2) i, 1 id")
        self.refused(lambda: self.write(frame, self.folder / "interval", format="skiff"), "i: Spark gives no values of interval year to month")
        one, out = self.spark.range(2), self.folder / "target"
        self.write(one, out, format="yson", target_schema="[{name=id;type=int32}]")
        assert pa.table(xwalk.open(out)).schema.field("id").type == pa.int32()
        self.refused(lambda: self.write(one, out, format="yson", target_schema="[]", schema="[]"), "found both")
        self.refused(lambda: self.read(out, target_schema="[]").schema, "'target_schema' for reading")

    def test_rejected_rows_of_reading(self):
        bad = self.table("rejected.yson", range(400))
        lines = bad.read_text()
        for number in (7, 250, 399):
            lines = lines.replace("{id=%d;u" % number, '{id="%d";u' % number, 1)
        bad.write_text(lines)
        folder = self.folder / "rejected"
        frame = self.read(bad, split_bytes=4000, rejects=folder)
        partitions = frame.rdd.getNumPartitions()
        assert partitions > 4
        for _ in range(2):  # each action reads again and replaces the files
            assert sorted(row.id for row in frame.collect()) == sorted(set(range(400)) - {7, 250, 399})
            data = [name for name in files(folder) if name.endswith(".yson")]
            assert len(data) == 3, files(folder)
        assert files(folder) == sorted(data + [name + ".schema" for name in data])
        assert sorted(self.numbers_of(folder, data)) == [7, 250, 399]
        # A part of which all rows are bad.
        none = self.table("none-good.yson", [])
        none.write_text('{id="x"};{id="y"};')
        assert self.read(none, rejects=self.folder / "all-bad").count() == 0
        assert len([name for name in files(self.folder / "all-bad") if name.endswith(".yson")]) == 1
        self.refused(lambda: self.read(bad, rejects=bad).schema, "expected a folder")
        self.refused(lambda: self.read(bad, rejects=folder, on_error="fail").schema, "contradict")

    def numbers_of(self, folder, names):
        """The numbers of rejected rows, by their files."""
        return [int(number) for name in names for number in re.findall(r'"row"=(\d+);', (folder / name).read_text())]

    def test_rejected_rows_of_writing(self):
        frame = self.spark.range(0, 1000, numPartitions=4).selectExpr("id", "if(id % 250 = 3, 1000000, id) as n")
        out, rejects = self.folder / "accepted", self.folder / "not-accepted"
        schema = "[{name=id;type=int64};{name=n;type=int16}]"
        self.refused(lambda: self.write(frame, out, format="yson", schema=schema), "1000000")
        self.vanishes(out)
        self.refused(lambda: self.write(frame, out, format="yson", schema=schema, rejects=out / "bad"), "outside of the output")
        self.write(frame, out, format="yson", schema=schema, rejects=rejects)
        assert xwalk.open(out).to_arrow().num_rows == 996
        data = [name for name in files(rejects) if name.endswith(".yson")]
        assert len(data) == 4
        assert files(rejects) == sorted(["_SUCCESS", *data, *(name + ".schema" for name in data)])
        self.refused(lambda: self.write(frame.where("n = 1000000"), self.folder / "no-row", format="yson", schema=schema,
                                        rejects=self.folder / "every-row"), "no row was accepted, 4 rejected")
        assert not ((self.folder / "no-row").exists() or (self.folder / "every-row").exists())

    def test_filters_leave_out_parts(self, request):
        self.spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        request.addfinalizer(lambda: self.spark.conf.unset("spark.sql.python.filterPushdown.enabled"))
        day = datetime.date(2026, 1, 1)
        stamp = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
        rows = pa.table({"n": range(10000), "u": pa.array(range(10000), pa.uint64()), "s": [f"{n:05d}" for n in range(10000)],
                         "d": [day + datetime.timedelta(n // 100) for n in range(10000)],
                         "t": pa.array([stamp + datetime.timedelta(minutes=n) for n in range(10000)], pa.timestamp("us", "UTC")),
                         "f": pa.array([float(n) for n in range(10000)]), "e": pa.array([None if n < 5000 else n for n in range(10000)])})
        path = self.folder / "filtered.parquet"
        pq.write_table(rows, path, row_group_size=1000)
        every = pq.read_metadata(path).row_group(0).total_byte_size
        for condition, count, parts in (
                ("n = 4711", 1, 1), ("n > 8999", 1000, 1), ("n < 1000 and s > '00500'", 499, 1), ("n in (5, 6005)", 2, 2),
                ("s >= '09990'", 10, 1), ("d = date'2026-01-02'", 100, 1), ("t < timestamp'2026-01-01 01:00:00Z'", 60, 1),
                ("n is null", 0, 1), ("e is not null", 5000, 5), ("e is null", 5000, 5), ("n = 20000", 0, 1),
                ("u = 4711", 1, 10), ("f = 4711", 1, 10), ("n <=> 5", 1, 1), ("n = 1 or n = 9999", 2, None)):
            frame = self.read(path, split_bytes=every).where(condition)
            assert frame.count() == count
            if parts is not None:
                assert frame.rdd.getNumPartitions() == parts
        mine = self.spark.read.format("xwalk").schema("n decimal(20,2)").option("split_bytes", every).load(str(path))
        assert (mine.where("n = 4711").count(), mine.where("n = 4711.5").count()) == (1, 0)
        assert mine.where("n = 4711").rdd.getNumPartitions() == 1
        hive = self.folder / "filtered-hive"
        xwalk.convert(rows.select(["n", "d"]).slice(0, 300), hive, to="parquet", partition_by=["d"])
        frame = self.read(hive).where("d = date'2026-01-02'")
        assert (frame.count(), frame.rdd.getNumPartitions()) == (100, 1)

    def test_lance_is_one_version(self):
        out = self.folder / "by-tasks.lance"
        source = self.table("lance-source.yson", range(300))
        frame = self.read(source, split_bytes=8000, select="id,u,s,tags")
        assert frame.rdd.getNumPartitions() > 3
        self.write(frame, out, format="lance")
        assert files(out) == [name for name in files(out) if not name.startswith("_xwalk")]
        dataset = lance.dataset(str(out))
        assert (dataset.version, dataset.count_rows()) == (1, 300)
        assert len(dataset.get_fragments()) > 3
        expected = xwalk.open(source, select=["id", "u", "s", "tags"]).to_arrow()
        assert xwalk.open(out).to_arrow().sort_by("id").to_pylist() == expected.to_pylist()
        assert pa.schema(xwalk.open(out)).field("u").type == pa.uint64()
        self.write(frame, out, format="lance")
        assert (lance.dataset(str(out)).version, lance.dataset(str(out)).count_rows()) == (2, 600)
        ids = [part.fragment_id for part in lance.dataset(str(out)).get_fragments()]
        assert len(ids) == len(set(ids))
        # Nothing of a failed job, and of one with other columns.
        before = files(out)
        fails = F.udf(lambda n: 1 // (n - 17), "long")
        self.refused(lambda: self.write(frame.withColumn("id", fails("id")), out, format="lance"), "ZeroDivisionError")
        self.refused(lambda: self.write(self.spark.range(3), out, format="lance"))
        self.refused(lambda: self.write(frame, out, format="parquet"), "holds lance, and a table has a folder of its own")
        self.refused(lambda: self.write(frame, out, format="lance", existing="error"), "already has rows")
        self.stays(out, before)
        self.write(self.spark.range(7), out, "overwrite", format="lance")
        assert (lance.dataset(str(out)).count_rows(), lance.dataset(str(out)).schema.names) == (7, ["id"])
        assert lance.dataset(str(out), version=2).count_rows() == 600
        assert self.read(out).agg(F.sum("id")).first()[0] == 21
        empty = self.folder / "empty.lance"
        self.write(self.spark.range(0), empty, format="lance")
        assert (lance.dataset(str(empty)).count_rows(), lance.dataset(str(empty)).schema.names) == (0, ["id"])
