"""Rows in Skiff by YTsaurus's own bindings, for the tests that compare with them."""

from __future__ import annotations

import io

import yt_yson_bindings as bindings

ROW, RANGE = "$row_index", "$range_index"


def make(schema):
    return bindings.SkiffSchema([schema], {}, RANGE, ROW)


def dump(schema, rows):
    """Returns the bytes of rows, each a dict by column."""
    made = make(schema)
    records = []
    for row in rows:
        record = made.create_record()
        for name, value in row.items():
            record[name] = value
        records.append(record)
    stream = io.BytesIO()
    bindings.dump_skiff(records, [stream], [made])
    return stream.getvalue()
