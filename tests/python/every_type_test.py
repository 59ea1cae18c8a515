"""Each type of Lance and of Vortex in one file: written by their own packages, read by xwalk, written by xwalk, read by them.

The types are those of `xwalk types`, the packages those of tools/requirements-test.txt. A type that the table of readers says its
own package refuses is left out.
"""
import json
import pathlib

import lance
import pyarrow as pa
import vortex
from type_columns import arrow_schema, column, same

from tests import harness

XWALK = harness.PROGRAM
#: The reader of a system that is the system itself.
OWN = {"lance": "pylance", "vortex": "vortex-data"}
TABLE = json.loads(harness.run("types", "--readers", "--json").stdout)


def every_type(system: str) -> tuple[dict[str, str], pa.Table]:
    """Returns the name of each type by that of its column, and a table with these columns."""
    words, fields, arrays = {}, [], []
    for line in TABLE:
        own = [reader for reader in line["readers"] if reader["reader"] == OWN.get(system)]
        if line["system"] != system or own[0]["remark"].startswith("refuses"):
            continue
        field = arrow_schema(XWALK, system, line["type"]).field(0)
        name = f"c{len(fields)}"
        words[name] = line["type"]
        arrays.append(column(field))
        fields.append(pa.field(name, arrays[-1].type, field.nullable, field.metadata))
    return words, pa.Table.from_arrays(arrays, schema=pa.schema(fields))


class TestEveryType(harness.InFolder):
    def xwalk(self, *words: object) -> str:
        done = harness.try_run(*words, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def columns_are(self, found: pa.Table, table: pa.Table, words: dict[str, str]) -> None:
        assert found.column_names == table.column_names
        for name in table.column_names:
            written = table[name].combine_chunks()
            assert same(found[name], written), f"{words[name]}: expected {written}, found {found[name]}"

    def check(self, system: str, write, read) -> pathlib.Path:
        words, table = every_type(system)
        assert len(words) > 30
        path, again, arrow = (self.folder / name for name in (f"in.{system}", f"again.{system}", "out.arrow"))
        write(table, str(path))
        self.xwalk("convert", path, arrow, "-q")
        with pa.OSFile(str(arrow)) as file:
            self.columns_are(pa.ipc.open_file(file).read_all(), table, words)
        self.xwalk("convert", path, again, "-q")
        self.columns_are(read(str(again)), table, words)
        return path

    def test_lance(self) -> None:
        path = self.check("lance", lance.write_dataset, lambda path: lance.dataset(path).to_table())
        schema = self.folder / "schema.ipc"
        self.xwalk("schema", path, "--to", "arrow", "--form", "ipc", "-o", schema)
        assert pa.ipc.read_schema(pa.BufferReader(schema.read_bytes())) == lance.dataset(str(path)).schema

    def test_vortex(self) -> None:
        path = self.check("vortex", vortex.io.write, lambda path: vortex.open(path).to_arrow().read_all())
        assert self.xwalk("schema", path).strip() == str(vortex.open(str(path)).dtype)
