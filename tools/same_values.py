"""Compares two Parquet files value by value with pyarrow. Exits 1 at the first difference.

usage: same_values.py A B

Types may differ in width or name (large_string and string), but values must be equal. All NaNs are equal,
-0 and 0 differ.
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def difference(left: pa.Table, right: pa.Table) -> str | None:
    """Returns the first difference as text, or None."""
    if left.column_names != right.column_names:
        return f"columns {left.column_names} and {right.column_names}"
    if left.num_rows != right.num_rows:
        return f"{left.num_rows} and {right.num_rows} rows"
    for name in left.column_names:
        a, b = left[name], right[name]
        shown = a, b
        if a.type != b.type:
            # A safe cast refuses values that it would change.
            b = b.cast(a.type)
        if pa.types.is_floating(a.type):
            # Bits, so that NaN equals NaN and -0 differs from 0.
            bits = pa.uint64() if a.type.bit_width == 64 else pa.uint32()
            nan = pa.scalar(float("nan"), a.type)
            a, b = (pc.if_else(pc.is_nan(x), nan, x) for x in (a, b))
            a, b = (
                pa.chunked_array([c.view(bits) for c in x.combine_chunks().chunks])
                if isinstance(x.combine_chunks(), pa.ChunkedArray)
                else x.combine_chunks().view(bits)
                for x in (a, b)
            )
        if not a.equals(b):
            for row, (u, v) in enumerate(zip(a, b)):
                if u.is_valid != v.is_valid or (u.is_valid and u != v):
                    return f"column {name}, row {row}: {shown[0][row]} and {shown[1][row]}"
            return f"column {name}: types {a.type} and {b.type}"
    return None


def main() -> int:
    left, right = (pq.read_table(path) for path in sys.argv[1:3])
    found = difference(left, right)
    if found:
        print(f"{sys.argv[1]} and {sys.argv[2]} differ: {found}")
        return 1
    cells = left.num_rows * left.num_columns
    print(f"{left.num_rows:,} rows, {cells:,} values: all equal under pyarrow {pa.__version__}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
