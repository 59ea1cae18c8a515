"""Random evolutions of real datasets, by pylance and by xwalk: the same ids, types and files at every step."""
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
        answer = subprocess.run([PROBE, manifest, *words, word], capture_output=True, text=True)
        lines = answer.stdout.split("\n")
        assert (answer.returncode == 0) == (reason is None), (
            f"{version} {word}: pylance {'refuses: ' + reason if reason else 'does it'}, xwalk {lines[0]}\n{shown(dataset)}")
        if reason is None:
            words.append(word)
            assert lines[:3] == [shown(dataset), files(dataset), str(dataset.max_field_id + 1)], f"{version} {words}"
    # At least some of the changes are possible.
    assert words
