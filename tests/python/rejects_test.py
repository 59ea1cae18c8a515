"""Every row is delivered or rejected, for every format, number of threads and interface.

Random tables of which some rows are bad, at the top or inside: bytes that are not a row of the schema, or values that the
target has no place for. This test knows which, since it made them. Each input goes through the module with 1, 2 and 8
threads, and now and then through the program and the C library. The rejects must be the same ones, for the same reasons,
and read again as rows.
"""
import ctypes
import datetime
import json
import os
import pathlib
import random
import re
import tempfile

import pytest

from tests import harness
from tests.harness import WITH_PLUGIN

harness.use_module()
import pyarrow as pa  # noqa: E402
import xwalk  # noqa: E402

#: Random inputs, from the first seed on; Lance and Vortex are slower, and not among them unless asked for.
INPUTS, FIRST = int(os.environ.get("XWALK_INPUTS", "150")), int(os.environ.get("XWALK_SEED", "1"))
scratch = tempfile.TemporaryDirectory(prefix="xwalk-rejects-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
FOLDER = pathlib.Path(scratch.name)
REJECTS = ("<strict=%false>[{name=row;type=int64};{name=reason;type=utf8};{name=path;type=string};"
           "{name=value;type=any};{name=source;type=string}]")


def problem(seed, *words):
    pytest.fail(f"seed {seed}: " + " ".join(str(word) for word in words)[:500])


class Sink:
    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data += bytes(data)


# --- YSON rows that are damaged ----------------------------------------------------------------------------
class YsonInput:
    """Rows of a random schema. A bad one has a value of another type at a random depth, an unknown column, a missing one,
    or a column twice. The end of a row stays the same."""

    SCALARS = ("int64", "uint8", "utf8", "double", "bool", "string", "date")

    def __init__(self, random):
        self.random = random
        self.types = [self.type(random.randrange(4)) for _ in range(random.randint(1, 4))]
        self.schema = "[{name=id;type_v3=int64};" + "".join(
            f"{{name=c{n};type_v3={self.words(kind)}}};" for n, kind in enumerate(self.types)) + "]"
        self.bad = set()
        self.rows = random.choice((0, 1, 5, 40, 300))
        text = []
        for row in range(self.rows):
            bad = random.random() < random.choice((0.02, 0.2, 0.7))
            if bad:
                self.bad.add(row)
            text.append(self.row(row, bad) + random.choice((";", ";\n", " ;\n ")))
        self.data = "".join(text).encode("latin-1")
        self.options = {"format": "yson", "schema": self.schema}
        self.ending = "yson"

    def type(self, depth):
        if depth == 0:
            return self.random.choice(self.SCALARS)
        kind = self.random.choice(("optional", "list", "struct", "dict", "tuple", "variant"))
        inner = [self.type(depth - 1) for _ in range(1 if kind in ("optional", "list", "dict") else 2)]
        return kind, inner

    def words(self, kind):
        if isinstance(kind, str):
            return kind
        name, inner = kind
        words = [self.words(one) for one in inner]
        if name in ("optional", "list"):
            return f"{{type_name={name};item={words[0]}}}"
        if name == "dict":
            return f"{{type_name=dict;key=utf8;value={words[0]}}}"
        if name == "tuple":
            return "{type_name=tuple;elements=[" + "".join(f"{{type={one}}};" for one in words) + "]}"
        return f"{{type_name={name};members=[" + "".join(f"{{name=m{n};type={one}}};" for n, one in enumerate(words)) + "]}"

    def value(self, kind, bad):
        """Returns a value; a bad one is bad exactly here or below."""
        random = self.random
        if isinstance(kind, str):
            return random.choice(self.wrong(kind)) if bad else {
                "int64": lambda: str(random.randint(-9, 2**62)), "uint8": lambda: f"{random.randrange(256)}u",
                "utf8": lambda: '"t\\"};[x"', "double": lambda: repr(random.random()), "bool": lambda: "%true",
                "string": lambda: '"\\xff;}"', "date": lambda: f"{random.randrange(40000)}u"}[kind]()
        name, inner = kind
        if name == "optional":
            # Nothing below may be one of the nested ones that are lists of one.
            if isinstance(inner[0], tuple) and inner[0][0] in ("optional",):
                return "[" + self.value(inner[0], bad) + "]"
            return self.value(inner[0], True) if bad else random.choice(("#", self.value(inner[0], False)))
        if name in ("list", "dict"):
            count = random.randint(1, 4) if bad else random.randrange(4)
            at = random.randrange(count) if bad else -1
            items = [self.value(inner[0], n == at) for n in range(count)]
            if name == "dict":
                items = [f'["k{n}";{item}]' for n, item in enumerate(items)]
            return "[" + ";".join(items) + "]"
        at = random.randrange(2) if bad else -1
        if name == "variant":
            at = random.randrange(2)
            return f"[m{at};{self.value(inner[at], bad)}]"
        items = [self.value(one, n == at) for n, one in enumerate(inner)]
        if name == "tuple":
            return "[" + ";".join(items) + "]"
        return "{" + ";".join(f"m{n}={item}" for n, item in enumerate(items)) + "}"

    @staticmethod
    def wrong(kind):
        """Values that are invalid for a type, including `#` if the type is not nullable."""
        return {"int64": ('"x"', "{}", "9223372036854775808u"), "uint8": ("256u", "-1", '""'),
                "utf8": ('"\\xff"', "1", "[]"), "double": ('"1.0"', "{}"), "bool": ("1", '"true"'),
                "string": ("1", "%true", "[a]"), "date": ('"2020-01-01"', "49673u", "-1")}[kind]

    def row(self, row, bad):
        columns = [f"id={row}"] + [None] * len(self.types)
        how = self.random.randrange(5) if bad else -1
        at = self.random.randrange(len(self.types))
        for n, kind in enumerate(self.types):
            columns[n + 1] = f"c{n}={self.value(kind, bad and how < 2 and n == at)}"
        if how == 2:
            columns.append("unknown={a=[1;2]}")
        if how == 3:
            columns.append(columns[at + 1])
        if how == 4:
            columns.append("id=7" if self.random.random() < 0.5 else "z=%nothing")
        return "{" + ";".join(columns) + "}"


# --- values that the target has no place for -------------------------------------------------------------------
class ArrowInput:
    """Rows whose values are good in their own format; a bad one is beyond the narrower type that the target asks for."""

    NARROW = (("int64", pa.int64(), "int8", lambda r, bad: r.choice((128, -129, 2**40)) if bad else r.randint(-128, 127)),
              ("int32", pa.int32(), "uint16", lambda r, bad: r.choice((-1, 65536)) if bad else r.randint(0, 65535)),
              ("binary", pa.binary(), "utf8", lambda r, bad: b"a\xff" if bad else b"text"),
              ("date", pa.date32(), "date", lambda r, bad: datetime.date(1969, 12, 31) if bad else datetime.date(2020, 2, 2)),
              ("double", pa.float64(), "float", lambda r, bad: 1e300 if bad else 0.5))
    FORMATS = ("arrow-stream", "arrow", "parquet")

    def __init__(self, random, format=None):
        self.random = random
        self.rows = random.choice((0, 1, 7, 60, 400))
        count = random.randint(1, 3)
        self.columns = [(random.choice(self.NARROW[:4]), random.choice(("plain", "list", "struct", "nested", "map")))
                        for _ in range(count)]
        share = random.choice((0.02, 0.2, 0.7))
        self.bad = {row for row in range(self.rows) if random.random() < share}
        values = {"id": pa.array(range(self.rows), pa.int64())}
        schema = ["{name=id;type_v3=int64}"]
        for n, ((_, arrow, narrow, make), shape) in enumerate(self.columns):
            # Each bad row is bad in one column at least: the first.
            column = [self.value(make, shape, row in self.bad and (n == 0 or random.random() < 0.3)) for row in range(self.rows)]
            values[f"c{n}"] = pa.array(column, self.arrow(arrow, shape))
            schema.append(f"{{name=c{n};type_v3={self.words(narrow, shape)}}}")
        table = pa.table(values)
        self.schema = "[" + ";".join(schema) + "]"
        format = format or random.choice(self.FORMATS if WITH_PLUGIN else ("skiff",))
        sink = Sink()
        batches = table.to_batches(max_chunksize=random.choice((1, 3, 50, 1000)))
        reader = pa.RecordBatchReader.from_batches(table.schema, batches)
        if format == "lance" or format == "vortex":
            self.data = str(FOLDER / f"in.{format}")
            xwalk.convert(reader, self.data, mode="overwrite")
            self.options = {}
        else:
            xwalk.convert(reader, sink, to=format, **({"row_group_rows": random.choice((1, 10, 1000))} if format == "parquet" else {}))
            self.data = sink.data
            self.options = {"format": format}
        if format == "skiff":
            self.options["schema"] = xwalk.convert(reader_of(table), Sink(), to="skiff").schema.dump()
        self.ending = {"arrow-stream": "arrows"}.get(format, format)

    def value(self, make, shape, bad):
        r = self.random
        if shape == "plain":
            return make(r, bad)
        if shape == "struct":
            return {"a": make(r, False), "b": make(r, bad)}
        count = r.randint(1, 3) if bad else r.randrange(3)
        at = r.randrange(count) if bad else -1
        items = [make(r, n == at) for n in range(count)]
        if shape == "map":
            return [(f"k{n}", item) for n, item in enumerate(items)]
        if shape == "nested":
            return [{"a": [item]} for item in items]
        return items

    @staticmethod
    def arrow(arrow, shape):
        return {"plain": arrow, "list": pa.list_(arrow), "map": pa.map_(pa.string(), arrow),
                "struct": pa.struct([("a", arrow), ("b", arrow)]),
                "nested": pa.list_(pa.struct([("a", pa.list_(arrow))]))}[shape]

    @staticmethod
    def words(narrow, shape):
        def optional(item):
            return f"{{type_name=optional;item={item}}}"

        def struct(*members):
            return "{type_name=struct;members=[" + "".join(f"{{name={m};type={optional(t)}}};" for m, t in members) + "]}"

        def items(item):
            return f"{{type_name=list;item={optional(item)}}}"

        return optional({"plain": lambda: narrow, "list": lambda: items(narrow), "struct": lambda: struct(("a", narrow), ("b", narrow)),
                         "map": lambda: f"{{type_name=dict;key=utf8;value={optional(narrow)}}}",
                         "nested": lambda: items(struct(("a", items(narrow))))}[shape]())


def reader_of(table):
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches())


class SkiffInput(ArrowInput):
    """Skiff rows that say more than the narrower table schema beside the target has."""

    def __init__(self, random):
        super().__init__(random, "skiff")


# --- one input through all interfaces -------------------------------------------------------------------------------
def outcome(given, to, threads, rejects, **options):
    rejects.unlink(missing_ok=True)
    sink = Sink()
    target = None if isinstance(given, YsonInput) else xwalk.Schema.parse(given.schema, "yt")
    done = xwalk.convert(given.data, sink, to=to, target_schema=target, threads=threads,
                         **{**given.options, "on_error": "skip", **({} if "on_error" in options else {"rejects": str(rejects)}), **options})
    kept = b"" if "on_error" in options else rejects.read_bytes()
    rejects.unlink(missing_ok=True)
    return done, sink.data, kept


@pytest.mark.parametrize("seed", range(FIRST, FIRST + INPUTS))
def test_input(seed):
    source = random.Random(seed)
    kinds = [YsonInput, YsonInput, ArrowInput, SkiffInput] if WITH_PLUGIN else [YsonInput, SkiffInput]
    if harness.ALL and seed % 50 == 0:
        given = ArrowInput(source, source.choice(("lance", "vortex")))
    else:
        given = source.choice(kinds)(source)
    to = source.choice(("yson", "skiff", "parquet", "arrow-stream") if WITH_PLUGIN else ("yson", "skiff"))
    if not isinstance(given, YsonInput):
        to = "yson"  # the target's schema is one of YTsaurus
    batch_rows = source.choice((1, 7, 64, 65536))
    rejects = FOLDER / f"rejects-{seed}.yson"
    first = None
    for threads in (1, 2, 8):
        try:
            done, data, kept = outcome(given, to, threads, rejects, batch_rows=batch_rows)
        except xwalk.Error as error:
            # A conversion that accepts no row fails.
            if len(given.bad) == given.rows and "no row was accepted" in error.message:
                return
            problem(seed, given.ending, to, threads, "failed:", error)
        rows = [reject["row"] for reject in done.rejects]
        if done.rows + len(rows) != given.rows:
            problem(seed, given.ending, to, threads, done.rows, "+", len(rows), "of", given.rows)
        if rows != sorted(given.bad):
            problem(seed, given.ending, to, threads, "expected", sorted(given.bad ^ set(rows))[:5], given.schema)
        said = [(reject["row"], reject["path"], reject["reason"]) for reject in done.rejects]
        same = (said, data if to in ("yson", "skiff") else done.rows, kept)
        first = first or (same, done)
        if same != first[0]:
            problem(seed, given.ending, to, threads, "threads differ:", [pair for pair in zip(said, first[0][0])
                                                                          if pair[0] != pair[1]][:2])
    said, _, kept = first[0]
    # Rejects are rows, with the reported numbers and reasons.
    again = pa.RecordBatchReader.from_stream(xwalk.open(kept, format="yson", schema=REJECTS)).read_all()
    told = [(row["row"], row["path"].decode() if row["path"] else "", row["reason"]) for row in again.to_pylist()]
    if told != [(row, path or "", reason) for row, path, reason in said]:
        problem(seed, given.ending, "rejects read again:", told[:2], said[:2])
    if any((row["value"] is None) == (row["source"] is None) for row in again.to_pylist()):
        problem(seed, given.ending, "a reject is without its row")
    # The rows that were delivered are the others, and in order.
    if to == "yson":
        delivered = pa.RecordBatchReader.from_stream(xwalk.open(first_output(given, to), format="yson", schema=given.schema)
                                                     ).read_all().column("id").to_pylist()
        if delivered != [row for row in range(given.rows) if row not in given.bad]:
            problem(seed, given.ending, "delivered", delivered[:5])
    # The limit is exact at any number of threads, and the first bad row is the error if none are allowed.
    if said:
        for threads in (1, 2, 8):
            limits_are_exact(seed, given, to, threads, rejects, said, batch_rows)
        try:
            outcome(given, to, 2, rejects, on_error="fail", batch_rows=batch_rows)
            problem(seed, given.ending, "bad rows were let through")
        except xwalk.InputError as error:
            # The message counts the rows of the batch that are bad for the same reason.
            message = re.sub(r" \(\d+ of \d+ rows read together\)$", "", error.message)
            if (error.row, error.path, message) != (said[0][0], said[0][1] or "", said[0][2]):
                problem(seed, given.ending, "the first bad row", (error.row, error.path, error.message), said[0])
        rejects.unlink(missing_ok=True)
    if seed % 10 == 0:
        by_program(seed, given, to, said)
        by_c(seed, given, to, said)


def limits_are_exact(seed, given, to, threads, rejects, said, batch_rows):
    bad = len(said)
    for limit, passes in ((bad, True), (bad - 1, False)):
        try:
            outcome(given, to, threads, rejects, max_rejects=limit, batch_rows=batch_rows)
            if not passes:
                problem(seed, given.ending, threads, "max_rejects", limit, "of", bad, "was let through")
        except xwalk.InputError as error:
            if passes or f"more than {limit} bad rows" not in error.message or error.row != said[-1][0]:
                problem(seed, given.ending, threads, "max_rejects", limit, "of", bad, error)
            elif rejects.exists() and rejects.read_bytes().count(b"\n") != limit:
                problem(seed, given.ending, threads, "max_rejects", limit, "kept", rejects.read_bytes().count(b"\n"), "rejects")
            rejects.unlink(missing_ok=True)


def first_output(given, to):
    return outcome(given, to, 1, FOLDER / "again.yson")[1]


def written(given):
    """Puts an input where programs find it."""
    path = FOLDER / f"in.{given.ending}"
    if not isinstance(given.data, str):
        path.write_bytes(given.data)
    words = []
    if "schema" in given.options:
        (FOLDER / "in.schema").write_text(given.options["schema"])
        words = ["--schema", str(FOLDER / "in.schema")]
    return path, words


def by_program(seed, given, to, said):
    path, words = written(given)
    if not isinstance(given, YsonInput):
        words += ["--to-schema", given.schema]
    if "format" in given.options:
        words += ["--from", given.options["format"]]
    out, rejects = FOLDER / "out", FOLDER / "program-rejects.yson"
    done = harness.run("convert", path, out, "--to", to, "--on-error", "skip", "--rejects", rejects, "--json",
                       "--mode", "overwrite", "--threads", "2", *words)
    summary = json.loads(done.stderr.splitlines()[-1])
    if (summary["rows"], summary["rejected"]) != (given.rows - len(said), len(said)) or rejects.read_bytes().count(b"\n") != len(said):
        problem(seed, given.ending, to, "the program says", summary["rows"], summary["rejected"], "expected", len(said), "rejected")


class Stream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p), ("get_last_error", ctypes.c_void_p),
                ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p)]


class CReport(ctypes.Structure):
    _fields_ = [("grade", ctypes.c_int), ("verdict", ctypes.c_char_p), ("summary", ctypes.c_char_p), ("json", ctypes.c_char_p),
                ("rows", ctypes.c_int64), ("rejected", ctypes.c_int64)]


C = ctypes.CDLL(str(harness.BUILD / "libxwalk.so")) if (harness.BUILD / "libxwalk.so").exists() else None
if C:
    C.xwalk_rows_rejected.restype = ctypes.c_int64


def by_c(seed, given, to, said):
    """Rejected rows are counted both when reading and when writing."""
    if not C:
        return
    path, _ = written(given)
    stream, report, target = Stream(), ctypes.POINTER(CReport)(), ctypes.c_void_p()
    if not isinstance(given, YsonInput):
        C.xwalk_schema_parse(given.schema.encode(), len(given.schema), b"yt", ctypes.byref(target), None)
    options = {**{key: value for key, value in given.options.items()}, "on_error": "skip"}
    rejects = FOLDER / "c-rejects.yson"
    code = C.xwalk_rows_open(str(path).encode(), json.dumps(options).encode(), ctypes.byref(stream), None)
    code = code or C.xwalk_rows_write(ctypes.byref(stream), str(FOLDER / "c-out").encode(), target,
                                      json.dumps({"to": to, "on_error": "skip", "mode": "overwrite", "rejects": str(rejects)}).encode(),
                                      ctypes.byref(report), None)
    if code != 0:
        problem(seed, given.ending, to, "C failed:", code)
    rows = report.contents.rows, report.contents.rejected
    if rows != (given.rows - len(said), len(said)):
        problem(seed, given.ending, to, "C says", rows, "expected", len(said), "rejected")
    C.xwalk_report_free(report)
    C.xwalk_schema_free(target)
