"""A catalog of Iceberg with the calls of the REST protocol that pyiceberg's client needs for tables: a catalog in SQLite does the work."""
import contextlib
import http.server
import json
import threading

from pyiceberg.catalog.rest import CreateTableRequest
from pyiceberg.exceptions import CommitFailedException, NoSuchNamespaceError, NoSuchTableError, TableAlreadyExistsError
from pyiceberg.table import CommitTableRequest, Table

#: Status and type of what the catalog throws.
ERRORS = {NoSuchNamespaceError: 404, NoSuchTableError: 404, TableAlreadyExistsError: 409, CommitFailedException: 409}

#: Members of a request for a table that a client leaves out.
OPTIONAL = {"location": None, "partition-spec": None, "write-order": None}


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers one call. `server.catalog` is the catalog; `server.asked` gets method and path of each call."""

    def answer(self):
        path = self.path.partition("?")[0]
        self.server.asked.append((self.command, path))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            if self.headers.get("Authorization") != f"Bearer {self.server.token}":
                return self.send(401, {"error": {"message": "no token", "type": "NotAuthorizedException", "code": 401}})
            with self.server.lock:
                return self.send(*self.called(path.strip("/").split("/")[1:], body))
        except tuple(ERRORS) as error:
            code = next(code for kind, code in ERRORS.items() if isinstance(error, kind))
            return self.send(code, {"error": {"message": str(error), "type": type(error).__name__.replace("Error", "Exception"), "code": code}})

    do_GET = do_HEAD = do_POST = do_DELETE = answer

    def called(self, steps, body):
        catalog = self.server.catalog
        if steps == ["config"]:
            return 200, {"defaults": {}, "overrides": {}}
        namespace, name = steps[1], steps[3] if len(steps) > 3 else None
        if len(steps) == 2:
            return 200, {"namespace": [namespace], "properties": catalog.load_namespace_properties(namespace)}
        if name is None:
            return 200, self.made(namespace, CreateTableRequest.model_validate({**OPTIONAL, **json.loads(body)}))
        table = self.existing((namespace, name))
        if self.command in ("GET", "HEAD"):
            if table is None:
                raise NoSuchTableError(f"Table does not exist: {namespace}.{name}")
            return 200, self.told(table)
        order = CommitTableRequest.model_validate_json(body)
        done = catalog.commit_table(table or self.server.staged[namespace, name], order.requirements, order.updates)
        return 200, json.loads(done.model_dump_json(by_alias=True))

    def existing(self, identifier):
        with contextlib.suppress(NoSuchTableError):
            return self.server.catalog.load_table(identifier)
        return None

    def made(self, namespace, order):
        given = (order.table_schema, order.location, order.partition_spec, order.write_order, order.properties)
        make = self.server.catalog._create_staged_table if order.stage_create else self.server.catalog.create_table
        if self.existing((namespace, order.name)) is not None:
            raise TableAlreadyExistsError(f"Table {namespace}.{order.name} already exists")
        made = make((namespace, order.name), *given)
        if order.stage_create:
            self.server.staged[namespace, order.name] = Table((namespace, order.name), made.metadata, made.metadata_location, made.io,
                                                              self.server.catalog)
        return self.told(made)

    @staticmethod
    def told(table):
        return {"metadata-location": table.metadata_location, "metadata": json.loads(table.metadata.model_dump_json()), "config": {}}

    def send(self, code, body):
        data = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_):
        """Prints nothing."""


@contextlib.contextmanager
def serving(catalog, token):
    """Serves a catalog on a port of this host; gives the server, whose `uri` clients name."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.catalog, server.token, server.asked, server.staged, server.lock = catalog, token, [], {}, threading.Lock()
    server.uri = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
