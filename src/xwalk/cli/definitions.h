#pragma once

#include <memory>
#include <string>
#include <vector>

#include "xwalk/cli/command_line.h"
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
Action declare(const Verb& verb, CommandLine& command, Session* session, CommonOptions* common);

/// Reads words by the options of a verb. Throws Error (Usage).
void parse_tokens(std::string_view verb, CommandLine& command,
                  const std::vector<std::string>& tokens);

/// A command with its options, for inspection without running it.
class Definition {
 public:
  explicit Definition(const Verb& verb);

  const Verb& verb() const { return *verb_; }
  /// Options in the order they were declared, positional ones aside.
  std::vector<const Argument*> options() const { return command_->options(); }
  std::vector<const Argument*> positionals() const { return command_->positionals(); }
  const CommandLine& command() const { return *command_; }

 private:
  const Verb* verb_;
  std::unique_ptr<Session> session_ = std::make_unique<Session>();
  std::unique_ptr<CommonOptions> common_ = std::make_unique<CommonOptions>();
  std::unique_ptr<CommandLine> command_;
  Action action_;
};

/// Returns all verbs with their options, in the order of the list.
std::vector<Definition> definitions();

/// The values allowed after an option, or as an argument.
struct Expected {
  enum class What { Nothing, Choices, Files, Anything };
  What what = What::Nothing;
  std::vector<std::string> tokens;
};

/// Returns what an option takes, by its placeholder.
Expected expected_of(const Argument& option);

}  // namespace xwalk::cli
