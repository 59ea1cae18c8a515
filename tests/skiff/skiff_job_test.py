"""The example mapper and reducer, run over pipes as the job proxy runs them.

The ytsaurus-yson bindings write the input and read the output. No cluster is involved.
"""
import io
import os
import threading

import pytest

from tests import harness

with harness.skip_if_missing():
    import yt_yson_bindings as bindings

    from tests.skiff.peer_rows import dump, make

MAPPER, REDUCER = harness.needs("tests/skiff_word_mapper", "tests/skiff_word_reducer")
OPTIONAL = {"wire_type": "variant8", "children": [{"wire_type": "nothing"}, {"wire_type": "string32"}]}
LINES = {"wire_type": "tuple", "children": [{"name": "line", **OPTIONAL}, {"name": "$other_columns", "wire_type": "yson32"}]}
EMPTY = {"wire_type": "tuple", "children": [{"name": "line", **OPTIONAL}]}
WORDS = {"wire_type": "tuple", "children": [{"name": "word", "wire_type": "string32"}, {"name": "count", "wire_type": "int64"}]}
GROUPS = {"wire_type": "tuple", "children": WORDS["children"] + [{"name": "$key_switch", "wire_type": "boolean"}]}


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


@pytest.fixture(scope="module")
def mapped():
    """Returns the two outputs of the mapper."""
    lines = [{"line": "b a b"}, {}, {"line": "c a", "where": 5}, {"line": ""}] + [{"line": "z " * 5000}] * 20
    status, outputs = run_job(MAPPER, dump(LINES, lines), 2)
    assert status == 0
    return outputs


@pytest.fixture(scope="module")
def groups(mapped):
    """Returns the input of the reducer."""
    rows = []
    for word, count in sorted(words_of(mapped[0])):
        rows.append({"word": word, "count": count, "$key_switch": bool(rows) and rows[-1]["word"] != word})
    return dump(GROUPS, rows)


def words_of(data):
    return [(row["word"], row["count"]) for row in load(WORDS, data)]


def test_mapper(mapped):
    words, empty = mapped
    assert words_of(words) == [("b", 1), ("a", 1), ("b", 1), ("c", 1), ("a", 1)] + [("z", 1)] * 100_000
    assert [row.get("line") for row in load(EMPTY, empty)] == [None, ""]


def test_reducer(groups):
    status, (sums,) = run_job(REDUCER, groups, 1)
    assert status == 0
    assert words_of(sums) == [("a", 2), ("b", 2), ("c", 1), ("z", 100_000)]


def test_a_truncated_stream_is_refused(groups):
    status, _ = run_job(REDUCER, groups[:-1], 1)
    assert status != 0
