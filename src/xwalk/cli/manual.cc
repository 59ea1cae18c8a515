#include <fmt/format.h>

#include "xwalk/cli/definitions.h"
#include "xwalk/cli/failure.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/verb.h"
#include "xwalk/version.h"

// The manual page, in man(7) format.

namespace xwalk::cli {
namespace {

/// Escapes UTF-8 text for roff: control characters of roff are escaped, and non-ASCII characters
/// are named by their code point.
std::string roff(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first >= 0x80) {
      const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      uint32_t code = first & (0xffU >> (length + 1));
      for (size_t k = 1; k < length && i + k < text.size(); ++k) {
        code = (code << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
      }
      out += fmt::format("\\[u{:04X}]", code);
      i += length;
      continue;
    }
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    switch (text[i]) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += text[i];
    }
    ++i;
  }
  return out;
}

std::string line(std::string_view text) { return roff(text) + "\n"; }

std::string option_entry(const Argument& option) {
  std::string names;
  for (const std::string& name : option.short_names()) {
    names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", roff("-" + name));
  }
  for (const std::string& name : option.long_names()) {
    names += (names.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", roff("--" + name));
  }
  if (!option.placeholder().empty()) {
    names += " " + fmt::format("\\fI{}\\fR", roff(option.placeholder()));
  }
  return ".TP\n" + names + "\n" + line(option.description());
}

bool is_common(const Argument& option) { return option.group() == "Every command"; }

std::string verb_section(const Definition& definition) {
  const Verb& verb = definition.verb();
  std::string out = fmt::format(".SS \"xwalk {} {}\"\n", verb.name, roff(verb.arguments));
  std::string summary(verb.summary);
  out += line(summary + ".");
  if (!verb.notes.empty()) out += ".PP\n" + line(verb.notes);
  for (const Argument* option : definition.options()) {
    if (!is_common(*option) && !option->group().empty()) out += option_entry(*option);
  }
  if (verb.examples.empty()) return out;
  out += ".PP\nExamples:\n.PP\n.nf\n.RS\n";
  for (const Example& example : verb.examples) {
    out += line(example.command);
    if (!example.meaning.empty()) out += line(fmt::format("    # {}", example.meaning));
  }
  return out + ".RE\n.fi\n";
}

std::string manual() {
  std::string out = fmt::format(
      ".TH XWALK 1 \"\" \"xwalk {}\" \"User Commands\"\n"
      ".SH NAME\n"
      "xwalk \\- converts tables between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow\n"
      ".SH SYNOPSIS\n"
      ".B xwalk\n"
      ".I COMMAND\n"
      "[\\fIarguments\\fR] [\\fIoptions\\fR]\n"
      ".SH DESCRIPTION\n",
      XWALK_VERSION);
  out += line(
      "xwalk converts schemas and rows from one system to another, and reports for every column "
      "what is kept, narrowed or lost. Formats are yt (YSON rows), skiff, parquet, lance, vortex "
      "and arrow. Data goes to standard output, everything else to standard error; - is standard "
      "input or standard output.");
  out += ".SH COMMANDS\n";
  const std::vector<Definition> all = definitions();
  for (const Definition& definition : all) out += verb_section(definition);
  out += ".SH OPTIONS OF EVERY COMMAND\n";
  for (const Argument* option : all.front().options()) {
    if (is_common(*option)) out += option_entry(*option);
  }
  out += ".SH EXIT STATUS\n";
  constexpr std::pair<int, std::string_view> kCodes[] = {
      {kDone, "done, also if rows were skipped with --on-error skip"},
      {kFound, "found a verdict over the limit, a difference or an invalid row"},
      {kUsage, "the command line was not understood"},
      {kInput, "the input cannot be read, or a bad row stopped a conversion"},
      {kUnsupported, "a column cannot be converted"},
      {kInternal, "a bug in xwalk"},
      {kIo, "input or output failed"},
      {kInterrupted, "interrupted (143 by SIGTERM, 129 by SIGHUP); no half-written output is left"},
      {kClosedPipe, "the reader of standard output is gone"},
  };
  for (const auto& [code, meaning] : kCodes) {
    out += fmt::format(".TP\n.B {}\n{}", code, line(meaning));
  }
  out += ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n" + line("no colours if set to anything");
  out += ".SH FILES\n.TP\n.I NAME.schema\n" + line(
                                                  "the schema of the YSON or Skiff rows in the "
                                                  "file NAME; read from there and written there");
  return out;
}

}  // namespace

Verb man_verb() {
  return {"man",
          "prints the manual page",
          "",
          {{"xwalk man | man -l -", ""}},
          "",
          [](CommandLine&) -> Action {
            return [](Session& session) {
              std::string page = manual();
              if (session.json) page = Json({{"page", page}}).dump(2) + "\n";
              session.print(page);
              return static_cast<int>(kDone);
            };
          }};
}

}  // namespace xwalk::cli
