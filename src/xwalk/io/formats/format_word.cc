#include "xwalk/io/formats/format_word.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/formats/detect.h"
#include "xwalk/io/formats/row_format.h"
#include "xwalk/yson/parse.h"

namespace xwalk::io {
namespace {

using hub::Option;
using yt::ValueOptions;

/// A setting of rows that is an option and an attribute of formats.
struct Setting {
  Option option;
  bool (*same)(const ValueOptions&, const ValueOptions&);
  void (*copy)(const ValueOptions& from, ValueOptions* to);
};

template <auto Member>
constexpr Setting setting(Option option) {
  return {option,
          [](const ValueOptions& a, const ValueOptions& b) { return a.*Member == b.*Member; },
          [](const ValueOptions& from, ValueOptions* to) { (*to).*Member = from.*Member; }};
}

constexpr std::array kSettings = {
    setting<&ValueOptions::complex_type_mode>(Option::ComplexTypeMode),
    setting<&ValueOptions::string_keyed_dict_mode>(Option::StringKeyedDictMode),
    setting<&ValueOptions::decimal_mode>(Option::DecimalMode),
    setting<&ValueOptions::time_mode>(Option::TimeMode),
    setting<&ValueOptions::uuid_mode>(Option::UuidMode),
    setting<&ValueOptions::skip_null_values>(Option::SkipNullValues),
    setting<&ValueOptions::format>(Option::YsonFormat),
};

/// Returns which attributes of a format are options: by their own names, except `format`.
std::set<Option> settings_of(const yson::Node& node, Format format) {
  std::set<Option> out;
  for (const auto& [key, value] : node.attributes()) {
    const bool is_layout = key == "format" && format == Format(kYsonRows);
    const std::optional<Option> option = is_layout ? Option::YsonFormat : hub::option_of_id(key);
    if (option && std::ranges::find(kSettings, *option, &Setting::option) != kSettings.end()) {
      out.insert(*option);
    }
  }
  return out;
}

/// Returns the settings of a format's attributes, with those of options that they do not name. The
/// layout of values in Arrow and the stored form of time zones are never attributes.
ValueOptions with_attributes(const ValueOptions& options, const std::set<Option>& given,
                             const FormatWord& word) {
  ValueOptions out = *word.values;
  out.chosen = options.chosen;
  out.uuid_order = options.uuid_order;
  out.tz_form = options.tz_form;
  out.decimal_special = options.decimal_special;
  for (const Setting& setting : kSettings) {
    if (!given.contains(setting.option)) continue;
    if (!word.settings.contains(setting.option)) {
      setting.copy(options, &out);
    } else if (!setting.same(options, out)) {
      throw Error(ErrorCode::Usage,
                  fmt::format("{} and the attributes of {} contradict each other",
                              hub::mention(setting.option), word.format->word),
                  {}, "Give one of the two.");
    }
  }
  return out;
}

FormatWord parse_attributes(const std::string& word) {
  FormatWord out;
  const yson::Node node = yson::parse(word);
  if (!node.is(yson::Node::Kind::String)) {
    throw Error(ErrorCode::Usage, "expected the name of a format after its attributes", {},
                "For example <format=binary>yson.");
  }
  out.format = parse_format(node.as_string());
  if (out.format->take_attributes == nullptr) {
    throw Error(ErrorCode::Usage,
                "expected a format with attributes: yson, json or skiff, found another", {},
                "The other formats have options of their own.");
  }
  out.format->take_attributes(node, word, &out);
  out.settings = settings_of(node, out.format);
  return out;
}

}  // namespace

bool names_format(const std::string& word) {
  if (word.starts_with('<')) return true;
  return !crosswalk::parse_system(word) &&
         std::ranges::any_of(formats(), [&](Format format) { return format->word == word; });
}

bool names_schemas(const std::string& word) {
  const auto system = crosswalk::parse_system(word);
  return system &&
         std::ranges::none_of(formats(), [&](Format format) { return format->system == *system; });
}

FormatWord parse_format_word(const std::string& word) {
  if (!word.starts_with('<')) {
    FormatWord out;
    out.format = parse_format(word);
    return out;
  }
  try {
    return parse_attributes(word);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Input) throw;
    throw Error(ErrorCode::Usage, error.message(), error.place(), error.hint());
  }
}

void set_format(const std::string& word, InputOptions* options) {
  FormatWord given = parse_format_word(word);
  options->format = given.format;
  if (given.values) options->values = with_attributes(options->values, options->given, given);
  if (given.skiff_schema && options->schema) {
    throw Error(ErrorCode::Usage,
                fmt::format("{} and the attributes of skiff are two schemas of one input",
                            hub::mention(Option::Schema)),
                {}, "Give one of the two.");
  }
  if (given.skiff_schema) options->schema = std::move(given.skiff_schema);
}

std::optional<std::string> set_format(const std::string& word, const std::set<Option>& given,
                                      OutputOptions* options) {
  FormatWord named = parse_format_word(word);
  options->format = named.format;
  if (named.values) options->values = with_attributes(options->values, given, named);
  return std::move(named.skiff_schema);
}

}  // namespace xwalk::io
