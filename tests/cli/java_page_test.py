"""The page for programs in Java has what the program knows about readers in Java. `--update` writes its table."""
import json
import re

from tests import harness

PAGE = harness.ROOT / "docs/reference/java.md"
CLIENT, TASKS, SPARK = "ytsaurus-client-java", "SPYT", "Spark"


def schema_of(types, folder):
    """Writes a table schema with a column for each type, c0, c1 and so on, and returns its path."""
    struct = harness.write(folder / "struct.txt", "Struct<" + ",".join(f"'c{i}':{name}" for i, name in enumerate(types)) + ">")
    members = json.loads(harness.run("schema", struct, "--form", "json").stdout)
    members = members["$value"][0]["type_v3"]["members"]
    columns = [{"name": member["name"], "type_v3": member["type"]} for member in members]
    return harness.write(folder / "table.json", json.dumps(columns))


def checked(schema, target, *more):
    """Returns the findings on each column by its name, and the remarks on readers."""
    report = json.loads(harness.run("check", schema, "--to", target, "--output", "json", *more, code=(0, 1)).stdout)
    remarks = {}
    for remark in report.get("readers", []):
        remarks.setdefault(re.split(r"[.\[{<]", remark["path"])[0], []).append(remark["remark"])
    return {finding["path"]: finding for finding in report["paths"]}, remarks


def table(folder):
    known = [row for row in json.loads(harness.run("types", "--readers", "--output", "json").stdout)]
    rows = [(row["type"], {reader["reader"]: reader for reader in row["readers"]}) for row in known if row["system"] == "yt"]
    versions = {name: rows[0][1][name]["version"] for name in (CLIENT, TASKS)}
    versions[SPARK] = next(reader["version"] for row in known for reader in row["readers"] if reader["reader"] == SPARK)
    schema = schema_of([name for name, _ in rows], folder)
    parquet, misread = checked(schema, "parquet", "--readers", "spark")
    arrow, _ = checked(schema, "arrow")
    assert len(rows) > 40 and misread
    lines = [f"| type of YTsaurus | {CLIENT} {versions[CLIENT]} | {TASKS} {versions[TASKS]} | in Parquet | {SPARK} {versions[SPARK]}, "
             "from Parquet | in Arrow |", "|---|---|---|---|---|---|"]

    def kept(finding):
        if finding["verdict"] == "unsupported":
            return "no mapping"
        target = re.sub(rf"\b{finding['path']}\b", "v", finding["target"])
        return f"`{target}`, {finding['verdict']}"

    for i, (name, readers) in enumerate(rows):
        there = parquet[f"c{i}"]["verdict"] != "unsupported"
        cells = [f"`{name}`", readers[CLIENT]["remark"], readers[TASKS]["remark"], kept(parquet[f"c{i}"]),
                 "; ".join(dict.fromkeys(misread.get(f"c{i}", []))) if there else "", kept(arrow[f"c{i}"])]
        lines.append("| " + " | ".join(text.replace("|", "\\|") for text in cells) + " |")
    return "\n".join(lines)


def test_page(tmp_path):
    text = PAGE.read_text()
    new = re.sub(r"(?ms)^\| type of YTsaurus.*?\n\n", lambda _: table(tmp_path) + "\n\n", text)
    if harness.UPDATE:
        PAGE.write_text(new)
        text = new
    assert "| `Int8` |" in new and text == new, f"stale: run {__file__} --update"
