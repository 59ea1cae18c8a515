#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/hub/finding.h"

namespace xwalk::cli {
namespace {

struct Options {
  std::string rule;
};

int run(const Options& options, Session& session) {
  std::vector<std::string> slugs;
  const hub::Rule* found = nullptr;
  for (const hub::Rule& rule : hub::rules()) {
    slugs.emplace_back(rule.slug);
    if (rule.slug == options.rule) found = &rule;
  }
  if (options.rule.empty()) {
    if (session.json) {
      nlohmann::ordered_json list = nlohmann::ordered_json::array();
      for (const hub::Rule& rule : hub::rules()) {
        list.push_back({{"rule", rule.slug}, {"meaning", rule.meaning}});
      }
      session.print(list.dump(2) + "\n");
      return kDone;
    }
    Table table({"", ""});
    for (const hub::Rule& rule : hub::rules()) {
      table.add({std::string(rule.slug), std::string(rule.meaning)});
    }
    session.print(table.print(session.out(), 200));
    return kDone;
  }
  if (found == nullptr) {
    Error error = unknown_word("the rule", options.rule, slugs, false);
    if (error.hint().empty()) error.with_hint("xwalk explain lists the rules.");
    throw error;
  }
  if (session.json) {
    nlohmann::ordered_json page = {{"rule", found->slug}, {"meaning", found->meaning}};
    session.print(page.dump(2) + "\n");
    return kDone;
  }
  session.print(fmt::format("{}\n  {}\n", session.out().paint(Ink::Bold, found->slug),
                            wrap(found->meaning, session.out().width(), 2)));
  return kDone;
}

}  // namespace

Verb explain_verb() {
  return {"explain",
          "says what a rule in a report means",
          "[RULE]",
          {{"xwalk explain range.narrowed", ""}, {"xwalk explain", "every rule, one line each"}},
          "",
          [](CLI::App& app) -> Action {
            auto options = std::make_shared<Options>();
            add_text(app, "rule", &options->rule, "RULE", "the rule's name in a report");
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
