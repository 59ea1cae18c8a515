"""Files that promise an order: it is checked when they are validated, converted and added to, also after other tools changed them."""

import interfaces_test  # skips if the interfaces are not built
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

import xwalk

import pytest

from tests import harness
from tests.harness import run

SCHEMA = "<unique_keys=%true>[{name=at;type_v3=date;sort_order=ascending};{name=id;type_v3=int64;sort_order=descending};{name=s;type_v3=utf8}]"
ROWS = "{at=1u;id=2;s=a};{at=1u;id=1;s=b};{at=2u;id=7;s=c};{at=3u;id=0;s=d};"
#: The rows in another order, and which of them come too late.
ORDERS = {(0, 1, 2, 3): 0, (0, 2, 1, 3): 1, (3, 2, 1, 0): 3, (0, 0, 1, 2): 1}


class TestSorted(harness.InFolder):
    def prepare(self):
        source = harness.write(self.folder / "rows.yson", ROWS, SCHEMA)
        for name in ("own.parquet", "own.arrow"):
            run("convert", source, self.folder / name, "-q")

    def reordered(self, form, order):
        """Writes the rows in another order as a tool does that keeps all metadata and knows nothing of it."""
        out = self.folder / f"{'-'.join(map(str, order))}.{form}"
        if form == "parquet":
            table = pq.read_table(self.folder / "own.parquet")
            pq.write_table(table.take(list(order)), out)
        else:
            table = ipc.open_file(self.folder / "own.arrow").read_all()
            with ipc.new_file(out, table.schema) as writer:
                writer.write_table(table.take(list(order)))
        return out

    def test_validate_checks_the_promise_of_each_file(self):
        for form in ("parquet", "arrow"):
            for order, late in ORDERS.items():
                path = self.reordered(form, order)
                done = run("validate", path, code=1 if late else 0)
                assert done.stdout.count("expected ") == late, (form, order, done.stdout)
            # Each file is sorted by itself.
            both = [self.reordered(form, (2, 3)), self.reordered(form, (0, 1))]
            assert "4 rows, valid" in run("validate", *both).stdout
            both.append(self.reordered(form, (3, 2)))
            assert "6 rows, 1 invalid" in run("validate", *both, code=1).stdout

    def test_a_reordered_file_does_not_keep_its_promise_in_silence(self):
        for form in ("parquet", "arrow"):
            for order, late in ORDERS.items():
                path = self.reordered(form, order)
                for to in ("yson", "skiff", "json", "arrow", "parquet"):
                    out = self.folder / f"out.{to}"
                    report = xwalk.check(str(path), to, rows=True)
                    assert report.rows["refused"] == late, (form, order, to)
                    if late:
                        run("convert", path, out, code=3)
                        assert not out.exists()
                        with pytest.raises(xwalk.InputError, match="expected (rows sorted|each key)"):
                            xwalk.convert(str(path), str(out))
                    done = xwalk.convert(str(path), str(out), on_error="skip")
                    assert (done.rows, done.rejected) == (4 - late, late), (form, order, to)
                    assert run("validate", out).stdout.endswith(" valid\n")
                    for leftover in self.folder.glob("out.*"):
                        leftover.unlink()

    def test_rows_added_to_a_file_that_promises(self):
        more = harness.write(self.folder / "more.yson",
                             "{at=3u;id=1;s=e};{at=3u;id=-1;s=f};{at=4u;id=0;s=g};{at=4u;id=0;s=h};{at=5u;id=0;s=i};",
                             SCHEMA.replace(";sort_order=ascending", "").replace(";sort_order=descending", "")
                             .replace("<unique_keys=%true>", ""))
        for form in ("yson", "skiff"):
            out = self.folder / f"out.{form}"
            xwalk.convert(str(self.folder / "rows.yson"), str(out))
            with pytest.raises(xwalk.InputError):
                xwalk.convert(str(more), str(out), mode="append")
            assert xwalk.check(str(more), append=str(out), rows=True).rows["refused"] == 2, form
            done = xwalk.convert(str(more), str(out), mode="append", on_error="skip")
            assert [row["row"] for row in done.rejects] == [0, 3], form
            assert "7 rows, valid" in run("validate", out).stdout

    def test_rows_of_folders(self):
        out = self.folder / "parts"
        annotated = harness.write(self.folder / "k.yson", "".join(f"{{n={n};k={k}}};" for n, k in zip([3, 1, 2, 2], "xyxy")),
                                  "[{name=n;type_v3=int64;sort_order=ascending};{name=k;type_v3=utf8}]")
        with pytest.raises(xwalk.InputError):
            xwalk.convert(str(annotated), f"{out}/", to="parquet", partition_by=["k"])
        done = xwalk.convert(str(annotated), f"{out}/", to="parquet", partition_by=["k"], on_error="skip")
        assert (done.rows, [row["row"] for row in done.rejects]) == (3, [2])
        assert [row["source"] for row in done.rejects] == [b"{n=2;k=x}"]
