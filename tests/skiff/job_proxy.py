"""A small replacement of the job proxy: runs the example mapper and reducer over pipes.

usage: job_proxy.py MAPPER REDUCER

Input bytes are written, and output bytes read, by the ytsaurus-yson bindings. No cluster is involved.
Exits 77 (skipped) if the bindings are not installed.
"""

import io
import os
import sys
import threading

try:
    import yt_yson_bindings as bindings
except ImportError as error:
    print(f"skipped: the ytsaurus-yson bindings are not installed ({error})")
    sys.exit(77)

OPTIONAL = {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, {"wire_type": "string32"}]}
LINES = {"wire_type": "tuple", "children": [{"name": "line", **OPTIONAL}, {"name": "$other_columns", "wire_type": "yson32"}]}
EMPTY = {"wire_type": "tuple", "children": [{"name": "line", **OPTIONAL}]}
WORDS = {"wire_type": "tuple", "children": [{"name": "word", "wire_type": "string32"}, {"name": "count", "wire_type": "int64"}]}
GROUPS = {"wire_type": "tuple", "children": WORDS["children"] + [{"name": "$key_switch", "wire_type": "boolean"}]}


def make(schema):
    return bindings.SkiffSchema([schema], {}, "$range_index", "$row_index")


def dump(schema, rows):
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


def load(schema, data):
    return [dict(record.items()) for record in bindings.load_skiff(io.BytesIO(data), [make(schema)], "$range_index", "$row_index")]


def run_job(program, data, outputs):
    """Descriptor 0 is the input, 1 + 3 i output table i; 2 stays for errors."""
    source, feed = os.pipe()
    pipes = [os.pipe() for _ in range(outputs)]
    child = os.fork()
    if child == 0:
        # Away from the numbers that are about to be given out.
        moved = [os.dup2(source, 100)] + [os.dup2(sink, 101 + i) for i, (_, sink) in enumerate(pipes)]
        os.dup2(moved[0], 0)
        for i in range(outputs):
            os.dup2(moved[1 + i], 1 + 3 * i)
        os.closerange(max(3, 2 + 3 * (outputs - 1)), 200)
        os.execv(program, [program])
    os.close(source)
    for _, sink in pipes:
        os.close(sink)
    results = [b""] * outputs

    def collect(index):
        with os.fdopen(pipes[index][0], "rb") as stream:
            results[index] = stream.read()

    readers = [threading.Thread(target=collect, args=(i,)) for i in range(outputs)]
    for reader in readers:
        reader.start()
    try:
        with os.fdopen(feed, "wb") as stream:
            stream.write(data)
    except BrokenPipeError:
        pass
    for reader in readers:
        reader.join()
    return os.waitpid(child, 0)[1], results


def main():
    mapper, reducer = sys.argv[1:]
    lines = [{"line": "b a b"}, {}, {"line": "c a", "where": 5}, {"line": ""}] + [{"line": "z " * 5000}] * 20
    status, (words, empty) = run_job(mapper, dump(LINES, lines), 2)
    assert status == 0, status
    pairs = [(row["word"], row["count"]) for row in load(WORDS, words)]
    assert pairs[:5] == [("b", 1), ("a", 1), ("b", 1), ("c", 1), ("a", 1)], pairs[:5]
    assert len(pairs) == 5 + 100000, len(pairs)
    assert [row.get("line") for row in load(EMPTY, empty)] == [None, ""], load(EMPTY, empty)

    groups = []
    for word, count in sorted(pairs):
        groups.append({"word": word, "count": count, "$key_switch": bool(groups) and groups[-1]["word"] != word})
    status, (sums,) = run_job(reducer, dump(GROUPS, groups), 1)
    assert status == 0, status
    found = [(row["word"], row["count"]) for row in load(WORDS, sums)]
    assert found == [("a", 2), ("b", 2), ("c", 1), ("z", 100000)], found

    status, _ = run_job(reducer, dump(GROUPS, groups)[:-1], 1)
    assert status != 0, "a cut stream was accepted"


if __name__ == "__main__":
    main()
