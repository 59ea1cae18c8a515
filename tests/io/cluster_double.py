"""A double of the documented HTTP API (v4) of YTsaurus, for tests: no cluster can be had where they run.

It holds nodes, tables with their values, transactions that end without pings, and locks, as far as the tests need
them, and records the requests of the real client. It is not a cluster: a real cluster may accept other requests.

    with Double() as double: subprocess.run([...], env=double.environment)

A value that was written as Skiff is kept in the bytes it came in and given back in them; between Skiff and YSON the double
turns integers, doubles, booleans, strings, optionals, lists, tuples and any.
"""

import gzip
import http.server
import itertools
import json
import os
import struct
import threading
import time
import traceback
import zlib

from yt import yson

TOKEN = "token-that-nobody-may-see"
# Error codes of the documentation.
AUTHENTICATION, DENIED, NOT_THERE, THERE, CONFLICT = 900, 901, 500, 501, 402
NO_TRANSACTION, VIOLATION, UNSORTED = 11000, 307, 301

COMMANDS = [  # name, input, output, volatile, heavy
    ("get", None, "structured", False, False), ("exists", None, "structured", False, False),
    ("list", None, "structured", False, False), ("set", "structured", None, True, False),
    ("create", None, "structured", True, False), ("remove", None, None, True, False),
    ("lock", None, "structured", True, False), ("start_transaction", None, "structured", True, False),
    ("ping_transaction", None, None, True, False), ("commit_transaction", None, None, True, False),
    ("abort_transaction", None, None, True, False), ("start_tx", None, "structured", True, False),
    ("ping_tx", None, None, True, False), ("commit_tx", None, None, True, False), ("abort_tx", None, None, True, False),
    ("read_table", None, "tabular", False, True), ("write_table", "tabular", None, True, True),
    ("execute_batch", None, "structured", True, False), ("concatenate", None, None, True, False),
    ("parse_ypath", None, "structured", False, False), ("check_permission", None, "structured", False, False),
]


class Refused(Exception):
    """An error of the API."""

    def __init__(self, code, message, status=400):
        super().__init__(message)
        self.status = status
        self.body = {"code": 1, "message": "Error of the double", "attributes": {},
                     "inner_errors": [{"code": code, "message": message, "attributes": {}, "inner_errors": []}]}


# --- Skiff ------------------------------------------------------------------------------------------

FIXED = {"nothing": 0, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "int128": 16, "int256": 32, "uint8": 1, "uint16": 2,
         "uint32": 4, "uint64": 8, "uint128": 16, "uint256": 32, "double": 8, "boolean": 1}


def wire_of(node):
    return str(node["wire_type"]), [dict(child) for child in node.get("children", [])]


def skip(node, data, at):
    """Returns where a value of a wire type ends."""
    wire, children = wire_of(node)
    if wire in FIXED:
        end = at + FIXED[wire]
    elif wire in ("string32", "yson32"):
        end = at + 4 + struct.unpack_from("<I", data, at)[0]
    elif wire == "tuple":
        end = at
        for child in children:
            end = skip(child, data, end)
    elif wire.startswith("repeated"):
        size = 1 if wire.endswith("8") else 2
        end = at
        while (tag := int.from_bytes(data[end:end + size], "little")) != (1 << 8 * size) - 1:
            end = skip(children[tag], data, end + size)
        end += size
    else:
        size = 1 if wire == "variant8" else 2
        end = skip(children[int.from_bytes(data[at:at + size], "little")], data, at + size)
    if end > len(data):
        raise Refused(VIOLATION, "Premature end of stream while parsing Skiff")
    return end


def from_skiff(node, data):
    """Returns the YSON value of bytes."""
    wire, children = wire_of(node)
    if wire == "nothing":
        return None
    if wire == "double":
        return struct.unpack("<d", data)[0]
    if wire == "boolean":
        return data != b"\0"
    if wire.startswith("uint") and FIXED[wire] <= 8:
        return yson.YsonUint64(int.from_bytes(data, "little"))
    if wire.startswith("int") and FIXED[wire] <= 8:
        return int.from_bytes(data, "little", signed=True)
    if wire == "string32":
        return data[4:]
    if wire == "yson32":
        return yson.loads(data[4:], encoding=None)
    if wire == "variant8" and len(children) == 2 and children[0]["wire_type"] == "nothing":
        return None if data[0] == 0 else from_skiff(children[1], data[1:])
    if wire == "tuple":
        out, at = [], 0
        for child in children:
            end = skip(child, data, at)
            out.append(from_skiff(child, data[at:end]))
            at = end
        return out
    if wire == "repeated_variant8" and len(children) == 1:
        out, at = [], 0
        while data[at] != 255:
            end = skip(children[0], data, at + 1)
            out.append(from_skiff(children[0], data[at + 1:end]))
            at = end
        return out
    raise Refused(1, f"the double does not turn {wire} into YSON")


def to_skiff(node, value):
    wire, children = wire_of(node)
    if wire == "nothing":
        return b""
    if wire == "double":
        return struct.pack("<d", value)
    if wire == "boolean":
        return b"\1" if value else b"\0"
    if wire in FIXED and FIXED[wire] <= 8:
        return int(value).to_bytes(FIXED[wire], "little", signed=wire.startswith("int"))
    if wire == "string32":
        data = value if isinstance(value, bytes) else str(value).encode()
        return struct.pack("<I", len(data)) + data
    if wire == "yson32":
        data = yson.dumps(value, yson_format="binary")
        return struct.pack("<I", len(data)) + data
    if wire == "variant8" and len(children) == 2 and children[0]["wire_type"] == "nothing":
        return b"\0" if value == None else b"\1" + to_skiff(children[1], value)
    if wire == "tuple":
        return b"".join(to_skiff(child, item) for child, item in zip(children, value))
    if wire == "repeated_variant8" and len(children) == 1:
        return b"".join(b"\0" + to_skiff(children[0], item) for item in value) + b"\xff"
    raise Refused(1, f"the double does not turn YSON into {wire}")


class Cell:
    """A value of a row: in the bytes of a wire type, or as YSON."""

    def __init__(self, value=None, node=None, data=None):
        self.value, self.node, self.data = value, node, data

    def as_yson(self):
        return self.value if self.node is None else from_skiff(self.node, self.data)

    def is_null(self):
        """Detects absence without converting the value: the double has only the bytes of a wide integer."""
        if self.node is None:
            return self.value == None
        wire, children = wire_of(self.node)
        return wire == "nothing" or wire == "variant8" and children[0]["wire_type"] == "nothing" and self.data[0] == 0

    def as_skiff(self, node):
        same = self.node is not None and yson.dumps(bare(self.node)) == yson.dumps(bare(node))
        return self.data if same else to_skiff(node, self.as_yson())


def bare(node):
    out = {"wire_type": str(node["wire_type"])}
    if node.get("children"):
        out["children"] = [bare(child) for child in node["children"]]
    return out


def table_skiff(format_node):
    tables = format_node.attributes["table_skiff_schemas"]
    return dict(tables[0])


def rows_from_skiff(format_node, data):
    columns = [dict(child) for child in table_skiff(format_node)["children"]]
    rows, at = [], 0
    while at < len(data):
        if data[at:at + 2] != b"\0\0":
            raise Refused(VIOLATION, f"Unknown table index variant16 tag at byte {at}")
        at += 2
        row = {}
        for column in columns:
            end = skip(column, data, at)
            name = str(column["name"])
            if name == "$other_columns":
                for key, value in from_skiff(column, data[at:end]).items():
                    row[key.decode()] = Cell(value)
            else:
                row[name] = Cell(node=column, data=data[at:end])
            at = end
        rows.append(row)
    return rows


def rows_to_skiff(format_node, rows):
    columns = [dict(child) for child in table_skiff(format_node)["children"]]
    named = {str(column["name"]) for column in columns}
    out = []
    for row in rows:
        out.append(b"\0\0")
        for column in columns:
            name = str(column["name"])
            if name == "$other_columns":
                others = {key: cell.as_yson() for key, cell in row.items() if key not in named}
                out.append(to_skiff({"wire_type": "yson32"}, others))
            else:
                out.append(row.get(name, Cell()).as_skiff(column))
    return b"".join(out)


# --- the tree ---------------------------------------------------------------------------------------


class Node:
    def __init__(self, kind, attributes=None, rows=()):
        self.kind, self.attributes, self.rows = kind, dict(attributes or {}), list(rows)
        self.id = None

    def copy(self):
        out = Node(self.kind, self.attributes, self.rows)
        out.id = self.id
        return out


class Transaction:
    def __init__(self, parent, timeout):
        self.parent, self.timeout, self.pinged = parent, timeout, time.monotonic()
        self.changes = {}
        self.snapshots = {}


class Double:
    def __init__(self, token=TOKEN, part=1 << 20):
        self.token, self.part = token, part
        self.nodes = {"/": Node("map_node"), "//home": Node("map_node"), "//tmp": Node("map_node")}
        self.transactions, self.locks = {}, []
        self.ended = {"committed": 0, "aborted": 0, "expired": 0}
        #: What was asked: (command, parameters, headers).
        self.requests = []
        #: The headers of all requests, also of those without a command.
        self.seen_headers = []
        #: Called with (command, parameters, number of such requests so far) before each answer; may return a Refused to
        #: answer with, "close" to close the connection, "cut" to close it after the first part of a body, "trailer" to end
        #: a body with an error, or None.
        self.fault = lambda command, parameters, count: None
        self._ids, self._lock = itertools.count(1), threading.RLock()
        self._counts = {}

    def __enter__(self):
        double = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                try:
                    double.answer(self)
                except ConnectionError:
                    self.close_connection = True

            do_POST = do_PUT = do_GET

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("YT_")}
        self.environment = {**kept, "YT_PROXY": self.address, "HOME": "/nonexistent", "YT_CONFIG_PATCHES":
                            "{proxy={retries={count=4;backoff={policy=constant_time;constant_time=200}};"
                            "request_timeout=20000};read_retries={backoff={policy=constant_time;constant_time=200}};"
                            "write_retries={backoff={policy=constant_time;constant_time=200}}}"}
        if self.token:
            self.environment["YT_TOKEN"] = self.token
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    # -- for tests --

    def table(self, path, schema, rows=(), **attributes):
        """Makes a table. Rows are dicts of YSON values."""
        node = Node("table", {**attributes, "schema": yson.loads(schema.encode(), encoding=None) if isinstance(schema, str)
                              else schema}, [{name: Cell(value) for name, value in row.items()} for row in rows])
        node.id = self._id()
        self.nodes[path] = node
        return node

    def rows(self, path):
        return [{name: cell.as_yson() for name, cell in row.items()} for row in self.nodes[path].rows]

    def asked(self, command):
        return [parameters for name, parameters, _ in self.requests if name == command]

    # -- HTTP --

    def answer(self, http_):
        path = http_.path.split("?")[0]
        self.seen_headers.append(dict(http_.headers))
        body = self._body(http_)
        if body is None:
            return
        if path == "/api":
            return self._json(http_, ["v3", "v4"])
        if path == "/hosts":
            return self._json(http_, [self.address])
        if path == "/api/v4":
            return self._json(http_, [{"name": name, "input_type": given, "output_type": out, "is_volatile": volatile,
                                       "is_heavy": heavy} for name, given, out, volatile, heavy in COMMANDS])
        command = path.rsplit("/", 1)[1]
        try:
            parameters = self._parameters(http_, command, body)
            with self._lock:
                self.requests.append((command, parameters, dict(http_.headers)))
                count = self._counts[command] = self._counts.get(command, 0) + 1
                self._expire()
            told = self.fault(command, parameters, count)
            if isinstance(told, Refused):
                raise told
            if told == "close":
                http_.close_connection = True
                http_.connection.close()
                return
            if self.token and http_.headers.get("Authorization") != "OAuth " + self.token:
                raise Refused(AUTHENTICATION, "Authentication has failed", 401)
            if command == "read_table":
                return self._send_rows(http_, parameters, told)
            function = getattr(self, "do_" + command, None)
            if function is None:
                raise Refused(1, f"the double has no command {command}")
            with self._lock:
                if command in ("write_table", "set"):
                    result = function(parameters, body)
                else:
                    result = function(parameters)
            data = b""
            if result is not None:
                if parameters.get("return_only_value"):
                    result = result["value"]
                form = getattr(parameters.get("output_format"), "attributes", {}).get("format", "text")
                data = yson.dumps(result, yson_format=str(form))
            http_.send_response(200)
            http_.send_header("Content-Type", "application/x-yt-yson-binary")
            http_.send_header("Content-Length", str(len(data)))
            http_.end_headers()
            http_.wfile.write(data)
        except Exception as error:
            refused = error
            if not isinstance(error, Refused):
                traceback.print_exc()
                refused = Refused(1, f"the double failed: {error!r}")
            text = json.dumps(refused.body)
            http_.send_response(refused.status)
            http_.send_header("X-YT-Error", text)
            http_.send_header("X-YT-Response-Code", "1")
            http_.send_header("Content-Type", "application/json")
            http_.send_header("Content-Length", str(len(text)))
            http_.end_headers()
            http_.wfile.write(text.encode())

    def _body(self, http_):
        """Returns the body, or None if the connection ended early."""
        parts = []
        if http_.headers.get("Transfer-Encoding") == "chunked":
            while True:
                line = http_.rfile.readline().strip()
                if not line:
                    return None
                size = int(line, 16)
                part = http_.rfile.read(size)
                if len(part) < size or http_.rfile.readline() != b"\r\n":
                    return None
                if size == 0:
                    break
                parts.append(part)
        else:
            size = int(http_.headers.get("Content-Length") or 0)
            parts.append(http_.rfile.read(size))
            if len(parts[0]) < size:
                return None
        data = b"".join(parts)
        encoding = http_.headers.get("Content-Encoding", "identity")
        if encoding == "gzip" and data:
            data = zlib.decompress(data, 47)  # the client says gzip and sends zlib
        elif encoding == "br" and data:
            import brotli

            data = brotli.decompress(data)
        return data

    @staticmethod
    def _parameters(http_, command, body):
        text = http_.headers.get("X-YT-Parameters")
        volatile = next((entry[3] and entry[1] is None for entry in COMMANDS if entry[0] == command), False)
        data = text.encode("latin-1") if text else body if volatile else b""
        if not data:
            return {}
        as_json = http_.headers.get("X-YT-Header-Format") == "json"
        return json.loads(data) if as_json else yson.loads(data)

    @staticmethod
    def _json(http_, value):
        data = json.dumps(value).encode()
        http_.send_response(200)
        http_.send_header("Content-Type", "application/json")
        http_.send_header("Content-Length", str(len(data)))
        http_.end_headers()
        http_.wfile.write(data)

    # -- the tree --

    def _id(self):
        return f"1-{next(self._ids):x}-3f-d0b1e"

    def _expire(self):
        now = time.monotonic()
        for key, transaction in list(self.transactions.items()):
            if key in self.transactions and now - transaction.pinged > transaction.timeout:
                self._end(key)
                self.ended["expired"] += 1

    def expire(self):
        """Ends transactions without pings."""
        with self._lock:
            self._expire()

    def _end(self, key):
        for other, transaction in list(self.transactions.items()):
            if transaction.parent == key:
                self._end(other)
        self.transactions.pop(key, None)
        self.locks = [lock for lock in self.locks if lock[1] != key]

    def _transaction(self, parameters):
        key = str(parameters.get("transaction_id") or "0-0-0-0")
        if key == "0-0-0-0":
            return None
        if key not in self.transactions:
            raise Refused(NO_TRANSACTION, f"No such transaction {key}")
        return key

    def _line(self, key):
        """Returns a transaction and those around it, the innermost first."""
        while key is not None:
            yield key
            key = self.transactions[key].parent

    def _find(self, path, key):
        for transaction in self._line(key):
            state = self.transactions[transaction]
            for kept in (state.snapshots, state.changes):
                if path in kept:
                    return kept[path]
        return self.nodes.get(path)

    def _resolve(self, path, key):
        """Returns the path of a node that is named by its id."""
        path = str(path)
        if not path.startswith("#"):
            return path
        head, _, rest = path[1:].partition("/")
        for name, node in self._all(key):
            if node.id == head:
                return name + ("/" + rest if rest else "")
        raise Refused(NOT_THERE, f"No such object {head}")

    def _all(self, key):
        seen = dict(self.nodes)
        for transaction in reversed(list(self._line(key))):
            seen.update(self.transactions[transaction].changes)
        return [(name, node) for name, node in seen.items() if node is not None]

    def _node(self, path, key):
        node = self._find(path, key)
        if node is None:
            raise Refused(NOT_THERE, f"Error resolving path {path}: node has no child with the key")
        return node

    def _change(self, path, key, node):
        if key is None:
            self.nodes[path] = node
        else:
            self.transactions[key].changes[path] = node

    def _take_lock(self, path, key, mode):
        mine = set(self._line(key))
        for locked, owner, other in self.locks:
            if locked == path and owner not in mine and "snapshot" not in (mode, other) and (mode, other) != (
                    "shared", "shared"):
                raise Refused(CONFLICT, f'Cannot take "{mode}" lock for node {path} since "{other}" lock is taken by '
                                        f"concurrent transaction {owner}")
        if key is not None:
            self.locks.append((path, key, mode))

    def _attribute(self, path, node, name):
        if name == "type":
            return node.kind
        if name == "id":
            return node.id
        if name in node.attributes:
            return node.attributes[name]
        if node.kind == "table":
            if name in ("row_count", "chunk_row_count"):
                return len(node.rows)
            if name == "dynamic":
                return False
            if name in ("chunk_count", "replication_factor"):
                return 1
            if name in ("uncompressed_data_size", "compressed_data_size", "data_weight"):
                return 100 * len(node.rows)
            if name == "sorted":
                return any("sort_order" in column or b"sort_order" in column for column in node.attributes["schema"])
        return None

    # -- commands --

    def do_start_transaction(self, parameters):
        parent = self._transaction(parameters)
        key = self._id()
        self.transactions[key] = Transaction(parent, float(parameters.get("timeout", 15000)) / 1000)
        return {"transaction_id": key}

    def do_ping_transaction(self, parameters):
        for key in self._line(self._transaction(parameters)):
            self.transactions[key].pinged = time.monotonic()
            if not parameters.get("ping_ancestor_transactions"):
                break

    def do_commit_transaction(self, parameters):
        key = self._transaction(parameters)
        transaction = self.transactions[key]
        for path, node in transaction.changes.items():
            if node is not None or transaction.parent is not None:
                self._change(path, transaction.parent, node)
            else:
                self.nodes.pop(path, None)
        # What was locked stays so for the transaction around it.
        kept = [(path, transaction.parent, mode) for path, owner, mode in self.locks
                if owner == key and transaction.parent is not None]
        self._end(key)
        self.locks += kept
        self.ended["committed"] += 1

    def do_abort_transaction(self, parameters):
        self._end(self._transaction(parameters))
        self.ended["aborted"] += 1

    do_start_tx, do_ping_tx = do_start_transaction, do_ping_transaction
    do_commit_tx, do_abort_tx = do_commit_transaction, do_abort_transaction

    def do_lock(self, parameters):
        key = self._transaction(parameters)
        path = self._resolve(parameters["path"], key)
        node = self._node(path, key)
        mode = str(parameters.get("mode", "exclusive"))
        self._take_lock(path, key, mode)
        if mode == "snapshot":
            self.transactions[key].snapshots[path] = node.copy()
        return {"lock_id": self._id(), "node_id": node.id, "revision": 1}

    def do_exists(self, parameters):
        key = self._transaction(parameters)
        path = self._resolve(parameters["path"], key)
        name, _, attribute = path.partition("/@")
        node = self._find(name, key)
        return {"value": node is not None and (not attribute or self._attribute(name, node, attribute) is not None)}

    def do_get(self, parameters):
        key = self._transaction(parameters)
        path = self._resolve(parameters["path"], key)
        name, at, attribute = path.partition("/@")
        node = self._node(name, key)
        if not at:
            return {"value": None}
        if attribute:
            value = self._attribute(name, node, attribute)
            if value is None:
                raise Refused(NOT_THERE, f'Attribute "{attribute}" is not found')
            return {"value": value}
        wanted = [str(one) for one in parameters.get("attributes", [])] or ["type", *node.attributes]
        found = {one: self._attribute(name, node, one) for one in wanted}
        return {"value": {one: value for one, value in found.items() if value is not None}}

    def do_list(self, parameters):
        path = str(parameters["path"]).rstrip("/") + "/"
        return {"value": sorted({name[len(path):].split("/")[0] for name in self.nodes if name.startswith(path)})}

    def do_set(self, parameters, body):
        key = self._transaction(parameters)
        name, _, attribute = self._resolve(parameters["path"], key).partition("/@")
        node = self._node(name, key).copy()
        node.attributes[attribute] = yson.loads(body, encoding=None)
        self._change(name, key, node)

    def do_create(self, parameters):
        key = self._transaction(parameters)
        path = self._resolve(parameters["path"], key)
        if self._find(path, key) is not None:
            if parameters.get("ignore_existing"):
                return {"node_id": self._find(path, key).id}
            raise Refused(THERE, f"Node {path} already exists")
        parent = path.rsplit("/", 1)[0]
        if parameters.get("recursive") and self._find(parent, key) is None:
            self.do_create({**parameters, "path": parent, "type": "map_node", "attributes": {}})
        if self._find(parent if parent != "/" else "/", key) is None:
            raise Refused(NOT_THERE, f"Error resolving path {path}: node {parent} has no child")
        self._take_lock(path, key, "exclusive")
        node = Node(str(parameters["type"]), parameters.get("attributes") or {})
        if node.kind == "table":
            node.attributes.setdefault("schema", yson.loads(b"<strict=%false;unique_keys=%false>[]"))
        node.id = self._id()
        self._change(path, key, node)
        return {"node_id": node.id}

    def do_execute_batch(self, parameters):
        results = []
        for request in parameters["requests"]:
            try:
                with self._lock:
                    self.requests.append((str(request["command"]), request["parameters"], {}))
                output = getattr(self, "do_" + str(request["command"]))(request["parameters"])
                results.append({} if output is None else {"output": output})
            except Refused as refused:
                results.append({"error": refused.body})
        return {"results": results}

    def do_concatenate(self, parameters):
        key = self._transaction(parameters)
        rich = parameters["destination_path"]
        path = self._resolve(rich, key)
        node = self._node(path, key).copy()
        if not rich.attributes.get("append"):
            node.rows = []
        for source in parameters["source_paths"]:
            node.rows = node.rows + self._node(self._resolve(source, key), key).rows
        self._change(path, key, node)

    def do_remove(self, parameters):
        key = self._transaction(parameters)
        path = self._resolve(parameters["path"], key)
        self._node(path, key)
        if key is None:
            del self.nodes[path]
        else:
            self._change(path, key, None)

    def do_check_permission(self, parameters):
        return {"action": "allow"}

    def do_write_table(self, parameters, body):
        key = self._transaction(parameters)
        rich = parameters["path"]
        path = self._resolve(rich, key)
        node = self._node(path, key).copy()
        appends = bool(rich.attributes.get("append"))
        self._take_lock(path, key, "shared" if appends else "exclusive")
        format_node = parameters["input_format"]
        if str(format_node) == "skiff":
            rows = rows_from_skiff(format_node, body)
        elif str(format_node) == "yson":
            rows = [{name.decode(): Cell(value) for name, value in row.items()}
                    for row in yson.loads(body, yson_type="list_fragment", encoding=None)]
        else:
            raise Refused(1, f"the double writes no {format_node}")
        if not appends:
            node.rows = []
        for name in ("schema", "optimize_for", "compression_codec", "erasure_codec"):
            if name in rich.attributes:
                if appends:
                    raise Refused(1, f'Attributes "append" and "{name}" cannot be given together')
                node.attributes[name] = rich.attributes[name]
        self._check(node, rows)
        node.rows = node.rows + rows
        self._change(path, key, node)

    @staticmethod
    def _check(node, rows):
        """Checks as much of a schema as tests ask for: names, required columns, the order of keys."""
        schema = node.attributes["schema"]
        columns = {str(_text(_of(column, "name"))): column for column in schema}
        keys = [name for name, column in columns.items() if _of(column, "sort_order") is not None]
        last = [_key(node.rows[-1], keys)] if keys and node.rows else []
        strict = schema.attributes.get("strict", schema.attributes.get(b"strict", True))
        for row in rows:
            for name in row:
                if name not in columns and strict:
                    raise Refused(VIOLATION, f'Unknown column "{name}" in strict schema')
            for name, column in columns.items():
                if _of(column, "required") and (name not in row or row[name].is_null()):
                    raise Refused(VIOLATION, f'Required column "{name}" cannot have "null" value')
            if keys:
                key = _key(row, keys)
                if last and key < last[0]:
                    raise Refused(UNSORTED, f"Sort order violation: {last[0]} > {key}")
                last = [key]

    def _send_rows(self, http_, parameters, told):
        fails = told == "trailer"
        with self._lock:
            key = self._transaction(parameters)
            rich = parameters["path"]
            path = self._resolve(rich, key)
            node = self._node(path, key)
            rows = node.rows
            format_node = parameters["output_format"]
        picked, first = rows, 0
        if "ranges" in rich.attributes:
            picked, first = [], None
            for part in rich.attributes["ranges"]:
                begin, end = self._range(node, part)
                first = begin if first is None else first
                picked = picked + rows[begin:end]
        if "columns" in rich.attributes:
            wanted = {str(name) for name in rich.attributes["columns"]}
            picked = [{name: cell for name, cell in row.items() if name in wanted} for row in picked]
        if str(format_node) == "skiff":
            data = rows_to_skiff(format_node, picked)
        elif str(format_node) == "yson":
            controls = parameters.get("control_attributes") or {}
            data = f"<row_index={first or 0}>#;".encode() if controls.get("enable_row_index") and picked else b""
            data += b"".join(yson.dumps({name: cell.as_yson() for name, cell in row.items()}, yson_format="binary") + b";"
                             for row in picked)
        else:
            raise Refused(1, f"the double reads no {format_node}")
        encoding = "gzip" if "gzip" in http_.headers.get("Accept-Encoding", "") else "identity"
        http_.send_response(200)
        http_.send_header("Transfer-Encoding", "chunked")
        http_.send_header("Content-Type", "application/octet-stream")
        if encoding == "gzip":
            http_.send_header("Content-Encoding", "gzip")
        http_.send_header("Trailer", "X-YT-Error, X-YT-Response-Code, X-YT-Response-Message")
        http_.send_header("X-YT-Response-Parameters",
                          f"{{start_row_index={first or 0};approximate_row_count={len(picked)}}}")
        http_.end_headers()
        if fails:
            data = data[:len(data) // 2]
        if encoding == "gzip":
            data = gzip.compress(data, 1)
        for at in range(0, len(data), self.part):
            if told == "cut" and at > 0:
                http_.close_connection = True
                http_.connection.close()
                return
            piece = data[at:at + self.part]
            http_.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        http_.wfile.write(b"0\r\n")
        if fails:
            error = json.dumps(Refused(1, "a node of the cluster is gone").body)
            http_.wfile.write(f"X-YT-Error: {error}\r\nX-YT-Response-Code: 1\r\n".encode())
        http_.wfile.write(b"\r\n")

    @staticmethod
    def _range(node, part):
        def place(limit, fallback):
            if limit is None:
                return fallback
            if "row_index" in limit:
                return min(len(node.rows), int(limit["row_index"]))
            wanted = [str(one) if isinstance(one, (str, bytes)) else one for one in limit["key"]]
            behind = bool(wanted) and str(getattr(wanted[-1], "attributes", {}).get("type", "")) == "max"
            wanted = wanted[:-1] if behind else wanted
            names = [str(_text(_of(column, "name"))) for column in node.attributes["schema"]
                     if _of(column, "sort_order") is not None][:len(wanted)]
            for at, row in enumerate(node.rows):
                key = _key(row, names)
                if key > wanted if behind else key >= wanted:
                    return at
            return len(node.rows)

        if "exact" in part:
            begin = place(part["exact"], 0)
            return begin, begin + 1
        return place(part.get("lower_limit"), 0), place(part.get("upper_limit"), len(node.rows))


def _of(column, name):
    return column.get(name, column.get(name.encode()))


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _key(row, names):
    return [_text(row[name].as_yson()) if name in row else None for name in names]


if __name__ == "__main__":
    with Double() as running:
        running.table("//home/t", "<strict=%true;unique_keys=%false>[{name=a;type=int64;required=%true};{name=b;type=utf8}]",
                      [{"a": n, "b": f"row {n}".encode()} for n in range(1000)])
        print(f"export YT_PROXY={running.address} YT_TOKEN={running.token}", flush=True)
        threading.Event().wait()
