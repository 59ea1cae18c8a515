#include "xwalk/cli/arguments.h"

#include <fmt/format.h>

#include "xwalk/base/byte_count.h"
#include "xwalk/base/word_list.h"

namespace xwalk::cli {

namespace {

using Takes = Argument::Takes;
using Strings = std::vector<std::string>;

}  // namespace

Argument* add_text(CommandLine& command, const std::string& names, std::string* value,
                   const std::string& placeholder, const std::string& description) {
  return command.add(names, Takes::Word, placeholder, description,
                     [value](const Strings& given) { *value = given.front(); });
}

Argument* add_text(CommandLine& command, const std::string& names,
                   std::optional<std::string>* value, const std::string& placeholder,
                   const std::string& description) {
  return command.add(names, Takes::Word, placeholder, description,
                     [value](const Strings& given) { *value = given.front(); });
}

Argument* add_rest(CommandLine& command, const std::string& name, std::vector<std::string>* value,
                   const std::string& description) {
  return command.add(name, Takes::Rest, name, description,
                     [value](const Strings& given) { *value = given; });
}

Argument* add_list(CommandLine& command, const std::string& names, std::vector<std::string>* value,
                   const std::string& placeholder, const std::string& description) {
  return command.add(names, Takes::Each, placeholder, description, [value](const Strings& given) {
    for (const std::string& text : given) {
      for (std::string& item : split_list(text)) value->push_back(std::move(item));
    }
  });
}

Argument* add_number(CommandLine& command, const std::string& names, std::optional<int64_t>* value,
                     int64_t least, const std::string& placeholder,
                     const std::string& description) {
  return command.add(
      names, Takes::Word, placeholder, description,
      [value, least, name = names.substr(names.rfind(',') + 1)](const Strings& given) {
        *value = parse_count(given.front());
        if (*value && **value >= least) return;
        throw Error(ErrorCode::Usage,
                    fmt::format("{}: expected a whole number of at least {}, found {}", name, least,
                                xwalk::quoted(given.front())));
      });
}

Argument* add_flag(CommandLine& command, const std::string& names, bool* value,
                   const std::string& description) {
  return command.add(names, Takes::Nothing, "", description,
                     [value](const Strings&) { *value = true; });
}

}  // namespace xwalk::cli
