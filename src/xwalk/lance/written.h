#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "xwalk/lance/flat.h"

namespace xwalk::lance {

/// A field as users write it, in text or JSON: ids may be missing, and children may be nested.
struct WrittenField {
  Field field;
  std::optional<int32_t> id;
  std::optional<int32_t> parent;
  std::optional<Encoding> encoding;
  std::vector<WrittenField> children;
  /// Offset in the text, for errors; 0 where unknown.
  size_t at = 0;
};

/// Reports an error about the field written at an offset.
using FailAt = std::function<void(size_t at, const std::string& message)>;

/// Assigns missing ids and encodings, and lists the fields.
FlatSchema assemble(std::vector<WrittenField> fields, hub::Metadata metadata, const FailAt& fail);

/// Sets a field's type from its string, and keeps the spelling if it is not canonical.
void set_logical_type(std::string_view text, Field* field);

/// Returns the word of an encoding, "" for a number without one, and back.
std::string_view encoding_word(Encoding encoding);
std::optional<Encoding> encoding_of_word(std::string_view word);

}  // namespace xwalk::lance
