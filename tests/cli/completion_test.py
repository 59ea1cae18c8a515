"""Runs the completion scripts in their shells, and the manual page through man's own warnings.

usage: completion_test.py bash|zsh|fish|man XWALK

A shell that is not installed is skipped with exit code 77 and a printed reason.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77

# What was typed, words that must be offered, words that must not be.
OFFERS = [
    (["xwalk", ""], ["convert", "schema", "explain", "--help"], ["--from"]),
    (["xwalk", "sch"], ["schema"], ["convert"]),
    (["xwalk", "convert", "--du"], ["--durable", "--duplicate-keys"], ["--from"]),
    (["xwalk", "convert", "--mode", ""], ["create", "append", "overwrite"], ["--from"]),
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


def run(command: list[str], folder: str, text: str = "") -> str:
    done = subprocess.run(command, cwd=folder, input=text.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60)
    errors = done.stderr.decode()
    if done.returncode or errors:
        raise SystemExit(f"{command}: exit {done.returncode}\n{errors}")
    return done.stdout.decode()


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def bash(script: str, folder: str) -> list[str]:
    problems = []
    for words, wanted, unwanted in OFFERS:
        ask = (f"{script}\nCOMP_WORDS=({' '.join(map(quoted, words))})\n"
               f"COMP_CWORD={len(words) - 1}\n_xwalk\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n")
        # compopt has a meaning only while bash itself completes.
        offered = run(["bash", "--norc"], folder, "compopt() { :; }\n" + ask).splitlines()
        for word in wanted:
            if word not in offered:
                problems.append(f"bash: {words}: {word} is not offered, only {offered}")
        for word in unwanted:
            if word in offered:
                problems.append(f"bash: {words}: {word} is offered")
    registered = run(["bash", "--norc"], folder, script + "\ncomplete -p xwalk\n")
    if "_xwalk xwalk" not in registered:
        problems.append(f"bash: not registered: {registered}")
    return problems


def zsh(script: str, folder: str) -> list[str]:
    path = pathlib.Path(folder) / "_xwalk"
    path.write_text(script)
    run(["zsh", "-n", str(path)], folder)
    text = "autoload -U compinit; compinit -D -u\nsource ./_xwalk\nprint -r -- $_comps[xwalk]\n"
    found = run(["zsh", "-f"], folder, text)
    return [] if found.strip() == "_xwalk" else [f"zsh: not registered: {found}"]


def fish(script: str, folder: str) -> list[str]:
    problems = []
    path = pathlib.Path(folder) / "xwalk.fish"
    path.write_text(script)
    for words, wanted, unwanted in OFFERS:
        if "=" in words:
            continue
        line = " ".join(word.replace(" ", "\\ ") for word in words)
        text = f"source xwalk.fish\ncomplete -C {quoted(line)}\n"
        offered = [l.split("\t")[0] for l in run(["fish", "-N"], folder, text).splitlines()]
        offered = [word.replace("\\ ", " ") for word in offered]
        for word in wanted:
            # fish offers options only after a hyphen.
            if word not in offered and not (word.startswith("-") and words[-1] == ""):
                problems.append(f"fish: {words}: {word} is not offered, only {offered}")
        problems += [f"fish: {words}: {word} is offered" for word in unwanted if word in offered]
    return problems


def man(page: str, folder: str, verbs: list[str]) -> list[str]:
    path = pathlib.Path(folder) / "xwalk.1"
    path.write_text(page)
    problems = []
    if shutil.which("mandoc"):
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "error", str(path)],
                              stdout=subprocess.PIPE, timeout=60).stdout.decode()
        problems += lint.splitlines()
    roff = subprocess.run(["groff", "-man", "-ww", "-z", "-K", "utf8", str(path)],
                          stderr=subprocess.PIPE, timeout=60)
    problems += roff.stderr.decode().splitlines()
    text = run(["groff", "-man", "-Tutf8", "-P-cbou", str(path)], folder)
    for verb in verbs:
        if not re.search(rf"^ +xwalk {verb}\b", text, re.M):
            problems.append(f"man: nothing on the verb {verb}")
    return problems


def main() -> int:
    shell, program = sys.argv[1], str(pathlib.Path(sys.argv[2]).resolve())
    needed = "groff" if shell == "man" else shell
    if not shutil.which(needed):
        print(f"skipped: {needed} is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="xwalk-shell-") as folder:
        for name in ("two words.yson", "other.yson"):
            (pathlib.Path(folder) / name).write_text("{a=1};\n")
        if shell == "man":
            overview = run([program, "--help"], folder).partition("Commands:")[2]
            verbs = re.findall(r"^  ([a-z]+) ", overview, re.M)
            problems = man(run([program, "man"], folder), folder, verbs)
            if len(verbs) < 10:
                problems.append(f"man: the overview lists only {verbs}")
        else:
            script = run([program, "completion", shell], folder)
            problems = {"bash": bash, "zsh": zsh, "fish": fish}[shell](script, folder)
    print("\n".join(problems) or f"{shell}: all is as it should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
