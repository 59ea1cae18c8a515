#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace xwalk {

/// Writes a code point as UTF-8 to `out`, which has space for four bytes, and returns the end of
/// what it wrote. Surrogates take three bytes. Only the low 21 bits of a code count.
inline char* write_utf8(uint32_t code, char* out) {
  const auto put = [&out](uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
    return out;
  }
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      put(0xE0 | code >> 12);
    } else {
      put(0xF0 | (code >> 18 & 0x07));
      put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
  return out;
}

/// Appends a code point as UTF-8.
inline void append_utf8(uint32_t code, std::string* out) {
  std::array<char, 4> bytes;
  const auto size = static_cast<size_t>(write_utf8(code, bytes.data()) - bytes.data());
  // Without the bound, g++ 14 fears that more is read.
  out->append(bytes.data(), std::min(size, bytes.size()));
}

}  // namespace xwalk
