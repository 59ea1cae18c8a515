#pragma once

#include <cstdint>

namespace xwalk::hub {

/// The kind of value that an option takes.
enum class OptionValue : uint8_t {
  Flag,
  Number,  ///< a whole number; as text also `10k`, `5M`, `2G`
  Bytes,   ///< a number, or text with a unit: "512MiB"
  NumberOrWord,
  Word,
  Choice,  ///< one of some words
  List,    ///< a list of strings; as text separated by commas
  Texts,   ///< a list of strings, each given whole
  Path,
  Schema,         ///< the text of a schema
  Object,         ///< values by name; as text `name=value`
  NumberOrShare,  ///< a whole number, a share from 0.0 to 1.0, or text such as "2.5%"
};

}  // namespace xwalk::hub
