"""What the package prints of types and schemas, it reads again: every kind of every system, in every form."""
import json
import sys

import pytest

from tests import harness

XWALK = harness.PROGRAM
harness.use_module()
sys.path.insert(0, str(XWALK.parent / "python"))

import xwalk  # noqa: E402

SYSTEMS = ("yt", "skiff", "parquet", "lance", "vortex", "arrow", "iceberg")
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
