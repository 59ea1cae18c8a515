#pragma once

#include <string>
#include <string_view>

#include "xwalk/delta/type.h"

namespace xwalk::delta {

/// Parses the name of a type without children, as in the JSON form: `integer`, `decimal(9,2)`.
/// Throws Error (Input) for an invalid text.
Type parse_primitive(std::string_view text);

/// Parses one type: a name as above, `array<string>`, `array<string not null>`,
/// `map<string, long>`, `struct<a: integer not null, "b c": string>`. Throws Error (Input) with the
/// column.
Type parse_type_text(std::string_view text);

/// Prints the name of a type without children, as in the JSON form.
std::string print_primitive(const Type& type);

/// Prints a type in one line, as `parse_type_text` reads it, without metadata.
std::string print_type_text(const Type& type);

}  // namespace xwalk::delta
