#include "xwalk/cli/definitions.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/crosswalk/rules.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/module.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/report/report.h"

namespace xwalk::cli {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> tokens;
  while (true) {
    const size_t end = text.find(separator);
    tokens.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return tokens;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> system_names() {
  std::vector<std::string> tokens = crosswalk::system_names();
  for (const crosswalk::System system : crosswalk::systems()) {
    if (!system->other_name.empty()) tokens.emplace_back(system->other_name);
  }
  return tokens;
}

void add_row_formats(std::vector<std::string>* tokens) {
  for (const io::Format format : io::formats()) {
    const std::string word(format->word);
    if (std::ranges::find(*tokens, word) == tokens->end()) tokens->push_back(word);
  }
}

std::vector<std::string> form_names() {
  std::vector<std::string> tokens;
  for (const crosswalk::System system : crosswalk::systems()) {
    for (std::string& form : crosswalk::form_names(system)) {
      if (std::ranges::find(tokens, form) == tokens.end()) tokens.push_back(std::move(form));
    }
  }
  return tokens;
}

/// Placeholders of names in the file system.
constexpr std::array<std::string_view, 9> kFiles = {"FILE", "S", "IN",     "PATHS", "OLD",
                                                    "NEW",  "A", "SCHEMA", "B"};

/// Says what a verb needs that was not given.
Error missing_argument(const Verb& verb, const CommandLine& command, const Misread& wrong) {
  std::string message = visible(wrong.message);
  for (const Argument* argument : command.arguments()) {
    if (!argument->is_required() || argument->count() > 0) continue;
    message = fmt::format("{} is missing: {}", argument->name(), argument->description());
    break;
  }
  return Error(ErrorCode::Usage, std::move(message), {},
               fmt::format("usage: xwalk {} {}", verb.name, verb.arguments));
}

}  // namespace

Action declare(const Verb& verb, CommandLine& command, Session* session, CommonOptions* common) {
  Action action = verb.declare(command);
  const char* group = "Every command";
  add_flag(command, "--json", &session->json, "print JSON, also for errors")->group(group);
  add_flag(command, "--no-color", &common->no_color, "no colours (as NO_COLOR does)")->group(group);
  add_flag(command, "-q,--quiet", &session->quiet,
           "print only errors and changes of values on standard error")
      ->group(group);
  add_flag(command, "-v,--verbose", &session->verbose, "print more on standard error")
      ->group(group);
  add_flag(command, "-h,--help", &common->help,
           "print help: everyday options, those of a TOPIC, or all")
      ->group(group);
  return action;
}

void parse_tokens(std::string_view verb, CommandLine& command,
                  const std::vector<std::string>& tokens) {
  const std::optional<Misread> wrong = command.parse(tokens);
  if (!wrong) return;
  const Verb& found = *std::ranges::find(verbs(), verb, &Verb::name);
  if (wrong->is_missing) throw missing_argument(found, command, *wrong);
  std::string message = visible(wrong->message);
  // A name in capitals, such as OLD, stays as in the line of usage.
  const bool is_name = message.size() > 1 && is_ascii_alpha(message[1]) && message[1] <= 'Z';
  if (!message.empty() && !is_name) message[0] = static_cast<char>(std::tolower(message[0]));
  throw Error(ErrorCode::Usage, message, {},
              fmt::format("usage: xwalk {} {}", verb, found.arguments));
}

Definition::Definition(const Verb& verb)
    : verb_(&verb),
      command_(std::make_unique<CommandLine>(verb.name)),
      action_(declare(verb, *command_, session_.get(), common_.get())) {}

std::vector<Definition> definitions() {
  std::vector<Definition> out;
  out.reserve(verbs().size());
  for (const Verb& verb : verbs()) out.emplace_back(verb);
  return out;
}

Expected expected_of(const Argument& option) {
  using What = Expected::What;
  if (!option.takes_value()) return {What::Nothing, {}};
  const std::string& text = option.placeholder();
  if (text == "F") {
    Expected tokens{What::Choices, system_names()};
    // Row formats have their own names in addition to those of systems.
    if (option.description().starts_with("format ")) add_row_formats(&tokens.tokens);
    return tokens;
  }
  if (text == "FORM") return {What::Choices, form_names()};
  if (text == "RULE") {
    Expected rules{What::Choices, {}};
    rules.tokens.reserve(crosswalk::rules().size());
    for (const hub::Rule& rule : crosswalk::rules()) rules.tokens.emplace_back(rule.slug);
    for (const report::Grade& verdict : report::verdict_grades()) {
      rules.tokens.push_back(verdict.word);
    }
    return rules;
  }
  if (text.find('|') != std::string::npos) return {What::Choices, split(text, '|')};
  if (option.name() == "--allow") return {What::Choices, split(text, ',')};
  if (std::ranges::find(kFiles, text) != kFiles.end()) return {What::Files, {}};
  return {What::Anything, {}};
}

}  // namespace xwalk::cli
