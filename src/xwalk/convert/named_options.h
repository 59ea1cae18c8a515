#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "xwalk/convert/convert.h"

namespace xwalk::io {

/// What an option is about, and so which calls take it.
enum class OptionGroup : uint8_t {
  Source,   ///< what the input is
  Rows,     ///< which of its rows, and how they come
  Work,     ///< what reading and writing share
  Values,   ///< how rows of YSON and Skiff write values
  Changes,  ///< how values may change on their way
  Consent,  ///< what may be lost
  Writing,  ///< what the output is
};

/// What the value of an option is.
enum class OptionValue : uint8_t {
  Flag,
  Number,
  Bytes,  ///< a number, or text with a unit: "512MiB"
  NumberOrWord,
  Word,
  Choice,  ///< one of some words
  Words,   ///< a list of strings
  Path,
  Schema,  ///< the text of a schema
  Object,  ///< values by name
};

/// An option as a door lists it.
struct NamedOption {
  hub::Option option;
  OptionGroup group;
  OptionValue value;
  /// The value that it has unless it is given, as JSON; "" for none. Of a choice, all its words
  /// with spaces between, the usual one first, which is empty where there is none.
  std::string_view usual;
  /// One or two sentences.
  std::string_view about;
};

/// Lists all options, by what they are about.
std::vector<NamedOption> named_options();

/// Reads a JSON object of options by their ids (hub/option.h), as the Python module and the C
/// interface take them: `{"format": "yson",
/// "on_error": "skip", "limit": 10}`. A null is as if it was not given, and so is empty text.
/// Throws Error (Usage) for what is no object, a name or a word that is not known, a value of
/// another type or out of range.
ConvertOptions read_named_options(std::string_view json);

}  // namespace xwalk::io
