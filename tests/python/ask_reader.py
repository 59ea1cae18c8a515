"""Asks one reader what it makes of files or types, a line for each: what reader_table_test.py and reader_systems_test.py run.

usage: ask_reader.py READER < CASES      (the interpreter is the one that has the reader)

Each line of standard input is a case in JSON, each of standard output what was found: `{"type": …}`, with `value`, the column
in Arrow, if it has one, or `{"refused": …}`. A reader that ends its process leaves the line out.
"""
import base64
import importlib.util
import io
import json
import os
import pathlib
import sys


def in_arrow(column) -> str:
    import pyarrow as pa
    table = pa.table({"v": column})
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return base64.b64encode(sink.getvalue()).decode()


def dataset(path: str):
    if path.endswith(".lance"):
        import lance
        return lance.dataset(path)
    import vortex
    return vortex.open(path).to_dataset()


def pylance(case: dict) -> dict:
    table = dataset(case["path"]).to_table()
    return {"type": str(table.schema.field("v").type), "value": in_arrow(table["v"])}


def vortex_data(case: dict) -> dict:
    import vortex
    table = vortex.open(case["path"]).to_arrow().read_all()
    return {"type": str(table.schema.field("v").type), "value": in_arrow(table["v"])}


def polars(case: dict) -> dict:
    import polars as pl
    if case["path"].endswith(".lance"):
        frame = pl.scan_pyarrow_dataset(dataset(case["path"])).collect()
    else:
        import vortex
        frame = vortex.open(case["path"]).to_polars().collect()
    return {"type": str(frame.schema["v"]), "value": in_arrow(frame.to_arrow()["v"])}


def duckdb_rows(connection, source: str) -> dict:
    kind = connection.sql(f"SELECT typeof(v) FROM {source} LIMIT 1").fetchall()[0][0]
    return {"type": kind, "value": in_arrow(connection.sql(f"SELECT v FROM {source}").to_arrow_table()["v"])}


def duckdb(case: dict) -> dict:
    import duckdb as engine
    connection = engine.connect()
    connection.execute("SET TimeZone = 'UTC'; SET arrow_lossless_conversion = true")
    connection.register("read_by_another", dataset(case["path"]))
    return duckdb_rows(connection, "read_by_another")


def duckdb_extension(name: str):
    import duckdb as engine
    folder = pathlib.Path(importlib.util.find_spec(f"duckdb_extension_{name}").origin).parent
    connection = engine.connect()
    connection.execute(f"LOAD '{next(folder.rglob(f'{name}.duckdb_extension'))}'")
    connection.execute("SET TimeZone = 'UTC'; SET arrow_lossless_conversion = true")
    return lambda case: duckdb_rows(connection, f"read_vortex('{case['path']}')" if name == "vortex" else f"'{case['path']}'")


def client(case: dict) -> dict:
    from yt.wrapper import YsonFormat
    row = next(YsonFormat().load_rows(io.BytesIO(base64.b64decode(case["row"]))))
    return {"type": type(row["v"]).__name__}


def clickhouse_ytsaurus():
    """Its table function `ytsaurus`, with a proxy that answers as the API of version 3 does: the type that it derives for the
    column, and the text of a row's value."""
    import http.server
    import re
    import threading

    import chdb.session
    table = {}

    class Proxy(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            place, _, asked = self.path.partition("?")
            command = place.rpartition("/")[2]
            if command == "read_table":
                body = b'{"v":' + table["row"] + b"}\n"
            elif command == "hosts":
                body = json.dumps([f"127.0.0.1:{server.server_port}"]).encode()
            elif command == "get" and asked.endswith("%40schema"):
                body = json.dumps({"$attributes": {"strict": True, "unique_keys": False}, "$value": [table["column"]]}).encode()
            elif command == "get" and asked.endswith("%40row_count"):
                body = b"1"
            elif command == "get" and asked.endswith("%40"):
                body = json.dumps({"type": "table", "dynamic": False, "row_count": 1, "chunk_count": 1}).encode()
            else:  # ids of transactions, locks and nodes
                body = b'"1-2-3-4"'
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = answer

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    session = chdb.session.Session()
    session.query("SET allow_experimental_ytsaurus_table_function = 1, output_format_tsv_crlf_end_of_line = 0")

    def read(kind: str) -> str:
        source = f"ytsaurus('http://127.0.0.1:{server.server_port}', '//tmp/t', 'token', 'v {kind}')"
        return session.query(f"SELECT v FROM {source}", "TSV").bytes().decode("latin-1").removesuffix("\n")

    def ask(case: dict) -> dict:
        table.update(column=json.loads(case["column"]), row=base64.b64decode(case["json_row"]))
        if table["column"]["type"] == "any" and case["declared"]:
            return {"type": case["declared"], "text": read(case["declared"])}
        try:
            return {"type": "IPv6", "text": read("IPv6")}
        except Exception as error:  # noqa: BLE001 (the type that it asks for is in the text alone)
            kind = re.search("converted type (.*) table column type", str(error))
            if kind is None:
                raise
        return {"type": kind[1], "text": read(kind[1])}
    return ask


def java_with_jars():
    """Spark on this machine, whose Java has the classes of SPYT and of YTsaurus's client."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    import importlib.util
    from pyspark.sql import SparkSession
    jars = pathlib.Path(importlib.util.find_spec("spyt").origin).parent / "jars"
    path = ":".join(str(jar) for folder in ("common", "scala-2.13") for jar in (jars / folder).glob("*.jar"))
    session = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.log.level", "OFF")
               .config("spark.driver.extraClassPath", path).getOrCreate())
    return session._jvm


def java_client():
    """The Skiff format that it makes for the schema of a table."""
    jvm = java_with_jars()
    text, tables, rows = jvm.tech.ytsaurus.ysontree.YTreeTextSerializer, jvm.tech.ytsaurus.core.tables, jvm.tech.ytsaurus.client.rows
    jar = jvm.java.lang.Class.forName("tech.ytsaurus.client.rows.SchemaConverter").getProtectionDomain().getCodeSource()

    def ask(case: dict) -> dict:
        schema = text.deserialize("<strict=%%true;unique_keys=%%false>[{name=v;type_v3=%s}]" % case["type_v3"])
        skiff = rows.SchemaConverter.toSkiffSchema(tables.TableSchema.fromYTree(schema))
        return {"type": text.serialize(skiff.getChildren().get(0).toYTree()), "from": str(jar)}
    return ask


def spyt():
    """Its own classes: the schema of a table, and the schema that is written back."""
    jvm = java_with_jars()
    serializers = jvm.tech.ytsaurus.spyt.serializers
    text = jvm.tech.ytsaurus.ysontree.YTreeTextSerializer
    none = getattr(getattr(jvm.scala, "None$"), "MODULE$")
    no_hints = getattr(getattr(jvm.scala.collection.immutable, "Map$"), "MODULE$").empty()
    writer = serializers.WriteSchemaConverter(no_hints, True, False)
    unsorted = getattr(writer, "ytLogicalSchema$default$2")()

    def ask(case: dict) -> dict:
        read = serializers.SchemaConverter.sparkSchema(text.deserialize("[{name=v;type_v3=%s}]" % case["type_v3"]), none, True)
        return {"type": read.apply(0).dataType().simpleString(), "written": text.serialize(writer.ytLogicalSchema(read, unsorted))}
    return ask


def arrow_of_parquet(case: dict) -> dict:
    import pyarrow as pa
    import pyarrow.parquet
    kind = pyarrow.parquet.read_schema(case["path"]).field(0).type
    # The extension types that pyarrow makes of Arrow's.
    return {"type": str(kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind)}


def datafusion(case: dict) -> dict:
    import datafusion as engine
    session = engine.SessionContext()
    session.register_parquet("t", case["path"])
    column = session.sql(f'SELECT "{case["column"]}" FROM t').to_arrow_table()[case["column"]]
    session.deregister_table("t")
    return {"type": str(column.type), "value": in_arrow(column)}


def pyiceberg():
    """A table that takes a file by `add_files`: its type of the column, and the values of a scan."""
    import tempfile

    import pyarrow.parquet as pq
    from pyiceberg.catalog.sql import SqlCatalog
    folder = tempfile.mkdtemp(prefix="xwalk-iceberg-")
    catalog = SqlCatalog("c", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("n")
    names = iter(range(2**63))

    def ask(case: dict) -> dict:
        table = catalog.create_table(f"n.t{next(names)}", schema=pq.read_schema(case["path"]))
        table.add_files([case["path"]])
        kind = table.schema().find_field(case["column"]).field_type
        return {"type": str(kind), "value": in_arrow(table.scan().to_arrow()[case["column"]])}
    return ask


def carquet(case: dict) -> dict:
    import carquet as engine
    column = engine.read_table(case["path"])[case["column"]]
    return {"type": str(column.type), "value": in_arrow(column)}


def daft(case: dict) -> dict:
    import daft as engine
    name = case["column"]
    frame = engine.read_parquet(case["path"]).select(name)
    kind = str(frame.schema()[name].dtype)
    # Extensions that pyarrow does not know are not given to it.
    return {"type": kind, "plain": plain(frame.to_pydict()[name])} if kind.startswith("Extension") else {
        "type": kind, "value": in_arrow(frame.to_arrow()[name])}


def fastparquet(case: dict) -> dict:
    import warnings

    import fastparquet as engine
    warnings.simplefilter("ignore")
    frame = engine.ParquetFile(case["path"]).to_pandas()
    name = case["column"]
    if name not in frame:
        return {"type": "a column for each of its parts" if len(frame.columns) else "leaves the column out"}
    column = frame[name]
    values = [None if missing else value for value, missing in zip(column, column.isna())] if str(column.dtype) == "str" else list(column)
    return {"type": str(column.dtype), "plain": plain(values)}


def plain(value):
    """A value of Python or pandas in JSON: bytes in hexadecimal, times as nanoseconds, maps as pairs."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if isinstance(value, (str, bytes)):
        return {"text": value} if isinstance(value, str) else {"bytes": value.hex()}
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "as_unit"):
        return ["instant" if getattr(value, "tz", None) else "local", value.as_unit("ns").value]
    return value.item() if hasattr(value, "item") else value if isinstance(value, (bool, int, float)) else str(value)


READERS = {"DataFusion": lambda: datafusion, "carquet": lambda: carquet, "pyiceberg": pyiceberg, "Daft": lambda: daft, "fastparquet": lambda: fastparquet, "pylance": lambda: pylance, "vortex-data": lambda: vortex_data, "Polars": lambda: polars, "DuckDB": lambda: duckdb,
           "DuckDB's lance": lambda: duckdb_extension("lance"), "DuckDB's vortex": lambda: duckdb_extension("vortex"),
           "ytsaurus-client": lambda: client, "SPYT": spyt, "ytsaurus-client-java": java_client, "ClickHouse's ytsaurus": clickhouse_ytsaurus, "attach_table": lambda: arrow_of_parquet}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    ask = READERS[sys.argv[1]]()
    for line in sys.stdin:
        try:
            found = ask(json.loads(line))
        except BaseException as refusal:  # noqa: BLE001 (a panic of Rust is one of these)
            found = {"refused": str(getattr(refusal, "java_exception", refusal))[:300]}
        print(json.dumps(found), file=answers, flush=True)
    answers.flush()
    # Threads of engines outlive their users.
    os._exit(0)


if __name__ == "__main__":
    main()
