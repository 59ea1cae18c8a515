#include "xwalk/cli/help.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "xwalk/version.h"

namespace xwalk::cli {
namespace {

/// Lines of a page up to which nothing of it is folded.
constexpr ptrdiff_t kScreen = 40;
/// The group of the options that every verb has.
constexpr std::string_view kEveryVerb = "Every command";

/// Options that are folded if a page has more lines than a screen.
struct Topic {
  std::string_view word;
  std::string_view group;
};
constexpr std::array kTopics = {
    Topic{"changes", "What may change"},
    Topic{"folders", "Files and folders"},
    Topic{"yson", "YSON rows"},
    Topic{"skiff", "Skiff rows"},
    Topic{"parquet", "Parquet"},
    Topic{"lance", "Lance"},
    Topic{"vortex", "Vortex"},
    Topic{"csv", "CSV"},
    Topic{"cluster", "Tables on a cluster"},
    Topic{"stores", "Object stores"},
    Topic{"rows", "Which rows"},
    Topic{"project", "Project"},
    Topic{"speed", "Speed and memory"},
};

const Topic* topic_of_group(std::string_view group) {
  const auto* topic = std::ranges::find(kTopics, group, &Topic::group);
  return topic == kTopics.end() ? nullptr : topic;
}
/// Column at which descriptions of options begin.
constexpr int kOptionColumn = 30;

std::string padded(std::string text, int width) {
  int missing = width - display_width(text);
  if (missing > 0) text.append(static_cast<size_t>(missing), ' ');
  return text;
}

std::string names_of(const Argument& option) {
  std::string out;
  for (const std::string& name : option.short_names()) out += "-" + name + ", ";
  if (out.empty()) out = "    ";
  for (const std::string& name : option.long_names()) out += "--" + name + ", ";
  out.resize(out.size() - 2);
  if (!option.placeholder().empty()) {
    out += " " + option.placeholder();
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
      "xwalk {} converts tables between YTsaurus, Skiff, Parquet, Lance, Vortex and Arrow,\n"
      "and reports for every column what is kept, narrowed or lost.\n"
      "\n"
      "  {}  convert rows\n"
      "  {}        print the schema another system needs\n"
      "  {}        see what would be lost, without converting\n"
      "\n"
      "xwalk --help           all commands\n"
      "xwalk COMMAND --help   how to use a command\n"
      "xwalk formats        what can be read and written\n"
      "xwalk explain WORD   what a rule, a verdict or an option means\n",
      XWALK_VERSION, strong("xwalk convert flights.parquet flights.yson"),
      strong("xwalk schema flights.parquet --to yt"),
      strong("xwalk check events.yson --to parquet"));
}

std::string overview(const Terminal& terminal) {
  std::string out = fmt::format(
      "usage: xwalk COMMAND [arguments]\n\n  {}\n  {}\n  {}\n\n",
      terminal.paint(Ink::Bold, "xwalk convert flights.parquet flights.yson"),
      terminal.paint(Ink::Bold, "xwalk schema flights.parquet --to yt"),
      terminal.paint(Ink::Bold, "xwalk type 'Optional<List<Decimal(20,4)>>' --from yt"));
  out += "Commands:\n";
  for (const Verb& verb : verbs()) {
    out += "  " + padded(std::string(verb.name), 12) +
           wrap(verb.summary, std::min(terminal.width(), kMostTextWidth), 14) + "\n";
  }
  constexpr std::string_view kNotes =
      "Formats: yt (YSON rows), skiff, parquet, lance, vortex, arrow; - is standard input or "
      "output. Exit codes: 0 done, 1 something found, 2 usage, 3 bad input, 4 cannot be converted, "
      "74 input or output failed.";
  return out + "\n" + wrap(kNotes, std::min(terminal.width(), kMostTextWidth), 0) + "\n";
}

namespace {

/// Returns the options of a group, below its name; "" if the command has none.
std::string group_of(const CommandLine& command, const std::string& group, int width) {
  std::string lines;
  for (const Argument* option : command.options()) {
    if (option->group() != group) continue;
    std::string names = names_of(*option);
    std::string line = "  " + names;
    if (display_width(line) + 2 > kOptionColumn) {
      line += "\n" + std::string(kOptionColumn, ' ');
    } else {
      line = padded(line, kOptionColumn);
    }
    lines += line + wrap(option->description(), width, kOptionColumn) + "\n";
  }
  return lines.empty() ? lines : fmt::format("\n{}:\n{}", group, lines);
}

/// Returns the options of every verb, in a line.
std::string common_options(const CommandLine& command) {
  std::vector<std::string> all;
  for (const Argument* option : command.options()) {
    if (option->group() != kEveryVerb) continue;
    std::string names;
    for (const std::string& name : option->short_names()) names += "-" + name + "/";
    all.push_back(names + "--" + option->long_names().front());
  }
  return fmt::format("\n{}: {}\n", kEveryVerb, fmt::join(all, " "));
}

/// Returns the help of a verb, with or without the options of topics.
std::string page_of(const Verb& verb, const CommandLine& command, const Terminal& terminal,
                    bool whole) {
  const int width = std::min(terminal.width(), kMostTextWidth);
  std::string out;
  list_examples(verb, terminal, &out);
  out += fmt::format("\nusage: xwalk {} {}\n", verb.name, verb.arguments);
  out += wrap(verb.summary, width, 0) + "\n";
  std::vector<std::string_view> folded;
  for (const std::string& group : command.groups()) {
    // Words that an argument may be are no options of the verb.
    if (group.empty()) continue;
    const Topic* topic = whole ? nullptr : topic_of_group(group);
    if (topic != nullptr) {
      folded.push_back(topic->word);
    } else if (whole || group != kEveryVerb) {
      out += group_of(command, group, width);
    }
  }
  if (!whole) {
    out += common_options(command);
    folded.push_back("all");
    out += wrap(fmt::format("More options: xwalk {} --help TOPIC, one of {}", verb.name,
                            fmt::join(folded, ", ")),
                width, 0);
    out += '\n';
  }
  if (!verb.notes.empty()) out += "\n" + wrap(verb.notes, width, 0) + "\n";
  return out;
}

}  // namespace

std::string help_of(const Verb& verb, const CommandLine& command, const Terminal& terminal,
                    std::string_view topic) {
  for (const Topic& known : kTopics) {
    if (known.word != topic) continue;
    const std::string group =
        group_of(command, std::string(known.group), std::min(terminal.width(), kMostTextWidth));
    // A verb without such options is shown as it is.
    if (!group.empty()) return group.substr(1);
  }
  std::string whole = page_of(verb, command, terminal, true);
  if (topic == "all" || std::ranges::count(whole, '\n') <= kScreen) return whole;
  return page_of(verb, command, terminal, false);
}

}  // namespace xwalk::cli
