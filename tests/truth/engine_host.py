"""Lets engines start in milliseconds: their packages are loaded once, and each start is a fork.

`started()` gives the path of a program that stands for the interpreter of engines (XWALK_PYTHON): it hands its words and
its descriptors to the host, which runs the engine as it is in a child that has the packages already.
"""
import array
import atexit
import contextlib
import ctypes
import importlib
import os
import pathlib
import runpy
import signal
import socket
import sys
import tempfile

#: What xwalk starts instead of an interpreter. It imports next to nothing: its start is what is paid each time.
CLIENT = r"""
import signal, sys
from _socket import AF_UNIX, SOCK_STREAM, SOL_SOCKET, SCM_RIGHTS, socket
from posix import getcwd
from struct import pack

host = socket(AF_UNIX, SOCK_STREAM)
host.connect(%r)
words = "\0".join([getcwd(), *sys.argv[1:]]).encode("utf-8", "surrogateescape")
host.sendmsg([pack("<I", len(words)) + words], [(SOL_SOCKET, SCM_RIGHTS, pack("4i", 0, 1, 2, 3))])
signal.signal(signal.SIGTERM, lambda *_: host.send(b"t"))
answer = b""
while not answer:
    answer = host.recv(1)
    if not answer:
        sys.exit(70)
sys.exit(answer[0])
"""


def _serve_one(peer):
    """Runs one engine in a child, and answers with its exit status."""
    data, ancillary, _, _ = peer.recvmsg(1 << 20, socket.CMSG_SPACE(16))
    descriptors = array.array("i")
    for _, _, sent in ancillary:
        descriptors.frombytes(sent)
    size = int.from_bytes(data[:4], "little") + 4
    while len(data) < size:
        part = peer.recv(1 << 20)
        if not part:
            return  # the client was ended while it spoke
        data += part
    child = os.fork()
    if child == 0:
        peer.close()
        # First move them away from their final numbers.
        high = [os.dup(os.dup(os.dup(os.dup(descriptor)))) for descriptor in descriptors]
        for wanted, descriptor in enumerate(high):
            os.dup2(descriptor, wanted)
        os.closerange(4, 256)
        folder, *sys.argv = data[4:].decode("utf-8", "surrogateescape").split("\0")
        os.chdir(folder)
        os.environ["XWALK_ENGINE_PYTHON"] = "1"
        code = 70
        try:
            runpy.run_path(sys.argv[0], run_name="__main__")
            code = 0
        except SystemExit as end:
            code = end.code or 0
        os._exit(code)
    for descriptor in descriptors:
        os.close(descriptor)

    def stop(*_):
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)

    # The client forwards a stop request, and is gone if it was killed.
    signal.signal(signal.SIGIO, stop)
    import fcntl

    fcntl.fcntl(peer, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(peer, fcntl.F_SETFL, fcntl.fcntl(peer, fcntl.F_GETFL) | os.O_ASYNC)
    _, status = os.waitpid(child, 0)
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        peer.send(bytes([os.waitstatus_to_exitcode(status) & 0xFF]))


#: prctl: the signal that a process gets when its parent ends.
PR_SET_PDEATHSIG = 1


#: The packages of the engines of the six systems.
PACKAGES = ("lance", "pyarrow", "pyarrow.compute", "vortex")


def _serve(listener, packages):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    for name in packages:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        peer, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _serve_one(peer)
            os._exit(0)
        peer.close()


def started(packages=PACKAGES):
    """Starts the host, which ends with this process; returns the program that stands for the interpreter. Its engines have the environment
    of now."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-engines-"))
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(folder / "host"))
    listener.listen(64)
    host = os.fork()
    if host == 0:
        try:
            _serve(listener, packages)
        finally:
            os._exit(1)
    listener.close()
    program = folder / "python"
    program.write_text(f"#!{sys.executable} -ISs\n" + CLIENT % str(folder / "host"))
    program.chmod(0o755)
    mine = os.getpid()

    def end():
        if os.getpid() == mine:
            os.kill(host, signal.SIGTERM)
            os.waitpid(host, 0)
            import shutil

            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return str(program)
