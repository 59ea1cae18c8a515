"""No code is loaded from places that other users can write to."""
import shutil
import subprocess

from tests import harness

FOLDER = harness.make_folder("trust")
HERE, BIN, OPEN, GOOD = (FOLDER / name for name in ("here", "a/b/bin", "open", "good"))
for folder in (HERE, BIN, OPEN, GOOD):
    folder.mkdir(parents=True)
OPEN.chmod(0o777)
shutil.copy(harness.PROGRAM, BIN / "xwalk")
harness.write(HERE / "t.yson", "{a=1};", "[{name=a;type=int64}]")
RAN = FOLDER / "ran"
PLANTED = f"#!/bin/sh\ntouch {RAN}\nexit 1\n"


def plant(path, text=PLANTED, mode=0o755):
    path.write_text(text)
    path.chmod(mode)


def run(*words, program="xwalk", path=f"{BIN}:/usr/bin:/bin", **variables):
    RAN.unlink(missing_ok=True)
    return subprocess.run([program, *words], capture_output=True, text=True, cwd=HERE,
                          env={"PATH": path, "LC_ALL": "C.UTF-8", **variables})


def refused(what, *words, **options):
    result = run(*words, **options)
    assert not RAN.exists() and result.returncode == 74, f"{what}: ran {RAN.exists()}, {result.returncode} {result.stderr}"


vortex = ("convert", "t.yson", "out.vortex")
parquet = ("convert", "t.yson", "out.parquet")


def test_places_that_others_can_write_to():
    """In the current folder, by every way that leads there; with a file that has the program's name."""
    plant(HERE / "xwalk")
    for name in ("xwalk-engine-vortex", "libxwalk_parquet.so", "python3"):
        plant(HERE / name)
    for path in (f"{BIN}:.", f"{BIN}:", f":{BIN}", f"{BIN}:../here", f"{BIN}"):
        for words in (vortex, parquet):
            refused(f"{words[2]} with {path}", *words, program=str(BIN / "xwalk"), path=path)
            if path.startswith(str(BIN)):
                refused(f"{words[2]} by name with {path}", *words, path=path)
    # In the folders above the program.
    for folder in (BIN.parent, BIN.parent.parent):
        for name in ("xwalk-engine-vortex", "libxwalk_parquet.so"):
            plant(folder / name)
    for words in (vortex, parquet):
        refused(f"{words[2]} above", *words)
    # A folder that every user may write to, and a program that every user may change.
    plant(OPEN / "xwalk-engine-vortex")
    refused("a world-writable folder", *vortex, path=f"{BIN}:{OPEN}:/usr/bin:/bin")
    plant(GOOD / "xwalk-engine-vortex", mode=0o777)
    refused("a world-writable program", *vortex, path=f"{BIN}:{GOOD}:/usr/bin:/bin")
    # An engine that may run finds its interpreter by the same rule, and one that is named is named whole.
    plant(GOOD / "xwalk-engine-vortex", "#!/usr/bin/env python3\nprint('not an engine')\n")
    refused("an interpreter here", *vortex, program=str(BIN / "xwalk"), path=f".:{BIN}:{GOOD}:/usr/bin:/bin")
    result = run(*vortex, path=f"{BIN}:{GOOD}:/usr/bin:/bin", XWALK_PYTHON="./python3")
    assert not RAN.exists() and result.returncode == 2 and "XWALK_PYTHON" in result.stderr
    # Python takes no code from here, for any value of its variables.
    SITE = f"open({str(RAN)!r}, 'w')\n"
    ENGINE = "#!/usr/bin/env python3\nimport json, os, sys\nprint(sys.path, os.environ.get('PYTHONPATH'), file=sys.stderr)\n"
    plant(GOOD / "xwalk-engine-vortex", ENGINE)
    for name in ("sitecustomize.py", "usercustomize.py", "json.py"):
        plant(HERE / name, SITE)
    (HERE / "lib").mkdir(exist_ok=True)
    for variables in ({"PYTHONPATH": ""}, {"PYTHONPATH": ":"}, {"PYTHONPATH": f":{GOOD}"}, {"PYTHONPATH": "."}, {"PYTHONPATH": f"{GOOD}:../here"},
                      {"PYTHONUSERBASE": "."}, {"HOME": "."}, {"LD_LIBRARY_PATH": f":{GOOD}"}):
        refused(f"code here with {variables}", *vortex, path=f"{BIN}:{GOOD}:/usr/bin:/bin", **variables)
    for name in ("sitecustomize.py", "usercustomize.py", "json.py"):
        (HERE / name).unlink()
    (GOOD / "sitecustomize.py").write_text(SITE)
    run(*vortex, path=f"{BIN}:{GOOD}:/usr/bin:/bin", PYTHONPATH=f".:{GOOD}")
    assert RAN.exists(), "a whole path of PYTHONPATH was not used"
    plant(GOOD / "xwalk-engine-vortex")
    run(*vortex, path=f"{BIN}:{GOOD}:/usr/bin:/bin")
    assert RAN.exists(), "an engine in a folder of PATH did not run"
