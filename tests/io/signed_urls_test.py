"""No output of any command shows what a signed URL proves."""
import http.server
import itertools
import os
import re
import subprocess
import threading

import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow as pa
    import pyarrow.parquet as pq

SECRET = "Zm9yLW5vYm9keQ"
QUERY = f"?X-Amz-Signature={SECRET}&sig={SECRET}"
#: Names with characters that may end a name in a text.
ODD = "the'rows.yson"
MISSING = "no <such> `file.parquet"
FOLDER = harness.make_folder("signed")
SERVED = FOLDER / "served"
SERVED.mkdir()
pq.write_table(pa.table({"a": pa.array([1, 2, None], pa.int64()), "t": pa.array([b"x", b"\xff", None], pa.binary())}),
               SERVED / "a.parquet")
pq.write_table(pa.table({"a": pa.array([1, 3, 4], pa.int32()), "more": ["x", "y", "z"]}), SERVED / "b.parquet")
harness.write(SERVED / ODD, "{a=1};{a=x};{a=%nan};", "[{name=a;type=int64}]")
(SERVED / "bad.yson").write_text("{a=1;;;")
(SERVED / "old.schema").write_text("[{name=a;type=int32};{name=gone;type=int64}]")
(SERVED / "new.schema").write_text("[{name=a;type=utf8}]")
(SERVED / "broken.schema").write_text("[{name=a;type=int65}]")
(SERVED / "broken.parquet").write_bytes(b"PAR1" + b"\xff" * 200 + b"PAR1")


class Files(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *words):
        super().__init__(*words, directory=str(SERVED))

    def do_GET(self):
        if "broken-answer" in self.path:
            return self.send_error(500, f"no {self.path}")
        super().do_GET()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
threading.Thread(target=server.serve_forever, daemon=True).start()
BASE = f"http://127.0.0.1:{server.server_port}/"


def url(name):
    return BASE + name + QUERY


FORMS = ("text", "json", "html", "markdown", "junit", "github")
ROWS = [url(name) for name in ("a.parquet", ODD, "bad.yson", "broken.parquet", MISSING)]
REPORTS = [("--output", form) for form in FORMS] + [("--json",), ("--all",), ("-v",), ()]
PLAIN = [(), ("--json",), ("-v",)]
SCHEMAS = [url("old.schema"), url("new.schema"), url("broken.schema"), url("none.schema")]
#: By verb, the words after it and the forms that its output has.
CASES = {
    "check": [([name, "--to", to, *more], REPORTS) for name in ROWS for to, more in (("yt", ()), ("lance", ("--rows",)))]
    + [([*ROWS[:2], "--to", "yt"], REPORTS), ([url("a.parquet"), url("b.parquet"), "--to", "yt", "--unify"], REPORTS),
       ([url("a.parquet"), "--readers"], REPORTS)],
    "compat": [([old, new, "--from", "yt"], REPORTS) for old, new in itertools.product(SCHEMAS[:2], SCHEMAS)]
    + [([url("a.parquet"), url("b.parquet")], REPORTS)],
    "convert": [([name, "out.parquet", "--mode", "overwrite", *more], PLAIN)
                for name in ROWS for more in ((), ("--rejects", "bad.yson", "--max-rejects", "9"), ("--schema", url("old.schema")))]
    + [(["served/a.parquet", url("out.parquet")], PLAIN), ([url(ODD), "-", "--to", "csv", "--max-rejects", "9"], PLAIN),
       ([url("a.parquet"), url(ODD), "out.lance"], PLAIN), ([url("a.parquet"), "out.yson", "--proof", "proof.json"], PLAIN)],
    "diff": [([url("a.parquet"), right, *more], REPORTS)
             for right in (url("b.parquet"), url("new.schema"), url(MISSING)) for more in ((), ("--rows",), ("--rows", "--key", "a"))],
    "evolve": [([url("old.schema"), url("new.schema")], PLAIN), ([url("a.parquet"), "--drop", "a"], PLAIN)],
    "head": [([name], PLAIN) for name in ROWS] + [([url("a.parquet"), "--as", "csv"], PLAIN), ([url("a.parquet"), "--where", "a > 1"], PLAIN)],
    "info": [([name, *more], [*PLAIN, ("--output", "html")]) for name in ROWS for more in ((), ("--columns",))],
    "job": [(["--schema", url("old.schema")], PLAIN)],
    "merge": [([*SCHEMAS[:2]], PLAIN), ([SCHEMAS[0], SCHEMAS[2]], PLAIN)],
    "schema": [([name, *more], PLAIN) for name in [*ROWS, *SCHEMAS] for more in ((), ("--to", "lance"), ("--versions",))],
    "tail": [([name], PLAIN) for name in ROWS], "man": [([url("x")], PLAIN)],
    "type": [([url("old.schema")], PLAIN), (["int64", "--to", url("x")], PLAIN)],
    "validate": [([name, *more], PLAIN) for name in [*ROWS, *SCHEMAS] for more in ((), ("--values",), ("--rules",))]
    + [([*ROWS[:2]], PLAIN)],
    "verify": [([url("a.parquet"), right, *more], REPORTS) for right in (url("b.parquet"), url(MISSING))
               for more in ((), ("--key", "a"), ("--proof", "proof.json"), ("--proof", "proof.html"), ("--proof", "proof.xml"))],
    "vortex": [([url("old.schema")], PLAIN)],
    "explain": [([url("x")], PLAIN)], "types": [([url("x")], PLAIN)], "formats": [([url("x")], PLAIN)],
    "completion": [([url("x")], PLAIN)], "help": [([url("x")], PLAIN)], "version": [([url("x")], PLAIN)],
    "readers": [([url("x")], PLAIN)],
}


def run(*words, **options):
    return harness.try_run(*words, **{"cwd": FOLDER, "text": False, "stdin": subprocess.DEVNULL, **options})


def look(what, *texts):
    for text in texts:
        assert SECRET.encode() not in text, what


VERBS = re.findall(r"^  ([a-z]+)  ", run("--help").stdout.decode(), re.M)
RUNS = [(verb, words, form) for verb in VERBS for words, forms in CASES.get(verb, []) for form in forms]


def test_every_verb_has_a_case():
    assert set(VERBS) <= set(CASES)
    assert len(RUNS) > 250


@pytest.mark.parametrize("number", range(len(RUNS)), ids=lambda number: f"{number}-{RUNS[number][0]}")
def test_command(number, tmp_path):
    verb, words, form = RUNS[number]
    done = run(verb, *words, *form, cwd=tmp_path)
    look(f"{verb} {words} {form}", done.stdout, done.stderr)
    assert done.returncode not in (70, -6, -11), done.stderr[-300:]
    for path in tmp_path.iterdir():
        if path.is_file():
            look(f"{path.name} of {verb} {words}", path.read_bytes())


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_words_that_make_no_sense(form):
    for words in ((url("a.parquet"),), ("chekc", url("a.parquet")), ("check", url("a.parquet"), "--too", url("x")),
                  ("check", url("a.parquet"), "--to", url("x")), ("convert", url("a.parquet"), "--from", url("x"), "out.parquet"),
                  ("schema", "s3://box/x.parquet" + QUERY), ("schema", "az://box/x.parquet" + QUERY), ("schema", "az://box/an odd.parquet" + QUERY), ("schema", "ftp://host/x" + QUERY), ("schema", url("broken-answer.parquet"), "--storage", "retries=0"),
                  ("schema", f"http://user:{SECRET}@127.0.0.1/x"), ("schema", f"s3://user:{SECRET}@box/x")):
        done = run(*words, *form, *(("--storage", "retries=0") if "s3://box/x.parquet" in words[-1] else ()), env={**os.environ, "AWS_EC2_METADATA_DISABLED": "true", "AWS_ENDPOINT_URL": BASE.rstrip("/"),
                                           "AZURE_STORAGE_ACCOUNT": "acc", "AWS_ACCESS_KEY_ID": "k", "AWS_SECRET_ACCESS_KEY": "s"})
        look(f"{words} {form}", done.stdout, done.stderr)


def test_a_project():
    project = FOLDER / "project"
    project.mkdir()
    (project / "xwalk.toml").write_text("".join(
        f'[[check]]\ninput = "{url(name)}"\nto = "yt"\naccept = [{{path = "q", rule = "range.narrowed", reason = "r", '
        f'expires = 2999-12-31}}]\n' for name in ("a.parquet", MISSING, "broken.parquet")) +
        f'[[compat]]\nold = "{url("old.schema")}"\nnew = "{url("new.schema")}"\nfrom = "yt"\n')
    for form in REPORTS:
        done = run("check", *form, cwd=project)
        look(f"a project {form}", done.stdout, done.stderr)
