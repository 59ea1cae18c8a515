"""Asks every interface for every option that only some formats take, with every format: it is taken, or refused by name.

Which formats take which option is the table of `xwalk formats --json`.
"""
import contextlib
import json
import pathlib
import re

import pytest

from tests import harness

harness.use_module()

import pyarrow as pa  # noqa: E402

import xwalk  # noqa: E402

SCHEMA = "[{name=a;type=int64;required=%true}]"
#: The id of an option, and a value that every format that takes it can do with.
VALUES = {
    "--schema": ("schema", SCHEMA), "--save-schema": ("save_schema", "saved.schema"), "--message": ("message", "message m { required int64 a; }"), "--table": ("table", 0),
    "--version": ("version", 1), "--follow": ("follow", ["/data"]), "--table-index": ("table_index", True), "--range-index": ("range_index", True),
    "--row-index": ("row_index", True), "--end-of-stream": ("end_of_stream", True), "--int96-unit": ("int96_unit", "us"),
    "--complex-type-mode": ("complex_type_mode", "positional"), "--string-keyed-dict-mode": ("string_keyed_dict_mode", "named"),
    "--decimal-mode": ("decimal_mode", "text"), "--time-mode": ("time_mode", "text"), "--uuid-mode": ("uuid_mode", "text_yt"),
    "--uuid-order": ("uuid_order", "raw"), "--tz-form": ("tz_form", "index"), "--decimal-special": ("decimal_special", "null"),
    "--yson-format": ("yson_format", "binary"), "--skip-null-values": ("skip_null_values", True),
    "--compression": ("compression", "zstd"), "--row-group-rows": ("row_group_rows", 5), "--partition-by": ("partition_by", ["a"]),
    "--cluster-version": ("cluster_version", "25.4"), "--yt-attribute": ("yt_attributes", {"optimize_for": "scan"}), "--yt-writers": ("yt_writers", 2),
    "--lance-version": ("lance_version", "2.1"), "--vortex-edition": ("vortex_edition", "core2025.10.0"),
    "--geoparquet": ("geoparquet", True), "--shred": ("shred", "auto"),
    "--csv-formulas": ("csv_formulas", "escape"),
}
FORMATS = {"yson": ".yson", "json": ".json", "skiff": ".skiff", "parquet": ".parquet", "arrow": ".arrow"}
#: What says that neither format takes an option.
REFUSED = re.compile("needs (rows|an output) of ")
#: Options that Arrow takes with a table schema beside it only.
BY_TABLE = {"--schema", "--uuid-order", "--decimal-special"}
#: Options that the program alone has, since the others give a schema as an object.
PROGRAM_ALONE = {"--message"}


def words(option):
    name, value = VALUES[option]
    if value is True:
        return [option]
    if isinstance(value, dict):
        return [word for key, item in value.items() for word in (option, f"{key}={item}")]
    return [option, ",".join(value) if isinstance(value, list) else str(value)]


#: Where the tests run: --save-schema writes a file there.
FOLDER = harness.make_folder("taken-options")
there = harness.work_in(FOLDER)


def shell(*command):
    done = harness.try_run(*command)
    return done.returncode, done.stderr


def readers(row):
    """Returns the formats that take an option if Arrow rows have no table schema next to them."""
    return [name for name in row["read"] if not (name == "arrow" and row["name"] in BY_TABLE - {"--schema"})]


class TestOptions:
    folder = FOLDER

    @classmethod
    def setup_class(cls):
        cls.table = json.loads(harness.run("formats", "--json").stdout)["options"]
        harness.write(cls.folder / "in.yson", "{a=1};{a=2}", SCHEMA)
        for extension in FORMATS.values():
            if extension != ".yson":
                code, said = shell("convert", f"{cls.folder}/in.yson", f"{cls.folder}/in{extension}")
                assert code == 0, said

    def test_table_is_whole(self):
        assert {row["name"] for row in self.table} == set(VALUES)
        help_text = harness.run("convert", "--help", "all").stdout
        for option in VALUES:
            assert option in help_text

    def converted(self, source, target, option):
        """Returns whether each interface takes the option: a usage error that names it says no."""
        name, value = VALUES[option]
        out = self.folder / f"out{FORMATS[target]}"
        answers = {}
        path = f"{out.with_suffix('')}-folder/" if option == "--partition-by" else str(out)
        code, said = shell("convert", f"{self.folder}/in{FORMATS[source]}", path, "--to", target, "--overwrite", *words(option))
        answers["program"] = not (code == 2 and REFUSED.search(said))
        if option not in PROGRAM_ALONE:
            try:
                xwalk.convert(f"{self.folder}/in{FORMATS[source]}", path, to=target, mode="overwrite", **{name: value})
                answers["python"] = True
            except xwalk.UsageError as error:
                answers["python"] = not REFUSED.search(str(error))
            except xwalk.Error:
                answers["python"] = True
        return answers, said

    def test_conversions(self):
        for row in self.table:
            for source in FORMATS:
                for target in FORMATS:
                    taken = source in readers(row) or target in row["written"]
                    answers, said = self.converted(source, target, row["name"])
                    assert set(answers.values()) == {taken}, answers

    def test_reading(self):
        for row in self.table:
            if row["name"] in PROGRAM_ALONE or not row["read"]:
                continue
            name, value = VALUES[row["name"]]
            for source in FORMATS:
                taken = source in readers(row)
                path = f"{self.folder}/in{FORMATS[source]}"
                for verb in (["head"], ["validate"], ["schema"], ["check", "--to", "lance"]):
                    code, said = shell(verb[0], path, *verb[1:], *words(row["name"]))
                    if "unknown option" in said:  # the verb has no such option
                        continue
                    assert taken != (code == 2 and "needs rows of" in said), said
                refused = False
                try:
                    xwalk.open(path, **{name: value})
                except xwalk.UsageError as error:
                    refused = "needs rows of" in str(error)
                except xwalk.Error:
                    pass
                assert taken != refused

    def test_open_rows(self):
        """Rows that are open take no option of opening them. A table takes those of a file, and a stream what its output does."""
        table = pa.table({"a": [1, 2]})
        opened = xwalk.open(f"{self.folder}/in.parquet", limit=1)
        out = f"{self.folder}/out.yson"
        for source in (table, opened):
            for options in ({"limit": 2}, {"select": ["a"]}, {"version": 1}, {"compression": "zstd"}, {"row_group_rows": 1},
                            {"int96_unit": "us"}, {"yt_attributes": {"a": "b"}}):
                allowed = "limit" in options or (source is table and "select" in options)
                with contextlib.nullcontext() if allowed else pytest.raises(xwalk.UsageError):
                    xwalk.convert(source, out, mode="overwrite", **options)
        assert xwalk.convert(table, out, mode="overwrite", yson_format="binary").rows == 2

    def test_contradictions(self):
        """An option and an attribute of a format, or two schemas of one output, are refused by each interface that has
        them."""
        source, out = f"{self.folder}/in.yson", f"{self.folder}/contradiction.yson"
        schema = xwalk.Schema.parse(SCHEMA)
        skiff = "<table_skiff_schemas=[{wire_type=tuple;children=[{wire_type=int64;name=a}]}]>skiff"
        asked = {
            "attribute of the input": lambda: xwalk.open(source, format="<complex_type_mode=named>yson",
                                                         complex_type_mode="positional"),
            "attribute of the output": lambda: xwalk.convert(source, out, to="<format=binary>yson", yson_format="pretty"),
            "attribute of a check": lambda: xwalk.check(source, "<time_mode=binary>yson", time_mode="text"),
            "two schemas of an input": lambda: xwalk.open(source, format=skiff, schema=SCHEMA),
            "two schemas of an output": lambda: xwalk.convert(source, out, to=skiff, target_schema=schema),
        }
        for name, ask in asked.items():
            with pytest.raises(xwalk.UsageError, match="contradict each other|two schemas"):
                ask()
        assert not pathlib.Path(out).exists()
        # What the attributes do not name is as the options say.
        xwalk.convert(source, out, to="<complex_type_mode=positional>yson", yson_format="pretty")
        assert "    " in pathlib.Path(out).read_text()

    def test_compression_says_how(self):
        code, said = shell("convert", f"{self.folder}/in.parquet", f"{self.folder}/gz.yson", "--compression", "gzip")
        assert code == 2
        assert "expected a name that ends with .gz for --compression gzip, found " in said
        assert "gz.yson.gz" in said
        assert not (self.folder / "gz.yson").exists()

    def test_schemas(self):
        """`Schema.to` takes formats as `check` does, and their options."""
        schema = xwalk.Schema.read(f"{self.folder}/in.parquet")
        assert schema.to("json").schema.system == "yt"
        assert schema.to("<time_mode=text>yson").schema.system == "yt"
        with pytest.raises(xwalk.UsageError):
            schema.to("lance", compression="zstd")
        assert schema.to("json").report.verdict == xwalk.check(f"{self.folder}/in.parquet", "json").verdict


    def test_options_of_stores(self):
        """They configure access to a store. If no name is in a store, they are unused."""
        file, refused = f"{self.folder}/in.parquet", "expected the URI of a store"
        for command in (["convert", f"{self.folder}/in.yson", f"{self.folder}/store.parquet"], ["head", file], ["validate", file],
                        ["schema", file], ["check", file, "--to", "yt"], ["check", file, "--to", "yt", "--rows"], ["diff", file, file],
                        ["compat", file, file], ["merge", file, file], ["evolve", file, "--drop", "a"], ["head", "//home/t"],
                        ["schema", file, "--versions"]):
            code, said = shell(*command, "--storage", "region=x")
            assert (code, refused in said) == (2, True)
        told = {"storage_options": {"region": "x"}}
        table = pa.table({"a": [1]})
        for ask in (lambda: xwalk.convert(file, f"{self.folder}/store.arrow", **told), lambda: xwalk.open(file, **told),
                    lambda: xwalk.convert(table, f"{self.folder}/store.arrow", **told), lambda: xwalk.check(file, "yt", **told),
                    lambda: xwalk.convert(xwalk.open(file), f"{self.folder}/store.arrow", **told)):
            with pytest.raises(xwalk.UsageError, match=refused):
                ask()
        assert not ((self.folder / "store.parquet").exists() or (self.folder / "store.arrow").exists())
        # A store option is used if a store is named, even if only for the schema.
        code, said = shell("head", f"{self.folder}/in.yson", "--schema", "http://127.0.0.1:1/s", "--storage", "retries=0")
        assert (code, refused in said) == (74, False)
