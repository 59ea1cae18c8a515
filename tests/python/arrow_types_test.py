"""Arrow types through other systems and back: an Arrow file, to each system that keeps field metadata, and to Arrow.

usage: arrow_types_test.py XWALK
"""
import pathlib
import subprocess
import sys
import tempfile

try:
    import lance  # noqa: F401
    import pyarrow as pa
    import vortex  # noqa: F401
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
ROWS = 1000
COLUMNS = {
    "fixed": pa.array([None if n % 7 == 0 else n.to_bytes(5, "big") for n in range(ROWS)], pa.binary(5)),
    "duration": pa.array([None if n % 5 == 0 else n for n in range(ROWS)], pa.duration("ms")),
    "interval": pa.array([(n, 2 * n, n * 1_000_000) for n in range(ROWS)], pa.month_day_nano_interval()),
    "large": pa.array([None if n % 3 == 0 else f"text {n}" for n in range(ROWS)], pa.large_string()),
    "words": pa.array([None if n % 9 == 0 else f"word {n % 10}" for n in range(ROWS)]).dictionary_encode(),
    "lists": pa.array([None if n % 4 == 0 else [n] * (n % 3) for n in range(ROWS)], pa.large_list(pa.duration("us"))),
    "pairs": pa.array([None if n % 6 == 0 else [n, n + 1] for n in range(ROWS)], pa.list_(pa.int16(), 2)),
    "zone": pa.array(range(ROWS), pa.timestamp("us", "Europe/Berlin")),
    "deep": pa.array([None if n % 8 == 0 else {"f": b"abc", "d": n} for n in range(ROWS)],
                     pa.struct([("f", pa.binary(3)), ("d", pa.duration("s"))])),
}
# What a system stores for good as something else.
CHANGED = {"lance": {"words"}, "vortex": set(), "parquet": {"interval"}}


def convert(source, target, *options):
    done = subprocess.run([XWALK, "convert", source, target, *options], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{source.name} → {target.name}: {done.stderr}")


def read(path):
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


failures = 0
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    table = pa.table(COLUMNS)
    with pa.OSFile(str(folder / "in.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    for system, changed in CHANGED.items():
        convert(folder / "in.arrow", folder / f"rows.{system}")
        convert(folder / f"rows.{system}", folder / f"{system}.arrow")
        back = read(folder / f"{system}.arrow")
        for column in table.column_names:
            wanted, found = table[column], back[column]
            if column not in changed and wanted.type != found.type:
                failures += 1
                print(f"{system}: {column}: expected {wanted.type}, found {found.type}")
            if column == "interval" and found.type != wanted.type:
                continue
            if wanted.to_pylist() != found.to_pylist():
                failures += 1
                print(f"{system}: {column}: other values")
sys.exit(1 if failures else 0)
