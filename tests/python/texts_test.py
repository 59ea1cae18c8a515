"""What the package prints of types and schemas, it reads again: every kind of every system, in every form."""
import inspect
import json
import os
import pathlib
import sys

import pytest

from tests import harness

XWALK = harness.PROGRAM
harness.use_module()
sys.path.insert(0, str(XWALK.parent / "python"))

import xwalk  # noqa: E402
import xwalk.vortex  # noqa: E402

SYSTEMS = ("yt", "skiff", "parquet", "lance", "vortex", "arrow", "iceberg", "delta")
#: Lines for a shell, for people, and a form with fewer places than the schema has.
NO_SCHEMA = {"commands", "row-spec", "table"}


class TestTexts:
    @classmethod
    def setup_class(cls):
        cls.pairs = json.loads(harness.run("types", "--json").stdout)

    def test_types(self):
        """As a type, and as the schema of one column."""
        texts = {(row[end], row[text]) for row in self.pairs for end, text in (("from", "source"), ("to", "target")) if row[text]}
        assert {system for system, _ in texts} == set(SYSTEMS)
        for system, text in sorted(texts):
            assert len(xwalk.Schema.parse_type(text, system).names) == 1
            # The root of a table in Skiff is a tuple.
            if system != "skiff":
                xwalk.Schema.parse(text, system)

    def test_schemas(self):
        for system, text in sorted({(row["from"], row["source"]) for row in self.pairs}):
            source = xwalk.Schema.parse_type(text, system)
            for to in SYSTEMS:
                try:
                    written = source.to(to).schema
                except xwalk.UnsupportedError:
                    continue
                for form in set(written.forms) - NO_SCHEMA:
                    printed = written.dump(form)
                    assert xwalk.Schema.parse(printed, to).dump(form) == printed

    @pytest.mark.parametrize("text", ["decimal128(5, 2) not null", "string [arrow.json]", "struct<a: int64 not null> not null", "int64"])
    def test_program(self, text):
        done = harness.try_run("schema", "-", "--from", "arrow", input=text)
        assert (done.returncode, done.stdout.strip()) == (0, f"value: {text}"), done.stderr


class TestNamesThatAreNotText:
    """Names of columns with bytes that are not UTF-8, which YTsaurus allows."""

    SCHEMA = r'[{name="\xff";type=int64};{name="a\x80b";type_v3={type_name=list;item=utf8}};{name=c;type=int64}]'
    ROW = rb'{"\xff"=1;"a\x80b"=["x"];c=1};'

    def test_schemas_and_reports(self):
        schema = xwalk.Schema.parse(self.SCHEMA)
        assert schema.names == ["\udcff", "a\udc80b", "c"]
        assert xwalk.Schema.parse(schema.dump()) == schema
        for text in (str(schema), repr(schema), schema._repr_html_(), str(xwalk.diff(schema, "[{name=c;type=utf8}]")),
                     str(xwalk.compat(schema, schema)), str(xwalk.check(schema, "parquet", readers=True))):
            text.encode()
        for system in SYSTEMS:
            written, report = schema.to(system)
            assert len(written.names) == 3
            json.dumps(report.to_dict()).encode()
            for form in ("to_text", "to_html", "to_markdown", "to_junit", "to_github", "_repr_html_", "__str__", "__repr__"):
                getattr(report, form)().encode()

    def test_rows(self, tmp_path):
        rows = xwalk.open(self.ROW, format="yson", schema=xwalk.Schema.parse(self.SCHEMA))
        assert rows.schema.names[0] == "\udcff"
        assert r"\xff" in rows._repr_html_()
        xwalk.convert(rows, tmp_path / "out.yson", yson_format="text")
        assert rb'"\xFF"=1' in (tmp_path / "out.yson").read_bytes()
        assert xwalk.open(self.ROW, format="yson", schema=self.SCHEMA, select=r'"\xff"').schema.names == ["\udcff"]
        with pytest.raises(xwalk.InputError) as caught:
            xwalk.convert(rb'{"\xff"=x};', tmp_path / "bad.yson", format="yson", schema=self.SCHEMA)
        str(caught.value).encode()
        with pytest.raises(xwalk.UsageError, match="select: expected UTF-8, found .*udcff"):
            xwalk.open(self.ROW, format="yson", schema=self.SCHEMA, select="\udcff")
        with pytest.raises(xwalk.UsageError, match="rename: expected UTF-8"):
            xwalk.Schema.parse(self.SCHEMA).to("parquet", rename={"\udcff": "z"})


#: Half of a surrogate pair. It stands for neither text nor a byte: bytes that are not UTF-8 are other halves.
HALF = "\ud800"
#: Ways to put a text into an argument.
SHAPES = {"text": lambda text: text, "list": lambda text: [text], "pair": lambda text: [(text, "a")], "key": lambda text: {text: "int64"},
          "value": lambda text: {"a": text}, "inner": lambda text: {"a": {"b": [("c", text)]}}, "path": pathlib.Path, "schema": lambda text: f"[{{name={text};type=int64}}]"}


def functions():
    """Yields the name of each function and method of the package that takes arguments, and the function."""
    for module in (xwalk, xwalk.vortex):
        for name in getattr(module, "__all__", None) or [name for name in vars(module) if not name.startswith("_")]:
            made = getattr(module, name)
            if inspect.isclass(made):
                if not issubclass(made, (Exception, tuple)):
                    yield from ((f"{name}.{part}", made, part) for part, code in vars(made).items()
                                if not part.startswith("_") and callable(getattr(made, part)))
            elif inspect.isfunction(made) and made.__module__.startswith("xwalk"):
                yield (name, None, made)


class TestHalvesOfPairs:
    """Invalid text, which other programs cannot read, in each argument of each function."""

    @pytest.fixture(autouse=True)
    def files(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "in.yson").write_bytes(b"{a=1};")
        (tmp_path / "in.yson.schema").write_text("[{name=a;type=int64}]")
        schema = xwalk.Schema.parse("[{name=a;type=int64}]")
        #: Something for each argument that has no default.
        self.given = {"source": "in.yson", "target": tmp_path / "out.json", "to": "parquet", "old": schema, "new": schema, "left": schema, "right": schema,
                      "first": schema, "second": schema, "path": "in.yson", "text": "int64", "format": "yt", "word": "range.narrowed", "schema": schema,
                      "operations": [("rename", "a=b")], "dtype": "i64", "value": 1, "data": b"", "frame": None, "paths": "in.yson"}
        report = xwalk.check(schema, "parquet")
        self.objects = {"Schema": schema, "Report": report, "Diff": xwalk.diff(schema, schema), "Compat": xwalk.compat(schema, schema),
                        "Rows": xwalk.open("in.yson"), "Info": xwalk.info("in.yson"), "Validation": xwalk.validate("in.yson")}

    def outcome(self, call, name, value):
        """Returns what a call raises with a value for one of its arguments, or None."""
        parameters = inspect.signature(call).parameters
        given = {other: self.given[other] for other, one in parameters.items()
                 if one.default is one.empty and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and other != name}
        try:
            call(**given, **{name: value})
        except Exception as raised:
            return raised
        return None

    @pytest.mark.parametrize(("owner", "part"), [pytest.param(owner, part, id=name) for name, owner, part in functions()])
    def test_every_argument(self, owner, part, tmp_path):
        if owner is None:
            call = part
        elif isinstance(vars(owner)[part], (classmethod, staticmethod)):
            call = getattr(owner, part)
        elif owner.__name__ in self.objects:
            call = getattr(self.objects[owner.__name__], part)
        else:
            pytest.skip("its methods are those of another class")
        for name, one in inspect.signature(call).parameters.items():
            if one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL, one.POSITIONAL_ONLY):
                continue
            for shape, make in SHAPES.items():
                raised = self.outcome(call, name, make(HALF))
                if isinstance(raised, xwalk.Error):
                    str(raised).encode("utf-8", "backslashreplace")
                    continue
                # An argument of another type.
                plain = self.outcome(call, name, make("plain"))
                assert raised is not None and type(raised) is type(plain) and not isinstance(raised, (UnicodeError, RuntimeError)), (name, shape, repr(raised), repr(plain))
        assert sorted(os.listdir(os.fsencode(tmp_path))) == [b"in.yson", b"in.yson.schema"]

    @pytest.mark.parametrize("call", [lambda: xwalk.Schema.parse("[{name=\ud800;type=int64}]"), lambda: xwalk.open("a\ud800.yson"),
                                      lambda: xwalk.convert("in.yson", "a\ud800.yson"), lambda: xwalk.open("in.yson", storage_options={"endpoint": HALF}),
                                      lambda: xwalk.check("in.yson", "yt", cast={"a": HALF}), lambda: xwalk.explain(HALF)])
    def test_messages(self, call):
        with pytest.raises(xwalk.UsageError, match=r"^(text|source|target|storage_options|cast|word): expected text, found .*\\ud800") as caught:
            call()
        assert "as half of a surrogate pair" in caught.value.hint

    def test_texts_of_other_objects(self, tmp_path):
        """Names and errors of objects that are arguments."""
        class Stream:
            name = HALF

            def read(self, _):
                raise ValueError(HALF)

            def __arrow_c_schema__(self):
                raise ValueError(HALF)

        class Rows:
            def __arrow_c_stream__(self, requested_schema=None):
                raise ValueError(HALF)

        for source in (Stream(), Rows()):
            with pytest.raises(xwalk.Error, match="ValueError"):
                xwalk.convert(source, tmp_path / "out.json", format="yson")
        with pytest.raises(xwalk.Error):
            xwalk.Schema.from_arrow(Stream())

    def test_levels(self):
        deep = "a"
        for _ in range(100_000):
            deep = [deep]
        with pytest.raises(xwalk.UsageError, match="select: expected at most 64 levels"):
            xwalk.open("in.yson", select=deep)
