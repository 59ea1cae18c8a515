#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "xwalk/cli/verb.h"

// The program's own definitions, for everything that is made of them: parsing, help, completion and
// the manual page cannot say different things.

namespace xwalk::cli {

/// Options that every verb has, beyond those a session keeps.
struct CommonOptions {
  bool no_color = false;
  bool help = false;
};

/// Declares a verb's options and those of every verb; returns the verb's action.
Action declare(const Verb& verb, CLI::App& app, Session* session, CommonOptions* common);

/// Reads words by the options of a verb. Throws Error (Usage).
void parse_words(std::string_view verb, CLI::App& app, std::vector<std::string> words);

/// A verb with its options, to be looked at and not run.
class Definition {
 public:
  explicit Definition(const Verb& verb);

  const Verb& verb() const { return *verb_; }
  /// Options in the order they were declared, positional ones aside.
  std::vector<const CLI::Option*> options() const;
  std::vector<const CLI::Option*> positionals() const;
  const CLI::App& app() const { return *app_; }

 private:
  const Verb* verb_;
  std::unique_ptr<Session> session_ = std::make_unique<Session>();
  std::unique_ptr<CommonOptions> common_ = std::make_unique<CommonOptions>();
  std::unique_ptr<CLI::App> app_;
  Action action_;
};

/// Returns all verbs with their options, in the order of the list.
std::vector<Definition> definitions();

/// What may stand behind an option, or in a place.
struct Expected {
  enum class What { Nothing, Words, Files, Anything };
  What what = What::Nothing;
  std::vector<std::string> words;
};

/// Returns what an option takes, by its placeholder.
Expected expected_of(const CLI::Option& option);

}  // namespace xwalk::cli
