"""Runs each vector that has a form on the command line through the program, not only through the library.

Each family has one function. Its vectors are the cases of the file of the same name. A function returns None, or an error.
"""
import base64
import decimal as decimal_module
import json
import pathlib
import re
import tempfile

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    from yt import yson

VECTORS = harness.ROOT / "tests" / "vectors"
MARKS = {"skip_null_values", "complex_type_mode", "string_keyed_dict_mode", "decimal_mode", "time_mode", "uuid_mode"}
OK, DIFFERENT, BAD, UNSUPPORTED = 0, 1, 3, 4

#: Vectors with other results in the program, with reasons. One that passes now is an error too.
OTHERWISE = {
    "lance.arrow_to_lance-079": "structs without fields: Lance's own reader cannot read their nulls",
    "lance.arrow_to_lance-081": "members of one name: the second gets another",
    "lance.arrow_to_lance-091": "fixed-size lists of text: Lance's own readers cannot read them",
    "lance.arrow_to_lance-095": "fixed-size lists of structs: Lance's own readers cannot read them",
    "lance.arrow_to_lance-145": "fixed-size lists of structs: Lance's own readers cannot read them",
    "lance.arrow_to_lance-117": "json columns are written as text",
    "lance.arrow_to_lance-118": "json columns are written as text",
    "lance.proto_to_arrow-018": "json columns are read as text",
    "lance.proto_to_arrow-089": "json columns are read as text",
    "lance.proto_to_arrow-139": "json columns are read as text",
    "lance.proto_to_arrow-141": "a map with keys that may be null: pyarrow does not read the schema",
    "lance.proto_to_arrow-147": "a primary key that the table format does not allow",
    "skiff_decode-024": "a column in two places: the row is rejected",
    "skiff_logical-009": "a required yson is in no column",
    "skiff_logical-010": "a required yson is in no column",
    "vortex.dtype_flatbuffer_parse-010": "newer than the program: unsupported, 4",
    "vortex.dtype_flatbuffer_parse-012": "newer than the program: unsupported, 4",
    "vortex.dtype_flatbuffer_parse-033": "the text quotes such names, to parse back",
    "vortex.dtype_flatbuffer_parse-040": "the text keeps the second byte of the metadata",
    "vortex.dtype_proto_parse-001": "newer than the program: unsupported, 4",
    "vortex.dtype_proto_parse-003": "newer than the program: unsupported, 4",
    "yson_depth-001": "a column's value may nest 222 deep, whatever type of up to 32 levels is above it",
    "yson_parse_ok-037": "a column's value has no attributes at its top",
    "yson_parse_ok-039": "a column's value has no attributes at its top",
    "yson_parse_ok-059": "a column's value has no attributes at its top",
    "type_v3_invalid-004": "the empty list is a schema without columns",
    "yson_value-008": "nulls at the end of a struct are written",
    "yson_value-026": "a struct ends early only before optional fields, not before null",
}


def run(*words, data=b""):
    done = harness.try_run(*words, input=data)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace").strip()


def expect(code, wanted, words):
    """What is wrong with an exit code, if anything is."""
    return None if code == wanted else f"expected exit code {wanted}, found {code}: {words}"


def same(wanted, found):
    nan = wanted != wanted and found != found
    return None if wanted == found or nan else f"expected {wanted!r}, found {found!r}"


def node(text):
    return yson.loads(text.encode() if isinstance(text, str) else text, encoding=None)


def text_schema(column_type, name="a"):
    return f"[{{name={name};type_v3={column_type}}}]"


def schema_of(text, valid, *options):
    code, out, err = run("schema", "-", "--from", "yt", *options, data=text.encode())
    return out, expect(code, OK if valid else BAD, err)


# --- yt ---


def column_schema(case):
    out, wrong = schema_of(f"[{case['input']}]", case["valid"])
    if wrong or not case["valid"]:
        return wrong
    column = node(out)[0]
    return same(node(case["type_v3"]), column[b"type_v3"]) or same(case["required"], bool(column[b"required"]))


def table_schema(case):
    return schema_of(case["input"], case["valid"])[1]


def type_v3_valid(case):
    out, wrong = schema_of(text_schema(case["input"]), True)
    return wrong or same(node(case["canonical_yson"]), node(out)[0][b"type_v3"]) or (
        same(case["v1"]["type"], node(out)[0][b"type"].decode()) if "v1" in case else None)


def type_v3_invalid(case):
    code, _, err = run("type", case["input"], "--from", "yt", "--to", "yt")
    return expect(code, BAD, err)


def short_notation_parse(case):
    code, out, err = run("type", case["input"], "--from", "yt", "--to", "yt", "--form", "short", "--json")
    if code != (OK if case["valid"] else BAD):
        return expect(code, OK if case["valid"] else BAD, err)
    return None if not case["valid"] or case["short"] in out.decode() else f"expected {case['short']} in {out.decode()}"


def type_compatibility(case):
    answers = {"FullyCompatible": "compatible", "RequireValidation": "needs validation", "Incompatible": "incompatible"}
    with tempfile.TemporaryDirectory() as name:
        old, new = (pathlib.Path(name, part) for part in ("old", "new"))
        old.write_text(text_schema(case["old"]))
        new.write_text(text_schema(case["new"]))
        for options, wanted in (((), "expected"), (("--allow", "rename,removal"), "expected_with_rename_and_removal")):
            code, out, err = run("compat", old, new, "--from", "yt", "--json", *options)
            if code not in (OK, DIFFERENT):
                return expect(code, OK, err)
            if wrong := same(answers[case[wanted]], json.loads(out)["answer"]):
                return wrong
    return None


def type_merge(case):
    with tempfile.TemporaryDirectory() as name:
        parts = [pathlib.Path(name, part) for part in ("first", "second")]
        for path in parts:
            path.write_text(text_schema(case[path.name]))
        code, out, err = run("merge", *parts)
        if not case["valid"]:
            return None if code not in (OK, 70) else f"expected a refusal, found {out.decode()}"
        return expect(code, OK, err) or same(node(case["result"]), node(out)[0][b"type_v3"])


def rows(column_type, value, *options, target="<format=binary>yson", source="yson"):
    """Moves one row with one value; returns the exit code, the rows and the messages."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name, "rows.yson")
        path.write_bytes(b"{a=" + value + b"};")
        return run("convert", path, "-", "--schema", text_schema(column_type), "--from", source, "--to", target, *options)


def written(modes):
    words = {True: "%true", False: "%false"}
    return "<" + ";".join(f"{key}={words.get(value, value)}" for key, value in modes.items() if key in MARKS) + ">yson"


POSITIONAL = "<format=binary;complex_type_mode=positional;decimal_mode=binary;time_mode=binary;uuid_mode=binary>yson"


def value_of(out):
    row = next(iter(yson.loads(out, yson_type="list_fragment", encoding=None)))
    return row.get(b"a")


def named(case, value):
    """Zones are written by name, in whichever form they were read."""
    if not case.get("info", "").startswith("time zone index form"):
        return value
    return value[:-2] + {1: b"Europe/Moscow"}[int.from_bytes(value[-2:], "big")]


def value_validation(case):
    code, _, err = rows(case["type_v3"], bytes.fromhex(case["positional_yson_binary_hex"])
                        if "positional_yson_binary_hex" in case else case["positional_yson_text"].encode(), source=POSITIONAL,
                        target=POSITIONAL)
    return expect(code, OK if case["valid"] else BAD, err)


def yson_value(case):
    modes = case["options"]
    client, server = (bytes.fromhex(case[f"{side}_binary_hex"]) for side in ("client_yson", "server_positional_yson"))
    own = written(modes)
    if case["direction"] in ("both", "client_to_server"):
        code, out, err = rows(case["type_v3"], client, source=own, target=POSITIONAL)
        if wrong := expect(code, OK, err) or same(named(case, node(server)), value_of(out)):
            return "client to server: " + wrong
    if case["direction"] in ("both", "server_to_client"):
        code, out, err = rows(case["type_v3"], server, source=POSITIONAL, target=own)
        if wrong := expect(code, OK, err) or same(named(case, node(client)), value_of(out)):
            return "server to client: " + wrong
    return None


def yson_value_error(case):
    code, _, err = rows(case["type_v3"], case["input_yson_text"].encode(), source=written(case["options"]), target=POSITIONAL)
    return expect(code, BAD, err)


def decimal_type(case):
    return f"{{type_name=decimal;precision={case['precision']};scale={case['scale']}}}"


def quoted(data):
    return yson.dumps(data, yson_format="binary")


def decimal(case):
    code, out, err = rows(decimal_type(case), quoted(case["text"].encode()), source="<decimal_mode=text>yson", target=POSITIONAL)
    if wrong := expect(code, OK, err) or same(bytes.fromhex(case["binary_hex"]), bytes(value_of(out))):
        return "text to binary: " + wrong
    code, out, err = rows(decimal_type(case), quoted(bytes.fromhex(case["binary_hex"])), source=POSITIONAL,
                          target="<decimal_mode=text>yson")
    wrong = expect(code, OK, err) or same(case["canonical_text"].encode(), value_of(out))
    return wrong and "binary to text: " + wrong


def decimal_binary_validation(case):
    code, _, err = rows(decimal_type(case), quoted(bytes.fromhex(case["binary_hex"])), source=POSITIONAL, target=POSITIONAL)
    return expect(code, OK if case["valid"] else BAD, err)


def decimal_text_error(case):
    code, _, err = rows(decimal_type(case), quoted(case["text"].encode()), source="<decimal_mode=text>yson", target=POSITIONAL)
    return expect(code, BAD, err)


def uuid(case):
    data = bytes.fromhex(case["binary_hex"])
    for mode in ("text_yt", "text_yql"):
        code, out, err = rows("uuid", quoted(data), source=POSITIONAL, target=f"<uuid_mode={mode}>yson")
        if wrong := expect(code, OK, err) or same(case[mode].encode(), value_of(out)):
            return f"{mode}: {wrong}"
        code, out, err = rows("uuid", quoted(case[mode].encode()), source=f"<uuid_mode={mode}>yson", target=POSITIONAL)
        if wrong := expect(code, OK, err) or same(data, bytes(value_of(out))):
            return f"from {mode}: {wrong}"
    return None


def uuid_parse(case):
    code, out, err = rows("uuid", quoted(case["text"].encode()), source=f"<uuid_mode={case['mode']}>yson", target=POSITIONAL)
    return expect(code, OK, err) or same(bytes.fromhex(case["binary_hex"]), bytes(value_of(out)))


def tz(case):
    data = quoted(bytes.fromhex(case["bytes_hex_name_form"]))
    code, out, err = rows(case["type_v3"], data, source=POSITIONAL, target=POSITIONAL)
    wrong = expect(code, OK if case["valid"] else BAD, err)
    return wrong or (same(node(data), value_of(out)) if case["valid"] else None)


# --- yson: a value as the only column ---


def yson_parse_ok(case):
    code, out, err = rows("{type_name=optional;item=yson}", bytes.fromhex(case["input_hex"]))
    return expect(code, OK, err) or same(node(bytes.fromhex(case["canonical_binary_hex"])), value_of(out))


def yson_int_binary(case):
    kind = "int64" if case["signed"] else "uint64"
    code, out, err = rows(kind, bytes.fromhex(case["binary_hex"]), target="<format=text>yson")
    return expect(code, OK, err) or (None if f"={case['text']}".encode() in out else f"expected {case['text']} in {out}")


def yson_double_text(case):
    code, out, err = rows("double", bytes.fromhex(case["binary_hex"]), target="<format=text>yson")
    return expect(code, OK, err) or (None if f"={case['text']};".encode() in out else f"expected {case['text']} in {out}")


def yson_string_text(case):
    code, out, err = rows("string", bytes.fromhex(case["binary_hex"]), target="<format=text>yson")
    return expect(code, OK, err) or (None if f"={case['text']};".encode() in out else f"expected {case['text']} in {out}")


def yson_depth(case):
    # The row, and the column's value itself, are two of the levels.
    for depth, wanted in ((case["max_ok_depth"] - 2, OK), (2000, BAD)):
        code, _, err = rows("{type_name=optional;item=yson}", b"[" * depth + b"]" * depth)
        if wrong := expect(code, wanted, err):
            return f"{depth} lists: {wrong}"
    return None


# --- skiff ---


def skiff_format(schemas):
    return yson.dumps(yson.to_yson_type("skiff", attributes={"table_skiff_schemas": schemas}))


def skiff_schema(case):
    registry = {"skiff_schema_registry": case["registry"]} if case["registry"] else {}
    text = yson.dumps(yson.to_yson_type("skiff", attributes={"table_skiff_schemas": [case["schema"]], **registry}))
    code, _, err = run("schema", "-", "--from", "skiff", data=text)
    return expect(code, OK if case["valid"] else BAD, err)


def skiff_decode(case):
    schemas = case.get("skiff_schemas") or [case["skiff_schema"]]
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name, "rows.skiff")
        path.write_bytes(bytes.fromhex(case["hex"]))
        table = ["--table", "0"] if len(schemas) > 1 else []
        code, _, err = run("validate", path, "--schema", skiff_format(schemas).decode(), *table)
        # A stream that is cut off cannot be read on; a bad value is found, and the next row is.
        return expect(code, OK, err) if case.get("valid", True) else (None if code in (DIFFERENT, BAD) else f"exit code {code}")


def skiff_logical(case):
    wire = {"wire_type": "tuple", "children": [{**case["skiff_schema"], "name": "a"}]}
    both = f"{{table_schemas=[{text_schema(case['type_v3'])}];format={skiff_format([wire]).decode()}}}"
    if case.get("direction") == "yson_to_skiff":
        words = ("--from", POSITIONAL, "--schema", text_schema(case["type_v3"]), "--to", "skiff", "--to-schema", both)
        row = f"{{a={case['positional_yson_text']}}}".encode()
        code, out, err = run("convert", "-", "-", *words, "--allow", "lossy", data=row)
        return expect(code, OK, err) or same(b"\0\0" + bytes.fromhex(case["hex"]), out)
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name, "rows.skiff")
        path.write_bytes(b"\0\0" + bytes.fromhex(case["hex"]))
        code, out, err = run("convert", path, "-", "--schema", both, "--to", POSITIONAL)
        if wrong := expect(code, OK, err) or same(named(case, node(case["positional_yson_text"])), value_of(out)):
            return wrong
        if "info" not in case:
            return None
        code, out, err = run("convert", path, "-", "--schema", both, "--to", "skiff")
        return expect(code, OK, err) or same(path.read_bytes(), out)


# --- parquet, lance, vortex ---


def plain(value):
    """A value as the vectors write it: entries of maps are lists, and decimals are numbers."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", value):
        return decimal_module.Decimal(value)
    return value


def parquet_file(case):
    path = VECTORS / "parquet" / "files" / case["file"]
    code, _, err = run("validate", path)
    if case["expect_values"] == "finding":
        return expect(code, DIFFERENT, err)
    if case["expect_arrow"] == "error":
        return None if code in (DIFFERENT, BAD) else f"expected a refusal, found exit code {code}"
    if case.get("expected_rows") is None:
        return None if code in (OK, DIFFERENT) else f"expected exit code 0 or 1, found {code}: {err}"
    if wrong := expect(code, OK, err):
        return wrong
    code, out, err = run("convert", path, "-", "--to", "arrow")
    if wrong := expect(code, OK, err):
        return wrong
    found = pa.ipc.open_stream(out).read_all()
    rows = [[plain(value.as_py()) for value in row] for row in zip(*found.columns)]
    return same([[plain(value) for value in row] for row in case["expected_rows"]], rows)


def lance_schema(protos):
    out = b""
    for proto in protos:
        data = bytes.fromhex(proto)
        size, length = len(data), b""
        while size > 127:
            length += bytes([size % 128 + 128])
            size //= 128
        out += b"\x0a" + length + bytes([size]) + data
    return out


def proto_to_arrow(case):
    code, out, err = run("schema", "-", "--from", "lance", "--to", "arrow", "--form", "ipc", data=lance_schema(case["protos"]))
    if "types" not in case["result"]:
        return None if code in (BAD, 4) else f"expected a refusal, found exit code {code}"
    if wrong := expect(code, OK, err):
        return wrong
    found = pa.ipc.read_schema(pa.py_buffer(out))
    return same(case["result"]["types"], [str(field.type) for field in found])


def arrow_to_lance(case):
    if not case["from_arrow"]["ok"]:
        return None
    data = base64.b64decode(case["arrow_ipc_schema_b64"])
    code, out, err = run("schema", "-", "--from", "arrow", "--to", "lance", "--form", "json", data=data)
    if wrong := expect(code, OK, err):
        return wrong
    keys = ("id", "name", "logical_type", "nullable", "parent_id")
    wanted, found = ([[field[key] for key in keys] for field in fields]
                     for fields in (case["from_arrow"]["fields"], json.loads(out)["fields"]))
    return same(wanted, found)


def dtype_flatbuffer_parse(case):
    code, out, err = run("schema", "-", "--from", "vortex", "--form", "text", data=bytes.fromhex(case["flatbuffer_hex"]))
    if "error" in case["result"]:
        return expect(code, BAD, err)
    found = out.decode().strip()
    return expect(code, OK, err) or same(case["result"].get("dtype", found), found)


def dtype_proto_parse(case):
    code, out, err = run("schema", "-", "--from", "vortex", "--form", "protobuf", data=bytes.fromhex(case["proto_hex"]))
    if not case["result"]["ok"]:
        return expect(code, BAD, err)
    return expect(code, OK, err) or same(case["result"].get("canonical_hex", out.hex()), out.hex())


def families():
    """Yields the function of each family, one of its vectors, and the name of the vector."""
    for path in sorted(VECTORS.glob("*/*.json")):
        if check := globals().get(path.stem):
            for case in json.loads(path.read_text()):
                name = case.get("id", case.get("name"))
                yield pytest.param(check, case, name, id=f"{path.stem}-{name}")


@pytest.mark.parametrize("check, case, name", families())
def test_vector(check, case, name):
    try:
        problem = check(case)
    except Exception as error:  # noqa: BLE001: a package's error about the program's output
        problem = f"{type(error).__name__}: {error}"
    if name in OTHERWISE:
        assert problem, f"expected another result: {OTHERWISE[name]}"
    else:
        assert not problem
