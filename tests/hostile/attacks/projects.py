"""Project files of strangers, and code in a checkout (points 3, 5, 6 and 8b)."""
import os
import re
import shutil

from tests import harness

from case import Command, case, tupled

from .files import UNREADABLE, as_others, kinds_here, make_unreadable, with_engine

OUTSIDE = "outside/secret.schema"
SECRET = "a-line-that-nobody-may-see"
CONVERT = '[[convert]]\ninput = "rows.yson"\nschema = "[{{name=a;type=int64}}]"\n'
CHECK = '[[check]]\ninput = "rows.yson"\nto = "parquet"\n'


def repository(here):
    """Makes a git repository with rows, and a file next to it that it must not read."""
    here.write("mine/.git/config", "[core]\n")
    here.write("mine/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    here.write(OUTSIDE, f"[{{name=a;type={SECRET}}}]")
    return here.folder / "mine"


def run(here, verb, toml, *words, **expected):
    here.write("mine/xwalk.toml", toml)
    return Command(["env", "-C", "mine", str(here.program), verb, *words],
                   **tupled({"memory": 60, "seconds": 5, "exits": (2,), "unsaid": (SECRET,), **expected}))


#: Names that lead out of the repository, with the folders and links of `outputs`.
OUT = ("../out.skiff", "*/../../out.skiff", "tables/*/../../../out.skiff", "tables/[x]/../../../out.skiff", "a?/../../out.skiff",
       "new/../../out.skiff", "link/out.skiff", "link/../out.skiff", "dangling.skiff", "chain/out.skiff")
#: Names that lead into the folder of git, on some file system.
GIT = (".git/x.skiff", ".GIT/x.skiff", ".gIt/hooks/x.skiff", "./.git/./x.skiff", "tables/../.git/x.skiff", ".git/../x.skiff",
       ".git./x.skiff", ".git /x.skiff", ".git. ./x.skiff", "git~1/x.skiff", "GIT~1/x.skiff", ".git::$INDEX_ALLOCATION/x.skiff",
       "tables\\\\.git/x.skiff", ".g\u200cit/x.skiff", ".git\ufeff/x.skiff", ".g\u00adit/x.skiff", "meta/x.skiff", "deep/.git/x.skiff", "*/../.git/x.skiff")
#: Files that tools obey.
DOTS = (".x.skiff", ".github/workflows/x.skiff", "tables/.x/x.skiff", "tables/./../.x.skiff", "\u200b.x.skiff")


def outputs(here):
    mine = repository(here)
    for name in ("tables/*", "tables/[x]", "*", "a?"):
        (mine / name).mkdir(parents=True)
    for name, target in (("link", "../outside"), ("dangling.skiff", "../outside/new.skiff"), ("meta", ".git"), ("chain", "again"),
                         ("again", "tables/../link")):
        os.symlink(target, mine / name)


@case("3.outputs-outside")
def outputs_outside(here):
    """Outputs, rejected rows and saved schemas of a project file that was found lead out of its repository, by characters of
    patterns, links and folders that do not exist."""
    outputs(here)
    for name in OUT:
        yield run(here, "convert", CONVERT.format() + f'output = "{name}"\n')
        for option in ("rejects", "save-schema"):
            yield run(here, "convert", CONVERT.format() + f'output = "good.skiff"\n{option} = "{name}"\n')
    yield run(here, "convert", CONVERT.format() + 'output = "tables/*/[a]?.skiff"\n', exits=0,
              leaves=("mine/tables/*/[a]?.skiff", "mine/tables/*/[a]?.skiff.schema", "mine/tables/*/_xwalk"))


@case("3.git-folder")
def git_folder(here):
    """Outputs and inputs of a project file are in the folder of git, in spellings that some file system takes for it; also if the
    file is named."""
    outputs(here)
    for name in GIT:
        for words in ((), ("--config", "xwalk.toml")):
            yield run(here, "convert", CONVERT.format() + f'output = "{name}"\n', *words)
    here.write("mine/.git/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    for name in (".git/rows.yson", "meta/rows.yson", ".g*/rows.yson", ".[g]it/rows.yson", "tables/../.git/rows.yson", "m*/rows.yson"):
        for words in ((), ("--config", "xwalk.toml"), ("--untrusted",)):
            yield run(here, "check", f'[[check]]\ninput = "{name}"\nto = "parquet"\n', *words)
    yield run(here, "check", CHECK + 'schema = ".git/config"\n', unsaid="core")


def make_git(folder):
    """Makes what git takes for a repository."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


@case("3.git-file")
def git_file(here):
    """The folder of git is elsewhere in the repository: a file or a link `.git`, here or in a folder above or below, leads to it, it has
    a `commondir`, or it is a bare repository. Outputs and inputs in it are refused, also if the project file is named."""
    mine = here.folder / "mine"
    (mine / "sub/deep").mkdir(parents=True)
    here.write("mine/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    here.write("mine/.git", "gitdir: meta\n")
    here.write("mine/meta/commondir", "../common\n")
    here.write("mine/common/config", "[core]\n")
    here.write("mine/sub/.git", f"gitdir: {mine}/./later\r\n")
    for name in ("store/sub", "bare"):
        make_git(mine / name)
    here.write("mine/tree/HEAD", "ref: refs/heads/main\n")
    here.write("mine/tree/commondir", ".\n")
    for name in ("meta", "common", "bare"):
        here.write(f"mine/{name}/rows.yson", "{a=1};", "[{name=a;type=int64}]")
        os.symlink(name, mine / f"link-{name}")
    refused = ("meta/x.skiff", "meta/hooks/x.skiff", "common/x.skiff", "sub/../meta/x.skiff", "link-common/x.skiff", "meta/../x.skiff",
               "store/sub/x.skiff", "bare/x.skiff", "bare/objects/x.skiff", "tree/x.skiff", f"{mine}/common/x.skiff")
    for words in ((), ("--config", "xwalk.toml")):
        for name in refused:
            yield run(here, "convert", CONVERT.format() + f'output = "{name}"\n', *words, said="the folder of git")
    for words in ((), ("--config", "xwalk.toml"), ("--untrusted",)):
        for name in ("meta/rows.yson", "common/*.yson", "bare/rows.yson", "link-*/rows.yson", "m*/rows.yson"):
            yield run(here, "check", f'[[check]]\ninput = "{name}"\nto = "parquet"\n', *words, said="the folder of git")
    # From a folder below that has a file of its own, which leads to a folder that does not exist.
    here.write("mine/sub/deep/xwalk.toml", "\n".join([CONVERT.format().replace("rows.yson", "../../rows.yson"), 'output = "../../later/x.skiff"', ""]))
    yield Command(["env", "-C", "mine/sub/deep", str(here.program), "convert", "--config", "xwalk.toml"], exits=(2,), said=("the folder of git",))
    # A folder that is only called like one of these, and a file that leads nowhere, are not about git.
    here.write("mine/other/HEAD", "x\n")
    here.write("mine/other/.git", "gitdir: \n")
    (mine / "store/x").mkdir()
    for name in ("other/x.skiff", "store/x/x.skiff"):
        yield run(here, "convert", CONVERT.format() + f'output = "{name}"\n', exits=0,
                  leaves=(f"mine/{name}", f"mine/{name}.schema", f"mine/{name.rpartition('/')[0]}/_xwalk"))


#: A command, whose output or one of whose other outputs is the link `named`.
LINKS = (("convert", "rows.yson", "named"), ("convert", "rows.yson", "o.skiff", "--rejects", "named"),
         ("convert", "rows.yson", "o.skiff", "--save-schema", "named"), ("convert", "rows.yson", "o.skiff", "--proof", "named"),
         ("verify", "rows.yson", "rows.yson", "--proof", "named"), ("schema", "rows.yson", "-o", "named"))


@case("3.links-at-outputs")
def links_at_outputs(here):
    """A link that the user names as an output is followed, also if it leads to a new file. One that a project file names is not, even
    within its repository, unless the user names the project file."""
    here.write("mine/.git/config", "")
    here.write("mine/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    mine, target = here.folder / "mine", here.folder / "mine/target.yson"

    def link(there, leads_to="target.yson"):
        for name in ("named", "o.skiff", "o.skiff.schema", "target.yson", "target.yson.schema", "named.schema"):
            (mine / name).unlink(missing_ok=True)
        shutil.rmtree(mine / "_xwalk", ignore_errors=True)
        if there:
            target.write_text("old")
        os.symlink(leads_to, mine / "named")

    for words in LINKS:
        for there in (False, True):
            link(there)
            mode = ("--mode", "overwrite") if there and words[0] == "convert" else ()
            to = ("--to", "yson") if words[2] == "named" else ()
            # A schema that exists is not replaced.
            kept = there and ("--save-schema" in words or words[0] == "schema")
            yield Command(["env", "-C", "mine", str(here.program), *words, *mode, *to, "-q"], exits=(0, 74) if kept else (0,), leaves=None)
            here.expect((mine / "named").is_symlink() and target.exists(), words, there, os.listdir(mine))
            here.expect((target.read_text() == "old") == kept, words, there, target.read_text()[:50])
    for key in ("output", "rejects", "save-schema"):
        for words in ((), ("--config", "xwalk.toml")):
            for there in (False, True):
                link(there)
                lines = [f'output = "{"named" if key == "output" else "o.skiff"}"', f'{key} = "named"' if key != "output" else 'to = "yson"']
                done = yield run(here, "convert", CONVERT.format() + "\n".join(lines), "--overwrite", *words,
                                 exits=(0, 74) if words else (2,), said=() if words else "is a link", leaves=None)
                unchanged = target.read_text() == "old" if there else not target.exists()
                here.expect((mine / "named").is_symlink() and (bool(words) or unchanged), key, words, there, done.stderr)
                here.expect(not words or target.exists(), key, words, there, done.stderr)
    # A proof that the user names, for a project file that was found.
    link(True)
    yield run(here, "convert", CONVERT.format() + 'output = "o.skiff"\n', "--proof", "named", exits=0, leaves=None)
    here.expect((mine / "named").is_symlink() and target.read_text().startswith("{"), target.read_text()[:50])


@case("3.dot-files")
def dot_files(here):
    """Outputs of a project file have a dot in front, as the files of tools have. The command line may name them."""
    outputs(here)
    for name in DOTS:
        for words in ((), ("--config", "xwalk.toml")):
            yield run(here, "convert", CONVERT.format() + f'output = "{name}"\n', *words)
        yield run(here, "convert", CONVERT.format() + f'output = "good.skiff"\nrejects = "{name}"\n')
    yield here.xwalk("convert", "mine/rows.yson", ".named.skiff", "-q", leaves=(".named.skiff", ".named.skiff.schema"))


@case("3.untrusted-reads")
def untrusted_reads(here):
    """With --untrusted, a wildcard is followed by `..`, a schema next to rows is a link, an option names a file or a host."""
    mine = repository(here)
    here.write("outside/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    (mine / "tables/a").mkdir(parents=True)
    for name in ("*/../../outside/secret.schema", "tables/*/../../../outside/secret.schema", "**/../../outside/*.schema",
                 "tables/*/../../../none.schema", "[t]ables/../../outside/rows.yson"):
        yield run(here, "check", f'[[check]]\ninput = "{name}"\nto = "parquet"\n', "--untrusted", said="outside the repository")
    for words in ('schema = "../outside/secret.schema"', 'to-schema = "../outside/secret.schema"', 'append = "../outside/rows.yson"',
                  'follow = ["../outside"]', 'follow = "s3://box/x"', f'follow = "{here.folder}"', 'storage = ["endpoint=http://127.0.0.1:9"]',
                  'storage = {endpoint = "http://127.0.0.1:9"}', 'save-schema = "../outside/new.schema"'):
        text = CHECK.replace('to = "parquet"\n', "") if words.startswith("append") else CHECK
        yield run(here, "check", f"{text}{words}\n", "--untrusted")
    (mine / "rows.yson.schema").unlink()
    os.symlink("../" + OUTSIDE, mine / "rows.yson.schema")
    os.symlink("../../" + OUTSIDE, mine / "tables/b.schema")
    yield run(here, "check", CHECK, "--untrusted")
    yield run(here, "check", '[[check]]\ninput = "tables/*.schema"\nfrom = "yt"\nto = "parquet"\n', "--untrusted")
    # What the user names is read, with the schema next to it, wherever it is.
    here.write("mine/xwalk.toml", '[[compat]]\nnew = "*.yson"\n')
    here.write("mine/new.yson", "{a=1};", "[{name=a;type=int64}]")
    compat = ["env", "-C", "mine", str(here.program), "compat", "--config", "xwalk.toml", "--untrusted", "../outside/rows.yson"]
    yield Command([*compat, "new.yson"], said=("compatible",))
    yield Command([*compat, "rows.yson"], exits=(2,), unsaid=(SECRET,))


@case("3.untrusted-pattern")
def untrusted_pattern(here):
    """With --untrusted, a pattern without a folder is read, and a folder."""
    here.write("mine/new.schema", "[{name=a;type=int64}]")
    here.write("mine/.git/config", "")
    yield run(here, "check", '[[check]]\ninput = "*.schema"\nfrom = "yt"\nto = "parquet"\n', "--untrusted", exits=0)
    # Nor is a folder part of a table whose folders are above the repository.
    here.write("mine/d/e/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    for folder in ("d/", "d/e/", "d/e"):
        yield run(here, "check", f'[[check]]\ninput = "{folder}"\nto = "parquet"\n', "--untrusted", exits=0)


@case("3.untrusted-file")
def untrusted_file(here):
    """With --untrusted, the project file itself is a link to another file, which no message quotes."""
    mine = repository(here)
    os.symlink("../" + OUTSIDE, mine / "xwalk.toml")
    for words in ((), ("--config", "xwalk.toml")):
        yield Command(["env", "-C", "mine", str(here.program), "check", "--untrusted", *words], exits=(2,), said=("outside the repository",),
                      unsaid=(SECRET,))


def option_rows():
    """Yields the name, the kind and the place of each option of a conversion that takes a value."""
    text = (harness.ROOT / "src/xwalk/hub/options.inc").read_text()
    for row in re.findall(r"^XWALK_OPTION\((.*?)\n(?=XWALK_OPTION|\n//)", text, re.M | re.S):
        word, kind = re.match(r'Option::\w+, "\w+", "--([\w-]+)", (\w+)', row).groups()
        place = re.search(r"\.place = OptionPlace::(\w+)", row)
        if kind != "Flag":
            yield word, kind, place[1] if place else None


@case("3.places-of-options")
def places_of_options(here):
    """Every option that takes a value gets the name of a file outside in a stranger's project file: it is neither read nor written."""
    repository(here)
    rows = list(option_rows())
    here.expect(len(rows) > 40 and sum(place is not None for *_, place in rows) >= 7, rows)
    for word, kind, place in rows:
        for outside in ("../" + OUTSIDE, f"file://{here.folder / OUTSIDE}", "../outside/new"):
            value = f'{{x = "{outside}"}}' if kind == "Object" else f'["{outside}"]' if kind in ("List", "Texts") else f'"{outside}"'
            here.write("mine/xwalk.toml", "\n".join(line for line in CHECK.splitlines() if not line.startswith(f"{word} =")) +
                       f"\n{word} = {value}\n")
            done = yield Command(["env", "-C", "mine", str(here.program), "check", "--untrusted"], exits=(0, 1, 2, 3), unsaid=(SECRET,))
            if place and "unknown key" not in done.stderr:
                here.expect(done.code == 2 and ("repository" in done.stderr or "hosts" in done.stderr), word, outside, done.stdout, done.stderr)
            here.write("mine/xwalk.toml", CONVERT.format() + f'output = "good.skiff"\n{word} = {value}\n')
            yield Command(["env", "-C", "mine", str(here.program), "convert", "--overwrite"], exits=(0, 1, 2, 3, 4, 74), leaves=None)
            outer = here.folder / "outside"
            here.expect(SECRET in (here.folder / OUTSIDE).read_text() and os.listdir(outer) == ["secret.schema"], word, os.listdir(outer))


@case("3.unreadable-files")
def unreadable_files(here):
    """A project file or the user's configuration exists and cannot be read: it is an error, in a folder where it counts. In a folder
    of others it is said that it is not used."""
    here.write("mine/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    here.write("mine/sub/rows.yson", "{a=1};", "[{name=a;type=int64}]")
    (here.folder / "mine/.git").mkdir()
    toml = here.folder / "mine/xwalk.toml"
    stranger = {"HOME": str(here.folder / "nobody")}
    for kind in kinds_here():
        make_unreadable(toml, kind)
        for folder in ("mine", "mine/sub"):
            for variables in ({}, stranger):
                yield as_others(here, "check", folder=folder, variables=variables, unsaid="none was found",
                                said=("expected a file that you may read", UNREADABLE[kind], "xwalk.toml"))
        (here.folder / "mine/.git").rmdir()
        yield as_others(here, "check", folder="mine/sub", variables=stranger, exits=2, said="is not used", unsaid="another user")
        here.write("mine/sub/xwalk.toml", CHECK)
        yield as_others(here, "check", folder="mine/sub", variables=stranger, exits=0)
        make_unreadable(here.folder / "config/xwalk/config.toml", kind)
        yield as_others(here, "check", folder="mine/sub", variables={"XDG_CONFIG_HOME": str(here.folder / "config")},
                        said=("expected a file that you may read", UNREADABLE[kind], "config.toml"))
        (here.folder / "mine/sub/xwalk.toml").unlink()
        (here.folder / "mine/.git").mkdir()
    for words in (("check",), ("compat",), ("convert",)):
        yield as_others(here, *words, folder=".", exits=2, said="none was found")


@case("3.toml-nesting")
def toml_nesting(here):
    """Keys, headers, lists and tables of a project file are nested deeper than the parser may see."""
    here.write("mine/.git/config", "")
    dots = ".".join("a" * 100)
    for text in (f"{dots} = 1\n", f"[{dots}]\n", f"[[{dots}]]\n", "a = " + "[" * 100 + "]" * 100, "a = " + "{a = " * 100 + "1" + "}" * 100,
                 f"[{'.'.join('a' * 40)}]\n{'.'.join('b' * 40)} = 1\n", "a = [" + "{b.c.d.e = [" * 20 + "]}" * 20 + "]",
                 f"a = '''x''' # {dots}\n{dots} = 1", f'a = """x\\"""" \n{dots} = 1'):
        yield run(here, "check", text, said="levels")
    yield run(here, "check", f'a = "{dots}" # {dots}\n', said="unknown key", unsaid="levels")
    yield run(here, "check", f"a = 1.5\n'b.{dots}' = '''{dots}'''\n", said="unknown key", unsaid="levels")


@case("3.cluster-netrc")
def cluster_netrc(here):
    """A cluster that only a project file names gets no password of ~/.netrc."""
    here.needs("xwalk-engine-yt")
    yield here.tests("io/credentials_test.py", "test_a_cluster_and_netrc", patience=300)


@case("5.cluster-redirect")
def cluster_redirect(here):
    """A proxy redirects to another port: that one gets no token and no password."""
    here.needs("xwalk-engine-yt")
    yield here.tests("io/credentials_test.py", "test_a_cluster_that_redirects", patience=300)


@case("8b.checkout-code")
def checkout_code(here):
    """Modules of a checkout have the names of those that the GitHub action runs."""
    for name in ("venv", "pip", "ensurepip", "json", "argparse", "sitecustomize", "runpy"):
        here.write(f"checkout/{name}.py", f"open({str(here.folder / 'ran')!r}, 'w').write({name!r})\n")
    script = harness.ROOT / "packaging/pipelines/install.sh"
    yield Command(["env", "-C", "checkout", "bash", str(script)], exits=(0, 1, 2), seconds=60, memory=300, leaves=("temporary",),
                  variables={"PATH": "/usr/bin:/bin", "XWALK_INSTALL": "./no-such.whl", "RUNNER_TEMP": str(here.folder / "temporary")})
    for name in ("untrusted.py", "compat_since.py"):
        yield Command(["env", "-C", "checkout", str(script.parent / name)], exits=(0, 1, 2), variables={"PYTHONPATH": "."})
    # All scripts that run Python by the name of a module, or with code in the command, isolate it.
    places = [*harness.ROOT.glob("packaging/**/*"), *harness.ROOT.glob("tools/*.sh"), harness.ROOT / "action.yml", harness.ROOT / "Makefile"]
    for path in places:
        if path.is_file() and "README" not in path.name:
            found = re.findall(r'^.*(?:python3?|\$python|\$into|\$candidate|find_python\))["\']* +-(?:m|c) .*$', path.read_text(), re.M)
            found = [line for line in found if "venv/bin/python -c" not in line]
            here.expect(not found, path, found)


def first_words(text):
    return [line.strip().split("::")[0] for line in text.splitlines() if line.strip().startswith("::")]


@case("6.line-breaks")
def line_breaks(here):
    """Line breaks in options, names and messages of engines do not begin a line of the output."""
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    here.write("a\n::add-mask::x.yson", "{a=1};", "[{name=a;type=int64}]")
    break_ = "\n::add-mask::x"
    for words in (("--x" + break_,), (f"-{break_}",), ("chec" + break_,), ("check", f"--x{break_}", "rows.yson"),
                  ("check", f"no{break_}", "--to", "yt"), ("check", "rows.yson", "--to", f"y{break_}"),
                  ("convert", "rows.yson", f"out.x{break_}"), ("convert", "rows.yson", f"no{break_}/out.skiff"),
                  ("head", "rows.yson", "--select", f"b{break_}"), ("check", "rows.yson", "--to", "yt", "--rename", f"b{break_}=c"),
                  ("check", "--config", f"no{break_}.toml"), ("schema", f"s3:/{break_}://x"), ("info", f"a{break_}.yson", "-x" + break_),
                  ("check", "rows.yson", "--to", "yt", "--storage", f"x{break_}=1"), ("explain", f"x{break_}"), ("help", f"x{break_}"),
                  ("convert", "rows.yson", "out.skiff", "--max-memory", f"1{break_}"), ("check", f"a{break_}.yson", "--to", f"y{break_}")):
        done = yield here.xwalk(*words, exits=(0, 1, 2, 3, 4, 74), memory=60, seconds=5)
        here.expect(not first_words(done.stderr), words, done.stderr)
    yield from with_message(here, '{"error":{"code":"input","message":"bad\\n::add-mask::m","hint":"do\\n::add-mask::h"}}')
    yield from with_message(here, '{"error":{"code":"missing","message":"bad\\r\\n::add-mask::m","hint":""}}')


def with_message(here, status):
    """Yields a conversion with an engine that ends with this line of status."""
    shutil.rmtree(here.folder / "bin", ignore_errors=True)
    command = next(with_engine(here, f"echo '{{\"hello\":{{\"contract\":1}}}}' >&3\nprintf '%s\\n' '{status}' >&3\nexit 1\n"))
    command.exits = (3, 74)
    done = yield command
    here.expect("add-mask" in done.stderr and not first_words(done.stderr), done.stderr)


@case("4.tokens-and-endings")
def tokens(here):
    """A token is the name of a user in a URL, and a signature follows the ending of an output."""
    here.write("rows.yson", "{a=1};", "[{name=a;type=int64}]")
    secret = "c2VjcmV0LXRva2Vu"
    single = ("--storage", "retries=0", "--storage", "connect-timeout=1")
    for scheme in ("http", "https", "HTTP"):
        url = f"{scheme}://{secret}@127.0.0.1:1/x.parquet"
        for words in (("schema", url, *single), ("convert", url, "out.skiff", *single), ("check", url, "--to", "yt", *single),
                      ("convert", "rows.yson", url), ("diff", url, "rows.yson", *single), ("help", url), (url,)):
            for form in ((), ("--json",)):
                yield here.xwalk(*words, *form, exits=(0, 1, 2, 3, 4, 74), unsaid=secret)
    for name in (f"http://127.0.0.1:1/x.foo?sig={secret}", f"s3://box/x.foo?X-Amz-Signature={secret}", f"az://box/x.foo?sv=1&sig={secret}",
                 f"http://127.0.0.1:1/x.iceberg?sig={secret}", f"x.foo?sig={secret}"):
        cases = [("convert", "rows.yson", name), ("convert", "rows.yson", name, "--resume")]
        if not name.startswith(("s3", "az")):  # those would be requested
            cases += [("check", "rows.yson", "--append", name), ("convert", "rows.yson", "out.skiff", "--mode", "overwrite", "--rejects", name),
                      ("convert", "rows.yson", f"{name}/", "--to", "skiff")]
        for words in cases:
            for form in ((), ("--json",)):
                yield here.xwalk(*words, *form, exits=(0, 1, 2, 3, 4, 74), unsaid=secret, leaves=None)
