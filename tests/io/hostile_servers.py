"""Servers that mean harm: python hostile_servers.py XWALK"""
import base64
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow as pa
import pyarrow.parquet as pq

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
scratch = tempfile.TemporaryDirectory(prefix="xwalk-hostile-")
FOLDER = pathlib.Path(scratch.name)
TABLE = pa.table({"a": pa.array(range(60_000), pa.int64()), "b": [f"text {n}" for n in range(60_000)]})
pq.write_table(TABLE, FOLDER / "good.parquet", row_group_size=20_000)
GOOD = (FOLDER / "good.parquet").read_bytes()
OTHER = b"{a=1};\n" * 50_000
PATIENCE = 20
problems = []


def expect(what, condition, *detail):
    if not condition:
        problems.append(f"{what}: {' '.join(str(one) for one in detail)[:2000]}")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def range_of(self, whole):
        first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
        return int(first), min(int(last), len(whole) - 1)

    def head(self, status, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def send(self, whole=GOOD):
        first, last = self.range_of(whole)
        body = whole[first:last + 1]
        self.head(206, Content_Length=len(body), ETag='"1"', Content_Range=f"bytes {first}-{last}/{len(whole)}")
        self.wfile.write(body)

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        try:
            self.server.answer(self, len(self.server.asked))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def for_ever(self, block=b"x" * 65536):
        self.close_connection = True
        until = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < until:
            self.wfile.write(block)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # clients that leave

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.asked = answer, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


def run(*words, **variables):
    began = time.monotonic()
    try:
        done = subprocess.run([PROGRAM, *words], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, "HOME": str(FOLDER), **variables})
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, None, "", f"still running after {time.monotonic() - began:.0f} s")
    return done


def same(name):
    return pq.read_table(FOLDER / name).equals(TABLE)


# An answer that goes on after its range, with a length and without one, from the first request and from later ones.
def goes_on(since, with_total):
    def answer(handler, number):
        if number < since:
            return handler.send()
        first, last = handler.range_of(GOOD)
        handler.head(206, ETag='"1"', Connection="close", Content_Range=f"bytes {first}-{last}/{len(GOOD) if with_total else '*'}")
        handler.wfile.write(GOOD[first:last + 1])
        handler.for_ever()

    return answer


for since in (1, 2, 3):
    server = Server(goes_on(since, True))
    done = run("convert", server.url + "/good.parquet", "out.parquet", "--mode", "overwrite", "--storage", "retries=1")
    expect(f"goes on since request {since}", done.returncode == 0 and same("out.parquet"), done.returncode, done.stderr)
server = Server(goes_on(1, False))
done = run("schema", server.url + "/good.parquet", "--storage", "retries=0")
expect("goes on without a total", done.returncode == 74, done.returncode, done.stderr)


# A page about an error that has no end.
def endless_page(status):
    def answer(handler, _):
        handler.head(status, Connection="close")
        handler.for_ever()

    return answer


for status in (404, 403, 500, 301):
    done = run("schema", Server(endless_page(status)).url + "/x.parquet", "--storage", "retries=0")
    expect(f"an endless page {status}", done.returncode == 74, done.returncode, done.stderr)


# Another range than the requested one.
def shifted(handler, number):
    first, last = handler.range_of(GOOD)
    by = 0 if number == 1 else 8
    body = GOOD[first:last + 1]
    handler.head(206, Content_Length=len(body), ETag='"1"', Content_Range=f"bytes {first + by}-{last + by}/{len(GOOD)}")
    handler.wfile.write(body)


done = run("convert", Server(shifted).url + "/x.parquet", "never.parquet", "--storage", "retries=0")
expect("another range", done.returncode == 74 and "range" in done.stderr, done.returncode, done.stderr)


# A first answer that breaks off, of the whole file, before one with ranges: nothing of it may be kept.
def broken_first(handler, number):
    if number == 1:
        handler.head(200, Content_Length=len(OTHER), ETag='"0"')
        handler.wfile.write(OTHER[:len(OTHER) // 2])
        handler.wfile.flush()
        handler.close_connection = True
        handler.connection.shutdown(2)
        return
    handler.send()


server = Server(broken_first)
done = run("convert", server.url + "/x.parquet", "out.parquet", "--mode", "overwrite")
expect("a broken first answer", done.returncode == 0 and same("out.parquet"), done.returncode, done.stderr)

# Redirects: to the same server, to another port, to a file, without an end.
(FOLDER / ".netrc").write_text("machine 127.0.0.1 login user password secret\n")
(FOLDER / ".netrc").chmod(0o600)
BASIC = "Basic " + base64.b64encode(b"user:secret").decode()
elsewhere = Server(lambda handler, _: handler.send())


def redirect(to):
    def answer(handler, _):
        if handler.path == "/there":
            return handler.send()
        handler.head(302, Location=to, Content_Length=0)

    return answer


server = Server(redirect("/there"))
done = run("convert", server.url + "/x.parquet", "out.parquet", "--mode", "overwrite")
expect("a redirect to the same server", done.returncode == 0 and {proof for _, proof in server.asked} == {BASIC}, done.stderr,
       server.asked)
server = Server(redirect(elsewhere.url + "/x.parquet"))
done = run("convert", server.url + "/x.parquet", "out.parquet", "--mode", "overwrite")
expect("a redirect to another port", done.returncode == 0 and same("out.parquet"), done.stderr)
expect("a redirect to another port", elsewhere.asked and not any(proof for _, proof in elsewhere.asked), elsewhere.asked)
expect("the server that was named", {proof for _, proof in server.asked} == {BASIC}, server.asked)
for to in ("file:///etc/passwd", "gopher://127.0.0.1/x", "/again"):
    server = Server(redirect(to))
    done = run("schema", server.url + "/x.parquet", "--storage", "retries=0")
    expect(f"a redirect to {to}", done.returncode == 74 and "root:" not in done.stdout, done.returncode, done.stderr)
    expect(f"a redirect to {to}", len(server.asked) < 30, len(server.asked))

# A store that answers in plain text.
plain = Server(lambda handler, _: (handler.head(404, Content_Type="text/plain", Content_Length=9), handler.wfile.write(b"not found")))


def do_HEAD(self):
    self.head(404, Content_Type="text/plain", Content_Length=9)


Handler.do_HEAD = do_HEAD
for verb in (("schema",), ("head",), ("validate",)):
    done = run(*verb, "az://box/x.parquet", "--storage", f"endpoint={plain.url}", "--storage", "retries=0", "--storage", "account=acc",
               AZURE_STORAGE_ACCOUNT_KEY=base64.b64encode(b"key").decode())
    expect(f"{verb[0]} of a plain 404", done.returncode == 74 and "stoi" not in done.stderr, done.returncode, done.stderr)

# Files over 64 kB by every verb, and memory that does not grow with the row groups.
with_ranges = Server(lambda handler, _: handler.send())
for words in (("validate",), ("validate", "--values"), ("info",), ("schema",), ("head",), ("check", "--to", "yt", "--rows")):
    done = run(words[0], with_ranges.url + "/good.parquet", *words[1:])
    expect(f"{words}", done.returncode == 0, done.returncode, done.stdout, done.stderr)
rows = 2_000_000
wide = pa.table({f"c{i}": pa.array(range(i, rows * 7919 + i, 7919), pa.int64()) for i in range(12)})
pq.write_table(wide, FOLDER / "large.parquet", row_group_size=rows, compression="none", use_dictionary=False)
LARGE = (FOLDER / "large.parquet").read_bytes()
large = Server(lambda handler, _: handler.send(LARGE))
done = run("validate", large.url + "/large.parquet")
MEASURE = ("import resource, subprocess, sys; code = subprocess.run(sys.argv[1:]).returncode; "
           "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)")
PATIENCE = 120
for words in (("validate",), ("convert", "out.arrow", "--mode", "overwrite"), ("check", "--to", "yt", "--rows")):
    done = subprocess.run([sys.executable, "-c", MEASURE, str(PROGRAM), words[0], large.url + "/large.parquet", *words[1:],
                           "--max-memory", "64M", "--threads", "1"], cwd=FOLDER, capture_output=True, text=True, timeout=PATIENCE)
    code, memory = (int(word) for word in done.stdout.split()[-2:])
    limit = 160
    expect(f"{words[0]} of a group of {len(LARGE) >> 20} MiB", code == 0 and memory < limit, code, f"{memory} MiB", done.stderr)
    print(f"{words[0]}: {memory} MiB for a row group of {len(LARGE) >> 20} MiB")
expect("the copy", pa.ipc.open_file(FOLDER / "out.arrow").read_all().num_rows == rows, "rows")
asked = sum(1 for _ in large.asked)
print(f"{asked} requests")

print("\n".join(problems))
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
