"""A format that the caller names, and bytes of another one: the program, Python and DuckDB say what the bytes look like."""
import pytest
from connection import connect

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq

import xwalk  # noqa: E402

TABLE = pa.table({"id": pa.array([1, 2, 3])})
TEXTS = {"yson": "YSON rows", "json": "JSON lines"}
FORMATS = {**TEXTS, "parquet": "parquet", "arrow": "arrow", "vortex": "vortex", "skiff": "skiff"}
#: What files hold, and what messages call it. Text in each form that the formats allow.
BYTES = {
    "json": ("JSON lines", b'{"id":1}\n{"id":2}\n'),
    "json-blank": ("JSON lines", b'\n { "a\\"b" : {"x":[1]} }\n'),
    "json-mark": ("JSON lines", b'\xef\xbb\xbf{"id":1}\n'),
    "yson": ("YSON rows", b"{id=1};{id=2};"),
    "yson-quoted": ("YSON rows", b'{"id"=1};\n{"id"=2};\n'),
    "yson-blank": ("YSON rows", b"  { id = 1 };\n"),
    "parquet": ("parquet", None), "arrow": ("arrow", None), "arrow-stream": ("arrow", None), "vortex": ("vortex", None),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("given")
    pq.write_table(TABLE, folder / "parquet")
    with pa.ipc.new_file(folder / "arrow", TABLE.schema) as out:
        out.write_table(TABLE)
    with pa.ipc.new_stream(folder / "arrow-stream", TABLE.schema) as out:
        out.write_table(TABLE)
    xwalk.convert(TABLE, folder / "x.vortex")
    (folder / "x.vortex").rename(folder / "vortex")
    for name, (_, data) in BYTES.items():
        if data is not None:
            (folder / name).write_bytes(data)
    return folder


def by_program(path, given, skip, out):
    done = harness.try_run("convert", path, out, "--from", given, *(["--on-error", "skip"] if skip else []))
    return done.stderr if done.returncode else None


def by_python(path, given, skip, out):
    try:
        xwalk.convert(path, out, format=given, **({"on_error": "skip"} if skip else {}))
    except xwalk.Error as error:
        return str(error)
    return None


def by_rows(path, given, skip, out):
    try:
        pa.table(xwalk.open(path, format=given, **({"on_error": "skip"} if skip else {})))
    except (xwalk.Error, OSError, pa.ArrowInvalid) as error:
        return str(error)
    return None


def by_duckdb(path, given, skip, out):
    # DuckDB has a read_json of its own.
    named = "read_yson('{}'{})" if given == "yson" else "read_xwalk('{}', format => '" + given + "'{})"
    try:
        connect().execute("SELECT * FROM " + named.format(path, ", on_error => 'skip'" if skip else "")).fetchall()
    except Exception as error:  # noqa: BLE001: DuckDB has a class for each cause
        return str(error)
    return None


@pytest.mark.parametrize("reads", [by_program, by_python, by_rows, by_duckdb])
@pytest.mark.parametrize("skip", [False, True], ids=["fail", "skip"])
@pytest.mark.parametrize("bytes_of", BYTES)
@pytest.mark.parametrize("given", FORMATS)
def test_the_message_names_what_the_bytes_look_like(files, tmp_path, given, bytes_of, skip, reads):
    out = tmp_path / "out.parquet"
    found = reads(files / bytes_of, given, skip, out)
    looks_like = BYTES[bytes_of][0]
    if looks_like == FORMATS[given]:
        assert found is None, found
        return
    if skip and given in TEXTS and looks_like in TEXTS.values():
        # A row in another notation is one to leave out, as any other row that is not of the format.
        assert found is None or "looks like" not in found, found
        return
    assert found and f"expected {FORMATS[given]}, found what looks like {looks_like}" in found, found
    assert str(files / bytes_of) in found and not out.exists()
    assert ("read_xwalk finds their format" if reads is by_duckdb and given == "yson" else "Read them with") in found, found
    assert "as the name says" not in found


@pytest.mark.parametrize("skip", [False, True], ids=["fail", "skip"])
@pytest.mark.parametrize("given, other", [("yson", "json"), ("json", "yson"), ("parquet", "yson"), ("vortex", "json"), ("arrow", "parquet")])
def test_a_second_file_of_another_format(files, given, other, skip):
    found = None
    try:
        pa.table(xwalk.open([files / given, files / other], format=given, **({"on_error": "skip"} if skip else {})))
    except (xwalk.Error, OSError, pa.ArrowInvalid) as error:
        found = str(error)
    if skip and given in TEXTS:
        assert found is None or "looks like" not in found, found
        return
    assert found and f"expected {FORMATS[given]}, found what looks like {BYTES[other][0]}" in found, found
    assert str(files / other) in found


def test_the_name_counts_when_no_format_is_given(tmp_path):
    path = harness.write(tmp_path / "x.yson", '{"id":1}\n')
    with pytest.raises(xwalk.InputError, match="expected YSON rows, as the name says, found what looks like JSON lines"):
        xwalk.open(path)
    path = harness.write(tmp_path / "x.jsonl", "{id=1};\n")
    with pytest.raises(xwalk.InputError, match="expected JSON lines, as the name says, found what looks like YSON rows"):
        xwalk.open(path)
    # What a binary format begins with counts more than a name.
    pq.write_table(TABLE, tmp_path / "y.yson")
    assert pa.table(xwalk.open(tmp_path / "y.yson")) == TABLE


def test_a_folder_of_lance_is_not_rows_of_text(tmp_path):
    xwalk.convert(TABLE, tmp_path / "t.lance")
    for given in FORMATS:
        with pytest.raises((xwalk.Error, OSError)):
            xwalk.open(tmp_path / "t.lance", format=given)
