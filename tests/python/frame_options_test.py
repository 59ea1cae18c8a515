"""Every option means the same for Arrow rows of another package as for a file with those rows, or is refused by name."""
import pytest

from tests import harness

harness.use_module()

with harness.skip_if_missing():
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    import pyarrow.dataset as ds

import xwalk  # noqa: E402
from xwalk._option_types import CheckOptions, OpenOptions  # noqa: E402

TABLE = pa.table({"a": pa.array([1, 2, 3, 4, 5], pa.int64()), "t": ["v", "w", "x", "y", "z"], "f": [0.5, 1.5, 2.5, 3.5, 4.5]})
SCHEMA = "[{name=a;type=int64};{name=t;type=utf8};{name=f;type=double}]"
FOLDER = harness.make_folder("frame-options")
PATH = FOLDER / "t.arrows"


class Capsule:
    """Rows that know the protocol of Arrow streams alone."""

    def __arrow_c_stream__(self, requested_schema=None):
        return TABLE.__arrow_c_stream__(requested_schema)


def written(path):
    if not path.exists():
        with pa.ipc.new_stream(str(path), TABLE.schema) as out:
            out.write_table(TABLE)
    return path


KINDS = {
    "bytes": lambda: written(PATH).read_bytes(), "table": lambda: TABLE, "batch": lambda: TABLE.to_batches()[0],
    "reader": TABLE.to_reader, "dataset": lambda: ds.dataset(TABLE), "scanner": lambda: ds.dataset(TABLE).scanner(), "capsule": Capsule,
    "pandas": lambda: pd.DataFrame(TABLE.to_pydict()), "polars": lambda: pl.DataFrame(TABLE.to_pydict()),
    "lazy": lambda: pl.LazyFrame(TABLE.to_pydict()),
}
#: A value of each option of `open` that is not its default.
VALUES = {
    "select": ["t", "a"], "exclude": "f", "limit": 2, "sample": 3, "seed": 7, "tail": 2, "batch_rows": 2, "max_memory": "64M",
    "schema": SCHEMA, "save_schema": "saved.schema", "require_schema": True, "partitions": False, "unify": True,
    "storage_options": {"region": "x"}, "table": 1, "version": 1, "follow": ["/data"], "table_index": True, "range_index": True,
    "row_index": True, "int96_unit": "us", "threads": 2, "yson_format": "binary", "complex_type_mode": "positional",
    "string_keyed_dict_mode": "named", "decimal_mode": "text", "time_mode": "text", "uuid_mode": "text_yt", "uuid_order": "raw",
    "tz_form": "index", "decimal_special": "null", "skip_null_values": True, "end_of_stream": True, "on_error": "skip",
    "part": {"first": 0, "count": 1, "first_row": 0, "rows": 1, "line": 1, "column": 1, "binary": False},
    "rename": {"a": "z"}, "cast": {"a": "int32"}, "annotations": False, "round": True, "merge_nulls": True, "drop_zone": True,
    "variant_values": "text", "duplicate_keys": "last", "any": "json", "cluster_version": "25.4", "lance_version": "2.1",
    "vortex_edition": "core2025.10.0", "for_reader": ["duckdb"], "csv_formulas": "escape", "allow": "lossy", "max_rejects": 5,
}
#: What a file needs and rows of Arrow refuse.
OF_FILES = {"format"}


def outcome(call, source, options):
    """Returns what a call gives, or the kind of error."""
    try:
        return call(source, **options)
    except xwalk.Error as error:
        return type(error).__name__


def opened(source, **options):
    rows = xwalk.open(source, **options)
    table = rows.to_arrow()
    batches = [batch.num_rows for batch in table.to_batches()] if "batch_rows" in options else None
    return table.to_pydict(), rows.schema.names, batches


def converted(source, **options):
    out = FOLDER / "out.yson"
    xwalk.convert(source, out, mode="overwrite", **options)
    return xwalk.open(out).to_arrow().to_pydict()


def checked(source, **options):
    report = xwalk.check(source, "lance", **options).to_dict()
    # Packages have text in layouts of their own.
    return [(path["path"], path.get("target", "").replace("large_string", "string")) for path in report["paths"]]


#: The options of each call.
TAKEN = {opened: set(OpenOptions.__annotations__), checked: set(CheckOptions.__annotations__)}
TAKEN[converted] = TAKEN[opened] | TAKEN[checked]


def test_values_are_whole():
    assert TAKEN[converted] - OF_FILES == set(VALUES)


def options_of(name):
    return {name: VALUES[name], **({"sample": 3} if name == "seed" else {})}


def sampled(name, found):
    """A sample has other rows if the source gives other batches. Their number is the same."""
    return len(found[0]["a"]) if name in ("sample", "seed") and isinstance(found, tuple) else found


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("call", TAKEN)
def test_options(call, name, monkeypatch):
    if name not in TAKEN[call]:
        pytest.skip("the function does not have the option")
    monkeypatch.chdir(FOLDER)
    expected = sampled(name, outcome(call, written(PATH), options_of(name)))
    for kind, make in KINDS.items():
        if kind == "bytes" and call is checked:
            continue  # bytes are a schema there
        options = {**options_of(name), **({"format": "arrow-stream"} if kind == "bytes" else {})}
        assert sampled(name, outcome(call, make(), options)) == expected, kind


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "bytes"])
def test_the_format_of_a_file_is_refused(kind):
    for call in (opened, converted):
        with pytest.raises(xwalk.UsageError, match="format is for files and bytes, found rows of Arrow"):
            call(KINDS[kind](), format="parquet")
    with pytest.raises(xwalk.UsageError, match='format: expected "arrow"'):
        xwalk.check(KINDS[kind](), "lance", "parquet")
