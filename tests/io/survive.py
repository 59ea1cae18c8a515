"""A file under its final name is complete, regardless of failures: python survive.py XWALK"""
import fcntl
import gzip
import os
import pathlib
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time

from terminal import on_terminal

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
# Memory peaks are meaningless if a sanitizer uses memory of its own.
PEAKS = "XWALK_TEST_SANITIZED" not in os.environ
problems = []
scratch = tempfile.TemporaryDirectory(prefix="xwalk-survive-")
FOLDER = pathlib.Path(scratch.name)
INT = "[{name=a;type_v3=int64}]"
DOUBLE = "[{name=a;type_v3=double}]"


def expect(condition, *words):
    if not condition:
        problems.append(" ".join(str(word) for word in words))


def run(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, cwd=FOLDER, timeout=60, **options)


def start(*words, **options):
    return subprocess.Popen([PROGRAM, *words], cwd=FOLDER, stdin=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def blocked(name, *words):
    """Returns a conversion that has begun its output and waits for more rows."""
    before = set(staged())
    process = start("convert", "-", name, "--from", "yt", "--schema", INT, *words)
    process.stdin.write(b"{a=1};" * 20_000)
    process.stdin.flush()
    expect(wait_for(lambda: set(staged()) - before), "nothing under a temporary name")
    return process


def clear():
    for path in FOLDER.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def names():
    return sorted(path.name for path in FOLDER.iterdir())


def rows(name, schema, text):
    (FOLDER / name).write_text(text)
    (FOLDER / f"{name}.schema").write_text(schema)


def wait_for(condition):
    for _ in range(500):
        if condition():
            return True
        time.sleep(0.02)
    return False


def staged():
    return [name for name in names() if ".xwalk-" in name]


# --- rows and the schema beside them are one set ----------------------------------------------------
rows("ints.yson", INT, "".join(f"{{a={n}}};" for n in range(2000)))
rows("doubles.yson", DOUBLE, "".join(f"{{a={n}.5}};" for n in range(40000)))
for ending in ("skiff", "yson", "yson.gz", "skiff.zst"):
    name = "t" + ending.replace(".", "")
    out, side = FOLDER / f"{name}.{ending}", FOLDER / f"{name}.{ending.split('.')[0]}.schema"
    run("convert", "ints.yson", out.name)
    before = out.read_bytes(), side.read_bytes()
    # A disk that is full after the schema, and rejects that cannot be kept.
    full = run("convert", "doubles.yson", out.name, "--mode", "overwrite",
               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
    expect(full.returncode == 74 and b"error" in full.stderr, ending, full)
    lost = run("convert", "doubles.yson", out.name, "--mode", "overwrite", "--on-error", "skip", "--rejects", "/dev/full")
    expect((out.read_bytes(), side.read_bytes()) == before or lost.returncode == 0, ending, "rejects", lost)
    expect((out.read_bytes(), side.read_bytes()) == before or lost.returncode == 0, ending, "was changed")
    # The schema alone, as a kill between two renames leaves it.
    run("convert", "doubles.yson", out.name, "--mode", "overwrite")
    after = out.read_bytes(), side.read_bytes()
    out.write_bytes(before[0])
    for verb in ("head", "validate", "schema"):
        result = run(verb, out.name)
        expect(result.returncode == 3 and b"the schema of other rows" in result.stderr, ending, verb, result)
    expect(run("head", out.name, "--schema", side.name).returncode in (0, 3), ending, "a given schema")
    # Copies, and rows that are added, are read; a schema by hand has no mark.
    out.write_bytes(after[0])
    os.utime(out, (1, 1))
    expect(run("validate", out.name).returncode == 0, ending, "as written", run("validate", out.name))
    added = run("convert", "doubles.yson", out.name, "--mode", "append")
    expect(added.returncode == 0 and run("validate", out.name).returncode == 0, ending, added, run("validate", out.name))
    side.write_text(DOUBLE)
    expect(run("validate", out.name).returncode == 0, ending, "by hand")
# Rows and the same rows compressed share a schema.
run("convert", "doubles.yson", "u.yson")
expect(run("convert", "u.yson", "u.yson.gz", "--yson-format", "binary").returncode == 0, "beside its own")
for name in ("u.yson", "u.yson.gz"):
    expect(run("validate", name).returncode == 0, name, run("validate", name))
# If it is replaced by one of the two, the other is not read with it.
run("convert", "ints.yson", "u.yson.gz", "--mode", "overwrite")
result = run("validate", "u.yson")
expect(result.returncode == 3 and b"the schema of other rows" in result.stderr, "the schema of both", result)
expect(run("validate", "u.yson.gz").returncode == 0, "the schema of both", run("validate", "u.yson.gz"))
# Another run that replaces what is written meanwhile: the last one wins with both, and one that is to replace nothing says so.
for ending, mode, had_schema in (("skiff", "overwrite", False), ("yson", "overwrite", True), ("skiff", "create", False)):
    out, side = FOLDER / f"v.{ending}", FOLDER / f"v.{ending}.schema"
    if had_schema:
        side.write_text(INT)
    late = blocked(out.name, "--mode", mode)
    other = run("convert", "doubles.yson", out.name, "--mode", "overwrite")
    after = out.read_bytes(), side.read_bytes()
    words = late.communicate()[1]
    expect(other.returncode == 0 and run("validate", out.name).returncode == 0, ending, mode, "overtaken", other, run("validate", out.name))
    expect(late.returncode == (74 if mode == "create" else 0), ending, mode, "overtaken", late.returncode, words)
    expect(((out.read_bytes(), side.read_bytes()) == after) == (mode == "create"), ending, mode, "overtaken: of which run", words)
    expect((b"int64" in side.read_bytes()) == (mode == "overwrite"), ending, mode, side.read_bytes())
    out.unlink()
    side.unlink()
# What a killed engine has moved into a Lance dataset goes with the folder it came from, unless a version names it.
for folder in ("l.lance/_versions", "l.lance/_transactions", "l.lance/data", ".l.lance.xwalk-0123456789abcdef/l.lance"):
    (FOLDER / folder).mkdir(parents=True)
(FOLDER / "l.lance/_versions/18446744073709551614.manifest").write_bytes(b"\0\1there.lance\2")
(FOLDER / "l.lance/_versions/18446744073709551613.manifest#1").write_bytes(b"\0\1there.lance\2moved.lance\2")
for name in ("data/there.lance", "data/moved.lance", "data/of-others.lance", "_transactions/1-abcdef.txn", "_transactions/1-others.txn"):
    (FOLDER / "l.lance" / name).touch()
before = sorted(str(path) for path in (FOLDER / "l.lance").rglob("*"))
with open(FOLDER / ".l.lance.xwalk-0123456789abcdef/l.lance/moved", "w") as moved:
    fcntl.flock(moved, fcntl.LOCK_EX)
    moved.write("there.lance\nmoved.lance\nabcdef\nof-others.lance")
    moved.flush()
    run("convert", "ints.yson", "probe.skiff", "--mode", "overwrite")
    expect(sorted(str(path) for path in (FOLDER / "l.lance").rglob("*")) == before and staged(), "an engine is at work", names())
run("convert", "ints.yson", "probe.skiff", "--mode", "overwrite")
left = sorted(path.name for path in (FOLDER / "l.lance").rglob("*") if path.is_file())
expect(left == ["1-others.txn", "18446744073709551614.manifest", "of-others.lance", "there.lance"] and not staged(), "moved", left, names())
# Several writers of one name.
run("convert", "ints.yson", "w.skiff")
for _ in range(3):
    writers = [start("convert", f"{kind}.yson", "w.skiff", "--mode", "overwrite", "-q") for kind in ("ints", "doubles") * 4]
    words = [writer.communicate()[1] for writer in writers]
    expect([writer.returncode for writer in writers] == [0] * 8, "writers of one name", words)
    expect(run("validate", "w.skiff").returncode == 0, run("validate", "w.skiff"))

# Tables of YSON rows are one set, and so are rejected rows where something else fails than a row.
rows("tables.yson", INT, "<table_index=0>#;{a=1};<table_index=1>#;{a=2};{a=x};")
result = run("convert", "tables.yson", "one-{table}.skiff")
expect(result.returncode == 3 and not [name for name in names() if name.startswith("one-")], "tables", result, names())
result = run("convert", "tables.yson", "one-{table}.skiff", "--on-error", "skip", "--rejects", "bad.yson")
expect(result.returncode == 0 and (FOLDER / "one-1.skiff").exists() and b"row" in (FOLDER / "bad.yson").read_bytes(), "tables", result)
rows("bad-doubles.yson", DOUBLE, "{a=x};" + (FOLDER / "doubles.yson").read_text())
result = run("convert", "bad-doubles.yson", "full.skiff", "--on-error", "skip", "--rejects", "full-bad.yson",
             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000)))
expect(result.returncode == 74 and not [name for name in names() if name.startswith("full")], "rejects of a full disk", result, names())

# --- modes, pipes, names ------------------------------------------------------------------------------
for target in ("m.yson", "m.parquet", "m.vortex"):
    (FOLDER / target).touch(0o600)
    (FOLDER / target).chmod(0o600)
    result = run("convert", "ints.yson", target, "--mode", "overwrite", "-q", "--durable")
    if result.returncode == 0:
        expect(stat.S_IMODE((FOLDER / target).stat().st_mode) == 0o600, target, "is open to others")
    else:
        expect(b"needs the Python package" in result.stderr or b"rows need the program" in result.stderr or
               b"need the plugin" in result.stderr, target, result)
clear()
rows("ints.yson", INT, "{a=1};")
long = "n" * 243 + ".yson"
expect(run("convert", "ints.yson", long, "--no-side-schema").returncode in (0, 2), "a long name")
expect(run("convert", "ints.yson", "n" * 238 + ".skiff").returncode == 0, "a long name with a schema")
clear()
rows("ints.yson", INT, "{a=1};")
os.mkfifo(FOLDER / "t.skiff.schema")
expect(run("convert", "ints.yson", "t.skiff").returncode == 74, "a pipe where the schema belongs")
(FOLDER / "t.skiff").write_bytes(b"")
expect(run("head", "t.skiff").returncode == 74, "a pipe for a schema")

# --- leftovers ------------------------------------------------------------------------------------------
clear()
for _ in range(2):
    process = blocked("t.yson")
    wait_for(lambda: len(staged()) == 1)
    process.kill()
    process.communicate()
expect(len(staged()) == 1, "more than the last leftover", names())
leftover = staged()
process = start("convert", "-", "other.yson", "--from", "yt", "--schema", INT)
process.stdin.write(b"{a=1};" * 20_000)
process.stdin.flush()
expect(wait_for(lambda: staged() and staged() != leftover), "the leftover is not cleared", names())
expect(run("convert", "-", "t.yson", "--from", "yt", "--schema", INT, input=b"{a=1};").returncode == 0, "beside a live one")
process.communicate(b"{a=1};")
expect(process.returncode == 0 and not staged(), "a live one was cleared away", names())

# --- signals ------------------------------------------------------------------------------------------
for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
    for times in (1, 2):
        clear()
        process = blocked("t.yson")
        for _ in range(times):
            process.send_signal(number)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
        expect(process.returncode == code and not names(), number, times, process.returncode, names())
        process.communicate()

# An engine that heeds nothing, and what it started.
alone = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-alone-"))
shutil.copy(PROGRAM, alone / "xwalk")
(alone / "xwalk-engine-vortex").write_text("#!/bin/sh\ntrap '' TERM INT\nsleep 611 &\nsleep 611\n")
(alone / "xwalk-engine-vortex").chmod(0o755)
for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
    clear()
    rows("t.yson", INT, "{a=1};")
    process = subprocess.Popen([alone / "xwalk", "convert", "t.yson", "t.vortex"], cwd=FOLDER, stderr=subprocess.PIPE,
                               start_new_session=True)
    wait_for(staged)
    os.killpg(process.pid, number)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
    expect(process.returncode == code and not staged(), number, process.returncode, names())
    orphans = subprocess.run(["pgrep", "-f", "^sleep 611$"], capture_output=True).stdout
    expect(not orphans, "orphans", orphans)
    process.communicate()
# One that ends and leaves what it started behind, which holds all descriptors; one that says more than a pipe holds.
for words in ("trap '' TERM; sleep 611 & exit 1", "sleep 611 & exit 0", "head -c 9000000 /dev/zero >&3", "head -c 9000000 /dev/zero",
              "cat > /dev/null; echo '{\"done\":{\"rows\":1}}' >&3"):
    (alone / "xwalk-engine-vortex").write_text(f"#!/bin/sh\n{words}\n")
    clear()
    rows("t.yson", INT, "{a=1};")
    process = subprocess.Popen([alone / "xwalk", "convert", "t.yson", "t.vortex"], cwd=FOLDER, stderr=subprocess.PIPE)
    try:
        said = process.communicate(timeout=20)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = b"hangs"
    expect(process.returncode == 74 and names() == ["t.yson", "t.yson.schema"], words, process.returncode, said, names())
    orphans = subprocess.run(["pgrep", "-f", "^sleep 611$"], capture_output=True).stdout
    expect(not orphans, words, "orphans", orphans)
# A line of its status that never ends is not kept.
(alone / "xwalk-engine-vortex").write_text("#!/bin/sh\nhead -c 400000000 /dev/zero >&3\n")
clear()
rows("t.yson", INT, "{a=1};")
process = subprocess.Popen([alone / "xwalk", "convert", "t.yson", "t.vortex"], cwd=FOLDER, stderr=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
expect(process.returncode == 74 and (not PEAKS or usage.ru_maxrss < 200_000), "a long line of status", process.returncode, usage.ru_maxrss)
shutil.rmtree(alone)

# --- inputs that shrink -----------------------------------------------------------------------------------
clear()
rows("big.yson", INT, "{a=1234567};\n" * 3_000_000)
(FOLDER / "big.skiff.schema").write_text(INT)
(FOLDER / "big.skiff").write_bytes((b"\0\0" + struct.pack("<q", 7)) * 3_000_000)
reader = FOLDER / "reader"
for name in ("big.yson", "big.skiff"):
    whole = (FOLDER / name).read_bytes()
    for left in (0, 100_001, len(whole) - 20):
        os.mkfifo(reader)
        process = start("convert", name, reader.name, "--to", "yt", "--mode", "overwrite")
        pipe = open(reader, "rb", buffering=0)
        pipe.read(1)
        os.truncate(FOLDER / name, left)
        while pipe.read(1 << 20):
            pass
        _, words = process.communicate(timeout=60)
        expect(process.returncode == 74 and b"changed while it was read" in words and name.encode() in words,
               name, left, process.returncode, words)
        (FOLDER / name).write_bytes(whole)
        reader.unlink()
    # Other bytes in its place, as many.
    os.mkfifo(reader)
    process = start("convert", name, reader.name, "--to", "yt", "--mode", "overwrite")
    pipe = open(reader, "rb", buffering=0)
    pipe.read(1)
    with open(FOLDER / name, "r+b") as file:
        file.seek(-13, os.SEEK_END)
        file.write(whole[-13:])
    while pipe.read(1 << 20):
        pass
    _, words = process.communicate(timeout=60)
    expect(process.returncode == 74 and b"changed while it was read" in words, name, "rewritten", process.returncode, words)
    reader.unlink()
# Rows that are zeros all at once end no process.
(FOLDER / "lists.yson").write_text("".join(f"{{a=[{n};2]}};" for n in range(60_000)))
run("convert", "lists.yson", "lists.skiff", "--schema", "[{name=a;type_v3={type_name=list;item=int64}}]")
whole = (FOLDER / "lists.skiff").read_bytes()
for turn in range(40):
    (FOLDER / "lists.skiff").write_bytes(whole)
    process = start("convert", "lists.skiff", "of-lists.yson", "--mode", "overwrite")
    time.sleep(turn * 0.002)
    os.truncate(FOLDER / "lists.skiff", 1)
    _, words = process.communicate(timeout=60)
    expect(process.returncode in (0, 3, 74), "zeros", process.returncode, words)

# --- what the system refuses is 74 ------------------------------------------------------------------------
clear()
rows("t.yson", INT, "{a=1};")
run("convert", "t.yson", "t.parquet")
if (FOLDER / "t.parquet").exists():
    for words in (("schema", "-"), ("head", "-"), ("validate", "-", "--from", "parquet")):
        result = run(*words, input=(FOLDER / "t.parquet").read_bytes(), env={**os.environ, "TMPDIR": "/nowhere"})
        expect(result.returncode == 74 and b"TMPDIR" in result.stderr, words, result)
(FOLDER / "closed").mkdir(0)
FOLDER.chmod(0o755)


def as_nobody():
    os.setgid(65534)
    os.setuid(65534)


if os.geteuid() == 0 and os.access("/usr/bin/env", os.X_OK):
    # A program that every user may run, in any folder.
    nobody = pathlib.Path(tempfile.mkdtemp(prefix="xwalk-nobody-"))
    nobody.chmod(0o755)
    shutil.copy(PROGRAM, nobody / "xwalk")
    (FOLDER / "shut.yson").touch(0)
    for words in (("head", "closed"), ("schema", "closed"), ("head", "closed/t.yson"), ("schema", "closed/t.parquet"),
                  ("validate", "closed"), ("convert", "t.yson", "closed/out.yson"), ("convert", "t.yson", "out.yson"),
                  ("convert", "t.yson", "closed", "--to", "parquet", "--mode", "append"), ("head", "shut.yson"),
                  ("check", "closed/t.yson", "--to", "lance"), ("diff", "closed/a.schema", "t.yson")):
        result = subprocess.run([nobody / "xwalk", *words], capture_output=True, cwd=FOLDER, preexec_fn=as_nobody)
        expect(result.returncode == 74, words, result)
    shutil.rmtree(nobody)
(FOLDER / "closed").rmdir()
for engine in ("vortex", "lance"):
    rows("big.yson", INT, "".join(f"{{a={n * n}}};" for n in range(50_000)))
    result = run("convert", "big.yson", f"full.{engine}", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    expect(result.returncode == 74 and not [name for name in names() if "full" in name], engine, result, names())

# --- names are shown, not obeyed --------------------------------------------------------------------------
HOSTILE = "\x1b]0;x\x07\x1b[31m\u202e\u009b31m"


def forbidden(text):
    text = text.decode(errors="surrogateescape")
    return [char for char in text if (ord(char) < 32 and char not in "\r\n\t") or 0x7f <= ord(char) < 0xa0
            or 0x202a <= ord(char) <= 0x202e]


name = f"n{HOSTILE}.yson"
rows(name, '[{name="c%s";type_v3=string}]' % HOSTILE, '{"c%s"="v%s"};' % (HOSTILE, HOSTILE))
for words in (("head", name), ("head", name, "--as", "json"), ("head", name, "--json"), ("head", name, "--as", "yson"),
              ("schema", name), ("schema", name, "--to", "parquet"), ("schema", name, "--to", "lance"),
              ("schema", name, "--to", "vortex"), ("schema", name, "--to", "arrow", "--form", "text"),
              ("schema", name, "--json"), ("validate", name), ("validate", name, "--json"), ("check", name, "--to", "parquet"),
              ("check", name, "--to", "parquet", "--json"), ("head", "absent" + name), ("head", "absent" + name, "--json"),
              ("convert", name, f"o{HOSTILE}.skiff"), ("convert", name, f"o{HOSTILE}.skiff"),
              ("convert", name, f"p{HOSTILE}.yson", "--json"), ("diff", name, "t.yson"), (f"verb{HOSTILE}",),
              ("head", f"--{HOSTILE}"), ("head", name, "--select", f"d{HOSTILE}"), ("type", f"List<{HOSTILE}>")):
    shown = on_terminal([PROGRAM, *words], FOLDER)
    expect(shown and not forbidden(shown), words, shown)

# --- many columns take no more than their bytes ---------------------------------------------------------------
clear()
COLUMNS = 3000
rows("wide.yson", "[" + "".join(f"{{name=c{n};type=int64}};" for n in range(COLUMNS)) + "]",
     ("{" + "".join(f"c{n}={n};" for n in range(COLUMNS)) + "};\n") * 100)
process = start("convert", "wide.yson", "wide.skiff", "-q")
_, status, usage = os.wait4(process.pid, 0)
expect(status == 0 and (not PEAKS or usage.ru_maxrss < 300_000), "many columns", status, usage.ru_maxrss)

# --- a bomb ------------------------------------------------------------------------------------------------
zeros = gzip.compress(b"\0" * (300 << 20), 1)
(FOLDER / "bomb.gz").write_bytes(zeros)
result = run("schema", "bomb.gz")
expect(result.returncode == 3, "bomb", result)

print("\n".join(problems))
print(f"{len(problems)} problems")
sys.exit(1 if problems else 0)
