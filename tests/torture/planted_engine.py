"""Stands where an engine should be, and does what TORTURE_ENGINE says.

NONSENSE is what is said, on each descriptor; REAL is a real engine, which the slow one is made of.
"""
import json
import os
import random
import signal
import subprocess
import sys
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
    """Runs a real engine, and passes its bytes on slowly, or changed."""
    ours, theirs = os.pipe()
    command = json.loads(os.environ["TORTURE_REAL"])
    engine = subprocess.Popen([*command, verb, sys.argv[2]], stdout=theirs, pass_fds=(3,))
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


if how not in ("mute", "bytes-at-once"):
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
