"""Random evolutions of real datasets, by pylance and by xwalk: the same ids, types and files at every step."""
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
try:
    import lance
    import pyarrow as pa
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

PROBE = sys.argv[1]
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-evolution-"))
failures = 0

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
    """Makes one random change; returns the word for it, or None if pylance refused (then also the word)."""
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
applied = refused = 0
for seed in range(int(sys.argv[2]) if len(sys.argv) > 2 else 25):
    choose = random.Random(seed)
    path = FOLDER / f"{seed}.lance"
    version = choose.choice(["2.0", "2.1", "2.2"])
    table = pa.table(COLUMNS)
    if seed % 7 == 6:
        table = table.slice(0, 0)
    dataset = lance.write_dataset(table, str(path), data_storage_version=version)
    manifest = FOLDER / f"{seed}.manifest"
    shutil.copy(next((path / "_versions").glob("*.manifest")), manifest)
    words = []
    for counter in range(14):
        word, change = step(dataset, choose, counter)
        try:
            change()
            living = True
        except BaseException as error:
            living, reason = False, str(error)[:200]
            dataset = lance.dataset(str(path))
            if "storing nulls" in reason:  # the values are at fault, which only pylance sees
                continue
        answer = subprocess.run([PROBE, manifest, *words, word], capture_output=True, text=True)
        ours = answer.returncode == 0
        lines = answer.stdout.split("\n")
        if living != ours:
            failures += 1
            print(f"seed {seed} ({version}) {word}: pylance {'does it' if living else 'refuses: ' + reason}, "
                  f"xwalk {lines[0]}\n   {shown(dataset)}")
            break
        if not living:
            refused += 1
            continue
        applied += 1
        words.append(word)
        expected = [shown(dataset), files(dataset), str(dataset.max_field_id + 1)]
        if lines[:3] != expected:
            failures += 1
            print(f"seed {seed} ({version}) {words}:\n  pylance {expected}\n  xwalk   {lines[:3]}")
            break
print(f"{applied} changes alike, {refused} refused by both")
shutil.rmtree(FOLDER)
sys.exit(1 if failures or applied < 20 else 0)
