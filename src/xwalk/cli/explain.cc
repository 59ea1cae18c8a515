#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "xwalk/cli/arguments.h"
#include "xwalk/cli/json.h"
#include "xwalk/cli/rule_pages.h"
#include "xwalk/cli/table.h"
#include "xwalk/cli/verb.h"
#include "xwalk/convert/named_options.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/option.h"

namespace xwalk::cli {
namespace {

enum class Output { Text, Markdown };

/// Columns that a text is wrapped at on wide terminals.
constexpr int kMostWidth = 100;

struct Options {
  /// A rule, a verdict or an option.
  std::string rule;
  Output output = Output::Text;
};

/// What to do about each verdict, in the order of crosswalk::verdict_grades.
constexpr std::array<std::string_view, 7> kAdvice = {
    "Nothing needs to be done.",
    "Nothing needs to be done, unless other tools rewrite the file's metadata: without xwalk's, "
    "the "
    "column comes back with the type that stores it.",
    "No value is lost. See in the report whether your readers need the type or the label that is.",
    "No value is lost, but the source does not say what its columns are. Give a schema with "
    "--schema "
    "FILE; --save-schema FILE writes the inferred one, to be corrected.",
    "check --rows reads the data and counts the values that don't fit. convert stops at the first; "
    "--on-error skip leaves such rows out, and --rejects FILE keeps them.",
    "convert refuses until you accept it with --allow lossy. Without the option that changes "
    "values, "
    "such as --round, they are refused one by one instead.",
    "convert refuses. Leave the column out with --select, or give it another type with "
    "--to-schema.",
};

/// Returns the meaning of a verdict, or nothing if the word is not a verdict.
std::optional<hub::Rule> verdict_of(std::string_view word,
                                    const std::vector<crosswalk::Grade>& verdicts) {
  const auto found = std::ranges::find(verdicts, word, &crosswalk::Grade::word);
  if (found == verdicts.end()) return std::nullopt;
  return hub::Rule{found->word, found->meaning,
                   kAdvice.at(static_cast<size_t>(found - verdicts.begin()))};
}

const RulePage* page_of(std::string_view rule) {
  const auto page = std::ranges::find(rule_pages(), rule, &RulePage::rule);
  return page == rule_pages().end() ? nullptr : &*page;
}

Json to_json(const hub::Rule& rule) {
  Json out = {{"rule", rule.slug}, {"meaning", rule.meaning}, {"advice", rule.advice}};
  if (const RulePage* page = page_of(rule.slug)) {
    out["example"] = {{"command", page->command}, {"output", page->output}};
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

std::string as_text(const hub::Rule& rule, const Terminal& terminal) {
  const int width = std::min(terminal.width(), kMostWidth);
  std::string out = fmt::format("{}\n  {}\n\n  {}\n", terminal.paint(Ink::Bold, rule.slug),
                                wrap(rule.meaning, width, 2), wrap(rule.advice, width, 2));
  if (const RulePage* page = page_of(rule.slug)) {
    out += fmt::format("\n  $ {}\n{}", terminal.paint(Ink::Bold, page->command),
                       indented(page->output, "  "));
  }
  return out;
}

/// The documentation of an option.
struct OptionPage {
  std::string word;
  std::string about;
  std::string elsewhere;

  hub::Rule rule() const { return {word, about, elsewhere}; }
};

Json to_json(const OptionPage& page) {
  return {{"option", page.word}, {"meaning", page.about}, {"advice", page.elsewhere}};
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
std::optional<OptionPage> command_option_page(std::string_view name) {
  const CommandOptions all = command_options();
  const auto found = all.find(std::string(name));
  if (found == all.end()) return std::nullopt;
  OptionPage page;
  page.word = fmt::format("--{}", name);
  for (const auto& [commands, description] : found->second) {
    page.about += fmt::format("{}{}: {}", page.about.empty() ? "" : "\n", commands, description);
  }
  page.elsewhere = "xwalk COMMAND --help lists the options of a command.";
  return page;
}

/// Returns the documentation of an option, in any spelling; empty if the option is unknown.
std::optional<OptionPage> option_page(std::string_view word) {
  const std::string_view name = word.starts_with("--") ? word.substr(2) : word;
  std::string id(word.starts_with("--") ? word.substr(2) : word);
  std::optional<hub::Option> option = hub::option_of_word("--" + id);
  std::ranges::replace(id, '-', '_');
  if (!option) option = hub::option_of_id(id);
  if (!option) return command_option_page(name);
  const std::vector<io::NamedOption> all = io::named_options();
  const auto named = std::ranges::find(all, *option, &io::NamedOption::option);
  if (named == all.end()) return command_option_page(name);
  OptionPage page;
  page.word = hub::program_word(*option);
  page.about = hub::spelled(named->about, hub::Interface::Program);
  if (named->value == io::OptionValue::Choice) {
    const size_t first = named->usual.find_first_not_of(' ');
    std::string choices(named->usual.substr(first));
    for (size_t at = 0; (at = choices.find(' ', at)) != std::string::npos; at += 2) {
      choices.replace(at, 1, ", ");
    }
    page.about += fmt::format(" One of {}.", choices);
  }
  const std::string mentioned = hub::mention(*option);
  page.elsewhere = fmt::format(
      "In Python: {}. In the JSON of C: {}. xwalk COMMAND --help lists the "
      "options of a command.",
      hub::spelled(mentioned, hub::Interface::Python),
      hub::spelled(mentioned, hub::Interface::Json));
  return page;
}

std::string as_markdown(const hub::Rule& rule) {
  const std::string_view between = rule.meaning.ends_with('.') ? " " : "\n\n";
  std::string out =
      fmt::format("\n## {}\n\n{}{}{}\n", rule.slug, rule.meaning, between, rule.advice);
  if (const RulePage* page = page_of(rule.slug)) {
    out += fmt::format("\n```\n$ {}\n{}```\n", page->command, page->output);
  }
  return out;
}

std::string list(const Options& options, Session& session) {
  if (session.json) {
    Json all = Json::array();
    for (const hub::Rule& rule : hub::rules()) all.push_back(to_json(rule));
    return json_text(all) + "\n";
  }
  if (options.output == Output::Markdown) {
    std::string out =
        "# The rules of a report\n\nPrinted by `xwalk explain --output markdown`: what each rule "
        "means, what readers see, what you can do, and an example that the tests run.\n";
    for (const hub::Rule& rule : hub::rules()) out += as_markdown(rule);
    return out;
  }
  const int width = session.out().width();
  Table table({"", ""});
  for (const hub::Rule& rule : hub::rules()) {
    table.add({std::string(rule.slug), std::string(rule.meaning)});
  }
  return table.print(session.out(), width, Fit::Wrap);
}

/// Suggests the rules, verdicts and options with a part that equals a word: `range` is a part of
/// `range.narrowed`. Returns "" if no name has it.
std::string slugs_with_part(const std::string& word, const std::vector<std::string>& slugs) {
  constexpr size_t kMost = 6;
  std::vector<std::string> found;
  for (const std::string& slug : slugs) {
    std::string parts = "-" + slug + "-";
    std::ranges::replace(parts, '.', '-');
    if (parts.find("-" + word + "-") != std::string::npos) found.push_back(slug);
  }
  if (found.empty()) return "";
  const bool cut = found.size() > kMost;
  if (cut) found.resize(kMost);
  return fmt::format("Did you mean {}{}?", join(found, ", "), cut ? ", …" : "");
}

int run(const Options& options, Session& session) {
  if (options.rule.empty()) {
    session.print(list(options, session));
    return kDone;
  }
  const std::vector<crosswalk::Grade> verdicts = crosswalk::verdict_grades();
  std::optional<hub::Rule> found = verdict_of(options.rule, verdicts);
  if (!found) {
    const auto rule = std::ranges::find(hub::rules(), options.rule, &hub::Rule::slug);
    if (rule != hub::rules().end()) found = *rule;
  }
  const std::optional<OptionPage> option = found ? std::nullopt : option_page(options.rule);
  if (option) found = option->rule();
  if (!found) {
    std::vector<std::string> slugs;
    for (const hub::Rule& rule : hub::rules()) slugs.emplace_back(rule.slug);
    for (const crosswalk::Grade& verdict : verdicts) slugs.push_back(verdict.word);
    for (const auto& [name, pages] : command_options()) slugs.push_back(name);
    Error error = unknown_word("rule, verdict or option", options.rule, slugs, false);
    if (std::string parts = slugs_with_part(options.rule, slugs); !parts.empty()) {
      error.with_hint(std::move(parts));
    }
    if (error.hint().empty()) error.with_hint("xwalk explain lists all rules.");
    throw error;
  }
  if (session.json) {
    session.print(json_text(option ? to_json(*option) : to_json(*found)) + "\n");
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
          "explains a rule or a verdict of a report, or an option",
          "[RULE|VERDICT|--OPTION]",
          {{"xwalk explain range.narrowed", ""},
           {"xwalk explain checked", "a verdict"},
           {"xwalk explain --decimal-mode", "an option"},
           {"xwalk explain", "every rule, one line each"}},
          "",
          [](CommandLine& command) -> Action {
            auto options = std::make_shared<Options>();
            add_text(command, "rule", &options->rule, "RULE", "the rule's name in a report");
            // Options that no help of a command lists.
            for (const auto& [name, pages] : command_options()) {
              if (name == "output") continue;  // it is an option of this verb
              const std::string word = "--" + name;
              command
                  .add(word, Argument::Takes::Nothing, "", "",
                       [options, word](const std::vector<std::string>&) { options->rule = word; })
                  ->group("");
            }
            add_choice<Output>(command, "--output", &options->output,
                               {{"text", Output::Text}, {"markdown", Output::Markdown}},
                               "how to print it (default: text)");
            return [options](Session& session) { return run(*options, session); };
          }};
}

}  // namespace xwalk::cli
