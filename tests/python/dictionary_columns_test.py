"""Dictionary columns become the same rows as the same columns in the plain layout.

From tables in memory, Arrow files and streams, and Parquet whose pages hold indices, to rows of YSON in every form and of JSON:
the same bytes, the same report, the same refusals.
"""
import datetime
import decimal
import random

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc as ipc
    import pyarrow.parquet as pq

harness.use_module()
import xwalk  # noqa: E402

FORMS = {"text.yson": {"yson_format": "text"}, "binary.yson": {"yson_format": "binary"},
         "pretty.yson": {"yson_format": "pretty"}, "rows.jsonl": {"to": "<encode_utf8=%true>json"}}
INDICES = (pa.int8(), pa.uint8(), pa.int16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64())
TEXT = ["", "a", "quo\"te\\", "ключ\n", "x" * 40, "y" * 300, None]
VALUES = {
    "string": (pa.string(), TEXT),
    "large_string": (pa.large_string(), TEXT),
    "string_view": (pa.string_view(), TEXT),
    "binary": (pa.binary(), [b"", b"\xff\0", b"plain", None]),
    "int64": (pa.int64(), [0, -1, 2**63 - 1, None]),
    "double": (pa.float64(), [0.0, -1.5, 0.1, None]),
    "date32": (pa.date32(), [datetime.date(2026, 1, 1), datetime.date(1970, 1, 1), None]),
    "timestamp": (pa.timestamp("us", "UTC"), [0, 1_700_000_000_000_001, None]),
    "decimal": (pa.decimal128(10, 2), [decimal.Decimal("1.50"), decimal.Decimal("-99999999.99"), None]),
    "bool": (pa.bool_(), [True, False, None]),
}


def encoded(values, indices, index):
    return pa.DictionaryArray.from_arrays(pa.array(indices, index), values)


def pair(rows, seed):
    """A table of a dictionary column of each type, and the same in the plain layout."""
    pick = random.Random(seed)
    with_indices, plain = {}, {}
    for at, (name, (kind, values)) in enumerate(VALUES.items()):
        entries = pa.array(values if at % 2 else values[:-1], kind)
        indices = [None if pick.random() < 0.1 else pick.randrange(len(entries)) for _ in range(rows)]
        with_indices[name] = encoded(entries, indices, INDICES[at % len(INDICES)])
        shown = entries.to_pylist()
        plain[name] = pa.array([None if index is None else shown[index] for index in indices], kind)
    return pa.table(with_indices), pa.table(plain)


class TestDictionaryColumns(harness.InFolder):
    def written(self, source, name, **options):
        xwalk.convert(source, self.folder / name, mode="overwrite", allow="lossy", **FORMS[name], **options)
        return (self.folder / name).read_bytes()

    def same(self, found, expected, about=None):
        """Says where bytes differ; the difference of unittest takes minutes."""
        if found == expected:
            return
        at = next((n for n, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
        pytest.fail(f"{about}: byte {at}: {found[at - 60:at + 60]!r}, expected {expected[at - 60:at + 60]!r}")

    def ipc(self, name, table, batch=1000):
        write = ipc.new_file if name.endswith(".arrow") else ipc.new_stream
        with pa.OSFile(str(self.folder / name), "wb") as file, write(file, table.schema) as out:
            out.write_table(table, max_chunksize=batch)
        return self.folder / name

    @pytest.mark.parametrize("rows", [3, 5000])
    def test_rows_of_every_type(self, rows):
        # More rows than entries, and fewer.
        table, plain = pair(rows, rows)
        sources = [table, table.slice(1), self.ipc("t.arrow", table), self.ipc("t.arrows", table)]
        for name in FORMS:
            expected = self.written(plain, name)
            for source in sources:
                rows_of = self.written(plain.slice(1), name) if source is sources[1] else expected
                self.same(self.written(source, name), rows_of, (name, rows, type(source)))

    def test_batches_with_other_dictionaries(self):
        pieces = [pair(400, seed) for seed in range(5)]
        table, plain = (pa.concat_tables([piece[at] for piece in pieces]) for at in (0, 1))
        stream = self.folder / "t.arrows"
        with pa.OSFile(str(stream), "wb") as file, ipc.new_stream(file, table.schema) as out:
            for piece, _ in pieces:
                out.write_table(piece)
        for name in FORMS:
            expected = self.written(plain, name)
            self.same(self.written(table, name), expected, name)
            self.same(self.written(stream, name), expected, name)

    def test_entries_without_a_form(self):
        """A bad entry refuses the rows that show it, and no others, as the value would."""
        entries = pa.array([b"good", b"\xff\xfe", b"fine"]).cast(pa.binary())
        for index in (pa.int8(), pa.int32()):
            for times in (1, 40):
                # Bytes are checked to be text if the target requires it.
                schema = self.folder / "t.schema"
                schema.write_text("[{name=v;type_v3={type_name=optional;item=utf8}}]")
                for indices, bad in (([0, 2, None] * times, []), ([0, 1, 2] * times, [1 + 3 * n for n in range(times)])):
                    column = encoded(entries, indices, index)
                    plain = entries.take(pa.array(indices, pa.int32()))
                    told = []
                    for source in (pa.table({"v": column}), pa.table({"v": plain})):
                        done = xwalk.convert(source, self.folder / "t.yson", mode="overwrite", target_schema=str(schema),
                                             on_error="skip")
                        refused = [(row["row"], row["path"], row["reason"], row["source"]) for row in done.rejects]
                        told.append((refused, (self.folder / "t.yson").read_bytes()))
                        assert [row for row, *_ in refused] == bad
                    assert told[0] == told[1]

    def test_added_rows_are_held_to_the_order(self):
        entries = pa.array(["a", "b", "c"])
        target, schema = self.folder / "t.yson", self.folder / "t.yson.schema"
        for indices, fits in (([0, 0, 1, 2], True), ([0, 2, 1, 2], False)):
            target.write_text('{k="a";v="a"};\n')
            schema.write_text("[{name=k;type_v3=utf8;sort_order=ascending};{name=v;type_v3=utf8}]")
            column = encoded(entries, indices, pa.int8())
            table = pa.table([column, column], schema=pa.schema([pa.field(name, column.type, False) for name in "kv"]))
            if fits:
                xwalk.convert(table, target, mode="append")
                assert target.read_bytes().count(b'{"k"="a";"v"="a";}') == 2
            else:
                with pytest.raises(xwalk.InputError, match="sorted"):
                    xwalk.convert(table, target, mode="append")

    def test_parquet_whose_pages_hold_indices(self):
        _, plain = pair(20000, 7)
        indexed, direct = self.folder / "i.parquet", self.folder / "d.parquet"
        categories = {name: plain[name].combine_chunks().dictionary_encode() for name in ("string", "large_string", "binary")}
        for stored in (plain, pa.table(categories)):
            pq.write_table(stored, indexed, row_group_size=7000)
            pq.write_table(stored, direct, row_group_size=7000, use_dictionary=False)
            for name in FORMS:
                self.same(self.written(indexed, name), self.written(direct, name), name)
                cut = [self.written(path, name, select=["string", "binary"]) for path in (indexed, direct)]
                self.same(cut[0], cut[1], name)
            told = []
            for path in (indexed, direct):
                done = harness.try_run("convert", path, self.folder / "r.yson", "--overwrite", "--allow", "lossy", "--report", "json")
                told.append((done.returncode, done.stdout.replace(path.name, "")))
            assert told[0] == told[1]

    def test_parquet_with_text_that_is_none(self):
        """Text is looked at once an entry; rows are rejected one by one."""
        values = [b"good", b"\xff", b"fine"] * 3000
        table = pa.table({"v": pa.array(values).cast(pa.binary()).cast(pa.string(), safe=False)})
        told = []
        for use_dictionary in (True, False):
            path = self.folder / "t.parquet"
            pq.write_table(table, path, use_dictionary=use_dictionary, row_group_size=2500)
            done = xwalk.convert(path, self.folder / "t.yson", mode="overwrite", on_error="skip")
            told.append(([(row["row"], row["path"], row["reason"], row["source"]) for row in done.rejects],
                         (self.folder / "t.yson").read_bytes()))
            with pytest.raises(xwalk.InputError) as caught:
                xwalk.convert(path, self.folder / "t.yson", mode="overwrite")
            told[-1] += (str(caught.value),)
        assert len(told[0][0]) == 3000
        assert told[0] == told[1]

    def test_folders_of_files(self):
        """Files of one folder may store a column differently."""
        _, plain = pair(3000, 9)
        folder = self.folder / "many"
        folder.mkdir()
        pq.write_table(plain.slice(0, 1000), folder / "a.parquet")
        pq.write_table(plain.slice(1000, 1000), folder / "b.parquet", use_dictionary=False)
        pq.write_table(plain.slice(2000), folder / "c.parquet")
        for name in FORMS:
            self.same(self.written(folder, name), self.written(plain, name), name)
