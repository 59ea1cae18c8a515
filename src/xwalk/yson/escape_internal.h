#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace xwalk::yson {

/// The value of a hex digit, or -1.
inline constexpr std::array<int8_t, 256> kHexDigits = [] {
  std::array<int8_t, 256> values{};
  for (size_t c = 0; c < 256; ++c) {
    int value = -1;
    if (c >= '0' && c <= '9') value = static_cast<int>(c - '0');
    if (c >= 'a' && c <= 'f') value = static_cast<int>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') value = static_cast<int>(c - 'A' + 10);
    values[c] = static_cast<int8_t>(value);
  }
  return values;
}();

/// Decodes any escape, `p` after the backslash, with at least one byte left, and moves `p` after
/// it. Returns the end of what it wrote to `out`.
char* unescape_one(const char*& p, const char* end, char* out);

}  // namespace xwalk::yson
