#include "xwalk/cli/command_line.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace xwalk::cli {
namespace {

using Takes = Argument::Takes;

/// Begins a word in brackets, which CLI11 would take for a list: the text of a schema, a pattern.
constexpr char kWhole = '\1';

std::string marked(const std::string& word) {
  const bool is_list = word.starts_with('[') && word.ends_with(']');
  return is_list || word.starts_with(kWhole) ? kWhole + word : word;
}

std::string unmarked(std::string text) {
  std::erase(text, kWhole);
  return text;
}

std::vector<std::string> all_unmarked(std::vector<std::string> tokens) {
  for (std::string& token : tokens) {
    if (token.starts_with(kWhole)) token.erase(0, 1);
  }
  return tokens;
}

/// Declares an argument to the parser.
CLI::Option* declare(CLI::App& app, const std::string& names, Takes takes,
                     const Argument::Read& read) {
  switch (takes) {
    case Takes::Nothing:
      return app.add_flag_callback(names, [&read] { read({}); });
    case Takes::Word:
      return app.add_option_function<std::string>(
          names, [&read](const std::string& word) { read(all_unmarked({word})); });
    case Takes::Each:
      return app
          .add_option_function<std::vector<std::string>>(
              names, [&read](const std::vector<std::string>& given) { read(all_unmarked(given)); })
          ->expected(1)
          ->allow_extra_args(false)  // the words after it are paths
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    case Takes::Rest:
      return app.add_option_function<std::vector<std::string>>(
          names, [&read](const std::vector<std::string>& given) { read(all_unmarked(given)); });
  }
  return nullptr;
}

}  // namespace

Argument::Argument(std::string_view names, Takes takes, std::string placeholder,
                   std::string description, Read read)
    : names_(names),
      takes_(takes),
      placeholder_(std::move(placeholder)),
      description_(std::move(description)),
      read_(std::move(read)) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    if (name.starts_with("--")) {
      long_names_.emplace_back(name.substr(2));
    } else if (name.starts_with('-')) {
      short_names_.emplace_back(name.substr(1));
    } else {
      position_ = name;
    }
  }
}

Argument* Argument::group(std::string_view heading) {
  group_ = heading;
  return this;
}

Argument* Argument::placeholder(std::string_view text) {
  placeholder_ = text;
  return this;
}

Argument* Argument::required() {
  is_required_ = true;
  return this;
}

Argument* Argument::names_place(hub::OptionPlace place) {
  place_ = place;
  return this;
}

Argument* Argument::needs(const Argument* other) {
  needs_.push_back(other);
  return this;
}

Argument* Argument::excludes(std::string_view name) {
  excludes_.emplace_back(name);
  return this;
}

std::string Argument::name() const {
  if (is_positional()) return position_;
  return long_names_.empty() ? "-" + short_names_.front() : "--" + long_names_.front();
}

Argument* CommandLine::add(std::string_view names, Takes takes, std::string placeholder,
                           std::string description, Argument::Read read) {
  return arguments_
      .emplace_back(std::make_unique<Argument>(names, takes, std::move(placeholder),
                                               std::move(description), std::move(read)))
      .get();
}

std::vector<const Argument*> CommandLine::arguments() const {
  std::vector<const Argument*> out;
  for (const auto& argument : arguments_) out.push_back(argument.get());
  return out;
}

std::vector<const Argument*> CommandLine::options() const {
  std::vector<const Argument*> out = arguments();
  std::erase_if(out, [](const Argument* argument) { return argument->is_positional(); });
  return out;
}

std::vector<const Argument*> CommandLine::positionals() const {
  std::vector<const Argument*> out = arguments();
  std::erase_if(out, [](const Argument* argument) { return !argument->is_positional(); });
  return out;
}

std::vector<std::string> CommandLine::groups() const {
  std::vector<std::string> out;
  for (const auto& argument : arguments_) {
    const std::string& group = argument->group();
    if (std::ranges::find(out, group) == out.end()) out.push_back(group);
  }
  return out;
}

bool CommandLine::has(std::string_view name) const {
  return std::ranges::any_of(given_,
                             [&](const Argument* argument) { return argument->name() == name; });
}

namespace {

/// Returns a message of CLI11 as a sentence: "--to needs a value" for "--to: 1 required S missing",
/// and another for "--to: At Most 1 required but received 2".
std::string without_placeholders(const std::string& message) {
  static constexpr std::string_view kRepeated = ": At Most 1 required but received ";
  const size_t name = message.find(": ");
  if (const size_t repeated = message.find(kRepeated); repeated != std::string::npos) {
    return message.substr(0, repeated) + " can be given once, found " +
           message.substr(repeated + kRepeated.size()) + " times";
  }
  const bool lacks_value = message.ends_with(" missing") &&
                           message.find(" required ") != std::string::npos &&
                           name != std::string::npos;
  return lacks_value ? message.substr(0, name) + " needs a value" : message;
}

}  // namespace

std::optional<Misread> CommandLine::parse(const std::vector<std::string>& tokens) {
  CLI::App app;
  app.set_help_flag();
  std::map<const Argument*, CLI::Option*> declared;
  for (const auto& argument : arguments_) {
    CLI::Option* option = declare(app, argument->names_, argument->takes_, argument->read_);
    if (argument->takes_value()) option->type_name(argument->placeholder_);
    option->required(argument->is_required_);
    declared[argument.get()] = option;
  }
  for (const auto& argument : arguments_) {
    CLI::Option* option = declared[argument.get()];
    for (const Argument* other : argument->needs_) option->needs(declared[other]);
    for (const std::string& other : argument->excludes_) option->excludes(app.get_option(other));
  }
  std::optional<Misread> wrong;
  try {
    std::vector<std::string> backwards;
    std::transform(tokens.rbegin(), tokens.rend(), std::back_inserter(backwards), marked);
    app.parse(std::move(backwards));
  } catch (const CLI::RequiredError& error) {
    wrong = Misread{unmarked(error.what()), true};
  } catch (const CLI::ParseError& error) {
    wrong = Misread{unmarked(without_placeholders(error.what()))};
  }
  given_.clear();
  for (const auto& argument : arguments_) argument->count_ = declared[argument.get()]->count();
  for (const CLI::Option* option : app.parse_order()) {
    const auto found = std::ranges::find(declared, option, &decltype(declared)::value_type::second);
    if (found != declared.end()) given_.push_back(found->first);
  }
  return wrong;
}

}  // namespace xwalk::cli
