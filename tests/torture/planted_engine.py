"""Replaces an engine, and does what TORTURE_ENGINE says.

NONSENSE is what is said, on each descriptor; REAL is a real engine, which the slow one is made of.
"""
import array
import json
import mmap
import os
import random
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

verb, options = sys.argv[1], json.loads(sys.argv[2])
how, _, argument = os.environ["TORTURE_ENGINE"].partition(":")


def say(word, **details):
    os.write(3, (json.dumps({word: details}) + "\n").encode())


def rows_sent():
    """Reads all that the host sends, and returns how many rows it says there are."""
    tail = b""
    while part := os.read(0, 1 << 16):
        tail = (tail + part)[-200:]
    return json.loads(tail[tail.rindex(b'{"commit"'):])["commit"]["rows"]


def put(descriptor, data):
    while data:
        data = data[os.write(descriptor, data):]


def real(read_bytes):
    """Runs a real engine by version 1 of the contract, which waits for no order, and passes its bytes on slowly, or changed."""
    ours, theirs = os.pipe()
    command = json.loads(os.environ["TORTURE_REAL"])
    words = json.dumps({key: value for key, value in options.items() if key not in ("contract", "segments")})
    engine = subprocess.Popen([*command, verb, words], stdout=theirs, pass_fds=(3,))
    os.close(theirs)
    read_bytes(ours)
    sys.exit(engine.wait())


def slowly(descriptor):
    count = 0
    while part := os.read(descriptor, 1024):
        put(1, part)
        count += 1
        time.sleep(0.2 if count < 10 else 0.001)


def changed(descriptor):
    data = bytearray()
    while part := os.read(descriptor, 1 << 16):
        data += part
    generator = random.Random(argument)
    if generator.random() < 0.3:
        del data[generator.randrange(len(data)):]
    else:
        for _ in range(generator.choice([1, 1, 4, 30])):
            data[generator.randrange(len(data))] = generator.choice([0, 1, 127, 128, 255, generator.randrange(256)])
    put(1, data)


def spoiled(kind, message, descriptors, generator):
    """Returns the replacement of an engine's message and of its memory, for the host."""
    index, length = int.from_bytes(message[:8], sys.byteorder), int.from_bytes(message[8:], sys.byteorder)
    other = {"next": (index + 1, length), "far": (2**63, length), "empty": (index, 0), "long": (index, 2**40)}.get(kind, (index, length))
    message = b"".join(number.to_bytes(8, sys.byteorder) for number in other)
    if kind == "cut":
        message = message[:generator.randrange(16)]
    if not descriptors:
        return message, descriptors
    if kind == "bare":
        return message, []
    if kind == "two":
        return message, [*descriptors, os.memfd_create("second", os.MFD_ALLOW_SEALING)]
    if kind == "file":
        return message, [os.open(tempfile.gettempdir(), os.O_TMPFILE | os.O_RDWR)]
    if kind in ("unsealed", "short"):
        plain = os.memfd_create("plain", os.MFD_ALLOW_SEALING)
        os.ftruncate(plain, length if kind == "unsealed" else length // 2)
        if kind == "short":
            import fcntl

            fcntl.fcntl(plain, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        return message, [plain]
    if kind == "bytes":
        with mmap.mmap(descriptors[0], length) as memory:
            for _ in range(generator.choice([1, 1, 4, 30])):
                memory[generator.randrange(length)] = generator.choice([0, 1, 127, 128, 255, generator.randrange(256)])
    return message, descriptors


def in_segments():
    """Runs a real engine, and corrupts its messages about shared memory."""
    kind, _, seed = argument.partition("-")
    generator = random.Random(seed)
    host = socket.socket(fileno=4)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = json.loads(os.environ["TORTURE_REAL"])
    engine = subprocess.Popen([*command, verb, sys.argv[2]], pass_fds=(3, 4), preexec_fn=lambda: os.dup2(theirs.fileno(), 4))
    theirs.close()
    listening = [host, ours]
    while ours in listening:
        for end in select.select(listening, [], [])[0]:
            if end is host:
                if answer := host.recv(8):
                    ours.send(answer)
                else:
                    listening.remove(host)
                continue
            message, descriptors, _, _ = socket.recv_fds(ours, 16, 4)
            if not message or kind == "gone":
                host.shutdown(socket.SHUT_RDWR)
                listening = []
                break
            message, descriptors = spoiled(kind, message, descriptors, generator)
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))] if descriptors else []
            host.sendmsg([message], ancillary)
            for descriptor in descriptors:
                os.close(descriptor)
    ours.close()
    sys.exit(engine.wait())


if how not in ("mute", "bytes-at-once", "segments"):
    say("hello", contract=7 if how == "contract" else 1, engine="planted", uses="nothing")
if how == "quit":
    os._exit(int(argument))
elif how == "signal":
    os.kill(os.getpid(), int(argument))
    time.sleep(600)
elif how in ("mute", "silent"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
elif how == "bytes":
    descriptor, generator = int(argument), random.Random(argument)
    put(descriptor, generator.randbytes(1 << 20))
    os._exit(0)
elif how == "bytes-at-once":
    put(int(argument), b"\xff" * 64 + b"\0" * 64 + b"\n{" * 1000)
    os._exit(0)
elif how == "flood":
    # No line ends.
    for _ in range(256):
        put(int(argument), b"x" * (1 << 20))
    os._exit(0)
elif how == "depth":
    put(3, b'{"done":' + b"[" * 1_000_000 + b"\n")
    os._exit(0)
elif how == "error":
    put(3, json.dumps({"error": {"code": argument, "message": "\x1b[31m\u202e" + "m" * 100_000}}).encode() + b"\n")
    os._exit(1)
elif how == "words":
    put(3, b'{"error":{"code":7,"message":[]}}\n{"done":{"rows":"x"}}\n{"done":[]}\n[]\n\n{"info":{"rows":-5}}\n\xff\xfe\n{"done":{"rows":-1}}\n')
    os._exit(0)
elif how == "deaf":
    os.close(0)
    say("done", rows=0)
    os._exit(0)
elif how == "claims":
    rows = rows_sent() if verb == "write" else 5
    place = options.get("staging")
    if argument == "folder":
        os.mkdir(place)
    elif argument == "pipe":
        os.mkfifo(place)
    elif argument == "link":
        os.symlink("/dev/null", place)
    elif argument == "file" and place:
        with open(place, "wb") as file:
            file.write(b"nothing")
    say("done", rows=rows + (argument == "more"))
    os._exit(0)
elif how == "child":
    # Holds all descriptors when its parent has gone.
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    os._exit(int(argument))
elif how == "slow":
    real(slowly)
elif how == "changed":
    real(changed)
elif how == "segments":
    in_segments()
