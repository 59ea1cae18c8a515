#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <optional>

namespace xwalk {

/// Bits of the integers that floating-point types hold exactly.
inline constexpr int kFloatBits = 24;
inline constexpr int kDoubleBits = 53;

/// Returns true if a floating-point number of that many bits, with an exponent that fits, equals
/// the integer.
constexpr bool fits_bits(std::integral auto number, int bits) {
  auto magnitude = static_cast<uint64_t>(number);
  if (number < 0) magnitude = 0 - magnitude;
  return magnitude == 0 ||
         static_cast<int>(std::bit_width(magnitude)) - std::countr_zero(magnitude) <= bits;
}

/// Returns the double that equals an integer, or nothing if none does.
constexpr std::optional<double> double_equal_to(std::integral auto number) {
  if (!fits_bits(number, kDoubleBits)) return std::nullopt;
  return static_cast<double>(number);
}

}  // namespace xwalk
