"""Every rule of the catalogue: an example that meets it and one that does not.

Rules about values also have a row that is rejected and one that is kept. The rules are those of `xwalk explain`, whose examples
meet them. A rule that is not in the tables here fails.
"""
import json
import os
import subprocess
import sys
from decimal import Decimal

import pytest

from tests import harness
from tests.harness import BUILD, expect

with harness.skip_if_missing():
    import pyarrow as pa
    from yt import yson

PARQUET = "echo 'message m { %s }' | xwalk validate --rules --from parquet -"
#: For each rule, the change of its example to one that does not meet it (a part and its replacement), or a whole command.
BESIDE = {
    "annotation.contradiction": PARQUET % "required int64 a (TIMESTAMP(MICROS,true));",
    "annotation.misplaced": PARQUET % "required int32 a (INTEGER(8,true));",
    "annotation.parameters": ("required int32 a", "optional int32 a"),
    "annotation.stale": ('value: "Utf8"', 'value: "Int64"'),
    "annotation.unknown": PARQUET % "required int32 a;",
    "output.new": ("echo '", "echo '{a=1}' > new.yson; echo '[{name=a;type=int64}]' > new.yson.schema; echo '"),
    "any.as-bytes": ("--to vortex", "--to skiff"),
    "any.as-json": (" --any json", ""),
    "any.as-variant": ("--to parquet", "--to parquet --any yson"),
    "variant.as-any": ("--to yt", "--to arrow"),
    "variant.decimals-as-doubles": ("--to yt", "--to arrow"),
    "variant.as-json": (" --into json", ""),
    "row-spec.differs": ("type=int64}", "type=int64;required=%true}"),
    # A footer with one order.
    "orders.miscounted": ("ksHAAAHAAAAD4", "kcHAAAADs"),
    # A footer that says one row.
    "rows.miscounted": ("BdgAWABkcGRwm", "BdgAWAhkcGRwm"),
    "children.count": ('type: "list"', 'type: "int8"'),
    "crs.assumed": ("[geoarrow.wkb]", r'[geoarrow.wkb "{\"crs\":\"EPSG:3857\"}"]'),
    "crs.beyond-geoparquet": (" --geoparquet", ""),
    "crs.by-code": ("--to iceberg", "--to parquet"),
    "crs.lost": ("--to yt", "--to parquet"),
    # As pyarrow writes decimals: in no more bytes than they need.
    "decimal.more-bytes": (f"{sys.executable} -c \"import pyarrow as pa, pyarrow.parquet as pq, decimal; "
                           "pq.write_table(pa.table({'v': [decimal.Decimal('1.25')]}), 'v.parquet')\"; xwalk validate v.parquet"),
    "decimal.precision": ("DECIMAL(9,2)", "DECIMAL(10,2)"),
    "decimal.scale": PARQUET % "required int32 a (DECIMAL(9,2));",
    "decimal.special-values": ("--to parquet", "--to skiff"),
    "digits.fewer": ("'decimal128(20, 2)'", "'decimal128(20, 4)'"),
    "encoding.narrowed": ("String --from", "Utf8 --from"),
    "extension.unknown": ("[my.ext]", ""),
    "float.narrowed": ("--into Float", "--into Double"),
    "group.empty": ("optional group g { }", "optional group g { required int32 a; }"),
    "id.duplicate": ("b = 1", "b = 2"),
    "id.invalid": ("id: -2", "id: 2"),
    "id.lost": (" = 7", ""),
    "id.parent": ("parent_id: 9", "parent_id: -1"),
    "integers.as-doubles": ("{x=1};", "{x=1.};"),
    "key.invalid": ('"int8" ', '"int8" nullable: false '),
    "key.lost": (";sort_order=ascending", ""),
    "keys.duplicates": ("map<string, int64>", "list<item: int64>"),
    "layout.flattened": ("string_view", "string"),
    "list.legacy": ("bag { optional int32 x; }", "list { optional int32 element; }"),
    "list.mixed": ("repeated int32 a;", "optional int32 a;"),
    "list.shape": ("{ optional int32 element; }", "{ repeated group list { optional int32 element; } }"),
    "map.key-optional": ("optional int32 key", "required int32 key"),
    "map.legacy": ("required int32 key;", "required int32 key; optional int32 value;"),
    "map.shape": ("optional int32 extra;", ""),
    "meaning.changed": ("storage:timestamp[us]", "int32"),
    "meaning.differs": ("type=string", "type=int32"),
    "member.added": ("--into 'struct<a: int64, b: string>'", "--into 'struct<a: int64>'"),
    "member.left-out": ("--into 'struct<a: int64>'", "--into 'struct<a: int64, b: string>'"),
    "metadata.lost": ('metadata: { key: "unit" value: "kg" }', ""),
    "metadata.stale": (" --rename a=b", ""),
    "name.changed": ("a.b", "a_b"),
    "name.duplicate": ("int64 a", "int64 b"),
    "name.invalid": PARQUET % "required int32 a;",
    "name.reserved": ("_rowid", "_rowid_"),
    "null.added": ("Int64 --from", "'Optional<Int64>' --from"),
    "null.levels-merged": ("--into 'Optional<Int64>'", "--into 'Optional<Optional<Int64>>'"),
    "null.refused": ("--into Int64", "--into 'Optional<Int64>'"),
    "option.unused": (" --drop-zone", ""),
    "order.changed": ("'struct<b: string, a: int64>'", "'struct<a: int64, b: string>'"),
    "order.required": (";sort_order=ascending", ""),
    "range.narrowed": ("required int64 v (TIMESTAMP(MICROS,true))", "required int32 v"),
    "schema.differs": (" --cast id=int8", ""),
    "schema.inferred": ("--to parquet", "--to parquet --schema '[{name=id;type=int64}]'"),
    "size.lost": ("fixed_size_binary[16]", "binary"),
    "size.narrowed": ("type binary", "type 'fixed_size_binary[16]'"),
    "spec.beyond-text": ("precision=76;scale=38", "precision=35;scale=30"),
    "spec.broken": ("type_v3=yson", "type_v3={type_name=optional;item=yson}"),
    "reader.misreads": ("duckdb", "pyarrow"),
    "reader.refuses": ("spark", "duckdb"),
    "spec.version": ("tz_timestamp64", "timestamp"),
    "text.formula": ("type=utf8", "type=int64"),
    "text.from-value": ("id=utf8", "id=int32"),
    "text.to-value": ("id=int64", "id=binary"),
    "type.as-storage": ("Interval --from", "Int64 --from"),
    "type.cast": (" --cast price=int32", ""),
    "type.no-cast": ("List<Int64>", "Int32"),
    "type.parameters": ("128:39:2", "128:38:2"),
    "type.unsupported": ("members=[]", "members=[{name=x;type=int64}]"),
    "type.widened": ("halffloat", "float"),
    "union.lowered": ("--to lance", "--to arrow"),
    "unit.coarser": ("ns, tz", "us, tz"),
    "unit.finer": ("Datetime", "Timestamp"),
    "variant.shape": (" (STRING)", ""),
    "zone.assumed": ("'timestamp[us]'", "'timestamp[us, tz=UTC]'"),
    "zone.dropped": ("tz=Europe/Berlin", "tz=UTC"),
    "zone.unknown": ("--into TzTimestamp", ""),
}


def arrow(kind, *values):
    if isinstance(kind, pa.Field):
        return pa.table([pa.array(values, kind.type)], schema=pa.schema([kind]))
    return pa.table({"v": pa.array(values, kind)})


def zoned(zone):
    return {"time": 0, "zone": zone}


ZONED = pa.struct([pa.field("time", pa.timestamp("us", "UTC"), nullable=False), pa.field("zone", pa.string(), nullable=False)])
VARIANT = pa.field("v", pa.struct([pa.field("metadata", pa.binary(), nullable=False), pa.field("value", pa.binary(), nullable=False)]),
                   metadata={"ARROW:extension:name": "arrow.parquet.variant", "ARROW:extension:metadata": ""})


def variant(value):
    return {"metadata": b"\1\0\0", "value": value}


#: For each rule that refuses values: rows that are kept, rows that are rejected, the arguments of the conversion, and the option that
#: alters such rows instead. Rows of YTsaurus have their type and their text.
REFUSING = {
    "any.as-json": (("{type_name=optional;item=yson}", "{v={a=[1;b]}}", "{v=[%nan]}"), "--to parquet --any json", None),
    "any.as-variant": (("{type_name=optional;item=yson}", "{v={a=[1;b]}}", "{v=[<a=1>2]}"), "--to parquet", None),
    "variant.as-any": ((VARIANT, variant(b"\x0c\x01"), variant(b"\x2c\0\0\0\0")), "--to yson", "--variant-values text"),
    "variant.as-json": ((VARIANT, variant(b"\x0c\x01"), variant(b"\x2c\0\0\0\0")), "--to parquet --cast v=json", "--variant-values text"),
    "decimal.special-values": (("{type_name=optional;item={type_name=decimal;precision=20;scale=4}}", '{v="1.5"}', '{v="nan"}'),
                               "--to parquet --from <decimal_mode=text>yson", "--decimal-special null"),
    "digits.fewer": ((pa.decimal128(20, 4), Decimal("1.25"), Decimal("1.2345")), "--to arrow --to-schema 'v: decimal128(20, 2)'",
                     "--round"),
    "encoding.narrowed": (("string", '{v="a"}', r'{v="\xff"}'), "--to yson --to-schema [{name=v;type_v3=utf8}]", None),
    "float.narrowed": (("double", "{v=1.5}", "{v=0.1}"), "--to yson --to-schema [{name=v;type_v3=float}]", "--round"),
    "keys.duplicates": (("{type_name=dict;key=string;value=int64}", "{v=[[a;1]]}", "{v=[[a;1];[a;2]]}"), "--to parquet",
                        "--duplicate-keys last"),
    "null.levels-merged": (("{type_name=optional;item={type_name=optional;item=int64}}", "{v=[1]}", "{v=[#]}"),
                           "--to yson --to-schema [{name=v;type_v3={type_name=optional;item=int64}}]", "--merge-nulls"),
    "null.refused": (("{type_name=optional;item=int64}", "{v=1}", "{v=#}"), "--to yson --to-schema [{name=v;type_v3=int64}]", None),
    "order.required": (("int64", "{v=2}", "{v=1}"), "--to yson --to-schema [{name=v;type_v3=int64;sort_order=ascending}]", None),
    "range.narrowed": (("int64", "{v=127}", "{v=128}"), "--to yson --to-schema [{name=v;type_v3=int8}]", None),
    "size.narrowed": ((pa.binary(), b"ab", b"abc"), "--to arrow --to-schema 'v: fixed_size_binary[2]'", None),
    "text.formula": (("utf8", '{v="1=1"}', '{v="=1+1"}'), "--to csv --csv-formulas refuse", None),
    "text.to-value": (("utf8", "{v=\"12\"}", "{v=\"x\"}"), "--to yson --cast v=int64", None),
    "unit.coarser": ((pa.timestamp("ns", "UTC"), 1000, 1001), "--to yson", "--round"),
    "zone.unknown": ((ZONED, zoned("UTC"), zoned("Nowhere/City")), "--to yson --to-schema [{name=v;type_v3=tz_timestamp}]", None),
}
#: Altered without a value that is kept: the member is gone from every row, or no row can be converted.
ALTERING = {"meaning.differs", "member.left-out", "reader.misreads", "reader.refuses", "type.no-cast", "type.unsupported"}


def shell(command, folder):
    environment = {**os.environ, "PATH": f"{BUILD}:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.returncode, done.stdout.decode(errors="replace")


def refuses(rule, command, folder):
    """Returns true if a rule refuses or alters values, by the report on its example."""
    if not any(f" {verb} " in f" {command} " for verb in ("check", "type")):
        return False
    # Messages on stderr are no part of the report.
    _, out = shell(f"( {command} --json ) 2>/dev/null", folder)
    report = json.loads(out)
    paths = [path for each in (report if isinstance(report, list) else [report]) for path in each.get("paths", [])]
    return any(reason["rule"] == rule and reason["values"] != "kept" for path in paths for reason in path["reasons"])


def written(rows, which, path):
    """Writes rows of which some are kept (0) or refused (1)."""
    kind, *values = rows
    if isinstance(kind, str):
        path = path.with_suffix(".yson")
        path.with_name(path.name + ".schema").write_text(f"[{{name=v;type_v3={kind}}}]")
        path.write_text(";".join(values[at] for at in which))
        return path
    table = arrow(kind, *(values[at] for at in which))
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)
    return path


CATALOGUE = {each["rule"]: each["example"]["command"] for each in json.loads(harness.run("explain", "--json").stdout)}


@pytest.mark.parametrize("rule", CATALOGUE)
def test_example(rule, tmp_path):
    command = CATALOGUE[rule]
    _, out = shell(command, tmp_path)
    expect(rule in out, f"its example does not meet it\n$ {command}\n{out}")
    if rule not in REFUSING and rule not in ALTERING:
        expect(not refuses(rule, command, tmp_path), "it refuses values, and REFUSING has no rows for it")


@pytest.mark.parametrize("rule", CATALOGUE)
def test_example_that_does_not_meet_it(rule, tmp_path):
    command = CATALOGUE[rule]
    change = BESIDE[rule]
    if not isinstance(change, str):
        expect(change[0] in command, f"its example has no {change[0]!r}: {command}")
        change = command.replace(*change)
    code, out = shell(change, tmp_path)
    expect(code == 0 and rule not in out, f"exit code {code}\n$ {change}\n{out}")


@pytest.mark.parametrize("rule", REFUSING)
def test_rows(rule, tmp_path):
    """A row that is kept arrives. The other row is rejected at its path, and altered on request."""
    rows, words, option = REFUSING[rule]

    def convert(which, more="", rejects_too=True):
        source, rejects = written(rows, which, tmp_path / "in.arrow"), tmp_path / "rejects.yson"
        rejects.unlink(missing_ok=True)
        quoted = " ".join(f"'{word}'" if word[0] in "[<" else word for word in words.split(" ")) if "'" not in words else words
        done = shell(f"xwalk convert {source.name} out -q --overwrite {f'--rejects {rejects.name}' if rejects_too else ''} {quoted} {more}",
                     tmp_path)
        return *done, list(yson.loads(rejects.read_bytes(), yson_type="list_fragment")) if rejects.exists() else []

    code, out, rejected = convert([0])
    expect(code == 0 and not rejected, "the row that is kept", code, out, rejected)
    code, out, _ = convert([0, 1], rejects_too=False)
    expect(code == 3, "expected a refusal", code, out)
    code, out, rejected = convert([0, 1])
    # A row that is out of order is rejected as a whole.
    expect(code == 0 and [row["row"] for row in rejected] == [1] and str(rejected[0].get("path", "v")).startswith("v"),
           "expected one rejected row", code, out, rejected)
    if option:
        code, out, _ = convert([0, 1], option)
        expect(code == 1, f"{option} needs consent", code, out)
        code, out, rejected = convert([0, 1], f"{option} --allow lossy")
        expect(code == 0 and not rejected, f"{option} alters the row", code, out, rejected)


def test_the_tables_have_only_rules_that_exist():
    assert set(BESIDE) | set(REFUSING) | ALTERING <= set(CATALOGUE)
