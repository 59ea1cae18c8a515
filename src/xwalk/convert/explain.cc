#include "xwalk/convert/explain.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/report/report.h"

namespace xwalk::io {
namespace {

using hub::Interface;

/// What to do about each verdict, in the order of report::verdict_grades.
constexpr std::array<std::string_view, 7> kAdvice = {
    "Nothing needs to be done.",
    "Nothing needs to be done, unless other tools rewrite the file's metadata: without xwalk's, "
    "the column comes back with the type that stores it.",
    "No value is lost. See in the report whether your readers need the type or the label that is.",
    "No value is lost, but the source does not say what its columns are. Give a schema with "
    "`schema=FILE`; `save_schema=FILE` writes the inferred one, to be corrected.",
    "A check that reads the rows counts the values that do not fit. convert stops at the first; "
    "`on_error=skip` leaves such rows out, and `rejects=FILE` keeps them.",
    "convert refuses the column until you accept it with `allow=lossy`. Without the option that "
    "changes values, such as `round`, their rows are rejected instead.",
    "convert refuses the column. Leave the column out with `exclude`, or give it another type with "
    "`target_schema`.",
};

/// Returns what an option is in an interface, and how the others write it.
Explanation explain_option(const NamedOption& option, Interface interface) {
  Explanation out;
  out.is_option = true;
  out.word = interface == Interface::Program ? hub::program_word(option.option)
                                             : std::string(hub::to_string(option.option));
  out.meaning = hub::spelled(option.about, interface);
  if (option.value == OptionValue::Choice) {
    const size_t first = option.usual.find_first_not_of(' ');
    std::string choices(option.usual.substr(first));
    for (size_t at = 0; (at = choices.find(' ', at)) != std::string::npos; at += 2) {
      choices.replace(at, 1, ", ");
    }
    out.meaning += fmt::format(" One of {}.", choices);
  }
  const std::string mentioned = hub::mention(option.option);
  const auto in = [&](Interface other) { return hub::spelled(mentioned, other); };
  const bool is_program = interface == Interface::Program;
  out.advice =
      fmt::format("In {}: {}. In the JSON of C: {}.", is_program ? "Python" : "the program",
                  in(is_program ? Interface::Python : Interface::Program), in(Interface::Json));
  if (is_program) out.advice += " xwalk COMMAND --help lists the options of a command.";
  return out;
}

}  // namespace

Explanation explain(const hub::Rule& rule, Interface interface) {
  Explanation out{.word = std::string(rule.slug),
                  .meaning = hub::spelled(rule.meaning, interface),
                  .advice = hub::spelled(rule.advice, interface)};
  const auto pages = report::rule_pages();
  const auto page = std::ranges::find(pages, rule.slug, &report::RulePage::rule);
  if (page != pages.end()) out.example = &*page;
  return out;
}

std::optional<Explanation> explain(std::string_view word, Interface interface) {
  const std::vector<report::Grade> verdicts = report::verdict_grades();
  const auto verdict = std::ranges::find(verdicts, word, &report::Grade::word);
  if (verdict != verdicts.end()) {
    const auto advice = kAdvice.at(static_cast<size_t>(verdict - verdicts.begin()));
    return Explanation{.word = verdict->word,
                       .meaning = verdict->meaning,
                       .advice = hub::spelled(advice, interface)};
  }
  if (const hub::Rule* rule = crosswalk::rule_of(word)) return explain(*rule, interface);
  std::string id(word.starts_with("--") ? word.substr(2) : word);
  std::optional<hub::Option> option = hub::option_of_word("--" + id);
  std::ranges::replace(id, '-', '_');
  if (!option) option = hub::option_of_id(id);
  if (!option) return std::nullopt;
  const std::vector<NamedOption> all = named_options();
  const auto named = std::ranges::find(all, *option, &NamedOption::option);
  if (named == all.end()) return std::nullopt;
  return explain_option(*named, interface);
}

std::vector<std::string> explained_names() {
  std::vector<std::string> names;
  for (const hub::Rule& rule : crosswalk::rules()) names.emplace_back(rule.slug);
  for (const report::Grade& verdict : report::verdict_grades()) names.push_back(verdict.word);
  return names;
}

std::string names_with_part(const std::string& part, const std::vector<std::string>& names) {
  constexpr size_t kMost = 6;
  std::vector<std::string> found;
  for (const std::string& word : names) {
    std::string parts = "-" + word + "-";
    std::ranges::replace(parts, '.', '-');
    if (parts.find("-" + part + "-") != std::string::npos) found.push_back(word);
  }
  if (found.empty()) return "";
  const bool cut = found.size() > kMost;
  if (cut) found.resize(kMost);
  return fmt::format("Did you mean {}{}?", join(found, ", "), cut ? ", …" : "");
}

}  // namespace xwalk::io
