"""Parts of columns of unions and list views are written to Arrow with the same bytes by every run. None of them is uninitialised memory.


usage: sliced_unions_test.py XWALK
"""
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import pyarrow.ipc as ipc
except ImportError as missing:
    print(f"SKIPPED: {missing.name} is not installed")
    sys.exit(77)

XWALK = sys.argv[1]
VARIANT = "{type_name=variant;members=[{name=a;type=int64};{name=b;type=utf8}]}"
SCHEMAS = {
    "union": (f"[{{name=v;type_v3={VARIANT}}}]", None),
    "in a struct": (f"[{{name=v;type_v3={{type_name=struct;members=[{{name=x;type={VARIANT}}}]}}}}]", None),
    "in a list": (f"[{{name=v;type_v3={{type_name=list;item={VARIANT}}}}}]", None),
    "sparse": (f"[{{name=v;type_v3={VARIANT}}}]", "v: sparse_union<a: int64 not null=0, b: string not null=1> not null"),
    "list view": ("[{name=v;type_v3={type_name=list;item=int64}}]", "v: list_view<item: int64 not null> not null"),
}
SHAPES = {"in a struct": "{{x={}}}", "in a list": "[{}]", "list view": "[{1};{1}]"}
failures = 0
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    source = folder / "rows.yson"
    for kind, (schema, target) in SCHEMAS.items():
        shape = SHAPES.get(kind, "{}")
        values = [shape.format(f'[b;"s{n}"]' if n % 2 else f"[a;{n}]", n) for n in range(100)]
        source.write_text("".join(f"{{v={value}}};\n" for value in values))
        (folder / "rows.yson.schema").write_text(schema)
        for part in (("--tail", "7"), ("--tail", "63"), ("--tail", "99"), ("--sample", "9"), ("--limit", "7")):
            written = set()
            for filled in ("1", "77", "200"):
                out = folder / "out.arrow"
                # What is allocated and freed is full of one byte.
                environment = dict(os.environ, MALLOC_PERTURB_=filled, ARROW_DEFAULT_MEMORY_POOL="system")
                words = [XWALK, "convert", source, out, "--overwrite", "-q", *part, *(("--to-schema", target) if target else ())]
                done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60)
                if done.returncode != 0:
                    sys.exit(f"{kind} {part}: {done.stderr}")
                written.add(out.read_bytes())
                with ipc.open_file(str(out)) as file:
                    table = file.read_all()
                    table.validate(full=True)
                rows = table["v"].to_pylist()
                if part[0] == "--tail" and len(rows) != int(part[1]):
                    failures += 1
                    print(f"FAILED: {kind} {part}: {len(rows)} rows")
            if len(written) != 1:
                failures += 1
                print(f"FAILED: {kind} {part}: {len(written)} different files")
print(f"{failures} failed" if failures else "all as expected")
sys.exit(failures != 0)
