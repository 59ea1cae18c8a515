#!/usr/bin/env bash
# Expected: a query that fails halfway raises an error, and the next query of the connection gives its own rows.
# Seen: the next query gives the rows that the failed one had written before its error, without an error of its own. The query after it is right.
#   A different format does not help: text is asked for, and a stream of Arrow comes.
# Versions: chdb 4.4.0 (ClickHouse 26.9).
# Why it matters: a loop over files that skips those that cannot be read gives rows of the bad file as rows of the next one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv --without-pip venv
python3 -m pip --python venv/bin/python install --quiet --no-compile --disable-pip-version-check chdb==4.4.0
venv/bin/python - <<'PYTHON'
import sys
import chdb

print("chdb", chdb.__version__)
session = chdb.connect(":memory:")
failing = "SELECT number + throwIf(number = 99) AS n FROM numbers(100) SETTINGS max_block_size = 10"
seen = []
for form in ("CSV", "ArrowStream"):
    try:
        session.query(failing, form)
        sys.exit("changed: the query does not fail")
    except RuntimeError as error:
        print(f"{form}: {str(error)[:80]}")
    answers = [session.query("SELECT 'mine'", "CSV").bytes() for _ in range(2)]
    print(f"the next two queries give {answers[0][:12]!r}... and {answers[1]!r}")
    seen.append((answers[0][:4], answers[1]))
expected = [(b"0\n1\n", b'"mine"\n'), (b"\xff\xff\xff\xff", b'"mine"\n')]
if seen != expected:
    sys.exit(f"changed: expected {expected}, found {seen}")
PYTHON
