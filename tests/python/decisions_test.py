"""Every form of a report names the same decisions: for random migrations, with and without rows, with accepted findings."""

import html
import json
import random
import re
import xml.etree.ElementTree

import pytest

from tests import harness

TYPES = ["int64", "utf8", "string", "double", "date", "timestamp", "bool",
         "{type_name=decimal;precision=9;scale=2}", "{type_name=list;item={type_name=decimal;precision=9;scale=2}}",
         "{type_name=struct;members=[{name=m;type={type_name=decimal;precision=9;scale=2}};{name=n;type=utf8}]}"]
VALUES = {"int64": ["1", "-7"], "utf8": ['"a"', '"\\xff"'], "string": ['"a"', '"\\xff"'], "double": ["1.5", "%nan"],
          "date": ["17000u"], "timestamp": ["17000000u"], "bool": ["%true"]}


def value(generator: random.Random, type_: str) -> str:
    if type_ in VALUES:
        return generator.choice(VALUES[type_])
    number = generator.choice(['"1.25"', '"1.25"', '"1.25"', '"nan"'])
    return number if type_.startswith("{type_name=decimal") else f"[{number}]" if "list" in type_ else f'{{m={number};n="x"}}'


def write_migration(folder, generator: random.Random) -> int:
    """Writes a few tables with rows and a project of them; some findings are accepted, some rows have a file, some inputs are
    missing or differ. Returns the number of pairs."""
    sections = []
    for table in range(generator.randint(2, 5)):
        types = [generator.choice(TYPES) for _ in range(generator.randint(1, 5))]
        columns = ";".join(f"{{name=c{i};type_v3={type_}}}" for i, type_ in enumerate(types))
        name = f"{'abcde'[table]}.yson"
        (folder / f"{name}.schema").write_text(f"[{columns}]")
        rows = ["{" + ";".join(f"c{i}={value(generator, type_)}" for i, type_ in enumerate(types)) + "};\n"
                for _ in range(generator.randint(1, 3))]
        (folder / name).write_text("".join(rows))
        verb, target = generator.choice([("check", 'to = "parquet"'), ("convert", f'output = "out/{name}.parquet"')])
        lines = [f"[[{verb}]]", f'input = "{name}"', target, 'decimal-mode = "text"']
        if verb == "convert" and generator.random() < .5:
            lines.append(f'rejects = "out/{name}.bad"')
        if generator.random() < .3:
            lines.append('fail-on = "checked"')
        if generator.random() < .5:
            lines.append('accept = [{path = "c0", rule = "decimal.special-values", reason = "known", expires = 2999-12-31}]')
        sections.append("\n".join(lines))
        if generator.random() < .3:
            # The table is converted twice.
            sections.append(f'[[convert]]\ninput = "{name}"\noutput = "more/{name}.parquet"\ndecimal-mode = "text"')
    if generator.random() < .4:
        sections.append('[[check]]\ninput = "gone.yson"\nto = "parquet"')
    if generator.random() < .4:
        # Two files of one folder that are not one table.
        (folder / "days").mkdir()
        for day, more in ((1, ""), (2, ";z=1")):
            (folder / "days" / f"{day}.yson").write_text(f"{{x={day};y=2{more}}};\n")
        sections.append('[[check]]\ninput = "days"\nto = "parquet"')
    (folder / "xwalk.toml").write_text('title = "The move"\nowner = "Data"\n\n' + "\n\n".join(sections) + "\n")
    return len(sections)


def open_paths(text: str) -> list[str]:
    """The paths in a text such as `a, b[] (checked), c (1 of 2 rows rejected)`."""
    return sorted(path for names in re.findall(r"([^()]+) \([^()]*\)", text) for path in names.strip(", ").split(", "))


@pytest.mark.parametrize("rows", [[], ["--rows"]])
@pytest.mark.parametrize("seed", range(12))
def test_every_form_has_the_same_decisions(tmp_path, seed, rows):
    write_migration(tmp_path, random.Random(seed))

    def printed(form: str) -> str:
        return harness.run("check", *rows, "--output", form, code=(0, 1, 66, 74), cwd=tmp_path).stdout

    def name_of(line: dict) -> str:
        return f"{line['input']} → {line['output'] or line['target']}" if line["target"] else line["input"]

    found = json.loads(printed("json"))
    # The first lines are those of the pairs, others have no report.
    summary = {name_of(line): line for line in found["summary"]}
    assert len(summary) == len(found["summary"])
    expected = {}
    for pair, line in zip(found["pairs"], found["summary"]):
        assert pair["input"] == line["input"]
        expected[name_of(line)] = sorted({one["path"] for one in pair["decisions"] if one["state"] in ("open", "fails")})
        # What fails is what the program says with its code.
        assert pair["fails"] == any(one["state"] == "fails" for one in pair["decisions"]), pair
        rejected = {path["path"] for path in pair.get("rows", {}).get("paths", []) if path["refused"] > 0}
        assert rejected <= {one["path"] for one in pair["decisions"] if one.get("rejected", 0) > 0}, pair
    failing = {problem["subject"] for problem in found["problems"] if problem["problem"] in ("error", "differs")}
    states = {name: line["state"] for name, line in summary.items()}
    assert found["fails"] == ("fails" in states.values())
    for name, line in summary.items():
        decided = bool(expected.get(name)) or line["input"] in failing
        assert decided == (line["state"] != "settled"), line
        assert line["state"] == "fails" or line["input"] not in failing, line
        if line["input"] not in failing:
            assert open_paths(line["decision"]) == expected[name]
    expected = {name: paths for name, paths in expected.items() if summary[name]["input"] not in failing}

    # A long list continues on further lines.
    text = re.sub(r"\n {12,}", " ", printed("text"))
    states_text = f"{len(states)} pairs: {len(states) - list(states.values()).count('fails')} passed, {list(states.values()).count('fails')} failed"
    assert states_text.replace("1 pairs", "1 pair") in text
    for name in failing:
        assert re.search(rf"^✗ {re.escape(name)}", text, re.M), text
    for name, paths in expected.items():
        line = re.search(rf"^[✗ ] {re.escape(name)} +\S+ +\d+  \S+ *(.*)$", text, re.M)
        assert (open_paths(line[1]) if line else []) == paths, text
    markdown = printed("markdown")
    for name, paths in expected.items():
        line = re.search(rf"^\| `{re.escape(name)}` \|.*\| ([^|]*) \|$", markdown, re.M)
        assert open_paths(line[1].replace("\\", "")) == paths, markdown
    page = printed("html")
    for name, paths in expected.items():
        line = re.search(rf"<bdi>{re.escape(name)}</bdi>.*<td>([^<]*)</td></tr>", page)
        assert open_paths(html.unescape(line[1])) == paths, page
    suites = xml.etree.ElementTree.fromstring(printed("junit"))
    named = [sorted({one.get("value").rsplit(": ", 1)[0] for one in suite.iter("property")
                     if one.get("name") == "needs a decision"})
             for suite in suites if suite.get("name").startswith("xwalk check")]
    assert [paths for paths, line in zip(named, found["summary"]) if line["input"] not in failing] == list(expected.values())
    github = printed("github")
    for name, paths in expected.items():
        severe = set(re.findall(rf"^::(?:error|warning) file={re.escape(summary[name]['input'])},title=(.*?)%3A ", github, re.M))
        assert set(paths) <= severe, github

    managed = printed("management")
    assert "<title>The move</title>" in managed and "owner: Data" in managed
    inputs = {line["input"] for line in summary.values()}
    all_states = list(states.values())
    what = f"{len(states)} tables" if len(inputs) == len(states) else f"{len(states)} conversions of {len(inputs)} tables"
    lead = f"{what}: {all_states.count('settled')} ready, {all_states.count('open')} with a decision to make, {all_states.count('fails')} that"
    assert lead in managed, managed
    before, tables = managed.split("<h2>Tables</h2>")
    sections = " ".join(re.findall(r"<dt>(?:Where)?</dt><dd>(.*?)</dd>", before))
    listed = set(re.findall(r"(?:: |, )(c\d[^ ,(]*)", html.unescape(sections)))
    assert listed == {path for paths in expected.values() for path in paths}, before
    for name in failing:
        assert name in sections and re.search(rf"<bdi>{re.escape(name)}</bdi>.*does not pass", tables), managed
    assert ("Nothing must be decided." in managed) == (set(all_states) == {"settled"})
