"""Conversions by eight threads give what one thread gives: python program_test.py XWALK

Between all formats whose rows stay in the process, with rows that are left out and without. Under the thread sanitizer
(`make tsan`) each run is also free of races.
"""
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
ROWS = 3000
SCHEMA = ("[{name=id;type_v3=int64};{name=text;type_v3={type_name=optional;item=utf8}};"
          "{name=tags;type_v3={type_name=list;item={type_name=optional;item=double}}};"
          "{name=at;type_v3=timestamp};{name=price;type_v3={type_name=decimal;precision=20;scale=3}}]")
NAMES = ["yson", "skiff", "parquet", "arrow", "arrows"]
problems = []


def run(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=FOLDER, timeout=600)
    if "ThreadSanitizer" in done.stderr:
        problems.append(" ".join(words) + "\n" + done.stderr)
    return done


def rows(bad):
    lines = []
    for i in range(ROWS):
        text = "#" if i % 7 == 0 else f'"row {i}"'
        identity = '"none"' if bad and i % 97 == 5 else str(i)
        lines.append(f'{{id={identity};text={text};tags=[{i}.5;#];at={i}u;price="\\x80\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\x05"}};')
    return "\n".join(lines)


with tempfile.TemporaryDirectory(prefix="xwalk-threads-") as scratch:
    FOLDER = pathlib.Path(scratch)
    (FOLDER / "rows.yson").write_text(rows(bad=False))
    (FOLDER / "bad.yson").write_text(rows(bad=True))
    for name in ("rows", "bad"):
        (FOLDER / f"{name}.yson.schema").write_text(SCHEMA)
    for name in NAMES[1:]:
        made = run("convert", "rows.yson", f"rows.{name}", "--threads", "1")
        if made.returncode != 0:
            problems.append(f"rows.{name}: {made.stderr}")
    for source in NAMES:
        for target in NAMES:
            told = {}
            for threads in ("1", "8"):
                out = f"{source}-{threads}.{target}"
                done = run("convert", f"rows.{source}", out, "--threads", threads, "--batch-rows", "100")
                told[threads] = (done.returncode, (FOLDER / out).read_bytes() if done.returncode == 0 else done.stderr)
            if told["1"] != told["8"] or told["8"][0] != 0:
                problems.append(f"{source} to {target}: eight threads give something else than one: {told['8'][0]}")
    for target in NAMES:
        left = {}
        for threads in ("1", "8"):
            done = run("convert", "bad.yson", f"good-{threads}.{target}", "--threads", threads, "--batch-rows", "100",
                       "--on-error", "skip", "--rejects", f"left-{threads}.{target}.yson")
            left[threads] = (done.returncode, (FOLDER / f"left-{threads}.{target}.yson").read_bytes())
        if left["1"] != left["8"] or left["8"][0] != 0 or left["8"][1].count(b"\n") != len(range(5, ROWS, 97)):
            problems.append(f"bad rows to {target}: eight threads leave out others than one")

print("\n".join(problems) or f"{len(NAMES) ** 2} pairs")
sys.exit(1 if problems else 0)
