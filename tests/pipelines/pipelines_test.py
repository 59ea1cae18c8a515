"""The pre-commit hook and the GitHub action, in repositories made for them."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from tests import harness

with harness.skip_if_missing(" (tools/setup.sh test)"):
    import pre_commit  # noqa: F401 - only checks that it is installed
    import yaml

XWALK, SOURCE = harness.PROGRAM, harness.ROOT
SCHEMA = "[{name=id;type=int64};{name=price;type=int32}]\n"
WIDER = "[{name=id;type=int64};{name=price;type=int64};{name=note;type=utf8}]\n"
OTHER = "[{name=id;type=int64};{name=price;type=utf8}]\n"


class InRepository(harness.InFolder):
    def prepare(self) -> None:
        self.repository = self.folder / "tables"
        path = [str(XWALK.parent), str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]
        self.environment = {
            "PATH": os.pathsep.join(path), "HOME": str(self.folder), "PRE_COMMIT_HOME": str(self.folder / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
        }

    def run_in(self, folder: pathlib.Path, *words: object, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([str(word) for word in words], cwd=folder, env={**self.environment, **more}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)

    def git(self, *words: str, folder: pathlib.Path | None = None) -> str:
        done = self.run_in(folder or self.repository, "git", *words)
        assert done.returncode == 0, done.stdout
        return done.stdout.strip()

    def commit(self, message: str, folder: pathlib.Path | None = None) -> None:
        self.git("add", "--all", folder=folder)
        self.git("commit", "--quiet", "--message", message, folder=folder)

    def write(self, text: str, name: str = "orders.schema") -> None:
        path = self.repository / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)

    def new_repository(self) -> None:
        self.repository.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")


class TestPreCommit(InRepository):
    """The hook, in the order of a table's life, by `git commit`."""

    def try_commit(self) -> subprocess.CompletedProcess[str]:
        self.git("add", "--all")
        return self.run_in(self.repository, "git", "commit", "--message", "change")

    def test_commits(self) -> None:
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(SOURCE / ".pre-commit-hooks.yaml", hooks)
        shutil.copytree(SOURCE / "packaging/pipelines", hooks / "packaging/pipelines")
        self.git("init", "--quiet", "--initial-branch=main", folder=hooks)
        self.commit("hooks", folder=hooks)
        self.new_repository()
        self.write(yaml.safe_dump({"repos": [{"repo": str(hooks), "rev": self.git("rev-parse", "HEAD", folder=hooks),
                                              "hooks": [{"id": "xwalk-compat"}]}]}), ".pre-commit-config.yaml")
        installed = self.run_in(self.repository, "pre-commit", "install")
        assert installed.returncode == 0, installed.stdout

        self.write(SCHEMA)  # before the first commit there is nothing to compare with
        assert self.try_commit().returncode == 0
        self.write(WIDER)
        done = self.try_commit()
        assert done.returncode == 0, done.stdout
        assert "Passed" in done.stdout

        self.write(OTHER)
        done = self.try_commit()
        assert done.returncode == 1, done.stdout
        assert "orders.schema:\nincompatible" in done.stdout
        assert "price" in done.stdout
        assert self.git("log", "--format=%s") == "change\nchange"

        # The staged files are compared, not those of the work tree.
        self.git("reset", "--quiet", "--hard")
        self.write(OTHER.replace("int64", "int32"))
        self.write("text", "notes.txt")
        self.git("add", "notes.txt")
        done = self.run_in(self.repository, "git", "commit", "--message", "notes")
        assert done.returncode == 0, done.stdout

        self.write("[{name=id;type=int65}]")
        done = self.try_commit()
        assert done.returncode == 1, done.stdout
        assert "orders.schema: error: expected a schema" in done.stdout

        self.git("rm", "--quiet", "--force", "orders.schema")
        assert self.try_commit().returncode == 0

    def test_project_file(self) -> None:
        """Both hooks use the settings of xwalk.toml for a schema."""
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(SOURCE / ".pre-commit-hooks.yaml", hooks)
        shutil.copytree(SOURCE / "packaging/pipelines", hooks / "packaging/pipelines")
        self.git("init", "--quiet", "--initial-branch=main", folder=hooks)
        self.commit("hooks", folder=hooks)
        self.new_repository()
        revision = self.git("rev-parse", "HEAD", folder=hooks)
        self.write(yaml.safe_dump({"repos": [{"repo": str(hooks), "rev": revision,
                                              "hooks": [{"id": "xwalk-compat"}, {"id": "xwalk-check"}]}]}),
                   ".pre-commit-config.yaml")
        assert self.run_in(self.repository, "pre-commit", "install").returncode == 0
        pairs = '[[check]]\ninput = "orders.schema"\nfrom = "yt"\nto = "lance"\nfail-on = "annotated"\n'
        self.write(pairs, "xwalk.toml")
        self.write(SCHEMA)
        assert self.try_commit().returncode == 0

        self.write(OTHER)
        done = self.try_commit()
        assert done.returncode == 1, done.stdout
        assert "orders.schema:\nincompatible" in done.stdout
        past = ('[[compat]]\nnew = "*.schema"\n[[compat.accept]]\npath = "price"\nrule = "backward"\n'
                'reason = "agreed"\nexpires = %s\n')
        self.write(pairs + past % "2020-01-31", "xwalk.toml")
        done = self.try_commit()
        assert done.returncode == 1, done.stdout
        assert "xwalk.toml:8: expired: price: backward: accepted until 2020-01-31" in done.stdout
        self.write(pairs + past % "2999-12-31", "xwalk.toml")
        done = self.try_commit()
        assert done.returncode == 0, done.stdout

        # What fails is written into the file, for this schema alone: another one with the same change fails.
        self.write(pairs + '[[compat]]\nnew = "*.schema"\n', "xwalk.toml")
        self.write(SCHEMA, "first.schema")
        self.write(SCHEMA, "second.schema")
        assert self.try_commit().returncode == 0
        self.write(OTHER, "first.schema")
        assert self.try_commit().returncode == 1
        script = SOURCE / "packaging/pipelines/compat_since.py"
        done = self.run_in(self.repository, sys.executable, script, "--write-accept", "--reason=agreed", "--expires=2999-12-31",
                           "first.schema")
        assert done.returncode == 0, done.stdout
        written = (self.repository / "xwalk.toml").read_text()
        assert 'table = "first.schema"\npath = "price"\nrule = "backward"\nreason = "agreed"\nexpires = 2999-12-31' in written
        done = self.try_commit()
        assert done.returncode == 0, done.stdout
        self.write(OTHER, "second.schema")
        done = self.try_commit()
        assert done.returncode == 1, done.stdout
        assert "second.schema:\nincompatible" in done.stdout
        self.write(SCHEMA, "second.schema")

        self.write("[{name=id;type=int64};{name=price;type=utf8};{name=at;type=timestamp}]\n")
        done = self.try_commit()
        assert done.returncode == 1, done.stdout
        assert "type.as-storage" in done.stdout
        assert "1 pair: 0 passed, 1 failed" in done.stdout

    def test_no_program(self) -> None:
        self.new_repository()
        self.write(SCHEMA)
        self.commit("schema")
        script = SOURCE / "packaging/pipelines/compat_since.py"
        done = self.run_in(self.repository, sys.executable, script, "orders.schema", XWALK="no-such-xwalk")
        assert (done.returncode, done.stdout.strip()) == (2, "xwalk is not in PATH: pip install the clone that has it")


class TestAction(InRepository):
    """The steps of action.yml, as GitHub runs them: in a shallow clone of the branch of a pull request."""

    def pull_request(self, **changes: str | None) -> pathlib.Path:
        """Makes a repository with three schemas, a branch that changes some, and a shallow clone of that."""
        self.new_repository()
        for name in ("orders", "deep/er/users", "kept"):
            self.write(SCHEMA, f"{name}.schema")
        self.commit("schemas")
        self.git("checkout", "--quiet", "-b", "change")
        for name, text in changes.items():
            path = self.repository / (name.replace("__", "/") + ".schema")
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
        self.commit("change")
        clone = self.folder / "clone"
        self.git("clone", "--quiet", "--depth=1", "--branch=change", f"file://{self.repository}", str(clone),
                 folder=self.folder)
        return clone

    def run_action(self, clone: pathlib.Path, base_ref: str = "main", **inputs: str) -> tuple[int, str, str]:
        """Runs all steps; returns the exit code, the output and the summary."""
        action = yaml.safe_load((SOURCE / "action.yml").read_text())
        known = {name: entry["default"] for name, entry in action["inputs"].items()}
        assert inputs.keys() <= known.keys()
        values = {**known, **inputs}
        assert action["runs"]["using"] == "composite"
        summary, output, code = self.folder / "summary.md", "", 0
        summary.write_text("")
        for step in action["runs"]["steps"]:
            assert step["shell"] == "bash"
            environment = {name: values[text.removeprefix("${{ inputs.").removesuffix(" }}")]
                           for name, text in step["env"].items()}
            # The command that GitHub documents for `shell: bash`.
            done = self.run_in(clone, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"],
                               GITHUB_ACTION_PATH=str(SOURCE), GITHUB_BASE_REF=base_ref,
                               GITHUB_STEP_SUMMARY=str(summary), **environment)
            output, code = output + done.stdout, done.returncode
            if code != 0:
                break
        return code, output, summary.read_text()

    def test_compatible(self) -> None:
        code, output, summary = self.run_action(self.pull_request(orders=WIDER, brand_new=SCHEMA, kept=None))
        assert code == 0, output
        assert "::error" not in output
        assert "| `orders.schema` | compatible |" in summary
        assert "| `brand_new.schema` | new |" in summary
        assert "| `kept.schema` | removed |" in summary
        assert "users" not in summary

    def test_not_compatible(self) -> None:
        code, output, summary = self.run_action(self.pull_request(orders=WIDER, deep__er__users=OTHER))
        assert code == 1, output
        assert "::error file=deep/er/users.schema,title=price" in output
        assert "file=orders.schema" not in output
        assert "| `deep/er/users.schema` | not compatible |" in summary
        assert "| `orders.schema` | compatible |" in summary

    def test_removed_column(self) -> None:
        """Every annotation is about a file of the checkout, where GitHub can show it."""
        clone = self.pull_request(deep__er__users="[{name=id;type=int64}]\n")
        code, output, _ = self.run_action(clone)
        assert code == 1, output
        assert "::error file=deep/er/users.schema,title=price" in output
        assert all((clone / name).is_file() for name in re.findall(r"::\w+ file=([^,:]+)", output)), output

    def test_inputs(self) -> None:
        clone = self.pull_request(orders=WIDER, deep__er__users=OTHER)
        code, output, summary = self.run_action(clone, files="*.schema\n")
        assert code == 0, output
        assert "users" not in summary
        code, output, _ = self.run_action(clone, files="*.schema", mode="forward")
        assert code == 1, output
        assert "::error file=orders.schema" in output
        code, output, _ = self.run_action(clone, files="*.schema", mode="sideways")
        assert code == 2, output
        code, output, _ = self.run_action(clone, base_ref="")
        assert code == 2, output
        assert "::error::outside of a pull request" in output
        code, output, _ = self.run_action(clone, base_ref="", base="main")
        assert code == 1, output

    def test_broken(self) -> None:
        code, output, summary = self.run_action(self.pull_request(orders="[{name=id;type=int65}]"), **{"from": "yt"})
        assert code == 3, output
        assert "::error file=orders.schema::" in output
        assert "int65" in output
        assert "| `orders.schema` | cannot be read |" in summary

    def test_project_file(self) -> None:
        clone = self.pull_request(orders=OTHER)
        (clone / "xwalk.toml").write_text(
            '[[compat]]\nnew = "orders.schema"\naccept = [{path = "price", rule = "backward", reason = "agreed", '
            'expires = 2999-12-31}]\n[[check]]\ninput = "kept.schema"\nto = "yt"\nfrom = "yt"\n')
        code, output, summary = self.run_action(clone)
        assert code == 0, output
        assert "| `orders.schema` | compatible, 1 accepted |" in summary
        assert "::notice file=orders.schema,title=price" in output
        assert "1 pair: 1 passed, 0 failed" in summary
        (clone / "xwalk.toml").rename(clone / "pairs.toml")
        code, output, _ = self.run_action(clone, config="pairs.toml")
        assert code == 0, output
        code, output, _ = self.run_action(clone)
        assert code == 1, output
        with open(clone / "pairs.toml", "a") as file:
            file.write('accept = [{path = "id", rule = "id.lost", reason = "gone", expires = 2999-12-31}]\n')
        code, output, summary = self.run_action(clone, config="pairs.toml")
        assert code == 0, output
        assert "::warning file=pairs.toml,line=8,title=id%3A id.lost%3A not-found" in output
        assert "1 problem" in summary

    def installer(self) -> tuple[pathlib.Path, dict[str, str]]:
        """Makes a clone with the script that installs, and programs of which pip prints its arguments."""
        tools = self.folder / "bin"
        tools.mkdir()
        for name in ("bash", "chmod", "dirname", "env", "mktemp", "mkdir", "realpath"):
            (tools / name).symlink_to(shutil.which(name) or name)
        # Replaces python3: makes an "environment" whose python prints the arguments of pip.
        (tools / "python3").write_text('#!/bin/bash\nif [[ $2 == */untrusted.py ]]; then [ "$XWALK_UNTRUSTED" = true ]; exit; fi\n'
                                       'folder=${@: -1}\nmkdir -p "$folder/bin"\n'
                                       'printf \'#!/bin/bash\\necho "$@"\\n\' >"$folder/bin/python"\n'
                                       'chmod +x "$folder/bin/python"\n')
        (tools / "python3").chmod(0o755)
        clone = self.folder / "action"
        shutil.copytree(SOURCE / "packaging/pipelines", clone / "packaging/pipelines")
        (clone / "tools").mkdir()
        (clone / "tools/setup.sh").write_text('#!/bin/bash\necho "setup $@"\n')
        (clone / "tools/setup.sh").chmod(0o755)
        return clone, {"PATH": str(tools), "RUNNER_TEMP": str(self.folder), "GITHUB_PATH": str(self.folder / "paths")}

    def test_install(self) -> None:
        """Without a program, the named package is installed, or else the clone itself."""
        clone, common = self.installer()
        script = clone / "packaging/pipelines/install.sh"
        wheel = "https://example.invalid/xwalk.whl"
        done = self.run_in(self.folder, script, XWALK_INSTALL=wheel, **common)
        assert done.returncode == 0, done.stdout
        assert done.stdout.strip().endswith(f"install --quiet {wheel}"), done.stdout
        done = self.run_in(self.folder, script, XWALK_INSTALL="", **common)
        assert done.stdout.startswith("setup build\n"), done.stdout
        assert done.stdout.strip().endswith(f"install --quiet {clone}"), done.stdout
        assert (self.folder / "paths").read_text().splitlines() == [str(self.folder / "xwalk-action/bin")] * 2

    def test_names_of_the_checkout_are_not_installed(self) -> None:
        """A URL or a requirement is not a file of the checkout that has this name, and PATH leads to no program of it."""
        clone, common = self.installer()
        script, checkout = clone / "packaging/pipelines/install.sh", self.folder / "checkout"
        for name in ("https:/example.invalid/x.whl", "xwalk/setup.py", "xwalk==1.0/setup.py", "dist/x.whl"):
            (checkout / name).parent.mkdir(parents=True)
            (checkout / name).touch()
        for name in ("xwalk", "python3", "realpath"):
            (place := checkout / "programs" / name).parent.mkdir(exist_ok=True)
            place.write_text("#!/bin/bash\necho code of the checkout\n")
            place.chmod(0o755)
        common["PATH"] = f"programs:{common['PATH']}:"
        for given, installed in (("https://example.invalid/x.whl", "https://example.invalid/x.whl"), ("xwalk", "xwalk"), ("xwalk==1.0", "xwalk==1.0"),
                                 ("dist/x.whl", "dist/x.whl"), ("./dist/x.whl", f"{checkout}/dist/x.whl")):
            done = self.run_in(checkout, script, XWALK_INSTALL=given, XWALK_UNTRUSTED="false", **common)
            assert done.stdout.strip().endswith(f"install --quiet {installed}"), (given, done.stdout)
            assert "code of the checkout" not in done.stdout, done.stdout
        for given in ("./dist/x.whl", "dist/../dist/../../checkout/dist/x.whl", f"{checkout}/dist/x.whl"):
            done = self.run_in(checkout, script, XWALK_INSTALL=given, XWALK_UNTRUSTED="true", **common)
            assert (done.returncode == 2) == given.startswith((".", "/")), (given, done.stdout)
            assert "code of the checkout" not in done.stdout, done.stdout

    def event(self, head: int | None, base: int = 1, **more: object) -> str:
        """Writes the event of a pull request from the repository `head`, None if it is gone."""
        path = self.folder / "event.json"
        repository = None if head is None else {"id": head}
        path.write_text(json.dumps({"pull_request": {"head": {"repo": repository}, "base": {"repo": {"id": base}}}, **more}))
        return str(path)

    def test_names_are_escaped(self) -> None:
        """Names are escaped: they give the workflow no commands, and they are not options."""
        clone = self.pull_request(orders=WIDER)
        evil = "x\n::add-mask::y|`<b>\x1b[31m.schema"
        for name in (evil, "--config=evil.schema", "--summary=evil.schema"):
            (self.repository / name).write_text("[{name=id;type=int65}]\n")
        self.commit("evil")
        self.git("pull", "--quiet", folder=clone)
        code, output, summary = self.run_action(clone, base_ref="main", files="*.schema")
        assert code == 0, output  # new files have no past
        self.git("checkout", "--quiet", "main")
        for name in (evil, "--config=evil.schema"):
            (self.repository / name).write_text(SCHEMA)
        self.commit("old")
        code, output, summary = self.run_action(clone, base_ref="main", files="*.schema")
        assert code == 3, output
        for text in (output, summary):
            assert "\n::add-mask" not in text
            assert "\x1b" not in text
        assert "<b>" not in summary
        assert not (clone / "evil.schema").exists()
        # pre-commit gives names as they are.
        script = SOURCE / "packaging/pipelines/compat_since.py"
        for words in (("--config=evil.schema",), ("orders.schema", "--summary=evil.schema")):
            done = self.run_in(clone, sys.executable, script, *words)
            assert done.returncode == 2, done.stdout
            assert "named like an option" in done.stdout
        assert not (clone / "evil.schema").exists()

    def test_no_line_is_a_command(self) -> None:
        """Lines of a schema, file names and column names in the log are no commands to a CI service."""
        is_command = re.compile(r"^[^!-~]*::(?!(error|warning|notice) )|##[a-z]*\[")
        bodies = ["[{name=a;\n::add-mask::y\n;type=int64}]", "[{name=a;\n\u00a0::add-mask::y\n;type=int64}]",
                  "[{name=a;\n##vso[task.setvariable variable=PATH]y\n;type=int64}]", "[{name=\"##[add-mask]y\";type=any}]"]
        self.new_repository()
        names = ["orders.schema", "::add-mask::y.schema", "##[add-mask]y.schema"]
        for name in names:
            (self.repository / name).write_text(SCHEMA)
        self.commit("base")
        for body in bodies:
            for name in names:
                (self.repository / name).write_text(body)
            done = self.run_in(self.repository, sys.executable, SOURCE / "packaging/pipelines/compat_since.py", "--from=yt",
                               "--output=github", "--", *names)
            output = done.stdout
            for name in names:
                for verb in (["info"], ["validate"], ["check", "--to=parquet", "-v"], ["check", "--to=parquet", "--output=github"]):
                    output += self.run_in(self.repository, XWALK, *verb, "--from=yt", "--", name).stdout
            assert "y" in output
            obeyed = [line for line in output.splitlines() if is_command.search(line)]
            assert obeyed == [], body

    def test_base_is_no_option(self) -> None:
        clone = self.pull_request(orders=WIDER)
        for base in (f"--upload-pack=touch {self.folder}/ran;git-upload-pack", "-x", "+main:main", "main:evil", "a b"):
            code, output, _ = self.run_action(clone, base=base)
            assert code == 2, output
        assert not (self.folder / "ran").exists()
        assert self.git("branch", "--list", "evil", folder=clone) == ""

    def test_links_are_not_followed(self) -> None:
        clone = self.pull_request(orders=WIDER)
        secret = self.folder / "secret"
        secret.write_text("the-secret-line\n")
        for name, target in (("orders.schema", secret), ("deep/er", self.folder)):
            path = self.repository / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
            path.symlink_to(target)
        (self.folder / "users.schema").write_text("the-secret-line\n")
        self.commit("links")
        self.git("pull", "--quiet", folder=clone)
        code, output, summary = self.run_action(clone)
        assert code == 3, output
        assert "a symbolic link" in output
        assert "the-secret-line" not in output + summary
        (clone / "orders.schema").unlink()
        (clone / "xwalk.toml").symlink_to(secret)
        code, output, summary = self.run_action(clone, files="kept.schema")
        assert code == 2, output
        assert "the-secret-line" not in output + summary

    def test_forks(self) -> None:
        """The project file of a fork names files of the checkout, and nothing else."""
        clone = self.pull_request(orders=WIDER)
        (self.folder / "outside.schema").write_text("[{name=the_secret;type=int64}]\n")
        fine = '[[check]]\ninput = "kept.schema"\nto = "yt"\nfrom = "yt"\n'
        for name, text, allowed in (("inside", fine, True), ("outside", fine.replace("kept", "../outside"), False),
                                    ("a URI", fine.replace("kept.schema", "http://127.0.0.1:1/x"), False)):
            (clone / "xwalk.toml").write_text(text)
            for event, trusted in ((self.event(1), True), (self.event(2), False), (self.event(None), False),
                                   (str(self.folder / "none.json"), False), ("", True)):
                self.environment["GITHUB_EVENT_PATH"] = event
                code, output, summary = self.run_action(clone, files="kept.schema")
                if allowed:
                    assert code == 0, f"{name}: {output}"
                elif not trusted:
                    assert code == 2, f"{name}: {output}"
                    assert "the_secret" not in output + summary
            self.environment["GITHUB_EVENT_PATH"] = self.event(1)
            code, output, _ = self.run_action(clone, files="kept.schema", untrusted="true")
            assert code == (0 if allowed else 2), output
        del self.environment["GITHUB_EVENT_PATH"]

    def test_nothing_changed(self) -> None:
        code, output, summary = self.run_action(self.pull_request(more=SCHEMA), files="tables/**")
        assert code == 0, output
        assert "No schema has changed." in summary
