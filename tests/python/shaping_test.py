"""Which columns and rows come: exclude, sample and tail in every system, program and module.

usage: shaping_test.py XWALK DATA

A sample depends on the numbers of the rows and the seed alone: so it is the same in every system, with any number of
threads and any size of batches, through a pipe and in several files.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
package = pathlib.Path(XWALK).parent / "python"
sys.path.insert(0, str(package))
os.environ.setdefault("PYTHONPATH", str(package))
import xwalk  # noqa: E402

SYSTEMS = ["parquet", "yson", "skiff", "lance", "vortex", "arrow"]
ROWS = 20_000
failures = []


def check(what, found, expected):
    if found != expected:
        failures.append(what)
        print(f"FAILED {what}: found {str(found)[:300]}, expected {str(expected)[:300]}")


def rows(path, *options):
    """Rows of a file by `convert`, as pyarrow reads them."""
    out = path.parent / "out.arrow"
    done = subprocess.run([XWALK, "convert", path, out, "--overwrite", *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{path.name} {options}: {done.stderr}")
    with pa.memory_map(str(out)) as file:
        return pa.ipc.open_file(file).read_all()


def refused(path, *options):
    done = subprocess.run([XWALK, "head", path, *options], capture_output=True, text=True)
    return done.returncode, done.stderr.splitlines()[:1]


def columns(path):
    check(f"{path.name}: exclude", rows(path, "--exclude", "text,who.name").schema.names, ["id", "who", "items"])
    cut = rows(path, "--exclude", "who.name,items.a", "--limit", "3")
    check(f"{path.name}: member", [field.name for field in cut.schema.field("who").type], ["age"])
    check(f"{path.name}: member of items", [field.name for field in cut.schema.field("items").type.value_type], ["b"])
    check(f"{path.name}: values", cut["who"].to_pylist(), [{"age": row} for row in range(3)])
    check(f"{path.name}: select and exclude", rows(path, "--select", "who,id", "--exclude", "who.age,text").schema.names,
          ["who", "id"])
    check(f"{path.name}: a whole struct", rows(path, "--exclude", "who.age,who.name").schema.names, ["id", "text", "items"])
    for name in ("txet", "who.nmae"):
        check(f"{path.name}: {name}", refused(path, "--exclude", name),
              (2, [f"xwalk: error: there is no column {name}"]))
    check(f"{path.name}: none left", refused(path, "--exclude", "id,text,who,items"),
          (2, ["xwalk: error: no column is left of those there are"]))
    check(f"{path.name}: module", xwalk.open(path, exclude=["text", "items"]).schema.names, ["id", "who"])


def samples(path, wanted):
    for options in (["--sample", "500"], ["--sample", "500", "--threads", "1", "--batch-rows", "777"]):
        check(f"{path.name}: {options}", rows(path, *options)["id"].to_pylist(), wanted["500"])
    check(f"{path.name}: share", rows(path, "--sample", "2.5%", "--seed", "7")["id"].to_pylist(), wanted["2.5%"])
    check(f"{path.name}: all", rows(path, "--sample", "100%").num_rows, ROWS)
    check(f"{path.name}: more than all", rows(path, "--sample", "30000").num_rows, ROWS)
    check(f"{path.name}: none", [rows(path, "--sample", none).num_rows for none in ("0", "0%")], [0, 0])
    check(f"{path.name}: module", pa.table(xwalk.open(path, sample="500"))["id"].to_pylist(), wanted["500"])
    check(f"{path.name}: limit of a sample", rows(path, "--sample", "500", "--limit", "7")["id"].to_pylist(),
          wanted["500"][:7])


def tails(path):
    for number in (0, 9, 5000, ROWS + 1):
        check(f"{path.name}: tail {number}", rows(path, "--tail", str(number))["id"].to_pylist(),
              list(range(max(0, ROWS - number), ROWS)))
    shown = subprocess.run([XWALK, "tail", path, "-n", "2", "--as", "json", "--select", "id"], capture_output=True, text=True)
    check(f"{path.name}: tail", shown.stdout, f'{{"id":{ROWS - 2}}}\n{{"id":{ROWS - 1}}}\n')
    check(f"{path.name}: tail and limit", rows(path, "--tail", "10", "--limit", "2")["id"].to_pylist(), [ROWS - 10, ROWS - 9])
    check(f"{path.name}: module tail", pa.table(xwalk.open(path, tail=3))["id"].to_pylist(), list(range(ROWS - 3, ROWS)))


def main():
    table = pa.table({"id": range(ROWS), "text": [f"row {row}" for row in range(ROWS)],
                      "who": [{"name": "x", "age": row} for row in range(ROWS)],
                      "items": [[{"a": 1, "b": row}] * (row % 3) for row in range(ROWS)]})
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        first = folder / "rows.parquet"
        pq.write_table(table, first, row_group_size=3000)
        wanted = {"500": rows(first, "--sample", "500")["id"].to_pylist(),
                  "2.5%": rows(first, "--sample", "2.5%", "--seed", "7")["id"].to_pylist()}
        check("500 rows", (len(set(wanted["500"])), sorted(wanted["500"])), (500, wanted["500"]))
        check("a share", 400 < len(wanted["2.5%"]) < 600, True)
        check("spread", all(any(at <= row < at + 2000 for row in wanted["500"]) for at in range(0, ROWS, 2000)), True)
        check("another seed", rows(first, "--sample", "500", "--seed", "1")["id"].to_pylist() != wanted["500"], True)
        for system in SYSTEMS:
            path = folder / f"rows.{system}"
            if system != "parquet":
                subprocess.run([XWALK, "convert", first, path], check=True, capture_output=True)
            columns(path)
            samples(path, wanted)
            tails(path)
        parts = folder / "parts"
        parts.mkdir()
        for at in range(0, ROWS, 6000):
            pq.write_table(table.slice(at, 6000), parts / f"{at:05}.parquet")
        samples(parts, wanted)
        tails(parts)
        schema = (folder / "rows.yson.schema").read_text()
        piped = subprocess.run([XWALK, "head", "-", "-n", "3", "--from", "yson", "--schema", schema, "--as", "json", "--sample",
                                "500", "--exclude", "text,who,items"], input=(folder / "rows.yson").read_bytes(),
                               capture_output=True)
        check("a pipe", piped.stdout.decode().split(), [f'{{"id":{row}}}' for row in wanted["500"][:3]])
        for bad in ("x", "-1", "101%", "%", "1.5"):
            check(f"sample {bad}", refused(first, f"--sample={bad}")[0], 2)
    print(f"{len(failures)} failures" if failures else "every requested column and row came")
    return 1 if failures else 0


sys.exit(main())
