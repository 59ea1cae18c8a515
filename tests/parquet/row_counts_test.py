"""Files whose columns, pages, row groups and footer disagree about how many rows there are: each is refused with the
column and the row group before a row of that group comes, and files that agree give all rows."""

import json
import struct

import pytest
from raw_file import BINARY, I32, I64, LIST, STRUCT, encode, levels

from tests import harness

FOLDER = harness.make_folder("counts")


class Pages:
    """A column chunk: one page a list of values; a value that is a list belongs to a column of lists."""

    def __init__(self, *pages, said=None, second=False, page_said=None, rows_said=None):
        self.pages, self.said, self.second, self.page_said, self.rows_said = pages, said, second, page_said, rows_said


def page_bytes(page, lists, second, said, rows_said=None):
    repetitions = [int(i > 0) for row in page for i in range(len(row))] if lists else []
    values = [x for row in page for x in row] if lists else page
    count = len(values) if said is None else said
    plain = b"".join(struct.pack("<q", v) for v in values)
    if second:
        # Levels of the second version have no length of their own.
        r, d = (levels(repetitions, 1)[4:], levels([1] * len(values), 1)[4:]) if lists else (b"", b"")
        body = r + d + plain
        header = {1: (I32, 3), 2: (I32, len(body)), 3: (I32, len(body)), 8: (STRUCT, {
            1: (I32, count), 2: (I32, 0), 3: (I32, len(page) if rows_said is None else rows_said),
            4: (I32, 0), 5: (I32, len(d)), 6: (I32, len(r)),
            7: (1, False)})}
    else:
        body = (levels(repetitions, 1) + levels([1] * len(values), 1) if lists else b"") + plain
        header = {1: (I32, 0), 2: (I32, len(body)), 3: (I32, len(body)), 5: (STRUCT, {
            1: (I32, count), 2: (I32, 0), 3: (I32, 3), 4: (I32, 3)})}
    return encode(STRUCT, header) + body, len(values)


def write(name, groups, rows=None, lists=()):
    """`groups`: pairs of the rows said and the chunks by column; columns in `lists` are repeated."""
    out, made = b"PAR1", []
    names = list(groups[0][1])
    for said, columns in groups:
        chunks = []
        for column, chunk in columns.items():
            start, count = len(out), 0
            for page in chunk.pages:
                data, values = page_bytes(page, column in lists, chunk.second, chunk.page_said, chunk.rows_said)
                out, count = out + data, count + values
            size = len(out) - start
            chunks.append({2: (I64, start), 3: (STRUCT, {
                1: (I32, 2), 2: (LIST, (I32, [0, 3])), 3: (LIST, (BINARY, [column])), 4: (I32, 0),
                5: (I64, count if chunk.said is None else chunk.said), 6: (I64, size), 7: (I64, size), 9: (I64, start)})})
        made.append({1: (LIST, (STRUCT, chunks)), 2: (I64, len(out)), 3: (I64, said)})
    schema = [{4: (BINARY, "m"), 5: (I32, len(names))}]
    schema += [{1: (I32, 2), 3: (I32, 2 if n in lists else 0), 4: (BINARY, n)} for n in names]
    footer = encode(STRUCT, {1: (I32, 1), 2: (LIST, (STRUCT, schema)),
                             3: (I64, sum(g[0] for g in groups) if rows is None else rows),
                             4: (LIST, (STRUCT, made)), 6: (BINARY, "raw")})
    path = FOLDER / name
    path.write_bytes(out + footer + struct.pack("<I", len(footer)) + b"PAR1")
    return path


def run(*words):
    done = harness.try_run(*words)
    return done.returncode, done.stdout, done.stderr


def expect(name, condition, shown):
    harness.expect(condition, name, shown)


def refused(name, path, *words, shown_rows=0, code=3):
    for verb in (["validate", path], ["convert", path, FOLDER / "out.yson", "--overwrite"],
                 ["head", "-n", "1000000", "--as", "yson", path]):
        status, out, error = run(*verb)
        # validate reports values by exit code 1, and unreadable files by 3.
        expect(name, status in (1, code) and all(word in error + out for word in words), (verb[0], status, out[-300:], error))
        if verb[0] == "head":
            expect(name, out.count("{") <= shown_rows, f"rows left before the refusal: {out.count('{')}")
    expect(name, not (FOLDER / "out.yson").exists(), "an output was left")


def accepted(name, path, rows, note=None):
    status, out, error = run("validate", path)
    expect(name, status == 0 and ("rows.miscounted" in out + error) == (note is not None) and (note or "") in out + error, (out, error))
    status, out, _ = run("info", path, "--json")
    expect(name, status == 0 and json.loads(out)["rows"] == rows, out)
    status, out, error = run("convert", path, "-", "--to", "yson")
    expect(name, status == 0 and out.count("{") == rows, (status, out[-200:], error))


lists = [[1, 2], [3], [4, 5, 6], [7]]
ten, more = list(range(10)), list(range(10, 20))


def test_files_that_agree():
    accepted("two columns", write("good.parquet", [(10, {"a": Pages(ten), "b": Pages(ten[:3], ten[3:])})]), 10)
    accepted("second version", write("v2.parquet", [(10, {"a": Pages(ten), "b": Pages(ten[:3], ten[3:], second=True)})]), 10)
    accepted("groups", write("groups.parquet", [(10, {"a": Pages(ten)}), (0, {"a": Pages()}), (10, {"a": Pages(more)})]), 20)
    for second in (False, True):
        accepted("lists", write("lists.parquet", [(4, {"a": Pages(ten[:4]), "l": Pages(lists, second=second)})], lists="l"), 4)


def test_rows_of_pages():
    """Version 2 has the rows of each page in its header, where parquet-cpp 8 to 10 wrote the number of values."""
    for said in (0, 1, 6, 7, 1000):
        wrong = Pages(lists[:2], lists[2:], second=True, rows_said=said)
        path = write("wrong_rows.parquet", [(4, {"a": Pages(ten[:4]), "l": wrong})] * 2, lists="l")
        accepted(f"pages that say {said} rows", path, 8, "l: ")
        status, out, error = run("convert", path, "-", "--to", "yson", "--batch-rows", "3")
        expect("rows", status == 0 and out.count("{") == 8 and '"a"=3;"l"=[7' in out, (out, error))
        status, out, error = run("check", path, "--to", "yson", "--rows", "--json")
        expect("check", status == 0 and "rows.miscounted" in out, (out, error))
    accepted("values that say other rows", write("wrong.parquet", [(10, {"a": Pages(ten, second=True, rows_said=3)})]), 10, "a: ")
    # Some writers leave the rows of the file out.
    accepted("a footer of no rows", write("left_out.parquet", [(10, {"a": Pages(ten)}), (10, {"a": Pages(more)})], rows=0), 20,
             "the footer says 0 rows, the row groups have 20")


def test_files_that_disagree():
    refused("the first column is empty", write("empty.parquet", [
        (8, {"a": Pages(said=0), "b": Pages(ten[:8]), "c": Pages(ten[:8])})]), "a", "row group 0")
    refused("a column is shorter", write("shorter.parquet", [
        (10, {"a": Pages(ten), "b": Pages(ten[:7])})]), "b", "row group 0", "10", "7")
    refused("9 and 11 in groups of 10", write("shifted.parquet", [
        (10, {"a": Pages(ten), "b": Pages(ten[:9])}), (10, {"a": Pages(more), "b": Pages([9] + more)})]), "b", "row group 0")
    refused("the second group is short", write("second.parquet", [
        (10, {"a": Pages(ten), "b": Pages(ten)}), (10, {"a": Pages(more), "b": Pages(more[:9])})]), "b", "row group 1")
    refused("the footer has more rows than the groups", write("huge.parquet", [(10, {"a": Pages(ten)})], rows=1 << 40), "10")
    refused("the footer has fewer rows", write("few.parquet", [(10, {"a": Pages(ten)})], rows=1), "10")
    refused("the group has fewer rows than its columns", write("group.parquet", [(7, {"a": Pages(ten)})]), "a", "row group 0")
    refused("the group has no row", write("none.parquet", [(0, {"a": Pages(ten)})]), "a", "row group 0")
    refused("a negative number of rows", write("negative.parquet", [(-1, {"a": Pages(ten)})]), "-1")
    refused("the pages hold fewer values", write("pages.parquet", [
        (10, {"a": Pages(ten), "b": Pages(ten[:4], ten[4:9], said=10)})]), "b", "row group 0")
    refused("the pages hold more values", write("more.parquet", [
        (10, {"a": Pages(ten), "b": Pages(ten[:4], ten[4:], [7, 8], said=10)})]), "b", "row group 0")
    refused("the last page of the second group is short", write("later.parquet", [
        (10, {"a": Pages(ten), "b": Pages(ten)}), (10, {"a": Pages(more), "b": Pages(more[:9], said=10)})]), "b", "row group 1",
        shown_rows=10)
    refused("a page says fewer values than it has", write("page.parquet", [
        (10, {"a": Pages(ten, page_said=6, said=10), "b": Pages(ten)})]), "a", "row group 0")


@pytest.mark.parametrize("second", [False, True], ids=["version 1", "version 2"])
def test_lists(second):
    refused("lists of fewer rows", write("fewer.parquet", [
        (5, {"a": Pages(ten[:5]), "l": Pages(lists, second=second)})], lists="l"), "row group 0")
    # Pages of the first version do not say their rows.
    refused("lists of more rows", write("many.parquet", [
        (3, {"a": Pages(ten[:3]), "l": Pages(lists, second=second)})], lists="l"), "row group 0", "3", "l")
    refused("a list of more rows alone", write("alone.parquet", [
        (3, {"l": Pages(lists, second=second)})], lists="l"), "row group 0", "3", "l")
    refused("lists without a row", write("no_row.parquet", [
        (0, {"a": Pages(), "l": Pages(lists, second=second)})], lists="l"), "row group 0", "l")
    # The one row more comes in no batch of its own, however small batches are.
    for rows in (1, 2, 3, 6, 12):
        each = [[n] for n in range(rows)]
        many = write("many.parquet", [(rows, {"a": Pages(list(range(rows))), "l": Pages(each + [[1]], second=second)})], lists="l")
        few = write("few.parquet", [(rows, {"a": Pages(list(range(rows))), "l": Pages(each, second=second)})], lists="l")
        for size in (1, 2, 3, 4):
            for verb in ("convert", "check"):
                words = [FOLDER / "out.yson", "--overwrite"] if verb == "convert" else ["--to", "yson", "--rows"]
                status, out, error = run(verb, many, *words, "--batch-rows", size)
                expect(f"one of {rows} more in batches of {size}", status == 3 and "row group 0" in error, (verb, status, error))
            status, out, error = run("convert", few, "-", "--to", "yson", "--batch-rows", size)
            expect(f"{rows} in batches of {size}", status == 0 and out.count("{") == rows, (status, out, error))
    for rows in (65535, 65536, 65537, 131072):
        plenty = [[n] for n in range(rows)]
        path = write("plenty.parquet", [(rows, {"a": Pages(list(range(rows))), "l": Pages(plenty, second=second)})], lists="l")
        accepted("plenty", path, rows)
        refused("plenty and one", write("one_more.parquet", [
            (rows, {"a": Pages(list(range(rows))), "l": Pages(plenty + [[1]], second=second)})], lists="l"),
            "row group 0", "l", shown_rows=rows)
    refused("lists that are shifted between groups", write("lists2.parquet", [
        (5, {"a": Pages(ten[:5]), "l": Pages(lists, second=second)}),
        (3, {"a": Pages(ten[:3]), "l": Pages(lists, second=second)})], lists="l"), "row group 0")


def test_several_inputs_and_columns():
    good = write("good.parquet", [(10, {"a": Pages(ten), "b": Pages(ten[:3], ten[3:])})])
    write("second.parquet", [(10, {"a": Pages(ten), "b": Pages(ten)}), (10, {"a": Pages(more), "b": Pages(more[:9])})])
    status, out, error = run("convert", good, FOLDER / "second.parquet", good, FOLDER / "all.yson", "-q")
    expect("one of several inputs", status == 3 and "second.parquet" in error and not (FOLDER / "all.yson").exists(), (status, error))
    status, out, error = run("convert", FOLDER / "second.parquet", FOLDER / "a.yson", "-q", "--select", "a")
    expect("a column that is not read is not looked at", status == 0, error)
    big = list(range(200000))
    refused("131,072 of 200,000", write("big.parquet", [(200000, {"a": Pages(big), "b": Pages(big[:131072])})]), "b", "row group 0")
