"""Proofs whose checksums tasks of a cluster add up: the same facts as in the proof that compares row by row, and each difference is found."""
import json
import logging
import pickle
import random

import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import pyarrow as pa

import xwalk  # noqa: E402
from xwalk._errors import InputError, IoError, UsageError  # noqa: E402
from xwalk._task_verify import TaskVerifier  # noqa: E402

LOG = logging.getLogger("xwalk.tests")
TABLE = ('[{name=id;type=int64;required=%true};{name=u;type=uint64};{name=s;type=string};{name=day;type=date};'
         '{name=price;type_v3={type_name=decimal;precision=20;scale=4}};{name=rate;type=double};'
         '{name=tags;type_v3={type_name=list;item={type_name=optional;item=utf8}}};{name=any;type=any};'
         '{name=at;type_v3={type_name=optional;item={type_name=struct;members=[{name=x;type=int32};{name=y;type=utf8}]}}};'
         '{name=pairs;type_v3={type_name=dict;key=utf8;value=int64}};'
         '{name=either;type_v3={type_name=variant;elements=[{type=int64};{type=utf8}]}}]')


def row(i):
    nothing = i % 7 == 0
    values = dict(id=i, u="#" if nothing else f"{2**63 + i}u", s=f'"a;{i}\\xFF"', day="#" if nothing else f"{i % 20000}u",
                  price='"\\x80%s\\x%02x"' % ("\\x00" * 14, i % 200), rate=["%nan", "-0.", f"{i}.5"][i % 3], tags=f'["x;";#;"{i}"]',
                  any=["#", f"{{b={i}; c=[1;%true]}}", f'"{i}"'][i % 3], at="#" if nothing else f'{{x={i};y="{i}"}}',
                  pairs=f'[["k";{i}]]', either=f"[0;{i}]" if i % 2 else f'[1;"{i}"]')
    return "{" + ";".join(f"{name}={value}" for name, value in values.items()) + "};\n"


def make_source(folder, rows=3000, files=3):
    """Writes a table of several files."""
    folder.mkdir(parents=True)
    for number in range(files):
        harness.write(folder / f"part-{number}.yson", "".join(map(row, range(number * rows // files, (number + 1) * rows // files))), TABLE)
    return folder


def verified(source, target, split_bytes=20_000, target_schema=None, **options):
    """Verifies as tasks do: each gets its work and its parts as bytes."""
    verifier = TaskVerifier(source, target, split_bytes, target_schema, options, LOG, "a cluster")
    work = pickle.dumps(verifier.add_up)
    sums = [pickle.loads(pickle.dumps(pickle.loads(work)(pickle.loads(pickle.dumps(parts))))) for parts in verifier.tasks()]
    return verifier.proof(sums)


def facts(proof, *different):
    """Returns what two proofs of the same files must agree in."""
    out = json.loads(proof.to_json())
    for name in ("time", "seconds", *different):
        out.pop(name, None)
    for table in out["tables"]:
        for name in ("in_order", "compared", *different):
            table.pop(name, None)
    return out


#: Outputs of the same rows, by format, and the options of both calls.
OUTPUTS = {"yson": {}, "skiff": {}, "parquet": {}, "arrow": {}, "parquet of few rows": {"row_group_rows": 100}, "json": {"select": ["id", "u", "day"]},
           "yson in binary": {"yson_format": "binary"}, "fewer columns": {"select": ["id", "s", "any"]},
           "other names": {"rename": {"id": "number"}}, "other types": {"cast": {"id": "int32", "u": "string"}, "select": ["id", "u"]}}


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_facts_of_the_proof_by_rows(tmp_path, name):
    options = OUTPUTS[name]
    form = {"fewer columns": "skiff", "other names": "parquet", "other types": "parquet"}.get(name, name.split(" ")[0])
    source = make_source(tmp_path / "in")
    out = tmp_path / f"out.{form}"
    xwalk.convert(source, out, to=form, **options)
    options = {name: value for name, value in options.items() if name != "row_group_rows"}
    found, expected = verified(source, out, to=form, **options), xwalk.verify(source, out, to=form, **options)
    assert facts(found) == facts(expected) and found.verified and found.rows_read == 3000
    assert found.tables[0]["compared"] == "checksums" and "verified by checksums" in found.summary
    assert found.tables[0]["in_order"] is False


def test_folders_by_the_values_of_columns(tmp_path):
    """Types of the values are those of all folders, also where the values of one look like numbers."""
    source = harness.write(tmp_path / "in.yson", "".join(f'{{id={i};k={k}}};' for i, k in enumerate(["x", '"7"', "#", '"2024-01-01"'] * 9)),
                           "[{name=id;type=int64};{name=k;type=utf8}]")
    xwalk.convert(source, tmp_path / "out/", to="parquet", partition_by=["k"])
    by_rows = xwalk.verify(source, tmp_path / "out", to="parquet", partition_by=["k"])
    assert facts(verified(source, tmp_path / "out", partition_by=["k"])) == facts(by_rows) and by_rows.verified
    back = tmp_path / "back.yson"
    xwalk.convert(tmp_path / "out", back)
    assert verified(tmp_path / "out", back).verified


def test_rejected_rows(tmp_path):
    rows = [f"{{a={'x' if i % 10 == 0 else i}}};" for i in range(200)]
    source = harness.write(tmp_path / "in.yson", "\n".join(rows), "[{name=a;type=int64}]")
    out = tmp_path / "out.parquet"
    options = {"on_error": "skip", "cast": {"a": "uint8"}, "max_rejects": "90%"}
    xwalk.convert(source, out, **{**options, "cast": {"a": "int8"}})
    assert not verified(source, out, split_bytes=100, **{**options, "max_rejects": None}).verified
    options["cast"] = {"a": "int8"}
    expected = xwalk.verify(source, out, **options)
    options.pop("max_rejects")
    found = verified(source, out, split_bytes=100, **options)
    assert facts(found) == facts(expected) and found.rows_rejected > 20 and found.verified
    with pytest.raises(InputError, match="in.yson.*expected"):
        verified(source, out, cast={"a": "int8"})


#: Changes of an output that a proof must find, and what its text says.
CHANGES = {"a value": (lambda rows: [*rows[:5], {**rows[5], "b": "?"}, *rows[6:]], "b (string, exact)"),
           "a null": (lambda rows: [*rows[:5], {**rows[5], "b": None}, *rows[6:]], "1 null"),
           "a row less": (lambda rows: rows[1:], "100 rows in the source, 99 rows in the output"),
           "a row twice": (lambda rows: [*rows, rows[3]], "101 rows in the output"),
           "a row for another": (lambda rows: [*rows[1:], rows[5]], "a (int64"),
           "values in other rows": (lambda rows: [{"a": one["a"], "b": other["b"]} for one, other in zip(rows, rows[1:] + rows[:1])],
                                    "in other rows")}


@pytest.mark.parametrize("change", CHANGES)
def test_a_difference(tmp_path, change):
    made, words = CHANGES[change]
    kind = pa.schema([("a", pa.int64()), ("b", pa.string())])
    rows = [{"a": i, "b": str(i)} for i in range(100)]
    xwalk.convert(pa.Table.from_pylist(rows, kind), tmp_path / "in.parquet")
    xwalk.convert(pa.Table.from_pylist(made(rows), kind), tmp_path / "out.parquet")
    proof = verified(tmp_path / "in.parquet", tmp_path / "out.parquet")
    assert not proof.verified and proof.fails and "differs by checksums" in proof.summary
    assert words in proof.to_text() and words in proof.to_html() and "diff" not in proof.tables[0]
    with pytest.raises(xwalk.VerdictError):
        proof.raise_for()
    # Another order is not a difference.
    random.Random(1).shuffle(rows)
    xwalk.convert(pa.Table.from_pylist(rows, kind), tmp_path / "shuffled.parquet")
    assert verified(tmp_path / "in.parquet", tmp_path / "shuffled.parquet").verified


def test_other_columns(tmp_path):
    source = tmp_path / "in.parquet"
    xwalk.convert(pa.table({"a": [1, 2], "b": ["x", "y"]}), source)
    for table in (pa.table({"a": [1, 2]}), pa.table({"a": pa.array([1, 2], pa.int32()), "b": ["x", "y"]}), pa.table({"b": ["x", "y"], "a": [1, 2]})):
        out = tmp_path / "out.parquet"
        xwalk.convert(table, out, mode="overwrite")
        found, expected = verified(source, out), xwalk.verify(source, out)
        assert not found.verified
        assert found.tables[0]["schema_differences"] == expected.tables[0]["schema_differences"]


def test_files_of_other_schemas(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    xwalk.convert(pa.table({"a": pa.array([1, 2], pa.int32())}), folder / "1.parquet")
    xwalk.convert(pa.table({"a": pa.array([3, 4], pa.int64()), "b": ["x", "y"]}), folder / "2.parquet")
    out = tmp_path / "out.parquet"
    xwalk.convert(folder, out, unify=True)
    assert facts(verified(folder, out, unify=True)) == facts(xwalk.verify(folder, out, unify=True))
    with pytest.raises(InputError, match="2.parquet"):
        verified(folder, out, select=["a"])


def test_inferred_schemas_are_those_of_all_files(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for number, value in enumerate(["1", '"x"', "2.5"]):
        (folder / f"{number}.yson").write_text("{a=%s};" % value)
    out = tmp_path / "out.parquet"
    with pytest.warns(xwalk.NoteWarning):
        xwalk.convert(folder, out)
        expected = xwalk.verify(folder, out)
    assert facts(verified(folder, out)) == facts(expected)


def test_refusals(tmp_path):
    source = harness.write(tmp_path / "in.yson", "{a=1};", "[{name=a;type=int64}]")
    out = tmp_path / "out.parquet"
    xwalk.convert(source, out)
    for options, words in (({"limit": 5}, "limit"), ({"mode": "append"}, "mode"), ({"sample": 2}, "sample"), ({"split_bytes": 0}, "split_bytes")):
        with pytest.raises(UsageError, match=words):
            verified(source, out, **options)
    with pytest.raises(IoError, match="absent"):
        verified(source, tmp_path / "absent.parquet")
    with pytest.raises(IoError, match="absent"):
        verified(tmp_path / "absent.yson", out)
    # A file that changes between the plan and a task would be counted wrongly.
    verifier = TaskVerifier(source, out, 1000, None, {}, LOG, "a cluster")
    tasks = verifier.tasks()
    source.write_text("{a=1};{a=2};")
    with pytest.raises(InputError, match="has changed"):
        [verifier.add_up(parts) for parts in tasks]
