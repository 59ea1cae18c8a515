"""`xwalk types --readers` against the readers of Parquet files: a file with rows for each type, read by each reader that is
installed.

The table has each reader's result for a column: empty if it reads the column correctly, `refuses the file` or `ends the
program` if it does, else a remark that begins with the resulting type. The values of the readers that give Arrow are compared
with those that were written. For upload_parquet it is the schema of the table that it
would create. It may end its process, so each file has one. For attach_table, which needs a cluster, the conversion from
Parquet to Arrow is run, on YTsaurus's version of Arrow. The rest is implemented here after its source. """
import base64
import decimal
import faulthandler
import importlib.util
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import uuid

import pytest

from tests import harness

#: The version of Arrow that YTsaurus uses.
ARROW_20 = harness.DEPS / "pyarrow-20.0.0"
#: What `tools/setup.sh readers` installs: packages that conflict with the others, packages of npm, and a program in Go.
OWN = harness.DEPS / "readers-venv" / "bin" / "python"
FILLED = harness.DEPS / ".stamps" / "requirements-readers"
NPM = harness.DEPS / "npm"
ARROW_GO = harness.DEPS / "readers-arrow-go"
harness.needs("libxwalk_parquet.so")

#: What each reader calls a type that it reads as it is meant.
UPLOAD = {"boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "string",
          "decimal", "list", "dict", "struct"}


def in_child(read, path: str) -> str:
    """What `read` returns, or how its process ended."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        os.close(here)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            os.write(there, read(path).encode())
        except Exception:  # noqa: BLE001 (packages refuse with their own exceptions)
            os.write(there, b"refuses the file")
        os._exit(0)
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        text = pipe.read().decode()
    return text if os.waitpid(child, 0)[1] == 0 else "ends the program"


def upload(path: str) -> str:
    import yt.yson as yson
    import yt_yson_bindings as bindings
    column = yson.loads(bindings.upload_parquet(path, 65536).get_schema())[0]
    kind = column.get("type_v3", column["type"])
    while isinstance(kind, dict) and kind["type_name"] == "optional":
        kind = kind["item"]
    return str(kind["type_name"] if isinstance(kind, dict) else kind)


class Attach:
    """What yt/yt/client/arrow/schema.cpp makes of Arrow's types."""
    MADE = {"bool": "boolean", "halffloat": "float", "string": "utf8", "binary": "string", "fixed_size_binary": "string",
            "date32": "int32", "time32": "int32", "date64": "int64", "timestamp": "int64", "time64": "int64", "decimal256": "string",
            "map": "dict"}

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, pathlib.Path(__file__).with_name("ask_reader.py"), "attach_table"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "PYTHONPATH": str(ARROW_20)})

    def __call__(self, path: str) -> str:
        self.process.stdin.write(json.dumps({"path": path}) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if "refused" in found:
            return "refuses the file"
        name = re.match(r"\w+", found["type"])[0]
        if name == "decimal128":
            return "decimal" if int(re.search(r"\((\d+)", found["type"])[1]) <= 35 else "string"
        return self.MADE.get(name, name)


class Clickhouse:
    def __init__(self):
        import chdb
        self.session = chdb.connect(":memory:")

    def __call__(self, path: str) -> str:
        try:
            self.session.query(f"SELECT * FROM file('{path}', Parquet)", "Null")
            return self.session.query(f"DESCRIBE file('{path}', Parquet)", "TSV").bytes().decode().split("\t")[1]
        except Exception:  # noqa: BLE001
            # The next query gives what the failed one wrote (findings/chdb_rows_of_a_failed_query.sh).
            self.session.query("SELECT 1", "Null")
            return "refuses the file"


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession
        self.session = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
                        .config("spark.sql.session.timeZone", "UTC")
                        .config("spark.driver.extraJavaOptions", " ".join(harness.SHORT_JAVA)).getOrCreate())
        self.session.sparkContext.setLogLevel("OFF")

    def __call__(self, path: str) -> str:
        try:
            rows = self.session.read.parquet(path)
            # Python has no years before 1.
            rows.write.format("noop").mode("overwrite").save()
            return rows.schema[0].dataType.simpleString()
        except Exception:  # noqa: BLE001
            return "refuses the file"


class Asked:
    """A reader that a process of its own asks: ask_reader.py, ask_hyparquet.mjs, tools/readers/arrow-go."""

    def __init__(self, *command, folder=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        cwd=folder)

    def __call__(self, path: str, column: str = "v"):
        import pyarrow as pa
        self.process.stdin.write(json.dumps({"path": path, "column": column}) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if "refused" in found:
            raise ValueError(found["refused"])
        if "value" not in found:
            return found["type"], [of_json(value) for value in found.get("plain", [])]
        with pa.ipc.open_stream(base64.b64decode(found["value"])) as stream:
            table = stream.read_all()
            column = table[column if column in table.column_names else "v"]
        # Python has no values of this type.
        return found["type"], [] if str(column.type) == "day_time_interval" else plain_values(column)


def of_json(value):
    """A value as ask_reader.py and ask_hyparquet.mjs write it."""
    if isinstance(value, dict):
        if "text" in value:
            return value["text"]
        return bytes.fromhex(value["bytes"]) if "bytes" in value else int(value["integer"])
    if not isinstance(value, list):
        return value
    items = [of_json(item) for item in value]
    return tuple(items) if items and items[0] in ("instant", "local") else items


def in_own(name: str):
    return lambda: Asked(OWN, pathlib.Path(__file__).with_name("ask_reader.py"), name)


def hyparquet():
    script = pathlib.Path(__file__).with_name("ask_hyparquet.mjs").read_text()
    return Asked("node", "--input-type=module", "-e", script, folder=NPM)


def by_pyarrow(path: str, column: str = "v"):
    import pyarrow.parquet as pq
    column = pq.read_table(path)[column]
    return str(column.type), plain_values(column)


def by_duckdb(path: str, column: str = "v"):
    import duckdb
    kind = duckdb.sql(f'SELECT typeof("{column}") FROM \'{path}\' LIMIT 1').fetchall()[0][0]
    column = duckdb.sql(f'SELECT "{column}" FROM \'{path}\'').to_arrow_table()[column]
    return kind, [value and uuid.UUID(value).bytes for value in column.to_pylist()] if kind == "UUID" else plain_values(column)


def by_polars(path: str, column: str = "v"):
    import polars as pl
    column = pl.read_parquet(path)[column]
    return str(column.dtype), plain_values(column.to_arrow())


#: Nanoseconds of a unit.
UNITS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def plain_values(column) -> list:
    """The values of an Arrow column, in one form for all types that mean the same."""
    import pyarrow as pa
    import pyarrow.types as is_
    if isinstance(column, pa.ChunkedArray):
        return [value for chunk in column.chunks for value in plain_values(chunk)]
    kind = column.type
    if isinstance(kind, pa.BaseExtensionType):
        return plain_values(column.storage)
    if is_.is_dictionary(kind):
        return plain_values(column.dictionary_decode())
    valid = column.is_valid().to_pylist()
    if is_.is_timestamp(kind) or is_.is_time(kind):
        numbers = column.cast(pa.int32() if is_.is_time32(kind) else pa.int64()).to_pylist()
        form = "time" if is_.is_time(kind) else "instant" if kind.tz else "local"
        return [None if value is None else (form, value * UNITS[kind.unit]) for value in numbers]
    if is_.is_struct(kind):
        members = [plain_values(child) for child in column.flatten()]
        return [list(row) if here else None for row, here in zip(zip(*members), valid)]
    if is_.is_map(kind):
        pairs = [list(pair) for pair in zip(plain_values(column.keys), plain_values(column.items))]
    elif is_.is_list(kind) or is_.is_large_list(kind):
        pairs = plain_values(column.values)
    else:
        return column.to_pylist()
    ends = column.offsets.to_pylist()
    return [pairs[start:end] if here else None for start, end, here in zip(ends, ends[1:], valid)]


#: Results for types without a remark: for any other result there must be a remark.
AS_MEANT = {
    "upload_parquet": {"boolean": "boolean", "int32": "int32", "int64": "int64", "float": "float", "double": "double",
                       "binary": "string", "fixed_len_byte_array": "string", "DECIMAL": "decimal", "LIST": "list",
                       "MAP": "dict", "group": "struct", "repeated": "list"},
    "attach_table": {"boolean": "boolean", "int32": "int32", "int64": "int64", "float": "float", "double": "double",
                     "binary": "string", "fixed_len_byte_array": "string", "STRING": "utf8", "DECIMAL": "decimal",
                     "UNKNOWN": "null", "LIST": "list", "MAP": "dict", "group": "struct", "repeated": "list"},
    "Spark": {"boolean": "boolean", "int32": "int", "int64": "bigint", "int96": "timestamp", "float": "float",
              "double": "double", "binary": "binary", "fixed_len_byte_array": "binary", "STRING": "string", "ENUM": "string",
              "JSON": "string", "BSON": "binary", "GEOMETRY": "geometry", "GEOGRAPHY": "geography", "VARIANT": "variant",
              "DATE": "date", "TIMESTAMP": "timestamp", "DECIMAL": "decimal",
              "LIST": "array", "MAP": "map", "group": "struct", "repeated": "array"},
    "ClickHouse": {"boolean": "Bool", "int32": "Int32", "int64": "Int64", "int96": "DateTime64", "float": "Float32",
                   "double": "Float64", "binary": "String", "fixed_len_byte_array": "FixedString", "STRING": "String",
                   "ENUM": "String", "JSON": "JSON", "BSON": "String", "DATE": "Date32", "TIMESTAMP": "DateTime64",
                   "UUID": "UUID", "FLOAT16": "Float32", "DECIMAL": "Decimal", "LIST": "Array", "MAP": "Map",
                   "group": "Tuple", "repeated": "Array"},
}
WIDTHS = {"upload_parquet": ("int{}", "uint{}"), "attach_table": ("int{}", "uint{}"), "ClickHouse": ("Int{}", "UInt{}")}
SPARK_SIGNED = {"8": "tinyint", "16": "smallint"}


def meant(reader: str, words: str) -> str:
    """The resulting type of a column that a reader reads correctly."""
    integer = re.search(r"INTEGER\((\d+),(true|false)\)", words)
    if integer:
        if reader == "Spark":
            return SPARK_SIGNED[integer[1]]
        return WIDTHS[reader][integer[2] == "false"].format(integer[1])
    annotation = re.search(r" v \((\w+)", words)
    repetition, physical = re.match(r"(\w+) (\w+)", words).groups()
    key = annotation[1] if annotation else "repeated" if repetition == "repeated" else physical
    return AS_MEANT[reader][key]


def plain(found: str) -> str:
    while wrapped := re.fullmatch(r"Nullable\((.*)\)", found, re.S):
        found = wrapped[1]
    return found


def agrees(reader: str, words: str, remark: str, found: str) -> bool:
    if not remark:
        return plain(found).lower().startswith(meant(reader, words).lower())
    if remark.startswith("refuses the file"):
        return found == "refuses the file"
    if remark.startswith(("an array", "a map", "a tuple")):
        # ClickHouse has no nulls of these, regardless of the type's name.
        return found != "refuses the file"
    name = re.match(r"[\w()]+(?:\([^)]*\))?", remark)[0]
    return plain(found).startswith(plain(name))


#: In remarks on types that end the reader's program.
NOT_RUN = "(not run since "
#: A remark on a column whose values are not lists any more.
ONE_A_ROW = "lists of other than one value"
#: Remarks on values that the rows here do not have.
OF_OTHER_VALUES = ("its JSON functions fail",)


def agrees_on_values(remark: str, found, written: list) -> bool:
    if remark.startswith("refuses the file"):
        return isinstance(found, str)
    if isinstance(found, str):
        return False
    kind, values = found
    if remark.startswith(ONE_A_ROW):
        return values != written
    if not remark or remark.startswith(OF_OTHER_VALUES):
        return values == written
    return kind.startswith(re.match(r"[\w ]+", remark)[0])


def upload_in_child(path: str) -> str:
    return in_child(upload, path)


#: The readers, what each needs, and their constructors. Spark and ClickHouse have threads, after which no process should fork.
READERS = {
    "attach_table": (ARROW_20.exists(), Attach),
    "upload_parquet": (importlib.util.find_spec("yt_yson_bindings"), lambda: upload_in_child),
    "ClickHouse": (importlib.util.find_spec("chdb"), Clickhouse),
    "Spark": (importlib.util.find_spec("pyspark"), Spark),
}
#: Those whose values are compared with what was written.
VALUE_READERS = {
    "pyarrow": (True, lambda: by_pyarrow), "DuckDB": (True, lambda: by_duckdb), "Polars": (True, lambda: by_polars),
    **{name: (FILLED.exists(), in_own(name)) for name in ("DataFusion", "Daft", "fastparquet", "carquet", "pyiceberg")},
    "hyparquet": ((NPM / "node_modules" / "hyparquet").exists() and shutil.which("node"), hyparquet),
    "arrow-go": (ARROW_GO.exists(), lambda: Asked(ARROW_GO)),
}


def reading(reader: str):
    """The function that reads a file; skips the test if the reader is not installed."""
    installed, make = {**READERS, **VALUE_READERS}[reader]
    if not installed:
        pytest.skip(f"{reader} is not installed (make readers)")
    return make()


TABLE = [line for line in json.loads(harness.run("types", "--readers", "--json").stdout) if line["system"] == "parquet"]
#: Bytes of a format: a document of BSON, the point (1, 2), and metadata and value of the VARIANT 1.
BSON, POINT = bytes.fromhex("0c0000001061000100000000"), struct.pack("<BIdd", 1, 1, 1.0, 2.0)
VARIANT = {"metadata": b"\x01\x00\x00", "value": b"\x18" + struct.pack("<q", 1), "typed_value": None}


def two(field, words: str):
    """Two values of an Arrow field."""
    import pyarrow as pa
    import pyarrow.types as is_
    kind = field.type
    if isinstance(kind, pa.BaseExtensionType):
        texts = {"arrow.json": ['{"a":1}', '{"b":[2]}']}.get(kind.extension_name)
        storage = pa.field("v", kind.storage_type)
        return pa.ExtensionArray.from_storage(kind, pa.array(texts, storage.type) if texts else two(storage, words))
    if is_.is_struct(kind):
        parts = [pa.array([VARIANT[part.name]] * 2, part.type) if "VARIANT" in words else two(part, words) for part in kind]
        return pa.StructArray.from_arrays(parts, fields=list(kind))
    if is_.is_map(kind):
        return pa.MapArray.from_arrays(pa.array([0, 1, 2], pa.int32()), two(kind.key_field, ""), two(kind.item_field, "")).cast(kind)
    if is_.is_list(kind):
        return pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), two(kind.value_field, "")).cast(kind)
    if is_.is_temporal(kind) and not is_.is_interval(kind):
        return pa.array([1, 1700] if is_.is_date(kind) else [1000, 86_000_000],
                        pa.int32() if kind.bit_width == 32 else pa.int64()).view(kind)
    if is_.is_decimal(kind):
        return pa.array([decimal.Decimal("1.5"), decimal.Decimal("-2.25")], kind)
    if is_.is_binary(kind) and "(" in words:
        return pa.array([POINT if "GEO" in words else BSON] * 2, kind)
    if is_.is_fixed_size_binary(kind):
        return pa.array([bytes(range(kind.byte_width)), bytes(kind.byte_width)], kind)
    if is_.is_floating(kind):
        return pa.array([1.5, -2.0], pa.float32()).cast(kind)
    some = {pa.bool_(): [True, False], pa.string(): ["a", "b"], pa.binary(): [b"a", b"\xff"], pa.null(): [None, None],
            pa.month_day_nano_interval(): [pa.MonthDayNano((1, 2, 3_000_000)), pa.MonthDayNano((4, 5, 0))]}
    return pa.array(some[kind] if kind in some else [1, 100], kind)


#: In remarks on files without ARROW:schema, which parquet-java and others write.
BARE = " without ARROW:schema"


@pytest.fixture(scope="module")
def files():
    """For each type, a file of two values and, if there may be one, a null, written by a message; the same without ARROW:schema;
    and the values."""
    import pyarrow as pa
    import pyarrow.ipc as ipc
    folder, written = harness.make_folder("readers"), {}
    for number, words in enumerate(line["type"] for line in TABLE):
        message = "message m { %s }" % words
        rows, path, bare = (folder / f"{number}{end}" for end in (".arrows", ".parquet", "-bare.parquet"))
        harness.run("schema", "-", "--from", "parquet", "--to", "arrow", "--form", "ipc", "-o", rows, input=message)
        schema = ipc.open_stream(rows).schema
        column = two(schema.field("v"), words)
        if words.startswith("optional"):
            column = pa.chunked_array([column, pa.nulls(1, column.type)]).combine_chunks()
        with ipc.new_stream(rows, schema) as writer:
            writer.write_batch(pa.RecordBatch.from_arrays([column], schema=schema))
        assert not harness.run("convert", rows, path, "--message", message, "-q").stderr, words
        # Another key of the same length.
        bare.write_bytes(path.read_bytes().replace(b"ARROW:schema", b"ARROW:absent"))
        written[words] = str(path), str(bare), plain_values(column)
    return written


def remarks_of(words: str, reader: str) -> tuple[str, str]:
    """The remark of a type on files with and without ARROW:schema."""
    remark = next(one["remark"] for line in TABLE if line["type"] == words for one in line["readers"] if one["reader"] == reader)
    parts = remark.split("; ")
    bare = [part.removesuffix(BARE) for part in parts if part.endswith(BARE)]
    return "; ".join(part for part in parts if not part.endswith(BARE)), "; ".join(bare) or remark


@pytest.mark.parametrize("reader", [*READERS, *VALUE_READERS])
def test_reader(files, reader):
    by_type = reader in READERS
    read, wrong = reading(reader), []
    assert TABLE
    for words, (*paths, values) in files.items():
        for path, remark in zip(paths, remarks_of(words, reader)):
            if NOT_RUN in remark:
                continue
            try:
                found = read(path)
            except BaseException as error:  # noqa: BLE001 (panics of Rust are no Exception)
                if by_type or isinstance(error, KeyboardInterrupt):
                    raise
                found = "refuses the file"
            if not (agrees(reader, words, remark, found) if by_type else agrees_on_values(remark, found, values)):
                wrong.append(f"{words}{BARE if path.endswith('-bare.parquet') else ''}: the table says {remark or 'as it is meant'}, "
                             f"found {found}" + (f", written {values}" if not by_type else ""))
    assert not wrong, "\n".join(wrong)
