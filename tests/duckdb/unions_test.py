"""Variants in DuckDB: every payload, also a null one, at every depth, has its tag there and comes back."""

import re

import pytest

import duckdb
from connection import FOLDER, connect, write

INNER = "{type_name=variant;members=[{name=g;type=null};{name=h;type={type_name=optional;item=utf8}}]}"
ITEMS = "{type_name=list;item={type_name=optional;item=int64}}"
PAYLOADS = {
    "a": "{type_name=optional;item=int64}", "b": "null", "c": "utf8", "d": ITEMS, "e": INNER,
    "f": "{type_name=struct;members=[{name=x;type={type_name=optional;item=int64}};{name=v;type=" + INNER + "}]}",
    "i": "{type_name=list;item=" + INNER + "}",
}
VARIANT = "{type_name=variant;members=[" + ";".join(f"{{name={name};type={kind}}}" for name, kind in PAYLOADS.items()) + "]}"
#: A value, its tag, and the tag of a variant in it.
VALUES = [("[a;5]", "a", None), ("[b;#]", "b", None), ('[c;"x"]', "c", None), ("[a;#]", "a", None), ("[d;[1;#]]", "d", None),
          ("[d;[]]", "d", None), ("[e;[g;#]]", "e", "g"), ("[e;[h;#]]", "e", "h"), ('[e;[h;"y"]]', "e", "h"),
          ("[f;{x=#;v=[h;#]}]", "f", "h"), ("[f;{x=1;v=[g;#]}]", "f", "g"), ('[i;[[h;#];[g;#];[h;"z"]]]', "i", "h")]
#: A type around the variant, a value around each value, and the variant in it in SQL.
LEVELS = {
    "column": (VARIANT, "{}", "v"),
    "list": (f"{{type_name=list;item={VARIANT}}}", "[[b;#];{}]", "v[2]"),
    "struct": (f"{{type_name=struct;members=[{{name=x;type={VARIANT}}};{{name=y;type=int8}}]}}", "{{x={};y=1}}", "v.x"),
    "map": (f"{{type_name=dict;key=utf8;value={VARIANT}}}", '[["k";{}];["l";[b;#]]]', "map_values(v)[1]"),
    "optional": (f"{{type_name=optional;item={VARIANT}}}", "{}", "v.value"),
    "list of structs": (f"{{type_name=list;item={{type_name=struct;members=[{{name=x;type={VARIANT}}}]}}}}", "[{{x={}}};{{x=[b;#]}}]", "v[1].x"),
    "list of lists": (f"{{type_name=list;item={{type_name=list;item={VARIANT}}}}}", "[[];[[a;#];{}]]", "v[2][2]"),
    "optional struct": (f"{{type_name=optional;item={{type_name=struct;members=[{{name=x;type={VARIANT}}}]}}}}", "{{x={}}}", "v.x"),
}
WITHIN = "CASE union_tag(u) WHEN 'e' THEN union_tag(u.e)::VARCHAR WHEN 'f' THEN union_tag(u.f.v)::VARCHAR WHEN 'i' THEN union_tag(u.i[1])::VARCHAR END"


def plain(text: str) -> str:
    """Returns rows of YSON in one spelling."""
    return re.sub(r";(?=[]}])", "", text.replace('"', "")).replace(";\n", "\n").strip()


def rows_of(name: str, level: str, rows: int) -> tuple[str, list[str]]:
    kind, around, _ = LEVELS[level]
    lines = ["{id=" + str(i) + ";v=" + around.format(VALUES[i % len(VALUES)][0]) + "}" for i in range(rows)]
    if level.startswith("optional"):
        lines[3] = "{id=3;v=#}"
    write(f"{name}.yson.schema", f"[{{name=id;type=int64;required=%true}};{{name=v;type_v3={kind}}}]")
    return write(f"{name}.yson", ";\n".join(lines) + ";\n"), lines


@pytest.mark.parametrize("level", LEVELS)
class TestVariants:
    def test_tags(self, level):
        path, lines = rows_of("tags", level, 5000)
        found = connect().execute(f"SELECT id, union_tag(u)::VARCHAR, {WITHIN} FROM "
                                  f"(SELECT id, {LEVELS[level][2]} AS u FROM '{path}') ORDER BY id").fetchall()
        for id_, tag, within in found:
            expected = (None, None) if lines[id_].endswith("v=#}") else VALUES[id_ % len(VALUES)][1:]
            assert (tag, within) == expected, lines[id_]
        assert len(found) == len(lines)

    def test_copies(self, level):
        path, lines = rows_of("copied", level, 3000)
        out = FOLDER / f"{level}.yson"
        connect().execute(f"COPY (SELECT t FROM '{path}' AS t ORDER BY id) TO '{out}' (FORMAT yson, YSON_FORMAT 'text')")
        if level == "optional":  # a struct in DuckDB, and so in the file
            lines = [f"{{id={i};v={'#' if i == 3 else '{value=' + VALUES[i % len(VALUES)][0] + '}'}}}" for i in range(len(lines))]
        assert plain(out.read_text()).split("\n") == [plain(line) for line in lines]


#: Values of SQL with a UNION that is NULL, and where it is.
UNION = "UNION(a BIGINT, b VARCHAR)"
NULLS = {
    "v": f"NULL::{UNION}", "v[]": f"[union_value(a := 1)::{UNION}, NULL]", "v.x": f"{{'x': NULL::{UNION}}}",
    "v{value}": f"MAP {{'k': NULL::{UNION}}}", "v<p>": f"union_value(p := NULL::{UNION})::UNION(p {UNION}, q BIGINT)",
}


@pytest.mark.parametrize("path", NULLS)
@pytest.mark.parametrize("format", ["yson", "skiff"])
def test_nulls_that_no_variant_has(format, path):
    out = FOLDER / "null.out"
    query = f"SELECT i, CASE WHEN i < 3000 THEN NULL ELSE {NULLS[path]} END AS v FROM range(3001) r(i)"
    if path in ("v", "v<p>"):
        query = f"SELECT 3000 AS i, {NULLS[path]} AS v"
    with pytest.raises(duckdb.Error, match="expected one of the alternatives of a variant, found NULL") as caught:
        connect().execute(f"COPY (SELECT t FROM ({query} ORDER BY i) AS t) TO '{out}' (FORMAT {format})")
    assert path in str(caught.value) and not out.exists()
    if path not in ("v", "v<p>"):
        assert "3000" in str(caught.value)


def test_payloads_that_are_null():
    """SQL's own values: a NULL payload, in every alternative, is written under its own tag."""
    out = FOLDER / "payloads.yson"
    kind = "UNION(a BIGINT, b VARCHAR, c DOUBLE[])"
    values = [f"union_value({name} := NULL)::{kind}" for name in "abc"] + [f"union_value(c := [NULL, 1.5])::{kind}"]
    query = " UNION ALL ".join(f"SELECT {i} AS id, {value} AS v" for i, value in enumerate(values))
    connect().execute(f"COPY (SELECT t FROM ({query} ORDER BY id) AS t) TO '{out}' (FORMAT yson, YSON_FORMAT 'text')")
    assert plain(out.read_text()).split("\n") == ["{id=0;v=[a;#]}", "{id=1;v=[b;#]}", "{id=2;v=[c;#]}", "{id=3;v=[c;[#;1.5]]}"]
