"""Takes the picture of the README and of the site again: docs/pictures/report.png.

usage: pictures.py XWALK

It shows the HTML page of a report with several verdicts in headless Chromium. The picture is in the repository, because
people read the README without a build.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PICTURES = ROOT / "docs" / "pictures"
LARGEST = 150_000  # bytes of a picture: a repository is cloned whole
sys.path.insert(0, str(ROOT / "tests" / "python"))

from browser import Browser, find  # noqa: E402

#: A table of a web shop, one column for each thing that can happen on the way to Parquet.
SHOP = """<strict=%true; unique_keys=%true>[
  {name=order;    type_v3=int64; sort_order=ascending};
  {name=placed;   type_v3=datetime};
  {name=total;    type_v3={type_name=decimal; precision=18; scale=2}};
  {name=items;    type_v3={type_name=list; item={
                   type_name=struct; members=[{name=sku;type=utf8};{name=count;type=uint32}]}}};
  {name=payment;  type_v3={type_name=variant; members=[{name=card;type=utf8};{name=cash;type=int64}]}};
  {name=labels;   type_v3={type_name=dict; key=utf8; value=utf8}};
]
"""


def report(program: pathlib.Path) -> None:
    browser_program = find()
    if not browser_program:
        raise SystemExit("pictures: no Chromium (tools/setup.sh test)")
    with tempfile.TemporaryDirectory(prefix="xwalk-picture-") as name:
        folder = pathlib.Path(name)
        (folder / "orders.schema").write_text(SHOP)
        words = ["check", "orders.schema", "--from", "yt", "--to", "parquet", "--output", "html"]
        page = subprocess.run([program, *words], cwd=folder, stdout=subprocess.PIPE, check=True).stdout
        (folder / "report.html").write_bytes(page)
        with Browser(browser_program) as browser:
            browser.open(folder / "report.html", 1000, 860)
            browser.screenshot(PICTURES / "report.png", whole=False)


def main() -> int:
    program = pathlib.Path(sys.argv[1]).resolve()
    PICTURES.mkdir(exist_ok=True)
    report(program)
    for picture in sorted(PICTURES.iterdir()):
        size = os.path.getsize(picture)
        print(f"{picture.relative_to(ROOT)}: {size:,} bytes")
        if size > LARGEST:
            raise SystemExit(f"pictures: {picture.name} is larger than {LARGEST:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
