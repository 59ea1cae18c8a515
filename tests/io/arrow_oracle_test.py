"""Arrow IPC files and streams of every layout that pyarrow writes come back as they were."""

import decimal

import pytest
from oracle import *


def every_layout(n=3000):
    def nulls(values):
        return [None if i % 7 == 3 else value for i, value in enumerate(values)]

    text = nulls([f"some longer text {i % 50}" for i in range(n)])
    lists = nulls([list(range(i % 5)) for i in range(n)])
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([n // 2, n], pa.int32()), pa.array(["a", None]))
    dense = pa.UnionArray.from_dense(
        pa.array([i % 2 for i in range(n)], pa.int8()),
        pa.array([i // 2 for i in range(n)], pa.int32()),
        [pa.array(range((n + 1) // 2), pa.int64()), pa.array([str(i) for i in range(n // 2)])])
    sparse = pa.UnionArray.from_sparse(
        pa.array([i % 2 for i in range(n)], pa.int8()), [pa.array(range(n), pa.int64()), pa.array(text)])
    columns = {
        "view": pa.array(text, pa.string_view()),
        "binary_view": pa.array([None if t is None else t.encode() for t in text], pa.binary_view()),
        "large": pa.array(text, pa.large_string()),
        "dictionary": pa.array(text).dictionary_encode(),
        "list_of_dictionary": pa.ListArray.from_arrays(
            pa.array(range(n + 1), pa.int32()), pa.array(text).dictionary_encode()),
        "list_view": pa.array(lists, pa.list_view(pa.int64())),
        "large_list_view": pa.array(lists, pa.large_list_view(pa.int64())),
        "runs": runs,
        "dense": dense,
        "sparse": sparse,
        "decimal32": pa.array(nulls([decimal.Decimal(i) for i in range(n)]), pa.decimal32(9, 0)),
        "decimal64": pa.array(nulls([decimal.Decimal(i) for i in range(n)]), pa.decimal64(18, 0)),
        "interval": pa.array(nulls([pa.MonthDayNano([i, 2, 3]) for i in range(n)])),
        "map": pa.array(nulls([[(str(j), j) for j in range(i % 3)] for i in range(n)]),
                        pa.map_(pa.string(), pa.int32(), keys_sorted=True)),
        "empty_struct": pa.array([{}] * n, pa.struct([])),
        "null": pa.nulls(n),
    }
    schema = pa.schema([pa.field(k, v.type, metadata={"k": k}) for k, v in columns.items()],
                       metadata={"schema": "level"})
    return pa.table(list(columns.values()), schema=schema)


def write(table, name, stream, **options):
    maker = pa.ipc.new_stream if stream else pa.ipc.new_file
    with maker(name, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=1100)


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("stream", [False, True], ids=["file", "stream"])
def test_every_layout(stream, compression):
    table = every_layout()
    write(table, path("in.arrow"), stream, compression=compression)
    for target in ("out.arrow", "out.arrows"):
        for codec in ("", "zstd", "lz4"):
            copy(path("in.arrow"), path(target), compression=codec)
            check_tables(f"{target} {codec}", table, read_ipc(path(target)))
            read_ipc(path(target)).validate(full=True)


def test_slices():
    """Slices of batches, empty tables, no columns, standard input and output."""
    table = every_layout()
    write(table, path("in.arrow"), False)
    copy(path("in.arrow"), path("out.arrow"), batch_rows=77, threads=2)
    check_tables("small batches", table, read_ipc(path("out.arrow")))
    copy(path("in.arrow"), path("out.arrow"), limit=1234)
    check_tables("limit", table.slice(0, 1234), read_ipc(path("out.arrow")))
    copy(path("in.arrow"), path("out.arrow"), select="null,dictionary")
    check_tables("select", table.select(["null", "dictionary"]), read_ipc(path("out.arrow")))
    write(table.slice(0, 0), path("in.arrow"), False)
    copy(path("in.arrow"), path("out.arrow"))
    check_tables("empty", table.slice(0, 0), read_ipc(path("out.arrow")))
    with pa.ipc.new_stream(path("in.arrow"), pa.schema([])) as writer:
        writer.write_batch(pa.RecordBatch.from_struct_array(pa.array([{}] * 5, pa.struct([]))))
    copy(path("in.arrow"), path("out.arrows"))
    check("no columns", read_ipc(path("out.arrows")).num_rows == 5)


def test_pipes():
    table = every_layout()
    write(table, path("in.arrow"), True)
    with open(path("in.arrow"), "rb") as source, open(path("piped.arrows"), "wb") as target:
        done = subprocess.run([COPY, "to=arrow", "-", "-"], stdin=source, stdout=target)
    check("pipe", done.returncode == 0)
    check_tables("pipe", table, read_ipc(path("piped.arrows")))
    # A true pipe has no size and no end to read from.
    with open(path("piped.arrows"), "wb") as target:
        feeder = subprocess.Popen(["cat", path("in.arrow")], stdout=subprocess.PIPE)
        done = subprocess.run([COPY, "to=arrow", "-", "-"], stdin=feeder.stdout, stdout=target)
        feeder.wait()
    check("true pipe", done.returncode == 0)
    check_tables("true pipe", table, read_ipc(path("piped.arrows")))
    for extension in (".gz", ".zst"):
        copy(path("in.arrow"), path("out.arrows" + extension))
        with open(path("out.arrows" + extension), "rb") as file:
            check("compressed", file.read(2) in (b"\x1f\x8b", b"\x28\xb5"))
        copy(path("out.arrows" + extension), path("out.arrow"))
        check_tables(f"compressed {extension}", table, read_ipc(path("out.arrow")))


def test_replaced_dictionaries():
    """A dictionary that is replaced from batch to batch: a stream may, a file may only grow one."""
    batches = [pa.record_batch({"d": pa.array([f"{i}-{j % 3}" for j in range(10)]).dictionary_encode()})
               for i in range(3)]
    with pa.ipc.new_stream(path("in.arrow"), batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    copy(path("in.arrow"), path("out.arrows"))
    check("replaced dictionaries", read_ipc(path("out.arrows")).to_pylist()
          == pa.Table.from_batches(batches).to_pylist())
    copy(path("in.arrow"), path("out.arrow"))
    check("replaced dictionaries in a file", read_ipc(path("out.arrow")).to_pylist()
          == pa.Table.from_batches(batches).to_pylist())
