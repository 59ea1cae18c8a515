"""The completion scripts in their shells, and the manual page with the warnings of groff and mandoc."""
import re
import shutil
import subprocess

import pytest

from tests import harness
from tests.harness import expect

# What was typed, words that must be offered, words that must not be.
OFFERS = [
    (["xwalk", ""], ["convert", "schema", "explain", "--help"], ["--from"]),
    (["xwalk", "sch"], ["schema"], ["convert"]),
    (["xwalk", "convert", "--du"], ["--durable", "--duplicate-keys"], ["--from"]),
    (["xwalk", "convert", "--mode", ""], ["create", "append", "append-again", "upsert", "overwrite"], ["--from"]),
    (["xwalk", "convert", "--mode", "=", "app"], ["append"], ["create"]),
    (["xwalk", "check", "--to", ""], ["yt", "skiff", "parquet", "lance", "vortex", "arrow"], []),
    (["xwalk", "schema", "--form", "ys"], ["yson", "yson-binary"], ["json"]),
    (["xwalk", "explain", "range."], ["range.narrowed"], ["zone.assumed"]),
    (["xwalk", "completion", ""], ["bash", "zsh", "fish"], []),
    (["xwalk", "compat", "--allow", ""], ["rename", "removal"], []),
    (["xwalk", "head", "two w"], ["two words.yson"], ["other.yson"]),
    (["xwalk", "convert", "--schema", ""], ["two words.yson", "other.yson"], ["convert"]),
    (["xwalk", "convert", "--limit", ""], [], ["other.yson"]),
]
each_offer = pytest.mark.parametrize("words, wanted, unwanted", OFFERS, ids=[" ".join(words) for words, _, _ in OFFERS])


def needs(program):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed")


@pytest.fixture
def folder(tmp_path):
    for name in ("two words.yson", "other.yson"):
        (tmp_path / name).write_text("{a=1};\n")
    return tmp_path


def run(command, folder, text=""):
    done = subprocess.run(command, cwd=folder, input=text, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0 and not done.stderr, f"{command}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


def script_of(shell):
    needs(shell)
    return harness.run("completion", shell).stdout


def quoted(word):
    return "'" + word.replace("'", "'\\''") + "'"


def check_offers(offered, wanted, unwanted):
    assert not set(wanted) - set(offered) and not set(unwanted) & set(offered), offered


@each_offer
def test_bash(folder, words, wanted, unwanted):
    # compopt has a meaning only while bash itself completes.
    offered = run(["bash", "--norc"], folder, f"compopt() {{ :; }}\n{script_of('bash')}\nCOMP_WORDS=({' '.join(map(quoted, words))})\n"
                  f"COMP_CWORD={len(words) - 1}\n_xwalk\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
    check_offers(offered.splitlines(), wanted, unwanted)


def test_bash_registers(folder):
    assert "_xwalk xwalk" in run(["bash", "--norc"], folder, script_of("bash") + "\ncomplete -p xwalk\n")


def test_zsh_registers(folder):
    (folder / "_xwalk").write_text(script_of("zsh"))
    run(["zsh", "-n", "_xwalk"], folder)
    found = run(["zsh", "-f"], folder, "autoload -U compinit; compinit -D -u\nsource ./_xwalk\nprint -r -- $_comps[xwalk]\n")
    assert found.strip() == "_xwalk"


@each_offer
def test_fish(folder, words, wanted, unwanted):
    if "=" in words:
        pytest.skip("fish does not divide words at =")
    (folder / "xwalk.fish").write_text(script_of("fish"))
    line = " ".join(word.replace(" ", "\\ ") for word in words)
    found = run(["fish", "-N"], folder, f"source xwalk.fish\ncomplete -C {quoted(line)}\n")
    offered = [line.split("\t")[0].replace("\\ ", " ") for line in found.splitlines()]
    # fish offers options only after a hyphen.
    check_offers(offered, [word for word in wanted if words[-1] or not word.startswith("-")], unwanted)


def test_man(folder):
    needs("groff")
    (folder / "xwalk.1").write_text(harness.run("man").stdout)
    if shutil.which("mandoc"):
        assert not subprocess.run(["mandoc", "-T", "lint", "-W", "error", "xwalk.1"], cwd=folder, stdout=subprocess.PIPE).stdout
    assert not subprocess.run(["groff", "-man", "-ww", "-z", "-K", "utf8", "xwalk.1"], cwd=folder, stderr=subprocess.PIPE).stderr
    text = run(["groff", "-man", "-Tutf8", "-P-cbou", "xwalk.1"], folder)
    commands = re.findall(r"^  ([a-z]+) ", harness.run("--help").stdout.partition("Commands:")[2], re.M)
    assert len(commands) >= 10
    assert [command for command in commands if not re.search(rf"^ +xwalk {command}\b", text, re.M)] == []
