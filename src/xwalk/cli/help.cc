#include "xwalk/cli/help.h"

#include <algorithm>

#include <fmt/format.h>

#include "xwalk/version.h"

namespace xwalk::cli {
namespace {

constexpr int kMostWidth = 100;
/// Column at which descriptions of options begin.
constexpr int kOptionColumn = 30;

std::string padded(std::string text, int width) {
  int missing = width - display_width(text);
  if (missing > 0) text.append(static_cast<size_t>(missing), ' ');
  return text;
}

std::string names_of(const CLI::Option& option) {
  std::string out;
  for (const std::string& name : option.get_snames()) out += "-" + name + ", ";
  if (out.empty()) out = "    ";
  for (const std::string& name : option.get_lnames()) out += "--" + name + ", ";
  out.resize(out.size() - 2);
  if (option.get_type_size() != 0 && !option.get_type_name().empty()) {
    out += " " + option.get_type_name();
  }
  return out;
}

void list_examples(const Verb& verb, const Terminal& terminal, std::string* out) {
  for (const Example& example : verb.examples) {
    *out += fmt::format("  {}\n", terminal.paint(Ink::Bold, example.command));
    if (!example.meaning.empty()) {
      *out += fmt::format("      {}\n", terminal.paint(Ink::Faint, example.meaning));
    }
  }
}

}  // namespace

std::string welcome(const Terminal& terminal) {
  auto strong = [&](std::string_view text) { return terminal.paint(Ink::Bold, text); };
  return fmt::format(
      "xwalk {} moves tables between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow,\n"
      "and says of every column what is kept, narrowed or lost.\n"
      "\n"
      "  {}     rows, with a report line\n"
      "  {}       the schema in another system's words\n"
      "  {}       what would not survive, moving nothing\n"
      "\n"
      "More: xwalk --help lists every verb, xwalk VERB --help shows how it is used,\n"
      "xwalk formats what can be read and written, xwalk explain RULE why a report\n"
      "says what it says.\n",
      XWALK_VERSION, strong("xwalk convert flights.parquet flights.yson"),
      strong("xwalk schema flights.parquet --to yt"),
      strong("xwalk check events.yson --to parquet"));
}

std::string overview(const Terminal& terminal) {
  std::string out = fmt::format(
      "usage: xwalk VERB [arguments]\n\n  {}\n  {}\n  {}\n\n",
      terminal.paint(Ink::Bold, "xwalk convert flights.parquet flights.yson"),
      terminal.paint(Ink::Bold, "xwalk schema flights.parquet --to yt"),
      terminal.paint(Ink::Bold, "xwalk type 'Optional<List<Decimal(20,4)>>' --from yt"));
  out += "Verbs:\n";
  for (const Verb& verb : verbs()) {
    out += "  " + padded(std::string(verb.name), 12) +
           wrap(verb.summary, std::min(terminal.width(), kMostWidth), 14) + "\n";
  }
  out +=
      "\nFormats: yt (YSON rows), skiff, parquet, lance, vortex, arrow. - is standard input or\n"
      "output. Exit codes: 0 done, 1 found something, 2 usage, 3 input, 4 no mapping, 74 i/o.\n";
  return out;
}

std::string help_of(const Verb& verb, const CLI::App& app, const Terminal& terminal) {
  int width = std::min(terminal.width(), kMostWidth);
  std::string out;
  list_examples(verb, terminal, &out);
  out += fmt::format("\nusage: xwalk {} {}\n", verb.name, verb.arguments);
  out += wrap(verb.summary, width, 0) + "\n";

  for (const std::string& group : app.get_groups()) {
    std::string lines;
    for (const CLI::Option* option :
         app.get_options([&](const CLI::Option* o) { return o->get_group() == group; })) {
      if (option->get_positional()) continue;
      std::string names = names_of(*option);
      std::string line = "  " + names;
      if (display_width(line) + 2 > kOptionColumn) {
        line += "\n" + std::string(kOptionColumn, ' ');
      } else {
        line = padded(line, kOptionColumn);
      }
      lines += line + wrap(option->get_description(), width, kOptionColumn) + "\n";
    }
    if (!lines.empty()) out += fmt::format("\n{}:\n{}", group, lines);
  }
  if (!verb.notes.empty()) out += "\n" + wrap(verb.notes, width, 0) + "\n";
  return out;
}

}  // namespace xwalk::cli
