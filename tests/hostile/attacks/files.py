"""Files, folders, engines and ends of a run (points 1, 8a, 8b, 9, 13 and 15)."""
import json
import os
import shutil

import pytest

from case import Command, case, tupled


@case("1.lance-external-blob")
def external_blob(here):
    """A Lance dataset refers to files outside of its folder, by blobs and by base paths."""
    here.needs("xwalk-engine-lance")
    yield here.tests("io/lance_references_test.py", patience=600, memory=2000)


@case("8a.temporary-names")
def temporary_names(here):
    """TMPDIR has a link with the name of a scratch file, which another user planted."""
    yield here.tests("io/stores_test.py", "test_s3[temporary_names]", patience=600, memory=2000)


@case("8a.leftovers-of-others")
def leftovers_of_others(here):
    """What a killed run left was moved to another folder, copied or changed, or its dataset is a link: no file of a dataset is removed."""
    yield here.tests("io/complete_outputs_test.py", "test_leftovers_that_came_from_elsewhere", "test_a_folder_gets_the_name_of_a_run", memory=1000)


@case("8a.links-and-pipes")
def links(here):
    """Links and pipes that another user planted in inputs and outputs."""
    yield here.tests("io/links_test.py")


@case("8a.planted-leftovers")
def planted_leftovers(here):
    """A repository has folders and files with the names that a killed run leaves, and lists of files to remove: nothing is removed."""
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    for dataset in ("t.lance", "other/t.lance"):
        for name in ("_versions/1.manifest", "_versions/2.manifest#1", "_transactions/1-keep.txn", "data/keep.lance", "data/keep/1.blob",
                     "data/keep/notes.txt"):
            here.write(f"{dataset}/{name}", "1" if name.endswith("manifest") else "keep.lance")
    os.symlink("other/t.lance", here.folder / "linked.lance")
    for digits in ("0123456789abcdef", "0123456789abcdef" * 2):
        for name in ("t.lance", "linked.lance", "notes.txt"):
            here.write(f".{name}.xwalk-{digits}/{name}/moved", f"{digits[:16]}\nkeep.lance\nkeep\n..\n../../rows.yson\n")
        here.write(f".plain.txt.xwalk-{digits}", "mine")
        os.symlink("other", here.folder / f".link.xwalk-{digits}")
    before = set(here.folder.rglob("*"))
    for words, leaves in ((("out.skiff",), ("out.skiff", "out.skiff.schema")), (("out/", "--to", "yson"), ("out",)),
                          (("t.yson", "--mode", "overwrite"), ("t.yson", "t.yson.schema"))):
        yield here.xwalk("convert", "rows.yson", *words, "-q", memory=60, seconds=5, leaves=leaves)
    here.expect(before <= set(here.folder.rglob("*")), "removed:", sorted(map(str, before - set(here.folder.rglob("*")))))


@case("8a.pipe-as-manifest")
def pipe_as_manifest(here):
    """The newest version of a Lance dataset is a pipe without a writer."""
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    here.make("import lance, pyarrow\nlance.write_dataset(pyarrow.table({'a': [1]}), 't.lance')", "lance", "pyarrow")
    newest = min((here.folder / "t.lance/_versions").glob("*.manifest"))
    newest.unlink()
    os.mkfifo(newest)
    for words in (("schema", "t.lance"), ("head", "t.lance"), ("info", "t.lance"), ("check", "t.lance", "--to", "yt"),
                  ("convert", "t.lance", "-", "--to", "json"), ("convert", "rows.yson", "t.lance", "--mode", "append")):
        yield here.xwalk(*words, exits=74, memory=60, seconds=5, patience=20, said="expected a file, found a pipe")


@case("8a.table-names")
def table_names(here):
    """A name, or a folder, that the number of a table in the name of an output makes is a planted link."""
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    here.write("victim/notes", "mine")
    for number, name in enumerate(("o/{table}.parquet", "o/{table}.csv", "o/{table}.yson", "p/{table}/x.yson", "q/x{table}/y/z.yson")):
        made = here.folder / name.replace("{table}", "0")
        planted = made if name.startswith("o/") else made.parent if name.startswith("p/") else made.parent.parent
        planted.parent.mkdir(exist_ok=True)
        os.symlink(here.folder / ("victim/notes" if name.startswith("o/") else "victim"), planted)
        for words in ((), ("--resume",), ("--resume", "--mode", "overwrite"), ("--mode", "overwrite")):
            yield here.xwalk("convert", "rows.yson", name, *words, "-q", exits=(2, 74), memory=60, seconds=5, said=("link",))
        here.write(f"case{number}/xwalk.toml", f'[[convert]]\ninput = "../rows.yson"\noutput = "../{name}"\n')
        yield here.xwalk("convert", "--overwrite", "--config", f"case{number}/xwalk.toml", "-q", exits=(2, 74), memory=60, seconds=5, said=("link",))
        here.expect([path.name for path in (here.folder / "victim").iterdir()] == ["notes"], name)
        here.expect((here.folder / "victim/notes").read_text() == "mine", name)


#: Kinds of names that exist and cannot be read as a file, and how a message calls each.
UNREADABLE = {"folder": "a folder", "pipe": "pipe", "dangling": "a link that leads nowhere", "loop": "symbolic links",
              "shut": "Permission denied"}
#: A command before another one by which root, too, may not read files without permission.
AS_OTHERS = ["setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


def make_unreadable(path, kind):
    """Makes a name of one of the kinds, in the place of what exists there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "shut":
        path.touch(0)
    else:
        path.symlink_to("nowhere" if kind == "dangling" else path.name)


def kinds_here():
    return [kind for kind in UNREADABLE if kind != "shut" or not AS_OTHERS or shutil.which("setpriv")]


def as_others(here, verb, *words, folder=".", **expected):
    return Command([*AS_OTHERS, "env", "-C", folder, str(here.program), verb, *words],
                   **tupled({"memory": 60, "seconds": 5, "patience": 20, "exits": 74, **expected}))


@case("8a.unreadable-schemas")
def unreadable_schemas(here):
    """The schema next to rows, one that an option names, and one that is replaced exist and cannot be read: none counts as missing."""
    rows = here.write("rows.yson", "{a=1};")
    for kind in kinds_here():
        make_unreadable(here.folder / "rows.yson.schema", kind)
        make_unreadable(here.folder / "a.schema", kind)
        for verb, words in (("head", ()), ("schema", ()), ("check", ("--to", "parquet")), ("convert", ("out.parquet",))):
            yield as_others(here, verb, "rows.yson", *words, said="rows.yson.schema", unsaid="inferred")
        if kind != "pipe":  # a shell makes a pipe for `--schema <(…)`
            yield as_others(here, "head", "rows.yson", "--schema", "a.schema", said="a.schema", unsaid="no schema file")
    yield here.xwalk("head", rows, "--schema", "b.schema", said="no schema file", exits=74)
    shutil.rmtree(here.folder / "rows.yson.schema", ignore_errors=True)
    (here.folder / "rows.yson.schema").unlink(missing_ok=True)
    if "shut" in kinds_here():
        make_unreadable(here.folder / "out.yson.schema", "shut")
        for words in ((), ("--mode", "overwrite")):
            yield as_others(here, "convert", "rows.yson", "out.yson", *words, said="Permission denied", unsaid="differs")


@case("8a.unreadable-dataset")
def unreadable_dataset(here):
    """A folder of a Lance dataset cannot be read: its tags, versions and data do not count as missing."""
    here.needs("xwalk-engine-lance")
    if "shut" not in kinds_here():
        pytest.skip("needs setpriv")
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    yield here.xwalk("convert", "rows.yson", "t.lance", "-q", leaves=None, memory=1000)
    for name in ("_refs/tags", "_refs/branches", "_versions", "data"):
        shut = here.folder / "t.lance" / name
        shut.mkdir(parents=True, exist_ok=True)
        shut.chmod(0)
        version = ("--version", "unknown") if name.startswith("_refs") else ()
        yield as_others(here, "head", "t.lance", *version, said="Permission denied", unsaid="has no tags", memory=1000)
        shut.chmod(0o755)


@case("8a.link-paths")
def link_paths(here):
    """Two links to the folder itself would be 2^40 paths."""
    here.write("in/rows.yson", "{a=1};{a=2};", "[{name=a;type=int64}]")
    for name in ("s1", "s2"):
        os.symlink(".", here.folder / "in" / name)
    done = yield here.xwalk("convert", "in", "-", "--to", "json", memory=60, seconds=3)
    here.expect(done.stdout.count("\n") == 2, done.stdout)


@case("8a.resume-records")
def resume_records(here):
    """A record of `--resume` is deep, has other types, or says that a file is complete which is not there: the file is converted."""
    here.write("in/1.yson", "{a=1};", "[{name=a;type_v3=int64}]")
    yield here.xwalk("convert", "in/", "out/", "--to", "skiff", "--resume", "-q", leaves="out")
    record = here.folder / "out" / "_xwalk" / "1.skiff.json"
    sound = record.read_text()
    output = here.folder / "out" / "1.skiff"
    for text in ("[" * 300_000, '{"state":"complete","inputs":' + "[" * 100_000 + "]" * 100_000 + "}", sound.replace("int64", "string"),
                 '{"state":[],"inputs":{},"output":7}', sound.replace('"rows": 1', '"rows": -1'), "\xff", sound):
        record.write_text(text, encoding="latin-1")
        output.unlink()
        yield here.xwalk("convert", "in/", "out/", "--to", "skiff", "--resume", "--mode", "overwrite", "-q", memory=150, seconds=5,
                         leaves="out/1.skiff")
        here.expect(json.loads(record.read_text())["state"] == "complete", text[:60])
    output.write_bytes(b"other bytes")
    yield here.xwalk("convert", "in/", "out/", "--to", "skiff", "--resume", "-q", exits=74, said="found a changed one")


@case("8a.write-accept")
def write_accept(here):
    """The project file of a repository is a link: `check --write-accept` leaves the file that it leads to, unless the user names it."""
    text = '[[check]]\ninput = "rows.yson"\nto = "lance"\nfail-on = "annotated"\n'
    there = here.write("other/xwalk.toml", text)
    here.write("repository/rows.yson", "{a=1};", "[{name=a;type_v3={type_name=tagged;tag=x;item=int64}}]")
    os.symlink("../other/xwalk.toml", here.folder / "repository/xwalk.toml")
    inside = ["env", "-C", "repository", str(here.program), "check", "--write-accept"]
    yield Command(inside, exits=(2,), said=("found a link",), memory=60, seconds=5)
    here.expect(there.read_text() == text, there.read_text())
    yield Command([*inside, "--config", "xwalk.toml"], memory=60, seconds=5)
    here.expect(there.read_text() != text, "a file that the user names is followed")


@case("8b.engine-code")
def engine_code(here):
    """Programs, plugins and Python modules in the current folder are not run."""
    yield here.tests("io/trust_test.py")


def with_engine(here, script):
    """Yields a conversion with an engine of this text, by a copy of the program that has no other."""
    place = here.folder / "bin"
    place.mkdir()
    shutil.copy(here.program, place / "xwalk")
    engine = place / "xwalk-engine-vortex"
    engine.write_text("#!/bin/sh\n" + script)
    engine.chmod(0o755)
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    command = here.xwalk("convert", "rows.yson", "out.vortex", exits=74, memory=60, seconds=10, patience=60)
    command.words[0] = str(place / "xwalk")
    yield command


@case("8b.engine-hello-lines")
def hello_lines(here):
    """An engine says hello without an end."""
    yield from with_engine(here, "exec yes '{\"hello\":{\"contract\":1}}' >&3\n")


@case("8b.engine-long-line")
def long_line(here):
    """The status of an engine is one line without an end."""
    yield from with_engine(here, "exec tr '\\0' x </dev/zero >&3\n")


@case("8b.engine-errors")
def long_errors(here):
    """An engine writes messages without an end, and then nothing that is a status."""
    yield from with_engine(here, "yes error | head -c 300000000 >&2\nexit 1\n")


@case("9.page-rows")
def page_rows(here):
    """Pages, row groups and footers that disagree about the number of rows."""
    yield here.tests("parquet/row_counts_test.py")


@case("13.after-the-name")
def after_the_name(here):
    """A failing fsync and a signal after an output has its name: the message says that the output is complete."""
    yield here.tests("hostile/ended_late_test.py")


@case("13.lance-terminated")
def lance_terminated(here):
    """Conversions to Lance that are terminated while they commit: nothing is left, or all, and then the exit code or the message says so."""
    here.needs("xwalk-engine-lance")
    yield here.tests("hostile/lance_terminated_test.py", patience=600, memory=2000)


@case("15.lance-tags")
def lance_tags(here):
    """Versions of Lance by number, tag and branch, and names that lead elsewhere."""
    here.needs("xwalk-engine-lance")
    yield here.tests("io/lance_tags_test.py", patience=600, memory=2000)


@case("15.vortex-editions")
def vortex_editions(here):
    """What an old edition of Vortex cannot hold is refused in a sentence of ours."""
    here.needs("xwalk-engine-vortex")
    yield here.tests("io/vortex_editions_test.py", patience=600, memory=2000)
