"""Credentials go only to hosts that the user names, never because a project file does."""
import base64
import http.server
import os
import threading

import cluster_double
import pytest

from tests import harness

SECRETS = ["token-of-yt", "aws-secret-key", "aws-session-token", "sas-signature", "password-of-netrc"]
AZURE_KEY = base64.b64encode(b"azure-account-key").decode()


class Server(http.server.BaseHTTPRequestHandler):
    """Answers 404 to everything, and keeps what it was sent."""

    protocol_version = "HTTP/1.1"
    seen: list[str] = []

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length).decode("latin-1")
        Server.seen.append(f"{self.command} {self.path}\n{self.headers}\n{body}")
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
HOST = f"127.0.0.1:{server.server_port}"
FOLDER = harness.make_folder("credentials")
HOME = FOLDER / "home"
HOME.mkdir()
(HOME / ".netrc").write_text("machine 127.0.0.1 login user password password-of-netrc\n")
(HOME / ".netrc").chmod(0o600)
ENVIRONMENT = {
    "PATH": os.environ["PATH"], "HOME": str(HOME), "LC_ALL": "C.UTF-8", "AWS_EC2_METADATA_DISABLED": "true",
    "YT_TOKEN": "token-of-yt", "AWS_ACCESS_KEY_ID": "aws-key-id", "AWS_SECRET_ACCESS_KEY": "aws-secret-key",
    "AWS_SESSION_TOKEN": "aws-session-token", "AWS_REGION": "us-east-1",
}


def run(folder, *words, **variables):
    """Runs the program; returns its output and whether the server was sent credentials, None if it was not asked."""
    Server.seen.clear()
    done = harness.try_run(*words, cwd=folder, env={**ENVIRONMENT, **variables})
    text = "\n".join(Server.seen)
    proven = "Authorization" in text or "authorization:" in text.lower() or any(word in text for word in SECRETS)
    return done, proven if Server.seen else None


def project(name, text):
    folder = FOLDER / name
    folder.mkdir(exist_ok=True)
    (folder / "xwalk.toml").write_text(text)
    return folder


def expect(what, condition, detail):
    harness.expect(condition, what, detail)


ONE_TRY = '"retries=0", "timeout=5", "connect-timeout=5"'
CASES = {
    "s3": (f'input = "s3://box/x.parquet"\nstorage = ["endpoint=http://{HOST}", {ONE_TRY}]',
           {"AWS_ENDPOINT_URL": f"http://{HOST}"}, {}),
    "lance": (f'input = "s3://box/x.lance"\nstorage = ["endpoint=http://{HOST}", {ONE_TRY}]',
              {"AWS_ENDPOINT_URL": f"http://{HOST}"}, {}),
    "azure key": (f'input = "az://box/x.parquet"\nstorage = ["endpoint=http://{HOST}", "account=acc", {ONE_TRY}]', None,
                  {"AZURE_STORAGE_ACCOUNT_KEY": AZURE_KEY}),
    "azure token": (f'input = "az://box/x.parquet"\nstorage = ["endpoint=http://{HOST}", "account=acc", {ONE_TRY}]', None,
                    {"AZURE_STORAGE_SAS_TOKEN": "?sv=2024&sig=sas-signature"}),
    "http": (f'input = "http://{HOST}/x.parquet"\nstorage = [{ONE_TRY}]', None, {}),
    "a schema": (f'input = "rows.yson"\nschema = "http://{HOST}/x.schema"\nstorage = [{ONE_TRY}]', None, {}),
}


@pytest.mark.parametrize("name", CASES)
def test_project(name):
    section, named_by, variables = CASES[name]
    folder = project(name, f'[[check]]\n{section}\nto = "vortex"\n')
    (folder / "rows.yson").write_text("{a=1};\n")
    done, proven = run(folder, "check", **variables)
    expect(f"{name}: a found file", proven is not True, f"credentials were sent\n{done.stderr}{Server.seen}")
    expect(f"{name}: the server", proven is not None or name == "a schema", f"it was not asked: {done.stdout}{done.stderr}")
    done, proven = run(folder, "check", "--config", "xwalk.toml", **variables)
    expect(f"{name}: a named file", proven is not True, "credentials were sent")
    if name == "a schema" and Server.seen == []:
        return
    expect(f"{name}: the report", "got no credentials" in done.stdout + done.stderr and HOST in done.stdout + done.stderr,
           done.stdout + done.stderr)
    done, proven = run(folder, "check", "--allow-host", HOST, **variables)
    expect(f"{name}: --allow-host", proven is True, f"no credentials\n{done.stdout}{done.stderr}{Server.seen}")
    done, proven = run(folder, "check", "--allow-host", "127.0.0.2,localhost,127.0.0.1:1", **variables)
    expect(f"{name}: another host", proven is not True, "credentials were sent")
    if named_by:
        done, proven = run(folder, "check", **variables, **named_by)
        expect(f"{name}: the environment", proven is True, f"no credentials\n{done.stdout}{done.stderr}")


def test_a_cluster():
    """A cluster: its double answers only those who have the token."""
    with cluster_double.Double() as double:
        double.table("//home/t", "[{name=a;type_v3=int64}]")
        cluster = double.environment["YT_PROXY"]
        folder = project("yt", f'[[check]]\ninput = "yt://{cluster}//home/t"\nto = "parquet"\n')
        token = {"YT_TOKEN": double.token, "YT_CONFIG_PATCHES": double.environment["YT_CONFIG_PATCHES"]}
        for what, words, variables, allowed in (
                ("a found file", (), {}, False), ("a named file", ("--config", "xwalk.toml"), {}, False),
                ("--allow-host", ("--allow-host", cluster), {}, True), ("another host", ("--allow-host", "127.0.0.1:1"), {}, False),
                ("the environment", (), {"YT_PROXY": cluster}, True)):
            done, _ = run(folder, "check", *words, **token, **variables)
            expect(f"yt: {what}", (done.returncode == 0) == allowed, done.stdout + done.stderr)
            expect(f"yt: {what}: the report", allowed or "got no credentials" in done.stdout + done.stderr, done.stdout + done.stderr)
        done, _ = run(FOLDER, "check", f"yt://{cluster}//home/t", "--to", "parquet", **token)
        expect("yt: the command line", done.returncode == 0, done.stderr)


def password_was_sent(headers_of_all):
    basic = base64.b64encode(b"user:password-of-netrc").decode()
    return any(basic in str(headers) for headers in headers_of_all)


def test_a_cluster_and_netrc():
    """The password of ~/.netrc is not for clusters. A cluster without a token is still read."""
    with cluster_double.Double(token=None) as double:
        double.table("//home/t", "[{name=a;type_v3=int64}]")
        cluster = double.environment["YT_PROXY"]
        folder = project("yt-netrc", f'[[check]]\ninput = "yt://{cluster}//home/t"\nto = "parquet"\n')
        settings = {"YT_CONFIG_PATCHES": double.environment["YT_CONFIG_PATCHES"], "YT_TOKEN": ""}
        for words in (("check",), ("check", "--config", "xwalk.toml"), ("check", f"yt://{cluster}//home/t", "--to", "parquet")):
            done, _ = run(folder, *words, **settings)
            expect(f"{words}: the table", done.returncode == 0, done.stdout + done.stderr)
        expect("the requests", len(double.seen_headers) > 3 and not password_was_sent(double.seen_headers), double.seen_headers)


def test_a_cluster_that_redirects():
    """A proxy that redirects to another port: that one gets neither the token nor a password, and no rows are read from it."""
    with cluster_double.Double() as double:
        double.table("//home/t", "[{name=a;type_v3=int64}]")

        class Redirect(Server):
            def answer(self):
                self.send_response(307)
                self.send_header("Location", f"http://{double.address}{self.path}")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_HEAD = do_POST = do_PUT = answer

        named = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Redirect)
        threading.Thread(target=named.serve_forever, daemon=True).start()
        cluster = f"127.0.0.1:{named.server_port}"
        done, _ = run(FOLDER, "check", f"yt://{cluster}//home/t", "--to", "parquet", YT_TOKEN=double.token,
                      YT_CONFIG_PATCHES=double.environment["YT_CONFIG_PATCHES"])
        named.shutdown()
        expect("the other server", not double.seen_headers, double.seen_headers)
        expect("the message", done.returncode == 74 and "redirects to another server" in done.stderr and double.address in done.stderr,
               f"{done.returncode} {done.stderr}")


def test_the_configuration_of_the_user_and_the_command_line():
    """The user's own configuration, and the command line."""
    project("http", f'[[check]]\n{CASES["http"][0]}\nto = "vortex"\n')
    config = HOME / ".config/xwalk/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('allow-host = ["127.0.0.1"]\n')
    done, proven = run(FOLDER / "http", "check")
    expect("the user's configuration", proven is True, done.stdout + done.stderr)
    config.write_text('allow_host = "127.0.0.1"\n')
    done, _ = run(FOLDER / "http", "check")
    expect("an unknown key", done.returncode == 2 and "allow-host" in done.stderr, done.stderr)
    config.unlink()
    done, proven = run(FOLDER, "check", f"http://{HOST}/x.parquet", "--to", "yt", "--storage", "retries=0")
    expect("the command line", proven is True, done.stderr)


def test_names_that_parsers_read_differently():
    """A name that parsers of URLs read differently is not trusted."""
    for host in (f"127.0.0.1:1@{HOST}", f"user@{HOST}"):
        folder = project("odd", f'[[check]]\ninput = "http://{host}/x.parquet"\nstorage = [{ONE_TRY}]\nto = "yt"\n')
        done, proven = run(folder, "check", "--allow-host", "127.0.0.1:1,user")
        secret = base64.b64encode(b"user:password-of-netrc").decode()  # the name alone is the file's own
        expect(f"http://{host}", not any(secret in one for one in Server.seen), "credentials were sent")
    for name, value in (("region", "x.example.com/"), ("account", "evil.example.com/")):
        uri = "s3" if name == "region" else "az"
        done, _ = run(FOLDER, "schema", f"{uri}://box/x.parquet", "--storage", f"{name}={value}")
        expect(f"a host in {name}", done.returncode == 2, done.stderr)


def test_compat_takes_options_of_a_section():
    """`compat` takes options of a section."""
    (FOLDER / "http").mkdir(exist_ok=True)
    (FOLDER / "http/old.schema").write_text("[{name=a;type=int64}]\n")
    project("compat", f'[[compat]]\nnew = "*.parquet"\nstorage = ["endpoint=http://{HOST}", {ONE_TRY}]\n')
    done, proven = run(FOLDER / "compat", "compat", "--config", "xwalk.toml", "s3://box/a.parquet", "s3://box/b.parquet")
    expect("compat with a section", proven is not True, f"credentials were sent {done.stderr}")


def test_untrusted():
    """A stranger's file names files of its repository, and nothing else."""
    repository = FOLDER / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "tables").mkdir()
    (repository / "tables/a.schema").write_text("[{name=a;type=int64}]\n")
    (FOLDER / "outside.schema").write_text("[{name=secret;type=int64}]\n")
    (repository / "link.schema").symlink_to(FOLDER / "outside.schema")
    (repository / "links").mkdir()
    (repository / "links/out").symlink_to(FOLDER)
    for name, names, allowed in (
            ("a file", '"tables/a.schema"', True), ("a URI", f'"http://{HOST}/x.parquet"', False),
            ("a path", f'"{FOLDER}/outside.schema"', False), ("above", '"../outside.schema"', False),
            ("a link", '"link.schema"', False), ("a folder with a link", '"links"', False), ("a pattern", '"links/*"', False)):
        (repository / "xwalk.toml").write_text(f'[[check]]\ninput = {names}\nfrom = "yt"\nto = "parquet"\n')
        done, proven = run(repository, "check", "--untrusted")
        ok = done.returncode == (0 if allowed else 2) and "secret" not in done.stdout and proven is None
        expect(f"--untrusted: {name}", ok, f"{done.returncode} {done.stdout}{done.stderr}")
    done, _ = run(repository, "check", "--untrusted", "--allow-host", "x")
    expect("--untrusted with --allow-host", done.returncode == 2, done.stderr)


SOUND = '[[check]]\ninput = "a.schema"\nfrom = "yt"\nto = "parquet"\n'


def found(folder, **variables):
    return run(folder, "check", **variables)[0]


def test_which_file_is_found():
    for name, marker, allowed in (("plain", None, False), ("repo", ".git", True), ("homes", None, True)):
        top = project(name, SOUND)
        (top / "a.schema").write_text("[{name=a;type=int64}]\n")
        (top / "below/deep").mkdir(parents=True)
        if marker:
            (top / marker).mkdir()
        home = {"HOME": str(top)} if name == "homes" else {}
        expect(f"{name}: here", found(top, **home).returncode == 0, found(top, **home).stderr)
        done = found(top / "below/deep", **home)
        expect(f"{name}: above", (done.returncode == 0) == allowed, done.stdout + done.stderr)
        expect(f"{name}: the reason", allowed or "neither in the same git repository nor in your home" in done.stderr, done.stderr)
    if os.geteuid() == 0:
        top = FOLDER / "repo"
        os.chown(top / "xwalk.toml", 12345, -1)
        done = found(top / "below")
        expect("another user's file", done.returncode == 2 and "belongs to another user" in done.stderr, done.stderr)
        done = run(top / "below", "check", "--config", "../xwalk.toml")[0]
        expect("another user's file by name", done.returncode == 0, done.stdout + done.stderr)
        os.chown(top / "xwalk.toml", 0, -1)
        os.chown(top, 12345, -1)
        done = found(top / "below")
        expect("another user's folder", done.returncode == 2 and "belongs to another user" in done.stderr, done.stderr)
