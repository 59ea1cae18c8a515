#pragma once

#include <optional>
#include <set>
#include <string>

#include "xwalk/io/formats/options.h"

namespace xwalk::io {

/// A format as a caller names it: `yson`, or with the attributes YTsaurus gives it:
/// `<format=binary;complex_type_mode=positional>yson`, `<table_skiff_schemas=[…]>skiff`.
struct FormatWord {
  Format format = kYsonRows;
  /// The settings in the attributes of a format of rows, and which of them are options as well.
  std::optional<yt::ValueOptions> values;
  std::set<hub::Option> settings;
  /// The text of a Skiff format with attributes, which is a schema.
  std::optional<std::string> skiff_schema;
};

/// Returns true for the name of a row format that is not a system: `json`, or one with attributes.
bool names_format(const std::string& word);

/// Returns true for the name of a system that has schemas and no rows.
bool names_schemas(const std::string& word);

/// Throws Error (Usage) for an unknown format, and for attributes that it does not have.
FormatWord parse_format_word(const std::string& word);

/// Sets the format of an input by its word, with the settings and the schema in its attributes.
/// Options of `options->given` apply to the settings that the attributes do not name. Throws as
/// above, and Error (Usage) if an option and an attribute contradict each other.
void set_format(const std::string& word, InputOptions* options);

/// Sets the format of an output in the same way; `given` has the options of the conversion. Returns
/// the schema among the attributes, if any.
std::optional<std::string> set_format(const std::string& word, const std::set<hub::Option>& given,
                                      OutputOptions* options);

}  // namespace xwalk::io
