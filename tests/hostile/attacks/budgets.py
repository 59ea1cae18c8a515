"""Memory and time that follow an input which is small, wide or long (points 8d, 11 and 12)."""
import json
import random

from case import case

WIDE = 5000


def schema_of(columns):
    return "[" + ";".join(f"{{name={name};type_v3={{type_name=optional;item=int64}}}}" for name in columns) + "]"


def columns(count=WIDE):
    return [f"column_{number:04d}" for number in range(count)]


@case("8d.zstd-row")
def zstd_row(here):
    """A row without a schema is one string of 3 GB, 96 kB in zstd."""
    here.make("""
import pyarrow as pa
with pa.output_stream("row.yson.zst", compression="zstd") as out:
    out.write(b'{a="')
    for _ in range(3 << 6):
        out.write(b"x" * (1 << 24))
    out.write(b'"};')
""", "pyarrow")
    for verb in ("schema", "head", "validate"):
        yield here.xwalk(verb, "row.yson.zst", "--max-memory", "16M", exits=3, said="--max-memory", memory=60, seconds=10)


def small_files(here, count):
    for number in range(count):
        here.write(f"many/{number:05d}.json", json.dumps({"a": number, "b": f"text {number}"}) + "\n")


@case("8d.many-json-memory")
def many_json(here):
    """Memory of a folder does not grow by more than 4 kB for each file."""
    small_files(here, 500)
    few = yield here.xwalk("info", "many")
    small_files(here, 8000)
    many = yield here.xwalk("info", "many")
    growth = (many.memory - few.memory) / 7.5
    here.expect(growth < 4, f"{growth:.1f} kB for each file")


@case("8d.keyed-diff")
def keyed_diff(here):
    """Rows of 30 kB are compared by key: they are sorted and merged within --max-memory, in temporary files beyond that."""
    for name, letter in (("left", "x"), ("right", "y")):
        here.write(f"{name}.jsonl", "".join(f'{{"id":{number},"a":"{letter * 30_000}{number}"}}\n' for number in range(6000)))
    for key in ("id", "a"):
        # The largest part is pages of the temporary files, which the system takes back.
        yield here.xwalk("diff", "left.jsonl", "right.jsonl", "--rows", "--key", key, "--max-memory", "64M", "--output", "json", exits=1,
                         memory=780, seconds=20)


@case("8d.two-sides")
def two_sides(here):
    """Two Parquet files whose row groups of 40 columns take 40 MB each: `diff --rows` divides --max-memory between them."""
    here.make("""
import pyarrow as pa, pyarrow.parquet as pq
rows = 60_000
for side in ("left", "right"):
    wide = {f"c{number}": pa.array(["v" * 40] * (rows - 1) + [side]) for number in range(40)}
    pq.write_table(pa.table({"id": pa.array(range(rows)), **wide}), f"{side}.parquet", row_group_size=20_000, use_dictionary=False, compression="zstd")
""", "pyarrow")
    both = ("diff", "left.parquet", "right.parquet", "--rows", "--output", "json", "--max-memory")
    yield here.xwalk("convert", "left.parquet", "-", "--to", "yson", "--max-memory", "64M", "--threads", "1", memory=120, seconds=5)
    yield here.xwalk(*both, "64M", exits=3, said="--max-memory", memory=145, seconds=5)
    for key in ((), ("--key", "id")):
        yield here.xwalk(*both, "128M", *key, exits=1, memory=400 if key else 210, seconds=20)


@case("11.wide-empty-rows")
def wide_empty(here):
    """65,001 rows without values in a table of 5,000 columns; `head` shows ten."""
    here.write("wide.yson", b"{};\n" * 65_001, schema_of(columns()))
    yield here.xwalk("head", "wide.yson", memory=150, seconds=3)
    yield here.xwalk("convert", "wide.yson", "-", "--to", "json", "--limit", "10", memory=150, seconds=3)


@case("11.wide-sparse")
def wide_sparse(here):
    """5,000 columns whose rows have 20 values each: commands that read ten rows decode no more."""
    sparse_rows(here, 20_000)
    yield here.xwalk("head", "sparse.yson", memory=150, seconds=3)
    yield here.xwalk("schema", "sparse.yson", memory=150, seconds=3)


@case("11.wide-sparse-parquet")
def wide_sparse_parquet(here):
    """The same rows to Parquet, by two threads: batches that wait, levels of pages and tables of distinct values are bounded."""
    sparse_rows(here, 60_000)
    yield here.xwalk("convert", "sparse.yson", "out.parquet", "--threads", "2", memory=680, seconds=60, leaves="out.parquet")


@case("11.wide-below-lists")
def wide_below_lists(here):
    """5,000 members that no row has, below a struct and below lists, to Parquet: each member has levels for each null and each empty list."""
    members = ";".join(f"{{name={name};type=int64}}" for name in columns())
    struct = f"{{type_name=struct;members=[{members}]}}"
    for name, kind, row in (("struct", struct, "{};"), ("list", f"{{type_name=list;item={struct}}}", "{a=[]};")):
        here.write(f"{name}.yson", row * 20_000, f"[{{name=a;type_v3={{type_name=optional;item={kind}}}}}]")
        yield here.xwalk("convert", f"{name}.yson", f"{name}.parquet", "--max-memory", "64M", memory=680, seconds=30,
                         leaves=f"{name}.parquet")
    here.write("lists.yson", "{a=[" + "[];" * 60_000 + "]};", f"[{{name=a;type_v3={{type_name=list;item={{type_name=list;item={struct}}}}}}}]")
    yield here.xwalk("convert", "lists.yson", "lists.parquet", "--max-memory", "64M", exits=4, memory=300, seconds=10,
                     said="empty lists in all columns of Parquet below them")


def sparse_rows(here, count):
    names = columns()
    random.seed(11)
    rows = []
    for row in range(count):
        first = random.randrange(WIDE)
        rows.append("{" + ";".join(f"{names[(first + value * 251) % WIDE]}={row + value}" for value in range(20)) + "};\n")
    here.write("sparse.yson", "".join(rows), schema_of(names))


@case("12.many-files")
def many_files(here):
    """A folder of 5,000 JSON files is read in the processor time of 5,000 small files."""
    small_files(here, 5000)
    yield here.xwalk("info", "many", memory=100, seconds=5)
    yield here.xwalk("convert", "many", "out.yson", memory=150, seconds=10, leaves=("out.yson", "out.yson.schema"))
    done = yield here.xwalk("info", "out.yson", "--scan", "--json")
    here.expect(json.loads(done.stdout)["rows"] == 5000, done.stdout)


@case("12.many-parquet-files")
def many_parquet(here):
    """A folder of 1,500 Parquet files, to YSON and to one Parquet file with all of their rows in order."""
    here.make("""
import os, pyarrow as pa, pyarrow.parquet as pq
os.mkdir("many")
for n in range(1500):
    pq.write_table(pa.table({"a": [n, n + 1], "b": [f"text {n}", None]}), f"many/{n:05d}.parquet")
""", "pyarrow")
    yield here.xwalk("info", "many", memory=120, seconds=5, said="3,000")
    yield here.xwalk("convert", "many", "out.yson", memory=200, seconds=10, leaves=("out.yson", "out.yson.schema"))
    yield here.xwalk("convert", "many", "out.parquet", memory=200, seconds=5, leaves="out.parquet")
    yield here.xwalk("diff", "out.yson", "out.parquet", "--rows", said="3,000")
    done = yield here.xwalk("info", "out.parquet", "--json")
    here.expect(json.loads(done.stdout)["rows"] == 3000, done.stdout)
