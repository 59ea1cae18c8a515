"""Files by other writers, with types that xwalk does not know: known types and values stay, the rest is reported.

pyarrow, pandas, Polars and DuckDB write random columns into Parquet and Arrow files. Each column is written once more by itself: what
pyarrow reads there, type and values, is what xwalk has to read in the file of all. A column that pyarrow reads otherwise, or not at
all, must be a finding at its path.
"""
import datetime
import os
import re
from decimal import Decimal

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import arrow_tables
import campaign
import normal
import trip

ROWS = 4
TRIPS = 150
NOON = datetime.datetime(2024, 2, 29, 12, 0, 0, 5000)


class Opaque(pa.ExtensionType):
    """An extension that only this test knows."""

    def __init__(self):
        super().__init__(pa.binary(), "xwalk.test.opaque")

    def __arrow_ext_serialize__(self):
        return b"v1"

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls()


def of_arrow(rng):
    """Columns of pyarrow: by name an array."""
    kinds = {f"{at}": arrow_tables.kind_of(rng, rng.choice(["arrow", "parquet"])) for at in range(2)}
    known = {f"any {name}": arrow_tables.array_of(rng, kind, ROWS, True) for name, kind in kinds.items()}
    storage = pa.array([b"a", None, b"", b"\xff"], pa.binary())
    odd = {
        "opaque": pa.ExtensionArray.from_storage(Opaque(), storage),
        "arrow.opaque": pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "geo", "somebody"), storage),
        "tensor": pa.ExtensionArray.from_storage(pa.fixed_shape_tensor(pa.int32(), [2]), pa.array([[1, 2]] * ROWS, pa.list_(pa.int32(), 2))),
        "bool8": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([0, 1, None, 1], pa.int8())),
        "decimal32": pa.array([Decimal("1.5"), None, Decimal("-1.0"), Decimal("0.0")], pa.decimal32(5, 1)),
        "half": pa.array([1.5, None, -2.0, 0.0], pa.float16()),
        "interval": pa.array([pa.MonthDayNano([1, 2, 3]), None, pa.MonthDayNano([0, 0, 0]), pa.MonthDayNano([-1, 5, 9])]),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 4], pa.int16()), pa.array(["a", None])),
    }
    return {**known, **{name: odd[name] for name in rng.sample(list(odd), 3)}}


def of_pandas(rng):
    odd = {
        "period": pd.period_range("2024-01", periods=ROWS, freq=rng.choice(["M", "D", "Y"])),
        "interval": pd.arrays.IntervalArray.from_breaks(range(ROWS + 1)),
        "category": pd.Categorical(["a", "b", None, "a"], ordered=rng.random() < 0.5),
        "numbers of category": pd.Categorical([5, 7, None, 5]),
        "Int64": pd.array([1, None, 2**62, -1], "Int64"),
        "delta": pd.to_timedelta([1, 2, None, 3], unit="s"),
        "zoned": pd.date_range("2024-03-30", periods=ROWS, tz="Europe/Berlin"),
        "decimals": pd.Series([Decimal("1.50"), None, Decimal("2.25"), Decimal("-1.00")], dtype=object),
        "dates": pd.Series([NOON.date(), None, NOON.date(), NOON.date()], dtype=object),
        "times": pd.Series([NOON.time(), None, NOON.time(), NOON.time()], dtype=object),
        "bytes": pd.Series([b"a", None, b"\xff", b""], dtype=object),
        "lists": pd.Series([[1], None, [], [2, 3]], dtype=object),
        "dicts": pd.Series([{"a": 1, "b": "x"}, None, {"a": 2, "b": None}, {"a": 3, "b": ""}], dtype=object),
        "sparse": pd.arrays.SparseArray([0, 0, 1, 0]),
        "complex names . \"": pd.array([True, None, False, True], "boolean"),
    }
    return {name: odd[name] for name in rng.sample([name for name in odd if name != "sparse"], rng.randint(2, 5))}


def of_polars(rng):
    odd = {
        "int128": pl.Series([1, None, 2**126, -5], dtype=pl.Int128),
        "uint128": pl.Series([1, None, 2**127, 5], dtype=pl.UInt128),
        "half": pl.Series([1.5, None, -2.0, 0.0], dtype=pl.Float16),
        "categorical": pl.Series(["a", "b", None, "a"], dtype=pl.Categorical),
        "enum": pl.Series(["a", "b", None, "a"], dtype=pl.Enum(["b", "a"])),
        "duration": pl.Series([datetime.timedelta(seconds=1), None, datetime.timedelta(0), datetime.timedelta(days=-1)],
                              dtype=pl.Duration(rng.choice(["ms", "us", "ns"]))),
        "time": pl.Series([NOON.time(), None, NOON.time(), NOON.time()], dtype=pl.Time),
        "zoned": pl.Series([NOON, None, NOON, NOON], dtype=pl.Datetime(rng.choice(["ms", "us", "ns"]), "Asia/Tokyo")),
        "decimal": pl.Series([Decimal("1.50"), None, Decimal("0.00"), Decimal("-3.25")], dtype=pl.Decimal(20, 2)),
        "array": pl.Series([[1, 2], None, [3, None], [0, 0]], dtype=pl.Array(pl.Int16, 2)),
        "list of enums": pl.Series([["a"], None, [], ["b", None]], dtype=pl.List(pl.Enum(["b", "a"]))),
        "struct": pl.Series([{"x": 1, "y": "a"}, {"x": None, "y": None}, {"x": 3, "y": ""}, {"x": 4, "y": "z"}],
                            dtype=pl.Struct({"x": pl.UInt8, "y": pl.Categorical})),
        "null": pl.Series([None] * ROWS, dtype=pl.Null),
        "binary": pl.Series([b"a", None, b"\xff", b""], dtype=pl.Binary),
        "uint64": pl.Series([2**64 - 1, None, 0, 1], dtype=pl.UInt64),
        "struct of wide": pl.Series([{"w": 1}, {"w": None}, {"w": 2}, {"w": 3}], dtype=pl.Struct({"w": pl.Int128})),
    }
    return {name: odd[name] for name in rng.sample(list(odd), rng.randint(2, 5))}


#: The type, and a value as DuckDB writes it.
OF_DUCKDB = {
    "HUGEINT": "170141183460469231731687303715884105727", "UHUGEINT": "340282366920938463463374607431768211455", "BIT": "'10101'",
    "UNION(a INT, b VARCHAR)": "union_value(a := 1)", "MAP(VARCHAR, INT)": "MAP {'a': 1}", "TIMETZ": "'12:00:00.5+02'",
    "TIME": "'12:00:00.5'", "TIME_NS": "'12:00:00.5'", "TIMESTAMP_S": "'2024-02-29 12:00:00'", "TIMESTAMP_MS": "'2024-02-29 12:00:00.001'",
    "TIMESTAMP_NS": "'2024-02-29 12:00:00.000000001'", "TIMESTAMPTZ": "'2024-02-29 12:00:00+00'", "UUID": "'33323130-3534-3736-3839-616263646566'",
    "INTERVAL": "INTERVAL '1 month 2 days 3 milliseconds'", "DECIMAL(38,5)": "1.5", "BIGNUM": "12345678901234567890123456789012345678901",
    "INT[3]": "[1,2,3]", "JSON": "'{\"a\":1}'", "GEOMETRY": "'POINT(1 2)'", "UTINYINT": "255", "UBIGINT": "18446744073709551615",
    "ENUM('x', 'y')": "'y'", "BLOB": "'\\xFF'", "STRUCT(a HUGEINT, b TIMETZ)": "{'a': 1, 'b': '12:00:00+01'}", "HUGEINT[]": "[1, 2]",
    "DATE": "'infinity'", "TIMESTAMP": "'infinity'", "VARIANT": "42",
}


def of_duckdb(rng):
    return {kind: value for kind, value in rng.sample(list(OF_DUCKDB.items()), rng.randint(2, 5))}


def write_arrow_file(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def write_pyarrow(columns, path):
    table = pa.table(columns)
    pq.write_table(table, path, store_schema=True) if path.suffix == ".parquet" else write_arrow_file(table, path)


def write_pandas(columns, path):
    frame = pd.DataFrame(columns)
    frame.to_parquet(path) if path.suffix == ".parquet" else frame.to_feather(path)


def write_polars(columns, path):
    frame = pl.DataFrame(columns)
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_ipc(path)


def write_duckdb(columns, path):
    values = ", ".join(f"CAST({value} AS {kind}) AS \"{kind}\"" for kind, value in columns.items())
    query = f"SELECT {values} UNION ALL SELECT {', '.join('NULL' for _ in columns)}"
    connection = duckdb.connect()
    if path.suffix == ".parquet":
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    else:
        connection.execute("SET arrow_lossless_conversion = true")
        write_arrow_file(connection.sql(query).to_arrow_table(), path)


WRITERS = {"pyarrow": (of_arrow, write_pyarrow), "pandas": (of_pandas, write_pandas), "Polars": (of_polars, write_polars),
           "DuckDB": (of_duckdb, write_duckdb)}


def by_pyarrow(path):
    """What pyarrow reads; None if it does not read the file."""
    try:
        return arrow_tables.read(path.suffix[1:], path)
    except (pa.ArrowException, NotImplementedError, ValueError):
        return None


def plain(kind):
    """A type without its layout. pyarrow reads dictionaries of text alone as such from Parquet; xwalk all that there were."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return re.sub(r"large_|_view|(?<=<)(element|item|array): |(?<=\[)(s|ms|us|ns|day)(?=[\],])| not null", "", str(kind))


#: What pyarrow reads from Parquet by the format's own types, and xwalk by the types that the writer had. Values tell units apart.
SAME_FAMILY = [("date32", "date"), ("date64", "date"), ("time32", "time"), ("time64", "time"), ("month_day_nano_interval", "fixed_size_binary[12]")]


def family(kind):
    text = plain(kind)
    for name, of in SAME_FAMILY:
        text = text.replace(name, of)
    return text


def findings(report):
    """Columns of which something is said."""
    said = {trip.first_step(path["path"]) for path in report["paths"] if path["path"] and (path["reasons"] or path["labels"])}
    return said | {trip.first_step(note["path"]) for note in report.get("notes", []) if note.get("path")}


def go(rng, xwalk, folder):
    writer = rng.choice(list(WRITERS))
    make, write = WRITERS[writer]
    form = rng.choice(["parquet", "arrow"])
    columns = make(rng)
    alone = {}
    for name in list(columns):
        path = folder / f"alone.{form}"
        try:
            write({name: columns[name]}, path)
            alone[name] = by_pyarrow(path)
        except Exception:  # noqa: BLE001: a package's own limits
            columns.pop(name)
    if not columns:
        return f"{writer} writes none of it"
    write(columns, folder / f"in.{form}")
    code, report, err = xwalk.told("check", f"in.{form}", "--to", "arrow", "--rows")
    if code not in (0, 1):
        return refused(xwalk, writer, form, alone, code, err)
    code, done, err = xwalk.told("convert", f"in.{form}", "out.arrow", "--allow", "lossy")
    if code:
        campaign.broken("convert does what check says", f"{writer}: {report['verdict']}, exit code {code}", err)
    hold(writer, columns, alone, findings(report), report, by_pyarrow(folder / "out.arrow"))
    elsewhere(rng, xwalk, form, alone)
    return f"{writer} in {form}"


def refused(xwalk, writer, form, alone, code, err):
    """A file is refused as a whole only where pyarrow does not read it either, and the words say where."""
    unknown = [name for name, table in alone.items() if table is None]
    if code not in (3, 4) or not unknown:
        campaign.broken("a file of known types is read", f"{writer} in {form}, exit code {code}", err)
    told = campaign.json_in(err)["error"]
    place = told["message"] if told.get("path") is None else trip.first_step(told["path"])
    if not any(place.startswith(name) for name in unknown):
        campaign.broken("a refusal says at which field", f"{writer} in {form}: {unknown}", err)
    return f"{writer} in {form}: refused"


def is_shredded(kind):
    """Returns True for a shredded VARIANT as pyarrow reads it."""
    return pa.types.is_struct(kind) and {"metadata", "typed_value"} <= {kind.field(at).name for at in range(kind.num_fields)}


def hold(writer, columns, alone, said, report, found):
    if found is None:
        campaign.broken("pyarrow reads what xwalk writes", writer, report["verdict"])
    for name in columns:
        table = alone[name]
        if table is not None and is_shredded(table.schema.field(name).type):
            continue  # whole values of VARIANT: tests/parquet/variant_oracle_test.py compares them
        if table is None or family(found.schema.field(name).type) != family(table.schema.field(name).type):
            if name not in said:
                theirs = "nothing" if table is None else table.schema.field(name).type
                campaign.broken("what is read otherwise is reported", f"{writer}: {name}: {theirs} became {found.schema.field(name).type}")
            continue
        wanted, is_there = normal.of_arrow(table.column(name)), normal.of_arrow(found.column(name))
        if wanted != is_there and list(map(trip.with_intervals_as_bytes, is_there)) != wanted:
            campaign.broken("known fields keep their values", f"{writer}: {name} ({found.schema.field(name).type}): {wanted} became {is_there}")


def elsewhere(rng, xwalk, form, alone):
    """The same into another system: what is said beforehand happens, and the output is valid."""
    target = rng.choice(["yson", "skiff", "parquet", "json"])
    code, report, err = xwalk.told("check", f"in.{form}", "--to", target, "--rows")
    if code not in (0, 1):
        campaign.broken("check answers for every target", target, code, err)
    words = ["--allow", "lossy"] if report["verdict"] == "lossy" else []
    name = f"out.{'jsonl' if target == 'json' else target}"
    done_code, done, err = xwalk.told("convert", f"in.{form}", name, "--rejects", "bad.yson", *words)
    rows = report["rows"] if report["verdict"] != "unsupported" else None
    wanted = 4 if rows is None else 3 if rows["read"] and rows["refused"] == rows["read"] else 0
    if done_code != wanted or (done_code == 0 and done["rejected"] != rows["refused"]):
        campaign.broken("convert does what check says", f"{target}: {report['verdict']}, {rows and rows['refused']} rejected, exit code {done_code}", err)
    if done_code == 0:
        code, out, err = xwalk.run("validate", name)
        if code:
            campaign.broken("the output passes validate", target, out[:600], err)
    told = findings(report)
    for name, table in alone.items():
        kind = table.schema.field(name).type if table is not None else None
        odd = kind is None or isinstance(kind, (Opaque, pa.OpaqueType)) or str(kind).startswith("extension<pandas")
        if odd and target != "parquet" and name not in told:
            campaign.broken("what is read otherwise is reported", f"{name} ({kind}) to {target}")


def prepare(_):
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    pa.register_extension_type(Opaque())
