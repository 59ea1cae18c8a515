"""`xwalk types --readers` against the readers of Parquet files: a file for each type, read by each reader that is installed.

usage: reader_table_test.py XWALK DATA

The table has each reader's result for a column: empty if it reads the column correctly, `refuses the file` or `ends the
program` if it does, else a remark that begins with the resulting type. For upload_parquet it is the schema of the table that it
would create. It may end its process, so each file has one. For attach_table, which needs a cluster, the conversion from
Parquet to Arrow is run, on YTsaurus's version of Arrow. The rest is implemented here after its source. Exits 77 if no reader
is there, or the plugin is not.
"""
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

XWALK = pathlib.Path(sys.argv[1]).resolve()
#: The version of Arrow that YTsaurus uses.
ARROW_20 = pathlib.Path(sys.argv[2]).resolve().parent / "pyarrow-20.0.0"
if not (XWALK.parent / "libxwalk_parquet.so").exists():
    print("SKIPPED: the plugin is not built")
    sys.exit(77)

#: What each reader calls a type that it reads as it is meant.
UPLOAD = {"boolean", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double", "string",
          "decimal", "list", "dict", "struct"}


def in_child(read, path: str) -> str:
    """What `read` returns, or how its process ended."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
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


def installed() -> list[tuple[str, object]]:
    """The installed readers, each with its constructor: Spark and ClickHouse have threads, after which no process should fork."""
    attach = [("attach_table", Attach)] if ARROW_20.exists() else []
    return attach + [(name, make) for name, module, make in (
        ("upload_parquet", "yt_yson_bindings", lambda: lambda path: in_child(upload, path)),
        ("ClickHouse", "chdb", Clickhouse),
        ("Spark", "pyspark", Spark)) if importlib.util.find_spec(module)]


def write(folder: str, words: str, path: str) -> str:
    """Writes a file without rows by a message; returns what went wrong."""
    message = "message m { %s }" % words
    rows = pathlib.Path(folder, "none.yson")
    rows.write_text("")
    schema = subprocess.run([XWALK, "schema", "-", "--from", "parquet", "--to", "yt"], input=message, capture_output=True,
                            text=True, check=True).stdout
    pathlib.Path(folder, "none.yson.schema").write_text(schema)
    return subprocess.run([XWALK, "convert", rows, path, "--message", message, "-q"], capture_output=True, text=True).stderr


def main() -> int:
    readers = installed()
    if not readers:
        print("SKIPPED: no reader is installed")
        return 77
    table = json.loads(subprocess.run([XWALK, "types", "--readers", "--json"], capture_output=True, text=True, check=True).stdout)
    table = [line for line in table if line["system"] == "parquet"]
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="xwalk-readers-") as folder:
        paths = {line["type"]: f"{folder}/{number}.parquet" for number, line in enumerate(table)}
        for words, path in paths.items():
            if wrong := write(folder, words, path):
                print(f"{words}: not written: {wrong.strip()}")
                return 1
        for reader, make in readers:
            read = make()
            for line in table:
                words = line["type"]
                remark = next(one["remark"] for one in line["readers"] if one["reader"] == reader)
                found = read(paths[words])
                if agrees(reader, words, remark, found):
                    passed += 1
                else:
                    print(f"{words}: {reader}: the table says {remark or 'as it is meant'}, found {found}", flush=True)
                    failed += 1
    print(f"{passed} passed, {failed} failed; readers: {', '.join(name for name, make in readers)}")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
