#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/base/endian.h"
#include "xwalk/base/wide_integer.h"

/// Encodes values, one after the other, as bytes that compare as the values do: the smaller value
/// has the smaller bytes, and no encoding is a prefix of another.
namespace xwalk {

/// Appends eight bytes, the most significant one first.
inline void append_ordered(uint64_t value, std::string* out) {
  char bytes[sizeof value];
  store_big_endian(value, bytes);
  out->append(bytes, sizeof bytes);
}

/// The same for the bits of a signed integer: negative ones come first.
inline void append_ordered_signed(uint64_t bits, std::string* out) {
  append_ordered(bits ^ (uint64_t{1} << 63), out);
}

/// Appends 32 bytes.
inline void append_ordered(const Int256& value, std::string* out) {
  append_ordered_signed(value.limbs[3], out);
  for (size_t i = 3; i-- > 0;) append_ordered(value.limbs[i], out);
}

/// Appends text with its own end mark: a zero byte is followed by 0xFF, the end by another zero.
inline void append_ordered(std::string_view text, std::string* out) {
  for (size_t zero = 0; (zero = text.find('\0')) != std::string_view::npos;
       text.remove_prefix(zero + 1)) {
    out->append(text.substr(0, zero + 1));
    out->push_back('\xff');
  }
  out->append(text);
  out->append(2, '\0');
}

}  // namespace xwalk
