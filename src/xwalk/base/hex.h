#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns bytes as lower-case hex digits.
std::string to_hex(std::string_view bytes);
/// Parses hex digits of either case. Throws Error (Input) on an odd count or another character.
std::string from_hex(std::string_view text);

}  // namespace xwalk
