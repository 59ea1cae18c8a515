"""Values of any type are compared in the form in which the output has them, also if `verify` gets no option `any`."""
import pytest

from tests import harness

harness.use_module()

import xwalk  # noqa: E402

SCHEMA = ("[{name=id;type=int64};{name=a;type=any};"
          "{name=l;type_v3={type_name=optional;item={type_name=list;item={type_name=optional;item=yson}}}}]")
ROWS = "{id=1;a={x=1;y=[1;#]};l=[{b=2.5};#]};{id=2;a=#;l=#};"


@pytest.mark.parametrize("name", ["parquet", "arrow", "vortex", "lance"])
@pytest.mark.parametrize("form", ["json", "yson", "variant"])
def test_the_form_of_the_output(form, name, tmp_path):
    source, target = tmp_path / "in.yson", tmp_path / f"out.{name}"
    source.write_text(ROWS)
    source.with_name("in.yson.schema").write_text(SCHEMA)
    try:
        xwalk.convert(source, target, any=form)
    except xwalk.IoError as error:
        if "need" in str(error):
            pytest.skip(str(error))
        raise
    assert xwalk.verify(source, target, any=form).verified
    proof = xwalk.verify(source, target)
    assert proof.verified, str(proof)
    source.write_text(ROWS.replace("x=1", "x=2"))
    assert not xwalk.verify(source, target).verified
