"""`check --readers --rows` against the readers, on the files of parquet-java (tests/samples/parquet-java): older shapes and
annotations, without ARROW:schema. A reader that gives other values than the program, whose rows java_oracle_test.py checks, must
have a remark on the column; one that gives the same must have none, except on the type or on values that the file does not have."""
import json
import re

import pytest
import reader_table_test as table

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc

FILES = {path.stem: path for path in sorted((harness.SAMPLES / "parquet-java").glob("*.parquet"))
         if not path.stem.startswith(("pages_", "variant_refused"))}
#: A remark on the type, whose values may look the same.
OF_TYPE = re.compile(r"(?!refuses|cannot)([\w()\[\]]+(: |$)|lists of pairs instead)")


@pytest.fixture(scope="module")
def cases():
    """By file: the columns with their values, and the remarks."""
    folder, found = harness.make_folder("files"), {}
    for name, path in FILES.items():
        options = ("--duplicate-keys", "keep", "--int96-unit", "us" if name == "int96_far" else "ns")
        harness.run("convert", path, folder / f"{name}.arrow", "-q", *options)
        rows = pa.ipc.open_file(folder / f"{name}.arrow").read_all()
        checked = harness.run("check", path, "--readers", "--rows", "--json", *options, code=None)
        found[name] = ({column: table.plain_values(rows[column]) for column in rows.column_names},
                       json.loads(checked.stdout)["readers"])
    return found


def problem(read, path: str, column: str, values: list, remarks: list[dict]) -> str:
    """What a reader does that its remarks do not say, or the other way round; "" for nothing."""
    met = [one["remark"] for one in remarks if one.get("affected") != 0]
    try:
        found = read(path, column)[1]
    except BaseException as error:  # noqa: BLE001 (panics of Rust are no Exception)
        if isinstance(error, KeyboardInterrupt):
            raise
        found = None
        if any(remark.startswith("refuses") or " are an error" in remark for remark in met):
            return ""
    if found == values:
        return "" if all(OF_TYPE.match(remark) for remark in met) else f"the values are right, the remarks are {met}"
    other = met or any(OF_TYPE.match(one["remark"]) for one in remarks)
    refuses = any(remark.startswith("refuses") for remark in met)
    return "" if other and found is not None and not refuses else f"found {found}, written {values}, the remarks are {met}"


@pytest.mark.parametrize("reader", table.VALUE_READERS)
def test_reader(cases, reader):
    read, wrong, remarked = table.reading(reader), [], 0
    for name, (columns, all_remarks) in cases.items():
        given = [one for one in all_remarks if one["reader"] == reader]
        if any(table.NOT_RUN in one["remark"] for one in given):
            continue
        # A reader that refuses one column refuses the file.
        refused = [one for one in given if one["remark"].startswith("refuses the file")
                   or (" are an error" in one["remark"] and one.get("affected"))]
        for column, values in columns.items():
            about = [one for one in given if re.match(re.escape(column) + r"([.\[{<]|$)", one["path"])]
            remarked += bool(about)
            if said := problem(read, str(FILES[name]), column, values, about + [one for one in refused if one not in about]):
                wrong.append(f"{name}, {column}: {said}")
    assert remarked and not wrong, "\n".join(wrong)


@pytest.mark.parametrize("reader", table.READERS)
def test_refusals(cases, reader):
    """The readers whose types alone are known."""
    read, wrong = table.reading(reader), []
    for name, (_, remarks) in cases.items():
        given = [one for one in remarks if one["reader"] == reader and one.get("affected") != 0]
        if any(table.NOT_RUN in one["remark"] for one in given):
            continue
        errors = [one for one in given if " are an error" in one["remark"]]
        must = any(one["remark"].startswith("refuses the file") for one in given) or any("affected" in one for one in errors)
        refused = read(str(FILES[name])) in ("refuses the file", "ends the program")
        # Values that are not counted may be there.
        if refused != must and not (refused and errors):
            wrong.append(f"{name}: the remarks are {[one['remark'] for one in given]}, {'refused' if refused else 'read'}")
    assert not wrong, "\n".join(wrong)
