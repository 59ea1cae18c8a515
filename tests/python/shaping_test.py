"""Which columns and rows come: exclude, sample and tail in every system, program and module.

A sample depends on the numbers of the rows and the seed alone: so it is the same in every system, with any number of
threads and any size of batches, through a pipe and in several files.
"""
import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq
harness.use_module()
import xwalk  # noqa: E402

SYSTEMS = ["parquet", "yson", "skiff", "lance", "vortex", "arrow"]
ROWS = 20_000


def rows(path, *options):
    """Rows of a file by `convert`, as pyarrow reads them."""
    out = path.parent / "out.arrow"
    harness.run("convert", path, out, "--overwrite", *options)
    with pa.memory_map(str(out)) as file:
        return pa.ipc.open_file(file).read_all()


def refused(path, *options):
    done = harness.run("head", path, *options, codes=None)
    return done.returncode, done.stderr.splitlines()[:1]


@pytest.fixture(scope="module")
def inputs():
    """A folder with a table as a file of each system, and as several files in `parts`."""
    table = pa.table({"id": range(ROWS), "text": [f"row {row}" for row in range(ROWS)],
                      "who": [{"name": "x", "age": row} for row in range(ROWS)],
                      "items": [[{"a": 1, "b": row}] * (row % 3) for row in range(ROWS)]})
    folder = harness.make_folder("shaping")
    pq.write_table(table, folder / "rows.parquet", row_group_size=3000)
    for system in SYSTEMS[1:]:
        harness.run("convert", folder / "rows.parquet", folder / f"rows.{system}")
    (folder / "parts").mkdir()
    for at in range(0, ROWS, 6000):
        pq.write_table(table.slice(at, 6000), folder / "parts" / f"{at:05}.parquet")
    return folder


@pytest.fixture(scope="module")
def wanted(inputs):
    """The rows of two samples."""
    first = inputs / "rows.parquet"
    return {"500": rows(first, "--sample", "500")["id"].to_pylist(),
            "2.5%": rows(first, "--sample", "2.5%", "--seed", "7")["id"].to_pylist()}


@pytest.mark.parametrize("system", SYSTEMS)
def test_columns(inputs, system):
    path = inputs / f"rows.{system}"
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
              (2, [f'xwalk: error: no column "{name}"']))
    check(f"{path.name}: none left", refused(path, "--exclude", "id,text,who,items"),
          (2, ["xwalk: error: --exclude leaves no column"]))
    check(f"{path.name}: module", xwalk.open(path, exclude=["text", "items"]).schema.names, ["id", "who"])


@pytest.mark.parametrize("name", [*(f"rows.{system}" for system in SYSTEMS), "parts"])
def test_samples(inputs, wanted, name):
    path = inputs / name
    for options in (["--sample", "500"], ["--sample", "500", "--threads", "1", "--batch-rows", "777"]):
        check(f"{path.name}: {options}", rows(path, *options)["id"].to_pylist(), wanted["500"])
    check(f"{path.name}: share", rows(path, "--sample", "2.5%", "--seed", "7")["id"].to_pylist(), wanted["2.5%"])
    check(f"{path.name}: all", rows(path, "--sample", "100%").num_rows, ROWS)
    check(f"{path.name}: more than all", rows(path, "--sample", "30000").num_rows, ROWS)
    check(f"{path.name}: none", [rows(path, "--sample", none).num_rows for none in ("0", "0%")], [0, 0])
    check(f"{path.name}: module", pa.table(xwalk.open(path, sample="500"))["id"].to_pylist(), wanted["500"])
    check(f"{path.name}: limit of a sample", rows(path, "--sample", "500", "--limit", "7")["id"].to_pylist(),
          wanted["500"][:7])


@pytest.mark.parametrize("name", [*(f"rows.{system}" for system in SYSTEMS), "parts"])
def test_tails(inputs, name):
    path = inputs / name
    for number in (0, 9, 5000, ROWS + 1):
        check(f"{path.name}: tail {number}", rows(path, "--tail", str(number))["id"].to_pylist(),
              list(range(max(0, ROWS - number), ROWS)))
    shown = harness.run("tail", path, "-n", "2", "--as", "json", "--select", "id")
    check(f"{path.name}: tail", shown.stdout, f'{{"id":{ROWS - 2}}}\n{{"id":{ROWS - 1}}}\n')
    check(f"{path.name}: tail and limit", rows(path, "--tail", "10", "--limit", "2")["id"].to_pylist(), [ROWS - 10, ROWS - 9])
    check(f"{path.name}: module tail", pa.table(xwalk.open(path, tail=3))["id"].to_pylist(), list(range(ROWS - 3, ROWS)))


def test_a_sample_is_of_all_rows(inputs, wanted):
    check("500 rows", (len(set(wanted["500"])), sorted(wanted["500"])), (500, wanted["500"]))
    assert 400 < len(wanted["2.5%"]) < 600
    for at in range(0, ROWS, 2000):
        assert any(at <= row < at + 2000 for row in wanted["500"]), at
    assert rows(inputs / "rows.parquet", "--sample", "500", "--seed", "1")["id"].to_pylist() != wanted["500"]


def test_a_pipe(inputs, wanted):
    piped = harness.run("head", "-", "-n", "3", "--from", "yson", "--schema", (inputs / "rows.yson.schema").read_text(), "--as",
                        "json", "--sample", "500", "--exclude", "text,who,items", input=(inputs / "rows.yson").read_bytes())
    check("a pipe", piped.stdout.decode().split(), [f'{{"id":{row}}}' for row in wanted["500"][:3]])


@pytest.mark.parametrize("bad", ["x", "-1", "101%", "%", "1.5"])
def test_a_bad_sample(inputs, bad):
    assert refused(inputs / "rows.parquet", f"--sample={bad}")[0] == 2
