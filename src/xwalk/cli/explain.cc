#include "xwalk/convert/explain.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"

namespace xwalk::cli {
namespace {

enum class ExplainOutput { Text, Markdown };

struct ExplainOptions {
  /// A rule, a verdict or an option.
  std::string rule;
  ExplainOutput output = ExplainOutput::Text;
};

Json to_json(const io::Explanation& found) {
  Json out = {{found.is_option ? "option" : "rule", found.word},
              {"meaning", found.meaning},
              {"advice", found.advice}};
  if (found.example != nullptr) {
    out["example"] = {{"command", found.example->command}, {"output", found.example->output}};
  }
  return out;
}

/// Returns the lines of a text, each indented.
std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end + 1);
    if (line != "\n") out += indent;
    out += line;
    text.remove_prefix(line.size());
  }
  return out;
}

std::string as_text(const io::Explanation& found, const Terminal& terminal) {
  const int width = std::min(terminal.width(), kMostTextWidth);
  std::string out = fmt::format("{}\n  {}\n\n  {}\n", terminal.paint(Ink::Bold, found.word),
                                wrap(found.meaning, width, 2), wrap(found.advice, width, 2));
  if (found.example != nullptr) {
    out += fmt::format("\n  $ {}\n{}", terminal.paint(Ink::Bold, found.example->command),
                       indented(found.example->output, "  "));
  }
  return out;
}

/// The long names of the options of all commands except `explain`, each with what it is about: for
/// each description the commands that have it.
using CommandOptions = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

CommandOptions command_options() {
  CommandOptions out;
  for (const Verb& verb : verbs()) {
    if (verb.name == "explain") continue;
    CommandLine command(verb.name);
    (void)verb.declare(command);
    for (const Argument* option : command.options()) {
      for (const std::string& name : option->long_names()) {
        auto& pages = out[name];
        const auto same = std::ranges::find(pages, option->description(),
                                            &std::pair<std::string, std::string>::second);
        if (same == pages.end()) {
          pages.emplace_back(verb.name, option->description());
        } else {
          same->first += fmt::format(", {}", verb.name);
        }
      }
    }
  }
  return out;
}

/// Returns what an option of single commands is about.
std::optional<io::Explanation> command_option_page(std::string_view word) {
  const std::string name(word.starts_with("--") ? word.substr(2) : word);
  const CommandOptions all = command_options();
  const auto found = all.find(name);
  if (found == all.end()) return std::nullopt;
  io::Explanation page;
  page.is_option = true;
  page.word = "--" + name;
  for (const auto& [commands, description] : found->second) {
    page.meaning +=
        fmt::format("{}{}: {}", page.meaning.empty() ? "" : "\n", commands, description);
  }
  page.advice = "xwalk COMMAND --help lists the options of a command.";
  return page;
}

std::string as_markdown(const io::Explanation& found) {
  const std::string_view between = found.meaning.ends_with('.') ? " " : "\n\n";
  std::string out =
      fmt::format("\n## {}\n\n{}{}{}\n", found.word, found.meaning, between, found.advice);
  if (found.example != nullptr) {
    out += fmt::format("\n```\n$ {}\n{}```\n", found.example->command, found.example->output);
  }
  return out;
}

std::string list(const ExplainOptions& options, Session& session) {
  if (session.json) {
    Json all = Json::array();
    for (const hub::Rule& rule : crosswalk::rules())
      all.push_back(to_json(io::explain(rule, hub::Interface::Program)));
    return json_text(all) + "\n";
  }
  if (options.output == ExplainOutput::Markdown) {
    std::string out =
        "# The rules of a report\n\nPrinted by `xwalk explain --output markdown`: what each rule "
        "means, what readers see, what you can do, and an example that the tests run.\n";
    for (const hub::Rule& rule : crosswalk::rules()) {
      out += as_markdown(io::explain(rule, hub::Interface::Program));
    }
    return out;
  }
  const int width = session.out().width();
  Table table({"", ""});
  for (const hub::Rule& rule : crosswalk::rules()) {
    table.add({std::string(rule.slug), io::explain(rule, hub::Interface::Program).meaning});
  }
  return table.print(session.out(), width, Fit::Wrap);
}

int run(const ExplainOptions& options, Session& session) {
  if (options.rule.empty()) {
    session.print(list(options, session));
    return kDone;
  }
  std::optional<io::Explanation> found = io::explain(options.rule, hub::Interface::Program);
  if (!found) found = command_option_page(options.rule);
  if (!found) {
    std::vector<std::string> names = io::explained_names();
    for (const auto& [name, pages] : command_options()) names.push_back(name);
    Error error = unknown_word("rule, verdict or option", options.rule, names, false);
    if (std::string parts = io::names_with_part(options.rule, names); !parts.empty()) {
      error.with_hint(std::move(parts));
    }
    if (error.hint().empty()) error.with_hint("xwalk explain lists all rules.");
    throw error;
  }
  if (session.json) {
    session.print(json_text(to_json(*found)) + "\n");
  } else if (options.output == ExplainOutput::Markdown) {
    session.print(as_markdown(*found));
  } else {
    session.print(as_text(*found, session.out()));
  }
  return kDone;
}

}  // namespace

Verb explain_verb() {
  return {"explain",
          "explains a rule or a verdict of a report, or an option",
          "[RULE|VERDICT|--OPTION]",
          {{"xwalk explain range.narrowed", ""},
           {"xwalk explain checked", "a verdict"},
           {"xwalk explain --decimal-mode", "an option"},
           {"xwalk explain", "every rule, one line each"}},
          "",
          [](CommandLine& command) -> Action {
            auto options = std::make_shared<ExplainOptions>();
            add_text(command, "rule", &options->rule, "RULE", "the rule's name in a report");
            // ExplainOptions that no help of a command lists.
            for (const auto& [name, pages] : command_options()) {
              if (name == "output") continue;  // it is an option of this verb
              const std::string word = "--" + name;
              command
                  .add(word, Argument::Takes::Nothing, "", "",
                       [options, word](const std::vector<std::string>&) { options->rule = word; })
                  ->group("");
            }
            add_choice<ExplainOutput>(
                command, "--output", &options->output,
                {{"text", ExplainOutput::Text}, {"markdown", ExplainOutput::Markdown}},
                "how to print it (default: text)");
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
