#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/json_text.h"
#include "xwalk/cli/rule_pages.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/hub/finding.h"

namespace xwalk::cli {
namespace {

enum class Output { Text, Markdown };

struct Options {
  std::string rule;
  Output output = Output::Text;
};

const RulePage* page_of(std::string_view rule) {
  const auto page = std::ranges::find(rule_pages(), rule, &RulePage::rule);
  return page == rule_pages().end() ? nullptr : &*page;
}

nlohmann::ordered_json to_json(const hub::Rule& rule) {
  nlohmann::ordered_json out = {{"rule", rule.slug}, {"meaning", rule.meaning}};
  if (const RulePage* page = page_of(rule.slug)) {
    out["example"] = {{"command", page->command}, {"output", page->output}};
  }
  return out;
}

/// Returns the lines of a text, each behind an indent.
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

std::string as_text(const hub::Rule& rule, const Terminal& terminal) {
  std::string out = fmt::format("{}\n  {}\n", terminal.paint(Ink::Bold, rule.slug),
                                wrap(rule.meaning, terminal.width(), 2));
  if (const RulePage* page = page_of(rule.slug)) {
    out += fmt::format("\n  $ {}\n{}", terminal.paint(Ink::Bold, page->command),
                       indented(page->output, "  "));
  }
  return out;
}

std::string as_markdown(const hub::Rule& rule) {
  std::string out = fmt::format("\n## {}\n\n{}\n", rule.slug, rule.meaning);
  if (const RulePage* page = page_of(rule.slug)) {
    out += fmt::format("\n```\n$ {}\n{}```\n", page->command, page->output);
  }
  return out;
}

std::string list(const Options& options, Session& session) {
  if (session.json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const hub::Rule& rule : hub::rules()) all.push_back(to_json(rule));
    return json_text(all) + "\n";
  }
  if (options.output == Output::Markdown) {
    std::string out =
        "# The rules of a report\n\nPrinted by `xwalk explain --output markdown`. Each example "
        "is run by the tests; of what it prints, the rule's name is what counts.\n";
    for (const hub::Rule& rule : hub::rules()) out += as_markdown(rule);
    return out;
  }
  Table table({"", ""});
  for (const hub::Rule& rule : hub::rules()) {
    table.add({std::string(rule.slug), std::string(rule.meaning)});
  }
  return table.print(session.out(), 200);
}

int run(const Options& options, Session& session) {
  if (options.rule.empty()) {
    session.print(list(options, session));
    return kDone;
  }
  const auto found = std::ranges::find(hub::rules(), options.rule, &hub::Rule::slug);
  if (found == hub::rules().end()) {
    std::vector<std::string> slugs;
    slugs.reserve(hub::rules().size());
    for (const hub::Rule& rule : hub::rules()) slugs.emplace_back(rule.slug);
    Error error = unknown_word("the rule", options.rule, slugs, false);
    if (error.hint().empty()) error.with_hint("xwalk explain lists the rules.");
    throw error;
  }
  if (session.json) {
    session.print(json_text(to_json(*found)) + "\n");
  } else if (options.output == Output::Markdown) {
    session.print(as_markdown(*found));
  } else {
    session.print(as_text(*found, session.out()));
  }
  return kDone;
}

}  // namespace

Verb explain_verb() {
  return {"explain",
          "says what a rule in a report means, with an example",
          "[RULE]",
          {{"xwalk explain range.narrowed", ""}, {"xwalk explain", "every rule, one line each"}},
          "",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            add_text(app, "rule", &options->rule, "RULE", "the rule's name in a report");
            add_choice<Output>(app, "--output", &options->output,
                               {{"text", Output::Text}, {"markdown", Output::Markdown}},
                               "how it is written");
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
