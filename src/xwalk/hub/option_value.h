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

/// What an option's value names in the world outside, if it names anything. A program that works
/// for a file which the user did not write checks it.
enum class OptionPlace : uint8_t {
  None,
  Read,        ///< a file, a folder or a URI to read
  ReadOrText,  ///< the same, or the text itself
  Write,       ///< a file to write
  Host,        ///< where requests go
};

}  // namespace xwalk::hub
