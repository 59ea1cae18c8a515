#include "xwalk/cli/arguments.h"

#include <charconv>

#include <fmt/format.h>

#include "xwalk/base/byte_count.h"

namespace xwalk::cli {
namespace {

int64_t parse_number(const std::string& name, std::string_view text, int64_t least) {
  std::string_view digits = text;
  int64_t factor = 1;
  if (!digits.empty()) {
    switch (digits.back()) {
      case 'k':
        factor = 1000;
        break;
      case 'M':
        factor = 1000 * 1000;
        break;
      case 'G':
        factor = 1000 * 1000 * 1000;
        break;
      default:
        break;
    }
    if (factor != 1) digits.remove_suffix(1);
  }
  int64_t number = 0;
  auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool whole = failed == std::errc() && end == digits.data() + digits.size();
  if (!whole || number > INT64_MAX / factor || number * factor < least) {
    throw Error(ErrorCode::Usage,
                fmt::format("expected a whole number of at least {} for {}, found {}", least, name,
                            xwalk::quoted(text)));
  }
  return number * factor;
}

std::string last_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

}  // namespace

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string* value,
                      const std::string& placeholder, const std::string& description) {
  return app.add_option(names, *value, description)->type_name(placeholder);
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                      const std::string& placeholder, const std::string& description) {
  return app
      .add_option_function<std::string>(
          names, [value](const std::string& text) { *value = text; }, description)
      ->type_name(placeholder);
}

CLI::Option* add_list(CLI::App& app, const std::string& names, std::vector<std::string>* value,
                      const std::string& placeholder, const std::string& description) {
  return app
      .add_option_function<std::vector<std::string>>(
          names,
          [value](const std::vector<std::string>& given) {
            for (const std::string& text : given) {
              // A comma between double quotes belongs to a quoted name.
              std::string word;
              bool is_quoted = false;
              for (char c : text) {
                if (c == '"') is_quoted = !is_quoted;
                if (c == ',' && !is_quoted) {
                  if (!word.empty()) value->push_back(word);
                  word.clear();
                } else {
                  word += c;
                }
              }
              // Nothing names nothing: not all there is.
              if (!word.empty() || text.empty()) value->push_back(word);
            }
          },
          description)
      ->type_name(placeholder)
      ->expected(1)
      ->allow_extra_args(false)  // the words behind it are paths
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_number(CLI::App& app, const std::string& names, std::optional<int64_t>* value,
                        int64_t least, const std::string& placeholder,
                        const std::string& description) {
  return app
      .add_option_function<std::string>(
          names,
          [value, least, name = last_name(names)](const std::string& text) {
            *value = parse_number(name, text, least);
          },
          description)
      ->type_name(placeholder);
}

CLI::Option* add_bytes(CLI::App& app, const std::string& names, std::optional<int64_t>* value,
                       const std::string& placeholder, const std::string& description) {
  return app
      .add_option_function<std::string>(
          names,
          [value, name = last_name(names)](const std::string& text) {
            *value = parse_byte_count(text);
            if (*value) return;
            throw Error(ErrorCode::Usage, fmt::format("expected {} for {}, found {}", kByteCount,
                                                      name, xwalk::quoted(text)));
          },
          description)
      ->type_name(placeholder);
}

CLI::Option* add_flag(CLI::App& app, const std::string& names, bool* value,
                      const std::string& description) {
  return app.add_flag(names, *value, description);
}

}  // namespace xwalk::cli
