"""Evolutions of real datasets, by pylance and by xwalk: the same ids, types and files at every step of random ones, the same
refusals by the version of data files, and what happens to values that a new type does not hold."""
import decimal
import json
import random
import shutil
import subprocess

import pytest

from tests import harness

with harness.skip_if_missing():
    import lance
    import pyarrow as pa

PROBE = harness.needs("tests/xwalk_lance_evolve")

# What pylance calls a type, and the text form of a field of it.
TYPES = [
    (pa.int8(), 'type: "int8"'), (pa.int32(), 'type: "int32"'), (pa.int64(), 'type: "int64"'),
    (pa.float32(), 'type: "float"'), (pa.float64(), 'type: "double"'), (pa.string(), 'type: "string"'),
    (pa.large_string(), 'type: "large_string"'), (pa.binary(), 'type: "binary"'), (pa.bool_(), 'type: "bool"'),
    (pa.timestamp("us"), 'type: "timestamp:us:-"'), (pa.timestamp("ms", "UTC"), 'type: "timestamp:ms:UTC"'),
    (pa.date32(), 'type: "date32:day"'), (pa.time32("s"), 'type: "time32:s"'), (pa.time64("ns"), 'type: "time64:ns"'),
    (pa.duration("us"), 'type: "duration:us"'), (pa.decimal128(9, 2), 'type: "decimal:128:9:2"'),
    (pa.decimal256(40, 3), 'type: "decimal:256:40:3"'),
    (pa.dictionary(pa.int8(), pa.string()), 'type: "dict:string:int8:false"'),
    (pa.list_(pa.int32()), 'type: "list" children: [ Field { name: "item" type: "int32" } ]'),
    (pa.large_list(pa.int64()), 'type: "large_list" children: [ Field { name: "item" type: "int64" } ]'),
    (pa.list_(pa.float32(), 2), 'type: "fixed_size_list:float:2"'),
    (pa.struct([("p", pa.int8()), ("q", pa.string())]),
     'type: "struct" children: [ Field { name: "p" type: "int8" } Field { name: "q" type: "string" } ]'),
]


def shown(dataset):
    """Prints fields as the probe does; types from pylance's own protobuf."""
    def varint(data, at):
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value, at

    _, *messages = dataset.lance_schema.__reduce__()[1]
    fields, children = [], {}
    for message in messages:
        field, at = {2: b"", 3: 0, 4: 0, 5: b"", 6: 0}, 0
        while at < len(message):
            tag, at = varint(message, at)
            if tag & 7 == 2:
                size, at = varint(message, at)
                field[tag >> 3], at = message[at:at + size], at + size
            else:
                field[tag >> 3], at = varint(message, at)
        parent = field[4] if field[4] < 2**63 else -1
        children.setdefault(parent, []).append(field)

    def text(parent):
        return " ".join(
            f"{f[2].decode()}:{f[3]}:{f[5].decode()}{'?' if f[6] else ''}" +
            (f"({text(f[3])})" if f[3] in children else "") for f in children.get(parent, []))

    return text(-1)


def files(dataset):
    seen = []
    for fragment in dataset.get_fragments():
        for file in fragment.data_files():
            if list(file.fields) not in seen:
                seen.append(list(file.fields))
    return "".join("".join(f"{number}," for number in file) + " " for file in seen)


def paths(schema_field, above=""):
    path = f"{above}{schema_field.name}"
    out = [(path, schema_field)]
    if pa.types.is_struct(schema_field.type):
        for i in range(schema_field.type.num_fields):
            out += paths(schema_field.type.field(i), path + ".")
    return out


def step(dataset, choose, counter):
    """Returns a random change: its text for the probe, and a function by which pylance makes it."""
    everything = [pair for field in dataset.schema for pair in paths(field)]
    path, field = choose.choice(everything)
    verb = choose.choice(["add", "add null", "drop", "drop", "rename", "cast", "cast", "cast", "nullable", "reorder"])
    if verb in ("add", "add null"):
        kind, text = choose.choice(TYPES)
        name = choose.choice([f"c{counter}", field.name])
        word = f'add|Field {{ name: "{name}" {text} }}|{"values" if verb == "add" else "null"}'
        if verb == "add null":
            return word, lambda: dataset.add_columns(pa.field(name, kind))
        rows = dataset.count_rows()
        column = pa.table([pa.nulls(rows, kind)], schema=pa.schema([pa.field(name, kind)]))
        return word, lambda: dataset.add_columns(pa.RecordBatchReader.from_batches(column.schema, column.to_batches()))
    if verb == "drop":
        return f"drop|{path}", lambda: dataset.drop_columns([path])
    if verb == "rename":
        name = choose.choice([f"r{counter}", field.name, everything[0][1].name])
        return f"rename|{path}|{name}", lambda: dataset.alter_columns({"path": path, "name": name})
    if verb == "cast":
        kind, text = choose.choice(TYPES)
        return (f'cast|{path}|Field {{ name: "x" {text} }}',
                lambda: dataset.alter_columns({"path": path, "data_type": kind}))
    if verb == "nullable":
        return f"nullable|{path}|true", lambda: dataset.alter_columns({"path": path, "nullable": True})
    names = [f.name for f in dataset.schema]
    choose.shuffle(names)

    def reorder():
        from lance.schema import LanceSchema
        metadata, *messages = dataset.lance_schema.__reduce__()[1]
        tops = {f.name(): size(f) for f in dataset.lance_schema.fields()}
        groups, at = {}, 0
        for f in dataset.lance_schema.fields():
            groups[f.name()] = messages[at:at + tops[f.name()]]
            at += tops[f.name()]
        ordered = [message for name in names for message in groups[name]]
        lance.LanceDataset.commit(dataset.uri, lance.LanceOperation.Project(LanceSchema._from_protos(metadata, *ordered)),
                                  read_version=dataset.version)
        dataset.checkout_latest()

    return "reorder|" + "|".join(names), reorder


def size(field):
    return 1 + sum(size(child) for child in field.children())


COLUMNS = {
    "a": pa.array([1, 2], pa.int32()),
    "s": pa.array([{"x": 1, "t": {"y": 1, "z": 2}}] * 2,
                  pa.struct([("x", pa.int32()), ("t", pa.struct([("y", pa.int32()), ("z", pa.int8())]))])),
    "l": pa.array([[1], [2]], pa.list_(pa.int32())),
    "b": pa.array(["u", "v"]),
}


def verb_of(word):
    return word.split("|")[0]


def has_name_twice(fields):
    names = [field.name for field in fields]
    return len(set(names)) < len(names) or any(
        has_name_twice([field.type.field(i) for i in range(field.type.num_fields)]) for field in fields if pa.types.is_struct(field.type))


def is_readable(dataset):
    try:
        lance.dataset(dataset.uri).to_table()
    except Exception:  # noqa: BLE001: pylance's errors have no common class
        return False
    return True


@pytest.mark.parametrize("seed", range(500 if harness.ALL else 25))
def test_evolution(seed, tmp_path):
    choose = random.Random(seed)
    path = tmp_path / "d.lance"
    version = choose.choice(["2.0", "2.1", "2.2"])
    table = pa.table(COLUMNS)
    if seed % 7 == 6:
        table = table.slice(0, 0)
    dataset = lance.write_dataset(table, str(path), data_storage_version=version)
    manifest = tmp_path / "d.manifest"
    shutil.copy(next((path / "_versions").glob("*.manifest")), manifest)
    words = []
    for counter in range(14):
        word, change = step(dataset, choose, counter)
        reason = None
        try:
            change()
        except BaseException as error:  # noqa: BLE001: pylance panics
            reason = str(error)[:200]
            dataset = lance.dataset(str(path))
            if "storing nulls" in reason:  # Only pylance sees the values, which are at fault.
                continue
        if reason is None and verb_of(word) == "cast" and not is_readable(dataset):
            # pylance does it and cannot read the rows afterwards; xwalk refuses, and there is nothing to go on with.
            answer = subprocess.run([PROBE, manifest, *words, word], capture_output=True, text=True)
            assert version == "2.0" and "2.1 or newer" in answer.stdout, (version, word, answer.stdout)
            break
        answer = subprocess.run([PROBE, manifest, *words, word], capture_output=True, text=True)
        if reason is None and "found one that exists" in answer.stdout:
            # pylance gives two members of a struct one name, and adds the members of a second struct to the first; xwalk refuses both.
            assert has_name_twice(dataset.schema) or verb_of(word) == "add" and version == "2.2", (version, word, answer.stdout)
            break
        lines = answer.stdout.split("\n")
        assert (answer.returncode == 0) == (reason is None), (
            f"{version} {word}: pylance {'refuses: ' + reason if reason else 'does it'}, xwalk {lines[0]}\n{shown(dataset)}")
        if reason is None:
            words.append(word)
            assert lines[:3] == [shown(dataset), files(dataset), str(dataset.max_field_id + 1)], f"{version} {words}"
    else:
        # At least some of the changes are possible.
        assert words


PAIR = pa.struct([("x", pa.int64()), ("y", pa.int64())])
NESTED = pa.table({
    "i": pa.array([1], pa.int64()), "s": pa.array([{"x": 1, "y": 2}], PAIR), "o": pa.array([{"x": 1}], pa.struct([("x", pa.int64())])),
    "l": pa.array([[{"x": 1, "y": 2}]], pa.list_(PAIR)), "d": pa.array([{"a": {"x": 1}, "y": 2}], pa.struct(
        [("a", pa.struct([("x", pa.int64())])), ("y", pa.int64())])),
    "m": pa.array([{"l": [1], "y": 2}], pa.struct([("l", pa.list_(pa.int64())), ("y", pa.int64())]))})


def add(path):
    *above, name = path.split(".")
    field = pa.field(name, pa.int32())
    for step in reversed(above):
        field = pa.field(step, pa.struct([field]))
    return ["--add", f"{path}=int32"], lambda dataset: dataset.add_columns(pa.schema([field]))


def cast(path):
    return ["--cast", f"{path}=int32"], lambda dataset: dataset.alter_columns({"path": path, "data_type": pa.int32()})


@pytest.mark.parametrize("version", ["2.0", "2.1", "2.2"])
@pytest.mark.parametrize("rows", [1, 0])
def test_refusals_by_the_version_of_data_files(version, rows, tmp_path):
    outcomes = {}
    for number, (words, change) in enumerate([
            add("w"), add("s.z"), add("o.z"), add("d.a.z"), cast("i"), cast("s.x"), cast("s.y"), cast("o.x"), cast("l.item.x"),
            cast("d.a.x"), cast("m.l.item")]):
        dataset = lance.write_dataset(NESTED.slice(0, rows), str(tmp_path / f"{number}.lance"), data_storage_version=version)
        told = harness.run("evolve", dataset.uri, *words, code=None)
        try:
            change(dataset)
            works = is_readable(dataset)
        except (OSError, ValueError, RuntimeError):
            works = False
        assert told.returncode == (0 if works else 4), (words, works, told.stderr)
        if not works:
            assert f"found {version}" in told.stderr and "--lance-version 2.2" in told.stderr, told.stderr
        outcomes[words[1]] = works
    refused = {word for word, works in outcomes.items() if not works}
    members = {"s.z=int32", "o.z=int32", "d.a.z=int32"}
    unreadable = {"s.x=int32", "s.y=int32", "l.item.x=int32", "d.a.x=int32", "m.l.item=int32"} if rows and version == "2.0" else set()
    assert refused == (set() if version == "2.2" else members) | unreadable, refused


D = decimal.Decimal
PARIS = pa.timestamp("us", "Europe/Paris")
#: Values, their type, another type and its name, and what Lance does to the values: "kept", "altered", or "checked" (refused).
CASTS = [
    ([1e300], pa.float64(), pa.float32(), "float", "altered"), ([0.1], pa.float64(), pa.float32(), "float", "altered"),
    ([70000.0], pa.float32(), pa.float16(), "halffloat", "altered"), ([1.5], pa.float32(), pa.float64(), "double", "kept"),
    ([300], pa.int64(), pa.int8(), "int8", "checked"), ([-1], pa.int64(), pa.uint64(), "uint64", "checked"),
    ([2**63], pa.uint64(), pa.int64(), "int64", "checked"), ([5], pa.int8(), pa.int64(), "int64", "kept"),
    ([D("1.25")], pa.decimal128(5, 2), pa.decimal128(5, 1), "decimal:128:5:1", "altered"),
    ([D("123.45")], pa.decimal128(5, 2), pa.decimal128(4, 2), "decimal:128:4:2", "checked"),
    ([D("123.45")], pa.decimal128(5, 2), pa.decimal256(40, 4), "decimal:256:40:4", "kept"),
    ([1], pa.timestamp("ns"), pa.timestamp("us"), "timestamp:us:-", "altered"),
    ([-1], pa.timestamp("ns"), pa.timestamp("us"), "timestamp:us:-", "altered"),
    ([2**62], pa.timestamp("us"), pa.timestamp("ns"), "timestamp:ns:-", "checked"),
    ([0], pa.timestamp("us"), PARIS, "timestamp:us:Europe/Paris", "altered"),
    ([0], PARIS, pa.timestamp("us"), "timestamp:us:-", "altered"),
    ([86400 * 10**6 + 5], pa.timestamp("us"), pa.date32(), "date32:day", "altered"),
    ([82800 * 10**6], PARIS, pa.date32(), "date32:day", "altered"),
    ([5], pa.timestamp("us"), pa.time64("us"), "time64:us", "altered"),
    ([1], pa.date32(), pa.timestamp("us"), "timestamp:us:-", "kept"),
    ([200000], pa.date32(), pa.timestamp("ns"), "timestamp:ns:-", "altered"),
    ([2**62], pa.timestamp("s"), pa.date32(), "date32:day", "checked"),
    ([5_000_001], pa.time64("us"), pa.time32("ms"), "time32:ms", "altered"),
    ([5], pa.int64(), pa.int8(), "int8", "kept"), ([0.5], pa.float64(), pa.float32(), "float", "kept"),
    ([5_000_000], pa.time64("us"), pa.time32("ms"), "time32:ms", "kept"),
    ([5], pa.time32("s"), pa.time64("ns"), "time64:ns", "kept"),
    ([5_000_001], pa.duration("us"), pa.duration("ms"), "duration:ms", "altered"),
    ([2**60], pa.duration("s"), pa.duration("ns"), "duration:ns", "checked"),
    (["a"], pa.string(), pa.large_string(), "large_string", "kept"),
    ([[1.5, 1e300]], pa.list_(pa.float64(), 2), pa.list_(pa.float32(), 2), "fixed_size_list:float:2", "altered"),
    ([[300]], pa.list_(pa.int64()), pa.list_(pa.int8()), 'Field { type: "list" children: [ Field { name: "item" type: "int8" } ] }',
     "checked"),
]


def instants(column):
    """The values of a column as a reader means them: instants in UTC, local times and days as seconds, the rest as they are."""
    kind = column.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind) or pa.types.is_time(kind) or pa.types.is_duration(kind):
        per_second = 1 if pa.types.is_date32(kind) else {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        numbers = column.cast(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()
        zoned = pa.types.is_timestamp(kind) and kind.tz is not None
        clock = "utc" if zoned else "day" if pa.types.is_time(kind) else "elapsed" if pa.types.is_duration(kind) else "local"
        return clock, [number * (86400 if pa.types.is_date32(kind) else 1) * 10**9 // per_second for number in numbers]
    return "", column.to_pylist()


@pytest.mark.parametrize("values,kind,to,word,expected", CASTS, ids=[f"{kind} to {to} of {values}" for values, kind, to, *_ in CASTS])
def test_what_a_cast_does_to_values(values, kind, to, word, expected, tmp_path):
    stored = pa.array(values, pa.int32() if kind.bit_width == 32 else pa.int64()).view(kind) if (
        isinstance(values[0], int) and not pa.types.is_integer(kind)) else pa.array(values, kind)
    dataset = lance.write_dataset(pa.table({"c": stored}), str(tmp_path / "c.lance"))
    told = json.loads(harness.run("evolve", dataset.uri, "--cast", f"c={word}", "--rows", "--json").stdout)
    work = told["operations"][0]["work"]
    findings = work.get("findings", [])
    try:
        dataset.alter_columns({"path": "c", "data_type": to})
        before, after = instants(stored), instants(lance.dataset(dataset.uri).to_table()["c"].combine_chunks())
        done = "kept" if before == after else "altered"
    except (OSError, ValueError, RuntimeError):
        done = "checked"
    assert done == expected
    assert done == "kept" or done in {finding["values"] for finding in findings}, findings
    assert all(finding["path"] == "c" and finding["lost"] for finding in findings)
    # Rows whose values all change are not counted.
    drops_days = pa.types.is_timestamp(kind) and pa.types.is_time(to)
    if findings and not drops_days and not {"zone.assumed", "zone.dropped"} & {finding["rule"] for finding in findings}:
        assert (work["rows"]["read"], work["rows"]["affected"]) == (1, done != "kept"), work


def test_rows_that_a_change_ends_at(tmp_path):
    """Counted in the rows as they are stored, whatever earlier changes call their columns."""
    kind = pa.struct([("x", pa.int32()), ("y", pa.string())])
    rows = [{"x": 1, "y": "a"}, {"x": 300, "y": None}, {"x": 2, "y": None}]
    dataset = lance.write_dataset(pa.table({"s": pa.array(rows, kind), "n": [1, 2, 3]}), str(tmp_path / "r.lance"))
    done = harness.run("evolve", dataset.uri, "--rename", "s=t", "--cast", "t.x=int8", "--cast", "t.x=int16", "--not-null", "t.y",
                       "--not-null", "n", "--drop", "n", "--rows", "--json")
    found = [one["work"].get("rows") for one in json.loads(done.stdout)["operations"]]
    assert [rows and (rows["read"], rows["affected"], rows.get("first_row")) for rows in found] == [
        None, (3, 1, 1), None, (3, 2, 1), (3, 0, None), None]
    told = harness.run("evolve", dataset.uri, "--cast", "s.x=int8", "--rows").stderr
    assert "  1 of 3 rows; row 1 is the first: expected a value from -128 to 127, found 300\n" in told
    refused = harness.run("evolve", "-", "--from", "yt", "--drop", "a", "--rows", code=2, input="[{name=a;type=int64};{name=b;type=int64}]")
    assert "--rows: expected a Lance dataset, found a schema of yt" in refused.stderr


def test_a_dropped_last_field_takes_its_parents(tmp_path):
    dataset = lance.write_dataset(NESTED, str(tmp_path / "d.lance"))
    told = harness.run("evolve", dataset.uri, "--drop", "d.a.x")
    assert "d.a: is dropped too: no field of it would be left (member.left-out)" in told.stderr, told.stderr
    dataset.drop_columns(["d.a.x"])
    assert dataset.schema.field("d").type == pa.struct([("y", pa.int64())])
