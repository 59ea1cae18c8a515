"""Web servers that mean harm (points 3, 4, 5 and 10). Each runs in a thread of this process."""
import base64
import gzip
import http.server
import threading
import time
import zlib

import pytest

from case import case

PATIENCE = 60
SINGLE = ("--storage", "retries=0")
TABLE = """
import pyarrow as pa, pyarrow.parquet as pq
table = pa.table({"a": pa.array(range(60_000), pa.int64()), "b": [f"text {n}" for n in range(60_000)]})
pq.write_table(table, "good.parquet", row_group_size=20_000)
"""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def range_of(self):
        first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
        return int(first), min(int(last), len(self.server.body) - 1)

    def head(self, status, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def send(self):
        """Answers as an honest server does."""
        first, last = self.range_of()
        body = self.server.body[first:last + 1]
        self.head(206, Content_Length=len(body), ETag='"1"', Content_Range=f"bytes {first}-{last}/{len(self.server.body)}")
        self.wfile.write(body)

    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Authorization")))
        try:
            self.server.answer(self, len(self.server.asked))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def do_HEAD(self):
        self.head(404, Content_Type="text/plain", Content_Length=9)

    def for_ever(self, block=b"x" * 65536, pause=0.0):
        """Sends until the client leaves; ends after a while, so that a fault does not fill a disk."""
        self.close_connection = True
        until = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < until:
            self.wfile.write(block)
            time.sleep(pause)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer, body=b""):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.body, self.asked = answer, body, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # a client left

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"


def honest(handler, _):
    handler.send()


def good_file(here):
    here.make(TABLE, "pyarrow")
    return (here.folder / "good.parquet").read_bytes()


def copied(here, url, *words, **expected):
    """Yields a conversion of an URL, and compares its rows with those of the sound file."""
    yield here.xwalk("convert", url, "out.parquet", "--mode", "overwrite", *words, **{"leaves": "out.parquet", "patience": PATIENCE, **expected})
    yield here.xwalk("diff", "good.parquet", "out.parquet", "--rows")
    (here.folder / "out.parquet").unlink(missing_ok=True)


def goes_on(since, has_total):
    def answer(handler, number):
        if number < since:
            return handler.send()
        first, last = handler.range_of()
        total = len(handler.server.body) if has_total else "*"
        handler.head(206, ETag='"1"', Connection="close", Content_Range=f"bytes {first}-{last}/{total}")
        handler.wfile.write(handler.server.body[first:last + 1])
        handler.for_ever()

    return answer


@case("5.endless-206")
def endless_206(here):
    """An answer of a range goes on after it, from the first, second or third request."""
    body = good_file(here)
    for since in (1, 2, 3):
        yield from copied(here, Server(goes_on(since, True), body).url + "/good.parquet", "--storage", "retries=1", memory=150)


@case("5.endless-206-no-total")
def endless_206_no_total(here):
    """An answer of a range goes on, and its header has no size of the file."""
    server = Server(goes_on(1, False), good_file(here))
    yield here.xwalk("schema", server.url + "/good.parquet", *SINGLE, exits=74, memory=100, patience=PATIENCE)


@case("5.endless-200")
def endless_200(here):
    """An answer with status 200, to a request without a range, never ends, or names a length that no disk has."""
    def endless(handler, _):
        handler.head(200, Connection="close")
        handler.for_ever()

    def enormous(handler, _):
        handler.head(200, Content_Length=1 << 60)
        handler.for_ever()

    for answer, limit in ((endless, ["--storage", "max-download=20MiB"]), (enormous, [])):
        for verb in ("schema", "info"):
            yield here.xwalk(verb, Server(answer).url + "/x.parquet", *SINGLE, *limit, exits=74, memory=100, patience=PATIENCE,
                             said="max-download")


@case("5.endless-page")
def endless_page(here):
    """The page about an error never ends."""
    for status in (404, 403, 500, 301):
        def answer(handler, _, status=status):
            handler.head(status, Connection="close")
            handler.for_ever()

        yield here.xwalk("schema", Server(answer).url + "/x.parquet", *SINGLE, exits=74, memory=100, patience=PATIENCE)


@case("5.endless-header")
def endless_header(here):
    """Header lines without an end."""
    def answer(handler, _):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        handler.for_ever(b"".join(b"X-%d: %b\r\n" % (number, b"y" * 1000) for number in range(60)))

    yield here.xwalk("schema", Server(answer).url + "/x.parquet", *SINGLE, exits=74, memory=150, patience=PATIENCE)


@case("5.huge-total")
def huge_total(here):
    """The header of a range says that the file has 2^62 bytes, and a whole answer says that it has 2^60."""
    def of_range(handler, _):
        first, _, last = handler.headers["Range"].removeprefix("bytes=").partition("-")
        handler.head(206, Content_Length=4, ETag='"1"', Content_Range=f"bytes {first}-{int(first) + 3}/{1 << 62}")
        handler.wfile.write(b"PAR1")

    def whole(handler, _):
        handler.close_connection = True
        handler.head(200, Content_Length=1 << 60, Connection="close")
        handler.wfile.write(b"PAR1" * 1000)

    for answer in (of_range, whole):
        for verb in ("schema", "info"):
            yield here.xwalk(verb, Server(answer).url + "/x.parquet", *SINGLE, exits=(3, 74), memory=100, patience=PATIENCE)


@case("5.changed-file")
def changed_file(here):
    """Each answer is of another file: the entity tag changes, or only the size."""
    body = good_file(here)
    for by_tag in (True, False):
        def answer(handler, number, by_tag=by_tag):
            first, last = handler.range_of()
            part = handler.server.body[first:last + 1]
            total = len(handler.server.body) + (0 if by_tag else number - 1)
            handler.head(206, Content_Length=len(part), ETag=f'"{number if by_tag else 1}"', Content_Range=f"bytes {first}-{last}/{total}")
            handler.wfile.write(part)

        yield here.xwalk("convert", Server(answer, body).url + "/x.parquet", "never.parquet", *SINGLE, exits=74, patience=PATIENCE)


@case("5.compressed-answer")
def compressed_answer(here):
    """An answer is a gzip bomb by its Content-Encoding, which was not requested."""
    bomb = gzip.compress(b"\0" * (300 << 20), 1)

    def answer(handler, _):
        handler.head(200, Content_Length=len(bomb), Content_Encoding="gzip")
        handler.wfile.write(bomb)

    for verb in ("schema", "head"):
        yield here.xwalk(verb, Server(answer).url + "/x.yson", *SINGLE, "--max-memory", "64M", exits=(3, 74), memory=120, seconds=10,
                         patience=PATIENCE)


@case("5.slow-answer")
def slow_answer(here):
    """An answer comes byte by byte; the time that the user allows ends it."""
    def answer(handler, _):
        handler.head(200, Content_Length=1 << 20)
        handler.for_ever(b"x", 0.2)

    yield here.xwalk("schema", Server(answer).url + "/x.parquet", *SINGLE, "--storage", "timeout=5", exits=74, memory=100, patience=PATIENCE)


@case("5.other-range")
def other_range(here):
    """The second answer has another range than the one that was requested."""
    def answer(handler, number):
        first, last = handler.range_of()
        by = 0 if number == 1 else 8
        body = handler.server.body[first:last + 1]
        handler.head(206, Content_Length=len(body), ETag='"1"', Content_Range=f"bytes {first + by}-{last + by}/{len(handler.server.body)}")
        handler.wfile.write(body)

    server = Server(answer, good_file(here))
    yield here.xwalk("convert", server.url + "/x.parquet", "never.parquet", *SINGLE, exits=74, said="range", patience=PATIENCE)


@case("5.broken-first-answer")
def broken_first(here):
    """The first answer has the whole file and breaks off; nothing of it may be kept when the request is repeated."""
    other = b"{a=1};\n" * 50_000

    def answer(handler, number):
        if number > 1:
            return handler.send()
        handler.head(200, Content_Length=len(other), ETag='"0"')
        handler.wfile.write(other[:len(other) // 2])
        handler.wfile.flush()
        handler.close_connection = True
        handler.connection.shutdown(2)

    yield from copied(here, Server(answer, good_file(here)).url + "/x.parquet")


def netrc(here):
    here.write(".netrc", "machine 127.0.0.1 login user password secret\n").chmod(0o600)
    return "Basic " + base64.b64encode(b"user:secret").decode()


def redirect(to):
    def answer(handler, _):
        if handler.path == "/there":
            return handler.send()
        handler.head(302, Location=to, Content_Length=0)

    return answer


@case("5.redirect-netrc")
def redirect_netrc(here):
    """Credentials of ~/.netrc stay with the port that was named, and go along when the server redirects to itself."""
    body, basic = good_file(here), netrc(here)
    same = Server(redirect("/there"), body)
    yield from copied(here, same.url + "/x.parquet")
    here.expect({proof for _, proof in same.asked} == {basic}, "the same server", same.asked)
    elsewhere = Server(honest, body)
    named = Server(redirect(elsewhere.url + "/x.parquet"), body)
    yield from copied(here, named.url + "/x.parquet")
    here.expect(elsewhere.asked and not any(proof for _, proof in elsewhere.asked), "another port got", elsewhere.asked)
    here.expect({proof for _, proof in named.asked} == {basic}, "the named server got", named.asked)


@case("5.redirect-elsewhere")
def redirect_elsewhere(here):
    """A redirect to a file, to another scheme, and in a circle."""
    for to in ("file:///etc/passwd", "gopher://127.0.0.1/x", "/again"):
        server = Server(redirect(to))
        yield here.xwalk("schema", server.url + "/x.parquet", *SINGLE, exits=74, unsaid="root:", memory=100, patience=PATIENCE)
        here.expect(len(server.asked) < 30, to, len(server.asked), "requests")


@case("5.azure-plain-404")
def azure_plain(here):
    """A store of Azure answers 404 in plain text."""
    def answer(handler, _):
        handler.head(404, Content_Type="text/plain", Content_Length=9)
        handler.wfile.write(b"not found")

    server = Server(answer)
    for verb in ("schema", "head", "validate"):
        yield here.xwalk(verb, "az://box/x.parquet", "--storage", f"endpoint={server.url}", *SINGLE, "--storage", "account=acc", exits=74,
                         variables={"AZURE_STORAGE_ACCOUNT_KEY": base64.b64encode(b"key").decode()}, patience=PATIENCE)


def s3(server):
    """Returns the variables by which a server is the store."""
    return {"AWS_ENDPOINT_URL": server.url, "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "secret key", "AWS_REGION": "us-east-1"}


def object_of(name):
    return f'<Contents><Key>{name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"1"</ETag><Size>5</Size></Contents>'


def send_listing(handler, text):
    body = f'<?xml version="1.0"?><ListBucketResult><Name>box</Name>{text}</ListBucketResult>'.encode()
    handler.head(200, Content_Length=len(body), Content_Type="application/xml")
    handler.wfile.write(body)


@case("5.listing-repeats")
def listing_repeats(here):
    """A store gives one token to continue its listing again and again, or two in turns."""
    here.needs("libxwalk_stores.so")
    for names in (["a"], ["a", "b"]):
        def answer(handler, number, names=names):
            if "list-type" not in handler.path:
                return handler.head(404, Content_Length=0)
            name = names[number % len(names)]
            send_listing(handler, f"<KeyCount>1</KeyCount><MaxKeys>1</MaxKeys><IsTruncated>true</IsTruncated>"
                                  f"<NextContinuationToken>{name}</NextContinuationToken>{object_of(f't/{name}.yson')}")

        yield here.xwalk("schema", "s3://box/t/", *SINGLE, exits=74, said="lists the page that begins with", memory=150, seconds=20,
                         patience=PATIENCE, variables=s3(Server(answer)))


@case("5.listing-empty")
def listing_empty(here):
    """A store lists page after page, each with a new token to continue and without a name."""
    here.needs("libxwalk_stores.so")

    def answer(handler, number):
        if "list-type" not in handler.path:
            return handler.head(404, Content_Length=0)
        name = "<KeyCount>0</KeyCount>" if "continuation-token" in handler.path else "<KeyCount>1</KeyCount>" + object_of("t/a.yson")
        send_listing(handler, f"<IsTruncated>true</IsTruncated><NextContinuationToken>{number}</NextContinuationToken>{name}")

    for verb in ("schema", "info"):
        yield here.xwalk(verb, "s3://box/t/", *SINGLE, "--storage", "timeout=1", exits=74, said="has listed no name for 10 seconds",
                         memory=150, seconds=60, patience=PATIENCE, variables=s3(Server(answer)))


@case("5.listing-outside")
def listing_outside(here):
    """A store lists objects of other folders."""
    here.needs("libxwalk_stores.so")
    for name in ("other/a.yson", "t-b/a.yson", "a"):
        def answer(handler, number, name=name):
            if "list-type" not in handler.path:
                return handler.head(404, Content_Length=0)
            send_listing(handler, f"<IsTruncated>false</IsTruncated><KeyCount>1</KeyCount>{object_of(name)}")

        yield here.xwalk("schema", "s3://box/t/", *SINGLE, exits=74, said="an object outside the folder", memory=150, seconds=20,
                         patience=PATIENCE, variables=s3(Server(answer)))


@case("10.validate-url")
def validate_url(here):
    """Every verb reads a Parquet file of more than 64 kB over http."""
    body = good_file(here)
    server = Server(honest, body)
    for words in (("validate",), ("validate", "--values"), ("info",), ("schema",), ("head",), ("check", "--to", "yt", "--rows")):
        yield here.xwalk(words[0], server.url + "/good.parquet", *words[1:], memory=150)


@case("10.memory-over-http")
def memory_over_http(here):
    """A row group of 183 MB over http stays within --max-memory."""
    here.make("""
import pyarrow as pa, pyarrow.parquet as pq
rows = 2_000_000
wide = pa.table({f"c{i}": pa.array(range(i, rows * 7919 + i, 7919), pa.int64()) for i in range(12)})
pq.write_table(wide, "large.parquet", row_group_size=rows, compression="none", use_dictionary=False)
""", "pyarrow")
    body = (here.folder / "large.parquet").read_bytes()
    if len(body) < 150 << 20:
        pytest.skip("pyarrow wrote a smaller file than expected")
    server = Server(honest, body)
    for words in (("validate",), ("check", "--to", "yt", "--rows")):
        yield here.xwalk(words[0], server.url + "/large.parquet", *words[1:], "--max-memory", "64M", "--threads", "1", memory=160)
    yield here.xwalk("convert", server.url + "/large.parquet", "out.arrow", "--max-memory", "64M", "--threads", "1", memory=160,
                     leaves="out.arrow")


@case("10.requests-over-http")
def requests_over_http(here):
    """A row group of 160 MB with 2,000 pages over http takes few requests: pages are not asked for one after the other."""
    here.make("""
import pyarrow as pa, pyarrow.parquet as pq
rows = 20_000_000
column = pa.table({"c": pa.array(range(0, rows * 7919, 7919), pa.int64())})
pq.write_table(column, "pages.parquet", row_group_size=rows, compression="none", use_dictionary=False, data_page_size=1 << 16)
""", "pyarrow")
    server = Server(honest, (here.folder / "pages.parquet").read_bytes())
    yield here.xwalk("convert", server.url + "/pages.parquet", "out.arrow", leaves="out.arrow", memory=600, seconds=60)
    here.expect(len(server.asked) <= 50, len(server.asked), "requests")


def endless_cluster(kind):
    """Answers of a proxy whose body never ends: plain, packed, packed twice, of a redirect, in the line before its first part."""
    def answer(handler, _):
        handler.close_connection = True
        if kind == "redirect" and handler.path != "/again":
            handler.head(302, Location="/again")
        elif kind in ("gzip", "gzip, gzip"):
            handler.head(200, Content_Type="application/json", Content_Encoding=kind)
        elif kind == "line":
            handler.head(200, Content_Type="application/json", Transfer_Encoding="chunked")
            handler.wfile.write(b"1;")
        else:
            handler.head(200, Content_Type="application/json")
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        until = time.monotonic() + 2 * PATIENCE
        while time.monotonic() < until:
            block = b"x" * (1 << 20)
            handler.wfile.write(packer.compress(block) if "gzip" in kind else block)

    return answer


@case("5.endless-cluster")
def endless_clusters(here):
    """The answer of a YTsaurus proxy to the first request never ends."""
    pytest.importorskip("yt.wrapper")
    here.needs("xwalk-engine-yt")
    for kind in ("plain", "gzip", "gzip, gzip", "redirect", "line"):
        server = Server(endless_cluster(kind))
        yield here.xwalk("schema", server.url.replace("http", "yt") + "//home/t", "--max-memory", "64M", exits=74, memory=150,
                         seconds=20, said="of the cluster" if kind != "gzip, gzip" else "gzip", patience=PATIENCE)


@case("3.toml-parent")
def project_files(here):
    """A project file that is found sends no credentials to a host that it names."""
    yield here.tests("io/credentials_test.py", patience=600)


@case("4.signed-url")
def signed_urls(here):
    """No output of any verb shows the signature of a URL."""
    yield here.tests("io/signed_urls_test.py", patience=900)
