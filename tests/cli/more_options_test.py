"""One row more in the table of options is one option more everywhere."""

import pathlib
import subprocess
import tempfile

from tests import harness

#: The program with the row of more_options.inc in its table.
PROGRAM = harness.needs("tests/xwalk_more_options")
WORD = "--imaginary-rows"


def run(*words: str, code: int = 0) -> str:
    """Returns what the program prints, on both outputs."""
    done = subprocess.run([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout.decode()}")
    return done.stdout.decode()


class TestOneMoreRow:
    def test_each_command_that_takes_it_lists_it(self):
        for command in ("convert", "check", "head", "tail", "info", "validate"):
            assert f"{WORD} N      stop after imaginary rows" in run(command, "--help", "rows"), command
        for command in ("schema", "compat", "diff", "job"):
            assert WORD not in run(command, "--help", "all"), command

    def test_it_is_read_by_its_type(self):
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder) / "a.yson"
            rows.write_text("{a=1};{a=2};{a=3};")
            assert run("head", "-q", "--as", "json", str(rows), WORD, "2").count('{"a":') == 2
            assert f"{WORD}: expected a whole number of at least 1, found \"0\"" in run("head", str(rows), WORD, "0", code=2)
            assert f"Did you mean {WORD}?" in run("head", str(rows), "--imaginary-row", "2", code=2)
            project = pathlib.Path(folder) / "xwalk.toml"
            project.write_text(f'[[check]]\ninput = "a.yson"\nto = "parquet"\n{WORD[2:]} = 2\n')
            assert "a.yson" in run("check", "--config", str(project), "--rows", "--all")

    def test_it_is_explained_in_the_words_of_each_interface(self):
        text = " ".join(run("explain", WORD).split())
        for words in (WORD, "Imaginary: stop after this many rows.", "In Python: imaginary_rows", '"imaginary_rows"'):
            assert words in text

    def test_completion_and_the_manual_page_have_it(self):
        for shell in ("bash", "zsh", "fish"):
            assert WORD[2:] in run("completion", shell), shell
        assert "imaginary\\-rows" in run("man")
