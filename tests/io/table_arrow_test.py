"""The output format `arrow` of YTsaurus, made here as its writer makes it: with the table schema beside it types and values are
those of the same rows in YSON."""

import io
import os

import pytest

from tests import harness
from tests.harness import check

with harness.skip_if_missing():
    import pyarrow as pa
    import yt.yson as yson
harness.needs("libxwalk_parquet.so")

TEXT = "<decimal_mode=text;time_mode=text;uuid_mode=text_yql>yson"


@pytest.fixture
def folder(tmp_path):
    return str(tmp_path)


def run(*arguments, stdin=None, code=0):
    return harness.run(*arguments, input=stdin, code=code, text=False)


def optional(item):
    return "{type_name=optional;item=%s}" % item


STRUCT = "{type_name=struct;members=[{name=x;type=int64};{name=y;type={type_name=optional;item=timestamp}}]}"
YSON = pa.binary()
MARK = {"YtType": "yson"}

# name, type_v3, the Arrow type and the mark of YTsaurus's writer, the values in Arrow, values in YSON text.
PLAIN = [
    ("i8", "int8", pa.int8(), None, [-1, 2, 3]),
    ("u64", "uint64", pa.uint64(), None, [2**64 - 1, 0, 5]),
    ("d", "double", pa.float64(), None, [0.5, -0.0, 1e300]),
    ("f", "float", pa.float32(), None, [0.5, 1.5, 2.5]),
    ("b", "bool", pa.bool_(), None, [True, False, True]),
    ("s", "string", pa.binary(), None, [b"\xff", b"", b"x"]),
    ("u", optional("utf8"), pa.string(), None, ["é", None, "x"]),
    ("j", "json", pa.string(), None, ["{}", "1", "[1]"]),
    ("date", "date", pa.date32(), None, [0, 1, 19782]),
    ("dt", "datetime", pa.timestamp("s"), None, [0, 1, 1709168523]),
    ("ts", optional("timestamp"), pa.timestamp("us"), None, [0, None, 1709168523000004]),
    ("iv", "interval", pa.int64(), None, [-5, 0, 7]),
    ("n", "null", pa.null(), None, [None, None, None]),
]
CODED = [
    # As YSON in Arrow: name, type_v3, values in YSON text of the positional form.
    ("any", optional("yson"), ["{a=[1;2u;x]}", "#", "%true"]),
    ("list", "{type_name=list;item=%s}" % optional("int64"), ["[1;#;3]", "[]", "[2]"]),
    ("st", optional(STRUCT), ["[1;5u]", "#", "[2;#]"]),
    ("var", "{type_name=variant;elements=[{type=utf8};{type=uint8}]}", ["[0;q]", "[1;5u]", "[0;w]"]),
    ("dict", "{type_name=dict;key=utf8;value=double}", ["[[a;1.]]", "[]", "[[b;2.];[c;3.]]"]),
    ("oo", optional(optional("int64")), ["[5]", "[#]", "#"]),
    ("tup", "{type_name=tuple;elements=[{type=date};{type={type_name=decimal;precision=5;scale=1}}]}",
     ['[1u;"\\x80\\0\\0\\x05"]', '[2u;"\\x7f\\xff\\xff\\xff"]', '[3u;"\\x80\\0\\0\\0"]']),
]
DECIMAL = ("dec", optional("{type_name=decimal;precision=12;scale=2}"), ["0.25", None, "-123456.78"])
ZONED = ("tz", optional("tz_datetime"), [(0, "Europe/Moscow", 1), None, (1709168523, "UTC", 588)])


def decimal_bytes(text):
    unscaled = int(text.replace(".", ""))
    return (unscaled + (1 << 63)).to_bytes(8, "big")


def schema_text():
    columns = [(name, type_v3) for name, type_v3, *_ in PLAIN + CODED + [DECIMAL, ZONED]]
    return "[" + ";".join("{name=%s;type_v3=%s}" % column for column in columns) + "]"


def stored(text):
    return yson.dumps(yson.loads(text.encode(), encoding=None), yson_format="binary")


def batch(coded_by_dictionary):
    arrays, fields = [], []

    def add(name, array, nullable, mark=None):
        if name in coded_by_dictionary:
            array = pa.DictionaryArray.from_arrays(array.dictionary_encode().indices.cast(pa.uint32()),
                                                   array.dictionary_encode().dictionary)
        arrays.append(array)
        fields.append(pa.field(name, array.type, nullable, mark))

    for name, type_v3, arrow, mark, values in PLAIN:
        if pa.types.is_temporal(arrow) and not pa.types.is_date(arrow):
            array = pa.array(values, pa.int64()).cast(arrow)
        elif pa.types.is_date(arrow):
            array = pa.array(values, pa.int32()).cast(arrow)
        else:
            array = pa.array(values, arrow)
        add(name, array, "optional" in type_v3 or name == "n", mark)
    for name, type_v3, texts in CODED:
        values = [None if text == "#" else stored(text) for text in texts]
        add(name, pa.array(values, YSON), type_v3.startswith("{type_name=optional"), MARK)
    name, _, texts = DECIMAL
    add(name, pa.array([None if text is None else decimal_bytes(text) for text in texts], pa.binary()), True)
    name, _, values = ZONED
    array = pa.StructArray.from_arrays(
        [pa.array([0 if v is None else v[0] for v in values], pa.uint32()),
         pa.array([0 if v is None else v[2] for v in values], pa.uint16())],
        fields=[pa.field("Timestamp", pa.uint32(), False), pa.field("TzIndex", pa.uint16(), False)],
        mask=pa.array([v is None for v in values], pa.bool_()))
    add(name, array, True)
    return pa.record_batch(arrays, pa.schema(fields))


def stream(*batches):
    out = io.BytesIO()
    with pa.ipc.new_stream(out, batches[0].schema) as writer:
        for one in batches:
            writer.write_batch(one)
    return out.getvalue()


def expected():
    """The same rows as YSON in the stored form."""
    rows = []
    for i in range(3):
        entries = []
        for name, _, arrow, _, values in PLAIN:
            value = values[i]
            if value is None:
                text = "#"
            elif isinstance(value, bool):
                text = "%true" if value else "%false"
            elif isinstance(value, (str, bytes)):
                raw = value.encode() if isinstance(value, str) else value
                text = '"' + "".join("\\x%02x" % byte for byte in raw) + '"'
            elif name in ("u64", "date", "dt", "ts"):
                text = "%du" % value
            else:
                text = repr(value)
            entries.append("%s=%s" % (name, text))
        entries += ["%s=%s" % (name, texts[i]) for name, _, texts in CODED]
        text = DECIMAL[2][i]
        raw = None if text is None else decimal_bytes(text)
        entries.append("dec=" + ("#" if raw is None else '"' + "".join("\\x%02x" % byte for byte in raw) + '"'))
        zoned = ZONED[2][i]
        entries.append("tz=" + ("#" if zoned is None else '"' + "".join(
            "\\x%02x" % byte for byte in zoned[0].to_bytes(4, "big") + zoned[1].encode()) + '"'))
        rows.append("{" + ";".join(entries) + "};")
    return "".join(rows).encode()


def test_complex_types(folder):
    """With enable_complex_types lists, structs and maps are those of Arrow."""
    schema = ("[{name=l;type_v3={type_name=list;item=timestamp}};{name=oo;type_v3=%s};{name=e;type_v3={type_name=struct;members=[]}};"
              "{name=m;type_v3={type_name=dict;key=utf8;value=interval}};{name=s;type_v3=%s}]"
              % (optional(optional("int64")), STRUCT))
    ts = pa.timestamp("us")
    fields = [
        pa.field("l", pa.list_(pa.field("item", ts, False)), False),
        pa.field("oo", pa.struct([pa.field("Value", pa.int64())]), True, {"YtType": "nestedOptional"}),
        pa.field("e", pa.struct([pa.field("dummy", pa.null())]), False, {"YtType": "emptyStruct"}),
        pa.field("m", pa.map_(pa.field("key", pa.string(), False), pa.field("value", pa.int64(), False)), False),
        pa.field("s", pa.struct([pa.field("x", pa.int64(), False), pa.field("y", ts)]), False),
    ]
    columns = [
        pa.array([[1, 2], []], pa.list_(pa.int64())).cast(fields[0].type),
        pa.array([{"Value": None}, None], fields[1].type),
        pa.array([{"dummy": None}, {"dummy": None}], fields[2].type),
        pa.array([[("a", 5)], []], fields[3].type),
        pa.StructArray.from_arrays([pa.array([1, 2]), pa.array([7, None], pa.int64()).cast(ts)], fields=list(fields[4].type)),
    ]
    path = os.path.join(folder, "complex.arrows")
    with open(path, "wb") as file:
        file.write(stream(pa.record_batch(columns, pa.schema(fields))))
    rows = b"{l=[1u;2u];oo=[#];e=[];m=[[a;5]];s=[1;7u]};{l=[];oo=#;e=[];m=[];s=[2;#]};"
    wanted = run("convert", "-", "-", "--from", "<complex_type_mode=positional>yson", "--schema", schema, "--to", TEXT, "-q",
                 stdin=rows).stdout
    check("complex", run("convert", path, "-", "--schema", schema, "--to", TEXT, "-q").stdout, wanted)


def test_zones_within(folder):
    """Types with a time zone, and decimals, within lists, structs, maps and boxes."""
    decimal = "{type_name=decimal;precision=12;scale=2}"
    schema = ("[{name=l;type_v3={type_name=list;item=%s}};{name=s;type_v3=%s};{name=m;type_v3={type_name=dict;key=utf8;"
              "value=tz_timestamp}};{name=oo;type_v3=%s};{name=d;type_v3={type_name=list;item={type_name=tuple;elements=["
              "{type=%s};{type=tz_date32}]}}};{name=p;type_v3=int64}]"
              % (optional("tz_datetime"), optional("{type_name=struct;members=[{name=x;type=int64};{name=z;type=tz_date}]}"),
                 optional(optional("tz_datetime64")), decimal))

    def zoned(instant, values):
        return pa.StructArray.from_arrays(
            [pa.array([0 if v is None else v[0] for v in values], instant),
             pa.array([0 if v is None else v[1] for v in values], pa.uint16())],
            fields=[pa.field("Timestamp", instant, False), pa.field("TzIndex", pa.uint16(), False)],
            mask=pa.array([v is None for v in values], pa.bool_()))

    def lists(offsets, items, nullable):
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items, type=pa.list_(pa.field("item", items.type, nullable)))

    def table(first_zone):
        z = zoned(pa.uint16(), [(5, 1), (0, 586), (6, 588)])  # a null struct hides an invalid zone
        m = zoned(pa.uint64(), [(7, 1), (8, 588)])
        oo = zoned(pa.int64(), [(-9, 1), None, None])
        d = pa.StructArray.from_arrays(
            [pa.array([decimal_bytes("0.25"), decimal_bytes("-1.00")]), zoned(pa.int32(), [(-3, 1), (4, 588)])],
            fields=[pa.field("0", pa.binary(), False), pa.field("1", zoned(pa.int32(), []).type, False)])
        columns = {
            "l": lists([0, 2, 2, 3], zoned(pa.uint32(), [(1, first_zone), None, (2, 588)]), True),
            "s": pa.StructArray.from_arrays([pa.array([1, 0, 2]), z], fields=[pa.field("x", pa.int64(), False),
                                                                              pa.field("z", z.type, False)],
                                            mask=pa.array([False, True, False])),
            "m": pa.MapArray.from_arrays(pa.array([0, 1, 1, 2], pa.int32()), pa.array(["a", "b"]), m,
                                         type=pa.map_(pa.field("key", pa.string(), False), pa.field("value", m.type, False))),
            "oo": pa.StructArray.from_arrays([oo], fields=[pa.field("Value", oo.type)], mask=pa.array([False, False, True])),
            "d": lists([0, 1, 1, 2], d, False),
            "p": pa.array([10, 11, 12]),
        }
        fields = [pa.field(name, array.type, name in ("s", "oo"), {"YtType": "nestedOptional"} if name == "oo" else None)
                  for name, array in columns.items()]
        return pa.record_batch(list(columns.values()), pa.schema(fields))

    def bytes_of(number, width, zone, signed=False):
        data = (number + (1 << 8 * width - 1) if signed else number).to_bytes(width, "big") + zone.encode()
        return '"' + "".join("\\x%02x" % byte for byte in data) + '"'

    def binary(text):
        return '"' + "".join("\\x%02x" % byte for byte in decimal_bytes(text)) + '"'

    moscow, utc = "Europe/Moscow", "UTC"
    rows = [
        f"{{l=[{bytes_of(1, 4, moscow)};#];s=[1;{bytes_of(5, 2, moscow)}];m=[[a;{bytes_of(7, 8, moscow)}]];"
        f"oo=[{bytes_of(-9, 8, moscow, True)}];d=[[{binary('0.25')};{bytes_of(-3, 4, moscow, True)}]];p=10}};",
        "{l=[];s=#;m=[];oo=[#];d=[];p=11};",
        f"{{l=[{bytes_of(2, 4, utc)}];s=[2;{bytes_of(6, 2, utc)}];m=[[b;{bytes_of(8, 8, utc)}]];oo=#;"
        f"d=[[{binary('-1.00')};{bytes_of(4, 4, utc, True)}]];p=12}};"]
    wanted = [run("convert", "-", "-", "--from", "<complex_type_mode=positional>yson", "--schema", schema, "--to", TEXT, "-q",
                  stdin=row.encode()).stdout for row in rows]
    path = os.path.join(folder, "zones.arrows")
    for first_zone, skipped in ((1, 0), (586, 1)):
        one = table(first_zone)
        with open(path, "wb") as file:
            file.write(stream(one, one))
        for threads in ("1", "3"):
            found = run("convert", path, "-", "--schema", schema, "--to", TEXT, "-q", "--on-error", "skip", "--threads",
                        threads).stdout
            check(("zones", first_zone, threads), found, b"".join(wanted[skipped:]) * 2)
    done = run("convert", path, "-", "--schema", schema, "--to", TEXT, "-q", code=3)
    check("zone within", b"row 0" in done.stderr and b"l" in done.stderr and b"586" in done.stderr, True)
    for text in ("schema", "validate"):
        run(text, path, "--schema", schema, code=1 if text == "validate" else 0)


def test_tables(folder):
    schema = schema_text()
    beside = os.path.join(folder, "t.schema")
    with open(beside, "w") as file:
        file.write(schema)
    rows = expected()
    reading = "<complex_type_mode=positional>yson"
    once = run("convert", "-", "-", "--from", reading, "--schema", schema, "--to", TEXT, "-q", stdin=rows).stdout
    # Streams follow each other, in which columns are coded by a dictionary here and plain there.
    flips = [set(), {"u", "s", "any", "dec", "list", "i8"}, {"u"}, {"st", "j"}]
    data = b"".join(stream(batch(coded), batch(coded)) for coded in flips)
    for name, content in (("t.arrows", data), ("t.arrow", data)):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(content)
        for threads in ("1", "3"):
            found = run("convert", path, "-", "--schema", beside, "--to", TEXT, "-q", "--threads", threads).stdout
            check((name, threads), found, once * 2 * len(flips))
    # The schema may be next to them under their name.
    path = os.path.join(folder, "named.arrows")
    with open(path, "wb") as file:
        file.write(data)
    with open(path + ".schema", "w") as file:
        file.write(schema)
    check("beside", run("convert", path, "-", "--to", TEXT, "-q").stdout, once * 2 * len(flips))
    wanted = run("schema", beside, "--from", "yt", "--form", "short").stdout
    check("schema", run("schema", path, "--to", "yt", "--form", "short").stdout, wanted)
    # Through Parquet they are the table's again.
    parquet = os.path.join(folder, "t.parquet")
    other = os.path.join(folder, "other.parquet")
    run("convert", path, parquet, "-q")
    yson_rows = os.path.join(folder, "t.yson")
    with open(yson_rows, "wb") as file:
        file.write(rows)
    run("convert", yson_rows, other, "--from", reading, "--schema", schema, "-q")
    check("parquet", run("schema", parquet, "--form", "message").stdout, run("schema", other, "--form", "message").stdout)
    check("from parquet", run("convert", parquet, "-", "--to", TEXT, "-q").stdout, once * 2 * len(flips))
    # Invalid values are rejected with the row, and rejected alone.
    bad = batch(set())
    index = bad.schema.get_field_index("list")
    for broken in (b"[1;", b"[1]]", b"\x01\x08abc", b"", b"{}};{k=1"):
        values = bad.column(index).to_pylist()
        values[1] = broken
        changed = bad.set_column(index, bad.schema.field(index), pa.array(values, pa.binary()))
        path = os.path.join(folder, "bad.arrows")
        with open(path, "wb") as file:
            file.write(stream(changed))
        done = run("convert", path, "-", "--schema", beside, "--to", TEXT, "-q", code=3)
        check(("row", broken), b"row 1" in done.stderr and b"list" in done.stderr, True)
        left = run("convert", path, "-", "--schema", beside, "--to", TEXT, "-q", "--on-error", "skip").stdout
        lines = once.splitlines(keepends=True)
        check(("left", broken), left, lines[0] + lines[2])
