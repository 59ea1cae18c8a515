"""Schemas for the tests of reports: a plain one, a nested one, and names that hurt."""

import json

HOSTILE = [
    "<script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=1>",
    'quote " and \' and `tick`',
    "line\nfeed\rreturn\ttab",
    "]]> -->",
    "a|b|c",
    "::error::stop%0Ahere",
    "bell\x07\x1b[31mred\x7f",
    "right\u202eto left",
    "&amp; @someone **bold** [link](javascript:alert(1))",
    "\u2028separator",
    "ünïcödé 列 🚀",
    "",
]


def yson_string(text: str) -> str:
    out = '"'
    for byte in text.encode():
        out += chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\' else f"\\x{byte:02x}"
    return out + '"'


def optional(item: str) -> str:
    return f"{{type_name=optional;item={item}}}"


def struct(members: list[tuple[str, str]]) -> str:
    inside = ";".join(f"{{name={yson_string(name)};type={type_}}}" for name, type_ in members)
    return f"{{type_name=struct;members=[{inside}]}}"


def list_of(item: str) -> str:
    return f"{{type_name=list;item={item}}}"


def table(columns: list[tuple[str, str]], attributes: str = "") -> str:
    inside = ";".join(f"{{name={yson_string(name)};type_v3={type_}}}" for name, type_ in columns)
    return f"{attributes}[{inside}]"


DECIMAL = "{type_name=decimal;precision=20;scale=4}"
VARIANT = ("{type_name=variant;members=[{name=card;type=utf8};{name=cash;type={type_name=decimal;"
           "precision=9;scale=2}};{name=none;type=null}]}")
DICT = "{type_name=dict;key=utf8;value={type_name=list;item=timestamp}}"
ITEM = struct([("sku", "utf8"), ("price", DECIMAL), ("tags", DICT), ("weird", optional(optional("int8")))])

# One of nearly everything, nested.
NESTED = table([
    ("id", "uint64"),
    ("created", "timestamp"),
    ("zone", optional("tz_datetime")),
    ("customer", struct([("name", "utf8"), ("email", optional("string")), ("born", "date32"),
                         ("address", optional(struct([("street", "utf8"), ("geo", list_of("double"))])))])),
    ("items", list_of(ITEM)),
    ("payment", VARIANT),
    ("flags", "{type_name=tuple;elements=[{type=bool};{type=uuid};{type=interval}]}"),
    ("blob", "{type_name=tagged;tag=\"image/png\";item=string}"),
    ("raw", optional("yson")),
    ("doc", "json"),
], "<strict=%true;unique_keys=%false>")

# The same later: dropped, renamed, retyped, tagged otherwise.
NESTED_LATER = NESTED.replace('"id";type_v3=uint64', '"key";type_v3=uint64').replace(
    "type=date32", "type=date").replace("image/png", "image/webp").replace(
    "precision=20", "precision=22").replace('{name="doc";type_v3=json}',
                                            '{name="extra";type_v3=double}')

NAMES = table([(name, struct([(name or "empty", DECIMAL)])) for name in HOSTILE if name])


def lance_like(names: list[str]) -> str:
    """A Parquet message with ids and only harmless names, which need no quotes."""
    return "message m { " + " ".join(
        f"required int64 {name} = {index};" for index, name in enumerate(names, 1)) + " }"


def write_all(folder) -> None:
    (folder / "nested.schema").write_text(NESTED)
    (folder / "later.schema").write_text(NESTED_LATER)
    (folder / "names.schema").write_text(NAMES)
    (folder / "ids1.txt").write_text(lance_like(["a", "b", "c"]))
    (folder / "ids2.txt").write_text(
        "message m { required int64 a = 1; optional int32 renamed = 2; required int64 d = 4; }")
    (folder / "rows.yson").write_text('{d="5";n=1};{d="inf";n=-7};{d="-12.50";n=300};')
    (folder / "rows.yson.schema").write_text(table([
        ("d", "{type_name=decimal;precision=5;scale=2}"), ("n", "int16")]))
    (folder / "empty.json").write_text(json.dumps([]))
