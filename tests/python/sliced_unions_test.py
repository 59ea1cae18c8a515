"""Parts of columns of unions and list views are written to Arrow with the same bytes by every run. None of them is uninitialised memory."""
import pytest

from tests import harness

with harness.skip_if_missing():
    import pyarrow.ipc as ipc

VARIANT = "{type_name=variant;members=[{name=a;type=int64};{name=b;type=utf8}]}"
SCHEMAS = {
    "union": (f"[{{name=v;type_v3={VARIANT}}}]", None),
    "in a struct": (f"[{{name=v;type_v3={{type_name=struct;members=[{{name=x;type={VARIANT}}}]}}}}]", None),
    "in a list": (f"[{{name=v;type_v3={{type_name=list;item={VARIANT}}}}}]", None),
    "sparse": (f"[{{name=v;type_v3={VARIANT}}}]", "v: sparse_union<a: int64 not null=0, b: string not null=1> not null"),
    "list view": ("[{name=v;type_v3={type_name=list;item=int64}}]", "v: list_view<item: int64 not null> not null"),
}
SHAPES = {"in a struct": "{{x={}}}", "in a list": "[{}]", "list view": "[{1};{1}]"}


@pytest.mark.parametrize("part", [("--tail", "7"), ("--tail", "63"), ("--tail", "99"), ("--sample", "9"), ("--limit", "7")], ids="".join)
@pytest.mark.parametrize("kind", SCHEMAS)
def test_bytes(kind, part, tmp_path, monkeypatch):
    schema, target = SCHEMAS[kind]
    shape = SHAPES.get(kind, "{}")
    values = [shape.format(f'[b;"s{n}"]' if n % 2 else f"[a;{n}]", n) for n in range(100)]
    source, out = tmp_path / "rows.yson", tmp_path / "out.arrow"
    source.write_text("".join(f"{{v={value}}};\n" for value in values))
    (tmp_path / "rows.yson.schema").write_text(schema)
    monkeypatch.setenv("ARROW_DEFAULT_MEMORY_POOL", "system")
    written = set()
    for filled in ("1", "77", "200"):
        # The allocator fills memory with this byte when it is allocated and freed.
        monkeypatch.setenv("MALLOC_PERTURB_", filled)
        harness.run("convert", source, out, "--overwrite", "-q", *part, *(("--to-schema", target) if target else ()))
        written.add(out.read_bytes())
        with ipc.open_file(str(out)) as file:
            table = file.read_all()
            table.validate(full=True)
        assert part[0] != "--tail" or len(table["v"].to_pylist()) == int(part[1])
    assert len(written) == 1
