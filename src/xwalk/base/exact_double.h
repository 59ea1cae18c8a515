#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

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

/// Return true if `nearest`, the nearest number of its type, may be read from a text that
/// spells a number. A half is given as a float. The one rule for all texts and widths:
/// - never an infinity, and zero only for zero;
/// - a fraction, such as 0.1, is its nearest number;
/// - an integer with a point or an exponent is a number that has all its digits, up to the last
///   one that is not 0: 1e23 is one digit, which its double has; 9007199254740993.0 is 16, of
///   which the nearest double has 15;
/// - any other integer equals its number.
/// Return true for words: nan, inf.
bool is_number_of(double nearest, std::string_view text);
bool is_number_of(float nearest, std::string_view text);

/// Returns the number of a type of `bits` bits, kFloatBits or kDoubleBits, that may be read from
/// a text, of which `nearest` is the nearest double.
std::optional<double> number_of(double nearest, std::string_view text, int bits);

/// Does what `is_float_for` leaves open: for numbers that are large, tiny or no float.
bool is_rare_float_for(double value);

/// Returns true if the nearest float may store a double: the rule of `is_number_of` for the
/// fewest digits of the double. Returns true for nan and infinities.
inline bool is_float_for(double value) {
  // All integers below are floats, and the fractions are not 0.
  const double magnitude = std::fabs(value);
  return (magnitude < 0x1p24 && magnitude > 0x1p-126) || is_rare_float_for(value);
}

}  // namespace xwalk
