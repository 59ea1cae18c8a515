"""Promises of an annotation or a system about values are checked for all input from other software, for any target.

Invalid YSON in a YSON column, invalid JSON, dates outside YTsaurus's range, unknown time zones: refused with row,
path and place by every interface, foreseen by `check --rows`, seen by `head` and `validate`; believed without annotations.
"""
import datetime
import json

import interfaces_test  # skips if the interfaces are not built
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

import xwalk

import pytest

from tests import harness

DEEP = b"[" * 255 + b"]" * 255
JSON = {"ARROW:extension:name": "arrow.json", "ARROW:extension:metadata": ""}


def noted(type_v3):
    return {"xwalk:yt": f"{{type_name=optional;item={type_v3}}}"}


def field(name, arrow, notes):
    return pa.field(name, arrow, True, notes)


ANY = field("a", pa.binary(), noted("yson"))
ZONED = pa.struct([pa.field("time", pa.timestamp("us", "UTC"), False), pa.field("zone", pa.string(), False)])
NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)
#: A column, its values with a bad one in row 1, the path of that, and the byte where it is wrong, if it has one.
CASES = {
    "yson": (ANY, [b"1", b"{a=", b"\x01\x02a"], "a", 3),
    "yson after": (ANY, [b"1", b"1 2", b"\x01\x02a"], "a", 2),
    "yson attributes": (ANY, [b"1", b"<a=1>2", None], "a", 0),
    "yson entity": (ANY, [b"{a=#}", b"#", None], "a", 0),
    "yson nothing": (ANY, [b"1", b"", None], "a", 0),
    "yson deep": (ANY, [b"1", DEEP, None], "a", 254),
    "large": (field("a", pa.large_binary(), noted("yson")), [b"1", b"]", b"2"], "a", 0),
    "list": (pa.field("a", pa.list_(field("item", pa.binary(), noted("yson")))), [[b"1"], [b"2", b"{"], []], "a[]", 1),
    "struct": (pa.field("a", pa.struct([field("b", pa.binary(), noted("yson"))])), [{"b": b"1"}, {"b": b"("}, None], "a.b", 0),
    "map": (pa.field("a", pa.map_(pa.string(), field("value", pa.binary(), noted("yson")))), [[("k", b"1")], [("k", b"%x")], []],
            "a{value}", 0),
    "json": (field("a", pa.string(), JSON), ['{"a":1}', '{"a":', None], "a", 5),
    "json text": (field("a", pa.string(), JSON), ["1", "[1,]", "2"], "a", 3),
    "json list": (pa.field("a", pa.list_(field("item", pa.string(), JSON))), [["1"], ["2", "x"], []], "a[]", 0),
    "date": (field("a", pa.date32(), noted("date")), [datetime.date(2026, 1, 1), datetime.date(1969, 1, 1), None], "a", None),
    "datetime": (field("a", pa.timestamp("s", "UTC"), noted("datetime")), [0, 2**33, 1], "a", None),
    "interval": (field("a", pa.duration("us"), noted("interval")), [0, 2**62, 1], "a", None),
    "zone": (field("a", ZONED, noted("tz_timestamp")), [{"time": NOON, "zone": "UTC"}, {"time": NOON, "zone": "Mars/Olympus"},
                                                       None], "a.zone", None),
}
#: Times beside zones, the second beyond what their type holds.
for kind, unit, times in (("date", None, [0, 49673]), ("date32", None, [0, -53375809 - 1]), ("datetime", "s", [0, -1]),
                          ("datetime64", "s", [0, 2**43]), ("timestamp", "us", [0, -1]), ("timestamp64", "us", [0, 2**63 - 1])):
    TIME = pa.timestamp(unit, "UTC") if unit else pa.date32()
    ZONED_TIME = pa.struct([pa.field("time", TIME, False), pa.field("zone", pa.string(), False)])
    CASES[f"zoned {kind}"] = (field("a", ZONED_TIME, noted(f"tz_{kind}")), [
        *({"time": pa.scalar(time, pa.int64() if unit else pa.int32()).cast(TIME), "zone": "UTC"} for time in times), None], "a.time", None)

OUTPUTS = [".yson", ".json", ".skiff", ".parquet", ".arrow"]


def table_of(case):
    column, values, _, _ = CASES[case]
    return pa.table([pa.array(values, column.type)], schema=pa.schema([column]))


class TestPromises:
    @classmethod
    def setup_class(cls):
        cls.folder = harness.make_folder("promises")

    def files(self, case):
        table = table_of(case)
        name = case.replace(" ", "-")
        files = [self.folder / f"{name}{suffix}" for suffix in (".parquet", ".arrow", ".arrows")]
        pq.write_table(table, files[0])
        for file, writer in ((files[1], ipc.new_file), (files[2], ipc.new_stream)):
            with writer(file, table.schema) as out:
                out.write_table(table)
        return files

    def refused(self, told, case, interface):
        _, _, path, byte = CASES[case]
        assert (told["code"], told["row"], told["path"]) == ("input", 1, path), (interface, told)
        if byte is not None:
            assert f"wrong at byte {byte}" in told["message"]

    @pytest.mark.parametrize("case", CASES)
    def test_every_pair_and_interface(self, case):
        for file in self.files(case):
            for suffix in OUTPUTS:
                for interface, convert in interfaces_test.INTERFACES.items():
                    out = self.folder / f"out{suffix}"
                    self.refused(convert(file, out, {}), case, interface)
                    assert not out.exists()

    @pytest.mark.parametrize("case", CASES)
    @pytest.mark.parametrize("suffix", OUTPUTS)
    def test_streams(self, case, suffix):
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.convert(table_of(case), self.folder / f"out{suffix}")
        assert (caught.value.row, caught.value.path) == (1, CASES[case][2])

    def test_encoded(self):
        """The promise is at the column, its values in a dictionary or in runs. Values that no row shows are not checked."""
        bad = [b"1", b"{", b"2"]
        runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(bad))
        encoded = [pa.array(bad).dictionary_encode(), runs, pa.array(bad, pa.binary_view())]
        for values in encoded:
            table = pa.table([values], schema=pa.schema([field("a", values.type, noted("yson"))]))
            for suffix in OUTPUTS:
                with pytest.raises(xwalk.InputError) as caught:
                    xwalk.convert(table, self.folder / f"encoded{suffix}", mode="overwrite")
                assert (caught.value.row, caught.value.path) == (1, "a")
        hidden = pa.DictionaryArray.from_arrays(pa.array([0, 2, None], pa.int32()), pa.array(bad))
        table = pa.table([hidden], schema=pa.schema([field("a", hidden.type, noted("yson"))]))
        assert xwalk.convert(table, self.folder / "hidden.parquet", mode="overwrite").rows == 3

    @pytest.mark.parametrize("case", CASES)
    def test_rows_are_left_out(self, case):
        for file in self.files(case):
            out = self.folder / "kept.parquet"
            done = xwalk.convert(file, out, on_error="skip", mode="overwrite")
            assert (done.rows, done.rejected) == (2, 1), case

    @pytest.mark.parametrize("case", CASES)
    def test_check_foresees(self, case):
        for file in self.files(case):
            for to in ("yt", "json", "skiff", "parquet", "lance", "vortex", "arrow"):
                report = xwalk.check(file, to, rows=True)
                # For a time with a zone, only the bytes of small unsigned numbers are text in JSON.
                assert report.rows["refused"] == (2 if to == "json" and (case == "zone" or case.endswith(("32", "64"))) else 1)
                assert report.fails

    @pytest.mark.parametrize("case", CASES)
    def test_looking(self, case):
        for file in self.files(case):
            for verb, code in (("head", 3), ("validate", 1)):
                done = harness.try_run(verb, file)
                assert done.returncode == code
                assert "row 1" in done.stdout + done.stderr

    def test_lance(self):
        """Output of pylance, annotations included, is checked like that of any software."""
        lance = self.engine("lance")
        notes = {"ARROW:extension:name": "xwalk:extension"}
        for case, (column, values, path, _) in CASES.items():
            if "map" in case:  # the format's current version has none
                continue
            plain = {notes.get(key.decode(), key.decode()): value for key, value in (column.metadata or {}).items()
                     if not key.startswith(b"ARROW:extension:metadata")}
            if case == "json list":
                plain, column = {}, pa.field("a", pa.list_(pa.field("item", pa.string(), True, {"xwalk:extension": "arrow.json"})))
            table = pa.table([pa.array(values, column.type)], schema=pa.schema([column.with_metadata(plain)]))
            file = self.folder / f"{case.replace(' ', '-')}.lance"
            lance.write_dataset(table, file)
            self.asked(file, case, path)

    def test_vortex(self):
        """What vortex-data wrote, and a file of ours, which has notes, whose bytes are no longer those that were checked."""
        vortex = self.engine("vortex")
        file = self.folder / "json.vortex"
        vortex.io.write(table_of("json").to_reader(), str(file))
        self.asked(file, "json", "a")
        file, good = self.folder / "yson.vortex", b"{abcdefghij=12345}"
        xwalk.convert(pa.table([pa.array([b"7", good, None])], schema=pa.schema([ANY])), file)
        # The value, and in statistics the least and the greatest.
        file.write_bytes(file.read_bytes().replace(good, good[:-1] + b"("))
        self.asked(file, "yson", "a")

    def engine(self, name):
        try:
            return __import__(name)
        except ImportError as missing:
            pytest.skip(str(missing))

    def asked(self, file, case, path):
        for suffix in OUTPUTS:
            with pytest.raises(xwalk.InputError) as caught:
                xwalk.convert(file, self.folder / f"out{suffix}", mode="overwrite")
            assert (caught.value.row, caught.value.path) == (1, path)
        done = harness.try_run("validate", file)
        assert done.returncode == 1, done.stdout + done.stderr
        assert xwalk.check(file, "arrow", rows=True).fails, case

    @pytest.mark.parametrize("case", CASES)
    def test_without_annotations(self, case):
        """Notes that are not believed promise nothing; an extension type of Arrow's own does."""
        column, _, _, _ = CASES[case]
        for source in (*self.files(case), table_of(case)):
            if "json" in case:
                continue
            done = xwalk.convert(source, self.folder / "believed.parquet", annotations=False, mode="overwrite")
            assert done.rows == 3, column

    def test_good_values(self):
        good = [b"1", b"{a=<x=1>[#;%nan]}", b"\x01\x02a", b" \"text\" ", b"[" * 253 + b"]" * 253]
        table = pa.table([pa.array(good, pa.binary())], schema=pa.schema([ANY]))
        for suffix in OUTPUTS:
            if suffix == ".json":
                continue
            done = xwalk.convert(table, self.folder / f"good{suffix}", mode="overwrite", any="yson")
            assert done.rows == len(good)

    def test_encoded_extensions(self):
        """Arrow's own readers refuse an extension of its canon over a dictionary: no file is written with one, none is half read."""
        text, raw = pa.array(["1", "2", None]), pa.array([b"0" * 16, None, b"1" * 16], pa.binary(16))
        runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 3], pa.int32()), pa.array(["1", "2"]))
        small = pa.array([1, 0, None], pa.int8())
        for name, values in (("json", text.dictionary_encode()), ("json", runs), ("uuid", raw.dictionary_encode()),
                             ("bool8", small.dictionary_encode())):
            column = pa.field("a", values.type, True, {"ARROW:extension:name": f"arrow.{name}", "ARROW:extension:metadata": ""})
            struct = pa.StructArray.from_arrays([values], fields=[column])
            for table in (pa.table([values], schema=pa.schema([column])), pa.table({"s": struct})):
                for suffix in (".yson", ".skiff", ".parquet", ".arrow", ".arrows"):
                    out = self.folder / f"encoded-{name}{suffix}"
                    assert xwalk.convert(table, out, mode="overwrite").rows == 3
                    assert xwalk.convert(out, self.folder / "again.arrow", mode="overwrite").rows == 3
            # A file of it, as other libraries write them: its values are of no extension to the one that writes here.
            hidden = pa.field("a", values.type, True, {"ARROW:extension:nam_": f"arrow.{name}"})
            file = self.folder / "foreign.arrows"
            with ipc.new_stream(file, pa.schema([hidden])) as out:
                out.write_table(pa.table([values], schema=pa.schema([hidden])))
            file.write_bytes(file.read_bytes().replace(b"ARROW:extension:nam_", b"ARROW:extension:name"))
            for words in (["schema", file], ["check", file, "--to", "yt"], ["check", file, "--to", "arrow"], ["head", file],
                          ["convert", file, self.folder / "no.yson"], ["convert", file, self.folder / "no.arrow"]):
                done = harness.try_run(*words)
                assert done.returncode == 3

    def test_other_columns(self):
        """The map of further columns in a column of Arrow: no value but a map of columns that have no place, each once."""
        columns = [pa.field("a", pa.int64()), pa.field("$other_columns", pa.binary(), True, noted("yson"))]
        for bad in (b"[1]", b"7", b'"{}"', b"{x=1;x=2}", b"{a=5}", b"{x=1;a=#}"):
            table = pa.table([pa.array([1, 2, 3, 4]), pa.array([b"{z=<q=1>1}", bad, None, b"{}"], pa.binary())],
                             schema=pa.schema(columns))
            file = self.folder / "others.arrow"
            with ipc.new_file(file, table.schema) as out:
                out.write_table(table)
            for suffix, to in ((".yson", "yt"), (".skiff", "skiff"), (".json", "json")):
                if suffix == ".json":
                    table = pa.table([table["a"], pa.array([b"{z=1}", bad, None, b"{}"], pa.binary())], schema=pa.schema(columns))
                out = self.folder / f"others{suffix}"
                for source in (table, file) if to != "json" else (table,):
                    with pytest.raises(xwalk.InputError) as caught:
                        xwalk.convert(source, out, mode="overwrite")
                    assert (caught.value.row, caught.value.path) == (1, "$other_columns")
                    done = xwalk.convert(source, out, mode="overwrite", on_error="skip")
                    assert (done.rows, [row["row"] for row in done.rejects]) == (3, [1])
                if to != "json":
                    assert xwalk.check(file, to, rows=True).rows["refused"] == 1
                again = xwalk.convert(out, self.folder / "again.yson", mode="overwrite")
                assert again.rows == 3
            # Formats that have no such map of their own: from Arrow, and from Parquet.
            parquet = self.folder / "others-bad.parquet"
            pq.write_table(ipc.open_file(file).read_all(), parquet)
            for source in (table, file, parquet):
                for suffix in (".arrow", ".arrows", ".parquet"):
                    out = self.folder / f"others-out{suffix}"
                    with pytest.raises(xwalk.InputError) as caught:
                        xwalk.convert(source, out, mode="overwrite")
                    assert (caught.value.row, caught.value.path) == (1, "$other_columns")
                    done = xwalk.convert(source, out, mode="overwrite", on_error="skip")
                    assert (done.rows, [row["row"] for row in done.rejects]) == (3, [1])

    def test_json_shown(self):
        done = harness.try_run("check", self.files("json")[0], "--to", "yt", "--rows", "--json")
        assert json.loads(done.stdout)["rows"]["paths"][0]["path"] == "a"
