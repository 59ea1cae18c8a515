#pragma once

#include <string>
#include <string_view>

#include "xwalk/lance/type.h"

namespace xwalk::lance {

/// Prints a field's type with those of its children, in one line: `list<item: int64>`.
std::string print_type_text(const Field& field);

/// Parses what `print_words` prints as the type of a field without a name. Throws Error (Input).
Field parse_type_text(std::string_view text);

}  // namespace xwalk::lance
