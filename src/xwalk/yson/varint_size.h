#pragma once

#include <cstdint>

#include "xwalk/yson/scan.h"

namespace xwalk::yson {

/// Returns the bytes of the varint at `p`, ten bytes at hand, without a branch; ten as well where
/// all of them go on.
[[gnu::always_inline]] inline uint32_t varint_size(const char* p) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  const uint64_t stops = ~load_little_endian<uint64_t>(p) & kHighBits;
  // The ninth byte ends it, or the tenth.
  const uint32_t more = 9 + (static_cast<unsigned char>(p[8]) >> 7);
  const auto few = static_cast<uint32_t>(__builtin_ctzll(stops | uint64_t{1} << 63) / 8 + 1);
  return stops != 0 ? few : more;
}

}  // namespace xwalk::yson
