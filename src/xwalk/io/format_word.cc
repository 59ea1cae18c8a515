#include "xwalk/io/format_word.h"

#include <algorithm>

#include "xwalk/base/error.h"
#include "xwalk/crosswalk/schema.h"
#include "xwalk/io/row_format.h"
#include "xwalk/yson/parse.h"

namespace xwalk::io {
namespace {

/// How values stand in Arrow, and in which form zones are stored, is no attribute of a format.
yt::ValueOptions with_attributes(const yt::ValueOptions& options,
                                 const yt::ValueOptions& attributes) {
  yt::ValueOptions out = attributes;
  out.uuid_order = options.uuid_order;
  out.tz_form = options.tz_form;
  out.decimal_special = options.decimal_special;
  return out;
}

FormatWord parse_attributes(const std::string& word) {
  FormatWord out;
  const yson::Node node = yson::parse(word);
  if (!node.is(yson::Node::Kind::String)) {
    throw Error(ErrorCode::Usage, "expected the name of a format behind its attributes", {},
                "For example <format=binary>yson.");
  }
  out.format = parse_format(node.as_string());
  if (out.format->take_attributes == nullptr) {
    throw Error(ErrorCode::Usage,
                "expected a format with attributes: yson, json or skiff, found another", {},
                "The other formats have options of their own.");
  }
  out.format->take_attributes(node, word, &out);
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
  if (given.values) options->values = with_attributes(options->values, *given.values);
  if (given.skiff_schema && !options->schema) options->schema = std::move(given.skiff_schema);
}

std::optional<std::string> set_format(const std::string& word, OutputOptions* options) {
  FormatWord given = parse_format_word(word);
  options->format = given.format;
  if (given.values) options->values = with_attributes(options->values, *given.values);
  return std::move(given.skiff_schema);
}

}  // namespace xwalk::io
