"""What the oracle tests of io share: running the copy program, comparing tables."""

import math
import subprocess

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

COPY = harness.needs("tests/xwalk_copy_rows")
harness.needs("libxwalk_parquet.so")
FOLDER = harness.make_folder("oracle")


def path(name):
    return f"{FOLDER}/{name}"


def copy(source, target, **options):
    """Runs the program; returns its stderr. Raises AssertionError when it fails."""
    done = try_copy(source, target, **options)
    assert done.returncode == 0, f"{source} to {target}: {done.stderr}"
    return done.stderr


def try_copy(source, target, **options):
    sources = source if isinstance(source, list) else [source]
    words = [f"{name}={value}" for name, value in options.items()]
    return subprocess.run([COPY, *words, *sources, target], capture_output=True, text=True)


def read_ipc(name):
    with pa.memory_map(name) as file:
        try:
            return pa.ipc.open_file(file).read_all()
        except pa.ArrowInvalid:
            file.seek(0)
            return pa.ipc.open_stream(file).read_all()


def same_value(a, b):
    """Equality of Python values in which NaN equals NaN and -0.0 differs from 0.0."""
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b and math.copysign(1, a) == math.copysign(1, b)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same_value(a[key], b[key]) for key in a)
    return type(a) is type(b) and a == b


def check(name, condition, *detail):
    harness.expect(condition, name, *detail)


def usual(field):
    """Gives every map's entries the usual name: Arrow's C interface passes on no other; and leaves
    out our own annotations."""
    type = field.type
    if pa.types.is_map(type):
        type = pa.map_(usual(type.key_field), usual(type.item_field), type.keys_sorted)
    elif pa.types.is_struct(type):
        type = pa.struct([usual(child) for child in type])
    elif pa.types.is_fixed_size_list(type):
        type = pa.list_(usual(type.value_field), type.list_size)
    elif pa.types.is_large_list(type):
        type = pa.large_list(usual(type.value_field))
    elif pa.types.is_list(type):
        type = pa.list_(usual(type.value_field))
    metadata = {k: v for k, v in (field.metadata or {}).items() if not k.startswith(b"xwalk:")}
    return field.with_type(type).with_metadata(metadata or None)


def check_tables(name, expected, found, metadata=True):
    """Compares schema (types, nullability, metadata) and every value."""
    schemas = [pa.schema([usual(field) for field in table.schema], table.schema.metadata)
               for table in (expected, found)]
    check(f"{name}: schema", schemas[0].equals(schemas[1], check_metadata=metadata),
          f"\nexpected {schemas[0]}\nfound {schemas[1]}")
    check(f"{name}: rows", expected.num_rows == found.num_rows, expected.num_rows, found.num_rows)
    for i, field in enumerate(expected.schema):
        if i >= found.num_columns:
            break
        a, b = expected.column(i), found.column(i)
        equal = False
        try:
            equal = a.equals(b)
        except pa.ArrowNotImplementedError:
            pass
        if not equal:
            equal = same_value(a.to_pylist(), b.to_pylist())
        check(f"{name}: column {field.name}", equal, str(a)[:300], str(b)[:300])
