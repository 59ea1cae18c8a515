#pragma once

#include <optional>
#include <string>

#include "xwalk/io/detect.h"
#include "xwalk/yt/value_options.h"

namespace xwalk::cli {

/// A format as a person names it: `yson`, or with the attributes YTsaurus gives it:
/// `<format=binary;complex_type_mode=positional>yson`, `<table_skiff_schemas=[…]>skiff`.
struct FormatWord {
  io::Format format = io::Format::Yson;
  /// The settings in the attributes of a YSON format.
  std::optional<yt::ValueOptions> values;
  /// The text of a Skiff format with attributes, which is a schema.
  std::optional<std::string> skiff_schema;
};

/// Throws Error (Usage) for a word that is no format, Error (Input) for attributes that are none of
/// it.
FormatWord parse_format_word(const std::string& word);

}  // namespace xwalk::cli
