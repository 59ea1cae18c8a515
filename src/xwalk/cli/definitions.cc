#include "xwalk/cli/definitions.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "xwalk/base/text.h"
#include "xwalk/base/visible.h"
#include "xwalk/cli/arguments.h"
#include "xwalk/crosswalk/report.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/hub/finding.h"
#include "xwalk/hub/room.h"
#include "xwalk/io/formats/row_format.h"

namespace xwalk::cli {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (true) {
    const size_t end = text.find(separator);
    words.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return words;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> system_words() {
  std::vector<std::string> words = crosswalk::system_words();
  for (const crosswalk::System system : crosswalk::systems()) {
    if (!system->other_name.empty()) words.emplace_back(system->other_name);
  }
  return words;
}

void add_row_formats(std::vector<std::string>* words) {
  for (const io::Format format : io::formats()) {
    const std::string word(format->word);
    if (std::ranges::find(*words, word) == words->end()) words->push_back(word);
  }
}

std::vector<std::string> form_words() {
  std::vector<std::string> words;
  for (const crosswalk::System system : crosswalk::systems()) {
    for (std::string& form : crosswalk::form_words(system)) {
      if (std::ranges::find(words, form) == words.end()) words.push_back(std::move(form));
    }
  }
  return words;
}

/// Placeholders of what is found in the file system.
constexpr std::array<std::string_view, 9> kFiles = {"FILE", "S", "IN",     "PATHS", "OLD",
                                                    "NEW",  "A", "SCHEMA", "B"};

/// Says what a verb needs that was not given.
Error missing_argument(const Verb& verb, const CLI::App& app, const CLI::RequiredError& error) {
  std::string message = fmt::format("xwalk {}: {}", verb.name, visible(error.what()));
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    const std::string name = option->get_positional() ? option->get_name(true) : option->get_name();
    message =
        fmt::format("xwalk {}: {} is missing: {}", verb.name, name, option->get_description());
    break;
  }
  return Error(ErrorCode::Usage, std::move(message), {},
               fmt::format("usage: xwalk {} {}", verb.name, verb.arguments));
}

}  // namespace

Action declare(const Verb& verb, CLI::App& app, Session* session, CommonOptions* common) {
  app.set_help_flag();
  Action action = verb.declare(app);
  const char* group = "Every verb";
  add_flag(app, "--json", &session->json, "print JSON, also for errors")->group(group);
  add_flag(app, "--no-color", &common->no_color, "no colours (as NO_COLOR does)")->group(group);
  add_flag(app, "-q,--quiet", &session->quiet, "print only errors on standard error")->group(group);
  add_flag(app, "-v,--verbose", &session->verbose, "print more on standard error")->group(group);
  add_flag(app, "-h,--help", &common->help,
           "print help: everyday options, those of a TOPIC, or all")
      ->group(group);
  return action;
}

void parse_words(std::string_view verb, CLI::App& app, std::vector<std::string> words) {
  try {
    std::ranges::reverse(words);
    app.parse(words);
  } catch (const CLI::RequiredError& error) {
    throw missing_argument(*std::ranges::find(verbs(), verb, &Verb::name), app, error);
  } catch (const CLI::ParseError& error) {
    std::string message = visible(error.what());
    // A name in capitals, such as OLD, stays as the line of usage has it.
    const bool is_name = message.size() > 1 && is_ascii_alpha(message[1]) && message[1] <= 'Z';
    if (!message.empty() && !is_name) message[0] = static_cast<char>(std::tolower(message[0]));
    const Verb& asked = *std::ranges::find(verbs(), verb, &Verb::name);
    throw Error(ErrorCode::Usage, fmt::format("xwalk {}: {}", verb, message), {},
                fmt::format("usage: xwalk {} {}", verb, asked.arguments));
  }
}

Definition::Definition(const Verb& verb)
    : verb_(&verb),
      app_(std::make_unique<CLI::App>(std::string(verb.summary), std::string(verb.name))),
      action_(declare(verb, *app_, session_.get(), common_.get())) {}

std::vector<const CLI::Option*> Definition::options() const {
  return app().get_options([](const CLI::Option* option) { return !option->get_positional(); });
}

std::vector<const CLI::Option*> Definition::positionals() const {
  return app().get_options([](const CLI::Option* option) { return option->get_positional(); });
}

std::vector<Definition> definitions() {
  std::vector<Definition> out;
  out.reserve(verbs().size());
  for (const Verb& verb : verbs()) out.emplace_back(verb);
  return out;
}

Expected expected_of(const CLI::Option& option) {
  using What = Expected::What;
  const bool positional = option.get_positional();
  if (!positional && option.get_items_expected_max() == 0) return {What::Nothing, {}};
  std::string text = option.get_type_name();
  // A positional that was declared with a plain vector says its kind and not its name.
  if (positional && (text.empty() || text.starts_with("TEXT"))) text = option.get_name(true);
  if (text == "F") {
    Expected words{What::Words, system_words()};
    // What rows are in has words of its own beside those of systems.
    if (option.get_description().starts_with("format ")) add_row_formats(&words.words);
    return words;
  }
  if (text == "FORM") return {What::Words, form_words()};
  if (text == "RULE") {
    Expected rules{What::Words, {}};
    rules.words.reserve(hub::rules().size());
    for (const hub::Rule& rule : hub::rules()) rules.words.emplace_back(rule.slug);
    for (const crosswalk::Grade& verdict : crosswalk::verdict_grades()) {
      rules.words.push_back(verdict.word);
    }
    return rules;
  }
  if (text.find('|') != std::string::npos) return {What::Words, split(text, '|')};
  if (option.get_name() == "--allow") return {What::Words, split(text, ',')};
  if (std::ranges::find(kFiles, text) != kFiles.end()) return {What::Files, {}};
  return {What::Anything, {}};
}

}  // namespace xwalk::cli
