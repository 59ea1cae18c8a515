"""The conversions: pairs and modes, the files before, and the allowed files after."""
import collections
import hashlib
import itertools
import os
import re
import shutil
import threading
import time

from bench import STAGED, remove, staged

EXTENSIONS = {"yt": "yson", "skiff": "skiff", "parquet": "parquet", "arrow": "arrow", "lance": "lance", "vortex": "vortex"}
ENGINES = {"lance", "vortex"}
#: Rows go beside their schema.
SIDES = {"yt", "skiff"}
MODES = ("fresh", "overwrite", "append", "tables", "rejects")
OLD_SCHEMA = "[{name=a;type_v3=double};{name=s;type_v3=utf8}]"
NEW_SCHEMA = ("[{name=a;type_v3=int64};{name=s;type_v3=utf8};{name=d;type_v3={type_name=optional;item=double}};"
              "{name=l;type_v3={type_name=list;item=int64}}]")


def new_rows(count):
    return "".join(f'{{a={n};s="new {n}";d={n}.5;l=[{n};2]}};\n' for n in range(count))


def can(source, target, mode):
    """Whether a pair has a mode."""
    if mode == "append":
        return target != "vortex"
    if mode == "tables":
        return source in SIDES
    return mode != "rejects" or source == "yt"


def pairs(with_engines):
    systems = [name for name in EXTENSIONS if with_engines or name not in ENGINES]
    return [(source, target) for source in systems for target in systems]


def in_turns(sequences, count):
    """Yields so many of each sequence in turn, until all have ended."""
    waiting = collections.deque(sequences)
    while waiting:
        sequence = waiting.popleft()
        part = list(itertools.islice(sequence, count))
        yield from part
        if len(part) == count:
            waiting.append(sequence)


class Cases:
    """The cases of a campaign, each made once."""

    def __init__(self, bench):
        self.bench, self.made, self.lock = bench, {}, threading.Lock()

    def get(self, source, target, mode, rows, **options):
        with self.lock:
            key = source, target, mode
            if key not in self.made:
                self.made[key] = Case(self.bench, source, target, mode, rows, **options)
            return self.made[key]


class Case:
    """One pair in one mode: `words` of the command, a folder as it is before, and the states before and after."""

    def __init__(self, bench, source, target, mode, rows, host=True):
        self.bench, self.target, self.mode = bench, target, mode
        self.name = f"{source} {target} {mode}"
        end = EXTENSIONS[target]
        name, out = f"in.{EXTENSIONS[source]}", f"out.{end}"
        self.template = bench.new_folder("case")
        make(bench, self.template, source, name, rows, mode)
        self.outputs = [out]
        more = []
        if mode == "overwrite":
            put(bench, self.template, "old.yson", OLD_SCHEMA, "".join(f'{{a={n}.5;s="old"}};\n' for n in range(50)), out)
            more = ["--mode", "overwrite"]
        elif mode == "append":
            if target in ("parquet", "arrow"):
                (self.template / "out").mkdir()
                put(bench, self.template, "old.yson", NEW_SCHEMA, new_rows(50), f"out/part-00000-1.{end}")
                out, more = "out", ["--to", target]
                self.outputs = [out]
            else:
                put(bench, self.template, "old.yson", NEW_SCHEMA, new_rows(50), out)
            more += ["--mode", "append"]
        elif mode == "tables":
            out, more = f"out-{{table}}.{end}", ["--mode", "overwrite"]
            self.outputs = [f"out-{n}.{end}" for n in range(2)]
            put(bench, self.template, "old.yson", OLD_SCHEMA, '{a=1.5;s="old"};', self.outputs[0])
        elif mode == "rejects":
            more = ["--on-error", "skip", "--rejects", "rejects.yson"]
        self.words = ["convert", name, out, *more]
        self.before = self.state(self.template)
        folder = self.folder()
        began = time.monotonic()
        self.first = bench.run(self.words, folder, shim={}, host=host)
        self.seconds = time.monotonic() - began
        if self.first.code != 0:
            raise RuntimeError(f"{self.name}: {self.first.words}")
        self.wanted = self.state(folder)
        remove(folder)

    def folder(self):
        """Makes a folder as it is before."""
        folder = self.bench.new_folder()
        shutil.copytree(self.template, folder, dirs_exist_ok=True)
        return folder

    def state(self, folder):
        """Returns the contents of each name: bytes of files, rows of datasets and of outputs that differ in each run."""
        out = {}
        for entry in sorted(os.listdir(folder)):
            path = folder / entry
            if STAGED in entry:
                continue
            if path.is_dir() and not (path / "_versions").is_dir():
                # The names of files that are added have random parts.
                parts = [part for part in sorted(os.listdir(path)) if STAGED not in part]
                out.update({f"{entry}/{number}": digest(path / part) for number, part in enumerate(parts)})
            elif path.is_dir() or entry.endswith(".vortex"):
                out[entry] = self.rows_of(path)
            else:
                out[entry] = digest(path)
        return out

    #: Rows of what engines wrote, by what identifies it.
    known = {}
    lock = threading.Lock()

    def rows_of(self, path):
        if path.is_dir():
            key = tuple((name, digest(path / "_versions" / name)) for name in sorted(os.listdir(path / "_versions")))
        else:
            key = digest(path)
        with self.lock:
            if key in self.known:
                return self.known[key]
        run = self.bench.run(["convert", path.name, "-", "--to", "yt"], path.parent, stdout=-1)
        rows = hashlib.md5(run.out).hexdigest() if run.code == 0 else f"unreadable: {run.words}"
        with self.lock:
            self.known[key] = rows
        return rows

    def judge(self, folder, run, killed=False):
        """Returns how it ended ("before", "whole", "refused", "between") and the promises that were broken."""
        after = self.state(folder)
        if after == self.before:
            return "before", ["it says that all went well, and nothing is there"] if run.code == 0 else []
        if after == self.wanted:
            return "whole", [] if run.code == 0 or killed else [f"it says {run.code}, and all is there"]
        broken = []
        # Between two renames each name is old or new, and rows beside the schema of others are refused.
        for name in sorted({*after, *self.before, *self.wanted}):
            if after.get(name) not in (self.before.get(name), self.wanted.get(name)):
                broken.append(f"{name} is neither old nor new: {after.get(name)}")
        if not killed:
            broken.append(f"the outputs are of two runs: {differences(after, self.before)}")
        for output in self.outputs:
            if output not in after:
                continue
            pair = [name for name in (output, re.sub(r"(\.\w+)$", r"\1.schema", output)) if name in {*after, *self.wanted}]
            states = [{"old" * (after.get(name) == self.before.get(name)), "new" * (after.get(name) == self.wanted.get(name))}
                      for name in pair]
            if not set.intersection(*states) - {""}:
                shown = self.bench.run(["head", output], folder)
                if shown.code != 3 or "the schema of other rows" not in shown.words:
                    broken.append(f"{output} and its schema are of two runs, and are read: {shown.code} {shown.words}")
        return "between", broken

    def leftovers(self, folder, killed):
        """Returns leftover files that the next run does not remove."""
        for left in {(folder / name).parent for name in staged(folder)} if killed else ():
            (folder / "probe.yson").write_text("{a=1};")
            self.bench.run(["convert", "probe.yson", str(left / "probe.skiff"), "--schema", "[{name=a;type=int64}]"], folder)
        return [f"left behind: {name}" for name in [*staged(folder), *unversioned(folder)]]


def unversioned(folder):
    """Lists the data of Lance datasets that no version of theirs names."""
    for data in folder.glob("*/data/*"):
        if not any(data.name.encode() in path.read_bytes() for path in data.parent.parent.glob("_versions/*.manifest")):
            yield str(data.relative_to(folder))


def differences(a, b):
    return sorted(name for name in {*a, *b} if a.get(name) != b.get(name))


def digest(path):
    return hashlib.md5(path.read_bytes()).hexdigest()


def put(bench, folder, name, schema, rows, out):
    """Writes rows to a name as another format."""
    (folder / name).write_text(rows)
    if name != out:
        run = bench.run(["convert", name, out, "--schema", schema, "--from", "yt", *(["--to", "yt"] * out.endswith("yson"))], folder)
        if run.code != 0:
            raise RuntimeError(f"{name} to {out}: {run.words}")
        (folder / name).unlink()


def make(bench, folder, source, name, rows, mode):
    """Makes the input of a case."""
    text = new_rows(rows)
    if mode == "tables":
        half = rows // 2
        text = f"<table_index=0>#;\n{new_rows(half)}<table_index=1>#;\n{new_rows(half)}"
    elif mode == "rejects":
        text += '{a="no number";s=1};\n'
    if source == "yt":
        (folder / name).write_text(text)
        (folder / f"{name}.schema").write_text(NEW_SCHEMA)
    elif source == "skiff" and mode == "tables":
        put(bench, folder, "rows.yson", NEW_SCHEMA, new_rows(rows), name)
    else:
        put(bench, folder, "rows.yson", NEW_SCHEMA, text, name)
