"""Links and pipes planted by another user."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest

from tests import harness
from tests.harness import PROGRAM, wait_for

FOLDER = harness.make_folder("links")
SCHEMA = "[{name=a;type=int64};{name=k;type=utf8}]\n"


def run(*words, **options):
    return harness.try_run(*words, cwd=FOLDER, timeout=60, **options)


def expect(what, condition, *detail):
    harness.expect(condition, what, *detail)


def rows(*words):
    done = run("convert", *words, "-", "--to", "json")
    return len(done.stdout.splitlines()), done.stderr


def table(path, count=2):
    path.parent.mkdir(parents=True, exist_ok=True)
    harness.write(path, "".join(f"{{a={n};k=x{n}}};\n" for n in range(count)), SCHEMA)


@pytest.mark.parametrize("name, links", [("one", {"s1": "."}), ("two", {"s1": ".", "s2": "."}), ("deep", {"b/up": "..", "b/again": "../b"}),
                                         ("pair", {"x": "b", "y": "b"}), ("first", {"aa": "b"})])
def test_a_folder_is_entered_once(name, links):
    """A folder is entered once."""
    table(FOLDER / name / "b/t.yson")
    for link, target in links.items():
        (FOLDER / name / link).symlink_to(target)
    count, note = rows(name)
    expect(f"{name}: a folder", count == 2, count, note)
    expect(f"{name}: a note", "read already" in note, note)
    count, note = rows(f"{name}/**/*.yson")
    expect(f"{name}: a pattern", count == 2, count, note)
    done = run("info", name)
    expect(f"{name}: info", done.returncode == 0, done.stderr)


def test_a_link_outside_is_followed():
    """A link to a folder that is nowhere else is followed."""
    table(FOLDER / "outside/t.yson")
    table(FOLDER / "in/b/t.yson")
    (FOLDER / "in/linked").symlink_to("../outside")
    (FOLDER / "in/a.yson").symlink_to("b/t.yson")
    (FOLDER / "in/a.yson.schema").symlink_to("b/t.yson.schema")
    expect("a link outside", rows("in")[0] == 6, *rows("in"))


def test_names_that_are_made_of_the_name_of_the_output():
    """Names that are made of the output's."""
    table(FOLDER / "in.yson")
    victim = FOLDER / "victim"
    for mode in ((), ("--mode", "overwrite"), ("--mode", "append")):
        for link, words in (("o.yson.schema", ("o.yson",)), ("o.skiff.schema", ("o.skiff",)), ("o.jsonl.schema", ("o.jsonl",)),
                            ("r.yson.schema", ("o.arrow", "--rejects", "r.yson"))):
            for there in (True, False):
                victim.unlink(missing_ok=True)
                if there:
                    victim.write_text("precious")
                (FOLDER / link).unlink(missing_ok=True)
                (FOLDER / words[0]).unlink(missing_ok=True)
                (FOLDER / link).symlink_to(victim)
                done = run("convert", "in.yson", *words, *mode)
                kept = victim.read_text() == "precious" if there else not victim.exists()
                expect(f"{link} {mode} {there}", kept and done.returncode == 74, done.returncode, done.stderr)
                (FOLDER / link).unlink()


@pytest.mark.parametrize("name, words", [
    ("named.parquet", ("convert", "in.yson", "named.parquet", "--mode", "overwrite")),
    ("named.yson", ("convert", "bad.yson", "o.parquet", "--mode", "overwrite", "--rejects", "named.yson")),
    ("named.html", ("convert", "in.yson", "o.skiff", "--mode", "overwrite", "--proof", "named.html")),
    ("named.schema", ("schema", "in.yson", "-o", "named.schema")),
    ("saved.schema", ("convert", "in.jsonl", "o.parquet", "--mode", "overwrite", "--save-schema", "saved.schema"))])
@pytest.mark.parametrize("there", [True, False])
def test_a_link_that_the_user_named(name, words, there):
    """Outputs are followed if the user named them, and the link stays."""
    table(FOLDER / "in.yson")
    harness.write(FOLDER / "bad.yson", "{a=x};", SCHEMA)
    harness.write(FOLDER / "in.jsonl", '{"a":1}\n')
    link, target = FOLDER / name, FOLDER / "other" / f"target-{name}"
    target.parent.mkdir(exist_ok=True)
    for path in (link, target):
        path.unlink(missing_ok=True)
    link.symlink_to(target)
    if there and "--mode" in words and name != "saved.schema":  # schemas are never replaced
        target.write_text("old")
    done = run(*words)
    expect("a named link", done.returncode in (0, 3) and link.is_symlink() and target.read_bytes() not in (b"", b"old"), done.stderr)
    link.unlink()


def test_outputs_of_several_tables():
    """Outputs of several tables."""
    victim = FOLDER / "victim"
    victim.write_text("precious")
    harness.write(FOLDER / "tables.yson", "<table_index=0>#;{a=1};<table_index=1>#;{a=2};", "[{name=a;type=int64}]")
    for there in (True, False):
        (FOLDER / "m-1.parquet").unlink(missing_ok=True)
        (FOLDER / "m-0.parquet").unlink(missing_ok=True)
        (FOLDER / "m-1.parquet").symlink_to(victim if there else FOLDER / "nothing")
        done = run("convert", "tables.yson", "m-{table}.parquet", "--mode", "overwrite")
        expect(f"a table {there}", victim.read_text() == "precious" and not (FOLDER / "nothing").exists() and done.returncode == 74,
               done.returncode, done.stderr)


@pytest.mark.parametrize("name, made", [("m-{table}.yson", "m-1.yson"), ("f/{table}/x.yson", "f/1"), ("f/x{table}/y/x.yson", "f/x1/y")])
@pytest.mark.parametrize("kind", ["link", "dangling", "pipe"])
def test_outputs_of_tables_that_become_links(name, made, kind):
    """While rows of the first table are written, another process puts a link at the second output, or at its folder. All outputs are
    open by then: the link is replaced, or nothing is written."""
    harness.write(FOLDER / "two.yson", "<table_index=0>#;" + "{a=1};" * 1_000_000 + "<table_index=1>#;{a=2};", "[{name=a;type=int64}]")
    place = FOLDER / f"exchanged-{kind}"
    shutil.rmtree(place, ignore_errors=True)
    for number in "01":
        (place / name.replace("{table}", number)).parent.mkdir(parents=True, exist_ok=True)
    victim = place / "victim"
    victim.mkdir()
    if kind != "dangling":
        (victim / "x.yson").write_text("precious")
    folders = {(place / name.replace("{table}", number)).parent for number in "01"}
    process = subprocess.Popen([PROGRAM, "convert", "two.yson", f"{place.name}/{name}", "--mode", "overwrite", "-q"], cwd=FOLDER,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None and sum(".xwalk-" in one for folder in folders for one in os.listdir(folder)) < 2:
        time.sleep(0.001)
    process.send_signal(signal.SIGSTOP)
    planted = place / made
    if planted.is_dir():
        planted.rename(place / "gone")
    if kind == "pipe":
        os.mkfifo(planted)
    else:
        planted.symlink_to(victim if made.startswith("f") else victim / "x.yson")
    process.send_signal(signal.SIGCONT)
    try:
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    left = {path.name: path.read_text() for path in victim.iterdir()}
    expect("the other file", left == ({} if kind == "dangling" else {"x.yson": "precious"}), left, said)
    if made.startswith("f"):
        expect("a folder", process.returncode == 74 and "error" in said, process.returncode, said)
    else:
        expect("a file", process.returncode == 0 and planted.is_file() and not planted.is_symlink(), process.returncode, said)


STRACE = ["strace", "-f", "-qq", "-e", "trace=newfstatat,openat,mkdir,mkdirat,readlink"]
needs_strace = pytest.mark.skipif(not shutil.which("strace") or subprocess.run([*STRACE, "true"], capture_output=True).returncode != 0,
                                  reason="no strace, or it may not trace")
# What is made of a pattern or of an input: the command, the names that are attacked, and whether a folder becomes a link.
MADE = {
    "a file": (["m-{table}.yson"], ["m-1.yson"]),
    "its schema": (["m-{table}.yson"], ["m-1.yson.schema"]),
    "a file of Vortex": (["m-{table}.vortex"], ["m-1.vortex"]),
    "a folder": (["f/{table}/x.yson"], ["f/1", "f/1/x.yson"]),
    "a folder above": (["f/x{table}/y/x.parquet"], ["f/x1/y", "f/x1/y/x.parquet"]),
    "resumed": (["f/{table}/x.yson", "--resume"], ["f/1", "f/1/_xwalk", "f/1/x.yson"]),
    "a record": (["f/{table}/x.yson", "--resume"], ["f/1/_xwalk", "f/1/_xwalk/x.yson.json"]),
}


@needs_strace
@pytest.mark.parametrize("what", MADE)
def test_names_that_become_links_at_any_moment(what):
    """Another process puts a link at a name that xwalk made, after any of the calls of the system about this name."""
    words, paths = MADE[what]
    victim, place = FOLDER / "kept", FOLDER / "moments"

    def attack(number):
        """Returns how many calls there were, and the run. The call of this number is delayed while the link is made."""
        for folder in (victim, place):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        (victim / "x.yson").write_text("precious")
        for table in "01":
            pattern = (place / words[0].replace("{table}", table)).parent
            pattern.mkdir(parents=True, exist_ok=True)
        harness.write(place / "two.yson", "<table_index=0>#;{a=1};<table_index=1>#;{a=2};", "[{name=a;type=int64}]")
        log = place / "log"
        late = [] if number is None else ["-e", f"inject=newfstatat,openat,mkdir,mkdirat,readlink:delay_exit=400000:when={number}"]
        names = [word for path in paths for word in ("-P", path, "-P", os.path.dirname(path) or ".")]
        process = subprocess.Popen([*STRACE, *names, *late, "-o", log, PROGRAM, "convert", "two.yson", *words, "--mode", "overwrite", "-q"],
                                   cwd=place, stderr=subprocess.PIPE, text=True)
        while number is not None and process.poll() is None and "DELAYED" not in (log.read_text() if log.exists() else ""):
            time.sleep(0.01)
        planted = place / paths[0]
        if number is not None:
            if os.path.lexists(planted):
                planted.rename(place / "gone")
            planted.symlink_to(victim / "x.yson" if planted.suffix else victim)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
        return len(log.read_text().splitlines()), process.returncode, said

    calls, code, said = attack(None)
    expect("nothing is planted", code == 0 and calls > 5, calls, said)
    for number in range(1, calls + 1, 1 if harness.ALL else max(1, calls // 8)):
        _, code, said = attack(number)
        left = {path.name: path.read_bytes() if path.is_file() else None for path in victim.iterdir()}
        expect(f"the other file, after call {number}", left == {"x.yson": b"precious"}, left, said)
        expect(f"an end, after call {number}", code in (0, 74), code, said)


def test_folders_of_partitions():
    """Folders of partitions, and of files that keep their names."""
    table(FOLDER / "inputs/b/t.yson")
    table(FOLDER / "in.yson")
    elsewhere = FOLDER / "elsewhere"
    elsewhere.mkdir()
    for out, words in (("parts", ("--partition-by", "k", "--to", "parquet")), ("files", ("--to", "parquet"))):
        done = run("convert", "inputs" if out == "files" else "in.yson", out + "/", *words)
        expect(f"{out}: made", done.returncode == 0, done.stderr)
        folder = FOLDER / out
        inner = next(path for path in sorted(folder.iterdir()) if path.is_dir())
        for path in inner.iterdir():
            path.unlink()
        inner.rmdir()
        inner.symlink_to(elsewhere)
        done = run("convert", "inputs" if out == "files" else "in.yson", out + "/", *words, "--mode", "append")
        # Rows that are added to a folder as one file need no folder in it.
        code = 74 if out == "parts" else 0
        expect(f"{out}: a link for a folder", not any(elsewhere.iterdir()) and done.returncode == code, done.returncode, done.stderr)


def test_names_that_resume_makes():
    """Outputs, records and rejected rows of --resume."""
    table(FOLDER / "tables/1.yson")
    table(FOLDER / "tables/s/2.yson")
    for path in ("tables/1.yson", "tables/s/2.yson"):
        with open(FOLDER / path, "a") as file:
            file.write("{a=x};")
    words = ("convert", "tables/", "resumed/", "--to", "skiff", "--resume", "--mode", "overwrite", "--rejects", "refused/", "-q")
    victim = FOLDER / "victims/1.yson"
    victim.parent.mkdir()
    victim.write_text("precious")
    links = {"resumed/1.skiff": "../victims/1.yson", "resumed/1.skiff.schema": "../victims/1.yson", "resumed/s": "../victims",
             "resumed/_xwalk": "../victims", "resumed/_xwalk/1.skiff.json": "../../victims/1.yson", "resumed/_xwalk/s": "../../victims",
             "refused/1.yson": "../victims/1.yson", "refused/1.yson.schema": "../victims/1.yson", "refused/s": "../victims"}
    for name, target in links.items():
        for pipe in (False, True):
            place = FOLDER / name
            place.parent.mkdir(parents=True, exist_ok=True)
            os.mkfifo(place) if pipe else place.symlink_to(target)
            done = run(*words)
            what = f"{name} is a {'pipe' if pipe else 'link'}"
            expect(what, done.returncode == 74 and "error" in done.stderr, done.returncode, done.stderr)
            expect(what, victim.read_text() == "precious" and os.listdir(victim.parent) == ["1.yson"], os.listdir(victim.parent))
            for folder in ("resumed", "refused"):
                shutil.rmtree(FOLDER / folder, ignore_errors=True)
    done = run(*words)
    expect("nothing is planted", done.returncode == 0 and len(list((FOLDER / "refused").rglob("*.yson"))) == 2, done.stderr)


def waits(pid):
    """Returns true if a process has a handler of SIGINT, and sleeps."""
    state = dict(line.split(":\t", 1) for line in (pathlib.Path("/proc") / str(pid) / "status").read_text().splitlines() if ":\t" in line)
    return state["State"].startswith("S") and bool(int(state["SigCgt"], 16) >> (signal.SIGINT - 1) & 1)


def test_pipes():
    table(FOLDER / "in.yson")
    os.mkfifo(FOLDER / "pipe.yson")
    for words in (("schema", "pipe.yson", "--from", "yt"), ("convert", "pipe.yson", "x.parquet"), ("convert", "in.yson", "pipe.yson", "--mode", "overwrite")):
        process = subprocess.Popen([PROGRAM, *words], cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect(f"{words}: waits for the pipe", wait_for(lambda: waits(process.pid), 60))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        expect(f"{words}: interrupted", process.returncode == 130, process.returncode)
    writer = subprocess.Popen(["sh", "-c", "sleep 0.5; cat in.yson >pipe.yson"], cwd=FOLDER)
    done = run("convert", "pipe.yson", "-", "--to", "json", "--schema", SCHEMA.strip())
    writer.wait()
    expect("a pipe that is named", len(done.stdout.splitlines()) == 2, done.stdout, done.stderr)
    reader = subprocess.Popen(["sh", "-c", "sleep 0.5; cat pipe.yson"], cwd=FOLDER, stdout=subprocess.PIPE, text=True)
    done = run("convert", "in.yson", "pipe.yson")
    expect("a pipe that is written", done.returncode == 0 and reader.communicate()[0].count("}") == 2, done.stderr)


def test_a_file_that_becomes_a_pipe():
    """A file that becomes a pipe after it was listed: between the two the first file is read, from a pipe of its own name."""
    table(FOLDER / "swap/a.yson", 200_000)
    table(FOLDER / "swap/b.yson")
    process = subprocess.Popen([PROGRAM, "convert", "swap", "-", "--to", "json", "--threads", "1"], cwd=FOLDER,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    (FOLDER / "swap/b.yson").unlink()
    os.mkfifo(FOLDER / "swap/b.yson")
    try:
        _, said = process.communicate(timeout=20)
    finally:
        process.kill()
    expect("an exchanged file", process.returncode == 74 and "pipe" in said, process.returncode, said)
