"""`xwalk verify` passes for what `convert` writes, in every format, and finds what another tool changes in it. The checksums of a
proof are those of an implementation of their definition that is not xwalk's.
"""
import datetime
import decimal
import json
import struct

import pytest

from tests import harness
from tests.harness import expect, try_run as run

with harness.skip_if_missing():
    import jsonschema
    import pyarrow as pa
    import pyarrow.parquet as parquet

FOLDER = harness.make_folder("verify")
there = harness.work_in(FOLDER)

SCHEMA = json.loads((harness.ROOT / "docs" / "report.schema.json").read_text())
MASK = 2**64 - 1


def mix(x):
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def numbers_of(kind, value):
    """Returns the list of numbers that a value that is not null adds to its hash, as docs/reference/checksums.md lists them."""
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        return [int(value) & MASK]
    if pa.types.is_floating(kind):
        return [0x7FF8000000000000 if value != value else struct.unpack("<Q", struct.pack("<d", value))[0]]
    if pa.types.is_decimal(kind):
        unscaled = int(value.scaleb(kind.scale)) & (2**256 - 1)
        return [(unscaled >> (64 * i)) & MASK for i in range(4)]
    if pa.types.is_date32(kind):
        return [(value - datetime.date(1970, 1, 1)).days & MASK]
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        return [pa.scalar(value, kind).value & MASK]
    if pa.types.is_interval(kind):
        return [part & MASK for part in value]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [len(value)] + [word for item in value for word in element(kind.value_type, item)]
    if pa.types.is_map(kind):
        return [len(value)] + [word for key, item in value for word in [1] + element(kind.key_type, key) + element(kind.item_type, item)]
    if pa.types.is_union(kind):
        return [value[0]] + element(kind.field(value[0]).type, value[1])
    if pa.types.is_struct(kind):
        return [word for field in kind for word in element(field.type, value[field.name])]
    data = value.encode() if isinstance(value, str) else value
    return [len(data)] + [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data), 8)]


def element(kind, value):
    return [0] if value is None else [1] + numbers_of(kind, value)


def row_hash(words):
    state = 0
    for word in words:
        state = mix((state + word + 0x9E3779B97F4A7C15) & MASK)
    return state


def value_hash(kind, value):
    return row_hash(numbers_of(kind, value))


def checksum(column):
    return f"{sum(value_hash(column.type, value) for value in column.to_pylist() if value is not None) & MASK:016x}"


ROWS = 5000
TABLE = pa.table({
    "id": pa.array(range(-100, ROWS - 100), pa.int64()),
    "small": pa.array([None if i % 7 == 0 else i % 100 for i in range(ROWS)], pa.int8()),
    "big": pa.array([2**64 - 1 - i for i in range(ROWS)], pa.uint64()),
    "flag": pa.array([i % 3 == 0 for i in range(ROWS)]),
    "price": pa.array([float("nan") if i % 11 == 0 else -0.0 if i % 13 == 0 else i / 7 for i in range(ROWS)], pa.float64()),
    "money": pa.array([decimal.Decimal(i - 50) / 100 for i in range(ROWS)], pa.decimal128(12, 2)),
    "name": pa.array([None if i % 5 == 0 else "é" * (i % 23) for i in range(ROWS)]),
    "day": pa.array([datetime.date(1970, 1, 1) + datetime.timedelta(i) for i in range(ROWS)]),
    "at": pa.array([1_700_000_000_000_000 + i for i in range(ROWS)], pa.timestamp("us")),
    "tags": pa.array([None if i % 9 == 0 else [None if j == 1 else j for j in range(i % 4)] for i in range(ROWS)],
                     pa.list_(pa.int64())),
    "s": pa.array([{"a": i, "b": None if i % 2 else "x"} for i in range(ROWS)],
                  pa.struct([("a", pa.int64()), ("b", pa.string())])),
})
parquet.write_table(TABLE, FOLDER / "in.parquet", row_group_size=999)


def proof_of(*words):
    done = run("verify", *words, "--json")
    expect(done.returncode in (0, 1), words, done.returncode, done.stderr)
    if done.returncode not in (0, 1):
        return done.returncode, {}
    proof = json.loads(done.stdout)
    jsonschema.validate(proof, SCHEMA)
    return done.returncode, proof


@pytest.mark.parametrize("output", ["out.parquet", "out.arrow", "out.yson", "out.skiff", "out.jsonl", "out.lance", "out.vortex"])
def test_formats(output):
    """Every format, and the checksums of every column."""
    expected = {name: checksum(TABLE[name].combine_chunks()) for name in TABLE.column_names}
    words = ["--to", "<stringify_nan_and_infinity=%true;encode_utf8=%true>json"] if output == "out.jsonl" else []
    done = run("convert", "in.parquet", output, *words)
    expect(done.returncode == 0, output, done.stderr)
    code, proof = proof_of("in.parquet", output, *words)
    expect(code == 0 and proof["verified"], output, run("verify", "in.parquet", output).stdout)
    table = proof["tables"][0]
    expect(table["rows_read"] == table["rows_written"] == ROWS and table["rows_rejected"] == 0, output, table["rows_read"])
    found = {column["name"]: column["output"]["checksum"] for column in table["columns"]}
    expect(found == expected, output, {name: (found.get(name), its) for name, its in expected.items() if found.get(name) != its})
    expect(all(column["source"] == column["output"] for column in table["columns"]), output)
    expect(table["row_checksum"]["source"] == table["row_checksum"]["output"], output)
    expect(proof["command"].startswith("xwalk verify in.parquet"), proof["command"])


def changed(name, rows=TABLE):
    """Writes the output again with another tool. The checksums of the output are those of its own rows."""
    parquet.write_table(rows, FOLDER / name)
    code, proof = proof_of("in.parquet", name)
    for column in proof["tables"][0]["columns"]:
        found = column["output"]
        its = rows[column["name"]].combine_chunks()
        expect(found == {"values": len(its) - its.null_count, "nulls": its.null_count, "checksum": checksum(its)}, column, checksum(its))
    return code, proof


@pytest.mark.parametrize("name", TABLE.column_names)
def test_a_changed_value(name):
    """One value, in one row of many, of any column."""
    values = TABLE[name].to_pylist()
    values[4321] = None if values[4321] is not None else values[4320]
    code, proof = changed("bad.parquet", TABLE.set_column(TABLE.column_names.index(name), name,
                                                          pa.array(values, TABLE.schema.field(name).type)))
    table = proof["tables"][0]
    differing = [column["name"] for column in table["columns"] if column["differing_rows"]]
    first = table["diff"]["differences"][0]
    expect(code == 1 and differing == [name] and first["left"]["row"] == 4321 and first["path"].startswith(name), name, first)
    expect([c["name"] for c in table["columns"] if c["source"] != c["output"]] == [name], name)


def test_changed_rows():
    """A row less, a row twice, two rows exchanged: the last has the same checksums, and is found by the order."""
    code, proof = changed("bad.parquet", TABLE.slice(0, ROWS - 1))
    expect(code == 1 and proof["tables"][0]["rows_written"] == ROWS - 1, "a row less")
    code, proof = changed("bad.parquet", pa.concat_tables([TABLE, TABLE.slice(7, 1)]))
    expect(code == 1 and proof["tables"][0]["diff"]["added"] == 1, "a row twice")
    order = list(range(ROWS))
    order[10], order[20] = 20, 10
    code, proof = changed("bad.parquet", TABLE.take(order))
    expect(code == 1 and proof["tables"][0]["row_checksum"]["source"] == proof["tables"][0]["row_checksum"]["output"], "exchanged")
    expect(proof_of("in.parquet", "bad.parquet", "--key", "id")[0] == 0, "exchanged, by key")
    code, proof = changed("bad.parquet", TABLE.take(list(reversed(range(ROWS)))))
    expect(code == 1 and proof["tables"][0]["row_checksum"]["source"] == proof["tables"][0]["row_checksum"]["output"], "reversed")
    code, proof = changed("bad.parquet", TABLE.drop_columns(["day"]))
    expect(code == 1 and proof["tables"][0]["diff"]["not_compared"][0]["path"] == "day", "a column less")


def test_rejected_rows():
    """Rows that the conversion rejects are not in the output, and are counted."""
    wide = pa.table({"n": pa.array([1, 2, 300, 4, 500], pa.int64())})
    parquet.write_table(wide, FOLDER / "wide.parquet")
    cast = ["--cast", "n=int8", "--on-error", "skip"]
    expect(run("convert", "wide.parquet", "narrow.yson", *cast).returncode == 0, "cast")
    code, proof = proof_of("wide.parquet", "narrow.yson", *cast)
    table = proof["tables"][0]
    expect(code == 0 and table["rows_read"] == 5 and table["rows_rejected"] == 2 and table["rows_written"] == 3, table)
    expect("300" in table["first_rejected"], table["first_rejected"])
    (FOLDER / "narrow.yson").write_text((FOLDER / "narrow.yson").read_text().replace("=4;", "=5;"))
    code, proof = proof_of("wide.parquet", "narrow.yson", *cast)
    first = proof["tables"][0]["diff"]["differences"][0]
    expect(code == 1 and first["left"] == {"row": 3, "value": "4"} and first["right"] == {"row": 2, "value": "5"}, first)
    expect(run("verify", "wide.parquet", "narrow.yson", "--cast", "n=int8").returncode == 3, "a bad row without the option")


def test_options_that_change_values():
    """What an option changes is right as the plan says, and wrong otherwise."""
    fine = pa.table({"at": pa.array([1_700_000_000_123_456_789, 5], pa.timestamp("ns", "UTC"))})
    parquet.write_table(fine, FOLDER / "fine.parquet")
    lossy = ["--round", "--allow", "lossy"]
    expect(run("convert", "fine.parquet", "coarse.yson", *lossy).returncode == 0, "round")
    expect(proof_of("fine.parquet", "coarse.yson", *lossy)[0] == 0, "rounded")
    expect(run("verify", "fine.parquet", "coarse.yson", "--round").returncode == 1, "without consent")


def test_proofs_of_a_folder():
    """The name of the proof chooses its form. A folder has a line for each file."""
    (FOLDER / "tables").mkdir()
    for name in ("a", "b"):
        parquet.write_table(TABLE.slice(0, 100), FOLDER / "tables" / f"{name}.parquet")
    expect(run("convert", "tables", "out/", "--to", "yson").returncode == 0, "a folder")
    for name, mark in (("p.json", '"report": "proof"'), ("p.html", "<html"), ("p.xml", "<testsuite"), ("p.txt", "2 verified")):
        done = run("verify", "tables", "out/", "--to", "yson", "--proof", name)
        expect(done.returncode == 0 and done.stdout.count(": verified") == 2, done.stdout, done.stderr)
        expect(mark in (FOLDER / name).read_text(), name)
    text = (FOLDER / "out" / "b.yson").read_text()
    (FOLDER / "out" / "b.yson").write_text(text.replace('"small"=1;', '"small"=2;', 1))
    done = run("verify", "tables", "out/", "--to", "yson")
    expect(done.returncode == 1 and "1 verified, 1 failed" in done.stdout and "small" in done.stdout, done.stdout)

    # `convert` verifies what it wrote.
    done = run("convert", "tables", "again/", "--to", "arrow", "--verify", "--proof", "q.json")
    proof = json.loads((FOLDER / "q.json").read_text())
    expect(done.returncode == 0 and "2 verified, 0 failed" in done.stderr, done.stderr)
    expect(proof["verified"] and proof["command"].startswith("xwalk convert tables again/"), proof["command"])
    done = run("convert", "in.parquet", "-", "--to", "yson", "--verify")
    expect(done.returncode == 2 and not done.stdout and "an output without a name" in done.stderr, done.stderr)


def test_partitions():
    """Rows of a partitioned output have another order."""
    expect(run("convert", "in.parquet", "split/", "--to", "parquet", "--partition-by", "small").returncode == 0, "partitions")
    code, proof = proof_of("in.parquet", "split/", "--to", "parquet", "--partition-by", "small")
    expect(code == 0 and not proof["tables"][0]["in_order"], proof.get("tables", [{}])[0].get("diff"))


ORIGINAL = pa.table({
    "id": pa.array([1, 2], pa.int64()), "flag": pa.array([True, False]), "name": pa.array(["a", "b"]),
    "day": pa.array([0, 1], pa.date32()), "at": pa.array([0, 86_400_000_000], pa.timestamp("us", "UTC")),
})


def with_column(name, values, kind, nullable=True):
    place = ORIGINAL.column_names.index(name)
    return ORIGINAL.set_column(place, pa.field(name, kind, nullable), pa.array(values, kind))


#: Tables whose values are those of the original one, if the other type has them.
CHANGES = {
    "another name": ORIGINAL.rename_columns(["ids", "flag", "name", "day", "at"]),
    "another order": ORIGINAL.select(["flag", "id", "name", "day", "at"]),
    "a column less": ORIGINAL.drop_columns(["name"]),
    "a column more": ORIGINAL.append_column("more", pa.array([1, 2], pa.int64())),
    "a narrower number": with_column("id", [1, 2], pa.int32()),
    "a decimal": with_column("id", [1, 2], pa.decimal128(20, 0)),
    "a number of a truth value": with_column("flag", [1, 0], pa.int8()),
    "bytes of text": with_column("name", [b"a", b"b"], pa.binary()),
    "a time of a date": with_column("day", [0, 86_400_000_000], pa.timestamp("us", "UTC")),
    "a local time": with_column("at", [0, 86_400_000_000], pa.timestamp("us")),
    "a coarser time": with_column("at", [0, 86_400], pa.timestamp("s", "UTC")),
}


@pytest.mark.parametrize("output", ["parquet", "arrow", "yson", "skiff", *(["lance", "vortex"] if harness.ALL else [])])
def test_other_columns(output):
    """Names, types and order of columns are part of a proof, also if all values are equal."""
    parquet.write_table(ORIGINAL, FOLDER / "original.parquet")
    for change, table in {"nothing": ORIGINAL, **CHANGES}.items():
        with pa.OSFile(str(FOLDER / "other.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
        done = run("convert", "other.arrow", f"changed.{output}", "--mode", "overwrite")
        expect(done.returncode == 0, change, done.stderr)
        code, proof = proof_of("original.parquet", f"changed.{output}")
        # YTsaurus has no local time.
        if change == "nothing" or (change == "a local time" and output in ("yson", "skiff")):
            expect(code == 0, change, proof)
            continue
        text = run("verify", "original.parquet", f"changed.{output}").stdout
        expect(code == 1 and proof["tables"][0]["schema_differences"] and "(schema.differs)" in text, change, text)


def test_rows_that_the_writer_rejects():
    """Values that a format lacks and rows out of a promised order are not in the output either."""
    rows = pa.table({"k": pa.array([1, 3, 2, 3, 4], pa.int64()), "v": [1.0, float("nan"), 2.0, 3.0, 4.0],
                     "b": pa.array([b"a", b"b", b"\xff", b"c", b"d"])})
    parquet.write_table(rows, FOLDER / "some.parquet")
    # Two pieces: the order is that of all rows.
    parquet.write_table(rows, FOLDER / "pieces.parquet", row_group_size=2)
    ordered = ('<unique_keys=%true;strict=%true>[{name=k;type=int64;sort_order=ascending};{name=v;type=double};'
               '{name=b;type=string}]')
    for words, rejected in (
            (["some.parquet", "nan.jsonl", "--select", "k,v"], 1),
            (["some.parquet", "bytes.jsonl", "--to", "<encode_utf8=%false>json", "--select", "k,b"], 1),
            (["some.parquet", "sorted.yson", "--to-schema", ordered], 2),
            (["pieces.parquet", "pieces.yson", "--to-schema", ordered], 2),
            (["pieces.parquet", "pieces.arrow", "--to-schema", "k: int64\nv: double\nb: binary"], 0)):
        options = [*words, "--on-error", "skip"]
        done = run("convert", *options, "--verify")
        expect(done.returncode == 0 and "verified" in done.stderr, words, done.stderr)
        code, proof = proof_of(*options)
        table = proof["tables"][0]
        expect(code == 0 and table["rows_rejected"] == rejected and table["rows_written"] == 5 - rejected, words, table)


def test_the_end_of_a_stream():
    """An output is read by the rules that it was written by."""
    done = run("convert", "in.parquet", "ends.skiff", "--end-of-stream", "--verify")
    expect(done.returncode == 0 and "verified" in done.stderr, done.stderr)


def test_tables_that_cannot_be_compared():
    """A table whose conversion failed, or whose output is missing, is a failed line of the proof in every form."""
    (FOLDER / "some").mkdir()
    for name, rows in (("a", "{n=1};"), ("b", "{n=x};"), ("c", "{n=3};")):
        (FOLDER / "some" / f"{name}.yson").write_text(rows)
        (FOLDER / "some" / f"{name}.yson.schema").write_text("[{name=n;type=int64}]")
    done = run("convert", "some/", "other/", "--to", "skiff", "--resume", "--proof", "some.json")
    proof = json.loads((FOLDER / "some.json").read_text())
    jsonschema.validate(proof, SCHEMA)
    expect(done.returncode == 3 and "2 verified, 1 failed" in done.stderr + done.stdout, done.stdout, done.stderr)
    expect("3 files, 1 failed" in done.stderr, done.stderr)
    expect(not proof["verified"] and [table["verified"] for table in proof["tables"]] == [True, False, True], proof)
    expect("x" in proof["tables"][1]["failure"] and proof["tables"][1]["output"]["name"] == "other/b.skiff", proof["tables"][1])
    code, proof = proof_of("some/", "other/", "--to", "skiff")
    expect(code == 1 and [("failure" in table, table["verified"]) for table in proof["tables"]] == [(False, True), (True, False), (False, True)], proof)
    for suffix, words in ((".txt", ("not verified",)), (".md", ("and 2 more", "other/b.skiff")), (".xml", ("other/b.skiff", "<failure")),
                          (".html", ("and 2 more", "other/b.skiff", "a.skiff", "c.skiff"))):
        expect(run("verify", "some/", "other/", "--to", "skiff", "--proof", f"some{suffix}").returncode == 1, suffix)
        text = (FOLDER / f"some{suffix}").read_text()
        for word in words:
            expect(word in text, suffix, word, text[:3000])
    # The summary of each table has its columns, and what differs.
    (FOLDER / "other" / "b.skiff").unlink(missing_ok=True)
    run("convert", "some/a.yson", "other/c.skiff", "--overwrite")
    run("verify", "some/", "other/", "--to", "skiff", "--proof", "some.md")
    text = (FOLDER / "some.md").read_text()
    expect("| 1 | 1 |" in text and "1 changed" in text, text)
    # A section of a project without inputs is a line, too.
    (FOLDER / "xwalk.toml").write_text('[[convert]]\ninput = "some/a.yson"\noutput = "one.skiff"\nto = "skiff"\n'
                                       '[[convert]]\ninput = "absent.yson"\noutput = "two.skiff"\nto = "skiff"\n')
    run("convert", "--config", "xwalk.toml", "--proof", "some.json")
    proof = json.loads((FOLDER / "some.json").read_text())
    expect([("failure" in table, table["output"]["name"].rsplit("/")[-1]) for table in proof["tables"]] ==
           [(False, "one.skiff"), (True, "two.skiff")], proof["tables"])


#: Each row of the table in docs/reference/checksums.md, with columns of its types. An alternative of a union is (its index, the value).
SHAPES = {
    "integer, boolean, date, time, timestamp, duration": [
        pa.array([-5, None, 7], pa.int16()), pa.array([2**63, 1], pa.uint64()), pa.array([True, False, None]), pa.array([-1, 40000], pa.date32()),
        pa.array([86400000, -86400000], pa.date64()), pa.array([5, None], pa.time32("s")), pa.array([7000, 86399999999000], pa.time64("ns")),
        pa.array([-7, 5], pa.timestamp("ms")), pa.array([1, None], pa.timestamp("ns", "Europe/Berlin")), pa.array([-3, 2**40], pa.duration("us"))],
    "float of any width": [pa.array([1.5, float("nan"), -0.0, None], kind) for kind in (pa.float16(), pa.float32(), pa.float64())],
    "text, bytes": [pa.array(["", "é" * 9, None, "12345678"], kind) for kind in (pa.string(), pa.large_string(), pa.string_view())] + [
        pa.array([b"\xff", b"x" * 17], pa.large_binary()), pa.array([b"abc", None], pa.binary(3))],
    "decimal": [pa.array([decimal.Decimal("-1.25"), decimal.Decimal("12.00"), None], kind) for kind in (pa.decimal128(9, 2), pa.decimal256(60, 2))],
    "intervals": [pa.array([(3, -2, 10**12), None], pa.month_day_nano_interval())],
    "list": [pa.array([[1, None], [], None], kind) for kind in (pa.list_(pa.int64()), pa.large_list(pa.int8()))] + [
        pa.array([[1.5, None], [2.5, 3.5]], pa.list_(pa.float32(), 2)), pa.array([[["a"], None], [[]]], pa.list_(pa.list_(pa.string())))],
    "map": [pa.array([[("a", 1), ("b", None)], [], None], pa.map_(pa.string(), pa.int64())),
            pa.array([[(1, [("x", [2, None])])]], pa.map_(pa.int8(), pa.map_(pa.string(), pa.list_(pa.int16()))))],
    "struct": [pa.array([{"a": 1, "b": None}, {"a": None, "b": {"c": "x"}}, None], pa.struct([("a", pa.int64()), ("b", pa.struct([("c", pa.string())]))]))],
    "union": [pa.UnionArray.from_dense(pa.array([0, 1, 0, 1], pa.int8()), pa.array([0, 0, 1, 1], pa.int32()),
                                       [pa.array([5, None], pa.int64()), pa.array([["x"], []], pa.list_(pa.string()))])],
}


def test_every_documented_shape():
    """The checksums of columns and rows are computed from the page alone, with every shape that it lists."""
    page = (harness.ROOT / "docs/reference/checksums.md").read_text()
    listed = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")][1:]
    expect(listed == list(SHAPES), "the rows of the page", listed)
    for shape, arrays in SHAPES.items():
        for array in arrays:
            values = array.to_pylist()
            if pa.types.is_union(array.type):
                values = list(zip(array.type_codes.to_pylist(), values))
            table = pa.table({"v": array, "row": pa.array(range(len(array)), pa.int64())})
            with pa.ipc.new_file(FOLDER / "shape.arrow", table.schema) as writer:
                writer.write_table(table)
            expect(run("convert", "shape.arrow", "shape_out.arrow", "--overwrite").returncode == 0, shape, array.type)
            code, proof = proof_of("shape.arrow", "shape_out.arrow")
            of_values = [0 if value is None else value_hash(array.type, value) for value in values]
            of_rows = [row_hash([of_value, value_hash(pa.int64(), row)]) for row, of_value in enumerate(of_values)]
            found = proof["tables"][0]
            expect(code == 0 and found["columns"][0]["source"]["checksum"] == f"{sum(of_values) & MASK:016x}", shape, array.type, found["columns"][0])
            expect(found["row_checksum"]["source"] == f"{sum(of_rows) & MASK:016x}", shape, array.type, "rows")


@pytest.mark.parametrize("source", ("arrow", "parquet", "yson"))
def test_intervals_in_parquet(source):
    """Parquet keeps them as 12 bytes, which rows of Parquet have on both sides and rows of others on none."""
    values = pa.array([(3, 2, 10**9), None, (0, 0, 0)], pa.month_day_nano_interval())
    table = pa.table({"v": values, "l": pa.array([[values[0]], [], [None]], pa.list_(values.type))})
    with pa.ipc.new_file(FOLDER / "intervals.arrow", table.schema) as writer:
        writer.write_table(table)
    name = "intervals.arrow"
    if source != "arrow":
        harness.run("convert", name, f"intervals_first.{source}", "-q", "--overwrite")
        name = f"intervals_first.{source}"
    for changed in (False, True):
        harness.run("convert", name, "intervals.parquet", "-q", "--overwrite", *(["--limit", 2] if changed else []))
        for words in ([], ["--jobs", 2]):
            done = run("verify", name, "intervals.parquet", *words)
            assert done.returncode == changed and ("differs" if changed else "verified") in done.stdout, done.stdout


def test_a_folder_of_datasets():
    """A conversion that can be resumed makes a dataset of each input, and one that cannot makes one of all."""
    for number in range(2):
        harness.write(FOLDER / f"sets/x{number}.yson", f"{{id={number}}};", "[{name=id;type=int64}]")
    for out, words, verified in (("each", ["--resume"], "2 tables: 2 verified, 0 failed"), ("all", [], "2 rows, 1 column: verified")):
        harness.run("convert", "sets/", f"{out}/", "--to", "lance", "-q", *words)
        for more in ([], ["--to", "lance"]):
            assert verified in harness.run("verify", "sets/", f"{out}/", *more).stdout
    harness.write(FOLDER / "sets/x1.yson", "{id=7};", "[{name=id;type=int64}]")
    assert "1 verified, 1 failed" in harness.run("verify", "sets/", "each/", code=1).stdout


@pytest.mark.parametrize("name", ("nothing", "nothing/", "nothing.parquet", "nothing.lance/"))
def test_an_output_that_does_not_exist(name):
    harness.write(FOLDER / "one.yson", "{id=1};", "[{name=id;type=int64}]")
    done = run("verify", "one.yson", name)
    assert done.returncode == 74 and "o such file" in done.stderr and name.rstrip("/") in done.stderr, done.stderr


@pytest.mark.parametrize("output", ("yson", "skiff", "parquet"))
def test_values_of_any_type_that_came_as_json(output):
    """Clusters read values of any type as JSON text, so that an output has them as JSON, also inside."""
    rows = harness.write(FOLDER / "typed.yson", '{id=1;a={b=1;c=[%true;"x"]};l=[1u;#]};{id=2;a=#;l=#};{id=3;a="text";l=[]};',
                         "[{name=id;type=int64};{name=a;type=any};"
                         "{name=l;type_v3={type_name=optional;item={type_name=list;item={type_name=optional;item=yson}}}}]")
    harness.run("convert", rows, "any.arrow", "--any", "json", "-q", "--overwrite")
    for changed in (False, True):
        harness.run("convert", "any.arrow", f"any.{output}", "-q", "--overwrite", *(["--limit", 2] if changed else []))
        done = run("verify", rows, f"any.{output}")
        assert done.returncode == changed and ("differs" if changed else "verified") in done.stdout, done.stdout
