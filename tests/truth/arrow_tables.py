"""Random tables of Arrow, Parquet, Lance and Vortex, made with boundary values and written by their own packages."""
import shutil
import warnings
from decimal import Decimal, localcontext

import pyarrow as pa
import pyarrow.parquet as pq

warnings.filterwarnings("ignore")

INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
ZONES = [None, "UTC", "Europe/Berlin", "+05:30"]
TEXTS = ["", "a", "ä€𝄞", "\u0000", "a\nb", " ", "1e400", "{}", "x" * 17, "null"]
BYTES = [b"", b"a", b"\xff\xfe", b"\x00", b"{a=1}", b"\x01\x02a", b"#"]


#: Names that some system, or some part of a path, gives a meaning of its own.
NAMES = ["a", "b", "c", "d", "e", "f", "A", "long name", "ä", "Ä", "value", "item", "key", "list", "element", "x.y", "x_y", "$x", 'q"',
         "[]", "{key}", "<a>", "\\", "a b\n", "\u2028", "0", "x" * 300, "'", "`a`", "_rowid", "-", "#", "%true"]


def leaf(rng, system):
    unit = rng.choice(["s", "ms", "us", "ns"])
    kinds = [
        *INTEGERS, pa.bool_(), pa.float32(), pa.float64(), pa.string(), pa.binary(), pa.date32(),
        pa.timestamp(unit, rng.choice(ZONES)), pa.decimal128(rng.randint(2, 38), 2 if rng.random() < 0.5 else 0),
        pa.large_string(), pa.large_binary(), pa.binary(rng.randint(1, 20)), pa.float16(),
        pa.time32(rng.choice(["s", "ms"])), pa.time64(rng.choice(["us", "ns"])), pa.null(),
        pa.decimal256(rng.randint(39, 76), rng.randint(0, 38)), pa.decimal128(rng.randint(2, 38), 1),
    ]
    if system != "vortex":
        kinds += [pa.duration(unit), pa.date64()]
    if system == "arrow":
        kinds += [pa.string_view(), pa.binary_view(), pa.month_day_nano_interval(), pa.uuid(), pa.json_()]
    if system in ("arrow", "parquet"):
        kinds += [pa.dictionary(rng.choice(INTEGERS[:4]), rng.choice([pa.string(), pa.int64(), pa.binary()]))]
    return rng.choice(kinds)


def field_of(rng, name, kind):
    metadata = {f"m{rng.randrange(10**6)}": rng.choice(["", "1", "ä"])} if rng.random() < 0.1 else None
    return pa.field(name, kind, nullable=rng.random() < 0.7 or pa.types.is_null(kind), metadata=metadata)


def kind_of(rng, system, depth=0):
    if depth >= 3 or rng.random() < 0.55:
        return leaf(rng, system)

    def child(name="item"):
        return field_of(rng, name, kind_of(rng, system, depth + 1))

    makers = [
        lambda: pa.list_(child()),
        lambda: pa.struct([child(name) for name in rng.sample(NAMES, rng.randint(1, 3))]),
    ]
    if system != "vortex":
        makers.append(lambda: pa.map_(rng.choice([pa.string(), pa.int64(), pa.int8(), pa.binary()]), child("value")))
        makers.append(lambda: pa.large_list(child()))
    makers.append(lambda: pa.list_(child(), rng.randint(1, 3)))
    if system == "arrow":
        makers.append(lambda: pa.list_view(child()))
        makers.append(lambda: pa.run_end_encoded(pa.int32(), leaf(rng, "vortex")))
        # pyarrow makes unions of nullable children only.
        makers.append(lambda: pa.union([child(name).with_nullable(True) for name in rng.sample(["a", "b", "c"], 2)],
                                       rng.choice(["dense", "sparse"])))
    return rng.choice(makers)()


def _mask(rng, count, nullable):
    return [nullable and rng.random() < 0.25 for _ in range(count)]


def _whole(rng, low, high, count, nullable):
    edges = [low, high, 0, 1, low + 1, high - 1]
    pick = [rng.choice(edges) if rng.random() < 0.5 else rng.randint(low, high) for _ in range(count)]
    small = [rng.randint(max(low, -5), min(high, 100)) for _ in range(count)]
    values = small if rng.random() < 0.5 else pick
    return [None if gone else max(low, min(high, value))
            for value, gone in zip(values, _mask(rng, count, nullable))]


def _lengths(rng, count, mask):
    return [0 if gone else rng.randint(0, 3) for gone in mask]


def _offsets(lengths):
    out = [0]
    for length in lengths:
        out.append(out[-1] + length)
    return out


def array_of(rng, kind, count, nullable):
    """A random array of a type; null values only if they are allowed."""
    if isinstance(kind, pa.JsonType):
        texts = ["1", "null", '{"a":[1,2.5,"x"]}', '"\\u00e4"', "[]", "-0.0", "1e3"]
        storage = pa.array([None if gone else rng.choice(texts) for gone in _mask(rng, count, nullable)], pa.string())
        return pa.ExtensionArray.from_storage(kind, storage)
    if isinstance(kind, pa.BaseExtensionType):
        return pa.ExtensionArray.from_storage(kind, array_of(rng, kind.storage_type, count, nullable))
    if pa.types.is_null(kind):
        return pa.nulls(count)
    if pa.types.is_integer(kind):
        signed, bits = pa.types.is_signed_integer(kind), kind.bit_width
        low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
        return pa.array(_whole(rng, low, high, count, nullable), kind)
    if pa.types.is_boolean(kind):
        return pa.array([None if gone else rng.random() < 0.5 for gone in _mask(rng, count, nullable)], kind)
    if kind == pa.float16():
        return pa.array(_whole(rng, 0, 0x7BFF, count, nullable), pa.uint16()).view(kind)
    if pa.types.is_floating(kind):
        pool = [0.0, -0.0, 1.5, float("inf"), float("-inf"), float("nan"), 2.0**-126, -1.0]
        pool += [1e308, 5e-324, 0.1] if kind == pa.float64() else [2.0**127]
        return pa.array([None if gone else rng.choice(pool) for gone in _mask(rng, count, nullable)], kind)
    if pa.types.is_decimal(kind):
        top = 10**kind.precision - 1
        with localcontext() as context:
            context.prec = 100
            values = [None if value is None else Decimal(value).scaleb(-kind.scale)
                      for value in _whole(rng, -top, top, count, nullable)]
        return pa.array(values, kind)
    if kind == pa.date32():
        return pa.array(_whole(rng, -(2**31), 2**31 - 1, count, nullable) if rng.random() < 0.2 else
                        _whole(rng, -100_000, 100_000, count, nullable), pa.int32()).view(kind)
    if kind == pa.date64():
        days = _whole(rng, -100_000, 100_000, count, nullable)
        return pa.array([None if day is None else day * 86_400_000 for day in days], pa.int64()).view(kind)
    if pa.types.is_time32(kind) or pa.types.is_time64(kind):
        per_day = 86_400 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        raw = pa.array(_whole(rng, 0, per_day - 1, count, nullable), pa.int64())
        return (raw.cast(pa.int32()) if pa.types.is_time32(kind) else raw).view(kind)
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        wide = rng.random() < 0.3
        bound = 2**63 - 1 if wide else 4 * 10**9 * {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        return pa.array(_whole(rng, -min(bound, 2**63 - 1), min(bound, 2**63 - 1), count, nullable), pa.int64()).view(kind)
    if pa.types.is_interval(kind):
        return pa.array([None if gone else pa.MonthDayNano([rng.randint(-50, 50), rng.randint(-50, 50), rng.randint(-9, 9)])
                         for gone in _mask(rng, count, nullable)], kind)
    if pa.types.is_fixed_size_binary(kind):
        return pa.array([None if gone else rng.randbytes(kind.byte_width) for gone in _mask(rng, count, nullable)], kind)
    if pa.types.is_dictionary(kind):
        values = array_of(rng, kind.value_type, 3, False).unique()
        at = [None if gone else rng.randrange(len(values)) for gone in _mask(rng, count, nullable)]
        return pa.DictionaryArray.from_arrays(pa.array(at, kind.index_type), values)
    if pa.types.is_run_end_encoded(kind):
        ends, values = list(range(2, count, 2)) + ([count] if count else []), None
        values = array_of(rng, kind.value_type, len(ends), nullable)
        return pa.RunEndEncodedArray.from_arrays(pa.array(ends, kind.run_end_type), values)
    if pa.types.is_struct(kind):
        fields = [kind.field(i) for i in range(kind.num_fields)]
        children = [array_of(rng, field.type, count, field.nullable) for field in fields]
        return pa.StructArray.from_arrays(children, fields=fields, mask=pa.array(_mask(rng, count, nullable), pa.bool_()))
    if pa.types.is_fixed_size_list(kind):
        values = array_of(rng, kind.value_type, count * kind.list_size, kind.value_field.nullable)
        return pa.FixedSizeListArray.from_arrays(values, type=kind,
                                                 mask=pa.array(_mask(rng, count, nullable), pa.bool_()))
    if pa.types.is_union(kind):
        codes = [rng.randrange(kind.num_fields) for _ in range(count)]
        fields = [kind.field(i) for i in range(kind.num_fields)]
        names = [field.name for field in fields]
        if kind.mode == "sparse":
            children = [array_of(rng, field.type, count, field.nullable) for field in fields]
            made = pa.UnionArray.from_sparse(pa.array(codes, pa.int8()), children, names)
        else:
            children = [array_of(rng, field.type, codes.count(i), field.nullable) for i, field in enumerate(fields)]
            at = [codes[:row].count(code) for row, code in enumerate(codes)]
            made = pa.UnionArray.from_dense(pa.array(codes, pa.int8()), pa.array(at, pa.int32()), children, names)
        return made
    mask = _mask(rng, count, nullable)
    if pa.types.is_map(kind):
        lengths = _lengths(rng, count, mask)
        keys = []
        for length in lengths:
            own = {}
            while len(own) < length:
                for key in array_of(rng, kind.key_type, 1, False).to_pylist():
                    own[key] = True
            keys += own
        values = array_of(rng, kind.item_type, len(keys), kind.item_field.nullable)
        return pa.MapArray.from_arrays(pa.array(_offsets(lengths), pa.int32()), pa.array(keys, kind.key_type), values,
                                       type=kind, mask=pa.array(mask, pa.bool_()))
    if isinstance(kind, pa.ListViewType):
        lengths = _lengths(rng, count, mask)
        values = array_of(rng, kind.value_type, sum(lengths), kind.value_field.nullable)
        return pa.ListViewArray.from_arrays(pa.array(_offsets(lengths)[:-1], pa.int32()), pa.array(lengths, pa.int32()),
                                            values, type=kind, mask=pa.array(mask, pa.bool_()))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        lengths = _lengths(rng, count, mask)
        values = array_of(rng, kind.value_type, sum(lengths), kind.value_field.nullable)
        cls, offset = (pa.LargeListArray, pa.int64()) if pa.types.is_large_list(kind) else (pa.ListArray, pa.int32())
        return cls.from_arrays(pa.array(_offsets(lengths), offset), values, type=kind, mask=pa.array(mask, pa.bool_()))
    pool = BYTES if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or kind == pa.binary_view() else TEXTS
    return pa.array([None if gone else rng.choice(pool) for gone in mask], kind)


def column_of(rng, system, name, rows):
    field = field_of(rng, name, kind_of(rng, system))
    made = array_of(rng, field.type, rows, field.nullable)
    return field.with_type(made.type), made


def write(system, table, path):
    """Writes with the system's own package. Raises what that raises for types it does not know."""
    if system == "parquet":
        # A path would be looked for in every file system that pyarrow knows.
        with pa.OSFile(str(path), "wb") as file:
            pq.write_table(table, file, version="2.6", row_group_size=7, store_schema=table.num_columns % 2 == 0)
    elif system == "arrow":
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table, max_chunksize=5)
    elif system == "lance":
        import lance

        lance.write_dataset(table, str(path), data_storage_version="2.1")
    else:
        import vortex

        vortex.io.write(table, str(path))


ONE_THREAD = pa.ipc.IpcReadOptions(use_threads=False)


def read(system, path):
    """Reads with the system's own package."""
    if system == "parquet":
        with open(path, "rb") as file:
            return pq.ParquetFile(pa.py_buffer(file.read()), pre_buffer=False).read(use_threads=False)
    if system == "arrow":
        with open(path, "rb") as file:
            return pa.ipc.open_file(pa.py_buffer(file.read()), options=ONE_THREAD).read_all()
    if system == "lance":
        import lance

        return lance.dataset(str(path)).to_table()
    import vortex

    return vortex.open(str(path)).to_arrow().read_all()


def make(rng, system, path, columns, rows):
    """Writes a random table; a column that the package does not take is left out."""
    made = [column_of(rng, system, name, rows) for name in rng.sample(NAMES, columns)]
    made = [(labelled(field, at) if rng.random() < 0.2 else field, array) for at, (field, array) in enumerate(made)]
    metadata = {"made by": "hand", "k": rng.choice(["", "v", "{}"])} if rng.random() < 0.2 else None
    if takes(system, made, metadata, path):
        return
    made = [column for column in made if takes(system, [column], None, path)]
    if not made:
        made = [(pa.field("a", pa.int64()), pa.array(list(range(rows)), pa.int64()))]
    remove(path)
    write(system, table_of(made, metadata), path)


def labelled(field, at):
    return field.with_metadata({**(field.metadata or {}), "note": "x", "PARQUET:field_id": str(at + 5)})


def table_of(columns, metadata):
    return pa.table([array for _, array in columns], schema=pa.schema([field for field, _ in columns], metadata))


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def takes(system, columns, metadata, path):
    """Writes columns; says whether the package took them, and reads what it wrote."""
    remove(path)
    table = table_of(columns, metadata)
    if system == "arrow":
        write(system, table, path)
        return True
    try:
        write(system, table, path)
        return system == "parquet" or read(system, path).num_rows == table.num_rows
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001: errors and panics: the package does not take this type
        return False


def without(system, source, target, columns=None, rows=None):
    """Writes a copy of a file with some columns, or some rows, only."""
    table = read(system, source)
    if columns is not None:
        table = table.select(columns)
    if rows is not None:
        table = table.slice(rows[0], rows[1])
    write(system, table.combine_chunks(), target)


__all__ = ["make", "read", "without"]
