#pragma once

#include <string>
#include <string_view>

namespace xwalk {

/// Returns the value of a hex digit of either case; -1 for another character.
constexpr int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

/// Returns bytes as lower-case hex digits.
std::string to_hex(std::string_view bytes);
/// Parses hex digits of either case. Throws Error (Input) on an odd count or another character.
std::string from_hex(std::string_view text);

}  // namespace xwalk
