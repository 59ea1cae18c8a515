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
