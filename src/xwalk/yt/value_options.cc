#include "xwalk/yt/value_options.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/base/text.h"
#include "xwalk/yson/parse.h"
#include "xwalk/yson/print.h"

namespace xwalk::yt {
namespace {

template <typename Mode>
struct Word {
  Mode mode;
  std::string_view word;
};
// clang 14 does not deduce for aggregates.
template <typename Mode>
Word(Mode, const char*) -> Word<Mode>;

template <typename Mode>
struct Setting;

template <>
struct Setting<ComplexTypeMode> {
  static constexpr std::string_view kName = "complex_type_mode";
  static constexpr std::array kNames = {Word{ComplexTypeMode::Named, "named"},
                                        Word{ComplexTypeMode::Positional, "positional"}};
};
template <>
struct Setting<DictMode> {
  static constexpr std::string_view kName = "string_keyed_dict_mode";
  static constexpr std::array kNames = {Word{DictMode::Positional, "positional"},
                                        Word{DictMode::Named, "named"}};
};
template <>
struct Setting<DecimalMode> {
  static constexpr std::string_view kName = "decimal_mode";
  static constexpr std::array kNames = {Word{DecimalMode::Binary, "binary"},
                                        Word{DecimalMode::Text, "text"}};
};
template <>
struct Setting<TimeMode> {
  static constexpr std::string_view kName = "time_mode";
  static constexpr std::array kNames = {Word{TimeMode::Binary, "binary"},
                                        Word{TimeMode::Text, "text"}};
};
template <>
struct Setting<UuidMode> {
  static constexpr std::string_view kName = "uuid_mode";
  static constexpr std::array kNames = {Word{UuidMode::Binary, "binary"},
                                        Word{UuidMode::TextYt, "text_yt"},
                                        Word{UuidMode::TextYql, "text_yql"}};
};
template <>
struct Setting<UuidOrder> {
  static constexpr std::array kNames = {Word{UuidOrder::Rfc, "rfc"}, Word{UuidOrder::Raw, "raw"}};
};
template <>
struct Setting<TzForm> {
  static constexpr std::array kNames = {Word{TzForm::Name, "name"}, Word{TzForm::Index, "index"}};
};
template <>
struct Setting<DecimalSpecial> {
  static constexpr std::array kNames = {Word{DecimalSpecial::Error, "error"},
                                        Word{DecimalSpecial::Null, "null"}};
};
template <>
struct Setting<yson::Format> {
  static constexpr std::string_view kName = "format";
  static constexpr std::array kNames = {Word{yson::Format::Text, "text"},
                                        Word{yson::Format::Pretty, "pretty"},
                                        Word{yson::Format::Binary, "binary"}};
};

}  // namespace

template <typename Mode>
void parse_mode(std::string_view word, Mode* mode) {
  std::vector<std::string> names;
  for (const Word<Mode>& known : Setting<Mode>::kNames) {
    if (known.word == word) {
      *mode = known.mode;
      return;
    }
    names.emplace_back(known.word);
  }
  throw Error(ErrorCode::Usage,
              fmt::format("expected {}, found {}", alternatives(names), quoted(word)), {},
              did_you_mean(word, names));
}

namespace {

template <typename Mode>
void take(const yson::Node& value, Mode* mode) {
  try {
    if (!value.is(yson::Node::Kind::String)) {
      throw Error(ErrorCode::Input, fmt::format("expected a string, found {}", yson::print(value)));
    }
    parse_mode(value.as_string(), mode);
  } catch (Error& error) {
    const std::string_view name = Setting<Mode>::kName;
    throw Error(ErrorCode::Input, fmt::format("{}: {}", name, error.message()), {}, error.hint());
  }
}

template <typename Mode>
void give(Mode mode, Mode standard, yson::Node* format) {
  if (mode == standard) return;
  for (const Word<Mode>& known : Setting<Mode>::kNames) {
    if (known.mode != mode) continue;
    format->add_attribute(std::string(Setting<Mode>::kName),
                          yson::Node::string(std::string(known.word)));
  }
}

/// Attributes of YTsaurus's formats that convert values of one type to another.
constexpr std::array<std::string_view, 6> kConversions = {
    "enable_string_to_all_conversion",       "enable_all_to_string_conversion",
    "enable_integral_type_conversion",       "enable_integral_to_double_conversion",
    "enable_null_to_yson_entity_conversion", "enable_type_conversion"};

bool flag(std::string_view key, const yson::Node& value) {
  if (value.is(yson::Node::Kind::Boolean)) return value.as_boolean();
  throw Error(ErrorCode::Input,
              fmt::format("expected {} as a boolean, found {}", key, yson::print(value)));
}

}  // namespace

ValueOptions stored_form() {
  ValueOptions options;
  options.complex_type_mode = ComplexTypeMode::Positional;
  options.format = yson::Format::Binary;
  return options;
}

namespace {

/// Reads an attribute that formats of rows share. Returns false for another one.
bool take_shared(const std::string& key, const yson::Node& value, ValueOptions* options) {
  if (key == "complex_type_mode") {
    take(value, &options->complex_type_mode);
  } else if (key == "string_keyed_dict_mode") {
    take(value, &options->string_keyed_dict_mode);
  } else if (key == "decimal_mode") {
    take(value, &options->decimal_mode);
  } else if (key == "time_mode") {
    take(value, &options->time_mode);
  } else if (key == "uuid_mode") {
    take(value, &options->uuid_mode);
  } else if (key == "skip_null_values") {
    options->skip_null_values = flag(key, value);
  } else if (std::ranges::find(kConversions, key) != kConversions.end()) {
    if (!flag(key, value)) return true;
    throw Error(ErrorCode::Input, fmt::format("expected {}=%false, found %true", key), {},
                "Rows are read and written by the types of their schema; give another schema.");
  } else {
    return false;
  }
  return true;
}

[[noreturn]] void unknown_attribute(std::string_view format, const std::string& key,
                                    std::vector<std::string> known) {
  known.insert(known.end(), {"complex_type_mode", "string_keyed_dict_mode", "decimal_mode",
                             "time_mode", "uuid_mode", "skip_null_values"});
  throw Error(ErrorCode::Input,
              fmt::format("expected an attribute of format {} ({}), found {}", format,
                          join(known, ", "), quoted(key)),
              {}, did_you_mean(key, known));
}

}  // namespace

ValueOptions parse_format(const yson::Node& format) {
  if (format.as_string() != "yson") {
    throw Error(ErrorCode::Input, "expected format yson, found " + quoted(format.as_string()));
  }
  ValueOptions options;
  for (const auto& [key, value] : format.attributes()) {
    if (key == "format") {
      take(value, &options.format);
    } else if (!take_shared(key, value, &options)) {
      unknown_attribute("yson", key, {"format"});
    }
  }
  return options;
}

ValueOptions parse_json_format(const yson::Node& format) {
  /// Sizes of buffers there, and what no table has: they change no row.
  static constexpr std::array<std::string_view, 3> kWithoutEffect = {
      "memory_limit", "nesting_level_limit", "buffer_size"};
  ValueOptions options;
  JsonForm& json = options.json;
  json.living = true;
  json.encode_utf8 = true;
  bool unquoted = false;
  bool quoted_literals = false;
  for (const auto& [key, value] : format.attributes()) {
    if (key == "encode_utf8") {
      json.encode_utf8 = flag(key, value);
    } else if (key == "stringify") {
      json.stringify = flag(key, value);
    } else if (key == "annotate_with_types") {
      json.annotate_with_types = flag(key, value);
    } else if (key == "plain") {
      json.plain = flag(key, value);
    } else if (key == "support_infinity") {
      unquoted = flag(key, value);
    } else if (key == "stringify_nan_and_infinity") {
      quoted_literals = flag(key, value);
    } else if (key == "format" || key == "attributes_mode") {
      const std::string_view only = key == "format" ? "text" : "on_demand";
      if (value.is(yson::Node::Kind::String) && value.as_string() == only) continue;
      throw Error(ErrorCode::Input,
                  fmt::format("expected {}={}, found {}", key, only, yson::print(value)), {},
                  "Write one row per line, each with its own attributes.");
    } else if (std::ranges::find(kWithoutEffect, key) == kWithoutEffect.end() &&
               !take_shared(key, value, &options)) {
      unknown_attribute(
          "json", key,
          {"encode_utf8", "stringify", "annotate_with_types", "plain", "support_infinity",
           "stringify_nan_and_infinity", "format", "attributes_mode"});
    }
  }
  if (unquoted && quoted_literals) {
    throw Error(ErrorCode::Input,
                "expected support_infinity or stringify_nan_and_infinity, found both");
  }
  if (json.plain && json.annotate_with_types) {
    throw Error(ErrorCode::Input, "expected plain or annotate_with_types, found both");
  }
  if (unquoted) json.not_finite = NotFinite::Unquoted;
  if (quoted_literals) json.not_finite = NotFinite::Quoted;
  return options;
}

ValueOptions json_values(ValueOptions options) {
  options.format = yson::Format::Binary;
  if (options.json.living) return options;
  if (!options.chosen.decimal) options.decimal_mode = DecimalMode::Text;
  if (!options.chosen.time) options.time_mode = TimeMode::Text;
  if (!options.chosen.uuid) options.uuid_mode = UuidMode::TextYql;
  return options;
}

ValueOptions parse_format(std::string_view text) { return parse_format(yson::parse(text)); }

yson::Node format_node(const ValueOptions& options) {
  ValueOptions standard;
  yson::Node format = yson::Node::string("yson");
  give(options.format, standard.format, &format);
  give(options.complex_type_mode, standard.complex_type_mode, &format);
  give(options.string_keyed_dict_mode, standard.string_keyed_dict_mode, &format);
  give(options.decimal_mode, standard.decimal_mode, &format);
  give(options.time_mode, standard.time_mode, &format);
  give(options.uuid_mode, standard.uuid_mode, &format);
  if (options.skip_null_values) {
    format.add_attribute("skip_null_values", yson::Node::boolean(true));
  }
  return format;
}

std::string print_format(const ValueOptions& options) { return yson::print(format_node(options)); }

template void parse_mode(std::string_view, ComplexTypeMode*);
template void parse_mode(std::string_view, DictMode*);
template void parse_mode(std::string_view, DecimalMode*);
template void parse_mode(std::string_view, TimeMode*);
template void parse_mode(std::string_view, UuidMode*);
template void parse_mode(std::string_view, UuidOrder*);
template void parse_mode(std::string_view, TzForm*);
template void parse_mode(std::string_view, DecimalSpecial*);
template void parse_mode(std::string_view, yson::Format*);

}  // namespace xwalk::yt
