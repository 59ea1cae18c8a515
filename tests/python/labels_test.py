"""What numbers stand for is their meaning: names of labels, tags, and units of two files are compared."""
import json

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

FOLDER = harness.make_folder("labels")


def features(**columns):
    return {"huggingface": json.dumps({"info": {"features": columns}})}


def label(*names):
    return {"names": list(names), "_type": "ClassLabel"}


VALUE = {"dtype": "int64", "_type": "Value"}


def attribute(*names):
    field = {"name": "c", "type": "double", "nullable": True, "metadata": {"ml_attr": {"vals": list(names), "type": "nominal", "name": "c"}}}
    return {"org.apache.spark.sql.parquet.row.metadata": json.dumps({"type": "struct", "fields": [field]})}


def save(name, column, metadata, field_metadata=None):
    schema = pa.schema([pa.field("c", column.type, metadata=field_metadata)], metadata=metadata)
    path = FOLDER / name
    table = pa.Table.from_arrays([column], schema=schema)
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    else:
        with pa.ipc.new_file(path, schema) as writer:
            writer.write_table(table)
    return path


NUMBERS = pa.array([0, 1, None], pa.int64())
#: Columns, the keys of each file, and whether they have one meaning.
CASES = {
    "same": (NUMBERS, features(c=label("cat", "dog")), features(c=label("cat", "dog")), True),
    "more": (NUMBERS, features(c=label("cat", "dog")), features(c=label("cat", "dog", "cow")), True),
    "none": (NUMBERS, features(c=label("cat", "dog")), features(c=VALUE), True),
    "order": (NUMBERS, features(c=label("cat", "dog")), features(c=label("dog", "cat")), False),
    "names": (NUMBERS, features(c=label("cat", "dog")), features(c=label("cat", "cow")), False),
    "list": (pa.array([[0, 1]]), features(c={"feature": label("cat", "dog"), "_type": "List"}),
             features(c={"feature": label("dog", "cat"), "_type": "List"}), False),
    "old list": (pa.array([[0, 1]]), features(c=[label("cat", "dog")]), features(c=[label("dog", "cat")]), False),
    "struct": (pa.array([{"k": 1}]), features(c={"k": label("cat", "dog")}), features(c={"k": label("dog", "cat")}), False),
    "sequence": (pa.array([{"k": [1]}]), features(c={"feature": {"k": label("cat", "dog")}, "_type": "Sequence"}),
                 features(c={"feature": {"k": label("dog", "cat")}, "_type": "Sequence"}), False),
    "spark": (pa.array([0.0, 1.0]), attribute("cat", "dog"), attribute("dog", "cat"), False),
}


@pytest.mark.parametrize("end", ["parquet", "arrow"])
@pytest.mark.parametrize("case", CASES)
def test_labels(case, end):
    column, one, other, same = CASES[case]
    first, second = save(f"{case}-1.{end}", column, one), save(f"{case}-2.{end}", column, other)
    output = FOLDER / f"out.{end}"
    codes = {0} if same else {1, 3, 4}
    for words in (["convert", first, second, output, "--mode", "overwrite"], ["convert", first, second, output, "--mode", "overwrite", "--unify"],
                  ["check", first, second, "--to", end], ["compat", first, second]):
        done = harness.run(*words, code=(0, 1, 3, 4))
        assert done.returncode in codes, (words, done.stdout, done.stderr)
        assert same or '"dog"' in done.stderr + done.stdout, (words, done.stdout, done.stderr)
    assert ("label names" in harness.run("diff", first, second, code=(0, 1)).stdout) == (case not in ("same",))
    done = harness.run("diff", "--rows", first, second, code=(0, 1))
    assert ("not compared" in " ".join(done.stdout.split())) == (not same), done.stdout
    folder = FOLDER / f"{case}-{end}"
    folder.mkdir(exist_ok=True)
    (folder / f"a.{end}").write_bytes(first.read_bytes())
    done = harness.run("convert", second, f"{folder}/", "--mode", "append", code=(0, 3, 4))
    assert done.returncode in codes, done.stderr
    assert len(list(folder.iterdir())) == 1 + same


@pytest.mark.parametrize("end", ["parquet", "arrow"])
def test_epochs(end):
    """Coordinates of a moving plate are those of an epoch."""
    point = pa.array([bytes.fromhex("0101000000000000000000f03f0000000000000040")], pa.binary())

    def geo(epoch):
        column = {"encoding": "WKB", "geometry_types": []} | ({"epoch": epoch} if epoch else {})
        return {"geo": json.dumps({"version": "1.1.0", "primary_column": "c", "columns": {"c": column}})}

    files = {epoch: save(f"epoch-{epoch}.{end}", point, geo(epoch)) for epoch in (2010, 2010.0, 2021.5, None)}
    output = FOLDER / f"epochs.{end}"
    for one, other, same in [(2010, 2021.5, False), (2010.0, 2010, True), (2010, None, True), (None, 2021.5, True)]:
        for words in (["convert", files[one], files[other], output, "--mode", "overwrite"], ["compat", files[one], files[other]]):
            done = harness.run(*words, code=(0, 1, 3))
            assert (done.returncode == 0) == same, (words, done.stderr, done.stdout)
            assert same or "epoch" in done.stderr + done.stdout
        assert (harness.run("diff", files[one], files[other], code=(0, 1)).returncode == 0) == (one == other)


@pytest.mark.parametrize("options", [[], ["--unify"]])
@pytest.mark.parametrize("end", ["parquet", "arrow"])
def test_units(end, options):
    """Metadata that describes one file is not put over the rows of another, in either order; each key that is left out is named."""
    column = pa.array([1.5])
    files = {unit: save(f"unit-{unit}.{end}", column, {"by": "us"}, unit and {"unit": unit, "origin": "sea"}) for unit in ("m", "ft", "")}
    output = FOLDER / f"units.{end}"
    for names in (["m", "ft"], ["ft", "m"], ["m", ""], ["", "m"], ["m", "m"], ["", ""]):
        given = [files[name] for name in names]
        done = harness.run("convert", *given, output, "--mode", "overwrite", *options)
        found = (pq.read_table(output) if end == "parquet" else pa.ipc.open_file(output).read_all()).schema
        metadata = found.field("c").metadata or {}
        is_same = len(set(names)) == 1
        assert metadata.get(b"unit") == (names[0].encode() or None if is_same else None), names
        assert metadata.get(b"origin") == (b"sea" if "" not in names else None)
        assert found.metadata[b"by"] == b"us"
        assert ('"unit" of c' in done.stderr) == (not is_same), (names, done.stderr)
        done = harness.run("check", *given, "--to", end, *options, "--json", code=(0, 1))
        assert ("unit" in done.stdout and "differently" in done.stdout) == (not is_same), (names, done.stdout)


@pytest.mark.parametrize("end", ["parquet", "arrow", "lance"])
def test_added_units(end):
    """Rows of another unit do not get that of the column they are added to without a finding."""
    first, second = ({unit: save(f"{name}-{unit}.arrow", pa.array([value]), {}, unit and {"unit": unit}) for unit in ("m", "ft", "")}
                     for name, value in [("first", 1.5), ("second", 2.5)])
    for there, added, differs in [("m", "ft", True), ("m", "m", False), ("", "", False)]:
        output = FOLDER / f"added-{there}-{added}-{end}"
        output = output.with_suffix(".lance") if end == "lance" else f"{output}/"
        harness.run("convert", first[there], output, "--to", end)
        report = harness.run("check", second[added], "--append", output, code=(0, 1)).stdout
        assert ('metadata "unit"' in report) == differs, report
        done = harness.run("convert", second[added], output, "--to", end, "--mode", "append")
        assert ("widened" in done.stderr) == differs, done.stderr


def tagged(tag, name):
    path = FOLDER / f"{name}.yson"
    path.write_text("{v=x};\n")
    item = "string" if tag is None else f"{{type_name=tagged;tag={json.dumps(tag)};item=string}}"
    (FOLDER / f"{name}.yson.schema").write_text(f"[{{name=v;type_v3={item}}}]")
    return path


@pytest.mark.parametrize("end", ["yson", "parquet", "arrow"])
def test_tags(end):
    png, jpeg, plain = (tagged(tag, name) for tag, name in [("image/png", "png"), ("image/jpeg", "jpeg"), (None, "plain")])
    if end != "yson":
        for path in (png, jpeg, plain):
            harness.run("convert", path, path.with_suffix(f".{end}"), "--mode", "overwrite")
        png, jpeg, plain = (path.with_suffix(f".{end}") for path in (png, jpeg, plain))
    output = FOLDER / f"tags.{end}"
    for options in ([], ["--unify"]):
        for names, code in (([png, jpeg], 3), ([png, png], 0), ([png, plain], 0), ([plain, png], 0)):
            done = harness.run("convert", *names, output, "--mode", "overwrite", *options, code=(0, 3))
            assert done.returncode == code, (names, done.stderr)
            tags = ("png", "jpeg") if options else ("jpeg", "png")
            assert code == 0 or 'a value tagged "image/{}" is not one tagged "image/{}"'.format(*tags) in done.stderr, done.stderr
    harness.run("convert", png, output, "--mode", "overwrite")
    done = harness.run("convert", jpeg, output, "--mode", "append", code=(4, 74))
    assert done.returncode == (4 if end == "yson" else 74)
    assert harness.run("diff", "--rows", png, jpeg, code=(0, 1)).returncode == 1
