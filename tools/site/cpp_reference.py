"""Makes pages of the C and C++ reference from the `///` comments of the public headers, which doxygen reads."""

import dataclasses
import pathlib
import re
import subprocess
import xml.etree.ElementTree as ET

#: The pages, each with its title. The C++ page has every installed header, those of the interface first.
PAGES = {"headers": "C++ headers", "c": "C header"}
FIRST = ["xwalk/xwalk.hpp", "xwalk/skiff_job.hpp"]


@dataclasses.dataclass
class Entry:
    """A declaration and its comment. `members` are those of a class or an enumeration.

    `line` counts from 1. 0 means unknown.
    """

    line: int
    heading: str
    signature: str
    text: str
    members: list["Entry"] = dataclasses.field(default_factory=list)


def inline(node: ET.Element) -> str:
    """Returns the node's text as Markdown."""
    out = escape(node.text or "")
    for child in node:
        if child.tag == "computeroutput":
            out += f"`{''.join(child.itertext())}`"
        elif child.tag in ("bold", "emphasis"):
            stars = "**" if child.tag == "bold" else "*"
            out += stars + inline(child).strip() + stars
        elif child.tag in ("itemizedlist", "orderedlist"):
            out += "\n\n" + "".join(f"- {inline(item).strip()}\n" for item in child) + "\n"
        elif child.tag in ("verbatim", "programlisting", "preformatted"):
            out += "\n\n" + "".join(f"    {line}\n" for line in "".join(child.itertext()).splitlines()) + "\n"
        elif child.tag == "para":
            out += "\n\n" + inline(child).strip() + "\n\n"
        else:
            out += inline(child)
        out += escape(child.tail or "")
    return out


def escape(text: str) -> str:
    return re.sub(r"([\\`*_<>\[\]|#])", r"\\\1", text)


def text_of(node: ET.Element) -> str:
    parts = [inline(part) for tag in ("briefdescription", "detaileddescription") for part in node.findall(tag)]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(part.strip() for part in parts if part.strip()))


def plain(node: ET.Element | None) -> str:
    return "" if node is None else " ".join("".join(node.itertext()).split())


def code(node: ET.Element | None) -> str:
    """Returns C++ without doxygen's extra spaces."""
    text = re.sub(r"\s+([&*]+)(?=\w)", r"\1 ", plain(node))
    text = re.sub(r"(?<=\w)< ", "<", re.sub(r" (?=>)", "", re.sub(r"\s+(?=[&*])", "", text)))
    return re.sub(r"\s?=\s?(?=default|0$|\w|\{)", " = ", text)


def initial(node: ET.Element) -> str:
    value = plain(node.find("initializer"))
    return "" if not value or len(value) > 40 else f" {value}" if value.startswith(("=", "{")) else f" = {value}"


def signature_of(node: ET.Element) -> str:
    name, kind = plain(node.find("name")), node.get("kind")
    template = node.find("templateparamlist")
    prefix = ""
    if template is not None:
        prefix = "template <" + ", ".join(f"{code(p.find('type'))} {plain(p.find('declname'))}".strip()
                                          for p in template) + "> "
    if kind == "define":
        return f"#define {name}"
    type_text = code(node.find("type"))
    if kind == "typedef":
        return f"using {name} = {type_text}"
    if kind == "function":
        arguments = code(node.find("argsstring"))
        explicit = "explicit " if node.get("explicit") == "yes" else ""
        static = "static " if node.get("static") == "yes" and not type_text.startswith("static") else ""
        virtual = "virtual " if node.get("virt", "non-virtual") != "non-virtual" and "override" not in arguments else ""
        return f"{prefix}{explicit}{static}{virtual}{type_text} {name}{arguments}".replace("  ", " ").strip()
    return f"{type_text} {name}{plain(node.find('argsstring'))}{initial(node)}"


def entry_of(member: ET.Element) -> Entry | None:
    """Returns the entry of a member, or None for members without a useful entry."""
    name, text, arguments = plain(member.find("name")), text_of(member), plain(member.find("argsstring"))
    line = int(member.find("location").get("line"))
    if member.get("kind") == "enum":
        # Their lines are unknown, and their comments follow them.
        values = [Entry(0, "", plain(value.find("name")) + initial(value), text_of(value))
                  for value in member.findall("enumvalue")]
        name = "" if name.startswith("@") else name
        heading = name or values[0].signature.partition(" =")[0] + " …"
        keyword = "enum class" if member.get("strong") == "yes" else "enum"
        return Entry(line, heading, f"{keyword} {name}".strip(), text, values)
    # Classes of the interface hold a State that only the library knows.
    is_hidden = "State" in arguments or re.search(r"\bState\b", plain(member.find("type"))) is not None
    boilerplate = name.startswith("~") or "=delete" in arguments or is_hidden or \
        not text and (name == "operator=" or "=default" in arguments)
    guard = member.get("kind") == "define" and not text
    # `typedef struct name name` adds nothing, except for an opaque struct.
    if member.get("kind") == "typedef" and plain(member.find("type")) in (f"struct {name}", f"enum {name}"):
        return Entry(line, name, f"struct {name}", text) if member.find("type/ref[@kindref='compound']") is None \
            and plain(member.find("type")).startswith("struct") else None
    if member.get("kind") not in ("function", "variable", "typedef", "define") or boilerplate or guard or not name:
        return None
    return Entry(line, "", signature_of(member), text)


def members_of(node: ET.Element) -> list[Entry]:
    """Returns the public members of a class or a file, in the order of the header."""
    entries = [entry_of(member) for section in node.findall("sectiondef")
               if not section.get("kind", "").startswith(("private", "protected"))
               for member in section.findall("memberdef")]
    return sorted(filter(None, entries), key=lambda entry: entry.line)


def definitions(entries: list[Entry], header: list[str]) -> str:
    """Returns a definition list. A comment applies to all declarations after it, up to an empty line."""
    groups: list[list[Entry]] = []
    for entry in entries:
        above = bool(groups and groups[-1][0].line) and header[groups[-1][0].line - 2].lstrip().startswith("///")
        if above and not entry.text and all(line.strip() for line in header[groups[-1][-1].line:entry.line]):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    out = ""
    for group in groups:
        text = group[0].text.replace("\n", "\n    ") or '<span class="none"></span>'
        out += "\n".join(f"`#!cpp {entry.signature}`" for entry in group) + f"\n:   {text}\n\n"
    return out


def entity(entry: Entry, header: list[str]) -> str:
    out = f"### {entry.heading}\n\n```cpp\n{entry.signature}\n```\n\n"
    if entry.text:
        out += entry.text + "\n\n"
    return out + definitions(entry.members, header)


def header_page(xml: pathlib.Path, node: ET.Element, name: str, header: list[str], functions: list[Entry]) -> str:
    """Returns the section of one header: its types, constants and functions in their order."""
    entries = members_of(node) + functions
    for inner in node.findall("innerclass"):
        if inner.get("prot", "public") == "private" or "@" in (inner.text or ""):
            continue
        compound = ET.parse(xml / f"{inner.get('refid')}.xml").getroot().find("compounddef")
        heading = re.sub(r"^xwalk::(?:[a-z]\w*::)?(?=[A-Z])", "", plain(compound.find("compoundname")))
        line = int(compound.find("location").get("line"))
        bases = ", ".join(f"{base.get('prot')} {base.text}" for base in compound.findall("basecompoundref"))
        entries.append(Entry(line, heading, f"{compound.get('kind')} {heading}{' : ' + bases if bases else ''}",
                             text_of(compound), members_of(compound)))
    # The Arrow C data interface has its own documentation.
    entries = [entry for entry in entries if not entry.heading.startswith("Arrow") or entry.text]
    # The C header is installed outside the folder of the others.
    included = name.removeprefix("xwalk/c/")
    out, loose, after_type = f"## {pathlib.PurePath(name).name}\n\n`#include <{included}>`\n\n", [], False
    about = re.match(r"#pragma once\s+/\*[^*](.*?)\*/", "\n".join(header), re.S)
    if about:
        paragraphs = re.sub(r"^ ?\*[ ]*", "", about[1], flags=re.M).strip()
        out += "".join(part if at % 2 else escape(part)
                       for at, part in enumerate(re.split(r"(`[^`]*`)", paragraphs))) + "\n\n"
    for entry in sorted(entries, key=lambda entry: entry.line):
        if entry.heading:
            out += definitions(loose, header) + entity(entry, header)
            loose, after_type = [], True
        else:
            # Functions after a type are not members of it.
            out += "---\n\n" if after_type else ""
            loose.append(entry)
            after_type = False
    return out + definitions(loose, header)


def make(source: pathlib.Path, doxyfile: pathlib.Path, xml_folder: pathlib.Path, target: pathlib.Path) -> list[str]:
    """Writes the pages of the headers into `target`; returns their names, in their order."""
    installed = re.findall(r"^  (xwalk/\S+\.h(?:pp)?)\b", (source.parent / "cmake" / "XwalkHeaders.cmake").read_text(), re.M)
    # The page of another project describes the Arrow structs.
    headers = {"headers": [*FIRST, *(name for name in sorted(installed) if name not in (*FIRST, "xwalk/hub/arrow_abi.h"))],
               "c": ["xwalk/c/xwalk.h"]}
    xml_folder.mkdir(parents=True, exist_ok=True)
    settings = doxyfile.read_text() + f'OUTPUT_DIRECTORY = "{xml_folder}"\nSTRIP_FROM_PATH = "{source}"\nINPUT = ' + \
        " ".join(f'"{source / name}"' for names in headers.values() for name in names)
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
    xml = xml_folder / "xml"
    index = ET.parse(xml / "index.xml").getroot()
    # Doxygen describes functions in a namespace in the file of the namespace.
    functions: dict[str, list[Entry]] = {}
    for compound in index.findall("compound[@kind='namespace']"):
        for member in ET.parse(xml / f"{compound.get('refid')}.xml").getroot().iter("memberdef"):
            entry = entry_of(member)
            if entry:
                functions.setdefault(member.find("location").get("file"), []).append(entry)
    sections: dict[str, str] = {}
    for compound in index.findall("compound[@kind='file']"):
        node = ET.parse(xml / f"{compound.get('refid')}.xml").getroot().find("compounddef")
        name = node.find("location").get("file")
        sections[name] = header_page(xml, node, name, (source / name).read_text().splitlines(), functions.get(name, []))
    target.mkdir(parents=True, exist_ok=True)
    for page, title in PAGES.items():
        # The search lists other pages before the pages of headers.
        text = f"---\nsearch:\n  boost: 0.3\n---\n\n# {title}\n\n" + "".join(sections[name] for name in headers[page])
        (target / f"{page}.md").write_text(text)
    return list(PAGES)
