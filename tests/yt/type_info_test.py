"""Types and schemas against yt.type_info and yt.wrapper.schema, the living system's Python."""
from tests import harness

with harness.skip_if_missing():
    import yt.type_info as ti
    import yt.yson as yson
    from yt.wrapper.schema import TableSchema

TOOL = harness.needs("tests/xwalk_yt_oracle_tool")


def canonical(text):
    return yson.dumps(yson.loads(text), yson_format="binary", sort_keys=True)


def test_types_and_schemas():
    made = harness.run("make", 400, 1, program=TOOL).stdout
    read_back = []
    columns_seen = 0
    for line in made.splitlines():
        text, *shorts = line.split("\t")
        node = yson.loads(text.encode())
        # Our schema is one the living client reads, and writes back with the same types.
        schema = TableSchema.from_yson_type(node)
        theirs = list(schema.to_yson_type())
        assert len(theirs) == len(list(node)) == len(shorts), line
        for ours, back, short in zip(list(node), theirs, shorts):
            columns_seen += 1
            parsed = ti.deserialize_yson(yson.dumps(ours["type_v3"]))
            assert canonical(ti.serialize_yson(parsed)) == canonical(yson.dumps(ours["type_v3"])), line
            assert canonical(yson.dumps(back["type_v3"])) == canonical(yson.dumps(ours["type_v3"])), line
            # Both write the same notation except for white space and the escapes of unusual names.
            if "\\" not in short and "Any" not in short:
                squeezed = str(parsed).replace(", ", ",").replace("': ", "':")
                assert squeezed == short, (squeezed, short)
                read_back.append((str(parsed), ours["type_v3"]))
            read_back.append((ti.serialize_yson(parsed, human_readable=False), ours["type_v3"]))

    lines = []
    expected = []
    for text, node in read_back:
        data = text.encode() if isinstance(text, str) else yson.dumps(yson.loads(text), yson_format="text")
        if b"\n" in data:
            continue
        lines.append(data)
        expected.append(node)
    out = harness.run("read", program=TOOL, input=b"\n".join(lines) + b"\n").stdout.splitlines()
    assert len(out) == len(expected), (len(out), len(expected))
    for found, node, line in zip(out, expected, lines):
        assert not found.startswith(b"error"), (line, found)
        assert canonical(found) == canonical(yson.dumps(node)), (line, found)

    assert columns_seen > 500
