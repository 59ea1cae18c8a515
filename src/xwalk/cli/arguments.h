#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "xwalk/base/text.h"
#include "xwalk/cli/command_line.h"
#include "xwalk/cli/failure.h"

// How commands declare options: thin functions that give every option the same messages.

namespace xwalk::cli {

/// Declares an option with a text of any kind.
Argument* add_text(CommandLine& command, const std::string& names, std::string* value,
                   const std::string& placeholder, const std::string& description);
Argument* add_text(CommandLine& command, const std::string& names,
                   std::optional<std::string>* value, const std::string& placeholder,
                   const std::string& description);
/// Declares a positional argument that takes all words that belong to no option.
Argument* add_rest(CommandLine& command, const std::string& name, std::vector<std::string>* value,
                   const std::string& description);
/// Declares an option that may be repeated, each time with words separated by commas.
Argument* add_list(CommandLine& command, const std::string& names, std::vector<std::string>* value,
                   const std::string& placeholder, const std::string& description);
/// Declares an option with a whole number of at least `least`; `k`, `M` and `G` after it multiply.
Argument* add_number(CommandLine& command, const std::string& names, std::optional<int64_t>* value,
                     int64_t least, const std::string& placeholder, const std::string& description);
Argument* add_flag(CommandLine& command, const std::string& names, bool* value,
                   const std::string& description);

/// Declares an option that takes one of a few words.
template <typename T>
Argument* add_choice(CommandLine& command, const std::string& names, T* value,
                     const std::vector<std::pair<std::string, T>>& choices,
                     const std::string& description) {
  std::vector<std::string> tokens;
  tokens.reserve(choices.size());
  for (const auto& choice : choices) tokens.push_back(choice.first);
  std::string placeholder = join(tokens, "|");
  std::string shown = names.substr(names.rfind(',') + 1);
  return command.add(names, Argument::Takes::Word, std::move(placeholder), description,
                     [value, choices, tokens, shown](const std::vector<std::string>& given) {
                       for (const auto& [name, meaning] : choices) {
                         if (name != given.front()) continue;
                         *value = meaning;
                         return;
                       }
                       throw unknown_word(shown, given.front(), tokens);
                     });
}

}  // namespace xwalk::cli
