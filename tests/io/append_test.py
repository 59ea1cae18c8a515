"""`xwalk check --append` says beforehand what `xwalk convert --mode append` does, for every output that rows can be added to.

usage: append_test.py XWALK
"""
import json
import shutil

from asking import end, expect, folder, packages, run

lance, pa = packages("lance", "pyarrow")

FOLDER = folder("append")


def arrow(name, schema, row):
    table = pa.Table.from_pylist([row], schema=schema)
    with pa.OSFile(str(FOLDER / name), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return name


THERE = pa.schema([pa.field("id", pa.int64(), False), ("name", pa.string()), ("price", pa.float32()),
                   ("s", pa.struct([("a", pa.int64())]))])
ROW = {"id": 1, "name": "a", "price": 1.5, "s": {"a": 1}}
#: Rows to append: their columns, the existing ones, the options, and the rules that prevent it.
CASES = {
    "the same": (THERE, [], set()),
    "another order": (pa.schema(list(THERE)[::-1]), [], set()),
    "one that may be null is missing": (THERE.remove(1), [], set()),
    "a required one is missing": (THERE.remove(0), [], {"member.added"}),
    "one more": (THERE.append(pa.field("x", pa.int64())), [], {"member.left-out"}),
    "one more, left out": (THERE.append(pa.field("x", pa.int64())), ["--exclude", "x"], set()),
    "another name": (THERE.set(1, pa.field("n", pa.string())), ["--rename", "n=name"], set()),
    "a name that does not exist": (THERE.set(1, pa.field("n", pa.string())), ["--rename", "n=m"], {"member.left-out"}),
    "another type": (THERE.set(1, pa.field("name", pa.int64())), [], {"type.no-cast"}),
    "a wider type": (THERE.set(2, pa.field("price", pa.float64())), [], set()),
    "a member more": (THERE.set(3, pa.field("s", pa.struct([("a", pa.int64()), ("b", pa.int64())]))), [], {"member.left-out"}),
    "all at once": (THERE.remove(0).append(pa.field("x", pa.int64())).set(0, pa.field("name", pa.int64())), [],
                    {"member.added", "member.left-out", "type.no-cast"}),
}
VALUES = {pa.int64(): 1, pa.string(): "a", pa.float32(): 1.5, pa.float64(): 1.5}

arrow("there.arrow", THERE, ROW)
for output in ("there.lance", "parquet/", "arrow/", "there.yson"):
    if output.endswith("/"):
        (FOLDER / output).mkdir()
        done = run("convert", "there.arrow", f"{output}part-0.{output[:-1]}")
    else:
        done = run("convert", "there.arrow", output)
    expect(done.returncode == 0, output, done.stderr)
    for name, (schema, words, against) in CASES.items():
        row = {field.name: VALUES.get(field.type) or {member.name: 1 for member in field.type} for field in schema}
        arrow("rows.arrow", schema, row)
        before = run("check", "rows.arrow", "--append", output, "--json", *words)
        told = json.loads(before.stdout) if before.returncode in (0, 1) else {}
        expect(told, output, name, before.stderr)
        found = {reason["rule"] for path in told.get("paths", ()) for reason in path["reasons"]
                 if path["verdict"] in ("unsupported", "lossy") and reason["values"] in ("none", "altered")}
        expect(found == against and (before.returncode == 1) == bool(against), output, name, found, before.returncode)
        pair = run("check", "rows.arrow", output, "--json", *words)
        expect(pair.stdout == before.stdout or output.endswith("/"), output, name, "check IN OUT says something else")
        copy = FOLDER / ("copy/" if output.endswith("/") else f"copy.{output.rsplit('.', 1)[1]}")
        shutil.rmtree(copy, ignore_errors=True)
        copy.unlink(missing_ok=True) if copy.is_file() else None
        if (FOLDER / output).is_dir():
            shutil.copytree(FOLDER / output, copy)
        else:
            shutil.copy(FOLDER / output, copy)
            shutil.copy(FOLDER / f"{output}.schema", f"{copy}.schema")
        place = f"{copy}/" if output.endswith("/") else copy
        to = ["--to", output[:-1]] if output.endswith("/") else []
        done = run("convert", "rows.arrow", place, "--mode", "append", "-q", *to, *words)
        expect((done.returncode == 0) == (not against), output, name, "convert:", done.returncode, done.stderr)

for output, because in (("nothing.lance", "no rows to add to"), ("parquet/part-0.parquet", "no rows can be added")):
    done = run("check", "rows.arrow", "--append", output)
    expect(done.returncode == 74 and because in done.stderr, output, done)

end()
