#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "xwalk/base/int128.h"

namespace xwalk::parquet {

/// Returns 10^digits for up to 38 digits.
inline Int128 power_of_ten(int digits) {
  Int128 value = 1;
  for (int i = 0; i < digits; ++i) value *= 10;
  return value;
}

/// Returns the big-endian magnitude of 10^digits - 1, of any size, without leading zeros.
std::string largest_magnitude(int32_t digits);

/// Returns true if the two's complement big-endian number has at most the digits that `limit`, a
/// result of `largest_magnitude`, stands for. An empty number is none.
bool within_magnitude(std::string_view number, std::string_view limit);

}  // namespace xwalk::parquet
