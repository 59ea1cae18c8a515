"""What a note or a system promises of values is asked of all that come from elsewhere, whatever they go to.

usage: promises_test.py XWALK [DATA]      (XWALK lies in a build tree)

Bytes that are no YSON in a column of it, text that is no JSON, dates outside YTsaurus's, zones that are none: refused with row,
path and place by every door, foreseen by `check --rows`, seen by `head` and `validate`; believed without annotations.
"""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import doors_test  # skips where the doors are not built
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

import xwalk

XWALK = doors_test.XWALK
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
    "yson behind": (ANY, [b"1", b"1 2", b"\x01\x02a"], "a", 2),
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
OUTPUTS = [".yson", ".json", ".skiff", ".parquet", ".arrow"]


def table_of(case):
    column, values, _, _ = CASES[case]
    return pa.table([pa.array(values, column.type)], schema=pa.schema([column]))


class Promises(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def files(self, case):
        table = table_of(case)
        name = case.replace(" ", "-")
        files = [self.folder / f"{name}{suffix}" for suffix in (".parquet", ".arrow", ".arrows")]
        pq.write_table(table, files[0])
        for file, writer in ((files[1], ipc.new_file), (files[2], ipc.new_stream)):
            with writer(file, table.schema) as out:
                out.write_table(table)
        return files

    def refused(self, told, case, door):
        _, _, path, byte = CASES[case]
        self.assertEqual((told["code"], told["row"], told["path"]), ("input", 1, path), (door, told))
        if byte is not None:
            self.assertIn(f"wrong at byte {byte}", told["message"])

    def test_every_pair_and_door(self):
        for case in CASES:
            for file in self.files(case):
                for suffix in OUTPUTS:
                    for door, convert in doors_test.DOORS.items():
                        with self.subTest(case=case, file=file.name, to=suffix, door=door):
                            out = self.folder / f"out{suffix}"
                            self.refused(convert(file, out, {}), case, door)
                            self.assertFalse(out.exists())

    def test_streams(self):
        for case in CASES:
            for suffix in OUTPUTS:
                with self.subTest(case=case, to=suffix), self.assertRaises(xwalk.InputError) as caught:
                    xwalk.convert(table_of(case), self.folder / f"out{suffix}")
                self.assertEqual((caught.exception.row, caught.exception.path), (1, CASES[case][2]))

    def test_encoded(self):
        """What is said stands at the column, its values in a dictionary or in runs; what no row shows is not asked."""
        bad = [b"1", b"{", b"2"]
        runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(bad))
        encoded = [pa.array(bad).dictionary_encode(), runs, pa.array(bad, pa.binary_view())]
        for values in encoded:
            table = pa.table([values], schema=pa.schema([field("a", values.type, noted("yson"))]))
            for suffix in OUTPUTS:
                with self.subTest(type=values.type, to=suffix), self.assertRaises(xwalk.InputError) as caught:
                    xwalk.convert(table, self.folder / f"encoded{suffix}", mode="overwrite")
                self.assertEqual((caught.exception.row, caught.exception.path), (1, "a"))
        hidden = pa.DictionaryArray.from_arrays(pa.array([0, 2, None], pa.int32()), pa.array(bad))
        table = pa.table([hidden], schema=pa.schema([field("a", hidden.type, noted("yson"))]))
        self.assertEqual(xwalk.convert(table, self.folder / "hidden.parquet", mode="overwrite").rows, 3)

    def test_rows_are_left_out(self):
        for case in CASES:
            for file in self.files(case):
                out = self.folder / "kept.parquet"
                done = xwalk.convert(file, out, on_error="skip", mode="overwrite")
                self.assertEqual((done.rows, len(done.rejected)), (2, 1), case)

    def test_check_foresees(self):
        for case in CASES:
            for file in self.files(case):
                for to in ("yt", "json", "skiff", "parquet", "lance", "vortex", "arrow"):
                    report = xwalk.check(file, to, rows=True)
                    with self.subTest(case=case, file=file.name, to=to):
                        # A zone's time has no text in JSON at all.
                        self.assertEqual(report.rows["refused"], 2 if (case, to) == ("zone", "json") else 1)
                        self.assertTrue(report.fails)

    def test_looking(self):
        for case in CASES:
            for file in self.files(case):
                for verb, code in (("head", 3), ("validate", 1)):
                    done = subprocess.run([str(XWALK), verb, str(file)], capture_output=True, text=True, timeout=100)
                    with self.subTest(case=case, file=file.name, verb=verb, said=done.stdout + done.stderr):
                        self.assertEqual(done.returncode, code)
                        self.assertIn("row 1", done.stdout + done.stderr)

    def test_engines(self):
        for case in ("yson", "json"):
            table = table_of(case)
            plain = pa.table([table["a"]], schema=pa.schema([pa.field("a", table.schema.field("a").type, True, {
                "lance-schema-note": "x"})]))
            for suffix in (".lance", ".vortex"):
                file = self.folder / f"{case}{suffix}"
                try:
                    xwalk.convert(plain, file)
                except xwalk.IoError as error:
                    self.skipTest(str(error))
                # Nothing promises anything of these.
                self.assertEqual(xwalk.convert(file, self.folder / "plain.parquet", mode="overwrite").rows, 3)

    def test_without_annotations(self):
        """Notes that are not believed promise nothing; an extension type of Arrow's own does."""
        for case, (column, _, _, _) in CASES.items():
            for source in (*self.files(case), table_of(case)):
                with self.subTest(case=case, source=type(source)):
                    if "json" in case:
                        continue
                    done = xwalk.convert(source, self.folder / "believed.parquet", annotations=False, mode="overwrite")
                    self.assertEqual(done.rows, 3, column)

    def test_good_values(self):
        good = [b"1", b"{a=<x=1>[#;%nan]}", b"\x01\x02a", b" \"text\" ", b"[" * 253 + b"]" * 253]
        table = pa.table([pa.array(good, pa.binary())], schema=pa.schema([ANY]))
        for suffix in OUTPUTS:
            if suffix == ".json":
                continue
            self.assertEqual(xwalk.convert(table, self.folder / f"good{suffix}", mode="overwrite").rows, len(good))

    def test_json_shown(self):
        done = subprocess.run([str(XWALK), "check", str(self.files("json")[0]), "--to", "yt", "--rows", "--json"],
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(json.loads(done.stdout)["rows"]["paths"][0]["path"], "a")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
