"""`xwalk types --readers` against the readers of Parquet files: a file for each type, read by each reader that is installed.

The table has each reader's result for a column: empty if it reads the column correctly, `refuses the file` or `ends the
program` if it does, else a remark that begins with the resulting type. For upload_parquet it is the schema of the table that it
would create. It may end its process, so each file has one. For attach_table, which needs a cluster, the conversion from
Parquet to Arrow is run, on YTsaurus's version of Arrow. The rest is implemented here after its source. """
import faulthandler
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from tests import harness

#: The version of Arrow that YTsaurus uses.
ARROW_20 = harness.DEPS / "pyarrow-20.0.0"
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
            return self.session.query(f"DESCRIBE file('{path}', Parquet)", "TSV").bytes().decode().split("\t")[1]
        except Exception:  # noqa: BLE001
            return "refuses the file"


class Spark:
    def __init__(self):
        from pyspark.sql import SparkSession
        self.session = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
                        .config("spark.sql.session.timeZone", "UTC").getOrCreate())
        self.session.sparkContext.setLogLevel("OFF")

    def __call__(self, path: str) -> str:
        try:
            rows = self.session.read.parquet(path)
            rows.collect()
            return rows.schema[0].dataType.simpleString()
        except Exception:  # noqa: BLE001
            return "refuses the file"


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
              "JSON": "string", "BSON": "binary", "DATE": "date", "TIMESTAMP": "timestamp", "DECIMAL": "decimal",
              "LIST": "array", "MAP": "map", "group": "struct", "repeated": "array"},
    "ClickHouse": {"boolean": "Bool", "int32": "Int32", "int64": "Int64", "int96": "DateTime64", "float": "Float32",
                   "double": "Float64", "binary": "String", "fixed_len_byte_array": "FixedString", "STRING": "String",
                   "ENUM": "String", "JSON": "JSON", "BSON": "String", "DATE": "Date32", "TIMESTAMP": "DateTime64",
                   "UUID": "UUID", "FLOAT16": "Float32", "DECIMAL": "Decimal", "LIST": "Array", "MAP": "Map",
                   "group": "Tuple", "repeated": "Array"},
}
WIDTHS = {"upload_parquet": ("int{}", "uint{}"), "attach_table": ("int{}", "uint{}"), "ClickHouse": ("Int{}", "UInt{}")}
SPARK_SIGNED = {"8": "tinyint", "16": "smallint"}


def meant(reader: str, words: str) -> str | None:
    """The resulting type of a column that a reader reads correctly; None if that was not measured."""
    integer = re.search(r"INTEGER\((\d+),(true|false)\)", words)
    if integer:
        if reader == "Spark":
            return SPARK_SIGNED[integer[1]]
        return WIDTHS[reader][integer[2] == "false"].format(integer[1])
    annotation = re.search(r" v \((\w+)", words)
    repetition, physical = re.match(r"(\w+) (\w+)", words).groups()
    key = annotation[1] if annotation else "repeated" if repetition == "repeated" else physical
    return AS_MEANT[reader].get(key)


def plain(found: str) -> str:
    while wrapped := re.fullmatch(r"Nullable\((.*)\)", found, re.S):
        found = wrapped[1]
    return found


def agrees(reader: str, words: str, remark: str, found: str) -> bool:
    if not remark:
        name = meant(reader, words)
        return name is None or plain(found).lower().startswith(name.lower())
    for end in ("refuses the file", "ends the program"):
        if remark.startswith(end):
            return found == end
    if remark.startswith(("an array", "a map", "a tuple")):
        # ClickHouse has no nulls of these, regardless of the type's name.
        return found not in ("refuses the file", "ends the program")
    name = re.match(r"[\w()]+(?:\([^)]*\))?", remark)[0]
    return plain(found).startswith(plain(name))


def upload_in_child(path: str) -> str:
    return in_child(upload, path)


#: The readers, what each needs, and their constructors. Spark and ClickHouse have threads, after which no process should fork.
READERS = {
    "attach_table": (ARROW_20.exists(), Attach),
    "upload_parquet": (importlib.util.find_spec("yt_yson_bindings"), lambda: upload_in_child),
    "ClickHouse": (importlib.util.find_spec("chdb"), Clickhouse),
    "Spark": (importlib.util.find_spec("pyspark"), Spark),
}
TABLE = [line for line in json.loads(harness.run("types", "--readers", "--json").stdout) if line["system"] == "parquet"]


@pytest.fixture(scope="module")
def paths():
    """A file without rows for each type, written by a message."""
    folder, written = harness.make_folder("readers"), {}
    for number, words in enumerate(line["type"] for line in TABLE):
        message = "message m { %s }" % words
        rows = folder / f"{number}.arrows"
        harness.run("schema", "-", "--from", "parquet", "--to", "arrow", "--form", "ipc", "-o", rows, input=message)
        written[words] = str(folder / f"{number}.parquet")
        assert not harness.run("convert", rows, written[words], "--message", message, "-q").stderr, words
    return written


@pytest.mark.parametrize("reader", READERS)
def test_reader(paths, reader):
    installed, make = READERS[reader]
    if not installed:
        pytest.skip(f"{reader} is not installed")
    read, wrong = make(), []
    assert TABLE
    for line in TABLE:
        remark = next(one["remark"] for one in line["readers"] if one["reader"] == reader)
        found = read(paths[line["type"]])
        if not agrees(reader, line["type"], remark, found):
            wrong.append(f"{line['type']}: the table says {remark or 'as it is meant'}, found {found}")
    assert not wrong, "\n".join(wrong)
