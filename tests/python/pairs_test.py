"""Every system to every other, on real files: all 36 pairs, each result read by the system's own reader.

usage: pairs_test.py XWALK DATA

DATA holds flights-3m.parquet (written by Polars) and nycflights13.parquet (many nulls). The first rows of each go into
all six systems, from each to all six, and what arrives is compared value by value with what pyarrow reads of the
file. YSON and Skiff rows, which have no reader of their own here, are read through Arrow.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
try:
    import lance
    import pyarrow as pa
    import pyarrow.parquet as pq
    import vortex
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
FILES = ["flights-3m.parquet", "nycflights13.parquet"]
SYSTEMS = ["yson", "skiff", "parquet", "lance", "vortex", "arrow"]
ROWS = 20_000


def convert(source, target, *options):
    done = subprocess.run([XWALK, "convert", source, target, *options], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"{source.name} → {target.name}: exit code {done.returncode}: {done.stderr}")


def read(path):
    system = path.suffix[1:]
    if system == "parquet":
        return pq.read_table(path)
    if system == "lance":
        return lance.dataset(str(path)).to_table()
    if system == "vortex":
        return vortex.open(str(path)).to_arrow().read_all()
    if system != "arrow":
        convert(path, path.with_suffix(".read.arrow"), "--overwrite")
        path = path.with_suffix(".read.arrow")
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def values(column):
    """The values to compare, regardless of the layout, the unit and the mark of UTC."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.cast(kind.value_type), kind.value_type
    if pa.types.is_timestamp(kind):
        return column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64())
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or kind == pa.string_view():
        return column.cast(pa.large_string())
    return column


def same(wanted, found):
    if wanted.column_names != found.column_names or wanted.num_rows != found.num_rows:
        return f"expected {wanted.num_rows} rows of {wanted.column_names}, found {found.num_rows} of {found.column_names}"
    for name in wanted.column_names:
        if not values(wanted[name]).combine_chunks().equals(values(found[name]).combine_chunks()):
            return f"column {name}: other values"
    return None


failures = pairs = 0
present = [DATA / name for name in FILES if (DATA / name).exists()]
if not present:
    print(f"SKIPPED: neither {' nor '.join(FILES)} is in {DATA} (tools/setup.sh demo)")
    sys.exit(77)
for file in present:
    wanted = pq.read_table(file).slice(0, ROWS)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in SYSTEMS:
            convert(file, folder / f"from.{source}", "--limit", str(ROWS))
        for source in SYSTEMS:
            for target in SYSTEMS:
                out = folder / f"{source}-to.{target}"
                try:
                    convert(folder / f"from.{source}", out)
                    wrong = same(wanted, read(out))
                except Exception as error:  # noqa: BLE001
                    wrong = f"{type(error).__name__}: {error}"
                pairs += 1
                if wrong:
                    failures += 1
                    print(f"{file.name}: {source} → {target}: {wrong}")
                shutil.rmtree(out) if out.is_dir() else out.unlink(missing_ok=True)
print(f"{pairs} conversions, {failures} wrong")
sys.exit(1 if failures else 0)
