#!/usr/bin/env python3
"""Find idioms that trip up English readers, and suggest plain wording.

PATH is a file or a folder. Without PATH, every file tracked by git is checked. One line is printed per hit:

    src/xwalk/io/rows/file_range.h:41: public: behind: "rows [behind] the last one" -> after, following, past the end of

Exit status: 0 if nothing is found, 1 if something is found, 2 for wrong usage.

To keep a line as it is, write `idiolect: ok` in a comment on that line or on the line above. Code blocks and `code
spans` in Markdown are skipped, and so are string literals without a space.

Kinds of text: messages (string literals in src, docstrings of the Python module), docs (Markdown), public (/// comments
in src), private (other comments and docstrings in src), identifiers (in src, once per file), tests (everything in
Python and C++ files outside src).
"""

from __future__ import annotations

import argparse
import ast
import bisect
import collections
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

KINDS = ("messages", "docs", "public", "private", "identifiers", "tests")


class Pattern(NamedTuple):
    name: str
    regex: re.Pattern[str]
    suggestion: str
    before: str
    after: str
    unless: re.Pattern[str] | None = None  # not a hit if this matches the text that ends where the hit begins


def p(name: str, regex: str, suggestion: str, before: str, after: str, unless: str | None = None) -> Pattern:
    return Pattern(name, re.compile(regex, re.I), suggestion, before, after, re.compile(unless, re.I) if unless else None)


PARTICIPLES = ("written|read|sent|given|found|told|said|asked|made|kept|lost|taken|refused|known|left|shown|printed|moved|"
               "returned|missing|needed|meant|wrong|put|got|opened|decoded|encoded|measured|compared|allowed|wanted|noted")

PATTERNS = [
    # Order and place
    p("behind", r"\bbehind\b", "after, following, past the end of", "a comma behind the last row",
      "a comma after the last row", unless=r"\b(?:leav\w+|left|fall\w*)(?: \w+){0,3} $"),
    p("stands", r"\b(stands?|stood|standing)\b(?! (for|against|in the way)\b)(?<!one-standing)",
      "is, appears, comes, occurs", "the schema stands beside the file", "the schema is next to the file"),
    p("stands-against", r"\b(stands?|stood) (against|in the way)\b", "prevents, blocks",
      "what stands against an append", "what prevents an append"),
    p("lies", r"\b(?:lies|lie|lay)\b (?:in|there|beside|below|on|at|under|as|behind|before|by)\b", "is (in, below)",
      "the file lies in the folder", "the file is in the folder"),
    p("beside-figure", r"(?:\b\d[\d.,]*(?: ?(?:s|ms|ns|µs|GB|MB|%))?|\b(?:s|ms|ns)\b),? beside\b|\bbeside (?:peers|\d)",
      "against, compared with", "0.7 s beside 0.4 s", "0.7 s, compared with 0.4 s"),
    p("is-there", r"\b(?:that|which|it|they|file|output|version|dataset|object|schema|rows|folder|columns?|program) "
      r"(?:is|are|was|were) (?:already )?there\b(?! (?:a|an|any|no)\b)", "exists", "if the file is there",
      "if the file exists"),
    p("what-is-there", r"\bwhat (?:already )?(?:is|was|stands|stood|lies|lay) (?:already )?(?:there|here|in|under|at|beside|behind|before|after|around|on)\b",
      "name it: the existing file, the contents of", "what stands there is replaced", "the existing file is replaced"),
    p("there-and-back", r"\bthere and back\b", "round trip, in both directions", "values go there and back",
      "values survive a round trip"),
    p("on-its-way", r"\bon (?:its|their) way\b", "during the conversion, in flight", "what it refuses on its way",
      "what it refuses during the conversion"),
    # Speaking and hearing
    p("tells-of", r"\b(?:tells?|told|telling) of\b", "reports, describes", "the line tells of rows",
      "the line reports the rows"),
    p("is-told", r"\b(?:is|are|was|were|be|been|being|also|not) told\b(?! (?:to|that)\b)",
      "is reported; distinguished (told apart)", "a bad row is told", "a bad row is reported"),
    p("tells-noun", r"(?<!cannot )(?<!can )\btells? (?!(?:\w+ ){1,4}apart)(?!(?:you|me|us|them|him|apart|whether|if|which|how|what|where|when|why|who|of|that|it|to|"
      r"the (?:user|reader|caller|compiler|linker|host|engine|system|kernel|server|rest)|(?:the|a) \w+ (?:how|that|which|whether|to|where|what))\b)(?=[a-z])",
      "reports, gives, shows", "validate tells rows of every file", "validate reports the rows of every file"),
    p("tells-returns", r"(?<![a-z] )\bTells (?:whether|if|how|what|which|where|that)\b", "Returns true if, Reports whether",
      "Tells whether a name is free.", "Returns true if a name is free."),
    p("says-of", r"\b(?:says?|said|saying) (?:\w+ ){0,2}?of\b(?! course)", "says about, reports for",
      "what is said of a column", "what is reported for a column"),
    p("is-said", r"\b(?:is|are|was|were|be|been|being|not|never) said\b(?! to\b)", "is reported, is stated",
      "no failure is said", "no failure is reported"),
    p("hears", r"\b(?:hears?|heard)\b", "receives, is notified of", "before the host has heard the number",
      "before the host has received the number"),
    p("asks", r"\basks? (?:no|nobody|none|nothing|everybody|whoever|of)\b|\basked (?:of|about)\b|\b(?:nobody|who|somebody|whoever|that) asks?(?:ed)? for\b|\bas asked\b|\bwho asks\b|\basks? the (?:pairs|question)|\b(?:is|are|was) asked for\b",
      "requests, requires, calls, queries", "what nobody asked for", "what no option requested"),
    p("speaks-of", r"\b(?:speaks?|spoke) of\b", "describes, refers to", "it speaks of its own layer",
      "it describes its own layer"),
    p("words-of", r"\bwords (?:of|for)\b(?! (?:a|the) (?:shell|dictionary))|\bwords of (?:its|their) own\b|\bin (?:so many|its own|their own|the same|other|any system's|YTsaurus's|plain) words\b|'s (?:own )?words\b",
      "syntax, notation, name, message, option", "in YTsaurus's words", "in YTsaurus syntax"),
    p("word-option", r"\b(?:unknown|mistyped|another|other) words?\b|\b(?:a|each|every) word (?:that|on|is|names)\b|\bwords? that (?:is|are|it|names)\b",
      "option, keyword, argument, value", "a mistyped word", "a mistyped option"),
    p("without-a-word", r"\bwithout (?:a|many|any) words?\b|\bin silence\b|\bends? in silence\b",
      "silently, without an error", "dropped without a word", "dropped silently"),
    p("row-refused", r"\b(?:(?:rows|values) (?:that )?(?:are|were|may be|would be)|(?:row|value) (?:that )?(?:is|was)) refused\b|"
      r"\brefused (?:rows?|values?)\b|\b(?:no|\d+) rows? refused\b",
      "rejected (rows and values; inputs, options and files are refused)", "rows with a null: such rows are refused",
      "rows with a null: such rows are rejected"),
    # Persons
    p("whoever", r"\bwhoever\b", "the caller, any code that, the process that", "whoever reads it waits",
      "the reader waits"),
    p("nobody", r"\b(?:nobody|somebody|anybody|everybody)\b", "no other process, no caller, no one",
      "nobody else writes there", "no other process writes there"),
    p("who-headless", r"(?:^|[.;:,] |\bfor |\bby |\bof |\bto )who (?:asks|wants|takes|reads|writes|calls|shows|has|finds|uses|needs|runs|gives|knows|may|holds|makes|does)\b",
      "callers that, if you", "Who wants one row reads one page.", "If you want one row, one page is read."),
    p("of-its-own", r"\bof (?:its|their|our|your|one's|his) own\b", "its own X, a separate X", "a thread of its own",
      "its own thread"),
    p("ours", r"\b(?:ours|of ours|by us|for us|with us)\b", "xwalk, xwalk's", "ours takes 0.4 s", "xwalk takes 0.4 s"),
    # Negation
    p("is-none-of", r"\b(?:is|are|was|were|be) none of\b", "is not one of, does not belong to",
      "attributes that are none of it", "attributes that do not belong to it"),
    p("is-none", r"\b(?<!there )(?:is|are|was|were) (?-i:none)\b(?! of)", "is not one, is invalid", "zones that are none",
      "invalid time zones"),
    p("there-is-none", r"\b(?:where|if|when|as|while) there (?:is|are|was|were) none\b|\bfor none\b|\bof which there is\b",
      "if there is no X (name it)", "null where there is none", "null if the column has no key"),
    p("is-no", r"\b(?:that|which|what|it|they|text|value|values|bytes|name|names) (?:is|are|was|were) no (?!longer|more|less|fewer|better|worse|different|larger|smaller|later|earlier|other|further|one|place|need)(?=[a-z])",
      "is not a", "text that is no JSON", "text that is not JSON"),
    p("nothing-but", r"\bnothing but\b", "only", "holds nothing but nulls", "holds only nulls"),
    p("but-for", r"\bbut for\b", "except, except for", "all but for the last", "all except the last"),
    p("not-before", r"\band not before\b", "only when, only after", "when all rows are sent, and not before",
      "only when all rows are sent"),
    # Headless relative clauses
    p("what-is-done", rf"\bwhat (?:else |only |all )?(?:(?:is|are|was|were|has been|was to be|is to be|may be|can be|cannot be) )(?:not |no longer |never )?(?:{PARTICIPLES})\b",
      "the noun: the output, the input, the option given", "what is written is read again",
      "the output is read back"),
    p("what-has-no", r"\bwhat (?:has|have|is) (?:no|none)\b", "a X without, anything that has no",
      "what has no name is refused", "columns without a name are refused"),
    p("what-else", r"\bwhat else\b", "other, the rest", "and what else Arrow cannot hold",
      "and other types that Arrow cannot hold"),
    p("what-comes", r"\bwhat (?:comes|came|goes|went|begins|ends|follows|breaks|fails|differs|remains|stays)\b",
      "the noun: the next value, the failure, the difference", "what comes next is a key", "the next token is a key"),
    # Verbs used for others
    p("comes-as", r"\b(?:comes?|came) as\b", "is read as, arrives as, becomes", "it comes as bytes", "it is read as bytes"),
    p("becomes-of", r"\b(?:becomes?|became) of\b|\bmakes? of (?:it|them|each|every|all|a|an|the|this)\b|\bmade of it\b",
      "what happens to; how X interprets", "what readers make of each type", "how readers interpret each type"),
    p("is-to", r"\b(?:is|are|was|were) to (?:have|be|become|go|hold|stay|keep|take|read|write|end|come|get|do|say|name|give|stand|look)\b",
      "should, must, will", "the schema it is to have", "the schema it should have"),
    p("held-to", r"\b(?:held|holds?|holding) (?:\w+ ){0,4}?(?:to|against) (?:it|its|that|the|those|them|these|this|what|every|each)\b|\bheld (?:to|against)\b",
      "checked against", "rows are held against the schema", "rows are checked against the schema"),
    p("taken-for", r"\b(?:taken|took|takes it|takes them) for\b", "treated as, mistaken for", "taken for a leftover",
      "mistaken for a leftover"),
    p("passed-over", r"\bpasse[ds] over\b|(?<!a )(?<!one )(?<!first )(?<!second )(?<!single )(?<!each )\bpass over\b", "skipped, ignored", "empty lines are passed over",
      "empty lines are skipped"),
    p("looked-at", r"\b(?:is|are|was|were|be|been) looked (?:at|for)\b", "examined, searched, checked",
      "every row is looked at", "every row is checked"),
    p("let-go", r"\b(?:lets?|letting) (?:\w+ ){0,2}?go\b", "release, free", "until it is let go", "until it is released"),
    p("mend", r"\bmend(?:ed|s|ing)?\b", "fix", "all mended", "all fixed"),
    p("anew", r"\banew\b", "again", "opened anew", "opened again"),
    p("business-of", r"\bbusiness of\b|\b(?:its|their|our) business\b", "is handled by, is up to",
      "data is the business of a plugin", "a plugin handles the data"),
    p("as-x-has-it", r"\bas (?!long |far |many |much |soon )(?:[\w`'’-]+ ){1,5}ha(?:s|ve|d) (?:it|them)\b", "as in, as X writes it",
      "as the command line has them", "as on the command line"),
    # Manner and measure
    p("such-a", r"\bsuch an?\b", "a X like this, this X, one", "no such a row is kept", "rows like this are dropped"),
    p("verb-so", r"\b(?:read|reads|come|comes|written|given|made|shown|taken|done|opened|named|kept|asked|measured|marked|built|called|stored|said) so\b"
      r"(?! (?:that|far|as|much|many|long|often|on|it|they|the)\b)", "this way, like this", "rows that are written so",
      "rows written this way"),
    p("so-many", r"\b(?:of|in|at most|after|for|has|have|had|these|takes) so (?:many|much)\b", "that many, N",
      "at most so many bytes", "at most that many bytes"),
    p("all-the-same", r"\ball the same\b", "anyway, nevertheless", "it ends all the same", "it ends anyway"),
    p("by-itself", r"\bby (?:itself|themselves)\b", "automatically, on its own, alone", "convert does it by itself",
      "convert does it automatically"),
    p("in-place-of", r"\bin place of\b", "instead of", "a pipe in place of a file", "a pipe instead of a file"),
    p("once-a", r"\bonce an? (?:column|type|batch|kind|row|file|value|page|line|cell|run|leaf|name|thread|block|page)\b|"
      r"\b(?:an?) (?:row|column|batch|value|key|line|thread|type|file|page) each\b|\b(?:function|room|line|file|row|thread|byte|step|two|system|jump) an? (?:row|kind|system|column|batch|thread|value|key|type)\b",
      "once per, one per", "compiled once a type", "compiled once per type"),
    p("null-where", r"(?:\bnull|\bnothing|\"\"|\bfalse|\bempty|\bnone|\bNULL|\brefused|\bpossible|\bneeded) where\b",
      "if", "null where the column has no key", "null if the column has no key"),
    p("whatever-the", r"\bwhatever (?:the|its|their|a|is|was|it|they)\b", "regardless of, any", "whatever the mode",
      "regardless of the mode"),
    # Conditions, order of words, joined facts
    p("where-if", r"\bwhere (?!\w+ (?:has|have|had) (?:it|them) from)(?:there (?:is|are|was|were)|(?:it|they|that|this|these|those|both|neither|nothing|"
      r"none|one) (?:is|are|has|have|does|do|can|may|cannot|was|were|would|needs?)|(?:the|a|an|its|their|no|each|every|some|all) (?:[\w-]+ ){1,3}?"
      r"(?:is|are|has|have|had|does|do|can|may|cannot|needs?|wants?|says?|lacks?|gives?|allows?|was|were|would)\b)",
      "if, when (where is for places)", "null where the value is out of range", "null if the value is out of range",
      unless=r"\b(?:places?|folders?|positions?|bytes?|lines?|points?|spots?|paths?|offsets?|locations?|here|there|is|are|was|were|be|knows?|known|sees?|saw|"
      r"says?|said|tells?|told|shows?|shown|finds?|found|from|to|of|about|records?|remembers?|and|or|cases?|machines?|systems?|rooms?|files?|for|looks?|"
      r"just|exactly|out|on|in|at|stops?|ended|ends?|begins?|began|starts?) $|[(]$"),
    p("inverted", r"(?:(?<=[.:;] )|^)(?:(?:Not |Only )?(?:told|read|written|kept|refused|shown|left out|said|asked|added|installed|found|given|taken|meant|"
      r"needed|compared|measured|checked|counted|named|missing|lost|judged) (?:are|is|were|was)\b(?! (?:a|an|the) \w+ of\b)|"
      r"(?-i:Of) (?:(?!that\b|whose\b|which\b|who\b|what\b|course\b)[\w'`-]+,? ){1,9}?(?:only|is|are|has|have|was|were|gets?|comes?|counts?|stays?)\b)",
      "subject, verb, object", "Of a data file its descriptor is fetched.", "xwalk fetches the descriptor of a data file."),
    p("semicolon", r"; (?:it|they|this|these|there|he|we|you|the [\w-]+|a [\w-]+|its [\w-]+|each [\w-]+|every [\w-]+|no [\w-]+|others|all) "
      r"(?:is|are|was|were|has|have|does|do|can|may|must|cannot|gets?|goes|comes?|stays?|needs?|takes?|makes?|gives?)\b",
      "two sentences", "Reads an open descriptor; it is not closed.", "Reads an open descriptor and does not close it."),
    # Metaphors that only the authors know
    p("room", r"(?<!make )(?<!makes )(?<!made )(?<!making )\b(?:room's|rooms(?!-)|(?:the|a|an|each|every|one|its|whose|own|other|\w+'s|Parquet|Lance|Vortex|Arrow|Skiff|YSON|YTsaurus|Iceberg) room)\b(?! (?:for|is left|left))",
      "module, directory, format module", "the room's README", "the module's README"),
    p("house", r"\b(?:of|in|the) (?:the )?house\b|\bfurniture\b|\b(?:every|each|all|thin|both|other|front) doors?\b",
      "repository, project; interface", "in every door", "in the program, Python and C"),
    p("road", r"\broads?\b", "way, method, path", "choose your road", "choose a method"),
]

# Idioms that are sometimes the right words: shown with --soft, and counted with a ~.
SOFT = {"what-is-done", "what-comes", "by-itself", "of-its-own", "looked-at", "on-its-way", "is-said", "ours", "word-option"}

# Identifiers: words that name a thing by the idiom. `standard`, `within` and the like have other words.
IDENTIFIER_WORDS = {
    "behind": "after", "stands": "is/at", "stand": "is/at", "standing": "existing", "stood": "was", "told": "reported",
    "tells": "reports", "said": "reported", "says": "reports", "asks": "requests", "asked": "requested", "hears": "receives",
    "hear": "receive", "heard": "received", "whoever": "caller", "beside": "next_to/adjacent", "anew": "again",
    "nobody": "no_one", "somebody": "anyone", "mended": "fixed", "mend": "fix", "lies": "is_in", "room": "module",
    "rooms": "modules", "bears": "tolerates", "foreseen": "predicted", "words": "names/syntax", "doors": "interfaces",
}

CPP = {".cc", ".h", ".hpp", ".cpp", ".c", ".in"}
TOKEN = re.compile(
    r'(?P<raw>(?:u8|[uUL])?R"(?P<d>[^()\\\s]{0,16})\((?P<rb>.*?)\)(?P=d)")'
    r'|(?P<str>(?:u8|[uUL])?"(?P<sb>(?:\\.|[^"\\\n])*)")'
    r"|(?P<chr>(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+')"
    r"|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)|(?P<inc>^[ \t]*\#[ \t]*include[^\n]*)"
    r"|(?P<id>[A-Za-z_]\w*)|(?P<num>\d[\w'.]*)", re.S | re.M)
OK = "idiolect: ok"


class Prose:
    """A run of text, such as a paragraph or adjacent comment lines, with the source line of each part."""

    def __init__(self, kind: str) -> None:
        self.kind, self.text, self._starts, self._lines = kind, "", [], []

    def add(self, text: str, line: int) -> None:
        if self.text:
            self.text += " "
        for number, part in enumerate(text.split("\n")):
            if number:
                self.text += " "
            self._starts.append(len(self.text))
            self._lines.append(line + number)
            self.text += part

    def join(self, text: str, line: int) -> None:
        """Appends an adjacent string literal, without a space."""
        self._starts.append(len(self.text))
        self._lines.append(line)
        self.text += text

    def line(self, offset: int) -> int:
        return self._lines[max(bisect.bisect_right(self._starts, offset) - 1, 0)]


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: " " if m[1] in "nt" else m[1], text, flags=re.S)


def cpp(text: str) -> tuple[list[Prose], list[tuple[int, str]]]:
    out: list[Prose] = []
    names: list[tuple[int, str]] = []
    last, end, line, at = None, 0, 1, 0
    for m in TOKEN.finditer(text):
        line += text.count("\n", at, m.start())
        at = m.start()
        gap = text[end:m.start()]
        end = m.end()
        if m["raw"] or m["str"]:
            body = m["rb"] if m["raw"] else unescape(m["sb"])
            if not (last and last.kind == "messages" and not gap.strip()):
                last = Prose("messages")
                out.append(last)
                last.add(body, line)
            else:
                last.join(body, line)
        elif m["line"]:
            public = m["line"].startswith("///")
            body = re.sub(r"^//+[!<]?\s?", "", m["line"])
            kind = "public" if public else "private"
            if not (last and last.kind == kind and not gap.strip() and gap.count("\n") == 1):
                last = Prose(kind)
                out.append(last)
            last.add(body, line)
        elif m["block"]:
            body = re.sub(r"(?m)^\s*\*(?= |$)", "", m["block"].strip("/*"))
            last = Prose("public" if m["block"].startswith("/**") else "private")
            last.add(body, line)
            out.append(last)
        else:
            last = None
            if m["id"]:
                names.append((line, m["id"]))
    return out, names


def python(text: str, user_facing: bool) -> tuple[list[Prose], list[tuple[int, str]]]:
    out: list[Prose] = []
    names: list[tuple[int, str]] = []
    docs = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if documented and ast.get_docstring(node, clean=False) is not None:
            value = body[0].value
            docs.add((value.lineno, value.col_offset))
            run = Prose("messages" if user_facing else "private")
            run.add(value.value, value.lineno)
            out.append(run)
    last, last_line = None, -1
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if last_line + 1 != token.start[0] or last is None:
                last = Prose("public" if token.string.startswith("#:") else "private")
                out.append(last)
            last.add(token.string.lstrip("#:! "), token.start[0])
            last_line = token.start[0]
        elif token.type == tokenize.STRING and token.start not in docs:
            run = Prose("messages")
            run.add(re.sub(r"^[a-zA-Z]*(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$", "", token.string), token.start[0])
            out.append(run)
        elif token.type == tokenize.NAME:
            names.append((token.start[0], token.string))
    return out, names


def markdown(text: str) -> list[Prose]:
    out: list[Prose] = []
    run, fence = None, None
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark:
            fence = None if fence and line.strip().startswith(fence) else fence or mark[1]
            run = None
            continue
        if fence or not line.strip() or (line.startswith("    ") and run is None):
            if not fence and not line.strip():
                run = None
            continue
        if re.match(r"\s*(?:[-*]|\d+\.)\s|#|\|", line):
            run = None
        if run is None:
            run = Prose("docs")
            out.append(run)
        run.add(re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "`x`", line)), number)
    return out


def texts_of(root: pathlib.Path, name: str) -> tuple[list[Prose], list[tuple[int, str]]]:
    path = root / name
    suffix = path.suffix
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return [], []
    try:
        if suffix in CPP:
            runs, names = cpp(text)
        elif suffix in (".py", ".pyi"):
            runs, names = python(text, name.startswith("src/xwalk/python"))
        elif suffix == ".md":
            runs, names = markdown(text), []
        else:
            return [], []
    except (SyntaxError, tokenize.TokenError) as error:
        print(f"{name}: skipped: {error}", file=sys.stderr)
        return [], []
    if not name.startswith("src/") and suffix != ".md":
        for run in runs:
            run.kind = "tests"
        names = []
    # Data, not prose.
    runs = [run for run in runs if run.kind not in ("messages", "tests") or re.search(r"[A-Za-z]{2,} [A-Za-z(]", run.text)]
    return runs, names


#: Words of prose per kind, to print hits per 1,000 words.
WORDS: collections.Counter[str] = collections.Counter()


class Hit(NamedTuple):
    path: str
    line: int
    kind: str
    pattern: str
    excerpt: str
    suggestion: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.pattern}: \"{self.excerpt}\" -> {self.suggestion}"


def words_of(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def hits_of(root: pathlib.Path, name: str, patterns: list[Pattern], width: int = 32) -> Iterator[Hit]:
    runs, names = texts_of(root, name)
    if not runs and not names:
        return
    lines = (root / name).read_text(encoding="utf-8").split("\n")

    def accepted(line: int) -> bool:
        return any(OK in lines[at] for at in (line - 1, line - 2) if 0 <= at < len(lines))

    for run in runs:
        WORDS[run.kind] += len(re.findall(r"[A-Za-z]{2,}", run.text))
        for pattern in patterns:
            for m in pattern.regex.finditer(run.text):
                line = run.line(m.start())
                if accepted(line) or (pattern.unless and pattern.unless.search(run.text[:m.start()][-60:])):
                    continue
                before, after = run.text[max(0, m.start() - width):m.start()], run.text[m.end():m.end() + width]
                excerpt = re.sub(r"\s+", " ", f"{before}[{m[0]}]{after}").strip()
                yield Hit(name, line, run.kind, pattern.name, excerpt, pattern.suggestion)
    seen = set()
    for line, identifier in names:
        for word in sorted(words_of(identifier) & IDENTIFIER_WORDS.keys()):
            if (identifier, word) not in seen and not accepted(line):  # once per file
                seen.add((identifier, word))
                yield Hit(name, line, "identifiers", f"id:{word}", identifier, IDENTIFIER_WORDS[word])


def git(root: pathlib.Path, *words: str) -> str:
    return subprocess.run(["git", "-C", str(root), *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def changed_lines(root: pathlib.Path, revision: str) -> dict[str, set[int]]:
    out: dict[str, set[int]] = collections.defaultdict(set)
    name = ""
    for line in git(root, "diff", "-U0", revision).splitlines():
        if line.startswith("+++ b/"):
            name = line[6:]
        hunk = re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line)
        if hunk:
            out[name] |= set(range(int(hunk[1]), int(hunk[1]) + int(hunk[2] or 1)))
    return out


def summary(hits: list[Hit], patterns: list[Pattern], kinds: list[str]) -> None:
    count = collections.Counter((hit.pattern, hit.kind) for hit in hits)
    rows = [[pattern, *(count[pattern, kind] for kind in kinds)]
            for pattern in [*(p.name for p in patterns), *(f"id:{word}" for word in IDENTIFIER_WORDS)]]
    rows = sorted(([*row, sum(row[1:])] for row in rows if any(row[1:])), key=lambda row: -row[-1])
    rows.append(["TOTAL", *(sum(row[at] for row in rows) for at in range(1, len(kinds) + 2))])
    total = rows[-1]
    rows.append(["per 1000 words", *(round(1000 * total[at] / WORDS[kind], 1) if WORDS[kind] else 0
                                     for at, kind in enumerate(kinds, 1)), ""])
    print(f"{'pattern':16}" + "".join(f"{kind:>12}" for kind in [*kinds, "all"]))
    for row in rows:
        print(f"{('~' if row[0] in SOFT else '') + row[0]:16}" + "".join(f"{cell or '·':>12}" for cell in row[1:]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--root", type=pathlib.Path, help="repository to check; PATH is then relative to it "
                        "(default: the repository of the current folder)")
    parser.add_argument("--summary", action="store_true", help="print counts per pattern and kind of text, not hits")
    parser.add_argument("--list", action="store_true", help="print the patterns, their replacements and examples")
    parser.add_argument("--soft", action="store_true", help="also print the soft patterns, which are sometimes correct "
                        "English (--summary always counts them, marked ~)")
    parser.add_argument("--kind", metavar="K[,K]", help=f"check only these kinds of text: {', '.join(KINDS)}")
    parser.add_argument("--only", metavar="P[,P]", help="check only these patterns")
    parser.add_argument("--samples", type=int, metavar="N", help="print N random hits per pattern, to judge the pattern")
    parser.add_argument("--changed", metavar="REV", help="check only lines changed since this commit (for pull requests)")
    parser.add_argument("--self-test", action="store_true", help="check each pattern against its own two examples")
    parser.add_argument("--exclude", action="append", default=["fuzz/corpus", "tests/samples", "tests/cli/types.md", "LICENSE", "tools/idiolect.py"],
                        metavar="PREFIX", help="skip files whose path starts with PREFIX; may be repeated")
    options = parser.parse_args()

    patterns = PATTERNS
    kinds = list(KINDS)
    if options.only:
        wanted = options.only.split(",")
        unknown = set(wanted) - {pattern.name for pattern in PATTERNS}
        if unknown:
            parser.error(f"unknown pattern: {', '.join(sorted(unknown))}; see --list")
        patterns = [pattern for pattern in PATTERNS if pattern.name in wanted]
    if options.kind:
        kinds = options.kind.split(",")
        if set(kinds) - set(KINDS):
            parser.error(f"--kind: expected {', '.join(KINDS)}")
    if options.list:
        for pattern in patterns:
            print(f"{pattern.name:16} {pattern.suggestion}\n{'':16} - {pattern.before}\n{'':16} + {pattern.after}")
        return 0

    if options.self_test:
        wrong = [pattern.name for pattern in PATTERNS
                 if not pattern.regex.search(pattern.before) or pattern.regex.search(pattern.after)]
        print(f"{len(PATTERNS)} patterns, {len(wrong)} wrong: {', '.join(wrong)}")
        return 1 if wrong else 0

    root = options.root or pathlib.Path(git(pathlib.Path.cwd(), "rev-parse", "--show-toplevel").strip())
    base = options.root or pathlib.Path.cwd()
    prefixes = [os.path.relpath((base / path).resolve(), root.resolve()) for path in options.paths]
    names = [name for name in git(root, "ls-files", "-z").split("\0") if name and
             not name.startswith(tuple(options.exclude)) and
             (not prefixes or any(prefix == "." or name == prefix or name.startswith(prefix + "/") for prefix in prefixes))]
    changed = changed_lines(root, options.changed) if options.changed else None
    hits = [hit for name in names for hit in hits_of(root, name, patterns, 60 if options.samples else 32)
            if hit.kind in kinds and (changed is None or hit.line in changed.get(name, ()))]
    if options.only:
        hits = [hit for hit in hits if not hit.pattern.startswith("id:")]

    if not (options.soft or options.only or options.summary or options.samples):
        hits = [hit for hit in hits if hit.pattern not in SOFT]

    if options.samples:
        for pattern in patterns:
            these = [hit for hit in hits if hit.pattern == pattern.name]
            print(f"== {pattern.name}: {len(these)} -> {pattern.suggestion}")
            for hit in random.Random(1).sample(these, min(options.samples, len(these))):
                print(f"   {hit.kind:9} {hit.excerpt}")
        return 0
    if options.summary:
        summary(hits, patterns, kinds)
    else:
        for hit in hits:
            print(hit)
        if hits:
            print(f"{len(hits)} hits in {len({hit.path for hit in hits})} files; --list shows the replacements",
                  file=sys.stderr)
    return 1 if any(options.soft or options.only or hit.pattern not in SOFT for hit in hits) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
