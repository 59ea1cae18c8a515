"""Conversions by eight threads give what one thread gives.

Between all formats whose rows stay in the process, with rows that are left out and without. Under the thread sanitizer
(`make tsan`) each run is also free of races.
"""
import pytest

from tests import harness

ROWS = 3000
SCHEMA = ("[{name=id;type_v3=int64};{name=text;type_v3={type_name=optional;item=utf8}};"
          "{name=tags;type_v3={type_name=list;item={type_name=optional;item=double}}};"
          "{name=at;type_v3=timestamp};{name=price;type_v3={type_name=decimal;precision=20;scale=3}}]")
NAMES = ["yson", "skiff"] + ["parquet", "arrow", "arrows"] * harness.WITH_PLUGIN


def run(folder, *words):
    done = harness.run("convert", *words, cwd=folder, timeout=600)
    assert "ThreadSanitizer" not in done.stderr


def rows(bad):
    lines = []
    for i in range(ROWS):
        text = "#" if i % 7 == 0 else f'"row {i}"'
        identity = '"none"' if bad and i % 97 == 5 else str(i)
        lines.append(f'{{id={identity};text={text};tags=[{i}.5;#];at={i}u;price="\\x80\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\x05"}};')
    return "\n".join(lines)


@pytest.fixture(scope="module")
def folder():
    made = harness.make_folder("threads")
    for name in ("rows", "bad"):
        harness.write(made / f"{name}.yson", rows(bad=name == "bad"), SCHEMA)
    for name in NAMES[1:]:
        run(made, "rows.yson", f"rows.{name}", "--threads", "1")
    return made


@pytest.mark.parametrize("target", NAMES)
@pytest.mark.parametrize("source", NAMES)
def test_rows(folder, source, target):
    made = []
    for threads in ("1", "8"):
        out = f"{source}-{threads}.{target}"
        run(folder, f"rows.{source}", out, "--threads", threads, "--batch-rows", "100")
        made.append((folder / out).read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("target", NAMES)
def test_bad_rows(folder, target):
    left = []
    for threads in ("1", "8"):
        run(folder, "bad.yson", f"good-{threads}.{target}", "--threads", threads, "--batch-rows", "100", "--on-error", "skip",
            "--rejects", f"left-{threads}.{target}.yson")
        left.append((folder / f"left-{threads}.{target}.yson").read_bytes())
    assert left[0] == left[1] and left[0].count(b"\n") == len(range(5, ROWS, 97))
