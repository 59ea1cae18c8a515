"""Folders that are tables of Delta Lake, Iceberg, Hudi and Paimon are refused: some of their files hold rows that were replaced."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("other-tables")
MEANT = ["--from", "parquet", "--no-partitions"]

#: What each system writes next to the files of rows: files by their names, and where the rows are.
SYSTEMS = {
    "Delta Lake": (["_delta_log/00000000000000000000.json"], ["part-0.parquet", "part-1.parquet"]),
    "Delta Lake by day": (["_delta_log/00000000000000000000.json"], ["day=1/part-0.parquet", "day=2/part-1.parquet"]),
    "Iceberg": (["metadata/v1.metadata.json", "metadata/snap-1.avro"], ["data/a.parquet", "data/b.parquet"]),
    "Iceberg by day": (["metadata/00000-x.gz.metadata.json"], ["data/0110/day=1/a.parquet", "data/1011/day=2/b.parquet"]),
    "Hudi": ([".hoodie/hoodie.properties"], ["day=1/a.parquet", "day=1/b.parquet"]),
    "Hudi's partition": (["day=1/.hoodie_partition_metadata"], ["day=1/a.parquet", "day=1/b.parquet"]),
    "Paimon": (["snapshot/snapshot-1", "manifest/manifest-1", "schema/schema-0"], ["bucket-0/a.parquet", "bucket-0/b.parquet"]),
}


def table(system):
    """Makes a table, and returns its folder and the files of rows."""
    folder = FOLDER / system.replace(" ", "-").replace("'", "")
    listed, files = SYSTEMS[system]
    for name in listed:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    for i, name in enumerate(files):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"a": [i]}), folder / name)
    return folder, [folder / name for name in files]


def refused(system, *words, cwd=None):
    done = harness.run(*words, code=None, cwd=cwd)
    if system.startswith("Iceberg") and done.returncode == 3:  # a table that is read by its metadata, and these have none
        assert "expected the metadata of a table, found other JSON" in " ".join((done.stdout + done.stderr).split()), done.stdout + done.stderr
        return
    if system.startswith("Delta") and done.returncode == 3:  # the same for a table that is read by its log
        assert "No table metadata or protocol found" in " ".join((done.stdout + done.stderr).split()), done.stdout + done.stderr
        return
    assert done.returncode == 2, (words, done.stdout, done.stderr)
    assert f"a table of {system.split(' by ')[0].removesuffix(chr(39) + 's partition')}" in done.stderr, done.stderr
    assert "--from parquet" in done.stderr and "--no-partitions" in done.stderr, done.stderr


@pytest.mark.parametrize("system", SYSTEMS)
def test_refused(system):
    folder, files = table(system)
    parts = sorted({file.parent for file in files})
    inputs = [[folder], [f"{folder}/"], [f"{folder}/**/*.parquet"], files, *[[part] for part in parts], [f"{parts[0]}/*.parquet", files[-1]]]
    for names in inputs:
        refused(system, "convert", *names, FOLDER / "never.parquet")
    for words in (["check", folder, "--to", "lance"], ["schema", folder], ["head", folder], ["info", folder], ["validate", folder],
                  ["diff", folder, files[0], "--rows"], ["verify", folder, files[0]]):
        refused(system, *words)
    refused(system, "convert", ".", FOLDER / "never.parquet", cwd=parts[0])
    assert not (FOLDER / "never.parquet").exists()


@pytest.mark.parametrize("system", SYSTEMS)
def test_meant(system):
    """One file may be looked at. With the format and without partitions, all files are read."""
    folder, files = table(system)
    assert json.loads(harness.run("head", files[1], "--as", "json").stdout)["a"] == 1
    output = FOLDER / f"{folder.name}.all.parquet"
    harness.run("convert", folder, output, *MEANT)
    assert pq.read_table(output)["a"].to_pylist() == [0, 1]
    for option in (MEANT[:2], MEANT[2:]):
        refused(system, "convert", folder, FOLDER / "never.parquet", *option)


def test_not_added_to():
    """A file that no list names would be no row of the table."""
    folder, files = table("Hudi")
    for words in (["--mode", "append"], ["--mode", "append", *MEANT[:2]], ["--mode", "append", "--to", "parquet", "--partition-by", "a"]):
        done = harness.run("convert", files[0], folder, *words, code=2)
        assert "table of Hudi" in done.stderr and "package of Hudi" in done.stderr and ".hoodie" in done.stderr, done.stderr
        assert "--no-partitions" not in done.stderr, done.stderr
    assert len(list(folder.glob("**/*.parquet"))) == 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_list_of_files(system):
    """Every command gives one answer about several files of which one is of a table."""
    folder, files = table(system)
    plain = FOLDER / f"{folder.name}.plain.parquet"
    pq.write_table(pa.table({"a": [7]}), plain)
    for names in ([files[0], plain], [plain, files[0]], files, [folder, plain]):
        for words in (["convert", *names, FOLDER / "never.parquet"], ["head", *names], ["check", *names, "--to", "yt"], ["validate", *names],
                      ["schema", *names], ["info", *names]):
            refused(system, *words)
    harness.run("check", files[0], "--to", "yt")


@pytest.mark.parametrize("system", SYSTEMS)
def test_links(system):
    """A link that leads into a table is a part of the table."""
    folder, files = table(system)
    for part in sorted({file.parent for file in files} - {folder}):
        link = FOLDER / f"link-{folder.name}-{part.name}"
        if not link.is_symlink():
            link.symlink_to(part)
        for names in ([link], [f"{link}/"], [link / files[0].name, link / files[1].name] if part == files[1].parent == files[0].parent else [link]):
            refused(system, "convert", *names, FOLDER / "never.parquet")
            refused(system, "check", *names, "--to", "yt")
    single = FOLDER / f"link-{folder.name}.parquet"
    if not single.is_symlink():
        single.symlink_to(files[0])
    other = FOLDER / f"beside-{folder.name}.parquet"
    pq.write_table(pa.table({"a": [7]}), other)
    refused(system, "convert", single, other, FOLDER / "never.parquet")


@pytest.mark.parametrize("name", ["metadata/readme.txt", "metadata/metadata.txt", "snapshot/x", "manifest/x", "hoodie/x", "data/v1.metadata.txt"])
def test_others(name):
    """Folders of these names alone are no table."""
    folder = FOLDER / f"plain-{name.replace('/', '-')}"
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("{}")
    pq.write_table(pa.table({"a": [1]}), folder / "a.parquet")
    pq.write_table(pa.table({"a": [2]}), folder / "b.parquet")
    output = FOLDER / f"{folder.name}.parquet"
    harness.run("convert", folder, output)
    assert pq.read_table(output)["a"].to_pylist() == [1, 2]


def test_module():
    harness.use_module()
    import xwalk
    folder, files = table("Hudi")
    with pytest.raises(xwalk.Error, match="Hudi"):
        xwalk.open(str(folder))
    assert len(list(xwalk.open(str(folder), format="parquet", partitions=False))) >= 1
    assert xwalk.open(str(files[0])) is not None
