"""Answers of a cluster that come byte by byte: the engine ends them in time, in every thread, unless they are rows."""

import importlib.machinery
import importlib.util
import socket
import threading
import time

import pytest

from tests import harness

with harness.skip_if_missing():
    from yt.packages import requests

#: Seconds that an answer may take here, from the first byte to the last, and until a test fails.
ALLOWED, PATIENCE = 0.5, 20
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def engine():
    """The code of the engine program, with less time for answers."""
    loader = importlib.machinery.SourceFileLoader("xwalk_engine_yt", str(harness.needs("xwalk-engine-yt")))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    module.ANSWER_SECONDS = ALLOWED
    module.limit_answers(1 << 20)
    return module


class Slow:
    """A server that sends one byte every tenth of a second, from a place in its answer on."""

    def __init__(self, quick, slow, times=1000):
        self.quick, self.slow, self.times = quick, slow, times
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            connection, _ = self._listening.accept()
            threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with connection:
            try:
                connection.recv(1 << 16)
                connection.sendall(self.quick)
                for _ in range(self.times):
                    time.sleep(0.1)
                    connection.sendall(self.slow)
            except OSError:
                pass  # the client left


def request(server, path):
    """Requests a path by the package of the client, and reads the whole answer."""
    answer = requests.Session().get(server.url + path, stream=True)
    return b"".join(answer.iter_content(1 << 14))


def in_thread(call):
    """Returns what a call in another thread returned, or raises what it raised."""
    out = []

    def run():
        try:
            out.append((call(), None))
        except Exception as error:
            out.append((None, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert out, "the answer has not ended"
    found, raised = out[0]
    if raised:
        raise raised
    return found


def here(call):
    return call()


@pytest.mark.parametrize("where", [in_thread, here])
@pytest.mark.parametrize("path", ["/hosts", "/api", "/api/v4/get", "/api/v4/read_table"])
@pytest.mark.parametrize(("quick", "slow"), [(b"", b"H"), (HEAD, b"X-a: b\r\n"), (HEAD + b"X-a: ", b"b"), (HEAD + b"\r\n[", b" "),
                                             (HEAD + b"Content-Length: 100000\r\n\r\n[", b" "), (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1"),
                                             (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n")],
                         ids=["status", "headers", "header", "body", "length", "size", "chunks"])
def test_an_answer_that_never_ends(engine, quick, slow, path, where):
    begun = time.monotonic()
    with pytest.raises(engine.engine.Failure, match="within 0.5 s"):
        where(lambda: request(Slow(quick, slow), path))
    assert time.monotonic() - begun < PATIENCE


def test_rows_take_their_time(engine, monkeypatch):
    monkeypatch.setitem(engine.TABLES, "streams", True)
    rows = in_thread(lambda: request(Slow(HEAD + b"Connection: close\r\n\r\n", b"{a=1};", times=30), "/api/v4/read_table"))
    assert rows == b"{a=1};" * 30


def test_writing_is_waited_for(engine):
    """The cluster may take long to begin its answer after the last row. The answer then ends in time."""
    class Late(Slow):
        def _answer(self, connection):
            with connection:
                connection.recv(1 << 16)
                time.sleep(3 * ALLOWED)
                connection.sendall(HEAD + b"Content-Length: 2\r\n\r\n[]")

    assert in_thread(lambda: request(Late(b"", b""), "/api/v4/write_table")) == b"[]"
    with pytest.raises(engine.engine.Failure, match="within 0.5 s"):
        in_thread(lambda: request(Late(b"", b""), "/api/v4/get"))
    with pytest.raises(engine.engine.Failure, match="within 0.5 s"):
        in_thread(lambda: request(Slow(HEAD + b"\r\n[", b" "), "/api/v4/write_table"))
