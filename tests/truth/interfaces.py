"""The interfaces of the library: the program, the module and the C interface. What one says the others say.

The module answers in this process, which is some ten times as fast as a program per question. The others run a
sample of the trips.
"""
import ctypes
import functools
import json
import pathlib
import subprocess
import sys

import yt_tables

#: What an error says if it asks for consent to `allow="lossy"`.
ALTERED = ("values would be changed", "would be dropped: not in the")
#: What the program ends with where the module raises this.
CODES = {"UsageError": 2, "InputError": 3, "UnsupportedError": 4, "IoError": 74, "InternalError": 70, "Interrupted": 130}
#: The same for the codes of the C interface.
CODES_OF_C = [0, 2, 3, 4, 74, 130, 70]


class Answer:
    """What an interface says: the exit code that the program ends with, words on a failure, a report, and the path of each row
    that was left out."""

    def __init__(self, code, words="", report=None, refused=None):
        self.code, self.words, self.refused, self._report = code, words, refused or {}, report

    @functools.cached_property
    def report(self):
        """The report as a dict, which the module makes on demand."""
        return self._report.to_dict() if hasattr(self._report, "to_dict") else self._report

    @functools.cached_property
    def verdict(self):
        """Of `check` and `convert`, or None without a report."""
        return self._report and (self._report["verdict"] if isinstance(self._report, dict) else self._report.verdict)


def words_of(options):
    """Options of the module as arguments of the program."""
    out = []
    for name, value in options.items():
        if name == "annotations":
            out += [] if value else ["--no-annotations"]
        elif isinstance(value, dict):
            out += [word for path, what in value.items() for word in ("--" + name, f"{path}={what}")]
        elif value is True:
            out.append("--" + name.replace("_", "-"))
        else:
            out += ["--" + name.replace("_", "-"), str(value)]
    return out


def plan_options(options):
    """Those that bear on what a schema becomes."""
    return {name: value for name, value in options.items() if name not in ("batch_rows", "threads")}


def rejects_of(path):
    if not path.exists():
        return {}
    rows = yt_tables.yson.loads(path.read_bytes(), yson_type="list_fragment", encoding="utf-8")
    return {int(row["row"]): str(row["path"]) for row in rows}


def words_in(told):
    """The error of a line of JSON, if it is one: other interfaces have the path in front of it."""
    try:
        return json.loads(told)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return told


class Program:
    """`xwalk` itself."""

    def __init__(self, path):
        self.path = path

    def run(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def _reported(self, *words):
        code, out, err = self.run(*words, "--json")
        return Answer(code, err.strip(), json.loads(out) if code in (0, 1) else None)

    def check(self, system, source, target_system, options):
        return self._reported("check", source, "--from", system, "--to", target_system, *words_of(plan_options(options)))

    def check_rows(self, system, source, target_system, options):
        return self._reported("check", source, "--rows", "--from", system, "--to", target_system, *words_of(plan_options(options)))

    def schema(self, source):
        """Replaces a file in requests about its schema."""
        return source

    def diff(self, left, right):
        return self._reported("diff", left, right)

    def compat(self, old, new):
        return self._reported("compat", old, new)

    def convert(self, system, source, target_system, target, options):
        rejects = target.with_name("rejects.yson")
        rejects.unlink(missing_ok=True)
        code, _, err = self.run("convert", source, target, "--from", system, "--to", target_system, "--on-error", "skip",
                                "--rejects", rejects, "--json", *words_of(options))
        told = err.rstrip("\n").split("\n")[-1]
        report = json.loads(told) if code == 0 and told.startswith("{") else None
        return Answer(code, words_in(err.strip()), report, rejects_of(rejects))


class Module:
    """The Python module of the same build."""

    def __init__(self, program):
        folder = pathlib.Path(program).resolve().parent / "python"
        if not (folder / "xwalk").exists():
            raise ImportError(f"no module in {folder}")
        sys.path.insert(0, str(folder))
        import xwalk

        self.xwalk = xwalk

    def _answer(self, ask):
        try:
            return ask()
        except self.xwalk.Error as error:
            # A request for consent to changed values has the code of a verdict.
            altered = any(words in error.message for words in ALTERED)
            return Answer(1 if altered else next(CODES[kind.__name__] for kind in type(error).__mro__ if kind.__name__ in CODES), str(error))

    def check(self, system, source, target_system, options):
        def ask():
            report = self.xwalk.check(source, target_system, system, **plan_options(options)).to_dict()
            return Answer(1 if report["verdict"] in ("lossy", "unsupported") else 0, "", report)
        return self._answer(ask)

    def check_rows(self, system, source, target_system, options):
        def ask():
            return Answer(0, "", self.xwalk.check(str(source), target_system, system, rows=True, **plan_options(options)))
        return self._answer(ask)

    def schema(self, source):
        """The schema of a file, read once."""
        return self.xwalk.Schema.read(source)

    def diff(self, left, right):
        def ask():
            found = self.xwalk.diff(left, right)
            return Answer(0 if found.same else 1, "", found)
        return self._answer(ask)

    def compat(self, old, new):
        def ask():
            found = self.xwalk.compat(old, new)
            return Answer(0 if found.answer == "compatible" else 1, "", found)
        return self._answer(ask)

    def merge(self, first, second):
        """The merged schema as text, or None."""
        try:
            return self.xwalk.merge(self.xwalk.Schema.read(first), self.xwalk.Schema.read(second)).dump()
        except self.xwalk.InputError:
            return None

    def convert(self, system, source, target_system, target, options):
        def ask():
            done = self.xwalk.convert(source, target, format=system, to=target_system, on_error="skip", **options)
            return Answer(0, "", done.report, {row["row"]: row["path"] for row in done.rejects})
        return self._answer(ask)


class _CError(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), *((name, ctypes.c_char_p) for name in ("message", "hint", "text", "file", "path")),
                *((name, ctypes.c_int64) for name in ("line", "column", "byte", "row", "table"))]


class _CReport(ctypes.Structure):
    _fields_ = [("grade", ctypes.c_int32), *((name, ctypes.c_char_p) for name in ("verdict", "summary", "json")),
                ("rows", ctypes.c_int64), ("rejected", ctypes.c_int64)]


class _Stream(ctypes.Structure):
    """An opaque ArrowArrayStream."""

    _fields_ = [(name, ctypes.c_void_p) for name in ("get_schema", "get_next", "get_last_error", "release", "private_data")]


class C:
    """The C interface of the same build. It has no verb for a file's schema: rows only."""

    READING = ("batch_rows",)

    def __init__(self, program):
        self.interface = ctypes.CDLL(str(pathlib.Path(program).resolve().parent / "libxwalk.so"))

    def _failure(self, code, error):
        words = error.contents.text.decode() if error else ""
        self.interface.xwalk_error_free(error)
        altered = any(some in words for some in ALTERED)
        return Answer(1 if altered else CODES_OF_C[code], words)

    def convert(self, system, source, target_system, target, options):
        rejects = target.with_name("rejects-c.yson")
        rejects.unlink(missing_ok=True)
        reading = {"format": "yson" if system == "yt" else system, "on_error": "skip",
                   **{name: value for name, value in options.items() if name in self.READING}}
        writing = {"to": target_system, "on_error": "skip", "rejects": str(rejects),
                   **{name: value for name, value in options.items() if name not in self.READING}}
        stream, error, report = _Stream(), ctypes.POINTER(_CError)(), ctypes.POINTER(_CReport)()
        code = self.interface.xwalk_rows_open(str(source).encode(), json.dumps(reading).encode(), ctypes.byref(stream),
                                            ctypes.byref(error))
        if code:
            return self._failure(code, error)
        code = self.interface.xwalk_rows_write(ctypes.byref(stream), str(target).encode(), None, json.dumps(writing).encode(),
                                             ctypes.byref(report), ctypes.byref(error))
        if code:
            return self._failure(code, error)
        told = json.loads(report.contents.json)
        self.interface.xwalk_report_free(report)
        return Answer(0, "", told, rejects_of(rejects))
