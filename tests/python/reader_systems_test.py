"""`xwalk types --readers` against the readers of Lance, Vortex and tables of YTsaurus: a file for each type, written by pylance
and vortex-data, or a row of YSON, or a schema, and how each installed reader interprets it.

If the table has no remark, the column comes back as it was written; else as the remark begins. DuckDB's extensions and SPYT
are in an environment of their own (`make readers`), which is used if it exists. What the table read in a source is not
asked.
"""
import base64
import json
import subprocess
import sys

import lance
import pyarrow as pa
import pytest
import vortex
import yt.yson as yson
from type_columns import arrow_schema, column, same

from tests import harness

XWALK = harness.PROGRAM
ASK = harness.ROOT / "tests" / "python" / "ask_reader.py"
OWN = harness.DEPS / "readers-venv" / "bin" / "python"
#: What tools/setup.sh leaves behind when it has filled that environment.
FILLED = harness.DEPS / ".stamps" / "requirements-readers"
#: Readers that need the environment of their own.
IN_OWN = {"DuckDB's lance", "DuckDB's vortex", "SPYT", "ytsaurus-client-java"}


def write(system: str, words: str, path: str) -> dict:
    field = arrow_schema(XWALK, system, words).field(0)
    written = column(field)
    table = pa.Table.from_arrays([written], schema=pa.schema([pa.field("v", written.type, field.nullable, field.metadata)]))
    if system == "lance":
        lance.write_dataset(table, path)
    else:
        vortex.io.write(table, path)
        if str(vortex.open(path).dtype).replace("µs", "us") != "{v=%s}" % words:
            raise TypeError(f"vortex-data writes {vortex.open(path).dtype}")
    return {"path": path, "written": written}


#: A value of each kind of YTsaurus whose form in Python is looked at.
ROWS = {"Int": b"5", "Uint": b"5u", "Float": b"1.5", "Double": b"1.5", "Bool": b"%true", "String": b'"\xff"', "Utf8": b"abc",
        "Json": b'"{}"', "Yson": b"{a=1}", "Uuid": b'"\xff\xff"', "Datetime64": b"5", "Date32": b"5", "Timestamp64": b"5",
        "Interval": b"5", "Date": b"5u", "Timestamp": b"5u", "Tz": b'"\xff\xff"', "Null": b"#", "Void": b"#",
        "Decimal": b'"\x80\x00\x00\x7d"', "Optional<Optional": b"[#]", "List": b"[1]", "Struct": b"{a=1;b=x}", "Tuple": b"[1;x]",
        "Variant<'": b"[a;1]", "Variant": b"[0;1]", "Tagged<List": b"[1]", "List<Decimal": b'["\x80\x00\x00\x7d"]', "Dict": b"[[k;1]]", "Tagged": b"5", "Optional<List": b"[1]",
        "Optional<Yson": b"{a=1}", "Optional": b"5"}
#: What Python calls what is read as it is meant.
MEANT = {"Int": {"int"}, "Uint": {"YsonUint64"}, "Float": {"float"}, "Double": {"float"}, "Bool": {"bool"}, "Utf8": {"str"},
         "Optional<Yson": {"dict"}, "Yson": {"dict"}, "Null": {"NoneType"}, "Void": {"NoneType"}, "List": {"list"},
         "Optional<List": {"list"}, "Optional": {"int"}, "Struct": {"dict"}, "Tagged": {"int"}, "Tagged<List": {"list"}}
#: What Spark calls it.
IN_SPARK = {"Int8": "tinyint", "Int16": "smallint", "Int32": "int", "Int64": "bigint", "Uint64": "uint64", "Float": "float",
            "Double": "double", "Bool": "boolean", "Date": "date", "Datetime": "datetime", "Timestamp": "timestamp",
            "Date32": "date32", "Datetime64": "datetime64", "Timestamp64": "timestamp64", "Interval64": "interval64",
            "Null": "void", "Decimal": "decimal", "List": "array", "Optional<List": "array", "Struct": "struct", "Dict": "map",
            "Tagged": "bigint", "Tagged<List": "array", "Optional": "bigint", "Optional<Yson": "yson"}
IN_PYTHON = {"bytes": {"YsonStringProxy"}, "str": {"str"}, "int": {"int", "YsonUint64"}, "list": {"list"}}


#: The same value as YTsaurus's proxies write it in JSON, with the options that ClickHouse sends.
IN_JSON = {"Int": b"5", "Uint": b"5", "Float": b"1.5", "Double": b"1.5", "Bool": b"true", "String": b'"\xff"', "Utf8": b'"abc"',
           "Json": b'"{}"', "Yson": b'"x"', "Uuid": b'"00112233-4455-6677-8899-aabbccddeeff"', "Date": b"5", "Timestamp": b"5",
           "Tz": b'"x"', "Null": b"null", "Void": b"null", "Decimal": b'"\x80\x00\x00\x7d"', "Optional<Optional": b"[null]",
           "List": b"[1]", "Struct": b'[1,"x"]', "Tuple": b'[1,"x"]', "Variant<'": b'["a",1]', "Variant": b"[0,1]",
           "Dict<Utf8": b'[["k",1]]', "Dict<Int64": b'[[1,"x"]]', "Tagged": b"5", "Optional<List": b"[1]", "Optional<Yson": b'"x"',
           "Tagged<List": b"[1]", "List<Decimal": b'["\x80\x00\x00\x7d"]',
           "Optional": b"5"}
#: What ClickHouse calls what is read as it is meant, and shows.
IN_CLICKHOUSE = {**{f"{sign}nt{bits}": (f"{name}nt{bits}", "5") for sign, name in (("I", "I"), ("Ui", "UI")) for bits in (8, 16, 32, 64)},
                 "Float": ("Float32", "1.5"), "Double": ("Float64", "1.5"), "Bool": ("Bool", "true"), "String": ("String", "\xff"),
                 "Utf8": ("String", "abc"), "Uuid": ("UUID", "00112233-4455-6677-8899-aabbccddeeff"), "Date": ("Date", "1970-01-06"),
                 "Datetime": ("DateTime64(0)", "1970-01-01 00:00:05"), "Timestamp": ("DateTime64(6)", "1970-01-01 00:00:00.000005"),
                 "List": ("Array(Int64)", "[1]"), "Struct": ("Tuple(a Int64, b Nullable(String))", "(1,'x')"),
                 "Tuple": ("Tuple(Int64, String)", "(1,'x')"), "Dict<Utf8": ("Map(String, Int64)", "{'k':1}"),
                 "Dict<Int64": ("Map(Int64, String)", "{1:'x'}"), "Tagged": ("Int64", "5"), "Optional": ("Nullable(Int64)", "5")}


#: What the Java client calls what is read as it is meant, in Skiff.
IN_SKIFF = {**{f"{sign}nt{bits}": f"{name}nt{bits}" for sign, name in (("I", "i"), ("Ui", "ui")) for bits in (8, 16, 32, 64)},
            "Double": "double", "Bool": "boolean", "String": "string32", "Utf8": "string32", "Uuid": "string32", "Timestamp": "uint64",
            "Decimal(9": "int32", "Decimal(18": "int64", "Decimal(35": "int128", "List": "repeated_variant8", "Dict": "repeated_variant8",
            "Struct": "tuple", "Optional": "variant8"}


def of_kind(table: dict, words: str):
    """The entry for the longest prefix of a type's text; None if it has none."""
    return table.get(max((key for key in table if words.startswith(key)), key=len, default=None))


def client_agrees(words: str, remark: str, found: dict) -> bool:
    name = remark.split(":")[0]
    if words == "String":
        name = "bytes"
    return found.get("type") in ((IN_PYTHON.get(name) if remark else of_kind(MEANT, words)) or ())


def clickhouse_agrees(words: str, remark: str, found: dict) -> bool:
    if remark.startswith("refuses") or "refused" in found:
        return remark.startswith("refuses") and "refused" in found
    if not remark:
        return (found["type"], found["text"]) == of_kind(IN_CLICKHOUSE, words)
    return found["type"].removeprefix("Nullable(").startswith(remark.split(":")[0])


def skiff_agrees(words: str, version: str, remark: str, found: dict) -> bool:
    if remark or "refused" in found:
        return remark.startswith("refuses the table") and "refused" in found
    assert f"-{version}.jar" in found["from"]
    return yson.loads(found["type"].encode())["wire_type"] == of_kind(IN_SKIFF, words)


def plain_type(kind) -> object:
    """A type without SPYT's own annotations, and with nested utf8 as string, which is reported for the nested part itself."""
    if isinstance(kind, dict):
        return {str(key): plain_type(one) for key, one in kind.items() if key != "metadata"}
    if isinstance(kind, list):
        return [plain_type(one) for one in kind]
    return "string" if kind == "utf8" else str(kind) if isinstance(kind, str) else kind


def spyt_agrees(words: str, case: dict, remark: str, found: dict) -> bool:
    if remark.startswith("refuses"):
        return "refused" in found
    if "refused" in found:
        return False
    given = yson.loads(case["type_v3"].encode())
    written = yson.loads(found["written"].encode())[0]["type_v3"]
    kept = plain_type(given) == plain_type(written) and (given != "utf8" or written == "utf8")
    if not remark:
        return kept and found["type"].startswith(of_kind(IN_SPARK, words) or "nothing")
    name, _, rest = remark.partition(":")
    if name == "one optional":
        return isinstance(given, dict) and given["item"] == written
    if name == "decimal":
        return written["precision"] == 35 and found["type"].startswith(name)
    back = rest.rpartition("written back as ")[2]
    back_kept = (written if isinstance(written, str) else written["type_name"]) == back if back and "written back" in rest else kept
    return found["type"].startswith(name) and back_kept


def file_agrees(case: dict, remark: str, found: dict) -> bool:
    if found.get("ended") or "refused" in found:
        return remark.startswith("refuses the file") and not found.get("ended")
    if not remark:
        with pa.ipc.open_stream(base64.b64decode(found["value"])) as stream:
            return same(stream.read_all()["v"], case["written"])
    return found["type"].upper().startswith(remark.split(":")[0].upper())


def ask(reader: str, cases: list[dict]) -> list[dict]:
    """What the reader finds; one that ends its process is started again for the rest."""
    found = []
    while len(found) < len(cases):
        lines = "".join(json.dumps({key: one for key, one in case.items() if isinstance(one, str)}) + "\n"
                        for case in cases[len(found):])
        done = subprocess.run([OWN if reader in IN_OWN else sys.executable, ASK, reader], input=lines, capture_output=True, text=True)
        answers = done.stdout.splitlines()
        found += [json.loads(answer) for answer in answers]
        if len(found) < len(cases):
            if "Traceback" in done.stderr and not answers:
                raise RuntimeError(f"{reader} does not start: {done.stderr[-600:]}")
            found.append({"ended": True})
    return found


def cases_of(system: str, lines: list[dict], folder: str) -> dict[str, dict]:
    cases = {}
    for number, line in enumerate(lines):
        words = line["type"]
        try:
            if system == "yt":
                column = column_of(words)
                cases[words] = {"type_v3": yson.dumps(column["type_v3"], yson_format="text").decode(),
                                "row": base64.b64encode(b"{v=" + of_kind(ROWS, words) + b"};").decode(),
                                # A user names the type of values of any type.
                                "declared": "String" if words.endswith("Yson") or words.endswith("Yson>") else "",
                                "column": json.dumps({**yson.yson_to_json(column), "required": bool(column.get("required")), "name": "v"}),
                                "json_row": base64.b64encode(of_kind(IN_JSON, words)).decode()}
            else:
                cases[words] = write(system, words, f"{folder}/{number}.{system}")
        except (TypeError, ValueError, OSError, pa.ArrowInvalid, pa.ArrowNotImplementedError, subprocess.SubprocessError) as error:
            print(f"{system}: {words}: nothing writes one: {str(error)[:100]}")
    return cases


def column_of(words: str) -> dict:
    return yson.loads(harness.run("schema", "-", "--from", "yt", "--form", "yson", input=words).stdout.encode())[0]


TABLE = json.loads(harness.run("types", "--readers", "--json").stdout)
#: The systems, and the places of the readers that are installed or can be.
READERS = [(system, place, reader) for system in ("lance", "vortex", "yt")
           for place, reader in enumerate(next(line for line in TABLE if line["system"] == system)["readers"])
           if reader["known"] != "source"]


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    """The cases for the readers, by system and type."""
    folder = tmp_path_factory.mktemp("readers")
    return {system: cases_of(system, [line for line in TABLE if line["system"] == system], str(folder))
            for system in ("lance", "vortex", "yt")}


@pytest.mark.parametrize("system, place, reader", READERS, ids=[f"{system}-{reader['reader']}" for system, _, reader in READERS])
def test_reader(cases, system, place, reader):
    name = reader["reader"]
    if name in IN_OWN and not FILLED.exists():
        pytest.skip(f"{name} {reader['version']} is not installed (make readers); last asked on {reader['day']}")
    lines = [line for line in TABLE if line["system"] == system and line["type"] in cases[system]
             and "(not run since " not in line["readers"][place]["remark"]]
    assert lines
    wrong = []
    for line, found in zip(lines, ask(name, [cases[system][line["type"]] for line in lines])):
        words, remark = line["type"], line["readers"][place]["remark"]
        case = cases[system][words]
        agrees = (client_agrees(words, remark, found) if name == "ytsaurus-client" else
                  skiff_agrees(words, reader["version"], remark, found) if name == "ytsaurus-client-java" else
                  spyt_agrees(words, case, remark, found) if name == "SPYT" else
                  clickhouse_agrees(words, remark, found) if name == "ClickHouse's ytsaurus" else file_agrees(case, remark, found))
        if not agrees:
            found.pop("value", None)
            wrong.append(f"{words}: the table says {remark or 'as it is meant'}, found {found}")
    assert not wrong, "\n".join(wrong)
