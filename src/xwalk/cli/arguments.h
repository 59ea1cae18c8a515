#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/App.hpp>

#include "xwalk/base/text.h"
#include "xwalk/cli/failure.h"

// How verbs declare options: thin functions over CLI11 that give every option the same messages.

namespace xwalk::cli {

/// Declares an option with a text of any kind.
CLI::Option* add_text(CLI::App& app, const std::string& names, std::string* value,
                      const std::string& placeholder, const std::string& description);
CLI::Option* add_text(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                      const std::string& placeholder, const std::string& description);
/// Declares an option that may be repeated, each time with words separated by commas.
CLI::Option* add_list(CLI::App& app, const std::string& names, std::vector<std::string>* value,
                      const std::string& placeholder, const std::string& description);
/// Declares an option with a whole number of at least `least`; `k`, `M` and `G` behind it multiply.
CLI::Option* add_number(CLI::App& app, const std::string& names, std::optional<int64_t>* value,
                        int64_t least, const std::string& placeholder,
                        const std::string& description);
/// Declares an option with a number of bytes, see parse_byte_count.
CLI::Option* add_bytes(CLI::App& app, const std::string& names, std::optional<int64_t>* value,
                       const std::string& placeholder, const std::string& description);
CLI::Option* add_flag(CLI::App& app, const std::string& names, bool* value,
                      const std::string& description);

/// Declares an option that takes one of a few words.
template <typename T>
CLI::Option* add_choice(CLI::App& app, const std::string& names, T* value,
                        const std::vector<std::pair<std::string, T>>& choices,
                        const std::string& description) {
  std::vector<std::string> words;
  words.reserve(choices.size());
  for (const auto& choice : choices) words.push_back(choice.first);
  std::string shown = names.substr(names.rfind(',') + 1);
  CLI::Option* option = app.add_option_function<std::string>(
      names,
      [value, choices, words, shown](const std::string& word) {
        for (const auto& [name, meaning] : choices) {
          if (name == word) {
            *value = meaning;
            return;
          }
        }
        throw unknown_word(shown, word, words);
      },
      description);
  return option->type_name(join(words, "|"));
}

}  // namespace xwalk::cli
